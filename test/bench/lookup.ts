import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Network } from './databases.js';
import type { Effort } from './effort.js';
import { p99Row, speedRow } from './load-rows.js';
import { LOOKUP_SPEED_TARGET, P99_TARGET } from './not-cached.js';
import { currentPaths } from './paths.js';
import { readProfile } from './profile.js';
import { rotate } from './rounds.js';
import { NOT_CACHED, prepareBare, startService, underLoad } from './servers.js';
import type { Row } from './table.js';

/** The targets for cached answers: speed relative to the bare server, and p99 as a multiple of its p99. */
const CACHED_SPEED_TARGET = 0.85;
const CACHED_P99_TARGET = 1.5;
/** How many functions of a profile are printed. */
const TOP = 5;

/** Compares lookups of the current Setups of random Sites, with and without the cache, with a bare server that sends the same. */
export async function measureLookup({ sites, database }: Network, folder: string, { rounds, pressure }: Effort): Promise<Row[]> {
  const paths = currentPaths(sites);
  const startBare = await prepareBare(folder, 'lookup', database, paths);
  const { cached, notCached, bare } = await rotate(rounds, {
    cached: () => underLoad(() => startService(database), paths, pressure),
    notCached: () => underLoad(() => startService(database, { flags: NOT_CACHED }), paths, pressure),
    bare: () => underLoad(startBare, paths, pressure),
  });
  const [hits, misses] = [
    { ours: cached, theirs: bare },
    { ours: notCached, theirs: bare },
  ];
  return [
    speedRow('lookup, cached', hits, CACHED_SPEED_TARGET),
    p99Row('lookup, cached', hits, CACHED_P99_TARGET),
    speedRow('lookup, not cached', misses, LOOKUP_SPEED_TARGET),
    p99Row('lookup, not cached', misses, P99_TARGET),
  ];
}

/** Lists where the service spends its time under the same loads: the functions with the most self time, as lines to print. */
export async function profileLookup({ sites, database }: Network, folder: string, { pressure }: Effort): Promise<string> {
  const lines: string[] = [];
  for (const [name, flags] of [['cached', []] as const, ['not cached', NOT_CACHED] as const]) {
    const profiles = join(folder, `profile ${name}`);
    mkdirSync(profiles);
    const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
    await underLoad(() => startService(database, { flags: [...flags], nodeFlags }), currentPaths(sites), pressure);
    const [file] = readdirSync(profiles);
    if (file === undefined) throw new Error('Node wrote no profile');
    const { functions, garbageCollector, program } = readProfile(join(profiles, file));
    const percent = (share: number): string => `${(share * 100).toFixed(1)} %`.padStart(7);
    lines.push(
      `lookup, ${name}: self time as a share of busy time (including the start):`,
      ...functions.slice(0, TOP).map(({ name, place, share }) => `${percent(share)}  ${name}  ${place}`),
      `${percent(garbageCollector)}  garbage collector`,
      `${percent(program)}  outside JavaScript`,
    );
  }
  return lines.join('\n');
}
