import {
  type Box,
  DEGREES_PER_RADIAN,
  distance,
  EARTH_RADIUS,
  type Point,
  pointOf,
} from '../requests/place.js';

/**
 * Geometry for searches by place, on a spherical Earth. Distances differ from those on the
 * ellipsoid by less than 0.6 %.
 */

/**
 * The boxes that together cover a box, and do not cross the date line. A longitude of 180 is the
 * same as -180, so a box that ends at the date line has the points on both sides of it.
 */
export function plainBoxes({ west, south, east, north }: Box): Box[] {
  const spans = [[west, west <= east ? east : 180]];
  if (west > east) spans.push([-180, east]);
  else if (east === 180 && west > -180) spans.push([-180, -180]);
  else if (west === -180 && east < 180) spans.push([180, 180]);
  return spans.map(([from, to]) => ({ west: from!, south, east: to!, north }));
}

/**
 * The distance between two points in kilometres. It is exact to a metre, so that all engines say
 * the same.
 */
export const kilometresBetween = (a: Point, b: Point): number => Math.round(distance(a, b)) / 1000;

/** A box that contains all points within a distance of a point. @param radius in kilometres */
export function boxAround({ latitude, longitude }: Point, radius: number): Box {
  // A little larger, because rounding must not leave out a point on the circle.
  const angle = ((radius + 0.01) * 1000) / EARTH_RADIUS;
  const south = latitude - angle * DEGREES_PER_RADIAN;
  const north = latitude + angle * DEGREES_PER_RADIAN;
  // A circle with a pole in it has all longitudes.
  if (south <= -90 || north >= 90)
    return { west: -180, south: Math.max(south, -90), east: 180, north: Math.min(north, 90) };
  const sine = Math.sin(angle) / Math.cos(latitude / DEGREES_PER_RADIAN);
  const width = Math.asin(Math.min(1, sine)) * DEGREES_PER_RADIAN;
  const around = (value: number): number => ((((value + 180) % 360) + 360) % 360) - 180;
  return { west: around(longitude - width), south, east: around(longitude + width), north };
}

/** A row with a position, as a search finds it. */
export interface Placed {
  id: number;
  latitude: number | null;
  longitude: number | null;
}

/** How far a row is from a point in kilometres; null if its position is unknown. */
export function distanceOf(row: Placed, from: Point): number | null {
  const point = pointOf(row);
  return point && kilometresBetween(from, point);
}
