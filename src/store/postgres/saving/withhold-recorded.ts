import type { Row } from '../../saving/checksums.js';
import { type LogWithContacts, RecordedContacts, REMARKS, REMARKS_TABLES } from '../../saving/withhold-recorded.js';
import type { Transaction } from '../client.js';
import { updateRows } from '../rows.js';

/** Withholds contacts in the rows of a Site that an earlier version saved. */
export async function withholdRecorded(transaction: Transaction, site: number): Promise<void> {
  const logs = await transaction.all<LogWithContacts>(
    'SELECT original, superseded_at IS NULL AS current FROM site_log WHERE site_id = $1',
    site,
  );
  const contacts = new RecordedContacts(logs);
  for (const table of REMARKS_TABLES) {
    const rows = await transaction.all<Row & { id: number }>(`SELECT * FROM ${table} WHERE site_id = $1`, site);
    await updateRows(transaction, table, [REMARKS[table], 'checksum'], contacts.withheldRows(table, rows));
  }
}
