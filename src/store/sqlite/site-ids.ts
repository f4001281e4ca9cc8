import type { SiteId } from '../../requests/site-id.js';
import { type NamedSite, numbersOf, type OfSite, type OfSites, renamedTo, siteAmong } from '../site-ids.js';
import type { Reads } from './connection.js';

/** The shortest id that identifies a Site, as SQL over a row of `site`. */
export const SHORTEST_ID = `iif(nine_character_id IS NULL OR NOT EXISTS (
    SELECT 1 FROM site AS other
    WHERE other.four_character_id = site.four_character_id AND other.id <> site.id AND other.retired_at IS NULL
  ), four_character_id, nine_character_id)`;

const SITES = 'SELECT id, nine_character_id AS nine, retired_at AS retiredAt FROM site WHERE four_character_id = ?';
/**
 * The number of the Site that a four-character id identifies, as SQL with one value to bind; NULL where {@link resolveSite}
 * does not find exactly one, and says why.
 */
export const ONLY_SITE = '(SELECT iif(count(*) = 1, max(site.id), NULL) FROM site WHERE four_character_id = ? AND retired_at IS NULL)';

const RENAMED = `
  SELECT coalesce(nine_character_id, four_character_id) AS id FROM site_rename JOIN site ON site.id = site_id
  WHERE former_id = coalesce(:nineCharacterId, :fourCharacterId)`;

/**
 * Finds the number of the Site that an id identifies. Reads up to two times, within the transaction of the caller.
 * @param isHere whether a retired Site counts as one that is not; by default it does not
 */
export function resolveSite(reads: Reads, id: SiteId, isHere?: (retiredAt: string) => boolean): OfSite<number> {
  const site = siteAmong(reads.all<NamedSite>(SITES, id.fourCharacterId), id, isHere);
  if (site.kind !== 'unknown-site') return site;
  return renamedTo(reads.get<{ id: string }>(RENAMED, { ...id })?.id);
}

/** Finds the numbers of the Sites with some ids, each once; reads within the transaction of the caller. */
export function resolveSites(reads: Reads, ids: SiteId[]): OfSites<number[]> {
  return numbersOf(
    ids,
    ids.map((id) => resolveSite(reads, id)),
  );
}

/** Finds something at the Site with an id. @param find reads within the transaction of the caller */
export function ofSite<T>(reads: Reads, id: SiteId, find: (site: number) => T): OfSite<T> {
  const site = resolveSite(reads, id);
  return site.kind === 'found' ? { kind: 'found', found: find(site.found) } : site;
}
