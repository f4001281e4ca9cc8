import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { FolderWatch } from '../../src/cli/import/watch.js';
import { type Running, runTool, startTool } from '../campaigns/processes.js';
import { importInto } from '../databases.js';
import { openService } from '../service.js';
import { logText, placeOf } from '../synthetic-log.js';
import { rawDatabase, withSqlite } from '../raw-database.js';
import { receiveNotifications, shortFolder, until as eventually, withSystemd } from './serving.js';

// The tests mostly wait until files have settled.
t.jobs = 8;

/** How long to wait to be sure that no event comes, in milliseconds. A file settles in 3000. */
const NOTHING = 5000;

interface Watching extends Running {
  /** Waits until whole lines of stdout or stderr contain something a number of times. */
  until: (line: RegExp, times?: number) => Promise<void>;
  /** Ends it, and returns the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** A text without a line that is not yet complete. */
const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1);

/** Starts `import --watch`, and waits until it says so. */
async function watch(
  t: Test,
  folder: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Watching> {
  const ofDatabase = args.includes('--database') ? [] : ['--database', 'watch.sqlite'];
  const running = startTool(['import', '--watch', ...ofDatabase, ...args], {
    cwd: folder,
    env,
  });
  const { child, output, ended, end } = running;
  t.teardown(() => child.kill('SIGKILL'));
  const until = (line: RegExp, times = 1): Promise<void> =>
    eventually(String(line), () => {
      if (end() !== null) throw new Error(`no ${line}: ${output.stdout}${output.stderr}`);
      const lines = wholeLines(output.stdout) + wholeLines(output.stderr);
      return (lines.match(new RegExp(line, 'gm'))?.length ?? 0) >= times;
    });
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    return (await ended).code;
  };
  await until(/^Watching /);
  t.equal(readFileSync(`/proc/${child.pid}/comm`, 'utf8'), 'gnss-import\n', 'as ps names it');
  return { ...running, until, stop };
}

/** A log of a Site with one receiver. */
const log = (id: string, type = 'R1', prepared = '2020-01-01'): string =>
  logText({ id, prepared, receivers: [{ type, serial: '1', from: '2001-01-01' }] });
/** A file that begins like a log, but names no Site. */
const BAD = '     TEST Site Information Form (site log)\n0.   Form\n';
/** The lines of stdout, sorted, without the first. */
const outcomes = ({ output }: Watching): string[] => output.stdout.split('\n').slice(1, -1).sort();

t.test(
  'import --watch imports all files, then new and changed ones; a running service sees the changes',
  async (t) => {
    const { database, get } = await openService(t);
    const folder = dirname(database);
    mkdirSync(join(folder, 'outside'));
    writeFileSync(join(folder, 'logs', 'aaaa.log'), log('AAAA'));
    writeFileSync(join(folder, 'logs', '.hidden.log'), log('HIDE'));
    writeFileSync(join(folder, 'outside', 'link.log'), log('LINK'));
    writeFileSync(join(folder, 'later.log'), log('BBBB'));
    symlinkSync(join(folder, 'outside'), join(folder, 'logs', 'link'));
    const path = (name: string): string => join(folder, 'logs', name);
    const statusOf = async (id: string): Promise<number> =>
      (await get(`/setups/search/findCurrentByFourCharacterId?id=${id}`)).statusCode;

    const watching = await watch(t, folder, [
      'logs',
      '--database',
      database,
      '--report',
      'findings.jsonl',
    ]);
    await watching.until(/aaaa\.log: saved/);
    t.equal(await statusOf('AAAA'), 200);
    t.equal(await statusOf('BBBB'), 404);

    renameSync(join(folder, 'later.log'), path('bbbb.log'));
    writeFileSync(path('notes.txt'), 'no site log');
    writeFileSync(path('.dddd.log'), log('DDDD'));
    writeFileSync(path('bad.log'), BAD);
    writeFileSync(join(folder, 'outside', 'more.log'), log('MORE'));
    mkdirSync(path('new/deep'), { recursive: true });
    writeFileSync(path('new/deep/cccc.log'), log('CCCC'));
    // In pieces, the last of them after the others have settled.
    const text = log('EEEE');
    for (let at = 0; at < text.length; at += 150) {
      appendFileSync(path('slow.log'), text.slice(at, at + 150));
      if (at < 600) await rest(1000);
    }
    await watching.until(/slow\.log: saved/);
    for (const id of ['BBBB', 'CCCC', 'EEEE']) t.equal(await statusOf(id), 200, id);
    const before = [
      'logs/aaaa.log: saved AAAA: 1 Setup added, 0 superseded',
      'logs/bad.log: rejected',
      'logs/bbbb.log: saved BBBB: 1 Setup added, 0 superseded',
      'logs/new/deep/cccc.log: saved CCCC: 1 Setup added, 0 superseded',
      'logs/slow.log: saved EEEE: 1 Setup added, 0 superseded',
    ];
    t.same(outcomes(watching), before);
    t.match(watching.output.stderr, /^logs\/bad\.log:1: error: [^\n]*$/m);
    t.match(
      readFileSync(join(folder, 'findings.jsonl'), 'utf8'),
      /^\{"file":"logs\/bad\.log",[^\n]*"level":"error",[^\n]*\}$/m,
    );

    renameSync(path('aaaa.log'), path('renamed.log'));
    unlinkSync(path('bbbb.log'));
    writeFileSync(path('new/deep/cccc.log'), log('CCCC', 'R2', '2021-01-01'));
    writeFileSync(path('slow.log'), log('EEEE', 'R0', '1999-01-01'));
    await watching.until(/cccc.log: saved CCCC: 1 Setup added, 1 superseded/);
    await watching.until(/slow.log: outdated/);
    t.match(outcomes(watching), [
      ...before.slice(0, 3),
      ...before.slice(3, 4),
      'logs/new/deep/cccc.log: saved CCCC: 1 Setup added, 1 superseded',
      'logs/renamed.log: unchanged AAAA',
      'logs/slow.log: outdated EEEE: kept, but changes nothing',
      ...before.slice(4),
    ]);
    t.equal(await statusOf('BBBB'), 200, 'a log deleted from the folder stays on record');
    for (const id of ['HIDE', 'LINK', 'MORE', 'DDDD']) t.equal(await statusOf(id), 404, id);
    t.equal(await watching.stop(), 0);
  },
);

t.test('import --watch continues if a folder is missing, disappears and comes back', async (t) => {
  const folder = t.testdir({ 'one.log': log('AAAA'), two: { 'bbbb.log': log('BBBB') } });
  const watching = await watch(t, folder, ['one.log', 'two', 'three']);
  await watching.until(/bbbb.log: saved/);
  mkdirSync(join(folder, 'three'));
  writeFileSync(join(folder, 'three', 'cccc.log'), log('CCCC'));
  renameSync(join(folder, 'two'), join(folder, 'gone'));
  await watching.until(/cannot read "two": there is no such file or folder; waiting for it/);
  await watching.until(/cccc.log: saved/);
  renameSync(join(folder, 'gone'), join(folder, 'two'));
  await watching.until(/"two" is back/);
  // Removed and created again at once, perhaps with the same inode.
  rmSync(join(folder, 'three'), { recursive: true });
  mkdirSync(join(folder, 'three'));
  unlinkSync(join(folder, 'one.log'));
  await rest(1500);
  writeFileSync(join(folder, 'three', 'dddd.log'), log('DDDD'));
  writeFileSync(join(folder, 'one.log'), log('AAAA', 'R2', '2021-01-01'));
  await watching.until(/dddd.log: saved/);
  await watching.until(/one.log: saved AAAA: 1 Setup added, 1 superseded/);
  t.equal(outcomes(watching).length, 5, 'files that came back unchanged were not read again');
  t.match(
    watching.output.stderr.match(/^.*"two".*$/gm),
    { length: 2 },
    'one line when it disappeared, and one when it came back',
  );
  t.equal(await watching.stop('SIGINT'), 0);
});

t.test(
  'import --watch reports an unusable database once and retries, and imports everything again if the database is replaced',
  async (t) => {
    const folder = t.testdir({ logs: { 'aaaa.log': log('AAAA'), 'bad.log': BAD } });
    const watching = await watch(t, folder, ['logs', '--database', 'data/watch.sqlite']);
    await watching.until(/there is no folder "data" \(trying again every 5 seconds\)/);
    await rest(6000);
    mkdirSync(join(folder, 'data'));
    await watching.until(/aaaa\.log: saved/);
    t.equal(watching.output.stderr.match(/no folder/g)!.length, 1);

    const count = (): unknown =>
      withSqlite(join(folder, 'data', 'watch.sqlite'), (db) =>
        db.prepare('SELECT count(*) FROM site').pluck().get(),
      );
    await importInto(join(folder, 'other.sqlite'), []);
    renameSync(join(folder, 'other.sqlite'), join(folder, 'data', 'watch.sqlite'));
    await watching.until(/was replaced; reading all site logs again\n/);
    await eventually('a Site', () => count() === 1);
    const reports = (): number => watching.output.stdout.match(/aaaa\.log: saved/g)!.length;
    await eventually('a second report', () => reports() === 2);
    t.equal(await watching.stop(), 0);
  },
);

t.test(
  'on SIGTERM, import --watch finishes the logs in progress; the next start imports the rest, and prints only news',
  async (t) => {
    const folder = t.testdir({ logs: {} });
    const sites = 400;
    const idOf = (site: number): string => `K${String(site).padStart(3, '0')}`;
    for (let site = 0; site < sites; site++)
      writeFileSync(join(folder, 'logs', `${idOf(site)}.log`), log(idOf(site)));
    writeFileSync(join(folder, 'logs', 'bad.log'), BAD);
    const first = await watch(t, folder, ['logs']);
    await first.until(/K0\d\d\.log: saved/);
    t.equal(await first.stop(), 0);
    const saved = outcomes(first).filter((line) => line.includes(': saved'));
    t.ok(saved.length > 0);
    // On a busy machine, the signal may come too late.
    t.comment(`${saved.length} of ${sites} before the signal`);
    t.same(
      await rawDatabase(join(folder, 'watch.sqlite')).all('SELECT count(*) AS logs FROM site_log'),
      [{ logs: saved.length }],
    );

    const quiet = ['logs', '--quiet-unchanged'];
    const second = await watch(t, folder, [...quiet, '--jobs', '2']);
    await second.until(/bad\.log: rejected/);
    await second.until(/: saved/, sites - saved.length);
    t.equal(await second.stop(), 0);
    t.equal(
      outcomes(second).filter((line) => line.includes(': saved')).length,
      sites - saved.length,
    );

    const third = await watch(t, folder, quiet);
    await third.until(/bad\.log: rejected: as before/);
    await rest(NOTHING);
    writeFileSync(join(folder, 'logs', 'bad.log'), `${BAD}more`);
    await third.until(/bad\.log: rejected$/);
    t.same(outcomes(third), ['logs/bad.log: rejected', 'logs/bad.log: rejected: as before']);
    t.equal(await third.stop(), 0);
  },
);

t.test(
  'a log that arrives during an import is imported next, also in a new subfolder, without waiting for a search at intervals',
  async (t) => {
    const folder = t.testdir({ logs: {} });
    const sites = 400;
    for (let site = 0; site < sites; site++) {
      const id = `K${String(site).padStart(3, '0')}`;
      writeFileSync(join(folder, 'logs', `${id}.log`), log(id));
    }
    writeFileSync(join(folder, 'late.log'), log('LATE'));
    writeFileSync(join(folder, 'deep.log'), log('DEEP'));
    const watching = await watch(t, folder, ['logs', '--rescan', '86400']);
    await watching.until(/K0\d\d\.log: saved/);
    renameSync(join(folder, 'late.log'), join(folder, 'logs', 'late.log'));
    mkdirSync(join(folder, 'logs', 'new', 'deep'), { recursive: true });
    renameSync(join(folder, 'deep.log'), join(folder, 'logs', 'new', 'deep', 'deep.log'));
    const before = outcomes(watching).length;
    t.comment(`the logs arrived after ${before} of ${sites}`);
    await watching.until(/late\.log: saved LATE/);
    await watching.until(/deep\.log: saved DEEP/);
    t.equal(outcomes(watching).length, sites + 2);
    t.equal(await watching.stop(), 0);
  },
);

t.test(
  'import --watch notifies systemd that it is ready, alive and stopping',
  withSystemd(),
  async (t) => {
    const folder = shortFolder(t);
    mkdirSync(join(folder, 'logs'));
    const { path, heard, signs } = await receiveNotifications(t, folder);
    const watching = await watch(t, folder, ['logs'], {
      NOTIFY_SOCKET: path,
      WATCHDOG_USEC: '400000',
    });
    await eventually('signs of life', () => signs() >= 3);
    // Each notification is a process of its own.
    await eventually('the start', () => heard().includes('READY=1'));
    t.equal(heard().split('READY=1').length, 2, 'once');
    t.equal(await watching.stop(), 0);
    await eventually('the end', () => heard().includes('STOPPING=1'));
    t.equal(watching.output.stderr, '');
  },
);

t.test('import --watch --rescan finds a change without a file system event', async (t) => {
  const folder = t.testdir({ logs: { 'aaaa.log': log('AAAA') } });
  // A folder has events only for writes through that folder.
  linkSync(join(folder, 'logs', 'aaaa.log'), join(folder, 'other-name'));
  const [often, seldom] = await Promise.all([
    watch(t, folder, ['logs', '--rescan', '1']),
    watch(t, folder, ['logs', '--rescan', '86400', '--database', 'seldom.sqlite']),
  ]);
  for (const each of [often, seldom]) await each.until(/aaaa\.log: saved/);
  // The other watch has finished the search after its import.
  await rest(2 * NOTHING);
  writeFileSync(join(folder, 'other-name'), log('AAAA', 'R2', '2021-01-01'));
  await often.until(/1 superseded/);
  t.same(outcomes(seldom), ['logs/aaaa.log: saved AAAA: 1 Setup added, 0 superseded']);
  for (const each of [often, seldom]) t.equal(await each.stop(), 0);
});

/**
 * What the database has recorded as the last import; undefined if there is nothing yet, perhaps no
 * database.
 */
function lastImportIn(file: string): Record<string, unknown> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return withSqlite(file, (db) =>
      db.prepare<[], Record<string, unknown>>('SELECT * FROM last_import').get(),
    );
  } catch (error) {
    if (/no such table/.test((error as Error).message)) return undefined;
    throw error;
  }
}

t.test('the last import of a watch has the outcomes of all files in the folders', async (t) => {
  const folder = t.testdir({ logs: { 'aaaa.log': log('AAAA'), 'bad.log': BAD } });
  const watching = await watch(t, folder, ['logs', '--rescan', '1']);
  await watching.until(/aaaa\.log: saved/);
  await watching.until(/bad\.log: rejected/);
  const recorded = (expected: Record<string, number>): Promise<void> =>
    eventually(JSON.stringify(expected), () => {
      const found = lastImportIn(join(folder, 'watch.sqlite'));
      return Object.entries(expected).every(([outcome, number]) => found?.[outcome] === number);
    });
  await recorded({ saved: 1, rejected: 1 });
  watching.child.kill('SIGHUP');
  writeFileSync(join(folder, 'logs', 'bbbb.log'), log('BBBB'));
  await recorded({ saved: 2, rejected: 1 });
  const rejected = (): string[] =>
    withSqlite(join(folder, 'watch.sqlite'), (db) =>
      db.prepare<[], string>('SELECT path FROM rejected_file').pluck().all(),
    );
  t.same(rejected(), [join(folder, 'logs', 'bad.log')]);
  unlinkSync(join(folder, 'logs', 'bad.log'));
  await recorded({ saved: 2, rejected: 0 });
  await eventually('no rejected file', () => rejected().length === 0);
  writeFileSync(join(folder, 'logs', 'cccc.log'), BAD);
  await eventually('a rejected file', () => rejected().length === 1);
  writeFileSync(join(folder, 'logs', 'cccc.log'), log('CCCC'));
  await eventually('an accepted file', () => rejected().length === 0);
  t.equal(await watching.stop(), 0);
});

t.test(
  'a watch that finds nothing new still renews the last import, unless a folder is missing',
  async (t) => {
    const folder = t.testdir({ logs: {} });
    const database = join(folder, 'a.sqlite');
    const logs = join(folder, 'logs');
    const stop = new AbortController();
    const watching = new FolderWatch({
      paths: [logs],
      database,
      jobs: 1,
      rescan: 3600_000,
      renewal: 1000,
      onFile: () => undefined,
    });
    const ended = watching.run(stop.signal);
    t.teardown(() => stop.abort());
    const finishedAt = (): unknown => lastImportIn(database)?.finished_at;
    await eventually('a record', () => finishedAt() !== undefined);
    const first = finishedAt();
    await eventually('another one', () => finishedAt() !== first);
    rmSync(logs, { recursive: true });
    // It may be renewed once more before the folder is missed, and never again.
    let last: unknown;
    do {
      last = finishedAt();
      await rest(2500);
    } while (finishedAt() !== last);
    stop.abort();
    await ended;
  },
);

t.test(
  'on SIGTERM, import --watch ends soon even if another process has locked the database',
  async (t) => {
    const folder = t.testdir({ logs: { 'aaaa.log': log('AAAA') } });
    const watching = await watch(t, folder, ['logs']);
    await watching.until(/aaaa\.log: saved/);
    await rest(1000);
    const db = new Database(join(folder, 'watch.sqlite'));
    t.teardown(() => db.close());
    db.exec('BEGIN IMMEDIATE');
    writeFileSync(join(folder, 'logs', 'bbbb.log'), log('BBBB'));
    await watching.until(/is locked by another process/);
    await rest(5500);
    // The lock is still there.
    t.equal(await watching.stop(), 0);
  },
);

/** A station in Australia or in Chile, by its four characters. */
const stationIn = (country: 'Australia' | 'Chile', prepared: string): string =>
  logText({
    id: 'QXAA',
    prepared,
    country,
    place:
      country === 'Chile'
        ? placeOf('-332708.40', '-0704003.80')
        : placeOf('-234012.45', '+1335307.85'),
    receivers: [{ type: 'R0', serial: country, from: '2001-01-01' }],
  });

for (const [correction, outcome] of [
  [['site', 'rename', 'QXAA', 'QXAA00AUS'], /there\.log: saved QXAA: 1 Setup added/],
  [['log', 'withdraw', 'QXAA', 'here.log'], /there\.log: saved QXAA: 1 Setup added/],
] as const)
  t.test(`import --watch reads a rejected file again after ${correction.join(' ')}`, async (t) => {
    const folder = t.testdir({ logs: { 'here.log': stationIn('Australia', '2020-01-01') } });
    const watching = await watch(t, folder, ['logs', '--rescan', '1']);
    await watching.until(/here\.log: saved/);
    writeFileSync(join(folder, 'logs', 'there.log'), stationIn('Chile', '2021-01-01'));
    await watching.until(/there\.log: rejected/);
    const { code, stderr } = await runTool([...correction, '--database', 'watch.sqlite'], {
      cwd: folder,
    });
    t.equal(code, 0, stderr);
    await watching.until(outcome);
    t.equal(await watching.stop(), 0);
  });
