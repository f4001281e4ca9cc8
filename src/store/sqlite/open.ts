import {
  closeSync,
  constants,
  existsSync,
  openSync,
  realpathSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { closedFolder, isPermitted, reasonOf } from '../../system-error.js';
import { StoreUnusable, WrongDatabase } from '../database.js';
import { MARK, type Mark, whyOutdated, whyUnusable } from '../migrations.js';

/** Marks a database file as one of this service ("GNSS" in ASCII); `PRAGMA application_id`. */
export const APPLICATION_ID = 0x474e5353;

/** Marks an empty file. */
export function mark(db: Database.Database): void {
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.exec(`
    CREATE TABLE ${MARK} (migration INTEGER NOT NULL, text_version INTEGER NOT NULL) STRICT;
    INSERT INTO ${MARK} VALUES (0, 0)`);
}

/** Whether a file has no tables. */
export const isEmpty = (db: Database.Database): boolean =>
  db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;

/**
 * The mark of a file; undefined if it has none. Development versions before the first release made
 * such files.
 */
export function markOf(db: Database.Database): Mark | undefined {
  const has = db
    .prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = 'text_version'")
    .get(MARK);
  return has === undefined
    ? undefined
    : db.prepare<[], Mark>(`SELECT migration, text_version AS documents FROM ${MARK}`).get();
}

/** How long a connection waits for a lock by default, in milliseconds. */
export const BUSY_TIMEOUT = 10_000;
/**
 * The cache of a reader, in KiB. It maps no file into memory: if another process truncated it, a
 * read would kill this one (SIGBUS).
 */
const READ_CACHE = 16 * 1024;

/**
 * The free space that SQLite needs at least to open a file, in bytes: its -shm file has 32 KiB, the
 * rest is for the -wal file.
 */
const SMALLEST_SPACE = 64 * 1024;

/** What to do about a file of somebody else. */
const OTHER_USER = 'run this as its owner, or as a member of its group';

/**
 * Why this user may not open a file, as the end of a sentence about it; undefined if permissions
 * are not the reason.
 */
function whyForbidden(file: string): string | undefined {
  const closed = closedFolder(file);
  if (closed !== undefined)
    return `cannot be opened: this user may not enter the folder "${closed}"; ${OTHER_USER}`;
  if (existsSync(file) && !isPermitted(file, constants.R_OK))
    return `cannot be opened: this user may not read it; ${OTHER_USER}`;
  return undefined;
}

/** Whether a file exists. @throws {StoreUnusable} if this user may not know */
export function exists(file: string): boolean {
  const closed = whyForbidden(file);
  if (closed !== undefined) throw new StoreUnusable(`database "${file}" ${closed}`);
  return existsSync(file);
}

/**
 * Why the operating system does not let SQLite open a file, where SQLite itself cannot say it;
 * undefined for any other reason.
 */
function systemReason(file: string): string | undefined {
  const forbidden = whyForbidden(file);
  if (forbidden !== undefined) return forbidden;
  try {
    closeSync(openSync(file, 'r'));
  } catch (error) {
    if (['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code!))
      return `cannot be opened: ${reasonOf(error)}`;
  }
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    if (bavail * bsize < SMALLEST_SPACE)
      return 'cannot be opened: the disk is full; SQLite needs space for -wal and -shm files';
  } catch {
    // The folder is not accessible, which the message of the caller covers.
  }
  return undefined;
}

/**
 * Why a file that this user may read cannot be read: SQLite reads a file in WAL mode only with -wal
 * and -shm files beside it.
 */
function walReason(file: string): string | undefined {
  const folder = dirname(resolve(file));
  if (!isPermitted(file, constants.R_OK) || isPermitted(folder, constants.W_OK)) return undefined;
  return (
    'is in WAL mode, so SQLite needs -wal and -shm files, ' +
    `and this user may not write to the folder "${folder}"; ` +
    'read a backup, which its owner makes with: gnss-site-setups backup FILE'
  );
}

/** @throws {StoreUnusable} if this user may not write a file, or may not create it */
export function checkWritable(file: string): void {
  const path = exists(file) ? realpathSync(file) : resolve(file);
  const folder = dirname(path);
  const refuse = (why: string): never => {
    throw new StoreUnusable(`database "${file}" cannot be written: ${why}; run this as its owner`);
  };
  if (existsSync(path) && !isPermitted(path, constants.W_OK)) refuse('this user may not write it');
  if (existsSync(folder) && !isPermitted(folder, constants.W_OK))
    refuse(
      `this user may not write to its folder "${folder}", where SQLite puts -wal and -shm files`,
    );
}

/** How to create a database. */
export const CREATE_HINT = 'create it with: gnss-site-setups import PATH...';

/** The content of a file is damaged. */
export class DamagedDatabase extends StoreUnusable {
  override readonly name = 'DamagedDatabase';
}

/** The error for a file that SQLite cannot use. It says what to do. */
export function unusable(file: string, error: unknown): StoreUnusable {
  const { code = '', message } = error as { code?: string; message: string };
  if (code === 'SQLITE_NOTADB') {
    return new WrongDatabase(
      `database "${file}" is not a SQLite database; ` +
        'pass another file with --database, or move this one away and import again',
      { cause: error },
    );
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    return new DamagedDatabase(
      `database "${file}" ` +
        'is damaged; restore it from a backup, or move it away and import the site logs again',
      { cause: error },
    );
  }
  const reasons: [RegExp, string][] = [
    [
      /^SQLITE_READONLY_ROLLBACK/,
      'was left by a killed import, and this user may not roll that back; ' +
        'import again as a user who may write the file and its folder',
    ],
    [
      /^SQLITE_(CANTOPEN|PERM|READONLY|IOERR)/,
      'cannot be opened; check that it is a regular file ' +
        'and that this user may read and write it and its folder ' +
        '(SQLite puts -wal and -shm files there)',
    ],
    [
      /^SQLITE_(BUSY|LOCKED)/,
      'is locked by another process; try again when that process has finished',
    ],
    [/^SQLITE_FULL/, 'cannot grow: the disk is full'],
  ];
  const reason =
    (/^SQLITE_(CANTOPEN|READONLY|IOERR)/.test(code) ? systemReason(file) : undefined) ??
    (/^SQLITE_(CANTOPEN|READONLY(?!_ROLLBACK))/.test(code) ? walReason(file) : undefined) ??
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

/** Opens a file. @throws {StoreUnusable} if that is not possible */
export function open(file: string, options: Database.Options): Database.Database {
  // SQLite would wait for ever for the other end of a named pipe.
  if (existsSync(file) && !statSync(file).isFile())
    throw new WrongDatabase(`database "${file}" cannot be opened: it is not a regular file`);
  try {
    return new Database(file, { timeout: BUSY_TIMEOUT, ...options });
  } catch (error) {
    throw unusable(file, error);
  }
}

/**
 * How many migrations a file has had; 0 if it is empty.
 * @throws {WrongDatabase} if it belongs to another application or a newer version
 */
export function migrationOf(file: string, db: Database.Database): number {
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    if (isEmpty(db)) return 0;
    throw new WrongDatabase(
      `database "${file}" belongs to another application; pass another file with --database`,
    );
  }
  const migration = markOf(db)?.migration ?? null;
  const reason = whyUnusable(migration);
  if (reason !== undefined) throw new WrongDatabase(`database "${file}" ${reason}`);
  return migration!;
}

/**
 * How many migrations a file has had; null if it does not exist, or is empty.
 * @throws {StoreUnusable} as {@link migrationOf}
 */
export function migrationOfFile(file: string): number | null {
  if (!exists(file)) return null;
  const db = open(file, { readonly: true, fileMustExist: true });
  return guarded(file, db, () => {
    const migration = migrationOf(file, db);
    db.close();
    return migration === 0 ? null : migration;
  });
}

/** Opens a file for reading, and checks that it can be served. @throws {StoreUnusable} if not */
export function openToRead(file: string): Database.Database {
  if (!exists(file)) throw new StoreUnusable(`database "${file}" does not exist; ${CREATE_HINT}`);
  try {
    return openReadonly(file);
  } catch (error) {
    if (
      ((error as Error).cause as { code?: string } | undefined)?.code !== 'SQLITE_READONLY_ROLLBACK'
    )
      throw error;
  }
  // A killed process left a -journal file, which a connection for reading cannot roll back. The
  // first read of this one does.
  const db = open(file, { fileMustExist: true });
  guarded(file, db, () => isEmpty(db));
  db.close();
  return openReadonly(file);
}

function openReadonly(file: string): Database.Database {
  const db = open(file, { readonly: true, fileMustExist: true });
  return guarded(file, db, () => {
    const migration = migrationOf(file, db);
    if (migration === 0) throw new StoreUnusable(`database "${file}" is empty; ${CREATE_HINT}`);
    const reason = whyOutdated(migration);
    if (reason !== undefined) throw new StoreUnusable(`database "${file}" ${reason}`);
    // Read the schema and one more page, so that damage there is noticed now and not by the first
    // request.
    db.prepare('SELECT id FROM site LIMIT 1').get();
    db.pragma('mmap_size = 0');
    db.pragma(`cache_size = -${READ_CACHE}`);
    return db;
  });
}
