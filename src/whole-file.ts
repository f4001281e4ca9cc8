import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { isPermitted, reasonOf } from './system-error.js';

/** Writes files as a whole: a reader sees the old content or the new one, never a part. */

/** A file cannot be written. The message is one line that says why. */
export class FileUnusable extends Error {
  override readonly name = 'FileUnusable';
}

/**
 * Why a file cannot be written, as an error of the system or of SQLite says; undefined for other
 * errors.
 */
function whyUnwritable(error: unknown): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'SQLITE_FULL') return 'the disk is full';
  return syscall === undefined ? undefined : reasonOf(error);
}

/**
 * Takes a lock beside a file. It ends with its process, so a killed process does not block the next
 * one.
 * @throws {FileUnusable} if another process has it
 */
function lock(path: string, file: string): Database.Database {
  try {
    if (!existsSync(dirname(file)))
      throw new FileUnusable(`"${file}" cannot be written: there is no folder "${dirname(file)}"`);
    if (!isPermitted(dirname(file), constants.W_OK))
      throw new FileUnusable(`"${file}" cannot be written: this user may not write to its folder`);
    const claim = new Database(path, { timeout: 0 });
    // A journal in a file would need space.
    claim.pragma('journal_mode = MEMORY');
    claim.exec('BEGIN EXCLUSIVE');
    return claim;
  } catch (error) {
    if (error instanceof FileUnusable) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'SQLITE_BUSY')
      throw new FileUnusable(`"${file}" is being written by another process`);
    throw new FileUnusable(`"${file}" cannot be written: ${whyUnwritable(error) ?? message}`, {
      cause: error,
    });
  }
}

/**
 * Runs `work` with a new file beside another one, which no other process uses, and then deletes it.
 * @param target the file that the user named, as messages name it
 * @param ending what the name of the new file has behind that
 * @throws {FileUnusable} if that is not possible
 */
export async function withNewFile<T>(
  target: string,
  ending: string,
  work: (file: string) => Promise<T>,
  mode = 0o640,
): Promise<T> {
  const file = `${target}${ending}`;
  const claimed = join(dirname(file), `.${basename(file)}.lock`);
  const claim = lock(claimed, target);
  const remove = (): void => {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(file + end, { force: true });
  };
  try {
    remove();
    closeSync(openSync(file, 'wx', mode));
    return await work(file);
  } catch (error) {
    const reason = whyUnwritable(error);
    throw reason === undefined
      ? error
      : new FileUnusable(`"${target}" cannot be written: ${reason}`, { cause: error });
  } finally {
    remove();
    rmSync(claimed, { force: true });
    claim.close();
  }
}

/** Writes a file under another name, and gives it its name only when it is complete. */
export async function replaceInOneStep<T>(
  target: string,
  write: (partial: string) => Promise<T>,
  mode?: number,
): Promise<T> {
  return withNewFile(
    target,
    '.partial',
    async (partial) => {
      const result = await write(partial);
      moveInto(target, partial);
      return result;
    },
    mode,
  );
}

/** Gives a complete file the name of another one, which it replaces. */
export function moveInto(target: string, file: string): void {
  flushToDisk(file);
  renameSync(file, target);
  flushToDisk(dirname(resolve(target)));
}

/** Waits until the disk has what was written. */
export function flushToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Identifies a file independently of its path; null if it does not exist, or if this user may not
 * know.
 */
export function inodeOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
