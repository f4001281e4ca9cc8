import sql, { raw, type Sql } from 'sql-template-tag';
import type { CorsSite, Instant, SiteOfSetup } from '../../../../schemas/index.js';
import type { CurrentEquipment } from '../../../derive/summary.js';
import type { Box, Point } from '../../../requests/place.js';
import type { Database, Reads } from '../../database.js';
import type { Dialect } from '../../dialect.js';
import {
  countFrom,
  findCountingAlong,
  type Found,
  type PageTable,
  type Paging,
  selectFrom,
  type Term,
} from '../../page.js';
import type { RowOf } from '../../schema.js';
import { SHORTEST_ID } from './ids.js';
import {
  ALL_SITES,
  hadSetup,
  siteConditions,
  type SystemFilter,
  trackingSystems,
} from '../filters.js';
import { wordConditions } from './words.js';
import { ALPHABETICALLY, SITES } from './rows.js';
import { ownTurn } from '../../../turns.js';

/**
 * What a list of Sites can be sorted by. `known` is the share of known values in the current Setup.
 */
export const SITE_ORDERS = [
  'id',
  'name',
  'country',
  'receiver',
  'antenna',
  'since',
  'known',
] as const;
export type SiteOrder = (typeof SITE_ORDERS)[number];

/** Which Sites, in which order, and which page of them. */
export interface SiteSearch extends Paging {
  /**
   * Words that must all appear in the ids, names, place, DOMES number or current equipment of a
   * Site; case and accents are ignored.
   */
  text: string;
  /**
   * Finds the other Sites instead: those that have all words only if their former equipment counts
   * too.
   */
  former?: boolean;
  /** Only Sites within this area; null for the whole Earth. */
  box: Box | null;
  /** Only Sites of these agencies, as they are on record; null for any. */
  agencies: string[] | null;
  /** Only Sites with a receiver that tracked these, at the instant if one is given. */
  systems: SystemFilter;
  /** Only Sites that had a Setup at this instant; null for any time. */
  at: Instant | null;
  /** Sites with an unknown value come last. */
  sort: { by: SiteOrder; descending: boolean };
}

/** A Site as a list of Sites shows it. */
export interface SiteSummary
  extends SiteOfSetup, Pick<CorsSite['location'], 'city' | 'country' | 'countryCode'> {
  /**
   * The shortest id that identifies the Site: its four characters, or nine if another Site has the
   * same four.
   */
  shortestId: string;
  /** The current Setup in short; null if there is none. */
  current: CurrentEquipment | null;
}

/** A Site as a map shows it. The name and country have at most 100 characters. */
export interface SitePlace
  extends
    Pick<SiteSummary, 'shortestId' | 'name'>,
    Pick<CorsSite['location'], 'country' | 'countryCode'>,
    Point {}

/** What the list of the Sites shows, all from one state. */
export interface SiteList {
  /** A page of the Sites that the search finds. */
  found: Found<SiteSummary>;
  /**
   * The places of all of them, not only of this page, sorted by four-character id. The total counts
   * all with a known position.
   */
  places: Found<SitePlace>;
  /**
   * Those found only because former equipment counts too; none without words, and none after the
   * first page.
   */
  former: Found<SiteSummary>;
}

const SUMMARIES = {
  from: 'site LEFT JOIN site_summary ON site_id = site.id',
  columns: `site.id, four_character_id AS "fourCharacterId",
    nine_character_id AS "nineCharacterId", ${SHORTEST_ID} AS "shortestId",
    name, city, country, country_code AS "countryCode", receivers, antennas, since, asked, known`,
  where: SITES.where,
  id: SITES.id,
  properties: {},
  known: [],
} satisfies PageTable;

type SummaryRow = { id: number } & Omit<SiteSummary, 'current'> &
  Pick<RowOf<'site_summary'>, 'receivers' | 'antennas' | 'since' | 'asked' | 'known'>;

function toSiteSummary({
  id: _,
  receivers,
  antennas,
  since,
  asked,
  known,
  ...site
}: SummaryRow): SiteSummary {
  const types = (json: string | null) => JSON.parse(json!) as (string | null)[];
  const current: CurrentEquipment | null =
    since === null
      ? null
      : {
          receivers: types(receivers),
          antennas: types(antennas),
          since,
          asked: asked!,
          known: known!,
        };
  return { ...site, current };
}

const MAP_COLUMNS = `${SHORTEST_ID} AS "shortestId",
  substr(name, 1, 100) AS name, substr(country, 1, 100) AS country,
  country_code AS "countryCode", latitude, longitude`;

/** The SQL of each order. Case is ignored, for the letters of ASCII only. */
const orders = (dialect: Dialect): Record<SiteOrder, string> => ({
  id: 'lower(four_character_id)',
  // As shown: the city if the name is unknown, and the country code of the id if the country is
  // unknown.
  name: 'lower(coalesce(name, city))',
  country: 'lower(coalesce(country_code, country, substr(nine_character_id, 7)))',
  receiver: `lower(${dialect.member('receivers', 0)})`,
  antenna: `lower(${dialect.member('antennas', 0)})`,
  since: 'since',
  known: 'CASE WHEN asked > 0 THEN 1.0 * known / asked END',
});

/** Which Sites, without their order. */
type SiteConditions = Omit<SiteSearch, 'sort' | keyof Paging>;

const conditionsOf = (
  dialect: Dialect,
  { text, former = false, box, agencies, systems, at }: SiteConditions,
): Sql[] => {
  const during = at === null ? null : { from: at, to: at };
  const conditions = siteConditions(dialect, { ...ALL_SITES, box, agencies });
  if (during !== null) conditions.push(hadSetup(during));
  conditions.push(...trackingSystems(dialect, systems, during));
  const words = wordConditions(dialect, text);
  if (words === null) return conditions;
  if (former) return [words.isFound, sql`NOT (${words.isCurrent})`, ...conditions];
  return [words.isCurrent, ...conditions];
};

/** A page of the summaries of Sites; several reads, in one state. */
export async function findSummaries(db: Database, search: SiteSearch): Promise<Found<SiteSummary>> {
  const { by, descending } = search.sort;
  const first = {
    expression: raw(orders(db.dialect)[by]),
    direction: `${descending ? ' DESC' : ''} NULLS LAST`,
  };
  const inCountry = wordConditions(db.dialect, search.text)?.inCountry ?? null;
  const countryFirst: Term[] =
    inCountry === null
      ? []
      : [{ expression: sql`CASE WHEN ${inCountry} THEN 1 ELSE 0 END`, direction: ' DESC' }];
  const conditions = conditionsOf(db.dialect, search);
  const { page, size } = search;
  const { elements, totalElements } = await findCountingAlong<SummaryRow>(
    db,
    SUMMARIES,
    { page, size },
    conditions,
    [...countryFirst, first, ...ALPHABETICALLY],
  );
  return { elements: elements.map(toSiteSummary), totalElements };
}

/**
 * The places of Sites, and how many have one; up to two reads, in one state.
 * @param most how many are read
 */
async function findPlaces(
  db: Database,
  search: SiteConditions,
  most: number,
): Promise<Found<SitePlace>> {
  const conditions = [
    sql`latitude IS NOT NULL AND longitude IS NOT NULL`,
    ...conditionsOf(db.dialect, search),
  ];
  const elements = await db.all<SitePlace>(sql`
    ${selectFrom(SUMMARIES, MAP_COLUMNS, conditions)}
    ORDER BY four_character_id, site.id LIMIT ${most}`);
  const totalElements =
    elements.length < most ? elements.length : await countFrom(db, SUMMARIES, conditions);
  return { elements, totalElements };
}

/**
 * The list of Sites: up to three reads of them all, each in its own state and turn.
 * @param most the limits on places and former Sites
 */
export async function findList(
  reads: Reads,
  search: Omit<SiteSearch, 'former'>,
  most: { places: number; former: number },
): Promise<SiteList> {
  const found = await reads.inOneState((db) => findSummaries(db, search));
  await ownTurn();
  const places = await reads.inOneState((db) => findPlaces(db, search, most.places));
  if (search.text.trim() === '' || search.page > 0)
    return { found, places, former: { elements: [], totalElements: 0 } };
  await ownTurn();
  return {
    found,
    places,
    former: await reads.inOneState((db) =>
      findSummaries(db, { ...search, former: true, size: most.former }),
    ),
  };
}
