import sql, { raw, type Sql } from 'sql-template-tag';
import type { CorsSite } from '../../../schemas/index.js';
import type { Reads } from '../database.js';
import { allOf } from '../dialect.js';
import { filtersOn, overlapping, selectFrom } from '../page.js';
import { changeConditions } from './changes.js';
import {
  ALL_SITES,
  type ChangeExport,
  changesWith,
  type ExportedChange,
  type ExportedInstallation,
  type ExportedSetup,
  type ExportSearch,
  type ExportTable,
  INSTALLATIONS,
  type ItemSearch,
  SETUPS,
} from './export-tables.js';
import { withinBox } from './site-page.js';
import { hadWords, neededWordsOf } from './words.js';

const ALL: ExportSearch = { filters: [], sites: null, box: null, countryCodes: null, during: null, recordedSince: null };

/** How many elements are read at once. This takes about a millisecond. */
const AT_ONCE = 100;
/** Up to this number, the candidates that indexes find are read first. */
const FEW = 5000;
/** If there are more, or no index, the table is searched in ranges of so many ids. */
const RANGE = 1000;

/** The properties by which an index finds few elements. */
const SELECTIVE = ['id', 'siteId', 'type', 'serialNumber', 'manufacturer'];

/** The conditions of a search: those for which there are indexes, and the others. */
interface Conditions {
  indexed: Sql[];
  others: Sql[];
}

const since = (column: string, time: string | null): Sql[] => (time === null ? [] : [sql`${raw(column)} >= ${time}`]);

type Unread = Omit<ExportTable<never, unknown>, 'toElement'>;

const select = ({ name, joined, where }: Unread, columns: string, conditions: Sql[]): Sql =>
  selectFrom({ from: `${name} ${joined}` }, columns, where === undefined ? conditions : [raw(where), ...conditions]);

/**
 * Reads exports in windows, in the order of the ids, so that no read takes long however many elements there are and however few
 * match. Each window is read from the newest committed state. Ids only grow, and an element keeps its id: no element comes
 * twice, and none that was on record when the export began is left out, unless it was superseded meanwhile. Windows may be
 * empty.
 */
export class Exports {
  constructor(private readonly reads: Reads) {}

  readSites(search: ExportSearch): AsyncGenerator<CorsSite[]> {
    return this.windows(ALL_SITES, this.ofSites(search));
  }

  readSetups(search: ExportSearch): AsyncGenerator<ExportedSetup[]> {
    const { during, recordedSince } = search;
    const { indexed, others } = this.ofSearch(SETUPS, search);
    const valid =
      during === null ? [] : [sql`setup.superseded_at IS NULL`, ...overlapping('setup.effective_from', 'setup.effective_to', during)];
    const conditions = { indexed: [...indexed, ...since('setup.recorded_at', recordedSince)], others: [...others, ...valid] };
    return this.windows(SETUPS, conditions);
  }

  readInstallations(search: ExportSearch): AsyncGenerator<ExportedInstallation[]> {
    return this.windows(INSTALLATIONS, this.ofInstallations(search));
  }

  readChanges(search: ChangeExport): AsyncGenerator<ExportedChange[]> {
    const { mergeGaps, recordedSince: time } = search;
    const table = changesWith(mergeGaps);
    const { indexed, others } = this.ofSearch(table, { ...ALL, ...search });
    others.push(...changeConditions(this.reads.dialect, null, { ...search, recordedSince: null }));
    if (time === null) return this.windows(table, { indexed, others });
    // A merged change counts if one of its two parts was recorded since then.
    others.push(sql`(change.recorded_at >= ${time} OR ended.recorded_at >= ${time})`);
    const recorded = sql`
      SELECT id FROM change WHERE superseded_at IS NULL AND recorded_at >= ${time} UNION ALL
      SELECT counterpart_id AS id FROM change WHERE superseded_at IS NULL AND recorded_at >= ${time} AND gap_before <= ${mergeGaps}`;
    return this.windows(table, { indexed, others }, indexed.length === 0 ? recorded : undefined);
  }

  /** The first Sites after an id, in the order of their ids. @param most how many */
  findSites(search: ItemSearch, after: number, most: number): Promise<CorsSite[]> {
    return this.first(ALL_SITES, this.ofSites({ ...ALL, ...search }), after, most);
  }

  /** The first installations after an id, in the order of their ids. @param most how many */
  findInstallations(search: ItemSearch, after: number, most: number): Promise<ExportedInstallation[]> {
    return this.first(INSTALLATIONS, this.ofInstallations({ ...ALL, ...search }), after, most);
  }

  private ofSites(search: ExportSearch): Conditions {
    const { text = '', during } = search;
    const { indexed, others } = this.ofSearch(ALL_SITES, search);
    if (during !== null) {
      const valid = [sql`setup.superseded_at IS NULL`, ...overlapping('effective_from', 'effective_to', during)];
      others.push(sql`EXISTS (SELECT 1 FROM setup WHERE setup.site_id = site.id AND ${allOf(valid)})`);
    }
    const words = neededWordsOf(text);
    if (words.length > 0) {
      others.push(sql`EXISTS (SELECT 1 FROM site_summary WHERE site_id = site.id AND ${hadWords(this.reads.dialect, words)})`);
    }
    return { indexed, others };
  }

  private ofInstallations(search: ExportSearch): Conditions {
    const { text = '', during, recordedSince } = search;
    const { indexed, others } = this.ofSearch(INSTALLATIONS, search);
    const inUse = during === null ? [] : overlapping('period_from', 'period_to', during);
    const words = neededWordsOf(text).map((word) => this.reads.dialect.contains('equipment.search_text', word));
    return { indexed, others: [...others, ...since('installation.recorded_at', recordedSince), ...inUse, ...words] };
  }

  /** The filters of a search, and its conditions on the Sites. */
  private ofSearch(table: Unread, { filters, sites, box, countryCodes }: ExportSearch): Conditions {
    const { dialect } = this.reads;
    const { selective = [], others = [] } = Object.groupBy(filters, ({ property }) =>
      SELECTIVE.includes(property) ? 'selective' : 'others',
    );
    const ofSites = [
      ...(sites === null ? [] : [dialect.isOneOf('site.id', sites)]),
      ...(box === null ? [] : [withinBox(box)]),
      ...(countryCodes === null ? [] : [dialect.isOneOf('site.country_code', countryCodes)]),
    ];
    return { indexed: [...filtersOn(dialect, table, selective), ...ofSites], others: filtersOn(dialect, table, others) };
  }

  /** @param candidates what selects the ids that indexes find; by default, those of the conditions */
  private async *windows<Row extends object, T>(
    table: ExportTable<Row, T>,
    { indexed, others }: Conditions,
    candidates = indexed.length === 0 ? null : select(table, `${table.name}.id`, indexed),
  ): AsyncGenerator<T[]> {
    const few = candidates && (await this.few(candidates));
    for await (const ids of few === null ? this.ranges(table, [...indexed, ...others]) : [few]) {
      if (ids.length === 0) yield [];
      for (let first = 0; first < ids.length; first += AT_ONCE) {
        const some = this.reads.dialect.isOneOf(`${table.name}.id`, ids.slice(first, first + AT_ONCE));
        yield this.elements(table, [some, ...indexed, ...others], AT_ONCE);
      }
    }
  }

  /** The ids that a statement selects, in order; null if there are many. */
  private async few(candidates: Sql): Promise<number[] | null> {
    const found = await this.reads.all<{ id: number }>(sql`${candidates} LIMIT ${FEW + 1}`);
    return found.length > FEW ? null : [...new Set(found.map(({ id }) => id))].sort((a, b) => a - b);
  }

  /** The ids that conditions select, by ranges of the table. */
  private async *ranges({ name, joined, where }: Unread, conditions: Sql[]): AsyncGenerator<number[]> {
    const table = raw(name);
    const { last } = (await this.reads.get<{ last: number | null }>(sql`SELECT max(id) AS last FROM ${table}`))!;
    for (let after = 0; after < (last ?? 0); after += RANGE) {
      // LIMIT keeps both engines from beginning with the conditions, which select more than this range.
      const range = sql`(SELECT * FROM ${table} WHERE id > ${after} AND id <= ${after + RANGE} LIMIT ${RANGE}) AS ${table} ${raw(joined)}`;
      const all = allOf([...(where === undefined ? [] : [raw(where)]), ...conditions]);
      const found = await this.reads.all<{ id: number }>(sql`SELECT ${table}.id FROM ${range} WHERE ${all} ORDER BY ${table}.id`);
      yield found.map(({ id }) => id);
    }
  }

  private async first<Row extends object, T>(
    table: ExportTable<Row, T>,
    { indexed, others }: Conditions,
    after: number,
    most: number,
  ): Promise<T[]> {
    const id = `${table.name}.id`;
    const later = sql`${raw(id)} > ${after}`;
    const few = indexed.length === 0 ? null : await this.few(select(table, id, [later, ...indexed]));
    if (few?.length === 0) return [];
    const those = few === null ? later : this.reads.dialect.isOneOf(id, few);
    return this.elements(table, [those, ...indexed, ...others], most);
  }

  private async elements<Row extends object, T>(table: ExportTable<Row, T>, conditions: Sql[], most: number): Promise<T[]> {
    const selected = sql`${select(table, table.columns, conditions)} ORDER BY ${raw(`${table.name}.id`)} LIMIT ${most}`;
    return (await this.reads.all<Row>(selected)).map(table.toElement);
  }
}
