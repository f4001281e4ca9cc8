import type { CorsSite } from '../../../schemas/index.js';
import type { ChangeExport, ExportedChange, ExportedInstallation, ExportedSetup, ExportReader, ExportSearch, Window } from '../exports.js';
import { WINDOW } from '../exports.js';
import {
  EXPORTED_SITE_COLUMNS,
  type ExportedChangeRow,
  type ExportedInstallationRow,
  type ExportedSetupRow,
  toExportedChange,
  toExportedInstallation,
  toExportedSetup,
} from '../rows/exports.js';
import { SETUP_COLUMNS, SETUP_PROPERTIES } from '../rows/setups.js';
import { SITE_PROPERTIES, type SiteRow, toCorsSite } from '../rows/sites.js';
import { changeConditions } from './changes.js';
import type { Connection } from './connection.js';
import { DEVICE_PROPERTIES } from './devices.js';
import { type Condition, Selection, type Table } from './selection.js';
import { withinBox } from './site-page.js';

/** What windows are read from. The first table has the ids; CROSS JOIN makes SQLite begin with it. */
type ExportTable = Pick<Table, 'from' | 'columns' | 'where' | 'properties'> & { ids: 'site' | 'setup' | 'installation' | 'change' };

const SITES: ExportTable = {
  ids: 'site',
  from: 'site',
  columns: 'site.*',
  where: 'site.retired_at IS NULL',
  properties: SITE_PROPERTIES,
};
const SETUPS: ExportTable = {
  ids: 'setup',
  from: 'setup CROSS JOIN site ON site.id = setup.site_id',
  columns: `${SETUP_COLUMNS}, ${EXPORTED_SITE_COLUMNS}`,
  properties: SETUP_PROPERTIES,
};
const INSTALLATIONS: ExportTable = {
  ids: 'installation',
  from: 'installation CROSS JOIN equipment ON equipment.id = installation.equipment_id CROSS JOIN site ON site.id = installation.site_id',
  columns: `installation.id, installation.site_id, period_from, period_to, configuration, equipment.document AS identity, ${EXPORTED_SITE_COLUMNS}`,
  where: 'installation.superseded_at IS NULL',
  properties: DEVICE_PROPERTIES,
};
const changesWith = (mergeGaps: number): ExportTable => ({
  ids: 'change',
  from: `change CROSS JOIN site ON site.id = change.site_id
    LEFT JOIN change AS ended ON ended.id = change.counterpart_id AND ended.gap_before <= ${Math.trunc(mergeGaps)}`,
  columns: `change.id, change.site_id, change.document, ended.document AS ending, ${EXPORTED_SITE_COLUMNS}`,
  where: 'change.superseded_at IS NULL',
  properties: {},
});

/** The condition that a period overlaps another one. */
function overlapping(start: string, end: string, { from, to }: NonNullable<ExportSearch['during']>): Condition[] {
  return [
    ...(to === null ? [] : [[`${start} ${from === to ? '<=' : '<'} ?`, to] satisfies Condition]),
    ...(from === null ? [] : [[`(${end} IS NULL OR ${end} > ?)`, from] satisfies Condition]),
  ];
}

function placeConditions({ sites, box, countryCodes }: Pick<ExportSearch, 'sites' | 'box' | 'countryCodes'>): Condition[] {
  return [
    ...(sites === null ? [] : [['site.id IN (SELECT value FROM json_each(?))', JSON.stringify(sites)] satisfies Condition]),
    ...(box === null ? [] : [withinBox(box)]),
    ...(countryCodes === null
      ? []
      : [['site.country_code IN (SELECT value FROM json_each(?))', JSON.stringify(countryCodes)] satisfies Condition]),
  ];
}

const since = (column: string, time: string | null): Condition[] => (time === null ? [] : [[`${column} >= ?`, time]]);

/** Reads windows of exports from one SQLite file. */
export class SqliteExportReader implements ExportReader {
  constructor(private readonly connection: Connection) {}

  async readSites(search: ExportSearch, after: number): Promise<Window<CorsSite>> {
    const { filters, during } = search;
    const conditions = placeConditions(search);
    if (during !== null) {
      const [clauses, values] = joined([['setup.superseded_at IS NULL'], ...overlapping('effective_from', 'effective_to', during)]);
      conditions.push([`EXISTS (SELECT 1 FROM setup WHERE setup.site_id = site.id AND ${clauses})`, ...values]);
    }
    return this.read<SiteRow, CorsSite>(SITES, filters, conditions, after, toCorsSite);
  }

  async readSetups(search: ExportSearch, after: number): Promise<Window<ExportedSetup>> {
    const { filters, during, recordedSince } = search;
    const conditions = [...placeConditions(search), ...since('setup.recorded_at', recordedSince)];
    if (during !== null)
      conditions.push(['setup.superseded_at IS NULL'], ...overlapping('setup.effective_from', 'setup.effective_to', during));
    return this.read<ExportedSetupRow, ExportedSetup>(SETUPS, filters, conditions, after, toExportedSetup);
  }

  async readInstallations(search: ExportSearch, after: number): Promise<Window<ExportedInstallation>> {
    const { filters, during, recordedSince } = search;
    const conditions = [...placeConditions(search), ...since('installation.recorded_at', recordedSince)];
    if (during !== null) conditions.push(...overlapping('period_from', 'period_to', during));
    return this.read<ExportedInstallationRow, ExportedInstallation>(INSTALLATIONS, filters, conditions, after, toExportedInstallation);
  }

  async readChanges(search: ChangeExport, after: number): Promise<Window<ExportedChange>> {
    const conditions = [...placeConditions(search), ...changeConditions(null, { ...search, recordedSince: null })];
    const { recordedSince: time } = search;
    // Not as in a search: every window would find all that was recorded since then.
    if (time !== null) conditions.push(['(change.recorded_at >= ? OR ended.recorded_at >= ?)', time, time]);
    return this.read<ExportedChangeRow, ExportedChange>(changesWith(search.mergeGaps), [], conditions, after, toExportedChange);
  }

  private read<Row extends { id: number }, T>(
    { ids, ...table }: ExportTable,
    filters: ExportSearch['filters'],
    conditions: Condition[],
    after: number,
    toElement: (row: Row) => T,
  ): Window<T> {
    const id = `${ids}.id`;
    const end = after + WINDOW;
    const window: Condition[] = [[`${id} > ?`, after], [`${id} <= ?`, end], ...conditions];
    return this.connection.inOneTransaction(() => {
      const { last } = this.connection.get<{ last: number | null }>(`SELECT max(id) AS last FROM ${ids}`)!;
      const rows = new Selection(this.connection, { ...table, id, known: [] }, filters, window).rows<Row>(table.columns);
      return { elements: rows.sort((a, b) => a.id - b.id).map(toElement), next: end < (last ?? 0) ? end : null };
    });
  }
}

/** Conditions that must all be met, as one, and the values that they bind. */
const joined = (conditions: Condition[]) =>
  [conditions.map(([sql]) => sql).join(' AND '), conditions.flatMap(([, ...values]) => values)] as const;
