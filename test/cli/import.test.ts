import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import * as importCommand from '../../src/cli/commands/import.js';
import { openWriter } from '../../src/store/open.js';
import { MOST_REJECTED } from '../../src/store/save/site-log-import.js';
import { logText } from '../helper.js';
import { rawDatabase } from '../raw-database.js';
import { type Ended, fails, run } from './serving.js';

/** Imports the folder `logs`, as a cron job of this folder would. */
const importLogs = (folder: string, ...args: string[]): Promise<Ended> =>
  run(['import', 'logs', '--database', 'a.sqlite', ...args], folder);

const SILENT: Ended = { code: 0, stdout: '', stderr: '' };
const QUIET = '--quiet-unchanged';
/** A log with a finding: its receiver has no date. */
const log = (id: string, prepared = '2020-01-01', type = 'R'): string =>
  logText({ id, prepared, receivers: [{ type }] });
/** A file that begins like a log, but names no Site. */
const BAD = '     TEST Site Information Form (site log)\n0.   Form\n';
/** How many lines of a report there are. */
const linesOf = (path: string): number => readFileSync(path, 'utf8').split('\n').length - 1;

t.test('import --quiet-unchanged prints only what is new', async (t) => {
  const folder = t.testdir({
    logs: {
      'aaaa_2020.log': log('AAAA'),
      'aaaa_2019.log': log('AAAA', '2019-01-01', 'R0'),
      'notes.txt': 'no site log',
    },
  });
  const first = await importLogs(folder, QUIET);
  t.match(first, { code: 0, stdout: /^3 files: 2 saved/ });
  t.match(first.stderr, 'aaaa_2020.log');
  t.same(await importLogs(folder, QUIET), SILENT);
  t.same(await importLogs(folder, QUIET, '--dry-run'), SILENT);
  t.same(await importLogs(folder, QUIET, '--report', 'findings.jsonl'), SILENT);
  const lines = linesOf(join(folder, 'findings.jsonl'));
  t.match(await importLogs(folder, '--report', 'findings.jsonl'), {
    code: 0,
    stdout: /1 unchanged, 1 outdated/,
    stderr: /aaaa_2020/,
  });
  t.equal(lines, linesOf(join(folder, 'findings.jsonl')), 'a report has all findings');

  writeFileSync(join(folder, 'logs', 'bbbb.log'), log('BBBB', '2018-01-01'));
  writeFileSync(join(folder, 'logs', 'aaaa_2018.log'), log('AAAA', '2018-01-01', 'R8'));
  const next = await importLogs(folder, QUIET);
  t.match(next, { code: 0, stdout: /^5 files: 1 saved, 1 unchanged, 2 outdated/ });
  t.match(next.stderr, /bbbb.log:/);
  t.match(
    next.stderr,
    /aaaa_2018.log:1: warning: kept, but changes nothing/,
    'an older log is new the first time',
  );
  t.notMatch(next.stderr, /^logs\/(aaaa_2019|aaaa_2020|notes)/m);
  writeFileSync(join(folder, 'logs', 'bad.log'), BAD);
  for (const flags of [[QUIET], [QUIET]])
    t.match(await importLogs(folder, ...flags), {
      code: 1,
      stdout: /1 rejected,/,
      stderr: /^logs\/bad/,
    });
});

t.test('import remembers the contents of rejected files, whatever their names', async (t) => {
  const folder = t.testdir({
    logs: {
      'a.log': log('AAAA00AUS'),
      'b.log': log('AAAA00NZL'),
      'c.log': log('AAAA'),
      'bad.log': BAD,
    },
  });
  const remembered = (): Promise<unknown[]> =>
    rawDatabase(join(folder, 'a.sqlite')).all('SELECT sha256 FROM rejected_file ORDER BY sha256');
  t.match(await importLogs(folder), { code: 1, stdout: /2 saved.* 2 rejected,/s });
  const both = await remembered();
  t.equal(both.length, 2, 'also the log of an ambiguous Site');
  for (let copy = 0; copy < 30; copy++)
    writeFileSync(join(folder, 'logs', `copy-${copy}.log`), BAD);
  t.match(await importLogs(folder, QUIET, '--jobs', '2', '/dev/null'), {
    code: 1,
    stdout: /33 rejected,/,
    stderr: /not a regular file/,
  });
  t.same(
    await remembered(),
    both,
    'the content counts, not the name, and an unreadable file has none',
  );
});

t.test('an empty folder is not an error with --quiet-unchanged', async (t) => {
  const folder = t.testdir({ logs: {} });
  t.match(await importLogs(folder), { code: 2, stderr: /no files found in "logs"/ });
  t.same(await importLogs(folder, QUIET), SILENT);
  rmSync(join(folder, 'logs'), { recursive: true });
  t.match(await importLogs(folder, QUIET), {
    code: 3,
    stderr: /cannot read "logs": there is no such file/,
  });
});

t.test('import refuses flags that cannot be combined', async (t) => {
  const folder = t.testdir({ logs: {} });
  const cases: [string[], RegExp][] = [
    [['--watch', '--dry-run'], /--watch cannot be combined with --dry-run/],
    [['--rescan', '10'], /--rescan needs --watch/],
    ...['0', '86401', '1.5', '', 'often'].map((value): [string[], RegExp] => [
      ['--watch', '--rescan', value],
      /expected a number of seconds from 1 to 86400/,
    ]),
  ];
  for (const [flags, message] of cases) {
    const args = [join(folder, 'logs'), '--database', join(folder, 'a.sqlite'), ...flags];
    await fails(t, importCommand, args, 'UsageError', message);
  }
});

t.test(
  'the store remembers a bounded number of rejected files, and writes nothing if nothing is new',
  async (t) => {
    const file = join(t.testdir(), 'a.sqlite');
    const store = await openWriter(file);
    const names = Array.from({ length: MOST_REJECTED }, (_, index) => `file-${index}`);
    await store.rememberRejected(names, new Date('2026-01-01'));
    await store.rememberRejected(names.slice(1), new Date('2026-01-02T10:00Z'));
    const db = new Database(file, { readonly: true });
    t.teardown(() => db.close());
    const version = (): unknown => db.pragma('data_version', { simple: true });
    const before = version();
    await store.rememberRejected(names.slice(1), new Date('2026-01-02T12:00Z'));
    t.equal(version(), before);
    t.equal(await store.wasRejected('file-0'), true);
    await store.rememberRejected(['one-more'], new Date('2026-01-02'));
    t.not(version(), before);
    for (const [name, known] of Object.entries({
      'file-0': false,
      'file-1': true,
      'file-9999': true,
      'one-more': true,
      other: false,
    })) {
      t.equal(await store.wasRejected(name), known, name);
    }
    t.equal(db.prepare('SELECT count(*) FROM rejected_file').pluck().get(), MOST_REJECTED);
    await store.close();
  },
);
