import type { Connection } from './connection.js';

/** The rows of a table with the index of their times of recording. */
const TABLES = {
  setup: 'setup INDEXED BY setup_recorded WHERE',
  change: 'change INDEXED BY change_recorded WHERE superseded_at IS NULL AND',
} as const;

/** What was recorded since a time. */
interface RecordedSince {
  /** How many rows. */
  number: number;
  /** The lowest id, if these rows are exactly those from this id on; otherwise null. */
  firstId: number | null;
}

/**
 * What was recorded since a time; two reads, within the transaction of the caller. Rows get their ids in the order of
 * recording, unless the clock was set back. A search by a range of ids is much faster than one by a list of them.
 */
export function findRecordedSince(connection: Connection, table: keyof typeof TABLES, time: string): RecordedSince {
  const since = `SELECT count(*) AS number, min(id) AS first FROM ${TABLES[table]} recorded_at >= ?`;
  const { number, first } = connection.get<{ number: number; first: number | null }>(since, time)!;
  const before = `SELECT max(id) AS last FROM ${TABLES[table]} recorded_at < ?`;
  const { last } = connection.get<{ last: number | null }>(before, time)!;
  const firstId = first ?? Number.MAX_SAFE_INTEGER;
  return { number, firstId: firstId > (last ?? 0) ? firstId : null };
}
