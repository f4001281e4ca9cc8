import type { Instant } from '../../schemas/index.js';
import { type Column, INSTALLATION_COLUMNS, SITE_COLUMNS } from '../formats/columns.js';
import { type Feature, featureSchema, toFeature } from '../formats/geojson.js';
import { parseInstant, whyNoInstant } from '../requests/instant.js';
import { BOX_FORM } from '../requests/place.js';
import { EVERYTHING, type ExportSearch } from '../store/read/export-tables.js';
import { ALL_SITES, type SiteFilter } from '../store/read/filters.js';
import type { Store } from '../store/store.js';
import { boxOf } from './filters.js';
import { allowedTime } from './parameters.js';
import { invalidParameter } from './wire/problems.js';

/** The collections of OGC API Features, and the finding of their items. */

/** A collection of features. */
export interface FeatureCollection {
  id: 'sites' | 'installations';
  title: string;
  description: string;
}

/** The collections. */
export const FEATURE_COLLECTIONS: Record<FeatureCollection['id'], FeatureCollection> = {
  sites: { id: 'sites', title: 'GNSS stations', description: 'The Sites. datetime: those that had a Setup then.' },
  installations: {
    id: 'installations',
    title: 'Equipment at GNSS stations',
    description: 'Each device in use at a Site in one configuration. datetime: what was in use then.',
  },
};

/** The JSON Schema of the features of a collection. */
export const schemaOf = ({ id, title }: FeatureCollection): object =>
  id === 'sites' ? featureSchema(SITE_COLUMNS, title) : featureSchema(INSTALLATION_COLUMNS, title);

/** What `datetime` accepts. */
export const DATETIME_FORM = 'an instant, or two with a slash between them, of which one may be left out or be ".."';

/** Parses `datetime`, whose end is inclusive; null if it is left out. @throws {ProblemError} if it is neither an instant nor a period */
export function datetimeOf(text: string | undefined): ExportSearch['during'] {
  if (text === undefined) return null;
  const bounds = text.split('/', 3).map((bound) => (bound === '' || bound === '..' ? null : (parseInstant(bound) ?? undefined)));
  const [from, to] = bounds.length === 1 ? [bounds[0], bounds[0]] : bounds;
  const isOpen = bounds.length === 1 && from === null;
  const isBackwards = typeof from === 'string' && typeof to === 'string' && to < from;
  if (bounds.length > 2 || from === undefined || to === undefined || isOpen || isBackwards) {
    const why = text.split('/', 2).map(whyNoInstant).find(Boolean) ?? null;
    throw invalidParameter({ name: 'datetime', value: text, allowed: allowedTime(why, `${DATETIME_FORM}.`) });
  }
  // Bounds have whole seconds, so what begins at the end begins before the next second.
  return from === to || to === null ? { from, to } : { from, to: secondAfter(to) };
}

/** The next second; null after the last one that an instant can name. */
const secondAfter = (instant: Instant): Instant | null =>
  instant === '9999-12-31T23:59:59Z' ? null : new Date(Date.parse(instant) + 1000).toISOString().replace('.000Z', 'Z');

/** Parses `bbox`. Of six numbers, the third and the last are heights, and have no effect. @throws {ProblemError} if it is not a box */
function flatBoxOf(text: string | undefined): SiteFilter['box'] {
  const numbers = text?.split(',', 7);
  if (numbers?.length !== 6) return boxOf(text);
  if (numbers.some((each) => !/^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i.test(each))) {
    throw invalidParameter({ name: 'bbox', value: text!, allowed: `Allowed: ${BOX_FORM}.` });
  }
  return boxOf([numbers[0], numbers[1], numbers[3], numbers[4]].join(','));
}

/** The parameters that choose items. */
export interface ItemsQuery {
  bbox?: string;
  datetime?: string;
}

/** What the parameters choose. @throws {ProblemError} if one is malformed */
const searchOf = ({ bbox, datetime }: ItemsQuery): ExportSearch => ({
  ...EVERYTHING,
  sites: { ...ALL_SITES, box: flatBoxOf(bbox) },
  during: datetimeOf(datetime),
});

/** Reads the first items after an id as features. */
async function readFeatures(
  { exports }: Store,
  { id }: FeatureCollection,
  search: ExportSearch,
  after: number,
  most: number,
): Promise<Feature[]> {
  const featured = <T extends { id: number }>(columns: readonly Column<T>[], elements: T[]): Feature[] =>
    elements.map((element) => toFeature(columns, element));
  return id === 'sites'
    ? featured(SITE_COLUMNS, await exports.findSites(search, after, most))
    : featured(INSTALLATION_COLUMNS, await exports.findInstallations(search, after, most));
}

/** Items in the order of their ids. */
interface Items {
  features: Feature[];
  /** The id after which the next page begins; null if there is none. */
  next: number | null;
  /** How many there are on all pages. */
  numberMatched: number;
}

/**
 * Finds a page of items, in the order of their ids.
 * @param after the id after which the page begins
 * @throws {ProblemError} if a parameter is malformed
 */
export async function findItems(
  store: Store,
  collection: FeatureCollection,
  query: ItemsQuery,
  { after, limit }: { after: number; limit: number },
): Promise<Items> {
  const search = searchOf(query);
  const found = await readFeatures(store, collection, search, Math.min(after, Number.MAX_SAFE_INTEGER), limit + 1);
  const features = found.slice(0, limit);
  const numberMatched = await store.exports.count(collection.id, search);
  return { features, next: found.length > limit ? features.at(-1)!.id : null, numberMatched };
}

/** An item by its id; undefined if there is none. */
export async function findItem(store: Store, collection: FeatureCollection, id: number): Promise<Feature | undefined> {
  if (!Number.isSafeInteger(id)) return undefined;
  const [first] = await readFeatures(store, collection, EVERYTHING, id - 1, 1);
  return first?.id === id ? first : undefined;
}
