import { setImmediate } from 'node:timers/promises';

/**
 * Lets long work of several requests take turns, so that a request that arrives meanwhile waits for
 * only one of them.
 */

/** How long a turn lasts, apart from its last piece of work, in milliseconds. */
const TURN = 4;

let last: Promise<unknown> = Promise.resolve();
/** When the turn began that began last. */
let began = -Infinity;

/** Says whether somebody still waits for the work. */
export type IsWanted = () => boolean;

/** Resolves in a turn of the event loop that no other caller has. */
export async function nextTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  await last;
  began = performance.now();
}

/**
 * Waits for the next turn if this one is over. Call it before each piece of long work, which takes
 * a few milliseconds at most.
 * @param isWanted by default, somebody always waits for it
 * @returns whether somebody still waits for it
 */
export async function ownTurn(isWanted: IsWanted = () => true): Promise<boolean> {
  if (performance.now() - began >= TURN) await nextTurn();
  return isWanted();
}
