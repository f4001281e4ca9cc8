import sql, { empty, type Sql } from 'sql-template-tag';
import type { SiteId } from '../../requests/site-id.js';
import type { Database } from '../database.js';

/** The Site was retired at `since`, `YYYY-MM-DDThh:mm:ss.sssZ`. */
export type RetiredSite = { kind: 'retired-site'; since: string };

/** Why an id identifies no Site that is on record now. */
export type UnresolvedSite =
  | { kind: 'unknown-site' }
  /** Several Sites share the four characters; these are their nine-character ids. */
  | { kind: 'ambiguous-site'; candidates: string[] }
  | RetiredSite
  /** The Site has had the id `id` since it was renamed. */
  | { kind: 'renamed-site'; id: string };

/** What was found at the Site with an id, or why the id identifies none. */
export type OfSite<T> = { kind: 'found'; found: T } | UnresolvedSite;

/** What was found at the Sites with some ids, or why one of these identifies none. */
export type OfSites<T> = { kind: 'found'; found: T } | (UnresolvedSite & { asked: SiteId });

/** What decides whether an id names a Site. */
export interface NamedSite {
  /** The number of the Site. */
  id: number;
  /** The nine-character id; null if unknown. */
  nine: string | null;
  retiredAt: string | null;
}

/** Whether a retired Site counts as one that is not. */
export type IsHere = (retiredAt: string) => boolean;

/**
 * Decides which Site an id names, by its number. `unknown-site` may mean that the Site was renamed, see {@link renamedTo}.
 * @param sharing the Sites with the four characters of the id
 * @param isHere for retired Sites; by default none counts
 */
export function siteAmong(sharing: NamedSite[], id: SiteId, isHere: IsHere = () => false): OfSite<number> {
  // Any nine characters name a Site that is known by their first four only.
  const named = sharing.filter(({ nine }) => nine === null || id.nineCharacterId === null || nine === id.nineCharacterId);
  const here = named.filter(({ retiredAt }) => retiredAt === null || isHere(retiredAt));
  if (here.length > 1) return { kind: 'ambiguous-site', candidates: here.map(({ nine }) => nine!).sort() };
  if (here.length === 1) return { kind: 'found', found: here[0]!.id };
  const since = named
    .map(({ retiredAt }) => retiredAt!)
    .sort()
    .at(-1);
  return since === undefined ? { kind: 'unknown-site' } : { kind: 'retired-site', since };
}

/** Why an id names no Site, if no Site has it. @param current the present id of the Site that had it before; undefined if there is none */
export const renamedTo = (current: string | undefined): UnresolvedSite =>
  current === undefined ? { kind: 'unknown-site' } : { kind: 'renamed-site', id: current };

/** The shortest id that identifies a Site, as SQL over a row of `site`. */
export const SHORTEST_ID = `CASE WHEN nine_character_id IS NULL OR NOT EXISTS (
    SELECT 1 FROM site AS other
    WHERE other.four_character_id = site.four_character_id AND other.id <> site.id AND other.retired_at IS NULL
  ) THEN four_character_id ELSE nine_character_id END`;

/** The number of the Site that an id identifies; NULL where {@link resolveSite} does not find exactly one, and says why. */
export const onlySite = ({ fourCharacterId, nineCharacterId: nine }: SiteId): Sql => sql`(
  SELECT CASE WHEN count(*) = 1 THEN max(site.id) END FROM site WHERE four_character_id = ${fourCharacterId} AND retired_at IS NULL
  ${nine === null ? empty : sql`AND (nine_character_id IS NULL OR nine_character_id = ${nine})`})`;

/** The id by which `site_rename` has a Site. */
const formerOf = ({ fourCharacterId, nineCharacterId }: SiteId): string => nineCharacterId ?? fourCharacterId;

/** Decides for each id which Site it names; one read, and another one if some name none. @param isHere for retired Sites; by default none counts */
export async function resolveEach(db: Database, ids: SiteId[], isHere?: IsHere): Promise<OfSite<number>[]> {
  if (ids.length === 0) return [];
  const fours = ids.map(({ fourCharacterId }) => fourCharacterId);
  const rows = await db.all<NamedSite & { four: string }>(sql`
    SELECT id, four_character_id AS four, nine_character_id AS nine, retired_at AS "retiredAt" FROM site
    WHERE ${db.dialect.isOneOf('four_character_id', fours)}`);
  const sharing = Map.groupBy(rows, ({ four }) => four);
  const sites = ids.map((id) => siteAmong(sharing.get(id.fourCharacterId) ?? [], id, isHere));
  const unknown = ids.filter((_, index) => sites[index]!.kind === 'unknown-site').map(formerOf);
  if (unknown.length === 0) return sites;
  const renamed = await db.all<{ former: string; id: string }>(sql`
    SELECT former_id AS former, coalesce(nine_character_id, four_character_id) AS id FROM site_rename JOIN site ON site.id = site_id
    WHERE ${db.dialect.isOneOf('former_id', unknown)}`);
  const present = new Map(renamed.map(({ former, id }) => [former, id]));
  return sites.map((site, index) => (site.kind === 'unknown-site' ? renamedTo(present.get(formerOf(ids[index]!))) : site));
}

/** Finds the number of the Site that an id identifies. @param isHere for retired Sites; by default none counts */
export const resolveSite = async (db: Database, id: SiteId, isHere?: IsHere): Promise<OfSite<number>> =>
  (await resolveEach(db, [id], isHere))[0]!;

/** Finds the numbers of the Sites with some ids, each once; the first id that identifies none decides. */
export async function resolveSites(db: Database, ids: SiteId[]): Promise<OfSites<number[]>> {
  const numbers = new Set<number>();
  for (const [index, site] of (await resolveEach(db, ids)).entries()) {
    if (site.kind !== 'found') return { ...site, asked: ids[index]! };
    numbers.add(site.found);
  }
  return { kind: 'found', found: [...numbers] };
}

/** Finds something at the Site with an id. */
export async function ofSite<T>(db: Database, id: SiteId, find: (site: number) => Promise<T>): Promise<OfSite<T>> {
  const site = await resolveSite(db, id);
  return site.kind === 'found' ? { kind: 'found', found: await find(site.found) } : site;
}
