import { setImmediate } from 'node:timers/promises';
import type { LastImport } from '../schemas/index.js';
import { siteIdText } from './requests/site-id.js';
import { instantAt } from './requests/units-of-time.js';
import { checkAgainstClock } from './check/check-log.js';
import { groupByStation, MOST_TOGETHER } from './import-site-logs/by-station.js';
import { type ImportOptions, readInOrder } from './import-site-logs/reading-threads.js';
import { type DerivedLog, type ReadFile, readAndDerive } from './import-site-logs/read-file.js';
import type { SiteLogFile } from './import-site-logs/site-log-files.js';
import { type Finding, Findings } from './findings/findings.js';
import type { SiteLog } from './site-log/site-log.js';
import type { SaveOutcome, SiteLogImport } from './store/save/site-log-import.js';
import type { CurrentLog } from './store/read/logs/logs.js';
import type { StoreWriter } from './store/save/writer.js';
import { StoreUnusable } from './store/store.js';
import type { WriterOptions } from './store/database.js';
import { openWriter } from './store/open.js';
import type { ImportAgain } from './store/save/corrections.js';

export { readFile, readStoredLog } from './import-site-logs/read-file.js';
export {
  type FileError,
  findSiteLogFiles,
  searchForSiteLogs,
  type SiteLogFile,
} from './import-site-logs/site-log-files.js';
export { isBelow, rejectedFileOf } from './import-site-logs/rejected-files.js';
export { WatchedFiles } from './import-site-logs/watched-files.js';

/**
 * What happened to a file. `skipped`: it was found in a folder and is not a site log, or no longer
 * exists.
 */
export type FileOutcome = 'saved' | 'unchanged' | 'older' | 'rejected' | 'skipped';

/** The result for one file. */
export interface ImportedFile {
  path: string;
  outcome: FileOutcome;
  findings: Finding[];
  /**
   * Whether this is news to the database: the log changed something, was kept, or was rejected, for
   * the first time.
   */
  isNew: boolean;
  /** The id of the Site in the log; null if it was not read. */
  site: string | null;
  /** How many Setups the log added and superseded. */
  setups: { added: number; superseded: number };
  /** The SHA-256 of the content, if that is why the file was rejected. */
  rejectedContent: string | null;
  /** The log of the Site that this one replaces; null if it replaces none. */
  replaces: CurrentLog | null;
  /** The Site from whose current log the position is too far, if it is. */
  farFrom: string | null;
}

/** How many files had each outcome, and how many Setups were added and invalidated. */
export type ImportSummary = Record<FileOutcome, number> & {
  setupsAdded: number;
  setupsInvalidated: number;
};

/** The id of the Site that a log gives. */
export const siteOf = ({ identification }: SiteLog): string => siteIdText(identification);

/** The place of findings about how a log relates to those imported before. */
const WHOLE_LOG = { line: 1 };

type OutcomeOf<Kind extends SaveOutcome['kind']> = Extract<SaveOutcome, { kind: Kind }>;

function olderResult(
  { current, because, isNew }: OutcomeOf<'older'>,
  { datePrepared }: SiteLog,
  findings: Findings,
): Partial<ImportedFile> {
  const other = { other: current.name, otherDay: current.datePrepared };
  findings.add('older-log', WHOLE_LOG, { because, ...other, text: datePrepared ?? '' });
  return { outcome: 'older', isNew };
}

function savedResult(
  { replaces, renamedTo, sharedWith, sameStation, added, invalidated }: OutcomeOf<'saved'>,
  log: SiteLog,
  findings: Findings,
): Partial<ImportedFile> {
  const id = siteOf(log);
  const { datePrepared } = log;
  if (replaces !== null && replaces.datePrepared === datePrepared) {
    const values = { other: replaces.name, text: datePrepared ?? '' };
    findings.add('same-day-log', WHOLE_LOG, values);
  }
  if (renamedTo !== null) findings.add('renamed-site', WHOLE_LOG, { site: renamedTo, text: id });
  if (sameStation !== null)
    findings.add('same-station', WHOLE_LOG, { site: sameStation.id, siteId: sameStation.number });
  if (sharedWith.length > 0) findings.add('shared-id', WHOLE_LOG, { others: sharedWith, text: id });
  return {
    outcome: 'saved',
    isNew: true,
    site: renamedTo ?? id,
    replaces,
    setups: { added, superseded: invalidated },
  };
}

/** The result for a file after its log was saved. Adds findings about how it relates to others. */
function resultOf(
  outcome: SaveOutcome | Error,
  { log, sha256 }: DerivedLog,
  findings: Findings,
): Partial<ImportedFile> {
  const id = siteOf(log);
  if (outcome instanceof Error) {
    findings.add('cannot-be-saved', WHOLE_LOG, { reason: outcome.message });
    return { outcome: 'rejected', rejectedContent: sha256 };
  }
  if (outcome.far !== undefined && outcome.far.proof !== null) {
    const { proof, ...places } = outcome.far;
    findings.add('moved-station', WHOLE_LOG, { ...places, proof, text: id });
  }
  switch (outcome.kind) {
    case 'unchanged':
      return { outcome: 'unchanged' };
    case 'older':
      return olderResult(outcome, log, findings);
    case 'withdrawn':
      findings.add('withdrawn-log', WHOLE_LOG, { since: outcome.since });
      return { outcome: 'older', isNew: outcome.isNew };
    case 'retired':
      findings.add('retired-site', WHOLE_LOG, { since: outcome.since, text: id });
      return { outcome: 'older', isNew: outcome.isNew };
    case 'ambiguous': {
      const { candidates } = outcome;
      const values = { candidates, needsNine: id.length === 4, text: id };
      findings.add('ambiguous-id', WHOLE_LOG, values);
      return { outcome: 'rejected', rejectedContent: sha256 };
    }
    case 'another-station': {
      const { proof: _, ...places } = outcome.far;
      findings.add('another-station', WHOLE_LOG, { ...places, text: id });
      return { outcome: 'rejected', rejectedContent: sha256 };
    }
    case 'saved':
      return savedResult(outcome, log, findings);
  }
}

/**
 * How many logs one transaction saves at most, and of how many bytes. The commit of each costs as
 * much as the log.
 */
const BATCH = { files: 20, bytes: 2_000_000 };

/** Adds when a log was imported, and a finding if that is before the log was prepared. */
function dated(read: DerivedLog, importedAt: Date, findings: Findings): SiteLogImport {
  checkAgainstClock(read.log, importedAt, findings);
  return { ...read, findings: findings.list, importedAt };
}

/** Reads a stored log, with the findings of its import at the time. @throws {SiteLogRejected} */
export const readAsImported: ImportAgain = ({ name, original, importedAt }) => {
  const findings = new Findings(name);
  return dated(readAndDerive(name, original, findings), importedAt, findings);
};

/**
 * Opens a database for importing and correcting, as {@link openWriter}. If it was migrated, its
 * logs are read again first.
 * @throws {StoreUnusable}
 */
export async function openUpToDate(
  database: string,
  options: WriterOptions = {},
): Promise<StoreWriter> {
  const store = await openWriter(database, options);
  try {
    await store.readLogsAgain(readAsImported);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A file with a log to save. */
interface FileToSave extends DerivedLog {
  file: ReadFile;
}

/**
 * Saves logs together. If that fails because of one of them, it saves each by itself, and returns
 * the error of that one.
 * @param now the clock for record times
 * @param date adds the record time to a log
 */
async function saveEach(
  siteLogs: FileToSave[],
  store: StoreWriter,
  now: () => Date,
  date: (siteLog: FileToSave, recordedAt: Date) => SiteLogImport,
): Promise<(SaveOutcome | Error)[]> {
  try {
    return siteLogs.length === 0 ? [] : await store.saveSiteLogs(siteLogs, now, date);
  } catch (error) {
    if (error instanceof StoreUnusable) throw error;
    if (siteLogs.length === 1) return [error as Error];
  }
  const outcomes: (SaveOutcome | Error)[] = [];
  for (const siteLog of siteLogs) outcomes.push(...(await saveEach([siteLog], store, now, date)));
  return outcomes;
}

/** After how many files each group ends. */
function lastFiles(groups: readonly SiteLogFile[][]): Set<number> {
  let files = 0;
  return new Set(groups.map(({ length }) => (files += length)));
}

/** The record of an import that ends now. */
export function lastImportOf(
  { saved, unchanged, older: outdated, rejected, skipped }: Record<FileOutcome, number>,
  now: Date,
): LastImport {
  return {
    finishedAt: instantAt(now),
    saved,
    unchanged,
    outdated,
    rejected,
    skipped,
  };
}

/** One import: what has become of its files so far. */
class Import {
  readonly summary: ImportSummary = {
    saved: 0,
    unchanged: 0,
    older: 0,
    rejected: 0,
    skipped: 0,
    setupsAdded: 0,
    setupsInvalidated: 0,
  };

  /** The findings of logs that were dated for the transaction that saves them. */
  private readonly datedFindings = new Map<ReadFile, Finding[]>();

  constructor(
    private readonly store: StoreWriter,
    private readonly now: () => Date,
    private readonly onFile: (file: ImportedFile) => void,
  ) {}

  /** Saves the logs among some files together, and reports all of the files. */
  async save(batch: readonly ReadFile[]): Promise<void> {
    const logs = batch.flatMap((file) =>
      typeof file.read === 'string' ? [] : [{ ...file.read, file }],
    );
    const outcomes = await saveEach(logs, this.store, this.now, (siteLog, recordedAt) =>
      this.date(siteLog, recordedAt),
    );
    for (const file of batch)
      await this.report(file, typeof file.read === 'string' ? undefined : outcomes.shift());
  }

  private date({ file, ...read }: FileToSave, recordedAt: Date): SiteLogImport {
    // A transaction that failed may have dated the log before.
    const findings = new Findings(file.path, [...file.findings]);
    const siteLog = dated(read, recordedAt, findings);
    this.datedFindings.set(file, siteLog.findings);
    return siteLog;
  }

  /** Counts a file and reports it. @param saved left out if there was no log to save */
  private async report(readFile: ReadFile, saved?: SaveOutcome | Error): Promise<void> {
    const file = this.resultFor(readFile, saved);
    if (file.outcome === 'rejected')
      file.isNew =
        file.rejectedContent === null || !(await this.store.wasRejected(file.rejectedContent));
    this.summary[file.outcome]++;
    this.summary.setupsAdded += file.setups.added;
    this.summary.setupsInvalidated += file.setups.superseded;
    this.onFile(file);
  }

  private resultFor(readFile: ReadFile, saved?: SaveOutcome | Error): ImportedFile {
    const { path, read, rejectedContent } = readFile;
    const findings = this.datedFindings.get(readFile) ?? readFile.findings;
    this.datedFindings.delete(readFile);
    const file: ImportedFile = {
      path,
      outcome: 'rejected',
      findings,
      isNew: false,
      site: null,
      setups: { added: 0, superseded: 0 },
      rejectedContent: rejectedContent ?? null,
      replaces: null,
      farFrom: null,
    };
    if (typeof read === 'string') return { ...file, outcome: read };
    const all = new Findings(path, findings);
    const result = resultOf(saved!, read, all);
    const farFrom = (!(saved instanceof Error) && saved!.far?.site) || null;
    return { ...file, findings: all.list, site: siteOf(read.log), ...result, farFrom };
  }
}

/**
 * Imports site logs, several in each transaction, and records the last import, unless there are no
 * files. Files whose logs give the same four characters are imported together, at the place of the
 * first. A rejected log does not stop the others.
 * @param now the clock for record times
 * @param onFile called for each file, after the transaction that saved it, with the file as given
 * @param options the result is the same for any number of threads
 * @throws {StoreUnusable} if the store fails; logs that `onFile` was called for stay saved
 */
export async function importSiteLogs(
  files: SiteLogFile[],
  store: StoreWriter,
  now: () => Date,
  onFile: (file: ImportedFile, given: SiteLogFile) => void,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  const groups = groupByStation(files);
  const inOrder = groups.flat();
  let reported = 0;
  const current = new Import(store, now, (file) => onFile(file, inOrder[reported++]!));
  const ends = lastFiles(groups);
  let batch: ReadFile[] = [];
  let bytes = 0;
  let read = 0;
  for await (const next of readInOrder(inOrder, options)) {
    batch.push(next);
    read++;
    // What need not be saved does not wait for the rest of the batch.
    if (batch.every(({ read }) => typeof read === 'string')) await current.save(batch.splice(0));
    if (typeof next.read !== 'string') bytes += next.read.original.length;
    const isFull = batch.length >= BATCH.files || bytes >= BATCH.bytes;
    const isEnd = ends.has(read);
    if (isFull && (isEnd || batch.length >= MOST_TOGETHER + BATCH.files)) {
      await current.save(batch);
      batch = [];
      bytes = 0;
    }
    if (options.signal === undefined) continue;
    // A signal can only arrive between two turns of the event loop.
    await setImmediate();
    if (options.signal.aborted && isEnd) break;
  }
  await current.save(batch);
  // A cron job may run before the first log arrives.
  if (files.length > 0 && options.recordImport !== false)
    await store.saveLastImport(lastImportOf(current.summary, now()));
  return current.summary;
}
