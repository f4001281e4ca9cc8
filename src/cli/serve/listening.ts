import { accessSync, chmodSync, constants, lstatSync, rmSync, type Stats } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import type { buildApp } from '../../http/app.js';
import { CommandFailed, WrongSetting } from '../line/failures.js';
import type { ServeSettings } from './settings.js';

/** The file descriptor of the first socket that systemd passes (sd_listen_fds(3)). */
const FIRST_PASSED = 3;

export type HttpApp = Awaited<ReturnType<typeof buildApp>>;

/** Where the service listens: an address, a Unix socket, or a socket that systemd has opened. */
export type Place = { host: string; port: number } | { path: string } | { fd: number };

/**
 * Where the settings say to listen.
 * @param passed how many sockets systemd has passed; if there are any, only these are used
 */
export function listeningPlaces({ host, port, socket }: ServeSettings, passed: number): Place[] {
  if (passed > 0)
    return Array.from({ length: passed }, (_, index) => ({ fd: FIRST_PASSED + index }));
  return socket === null ? host.map((each) => ({ host: each, port })) : [{ path: socket }];
}

/** How many sockets systemd has passed to this process (sd_listen_fds(3)). */
export function passedSockets({ LISTEN_PID, LISTEN_FDS = '' }: NodeJS.ProcessEnv): number {
  const isOurs = LISTEN_PID === String(process.pid) && /^[1-9]\d?$/.test(LISTEN_FDS);
  return isOurs ? Number(LISTEN_FDS) : 0;
}

/** The name of a place in messages. */
function placeName(place: Place): string {
  if ('host' in place) return `${place.host}:${place.port}`;
  if ('path' in place) return `socket "${place.path}"`;
  return `socket ${place.fd} from systemd`;
}

/** The flags that say where to listen, for messages. */
export interface ListenFlags {
  host: string;
  port: string;
  socket: string;
  /** The unit of systemd that can listen instead; left out if there is none. */
  unit?: string;
}
export const SERVICE_FLAGS: ListenFlags = {
  host: '--host',
  port: '--port',
  socket: '--socket',
  unit: 'gnss-site-setups.socket',
};

/**
 * Why listening failed, and what to do about it. A port that is not permitted will not become
 * permitted; but an address may appear with its network, and another process may free a port.
 * @param flags the flags to name in messages
 */
export function listenFailure(
  place: Place,
  error: NodeJS.ErrnoException,
  flags = SERVICE_FLAGS,
): CommandFailed | WrongSetting {
  const name = placeName(place);
  const unavailable = new CommandFailed(`${name} is not available: ${error.message}`);
  if (!('host' in place)) return unavailable;
  switch (error.code) {
    case 'EACCES': {
      const orUnit = flags.unit === undefined ? '' : `, or let systemd listen with ${flags.unit}`;
      return new WrongSetting(
        `${name} is not permitted for this user; ` +
          `choose a port above 1023 with ${flags.port}${orUnit}`,
      );
    }
    case 'EADDRINUSE':
      return new CommandFailed(
        `${name} is in use by another process; stop it, or choose another port with ${flags.port}`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CommandFailed(
        `${name} is not an address of this machine; choose another with ${flags.host}`,
      );
    case undefined:
    default:
      return unavailable;
  }
}

/** The mode of the service's Unix sockets: read and write for its user and group. */
export const SOCKET_MODE = 0o660;

/** Whether a process accepts connections to a Unix socket. */
const isLive = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path, () => resolve(true)).on(
      'error',
      ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'),
    );
    socket.once('connect', () => socket.destroy());
  });

/**
 * Checks that a Unix socket can be created at a path, or replaced. Returns whether there is one
 * already.
 * @throws {WrongSetting} if not. Node.js itself reports a missing folder as a protected one.
 */
export function checkSocketPath(flag: string, path: string): boolean {
  const folder = dirname(path);
  const noFolder = `there is no folder "${folder}"; choose another path with ${flag}`;
  const reasons: Record<string, string> = {
    ENOENT: noFolder,
    ENOTDIR: noFolder,
    EACCES: `this user may not write to its folder; choose another path with ${flag}`,
  };
  let found: Stats | undefined;
  try {
    found = lstatSync(path, { throwIfNoEntry: false });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new WrongSetting(`${flag} "${path}" cannot be created: ${reasons[code] ?? message}`);
  }
  if (found?.isSocket() === false)
    throw new WrongSetting(
      `${flag} "${path}" exists and is not a socket; expected another path, or none at this one`,
    );
  return found !== undefined;
}

/**
 * Removes the Unix socket that a killed process left behind.
 * @throws {CommandFailed} if a process listens on it
 * @throws {WrongSetting} if no socket can be created there
 */
export async function removeStaleSocket(flag: string, path: string): Promise<void> {
  if (!checkSocketPath(flag, path)) return;
  if (await isLive(path))
    throw new CommandFailed(
      `${flag} "${path}" is in use by another process; stop it, or choose another path`,
    );
  rmSync(path, { force: true });
}

/** Makes a server listen. @throws {Error} of the system */
export const listenIn = (server: Server, place: Place): Promise<void> =>
  new Promise((resolve, reject) => server.once('error', reject).listen(place, resolve));

/**
 * Listens in all places. Port 0 becomes the same free port in all of them.
 * @returns the servers; the first is that of the app, which the app itself closes
 * @throws {CommandFailed} @throws {WrongSetting} if it cannot listen
 */
export async function listen(
  app: HttpApp,
  places: Place[],
  isEncrypted: boolean,
): Promise<Server[]> {
  const servers: Server[] = [];
  for (const place of places) {
    // The server of the app accepts injected connections, encrypted or not. These are the options
    // of its own connections.
    const options = { allowHalfOpen: !isEncrypted, noDelay: true };
    const isFirst = servers.length === 0;
    const server = isFirst
      ? app.server
      : createServer(options, (connection) => app.server.emit('connection', connection));
    try {
      // Fastify also finds all addresses of localhost, but does not accept a socket from systemd.
      if (isFirst && 'host' in place) await app.listen(place);
      else if (isFirst || !('host' in place)) await listenIn(server, place);
      else await listenIn(server, { ...place, port: (app.server.address() as AddressInfo).port });
      if ('path' in place) chmodSync(place.path, SOCKET_MODE);
    } catch (error) {
      for (const other of servers.slice(1)) other.close();
      throw listenFailure(place, error as NodeJS.ErrnoException);
    }
    servers.push(server);
  }
  return servers;
}
