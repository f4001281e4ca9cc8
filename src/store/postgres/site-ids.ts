import type { SiteId } from '../../requests/site-id.js';
import { type NamedSite, numbersOf, type OfSite, type OfSites, renamedTo, siteAmong } from '../site-ids.js';
import type { Snapshot } from './client.js';

/** The shortest id that identifies a Site, as SQL over a row of `site`. */
export const SHORTEST_ID = `CASE WHEN nine_character_id IS NULL OR NOT EXISTS (
    SELECT 1 FROM site AS other
    WHERE other.four_character_id = site.four_character_id AND other.id <> site.id AND other.retired_at IS NULL
  ) THEN four_character_id ELSE nine_character_id END`;

/**
 * The number of the Site that a four-character id, bound as `$1`, identifies, as SQL; NULL where {@link toSite} does not find
 * exactly one, and says why.
 */
export const ONLY_SITE =
  '(SELECT CASE WHEN count(*) = 1 THEN max(site.id) END FROM site WHERE four_character_id = $1 AND retired_at IS NULL)';

/** The present id of the Site that had an id before it was renamed, as SQL. */
export const renamedFrom = (former: string): string => `(
  SELECT coalesce(renamed.nine_character_id, renamed.four_character_id) FROM site_rename JOIN site AS renamed ON renamed.id = site_id
  WHERE former_id = ${former})`;

/** The id by which `site_rename` has a Site. */
export const formerOf = ({ fourCharacterId, nineCharacterId }: SiteId): string => nineCharacterId ?? fourCharacterId;

/** A Site that shares the four characters of an id; one row without a Site if none does. */
export interface SharingRow extends Omit<NamedSite, 'id'> {
  site: number | null;
  /** As {@link renamedFrom} finds it. */
  renamed: string | null;
}

/** The columns of a {@link SharingRow}, except `renamed`. */
export const SHARING_COLUMNS = 'site.id AS site, site.nine_character_id AS nine, site.retired_at AS "retiredAt"';

/** The statement for the Sites that share the four characters of an id. Binds these and {@link formerOf}. @param columns others */
export const sharing = (columns = ''): string => `
  SELECT ${SHARING_COLUMNS}, ${renamedFrom('asked.former')} AS renamed ${columns}
  FROM (SELECT $1::text AS four, $2::text AS former) AS asked LEFT JOIN site ON four_character_id = asked.four ORDER BY site.id`;

/** Some ids with their positions, from 1. Binds their four characters, and {@link formerOf} of each. */
export const MANY_IDS = 'unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (four, former, position)';

/** The statement for the Sites that share the four characters of each of some ids. */
const SHARING_EACH = `
  SELECT asked.position, ${SHARING_COLUMNS}, ${renamedFrom('asked.former')} AS renamed
  FROM ${MANY_IDS} LEFT JOIN site ON four_character_id = asked.four ORDER BY asked.position, site.id`;

/** Decides which Site an id names. @param isHere whether a retired Site counts as one that is not; by default it does not */
export function toSite(rows: SharingRow[], id: SiteId, isHere?: (retiredAt: string) => boolean): OfSite<number> {
  const named = rows.flatMap(({ site, nine, retiredAt }) => (site === null ? [] : [{ id: site, nine, retiredAt }]));
  const found = siteAmong(named, id, isHere);
  return found.kind === 'unknown-site' ? renamedTo(rows[0]!.renamed ?? undefined) : found;
}

/** The Sites that share the four characters of an id. */
export const findSharing = (snapshot: Snapshot, id: SiteId): Promise<SharingRow[]> =>
  snapshot.all<SharingRow>(sharing(), id.fourCharacterId, formerOf(id));

/** Finds the numbers of the Sites with some ids, each once, by one statement. */
export async function resolveSites(snapshot: Snapshot, ids: SiteId[]): Promise<OfSites<number[]>> {
  const fours = ids.map(({ fourCharacterId }) => fourCharacterId);
  const rows = await snapshot.all<SharingRow & { position: number }>(SHARING_EACH, fours, ids.map(formerOf));
  const sharing = Map.groupBy(rows, ({ position }) => position);
  return numbersOf(
    ids,
    ids.map((id, index) => toSite(sharing.get(index + 1)!, id)),
  );
}

/** Finds something at the Site with an id, in one state. */
export async function ofSite<T>(snapshot: Snapshot, id: SiteId, find: (site: number) => Promise<T>): Promise<OfSite<T>> {
  const site = toSite(await findSharing(snapshot, id), id);
  return site.kind === 'found' ? { kind: 'found', found: await find(site.found) } : site;
}
