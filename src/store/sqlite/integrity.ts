import Database from 'better-sqlite3';
import { SQLITE } from '../dialect.js';
import { MARK } from '../migrations.js';
import { creationsOf, TABLE_NAMES } from '../schema.js';
import type { Problem } from '../upkeep/types.js';

/** The statements that create each table and index, by name. */
const CREATIONS = new Map(
  creationsOf(SQLITE.types, SQLITE.tableOptions).map(({ name, statement }) => [name, statement]),
);

const repairable = (text: string): Problem => ({ text, repairable: true });
const lost = (text: string): Problem => ({ text, repairable: false });

/** The damage that SQLite itself finds. An index can be built anew; what is lost in a table cannot. */
export function integrityProblems(db: Database.Database): Problem[] {
  const problems: Problem[] = [];
  for (const { integrity_check: text } of db.pragma('integrity_check') as {
    integrity_check: string;
  }[]) {
    if (text !== 'ok')
      problems.push({
        text: `integrity_check: ${text.replaceAll('\n', ' ')}`,
        repairable: /\bindex\b/.test(text),
      });
  }
  for (const { table, rowid, parent } of db.pragma('foreign_key_check') as {
    table: string;
    rowid: number | null;
    parent: string;
  }[]) {
    problems.push(repairable(`${table} ${rowid ?? ''} refers to a ${parent} that does not exist`));
  }
  return problems;
}

type SchemaObject = Record<'type' | 'name' | 'tbl_name' | 'sql', string>;

const objectsOf = (db: Database.Database): SchemaObject[] =>
  db
    .prepare<[], SchemaObject>(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all();

/** What is missing or different among our tables and indexes, and triggers and constraints that others added. */
export function schemaProblems(db: Database.Database): Problem[] {
  const objects = objectsOf(db);
  const found = new Map(objects.map((each) => [each.name, each.sql]));
  const problems: Problem[] = [];
  for (const [name, statement] of CREATIONS) {
    if (!found.has(name)) problems.push(repairable(`${name} is missing`));
    else if (found.get(name) !== statement)
      problems.push({ text: `${name} has a wrong definition`, repairable: !isTable(name) });
  }
  for (const { type, name, tbl_name, sql } of objects) {
    const isConstraint =
      type === 'index' && /^CREATE UNIQUE/i.test(sql) && isTable(tbl_name) && !CREATIONS.has(name);
    if (type === 'trigger' || isConstraint)
      problems.push(
        lost(
          `${type} ${name} on ${tbl_name} was added; drop it with: DROP ${type.toUpperCase()} ${name}`,
        ),
      );
  }
  return problems;
}

const isTable = (name: string): boolean =>
  name === MARK || (TABLE_NAMES as string[]).includes(name);

/** Creates missing tables and indexes, replaces wrong indexes, and builds all indexes anew. */
export function repairSchema(db: Database.Database): void {
  const found = new Map(objectsOf(db).map(({ name, sql }) => [name, sql]));
  for (const [name, statement] of CREATIONS) {
    if (found.get(name) === statement || (found.has(name) && isTable(name))) continue;
    if (found.has(name)) db.exec(`DROP INDEX ${name}`);
    db.exec(statement);
  }
  db.exec('REINDEX');
}
