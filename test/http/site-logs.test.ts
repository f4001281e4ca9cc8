import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { SiteLogResource } from '../../schemas/index.js';
import { buildApp } from '../../src/http/app.js';
import { readStoredLog } from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import type { Correction } from '../../src/store/save/corrections.js';
import { openWriter } from '../../src/store/open.js';
import { CONTRACT, FIXED_HEADERS, logText, openService, SAMPLE, type Service, violations } from '../helper.js';
import { rawDatabase } from '../raw-database.js';

interface LogPage {
  _embedded: { siteLogs: SiteLogResource[] };
  _links: Record<string, { href: string }>;
  page: { size: number; totalElements: number; totalPages: number; number: number };
}
interface SitePage {
  _embedded: { corsSites: Record<string, unknown>[] };
}
interface Refusal {
  type: string;
  detail: string;
  invalidParameters: { name: string; allowed: string }[];
}

const SEARCH = '/siteLogs/search/findByFourCharacterId';
const XML = 'application/xml';
const TEXT = 'text/plain;charset=UTF-8';
const HAL = 'application/hal+json;charset=UTF-8';
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
const page = async (query = ''): Promise<LogPage> => (await service.get(`/siteLogs?${query}`)).json<LogPage>();
const idOf = async (id: string): Promise<number> => (await service.get(`${SEARCH}?id=${id}`)).json<SiteLogResource>().id;

/** Prepares three versions of a log of one Site, of which the last is current; and a Site that has a contact. */
async function fill({ importText }: Service): Promise<void> {
  for (const year of [2003, 2001, 2002]) {
    await importText(
      { id: 'VERS', prepared: `${year}-06-15`, receivers: [{ type: 'R', serial: '1', from: '2001-01-01' }] },
      `vers_${year}.log`,
    );
  }
  await importText(withContact('CONT'), 'cont_20200101.log');
}

t.before(async () => {
  service = await openService(t, [SAMPLE]);
  await fill(service);
  const app = await buildApp({ store: service.store, contractFolder: CONTRACT, publishContacts: true });
  t.teardown(() => app.close());
  publishing = { ...service, app, get: (url, headers = {}) => app.inject({ url, headers }) };
});

t.test('GET /siteLogs: one element per Site, its current log, valid by the schema', async (t) => {
  const response = await service.get('/siteLogs?size=1000');
  t.match([response.statusCode, response.headers['content-type'], response.headers['content-length']], [200, HAL, undefined]);
  const body = response.json<LogPage>();
  t.same(violations('SiteLogCollection', body), []);
  const sites = (await service.get('/corsSites?size=1000')).json<SitePage>()._embedded.corsSites;
  t.same(
    body._embedded.siteLogs.map(({ siteIdentification }) => siteIdentification.fourCharacterId),
    sites.map(({ fourCharacterId }) => fourCharacterId),
  );
  t.equal(body.page.totalElements, sites.length);
  t.ok(body._embedded.siteLogs.every(({ current }) => current));
  const written = (await service.get('/siteLogs?size=1000&projection=written')).json<LogPage>();
  t.same(violations('SiteLogCollection', written), []);
  t.ok(written._embedded.siteLogs.every((log) => log.written !== undefined));
});

t.test('GET /siteLogs: members have the names and values of the reference', async (t) => {
  const [alice] = (await page('fourCharacterId=ALIC'))._embedded.siteLogs;
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
    frequencyStandards: [{ type: 'INTERNAL', inputFrequency: null, effectiveDates: { from: '1994-05-15T00:00:00Z', to: null } }],
    responsibleParties: [{ role: 'siteContact', organisation: 'Geoscience Australia' }],
    moreInformation: [],
  });
  const dated = { dateInstalled: '2011-07-20T00:00:00Z', dateRemoved: null, effectiveDates: { from: '2011-07-20T00:00:00Z', to: null } };
  t.match(alice!.gnssAntennas.at(-1), {
    markerArpUpEcc: 0.0015,
    markerArpNorthEcc: 0,
    markerArpEastEcc: 0,
    antennaRadomeType: 'NONE',
    ...dated,
  });
  const [receiver] = alice!.gnssReceivers;
  t.same(receiver!.effectiveDates, { from: receiver!.dateInstalled, to: receiver!.dateRemoved });
  t.equal(alice!.gnssReceivers.at(-1)!.dateRemoved, null);
  const { id } = alice!;
  const { written } = (await service.get(`/siteLogs/${id}?projection=written`)).json<SiteLogResource>();
  t.same(written!.siteIdentification.siteName, { written: 'Alice Springs AU012', value: 'Alice Springs AU012', line: 14 });
  t.equal(written!.siteIdentification.foundationDepth, null);
  // GeodesyML logs contain the country code.
  const [mafikeng] = (await page('fourCharacterId=MFKG'))._embedded.siteLogs;
  t.match(mafikeng!.siteLocation, { country: 'ZAF', countryName: 'South Africa' });
  t.match((await page('fourCharacterId=BOR1'))._embedded.siteLogs[0]!.siteLocation, { country: 'POL', countryName: 'Poland' });
  t.match(mafikeng, { form: 'GeodesyML 0.4', siteIdentification: { nineCharacterId: 'MFKG00ZAF' }, siteLocation: { countryCode: 'ZAF' } });
  t.equal((await page('fourCharacterId=HOUZ'))._embedded.siteLogs[0]!.siteLocation.countryCode, 'GLP');
});

t.test('GET /siteLogs: members of ties, collocation and sensors have the names of the reference', async (t) => {
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
  const [log] = (await page('fourCharacterId=NAME&projection=written'))._embedded.siteLogs;
  t.same(violations('SiteLog', log), []);
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
    written: { surveyedLocalTies: [{ localSiteTieAccuracy: { value: 3 } }], pressureSensors: [{ accuracyHPa: { value: 0.1 } }] },
  });
  t.notOk('dx' in log!.surveyedLocalTies[0]!);
});

t.test('GET /siteLogs filters, sorts and pages logs by the properties of their Sites, as /corsSites does', async (t) => {
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
    const sites = (await service.get(`/corsSites?${query}`)).json<SitePage & LogPage>();
    t.same(
      logs._embedded.siteLogs.map(({ _links }) => _links.corsSite.href),
      sites._embedded.corsSites.map(({ _links }) => (_links as LogPage['_links']).self!.href),
      query,
    );
    t.same(logs.page, sites.page, query);
    t.same(violations('SiteLogCollection', logs), [], query);
  }
  const large = await page('size=2000');
  t.equal(large.page.size, 1000);
  t.match((await page('size=2&projection=written&q=a'))._links.next!.href, /\/siteLogs\?q=a&page=1&size=2&projection=written$/);
  for (const query of ['radius=1', 'bbox=1', 'projection=site', 'size=0', 'siteName=x']) {
    t.equal((await service.get(`/siteLogs?${query}`)).statusCode, 400, query);
  }
  t.match(await service.app.inject({ method: 'HEAD', url: '/siteLogs' }), { statusCode: 200, body: '', headers: { 'content-type': HAL } });
});

t.test('GET /siteLogs filters and sorts logs by their own properties', async (t) => {
  const all = (await page('size=1000'))._embedded.siteLogs;
  const idsOf = (logs: { id: number }[]): number[] => logs.map(({ id }) => id);
  for (const name of ['id', 'name', 'form', 'datePrepared', 'importedAt'] as const) {
    const { [name]: value } = all[3]!;
    if (name !== 'importedAt') {
      const found = (await page(`${name}=${encodeURIComponent(value!)}`))._embedded.siteLogs;
      t.same(idsOf(found), idsOf(all.filter((log) => log[name] === value)), name);
    }
    const sorted = (await page(`sort=${name},desc&size=1000`))._embedded.siteLogs.map((log) => log[name]);
    t.same(
      sorted,
      [...sorted].sort((a, b) => (a! < b! ? 1 : a! > b! ? -1 : 0)),
      `sort=${name}`,
    );
  }
  for (const query of [`sha256=${createHash('sha256').update('x').digest('hex')}`, 'sort=sha256', 'sort=sha256,desc']) {
    for (const { get } of [service, publishing]) {
      const [name] = query.split('=');
      const refusal = await get(`/siteLogs?${query}`);
      t.match([refusal.statusCode, refusal.json()], [400, { invalidParameters: [{ name }] }], query);
      t.notMatch(refusal.json<Refusal>().invalidParameters[0]!.allowed, 'sha256');
    }
  }
  const contact = await idOf('CONT');
  t.not(
    (await service.get('/corsSites?fourCharacterId=CONT')).json<SitePage>()._embedded.corsSites[0]!.id,
    contact,
    'ids of logs, not of Sites',
  );
  t.same(idsOf((await page(`id=${contact}&id=${all[0]!.id}&sort=id,desc`))._embedded.siteLogs), [contact, all[0]!.id]);
  t.same(idsOf((await page(`q=alice&name=${all[1]!.name}`))._embedded.siteLogs), [], 'with words');
  const { id, name } = all.find(({ siteIdentification }) => siteIdentification.fourCharacterId === 'ALIC')!;
  t.same(idsOf((await page(`q=alice&name=${name}`))._embedded.siteLogs), [id]);
  t.same(idsOf((await page(`near=-23,134&radius=300&sort=name&name=${name}`))._embedded.siteLogs), [id], 'with a distance');
});

t.test('GET /siteLogs lets other requests run between two logs', async (t) => {
  let turns = 0;
  let running = true;
  const count = (): void => {
    turns++;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  const { page: found } = await page('size=1000');
  running = false;
  t.ok(turns >= found.totalElements, `${turns} turns`);
});

t.test('format, version and Accept choose the form of a log', async (t) => {
  const id = await idOf('ALIC');
  for (const url of [`/siteLogs/${id}?`, `${SEARCH}?id=alic&`]) {
    for (const [query, accept, type, beginning] of [
      ['', undefined, HAL, /^\{"id":/],
      ['', '*/*', HAL, /^\{"id":/],
      ['', 'application/xml', XML, /egeodesy:0\.5"/],
      ['', 'text/xml, */*;q=0.1', XML, /egeodesy:0\.5"/],
      ['', 'text/plain', TEXT, /\(site log\)/],
      ['', 'text/plain, application/xml', XML, /egeodesy:0\.5"/],
      ['', 'text/plain, application/xml;q=0.9', TEXT, /\(site log\)/],
      ['', 'text/plain;q=0.5, application/xml;q=0.4, application/json;q=0.5', JSON_TYPE, /^\{"id":/],
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
      ['format=text', undefined, TEXT, /\(site log\)/],
      ['format=text&version=1', undefined, TEXT, /^ *ALIC Site Information Form \(site log\)/],
    ] as const) {
      const response = await service.get(url + query, accept === undefined ? {} : { accept });
      t.match([response.statusCode, response.headers['content-type'], response.body], [200, type, beginning], `${url}${query} ${accept}`);
      t.match(response.headers, { ...FIXED_HEADERS, 'content-length': String(response.rawPayload.length) });
    }
    for (const [query, accept, name] of [
      ['format=xml', undefined, 'format'],
      ['version=0.6', undefined, 'version'],
      ['version=0.4', undefined, 'version'],
      ['version=0.4', 'text/plain', 'version'],
      ['format=geodesyml&version=1', undefined, 'version'],
      ['format=geodesyml&version=2', undefined, 'version'],
      ['format=text&version=0.5', undefined, 'version'],
      ['format=text&version=2.0', undefined, 'version'],
      ['format=text&projection=written', undefined, 'projection'],
      ['projection=written', 'application/xml', 'projection'],
      ['projection=datePrepared&format=text', undefined, 'projection'],
    ] as const) {
      const response = await service.get(url + query, accept === undefined ? {} : { accept });
      t.match([response.statusCode, response.json<Refusal>().invalidParameters], [400, [{ name }]], `${url}${query} ${accept}`);
    }
  }
  const { _links } = (await service.get(`/siteLogs/${await idOf('BOR1')}`)).json<SiteLogResource>();
  for (const [name, beginning] of [
    ['text1', /\(site log\)/],
    ['text2', /v2\.0/],
    ['geodesyml04', /:0\.4"/],
    ['geodesyml05', /:0\.5"/],
  ] as const) {
    t.match((await service.get(_links[name]!.href)).body, beginning, name);
  }
  t.match((await service.get(`${SEARCH}?id=BOR1&format=text`)).body, /site log v2\.0/, 'the default');
});

t.test('version 2.0 of the text form needs nine characters: those of the log, or of its Site', async (t) => {
  const versionOf = async (id: string, version = '2.0') => service.get(`${SEARCH}?id=${id}&format=text&version=${version}`);
  const linksOf = async (id: string) => (await service.get(`${SEARCH}?id=${id}`)).json<SiteLogResource>()._links;
  const listOf = async (id: string) =>
    (await service.get((await linksOf(id)).siteLogs.href)).json<LogPage>()._embedded.siteLogs.map(({ _links }) => _links.text2?.href);
  await service.importText({ id: 'NINE' }, 'nine_20200101.log');
  const refusal = await versionOf('NINE');
  t.equal(refusal.statusCode, 400);
  t.same(refusal.json<Refusal>().invalidParameters, [
    { name: 'version', value: '2.0', allowed: 'Allowed for this site log: 1. Version 2.0 needs a nine-character id.' },
  ]);
  t.same([(await linksOf('NINE')).text2, await listOf('NINE')], [undefined, [undefined]]);
  t.same(violations('SiteLog', (await service.get(`${SEARCH}?id=NINE`)).json()), []);
  await service.importText(logText({ id: 'NINE00TES', prepared: '2021-01-01' }), 'nine_20210101.log');
  await service.importText({ id: 'NINE', prepared: '2022-01-01' }, 'nine_20220101.log');
  t.match((await versionOf('NINE')).body, /NINE00TES Site Information Form \(site log v2\.0\)\n[^]*Nine Character ID +: NINE00TES\n/);
  t.equal((await versionOf('NINE', '2')).body, (await versionOf('NINE')).body, 'version=2 is 2.0');
  t.match((await linksOf('NINE')).text2, { href: /version=2\.0/ });
  t.equal((await listOf('NINE')).filter((href) => href === undefined).length, 0);
  const page = (await service.get(`/sites/NINE/log`)).body;
  t.match(page, /Text form, version 2\.0/);
});

t.test('projection=datePrepared gives when a log was prepared and imported', async (t) => {
  const id = await idOf('ALIC');
  const { datePrepared, importedAt, _links } = (await service.get(`/siteLogs/${id}`)).json<SiteLogResource>();
  const expected = { fourCharacterId: 'ALIC', datePrepared, lastModifiedDate: importedAt, _links };
  for (const url of [`/siteLogs/${id}?`, `${SEARCH}?id=alic&`, `${SEARCH}?id=alic&at=2018-01-01&`]) {
    const body = (await service.get(`${url}projection=datePrepared`)).json<object>();
    t.strictSame(body, expected, url);
    t.same(violations('SiteLog', body), [], url);
  }
  const all = await page('projection=datePrepared&size=5&sort=fourCharacterId');
  t.same(violations('SiteLogCollection', all), []);
  t.strictSame((all._embedded.siteLogs as object[])[0], expected);
  t.match(all._links.next!.href, /projection=datePrepared$/);
  t.equal((await page('projection=datePrepared&page=99'))._embedded.siteLogs.length, 0);
});

t.test('at= finds the log that was in force, on both sides of each Date Prepared', async (t) => {
  const find = (at: string) => service.get(`${SEARCH}?id=VERS&at=${encodeURIComponent(at)}`);
  for (const [at, name] of [
    ['2001-06-15', 'vers_2001.log'],
    ['2002-06-14T23:59:59Z', 'vers_2001.log'],
    ['2002-06-15T00:00:00Z', 'vers_2002.log'],
    ['2003-06-15T01:00:00+02:00', 'vers_2002.log'],
    ['2003-06-15', 'vers_2003.log'],
    ['2030-01-01', 'vers_2003.log'],
  ] as const) {
    t.equal((await find(at)).json<SiteLogResource>().name, name, at);
  }
  t.match((await find('2001-06-14T23:59:59Z')).json<Refusal>(), {
    type: 'urn:gnss-site-setups:problem:before-first-log',
    detail: 'VERS had no site log on 2001-06-14: the earliest site log was prepared on 2001-06-15.',
  });
  t.match((await find('2001-02-30')).json<Refusal>(), { invalidParameters: [{ name: 'at' }] });
  t.match((await service.get(`${SEARCH}?id=VERS&at=2002-06-15&format=text`)).body, /Date Prepared +: 2002-06-15/);
  t.equal((await service.get(`${SEARCH}?id=VERS`)).json<SiteLogResource>().name, 'vers_2003.log');
  await service.importText(logText({ id: 'NODA' }).replace(/^.*Date Prepared.*$/m, ''), 'noda.log');
  t.match((await service.get(`${SEARCH}?id=NODA&at=2030-01-01`)).json<Refusal>().detail, /no site log has a Date Prepared/);
  t.equal((await service.get(`${SEARCH}?id=XXXX`)).statusCode, 404);
});

t.test('GET /corsSites/{id}/siteLogs lists all logs, the newest first; each can be requested by its id', async (t) => {
  const [site] = (await service.get('/corsSites?fourCharacterId=VERS')).json<SitePage>()._embedded.corsSites;
  const response = await service.get((site!._links as LogPage['_links']).siteLogs!.href);
  const body = response.json<LogPage>();
  t.same(violations('SiteLogList', body), []);
  t.same(
    body._embedded.siteLogs.map(({ name, current }) => [name, current]),
    [
      ['vers_2003.log', true],
      ['vers_2002.log', false],
      ['vers_2001.log', false],
    ],
  );
  for (const { id, name, current, _links } of body._embedded.siteLogs) {
    const log = (await service.get(_links.self.href)).json<SiteLogResource>();
    t.same(violations('SiteLog', log), []);
    t.match(log, { id, name, current, datePrepared: `${name.slice(5, 9)}-06-15` });
  }
  t.equal((await service.get('/corsSites/9999/siteLogs')).statusCode, 404);
  t.equal((await service.get('/siteLogs/9999')).statusCode, 404);
  t.equal((await service.get('/siteLogs/99999999999999')).statusCode, 404);
});

t.test('a withdrawn log is left out, and the logs of a retired Site are not found', async (t) => {
  const correct = async (id: string, correction: Correction): Promise<void> => {
    const writer = await openWriter(service.database);
    await writer.correct(parseSiteId(id), correction, new Date(), readStoredLog);
    await writer.close();
  };
  for (const year of [2001, 2002]) await service.importText({ id: 'GONE', prepared: `${year}-01-01` }, `gone_${year}.log`);
  const newest = (await service.get(`${SEARCH}?id=GONE`)).json<SiteLogResource>();
  const list = newest._links.siteLogs.href;
  await correct('GONE', { kind: 'withdraw', log: newest.id });
  t.equal((await service.get(`/siteLogs/${newest.id}`)).json<Refusal>().type, 'urn:gnss-site-setups:problem:not-found');
  t.equal((await service.get(`/siteLogs/${newest.id}/original`)).statusCode, 404);
  for (const query of ['', '&at=2030-01-01']) {
    t.equal((await service.get(`${SEARCH}?id=GONE${query}`)).json<SiteLogResource>().name, 'gone_2001.log');
  }
  t.same(
    (await service.get(list)).json<LogPage>()._embedded.siteLogs.map(({ name }) => name),
    ['gone_2001.log'],
  );
  const older = await idOf('GONE');
  await correct('GONE', { kind: 'retire' });
  for (const url of [`/siteLogs/${older}`, `/siteLogs/${older}/original`, list, `${SEARCH}?id=GONE`, `${SEARCH}?id=GONE&at=2030-01-01`]) {
    t.equal((await service.get(url)).json<Refusal>().type, 'urn:gnss-site-setups:problem:retired-site', url);
  }
  t.equal((await page('fourCharacterId=GONE')).page.totalElements, 0);
});

t.test('the log of a renamed Site has its current ids in JSON, and those of the log in the other forms', async (t) => {
  await service.importText({ id: 'OLDD' }, 'oldd_20200101.log');
  const writer = await openWriter(service.database);
  await writer.correct(parseSiteId('OLDD'), { kind: 'rename', to: parseSiteId('NEWW') }, new Date(), readStoredLog);
  await writer.close();
  const log = (await service.get(`${SEARCH}?id=NEWW&projection=written`)).json<SiteLogResource>();
  t.equal(log.siteIdentification.fourCharacterId, 'NEWW');
  t.equal(log.written!.siteIdentification.fourCharacterId!.value, 'OLDD');
  t.match((await service.get(`${SEARCH}?id=NEWW&format=text`)).body, 'Four Character ID        : OLDD');
  t.match((await service.get(`${SEARCH}?id=NEWW&format=geodesyml`)).body, '<geo:fourCharacterID>OLDD<');
  t.match((await service.get('/skeletonFiles/NEWW.SKL')).body, /^NEWW {56}MARKER NAME$/m);
});

t.test('contacts are withheld however the heading of their section is punctuated', async (t) => {
  for (const [id, heading] of [
    ['HEA1', '11   On-Site: Point'],
    ['HEA2', '11  On-Site, Point'],
    ['HEA3', '11.  On-Site: Point'],
    ['HEA4', '12:  Responsible Agency (if different from 11.)'],
    ['HEA5', '  12 RESPONSIBLE AGENCY: Point'],
  ] as const) {
    const { files } = await service.importText(withContact(id).replace('11.  On-Site, Point', heading), `${id}_20200101.log`);
    t.notMatch(JSON.stringify(files), CONTACT, heading);
    const log = (await service.get(`${SEARCH}?id=${id}`)).json<SiteLogResource>();
    t.equal(log.contactsWithheld, true);
    t.equal(log.responsibleParties[0]!.organisation, 'Fictitious Agency');
    t.equal(log.gnssReceivers[0]!.notes, 'ask (withheld)');
    for (const href of [...Object.values(log._links).map((link) => link.href), `/sites/${id}`, `/sites/${id}/log`])
      t.notMatch((await service.get(href)).body, CONTACT, href);
  }
});

t.test('GET /siteLogs/{id}/original: the file byte for byte, only if contacts are published', async (t) => {
  for (const [id, file] of [
    ['MFKG', join(SAMPLE, 'mfkg_20170418.xml')],
    ['VERS', join(service.folder, 'logs', 'vers_2003.log')],
    ['CONT', join(service.folder, 'logs', 'cont_20200101.log')],
  ] as const) {
    const bytes = readFileSync(file);
    const log = (await publishing.get(`${SEARCH}?id=${id}`)).json<SiteLogResource>();
    t.same(violations('SiteLog', log), []);
    t.equal(log.sha256, createHash('sha256').update(bytes).digest('hex'));
    const original = log._links.original!.href;
    const response = await publishing.get(original);
    t.equal(response.headers['content-type'], 'application/octet-stream');
    t.ok(response.rawPayload.equals(bytes));

    const withheld = (await service.get(`${SEARCH}?id=${id}`)).json<SiteLogResource>();
    t.same([withheld.sha256, withheld._links.original], [null, undefined]);
    t.equal(withheld.contactsWithheld, id !== 'VERS');
    const listed = (await service.get(log._links.siteLogs.href)).json<LogPage>()._embedded.siteLogs;
    t.same(new Set(listed.flatMap(({ sha256, _links }) => [sha256, _links.original])), new Set([null, undefined]));
    const refusal = await service.get(original);
    t.match([refusal.statusCode, refusal.headers['content-type']], [403, 'application/problem+json'], original);
    t.same(violations('Problem', refusal.json()), []);
    const { type, links } = refusal.json<Refusal & { links: Record<string, { href: string }> }>();
    t.equal(type, 'urn:gnss-site-setups:problem:contacts-withheld');
    t.same(Object.keys(links), ['siteLog', 'text1', ...(id === 'MFKG' ? ['text2'] : []), 'geodesyml04', 'geodesyml05']);
    for (const { href } of Object.values(links)) t.equal((await service.get(href)).statusCode, 200, href);
    const site = (await service.get(log._links.corsSite.href)).json<{ _links: Record<string, { href: string }> }>();
    t.same((await publishing.get(site._links.siteLog!.href)).json<SiteLogResource>(), log, 'the link of the Site leads to the log');
  }
  t.equal((await service.get('/siteLogs/9999/original')).statusCode, 404);
});

t.test('moreInformation is a list, empty if section 13 is blank', async (t) => {
  const section = `13.  More Information
     Primary Data Center      : FDC
`;
  await service.importText(
    `${logText({ id: 'MORE', receivers: [{ type: 'R', serial: '1', from: '2001-01-01' }] })}\n${section}`,
    'more_20200101.log',
  );
  const { moreInformation } = (await service.get(`${SEARCH}?id=MORE`)).json<SiteLogResource>();
  t.match(moreInformation, [{ primaryDataCenter: 'FDC', secondaryDataCenter: null }]);
  t.equal(moreInformation.length, 1);
});

t.test('a stored log that cannot be read is blank, and the other logs are there', async (t) => {
  const { database, get, importText } = await openService(t);
  await importText({ id: 'GOOD', receivers: [{ type: 'R', serial: '1', from: '2001-01-01' }] }, 'good_20200101.log');
  await importText({ id: 'BADD', receivers: [{ type: 'R', serial: '2', from: '2001-01-01' }] }, 'badd_20200101.log');
  await rawDatabase(database).exec("UPDATE site_log SET original = substr(original, 1, 10) WHERE name = 'badd_20200101.log'");
  const { _embedded } = (await get('/siteLogs')).json<LogPage>();
  t.same(
    _embedded.siteLogs.map(({ siteIdentification, gnssReceivers }) => [siteIdentification.fourCharacterId, gnssReceivers.length]),
    [
      ['GOOD', 1],
      ['BADD', 0],
    ],
  );
  t.equal((await get(`${SEARCH}?id=BADD&format=geodesyml`)).statusCode, 200);
  t.equal((await get('/skeletonFiles/BADD.SKL')).statusCode, 200);
});
