import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import * as importCommand from '../../src/cli/commands/import.js';
import { openWriter } from '../../src/store/open.js';
import { MOST_REJECTED } from '../../src/store/save/site-log-import.js';
import { logText, placeOf } from '../synthetic-log.js';
import { rawDatabase } from '../raw-database.js';
import { type Ended, fails, run } from './serving.js';

/** Imports the folder `logs`, as a cron job of this folder would. */
const importLogs = (folder: string, ...args: string[]): Promise<Ended> =>
  run(['import', 'logs', '--database', 'a.sqlite', ...args], folder);

/** A rejected file, as an import records it. */
const rejectedFile = (index: number) => ({
  path: `/logs/${index}`,
  sha256: `sha-${index}`,
  code: 'no-site-id',
  reason: 'why',
});
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

t.test(
  'rejected files stay known until an import accepts them or no longer finds them',
  async (t) => {
    const folder = t.testdir({
      logs: {
        'a.log': log('AAAA00AUS'),
        'b.log': log('AAAA00NZL'),
        'c.log': log('AAAA'),
        'bad.log': BAD,
        'broken.xml': '<a>',
        sub: { 'bad.log': BAD },
      },
      'other.log': BAD,
    });
    const rejected = async (): Promise<string[]> => {
      const { code, stdout } = await run(['log', 'rejected', '--database', 'a.sqlite'], folder);
      t.equal(code, 0);
      if (stdout === 'No rejected files.\n') return [];
      const groups = stdout.trim().split('\n\n');
      return groups.flatMap((group) => {
        const [about, heading, ...lines] = group.split('\n');
        const [, code, files] = /^([a-z-]+): (\d+) files?$/.exec(about!)!;
        t.equal(lines.length, Number(files));
        t.match(heading, /^First rejected +Last rejected +File +Reason$/);
        return lines.map((line) => {
          const [first, last, path] = line.split(/ {2,}/);
          t.match([first, last], [/^\d{4}-.*Z$/, /^\d{4}-.*Z$/]);
          return `${code} ${relative(folder, path!)}`;
        });
      });
    };
    const all = [
      'no-site-id logs/bad.log',
      'no-site-id logs/sub/bad.log',
      'ambiguous-id logs/c.log',
    ];
    t.match(await importLogs(folder), { code: 1, stdout: /2 saved.* 3 rejected,/s });
    t.strictSame(await rejected(), all);
    // Another import says nothing about files that it did not look at.
    const other = ['import', 'other.log', '--database', 'a.sqlite'];
    t.match(await run(other, folder), { code: 1 });
    t.strictSame(await rejected(), [...all.slice(0, 2), 'no-site-id other.log', all[2]]);
    const rows = (): Promise<Record<string, string>[]> =>
      rawDatabase(join(folder, 'a.sqlite')).all(
        "SELECT * FROM rejected_file ORDER BY path <> '/dev/null', path",
      );
    await rawDatabase(join(folder, 'a.sqlite')).exec(
      "UPDATE rejected_file SET first_rejected_at = '2020-01-01T00:00:00Z', last_rejected_at = '2020-01-01T00:00:00Z'",
    );
    t.match(await importLogs(folder, QUIET, '--jobs', '2', '/dev/null'), {
      code: 1,
      stderr: /not a regular file/,
    });
    t.match(await rows(), [
      { path: '/dev/null', code: 'not-a-site-log', sha256: null },
      { first_rejected_at: '2020-01-01T00:00:00Z', last_rejected_at: /^20(?!20)/ },
      {},
      {},
      { path: /other\.log$/, last_rejected_at: '2020-01-01T00:00:00Z' },
    ]);
    const dryRun = ['--dry-run', '/dev/null'];
    writeFileSync(join(folder, 'logs', 'bad.log'), log('GOOD'));
    await importLogs(folder, ...dryRun);
    t.equal((await rejected()).length, 5, 'a dry run changes nothing');
    rmSync(join(folder, 'logs', 'sub'), { recursive: true });
    t.match(await importLogs(folder), { code: 1, stdout: / 1 rejected,/ });
    // The list is sorted by path, and the test may run before or behind /dev.
    const rejectedHere = async (): Promise<string[]> =>
      (await rejected()).filter((line) => !line.endsWith('dev/null'));
    const left = ['ambiguous-id logs/c.log', 'no-site-id other.log'];
    t.strictSame(await rejectedHere(), left, 'accepted, or gone');
    rmSync(join(folder, 'other.log'));
    t.match(await run(other, folder), { code: 3, stderr: /cannot read "other\.log"/ });
    t.strictSame(await rejectedHere(), left.slice(0, 1));
    rmSync(join(folder, 'logs'), { recursive: true });
    t.match(await importLogs(folder), { code: 3 });
    t.strictSame(await rejectedHere(), left.slice(0, 1), 'the folder may come back');
    mkdirSync(join(folder, 'logs'));
    t.match(await importLogs(folder), { code: 2, stderr: /no files found/ });
    t.equal((await rejected()).length, 1);
    t.match(await run(['log', 'rejected', 'ALIC', '--database', 'a.sqlite'], folder), {
      code: 2,
      stderr: /log rejected takes no SITE/,
    });
  },
);

t.test('an import that finds no files creates no database', async (t) => {
  const folder = t.testdir({ logs: {} });
  t.match(await importLogs(folder), { code: 2 });
  t.notOk(existsSync(join(folder, 'a.sqlite')));
});

t.test('a rejected file is news once, whatever its name', async (t) => {
  const folder = t.testdir({ logs: { 'bad.log': BAD } });
  await importLogs(folder, QUIET);
  for (let copy = 0; copy < 30; copy++)
    writeFileSync(join(folder, 'logs', `copy-${copy}.log`), BAD);
  t.match(await importLogs(folder, QUIET), { code: 1, stdout: /31 rejected,/ });
  const sha256s = await rawDatabase(join(folder, 'a.sqlite')).all(
    'SELECT DISTINCT sha256 FROM rejected_file',
  );
  t.equal(sha256s.length, 1);
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
    const files = Array.from({ length: MOST_REJECTED }, (_, index) => rejectedFile(index));
    const none = (): boolean => false;
    await store.saveRejectedFiles(files, none, new Date('2026-01-01'));
    await store.saveRejectedFiles(files.slice(1), none, new Date('2026-01-02T10:00Z'));
    const db = new Database(file, { readonly: true });
    t.teardown(() => db.close());
    const version = (): unknown => db.pragma('data_version', { simple: true });
    const before = version();
    await store.saveRejectedFiles([], none, new Date('2026-01-02T12:00Z'));
    t.equal(version(), before);
    t.equal(await store.wasRejected('sha-0'), true);
    const more = rejectedFile(MOST_REJECTED);
    await store.saveRejectedFiles([more, more], none, new Date('2026-01-02'));
    t.not(version(), before);
    for (const [name, known] of Object.entries({
      'sha-0': false,
      'sha-1': true,
      'sha-9999': true,
      [more.sha256]: true,
      other: false,
    })) {
      t.equal(await store.wasRejected(name), known, name);
    }
    const count = (): unknown => db.prepare('SELECT count(*) FROM rejected_file').pluck().get();
    t.equal(count(), MOST_REJECTED);
    await store.saveRejectedFiles([more], (path) => path !== '/logs/5', new Date('2026-01-03'));
    t.equal(count(), 2);
    await store.close();
  },
);

t.test('a dry run says which log would replace which, and decides as an import', async (t) => {
  const at = (id: string, prepared: string, latitude: string): string =>
    logText({ id, prepared, country: 'Australia', place: placeOf(latitude, '+1335307.85') });
  const folder = t.testdir({
    logs: { 'qxaa_20200101.log': at('QXAA', '2020-01-01', '-234012.45') },
    more: {
      'qxaa_20210101.log': at('QXAA', '2021-01-01', '-234012.45'),
      'qxaa_20220101.log': at('QXAA', '2022-01-01', '-334012.45'),
    },
  });
  const database = ['--database', 'a.sqlite'];
  await run(['import', 'logs', ...database], folder);
  const dry = await run(['import', 'more', '--dry-run', ...database], folder);
  t.match(dry, { code: 1, stderr: /another station than QXAA/ });
  t.match(
    dry.stdout,
    /^QXAA: more\/qxaa_20210101.log would replace qxaa_20200101.log of 2020-01-01$/m,
  );
  t.match(dry.stdout, /^Logs far from the Site on record: 1 Site \(QXAA\)$/m);
  const checked = await run(['check-log', 'more/qxaa_20220101.log', ...database], folder);
  t.match(checked, { code: 1, stdout: /another station than QXAA/ });
  t.match(await run(['import', 'more', ...database], folder), {
    code: 1,
    stdout: /1 saved.* 1 rej/s,
  });
});
