import { chmodSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { buildApp } from '../../http/app.js';
import type { ServeSetting } from '../serve.js';
import { CommandFailed, type SettingValues } from '../settings.js';
import { SOCKET_MODE } from './sockets.js';

/** The file descriptor of the first socket that systemd passes (sd_listen_fds(3)). */
const FIRST_PASSED = 3;

type App = Awaited<ReturnType<typeof buildApp>>;

/** Where the service listens: an address, a Unix socket, or a socket that systemd has opened. */
export type Place = { host: string; port: number } | { path: string } | { fd: number };

/** Where the settings say to listen. @param passed how many sockets systemd has passed; if there are any, only these are used */
export function placesOf({ host, port, socket }: SettingValues<ServeSetting>, passed: number): Place[] {
  if (passed > 0) return Array.from({ length: passed }, (_, index) => ({ fd: FIRST_PASSED + index }));
  return socket === null ? host.map((each) => ({ host: each, port })) : [{ path: socket }];
}

/** How many sockets systemd has passed to a process: this one, or the primary process of the workers. */
export const passedSockets = ({ LISTEN_PID, LISTEN_FDS }: NodeJS.ProcessEnv, pid: number): number =>
  LISTEN_PID === String(pid) && /^[1-9]\d?$/.test(LISTEN_FDS ?? '') ? Number(LISTEN_FDS) : 0;

/** The log message if there are such sockets. */
export const passedMessage = (passed: number): string =>
  `listening on ${passed} ${passed === 1 ? 'socket' : 'sockets'} from systemd; --host, --port and --socket are ignored`;

const nameOf = (place: Place): string =>
  'host' in place ? `${place.host}:${place.port}` : 'path' in place ? `socket "${place.path}"` : `socket ${place.fd} from systemd`;

/** The flags that say where to listen, for messages. */
export type ListenFlags = Record<'host' | 'port' | 'socket', string>;
export const SERVICE_FLAGS: ListenFlags = { host: '--host', port: '--port', socket: '--socket' };

/** Why listening failed, and what to do about it. @param flags the flags to name in messages */
export function listenFailure(place: Place, error: NodeJS.ErrnoException, flags = SERVICE_FLAGS): CommandFailed {
  const ofPort: Record<string, string> = {
    EADDRINUSE: `is in use by another process; stop it, or choose another port with ${flags.port}`,
    EACCES: `is not permitted for this user; choose a port above 1023 with ${flags.port}`,
    EADDRNOTAVAIL: `is not an address of this machine; choose another with ${flags.host}`,
    ENOTFOUND: `is not an address of this machine; choose another with ${flags.host}`,
  };
  const ofSocket: Record<string, string> = {
    EADDRINUSE: `is in use by another process; stop it, or choose another path with ${flags.socket}`,
    EACCES: `cannot be created: this user may not write to its folder; choose another path with ${flags.socket}`,
  };
  const reasons = 'host' in place ? ofPort : 'path' in place ? ofSocket : {};
  return new CommandFailed(`${nameOf(place)} ${reasons[error.code ?? ''] ?? `is not available: ${error.message}`}`);
}

/** Where the service listens now. */
export interface Listened {
  /** The addresses. Unix sockets have none. */
  addresses: AddressInfo[];
  /** The known paths of Unix sockets. */
  paths: string[];
  /** Stops accepting connections on all but the first place, which the app itself closes. */
  stop: () => void;
  /** Resolves when all connections there have ended. */
  ended: Promise<unknown>;
}

/** Makes a server listen. @throws {Error} of the system */
export const listenIn = (server: Server, place: Place): Promise<void> =>
  new Promise((resolve, reject) => server.once('error', reject).listen(place, resolve));

/**
 * Listens in all places. The app listens in the first. Port 0 is the same port in all places.
 * @throws {CommandFailed} if it cannot
 */
export async function listen(app: App, places: Place[], isEncrypted: boolean): Promise<Listened> {
  const others: Server[] = [];
  for (const [index, place] of places.entries()) {
    try {
      const { port } = (app.server.address() ?? {}) as Partial<AddressInfo>;
      // Fastify also finds all addresses of localhost, but does not accept a socket from systemd.
      if (index === 0) await ('host' in place ? app.listen(place) : listenIn(app.server, place));
      else {
        // The server of the app accepts injected connections, encrypted or not. These are the options of its own connections.
        const other = createServer({ allowHalfOpen: !isEncrypted, noDelay: true }, (connection) =>
          app.server.emit('connection', connection),
        );
        await listenIn(other, 'host' in place ? { ...place, port: port! } : place);
        others.push(other);
      }
      if ('path' in place) chmodSync(place.path, SOCKET_MODE);
    } catch (error) {
      for (const other of others) other.close();
      throw listenFailure(place, error as NodeJS.ErrnoException);
    }
  }
  const isAddress = (address: AddressInfo | string | null): address is AddressInfo =>
    typeof address === 'object' && address !== null && 'port' in address;
  return {
    addresses: [app.server, ...others].map((each) => each.address()).filter(isAddress),
    paths: places.flatMap((place) => ('path' in place ? place.path : [])),
    stop: () => others.forEach((other) => other.close()),
    ended: Promise.all(others.map((other) => new Promise((resolve) => other.once('close', resolve)))),
  };
}
