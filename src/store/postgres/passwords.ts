import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Address, DatabaseUrl } from './url.js';

/** The longest file with passwords, in bytes. */
const LONGEST_FILE = 64 * 1024;
/** The permissions of everybody but the owner. */
const OTHERS = 0o077;

/** The text of a file; null if it does not exist. @throws {Error} that names the file, and never shows what is in it */
function readText(file: string, isPrivate: boolean): string | null {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (!found.isFile() || found.size > LONGEST_FILE) throw new Error(`expected a regular file of at most ${LONGEST_FILE} bytes`);
    if (isPrivate && (found.mode & OTHERS) !== 0) throw new Error('expected a file that only its owner may read; use chmod 600');
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`password file "${file}": ${(error as Error).message}`, { cause: error });
  }
}

/** The fields of a line of a .pgpass file, separated by colons; a backslash takes the meaning from a colon or a backslash. */
const fieldsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|:)((?:\\[^]|[^\\:])*)/g)].map(([, field]) => field!.replaceAll(/\\([^])/g, '$1'));

/** The password in a .pgpass file; null if no line fits. The first that fits counts, and `*` fits everything. */
export function passwordIn(
  text: string,
  { host, port }: Address,
  { database, user }: Pick<DatabaseUrl, 'database' | 'user'>,
): string | null {
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = fieldsOf(line);
    const fits = wanted.every((value, index) => fields[index] === '*' || fields[index] === value || (index === 0 && fields[0] === host));
    if (fits && fields[4] !== undefined) return fields[4];
  }
  return null;
}

/** A password. */
export interface Password {
  /** Null if there is none. */
  password: string | null;
  /** Why the default file was ignored; null if it was not. */
  ignored: string | null;
}

/** The password in the .pgpass file in the home directory. As in libpq, a file that cannot be used is ignored. */
function passwordAtHome(address: Address, url: DatabaseUrl): Password {
  try {
    const text = readText(join(homedir(), '.pgpass'), true);
    return { password: text === null ? null : passwordIn(text, address, url), ignored: null };
  } catch (error) {
    return { password: null, ignored: (error as Error).message };
  }
}

/** @throws {Error} if the file does not exist or cannot be read */
function readNamed(file: string, isPrivate: boolean): string {
  const text = readText(file, isPrivate);
  if (text === null) throw new Error(`password file "${file}" does not exist`);
  return text;
}

/**
 * The password for a server: that of the URL, the one in the file that the URL names, or the one in the .pgpass file. The files are
 * read again for each connection, so that a password can be changed without a restart.
 * @throws {Error} if a file that the URL names cannot be read
 */
export function passwordFor(address: Address, url: DatabaseUrl): Password {
  const { password, passwordFile, passFile } = url;
  if (password !== null) return { password, ignored: null };
  if (passwordFile !== null) return { password: readNamed(passwordFile, false).replace(/\r?\n$/, ''), ignored: null };
  if (passFile !== null) return { password: passwordIn(readNamed(passFile, true), address, url), ignored: null };
  return passwordAtHome(address, url);
}
