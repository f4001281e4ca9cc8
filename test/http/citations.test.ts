import t, { type Test } from 'tap';
import type { ChangeCollection, Citation } from '../../schemas/index.js';
import type { Static } from '@sinclair/typebox';
import { FIXED_HEADERS } from '../fixed-headers.js';
import { openService, type Service } from '../service.js';
import { placeOf, type SyntheticLog } from '../synthetic-log.js';
import { violations } from '../violations.js';
import { BROWSER, HtmlPage } from './html-page.js';

const RECEIVER = { type: 'LEICA GR10', serial: '17', from: '2001-01-01T00:00Z' };
const ALFA: SyntheticLog = {
  id: 'ALFA',
  prepared: '2018-01-01',
  name: 'Hill',
  place: placeOf('-10.5', '130.5'),
  receivers: [RECEIVER],
  antennas: [
    {
      type: 'LEIAR25.R4      NONE',
      serial: 'A1',
      from: '2001-01-01T00:00Z',
      more: { 'Marker->ARP Up Ecc. (m)': '0.1' },
    },
  ],
};
const CORRECTED: SyntheticLog = {
  ...ALFA,
  prepared: '2020-01-01',
  receivers: [{ ...RECEIVER, serial: '18' }],
};

/** Answers that say the same, byte for byte, when their URL is asked. */
const FILES = [
  '/exports/sites.csv?site=ALFA',
  '/exports/setups.ndjson?site=ALFA',
  '/exports/installations.geojson?type=LEICA*&at=2010-01-01',
  '/exports/changes.csv?mergeGaps=PT0S',
  '/exports/sites.snx?site=ALFA&site=BRAV',
  '/exports/sites.sta?site=ALFA',
  '/exports/sites.station-info?site=ALFA',
  '/exports/offsets.csv?receiverChanges=true',
  '/exports/offsets.snx?receiverChanges=true',
  '/exports/sites.rinex.zip?at=2010-01-01',
  '/skeletonFiles/ALFA.SKL?at=2010-01-01',
  '/skeletonFiles/alfa.skl?version=3.05',
  '/siteLogs/search/findByFourCharacterId?id=ALFA&format=text',
];
/** Answers that have links to themselves, or pages. */
const OTHERS = [
  '/setups/search/findCurrentByFourCharacterId?id=ALFA',
  '/setups/search/findAtByFourCharacterId?id=alfa&at=2010-01-01',
  '/setups/search/findCurrentByFourCharacterIdIn?id=ALFA&id=BRAV',
  '/setups/search/findAtByFourCharacterIdIn?id=ALFA&at=2010:001',
  '/setups/search/findByFourCharacterId?id=ALFA',
  '/setups/search/findBySiteId?siteId=1',
  '/corsSites/search/findByFourCharacterId?id=ALFA',
  '/corsSites/search/findByEquipment?type=LEICA*',
  '/siteLogs/search/findByFourCharacterId?id=ALFA',
  '/sites/ALFA?at=2010-01-01',
];

/** The URL of the citation of an answer. */
const citationUrl = (url: string): string => url.replace(/\?|$/, (mark) => `/citation${mark}`);

/** A service under a clock that the test moves. */
async function openAt(t: Test, time: { now: number }, options = {}): Promise<Service> {
  return openService(t, [], { clock: () => new Date(time.now), ...options });
}

const START = Date.UTC(2026, 0, 1, 12);
const isoTime = (time: number): string => new Date(time).toISOString();

async function citedBy({ get }: Service, url: string): Promise<Citation> {
  const { statusCode, body } = await get(citationUrl(encodeURI(url)));
  if (statusCode !== 200) throw new Error(`${url}: ${body}`);
  return JSON.parse(body) as Citation;
}

t.test('each citation says what is known, and its URL gives the answer again', async (t) => {
  const time = { now: START };
  const service = await openAt(t, time, {
    build: { version: '1.2.3', revision: null },
    network: { name: 'Hill Network', url: null },
  });
  const { importText, get } = service;
  await importText(ALFA, 'alfa.log', new Date(time.now));
  await importText({ ...ALFA, id: 'BRAV' }, 'brav.log', new Date(time.now + 1));
  time.now += 1000;
  const asOf = isoTime(START + 1);
  const then = new Map<string, string>();
  for (const url of [...FILES, ...OTHERS]) {
    const { headers } = await get(citationUrl(encodeURI(url)));
    t.match(headers, FIXED_HEADERS, url);
    const citation = await citedBy(service, url);
    t.same(violations('Citation', citation), [], url);
    t.match(citation, { version: '1.2.3', network: 'Hill Network', asOf }, url);
    t.ok(citation.url.includes(encodeURIComponent(asOf)), url);
    t.equal((await get(citation._links.self.href)).statusCode, 200, url);
    t.same((await get(citation._links.self.href)).json(), citation, `the citation of ${url}`);
    then.set(citation.url, (await get(citation.url)).body);
  }
  // What is recorded in the same minute is not in the answer.
  time.now += 1000;
  await importText(CORRECTED, 'corrected.log', new Date(time.now));
  time.now += 1000;
  for (const [url, body] of then) t.equal((await get(url)).body, body, url);
  let different = 0;
  for (const url of FILES) if (!then.has((await citedBy(service, url)).url)) different++;
  t.equal(different, FILES.length, 'a citation of now has another time');
});

t.test('a citation names the Site, the log and the time that it is about', async (t) => {
  const time = { now: START };
  const service = await openAt(t, time);
  const { importText } = service;
  await importText(ALFA, 'alfa.log', new Date(time.now));
  await importText({ ...ALFA, id: 'BRAV' }, 'brav.log', new Date(time.now + 1));
  await importText(CORRECTED, 'corrected.log', new Date(time.now + 2));
  time.now += 120_000;
  const site = { fourCharacterId: 'ALFA', nineCharacterId: null, name: 'Hill' };
  const current = { name: 'corrected.log', datePrepared: '2020-01-01' };
  const about = async (url: string) => {
    const { site, siteLog, at, version, network } = await citedBy(service, url);
    t.same([version, network], [null, null], url);
    return { site, log: siteLog && { name: siteLog.name, datePrepared: siteLog.datePrepared }, at };
  };
  for (const url of [
    '/setups/search/findCurrentByFourCharacterId?id=ALFA',
    '/setups/search/findBySiteId?siteId=1',
    '/exports/sites.sta?site=ALFA',
    '/exports/changes.csv?site=alfa',
    '/skeletonFiles/ALFA.SKL',
    '/siteLogs/search/findByFourCharacterId?id=ALFA',
    '/sites/ALFA',
  ])
    t.same(await about(url), { site, log: current, at: null }, url);
  t.same(await about('/sites/ALFA?at=2010:032'), {
    site,
    log: current,
    at: '2010-02-01T00:00:00Z',
  });
  t.same(
    await about('/siteLogs/search/findByFourCharacterId?id=ALFA&at=2019-06-01'),
    { site, log: { name: 'alfa.log', datePrepared: '2018-01-01' }, at: '2019-06-01T00:00:00Z' },
    'the log that was in force',
  );
  const nothing = { site: null, log: null, at: null };
  t.same(await about('/exports/sites.sta'), nothing);
  t.same(await about('/exports/sites.sta?site=ALFA&site=BRAV'), nothing);
  const earlier = await citedBy(service, `/exports/sites.sta?site=ALFA&asOf=${isoTime(START + 1)}`);
  t.match(earlier, { asOf: isoTime(START + 1), siteLog: { name: 'alfa.log' } });
  const between = await citedBy(service, '/exports/sites.csv?asOf=2026-01-01T12:01:00Z');
  t.equal(between.asOf, isoTime(START + 2), 'the time of the newest event');
});

t.test('a citation links to what has changed since', async (t) => {
  const time = { now: START };
  const service = await openAt(t, time);
  const { importText, get } = service;
  await importText(ALFA, 'alfa.log', new Date(time.now));
  await importText({ ...ALFA, id: 'BRAV' }, 'brav.log', new Date(time.now + 1));
  const links: string[] = [];
  for (const url of ['/exports/sites.sta?site=ALFA', '/exports/sites.sta', '/sites/BRAV'])
    links.push((await citedBy(service, url))._links.changes.href);
  const changed = async (): Promise<number[]> => {
    const numbers: number[] = [];
    for (const link of links) {
      const { page } = (await get(link)).json<Static<typeof ChangeCollection>>();
      numbers.push(page.totalElements);
    }
    return numbers;
  };
  t.same(await changed(), [0, 0, 0]);
  await importText(CORRECTED, 'corrected.log', new Date(time.now + 2));
  const [ofSite, all, ofOther] = await changed();
  t.ok(ofSite! > 0);
  t.same([all, ofOther], [ofSite, 0]);
});

t.test('a citation is text for those who want text', async (t) => {
  const service = await openAt(t, { now: START });
  await service.importText(ALFA, 'alfa.log', new Date(START));
  const url = '/sites/ALFA/citation?at=2010-01-01';
  const citation = await citedBy(service, '/sites/ALFA?at=2010-01-01');
  for (const accept of ['text/plain', 'text/html,application/xhtml+xml,*/*;q=0.8']) {
    const { body, headers } = await service.get(url, { accept });
    t.equal(headers['content-type'], 'text/plain;charset=UTF-8');
    for (const fact of ['ALFA', 'Hill', '2010-01-01T00:00:00Z', 'alfa.log', '2018-01-01'])
      t.ok(body.includes(fact), fact);
    for (const fact of [citation.asOf, citation.url, citation._links.changes.href])
      t.ok(body.includes(fact), fact);
    t.notMatch(body, /null|undefined/);
  }
  for (const accept of ['*/*', 'application/json', 'application/hal+json, text/plain;q=0.5'])
    t.same((await service.get(url, { accept })).json(), citation, accept);
});

t.test('a citation is refused as the answer is', async (t) => {
  const service = await openAt(t, { now: START });
  const empty = await service.get('/exports/sites.csv/citation');
  t.match(empty.json(), { type: /:not-recorded$/, status: 404 }, 'nothing is on record');
  await service.importText(ALFA, 'alfa.log', new Date(START));
  for (const url of [
    '/setups/search/findCurrentByFourCharacterId?id=XXXX',
    '/setups/search/findAtByFourCharacterId?id=ALFA&at=1990-01-01',
    '/setups/search/findAtByFourCharacterId?id=ALFA&at=yesterday',
    '/setups/search/findByFourCharacterId?id=ALFA&effectiveFrom=never',
    '/siteLogs/search/findByFourCharacterId?id=ALFA&at=1990-01-01',
    '/exports/sites.sta?site=XXXX',
    '/exports/changes.csv?mergeGaps=long',
    '/exports/installations.csv?near=ALFA',
    '/exports/installations.csv?satelliteSystem=XXX',
    '/skeletonFiles/XXXX.SKL',
    '/skeletonFiles/ALFA.TXT',
    '/skeletonFiles/ALFA.SKL?at=1990-01-01',
    '/sites/XXXX',
  ]) {
    const answer = await service.get(url);
    const citation = await service.get(citationUrl(url));
    const { type } = citation.json<{ type: string }>();
    t.equal(citation.statusCode, answer.statusCode, url);
    if (!url.startsWith('/sites/')) t.equal(answer.json<{ type: string }>().type, type, url);
  }
  const before = await service.get('/exports/sites.csv/citation?asOf=2000-01-01');
  t.match(before.json(), { type: /:not-recorded$/, detail: /2000-01-01T00:00:00Z.*\bat\b/ });
  for (const query of ['q=leica', 'conflicts=true'])
    t.equal(
      (await service.get(`/exports/installations.csv/citation?${query}`)).statusCode,
      400,
      query,
    );
  for (const url of [
    '/exports/findings.csv',
    '/exports/feed.csv',
    '/feed',
    '/exports/sites.sta.notes',
  ])
    t.equal((await service.get(`${url}/citation`)).statusCode, 404, `${url} cannot be had again`);
});

t.test('with asOf, the formats with comments say where to get the same file again', async (t) => {
  const time = { now: START };
  const service = await openAt(t, time);
  await service.importText(ALFA, 'alfa.log', new Date(START));
  time.now += 600_000;
  const asked = (url: string): string => `${url}&asOf=${isoTime(START + 120_000)}`;
  const COMMENTED: [url: string, comment: RegExp][] = [
    ['/exports/sites.snx?site=ALFA', /^ (.*)$/gm],
    ['/exports/offsets.snx?receiverChanges=true', /^ (.*)$/gm],
    ['/exports/sites.station-info?site=ALFA', /^# (.*)$/gm],
    ['/skeletonFiles/ALFA.skl?version=3.05', /^(.{60})COMMENT *$/gm],
  ];
  for (const [url, comment] of COMMENTED) {
    const { body } = await service.get(asked(url));
    const again = (await citedBy(service, asked(url))).url;
    const comments = [...body.matchAll(comment)].map(([, text]) => text!.trimEnd()).join('');
    t.ok(comments.includes(again), `${url} has ${again}`);
    t.equal((await service.get(again)).body, body, 'its URL gives the same bytes');
    t.notOk((await service.get(url)).body.includes('asOf'), `${url} without asOf`);
  }
  for (const url of FILES.filter((each) => !/snx|station-info|version/.test(each))) {
    const { body } = await service.get(asked(url));
    t.notOk(body.includes('asOf'), url);
  }
});

t.test('the page of a Site links to its citation if it is about an earlier record', async (t) => {
  const service = await openAt(t, { now: START });
  await service.importText(ALFA, 'alfa.log', new Date(START - 600_000));
  const page = async (query: string): Promise<HtmlPage> =>
    new HtmlPage((await service.get(`/sites/ALFA?${query}`, { accept: BROWSER })).body);
  const query = 'at=2010-01-01T00:00:00Z&asOf=2026-01-01T11:55:00Z';
  const link = (await page(query)).parts('a').map((a) => a.attribute(a.root!, 'href')!);
  const [cites] = link.filter((each) => each.includes('citation'));
  const { statusCode, body } = await service.get(`/sites/${cites!}`);
  t.equal(statusCode, 200);
  t.match(JSON.parse(body), { at: '2010-01-01T00:00:00Z', asOf: '2026-01-01T11:50:00.000Z' });
  t.notOk((await page('at=2010-01-01T00:00:00Z')).has('[role=note]'));
});
