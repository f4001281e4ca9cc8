import { KnownPersons } from '../../site-log/known-persons.js';
import { persons, type RemarkRow, remarks, REMARKS_AT_ONCE, UNSEARCHED } from '../rows/persons.js';
import type { Snapshot, Transaction } from './client.js';

/** The persons whom the logs in a PostgreSQL database name as contacts. */

const ALL = `SELECT ${persons()}`;
const ALL_UNSEARCHED = `SELECT ${persons(UNSEARCHED)}`;

const known = (rows: { name: string }[]): KnownPersons => new KnownPersons(rows.map(({ name }) => name));

/** Adds those that are not on record. */
export async function addPersons(transaction: Transaction, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await transaction.run('INSERT INTO person (name, searched) SELECT DISTINCT unnest($1::text[]), 0 ON CONFLICT DO NOTHING', names);
}

/** All persons. */
export const knownPersons = async (snapshot: Snapshot): Promise<KnownPersons> => known(await snapshot.all(ALL));

/** Whether the remarks on record are still to be searched for some persons. */
export const hasUnsearchedPersons = async (snapshot: Snapshot): Promise<boolean> =>
  (await snapshot.get(`${ALL_UNSEARCHED} LIMIT 1`)) !== undefined;

/** Searches the remarks on record for these, and marks the Sites that name one, to be read again. */
export async function searchForPersons(transaction: Transaction): Promise<void> {
  const unsearched = known(await transaction.all(ALL_UNSEARCHED));
  const sites = new Set<number>();
  for (const rowsOf of remarks('$1', '$2', 'string_agg')) {
    const next = (after: number): Promise<RemarkRow[]> => transaction.all<RemarkRow>(`SELECT ${rowsOf}`, after, REMARKS_AT_ONCE);
    for (let rows = await next(0); rows.length > 0; rows = await next(rows.at(-1)!.id)) {
      for (const { site, text } of rows) if (text !== null && unsearched.areIn(text)) sites.add(site);
    }
  }
  await transaction.run('INSERT INTO site_to_read SELECT unnest($1::bigint[]) ON CONFLICT DO NOTHING', [...sites]);
  await transaction.run(`UPDATE person SET searched = 1 WHERE ${UNSEARCHED}`);
}
