import { setTimeout as rest } from 'node:timers/promises';
import type { ServerState } from '../../../schemas/index.js';
import { StoreBusy, StoreUnusable } from '../store.js';
import { type Parameter, READ_REVISION, type Reads, type Revised, type RevisionRow, type Snapshot, withRevision } from './client.js';
import { EmptyTable, explained, isOfServer, isTimeout, NewerVersion } from './failures.js';
import { MIGRATIONS } from './migrations.js';
import { Revisions } from './revisions.js';
import { Server } from './server.js';
import type { Session, SessionOptions } from './session.js';
import type { Address, Target } from './url.js';

/** How long a read may take in all, in milliseconds. */
export const READ_BUDGET = 10_000;
/** How long a read waits for a server that has a state new enough, or for any server at all, in milliseconds. */
const PATIENCE = 2000;
/** How often such a read looks for a server, in milliseconds. */
const RETRY_INTERVAL = 50;
/** How often each server is probed, in milliseconds. */
const PROBE_INTERVAL = 500;

const BEGIN_READING = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${READ_REVISION}`;

/** Which servers are used, and how. */
export interface ServersOptions {
  target: Target;
  poolSize: number;
  /** The longest lag of a replica that is used, in milliseconds; null for no limit. */
  maxReplicaLag: number | null;
  session: SessionOptions;
}

/** What was read, and the revision of the state that it was read from. */
interface Answer<T> {
  revision: number;
  value: T;
}

/** @throws {NewerVersion} so that this version neither misreads tables that it does not know, nor answers from its cache */
function toRevision(row: RevisionRow | undefined): number {
  if (row === undefined) throw new EmptyTable('revision');
  if (row.migration > MIGRATIONS.length) throw new NewerVersion(row.migration, MIGRATIONS.length);
  return row.number;
}

/** The rows of {@link withRevision} as the statement itself has them. */
function toAnswer<Row extends object>(rows: (Row & Revised)[]): Answer<Row[]> {
  const [first] = rows;
  const revision = toRevision(first && { number: first._revision, migration: first._migration });
  const found = first?._found === true ? rows : [];
  return { revision, value: found.map(({ _revision, _migration, _found, ...row }) => row as unknown as Row) };
}

const leastLoaded = (servers: Server[]): Server | undefined => servers.toSorted((a, b) => a.pool.load - b.pool.load)[0];
const freshest = (servers: Server[]): Server | undefined => servers.toSorted((a, b) => (b.revision ?? 0) - (a.revision ?? 0))[0];

/**
 * Reads from the servers of a database: from replicas, and from the primary where no replica can be used. What fails with
 * one server is read from another. An answer is never older than one that this process had before the read began.
 */
export class Servers implements Reads {
  seen = 0;
  private readonly servers: Server[];
  private readonly revisions = new Revisions();
  private monitor: NodeJS.Timeout | undefined;
  private outage: StoreUnusable | null = null;
  /** Servers with the same load take turns. */
  private turn = 0;

  /** @param name the database in messages */
  constructor(
    private readonly name: string,
    addresses: Address[],
    private readonly options: ServersOptions,
  ) {
    this.servers = addresses.map((address) => new Server(address, options.session, options.poolSize));
  }

  /** Asks all servers for their state, and from then on again and again. @throws {StoreUnusable} if none can be used */
  async start(): Promise<void> {
    await this.probeAll();
    if (this.choose(new Set()) === undefined) throw this.unusable();
    this.monitor = setInterval(() => void this.probeAll(), PROBE_INTERVAL).unref();
  }

  all<Row extends object>(sql: string, ...parameters: Parameter[]): Promise<Row[]> {
    return this.read(async (session) => toAnswer(await session.all<Row & Revised>(withRevision(sql), ...parameters)));
  }

  async get<Row extends object>(sql: string, ...parameters: Parameter[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, ...parameters))[0];
  }

  inOneState<T>(read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.read((session) =>
      session.inTransaction(BEGIN_READING, async (begun) => {
        const [row] = begun[1] as [RevisionRow?];
        return { revision: toRevision(row), value: await read(session) };
      }),
    );
  }

  async revision(): Promise<number> {
    await this.read(async (session) => {
      const row = await session.get<RevisionRow>(READ_REVISION);
      return { revision: toRevision(row), value: undefined };
    });
    // Perhaps a newer one, by an answer that came meanwhile.
    return this.seen;
  }

  /** Reads something that has no revision, because the database may have no tables. */
  readUnrevised<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.read(async (session) => ({ revision: this.seen, value: await work(session) }));
  }

  states(): ServerState[] {
    const now = performance.now();
    const compared = this.servers.some(({ role, failure }) => role === 'primary' && failure === null);
    return this.servers.map((server) => ({
      role: server.role,
      used: server.failure === null && this.isAllowed(server, now),
      lagSeconds: server.role === 'replica' && compared ? Math.round(this.lagOf(server, now)) / 1000 : null,
    }));
  }

  async close(): Promise<void> {
    clearInterval(this.monitor);
    await Promise.all(this.servers.map((server) => server.close()));
  }

  private async read<T>(work: (session: Session) => Promise<Answer<T>>): Promise<T> {
    const started = performance.now();
    const known = this.seen;
    const tried = new Set<Server>();
    /** Since when there is no server to try. */
    let lost: number | null = null;
    for (;;) {
      const server = this.choose(tried);
      if (server === undefined) {
        lost ??= performance.now();
        if (performance.now() - lost > PATIENCE) throw this.unusable();
        void this.probeAll();
        await rest(RETRY_INTERVAL);
        tried.clear();
        continue;
      }
      tried.add(server);
      try {
        const { revision, value } = await server.pool.use(work, started + READ_BUDGET);
        if (!this.accepts(server, revision, known)) continue;
        this.outage = null;
        return value;
      } catch (error) {
        if (isTimeout(error)) throw new StoreBusy('the database takes too long to answer', { cause: error });
        if (!isOfServer(error)) throw this.once(explained(this.name, error));
        void server.probe();
      }
    }
  }

  /**
   * Notes the revision of an answer. False if a newer one was known when the read began, unless that was lost with a primary: then
   * the answer of the new primary counts, and no server has the newer one.
   * @param known the revision that was known when the read began: others may have seen newer ones while it ran
   */
  private accepts(server: Server, revision: number, known: number): boolean {
    // An answer that took long says nothing about what the server has since.
    server.revision = Math.max(server.revision ?? 0, revision);
    this.revisions.add(revision, performance.now(), Date.now());
    if (revision >= Math.min(known, this.seen)) {
      this.seen = Math.max(this.seen, revision);
      return true;
    }
    const isLost =
      server.role === 'primary' &&
      !this.servers.some((each) => each !== server && each.failure === null && (each.revision ?? 0) >= this.seen);
    if (!isLost) return false;
    server.revision = revision;
    this.seen = revision;
    this.revisions.forget(revision);
    return true;
  }

  /** The best server that was not tried yet. */
  private choose(tried: ReadonlySet<Server>): Server | undefined {
    const now = performance.now();
    this.turn = (this.turn + 1) % this.servers.length;
    const inTurn = [...this.servers.slice(this.turn), ...this.servers.slice(0, this.turn)];
    const usable = inTurn.filter((server) => server.failure === null && !tried.has(server) && this.isAllowed(server, now));
    const replicas = usable.filter(({ role }) => role === 'replica');
    const fresh = replicas.filter(({ revision }) => (revision ?? 0) >= this.seen);
    return leastLoaded(fresh) ?? freshest(usable.filter(({ role }) => role === 'primary')) ?? leastLoaded(replicas);
  }

  private isAllowed(server: Server, now: number): boolean {
    const { target, maxReplicaLag } = this.options;
    if (server.role === 'primary') return target !== 'read-only' && target !== 'standby';
    if (target === 'read-write' || target === 'primary') return false;
    return maxReplicaLag === null || this.lagOf(server, now) <= maxReplicaLag;
  }

  private lagOf({ revision }: Server, now: number): number {
    return this.revisions.lagOf(revision ?? 0, now);
  }

  private async probeAll(): Promise<void> {
    await Promise.all(
      this.servers.map(async (server) => {
        await server.probe();
        if (server.failure === null && server.revision !== null) this.revisions.add(server.revision, performance.now(), Date.now());
      }),
    );
  }

  /** Why no server can be used. */
  private unusable(): unknown {
    const now = performance.now();
    const reasons = this.servers.map((server) => `${server.name}: ${server.failure ?? this.whyUnused(server, now)}`);
    return this.once(new StoreUnusable(`database "${this.name}" cannot be read; ${reasons.join('; ')}`));
  }

  /** The same error for the same reason, so that it is logged once. */
  private once(error: unknown): unknown {
    if (!(error instanceof StoreUnusable)) return error;
    if (this.outage?.message !== error.message) this.outage = error;
    return this.outage;
  }

  private whyUnused(server: Server, now: number): string {
    if (!this.isAllowed(server, now)) return `a ${server.role} that the settings exclude`;
    return (server.revision ?? 0) < this.seen ? 'has not the newest state yet' : 'failed';
  }
}
