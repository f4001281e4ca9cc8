import sql, { raw, type Sql } from 'sql-template-tag';
import type {
  CorsSite,
  ExportedChange,
  ExportedInstallation,
  ExportedSetup,
  Instant,
  Setup,
} from '../../../../schemas/index.js';
import { neededWordsOf } from '../../../derive/summary.js';
import type { Database, Reads } from '../../database.js';
import { allOf } from '../../dialect.js';
import { countFrom, filtersOn, type Found, overlapping, selectFrom } from '../../page.js';
import { changeConditions } from '../changes.js';
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
  recordedSince,
  siteConditions,
  typeConditions,
  withRadome,
  withSerialNumber,
  withWords,
} from '../filters.js';
import { UNKNOWN_START } from '../../schema.js';
import { setupsOfSites } from '../setups/setups.js';
import { hadWords } from '../sites/page.js';
import { ALPHABETICAL, type SiteRow, SITES, toCorsSite } from '../sites/rows.js';

/** Sites, each with its current log if it has one. */
const WITH_CURRENT_LOG =
  'site LEFT JOIN site_log ON site_log.site_id = site.id AND site_log.superseded_at IS NULL AND site_log.withdrawn_at IS NULL';

/** How many elements are read at once. This takes about a millisecond. */
const AT_ONCE = 100;
/** Up to this number, the candidates that indexes find are read first. */
const FEW = 5000;
/** If there are more, or no index, the table is searched in ranges of so many ids. */
const RANGE = 1000;

/** The conditions of a search: those for which there are indexes, and the others. */
interface Conditions {
  indexed: Sql[];
  others: Sql[];
}

type Unread = Omit<ExportTable<never, unknown>, 'toElement'>;

const select = ({ name, joined, where }: Unread, columns: string | Sql, conditions: Sql[]): Sql =>
  selectFrom(
    { from: `${name} ${joined}` },
    columns,
    where === undefined ? conditions : [raw(where), ...conditions],
  );

/**
 * The box around the Sites with a known position, null if there are none; the first start, and the
 * last end if everything has ended.
 */
export type Extent = Record<'west' | 'south' | 'east' | 'north', number | null> &
  Record<'from' | 'to', Instant | null>;

/** Where the periods of elements are. */
const PERIODS = {
  sites: ['setup', 'effective_from', 'effective_to'],
  installations: ['installation', 'period_from', 'period_to'],
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
    const valid =
      during === null
        ? []
        : [
            sql`setup.superseded_at IS NULL`,
            ...overlapping('setup.effective_from', 'setup.effective_to', during),
          ];
    const indexed = [
      ...siteConditions(this.reads.dialect, search.sites),
      ...recordedSince('setup.recorded_at', time),
    ];
    yield* this.windows(this.reads, SETUPS, {
      indexed,
      others: [...filtersOn(this.reads.dialect, SETUPS, search.filters), ...valid],
    });
  }

  async *readInstallations(search: ExportSearch): AsyncGenerator<ExportedInstallation[]> {
    yield* this.windows(this.reads, INSTALLATIONS, await this.ofInstallations(this.reads, search));
  }

  async *readChanges(search: ChangeExport): AsyncGenerator<ExportedChange[]> {
    const { mergeGaps, recordedSince: time } = search;
    const table = changesWith(mergeGaps);
    const indexed = siteConditions(this.reads.dialect, search.sites);
    const others = changeConditions(this.reads.dialect, search);
    if (time === null) return yield* this.windows(this.reads, table, { indexed, others });
    // A merged change counts if one of its two parts was recorded since then.
    others.push(sql`(change.recorded_at >= ${time} OR ended.recorded_at >= ${time})`);
    const recorded = sql`
      SELECT id FROM change WHERE superseded_at IS NULL AND recorded_at >= ${time} UNION ALL
      SELECT counterpart_id AS id FROM change WHERE superseded_at IS NULL AND recorded_at >= ${time} AND gap_before <= ${mergeGaps}`;
    yield* this.windows(
      this.reads,
      table,
      { indexed, others },
      indexed.length === 0 ? { candidates: recorded } : {},
    );
  }

  /**
   * The first Sites after an id, in the order of their ids, and how many there are in all, from one
   * state.
   * @param most how many to read
   */
  findSites(search: ExportSearch, after: number, most: number): Promise<Found<CorsSite>> {
    return this.reads.inOneState((db) =>
      this.page(db, EXPORTED_SITES, this.ofSites(db, search), after, most),
    );
  }

  /** The first installations after an id, as {@link findSites}. */
  findInstallations(
    search: ExportSearch,
    after: number,
    most: number,
  ): Promise<Found<ExportedInstallation>> {
    return this.reads.inOneState(async (db) => {
      const conditions = await this.ofInstallations(db, search);
      return this.page(db, INSTALLATIONS, conditions, after, most);
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
    const found = selectFrom({ from: 'site', where: SITES.where }, 'site.id', [
      ...indexed,
      ...others,
    ]);
    return (await this.reads.all<{ id: number }>(sql`${found} ORDER BY ${raw(ALPHABETICAL)}`)).map(
      ({ id }) => id,
    );
  }

  /**
   * Sites by their numbers, with their valid Setups and the agencies of their current logs, from
   * one state, sorted by four-character id.
   */
  readEquipped(
    numbers: number[],
  ): Promise<{ site: CorsSite; setups: Setup[]; agency: string | null }[]> {
    return this.reads.inOneState(async (db) => {
      const sites = await db.all<SiteRow & { agency: string | null }>(
        sql`${selectFrom({ from: WITH_CURRENT_LOG, where: SITES.where }, 'site.*, agency', [db.dialect.isOneOf('site.id', numbers)])}
          ORDER BY ${raw(ALPHABETICAL)}`,
      );
      const setups = await setupsOfSites(db, numbers);
      return sites.map((row) => ({
        site: toCorsSite(row),
        setups: setups.get(row.id) ?? [],
        agency: row.agency,
      }));
    });
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

  private ofSites({ dialect }: Database, search: ExportSearch): Conditions {
    const { filters, during, devices } = search;
    const others = filtersOn(dialect, EXPORTED_SITES, filters);
    if (during !== null) {
      const valid = [
        sql`setup.superseded_at IS NULL`,
        ...overlapping('effective_from', 'effective_to', during),
      ];
      others.push(
        sql`EXISTS (SELECT 1 FROM setup WHERE setup.site_id = site.id AND ${allOf(valid)})`,
      );
    }
    const words = neededWordsOf(devices.text);
    if (words.length > 0) {
      others.push(
        sql`EXISTS (SELECT 1 FROM site_summary WHERE site_id = site.id AND ${hadWords(dialect, words)})`,
      );
    }
    return { indexed: siteConditions(dialect, search.sites), others };
  }

  private async ofInstallations(db: Database, search: ExportSearch): Promise<Conditions> {
    const { filters, devices, radomeTypes, during, recordedSince: time } = search;
    const { dialect } = db;
    const ofTypes = await typeConditions(db, 'installation', devices);
    const isSelective = devices.types !== null;
    const ofDevices = [
      ...withSerialNumber(dialect, devices.serialNumbers),
      ...filtersOn(dialect, INSTALLATIONS, filters),
    ];
    const inUse = during === null ? [] : overlapping('period_from', 'period_to', during);
    const radomes = radomeTypes === null ? [] : [withRadome(dialect, radomeTypes)];
    const ofRest = [
      ...recordedSince('installation.recorded_at', time),
      ...inUse,
      ...withWords(dialect, devices.text),
      ...radomes,
    ];
    return {
      indexed: [
        ...(isSelective ? ofTypes : []),
        ...ofDevices,
        ...siteConditions(dialect, search.sites),
      ],
      others: [...(isSelective ? [] : ofTypes), ...ofRest],
    };
  }

  /** The first elements after an id, and how many there are in all. */
  private async page<Row extends object, T>(
    db: Database,
    table: ExportTable<Row, T>,
    conditions: Conditions,
    after: number,
    most: number,
  ): Promise<Found<T>> {
    const all = [...conditions.indexed, ...conditions.others];
    const counted = { ...table, from: `${table.name} ${table.joined}` };
    const elements = await this.first(db, table, conditions, after, most);
    const totalElements = await countFrom(db, counted, all);
    return { elements, totalElements };
  }

  /** The first elements after an id. */
  private async first<Row extends object, T>(
    db: Database,
    table: ExportTable<Row, T>,
    { indexed, others }: Conditions,
    after: number,
    most: number,
  ): Promise<T[]> {
    const later = sql`${raw(`${table.name}.id`)} > ${after}`;
    const conditions =
      indexed.length === 0
        ? { indexed, others: [later, ...others] }
        : { indexed: [later, ...indexed], others };
    const found: T[] = [];
    for await (const elements of this.windows(db, table, conditions, {
      after,
      atOnce: Math.min(most, AT_ONCE),
    })) {
      found.push(...elements);
      if (found.length >= most) break;
    }
    return found.slice(0, most);
  }

  /**
   * @param candidates what selects the ids that indexes find; by default, those of the conditions
   */
  private async *windows<Row extends object, T>(
    db: Database,
    table: ExportTable<Row, T>,
    { indexed, others }: Conditions,
    {
      after = 0,
      atOnce = AT_ONCE,
      candidates = indexed.length === 0 ? null : select(table, `${table.name}.id`, indexed),
    } = {},
  ): AsyncGenerator<T[]> {
    const few = candidates && (await this.few(db, candidates));
    for await (const ids of few === null
      ? this.ranges(db, table, [...indexed, ...others], after)
      : [few]) {
      if (ids.length === 0) yield [];
      for (let first = 0; first < ids.length; first += atOnce) {
        const some = db.dialect.isOneOf(`${table.name}.id`, ids.slice(first, first + atOnce));
        yield this.elements(db, table, [some, ...indexed, ...others]);
      }
    }
  }

  /** The ids that a statement selects, in order; null if there are many. */
  private async few(db: Database, candidates: Sql): Promise<number[] | null> {
    const found = await db.all<{ id: number }>(sql`${candidates} LIMIT ${FEW + 1}`);
    return found.length > FEW
      ? null
      : [...new Set(found.map(({ id }) => id))].sort((a, b) => a - b);
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
    for (let after = start; after < (last ?? 0); after += RANGE) {
      // LIMIT keeps both engines from beginning with the conditions, which select more than this
      // range.
      const range = sql`(SELECT * FROM ${table} WHERE id > ${after} AND id <= ${after + RANGE} LIMIT ${RANGE}) AS ${table} ${raw(joined)}`;
      const all = allOf([...(where === undefined ? [] : [raw(where)]), ...conditions]);
      const found = await db.all<{ id: number }>(
        sql`SELECT ${table}.id FROM ${range} WHERE ${all} ORDER BY ${table}.id`,
      );
      yield found.map(({ id }) => id);
    }
  }

  private async elements<Row extends object, T>(
    db: Database,
    table: ExportTable<Row, T>,
    conditions: Sql[],
  ): Promise<T[]> {
    const selected = sql`${select(table, table.columns, conditions)} ORDER BY ${raw(`${table.name}.id`)}`;
    return (await db.all<Row>(selected)).map(table.toElement);
  }
}
