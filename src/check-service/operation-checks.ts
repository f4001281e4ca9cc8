import { unless } from './findings.js';
import { elementsOf, type Json, type JsonObject, memberOf } from './json.js';
import type { Pairs, Probe } from './probe.js';
import { itemOf, type Parameter } from './published-contract.js';

/** How many combinations of values are tried until one finds something. */
const MOST_ATTEMPTS = 5;
/** The statuses of a request for what the service does not have, or does not publish. */
const MISSING = [403, 404, 409, 410];

/** How many pages of a collection are read, and into how many it is divided if it is small. */
const MOST_PAGES = 5;
const LARGEST_PAGE = 200;

/** The values of an example, as the request has them. */
const examplesOf = ({ name, schema }: Parameter): Pairs => {
  const [example] = Array.isArray(schema.examples) ? schema.examples : [];
  if (example === undefined) return [];
  const values = Array.isArray(example) ? example : [example];
  return values.map((value) => [name, String(value)]);
};

/** Values for a required parameter: the example, then values that the service has published. */
function candidatesOf({ run, path, operation }: Probe, parameter: Parameter): string[] {
  const { name } = parameter;
  const isNumber = itemOf(parameter).type === 'integer';
  // In a query, an id identifies a Site.
  const member = !isNumber && (name === 'site' || name === 'id') ? 'fourCharacterId' : name;
  const position = [...path.matchAll(/\{(\w+)\}/g)].findIndex(([, each]) => each === name);
  const inLinks = (): string[] =>
    [...run.links.keys()].flatMap(
      (href) => operation?.pattern.exec(href.slice(run.client.base.length))?.[position + 1] ?? [],
    );
  const found = parameter.in === 'path' ? inLinks() : (run.values.get(member) ?? []);
  const all = [...examplesOf(parameter).map(([, value]) => value), ...found];
  return [...new Set(all)].filter((each) => !isNumber || /^\d+$/.test(each));
}

/** Checks one operation: a good request, then variations of it. */
export async function checkOperation(probe: Probe): Promise<void> {
  const { isFound, pairs } = await findSomething(probe);
  if (!probe.run.isQuick) await checkRefusals(probe, pairs);
  if (!isFound) return;
  if (!probe.run.isQuick) await checkExamples(probe, pairs);
  const names = probe.query.map(({ name }) => name);
  if (names.includes('page') && names.includes('size')) await checkPages(probe, pairs);
  if (names.includes('sort')) await checkSorting(probe, pairs);
}

/** Values for the required parameters, the likeliest first. Where none is known, `x` stands in. */
function combinationsOf(probe: Probe, required: Parameter[]): Pairs[] {
  const candidates = required.map((each) => candidatesOf(probe, each));
  const count = Math.max(1, ...candidates.map(({ length }) => length));
  return Array.from({ length: Math.min(MOST_ATTEMPTS, count) }, (_, attempt) =>
    required.map(({ name }, index): Pairs[number] => [
      name,
      candidates[index]!.at(attempt) ?? candidates[index]!.at(-1) ?? 'x',
    ]),
  );
}

/** Requests the operation with its required parameters until something is found. */
async function findSomething(probe: Probe): Promise<{ isFound: boolean; pairs: Pairs }> {
  const required = probe.operation?.parameters?.filter((each) => each.required === true) ?? [];
  const isUnknown = (each: Parameter): boolean => candidatesOf(probe, each).length === 0;
  let isMoreKnown = true;
  while (isMoreKnown && required.some(isUnknown)) isMoreKnown = await probe.askSource();
  const tried = new Set<string>();
  let pairs: Pairs = [];
  do {
    for (pairs of combinationsOf(probe, required)) {
      const url = probe.url(pairs);
      if (tried.has(url)) continue;
      tried.add(url);
      const exchange = await probe.ask(pairs);
      const isMissing = required.length > 0 && MISSING.includes(exchange.status);
      if (!isMissing) return { isFound: probe.expect(exchange, 'status', [200]), pairs };
    }
  } while (tried.size < MOST_ATTEMPTS && (await probe.askSource()));
  probe.findings.lack(
    'status',
    `nothing is found for ${required.map(({ name }) => name).join(', ')}`,
  );
  return { isFound: false, pairs };
}

/** A method that is not documented is a 405 that lists those that are. */
export async function checkMethods(probe: Probe, pairs: Pairs): Promise<void> {
  if (probe.operation?.isReadOnly !== true) return;
  const exchange = await probe.ask(pairs, 'POST');
  const allowed = (exchange.headers.get('allow') ?? '').split(/ *, */);
  probe.expect(exchange, 'refusals', [405]);
  const isListed = allowed.includes('GET') && allowed.includes('HEAD');
  probe.findings.add(
    'refusals',
    exchange.subject,
    unless(isListed, `Allow is ${allowed.join(', ')}`),
  );
}

/** Other methods are refused, and unknown and missing parameters by name. */
async function checkRefusals(probe: Probe, pairs: Pairs): Promise<void> {
  await checkMethods(probe, pairs);
  await probe.refused(probe.url([...pairs, ['noSuchParameter', 'x']]), 'noSuchParameter');
  for (const { name } of probe.query.filter((each) => each.required === true)) {
    await probe.refused(probe.url(pairs.filter(([each]) => each !== name)), name);
  }
}

/**
 * The examples of the other parameters are accepted: alone, or together with those that the
 * description names.
 */
async function checkExamples(probe: Probe, pairs: Pairs): Promise<void> {
  const others = probe.query.filter((each) => each.required !== true);
  for (const parameter of others) {
    const words = parameter.description?.split(/\W+/) ?? [];
    const needed = others.filter((each) => each !== parameter && words.includes(each.name));
    const alone = [...pairs, ...examplesOf(parameter)];
    const first = await probe.ask(alone);
    const exchange =
      first.status === 400 ? await probe.ask([...alone, ...needed.flatMap(examplesOf)]) : first;
    if (!MISSING.includes(exchange.status)) probe.expect(exchange, 'status', [200]);
  }
}

/** The elements of a page. */
const embeddedIn = (body: Json | undefined): Json[] =>
  elementsOf(Object.values((memberOf(body, '_embedded') ?? {}) as JsonObject)[0]);
/** What identifies an element: its URL, or its whole content where it has none. */
const selfOf = (element: Json): string =>
  String(memberOf(element, '_links.self.href') ?? JSON.stringify(element));

/**
 * Reads a collection page by page. Each element must be on exactly one page, and the totals must
 * agree.
 */
async function checkPages(probe: Probe, pairs: Pairs): Promise<void> {
  const single = await probe.get(probe.url([...pairs, ['size', '1']]), 'pages');
  const total = memberOf(single.json, 'page.totalElements');
  if (typeof total !== 'number') return;
  const size = Math.min(
    LARGEST_PAGE,
    Math.max(1, Math.ceil(total / (probe.run.isQuick ? 2 : MOST_PAGES))),
  );
  const seen = new Set<string>();
  let url: string | null = probe.url([...pairs, ['size', String(size)]]);
  for (let number = 0; url !== null && number < MOST_PAGES; number++) {
    const { json, subject } = await probe.get(url, 'pages');
    probe.findings.add('pages', subject, wrongOnPage(json, { size, total, number }, seen));
    const next = memberOf(json, '_links.next.href');
    url = typeof next === 'string' && next.startsWith(`${probe.run.client.base}/`) ? next : null;
  }
  if (size < LARGEST_PAGE) await checkLargePage(probe, pairs, total);
}

/** Reads a large page: a service may have a smaller maximum, and must then say it. */
async function checkLargePage(probe: Probe, pairs: Pairs, total: number): Promise<void> {
  const { json, subject } = await probe.get(
    probe.url([...pairs, ['size', String(LARGEST_PAGE)]]),
    'pages',
  );
  const size = Math.min(LARGEST_PAGE, Number(memberOf(json, 'page.size')));
  probe.findings.add('pages', subject, wrongOnPage(json, { size, total, number: 0 }, new Set()));
}

/**
 * What is wrong with a page: its place, its number of elements, and its link to the next one.
 * @param seen the elements of the pages before it, to which its own are added
 */
function wrongOnPage(
  json: Json | undefined,
  { size, total, number }: { size: number; total: number; number: number },
  seen: Set<string>,
): string[] {
  const totalPages = Math.ceil(total / size);
  const page = JSON.stringify(memberOf(json, 'page'));
  const expected = JSON.stringify({ size, totalElements: total, totalPages, number });
  const next = memberOf(json, '_links.next.href');
  const here = embeddedIn(json).map(selfOf);
  const repeated = here.find((each, index) => seen.has(each) || here.indexOf(each) < index);
  for (const each of here) seen.add(each);
  return [
    ...unless(page === expected, `page is ${page}; expected ${expected}`),
    ...unless(repeated === undefined, `${repeated} is repeated`),
    ...unless(here.length === Math.min(size, total - number * size), `${here.length} elements`),
    ...unless(
      number >= totalPages - 1 === (next === undefined),
      'next is missing, or is on the last page',
    ),
  ];
}

/**
 * The properties that `sort` accepts, by the pattern of its schema:
 * `^(type|serialNumber)(,(asc|desc))?$`.
 */
function sortableOf({ query }: Probe): string[] {
  const sort = query.find(({ name }) => name === 'sort');
  const [, names] = /^\^\(([^()]*)\)/.exec(String(sort && itemOf(sort).pattern)) ?? [];
  return names?.replaceAll('\\', '').split('|') ?? [];
}

/** Sorts by each property. One that the elements do not have is null in all of them. */
async function checkSorting(probe: Probe, pairs: Pairs): Promise<void> {
  const properties = sortableOf(probe);
  if (properties.length === 0)
    probe.findings.lack('sort', 'the schema of sort lists no properties');
  for (const property of probe.run.isQuick ? properties.slice(0, 1) : properties) {
    for (const direction of ['asc', 'desc']) {
      const url = probe.url([
        ...pairs,
        ['sort', `${property},${direction}`],
        ['size', String(LARGEST_PAGE)],
      ]);
      const { json, subject } = await probe.get(url, 'sort');
      const values = embeddedIn(json).flatMap((each) => memberOf(each, property) ?? null);
      const wrong = values.find(
        (each, index) => index > 0 && !mayPrecede(values[index - 1]!, each, direction === 'desc'),
      );
      probe.findings.add(
        'sort',
        subject,
        unless(wrong === undefined, `${JSON.stringify(wrong)} is out of order`),
      );
    }
  }
}

/**
 * Whether a value may come before another: text by code points, unknown values last in both
 * directions.
 */
function mayPrecede(a: Json, b: Json, isDescending: boolean): boolean {
  if (a === null || b === null) return b === null;
  const order =
    typeof a === 'string'
      ? Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
      : Number(a) - Number(b);
  return isDescending ? order >= 0 : order <= 0;
}
