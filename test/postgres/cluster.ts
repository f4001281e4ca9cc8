import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Daemons } from './daemons.js';
import { PostgresServer, ROLE, runStatements } from './server.js';

export { type PostgresServer, ROLE, runStatements };

/** The oldest version of PostgreSQL with collations of ICU for a whole cluster. */
const WITH_ICU = 15;

/** Settings of a server: of no use for data that somebody needs. */
const FAST = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  // Killed servers would leave shared memory elsewhere.
  dynamic_shared_memory_type: 'mmap',
  max_connections: '200',
  max_wal_senders: '10',
  // A killed server is up again at once.
  restart_after_crash: 'on',
  wal_receiver_status_interval: '1s',
  // Connections of a server that is paused are not missed for long.
  wal_sender_timeout: '5s',
  wal_receiver_timeout: '5s',
  wal_retrieve_retry_interval: '200ms',
};

/**
 * The folder of PostgreSQL's programs; null if it is not installed. Debian has one for each
 * version, of which the newest is taken.
 */
export function findPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    : [];
  const path = (process.env.PATH ?? '').split(':').filter((folder) => folder !== '');
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...path];
  return (
    folders.find((folder) =>
      ['initdb', 'postgres', 'pg_basebackup'].every((name) => existsSync(join(folder, name))),
    ) ?? null
  );
}

/** Why there is no PostgreSQL, and what to do. */
export const NOT_INSTALLED = 'PostgreSQL is not installed; Debian: apt-get install postgresql';

interface ServerOptions {
  /** Settings of postgresql.conf. */
  settings?: Record<string, string>;
  /** Lines of pg_hba.conf that come first. Without any, everybody is trusted. */
  hba?: string[];
}

/**
 * A primary and its replicas, in a temporary folder and on free ports of the loopback. It touches
 * no other cluster of the machine. Everything ends with this process, even if that is killed.
 */
export class Cluster {
  /** All servers, in the order in which they were added. */
  readonly servers: PostgresServer[];

  /** @param daemons for other daemons that a test needs */
  private constructor(
    readonly daemons: Daemons,
    private readonly programs: string,
    public primary: PostgresServer,
  ) {
    this.servers = [primary];
  }

  /** Creates a cluster and starts its primary. @throws {Error} if PostgreSQL is not installed */
  static async create({ settings = {}, hba = [] }: ServerOptions = {}): Promise<Cluster> {
    const programs = findPrograms();
    if (programs === null) throw new Error(NOT_INSTALLED);
    const daemons = new Daemons('gnss-postgres');
    try {
      const primary = new PostgresServer(daemons, programs, 'server1');
      const version = Number(
        /\d+/.exec(
          execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' }),
        )![0],
      );
      // Unlike that of C, this collation shows where an order depends on that of the database.
      const collation = version < WITH_ICU ? [] : ['--locale-provider=icu', '--icu-locale=en'];
      const init = [
        '--username=postgres',
        '--auth=trust',
        '--encoding=UTF8',
        '--locale=C.UTF-8',
        ...collation,
        '--no-sync',
      ];
      await daemons.run(join(programs, 'initdb'), ['-D', primary.data, ...init]);
      const lines = Object.entries({ ...FAST, ...settings }).map(
        ([name, value]) => `${name} = '${value}'\n`,
      );
      appendFileSync(join(primary.data, 'postgresql.conf'), lines.join(''));
      const rules = join(primary.data, 'pg_hba.conf');
      writeFileSync(rules, `${hba.join('\n')}\n${readFileSync(rules, 'utf8')}`);
      await primary.start();
      await primary.query(`CREATE ROLE ${ROLE} LOGIN CREATEDB`);
      return new Cluster(daemons, programs, primary);
    } catch (error) {
      await daemons.stop();
      throw error;
    }
  }

  /** All servers but the primary. */
  get replicas(): PostgresServer[] {
    return this.servers.filter((server) => server !== this.primary);
  }

  /** Adds a streaming replica of the primary. Resolves when it answers. */
  async addReplica(): Promise<PostgresServer> {
    const replica = new PostgresServer(
      this.daemons,
      this.programs,
      `server${this.servers.length + 1}`,
    );
    await this.makeReplica(replica);
    this.servers.push(replica);
    return replica;
  }

  /**
   * Makes a replica the primary, and the other running ones follow it. The former primary must not
   * run.
   */
  async promote(replica: PostgresServer): Promise<void> {
    await replica.promote();
    this.primary = replica;
    for (const other of this.replicas) if (other.isRunning) await other.follow(replica);
  }

  /**
   * Starts a server that was killed or stopped: the primary as it is, any other as a replica of the
   * primary.
   */
  async restart(server: PostgresServer): Promise<void> {
    if (server !== this.primary && !server.isReplica) {
      // It was the primary, and may have what the new one has not.
      rmSync(server.data, { recursive: true });
      return this.makeReplica(server);
    }
    await server.start();
    if (server !== this.primary) await server.follow(this.primary);
  }

  private async makeReplica(server: PostgresServer): Promise<void> {
    const source = [
      '-d',
      this.primary.replicationInfo,
      '--checkpoint=fast',
      '--no-sync',
      '--wal-method=stream',
    ];
    await this.daemons.run(join(this.programs, 'pg_basebackup'), [
      '-D',
      server.data,
      '--write-recovery-conf',
      ...source,
    ]);
    await server.start();
  }

  /**
   * Creates a database and returns its name.
   * @param template a database that nobody is connected to; default: an empty one
   */
  async createDatabase(template?: string): Promise<string> {
    return createDatabaseAt(this.primary.url(), template);
  }

  /** The URL of a database on the primary. @param parameters such as `pool_size=1` */
  url(database: string, parameters = ''): string {
    return `${this.primary.url(database)}${parameters === '' ? '' : `?${parameters}`}`;
  }

  /** Stops everything and deletes it. */
  async stop(): Promise<void> {
    await this.daemons.stop();
  }
}

/**
 * How servers copy a database: by its files, in a quarter of the time that the default of
 * PostgreSQL 15 and later takes. Earlier versions have no other way.
 */
async function strategyOf(server: string): Promise<string> {
  const [row] = await runStatements(
    server,
    "SELECT current_setting('server_version_num')::int AS version",
  );
  return (row!.version as number) < 150_000 ? '' : 'STRATEGY file_copy';
}

let strategy: Promise<string> | undefined;

/** Creates a database at a server and returns its name, which no other process uses. */
export async function createDatabaseAt(server: string, template = 'template0'): Promise<string> {
  strategy ??= strategyOf(server);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runStatements(server, `CREATE DATABASE ${name} TEMPLATE ${template} ${await strategy}`);
  return name;
}
