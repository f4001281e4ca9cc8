import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { SiteLogResource } from '../../schemas/index.js';
import { buildApp } from '../../src/http/app.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { FIXED_HEADERS } from '../fixed-headers.js';
import { CONTRACT, SAMPLE } from '../project-files.js';
import { workFor } from '../turns.js';
import { openService, type Service } from '../service.js';
import { logText } from '../synthetic-log.js';
import { rawDatabase } from '../raw-database.js';
import { correct, elementsIn, HAL, type Paged, read, refused } from './answers.js';

type Site = { id: number; _links: Record<'self' | 'siteLog' | 'siteLogs', { href: string }> };

const SEARCH = '/siteLogs/search/findByFourCharacterId';
const XML = 'application/xml';
const TEXT = 'text/plain;charset=UTF-8';
const JSON_TYPE = 'application/json';

/** A log with a contact whose name a remark repeats. */
const withContact = (id: string): string =>
  `${logText({ id, receivers: [{ type: 'R', serial: '1', from: '2001-01-01', more: { 'Additional Information': 'ask Ada Fictitious' } }] })}
11.  On-Site, Point of Contact Agency Information
     Agency                   : Fictitious Agency
     Primary Contact
       Contact Name           : Ada Fictitious
       Telephone (primary)    : +61 2 5550 1234
       E-mail                 : ada@agency.example
`;
const CONTACT = /Ada Fictitious|5550 1234|ada@agency/;

let service: Service;
/** The same database, with contacts published. */
let publishing: Service;
/** A page of logs; a log of a Site; what is refused about it. Each is valid against its schema. */
const page = (query = '') =>
  read<Paged<SiteLogResource>>(t, service, 'SiteLogCollection', `/siteLogs?${query}`);
const logsOf = async (query: string): Promise<SiteLogResource[]> => elementsIn(await page(query));
const logOf = (id: string, more = '') =>
  read<SiteLogResource>(t, service, 'SiteLog', `${SEARCH}?id=${id}${more}`);
const textOf = async (id: string, format: string): Promise<string> =>
  (await service.get(`${SEARCH}?id=${id}&format=${format}`)).body;
const sitesOf = async (query: string): Promise<Site[]> =>
  elementsIn((await service.get(`/corsSites?${query}`)).json<Paged<Site>>());

t.before(async () => {
  service = await openService(t, [SAMPLE]);
  // Three versions of a log of one Site, of which the last is current; and a Site that has a
  // contact.
  for (const year of [2003, 2001, 2002]) {
    const receivers = [{ type: 'R', serial: '1', from: '2001-01-01' }];
    await service.importText(
      { id: 'VERS', prepared: `${year}-06-15`, receivers },
      `vers_${year}.log`,
    );
  }
  await service.importText(withContact('CONT'), 'cont_20200101.log');
  const app = await buildApp({
    store: service.store,
    contractFolder: CONTRACT,
    publishContacts: true,
  });
  t.teardown(() => app.close());
  publishing = { ...service, app, get: (url, headers = {}) => app.inject({ url, headers }) };
});

t.test('GET /siteLogs: one element per Site, its current log, valid by the schema', async (t) => {
  const response = await service.get('/siteLogs?size=1000');
  t.match(
    [response.statusCode, response.headers['content-type'], response.headers['content-length']],
    [200, HAL, String(response.rawPayload.length)],
  );
  const body = await page('size=1000');
  const sites = await sitesOf('size=1000');
  const linked = elementsIn(body).map(({ _links }) => _links.corsSite.href);
  t.same(
    linked,
    sites.map(({ _links }) => _links.self.href),
  );
  t.equal(body.page.totalElements, sites.length);
  t.ok(elementsIn(body).every(({ current }) => current));
  t.ok((await logsOf('size=1000&projection=written')).every((log) => log.written !== undefined));
});

t.test('GET /siteLogs: members have the names and values of the reference', async (t) => {
  const [alice] = await logsOf('fourCharacterId=ALIC');
  t.match(alice, {
    name: 'alic_20170223.log',
    form: 'IGS site log 1',
    datePrepared: '2017-02-23',
    sha256: null,
    formInformation: { datePrepared: '2017-02-23', reportType: 'UPDATE' },
    siteIdentification: {
      siteName: 'Alice Springs AU012',
      fourCharacterId: 'ALIC',
      nineCharacterId: null,
      iersDOMESNumber: '50137M001',
      heightOfMonument: 0.5,
      foundationDepth: null,
      dateInstalled: '1992-08-12T00:00:00Z',
    },
    siteLocation: {
      city: 'Alice Springs',
      country: 'Australia',
      countryCode: 'AUS',
      tectonicPlate: 'AUSTRALIAN',
      approximatePosition: {
        cartesianPosition: { x: -4052051.767, y: 4212836.215, z: -2545106.027 },
        geodeticPosition: { latitude: -23.670125, longitude: 133.88551389, elevation: 603.4 },
      },
    },
    frequencyStandards: [
      {
        type: 'INTERNAL',
        inputFrequency: null,
        effectiveDates: { from: '1994-05-15T00:00:00Z', to: null },
      },
    ],
    responsibleParties: [{ role: 'siteContact', organisation: 'Geoscience Australia' }],
    moreInformation: [],
  });
  const dated = {
    dateInstalled: '2011-07-20T00:00:00Z',
    dateRemoved: null,
    effectiveDates: { from: '2011-07-20T00:00:00Z', to: null },
  };
  const eccentricities = { markerArpUpEcc: 0.0015, markerArpNorthEcc: 0, markerArpEastEcc: 0 };
  t.match(alice!.gnssAntennas.at(-1), { ...eccentricities, antennaRadomeType: 'NONE', ...dated });
  const [receiver] = alice!.gnssReceivers;
  t.same(receiver!.effectiveDates, { from: receiver!.dateInstalled, to: receiver!.dateRemoved });
  t.equal(alice!.gnssReceivers.at(-1)!.dateRemoved, null);
  const { written } = await read<SiteLogResource>(
    t,
    service,
    'SiteLog',
    `/siteLogs/${alice!.id}?projection=written`,
  );
  t.same(written!.siteIdentification.siteName, {
    written: 'Alice Springs AU012',
    value: 'Alice Springs AU012',
    line: 14,
  });
  t.equal(written!.siteIdentification.foundationDepth, null);
  // GeodesyML logs contain the country code.
  const siteLocation = { country: 'ZAF', countryCode: 'ZAF', countryName: 'South Africa' };
  const mafikeng = {
    form: 'GeodesyML 0.4',
    siteIdentification: { nineCharacterId: 'MFKG00ZAF' },
    siteLocation,
  };
  t.match(await logsOf('fourCharacterId=MFKG'), [mafikeng]);
  t.match(await logsOf('fourCharacterId=BOR1'), [
    { siteLocation: { country: 'POL', countryName: 'Poland' } },
  ]);
  t.match(await logsOf('fourCharacterId=HOUZ'), [{ siteLocation: { countryCode: 'GLP' } }]);
});

t.test(
  'GET /siteLogs: members of ties, collocation and sensors have the names of the reference',
  async (t) => {
    await service.importText(
      `${logText({ id: 'NAME', antennas: [{ type: 'A', serial: '1' }] })}
5.   Surveyed Local Ties
5.1  Tied Marker Name         : PILLAR 2
     Tied Marker CDP Number   : 7001
     Tied Marker DOMES Number : 50137M002
     Differential Components from GNSS Marker to the tied monument (ITRS)
       dx (m)                 : 1.5
       dy (m)                 : -2
     Accuracy (mm)            : 3
7.   Collocation Information
7.1  Instrumentation Type     : VLBI
8.   Meteorological Instrumentation
8.1.1  Humidity Sensor Model  : H
       Accuracy (% rel h)     : 1
8.2.1  Pressure Sensor Model  : P
       Accuracy               : 0.1
8.3.1  Temp. Sensor Model     : T
       Accuracy               : 0.2
`,
      'name_20200101.log',
    );
    const [log] = await logsOf('fourCharacterId=NAME&projection=written');
    t.match(log, {
      gnssAntennas: [{ dateInstalled: null, effectiveDates: { from: null, to: null } }],
      surveyedLocalTies: [
        {
          tiedMarkerName: 'PILLAR 2',
          tiedMarkerCdpNumber: '7001',
          tiedMarkerDomesNumber: '50137M002',
          differentialFromMarker: { dx: 1.5, dy: -2, dz: null },
          localSiteTieAccuracy: 3,
        },
      ],
      collocationInformation: [{ instrumentType: 'VLBI' }],
      humiditySensors: [{ accuracyPercentRelativeHumidity: 1 }],
      pressureSensors: [{ accuracyHPa: 0.1 }],
      temperatureSensors: [{ accuracyDegreesCelcius: 0.2 }],
      written: {
        surveyedLocalTies: [{ localSiteTieAccuracy: { value: 3 } }],
        pressureSensors: [{ accuracyHPa: { value: 0.1 } }],
      },
    });
    t.notOk('dx' in log!.surveyedLocalTies[0]!);
  },
);

t.test(
  'GET /siteLogs filters, sorts and pages logs by the properties of their Sites, as /corsSites does',
  async (t) => {
    for (const query of [
      'sort=location.city,desc&size=3',
      'sort=location.city&size=2&page=1',
      'q=alice',
      'near=52.3,17.1&radius=3000',
      'bbox=110,-45,155,-10',
      'countryCode=pol&countryCode=aus',
      'domesNumber=50137M001',
      'fourCharacterId=ALIC&fourCharacterId=NAMA&sort=location.state,desc',
      'fourCharacterId=NONE',
      'page=99',
    ]) {
      const logs = await page(query);
      const sites = (await service.get(`/corsSites?${query}`)).json<Paged<Site>>();
      const linked = elementsIn(logs).map(({ _links }) => _links.corsSite.href);
      t.same(
        [linked, logs.page],
        [elementsIn(sites).map(({ _links }) => _links.self.href), sites.page],
        query,
      );
    }
    t.equal((await page('size=2000')).page.size, 1000);
    t.match(
      (await page('size=2&projection=written&q=a'))._links.next!.href,
      /\/siteLogs\?q=a&page=1&size=2&projection=written$/,
    );
    for (const query of ['radius=1', 'bbox=1', 'projection=site', 'size=0', 'siteName=x']) {
      t.equal((await service.get(`/siteLogs?${query}`)).statusCode, 400, query);
    }
    t.match(await service.app.inject({ method: 'HEAD', url: '/siteLogs' }), {
      statusCode: 200,
      body: '',
      headers: { 'content-type': HAL },
    });
  },
);

t.test('GET /siteLogs filters and sorts logs by their own properties', async (t) => {
  const all = await logsOf('size=1000');
  const idsOf = (logs: { id: number }[]): number[] => logs.map(({ id }) => id);
  for (const name of ['id', 'name', 'form', 'datePrepared', 'importedAt'] as const) {
    const { [name]: value } = all[3]!;
    if (name !== 'importedAt') {
      const found = await logsOf(`${name}=${encodeURIComponent(value!)}`);
      t.same(idsOf(found), idsOf(all.filter((log) => log[name] === value)), name);
    }
    const sorted = (await logsOf(`sort=${name},desc&size=1000`)).map((log) => log[name]!);
    const inOrder = sorted.toSorted((a, b) => Number(a < b) - Number(a > b));
    t.same(sorted, inOrder, `sort=${name}`);
  }
  for (const query of [
    `sha256=${createHash('sha256').update('x').digest('hex')}`,
    'sort=sha256',
    'sort=sha256,desc',
  ]) {
    for (const each of [service, publishing]) {
      const { invalidParameters } = await refused(
        t,
        each,
        `/siteLogs?${query}`,
        400,
        'invalid-parameter',
      );
      t.match(invalidParameters, [{ name: query.split('=')[0] }], query);
      t.notMatch(invalidParameters![0]!.allowed, 'sha256');
    }
  }
  const { id: contact } = await logOf('CONT');
  t.not((await sitesOf('fourCharacterId=CONT'))[0]!.id, contact, 'ids of logs, not of Sites');
  const { id, name } = all.find(
    ({ siteIdentification }) => siteIdentification.fourCharacterId === 'ALIC',
  )!;
  for (const [query, ids] of [
    [`id=${contact}&id=${all[0]!.id}&sort=id,desc`, [contact, all[0]!.id]],
    [`q=alice&name=${all[1]!.name}`, []],
    [`q=alice&name=${name}`, [id]],
    [`near=-23,134&radius=300&sort=name&name=${name}`, [id]],
  ] as const)
    t.same(idsOf(await logsOf(query)), ids, query);
});

t.test('GET /siteLogs has a Content-Length, and pages of at most 8 MiB', async (t) => {
  const large = await openService(t);
  const notes = { 'Additional Information': 'é'.repeat(20_000) };
  const receivers = Array.from({ length: 40 }, (_, number) => ({
    type: 'R',
    serial: String(number),
    from: `20${10 + number}-01-01`,
    more: notes,
  }));
  const importEach = async (...ids: string[]): Promise<void> => {
    for (const id of ids) await large.importText({ id, receivers }, `${id}.log`);
  };
  await importEach('AAAA', 'BBBB', 'CCCC', 'DDDD');
  const most = 8 * 1024 ** 2;
  const sizeOf = async (query: string): Promise<number> => {
    const { statusCode, headers, rawPayload } = await large.get(`/siteLogs?${query}`);
    t.equal(statusCode, 200, query);
    t.equal(headers['content-length'], String(rawPayload.length), query);
    return rawPayload.length;
  };
  t.ok((await sizeOf('size=4')) < most);
  const single = await sizeOf('size=1&projection=written');
  t.ok(single < most && 2 * single > most, `${single} bytes`);
  const pageOf = async (query: string) => {
    const { body } = await large.get(`/siteLogs?projection=written&${query}`);
    const found = JSON.parse(body) as Paged<SiteLogResource>;
    const ids = elementsIn(found).map(({ id }) => id);
    return { page: found.page, ids, next: found._links.next?.href ?? null };
  };
  const [one, two] = [await pageOf('size=4'), await pageOf('size=4&page=1')];
  t.same(one.page, { size: 1, totalElements: 4, totalPages: 4, number: 0 });
  t.match(one.next, /[?&]page=1&size=1&projection=written$/);
  t.same([...one.ids, ...two.ids], [1, 2]);
  t.same((await pageOf('size=4&fourCharacterId=DDDD')).page.size, 4, 'there is only one');
  await large.importText({ id: 'AAAA', prepared: '2021-01-01' }, 'aaaa.log');
  // Now the first two fit on a page, and the others do not.
  t.same((await pageOf('size=2&fourCharacterId=AAAA&fourCharacterId=BBBB')).page.size, 2);
  t.same((await pageOf('size=2')).page.size, 1);
  await importEach('EEEE', 'FFFF', 'GGGG');
  t.ok((await sizeOf('size=1000')) < most, 'seven logs are more');
  const all = await large.get('/siteLogs?size=1000&page=1');
  t.same(all.json<Paged<SiteLogResource>>().page, {
    size: 4,
    totalElements: 7,
    totalPages: 2,
    number: 1,
  });
});

t.test('GET /siteLogs lets other requests run between two logs that it reads again', async (t) => {
  const { database, get, store } = await openService(t, [SAMPLE]);
  await rawDatabase(database).exec("UPDATE published_log SET version = 0, content = ''");
  const { publishedLogs } = store;
  const storedLog = publishedLogs['storedLog'].bind(publishedLogs);
  publishedLogs['storedLog'] = (id) => {
    workFor(10);
    return storedLog(id);
  };
  let turns = 0;
  let running = true;
  const count = (): void => {
    turns++;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  const { page: found } = (await get('/siteLogs?size=1000')).json<Paged<SiteLogResource>>();
  running = false;
  t.ok(turns >= found.totalElements, `${turns} turns`);
});

t.test('format, version and Accept choose the form of a log', async (t) => {
  for (const url of [`/siteLogs/${(await logOf('ALIC')).id}?`, `${SEARCH}?id=alic&`]) {
    for (const [query, accept, type, beginning] of [
      ['', undefined, HAL, /^\{"id":/],
      ['', '*/*', HAL, /^\{"id":/],
      ['', 'application/xml', XML, /egeodesy:0\.5"/],
      ['', 'text/xml, */*;q=0.1', XML, /egeodesy:0\.5"/],
      ['', 'text/plain', TEXT, /\(site log\)/],
      ['', 'text/plain, application/xml', XML, /egeodesy:0\.5"/],
      ['', 'text/plain, application/xml;q=0.9', TEXT, /\(site log\)/],
      [
        '',
        'text/plain;q=0.5, application/xml;q=0.4, application/json;q=0.5',
        JSON_TYPE,
        /^\{"id":/,
      ],
      ['', 'application/xml;q=0.5, application/json', JSON_TYPE, /^\{"id":/],
      ['', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', HAL, /^\{"id":/],
      ['', 'application/hal+json', HAL, /^\{"id":/],
      ['', 'application/hal+json, application/json', HAL, /^\{"id":/],
      ['', 'application/hal+json;q=0.5, application/json', JSON_TYPE, /^\{"id":/],
      ['', 'application/json', JSON_TYPE, /^\{"id":/],
      ['', 'application/json, text/plain, */*', JSON_TYPE, /^\{"id":/],
      ['format=json', undefined, JSON_TYPE, /^\{"id":/],
      ['format=json', 'application/xml', JSON_TYPE, /^\{"id":/],
      ['format=json&projection=datePrepared', undefined, JSON_TYPE, /^\{"fourCharacterId":"ALIC",/],
      ['projection=datePrepared', undefined, HAL, /^\{"fourCharacterId":"ALIC",/],
      ['format=geodesyml', undefined, XML, /egeodesy:0\.5"/],
      ['format=geodesyml', 'application/json', XML, /egeodesy:0\.5"/],
      ['version=0.4', 'application/xml', XML, /egeodesy:0\.4"/],
      ['format=geodesyml&version=0.4', undefined, XML, /egeodesy:0\.4"/],
      ['format=geodesyml&version=0.5', undefined, XML, /egeodesy:0\.5"/],
      ['version=0.5', 'application/xml', XML, /egeodesy:0\.5"/],
      ['format=geodesyml&version=0.6', undefined, XML, /egeodesy:0\.6"/],
      ['format=text', undefined, TEXT, /\(site log\)/],
      ['format=text&version=1', undefined, TEXT, /^ *ALIC Site Information Form \(site log\)/],
    ] as const) {
      const { statusCode, headers, body, rawPayload } = await service.get(
        url + query,
        accept === undefined ? {} : { accept },
      );
      const fields = {
        ...FIXED_HEADERS,
        'content-type': type,
        'content-length': String(rawPayload.length),
      };
      t.match([statusCode, headers, body], [200, fields, beginning], `${url}${query} ${accept}`);
    }
    for (const [query, accept, name] of [
      ['format=xml', undefined, 'format'],
      ['version=0.6', undefined, 'version'],
      ['version=0.4', undefined, 'version'],
      ['version=0.4', 'text/plain', 'version'],
      ['format=geodesyml&version=1', undefined, 'version'],
      ['format=geodesyml&version=2', undefined, 'version'],
      ['format=text&version=0.5', undefined, 'version'],
      ['format=geodesyml&version=0.7', undefined, 'version'],
      ['format=text&version=2.0', undefined, 'version'],
      ['format=text&projection=written', undefined, 'projection'],
      ['projection=written', 'application/xml', 'projection'],
      ['projection=datePrepared&format=text', undefined, 'projection'],
    ] as const) {
      const response = await service.get(url + query, accept === undefined ? {} : { accept });
      t.match(
        [response.statusCode, response.json()],
        [400, { invalidParameters: [{ name }] }],
        `${url}${query} ${accept}`,
      );
    }
  }
  const { _links } = await logOf('BOR1');
  const forms = {
    text1: /\(site log\)/,
    text2: /v2\.0/,
    geodesyml04: /:0\.4"/,
    geodesyml05: /:0\.5"/,
    geodesyml06: /:0\.6"/,
  };
  for (const [name, beginning] of Object.entries(forms))
    t.match((await service.get(_links[name as 'text1'].href)).body, beginning, name);
  t.match(await textOf('BOR1', 'text'), /site log v2\.0/, 'the default');
});

t.test(
  'version 2.0 of the text form needs nine characters: those of the log, or of its Site',
  async (t) => {
    /** The links to version 2.0 of the current log, and of all logs of its Site. */
    const linksOf = async (): Promise<(string | undefined)[]> => {
      const { _links } = await logOf('NINE');
      const { _embedded } = (await service.get(_links.siteLogs.href)).json<
        Paged<SiteLogResource>
      >();
      return [_links, ..._embedded.siteLogs!.map((log) => log._links)].map(
        ({ text2 }) => text2?.href,
      );
    };
    await service.importText({ id: 'NINE' }, 'nine_20200101.log');
    const { invalidParameters } = await refused(
      t,
      service,
      `${SEARCH}?id=NINE&format=text&version=2.0`,
      400,
      'invalid-parameter',
    );
    const reason = 'needs a nine-character id, which this site log does not have';
    t.same(invalidParameters, [{ name: 'version', value: '2.0', reason, allowed: '1.' }]);
    t.same(await linksOf(), [undefined, undefined]);
    await service.importText(
      logText({ id: 'NINE00TES', prepared: '2021-01-01' }),
      'nine_20210101.log',
    );
    await service.importText({ id: 'NINE', prepared: '2022-01-01' }, 'nine_20220101.log');
    const body = await textOf('NINE', 'text&version=2.0');
    t.match(
      body,
      /NINE00TES Site Information Form \(site log v2\.0\)\n[^]*Nine Character ID +: NINE00TES\n/,
    );
    t.equal(await textOf('NINE', 'text&version=2'), body, 'version=2 is 2.0');
    const versions = (await linksOf()).map((href) => href?.slice(-11));
    t.same(versions, Array(4).fill('version=2.0'));
    t.match((await service.get('/sites/NINE/log')).body, /Text form, version 2\.0/);
  },
);

t.test('projection=datePrepared gives when a log was prepared and imported', async (t) => {
  const { id, datePrepared, importedAt, _links } = await logOf('ALIC');
  const expected = { fourCharacterId: 'ALIC', datePrepared, lastModifiedDate: importedAt, _links };
  for (const url of [`/siteLogs/${id}?`, `${SEARCH}?id=alic&`, `${SEARCH}?id=alic&at=2018-01-01&`])
    t.strictSame(await read(t, service, 'SiteLog', `${url}projection=datePrepared`), expected, url);
  const all = await page('projection=datePrepared&size=5&sort=fourCharacterId');
  t.strictSame(elementsIn(all)[0], expected);
  t.match(all._links.next!.href, /projection=datePrepared$/);
  t.same(await logsOf('projection=datePrepared&page=99'), []);
});

t.test('at= finds the log that was in force, on both sides of each Date Prepared', async (t) => {
  for (const [at, name] of [
    ['2001-06-15', 'vers_2001.log'],
    ['2002-06-14T23:59:59Z', 'vers_2001.log'],
    ['2002-06-15T00:00:00Z', 'vers_2002.log'],
    ['2003-06-15T01:00:00+02:00', 'vers_2002.log'],
    ['2003-06-15', 'vers_2003.log'],
    ['2030-01-01', 'vers_2003.log'],
  ] as const) {
    t.equal((await logOf('VERS', `&at=${encodeURIComponent(at)}`)).name, name, at);
  }
  const { detail } = await refused(
    t,
    service,
    `${SEARCH}?id=VERS&at=2001-06-14T23:59:59Z`,
    404,
    'before-first-log',
  );
  t.equal(
    detail,
    'VERS had no site log on 2001-06-14: the earliest site log was prepared on 2001-06-15.',
  );
  t.match((await service.get(`${SEARCH}?id=VERS&at=2001-02-30`)).json(), {
    invalidParameters: [{ name: 'at' }],
  });
  t.match(await textOf('VERS', 'text&at=2002-06-15'), /Date Prepared +: 2002-06-15/);
  t.equal((await logOf('VERS')).name, 'vers_2003.log');
  await service.importText(logText({ id: 'NODA' }).replace(/^.*Date Prepared.*$/m, ''), 'noda.log');
  t.match((await service.get(`${SEARCH}?id=NODA&at=2030-01-01`)).json(), {
    detail: /no site log has a Date Prepared/,
  });
  await refused(t, service, `${SEARCH}?id=XXXX`, 404, 'unknown-site');
});

t.test(
  'GET /corsSites/{id}/siteLogs lists all logs, the newest first; each can be requested by its id',
  async (t) => {
    const [site] = await sitesOf('fourCharacterId=VERS');
    const logs = elementsIn(
      await read<Paged<SiteLogResource>>(t, service, 'SiteLogList', site!._links.siteLogs.href),
    );
    const listed = logs.map(({ name, current }) => `${name} ${current}`);
    t.same(listed, ['vers_2003.log true', 'vers_2002.log false', 'vers_2001.log false']);
    for (const { id, name, current, _links } of logs) {
      const log = await read(t, service, 'SiteLog', _links.self.href);
      t.match(log, { id, name, current, datePrepared: `${name.slice(5, 9)}-06-15` });
    }
    for (const url of [
      '/corsSites/9999/siteLogs',
      '/siteLogs/9999',
      '/siteLogs/99999999999999',
      '/siteLogs/9999/original',
    ])
      await refused(t, service, url, 404, 'not-found');
  },
);

t.test('a withdrawn log is left out, and the logs of a retired Site are not found', async (t) => {
  for (const year of [2001, 2002])
    await service.importText({ id: 'GONE', prepared: `${year}-01-01` }, `gone_${year}.log`);
  const newest = await logOf('GONE');
  const list = newest._links.siteLogs.href;
  await correct(service, 'GONE', { kind: 'withdraw', log: newest.id });
  for (const url of [`/siteLogs/${newest.id}`, `/siteLogs/${newest.id}/original`])
    await refused(t, service, url, 404, 'not-found');
  for (const more of ['', '&at=2030-01-01'])
    t.equal((await logOf('GONE', more)).name, 'gone_2001.log');
  t.match((await service.get(list)).body, /^(?!.*gone_2002).*gone_2001/);
  const { id } = await logOf('GONE');
  await correct(service, 'GONE', { kind: 'retire' });
  for (const url of [
    `/siteLogs/${id}`,
    `/siteLogs/${id}/original`,
    list,
    `${SEARCH}?id=GONE`,
    `${SEARCH}?id=GONE&at=2030-01-01`,
  ])
    await refused(t, service, url, 404, 'retired-site');
  t.same(await logsOf('fourCharacterId=GONE'), []);
});

t.test(
  'the log of a renamed Site has its current ids in JSON, and those of the log in the other forms',
  async (t) => {
    await service.importText({ id: 'OLDD' }, 'oldd_20200101.log');
    await correct(service, 'OLDD', { kind: 'rename', to: parseSiteId('NEWW') });
    const log = await logOf('NEWW', '&projection=written');
    t.equal(log.siteIdentification.fourCharacterId, 'NEWW');
    t.equal(log.written!.siteIdentification.fourCharacterId!.value, 'OLDD');
    t.match(await textOf('NEWW', 'text'), 'Four Character ID        : OLDD');
    t.match(await textOf('NEWW', 'geodesyml'), '<geo:fourCharacterID>OLDD<');
    t.match((await service.get('/skeletonFiles/NEWW.SKL')).body, /^NEWW {56}MARKER NAME$/m);
  },
);

t.test('contacts are withheld however the heading of their section is punctuated', async (t) => {
  for (const [id, heading] of [
    ['HEA1', '11   On-Site: Point'],
    ['HEA2', '11  On-Site, Point'],
    ['HEA3', '11.  On-Site: Point'],
    ['HEA4', '12:  Responsible Agency (if different from 11.)'],
    ['HEA5', '  12 RESPONSIBLE AGENCY: Point'],
  ] as const) {
    const { files } = await service.importText(
      withContact(id).replace('11.  On-Site, Point', heading),
      `${id}_20200101.log`,
    );
    t.notMatch(JSON.stringify(files), CONTACT, heading);
    const log = await logOf(id);
    const shown = [
      log.contactsWithheld,
      log.responsibleParties[0]!.organisation,
      log.gnssReceivers[0]!.notes,
    ];
    t.same(shown, [true, 'Fictitious Agency', 'ask (withheld)'], heading);
    for (const href of [
      ...Object.values(log._links).map((link) => link.href),
      `/sites/${id}`,
      `/sites/${id}/log`,
    ])
      t.notMatch((await service.get(href)).body, CONTACT, href);
  }
});

t.test(
  'GET /siteLogs/{id}/original: the file byte for byte, only if contacts are published',
  async (t) => {
    for (const [id, file] of [
      ['MFKG', join(SAMPLE, 'mfkg_20170418.xml')],
      ['VERS', join(service.folder, 'logs', 'vers_2003.log')],
      ['CONT', join(service.folder, 'logs', 'cont_20200101.log')],
    ] as const) {
      const bytes = readFileSync(file);
      const log = await read<SiteLogResource>(t, publishing, 'SiteLog', `${SEARCH}?id=${id}`);
      t.equal(log.sha256, createHash('sha256').update(bytes).digest('hex'));
      const original = log._links.original!.href;
      const response = await publishing.get(original);
      t.equal(response.headers['content-type'], 'application/octet-stream');
      t.ok(response.rawPayload.equals(bytes));

      const withheld = await logOf(id);
      t.same(
        [withheld.sha256, withheld._links.original, withheld.contactsWithheld],
        [null, undefined, id !== 'VERS'],
      );
      const listed = elementsIn(
        (await service.get(log._links.siteLogs.href)).json<Paged<SiteLogResource>>(),
      );
      t.same(
        new Set(listed.flatMap(({ sha256, _links }) => [sha256, _links.original])),
        new Set([null, undefined]),
      );
      const links = (await refused(t, service, original, 403, 'contacts-withheld')).links!;
      t.same(Object.keys(links), [
        'siteLog',
        'text1',
        ...(id === 'MFKG' ? ['text2'] : []),
        'geodesyml04',
        'geodesyml05',
        'geodesyml06',
      ]);
      for (const { href } of Object.values(links))
        t.equal((await service.get(href)).statusCode, 200, href);
      const site = (await service.get(log._links.corsSite.href)).json<Site>();
      t.same(
        (await publishing.get(site._links.siteLog.href)).json(),
        log,
        'the link of the Site leads to the log',
      );
    }
  },
);

t.test('moreInformation is a list, empty if section 13 is blank', async (t) => {
  const section = '13.  More Information\n     Primary Data Center      : FDC\n';
  await service.importText(`${logText({ id: 'MORE' })}\n${section}`, 'more_20200101.log');
  const { moreInformation } = await logOf('MORE');
  t.match(moreInformation, [{ primaryDataCenter: 'FDC', secondaryDataCenter: null }]);
  t.equal(moreInformation.length, 1);
});

t.test('a stored log that cannot be read is blank, and the other logs are there', async (t) => {
  const { database, get, importText } = await openService(t);
  for (const id of ['GOOD', 'BADD'])
    await importText(
      { id, receivers: [{ type: 'R', serial: id, from: '2001-01-01' }] },
      `${id}.log`,
    );
  const raw = rawDatabase(database);
  await raw.exec("UPDATE site_log SET original = substr(original, 1, 10) WHERE name = 'BADD.log'");
  await raw.exec(
    `UPDATE published_log SET version = 0, content = '', sections = substr(sections, 1, 10)
      WHERE site_log_id IN (SELECT id FROM site_log WHERE name = 'BADD.log')`,
  );
  const logs = elementsIn((await get('/siteLogs')).json<Paged<SiteLogResource>>());
  const shown = logs.map(
    (log) => `${log.siteIdentification.fourCharacterId} ${log.gnssReceivers.length}`,
  );
  t.same(shown, ['GOOD 1', 'BADD 0']);
  t.equal((await get(`${SEARCH}?id=BADD&format=geodesyml`)).statusCode, 200);
  t.equal((await get('/skeletonFiles/BADD.SKL')).statusCode, 200);
  const bad = logs.find(
    ({ siteIdentification: { fourCharacterId } }) => fourCharacterId === 'BADD',
  );
  const compared = await get(`/siteLogs/${bad!.id}/comparison?with=${bad!.id}`);
  t.match(compared.json(), { status: 404, detail: /cannot be read by this version/ });
});
