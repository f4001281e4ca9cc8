import { createServer } from 'node:net';
import { openReader } from '../../store/open.js';
import type { ServeSettings } from './settings.js';
import { readTls, tlsFiles } from './certificates.js';
import {
  checkSocketPath,
  type ListenFlags,
  listenFailure,
  listenIn,
  SERVICE_FLAGS,
} from './listening.js';
import { METRICS_FLAGS, metricsPlace } from './metrics-server.js';

/**
 * Checks that this machine has an address, by listening on any port of it.
 * @throws {CommandFailed} @throws {WrongSetting}
 */
async function checkHost(host: string, port: number, flags: ListenFlags): Promise<void> {
  const server = createServer();
  try {
    await listenIn(server, { host, port: 0 });
  } catch (error) {
    throw listenFailure({ host, port }, error as NodeJS.ErrnoException, flags);
  } finally {
    server.close();
  }
}

/**
 * Checks what `serve` needs, and prints that all is well. It does not check whether ports and
 * sockets are in use, because a running service may use them.
 * @throws {UsageError} @throws {WrongSetting} @throws {CommandFailed} @throws {StoreUnusable} as
 * `serve` does
 */
export async function checkSettings(settings: ServeSettings): Promise<number> {
  const metrics = metricsPlace(settings);
  if (settings.socket !== null) checkSocketPath(SERVICE_FLAGS.socket, settings.socket);
  else for (const host of settings.host) await checkHost(host, settings.port, SERVICE_FLAGS);
  if (metrics !== null && 'path' in metrics) checkSocketPath(METRICS_FLAGS.socket, metrics.path);
  if (metrics !== null && 'host' in metrics)
    await checkHost(metrics.host, metrics.port, METRICS_FLAGS);
  const files = tlsFiles(settings.tlsCertificate, settings.tlsKey);
  if (files !== null) readTls(files);
  const store = await openReader(settings.database);
  const { sites, migration } = await store.status().finally(() => store.close());
  process.stdout.write(
    `The settings are valid; the database has ${sites} sites (migration ${migration}).\n`,
  );
  return 0;
}
