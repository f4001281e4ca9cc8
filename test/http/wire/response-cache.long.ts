import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import fastify, { type FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { buildApp } from '../../../src/http/app.js';
import { addBaseUrl } from '../../../src/http/wire/base-url.js';
import { addResponseCache } from '../../../src/http/wire/response-cache.js';
import type { Reads } from '../../../src/store/database.js';
import type { Store } from '../../../src/store/store.js';
import { writeTextLogs } from '../../bench/synthetic-logs.js';
import { aboutFiles } from '../../databases.js';
import { FIXED_HEADERS } from '../../fixed-headers.js';
import { CONTRACT, ROOT, SAMPLE } from '../../project-files.js';
import { openService } from '../../service.js';
import { logText } from '../../synthetic-log.js';
import { nodeCommand } from '../../node-command.js';
import { CURRENT } from '../answers.js';
import { type Answer, ask, listen } from '../sockets.js';

const COMMAND = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const RECEIVERS = '/gnssReceivers?type=TRIMBLE%20NETRS';
const ALL_LOGS = '/siteLogs?size=1000';

t.test(
  'an answer from the cache equals the first answer byte for byte, at every address of the service, until an import',
  async (t) => {
    const { app, importText } = await openService(t, [SAMPLE]);
    await app.listen({ host: 'localhost', port: 0 });
    const addresses = app.addresses() as AddressInfo[];
    if (addresses.length < 2) t.comment('localhost has one address here');
    else t.ok(addresses.some(({ address }) => isIPv6(address)));
    for (const { address, port } of addresses) {
      const get = (path: string, options: object = {}): Promise<Answer> =>
        ask(port, path, { address, ...options });
      for (const path of [
        `${CURRENT}?id=ALIC`,
        RECEIVERS,
        ALL_LOGS,
        '/',
        '/profile/setups',
        '/health',
        `${CURRENT}?id=XXXX`,
        '/setups/1?x=1',
      ]) {
        const first = await get(path);
        t.match(first.headers, FIXED_HEADERS, path);
        t.equal(Object.keys(first.headers).length, 9, path);
        for (const _ of [1, 2]) t.same(await get(path), first, `${path} at ${address}`);
        t.same(await get(path, { method: 'HEAD' }), { ...first, body: '' }, `HEAD ${path}`);
        t.equal((await get(path, { method: 'DELETE' })).status, 405, `DELETE ${path}`);
      }
      t.equal((await get(`${CURRENT}?id=alic`)).body, (await get(`${CURRENT}?id=ALIC`)).body);
      t.equal(
        (await get(`${CURRENT}?id=AL%C4%B1C`)).status,
        400,
        'the upper case of another letter is no key',
      );
      const logs = (await get(ALL_LOGS)).body;
      for (const query of ['size=2000', 'page=0&size=1000', 'size=1000&sort=id'])
        t.equal((await get(`/siteLogs?${query}`)).body, logs, query);
      for (const query of ['size=1', 'size=1000&page=1', 'size=1000&projection=datePrepared'])
        t.not((await get(`/siteLogs?${query}`)).body, logs, query);
      for (const _ of [1, 2]) {
        const { body } = await get(ALL_LOGS, { host: 'other.example.org' });
        t.equal(body, logs.replaceAll('gnss.example.org', 'other.example.org'));
      }
      t.equal((await get(ALL_LOGS)).body, logs);
      const elsewhere = await get(`${CURRENT}?id=ALIC`, { host: 'other.example.org' });
      t.match(elsewhere.body, /"self":\{"href":"http:\/\/other\.example\.org\/setups\/\d+"\}/);
      t.notMatch(elsewhere.body, /gnss\.example\.org/);
      t.equal(elsewhere.headers['content-length'], String(Buffer.byteLength(elsewhere.body)));
    }
    const [{ port, address }] = addresses as [AddressInfo];
    t.equal((await ask(port, `${CURRENT}?id=TEST`, { address })).status, 404);
    for (const version of [1, 2, 3]) {
      await importText({
        prepared: `200${version}-01-01`,
        receivers: [{ type: `R${version}`, serial: '1', from: '2001-01-01' }],
      });
      for (const _ of [1, 2])
        t.match((await ask(port, `${CURRENT}?id=TEST`, { address })).body, `"type":"R${version}"`);
      t.match((await ask(port, ALL_LOGS, { address })).body, `"type":"R${version}"`);
      t.match((await ask(port, '/ready', { address })).body, '"sites":9');
    }
  },
);

t.test(
  'Content-Length counts bytes, whatever characters the body has, cached or not',
  async (t) => {
    const { app, importText } = await openService(t);
    const port = await listen(app);
    // V8 stores the first text in one byte per character, the second one in two. In UTF-8, both
    // have characters with more bytes.
    for (const [id, serial] of Object.entries({ UMLT: 'Küchenäquator', WIDE: 'Łódź 日本 😀' })) {
      const type = `TYPE ${serial}`;
      await importText({ id, receivers: [{ type, serial, from: '2001-01-01' }] });
      for (const path of [
        `${CURRENT}?id=${id}`,
        `${CURRENT}?id=${id}&projection=site`,
        `/gnssReceivers?type=${encodeURIComponent(type)}`,
      ]) {
        const first = await ask(port, path);
        t.match(first.body, `"serialNumber":"${serial}"`);
        t.equal(first.headers['content-length'], String(Buffer.byteLength(first.body)));
        t.same(await ask(port, path), first);
        const elsewhere = await ask(port, path, { host: 'other.example.org' });
        t.equal(elsewhere.body, first.body.replaceAll('gnss.example.org', 'other.example.org'));
      }
    }
  },
);

t.test(
  'a busy keep-alive connection is drained, though its answers come from the cache',
  async (t) => {
    const { app } = await openService(t, [SAMPLE]);
    const port = await listen(app);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.teardown(() => agent.destroy());
    const answer = () => ask(port, `${CURRENT}?id=ALIC`, { agent });
    await answer();
    const closed = app.close();
    let answers = 0;
    try {
      for (; ; answers++) t.equal((await answer()).status, 200);
    } catch {
      t.ok(
        answers <= 1,
        'the connection is closed with the first answer, and no new one is accepted',
      );
    }
    await closed;
  },
);

t.test(
  'of clients that ask for all logs at once, only the first waits for their texts',
  // Over PostgreSQL, several costly requests run at once.
  aboutFiles,
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'gnss-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    // More than are written at once.
    writeTextLogs(folder, 100);
    const { app, store, importText } = await openService(t, [folder]);
    const port = await listen(app);
    const { publishedLogs } = store;
    const findTexts = publishedLogs.findTexts.bind(publishedLogs);
    let found = 0;
    publishedLogs.findTexts = async (ids, parts) => {
      found += ids.length;
      // Longer than a turn.
      await sleep(40);
      return findTexts(ids, parts);
    };
    const askAll = (): Promise<Answer[]> =>
      Promise.all(Array.from({ length: 6 }, () => ask(port, ALL_LOGS)));
    const [first, ...others] = await askAll();
    t.equal(first!.status, 200);
    for (const other of others) t.same(other, first);
    t.equal(found, 100);
    await askAll();
    t.equal(found, 100);
    await importText({});
    await askAll();
    // The file may be opened again meanwhile, which counts as a commit.
    t.ok(found >= 201 && found <= 302, `${found} texts`);
  },
);

t.test('no answer that begins after a commit shows the state before it', async (t) => {
  const { app, database, folder } = await openService(t, [SAMPLE]);
  const port = await listen(app);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  t.teardown(() => agent.destroy());
  const COMMITS = 3;
  /** The number of the last import that has ended. */
  let committed = 0;
  let ended = false;
  let asked = 0;
  let unchanged = 0;
  const client = async (): Promise<void> => {
    for (let last = ''; !ended; asked++) {
      const before = committed;
      const { status, body } = await ask(port, `${CURRENT}?id=TEST`, { agent });
      if (body === last) unchanged++;
      last = body;
      const shown = status === 404 ? 0 : Number(/"type":"R(\d+)"/.exec(body)![1]);
      if (shown < before || shown > COMMITS)
        t.fail(`shows version ${shown} after the commit of ${before}`);
    }
  };
  const clients = Array.from({ length: 8 }, client);
  for (let version = 1; version <= COMMITS; version++) {
    const path = join(folder, `test_${version}.log`);
    writeFileSync(
      path,
      logText({
        prepared: `200${version}-01-01`,
        receivers: [{ type: `R${version}`, serial: '1', from: '2001-01-01' }],
      }),
    );
    const [code] = (await once(
      spawn(...nodeCommand(COMMAND, 'import', '--database', database, path)),
      'exit',
    )) as [number];
    t.equal(code, 0);
    committed = version;
  }
  ended = true;
  await Promise.all(clients);
  t.ok(
    asked > 100 && unchanged > asked / 2,
    `${asked} answers, of which ${unchanged} repeat the one before`,
  );
});

t.test(
  'of requests in one turn of the event loop, one after a commit sees it',
  aboutFiles,
  async (t) => {
    const { get, database } = await openService(t, [SAMPLE]);
    const writer = new Database(database);
    t.teardown(() => writer.close());
    const rename = writer.prepare(
      `UPDATE setup SET equipment_in_use = replace(equipment_in_use, '"type":"', '"type":"A ')`,
    );
    for (const path of [`${CURRENT}?id=ALIC`, '/setups/1']) {
      // The first answer is kept, the second one is from the cache.
      const before = await get(path);
      await setImmediate();
      let turns = 0;
      void setImmediate().then(() => turns++);
      t.equal((await get(path)).body, before.body);
      rename.run();
      t.not((await get(path)).body, before.body, path);
      t.equal(turns, 0);
    }
  },
);

t.test(
  'the app caches current lookups and devices of a type, unless the cache is off',
  async (t) => {
    const { store } = await openService(t, [SAMPLE]);
    let reads = 0;
    // The real store, with its reads counted.
    const counted = <T extends object>(real: T): T =>
      new Proxy(real, {
        get: (target, name) => {
          const member = Reflect.get(target, name) as unknown;
          if (typeof member !== 'function') return member;
          reads++;
          return (member as () => unknown).bind(target);
        },
      });
    const counting = Object.create(store, {
      setups: { value: counted(store.setups) },
      devices: { value: counted(store.devices) },
    }) as Store;
    for (const [cacheMegabytes, computed] of [
      [1, 2],
      [0, 4],
    ] as const) {
      reads = 0;
      const app = await buildApp({ store: counting, contractFolder: CONTRACT, cacheMegabytes });
      t.teardown(() => app.close());
      for (const url of [`${CURRENT}?id=ALIC`, `${CURRENT}?id=alic`, RECEIVERS, RECEIVERS])
        t.equal((await app.inject(url)).statusCode, 200);
      t.equal(reads, computed, `${cacheMegabytes} MiB`);
    }
  },
);

type Versions = Pick<Reads, 'version' | 'seenVersion'>;

/**
 * An app with one cached route, whose "database" is one number that the test changes. It counts the
 * computed answers.
 */
interface CachedApp {
  app: FastifyInstance;
  state: { version: number; computed: number; onRead: () => void };
  ask: (id: string, host?: string) => Promise<string>;
}

async function cachedApp(
  t: Test,
  { megabytes = 1, length = 0, versions = null as Versions | null } = {},
): Promise<CachedApp> {
  const app = fastify();
  const state = { version: 1, computed: 0, onRead: () => undefined as void };
  addBaseUrl(app, { baseUrl: null, allowedHosts: null });
  addResponseCache(
    app,
    versions ?? { version: async () => state.version, seenVersion: () => state.version },
    megabytes,
  );
  app.get<{ Querystring: { id: string } }>(
    '/answers',
    { config: { cacheKey: ({ id }) => (id === 'never' ? null : String(id).toUpperCase()) } },
    async ({ query: { id }, baseUrl }) => {
      state.computed++;
      const { version } = state;
      state.onRead();
      const body = { id: id.toUpperCase(), version, href: `${baseUrl}/answers`, text: '' };
      return { ...body, text: 'x'.repeat(Math.max(0, length - JSON.stringify(body).length)) };
    },
  );
  app.get('/plain', async () => ({ computed: ++state.computed }));
  t.teardown(() => app.close());
  const ask: CachedApp['ask'] = async (id, host = 'a.example') => {
    const response = await app.inject({ url: `/answers?id=${id}`, headers: { host } });
    return response.body;
  };
  return { app, state, ask };
}

t.test(
  'an answer is computed once per key, and again for each version of the database',
  async (t) => {
    const { state, ask } = await cachedApp(t);
    const first = await ask('alic');
    t.equal(await ask('ALIC'), first, 'the key is canonical');
    t.match(JSON.parse(await ask('alic', 'two.example:8080')), {
      href: 'http://two.example:8080/answers',
    });
    t.equal(state.computed, 1, 'another host does not add an entry');
    state.version = 2;
    t.match(JSON.parse(await ask('alic')), { version: 2 });
    t.equal(state.computed, 2);
  },
);

t.test(
  'the version is read for answers that are there; what was computed after an unseen commit is dropped with the rest',
  async (t) => {
    const versions = { now: 1, seen: 1, reads: 0 };
    const { state, ask } = await cachedApp(t, {
      versions: {
        version: () => {
          versions.reads++;
          return (versions.seen = versions.now);
        },
        seenVersion: () => versions.seen,
      },
    });
    for (const [id, computed, reads] of [
      ['a', 1, 0],
      ['a', 1, 1],
    ] as const) {
      await ask(id);
      t.same([state.computed, versions.reads], [computed, reads], id);
    }
    versions.now = 2;
    for (const [id, computed, reads] of [
      ['b', 2, 1],
      ['a', 3, 2],
      ['b', 4, 2],
      ['a', 4, 3],
      ['b', 4, 4],
    ] as const) {
      await ask(id);
      t.same([state.computed, versions.reads], [computed, reads], `${id} after the commit`);
    }
  },
);

t.test(
  'requests that arrive while the version is read share the next read, which sees later commits',
  async (t) => {
    const reads: (() => void)[] = [];
    const { app, state } = await cachedApp(t, {
      versions: {
        version: () => {
          const { version } = state;
          return new Promise((resolve) => reads.push(() => resolve(version)));
        },
        seenVersion: () => state.version,
      },
    });
    const shown = async (): Promise<unknown> =>
      (JSON.parse((await app.inject('/answers?id=a')).body) as { version: unknown }).version;
    const areReads = async (count: number): Promise<void> => {
      while (reads.length < count) await setImmediate();
      await sleep(20);
      t.equal(reads.length, count);
    };
    t.equal(await shown(), 1, 'nothing is there, so no version is read');
    const first = shown();
    await areReads(1);
    state.version = 2;
    const others = [shown(), shown(), shown()];
    await areReads(1);
    reads[0]!();
    await areReads(2);
    reads[1]!();
    t.equal(await first, 1, 'it began before the commit');
    t.strictSame(await Promise.all(others), [2, 2, 2]);
  },
);

t.test('a key of null, and a route without keys, are never cached', async (t) => {
  const { app, state, ask } = await cachedApp(t);
  for (const _ of [1, 2]) {
    await ask('never');
    await app.inject('/plain');
  }
  t.equal(state.computed, 4);
});

t.test('an answer is not cached if there is a commit while it is computed', async (t) => {
  const { state, ask } = await cachedApp(t);
  // Commit between the first read of the version and the end of the answer.
  state.onRead = () => {
    state.version = 2;
    state.onRead = () => undefined;
  };
  t.match(JSON.parse(await ask('a')), { version: 1 }, 'this request began before the commit');
  state.version = 1;
  await ask('a');
  t.equal(state.computed, 2, 'not cached for the version before');
  state.version = 2;
  t.match(JSON.parse(await ask('a')), { version: 2 });
  t.equal(state.computed, 3, 'not cached for the version after');
});

t.test('HEAD is answered from the cache but adds nothing to it', async (t) => {
  const { app, state, ask } = await cachedApp(t);
  const askHead = () =>
    app.inject({ method: 'HEAD', url: '/answers?id=a', headers: { host: 'a.example' } });
  const head = await askHead();
  t.equal(state.computed, 1);
  const length = String((await ask('a')).length);
  t.equal(state.computed, 2);
  const again = await askHead();
  t.same(
    [again.body, again.headers['content-length'], head.headers['content-length']],
    ['', length, length],
  );
  t.equal(state.computed, 2);
});

t.test('bodies of up to 256 KiB are cached, longer ones are not', async (t) => {
  for (const [length, computed] of [
    [256 * 1024, 1],
    [256 * 1024 + 1, 2],
  ] as const) {
    const { state, ask } = await cachedApp(t, { length });
    t.equal((await ask('a')).length, length);
    await ask('a');
    t.equal(state.computed, computed, String(length));
  }
});

t.test('memory is bounded: the least recently used answers are dropped', async (t) => {
  const { state, ask } = await cachedApp(t, { length: 20_000 });
  // 50 entries of 20,000 bytes, with their overhead, fill one MiB.
  const ids = Array.from({ length: 60 }, (_, index) => `id${index}`);
  for (const id of ids) {
    await ask(id);
    await ask('id0');
  }
  t.equal(state.computed, 60);
  await ask('id59');
  await ask('id0');
  t.equal(state.computed, 60, 'the newest, and the one used in between, are cached');
  await ask('id1');
  t.equal(state.computed, 61, 'the oldest is not');
});
