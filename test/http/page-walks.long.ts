import { subscribe } from 'node:diagnostics_channel';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TObject, TProperties, TSchema } from '@sinclair/typebox';
import type { FastifyInstance, RouteOptions } from 'fastify';
import t, { type Test } from 'tap';
import { CITATION, href, PATHS } from '../../src/links.js';
import { counted, numberWords } from '../../src/web/page/words.js';
import { openService, type Service } from '../service.js';
import { type Item, logText } from '../synthetic-log.js';
import { elementsIn, type Paged } from './answers.js';
import { BROWSER, openPage } from './html-page.js';

/**
 * Follows `next` through every list of the service, at sizes about the limits, over more elements
 * than two of the largest pages have. The lists are those of all routes with a parameter for the
 * size or number of a page, so a new one is included.
 */

/** How many Sites there are, and how many devices of each kind. */
const MANY = 2103;
/**
 * How many configurations the antennas have: the page of changes has a group for each. There are
 * more than two of the largest pages have; some groups have two changes.
 */
const CONFIGURATIONS = 2052;
/** How many Setups the first Site has at least: more than a page can have. */
const FEW = 1100;

/** The sizes of pages. Over PostgreSQL, each page takes some round trips. */
const SIZES =
  process.env.TEST_DATABASE === undefined ? [7, 99, 100, 101, 999, 1000, 1001] : [100, 101, 1001];
const FIRST_SITE = 'A000';
/** The type of all receivers and antennas. */
const DEVICE_TYPE = 'DEVICE';
/** The serial number of all sensors. Their types differ. */
const SERIAL_NUMBER = 'SAME';

const HOST = 'http://localhost:80';

/** The list of the changes between two logs has a test of its own, in log-comparisons.test.ts. */
const COMPARISON = /\/comparison$/;

/** A list, with what its parameters must be to find many elements. */
interface List {
  path: string;
  /** The parameter for the size of its pages; undefined if pages have a fixed size. */
  sizeParameter: string | undefined;
  /** The other parameters. */
  query: Record<string, string>;
  parameters: Record<string, string>;
}

/**
 * The values of parameters by name: of required ones, and of those that {@link isChosen} chooses.
 */
const VALUES: Record<string, string> = {
  id: FIRST_SITE,
  siteId: '1',
  type: DEVICE_TYPE,
  serialNumber: SERIAL_NUMBER,
  recordedSince: '2000-01-01',
  equipmentType: 'gnss antenna',
  code: 'missing-section',
  datetime: '2030-01-01',
  projection: 'datePrepared',
};

/** Whether a parameter is given to a list that does not require it. */
function isChosen(name: string, properties: TProperties): boolean {
  const isAllowed = JSON.stringify(properties[name]).includes(VALUES[name] ?? '');
  switch (name) {
    // Without a type, pages of devices list types.
    case 'type':
      return !('size' in properties);
    // The Atom feed leads to the next entries only if a request says where it begins.
    case 'recordedSince':
      return 'after' in properties;
    // Otherwise there are many more elements, which would add nothing but time.
    case 'equipmentType':
      return isAllowed && !('after' in properties);
    case 'code':
    case 'datetime':
      return true;
    // Without it, site logs are parsed.
    case 'projection':
      return isAllowed;
    default:
      return false;
  }
}

const routes: RouteOptions[] = [];
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', (route) => {
    // The citation of a list has its parameters, but is no list.
    const isList = !COMPARISON.test(route.url) && !route.url.endsWith(CITATION);
    if (route.method === 'GET' && isList) routes.push(route);
  });
});

/** The values that a parameter of a path is tested with: all, if they are listed. */
function valuesOf(name: string, schema: TSchema): string[] {
  const listed = schema.anyOf as { const: string }[] | undefined;
  if (listed !== undefined) return listed.map((each) => each.const);
  if (VALUES[name] === undefined) throw new Error(`the test has no value for ${name}`);
  return [VALUES[name]];
}

/** The lists of a route: one for each value of the parameter in its path. */
function listsOf({ url, schema }: RouteOptions): List[] {
  const { properties } = schema!.querystring as TObject;
  const { required = [] } = schema!.querystring as TObject;
  const names = Object.keys(properties);
  const asked = names.filter((name) => required.includes(name) || isChosen(name, properties));
  const query = Object.fromEntries(
    asked.map((name) => [name, VALUES[name] ?? valuesOf(name, properties[name]!)[0]!]),
  );
  const sizeParameter = names.find((name) => name === 'size' || name === 'limit');
  const ofPath = Object.entries((schema?.params as TObject | undefined)?.properties ?? {});
  const [parameter, ...more] = ofPath;
  if (more.length > 0) throw new Error(`the test knows one parameter in a path: ${url}`);
  const all = parameter === undefined ? [undefined] : valuesOf(...parameter);
  return all.map((value) => {
    const parameters = value === undefined ? {} : { [parameter![0]]: value };
    return { path: url, sizeParameter, query, parameters };
  });
}

/** Whether the query of a route has one of some parameters. */
const hasOneOf = ({ schema }: RouteOptions, names: string[]): boolean => {
  const properties = (schema?.querystring as TObject | undefined)?.properties ?? {};
  return names.some((name) => name in properties);
};

const urlOf = ({ path, sizeParameter, query, parameters }: List, size: number | null): string => {
  const sized = size === null ? {} : { [sizeParameter!]: size };
  return href('', path, { ...parameters, query: { ...query, ...sized } });
};

/** A page as a client reads it. */
interface ReadPage {
  elements: string[];
  next: string | undefined;
  /** How many elements there are in all, if the page says it. */
  total: number | undefined;
}

interface JsonList {
  _embedded?: Record<string, { _links?: { self?: { href: string } } }[]>;
  _links?: { next?: { href: string } };
  page?: { size: number; totalElements: number };
  features?: { id: number }[];
  links?: { rel: string; href: string }[];
  numberMatched?: number;
}

/** A page of a list in HAL or GeoJSON. */
function readJson(body: string): ReadPage {
  const list = JSON.parse(body) as JsonList;
  if (list.features !== undefined) {
    return {
      elements: list.features.map(({ id }) => String(id)),
      next: list.links!.find(({ rel }) => rel === 'next')?.href,
      total: list.numberMatched,
    };
  }
  const [elements = []] = Object.values(list._embedded!);
  return {
    elements: elements.map((each) => each._links?.self?.href ?? JSON.stringify(each)),
    next: list._links!.next?.href,
    total: list.page?.totalElements,
  };
}

const unescaped = (url: string): string => url.replaceAll('&amp;', '&');

/** A page of the Atom feed. */
function readAtom(body: string): ReadPage {
  const next = /<link rel="next"[^>]* href="([^"]+)"/.exec(body)?.[1];
  return {
    elements: Array.from(body.matchAll(/<entry>.*?<\/entry>/gs), ([entry]) => entry),
    next: next && unescaped(next),
    total: undefined,
  };
}

/** A page for people. Its list is the last table. */
function readHtml(body: string): ReadPage {
  const list = body.slice(body.lastIndexOf('<tbody>'));
  const next = /<a rel="next" href="\.?([^"]+)"/.exec(body)?.[1];
  return {
    elements: Array.from(list.matchAll(/<tr\b.*?<\/tr>/gs), ([row]) => row),
    next: next && unescaped(next),
    total: undefined,
  };
}

/** The page in an answer. */
function readPage(type: string, body: string): ReadPage {
  if (type.includes('json')) return readJson(body);
  return type.startsWith('application/atom+xml') ? readAtom(body) : readHtml(body);
}

/** What follows `next` through a list has found. */
interface Walk {
  pages: ReadPage[];
  elements: string[];
  /** The body of the first page. */
  first: string;
}

/** Follows `next` from a URL on. */
async function walk({ get }: Service, url: string, accept: string): Promise<Walk> {
  const pages: ReadPage[] = [];
  let first = '';
  for (let next: string | undefined = url; next !== undefined;) {
    const { statusCode, headers, body } = await get(next, { accept });
    if (statusCode !== 200) throw new Error(`${next}: ${statusCode} ${body.slice(0, 1000)}`);
    const page = readPage(String(headers['content-type']), body);
    if (pages.length === 0) first = body;
    // A feed always has a next page. At its end, that is empty.
    if (page.elements.length === 0) break;
    pages.push(page);
    next = page.next?.replace(HOST, '');
  }
  return { pages, elements: pages.flatMap(({ elements }) => elements), first };
}

/** The time so many hours after the first one, as in a log. */
const hour = (number: number): string =>
  new Date(Date.UTC(2001, 0, 1, number)).toISOString().replace(':00.000', '');

/** Sensors with a gap after each, so that there are two Setups for each. */
const manySensors = (): Item[] =>
  Array.from({ length: FEW / 2 }, (_, index) => ({
    type: `SENSOR ${MANY + index}`,
    serial: SERIAL_NUMBER,
    from: hour(2 * index),
    to: hour(2 * index + 1),
  }));

/** Writes the logs. All Sites have a device of each kind; the first one also has many sensors. */
function writeNetwork(folder: string): void {
  mkdirSync(folder);
  for (let number = 0; number < MANY; number++) {
    const id = `A${number.toString(36).toUpperCase().padStart(3, '0')}`;
    const from = '2001-01-01T00:00Z';
    const removed = { from, to: '2020-01-01T00:00Z' };
    const up = (1 + (number % CONFIGURATIONS) / 10_000).toFixed(4);
    const configuration = { 'Marker->ARP Up Ecc. (m)': up };
    const sensor = { type: `SENSOR ${number}`, serial: SERIAL_NUMBER, ...removed };
    const log = logText({
      id,
      name: `Site ${number}`,
      receivers: [{ type: DEVICE_TYPE, serial: String(number), ...removed }],
      antennas: [{ type: DEVICE_TYPE, serial: String(number), from, more: configuration }],
      clocks: [{ type: `CLOCK ${number}`, ...removed }],
      sensors: id === FIRST_SITE ? [sensor, ...manySensors()] : [sensor],
    });
    writeFileSync(join(folder, `${id}_20200101.log`), log);
  }
}

/**
 * What is wrong with the elements of a list.
 * @param expected all of them, in order, as pages of another size have them; undefined for the
 *   first size
 */
function wrongIn({ pages, elements }: Walk, expected: string[] | undefined): string[] {
  const totals = pages.map(({ total }) => total ?? elements.length);
  return [
    ...unless(elements.length >= FEW, `only ${elements.length} elements`),
    ...unless(new Set(elements).size === elements.length, 'an element comes twice'),
    ...unless(
      elements.join('\n') === (expected ?? elements).join('\n'),
      `${elements.length} elements instead of ${expected?.length}`,
    ),
    ...unless(
      totals.every((total) => total === elements.length),
      `${elements.length} elements, but the total is ${totals[0]}`,
    ),
  ];
}

const unless = (isRight: boolean, what: string): string[] => (isRight ? [] : [what]);

/** The page of the changes of one group: the removal of all receivers. */
async function listOfGroup(t: Test, service: Service): Promise<List> {
  const url = `${PATHS.changes}?equipmentType=gnss%20receiver&kind=removed`;
  const page = await openPage(service, url);
  const links = page.all('a', 'href').flatMap((link) => /[?&]group=([^&]+)/.exec(link)?.[1] ?? []);
  t.equal(links.length, 1, 'one group');
  const group = decodeURIComponent(links[0]!);
  return { path: PATHS.changes, sizeParameter: 'size', query: { group }, parameters: {} };
}

const folder = join(t.testdir({}), 'network');
writeNetwork(folder);

t.test('every list, page by page, has every element exactly once', async (t) => {
  routes.length = 0;
  const service = await openService(t, [folder]);
  const lists = routes.filter((route) => hasOneOf(route, ['size', 'limit'])).flatMap(listsOf);
  t.ok(lists.length >= 18, `${lists.length} lists`);
  for (const list of lists) {
    let expected: string[] | undefined;
    for (const size of SIZES) {
      const url = urlOf(list, size);
      const found = await walk(service, url, '*/*');
      t.same(wrongIn(found, expected), [], url);
      expected ??= found.elements;
    }
  }
});

t.test('every list of a page for people has every element exactly once', async (t) => {
  routes.length = 0;
  const service = await openService(t, [folder]);
  const pages = routes.filter((route) => route.config?.page && hasOneOf(route, ['page']));
  const lists = [...pages.flatMap(listsOf), await listOfGroup(t, service)];
  t.ok(lists.length >= 6, `${lists.length} lists`);
  for (const list of lists) {
    let expected: string[] | undefined;
    for (const size of list.sizeParameter === undefined ? [null] : SIZES) {
      const url = urlOf(list, size);
      const found = await walk(service, url, BROWSER);
      t.same(wrongIn(found, expected), [], url);
      t.match(found.first, numberWords(found.elements.length), `${url} says how many`);
      t.match(found.first, `Page 1 of ${found.pages.length}`, url);
      if (list.path === PATHS.changes) {
        const rows = list.query.group === undefined ? CONFIGURATIONS : MANY;
        t.equal(found.elements.length, rows, `${url} has each group, or each change of one`);
        t.match(found.first, counted(MANY, 'change'), `${url} says how many changes`);
      }
      expected ??= found.elements;
    }
  }
});

t.test('GET /corsSites/search/findByEquipment with a size above its maximum', async (t) => {
  const service = await openService(t, [folder]);
  const path = '/corsSites/search/findByEquipment';
  const { body } = await service.get(`${path}?size=1000`);
  const { page, _links, _embedded } = JSON.parse(body) as Paged;
  t.same(page, { size: 100, totalElements: MANY, totalPages: 22, number: 0 });
  t.equal(elementsIn({ _embedded }).length, 100);
  t.equal(_links.self.href, `${HOST}${path}?size=1000`);
  t.equal(_links.next?.href, `${HOST}${path}?page=1&size=100`);
  t.equal(_links.last?.href, `${HOST}${path}?page=21&size=100`);
});

t.test(
  'a page for people links to the same page of the API only if that has the same elements',
  async (t) => {
    const service = await openService(t, [folder]);
    const linksOf = async (url: string): Promise<string[]> =>
      (await openPage(service, url)).all('link', 'href').filter((each) => each.includes('size='));
    const same = await linksOf('/sites?page=1');
    const other = await linksOf('/sites?page=1&sort=name');
    t.equal(same[0], './corsSites?page=1&size=50&sort=fourCharacterId,asc');
    t.equal(other[0], './corsSites?size=50&sort=name,asc');
    const [unknown] = await linksOf('/receivers?type=&page=1');
    t.equal(unknown, './gnssReceivers?size=100&sort=serialNumber,asc&projection=installations');
  },
);
