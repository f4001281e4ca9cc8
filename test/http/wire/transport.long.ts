import t, { type Test } from 'tap';
import type { AppOptions } from '../../../src/http/app.js';
import { problemType } from '../../../src/http/wire/problems.js';
import { FIXED_HEADERS } from '../../fixed-headers.js';
import { SAMPLE } from '../../project-files.js';
import { openService } from '../../service.js';
import { logText } from '../../synthetic-log.js';
import { violations } from '../../violations.js';
import { HAL, type Paged, PROBLEM } from '../answers.js';
import { type Answer, answersIn, exchange, listen } from '../sockets.js';

// The tests mostly wait for connections to be closed.
t.jobs = 8;

const ALLOW = 'GET, HEAD, OPTIONS';

interface Exchange {
  /** Sends bytes, and resolves to the answers when the server has closed the connection. */
  raw: (bytes: string) => Promise<Answer[]>;
  port: number;
  connections: () => Promise<number>;
}

async function open(t: Test, options: Partial<AppOptions> = {}, logs = SAMPLE): Promise<Exchange> {
  const { app } = await openService(t, [logs], options);
  const port = await listen(app);
  const raw: Exchange['raw'] = async (bytes) =>
    answersIn(await exchange(t, port, bytes), { withoutBody: bytes.startsWith('HEAD') });
  const connections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      app.server.getConnections((error, count) =>
        error === null ? resolve(count) : reject(error),
      ),
    );
  return { raw, port, connections };
}

/** A request that ends its connection. */
const get = (target: string, ...fields: string[]): string =>
  `GET ${target} HTTP/1.1\r\n${[...fields, 'Connection: close'].map((field) => `${field}\r\n`).join('')}\r\n`;

/** Waits until the server has no connections. */
async function closed(connections: () => Promise<number>): Promise<void> {
  while ((await connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Checks that an answer is a problem of a kind, with the header fields of the contract. */
function checkProblem(
  t: Test,
  { status, headers, body }: Answer,
  kind: Parameters<typeof problemType>[0],
  named: string,
): void {
  const problem = JSON.parse(body) as object;
  const fields = {
    ...FIXED_HEADERS,
    'content-type': PROBLEM,
    'content-length': String(Buffer.byteLength(body)),
  };
  t.match(
    [headers, problem, violations('Problem', problem)],
    [fields, { type: problemType(kind), status }, []],
    named,
  );
}

t.test('two Host fields, or none, are 400, also with a base URL', async (t) => {
  for (const options of [{}, { baseUrl: 'https://gnss.example.org' }]) {
    const { raw } = await open(t, options);
    for (const fields of [
      ['Host: a', 'Host: b'],
      ['Host: a', 'HOST: a'],
      [],
      ['Host: a/b'],
      ['Host:'],
      ['Host: a, b'],
    ]) {
      const [answer, ...more] = await raw(get('/health', ...fields));
      t.same([answer!.status, more], [400, []], fields.join());
      checkProblem(t, answer!, 'bad-request', fields.join());
    }
    t.equal((await raw(get('/health', 'Host: a')))[0]!.status, 200);
  }
});

t.test(
  'malformed HTTP is answered with a problem document and the fixed header fields',
  async (t) => {
    const { raw, port } = await open(t);
    const cases: [bytes: string, status: number][] = [
      ['FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
      ['GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
      ['GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
      [`GET /health HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      ['GET /health HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n', 200],
      ['GET /gnssReceivers HTTP/1.0\r\n\r\n', 200],
    ];
    for (const [bytes, status] of cases) {
      const [answer] = await raw(bytes);
      const { date: _, connection: __, ...fields } = answer!.headers;
      t.same([answer!.status, Object.keys(fields).length], [status, 9], bytes.slice(0, 60));
      t.match(
        fields,
        { ...FIXED_HEADERS, 'content-length': String(Buffer.byteLength(answer!.body)) },
        bytes.slice(0, 60),
      );
      if (status >= 400)
        t.same(
          [fields['content-type'], violations('Problem', JSON.parse(answer!.body))],
          [PROBLEM, []],
          bytes.slice(0, 60),
        );
    }
    const head = await exchange(t, port, 'HEAD /\xe9 HTTP/1.1\r\nHost: a\r\n\r\n');
    t.match(head, /^HTTP\/1.1 400 .*\r\n\r\n$/s, 'the answer to a HEAD request has no body');
  },
);

/** A path whose answer is streamed. */
const STREAMED = '/exports/setups.ndjson';

/** Logs of so many Setups that such an answer takes many turns. */
const MANY_SETUPS = t.testdir(
  Object.fromEntries(
    Array.from({ length: 100 }, (_, number) => {
      const id = `Q${String(number).padStart(3, '0')}`;
      const receivers = Array.from({ length: 25 }, (_, year) => ({
        type: `R${year}`,
        serial: String(number),
        from: `${1995 + year}-01-01T00:00Z`,
        to: `${1996 + year}-01-01T00:00Z`,
      }));
      return [`${id}_20200101.log`, logText({ id, name: id, receivers })];
    }),
  ),
);

t.test(
  'malformed HTTP breaks off a streamed answer, but is refused after the end of one',
  async (t) => {
    const { port } = await open(t, {}, MANY_SETUPS);
    /**
     * Requests answers, the last of which is streamed, and sends malformed bytes once what has
     * arrived matches `when`.
     */
    const interrupt = (when: RegExp, targets = [STREAMED]): Promise<string> =>
      exchange(
        t,
        port,
        targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''),
        { when, bytes: 'malformed\r\n\r\n' },
      );
    const brokenOff = await interrupt(/^HTTP\/1\.1 200 OK/);
    t.notMatch(brokenOff, '\r\n0\r\n\r\n');
    t.notMatch(brokenOff, 'HTTP/1.1 400', 'no refusal inside the answer');
    for (const first of ['/health', '/exports/sites.csv?site=Q001']) {
      const pipelined = await interrupt(/HTTP\/1\.1 200 OK[^]*HTTP\/1\.1 200 OK/, [
        first,
        STREAMED,
      ]);
      t.notMatch(pipelined, 'HTTP/1.1 400', `nor if it waited for ${first}`);
    }
    t.match(await interrupt(/\r\n0\r\n\r\n$/), /\r\n0\r\n\r\nHTTP\/1\.1 400 Bad Request\r\n/);
  },
);

t.test(
  'a client that expects 100 Continue gets its answer at once, even behind a request that is not answered yet',
  async (t) => {
    const { port } = await open(t);
    const expecting = (target: string) =>
      `${target} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n`;
    // Node.js writes its "100 Continue" between the head and the body of an answer that waits for
    // the one before.
    const answers = await exchange(
      t,
      port,
      `GET /setups?size=1000 HTTP/1.1\r\nHost: a\r\n\r\n${expecting('GET /setups/1')}\r\n`,
    );
    t.same(answers.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 200', 'HTTP/1.1 200']);
    t.match(await exchange(t, port, `${expecting('GET /setups/1')}\r\n`), /^HTTP\/1\.1 200 OK\r\n/);
    const post = await exchange(
      t,
      port,
      `${expecting('POST /setups')}Content-Length: 1000\r\n\r\n`,
    );
    t.match(post, /^HTTP\/1\.1 405 /, 'without waiting for the content');
  },
);

t.test('CONNECT gets a complete 405', async (t) => {
  const { raw, connections } = await open(t);
  for (const target of ['example.org:443', 'a:1']) {
    const [answer, ...more] = await raw(
      `CONNECT ${target} HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n`,
    );
    t.same(more, [], 'what follows is not a request');
    checkProblem(t, answer!, 'method-not-allowed', target);
    t.match(answer, { status: 405, headers: { allow: ALLOW, connection: 'close', date: /GMT$/ } });
  }
  await closed(connections);
});

t.test('GET * is 400; OPTIONS * says what the service supports', async (t) => {
  const { raw } = await open(t);
  const ask = async (method: string): Promise<Answer> =>
    (await raw(get('*', 'Host: a').replace('GET', method)))[0]!;
  for (const method of ['GET', 'HEAD', 'POST']) t.equal((await ask(method)).status, 400, method);
  t.match(await ask('OPTIONS'), { status: 204, headers: { ...FIXED_HEADERS, allow: ALLOW } });
});

t.test('an absolute-form target takes its authority from the target', async (t) => {
  const { raw } = await open(t);
  const cases: [target: string, field: string | null, self: string | number][] = [
    ['http://target.example/', 'Host: field.example', 'http://target.example/'],
    ['http://target.example', 'Host: field.example', 'http://target.example/'],
    [
      'HTTP://target.example:81/gnssReceivers',
      'Host: field.example',
      'http://target.example:81/gnssReceivers',
    ],
    [
      'http://target.example/gnssReceivers?size=1',
      'Host: a',
      'http://target.example/gnssReceivers',
    ],
    // An unknown parameter of the root.
    ['http://target.example?x=1', 'Host: a', 400],
    ['/gnssReceivers', 'Host: field.example', 'http://field.example/gnssReceivers'],
    ['/http://target.example/', 'Host: a', 404],
    ['ftp://target.example/', 'Host: a', 400],
    ['http:///x', 'Host: a', 400],
    ['http://user@target.example/', 'Host: a', 400],
    ['http://a b/', 'Host: a', 400],
    ['http://target.example/', null, 400],
  ];
  for (const [target, field, self] of cases) {
    const [{ status, body }] = (await raw(get(target, ...(field === null ? [] : [field])))) as [
      Answer,
    ];
    t.equal(
      status === 200 ? (JSON.parse(body) as Paged)._links.self.href : status,
      self,
      `${target} ${field}`,
    );
  }
});

t.test('302 and 204 have the fields of the contract as far as HTTP allows', async (t) => {
  const { raw } = await open(t);
  const contract = { ...FIXED_HEADERS, 'content-type': HAL };
  const answerTo = async (request: string) => {
    const [{ status, headers }] = (await raw(request)) as [Answer];
    const { date: _, connection: __, ...fields } = headers;
    return [status, fields];
  };
  const redirect = [302, { ...contract, location: './overview', 'content-length': '0' }];
  t.same(await answerTo(get('/', 'Host: a', 'Accept: text/html')), redirect);
  for (const target of ['/', '*']) {
    const options = await answerTo(get(target, 'Host: a').replace('GET', 'OPTIONS'));
    t.same(
      options,
      [204, { ...contract, allow: ALLOW }],
      'a 204 has no Content-Length (RFC 9110, section 8.6)',
    );
  }
});

t.test('a request that names a host which is not allowed is 421', async (t) => {
  const { raw } = await open(t, {
    allowedHosts: ['gnss.example.org', '[2001:db8::1]', 'other.example:8443'],
    trustProxy: true,
  });
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
    const named = `${target} ${fields.join()}`;
    t.same([answer!.status, answer!.body.includes('evil')], [status, false], named);
    if (status === 421 && target !== '/sites')
      checkProblem(t, answer!, 'misdirected-request', named);
  }
  const { raw: based } = await open(t, {
    allowedHosts: ['gnss.example.org'],
    baseUrl: 'https://gnss.example.org',
  });
  t.equal((await based(get('/health', 'Host: evil.example')))[0]!.status, 421);
});

t.test(
  'half-open and malformed requests are answered or closed, and no connection is left',
  async (t) => {
    const { raw, connections } = await open(t);
    const upgrade =
      'GET /health HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
    const statuses: [bytes: string, status: number][] = [
      ['', 408],
      ['GET /health HTTP/1.1\r\nHost: a\r\n', 408],
      ['POST /health HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', 405],
      ['FOO BAR\r\n\r\n', 400],
      [upgrade, 200],
      [`${upgrade}FOO BAR\r\n\r\n`, 200],
      [`${upgrade}GET /health HTTP/1.1\r\nHost: a\r\n`, 200],
      [
        'GET /health HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\nFOO\r\n\r\n',
        200,
      ],
    ];
    const exchanges = statuses.map(async ([bytes, status]) => {
      const [answer] = await raw(bytes);
      t.equal(answer!.status, status, JSON.stringify(bytes));
    });
    await Promise.all(exchanges);
    await closed(connections);
  },
);
