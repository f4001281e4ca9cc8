import { executionAsyncResource } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Keeps `process.nextTick` fast. Node.js makes an object with computed keys for each tick. If
 * garbage is collected while none of them is alive, before the code that makes them is compiled, V8
 * drops their hidden class, and each tick costs three to five times as much until the process ends:
 * a lookup has six, a tenth of its time. An object that stays alive keeps its class. Call it before
 * the first collection: afterwards it does not help.
 * `findings/next-tick-slow-after-garbage.sh` shows it, and fails when Node.js no longer needs this.
 */
export function keepTicksFast(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
