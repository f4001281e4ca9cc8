import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { pino } from 'pino';
import {
  EquipmentInUse,
  type GnssReceiver,
  isOfType,
  type Problem,
  type SetupResource,
} from '../../schemas/index.js';
import { Value } from '@sinclair/typebox/value';
import { buildApp } from '../../src/http/app.js';
import { parseTrustProxy } from '../../src/cli/line/setting-values.js';
import { problemType } from '../../src/http/wire/problems.js';
import { MIGRATIONS } from '../../src/store/migrations.js';
import { openWriter } from '../../src/store/open.js';
import { aboutFiles, importInto } from '../databases.js';
import { FIXED_HEADERS } from '../fixed-headers.js';
import { CONTRACT, SAMPLE } from '../project-files.js';
import { openService, type Service } from '../service.js';
import type { SyntheticLog } from '../synthetic-log.js';
import { violations } from '../violations.js';
import { rawDatabase } from '../raw-database.js';
import {
  CURRENT,
  elementsIn,
  fieldsOf,
  HAL,
  type Paged,
  problemOf,
  read,
  refused,
} from './answers.js';

/** The sample network, for the tests that change nothing. */
const sample = await openService(t, [SAMPLE]);
const { get } = sample;
const receivers = (query: string) =>
  read<Paged<GnssReceiver>>(t, sample, 'GnssReceiverCollection', `/gnssReceivers?${query}`);

t.test(`GET ${CURRENT}?id=ALIC matches the contract to the letter`, async (t) => {
  const response = await get(`${CURRENT}?id=ALIC`, { host: 'gnss.example.org' });
  t.equal(response.statusCode, 200);
  t.same(fieldsOf(response.headers), {
    ...FIXED_HEADERS,
    'content-type': HAL,
    'content-length': String(response.rawPayload.length),
  });
  const body = response.json<SetupResource>();
  const link = { href: `http://gnss.example.org/setups/${body.id}` };
  const expected = {
    id: body.id,
    siteId: body.siteId,
    name: 'GNSS CORS Setup',
    effectivePeriod: { from: '2017-02-23T00:00:00Z', to: null },
    invalidated: false,
    equipmentInUse: [
      {
        content: {
          id: {
            type: 'LEICA GR25',
            equipmentType: 'gnss receiver',
            manufacturer: null,
            serialNumber: '1830439',
          },
          configuration: {
            firmwareVersion: '4.11.606/6.523',
            satelliteSystem: 'GPS+GLO+GAL+BDS+QZSS',
            elevetionCutoffSetting: '0',
            temperatureStabilization: 'none',
            notes: null,
          },
          period: { from: '2017-02-23T00:00:00Z', to: null },
        },
      },
      {
        content: {
          id: {
            type: 'LEIAR25.R3      NONE',
            equipmentType: 'gnss antenna',
            manufacturer: null,
            serialNumber: '09370001',
          },
          configuration: {
            antennaReferencePoint: 'BPA',
            markerArpUpEccentricity: 0.0015,
            markerArpNorthEccentricity: 0,
            markerArpEastEccentricity: 0,
            alignmentFromTrueNorth: '0',
            radomeType: 'NONE',
            radomeSerialNumber: null,
            antennaCableType: 'LMR400',
            antennaCableLength: '81',
            notes: null,
          },
          period: { from: '2011-07-20T00:00:00Z', to: null },
        },
      },
      {
        content: {
          id: {
            type: 'PAROSCIENTIFIC MET3A',
            equipmentType: 'humidity sensor',
            manufacturer: 'Paroscientific, Inc.',
            serialNumber: '98850',
            aspiration: 'FAN',
          },
          configuration: { heightDiffToAntenna: '2.4', notes: null },
          period: { from: '2006-03-29T00:00:00Z', to: null },
        },
      },
      {
        content: {
          id: { type: 'INTERNAL', equipmentType: 'clock', manufacturer: null, serialNumber: null },
          configuration: { inputFrequency: null },
          period: { from: '1994-05-15T00:00:00Z', to: null },
        },
      },
    ],
    current: true,
    _links: { self: link, setup: link },
  };
  // Compare as text, because the order of the members is part of the contract.
  t.equal(response.body, JSON.stringify(expected));
  t.same(violations('Setup', body), []);
});

t.test('GET /gnssReceivers?type=TRIMBLE NETRS matches the contract to the letter', async (t) => {
  const response = await get('/gnssReceivers?type=TRIMBLE%20NETRS', { host: 'gnss.example.org' });
  t.equal(response.statusCode, 200);
  t.same(fieldsOf(response.headers), {
    ...FIXED_HEADERS,
    'content-type': HAL,
    'content-length': String(response.rawPayload.length),
  });
  const body = response.json<Paged<GnssReceiver>>();
  t.same(violations('GnssReceiverCollection', body), []);
  const serials = [
    '4623116529',
    '40906',
    '60379',
    '04664',
    '4603204516',
    '4644124547',
    '4636121879',
  ];
  const found = elementsIn(body);
  const expected = serials.map((serialNumber, index) => {
    const { href } = found[index]!._links.self;
    t.match(href, /^http:\/\/gnss\.example\.org\/gnssReceivers\/\d+$/);
    return {
      type: 'TRIMBLE NETRS',
      equipmentType: 'gnss receiver',
      manufacturer: null,
      serialNumber,
      _links: { self: { href }, gnssReceiver: { href: `${href}{?projection}`, templated: true } },
    };
  });
  t.equal(
    response.body,
    JSON.stringify({
      _embedded: { gnssReceivers: expected },
      _links: {
        self: { href: 'http://gnss.example.org/gnssReceivers' },
        profile: { href: 'http://gnss.example.org/profile/gnssReceivers' },
      },
      page: { size: 20, totalElements: 7, totalPages: 1, number: 0 },
    }),
  );
  for (const receiver of found) {
    const single = await get(new URL(receiver._links.self.href).pathname, {
      host: 'gnss.example.org',
    });
    t.same([violations('GnssReceiver', single.json()), single.json()], [[], receiver]);
  }
});

t.test('an empty result, a page after the last, and a size above 1000', async (t) => {
  t.match(await receivers('type=trimble%20netrx'), {
    _embedded: { gnssReceivers: [] },
    page: { size: 20, totalElements: 0, totalPages: 0, number: 0 },
  });
  const { _embedded, _links } = await receivers('page=99');
  t.match([_embedded.gnssReceivers, _links.prev, _links.next], [[], _links.last, undefined]);
  t.equal((await receivers('size=99999999')).page.size, 1000);
});

t.test(
  'the id of a Site may be in lower case and have nine characters, and type=CorsSetup is accepted',
  async (t) => {
    const reference = (await get(`${CURRENT}?id=ALIC`)).body;
    for (const query of [
      'id=alic',
      'id=ALIC00AUS',
      'id=alic00aus',
      'id=ALIC&type=CorsSetup',
      'type=CorsSetup&id=ALIC',
    ]) {
      t.equal((await get(`${CURRENT}?${query}`)).body, reference, query);
    }
    t.equal((await get(`${CURRENT}?id=HOUZ00GLP`)).statusCode, 200);
    await refused(t, sample, `${CURRENT}?id=HOUZ00FRA`, 404, 'unknown-site');
  },
);

t.test('what a log leaves blank is null in every member, never 0 or an empty string', async (t) => {
  const service = await openService(t);
  const blank = { from: '2001-01-01' };
  const ended = { clocks: [{ ...blank, to: '(CCYY-MM-DD)' }], sensors: [{ ...blank, to: '' }] };
  await service.importText({ receivers: [blank], antennas: [blank], ...ended });
  const body = await read<SetupResource>(t, service, 'Setup', `${CURRENT}?id=TEST`);
  t.equal(body.equipmentInUse.length, 4);
  for (const { content } of body.equipmentInUse) {
    const { equipmentType, ...id } = content.id;
    const known = Object.entries({ ...id, ...content.configuration }).filter(
      ([, value]) => value !== null,
    );
    t.same(known, [], equipmentType);
  }
});

t.test(
  'equipmentInUse is a union of four variants, distinguished by content.id.equipmentType',
  async (t) => {
    const body = (await get(`${CURRENT}?id=ALIC`)).json<SetupResource>();
    const [receiver, antenna] = body.equipmentInUse;
    t.ok(body.equipmentInUse.every((each) => Value.Check(EquipmentInUse, each)));
    const mixed = { content: { ...receiver!.content, id: antenna!.content.id } };
    t.notOk(
      Value.Check(EquipmentInUse, mixed),
      'the id of one kind with the configuration of another',
    );
    const unknown = {
      content: { ...receiver!.content, id: { ...receiver!.content.id, equipmentType: 'sundial' } },
    };
    for (const wrong of [mixed, unknown]) t.not(violations('EquipmentInUse', wrong).length, 0);
    t.same(violations('EquipmentInUse', receiver), []);
    if (isOfType(antenna!, 'gnss antenna'))
      t.equal(antenna.content.configuration.radomeType, 'NONE');
    else t.fail('the second is the antenna');
  },
);

t.test(
  'errors are problem documents that name the parameter, its value and what is allowed',
  async (t) => {
    const invalid: [url: string, name: string, value?: unknown, detail?: string | RegExp][] = [
      [CURRENT, 'id', null, /^Parameter "id" is missing; allowed: The four-character id/],
      [`${CURRENT}?id=`, 'id', ''],
      [`${CURRENT}?id=ALI`, 'id', 'ALI'],
      [`${CURRENT}?id=ALIC0`, 'id', 'ALIC0'],
      [`${CURRENT}?id=${'x'.repeat(5000)}`, 'id', /^x{200}…$/],
      [
        `${CURRENT}?id=ALIC&id=ZIMM`,
        'id',
        ['ALIC', 'ZIMM'],
        /^Parameter "id" is given more than once; allowed: The four/,
      ],
      [`${CURRENT}?id=ALIC&type=Other`, 'type', 'Other', /CorsSetup/],
      [
        `${CURRENT}?id=ALIC&effectiveTO=x`,
        'effectiveTO',
        'x',
        'Parameter "effectiveTO" is not a parameter of this resource; ' +
          'allowed: the parameters id, asOf, projection.',
      ],
      [`${CURRENT}?id=ALIC&__proto__=x`, '__proto__', 'x'],
      [`${CURRENT}?id=ALIC&constructor=x`, 'constructor', 'x'],
      [`${CURRENT}?id=%00%00%00%00`, 'id'],
      ['/gnssReceivers?page=-1', 'page', '-1'],
      ['/gnssReceivers?page=1&page=2', 'page', ['1', '2']],
      ['/gnssReceivers?size=0', 'size', '0'],
      ['/gnssReceivers?typo=TRIMBLE', 'typo'],
      ['/gnssReceivers?type=', 'type'],
      ['/gnssReceivers?projection=x', 'projection', 'x', /One of: installations/],
      ['/gnssReceivers/0', 'id', '0'],
      ['/gnssReceivers/abc', 'id', 'abc'],
      ['/gnssReceivers/', 'id'],
      ['/setups/1?projection=installations', 'projection', 'installations', /One of: provenance/],
      ['/setups/1?x=1', 'x'],
      ['/health?x=1', 'x', '1', /; allowed: no parameters\.$/],
    ];
    for (const [url, name, value, detail = `Parameter "${name}" `] of invalid) {
      const problem = await refused(t, sample, url, 400, 'invalid-parameter');
      const [parameter] = problem.invalidParameters!;
      t.match(problem.detail, detail, url.slice(0, 80));
      t.match(parameter, { name, ...(value !== undefined && { value }) }, url.slice(0, 80));
      const sentence = `Parameter "${name}" ${parameter!.reason}; allowed: ${parameter!.allowed}`;
      t.equal(problem.detail, sentence, url.slice(0, 80));
    }
    const two = await refused(t, sample, '/gnssReceivers?size=0&typo=x', 400, 'invalid-parameter');
    t.match(two.detail, /^Parameter "size" .* Also refused: "typo"\.$/s);
    await refused(t, sample, `${CURRENT}?id=XXXX`, 404, 'unknown-site');
    for (const url of ['/gnssReceivers/999999', '/setups/999999', '/nothing'])
      await refused(t, sample, url, 404, 'not-found');
  },
);

t.test('a refused request links to what was probably meant', async (t) => {
  const meant: [url: string, rel: string, href: string][] = [
    ['/corsSites/alic', 'corsSite', '/corsSites/search/findByFourCharacterId?id=alic'],
    ['/siteLogs/ALIC', 'siteLog', '/siteLogs/search/findByFourCharacterId?id=ALIC'],
    ['/setups/ALIC00AUS', 'setup', `${CURRENT}?id=ALIC00AUS`],
    [
      '/gnssReceivers?site=ALIC',
      'installations',
      '/exports/installations.csv?site=ALIC&equipmentType=gnss%20receiver',
    ],
    [
      '/setups?site=ALIC&at=2012-01-01',
      'setup',
      '/setups/search/findAtByFourCharacterId?id=ALIC&at=2012-01-01',
    ],
    ['/equipment?site=ALIC', 'installations', '/exports/installations.csv?site=ALIC'],
    [
      '/setups?site=ALIC&site=NAMA&at=2012-01-01',
      'setups',
      '/setups/search/findAtByFourCharacterIdIn?id=ALIC&id=NAMA&at=2012-01-01',
    ],
    ['/installations?site=ALIC', 'installations', '/exports/installations.csv?site=ALIC'],
  ];
  for (const [url, rel, href] of meant) {
    const response = await get(url);
    t.equal(response.statusCode, url.startsWith('/installations') ? 404 : 400, url);
    const { links } = problemOf(t, response, url);
    t.same(links, { [rel]: { href: `http://localhost:80${href}` } }, url);
    t.equal((await get(href)).statusCode, 200, href);
  }
  for (const url of [
    '/corsSites/ALICE',
    '/corsSites/0',
    '/setups?size=0',
    '/gnssReceivers?site=ALICE',
    '/nothing',
  ])
    t.equal(problemOf(t, await get(url), url).links, undefined, url);
});

t.test('HEAD has the status and the header fields of GET, and no content', async (t) => {
  const urls = [
    `${CURRENT}?id=ALIC`,
    `${CURRENT}?id=NONE`,
    '/gnssReceivers?type=LEICA%20GR30',
    '/corsSites?size=1',
    '/sites',
    '/sites?q=ALIC',
    '/siteLogs/1?format=text',
    '/setups/0',
    '/nothing',
  ];
  const redirects = [];
  for (const url of urls) {
    const answer = await get(url);
    const head = await sample.app.inject({ method: 'HEAD', url });
    t.same([head.statusCode, head.body], [answer.statusCode, ''], url);
    t.same(fieldsOf(head.headers), fieldsOf(answer.headers), url);
    if (answer.statusCode === 302) redirects.push(url);
  }
  t.same(redirects, ['/sites?q=ALIC']);
});

t.test('every route checks its path, and refuses unknown parameters', async (t) => {
  t.ok(sample.app.paths.length > 50);
  for (const path of sample.app.paths) {
    const url = `${path.replace(/:\w+/g, '1')}?nonsense=1`;
    const { statusCode } = await get(url);
    const expected = path.includes(':') ? [400, 404] : [400];
    t.ok(expected.includes(statusCode), `${url}: ${statusCode}`);
  }
});

t.test('a wrong method gets 405 with Allow, whatever its body', async (t) => {
  const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'].map(
    (method) => [method, CURRENT] as const,
  );
  const urls = ['/gnssReceivers', '/setups/1', '/gnssReceivers/1', '/health', '/ready'].map(
    (url) => ['POST', url] as const,
  );
  for (const [method, url] of [...methods, ...urls]) {
    const response = await sample.app.inject({
      method: method as 'POST',
      url,
      headers: { 'content-type': 'text/csv' },
      payload: 'a,b',
    });
    t.match(problemOf(t, response, `${method} ${url}`), {
      type: problemType('method-not-allowed'),
      status: 405,
    });
    t.equal(response.headers.allow, 'GET, HEAD, OPTIONS');
  }
});

t.test(
  'links start with the configured base URL, or else with the scheme and host of the request; only trusted proxies are believed',
  async (t) => {
    const forwarded = {
      host: 'inner:8080',
      'x-forwarded-host': 'outer.example',
      'x-forwarded-proto': 'https',
    };
    const cases: [options: object, fields: Record<string, string>, base: string | 400][] = [
      [
        { baseUrl: 'https://gnss.example.org/equipment' },
        forwarded,
        'https://gnss.example.org/equipment',
      ],
      [{}, { host: 'inner:8080' }, 'http://inner:8080'],
      [{}, forwarded, 'http://inner:8080'],
      [{}, { host: 'inner:65535' }, 'http://inner:65535'],
      [{}, { host: 'inner:65536' }, 400],
      [{}, { host: 'evil/path' }, 400],
      [{ trustProxy: true }, forwarded, 'https://outer.example'],
      [
        { trustProxy: true },
        { ...forwarded, 'x-forwarded-host': 'liar.example, outer.example' },
        'https://outer.example',
      ],
      [{ trustProxy: true }, { host: 'inner', forwarded: 'host=evil.example' }, 'http://inner'],
      [{ trustProxy: true }, { host: 'inner', 'x-forwarded-host': 'evil"><script>' }, 400],
      [{ trustProxy: true }, { host: 'inner', 'x-forwarded-proto': 'javascript' }, 'http://inner'],
      [{ trustProxy: parseTrustProxy('127.0.0.0/8') }, forwarded, 'https://outer.example'],
      [{ trustProxy: parseTrustProxy('10.0.0.1, 2001:db8::/32') }, forwarded, 'http://inner:8080'],
    ];
    for (const [options, headers, base] of cases) {
      const app = await buildApp({ store: sample.store, contractFolder: CONTRACT, ...options });
      const { statusCode, body } = await app.inject({ url: '/gnssReceivers', headers });
      const self = statusCode === 200 ? (JSON.parse(body) as Paged)._links.self.href : statusCode;
      t.equal(
        self,
        base === 400 ? base : `${base}/gnssReceivers`,
        JSON.stringify([options, headers]),
      );
      await app.close();
    }
    t.doesNotThrow(() => parseTrustProxy('10.0.0.0/1, 10.0.0.1/32, 2001:db8::/1, 2001:db8::1/128'));
    for (const wrong of [
      '10.0.0.0/33',
      '10.0.0.0/0',
      '10.0.0.0/8/8',
      '2001:db8::/129',
      'proxy.example',
      '10.0.0.1,',
    ])
      t.throws(() => parseTrustProxy(wrong), /is not an IP address or network/);
  },
);

t.test(
  'an internal failure is a 500 that reveals nothing and is logged with the id of the request',
  aboutFiles,
  async (t) => {
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
    const { app, store } = await openService(t, [SAMPLE], { log });
    // Close the real store, so that every read fails.
    await store.close();
    const response = await app.inject(`${CURRENT}?id=ALIC`);
    const { status, instance } = problemOf(t, response);
    t.equal(status, 500);
    t.notMatch(response.body, /database|connection|sqlite/i);
    t.match(JSON.parse(lines[0]!), {
      reqId: instance!.replace('urn:uuid:', ''),
      err: { message: /database connection is not open/ },
    });
    t.match(problemOf(t, await app.inject('/ready')), {
      status: 503,
      type: problemType('not-ready'),
    });
    t.equal((await app.inject('/health')).statusCode, 200);
  },
);

t.test(
  'after the file of the database was moved away, everything that needs it is 503, and another file is served',
  aboutFiles,
  async (t) => {
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
    const service = await openService(t, [SAMPLE], { log });
    const statusOf = async (path: string): Promise<number> => (await service.get(path)).statusCode;
    t.equal(await statusOf(`${CURRENT}?id=ALIC`), 200);
    renameSync(service.database, `${service.database}.away`);
    await refused(t, service, '/ready', 503, 'not-ready');
    // The cache looks at the database once per turn of the event loop.
    await setImmediate();
    t.equal(await statusOf(`${CURRENT}?id=ALIC`), 503, 'not even a cached answer');
    t.same([await statusOf('/sites'), await statusOf('/ready')], [503, 503]);
    t.match(lines, [/does not exist/], 'the outage is one line of the log');
    t.equal(lines.length, 1);
    await importInto(service.database, []);
    const another = await service.get('/ready');
    await setImmediate();
    t.match(
      [another.json(), await statusOf(`${CURRENT}?id=ALIC`)],
      [{ status: 'ready', sites: 0 }, 404],
    );
  },
);

t.test(
  'without a request to /ready, a change of the file is noticed within a second',
  aboutFiles,
  async (t) => {
    const { get, database, importText } = await openService(t, [SAMPLE]);
    const statusOf = async (id: string) => (await get(`${CURRENT}?id=${id}`)).statusCode;
    const backup = readFileSync(database);
    await importText({ id: 'AAAA', receivers: [{ type: 'R0', serial: '1', from: '2001-01-01' }] });
    t.equal(await statusOf('AAAA'), 200);
    const changes: [what: string, change: () => void, status: number][] = [
      ['restored over', () => writeFileSync(database, backup), 200],
      ['truncated', () => truncateSync(database, 8192), 503],
      ['overwritten with something else', () => writeFileSync(database, 'not a database'), 503],
      ['good again', () => writeFileSync(database, backup), 200],
      ['deleted', () => rmSync(database), 503],
    ];
    for (const [what, change, status] of changes) {
      change();
      await new Promise((resolve) => setTimeout(resolve, 700));
      t.same(
        [await statusOf('ALIC'), await statusOf('AAAA')],
        [status, status === 200 ? 404 : 503],
        what,
      );
      t.equal((await get('/setups?size=1000')).statusCode, status, what);
    }
  },
);

/** The size that a refusal of a page says would fit. */
async function sizeThatFits({ get }: Pick<Service, 'get'>, url: string): Promise<number> {
  const { statusCode, body } = await get(`${url}&size=1000`);
  const { invalidParameters } = JSON.parse(body) as Problem;
  t.match([statusCode, invalidParameters], [400, [{ name: 'size', value: '1000' }]], url);
  return Number(/^at most (\d+)/.exec(invalidParameters![0]!.allowed)![1]);
}

t.test('a page with too much text is refused with the size that fits', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const begin = '[{"content":{"id":{"type":"';
  await rawDatabase(service.database).exec(
    `UPDATE setup SET equipment_in_use = replace(equipment_in_use, '${begin}', '${begin}${'x'.repeat(1_000_000)}')`,
  );
  t.equal(await sizeThatFits(service, '/setups?page=0'), 8);
  const page = await service.get('/setups?size=8');
  t.ok(page.statusCode === 200 && page.rawPayload.length < 9 * 1024 ** 2);
  t.equal((await service.get('/setups/1')).statusCode, 200);
});

t.test(
  'if the elements have too many installations, the size that fits counts elements, in their order',
  async (t) => {
    // The first Site of a page was imported last.
    const paths = readdirSync(SAMPLE).map((name) => join(SAMPLE, name));
    const service = await openService(t, paths.reverse());
    const enlarge = (length: number, fourCharacterId: string): Promise<unknown> =>
      rawDatabase(service.database).exec(
        `UPDATE installation SET configuration = replace(configuration, '{', '{"x":"${'x'.repeat(length)}",')
       WHERE site_id IN (SELECT id FROM site WHERE four_character_id LIKE '${fourCharacterId}')`,
      );
    const statusOf = async (url: string): Promise<number> => (await service.get(url)).statusCode;
    const byEquipment = '/corsSites/search/findByEquipment?type=*';
    await enlarge(300_000, '%');
    for (const url of [byEquipment, '/equipment?projection=installations']) {
      const fits = await sizeThatFits(service, url);
      t.same(
        [await statusOf(`${url}&size=${fits}`), await statusOf(`${url}&size=${fits + 1}`)],
        [200, 400],
        `${url}: ${fits}`,
      );
    }
    await enlarge(800_000, 'ALIC');
    t.equal(await sizeThatFits(service, byEquipment), 1);
    t.equal(await statusOf(`${byEquipment}&size=1`), 200, 'a single Site may have more');
  },
);

t.test('GET /health and GET /ready', async (t) => {
  t.same(await read(t, sample, 'Health', '/health'), { status: 'up' });
  t.match(await read(t, sample, 'Readiness', '/ready'), {
    status: 'ready',
    migration: MIGRATIONS.length,
    sites: 8,
    lastImport: {
      finishedAt: /^2\d{3}-/,
      saved: 8,
      unchanged: 0,
      outdated: 0,
      rejected: 0,
      skipped: 0,
    },
    newestLog: { datePrepared: /^20/, ageInDays: Number },
    rejectedFiles: 0,
  });
  const { headers } = await get('/ready');
  t.match(fieldsOf(headers), {
    ...FIXED_HEADERS,
    'content-type': 'application/json;charset=UTF-8',
  });
});

t.test(
  'GET /ready has the last import, even if it saved nothing, and the age of the newest current log',
  async (t) => {
    let now = '2021-03-02T00:00:00Z';
    const service = await openService(t, [], { clock: () => new Date(now) });
    const ready = () =>
      read<{ newestLog: { ageInDays: number } | null }>(t, service, 'Readiness', '/ready');
    const noFiles = { saved: 0, unchanged: 0, outdated: 0, rejected: 0, skipped: 0 };
    t.match(await ready(), { lastImport: null, newestLog: null });
    const at = (day: string): Date => new Date(`2021-03-${day}T01:02:03.999Z`);
    const newestLog = { datePrepared: '2021-03-01', ageInDays: 1 };
    const imports: [day: string, log: SyntheticLog | string, files: Partial<typeof noFiles>][] = [
      ['01', { prepared: '2021-03-01' }, { saved: 1 }],
      ['02', { prepared: '2021-03-01' }, { unchanged: 1 }],
      ['03', { prepared: '2020-03-01' }, { outdated: 1 }],
      ['04', 'Site log of\nnobody', { rejected: 1 }],
    ];
    for (const [day, log, files] of imports) {
      await service.importText(log, 'test_20210301.log', at(day));
      t.match(
        await ready(),
        { lastImport: { ...noFiles, finishedAt: `2021-03-${day}T01:02:03Z`, ...files }, newestLog },
        day,
      );
    }
    const dry = await openWriter(service.database, { dryRun: true });
    await dry.saveLastImport({ ...noFiles, finishedAt: '2021-03-05T01:02:03Z' });
    await dry.close();
    t.match(
      await ready(),
      { lastImport: { finishedAt: '2021-03-04T01:02:03Z' } },
      'a dry run does not count',
    );
    const writer = await openWriter(service.database);
    const file = { path: '/srv/secret/a.log', sha256: null, code: 'no-site-id', reason: 'why' };
    await writer.saveRejectedFiles([file], () => false, at('04'));
    t.match(await ready(), { rejectedFiles: 1 });
    t.notMatch((await service.get('/ready')).body, /secret|why/, "a path is nobody else's");
    await writer.saveRejectedFiles([], () => true, at('05'));
    await writer.close();
    t.match(await ready(), { rejectedFiles: 0 });
    // The age changes at midnight. A log dated tomorrow is from another time zone; a later date is
    // not trusted.
    const ages: [instant: string, age: number | undefined][] = [
      ['2021-02-28T23:59:59Z', 0],
      ['2021-02-27T23:59:59Z', undefined],
      ['2021-03-01T23:59:59Z', 0],
      ['2021-03-03T23:59:59Z', 2],
      ['2021-03-04T00:00:00Z', 3],
    ];
    for (const [instant, age] of ages) {
      now = instant;
      t.equal((await ready()).newestLog?.ageInDays, age, instant);
    }
    await service.importPaths([SAMPLE], at('06'));
    t.match(await ready(), { lastImport: { ...noFiles, saved: 8 } });
    mkdirSync(join(service.folder, 'empty'));
    await service.importPaths([join(service.folder, 'empty')], at('07'));
    t.match(
      await ready(),
      { lastImport: { ...noFiles, saved: 8 } },
      'an import of no files does not count',
    );
  },
);
