import type { Connection } from './connection.js';

/** The rows of a table with the index of their times of recording. */
const TABLES = {
  setup: 'setup INDEXED BY setup_recorded WHERE',
  change: 'change INDEXED BY change_recorded WHERE superseded_at IS NULL AND',
} as const;

/**
 * The lowest id of the rows recorded since a time, if these are many and exactly those from this id on; otherwise null. Up to
 * two reads, within the transaction of the caller. Rows get their ids in the order of recording, unless the clock was set back.
 * A search for many rows is much faster by a range of ids than by a list of them.
 * @param few up to how many rows are not many
 */
export function firstRecordedSince(connection: Connection, table: keyof typeof TABLES, time: string, few: number): number | null {
  const since = `SELECT count(*) AS number, min(id) AS first FROM ${TABLES[table]} recorded_at >= ?`;
  const { number, first } = connection.get<{ number: number; first: number }>(since, time)!;
  if (number <= few) return null;
  const before = `SELECT max(id) AS last FROM ${TABLES[table]} recorded_at < ?`;
  const { last } = connection.get<{ last: number | null }>(before, time)!;
  return first > (last ?? 0) ? first : null;
}
