import { ProblemError } from './wire/problems.js';

/** That no Site has this id. */
export const unknownSite = (id: string): ProblemError => new ProblemError('unknown-site', `No Site has the id ${id.toUpperCase()}.`);

/** What was found at a Site. @throws {ProblemError} where nothing was, because no Site has this id */
export function ofKnownSite<T>(found: T | undefined, id: string): T {
  if (found === undefined) throw unknownSite(id);
  return found;
}
