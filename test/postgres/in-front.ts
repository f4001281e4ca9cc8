import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { type Cluster, ROLE } from './cluster.js';
import { accepts, type Daemon, type Daemons, freePort } from './daemons.js';

/** What is put in front: a pooler before a PostgreSQL server, a proxy before services. */

/** How long a program may take to accept connections, in milliseconds. */
const STARTING = 10_000;
const INTERVAL = 20;

/** The packages of Debian with the programs. */
const PACKAGES = { pgbouncer: 'pgbouncer', nginx: 'nginx-light' };
type Program = keyof typeof PACKAGES;

/** Debian has them where only root looks. */
const pathTo = (program: Program): string | undefined =>
  [...(process.env.PATH ?? '').split(':'), '/usr/sbin'].map((folder) => join(folder, program)).find((path) => existsSync(path));

/** Why a program cannot be started, and what to do; false if it can. */
export const missing = (program: Program): string | false =>
  pathTo(program) === undefined && `${program} is not installed; Debian: apt-get install ${PACKAGES[program]}`;

function find(program: Program): string {
  const reason = missing(program);
  if (reason !== false) throw new Error(reason);
  return pathTo(program)!;
}

/** A program that listens on a port of the loopback. */
export interface InFront {
  port: number;
  daemon: Daemon;
}

async function listening(daemon: Daemon, port: number): Promise<InFront> {
  for (let waited = 0; waited < STARTING && daemon.isRunning; waited += INTERVAL) {
    if (await accepts(port)) return { port, daemon };
    await rest(INTERVAL);
  }
  throw new Error(`nothing listens on port ${port}:\n${daemon.output()}`);
}

/** Starts PgBouncer before the primary of a cluster, otherwise as Debian configures it. @throws {Error} if it is not installed */
export async function startPooler({ daemons, primary }: Cluster, mode: 'session' | 'transaction'): Promise<InFront> {
  const program = find('pgbouncer');
  const port = await freePort();
  const [configuration, users] = [join(daemons.folder, `${mode}.ini`), join(daemons.folder, `${mode}.txt`)];
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
pool_mode = ${mode}
default_pool_size = 5
`,
  );
  return listening(daemons.start(program, [configuration]), port);
}

/** Starts nginx before services on ports of the loopback. If one fails, nginx asks the next. @throws {Error} if it is not installed */
export async function startProxy(daemons: Daemons, ports: number[]): Promise<InFront> {
  const program = find('nginx');
  const port = await freePort();
  const folder = join(daemons.folder, 'nginx');
  mkdirSync(folder);
  daemons.give(folder);
  const configuration = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `  ${each}_temp_path ${folder}/${each};`);
  writeFileSync(
    configuration,
    `daemon off;
pid ${folder}/nginx.pid;
error_log stderr;
worker_processes 1;
events {}
http {
  access_log off;
${temporary.join('\n')}
  upstream services {
${ports.map((each) => `    server 127.0.0.1:${each} max_fails=1 fail_timeout=1s;`).join('\n')}
    keepalive 16;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://services;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_connect_timeout 1s;
      proxy_next_upstream error timeout http_503;
    }
  }
}
`,
  );
  return listening(daemons.start(program, ['-e', 'stderr', '-p', folder, '-c', configuration]), port);
}
