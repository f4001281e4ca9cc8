import sql, { empty, type Sql } from 'sql-template-tag';
import {
  type IsHere,
  type NamedSite,
  type OfSite,
  type OfSites,
  renamedTo,
  siteAmong,
} from '../../../derive/site-identity.js';
import type { SiteId } from '../../../requests/site-id.js';
import type { Database } from '../../database.js';

/** The shortest id that identifies a Site, as SQL over a row of `site`. */
export const SHORTEST_ID = `CASE WHEN nine_character_id IS NULL OR NOT EXISTS (
    SELECT 1 FROM site AS other
    WHERE other.four_character_id = site.four_character_id AND other.id <> site.id AND other.retired_at IS NULL
  ) THEN four_character_id ELSE nine_character_id END`;

/**
 * The number of the Site that an id identifies; NULL where {@link resolveSite} does not find
 * exactly one, and says why.
 */
export const onlySite = ({ fourCharacterId, nineCharacterId: nine }: SiteId): Sql => sql`(
  SELECT CASE WHEN count(*) = 1 THEN max(site.id) END FROM site WHERE four_character_id = ${fourCharacterId} AND retired_at IS NULL
  ${nine === null ? empty : sql`AND (nine_character_id IS NULL OR nine_character_id = ${nine})`})`;

/**
 * Decides for each id which Site it names; one read, and another one if some name none.
 * @param isHere for retired Sites; by default none counts
 */
export async function resolveEach(
  db: Database,
  ids: SiteId[],
  isHere?: IsHere,
): Promise<OfSite<number>[]> {
  if (ids.length === 0) return [];
  const fours = ids.map(({ fourCharacterId }) => fourCharacterId);
  const rows = await db.all<NamedSite & { four: string }>(sql`
    SELECT id, four_character_id AS four, nine_character_id AS nine, retired_at AS "retiredAt" FROM site
    WHERE ${db.dialect.isOneOf('four_character_id', fours)}`);
  const sharing = Map.groupBy(rows, ({ four }) => four);
  const sites = ids.map((id) => siteAmong(sharing.get(id.fourCharacterId) ?? [], id, isHere));
  const unknown = fours.filter((_, index) => sites[index]!.kind === 'unknown-site');
  if (unknown.length === 0) return sites;
  const renamed = await db.all<{ four: string; former: string; id: string }>(sql`
    SELECT site_rename.four_character_id AS four, former_id AS former, coalesce(nine_character_id, site.four_character_id) AS id
    FROM site_rename JOIN site ON site.id = site_id WHERE ${db.dialect.isOneOf('site_rename.four_character_id', unknown)}`);
  const presentOf = ({ fourCharacterId, nineCharacterId }: SiteId): string[] =>
    renamed
      .filter(
        ({ four, former }) => four === fourCharacterId && former === (nineCharacterId ?? former),
      )
      .map(({ id }) => id);
  return sites.map((site, index) =>
    site.kind === 'unknown-site' ? renamedTo([...new Set(presentOf(ids[index]!))]) : site,
  );
}

/**
 * Finds the number of the Site that an id identifies.
 * @param isHere for retired Sites; by default none counts
 */
export const resolveSite = async (
  db: Database,
  id: SiteId,
  isHere?: IsHere,
): Promise<OfSite<number>> => (await resolveEach(db, [id], isHere))[0]!;

/** The same, where a retired Site counts if no other one has the id. */
export async function resolveAlsoRetired(db: Database, id: SiteId): Promise<OfSite<number>> {
  const here = await resolveSite(db, id);
  return here.kind === 'retired-site' ? resolveSite(db, id, () => true) : here;
}

/**
 * Finds the numbers of the Sites with some ids, each once; the first id that identifies none
 * decides.
 */
export async function resolveSites(db: Database, ids: SiteId[]): Promise<OfSites<number[]>> {
  const numbers = new Set<number>();
  for (const [index, site] of (await resolveEach(db, ids)).entries()) {
    if (site.kind !== 'found') return { ...site, asked: ids[index]! };
    numbers.add(site.found);
  }
  return { kind: 'found', found: [...numbers] };
}

/** Finds something at the Site with an id. */
export async function ofSite<T>(
  db: Database,
  id: SiteId,
  find: (site: number) => Promise<T>,
): Promise<OfSite<T>> {
  const site = await resolveSite(db, id);
  return site.kind === 'found' ? { kind: 'found', found: await find(site.found) } : site;
}
