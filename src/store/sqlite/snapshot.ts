import Database from 'better-sqlite3';
import type { Database as AnyDatabase, Writes } from '../database.js';
import { StoreUnusable } from '../database.js';
import { whyOutdated } from '../migrations.js';
import type { Problem } from '../upkeep/types.js';
import { openSnapshot } from './backup.js';
import { integrityProblems, repairSchema, schemaProblems } from './integrity.js';
import { guarded, migrationOf, open, unusable } from './open.js';
import { SqliteTransaction, SqliteWrites } from './writes.js';

/** Opens one state of a file of this version, and has SQLite check it. @throws {StoreUnusable} */
export async function openCheckedSnapshot(file: string): Promise<{ db: AnyDatabase; problems: Problem[]; close(): Promise<void> }> {
  const db = openSnapshot(file);
  return guarded(file, db, () => {
    checkVersion(file, db);
    const problems = [...integrityProblems(db), ...schemaProblems(db)];
    return { db: new SqliteTransaction(db), problems, close: async () => void db.close() };
  });
}

function checkVersion(file: string, db: Database.Database): void {
  const reason = whyOutdated(migrationOf(file, db));
  if (reason !== undefined) throw new StoreUnusable(`database "${file}" ${reason}`);
}

/** Opens a file to put rows right, after building its indexes anew. @throws {StoreUnusable} */
export async function openToRepair(file: string): Promise<Writes> {
  const db = open(file, { fileMustExist: true });
  return guarded(file, db, () => {
    // Rows may refer to others that are missing until they are repaired too.
    db.pragma('foreign_keys = OFF');
    db.pragma('journal_mode = WAL');
    try {
      db.transaction(() => repairSchema(db)).immediate();
    } catch (error) {
      // Rows that are damaged can violate a unique index; it is reported as missing, and built by the next call.
      if ((error as { code?: string }).code !== 'SQLITE_CONSTRAINT_UNIQUE') throw unusable(file, error);
    }
    return new SqliteWrites(file, db, false);
  });
}
