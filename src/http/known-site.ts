import { Type } from '@sinclair/typebox';
import { isSiteId } from '../../schemas/index.js';
import type { OfSite, OfSites, UnresolvedSite } from '../derive/site-identity.js';
import { parseSiteId } from '../requests/site-id.js';
import type { SiteRecord } from '../store/read/sites.js';
import type { Store } from '../store/store.js';
import { only } from './parameters.js';
import { ProblemError } from './wire/problems.js';

/** Builds the URL of the same request for another id of a Site. */
export type UrlOfSite = (id: string) => string;

/** The problem that an id identifies no Site that is on record now. @param asked the id, for people @param urlOf gives the links in the problem */
export function siteProblem(answer: UnresolvedSite, asked: string, urlOf: UrlOfSite): ProblemError {
  switch (answer.kind) {
    case 'unknown-site':
      return new ProblemError('unknown-site', `No Site has the id ${asked}.`);
    case 'ambiguous-site': {
      const { candidates } = answer;
      const members = {
        candidates: candidates.map((each) => ({ nineCharacterId: each, href: urlOf(each) })),
      };
      return new ProblemError(
        'ambiguous-site',
        `${candidates.length} Sites have the id ${asked}: ${candidates.join(', ')}.`,
        members,
      );
    }
    case 'retired-site':
      return new ProblemError('retired-site', `${asked} was retired at ${answer.since}.`, {
        retiredAt: answer.since,
      });
    case 'renamed-site':
      return new ProblemError('renamed-site', `${asked} is now ${answer.id}.`, {
        renamedTo: { id: answer.id, href: urlOf(answer.id) },
      });
  }
}

/** Returns what was found at a Site. @throws {ProblemError} if the id identifies none; it says why */
export function ofKnownSite<T>(answer: OfSite<T>, id: string, urlOf: UrlOfSite): T {
  if (answer.kind !== 'found') throw siteProblem(answer, id.toUpperCase(), urlOf);
  return answer.found;
}

/**
 * Returns what was found at several Sites.
 * @param urlOf builds the URL of the same request with another id in place of one
 * @throws {ProblemError} if an id identifies none; it says why
 */
export function ofKnownSites<T>(answer: OfSites<T>, urlOf: (asked: string) => UrlOfSite): T {
  if (answer.kind === 'found') return answer.found;
  const asked = answer.asked.nineCharacterId ?? answer.asked.fourCharacterId;
  throw siteProblem(answer, asked, urlOf(asked));
}

/** The parameters of the path of a page about one Site. */
export const SitePathParameters = only({
  site: Type.String({ maxLength: 200, description: 'The id of the Site.' }),
});

/** What is on record about a Site. @param id as a client gives it @throws {ProblemError} if it identifies no Site; it says why */
export const recordOf = async (store: Store, id: string, urlOf: UrlOfSite): Promise<SiteRecord> =>
  ofKnownSite(
    isSiteId(id) ? await store.sites.findRecord(parseSiteId(id)) : { kind: 'unknown-site' },
    id,
    urlOf,
  );
