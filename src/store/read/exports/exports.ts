import sql, { raw, type Sql } from 'sql-template-tag';
import type {
  CorsSite,
  ExportedChange,
  ExportedFinding,
  ExportedInstallation,
  ExportedSetup,
  Instant,
} from '../../../../schemas/index.js';
import type { Database, Reads } from '../../database.js';
import { allOf } from '../../dialect.js';
import {
  countFrom,
  filtersOn,
  type Found,
  overlapping,
  type PageTable,
  selectFrom,
} from '../../page.js';
import { changeConditions, changedSince } from '../changes.js';
import {
  type ChangeExport,
  changesWith,
  EXPORTED_SITES,
  type ExportSearch,
  type ExportTable,
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

/** How many elements are read at once. This takes about a millisecond. */
const ELEMENTS_AT_ONCE = 100;
/** Up to this number, the ids of the candidates that indexes find are read first. */
const MOST_CANDIDATES = 5000;
/** If there are more, or no index, the table is searched in ranges of so many ids. */
const IDS_IN_RANGE = 1000;

/** The conditions of a search: those for which there are indexes, and the others. */
interface Conditions {
  indexed: Sql[];
  others: Sql[];
}

/** Which of the elements that a search finds to read, in the order of their ids. */
export interface Part {
  /** Only elements after this id, which is 0 for all. */
  after: number;
  /** How many of these to skip. */
  skipped: number;
  /** How many to read then. */
  most: number;
}

/** How to read the elements that meet conditions. */
interface Reading extends Conditions {
  /** Selects the ids of the candidates for the elements; null if no index can find them. */
  candidates: Sql | null;
  /** Read only elements after this id, which is 0 for all. */
  after: number;
  /** How many elements to read at once. */
  atOnce: number;
}

type Unread = Omit<ExportTable<never, unknown>, 'toElement'>;

/** The source of both the elements and their number. */
const sourceOf = (table: Unread): Pick<PageTable, 'from' | 'where'> => ({
  ...table,
  from: `${table.name} ${table.joined}`,
});

const select = (table: Unread, columns: string | Sql, conditions: Sql[]): Sql =>
  selectFrom(sourceOf(table), columns, conditions);

/** Selects the ids that indexes find; null if there is no index for any condition. */
const candidatesOf = (table: Unread, { indexed }: Conditions): Sql | null =>
  indexed.length === 0 ? null : select(table, `${table.name}.id`, indexed);

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
    yield* this.windows(this.reads, EXPORTED_SITES, this.ofSites(this.reads, search));
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
    yield* this.windows(this.reads, SETUPS, { indexed, others });
  }

  async *readInstallations(search: ExportSearch): AsyncGenerator<ExportedInstallation[]> {
    yield* this.windows(this.reads, INSTALLATIONS, await this.ofInstallations(this.reads, search));
  }

  async *readChanges(search: ChangeExport): AsyncGenerator<ExportedChange[]> {
    const { mergeGaps, recordedSince: time } = search;
    const db = await withGaps(this.reads, search.sites);
    const table = changesWith(mergeGaps, time);
    const indexed = siteConditions(this.reads.dialect, search.sites);
    const others = changeConditions(this.reads.dialect, search);
    if (time === null) {
      yield* this.windows(db, table, { indexed, others });
      return;
    }
    const changed = changedSince(time, mergeGaps);
    others.push(sql`change.id IN (${changed})`);
    const conditions = { indexed, others };
    const candidates = candidatesOf(table, conditions) ?? changed;
    yield* this.read(db, table, {
      ...conditions,
      candidates,
      after: 0,
      atOnce: ELEMENTS_AT_ONCE,
    });
  }

  async *readFindings(filter: FindingFilter): AsyncGenerator<ExportedFinding[]> {
    yield* findingWindows(this.reads, filter);
  }

  /** A part of the Sites, and how many there are in all, from one state. */
  findSites(search: ExportSearch, part: Part): Promise<Found<CorsSite>> {
    return this.reads.inOneState((db) =>
      this.page(db, EXPORTED_SITES, this.ofSites(db, search), part),
    );
  }

  /** A part of the installations, as {@link findSites}. */
  findInstallations(search: ExportSearch, part: Part): Promise<Found<ExportedInstallation>> {
    return this.reads.inOneState(async (db) => {
      const conditions = await this.ofInstallations(db, search);
      return this.page(db, INSTALLATIONS, conditions, part);
    });
  }

  /** The Site with an id; undefined if there is none. */
  async findSite(id: number): Promise<CorsSite | undefined> {
    const [site] = await this.elements(this.reads, EXPORTED_SITES, [sql`site.id = ${id}`]);
    return site;
  }

  /** The installation with an id; undefined if there is none. */
  async findInstallation(id: number): Promise<ExportedInstallation | undefined> {
    const ofId = [sql`installation.id = ${id}`];
    const [installation] = await this.elements(this.reads, INSTALLATIONS, ofId);
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

  /** A part of the elements, and how many there are in all. */
  private async page<Row extends object, T>(
    db: Database,
    table: ExportTable<Row, T>,
    conditions: Conditions,
    { after, skipped, most }: Part,
  ): Promise<Found<T>> {
    const all = [...conditions.indexed, ...conditions.others];
    const start = skipped === 0 ? after : await this.idAfter(db, table, all, after, skipped);
    const elements = start === null ? [] : await this.first(db, table, conditions, start, most);
    const totalElements = await countFrom(db, sourceOf(table), all);
    return { elements, totalElements };
  }

  /** The id of the last of the elements to skip after an id; null if there are not so many. */
  private async idAfter(
    db: Database,
    table: Unread,
    conditions: Sql[],
    after: number,
    skipped: number,
  ): Promise<number | null> {
    const id = raw(`${table.name}.id`);
    const later = select(table, `${table.name}.id`, [sql`${id} > ${after}`, ...conditions]);
    const found = await db.get<{ id: number }>(
      sql`${later} ORDER BY ${id} LIMIT 1 OFFSET ${skipped - 1}`,
    );
    return found?.id ?? null;
  }

  /** The first elements after an id. */
  private async first<Row extends object, T>(
    db: Database,
    table: ExportTable<Row, T>,
    conditions: Conditions,
    after: number,
    most: number,
  ): Promise<T[]> {
    const { indexed, others } = conditions;
    const isLater = sql`${raw(`${table.name}.id`)} > ${after}`;
    // If an index is used, the condition excludes candidates.
    const later =
      indexed.length === 0
        ? { indexed, others: [isLater, ...others] }
        : { indexed: [isLater, ...indexed], others };
    const windows = this.read(db, table, {
      ...later,
      candidates: candidatesOf(table, later),
      after,
      atOnce: Math.min(most, ELEMENTS_AT_ONCE),
    });
    const found: T[] = [];
    for await (const elements of windows) {
      found.push(...elements);
      if (found.length >= most) break;
    }
    return found.slice(0, most);
  }

  /** All elements that meet conditions, in windows. */
  private windows<Row extends object, T>(
    db: Database,
    table: ExportTable<Row, T>,
    conditions: Conditions,
  ): AsyncGenerator<T[]> {
    return this.read(db, table, {
      ...conditions,
      candidates: candidatesOf(table, conditions),
      after: 0,
      atOnce: ELEMENTS_AT_ONCE,
    });
  }

  /** Reads elements by the ids of the candidates if these are few, otherwise by ranges of ids. */
  private async *read<Row extends object, T>(
    db: Database,
    table: ExportTable<Row, T>,
    reading: Reading,
  ): AsyncGenerator<T[]> {
    const { candidates } = reading;
    const few = candidates === null ? null : await this.few(db, candidates);
    if (few === null) yield* this.byRanges(db, table, reading);
    else yield* this.byIds(db, table, reading, few);
  }

  /** The elements with some ids that meet the conditions; an empty window if there are no ids. */
  private async *byIds<Row extends object, T>(
    db: Database,
    table: ExportTable<Row, T>,
    { indexed, others, atOnce }: Reading,
    ids: number[],
  ): AsyncGenerator<T[]> {
    if (ids.length === 0) yield [];
    for (let first = 0; first < ids.length; first += atOnce) {
      const some = db.dialect.isOneOf(`${table.name}.id`, ids.slice(first, first + atOnce));
      yield this.elements(db, table, [some, ...indexed, ...others]);
    }
  }

  /** The elements that meet the conditions, found by ranges of the table. */
  private async *byRanges<Row extends object, T>(
    db: Database,
    table: ExportTable<Row, T>,
    reading: Reading,
  ): AsyncGenerator<T[]> {
    const conditions = [...reading.indexed, ...reading.others];
    for await (const ids of this.ranges(db, table, conditions, reading.after))
      yield* this.byIds(db, table, reading, ids);
  }

  /** The ids that a statement selects, in order; null if there are many. */
  private async few(db: Database, candidates: Sql): Promise<number[] | null> {
    const found = await db.all<{ id: number }>(sql`${candidates} LIMIT ${MOST_CANDIDATES + 1}`);
    if (found.length > MOST_CANDIDATES) return null;
    return [...new Set(found.map(({ id }) => id))].sort((a, b) => a - b);
  }

  /** The ids that conditions select, by ranges of the table. */
  private async *ranges(
    db: Database,
    { name, joined, where }: Unread,
    conditions: Sql[],
    start: number,
  ): AsyncGenerator<number[]> {
    const table = raw(name);
    const { last } = (await db.get<{ last: number | null }>(
      sql`SELECT max(id) AS last FROM ${table}`,
    ))!;
    const all = allOf(where === undefined ? conditions : [raw(where), ...conditions]);
    for (let after = start; after < (last ?? 0); after += IDS_IN_RANGE) {
      // LIMIT keeps both engines from beginning with the conditions, which select more than this
      // range.
      const range = sql`
        SELECT * FROM ${table}
        WHERE id > ${after} AND id <= ${after + IDS_IN_RANGE} LIMIT ${IDS_IN_RANGE}`;
      const found = await db.all<{ id: number }>(sql`
        SELECT ${table}.id FROM (${range}) AS ${table} ${raw(joined)}
        WHERE ${all} ORDER BY ${table}.id`);
      yield found.map(({ id }) => id);
    }
  }

  private async elements<Row extends object, T>(
    db: Database,
    table: ExportTable<Row, T>,
    conditions: Sql[],
  ): Promise<T[]> {
    const selected = select(table, table.columns, conditions);
    const rows = await db.all<Row>(sql`${selected} ORDER BY ${raw(`${table.name}.id`)}`);
    return rows.map(table.toElement);
  }
}
