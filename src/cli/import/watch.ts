import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type FileOutcome,
  type ImportedFile,
  importSiteLogs,
  lastImportOf,
  rejectedFileOf,
  type SiteLogFile,
  WatchedFiles,
  openUpToDate,
} from '../../import-site-logs.js';
import { databaseState } from '../../store/open.js';
import { isPostgres } from '../../store/address.js';
import type { RejectedFile } from '../../store/save/rejected-files.js';
import { StoreUnusable, WrongDatabase } from '../../store/store.js';
import { ClockBehind } from '../../store/clock.js';
import { inodeOf } from '../../whole-file.js';
import { say } from '../line/terminal.js';
import { checkClock } from './clock.js';

/** How often to check whether there is something to do, in milliseconds. */
const PAUSE = 1000;
/**
 * How many times as long as the last search to wait before the next, so that slow searches do not
 * fill the time.
 */
const PAUSE_PER_SEARCH = 4;
/** How long to wait if the database cannot be used, in milliseconds. */
const RETRY = 5000;

/**
 * How long the store waits for a lock, in milliseconds: meanwhile, nothing else happens, not even
 * the end.
 */
const PATIENCE = 2000;
const NO_FILES = { saved: 0, unchanged: 0, older: 0, rejected: 0, skipped: 0 };

/**
 * Identifies a database: a file by its inode, as another may take its place. Null if there is none.
 */
const identityOf = (database: string): string | null =>
  isPostgres(database) ? database : inodeOf(database);

/** How a folder is watched. */
interface Watch {
  paths: string[];
  database: string;
  jobs: number;
  /** How often all folders are searched, in milliseconds, even without a file system event. */
  rescan: number;
  /**
   * How often the folders are searched and the last import is recorded, in milliseconds, even if
   * nothing changes.
   */
  renewal: number;
  /**
   * Called for each file that was read.
   * @param again whether this process has read the same content before
   */
  onFile: (file: ImportedFile, again: boolean) => void;
}

/**
 * Gives memory back that Node.js would keep for half an hour after an import: if it was started
 * with --expose-gc, as by the systemd unit.
 */
function giveMemoryBack(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** Imports all files in some folders, and then new and changed ones. */
export class FolderWatch {
  private readonly files: WatchedFiles<FileOutcome>;
  /** Files that could not be read. */
  private readonly unreadable: SiteLogFile[] = [];
  /** Why the database could not be used; empty if it could. */
  private failure = '';
  /** Identifies the database; null if there was none. */
  private identity: string | null = null;
  /** The state of the database after the last import. */
  private state: string | null = null;
  /** What was recorded as the last import, and when, on the clock of `performance.now()`. */
  private recorded = NO_FILES;
  private recordedAt = performance.now();

  constructor(private readonly watch: Watch) {
    this.files = new WatchedFiles(watch.paths, say);
  }

  /**
   * Runs until `signal` is aborted, and then finishes the logs in progress.
   * @throws {WrongDatabase} if there is no database of this version to begin with
   */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.importUntil(signal);
    } finally {
      this.files.close();
    }
  }

  private async importUntil(signal: AbortSignal): Promise<void> {
    let rescannedAt = -Infinity;
    let pause = 0;
    while (!signal.aborted) {
      this.checkDatabase();
      const began = performance.now();
      const rescan = began - rescannedAt >= this.watch.rescan;
      if (rescan) await this.readDoubtfulAgain();
      pause = PAUSE;
      if (
        (await this.files.mayHaveChanged()) ||
        rescan ||
        began - this.recordedAt >= this.watch.renewal
      ) {
        const due = await this.files.search();
        const ended = performance.now();
        if (rescan) rescannedAt = ended;
        pause = Math.max(PAUSE, (ended - began) * PAUSE_PER_SEARCH);
        if (!(await this.import(due, signal))) pause = RETRY;
      }
      await setTimeout(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * Imports files. Returns whether the database could be used; if not, the rest of the files is due
   * again.
   */
  private async import(due: SiteLogFile[], signal: AbortSignal): Promise<boolean> {
    // Runs once even without files, so that the database is created, or the reason why it cannot be
    // used is shown.
    if (due.length === 0 && this.identity !== null && this.toRecord() === null) return true;
    const { database, jobs, onFile } = this.watch;
    const rejected: RejectedFile[] = [];
    const accepted = new Set<string>();
    try {
      const store = await openUpToDate(database, { patience: PATIENCE });
      this.identity ??= identityOf(database);
      try {
        await checkClock(store, due, new Date());
        const onNext = (imported: ImportedFile, file: SiteLogFile): void => {
          const again = this.files.markDone(file, imported.outcome);
          if (imported.outcome === 'rejected') rejected.push(rejectedFileOf(imported));
          else if (imported.outcome !== 'skipped') accepted.add(resolve(imported.path));
          if (imported.outcome === 'rejected' && imported.rejectedContent === null)
            this.unreadable.push(file);
          onFile(imported, again);
        };
        await importSiteLogs(due, store, () => new Date(), onNext, {
          jobs,
          signal,
          recordImport: false,
        });
        const isOver = (path: string): boolean => accepted.has(path) || this.files.isGone(path);
        await store.saveRejectedFiles(rejected, isOver, new Date());
        const outcomes = this.toRecord();
        if (outcomes !== null) {
          await store.saveLastImport(lastImportOf(outcomes, new Date()));
          this.recorded = outcomes;
          this.recordedAt = performance.now();
        }
      } finally {
        await store.close();
      }
      this.failure = '';
    } catch (error) {
      // Before the first import it is a wrong setting; later, the database may come back.
      const isWrongSetting = error instanceof WrongDatabase && this.identity === null;
      if (!(error instanceof StoreUnusable) || isWrongSetting) throw error;
      // Its message has the time of now, so it would be another one each time.
      const failure = error instanceof ClockBehind ? error.name : error.message;
      if (failure !== this.failure)
        say(`${error.message} (trying again every ${RETRY / 1000} seconds)`);
      this.failure = failure;
    }
    this.state = await databaseState(database);
    if (due.length > 0) giveMemoryBack();
    return this.failure === '';
  }

  /**
   * The outcomes of all files in the folders, if they have changed or it is time to record them
   * again; otherwise null. While a folder is missing, nothing is recorded, so that the age of the
   * last import shows it.
   */
  private toRecord(): Record<FileOutcome, number> | null {
    const found = this.files.outcomes();
    if (found === null) return null;
    const outcomes = { ...NO_FILES, ...found };
    const isDue = performance.now() - this.recordedAt >= this.watch.renewal;
    return isDue || !isDeepStrictEqual(outcomes, this.recorded) ? outcomes : null;
  }

  /** Has all files read again if the database file was replaced. */
  private checkDatabase(): void {
    const identity = identityOf(this.watch.database);
    if (this.identity === null || identity === this.identity) return;
    this.identity = identity;
    say(
      `database "${this.watch.database}" was ${identity === null ? 'deleted' : 'replaced'}; ` +
        'reading all site logs again',
    );
    this.files.readAgain();
  }

  /** Has files read again that the database may lack. */
  private async readDoubtfulAgain(): Promise<void> {
    if (this.unreadable.length > 0) this.files.readAgain(this.unreadable.splice(0));
    // Perhaps a backup was put in place of the content.
    if (this.identity !== null && (await databaseState(this.watch.database)) !== this.state)
      this.files.readAgain();
  }
}
