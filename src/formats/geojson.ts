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

/** The columns that a feature has as its id and its geometry. */
const NO_PROPERTIES = ['id', 'latitude', 'longitude'];

/**
 * A feature with the columns of a table as properties. Its position is in the columns `latitude`
 * and `longitude`.
 */
export function toFeature<T extends { id: number }>(
  columns: readonly Column<T>[],
  element: T,
): Feature {
  const properties = Object.fromEntries(columns.map(([name, valueOf]) => [name, valueOf(element)]));
  const { latitude, longitude } = properties as Record<string, number | null>;
  for (const name of NO_PROPERTIES) delete properties[name];
  const geometry =
    latitude == null || longitude == null
      ? null
      : { type: 'Point' as const, coordinates: [longitude, latitude] as [number, number] };
  return { type: 'Feature', id: element.id, geometry, properties };
}

/**
 * The types of the non-text columns of Sites and installations. They leave out null, although any
 * property may be null: GDAL treats a property with two types as text.
 */
const TYPES: [schema: object, names: string[]][] = [
  [{ type: 'integer' }, ['id', 'siteId']],
  [{ type: 'number' }, ['height', 'x', 'y', 'z', 'monumentHeight']],
  [
    { type: 'number' },
    ['markerArpUpEccentricity', 'markerArpNorthEccentricity', 'markerArpEastEccentricity'],
  ],
  [{ type: 'string', format: 'date' }, ['calibrationDate']],
  [{ type: 'string', format: 'date-time' }, ['dateInstalled', 'from', 'to']],
];
const schemaOf = (column: string): object =>
  TYPES.find(([, names]) => names.includes(column))?.[0] ?? { type: 'string' };

/** The JSON Schema of the features of a table. */
export const featureSchema = <T extends { id: number }>(
  columns: readonly Column<T>[],
  title: string,
): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title,
  type: 'object',
  properties: {
    type: { const: 'Feature' },
    id: { type: 'integer' },
    geometry: { description: 'A point; null if the position is unknown.' },
    properties: {
      description:
        'Any of them is null if its value is unknown. The types do not say so, because GDAL reads a nullable number as text.',
      type: 'object',
      properties: Object.fromEntries(
        columns
          .filter(([name]) => !NO_PROPERTIES.includes(name))
          .map(([name]) => [name, schemaOf(name)]),
      ),
    },
  },
});
