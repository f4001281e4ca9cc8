import sql, { raw, type Sql } from 'sql-template-tag';
import { type CurrentEquipment, neededWordsOf } from '../../derive/summary.js';
import type { Database, Reads } from '../database.js';
import type { Dialect } from '../dialect.js';
import { countFrom, findIds, type Found, rowsOf, selectFrom } from '../page.js';
import type { RowOf } from '../schema.js';
import { SHORTEST_ID } from './site-ids.js';
import { withinBox } from './filters.js';
import { hadWords, hasWords } from './site-page.js';
import { ALPHABETICAL, SITES } from './site-rows.js';
import type { SiteList, SiteOrder, SitePlace, SiteSearch, SiteSummary } from './site-searches.js';
import { ownTurn } from '../../turns.js';

const SUMMARIES = {
  from: 'site LEFT JOIN site_summary ON site_id = site.id',
  columns: `site.id, four_character_id AS "fourCharacterId", nine_character_id AS "nineCharacterId", ${SHORTEST_ID} AS "shortestId",
    name, city, country, country_code AS "countryCode", receivers, antennas, since, asked, known`,
  where: SITES.where,
  id: SITES.id,
};

type SummaryRow = { id: number } & Omit<SiteSummary, 'current'> &
  Pick<RowOf<'site_summary'>, 'receivers' | 'antennas' | 'since' | 'asked' | 'known'>;

function toSiteSummary({ id: _, receivers, antennas, since, asked, known, ...site }: SummaryRow): SiteSummary {
  const types = (json: string | null) => JSON.parse(json!) as (string | null)[];
  const current: CurrentEquipment | null =
    since === null ? null : { receivers: types(receivers), antennas: types(antennas), since, asked: asked!, known: known! };
  return { ...site, current };
}

const PLACE_COLUMNS = `${SHORTEST_ID} AS "shortestId", substr(name, 1, 100) AS name, substr(country, 1, 100) AS country,
  country_code AS "countryCode", latitude, longitude`;

/** The SQL of each order. Case is ignored, for the letters of ASCII only. */
const orders = (dialect: Dialect): Record<SiteOrder, string> => ({
  id: 'lower(four_character_id)',
  // As shown: the city if the name is unknown, and the country code of the id if the country is unknown.
  name: 'lower(coalesce(name, city))',
  country: 'lower(coalesce(country_code, country, substr(nine_character_id, 7)))',
  receiver: `lower(${dialect.member('receivers', 0)})`,
  antenna: `lower(${dialect.member('antennas', 0)})`,
  since: 'since',
  known: 'CASE WHEN asked > 0 THEN 1.0 * known / asked END',
});

const conditionsOf = (dialect: Dialect, { text, former = false, box }: Pick<SiteSearch, 'text' | 'former' | 'box'>): Sql[] => {
  const words = neededWordsOf(text);
  const has = hasWords(dialect, words);
  return [...(former ? [hadWords(dialect, words), sql`NOT (${has})`] : [has]), ...(box === null ? [] : [withinBox(box)])];
};

/** A page of the summaries of Sites; several reads, in one state. */
export async function findSummaries(db: Database, search: SiteSearch): Promise<Found<SiteSummary>> {
  const { by, descending } = search.sort;
  const order = raw(`${orders(db.dialect)[by]} ${descending ? 'DESC' : 'ASC'} NULLS LAST, ${ALPHABETICAL}`);
  const { ids, totalElements } = await findIds(db, SUMMARIES, conditionsOf(db.dialect, search), order, search);
  return { elements: (await rowsOf<SummaryRow>(db, SUMMARIES, ids)).map(toSiteSummary), totalElements };
}

/** The places of Sites, and how many have one; up to two reads, in one state. @param most how many are read */
async function findPlaces(db: Database, search: Pick<SiteSearch, 'text' | 'box'>, most: number): Promise<Found<SitePlace>> {
  const conditions = [sql`latitude IS NOT NULL AND longitude IS NOT NULL`, ...conditionsOf(db.dialect, search)];
  const elements = await db.all<SitePlace>(
    sql`${selectFrom(SUMMARIES, PLACE_COLUMNS, conditions)} ORDER BY four_character_id, site.id LIMIT ${most}`,
  );
  return { elements, totalElements: elements.length < most ? elements.length : await countFrom(db, SUMMARIES, conditions) };
}

/** The list of the Sites: up to three reads of all Sites, each in its own state and turn. @param most how many places and former Sites are read */
export async function findList(
  reads: Reads,
  search: Omit<SiteSearch, 'former'>,
  most: { places: number; former: number },
): Promise<SiteList> {
  const found = await reads.inOneState((db) => findSummaries(db, search));
  await ownTurn();
  const places = await reads.inOneState((db) => findPlaces(db, search, most.places));
  if (search.text.trim() === '' || search.page > 0) return { found, places, former: { elements: [], totalElements: 0 } };
  await ownTurn();
  return { found, places, former: await reads.inOneState((db) => findSummaries(db, { ...search, former: true, size: most.former })) };
}
