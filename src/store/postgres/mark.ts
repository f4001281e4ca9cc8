import sql, { raw } from 'sql-template-tag';
import type { Database } from '../database.js';
import { MARK, type Mark, whyOutdated, whyUnusable } from '../migrations.js';
import { ForeignDatabase, UnfitDatabase } from './failures.js';

/** The mark of a schema. */
export interface PostgresMark extends Mark {
  /** Increased by each transaction that writes; at least the time of its commit in microseconds. */
  revision: number;
}

/** Creates the table unless it exists, in a transaction. */
export const CREATE_MARK = [
  `CREATE TABLE IF NOT EXISTS ${MARK} (
    migration bigint NOT NULL, text_version bigint NOT NULL, revision bigint NOT NULL)`,
  `CREATE UNIQUE INDEX IF NOT EXISTS ${MARK}_is_one ON ${MARK} ((true))`,
  `INSERT INTO ${MARK} SELECT 0, 0, 0 WHERE NOT EXISTS (SELECT FROM ${MARK})`,
].map((each) => raw(each));

/** How to create the tables of a database. */
export const CREATE_HINT =
  'is empty; create its tables with: gnss-site-setups import PATH..., ' +
  'or name the schema that has them with: ALTER ROLE … SET search_path = …';

/** Increases the revision, and so waits until no other process writes. */
export const TAKE_WRITE_LOCK = raw(`
  UPDATE ${MARK} SET revision = greatest(
    revision + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)`);

/** Reads the mark, if its table is there. */
export const READ_MARK = `SELECT migration, text_version AS documents, revision FROM ${MARK}`;

/**
 * Checks that this version can use a database.
 * @param migration null if a version from before the first release made it
 * @throws {ForeignDatabase} if not
 */
function checkUsable(migration: number | null): void {
  const reason = whyUnusable(migration);
  if (reason !== undefined) throw new ForeignDatabase(reason);
}

/**
 * The mark of tables that this version can read.
 * @throws {UnfitDatabase} for others, which it would misread
 */
export function checkedMark(mark: PostgresMark | null | undefined): PostgresMark {
  if (mark === null) throw new UnfitDatabase(CREATE_HINT);
  if (mark === undefined) {
    throw new UnfitDatabase(
      `is damaged: its table ${MARK} is empty, as after restoring tables without their rows`,
    );
  }
  checkUsable(mark.migration);
  const reason = whyOutdated(mark.migration);
  if (reason !== undefined) throw new UnfitDatabase(reason);
  return mark;
}

/**
 * The mark of tables that this version can write; null in a database without tables of this
 * service.
 * @throws {UnfitDatabase}
 */
export async function findMark(db: Database): Promise<PostgresMark | null> {
  const columns = await db.all<{ name: string }>(
    sql`SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass(${MARK})`,
  );
  if (columns.length === 0) return null;
  // The tables of a development version had no such column.
  if (!columns.some(({ name }) => name === 'text_version')) checkUsable(null);
  const mark = await db.get<PostgresMark>(raw(READ_MARK));
  if (mark === undefined) return checkedMark(mark);
  checkUsable(mark.migration);
  return mark;
}
