import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { isPostgres } from '../../src/store/address.js';
import { newDatabase } from '../databases.js';
import { rawDatabase } from '../raw-database.js';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

/** The revision before migration 2. */
export const BEFORE_2 = '57576e82';

/** The cursors of the feed that the revision published, in order. */
export const oldCursors = (revision: string): string[] =>
  (JSON.parse(read(`${revision}.json`)) as { cursors: string[] }).cursors;

/** Fills an empty database as an earlier revision did: see `make-database.ts`. */
async function fill(database: string, revision: string): Promise<void> {
  const engine = isPostgres(database) ? 'postgres' : 'sqlite';
  const rows = read(`${revision}.sql`);
  const db = rawDatabase(database);
  await db.exec(read(`${revision}.${engine}.sql`));
  // The bytes of logs are the only hexadecimal literals.
  await db.exec(isPostgres(database) ? rows.replaceAll(/X'([0-9A-F]*)'/g, "'\\x$1'") : rows);
}

/** A SQLite file as an earlier revision made it. */
export async function oldFile(file: string, revision: string): Promise<string> {
  await fill(file, revision);
  return file;
}

/**
 * A database as an earlier revision made it: the file; with `npm run test-postgres`, a PostgreSQL
 * database.
 */
export async function oldDatabase(t: Test, file: string, revision: string): Promise<string> {
  const database = await newDatabase(t, file);
  await fill(database, revision);
  return database;
}
