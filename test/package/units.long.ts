import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { MARK, MIGRATIONS } from '../../src/store/migrations.js';
import { APPLICATION_ID } from '../../src/store/sqlite/open.js';
import { runTool } from '../campaigns/processes.js';
import { run, shortFolder } from '../cli/serving.js';
import { readProjectFile, ROOT } from '../project-files.js';

const SERVICES = readdirSync(join(ROOT, 'src/package/systemd')).filter((name) =>
  name.endsWith('.service'),
);

/** The values of a setting of a unit. */
const valuesOf = (unit: string, name: string): string[] =>
  [
    ...readProjectFile('src', 'package', 'systemd', unit).matchAll(
      new RegExp(`^${name}=(.*)$`, 'gm'),
    ),
  ].map(([, value]) => value!);

/** The arguments with which a unit runs the command. Its folder of states is another one here. */
function argumentsOf(unit: string, folder: string): string[] {
  const [program, ...args] = valuesOf(unit, 'ExecStart')[0]!.replace('%S', folder).split(' ');
  if (program !== '/usr/bin/gnss-site-setups') throw new Error(`${unit} starts ${program}`);
  return args;
}

t.test('a unit with a wrong setting fails, instead of restarting for ever', async (t) => {
  const folder = t.testdir({
    misspelt: 'PROT=80\n',
    'wrong-jobs': 'JOBS=many\n',
  });
  mkdirSync(join(folder, 'gnss-site-setups/site-logs'), { recursive: true });
  t.equal(SERVICES.length, 2);
  const cases: [config: string, message: RegExp][] = [
    [
      'misspelt',
      /misspelt" line 1: unknown setting PROT; did you mean PORT\?\nSee gnss-site-setups serve --help\n$/,
    ],
    ['wrong-jobs', /JOBS "many": .*\nSee gnss-site-setups import --help\n$/],
    ['absent', /^gnss-site-setups: cannot read CONFIG ".*absent": .*\n$/],
    ['.', /^gnss-site-setups: cannot read CONFIG ".*": .*\n$/],
  ];
  for (const unit of SERVICES) {
    t.strictSame(valuesOf(unit, 'Restart'), ['on-failure'], unit);
    // systemd applies it to the main process only.
    t.strictSame(valuesOf(unit, 'RestartPreventExitStatus'), ['2'], unit);
    // After a dash, a failure is ignored; the main process then fails in its place.
    for (const before of valuesOf(unit, 'ExecStartPre')) t.match(before, /^-/, unit);
    for (const [config, stderr] of cases)
      t.match(
        await runTool(argumentsOf(unit, folder), {
          cwd: folder,
          env: { CONFIG: join(folder, config) },
        }),
        { code: 2, stderr },
        `${unit} ${config}`,
      );
  }
});

t.test('each unit that writes migrates with a backup, whichever runs first', (t) => {
  t.strictSame(valuesOf('gnss-site-setups.service', 'ExecStart'), [
    '/usr/bin/gnss-site-setups serve --migrate',
  ]);
  t.strictSame(valuesOf('gnss-site-setups-import.service', 'ExecStartPre'), [
    '-/usr/bin/gnss-site-setups migrate',
  ]);
  // A large database takes longer than the 90 seconds that systemd waits by default.
  for (const unit of SERVICES) t.strictSame(valuesOf(unit, 'TimeoutStartSec'), ['15min'], unit);
  t.end();
});

t.test('a certificate or socket that cannot be used does not restart the service', async (t) => {
  // The path of a Unix socket is short.
  const folder = shortFolder(t);
  writeFileSync(join(folder, 'notes.txt'), 'No certificate.\n');
  const cases: [environment: Record<string, string>, message: RegExp][] = [
    [{ TLS_CERTIFICATE: 'a.pem', TLS_KEY: 'a.pem' }, /cannot read --tls-certificate "a.pem"/],
    [{ TLS_CERTIFICATE: 'notes.txt', TLS_KEY: 'notes.txt' }, /are not a matching PEM certificate/],
    [{ SOCKET: 'notes.txt' }, /--socket "notes.txt" exists and is not a socket/],
    [{ SOCKET: 'absent/a.sock' }, /there is no folder "absent"/],
    [{ METRICS_SOCKET: 'notes.txt', PORT: '0' }, /--metrics-socket "notes.txt" exists and is not/],
  ];
  const args = argumentsOf('gnss-site-setups.service', folder);
  for (const [env, stderr] of cases)
    t.match(
      await runTool(args, { cwd: folder, env }),
      { code: 2, stderr },
      Object.keys(env).join(),
    );
});

/** Files that are no database of this version, in a folder. */
function createWrongDatabases(folder: string): void {
  writeFileSync(join(folder, 'notes.txt'), 'No database.\n'.repeat(50));
  mkdirSync(join(folder, 'folder'));
  const create = (name: string, statements: string): void => {
    const db = new Database(join(folder, name));
    db.exec(statements);
    db.close();
  };
  create('other.sqlite', 'CREATE TABLE letter (text)');
  const mark = `PRAGMA application_id = ${APPLICATION_ID}; CREATE TABLE ${MARK}`;
  create('development.sqlite', `${mark} (migration)`);
  create(
    'newer.sqlite',
    `${mark} (migration, text_version); INSERT INTO ${MARK} VALUES (${MIGRATIONS.length + 1}, 0)`,
  );
}

t.test('a setting that names no database of ours restarts neither unit', async (t) => {
  const folder = t.testdir({ 'site-logs': {} });
  createWrongDatabases(folder);
  const server = 'postgres://gnss@127.0.0.1:1/network';
  const cases: [database: string, message: RegExp][] = [
    ['notes.txt', /database "notes.txt" is not a SQLite database/],
    ['folder', /database "folder" cannot be opened: it is not a regular file/],
    ['other.sqlite', /database "other.sqlite" belongs to another application/],
    ['development.sqlite', /was made by a development version/],
    ['newer.sqlite', /is from a newer version/],
    ['mysql://gnss@db1/network', /expected a SQLite file, or a URL that begins with postgres:/],
    ['postgres://db1/network', /expected a user in the URL/],
    [
      `${server}?sslmode=verify-full&sslrootcert=absent.pem`,
      /database "postgres:.*network": cannot read sslrootcert "absent.pem": .* expected a PEM file/,
    ],
  ];
  const services = [
    argumentsOf('gnss-site-setups.service', folder),
    argumentsOf('gnss-site-setups-import.service', folder),
  ];
  for (const [database, stderr] of cases) {
    for (const args of services) {
      const ended = await run(args, folder, { DATABASE: database, PORT: '0' });
      t.match(ended, { code: 2, stderr }, `${args[0]}: ${database}`);
    }
  }
});

t.test('a port in use and a database that is away restart the service', async (t) => {
  const folder = t.testdir({});
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  t.teardown(() => busy.close());
  const { port } = busy.address() as AddressInfo;
  const cases: [environment: Record<string, string>, message: RegExp][] = [
    [{ PORT: String(port) }, /is in use by another process/],
    [{ DATABASE: join(folder, 'absent/a.sqlite') }, /absent/],
    [{ DATABASE: 'postgres://gnss@127.0.0.1:1/network' }, /cannot be reached/],
  ];
  const args = argumentsOf('gnss-site-setups.service', folder);
  for (const [env, stderr] of cases)
    t.match(
      await runTool(args, { cwd: folder, env }),
      { code: 3, stderr },
      Object.keys(env).join(),
    );
});
