import t from 'tap';
import { explanationOf, nameOfCode } from '../../src/findings/codes.js';
import { openWriter } from '../../src/store/open.js';
import { correct } from './answers.js';
import { parseCsv } from './csv.js';
import { openPage } from './html-page.js';
import { openService } from '../service.js';
import { logText, placeOf } from '../synthetic-log.js';
import { violations } from '../violations.js';

interface Body {
  _embedded: {
    findings: {
      code: string;
      level: string;
      fourCharacterId: string;
      section: string | null;
      line: number;
      message: string;
      text: string;
    }[];
  };
  page: { totalElements: number };
}

const receivers = [
  { type: 'R1', serial: '1', from: '2011-01-01' },
  { type: 'R2', serial: '2', from: '2012-01-01' },
];

t.test(
  'GET /findings lists what was found in the current logs, by site, code, level and time of record',
  async (t) => {
    const service = await openService(t);
    await service.importText({ id: 'AAAA', receivers }, 'a.log', new Date('2025-01-01'));
    await service.importText(
      { id: 'BBBB', receivers: [receivers[0]!] },
      'b.log',
      new Date('2025-01-03'),
    );
    const list = async (query: string): Promise<Body> => {
      const answer = await service.get(`/findings?${query}`);
      t.equal(answer.statusCode, 200, answer.body);
      t.strictSame(violations('SiteFindingCollection', answer.json()), []);
      return answer.json<Body>();
    };
    const { _embedded, page } = await list('code=overlap&code=several-in-use');
    t.match(_embedded.findings, [
      {
        fourCharacterId: 'AAAA',
        code: 'several-in-use',
        level: 'warning',
        line: 10,
        section: '3.1',
        text: 'R1 1',
        advice: 'Add the dates of removal of those that are no longer there.',
        others: [{ line: 14, lastLine: null, section: '3.2', text: 'R2 2' }],
        recordedAt: '2025-01-01T00:00:00.000Z',
      },
    ]);
    t.equal(page.totalElements, 1);
    t.equal((await list('level=info&code=several-in-use')).page.totalElements, 0);
    const since = await list('recordedSince=2025-01-02');
    t.ok(since._embedded.findings.length > 0);
    t.ok(since._embedded.findings.every(({ fourCharacterId }) => fourCharacterId === 'BBBB'));
    for (const path of ['/findings', '/exports/findings.csv']) {
      const answer = await service.get(`${path}?code=overlap&code=overlaps`);
      t.equal(answer.statusCode, 400, 'a misspelt code does not mean that all is well');
      const { detail } = answer.json<{ detail: string }>();
      t.match(detail, 'is not the code of a finding (did you mean overlap?); allowed: ');
      t.match(detail, 'radome-missing');
    }
    for (const query of ['level=bad', 'code=BAD', 'unknown=1'])
      t.equal((await service.get(`/findings?${query}`)).statusCode, 400, query);
    t.equal((await service.get('/findings?site=CCCC')).statusCode, 404);
    // A newer log without the slip.
    await service.importText(
      { id: 'AAAA', prepared: '2026-01-01', receivers: [receivers[0]!] },
      'a2.log',
    );
    t.equal((await list('code=several-in-use')).page.totalElements, 0);
  },
);

t.test(
  '/findings for people counts by code and Site, and leads to the section in the published text',
  async (t) => {
    const service = await openService(t);
    await service.importText({ id: 'AAAA', receivers }, 'a.log');
    const code = 'several-in-use';
    const all = await openPage(service, `/findings?code=${code}`);
    const other = all.part('[href=./findings?code=missing-value]');
    t.equal(other.text, nameOfCode('missing-value'));
    t.same(all.numbers('[role=status]'), ['1']);
    const chosen = all
      .parts(`[value=${code}]`)
      .map(({ root, text }) => [text, all.attribute(root!, 'selected')]);
    t.same(chosen, [[nameOfCode(code), '']]);
    t.ok(all.texts('#codes td').includes(explanationOf(code)));
    t.ok(all.has('#sites a') && all.has('#codes .labelled'), 'counts by Site and kind');
    const links = all.all('a', 'href');
    t.ok(links.includes(`./exports/findings.csv?code=${code}`));
    t.ok(links.includes('./sites/AAAA/log#section-3.1'));
    const ofSite = await openPage(service, '/findings?site=aaaa&code=&level=&near=');
    t.notOk(ofSite.has('#sites') || ofSite.has('#codes .labelled'), 'no counts');
    t.ok(ofSite.texts('#codes td').includes(explanationOf(code)), 'but what the kinds mean');
    t.ok(ofSite.has('[href=./sites/AAAA/findings]'));
    const log = (await service.get('/sites/AAAA/log', { accept: 'text/html' })).body;
    t.match(log, /<span id="section-3\.2"><\/span>[^]{0,200}3\.2 +Receiver Type/);
  },
);

t.test('/findings for people says how many files were rejected', async (t) => {
  const service = await openService(t);
  await service.importText({ id: 'AAAA', receivers }, 'a.log');
  const hint = async (query: string): Promise<boolean> =>
    (await openPage(service, `/findings${query}`)).has('main p code');
  t.notOk(await hint(''), 'none');
  const writer = await openWriter(service.database);
  const file = { path: '/srv/secret/b.log', sha256: null, code: 'no-site-id', reason: 'why' };
  await writer.saveRejectedFiles([file], () => false, new Date());
  await writer.close();
  t.ok(await hint(''));
  t.notMatch((await openPage(service, '/findings')).text, 'secret', 'not which ones');
  t.ok(await hint('?level=warning'));
  t.notOk(await hint('?site=AAAA'), 'it is not about one Site');
});

t.test('GET /findings: a finding about several lines has the last of them', async (t) => {
  const service = await openService(t);
  const text = logText({ receivers: [{ type: 'R1', serial: '1', from: '2010-01-01' }] });
  const stray = '     one line\n     another\n4.   GNSS Antenna Information';
  await service.importText(text.replace('4.   GNSS Antenna Information', stray));
  const answer = await service.get('/findings?code=ignored-line');
  const [finding] = answer.json()._embedded.findings;
  t.equal(finding.lastLine, finding.line + 1);
  const others = (await service.get('/findings?code=missing-section')).json();
  t.equal(others._embedded.findings[0].lastLine, null);
  const page = await openPage(service, '/findings');
  const range = new RegExp(`\\b${finding.line}\\D+${finding.lastLine}\\b`);
  t.ok(page.texts('#list td').some((place) => range.test(place)));
});

t.test('GET /findings selects by place, and sorts; the exports have the same', async (t) => {
  const service = await openService(t);
  const at = (country: string, latitude: string, longitude: string) => ({
    receivers,
    country,
    place: placeOf(latitude, longitude),
  });
  const first = new Date('2025-01-01');
  await service.importText(
    { id: 'AAAA', ...at('Australia', '-233000.0', '1333000.0') },
    'a.log',
    first,
  );
  const second = new Date('2025-01-02');
  await service.importText(
    { id: 'BBBB', ...at('Germany', '+490000.0', '0120000.0') },
    'b.log',
    second,
  );
  await service.importText(
    { id: 'CCCC', country: '', receivers: [receivers[0]!] },
    'c.log',
    new Date('2025-01-03'),
  );
  const list = async (query: string) => {
    const answer = await service.get(`/findings?size=1000&${query}`);
    t.equal(answer.statusCode, 200, answer.body);
    return answer.json<Body>()._embedded.findings;
  };
  const sitesOf = async (query: string) => [
    ...new Set((await list(query)).map(({ fourCharacterId }) => fourCharacterId)),
  ];
  const exported = async (query: string) => {
    const { body } = await service.get(`/exports/findings.ndjson?${query}`);
    const lines = body.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Body['_embedded']['findings'][number]);
  };
  const inAnyOrder = (findings: object[]) => findings.map((each) => JSON.stringify(each)).sort();
  t.same(await sitesOf(''), ['AAAA', 'BBBB', 'CCCC']);
  const places: [query: string, sites: string[]][] = [
    ['countryCode=aus', ['AAAA']],
    ['countryCode=AUS&countryCode=DEU', ['AAAA', 'BBBB']],
    ['bbox=10,45,15,50', ['BBBB']],
    ['near=49,12&radius=1', ['BBBB']],
    ['near=AAAA&radius=1', ['AAAA']],
    ['site=CCCC&site=BBBB', ['BBBB', 'CCCC']],
    ['recordedSince=2025-01-02', ['BBBB', 'CCCC']],
    ['code=several-in-use', ['AAAA', 'BBBB']],
    ['level=warning&site=AAAA', ['AAAA']],
  ];
  for (const [query, sites] of places) {
    t.same(await sitesOf(query), sites, query);
    const found = await list(query);
    const lines = await exported(query);
    for (const line of lines) t.same(violations('ExportedFinding', line), [], query);
    const withoutLinks = found.map(
      ({ _links, ...finding }: object & { _links?: unknown }) => finding,
    );
    const withoutPlace = lines.map(
      ({ id, site, ...finding }: object & { id?: number; site?: unknown }) => finding,
    );
    t.same(inAnyOrder(withoutPlace), inAnyOrder(withoutLinks), query);
    const csv = await service.get(`/exports/findings.csv?${query}`);
    t.equal(csv.headers['content-type'], 'text/csv;charset=UTF-8;header=present');
    t.match(
      csv.body,
      /^id,siteId,fourCharacterId,.*,code,level,section,line,lastLine,message,text,advice/,
    );
  }
  t.same(
    await sitesOf('sort=recordedAt,desc'),
    ['CCCC', 'BBBB', 'AAAA'],
    'the newest import first',
  );
  const descending = (await list('sort=site,desc&sort=line,desc')).map(
    ({ fourCharacterId, line }) => fourCharacterId + String(line).padStart(4, '0'),
  );
  t.same(descending, descending.toSorted().reverse());
  const codes = (await list('sort=code')).map(({ code }) => code);
  t.same(codes, codes.toSorted());
  const levels = (await list('sort=level,desc&sort=site')).map(({ level }) => level);
  t.same(levels, levels.toSorted().reverse(), 'warnings first');
  for (const query of ['sort=message', 'near=AAAA', 'radius=1', 'countryCode=XXX', 'bbox=1,2'])
    t.equal((await service.get(`/findings?${query}`)).statusCode, 400, query);
  t.same(await exported('code=overlap'), []);
});

t.test('/exports/findings.csv has the other places of a finding in three columns', async (t) => {
  const service = await openService(t);
  await service.importText({ id: 'AAAA', receivers: [...receivers, receivers[1]!] }, 'a.log');
  const { body } = await service.get('/exports/findings.csv');
  const rows = parseCsv(body);
  const { otherSections, otherLines, otherTexts } = rows.find(
    ({ code }) => code === 'several-in-use',
  )!;
  t.same([otherSections, otherLines, otherTexts], ['3.2 3.3', '14 18', 'R2 2']);
});

/** A log with a contact, and the lines of its file that are to correct. */
const withContact = (serial: string): string =>
  logText({ id: 'AAAA', receivers: [{ type: 'R1', serial, from: '2011-20-07' }] })
    .replace(
      'Date Prepared            : 2020-01-01',
      `$&\n     Prepared by (full name)  : Jane Roe`,
    )
    .concat(
      '11.  On-Site, Point of Contact Agency Information\n' +
        '     Primary Contact\n' +
        '       Contact Name           : Jane Roe\n' +
        '       Telephone (primary)    : Jane Roe: +61 2 5555 0123 ext\n' +
        '       Jane Roe is on leave\n',
    );

t.test('/sites/AAAA/findings is a sheet of what to correct, without contacts', async (t) => {
  const service = await openService(t);
  await service.importText(withContact('S1'), 'a.log');
  const sheet = await openPage(service, '/sites/aaaa/findings');
  t.match(sheet.part('h1').text, 'AAAA');
  const code = 'unreadable-value';
  const row = sheet.parts('#warnings tr').find(({ text }) => text.includes('2011-20-07'))!;
  t.match(row.part('td').numbers(), ['3.1', /^\d+$/], 'the section and the line');
  t.equal(row.part('strong').text, nameOfCode(code));
  t.equal(row.part('code').text, 'Date Installed: 2011-20-07');
  t.ok(row.texts('td').at(-1), 'what to do');
  t.ok(sheet.texts('#meanings dd').includes(explanationOf(code)));
  t.same([sheet.has('#conflicts p'), sheet.has('#conflicts table')], [true, false]);
  t.notMatch(sheet.text, /Jane|Roe|5555/);
  t.ok((await openPage(service, '/sites/AAAA')).has('[href=../sites/AAAA/findings]'));
  await openPage(service, '/sites/XXXX/findings', 404);
});

t.test('/sites/AAAA/findings says which value is missing, not that it is in the log', async (t) => {
  const service = await openService(t);
  const text = withContact('').replace('2011-20-07', '2011-07-20');
  await service.importText(text, 'a.log');
  const sheet = await openPage(service, '/sites/AAAA/findings');
  const row = sheet
    .parts('#warnings tr')
    .find((each) => each.texts('.what').join().includes('Serial Number'))!;
  t.equal(row.part('strong').text, nameOfCode('missing-value'));
  t.notOk(sheet.texts('q').some((text) => text.startsWith('Serial Number')));
});

t.test('/sites/AAAA/findings of a Site whose log was withdrawn says so', async (t) => {
  const service = await openService(t);
  await service.importText(withContact('S1'), 'a.log');
  await correct(service, 'AAAA', { kind: 'withdraw', log: 1 });
  const sheet = await openPage(service, '/sites/AAAA/findings');
  t.match(sheet.part('[role=status]').text, /withdrawn/i);
  t.notOk(sheet.has('#warnings') || sheet.has('#deviations'));
});

t.test('/sites/AAAA/findings has the conflicts of serial numbers in a table', async (t) => {
  const service = await openService(t);
  const receiver = { type: 'LEICA GR25', serial: '77', from: '2011-01-01', to: '2014-01-01' };
  await service.importText({ id: 'AAAA', receivers: [receiver] }, 'a.log');
  await service.importText(
    { id: 'BBBB', receivers: [{ ...receiver, from: '2012-01-01', to: '2013-01-01' }] },
    'b.log',
  );
  const later = { ...receiver, from: '2014-01-01', to: '2015-01-01' };
  await service.importText({ id: 'CCCC', receivers: [later] }, 'c.log');
  const conflicts = (await openPage(service, '/sites/AAAA/findings')).part('#conflicts table');
  t.same(conflicts.texts('tbody th'), ['77']);
  const [device, here] = conflicts.parts('td');
  t.match(device!.text, 'LEICA GR25');
  t.same(here!.numbers(), ['2011-01-01', '2014-01-01']);
  t.same(conflicts.texts('li a'), ['BBBB']);
  t.same(conflicts.numbers('li'), ['2012-01-01', '2013-01-01']);
  t.notOk((await openPage(service, '/sites/CCCC/findings')).has('#conflicts table'));
});
