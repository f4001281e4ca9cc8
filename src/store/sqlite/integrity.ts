import Database from 'better-sqlite3';
import { SQLITE } from '../dialect.js';
import { MARK } from '../migrations.js';
import { creationsOf, TABLE_NAMES } from '../schema.js';
import type { Problem } from '../results.js';

/** The statements that create each table and index, by name. */
const CREATIONS = new Map(
  creationsOf(SQLITE.types, SQLITE.tableOptions).map(({ name, statement }) => [name, statement]),
);

/** Damage to the file, which a backup repairs. */
const damage = (text: string): Problem => ({ text, remedy: 'restore' });

/** The damage that SQLite itself finds. */
export function integrityProblems(db: Database.Database): Problem[] {
  const problems: Problem[] = [];
  for (const { integrity_check: text } of db.pragma('integrity_check') as {
    integrity_check: string;
  }[]) {
    if (text !== 'ok') problems.push(damage(`integrity_check: ${text.replaceAll('\n', ' ')}`));
  }
  for (const { table, rowid, parent } of db.pragma('foreign_key_check') as {
    table: string;
    rowid: number | null;
    parent: string;
  }[]) {
    problems.push(damage(`${table} ${rowid ?? ''} refers to a ${parent} that does not exist`));
  }
  return problems;
}

type SchemaObject = Record<'type' | 'name' | 'tbl_name' | 'sql', string>;

const objectsOf = (db: Database.Database): SchemaObject[] =>
  db
    .prepare<[], SchemaObject>(
      `SELECT type, name, tbl_name, sql FROM sqlite_schema
       WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all();

/**
 * What is missing or different among our tables and indexes, and triggers and constraints that
 * others added.
 */
export function schemaProblems(db: Database.Database): Problem[] {
  const objects = objectsOf(db);
  const found = new Map(objects.map((each) => [each.name, each.sql]));
  const problems: Problem[] = [];
  for (const [name, statement] of CREATIONS) {
    if (!found.has(name)) problems.push(damage(`${name} is missing`));
    else if (found.get(name) !== statement) problems.push(damage(`${name} has a wrong definition`));
  }
  for (const { type, name, tbl_name, sql } of objects) {
    const isConstraint =
      type === 'index' && /^CREATE UNIQUE/i.test(sql) && isTable(tbl_name) && !CREATIONS.has(name);
    if (type === 'trigger' || isConstraint) {
      const drop = `DROP ${type.toUpperCase()} ${name}`;
      const text = `${type} ${name} on ${tbl_name} was added; drop it with: ${drop}`;
      problems.push({ text, remedy: null });
    }
  }
  return problems;
}

const isTable = (name: string): boolean =>
  name === MARK || (TABLE_NAMES as string[]).includes(name);
