import type { AddressInfo } from 'node:net';
import type { Server } from 'node:tls';
import { buildApp } from '../http/app.js';
import { EQUIPMENT_KINDS, SETUPS } from '../../schemas/index.js';
import { href, PATHS, pathOf, searchPathOf } from '../links.js';
import { openReader } from '../store/sqlite/open.js';
import { readTls, tlsFiles, watchTls } from './certificates.js';
import { CONTRACT_FOLDER } from './package-files.js';
import { CommandFailed, type CommandLine, type Given, type SettingName, UsageError } from './settings.js';

const SERVE_SETTINGS = [
  'database',
  'host',
  'port',
  'baseUrl',
  'trustProxy',
  'allowedHosts',
  'tlsCertificate',
  'tlsKey',
  'cacheMegabytes',
  'logLevel',
] as const satisfies SettingName[];
type ServeSetting = (typeof SERVE_SETTINGS)[number];

export const command = {
  usage: 'serve',
  description: 'Serves the database over HTTP, read-only. New imports by other processes are visible at the next request.',
  settings: SERVE_SETTINGS,
  flags: {},
} as const satisfies CommandLine<ServeSetting, never>;

/** Time for open requests to finish after SIGTERM or SIGINT, in milliseconds. */
const DRAIN_TIMEOUT = 10_000;

/** Why listening failed, and what to do about it. */
function listenFailure(host: string, port: number, error: NodeJS.ErrnoException): CommandFailed {
  const reasons: Record<string, string> = {
    EADDRINUSE: 'is in use by another process; stop it, or choose another port with --port',
    EACCES: 'is not permitted for this user; choose a port above 1023 with --port',
    EADDRNOTAVAIL: 'is not an address of this machine; choose another with --host',
    ENOTFOUND: 'is not an address of this machine; choose another with --host',
  };
  return new CommandFailed(`${host}:${port} ${reasons[error.code ?? ''] ?? `is not available: ${error.message}`}`);
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** Serves until SIGTERM or SIGINT, and returns the exit code. */
export async function run({ settings, arguments: rest }: Given<ServeSetting, never>): Promise<number> {
  if (rest.length > 0) throw new UsageError(`serve takes no arguments; got "${rest[0]}"`);
  const { host, port, baseUrl, trustProxy, allowedHosts } = settings;
  const files = tlsFiles(settings.tlsCertificate, settings.tlsKey);
  const tls = files === null ? null : readTls(files);
  const store = openReader(settings.database);
  // Before listening, so that a damaged database is reported here and not to the first client.
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
    allowedHosts,
    tls,
    logger: { level: settings.logLevel, stream: process.stderr },
  });
  const certificates = files === null ? null : watchTls(files, app.server as unknown as Server, app.log);
  // The end of a terminal sends SIGHUP, too. It ends no service.
  process.on('SIGHUP', () => certificates?.reload());
  const ended = new Promise<number>((resolve) => {
    const drain = (signal: string): void => {
      app.log.info(`${signal}: finishing open requests`);
      const bound = setTimeout(() => {
        app.log.warn(`closed the connections still open after ${DRAIN_TIMEOUT / 1000} seconds`);
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
    certificates?.stop();
    await store.close();
    throw listenFailure(host, port, error as NodeJS.ErrnoException);
  }

  const { address, family, port: actual } = app.server.address() as AddressInfo;
  const shown = family === 'IPv6' ? `[${address}]` : address;
  const base = baseUrl ?? `${tls === null ? 'http' : 'https'}://${shown}:${actual}`;
  if (tls === null && !isLoopback(address)) {
    app.log.warn(`serving unencrypted HTTP on ${shown}; use --tls-certificate and --tls-key, or listen on loopback behind a proxy`);
  }
  if (!isLoopback(address) && baseUrl === null && allowedHosts === null) {
    app.log.warn('links repeat any host that a request names; use --allowed-hosts or --base-url');
  }
  const urls = [
    href(base, PATHS.sites),
    href(base, searchPathOf(SETUPS, 'findCurrentByFourCharacterId'), { query: { id: exampleSite ?? 'ALIC' } }),
    href(base, pathOf({ name: EQUIPMENT_KINDS['gnss receiver'].collection }), { query: { type: exampleType ?? 'TRIMBLE NETRS' } }),
  ];
  process.stdout.write(`Serving ${sites} sites at ${base}\nTry:\n${urls.map((url) => `  ${url}\n`).join('')}`);

  const code = await ended;
  certificates?.stop();
  await store.close();
  return code;
}
