import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createRequire } from 'node:module';
import type { Server } from 'node:tls';
import { reasonOf } from '../../system-error.js';
import { UsageError, WrongSetting } from '../line/failures.js';

/**
 * Not imported: an import evaluates all exports, and one of node:tls has the text of all root
 * certificates.
 */
const { createSecureContext } = createRequire(import.meta.url)(
  'node:tls',
) as typeof import('node:tls');

/** A certificate and its key, in PEM. */
interface Tls {
  cert: Buffer;
  key: Buffer;
}

/** The files of a certificate and its key. */
interface TlsFiles {
  certificate: string;
  key: string;
}

/**
 * How often the files are looked at, in milliseconds. File system events do not follow links, which
 * certbot makes.
 */
const INTERVAL = 5000;

/**
 * The files that the settings name; null if they name none.
 * @throws {UsageError} if only one is named
 */
export function tlsFiles(certificate: string | null, key: string | null): TlsFiles | null {
  if (certificate === null && key === null) return null;
  if (certificate === null || key === null)
    throw new UsageError('--tls-certificate and --tls-key must be given together');
  return { certificate, key };
}

/**
 * Reads a certificate and its key.
 * @throws {WrongSetting} if a file cannot be read, or if they do not match
 */
export function readTls({ certificate, key }: TlsFiles): Tls {
  const read = (flag: string, path: string): Buffer => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw new WrongSetting(
        `cannot read ${flag} "${path}": ${reasonOf(error)}; ` +
          'expected a PEM file that this user can read',
      );
    }
  };
  const tls = { cert: read('--tls-certificate', certificate), key: read('--tls-key', key) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new WrongSetting(
      `--tls-certificate "${certificate}" and --tls-key "${key}" ` +
        `are not a matching PEM certificate and key (${(error as Error).message})`,
    );
  }
  return tls;
}

/** Where the outcome of a reload is logged. */
interface Log {
  info: (message: string) => void;
  error: (message: string) => void;
}

/**
 * Uses a renewed certificate for new connections soon after its files change, and on demand. If the
 * new pair cannot be used, the server keeps the old one.
 * @returns a function that reloads now, and one that stops watching
 */
export function watchTls(
  files: TlsFiles,
  server: Server,
  log: Log,
): { reload: () => void; stop: () => void } {
  const reload = (): void => {
    try {
      server.setSecureContext(readTls(files));
      log.info('reloaded the certificate');
    } catch (error) {
      log.error(`kept the old certificate: ${(error as Error).message}`);
    }
  };
  // The two files change one after the other, so reload only after both have been checked since the
  // last change.
  let settled: NodeJS.Timeout | undefined;
  const changed = (): void => {
    clearTimeout(settled);
    settled = setTimeout(reload, INTERVAL).unref();
  };
  const paths = [files.certificate, files.key];
  for (const path of paths) watchFile(path, { interval: INTERVAL, persistent: false }, changed);
  const stop = (): void => {
    for (const path of paths) unwatchFile(path, changed);
    clearTimeout(settled);
  };
  return { reload, stop };
}
