import type { SiteIdentification } from '../../src/site-log/site-log.js';

/** What is read of a Site whose log has only its four-character id. */
export const UNKNOWN_SITE: SiteIdentification = {
  fourCharacterId: 'TEST',
  nineCharacterId: null,
  name: null,
  domesNumber: null,
  dateInstalled: null,
  monumentDescription: null,
  monumentFoundation: null,
  monumentHeight: null,
  markerDescription: null,
  geologicCharacteristic: null,
  bedrockType: null,
  notes: null,
  city: null,
  state: null,
  country: null,
  countryCode: null,
  latitude: null,
  longitude: null,
  elevation: null,
  x: null,
  y: null,
  z: null,
};
