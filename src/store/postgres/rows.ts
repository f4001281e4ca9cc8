import { type ColumnKind, type TableName, TABLES } from '../columns.js';
import type { Transaction } from './client.js';

/** The type of each kind of column, as a list of rows in JSON has it. */
const TYPES: Record<ColumnKind, string> = { integer: 'bigint', number: 'double precision', text: 'text', bytes: 'text' };

const columnsOf = (table: TableName): [string, ColumnKind][] => Object.entries(TABLES[table].columns);

/** The rows of one parameter in JSON, as SQL. Bytes are in base64. */
const rowsFrom = (columns: [string, ColumnKind][]): string =>
  `json_to_recordset($1::json) AS given (${columns.map(([name, kind]) => `${name} ${TYPES[kind]}`).join(', ')})`;

/** Adds rows in one statement. A row without a column gets null there. */
export async function insertRows(transaction: Transaction, table: TableName, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = columnsOf(table);
  const values = columns.map(([name, kind]) => (kind === 'bytes' ? `decode(${name}, 'base64')` : name));
  const binary = columns.filter(([, kind]) => kind === 'bytes').map(([name]) => name);
  const sent =
    binary.length === 0 ? rows : rows.map((row) => ({ ...row, ...Object.fromEntries(binary.map((name) => [name, base64Of(row, name)])) }));
  const names = columns.map(([name]) => name).join(', ');
  await transaction.run(`INSERT INTO ${table} (${names}) SELECT ${values.join(', ')} FROM ${rowsFrom(columns)}`, JSON.stringify(sent));
}

const base64Of = (row: object, name: string): string => {
  const bytes = (row as Record<string, Uint8Array>)[name]!;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
};

/** Changes columns of rows with an id, in one statement. */
export async function updateRows(
  transaction: Transaction,
  table: TableName,
  names: string[],
  rows: readonly { id: number }[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = columnsOf(table).filter(([name]) => name === 'id' || names.includes(name));
  const sent = rows.map((row) => Object.fromEntries(columns.map(([name]) => [name, (row as Record<string, unknown>)[name]])));
  const values = names.map((name) => `${name} = given.${name}`);
  await transaction.run(
    `UPDATE ${table} SET ${values.join(', ')} FROM ${rowsFrom(columns)} WHERE ${table}.id = given.id`,
    JSON.stringify(sent),
  );
}
