import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { buildApp } from '../http/app.js';
import { EQUIPMENT_KINDS, SETUPS } from '../../schemas/index.js';
import { href, PATHS, pathOf, searchPathOf } from '../links.js';
import { openReader } from '../store/sqlite/open.js';
import { CONTRACT_FOLDER } from './package-files.js';
import { CommandFailed, type CommandLine, type Given, type SettingName, UsageError } from './settings.js';

const SERVE_SETTINGS = [
  'database',
  'host',
  'port',
  'baseUrl',
  'trustProxy',
  'tlsCertificate',
  'tlsKey',
  'cacheMegabytes',
  'logLevel',
] as const satisfies SettingName[];
type ServeSetting = (typeof SERVE_SETTINGS)[number];

export const command = {
  usage: 'serve',
  description: 'Serves the database over HTTP, read-only; sees what other processes import at the next request.',
  settings: SERVE_SETTINGS,
  flags: {},
} as const satisfies CommandLine<ServeSetting, never>;

/** How long open requests may take to finish after SIGTERM or SIGINT, in milliseconds. */
const DRAIN_TIMEOUT = 10_000;

function readTls(certificate: string | null, key: string | null): { cert: Buffer; key: Buffer } | null {
  if (certificate === null && key === null) return null;
  if (certificate === null || key === null) throw new UsageError('--tls-certificate and --tls-key go together');
  const read = (flag: string, path: string): Buffer => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw new CommandFailed(
        `${flag} "${path}" cannot be read (${(error as NodeJS.ErrnoException).code}); give a PEM file that this user may read`,
      );
    }
  };
  const tls = { cert: read('--tls-certificate', certificate), key: read('--tls-key', key) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new CommandFailed(
      `--tls-certificate "${certificate}" and --tls-key "${key}" are no certificate and its key in PEM (${(error as Error).message}); check that they belong together`,
    );
  }
  return tls;
}

/** What is wrong when listening fails, and what to do. */
function listenFailure(host: string, port: number, error: NodeJS.ErrnoException): CommandFailed {
  const reasons: Record<string, string> = {
    EADDRINUSE: 'is in use by another process; stop that one, or choose another by --port',
    EACCES: 'is not allowed to this user; choose a port from 1024 on by --port',
    EADDRNOTAVAIL: 'is no address of this machine; choose another by --host',
    ENOTFOUND: 'is no address of this machine; choose another by --host',
  };
  return new CommandFailed(`${host}:${port} ${reasons[error.code ?? ''] ?? `cannot be listened on: ${error.message}`}`);
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** Serves until a signal ends it, and returns the exit code. */
export async function run({ settings, arguments: rest }: Given<ServeSetting, never>): Promise<number> {
  if (rest.length > 0) throw new UsageError(`serve takes no argument: "${rest[0]}"`);
  const { host, port, baseUrl, trustProxy } = settings;
  const tls = readTls(settings.tlsCertificate, settings.tlsKey);
  const store = openReader(settings.database);
  // Before listening: a database that is damaged shows here, not to the first client.
  const [{ sites }, exampleSite, exampleType] = await Promise.all([
    store.status(),
    store.sites.findExample(),
    store.devices.findExampleType('gnss receiver'),
  ]);
  const app = await buildApp({
    store,
    contractFolder: CONTRACT_FOLDER,
    cacheMegabytes: settings.cacheMegabytes,
    baseUrl,
    trustProxy,
    tls,
    logger: { level: settings.logLevel, stream: process.stderr },
  });
  const ended = new Promise<number>((resolve) => {
    const drain = (signal: string): void => {
      app.log.info(`${signal}: draining`);
      const bound = setTimeout(() => {
        app.log.warn('requests still open were cut off');
        app.server.closeAllConnections();
      }, DRAIN_TIMEOUT);
      void app.close().then(() => {
        clearTimeout(bound);
        resolve(0);
      });
      for (const again of ['SIGTERM', 'SIGINT']) process.once(again, () => process.exit(1));
    };
    const once = (signal: string): void => {
      process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
      drain(signal);
    };
    process.once('SIGTERM', once).once('SIGINT', once);
  });
  try {
    await app.listen({ host, port });
  } catch (error) {
    await store.close();
    throw listenFailure(host, port, error as NodeJS.ErrnoException);
  }

  const { address, family, port: actual } = app.server.address() as AddressInfo;
  const shown = family === 'IPv6' ? `[${address}]` : address;
  const base = baseUrl ?? `${tls === null ? 'http' : 'https'}://${shown}:${actual}`;
  if (tls === null && !isLoopback(address)) {
    app.log.warn(`plain HTTP on ${shown}: give --tls-certificate and --tls-key, or listen on loopback behind a proxy`);
  }
  const urls = [
    href(base, PATHS.sites),
    href(base, searchPathOf(SETUPS, 'findCurrentByFourCharacterId'), { query: { id: exampleSite ?? 'ALIC' } }),
    href(base, pathOf({ name: EQUIPMENT_KINDS['gnss receiver'].collection }), { query: { type: exampleType ?? 'TRIMBLE NETRS' } }),
  ];
  process.stdout.write(`Serving ${sites} sites at ${base}\nTry:\n${urls.map((url) => `  ${url}\n`).join('')}`);

  const code = await ended;
  await store.close();
  return code;
}
