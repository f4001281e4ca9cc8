import { documentsVersion } from '../../serializers/documents.js';
import { CHECKED, type Row } from '../saving/checksums.js';
import { rewrite, TEXTS } from '../saving/rewrite.js';
import type { Transaction, Writes } from './client.js';
import { updateRows } from './rows.js';

/** How many rows one transaction writes. */
const BATCH = 1000;

/** Writes the next texts of a table. @returns the id of the last; undefined if there was none */
async function writeBatch(transaction: Transaction, table: keyof typeof TEXTS, after: number): Promise<number | undefined> {
  const { column } = TEXTS[table];
  const rows = await transaction.all<{ id: number } & Row>(
    `SELECT id, ${CHECKED[table].join(', ')}, checksum FROM ${table}
     WHERE id > $1 AND written_by IS DISTINCT FROM $2 ORDER BY id LIMIT $3`,
    after,
    documentsVersion(),
    BATCH,
  );
  const rewritten = rows.map((row) => rewrite(table, row));
  const written = rewritten.filter(({ text }) => text !== null).map(({ text, ...row }) => ({ ...row, [column]: text }));
  await updateRows(transaction, table, [column, 'written_by', 'checksum'], written);
  const lost = rewritten.filter(({ text }) => text === null);
  await updateRows(transaction, table, ['written_by'], lost);
  return rows.at(-1)?.id;
}

/**
 * Writes the texts anew that other versions of the serializers wrote, in several transactions. If it is interrupted, the
 * next call goes on; until then, readers write those texts themselves.
 */
export async function writeDocuments(writes: Writes): Promise<void> {
  const version = documentsVersion();
  const [known] = await writes.unlocked((transaction) => transaction.all<{ version: number }>('SELECT version FROM documents_version'));
  if (known?.version === version) return;
  for (const table of ['setup', 'equipment'] as const) {
    for (let last: number | undefined = 0; last !== undefined;) {
      const after: number = last;
      last = await writes.transaction((transaction) => writeBatch(transaction, table, after));
    }
  }
  await writes.transaction(async (transaction) => {
    await transaction.run('DELETE FROM documents_version');
    await transaction.run('INSERT INTO documents_version (version) VALUES ($1)', version);
  });
}
