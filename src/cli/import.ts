import { closeSync } from 'node:fs';
import { findSiteLogFiles, type ImportedFile, importSiteLogs, type ImportSummary, type SiteLogFile } from '../import-site-logs.js';
import type { Finding } from '../site-log/site-log.js';
import { openWriter } from '../store/open.js';
import { reasonOf } from '../system-error.js';
import { visible } from '../visible.js';
import { openReport, outcomeLine, printFindings, writeReport } from './import/output.js';
import { FolderWatch } from './import/watch.js';
import type { CommandLine, Given } from './command-line.js';
import { CommandFailed, UsageError } from './settings.js';
import { onStop, showProgress } from './terminal.js';

type Setting = 'database' | 'jobs';
type Flag = 'report' | 'dry-run' | 'watch' | 'rescan' | 'quiet-unchanged' | 'known-rejects';

export const command = {
  usage: 'import PATH...',
  description: [
    'Imports site logs (IGS text format 1 and 2.0, GeodesyML 0.4 to 0.6, SOPAC XML) into the database. PATH is a file or a folder.',
    'Prints errors and warnings to stderr as file:line: level: message, and a summary to stdout.',
    'Exit codes: 0 success, 1 some site logs were rejected, 2 usage error, 3 the database cannot be used.',
  ].join('\n'),
  settings: ['database', 'jobs'],
  flags: {
    report: { argument: 'FILE', description: 'Write all findings to FILE, one JSON object per line, as check-log --format ndjson does.' },
    'dry-run': { description: 'Report what would change, without saving anything.' },
    watch: { description: 'Keep importing new and changed files, until SIGTERM or SIGINT. Prints one line per site log.' },
    rescan: { argument: 'SECONDS', description: 'With --watch: how often to search all folders, even without a file system event. [300]' },
    'quiet-unchanged': { description: 'Print nothing about site logs that change nothing.' },
    'known-rejects': { description: 'Exit with 0 if all rejected site logs were rejected before and have not changed.' },
  },
} as const satisfies CommandLine<Setting, Flag>;

/** The default of --rescan, in seconds. */
const RESCAN = 300;
/** How often a watch that finds nothing new is recorded as the last import, in milliseconds. */
const RENEWAL = 3600_000;

function parseRescan(text: unknown): number {
  if (typeof text !== 'string') return RESCAN;
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > 86_400) {
    throw new UsageError(`--rescan "${text}": expected a number of seconds from 1 to 86400`);
  }
  return Number(text);
}

/** Finds the files of an import. @throws {CommandFailed} if a path cannot be read @throws {UsageError} if there are no files */
async function findFiles(paths: string[], mayBeEmpty: boolean): Promise<SiteLogFile[]> {
  const files = await findSiteLogFiles(paths).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`cannot read "${error.path ?? paths.join(' ')}": ${reasonOf(error)}`);
  });
  if (files.length === 0 && !mayBeEmpty) throw new UsageError(`no files found in ${paths.map((path) => `"${path}"`).join(', ')}`);
  return files;
}

/** The file with the findings of an import, if the command line names one. */
class Report {
  private readonly file: number | null;

  constructor(
    private readonly path: string | undefined,
    database: string,
    files: SiteLogFile[],
  ) {
    const paths = files.map((file) => file.path);
    this.file = path === undefined ? null : openReport(path, database, paths);
  }

  write(findings: Finding[]): void {
    if (this.file !== null) writeReport(this.file, this.path!, findings);
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
  }
}

/** What an operator must see now. The report and the service have the rest. */
const withoutInfo = (findings: Finding[]): Finding[] => findings.filter(({ level }) => level !== 'info');

/** Whether nothing is printed about a file. */
function isQuiet({ isNew, outcome }: ImportedFile, flags: Given<Setting, Flag>['flags']): boolean {
  return flags['quiet-unchanged'] === true && !isNew && (outcome !== 'rejected' || flags['known-rejects'] === true);
}

/** Imports the site logs and returns the exit code. */
export async function run(given: Given<Setting, Flag>): Promise<number> {
  const { flags, arguments: paths } = given;
  if (paths.length === 0) throw new UsageError('import needs at least one PATH: a site log, or a folder of site logs');
  if (flags.watch === true) {
    if (flags['dry-run'] === true) throw new UsageError('--watch cannot be combined with --dry-run');
    return watch(given, parseRescan(flags.rescan));
  }
  if (flags.rescan !== undefined) throw new UsageError('--rescan needs --watch');
  return importOnce(given);
}

/** Imports all files, and then new and changed ones, until SIGTERM or SIGINT. */
async function watch({ settings, flags, arguments: paths }: Given<Setting, Flag>, rescan: number): Promise<number> {
  // A file system may be mounted later.
  const present = flags.report === undefined ? [] : await findSiteLogFiles(paths).catch(() => []);
  const report = new Report(flags.report as string | undefined, settings.database, present);
  const onFile = (file: ImportedFile, again: boolean): void => {
    const { outcome, isNew, findings, rejectedContent } = file;
    const isKnown = !isNew || (outcome === 'rejected' && rejectedContent === null);
    if (outcome === 'skipped' || (again && isKnown)) return;
    report.write(findings);
    if (isQuiet(file, flags)) return;
    printFindings(withoutInfo(findings));
    process.stdout.write(`${outcomeLine(file)}\n`);
  };
  const stop = new AbortController();
  onStop(() => stop.abort());
  // The end of a terminal sends it. As for `serve`, it ends nothing.
  process.on('SIGHUP', () => undefined);
  process.stdout.write(`Watching ${visible(paths.join(' '))}\n`);
  try {
    await new FolderWatch({ paths, ...settings, rescan: rescan * 1000, renewal: RENEWAL, onFile }).run(stop.signal);
  } finally {
    report.close();
  }
  return 0;
}

/** Imports all files once. */
async function importOnce({ settings, flags, arguments: paths }: Given<Setting, Flag>): Promise<number> {
  const files = await findFiles(paths, flags['quiet-unchanged'] === true);
  const dryRun = flags['dry-run'] === true;
  const store = await openWriter(settings.database, { dryRun });
  let report: Report | null = null;
  let done = 0;
  let known = 0;
  let printed = 0;
  const rejected: string[] = [];
  try {
    report = new Report(flags.report as string | undefined, settings.database, files);
    const onFile = (file: ImportedFile): void => {
      done++;
      showProgress(done === files.length ? '' : `${done}/${files.length} ${file.path}`);
      if (file.rejectedContent !== null) rejected.push(file.rejectedContent);
      if (file.outcome === 'rejected' && !file.isNew) known++;
      report!.write(file.findings);
      if (isQuiet(file, flags)) return;
      printed++;
      printFindings(withoutInfo(file.findings));
    };
    showProgress(files.length === 0 ? '' : `0/${files.length} ${files[0]!.path}`);
    const summary = await importSiteLogs(files, store, () => new Date(), onFile, { jobs: settings.jobs });
    if (printed > 0 || flags['quiet-unchanged'] !== true) printSummary(summary, flags['known-rejects'] === true ? known : 0, dryRun);
    // Only now: if this import had been killed, nobody would have seen the rejects.
    await store.rememberRejected(rejected, new Date());
    return summary.rejected > (flags['known-rejects'] === true ? known : 0) ? 1 : 0;
  } finally {
    await store.close();
    report?.close();
  }
}

function printSummary({ setupsAdded, setupsInvalidated, ...outcomes }: ImportSummary, known: number, dryRun: boolean): void {
  const { saved, unchanged, older, rejected, skipped } = outcomes;
  const files = saved + unchanged + older + rejected + skipped;
  process.stdout.write(
    `${files} ${files === 1 ? 'file' : 'files'}: ${saved} saved, ${unchanged} unchanged, ${older} outdated, ` +
      `${rejected} rejected${known > 0 ? ` (${known} as before)` : ''}, ${skipped} skipped (not site logs)\n` +
      `Setups: ${setupsAdded} added, ${setupsInvalidated} superseded\n` +
      (dryRun ? 'Dry run: nothing was saved.\n' : ''),
  );
}
