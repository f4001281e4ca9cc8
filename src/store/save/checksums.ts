import { crc32 } from 'node:zlib';
import { columnsOf, type RowOf, type TableName, TABLE_NAMES } from '../schema.js';

/** A table whose rows have a checksum: all but the counts, which follow from the devices. */
export type CheckedTable = Exclude<TableName, 'equipment_type_count'>;
export const CHECKED = TABLE_NAMES.filter((table) => table !== 'equipment_type_count');

/** What a checksum does not cover, besides itself: columns that have a better check (an original) or follow from other rows. */
const UNCOVERED: Readonly<Partial<Record<CheckedTable, readonly string[]>>> = {
  site_log: ['original'],
  equipment: ['listed', 'in_use', 'conflicting'],
  change: ['counterpart_id', 'gap_before', 'merged_kind'],
};

/** The columns that the checksum of a table covers. */
export const coveredBy = (table: CheckedTable): string[] =>
  columnsOf(table).filter(
    (column) => column !== 'checksum' && !(UNCOVERED[table]?.includes(column) ?? false),
  );

const COVERED = Object.fromEntries(CHECKED.map((table) => [table, coveredBy(table)])) as Record<
  CheckedTable,
  string[]
>;

/** The checksum of values. CRC-32 detects any damage of up to four consecutive bytes, and costs little. */
export const checksumOf = (values: readonly (string | number | null)[]): number =>
  crc32(values.join('\0'));

/** The checksum that a row should have. @param row with the columns that it covers */
export const checksumOfRow = (table: CheckedTable, row: object): number =>
  checksumOf(
    COVERED[table].map((column) => (row as Record<string, string | number | null>)[column]!),
  );

/** A row with its checksum. */
export const withChecksum = <Table extends CheckedTable>(
  table: Table,
  row: Omit<RowOf<Table>, 'checksum'>,
): RowOf<Table> => ({ ...row, checksum: checksumOfRow(table, row) }) as RowOf<Table>;

/** Whether the content of a row matches its checksum. */
export const isIntact = (table: CheckedTable, row: { checksum: number }): boolean =>
  row.checksum === checksumOfRow(table, row);
