import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { SiteLogResource } from '../../schemas/index.js';
import { buildApp } from '../../src/http/app.js';
import { readStoredLog } from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import type { Correction } from '../../src/store/save/corrections.js';
import { openWriter } from '../../src/store/open.js';
import { CONTRACT, logText, openService, SAMPLE, type Service, violations } from '../helper.js';
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
    sha256: /^[0-9a-f]{64}$/,
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

t.test('GET /siteLogs filters, sorts and pages logs by the properties of their Sites, as /corsSites does', async (t) => {
  for (const query of [
    'sort=location.city,desc&size=3',
    'sort=location.city&size=2&page=1',
    'q=alice',
    'near=52.3,17.1&radius=3000',
    'bbox=110,-45,155,-10',
    'countryCode=pol&countryCode=aus',
    'domesNumber=50137M001',
    'location.state=Northern%20Territory&sort=fourCharacterId,desc',
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
  for (const name of ['id', 'name', 'form', 'datePrepared', 'importedAt', 'sha256'] as const) {
    const { [name]: value } = all[3]!;
    const found = (await page(`${name}=${encodeURIComponent(value!)}`))._embedded.siteLogs;
    t.same(idsOf(found), idsOf(all.filter((log) => log[name] === value)), name);
    const sorted = (await page(`sort=${name},desc&size=1000`))._embedded.siteLogs.map((log) => log[name]);
    t.same(
      sorted,
      [...sorted].sort((a, b) => (a! < b! ? 1 : a! > b! ? -1 : 0)),
      `sort=${name}`,
    );
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
      ['', 'application/xml', XML, /egeodesy:0\.4"/],
      ['', 'text/xml, */*;q=0.1', XML, /egeodesy:0\.4"/],
      ['', 'text/plain', TEXT, /site log v2\.0/],
      ['', 'text/plain, application/xml', XML, /egeodesy:0\.4"/],
      ['', 'text/plain, application/xml;q=0.9', TEXT, /site log v2\.0/],
      ['', 'text/plain;q=0.5, application/xml;q=0.4, application/json;q=0.5', HAL, /^\{"id":/],
      ['', 'application/xml;q=0.5, application/json', HAL, /^\{"id":/],
      ['', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', HAL, /^\{"id":/],
      ['format=json', 'application/xml', HAL, /^\{"id":/],
      ['format=geodesyml', 'application/json', XML, /egeodesy:0\.4"/],
      ['format=geodesyml&version=0.4', undefined, XML, /egeodesy:0\.4"/],
      ['format=geodesyml&version=0.5', undefined, XML, /egeodesy:0\.5"/],
      ['version=0.5', 'application/xml', XML, /egeodesy:0\.5"/],
      ['format=text', undefined, TEXT, /site log v2\.0/],
      ['format=text&version=2.0', undefined, TEXT, /site log v2\.0/],
      ['format=text&version=1', undefined, TEXT, /^ *ALIC Site Information Form \(site log\)/],
    ] as const) {
      const response = await service.get(url + query, accept === undefined ? {} : { accept });
      t.match([response.statusCode, response.headers['content-type'], response.body], [200, type, beginning], `${url}${query} ${accept}`);
    }
    for (const [query, accept, name] of [
      ['format=xml', undefined, 'format'],
      ['version=0.6', undefined, 'version'],
      ['version=0.4', undefined, 'version'],
      ['version=0.4', 'text/plain', 'version'],
      ['format=geodesyml&version=1', undefined, 'version'],
      ['format=text&version=0.5', undefined, 'version'],
      ['format=text&projection=written', undefined, 'projection'],
      ['projection=written', 'application/xml', 'projection'],
    ] as const) {
      const response = await service.get(url + query, accept === undefined ? {} : { accept });
      t.match([response.statusCode, response.json<Refusal>().invalidParameters], [400, [{ name }]], `${url}${query} ${accept}`);
    }
  }
  const { _links } = (await service.get(`/siteLogs/${id}`)).json<SiteLogResource>();
  for (const [name, beginning] of [
    ['text1', /\(site log\)/],
    ['text2', /v2\.0/],
    ['geodesyml04', /:0\.4"/],
    ['geodesyml05', /:0\.5"/],
  ] as const) {
    t.match((await service.get(_links[name].href)).body, beginning, name);
  }
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

t.test('contacts are withheld in every form, unless they are published', async (t) => {
  for (const [{ get }, isPublished] of [
    [service, false],
    [publishing, true],
  ] as const) {
    const log = (await get(`${SEARCH}?id=CONT`)).json<SiteLogResource>();
    t.equal(log.contactsWithheld, !isPublished);
    t.equal(log.responsibleParties[0]!.organisation, 'Fictitious Agency');
    t.equal(log.responsibleParties[0]!.individualName, isPublished ? 'Ada Fictitious' : null);
    t.equal(log.gnssReceivers[0]!.notes, isPublished ? 'ask Ada Fictitious' : 'ask (withheld)');
    const urls = Object.values(log._links).map(({ href }) => href);
    for (const url of [...urls, `/siteLogs/${log.id}?projection=written`, '/siteLogs?q=cont&projection=written']) {
      if (/corsSites/.test(url)) continue;
      t.equal(CONTACT.test((await get(url)).body), isPublished, url);
    }
  }
});

t.test('contacts are withheld in remarks even if the heading of their section cannot be read', async (t) => {
  await service.importText(withContact('HEAD').replace('11.  On-Site, Point', '11   On-Site: Point'), 'head_20200101.log');
  const log = (await service.get(`${SEARCH}?id=HEAD`)).json<SiteLogResource>();
  t.equal(log.contactsWithheld, true);
  t.equal(log.gnssReceivers[0]!.notes, 'ask (withheld)');
  for (const { href } of Object.values(log._links)) t.notMatch((await service.get(href)).body, CONTACT, href);
});

t.test('GET /siteLogs/{id}/original: the file byte for byte, except for withheld contacts', async (t) => {
  const original = async ({ get }: Service, id: string) => {
    const log = (await get(`${SEARCH}?id=${id}`)).json<SiteLogResource>();
    const response = await get(`/siteLogs/${log.id}/original`);
    t.equal(response.headers['content-type'], 'application/octet-stream');
    return { ...log, bytes: response.rawPayload };
  };
  const file = readFileSync(join(SAMPLE, 'mfkg_20170418.xml'));
  t.ok((await original(publishing, 'MFKG')).bytes.equals(file));
  const vers = await original(service, 'VERS');
  t.equal(vers.contactsWithheld, false);
  t.equal(vers.bytes.toString(), readFileSync(join(service.folder, 'logs', vers.name), 'utf8'));
  const withheld = (await original(service, 'CONT')).bytes.toString();
  t.match(withheld, /Fictitious Agency/);
  t.notMatch(withheld, CONTACT);
  t.equal(withheld.split('\n').length, withContact('CONT').split('\n').length);
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
