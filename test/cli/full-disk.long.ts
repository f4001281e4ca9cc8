import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { afterShell, runTool } from '../campaigns/processes.js';
import { importInto } from '../databases.js';
import { SAMPLE } from '../project-files.js';
import { logText } from '../synthetic-log.js';
import { rawDatabase } from '../raw-database.js';
import { runHere } from './in-process.js';

const folder = t.testdir();
const database = join(folder, 'a.sqlite');
const backup = join(folder, 'backup.sqlite');
const log = join(folder, 'long_20200101.log');
const small = join(folder, 'small');
const inSmall = (name: string): string => join(small, name);

t.before(async () => {
  await importInto(database, [SAMPLE]);
  await runHere(['backup', '--database', database, backup]);
  const dayOf = (n: number): string =>
    new Date(Date.UTC(1990, 0, 1 + 100 * n)).toISOString().slice(0, 10);
  const receivers = Array.from({ length: 100 }, (_, n) => ({
    type: 'A',
    serial: `${n}`,
    from: dayOf(n),
    to: dayOf(n + 1),
  }));
  writeFileSync(log, logText({ id: 'LONG', receivers }));
});

t.test('export --output keeps the last good export when writing fails', async (t) => {
  const output = join(folder, 'setups.ndjson');
  const args = [
    'export',
    'setups',
    '--format',
    'ndjson',
    '--database',
    database,
    '--output',
    output,
  ];
  t.match(await runHere(args), { code: 0, stderr: '' });
  const written = readFileSync(output);
  // Longer files are refused, as on a full disk. SQLite needs 32 KiB for its -shm file.
  t.ok(written.length > 64 * 1024);
  const failed = await runTool(args, { before: afterShell('ulimit -f 64') });
  t.match(failed, {
    code: 3,
    stdout: '',
    stderr: `gnss-site-setups: "${output}" cannot be written`,
  });
  t.ok(readFileSync(output).equals(written));
  t.notOk(readdirSync(folder).some((name) => /partial|lock/.test(name)));
  t.match(await runHere([...args.slice(0, -1), '/dev/null']), { code: 0, stderr: '' });
  t.notOk(statSync('/dev/null').isFile(), 'a device is written, not replaced');
  t.match(await runHere([...args.slice(0, -1), join(folder, 'none', 'x')]), {
    code: 3,
    stderr: `"${join(folder, 'none', 'x')}" cannot be written`,
  });
});

/** Leaves so much space, in bytes. */
function fill(left: number): void {
  writeFileSync(inSmall('fill'), '');
  for (let size = 2 ** 20; size >= 4096;) {
    try {
      writeFileSync(inSmall('fill'), Buffer.alloc(size), { flag: 'a' });
    } catch {
      size /= 2;
    }
  }
  truncateSync(inSmall('fill'), statSync(inSmall('fill')).size - left);
}

t.test('a full disk gives one line and exit code 3, and leaves what was there', async (t) => {
  mkdirSync(small);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2048k', 'tmpfs', small]).status !== 0)
    return t.pass('this user may not mount a small file system');
  t.teardown(() => void spawnSync('umount', ['-l', small]));
  const own = inSmall('own.sqlite');
  copyFileSync(database, own);
  mkdirSync(inSmall('logs'));
  writeFileSync(inSmall('last.csv'), 'the last good export');
  fill(8192);
  const before = readdirSync(small).sort();
  for (const args of [
    ['serve', '--port', '0', '--database', own],
    ['import', '--database', own, log],
    ['backup', '--database', database, inSmall('copy.sqlite')],
    ['restore', '--database', own, backup],
    ['restore', '--database', inSmall('new.sqlite'), backup],
    [
      'export',
      'installations',
      '--format',
      'ndjson',
      '--database',
      database,
      '--output',
      inSmall('last.csv'),
    ],
    ['convert', '--to', 'geodesyml05', '--output', inSmall('logs'), log],
    ['copy', '--from', database, '--to', inSmall('copied.sqlite')],
    ['verify', '--database', own],
  ]) {
    const { code, stderr } = await (args[0] === 'serve' ? runTool : runHere)(args);
    t.match(stderr, /^gnss-site-setups: [^\n]*disk is full[^\n]*\n$/, args.join(' '));
    t.equal(code, 3, args.join(' '));
  }
  const stdout = await runTool(
    ['export', 'installations', '--format', 'ndjson', '--database', database],
    {
      before: afterShell(`exec >${inSmall('piped')}`),
    },
  );
  t.match(stdout, { code: 3, stderr: /^gnss-site-setups: [^\n]*disk is full\n$/ });
  t.equal(readFileSync(inSmall('last.csv'), 'utf8'), 'the last good export');
  const added = readdirSync(small).filter(
    (name) => !before.includes(name) && !/^own\.sqlite|piped/.test(name),
  );
  t.same(added, []);
  rmSync(inSmall('fill'));
  t.same(await rawDatabase(own).all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
});
