import { type Reading, readInOrder } from './import-site-logs/reading-threads.js';
import { type ReadFile, readAndDerive } from './import-site-logs/read-file.js';
import type { SiteLogFile } from './import-site-logs/site-log-files.js';
import { type Finding, Findings, type SiteLog } from './site-log/site-log.js';
import { lastCredibleDay, type SaveOutcome, type SiteLogImport } from './store/logs.js';
import { StoreUnusable, type StoreWriter } from './store/store.js';

export { readStoredLog } from './import-site-logs/read-file.js';
export { findSiteLogFiles, type SiteLogFile } from './import-site-logs/site-log-files.js';

/** What happened to a file. `skipped`: it was found in a folder and is not a site log, or no longer exists. */
export type FileOutcome = Exclude<SaveOutcome['kind'], 'ambiguous' | 'withdrawn' | 'retired'> | 'rejected' | 'skipped';

/** What the summary counts the outcome of saving a log as. */
const FILE_OUTCOMES: Record<SaveOutcome['kind'], FileOutcome> = {
  saved: 'saved',
  unchanged: 'unchanged',
  older: 'older',
  withdrawn: 'older',
  retired: 'older',
  ambiguous: 'rejected',
};

/** The result for one file. */
export interface ImportedFile {
  path: string;
  outcome: FileOutcome;
  findings: Finding[];
}

/** How many files had each outcome, and how many Setups were added and invalidated. */
export type ImportSummary = Record<FileOutcome, number> & { setupsAdded: number; setupsInvalidated: number };

/** Adds findings about how a log relates to those that were imported before. */
function addRemarks(outcome: SaveOutcome, { identification, datePrepared }: SiteLog, findings: Findings): void {
  const id = identification.nineCharacterId ?? identification.fourCharacterId;
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
    findings.add(1, 'error', `several Sites have this id; the log must give nine characters: ${outcome.candidates.join(' or ')}`, id);
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
const BATCH = { files: 10, bytes: 2_000_000 };

/** A file whose findings are complete but for what saving it adds. */
interface DatedFile {
  path: string;
  findings: Findings;
  read: SiteLogImport | 'rejected' | 'skipped';
}

/** Adds when a log was imported, and a finding if that is before the log was prepared. */
function dated({ path, findings: list, read }: ReadFile, now: () => Date): DatedFile {
  const findings = new Findings(path, list);
  if (typeof read === 'string') return { path, findings, read };
  const importedAt = now();
  const { datePrepared } = read.log;
  if (datePrepared !== null && datePrepared > lastCredibleDay(importedAt)) {
    findings.add(1, 'warning', 'Date Prepared is in the future; any log without such a date wins over this one', datePrepared);
  }
  return { path, findings, read: { ...read, findings: list, importedAt } };
}

/** Reads a log that the store has kept, with the findings that the import at that time had. @throws {SiteLogRejected} */
export function readAsImported({ name, original, importedAt }: { name: string; original: Uint8Array; importedAt: Date }): SiteLogImport {
  const findings = new Findings(name);
  const { read } = dated({ path: name, read: readAndDerive(name, original, findings), findings: findings.list }, () => importedAt);
  return read as SiteLogImport;
}

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

/**
 * Imports site logs in order, several in each transaction, and records that as the last import. A rejected log does not
 * stop the others.
 * @param now the clock for record times
 * @param onFile called for each file, after the transaction that saved it
 * @param reading how many threads read; the result is the same for any number
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
  const finish = ({ path, findings }: DatedFile, outcome: FileOutcome): void => {
    summary[outcome]++;
    onFile({ path, outcome, findings: findings.list });
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
        finish(file, file.read);
        continue;
      }
      const outcome = outcomes.shift()!;
      if (outcome instanceof Error) {
        file.findings.add(1, 'error', `cannot be saved: ${outcome.message}`);
        finish(file, 'rejected');
        continue;
      }
      addRemarks(outcome, file.read.log, file.findings);
      if (outcome.kind === 'saved') {
        summary.setupsAdded += outcome.added;
        summary.setupsInvalidated += outcome.invalidated;
      }
      finish(file, FILE_OUTCOMES[outcome.kind]);
    }
  };
  let batch: ReadFile[] = [];
  let bytes = 0;
  for await (const next of readInOrder(files, reading)) {
    batch.push(next);
    // What need not be saved does not wait for the rest of the batch.
    if (batch.every(({ read }) => typeof read === 'string')) await save(batch.splice(0));
    if (typeof next.read !== 'string') bytes += next.read.original.length;
    if (batch.length < BATCH.files && bytes < BATCH.bytes) continue;
    await save(batch);
    [batch, bytes] = [[], 0];
  }
  await save(batch);
  const { saved, unchanged, older: outdated, rejected, skipped } = summary;
  const finishedAt = `${now().toISOString().slice(0, 19)}Z`;
  await store.saveLastImport({ finishedAt, saved, unchanged, outdated, rejected, skipped });
  return summary;
}
