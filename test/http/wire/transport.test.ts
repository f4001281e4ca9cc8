import { connect, type AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { problemType } from '../../../src/http/wire/problems.js';
import type { AppOptions } from '../../../src/http/app.js';
import { FIXED_HEADERS, openService, SAMPLE, violations } from '../../helper.js';

// The tests mostly wait for connections to be closed.
t.jobs = 8;

const HAL = 'application/hal+json;charset=UTF-8';
const ALLOW = 'GET, HEAD, OPTIONS';

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Splits what a connection received into answers. @throws {Error} if an answer is incomplete */
function answersIn(bytes: string, withoutBody: boolean): Answer[] {
  const answers: Answer[] = [];
  for (let rest = bytes; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`incomplete: ${rest.slice(0, 300)}`);
    const [statusLine, ...fields] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]),
    );
    const length = withoutBody ? 0 : Number(headers['content-length'] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) throw new Error(`incomplete: ${rest.slice(0, 300)}`);
    answers.push({ status: Number(statusLine!.split(' ')[1]), headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

interface Exchange {
  /** Sends bytes, and resolves to the answers when the server has closed the connection. */
  raw: (bytes: string) => Promise<Answer[]>;
  port: number;
  connections: () => Promise<number>;
}

async function listen(t: Test, options: Partial<AppOptions> = {}): Promise<Exchange> {
  const { app } = await openService(t, [SAMPLE], options);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const raw: Exchange['raw'] = (bytes) =>
    new Promise((resolve, reject) => {
      let received = '';
      // Never close first: a client that neither sends nor closes must not keep its connection.
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(bytes));
      t.teardown(() => socket.destroy());
      socket
        .on('data', (chunk) => (received += (chunk as Buffer).toString('latin1')))
        .on('end', () => {
          try {
            resolve(answersIn(received, bytes.startsWith('HEAD')));
          } catch (error) {
            reject(error);
          }
        })
        .on('error', reject);
    });
  const connections = (): Promise<number> =>
    new Promise((resolve, reject) => app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))));
  return { raw, port, connections };
}

const get = (target: string, ...fields: string[]): string =>
  `GET ${target} HTTP/1.1\r\n${[...fields, 'Connection: close'].map((field) => `${field}\r\n`).join('')}\r\n`;

t.test('two Host fields, or none, are 400, also with a base URL', async (t) => {
  for (const options of [{}, { baseUrl: 'https://gnss.example.org' }]) {
    const { raw } = await listen(t, options);
    for (const fields of [['Host: a', 'Host: b'], ['Host: a', 'HOST: a'], [], ['Host: a/b'], ['Host:'], ['Host: a, b']]) {
      const [answer, ...more] = await raw(get('/health', ...fields));
      t.equal(answer!.status, 400, fields.join());
      t.match(JSON.parse(answer!.body), { type: problemType('bad-request') });
      t.match(answer!.headers, FIXED_HEADERS);
      t.same(more, []);
    }
    t.equal((await raw(get('/health', 'Host: a')))[0]!.status, 200);
  }
});

t.test('CONNECT gets a complete 405', async (t) => {
  const { raw, connections } = await listen(t);
  for (const target of ['example.org:443', 'a:1']) {
    const answers = await raw(`CONNECT ${target} HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n`);
    t.equal(answers.length, 1, 'what follows is not a request');
    const { status, headers, body } = answers[0]!;
    t.equal(status, 405);
    t.match(headers, { ...FIXED_HEADERS, allow: ALLOW, connection: 'close', 'content-type': 'application/problem+json' });
    t.match(headers.date, /GMT$/);
    t.match(JSON.parse(body), { type: problemType('method-not-allowed'), status: 405 });
    t.same(violations('Problem', JSON.parse(body)), []);
  }
  await closed(connections);
});

/** Waits until the server has no connection. */
async function closed(connections: () => Promise<number>): Promise<void> {
  while ((await connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
}

t.test('GET * is 400; OPTIONS * says what the service supports', async (t) => {
  const { raw } = await listen(t);
  for (const method of ['GET', 'HEAD', 'POST']) {
    const [answer] = await raw(get('*', 'Host: a').replace('GET', method));
    t.equal(answer!.status, 400, method);
  }
  const [options] = await raw(get('*', 'Host: a').replace('GET', 'OPTIONS'));
  t.match(options, { status: 204, headers: { ...FIXED_HEADERS, allow: ALLOW } });
});

t.test('an absolute-form target takes its authority from the target', async (t) => {
  const { raw } = await listen(t);
  const selfOf = async (target: string, ...fields: string[]): Promise<unknown> => {
    const [{ status, body }] = (await raw(get(target, ...fields))) as [Answer];
    return status === 200 ? (JSON.parse(body) as { _links: { self: { href: string } } })._links.self.href : status;
  };
  t.equal(await selfOf('http://target.example/', 'Host: field.example'), 'http://target.example/');
  t.equal(await selfOf('http://target.example', 'Host: field.example'), 'http://target.example/');
  t.equal(await selfOf('HTTP://target.example:81/gnssReceivers', 'Host: field.example'), 'http://target.example:81/gnssReceivers');
  t.equal(await selfOf('http://target.example/gnssReceivers?size=1', 'Host: a'), 'http://target.example/gnssReceivers');
  t.equal(await selfOf('http://target.example?x=1', 'Host: a'), 400, 'an unknown parameter of the root');
  t.equal(await selfOf('/gnssReceivers', 'Host: field.example'), 'http://field.example/gnssReceivers');
  t.equal(await selfOf('/http://target.example/', 'Host: a'), 404);
  for (const target of ['ftp://target.example/', 'http:///x', 'http://user@target.example/', 'http://a b/']) {
    t.equal(await selfOf(target, 'Host: a'), 400, target);
  }
  t.equal(await selfOf('http://target.example/'), 400, 'without Host');
});

t.test('302 and 204 have the fields of the contract as far as HTTP allows', async (t) => {
  const { raw } = await listen(t);
  const contract = { ...FIXED_HEADERS, 'content-type': HAL };
  const fieldsOf = ({ headers: { date: _, connection: __, ...fields } }: Answer) => fields;
  const [redirect] = await raw(get('/', 'Host: a', 'Accept: text/html'));
  t.equal(redirect!.status, 302);
  t.same(fieldsOf(redirect!), { ...contract, location: './sites', 'content-length': '0' });
  for (const target of ['/', '*']) {
    const [options] = await raw(get(target, 'Host: a').replace('GET', 'OPTIONS'));
    t.equal(options!.status, 204);
    t.same(fieldsOf(options!), { ...contract, allow: ALLOW }, 'a 204 has no Content-Length (RFC 9110, section 8.6)');
  }
});

t.test('a request that names a host which is not allowed is 421', async (t) => {
  const { raw } = await listen(t, { allowedHosts: ['gnss.example.org', '[2001:db8::1]', 'other.example:8443'], trustProxy: true });
  for (const [target, fields, status] of [
    ['/health', ['Host: gnss.example.org'], 200],
    ['/health', ['Host: GNSS.example.ORG:8080'], 200],
    ['/health', ['Host: [2001:db8::1]:80'], 200],
    ['/health', ['Host: other.example:8443'], 200],
    ['/health', ['Host: other.example'], 421],
    ['/health', ['Host: evil.example'], 421],
    ['/sites', ['Host: evil.example'], 421],
    ['/nothing', ['Host: evil.example'], 421],
    ['http://evil.example/health', ['Host: gnss.example.org'], 421],
    ['http://gnss.example.org/health', ['Host: evil.example'], 200],
    ['/health', ['Host: inner', 'X-Forwarded-Host: gnss.example.org'], 200],
    ['/health', ['Host: gnss.example.org', 'X-Forwarded-Host: evil.example'], 421],
    ['/health', ['Host: gnss.example.org.'], 421],
  ] as const) {
    const [answer] = await raw(get(target, ...fields));
    t.equal(answer!.status, status, `${target} ${fields.join()}`);
    if (status === 421 && target !== '/sites') t.match(JSON.parse(answer!.body), { type: problemType('misdirected-request') });
    t.notOk(answer!.body.includes('evil'));
  }
  const { raw: based } = await listen(t, { allowedHosts: ['gnss.example.org'], baseUrl: 'https://gnss.example.org' });
  t.equal((await based(get('/health', 'Host: evil.example')))[0]!.status, 421);
});

t.test('half-open and malformed requests are answered or closed within 30 seconds', { timeout: 60_000 }, async (t) => {
  const { raw, connections } = await listen(t);
  const upgrade = 'GET /health HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
  const start = Date.now();
  const statuses: [string, number[]][] = [
    ['', [408]],
    ['GET /health HTTP/1.1\r\nHost: a\r\n', [408]],
    ['POST /health HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', [405]],
    ['FOO BAR\r\n\r\n', [400]],
    [upgrade, [200]],
    [`${upgrade}FOO BAR\r\n\r\n`, [200]],
    [`${upgrade}GET /health HTTP/1.1\r\nHost: a\r\n`, [200]],
    ['GET /health HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\nFOO\r\n\r\n', [200]],
  ];
  await Promise.all(
    statuses.map(async ([bytes, expected]) => {
      const answers = await raw(bytes);
      t.same(
        answers.slice(0, expected.length).map(({ status }) => status),
        expected,
        JSON.stringify(bytes),
      );
      t.ok(Date.now() - start < 30_000, `${JSON.stringify(bytes)}: ${Date.now() - start} ms`);
    }),
  );
  await closed(connections);
  t.ok(Date.now() - start < 33_000, 'no connection is left');
});
