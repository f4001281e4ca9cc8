import type { SiteId } from '../../requests/site-id.js';
import type { OfSite, UnresolvedSite } from '../site-ids.js';
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

interface SiteRow {
  id: number;
  nine: string | null;
  retiredAt: string | null;
}

/**
 * Finds the number of the Site that an id identifies. This is the only place that decides it. Reads up to two times,
 * within the transaction of the caller.
 * @param isHere whether a retired Site counts as one that is not; by default it does not
 */
export function resolveSite(reads: Reads, id: SiteId, isHere = (_retiredAt: string): boolean => false): OfSite<number> {
  // Any nine characters name a Site that is known by their first four only.
  const named = reads
    .all<SiteRow>(SITES, id.fourCharacterId)
    .filter(({ nine }) => nine === null || id.nineCharacterId === null || nine === id.nineCharacterId);
  const here = named.filter(({ retiredAt }) => retiredAt === null || isHere(retiredAt));
  if (here.length > 1) return { kind: 'ambiguous-site', candidates: here.map(({ nine }) => nine!).sort() };
  if (here.length === 1) return { kind: 'found', found: here[0]!.id };
  return whyNone(reads, id, named);
}

function whyNone(reads: Reads, id: SiteId, retired: SiteRow[]): UnresolvedSite {
  const since = retired
    .map(({ retiredAt }) => retiredAt!)
    .sort()
    .at(-1);
  if (since !== undefined) return { kind: 'retired-site', since };
  const renamed = reads.get<{ id: string }>(RENAMED, { ...id });
  return renamed === undefined ? { kind: 'unknown-site' } : { kind: 'renamed-site', id: renamed.id };
}

/** Finds something at the Site with an id. @param find reads within the transaction of the caller */
export function ofSite<T>(reads: Reads, id: SiteId, find: (site: number) => T): OfSite<T> {
  const site = resolveSite(reads, id);
  return site.kind === 'found' ? { kind: 'found', found: find(site.found) } : site;
}
