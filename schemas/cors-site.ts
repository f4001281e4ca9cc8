import { type Static, Type } from '@sinclair/typebox';
import { InstalledEquipment } from './equipment.js';
import { Link } from './hal.js';
import { FoundBy, NullableInstant, NullableNumber, NullableString } from './values.js';

/** The monument of a Site. */
export const Monument = Type.Object(
  {
    description: NullableString({ description: 'Monument Description (site log section 1).' }),
    foundation: NullableString({ description: 'Monument Foundation (site log section 1).' }),
    markerDescription: NullableString({ description: 'Marker Description (site log section 1).' }),
    height: NullableNumber({ description: 'Height of the Monument in metres (site log section 1).' }),
  },
  { additionalProperties: false, description: 'The monument on which the antenna is mounted.' },
);

/** The place of a Site. */
export const CorsSiteLocation = Type.Object(
  {
    city: NullableString({ description: 'City or Town (site log section 2).' }),
    state: NullableString({ description: 'State or Province (site log section 2).' }),
    country: NullableString({ description: 'Country or Region, as written in the site log (section 2): a name or a code.' }),
    countryCode: NullableString({
      pattern: '^[A-Z]{3}$',
      description:
        'ISO 3166-1 alpha-3 code of the country; if the site log names none that is known, the country in the nine-character id.',
    }),
    latitude: NullableNumber({ minimum: -90, maximum: 90, description: 'Latitude in degrees, north positive (site log section 2).' }),
    longitude: NullableNumber({
      minimum: -180,
      maximum: 180,
      description: 'Longitude in degrees, east positive (site log section 2).',
    }),
    height: NullableNumber({ description: 'Elevation above the ellipsoid in metres (site log section 2).' }),
    x: NullableNumber({ description: 'X coordinate in metres, ITRF (site log section 2). Approximate, like all of the position.' }),
    y: NullableNumber({ description: 'Y coordinate in metres, ITRF (site log section 2).' }),
    z: NullableNumber({ description: 'Z coordinate in metres, ITRF (site log section 2).' }),
  },
  { additionalProperties: false, description: 'Where the Site is, approximately.' },
);

const members = {
  id: Type.Integer({ minimum: 1, description: 'Identifies the Site.' }),
  name: NullableString({ description: 'Site Name (site log section 1).' }),
  description: NullableString({ description: 'Additional Information about the Site (site log section 1).' }),
  dateInstalled: NullableInstant({ description: 'Date Installed of the monument, in UTC (site log section 1).' }),
  fourCharacterId: Type.String({
    pattern: '^[A-Z0-9_]{4}$',
    description: 'Four Character ID, upper case (site log section 1). Two Sites may have the same.',
  }),
  nineCharacterId: NullableString({
    pattern: '^[A-Z0-9_]{4}[0-9]{2}[A-Z]{3}$',
    description: 'Nine Character ID, upper case (site log section 1): station, monument, receiver and country. Unique.',
  }),
  domesNumber: NullableString({ description: 'IERS DOMES Number (site log section 1).' }),
  monument: Monument,
  geologicCharacteristic: NullableString({ description: 'Geologic Characteristic (site log section 1).' }),
  bedrockType: NullableString({ description: 'Bedrock Type (site log section 1).' }),
  siteStatus: NullableString({
    description: 'Always null, because site logs do not contain it. Present for clients of the reference service.',
  }),
  location: CorsSiteLocation,
};

const DESCRIPTION = 'A GNSS monitoring Site, as described by its current site log.';

/** A GNSS monitoring Site, without its links. */
export const CorsSite = Type.Object(members, { additionalProperties: false, description: DESCRIPTION });
export type CorsSite = Static<typeof CorsSite>;

/** The links of a Site. */
const SiteLinks = Type.Object(
  { self: Link, corsSite: Link, setups: Link, currentSetup: Link, changes: Link, siteLog: Link, siteLogs: Link, skeletonFile: Link },
  {
    additionalProperties: false,
    description:
      'Links of the Site: to itself, its Setups, its current Setup, its equipment changes, its current site log, all its site logs, and its RINEX skeleton.',
  },
);

/** A Site as sent to clients, with its links. */
export const CorsSiteResource = Type.Object(
  {
    ...members,
    foundBy: FoundBy(
      'current if the words are in the ids, name, place or current equipment of the Site, former if some are only in equipment that it no longer uses.',
    ),
    distance: Type.Optional(
      NullableNumber({ minimum: 0, description: 'The distance from the point in `near`, in kilometres; only if it was requested.' }),
    ),
    _links: SiteLinks,
  },
  { additionalProperties: false, description: DESCRIPTION },
);
export type CorsSiteResource = Static<typeof CorsSiteResource>;

/** A Site found by its equipment, with the installations that were searched for. */
export const EquippedSite = Type.Object(
  {
    ...members,
    installations: Type.Array(InstalledEquipment, {
      description: 'The matching equipment in use at the Site at some time in the period, in chronological order.',
    }),
    _links: SiteLinks,
  },
  { additionalProperties: false, description: 'A GNSS monitoring Site, with the equipment that was searched for.' },
);
export type EquippedSite = Static<typeof EquippedSite>;
