import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionConfig } from 'pg';
import { reasonOf } from '../../system-error.js';
import type { DatabaseUrl } from '../address.js';
import { WrongDatabase } from '../database.js';

/** The permissions of everybody but the owner. */
const OTHERS = 0o077;

/**
 * The fields of a line of a .pgpass file, separated by colons; a backslash takes the meaning from a
 * colon or a backslash.
 */
const fieldsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|:)((?:\\[^]|[^\\:])*)/g)].map(([, field]) =>
    field!.replaceAll(/\\([^])/g, '$1'),
  );

/**
 * The password of the first matching line of a .pgpass file, where `*` matches all; else null. The
 * package `pgpass` takes the last.
 */
export function passwordIn(
  text: string,
  { host, port, database, user }: Pick<DatabaseUrl, 'host' | 'port' | 'database' | 'user'>,
): string | null {
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  const fitting = text
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('#'))
    .map(fieldsOf)
    .find(
      (fields) =>
        wanted.every((value, index) => fields[index] === '*' || fields[index] === value) &&
        fields[4] !== undefined,
    );
  return fitting?.[4] ?? null;
}

/**
 * Reads a password from a file.
 * @throws {Error} that names the file, and never shows what is in it
 */
function readPassword<T>(file: string, read: (text: string) => T): T {
  try {
    return read(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = `password file "${file}": ${reasonOf(error)}`;
    throw new Error(
      `it asks for a password; name a file with it with password_file or passfile (${why})`,
      { cause: error },
    );
  }
}

/**
 * The password from the URL, the file that it names, or a .pgpass file (by default in the home
 * directory).
 * @throws {Error} if none
 */
export function passwordFor(url: DatabaseUrl): string {
  if (url.password !== '') return url.password;
  if (url.passwordFile !== '')
    return readPassword(url.passwordFile, (text) => text.replace(/\r?\n$/, ''));
  const file = url.passFile || join(homedir(), '.pgpass');
  return readPassword(file, (text) => {
    if ((statSync(file).mode & OTHERS) !== 0)
      throw new Error('others than its owner may read it; use chmod 600');
    const found = passwordIn(text, url);
    if (found === null) throw new Error('no line fits the server, the database and the user');
    return found;
  });
}

/**
 * Reads the file with the authorities that may sign the certificate of the server.
 * @throws {WrongDatabase} if it cannot be read
 */
function readRootCertificate({ rootCertificate, shown }: DatabaseUrl): Buffer {
  try {
    return readFileSync(rootCertificate);
  } catch (error) {
    throw new WrongDatabase(
      `database "${shown}": cannot read sslrootcert "${rootCertificate}": ${reasonOf(error)}; ` +
        'expected a PEM file that this user can read',
      { cause: error },
    );
  }
}

/**
 * How connections are encrypted, as in libpq: not at all over a Unix socket; `require` with a root
 * certificate is `verify-ca`.
 * @throws {WrongDatabase} if the file with the authorities cannot be read
 */
export function encryptionFor(url: DatabaseUrl): ConnectionConfig['ssl'] {
  const { host, tls, rootCertificate } = url;
  if (tls === 'disable' || host.startsWith('/')) return false;
  const ca = rootCertificate === '' ? {} : { ca: readRootCertificate(url) };
  if (tls === 'verify-full') return ca;
  if (tls === 'verify-ca' || (tls === 'require' && rootCertificate !== ''))
    return { ...ca, checkServerIdentity: () => undefined };
  return { rejectUnauthorized: false };
}
