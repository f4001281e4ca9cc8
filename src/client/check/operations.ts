import type { Operation, Parameter } from './contract.js';
import type { Findings } from './findings.js';
import { elementsOf } from './json.js';
import { checkPages, type PageLimits } from './pages.js';
import type { Pairs, Service } from './service.js';

/** How many combinations of values are tried until one finds something. */
const MOST_ATTEMPTS = 5;
/** The statuses of a request for what the service does not have, or does not publish. */
const MISSING = [403, 404, 409, 410];

/** The parameters without which an operation cannot be asked. */
export const requiredOf = ({ parameters }: Operation): Parameter[] =>
  parameters.filter(({ required }) => required === true);

/** Values of the required parameters, the likeliest first; none if a value is unknown. */
function combinationsOf(service: Service, operation: Operation): Pairs[] {
  const required = requiredOf(operation);
  const candidates = required.map((parameter) => {
    const examples = elementsOf(parameter.schema.examples).slice(0, 1).map(String);
    return [...new Set([...examples, ...service.valuesOf(operation, parameter)])];
  });
  if (candidates.some(({ length }) => length === 0)) return [];
  const count = Math.max(1, ...candidates.map(({ length }) => length));
  return Array.from({ length: Math.min(MOST_ATTEMPTS, count) }, (_, attempt) =>
    required.map(({ name }, index): Pairs[number] => {
      const values = candidates[index]!;
      return [name, values[attempt] ?? values.at(-1)!];
    }),
  );
}

/**
 * Whether an answer is about all Sites at once, such as an export: the operation can be limited to
 * one Site, and has no pages.
 */
export function isAboutAll({ parameters }: Operation): boolean {
  const names = parameters.filter(({ required }) => required !== true).map(({ name }) => name);
  return names.includes('site') && !names.includes('page');
}

/**
 * Asks an operation with its required parameters until something is found, then for its pages.
 * Returns whether something was found, or was wrong.
 *
 * @param others further parameters
 */
export async function checkOperation(
  service: Service,
  operation: Operation,
  others: Pairs,
  findings: Findings,
  limits: PageLimits,
): Promise<boolean> {
  const isCertain = requiredOf(operation).length === 0;
  const expected = isCertain ? [200] : [200, ...MISSING];
  for (const required of combinationsOf(service, operation)) {
    const pairs = [...required, ...others];
    const answer = await service.get(service.url(operation.path, pairs), findings, expected);
    if (!isCertain && MISSING.includes(answer.status)) continue;
    if (answer.status === 200)
      await checkPages(service, operation.path, pairs, answer, findings, limits);
    return true;
  }
  return false;
}
