import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
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
}

/** What happened to a file. `skipped`: it was found in a folder and is not a site log. */
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
 * outside is read, and so are names that begin with a dot.
 * @param paths files and folders
 * @throws {Error} if a path does not exist or a folder cannot be read
 */
export async function findSiteLogFiles(paths: string[]): Promise<SiteLogFile[]> {
  const files: SiteLogFile[] = [];
  const enter = async (folder: string, depth: number): Promise<void> => {
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
    for (const name of names) {
      const path = join(folder, name);
      const entry = await lstat(path);
      if (entry.isFile()) files.push({ path, named: false });
      else if (entry.isDirectory() && depth < DEEPEST_FOLDER) await enter(path, depth + 1);
    }
  };
  for (const path of paths) {
    if ((await stat(path)).isDirectory()) await enter(path, 0);
    else files.push({ path, named: true });
  }
  return files;
}

async function readBytes(path: string, findings: Findings): Promise<Uint8Array> {
  const entry = await stat(path);
  if (!entry.isFile()) reject(findings, 1, 'not a regular file', '', false);
  if (entry.size > LARGEST_FILE) reject(findings, 1, `${entry.size} bytes; expected a site log of at most ${LARGEST_FILE}`, '', false);
  return readFile(path);
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
  for (const { path, named } of files) {
    const findings = new Findings(path);
    const result = await importOne(path, named, findings, store, now);
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
  path: string,
  named: boolean,
  findings: Findings,
  store: StoreWriter,
  now: () => Date,
): Promise<SaveOutcome | 'rejected' | 'skipped'> {
  let original: Uint8Array;
  let log;
  let setups;
  try {
    original = await readBytes(path, findings);
    log = readSiteLog(original, findings);
    setups = deriveSetups(log.items, findings);
  } catch (error) {
    if (error instanceof SiteLogRejected) {
      if (error.recognised || named) return 'rejected';
      findings.list.forEach((finding) => (finding.level = 'info'));
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
    name: basename(path),
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
