import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { FolderEvents } from './folder-events.js';
import { isBelow } from './rejected-files.js';
import { searchForSiteLogs, type SiteLogFile, stampOf } from './site-log-files.js';
import { reasonOf } from '../system-error.js';

/** How long a file must stay the same before it is imported, in milliseconds. */
const SETTLED = 3000;
/** How many files are remembered after they have disappeared. */
const MOST_GONE = 50_000;

/** What is known of a file. */
interface Known<O> {
  path: string;
  stamp: string;
  /** When it was first seen with this stamp, on the clock of `performance.now()`. */
  since: number;
  /** `new`: not read yet. `done`: read. `again`: read, but to be read once more. */
  state: 'new' | 'done' | 'again';
  /** The number of the last search that found it. */
  search: number;
  /** The outcome when it was last read; undefined if it was not. */
  outcome: O | undefined;
}

/** A path as the key of a file: in bytes if it is not UTF-8. */
const pathKey = ({ path, bytes }: SiteLogFile): string =>
  bytes === undefined ? path : `\0${Buffer.from(bytes).toString('latin1')}`;

/** The stamp of a file or folder; the error code if it cannot be read. */
const stampAt = (path: string): Promise<string> =>
  stat(path).then(stampOf, (error: NodeJS.ErrnoException) => error.code ?? error.message);

/**
 * The files in some folders, and which of them are due for import. Only searches find files; file
 * system events trigger searches. So lost events, network file systems, and folders that come and
 * go need no special treatment.
 */
export class WatchedFiles<O extends string> {
  private readonly known = new Map<string, Known<O>>();
  private readonly missing = new Set<string>();
  private readonly events: FolderEvents;
  private changed = true;
  /** The number of files in the last search that are not done. */
  private unsettled = 0;
  private searches = 0;
  /** The absolute paths that the last search found; null until they are needed. */
  private found: Set<string> | null = null;
  private stamps = '';

  /** @param paths files and folders @param say called with a line for the operator */
  constructor(
    private readonly paths: string[],
    private readonly say: (line: string) => void,
  ) {
    const failures = new Set<string | undefined>();
    this.events = new FolderEvents(
      () => (this.changed = true),
      (folder, { code }) => {
        if (!failures.has(code))
          say(`cannot watch "${folder}" (${code}); it is only searched at intervals`);
        failures.add(code);
      },
    );
  }

  /**
   * Whether a search could find something: after an event, while files settle, or if one of the
   * paths appears or disappears.
   */
  async mayHaveChanged(): Promise<boolean> {
    const stamps = (await Promise.all(this.paths.map(stampAt))).join('\n');
    if (stamps !== this.stamps) this.changed = true;
    this.stamps = stamps;
    return this.changed || this.unsettled > 0;
  }

  /** Searches the folders for files that are due: new or changed, and settled. */
  async search(): Promise<SiteLogFile[]> {
    this.changed = false;
    this.unsettled = 0;
    this.searches++;
    this.found = null;
    const due: SiteLogFile[] = [];
    const onFile = (file: SiteLogFile): void => {
      if (this.isDue(file)) due.push(file);
    };
    for (const path of this.paths) {
      try {
        await searchForSiteLogs(path, onFile, (folder) => this.events.watch(folder));
        if (this.missing.delete(path)) this.say(`"${path}" is back`);
      } catch (error) {
        if (!this.missing.has(path))
          this.say(`cannot read "${path}": ${reasonOf(error)}; waiting for it`);
        this.missing.add(path);
      }
    }
    this.events.sweep();
    this.forgetGone();
    return due;
  }

  /** Marks a file as read. Returns whether this process has read the same content before. */
  markDone(file: SiteLogFile, outcome: O): boolean {
    const known = this.known.get(pathKey(file));
    const again = known?.state === 'again';
    if (known !== undefined) Object.assign(known, { state: 'done', outcome });
    return again;
  }

  /**
   * How many files found by the last search had each outcome; null if one of the paths could not be
   * read.
   */
  outcomes(): Partial<Record<O, number>> | null {
    if (this.missing.size > 0) return null;
    const outcomes: Partial<Record<O, number>> = {};
    for (const { search, outcome } of this.known.values()) {
      if (search === this.searches && outcome !== undefined)
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    return outcomes;
  }

  /**
   * Whether the last search looked for a file, and did not find it. While one of the paths cannot
   * be read, no file is gone.
   * @param path absolute
   */
  isGone(path: string): boolean {
    if (this.missing.size > 0 || !isBelow(this.paths)(path)) return false;
    this.found ??= new Set(this.pathsFound());
    return !this.found.has(path);
  }

  /** The absolute paths that the last search found. */
  private *pathsFound(): Iterable<string> {
    for (const { search, path } of this.known.values())
      if (search === this.searches) yield resolve(path);
  }

  /** Has files read again; by default all. */
  readAgain(files?: SiteLogFile[]): void {
    for (const known of files?.map((file) => this.known.get(pathKey(file))) ??
      this.known.values()) {
      if (known?.state === 'done') known.state = 'again';
    }
    this.changed = true;
  }

  /** Stops watching. */
  close(): void {
    this.events.close();
  }

  /** Whether a file is due for import. */
  private isDue(file: SiteLogFile): boolean {
    const key = pathKey(file);
    const now = performance.now();
    const stamp = file.stamp ?? `${file.unreadable?.code}`;
    let known = this.known.get(key);
    // Two of the paths may lead to one file.
    if (known?.search === this.searches) return false;
    if (known?.stamp !== stamp) {
      known = {
        path: file.path,
        stamp,
        since: now,
        state: 'new',
        search: 0,
        outcome: known?.outcome,
      };
      this.known.set(key, known);
    }
    known.search = this.searches;
    if (known.state === 'done') return false;
    this.unsettled++;
    if (now - known.since < SETTLED) return false;
    if (file.stamp !== undefined) file.expected = file.stamp;
    return true;
  }

  /**
   * Forgets files that have disappeared, except those already read: these may come back unchanged
   * with their file system.
   */
  private forgetGone(): void {
    let gone = 0;
    for (const { search } of this.known.values()) if (search !== this.searches) gone++;
    if (gone === 0) return;
    for (const [key, { state, search }] of this.known) {
      if (search !== this.searches && (state !== 'done' || gone > MOST_GONE))
        this.known.delete(key);
    }
  }
}
