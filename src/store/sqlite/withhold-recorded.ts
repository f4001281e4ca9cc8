import type { Database } from 'better-sqlite3';
import type { Row } from '../saving/checksums.js';
import { type LogWithContacts, RecordedContacts, REMARKS, REMARKS_TABLES } from '../saving/withhold-recorded.js';

/** Withholds contacts in the rows of a Site that an earlier version saved, within the transaction of the caller. */
export function withholdRecorded(db: Database, site: number): void {
  const logs = db
    .prepare<[number], { original: Buffer; current: number }>(
      'SELECT original, superseded_at IS NULL AS current FROM site_log WHERE site_id = ?',
    )
    .all(site);
  const contacts = new RecordedContacts(logs.map(({ original, current }): LogWithContacts => ({ original, current: current === 1 })));
  for (const table of REMARKS_TABLES) {
    const rows = db.prepare<[number], Row & { id: number }>(`SELECT * FROM ${table} WHERE site_id = ?`).all(site);
    const update = db.prepare(`UPDATE ${table} SET ${REMARKS[table]} = ?, checksum = ? WHERE id = ?`);
    for (const row of contacts.withheldRows(table, rows)) update.run(row[REMARKS[table]], row.checksum, row.id);
  }
}
