import type { Database } from 'better-sqlite3';
import { MARK } from '../migrations.js';

/** Marks a database file as one of this service ("GNSS" in ASCII); `PRAGMA application_id`. */
export const APPLICATION_ID = 0x474e5353;

/** What wrote a file. */
export interface Mark {
  /** How many migrations it has had. */
  migration: number;
  /** The version of the serializers that wrote all texts in it. */
  documents: number;
}

/** Marks an empty file. */
export function mark(db: Database): void {
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.exec(`CREATE TABLE ${MARK} (migration INTEGER NOT NULL, documents INTEGER NOT NULL) STRICT; INSERT INTO ${MARK} VALUES (0, 0)`);
}

/** Whether a file has no tables. */
export const isEmpty = (db: Database): boolean => db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;

/** The mark of a file; undefined if it has none. Development versions before the first release made such files. */
export function markOf(db: Database): Mark | undefined {
  const has = db.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = 'documents'").get(MARK);
  return has === undefined ? undefined : db.prepare<[], Mark>(`SELECT migration, documents FROM ${MARK}`).get();
}
