import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../campaigns/processes.js';
import type { Daemon, Daemons } from './daemons.js';

/** The role that owns the databases of the tests. It may create databases, and is no superuser. */
export const ROLE = 'gnss';
/** How long a server may take to start, to follow or to be promoted, in milliseconds. */
const STARTING = 60_000;
const INTERVAL = 20;

/** A PostgreSQL server of a cluster. */
export class PostgresServer {
  /** The folder of its data. */
  readonly data: string;
  port = 0;
  private daemon: Daemon | null = null;

  constructor(
    private readonly daemons: Daemons,
    private readonly programs: string,
    name: string,
  ) {
    this.data = join(daemons.folder, name);
  }

  /** The URL of a database, over TCP. */
  url(database = 'postgres', role = ROLE): string {
    return `postgres://${role}@127.0.0.1:${this.port}/${database}`;
  }

  /** Whether its process runs, silent or not. */
  get isRunning(): boolean {
    return this.daemon?.isRunning === true;
  }

  /** Whether it follows another server, or will when it starts. */
  get isReplica(): boolean {
    return existsSync(join(this.data, 'standby.signal'));
  }

  /** Everything that it has logged since its last start. */
  get log(): string {
    return this.daemon!.output();
  }

  /** Starts it, on the same port as before if it has had one. Resolves when it answers. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const port = this.port === 0 ? await freePort() : this.port;
      const settings = {
        listen_addresses: '127.0.0.1',
        port: String(port),
        unix_socket_directories: this.daemons.folder,
      };
      const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      this.daemon = this.daemons.start(join(this.programs, 'postgres'), [
        '-D',
        this.data,
        ...flags,
      ]);
      if (await this.isReady(this.daemon)) {
        this.port = port;
        return;
      }
      // Somebody else may have taken the port meanwhile.
      if (attempt === 3 || !this.log.includes('Address already in use'))
        throw new Error(`${this.data} does not start:\n${this.log}`);
    }
  }

  /** Waits until it accepts connections. False if it ends instead. */
  private async isReady(daemon: Daemon): Promise<boolean> {
    const file = join(this.data, 'postmaster.pid');
    for (let waited = 0; waited < STARTING && daemon.isRunning; waited += INTERVAL) {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
      // The file may be that of a process that was killed. Line 8 is the state, padded with blanks.
      if (lines[0] === String(daemon.pid) && lines[7]?.trim() === 'ready') return true;
      await rest(INTERVAL);
    }
    return false;
  }

  /** Ends it as an operator does: connections are closed, and replicas get everything. */
  async stop(): Promise<void> {
    await this.daemon?.end('SIGINT');
  }

  /** Kills all its processes with SIGKILL, as if the machine had lost its power. */
  async kill(): Promise<void> {
    await this.daemon!.kill();
    // The kernel keeps the segment of shared memory that guards the folder. Line 7 is its key and
    // its id.
    const segment = readFileSync(join(this.data, 'postmaster.pid'), 'utf8')
      .split('\n')[6]
      ?.trim()
      .split(/\s+/)[1];
    if (segment !== undefined) execFileSync('ipcrm', ['-m', segment], { stdio: 'ignore' });
  }

  /**
   * Stops all its processes, as if the network had gone silent: connections are accepted by the
   * kernel, nobody answers.
   */
  pause(): void {
    this.daemon!.pause();
  }

  /** Continues after {@link pause}. */
  resume(): void {
    this.daemon!.resume();
  }

  /** Runs statements as the superuser. */
  async query(statements: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    return runStatements(this.url(database, 'postgres'), statements);
  }

  /** Makes a primary of a replica. Resolves when it accepts writes. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote(true)');
  }

  /** Makes a replica follow another primary, after that was promoted. */
  async follow(primary: PostgresServer): Promise<void> {
    await this.query(`ALTER SYSTEM SET primary_conninfo = '${primary.replicationInfo}'`);
    await this.query('SELECT pg_reload_conf()');
  }

  /** How a replica connects to it. */
  get replicationInfo(): string {
    return `host=127.0.0.1 port=${this.port} user=postgres`;
  }

  /** Waits until a replica has applied everything that a primary has committed so far. */
  async catchUp(primary: PostgresServer): Promise<void> {
    const [committed] = await primary.query('SELECT pg_current_wal_lsn()::text AS lsn');
    for (let waited = 0; waited < STARTING; waited += INTERVAL) {
      const [applied] = await this.query(
        `SELECT pg_last_wal_replay_lsn() >= '${String(committed!.lsn)}'::pg_lsn AS done`,
      );
      if (applied!.done === true) return;
      await rest(INTERVAL);
    }
    throw new Error(`${this.data} does not follow its primary:\n${this.log}`);
  }
}

/** Runs statements over a connection of their own. @returns the rows of the last one */
export async function runStatements(
  url: string,
  statements: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // Of a connection that was lost: the statement fails as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const results = (await client.query(statements)) as pg.QueryResult | pg.QueryResult[];
    return (
      (Array.isArray(results) ? results.at(-1)! : results) as pg.QueryResult<
        Record<string, unknown>
      >
    ).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
