import * as Type from '@sinclair/typebox';
import { isSiteId } from '../../../schemas/index.js';
import type { OfSite } from '../../derive/site-identity.js';
import { onlyParameters } from '../../exports/parameters.js';
import { parseSiteId } from '../../requests/site-id.js';
import type { SiteThen } from '../../store/read/sites/sites.js';
import type { Store } from '../../store/store.js';
import { notRecorded, siteProblem, type UrlOfSite } from '../wire/problems.js';

/**
 * Returns what was found at a Site.
 * @param asOf the record time that was asked about; null for now
 * @throws {ProblemError} if the id identifies none; it says why
 */
export function ofKnownSite<T>(
  answer: OfSite<T>,
  id: string,
  urlOf: UrlOfSite,
  asOf: string | null,
): T {
  if (answer.kind === 'unknown-site' && asOf !== null) throw notRecorded(id.toUpperCase(), asOf);
  if (answer.kind !== 'found') throw siteProblem(answer, id.toUpperCase(), urlOf);
  return answer.found;
}

/** The parameters of the path of a page about one Site. */
export const SitePathParameters = onlyParameters({
  site: Type.String({ maxLength: 200, description: 'The id of the Site.' }),
});

/**
 * What the store has on record about a Site.
 * @param id as a client gives it
 * @throws {ProblemError} if it identifies no Site; it says why
 */
export async function recordOf(store: Store, id: string, urlOf: UrlOfSite): Promise<SiteThen> {
  const { asOf } = store;
  const answer: OfSite<SiteThen> = isSiteId(id)
    ? await store.sites.findRecord(parseSiteId(id))
    : { kind: 'unknown-site' };
  const record = ofKnownSite(answer, id, urlOf, asOf);
  return asOf === null ? record : { ...record, asOf };
}
