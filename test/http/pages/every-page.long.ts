import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { hostileText, hostileXml, MARKUP } from '../../hostile-logs.js';
import { FIXED_HEADERS } from '../../fixed-headers.js';
import { SAMPLE } from '../../project-files.js';
import { openService } from '../../service.js';
import { CURRENT, fieldsOf, HAL, PROBLEM } from '../answers.js';
import { BROWSER, HTML, HtmlPage, openPage, resolvedLink, sitesOn } from '../html-page.js';
import { NOW, over } from './over.js';

/** The sample network, for the tests that change nothing. */
const sample = await openService(t, [SAMPLE], { clock: () => NOW });

const POLICY =
  "default-src 'none';style-src 'self';img-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'";

const PAGES = [
  '/compare',
  '/compare?site=ALIC&site=MCIL',
  '/overview',
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

t.test('every page shows the name of the network, and links to its web page', async (t) => {
  const url = 'https://www.example.org/gnss?a=1&b=2';
  const pages = [
    ...PAGES.map((page): [string, number] => [page, 200]),
    ['/sites/XXXX', 404],
  ] as const;
  const named = await openService(t, [SAMPLE], { network: { name: MARKUP, url } });
  for (const [page, status] of pages) {
    const top = (await openPage(named, page, status)).part('.network');
    t.same([top.text, top.all('a', 'href')], [MARKUP, [url]], page);
  }
  const linked = await openService(t, [SAMPLE], { network: { name: null, url } });
  t.same((await openPage(linked, '/api')).texts('.network'), ['www.example.org']);
  t.notOk((await openPage(sample, '/api')).has('.network'), 'nothing without the settings');
});

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
    t.same([response.statusCode, response.headers.location], [302, './overview'], accept);
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
const activeIn = (page: HtmlPage): string[] => [
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
      const page = await openPage(sample, url, status);
      const ids = page.elements.flatMap((element) => page.attribute(element, 'id') ?? []);
      t.same(
        [page.errors, activeIn(page), ids.filter((id, index) => ids.indexOf(id) !== index)],
        // The map of the overview is an image of the service.
        [[], url === '/overview' ? ['img', 'src'] : [], []],
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
        const json = await sample.get(resolvedLink(href, url));
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

t.test('the JSON that a page links to has what the page shows', async (t) => {
  type Found = { id: number; serialNumber: string; fourCharacterId: string };
  type Json = { effectivePeriod: object; _embedded?: Record<string, Found[]> };

  const jsonOf = async (
    url: string,
    index: number,
  ): Promise<{ page: HtmlPage; json: Json; elements: Found[] }> => {
    const page = await openPage(sample, url);
    const href = page.all('link', 'href').filter((each) => !/style|icon/.test(each))[index]!;
    const json = (await sample.get(resolvedLink(href, url))).json<Json>();
    return { page, json, elements: Object.values(json._embedded ?? {}).flat() };
  };
  const devices = await jsonOf('/receivers?type=TRIMBLE%20NETRS', 0);
  const numbers = devices.elements.map(({ serialNumber }) => serialNumber);
  t.same(devices.page.column('Serial number'), numbers);
  const setups = await jsonOf('/sites/ALIC', 1);
  t.equal(setups.page.column('Receiver').length, setups.elements.length);
  const found = await jsonOf('/sites?q=trimble', 1);
  t.equal(sitesOn(found.page).length, found.elements.length);
  const sorted = await jsonOf('/sites?sort=name,desc', 0);
  const ids = sorted.elements.map(({ fourCharacterId }) => fourCharacterId);
  t.same(sitesOn(sorted.page), ids);
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
    const link = (await openPage(service, url))
      .all('a', 'href')
      .find((href) => href.includes('receivers?type='))!;
    const page = await openPage(service, link.replace(/^\.+/, ''));
    t.equal(page.column('Serial number').length, 1, url);
  }
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
    const page = await openPage(sample, url);
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
    const page = new HtmlPage((await service.get(url, { accept: BROWSER })).body);
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
  const site = await openPage(service, '/sites/ALIC');
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
  const filters = ['countryCode', 'agency', 'satelliteSystem', 'type', 'radomeType', 'at'];
  const orders = ['id', 'name', 'country', 'receiver', 'antenna', 'since', 'changed', 'prepared'];
  for (const [url, refused, allowed] of [
    ['/sites?query=x', ['query'], [...filters, 'map', 'page']],
    ['/sites?sort=colour', ['sort'], orders],
    ['/sites?page=-1', ['page'], []],
    ['/sites?q=a&q=b', ['q'], []],
    ['/sites/ALIC?t=1', ['t'], ['at', 'from', 'to']],
    ['/receivers?page=3', ['page'], ['type', 'serialNumber', 'conflicts']],
    ['/receivers?typ=x', ['typ'], ['type', 'serialNumber', 'conflicts', 'page']],
    [`/sites?q=${'x'.repeat(201)}`, ['q'], ['1', '200']],
  ] as const) {
    const page = await openPage(sample, url, 400);
    t.same(page.texts('main li code'), refused, url);
    const words = page.part('main li').text.split(/[^\w]+/);
    for (const each of allowed) t.ok(words.includes(each), `${url}: ${each}`);
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
