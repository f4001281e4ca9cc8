import { setImmediate } from 'node:timers/promises';

/** Lets long work of several requests take turns, so that a request that arrives meanwhile waits for only one piece of it. */

let last: Promise<unknown> = Promise.resolve();

/** Resolves in a turn of the event loop that no other caller has. Call it between two pieces of long work. */
export function ownTurn(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}
