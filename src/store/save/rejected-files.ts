import sql from 'sql-template-tag';
import type { Transaction } from '../database.js';
import type { RowOf } from '../schema.js';
import { instantAt } from '../../requests/units-of-time.js';
import { MOST_REJECTED } from './site-log-import.js';

/** A file that an import rejected. */
export interface RejectedFile {
  /** Absolute. */
  path: string;
  /** Of its content, in hexadecimal; null if it could not be read. */
  sha256: string | null;
  /** The code of the reason. */
  code: string;
  /** The reason in words, which quote no contact. */
  reason: string;
}

type Row = RowOf<'rejected_file'>;

/**
 * Records the files that an import rejected, and forgets those that it accepted or no longer found,
 * and those rejected least recently if there are too many.
 * @param isOver whether a file, which the import did not reject, is no longer a rejected one
 * @returns whether anything changed
 */
export async function saveRejectedFiles(
  transaction: Transaction,
  rejected: readonly RejectedFile[],
  isOver: (path: string) => boolean,
  now: Date,
): Promise<boolean> {
  const known = await transaction.all<Row>(sql`SELECT * FROM rejected_file`);
  const firstTimes = new Map(known.map((row) => [row.path, row.first_rejected_at]));
  const time = instantAt(now);
  // One file can be found twice, below two of the paths.
  const rows = new Map<string, Row>();
  for (const { path, ...file } of rejected)
    rows.set(path, {
      path,
      ...file,
      first_rejected_at: firstTimes.get(path) ?? time,
      last_rejected_at: time,
    });
  const gone = known.map(({ path }) => path).filter((path) => !rows.has(path) && isOver(path));
  if (rows.size === 0 && gone.length === 0) return false;
  const { dialect } = transaction;
  await transaction.run(
    sql`DELETE FROM rejected_file WHERE ${dialect.isOneOf('path', [...rows.keys(), ...gone])}`,
  );
  await transaction.insert('rejected_file', [...rows.values()]);
  await transaction.run(sql`
    DELETE FROM rejected_file WHERE path NOT IN (
      SELECT path FROM rejected_file ORDER BY last_rejected_at DESC, path LIMIT ${MOST_REJECTED})`);
  return true;
}
