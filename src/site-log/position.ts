/** Converts between the X, Y and Z of a site log and latitude, longitude and elevation. */

/** Latitude and longitude in degrees, north and east positive; elevation in metres above the ellipsoid. */
export interface GeodeticPosition {
  latitude: number;
  longitude: number;
  elevation: number;
}

/** The semi-major axis in metres and the flattening of GRS80, the ellipsoid of the ITRF. */
const [SEMI_MAJOR_AXIS, FLATTENING] = [6_378_137, 1 / 298.257222101];
const ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING);
/** The plausible distances of a station from the centre of the Earth, in metres. */
const [NEAREST, FARTHEST] = [6_340_000, 6_400_000];

const DEGREES = 180 / Math.PI;

/** The position for X, Y and Z in metres (ITRF); null if it is not near the surface of the Earth. */
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
    elevation = fromAxis * Math.cos(latitude) + z * sine - (SEMI_MAJOR_AXIS * SEMI_MAJOR_AXIS) / normal;
    latitude = Math.atan2(z + ECCENTRICITY_SQUARED * normal * sine, fromAxis);
  }
  const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;
  return {
    latitude: rounded(latitude * DEGREES, 8),
    longitude: rounded(Math.atan2(y, x) * DEGREES, 8),
    elevation: rounded(elevation, 3),
  };
}

/** The X, Y and Z in metres (ITRF) of a position. */
export function cartesianPosition({ latitude, longitude, elevation }: GeodeticPosition): [x: number, y: number, z: number] {
  const [north, east] = [latitude / DEGREES, longitude / DEGREES];
  const normal = SEMI_MAJOR_AXIS / Math.sqrt(1 - ECCENTRICITY_SQUARED * Math.sin(north) ** 2);
  const fromAxis = (normal + elevation) * Math.cos(north);
  return [fromAxis * Math.cos(east), fromAxis * Math.sin(east), (normal * (1 - ECCENTRICITY_SQUARED) + elevation) * Math.sin(north)];
}

/** The mean radius of the Earth in metres (IUGG). */
export const EARTH_RADIUS = 6_371_000;

/** The great-circle distance between two positions in metres, on a spherical Earth. */
export function distance(a: Pick<GeodeticPosition, 'latitude' | 'longitude'>, b: Pick<GeodeticPosition, 'latitude' | 'longitude'>): number {
  const half = (degrees: number): number => Math.sin(degrees / DEGREES / 2) ** 2;
  const part =
    half(b.latitude - a.latitude) + Math.cos(a.latitude / DEGREES) * Math.cos(b.latitude / DEGREES) * half(b.longitude - a.longitude);
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(part)));
}
