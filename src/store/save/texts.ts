import { isDeepStrictEqual } from 'node:util';
import sql, { raw } from 'sql-template-tag';
import { documentsVersion, writeEquipmentInUse, writeIdentity } from '../../serializers/documents.js';
import type { Serialize } from '../../serializers/serializers.js';
import type { Transaction, Writes } from '../database.js';
import { MARK } from '../migrations.js';
import type { RowOf } from '../schema.js';
import { coveredBy, isIntact, withChecksum } from './checksums.js';

/** The columns with texts that the serializers write, by table, and what writes them. */
const TEXTS = {
  setup: { column: 'equipment_in_use', write: writeEquipmentInUse as Serialize },
  equipment: { column: 'document', write: writeIdentity as Serialize },
} as const;
type TextTable = keyof typeof TEXTS;

/** How many rows one transaction writes. */
const BATCH = 1000;

/** Writes a text anew; null if its value does not fit the schema, or has members that the schema lacks, which would be lost. */
export function writtenAnew(text: string, write: Serialize): string | null {
  try {
    const value: unknown = JSON.parse(text);
    const written = write(value);
    return isDeepStrictEqual(JSON.parse(written), value) ? written : null;
  } catch {
    return null;
  }
}

/** The id of the last text of a batch, undefined if there was none; and whether all were written. */
interface Batch {
  last: number | undefined;
  complete: boolean;
}

/** Writes the next texts of a table anew, except those that would lose content. */
async function writeBatch(transaction: Transaction, table: TextTable, after: number): Promise<Batch> {
  const { column, write } = TEXTS[table];
  const columns = raw([...coveredBy(table), 'checksum'].join(', '));
  const rows = await transaction.all<RowOf<'setup'> & RowOf<'equipment'>>(
    sql`SELECT ${columns} FROM ${raw(table)} WHERE id > ${after} ORDER BY id LIMIT ${BATCH}`,
  );
  let complete = true;
  const written = rows.flatMap((row) => {
    const text = writtenAnew(row[column], write);
    complete &&= text !== null;
    if (text === null || text === row[column]) return [];
    const changed = { ...row, [column]: text };
    // A wrong checksum stays wrong.
    return [isIntact(table, row) ? withChecksum(table, changed) : changed];
  });
  await transaction.update(table, [column, 'checksum'] as never, written);
  return { last: rows.at(-1)?.id, complete };
}

/**
 * Writes all texts anew if another version of the serializers wrote them, in several transactions. Until it is done, readers write
 * texts themselves, as if no version had written them. If it is interrupted, or a text would lose content, the next call begins again.
 */
export async function writeTexts(writes: Writes): Promise<void> {
  const version = documentsVersion();
  const mark = await writes.read((db) => db.get<{ documents: number }>(raw(`SELECT documents FROM ${MARK}`)));
  if (mark?.documents === version) return;
  const note = (documents: number): Promise<number> =>
    writes.transaction((transaction) => transaction.run(sql`UPDATE ${raw(MARK)} SET documents = ${documents}`));
  if (mark?.documents !== 0) await note(0);
  let complete = true;
  for (const table of Object.keys(TEXTS) as TextTable[]) {
    for (let after: number | undefined = 0; after !== undefined;) {
      const from: number = after;
      const batch = await writes.transaction((transaction) => writeBatch(transaction, table, from));
      complete &&= batch.complete;
      after = batch.last;
    }
  }
  if (complete) await note(version);
}
