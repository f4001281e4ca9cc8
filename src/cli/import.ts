import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { findSiteLogFiles, type ImportedFile, importSiteLogs } from '../import-site-logs.js';
import type { Finding } from '../site-log/site-log.js';
import { openWriter } from '../store/sqlite/open.js';
import { CommandFailed, type CommandLine, type Given, UsageError } from './settings.js';
import { visible } from '../visible.js';

export const command = {
  usage: 'import PATH...',
  description: [
    'Imports site logs (IGS text format 1 and 2.0, GeodesyML 0.4 to 0.6) into the database. PATH is a file or a folder.',
    'Prints findings to stderr as file:line: level: message, and a summary to stdout.',
    'Exit codes: 0 success, 1 some site logs were rejected, 2 usage error, 3 the database cannot be used.',
  ].join('\n'),
  settings: ['database', 'jobs'],
  flags: {
    report: { argument: 'FILE', description: 'Also write the findings to FILE, one JSON object per line.' },
    'dry-run': { description: 'Report what would change, without saving anything.' },
  },
} as const satisfies CommandLine<'database' | 'jobs', 'report' | 'dry-run'>;

function line({ file, line, level, message, text }: Finding): string {
  return visible(`${file}:${line}: ${level}: ${message}${text === '' ? '' : `: "${text}"`}`);
}

/** Shows progress on a terminal line that the next output overwrites; does nothing if stderr is not a terminal. */
function progress(done: number, total: number, path: string): void {
  if (!process.stderr.isTTY) return;
  const width = process.stderr.columns - 1;
  const text = done === total ? '' : visible(`${done}/${total} ${path}`).slice(0, width);
  process.stderr.write(`\r\u001b[K${text}`);
}

/** Identifies a file independently of its path; null if it does not exist. */
function inodeOf(path: string): string | null {
  const entry = statSync(path, { throwIfNoEntry: false });
  return entry === undefined ? null : `${entry.dev}:${entry.ino}`;
}

/** Opens the report file. Refuses to overwrite the database or a site log. */
function openReport(path: string, database: string, files: string[]): number {
  const inode = inodeOf(path);
  const inUse = [database, `${database}-wal`, `${database}-shm`, ...files];
  if (inode !== null && inUse.some((each) => inodeOf(each) === inode)) {
    throw new UsageError(`--report "${path}" is the database or one of the site logs; choose another file`);
  }
  try {
    return openSync(path, 'w');
  } catch (error) {
    throw new UsageError(`cannot write to --report "${path}" (${(error as NodeJS.ErrnoException).code})`);
  }
}

function writeReport(report: number, path: string, finding: Finding): void {
  try {
    writeSync(report, `${JSON.stringify(finding)}\n`);
  } catch (error) {
    throw new CommandFailed(
      `cannot write to --report "${path}" (${(error as NodeJS.ErrnoException).code}); the site logs imported so far are saved`,
    );
  }
}

/** Imports the site logs and returns the exit code. */
export async function run({ settings, flags, arguments: paths }: Given<'database' | 'jobs', 'report' | 'dry-run'>): Promise<number> {
  if (paths.length === 0) throw new UsageError('import needs at least one PATH: a site log, or a folder of site logs');
  const files = await findSiteLogFiles(paths).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`cannot read "${error.path ?? paths.join(' ')}" (${error.code ?? error.message})`);
  });
  if (files.length === 0) throw new UsageError(`no files found in ${paths.map((path) => `"${path}"`).join(', ')}`);
  const reportPath = typeof flags.report === 'string' ? flags.report : null;
  const dryRun = flags['dry-run'] === true;
  const store = openWriter(settings.database, { dryRun });
  let report: number | null = null;
  let done = 0;
  try {
    if (reportPath !== null)
      report = openReport(
        reportPath,
        settings.database,
        files.map(({ path }) => path),
      );
    const onFile = ({ path, findings }: ImportedFile): void => {
      progress(++done, files.length, path);
      for (const finding of findings) {
        process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}${line(finding)}\n`);
        if (report !== null) writeReport(report, reportPath!, finding);
      }
    };
    progress(0, files.length, files[0]!.path);
    const summary = await importSiteLogs(files, store, () => new Date(), onFile, { jobs: settings.jobs });
    const { saved, unchanged, older, rejected, skipped, setupsAdded, setupsInvalidated } = summary;
    process.stdout.write(
      `${files.length} ${files.length === 1 ? 'file' : 'files'}: ${saved} saved, ${unchanged} unchanged, ${older} outdated, ` +
        `${rejected} rejected, ${skipped} skipped (not site logs)\n` +
        `Setups: ${setupsAdded} added, ${setupsInvalidated} superseded\n` +
        (dryRun ? 'Dry run: nothing was saved.\n' : ''),
    );
    return rejected > 0 ? 1 : 0;
  } finally {
    await store.close();
    if (report !== null) closeSync(report);
  }
}
