import { isDeepStrictEqual } from 'node:util';
import sql, { raw } from 'sql-template-tag';
import type { Transaction } from '../database.js';
import type { RowOf, TableName } from '../schema.js';

/** The tables whose rows are numbered, besides the events. */
export const NUMBERED = [
  'site',
  'site_identity',
  'site_log',
  'setup',
  'installation',
  'change',
  'equipment',
] as const;
/** A table whose rows are numbered. */
export type NumberedTable = (typeof NUMBERED)[number] | 'event';

/** A row in memory. The bytes of a log are kept apart. */
export type LoadedRow<Name extends TableName> = Omit<RowOf<Name>, 'original'>;

/** Counts changes of rows. */
export interface ChangeCount {
  changes: number;
}

/** A row with a number. */
interface Numbered {
  id: number;
}

/**
 * Rows of a table in memory: some of those on record, and those that were added. They are saved
 * when all rules have run.
 */
export class LoadedRows<Row extends Numbered> {
  readonly added: Row[] = [];
  /** The rows on record that were changed. */
  readonly changed = new Set<Row>();
  private readonly rows: Map<number, Row>;
  private readonly recordedLast: number;

  /** @param lastId the last id of the table */
  constructor(
    private readonly table: NumberedTable,
    recorded: readonly Row[],
    public lastId: number,
    private readonly count: ChangeCount,
  ) {
    this.recordedLast = lastId;
    this.rows = new Map(recorded.map((row) => [row.id, row]));
  }

  /** A row by its id, which must be loaded. */
  get(id: number): Row {
    const row = this.rows.get(id);
    if (row === undefined) throw new Error(`${this.table} ${id} is not loaded`);
    return row;
  }

  /** Those that meet a condition, in the order of their ids. */
  filter(condition: (row: Row) => boolean): Row[] {
    return [...this.rows.values()].filter(condition);
  }

  /** Adds a row with the next id. */
  add(values: Omit<Row, 'id'>): Row {
    const row = { ...values, id: ++this.lastId } as Row;
    this.added.push(row);
    this.rows.set(row.id, row);
    this.count.changes++;
    return row;
  }

  /** Changes some columns of a row, if they differ. */
  change(row: Row, values: Partial<Row>): void {
    const names = Object.keys(values) as (keyof Row)[];
    if (names.every((name) => row[name] === values[name])) return;
    Object.assign(row, values);
    // A row that was added is saved as it is in the end.
    if (row.id <= this.recordedLast) this.changed.add(row);
    this.count.changes++;
  }

  /** Saves the rows. */
  async flush(transaction: Transaction): Promise<void> {
    await transaction.update(this.table, [...this.changed]);
    await transaction.insert(this.table, this.added);
  }
}

/**
 * Rows of a table that belong together, by a number in their key. Those of a number are replaced as
 * a whole.
 */
export class RowGroups<
  Column extends string,
  Row extends RowOf<TableName> & Record<Column, number>,
> {
  /** The keys whose rows were replaced. */
  readonly replaced = new Set<number>();
  private readonly groups: Map<number, Row[]>;

  constructor(
    private readonly table: TableName,
    private readonly column: Column,
    recorded: readonly Row[],
    private readonly count: ChangeCount,
  ) {
    this.groups = Map.groupBy(recorded, (row) => row[column]);
  }

  /** The rows of a key, in their order. */
  get(key: number): Row[] {
    return this.groups.get(key) ?? [];
  }

  /** Replaces the rows of a key, if they differ. */
  set(key: number, rows: Row[]): void {
    if (isDeepStrictEqual(rows, this.get(key))) return;
    this.groups.set(key, rows);
    this.replaced.add(key);
    this.count.changes++;
  }

  /** Saves the rows. */
  async flush(transaction: Transaction): Promise<void> {
    const keys = [...this.replaced];
    if (keys.length === 0) return;
    await transaction.run(
      sql`DELETE FROM ${raw(this.table)} WHERE ${transaction.dialect.isOneOf(this.column, keys)}`,
    );
    const rows = keys.flatMap((key) => this.get(key));
    await transaction.insert(this.table, rows);
  }
}

/** Columns shared by all rows of one import. */
export interface Saving {
  /** The number of the Site. */
  site: number;
  /** The number of the log. */
  log: number;
  /** The record time, `YYYY-MM-DDThh:mm:ss.sssZ`. */
  recordedAt: string;
}

/** The Setups, changes or installations of a Site that have not been superseded. */
export const validRows = <Row extends LoadedRow<'setup' | 'change' | 'installation'>>(
  rows: LoadedRows<Row>,
  site: number,
): Row[] => rows.filter(({ site_id, superseded_at }) => site_id === site && superseded_at === null);
