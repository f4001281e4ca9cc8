import type { UnresolvedSite } from '../derive/site-identity.js';

/** Why an id identifies no Site that is on record now, in one line. */
export function unresolved(site: string, answer: UnresolvedSite): string {
  switch (answer.kind) {
    case 'unknown-site':
      return `there is no Site ${site} in the database`;
    case 'ambiguous-site':
      return `several Sites have the id ${site}; give nine characters: ${answer.candidates.join(', ')}`;
    case 'retired-site':
      return `${site} was retired at ${answer.since}`;
    case 'renamed-site':
      return `${site} is now ${answer.id}`;
  }
}
