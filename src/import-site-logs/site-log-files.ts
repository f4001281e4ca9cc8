import type { Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { normalize, sep } from 'node:path';

/**
 * Why the operating system does not let a file be read. Plain, because an error loses its code on
 * the way to another thread.
 */
export interface FileError {
  code: string | undefined;
  message: string;
}

/** A file that may be a site log. */
export interface SiteLogFile {
  path: string;
  /**
   * Whether the user named this file, rather than its folder. A named file that is not a site log
   * is an error.
   */
  named: boolean;
  /** The path in bytes, if it is not UTF-8; `path` then shows a replacement character. */
  bytes?: Uint8Array;
  /** Why it cannot be read, if the search found that out. */
  unreadable?: FileError;
  /**
   * Changes if the file changes: made of its size and times. Missing if the file is `unreadable`.
   */
  stamp?: string;
  /** If given, the file is skipped if its stamp differs by then: it is still being written. */
  expected?: string;
}

/**
 * A value that changes if a file or a folder list changes. A copied or restored file can have an
 * old `mtime`, but not an old `ctime`.
 */
export const stampOf = ({ size, mtimeMs, ctimeMs }: Stats): string =>
  [size, mtimeMs, ctimeMs].join();

/** How many levels below a named folder are searched. */
const DEEPEST_FOLDER = 20;

/**
 * Finds the files to read; those of a folder are sorted by name. In folders, symbolic links are
 * skipped, so that nothing outside is read, and so are names that begin with a dot. What cannot be
 * read inside a folder is returned as such.
 * @param paths files and folders
 * @throws {Error} if one of the paths does not exist or cannot be read
 */
export async function findSiteLogFiles(paths: string[]): Promise<SiteLogFile[]> {
  const files: SiteLogFile[] = [];
  for (const path of paths) await searchForSiteLogs(path, (file) => files.push(file));
  return files;
}

/**
 * The same for one path, file by file.
 * @param onFolder called for each folder, before it is read
 */
export async function searchForSiteLogs(
  path: string,
  onFile: (file: SiteLogFile) => void,
  onFolder: (folder: Buffer) => void = () => undefined,
): Promise<void> {
  const enter = async (folder: Buffer, depth: number): Promise<void> => {
    onFolder(folder);
    // As bytes, because a name that is not UTF-8 would lead to no file.
    const names = (await readdir(folder, { encoding: 'buffer' })).sort((a, b) => a.compare(b));
    for (const name of names) {
      if (name.toString().startsWith('.')) continue;
      const bytes = Buffer.concat([folder, Buffer.from(sep), name]);
      const path = normalize(bytes.toString());
      const file: SiteLogFile = {
        path,
        named: false,
        ...(Buffer.from(bytes.toString()).equals(bytes) ? {} : { bytes }),
      };
      try {
        const entry = await lstat(bytes);
        if (entry.isFile()) onFile({ ...file, stamp: stampOf(entry) });
        else if (entry.isDirectory() && depth < DEEPEST_FOLDER) await enter(bytes, depth + 1);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        onFile({ ...file, unreadable: { code, message } });
      }
    }
  };
  const entry = await stat(path);
  if (entry.isDirectory()) await enter(Buffer.from(path), 0);
  else onFile({ path, named: true, stamp: stampOf(entry) });
}
