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

/** Asks an operation with its required parameters until something is found, then for its pages. */
export async function checkOperation(
  service: Service,
  operation: Operation,
  findings: Findings,
  limits: PageLimits,
): Promise<void> {
  const { path } = operation;
  const names = requiredOf(operation).map(({ name }) => name);
  const expected = names.length > 0 ? [200, ...MISSING] : [200];
  for (const pairs of combinationsOf(service, operation)) {
    const answer = await service.get(service.url(path, pairs), findings, expected);
    if (MISSING.includes(answer.status) && expected.includes(answer.status)) continue;
    if (answer.status === 200) await checkPages(service, path, pairs, answer, findings, limits);
    return;
  }
  findings.unchecked.push(`nothing is found for ${names.join(', ')}`);
}
