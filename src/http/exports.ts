import { setImmediate } from 'node:timers/promises';
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import {
  collectionQuery,
  CORS_SITES,
  EQUIPMENT,
  type ExportName,
  deviceWordsParameters,
  placeParameters,
  siteParameters,
  RecordedSinceParameter,
  SETUPS,
  SiteIdsParameter,
} from '../../schemas/index.js';
import { boxAround, kilometresBetween } from '../derive/places.js';
import { CHANGE_COLUMNS, type Column, INSTALLATION_COLUMNS, SETUP_COLUMNS, SITE_COLUMNS } from '../formats/columns.js';
import { type TableFormat, TABLE_WRITERS } from '../formats/tables.js';
import { parseSiteId } from '../requests/site-id.js';
import type { ExportSearch } from '../store/read/export-tables.js';
import type { Store } from '../store/store.js';
import { filtersOf } from './hal.js';
import { ofKnownSites, siteUrl } from './known-site.js';
import { AtParameter, boxOf, changeParameters, instantOf, mergeGapsOf, nearOf, only, periodOf, recordTimeOf } from './parameters.js';
import { invalidParameter } from './wire/problems.js';

const { page: _page, size: _size, ...changeFilters } = changeParameters;
const { from, to } = changeFilters;

/** The filters of a collection. Paging and projections are not for exports. */
function filtersFor(collection: typeof CORS_SITES | typeof SETUPS | typeof EQUIPMENT): TProperties {
  const { properties } = collectionQuery({ ...collection, projections: [], parameters: {} });
  const { page: _none, size: _nor, sort: _neither, ...filters } = properties as TProperties;
  return filters;
}

const place = {
  ...placeParameters,
  near: Type.Optional(
    Type.String({ ...placeParameters.near, description: 'A point: latitude,longitude in degrees. Only together with radius.' }),
  ),
};
const siteWords = {
  q: Type.Optional(
    Type.String({
      ...siteParameters.q,
      description:
        'Words that must all appear in the ids, name, DOMES number or place of a Site, or in its current or former equipment; case and accents are ignored.',
    }),
  ),
};
const at = { at: Type.Optional(AtParameter) };
const recordedSince = { recordedSince: Type.Optional(RecordedSinceParameter) };
const id = { id: Type.Optional(SiteIdsParameter) };

/** The parameters that exports handle themselves; the others are filters. */
type Query = Static<TObject<typeof siteWords & typeof place & typeof at & typeof recordedSince & typeof id & typeof changeFilters>>;

/** The query of each export. The type has no filters, because these are determined at run time. */
export const EXPORT_QUERIES: Record<ExportName, TObject> = {
  sites: only({ ...filtersFor(CORS_SITES), ...siteWords, ...place, ...at }),
  setups: only({ ...filtersFor(SETUPS), ...place, ...at, ...recordedSince }),
  installations: only({ ...filtersFor(EQUIPMENT), ...deviceWordsParameters, ...id, ...place, ...at, from, to, ...recordedSince }),
  changes: only({ ...changeFilters, ...id, ...place }),
};

/** An element of an export: its id, and its position or that of its Site. */
type Element = { id: number } & ({ location: Position } | { site: Position });
type Position = { latitude: number | null; longitude: number | null };

/** The elements of an export, in windows, and its columns. */
interface Source<T extends Element> {
  columns: readonly Column<T>[];
  windows: AsyncIterable<T[]>;
}

const positionOf = (element: Element): Position => ('location' in element ? element.location : element.site);

/** The search that a query stands for. @throws {ProblemError} if a parameter is malformed, or an id identifies no Site */
async function searchOf(store: Store, base: string, name: ExportName, query: Query) {
  const near = nearOf(query.near, query.radius);
  if (near !== null && near.radius === null) {
    throw invalidParameter({ name: 'near', value: query.near!, allowed: 'Allowed only together with radius.' });
  }
  if (query.at !== undefined && (query.from ?? query.to) !== undefined) {
    throw invalidParameter({ name: 'at', value: query.at, allowed: 'Allowed only without from and to.' });
  }
  const box = boxOf(query.bbox);
  const collection = { sites: CORS_SITES, setups: SETUPS, installations: EQUIPMENT, changes: { properties: [] } }[name];
  const ids = name === 'sites' || name === 'setups' ? undefined : query.id;
  const sites = ids === undefined ? null : ofKnownSites(await store.sites.findNumbers(ids.map(parseSiteId)), () => siteUrl(base));
  const period = periodOf({ names: ['from', 'to'], from: query.from, to: query.to });
  const instant = query.at === undefined ? null : instantOf('at', query.at);
  const during = instant === null ? ((query.from ?? query.to) === undefined ? null : period) : { from: instant, to: instant };
  const search: ExportSearch = {
    text: query.q ?? '',
    filters: filtersOf(collection, query),
    sites,
    box: box ?? (near?.radius == null ? null : boxAround(near, near.radius)),
    countryCodes: query.countryCode?.map((code) => code.toUpperCase()) ?? null,
    during,
    recordedSince: recordTimeOf('recordedSince', query.recordedSince),
  };
  const changes = { ...search, ...period, equipmentType: query.equipmentType ?? null, mergeGaps: mergeGapsOf(query.mergeGaps) };
  /** Whether an element is near enough. A box around a circle has more. */
  const isNear = (element: Element): boolean => {
    const { latitude, longitude } = positionOf(element);
    if (near === null) return true;
    return (
      latitude !== null && longitude !== null && (near.radius === null || kilometresBetween(near, { latitude, longitude }) <= near.radius)
    );
  };
  return { search, changes, isNear };
}

/** How many UTF-16 code units make a piece. Texts of over 100 kB would stay in memory until the next full garbage collection. */
const PIECE = 2 ** 14;

/** Text in pieces, with a turn of the event loop after each window. */
async function* written<T extends Element>({ columns, windows }: Source<T>, format: TableFormat, isWanted: (element: T) => boolean) {
  const { begin, element: write, end } = TABLE_WRITERS[format];
  let text = begin(columns);
  let isFirst = true;
  for await (const elements of windows) {
    // Release each element once it is written. Otherwise some survive minor garbage collections: 40 MB until the next full one.
    for (let element = elements.shift(); element !== undefined; element = elements.shift()) {
      if (!isWanted(element)) continue;
      text += write(columns, element, isFirst);
      isFirst = false;
      if (text.length < PIECE) continue;
      yield text;
      text = '';
    }
    if (text !== '') yield text;
    text = '';
    // Let other requests run between two windows.
    await setImmediate();
  }
  // Without any window, what begins the table is still to be sent.
  text += end;
  if (text !== '') yield text;
}

/**
 * Exports elements as text, in pieces of about a hundred elements or fewer, which are read when the client is ready for them.
 * @param base the URL of the service, for links in problems
 * @param query validated by its schema in {@link EXPORT_QUERIES}
 * @throws {ProblemError} before the first piece, if a parameter is malformed, or an id identifies no Site
 */
export async function exportTable(
  store: Store,
  base: string,
  { name, format }: { name: ExportName; format: TableFormat },
  query: object,
): Promise<AsyncGenerator<string>> {
  const { search, changes, isNear } = await searchOf(store, base, name, query);
  const { exports } = store;
  switch (name) {
    case 'sites':
      return written({ columns: SITE_COLUMNS, windows: exports.readSites(search) }, format, isNear);
    case 'setups':
      return written({ columns: SETUP_COLUMNS, windows: exports.readSetups(search) }, format, isNear);
    case 'installations':
      return written({ columns: INSTALLATION_COLUMNS, windows: exports.readInstallations(search) }, format, isNear);
    case 'changes':
      return written({ columns: CHANGE_COLUMNS, windows: exports.readChanges(changes) }, format, isNear);
  }
}
