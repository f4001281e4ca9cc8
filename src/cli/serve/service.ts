import type { AddressInfo, Server as NetServer } from 'node:net';
import type { Server } from 'node:tls';
import { buildApp } from '../../http/app.js';
import { EQUIPMENT_KINDS, SETUPS } from '../../../schemas/index.js';
import { href, PATHS, pathOf, searchPathOf } from '../../links.js';
import { openReader } from '../../store/open.js';
import type { Store } from '../../store/store.js';
import { readTls, tlsFiles, watchTls } from './certificates.js';
import { CONTRACT_FOLDER, thisBuild } from '../line/package-files.js';
import type { ServeSettings } from './settings.js';
import { count } from '../line/terminal.js';
import { openLog } from './log.js';
import { type HttpApp, listen, listeningPlaces } from './listening.js';
import type { Metrics } from './metrics.js';

/** How long open requests may take when the service stops, in milliseconds. */
const DRAIN_LIMIT = 10_000;

/** The log for messages that do not concern a request. */
export type Log = Record<'info' | 'warn' | 'error', (message: string) => void> & { level: string };

/** The service, with its connection to the database and its cache. */
export interface Service {
  /**
   * Listens, and logs what is served, and where.
   * @param passed how many sockets systemd has passed; if there are any, the settings are ignored
   * @throws {CommandFailed} @throws {WrongSetting} if it cannot listen
   */
  listen: (passed: number) => Promise<void>;
  /** Null unless the settings ask for metrics. */
  metrics: Metrics | null;
  log: Log;
  reloadCertificate: () => void;
  /** Finishes open requests, and closes everything. */
  close: (reason: string) => Promise<void>;
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

/** A word of a command for a shell. zsh takes an unquoted question mark for a pattern. */
const quoted = (word: string): string =>
  /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** URLs to try, with a Site and a type that are there. */
async function examplesOf(store: Store, base: string): Promise<string[]> {
  const id = (await store.sites.findExample()) ?? 'ALIC';
  const types = await store.devices.findTypes('gnss receiver');
  const type = types.find((each) => each.type !== null)?.type ?? 'TRIMBLE NETRS';
  return [
    href(base, PATHS.sites),
    href(base, searchPathOf(SETUPS, 'findCurrentByFourCharacterId'), { query: { id } }),
    href(base, pathOf({ name: EQUIPMENT_KINDS['gnss receiver'].collection }), { query: { type } }),
  ];
}

const isAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

/** Where a service listens. */
interface Addresses {
  internet: AddressInfo[];
  /** The paths of Unix sockets. */
  paths: string[];
  /** The URLs of the internet addresses. */
  bases: string[];
}

/** An internet address as it is written in a URL. */
const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** Where servers listen. */
function addressesOf(servers: NetServer[], isEncrypted: boolean): Addresses {
  const all = servers.map((each) => each.address());
  const internet = all.filter(isAddress);
  const scheme = isEncrypted ? 'https' : 'http';
  return {
    internet,
    paths: all.filter((each) => typeof each === 'string'),
    bases: internet.map(({ address, port }) => `${scheme}://${inUrl(address)}:${port}`),
  };
}

/** Warns of settings that are unsafe if other machines can connect. */
function warnOfExposure(log: Log, { internet }: Addresses, settings: ServeSettings): void {
  const { baseUrl, allowedHosts, tlsCertificate } = settings;
  const exposed = internet.map(({ address }) => address).filter((each) => !isLoopback(each));
  if (exposed.length === 0) return;
  if (tlsCertificate === null) {
    log.warn(
      `serving unencrypted HTTP on ${exposed.map(inUrl).join(', ')}; ` +
        'use --tls-certificate and --tls-key, or listen on loopback behind a proxy',
    );
  }
  if (baseUrl === null && allowedHosts === null)
    log.warn('links repeat any host that a request names; use --allowed-hosts or --base-url');
}

/** Prints requests to try. */
async function printExamples(
  store: Store,
  { bases, paths }: Addresses,
  baseUrl: string | null,
): Promise<void> {
  const urls = await examplesOf(store, baseUrl ?? bases[0] ?? 'http://localhost');
  const isOnSocket = baseUrl === null && bases.length === 0 && paths.length > 0;
  const requests = isOnSocket
    ? urls.map((url) => `curl --unix-socket ${quoted(paths[0]!)} ${quoted(url)}`)
    : urls;
  process.stdout.write(`Try:\n${requests.map((each) => `  ${each}\n`).join('')}`);
}

/**
 * Logs what is served, where, and what the operator should know about the settings. On a terminal,
 * also prints URLs to try.
 */
async function greet(
  log: Log,
  store: Store,
  servers: NetServer[],
  sites: number,
  settings: ServeSettings,
): Promise<void> {
  const { baseUrl } = settings;
  const addresses = addressesOf(servers, settings.tlsCertificate !== null);
  warnOfExposure(log, addresses, settings);
  const all = baseUrl === null ? [...addresses.bases, ...addresses.paths] : [baseUrl];
  const places = all.length === 0 ? 'the sockets from systemd' : all.join(' and ');
  log.info(`serving ${count(sites, 'Site')} at ${places}`);
  if (process.stdout.isTTY) await printExamples(store, addresses, baseUrl);
}

/** Collects metrics if the settings ask for them. */
async function metricsFor(settings: ServeSettings, store: Store): Promise<Metrics | null> {
  if (settings.metricsPort === null && settings.metricsSocket === null) return null;
  const { collectMetrics } = await import('./metrics.js');
  return collectMetrics(store, settings.database, thisBuild());
}

/** Closes an app with its servers. Open requests have some time to end. */
async function drain(app: HttpApp, log: Log, servers: NetServer[], reason: string): Promise<void> {
  log.info(`${reason}: finishing open requests`);
  const limit = setTimeout(() => {
    log.warn(`closed the connections still open after ${DRAIN_LIMIT / 1000} seconds`);
    app.server.closeAllConnections();
  }, DRAIN_LIMIT);
  // The app closes the first server, and the connections of all.
  const others = servers.slice(1).map((server) => new Promise((done) => server.close(done)));
  await app.close();
  await Promise.all(others);
  clearTimeout(limit);
}

/** Opens the database and builds the app. It does not listen yet. */
export async function openService(settings: ServeSettings): Promise<Service> {
  const files = tlsFiles(settings.tlsCertificate, settings.tlsKey);
  const tls = files === null ? null : readTls(files);
  const store = await openReader(settings.database);
  const log = openLog(settings);
  // Before listening, so that a damaged database is reported here and not to the first client.
  const { sites } = await store.status();
  const metrics = await metricsFor(settings, store);
  const app = await buildApp({
    store,
    contractFolder: CONTRACT_FOLDER,
    build: thisBuild(),
    cacheMegabytes: settings.cacheMegabytes,
    baseUrl: settings.baseUrl,
    trustProxy: settings.trustProxy,
    allowedHosts: settings.allowedHosts,
    corsOrigins: settings.corsOrigin ?? [],
    tls,
    log,
    publishContacts: settings.publishContacts,
    accessLog: settings.accessLog,
    network: { name: settings.networkName, url: settings.networkUrl },
    onAnswer: metrics?.onAnswer ?? null,
  });
  const certificates =
    files === null ? null : watchTls(files, app.server as unknown as Server, log);
  let servers: NetServer[] = [];
  const release = async (): Promise<void> => {
    certificates?.stop();
    await store.close();
  };

  return {
    listen: async (passed) => {
      try {
        servers = await listen(app, listeningPlaces(settings, passed), tls !== null);
      } catch (error) {
        await release();
        throw error;
      }
      await greet(log, store, servers, sites, settings);
    },
    metrics,
    log,
    reloadCertificate: () => certificates?.reload(),
    close: async (reason) => {
      await drain(app, log, servers, reason);
      await release();
    },
  };
}
