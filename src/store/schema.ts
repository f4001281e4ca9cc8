import { type ColumnDefinition, type ColumnKind, type TableDefinition, TABLES } from './tables.js';

export { TABLES } from './tables.js';

/**
 * The `period_from` of an installation whose start is unknown, as it can be of instruments. It
 * sorts before all instants.
 */
export const UNKNOWN_START = '';

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** The type of a value of each kind. */
interface Values {
  integer: number;
  number: number;
  text: string;
  bytes: Uint8Array;
}

/** The type of the values of a column. */
type ValueOf<Column extends ColumnDefinition> =
  Values[Column['kind']] | (Column['required'] extends true ? never : null);

/** A row of a table. */
export type RowOf<Name extends TableName> = {
  -readonly [Column in keyof (typeof TABLES)[Name]['columns']]: ValueOf<
    (typeof TABLES)[Name]['columns'][Column] & ColumnDefinition
  >;
};

const definitionOf = (table: TableName): TableDefinition => TABLES[table];

/** The names of the columns of a table. */
export const columnsOf = (table: TableName): string[] => Object.keys(TABLES[table].columns);

/** What kind of value a column has. */
export const columnKind = (table: TableName, column: string): ColumnKind =>
  definitionOf(table).columns[column]!.kind;

/** How an engine spells the kinds of columns. */
export type EngineTypes = Record<ColumnKind, string>;

/** A rule that the engine enforces. It has our name in both engines. */
export interface Constraint {
  name: string;
  kind: 'primary key' | 'unique' | 'check' | 'foreign key';
  /** The SQL of it. */
  definition: string;
}

/** The constraints of a table, except NOT NULL. */
export function constraintsOf(table: TableName): Constraint[] {
  const { key, columns } = definitionOf(table);
  const constraints: Constraint[] = [
    {
      name: `${table}_pkey`,
      kind: 'primary key',
      definition: `PRIMARY KEY (${key.join(', ')})`,
    },
  ];
  for (const [column, { unique, check, references }] of Object.entries(columns)) {
    if (unique) {
      constraints.push({
        name: `${table}_${column}_key`,
        kind: 'unique',
        definition: `UNIQUE (${column})`,
      });
    }
    if (check !== undefined) {
      constraints.push({
        name: `${table}_${column}_check`,
        kind: 'check',
        definition: `CHECK (${check})`,
      });
    }
    if (references !== undefined) {
      constraints.push({
        name: `${table}_${column}_fkey`,
        kind: 'foreign key',
        definition: `FOREIGN KEY (${column}) REFERENCES ${references} (id)`,
      });
    }
  }
  return constraints;
}

/** A table or an index, and the statement that creates it. */
interface Creation {
  name: string;
  statement: string;
}

/**
 * The statement that creates a table.
 * @param options the SQL after the columns
 */
function tableCreation(table: TableName, types: EngineTypes, options: string): Creation {
  const lines: string[] = [];
  for (const [column, { kind, required }] of Object.entries(definitionOf(table).columns))
    lines.push(`${column} ${types[kind]}${required ? ' NOT NULL' : ''}`);
  for (const { name, definition } of constraintsOf(table))
    lines.push(`CONSTRAINT ${name} ${definition}`);
  const statement = `CREATE TABLE ${table} (\n  ${lines.join(',\n  ')}\n) ${options}`.trim();
  return { name: table, statement };
}

/** The statements that create the indexes of a table, besides those of its constraints. */
export const indexCreations = (table: TableName): Creation[] =>
  Object.entries(definitionOf(table).indexes ?? {}).map(([name, { on, where, unique }]) => {
    const create = unique ? 'CREATE UNIQUE INDEX' : 'CREATE INDEX';
    const condition = where === undefined ? '' : ` WHERE ${where}`;
    return { name, statement: `${create} ${name} ON ${table} (${on})${condition}` };
  });

/**
 * The statements that create the tables and indexes of an engine, in order.
 * @param options the SQL after the columns of a table
 */
export const creationsOf = (types: EngineTypes, options: string): Creation[] =>
  TABLE_NAMES.flatMap((table) => [tableCreation(table, types, options), ...indexCreations(table)]);
