import type { TInteger, TOptional, TProperties, TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { type Collection, type ProjectionName, PROJECTIONS, type Property } from './collections.js';
import { DEFAULT_PAGE_SIZE, MAXIMUM_PAGE_SIZE } from './hal.js';
import { divided, EITHER, enumOf, unlisted } from './values.js';

/** How many elements the pages of a list have. */
interface PageSizes {
  /** The number if a request does not specify one. */
  byDefault: number;
  /** The largest number. A request for more gets this. */
  most: number;
}

/**
 * The key of the {@link PageSizes} in the schema of a parameter. The published contract describes
 * them in words.
 */
export const PAGE_SIZES = Symbol('page sizes');

/** The schema of a parameter for the size of a page. */
export type SizeParameter = TOptional<TInteger> & { [PAGE_SIZES]: PageSizes };

/**
 * The parameter for the size of a page.
 * @param what the elements, as the description names them
 */
export function sizeParameter(what: string, sizes: PageSizes): SizeParameter {
  const { byDefault, most } = sizes;
  const description = `${what} per page. Default: ${byDefault}. More than ${most} means ${most}.`;
  const schema = Type.Optional(Type.Integer({ minimum: 1, description }));
  return Object.assign(schema, { [PAGE_SIZES]: sizes });
}

/** The parameters for the page and its size. @param most the largest page */
export const pageAndSizeUpTo = (most: number) => ({
  page: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Page number, starting at 0. Default: 0.',
    }),
  ),
  size: sizeParameter('Elements', { byDefault: DEFAULT_PAGE_SIZE, most }),
});

/** The parameters for the page and its size, for most lists. */
export const pageAndSize = pageAndSizeUpTo(MAXIMUM_PAGE_SIZE);

/** Divides a sort order at commas: `asc` and `desc` belong to the property before them. */
export const divideSort = (text: string): string[] => text.split(/,(?!(?:asc|desc)(?:,|$))/);

/** The parameter for the sort order. @param names of the properties to sort by */
export const sortParameter = (names: readonly string[]) =>
  divided(
    Type.Optional(
      Type.Array(
        Type.String({
          pattern: `^(${names.map((name) => name.replace('.', '\\.')).join('|')})(,(asc|desc))?$`,
        }),
        {
          maxItems: 10,
          description:
            'The sort order: property, or property,asc or property,desc. Of several, repeated ' +
            'or with commas between them, the first counts most. Unknown values come last. ' +
            `Properties: ${names.join(', ')}.`,
        },
      ),
    ),
    divideSort,
  );

/** The parameters for the page, its size and the sort order. */
export const pagingParameters = ({ properties }: Pick<Collection, 'properties'>) => ({
  ...pageAndSize,
  sort: sortParameter(properties.map(({ name }) => name)),
});

/** The `projection` parameter, if the collection has projections. */
export function projectionParameter<P extends ProjectionName>({
  projections,
}: {
  projections: readonly P[];
}) {
  const known = projections.map((name) => `${name} (${PROJECTIONS[name]})`).join(', ');
  const parameter = { projection: Type.Optional(enumOf(projections, `One of: ${known}.`)) };
  // Without projections, P is never, so no value can be passed.
  return (projections.length === 0 ? {} : parameter) as typeof parameter;
}

const VALUES: Record<Property['type'], TSchema> = {
  string: Type.String({ minLength: 1, maxLength: 500 }),
  integer: Type.Integer({ minimum: 0 }),
  number: Type.Number(),
  boolean: Type.Boolean(),
};

/** Properties whose values are texts, but contain no comma. */
const WITHOUT_COMMA = ['fourCharacterId', 'nineCharacterId', 'domesNumber', 'datePrepared'];

/** The filter by a property: exact, or in either case. */
function propertyFilter(
  { name, type, values, description }: Property,
  ignoresCase: boolean,
): TSchema {
  const value =
    values === undefined ? VALUES[type] : Type.Union(values.map((each) => Type.Literal(each)));
  const allowed = values === undefined ? '' : ` One of: ${values.join(', ')}.`;
  const match = ignoresCase ? 'In either case.' : 'Exact match.';
  const isPlain = type !== 'string' || values !== undefined || WITHOUT_COMMA.includes(name);
  const several = isPlain ? EITHER : 'Repeated values are ORed.';
  const filter = Type.Optional(
    Type.Array(value, {
      maxItems: 50,
      description: `${description}${allowed} ${match} ${several}`,
    }),
  );
  return isPlain ? divided(filter) : filter;
}

/** What defines the filters by properties of a collection. */
type FilteredProperties = Pick<
  Collection,
  'properties' | 'filters' | 'unlistedFilters' | 'caselessFilters'
>;

/** The filters by properties of a collection. */
export function propertyFilters({
  properties,
  filters,
  unlistedFilters = [],
  caselessFilters = [],
}: FilteredProperties): TProperties {
  const filtered = properties.filter(({ name }) => filters.includes(name));
  return Object.fromEntries(
    filtered.map((property) => {
      const filter = propertyFilter(property, caselessFilters.includes(property.name));
      return [property.name, unlistedFilters.includes(property.name) ? unlisted(filter) : filter];
    }),
  );
}

/**
 * The schema of the query of a collection: paging, sorting, projection, its own parameters, and
 * filters by properties. The type has only the first three, because the others are determined at
 * run time.
 */
export function collectionQuery<P extends ProjectionName>(
  collection: FilteredProperties & Pick<Collection<TSchema, P>, 'projections' | 'parameters'>,
) {
  const named = { ...pagingParameters(collection), ...projectionParameter(collection) };
  return Type.Object(
    { ...named, ...collection.parameters, ...propertyFilters(collection) },
    { additionalProperties: false },
  );
}
