import type { CorsSite } from '../../../schemas/index.js';
import type { Place } from '../sites.js';
import type { PropertyOf } from './page-search.js';
import type { Table } from './selection.js';

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

/** A Site as the contract has it. */
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

/** Where a Site is, as its page shows it. */
export function toPlace(row: SiteRow): Place {
  const { city, state, country, latitude, longitude, elevation, x, y, z } = row;
  return { nineCharacterId: row.nine_character_id, city, state, country, latitude, longitude, elevation, x, y, z };
}

/** The Sites that are not retired. */
export const SITES: Table = {
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
