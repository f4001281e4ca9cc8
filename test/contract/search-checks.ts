import { operationOf, same } from './item-checks.js';
import { elementsOf, type Given, type Pairs, type Probe, selfOf } from './probe.js';
import { type Json, memberOf, parseJson } from './published-contract.js';

/** Asks a search with each of the values that are known, and looks at what it found. */
type SearchCheck = (probe: Probe, all: Given[]) => Promise<void>;

/** An instant before all Setups. */
const LONG_AGO = '1900-01-01T00:00:00Z';

const valueOf = ({ query }: Given, name: string): string => query.find(([each]) => each === name)?.[1] ?? '';
const withValue = ({ path, query }: Given, name: string, value: string): Given => ({
  path,
  query: query.map(([each, known]) => [each, each === name ? value : known]),
});
const textOf = (element: Json | undefined, member: string): string => String(memberOf(element, member));
const fromOf = (setup: Json | undefined): string => textOf(setup, 'effectivePeriod.from');
/** The end of a Setup; what has none comes after every instant. */
const endOf = (setup: Json | undefined): string => String(memberOf(setup, 'effectivePeriod.to') ?? '~');
const isOrdered = (instants: string[]): boolean => instants.every((each, index) => index === 0 || instants[index - 1]! <= each);
const unless = (right: boolean, problem: string): string[] => (right ? [] : [problem]);

/** An answer of another operation, with which one is compared; null: there is none. */
async function ask(probe: Probe, path: string, query: Pairs, values: Record<string, string> = {}): Promise<Json> {
  const operation = operationOf(probe.run, path);
  if (operation === undefined) return null;
  const { status, body } = await probe.run.client.request(probe.url({ path: values, query }, [], operation));
  const parsed = parseJson(body);
  return status !== 200 || typeof parsed === 'string' ? null : parsed.value;
}

/** The Site of a four-character id, among those that were found. */
const siteOf = ({ run }: Probe, id: string): Json | undefined =>
  run.deployment.elementsOf(operationOf(run, '/corsSites')).find((each) => memberOf(each, 'fourCharacterId') === id);

/** The current Setup is that of the Site, is current, and is the only one; where there is none, the answer says so. */
const checkCurrent: SearchCheck = async (probe, all) => {
  for (const given of all) {
    const id = valueOf(given, 'id');
    const siteId = memberOf(siteOf(probe, id), 'id');
    const { exchange, status, body } = await probe.get(probe.url(given), { status: [200, 404] });
    const current = await ask(probe, '/setups', [
      ['siteId', String(siteId)],
      ['current', 'true'],
    ]);
    if (body === undefined || current === null || siteId === undefined) continue;
    const elements = elementsOf(operationOf(probe.run, '/setups')!, current);
    const subject = probe.subjectOf(exchange);
    if (status === 404) {
      const none = unless(elements.length === 0, `404, though ${selfOf(elements[0])} is current`);
      probe.findings.add('search', subject, [...none, ...probe.problemProblems(body, 'no-current-setup')]);
      continue;
    }
    probe.findings.add('search', subject, [
      ...unless(memberOf(body, 'current') === true, '"current" is not true'),
      ...unless(memberOf(body, 'siteId') === siteId, `it is of Site ${textOf(body, 'siteId')}; expected ${String(siteId)}`),
      ...unless(elements.length === 1 && same(elements[0], body), 'it is not the one that /setups has as current of the Site'),
    ]);
    const lower = await probe.run.client.request(probe.url(withValue(given, 'id', id.toLowerCase())));
    probe.findings.add('search', probe.subjectOf(lower), unless(lower.body.equals(exchange.body), `another answer than for ${id}`));
  }
};

const holdsAt = (setup: Json | undefined, instant: string): string[] =>
  unless(fromOf(setup) <= instant && endOf(setup) > instant, `a Setup from ${fromOf(setup)} to ${endOf(setup)}`);

/** At the instant of a change the newer Setup holds, just before it the older one, and before the first none. */
const checkAt: SearchCheck = async (probe, all) => {
  const at = async (given: Given, instant: string, find: (setup: Json) => string[]): Promise<Json | undefined> => {
    const { exchange, status, body } = await probe.get(probe.url(withValue(given, 'at', instant)), { status: [200, 404] });
    if (body === undefined) return undefined;
    const problems = status === 200 ? [...holdsAt(body, instant), ...find(body)] : probe.problemProblems(body, 'before-first-setup');
    probe.findings.add('search', probe.subjectOf(exchange), problems);
    return status === 200 ? body : undefined;
  };
  for (const given of all) {
    const siteId = memberOf(siteOf(probe, valueOf(given, 'id')), 'id');
    const setups = await ask(probe, '/setups', [
      ['siteId', String(siteId)],
      ['invalidated', 'false'],
    ]);
    if (memberOf(setups, 'page.totalElements') === 0) {
      probe.findings.lack('search', probe.subjectOf({ method: 'GET', url: probe.url(given) }), 'the Site has no Setup');
      continue;
    }
    const ofSite = (setup: Json): string[] => unless(memberOf(setup, 'siteId') === siteId, `it is of Site ${textOf(setup, 'siteId')}`);
    const now = await at(given, valueOf(given, 'at'), ofSite);
    if (now === undefined) continue;
    const start = fromOf(now);
    if (Number.isNaN(Date.parse(start))) continue;
    await at(given, start, (setup) => unless(same(setup, now), 'it is not the Setup that begins then'));
    const justBefore = new Date(Date.parse(start) - 1000).toISOString().replace('.000Z', 'Z');
    await at(given, justBefore, (setup) => unless(endOf(setup) === start, `the Setup before ends at ${endOf(setup)}`));
    await at(given, LONG_AGO, () => ['a Setup, long before there were any']);
  }
};

/** Many Sites in one request: each has the Setup that the search for one has, or is named. */
const checkMany: SearchCheck = async (probe, all) => {
  const [first] = all;
  if (first === undefined) return;
  const ids = all.map((given) => valueOf(given, 'id'));
  const others = first.query.filter(([name]) => name !== 'id');
  const { exchange, body } = await probe.get(probe.url({ path: {}, query: [...ids.map((id): [string, string] => ['id', id]), ...others] }));
  if (body === undefined) return;
  const setups = elementsOf(probe.operation, body);
  const notFound = memberOf(body, 'notFound');
  const named = Array.isArray(notFound) ? notFound.map((each) => textOf(each, 'id')) : [];
  const otherwise: string[] = [];
  for (const id of ids) {
    const one = await ask(probe, probe.operation.path.replace(/In$/, ''), [['id', id], ...others]);
    if (one === null ? !named.includes(id) : !setups.some((each) => same(each, one))) otherwise.push(id);
  }
  probe.findings.add('search', probe.subjectOf(exchange), [
    ...unless(otherwise.length === 0, `${otherwise.join(', ')} answered otherwise than alone`),
    ...unless(setups.length + named.length === ids.length, `${setups.length} Setups and ${named.length} named, for ${ids.length} ids`),
  ]);
};

/** What is wrong with Setups as all those of a Site that hold. */
async function setupsProblems(probe: Probe, siteId: string, page: Json): Promise<string[]> {
  const elements = elementsOf(probe.operation, page);
  const all = await ask(probe, '/setups', [
    ['siteId', siteId],
    ['invalidated', 'false'],
    ['size', '1'],
  ]);
  const total = memberOf(all, 'page.totalElements');
  return [
    ...elements.flatMap((each) => unless(textOf(each, 'siteId') === siteId, `${selfOf(each)} is of another Site`)),
    ...elements.flatMap((each) => unless(memberOf(each, 'invalidated') === false, `${selfOf(each)} is invalidated`)),
    ...unless(isOrdered(elements.map(fromOf)), 'they are not in order of time'),
    ...unless(all === null || memberOf(page, 'page.totalElements') === total, `they are not ${String(total)}, as in /setups`),
  ];
}

/** The Setups of a Site are all of this Site, hold, come in order of time, and are as many as the filter finds. */
const checkSetupsOfSite: SearchCheck = async (probe, all) => {
  for (const given of all) {
    const { exchange, body } = await probe.get(probe.url(given));
    if (body !== undefined)
      probe.findings.add('search', probe.subjectOf(exchange), await setupsProblems(probe, valueOf(given, 'siteId'), body));
  }
};

/** The same by the four-character id; and of a period, those that meet it. */
const checkSetupsOfPeriod: SearchCheck = async (probe, all) => {
  for (const given of all) {
    const { exchange, body } = await probe.get(probe.url(given));
    const siteId = memberOf(siteOf(probe, valueOf(given, 'id')), 'id');
    if (body === undefined || siteId === undefined) continue;
    probe.findings.add('search', probe.subjectOf(exchange), await setupsProblems(probe, String(siteId), body));
    for (const setup of elementsOf(probe.operation, body).slice(0, 2)) {
      const to = memberOf(setup, 'effectivePeriod.to');
      const period: Pairs = [['effectiveFrom', fromOf(setup)], ...(typeof to === 'string' ? ([['effectiveTo', to]] satisfies Pairs) : [])];
      const met = await probe.get(probe.url(given, period));
      const found = elementsOf(probe.operation, met.body);
      if (met.body === undefined) continue;
      const right = found.length === 1 && same(found[0], setup);
      probe.findings.add(
        'search',
        probe.subjectOf(met.exchange),
        unless(right, `${found.length} Setups; expected ${selfOf(setup)}, whose period it is`),
      );
    }
  }
  const [first] = all;
  if (first !== undefined) await checkInverted(probe, first, 'effectiveFrom', 'effectiveTo');
};

/** A period that ends before it begins is refused. */
async function checkInverted(probe: Probe, given: Given, from: string, to: string): Promise<void> {
  const period: Pairs = [
    [from, '2014-01-01'],
    [to, '2013-01-01'],
  ];
  await probe.refused(probe.url(given, period), to);
}

/** Changes come in order of time, have what was before and after, and those of a Site or a period or a kind are no others. */
const checkChanges: SearchCheck = async (probe, all) => {
  const add = (subject: Parameters<Probe['subjectOf']>[0], changes: Json[], right: (change: Json) => boolean): void => {
    const strange = changes.find((each) => !right(each));
    const half = changes.find((each) => {
      const kind = memberOf(each, 'kind');
      return (memberOf(each, 'before') === null) !== (kind === 'installed') || (memberOf(each, 'after') === null) !== (kind === 'removed');
    });
    probe.findings.add('search', probe.subjectOf(subject), [
      ...unless(isOrdered(changes.map((each) => textOf(each, 'at'))), 'they are not in order of time'),
      ...unless(half === undefined, `${textOf(half, 'kind')} at ${textOf(half, 'at')} does not go with what was before and after`),
      ...unless(strange === undefined, `the one at ${textOf(strange, 'at')} was not asked for`),
    ]);
  };
  for (const given of all) {
    const id = valueOf(given, 'id');
    const ofSite = (change: Json): boolean => id === '' || memberOf(change, 'fourCharacterId') === id;
    const { exchange, body } = await probe.get(probe.url(given));
    const changes = elementsOf(probe.operation, body);
    if (body !== undefined) add(exchange, changes, ofSite);
    const instants = changes.map((each) => textOf(each, 'at')).sort();
    const [from, to] = [instants[0] ?? '', instants.at(-1) ?? ''];
    if (given !== all[0] || changes.length === 0) continue;
    const inPeriod = await probe.get(
      probe.url(given, [
        ['from', from],
        ['to', to],
      ]),
    );
    add(
      inPeriod.exchange,
      elementsOf(probe.operation, inPeriod.body),
      (each) => ofSite(each) && textOf(each, 'at') >= from && textOf(each, 'at') < to,
    );
    const kind = textOf(changes[0], 'equipmentType');
    const ofKind = await probe.get(probe.url(given, [['equipmentType', kind]]));
    add(ofKind.exchange, elementsOf(probe.operation, ofKind.body), (each) => ofSite(each) && memberOf(each, 'equipmentType') === kind);
  }
  const [first] = all;
  if (first !== undefined) await checkInverted(probe, first, 'from', 'to');
};

/** The Site that is found by an id is the one that the collection has. */
const checkSite: SearchCheck = async (probe, all) => {
  for (const given of all) {
    const { exchange, body } = await probe.get(probe.url(given));
    const site = siteOf(probe, valueOf(given, 'id'));
    if (body === undefined || site === undefined) continue;
    probe.findings.add('search', probe.subjectOf(exchange), unless(same(body, site), 'another Site than the one of that id in /corsSites'));
  }
};

/** Each Site had equipment of the type in use at the instant. */
const checkSitesWithType: SearchCheck = async (probe, all) => {
  for (const given of all) {
    const { exchange, body } = await probe.get(probe.url(given));
    for (const site of elementsOf(probe.operation, body).slice(0, 2)) {
      const id = textOf(site, 'fourCharacterId');
      const setup = await ask(probe, '/setups/search/findAtByFourCharacterId', [
        ['id', id],
        ['at', valueOf(given, 'at')],
      ]);
      const inUse = memberOf(setup, 'equipmentInUse');
      const has = Array.isArray(inUse) && inUse.some((each) => memberOf(each, 'content.id.type') === valueOf(given, 'type'));
      probe.findings.add('search', probe.subjectOf(exchange), unless(has, `${id} had none in use then`));
    }
  }
};

/** Each device has the serial number, and they are as many as the filter finds. */
const checkSerialNumber: SearchCheck = async (probe, all) => {
  for (const given of all) {
    const { exchange, body } = await probe.get(probe.url(given));
    const filtered = await ask(probe, '/equipment', [['serialNumber', valueOf(given, 'serialNumber')]]);
    if (body === undefined) continue;
    const other = elementsOf(probe.operation, body).find((each) => memberOf(each, 'serialNumber') !== valueOf(given, 'serialNumber'));
    const total = memberOf(filtered, 'page.totalElements');
    probe.findings.add('search', probe.subjectOf(exchange), [
      ...unless(other === undefined, `${selfOf(other)} has another serial number`),
      ...unless(filtered === null || memberOf(body, 'page.totalElements') === total, `they are not ${String(total)}, as in /equipment`),
    ]);
  }
};

/** The installations of a device are those that its projection has. */
const checkInstallations: SearchCheck = async (probe, all) => {
  for (const given of all) {
    const { exchange, body } = await probe.get(probe.url(given));
    const device = await ask(probe, probe.operation.path.replace(/\/installations$/, ''), [['projection', 'installations']], given.path);
    const known = memberOf(device, 'installations');
    if (body === undefined || known === undefined) continue;
    const right = same(elementsOf(probe.operation, body), known);
    probe.findings.add('search', probe.subjectOf(exchange), unless(right, 'others than with projection=installations'));
  }
};

/** What is to be looked at, by the path of the operation. */
const SEARCHES: [RegExp, SearchCheck][] = [
  [/^\/setups\/search\/findCurrentByFourCharacterId$/, checkCurrent],
  [/^\/setups\/search\/findAtByFourCharacterId$/, checkAt],
  [/^\/setups\/search\/find(Current|At)ByFourCharacterIdIn$/, checkMany],
  [/^\/setups\/search\/findBySiteId$/, checkSetupsOfSite],
  [/^\/setups\/search\/findByFourCharacterId$/, checkSetupsOfPeriod],
  [/^(\/setups\/search\/findChangesByFourCharacterId|\/changes)$/, checkChanges],
  [/^\/corsSites\/search\/findByFourCharacterId$/, checkSite],
  [/^\/corsSites\/search\/findByEquipmentTypeAt$/, checkSitesWithType],
  [/^\/equipment\/search\/findBySerialNumber$/, checkSerialNumber],
  [/\/\{id\}\/installations$/, checkInstallations],
];

/** The check of an operation that is a search; undefined: it is none. */
export const searchCheckOf = (path: string): SearchCheck | undefined => SEARCHES.find(([pattern]) => pattern.test(path))?.[1];
