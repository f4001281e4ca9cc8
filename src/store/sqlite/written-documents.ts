import type { Database } from 'better-sqlite3';
import { documentsVersion } from '../../serializers/documents.js';
import { CHECKED, type Row } from '../saving/checksums.js';
import { rewrite, TEXTS } from '../saving/rewrite.js';

/** How many rows one transaction writes. */
const BATCH = 5000;

function writeTable(db: Database, table: keyof typeof TEXTS): void {
  const version = documentsVersion();
  const { column } = TEXTS[table];
  const next = db.prepare<[number, number, number], { id: number } & Row>(
    `SELECT id, ${CHECKED[table].join(', ')}, checksum FROM ${table} WHERE id > ? AND written_by IS NOT ? ORDER BY id LIMIT ?`,
  );
  const save = db.prepare(`UPDATE ${table} SET ${column} = ?, written_by = ?, checksum = ? WHERE id = ?`);
  const unmark = db.prepare(`UPDATE ${table} SET written_by = NULL WHERE id = ? AND written_by IS NOT NULL`);
  const saveBatch = db.transaction((after: number) => {
    const rows = next.all(after, version, BATCH);
    for (const row of rows) {
      const { id, text, written_by, checksum } = rewrite(table, row);
      if (text === null) unmark.run(id);
      else save.run(text, written_by, checksum, id);
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
  writeTable(db, 'setup');
  writeTable(db, 'equipment');
  db.transaction(() => {
    db.exec('DELETE FROM documents_version');
    db.prepare('INSERT INTO documents_version VALUES (?)').run(version);
  })();
}
