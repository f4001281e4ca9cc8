import { DERIVED_TABLES, type TableName, TABLES } from './columns.js';
import type { Progress } from './upkeep.js';

/** A row of any table, by column. */
export type ContentRow = Record<string, string | number | Uint8Array | null>;

/** The last id that a table has had, which shows that its last rows are lost. */
export interface LastId {
  table: string;
  id: number;
}

/** All content of a database, in one state. */
export interface ContentSource {
  /** How many rows a table has. */
  count(table: TableName): Promise<number>;
  /** The next rows of a table, in the order of its key. @param after the last row before them; null for the first rows */
  next(table: TableName, after: ContentRow | null, limit: number): Promise<ContentRow[]>;
  /** Those of the tables whose last rows would be missed. */
  lastIds(): Promise<LastId[]>;
}

/** A database that is being filled, in one transaction. */
export interface ContentTarget {
  /** How many rows a table has. */
  count(table: TableName): Promise<number>;
  /** Deletes all rows of a table. */
  clear(table: TableName): Promise<void>;
  /** Adds rows as they are. */
  add(table: TableName, rows: ContentRow[]): Promise<void>;
  setLastIds(lastIds: LastId[]): Promise<void>;
}

export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** How many rows are copied at once. A log has up to two megabytes. */
const BATCH = 500;
const BATCH_OF_LOGS = 10;

/** What a message calls the rows of a table. */
const NAMES: Partial<Record<TableName, readonly [one: string, several: string]>> = {
  site: ['Site', 'Sites'],
  site_log: ['site log', 'site logs'],
  journal: ['journal entry', 'journal entries'],
  rejected_file: ['rejected file', 'rejected files'],
};

/** Says what is in a database, in a few words; null if it is empty. */
export async function describeContents(target: Pick<ContentTarget, 'count'>): Promise<string | null> {
  const named: string[] = [];
  const others: string[] = [];
  for (const table of TABLE_NAMES.filter((name) => !DERIVED_TABLES.includes(name))) {
    const rows = await target.count(table);
    if (rows === 0) continue;
    const name = NAMES[table];
    if (name === undefined) others.push(`rows in ${table}`);
    else named.push(`${rows} ${name[rows === 1 ? 0 : 1]}`);
  }
  const found = named.length > 0 ? named : others;
  return found.length === 0 ? null : found.join(', ');
}

/** Copies everything into a database without content. @returns how many rows of each table were copied */
export async function copyContents(source: ContentSource, target: ContentTarget, progress: Progress): Promise<Record<TableName, number>> {
  const counts = {} as Record<TableName, number>;
  for (const table of TABLE_NAMES) counts[table] = await source.count(table);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  let copied = 0;
  for (const table of TABLE_NAMES) {
    // A target with triggers has counted already; others have the rows that an empty database begins with.
    if (DERIVED_TABLES.includes(table)) await target.clear(table);
    const limit = table === 'site_log' ? BATCH_OF_LOGS : BATCH;
    for (let rows: ContentRow[] = []; ;) {
      rows = await source.next(table, rows.at(-1) ?? null, limit);
      if (rows.length > 0) await target.add(table, rows);
      copied += rows.length;
      progress(total === 0 ? 1 : copied / total);
      if (rows.length < limit) break;
    }
  }
  await target.setLastIds(await source.lastIds());
  return counts;
}
