import { setImmediate } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { addBaseUrl } from '../../../src/http/wire/base-url.js';
import { addResponseCache } from '../../../src/http/wire/response-cache.js';

/** An app with one cached route, whose "database" is one number that the test changes. It counts the computed answers. */
interface CachedApp {
  app: FastifyInstance;
  state: { version: number; computed: number; onRead: () => void };
  ask: (id: string, host?: string) => Promise<string>;
}

async function cachedApp(t: Test, { megabytes = 1, length = 0 } = {}): Promise<CachedApp> {
  const app = fastify();
  const state = { version: 1, computed: 0, onRead: () => undefined as void };
  addBaseUrl(app, { baseUrl: null, allowedHosts: null });
  addResponseCache(app, { version: async () => state.version, seenVersion: () => state.version }, megabytes);
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
    await setImmediate();
    return response.body;
  };
  return { app, state, ask };
}

t.test('an answer is computed once per key, and again for each version of the database', async (t) => {
  const { state, ask } = await cachedApp(t);
  const first = await ask('alic');
  t.equal(await ask('ALIC'), first, 'the key is canonical');
  t.equal(state.computed, 1);
  state.version = 2;
  t.match(JSON.parse(await ask('alic')), { version: 2 });
  t.equal(state.computed, 2);
});

t.test('a key of null, and a route without keys, are never cached', async (t) => {
  const { app, state, ask } = await cachedApp(t);
  await ask('never');
  await ask('never');
  await app.inject('/plain');
  await app.inject('/plain');
  t.equal(state.computed, 4);
});

t.test('the links of a cached answer start with the base URL of the request', async (t) => {
  const { state, ask } = await cachedApp(t);
  t.match(JSON.parse(await ask('a', 'one.example')), { href: 'http://one.example/answers' });
  t.match(JSON.parse(await ask('a', 'two.example:8080')), { href: 'http://two.example:8080/answers' });
  t.match(JSON.parse(await ask('a', 'one.example')), { href: 'http://one.example/answers' });
  t.equal(state.computed, 1, 'another host does not add an entry');
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
  const head = await app.inject({ method: 'HEAD', url: '/answers?id=a', headers: { host: 'a.example' } });
  await setImmediate();
  t.equal(state.computed, 1);
  const body = await ask('a');
  t.equal(state.computed, 2);
  const again = await app.inject({ method: 'HEAD', url: '/answers?id=a', headers: { host: 'a.example' } });
  t.equal(state.computed, 2);
  t.equal(again.body, '');
  t.equal(again.headers['content-length'], String(body.length));
  t.equal(head.headers['content-length'], again.headers['content-length']);
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
