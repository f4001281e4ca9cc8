import { chmodSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { ServeSettings } from './settings.js';
import { UsageError } from '../line/failures.js';
import {
  listenFailure,
  listenIn,
  type Place,
  removeStaleSocket,
  SOCKET_MODE,
} from './listening.js';
import type { Log } from './service.js';

/** How long a client may take to send its request, in milliseconds. */
const REQUEST_TIMEOUT = 10_000;
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
/** The flags that say where metrics are served. */
export const METRICS_FLAGS = {
  host: '--metrics-host',
  port: '--metrics-port',
  socket: '--metrics-socket',
};

/**
 * Where to serve metrics; null for nowhere.
 * @throws {UsageError} if the settings contradict each other
 */
export function metricsPlace({
  metricsPort,
  metricsHost,
  metricsSocket,
  port,
  socket,
}: ServeSettings): Place | null {
  if (metricsPort !== null && metricsSocket !== null)
    throw new UsageError('--metrics-port and --metrics-socket cannot be combined; use one of them');
  if (metricsPort !== null && metricsPort !== 0 && metricsPort === port && socket === null) {
    throw new UsageError(
      `--metrics-port "${metricsPort}" is the port of the service, ` +
        'where metrics would be public; expected another port',
    );
  }
  if (metricsSocket !== null && metricsSocket === socket) {
    throw new UsageError(
      `--metrics-socket "${metricsSocket}" is the socket of the service; expected another path`,
    );
  }
  if (metricsSocket !== null) return { path: metricsSocket };
  return metricsPort === null ? null : { host: metricsHost, port: metricsPort };
}

/** The URL of the metrics at an address. */
function urlOf({ address, family, port }: AddressInfo): string {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}/metrics`;
}

/**
 * Serves `/metrics` separately from the service.
 * @param text reads the metrics
 * @returns a function that stops it
 * @throws {CommandFailed} @throws {WrongSetting} if it cannot listen
 */
export async function serveMetrics(
  place: Place,
  text: () => Promise<string>,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<() => void> {
  if ('path' in place) await removeStaleSocket(METRICS_FLAGS.socket, place.path);
  // Only when it is needed: it takes 30 ms.
  const { createServer } = await import('node:http');
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT }, (request, response) => {
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8'): void => {
      response
        .writeHead(status, {
          'content-type': type,
          'content-length': Buffer.byteLength(body),
          'cache-control': 'no-store',
        })
        .end(body);
    };
    if (request.url?.split('?')[0] !== '/metrics')
      return answer(404, 'The metrics are at /metrics.\n');
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'Use GET.\n');
    text().then(
      (body) => answer(200, body, CONTENT_TYPE),
      (error: Error) => {
        log.warn(`cannot collect the metrics: ${error.message}`);
        answer(500, 'See the log of the service for the reason.\n');
      },
    );
  });
  try {
    await listenIn(server, place);
  } catch (error) {
    throw listenFailure(place, error as NodeJS.ErrnoException, METRICS_FLAGS);
  }
  if ('path' in place) chmodSync(place.path, SOCKET_MODE);
  const shown = 'path' in place ? place.path : urlOf(server.address() as AddressInfo);
  log.info(`metrics at ${shown}`);
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
