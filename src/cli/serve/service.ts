import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from 'node:tls';
import { buildApp } from '../../http/app.js';
import { EQUIPMENT_KINDS, SETUPS } from '../../../schemas/index.js';
import { href, PATHS, pathOf, searchPathOf } from '../../links.js';
import { openReader } from '../../store/sqlite/open.js';
import { readTls, tlsFiles, watchTls } from './certificates.js';
import { DRAINS, type Drain } from './drains.js';
import { CONTRACT_FOLDER } from '../package-files.js';
import type { ServeSetting } from '../serve.js';
import { CommandFailed, type SettingValues } from '../settings.js';

/** What is known once the service listens. */
export interface Listening {
  port: number;
  /** What `serve` prints: the address, and URLs to try. */
  greeting: string;
  /** What the operator should know about these settings. */
  warnings: string[];
}

/** The service in this process, with its own connection to the database and its own cache. */
export interface Service {
  /** @throws {CommandFailed} that says why it cannot listen */
  listen: (port: number) => Promise<Listening>;
  warn: (message: string) => void;
  reloadCertificate: () => void;
  /** Finishes open requests, and closes everything. A second call changes how long the first one may take. */
  close: (reason: string, drain: Drain) => Promise<void>;
}

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

/** Opens the database and builds the app. It does not listen yet. */
export async function openService(settings: SettingValues<ServeSetting>): Promise<Service> {
  const { host, baseUrl, trustProxy, allowedHosts } = settings;
  const files = tlsFiles(settings.tlsCertificate, settings.tlsKey);
  const tls = files === null ? null : readTls(files);
  const store = openReader(settings.database);
  // Before listening, so that a damaged database is reported here and not to the first client.
  const [{ sites }, exampleSite, exampleType] = await Promise.all([
    store.status(),
    store.sites.findExample(),
    store.devices.findExampleType('gnss receiver'),
  ]);
  /** How long connections may linger when the app begins to close, in milliseconds. */
  let linger = 0;
  const hurry = new AbortController();
  const app = await buildApp({
    store,
    contractFolder: CONTRACT_FOLDER,
    cacheMegabytes: settings.cacheMegabytes,
    baseUrl,
    trustProxy,
    allowedHosts,
    tls,
    logger: { level: settings.logLevel, stream: process.stderr },
    beforeClose: () => sleep(linger, undefined, { signal: hurry.signal }).catch(() => undefined),
  });
  const certificates = files === null ? null : watchTls(files, app.server as unknown as Server, app.log);

  const listen = async (port: number): Promise<Listening> => {
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
    const warnings = [];
    if (tls === null && !isLoopback(address)) {
      warnings.push(`serving unencrypted HTTP on ${shown}; use --tls-certificate and --tls-key, or listen on loopback behind a proxy`);
    }
    if (!isLoopback(address) && baseUrl === null && allowedHosts === null) {
      warnings.push('links repeat any host that a request names; use --allowed-hosts or --base-url');
    }
    const urls = [
      href(base, PATHS.sites),
      href(base, searchPathOf(SETUPS, 'findCurrentByFourCharacterId'), { query: { id: exampleSite ?? 'ALIC' } }),
      href(base, pathOf({ name: EQUIPMENT_KINDS['gnss receiver'].collection }), { query: { type: exampleType ?? 'TRIMBLE NETRS' } }),
    ];
    return { port: actual, greeting: `Serving ${sites} sites at ${base}\nTry:\n${urls.map((url) => `  ${url}\n`).join('')}`, warnings };
  };

  let bound: NodeJS.Timeout | undefined;
  let closed: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    await app.close();
    clearTimeout(bound);
    certificates?.stop();
    await store.close();
  };
  const close = (reason: string, drain: Drain): Promise<void> => {
    app.log.info(`${reason}: finishing open requests`);
    const { limit } = DRAINS[drain];
    ({ linger } = DRAINS[drain]);
    if (linger === 0) hurry.abort();
    clearTimeout(bound);
    bound = setTimeout(() => {
      app.log.warn(`closed the connections still open after ${limit / 1000} seconds`);
      app.server.closeAllConnections();
    }, linger + limit);
    return (closed ??= closeAll());
  };

  return { listen, warn: (message) => app.log.warn(message), reloadCertificate: () => certificates?.reload(), close };
}
