import type { Cell, Column, ColumnType } from './columns.js';

/** The media type of GeoJSON (RFC 7946, section 12). */
export const GEOJSON_MEDIA_TYPE = 'application/geo+json;charset=UTF-8';

/** The columns that a feature has as its id and its geometry. */
const NO_PROPERTIES = ['id', 'latitude', 'longitude'];

/** The columns that a feature has as its properties. */
const propertiesOf = <T>(columns: readonly Column<T>[]): Column<T>[] =>
  columns.filter(([name]) => !NO_PROPERTIES.includes(name));

/**
 * A value as JSON. A whole number has a decimal point if others of its column may have fractions:
 * readers such as QGIS take the type of a column from its first values.
 */
function valueText(value: Cell, type: ColumnType | undefined): string {
  const text = JSON.stringify(value);
  return type === 'decimal' && /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/**
 * A feature as JSON, with the columns of a table as properties. It is a point, from the columns
 * `latitude` and `longitude`, or has no geometry if these are unknown.
 * @param more further members of the feature
 */
export function featureText<T extends { id: number }>(
  columns: readonly Column<T>[],
  element: T,
  more: object = {},
): string {
  const properties = propertiesOf(columns).map(
    ([name, valueOf, type]) => `${JSON.stringify(name)}:${valueText(valueOf(element), type)}`,
  );
  const geometry = JSON.stringify(pointOf(columns, element));
  const members = Object.entries(more).map(
    ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return (
    `{"type":"Feature","id":${element.id},"geometry":${geometry},` +
    `"properties":{${properties.join(',')}}${members.join('')}}`
  );
}

/** The point of an element; null if its position is unknown. */
function pointOf<T>(columns: readonly Column<T>[], element: T): object | null {
  const [longitude, latitude] = ['longitude', 'latitude'].map(
    (name) => columns.find(([each]) => each === name)?.[1](element) ?? null,
  );
  if (longitude === null || latitude === null) return null;
  return { type: 'Point', coordinates: [longitude, latitude] };
}

/** The version of JSON Schema of both schemas. */
const $schema = 'https://json-schema.org/draft/2020-12/schema';

/**
 * The type of a property in {@link featureSchema}. It leaves out null, although any property may be
 * null: GDAL reads a property with two types as text. Dates have no format: with one, GDAL would
 * not compare dates itself, but ask for `datetime`, which finds what was in use then.
 */
const typeInFeature = (type: ColumnType | undefined): object => {
  if (type === 'integer') return { type };
  return { type: type === 'decimal' ? 'number' : 'string' };
};

/** The JSON Schema of the features of a table, as GDAL reads it. */
export const featureSchema = <T>(columns: readonly Column<T>[], title: string): object => ({
  $schema,
  title,
  type: 'object',
  properties: {
    type: { const: 'Feature' },
    id: { type: 'integer' },
    geometry: { description: 'A point; null if the position is unknown.' },
    properties: {
      description:
        'Any of them is null if its value is unknown. The types do not say so, because GDAL ' +
        'reads a nullable number as text.',
      type: 'object',
      properties: Object.fromEntries(
        propertiesOf(columns).map(([name, , type]) => [name, typeInFeature(type)]),
      ),
    },
  },
});

/** What a property means for programs, as Part 5 of OGC API Features names it. */
const ROLES = new Map([
  ['from', 'primary-interval-start'],
  ['to', 'primary-interval-end'],
]);

/** The type of a property in {@link propertiesSchema}. */
function typeInProperties([name, , type]: Column<never>): object {
  const role = ROLES.get(name);
  return {
    ...typeInFeature(type),
    ...((type === 'date' || type === 'date-time') && { format: type }),
    ...(role !== undefined && { 'x-ogc-role': role }),
  };
}

/**
 * The JSON Schema of the properties of a table, with its geometry, as Part 5 of OGC API Features
 * describes a collection: flat, and dates have their formats.
 * @param url its own URL
 */
export const propertiesSchema = <T>(
  columns: readonly Column<T>[],
  title: string,
  url: string,
): object => ({
  $schema,
  $id: url,
  title,
  type: 'object',
  properties: {
    id: { type: 'integer', 'x-ogc-role': 'id' },
    geometry: { format: 'geometry-point', 'x-ogc-role': 'primary-geometry' },
    ...Object.fromEntries(
      propertiesOf(columns).map((column) => [column[0], typeInProperties(column)]),
    ),
  },
});
