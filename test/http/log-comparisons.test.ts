import t from 'tap';
import type { LogComparison } from '../../schemas/index.js';
import { logChangeLine } from '../../src/formats/log-comparison.js';
import { RUNS_ALL, triesMore } from '../effort.js';
import { openService, type Service } from '../service.js';
import { logText, type SyntheticLog } from '../synthetic-log.js';
import { violations } from '../violations.js';
import { correct } from './answers.js';
import { BROWSER, HTML, openPage } from './html-page.js';

const NOW = new Date('2026-01-01T00:00:00Z');

/** A version of a log. */
function version(prepared: string, radome: string, more: Partial<SyntheticLog> = {}): SyntheticLog {
  const antenna = {
    type: 'LEIAR25.R3',
    serial: '1',
    from: '2010-01-01',
    more: { 'Antenna Radome Type': radome },
  };
  return { prepared, antennas: [antenna], ...more };
}

/** The sections about contacts, whose contact a remark names. */
const contactsOf = (name: string): string =>
  [
    '11.  On-Site, Point of Contact Agency Information',
    `     Agency                   : Example Survey`,
    '     Primary Contact',
    `       Contact Name           : ${name}`,
    '13.  More Information',
    '     Additional Information   : ask Maria Sample or Otto Normal',
    '',
  ].join('\n');

/**
 * A service with four logs of TEST, numbered in this order: of 2020, 2021, 2019 and a future day;
 * and one of OTHR, number 5.
 */
async function openVersions(publishContacts: boolean): Promise<Service> {
  const service = await openService(t, [], { clock: () => NOW, publishContacts });
  const logs: [SyntheticLog, string][] = [
    [version('2020-01-01', 'SCIT'), 'Maria Sample'],
    [version('2021-01-01', 'LEIT', { name: '<b>New</b>' }), 'Otto Normal'],
    [version('2019-01-01', 'NONE'), 'Maria Sample'],
    [version('2099-01-01', 'SCIS'), 'Maria Sample'],
    [version('2020-01-01', 'NONE', { id: 'OTHR' }), 'Maria Sample'],
  ];
  for (const [index, [log, contact]] of logs.entries())
    await service.importText(logText(log) + contactsOf(contact), `log-${index + 1}.log`, NOW);
  return service;
}

const service = await openVersions(false);
const publishing = await openVersions(true);

/** The changes in an answer, as lines. */
const linesIn = ({ changes }: LogComparison): string[] => changes.map(logChangeLine);

/** A comparison, which is valid by its schema. */
async function compared(url: string, from: Service = service): Promise<LogComparison> {
  const response = await from.get(url);
  t.equal(response.statusCode, 200, response.body);
  t.same(violations('LogComparison', response.json()), [], url);
  return response.json<LogComparison>();
}

t.test('GET /siteLogs/{id}/comparison: what changed since the log before', async (t) => {
  const comparison = await compared('/siteLogs/2/comparison');
  t.same(linesIn(comparison), [
    '1 Site identification: site name Test → <b>New</b>',
    '4.1 Antenna: radome SCIT → LEIT',
  ]);
  t.match(comparison, {
    older: { id: 1, name: 'log-1.log', datePrepared: '2020-01-01' },
    newer: { id: 2, name: 'log-2.log', datePrepared: '2021-01-01' },
    contactsCompared: false,
    changes: [
      {},
      {
        section: 'gnssAntennas',
        number: '4.1',
        item: 'Antenna',
        change: 'changed',
        member: 'antennaRadomeType',
        value: 'radome',
        before: 'SCIT',
        after: 'LEIT',
        beforeLine: 13,
        afterLine: 13,
      },
    ],
    _links: {
      self: { href: 'http://localhost:80/siteLogs/2/comparison' },
      older: { href: 'http://localhost:80/siteLogs/1' },
      newer: { href: 'http://localhost:80/siteLogs/2' },
    },
  });
});

t.test('the log before is that which would win without it', async (t) => {
  const before = async (id: number) => (await compared(`/siteLogs/${id}/comparison`)).older.id;
  t.equal(await before(1), 3, 'by Date Prepared, not by import');
  t.equal(await before(3), 4, 'a log of the future is worse than any other');
  const none = await service.get('/siteLogs/4/comparison');
  t.equal(none.statusCode, 404);
  t.match(none.json(), {
    type: 'urn:gnss-site-setups:problem:no-previous-log',
    detail: /^Site log 4 is the first one of TEST, so there is no previous log/,
  });
});

t.test('GET /siteLogs/{id}/comparison?with=…: with any log of the Site', async (t) => {
  const comparison = await compared('/siteLogs/3/comparison?with=2');
  t.same([comparison.older.id, comparison.newer.id], [2, 3]);
  t.same(linesIn(comparison).at(-1), '4.1 Antenna: radome LEIT → NONE');
  t.same((await compared('/siteLogs/2/comparison?with=2')).changes, []);
  const other = await service.get('/siteLogs/2/comparison?with=5');
  t.equal(other.statusCode, 400);
  t.match(other.json(), {
    invalidParameters: [
      {
        name: 'with',
        value: '5',
        reason: 'is a site log of OTHR',
        allowed: 'a site log of TEST.',
      },
    ],
  });
  for (const url of ['/siteLogs/2/comparison?with=99', '/siteLogs/99/comparison?with=2'])
    t.equal((await service.get(url)).statusCode, 404, url);
  for (const query of ['with=x', 'with=0', 'with=', 'other=1'])
    t.equal((await service.get(`/siteLogs/2/comparison?${query}`)).statusCode, 400, query);
});

t.test('contacts of both logs are withheld in the answer and on the page', async (t) => {
  for (const accept of ['application/json', BROWSER]) {
    const { body } = await service.get('/siteLogs/2/comparison', { accept });
    t.notMatch(body, /Maria|Otto|Sample|Normal/);
  }
  t.match(linesIn(await compared('/siteLogs/2/comparison', publishing)), [
    /^1 /,
    /^4\.1 /,
    '11 Agency: contact name Maria Sample → Otto Normal',
  ]);
  const page = await openPage(publishing, '/siteLogs/2/comparison');
  t.match(page.text, /Maria Sample/);
});

t.test('the list of the logs of a Site links each but the first to its changes', async (t) => {
  const { siteId } = (await service.store.logs.findById(1)) as { siteId: number };
  const { _embedded } = (await service.get(`/corsSites/${siteId}/siteLogs`)).json<{
    _embedded: { siteLogs: { id: number; _links: { comparison?: { href: string } } }[] };
  }>();
  const links = _embedded.siteLogs.map(({ id, _links }) => [id, _links.comparison?.href]);
  const hrefOf = (id: number): string => `http://localhost:80/siteLogs/${id}/comparison`;
  t.same(
    new Map(links as [number, string][]),
    new Map<number, string | undefined>([
      [4, undefined],
      [2, hrefOf(2)],
      [1, hrefOf(1)],
      [3, hrefOf(3)],
    ]),
  );
});

t.test('the page has the changes by section, and is linked from the page of the log', async (t) => {
  const log = await openPage(service, '/sites/TEST/log');
  const hrefs = log.all('a', 'href').filter((href) => href.includes('/comparison'));
  t.same(hrefs, [
    '../../siteLogs/2/comparison',
    '../../siteLogs/2/comparison?with=4',
    '../../siteLogs/1/comparison',
    '../../siteLogs/2/comparison?with=1',
    '../../siteLogs/3/comparison',
    '../../siteLogs/2/comparison?with=3',
  ]);
  const page = await openPage(service, '/siteLogs/2/comparison');
  t.same(page.errors, []);
  t.same(page.numbers('[role=status]'), ['2']);
  const headings = page.named('h2').map((each) => page.attribute(each, 'id'));
  t.same(headings.slice(0, 2), ['section-1-heading', 'section-4-heading']);
  t.same(page.column('Change'), ['Site name', 'Radome']);
  t.same(page.column('Before'), ['Test', 'SCIT']);
  t.same(page.column('After'), ['<b>New</b>', 'LEIT']);
  const same = await openPage(service, '/siteLogs/2/comparison?with=2');
  t.same([same.numbers('[role=status]'), same.has('table')], [[], false]);
  t.match((await openPage(service, '/siteLogs/4/comparison', 404)).part('main p').text, 'TEST');
});

t.test('many changes are on several pages, and none is lost', triesMore, async (t) => {
  const own = await openService(t, [], { clock: () => NOW });
  const receivers = (maker: string) =>
    Array.from({ length: 700 }, (_, index) => ({
      type: `${maker} ${index}`,
      serial: `${maker}-${index}`,
      from: `${1300 + index}-01-01`,
      to: `${1300 + index}-06-01`,
    }));
  for (const [prepared, maker] of [
    ['2020-01-01', 'LEICA'],
    ['2021-01-01', 'TRIMBLE'],
  ] as const)
    await own.importText(logText({ prepared, receivers: receivers(maker) }), `${maker}.log`, NOW);
  const first = await compared('/siteLogs/2/comparison', own);
  t.same(first.page, { size: 1000, totalElements: 1400, totalPages: 2, number: 0 });
  t.equal(first.changes.length, 1000);
  const base = 'http://localhost:80';
  const { next, last } = first._links;
  t.same(next, { href: `${base}/siteLogs/2/comparison?page=1&size=1000` });
  t.same(last, next);
  const second = await compared(next!.href.slice(base.length), own);
  t.equal(new Set([...first.changes, ...second.changes].map(logChangeLine)).size, 1400);
  t.same(second._links.prev, { href: next!.href.replace('=1&', '=0&') });
  const lines = [...first.changes, ...second.changes].map(logChangeLine);
  for (const size of RUNS_ALL ? [7, 99, 100, 101, 999, 1000, 1001] : [999, 1001]) {
    const found: string[] = [];
    let url: string | undefined = `/siteLogs/2/comparison?size=${size}`;
    while (url !== undefined) {
      const { changes, _links } = await compared(url, own);
      found.push(...changes.map(logChangeLine));
      url = _links.next?.href.slice(base.length);
    }
    t.equal(found.join('\n'), lines.join('\n'), `pages of ${size}`);
  }
  const beyond = await compared('/siteLogs/2/comparison?page=7&with=1', own);
  t.same([beyond.changes, beyond.page.totalElements], [[], 1400]);
  t.equal(
    beyond._links.prev?.href,
    `${base}/siteLogs/2/comparison?with=1&page=1&size=1000`,
    'with the other parameters',
  );
  const page = await openPage(own, '/siteLogs/2/comparison?with=1');
  t.match(page.numbers('[role=status]'), [/^1,?400$/]);
  t.same(page.numbers('.pages'), ['1', '2']);
  t.equal(page.column('Before').length, 1000);
  const rest = await openPage(own, '/siteLogs/2/comparison?with=1&page=1');
  t.equal(rest.column('Before').length, 400);
  t.same(rest.numbers('.pages'), ['2', '2']);
  const beyondLast = await openPage(own, '/siteLogs/2/comparison?page=9');
  const toLast = beyondLast.attribute(beyondLast.part('main [rel=prev]').root!, 'href');
  t.equal(toLast, '../../siteLogs/2/comparison?page=1&size=1000');
});

t.test('a withdrawn log cannot be compared over HTTP', async (t) => {
  const own = await openService(t, [], { clock: () => NOW });
  await own.importText(version('2020-01-01', 'NONE'), 'a.log', NOW);
  await own.importText(version('2021-01-01', 'SCIT'), 'b.log', NOW);
  await own.importText(version('2022-01-01', 'LEIT'), 'c.log', NOW);
  await correct(own, 'TEST', { kind: 'withdraw', log: 2 });
  t.equal((await own.get('/siteLogs/2/comparison')).statusCode, 404);
  t.equal((await own.get('/siteLogs/3/comparison?with=2')).statusCode, 404);
  t.same(linesIn((await own.get('/siteLogs/3/comparison')).json<LogComparison>()), [
    '4.1 Antenna: radome NONE → LEIT',
  ]);
});

t.test('the page has the header fields of all pages, and its answers are not cached', async (t) => {
  const { headers } = await service.get('/siteLogs/2/comparison', { accept: BROWSER });
  t.equal(headers['content-type'], HTML);
  const json = await service.get('/siteLogs/2/comparison');
  t.equal(json.headers['cache-control'], headers['cache-control']);
});
