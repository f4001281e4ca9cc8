import sql, { raw, type Sql } from 'sql-template-tag';
import type { Database } from '../database.js';
import { MARK, whyOutdated, whyUnusable } from '../migrations.js';
import { UnfitDatabase } from './failures.js';

/** The one row of the table that marks a schema as one of this service. */
export interface Mark {
  /** How many migrations it has had. */
  migration: number;
  /** The version of the serializers that wrote all its texts. */
  documents: number;
  /** Increased by each transaction that writes; at least the time of its commit in microseconds. */
  revision: number;
}

/** Creates the table, in a transaction. */
export const CREATE_MARK = [
  `CREATE TABLE ${MARK} (migration bigint NOT NULL, documents bigint NOT NULL, revision bigint NOT NULL)`,
  `CREATE UNIQUE INDEX ${MARK}_is_one ON ${MARK} ((true))`,
  `INSERT INTO ${MARK} VALUES (0, 0, 0)`,
].map((each) => raw(each));

/** Increases the revision, and so waits until no other process writes. */
export const TAKE_WRITE_LOCK = raw(
  `UPDATE ${MARK} SET revision = greatest(revision + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)`,
);

export const READ_MARK = `SELECT migration, documents, revision FROM ${MARK}`;

/** A development version had the table as well, but in it only the migration. */
const FIND_MARK = sql`SELECT to_regclass(${MARK}) IS NOT NULL AS marked,
  EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass(${MARK}) AND attname = 'documents') AS released`;

const empty = (): UnfitDatabase =>
  new UnfitDatabase(`is damaged: its table ${MARK} is empty, as after restoring tables without their rows`);

/** The mark; null in a database without tables of this service. @throws {UnfitDatabase} if it is empty, or of a development version */
export async function findMark(db: Database): Promise<Mark | null> {
  const { marked, released } = (await db.get<{ marked: boolean; released: boolean }>(FIND_MARK))!;
  if (!marked) return null;
  if (!released) throw new UnfitDatabase(whyUnusable(null));
  const mark = await db.get<Mark>(raw(READ_MARK));
  if (mark === undefined) throw empty();
  return mark;
}

/**
 * A mark that this version can read.
 * @throws {UnfitDatabase} so that this version neither misreads tables that it does not know, nor answers from its cache
 */
export function checkedMark(mark: Mark | undefined): Mark {
  if (mark === undefined) throw empty();
  const reason = whyUnusable(mark.migration) ?? whyOutdated(mark.migration);
  if (reason !== undefined) throw new UnfitDatabase(reason);
  return mark;
}

/** What {@link withMark} adds to each row. `_found` is null in the only row of a statement that has found none. */
type Marked = { [Member in keyof Mark as `_${Member}`]: number } & { _found: true | null };

/**
 * The same statement with the mark in each row, read from the same state; one row if it finds none. As nothing but `true` joins
 * the two, the join can only go through the rows of the statement for the one row of the mark, in their order.
 */
export const withMark = (statement: Sql): Sql => sql`
  SELECT mark.migration AS "_migration", mark.documents AS "_documents", mark.revision AS "_revision", answer.*
  FROM ${raw(MARK)} AS mark LEFT JOIN (SELECT true AS "_found", statement.* FROM (${statement}) AS statement) AS answer ON true`;

/** The mark and the rows of a statement that {@link withMark} has extended. */
export function splitMark(rows: Marked[]): { mark: Mark; value: object[] } {
  const [first] = rows;
  const mark = checkedMark(first && { migration: first._migration, documents: first._documents, revision: first._revision });
  const found = first?._found === true ? rows : [];
  return { mark, value: found.map(({ _migration, _documents, _revision, _found, ...row }) => row) };
}
