import sql, { raw, type Sql } from 'sql-template-tag';
import {
  type HeldId,
  type KnownSite,
  type OfSite,
  type OfSites,
  type RecordedId,
  siteAmong,
  toKnownSites,
} from '../../../derive/site-identity.js';
import { exactSiteId, type SiteId, UNKNOWN_REST } from '../../../requests/site-id.js';
import { type Database, repeated, type Statement } from '../../database.js';

/** That another Site, which is not retired, has or had the four characters of a row of `site`. */
export const IS_SHARED = `EXISTS (
    SELECT 1 FROM site_identity AS held JOIN site AS other ON other.id = held.site_id
    WHERE held.four_character_id = site.four_character_id AND held.superseded_at IS NULL
      AND other.id <> site.id AND other.retired_at IS NULL
  )`;

/**
 * The shortest id that identifies a Site, as SQL over a row of `site`: four characters if no other
 * Site has or had them, except retired ones.
 */
export const SHORTEST_ID = `CASE WHEN ${IS_SHARED}
  THEN coalesce(nine_character_id, four_character_id || '${UNKNOWN_REST}')
  ELSE four_character_id END`;

/**
 * The id by which links name a Site, as SQL over a row of `site`: as many characters as are known,
 * or nine that name it beside others with the same four.
 */
export const LINKED_ID = `coalesce(nine_character_id, ${SHORTEST_ID})`;

/**
 * The Site that an id identifies now, if present ids alone decide that: its number in `site`,
 * otherwise NULL: for a former id, one of several Sites or of a retired one, and nine characters
 * that no Site has. No row if no Site has or had the four characters, the last value.
 * @param isMeant which present ids the id can mean
 */
const askedSite = (isMeant: Sql): Sql => sql`(
  SELECT CASE WHEN min(role) = 'present' AND count(*) FILTER (WHERE ${isMeant}) = 1
      THEN max(site_id) FILTER (WHERE ${isMeant}) END AS site
  FROM site_identity WHERE four_character_id = ${''} AND superseded_at IS NULL
  HAVING count(*) > 0)`;

const IS_HERE = sql`retired_at IS NULL`;
const IS_HERE_WITH_NINE = sql`
  ${IS_HERE} AND (nine_character_id IS NULL OR nine_character_id = ${''})`;

/**
 * A statement about the Site that an id identifies now.
 * @param template the statement, given a query with `site`, which is NULL if {@link resolveSite}
 *   decides; it has no row if no Site has or had the four characters
 * @returns the statement for an id, and the values of the template, which follow the query
 */
export function aboutSite(
  template: (asked: Sql) => Sql,
): (id: SiteId, ...values: Sql['values']) => Statement {
  const byFour = repeated(template(askedSite(IS_HERE)));
  const byNine = repeated(template(askedSite(IS_HERE_WITH_NINE)));
  return ({ fourCharacterId: four, nineCharacterId: nine }, ...values) =>
    nine === null ? byFour(four, ...values) : byNine(nine, nine, four, ...values);
}

/**
 * The condition that a row with `recorded_at` and `superseded_at` is on record.
 * @param asOf at this time; null for now
 */
export const onRecord = (asOf: string | null): Sql =>
  asOf === null
    ? sql`superseded_at IS NULL`
    : sql`recorded_at <= ${asOf} AND (superseded_at IS NULL OR superseded_at > ${asOf})`;

/** The columns of an id on record. */
const ID_COLUMNS = `site_id AS site, role, four_character_id AS four, nine_character_id AS nine,
  nine_given_by AS "nineGivenBy", retired_at AS "retiredAt"`;

/** The statement for all ids on record of the Sites that have or had some four characters. */
const idsOfSites = (hasFour: Sql, asOf: string | null): Sql => sql`
  SELECT ${raw(ID_COLUMNS)} FROM site_identity
  WHERE ${onRecord(asOf)} AND site_id IN (
    SELECT site_id FROM site_identity WHERE ${hasFour} AND ${onRecord(asOf)})
  ORDER BY id`;

/** The same for four characters, as on record now. */
const idsOfSitesNow = repeated(idsOfSites(sql`four_character_id = ${''}`, null));

/** The Sites that have or had some four characters, with all their ids, by these. */
async function knownAs(
  db: Database,
  fours: readonly string[],
  asOf: string | null,
): Promise<Map<string, KnownSite[]>> {
  const ids = await db.all<RecordedId>(
    fours.length === 1 && asOf === null
      ? idsOfSitesNow(fours[0])
      : idsOfSites(db.dialect.isOneOf('four_character_id', fours), asOf),
  );
  const known = new Map<string, KnownSite[]>();
  for (const site of toKnownSites(ids)) {
    const own: HeldId[] = [site.present, ...site.former];
    for (const four of new Set(own.map((id) => id.four)))
      known.set(four, [...(known.get(four) ?? []), site]);
  }
  return known;
}

/** How an id is resolved. */
interface Resolving {
  /** At this record time, `YYYY-MM-DDThh:mm:ss.sssZ`; null for now. */
  asOf?: string | null;
  /** Whether a retired Site is found, if no other one is meant. */
  findsRetired?: boolean;
}

/** Decides for each id which Site it names; one read. */
export async function resolveEach(
  db: Database,
  ids: SiteId[],
  { asOf = null, findsRetired = false }: Resolving = {},
): Promise<OfSite<number>[]> {
  if (ids.length === 0) return [];
  const fours = ids.map(({ fourCharacterId }) => fourCharacterId);
  const known = await knownAs(db, fours, asOf);
  const answers = ids.map((id) => siteAmong(known.get(id.fourCharacterId) ?? [], id, findsRetired));
  return exactlyNamed(db, answers, asOf);
}

/** Answers of which no id of four characters names several Sites. */
async function exactlyNamed(
  db: Database,
  answers: OfSite<number>[],
  asOf: string | null,
): Promise<OfSite<number>[]> {
  const fours = answers.flatMap(namedIn).filter((id) => id.length === 4);
  if (fours.length === 0) return answers;
  const known = await knownAs(db, fours, asOf);
  const exact = (id: string): string => {
    const here = (known.get(id) ?? []).filter(({ retiredAt }) => retiredAt === null);
    return here.length > 1 ? exactSiteId(id, null) : id;
  };
  return answers.map((answer) => {
    if (answer.kind === 'renamed-site') return { ...answer, id: exact(answer.id) };
    if (answer.kind !== 'ambiguous-site') return answer;
    return { ...answer, candidates: answer.candidates.map(exact) };
  });
}

/** The ids by which an answer names Sites. */
function namedIn(answer: OfSite<number>): string[] {
  if (answer.kind === 'renamed-site') return [answer.id];
  return answer.kind === 'ambiguous-site' ? answer.candidates : [];
}

/** Finds the number of the Site that an id identifies. */
const resolveSite = async (
  db: Database,
  id: SiteId,
  resolving?: Resolving,
): Promise<OfSite<number>> => (await resolveEach(db, [id], resolving))[0]!;

/** The same, where a retired Site counts if no other one has the id. */
export const resolveAlsoRetired = (db: Database, id: SiteId): Promise<OfSite<number>> =>
  resolveSite(db, id, { findsRetired: true });

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

/** Finds something at the Site that an id identifies. */
export async function ofSite<T>(
  db: Database,
  id: SiteId,
  find: (site: number) => Promise<T>,
  resolving?: Resolving,
): Promise<OfSite<T>> {
  const site = await resolveSite(db, id, resolving);
  return site.kind === 'found' ? { kind: 'found', found: await find(site.found) } : site;
}
