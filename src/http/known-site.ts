import { ProblemError } from './wire/problems.js';

/** The problem that no Site has an id. */
export const unknownSite = (id: string): ProblemError => new ProblemError('unknown-site', `No Site has the id ${id.toUpperCase()}.`);

/** Returns what was found at a Site. @throws {ProblemError} `unknown-site`, if that is undefined because no Site has the id */
export function ofKnownSite<T>(found: T | undefined, id: string): T {
  if (found === undefined) throw unknownSite(id);
  return found;
}
