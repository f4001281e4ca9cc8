import sql, { raw, type Sql } from 'sql-template-tag';
import type { CorsSite, ExportedChange, ExportedInstallation, ExportedSetup, Instant, Setup } from '../../../schemas/index.js';
import { neededWordsOf } from '../../derive/summary.js';
import type { Reads } from '../database.js';
import { allOf } from '../dialect.js';
import { countFrom, filtersOn, overlapping, selectFrom } from '../page.js';
import { changeConditions } from './changes.js';
import {
  type ChangeExport,
  changesWith,
  EXPORTED_SITES,
  type ExportSearch,
  type ExportTable,
  INSTALLATIONS,
  SETUPS,
} from './export-tables.js';
import { atSites, recordedSince, siteConditions, typeConditions, withRadome, withSerialNumber, withWords } from './filters.js';
import { UNKNOWN_START } from '../schema.js';
import { setupsOfSites } from './setups.js';
import { hadWords } from './site-page.js';
import { ALPHABETICAL, type SiteRow, SITES, toCorsSite } from './site-rows.js';

/** Sites, each with its current log if it has one. */
const WITH_CURRENT_LOG =
  'site LEFT JOIN site_log ON site_log.site_id = site.id AND site_log.superseded_at IS NULL AND site_log.withdrawn_at IS NULL';

/** How many elements are read at once. This takes about a millisecond. */
const AT_ONCE = 100;
/** How many ids are found at once. This takes some tens of milliseconds. */
const IDS_AT_ONCE = 50_000;

/** The box around the Sites with a known position, null if there are none; the first start, and the last end if everything has ended. */
export type Extent = Record<'west' | 'south' | 'east' | 'north', number | null> & Record<'from' | 'to', Instant | null>;

/** Where the periods of elements are. */
const PERIODS = {
  sites: ['setup', 'effective_from', 'effective_to'],
  installations: ['installation', 'period_from', 'period_to'],
} as const;

/**
 * Reads exports in windows, in order of id, so that no read takes long. Each is read from the newest committed state. Ids only grow,
 * so no element comes twice, and none that was on record at the beginning is left out, unless it was superseded meanwhile.
 */
export class Exports {
  constructor(private readonly reads: Reads) {}

  readSites(search: ExportSearch): AsyncGenerator<CorsSite[]> {
    return this.windows(EXPORTED_SITES, this.ofSites(search));
  }

  readSetups(search: ExportSearch): AsyncGenerator<ExportedSetup[]> {
    const { filters, sites, during, recordedSince: time } = search;
    const { dialect } = this.reads;
    return this.windows(SETUPS, [
      ...filtersOn(dialect, SETUPS, filters),
      ...atSites(dialect, 'setup.site_id', sites),
      ...recordedSince('setup.recorded_at', time),
      ...(during === null ? [] : [sql`setup.superseded_at IS NULL`, ...overlapping('setup.effective_from', 'setup.effective_to', during)]),
    ]);
  }

  async *readInstallations(search: ExportSearch): AsyncGenerator<ExportedInstallation[]> {
    yield* this.windows(INSTALLATIONS, await this.ofInstallations(search));
  }

  readChanges(search: ChangeExport): AsyncGenerator<ExportedChange[]> {
    return this.windows(changesWith(search.mergeGaps), changeConditions(this.reads.dialect, search));
  }

  /** The first Sites after an id, in the order of their ids. @param most how many */
  findSites(search: ExportSearch, after: number, most: number): Promise<CorsSite[]> {
    return this.elements(EXPORTED_SITES, this.ofSites(search), after, most);
  }

  /** The first installations after an id, in the order of their ids. @param most how many */
  async findInstallations(search: ExportSearch, after: number, most: number): Promise<ExportedInstallation[]> {
    return this.elements(INSTALLATIONS, await this.ofInstallations(search), after, most);
  }

  /** The numbers of the Sites that a search finds, sorted by four-character id. */
  async siteNumbers(search: ExportSearch): Promise<number[]> {
    const found = selectFrom(SITES, 'site.id', this.ofSites(search));
    return (await this.reads.all<{ id: number }>(sql`${found} ORDER BY ${raw(ALPHABETICAL)}`)).map(({ id }) => id);
  }

  /** Sites by their numbers, with their valid Setups and the agencies of their current logs, from one state, sorted by four-character id. */
  readEquipped(numbers: number[]): Promise<{ site: CorsSite; setups: Setup[]; agency: string | null }[]> {
    return this.reads.inOneState(async (db) => {
      const sites = await db.all<SiteRow & { agency: string | null }>(
        sql`${selectFrom({ from: WITH_CURRENT_LOG, where: SITES.where }, 'site.*, agency', [db.dialect.isOneOf('site.id', numbers)])}
          ORDER BY ${raw(ALPHABETICAL)}`,
      );
      const setups = await setupsOfSites(db, numbers);
      return sites.map((row) => ({ site: toCorsSite(row), setups: setups.get(row.id) ?? [], agency: row.agency }));
    });
  }

  /** How many Sites or installations a search finds. */
  async count(name: keyof typeof PERIODS, search: ExportSearch): Promise<number> {
    return name === 'sites'
      ? countFrom(this.reads, SITES, this.ofSites(search))
      : countFrom(this.reads, INSTALLATIONS, await this.ofInstallations(search));
  }

  /** Where and when all Sites or installations have been. */
  async extent(name: keyof typeof PERIODS): Promise<Extent> {
    const [table, from, to] = PERIODS[name].map((each) => raw(each)) as [Sql, Sql, Sql];
    const valid = sql`FROM ${table} WHERE superseded_at IS NULL`;
    return (await this.reads.get<Extent>(sql`
      SELECT min(longitude) AS west, min(latitude) AS south, max(longitude) AS east, max(latitude) AS north,
        (SELECT min(${from}) ${valid} AND ${from} > ${UNKNOWN_START}) AS "from",
        (SELECT max(${to}) ${valid} AND NOT EXISTS (SELECT 1 ${valid} AND ${to} IS NULL)) AS "to"
      FROM site WHERE retired_at IS NULL AND latitude IS NOT NULL AND longitude IS NOT NULL`))!;
  }

  private ofSites({ filters, sites, during, devices }: ExportSearch): Sql[] {
    const { dialect } = this.reads;
    const conditions = [...filtersOn(dialect, SITES, filters), ...siteConditions(dialect, sites)];
    if (during !== null) {
      const valid = [sql`setup.superseded_at IS NULL`, ...overlapping('effective_from', 'effective_to', during)];
      conditions.push(sql`EXISTS (SELECT 1 FROM setup WHERE setup.site_id = site.id AND ${allOf(valid)})`);
    }
    const words = neededWordsOf(devices.text);
    if (words.length > 0) {
      conditions.push(sql`EXISTS (SELECT 1 FROM site_summary WHERE site_id = site.id AND ${hadWords(dialect, words)})`);
    }
    return conditions;
  }

  private async ofInstallations({ filters, sites, devices, radomeTypes, during, recordedSince: time }: ExportSearch): Promise<Sql[]> {
    const { dialect } = this.reads;
    return [
      ...filtersOn(dialect, INSTALLATIONS, filters),
      ...atSites(dialect, 'installation.site_id', sites),
      ...(await typeConditions(this.reads, 'installation', devices)),
      ...withSerialNumber(dialect, devices.serialNumbers),
      ...withWords(dialect, devices.text),
      ...(radomeTypes === null ? [] : [withRadome(dialect, radomeTypes)]),
      ...(during === null ? [] : overlapping('period_from', 'period_to', during)),
      ...recordedSince('installation.recorded_at', time),
    ];
  }

  /** The elements that meet conditions, in windows. */
  private async *windows<Row extends object, T>(table: ExportTable<Row, T>, conditions: Sql[]): AsyncGenerator<T[]> {
    const id = raw(table.id);
    let ids: number[] = [];
    do {
      const found = selectFrom(table, `${table.id} AS id`, [sql`${id} > ${ids.at(-1) ?? 0}`, ...conditions]);
      const rows = await this.reads.all<{ id: number }>(sql`${found} ORDER BY ${id} LIMIT ${IDS_AT_ONCE}`);
      ids = rows.map((row) => row.id);
      for (let first = 0; first < ids.length; first += AT_ONCE) {
        const some = this.reads.dialect.isOneOf(table.id, ids.slice(first, first + AT_ONCE));
        yield this.elements(table, [some, ...conditions], 0, AT_ONCE);
      }
    } while (ids.length === IDS_AT_ONCE);
  }

  /** The first elements after an id. */
  private async elements<Row extends object, T>(table: ExportTable<Row, T>, conditions: Sql[], after: number, most: number): Promise<T[]> {
    const id = raw(table.id);
    const selected = selectFrom(table, table.columns, [sql`${id} > ${after}`, ...conditions]);
    return (await this.reads.all<Row>(sql`${selected} ORDER BY ${id} LIMIT ${most}`)).map(table.toElement);
  }
}
