import { setImmediate } from 'node:timers/promises';
import type { LastImport } from '../schemas/index.js';
import { checkAgainstClock } from './check/check-log.js';
import { lastCredibleDay } from './derive/log-order.js';
import { type Reading, readInOrder } from './import-site-logs/reading-threads.js';
import { type ReadFile, readAndDerive } from './import-site-logs/read-file.js';
import type { SiteLogFile } from './import-site-logs/site-log-files.js';
import { type Finding, Findings, type SiteLog } from './site-log/site-log.js';
import { sha256Of } from './store/save/logs.js';
import type { SaveOutcome, SiteLogImport } from './store/save/site-log-import.js';
import type { StoreWriter } from './store/save/writer.js';
import { StoreUnusable } from './store/store.js';
import type { ImportAgain } from './store/save/corrections.js';

export { readFile, readStoredLog } from './import-site-logs/read-file.js';
export { findSiteLogFiles, type SiteLogFile } from './import-site-logs/site-log-files.js';
export { WatchedFiles } from './import-site-logs/watched-files.js';

/** What happened to a file. `skipped`: it was found in a folder and is not a site log, or no longer exists. */
export type FileOutcome = Exclude<SaveOutcome['kind'], 'ambiguous' | 'withdrawn' | 'retired'> | 'rejected' | 'skipped';

/** What the summary counts the outcome of saving a log as. */
const FILE_OUTCOMES = {
  unchanged: 'unchanged',
  older: 'older',
  withdrawn: 'older',
  retired: 'older',
} as const satisfies Partial<Record<SaveOutcome['kind'], FileOutcome>>;

/** The result for one file. */
export interface ImportedFile {
  path: string;
  outcome: FileOutcome;
  findings: Finding[];
  /** Whether this is news to the database: the log changed something, was kept, or was rejected, for the first time. */
  isNew: boolean;
  /** The id of the Site in the log; null if it was not read. */
  site: string | null;
  /** How many Setups the log added and superseded. */
  setups: { added: number; superseded: number };
  /** The SHA-256 of the content, if that is why the file was rejected. */
  rejectedContent: string | null;
}

/** How many files had each outcome, and how many Setups were added and invalidated. */
export type ImportSummary = Record<FileOutcome, number> & { setupsAdded: number; setupsInvalidated: number };

/** The id of the Site that a log gives. */
const siteOf = ({ identification }: SiteLog): string => identification.nineCharacterId ?? identification.fourCharacterId;

/** Adds findings about how a log relates to those that were imported before. */
function addRemarks(outcome: SaveOutcome, log: SiteLog, findings: Findings): void {
  const id = siteOf(log);
  const { datePrepared } = log;
  if (outcome.kind === 'older') {
    const { name, datePrepared: date } = outcome.current;
    const why = {
      date: 'is older than',
      'future date': 'is dated in the future, unlike',
      'replaced before': 'was imported before and replaced by',
    };
    const other = `${name} of ${date ?? 'an unknown date'}`;
    findings.add(1, 'warning', `kept, but changes nothing: this log ${why[outcome.because]} ${other}`, datePrepared ?? '');
  }
  if (outcome.kind === 'withdrawn') findings.add(1, 'warning', `changes nothing: this log was withdrawn at ${outcome.since}`);
  if (outcome.kind === 'retired') findings.add(1, 'warning', `kept, but changes nothing: the Site was retired at ${outcome.since}`, id);
  if (outcome.kind === 'ambiguous') {
    const remedy = id.length === 4 ? '; the log must give nine characters' : '';
    findings.add(1, 'error', `several Sites have or had this id: ${outcome.candidates.join(' or ')}${remedy}`, id);
  }
  if (outcome.kind === 'saved') {
    const { replaces, renamedTo, sharedWith } = outcome;
    if (replaces !== null && replaces.datePrepared === datePrepared) {
      findings.add(
        1,
        'info',
        `prepared on the same day as ${replaces.name}; replaces it because it was imported later`,
        datePrepared ?? '',
      );
    }
    if (renamedTo !== null) findings.add(1, 'warning', `saved for ${renamedTo}: the Site was renamed`, id);
    if (sharedWith.length > 0) {
      const others = sharedWith.join(', ');
      findings.add(1, 'warning', `another Site than ${others}; from now on, name these Sites by nine characters`, id);
    }
  }
}

/** How many logs one transaction saves at most, and of how many bytes. The commit of each costs as much as the log. */
const BATCH = { files: 20, bytes: 2_000_000 };

/** A file whose findings are complete but for what saving it adds. */
interface DatedFile {
  path: string;
  findings: Findings;
  read: SiteLogImport | 'rejected' | 'skipped';
  rejectedContent?: string;
}

/** Adds when a log was imported, and a finding if that is before the log was prepared. */
function dated({ path, findings: list, read, rejectedContent }: ReadFile, now: () => Date): DatedFile {
  const findings = new Findings(path, list);
  if (typeof read === 'string') return { path, findings, read, ...(rejectedContent === undefined ? {} : { rejectedContent }) };
  const importedAt = now();
  const { datePrepared } = read.log;
  if (datePrepared !== null && datePrepared > lastCredibleDay(importedAt)) {
    findings.add(1, 'warning', 'Date Prepared is in the future; any log without such a date wins over this one', datePrepared);
  }
  checkAgainstClock(read.log, importedAt, findings);
  return { path, findings, read: { ...read, findings: list, importedAt } };
}

/** Reads a stored log, with the findings of its import at the time. @throws {SiteLogRejected} */
export const readAsImported: ImportAgain = ({ name, original, importedAt }) => {
  const findings = new Findings(name);
  const { read } = dated({ path: name, read: readAndDerive(name, original, findings), findings: findings.list }, () => importedAt);
  return read as SiteLogImport;
};

/** Saves logs together. If that fails because of one of them, it saves each by itself, and returns the error of that one. */
async function saveEach(siteLogs: SiteLogImport[], store: StoreWriter): Promise<(SaveOutcome | Error)[]> {
  try {
    return siteLogs.length === 0 ? [] : await store.saveSiteLogs(siteLogs);
  } catch (error) {
    if (error instanceof StoreUnusable) throw error;
    if (siteLogs.length === 1) return [error as Error];
  }
  const outcomes: (SaveOutcome | Error)[] = [];
  for (const siteLog of siteLogs) outcomes.push(...(await saveEach([siteLog], store)));
  return outcomes;
}

/** The record of an import that ends now. */
export function lastImportOf({ saved, unchanged, older: outdated, rejected, skipped }: Record<FileOutcome, number>, now: Date): LastImport {
  return { finishedAt: `${now.toISOString().slice(0, 19)}Z`, saved, unchanged, outdated, rejected, skipped };
}

/**
 * Imports site logs in order, several in each transaction, and records the last import, unless there are no files. A
 * rejected log does not stop the others.
 * @param now the clock for record times
 * @param onFile called for each file, after the transaction that saved it
 * @param reading how many threads read; the result is the same for any number; and when to stop
 * @throws {StoreUnusable} if the store fails; logs that `onFile` was called for stay saved
 */
export async function importSiteLogs(
  files: SiteLogFile[],
  store: StoreWriter,
  now: () => Date,
  onFile: (file: ImportedFile) => void,
  reading: Reading = {},
): Promise<ImportSummary> {
  const summary: ImportSummary = { saved: 0, unchanged: 0, older: 0, rejected: 0, skipped: 0, setupsAdded: 0, setupsInvalidated: 0 };
  const finish = ({ path, findings }: DatedFile, outcome: FileOutcome, more: Partial<ImportedFile> = {}): void => {
    summary[outcome]++;
    const setups = { added: 0, superseded: 0 };
    onFile({ path, outcome, findings: findings.list, isNew: false, site: null, setups, rejectedContent: null, ...more });
  };
  const reject = async (file: DatedFile, site: string | null, rejectedContent: string | null): Promise<void> => {
    const isNew = rejectedContent === null || !(await store.wasRejected(rejectedContent));
    finish(file, 'rejected', { site, isNew, rejectedContent });
  };
  const save = async (read: ReadFile[]): Promise<void> => {
    // Only now, so that a log is on record at its record time as soon as possible.
    const batch = read.map((each) => dated(each, now));
    const outcomes = await saveEach(
      batch.flatMap(({ read }) => (typeof read === 'string' ? [] : [read])),
      store,
    );
    for (const file of batch) {
      if (typeof file.read === 'string') {
        if (file.read === 'rejected') await reject(file, null, file.rejectedContent ?? null);
        else finish(file, file.read);
        continue;
      }
      const { log, original } = file.read;
      const site = siteOf(log);
      const outcome = outcomes.shift()!;
      if (outcome instanceof Error) {
        file.findings.add(1, 'error', `cannot be saved: ${outcome.message}`);
        await reject(file, site, sha256Of(original));
        continue;
      }
      addRemarks(outcome, log, file.findings);
      if (outcome.kind === 'ambiguous') {
        await reject(file, site, sha256Of(original));
      } else if (outcome.kind === 'saved') {
        const { added, invalidated: superseded } = outcome;
        summary.setupsAdded += added;
        summary.setupsInvalidated += superseded;
        finish(file, 'saved', { site: outcome.renamedTo ?? site, isNew: true, setups: { added, superseded } });
      } else {
        finish(file, FILE_OUTCOMES[outcome.kind], { site, isNew: outcome.kind !== 'unchanged' && outcome.isNew });
      }
    }
  };
  let batch: ReadFile[] = [];
  let bytes = 0;
  for await (const next of readInOrder(files, reading)) {
    batch.push(next);
    // What need not be saved does not wait for the rest of the batch.
    if (batch.every(({ read }) => typeof read === 'string')) await save(batch.splice(0));
    if (typeof next.read !== 'string') bytes += next.read.original.length;
    if (batch.length >= BATCH.files || bytes >= BATCH.bytes) {
      await save(batch);
      [batch, bytes] = [[], 0];
    }
    if (reading.signal === undefined) continue;
    // A signal can only arrive between two turns of the event loop.
    await setImmediate();
    if (reading.signal.aborted) break;
  }
  await save(batch);
  // The start of the packaged service imports an empty folder, to create the database or bring it up to date.
  if (files.length > 0 && reading.recordImport !== false) await store.saveLastImport(lastImportOf(summary, now()));
  return summary;
}
