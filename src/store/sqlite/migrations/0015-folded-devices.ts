import type { Database } from 'better-sqlite3';

/** What is searched of a device, without differences of case and accents. The code that computes it is a frozen copy. */

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** How many devices are read at once. */
const BATCH = 1000;

interface Row {
  id: number;
  type: string | null;
  manufacturer: string | null;
  serial_number: string | null;
}

/** Adds the text to each device, and to the index of words. */
export function foldedDevices(db: Database): void {
  db.exec(`
  -- What is searched of a device, folded.
  ALTER TABLE equipment ADD COLUMN search_text TEXT NOT NULL DEFAULT '';
  DROP INDEX equipment_by_words;
  `);
  const rows = db.prepare<[number, number], Row>(
    `SELECT id, type, iif(json_valid(document), document ->> '$.manufacturer', NULL) AS manufacturer, serial_number
     FROM equipment WHERE id > ? ORDER BY id LIMIT ?`,
  );
  const save = db.prepare('UPDATE equipment SET search_text = ? WHERE id = ?');
  for (let batch = rows.all(0, BATCH); batch.length > 0; batch = rows.all(batch.at(-1)!.id, BATCH)) {
    for (const { id, type, manufacturer, serial_number } of batch) {
      save.run(fold([type, manufacturer, serial_number].filter((value) => value !== null).join('\n')), id);
    }
  }
  db.exec('CREATE INDEX equipment_by_words ON equipment (equipment_type, search_text, id) WHERE listed = 1');
}
