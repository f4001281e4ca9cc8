import sql, { raw, type Sql } from 'sql-template-tag';
import type {
  CorsSite,
  EquipmentInUse,
  Instant,
  SetupEquipmentType,
  SiteOfSetup,
} from '../../../../schemas/index.js';
import type { Point } from '../../../requests/place.js';
import type { Database, Reads } from '../../database.js';
import { allOf } from '../../dialect.js';
import {
  countFrom,
  findCountingAlong,
  type Found,
  overlapping,
  type PageTable,
  type Paging,
  selectFrom,
  type Term,
} from '../../page.js';
import { IS_SHOWN } from '../findings.js';
import { SHORTEST_ID } from './ids.js';
import {
  type During,
  hadInstallation,
  hadSetup,
  installationConditions,
  type InstallationFilter,
  siteConditions,
  type SiteFilter,
  type SystemFilter,
  trackingSystems,
} from '../filters.js';
import { wordConditions } from './words.js';
import { ALPHABETICALLY, SITES } from './rows.js';
import { ownTurn } from '../../../turns.js';

/**
 * What a list of Sites can be sorted by. `since` is the start of the current Setup, `changed` the
 * last change of equipment, `prepared` the day of the current log, `warnings` their number in it.
 */
export const SITE_ORDERS = [
  'id',
  'name',
  'country',
  'receiver',
  'antenna',
  'since',
  'changed',
  'prepared',
  'warnings',
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
  sites: SiteFilter;
  /** Only Sites with a receiver that tracked these, at the instant if one is given. */
  systems: SystemFilter;
  /** Only Sites with an antenna like this, at the instant if one is given; null for any. */
  antenna: Pick<InstallationFilter, 'types' | 'radomeTypes'> | null;
  /**
   * Only Sites that had a Setup at this instant, with the equipment of then; null for all Sites,
   * with their current equipment.
   */
  at: Instant | null;
  /** Only Sites whose current log was prepared before this day, `YYYY-MM-DD`; null for any. */
  preparedBefore?: string | null;
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
  /** The start of the current Setup; null if there is none. */
  since: Instant | null;
  /** The equipment in use; null if there is no Setup. */
  equipment: EquipmentInUse[] | null;
  /**
   * When equipment last changed, until the instant of the list. The first installation counts, too;
   * null if there is none.
   */
  lastChange: Instant | null;
  /** When the current log was prepared, `YYYY-MM-DD`; null if that is unknown or there is none. */
  datePrepared: string | null;
  /** How many warnings the current log has. */
  warnings: number;
}

/** A Site as a map shows it. The name and country have at most 100 characters. */
export interface SitePlace
  extends
    Pick<SiteSummary, 'shortestId' | 'name'>,
    Pick<CorsSite['location'], 'country' | 'countryCode'>,
    Point {}

/** How many Sites a country has. The code is null for those whose country is unknown. */
export interface SitesInCountry extends Pick<CorsSite['location'], 'countryCode'> {
  sites: number;
}

/** What the list of the Sites shows, all from one state. */
export interface SiteList {
  /** A page of the Sites that the search finds. */
  found: Found<SiteSummary>;
  /**
   * The places of all of them, not only of this page, sorted by four-character id. The total counts
   * all with a known position.
   */
  places: Found<SitePlace>;
  /** The countries of all of them, with a position or without. */
  countries: SitesInCountry[];
  /**
   * Those found only because former equipment counts too; none without words, and none after the
   * first page.
   */
  former: Found<SiteSummary>;
}

const SUMMARIES = {
  from: 'site LEFT JOIN site_summary ON site_id = site.id',
  where: SITES.where,
  id: SITES.id,
};

/** The Setup of a Site: the current one, or that of an instant. */
const setupAt = (at: Instant | null): Sql => {
  const during =
    at === null
      ? [sql`effective_to IS NULL`]
      : overlapping('effective_from', 'effective_to', { from: at, to: at });
  const isIt = allOf([sql`setup.site_id = site.id AND superseded_at IS NULL`, ...during]);
  return sql`(SELECT equipment_in_use FROM setup WHERE ${isIt})`;
};

/** The last change of the equipment of a Site until an instant; null for now. */
function lastChange(at: Instant | null): Sql {
  const until = at === null ? [] : [sql`change.at <= ${at}`];
  const isValid = allOf([sql`change.site_id = site.id AND superseded_at IS NULL`, ...until]);
  return sql`(SELECT max(change.at) FROM change WHERE ${isValid})`;
}

const CURRENT_LOG = `site_log.site_id = site.id
  AND site_log.superseded_at IS NULL AND site_log.withdrawn_at IS NULL`;

/** When the current log of a Site was prepared. */
const DATE_PREPARED = `(SELECT max(date_prepared) FROM site_log WHERE ${CURRENT_LOG})`;

/** How many warnings the current log of a Site has. */
const WARNINGS = `(SELECT count(*) FROM finding JOIN site_log ON site_log.id = finding.site_log_id
  WHERE ${CURRENT_LOG} AND level = 'warning' AND ${IS_SHOWN})`;

/** The Sites with what a list shows of them. */
const summariesAt = (at: Instant | null): PageTable => ({
  ...SUMMARIES,
  columns: sql`site.id, four_character_id AS "fourCharacterId",
    nine_character_id AS "nineCharacterId", ${raw(SHORTEST_ID)} AS "shortestId",
    name, city, country, country_code AS "countryCode", since,
    ${setupAt(at)} AS equipment, ${lastChange(at)} AS "lastChange",
    ${raw(DATE_PREPARED)} AS "datePrepared", ${raw(WARNINGS)} AS warnings`,
  properties: {},
  known: [],
});

type SummaryRow = { id: number; equipment: string | null } & Omit<SiteSummary, 'equipment'>;

function toSiteSummary({ id: _, equipment, ...site }: SummaryRow): SiteSummary {
  return {
    ...site,
    equipment: equipment === null ? null : (JSON.parse(equipment) as EquipmentInUse[]),
  };
}

const MAP_COLUMNS = `${SHORTEST_ID} AS "shortestId",
  substr(name, 1, 100) AS name, substr(country, 1, 100) AS country,
  country_code AS "countryCode", latitude, longitude`;

/** The first type in use of a kind of equipment: now, or at an instant. */
function typeInUse(
  db: Database,
  kind: Extract<SetupEquipmentType, `gnss ${string}`>,
  at: Instant | null,
): Sql {
  if (at === null) {
    const column = kind === 'gnss receiver' ? 'receivers' : 'antennas';
    return raw(`lower(${db.dialect.member(column, 0)})`);
  }
  const isIt = allOf([
    sql`installation.site_id = site.id AND superseded_at IS NULL AND equipment_type = ${kind}`,
    ...overlapping('period_from', 'period_to', { from: at, to: at }),
  ]);
  return sql`(SELECT min(lower(type)) FROM installation WHERE ${isIt})`;
}

/** The SQL of an order. Case is ignored, for the letters of ASCII only. */
function orderBy(db: Database, by: SiteOrder, at: Instant | null): Sql {
  switch (by) {
    case 'id':
      return raw('lower(four_character_id)');
    case 'name':
      // As shown: the id if the name is unknown, and the country code of the id if the country is
      // unknown.
      return raw('lower(coalesce(name, four_character_id))');
    case 'country':
      return raw('lower(coalesce(country_code, country, substr(nine_character_id, 7)))');
    case 'receiver':
      return typeInUse(db, 'gnss receiver', at);
    case 'antenna':
      return typeInUse(db, 'gnss antenna', at);
    case 'since':
      return raw('since');
    case 'changed':
      return lastChange(at);
    case 'prepared':
      return raw(DATE_PREPARED);
    case 'warnings':
      return raw(WARNINGS);
  }
}

/** Which Sites, without their order. */
type SiteConditions = Omit<SiteSearch, 'sort' | keyof Paging>;

/** The condition that the current log of a Site was prepared before a day. */
const hasLogBefore = (day: string): Sql => sql`site.id IN (
  SELECT site_id FROM site_log
  WHERE superseded_at IS NULL AND withdrawn_at IS NULL AND date_prepared < ${day})`;

const ANY_TIME: During = { from: null, to: null };

async function conditionsOf(
  db: Database,
  { text, former = false, sites, systems, antenna, at, preparedBefore = null }: SiteConditions,
): Promise<Sql[]> {
  const during = at === null ? null : { from: at, to: at };
  const conditions = siteConditions(db.dialect, sites);
  if (during !== null) conditions.push(hadSetup(during));
  conditions.push(...trackingSystems(db.dialect, systems, during));
  if (antenna !== null) {
    const filter = { ...antenna, equipmentTypes: ['gnss antenna'] as const, systems: null };
    conditions.push(hadInstallation(await installationConditions(db, filter, during ?? ANY_TIME)));
  }
  if (preparedBefore !== null) conditions.push(hasLogBefore(preparedBefore));
  const words = wordConditions(db.dialect, text);
  if (words === null) return conditions;
  if (former) return [words.isFound, sql`NOT (${words.isCurrent})`, ...conditions];
  return [words.isCurrent, ...conditions];
}

/** A page of the summaries of Sites; several reads, in one state. */
export async function findSummaries(db: Database, search: SiteSearch): Promise<Found<SiteSummary>> {
  const { at, sort } = search;
  const { by, descending } = sort;
  const first = {
    expression: orderBy(db, by, at),
    direction: `${descending ? ' DESC' : ''} NULLS LAST`,
  };
  const inCountry = wordConditions(db.dialect, search.text)?.inCountry ?? null;
  const countryFirst: Term[] =
    inCountry === null
      ? []
      : [{ expression: sql`CASE WHEN ${inCountry} THEN 1 ELSE 0 END`, direction: ' DESC' }];
  const conditions = await conditionsOf(db, search);
  const { page, size } = search;
  const { elements, totalElements } = await findCountingAlong<SummaryRow>(
    db,
    summariesAt(at),
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
    ...(await conditionsOf(db, search)),
  ];
  const elements = await db.all<SitePlace>(sql`
    ${selectFrom(SUMMARIES, MAP_COLUMNS, conditions)}
    ORDER BY four_character_id, site.id LIMIT ${most}`);
  const totalElements =
    elements.length < most ? elements.length : await countFrom(db, SUMMARIES, conditions);
  return { elements, totalElements };
}

/** How many Sites each country has. */
async function findCountries(db: Database, search: SiteConditions): Promise<SitesInCountry[]> {
  const columns = 'country_code AS "countryCode", count(*) AS sites';
  return db.all<SitesInCountry>(sql`
    ${selectFrom(SUMMARIES, columns, await conditionsOf(db, search))}
    GROUP BY country_code ORDER BY country_code`);
}

/**
 * The list of Sites: up to four reads of them all, each in its own state and turn.
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
  await ownTurn();
  const countries = await reads.inOneState((db) => findCountries(db, search));
  if (search.text.trim() === '' || search.page > 0)
    return { found, places, countries, former: { elements: [], totalElements: 0 } };
  await ownTurn();
  return {
    found,
    places,
    countries,
    former: await reads.inOneState((db) =>
      findSummaries(db, { ...search, former: true, size: most.former }),
    ),
  };
}
