import { closeSync, existsSync, openSync, statfsSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { WriterOptions } from '../open.js';
import { type StoreReader, StoreUnusable, type StoreWriter } from '../store.js';
import { Connection } from './connection.js';
import { APPLICATION_ID, migrate, MIGRATIONS, migrationOf } from './migrations.js';
import { codeFindings } from './log-table.js';
import { SqliteReader } from './reader.js';
import { SqliteWriter } from './writer.js';
import { writeDocuments } from './written-documents.js';

/** How long a connection waits for a lock by default, in milliseconds. */
const BUSY_TIMEOUT = 10_000;
/**
 * How much of the file a reader caches, in KiB. It does not map the file to memory: if another process truncates a mapped
 * file, the next read kills this process (SIGBUS).
 */
const READ_CACHE = 16 * 1024;

/** How much of the file an import caches, in KiB. */
const WRITE_CACHE = 8 * 1024;
/** After how many pages in the -wal file an import moves them to the database: each page only once, even if several logs change it. */
const CHECKPOINT_PAGES = 4000;

/** The free space that SQLite needs at least to open a file, in bytes: its -shm file has 32 KiB, the rest is for the -wal file. */
const SMALLEST_SPACE = 64 * 1024;

/** Why the operating system does not let SQLite open a file, where SQLite itself cannot say it; undefined if it is neither. */
function systemReason(file: string): string | undefined {
  try {
    closeSync(openSync(file, 'r'));
  } catch (error) {
    if (['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code!)) {
      return 'cannot be opened: too many open files; raise the limit with ulimit -n (1024 is enough)';
    }
  }
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    if (bavail * bsize < SMALLEST_SPACE) return 'cannot be opened: the disk is full; SQLite needs space for -wal and -shm files';
  } catch {
    // The folder is not accessible, which the message of the caller covers.
  }
  return undefined;
}

/** How to create a database. */
const CREATE_HINT = 'create it with: gnss-site-setups import PATH...';

/** The error for a file that SQLite cannot use. It says what to do. */
export function unusable(file: string, error: unknown): StoreUnusable {
  const { code = '', message } = error as { code?: string; message: string };
  const reasons: [RegExp, string][] = [
    [/^SQLITE_NOTADB/, 'is not a SQLite database; pass another file with --database, or move this one away and import again'],
    [/^SQLITE_CORRUPT/, 'is damaged; restore it from a backup, or move it away and import the site logs again'],
    [
      /^SQLITE_READONLY_ROLLBACK/,
      'was left by a killed import, and this user may not roll that back; import again as a user who may write the file and its folder',
    ],
    [
      /^SQLITE_(CANTOPEN|PERM|READONLY|IOERR)/,
      'cannot be opened; check that it is a regular file and that this user may read and write it and its folder (SQLite puts -wal and -shm files there)',
    ],
    [/^SQLITE_(BUSY|LOCKED)/, 'is locked by another process; try again when that process has finished'],
    [/^SQLITE_FULL/, 'cannot grow: the disk is full'],
  ];
  const reason =
    (/^SQLITE_(CANTOPEN|READONLY|IOERR)/.test(code) ? systemReason(file) : undefined) ??
    reasons.find(([pattern]) => pattern.test(code))?.[1] ??
    `cannot be used: ${message}`;
  return new StoreUnusable(`database "${file}" ${reason}`, { cause: error });
}

/** Runs `work`; if it fails, closes `db` and throws a {@link StoreUnusable}. */
export function guarded<T>(file: string, db: Database.Database, work: () => T): T {
  try {
    return work();
  } catch (error) {
    db.close();
    throw error instanceof StoreUnusable ? error : unusable(file, error);
  }
}

/** Whether a path is there, but is not a regular file. SQLite would wait for ever for the other end of a named pipe. */
function isOtherThanFile(path: string): boolean {
  let found: Stats | undefined;
  try {
    found = statSync(path, { throwIfNoEntry: false });
  } catch {
    // SQLite will fail as well, with a better message.
  }
  return found?.isFile() === false;
}

export function open(file: string, options: Database.Options): Database.Database {
  if (isOtherThanFile(file)) throw new StoreUnusable(`database "${file}" cannot be opened: it is not a regular file`);
  try {
    return new Database(file, { timeout: BUSY_TIMEOUT, ...options });
  } catch (error) {
    throw unusable(file, error);
  }
}

/** Creates an empty file unless it exists, not readable for everybody. SQLite gives its -wal and -shm files the same mode. */
function createFile(file: string): void {
  try {
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o640));
  } catch {
    // SQLite will fail as well, with a better message.
  }
}

/** Whether a file is marked as one of this service; false if it is empty. @throws {StoreUnusable} if it belongs to another application */
export function isOwn(file: string, db: Database.Database): boolean {
  if (db.pragma('application_id', { simple: true }) === APPLICATION_ID) return true;
  const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get()!;
  if (tables === 0 && migrationOf(db) === 0) return false;
  throw new StoreUnusable(`database "${file}" belongs to another application; pass another file with --database`);
}

/** @throws {StoreUnusable} if the file belongs to another application, or to a newer version of this one */
export function checkOwner(file: string, db: Database.Database): void {
  const migration = migrationOf(db);
  if (isOwn(file, db) && (migration > MIGRATIONS.length || migration < 1)) {
    throw new StoreUnusable(
      `database "${file}" is from a newer version (migration ${migration}; this version has ${MIGRATIONS.length}); install the newer version`,
    );
  }
}

/**
 * Opens a file for reading. Each read sees what other processes have committed.
 * @throws {StoreUnusable} if it is missing, not a database of this service, damaged, or of another version
 */
export function openReader(file: string): StoreReader {
  return new SqliteReader(
    new Connection(
      file,
      () => openToRead(file),
      (error) => unusable(file, error),
    ),
  );
}

/** Opens a file and checks that it can be served. */
function openToRead(file: string): Database.Database {
  if (!existsSync(file)) throw new StoreUnusable(`database "${file}" does not exist; ${CREATE_HINT}`);
  try {
    return openReadonly(file);
  } catch (error) {
    if (((error as Error).cause as { code?: string } | undefined)?.code !== 'SQLITE_READONLY_ROLLBACK') throw error;
  }
  rollBack(file);
  return openReadonly(file);
}

/** Rolls back what a killed process left in a -journal file. A connection for reading cannot do that. */
function rollBack(file: string): void {
  const db = open(file, { fileMustExist: true });
  // The first read does it.
  guarded(file, db, () => migrationOf(db));
  db.close();
}

function openReadonly(file: string): Database.Database {
  const db = open(file, { readonly: true, fileMustExist: true });
  return guarded(file, db, () => {
    checkOwner(file, db);
    const migration = migrationOf(db);
    if (migration === 0) throw new StoreUnusable(`database "${file}" is empty; ${CREATE_HINT}`);
    if (migration < MIGRATIONS.length) {
      throw new StoreUnusable(
        `database "${file}" is from an older version (migration ${migration} of ${MIGRATIONS.length}); bring it up to date by importing a site log`,
      );
    }
    // Read the schema and one more page, so that damage there is noticed now and not by the first request.
    db.prepare('SELECT id FROM site LIMIT 1').get();
    db.pragma('mmap_size = 0');
    db.pragma(`cache_size = -${READ_CACHE}`);
    return db;
  });
}

/**
 * Opens a file for importing. Creates it if it does not exist, and brings it to the last migration.
 * @throws {StoreUnusable} if it is not a database of this service, damaged, locked, or of a newer version
 */
export const openWriter = (file: string, options: WriterOptions = {}): StoreWriter =>
  new SqliteWriter(openToWrite(file, options), (error) => unusable(file, error));

/** Opens a file as {@link openWriter} does. */
export function openToWrite(
  file: string,
  { dryRun = false, create = true, patience = BUSY_TIMEOUT }: WriterOptions = {},
): Database.Database {
  if (!create && !existsSync(file)) throw new StoreUnusable(`database "${file}" does not exist; ${CREATE_HINT}`);
  if (!existsSync(dirname(file))) {
    throw new StoreUnusable(`database "${file}" cannot be created: there is no folder "${dirname(file)}"`);
  }
  const inMemory = dryRun && !existsSync(file);
  if (!inMemory) createFile(file);
  const db = open(inMemory ? ':memory:' : file, { timeout: patience });
  return guarded(file, db, () => {
    checkOwner(file, db);
    db.pragma('foreign_keys = OFF');
    db.pragma('synchronous = NORMAL');
    if (dryRun) db.exec('BEGIN IMMEDIATE');
    else db.pragma('journal_mode = WAL');
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    db.pragma(`cache_size = -${WRITE_CACHE}`);
    migrate(db);
    db.pragma('foreign_keys = ON');
    codeFindings(db);
    writeDocuments(db);
    return db;
  });
}
