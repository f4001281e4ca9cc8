import type { Network } from './databases.js';
import type { Effort } from './effort.js';
import { p99Row, speedRow } from './load-rows.js';
import { interleave } from './rounds.js';
import { NOT_CACHED, prepareBare, startService, underLoad } from './servers.js';
import type { Row } from './table.js';

/** The targets for answers that are not cached: speed relative to the bare server, and p99 as a multiple of its p99. */
export const LOOKUP_SPEED_TARGET = 0.55;
export const P99_TARGET = 5;

/** Compares the service without the cache, with a bare server that sends the same. @param speedTarget the speed relative to that */
export async function measureNotCached(
  name: string,
  { database }: Network,
  paths: string[],
  speedTarget: number,
  folder: string,
  { rounds, pressure }: Effort,
): Promise<Row[]> {
  const startBare = await prepareBare(folder, name, database, paths);
  const measured = await interleave(
    rounds,
    () => underLoad(() => startService(database, { flags: NOT_CACHED }), paths, pressure),
    () => underLoad(startBare, paths, pressure),
  );
  return [speedRow(`${name}, not cached`, measured, speedTarget), p99Row(`${name}, not cached`, measured, P99_TARGET)];
}
