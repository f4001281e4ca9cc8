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

/**
 * The password for a server: that of the URL, that of the file which the URL names, or that in the .pgpass file; null if there
 * is none. The files are read again for each connection, so that a password can be changed without a restart.
 * @throws {Error} if a file cannot be read
 */
export function passwordFor(address: Address, url: DatabaseUrl): string | null {
  if (url.password !== null) return url.password;
  if (url.passwordFile !== null) {
    const text = readText(url.passwordFile, false);
    if (text === null) throw new Error(`password file "${url.passwordFile}" does not exist`);
    return text.replace(/\r?\n$/, '');
  }
  const text = readText(url.passFile ?? join(homedir(), '.pgpass'), true);
  if (text === null && url.passFile !== null) throw new Error(`password file "${url.passFile}" does not exist`);
  return text === null ? null : passwordIn(text, address, url);
}
