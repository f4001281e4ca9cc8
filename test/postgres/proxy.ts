import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { freePort } from '../campaigns/processes.js';
import { ROOT } from '../project-files.js';
import { type Cluster, ROLE, runStatements } from './cluster.js';

/** How long HAProxy may take to accept connections, in milliseconds. */
const STARTING = 10_000;
const INTERVAL = 50;

/** Debian has it where only root looks. */
const PROGRAM = [...(process.env.PATH ?? '').split(':'), '/usr/sbin']
  .map((folder) => join(folder, 'haproxy'))
  .find(existsSync);

/** Why HAProxy cannot be started, and what to do; false if it can. */
export const withoutProxy: string | false =
  PROGRAM === undefined && 'HAProxy is not installed; Debian: apt-get install haproxy';

/** The configuration in the guide. */
function readRecipe(): string {
  const guide = readFileSync(join(ROOT, 'src', 'cli', 'POSTGRESQL.md'), 'utf8');
  return /```haproxy\n([^]*?)```/.exec(guide)![1]!;
}

/**
 * After how long without an answer HAProxy gives up a server, in milliseconds, with the check that
 * is under way.
 */
export function timeToGiveUp(): number {
  const [, interval, checks] = /inter (\d+)s fall (\d+)/.exec(readRecipe())!;
  const [, timeout] = /timeout check (\d+)s/.exec(readRecipe())!;
  return 1000 * (Number(interval) * Number(checks) + Number(timeout));
}

/**
 * Starts HAProxy, configured as in the guide, before the primary of a cluster and its first
 * replica.
 * @returns its port
 */
export async function startProxy(cluster: Cluster): Promise<number> {
  if (PROGRAM === undefined) throw new Error(String(withoutProxy));
  const { daemons, primary, replicas } = cluster;
  await primary.query('CREATE ROLE haproxy LOGIN');
  await replicas[0]!.catchUp(primary);
  const port = await freePort();
  const configuration = join(daemons.folder, 'haproxy.cfg');
  const recipe = readRecipe()
    .replace('127.0.0.1:5000', `127.0.0.1:${port}`)
    .replace('10.0.0.11:5432', `127.0.0.1:${primary.port}`)
    .replace('10.0.0.12:5432', `127.0.0.1:${replicas[0]!.port}`);
  writeFileSync(configuration, recipe);
  // In the foreground.
  const daemon = daemons.start(PROGRAM, ['-db', '-f', configuration]);
  for (let waited = 0; waited < STARTING && daemon.isRunning; waited += INTERVAL) {
    const asked = runStatements(`postgres://${ROLE}@127.0.0.1:${port}/postgres`, 'SELECT 1');
    if (await asked.then(() => true).catch(() => false)) return port;
    await rest(INTERVAL);
  }
  throw new Error(`nothing listens on port ${port}:\n${daemon.output()}`);
}
