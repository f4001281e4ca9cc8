import type { InvalidParameter } from '../../schemas/index.js';
import { ProblemError } from '../http/wire/problems.js';
import { compileParameters } from '../http/wire/query-validator.js';
import { UsageError } from './failures.js';

/** Parses the parameters that commands share with requests, and explains what is wrong with them. */

/** What the parameters of a request expect, worded for the command line. */
const EXPECTED: Record<string, string> = {
  countryCode: 'three letters, such as AUS',
  site: 'four characters (ALIC) or nine (ALIC00AUS)',
  near: 'latitude,longitude in degrees, such as -23.67,133.89',
  bbox: 'west,south,east,north in degrees, such as 110,-45,155,-10',
  radius: 'a number of kilometres up to 20100, together with near',
};

/** What was expected instead of an invalid value. */
function expectedOf({ name, allowed }: InvalidParameter): string {
  const [guess = ''] = /^Did you mean [^?]*\?/.exec(allowed) ?? [];
  const [properties] = /Properties: .*/s.exec(allowed) ?? [];
  const expected =
    properties === undefined ? EXPECTED[name] : `a property, or property,desc. ${properties}`;
  if (expected === undefined) return allowed;
  return guess === '' ? `expected ${expected}` : `d${guess.slice(1)} Expected ${expected}`;
}

/** How a parameter with its value looks on the command line. */
type Shown = (parameter: InvalidParameter) => string;

/** Turns the problem of a request into a usage error. */
export function usageErrorOf({ problem }: ProblemError, shown: Shown): UsageError {
  const [invalid] = problem.invalidParameters ?? [];
  return new UsageError(
    invalid === undefined ? problem.detail : `${shown(invalid)}: ${expectedOf(invalid)}`,
  );
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
  if ('error' in parsed) throw usageErrorOf(parsed.error as ProblemError, shown);
  return parsed.value;
}
