import { type TableDefinition, TABLES } from './tables.js';

export { TABLES } from './tables.js';

/**
 * The `period_from` of an installation whose start is unknown, as it can be of instruments. It
 * sorts before all instants.
 */
export const UNKNOWN_START = '';

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

type ValueOf<Spec> = Spec extends `text${string}`
  ? string
  : Spec extends `bytes${string}`
    ? Uint8Array
    : number;

/** A row of a table. */
export type RowOf<Name extends TableName> = {
  -readonly [C in keyof (typeof TABLES)[Name]['columns']]:
    | ValueOf<(typeof TABLES)[Name]['columns'][C]>
    | ((typeof TABLES)[Name]['columns'][C] extends `${string} not null${string}` ? never : null);
};

/** The columns of a table. */
export const columnsOf = (table: TableName): string[] => Object.keys(TABLES[table].columns);

/** What kind of value a column has. */
export const kindOf = (table: TableName, column: string): keyof EngineTypes =>
  (TABLES[table].columns as Record<string, string>)[column]!.split(' ')[0] as keyof EngineTypes;

/** How an engine spells the kinds of columns. */
export type EngineTypes = Record<'integer' | 'number' | 'text' | 'bytes', string>;

/**
 * The statements that create the tables and indexes of an engine, in order.
 * @param options the SQL after the columns of a table
 */
export function creationsOf(
  types: EngineTypes,
  options: string,
): { name: string; statement: string }[] {
  return Object.entries<TableDefinition>(TABLES).flatMap(
    ([table, { key, columns, indexes = {} }]) => {
      const lines = Object.entries(columns).map(
        ([name, spec]) =>
          `${name} ${spec.replace(/^\w+/, (kind) => types[kind as keyof EngineTypes])}`,
      );
      return [
        {
          name: table,
          statement:
            `CREATE TABLE ${table} (\n  ${[...lines, `PRIMARY KEY (${key.join(', ')})`].join(',\n  ')}\n) ${options}`.trim(),
        },
        ...Object.entries(indexes).map(([name, definition]) => ({
          name,
          statement: definition.replace(
            /^(UNIQUE )?/,
            (unique) => `CREATE ${unique}INDEX ${name} ON ${table} `,
          ),
        })),
      ];
    },
  );
}
