import { hash } from 'node:crypto';
import Database from 'better-sqlite3';
import { type KnownPersons, NOBODY } from '../../site-log/known-persons.js';
import type { Correction, ReadKept } from '../corrections.js';
import type { Problem, Rereading } from '../upkeep.js';
import type { Row } from '../saving/checksums.js';
import { correctSite } from '../saving/correct-site.js';
import { saveFor } from '../saving/save-site-log.js';
import { saveGaps } from '../saving/save-changes.js';
import { saveFeedBaseline } from '../saving/save-feed.js';
import { baselineOf, derivedAs, type JournalRow, NUMBERED, withoutFindings } from '../saving/journal.js';
import { lastIdsOf } from './journal.js';
import { readRecordedJournal } from './recorded-journal.js';
import { RecordedTables } from './recorded-tables.js';
import { SqliteTables } from './tables.js';

/** The result of replaying an event does not match the journal. */
class Differs extends Error {
  override readonly name = 'Differs';
}

/** The counts that triggers maintain, from the rows that they count. */
const RECOUNT = `
  DELETE FROM setup_count;
  INSERT INTO setup_count (invalidated, current, setups) VALUES
    (0, 0, (SELECT count(*) FROM setup WHERE superseded_at IS NULL AND effective_to IS NOT NULL)),
    (0, 1, (SELECT count(*) FROM setup WHERE superseded_at IS NULL AND effective_to IS NULL)),
    (1, 0, (SELECT count(*) FROM setup WHERE superseded_at IS NOT NULL));
  DELETE FROM equipment_type_count;
  INSERT INTO equipment_type_count (equipment_type, type, devices, in_use, conflicts, sites)
  SELECT equipment_type, ifnull(type, ''), count(DISTINCT equipment.id), count(DISTINCT iif(in_use, equipment.id, NULL)),
    count(DISTINCT iif(conflicting, equipment.id, NULL)), count(DISTINCT site_id)
  FROM equipment JOIN installation ON equipment_id = equipment.id AND superseded_at IS NULL
  WHERE listed = 1 GROUP BY equipment_type, ifnull(type, '');
`;

/**
 * Replays the journal of a database into an empty one, with the writers of this version. The ids come out the same,
 * because they are assigned in order. A Site that cannot be replayed is carried over: its rows are copied. These are
 * Sites with a damaged original or a damaged entry in the journal, Sites for which another version derived something else,
 * Sites from before the journal was introduced, and Sites whose logs the next import reads again.
 */
export class Replay {
  readonly problems: Problem[] = [];
  /** The Sites that were carried over. */
  readonly carried = new Set<number>();
  /** Whether the journal itself is damaged. If entries are missing, all Sites are carried over. */
  journalDamaged = false;
  /** The number of logs that were derived again. */
  logs = 0;
  private readonly target: SqliteTables;
  private readonly tables: RecordedTables;
  private known: KnownPersons = NOBODY;

  /**
   * @param recorded within a transaction, so that it does not change
   * @param replayed has the tables of the last migration, all empty, and no foreign keys
   */
  constructor(
    private readonly recorded: Database.Database,
    private readonly replayed: Database.Database,
    private readonly rereading: Rereading,
  ) {
    this.target = new SqliteTables(replayed);
    this.tables = new RecordedTables(recorded, replayed);
  }

  /** Replays everything. */
  run(): void {
    this.replayed.transaction(() => {
      this.tables.copyNotes();
      this.known = this.target.persons.known();
      const entries = this.readJournal();
      if (entries === null) return this.carryAll();
      for (const { kind, site_id } of entries) if (kind === 'baseline') this.carried.add(site_id);
      for (const site of this.tables.sitesToRead()) this.carried.add(site);
      for (const [index, entry] of entries.entries()) this.follow(entry, entries[index - 1]);
      if (this.carried.size > 0) this.completeCarried();
      this.tables.copyFeed(this.carried);
    })();
  }

  /** The journal in order, its damaged entries replaced; null, with a problem, if an entry is missing. */
  private readJournal(): JournalRow[] | null {
    const damaged = (what: string): null => {
      this.journalDamaged = true;
      this.problems.push({ text: `journal: ${what}; nothing can be derived again`, repairable: false });
      return null;
    };
    try {
      const journal = readRecordedJournal(this.recorded);
      if ('missing' in journal) return damaged(journal.missing);
      for (const { text, repairable } of journal.problems) {
        this.journalDamaged = true;
        this.problems.push({ text: `journal: ${text}`, repairable });
      }
      return journal.entries;
    } catch (error) {
      if (error instanceof Database.SqliteError) return damaged(`cannot be read: ${error.message}`);
      throw error;
    }
  }

  private follow(entry: JournalRow, before: JournalRow | undefined): void {
    const site = entry.site_id;
    if (!this.carried.has(site)) {
      const original = entry.kind === 'import' ? this.originalOf(entry) : null;
      try {
        if (original === undefined) throw new Differs('damaged');
        this.replayed.transaction(() => this.replay(entry, original))();
        if (entry.kind === 'import') this.logs++;
        return;
      } catch {
        // Whatever the reason, the recorded content stays.
        this.tables.remove(site);
        this.carried.add(site);
        if (before !== undefined) this.copy(site, before);
      }
    }
    this.copy(site, entry);
    this.tables.insert('journal', { ...entry });
  }

  /** The bytes of an imported log; undefined, with a problem, if they are damaged. */
  private originalOf({ site_log_id, sha256, site_id }: JournalRow): Buffer | undefined {
    try {
      const byId = this.recorded.prepare<[number], Buffer>('SELECT original FROM site_log WHERE id = ?').pluck();
      const found = byId.get(site_log_id!);
      if (found !== undefined && hash('sha256', found) === sha256) return found;
      const bySha256 = this.recorded.prepare<[string], Buffer>('SELECT original FROM site_log NOT INDEXED WHERE sha256 = ?').pluck();
      const moved = bySha256.get(sha256!);
      if (moved !== undefined && hash('sha256', moved) === sha256) return moved;
      const what = found === undefined ? 'the original is missing' : `the original does not match the SHA-256 ${sha256}`;
      this.damagedOriginal(site_log_id!, site_id, what);
    } catch (error) {
      this.damagedOriginal(site_log_id!, site_id, `the original cannot be read: ${(error as Error).message}`);
    }
    return undefined;
  }

  private damagedOriginal(log: number, site: number, what: string): void {
    this.problems.push({ text: `site_log ${log} of ${this.tables.nameOf(site)}: ${what}`, repairable: false });
  }

  /** Replays one event. @throws {Differs} if the result does not match the journal */
  private replay(entry: JournalRow, original: Buffer | null): void {
    const { kind, at, site_id, detail, digest } = entry;
    if (kind === 'import') {
      const siteLog = this.rereading.importAgain({ name: detail!, original: original!, importedAt: new Date(at) }, this.known);
      const derived = derivedAs(siteLog, digest);
      if (derived === undefined) throw new Differs(`event ${entry.id}`);
      saveFor(this.target, this.target.sites.find(site_id) ?? null, derived);
    } else {
      const readAgain: ReadKept = (log) => {
        const derived = derivedAs(withoutFindings(this.rereading.readAgain(log, this.known)), digest);
        if (derived === undefined) throw new Differs(`event ${entry.id}`);
        return derived;
      };
      correctSite(this.target, site_id, JSON.parse(detail!) as Correction, new Date(at), readAgain);
    }
    const made = this.replayed.prepare<[], JournalRow>('SELECT * FROM journal ORDER BY id DESC LIMIT 1').get();
    if (made?.id !== entry.id || made.checksum !== entry.checksum) throw new Differs(`event ${entry.id}`);
  }

  /** Copies the rows of a Site, and devices, up to the last ids after an event. */
  private copy(site: number, { last_ids }: JournalRow): void {
    const last = JSON.parse(last_ids) as number[];
    for (const [index, table] of NUMBERED.entries()) this.tables.copyUpTo(table, site, last[index]!);
  }

  /** Copies the other tables of the Sites that were carried over, and computes what depends on several Sites. */
  private completeCarried(): void {
    const devices = this.tables.completeCarried(this.carried);
    for (const id of devices) this.target.devices.refreshState(id);
    for (const site of this.carried) saveGaps(this.target.changes, site);
    this.replayed.exec(RECOUNT);
  }

  private carryAll(): void {
    for (const id of this.tables.siteIds()) this.carried.add(id);
    for (const site of this.carried) for (const table of NUMBERED) this.tables.copyUpTo(table, site, Number.MAX_SAFE_INTEGER);
    this.completeCarried();
    const lastIds = JSON.stringify(lastIdsOf(this.replayed));
    const at = new Date().toISOString();
    for (const [index, site] of [...this.carried].entries()) {
      this.tables.insert('journal', { ...baselineOf(index + 1, site, at, lastIds) } satisfies Row);
      saveFeedBaseline(this.target, index + 1, site);
    }
  }
}
