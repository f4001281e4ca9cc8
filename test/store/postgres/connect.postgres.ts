import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import t from 'tap';
import { openReads, openWrites } from '../../../src/store/postgres/open.js';
import { run } from '../../cli/serving.js';
import { ROOT, SAMPLE } from '../../project-files.js';
import { Cluster } from '../../postgres/cluster.js';

const cluster = await Cluster.create({
  hba: [
    'local all keeper scram-sha-256',
    'host all keeper 127.0.0.1/32 scram-sha-256',
    'host all digest 127.0.0.1/32 md5',
    'hostssl all gnss 127.0.0.1/32 trust',
  ],
});
t.teardown(() => cluster.stop());
const { primary, daemons } = cluster;
const database = await cluster.createDatabase();
await primary.query(`CREATE ROLE keeper LOGIN PASSWORD 'it''s "secret"'`);
await primary.query(`SET password_encryption = 'md5'; CREATE ROLE digest LOGIN PASSWORD 'secret'`);
await (await openWrites(cluster.url(database))).close();
await primary.query('GRANT SELECT ON ALL TABLES IN SCHEMA public TO keeper, digest', database);

/** Whether a connection to a database is encrypted, and by a Unix socket; or why there is none. */
async function connectionTo(url: string): Promise<string> {
  const read = sql`SELECT coalesce(ssl, false) AS ssl, client_addr IS NULL AS local FROM pg_stat_activity LEFT JOIN pg_stat_ssl USING (pid)
    WHERE pid = pg_backend_pid()`;
  try {
    const reads = await openReads(url);
    try {
      const { ssl, local } = (await reads.get<{ ssl: boolean; local: boolean }>(read))!;
      return `${ssl ? 'TLS' : 'plain'} ${local ? 'socket' : 'TCP'}`;
    } finally {
      await reads.close();
    }
  } catch (error) {
    return (error as Error).message;
  }
}

t.test('by TCP and by a Unix socket, with passwords of each kind', async (t) => {
  const folder = t.testdir({
    password: `it's "secret"\n`,
    passwords: `localhost:${primary.port}:*:keeper:it's "secret"\n`,
  });
  chmodSync(join(folder, 'passwords'), 0o600);
  const at = (user: string, rest = '') =>
    connectionTo(`postgres://${user}@127.0.0.1:${primary.port}/${database}${rest}`);
  const socket = `${encodeURIComponent(daemons.folder)}:${primary.port}`;
  const onSocket = (rest = '') => connectionTo(`postgres://keeper@${socket}/${database}${rest}`);
  t.equal(await at('gnss'), 'plain TCP');
  t.equal(await at(`keeper:${encodeURIComponent(`it's "secret"`)}`), 'plain TCP');
  t.equal(await at('keeper', `?password_file=${folder}/password`), 'plain TCP');
  t.equal(await at('digest:secret'), 'plain TCP');
  t.equal(await onSocket(`?passfile=${folder}/passwords`), 'plain socket');
  t.equal(
    await onSocket(`?sslmode=verify-full&passfile=${folder}/passwords`),
    'plain socket',
    'a Unix socket needs no TLS',
  );
  for (const answer of [await at('keeper'), await onSocket()])
    t.match(answer, /: it asks for a password; name a file with it/);
  for (const answer of [await at('keeper:wr0ng'), await at('digest:wr0ng')]) {
    t.match(
      answer,
      /cannot be reached: password authentication failed for user "(keeper|digest)" \(28P01\)$/,
    );
    t.notMatch(answer, /wr0ng/);
  }
  t.match(
    await at('keeper', `?password_file=${folder}/none`),
    /\(password file ".*none": there is no such file or folder\)$/,
  );
  t.match(await at('nobody'), /role "nobody" does not exist \(28000\)$/);
  t.match(
    await connectionTo(`postgres://gnss@127.0.0.1:${primary.port}/nothing`),
    /database "nothing" does not exist \(3D000\)$/,
  );
  t.match(
    await connectionTo('postgres://gnss@%2Fnowhere/x'),
    /cannot be reached: there is no socket of a server in that folder \(ENOENT\)$/,
  );
});

t.test(
  'a .pgpass file in the home directory that cannot be used matters only if a password is missing',
  async (t) => {
    const home = process.env.HOME;
    t.teardown(() => (process.env.HOME = home));
    process.env.HOME = t.testdir({ '.pgpass': '*:*:*:*:x' });
    chmodSync(join(process.env.HOME, '.pgpass'), 0o644);
    const at = (user: string) =>
      connectionTo(`postgres://${user}@127.0.0.1:${primary.port}/${database}`);
    t.equal(await at('gnss'), 'plain TCP');
    t.match(
      await at('keeper'),
      /it asks for a password; name a file .* \(password file ".*": .*; use chmod 600\)$/,
    );
    t.notMatch(await at('nobody'), 'password', 'a role that does not exist');
    t.match(
      await at('keeper:wr0ng'),
      /password authentication failed for user "keeper" \(28P01\)$/,
    );
  },
);

t.test('no command shows a password', async (t) => {
  const url = `postgres://keeper:wr0ng@127.0.0.1:${primary.port}/${database}`;
  for (const command of [
    ['serve', '--port', '0', '--log-level', 'trace'],
    ['serve', '--check'],
    ['lookup', 'ALIC'],
    ['import', SAMPLE],
    ['log', 'list', 'ALIC'],
  ]) {
    const { code, stdout, stderr } = await run([...command, '--database', url], ROOT);
    t.match(
      [code, stdout, stderr],
      [3, '', /^gnss-site-setups: database "postgres:\/\/keeper@127\.0\.0\.1:\d+\/\w+" cannot be/],
      command.join(' '),
    );
    t.notMatch(stdout + stderr, 'wr0ng', command.join(' '));
  }
});

t.test('TLS, and who the server is', async (t) => {
  const folder = t.testdir({});
  const certify = (args: string): void =>
    void execFileSync('openssl', args.split(' '), { cwd: folder, stdio: 'ignore' });
  const key = '-newkey rsa:2048 -nodes -days 2';
  certify(`req -x509 ${key} -keyout ca.key -out ca.pem -subj /CN=ca`);
  certify(`req -x509 ${key} -keyout other.key -out other.pem -subj /CN=other`);
  writeFileSync(join(folder, 'name'), 'subjectAltName=IP:127.0.0.1,DNS:database.example');
  certify(`req ${key} -keyout server.key -out server.csr -subj /CN=database.example`);
  certify(
    'x509 -req -days 2 -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile name -out server.pem',
  );
  const at = (rest: string, host = '127.0.0.1') =>
    connectionTo(`postgres://gnss@${host}:${primary.port}/${database}?${rest}`);
  t.match(await at('sslmode=require'), /the server offers no TLS, which sslmode asks for$/);
  t.match(await at(`sslmode=verify-full&sslrootcert=${folder}/ca.pem`), /the server offers no TLS/);

  const { uid, gid } = statSync(primary.data);
  for (const name of ['server.key', 'server.pem']) {
    const copy = join(primary.data, name);
    execFileSync('cp', [join(folder, name), copy]);
    chownSync(copy, uid, gid);
    chmodSync(copy, 0o600);
  }
  await primary.query(`ALTER SYSTEM SET ssl_cert_file = 'server.pem'`);
  await primary.query(`ALTER SYSTEM SET ssl_key_file = 'server.key'`);
  await primary.query('ALTER SYSTEM SET ssl = on');
  await primary.query('SELECT pg_reload_conf()');
  for (let tries = 0; tries < 100 && (await at('sslmode=require')) !== 'TLS TCP'; tries++);

  const cases: [string, string | RegExp][] = [
    ['sslmode=disable', 'plain TCP'],
    ['sslmode=prefer', 'TLS TCP'],
    ['', 'TLS TCP'],
    ['sslmode=require', 'TLS TCP'],
    [`sslmode=require&sslrootcert=${folder}/ca.pem`, 'TLS TCP'],
    [
      `sslmode=require&sslrootcert=${folder}/other.pem`,
      /its certificate is not signed by .*; .* with sslrootcert$|signature/,
    ],
    [`sslmode=verify-ca&sslrootcert=${folder}/ca.pem`, 'TLS TCP'],
    [
      `sslmode=verify-ca&sslrootcert=${folder}/other.pem`,
      /its certificate is not signed by .*; .* with sslrootcert$|signature/,
    ],
    [`sslmode=verify-full&sslrootcert=${folder}/ca.pem`, 'TLS TCP'],
    [
      `sslmode=verify-full&sslrootcert=${folder}/other.pem`,
      /its certificate is not signed by .*; .* with sslrootcert$|signature/,
    ],
    ['sslmode=verify-full', /its certificate is not signed by .* with sslrootcert$/],
    [
      `sslmode=verify-full&sslrootcert=${folder}/none.pem`,
      /cannot read sslrootcert ".*none\.pem": there is no such file or folder/,
    ],
    [
      `sslmode=verify-full&sslrootcert=${folder}/ca.key`,
      /its certificate is not signed by .* with sslrootcert$/,
    ],
  ];
  for (const [parameters, expected] of cases) t.match(await at(parameters), expected, parameters);
  // The certificate does not name this host.
  t.match(
    await at(`sslmode=verify-full&sslrootcert=${folder}/ca.pem`, 'localhost'),
    /cannot be reached: .*(does not match|altnames)/,
  );
  t.equal(await at(`sslmode=verify-ca&sslrootcert=${folder}/ca.pem`, 'localhost'), 'TLS TCP');
});

t.test('something else than PostgreSQL is not waited for', async (t) => {
  for (const [answer, expected] of [
    ['HTTP/1.1 400 Bad Request\r\n\r\n', /There was an error establishing an SSL connection$/],
    ['', /no answer within the time to connect$/],
    [null, /the server closed the connection$/],
  ] as const) {
    const server = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .on('data', () => (answer === null ? socket.end() : socket.write(answer)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    t.match(await connectionTo(`postgres://gnss@127.0.0.1:${port}/x?connect_timeout=1`), expected);
    server.close();
  }
});
