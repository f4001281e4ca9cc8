import type { CorsSite } from '../../schemas/index.js';
import type { Reason } from '../findings/notes.js';
import { cartesianPosition, geodeticPosition } from '../site-log/values/position.js';

/** The position of a Site, in the form that a format needs. */

/** Whether the log gives X, Y and Z. If one is unknown, the other two say nothing alone. */
export const hasCartesian = ({ x, y, z }: CorsSite['location']): boolean =>
  x !== null && y !== null && z !== null;

/** X, Y and Z; if one is unknown, all are computed from latitude, longitude and height. */
export function cartesianOf(location: CorsSite['location']): (number | null)[] {
  const { x, y, z, latitude, longitude, height } = location;
  if (hasCartesian(location) || latitude === null || longitude === null || height === null)
    return [x, y, z];
  return cartesianPosition({ latitude, longitude, elevation: height });
}

/** Which values are unknown of a position that can be written in neither form. */
export function unknownPosition(
  location: CorsSite['location'],
): Extract<Reason, { code: 'unknown-position' }> {
  const { x, y, z, latitude, longitude, height } = location;
  const values = Object.entries({ X: x, Y: y, Z: z, latitude, longitude, height });
  const unknown = values.filter(([, value]) => value === null).map(([name]) => name);
  return { code: 'unknown-position', unknown };
}

/**
 * Latitude, longitude and height; if one is unknown, all are computed from X, Y and Z. Null if
 * these are unknown too.
 */
export function geodeticOf({ x, y, z, latitude, longitude, height }: CorsSite['location']) {
  if (latitude !== null && longitude !== null && height !== null)
    return { latitude, longitude, height };
  const computed = x === null || y === null || z === null ? null : geodeticPosition(x, y, z);
  return (
    computed && {
      latitude: computed.latitude,
      longitude: computed.longitude,
      height: computed.elevation,
    }
  );
}
