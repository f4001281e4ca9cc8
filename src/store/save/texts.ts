import { isDeepStrictEqual } from 'node:util';
import sql, { raw } from 'sql-template-tag';
import {
  documentsVersion,
  writeEquipmentInUse,
  writeIdentity,
} from '../../serializers/documents.js';
import type { Serialize } from '../../serializers/serializers.js';
import type { Transaction, Writes } from '../database.js';
import { batchesOf } from '../page.js';
import { MARK, type Mark } from '../migrations.js';

/** The columns with texts that the serializers write, by table, and what writes them. */
const TEXTS = {
  setup: { column: 'equipment_in_use', write: writeEquipmentInUse as Serialize },
  equipment: { column: 'document', write: writeIdentity as Serialize },
  installation: { column: 'identity', write: writeIdentity as Serialize },
} as const;
type TextTable = keyof typeof TEXTS;
/** A row with its text. */
type TextRow = { id: number } & Record<(typeof TEXTS)[TextTable]['column'], string>;

/**
 * Writes a text anew; null if its value does not fit the schema, or has members that the schema
 * lacks, which would be lost.
 */
function writtenAnew(text: string, write: Serialize): string | null {
  try {
    const value: unknown = JSON.parse(text);
    const written = write(value);
    return isDeepStrictEqual(JSON.parse(written), value) ? written : null;
  } catch {
    return null;
  }
}

/**
 * Writes texts of a table anew, except those that would lose content.
 * @returns whether all were written
 */
async function writeRows(
  transaction: Transaction,
  table: TextTable,
  rows: TextRow[],
): Promise<boolean> {
  const { column, write } = TEXTS[table];
  let complete = true;
  const written = rows.flatMap((row) => {
    const text = writtenAnew(row[column], write);
    complete &&= text !== null;
    if (text === null || text === row[column]) return [];
    return [{ id: row.id, [column]: text }];
  });
  await transaction.update(table, written);
  return complete;
}

/**
 * Rewrites all texts in one transaction if another version of the serializers wrote them. Until
 * then, readers write them themselves.
 */
export async function writeTexts(writes: Writes): Promise<void> {
  const version = documentsVersion();
  const mark = await writes.read(async (db) =>
    db.get<Mark>(raw(`SELECT text_version AS documents FROM ${MARK}`)),
  );
  if (mark?.documents === version) return;
  await writes.transaction(async (transaction) => {
    let complete = true;
    for (const table of Object.keys(TEXTS) as TextTable[]) {
      const columns = ['id', TEXTS[table].column];
      for await (const rows of batchesOf<TextRow>(transaction, table, columns))
        complete = (await writeRows(transaction, table, rows)) && complete;
    }
    await transaction.run(sql`UPDATE ${raw(MARK)} SET text_version = ${complete ? version : 0}`);
  });
}
