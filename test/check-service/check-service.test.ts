import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { checkService, type Outcome } from '../../src/check-service/check-service.js';
import { type CheckName, CHECKS, type Findings } from '../../src/check-service/findings.js';
import type { Json, JsonObject } from '../../src/check-service/json.js';
import { PublishedContract } from '../../src/check-service/published-contract.js';
import { command, run } from '../../src/cli/check-service.js';
import { helpOf } from '../../src/cli/help.js';
import { readCommandLine } from '../../src/cli/command-line.js';
import { buildApp } from '../../src/http/app.js';
import { CONTRACT, openService, ROOT, SAMPLE } from '../helper.js';
import { BrokenServer, changeObjects, type Fault, setBody, setField } from './broken-server.js';
import { nodeCommand } from '../node-command.js';

const contract = new PublishedContract(CONTRACT);

/** Lets an app listen, and returns its port. */
async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

const openEmpty = async (t: Test): Promise<number> => listen((await openService(t)).app);

interface Checked extends Outcome {
  all: Findings[];
  /** Each failure in one line. */
  failures: string[];
  /** The checks that failed. */
  failing: CheckName[];
}

async function check(base: string, options: { only?: string[]; allowedHeaders?: string[] } = {}): Promise<Checked> {
  const checks = checkService({ base, contract, ...options });
  const all: Findings[] = [];
  let step = await checks.next();
  for (; step.done !== true; step = await checks.next()) all.push(step.value);
  const failed = all.flatMap(({ results }) => results).filter(({ outcome }) => outcome === 'failed');
  return {
    ...step.value,
    all,
    failures: failed.map((each) => `${each.check}: ${each.subject}: ${each.detail}`),
    failing: [...new Set(failed.map((each) => each.check))].sort(),
  };
}

/** Runs the built command as a process. */
const runCommand = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(
      ...nodeCommand(join(ROOT, 'dist', 'src', 'bundle', 'main.js'), 'check-service', ...args),
      { env: { PATH: process.env.PATH ?? '' } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

// The service only reads, so the tests share it. An import for each would take most of the time.
const { app, store } = await openService(t, [SAMPLE]);
const sample = await listen(app);

t.test('the service over the sample network passes every check of every operation and every link', async (t) => {
  const { all, failures, empty, requests } = await check(`http://127.0.0.1:${sample}/`);
  t.same(failures, []);
  t.equal(empty, false);
  t.ok(requests > 1000);
  const made = new Set(all.flatMap(({ results }) => results.filter(({ outcome }) => outcome === 'passed').map((each) => each.check)));
  t.same([...made].sort(), Object.keys(CHECKS).sort());
});

t.test('an empty service passes, and the findings say what could not be checked', async (t) => {
  const { all, failures, empty } = await check(`http://127.0.0.1:${await openEmpty(t)}`);
  t.same(failures, []);
  t.equal(empty, true);
  const item = all.find(({ title }) => title === '/setups/{id}')!;
  t.match(item.results.find(({ outcome }) => outcome === 'no data')?.detail, /^no data to check this with: /);
  t.ok(
    item.results.some((each) => each.check === 'unknown id' && each.outcome === 'passed'),
    'checks that need no data are made',
  );
});

t.test('a service below a path passes', async (t) => {
  const open = async (baseUrl: string): Promise<number> => {
    const below = await buildApp({ store, contractFolder: CONTRACT, baseUrl });
    t.teardown(() => below.close());
    return listen(below);
  };
  const server = await BrokenServer.open(t, open, {}, '/equipment');
  const only = [
    'getRoot',
    'listGnssReceiver',
    'getGnssReceiver',
    'listSetupSearches',
    'findSetupsBySiteId',
    'getGnssReceiverProfile',
    'links',
  ];
  const { failures, all } = await check(server.base, { only });
  t.same(failures, []);
  t.equal(all.length, only.length);
});

/** Changes every Setup in a response. */
const changeSetups =
  (change: (setup: JsonObject) => JsonObject): NonNullable<Fault['answer']> =>
  (answer, { url }) => {
    if (!url.pathname.startsWith('/setups')) return;
    changeObjects(answer, (object) => ('equipmentInUse' in object ? change(object) : object));
  };

/** Changes the configuration of all equipment in use in a response. */
const changeConfigurations = (change: (configuration: JsonObject) => JsonObject): NonNullable<Fault['answer']> => {
  return (answer, { url }) => {
    if (url.pathname.startsWith('/setups')) changeObjects(answer, (object, name) => (name === 'configuration' ? change(object) : object));
  };
};

/** An object without some of its members. */
const without = (object: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** Moves an instant in a query by some seconds, unless it is repeated. */
function shiftTime({ searchParams }: URL, name: string, seconds: number): void {
  const [instant, ...more] = searchParams.getAll(name);
  if (more.length > 0 || instant?.endsWith('Z') !== true) return;
  searchParams.set(name, new Date(Date.parse(instant) + seconds * 1000).toISOString());
}

/** What a server does wrong, the checks that must find it, and the operations to check (all if left out); `empty`: over an empty database. */
const BROKEN: { title: string; fault: Fault; failing: CheckName[]; only?: string[]; empty?: true }[] = [
  {
    title: 'a header field is missing',
    fault: { answer: (answer) => setField(answer, 'x-frame-options', null) },
    failing: ['header fields'],
    only: ['getClock', 'getHealth'],
  },
  {
    title: 'an additional header field',
    fault: { answer: (answer) => setField(answer, 'server', 'nginx') },
    failing: ['header fields'],
    only: ['getClock', 'getHealth'],
  },
  {
    title: 'a repeated header field',
    fault: { answer: ({ headers }) => void headers.push(['pragma', 'no-cache']) },
    failing: ['header fields'],
    only: ['getClock', 'getHealth'],
  },
  {
    title: 'no space before the semicolon in Strict-Transport-Security',
    fault: { answer: (answer) => setField(answer, 'strict-transport-security', 'max-age=31536000; includeSubDomains') },
    failing: ['header fields'],
    only: ['getClock', 'getHealth'],
  },
  {
    title: 'the charset of Content-Type in lower case',
    fault: {
      answer: (answer) => {
        if (answer.status === 200) setField(answer, 'content-type', 'application/hal+json;charset=utf-8');
      },
    },
    failing: ['media type'],
    only: ['getRoot', 'getClock'],
  },
  {
    title: 'an unknown value is 0',
    fault: { answer: changeConfigurations((each) => ({ ...each, ...('radomeSerialNumber' in each && { radomeSerialNumber: 0 }) })) },
    failing: ['body'],
    only: ['listSetup', 'findCurrentSetupByFourCharacterId'],
  },
  {
    title: 'elevetionCutoffSetting is a number',
    fault: {
      answer: changeConfigurations((each) => ({
        ...each,
        ...('elevetionCutoffSetting' in each && { elevetionCutoffSetting: Number(each.elevetionCutoffSetting) }),
      })),
    },
    failing: ['body'],
    only: ['findCurrentSetupByFourCharacterId'],
  },
  {
    title: 'a member is missing',
    fault: { answer: changeConfigurations((each) => without(each, 'notes')) },
    failing: ['body'],
    only: ['getSetup'],
  },
  {
    title: 'elevetionCutoffSetting is spelled correctly',
    fault: {
      answer: changeConfigurations((each) =>
        Object.fromEntries(Object.entries(each).map(([name, value]) => [name.replace('elevetion', 'elevation'), value])),
      ),
    },
    failing: ['body'],
    only: ['getSetup'],
  },
  {
    title: 'the members of a Setup are in another order',
    fault: { answer: changeSetups(({ id, siteId, current, ...more }) => ({ id: id!, siteId: siteId!, current: current!, ...more })) },
    failing: ['member order'],
    only: ['getSetup'],
  },
  {
    title: 'the links of a page are in another order',
    fault: {
      answer: (answer) =>
        changeObjects(answer, (object, name) => (name === '_links' && 'last' in object ? { last: object.last!, ...object } : object)),
    },
    failing: ['member order'],
    only: ['listGnssReceiver'],
  },
  {
    title: 'page links drop the filter',
    fault: {
      answer: (answer) =>
        changeObjects(answer, (object) => {
          const { href } = object;
          return typeof href === 'string' && href.includes('page=')
            ? { ...object, href: href.replace(/([?&])type=[^&]*&?/g, '$1') }
            : object;
        }),
    },
    failing: ['page links'],
    only: ['listGnssReceiver'],
  },
  {
    title: 'page links drop the size',
    fault: {
      answer: (answer) =>
        changeObjects(answer, (object) =>
          typeof object.href === 'string' ? { ...object, href: object.href.replace(/&size=\d+/, '') } : object,
        ),
    },
    failing: ['page links', 'pages'],
    only: ['listGnssReceiver'],
  },
  {
    title: 'a link that leads nowhere',
    fault: {
      answer: changeSetups((each) => ({
        ...each,
        _links: { ...(each._links as JsonObject), setup: { href: 'http://127.0.0.1:1/setups/1' } },
      })),
    },
    failing: ['links'],
    only: ['getSetup', 'links'],
  },
  {
    title: 'links that are not URLs',
    fault: {
      answer: (answer, { url }) =>
        url.pathname === '/clocks' && changeObjects(answer, (object) => ('href' in object ? { ...object, href: 'http://[' } : object)),
    },
    failing: ['links', 'page links', 'pages'],
    only: ['listClock', 'links'],
  },
  {
    title: 'a link to a resource that does not exist',
    fault: {
      answer: (answer, { url }) => {
        if (!url.searchParams.has('projection')) return;
        changeObjects(answer, (object, name) => (name === 'corsSite' ? { href: `${url.origin}/corsSites/987654321` } : object));
      },
    },
    failing: ['links'],
    only: ['getGnssReceiver', 'links'],
  },
  {
    title: 'unknown parameters are ignored',
    fault: { request: (url) => url.searchParams.delete('noSuchParameter') },
    failing: ['parameters'],
    only: ['getRoot', 'listClock', 'getClock'],
  },
  {
    title: 'of a repeated parameter the first is used',
    fault: { request: ({ searchParams }) => searchParams.has('size') && searchParams.set('size', searchParams.get('size')!) },
    failing: ['parameters'],
    only: ['listClock'],
  },
  {
    title: '405 without Allow',
    fault: { answer: (answer) => answer.status === 405 && setField(answer, 'allow', null) },
    failing: ['wrong method'],
    only: ['getRoot', 'getClock'],
  },
  {
    title: 'a wrong method gets the response of GET',
    fault: {
      answer: async (answer, { url, method, get }) => {
        if (method === 'POST') Object.assign(answer, await get(url));
      },
    },
    failing: ['wrong method'],
    only: ['getRoot', 'getClock'],
  },
  {
    title: 'OPTIONS without Allow',
    fault: { answer: (answer, { method }) => method === 'OPTIONS' && setField(answer, 'allow', null) },
    failing: ['OPTIONS'],
    only: ['getRoot', 'getClock'],
  },
  {
    title: 'a problem document as application/json',
    fault: { answer: (answer) => answer.status >= 400 && setField(answer, 'content-type', 'application/json') },
    failing: ['media type'],
    only: ['getRoot', 'getClock'],
  },
  {
    title: 'an unknown Site is a 200 without a body',
    fault: {
      answer: (answer, { url }) => {
        if (answer.status !== 404 || !url.pathname.includes('/search/')) return;
        answer.status = 200;
        setField(answer, 'content-type', 'application/hal+json;charset=UTF-8');
        setBody(answer, '');
      },
    },
    failing: ['body', 'unknown id'],
    only: ['findCurrentSetupByFourCharacterId', 'findCorsSiteByFourCharacterId'],
  },
  {
    title: 'a wrong Content-Length on HEAD',
    fault: { answer: (answer, { method }) => method === 'HEAD' && setField(answer, 'content-length', '0') },
    failing: ['HEAD'],
    only: ['getRoot', 'getHealth'],
  },
  {
    title: 'Content-Length is longer than the body',
    fault: { answer: (answer) => setField(answer, 'content-length', String(answer.body.length + 5)) },
    failing: ['content length'],
    only: ['getHealth'],
  },
  {
    title: 'Content-Length is shorter than the body',
    fault: { answer: (answer, { method }) => method === 'GET' && setField(answer, 'content-length', String(answer.body.length - 1)) },
    failing: ['HEAD', 'body', 'content length'],
    only: ['getHealth'],
  },
  {
    title: 'chunks instead of Content-Length',
    fault: { answer: (answer) => setField(answer, 'content-length', null) },
    failing: ['content length'],
    only: ['getHealth'],
  },
  {
    title: 'the last page has elements of the first',
    fault: {
      answer: async (answer, { url, get }) => {
        const elementsOf = (page: JsonObject): Json[] => (page._embedded as { clocks: Json[] }).clocks;
        if (url.pathname !== '/clocks' || answer.status !== 200) return;
        const body = JSON.parse(answer.body.toString()) as JsonObject;
        const { number, totalPages } = body.page as { number: number; totalPages: number };
        if (number === 0 || number !== totalPages - 1) return;
        const first = new URL(url);
        first.searchParams.set('page', '0');
        const elements = elementsOf(JSON.parse((await get(first)).body.toString()) as JsonObject).slice(0, elementsOf(body).length);
        setBody(answer, JSON.stringify({ ...body, _embedded: { clocks: elements } }));
      },
    },
    failing: ['pages'],
    only: ['listClock'],
  },
  {
    title: 'one element too many in totalElements',
    fault: {
      answer: (answer, { url }) => {
        if (url.searchParams.has('sort') || /type|manu|serial|equip/i.test(url.search)) return;
        changeObjects(answer, (object) =>
          'totalElements' in object ? { ...object, totalElements: Number(object.totalElements) + 1 } : object,
        );
      },
    },
    failing: ['pages'],
    only: ['listClock'],
  },
  {
    title: 'more than 1000 elements on a page',
    fault: {
      answer: (answer, { url }) => {
        if (url.searchParams.get('size') === '1001')
          changeObjects(answer, (object) => ('totalElements' in object ? { ...object, size: 1001 } : object));
      },
    },
    failing: ['body', 'page size'],
    only: ['listClock'],
  },
  {
    title: 'a filter is ignored',
    fault: {
      request: ({ searchParams }) =>
        searchParams.get('type')?.length !== 0 && searchParams.getAll('type').length < 10 && searchParams.delete('type'),
    },
    failing: ['filter', 'page links', 'parameters'],
    only: ['listClock'],
  },
  {
    title: 'descending order is ignored',
    fault: {
      request: (url) => (url.search = url.search.replaceAll(/(sort=\w+)(%2C|,)desc/g, '$1,asc')),
      answer: (answer) =>
        changeObjects(answer, (object) =>
          typeof object.href === 'string' ? { ...object, href: object.href.replaceAll(',asc', ',desc') } : object,
        ),
    },
    failing: ['sort'],
    only: ['listGnssReceiver'],
  },
  {
    title: 'a projection is ignored',
    fault: { request: (url) => (url.search = url.search.replace(/^\?projection=installations$/, '')) },
    failing: ['projection'],
    only: ['getGnssReceiver'],
  },
  {
    title: 'a current Setup has an end',
    fault: {
      answer: changeSetups((each) =>
        each.current === true
          ? { ...each, effectivePeriod: { ...(each.effectivePeriod as JsonObject), to: '2999-01-01T00:00:00Z' } }
          : each,
      ),
    },
    failing: ['setup'],
    only: ['findCurrentSetupByFourCharacterId'],
  },
  {
    title: 'equipment is not sorted by kind',
    fault: { answer: changeSetups((each) => ({ ...each, equipmentInUse: [...(each.equipmentInUse as Json[])].reverse() })) },
    failing: ['setup'],
    only: ['getSetup'],
  },
  {
    title: 'the current Setup of another Site',
    fault: { request: (url) => (url.search = url.search.replace(/^\?id=ALIC$/, '?id=HOUZ')) },
    failing: ['search'],
    only: ['findCurrentSetupByFourCharacterId'],
  },
  {
    title: 'logs of other Sites than the filter finds',
    only: ['listSiteLog'],
    fault: {
      request: (url) => url.pathname === '/siteLogs' && (url.search = url.search.replace('fourCharacterId=ALIC&', 'fourCharacterId=HOUZ&')),
    },
    failing: ['filter'],
  },
  {
    title: 'an older log as the current one',
    only: ['findSiteLogByFourCharacterId', 'listCorsSiteSiteLogs'],
    fault: {
      answer: (answer) =>
        /^.?\{"(id|_embedded)/.test(answer.body.toString()) &&
        setBody(answer, answer.body.toString().replaceAll('"current":true', '"current":false')),
    },
    failing: ['search'],
  },
  {
    title: 'at the instant of a change the older Setup is found',
    fault: { request: (url) => shiftTime(url, 'at', -1) },
    failing: ['search'],
    only: ['findSetupAtByFourCharacterId'],
  },
  {
    title: 'a Setup that begins at the end of a period is found for it',
    fault: { request: (url) => shiftTime(url, 'effectiveTo', 1) },
    failing: ['search'],
    only: ['findSetupsByFourCharacterId'],
  },
  {
    title: 'changes are not in chronological order',
    fault: {
      answer: (answer, { url }) =>
        url.pathname === '/changes' &&
        changeObjects(answer, (object) => (Array.isArray(object.changes) ? { changes: [...object.changes].reverse() } : object)),
    },
    failing: ['search'],
    only: ['listChanges'],
  },
  {
    title: 'of several Sites the last is silently dropped',
    fault: {
      answer: (answer, { url }) =>
        url.pathname.endsWith('FourCharacterIdIn') &&
        changeObjects(answer, (object) =>
          Array.isArray(object.setups) && object.setups.length > 1 ? { setups: object.setups.slice(0, -1) } : object,
        ),
    },
    failing: ['search'],
    only: ['findCurrentSetupsByFourCharacterIdIn'],
  },
  {
    title: 'a resource that no link leads to',
    fault: {
      answer: (answer, { url }) =>
        url.pathname === '/' && changeObjects(answer, (object, name) => (name === '_links' ? without(object, 'ready') : object)),
    },
    failing: ['links'],
    empty: true,
  },
  {
    title: 'an item differs from the element on its page',
    fault: {
      answer: (answer, { url }) =>
        url.pathname === '/corsSites/2' &&
        changeObjects(answer, (object) => ('monument' in object ? { ...object, name: 'other' } : object)),
    },
    failing: ['element'],
    only: ['getCorsSite'],
  },
  {
    title: 'a client that wants JSON is refused',
    fault: {
      answer: (answer, { headers }) => {
        if (headers.accept !== 'application/json') return;
        answer.status = 406;
        setField(answer, 'content-type', 'application/problem+json');
      },
    },
    failing: ['accept'],
    only: ['getRoot', 'getClock'],
  },
  {
    title: 'a client that wants JSON gets application/json',
    fault: {
      answer: (answer, { headers }) => headers.accept === 'application/json' && setField(answer, 'content-type', 'application/json'),
    },
    failing: ['accept'],
    only: ['getRoot', 'getClock'],
  },
  {
    title: 'the contract of another version',
    fault: { answer: (answer, { url }) => url.pathname === '/schemas/Setup.json' && setBody(answer, `${answer.body.toString()}\n`) },
    failing: ['version'],
    only: ['getOpenApi', 'getSchema'],
  },
];

for (const { title, fault, failing, only, empty } of BROKEN) {
  t.test(`a broken service fails: ${title}`, async (t) => {
    const server = await BrokenServer.open(t, empty ? await openEmpty(t) : sample, fault);
    const found = await check(server.base, only === undefined ? {} : { only });
    t.same(found.failing, failing, found.failures.slice(0, 5).join('\n'));
  });
}

t.test('a header field that a proxy adds passes if it is allowed', async (t) => {
  const server = await BrokenServer.open(t, sample, { answer: (answer) => setField(answer, 'Server', 'nginx') });
  const only = ['getRoot', 'getClock'];
  t.same((await check(server.base, { only })).failing, ['header fields']);
  t.same((await check(server.base, { only, allowedHeaders: ['SERVER'] })).failing, []);
});

t.test('another service fails, and receives no request but reads', async (t) => {
  const methods = new Set<string>();
  const server = createServer((request, response) => {
    methods.add(request.method!);
    response.setHeader('content-type', 'text/html').end('<p>Hello</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { failing, empty } = await check(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const expected: CheckName[] = ['status', 'header fields', 'media type', 'body', 'wrong method', 'version', 'links'];
  t.same(
    expected.filter((each) => !failing.includes(each)),
    [],
  );
  t.equal(empty, true);
  t.same([...methods].sort(), ['GET', 'HEAD', 'OPTIONS']);
});

t.test('check-service writes TAP with a row for each check and two tables, and exits with 0', async (t) => {
  const server = await BrokenServer.open(t, sample, { answer: (answer) => setField(answer, 'server', 'nginx') });
  const flags = ['--operation', 'getGnssReceiver', '--operation', 'getCorsSite', '--allow-header', 'x-one', '--allow-header', 'Server'];
  const { code, stdout, stderr } = await runCommand(`${server.base}/`, ...flags);
  t.equal(stderr, '');
  t.equal(code, 0);
  t.match(stdout, /^TAP version 14\n# Subtest: \/corsSites\/\{id\}\n    ok 1 - status \(\d+\)\n/);
  t.match(stdout, /\n    1\.\.\d+\nok 2 - \/gnssReceivers\/\{id\}\n/);
  t.match(stdout, /\n# \/gnssReceivers\/\{id\} +\d+ +\. +\.\n/);
  t.match(stdout, /\n# header fields +\d+ +\. +\. /);
  t.match(stdout, /\n# \d+ requests to http:.*\n1\.\.2\n$/);
});

t.test('check-service exits with 1 where a check fails, and lists the failures', async (t) => {
  const server = await BrokenServer.open(t, sample, { answer: (answer) => setField(answer, 'server', "it's #1") });
  const { code, stdout } = await runCommand(server.base, '--operation', 'getRoot');
  t.equal(code, 1);
  t.match(stdout, /\n    not ok 2 - header fields \((\d+) of \1\)\n      ---\n      found:\n/);
  t.ok(
    stdout.includes(`
        - 'GET /: unexpected header field server: "it''s #1"'
`),
  );
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
    await t.rejects(async () => run(readCommandLine(command, args, {})), { name: 'UsageError', message }, args.join(' '));
  }
  const { code, stdout, stderr } = await runCommand('http://127.0.0.1', '--operation', 'noSuchOperation');
  t.equal(code, 2);
  t.equal(stdout, '');
  t.match(stderr, /^gnss-site-setups: --operation "noSuchOperation": .*\n/);
  t.match(helpOf(command), /^Usage: gnss-site-setups check-service URL\n/);
});

t.test('a service that cannot be reached ends the check before its first finding', async (t) => {
  await t.rejects(check('http://127.0.0.1:1'), { name: 'Unreachable', message: /^Cannot reach http:\/\/127.0.0.1:1: .*ECONNREFUSED/ });
});

t.test('check-service bails out and exits with 2 where the service stops responding', async (t) => {
  let left = 60;
  const server = await BrokenServer.open(t, sample, {
    answer: () => {
      left -= 1;
      if (left < 0) throw new Error('gone');
    },
  });
  const { code, stdout, stderr } = await runCommand(server.base);
  t.equal(code, 2);
  t.match(stdout, /\nBail out! http:\/\/127.0.0.1:\d+ no longer responds: .*\n$/);
  t.match(stderr, /^gnss-site-setups: http:\/\/127.0.0.1:\d+ no longer responds: .*\n$/);
});
