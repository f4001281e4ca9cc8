import fastify, { type FastifyInstance } from 'fastify';
import t from 'tap';
import { checkService } from '../../src/check-service/check-service.js';
import type { CheckName, Findings } from '../../src/check-service/findings.js';
import type { Json, JsonObject } from '../../src/check-service/json.js';
import type { CheckServiceOptions } from '../../src/check-service/probe.js';
import { command, run } from '../../src/cli/commands/check-service.js';
import { readCommandLine } from '../../src/cli/line/command-line.js';
import { buildApp } from '../../src/http/app.js';
import type { Answer } from '../campaigns/client.js';
import { runTool } from '../campaigns/processes.js';
import { takesLong } from '../effort.js';
import { CONTRACT, SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { BrokenServer, changeObjects, type Fault, setBody, setField } from './broken-server.js';

/** Lets an app listen, and returns its URL. */
const listen = (app: FastifyInstance): Promise<string> =>
  app.listen({ host: '127.0.0.1', port: 0 });

interface Checked {
  all: Findings[];
  remark: string;
  /** Each failure in one line. */
  failures: string[];
  /** The checks that failed. */
  failing: CheckName[];
}

async function check(base: string, options: Partial<CheckServiceOptions> = {}): Promise<Checked> {
  const checks = checkService({
    base,
    isQuick: false,
    allowedHeaders: [],
    only: undefined,
    ...options,
  });
  const all: Findings[] = [];
  let step = await checks.next();
  for (; step.done !== true; step = await checks.next()) all.push(step.value);
  const failed = all
    .flatMap(({ results }) => results)
    .filter(({ outcome }) => outcome === 'failed');
  const failures = failed.map((each) => `${each.check}: ${each.detail}`);
  return {
    all,
    remark: step.value,
    failures,
    failing: [...new Set(failed.map((each) => each.check))].sort(),
  };
}

const runCommand = (...args: string[]) => runTool(['check-service', ...args]);

// The service only reads, so the tests share it. An import for each would take most of the time.
const { app, store } = await openService(t, [SAMPLE]);
const sample = await listen(app);
const broken = await BrokenServer.open(t, () => sample);
const EVERY_CHECK: CheckName[] = [
  'body',
  'header fields',
  'links',
  'lookup',
  'media type',
  'pages',
  'refusals',
  'sort',
  'status',
];

t.test('the service passes every check', takesLong, async (t) => {
  const { all, failures, remark } = await check(`${sample}/`);
  t.same(failures, []);
  const passed = all.flatMap(({ results }) =>
    results.filter(({ outcome }) => outcome === 'passed').map((each) => each.check),
  );
  t.same([...new Set(passed)].sort(), EVERY_CHECK);
  t.match(
    remark,
    /^\d{3,4} requests to http:\/\/127\.0\.0\.1:\d+, which publishes version \d+\.\d+\.\d+ of the contract$/,
  );
  t.ok(
    all.every(
      ({ title, results }) =>
        title === 'every link' || results.some((each) => each.check === 'status'),
    ),
  );
});

t.test('the site logs pass with published contacts', async (t) => {
  const own = await buildApp({ store, contractFolder: CONTRACT, publishContacts: true });
  t.teardown(() => own.close());
  const only = ['getSiteLog', 'getOriginalSiteLog', 'findSiteLogByFourCharacterId'];
  t.same((await check(await listen(own), { only })).failures, []);
});

t.test('the quick mode makes a few requests to every operation, and passes', async (t) => {
  const { all, failures, remark } = await check(sample, { isQuick: true });
  t.same(failures, []);
  t.ok(all.length > 20);
  t.ok(Number(remark.split(' ')[0]) < 400);
});

t.test('what is not selected is asked only for the values that a selection lacks', async (t) => {
  const asked = new Set<string>();
  broken.fault = { request: ({ pathname }) => asked.add(pathname.replace(/\d+/, '*')) };
  const select = async (...only: string[]): Promise<{ titles: string[]; paths: string[] }> => {
    asked.clear();
    const { all, failures } = await check(broken.base, quick(...only));
    t.same(failures, []);
    return {
      titles: all.map(({ title }) => title),
      paths: [...asked].filter((path) => path !== '/openapi.json'),
    };
  };
  t.same(await select('getHealth'), { titles: ['/health'], paths: ['/health'] });
  // Its id has an example.
  t.same((await select('getClock')).paths, ['/clocks/*']);
  // The lookups need the ids of Sites: some lists are asked until there is one.
  const { paths } = await select('lookups');
  t.ok(paths.includes('/setups/search/findCurrentByFourCharacterId'));
  t.ok(paths.length < 10, paths.join(' '));
});

t.test('an empty service passes, and the findings say what could not be checked', async (t) => {
  const base = await listen((await openService(t)).app);
  t.same((await check(base, { isQuick: true })).failures, []);
  const { all, failures } = await check(base, { only: ['getSetup'] });
  t.same(failures, []);
  const [{ results } = { results: [] }] = all;
  t.match(
    results.find(({ outcome }) => outcome === 'no data')?.detail,
    /^no data to check this with: /,
  );
  t.ok(results.some((each) => each.check === 'refusals' && each.outcome === 'passed'));
});

t.test('a service below a path passes', async (t) => {
  const open = async (baseUrl: string): Promise<string> => {
    const below = await buildApp({ store, contractFolder: CONTRACT, baseUrl });
    t.teardown(() => below.close());
    return listen(below);
  };
  const { base } = await BrokenServer.open(t, open, '/equipment');
  t.same(
    (
      await check(base, {
        isQuick: true,
        only: ['listGnssReceiver', 'findCurrentSetupByFourCharacterId', 'lookups', 'links'],
      })
    ).failures,
    [],
  );
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

// Only a full check tests refusals and all examples.
const quick = (...only: string[]) => ({ isQuick: true, only });
const RECEIVERS = quick('listGnssReceiver');
const ONE = quick('getClock', 'getHealth');
const CURRENT = quick('findCurrentSetupByFourCharacterId');
const LOOKUPS = quick('lookups');
const LINKS = quick('listGnssReceiver', 'links');
const BOTH = quick('lookups', 'links');
const LENIENT = 'max-age=31536000; includeSubDomains';

/** What a server does wrong, the checks that must find it, and what is checked. */
const BROKEN: [
  title: string,
  fault: Fault,
  failing: CheckName[],
  options: Partial<CheckServiceOptions>,
][] = [
  ['status 500', status('/gnssReceivers', 500), ['media type', 'status'], RECEIVERS],
  [
    'a status that is not documented',
    status('/gnssReceivers', 206),
    ['media type', 'status'],
    RECEIVERS,
  ],
  ['a header field is missing', field('x-frame-options', null), ['header fields'], ONE],
  ['an additional header field', field('server', 'nginx'), ['header fields'], ONE],
  [
    'a repeated header field',
    { answer: ({ headers }) => headers.push(['pragma', 'no-cache']) },
    ['header fields'],
    ONE,
  ],
  [
    'no space before the semicolon',
    field('strict-transport-security', LENIENT),
    ['header fields'],
    ONE,
  ],
  [
    'Content-Length is too large',
    field('content-length', '999', '/health', isOk),
    ['body', 'header fields'],
    ONE,
  ],
  ['Content-Length is too small', field('content-length', '3', '/health', isOk), ['body'], ONE],
  [
    'a charset in lower case',
    field('content-type', 'application/hal+json;charset=utf-8', '/clocks'),
    ['media type'],
    ONE,
  ],
  [
    'a problem document as JSON',
    field('content-type', 'application/json', '/', isProblem),
    ['media type'],
    { only: ONE.only },
  ],
  ['HTML instead of JSON', text('/health', () => '<p>Hello</p>'), ['body'], ONE],
  [
    'null where the schema forbids it',
    objects('/setups', (each) => replaced(each, 'siteId', () => null)),
    ['body', 'lookup'],
    LOOKUPS,
  ],
  [
    'an unknown value is 0',
    objects('/setups', (each) => replaced(each, 'radomeSerialNumber', () => 0)),
    ['body'],
    CURRENT,
  ],
  [
    'a number instead of text',
    objects('/setups', (each) => replaced(each, 'elevetionCutoffSetting', Number)),
    ['body'],
    CURRENT,
  ],
  [
    'a member is missing',
    objects('/setups', (each) => without(each, 'satelliteSystem')),
    ['body'],
    CURRENT,
  ],
  [
    'a Setup in another order',
    objects('/setups', (each) => first(each, 'invalidated')),
    ['body'],
    CURRENT,
  ],
  [
    'links in another order',
    objects('/gnssReceivers', (each) => first(each, 'last')),
    ['body'],
    RECEIVERS,
  ],
  [
    'a misspelt member is corrected, and so documented',
    text('/', (body) => body.replaceAll('elevetion', 'elevation')),
    ['lookup'],
    LOOKUPS,
  ],
  [
    'a Setup has another name, and so documented',
    text('/', (body) => body.replaceAll('GNSS CORS Setup', 'Setup')),
    ['lookup'],
    LOOKUPS,
  ],
  [
    'another order of members, and so documented',
    objects('/', (each) => first(each, 'siteId')),
    ['lookup'],
    LOOKUPS,
  ],
  [
    'equipment is not sorted by kind',
    objects('/setups', (each) => replaced(each, 'equipmentInUse', reversed)),
    ['lookup'],
    LOOKUPS,
  ],
  [
    'no template',
    objects('/gnssReceivers', (each) => ({
      ...each,
      ...(each.templated === true && { href: 'x' }),
    })),
    ['links', 'lookup'],
    BOTH,
  ],
  [
    'a filter that is ignored',
    asked((url) => url.pathname === '/gnssReceivers' && url.searchParams.delete('type')),
    ['lookup'],
    LOOKUPS,
  ],
  [
    'an unknown Site is another one',
    asked((url) => (url.search = url.search.replace('id=ZZZZ', 'id=ALIC'))),
    ['lookup'],
    LOOKUPS,
  ],
  [
    'a known Site is unknown',
    asked((url) => (url.search = url.search.replace('id=ALIC', 'id=ZZZZ'))),
    ['links', 'lookup'],
    BOTH,
  ],
  [
    'a missing id is that of ALIC',
    asked((url) => /findCurrent\w+Id$/.test(url.href) && (url.search = 'id=ALIC')),
    ['lookup'],
    LOOKUPS,
  ],
  ['405 without Allow', field('allow', null, '/', isProblem), ['refusals'], { only: ONE.only }],
  [
    'unknown parameters are ignored',
    asked((url) => url.searchParams.delete('noSuchParameter')),
    ['refusals'],
    { only: ONE.only },
  ],
  [
    'a missing parameter is ignored',
    asked((url) => /find\w+$/.test(url.href) && (url.search = 'id=ALIC')),
    ['refusals'],
    { only: CURRENT.only },
  ],
  [
    'an example is refused',
    asked((url) => (url.search = url.search.replace(/^\?projection=/, '$&x'))),
    ['status'],
    { only: RECEIVERS.only },
  ],
  [
    'a wrong total',
    objects('/gnssReceivers', (each) => replaced(each, 'totalElements', (n) => Number(n) + 1)),
    ['pages'],
    RECEIVERS,
  ],
  [
    'a total that varies',
    {
      answer: (answer, { url }) =>
        url.searchParams.has('page') &&
        isOk(answer.status) &&
        setBody(answer, answer.body.toString().replace('"totalElements":', '$&1')),
    },
    ['pages'],
    RECEIVERS,
  ],
  ['each page is the first', asked((url) => url.searchParams.delete('page')), ['pages'], RECEIVERS],
  [
    'a repeated element',
    objects('/gnssReceivers', (each) => replaced(each, 'gnssReceivers', twice)),
    ['pages'],
    RECEIVERS,
  ],
  [
    'a large page that ends early',
    {
      answer: (answer, { url }) =>
        url.search === '?size=200' &&
        changeObjects(answer, (each) => replaced(each, 'gnssReceivers', withoutLast)),
    },
    ['pages'],
    RECEIVERS,
  ],
  [
    'no link to the next page',
    objects('/gnssReceivers', (each) => without(each, 'next')),
    ['pages'],
    RECEIVERS,
  ],
  [
    'always ascending',
    asked((url) => (url.search = url.search.replace('%2Cdesc', '%2Casc'))),
    ['sort'],
    RECEIVERS,
  ],
  ['unsorted', asked((url) => url.searchParams.delete('sort')), ['sort'], RECEIVERS],
  [
    'a dead link',
    text('/gnssReceivers', (body) => body.replaceAll(/(gnssReceivers.)\d+"/g, '$1987654321"')),
    ['links', 'pages'],
    LINKS,
  ],
  [
    'links to another host',
    text('/gnssReceivers', (body) => body.replaceAll(/http:.{9,30}\/profile/g, 'http://a/')),
    ['links'],
    LINKS,
  ],
  [
    'a template without templated',
    objects('/gnssReceivers', (each) => without(each, 'templated')),
    ['body', 'links'],
    LINKS,
  ],
  [
    'a slow pattern',
    text('/openapi', (body) => body.replaceAll('"^[0-9]', '"^(a+)+[0-9]')),
    ['body'],
    CURRENT,
  ],
];
for (const [title, fault, failing, options] of BROKEN) {
  t.test(`a broken service fails: ${title}`, async (t) => {
    broken.fault = fault;
    const found = await check(broken.base, options);
    t.same(found.failing, failing, found.failures.slice(0, 5).join('\n'));
  });
}

t.test('a header field that a proxy adds passes if it is allowed', async (t) => {
  broken.fault = { answer: (answer) => setField(answer, 'Server', 'nginx') };
  t.same((await check(broken.base, { ...ONE, allowedHeaders: ['server'] })).failing, []);
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
  await t.rejects(check(base), {
    name: 'CannotCheck',
    message: /\/openapi\.json is not an OpenAPI document: it is not JSON$/,
  });
  for (const [code, advice] of [
    [502, 'check that the service runs, and that the proxy reaches it'],
    [404, 'check the base URL of the service'],
  ] as const) {
    status = code;
    await t.rejects(check(base), {
      name: 'CannotCheck',
      message: `${base}/openapi.json answers with status ${code}; ${advice}`,
    });
  }
  t.same([...methods], ['GET']);
});

t.test(
  'check-service writes TAP with a row for each check and a table, and exits with 0',
  async (t) => {
    broken.fault = { answer: (answer) => setField(answer, 'server', 'nginx') };
    const flags = [
      '--operation',
      'getGnssReceiver',
      '--operation',
      'getCorsSite',
      '--allow-header',
      'x-one',
      '--allow-header',
      'Server',
    ];
    const { code, stdout, stderr } = await runCommand(`${broken.base}/`, '--quick', ...flags);
    t.equal(stderr, '');
    t.equal(code, 0);
    t.match(
      stdout,
      /^TAP version 14\n# Subtest: \/corsSites\/\{id\}\n    ok 1 - header fields \(\d+\)\n/,
    );
    t.match(stdout, /\n    1\.\.\d+\nok 2 - \/gnssReceivers\/\{id\}\n/);
    t.match(stdout, /\n# \/gnssReceivers\/\{id\} +\d+ +\. +\.\n/);
    t.match(stdout, /\n# \d+ requests to http:.*\n1\.\.2\n$/);
  },
);

t.test('check-service exits with 1 where a check fails, and lists the failures', async (t) => {
  broken.fault = { answer: (answer) => setField(answer, 'server', "it's #1") };
  const { code, stdout } = await runCommand(broken.base, '--operation', 'getRoot');
  t.equal(code, 1);
  t.match(stdout, /\n    not ok 1 - header fields \((\d+) of \1\)\n      ---\n      found:\n/);
  t.ok(stdout.includes(`\n        - 'GET /: unexpected header field server: "it''s #1"'\n`));
  t.match(stdout, /\nnot ok 1 - \/\n/);
});

t.test('check-service refuses wrong usage in one line', async (t) => {
  for (const [args, message] of [
    [[], /^expected one URL: /],
    [['http://a', 'http://b'], /^expected one URL: /],
    [['127.0.0.1:8080'], /^"127.0.0.1:8080": expected an http or https URL /],
    [['http://127.0.0.1/?x=1'], /^"http:\/\/127.0.0.1\/\?x=1": expected an http or https URL /],
    [['--no-such-flag', 'http://127.0.0.1'], /--no-such-flag/],
  ] satisfies [string[], RegExp][]) {
    await t.rejects(
      async () => run(readCommandLine(command, args, {})),
      { name: 'UsageError', message },
      args.join(' '),
    );
  }
  const { code, stdout, stderr } = await runCommand(sample, '--operation', 'noSuchOperation');
  t.equal(code, 2);
  t.equal(stdout, '');
  t.match(
    stderr,
    /^gnss-site-setups: http:.*\/openapi\.json has no operationId "noSuchOperation"\n/,
  );
});

t.test('a service that cannot be reached ends the check before its first finding', async (t) => {
  await t.rejects(check('http://127.0.0.1:1'), {
    name: 'CannotCheck',
    message: /^Cannot reach http:\/\/127.0.0.1:1: (?!Error: )\S/,
  });
});

t.test('check-service bails out and exits with 2 where the service stops responding', async (t) => {
  let left = 60;
  broken.fault = {
    answer: () => {
      left -= 1;
      if (left < 0) throw new Error('gone');
    },
  };
  const { code, stdout, stderr } = await runCommand(broken.base);
  t.equal(code, 2);
  t.match(stdout, /\nBail out! http:\/\/127.0.0.1:\d+ no longer responds: .*\n$/);
  t.match(stderr, /^gnss-site-setups: http:\/\/127.0.0.1:\d+ no longer responds: .*\n$/);
});
