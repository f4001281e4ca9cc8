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
  /** Named by the user, not found in a folder: a file that is not a site log is then an error. */
  named: boolean;
}

/** What became of one file. `skipped`: found in a folder and no site log. */
export type FileOutcome = SaveOutcome['kind'] | 'rejected' | 'skipped';

/** One file, when it is done. */
export interface ImportedFile {
  path: string;
  outcome: FileOutcome;
  findings: Finding[];
}

/** How many files came to what. */
export type ImportSummary = Record<FileOutcome, number> & { setupsAdded: number; setupsInvalidated: number };

/** The deepest folder below a named one that is looked into. */
const DEEPEST_FOLDER = 20;

/**
 * Finds the files to read, folders in the order of their names. In folders, links and names that begin with a dot
 * are passed over, so that nothing outside the folder is read.
 * @throws where a path does not exist or a folder cannot be read
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

/** What is remarkable about a log that has been taken in, or not, beside others. */
function remarks(outcome: SaveOutcome, nineCharacterId: string | null, datePrepared: string | null, findings: Findings): void {
  if (outcome.kind === 'older') {
    const { name, datePrepared: date } = outcome.current;
    const why = outcome.seenBefore ? 'this log was imported before and replaced by' : 'the Site has a log prepared later,';
    findings.add(1, 'warning', `changes nothing: ${why} ${name} of ${date ?? 'an unknown date'}`, datePrepared ?? '');
  }
  if (outcome.kind === 'saved') {
    const { replaces, previousNineCharacterId: previous } = outcome;
    if (replaces !== null && replaces.datePrepared === datePrepared) {
      findings.add(
        1,
        'info',
        `prepared on the same day as ${replaces.name}, which it replaces as the one imported later`,
        datePrepared ?? '',
      );
    }
    if (previous !== null && nineCharacterId !== null && previous !== nineCharacterId) {
      findings.add(1, 'warning', `the Site was ${previous} so far; expected one station for each four-character id`, nineCharacterId);
    }
  }
}

/**
 * Imports site logs one by one, each in a transaction of its own; a log that cannot be taken stops no other.
 * @param now the clock, for the times that are recorded
 * @param onFile called for each file when it is done
 * @throws {StoreUnusable} where the store fails; what was saved before stays saved
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
    const fate = await importOne(path, named, findings, store, now);
    if (typeof fate !== 'string' && fate.kind === 'saved') {
      summary.setupsAdded += fate.added;
      summary.setupsInvalidated += fate.invalidated;
    }
    const outcome = typeof fate === 'string' ? fate : fate.kind;
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
    findings.add(1, 'warning', 'Date Prepared is in the future; logs prepared before it will change nothing', datePrepared);
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
  remarks(outcome, identification.nineCharacterId, datePrepared, findings);
  return outcome;
}
