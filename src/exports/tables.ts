import type { Static, TObject } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import {
  agencyFilter,
  asOfFilter,
  deviceFilters,
  EQUIPMENT,
  EQUIPMENT_TYPES,
  type ExportName,
  placeFilters,
  propertyFilters,
  radomeTypeFilter,
  recordedSinceFilter,
  satelliteSystemFilter,
  SETUPS,
  siteFilter,
  siteFilters,
} from '../../schemas/index.js';
import {
  CHANGE_COLUMNS,
  CHANGE_SINCE_COLUMNS,
  type Column,
  FEED_COLUMNS,
  FINDING_COLUMNS,
  INSTALLATION_COLUMNS,
  SETUP_COLUMNS,
  SITE_COLUMNS,
} from '../formats/columns.js';
import { type TableFormat, TABLE_WRITERS } from '../formats/tables.js';
import type { ExportSearch } from '../store/read/exports/tables.js';
import type { Store } from '../store/store.js';
import { storeFor } from './as-of.js';
import {
  changeFilterOf,
  deviceFilterOf,
  duringOf,
  filtersOf,
  findingFilterOf,
  siteFilterOf,
  systemsOf,
} from './filters.js';
import {
  AtParameter,
  changeParameters,
  exportedChangesParameters,
  exportedFindingsParameters,
  mergeGapsOf,
  onlyParameters,
  periodParameters,
  recordTimeOf,
} from './parameters.js';
import { type IsWanted, ownTurn } from '../turns.js';

/** The properties by which Setups and installations are filtered. */
const filters = ['invalidated', 'current', 'manufacturer'];

const places = { ...siteFilter, ...placeFilters };
const times = { at: Type.Optional(AtParameter), ...periodParameters, ...recordedSinceFilter };
const devices = {
  ...deviceFilters(EQUIPMENT_TYPES),
  ...radomeTypeFilter,
  ...satelliteSystemFilter,
};

/**
 * The query of each export. The type has no filters by properties, because these are determined at
 * run time.
 */
export const EXPORT_QUERIES: Record<ExportName, TObject> = {
  sites: onlyParameters({
    q: siteFilters.q,
    ...agencyFilter,
    ...satelliteSystemFilter,
    ...places,
    at: times.at,
    ...asOfFilter,
  }),
  setups: onlyParameters({
    ...places,
    ...times,
    ...asOfFilter,
    ...propertyFilters({ ...SETUPS, filters }),
  }),
  installations: onlyParameters({
    ...devices,
    ...places,
    ...times,
    ...asOfFilter,
    ...propertyFilters({ ...EQUIPMENT, filters }),
  }),
  changes: onlyParameters(exportedChangesParameters),
  findings: onlyParameters(exportedFindingsParameters),
  feed: onlyParameters(changeParameters),
};

/** The parameters that exports have besides the filters by properties. */
type Query = Static<TObject<typeof devices & typeof places & typeof times & typeof agencyFilter>>;

/**
 * How many UTF-16 code units make a piece. Texts of over 100 kB would stay in memory until the next
 * full garbage collection.
 */
const PIECE_LENGTH = 2 ** 14;

/**
 * Text in pieces. Other requests run between two windows, and it ends early if nobody waits for it.
 */
async function* writeTable<T extends { id: number }>(
  columns: readonly Column<T>[],
  windows: AsyncIterable<T[]>,
  format: TableFormat,
  isWanted: IsWanted | undefined,
) {
  const { begin, element: write, end } = TABLE_WRITERS[format];
  let text = begin(columns);
  let isFirst = true;
  if (!(await ownTurn(isWanted))) return;
  for await (const elements of windows) {
    for (const element of elements) {
      text += write(columns, element, isFirst);
      isFirst = false;
      if (text.length < PIECE_LENGTH) continue;
      yield text;
      text = '';
    }
    if (!(await ownTurn(isWanted))) return;
  }
  text += end;
  if (text !== '') yield text;
}

/**
 * Exports elements as text, in pieces of about a hundred elements or fewer, which are read when the
 * client is ready for them.
 * @param query validated by its schema in {@link EXPORT_QUERIES}
 * @param now the current time
 * @param isWanted whether the client still waits
 * @throws {RequestRefused} before the first piece, if a parameter is malformed, or an id identifies
 *   no Site
 */
export async function exportTable(
  storeNow: Store,
  { name, format }: { name: ExportName; format: TableFormat },
  query: object,
  now: Date,
  isWanted?: IsWanted,
): Promise<AsyncGenerator<string>> {
  const store = await storeFor(storeNow, query, now);
  if (name === 'changes') {
    const asked = query as Static<TObject<typeof exportedChangesParameters>>;
    const search = {
      ...(await changeFilterOf(store, asked)),
      mergeGaps: mergeGapsOf(asked.mergeGaps),
    };
    const columns = search.recordedSince === null ? CHANGE_COLUMNS : CHANGE_SINCE_COLUMNS;
    return writeTable(columns, store.exports.readChanges(search), format, isWanted);
  }
  if (name === 'findings') {
    const asked = query as Static<TObject<typeof exportedFindingsParameters>>;
    const windows = store.exports.readFindings(await findingFilterOf(store, asked));
    return writeTable(FINDING_COLUMNS, windows, format, isWanted);
  }
  if (name === 'feed') {
    const asked = query as Static<TObject<typeof changeParameters>>;
    const windows = store.feed.readRows(await changeFilterOf(store, asked));
    return writeTable(FEED_COLUMNS, windows, format, isWanted);
  }
  const given = query as Query;
  const search: ExportSearch = {
    filters: filtersOf({ filters }, query),
    sites: await siteFilterOf(store, given),
    devices: deviceFilterOf(given),
    radomeTypes: given.radomeType ?? null,
    systems: systemsOf(given),
    during: duringOf(given),
    recordedSince: recordTimeOf('recordedSince', given.recordedSince),
  };
  switch (name) {
    case 'sites':
      return writeTable(SITE_COLUMNS, store.exports.readSites(search), format, isWanted);
    case 'setups':
      return writeTable(SETUP_COLUMNS, store.exports.readSetups(search), format, isWanted);
    case 'installations':
      return writeTable(
        INSTALLATION_COLUMNS,
        store.exports.readInstallations(search),
        format,
        isWanted,
      );
  }
}
