import type { KnownPersons } from '../../../site-log/known-persons.js';
import type { Row } from '../../saving/checksums.js';
import { type LogWithContacts, RecordedContacts, type RecordedFinding, REMARKS, REMARKS_TABLES } from '../../saving/withhold-recorded.js';
import type { Transaction } from '../client.js';
import { updateRows } from '../rows.js';

/**
 * Withholds contacts in the rows of a Site that were saved before these contacts were known.
 * @param known persons whom other logs name as contacts
 * @returns the persons whom the logs of the Site name
 */
export async function withholdRecorded(transaction: Transaction, site: number, known: KnownPersons): Promise<string[]> {
  const logs = await transaction.all<LogWithContacts>(
    'SELECT id, original, superseded_at IS NULL AS current FROM site_log WHERE site_id = $1',
    site,
  );
  const contacts = new RecordedContacts(logs, known);
  for (const table of REMARKS_TABLES) {
    const rows = await transaction.all<Row & { id: number }>(`SELECT * FROM ${table} WHERE site_id = $1`, site);
    await updateRows(transaction, table, [REMARKS[table], 'checksum'], contacts.withheldRows(table, rows));
  }
  const findings = await transaction.all<RecordedFinding>(
    'SELECT site_log_id, position, message, text FROM finding WHERE site_log_id = ANY($1)',
    logs.map(({ id }) => id),
  );
  for (const { site_log_id, position, message, text } of contacts.withheldFindings(findings)) {
    await transaction.run(
      'UPDATE finding SET message = $3, text = $4 WHERE site_log_id = $1 AND position = $2',
      ...[site_log_id, position, message, text],
    );
  }
  return contacts.persons;
}
