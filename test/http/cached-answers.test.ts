import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { buildApp } from '../../src/http/app.js';
import type { Store } from '../../src/store/store.js';
import { CONTRACT, FIXED_HEADERS, logText, openService, ROOT, SAMPLE, type Service } from '../helper.js';
import { nodeCommand } from '../node-command.js';

const CURRENT = '/setups/search/findCurrentByFourCharacterId?id=';
const COMMAND = join(ROOT, 'dist', 'src', 'cli', 'main.js');

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Asks over a real socket. */
function ask(
  address: AddressInfo,
  path: string,
  { host = 'gnss.example.org', agent }: { host?: string; agent?: Agent } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: address.address, port: address.port, path, headers: { host }, ...(agent && { agent }) }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => {
        const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...headers } = response.headers;
        resolve({ status: response.statusCode!, headers, body });
      });
    })
      .on('error', reject)
      .end();
  });
}

/** A service over the sample network that listens on every address of a host. */
async function listening(t: Test, host: string): Promise<Service & { addresses: AddressInfo[] }> {
  const service = await openService(t, [SAMPLE]);
  await service.app.listen({ host, port: 0 });
  return { ...service, addresses: service.app.addresses() as AddressInfo[] };
}

t.test('an answer from the cache is the first answer to the byte, at every address that the service listens on', async (t) => {
  const { addresses } = await listening(t, 'localhost');
  const paths = [`${CURRENT}ALIC`, '/gnssReceivers?type=TRIMBLE%20NETRS'];
  for (const address of addresses) {
    for (const path of paths) {
      const first = await ask(address, path);
      t.equal(first.status, 200);
      t.match(first.headers, { ...FIXED_HEADERS, 'content-type': 'application/hal+json;charset=UTF-8' });
      t.equal(Object.keys(first.headers).length, 9);
      t.same(await ask(address, path), first, `${path} at ${address.address}`);
    }
    t.equal((await ask(address, `${CURRENT}alic`)).body, (await ask(address, `${CURRENT}ALIC`)).body);
    t.equal((await ask(address, `${CURRENT}AL%C4%B1C`)).status, 400, 'the upper case of another letter is no key');
    const elsewhere = await ask(address, `${CURRENT}ALIC`, { host: 'other.example.org' });
    t.match(elsewhere.body, /"self":\{"href":"http:\/\/other\.example\.org\/setups\/\d+"\}/);
    t.notMatch(elsewhere.body, /gnss\.example\.org/);
    t.equal(elsewhere.headers['content-length'], String(Buffer.byteLength(elsewhere.body)));
  }
  if (addresses.length < 2) t.comment('localhost has one address here');
  else t.ok(addresses.some(({ address }) => isIPv6(address)));
});

t.test('Content-Length counts bytes, whatever characters the body has, cached or not', async (t) => {
  // V8 stores the first text in one byte per character, the second one in two; in UTF-8, both have longer ones.
  for (const [id, serial] of [
    ['UMLT', 'Küchenäquator'],
    ['WIDE', 'Łódź 日本 😀'],
  ] as const) {
    const service = await openService(t);
    const type = `TYPE ${serial}`;
    await service.importText({ id, receivers: [{ type, serial, from: '2001-01-01' }] });
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    const [address] = service.app.addresses() as AddressInfo[];
    const paths = [`${CURRENT}${id}`, `${CURRENT}${id}&projection=site`, `/gnssReceivers?type=${encodeURIComponent(type)}`];
    for (const path of paths) {
      const [first, second] = [await ask(address!, path), await ask(address!, path)];
      t.match(first.body, `"serialNumber":"${serial}"`);
      t.equal(first.headers['content-length'], String(Buffer.byteLength(first.body)));
      t.same(second, first);
      const elsewhere = await ask(address!, path, { host: 'other.example.org' });
      t.equal(elsewhere.body, first.body.replaceAll('gnss.example.org', 'other.example.org'));
    }
  }
});

t.test('a busy keep-alive connection is drained, though its answers come from the cache', async (t) => {
  const { app, addresses } = await listening(t, '127.0.0.1');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  await ask(addresses[0]!, `${CURRENT}ALIC`, { agent });
  const closed = app.close();
  let answers = 0;
  try {
    for (;;) {
      const { status } = await ask(addresses[0]!, `${CURRENT}ALIC`, { agent });
      t.equal(status, 200);
      answers++;
    }
  } catch {
    t.ok(answers <= 1, 'the connection is closed with the first answer, and no new one is accepted');
  }
  await closed;
});

t.test('no answer that begins after a commit shows the state before it', async (t) => {
  const { addresses, database, folder } = await listening(t, '127.0.0.1');
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  t.teardown(() => agent.destroy());
  const COMMITS = 6;
  /** The number of the last import that has ended. */
  let committed = 0;
  let ended = false;
  let [asked, unchanged] = [0, 0];
  const client = async (): Promise<void> => {
    let last = '';
    while (!ended) {
      const before = committed;
      const { status, body } = await ask(addresses[0]!, `${CURRENT}TEST`, { agent });
      asked++;
      if (body === last) unchanged++;
      last = body;
      const shown = status === 404 ? 0 : Number(/"type":"R(\d+)"/.exec(body)![1]);
      if (shown < before || shown > COMMITS) t.fail(`shows version ${shown} after the commit of ${before}`);
    }
  };
  const clients = Array.from({ length: 8 }, client);
  for (let version = 1; version <= COMMITS; version++) {
    const path = join(folder, `test_${version}.log`);
    const receivers = [{ type: `R${version}`, serial: '1', from: '2001-01-01' }];
    writeFileSync(path, logText({ prepared: `20${String(version).padStart(2, '0')}-01-01`, receivers }));
    const [code] = (await once(spawn(...nodeCommand(COMMAND, 'import', '--database', database, path)), 'exit')) as [number];
    t.equal(code, 0);
    committed = version;
  }
  ended = true;
  await Promise.all(clients);
  t.ok(asked > 100 && unchanged > asked / 2, `${asked} answers, of which ${unchanged} repeat the one before`);
});

t.test('the app caches current lookups and devices of a type, unless the cache is off', async (t) => {
  for (const [cacheMegabytes, computed] of [
    [1, 2],
    [0, 4],
  ] as const) {
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
    const app = await buildApp({ store: counting, contractFolder: CONTRACT, cacheMegabytes });
    t.teardown(() => app.close());
    for (const url of [`${CURRENT}ALIC`, `${CURRENT}alic`, '/gnssReceivers?type=TRIMBLE%20NETRS', '/gnssReceivers?type=TRIMBLE%20NETRS']) {
      t.equal((await app.inject(url)).statusCode, 200);
    }
    t.equal(reads, computed, `${cacheMegabytes} MiB`);
  }
});
