import sql, { raw } from 'sql-template-tag';
import type {
  CorsSite,
  ExportedChange,
  ExportedFinding,
  ExportedInstallation,
  ExportedSetup,
  Instant,
} from '../../../../schemas/index.js';
import type { Database, Reads } from '../../database.js';
import { filtersOn, type Found, overlapping, selectFrom } from '../../page.js';
import { changeConditions, changedSince } from '../changes.js';
import { type Conditions, elementsWith, type Part, readElements, readPart } from './elements.js';
import {
  type ChangeExport,
  changesWith,
  EXPORTED_SITES,
  type ExportSearch,
  INSTALLATIONS,
  SETUPS,
} from './tables.js';
import {
  hadSetup,
  inConflict,
  recordedSince,
  siteConditions,
  trackingSystems,
  typeConditions,
  withRadome,
  withSerialNumber,
  withSystems,
  withWords,
} from '../filters.js';
import type { FindingFilter } from '../findings.js';
import { withGaps } from '../gaps.js';
import { findingWindows } from './findings.js';
import { UNKNOWN_START } from '../../schema.js';
import { wordConditions } from '../sites/words.js';
import { ALPHABETICAL, SITES } from '../sites/rows.js';
import { type RecordedSite, recordedSites } from '../sites/sites.js';

/**
 * The box around the Sites with a known position, null if there are none; the first start, and the
 * last end if everything has ended.
 */
export type Extent = Record<'west' | 'south' | 'east' | 'north', number | null> &
  Record<'from' | 'to', Instant | null>;

/** Where the periods of elements are. */
const PERIODS = {
  sites: { table: 'setup', from: 'effective_from', to: 'effective_to' },
  installations: { table: 'installation', from: 'period_from', to: 'period_to' },
} as const;

/**
 * Reads exports in windows, in the order of the ids, so that no read takes long; each from the
 * newest committed state, and some empty. Ids only grow, so no element comes twice, and none that
 * was on record at the beginning is left out, unless it was superseded meanwhile.
 */
export class Exports {
  constructor(private readonly reads: Reads) {}

  async *readSites(search: ExportSearch): AsyncGenerator<CorsSite[]> {
    yield* readElements(this.reads, EXPORTED_SITES, this.ofSites(this.reads, search));
  }

  async *readSetups(search: ExportSearch): AsyncGenerator<ExportedSetup[]> {
    const { during, recordedSince: time } = search;
    const indexed = [
      ...siteConditions(this.reads.dialect, search.sites),
      ...recordedSince('setup.recorded_at', time),
    ];
    const others = filtersOn(this.reads.dialect, SETUPS, search.filters);
    if (during !== null) {
      others.push(
        sql`setup.superseded_at IS NULL`,
        ...overlapping('setup.effective_from', 'setup.effective_to', during),
      );
    }
    yield* readElements(this.reads, SETUPS, { indexed, others });
  }

  async *readInstallations(search: ExportSearch): AsyncGenerator<ExportedInstallation[]> {
    yield* readElements(this.reads, INSTALLATIONS, await this.ofInstallations(this.reads, search));
  }

  async *readChanges(search: ChangeExport): AsyncGenerator<ExportedChange[]> {
    const { mergeGaps, recordedSince: time } = search;
    const db = await withGaps(this.reads, search.sites);
    const table = changesWith(mergeGaps, time);
    const indexed = siteConditions(this.reads.dialect, search.sites);
    const others = changeConditions(this.reads.dialect, search);
    const changed = time === null ? null : changedSince(time, mergeGaps);
    if (changed !== null) others.push(sql`change.id IN (${changed})`);
    yield* readElements(db, table, { indexed, others }, changed);
  }

  async *readFindings(filter: FindingFilter): AsyncGenerator<ExportedFinding[]> {
    yield* findingWindows(this.reads, filter);
  }

  /** A part of the Sites, and how many there are in all, from one state. */
  findSites(search: ExportSearch, part: Part): Promise<Found<CorsSite>> {
    return this.reads.inOneState((db) =>
      readPart(db, EXPORTED_SITES, this.ofSites(db, search), part),
    );
  }

  /** A part of the installations, as {@link findSites}. */
  findInstallations(search: ExportSearch, part: Part): Promise<Found<ExportedInstallation>> {
    return this.reads.inOneState(async (db) => {
      const conditions = await this.ofInstallations(db, search);
      return readPart(db, INSTALLATIONS, conditions, part);
    });
  }

  /** The Site with an id; undefined if there is none. */
  async findSite(id: number): Promise<CorsSite | undefined> {
    const [site] = await elementsWith(this.reads, EXPORTED_SITES, [sql`site.id = ${id}`]);
    return site;
  }

  /** The installation with an id; undefined if there is none. */
  async findInstallation(id: number): Promise<ExportedInstallation | undefined> {
    const ofId = [sql`installation.id = ${id}`];
    const [installation] = await elementsWith(this.reads, INSTALLATIONS, ofId);
    return installation;
  }

  /** The numbers of the Sites that a search finds, sorted by four-character id. */
  async siteNumbers(search: ExportSearch): Promise<number[]> {
    const { indexed, others } = this.ofSites(this.reads, search);
    const found = selectFrom(SITES, 'site.id', [...indexed, ...others]);
    const rows = await this.reads.all<{ id: number }>(sql`${found} ORDER BY ${raw(ALPHABETICAL)}`);
    return rows.map(({ id }) => id);
  }

  /**
   * Sites by their numbers, with their valid Setups, from one state, sorted by four-character id.
   */
  readEquipped(numbers: number[]): Promise<RecordedSite[]> {
    return this.reads.inOneState((db) =>
      recordedSites(db, db.dialect.isOneOf('site.id', numbers), ALPHABETICAL),
    );
  }

  /** Where and when all Sites or installations have been. */
  async extent(name: keyof typeof PERIODS): Promise<Extent> {
    const period = PERIODS[name];
    const from = raw(period.from);
    const to = raw(period.to);
    const valid = sql`FROM ${raw(period.table)} WHERE superseded_at IS NULL`;
    const extent = await this.reads.get<Extent>(sql`
      SELECT min(longitude) AS west, min(latitude) AS south,
        max(longitude) AS east, max(latitude) AS north,
        (SELECT min(${from}) ${valid} AND ${from} > ${UNKNOWN_START}) AS "from",
        (SELECT max(${to}) ${valid} AND NOT EXISTS (SELECT 1 ${valid} AND ${to} IS NULL)) AS "to"
      FROM site
      WHERE retired_at IS NULL AND latitude IS NOT NULL AND longitude IS NOT NULL`);
    return extent!;
  }

  private ofSites({ dialect }: Database, search: ExportSearch): Conditions {
    const { filters, systems, during, devices } = search;
    const others = filtersOn(dialect, EXPORTED_SITES, filters);
    if (during !== null) others.push(hadSetup(during));
    others.push(...trackingSystems(dialect, systems, during));
    const words = wordConditions(dialect, devices.text);
    if (words !== null) {
      const isFound = sql`site_id = site.id AND ${words.isFound}`;
      others.push(sql`EXISTS (SELECT 1 FROM site_summary WHERE ${isFound})`);
    }
    return { indexed: siteConditions(dialect, search.sites), others };
  }

  private async ofInstallations(db: Database, search: ExportSearch): Promise<Conditions> {
    const { filters, devices, radomeTypes, systems, during, recordedSince: time } = search;
    const { dialect } = db;
    const ofTypes = await typeConditions(db, 'installation', devices);
    const indexed = [
      ...withSerialNumber(dialect, devices.serialNumbers),
      ...inConflict(devices.conflicting),
      ...filtersOn(dialect, INSTALLATIONS, filters),
      ...siteConditions(dialect, search.sites),
    ];
    const others = recordedSince('installation.recorded_at', time);
    // A kind of equipment alone has too many installations for an index to help.
    if (devices.types === null) others.unshift(...ofTypes);
    else indexed.unshift(...ofTypes);
    if (during !== null) others.push(...overlapping('period_from', 'period_to', during));
    others.push(...withWords(dialect, devices.text), ...withSystems(dialect, systems));
    if (radomeTypes !== null) others.push(withRadome(dialect, radomeTypes));
    return { indexed, others };
  }
}
