import type { Cell, Column } from './columns.js';

/** The media type of GeoJSON (RFC 7946, section 12). */
export const GEOJSON_MEDIA_TYPE = 'application/geo+json;charset=UTF-8';

/** A feature: a point, or no geometry if the position is unknown. */
export interface Feature {
  type: 'Feature';
  id: number;
  geometry: { type: 'Point'; coordinates: [longitude: number, latitude: number] } | null;
  properties: Record<string, Cell>;
}

const POSITION = ['latitude', 'longitude'];

/** A feature with the columns of a table as properties. Its position is in the columns `latitude` and `longitude`. */
export function toFeature<T extends { id: number }>(columns: readonly Column<T>[], element: T): Feature {
  const properties = Object.fromEntries(columns.map(([name, valueOf]) => [name, valueOf(element)]));
  const [latitude, longitude] = POSITION.map((name) => properties[name]) as [number | null, number | null];
  for (const name of POSITION) delete properties[name];
  const geometry =
    latitude === null || longitude === null ? null : { type: 'Point' as const, coordinates: [longitude, latitude] as [number, number] };
  return { type: 'Feature', id: element.id, geometry, properties };
}
