import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'parse5';
import t, { type Test } from 'tap';
import type { Comparison, SetupResource } from '../../schemas/index.js';
import { buildApp } from '../../src/http/app.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { FIXED_HEADERS } from '../fixed-headers.js';
import { hostileText, hostileXml, MARKUP } from '../hostile-logs.js';
import { CONTRACT, SAMPLE } from '../project-files.js';
import { openService, type Service } from '../service.js';
import { type Item, logText, placeOf, type SyntheticLog } from '../synthetic-log.js';
import { rawDatabase } from '../raw-database.js';
import { correct, CURRENT, fieldsOf, HAL, PROBLEM, read } from './answers.js';
import {
  BROWSER,
  HTML,
  type Element,
  HtmlPage as Page,
  openPage as open,
  sitesOn as rowsOf,
} from './html-page.js';

const POLICY =
  "default-src 'none';style-src 'self';img-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'";
const NOW = new Date('2026-01-01T00:00:00Z');

/** The marks of the map: the ids of single Sites, and the links and labels of groups. */
function mapOf(page: Page): { ids: string[]; groups: string[]; labels: string[] } {
  const targets = page.ofClass('targets');
  const links = targets.flatMap(({ childNodes }) =>
    childNodes.filter((node): node is Element => 'tagName' in node),
  );
  const hrefs = links.map((link) => page.attribute(link, 'href')!);
  return {
    ids: hrefs.flatMap((href) => /^\.\/sites\/(\w+)$/.exec(href)?.[1] ?? []),
    groups: hrefs.filter((href) => href.includes('bbox=')),
    labels: links.map((link) => new Page(serialize(link)).text.trim()),
  };
}

/** The lines of the log on its page. */
function linesOf(page: Page): string[] {
  const lines = page.ofClass('lines')[0]!;
  return new Page(serialize(lines))
    .named('code')
    .map(({ childNodes }) =>
      childNodes.map((node) => ('value' in node ? node.value : '')).join(''),
    );
}

const PAGES = [
  '/compare',
  '/compare?site=ALIC&site=MCIL',
  '/network',
  '/changes?from=2010-01-01',
  '/api',
  '/sites/ALIC?from=2012-01-01&to=2014-01-01',
  '/sites',
  '/sites?q=leica&sort=changed,desc&map=sites',
  '/sites?at=2012-01-01&satelliteSystem=GPS&countryCode=AUS',
  '/sites/ALIC',
  '/sites/ALIC/log',
  '/sites/ALIC?at=2011-07-20',
  '/receivers',
  '/antennas',
  '/receivers?type=TRIMBLE%20NETRS',
];

/** The sample network, for the tests that change nothing. */
const sample = await openService(t, [SAMPLE], { clock: () => NOW });
/** A service over synthetic logs. */
const over = async (t: Test, ...logs: SyntheticLog[]): Promise<Service> => {
  const service = await openService(t, [], { clock: () => NOW });
  for (const log of logs)
    await service.importText(log, `${(log.id ?? 'TEST').toLowerCase()}_20200101.log`);
  return service;
};

t.test(
  'a page has the header fields of the API, and a policy that allows only styles and images of the service',
  async (t) => {
    const expected = {
      ...FIXED_HEADERS,
      'content-type': HTML,
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
    };
    const errors = { '/sites/XXXX': 404, '/sites/ALIC?at=x': 400, '/nothing': 404 };
    for (const [url, status] of [
      ...PAGES.map((page) => [page, 200] as const),
      ...Object.entries(errors),
    ]) {
      const { statusCode, headers, rawPayload } = await sample.get(url, { accept: BROWSER });
      const length = String(rawPayload.length);
      t.same(
        [statusCode, fieldsOf(headers)],
        [status, { ...expected, 'content-length': length }],
        url,
      );
      const head = await sample.app.inject({ method: 'HEAD', url, headers: { accept: BROWSER } });
      t.same(
        [head.statusCode, head.headers['content-security-policy'], head.body],
        [status, POLICY, ''],
        `HEAD ${url}`,
      );
    }
    const style = await sample.get('/style.css');
    t.same([style.statusCode, style.headers['content-type']], [200, 'text/css;charset=UTF-8']);
    t.notMatch(style.body, /url\((?!#)|@import|@font-face/);
    t.same((await sample.get('/icon.svg')).headers['content-type'], 'image/svg+xml;charset=UTF-8');
  },
);

t.test('GET / redirects browsers to the pages and sends HAL to every other client', async (t) => {
  const root = await sample.get('/');
  t.equal(root.headers['content-type'], HAL);
  for (const accept of [
    BROWSER,
    'text/html',
    'text/html, */*',
    'TEXT/HTML;q=1',
    'text/html,application/hal+json;q=0.5',
  ]) {
    const response = await sample.get('/', { accept });
    t.same([response.statusCode, response.headers.location], [302, './sites'], accept);
  }
  for (const accept of [
    ...[
      '*/*',
      'application/hal+json',
      'application/json',
      'application/hal+json, text/html;q=0.9',
      'text/html, application/hal+json',
    ],
    ...['text/html;q=0', 'text/html;q=0.5, */*', 'image/png', 'nonsense;;;,'],
    'application/prs.hal-forms+json, application/hal+json;q=0.9, application/json;q=0.8, */*;q=0.1',
    // The default of Java's HttpURLConnection.
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  ]) {
    const { statusCode, headers, body } = await sample.get('/', { accept });
    t.same([statusCode, fieldsOf(headers), body], [200, fieldsOf(root.headers), root.body], accept);
  }
  // Alternate, so that a response cached for one client would reach the other.
  t.equal(
    (await sample.app.inject({ method: 'HEAD', url: '/', headers: { accept: BROWSER } }))
      .statusCode,
    302,
  );
});

/** The parts of a page that could run code, load something or set styles. */
const activeIn = (page: Page): string[] => [
  ...page.elements
    .map(({ tagName }) => tagName)
    .filter((name) => ['script', 'style', 'img', 'iframe', 'object'].includes(name)),
  ...page.elements
    .flatMap(({ attrs }) => attrs.map(({ name }) => name))
    .filter((name) => /^on|^style$|^src$/.test(name)),
];

t.test(
  'every page is well-formed, has no script or inline style, and links to the JSON behind it',
  async (t) => {
    for (const [url, status] of [
      ...PAGES.map((page) => [page, 200] as const),
      ['/sites/XXXX', 404],
      ['/a/b/c', 404],
    ] as const) {
      const page = await open(sample, url, status);
      const ids = page.elements.flatMap((element) => page.attribute(element, 'id') ?? []);
      t.same(
        [page.errors, activeIn(page), ids.filter((id, index) => ids.indexOf(id) !== index)],
        [[], [], []],
        url,
      );
      const alternates = page
        .named('link')
        .filter((link) => page.attribute(link, 'rel') === 'alternate');
      t.ok(alternates.length > 0, url);
      for (const link of alternates) {
        const href = page.attribute(link, 'href')!;
        // The description of the API and exports are the only resources that are not HAL.
        const isExport = href.includes('.ndjson');
        const ofApi = url === '/api' ? 'application/json' : 'application/hal+json';
        const type = isExport ? 'application/x-ndjson' : ofApi;
        const json = await sample.get(resolved(href, url));
        const found = [200, isExport ? type : `${type};charset=UTF-8`];
        const expected = url === '/sites/XXXX' ? [404, PROBLEM] : found;
        const shown = [
          page.attribute(link, 'type'),
          page.all('a', 'href').includes(href),
          json.statusCode,
          json.headers['content-type'],
        ];
        t.same(shown, [type, true, ...expected], `${url}: ${href}`);
      }
    }
  },
);

/** Where a link of a page leads. */
function resolved(href: string, url: string): string {
  const { pathname, search } = new URL(href, `http://localhost${url}`);
  return pathname + search;
}

t.test('the JSON that a page links to has what the page shows', async (t) => {
  type Found = { id: number; serialNumber: string; fourCharacterId: string };
  type Json = { effectivePeriod: object; _embedded?: Record<string, Found[]> };

  const jsonOf = async (
    url: string,
    index: number,
  ): Promise<{ page: Page; json: Json; elements: Found[] }> => {
    const page = await open(sample, url);
    const href = page.all('link', 'href').filter((each) => !/style|icon/.test(each))[index]!;
    const json = (await sample.get(resolved(href, url))).json<Json>();
    return { page, json, elements: Object.values(json._embedded ?? {}).flat() };
  };
  const devices = await jsonOf('/receivers?type=TRIMBLE%20NETRS', 0);
  const numbers = devices.elements.map(({ serialNumber }) => serialNumber);
  t.same(devices.page.column('Serial number'), numbers);
  const setups = await jsonOf('/sites/ALIC', 1);
  t.equal(setups.page.column('Receiver').length, setups.elements.length);
  const found = await jsonOf('/sites?q=trimble', 1);
  t.equal(rowsOf(found.page).length, found.elements.length);
  const sorted = await jsonOf('/sites?sort=name,desc', 0);
  const ids = sorted.elements.map(({ fourCharacterId }) => fourCharacterId);
  t.same(rowsOf(sorted.page), ids);
  t.same((await jsonOf('/sites/ALIC?at=2011-07-20', 0)).json.effectivePeriod, {
    from: '2011-07-20T00:00:00Z',
    to: '2013-03-08T00:00:00Z',
  });
});

t.test('types and serial numbers of any length have pages', async (t) => {
  const service = await over(t, {
    receivers: [{ type: 'T'.repeat(900), serial: 'S'.repeat(900), from: '2010-01-01' }],
  });
  for (const url of ['/receivers', '/sites/TEST']) {
    const link = (await open(service, url))
      .all('a', 'href')
      .find((href) => href.includes('receivers?type='))!;
    t.match((await open(service, link.replace(/^\.+/, ''))).text, '1 GNSS receiver', url);
  }
});

t.test('a site without a name is shown and sorted by its id', async (t) => {
  const service = await over(t);
  for (const [id, name, city] of [
    ['AAAA', '', 'Zürich'],
    ['BBBB', 'Bern', ''],
    ['CCCC', '', ''],
  ] as const) {
    await service.importText({ id, name, place: { 'City or Town': city } }, `${id}_20200101.log`);
  }
  const names = ['AAAA', 'Bern', 'CCCC'];
  t.same((await open(service, '/sites?sort=name')).column('Name'), names);
  t.same((await open(service, '/sites?sort=name,desc')).column('Name'), names.toReversed());
});

t.test('a page with hundreds of receivers that were never removed names only some', async (t) => {
  const receivers = Array.from({ length: 300 }, (_, index) => ({
    type: 'R0',
    serial: String(index),
    from: new Date(Date.UTC(2000, 0, 1 + index)).toISOString().slice(0, 10),
  }));
  const { body } = await (await over(t, { receivers })).get('/sites/TEST');
  t.match(body, /and 295 more/);
  t.ok(body.length < 2_000_000, `${body.length} characters`);
});

/**
 * How many links that differ only in their values a test follows: maps and timelines lead to others
 * without end.
 */
const MOST_OF_FORM = 4;

/** The file of a log, which has contacts. The page of the interface links to it. */
const FILE = '/siteLogs/1/original';
/** The status of each link that is not answered with 200: the root sends browsers to the Sites. */
const OTHER_STATUSES: Partial<Record<string, number>> = { '/': 302, [FILE]: 403 };

t.test('every link of every page works, also below the path of a proxy', async (t) => {
  const prefix = 'http://localhost/equipment';
  const seen = new Set<string>();
  const queue = ['/sites'];
  const wrong: string[] = [];
  /** How many links of each form were followed. */
  const forms = new Map<string, number>();
  for (let url: string | undefined = queue.pop(); url !== undefined; url = queue.pop()) {
    const page = await open(sample, url);
    const ids = new Set(page.elements.map((element) => page.attribute(element, 'id')));
    for (const link of [
      ...page.all('a', 'href'),
      ...page.all('link', 'href'),
      ...page.all('form', 'action'),
    ]) {
      const { href, pathname, search, hash, searchParams }: URL = new URL(link, prefix + url);
      if (!href.startsWith(`${prefix}/`)) wrong.push(`${url}: ${href}`);
      const target: string = pathname.slice('/equipment'.length) + search;
      if (hash !== '' && target === url && !ids.has(hash.slice(1))) wrong.push(`${url}: ${hash}`);
      const form = `${pathname} ${[...searchParams.keys()].join()}`;
      const followed = forms.get(form) ?? 0;
      if (seen.has(target) || followed >= MOST_OF_FORM) continue;
      forms.set(form, followed + 1);
      seen.add(target);
      const { statusCode, headers } = await sample.get(target, { accept: BROWSER });
      if (statusCode !== (OTHER_STATUSES[target] ?? 200))
        wrong.push(`${url}: ${target}: ${statusCode}`);
      if (headers['content-type'] === HTML) queue.push(target);
    }
  }
  t.same(wrong, []);
  t.ok(seen.size > 150 && seen.has(FILE), `${seen.size} links`);
});

t.test('/sites shows every site, its status, its equipment and the last change', async (t) => {
  const page = await open(sample, '/sites');
  t.same(rowsOf(page), ['ALIC', 'BOR1', 'HOUZ', 'MCIL', 'MFKG', 'NAMA', 'NYA1', 'UCLU']);
  t.match(
    page.text,
    /ALIC Alice Springs AU012 AUS Active LEICA GR25 LEIAR25\.R3 NONE GPS [A-Z ]+ 2017-02-23 BOR1/,
  );
  t.match(page.text, 'The sites and their current equipment, as far as their site logs say.');
  t.same(mapOf(page).ids.sort(), rowsOf(page).sort());
});

t.test('/sites?at= shows the equipment of an instant, and leads to it', async (t) => {
  const service = await over(
    t,
    {
      id: 'AAAA',
      receivers: [
        { type: 'R0', serial: '1', from: '2001-01-01', to: '2003-01-01' },
        { type: 'R1', serial: '2', from: '2003-01-01T12:00Z', to: '2005-01-01' },
      ],
      antennas: [{ type: 'A0', serial: '3', from: '2001-01-01' }],
      clocks: [{ type: 'QUARTZ', from: '2000-01-01' }],
    },
    { id: 'BBBB', receivers: [{ type: 'R2', serial: '4', from: '2004-01-01' }] },
    { id: 'CCCC', receivers: [{ type: 'R3', serial: '5', from: '2001-01-01', to: '2002-01-01' }] },
  );
  const rowsAt = async (query: string): Promise<string[]> => {
    const page = await open(service, `/sites${query}`);
    return page.rowsOf(page.named('table')[0]!).map((row) => row.slice(3).join('|'));
  };
  const HEAD = 'Status|Receiver|Antenna|Systems|Last change';
  t.same(await rowsAt('?at=2001-06-01'), [
    HEAD,
    'Active|R0|A0|unknown|2001-01-01',
    'No current GNSS antenna|R3|–|unknown|2001-01-01',
  ]);
  t.same(await rowsAt('?at=2003-01-01T06:00Z'), [
    HEAD,
    'No current GNSS receiver|–|A0|–|2003-01-01',
    'No current equipment|–|–|–|2002-01-01',
  ]);
  t.same(await rowsAt('?at=2000-06-01'), [
    HEAD,
    'No current GNSS receiver, GNSS antenna|–|–|–|2000-01-01',
  ]);
  t.same(await rowsAt('?at=2004-06-01&sort=receiver,desc'), [
    HEAD,
    'No current GNSS antenna|R2|–|unknown|2004-01-01',
    'Active|R1|A0|unknown|2003-01-01',
    'No current equipment|–|–|–|2002-01-01',
  ]);
  t.same(await rowsAt('?sort=changed,desc'), [
    HEAD,
    'No current GNSS receiver|–|A0|–|2005-01-01',
    'No current GNSS antenna|R2|–|unknown|2004-01-01',
    'No current equipment|–|–|–|2002-01-01',
  ]);
  const page = await open(service, '/sites?at=2004-06-01&map=world');
  t.match(page.text, '3 sites, as of 2004-06-01.');
  t.match(page.text, 'The sites and their equipment as of 2004-06-01.');
  t.ok(page.all('a', 'href').includes('./sites/BBBB?at=2004-06-01'));
  const json = page.all('link', 'href').find((link) => link.includes('findAt'))!;
  const setups = JSON.parse((await service.get(json.slice(1))).body) as { _embedded: object };
  t.equal(Object.values(setups._embedded).flat().length, 3);
  const exact = await service.get('/sites?q=aaaa&at=2002-06-01', { accept: BROWSER });
  t.equal(exact.headers.location, './sites/AAAA?at=2002-06-01');
});

t.test('/sites?q= with the exact id of a site leads straight to it', async (t) => {
  const { get } = sample;
  for (const [q, id] of [
    ['ALIC', 'ALIC'],
    ['alic', 'ALIC'],
    ['%20houz00glp%20', 'HOUZ00GLP'],
    ['HOUZ', 'HOUZ'],
  ]) {
    const response = await get(`/sites?q=${q}`, { accept: BROWSER });
    t.same([response.statusCode, response.headers.location], [302, `./sites/${id}`], String(q));
  }
  for (const q of ['XXXX', 'HOUZ00AUS', 'HOUZ00GL', 'ALI', 'ALICE', '%20%20', 'x'.repeat(200)])
    t.equal((await get(`/sites?q=${q}`)).statusCode, 200, q);
});

t.test('/sites?q= with the id of a retired or renamed site finds what became of it', async (t) => {
  const service = await over(t, { id: 'AAAA' }, { id: 'BBBB' }, { id: 'CCCC', name: 'AAAA north' });
  await correct(service, 'BBBB', { kind: 'retire' });
  const retired = await service.get('/sites?q=bbbb', { accept: BROWSER });
  t.same([retired.statusCode, retired.headers.location], [302, './sites/BBBB']);
  t.match((await open(service, '/sites/BBBB', 404)).text, 'BBBB was retired at');
  await correct(service, 'AAAA', { kind: 'retire' });
  t.same(rowsOf(await open(service, '/sites?q=aaaa')), ['CCCC'], 'others that match are shown');
  await correct(service, 'CCCC', { kind: 'rename', to: parseSiteId('DDDD') });
  t.same(rowsOf(await open(service, '/sites?q=cccc')), ['DDDD'], 'by its former id');
});

t.test(
  '/sites?q= also finds former equipment, as a second group, and offers what is similar if it finds nothing',
  async (t) => {
    const receivers = [
      { type: 'TRIMBLE NETRS', serial: 'S-1', from: '2010-01-01', to: '2015-01-01' },
      { type: 'TRIMBLE NETR9', serial: 'S-2', from: '2015-01-01' },
    ];
    const other = [{ type: 'TRIMBLE NETRS', serial: 'S-3', from: '2010-01-01' }];
    const service = await over(
      t,
      {
        id: 'AAAA',
        name: 'Alpha',
        receivers,
        antennas: [{ type: 'TRM29659.00', serial: 'T-1', from: '2010-01-01' }],
      },
      { id: 'BBBB', name: 'Bravo', receivers: other },
    );
    const both = await open(service, '/sites?q=netrs');
    t.same(rowsOf(both), ['BBBB', 'AAAA']);
    t.match(both.text, '1 site. ');
    t.match(
      both.text,
      /Former equipment 1 further site had equipment that matches “netrs” in the past\./,
    );
    const past = await open(service, '/sites?q=s-1');
    t.match(past.text, 'No site matches “s-1”.');
    t.same(rowsOf(past), ['AAAA']);
    /** The ids in the download of a search. */
    const downloadedFrom = async (page: Page): Promise<unknown[]> => {
      const link = page.all('a', 'href').find((href) => href.includes('/exports/sites.csv'))!;
      return (await service.get(link.slice(1))).body.match(/(?<=^\d+,)\w{4}/gm)!;
    };
    t.same([await downloadedFrom(past), await downloadedFrom(both)], [['AAAA'], ['AAAA', 'BBBB']]);
    const withAntenna = await open(service, '/sites?q=s-1&type=*');
    t.same(rowsOf(withAntenna), ['AAAA']);
    t.notMatch(withAntenna.text, 'Download these sites', 'exports have no filter by antenna');
    await service.importText({ id: 'CCCC00AUS', name: 'Charlie' }, 'cccc00aus_20200101.log');
    // The country is compared too, and the beginning of a serial number.
    for (const [q, words] of Object.entries({
      netsr: /No site matches “netsr”\. .*Similar: TRIMBLE NETRS/,
      bravvo: 'Similar: BBBB Bravo',
      'bravvo+nowere': 'Similar: BBBB Bravo',
      CCCC00XXX: 'Similar: CCCC Charlie',
      'S-10': 'Similar: S-1 TRIMBLE NETRS',
      'TRIMBEL+NETR': 'TRIMBLE NETR9',
    }))
      t.match((await open(service, `/sites?q=${q}`)).text, words, q);
    t.notMatch((await open(service, '/sites?q=zzzzzzzz')).text, 'Similar');
  },
);

t.test('/receivers finds a type in any spelling, and a serial number of any type', async (t) => {
  for (const [query, location] of [
    ['serialNumber=', './antennas?type=LEIAR25.R3%20%20%20%20%20%20NONE'],
    ['serialNumber=9', './antennas?type=LEIAR25.R3%20%20%20%20%20%20NONE&serialNumber=9'],
  ]) {
    const { statusCode, headers } = await sample.get(`/antennas?type=leiar25.r3%20none&${query}`, {
      accept: BROWSER,
    });
    t.same([statusCode, headers.location], [302, location]);
  }
  const similar = /These serial numbers are similar: 1830439 LEICA GR25/;
  for (const [query, words] of [
    // A form sends all its fields.
    ['type=&serialNumber=', /TRIMBLE NETRS 7 5 5/],
    ['type=&serialNumber=1830439', 'GNSS receivers with serial number 1830439'],
    [
      'type=netr&serialNumber=',
      /No GNSS receiver of type “netr”\. These types are similar: TRIMBLE NETRS/,
    ],
    ['type=TRIMBEL%20NETRS', /These types are similar: TRIMBLE NETRS/],
    [
      'type=TRIMBLE%20NETRS&serialNumber=nothing',
      'No GNSS receiver of type “TRIMBLE NETRS” with serial number “nothing”.',
    ],
    ['serialNumber=nothing', 'No GNSS receiver with serial number “nothing”.'],
    // A part, one wrong character at the end, and the number of another type.
    ...[
      'serialNumber=183043',
      'serialNumber=1830430',
      'type=TRIMBLE%20NETRS&serialNumber=1830439',
    ].map((each) => [each, similar] as const),
  ] as const)
    t.match((await open(sample, `/receivers?${query}`)).text, words, query);
  // The second is too short; a type is not a serial number.
  for (const number of ['nothing', '18', 'LEICA'])
    t.notMatch((await open(sample, `/receivers?serialNumber=${number}`)).text, 'similar', number);
});

t.test('/sites?sort= sorts by every column in both directions, unknown values last', async (t) => {
  const service = await openService(t, [SAMPLE], { clock: () => NOW });
  await service.importText({ id: 'AAAA', name: '' }, 'aaaa_20200101.log');
  const orders = { Site: 'id', Name: 'name', Country: 'country', Receiver: 'receiver' };
  const others = { Antenna: 'antenna', 'Last change': 'changed' };
  for (const [label, by] of Object.entries({ ...orders, ...others })) {
    for (const direction of ['', ',desc']) {
      const page = await open(service, `/sites?sort=${by}${direction}`);
      const texts = page.column(label).map((text) => text.toUpperCase());
      const known = texts.filter((text) => text !== '–');
      const sorted = direction === ',desc' ? known.toSorted().reverse() : known.toSorted();
      t.same([texts.length, texts.slice(0, known.length)], [9, sorted], `${by}${direction}`);
      t.equal(
        known.length,
        ['id', 'name', 'country'].includes(by) ? 9 : 8,
        `${by}${direction}: the unknown is last`,
      );
    }
  }
  const page = await open(service, '/sites?sort=name,desc&q=a');
  const sorted = page
    .named('th')
    .find((element) => page.attribute(element, 'aria-sort') !== undefined)!;
  t.equal(page.attribute(sorted, 'aria-sort'), 'descending');
  t.equal(
    page.attribute(sorted.childNodes.find((node) => 'tagName' in node) as Element, 'href'),
    './sites?q=a&sort=name',
  );
});

t.test(
  '/sites shows one form of each country, with the text of the log as its title',
  async (t) => {
    const service = await over(t);
    for (const [id, country] of Object.entries({
      AAAA: 'Australia',
      BBBB: 'Nowhere',
      CCCC: 'AUS',
      DDDD: '',
    }))
      await service.importText({ id, country }, `${id.toLowerCase()}_20200101.log`);
    const page = await open(service, '/sites');
    t.same(page.column('Country'), ['AUS', 'Nowhere', 'AUS', 'unknown']);
    t.equal(page.all('span', 'title').filter((title) => title === 'Australia').length, 1);
    t.same((await open(service, '/sites?sort=country')).column('Site'), [
      'AAAA',
      'CCCC',
      'BBBB',
      'DDDD',
    ]);
  },
);

t.test(
  '/sites shows fifty sites per page; its map shows all sites found on every page, and counts them by country',
  async (t) => {
    const service = await openService(t, [SAMPLE], { clock: () => NOW });
    const sites = Array.from({ length: 1200 }, (_, index) => ({
      id: 1000 + index,
      four_character_id: `${index < 1000 ? 'Q' : 'R'}${String(index % 1000).padStart(3, '0')}`,
      latitude: -37 - index / 1000,
      longitude: index < 1150 ? 144 + index / 500 : null,
      country: index % 3 === 0 ? null : 'AUS',
      country_code: index < 1100 ? 'AUS' : null,
      former_ids: '[]',
      last_event: 0,
    }));
    await rawDatabase(service.database).insert('site', sites);
    const sitesOf = (page: Page): number =>
      mapOf(page).labels.reduce(
        (sum, label) => sum + Number(/^([\d,]+) sites: /.exec(label)?.[1]!.replace(',', '') ?? 1),
        0,
      );
    const pages: Page[] = [];
    for (const [query, rows] of [
      ['', 50],
      ['?page=1', 50],
      ['?page=24', 8],
      ['?page=25', 0],
    ] as const) {
      const page = await open(service, `/sites${query}`);
      t.same([rowsOf(page).length, sitesOf(page)], [rows, 1158], query);
      // However the country is written in the log; ALIC has “Australia”.
      t.match(
        page.text,
        / Australia 1,101 .* Other or unknown 50 .*50 sites without a position\. Map data/,
      );
      t.notMatch(page.text, / AUS 1/);
      pages.push(page);
    }
    t.equal(new Set(pages.flatMap(rowsOf)).size, 108);
    const words = [
      '1,208 sites, showing 1 to 50.',
      'Page 2 of 25',
      'Page 25 of 25',
      'There is no page 26. Go to the last page',
    ];
    for (const [index, { text }] of pages.entries()) t.match(text, words[index]!);
    t.ok(pages.at(-1)!.all('a', 'href').includes('./sites?page=24'));
    const zoomed = await open(service, '/sites?bbox=110,-45,155,-10&page=23');
    t.same([rowsOf(zoomed).length, sitesOf(zoomed)], [1, 1151]);
    t.equal(sitesOf(await open(service, '/sites?q=alice&map=sites')), 1, 'only what is found');
    t.same(
      mapOf(await open(service, '/sites?q=alice')).labels,
      [],
      'no map of a single Site unless asked for',
    );
  },
);

t.test(
  '/sites?bbox= zooms the map and the table to an area, also across the date line',
  async (t) => {
    for (const [bbox, ids] of [
      ['110,-45,155,-10', ['ALIC']],
      ['133.88,-23.68,133.89,-23.66', ['ALIC']],
      ['-180,-90,180,90', ['ALIC', 'BOR1', 'HOUZ', 'MCIL', 'MFKG', 'NAMA', 'NYA1', 'UCLU']],
      // Marcus Island is at 153.98° E, Ucluelet at 125.54° W.
      ['150,0,-120,60', ['MCIL', 'UCLU']],
      ['-120,0,150,60', ['BOR1', 'HOUZ', 'NAMA']],
      ['0,0,1,1', []],
    ] as const) {
      const page = await open(sample, `/sites?bbox=${bbox}`);
      t.same([rowsOf(page), mapOf(page).ids.sort(), page.errors], [ids, ids, []], bbox);
    }
    t.match((await open(sample, '/sites?bbox=0,0,1,1')).text, 'There are no sites in this area.');
    t.match(
      (await open(sample, '/sites?bbox=0,0,1,1&q=alic%20springs')).text,
      'No site in this area matches “alic springs”.',
    );
    const zoomed = await open(sample, '/sites?bbox=110,-45,155,-10&sort=name');
    t.ok(
      zoomed.all('a', 'href').includes('./sites?bbox=121.25,-36.25,143.75,-18.75&sort=name'),
      'a link zooms in and keeps the order',
    );
    for (const wrong of ['1,2,3', 'a,b,c,d', '0,10,1,5', '0,0,181,1'])
      t.match(
        (await open(sample, `/sites?bbox=${wrong}`, 400)).text,
        'west,south,east,north in degrees',
        wrong,
      );
  },
);

t.test('/sites has at most 130 kB for 20,000 sites in all countries', async (t) => {
  const service = await openService(t, [SAMPLE], { clock: () => NOW });
  const codes = [...'ABCDEFGHIJKLM'].flatMap((a) => [...'ABCDEFGHIJKLMNO'].map((b) => a + b));
  const sites = Array.from({ length: 20_000 }, (_, index) => ({
    id: 1000 + index,
    four_character_id: index.toString(36).toUpperCase().padStart(4, '0'),
    name: `A station with a name of usual length ${index}`,
    // Spread over all latitudes and longitudes, denser here and there.
    latitude: ((index * 7919) % 17_000) / 100 - 85,
    longitude: (((index * 104_729) % 36_000) / 100 - 180) * (index % 3 === 0 ? 0.4 : 1),
    country: `Country ${codes[index % codes.length]} of a name`,
    country_code: `${codes[index % codes.length]}X`,
    former_ids: '[]',
    last_event: 0,
  }));
  const raw = rawDatabase(service.database);
  await raw.insert('site', sites);
  await raw.exec(`
    INSERT INTO setup
      (id, site_id, site_log_id, effective_from, recorded_at, equipment_in_use)
    SELECT 100000 + other.id, other.id, site_log_id, effective_from, recorded_at, equipment_in_use
    FROM setup, site AS other
    WHERE setup.site_id = (SELECT id FROM site WHERE four_character_id = 'ALIC')
      AND superseded_at IS NULL AND effective_to IS NULL AND other.id BETWEEN 1000 AND 1100`);
  for (const query of ['', '?page=1', '?map=sites', '?sort=name']) {
    const { body } = await service.get(`/sites${query}`, { accept: BROWSER });
    t.match(body, '20,008 sites', query);
    const size = Buffer.byteLength(body);
    t.ok(size > 50_000 && size <= 130_000, `/sites${query}: ${size} bytes`);
  }
});

t.test('sites too close to each other are one mark of the map, which zooms to them', async (t) => {
  const service = await openService(t, [SAMPLE], { clock: () => NOW });
  await rawDatabase(service.database)
    .exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
    INSERT INTO site (id, four_character_id, latitude, longitude, former_ids, last_event)
    SELECT 1000 + i, 'Q' || substr(CAST(1000 + i AS text), 2),
      -37 - i / 100.0, 144 + i / 50.0, '[]', 0
    FROM n`);
  const page = await open(service, '/sites');
  const { groups, labels } = mapOf(page);
  t.equal(groups.length, 1);
  t.match(
    labels.find((label) => label.startsWith('20 sites')),
    'Q001, Q002, Q003, Q004 and 16 more',
  );
  const zoomed = await open(service, groups[0]!.slice(1));
  t.equal(rowsOf(zoomed).length, 20);
  t.ok(mapOf(zoomed).ids.length >= 15, `${mapOf(zoomed).ids.length} single marks`);
});

t.test(
  '/compare shows the current Setups of two to six sites, with differences marked, and their timelines',
  async (t) => {
    /** The Sites in the head of the table, and how many timelines there are. */
    const shownOn = (page: Page): [string[], number] => [
      page
        .rowsOf(page.named('table')[0]!)[0]!
        .slice(1)
        .map((head) => head.slice(0, 4)),
      page.all('svg', 'class').filter((name) => name === 'timeline').length,
    ];
    // The form sends one field. An id twice, in either case and length, is one Site.
    const twice = ['site=ALIC&site=MCIL&site=alic', 'site=ALIC&site=MCIL&site=alic00aus'];
    for (const query of ['site=ALIC&site=MCIL', 'site=ALIC+MCIL', 'site=alic,%20MCIL', ...twice])
      t.same(shownOn(await open(sample, `/compare?${query}`)), [['ALIC', 'MCIL'], 2], query);
    const { text } = await open(sample, '/compare?site=ALIC&site=MCIL');
    t.match(text, /Type ≠ differs LEICA GR25 TRIMBLE 5700/);
    t.notMatch(text, /Serial number ≠/, 'serial numbers always differ');
    const { body } = await sample.get('/compare?site=ALIC&site=MCIL', { accept: 'text/html' });
    t.match(body, '>GPS+<wbr />GLO', 'satellite systems break between them only');
    const six = ['ALIC', 'BOR1', 'HOUZ', 'MCIL', 'MFKG', 'NAMA'];
    const all = await open(sample, `/compare?site=${six.join('&site=')}`);
    t.same([shownOn(all), all.errors], [[six, 6], []]);
    const none = await open(sample, '/compare?site=');
    t.match(none.text, '2 to 6 ids');
    t.equal(none.named('table').length, 0);
    for (const [query, status, words] of [
      [
        `site=${[...six, 'NYA1'].join('+')}`,
        400,
        'names 7 Sites; allowed: at most 6 different Sites.',
      ],
      [`site=${[...six, 'NYA1'].join('&site=')}`, 400, '6'],
      ['site=ALIC+XXXX', 404, 'XXXX'],
      ['site=ALIC+nonsense!', 404, 'NONSENSE!'],
    ] as const)
      t.match((await open(sample, `/compare?${query}`, status)).text, words, query);
  },
);

t.test(
  '/compare marks what differs where all Sites have the item, but nothing of its own',
  async (t) => {
    const receiver = (firmware: string, serial: string) => ({
      type: 'R1',
      serial,
      from: '2001-01-01',
      more: { 'Firmware Version': firmware },
    });
    const antenna = { type: 'A1', serial: '1', from: '2001-01-01' };
    const service = await over(
      t,
      { id: 'AAAA', receivers: [receiver('1.0', '1')], antennas: [antenna] },
      { id: 'BBBB', receivers: [receiver('2.0', '2')] },
    );
    const { equipment } = await read<Comparison>(
      t,
      service,
      'Comparison',
      '/compare?site=AAAA&site=BBBB',
    );
    const different = equipment.map(({ equipmentType, properties }) => [
      equipmentType,
      ...properties.filter(({ differs }) => differs).map(({ property }) => property),
    ]);
    t.same(different, [
      ['gnss receiver', 'firmwareVersion'],
      ['gnss antenna', 'type'],
    ]);
  },
);

t.test('/compare at an instant, and as JSON', async (t) => {
  const receiver = (temperature: string) => ({
    type: 'R1',
    serial: '1',
    from: '2001-01-01',
    more: { 'Temperature Stabiliz.': temperature, 'Firmware Version': '1.0' },
  });
  const replaced = [
    { ...receiver('none'), to: '2010-01-01' },
    { type: 'R2', serial: '2', from: '2010-01-01' },
  ];
  const service = await over(
    t,
    { id: 'AAAA', receivers: replaced },
    { id: 'BBBB', receivers: [receiver('')] },
  );
  const url = '/compare?site=AAAA+BBBB&at=2005-01-01';
  const page = await open(service, url);
  t.match(page.text, /The Setups at 2005-01-01/);
  t.notMatch(page.text, '≠ differs', 'unknown and none are the same');
  t.match((await open(service, '/compare?site=AAAA+BBBB')).text, /Type ≠ differs R2 R1/);
  t.match((await open(service, '/compare?site=AAAA&at=soon', 400)).text, 'soon');
  const json = await read<Comparison>(t, service, 'Comparison', url);
  const effectiveFrom = '2001-01-01T00:00:00Z';
  t.match(
    [json.at, json.sites],
    ['2005-01-01T00:00:00Z', ['AAAA', 'BBBB'].map((id) => ({ id, effectiveFrom }))],
  );
  t.match(json.equipment, [
    { equipmentType: 'gnss receiver', since: [effectiveFrom, effectiveFrom] },
  ]);
  const before = (await service.get('/compare?site=AAAA&at=1999-01-01')).json<Comparison>();
  t.same([before.sites[0]!.effectiveFrom, before.equipment], [null, []]);
  const property = (name: string) =>
    json.equipment[0]!.properties.find((each) => each.property === name);
  t.same(property('temperatureStabilization'), {
    property: 'temperatureStabilization',
    values: ['none', null],
    differs: false,
  });
  t.same(property('firmwareVersion')!.differs, false);
});

t.test('the page of an unknown Site offers similar ids and a search', async (t) => {
  const page = await open(sample, '/sites/ALIK', 404);
  t.match(page.text, /Similar: ALIC\b/);
  t.ok(page.all('form', 'role').includes('search'));
  t.notMatch((await open(sample, '/sites/9999', 404)).text, 'Similar');
});

t.test('/network counts what was in use at the beginning of each year', async (t) => {
  const own = [
    {
      type: 'R0',
      serial: '1',
      from: '2010-01-01',
      to: '2013-01-01',
      more: { 'Firmware Version': '1.0' },
    },
    { type: 'R1', serial: '2', from: '2013-01-01', more: { 'Firmware Version': '2.0' } },
  ];
  const other = [
    { type: 'R1', serial: '4', from: '2012-12-31', more: { 'Firmware Version': '2.1' } },
  ];
  const ownAntennas = [
    { type: 'A0', serial: '3', from: '2010-01-01T00:00:01Z', to: '2012-01-01T00:00:01Z' },
  ];
  const service = await over(
    t,
    { id: 'AAAA', receivers: own, antennas: ownAntennas },
    { id: 'BBBB', receivers: other },
  );
  const page = await open(service, '/network');
  t.same(page.errors, []);
  const [receivers, antennas, firmware] = page.named('table').map((table) => page.rowsOf(table));
  const years = Array.from({ length: 17 }, (_, index) => String(2010 + index));
  const counts = (from: number, to: number, count: string) =>
    years.map((year) => (Number(year) >= from && Number(year) <= to ? count : ''));
  t.same(receivers, [
    ['Type', ...years, 'Now'],
    ['R1', ...counts(2013, 2026, '2'), '2'],
    ['R0', ...counts(2010, 2012, '1'), '0'],
  ]);
  t.same(antennas!.slice(1), [['A0', ...counts(2011, 2012, '1'), '0']]);
  t.same(firmware!.slice(1), [
    ['R1 2.0', ...counts(2013, 2026, '1'), '1'],
    ['R1 2.1', ...counts(2013, 2026, '1'), '1'],
    ['R0 1.0', ...counts(2010, 2012, '1'), '0'],
  ]);
  t.match(page.text, 'GNSS receiver types in use, 2010 to 2026');
  t.same(page.column('Time'), [
    '2013-01-01',
    '2012-12-31',
    '2012-01-01 00:00:01',
    '2010-01-01 00:00:01',
    '2010-01-01',
  ]);
  t.same(page.column('First in use'), ['2012-12-31', '2013-01-01']);
  // The page is kept until something is imported.
  await service.importText(
    { id: 'CCCC', receivers: [{ type: 'R2', serial: '5', from: '2015-01-01' }] },
    'cccc_20200101.log',
  );
  const later = await open(service, '/network');
  t.match(later.text, 'R2 1 0 2010 2026 1 now, at most 1', 'with the axes of its chart');
  t.match(
    later.text,
    'Half of the site logs were prepared before 2020-01-01, the newest on 2020-01-01',
  );
  const { body } = await service.get('/network');
  t.equal(
    body.match(/<rect\s+class="assumed"/g)!.length,
    5 * 6,
    'the years after 2020 of each series in use',
  );
});

t.test('/network has all numbers in its tables, up to two hundred rows', async (t) => {
  const service = await over(t);
  const used = (type: string) => ({ type, serial: '1', from: '2020-01-01' });
  const read = async (words: string, isCut: boolean): Promise<void> => {
    const page = await open(service, '/network');
    t.equal(page.rowsOf(page.named('table')[0]!).length, 1 + 200);
    t.ok(page.text.includes(words), words);
    t.equal(page.text.includes('The 200 most frequent.'), isCut, words);
  };
  await service.importText({
    receivers: Array.from({ length: 200 }, (_, index) => used(`R${index}`)),
  });
  await read('The numbers, 200 rows', false);
  await service.importText({ id: 'MORE', receivers: [used('R200')] }, 'more_20200101.log');
  await read('The numbers, the first 200 of 201 rows', true);
});

t.test('/changes is a page with the filters of the API, the latest changes first', async (t) => {
  const service = await openService(t, [SAMPLE], { clock: () => NOW });
  const receivers = [
    { type: 'R0', serial: '1', from: '2010-01-01', to: '2011-01-01' },
    { type: 'R1', serial: '2', from: '2011-01-01T12:00Z' },
  ];
  await service.importText({ receivers }, 'test_20200101.log');
  const totalOf = async (query: string) => {
    const { page } = (await service.get(`/changes?size=1&${query}`)).json<{
      page: { totalElements: number };
    }>();
    return page.totalElements;
  };
  for (const [form, query] of [
    ['', ''],
    [
      'site=ALIC+bor1&from=2012-01-01&to=&equipmentType=&mergeGaps=&recordedSince=',
      'site=ALIC&site=BOR1&from=2012-01-01',
    ],
    [
      'site=&from=&to=2010-01-01&equipmentType=gnss+antenna&mergeGaps=&recordedSince=',
      'to=2010-01-01&equipmentType=gnss%20antenna',
    ],
    ['site=TEST&mergeGaps=PT0S', 'site=TEST&mergeGaps=PT0S'],
    ['recordedSince=2026-01-02', 'recordedSince=2026-01-02'],
  ] as const) {
    const page = await open(service, `/changes?${form}`);
    const total = await totalOf(query);
    t.match(page.text, total === 0 ? 'No changes.' : `${total} change`, form);
    const times = page.column('Time');
    t.same(
      [times.length, times, page.errors],
      [Math.min(total, 100), times.toSorted().reverse(), []],
      form,
    );
  }
  t.same([await totalOf('site=TEST'), await totalOf('site=TEST&mergeGaps=PT0S')], [2, 3]);
  // The form shows what was asked for, and the links keep it.
  const kinds = 'kind=removed&kind=replaced&kind=installed';
  const page = await open(
    service,
    `/changes?${kinds}&site=ALIC+BOR1&from=2012-01-01&equipmentType=gnss+antenna&mergeGaps=PT0S&size=2`,
  );
  const valueOf = (id: string) =>
    page
      .named('input')
      .flatMap((input) =>
        page.attribute(input, 'id') === id ? page.attribute(input, 'value') : [],
      );
  t.same([valueOf('site'), valueOf('from')], [['ALIC BOR1'], ['2012-01-01']]);
  const selectedOn = (each: Page) =>
    each
      .named('option')
      .flatMap((option) =>
        each.attribute(option, 'selected') === undefined ? [] : each.attribute(option, 'value'),
      );
  t.same(selectedOn(page), ['gnss antenna', 'PT0S']);
  t.ok(page.column('Time').length <= 2);
  t.ok(page.all('input', 'name').includes('kind'), 'the form keeps what it has no field for');
  const link = `./exports/changes.csv?from=2012-01-01&equipmentType=gnss%20antenna&${kinds}&site=ALIC&site=BOR1&mergeGaps=PT0S`;
  t.ok(page.all('a', 'href').includes(link));
  const other = await open(service, '/changes?mergeGaps=PT1H&size=100000');
  t.same(selectedOn(other), ['', 'PT1H'], 'a gap that the form does not offer stays chosen');
  t.ok(
    other.all('a', 'href').includes('./changes?mergeGaps=PT1H&size=1000'),
    'a page has at most 1000 changes',
  );
  // Pages count from the latest change.
  const all = (await open(service, '/changes?size=1000')).column('Time');
  const older = await open(service, '/changes?size=3&page=1');
  t.same(older.column('Time'), all.slice(3, 6));
  t.match(older.text, /Newer Page 2 of \d+ Older/);
  t.match((await open(service, '/changes?site=XXXX', 404)).text, 'XXXX');
  t.match((await open(service, '/changes?from=soon', 400)).text, 'soon');
});

t.test('changes name types as links, in a monospaced face', async (t) => {
  const type = 'LEIAR10         NONE';
  const longType = 'ASH701945B_M    SCIT';
  const antennas = [
    { type, serial: '1', from: '2010-01-01', to: '2011-01-01' },
    { type: longType, serial: '2', from: '2011-01-01T12:00Z', to: '2012-01-01' },
    { type: longType, serial: '2', from: '2012-01-01T12:00Z' },
  ];
  const service = await over(t, { antennas });
  for (const [url, root] of [
    ['/changes', '.'],
    ['/network', '.'],
    ['/sites/TEST', '..'],
    ['/sites/TEST?at=2011-01-01T06:00:00Z', '..'],
  ] as const) {
    const page = await open(service, url);
    const cells = page.elements.filter((element) =>
      ['Change', 'Changes'].includes(page.attribute(element, 'data-label') ?? ''),
    );
    const named = cells
      .map((cell) => new Page(serialize(cell)))
      .filter(({ text }) => /LEIAR10|ASH701945B_M/.test(text));
    t.ok(named.length >= 3, url);
    for (const cell of named) {
      const types = cell.all('a', 'href');
      t.equal(
        types.length,
        cell.text.split(/LEIAR10 |ASH701945B_M /).length - 1,
        `${url}: ${cell.text}`,
      );
      const isType = (href: string, index: number) =>
        href.startsWith(`${root}/antennas?type=`) && cell.all('a', 'class')[index] === 'type';
      t.ok(types.every(isType), types.join());
    }
  }
  const gap = (await open(service, '/sites/TEST?at=2011-01-01T06:00:00Z'))
    .named('p')
    .map((each) => serialize(each));
  t.ok(
    gap.some((text) =>
      /^No GNSS antenna from .*, while <a class="type" href="[^"]*">LEIAR10 {9}NONE<\/a>, serial/.test(
        text,
      ),
    ),
  );
});

t.test('/api shows the descriptions of the API as paragraphs, each once', async (t) => {
  const page = await open(sample, '/api');
  t.notMatch(page.text, '\\u000a');
  const texts = page.named('p').map((paragraph) => new Page(serialize(paragraph)).text.trim());
  t.match(texts[0], /^What equipment is, or was, .* station operators publish\.$/);
  for (const entry of page.named('details')) {
    const [first, second] = new Page(serialize(entry))
      .named('p')
      .map((paragraph) => serialize(paragraph));
    if (second !== undefined) t.not(first, second, page.attribute(entry, 'id') ?? '');
  }
});

t.test('/sites over an empty database says that nothing has been imported', async (t) => {
  const service = await openService(t);
  t.match(
    (await open(service, '/sites')).text,
    'No site log has been imported yet. Import some with: gnss-site-setups import PATH',
  );
  for (const url of [
    '/receivers',
    '/antennas',
    '/receivers?type=',
    '/antennas?type=X',
    '/compare',
    '/network',
    '/changes',
  ])
    t.same((await open(service, url)).errors, [], url);
});

t.test('/sites/ALIC leads to the site log that its Setup comes from', async (t) => {
  const { body } = await sample.get('/sites/ALIC', { accept: 'text/html' });
  const [, path] = /href="\.\.(\/setups\/\d+\?projection=provenance)"/.exec(body)!;
  const { provenance } = (await sample.get(path!)).json<SetupResource>();
  t.equal(provenance!.siteLog.name, 'alic_20170223.log');
});

t.test('/sites/ALIC describes the site and its Setup, each fact once', async (t) => {
  const page = await open(sample, '/sites/ALIC');
  const { text } = page;
  for (const words of [
    'ALIC · Alice Springs AU012',
    '50137M001',
    'Active in the site log of 2017-02-23 · Geoscience Australia · Alice Springs, Northern Territory, Australia',
    '23.67012° S, 133.88551° E, 603.4 m above the ellipsoid',
    'In effect since 2017-02-23.',
    'Elevation cutoff 0°. Not temperature-stabilized.',
    'Antenna reference point BPA.',
    '2.4 m above the antenna.',
    'GNSS receiver LEICA GR25 reconfigured: firmware 4.10.598/6.523 → 4.11.606/6.523.',
    /Last change 2017-02-23 ?: GNSS receiver LEICA GR25 reconfigured/,
    /prepared on 2017-02-23 ?\(8\.9 years ago\)\. Later changes are not known; the equipment is assumed/,
    'The checks of the log gave no warnings.',
    'the first gnss receiver came 6893 days after the site',
  ]) {
    t.match(text, words);
  }
  const [receiver, antenna] = page.named('table').map((each) => page.rowsOf(each));
  t.same(receiver!.slice(0, 2), [
    ['Type', 'Serial number', 'Firmware', 'Satellite systems', 'Since (UTC)'],
    [
      'LEICA GR25',
      '1830439',
      '4.11.606/6.523',
      'GPS GLONASS Galileo BeiDou QZSS',
      '2016-02-04 this firmware and these settings since 2017-02-23',
    ],
  ]);
  t.same(antenna!.slice(0, 2), [
    ['Type', 'Radome', 'Serial number', 'Up', 'North', 'East', 'Azimuth', 'Since (UTC)'],
    ['LEIAR25.R3', 'NONE', '09370001', '0.0015 m', '0 m', '0 m', '0°', '2011-07-20'],
  ]);
  t.notMatch(text, 'in words');
  t.match(
    (await open(sample, '/sites/MCIL')).text,
    /assumed to be unchanged\. The checks of the log gave 5 warnings ?\./,
  );
});

t.test('/sites/{id} says whether the site is active', async (t) => {
  const item = { type: 'R0', serial: '1', from: '2010-01-01' };
  const antenna = { type: 'A0', serial: '2', from: '2010-01-01' };
  const cases: [string, SyntheticLog][] = [
    ['Active', { receivers: [item], antennas: [antenna] }],
    ['No current GNSS antenna', { receivers: [item] }],
    ['No current equipment', { receivers: [{ ...item, to: '2015-01-01' }] }],
  ];
  for (const [status, log] of cases) {
    const page = await open(await over(t, log), '/sites/TEST');
    t.match(new Page(serialize(page.ofClass('summary')[0]!)).text, status);
  }
});

t.test(
  '/sites/{id} folds all Setups but the latest 20, and opens the one that it shows',
  async (t) => {
    const day = (index: number): string => `20${String(index).padStart(2, '0')}-01-01`;
    const receivers = Array.from({ length: 25 }, (_, index) => ({
      type: `R${index}`,
      serial: '1',
      from: day(index),
      to: day(index + 1),
    }));
    const service = await over(t, { receivers });
    const page = await open(service, '/sites/TEST');
    t.match(page.text, /26 Setups, latest first .*6 earlier Setups/);
    const folds = (each: typeof page): (string | undefined)[] =>
      each.ofClass('fold').map((fold) => each.attribute(fold, 'open'));
    t.same(folds(page), [undefined]);
    t.same(folds(await open(service, '/sites/TEST?at=2001-02-01')), ['']);
    t.same(page.errors, []);
  },
);

t.test(
  '/sites/{id} has the versions of its log with what changed, and its neighbours',
  async (t) => {
    const service = await openService(t, [], { clock: () => NOW });
    const near = (minutes: string) => placeOf(`+50${minutes}00.00`, '+0100000.00');
    await service.importText({ id: 'AAAA', place: near('00') }, 'aaaa_20200101.log');
    await service.importText({ id: 'BBBB', place: near('06') }, 'bbbb_20200101.log');
    await service.importText(
      { id: 'AAAA', place: near('00'), prepared: '2020-02-01' },
      'aaaa_20200201.log',
    );
    const page = await open(service, '/sites/AAAA');
    t.match(page.text, 'Nearest sites: BBBB 11 km');
    t.match(page.text, /aaaa_20200201\.log .* what changed aaaa_20200101\.log .* first version/);
    const comparison = page.all('a', 'href').find((url) => url.endsWith('/comparison'))!;
    t.equal((await service.get(resolved(comparison, '/sites/AAAA'))).statusCode, 200);
    t.match(
      (await open(sample, '/sites/ALIC')).text,
      'No other site of this service is within 200 km.',
    );
  },
);

t.test(
  '/sites/{id} shows the same page for the nine-character id and in either case',
  async (t) => {
    const { get } = sample;
    const body = (await get('/sites/HOUZ')).body;
    for (const id of ['houz', 'HOUZ00GLP', 'houz00glp'])
      t.equal((await get(`/sites/${id}`)).body, body, id);
    for (const id of ['HOUZ00AUS', 'XXXX', 'ABC', 'ABCDE', '%3Cb%3E', '..%2Fsites'])
      t.equal((await get(`/sites/${id}`)).statusCode, 404, id);
  },
);

t.test('/sites/{id} shows the receiver first that came last', async (t) => {
  const service = await openService(t, [], { clock: () => NOW });
  await service.importText({
    id: 'TWIN',
    receivers: [
      {
        type: 'OLD',
        serial: '1',
        more: { 'Firmware Version': '1' },
        from: '2001-01-01',
        to: '2002-01-01',
      },
      { type: 'NEW', serial: '2', more: { 'Firmware Version': '1' }, from: '2003-01-01' },
      { type: 'OLD', serial: '1', more: { 'Firmware Version': '2' }, from: '2002-01-01' },
    ],
  });
  const page = await open(service, '/sites/TWIN');
  const [receivers] = page.named('table').map((each) => page.rowsOf(each));
  const shown = receivers!.filter(([type]) => type === 'OLD' || type === 'NEW');
  t.same(
    shown.map((row) => [row[0], row.at(-1)]),
    [
      ['NEW', '2003-01-01'],
      ['OLD', '2001-01-01 this firmware and these settings since 2002-01-01'],
    ],
  );
});

t.test('the steps between Setups pass over the minutes without a receiver', async (t) => {
  const service = await openService(t, [], { clock: () => NOW });
  await service.importText({
    id: 'STEP',
    receivers: [
      { type: 'OLD', serial: '1', from: '2001-01-01', to: '2002-01-01T10:00Z' },
      { type: 'NEW', serial: '2', from: '2002-01-01T10:20Z', to: '2003-01-01' },
      { type: 'LATE', serial: '3', from: '2005-01-01' },
    ],
    antennas: [{ type: 'ANTENNA', serial: '1', from: '2001-01-01' }],
  });
  const stepsAt = async (at: string): Promise<string[]> =>
    (await open(service, `/sites/STEP?at=${at}`)).text.match(/(Previous|Next) Setup, [\d-]+/g) ??
    [];
  t.same(await stepsAt('2001-06-01'), ['Next Setup, 2002-01-01']);
  t.same(await stepsAt('2002-06-01'), ['Previous Setup, 2001-01-01', 'Next Setup, 2003-01-01']);
  t.same(
    await stepsAt('2002-01-01T10:10Z'),
    ['Previous Setup, 2001-01-01', 'Next Setup, 2002-01-01'],
    'from such minutes, too',
  );
  t.same(
    await stepsAt('2006-01-01'),
    ['Previous Setup, 2003-01-01'],
    'two years without a receiver are no visit',
  );
});

t.test('/sites/ALIC?at= shows the Setup at an instant', async (t) => {
  const at = await open(sample, '/sites/ALIC?at=2013-07-08');
  t.match(at.text, 'Setup at 2013-07-08 In effect 2013-03-08 to 2013-07-08 00:45.');
  t.match(at.text, '8.51/3.019');
  t.match(
    at.text,
    /Changed 2013-03-08 ?: GNSS receiver .* reconfigured: firmware .+ → 8\.51\/3\.019\./,
  );
  t.notMatch(at.text, 'Last change');
  t.notMatch(at.text, 'Later changes are not known', 'the age of the log matters for the present');
  const first = await open(sample, '/sites/ALIC?at=1998-06-01');
  t.notMatch(first.text, /Last change|Changed 1994/, 'all is new in the first Setup');
  t.equal(at.ofClass('cursor').length, 1);
  t.equal(at.all('input', 'value').includes('2013-07-08'), true);
  const shown = at.named('tr').filter((element) => at.attribute(element, 'class') === 'shown');
  t.equal(shown.length, 1);
  t.match(new Page(serialize(shown[0]!)).text, /^ ?2013-03-08 2013-07-08 00:45/);
  for (const same of ['2013:189', '1748:1', '2013-07-08T00:00:00Z', '%202013-07-08%20']) {
    t.match(
      (await open(sample, `/sites/ALIC?at=${same}`)).text,
      'Setup at 2013-07-08 In effect',
      same,
    );
  }
  t.match(
    (await open(sample, '/sites/ALIC?at=1990-01-01')).text,
    'Setup at 1990-01-01 None yet: the first Setup begins',
  );
  t.match((await open(sample, '/sites/ALIC?at=9999-12-31')).text, 'In effect since 2017-02-23');
  t.match((await open(sample, '/sites/ALIC?at=')).text, 'Current Setup');
  t.match(
    (await open(sample, '/sites/ALIC?at=soon', 400)).text,
    /at : “soon” is not a time; allowed: an RFC 3339 time/,
  );
});

t.test('a log without dates has a page without Setups', async (t) => {
  const service = await over(t, { id: 'VOID', receivers: [{ type: 'R0', serial: '1' }] });
  const page = await open(service, '/sites/VOID');
  t.match(
    page.text,
    /None: the site log gives no dates for its equipment\..*no equipment has a date; the site gets no Setup/,
  );
  t.same(page.errors, []);
  t.match((await open(service, '/sites')).text, 'No current equipment – – – –');
});

t.test(
  'the findings of the import are listed with links to the lines of the log, whose page shows them beside the lines',
  async (t) => {
    const service = await openService(t, [], { clock: () => NOW, publishContacts: true });
    await service.importText({
      receivers: [{ type: 'R0', serial: '1', from: '2011-20-07', to: '2012-01-01' }],
    });
    const page = await open(service, '/sites/TEST');
    const row = page.named('tr').find((element) => page.attribute(element, 'class') === 'warning');
    t.ok(row);
    const [found] = page
      .all('a', 'href')
      .flatMap((href) => /^\.\.(\/sites\/TEST\/log\?line=(12))#L\2$/.exec(href)?.slice(1, 2) ?? []);
    const log = await open(service, found!);
    const line = log.elements.find((element) => log.attribute(element, 'id') === 'L12');
    t.equal(log.attribute(line!, 'class'), 'found');
    t.match(new Page(serialize(line!)).text, /Date Installed +: 2011-20-07 .*Warning: /);
  },
);

t.test(
  'without published contacts, the findings are a list of their own: their lines are those of the file',
  async (t) => {
    const service = await over(t, {
      receivers: [{ type: 'R0', serial: '1', from: '2011-20-07', to: '2012-01-01' }],
    });
    const site = await open(service, '/sites/TEST');
    t.match(site.text, '2011-20-07');
    t.notMatch(site.all('a', 'href').join(), /\?line=/, 'the page of the log has other lines');
    const page = await open(service, '/sites/TEST/log');
    const warning =
      /Findings of the import .*Warning: section 3(\.1)? , line 12 of the file: Date Installed: not a date .*: 2011-20-07 /;
    t.match(page.text, warning);
    t.notOk(page.ofClass('found').length > 0);
    t.same(page.errors, []);
  },
);

t.test(
  '/sites/{id} says that the period of an item without a start follows from others',
  async (t) => {
    const service = await over(t, {
      receivers: [
        { type: 'R0', serial: '1', to: '2012-01-01' },
        { type: 'R1', serial: '2', from: '2012-01-01' },
      ],
      antennas: [{ type: 'A1', serial: '3', from: '2010-01-01' }],
    });
    const sentences = async (path: string): Promise<string[]> =>
      (await open(service, path)).ofClass('finding').map((each) => new Page(serialize(each)).text);
    const unknown = /gnss receiver: Date Installed unknown; its period follows from other dates/;
    t.match(await sentences('/sites/TEST?at=2011-01-01'), [unknown]);
    t.notMatch((await sentences('/sites/TEST')).join(), unknown, 'that one is no longer there');
    const both = await over(t, {
      receivers: [{ type: 'R0', serial: '1' }],
      antennas: [{ type: 'A1', serial: '3', from: '2010-01-01' }],
    });
    const page = await open(both, '/sites/TEST');
    t.match(new Page(serialize(page.ofClass('finding')[0]!)).text, unknown);
  },
);

t.test(
  '/sites/{id}/log shows each line of the log, the downloads, and the other logs of the Site',
  async (t) => {
    const service = await openService(t, [SAMPLE], { clock: () => NOW });
    const page = await open(service, '/sites/ALIC/log');
    const text = (await service.get('/siteLogs/1?format=text&version=1')).body;
    t.same(linesOf(page), text.split('\n'));
    t.notMatch(page.text, 'SHA-256');
    const forms = page.ofClass('forms')[0]!;
    const links = new Page(serialize(forms)).named('a');
    const downloads = new Map(
      links.map((link) => [new Page(serialize(link)).text, page.attribute(link, 'href')!]),
    );
    t.same(
      new Page(serialize(forms)).all('a', 'download'),
      ['alic_20170223.log', 'alic_20170223.xml', 'alic_20170223.xml'],
      'the names of the files; version 2.0 of the text form needs a nine-character id, and the file has contacts',
    );
    for (const [label, type, beginning] of [
      ['Text form, version 1', 'text/plain;charset=UTF-8', '     ALIC Site Information Form'],
      ['GeodesyML 0.4', 'application/xml', '<?xml'],
      ['GeodesyML 0.5', 'application/xml', '<?xml'],
      ['JSON', HAL, '{"id":1,'],
    ] as const) {
      const response = await service.get(resolved(downloads.get(label)!, '/sites/ALIC/log'), {
        accept: BROWSER,
      });
      const shown = [
        response.statusCode,
        response.headers['content-type'],
        response.body.slice(0, beginning.length),
      ];
      t.same(shown, [200, type, beginning], label);
    }
    t.match(page.text, /Other logs of this Site There are none\./);
    for (const [url, status] of Object.entries({
      '/sites/XXXX/log': 404,
      '/sites/ALIC/log?line=0': 400,
      '/sites/ALIC/log?line=x': 400,
    }))
      await open(service, url, status);

    for (const day of ['01', '03', '02'])
      await service.importText({ prepared: `2020-01-${day}` }, `test_202001${day}.log`);
    const newer = await open(service, '/sites/TEST/log');
    t.match(newer.text, 'File test_20200103.log, IGS site log 1');
    t.same(newer.column('File'), ['test_20200102.log', 'test_20200101.log']);
    const older = newer.all('a', 'href').filter((href) => href.endsWith('?format=text&version=1'));
    t.equal(new Set(older).size, 3);
    const bodies = await Promise.all(
      older.map(async (href) => (await service.get(href.replace('../..', ''))).body),
    );
    const dates = bodies.map((body) => /Date Prepared +: (.*)/.exec(body)![1]);
    t.same(dates, ['2020-01-03', '2020-01-02', '2020-01-01']);
    t.notMatch(linesOf(newer).join('\n'), /withheld/i);
    t.notOk(newer.all('a', 'href').some((href) => href.endsWith('/original')));
    const lines = logText({}).split('\n');
    const prepared = [
      ...lines.slice(0, 2),
      `     Prepared By (full name)  : Jo Doe`,
      ...lines.slice(2),
    ].join('\n');
    await service.importText(prepared.replace('2020-01-01', '2020-01-04'), 'test_20200104.log');
    const withheld = await open(service, '/sites/TEST/log');
    t.match(
      withheld.text,
      'The contacts of the log are withheld on this page and in the downloads: persons, telephone numbers and email',
    );
    t.match(linesOf(withheld)[4], /^ {5}Withheld from publication: persons/);
    t.match(linesOf(withheld).join('\n'), /^ {5}Prepared by \(full name\) {2}: \(withheld\)$/m);
    t.notMatch(withheld.text, /Jo\s+Doe/);
  },
);

t.test('/sites/{id}/log lists what each form leaves out', async (t) => {
  const service = await openService(t, [SAMPLE], { clock: () => NOW });
  const shown = (page: Page): string => page.text.slice(0, page.text.indexOf('Text 1'));
  const publishing = await buildApp({
    store: service.store,
    contractFolder: CONTRACT,
    publishContacts: true,
  });
  t.teardown(() => publishing.close());
  // Without contacts, the page does not show the lines of the file.
  for (const [app, words, isLinked] of [
    [publishing, 'Line 53 :', true],
    [service.app, 'Line 53:', false],
  ] as const) {
    const page = await open(
      { ...service, get: (url, headers = {}) => app.inject({ url, headers }) },
      '/sites/ALIC/log',
    );
    t.match(
      page.text,
      `GeodesyML 0.4 has no place for 9 values ${words} section 3: Temperature Stabiliz.: no place in GeodesyML 0.4`,
    );
    t.equal(page.all('a', 'href').includes('../../sites/ALIC/log?line=53#L53'), isLinked);
    t.notMatch(page.text, 'Text form, version 1 has no place');
  }
  t.notMatch((await open(service, '/sites/NAMA/log')).text, 'has no place');

  const tie = (number: number): string =>
    `5.${number}  Tied Marker Name         : A\n     Accuracy (mm)            : ${MARKUP}${number} Ada Fictitious\n`;
  for (const [day, count, words, rest] of [
    ['01', 100, '100 values', null],
    ['02', 101, '101 values', / and 1 more /],
    ['03', 1001, 'more than 1,000 values', / and more than 900 more /],
  ] as const) {
    const log =
      logText({ prepared: `2020-01-${day}` }) +
      Array.from({ length: count }, (_, index) => tie(index + 1)).join('');
    await service.importText(
      log.replace('0.   Form', '0.   Form\n     Prepared by (full name)  : Ada Fictitious'),
      'test.log',
      NOW,
    );
    const page = await open(service, '/sites/TEST/log');
    t.match(page.text, `GeodesyML 0.5 has no place for ${words} Line`);
    const downloads = page.elements.find(
      (element) => page.attribute(element, 'id') === 'downloads',
    )!;
    const leftOut = new Page(serialize(downloads));
    t.equal(leftOut.named('q').length, 200);
    if (rest === null) t.notMatch(leftOut.text, / more /);
    else t.match(leftOut.text, rest);
    t.notMatch(shown(page), 'Ada Fictitious');
  }
});

t.test('/sites/{id}/log shows the log as it was imported if contacts are published', async (t) => {
  const service = await openService(t, [SAMPLE], { publishContacts: true });
  const page = await open(service, '/sites/ALIC/log');
  t.same(linesOf(page), readFileSync(join(SAMPLE, 'alic_20170223.log'), 'utf8').split('\n'));
  t.notMatch(page.text, 'withheld');
});

t.test(
  '/sites/{id}/log shows a large log in parts of bounded size, also one that is written without contacts',
  async (t) => {
    const service = await openService(t);
    const drawing = Array.from({ length: 9000 }, (_, index) => `  ${index} "`).join('\n');
    await service.importText(
      `${logText({})}13.  More Information\n     Antenna Graphics with Dimensions\n\n${drawing}\n`,
    );
    const first = await open(service, '/sites/TEST/log');
    t.equal(linesOf(first).length, 5000);
    const second = await open(service, '/sites/TEST/log?line=5001');
    t.match(second.text, /Previous Lines 5,001 to 9,\d\d\d /);
    const text = (await service.get('/siteLogs/1?format=text&version=1')).body;
    t.same([...linesOf(first), ...linesOf(second)], text.split('\n'));
    t.match(text, '\n  8999 "\n');
  },
);

t.test('/sites/{id}/log shows a large file in parts of bounded size', async (t) => {
  const service = await openService(t, [], { clock: () => NOW, publishContacts: true });
  const text = `\n${logText({ name: '\tOne' })}13.  More Information\n`;
  const begin = text.split('\n').length;
  const lines = (count: number, line: string): string =>
    Array.from({ length: count }, (_, index) => `${line}${index}\n`).join('');
  await service.importText(text, 'test.log', NOW);
  t.same(
    linesOf(await open(service, '/sites/TEST/log')),
    text.split('\n'),
    'an empty first line, and a tab',
  );

  await service.importText(`${text}${lines(10_001 - begin, 'x')}`, 'test.log', NOW);
  const first = await open(service, '/sites/TEST/log');
  t.equal(linesOf(first).length, 5000);
  t.match(first.text, 'Lines 1 to 5,000 Next');
  t.match(first.all('a', 'rel').join(' '), /^(?!.*prev).*next/);
  t.same(linesOf(await open(service, '/sites/TEST/log?line=5000')), linesOf(first));
  const second = await open(service, '/sites/TEST/log?line=5001');
  t.match(second.text, 'Previous Lines 5,001 to 10,000 Next');
  t.ok(second.elements.some((element) => second.attribute(element, 'id') === 'L5001'));
  t.match(
    (await open(service, '/sites/TEST/log?line=10000000')).text,
    'Previous Lines 10,001 to 10,001',
  );

  // Two megabytes of characters that have to be escaped, in lines of any length.
  for (const line of ['"', '"'.repeat(1000), '"'.repeat(1_990_000)]) {
    const count = Math.floor(1_995_000 / (line.length + 6));
    await service.importText(`${text}${lines(count, line)}`, 'test.log', NOW);
    const response = await service.get('/sites/TEST/log?line=300');
    t.equal(response.statusCode, 200);
    t.ok(response.body.length < 4_000_000, `${response.body.length} characters`);
  }
  t.match((await service.get('/sites/TEST/log')).body, '1980001 more characters');
});

t.test('/receivers?conflicts=true shows only the devices in conflict', async (t) => {
  const receiver = (type: string, serial: string) => ({ type, serial, from: '2010-01-01' });
  const service = await over(
    t,
    { id: 'AAAA', receivers: [receiver('R0', '1'), receiver('R0', '2'), receiver('R1', '3')] },
    { id: 'BBBB', receivers: [receiver('R0', '1'), receiver('R1', '3'), receiver('R2', '4')] },
  );
  const types = await open(service, '/receivers');
  t.same(
    types.all('a', 'href').filter((href) => href.includes('conflicts')),
    [
      './receivers?conflicts=true',
      './receivers?type=R0&conflicts=true',
      './receivers?type=R1&conflicts=true',
    ],
    'the page of types leads there',
  );
  const all = await open(service, '/receivers?conflicts=true');
  t.match(all.text, 'GNSS receivers in conflict');
  t.match(all.text, '2 GNSS receivers in conflict.', 'which need not be listed again');
  t.same(all.column('Serial number'), ['1 R0', '3 R1']);
  const [json] = all.all('a', 'href').filter((href) => href.startsWith('./gnssReceivers?'));
  const { body } = await service.get(json!.replace(/^\./, ''));
  t.equal((JSON.parse(body) as { page: { totalElements: number } }).page.totalElements, 2);
  const download = all.all('a', 'href').find((href) => href.includes('/installations.csv'))!;
  const csv = (await service.get(download.replace(/^\./, ''))).body;
  t.equal(csv.trimEnd().split('\n').length, 1 + 4, 'each of the two is at two Sites');

  const spelled = await service.get('/receivers?type=r0&conflicts=true', { accept: BROWSER });
  t.equal(spelled.headers.location, './receivers?type=R0&conflicts=true');
  const ofType = await open(service, '/receivers?type=R0&serialNumber=&conflicts=true');
  t.match(ofType.text, /1 GNSS receiver in conflict \( ?all of this type ?\)/);
  t.same(ofType.column('Serial number'), ['1']);
  const { body: form } = await service.get('/receivers?type=R0&conflicts=true');
  t.match(form, /<input [^>]*name="conflicts"[^>]*checked/, 'the form keeps it');
  t.match(
    (await open(service, '/receivers?type=R2&conflicts=true')).text,
    /No GNSS receiver of type “R2” in conflict\. All GNSS receiver types/,
    'nothing is similar',
  );
  t.match((await open(service, '/antennas?conflicts=true')).text, 'No GNSS antenna in conflict.');
  t.notMatch((await open(service, '/antennas')).text, 's in conflict', 'no link to nothing');
  for (const value of ['', 'false', 'yes']) {
    const { statusCode } = await service.get(`/receivers?conflicts=${value}`, { accept: BROWSER });
    t.equal(statusCode, 400, value);
  }
});

t.test('/receivers?type= shows where each device has been, with conflicts marked', async (t) => {
  const more = (version: string) => ({ 'Firmware Version': version });
  const receivers = [
    { type: 'R0', serial: '1', from: '2010-01-01', to: '2011-01-01', more: more('1.0') },
    { type: 'R0', serial: '1', from: '2011-01-01', to: '2014-01-01', more: more('2.0') },
    { type: 'R0', serial: '2', from: '2015-01-01' },
  ];
  const conflicting = [{ type: 'R0', serial: '1', from: '2013-01-01', more: more('3.0') }];
  const unknown = [{ from: '2013-01-01' }];
  const service = await over(
    t,
    { id: 'AAAA', receivers },
    { id: 'BBBB', receivers: conflicting },
    { id: 'CCCC', receivers: unknown },
  );
  t.match((await open(service, '/receivers')).text, /R0 2 2 2 1 conflict type unknown 1 1 1/);
  const page = await open(service, '/receivers?type=R0');
  t.match(page.text, '1 conflict : 1.');
  t.match(
    page.text,
    /AAAA Test, 2010-01-01 to 2011-01-01; firmware 1\.0 AAAA Test, 2011-01-01 to 2014-01-01; firmware 2\.0 also listed in this period at BBBB/,
  );
  t.match(
    page.text,
    /BBBB Test, since 2013-01-01; firmware 3\.0 also listed in this period at AAAA/,
  );
  t.equal(page.ofClass('conflicting').length, 2);
  t.match(
    (await open(service, '/receivers?type=R0&serialNumber=2')).text,
    '1 GNSS receiver with serial number 2',
  );
  t.match((await open(service, '/receivers?type=')).text, 'type unknown');
  const ofSerialNumber = await open(service, '/receivers?serialNumber=1');
  t.match(ofSerialNumber.text, /GNSS receivers with serial number 1 .* 1 GNSS receiver/);
  t.same(ofSerialNumber.column('Serial number'), ['1 R0']);
  t.match(
    (await open(service, '/receivers?serialNumber=none')).text,
    'No GNSS receiver with serial number “none”.',
  );
  t.match(
    (await open(service, '/receivers?type=R0&page=3')).text,
    'There is no page 4. Go to the last page',
  );
});

t.test('markup in any field of a log is shown as text', async (t) => {
  const service = await over(t);
  const text = hostileText(readFileSync(join(SAMPLE, 'alic_20170223.log'), 'utf8'));
  const xml = hostileXml(readFileSync(join(SAMPLE, 'bor1_20170222.xml'), 'utf8'));
  t.same((await service.importText(text, 'alic_20170223.log')).saved, 1);
  t.same(
    (await service.importText(xml, `${encodeURIComponent('<b>')}'bor1_20170222.xml`)).saved,
    1,
  );
  const type = `${MARKUP} Receiver Type`;
  const urls = [
    ...[
      '/sites',
      '/sites/ALIC',
      '/sites/BOR1',
      '/sites/BOR1?at=2012-01-01',
      '/sites/ALIC/log',
      '/sites/BOR1/log',
      '/receivers',
      '/antennas',
    ],
    `/receivers?type=${encodeURIComponent(type)}`,
    `/receivers?type=${encodeURIComponent(type)}&serialNumber=${encodeURIComponent(MARKUP)}`,
    `/sites?q=${encodeURIComponent(MARKUP)}`,
  ];
  const wrong = [
    `/sites/${encodeURIComponent(MARKUP)}`,
    `/sites/ALIC?at=${encodeURIComponent(MARKUP)}`,
    `/sites?sort=${encodeURIComponent(MARKUP)}`,
    `/sites?${encodeURIComponent(MARKUP)}=1`,
    `/${encodeURIComponent(MARKUP)}`,
  ];
  for (const url of [...urls, ...wrong]) {
    const page = new Page((await service.get(url, { accept: BROWSER })).body);
    const links = [...page.all('a', 'href'), ...page.all('form', 'action')].filter(
      (href) => !/^(\.{1,2}\/|#)/.test(href),
    );
    t.same([page.errors, activeIn(page), page.named('b'), links], [[], [], [], []], url);
    if (!url.includes('serialNumber'))
      t.ok(
        page.text.toLowerCase().includes('<script>') || url.startsWith('/%3C'),
        `${url} shows it`,
      );
  }
  const site = await open(service, '/sites/ALIC');
  for (const label of [
    'Site Name',
    'City or Town',
    'Monument Description',
    'Receiver Type',
    'Firmware Version',
    'Antenna Cable Type',
  ]) {
    t.ok(site.text.includes(`${MARKUP} ${label}`), label);
  }
});

t.test('a page refuses unknown parameters and values, and says what is allowed', async (t) => {
  for (const [url, words] of [
    ['/sites?query=x', 'countryCode, agency, satelliteSystem, type, radomeType, at, map, page.'],
    ['/sites?sort=colour', 'One of id, name, country, receiver, antenna, since, changed'],
    ['/sites?page=-1', 'a whole number'],
    ['/sites?q=a&q=b', 'is given more than once'],
    ['/sites/ALIC?t=1', 'the parameters at, from, to.'],
    ['/receivers?page=3', 'is given without type, serialNumber or conflicts'],
    ['/receivers?typ=x', 'the parameters type, serialNumber, conflicts, page.'],
    [`/sites?q=${'x'.repeat(201)}`, '0 to 200 characters'],
  ] as const) {
    t.match((await open(sample, url, 400)).text, words, url);
  }
});

t.test(
  'an error of a page, or a 404 in a browser, is a page; any other error is a problem document',
  async (t) => {
    for (const [url, accept, type] of [
      ['/sites/XXXX', BROWSER, HTML],
      ['/sites/XXXX', '*/*', HTML],
      ['/nothing/here', BROWSER, HTML],
      ['/nothing/here', '*/*', PROBLEM],
      ['/nothing/here', 'application/hal+json', PROBLEM],
      [`${CURRENT}?id=XXXX`, BROWSER, PROBLEM],
      ['/gnssReceivers/99999', BROWSER, PROBLEM],
    ] as const)
      t.equal(
        (await sample.get(url, { accept })).headers['content-type'],
        type,
        `${url} ${accept}`,
      );
    for (const accept of ['*/*', BROWSER]) {
      const { statusCode, headers } = await sample.app.inject({
        method: 'POST',
        url: '/sites',
        headers: { accept },
      });
      t.same(
        [statusCode, headers.allow, headers['content-type']],
        [405, 'GET, HEAD, OPTIONS', PROBLEM],
        accept,
      );
    }
    const options = await sample.app.inject({ method: 'OPTIONS', url: '/sites/ALIC' });
    t.same([options.statusCode, options.headers.allow], [204, 'GET, HEAD, OPTIONS']);
  },
);

/** A day of the history that starts in 1995. */
const dayOf = (days: number): string =>
  new Date(Date.UTC(1995, 0, 1 + days)).toISOString().slice(0, 10);

/** Items that follow each other, the last of which is still in use. @param step in days */
function successive(
  count: number,
  step: number,
  gap: 'none' | 'minutes' | 'weeks',
  itemOf: (index: number) => Item,
): Item[] {
  const endOf = (index: number): string => {
    if (gap === 'weeks') return `${dayOf((index + 1) * step - 30)}T08:30Z`;
    return `${dayOf((index + 1) * step)}T08:${gap === 'minutes' ? '20' : '30'}Z`;
  };
  return Array.from({ length: count }, (_, index) => ({
    from: `${dayOf(index * step)}T08:30Z`,
    ...(index < count - 1 && { to: endOf(index) }),
    ...itemOf(index),
  }));
}

t.test('the page of a Site with a history of 25 years has at most 200 KB', async (t) => {
  const receiver = (device: number, version: number): Item => ({
    type: `LEICA GRX${1200 + device}GGPRO`,
    serial: String(355000 + device),
    more: {
      'Satellite System': 'GPS+GLO',
      'Firmware Version': `${version}.12/6.523`,
      'Elevation Cutoff Setting': '0 deg',
    },
  });
  const antennas = successive(4, 2300, 'none', (index) => ({
    type: 'LEIAR25.R3      LEIT',
    serial: String(10020000 + index),
    more: { 'Marker->ARP Up Ecc. (m)': '0.0710', 'Antenna Radome Type': 'LEIT' },
  }));
  const clocks = successive(12, 770, 'none', (index) => ({
    type: `EXTERNAL H-MASER EFOS ${index + 1}`,
    more: { 'Input Frequency': '5 MHz' },
  }));
  const sensors = successive(2, 2300, 'none', (index) => ({ type: 'MP 400A', serial: `${index}` }));
  const histories: Record<string, SyntheticLog> = {
    // Each update of firmware is a gap of ten minutes.
    UPDA: {
      receivers: successive(42, 270, 'minutes', (index) => receiver(Math.floor(index / 8), index)),
      antennas,
      clocks,
      sensors,
    },
    // Each receiver is followed by weeks without one.
    GAPS: { receivers: successive(45, 200, 'weeks', (index) => receiver(index, 1)), antennas },
    // Each receiver, of a few days, follows the last one.
    DAYS: { receivers: successive(93, 12, 'none', (index) => receiver(index, 1)), antennas },
  };
  const logs = Object.entries(histories).map(([id, log]) => ({ id, ...log }));
  const service = await over(t, ...logs);
  for (const id of Object.keys(histories)) {
    const { body } = await service.get(`/sites/${id}`, { accept: BROWSER });
    const setups = Number(/>(\d+) Setups, latest first</.exec(body)?.[1]);
    t.ok(setups > 90, `${setups} Setups`);
    // A real log has few findings; the invented ones lack lines of the form in each section.
    const size = Buffer.byteLength(body.replace(/<section id="findings".*?<\/section>/s, ''));
    t.ok(size <= 200_000, `${id}: ${size} bytes`);
  }
});
