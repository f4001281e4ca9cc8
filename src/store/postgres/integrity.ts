import sql, { raw } from 'sql-template-tag';
import type { Database } from '../database.js';
import { POSTGRES } from '../dialect.js';
import { columnsOf, creationsOf, kindOf, type TableName, TABLE_NAMES, TABLES } from '../schema.js';
import type { Problem } from '../results.js';

/** A table, an index, a constraint or a trigger of our tables, with what describes it. */
interface Described {
  name: string;
  definition: string;
}

/** Such an object that exists, and the statement that drops it if others may have added it. */
type Found = Described & { remedy: string | null };

const CREATIONS = creationsOf(POSTGRES.types, POSTGRES.tableOptions);

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

/** The columns that our tables should have. */
const COLUMNS = TABLE_NAMES.flatMap((table): Described[] =>
  Object.entries<string>(TABLES[table].columns).map(([column, spec]) => {
    const isRequired =
      spec.includes(' not null') || (TABLES[table].key as readonly string[]).includes(column);
    return {
      name: `${table}.${column}`,
      definition:
        POSTGRES.types[kindOf(table, column)].replace(' COLLATE "C"', '') +
        (isRequired ? ' not null' : ''),
    };
  }),
);

/** The name that the server gives a CHECK: without the column if it is about several. */
const nameOfCheck = (table: TableName, column: string, spec: string): string => {
  const others = columnsOf(table).filter(
    (other) =>
      other !== column && new RegExp(`\\b${other}\\b`).test(spec.slice(spec.indexOf('CHECK'))),
  );
  return others.length === 0 ? `${table}_${column}_check` : `${table}_check`;
};

/** The constraints that our tables should have, by the names that the server gives them. */
const CONSTRAINTS = TABLE_NAMES.flatMap((table): Described[] => [
  { name: `${table}_pkey`, definition: 'p' },
  ...Object.entries<string>(TABLES[table].columns).flatMap(([column, spec]) => [
    ...(spec.includes(' UNIQUE') ? [{ name: `${table}_${column}_key`, definition: 'u' }] : []),
    ...(spec.includes(' CHECK')
      ? [{ name: nameOfCheck(table, column, spec), definition: 'c' }]
      : []),
    ...(spec.includes(' REFERENCES') ? [{ name: `${table}_${column}_fkey`, definition: 'f' }] : []),
  ]),
]);

/** The indexes that our tables should have, besides those of constraints. */
const INDEXES = CREATIONS.filter(({ statement }) => !statement.startsWith('CREATE TABLE')).map(
  ({ name, statement }) => ({
    name,
    definition: plain(statement),
  }),
);

const READ_COLUMNS = sql`
  SELECT relname || '.' || attname AS name, format_type(atttypid, NULL) || CASE WHEN attnotnull THEN ' not null' ELSE '' END AS definition, NULL AS remedy
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE ${ofOurTables('attrelid')} AND attnum > 0 AND NOT attisdropped`;
const READ_CONSTRAINTS = sql`
  SELECT conname AS name, 'ALTER TABLE ' || conrelid::regclass || ' DROP CONSTRAINT ' || conname AS remedy,
    contype::text || CASE WHEN convalidated THEN '' ELSE ' not valid' END AS definition
  FROM pg_constraint WHERE ${ofOurTables('conrelid')} AND contype IN ('p', 'u', 'c', 'f', 'x', 't')`;
const READ_INDEXES = sql`
  SELECT relname AS name, CASE WHEN indisvalid THEN pg_get_indexdef(indexrelid) ELSE 'invalid' END AS definition,
    CASE WHEN indisunique THEN 'DROP INDEX ' || relname END AS remedy
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE ${ofOurTables('indrelid')} AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))`;
const READ_TRIGGERS = sql`
  SELECT tgname AS name, '' AS definition, 'DROP TRIGGER ' || tgname || ' ON ' || tgrelid::regclass AS remedy FROM pg_trigger WHERE ${ofOurTables('tgrelid')} AND NOT tgisinternal`;

/** What is missing, different, or was added by others and can be dropped. */
function* compare(
  kind: string,
  expected: readonly Described[],
  found: readonly Found[],
): Generator<Problem> {
  const definitions = new Map(found.map(({ name, definition }) => [name, definition]));
  for (const { name, definition } of expected) {
    const is = definitions.get(name);
    if (is === undefined) yield { text: `${name} is missing`, remedy: 'restore' };
    else if (is !== definition) yield { text: `${name} has a wrong definition`, remedy: 'restore' };
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
    ...compare('column', COLUMNS, await db.all<Found>(READ_COLUMNS)),
    ...compare('constraint', CONSTRAINTS, await db.all<Found>(READ_CONSTRAINTS)),
    ...compare('unique index', INDEXES, await readIndexes(db)),
    ...compare('trigger', [], await db.all<Found>(READ_TRIGGERS)),
  ];
}
