import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { CONTRACT, openService, ROOT, SAMPLE } from '../helper.js';
import { changeObjects, BrokenServer, type Fault, setBody, setField } from './broken-server.js';
import { sortProblems } from './collection-checks.js';
import { contractChecks, type Outcome } from './contract-checks.js';
import type { Json, JsonObject } from './published-contract.js';
import { type CheckName, CHECKS, type Findings, summaryOf } from './results.js';

/** The port of the real app over some logs. */
async function listen(t: Test, paths: string[], baseUrl: string | null = null): Promise<number> {
  const { app } = await openService(t, paths, { baseUrl });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

interface Checked extends Outcome {
  all: Findings[];
  /** Each failure in a line. */
  failures: string[];
  /** The checks that failed. */
  failing: CheckName[];
}

async function check(base: string, options: { only?: string[]; allowedHeaders?: string[] } = {}): Promise<Checked> {
  const checks = contractChecks({ base, contractFolder: CONTRACT, ...options });
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

/** Runs the command, as it was built, to its end. */
const run = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(ROOT, 'dist', 'test', 'contract', 'run.js'), ...args],
      { env: { PATH: process.env.PATH ?? '' } },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });

t.test('the service over the sample network passes: every check is made, every operation and every link', async (t) => {
  const { all, failures, empty, requests } = await check(`http://127.0.0.1:${await listen(t, [SAMPLE])}/`);
  t.same(failures, []);
  t.equal(empty, false);
  t.ok(requests > 1000);
  const made = new Set(all.flatMap(({ results }) => results.filter(({ outcome }) => outcome === 'passed').map((each) => each.check)));
  t.same([...made].sort(), Object.keys(CHECKS).sort());
  t.match(summaryOf(all), /\n\/setups\/\{id\} +\d+ +\. +\.\n/);
});

t.test('an empty service passes, and it is told what could not be checked', async (t) => {
  const { all, failures, empty } = await check(`http://127.0.0.1:${await listen(t, [])}`);
  t.same(failures, []);
  t.equal(empty, true);
  const item = all.find(({ title }) => title === '/setups/{id}')!;
  t.match(item.results.find(({ outcome }) => outcome === 'no data')?.detail, /^no data to check this with: /);
  t.ok(
    item.results.some((each) => each.check === 'unknown id' && each.outcome === 'passed'),
    'what needs no data is checked',
  );
});

t.test('a service below a path passes, under that path', async (t) => {
  const server = await BrokenServer.open(t, (base) => listen(t, [SAMPLE], base), {}, '/equipment');
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

/** Changes every Setup of an answer, on a page or alone. */
const changeSetups =
  (change: (setup: JsonObject) => JsonObject): NonNullable<Fault['answer']> =>
  (answer, { url }) => {
    if (!url.pathname.startsWith('/setups')) return;
    changeObjects(answer, (object) => ('equipmentInUse' in object ? change(object) : object));
  };

/** Changes the configuration of whatever is in use in an answer. */
const changeConfigurations = (change: (configuration: JsonObject) => JsonObject): NonNullable<Fault['answer']> => {
  return (answer, { url }) => {
    if (url.pathname.startsWith('/setups')) changeObjects(answer, (object, name) => (name === 'configuration' ? change(object) : object));
  };
};

/** The members of an object without some. */
const without = (object: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** Moves an instant in a query by some seconds, where it is there once. */
function shiftTime({ searchParams }: URL, name: string, seconds: number): void {
  const [instant, ...more] = searchParams.getAll(name);
  if (more.length > 0 || instant?.endsWith('Z') !== true) return;
  searchParams.set(name, new Date(Date.parse(instant) + seconds * 1000).toISOString());
}

/** What a server does wrong, the checks that must find it, and the operations to look at; left out, all and the links. */
const BROKEN: { title: string; fault: Fault; failing: CheckName[]; only?: string[] }[] = [
  {
    title: 'a header field is missing',
    fault: { answer: (answer) => setField(answer, 'x-frame-options', null) },
    failing: ['header fields'],
    only: ['getSetup', 'getHealth'],
  },
  {
    title: 'a header field too many',
    fault: { answer: (answer) => setField(answer, 'server', 'nginx') },
    failing: ['header fields'],
    only: ['getSetup', 'getHealth'],
  },
  {
    title: 'a header field twice',
    fault: { answer: ({ headers }) => void headers.push(['pragma', 'no-cache']) },
    failing: ['header fields'],
    only: ['getSetup', 'getHealth'],
  },
  {
    title: 'no blank before the semicolon in Strict-Transport-Security',
    fault: { answer: (answer) => setField(answer, 'strict-transport-security', 'max-age=31536000; includeSubDomains') },
    failing: ['header fields'],
    only: ['getSetup', 'getHealth'],
  },
  {
    title: 'the charset of Content-Type in lower case',
    fault: {
      answer: (answer) => {
        if (answer.status === 200) setField(answer, 'content-type', 'application/hal+json;charset=utf-8');
      },
    },
    failing: ['media type'],
    only: ['getRoot', 'getSetup'],
  },
  {
    title: 'an unknown value as 0',
    fault: { answer: changeConfigurations((each) => ({ ...each, ...('radomeSerialNumber' in each && { radomeSerialNumber: 0 }) })) },
    failing: ['body'],
    only: ['listSetup', 'getSetup', 'findCurrentSetupByFourCharacterId'],
  },
  {
    title: 'elevetionCutoffSetting as a number',
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
    only: ['listSetup', 'getSetup'],
  },
  {
    title: 'elevetionCutoffSetting spelled right',
    fault: {
      answer: changeConfigurations((each) =>
        Object.fromEntries(Object.entries(each).map(([name, value]) => [name.replace('elevetion', 'elevation'), value])),
      ),
    },
    failing: ['body'],
    only: ['getSetup'],
  },
  {
    title: 'the members of a Setup in another order',
    fault: { answer: changeSetups(({ id, siteId, current, ...more }) => ({ id: id!, siteId: siteId!, current: current!, ...more })) },
    failing: ['member order'],
    only: ['listSetup', 'getSetup'],
  },
  {
    title: 'the links of a page in another order',
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
    title: 'links that are no URLs',
    fault: {
      answer: (answer, { url }) =>
        url.pathname === '/clocks' && changeObjects(answer, (object) => ('href' in object ? { ...object, href: 'http://[' } : object)),
    },
    failing: ['links', 'page links', 'pages'],
    only: ['listClock', 'links'],
  },
  {
    title: 'a link to what is not there',
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
    title: 'unknown parameters are passed over',
    fault: { request: (url) => url.searchParams.delete('noSuchParameter') },
    failing: ['parameters'],
    only: ['getRoot', 'listClock', 'getSetup'],
  },
  {
    title: 'the first of a repeated parameter is taken',
    fault: { request: ({ searchParams }) => searchParams.has('size') && searchParams.set('size', searchParams.get('size')!) },
    failing: ['parameters'],
    only: ['listClock'],
  },
  {
    title: '405 without Allow',
    fault: { answer: (answer) => answer.status === 405 && setField(answer, 'allow', null) },
    failing: ['wrong method'],
    only: ['getRoot', 'getSetup'],
  },
  {
    title: 'a wrong method is answered as GET is',
    fault: {
      answer: async (answer, { url, method, get }) => {
        if (method === 'POST') Object.assign(answer, await get(url));
      },
    },
    failing: ['wrong method'],
    only: ['getRoot', 'getSetup'],
  },
  {
    title: 'OPTIONS without Allow',
    fault: { answer: (answer, { method }) => method === 'OPTIONS' && setField(answer, 'allow', null) },
    failing: ['OPTIONS'],
    only: ['getRoot', 'getSetup'],
  },
  {
    title: 'a problem document as application/json',
    fault: { answer: (answer) => answer.status >= 400 && setField(answer, 'content-type', 'application/json') },
    failing: ['media type'],
    only: ['getRoot', 'getSetup'],
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
    title: 'Content-Length longer than the body',
    fault: { answer: (answer) => setField(answer, 'content-length', String(answer.body.length + 5)) },
    failing: ['content length'],
    only: ['getHealth'],
  },
  {
    title: 'Content-Length in characters, not in bytes',
    fault: { answer: (answer, { method }) => method === 'GET' && setField(answer, 'content-length', String(answer.body.length - 1)) },
    failing: ['HEAD', 'body', 'content length'],
    only: ['getHealth'],
  },
  {
    title: 'no Content-Length, but chunks',
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
    title: 'a filter is passed over',
    fault: {
      request: ({ searchParams }) =>
        searchParams.get('type')?.length !== 0 && searchParams.getAll('type').length < 10 && searchParams.delete('type'),
    },
    failing: ['filter', 'page links', 'parameters'],
    only: ['listClock'],
  },
  {
    title: 'what is sorted in descending order is not',
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
    title: 'a projection is passed over',
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
    title: 'equipment in another order than by kind',
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
    title: 'at the instant of a change the older Setup holds',
    fault: { request: (url) => shiftTime(url, 'at', -1) },
    failing: ['search'],
    only: ['findSetupAtByFourCharacterId'],
  },
  {
    title: 'a Setup that touches a period at its end is taken for one that meets it',
    fault: { request: (url) => shiftTime(url, 'effectiveTo', 1) },
    failing: ['search'],
    only: ['findSetupsByFourCharacterId'],
  },
  {
    title: 'changes in another order than that of time',
    fault: {
      answer: (answer, { url }) =>
        url.pathname === '/changes' &&
        changeObjects(answer, (object) => (Array.isArray(object.changes) ? { changes: [...object.changes].reverse() } : object)),
    },
    failing: ['search'],
    only: ['listChanges'],
  },
  {
    title: 'of many Sites the last is dropped without a word',
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
    title: 'what no link leads to',
    fault: {
      answer: (answer, { url }) =>
        url.pathname === '/' && changeObjects(answer, (object, name) => (name === '_links' ? without(object, 'ready') : object)),
    },
    failing: ['links'],
  },
  {
    title: 'an element is another by itself than on its page',
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
    only: ['getRoot', 'listClock'],
  },
  {
    title: 'a client that wants JSON gets application/json',
    fault: {
      answer: (answer, { headers }) => headers.accept === 'application/json' && setField(answer, 'content-type', 'application/json'),
    },
    failing: ['accept'],
    only: ['getRoot', 'listClock'],
  },
  {
    title: 'the contract of another version',
    fault: { answer: (answer, { url }) => url.pathname === '/schemas/Setup.json' && setBody(answer, `${answer.body.toString()}\n`) },
    failing: ['version'],
    only: ['getOpenApi', 'getSchema'],
  },
];

for (const { title, fault, failing, only } of BROKEN) {
  t.test(`a broken server is found: ${title}`, async (t) => {
    const server = await BrokenServer.open(t, await listen(t, [SAMPLE]), fault);
    const found = await check(server.base, only === undefined ? {} : { only });
    t.same(found.failing, failing, found.failures.slice(0, 5).join('\n'));
  });
}

t.test('a header field that a proxy adds passes where it is allowed', async (t) => {
  const server = await BrokenServer.open(t, await listen(t, [SAMPLE]), { answer: (answer) => setField(answer, 'Server', 'nginx') });
  const only = ['getRoot', 'getSetup'];
  t.same((await check(server.base, { only })).failing, ['header fields']);
  t.same((await check(server.base, { only, allowedHeaders: ['SERVER'] })).failing, []);
});

t.test('of a server that is another service nothing passes for right, and nothing but what reads is sent to it', async (t) => {
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

t.test('the order of values: text by code points, unknown ones last in both directions, the first column counting most', (t) => {
  t.same(sortProblems([[1], [2], [10], [null]], [false]), []);
  t.same(sortProblems([[10], [2], [null], [null]], [true]), []);
  t.same(sortProblems([['B'], ['a'], ['\u{10000}']], [false]), []);
  t.same(sortProblems([['\uffff'], ['\u{10000}']], [false]), []);
  t.same(sortProblems([[false], [true]], [false]), []);
  t.same(sortProblems([[null], [1]], [false]), ['null stands before 1']);
  t.same(sortProblems([[null], [1]], [true]), ['null stands before 1']);
  t.same(sortProblems([[10], [9]], [false]), ['10 stands before 9']);
  t.same(
    sortProblems(
      [
        ['b', 1],
        ['a', 1],
        ['a', 2],
      ],
      [true, false],
    ),
    [],
  );
  t.same(
    sortProblems(
      [
        ['a', 2],
        ['a', 1],
      ],
      [true, false],
    ),
    ['2 stands before 1'],
  );
  t.end();
});

t.test('the command: TAP, a table of operations and one of checks, and an exit code', async (t) => {
  const port = await listen(t, [SAMPLE]);
  const good = await run(`http://127.0.0.1:${port}/`, '--operation', 'getGnssReceiver', '--operation', 'getCorsSite');
  t.equal(good.stderr, '');
  t.equal(good.code, 0);
  t.match(good.stdout, /^TAP version 14\n/);
  t.match(good.stdout, /\nok \d+ - \/gnssReceivers\/\{id\} /);
  t.match(good.stdout, /\n# \/gnssReceivers\/\{id\} +\d+ +\. +\./);
  t.match(good.stdout, /\n# header fields +\d+ +\. +\./);

  const broken = await BrokenServer.open(t, port, { answer: (answer) => setField(answer, 'server', 'nginx') });
  const bad = await run(broken.base, '--operation', 'getRoot');
  t.equal(bad.code, 1);
  t.match(bad.stdout, /not ok \d+ - header fields \(\d+ of \d+\)/);
  t.match(bad.stdout, /GET \/: server is there \("nginx"\)/);
  t.notMatch(bad.stdout, /source:|stack:/, 'where in the checks it was found is of no use');
  t.equal((await run(broken.base, '--operation', 'getRoot', '--allow-header', 'Server')).code, 0);
});

t.test('the command: wrong usage and a host that does not answer are one line, and exit code 2', async (t) => {
  for (const [args, line] of [
    [[], /^contract: expected one URL: .*\n$/],
    [['http://a', 'http://b'], /^contract: expected one URL: .*\n$/],
    [['127.0.0.1:8080'], /^contract: "127.0.0.1:8080": expected an http or https URL .*\n$/],
    [['--no-such-flag', 'http://127.0.0.1'], /^contract: .*--no-such-flag.*\n$/],
    [['http://127.0.0.1', '--operation', 'noSuchOperation'], /^contract: .*"noSuchOperation".*\n$/],
    [['http://127.0.0.1:1'], /^contract: http:\/\/127.0.0.1:1 cannot be reached: .*ECONNREFUSED.*\n$/],
  ] satisfies [string[], RegExp][]) {
    const { code, stdout, stderr } = await run(...args);
    t.equal(code, 2, args.join(' '));
    t.equal(stdout, '');
    t.match(stderr, line);
    t.equal(stderr.split('\n').length, 2, stderr);
  }
  const help = await run('--help');
  t.equal(help.code, 0);
  t.match(help.stdout, /^usage: npm run contract -- /);
});

t.test('the command: a host that ceases to answer ends it with a bail out, and exit code 2', async (t) => {
  let left = 200;
  const port = await listen(t, [SAMPLE]);
  const server = await BrokenServer.open(t, port, {
    answer: () => {
      left -= 1;
      if (left < 0) throw new Error('gone');
    },
  });
  const { code, stdout, stderr } = await run(server.base);
  t.equal(code, 2);
  t.match(stdout, /Bail out!/);
  t.match(stderr, /^contract: http:\/\/127.0.0.1:\d+ no longer answers: .*\n$/);
});
