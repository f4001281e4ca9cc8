import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import t from 'tap';
import { problemType } from '../../src/http/wire/problems.js';
import { freePort, importLogs, killAll, runTool, startService } from '../campaigns/processes.js';
import { SAMPLE } from '../project-files.js';
import { Cluster, ROLE, runStatements } from './cluster.js';

const CLIENTS = 8;
/** How long a program may take to accept connections, in milliseconds. */
const STARTING = 10_000;
const INTERVAL = 20;

/** Debian has it where only root looks. */
const PROGRAM = [...(process.env.PATH ?? '').split(':'), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find(existsSync);

/** Why PgBouncer cannot be started, and what to do; false if it can. */
const withoutPooler: string | false =
  PROGRAM === undefined && 'PgBouncer is not installed; Debian: apt-get install pgbouncer';

/**
 * Starts PgBouncer in transaction mode before the primary of a cluster, otherwise as Debian
 * configures it. Returns its port.
 */
async function startPooler({ daemons, primary }: Cluster): Promise<number> {
  const port = await freePort();
  const configuration = join(daemons.folder, 'pooler.ini');
  const users = join(daemons.folder, 'pooler.txt');
  writeFileSync(users, `"${ROLE}" ""\n`);
  writeFileSync(
    configuration,
    `[databases]
* = host=127.0.0.1 port=${primary.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 5
`,
  );
  const daemon = daemons.start(PROGRAM!, [configuration]);
  for (let waited = 0; waited < STARTING && daemon.isRunning; waited += INTERVAL) {
    const asked = runStatements(`postgres://${ROLE}@127.0.0.1:${port}/postgres`, 'SELECT 1');
    if (await asked.then(() => true).catch(() => false)) return port;
    await rest(INTERVAL);
  }
  throw new Error(`nothing listens on port ${port}:\n${daemon.output()}`);
}

t.test(
  'an import and lookups work through PgBouncer in transaction mode without further settings',
  { skip: withoutPooler },
  async (t) => {
    t.teardown(killAll);
    const cluster = await Cluster.create();
    t.teardown(() => cluster.stop());
    const database = await cluster.createDatabase();
    const port = await startPooler(cluster);
    const pooled = `postgres://gnss@127.0.0.1:${port}/${database}`;
    await importLogs(pooled, SAMPLE);
    const [through, direct] = await Promise.all([
      startService(pooled, ['--cache-megabytes', '0']),
      startService(cluster.url(database)),
    ]);
    const ask = async (service: { port: number }, path: string): Promise<string> => {
      const url = `http://127.0.0.1:${service.port}${path}`;
      for (let tries = 1; ; tries++) {
        const response = await fetch(url);
        const body = await response.text();
        // On a busy machine, a costly request may wait longer than its patience.
        const isBusy = response.status === 503 && body.includes(problemType('service-busy'));
        if (!isBusy || tries > 60)
          return `${response.status} ${body.replaceAll(`:${service.port}/`, '/')}`;
        await rest(1000);
      }
    };
    const paths = [
      '/setups/search/findCurrentByFourCharacterId?id=ALIC',
      '/setups?size=100',
      '/gnssReceivers?type=LEICA%20GR25',
      '/sites',
    ];
    const expected = await Promise.all(paths.map((path) => ask(direct, path)));
    t.ok(expected.every((answer) => answer.startsWith('200 ')));
    // More clients than the pooler has connections, so that these change hands between statements.
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, () => Promise.all(paths.map((path) => ask(through, path)))),
    );
    t.strictSame([...new Set(answers.flat())].sort(), [...expected].sort());
    t.strictSame([await through.stop(), await direct.stop()], [[], []]);

    const { code, stdout } = await runTool(['import', '--database', pooled, SAMPLE]);
    t.equal(code, 0, 'a second import');
    t.match(stdout, /unchanged/);
  },
);
