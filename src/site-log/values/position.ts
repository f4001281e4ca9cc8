import type { SiteLogSections } from '../../../schemas/index.js';
import type { FindingCode } from '../../findings/codes.js';
import type { FindingLevel } from '../../findings/finding.js';
import type { Findings, Reported } from '../../findings/findings.js';
import { DEGREES_PER_RADIAN, distance } from '../../requests/place.js';
import { readAngle } from './numbers.js';

/**
 * Converts between the X, Y and Z of a site log and latitude, longitude and elevation, and decides
 * where they contradict each other.
 */

/**
 * Latitude and longitude in degrees, north and east positive; elevation in metres above the
 * ellipsoid.
 */
interface GeodeticPosition {
  latitude: number;
  longitude: number;
  elevation: number;
}

/** The semi-major axis of GRS80, the ellipsoid of the ITRF, in metres. */
const SEMI_MAJOR_AXIS = 6_378_137;
/** The flattening of GRS80. */
const FLATTENING = 1 / 298.257222101;
const ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING);
/** The least plausible distance of a station from the centre of the Earth, in metres. */
const NEAREST = 6_340_000;
/** The greatest one. */
const FARTHEST = 6_400_000;

/**
 * The position for X, Y and Z in metres (ITRF); null if it is not near the surface of the Earth.
 */
export function geodeticPosition(x: number, y: number, z: number): GeodeticPosition | null {
  const radius = Math.hypot(x, y, z);
  if (!(radius >= NEAREST && radius <= FARTHEST)) return null;
  const fromAxis = Math.hypot(x, y);
  let latitude = Math.atan2(z, fromAxis * (1 - ECCENTRICITY_SQUARED));
  let elevation = 0;
  // Near the surface each step reduces the error at least a hundredfold, so five steps are enough.
  for (let step = 0; step < 5; step++) {
    const sine = Math.sin(latitude);
    const normal = SEMI_MAJOR_AXIS / Math.sqrt(1 - ECCENTRICITY_SQUARED * sine * sine);
    elevation =
      fromAxis * Math.cos(latitude) + z * sine - (SEMI_MAJOR_AXIS * SEMI_MAJOR_AXIS) / normal;
    latitude = Math.atan2(z + ECCENTRICITY_SQUARED * normal * sine, fromAxis);
  }
  const rounded = (value: number, digits: number): number =>
    Math.round(value * 10 ** digits) / 10 ** digits;
  return {
    latitude: rounded(latitude * DEGREES_PER_RADIAN, 8),
    longitude: rounded(Math.atan2(y, x) * DEGREES_PER_RADIAN, 8),
    elevation: rounded(elevation, 3),
  };
}

/** The X, Y and Z in metres (ITRF) of a position. */
export function cartesianPosition({
  latitude,
  longitude,
  elevation,
}: GeodeticPosition): [x: number, y: number, z: number] {
  const north = latitude / DEGREES_PER_RADIAN;
  const east = longitude / DEGREES_PER_RADIAN;
  const normal = SEMI_MAJOR_AXIS / Math.sqrt(1 - ECCENTRICITY_SQUARED * Math.sin(north) ** 2);
  const fromAxis = (normal + elevation) * Math.cos(north);
  return [
    fromAxis * Math.cos(east),
    fromAxis * Math.sin(east),
    (normal * (1 - ECCENTRICITY_SQUARED) + elevation) * Math.sin(north),
  ];
}

type Geodetic = Record<keyof GeodeticPosition, number | null>;
/** The position of section 2: degrees and metres, null if unknown. */
export type Position = Geodetic & Record<'x' | 'y' | 'z', number | null>;

/** What was found about a position, to be reported at the value that it is about. */
interface Remark {
  about: 'x' | 'y' | 'z' | 'latitude';
  report: (findings: Findings, line: number) => void;
}

/** Makes a remark. The offending text is the values as numbers. */
const remark = <Code extends FindingCode>(
  about: Remark['about'],
  code: Code,
  values: Reported<Code>,
  level?: FindingLevel,
): Remark => ({
  about,
  report: (findings, line) => findings.add(code, { line, section: '2' }, values, level),
});

/**
 * How far latitude and longitude may be from X, Y and Z, in metres; the form asks for approximate
 * positions.
 */
const TOLERANCE = 1000;

const withSignOf = (signed: number, value: number): number =>
  signed < 0 ? -Math.abs(value) : Math.abs(value);

/**
 * The degrees of a number that gives degrees, minutes and seconds as dd.mmssss; NaN if it cannot.
 */
function fromMinutes(value: number): number {
  const units = Math.round(Math.abs(value) * 1e8);
  const degrees = Math.floor(units / 1e8);
  const minutes = Math.floor(units / 1e6) % 100;
  const seconds = (units % 1e6) / 1e4;
  if (minutes > 59 || seconds >= 60) return NaN;
  return withSignOf(value, Math.round((degrees + minutes / 60 + seconds / 3600) * 1e8) / 1e8);
}

/**
 * Whether latitude and longitude agree with X, Y and Z if X has the other sign, and not as it is.
 */
function isMirrored({ latitude, longitude }: Geodetic, computed: GeodeticPosition): boolean {
  if (
    latitude === null ||
    longitude === null ||
    distance({ latitude, longitude }, computed) <= TOLERANCE
  )
    return false;
  return (
    distance({ latitude, longitude: withSignOf(longitude, 180 - Math.abs(longitude)) }, computed) <=
    TOLERANCE
  );
}

/**
 * Why X, Y and Z are no position: some are unknown, or they are not near the surface of the Earth.
 * Null if all are unknown.
 */
function whyUnusable(cartesian: Record<'x' | 'y' | 'z', number | null>): Remark | null {
  const names = ['x', 'y', 'z'] as const;
  const known = names.filter((name) => cartesian[name] !== null);
  const [about] = known;
  if (about === undefined) return null;
  const missing = names.filter((name) => cartesian[name] === null);
  const text = known.map((name) => cartesian[name]).join(' ');
  if (missing.length === 0)
    return remark(about, 'unreadable-value', { isFarFromSurface: true, text });
  const letters = missing.map((name) => name.toUpperCase());
  return remark(about, 'unreadable-value', { missing: letters, text });
}

/**
 * The position that a log means. X, Y and Z are known together, and only near the surface of the
 * Earth.
 */
export function reconcilePosition({ x, y, z, ...given }: Position): {
  position: Position;
  remarks: Remark[];
} {
  const remarks: Remark[] = [];
  const isZero = (...values: (number | null)[]): boolean => values.every((value) => value === 0);
  if (isZero(x, y, z))
    remarks.push(remark('x', 'zero-position', { of: 'cartesian', text: '0 0 0' }, 'info'));
  const computed = x === null || y === null || z === null ? null : geodeticPosition(x, y, z);
  if (x !== null && computed !== null && isMirrored(given, computed)) {
    const deviation = 'X has the wrong sign for the longitude';
    const values = { deviation, read: String(-x), text: String(x) };
    remarks.push(remark('x', 'deviating-value', values, 'warning'));
    return { position: { ...given, x: -x, y, z }, remarks };
  }
  if (computed !== null) {
    const { found, ...position } = reconcileWith(computed, given, `${x} ${y} ${z}`);
    if (found !== null) remarks.push(found);
    return { position: { ...position, x, y, z }, remarks };
  }
  const unusable = whyUnusable({ x, y, z });
  if (unusable !== null && !isZero(x, y, z)) remarks.push(unusable);
  const none = { x: null, y: null, z: null };
  if (!isZero(given.latitude, given.longitude, given.elevation))
    return { position: { ...given, ...none }, remarks };
  remarks.push(remark('latitude', 'zero-position', { of: 'geodetic', text: '0 0 0' }));
  return { position: { latitude: null, longitude: null, elevation: null, ...none }, remarks };
}

/**
 * Latitude, longitude and elevation if they agree with those computed from X, Y and Z in some
 * reading; otherwise the latter.
 */
function reconcileWith(
  computed: GeodeticPosition,
  { latitude, longitude, elevation }: Geodetic,
  cartesian: string,
): Geodetic & { found: Remark | null } {
  if (latitude === null || longitude === null) {
    const given = { latitude, longitude };
    const unknown = (['latitude', 'longitude'] as const).filter((name) => given[name] === null);
    const found = remark('x', 'position-computed', { unknown, text: cartesian });
    return { ...computed, elevation: elevation ?? computed.elevation, found };
  }
  const apart = distance({ latitude, longitude }, computed);
  if (apart <= TOLERANCE) return { latitude, longitude, elevation, found: null };
  const reading = [
    {
      how: 'sign' as const,
      latitude: withSignOf(computed.latitude, latitude),
      longitude: withSignOf(computed.longitude, longitude),
    },
    {
      how: 'minutes' as const,
      latitude: fromMinutes(latitude),
      longitude: fromMinutes(longitude),
    },
  ].find((each) => distance(each, computed) <= TOLERANCE);
  // Programs fill in 0 for a missing value. A site that really is on the equator or prime meridian
  // agrees with its X, Y and Z.
  const otherwise = latitude === 0 || longitude === 0 ? 'zero' : 'computed';
  const found = remark('latitude', 'position-mismatch', {
    distance: Math.round(apart / 1000),
    computed: { latitude: computed.latitude, longitude: computed.longitude },
    reading: reading?.how ?? otherwise,
    text: `${latitude} ${longitude}`,
  });
  if (reading !== undefined)
    return { latitude: reading.latitude, longitude: reading.longitude, elevation, found };
  return {
    ...computed,
    elevation: elevation === null || elevation === 0 ? computed.elevation : elevation,
    found,
  };
}

/** The names of the values in section 2. */
export const POSITION = [
  'x',
  'y',
  'z',
  'latitude',
  'longitude',
  'elevation',
] as const satisfies (keyof Position)[];

/** Says of a latitude that cannot be one that it is the longitude, if both fit X, Y and Z so. */
function reportExchanged(
  { latitude: north, longitude: east }: SiteLogSections['siteLocation'],
  { latitude: known, x, y, z }: Position,
  findings: Findings,
): void {
  if (north === null || known !== null || east === null) return;
  const latitude = readAngle(east.written, 90).value;
  const longitude = readAngle(north.written, 180).value;
  const computed = x === null || y === null || z === null ? null : geodeticPosition(x, y, z);
  if (computed === null || latitude === null || longitude === null) return;
  if (distance({ latitude, longitude }, computed) > TOLERANCE) return;
  const { line, written: text } = north;
  findings.takeBackUnreadable(line, text);
  findings.add('unreadable-value', { line, section: '2' }, { isExchanged: true, text });
}

/**
 * Sets the values that a log has in section 2 to the position that it means; what is written stays.
 */
export function reconcileLocation(
  location: SiteLogSections['siteLocation'],
  findings: Findings,
): void {
  const given = Object.fromEntries(
    POSITION.map((name) => [name, location[name]?.value ?? null]),
  ) as unknown as Position;
  reportExchanged(location, given, findings);
  const { position, remarks } = reconcilePosition(given);
  for (const name of POSITION) {
    const value = location[name];
    if (value !== null) location[name] = { ...value, value: position[name] };
  }
  for (const { about, report } of remarks) report(findings, location[about]!.line);
}
