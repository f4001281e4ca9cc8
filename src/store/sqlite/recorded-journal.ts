import type { Database } from 'better-sqlite3';
import type { Problem } from '../upkeep.js';
import { baselineOf, checksumOfEntry, type JournalRow } from '../saving/journal.js';
import { lastIdsOf } from './journal.js';
import { siteName } from './recorded-tables.js';

/** The last time of record, whatever happened then. */
const LAST_TIME = `
  SELECT max(at) FROM (
    SELECT max(imported_at) AS at FROM site_log UNION ALL SELECT max(superseded_at) FROM site_log
    UNION ALL SELECT max(withdrawn_at) FROM site_log UNION ALL SELECT max(retired_at) FROM site
    UNION ALL SELECT max(renamed_at) FROM site_rename
    UNION ALL SELECT max(recorded_at) FROM setup UNION ALL SELECT max(superseded_at) FROM setup
    UNION ALL SELECT max(recorded_at) FROM change UNION ALL SELECT max(superseded_at) FROM change)`;

/** Whether the content has traces of something that happened after the last entry. */
function hasLaterContent(db: Database, entries: JournalRow[]): boolean {
  const known = JSON.parse(entries.at(-1)?.last_ids ?? '[]') as number[];
  if (lastIdsOf(db).some((id, index) => id > (known[index] ?? 0))) return true;
  const time = db.prepare<[], string | null>(LAST_TIME).pluck().get() ?? '';
  return entries.every(({ at }) => at < time);
}

/**
 * Reads the journal. What is damaged in it concerns only the Site of the entry: this becomes a baseline of the Site, whose
 * content then is what is recorded. An entry with the number of a wrong Site gets the right one.
 * @returns all entries, and what is wrong with them; or what is missing: which Sites that concerns is unknown
 */
export function readRecordedJournal(db: Database): { entries: JournalRow[]; problems: Problem[] } | { missing: string } {
  const entries = db.prepare<[], JournalRow>('SELECT * FROM journal NOT INDEXED ORDER BY id').all();
  const gap = entries.findIndex(({ id }, index) => id !== index + 1);
  if (gap >= 0) return { missing: `entry ${gap + 1} is missing` };
  const sites = db.prepare<[], number>('SELECT id FROM site NOT INDEXED').pluck().all();
  const problems: Problem[] = [];
  // From the end, because the next entry has the last ids, also if it was damaged.
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index]!;
    if (entry.checksum === checksumOfEntry(entry)) continue;
    const right = sites.find((site_id) => checksumOfEntry({ ...entry, site_id }) === entry.checksum);
    if (right !== undefined) {
      problems.push({ text: `entry ${entry.id}: site_id is ${entry.site_id}; expected ${right}`, repairable: true });
      entries[index] = { ...entry, site_id: right };
      continue;
    }
    if (!sites.includes(entry.site_id)) return { missing: `entry ${entry.id} is damaged` };
    problems.push({
      text: `entry ${entry.id} is damaged; ${siteName(db, entry.site_id)} cannot be derived again`,
      repairable: false,
    });
    const next = entries[index + 1];
    const lastIds = next?.last_ids ?? JSON.stringify(lastIdsOf(db));
    entries[index] = baselineOf(entry.id, entry.site_id, (next ?? entries[index - 1])?.at ?? '', lastIds);
  }
  const last = db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'journal'").pluck().get() ?? 0;
  if (last > entries.length && hasLaterContent(db, entries)) return { missing: `it has ${entries.length} entries instead of ${last}` };
  if (last !== entries.length) problems.push({ text: `its last number is ${last}; expected ${entries.length}`, repairable: true });
  return { entries, problems: problems.reverse() };
}
