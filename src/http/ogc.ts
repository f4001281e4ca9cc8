import { setImmediate } from 'node:timers/promises';
import type { Instant } from '../../schemas/index.js';
import { type Column, INSTALLATION_COLUMNS, SITE_COLUMNS } from '../formats/columns.js';
import { type Feature, toFeature } from '../formats/geojson.js';
import { parseInstant } from '../requests/instant.js';
import { BOX_FORM } from '../requests/place.js';
import type { ExportSearch, Window } from '../store/exports.js';
import type { StoreReader } from '../store/store.js';
import { boxOf } from './parameters.js';
import { invalidParameter } from './wire/problems.js';

/** The collections of OGC API Features, and the finding of their items. */

/** A collection of features. */
export interface FeatureCollection {
  id: 'sites' | 'installations';
  title: string;
  description: string;
}

/** The collections. */
export const FEATURE_COLLECTIONS: readonly FeatureCollection[] = [
  { id: 'sites', title: 'GNSS stations', description: 'The Sites. datetime: those that had a Setup then.' },
  {
    id: 'installations',
    title: 'Equipment at GNSS stations',
    description: 'Each device in use at a Site in one configuration. datetime: what was in use then.',
  },
];

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
    throw invalidParameter({ name: 'datetime', value: text, allowed: `Allowed: ${DATETIME_FORM}.` });
  }
  // Bounds have whole seconds, so what begins at the end begins before the next second.
  return from === to || to === null ? { from, to } : { from, to: secondAfter(to) };
}

/** The next second; null after the last one that an instant can name. */
const secondAfter = (instant: Instant): Instant | null =>
  instant === '9999-12-31T23:59:59Z' ? null : new Date(Date.parse(instant) + 1000).toISOString().replace('.000Z', 'Z');

/** Parses `bbox`. Of six numbers, the third and the last are heights, and have no effect. @throws {ProblemError} if it is not a box */
function flatBoxOf(text: string | undefined): ExportSearch['box'] {
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

/** Reads windows of a collection as features. */
function reading(store: StoreReader, { id }: FeatureCollection, query: ItemsQuery): (after: number) => Promise<Window<Feature>> {
  const box = flatBoxOf(query.bbox);
  const search = { filters: [], sites: null, box, countryCodes: null, during: datetimeOf(query.datetime), recordedSince: null };
  const featured = <T extends { id: number }>(columns: readonly Column<T>[], { elements, next }: Window<T>): Window<Feature> => ({
    elements: elements.map((element) => toFeature(columns, element)),
    next,
  });
  return id === 'sites'
    ? async (after) => featured(SITE_COLUMNS, await store.exports.readSites(search, after))
    : async (after) => featured(INSTALLATION_COLUMNS, await store.exports.readInstallations(search, after));
}

/**
 * Finds a page of items, in the order of their ids.
 * @param after the id after which the page begins
 * @throws {ProblemError} if a parameter is malformed
 */
export async function findItems(
  store: StoreReader,
  collection: FeatureCollection,
  query: ItemsQuery,
  { after, limit }: { after: number; limit: number },
): Promise<Window<Feature>> {
  const read = reading(store, collection, query);
  const first = Math.min(after, Number.MAX_SAFE_INTEGER);
  const features: Feature[] = [];
  for (let place: number | null = first; place !== null;) {
    const { elements, next }: Window<Feature> = await read(place);
    features.push(...elements);
    if (features.length > limit) break;
    place = next;
    // Let other requests run between two windows.
    if (place !== null) await setImmediate();
  }
  const elements = features.slice(0, limit);
  return { elements, next: features.length > limit ? elements.at(-1)!.id : null };
}

/** An item by its id; undefined if there is none. */
export async function findItem(store: StoreReader, collection: FeatureCollection, id: number): Promise<Feature | undefined> {
  if (!Number.isSafeInteger(id)) return undefined;
  const { elements } = await reading(store, collection, {})(id - 1);
  return elements.find((feature) => feature.id === id);
}
