import { crc32 } from 'node:zlib';

/** A value of a row. */
export type Cell = string | number | Buffer | null;
/** A row of any table, by column. */
export type Row = Record<string, Cell>;

/** The tables whose rows have a checksum, and the columns that it covers: all content except the end of its record time. */
export const CHECKED = {
  setup: ['site_id', 'site_log_id', 'effective_from', 'effective_to', 'recorded_at', 'equipment_in_use'],
  installation: ['site_id', 'equipment_id', 'site_log_id', 'period_from', 'period_to', 'recorded_at', 'configuration'],
  change: ['site_id', 'at', 'equipment_type', 'kind_position', 'recorded_at', 'document'],
  equipment: ['identity', 'equipment_type', 'type', 'serial_number', 'document'],
  feed: ['id', 'site_id', 'site_log_id', 'document'],
} as const;
export type CheckedTable = keyof typeof CHECKED;

/** The columns of `last_import`, except its checksum. */
export const LAST_IMPORT = ['finished_at', 'saved', 'unchanged', 'outdated', 'rejected', 'skipped'] as const;

/** The checksum of values. CRC-32 detects any damage of up to four consecutive bytes, and costs little. */
export const checksumOf = (values: readonly (string | number | null)[]): number => crc32(values.join('\0'));

/** The checksum that a row should have. */
export const checksumOfRow = (table: CheckedTable, row: Row): number =>
  checksumOf(CHECKED[table].map((column) => row[column] as string | number | null));

/** Whether the content of a row matches its checksum. */
export const isIntact = (table: CheckedTable, row: Row): boolean => row.checksum === checksumOfRow(table, row);
