import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { InstalledEquipment } from './equipment.js';
import { Link } from './hal.js';
import {
  closed,
  FoundBy,
  Id,
  NullableDay,
  NullableInstant,
  NullableNumber,
  NullableString,
} from './values.js';

/** The monument of a Site. */
export const Monument = closed('The monument on which the antenna is mounted.', {
  description: NullableString('Monument Description (site log section 1).'),
  foundation: NullableString('Monument Foundation (site log section 1).'),
  markerDescription: NullableString('Marker Description (site log section 1).'),
  height: NullableNumber('Height of the Monument in metres (site log section 1).'),
});

/** The place of a Site. */
export const CorsSiteLocation = closed('Where the Site is, approximately.', {
  city: NullableString('City or Town (site log section 2).'),
  state: NullableString('State or Province (site log section 2).'),
  country: NullableString(
    'Country or Region, as written in the site log (section 2): a name or a code.',
  ),
  countryCode: NullableString(
    'ISO 3166-1 alpha-3 code of the country; ' +
      'if the site log names no known country, the country in the nine-character id.',
    { pattern: '^[A-Z]{3}$' },
  ),
  latitude: NullableNumber('Latitude in degrees, north positive (site log section 2).', {
    minimum: -90,
    maximum: 90,
  }),
  longitude: NullableNumber('Longitude in degrees, east positive (site log section 2).', {
    minimum: -180,
    maximum: 180,
  }),
  height: NullableNumber('Elevation above the ellipsoid in metres (site log section 2).'),
  x: NullableNumber(
    'X coordinate in metres, ITRF (site log section 2). Approximate, like all of the position.',
  ),
  y: NullableNumber('Y coordinate in metres, ITRF (site log section 2).'),
  z: NullableNumber('Z coordinate in metres, ITRF (site log section 2).'),
});

const members = {
  id: Id('the Site'),
  name: NullableString('Site Name (site log section 1).'),
  description: NullableString('Additional Information about the Site (site log section 1).'),
  dateInstalled: NullableInstant('Date Installed of the monument, in UTC (site log section 1).'),
  fourCharacterId: Type.String({
    pattern: '^[A-Z0-9_]{4}$',
    description: 'Four Character ID, upper case (site log section 1). Two Sites may have the same.',
  }),
  nineCharacterId: NullableString(
    'Nine Character ID, upper case (site log section 1): station, monument, receiver and ' +
      'country. Unique.',
    {
      pattern: '^[A-Z0-9_]{4}[0-9]{2}[A-Z]{3}$',
    },
  ),
  domesNumber: NullableString('IERS DOMES Number (site log section 1).'),
  monument: Monument,
  geologicCharacteristic: NullableString('Geologic Characteristic (site log section 1).'),
  bedrockType: NullableString('Bedrock Type (site log section 1).'),
  siteStatus: NullableString(
    'Always null, because site logs do not contain it. ' +
      'Present for clients of the reference service.',
  ),
  location: CorsSiteLocation,
  formerIds: Type.Array(Type.String(), {
    description: 'Its former ids.',
  }),
  agency: NullableString(
    'The organisation that is responsible for the Site (site log section 12, else 11).',
  ),
};

const DESCRIPTION = 'A GNSS monitoring Site, as described by its current site log.';

/** A GNSS monitoring Site, without its links. */
export const CorsSite = closed(DESCRIPTION, members);
export type CorsSite = Static<typeof CorsSite>;

/** The links of a Site. */
const SiteLinks = closed(
  'Links of the Site: to itself, its Setups, its current Setup, its equipment changes, its ' +
    'current site log, all its site logs, and its RINEX skeleton.',
  {
    self: Link,
    corsSite: Link,
    setups: Link,
    currentSetup: Link,
    changes: Link,
    siteLog: Link,
    siteLogs: Link,
    skeletonFile: Link,
  },
);

/** A Site as sent to clients, with its links. */
export const CorsSiteResource = closed(DESCRIPTION, {
  ...members,
  agencies: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The agencies in sections 12 and 11: names and abbreviations.',
    }),
  ),
  datePrepared: Type.Optional(NullableDay('Date Prepared of the current site log.')),
  foundBy: FoundBy(
    'current if the words are in the ids, name, place or current equipment of the Site, former ' +
      'if some are only in equipment that it no longer uses.',
  ),
  distance: Type.Optional(
    NullableNumber(
      'The distance from the point in `near`, in kilometres; only if it was requested.',
      { minimum: 0 },
    ),
  ),
  _links: SiteLinks,
});
export type CorsSiteResource = Static<typeof CorsSiteResource>;

/** A Site found by its equipment, with the installations that were searched for. */
export const EquippedSite = closed(
  'A GNSS monitoring Site, with the equipment that was searched for.',
  {
    ...members,
    installations: Type.Array(InstalledEquipment, {
      description:
        'The matching equipment in use at the Site at some time in the period, in chronological ' +
        'order.',
    }),
    _links: SiteLinks,
  },
);
export type EquippedSite = Static<typeof EquippedSite>;
