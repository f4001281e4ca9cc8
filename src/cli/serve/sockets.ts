import { lstatSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { CommandFailed } from '../settings.js';

/** The mode of the Unix sockets of the service: for its user and group. */
export const SOCKET_MODE = 0o660;

/** Whether a process accepts connections to a Unix socket. */
const isLive = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path, () => resolve(true)).on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'));
    socket.on('close', () => undefined).unref();
    socket.once('connect', () => socket.destroy());
  });

/**
 * Removes the Unix socket that a killed process left behind.
 * @throws {CommandFailed} if a process listens on it, or if it is a file of another kind
 */
export async function removeStaleSocket(flag: string, path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket())
    throw new CommandFailed(`${flag} "${path}" exists and is not a socket; expected another path, or none at this one`);
  if (await isLive(path)) throw new CommandFailed(`${flag} "${path}" is in use by another process; stop it, or choose another path`);
  rmSync(path, { force: true });
}
