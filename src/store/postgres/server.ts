import { READ_REVISION } from './client.js';
import { nameOf } from './connect.js';
import { EmptyTable } from './failures.js';
import { Pool } from './pool.js';
import { Session, type SessionOptions } from './session.js';
import type { Address } from './url.js';

/** The primary takes writes; a replica repeats them. */
export type Role = 'primary' | 'replica';

/** How long a server may not answer the shortest of questions, in milliseconds. */
const SILENCE = 2000;

const READ_ROLE = 'SELECT pg_is_in_recovery() AS replica';
/** A database that nothing was imported into has no revision. */
const HAS_REVISION = `SELECT to_regclass('gnss_site_setups') IS NOT NULL AS "hasRevision"`;

/** How long a probe counts as the newest, in milliseconds: many reads may ask for one at once. */
const FRESH = 20;

interface Probe {
  role: Role;
  revision: number | null;
}

async function ask(session: Session): Promise<Probe> {
  const [[role], [table]] = (await session.script(`${READ_ROLE}; ${HAS_REVISION}`)) as [[{ replica: boolean }], [{ hasRevision: boolean }]];
  const revision = table.hasRevision ? await session.get<{ number: number }>(READ_REVISION) : undefined;
  if (table.hasRevision && revision === undefined) throw new EmptyTable('revision');
  return { role: role.replica ? 'replica' : 'primary', revision: revision?.number ?? null };
}

/**
 * One server, as this process knows it: its connections, and what it said last. Only probes decide whether it is used. They
 * have a connection of their own, so a server that is busy with long statements still answers them, and one that is
 * silent is noticed whatever it was asked.
 */
export class Server {
  /** Null until it has answered once. */
  role: Role | null = null;
  /** The newest revision that it has shown; null if the database has none. */
  revision: number | null = null;
  /** Why it is not used; null if it answers. */
  failure: string | null = 'it was not asked yet';
  readonly pool: Pool;
  private watcher: Session | null = null;
  private probing: Promise<void> | null = null;
  private probedAt = -Infinity;
  private closed = false;

  constructor(
    private readonly address: Address,
    private readonly options: SessionOptions,
    poolSize: number,
  ) {
    this.pool = new Pool(address, options, poolSize);
  }

  /** Its address, for logs. */
  get name(): string {
    return nameOf(this.address);
  }

  /** Asks for its role and its revision. Never fails; says the result in {@link failure}. */
  probe(): Promise<void> {
    if (this.probing === null && performance.now() - this.probedAt < FRESH) return Promise.resolve();
    this.probing ??= this.ask().finally(() => {
      this.probing = null;
      this.probedAt = performance.now();
    });
    return this.probing;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([this.pool.close(), this.watcher?.close()]);
  }

  private async ask(): Promise<void> {
    let silence: NodeJS.Timeout | undefined;
    try {
      const session = this.watcher?.usable === true ? this.watcher : await Session.open(this.address, this.options);
      this.watcher = session;
      if (this.closed) return session.destroy('it is closed');
      // An answer that came while this process was busy is read before it counts as missing.
      silence = setTimeout(() => setImmediate(() => session.destroy('it does not answer')), SILENCE);
      const { role, revision } = await ask(session);
      this.role = role;
      this.revision = revision;
      this.failure = null;
    } catch (error) {
      this.fail((error as Error).message);
    } finally {
      clearTimeout(silence);
    }
  }

  private fail(why: string): void {
    this.failure = why;
    this.watcher?.destroy(why);
    this.watcher = null;
    this.pool.abandon(why);
  }
}
