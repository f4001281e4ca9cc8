import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseDatabase } from '../../../src/cli/line/setting-values.js';
import { readCommandLine } from '../../../src/cli/line/command-line.js';
import { command } from '../../../src/cli/commands/lookup.js';
import { passwordFor, passwordIn } from '../../../src/store/postgres/credentials.js';
import { isPostgres, parseDatabaseUrl, shownDatabase } from '../../../src/store/address.js';

const URL = 'postgres://gnss@db1:5433/network';

t.test('a URL names a server, a user, a database and how to connect', async (t) => {
  t.match(parseDatabaseUrl(URL), {
    host: 'db1',
    port: 5433,
    user: 'gnss',
    password: '',
    passwordFile: '',
    passFile: '',
    database: 'network',
    applicationName: 'gnss-site-setups',
    tls: 'prefer',
    rootCertificate: '',
    connectTimeout: 2000,
    prepare: false,
    poolSize: 10,
  });
  const parameters =
    'sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem&connect_timeout=5&prepare=true&application_name=my%20service' +
    '&pool_size=3&passfile=/etc/passwords&password_file=/run/secrets/x';
  t.match(parseDatabaseUrl(`postgresql://g%40x:s%2Fe:c@[2001:db8::1]:65535/n%20w?${parameters}`), {
    host: '2001:db8::1',
    port: 65535,
    user: 'g@x',
    password: 's/e:c',
    passwordFile: '/run/secrets/x',
    passFile: '/etc/passwords',
    database: 'n w',
    tls: 'verify-full',
    rootCertificate: '/etc/ca.pem',
    connectTimeout: 5000,
    applicationName: 'my service',
    prepare: true,
    poolSize: 3,
  });
  t.match(parseDatabaseUrl('postgres://gnss@%2Frun%2Fpostgresql:5433/network'), {
    host: '/run/postgresql',
    port: 5433,
  });
  t.match(parseDatabaseUrl('postgres://gnss@db1/network'), { port: 5432 });
  t.match(parseDatabaseUrl('postgres://gnss:a@b@db1/network?sslrootcert=/a+b.pem'), {
    password: 'a@b',
    rootCertificate: '/a+b.pem',
  });
});

/** What is said about a list of hosts. */
const SEVERAL_HOSTS =
  /^expected one host in the URL; .* see "Several servers" in the guide to PostgreSQL$/;

t.test(
  'a URL that is not valid is refused with what was expected, and never with a password',
  async (t) => {
    const refused: [string, RegExp][] = [
      ['postgres://gnss@db1', /expected a URL such as postgres:\/\/user@/],
      ['postgres:gnss', /expected a URL/],
      ['postgres://gnss:secret/x@db1/network', /^(?!.*secret)/],
      ['postgres://gnss:secret/network', /expected a URL/],
      ['postgres://:secret@db1/network', /expected a user/],
      ['postgres://gnss:secret@db1/', /expected the name of a database/],
      ['postgres://gnss:secret@/network', /expected a URL/],
      ['postgres://gnss:secret@db1,db2/network', SEVERAL_HOSTS],
      ['postgres://gnss:secret@db1:5433,db2:5434/network', SEVERAL_HOSTS],
      ['postgres://gnss:secret@db1,/network', SEVERAL_HOSTS],
      ['postgres://gnss:secret@/network', /expected a URL/],
      [
        'postgres://gnss:secret@db1/network?target_session_attrs=any',
        /^target_session_attrs is no longer supported in the URL; .*"Several servers" in the guide to PostgreSQL$/,
      ],
      ['postgres://gnss@db1:65536/network', /expected a URL/],
      [
        `${URL}?sslmode=allow`,
        /sslmode "allow": expected one of disable, prefer, require, verify-ca, verify-full/,
      ],
      [`${URL}?sslrootcert=`, /expected a value for sslrootcert/],
      [`${URL}?pool_size=0`, /pool_size "0": expected a number from 1 to 100/],
      [`${URL}?pool_size=101`, /pool_size "101"/],
      [`${URL}?connect_timeout=61`, /connect_timeout "61": expected a number from 1 to 60/],
      [`${URL}?prepare=maybe`, /prepare "maybe": expected one of true, false/],
      [`${URL}?password=secret`, /put the password into a file/],
      [`${URL}?max=secret`, /unknown parameter "max" in the URL; expected sslmode, /],
      [`${URL}?a%40secret=1`, /unknown parameter in the URL; expected sslmode, /],
      ['postgres://gnss:pass/x?secret', /expected a URL/],
      ['postgres://gnss:12/x?secret', /expected a user/],
      [`postgres://g%zz:secret@db1/network`, /expected a URL/],
      [`postgres://gnss@db1/net%00work`, /expected a URL/],
    ];
    for (const [url, message] of refused) {
      t.throws(() => parseDatabaseUrl(url), { message }, url);
      t.throws(() => parseDatabaseUrl(url), { message: /^(?!.*secret)/ }, url);
      t.equal(shownDatabase(url), 'postgres://…', url);
    }
    t.doesNotThrow(() => parseDatabaseUrl(`${URL}?pool_size=100&connect_timeout=60`));
    t.doesNotThrow(() => parseDatabaseUrl('postgres://gnss@a:65535/network'));
  },
);

t.test('a URL is shown without its password and its parameters, a file as it is', async (t) => {
  t.equal(
    shownDatabase('postgresql://g%40x:secret@[::1]:7/network?sslrootcert=x'),
    'postgres://g%40x@[::1]:7/network',
  );
  t.equal(
    shownDatabase('postgres://g@%2Frun%2Fpostgresql/network'),
    'postgres://g@%2Frun%2Fpostgresql:5432/network',
  );
  t.equal(shownDatabase('/srv/postgres.sqlite'), '/srv/postgres.sqlite');
  t.equal(shownDatabase('https://gnss.example.org/x'), 'https://gnss.example.org/x');
  t.notOk(isPostgres('postgres.sqlite'));
  t.ok(isPostgres('POSTGRES://x'));
});

t.test('--database takes a file or a URL, and messages do not show its password', async (t) => {
  const given = (args: string[], environment: NodeJS.ProcessEnv = {}): string =>
    readCommandLine(command, ['ALIC', ...args], environment).settings.database;
  t.equal(given(['--database', 'x.sqlite'], { PGPASSFILE: '/p' }), 'x.sqlite');
  t.equal(given([], { DATABASE: URL }), URL);
  t.equal(given(['--database', URL], { PGPASSFILE: '/p w' }), `${URL}?passfile=%2Fp%20w`);
  t.equal(
    given(['--database', `${URL}?prepare=true`], { PGPASSFILE: '/p' }),
    `${URL}?prepare=true&passfile=%2Fp`,
  );
  for (const own of ['postgres://g:x@db1/n', `${URL}?passfile=/q`, `${URL}?password_file=/q`]) {
    t.equal(parseDatabase(own, { PGPASSFILE: '/p' }), own);
  }
  const wrong = 'postgres://gnss:secret@db1:x/network';
  t.throws(() => given(['--database', wrong]), {
    name: 'UsageError',
    message: /^--database "postgres:\/\/…": expected a URL/,
  });
  t.throws(() => given([], { DATABASE: wrong }), {
    name: 'UsageError',
    message: /^DATABASE "postgres:\/\/…": expected a URL/,
  });
  const others = [
    'postgress://g:secret@db1/n',
    ' postgres://g:secret@db1/n',
    'mysql://secret@db1/n',
    'jdbc:postgresql://g:secret@db1/n',
  ];
  const message = '--database "…": expected a SQLite file, or a URL that begins with postgres://';
  for (const other of others)
    t.throws(() => given(['--database', other]), { name: 'UsageError', message });
  t.equal(given(['--database', 'a://b'.slice(1)]), '://b', 'a file');
  const file = join(t.testdir({ config: `DATABASE=${wrong}\n` }), 'config');
  t.throws(() => given(['--config', file]), {
    name: 'UsageError',
    message: /line 1: DATABASE "postgres:\/\/…": expected a URL/,
  });
});

t.test(
  'a password comes from the URL, else from the file that it names, else from .pgpass',
  async (t) => {
    const home = process.env.HOME;
    t.teardown(() => (process.env.HOME = home));
    const folder = t.testdir({
      only: 'top secret\n',
      '.pgpass': '# db1:5432:network:gnss:no\n*:*:*:gnss:any\n',
      open: '*:*:*:*:x',
    });
    chmodSync(join(folder, '.pgpass'), 0o600);
    chmodSync(join(folder, 'open'), 0o640);
    const passwordAt = (parameters: string, user = 'gnss'): string =>
      passwordFor(parseDatabaseUrl(`postgres://${user}@db1/network?${parameters}`));
    t.equal(passwordAt(`password_file=${folder}/only`), 'top secret');
    t.equal(passwordAt(`password_file=${folder}/only`, 'gnss:secret'), 'secret');
    t.equal(passwordAt(`passfile=${folder}/.pgpass`), 'any');
    const none = 'it asks for a password; name a file with it with password_file or passfile';
    const refused = (parameters: string, why: string, user?: string): unknown =>
      t.throws(() => passwordAt(parameters, user), {
        message: new RegExp(`^${none} \\(password file "${folder}/.*": .*${why}`),
      });
    refused(`passfile=${folder}/.pgpass`, 'no line fits', 'other');
    refused(`passfile=${folder}/open`, 'others than its owner may read it; use chmod 600');
    refused(`passfile=${folder}/none`, 'there is no such file or folder');
    refused(`password_file=${folder}/none`, 'there is no such file or folder');
    process.env.HOME = folder;
    t.equal(passwordAt(''), 'any');
    process.env.HOME = join(folder, 'nobody');
    refused('', 'there is no such file or folder');
  },
);

t.test('the first line of .pgpass that fits counts', async (t) => {
  const whose = { database: 'network', user: 'gnss' };
  const db1 = { host: 'db1', port: 5432 };
  const cases: [string, { host: string; port: number }, string | null][] = [
    ['db1:5432:network:gnss:first\n*:*:*:*:second', db1, 'first'],
    ['db2:5432:network:gnss:first\r\n*:*:*:*:second\r\n', db1, 'second'],
    ['db1:5433:network:gnss:x', db1, null],
    ['db1:5432:other:gnss:x', db1, null],
    ['db1:5432:network:gnss', db1, null],
    ['db1:5432:network:gnss:', db1, ''],
    ['db1:5432:network:gnss:a\\:b\\\\c', db1, 'a:b\\c'],
    ['localhost:5432:network:gnss:x', { host: '/run/postgresql', port: 5432 }, 'x'],
    ['\\:\\:1:5432:network:gnss:x', { host: '::1', port: 5432 }, 'x'],
    ['', db1, null],
  ];
  for (const [text, server, password] of cases)
    t.equal(passwordIn(text, { ...server, ...whose }), password, text);
});
