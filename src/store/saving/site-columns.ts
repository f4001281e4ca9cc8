import type { SiteIdentification } from '../../site-log/site-log.js';

/** The column of `site` for each member of what a log says about its Site. */
export const SITE_COLUMNS = {
  fourCharacterId: 'four_character_id',
  nineCharacterId: 'nine_character_id',
  name: 'name',
  domesNumber: 'domes_number',
  dateInstalled: 'date_installed',
  monumentDescription: 'monument_description',
  monumentFoundation: 'monument_foundation',
  monumentHeight: 'monument_height',
  markerDescription: 'marker_description',
  geologicCharacteristic: 'geologic_characteristic',
  bedrockType: 'bedrock_type',
  notes: 'notes',
  city: 'city',
  state: 'state',
  country: 'country',
  countryCode: 'country_code',
  latitude: 'latitude',
  longitude: 'longitude',
  elevation: 'elevation',
  x: 'x',
  y: 'y',
  z: 'z',
} as const satisfies Record<keyof SiteIdentification, string>;
