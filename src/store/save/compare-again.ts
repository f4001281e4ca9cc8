import sql from 'sql-template-tag';
import type { DerivedChange } from '../../derive/changes.js';
import type { Database, Transaction, Writes } from '../database.js';
import {
  type ComparedChange,
  comparisonKeyOf,
  continueChanges,
  groupKeyOf,
} from './change-keys.js';
import type { LoadedRow } from './loaded-rows.js';
import { sha256Of } from './logs.js';

/** How many Sites are compared in one transaction. */
const BATCH = 20;

/** A change on record, or superseded. */
type StoredChange = Pick<
  LoadedRow<'change'>,
  'id' | 'site_id' | 'recorded_at' | 'superseded_at' | 'document'
>;

/** The keys of a change, and since when it has said the same. */
type KeysOfChange = ComparedChange & Pick<LoadedRow<'change'>, 'id' | 'group_key'>;

/** Sites with changes that were recorded before migration 2 and have not been compared since. */
const sitesToCompare = (db: Database, most: number): Promise<{ site: number }[]> =>
  db.all(sql`
    SELECT DISTINCT site_id AS site FROM change
    WHERE comparison_key IS NULL ORDER BY site_id LIMIT ${most}`);

/** Whether there are changes that have not been compared since migration 2. */
export const hasChangesToCompare = async (db: Database): Promise<boolean> =>
  (await sitesToCompare(db, 1)).length > 0;

/** The key of a stored change; of one that cannot be read, it follows from the text. */
function keyOfDocument(document: string, keyOf: (change: DerivedChange) => string): string {
  try {
    return keyOf(JSON.parse(document) as DerivedChange);
  } catch {
    return sha256Of(document);
  }
}

/**
 * Compares all changes of a Site, event by event, as saving does.
 * @param rows in the order of their ids
 */
function compareChanges(rows: readonly StoredChange[]): KeysOfChange[] {
  const compared = new Map<number, ComparedChange>();
  const times = [...new Set(rows.map(({ recorded_at }) => recorded_at))].sort();
  const known = (some: readonly StoredChange[]): ComparedChange[] =>
    some.map(({ id }) => compared.get(id)!);
  for (const time of times) {
    const earlier = rows.filter(({ recorded_at }) => recorded_at < time);
    const staying = earlier.filter((row) => row.superseded_at === null || row.superseded_at > time);
    const superseded = earlier.filter((row) => row.superseded_at === time);
    const recorded = rows.filter(({ recorded_at }) => recorded_at === time);
    // Of two logs that were saved at once, the changes of the second one are on record.
    const added = recorded.toSorted(
      (a, b) => Number(a.superseded_at === time) - Number(b.superseded_at === time),
    );
    const keys = added.map(({ document }) => keyOfDocument(document, comparisonKeyOf));
    const continued = continueChanges(keys, known(superseded), known(staying), time);
    for (const [index, { id }] of added.entries()) compared.set(id, continued[index]!);
  }
  return rows.map(({ id, document }) => ({
    id,
    ...compared.get(id)!,
    group_key: keyOfDocument(document, groupKeyOf),
  }));
}

/** Compares the changes of some Sites. */
async function compareSites(transaction: Transaction, sites: readonly number[]): Promise<void> {
  const rows = await transaction.all<StoredChange>(sql`
    SELECT id, site_id, recorded_at, superseded_at, document FROM change
    WHERE ${transaction.dialect.isOneOf('site_id', sites)} ORDER BY id`);
  const bySite = Map.groupBy(rows, ({ site_id }) => site_id);
  for (const own of bySite.values()) await transaction.update('change', compareChanges(own));
}

/**
 * Makes what a migration left out of changes: their keys, and since when each has said the same. A
 * few Sites at a time are complete or untouched; if this is killed, the next call goes on.
 */
export async function compareChangesAgain(writes: Writes): Promise<void> {
  for (;;) {
    const sites = await writes.read((db) => sitesToCompare(db, BATCH));
    if (sites.length === 0) return;
    const numbers = sites.map(({ site }) => site);
    await writes.transaction((transaction) => compareSites(transaction, numbers));
  }
}
