import type { Database } from 'better-sqlite3';
import { documentsVersion, writeEquipmentInUse, writeIdentity } from '../../serializers/documents.js';
import type { Serialize } from '../../serializers/serializers.js';
import { writtenAnew } from '../written-text.js';
import { CHECKED, checksumOfRow, isIntact, type Row } from '../saving/checksums.js';

/** How many rows one transaction writes. */
const BATCH = 5000;

/** A stored text. */
interface Stored {
  id: number;
  text: string;
}

function writeTable(db: Database, table: 'setup' | 'equipment', column: string, write: Serialize): void {
  const version = documentsVersion();
  const checked = CHECKED[table];
  const next = db.prepare<[number, number, number], Stored & Row>(
    `SELECT id, ${column} AS text, ${checked.join(', ')}, checksum FROM ${table} WHERE id > ? AND written_by IS NOT ? ORDER BY id LIMIT ?`,
  );
  const save = db.prepare(`UPDATE ${table} SET ${column} = ?, written_by = ?, checksum = ? WHERE id = ?`);
  const unmark = db.prepare(`UPDATE ${table} SET written_by = NULL WHERE id = ? AND written_by IS NOT NULL`);
  const saveBatch = db.transaction((after: number) => {
    const rows = next.all(after, version, BATCH);
    for (const row of rows) {
      const { id, text } = row;
      const written = writtenAnew(text, write);
      // A wrong checksum stays wrong.
      const checksum = isIntact(table, row) ? checksumOfRow(table, { ...row, [column]: written }) : row.checksum!;
      if (written !== null) save.run(written, version, checksum, id);
      else unmark.run(id);
    }
    return rows.at(-1)?.id;
  });
  for (let last: number | undefined = 0; last !== undefined;) last = saveBatch.immediate(last);
}

/**
 * Writes the texts anew that other versions of the serializers wrote, in several transactions. If it is interrupted, the
 * next call goes on; until then, readers write those texts themselves.
 */
export function writeDocuments(db: Database): void {
  const version = documentsVersion();
  if (db.prepare<[], number>('SELECT version FROM documents_version').pluck().get() === version) return;
  writeTable(db, 'setup', 'equipment_in_use', writeEquipmentInUse as Serialize);
  writeTable(db, 'equipment', 'document', writeIdentity as Serialize);
  db.transaction(() => {
    db.exec('DELETE FROM documents_version');
    db.prepare('INSERT INTO documents_version VALUES (?)').run(version);
  })();
}
