import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Address, DatabaseUrl } from './url.js';

/** The longest file with passwords, in bytes. */
const LONGEST_FILE = 64 * 1024;
/** The permissions of everybody but the owner. */
const OTHERS = 0o077;

/** The text of a file. @throws {Error} that names the file, and never shows what is in it */
function readText(file: string, isPrivate: boolean): string {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) throw new Error('does not exist');
    if (!found.isFile() || found.size > LONGEST_FILE) throw new Error(`is not a regular file of at most ${LONGEST_FILE} bytes`);
    if (isPrivate && (found.mode & OTHERS) !== 0) throw new Error('may be read by others than its owner; use chmod 600');
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`password file "${file}" ${(error as Error).message}`, { cause: error });
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
  for (const line of text.split(/\r?\n/).filter((each) => !each.startsWith('#'))) {
    const fields = fieldsOf(line);
    const fits = wanted.every((value, index) => fields[index] === '*' || fields[index] === value || (index === 0 && fields[0] === host));
    if (fits && fields[4] !== undefined) return fields[4];
  }
  return null;
}

/**
 * The password for a server that asks for one: that of the URL, the one in the file that the URL names, or the one in the .pgpass file
 * of the home directory, which is ignored if it cannot be used, as in libpq. pg would read .pgpass itself, but only until its next major
 * version, and no file of another name.
 * @throws {Error} if there is none, or a file that the URL names cannot be read
 */
export function passwordFor(address: Address, url: DatabaseUrl): string {
  const { password, passwordFile, passFile } = url;
  if (password !== null) return password;
  if (passwordFile !== null) return readText(passwordFile, false).replace(/\r?\n$/, '');
  let found: string | null;
  let ignored = '';
  try {
    found = passwordIn(readText(passFile ?? join(homedir(), '.pgpass'), true), address, url);
  } catch (error) {
    if (passFile !== null) throw error;
    found = null;
    ignored = ` (${(error as Error).message})`;
  }
  if (found !== null) return found;
  throw new Error(`it asks for a password, and none was found${ignored}; name a file with it with password_file or passfile`);
}
