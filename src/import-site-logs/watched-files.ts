import { stat } from 'node:fs/promises';
import { FolderEvents } from './folder-events.js';
import { findSiteLogFiles, type SiteLogFile, stampOf } from './site-log-files.js';

/** How long a file must have stayed the same before it is imported, in milliseconds. */
const SETTLED = 3000;
/** How many files are remembered that were read and are gone. */
const MOST_GONE = 50_000;

/** A file to import. */
export interface DueFile extends SiteLogFile {
  /** Whether this content was read before by this process. */
  again: boolean;
}

/** What is known of a file. */
interface Known {
  stamp: string;
  /** Since when it has had this stamp, on the clock of `performance.now()`. */
  since: number;
  /** `new`: not read yet. `done`: read. `again`: read, but to be read once more. */
  state: 'new' | 'done' | 'again';
}

/** A path as the key of a file: in bytes if it is not UTF-8. */
const keyOf = ({ path, bytes }: SiteLogFile): string => (bytes === undefined ? path : `\0${Buffer.from(bytes).toString('latin1')}`);

/** The stamp of a file or the list of a folder; the code of the error if there is none. */
const stampAt = (path: string): Promise<string> => stat(path).then(stampOf, (error: NodeJS.ErrnoException) => error.code ?? error.message);

/**
 * The files in some folders, and which of them are to be imported. What is there is found by searching the folders; events
 * of the file system only say when. So lost events, network file systems, and folders that come and go need nothing more.
 */
export class WatchedFiles {
  private readonly known = new Map<string, Known>();
  private readonly missing = new Set<string>();
  private readonly events: FolderEvents;
  private changed = true;
  private stamps = '';

  /**
   * @param paths files and folders
   * @param say called with a line for the operator
   */
  constructor(
    private readonly paths: string[],
    private readonly say: (line: string) => void,
  ) {
    const failures = new Set<string | undefined>();
    this.events = new FolderEvents(
      () => (this.changed = true),
      (folder, { code }) => {
        if (!failures.has(code)) say(`cannot watch "${folder}" (${code}); it is searched at intervals`);
        failures.add(code);
      },
    );
  }

  /** Whether a search could find something: after an event, while files settle, or if one of the paths comes or goes. */
  async mayHaveChanged(): Promise<boolean> {
    const stamps = (await Promise.all(this.paths.map(stampAt))).join('\n');
    if (stamps !== this.stamps) this.changed = true;
    this.stamps = stamps;
    return this.changed || [...this.known.values()].some(({ state }) => state !== 'done');
  }

  /** Searches the folders for the files that are to be imported: those that are new or changed, and have settled. */
  async search(): Promise<DueFile[]> {
    this.changed = false;
    const found = new Map<string, SiteLogFile>();
    for (const path of this.paths) {
      try {
        for (const file of await findSiteLogFiles([path], (folder) => this.events.watch(folder))) found.set(keyOf(file), file);
        if (this.missing.delete(path)) this.say(`"${path}" is back`);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (!this.missing.has(path)) this.say(`cannot read "${path}" (${code ?? message}); waiting for it`);
        this.missing.add(path);
      }
    }
    this.events.sweep();
    this.forgetGone(found);
    return [...found].flatMap(([key, file]) => this.dueOf(key, file));
  }

  /** Marks a file as read. */
  markDone(file: SiteLogFile): void {
    const known = this.known.get(keyOf(file));
    if (known !== undefined) known.state = 'done';
  }

  /** Has files read again; by default all that were read. */
  readAgain(files?: SiteLogFile[]): void {
    for (const known of files?.map((file) => this.known.get(keyOf(file))) ?? this.known.values()) {
      if (known?.state === 'done') known.state = 'again';
    }
  }

  /** Stops watching. */
  close(): void {
    this.events.close();
  }

  private dueOf(key: string, file: SiteLogFile): DueFile[] {
    const now = performance.now();
    const stamp = file.stamp ?? `${file.unreadable?.code}`;
    let known = this.known.get(key);
    if (known?.stamp !== stamp) {
      known = { stamp, since: now, state: 'new' };
      this.known.set(key, known);
    }
    if (known.state === 'done' || now - known.since < SETTLED) return [];
    return [{ ...file, ...(file.stamp === undefined ? {} : { expected: file.stamp }), again: known.state === 'again' }];
  }

  /** Files that are gone and were read may come back as they were, with the file system that has them. */
  private forgetGone(found: Map<string, SiteLogFile>): void {
    const gone = [...this.known].filter(([key]) => !found.has(key));
    for (const [key, { state }] of gone) if (state !== 'done' || gone.length > MOST_GONE) this.known.delete(key);
  }
}
