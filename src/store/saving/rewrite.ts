import { documentsVersion, writeEquipmentInUse, writeIdentity } from '../../serializers/documents.js';
import type { Serialize } from '../../serializers/serializers.js';
import { writtenAnew } from '../written-text.js';
import { checksumOfRow, isIntact, type Row } from './checksums.js';

/** The columns with texts that the serializers write, by table, and what writes them. */
export const TEXTS = {
  setup: { column: 'equipment_in_use', write: writeEquipmentInUse as Serialize },
  equipment: { column: 'document', write: writeIdentity as Serialize },
} as const;

/** A row whose text was written anew. */
export interface RewrittenRow {
  id: number;
  /** Null if the serializers of this version cannot write it without losing content; then the row only loses its mark. */
  text: string | null;
  written_by: number | null;
  checksum: number;
}

/** Writes the text of a row anew. @param row with the columns that its checksum covers */
export function rewrite(table: keyof typeof TEXTS, row: Row & { id: number }): RewrittenRow {
  const { column, write } = TEXTS[table];
  const text = writtenAnew(row[column] as string, write);
  // A wrong checksum stays wrong.
  const checksum = text !== null && isIntact(table, row) ? checksumOfRow(table, { ...row, [column]: text }) : (row.checksum as number);
  return { id: row.id, text, written_by: text === null ? null : documentsVersion(), checksum };
}
