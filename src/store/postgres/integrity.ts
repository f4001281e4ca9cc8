import sql, { raw } from 'sql-template-tag';
import type { Database } from '../database.js';
import { POSTGRES } from '../dialect.js';
import {
  type Constraint,
  constraintsOf,
  indexCreations,
  type TableName,
  TABLE_NAMES,
  TABLES,
} from '../schema.js';
import type { TableDefinition } from '../tables.js';
import type { Problem } from '../results.js';

/** A table, an index, a constraint or a trigger of our tables, with what describes it. */
interface Described {
  name: string;
  definition: string;
}

/** Such an object that exists, and the statement that drops it if others may have added it. */
type Found = Described & { remedy: string | null };

/** The OID of each of our tables that exists, as a condition on a column. */
const ofOurTables = (column: string) =>
  raw(`${column} IN (${TABLE_NAMES.map((table) => `to_regclass('${table}')`).join(', ')})`);

/**
 * A definition without what the server adds: the schema, the method of a B-tree, parentheses and
 * casts.
 */
const plain = (definition: string): string =>
  definition
    .replace(/ ON (ONLY )?\S+/, (on) => ` ON ${on.split(/[ .]/).at(-1)!}`)
    .replace(' USING btree', '')
    .replaceAll(/[()\s"]/g, '')
    .replaceAll(/::\w+/g, '');

/** How the catalogue of the server spells the kinds of columns, without their collations. */
const CATALOGUE_TYPES = {
  ...POSTGRES.types,
  text: 'text',
};

/** How the catalogue of the server spells the kinds of constraints. */
const CONSTRAINT_TYPES: Record<Constraint['kind'], string> = {
  'primary key': 'p',
  unique: 'u',
  check: 'c',
  'foreign key': 'f',
};

const columnsOfTable = (table: TableName): Described[] => {
  const { columns }: TableDefinition = TABLES[table];
  return Object.entries(columns).map(([column, { kind, required }]) => ({
    name: `${table}.${column}`,
    definition: CATALOGUE_TYPES[kind] + (required ? ' not null' : ''),
  }));
};

/** The columns that our tables should have. */
const OUR_COLUMNS = TABLE_NAMES.flatMap(columnsOfTable);

/** The constraints that our tables should have. */
const OUR_CONSTRAINTS = TABLE_NAMES.flatMap(constraintsOf).map(({ name, kind }) => ({
  name,
  definition: CONSTRAINT_TYPES[kind],
}));

/** The indexes that our tables should have, besides those of constraints. */
const OUR_INDEXES = TABLE_NAMES.flatMap(indexCreations).map(({ name, statement }) => ({
  name,
  definition: plain(statement),
}));

const READ_COLUMNS = sql`
  SELECT relname || '.' || attname AS name,
    format_type(atttypid, NULL) || CASE WHEN attnotnull THEN ' not null' ELSE '' END AS definition,
    NULL AS remedy
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE ${ofOurTables('attrelid')} AND attnum > 0 AND NOT attisdropped`;

const READ_CONSTRAINTS = sql`
  SELECT conname AS name,
    contype::text || CASE WHEN convalidated THEN '' ELSE ' not valid' END AS definition,
    'ALTER TABLE ' || conrelid::regclass || ' DROP CONSTRAINT ' || conname AS remedy
  FROM pg_constraint
  WHERE ${ofOurTables('conrelid')} AND contype IN ('p', 'u', 'c', 'f', 'x', 't')`;

const READ_INDEXES = sql`
  SELECT relname AS name,
    CASE WHEN indisvalid THEN pg_get_indexdef(indexrelid) ELSE 'invalid' END AS definition,
    CASE WHEN indisunique THEN 'DROP INDEX ' || relname END AS remedy
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE ${ofOurTables('indrelid')} AND NOT EXISTS (
    SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))`;

const READ_TRIGGERS = sql`
  SELECT tgname AS name, '' AS definition,
    'DROP TRIGGER ' || tgname || ' ON ' || tgrelid::regclass AS remedy
  FROM pg_trigger WHERE ${ofOurTables('tgrelid')} AND NOT tgisinternal`;

/** What is missing, different, or was added by others and can be dropped. */
function* compare(
  kind: string,
  expected: readonly Described[],
  found: readonly Found[],
): Generator<Problem> {
  const definitions = new Map(found.map(({ name, definition }) => [name, definition]));
  for (const { name, definition } of expected) {
    const actual = definitions.get(name);
    if (actual === undefined) yield { text: `${name} is missing`, remedy: 'restore' };
    else if (actual !== definition)
      yield { text: `${name} has a wrong definition`, remedy: 'restore' };
  }
  for (const { name, remedy } of found) {
    if (remedy === null || expected.some((each) => each.name === name)) continue;
    yield { text: `${kind} ${name} was added; drop it with: ${remedy}`, remedy: null };
  }
}

const readIndexes = async (db: Database): Promise<Found[]> =>
  (await db.all<Found>(READ_INDEXES)).map((each) => ({
    ...each,
    definition: plain(each.definition),
  }));

/**
 * What is missing or different among our tables, indexes and constraints, and triggers and
 * constraints that others added.
 */
export async function schemaProblems(db: Database): Promise<Problem[]> {
  return [
    ...compare('column', OUR_COLUMNS, await db.all<Found>(READ_COLUMNS)),
    ...compare('constraint', OUR_CONSTRAINTS, await db.all<Found>(READ_CONSTRAINTS)),
    ...compare('unique index', OUR_INDEXES, await readIndexes(db)),
    ...compare('trigger', [], await db.all<Found>(READ_TRIGGERS)),
  ];
}
