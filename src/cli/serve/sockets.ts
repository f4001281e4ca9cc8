import { accessSync, constants, existsSync, lstatSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
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
 * Checks that a Unix socket can be created at a path, or replaced. Returns whether there is one already.
 * @throws {CommandFailed} if not. Node.js itself reports a folder that does not exist like one that is protected.
 */
export function checkSocketPath(flag: string, path: string): boolean {
  const folder = dirname(path);
  const refuse = (why: string): never => {
    throw new CommandFailed(`${flag} "${path}" ${why}`);
  };
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === false)
      refuse('exists and is not a socket; expected another path, or none at this one');
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      refuse(`cannot be created: there is no folder "${folder}"; choose another path with ${flag}`);
    if (code === 'EACCES') refuse(`cannot be created: this user may not write to its folder; choose another path with ${flag}`);
    refuse(`cannot be created: ${message}`);
  }
  return existsSync(path);
}

/**
 * Removes the Unix socket that a killed process left behind.
 * @throws {CommandFailed} if a process listens on it, or if no socket can be created there
 */
export async function removeStaleSocket(flag: string, path: string): Promise<void> {
  if (!checkSocketPath(flag, path)) return;
  if (await isLive(path)) throw new CommandFailed(`${flag} "${path}" is in use by another process; stop it, or choose another path`);
  rmSync(path, { force: true });
}
