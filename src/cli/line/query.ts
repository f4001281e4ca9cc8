import type { InvalidParameter } from '../../../schemas/index.js';
import { compileParameters } from '../../exports/query-validator.js';
import { invalidParameters, type RequestRefused } from '../../exports/refusals.js';
import { UsageError } from './failures.js';

/**
 * Parses the parameters that commands share with requests, and explains what is wrong with them.
 */

/** What the parameters of a request expect, worded for the command line. */
const EXPECTED: Record<string, string> = {
  countryCode: 'three letters, such as AUS',
  site: 'four characters (ALIC) or nine (ALIC00AUS)',
  near: 'latitude,longitude in degrees, such as -23.67,133.89, or the id of a Site',
  bbox: 'west,south,east,north in degrees, such as 110,-45,155,-10',
  radius: 'a number of kilometres up to 20100, together with near',
};

/** What was expected instead of an invalid value. */
function expectedOf({ name, allowed }: InvalidParameter): string {
  const [properties] = /Properties: .*/s.exec(allowed) ?? [];
  if (properties !== undefined) return `a property, or property,desc. ${properties}`;
  return EXPECTED[name] ?? allowed;
}

/** How a parameter with its value looks on the command line. */
type Shown = (parameter: InvalidParameter) => string;

/** Turns a refusal into a usage error. Of several invalid parameters, it names the first. */
export function usageErrorOf({ reason, message }: RequestRefused, shown: Shown): UsageError {
  if (reason.kind !== 'invalid-parameters') return new UsageError(message);
  const first = reason.parameters[0]!;
  return new UsageError(`${shown(first)} ${first.reason}; expected ${expectedOf(first)}`);
}

/** Parses the parameters of a request. A repeated one becomes a list. @throws {UsageError} */
export function parseQuery(
  schema: Parameters<typeof compileParameters>[0],
  query: URLSearchParams,
  shown: Shown,
): object {
  const values = [...new Set(query.keys())].map((name) => [name, query.getAll(name)] as const);
  const parsed = compileParameters(schema)(
    Object.fromEntries(values.map(([name, all]) => [name, all.length === 1 ? all[0] : all])),
  );
  if ('value' in parsed) return parsed.value;
  throw usageErrorOf(invalidParameters(parsed.invalid), shown);
}
