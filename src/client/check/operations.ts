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

/** How much of an operation is asked. */
export interface OperationLimits extends PageLimits {
  /** Whether an answer about all Sites, such as an export, is asked for one Site only. */
  isForOneSite: boolean;
}

/** Whether the answer is about all Sites at once if no `site` is given. */
export function isAboutAll({ parameters }: Operation): boolean {
  const names = parameters.map(({ name }) => name);
  return names.includes('site') && !names.includes('page');
}

/** Combinations of values for some parameters, the likeliest first; none if a value is unknown. */
function combinationsOf(service: Service, operation: Operation, needed: Parameter[]): Pairs[] {
  const candidates = needed.map((parameter) => {
    const examples = elementsOf(parameter.schema.examples).flat().map(String);
    return [...new Set([...examples, ...service.valuesOf(operation, parameter)])];
  });
  if (candidates.some(({ length }) => length === 0)) return [];
  const count = Math.max(1, ...candidates.map(({ length }) => length));
  return Array.from({ length: Math.min(MOST_ATTEMPTS, count) }, (_, attempt) =>
    needed.map(({ name }, index): Pairs[number] => {
      const values = candidates[index]!;
      return [name, values[attempt] ?? values.at(-1)!];
    }),
  );
}

/**
 * Asks an operation with the parameters that it needs until something is found, then for its pages.
 * Returns whether something was found, or was wrong.
 */
export async function checkOperation(
  service: Service,
  operation: Operation,
  findings: Findings,
  limits: OperationLimits,
): Promise<boolean> {
  const { path, parameters } = operation;
  const isForOneSite = limits.isForOneSite && isAboutAll(operation);
  const needed = parameters.filter(
    ({ name, required }) => required === true || (isForOneSite && name === 'site'),
  );
  // Without a Site, there is nothing to cite.
  const missing = needed.length > 0 || path.endsWith('/citation') ? MISSING : [];
  for (const pairs of combinationsOf(service, operation, needed)) {
    const answer = await service.get(service.url(path, pairs), findings, [200, ...missing]);
    if (missing.includes(answer.status)) continue;
    if (answer.status === 200) await checkPages(service, path, pairs, answer, findings, limits);
    return true;
  }
  return false;
}
