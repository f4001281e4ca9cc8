import { isSiteId } from '../../../schemas/index.js';
import type { UnresolvedSite } from '../../derive/site-identity.js';
import { parseSiteId, type SiteId } from '../../requests/site-id.js';
import { UsageError } from './failures.js';

/**
 * Reads the id of a Site from the command line.
 * @throws {UsageError} if it does not have the form of one
 */
export function siteIdOf(text: string): SiteId {
  if (!isSiteId(text))
    throw new UsageError(
      `"${text}" is not a Site id; expected four characters (ALIC) or nine (ALIC00AUS)`,
    );
  return parseSiteId(text);
}

/** Why an id identifies no Site that is on record now, in one line. */
export function unresolved(site: string, answer: UnresolvedSite): string {
  switch (answer.kind) {
    case 'unknown-site':
      return `there is no Site ${site} in the database`;
    case 'ambiguous-site':
      return (
        `several Sites have or had the id ${site}; ` +
        `give the id of one of them: ${answer.candidates.join(', ')}`
      );
    case 'retired-site':
      return `${site} was retired at ${answer.since}`;
    case 'renamed-site':
      return `${site} is now ${answer.id}`;
  }
}
