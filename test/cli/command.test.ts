import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request as secureRequest } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { PUBLISHED } from '../../schemas/index.js';
import { SETTINGS, flagOf, variableOf } from '../../src/cli/settings.js';
import { CONTRACT, logText, readProjectFile, ROOT, SAMPLE } from '../helper.js';

const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const ENVIRONMENT = { PATH: process.env.PATH ?? '' };

/** Runs the command to its end. */
const run = (args: string[], env: Record<string, string> = {}, cwd = ROOT): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { cwd, env: { ...ENVIRONMENT, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });

interface Running {
  process: ChildProcessByStdio<null, Readable, Readable>;
  base: string;
  urls: string[];
  stderr: () => string;
  ended: Promise<number | null>;
}

/** Starts `serve` and waits until it has printed its URLs. */
async function serve(t: Test, args: string[], env: Record<string, string> = {}): Promise<Running> {
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', ...args], {
    env: { ...ENVIRONMENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      if (/gnssReceivers\?type=.*\n/.test(stdout)) resolve();
    });
    child.on('exit', () => reject(new Error(`serve ended: ${stderr}`)));
  });
  const base = /at (\S+)/.exec(stdout)![1]!;
  return { process: child, base, urls: stdout.match(/^ {2}\S+$/gm)!.map((url) => url.trim()), stderr: () => stderr, ended };
}

t.test('serve prints working URLs, sees imports of other processes at once, and exits with 0 on SIGTERM and SIGINT', async (t) => {
  const database = join(
    t.testdir({ 'test_20200101.log': logText({ receivers: [{ type: 'R0', serial: '1', from: '2001-01-01' }] }) }),
    'a.sqlite',
  );
  await run(['import', SAMPLE, '--database', database]);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const service = await serve(t, ['--database', database]);
    t.match(service.urls, [/\/sites$/, /findCurrentByFourCharacterId\?id=ALIC$/, /gnssReceivers\?type=TRIMBLE%20NETRS$/]);
    for (const url of service.urls) t.equal((await fetch(url)).status, 200);
    if (signal === 'SIGTERM') {
      const url = `${service.base}/setups/search/findCurrentByFourCharacterId?id=TEST`;
      t.equal((await fetch(url)).status, 404);
      t.equal((await run(['import', join(database, '..', 'test_20200101.log'), '--database', database])).code, 0);
      t.equal((await fetch(url)).status, 200);
    }
    service.process.kill(signal);
    t.equal(await service.ended, 0, signal);
  }
});

t.test('on SIGTERM, serve does not wait for a request that never ends', async (t) => {
  const database = join(t.testdir(), 'a.sqlite');
  await run(['import', SAMPLE, '--database', database]);
  const { process: child, base, ended } = await serve(t, ['--database', database]);
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  // An incomplete request, whose headers never end.
  await new Promise<void>((resolve) => socket.write('GET /health HTTP/1.1\r\nHost: a\r\n', () => resolve()));
  socket.on('error', () => undefined);
  t.equal((await fetch(`${base}/health`)).status, 200);
  child.kill('SIGTERM');
  t.equal(await ended, 0);
  socket.destroy();
});

t.test('serve with a certificate and key uses HTTPS, also in its links', async (t) => {
  const folder = t.testdir();
  const [certificate, key, database] = ['cert.pem', 'key.pem', 'a.sqlite'].map((name) => join(folder, name)) as [string, string, string];
  await new Promise<void>((resolve, reject) => {
    const args = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      certificate,
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
    ];
    execFile('openssl', args, (error) => (error === null ? resolve() : reject(error)));
  });
  await run(['import', SAMPLE, '--database', database]);
  const tls = ['--tls-certificate', certificate, '--tls-key', key];
  const { base, process: child, ended } = await serve(t, ['--database', database, ...tls]);
  t.match(base, /^https:\/\/127\.0\.0\.1:\d+$/);
  const body = await new Promise<string>((resolve, reject) => {
    secureRequest(`${base}/gnssReceivers`, { ca: readFileSync(certificate), checkServerIdentity: () => undefined }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
  t.equal(JSON.parse(body)._links.self.href, `${base}/gnssReceivers`);
  child.kill('SIGTERM');
  t.equal(await ended, 0);

  const cases: [string[], RegExp, number][] = [
    [['--tls-certificate', certificate], /must be given together/, 2],
    [
      ['--tls-certificate', join(folder, 'absent'), '--tls-key', key],
      /cannot read --tls-certificate ".*absent" \(ENOENT\); expected a PEM file/,
      3,
    ],
    [['--tls-certificate', key, '--tls-key', key], /are not a matching PEM certificate and key/, 3],
  ];
  for (const [args, message, code] of cases) {
    const result = await run(['serve', '--database', database, ...args]);
    t.equal(result.code, code);
    t.match(result.stderr, message);
    t.equal(result.stderr.trim().split('\n').length, code === 2 ? 2 : 1);
  }
});

t.test('serve explains in one line why it cannot start, and exits with 3', async (t) => {
  const folder = t.testdir({ 'text.sqlite': `${'no database '.repeat(20)}` });
  const good = join(folder, 'good.sqlite');
  await run(['import', SAMPLE, '--database', good]);
  const newer = join(folder, 'newer.sqlite');
  await run(['import', SAMPLE, '--database', newer]);
  const db = new Database(newer);
  db.pragma('user_version = 7');
  db.close();
  const damaged = join(folder, 'damaged.sqlite');
  await run(['import', SAMPLE, '--database', damaged]);
  const bytes = readFileSync(damaged);
  bytes.fill(0xa5, 5 * 4096);
  writeFileSync(damaged, bytes);
  const busy = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => busy.on('listening', resolve));
  t.teardown(() => busy.close());
  const port = String((busy.address() as AddressInfo).port);
  const cases: [string[], RegExp][] = [
    [['--database', join(folder, 'absent.sqlite')], /absent\.sqlite" does not exist; create it with: gnss-site-setups import/],
    [['--database', join(folder, 'text.sqlite')], /SQLite database/],
    [['--database', damaged], /is damaged; restore it/],
    [['--database', newer], /is from a newer version \(migration 7/],
    [['--database', folder], /cannot be opened/],
    [['--database', good, '--port', port], new RegExp(`127\\.0\\.0\\.1:${port} is in use by another process; .*--port`)],
    [['--database', good, '--host', '192.0.2.1'], /192\.0\.2\.1:8080 is not an address of this machine/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr, stdout } = await run(['serve', '--log-level', 'silent', ...args]);
    t.equal(code, 3, args.join(' '));
    t.match(stderr, message);
    t.equal(stderr.trim().split('\n').length, 1, stderr);
    t.equal(stdout, '');
  }
});

t.test('a usage error exits with 2 and says what was expected', async (t) => {
  const cases: [string[], RegExp, Record<string, string>?][] = [
    [[], /missing COMMAND/],
    [['sevre'], /unknown command "sevre"; expected serve, import, lookup, check-service, export-schemas/],
    [['__proto__'], /unknown command "__proto__"/],
    [['serve', '--prot', '1'], /--prot/],
    [['serve', 'now'], /serve takes no arguments; got "now"/],
    [['serve', '--port', '99999'], /--port "99999": expected a number from 0 to 65535/],
    [['serve'], /PORT "x": expected a number/, { PORT: 'x' }],
    [['serve', '--base-url', 'ftp://x'], /--base-url "ftp:\/\/x": expected an http or https URL/],
    [['serve', '--log-level', 'loud'], /expected one of trace, debug/],
    [['serve', '--trust-proxy', 'friends'], /IP address or network/],
    [['serve', '--database', ''], /--database "": expected FILE/],
    [['import'], /import needs at least one PATH/],
    [['import', '/does/not/exist'], /cannot read "\/does\/not\/exist" \(ENOENT\)/],
    [['export-schemas', 'a', 'b'], /one too many/],
  ];
  for (const [args, message, env] of cases) {
    const { code, stderr, stdout } = await run(args, env);
    t.equal(code, 2, args.join(' '));
    t.match(stderr, message);
    t.equal(stdout, '');
  }
});

t.test('import prints findings to stderr and a summary to stdout, and supports a report and a dry run', async (t) => {
  const folder = t.testdir({
    logs: {
      'good.log': logText({
        receivers: [
          { type: 'R0', from: '2001-20-07' },
          { type: 'R1', from: '2001-01-01' },
        ],
      }),
      'evil.log': logText({ id: 'EVIL', receivers: [{ type: 'R0', from: 'at \u001b[31mred\u0007\u202e' }] }),
    },
    bad: { 'bad.log': logText({ id: 'WRONG' }) },
    empty: {},
  });
  const path = (...names: string[]) => join(folder, ...names);
  const database = ['--database', path('a.sqlite')];
  const dry = await run(['import', path('logs'), '--dry-run', ...database]);
  t.equal(dry.code, 0);
  t.match(dry.stdout, /2 files: 2 saved.*\nSetups: 1 added, 0 superseded\nDry run: nothing was saved\.\n$/);
  t.notOk(existsSync(path('a.sqlite')), 'a dry run creates no file');

  const first = await run(['import', path('logs'), '--report', path('report.ndjson'), ...database]);
  t.equal(first.code, 0);
  t.match(first.stdout, /^2 files: 2 saved, 0 unchanged, 0 outdated, 0 rejected, 0 skipped \(not site logs\)\n/);
  t.match(first.stderr, new RegExp(`^${path('logs', 'good.log')}:\\d+: warning: Date Installed: not a date.*: "2001-20-07"$`, 'm'));
  t.notMatch(first.stderr, /\u001b|\u0007|\u202e/, 'no control characters from a log reach the terminal');
  t.match(first.stderr, '\\u001b[31mred\\u0007\\u202e');
  const report = readFileSync(path('report.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.equal(report.length, first.stderr.trim().split('\n').length);
  for (const finding of report) t.same(Object.keys(finding), ['file', 'line', 'level', 'message', 'text']);

  const bytes = readFileSync(path('a.sqlite'));
  writeFileSync(path('logs', 'good.log'), logText({ prepared: '2021-01-01', receivers: [{ type: 'R9', from: '2001-01-01' }] }));
  t.match((await run(['import', path('logs'), '--dry-run', ...database])).stdout, /1 saved, 1 unchanged.*\nSetups: 1 added, 1 superseded/);
  t.ok(readFileSync(path('a.sqlite')).equals(bytes), 'a dry run leaves the file unchanged');

  const bad = await run(['import', path('bad'), path('logs'), ...database]);
  t.equal(bad.code, 1);
  t.match(bad.stderr, /bad\.log:6: error: Four Character ID: .*: "WRONG"/);
  t.match(bad.stdout, /3 files: 1 saved, 1 unchanged, 0 outdated, 1 rejected/);

  t.match(await run(['import', path('empty'), ...database]), { code: 2, stderr: /no files found in/ });
  t.match(await run(['import', path('logs'), '--report', path('no', 'such'), ...database]), {
    code: 2,
    stderr: /cannot write to --report/,
  });
  t.match(await run(['import', path('logs'), '--database', path('no', 'a.sqlite')]), { code: 3, stderr: /there is no folder/ });
  t.match(await run(['import', path('logs')], { DATABASE: path('b.sqlite') }), { code: 0 });
  t.ok(existsSync(path('b.sqlite')), 'the database can be set in the environment');
});

t.test('a report never overwrites the database or a site log', async (t) => {
  const folder = t.testdir({ 'a.log': logText({ receivers: [{ type: 'R1', from: '2001-01-01' }] }) });
  const [log, database] = [join(folder, 'a.log'), join(folder, 'a.sqlite')];
  await run(['import', log, '--database', database]);
  for (const target of [log, database, join(folder, '.', 'a.log')]) {
    const before = readFileSync(target);
    t.match(await run(['import', log, '--database', database, '--report', target]), {
      code: 2,
      stderr: /is the database or one of the site logs/,
    });
    t.ok(readFileSync(target).equals(before), target);
  }
  writeFileSync(log, logText({ prepared: '2021-01-01', receivers: [{ type: 'R1', from: 'yesterday' }] }));
  t.match(await run(['import', log, '--database', database, '--report', '/dev/full']), {
    code: 3,
    stderr: /cannot write to --report "\/dev\/full" \(ENOSPC\)/,
  });
});

t.test('an import continues if nobody reads its output', async (t) => {
  const bad = {
    receivers: [
      { type: 'R', from: 'yesterday' },
      { type: 'R1', from: '2001-01-01' },
    ],
  };
  const logs = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`${n}.log`, logText({ ...bad, id: `A${String(n).padStart(3, '0')}` })]),
  );
  const folder = t.testdir({ logs });
  const child = spawn(process.execPath, [MAIN, 'import', join(folder, 'logs'), '--database', join(folder, 'a.sqlite')], {
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.once('data', () => child.stderr.destroy());
  child.stdout.destroy();
  t.equal(await new Promise((resolve) => child.on('exit', resolve)), 0);
  const db = new Database(join(folder, 'a.sqlite'), { readonly: true });
  t.equal(db.prepare('SELECT count(*) FROM site').pluck().get(), 200);
  db.close();
});

t.test('an import waits for the lock of another import', async (t) => {
  const database = join(t.testdir(), 'a.sqlite');
  await run(['import', SAMPLE, '--database', database]);
  const other = new Database(database);
  other.exec('BEGIN IMMEDIATE');
  const waiting = run(['import', SAMPLE, '--database', database]);
  setTimeout(() => other.exec('ROLLBACK'), 1000);
  t.match(await waiting, { code: 0, stdout: /8 unchanged/ });
  other.close();
});

t.test('--help lists every setting of a command, and --version prints the package version', async (t) => {
  t.equal((await run(['--version'])).stdout.trim(), JSON.parse(readProjectFile('package.json')).version);
  t.match((await run(['--help'])).stdout, /serve[\s\S]*import[\s\S]*export-schemas/);
  const help = (await run(['serve', '--help'])).stdout;
  for (const name of Object.keys(SETTINGS)) {
    t.ok(help.includes(`--${flagOf(name)} `), flagOf(name));
    t.ok(help.includes(variableOf(name)), variableOf(name));
  }
  t.match((await run(['import', '--help'])).stdout, /--report FILE[\s\S]*--dry-run[\s\S]*--database FILE/);
  t.match((await run(['check-service', '--help'])).stdout, /check-service URL[\s\S]*--allow-header NAME[\s\S]*--operation ID/);
  t.match((await run(['export-schemas', '--help'])).stdout, /export-schemas \[DIR\]/);
});

t.test('lookup shows the Setup of a Site, now or at a given time, without a server', async (t) => {
  const database = ['--database', join(t.testdir(), 'a.sqlite')];
  await run(['import', SAMPLE, ...database]);
  const now = await run(['lookup', 'alic', ...database]);
  t.equal(now.code, 0);
  const lines = now.stdout.trimEnd().split('\n');
  t.match(
    now.stdout,
    /^Site +ALIC\nSetup +\d+, in effect 2017-02-23T00:00:00Z to now\nGNSS receiver +LEICA GR25, 2017-02-23T00:00:00Z to now\n {2}serialNumber +1830439\n/,
  );
  t.match(now.stdout, /\n {2}markerArpUpEccentricity +0\.0015\n/);
  const column = lines[0]!.indexOf('ALIC');
  for (const line of lines) t.match(line.slice(column - 2, column + 1), /^ {2}\S$/, line);
  t.match(
    (await run(['lookup', 'ALIC', '--at', '2013:188', ...database])).stdout,
    /in effect 2013-03-08T00:00:00Z to 2013-07-08T00:45:00Z/,
  );
  t.match(JSON.parse((await run(['lookup', 'ALIC00AUS', '--at', '2013-07-08T00:45:00Z', '--json', ...database])).stdout), {
    effectivePeriod: { from: '2013-07-08T00:45:00Z', to: '2016-02-04T00:00:00Z' },
    current: false,
  });
  t.match(await run(['lookup', 'XXXX', ...database]), { code: 1, stdout: '', stderr: /there is no Site XXXX in the database/ });
  t.match(await run(['lookup', 'ALIC', '--at', '1980-01-01', ...database]), {
    code: 1,
    stderr: /the first Setup of ALIC begins at 1994-05-15T00:00:00Z/,
  });
  t.match(await run(['lookup', 'ALIC', '--at', 'noon', ...database]), { code: 2, stderr: /--at "noon": expected an instant/ });
  t.match(await run(['lookup', 'ALICE', ...database]), { code: 2, stderr: /is not a Site id/ });
  t.match(await run(['lookup', ...database]), { code: 2, stderr: /takes exactly one SITE/ });
});

t.test('export-schemas writes every published schema and openapi.json, identical to the committed files', async (t) => {
  const folder = join(t.testdir(), 'out');
  t.equal((await run(['export-schemas', folder])).code, 0);
  const names = ['openapi.json', ...Object.keys(PUBLISHED).map((name) => `${name}.json`)].sort();
  t.same(readdirSync(folder).sort(), names);
  t.same(readdirSync(CONTRACT).sort(), names);
  for (const name of names) {
    t.equal(
      readFileSync(join(folder, name), 'utf8'),
      readFileSync(join(CONTRACT, name), 'utf8'),
      `${name}: run export-schemas and commit the result`,
    );
  }
  const setup = JSON.parse(readFileSync(join(folder, 'Setup.json'), 'utf8'));
  t.match(setup, { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'urn:gnss-site-setups:schema:Setup' });
  writeFileSync(join(folder, 'file'), '');
  chmodSync(join(folder, 'file'), 0o400);
  t.match(await run(['export-schemas', join(folder, 'file')]), { code: 3, stderr: /cannot be written/ });
});

t.test('the guide to operation and the help agree on the settings', async (t) => {
  const guide = readProjectFile('src', 'cli', 'README.md');
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const row = `| \`--${flagOf(name)}\` | \`${variableOf(name)}\` | ${setting.default === null ? '' : `\`${setting.default}\``} |`;
    t.ok(guide.includes(row.replace('|  |', '| |')), row);
  }
});
