import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTreeAdapterMap, serialize } from 'parse5';
import t from 'tap';
import { CONTRACT, SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { BROWSER, type Element, HtmlPage, openPage } from './html-page.js';

const service = await openService(t, [SAMPLE], { clock: () => new Date('2026-01-01T00:00:00Z') });

/** Parameters in the order in which a browser sends them. */
type Sent = [name: string, value: string][];

/** Two values of each parameter that may be repeated; an array for each page that has its own. */
const TWO_VALUES: Record<string, [string, string][]> = {
  agency: [['Geo*', '*Survey*']],
  code: [['missing-value', 'ignored-line']],
  countryCode: [['AUS', 'NAM']],
  current: [['true', 'false']],
  datePrepared: [['2010-01-01', '2011-01-01']],
  domesNumber: [['50137M001', '66010M001']],
  equipmentType: [['gnss receiver', 'clock']],
  form: [['text', 'xml']],
  fourCharacterId: [['ALIC', 'MCIL']],
  id: [['ALIC', 'MCIL']],
  invalidated: [['true', 'false']],
  kind: [['installed', 'removed']],
  level: [['warning', 'info']],
  manufacturer: [['Leica', 'Trimble']],
  nineCharacterId: [['ALIC00AUS', 'MCIL00JPN']],
  radomeType: [['NONE', 'LEIT']],
  satelliteSystem: [
    ['GPS,GLO', 'GAL'],
    ['GPS', 'GLO'],
  ],
  serialNumber: [['1830439', '3']],
  site: [['ALIC', 'MCIL']],
  siteId: [['1', '2']],
  sort: [
    ['level,desc', 'code'],
    ['at,desc', 'at'],
  ],
  type: [['LEI*', 'TRM*']],
};

/** The pages with a form, each with a query that gives the form something to keep. */
const PAGES = {
  '/sites': 'q=a&at=2012-01-01&bbox=-180,-90,180,90&sort=name,desc',
  '/sites/ALIC': 'at=2012-01-01',
  '/receivers': 'type=LEICA GR25&serialNumber=1830439&conflicts=true',
  '/antennas': 'type=LEI*',
  '/changes': 'from=2010-01-01&to=2015-01-01&mergeGaps=PT1H&recordedSince=2020-01-01&sort=at,asc',
  '/findings': 'near=ALIC&radius=20000&recordedSince=2020-01-01',
  '/compare': 'at=2012-01-01T00:00:00Z',
};
type Path = keyof typeof PAGES;

/** The elements below an element, in the order of the document. */
function below(element: DefaultTreeAdapterMap['element']): Element[] {
  return element.childNodes
    .filter((node): node is Element => 'tagName' in node)
    .flatMap((child) => [child, ...below(child)]);
}

/** What a browser sends for one control of a form. */
function sentBy(page: HtmlPage, control: Element): Sent {
  const name = page.attribute(control, 'name');
  if (name === undefined) return [];
  const has = (element: Element, attribute: string): boolean =>
    page.attribute(element, attribute) !== undefined;
  if (control.tagName === 'select') {
    const options = below(control).filter(({ tagName }) => tagName === 'option');
    const selected = options.filter((option) => has(option, 'selected'));
    const chosen = selected.length > 0 || has(control, 'multiple') ? selected : options.slice(0, 1);
    return chosen.map((option): [string, string] => [name, page.attribute(option, 'value') ?? '']);
  }
  if (page.attribute(control, 'type') === 'checkbox' && !has(control, 'checked')) return [];
  return [[name, page.attribute(control, 'value') ?? '']];
}

/** Sends the form of a page as it is: the URL to which it leads. */
function submitted(page: HtmlPage, path: Path): string {
  const own = page.named('form').filter((form) => {
    const action = page.attribute(form, 'action')!;
    return new URL(action, `http://localhost${path}`).pathname === path;
  });
  if (own.length !== 1) throw new Error(`${own.length} forms on ${path} lead to it`);
  const controls = below(own[0]!).filter(({ tagName }) => ['input', 'select'].includes(tagName));
  const sent = controls.flatMap((control) => sentBy(page, control));
  return `${path}?${new URLSearchParams(sent).toString()}`;
}

/** What a URL asks for: empty fields do not count, and one field has all Sites. */
function askedBy(url: string): Sent {
  const pairs = [...new URL(url, 'http://localhost').searchParams];
  const asked = pairs.flatMap(([name, value]) => {
    const values = name === 'site' ? value.split(' ') : [value];
    return values.map((each): [string, string] => [name, each]);
  });
  const given = asked.filter(([, value]) => value !== '');
  // The order matters among sort orders only.
  const keyOf = ([name, value]: [string, string]): string =>
    name === 'sort' ? name : `${name} ${value}`;
  return given.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
}

/** What a page has found. */
const foundOn = (page: HtmlPage): (string | undefined)[] =>
  page.elements
    .filter((element) => page.attribute(element, 'role') === 'status')
    .map((element) => new HtmlPage(serialize(element)).text);

/** The parameters of the contract that may be repeated. */
function repeatedParameters(): string[] {
  interface Parameter {
    in?: string;
    name?: string;
    schema?: { type?: string; maxItems?: number };
  }
  const document = JSON.parse(readFileSync(join(CONTRACT, 'openapi.json'), 'utf8')) as {
    paths: Record<string, { get?: { parameters?: Parameter[] } }>;
    components: { parameters: Record<string, Parameter> };
  };
  const own = Object.values(document.paths).flatMap(({ get }) => get?.parameters ?? []);
  const repeated = [...own, ...Object.values(document.components.parameters)].filter(
    ({ schema }) => schema?.type === 'array' && schema.maxItems !== 1,
  );
  return [...new Set(repeated.map(({ name }) => name!))].sort();
}

t.test('every form sends what its page was asked for', async (t) => {
  for (const [path, query] of Object.entries(PAGES) as [Path, string][]) {
    const url = `${path}?${query}`;
    const again = submitted(await openPage(service, url), path);
    t.same(askedBy(again), askedBy(url), url);
    await openPage(service, again);
  }
});

t.test('every form keeps all values of each filter that may be repeated', async (t) => {
  t.same(Object.keys(TWO_VALUES), repeatedParameters(), 'every such parameter is tried');
  const kept: Partial<Record<Path, string[]>> = {};
  for (const path of Object.keys(PAGES) as Path[]) {
    for (const [name, pairs] of Object.entries(TWO_VALUES)) {
      for (const pair of pairs) {
        const sent = pair.map((value): [string, string] => [name, value]);
        const url = `${path}?${new URLSearchParams(sent).toString()}`;
        const answer = await service.get(url, { accept: BROWSER });
        if (answer.statusCode === 400) continue;
        const page = new HtmlPage(answer.body);
        const again = submitted(page, path);
        t.same(askedBy(again), askedBy(url), url);
        const found = foundOn(await openPage(service, again));
        t.same(found, foundOn(page), `${again} finds the same`);
        const names = (kept[path] ??= []);
        if (!names.includes(name)) names.push(name);
      }
    }
  }
  t.same(kept, {
    '/sites': ['agency', 'countryCode', 'radomeType', 'satelliteSystem', 'type'],
    '/changes': ['countryCode', 'equipmentType', 'kind', 'site'],
    '/findings': ['code', 'countryCode', 'level', 'site', 'sort'],
    '/compare': ['site'],
  });
});

t.test('a form may send empty values beside others', async (t) => {
  const url = '/findings?code=&code=missing-value&level=&level=&site=+&sort=';
  const again = submitted(await openPage(service, url), '/findings');
  t.same(askedBy(again), [['code', 'missing-value']]);
  const one = await openPage(service, '/findings?code=missing-value');
  t.same(foundOn(await openPage(service, url)), foundOn(one));
});
