import { setImmediate } from 'node:timers/promises';

/**
 * Lets long work of several requests take turns, so that a request that arrives meanwhile waits for
 * only one piece of it.
 */

let last: Promise<unknown> = Promise.resolve();

/** Says whether somebody still waits for the work. */
export type IsWanted = () => boolean;

/**
 * Resolves in a turn of the event loop that no other caller has. Call it before each piece of long
 * work.
 * @param isWanted by default, somebody always waits for it
 * @returns whether somebody still waits for it
 */
export async function ownTurn(isWanted: IsWanted = () => true): Promise<boolean> {
  last = last.then(() => setImmediate());
  await last;
  return isWanted();
}
