import sql from 'sql-template-tag';
import type { Reads } from '../database.js';

/** A file that the last import of its path rejected. */
type RejectedFileOnRecord = {
  /** Absolute, as the import found it. */
  path: string;
  /** The code of the reason. */
  code: string;
  /** The reason in words. */
  reason: string;
  /** When an import first rejected it, and last. */
  firstRejectedAt: string;
  lastRejectedAt: string;
};

/**
 * The rejected files, by path. Only the command line shows them: a path says something about the
 * machine of the operator.
 */
export const findRejectedFiles = (reads: Reads): Promise<RejectedFileOnRecord[]> =>
  reads.all<RejectedFileOnRecord>(sql`
    SELECT path, code, reason, first_rejected_at AS "firstRejectedAt",
      last_rejected_at AS "lastRejectedAt"
    FROM rejected_file ORDER BY path`);
