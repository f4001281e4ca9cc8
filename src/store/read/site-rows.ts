import type { CorsSite } from '../../../schemas/index.js';
import type { PageTable, PropertyOf } from '../page.js';
import type { RowOf } from '../schema.js';

/** A row of `site`. */
export type SiteRow = RowOf<'site'>;

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

/** The Sites that are not retired. */
export const SITES = {
  from: 'site',
  columns: 'site.*',
  where: 'site.retired_at IS NULL',
  id: 'site.id',
  properties: SITE_PROPERTIES,
  known: ['id', 'fourCharacterId'],
  constant: ['siteStatus'],
} as const satisfies PageTable;

/** Sites in alphabetical order, as SQL. */
export const ALPHABETICAL = 'four_character_id, nine_character_id NULLS FIRST, site.id';

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
