import { type CorsSite, EQUIPMENT_TYPES, type Instant } from '../../../schemas/index.js';
import { type CurrentEquipment, searchWordsOf } from '../../derive/summary.js';
import type { SiteId } from '../../requests/site-id.js';
import type { Found } from '../search.js';
import type { OfSite } from '../site-ids.js';
import type { FoundSite, Place, SiteOrder, SitePageSearch, SiteReader, SiteRecord, SiteSearch, SiteSummary } from '../sites.js';
import { changesOfSite } from './changes.js';
import type { Connection } from './connection.js';
import { currentLogOfSite } from './logs.js';
import { findAtOnce, type PropertyOf } from './page-search.js';
import type { Table } from './selection.js';
import { setupsOfSite } from './setups.js';
import { ofSite, SHORTEST_ID } from './site-ids.js';
import { findSitePage } from './site-page.js';

/** A row of `site`. */
interface SiteRow {
  id: number;
  four_character_id: string;
  nine_character_id: string | null;
  name: string | null;
  domes_number: string | null;
  date_installed: string | null;
  monument_description: string | null;
  monument_foundation: string | null;
  monument_height: number | null;
  marker_description: string | null;
  geologic_characteristic: string | null;
  bedrock_type: string | null;
  notes: string | null;
  city: string | null;
  state: string | null;
  country: string | null;
  country_code: string | null;
  latitude: number | null;
  longitude: number | null;
  elevation: number | null;
  x: number | null;
  y: number | null;
  z: number | null;
  retired_at: string | null;
}

function toCorsSite(row: SiteRow): CorsSite {
  return {
    id: row.id,
    name: row.name,
    description: row.notes,
    dateInstalled: row.date_installed,
    fourCharacterId: row.four_character_id,
    nineCharacterId: row.nine_character_id,
    domesNumber: row.domes_number,
    monument: {
      description: row.monument_description,
      foundation: row.monument_foundation,
      markerDescription: row.marker_description,
      height: row.monument_height,
    },
    geologicCharacteristic: row.geologic_characteristic,
    bedrockType: row.bedrock_type,
    siteStatus: null,
    location: {
      city: row.city,
      state: row.state,
      country: row.country,
      countryCode: row.country_code,
      latitude: row.latitude,
      longitude: row.longitude,
      height: row.elevation,
      x: row.x,
      y: row.y,
      z: row.z,
    },
  };
}

function toPlace(row: SiteRow): Place {
  const { city, state, country, latitude, longitude, elevation, x, y, z } = row;
  return { nineCharacterId: row.nine_character_id, city, state, country, latitude, longitude, elevation, x, y, z };
}

const SITES: Table = {
  from: 'site',
  columns: 'site.*',
  where: 'site.retired_at IS NULL',
  id: 'site.id',
  properties: {
    id: 'site.id',
    name: 'site.name',
    description: 'site.notes',
    dateInstalled: 'site.date_installed',
    fourCharacterId: 'site.four_character_id',
    nineCharacterId: 'site.nine_character_id',
    domesNumber: 'site.domes_number',
    'monument.description': 'site.monument_description',
    'monument.foundation': 'site.monument_foundation',
    'monument.markerDescription': 'site.marker_description',
    'monument.height': 'site.monument_height',
    geologicCharacteristic: 'site.geologic_characteristic',
    bedrockType: 'site.bedrock_type',
    siteStatus: 'iif(site.id, NULL, NULL)',
    'location.city': 'site.city',
    'location.state': 'site.state',
    'location.country': 'site.country',
    'location.countryCode': 'site.country_code',
    'location.latitude': 'site.latitude',
    'location.longitude': 'site.longitude',
    'location.height': 'site.elevation',
    'location.x': 'site.x',
    'location.y': 'site.y',
    'location.z': 'site.z',
  } satisfies Record<PropertyOf<CorsSite>, string>,
  known: ['id', 'fourCharacterId'],
  constant: ['siteStatus'],
};

const SITES_WITH_TYPE = `FROM site WHERE id IN (
  SELECT site_id FROM equipment JOIN installation ON equipment_id = equipment.id
  WHERE listed = 1 AND equipment_type IN (SELECT value FROM json_each(?)) AND type = ?
  AND superseded_at IS NULL AND period_from <= ? AND (period_to IS NULL OR period_to > ?))`;

const EXAMPLE_SITE = `
  SELECT ${SHORTEST_ID} AS id FROM site JOIN setup ON setup.site_id = site.id
  WHERE superseded_at IS NULL AND effective_to IS NULL ORDER BY four_character_id LIMIT 1`;

/** A Site with its row of `site_summary`. */
type SummaryRow = { shortestId: string } & Pick<
  SiteRow,
  'four_character_id' | 'nine_character_id' | 'name' | 'city' | 'country' | 'latitude' | 'longitude'
> & {
    receivers: string | null;
    antennas: string | null;
    since: string | null;
    asked: number | null;
    known: number | null;
  };
const SUMMARIES = 'site LEFT JOIN site_summary ON site_id = site.id';
const SUMMARY_COLUMNS = `${SHORTEST_ID} AS shortestId, four_character_id, nine_character_id, name, city, country, latitude, longitude,
  receivers, antennas, since, asked, known`;

function toSiteSummary({
  four_character_id,
  nine_character_id,
  receivers,
  antennas,
  since,
  asked,
  known,
  ...site
}: SummaryRow): SiteSummary {
  const types = (json: string | null) => JSON.parse(json!) as (string | null)[];
  const current: CurrentEquipment | null =
    since === null ? null : { receivers: types(receivers), antennas: types(antennas), since, asked: asked!, known: known! };
  return { fourCharacterId: four_character_id, nineCharacterId: nine_character_id, ...site, current };
}

/** The SQL of each order. */
const ORDERS: Record<SiteOrder, string> = {
  id: 'four_character_id',
  // As shown: the city if the name is unknown, and the country code of the id if the country is unknown.
  name: 'coalesce(name, city)',
  country: 'coalesce(country, substr(nine_character_id, 7))',
  receiver: "receivers ->> '$[0]'",
  antenna: "antennas ->> '$[0]'",
  since: 'since',
  known: 'iif(asked > 0, 1.0 * known / asked, NULL)',
};

/** The words that a text must have so that it has all words, the rarest kind (the longest) first: few texts get past it. */
const neededOf = (words: string[]): string[] =>
  [...new Set(words)]
    .filter((word, _, all) => !all.some((other) => other !== word && other.includes(word)))
    .sort((a, b) => b.length - a.length);

/** Finds Sites in one SQLite file. */
export class SqliteSiteReader implements SiteReader {
  constructor(private readonly connection: Connection) {}

  async findOne(site: SiteId): Promise<OfSite<CorsSite>> {
    return this.connection.inOneTransaction(() => ofSite(this.connection, site, (number) => toCorsSite(this.rowOf(number)!)));
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
      order: 'four_character_id, nine_character_id',
      values: [JSON.stringify(EQUIPMENT_TYPES), type, at, at],
    };
    return this.connection.inOneTransaction(() => {
      const { elements, totalElements } = findAtOnce<SiteRow>(this.connection, statement, search);
      return { elements: elements.map(toCorsSite), totalElements };
    });
  }

  async findSummaries(search: SiteSearch): Promise<Found<SiteSummary>> {
    const { text, sort } = search;
    const words = neededOf(searchWordsOf(text));
    const conditions = words.map(
      () => '(instr(search_text, ?) > 0 OR instr(lower(coalesce(nine_character_id, four_character_id)), ?) > 0)',
    );
    const by = ORDERS[sort.by];
    const statement = {
      columns: SUMMARY_COLUMNS,
      from: SUMMARIES,
      id: 'site.id',
      matching: `FROM ${SUMMARIES} WHERE ${['retired_at IS NULL', ...conditions].join(' AND ')}`,
      order: `${by} IS NULL, ${by} COLLATE NOCASE ${sort.descending ? 'DESC' : 'ASC'}, four_character_id, nine_character_id`,
      values: words.flatMap((word) => [word, word]),
    };
    return this.connection.inOneTransaction(() => {
      const { elements, totalElements } = findAtOnce<SummaryRow>(this.connection, statement, search);
      return { elements: elements.map(toSiteSummary), totalElements };
    });
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
          changes: changesOfSite(this.connection, number),
          ...currentLogOfSite(this.connection, number),
        };
      }),
    );
  }

  async findExample(): Promise<string | null> {
    return this.connection.get<{ id: string }>(EXAMPLE_SITE)?.id ?? null;
  }

  private rowOf(number: number): (SiteRow & { shortestId: string }) | undefined {
    return this.connection.get(`SELECT *, ${SHORTEST_ID} AS shortestId FROM site WHERE id = ?`, number);
  }
}
