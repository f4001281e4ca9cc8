import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { type Cluster, ROLE } from './cluster.js';
import { freePort } from '../campaigns/processes.js';
import { accepts } from './daemons.js';

/** PgBouncer, before a PostgreSQL server. */

/** How long a program may take to accept connections, in milliseconds. */
const STARTING = 10_000;
const INTERVAL = 20;

/** Debian has it where only root looks. */
const PROGRAM = [...(process.env.PATH ?? '').split(':'), '/usr/sbin'].map((folder) => join(folder, 'pgbouncer')).find(existsSync);

/** Why PgBouncer cannot be started, and what to do; false if it can. */
export const withoutPooler: string | false = PROGRAM === undefined && 'PgBouncer is not installed; Debian: apt-get install pgbouncer';

/** Starts PgBouncer in transaction mode before the primary of a cluster, otherwise as Debian configures it. Returns its port. */
export async function startPooler({ daemons, primary }: Cluster): Promise<number> {
  const port = await freePort();
  const [configuration, users] = [join(daemons.folder, 'pooler.ini'), join(daemons.folder, 'pooler.txt')];
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
    if (await accepts(port)) return port;
    await rest(INTERVAL);
  }
  throw new Error(`nothing listens on port ${port}:\n${daemon.output()}`);
}
