import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import * as importCommand from '../../src/cli/commands/import.js';
import * as serveCommand from '../../src/cli/commands/serve.js';
import { helpOf } from '../../src/cli/line/help.js';
import { readCommandLine } from '../../src/cli/line/command-line.js';
import type { SettingName, SettingValues } from '../../src/cli/line/settings.js';
import { fails, run, shortFolder } from './serving.js';
import { createDatabase } from '../databases.js';
import { SAMPLE } from '../project-files.js';

const read = (
  args: string[],
  environment: Record<string, string> = {},
): Partial<SettingValues<SettingName>> =>
  readCommandLine(serveCommand.command, args, environment).settings;

t.test(
  'a flag takes precedence over the environment, and the environment over the file',
  async (t) => {
    const file = join(t.testdir(), 'config');
    writeFileSync(
      file,
      // prettier-ignore
      [
      '# A comment', '; another', '', ' PORT = 8123 ', "DATABASE='my network.sqlite'", 'HOST="127.0.0.1, ::1"\r',
      'LOG_LEVEL=', 'ACCESS_LOG=true', 'PUBLISH_CONTACTS=true', 'JOBS=2',
    ].join('\n'),
    );
    const settings = read(['--config', file]);
    t.match(settings, {
      port: 8123,
      database: 'my network.sqlite',
      host: ['127.0.0.1', '::1'],
      logLevel: 'info',
    });
    t.match(settings, { accessLog: true, publishContacts: true });
    t.match(read(['--config', file], { PORT: '8124', ACCESS_LOG: 'false' }), {
      port: 8124,
      accessLog: false,
    });
    t.match(
      read(['--config', file], { PORT: '' }),
      { port: 8123 },
      'an empty variable counts as not set',
    );
    const flags = ['--config', file, '--port', '8125', '--access-log'];
    t.match(read(flags, { PORT: '8124', ACCESS_LOG: 'false' }), { port: 8125, accessLog: true });
    t.match(read([]), {
      port: 8080,
      accessLog: false,
      publishContacts: false,
      host: ['127.0.0.1'],
      socket: null,
      metricsPort: null,
    });
    const { settings: ofImport } = readCommandLine(
      importCommand.command,
      ['--config', file, 'a'],
      {},
    );
    t.match(ofImport, { jobs: 2 }, 'the file may have settings of other commands');
    for (const { command } of [serveCommand, importCommand])
      t.match(helpOf(command), /--config FILE/);
  },
);

t.test('every mistake in the file is reported with its line', async (t) => {
  const file = join(t.testdir(), 'config');
  const cases: [string, RegExp][] = [
    ['PORT=1\nPROT=2', /^--config ".*config" line 2: unknown setting PROT; did you mean PORT\?$/],
    ['\n\nPORT=x', /line 3: PORT "x": expected a number from 0 to 65535$/],
    ["NETWORK_NAME=' '", /line 1: NETWORK_NAME " ": expected a name/],
    ['NETWORK_URL=javascript:alert(1)', /line 1: NETWORK_URL .*: expected an http or https URL/],
    ['JOBS=0', /line 1: JOBS "0": expected auto, or a number from 1 to 64$/],
    ['PORT', /line 1: expected NAME=value$/],
    ['export PORT=1', /line 1: expected NAME=value$/],
    ['PORT=1\nPORT=1', /line 2: PORT is set twice$/],
    ['DATABASE=a b', /line 1: DATABASE: expected a value in single quotes/],
    ['DATABASE=a#b', /in single quotes/],
    ['DATABASE=$HOME/a', /in single quotes/],
    ["DATABASE='a", /in single quotes/],
    ["DATABASE='a'b'", /in single quotes/],
    ['DATABASE="a$b"', /in single quotes/],
    ["DATABASE='a\\b'", /in single quotes/],
    ['PORT=1\nDATABASE=a\0b', /line 2: expected text without null characters$/],
    [
      'HOST=127.0.0.1,[::1]',
      /HOST "127.0.0.1,\[::1\]": expected "\[::1\]" without brackets, such as ::1$/,
    ],
    ['ACCESS_LOG=yes', /ACCESS_LOG "yes": expected true or false$/],
    ['HOST=127.0.0.1,', /HOST "127.0.0.1,": expected addresses, separated by commas/],
    ['HOST=::1,::1', /expected each address once$/],
    [`SOCKET=/${'a'.repeat(107)}`, /expected a path of at most 107 bytes, folders included$/],
  ];
  for (const [text, message] of cases) {
    writeFileSync(file, text);
    t.throws(() => read(['--config', file]), { name: 'UsageError', message }, text.slice(0, 50));
  }
  for (const good of [`SOCKET=/${'a'.repeat(106)}`, 'DATABASE=\'a#b $c "d"\'', '', 'PORT=']) {
    writeFileSync(file, good);
    t.ok(read(['--config', file]), good.slice(0, 50));
  }
  for (const [length, message] of [
    [2 ** 16, null],
    [
      2 ** 16 + 1,
      /^cannot read --config ".*config": it is too long; expected at most 65536 bytes$/,
    ],
  ] as const) {
    writeFileSync(file, '#'.repeat(length));
    if (message === null) t.ok(read(['--config', file]));
    else t.throws(() => read(['--config', file]), { name: 'WrongSetting', message });
  }
  const pipe = join(t.testdirName, 'pipe');
  execFileSync('mkfifo', [pipe]);
  t.throws(() => read(['--config', pipe]), {
    name: 'WrongSetting',
    message: /^cannot read --config ".*pipe": it is not a regular file$/,
  });
  t.throws(() => read(['--config', join(t.testdirName, 'none')]), {
    name: 'WrongSetting',
    message: /^cannot read --config ".*none": there is no such file/,
  });
  t.throws(() => read(['--config', t.testdirName]), {
    name: 'WrongSetting',
    message: /: it is a folder$/,
  });
});

t.test('serve --check reports success or the problem', async (t) => {
  const folder = shortFolder(t);
  const files = {
    config: 'PORT=8080\n',
    wrong: 'PORT=x\n',
    'bad.sqlite': 'no database '.repeat(100),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  await createDatabase(join(folder, 'a.sqlite'), [SAMPLE]);
  const good = ['--config', 'config', '--database', 'a.sqlite'];
  const [plain, ...others] = await Promise.all(
    [
      [],
      ['--socket', 'a.sock', '--metrics-socket', 'b.sock'],
      ['--host', 'localhost,127.0.0.2'],
    ].map((args) => run(['serve', '--check', ...good, ...args], folder)),
  );
  t.match(plain, {
    code: 0,
    stdout: /^The settings are valid; the database has 8 sites \(migration \d+\)\.\n$/,
    stderr: /^$/,
  });
  for (const each of others) t.match(each, { code: 0, stdout: /valid/, stderr: /^$/ });
  t.match(await run(['serve', '--check', '--config', 'wrong'], folder), {
    code: 2,
    stdout: /^$/,
    stderr: /--config "wrong" line 1: PORT "x"/,
  });

  const before = process.cwd();
  process.chdir(folder);
  t.teardown(() => process.chdir(before));
  const cases: [string, string[], RegExp][] = [
    ['UsageError', ['--tls-key', 'a'], /must be given together/],
    ['UsageError', ['--metrics-port', '8080'], /is the port of the service/],
    [
      'UsageError',
      ['--metrics-port', '1', '--metrics-socket', 'a'],
      /--metrics-port and --metrics-socket cannot be combined/,
    ],
    [
      'UsageError',
      ['--socket', 'a', '--metrics-socket', 'a'],
      /--metrics-socket "a" is the socket of the service/,
    ],
    ['UsageError', ['--host', '[::1]'], /without brackets/],
    [
      'WrongSetting',
      ['--tls-key', 'a', '--tls-certificate', 'b'],
      /cannot read --tls-certificate "b"/,
    ],
    [
      'WrongSetting',
      ['--socket', 'none/a.sock'],
      /--socket "none\/a\.sock" cannot be created: there is no folder "none"/,
    ],
    ['WrongSetting', ['--socket', 'wrong/a.sock'], /there is no folder "wrong"/],
    ['WrongSetting', ['--socket', 'wrong'], /--socket "wrong" exists and is not a socket/],
    ['WrongSetting', ['--socket', '.'], /--socket "\." exists and is not a socket/],
    [
      'WrongSetting',
      ['--metrics-socket', 'none/a'],
      /there is no folder "none"; choose another path with --metrics-socket/,
    ],
    ['CommandFailed', ['--host', '127.0.0.1,nosuch.invalid'], /nosuch\.invalid:8080 is not a/],
    [
      'CommandFailed',
      ['--metrics-port', '0', '--metrics-host', '192.0.2.1'],
      /choose another with --metrics-host/,
    ],
    ['WrongDatabase', ['--database', 'bad.sqlite'], /is not a SQLite database/],
    ['StoreUnusable', ['--database', 'none.sqlite'], /does not exist/],
  ];
  for (const [name, args, message] of cases) {
    const others = args.includes('--database') ? ['--config', 'config'] : good;
    await fails(t, serveCommand, ['--check', ...others, ...args], name, message);
  }
});
