import { setTimeout as rest } from 'node:timers/promises';
import sql, { type Sql } from 'sql-template-tag';
import type { ServerState } from '../../../schemas/index.js';
import { documentsVersion } from '../../serializers/documents.js';
import { type Database, type Reads, StoreUnusable } from '../database.js';
import { POSTGRES } from '../dialect.js';
import { databaseOf } from './connection.js';
import { ConnectionLost, explained, isOfServer } from './failures.js';
import { checkedMark, type Mark, READ_MARK, splitMark, withMark } from './mark.js';
import { clock, Revisions } from './revisions.js';
import { ONE_STATE, READ_BUDGET, Server, type Work } from './server.js';
import type { DatabaseUrl } from './url.js';

/** How long a read waits for a server that has a state new enough, or for any server at all, in milliseconds. */
const PATIENCE = 2000;
/** How often such a read looks for a server, in milliseconds. */
const RETRY_INTERVAL = 50;
/** How often each server is probed, in milliseconds. */
const PROBE_INTERVAL = 500;

const UNLIMITED =
  "the role has no lock_timeout, so reads of a table that somebody locks wait for up to 10 s; set it with: ALTER ROLE … SET lock_timeout = '2s'";

/** What was read, and the mark of the state that it was read from. */
type Answer<T> = { mark: Mark; value: T };

const leastLoaded = (servers: Server[]): Server | undefined =>
  servers.toSorted((a, b) => a.load - b.load)[0];
const freshest = (servers: Server[]): Server | undefined =>
  servers.toSorted((a, b) => b.revision - a.revision)[0];

/**
 * Reads from the servers of a database: from replicas, and from the primary where no replica can be used. What fails with
 * one server is read from another. An answer is never older than one that this process had before the read began.
 */
export class Servers implements Reads {
  readonly dialect = POSTGRES;
  readonly warnings: string[] = [];
  /** The revision of the newest state that an answer came from. */
  private seen = 0;
  private documents = 0;
  private readonly members: Server[];
  private readonly revisions = new Revisions();
  private monitor: NodeJS.Timeout | undefined;
  private outage: StoreUnusable | null = null;
  /** Servers with the same load take turns. */
  private turn = 0;

  /** @param maxReplicaLag the longest lag of a replica that is used, in milliseconds; null for no limit */
  constructor(
    private readonly url: DatabaseUrl,
    private readonly maxReplicaLag: number | null,
  ) {
    this.members = url.servers.map((address) => new Server(address, url));
  }

  /** Probes all servers now, then periodically. @throws {StoreUnusable} if none can be used */
  async start(): Promise<void> {
    await Promise.all(this.members.map((server) => this.probe(server)));
    if (this.choose() === undefined) throw this.unusable();
    this.monitor = setInterval(() => this.probeAll(), PROBE_INTERVAL).unref();
    await this.check();
    const row = await this.get<{ unlimited: boolean }>(
      sql`SELECT current_setting('lock_timeout') = '0' AS unlimited`,
    );
    if (row!.unlimited) this.warnings.push(UNLIMITED);
  }

  async all<Row extends object>(statement: Sql): Promise<Row[]> {
    const marked = withMark(statement);
    return this.read(async (execute) => splitMark((await execute(marked)).rows) as Answer<Row[]>);
  }

  async get<Row extends object>(statement: Sql): Promise<Row | undefined> {
    return (await this.all<Row>(statement))[0];
  }

  inOneState<T>(read: (db: Database) => Promise<T>): Promise<T> {
    return this.read((execute, connection) =>
      connection.inTransaction(ONE_STATE, READ_MARK, async (row) => ({
        mark: checkedMark(row as Mark | undefined),
        value: await read(databaseOf(execute)),
      })),
    );
  }

  async version(): Promise<number> {
    await this.all(sql`SELECT 1 AS one`);
    // Perhaps a newer one, by an answer that came meanwhile.
    return this.seen;
  }

  seenVersion(): number {
    return this.seen;
  }

  hasTextsOfThisVersion(): boolean {
    return this.documents === documentsVersion();
  }

  /** Asks a server by its watching connection, so that no other read delays it. */
  check(): Promise<number> {
    return this.attempt(async (server) => {
      const known = this.seen;
      await this.probe(server);
      if (server.failure !== null) throw new ConnectionLost(server.failure);
      const mark = checkedMark(server.mark);
      if (!this.accepts(server, mark, known))
        throw new ConnectionLost('does not have the newest state yet');
      return mark.migration;
    });
  }

  servers(): ServerState[] {
    const now = clock();
    const compared = this.members.some(
      ({ role, failure }) => role === 'primary' && failure === null,
    );
    return this.members.map((server) => ({
      role: server.role,
      used: this.isUsable(server),
      lagSeconds:
        server.role === 'replica' && compared
          ? Math.round(this.revisions.lagOf(server.revision, now)) / 1000
          : null,
    }));
  }

  async close(): Promise<void> {
    clearInterval(this.monitor);
    await Promise.all(this.members.map((server) => server.close()));
  }

  private read<T>(work: Work<Answer<T>>): Promise<T> {
    const known = this.seen;
    const deadline = performance.now() + READ_BUDGET;
    return this.attempt(async (server) => {
      const { mark, value } = await server.use(work, deadline);
      if (!this.accepts(server, mark, known))
        throw new ConnectionLost('does not have the newest state yet');
      return value;
    });
  }

  /** Does something with the best server; with another one after a failure of the server. */
  private async attempt<T>(act: (server: Server) => Promise<T>): Promise<T> {
    const tried = new Set<Server>();
    /** Since when there is no server to try. */
    let lost: number | null = null;
    for (;;) {
      const server = this.choose(tried);
      if (server === undefined) {
        lost ??= performance.now();
        if (performance.now() - lost > PATIENCE) throw this.unusable();
        this.probeAll();
        await rest(RETRY_INTERVAL);
        tried.clear();
        continue;
      }
      tried.add(server);
      try {
        const result = await act(server);
        this.outage = null;
        return result;
      } catch (error) {
        if (!isOfServer(error)) throw this.once(error);
        void this.probe(server);
      }
    }
  }

  /**
   * Notes the mark of an answer. False if a newer state was known when the read began, unless that was lost with a primary: then
   * the answer of the new primary counts, and no server has the newer one.
   * @param known the revision that was known when the read began: others may have seen newer ones while it ran
   */
  private accepts(server: Server, { revision, documents }: Mark, known: number): boolean {
    // An answer that took long says nothing about what the server has since.
    server.revision = Math.max(server.revision, revision);
    this.revisions.add(revision, clock());
    if (revision < Math.min(known, this.seen)) {
      const isElsewhere = this.members.some(
        (each) => each !== server && each.failure === null && each.revision >= this.seen,
      );
      if (server.role !== 'primary' || isElsewhere) return false;
      server.revision = revision;
      this.seen = revision;
      this.revisions.forget(revision);
    }
    if (revision >= this.seen) [this.seen, this.documents] = [revision, documents];
    return true;
  }

  /** The best server that was not tried yet. */
  private choose(tried: ReadonlySet<Server> = new Set()): Server | undefined {
    this.turn = (this.turn + 1) % this.members.length;
    const inTurn = [...this.members.slice(this.turn), ...this.members.slice(0, this.turn)];
    const usable = inTurn.filter((server) => !tried.has(server) && this.isUsable(server));
    const replicas = usable.filter(({ role }) => role === 'replica');
    const fresh = replicas.filter(({ revision }) => revision >= this.seen);
    return (
      leastLoaded(fresh) ??
      freshest(usable.filter(({ role }) => role === 'primary')) ??
      leastLoaded(replicas)
    );
  }

  private isUsable(server: Server): boolean {
    return server.failure === null && this.isAllowed(server);
  }

  private isAllowed({ role, revision }: Server): boolean {
    const { target } = this.url;
    if (role === 'primary') return target !== 'read-only' && target !== 'standby';
    if (target === 'read-write' || target === 'primary') return false;
    return (
      this.maxReplicaLag === null || this.revisions.lagOf(revision, clock()) <= this.maxReplicaLag
    );
  }

  private probeAll(): void {
    for (const server of this.members) void this.probe(server);
  }

  private async probe(server: Server): Promise<void> {
    await server.probe();
    if (server.failure === null) this.revisions.add(server.revision, clock());
  }

  /** Why no server can be used. */
  private unusable(): unknown {
    const reasons = this.members.map((server) => {
      const why = this.isAllowed(server)
        ? 'does not have the newest state yet'
        : `a ${server.role} that the settings exclude`;
      return `${server.name}: ${server.failure ?? why}`;
    });
    return this.once(
      new StoreUnusable(`database "${this.url.shown}" cannot be read; ${reasons.join('; ')}`),
    );
  }

  /** The error for callers: the same one for the same reason, so that it is logged once. */
  private once(error: unknown): unknown {
    const told = explained(this.url.shown, error);
    if (!(told instanceof StoreUnusable)) return told;
    if (this.outage?.message !== told.message) this.outage = told;
    return this.outage;
  }
}
