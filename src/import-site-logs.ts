import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { basename, normalize, sep } from 'node:path';
import { deriveChanges } from './derive/changes.js';
import { deriveDevices } from './derive/devices.js';
import { deriveSetups } from './derive/setups.js';
import { deriveSummary } from './derive/summary.js';
import { LARGEST_FILE, readSiteLog } from './site-log/read.js';
import { type Finding, Findings, reject, SiteLogRejected } from './site-log/site-log.js';
import type { SaveOutcome } from './store/logs.js';
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
export type FileOutcome = SaveOutcome['kind'] | 'rejected' | 'skipped';

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
function addRemarks(outcome: SaveOutcome, nineCharacterId: string | null, datePrepared: string | null, findings: Findings): void {
  if (outcome.kind === 'older') {
    const { name, datePrepared: date } = outcome.current;
    const why = outcome.seenBefore ? 'was imported before and replaced by' : 'is older than';
    findings.add(1, 'warning', `changes nothing: this log ${why} ${name} of ${date ?? 'an unknown date'}`, datePrepared ?? '');
  }
  if (outcome.kind === 'saved') {
    const { replaces, previousNineCharacterId: previous } = outcome;
    if (replaces !== null && replaces.datePrepared === datePrepared) {
      findings.add(
        1,
        'info',
        `prepared on the same day as ${replaces.name}; replaces it because it was imported later`,
        datePrepared ?? '',
      );
    }
    if (previous !== null && nineCharacterId !== null && previous !== nineCharacterId) {
      findings.add(1, 'warning', `the Site was ${previous} before; expected one station per four-character id`, nineCharacterId);
    }
  }
}

/**
 * Imports site logs one by one, each in its own transaction. A rejected log does not stop the others.
 * @param now the clock for record times
 * @param onFile called after each file
 * @throws {StoreUnusable} if the store fails; logs that were saved before stay saved
 */
export async function importSiteLogs(
  files: SiteLogFile[],
  store: StoreWriter,
  now: () => Date,
  onFile: (file: ImportedFile) => void,
): Promise<ImportSummary> {
  const summary: ImportSummary = { saved: 0, unchanged: 0, older: 0, rejected: 0, skipped: 0, setupsAdded: 0, setupsInvalidated: 0 };
  for (const file of files) {
    const { path } = file;
    const findings = new Findings(path);
    const result = await importOne(file, findings, store, now);
    if (typeof result !== 'string' && result.kind === 'saved') {
      summary.setupsAdded += result.added;
      summary.setupsInvalidated += result.invalidated;
    }
    const outcome = typeof result === 'string' ? result : result.kind;
    summary[outcome]++;
    onFile({ path, outcome, findings: findings.list });
  }
  return summary;
}

async function importOne(
  file: SiteLogFile,
  findings: Findings,
  store: StoreWriter,
  now: () => Date,
): Promise<SaveOutcome | 'rejected' | 'skipped'> {
  let original: Uint8Array;
  let log;
  let setups;
  try {
    original = await readBytes(file, findings);
    log = readSiteLog(original, findings);
    setups = deriveSetups(log.items, findings);
  } catch (error) {
    if (error instanceof SiteLogRejected) {
      if (error.recognised || file.named) return 'rejected';
      findings.list.forEach((finding) => (finding.level = finding.level === 'error' ? 'info' : finding.level));
      return 'skipped';
    }
    // A program that writes files beside the import may remove or rename them meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !file.named) {
      findings.add(1, 'warning', 'no longer exists; skipped');
      return 'skipped';
    }
    findings.add(1, 'error', `cannot be read: ${(error as Error).message}`);
    return 'rejected';
  }
  const { identification, datePrepared } = log;
  const importedAt = now();
  if (datePrepared !== null && Date.parse(datePrepared) > importedAt.getTime() + 24 * 3600 * 1000) {
    findings.add(1, 'warning', 'Date Prepared is in the future; logs with an earlier date will change nothing', datePrepared);
  }
  const outcome = await store.saveSiteLog({
    name: basename(file.path),
    original,
    log,
    setups,
    changes: deriveChanges(setups),
    devices: deriveDevices(setups, identification.fourCharacterId),
    summary: deriveSummary(identification, setups),
    findings: findings.list,
    importedAt,
  });
  addRemarks(outcome, identification.nineCharacterId, datePrepared, findings);
  return outcome;
}
