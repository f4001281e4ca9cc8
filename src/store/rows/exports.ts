import type { CorsSite } from '../../../schemas/index.js';
import type { Box } from '../../requests/place.js';
import type { Identity } from '../devices.js';
import {
  type ChangeExport,
  type ExportedChange,
  type ExportedInstallation,
  type ExportedSetup,
  type ExportedSite,
  type ExportReader,
  type ExportSearch,
  type ItemSearch,
  type Window,
  WINDOW,
} from '../exports.js';
import type { Ordered } from '../page-order.js';
import { readable } from '../setups.js';
import { type SiteChangeRow, toSiteChange } from './changes.js';
import { periodOf } from './installations.js';
import { SETUP_COLUMNS, SETUP_PROPERTIES, type SetupRow, toSetup } from './setups.js';
import { neededWordsOf, SITE_PROPERTIES, type SiteRow, toCorsSite } from './sites.js';

/** The columns of the Site of an exported element. */
const SITE_COLUMNS = 'four_character_id, nine_character_id, site.name AS site_name, latitude, longitude';

/** The Site of an exported element. */
interface ExportedSiteRow {
  four_character_id: string;
  nine_character_id: string | null;
  site_name: string | null;
  latitude: number | null;
  longitude: number | null;
}

/** A Setup with its Site. */
type ExportedSetupRow = SetupRow & ExportedSiteRow;

/** An installation with its Site and device. */
interface ExportedInstallationRow extends ExportedSiteRow {
  id: number;
  site_id: number;
  period_from: string;
  period_to: string | null;
  configuration: string;
  /** The identity of the device, as JSON. */
  identity: string;
}

/** A change with its Site. `ending` is an installation that ends the gap after it, `ending_gap` the length of that gap in seconds. */
type ExportedChangeRow = SiteChangeRow & ExportedSiteRow & { id: number; ending_gap: number | null };

const toSite = (row: ExportedSiteRow): ExportedSite => ({
  fourCharacterId: row.four_character_id,
  nineCharacterId: row.nine_character_id,
  name: row.site_name,
  latitude: row.latitude,
  longitude: row.longitude,
});

/** A Setup to export. */
const toExportedSetup = (row: ExportedSetupRow): ExportedSetup => ({ ...readable(toSetup(row)), site: toSite(row) });

/** An installation to export. */
const toExportedInstallation = (row: ExportedInstallationRow): ExportedInstallation => ({
  id: row.id,
  siteId: row.site_id,
  site: toSite(row),
  device: JSON.parse(row.identity) as Identity,
  period: periodOf(row),
  configuration: JSON.parse(row.configuration) as ExportedInstallation['configuration'],
});

/** A change to export. @param mergeGaps how long the gap in a change may be, in seconds */
const toExportedChange = ({ ending, ending_gap, ...row }: ExportedChangeRow, mergeGaps: number): ExportedChange => ({
  ...toSiteChange({ ...row, ending: ending_gap !== null && ending_gap <= mergeGaps ? ending : null }),
  id: row.id,
  site: toSite(row),
});

/** The search for everything. */
const ALL: ExportSearch = { filters: [], sites: null, box: null, countryCodes: null, during: null, recordedSince: null };

/** What windows are read from. The first table has the ids. */
export interface ExportTable extends Pick<Ordered, 'properties'> {
  ids: 'site' | 'setup' | 'installation' | 'change';
  from: string;
  columns: string;
  where?: string;
}

/** A condition as SQL, with `?` for each value that it binds. */
export type Clause = [sql: string, ...values: (string | number)[]];

/** What windows of an engine differ in. */
export interface ExportDialect<Condition> {
  /** Joins another table to the rows of a window, so that the engine begins with these. */
  join: 'JOIN' | 'CROSS JOIN';
  deviceProperties: Ordered['properties'];
  toCondition: (clause: Clause) => Condition;
  isOneOf: (column: string, values: string[] | number[]) => Condition;
  withinBox: (box: Box) => Condition;
  /** The condition that a Site matches all words, now or in the past. */
  hadWords: (words: string[]) => Condition;
  /** The conditions that a device matches all words. */
  ofDevices: (words: string[]) => Condition[];
  /** The conditions of a search for changes. */
  ofChanges: (search: ChangeExport) => Condition[];
  /** Reads the rows of a window, in any order, and the last id of the table; null if it is empty. */
  read: (table: ExportTable, filters: ExportSearch['filters'], conditions: Condition[]) => Promise<{ rows: object[]; last: number | null }>;
  /** Reads the first rows after an id, in the order of the ids. */
  readFirst: (table: ExportTable, conditions: Condition[], place: { after: number; most: number }) => Promise<object[]>;
}

/** The conditions that a period overlaps another one. */
function overlapping(start: string, end: string, { from, to }: NonNullable<ExportSearch['during']>): Clause[] {
  const clauses: Clause[] = [];
  if (to !== null) clauses.push([`${start} ${from === to ? '<=' : '<'} ?`, to]);
  if (from !== null) clauses.push([`(${end} IS NULL OR ${end} > ?)`, from]);
  return clauses;
}

const since = (column: string, time: string | null): Clause[] => (time === null ? [] : [[`${column} >= ?`, time]]);

/** Reads windows of exports. */
export class ExportWindows<Condition> implements ExportReader {
  private readonly tables: Record<'sites' | 'setups' | 'installations' | 'changes', ExportTable>;

  constructor(private readonly dialect: ExportDialect<Condition>) {
    const { join, deviceProperties } = dialect;
    this.tables = {
      sites: { ids: 'site', from: 'site', columns: 'site.*', where: 'site.retired_at IS NULL', properties: SITE_PROPERTIES },
      setups: {
        ids: 'setup',
        from: `setup ${join} site ON site.id = setup.site_id`,
        columns: `${SETUP_COLUMNS}, ${SITE_COLUMNS}`,
        properties: SETUP_PROPERTIES,
      },
      installations: {
        ids: 'installation',
        from: `installation ${join} equipment ON equipment.id = installation.equipment_id ${join} site ON site.id = installation.site_id`,
        columns: `installation.id, installation.site_id, period_from, period_to, configuration, equipment.document AS identity, ${SITE_COLUMNS}`,
        where: 'installation.superseded_at IS NULL',
        properties: deviceProperties,
      },
      changes: {
        ids: 'change',
        from: `change ${join} site ON site.id = change.site_id LEFT JOIN change AS ended ON ended.id = change.counterpart_id`,
        columns: `change.id, change.site_id, change.document, ended.document AS ending, ended.gap_before AS ending_gap, ${SITE_COLUMNS}`,
        where: 'change.superseded_at IS NULL',
        properties: {},
      },
    };
  }

  readSites(search: ExportSearch, after: number): Promise<Window<CorsSite>> {
    return this.read<SiteRow, CorsSite>(this.tables.sites, search.filters, this.ofSites(search), after, toCorsSite);
  }

  async findSites(search: ItemSearch, after: number, most: number): Promise<CorsSite[]> {
    const rows = await this.dialect.readFirst(this.tables.sites, this.ofSites({ ...ALL, ...search }), { after, most });
    return (rows as SiteRow[]).map(toCorsSite);
  }

  private ofSites(search: ExportSearch): Condition[] {
    const { during } = search;
    const clauses: Clause[] = [];
    if (during !== null) {
      const ofSetup: Clause[] = [['setup.superseded_at IS NULL'], ...overlapping('effective_from', 'effective_to', during)];
      const all = ofSetup.map(([sql]) => sql).join(' AND ');
      const values = ofSetup.flatMap(([, ...bound]) => bound);
      clauses.push([`EXISTS (SELECT 1 FROM setup WHERE setup.site_id = site.id AND ${all})`, ...values]);
    }
    const words = neededWordsOf(search.text ?? '');
    return [...this.conditions(search, clauses), ...(words.length === 0 ? [] : [this.dialect.hadWords(words)])];
  }

  readSetups(search: ExportSearch, after: number): Promise<Window<ExportedSetup>> {
    const { filters, during, recordedSince } = search;
    const clauses = since('setup.recorded_at', recordedSince);
    if (during !== null)
      clauses.push(['setup.superseded_at IS NULL'], ...overlapping('setup.effective_from', 'setup.effective_to', during));
    return this.read<ExportedSetupRow, ExportedSetup>(
      this.tables.setups,
      filters,
      this.conditions(search, clauses),
      after,
      toExportedSetup,
    );
  }

  readInstallations(search: ExportSearch, after: number): Promise<Window<ExportedInstallation>> {
    const conditions = this.ofInstallations(search);
    return this.read<ExportedInstallationRow, ExportedInstallation>(
      this.tables.installations,
      search.filters,
      conditions,
      after,
      toExportedInstallation,
    );
  }

  async findInstallations(search: ItemSearch, after: number, most: number): Promise<ExportedInstallation[]> {
    const conditions = this.ofInstallations({ ...ALL, ...search });
    const rows = await this.dialect.readFirst(this.tables.installations, conditions, { after, most });
    return (rows as ExportedInstallationRow[]).map(toExportedInstallation);
  }

  private ofInstallations(search: ExportSearch): Condition[] {
    const { during, recordedSince } = search;
    const clauses = since('installation.recorded_at', recordedSince);
    if (during !== null) clauses.push(...overlapping('period_from', 'period_to', during));
    return [...this.conditions(search, clauses), ...this.dialect.ofDevices(neededWordsOf(search.text ?? ''))];
  }

  readChanges(search: ChangeExport, after: number): Promise<Window<ExportedChange>> {
    const { mergeGaps, recordedSince: time } = search;
    // Not as in a search: every window would find all that was recorded since then.
    const clauses: Clause[] =
      time === null ? [] : [['(change.recorded_at >= ? OR (ended.gap_before <= ? AND ended.recorded_at >= ?))', time, mergeGaps, time]];
    const conditions = [...this.conditions(search, clauses), ...this.dialect.ofChanges({ ...search, recordedSince: null })];
    return this.read<ExportedChangeRow, ExportedChange>(this.tables.changes, [], conditions, after, (row) =>
      toExportedChange(row, mergeGaps),
    );
  }

  /** The conditions of a search: on the Sites, and some more. */
  private conditions({ sites, box, countryCodes }: Pick<ExportSearch, 'sites' | 'box' | 'countryCodes'>, clauses: Clause[]): Condition[] {
    const { toCondition, isOneOf, withinBox } = this.dialect;
    return [
      ...(sites === null ? [] : [isOneOf('site.id', sites)]),
      ...(box === null ? [] : [withinBox(box)]),
      ...(countryCodes === null ? [] : [isOneOf('site.country_code', countryCodes)]),
      ...clauses.map(toCondition),
    ];
  }

  private async read<Row extends { id: number }, T>(
    table: ExportTable,
    filters: ExportSearch['filters'],
    conditions: Condition[],
    after: number,
    toElement: (row: Row) => T,
  ): Promise<Window<T>> {
    const end = after + WINDOW;
    const window = this.dialect.toCondition([`${table.ids}.id > ? AND ${table.ids}.id <= ?`, after, end]);
    const { rows, last } = await this.dialect.read(table, filters, [window, ...conditions]);
    const elements = (rows as Row[]).sort((a, b) => a.id - b.id).map(toElement);
    return { elements, next: end < (last ?? 0) ? end : null };
  }
}
