import type { Database } from 'better-sqlite3';
import type { KnownPersons } from '../../site-log/known-persons.js';
import type { Row } from '../saving/checksums.js';
import { type LogWithContacts, RecordedContacts, type RecordedFinding, REMARKS, REMARKS_TABLES } from '../saving/withhold-recorded.js';

/**
 * Withholds contacts in the rows of a Site that were saved before these contacts were known, within the transaction of the caller.
 * @param known persons whom other logs name as contacts
 * @returns the persons whom the logs of the Site name
 */
export function withholdRecorded(db: Database, site: number, known: KnownPersons): string[] {
  const logs = db
    .prepare<[number], { id: number; original: Buffer; current: number }>(
      'SELECT id, original, superseded_at IS NULL AS current FROM site_log WHERE site_id = ?',
    )
    .all(site);
  const contacts = new RecordedContacts(
    logs.map(({ current, ...log }): LogWithContacts => ({ ...log, current: current === 1 })),
    known,
  );
  for (const table of REMARKS_TABLES) {
    const rows = db.prepare<[number], Row & { id: number }>(`SELECT * FROM ${table} WHERE site_id = ?`).all(site);
    const update = db.prepare(`UPDATE ${table} SET ${REMARKS[table]} = ?, checksum = ? WHERE id = ?`);
    for (const row of contacts.withheldRows(table, rows)) update.run(row[REMARKS[table]], row.checksum, row.id);
  }
  const findings = db
    .prepare<[number], RecordedFinding>(
      'SELECT site_log_id, position, message, text FROM finding WHERE site_log_id IN (SELECT id FROM site_log WHERE site_id = ?)',
    )
    .all(site);
  const update = db.prepare<RecordedFinding>(
    'UPDATE finding SET message = :message, text = :text WHERE site_log_id = :site_log_id AND position = :position',
  );
  for (const finding of contacts.withheldFindings(findings)) update.run(finding);
  return contacts.persons;
}
