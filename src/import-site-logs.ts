import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { basename, normalize, sep } from 'node:path';
import { deriveRecord } from './derive/record.js';
import { LARGEST_FILE, readSiteLog } from './site-log/read.js';
import { type Finding, Findings, reject, type SiteLog, SiteLogRejected } from './site-log/site-log.js';
import type { ReadAgain } from './store/corrections.js';
import { lastCredibleDay, type SaveOutcome, type SiteLogImport } from './store/logs.js';
import type { StoreWriter } from './store/store.js';

/** A file that may be a site log. */
export interface SiteLogFile {
  path: string;
  /** Whether the user named this file, rather than its folder. A named file that is not a site log is an error. */
  named: boolean;
  /** The path in bytes, if it is not UTF-8; `path` then shows a replacement character. */
  bytes?: Buffer;
  /** Why it cannot be read, if the search found that out. */
  unreadable?: NodeJS.ErrnoException;
}

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

/** How many levels below a named folder are searched. */
const DEEPEST_FOLDER = 20;

/**
 * Finds the files to read; those of a folder are sorted by name. In folders, symbolic links are skipped, so that nothing
 * outside is read, and so are names that begin with a dot. What cannot be read inside a folder is returned as such.
 * @param paths files and folders
 * @throws {Error} if one of the paths does not exist or cannot be read
 */
export async function findSiteLogFiles(paths: string[]): Promise<SiteLogFile[]> {
  const files: SiteLogFile[] = [];
  const enter = async (folder: Buffer, depth: number): Promise<void> => {
    // As bytes, because a name that is not UTF-8 would lead to no file.
    const names = (await readdir(folder, { encoding: 'buffer' })).sort((a, b) => a.compare(b));
    for (const name of names) {
      if (name.toString().startsWith('.')) continue;
      const bytes = Buffer.concat([folder, Buffer.from(sep), name]);
      const path = normalize(bytes.toString());
      const file: SiteLogFile = { path, named: false, ...(Buffer.from(bytes.toString()).equals(bytes) ? {} : { bytes }) };
      try {
        const entry = await lstat(bytes);
        if (entry.isFile()) files.push(file);
        else if (entry.isDirectory() && depth < DEEPEST_FOLDER) await enter(bytes, depth + 1);
      } catch (error) {
        files.push({ ...file, unreadable: error as NodeJS.ErrnoException });
      }
    }
  };
  for (const path of paths) {
    if ((await stat(path)).isDirectory()) await enter(Buffer.from(path), 0);
    else files.push({ path, named: true });
  }
  return files;
}

async function readBytes({ path, bytes, unreadable }: SiteLogFile, findings: Findings): Promise<Uint8Array> {
  if (unreadable !== undefined) throw unreadable;
  if (bytes !== undefined) findings.add(1, 'warning', 'the path is not UTF-8; shown with replacement characters');
  const entry = await stat(bytes ?? path);
  if (!entry.isFile()) reject(findings, 1, 'not a regular file', '', false);
  if (entry.size > LARGEST_FILE) reject(findings, 1, `${entry.size} bytes; expected a site log of at most ${LARGEST_FILE}`, '', false);
  return readFile(bytes ?? path);
}

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

/** A file that was read, and what the store is to save of it, or why nothing. */
interface ReadFile {
  path: string;
  findings: Findings;
  read: SiteLogImport | 'rejected' | 'skipped';
}

/**
 * Imports site logs in order, several in each transaction. A rejected log does not stop the others.
 * @param now the clock for record times
 * @param onFile called for each file, after the transaction that saved it
 * @throws {StoreUnusable} if the store fails; logs that `onFile` was called for stay saved
 */
export async function importSiteLogs(
  files: SiteLogFile[],
  store: StoreWriter,
  now: () => Date,
  onFile: (file: ImportedFile) => void,
): Promise<ImportSummary> {
  const summary: ImportSummary = { saved: 0, unchanged: 0, older: 0, rejected: 0, skipped: 0, setupsAdded: 0, setupsInvalidated: 0 };
  const finish = ({ path, findings }: ReadFile, outcome: FileOutcome): void => {
    summary[outcome]++;
    onFile({ path, outcome, findings: findings.list });
  };
  const save = async (batch: ReadFile[]): Promise<void> => {
    const siteLogs = batch.flatMap(({ read }) => (typeof read === 'string' ? [] : [read]));
    const outcomes = siteLogs.length === 0 ? [] : await store.saveSiteLogs(siteLogs);
    for (const file of batch) {
      if (typeof file.read === 'string') {
        finish(file, file.read);
        continue;
      }
      const outcome = outcomes.shift()!;
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
  for (const file of files) {
    const next = await readFileOf(file, now);
    if (batch.length === 0 && typeof next.read === 'string') {
      finish(next, next.read);
      continue;
    }
    batch.push(next);
    if (typeof next.read !== 'string') bytes += next.read.original.length;
    if (batch.length < BATCH.files && bytes < BATCH.bytes) continue;
    await save(batch);
    [batch, bytes] = [[], 0];
  }
  await save(batch);
  return summary;
}

async function readFileOf(file: SiteLogFile, now: () => Date): Promise<ReadFile> {
  const { path, named } = file;
  const findings = new Findings(path);
  try {
    const read = readAndDerive(basename(path), await readBytes(file, findings), findings);
    const { datePrepared } = read.log;
    const importedAt = now();
    if (datePrepared !== null && datePrepared > lastCredibleDay(importedAt)) {
      findings.add(1, 'warning', 'Date Prepared is in the future; any log without such a date wins over this one', datePrepared);
    }
    return { path, findings, read: { ...read, importedAt } };
  } catch (error) {
    return { path, findings, read: whyNotRead(error as Error, named, findings) };
  }
}

/** Adds a finding that says why a file could not be read. @param named whether the user named this file */
function whyNotRead(error: NodeJS.ErrnoException, named: boolean, findings: Findings): 'rejected' | 'skipped' {
  if (error instanceof SiteLogRejected) {
    if (error.recognised || named) return 'rejected';
    findings.list.forEach((finding) => (finding.level = finding.level === 'error' ? 'info' : finding.level));
    return 'skipped';
  }
  // A program that writes files beside the import may remove or rename them meanwhile.
  if (error.code === 'ENOENT' && !named) {
    findings.add(1, 'warning', 'no longer exists; skipped');
    return 'skipped';
  }
  findings.add(1, 'error', `cannot be read: ${error.message}`);
  return 'rejected';
}

/** Reads a log and derives what follows from it. @throws {SiteLogRejected} */
function readAndDerive(name: string, original: Uint8Array, findings: Findings): Omit<SiteLogImport, 'importedAt'> {
  const log = readSiteLog(original, findings);
  return { name, original, log, ...deriveRecord(log, findings), findings: findings.list };
}

/** Reads a log that the store has kept, as an import would. */
export const readStoredLog: ReadAgain = ({ name, original }) => readAndDerive(name, original, new Findings(name));
