/**
 * Places on the Earth, as requests give them. All angles are in degrees, north and east positive.
 */

/** A point. */
export interface Point {
  latitude: number;
  longitude: number;
}

/** The mean radius of the Earth in metres (IUGG). */
export const EARTH_RADIUS = 6_371_000;

/** An angle in radians is this many times as large in degrees. */
export const DEGREES_PER_RADIAN = 180 / Math.PI;

/** The great-circle distance between two points in metres, on a spherical Earth. */
export function distance(a: Point, b: Point): number {
  const half = (degrees: number): number => Math.sin(degrees / DEGREES_PER_RADIAN / 2) ** 2;
  const part =
    half(b.latitude - a.latitude) +
    Math.cos(a.latitude / DEGREES_PER_RADIAN) *
      Math.cos(b.latitude / DEGREES_PER_RADIAN) *
      half(b.longitude - a.longitude);
  return 2 * EARTH_RADIUS * Math.atan2(Math.sqrt(part), Math.sqrt(Math.abs(1 - part)));
}

/** A latitude and a longitude, each of which may be unknown. */
type PerhapsKnown = Record<keyof Point, number | null>;

/** The point of a latitude and a longitude; null if one of them is unknown. */
export const pointOf = ({ latitude, longitude }: PerhapsKnown): Point | null =>
  latitude === null || longitude === null ? null : { latitude, longitude };

/** A box. It crosses the date line if west is greater than east. */
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

const isLatitude = (value: number): boolean => Math.abs(value) <= 90;
const isLongitude = (value: number): boolean => Math.abs(value) <= 180;

/** What {@link parseBox} accepts. */
export const BOX_FORM =
  'west,south,east,north in degrees: longitudes from -180 to 180, latitudes from -90 to 90, ' +
  'south not above north';
/** What {@link parsePoint} accepts. */
export const POINT_FORM =
  'latitude,longitude in degrees: latitude from -90 to 90, longitude from -180 to 180';

/** A number as programs write it: GDAL with 18 digits, others with an exponent if it is small. */
const NUMBER = /^-?\d{1,3}(\.\d{1,30})?(e[+-]?\d{1,3})?$/i;

/** The numbers in a list with commas; NaN for what is not one. */
const numbersIn = (text: string): number[] =>
  text.split(',', 7).map((each) => (NUMBER.test(each) ? Number(each) : NaN));

/** Parses a box, `west,south,east,north`; null if the text is not one. */
export function parseBox(text: string): Box | null {
  const [west = NaN, south = NaN, east = NaN, north = NaN, ...more] = numbersIn(text);
  const isBox =
    isLongitude(west) &&
    isLongitude(east) &&
    isLatitude(south) &&
    isLatitude(north) &&
    south <= north &&
    more.length === 0;
  return isBox ? { west, south, east, north } : null;
}

/** Parses a point, `latitude,longitude`; null if the text is not one. */
export function parsePoint(text: string): Point | null {
  const [latitude = NaN, longitude = NaN, ...more] = numbersIn(text);
  return isLatitude(latitude) && isLongitude(longitude) && more.length === 0
    ? { latitude, longitude }
    : null;
}
