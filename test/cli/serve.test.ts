import { once } from 'node:events';
import { copyFileSync, mkdtempSync, openSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import t, { type Test } from 'tap';
import type { SetupResource } from '../../schemas/index.js';
import { readTls, watchTls } from '../../src/cli/serve/certificates.js';
import { buildApp } from '../../src/http/app.js';
import { openReader, openWriter } from '../../src/store/open.js';
import type { Server } from 'node:tls';
import { freePort } from '../campaigns/processes.js';
import { createDatabase } from '../databases.js';
import { CONTRACT, SAMPLE } from '../project-files.js';
import { ask, createCertificate, serve as serveIn, type Serving, until } from './serving.js';

/** Starts `serve` in a folder of its own. @param level the flags of the log level */
const serve = (
  t: Test,
  args: string[],
  {
    level = ['--log-level', 'debug'],
    ...start
  }: Parameters<typeof serveIn>[3] & { level?: string[] } = {},
): Promise<Serving> =>
  serveIn(
    t,
    mkdtempSync(join(t.testdirName, 'serve-')),
    [...(args.includes('--port') ? [] : ['--port', '0']), ...level, ...args],
    start,
  );

const healthOf = async (base: string): Promise<number> => (await fetch(`${base}/health`)).status;

/**
 * A module that prints, at the end, all modules that were loaded: those of packages with
 * `require()`, and those of Node.js.
 */
const LIST_MODULES = `data:text/javascript,
  import { createRequire } from 'node:module';
  const { cache } = createRequire('file:///');
  process.on('exit', () => process.stderr.write([...Object.keys(cache), ...process.moduleLoadList].join('\\n') + '\\n'));`;

t.jobs = 4;

t.test('serve starts without the large modules that it does not use', async (t) => {
  t.testdir({});
  const { child, output } = await serve(t, [], { nodeFlags: [`--import=${LIST_MODULES}`] });
  child.kill();
  await once(child, 'close');
  const modules = output.stderr.split('\n');
  t.ok(modules.some((module) => module.includes('node_modules/fastify/')));
  t.ok(modules.includes('NativeModule http'));
  for (const part of ['node_modules/ajv', 'node_modules/@fastify/ajv-compiler/']) {
    t.strictSame(
      modules.filter((module) => module.includes(part)),
      [],
      part,
    );
  }
});

t.test('SIGHUP rereads the log level, and names the settings that need a restart', async (t) => {
  const config = join(t.testdir({ config: 'CACHE_MEGABYTES=1' }), 'config');
  const { child, base, output } = await serve(t, ['--config', config], { level: [] });
  const logged = (expected: RegExp): Promise<void> =>
    until(String(expected), () => expected.test(output.stderr));
  const reload = (text: string, expected: RegExp): Promise<void> => {
    writeFileSync(config, text);
    child.kill('SIGHUP');
    return logged(expected);
  };
  await reload(
    'LOG_LEVEL=debug',
    /reread the certificate and the log level; restart the service to change --cache-megabytes"/,
  );
  t.equal(await healthOf(base), 200);
  await logged(/"path":"\/health".*"access"/);
  await reload(
    'LOG_LEVEL=none',
    /SIGHUP: kept the settings: --config .* LOG_LEVEL .*: expected one of/,
  );
  t.equal(await healthOf(base), 200);
});

t.test('serve runs on if its log cannot be written or nobody reads it', async (t) => {
  t.testdir({});
  const port = await freePort();
  const full = await serve(t, ['--port', String(port)], { log: openSync('/dev/full', 'w'), port });
  const unread = await serve(t, []);
  unread.child.stderr!.destroy();
  unread.child.stdout!.destroy();
  for (const { child, base } of [full, unread]) {
    for (const _ of [1, 2, 3]) t.equal(await healthOf(base), 200);
    t.equal(child.exitCode, null);
  }
});

t.test(
  'serve warns if it answers for any host beyond loopback, and refuses hosts that are not listed',
  async (t) => {
    t.testdir({});
    const any = await serve(t, ['--host', '0.0.0.0']);
    t.match(any.output.stderr, /use --allowed-hosts or --base-url/);
    const listed = await serve(t, [
      '--host',
      '0.0.0.0',
      '--allowed-hosts',
      'gnss.example.org, 127.0.0.1',
    ]);
    t.notMatch(listed.output.stderr, /use --allowed-hosts/);
    const { port } = new URL(listed.base);
    const statusFor = async (host: string): Promise<number> =>
      (await ask(`http://127.0.0.1:${port}/health`, { headers: { host } })).status;
    t.same(
      [
        await statusFor('127.0.0.1'),
        await statusFor('gnss.example.org:1'),
        await statusFor('evil.example'),
      ],
      [200, 200, 421],
    );
  },
);

t.test('links start with the base URL, as URLs write it', async (t) => {
  t.testdir({});
  const port = await freePort();
  await serve(t, ['--port', String(port), '--base-url', 'https://gnss.example.org/a "b\\c/']);
  const path = '/setups/search/findCurrentByFourCharacterId?id=ALIC';
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  const { id, _links } = (await answer.json()) as SetupResource;
  t.equal(_links.self.href, `https://gnss.example.org/a%20%22b/c/setups/${id}`);
});

t.test(
  'a certificate is reloaded when its files change; a pair that does not match changes nothing',
  async (t) => {
    const folder = t.testdir({});
    const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    const create = (name: string): { certificate: string; key: string } => {
      const pair = { certificate: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
      createCertificate(pair.certificate, pair.key, name);
      return pair;
    };
    const use = (certificate: string, key: string): void => {
      copyFileSync(certificate, files.certificate);
      copyFileSync(key, files.key);
    };
    const one = create('one');
    const two = create('two');
    use(one.certificate, one.key);
    const database = join(folder, 'a.sqlite');
    await createDatabase(database, [SAMPLE]);
    const store = await openReader(database);
    const app = await buildApp({ store, contractFolder: CONTRACT, tls: readTls(files) });
    const lines: string[] = [];
    const log = {
      info: (line: string) => void lines.push(line),
      error: (line: string) => void lines.push(line),
    };
    const watched = watchTls(files, app.server as unknown as Server, log);
    t.teardown(async () => {
      watched.stop();
      await app.close();
      await store.close();
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const nameNow = async (): Promise<string> => {
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { subject } = socket.getPeerCertificate();
      socket.destroy();
      return String(subject.CN);
    };
    const logged = (count: number): Promise<void> =>
      until(`${count} lines`, () => lines.length >= count);
    t.equal(await nameNow(), 'one');
    use(two.certificate, one.key);
    await logged(1);
    t.match(lines, [/^kept the old certificate: .*not a matching PEM/]);
    t.equal(await nameNow(), 'one');
    use(two.certificate, two.key);
    await logged(2);
    t.equal(lines[1], 'reloaded the certificate');
    t.equal(await nameNow(), 'two');
    use(one.certificate, one.key);
    watched.reload();
    t.equal(await nameNow(), 'one', 'at once on demand');
    writeFileSync(files.certificate, 'no certificate');
    watched.reload();
    t.match(lines.at(-1), /^kept the old certificate/);
    t.equal(await nameNow(), 'one');
  },
);

t.test('a TLS handshake that never ends is closed', async (t) => {
  const folder = t.testdir({});
  const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  createCertificate(files.certificate, files.key);
  const { base } = await serve(t, ['--tls-certificate', files.certificate, '--tls-key', files.key]);
  const socket = connectPlain({ port: Number(new URL(base).port), host: '127.0.0.1' });
  await new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
});

t.test('a new database and its companions are not readable for everybody', async (t) => {
  const database = join(t.testdir(), 'a.sqlite');
  const before = process.umask(0);
  t.teardown(() => process.umask(before));
  const writer = await openWriter(database);
  for (const name of [database, `${database}-wal`, `${database}-shm`])
    t.equal(statSync(name).mode & 0o777, 0o640, name);
  await writer.close();
});
