import { MOST_REJECTED } from '../logs.js';
import type { Snapshot, Transaction } from './client.js';

/** Once a day, so that an import that finds nothing new writes nothing. */
const REMEMBER = `
  INSERT INTO rejected_file (sha256, first_rejected_at, last_rejected_at)
  SELECT DISTINCT sha256, $2::text, $2::text FROM unnest($1::text[]) AS given (sha256)
  ON CONFLICT (sha256) DO UPDATE SET last_rejected_at = excluded.last_rejected_at
  WHERE substr(rejected_file.last_rejected_at, 1, 10) < substr(excluded.last_rejected_at, 1, 10)`;

/** By content last, so that both engines forget the same of those with equal times. */
const FORGET = `
  DELETE FROM rejected_file WHERE sha256 IN (
    SELECT sha256 FROM rejected_file ORDER BY last_rejected_at DESC, first_rejected_at DESC, sha256 OFFSET $1)`;

/** Whether a file with this content was rejected before. */
export async function wasRejected(snapshot: Snapshot, sha256: string): Promise<boolean> {
  return (await snapshot.get('SELECT 1 AS found FROM rejected_file WHERE sha256 = $1', sha256)) !== undefined;
}

/** Adds contents, and forgets those rejected least recently if there are too many. @returns how many rows were changed */
export async function addRejected(transaction: Transaction, sha256s: string[], now: string): Promise<number> {
  const [added, forgotten] = await Promise.all([transaction.run(REMEMBER, sha256s, now), transaction.run(FORGET, MOST_REJECTED)]);
  return added + forgotten;
}
