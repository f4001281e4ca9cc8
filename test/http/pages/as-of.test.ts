import t, { type Test } from 'tap';
import { readStoredLog } from '../../../src/import-site-logs.js';
import { parseSiteId } from '../../../src/requests/site-id.js';
import { openWriter } from '../../../src/store/open.js';
import { openService, type Service } from '../../service.js';
import { type SyntheticLog, placeOf } from '../../synthetic-log.js';
import { BROWSER, type HtmlPage, openPage } from '../html-page.js';

/** Pages about what was on record at an earlier time. */

const FIRST = '2026-01-01T11:00:00.000Z';
const THEN = '2026-01-01T12:00:00.000Z';
const LATER = '2026-06-01T12:00:00.000Z';
const NOW = '2026-07-01T12:00:00.000Z';

const ALFA: SyntheticLog = {
  id: 'ALFA',
  prepared: '2018-01-01',
  name: 'Hill',
  place: placeOf('-10.5', '130.5'),
  receivers: [
    { type: 'LEICA GR10', serial: '17', from: '2001-01-01T00:00Z', to: '2010-01-01T00:00Z' },
    { type: 'LEICA GR50', serial: '18', from: '2010-01-01T00:00Z' },
  ],
  sensors: [{ type: 'HMP45', serial: 'H1', from: '2005-01-01', to: '(CCYY-MM-DD)' }],
};

/** The pages that take `asOf`, without it. */
const PAGES = [
  '/sites/ALFA?at=2012-01-01',
  '/sites/ALFA?from=2005-01-01',
  '/sites/ALFA/log?line=2',
  '/changes?site=ALFA',
  '/changes?site=ALFA&site=BRAV',
  '/compare?site=ALFA+BRAV&at=2012-01-01',
];

/** ALFA is corrected, and BRAV renamed, after {@link THEN}. */
async function open(t: Test): Promise<Service> {
  const service = await openService(t, [], { clock: () => new Date(NOW) });
  await service.importText(ALFA, 'alfa.log', new Date(FIRST));
  await service.importText({ ...ALFA, id: 'BRAV' }, 'brav.log', new Date(FIRST));
  await service.importText({ ...ALFA, prepared: '2020-01-01' }, 'new.log', new Date(LATER));
  const writer = await openWriter(service.database);
  const rename = { kind: 'rename', to: parseSiteId('CHAR') } as const;
  await writer.correct(parseSiteId('BRAV'), rename, () => new Date(LATER), readStoredLog);
  await writer.close();
  return service;
}

/** The URLs that a page, its navigation apart, and its forms lead to. */
function leadsTo(page: HtmlPage, url: string): URL[] {
  const valueOf = (part: HtmlPage, name: string): string => part.attribute(part.root!, name) ?? '';
  const links = [...page.parts('main a'), ...page.parts('footer a')].map((a) => valueOf(a, 'href'));
  const forms = page.parts('main form').map((form) => {
    const hidden = form.parts('[type=hidden]');
    const pairs = hidden.map((input) => `${valueOf(input, 'name')}=${valueOf(input, 'value')}`);
    return `${valueOf(form, 'action').replace(/[?].*/, '')}?${pairs.join('&')}`;
  });
  return [...links, ...forms]
    .filter((each) => !each.startsWith('#'))
    .map((each) => new URL(each, `http://service${url}`));
}

/** Whether the service answers about an earlier time there. */
function takesAsOf({ app }: Service, { pathname }: URL): boolean {
  return app.recorded.some(({ url }) =>
    new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`).test(pathname),
  );
}

t.test('pages with asOf say so, and lead to what was on record then', async (t) => {
  const service = await open(t);
  for (const url of PAGES) {
    const asked = `${url}&asOf=${THEN}`;
    const page = await openPage(service, asked);
    const note = page.part('[role=note]');
    t.same(note.all('time', 'datetime'), [THEN], asked);
    const links = leadsTo(page, asked).filter((link) => takesAsOf(service, link));
    const isOfThen = ({ searchParams }: URL): boolean =>
      new Date(searchParams.get('asOf') ?? 0).toISOString() === THEN;
    const others = links.filter((link) => !isOfThen(link)).map(({ href }) => href);
    const now = new URL(note.all('a', 'href')[0]!, `http://service${asked}`);
    t.same(others, [now.href], `only one link of ${asked} leads to what is on record now`);
    t.ok(links.length > 1, `${links.length} links`);
    // BRAV has another id now.
    for (const { pathname, search } of links.filter(isOfThen))
      t.equal((await service.get(pathname + search)).statusCode, 200, pathname + search);
  }
});

t.test('pages without asOf do not speak of it', async (t) => {
  const service = await open(t);
  for (const url of PAGES.map((each) => each.replace('BRAV', 'CHAR'))) {
    const page = await openPage(service, url);
    t.notOk(page.has('[role=note]'), url);
    for (const link of leadsTo(page, url)) t.notOk(link.searchParams.has('asOf'), link.href);
  }
});

t.test('GET /sites/:site/log?asOf=… is the log that was current then', async (t) => {
  const service = await open(t);
  const log = (query: string) => openPage(service, `/sites/ALFA/log${query}`);
  t.match((await log(`?asOf=${THEN}`)).part('.facts').text, 'alfa.log');
  t.match((await log('')).part('.facts').text, 'new.log');
  const early = '/sites/ALFA/log?asOf=2020-01-01';
  t.equal((await service.get(early, { accept: BROWSER })).statusCode, 404);
});
