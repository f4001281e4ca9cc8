import { type CorsSite, EQUIPMENT_TYPES, INSTRUMENT_TYPES, type Instant } from '../../../schemas/index.js';
import type { SiteId } from '../../requests/site-id.js';
import { neededWordsOf, SITE_PROPERTIES, type SiteRow, type SummaryRow, toCorsSite, toPlace, toSiteSummary } from '../rows/sites.js';
import type { Found } from '../search.js';
import type { OfSite, OfSites } from '../site-ids.js';
import {
  type EquipmentSearch,
  formerSearchOf,
  type FoundSite,
  type SiteList,
  type SiteOrder,
  type SitePageSearch,
  type SitePlace,
  type SiteName,
  type SiteReader,
  type SiteRecord,
  type SiteSearch,
  type SiteSummary,
  type SiteWithEquipment,
} from '../sites.js';
import { changesOfSite } from './changes.js';
import type { Connection } from './connection.js';
import { type ItemRow, toInstruments } from '../rows/equipped-sites.js';
import { findEquippedSites } from './equipped-sites.js';
import { currentLogOfSite } from './logs.js';
import { findAtOnce } from './page-search.js';
import type { Condition, Table } from './selection.js';
import { setupsOfSite } from './setups.js';
import { ofSite, resolveSites, SHORTEST_ID } from './site-ids.js';
import { findSitePage, withinBox } from './site-page.js';
import { hadWords, hasWords } from './site-words.js';

const SITES: Table = {
  from: 'site',
  columns: 'site.*',
  where: 'site.retired_at IS NULL',
  id: 'site.id',
  properties: SITE_PROPERTIES,
  known: ['id', 'fourCharacterId'],
  constant: ['siteStatus'],
};

const SITES_WITH_TYPE = `FROM site WHERE id IN (
  SELECT site_id FROM equipment JOIN installation ON equipment_id = equipment.id
  WHERE listed = 1 AND equipment_type IN (SELECT value FROM json_each(?)) AND type = ?
  AND superseded_at IS NULL AND period_from <= ? AND (period_to IS NULL OR period_to > ?))`;

/** The installations of some kinds at a Site. */
const INSTRUMENTS = `
  SELECT document, period_from, period_to, configuration
  FROM installation JOIN equipment ON equipment.id = equipment_id
  WHERE installation.site_id = ? AND superseded_at IS NULL AND equipment_type IN (SELECT value FROM json_each(?)) ORDER BY period_from, installation.id`;

const NAMES = `
  SELECT ${SHORTEST_ID} AS shortestId, name, city, state, country FROM site WHERE retired_at IS NULL ORDER BY four_character_id, site.id`;

const EXAMPLE_SITE = `
  SELECT ${SHORTEST_ID} AS id FROM site JOIN setup ON setup.site_id = site.id
  WHERE superseded_at IS NULL AND effective_to IS NULL ORDER BY four_character_id, site.id LIMIT 1`;

const SUMMARIES = 'site LEFT JOIN site_summary ON site_id = site.id';
const SUMMARY_COLUMNS = `${SHORTEST_ID} AS shortestId, four_character_id, nine_character_id, name, city, country,
  country_code AS countryCode, receivers, antennas, since, asked, known`;

/** The columns of a {@link SitePlace}. */
const PLACE_COLUMNS = `${SHORTEST_ID} AS shortestId, substr(name, 1, 100) AS name, substr(country, 1, 100) AS country,
  country_code AS countryCode, latitude, longitude`;
const HAS_PLACE = 'latitude IS NOT NULL AND longitude IS NOT NULL';

/** The SQL of each order. */
const ORDERS: Record<SiteOrder, string> = {
  id: 'four_character_id',
  // As shown: the city if the name is unknown, and the country as written in the log if its code is unknown.
  name: 'coalesce(name, city)',
  country: 'coalesce(country_code, country, substr(nine_character_id, 7))',
  receiver: "receivers ->> '$[0]'",
  antenna: "antennas ->> '$[0]'",
  since: 'since',
  known: 'iif(asked > 0, 1.0 * known / asked, NULL)',
};

const without = ([sql, ...values]: Condition): Condition => [`NOT (${sql})`, ...values];

/** Finds Sites in one SQLite file. */
export class SqliteSiteReader implements SiteReader {
  constructor(private readonly connection: Connection) {}

  async findOne(site: SiteId): Promise<OfSite<CorsSite>> {
    return this.connection.inOneTransaction(() => ofSite(this.connection, site, (number) => toCorsSite(this.rowOf(number)!)));
  }

  async findNumbers(ids: SiteId[]): Promise<OfSites<number[]>> {
    return this.connection.inOneTransaction(() => resolveSites(this.connection, ids));
  }

  async findPage(search: SitePageSearch): Promise<Found<FoundSite>> {
    return this.connection.inOneTransaction(() => {
      const { elements, totalElements } = findSitePage<SiteRow>(this.connection, SITES, search);
      return { elements: elements.map(({ row, ...found }) => ({ ...toCorsSite(row), ...found })), totalElements };
    });
  }

  async findById(id: number): ReturnType<SiteReader['findById']> {
    const row = this.rowOf(id);
    if (row === undefined) return undefined;
    return row.retired_at === null ? toCorsSite(row) : { kind: 'retired-site', since: row.retired_at };
  }

  async findByEquipmentType(search: { type: string; at: Instant; page: number; size: number }): Promise<Found<CorsSite>> {
    const { type, at } = search;
    const statement = {
      ...SITES,
      matching: SITES_WITH_TYPE,
      order: 'four_character_id, nine_character_id, site.id',
      values: [JSON.stringify(EQUIPMENT_TYPES), type, at, at],
    };
    return this.connection.inOneTransaction(() => {
      const { elements, totalElements } = findAtOnce<SiteRow>(this.connection, statement, search);
      return { elements: elements.map(toCorsSite), totalElements };
    });
  }

  async findByEquipment(search: EquipmentSearch): Promise<Found<SiteWithEquipment>> {
    return this.connection.inOneTransaction(() => findEquippedSites(this.connection, SITES, search));
  }

  async findSummaries(search: SiteSearch): Promise<Found<SiteSummary>> {
    return this.connection.inOneTransaction(() => this.summaries(search));
  }

  async findList(search: Omit<SiteSearch, 'former'>, most: { places: number; former: number }): Promise<SiteList> {
    const formerSearch = formerSearchOf(search, most.former);
    return this.connection.inOneTransaction(() => ({
      found: this.summaries(search),
      places: this.places(search, most.places),
      former: formerSearch === null ? { elements: [], totalElements: 0 } : this.summaries(formerSearch),
    }));
  }

  /** A page of summaries; several reads, within the transaction of the caller. */
  private summaries(search: SiteSearch): Found<SiteSummary> {
    const { text, former = false, box, sort } = search;
    const words = neededWordsOf(text);
    const conditions: Condition[] = [['retired_at IS NULL'], former ? hadWords(words) : hasWords(words)];
    if (former) conditions.push(without(hasWords(words)));
    if (box !== null) conditions.push(withinBox(box));
    const by = ORDERS[sort.by];
    const statement = {
      columns: SUMMARY_COLUMNS,
      from: SUMMARIES,
      id: 'site.id',
      matching: `FROM ${SUMMARIES} WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`,
      order: `${by} IS NULL, ${by} COLLATE NOCASE ${sort.descending ? 'DESC' : 'ASC'}, four_character_id, nine_character_id, site.id`,
      values: conditions.flatMap(([, ...values]) => values),
    };
    const { elements, totalElements } = findAtOnce<SummaryRow>(this.connection, statement, search);
    return { elements: elements.map(toSiteSummary), totalElements };
  }

  /** The places of Sites; up to two reads, within the transaction of the caller. @param most how many are read */
  private places({ text, box }: Pick<SiteSearch, 'text' | 'box'>, most: number): Found<SitePlace> {
    const conditions: Condition[] = [['retired_at IS NULL'], [HAS_PLACE], hasWords(neededWordsOf(text))];
    if (box !== null) conditions.push(withinBox(box));
    const matching = `FROM ${SUMMARIES} WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`;
    const values = conditions.flatMap(([, ...each]) => each);
    const page = `SELECT ${PLACE_COLUMNS} ${matching} ORDER BY four_character_id, site.id LIMIT ?`;
    const elements = this.connection.all<SitePlace>(page, ...values, most);
    if (elements.length < most) return { elements, totalElements: elements.length };
    const { number } = this.connection.get<{ number: number }>(`SELECT count(*) AS number ${matching}`, ...values)!;
    return { elements, totalElements: number };
  }

  async findRecord(site: SiteId): Promise<OfSite<SiteRecord>> {
    return this.connection.inOneTransaction(() =>
      ofSite(this.connection, site, (number) => {
        const row = this.rowOf(number)!;
        return {
          site: toCorsSite(row),
          shortestId: row.shortestId,
          place: toPlace(row),
          setups: setupsOfSite(this.connection, number),
          instruments: toInstruments(this.connection.all<ItemRow>(INSTRUMENTS, number, JSON.stringify(INSTRUMENT_TYPES))),
          changes: changesOfSite(this.connection, number),
          ...currentLogOfSite(this.connection, number),
        };
      }),
    );
  }

  async findNames(): Promise<SiteName[]> {
    return this.connection.all<SiteName>(NAMES);
  }

  async findExample(): Promise<string | null> {
    return this.connection.get<{ id: string }>(EXAMPLE_SITE)?.id ?? null;
  }

  private rowOf(number: number): (SiteRow & { shortestId: string }) | undefined {
    return this.connection.get(`SELECT *, ${SHORTEST_ID} AS shortestId FROM site WHERE id = ?`, number);
  }
}
