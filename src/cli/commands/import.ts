import { openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { resultsOf } from '../../check/results.js';
import {
  findSiteLogFiles,
  type ImportedFile,
  importSiteLogs,
  type ImportSummary,
  isBelow,
  rejectedFileOf,
  type SiteLogFile,
  openUpToDate,
} from '../../import-site-logs.js';
import type { Finding } from '../../findings/findings.js';
import { HOUR } from '../../requests/units-of-time.js';
import type { CurrentLog } from '../../store/read/logs/logs.js';
import type { RejectedFile } from '../../store/save/rejected-files.js';
import { isPostgres } from '../../store/address.js';
import { databaseState } from '../../store/open.js';
import { reasonOf } from '../../system-error.js';
import { visible } from '../../visible.js';
import { inodeOf } from '../../whole-file.js';
import { checkClock } from '../import/clock.js';
import { FolderWatch } from '../import/watch.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { CommandFailed, fileFailure, UsageError, withFile } from '../line/failures.js';
import { wholeNumber } from '../line/setting-values.js';
import { findSupervisor } from '../serve/supervisor.js';
import { count, onStop, printFindings, say, showProgress } from '../line/terminal.js';

/** The default of --rescan, in seconds. */
const RESCAN = 300;

export const command = {
  usage: 'import PATH...',
  description: [
    'Imports site logs (IGS text format 1 and 2.0, GeodesyML 0.4 to 0.6, SOPAC XML) into ' +
      'the database. PATH is a file or a folder.',
    'Prints errors and warnings to stderr as file:line: level: message, and a summary to stdout.',
    'Exit codes: 0 success, 1 some site logs were rejected, 2 usage error, 3 the database ' +
      'cannot be used.',
  ].join('\n'),
  examples: [
    ['Import all site logs in a folder.', 'import --database network.sqlite site-logs'],
    ['See what an import would change.', 'import --dry-run --report findings.ndjson site-logs'],
  ],
  completes: 'files',
  settings: ['database', 'jobs'],
  flags: {
    report: {
      argument: 'FILE',
      description:
        'Write all findings to FILE, one JSON object per line, as check-log --format ndjson does.',
    },
    'dry-run': { description: 'Report what would change, without saving anything.' },
    watch: {
      description:
        'Keep importing new and changed files, until SIGTERM or SIGINT. Prints one line per ' +
        'site log.',
    },
    rescan: {
      argument: 'SECONDS',
      description:
        'With --watch: how often to search all folders, even without a file system event. ' +
        `[${RESCAN}]`,
      parse: wholeNumber(1, 86_400, 'a number of seconds'),
    },
    'quiet-unchanged': { description: 'Print nothing about site logs that change nothing.' },
  },
} as const satisfies CommandLine;

/** How often a watch that finds nothing new is recorded as the last import, in milliseconds. */
const RENEWAL = HOUR;

/**
 * Forgets rejected files that are no longer there, in an import that finds none. It creates no
 * database.
 */
async function forgetGone(
  { settings, flags }: Given<typeof command>,
  isGone: (path: string) => boolean,
): Promise<void> {
  const { database } = settings;
  const state = isPostgres(database) ? await databaseState(database) : inodeOf(database);
  if (state === null) return;
  const store = await openUpToDate(database, { dryRun: flags['dry-run'] ?? false });
  await store.saveRejectedFiles([], isGone, new Date()).finally(() => store.close());
}

/**
 * Finds the files of an import.
 * @throws {CommandFailed} if a path cannot be read
 * @throws {UsageError} if there are no files
 */
async function findFiles(given: Given<typeof command>): Promise<SiteLogFile[]> {
  const { flags, arguments: paths } = given;
  try {
    const files = await findSiteLogFiles(paths);
    if (files.length > 0 || flags['quiet-unchanged'] === true) return files;
  } catch (error) {
    const { code, path = paths.join(' ') } = error as NodeJS.ErrnoException;
    // The content of a missing folder may reappear with its file system.
    const gone = resolve(path);
    if (code === 'ENOENT') await forgetGone(given, (each) => each === gone);
    throw fileFailure(`cannot read "${path}"`, error);
  }
  await forgetGone(given, isBelow(paths));
  throw new UsageError(`no files found in ${paths.map((path) => `"${path}"`).join(', ')}`);
}

/** What happened to a file, in one line. */
function outcomeLine({ path, outcome, isNew, site, setups }: ImportedFile): string {
  const texts = {
    saved: `${count(setups.added, 'Setup')} added, ${setups.superseded} superseded`,
    unchanged: '',
    older: isNew ? 'kept, but changes nothing' : '',
    rejected: isNew ? '' : 'as before',
    skipped: '',
  };
  const word = outcome === 'older' ? 'outdated' : outcome;
  const text = texts[outcome];
  return visible(
    `${path}: ${word}${site === null ? '' : ` ${site}`}${text === '' ? '' : `: ${text}`}`,
  );
}

/**
 * Opens the file for all findings of an import. Refuses to overwrite the database or a site log.
 * @returns a function that writes findings; without a path, it does nothing
 */
function openReport(
  path: string | undefined,
  database: string,
  files: SiteLogFile[],
): (file: ImportedFile) => void {
  if (path === undefined) return () => undefined;
  const inode = inodeOf(path);
  const inUse = [database, `${database}-wal`, `${database}-shm`, ...files.map((file) => file.path)];
  if (inode !== null && inUse.some((each) => inodeOf(each) === inode)) {
    throw new UsageError(
      `--report "${path}" is the database or one of the site logs; choose another file`,
    );
  }
  const failure = `cannot write to --report "${path}"`;
  const report = withFile(failure, () => openSync(path, 'w'));
  return ({ findings, site }) => {
    try {
      for (const result of resultsOf(findings, site))
        writeSync(report, `${JSON.stringify(result)}\n`);
    } catch (error) {
      throw new CommandFailed(
        `${failure}: ${reasonOf(error)}; the site logs imported so far are saved`,
      );
    }
  };
}

/** What an operator must see now. The report and the service have the rest. */
const withoutInfo = (findings: Finding[]): Finding[] =>
  findings.filter(({ level }) => level !== 'info');

type Flags = Given<typeof command>['flags'];

/** Whether nothing is printed about a file. */
function isQuiet({ isNew, outcome }: ImportedFile, flags: Flags): boolean {
  return flags['quiet-unchanged'] === true && !isNew && outcome !== 'rejected';
}

/** Imports the site logs and returns the exit code. */
export async function run(given: Given<typeof command>): Promise<number> {
  const { flags, arguments: paths } = given;
  if (paths.length === 0)
    throw new UsageError('import needs at least one PATH: a site log, or a folder of site logs');
  if (flags.watch === true) {
    if (flags['dry-run'] === true)
      throw new UsageError('--watch cannot be combined with --dry-run');
    return watch(given, flags.rescan ?? RESCAN);
  }
  if (flags.rescan !== undefined) throw new UsageError('--rescan needs --watch');
  return importOnce(given);
}

/** Imports all files, and then new and changed ones, until SIGTERM or SIGINT. */
async function watch(
  { settings, flags, arguments: paths }: Given<typeof command>,
  rescan: number,
): Promise<number> {
  // A file system may be mounted later.
  const present = flags.report === undefined ? [] : await findSiteLogFiles(paths).catch(() => []);
  const report = openReport(flags.report, settings.database, present);
  const onFile = (file: ImportedFile, again: boolean): void => {
    const { outcome, isNew, findings, rejectedContent } = file;
    const isKnown = !isNew || (outcome === 'rejected' && rejectedContent === null);
    if (outcome === 'skipped' || (again && isKnown)) return;
    report(file);
    if (isQuiet(file, flags)) return;
    printFindings(withoutInfo(findings));
    process.stdout.write(`${outcomeLine(file)}\n`);
  };
  const stop = new AbortController();
  const supervisor = findSupervisor(process.env, say);
  onStop(() => {
    supervisor.stopping();
    stop.abort();
  });
  // The end of a terminal sends it. As for `serve`, it ends nothing.
  process.on('SIGHUP', () => undefined);
  process.title = 'gnss-import';
  process.stdout.write(`Watching ${visible(paths.join(' '))}\n`);
  // The settings are valid. The first import can take longer than a supervisor waits for a start.
  supervisor.ready();
  await new FolderWatch({
    paths,
    ...settings,
    rescan: rescan * 1000,
    renewal: RENEWAL,
    onFile,
  }).run(stop.signal);
  return 0;
}

/** Imports all files once. */
async function importOnce(given: Given<typeof command>): Promise<number> {
  const { settings, flags, arguments: paths } = given;
  const { 'quiet-unchanged': isTerse = false, 'dry-run': dryRun = false } = flags;
  const files = await findFiles(given);
  const store = await openUpToDate(settings.database, { dryRun });
  let done = 0;
  let printed = 0;
  const rejected: RejectedFile[] = [];
  const farFrom = new Set<string>();
  try {
    await checkClock(store, files, new Date());
    const report = openReport(flags.report, settings.database, files);
    const onFile = (file: ImportedFile): void => {
      done++;
      showProgress(done === files.length ? '' : `${done}/${files.length} ${file.path}`);
      if (file.outcome === 'rejected') rejected.push(rejectedFileOf(file));
      if (file.farFrom !== null) farFrom.add(file.farFrom);
      report(file);
      if (isQuiet(file, flags)) return;
      printed++;
      printFindings(withoutInfo(file.findings));
      if (dryRun && file.replaces !== null)
        process.stdout.write(replacementLine(file, file.replaces));
    };
    showProgress(files.length === 0 ? '' : `0/${files.length} ${files[0]!.path}`);
    const summary = await importSiteLogs(files, store, () => new Date(), onFile, {
      jobs: settings.jobs,
    });
    if (printed > 0 || !isTerse) printSummary(files.length, summary, dryRun, [...farFrom]);
    // Only now: if this import had been killed, nobody would have seen the rejects.
    await store.saveRejectedFiles(rejected, isBelow(paths), new Date());
    return summary.rejected > 0 ? 1 : 0;
  } finally {
    await store.close();
  }
}

/** Which log of a Site a file would replace. */
const replacementLine = (
  { path, site }: ImportedFile,
  { name, datePrepared }: CurrentLog,
): string =>
  visible(`${site}: ${path} would replace ${name} of ${datePrepared ?? 'an unknown date'}`) + '\n';

/** For how many Sites a log gave a position that is too far away; empty if for none. */
const farAwayLine = (sites: readonly string[]): string =>
  sites.length === 0
    ? ''
    : `Logs far from the Site on record: ${count(sites.length, 'Site')} (${sites.join(', ')})\n`;

/** @param farFrom the Sites that a log was too far from */
function printSummary(
  files: number,
  summary: ImportSummary,
  dryRun: boolean,
  farFrom: readonly string[],
): void {
  const { saved, unchanged, older, rejected, skipped, setupsAdded, setupsInvalidated } = summary;
  process.stdout.write(
    `${count(files, 'file')}: ${saved} saved, ${unchanged} unchanged, ${older} outdated, ` +
      `${rejected} rejected, ${skipped} skipped (not site logs)\n` +
      `Setups: ${setupsAdded} added, ${setupsInvalidated} superseded\n` +
      farAwayLine(farFrom) +
      (dryRun ? 'Dry run: nothing was saved.\n' : ''),
  );
}
