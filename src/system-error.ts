import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What errors of the operating system mean, as the end of a sentence about a file or folder. */
const REASONS: Record<string, string> = {
  EACCES: 'this user may not use it',
  EEXIST: 'there is already a file of this name',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many open files; raise the limit with ulimit -n (1024 is enough)',
  ENAMETOOLONG: 'its name is too long',
  ENFILE: 'too many open files in the system',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EPERM: 'this user may not use it',
  EROFS: 'its file system is read-only',
};

/** Why the operating system refuses a file, in words. */
export function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}

/**
 * Whether this user may use a file or folder in a way; false if it does not exist.
 * @param mode of `fs.constants`
 */
export function isPermitted(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/**
 * The first folder on the way to a file that exists but that this user may not enter; undefined if
 * there is none.
 */
export function closedFolder(file: string): string | undefined {
  const folder = dirname(resolve(file));
  const outer = folder === dirname(folder) ? undefined : closedFolder(folder);
  if (outer !== undefined) return outer;
  return isPermitted(folder, constants.F_OK) && !isPermitted(folder, constants.X_OK)
    ? folder
    : undefined;
}
