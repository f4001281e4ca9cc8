import type { CorsSite } from '../../schemas/index.js';
import { cartesianOf } from '../formats/written-position.js';
import { cartesianPosition, geodeticPosition } from '../site-log/values/position.js';

/** The position in a header, and that of a Site. */

/** The numbers of a position in a header. */
const numbersOf = (position: string): [number, number, number] =>
  position.split(' ').map(Number) as [number, number, number];

/** X, Y and Z of a Site; where its height is unknown, with the height of a position nearby. */
function cartesianNear(
  position: string,
  location: CorsSite['location'],
): [number, number, number] | null {
  const known = cartesianOf(location);
  if (known.every((each) => each !== null)) return known as [number, number, number];
  const { latitude, longitude } = location;
  if (latitude === null || longitude === null) return null;
  const elevation = geodeticPosition(...numbersOf(position))?.elevation ?? 0;
  return cartesianPosition({ latitude, longitude, elevation });
}

/**
 * How far a position in a header is from a Site, in metres; null if that of the Site is unknown.
 */
export function distanceFrom(position: string, location: CorsSite['location']): number | null {
  const recorded = cartesianNear(position, location);
  if (recorded === null) return null;
  return Math.hypot(...numbersOf(position).map((each, index) => each - recorded[index]!));
}
