import { type CorsSite, EQUIPMENT_TYPES, INSTRUMENT_TYPES, type Instant } from '../../../schemas/index.js';
import type { SiteId } from '../../requests/site-id.js';
import { type ItemRow, toInstruments } from '../rows/equipped-sites.js';
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
import type { Reads, Snapshot } from './client.js';
import { findEquippedSites } from './equipped-sites.js';
import { currentLogOfSite } from './logs.js';
import { readNarrowRows } from './narrow-rows.js';
import { findAtOnce } from './page-search.js';
import { Bindings, type Condition, isId, isStorable, Selection, type Table } from './selection.js';
import { setupsOfSite } from './setups.js';
import { findSitePage, withinBox } from './site-page.js';
import { formerOf, ofSite, resolveSites, sharing, type SharingRow, SHORTEST_ID, toSite } from './site-ids.js';
import { hadWords, hasWords } from './site-words.js';

const TEXTS = `site.name, domes_number, monument_description, monument_foundation, marker_description, geologic_characteristic,
  bedrock_type, notes, city, state, country`;

const SITES: Table = {
  from: 'site',
  columns: 'site.*',
  where: 'site.retired_at IS NULL',
  id: 'site.id',
  size: `octet_length(concat(${TEXTS}))`,
  properties: SITE_PROPERTIES,
  known: ['id', 'fourCharacterId'],
  constant: ['siteStatus'],
};
const IN_ALPHABETICAL_ORDER = { ...SITES, order: 'four_character_id, nine_character_id NULLS FIRST, site.id' };

/** The Sites that used a type of equipment at an instant. */
const withType =
  (type: string, at: Instant): Condition =>
  (bindings) => {
    const instant = bindings.add(at);
    return `site.id IN (
      SELECT site_id FROM equipment JOIN installation ON equipment_id = equipment.id
      WHERE listed = 1 AND equipment_type = ANY (${bindings.add(EQUIPMENT_TYPES)}) AND type = ${bindings.add(type)}
      AND superseded_at IS NULL AND period_from <= ${instant} AND (period_to IS NULL OR period_to > ${instant}))`;
  };

/** The installations of some kinds at a Site. */
const INSTRUMENTS = `
  SELECT document, period_from, period_to, configuration
  FROM installation JOIN equipment ON equipment.id = equipment_id
  WHERE installation.site_id = $1 AND superseded_at IS NULL AND equipment_type = ANY ($2) ORDER BY period_from, installation.id`;

const NAMES = `
  SELECT ${SHORTEST_ID} AS "shortestId", name, city, state, country FROM site WHERE retired_at IS NULL ORDER BY four_character_id, site.id`;

const EXAMPLE_SITE = `
  SELECT ${SHORTEST_ID} AS id FROM site JOIN setup ON setup.site_id = site.id
  WHERE superseded_at IS NULL AND effective_to IS NULL ORDER BY four_character_id, site.id LIMIT 1`;

const SUMMARIES: Omit<Table, 'properties' | 'known'> = {
  from: 'site LEFT JOIN site_summary ON site_id = site.id',
  columns: `${SHORTEST_ID} AS "shortestId", four_character_id, nine_character_id, site.name, city, country, country_code AS "countryCode",
    receivers, antennas, since, asked, known`,
  where: 'retired_at IS NULL',
  id: 'site.id',
  size: 'octet_length(concat(site.name, city, country, receivers, antennas))',
};

/** What a {@link SitePlace} is read with. */
const PLACE_COLUMNS = `${SHORTEST_ID} AS "shortestId", left(site.name, 100) AS name, left(country, 100) AS country,
  country_code AS "countryCode", latitude, longitude`;
const PLACES = { ...SITES, ...SUMMARIES, where: 'retired_at IS NULL AND latitude IS NOT NULL AND longitude IS NOT NULL' };

/** The SQL of each order. Case is ignored, for the letters of ASCII only. */
const ORDERS: Record<SiteOrder, string> = {
  id: 'lower(four_character_id)',
  // As shown: the city if the name is unknown, and the country code of the id if the country is unknown.
  name: 'lower(coalesce(site.name, city))',
  country: 'lower(coalesce(country_code, country, substr(nine_character_id, 7)))',
  receiver: `lower((receivers::json ->> 0) COLLATE "C")`,
  antenna: `lower((antennas::json ->> 0) COLLATE "C")`,
  since: 'lower(since)',
  known: 'CASE WHEN asked > 0 THEN known::double precision / asked END',
};

const SHARING_SITES = sharing(', site.*');

type ShortenedRow = SiteRow & { shortestId: string };
const rowOf = (snapshot: Snapshot, number: number): Promise<ShortenedRow | undefined> =>
  snapshot.get<ShortenedRow>(`SELECT *, ${SHORTEST_ID} AS "shortestId" FROM site WHERE id = $1`, number);

/** Finds Sites in a PostgreSQL database. */
export class PostgresSiteReader implements SiteReader {
  constructor(private readonly reads: Reads) {}

  async findOne(id: SiteId): Promise<OfSite<CorsSite>> {
    const rows = await this.reads.all<SharingRow & SiteRow>(SHARING_SITES, id.fourCharacterId, formerOf(id));
    const site = toSite(rows, id);
    return site.kind === 'found' ? { kind: 'found', found: toCorsSite(rows.find((row) => row.site === site.found)!) } : site;
  }

  findNumbers(ids: SiteId[]): Promise<OfSites<number[]>> {
    return resolveSites(this.reads, ids);
  }

  async findPage(search: SitePageSearch): Promise<Found<FoundSite>> {
    const { elements, totalElements } = await findSitePage<SiteRow>(this.reads, SITES, search);
    return { elements: elements.map(({ row, ...found }) => ({ ...toCorsSite(row), ...found })), totalElements };
  }

  async findById(id: number): ReturnType<SiteReader['findById']> {
    const row = isId(id) ? await rowOf(this.reads, id) : undefined;
    if (row === undefined) return undefined;
    return row.retired_at === null ? toCorsSite(row) : { kind: 'retired-site', since: row.retired_at };
  }

  async findByEquipmentType(search: { type: string; at: Instant; page: number; size: number }): Promise<Found<CorsSite>> {
    const { type, at } = search;
    const condition: Condition = isStorable(type) ? withType(type, at) : () => 'false';
    const { elements, totalElements } = await findAtOnce<SiteRow>(this.reads, IN_ALPHABETICAL_ORDER, search, [condition]);
    return { elements: elements.map(toCorsSite), totalElements };
  }

  findByEquipment(search: EquipmentSearch): Promise<Found<SiteWithEquipment>> {
    return findEquippedSites(this.reads, IN_ALPHABETICAL_ORDER, search);
  }

  findSummaries(search: SiteSearch): Promise<Found<SiteSummary>> {
    return summaries(this.reads, search);
  }

  findList(search: Omit<SiteSearch, 'former'>, most: { places: number; former: number }): Promise<SiteList> {
    const formerSearch = formerSearchOf(search, most.former);
    return this.reads.inOneState(async (snapshot) => {
      const [found, places, former] = await Promise.all([
        summaries(snapshot, search),
        placesOf(snapshot, search, most.places),
        formerSearch === null ? { elements: [], totalElements: 0 } : summaries(snapshot, formerSearch),
      ]);
      return { found, places, former };
    });
  }

  findRecord(site: SiteId): Promise<OfSite<SiteRecord>> {
    return this.reads.inOneState((snapshot) => ofSite(snapshot, site, (number) => recordOf(snapshot, number)));
  }

  findNames(): Promise<SiteName[]> {
    return readNarrowRows<SiteName>(this.reads, ['shortestId', 'name', 'city', 'state', 'country'], NAMES);
  }

  async findExample(): Promise<string | null> {
    return (await this.reads.get<{ id: string }>(EXAMPLE_SITE))?.id ?? null;
  }
}

/** A page of the summaries of Sites. */
async function summaries(snapshot: Snapshot, search: SiteSearch): Promise<Found<SiteSummary>> {
  const { text, former = false, box, sort } = search;
  const words = neededWordsOf(text);
  const order = `${ORDERS[sort.by]} ${sort.descending ? 'DESC' : 'ASC'} NULLS LAST, ${IN_ALPHABETICAL_ORDER.order}`;
  const table = { ...SITES, ...SUMMARIES, order };
  const hasAll = hasWords(words);
  const conditions: Condition[] = former ? [hadWords(words), (bindings) => `NOT (${hasAll(bindings)})`] : [hasAll];
  if (box !== null) conditions.push(withinBox(box));
  const { elements, totalElements } = await findAtOnce<SummaryRow>(snapshot, table, search, conditions);
  return { elements: elements.map(toSiteSummary), totalElements };
}

/** The places of Sites. @param most how many are read */
async function placesOf(snapshot: Snapshot, { text, box }: Pick<SiteSearch, 'text' | 'box'>, most: number): Promise<Found<SitePlace>> {
  const conditions = [hasWords(neededWordsOf(text))];
  if (box !== null) conditions.push(withinBox(box));
  const bindings = new Bindings();
  const rows = `${new Selection(PLACES, [], conditions, bindings).select(PLACE_COLUMNS)} ORDER BY ${IN_ALPHABETICAL_ORDER.order}`;
  const elements = await readNarrowRows<SitePlace>(
    snapshot,
    ['shortestId', 'name', 'country', 'countryCode', 'latitude', 'longitude'],
    `${rows} LIMIT ${bindings.add(most)}`,
    ...bindings.values,
  );
  if (elements.length < most) return { elements, totalElements: elements.length };
  const counting = new Bindings();
  const count = new Selection(PLACES, [], conditions, counting).count();
  return { elements, totalElements: (await snapshot.get<{ number: number }>(count, ...counting.values))!.number };
}

/** Everything about a Site, by statements that are sent without waiting for each other. */
async function recordOf(snapshot: Snapshot, number: number): Promise<SiteRecord> {
  const [row, setups, changes, instruments, log] = await Promise.all([
    rowOf(snapshot, number),
    setupsOfSite(snapshot, number),
    changesOfSite(snapshot, number),
    snapshot.all<ItemRow>(INSTRUMENTS, number, INSTRUMENT_TYPES),
    currentLogOfSite(snapshot, number),
  ]);
  const { shortestId } = row!;
  return { site: toCorsSite(row!), shortestId, place: toPlace(row!), setups, instruments: toInstruments(instruments), changes, ...log };
}
