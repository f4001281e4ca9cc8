import type { CorsSite } from '../../../schemas/index.js';
import { type CurrentEquipment, searchWordsOf } from '../../derive/summary.js';
import type { PropertyOf } from '../page-order.js';
import { distanceOf, type Placed } from '../places.js';
import type { FoundSite, Place, SitePageSearch, SiteSummary } from '../sites.js';

/** A row of `site`. */
export interface SiteRow {
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

/** The SQL expression of each property of a Site. */
export const SITE_PROPERTIES = {
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
  siteStatus: 'CASE WHEN site.id > 0 THEN NULL END',
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
} satisfies Record<PropertyOf<CorsSite>, string>;

/** A Site as it is published. */
export function toCorsSite(row: SiteRow): CorsSite {
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

/** Where a Site is. */
export function toPlace(row: SiteRow): Place {
  const { city, state, country, latitude, longitude, elevation, x, y, z } = row;
  return { nineCharacterId: row.nine_character_id, city, state, country, latitude, longitude, elevation, x, y, z };
}

/** A Site with its row of `site_summary`. */
export type SummaryRow = { shortestId: string; countryCode: string | null } & Pick<
  SiteRow,
  'four_character_id' | 'nine_character_id' | 'name' | 'city' | 'country'
> & {
    receivers: string | null;
    antennas: string | null;
    since: string | null;
    asked: number | null;
    known: number | null;
  };

/** The summary of a Site. */
export function toSiteSummary({
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

/** The words that a text must have so that it has all words, the rarest kind (the longest) first: few texts get past it. */
export const neededWordsOf = (text: string): string[] =>
  [...new Set(searchWordsOf(text))]
    .filter((word, _, all) => !all.some((other) => other !== word && other.includes(word)))
    .sort((a, b) => b.length - a.length);

/** The numbers of the Sites that have all words of a search. */
export interface Matches {
  /** First those that have them without their former equipment, then the others; each in ascending order. */
  ids: number[];
  /** Those that have them only together with their former equipment. */
  former: ReadonlySet<number>;
}

/** The numbers of these two kinds of Sites, as JSON arrays. */
export type FoundIds = Record<'current' | 'former', string>;

/** Puts the two kinds in order. */
export function toMatches(found: FoundIds): Matches {
  const [current, former] = [found.current, found.former].map((ids) => (JSON.parse(ids) as number[]).sort((a, b) => a - b));
  return { ids: [...current!, ...former!], former: new Set(former) };
}

/** Whether exact distances decide which Sites a search finds, or their order. */
export const isMeasured = ({ near, sort }: Pick<SitePageSearch, 'near' | 'sort'>): boolean =>
  near !== null && (near.radius !== null || sort.length === 0);

/** The candidates among the Sites with the words of a search; all of them if it has none. */
export function matchingOf(candidates: Placed[], matches: Matches | null): Placed[] {
  if (matches === null) return candidates;
  const ids = new Set(matches.ids);
  return candidates.filter(({ id }) => ids.has(id));
}

/** The Sites with the words of a search that are also among some candidates. */
export function matchesAmong({ ids }: Matches, candidates: number[]): number[] {
  const among = new Set(candidates);
  return ids.filter((id) => among.has(id));
}

/** What a search says about a Site that it found, besides its row. */
export const remarksOn = (
  row: Placed,
  matches: Matches | null,
  { near }: Pick<SitePageSearch, 'near'>,
): Pick<FoundSite, 'foundBy' | 'distance'> => ({
  ...(matches !== null && { foundBy: matches.former.has(row.id) ? 'former' : 'current' }),
  ...(near !== null && { distance: distanceOf(row, near) }),
});
