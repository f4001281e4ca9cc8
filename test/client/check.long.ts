import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import t from 'tap';
import { type CheckOptions, checkService } from '../../src/client/check/check.js';
import { Findings } from '../../src/client/check/findings.js';
import type { Json, JsonObject } from '../../src/client/check/json.js';
import { TapReport } from '../../src/client/check/report.js';
import { buildApp } from '../../src/http/app.js';
import type { Answer } from '../campaigns/client.js';
import { startNode } from '../campaigns/processes.js';
import { CONTRACT } from '../project-files.js';
import { openService } from '../service.js';
import { logText } from '../synthetic-log.js';
import { BrokenServer, changeObjects, type Fault, setBody, setField } from './broken-server.js';

/** Lets an app listen, and returns its URL. */
const listen = (app: FastifyInstance): Promise<string> =>
  app.listen({ host: '127.0.0.1', port: 0 });

interface Checked {
  /** Each path that was checked. */
  titles: string[];
  problems: string[];
  /** The paths that could not be checked. */
  unchecked: string[];
  /** How many requests were sent. */
  requests: number;
}

async function check(base: string, options: Partial<CheckOptions> = {}): Promise<Checked> {
  const all: Findings[] = [];
  const remark = await checkService(
    { base, isQuick: true, allowedHeaders: [], ...options },
    (findings) => all.push(findings),
  );
  return {
    titles: all.map(({ title }) => title),
    problems: all.flatMap(({ problems }) => problems),
    unchecked: all.flatMap(({ title, unchecked }) => (unchecked.length > 0 ? [title] : [])),
    requests: parseInt(remark),
  };
}

/** Writes the logs of 150 Sites to a folder. The first ten have an older log, too. */
function writeNetwork(folder: string): void {
  for (let index = 0; index < 150; index += 1) {
    const id = `S${String(index).padStart(3, '0')}`;
    const serial = String(1000 + index);
    const antennas = [{ type: 'LEIAR25.R3      LEIT', serial, from: '2010-01-01T00:00Z' }];
    const clocks = [{ type: 'INTERNAL', from: '2010-01-01' }];
    const older = { type: 'TRIMBLE NETRS', serial, from: '2010-01-01T00:00Z' };
    const newer = { type: 'LEICA GR25', serial, from: '2015-01-01T00:00Z' };
    const write = (file: string, prepared: string, receivers: object[]): void =>
      writeFileSync(join(folder, file), logText({ id, prepared, receivers, antennas, clocks }));
    if (index < 10) write(`${id}_20120101.log`, '2012-01-01', [older]);
    const removed = { ...older, to: '2015-01-01T00:00Z' };
    write(`${id}_20200101.log`, '2020-01-01', [removed, newer]);
  }
}

// The service only reads, so the tests share it. An import for each would take most of the time.
const { app, store, folder, importPaths } = await openService(t);
writeNetwork(folder);
await importPaths([folder]);
const network = await listen(app);
const broken = await BrokenServer.open(t, () => network);

/** The operations that a broken service documents, so that only these are checked. */
const DOCUMENTED = [
  '/health',
  '/clocks/{id}',
  '/corsSites',
  '/gnssReceivers',
  '/gnssReceivers/{id}',
  '/setups/search/findCurrentByFourCharacterId',
];
/** Leaves only some operations in the OpenAPI document, without examples. */
function shorten(answer: Answer): void {
  const document = JSON.parse(answer.body.toString()) as Record<string, JsonObject>;
  const paths = DOCUMENTED.map((path) => [path, document.paths![path]!]);
  document.paths = Object.fromEntries(paths) as JsonObject;
  delete document.components!.examples;
  setBody(answer, JSON.stringify(document));
}

/** Lets the broken service do something wrong, or nothing. */
function setFault({ request, answer }: Fault = {}): void {
  broken.fault = {
    request: (url) => url.pathname !== '/openapi.json' && request?.(url),
    answer: async (given, asked) => {
      if (asked.url.pathname === '/openapi.json') shorten(given);
      await answer?.(given, asked);
    },
  };
}

/** Runs the command of the package. */
async function runCommand(...args: string[]) {
  const { ended, output } = startNode(['dist/src/client/check/main.js', ...args]);
  const { code } = await ended;
  return { code, ...output };
}

t.test('a network with 150 Sites and older logs passes every check', async (t) => {
  const { problems, unchecked } = await check(`${network}/`, { isQuick: false });
  t.same(problems, []);
  // Site logs are withheld as they are received.
  t.same(unchecked, ['/siteLogs/{id}/original', '/humiditySensors/{id}']);
});

t.test('the quick mode makes a few requests to every operation, and passes', async (t) => {
  const { titles, problems, requests } = await check(network);
  t.same(problems, []);
  t.ok(titles.length > 60);
  t.ok(requests < 250, String(requests));
});

t.test('the site logs pass with published contacts', async (t) => {
  const own = await buildApp({ store, contractFolder: CONTRACT, publishContacts: true });
  t.teardown(() => own.close());
  const { problems, unchecked } = await check(await listen(own));
  t.same(problems, []);
  t.same(unchecked, ['/humiditySensors/{id}']);
});

t.test('an empty service passes, and the findings say what could not be checked', async (t) => {
  const base = await listen((await openService(t)).app);
  const { problems, unchecked } = await check(base);
  t.same(problems, []);
  t.ok(unchecked.includes('/setups/{id}'));
  t.ok(unchecked.includes('the two lookups'));
});

t.test('a service below a path passes', async (t) => {
  const open = async (baseUrl: string): Promise<string> => {
    const below = await buildApp({ store, contractFolder: CONTRACT, baseUrl });
    t.teardown(() => below.close());
    return listen(below);
  };
  const { base } = await BrokenServer.open(t, open, '/equipment');
  t.same((await check(base)).problems, []);
});

t.test('a service with smaller pages than requested passes', async (t) => {
  setFault({
    request: ({ searchParams }) => searchParams.has('size') && searchParams.set('size', '3'),
  });
  const { titles, problems } = await check(broken.base, { isQuick: false });
  t.same(problems, []);
  t.ok(titles.includes('/corsSites'));
});

const isOk = (code: number): boolean => code === 200;
const isProblem = (code: number): boolean => code >= 400;
const isJson = ({ headers }: Answer): boolean =>
  headers.some(([, value]) => /[/+]json\b/.test(value) && !value.includes('ndjson'));

/** Changes the objects in the answers below a path. */
const objects = (
  path: string,
  change: (object: JsonObject, name: string) => JsonObject,
): Fault => ({
  answer: (answer, { url }) =>
    url.pathname.startsWith(path) && isJson(answer) && changeObjects(answer, change),
});
/** Changes a header field in the answers below a path; null removes it. */
const field = (
  name: string,
  value: string | null,
  path = '/',
  isMeant = (_: number): boolean => true,
): Fault => ({
  answer: (answer, { url }) =>
    url.pathname.startsWith(path) && isMeant(answer.status) && setField(answer, name, value),
});
/** Changes the bodies as text. */
const text = (path: string, change: (body: string) => string): Fault => ({
  answer: (answer, { url }) =>
    url.pathname.startsWith(path) &&
    isOk(answer.status) &&
    setBody(answer, change(answer.body.toString())),
});
const status = (path: string, code: number): Fault => ({
  answer: (answer, { url }) =>
    url.pathname === path && isOk(answer.status) && (answer.status = code),
});
const asked = (request: (url: URL) => unknown): Fault => ({ request });

const without = (object: JsonObject, member: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== member));
/** Moves a member to the front of its object. */
const first = (object: JsonObject, member: string): JsonObject =>
  member in object ? { [member]: object[member]!, ...without(object, member) } : object;
/** Replaces the value of a member, where it is. */
const replaced = (object: JsonObject, member: string, change: (value: Json) => Json): JsonObject =>
  member in object ? { ...object, [member]: change(object[member]!) } : object;
const reversed = (value: Json): Json => (value as Json[]).toReversed();

/** The same number of elements, the first of them twice. */
const twice = (all: Json): Json =>
  Array.isArray(all) && all.length > 1 ? [all[0]!, ...all.slice(0, -1)] : all;

/** All but the last element. */
const withoutLast = (all: Json): Json => (Array.isArray(all) ? all.slice(0, -1) : all);

const CURRENT = String.raw`/setups/search/findCurrentByFourCharacterId\?id=S\d+`;

/** What a server does wrong, and the beginning of a problem that must be found. */
const BROKEN: [title: string, fault: Fault, found: string][] = [
  ['status 500', status('/gnssReceivers', 500), '/gnssReceivers: status 500'],
  ['a status that is not documented', status('/health', 206), '/health: status 206 is not'],
  [
    'a header field is missing',
    field('x-frame-options', null, '/health'),
    '/health: x-frame-options is "null"',
  ],
  ['an additional header field', field('server', 'nginx'), '/health: unexpected .* server'],
  [
    'a repeated header field',
    { answer: ({ headers }) => headers.push(['pragma', 'no-cache']) },
    '/health: pragma',
  ],
  [
    'no space before the semicolon',
    field('strict-transport-security', 'max-age=31536000; includeSubDomains'),
    '/health: strict-transport-security',
  ],
  [
    'Content-Length is too large',
    field('content-length', '999', '/health', isOk),
    '/health: content-length is 999',
  ],
  [
    'Content-Length is too small',
    field('content-length', '3', '/health', isOk),
    '/health: the body is not JSON',
  ],
  [
    'a charset in lower case',
    field('content-type', 'application/hal+json;charset=utf-8', '/clocks'),
    String.raw`/clocks/\d+: content-type`,
  ],
  [
    'a problem document as JSON',
    field('content-type', 'application/json', '/', isProblem),
    String.raw`/setups/search/\w+\?id=ZZZZ: content-type`,
  ],
  ['HTML instead of JSON', text('/health', () => '<p>Hello</p>'), '/health: the body is not JSON'],
  [
    'null where the schema forbids it',
    objects('/setups', (each) => replaced(each, 'siteId', () => null)),
    `${CURRENT}: /siteId`,
  ],
  [
    'an unknown value is 0',
    objects('/setups', (each) => replaced(each, 'radomeSerialNumber', () => 0)),
    `${CURRENT}: /equipmentInUse/1/.*radomeSerialNumber`,
  ],
  [
    'a member is missing',
    objects('/setups', (each) => without(each, 'satelliteSystem')),
    `${CURRENT}: /equipmentInUse/0`,
  ],
  [
    'an additional member',
    objects('/health', (each) => ({ ...each, more: 1 })),
    '/health: the body must NOT have additional',
  ],
  [
    'a Setup in another order',
    objects('/setups', (each) => first(each, 'invalidated')),
    `${CURRENT}: the body has invalidated`,
  ],
  [
    'a misspelt member is corrected, and so documented',
    text('/', (body) => body.replaceAll('elevetion', 'elevation')),
    `${CURRENT}: /equipmentInUse`,
  ],
  [
    'a Setup has another name, and so documented',
    text('/', (body) => body.replaceAll('GNSS CORS Setup', 'Setup')),
    `${CURRENT}: /name`,
  ],
  [
    'another order of members, and so documented',
    objects('/', (each) => first(each, 'siteId')),
    `${CURRENT}: the body has siteId`,
  ],
  [
    'equipment is not sorted by kind',
    objects('/setups', (each) => replaced(each, 'equipmentInUse', reversed)),
    `${CURRENT}: the kinds of equipment`,
  ],
  [
    'a filter that is ignored',
    asked((url) => url.pathname === '/gnssReceivers' && url.searchParams.delete('type')),
    String.raw`/gnssReceivers\?type=no.such.receiver: 20 receivers`,
  ],
  [
    'a lookup is not documented',
    text('/openapi', (body) => body.replace('findCurrentByFourCharacterId":{', 'find":{')),
    '/setups/search/findCurrentByFourCharacterId: openapi.json',
  ],
  [
    'an unknown Site is another one',
    asked((url) => (url.search = url.search.replace('id=ZZZZ', 'id=S001'))),
    String.raw`/setups/search/\w+\?id=ZZZZ: status 200; expected 404`,
  ],
  [
    'a known Site is unknown',
    asked((url) => (url.search = url.search.replace(/id=S\d+/, 'id=ZZZZ'))),
    `${CURRENT}: other answers have this Site`,
  ],
  [
    'a missing id is that of a Site',
    asked((url) => /findCurrent\w+Id$/.test(url.href) && (url.search = 'id=S001')),
    String.raw`/setups/search/findCurrentByFourCharacterId: status 200; expected 400`,
  ],
  [
    'a wrong total',
    objects('/gnssReceivers', (each) => replaced(each, 'totalElements', (n) => Number(n) + 1)),
    String.raw`/gnssReceivers\?page=\d+&size=5: 5 elements; expected 1`,
  ],
  [
    'a total that varies',
    {
      answer: (answer, { url }) =>
        url.searchParams.has('page') &&
        isOk(answer.status) &&
        setBody(answer, answer.body.toString().replace('"totalElements":', '$&1')),
    },
    String.raw`/gnssReceivers\?page=1&size=5: page is`,
  ],
  [
    'each page is the first',
    asked((url) => url.searchParams.delete('page')),
    String.raw`/gnssReceivers\?page=1&size=5: .*/gnssReceivers/\d+ is repeated`,
  ],
  [
    'a repeated element',
    objects('/gnssReceivers', (each) => replaced(each, 'gnssReceivers', twice)),
    '/gnssReceivers: .* is repeated',
  ],
  [
    'a page that ends early',
    {
      answer: (answer, { url }) =>
        url.search === '?size=5' &&
        changeObjects(answer, (each) => replaced(each, 'gnssReceivers', withoutLast)),
    },
    String.raw`/gnssReceivers\?size=5: 4 elements; expected 5`,
  ],
  [
    'no link to the next page',
    objects('/gnssReceivers', (each) => without(each, 'next')),
    '/gnssReceivers: next is missing',
  ],
  [
    'a dead link',
    text('/gnssReceivers', (body) => body.replaceAll(/(gnssReceivers.)\d+"/g, '$1987654321"')),
    '/gnssReceivers/987654321: status 404; expected 200',
  ],
  [
    'links to another host',
    text('/gnssReceivers', (body) => body.replaceAll(/http:.{9,30}\/profile/g, 'http://a/')),
    '/gnssReceivers: the link profile is http://a/',
  ],
  [
    'a template without templated',
    objects('/gnssReceivers', (each) => without(each, 'templated')),
    '/gnssReceivers: the link gnssReceiver is .* a template needs',
  ],
];
t.test('a service that does nothing wrong passes, seen through the broken server', async (t) => {
  setFault();
  t.same((await check(broken.base)).problems, []);
});
for (const [title, fault, found] of BROKEN) {
  t.test(`a broken service fails: ${title}`, async (t) => {
    setFault(fault);
    const { problems } = await check(broken.base);
    const pattern = new RegExp(`^${found}`);
    t.ok(
      problems.some((each) => pattern.test(each)),
      `${found} in\n${problems.slice(0, 8).join('\n')}`,
    );
  });
}

t.test('a header field that a proxy adds passes if it is allowed', async (t) => {
  setFault({ answer: (answer) => setField(answer, 'Server', 'nginx') });
  t.same((await check(broken.base, { allowedHeaders: ['SERVER'] })).problems, []);
});

t.test('another service cannot be checked, and receives no request but GET', async (t) => {
  const methods = new Set<string>();
  const other = fastify();
  t.teardown(() => other.close());
  let status = 200;
  other.addHook('onRequest', async ({ method }, reply) => {
    methods.add(method);
    return reply.code(status).type('text/html').send('<p>Hello</p>');
  });
  const base = await listen(other);
  for (const [code, message] of [
    [200, /\/openapi\.json is not an OpenAPI document: it is not JSON$/],
    [502, /\/openapi\.json answers with status 502; check that the service runs/],
    [404, /\/openapi\.json answers with status 404; check the base URL/],
  ] as const) {
    status = code;
    await t.rejects(check(base), { name: 'CannotCheck', message });
  }
  t.same([...methods], ['GET']);
});

t.test('the command writes TAP, and exits with 0', async (t) => {
  setFault({ answer: (answer) => setField(answer, 'server', 'nginx') });
  const flags = ['--quick', '--allow-header', 'x-one', '--allow-header', 'Server'];
  const { code, stdout, stderr } = await runCommand('check', `${broken.base}/`, ...flags);
  t.equal(stderr, '');
  t.equal(code, 0);
  const count = DOCUMENTED.length + 2;
  t.match(stdout, /^TAP version 14\nok 1 - \/health: \d+ checks\nok 2 - /);
  t.match(stdout, new RegExp(`\\nok ${count} - .*\\n1\\.\\.${count}\\n# \\d+ requests to http:`));
});

t.test('the command exits with 1 where a check fails, and lists the problems', async (t) => {
  setFault({ answer: (answer) => setField(answer, 'server', 'its') });
  const { code, stdout } = await runCommand('check', broken.base, '--quick');
  t.equal(code, 1);
  t.match(
    stdout,
    /\nnot ok 1 - \/health: 1 of \d+ checks failed\n# {3}\/health: .*server.*\nnot ok/,
  );
});

t.test('the command refuses wrong usage in one line', async (t) => {
  for (const args of [
    [],
    ['check'],
    ['import', 'http://127.0.0.1'],
    ['check', 'http://127.0.0.1', 'http://127.0.0.2'],
    ['check', '127.0.0.1:8080'],
    ['check', 'http://127.0.0.1/?x=1'],
    ['check', '--no-such-flag', 'http://127.0.0.1'],
  ]) {
    const { code, stdout, stderr } = await runCommand(...args);
    t.match({ code, stdout }, { code: 2, stdout: '' }, args.join(' '));
    t.match(stderr, /^gnss-site-setups-client: .*\n$/, args.join(' '));
  }
});

t.test('the command ends with 2 where there is no answer, or none any longer', async (t) => {
  const none = await runCommand('check', 'http://127.0.0.1:1');
  t.match(none, { code: 2, stdout: '' });
  t.match(none.stderr, /^gnss-site-setups-client: Cannot reach http:\/\/127.0.0.1:1: \S/);
  let left = 20;
  setFault({
    answer: () => {
      left -= 1;
      if (left < 0) throw new Error('gone');
    },
  });
  const { code, stdout } = await runCommand('check', broken.base);
  t.equal(code, 2);
  t.match(stdout, /\nBail out! http:\/\/127.0.0.1:\d+ no longer responds: .*\n$/);
});

t.test('text from a service does not act on a terminal, and many problems are cut', (t) => {
  const findings = new Findings('/clocks#1');
  for (let index = 1; index <= 12; index += 1)
    findings.add(`/clocks/${index}`, ['\u001b[31m and \u202e']);
  const lines: string[] = [];
  const report = new TapReport((line) => lines.push(line));
  report.add(findings);
  t.equal(report.end('a remark'), false);
  t.equal(lines[1], 'not ok 1 - /clocks\\#1: 12 of 12 checks failed');
  t.equal(lines[2], '#   /clocks/1: \\u001b[31m and \\u202e');
  t.equal(lines.filter((line) => line.includes('/clocks/')).length, 10);
  t.end();
});
