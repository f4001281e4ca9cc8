import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import Database from 'better-sqlite3';
import t from 'tap';
import * as backupCommand from '../../src/cli/commands/backup.js';
import * as restoreCommand from '../../src/cli/commands/restore.js';
import * as verifyCommand from '../../src/cli/commands/verify.js';
import { killAll, startService, startTool } from '../campaigns/processes.js';
import { importInto } from '../databases.js';
import { logText } from '../synthetic-log.js';
import { rawDatabase, withSqlite } from '../raw-database.js';
import { runHere } from './in-process.js';
import { fails } from './serving.js';

t.teardown(killAll);
const folder = t.testdir({ first: {}, more: {} });
const file = (name: string): string => join(folder, name);
const database = file('a.sqlite');

/** Logs with some Setups each. */
function writeLogs(where: string, from: number, to: number, type: string): string {
  for (let site = from; site < to; site++) {
    const yearOf = (n: number): string => `${1990 + n}-01-01`;
    const receivers = Array.from({ length: 10 }, (_, n) => ({
      type,
      serial: `${site}-${n}`,
      from: yearOf(n),
      to: yearOf(n + 1),
    }));
    writeFileSync(
      join(folder, where, `${site}.log`),
      logText({ id: `B${String(site).padStart(3, '0')}`, receivers }),
    );
  }
  return file(where);
}

t.before(async () => {
  await importInto(database, [writeLogs('first', 0, 100, 'FIRST')]);
});

/** The files that a backup or restore may leave behind. */
const leftovers = (): string[] =>
  readdirSync(folder).filter((name) => /partial|lock|saving/.test(name));

/** Runs statements on a database. */
const change = (path: string, statements: string): void =>
  void withSqlite(path, (db) => db.exec(statements));

const sitesOf = (path: string): number =>
  withSqlite(path, (db) => {
    t.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    return db.prepare<[], number>('SELECT count(*) FROM site').pluck().get()!;
  });

t.test('backup and restore work while the service is under load and an import runs', async (t) => {
  const service = await startService(database);
  t.equal(readFileSync(`/proc/${service.pid}/comm`, 'utf8'), 'gnss-serve\n', 'as ps names it');
  const statuses = new Map<number, number>();
  let running = true;
  const clients = Array.from({ length: 4 }, async (_, client) => {
    for (let n = 0; running; n++) {
      const id = `B${String((n * 7 + client) % 100).padStart(3, '0')}`;
      const response = await fetch(
        `http://127.0.0.1:${service.port}/setups/search/findByFourCharacterId?id=${id}`,
      );
      await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      await rest(5);
    }
  });
  const answered = async (): Promise<number> =>
    ((await (await fetch(`http://127.0.0.1:${service.port}/ready`)).json()) as { sites: number })
      .sites;
  const importing = startTool([
    'import',
    '--database',
    database,
    writeLogs('more', 100, 250, 'MORE'),
  ]);
  while ((await answered()) === 100) await rest(5);
  const backup = file('backup.sqlite');
  const { code, stdout, stderr } = await runHere(['backup', '--database', database, backup]);
  t.same([code, stderr], [0, '']);
  t.match(stdout, /^Backup ".*backup\.sqlite": \d+ Sites, \d+\.\d MB, checked\n$/);
  const sites = sitesOf(backup);
  t.ok(sites >= 100 && sites <= 250, `${sites} Sites`);
  t.equal(statSync(backup).mode & 0o777, 0o640);
  t.match(await importing.ended, { code: 0 });
  t.equal(await answered(), 250);

  const restored = await runHere(['restore', '--database', database, backup]);
  t.same([restored.code, restored.stderr], [0, '']);
  t.match(
    restored.stdout,
    /^Restored from ".*": \d+ Sites, \d+\.\d MB\nThe old content is in ".*a\.sqlite\.before-restore-\d{8}T\d{6}Z"\n$/,
  );
  t.equal(await answered(), sites, 'at the next request');
  t.equal(sitesOf(/content is in "(.*)"/.exec(restored.stdout)![1]!), 250);
  t.match(await runHere(['verify', '--database', database]), {
    code: 0,
    stderr: '',
    stdout: /nothing found/,
  });
  running = false;
  await Promise.all(clients);
  t.same([...statuses.keys()], [200], 'every request was answered');
  t.ok(statuses.get(200)! > 50);
  t.same(await service.stop(), []);
});

t.test('a killed backup leaves the earlier one, and the next backup works', async (t) => {
  const backup = file('kept.sqlite');
  copyFileSync(database, backup);
  // As in a backup; a killed reader of a database with a WAL leaves files beside it.
  change(backup, 'PRAGMA journal_mode = delete');
  const before = readFileSync(backup);
  let killed = 0;
  for (let tries = 0; tries < 25 && killed < 2; tries++) {
    const { child, ended } = startTool(['backup', '--database', database, backup]);
    while (!existsSync(`${backup}.partial`) && child.exitCode === null) await rest(1);
    child.kill('SIGKILL');
    if ((await ended).signal === 'SIGKILL') killed++;
    if (readFileSync(backup).equals(before)) continue;
    t.equal(sitesOf(backup), sitesOf(database));
  }
  t.ok(killed > 0);
  t.match(await runHere(['backup', '--database', database, backup]), { code: 0, stderr: '' });
  t.equal(sitesOf(backup), sitesOf(database));
  t.same(leftovers(), []);
});

t.test('restore refuses while another process writes, and changes nothing', async (t) => {
  const other = new Database(database);
  other.exec('BEGIN IMMEDIATE');
  const stderr =
    /^gnss-site-setups: database ".*" is locked by another process; try again when that process has finished\n$/;
  t.match(await runHere(['restore', '--database', database, file('kept.sqlite')]), {
    code: 3,
    stderr,
  });
  other.close();
});

t.test('restore creates a database, and refuses a file that is not a backup', async (t) => {
  const created = file('created.sqlite');
  t.match(await runHere(['restore', '--database', created, file('kept.sqlite')]), {
    code: 0,
    stdout: /^Restored from ".*": \d+ Sites, [^\n]*\n$/,
  });
  t.equal(sitesOf(created), sitesOf(file('kept.sqlite')));
  writeFileSync(file('text'), 'x'.repeat(5000));
  for (const [name, sql] of [
    ['newer', 'UPDATE gnss_site_setups SET migration = 99'],
    ['trigger', 'CREATE TRIGGER theirs AFTER INSERT ON site BEGIN DELETE FROM setup; END'],
    ['unbound', 'DROP INDEX setup_valid'],
    [
      'development',
      'DROP TABLE gnss_site_setups; CREATE TABLE gnss_site_setups (migration INTEGER)',
    ],
  ] as const) {
    copyFileSync(file('kept.sqlite'), file(`${name}.sqlite`));
    change(file(`${name}.sqlite`), sql);
  }
  const damaged = file('damaged.sqlite');
  const bytes = readFileSync(file('kept.sqlite'));
  bytes.fill(0xa5, 100 * 4096, 101 * 4096);
  writeFileSync(damaged, bytes);
  writeFileSync(file('short.sqlite'), readFileSync(file('kept.sqlite')).subarray(0, 100 * 4096));
  change(file('guest.sqlite'), 'CREATE TABLE theirs (x)');
  spawnSync('mkfifo', [file('pipe')]);
  const before = sitesOf(created);
  for (const [from, name, message] of [
    [
      'absent',
      'StoreUnusable',
      /^the backup cannot be restored; your database was not changed: .*absent" does not exist$/,
    ],
    [
      'text',
      'WrongDatabase',
      /^"[^"]*text" is not a backup of this service; your database was not changed$/,
    ],
    [
      'guest.sqlite',
      'WrongDatabase',
      /^"[^"]*guest\.sqlite" is not a backup of this service; your database was not changed$/,
    ],
    ['newer.sqlite', 'WrongDatabase', /is from a newer version \(migration 99/],
    ...(['damaged.sqlite', 'short.sqlite'] as const).map(
      (name) =>
        [
          name,
          'DamagedDatabase',
          new RegExp(`^the backup is damaged; your database was not changed: "[^"]*${name}"$`),
        ] as const,
    ),
    [
      'trigger.sqlite',
      'StoreUnusable',
      /trigger\.sqlite" is not as this service makes it: [^\n]*theirs/,
    ],
    [
      'unbound.sqlite',
      'StoreUnusable',
      /unbound\.sqlite" is not as this service makes it: [^\n]*setup_valid/,
    ],
    [
      'development.sqlite',
      'WrongDatabase',
      /was made by a development version; import the site logs into a new one/,
    ],
    ['created.sqlite', 'UsageError', /is the database itself/],
    ['pipe', 'WrongDatabase', /"[^"]*pipe" cannot be opened: it is not a regular file/],
  ] as const) {
    await fails(t, restoreCommand, ['--database', created, file(from)], name, message);
    t.equal(sitesOf(created), before);
  }
  const development = ['--database', file('development.sqlite')];
  await fails(
    t,
    restoreCommand,
    [...development, file('kept.sqlite')],
    'WrongDatabase',
    /development version/,
  );
  await fails(
    t,
    backupCommand,
    [...development, file('x')],
    'WrongDatabase',
    /development version/,
  );
});

t.test('restore and verify refuse a database that is not one of this service', async (t) => {
  change(file('other.sqlite'), 'CREATE TABLE theirs (x)');
  writeFileSync(file('letter.txt'), 'a letter');
  for (const [target, message] of [
    ['other.sqlite', /belongs to another application/],
    ['letter.txt', /is not a SQLite database/],
    ['pipe', /is not a regular file/],
  ] as const) {
    const before = target === 'pipe' ? '' : readFileSync(file(target), 'latin1');
    const own = ['--database', file(target)];
    await fails(t, restoreCommand, [...own, file('kept.sqlite')], 'WrongDatabase', message);
    await fails(t, verifyCommand, own, 'WrongDatabase', message);
    if (target !== 'pipe') t.equal(readFileSync(file(target), 'latin1'), before);
  }
});

t.test(
  'a backup can be restored and verified where nothing can be written, and over a ' +
    'database in any journal mode',
  async (t) => {
    const backup = file('kept.sqlite');
    t.same(await rawDatabase(backup).all('PRAGMA journal_mode'), [{ journal_mode: 'delete' }]);
    const plain = file('plain.sqlite');
    copyFileSync(backup, plain);
    symlinkSync(plain, file('link.sqlite'));
    const restored = await runHere(['restore', '--database', file('link.sqlite'), backup]);
    t.match(restored, {
      code: 0,
      stderr: '',
      stdout: /The old content is in ".*plain\.sqlite\.before-restore-/,
    });
    t.equal(sitesOf(plain), sitesOf(backup));
    t.notOk(readdirSync(folder).some((name) => /^kept\.sqlite./.test(name)));
  },
);

t.test(
  'a killed restore leaves no false old content, and the next one removes what it left',
  async (t) => {
    const own = join(folder, 'killed');
    mkdirSync(own);
    const target = join(own, 'b.sqlite');
    copyFileSync(file('kept.sqlite'), target);
    let killed = 0;
    const saving = `${target}.saving`;
    // The last one is killed in time, so that it leaves something.
    for (let wait = 0; wait < 3 || (!existsSync(saving) && wait < 30); wait++) {
      rmSync(saving, { force: true });
      const { child, ended } = startTool(['restore', '--database', target, file('kept.sqlite')]);
      while (!existsSync(saving) && child.exitCode === null) await rest(1);
      child.kill('SIGKILL');
      // On a busy machine, the signal may come when the content has been replaced.
      if ((await ended).signal === 'SIGKILL' && existsSync(saving)) killed++;
      const old = readdirSync(own).filter((each) => each.includes('.before-'));
      for (const name of old) t.equal(sitesOf(join(own, name)), sitesOf(target));
      t.ok(old.length <= wait + 1 - killed, 'a killed restore leaves no old content');
    }
    t.ok(existsSync(saving));
    t.match(await runHere(['restore', '--database', target, file('kept.sqlite')]), {
      code: 0,
      stderr: '',
    });
    const others = readdirSync(own).filter(
      (name) => !/^b\.sqlite(-wal|-shm|\.before-restore-\w+(-\d)?)?$/.test(name),
    );
    t.same(others, []);
  },
);

t.test(
  'backup refuses the database itself, by any name, and files that are not backups',
  async (t) => {
    mkdirSync(file('folder'));
    writeFileSync(file('notes.txt'), 'notes');
    change(file('theirs.sqlite'), 'CREATE TABLE theirs (x)');
    symlinkSync(file('nowhere'), file('dangling'));
    symlinkSync(file('notes.txt'), file('to-notes'));
    for (const [target, message] of [
      [database, /is the database itself/],
      [join(folder, 'first', '..', 'a.sqlite'), /is the database itself/],
      [file('folder'), /is not a regular file/],
      [file('notes.txt'), /exists and is not a backup/],
      [file('to-notes'), /exists and is not a backup/],
      [file('theirs.sqlite'), /exists and is not a backup/],
      [file('dangling'), /is a link to a file that does not exist/],
    ] as const) {
      await fails(t, backupCommand, ['--database', database, target], 'UsageError', message);
    }
    t.equal(readFileSync(file('notes.txt'), 'utf8'), 'notes');
    symlinkSync(file('kept.sqlite'), file('to-kept'));
    t.match(await runHere(['backup', '--database', database, file('to-kept')]), {
      code: 0,
      stderr: '',
    });
    t.ok(lstatSync(file('to-kept')).isSymbolicLink(), 'the link stays');
    // Root may read everything.
    if (process.getuid!() !== 0) {
      copyFileSync(file('kept.sqlite'), file('secret.sqlite'));
      chmodSync(file('secret.sqlite'), 0);
      const stderr = /^[^\n]* cannot be (read|used): [^\n]*\n$/;
      t.match(await runHere(['backup', '--database', database, file('secret.sqlite')]), {
        code: 3,
        stderr,
      });
    }
    await fails(t, backupCommand, [], 'UsageError', /backup takes one FILE/);
    await fails(
      t,
      backupCommand,
      ['--database', file('absent'), file('x')],
      'StoreUnusable',
      /does not exist/,
    );
  },
);

t.test(
  'verify works while the service runs, and says that an import or a backup helps',
  async (t) => {
    const service = await startService(database);
    const current = async (): Promise<string> =>
      (await fetch(`http://127.0.0.1:${service.port}/setups/3`)).text();
    const right = await current();
    change(
      database,
      "UPDATE setup SET equipment_in_use = replace(equipment_in_use, 'FIRST', 'F\u202eRST') WHERE id = 3",
    );
    t.not(await current(), right);
    const verified = await runHere(['verify', '--database', database]);
    t.match(verified, {
      code: 1,
      stdout:
        /^\d+ Sites: \d+ site logs read again\nsuperseded rows[^\n]* only the engine's check [^\n]*\n1 problem found\nto repair what differs from the logs, import the site logs into a new one, which loses [^\n]*; a backup helps if verify finds nothing in it;[^\n]*\n$/,
      stderr: /^Site B\d{3}: its logs give other values than those on record: Setups\n$/,
    });
    t.notMatch(verified.stderr, /[^\P{C}\n]/u, 'no control characters');
    await fails(t, verifyCommand, ['x'], 'UsageError', /verify takes no arguments/);
    t.same(await service.stop(), []);
  },
);
