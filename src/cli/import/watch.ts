import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type ImportedFile, importSiteLogs, type SiteLogFile, WatchedFiles } from '../../import-site-logs.js';
import { openWriter } from '../../store/sqlite/open.js';
import { StoreUnusable } from '../../store/store.js';
import { inodeOf, say } from './output.js';

/** How often to check whether there is something to do, in milliseconds. */
const PAUSE = 1000;
/** How many times as long as the last search to wait before the next, so that slow searches do not fill the time. */
const PAUSE_PER_SEARCH = 4;
/** How long to wait if the database cannot be used, in milliseconds. */
const RETRY = 5000;

/** How a folder is watched. */
export interface Watch {
  paths: string[];
  database: string;
  jobs: number;
  /** How often all folders are searched, in milliseconds, even without a file system event. */
  rescan: number;
  /** Called for each file that was read. @param again whether this process has read the same content before */
  onFile: (file: ImportedFile, again: boolean) => void;
}

/** What changes if another process writes to the database or replaces it. */
function stateOf(file: string): string {
  const entry = statSync(file, { throwIfNoEntry: false });
  return entry === undefined ? 'missing' : [entry.dev, entry.ino, entry.size, entry.mtimeMs].join();
}

/** Imports all files in some folders, and then new and changed ones. */
export class FolderWatch {
  private readonly files: WatchedFiles;
  /** Files that could not be read. */
  private readonly unreadable: SiteLogFile[] = [];
  /** Why the database could not be used; empty if it could. */
  private failure = '';
  /** Identifies the database file; null if there was none. */
  private inode: string | null = null;
  /** The state of the database after the last import. */
  private state = '';

  constructor(private readonly watch: Watch) {
    this.files = new WatchedFiles(watch.paths, say);
  }

  /** Runs until `signal` is aborted, and then finishes the logs in progress. */
  async run(signal: AbortSignal): Promise<void> {
    let rescannedAt = -Infinity;
    let pause = 0;
    while (!signal.aborted) {
      this.checkDatabase();
      const began = performance.now();
      const rescan = began - rescannedAt >= this.watch.rescan;
      if (rescan) this.readDoubtfulAgain();
      pause = PAUSE;
      if ((await this.files.mayHaveChanged()) || rescan) {
        const due = await this.files.search();
        const ended = performance.now();
        if (rescan) rescannedAt = ended;
        pause = Math.max(PAUSE, (ended - began) * PAUSE_PER_SEARCH);
        if (!(await this.import(due, signal))) pause = RETRY;
      }
      await setTimeout(pause, undefined, { signal }).catch(() => undefined);
    }
    this.files.close();
  }

  /** Imports files. Returns whether the database could be used; if not, the rest of the files is due again. */
  private async import(due: SiteLogFile[], signal: AbortSignal): Promise<boolean> {
    // Runs once even without files, so that the database is created, or the reason why it cannot be used is shown.
    if (due.length === 0 && this.inode !== null) return true;
    const { database, jobs, onFile } = this.watch;
    const rejected: string[] = [];
    let next = 0;
    try {
      const store = openWriter(database);
      this.inode ??= inodeOf(database);
      try {
        const onNext = (imported: ImportedFile): void => {
          const file = due[next++]!;
          const again = this.files.markDone(file);
          if (imported.rejectedContent !== null) rejected.push(imported.rejectedContent);
          else if (imported.outcome === 'rejected') this.unreadable.push(file);
          onFile(imported, again);
        };
        await importSiteLogs(due, store, () => new Date(), onNext, { jobs, signal });
        await store.rememberRejected(rejected, new Date());
      } finally {
        await store.close();
      }
      this.failure = '';
    } catch (error) {
      if (!(error instanceof StoreUnusable)) throw error;
      if (error.message !== this.failure) say(`${error.message} (trying again every ${RETRY / 1000} seconds)`);
      this.failure = error.message;
    }
    this.state = stateOf(database);
    return this.failure === '';
  }

  /** Has all files read again if the database file was replaced. */
  private checkDatabase(): void {
    const inode = inodeOf(this.watch.database);
    if (this.inode === null || inode === this.inode) return;
    this.inode = inode;
    say(`database "${this.watch.database}" was ${inode === null ? 'deleted' : 'replaced'}; reading all site logs again`);
    this.files.readAgain();
  }

  /** Has files read again that the database may lack. */
  private readDoubtfulAgain(): void {
    if (this.unreadable.length > 0) this.files.readAgain(this.unreadable.splice(0));
    // Perhaps a backup was copied over the database.
    if (this.inode !== null && stateOf(this.watch.database) !== this.state) this.files.readAgain();
  }
}
