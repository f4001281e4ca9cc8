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
import type { Reads } from './client.js';
import { DEVICE_PROPERTIES } from './devices.js';
import { Bindings, type Condition, Selection, type Table } from './selection.js';
import { withinBox } from './site-page.js';

/** What windows are read from. The first table has the ids. */
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
  from: 'setup JOIN site ON site.id = setup.site_id',
  columns: `${SETUP_COLUMNS}, ${EXPORTED_SITE_COLUMNS}`,
  properties: SETUP_PROPERTIES,
};
const INSTALLATIONS: ExportTable = {
  ids: 'installation',
  from: 'installation JOIN equipment ON equipment.id = installation.equipment_id JOIN site ON site.id = installation.site_id',
  columns: `installation.id, installation.site_id, period_from, period_to, configuration, equipment.document AS identity, ${EXPORTED_SITE_COLUMNS}`,
  where: 'installation.superseded_at IS NULL',
  properties: DEVICE_PROPERTIES,
};
const changesWith = (mergeGaps: number): ExportTable => ({
  ids: 'change',
  from: `change JOIN site ON site.id = change.site_id
    LEFT JOIN change AS ended ON ended.id = change.counterpart_id AND ended.gap_before <= ${Math.trunc(mergeGaps)}`,
  columns: `change.id, change.site_id, change.document, ended.document AS ending, ${EXPORTED_SITE_COLUMNS}`,
  where: 'change.superseded_at IS NULL',
  properties: {},
});

/** The condition that a period overlaps another one. */
function overlapping(start: string, end: string, { from, to }: NonNullable<ExportSearch['during']>): Condition[] {
  const conditions: Condition[] = [];
  if (to !== null) conditions.push((bindings) => `${start} ${from === to ? '<=' : '<'} ${bindings.add(to)}`);
  if (from !== null) conditions.push((bindings) => `(${end} IS NULL OR ${end} > ${bindings.add(from)})`);
  return conditions;
}

function placeConditions({ sites, box, countryCodes }: Pick<ExportSearch, 'sites' | 'box' | 'countryCodes'>): Condition[] {
  const conditions: Condition[] = [];
  if (sites !== null) conditions.push((bindings) => `site.id = ANY (${bindings.add(sites)}::bigint[])`);
  if (box !== null) conditions.push(withinBox(box));
  if (countryCodes !== null) conditions.push((bindings) => `site.country_code = ANY (${bindings.add(countryCodes)})`);
  return conditions;
}

const since = (column: string, time: string | null): Condition[] =>
  time === null ? [] : [(bindings) => `${column} >= ${bindings.add(time)}`];

const VALID: Condition = () => 'setup.superseded_at IS NULL';

/** Reads windows of exports from a PostgreSQL database. */
export class PostgresExportReader implements ExportReader {
  constructor(private readonly reads: Reads) {}

  async readSites(search: ExportSearch, after: number): Promise<Window<CorsSite>> {
    const { filters, during } = search;
    const conditions = placeConditions(search);
    if (during !== null) {
      const ofSetup = [VALID, ...overlapping('effective_from', 'effective_to', during)];
      conditions.push((bindings) => {
        const clauses = ofSetup.map((condition) => condition(bindings));
        return `EXISTS (SELECT FROM setup WHERE setup.site_id = site.id AND ${clauses.join(' AND ')})`;
      });
    }
    return this.read<SiteRow, CorsSite>(SITES, filters, conditions, after, toCorsSite);
  }

  async readSetups(search: ExportSearch, after: number): Promise<Window<ExportedSetup>> {
    const { filters, during, recordedSince } = search;
    const conditions = [...placeConditions(search), ...since('setup.recorded_at', recordedSince)];
    if (during !== null) conditions.push(VALID, ...overlapping('setup.effective_from', 'setup.effective_to', during));
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
    if (time !== null)
      conditions.push((bindings) => `(change.recorded_at >= ${bindings.add(time)} OR ended.recorded_at >= ${bindings.add(time)})`);
    return this.read<ExportedChangeRow, ExportedChange>(changesWith(search.mergeGaps), [], conditions, after, toExportedChange);
  }

  private async read<Row extends { id: number }, T>(
    { ids, ...table }: ExportTable,
    filters: ExportSearch['filters'],
    conditions: Condition[],
    after: number,
    toElement: (row: Row) => T,
  ): Promise<Window<T>> {
    const id = `${ids}.id`;
    const end = after + WINDOW;
    const window: Condition = (bindings) => `${id} > ${bindings.add(after)} AND ${id} <= ${bindings.add(end)}`;
    const bindings = new Bindings();
    const selection = new Selection({ ...table, id, known: [], size: '0' }, filters, [window, ...conditions], bindings);
    const sql = selection.select(table.columns);
    return this.reads.inOneState(async (snapshot) => {
      const [rows, found] = await Promise.all([
        snapshot.all<Row>(sql, ...bindings.values),
        snapshot.get<{ last: number | null }>(`SELECT max(id) AS last FROM ${ids}`),
      ]);
      return { elements: rows.sort((a, b) => a.id - b.id).map(toElement), next: end < (found?.last ?? 0) ? end : null };
    });
  }
}
