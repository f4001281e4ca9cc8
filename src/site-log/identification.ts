import { countryCode } from './country.js';
import { readDay, readInstant } from './dates.js';
import type { Field, FieldName, Fields } from './fields.js';
import { METRES, readAngle } from './numbers.js';
import { distance, geodeticPosition, type GeodeticPosition } from './position.js';
import { reject, type SiteIdentification } from './site-log.js';
import { readProse } from './values.js';

const prose = (fields: Fields, name: FieldName) => fields.string(name, readProse);

/**
 * Reads sections 1 and 2.
 * @throws {SiteLogRejected} if the log has no valid four-character or nine-character id
 */
export function readIdentification(site: Fields, place: Fields): SiteIdentification {
  const nine = site.string('nineCharacterId');
  const four = site.string('fourCharacterId');
  const version2 = site.has('nineCharacterId');
  const field = site.get(version2 ? 'nineCharacterId' : 'fourCharacterId');
  if (version2 ? nine === null || !/^[A-Z0-9_]{4}\d{2}[A-Z]{3}$/i.test(nine) : four === null || !/^[A-Z0-9_]{4}$/i.test(four)) {
    const expected = version2 ? 'nine characters such as ALIC00AUS' : 'four letters, digits or underscores such as ALIC';
    reject(site.findings, field.line, `${field.label}: not ${expected}; cannot identify the site`, field.text);
  }
  const country = prose(place, 'country');
  const nineCharacterId = (nine ?? nineCharactersOf(site, place)?.text)?.toUpperCase() ?? null;
  return {
    fourCharacterId: (nine ?? four!).slice(0, 4).toUpperCase(),
    nineCharacterId,
    name: prose(site, 'siteName'),
    domesNumber: prose(site, 'iersDOMESNumber'),
    dateInstalled: site.read('dateInstalled', readInstant),
    monumentDescription: prose(site, 'monumentDescription'),
    monumentFoundation: prose(site, 'monumentFoundation'),
    monumentHeight: site.decimal('heightOfMonument', METRES)?.number ?? null,
    markerDescription: prose(site, 'markerDescription'),
    geologicCharacteristic: prose(site, 'geologicCharacteristic'),
    bedrockType: prose(site, 'bedrockType'),
    notes: prose(site, 'notes'),
    city: prose(place, 'city'),
    state: prose(place, 'state'),
    country,
    countryCode: countryCode(country ?? '') ?? countryCode(nineCharacterId?.slice(6) ?? ''),
    ...readPosition(place),
  };
}

/** The nine-character id of a log that gives its parts one by one; null if it does not, or gives the id as a whole. */
export function nineCharactersOf(site: Fields, place: Fields): Field | null {
  const [four, nine, monument, receiver] = (['fourCharacterId', 'nineCharacterId', 'monumentNumber', 'receiverNumber'] as const).map(
    (name) => site.string(name),
  );
  const country = prose(place, 'country') ?? '';
  const areDigits = /^\d$/.test(monument ?? '') && /^\d$/.test(receiver ?? '');
  if (four === null || nine !== null || !areDigits || !/^[A-Z]{3}$/.test(country)) return null;
  const { label, line } = site.get('monumentNumber');
  return { label, line, text: `${four}${monument}${receiver}${country}` };
}

const withSignOf = (signed: number, value: number): number => (signed < 0 ? -Math.abs(value) : Math.abs(value));

/** How far latitude and longitude may be from X, Y and Z, in metres; the form asks for approximate positions. */
const TOLERANCE = 1000;

/** X, Y and Z in metres. */
type Cartesian = Record<'x' | 'y' | 'z', number | null>;
/** Latitude and longitude in degrees, elevation in metres. */
type Geodetic = Pick<SiteIdentification, 'latitude' | 'longitude' | 'elevation'>;

/** Reads the position of section 2. */
function readPosition(place: Fields): Geodetic & Cartesian {
  const geodetic = {
    latitude: place.read('latitude', (text) => readAngle(text, 90)),
    longitude: place.read('longitude', (text) => readAngle(text, 180)),
    elevation: place.decimal('elevation', METRES)?.number ?? null,
  };
  const coordinate = (name: keyof Cartesian): number | null => place.decimal(name, METRES)?.number ?? null;
  const cartesian = { x: coordinate('x'), y: coordinate('y'), z: coordinate('z') };
  const { x, y, z } = cartesian;
  const computed = x === null || y === null || z === null ? null : geodeticPosition(x, y, z);
  if (computed === null) return { ...geodetic, x: null, y: null, z: null };
  return { ...reconciled(place, geodetic, computed, cartesian), ...cartesian };
}

/** Latitude, longitude and elevation if given, otherwise those computed from X, Y and Z. Reports contradictions. */
function reconciled(
  place: Fields,
  { latitude, longitude, elevation }: Geodetic,
  computed: GeodeticPosition,
  { x, y, z }: Cartesian,
): Geodetic {
  if (latitude === null || longitude === null) {
    place.findings.add(place.get('x').line, 'info', 'no latitude or longitude; position computed from X, Y and Z', `${x} ${y} ${z}`);
    return { ...computed, elevation: elevation ?? computed.elevation };
  }
  const apart = distance({ latitude, longitude }, computed);
  if (apart <= TOLERANCE) return { latitude, longitude, elevation };
  const signed = { latitude: withSignOf(computed.latitude, latitude), longitude: withSignOf(computed.longitude, longitude) };
  const sign = distance(signed, computed) <= TOLERANCE;
  // Programs fill in 0 for a missing value. A site that really is on the equator or prime meridian agrees with its X, Y and Z.
  const blank = latitude === 0 || longitude === 0;
  place.findings.add(
    place.get('latitude').line,
    'warning',
    `latitude and longitude are ${Math.round(apart / 1000)} km from X, Y and Z (${computed.latitude.toFixed(5)} ${computed.longitude.toFixed(5)}); ` +
      (sign
        ? 'only the sign differs, sign of X, Y and Z used'
        : blank
          ? '0 treated as missing, position computed from X, Y and Z'
          : 'latitude and longitude used'),
    `${latitude} ${longitude}`,
  );
  if (sign) return { ...signed, elevation };
  if (!blank) return { latitude, longitude, elevation };
  return { ...computed, elevation: elevation === null || elevation === 0 ? computed.elevation : elevation };
}

/** Reads Date Prepared of section 0. */
export function readDatePrepared(form: Fields): string | null {
  return form.read('datePrepared', readDay);
}
