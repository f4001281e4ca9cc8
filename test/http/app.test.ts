import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import {
  EquipmentInUse,
  type GnssReceiver,
  isOfType,
  type Page,
  type PageLinks,
  type Problem,
  type SetupResource,
} from '../../schemas/index.js';
import { Value } from '@sinclair/typebox/value';
import { buildApp } from '../../src/http/app.js';
import { parseTrustProxy } from '../../src/http/wire/base-url.js';
import { problemType } from '../../src/http/wire/problems.js';
import { MIGRATIONS } from '../../src/store/migrations.js';
import { openWriter } from '../../src/store/open.js';
import { aboutFiles, CONTRACT, FIXED_HEADERS, importInto, openService, SAMPLE, violations } from '../helper.js';
import { rawDatabase } from '../raw-database.js';

interface GnssReceiverCollection {
  _embedded: { gnssReceivers: GnssReceiver[] };
  _links: PageLinks;
  page: Page;
}

const CURRENT = '/setups/search/findCurrentByFourCharacterId';
const HAL = 'application/hal+json;charset=UTF-8';
const TRANSPORT = ['date', 'connection', 'keep-alive'];

const headersOf = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !TRANSPORT.includes(name)));

t.test(`GET ${CURRENT}?id=ALIC matches the contract to the letter`, async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  const response = await get(`${CURRENT}?id=ALIC`, { host: 'gnss.example.org' });
  t.equal(response.statusCode, 200);
  t.same(headersOf(response.headers), { ...FIXED_HEADERS, 'content-type': HAL, 'content-length': String(response.rawPayload.length) });
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
          id: { type: 'LEICA GR25', equipmentType: 'gnss receiver', manufacturer: null, serialNumber: '1830439' },
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
          id: { type: 'LEIAR25.R3      NONE', equipmentType: 'gnss antenna', manufacturer: null, serialNumber: '09370001' },
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
  const { get } = await openService(t, [SAMPLE]);
  const response = await get('/gnssReceivers?type=TRIMBLE%20NETRS', { host: 'gnss.example.org' });
  t.equal(response.statusCode, 200);
  t.same(headersOf(response.headers), { ...FIXED_HEADERS, 'content-type': HAL, 'content-length': String(response.rawPayload.length) });
  const body = response.json<GnssReceiverCollection>();
  t.same(violations('GnssReceiverCollection', body), []);
  const serials = ['4623116529', '40906', '60379', '04664', '4603204516', '4644124547', '4621136'];
  t.equal(body._embedded.gnssReceivers.length, serials.length);
  const receivers = body._embedded.gnssReceivers.map(({ serialNumber, _links }) => {
    const href = _links.self.href;
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
      _embedded: { gnssReceivers: receivers },
      _links: {
        self: { href: 'http://gnss.example.org/gnssReceivers' },
        profile: { href: 'http://gnss.example.org/profile/gnssReceivers' },
      },
      page: { size: 20, totalElements: 7, totalPages: 1, number: 0 },
    }),
  );
  for (const { _links } of body._embedded.gnssReceivers) {
    const one = await get(new URL(_links.self.href).pathname, { host: 'gnss.example.org' });
    t.same(violations('GnssReceiver', one.json()), []);
    t.same(
      one.json(),
      body._embedded.gnssReceivers.find((each) => each._links.self.href === _links.self.href),
    );
  }
});

t.test('an empty result, a page after the last, and a size above 1000', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  t.match((await get('/gnssReceivers?type=trimble%20netrx')).json(), {
    _embedded: { gnssReceivers: [] },
    page: { size: 20, totalElements: 0, totalPages: 0, number: 0 },
  });
  const behind = (await get('/gnssReceivers?page=99')).json<GnssReceiverCollection>();
  t.same(behind._embedded.gnssReceivers, []);
  t.equal(behind._links.prev!.href, behind._links.last!.href);
  t.notOk(behind._links.next);
  t.equal((await get('/gnssReceivers?size=99999999')).json<GnssReceiverCollection>().page.size, 1000);
});

t.test('the id of a Site may be in lower case and have nine characters, and type=CorsSetup is accepted', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  const reference = (await get(`${CURRENT}?id=ALIC`)).body;
  for (const query of ['id=alic', 'id=ALIC00AUS', 'id=alic00aus', 'id=ALIC&type=CorsSetup', 'type=CorsSetup&id=ALIC']) {
    t.equal((await get(`${CURRENT}?${query}`)).body, reference, query);
  }
  t.equal((await get(`${CURRENT}?id=HOUZ00GLP`)).statusCode, 200);
  const other = await get(`${CURRENT}?id=HOUZ00FRA`);
  t.match([other.statusCode, other.json()], [404, { type: problemType('unknown-site') }], 'another station with the same four characters');
});

t.test('what a log leaves blank is null in every member, never 0 or an empty string', async (t) => {
  const { get, importText } = await openService(t);
  const blank = { from: '2001-01-01' };
  await importText({ receivers: [blank], antennas: [blank], clocks: [{ ...blank, to: '(CCYY-MM-DD)' }], sensors: [{ ...blank, to: '' }] });
  const response = await get(`${CURRENT}?id=TEST`);
  const body = response.json<SetupResource>();
  t.same(violations('Setup', body), []);
  t.equal(body.equipmentInUse.length, 4);
  for (const { content } of body.equipmentInUse) {
    const { equipmentType, ...id } = content.id;
    for (const [member, value] of Object.entries({ ...id, ...content.configuration })) t.equal(value, null, `${equipmentType} ${member}`);
  }
});

t.test('equipmentInUse is a union of four variants, distinguished by content.id.equipmentType', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  const body = (await get(`${CURRENT}?id=ALIC`)).json<SetupResource>();
  const [receiver, antenna] = body.equipmentInUse;
  for (const each of body.equipmentInUse) t.ok(Value.Check(EquipmentInUse, each));
  const mixed = { content: { ...receiver!.content, id: antenna!.content.id } };
  t.notOk(Value.Check(EquipmentInUse, mixed), 'the id of one kind with the configuration of another');
  t.not(violations('EquipmentInUse', mixed).length, 0);
  t.not(
    violations('EquipmentInUse', { content: { ...receiver!.content, id: { ...receiver!.content.id, equipmentType: 'sundial' } } }).length,
    0,
  );
  t.same(violations('EquipmentInUse', receiver), []);
  if (isOfType(antenna!, 'gnss antenna')) t.equal(antenna.content.configuration.radomeType, 'NONE');
  else t.fail('the second is the antenna');
});

t.test('errors are problem documents that name the parameter, its value and what is allowed', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  const long = 'x'.repeat(5000);
  const cases: [string, number, string, object[]?][] = [
    [CURRENT, 400, 'invalid-parameter', [{ name: 'id', value: null, allowed: /Required: The four-character id/ }]],
    [`${CURRENT}?id=`, 400, 'invalid-parameter', [{ name: 'id', value: '' }]],
    [`${CURRENT}?id=ALI`, 400, 'invalid-parameter', [{ name: 'id', value: 'ALI' }]],
    [`${CURRENT}?id=ALIC0`, 400, 'invalid-parameter', [{ name: 'id', value: 'ALIC0' }]],
    [`${CURRENT}?id=${long}`, 400, 'invalid-parameter', [{ name: 'id', value: /^x{200}…$/ }]],
    [`${CURRENT}?id=ALIC&id=ZIMM`, 400, 'invalid-parameter', [{ name: 'id', value: ['ALIC', 'ZIMM'], allowed: /^Only once: / }]],
    [`${CURRENT}?id=ALIC&type=Other`, 400, 'invalid-parameter', [{ name: 'type', value: 'Other', allowed: /CorsSetup/ }]],
    [
      `${CURRENT}?id=ALIC&effectiveTO=x`,
      400,
      'invalid-parameter',
      [{ name: 'effectiveTO', value: 'x', allowed: 'Known parameters: id, asOf, type, projection.' }],
    ],
    [`${CURRENT}?id=ALIC&__proto__=x`, 400, 'invalid-parameter', [{ name: '__proto__', value: 'x' }]],
    [`${CURRENT}?id=ALIC&constructor=x`, 400, 'invalid-parameter', [{ name: 'constructor', value: 'x' }]],
    [`${CURRENT}?id=%00%00%00%00`, 400, 'invalid-parameter'],
    [`${CURRENT}?id=XXXX`, 404, 'unknown-site'],
    ['/gnssReceivers?page=-1', 400, 'invalid-parameter', [{ name: 'page', value: '-1' }]],
    ['/gnssReceivers?page=1.5', 400, 'invalid-parameter', [{ name: 'page', value: '1.5' }]],
    ['/gnssReceivers?page=', 400, 'invalid-parameter', [{ name: 'page', value: '' }]],
    ['/gnssReceivers?page=0x1', 400, 'invalid-parameter', [{ name: 'page', value: '0x1' }]],
    ['/gnssReceivers?page=1&page=2', 400, 'invalid-parameter', [{ name: 'page', value: ['1', '2'] }]],
    ['/gnssReceivers?size=0', 400, 'invalid-parameter', [{ name: 'size', value: '0' }]],
    ['/gnssReceivers?size=many', 400, 'invalid-parameter', [{ name: 'size', value: 'many' }]],
    ['/gnssReceivers?typo=TRIMBLE', 400, 'invalid-parameter', [{ name: 'typo' }]],
    ['/gnssReceivers?type=', 400, 'invalid-parameter', [{ name: 'type' }]],
    ['/gnssReceivers/0', 400, 'invalid-parameter', [{ name: 'id', value: '0' }]],
    ['/gnssReceivers/abc', 400, 'invalid-parameter', [{ name: 'id', value: 'abc' }]],
    ['/gnssReceivers/999999', 404, 'not-found'],
    ['/setups/999999', 404, 'not-found'],
    ['/setups/1?projection=installations', 400, 'invalid-parameter', [{ name: 'projection', allowed: /One of: provenance/ }]],
    ['/gnssReceivers?projection=x', 400, 'invalid-parameter', [{ name: 'projection', allowed: /One of: installations/ }]],
    ['/setups/1?x=1', 400, 'invalid-parameter', [{ name: 'x' }]],
    ['/health?x=1', 400, 'invalid-parameter', [{ name: 'x', allowed: 'This resource takes no parameters.' }]],
    ['/nothing', 404, 'not-found'],
    ['/gnssReceivers/', 400, 'invalid-parameter'],
  ];
  for (const [url, status, kind, invalidParameters] of cases) {
    const response = await get(url);
    const problem = response.json<Problem>();
    const named = url.slice(0, 80);
    t.equal(response.statusCode, status, named);
    t.match(problem, { type: problemType(kind as 'not-found'), status, ...(invalidParameters && { invalidParameters }) }, named);
    t.same(violations('Problem', problem), [], named);
    t.same(
      headersOf(response.headers),
      { ...FIXED_HEADERS, 'content-type': 'application/problem+json', 'content-length': String(response.rawPayload.length) },
      named,
    );
  }
});

t.test('a wrong method gets 405 with Allow, whatever its body', async (t) => {
  const { app } = await openService(t, [SAMPLE]);
  for (const url of [CURRENT, '/gnssReceivers', '/setups/1', '/gnssReceivers/1', '/health', '/ready']) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'] as const) {
      const response = await app.inject({ method: method as 'POST', url, headers: { 'content-type': 'text/csv' }, payload: 'a,b' });
      t.equal(response.statusCode, 405, `${method} ${url}`);
      t.match(headersOf(response.headers), { ...FIXED_HEADERS, allow: 'GET, HEAD, OPTIONS', 'content-type': 'application/problem+json' });
      t.match(response.json(), { type: problemType('method-not-allowed'), status: 405 });
      t.same(violations('Problem', response.json()), []);
    }
  }
});

t.test('HEAD has the header fields of GET and no body', async (t) => {
  const { app, get } = await openService(t, [SAMPLE]);
  for (const url of [`${CURRENT}?id=ALIC`, '/gnssReceivers', '/gnssReceivers?size=0', '/nothing']) {
    const head = await app.inject({ method: 'HEAD', url });
    const { statusCode, headers } = await get(url);
    t.equal(head.statusCode, statusCode, url);
    t.equal(head.body, '');
    t.same(headersOf(head.headers), headersOf(headers));
  }
});

t.test(
  'links start with the configured base URL, or else with the scheme and host of the request; only trusted proxies are believed',
  async (t) => {
    const forwarded = { host: 'inner:8080', 'x-forwarded-host': 'outer.example', 'x-forwarded-proto': 'https' };
    const self = async (options: object, headers: Record<string, string>) => {
      const { get } = await openService(t, [SAMPLE], options);
      const response = await get('/gnssReceivers', headers);
      return response.statusCode === 200 ? response.json<GnssReceiverCollection>()._links.self.href : response.statusCode;
    };
    t.equal(await self({ baseUrl: 'https://gnss.example.org/equipment' }, forwarded), 'https://gnss.example.org/equipment/gnssReceivers');
    t.equal(await self({}, { host: 'inner:8080' }), 'http://inner:8080/gnssReceivers');
    t.equal(await self({}, forwarded), 'http://inner:8080/gnssReceivers');
    t.equal(await self({ trustProxy: true }, forwarded), 'https://outer.example/gnssReceivers');
    t.equal(
      await self({ trustProxy: true }, { ...forwarded, 'x-forwarded-host': 'liar.example, outer.example' }),
      'https://outer.example/gnssReceivers',
    );
    t.equal(await self({ trustProxy: true }, { host: 'inner', forwarded: 'host=evil.example' }), 'http://inner/gnssReceivers');
    t.equal(await self({}, { host: 'inner:99999' }), 400);
    t.equal(await self({ trustProxy: parseTrustProxy('127.0.0.0/8') }, forwarded), 'https://outer.example/gnssReceivers');
    t.equal(await self({ trustProxy: parseTrustProxy('10.0.0.1, 2001:db8::/32') }, forwarded), 'http://inner:8080/gnssReceivers');
    t.equal(await self({ trustProxy: true }, { host: 'inner', 'x-forwarded-host': 'evil"><script>' }), 400);
    t.equal(await self({}, { host: 'evil/path' }), 400);
    t.equal(await self({ trustProxy: true }, { host: 'inner', 'x-forwarded-proto': 'javascript' }), 'http://inner/gnssReceivers');
    for (const wrong of ['10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/8/8', '2001:db8::/129', 'proxy.example', '10.0.0.1,'])
      t.throws(() => parseTrustProxy(wrong), /is not an IP address or network/);
  },
);

t.test('an internal failure is a 500 that reveals nothing and is logged with the id of the request', aboutFiles, async (t) => {
  const lines: string[] = [];
  const { store } = await openService(t, [SAMPLE]);
  const app = await buildApp({
    store,
    contractFolder: CONTRACT,
    logger: { level: 'error', stream: { write: (line: string) => void lines.push(line) } },
  });
  t.teardown(() => app.close());
  // Close the real store, so that every read fails.
  await store.close();
  const response = await app.inject(`${CURRENT}?id=ALIC`);
  t.equal(response.statusCode, 500);
  const problem = response.json<Problem>();
  t.same(violations('Problem', problem), []);
  t.notMatch(response.body, /database|connection|sqlite/i);
  const id = problem.instance!.replace('urn:uuid:', '');
  t.match(JSON.parse(lines[0]!), { reqId: id, err: { message: /database connection is not open/ } });
  t.same(headersOf(response.headers), {
    ...FIXED_HEADERS,
    'content-type': 'application/problem+json',
    'content-length': String(response.rawPayload.length),
  });

  const ready = await app.inject('/ready');
  t.match([ready.statusCode, ready.json()], [503, { type: problemType('not-ready') }]);
  t.same(violations('Problem', ready.json()), []);
  t.equal((await app.inject('/health')).statusCode, 200);
});

t.test(
  'after the file of the database was moved away, everything that needs it is 503, and another file is served',
  aboutFiles,
  async (t) => {
    const { get, database } = await openService(t, [SAMPLE]);
    const current = `${CURRENT}?id=ALIC`;
    t.equal((await get(current)).statusCode, 200);
    renameSync(database, `${database}.away`);
    const ready = await get('/ready');
    t.match([ready.statusCode, ready.json()], [503, { type: problemType('not-ready') }]);
    // The cache looks at the database once per turn of the event loop.
    await setImmediate();
    t.equal((await get(current)).statusCode, 503, 'not even a cached answer');
    t.equal((await get('/sites')).statusCode, 503);
    await importInto(database, []);
    const another = await get('/ready');
    await setImmediate();
    t.match([another.json(), (await get(current)).statusCode], [{ status: 'ready', sites: 0 }, 404]);
  },
);

t.test(
  'without a look at /ready, a replaced, overwritten, truncated or deleted database is noticed within a second',
  aboutFiles,
  async (t) => {
    const { get, database, importText } = await openService(t, [SAMPLE]);
    const soon = () => new Promise((resolve) => setTimeout(resolve, 700));
    const current = `${CURRENT}?id=ALIC`;
    const status = async () => (await get(current)).statusCode;
    const backup = readFileSync(database);
    await importText({ id: 'AAAA', receivers: [{ type: 'R0', serial: '1', from: '2001-01-01' }] });
    t.equal((await get(`${CURRENT}?id=AAAA`)).statusCode, 200);
    writeFileSync(database, backup);
    await soon();
    t.same([await status(), (await get(`${CURRENT}?id=AAAA`)).statusCode], [200, 404], 'restored over');
    truncateSync(database, 8192);
    await soon();
    t.equal(await status(), 503, 'truncated');
    t.equal((await get('/setups?size=1000')).statusCode, 503);
    writeFileSync(database, 'not a database');
    await soon();
    t.equal(await status(), 503, 'overwritten with something else');
    writeFileSync(database, backup);
    await soon();
    t.equal(await status(), 200, 'good again');
    rmSync(database);
    await soon();
    t.equal(await status(), 503, 'deleted');
  },
);

t.test('an outage of the database is one line of the log', aboutFiles, async (t) => {
  const lines: string[] = [];
  const { get, database } = await openService(t, [SAMPLE], { logger: { level: 'error', stream: { write: (line) => lines.push(line) } } });
  renameSync(database, `${database}.away`);
  for (const path of ['/ready', '/sites', `${CURRENT}?id=ALIC`, '/ready']) t.equal((await get(path)).statusCode, 503, path);
  t.equal(lines.length, 1);
  t.match(lines[0], /does not exist/);
});

t.test('a page with too much text is refused with the size that fits', async (t) => {
  const { get, database } = await openService(t, [SAMPLE]);
  const begin = '[{"content":{"id":{"type":"';
  await rawDatabase(database).exec(
    `UPDATE setup SET equipment_in_use = replace(equipment_in_use, '${begin}', '${begin}${'x'.repeat(1_000_000)}')`,
  );
  const refused = await get('/setups?size=1000');
  t.match([refused.statusCode, refused.json()], [400, { invalidParameters: [{ name: 'size', value: '1000' }] }]);
  const { allowed } = refused.json<{ invalidParameters: [{ allowed: string }] }>().invalidParameters[0];
  const size = Number(/At most (\d+)/.exec(allowed)![1]);
  t.equal(size, 8);
  const page = await get(`/setups?size=${size}`);
  t.equal(page.statusCode, 200);
  t.ok(page.rawPayload.length < 9 * 1024 ** 2);
  t.equal((await get('/setups/1')).statusCode, 200);
});

t.test('if the elements have too many installations, the size that fits counts elements, in their order', async (t) => {
  // The first Site of a page was imported last.
  const { get, database } = await openService(
    t,
    readdirSync(SAMPLE)
      .reverse()
      .map((name) => join(SAMPLE, name)),
  );
  const enlarge = (length: number, fourCharacterId: string): Promise<unknown> =>
    rawDatabase(database).exec(
      `UPDATE installation SET configuration = replace(configuration, '{', '{"x":"${'x'.repeat(length)}",')
       WHERE site_id IN (SELECT id FROM site WHERE four_character_id LIKE '${fourCharacterId}')`,
    );
  const sizeThatFits = async (url: string): Promise<number> => {
    const { allowed } = (await get(`${url}&size=1000`)).json<{ invalidParameters: [{ allowed: string }] }>().invalidParameters[0];
    return Number(/At most (\d+)/.exec(allowed)![1]);
  };
  const byEquipment = '/corsSites/search/findByEquipment?type=*';
  await enlarge(300_000, '%');
  for (const url of [byEquipment, '/equipment?projection=installations']) {
    const fits = await sizeThatFits(url);
    t.equal((await get(`${url}&size=${fits}`)).statusCode, 200, `${url}: ${fits}`);
    t.equal((await get(`${url}&size=${fits + 1}`)).statusCode, 400, `${url}: ${fits + 1}`);
  }
  await enlarge(800_000, 'ALIC');
  t.equal(await sizeThatFits(byEquipment), 1);
  t.equal((await get(`${byEquipment}&size=1`)).statusCode, 200, 'a single Site may have more');
});

t.test('GET /health and GET /ready', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  const health = await get('/health');
  t.same(health.json(), { status: 'up' });
  t.same(violations('Health', health.json()), []);
  const ready = await get('/ready');
  t.match(ready.json(), {
    status: 'ready',
    migration: MIGRATIONS.length,
    sites: 8,
    lastImport: { finishedAt: /^2\d{3}-/, saved: 8, unchanged: 0, outdated: 0, rejected: 0, skipped: 0 },
    newestLog: { datePrepared: /^20/, ageInDays: Number },
  });
  t.same(violations('Readiness', ready.json()), []);
  t.match(headersOf(ready.headers), { ...FIXED_HEADERS, 'content-type': 'application/json;charset=UTF-8' });
});

t.test('GET /ready has the last import, even if it saved nothing, and the age of the newest current log', async (t) => {
  let now = '2021-03-02T00:00:00Z';
  const { get, importText, importPaths, database } = await openService(t, [], { clock: () => new Date(now) });
  const ready = async (): Promise<Record<string, unknown>> => {
    const { statusCode, body } = await get('/ready');
    t.equal(statusCode, 200);
    t.same(violations('Readiness', JSON.parse(body)), []);
    return JSON.parse(body) as Record<string, unknown>;
  };
  const noFiles = { saved: 0, unchanged: 0, outdated: 0, rejected: 0, skipped: 0 };
  t.match(await ready(), { lastImport: null, newestLog: null });
  const at = (day: string): Date => new Date(`${day}T01:02:03.999Z`);
  await importText({ prepared: '2021-03-01' }, 'test_20210301.log', at('2021-03-01'));
  t.match(await ready(), {
    lastImport: { ...noFiles, finishedAt: '2021-03-01T01:02:03Z', saved: 1 },
    newestLog: { datePrepared: '2021-03-01', ageInDays: 1 },
  });
  await importText({ prepared: '2021-03-01' }, 'test_20210301.log', at('2021-03-02'));
  t.match(await ready(), { lastImport: { ...noFiles, finishedAt: '2021-03-02T01:02:03Z', unchanged: 1 } });
  await importText({ prepared: '2020-03-01' }, 'old.log', at('2021-03-03'));
  t.match(await ready(), { lastImport: { ...noFiles, finishedAt: '2021-03-03T01:02:03Z', outdated: 1 } });
  await importText('Site log of\nnobody', 'bad.log', at('2021-03-04'));
  t.match(await ready(), { lastImport: { ...noFiles, finishedAt: '2021-03-04T01:02:03Z', rejected: 1 } });
  const dry = await openWriter(database, { dryRun: true });
  await dry.saveLastImport({ ...noFiles, finishedAt: '2021-03-05T01:02:03Z' });
  await dry.close();
  t.match(await ready(), { lastImport: { finishedAt: '2021-03-04T01:02:03Z' } }, 'a dry run does not count');
  // The age changes at midnight. A log dated tomorrow is from another time zone; a later date is not trusted.
  const ages: [string, number | undefined][] = [
    ['2021-02-28T23:59:59Z', 0],
    ['2021-02-27T23:59:59Z', undefined],
    ['2021-03-01T23:59:59Z', 0],
    ['2021-03-03T23:59:59Z', 2],
    ['2021-03-04T00:00:00Z', 3],
  ];
  for (const [instant, age] of ages) {
    now = instant;
    const { newestLog } = (await ready()) as { newestLog: { ageInDays: number } | null };
    t.equal(newestLog?.ageInDays, age, instant);
  }
  await importPaths([SAMPLE], at('2021-03-06'));
  t.match(await ready(), { lastImport: { ...noFiles, saved: 8 } });
  mkdirSync(join(t.testdirName, 'empty'));
  await importPaths([join(t.testdirName, 'empty')], at('2021-03-07'));
  t.match(await ready(), { lastImport: { ...noFiles, saved: 8 } }, 'an import of no files does not count');
});

t.test('cached answers equal the first answer to the byte, until an import', async (t) => {
  const { app, importText } = await openService(t, [SAMPLE]);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const ask = (path: string, method = 'GET', host = 'gnss.example.org') =>
    new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, method, headers: { host } }, (response) => {
        let body = '';
        response
          .on('data', (chunk) => (body += chunk))
          .on('end', () => resolve({ status: response.statusCode!, headers: headersOf(response.headers), body }));
      })
        .on('error', reject)
        .end();
    });
  for (const path of [
    `${CURRENT}?id=ALIC`,
    '/gnssReceivers?type=TRIMBLE%20NETRS',
    '/',
    '/profile/setups',
    '/health',
    `${CURRENT}?id=XXXX`,
    '/setups/1?x=1',
  ]) {
    const first = await ask(path);
    t.same(await ask(path), first, path);
    t.same(await ask(path), first, path);
    t.same(await ask(path, 'HEAD'), { ...first, body: '' }, `HEAD ${path}`);
    t.match(first.headers, FIXED_HEADERS, path);
    t.equal(Object.keys(first.headers).length, 9, path);
    t.match((await ask(path, 'DELETE')).status, 405, `DELETE ${path}`);
  }
  t.match(
    (await ask(`${CURRENT}?id=ALIC`, 'GET', 'other.example.org')).body,
    /http:\/\/other\.example\.org\/setups/,
    'another host, other links',
  );
  t.equal((await ask(`${CURRENT}?id=TEST`)).status, 404);
  for (const [prepared, type] of [
    ['2001-01-01', 'R0'],
    ['2002-01-01', 'R1'],
    ['2003-01-01', 'R2'],
  ] as const) {
    await importText({ prepared, receivers: [{ type, serial: '1', from: '2001-01-01' }] });
    for (const _ of [1, 2])
      t.match(JSON.parse((await ask(`${CURRENT}?id=TEST`)).body), { equipmentInUse: [{ content: { id: { type } } }] });
    t.equal(JSON.parse((await ask('/ready')).body).sites, 9);
  }
});

/** Sends bytes on a connection of their own and returns all that comes back until the service closes it. */
const exchange = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answers = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket
      .on('data', (chunk) => (answers += chunk))
      .on('close', () => resolve(answers))
      .on('error', reject);
  });

t.test('malformed HTTP is answered with a problem document and the fixed header fields', async (t) => {
  const { app } = await openService(t, [SAMPLE]);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const cases: [string, number][] = [
    ['FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    ['GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    [`GET /health HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['GET /health HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n', 200],
    ['GET /gnssReceivers HTTP/1.0\r\n\r\n', 200],
  ];
  for (const [bytes, status] of cases) {
    const [head, body] = (await exchange(port, bytes)).split('\r\n\r\n') as [string, string];
    const [statusLine, ...fields] = head.split('\r\n');
    const named = bytes.slice(0, 60);
    t.match(statusLine, new RegExp(`^HTTP/1.1 ${status} `), named);
    const headers = Object.fromEntries(
      fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]),
    );
    t.match(headersOf(headers), { ...FIXED_HEADERS, 'content-length': String(Buffer.byteLength(body)) }, named);
    t.equal(Object.keys(headersOf(headers)).length, 9, named);
    if (status >= 400) {
      t.equal(headers['content-type'], 'application/problem+json', named);
      t.same(violations('Problem', JSON.parse(body)), [], named);
    }
  }
  const head = await exchange(port, 'HEAD /\xe9 HTTP/1.1\r\nHost: a\r\n\r\n');
  t.match(head, /^HTTP\/1.1 400 .*\r\n\r\n$/s, 'the answer to a HEAD request has no body');
});

t.test('malformed HTTP breaks off a streamed answer, but is refused after the end of one', async (t) => {
  const { app } = await openService(t, [SAMPLE]);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  /** Asks for answers of which the last is streamed, and sends malformed bytes once they have reached this point. */
  const interrupt = (when: RegExp, targets = ['/siteLogs']): Promise<string> =>
    new Promise((resolve, reject) => {
      let answers = '';
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')),
      );
      let isSent = false;
      socket
        .on('data', (chunk) => {
          answers += chunk;
          if (isSent || !when.test(answers)) return;
          isSent = true;
          socket.write('malformed\r\n\r\n');
        })
        .on('close', () => resolve(answers))
        .on('error', reject);
    });
  const brokenOff = await interrupt(/^HTTP\/1\.1 200 OK/);
  t.notMatch(brokenOff, '\r\n0\r\n\r\n');
  t.notMatch(brokenOff, 'HTTP/1.1 400', 'no refusal inside the answer');
  for (const first of ['/health', '/siteLogs?size=1']) {
    const pipelined = await interrupt(/HTTP\/1\.1 200 OK[^]*HTTP\/1\.1 200 OK/, [first, '/siteLogs']);
    t.notMatch(pipelined, 'HTTP/1.1 400', `nor if it waited for ${first}`);
  }
  t.match(await interrupt(/\r\n0\r\n\r\n$/), /\r\n0\r\n\r\nHTTP\/1\.1 400 Bad Request\r\n/);
});

t.test('a client that expects 100 Continue gets its answer at once, even behind a request that is not answered yet', async (t) => {
  const { app } = await openService(t, [SAMPLE]);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const expecting = (target: string) => `${target} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n`;
  // Node.js writes its "100 Continue" between the head and the body of an answer that waits for the one before.
  const answers = await exchange(port, `GET /setups?size=1000 HTTP/1.1\r\nHost: a\r\n\r\n${expecting('GET /setups/1')}\r\n`);
  t.same(answers.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 200', 'HTTP/1.1 200']);
  t.match(await exchange(port, `${expecting('GET /setups/1')}\r\n`), /^HTTP\/1\.1 200 OK\r\n/);
  t.match(
    await exchange(port, `${expecting('POST /setups')}Content-Length: 1000\r\n\r\n`),
    /^HTTP\/1\.1 405 /,
    'without waiting for the content',
  );
});
