import { once } from 'node:events';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import t from 'tap';
import { PUBLISHED, type SetupResource } from '../../schemas/index.js';
import * as exportCommand from '../../src/cli/commands/export-schemas.js';
import * as importCommand from '../../src/cli/commands/import.js';
import { commandNameOf, readCommandLine } from '../../src/cli/line/command-line.js';
import { commandLines, COMMANDS } from '../../src/cli/commands.js';
import { helpOf } from '../../src/cli/line/help.js';
import * as lookupCommand from '../../src/cli/commands/lookup.js';
import * as serveCommand from '../../src/cli/commands/serve.js';
import * as sitesCommand from '../../src/cli/commands/sites.js';
import { flagOf, SETTINGS, variableOf } from '../../src/cli/line/settings.js';
import { createDatabase, importInto } from '../databases.js';
import { CONTRACT, readProjectFile, ROOT, SAMPLE } from '../project-files.js';
import { logText } from '../synthetic-log.js';
import { isInstalled, MAIN, runTool, startTool } from '../campaigns/processes.js';
import { rawDatabase } from '../raw-database.js';
import { nodeCommand } from '../node-command.js';
import { type AnyCommand, createCertificate, fails, run, serve, until } from './serving.js';

/** A database of the sample network, which no test changes. */
const sample = join(t.testdir(), 'sample.sqlite');
t.before(() => createDatabase(sample, [SAMPLE]));

const linesOf = (text: string): string[] => text.trim().split('\n');

/** Runs some cases at once, since most of their time is the start of a process. */
const together = async <T>(cases: T[], check: (each: T) => Promise<void>): Promise<void> =>
  void (await Promise.all(cases.map(check)));

t.test(
  'on a terminal, serve prints URLs that work, and logs text',
  { skip: !isInstalled('script') && 'script is not installed' },
  async (t) => {
    const [program, args] = nodeCommand(MAIN, 'serve', '--port', '0', '--database', sample);
    const child = spawn('script', ['-qfec', [program, ...args].join(' '), '/dev/null'], {
      env: { PATH: process.env.PATH },
      stdio: 'pipe',
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    await until('the URLs', () => /gnssReceivers\?type=.*\r?\n/.test(output));
    const urls = output.match(/(?<=^ {2})http\S+/gm);
    t.match(urls, [
      /\/sites$/,
      /findCurrentByFourCharacterId\?id=ALIC$/,
      /gnssReceivers\?type=TRIMBLE%20NETRS$/,
    ]);
    for (const url of urls!) t.equal((await fetch(url)).status, 200);
    t.match(
      output,
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO {2}serving 8 Sites at http:\S+\r?$/m,
    );
    child.stdin.write('\x03');
    await once(child, 'close');
    t.match(output, /INFO {2}stopped\r?$/m);
  },
);

t.test('on SIGTERM, serve does not wait for a request that never ends', async (t) => {
  const { child, base, ended } = await serve(t, t.testdir(), ['--port', '0']);
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  // An incomplete request, whose headers never end.
  await new Promise<void>((resolve) =>
    socket.write('GET /health HTTP/1.1\r\nHost: a\r\n', () => resolve()),
  );
  socket.on('error', () => undefined);
  t.equal((await fetch(`${base}/health`)).status, 200);
  child.kill('SIGTERM');
  t.equal((await ended).code, 0);
  socket.destroy();
});

t.test(
  'serve with a certificate and key uses HTTPS, also in its links, and exits with 0 on SIGINT',
  async (t) => {
    const folder = t.testdir();
    const certificate = join(folder, 'cert.pem');
    const key = join(folder, 'key.pem');
    const database = join(folder, 'a.sqlite');
    createCertificate(certificate, key);
    const tls = ['--tls-certificate', certificate, '--tls-key', key];
    const { base, child, ended } = await serve(t, folder, [
      '--port',
      '0',
      '--host',
      '127.0.0.1,127.0.0.2',
      ...tls,
    ]);
    t.match(base, /^https:\/\/127\.0\.0\.1:\d+$/);
    for (const each of [base, base.replace('127.0.0.1', '127.0.0.2')]) {
      const request = secureRequest(`${each}/gnssReceivers`, {
        ca: readFileSync(certificate),
        checkServerIdentity: () => undefined,
      }).end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      t.match(await json(response), { _links: { self: { href: `${each}/gnssReceivers` } } });
    }
    child.kill('SIGINT');
    t.equal((await ended).code, 0);

    const cases: [string[], RegExp, string][] = [
      [['--tls-certificate', certificate], /must be given together/, 'UsageError'],
      [
        ['--tls-certificate', join(folder, 'x'), '--tls-key', key],
        /cannot read --tls-certificate ".*x": .*; expected a PEM file/,
        'WrongSetting',
      ],
      [
        ['--tls-certificate', key, '--tls-key', key],
        /are not a matching PEM certificate and key/,
        'WrongSetting',
      ],
    ];
    for (const [args, message, name] of cases)
      await fails(t, serveCommand, ['--database', database, ...args], name, message);
  },
);

t.test('serve explains in one line why it cannot start, and exits with 3', async (t) => {
  const folder = t.testdir();
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  t.teardown(() => busy.close());
  const port = String((busy.address() as AddressInfo).port);
  const cases: [string[], RegExp][] = [
    [
      ['--database', join(folder, 'absent.sqlite')],
      /absent\.sqlite" does not exist; create it with: gnss-site-setups import/,
    ],
    [
      ['--database', sample, '--port', port],
      new RegExp(`127\\.0\\.0\\.1:${port} is in use by another process; .*--port`),
    ],
    [
      ['--database', sample, '--host', '192.0.2.1'],
      /192\.0\.2\.1:8080 is not an address of this machine/,
    ],
  ];
  await together(cases, async ([args, message]) => {
    const { code, stderr, stdout } = await run(['serve', '--log-level', 'silent', ...args]);
    t.equal(code, 3, args.join(' '));
    t.match(stderr, message);
    t.equal(stderr.trim().split('\n').length, 1, stderr);
    t.equal(stdout, '');
  });
});

t.test('a usage error exits with 2 and says what was expected', async (t) => {
  const cases: [string[], RegExp, Record<string, string>?][] = [
    [[], /missing COMMAND/],
    [
      ['sevre'],
      /^gnss-site-setups: unknown command "sevre"; did you mean serve\?\nSee gnss-site-setups --help\n$/,
    ],
    [['__proto__'], /unknown command "__proto__"/],
    [['quit'], /unknown command "quit"; expected serve, import, /],
    [
      ['serve', '--database', 'postgres://gnss@a,b/c'],
      /^gnss-site-setups: --database "postgres:\/\/…": expected one host in the URL; name one server, or a proxy that leads to the primary: see "Several servers" in the guide to PostgreSQL\n/,
    ],
    [['serve'], /PORT "x": expected a number/, { PORT: 'x' }],
    [
      ['serve', '--tls-key', 'a'],
      /^gnss-site-setups: --tls-certificate and --tls-key must be given together\nSee .*\n$/m,
    ],
    [['import'], /import needs at least one PATH/],
    [
      ['serve', '--prot', '80'],
      /^gnss-site-setups: unknown flag "--prot"; did you mean --port\?\nSee gnss-site-setups serve --help\n$/,
    ],
  ];
  await together(cases, async ([args, message, env]) => {
    const { code, stderr, stdout } = await runTool(args, { env: env ?? {} });
    t.equal(code, 2, args.join(' '));
    t.match(stderr, message);
    t.equal(stdout, '');
  });
  for (const [command, args, message] of [
    [serveCommand, ['-p', '1'], /^unknown flag "-p"$/],
    [serveCommand, ['--check=yes'], /^--check takes no value; got "yes"$/],
    [serveCommand, ['--port'], /^--port needs a value$/],
    [
      serveCommand,
      ['--port', '--check'],
      /^--port needs a value; if "--check" is meant, write --port=--check$/,
    ],
    [serveCommand, ['--port', '1', '--port', '2'], /^--port is given twice; give it once$/],
    [serveCommand, ['--check', '--check'], /^--check is given twice/],
    [lookupCommand, ['ALIC', '--format', 'csv', '--format=csv'], /^--format is given twice/],
    [serveCommand, ['now'], /serve takes no arguments; got "now"/],
    [importCommand, [], /import needs at least one PATH/],
    [importCommand, ['--jobs', '0', 'x'], /--jobs "0": expected auto, or a number from 1 to 64/],
    [serveCommand, ['--port', '99999'], /--port "99999": expected a number from 0 to 65535/],
    [
      serveCommand,
      ['--base-url', 'ftp://x'],
      /--base-url "ftp:\/\/x": expected an http or https URL/,
    ],
    [serveCommand, ['--log-level', 'loud'], /expected one of trace, debug/],
    [serveCommand, ['--allowed-hosts', 'gnss.example.org,a/b'], /"a\/b" is not a host such as/],
    [serveCommand, ['--trust-proxy', 'friends'], /is not an IP address or network/],
    [serveCommand, ['--database', ''], /--database "": expected FILE/],
    [exportCommand, ['a', 'b'], /one too many/],
    [lookupCommand, ['ALIC', '--at', 'noon'], /--at "noon": expected an RFC 3339 time/],
    [
      lookupCommand,
      ['ALIC', '--at', '2012-02-30'],
      /--at "2012-02-30": not a time \(2012-02 has 29 days\); expected an RFC 3339 time/,
    ],
    [lookupCommand, ['ALICE'], /is not a Site id/],
    [lookupCommand, [], /takes at least one SITE/],
    [
      lookupCommand,
      ['ALIC', '--format', 'xml'],
      /--format "xml": expected table, json, ndjson, csv/,
    ],
  ] satisfies [AnyCommand, string[], RegExp][]) {
    await fails(t, command, args, 'UsageError', message);
  }
});

t.test('a file that cannot be used exits with 3, in words', async (t) => {
  const none = join(t.testdir({ folder: {} }), 'none');
  const missing =
    /^gnss-site-setups: [^\n]*none[^\n]*there is no (such file or folder|folder "[^"]*")[^\n]*\n$/;
  const cases = [
    ['import', none],
    ['import', SAMPLE, '--report', join(none, 'x'), '--database', join(none, '..', 'a.sqlite')],
    ['check-log', none],
    ['check-log', '--baseline', none, SAMPLE],
    ['convert', '--to', 'text2', none],
    ['backup', join(none, 'x'), '--database', sample],
    ['export', 'sites', '--output', join(none, 'x'), '--database', sample],
  ];
  const wrongSettings = [
    ['serve', '--config', none],
    ['serve', '--tls-certificate', none, '--tls-key', none, '--database', sample],
  ];
  await together([...cases, ...wrongSettings], async (args) => {
    const code = wrongSettings.includes(args) ? 2 : 3;
    t.match(await run(args), { code, stdout: '', stderr: missing }, args.join(' '));
  });
  const file = join(t.testdir({ file: '' }), 'file');
  for (const args of [
    ['convert', '--to', 'text1', '--output', file, SAMPLE],
    ['export-schemas', file],
  ])
    t.match(await run(args), {
      code: 3,
      stdout: '',
      stderr: /there is already a file of this name$/m,
    });
  t.match(await runTool(['import', 'a\u001b[31m']), {
    code: 3,
    stderr: /cannot read "a\\u001b\[31m"/,
  });
});

t.test(
  'import prints findings to stderr and a summary to stdout, and supports a report and a dry run',
  async (t) => {
    const folder = t.testdir({
      logs: {
        'good.log': logText({
          receivers: ['2001-20-07', '2001-01-01'].map((from, n) => ({ type: `R${n}`, from })),
        }),
        'evil.log': logText({
          id: 'EVIL',
          receivers: [{ type: 'R0', from: 'at \u001b[31mred\u0007\u202e' }],
        }),
      },
      bad: { 'bad.log': logText({ id: 'WRONG' }) },
      empty: {},
    });
    const path = (...names: string[]) => join(folder, ...names);
    const database = ['--database', path('a.sqlite')];
    const dry = await run(['import', path('logs'), '--dry-run', ...database]);
    t.equal(dry.code, 0);
    t.match(
      dry.stdout,
      /2 files: 2 saved.*\nSetups: 1 added, 0 superseded\nDry run: nothing was saved\.\n$/,
    );
    t.notOk(existsSync(path('a.sqlite')), 'a dry run creates no file');

    const first = await run([
      'import',
      path('logs'),
      '--report',
      path('report.ndjson'),
      ...database,
    ]);
    t.equal(first.code, 0);
    t.match(
      first.stdout,
      /^2 files: 2 saved, 0 unchanged, 0 outdated, 0 rejected, 0 skipped \(not site logs\)\n/,
    );
    t.match(
      first.stderr,
      new RegExp(
        `^${path('logs', 'good.log')}:\\d+: warning: Date Installed: .*: "2001-20-07"$`,
        'm',
      ),
    );
    t.notMatch(
      first.stderr,
      /\u001b|\u0007|\u202e/,
      'no control characters from a log reach the terminal',
    );
    t.match(
      first.stderr,
      /: "at \[31mred \\u202e"$/m,
      'a control character is a blank, and others are escaped',
    );
    const report = linesOf(readFileSync(path('report.ndjson'), 'utf8')).map((line) =>
      JSON.parse(line),
    );
    const seen = report.filter(({ level }) => level !== 'info');
    t.equal(seen.length, linesOf(first.stderr).length);
    t.ok(seen.length < report.length, 'what need not be seen now is in the report');
    const members =
      'file,site,line,lastLine,section,sections,level,code,message,text,occurrence,advice,others';
    for (const finding of report) t.equal(Object.keys(finding).join(), members);

    const bytes = readFileSync(path('a.sqlite'));
    writeFileSync(
      path('logs', 'good.log'),
      logText({ prepared: '2021-01-01', receivers: [{ type: 'R9', from: '2001-01-01' }] }),
    );
    t.match(
      (await run(['import', path('logs'), '--dry-run', ...database])).stdout,
      /1 saved, 1 unchanged.*\nSetups: 1 added, 1 superseded/,
    );
    t.ok(readFileSync(path('a.sqlite')).equals(bytes), 'a dry run leaves the file unchanged');

    const bad = await run(['import', path('bad'), path('logs'), ...database]);
    t.equal(bad.code, 1);
    t.match(bad.stderr, /bad\.log:6: error: Four Character ID: .*; cannot identify the site$/m);
    t.notMatch(bad.stderr, /WRONG/, 'nothing is quoted of a rejected file');
    t.match(bad.stdout, /3 files: 1 saved, 1 unchanged, 0 outdated, 1 rejected/);

    await fails(t, importCommand, [path('empty'), ...database], 'UsageError', /no files found in/);
    await fails(
      t,
      importCommand,
      [path('logs'), '--report', path('no', 'such'), ...database],
      'CommandFailed',
      /cannot write to --report/,
    );
    await fails(
      t,
      importCommand,
      [path('logs'), '--database', path('no', 'a.sqlite')],
      'StoreUnusable',
      /there is no folder/,
    );
    t.match(await run(['import', path('logs')], ROOT, { DATABASE: path('b.sqlite') }), { code: 0 });
    t.ok(existsSync(path('b.sqlite')), 'the database can be set in the environment');
  },
);

t.test('a report never overwrites the database or a site log', async (t) => {
  const folder = t.testdir({
    'a.log': logText({ receivers: [{ type: 'R1', from: '2001-01-01' }] }),
  });
  const log = join(folder, 'a.log');
  const database = join(folder, 'a.sqlite');
  await importInto(database, [log]);
  for (const target of [log, database, join(folder, '.', 'a.log')]) {
    const before = readFileSync(target);
    const args = [log, '--database', database, '--report', target];
    await fails(t, importCommand, args, 'UsageError', /is the database or one of the site logs/);
    t.ok(readFileSync(target).equals(before), target);
  }
  writeFileSync(
    log,
    logText({ prepared: '2021-01-01', receivers: [{ type: 'R1', from: 'yesterday' }] }),
  );
  t.match(await run(['import', log, '--database', database, '--report', '/dev/full']), {
    code: 3,
    stderr: /cannot write to --report "\/dev\/full": the disk is full/,
  });
});

t.test('an import continues if nobody reads its output', async (t) => {
  const receivers = [{ from: 'yesterday' }];
  const ids = Array.from({ length: 200 }, (_, n) => `A${String(n).padStart(3, '0')}`);
  const folder = t.testdir({
    logs: Object.fromEntries(ids.map((id) => [`${id}.log`, logText({ id, receivers })])),
  });
  const { child, ended } = startTool([
    'import',
    join(folder, 'logs'),
    '--database',
    join(folder, 'a.sqlite'),
  ]);
  child.stderr!.once('data', () => child.stderr!.destroy());
  child.stdout!.destroy();
  t.match(await ended, { code: 0 });
  t.same(await rawDatabase(join(folder, 'a.sqlite')).all('SELECT count(*) AS sites FROM site'), [
    { sites: 200 },
  ]);
});

t.test('an import waits for the lock of another import', async (t) => {
  const folder = t.testdir({ 'bad.log': logText({ id: 'WRONG' }) });
  const database = join(folder, 'a.sqlite');
  // By the same build: an import first renews what another build has published, and needs the lock.
  t.match(await runTool(['import', SAMPLE, '--database', database]), { code: 0 });
  const other = new Database(database);
  other.exec('BEGIN IMMEDIATE');
  // A rejected log takes no lock: its finding shows that the import has begun.
  const { child, ended, output } = startTool([
    'import',
    join(folder, 'bad.log'),
    SAMPLE,
    '--database',
    database,
  ]);
  // The longer the lock is held, the surer the import meets it; it must end as well in either case.
  child.stderr!.once('data', () => setTimeout(() => other.exec('ROLLBACK'), 500));
  t.match(await ended, { code: 1 }, 'a log was rejected');
  t.match(output.stdout, /8 unchanged, 0 outdated, 1 rejected/);
  other.close();
});

t.test(
  'the thread that import --jobs starts is beside the command, and reads a file',
  async (t) => {
    const folder = t.testdir({ 'a.log': logText({}) });
    const database = ['--database', join(folder, 'a.sqlite')];
    const thread = new Worker(join(MAIN, '..', 'reading-thread.js'), {
      workerData: [],
      execArgv: [],
    });
    t.teardown(() => thread.terminate());
    const path = join(folder, 'a.log');
    t.same(await once(thread, 'message'), ['ready']);
    thread.postMessage({ path, named: true });
    t.match(await once(thread, 'message'), [
      { path, read: { name: 'a.log', log: { identification: { fourCharacterId: 'TEST' } } } },
    ]);
    t.match(await runTool(['import', ...database, '--jobs', '2', SAMPLE, path]), {
      code: 0,
      stdout: /\d+ saved, 0 unchanged/,
    });
    t.match(await run(['import', ...database, SAMPLE, path], ROOT, { JOBS: 'auto' }), {
      code: 0,
      stdout: / 0 saved, \d+ unchanged/,
    });
  },
);

t.test(
  '--help lists every setting of a command, and --version prints version and revision',
  async (t) => {
    const [version, usage, serveHelp] = await Promise.all([
      runTool(['--version']),
      runTool(['--help']),
      runTool(['serve', '--help']),
    ]);
    const revision = execFileSync('git', ['rev-parse', '--short=9', 'HEAD'], {
      cwd: ROOT,
      encoding: 'utf8',
    }).trim();
    t.ok(version.stdout.startsWith(JSON.parse(readProjectFile('package.json')).version));
    t.match(version.stdout, new RegExp(`^[\\d.]+([~+]\\d+\\.g${revision})?\\n$`));
    t.same(
      [...usage.stdout.matchAll(/^ {2}([a-z][a-z-]+)/gm)].map(([, name]) => name).sort(),
      Object.keys(COMMANDS).sort(),
    );
    for (const name of Object.keys(SETTINGS)) {
      const help = name === 'jobs' ? helpOf(importCommand.command) : serveHelp.stdout;
      t.ok(help.includes(`--${flagOf(name)} `), flagOf(name));
      t.ok(help.includes(variableOf(name)), variableOf(name));
    }
    t.match(helpOf(importCommand.command), /--report FILE[\s\S]*--dry-run[\s\S]*--database FILE/);
    t.match(helpOf(exportCommand.command), /export-schemas \[DIR\]/);
    for (const command of await commandLines()) {
      const help = helpOf(command);
      const tooLong = linesOf(help).filter((line) => line.length > 80);
      t.same(tooLong, [], command.usage);
      // Nothing is lost where lines are wrapped.
      const words = (text: string): string => text.split(/\s+/).join(' ');
      t.ok(words(help).includes(words(command.description)), command.usage);
      for (const [, line] of command.examples) {
        t.ok(help.includes(`\n  gnss-site-setups ${line}\n`), line);
        const [name, ...args] = line.split(' ');
        t.equal(name, commandNameOf(command));
        t.ok(readCommandLine(command, args, {}), 'its flags and their values exist');
      }
    }
    t.same(
      linesOf(usage.stdout).filter((line) => line.length > 80),
      [],
    );
  },
);

t.test('lookup shows the Setup of a Site, now or at a given time, without a server', async (t) => {
  const database = ['--database', sample];
  const [now, at, json, unknown, before, origin, originJson, originCsv] = await Promise.all([
    run(['lookup', 'alic', ...database]),
    run(['lookup', 'ALIC', '--at', '2013:188', ...database]),
    run(['lookup', 'ALIC00AUS', '--at', '2013-07-08T00:45:00Z', '--json', ...database]),
    run(['lookup', 'XXXX', ...database]),
    run(['lookup', 'ALIC', '--at', '1980-01-01', ...database]),
    run(['lookup', 'ALIC', '--provenance', ...database]),
    run(['lookup', 'ALIC', '--provenance', '--at', '2018-01-01', '--json', ...database]),
    run(['lookup', 'ALIC', '--provenance', '--format', 'csv', ...database]),
  ]);
  t.match(
    now.stdout,
    /^Site +ALIC\nSetup +\d+, in effect 2017-02-23T00:00:00Z to now\nGNSS receiver +LEICA GR25, /,
  );
  t.match(now.stdout, /\n {2}markerArpUpEccentricity +0\.0015\n/);
  t.match(at.stdout, /in effect 2013-03-08T00:00:00Z to 2013-07-08T00:45:00Z/);
  t.match(JSON.parse(json.stdout), {
    effectivePeriod: { from: '2013-07-08T00:45:00Z', to: '2016-02-04T00:00:00Z' },
    current: false,
  });
  t.match(
    origin.stdout,
    /^Setup .*\nSite log +alic_20170223\.log, .*\n {2}prepared +2017-02-23\n {2}imported +\d{4}-.*\n {2}sha256 +[0-9a-f]{64}\nOn record +since \d{4}-.*Z\nGNSS receiver +LEICA GR25/m,
  );
  t.match(JSON.parse(originJson.stdout), {
    provenance: { siteLog: { name: 'alic_20170223.log', withdrawnAt: null }, supersededAt: null },
  });
  t.match(originCsv, { code: 2, stderr: /--format csv has no columns for --provenance/ });
  t.match(unknown, { code: 1, stdout: '', stderr: /there is no Site XXXX in the database/ });
  t.match(before, { code: 1, stderr: /the first Setup of ALIC begins at 1994-05-15T00:00:00Z/ });
});

t.test('lookup and sites print several Sites, as a table, JSON, NDJSON or CSV', async (t) => {
  const database = ['--database', sample];
  const [table, ndjson, csv, json, near, none, sorted] = await Promise.all([
    run(['lookup', 'ALIC', 'nama', 'ALIC', ...database]),
    run(['lookup', 'NAMA', 'XXXX', '--format', 'ndjson', ...database]),
    run(['lookup', 'ALIC', 'NAMA', '--format', 'csv', ...database]),
    run(['lookup', 'ALIC', 'NAMA', '--at', '2013-01-01', '--format', 'json', ...database]),
    run([
      'sites',
      '--near=-23,133',
      '--radius',
      '6000',
      '--site',
      'ALIC',
      '--site',
      'mcil',
      ...database,
    ]),
    run(['sites', '--country-code', 'ATA', '--format', 'json', ...database]),
    run([
      ...(
        'sites --filter fourCharacterId=NAMA --filter fourCharacterId=ALIC --sort name ' +
        '--format csv'
      ).split(' '),
      ...database,
    ]),
  ]);
  t.match(table.stdout, /^Site +ALIC\n[\s\S]*\n\nSite +NAMA\n/);
  t.equal(table.stdout.match(/^Site /gm)?.length, 2);
  t.match(ndjson, { code: 1, stderr: /there is no Site XXXX/ });
  t.match(JSON.parse(ndjson.stdout), { current: true, site: { fourCharacterId: 'NAMA' } });
  const [header, ...rows] = csv.stdout.trimEnd().split('\r\n');
  t.match(header, /^id,siteId,fourCharacterId,.*,latitude,longitude,/);
  t.match(rows, [/,ALIC,.*,-23.670125,133.88551389,/, /,NAMA,/]);
  t.match(JSON.parse(json.stdout), [
    { site: { fourCharacterId: 'ALIC' } },
    { site: { fourCharacterId: 'NAMA' } },
  ]);
  t.match(near.stdout.trimEnd().split('\n'), [
    /^ALIC +AUS .* 117\.2 km  Alice Springs/,
    /^MCIL\w* +JPN .* 5725\.3 km/,
  ]);
  t.match(none, { code: 0, stdout: '[]\n', stderr: 'No Site matches.\n' });
  t.match(await run(['sites', '--retired', ...database]), {
    code: 0,
    stdout: '',
    stderr: 'No Site is retired.\n',
  });
  t.match(sorted.stdout.split('\r\n'), [/^id,fourCharacterId,/, /ALIC/, /NAMA/, '']);
});

t.test('sites takes negative numbers, and names the flag that is wrong', async (t) => {
  for (const [flag, value] of [
    ['--near', '-23.67,133.88'],
    ['--near', '-0.5,133.88'],
    ['--bbox', '-10,0,5,60'],
  ] as const) {
    const [apart, joined] = [[flag, value], [`${flag}=${value}`]].map(
      (args) => readCommandLine(sitesCommand.command, args, {}).flags,
    );
    t.strictSame([apart, joined], Array(2).fill({ [flag.slice(2)]: value }));
  }
  for (const [args, message] of [
    [['--near', '--radius', '5'], /^--near needs a value; if "--radius" is meant/],
    [['--', '--near', '-23,133'], /sites takes no arguments/],
    [['--filter', 'foo=1'], /--filter "foo=1": expected one of id, name, /],
    [['--filter', 'page=1'], /--filter "page=1": expected one of /],
    [
      ['--country-code', 'AU'],
      /^--country-code "AU" is not a country code \(did you mean AUS\?\); expected three letters, such as AUS$/,
    ],
    [
      ['--near', 'x'],
      /^--near "x" has a value that is not allowed; expected latitude,longitude in degrees, such as -23\.67,133\.89, or the id of a Site$/,
    ],
    [
      ['--sort', 'nme'],
      /^--sort "nme" has a value that is not allowed; expected a property, or property,desc\. Properties: id, name, /,
    ],
    [['--filter', 'id=x'], /--filter id "x" has a value that is not allowed; expected /],
    [['--bbox', '1,2'], /--bbox "1,2" has a value that is not allowed; expected west,/],
    [['--radius', '5'], /--radius/],
  ] as const) {
    await fails(t, sitesCommand, ['--database', sample, ...args], 'UsageError', message);
  }
});

t.test('lookup takes ids on stdin too, each once', async (t) => {
  const lookup = (input: string) =>
    run(['lookup', '-', 'ALIC', '--format', 'ndjson', '--database', sample], ROOT, {}, input);
  t.match(await run(['lookup', '-', '--database', sample], ROOT, {}, ' \n'), {
    code: 2,
    stdout: '',
    stderr: /there are no ids on stdin; expected ids of Sites/,
  });
  const [found, wrong, long] = await Promise.all(
    ['nama\n\nMCIL alic\r\n', 'ALICE', 'ALIC '.repeat(300_000)].map(lookup),
  );
  const ids = linesOf(found!.stdout).map(
    (line) => (JSON.parse(line) as SetupResource).site!.fourCharacterId,
  );
  t.same(ids, ['ALIC', 'NAMA', 'MCIL']);
  t.match(wrong, { code: 2, stdout: '', stderr: /"ALICE" is not a Site id/ });
  t.match(long, { code: 2, stdout: '', stderr: /stdin has more than 1000000 characters/ });
});

t.test(
  'export-schemas writes every published schema and openapi.json, identical to the committed files',
  async (t) => {
    const folder = join(t.testdir(), 'out');
    t.equal((await runTool(['export-schemas', folder])).code, 0);
    const names = ['openapi.json', ...Object.keys(PUBLISHED).map((name) => `${name}.json`)].sort();
    t.same(readdirSync(folder).sort(), names);
    t.same(readdirSync(CONTRACT).sort(), names);
    for (const name of names) {
      const [written, committed] = [folder, CONTRACT].map((each) =>
        readFileSync(join(each, name), 'utf8'),
      );
      t.ok(written === committed, `${name}: run export-schemas and commit the result`);
    }
    const setup = JSON.parse(readFileSync(join(folder, 'Setup.json'), 'utf8'));
    t.match(setup, {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:gnss-site-setups:schema:Setup',
    });
    writeFileSync(join(folder, 'file'), '');
    chmodSync(join(folder, 'file'), 0o400);
    t.match(await runTool(['export-schemas', join(folder, 'file')]), {
      code: 3,
      stderr: /cannot be written/,
    });
  },
);
