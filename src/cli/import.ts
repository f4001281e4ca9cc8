import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { findSiteLogFiles, type ImportedFile, importSiteLogs } from '../import-site-logs.js';
import type { Finding } from '../site-log/site-log.js';
import { openWriter } from '../store/sqlite/open.js';
import { CommandFailed, type CommandLine, type Given, UsageError } from './settings.js';
import { visible } from '../visible.js';

export const command = {
  usage: 'import PATH...',
  description: [
    'Reads site logs (IGS text form 1 and 2.0, GeodesyML 0.4 to 0.6), files or folders of them, into the database.',
    'Prints findings on stderr as file:line: level: message, and a summary on stdout.',
    'Exit code: 0 all read, 1 some logs rejected, 2 wrong usage, 3 the database cannot be used.',
  ].join('\n'),
  settings: ['database'],
  flags: {
    report: { argument: 'FILE', description: 'Also write the findings to FILE, one JSON object a line.' },
    'dry-run': { description: 'Do everything and save nothing.' },
  },
} as const satisfies CommandLine<'database', 'report' | 'dry-run'>;

function line({ file, line, level, message, text }: Finding): string {
  return visible(`${file}:${line}: ${level}: ${message}${text === '' ? '' : `: "${text}"`}`);
}

/** A line on the terminal that the next one overwrites; nothing where stderr is no terminal. */
function progress(done: number, total: number, path: string): void {
  if (!process.stderr.isTTY) return;
  const width = (process.stderr.columns ?? 80) - 1;
  const text = done === total ? '' : visible(`${done}/${total} ${path}`).slice(0, width);
  process.stderr.write(`\r\u001b[K${text}`);
}

/** What tells a file from others, whatever it is called; null where there is none. */
function identityOf(path: string): string | null {
  const entry = statSync(path, { throwIfNoEntry: false });
  return entry === undefined ? null : `${entry.dev}:${entry.ino}`;
}

/** Opens the report, unless writing it would destroy what the command works on. */
function openReport(path: string, database: string, files: string[]): number {
  const own = identityOf(path);
  const worked = [database, `${database}-wal`, `${database}-shm`, ...files];
  if (own !== null && worked.some((each) => identityOf(each) === own)) {
    throw new UsageError(`--report "${path}": is the database or one of the site logs; name another file`);
  }
  try {
    return openSync(path, 'w');
  } catch (error) {
    throw new UsageError(`--report "${path}": cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

function writeReport(report: number, path: string, finding: Finding): void {
  try {
    writeSync(report, `${JSON.stringify(finding)}\n`);
  } catch (error) {
    throw new CommandFailed(
      `--report "${path}" cannot be written to (${(error as NodeJS.ErrnoException).code}); what was imported so far is saved`,
    );
  }
}

/** Imports, and returns the exit code. */
export async function run({ settings, flags, arguments: paths }: Given<'database', 'report' | 'dry-run'>): Promise<number> {
  if (paths.length === 0) throw new UsageError('import needs the PATH of a site log or of a folder of them');
  const files = await findSiteLogFiles(paths).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`"${error.path ?? paths.join(' ')}" cannot be read (${error.code ?? error.message})`);
  });
  if (files.length === 0) throw new UsageError(`there is no file in ${paths.map((path) => `"${path}"`).join(', ')}`);
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
    const summary = await importSiteLogs(files, store, () => new Date(), onFile);
    const { saved, unchanged, older, rejected, skipped, setupsAdded, setupsInvalidated } = summary;
    process.stdout.write(
      `${files.length} ${files.length === 1 ? 'file' : 'files'}: ${saved} saved, ${unchanged} unchanged, ${older} older than what holds, ` +
        `${rejected} rejected, ${skipped} no site logs\n` +
        `Setups: ${setupsAdded} added, ${setupsInvalidated} invalidated\n` +
        (dryRun ? 'Dry run: nothing was saved.\n' : ''),
    );
    return rejected > 0 ? 1 : 0;
  } finally {
    await store.close();
    if (report !== null) closeSync(report);
  }
}
