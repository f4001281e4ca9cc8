import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import {
  type Change,
  type CorsSite,
  type Instant,
  type Page,
  type PageLinks,
  type Problem,
  type SetupResource,
} from '../../schemas/index.js';
import { type Item, openService, REAL_LOGS, SAMPLE, type Service, type SyntheticLog, violations, withRealLogs } from '../helper.js';

const AT = '/setups/search/findAtByFourCharacterId';
const CURRENT = '/setups/search/findCurrentByFourCharacterId';
const PERIOD = '/setups/search/findByFourCharacterId';
const AT_IN = '/setups/search/findAtByFourCharacterIdIn';
const CURRENT_IN = '/setups/search/findCurrentByFourCharacterIdIn';
const CHANGES = '/changes';
const SITES_WITH = '/corsSites/search/findByEquipment';

interface Paged<Name extends string, T> {
  _embedded: Record<Name, T[]>;
  _links: PageLinks;
  page: Page;
}
interface SetupList {
  _embedded: { setups: SetupResource[] };
  notFound: { id: string; reason: string }[];
  _links: { self: { href: string } };
}
interface Installation {
  siteId: number;
  fourCharacterId: string;
  period: { from: Instant; to: Instant | null };
  configuration: Record<string, unknown>;
  conflictsWith: string[];
}
type Provenanced = SetupResource & { provenance: { recordedAt: string; supersededAt: string | null; siteLog: { name: string } } };
type Query = Record<string, string | number | string[]>;

const urlOf = (path: string, query: Query): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)]));
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
};

/** A Setup as an answer for one Site has it; an answer for many Sites also says which Site each is of. */
function withoutSite({ site, _links: { corsSite, ...links }, ...setup }: SetupResource): SetupResource {
  t.ok(site !== undefined && corsSite !== undefined);
  return { ...setup, _links: links };
}

/** Sends requests and validates every response against its published schema. */
const asking = (t: Test, { get }: Pick<Service, 'get'>) => {
  const ask = async <T>(schema: string, path: string, query: Query = {}): Promise<T> => {
    const url = urlOf(path, query);
    const response = await get(url);
    t.equal(response.statusCode, 200, url.slice(0, 120), { body: response.body.slice(0, 1000) });
    t.same(violations(schema, response.json()), [], `${url.slice(0, 120)}: ${schema}`);
    return response.json<T>();
  };
  const refused = async (path: string, query: Query, status: number, kind: string): Promise<Problem> => {
    const url = urlOf(path, query);
    const response = await get(url);
    const problem = response.json<Problem>();
    t.same(violations('Problem', problem), [], url.slice(0, 120));
    t.match(
      [response.statusCode, response.headers['content-type'], problem],
      [status, 'application/problem+json', { type: `urn:gnss-site-setups:problem:${kind}`, status }],
      url.slice(0, 120),
    );
    return problem;
  };
  return {
    ask,
    refused,
    setup: (path: string, query: Query) => ask<SetupResource>('Setup', path, query),
    setups: (query: Query) => ask<Paged<'setups', SetupResource>>('SetupCollection', PERIOD, query),
    list: async (path: string, query: Query): Promise<SetupList> => {
      const list = await ask<SetupList>('SetupList', path, query);
      return { ...list, _embedded: { setups: list._embedded.setups.map(withoutSite) } };
    },
    changes: (path: string, query: Query) => ask<Paged<'changes', Change>>('ChangeCollection', path, query),
    /** All elements, page by page, by following links. */
    walk: async <Name extends string, T>(schema: string, name: Name, path: string, query: Query): Promise<T[]> => {
      const elements: T[] = [];
      let page = await ask<Paged<Name, T>>(schema, path, query);
      for (let number = 0; ; number++) {
        t.equal(page.page.number, number);
        elements.push(...page._embedded[name]);
        const next = page._links.next?.href;
        if (next === undefined) break;
        page = await ask(schema, next.replace('http://localhost:80', ''));
      }
      t.equal(elements.length, page.page.totalElements);
      return elements;
    },
  };
};

/** A service over synthetic logs. */
const over = async (t: Test, ...logs: SyntheticLog[]) => {
  const service = await openService(t);
  for (const log of logs) await service.importText(log, `${log.id ?? 'TEST'}_20200101.log`);
  return { ...service, ...asking(t, service) };
};

const typesOf = ({ equipmentInUse }: SetupResource): (string | null)[] => equipmentInUse.map(({ content }) => content.id.type);
const periodOf = ({ effectivePeriod: { from, to } }: SetupResource): string => `${from}/${to ?? ''}`;
/** `TEST 2001-01-01T00:00:00Z installed - > R1` */
const shownChange = ({ fourCharacterId, at, kind, before, after }: Change): string =>
  `${fourCharacterId} ${at} ${kind} ${before?.content.id.type ?? '-'} > ${after?.content.id.type ?? '-'}`;

// At an instant

t.test('at the instant of a change the newer Setup is found, one second before it the older one', async (t) => {
  const { setup } = await over(t, {
    receivers: [
      { type: 'R1', serial: '1', from: '2001-01-01T00:00Z', to: '2002-06-01T12:30Z' },
      { type: 'R2', serial: '2', from: '2002-06-01T12:30Z' },
    ],
  });
  const older = '2001-01-01T00:00:00Z/2002-06-01T12:30:00Z';
  const newer = '2002-06-01T12:30:00Z/';
  for (const [at, period, type] of [
    ['2001-01-01T00:00:00Z', older, 'R1'],
    ['2001-01-01', older, 'R1'],
    ['2001:001', older, 'R1'],
    ['2002-06-01T12:29:59Z', older, 'R1'],
    ['2002-06-01T12:29:59.999Z', older, 'R1'],
    ['2002-06-01T12:30:00Z', newer, 'R2'],
    ['2002-06-01T12:30Z', newer, 'R2'],
    ['2002-06-01T22:30:00+10:00', newer, 'R2'],
    ['2002-06-01T22:29:59+10:00', older, 'R1'],
    ['2002-06-01', older, 'R1'],
    ['2002-06-02', newer, 'R2'],
    ['2002:152', older, 'R1'],
    ['2002:153', newer, 'R2'],
    ['1168:6', older, 'R1'],
    ['1169:0', newer, 'R2'],
    ['9999-12-31T23:59:59Z', newer, 'R2'],
    ['9999:6', newer, 'R2'],
  ] as const) {
    const found = await setup(AT, { id: 'TEST', at });
    t.same([periodOf(found), typesOf(found)], [period, [type]], at);
  }
  t.equal((await setup(AT, { id: 'TEST', at: '2020-01-01' })).id, (await setup(CURRENT, { id: 'TEST' })).id);
});

t.test('before the first Setup there is a problem that says when the first one begins', async (t) => {
  const { refused, setup } = await over(
    t,
    { receivers: [{ type: 'R1', serial: '1', from: '2001-01-01T06:00Z' }] },
    { id: 'NODT', receivers: [{ type: 'R1' }] },
  );
  for (const at of ['2001-01-01T05:59:59Z', '2001-01-01', '0001-01-01', '0:0', '2000:366']) {
    t.match(await refused(AT, { id: 'test', at }, 404, 'before-first-setup'), { firstSetupFrom: '2001-01-01T06:00:00Z' });
  }
  t.equal((await setup(AT, { id: 'TEST', at: '2001-01-01T06:00:00Z' })).effectivePeriod.to, null);
  t.equal((await refused(AT, { id: 'NODT', at: '2001-01-01' }, 404, 'no-current-setup')).firstSetupFrom, undefined);
  await refused(AT, { id: 'XXXX', at: '2001-01-01' }, 404, 'unknown-site');
});

t.test('a text that is not an instant gets 400, names the parameter, and says what is wrong with an impossible time', async (t) => {
  const { refused } = await over(t, { receivers: [{ type: 'R1', serial: '1', from: '2001-01-01' }] });
  for (const [at, allowed] of [
    ['yesterday', /^Allowed: an RFC 3339 time/],
    [' ', /^Allowed: an RFC 3339 time/],
    ['2013-02-29', /^Not a time \(2013-02 has 28 days\)\. Allowed: an RFC 3339 time/],
    ['2013:366', /^Not a time \(2013 has 365 days\)/],
    ['1748:7', /^Not a time \(the days of a GPS week are 0 \(Sunday\) to 6\)/],
    ['2001-13-01', /^Not a time \(months are 01 to 12\)/],
    ['2001-01-01T24:00:00Z', /^Not a time \(hours are 00 to 23\)/],
    ['2001-01-01T00:00:00', /^Not a time \(add Z: times are UTC\)/],
  ] as const) {
    const { invalidParameters } = await refused(AT, { id: 'TEST', at }, 400, 'invalid-parameter');
    t.match(invalidParameters, [{ name: 'at', value: at, allowed }], at);
  }
  for (const asOf of ['yesterday', '2013-02-29']) {
    for (const [path, query] of [
      [AT, { id: 'TEST', at: '2001-01-01', asOf }],
      [CURRENT, { id: 'TEST', asOf }],
      [AT_IN, { id: 'TEST', at: '2001-01-01', asOf }],
      [CURRENT_IN, { id: 'TEST', asOf }],
    ] as const)
      t.match((await refused(path, query, 400, 'invalid-parameter')).invalidParameters, [{ name: 'asOf', value: asOf }], path);
  }
  t.match((await refused(AT, { id: 'TEST' }, 400, 'invalid-parameter')).invalidParameters, [{ name: 'at', value: null }]);
  t.match((await refused(AT, { id: 'TEST', at: '' }, 400, 'invalid-parameter')).invalidParameters, [{ name: 'at' }]);
  t.match((await refused(AT, { id: 'TEST', at: ['2001', '2002'] }, 400, 'invalid-parameter')).invalidParameters, [{ name: 'at' }]);
  t.match((await refused(AT, { id: 'TEST', at: '2001-01-01', effectiveTO: 'x' }, 400, 'invalid-parameter')).invalidParameters, [
    { name: 'effectiveTO' },
  ]);
});

t.test('two equal items at once are both listed, and so are overlapping blocks of one device', async (t) => {
  const twin = { type: 'TWIN', serial: '1', from: '2001-01-01', to: '2003-01-01' };
  const { setup, changes, ask } = await over(t, {
    receivers: [twin, twin, { type: 'TWIN', serial: '1', from: '2002-01-01' }],
  });
  for (const [at, count] of [
    ['2001-01-01', 2],
    ['2002-01-01', 3],
    ['2003-01-01', 1],
  ] as const)
    t.equal((await setup(AT, { id: 'TEST', at })).equipmentInUse.length, count, at);
  const found = await changes(CHANGES, { site: 'TEST' });
  t.same(new Set(found._embedded.changes.map(({ at }) => at.slice(0, 4))), new Set(['2001', '2002', '2003']));
  t.ok(
    (await installationsOf(ask, 'TWIN', '1')).every(({ conflictsWith }) => conflictsWith.length === 0),
    'one Site does not conflict with itself',
  );
});

/** The installations of a receiver. */
async function installationsOf(ask: ReturnType<typeof asking>['ask'], type: string, serialNumber: string): Promise<Installation[]> {
  const query = { type, serialNumber, projection: 'installations' };
  const found = await ask<Paged<'gnssReceivers', { installations: Installation[] }>>('GnssReceiverCollection', '/gnssReceivers', query);
  return found._embedded.gnssReceivers[0]!.installations;
}

// Over a period

const alicPeriod = async (t: Test, service: Service, setupsInAll: number, firstTo: Instant) => {
  const { setups } = asking(t, service);
  const all = await setups({ id: 'ALIC', size: 1000 });
  t.equal(all.page.totalElements, setupsInAll);
  const whole = all._embedded.setups;
  t.match(whole[0], { effectivePeriod: { from: '1994-05-15T00:00:00Z', to: firstTo } });
  t.match(whole.at(-1), { effectivePeriod: { from: '2017-02-23T00:00:00Z', to: null }, current: true });
  for (let index = 1; index < whole.length; index++) {
    t.equal(whole[index]!.effectivePeriod.from, whole[index - 1]!.effectivePeriod.to, 'chronological, without gaps');
  }
  const expected = [
    '2011-07-20T00:00:00Z/2013-03-08T00:00:00Z',
    '2013-03-08T00:00:00Z/2013-07-08T00:45:00Z',
    '2013-07-08T00:45:00Z/2016-02-04T00:00:00Z',
  ];
  const bounds = (from: string, to: string) => ({ id: 'ALIC', effectiveFrom: from, effectiveTo: to });
  for (const query of [
    bounds('2011-12-12', '2014-12-12'),
    { ...bounds('2011-12-12', '2014-12-12'), timeFormat: 'uuuu-MM-dd' },
    { ...bounds('2011-12-12T00:00:00Z', '2014-12-12T00:00:00Z'), timeFormat: "uuuu-MM-dd'T'HH:mm:ssX" },
    { ...bounds('2011-12-12T10:00:00+10', '2014-12-12T10:00:00+1000'), timeFormat: "uuuu-MM-dd'T'HH:mm:ssX" },
    { ...bounds('2011-12-12T10:00:00+10:00', '2014-12-12T10:00:00+10:00'), timeFormat: "uuuu-MM-dd'T'HH:mm:ssXXX" },
    { ...bounds('2011-346', '2014-346'), timeFormat: 'uuuu-DDD' },
    { ...bounds('12.12.2011', '12.12.2014'), timeFormat: 'dd.MM.yyyy' },
    bounds('2011-12-12T00:00:00Z', '2014-12-12T00:00:00Z'),
    bounds('2011:346', '1822:5'),
  ]) {
    const found = await setups(query);
    t.match(
      found._embedded.setups.map(periodOf),
      expected.map((each) => new RegExp(`^${each.slice(0, 36)}`)),
      JSON.stringify(query),
    );
    t.equal(found._embedded.setups.length, 3);
  }
};

t.test('ALIC of the sample network over 2011-12-12 to 2014-12-12', async (t) => {
  // The log of the sample network is shorter.
  await alicPeriod(t, await openService(t, [SAMPLE]), 13, '2003-06-15T03:30:00Z');
});

for (const file of ['text/alic_20170223.log', 'geodesyml/alic_20170223.xml']) {
  t.test(`${file} over 2011-12-12 to 2014-12-12`, withRealLogs, async (t) => {
    await alicPeriod(t, await openService(t, [join(REAL_LOGS!, file)]), 27, '1999-07-31T01:00:00Z');
  });
}

t.test('with one bound, both or none, at every edge of every Setup, the Setups that overlap the half-open period are found', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const { get } = service;
  const { setups } = asking(t, service);
  const whole = (await setups({ id: 'ALIC', size: 1000 }))._embedded.setups;
  const second = (instant: string, by: number) => new Date(Date.parse(instant) + by * 1000).toISOString().replace('.000Z', 'Z');
  const edges = whole.flatMap(({ effectivePeriod: { from } }) => [second(from, -1), from, second(from, 1)]);
  const bounds = [null, ...edges, '2999-01-01T00:00:00Z'];
  let wrong = 0;
  for (const from of bounds) {
    for (const to of bounds) {
      if (from !== null && to !== null && to < from) continue;
      const expected = whole.filter(({ effectivePeriod: period }) => {
        if (from !== null && from === to) return period.from <= from && (period.to === null || period.to > from);
        return (to === null || period.from < to) && (from === null || period.to === null || period.to > from);
      });
      const query = { id: 'ALIC', size: 1000, ...(from !== null && { effectiveFrom: from }), ...(to !== null && { effectiveTo: to }) };
      const response = await get(urlOf(PERIOD, query));
      const body = response.json<Paged<'setups', SetupResource>>();
      const same =
        response.statusCode === 200 &&
        violations('SetupCollection', body).length === 0 &&
        body.page.totalElements === expected.length &&
        JSON.stringify(body._embedded.setups) === JSON.stringify(expected);
      if (!same && wrong++ < 5) t.fail(JSON.stringify(query), { body: response.body.slice(0, 500) });
      // A period without an end always overlaps the open Setup.
      if (to === null && !body._embedded.setups.at(-1)!.current && wrong++ < 5) t.fail(JSON.stringify(query));
    }
  }
  t.equal(wrong, 0);
});

t.test('a malformed or inverted period, date or pattern gets 400 and names the parameter', async (t) => {
  const { refused } = asking(t, await openService(t, [SAMPLE]));
  const cases: [Query, string][] = [
    [{ effectiveFrom: '2014-12-12', effectiveTo: '2011-12-12' }, 'effectiveTo'],
    [{ effectiveFrom: '2014-12-12T00:00:01Z', effectiveTo: '2014-12-12' }, 'effectiveTo'],
    [{ effectiveFrom: '2011-20-07' }, 'effectiveFrom'],
    [{ effectiveTo: '2013-02-29' }, 'effectiveTo'],
    [{ effectiveFrom: '' }, 'effectiveFrom'],
    [{ effectiveFrom: 'x'.repeat(101) }, 'effectiveFrom'],
    [{ effectiveFrom: '2011-12-12', timeFormat: "uuuu-MM-dd'T'HH:mm:ssX" }, 'effectiveFrom'],
    [{ effectiveTo: '2011-12-12T00:00:00Z', timeFormat: 'uuuu-DDD' }, 'effectiveTo'],
    [{ effectiveFrom: '2011-12-12', timeFormat: 'YYYY-MM-dd' }, 'timeFormat'],
    [{ timeFormat: 'nonsense' }, 'timeFormat'],
    [{ timeFormat: "uuuu-MM-dd'T" }, 'timeFormat'],
    [{ timeFormat: '' }, 'timeFormat'],
    [{ timeFormat: '(.*)*$' }, 'timeFormat'],
    [{ effectiveTO: '2011-12-12' }, 'effectiveTO'],
    [{ sort: 'effectivePeriod' }, 'sort'],
    [{ asOf: '2020-01-01' }, 'asOf'],
    [{ page: '-1' }, 'page'],
  ];
  for (const [query, name] of cases) {
    const problem = await refused(PERIOD, { id: 'ALIC', ...query }, 400, 'invalid-parameter');
    t.match(problem.invalidParameters, [{ name }], JSON.stringify(query));
    t.equal(problem.invalidParameters!.length, 1);
  }
  const { invalidParameters } = await refused(
    PERIOD,
    { id: 'ALIC', effectiveFrom: '31.4.2011', timeFormat: 'd.M.uuuu' },
    400,
    'invalid-parameter',
  );
  t.match(invalidParameters, [{ allowed: 'Not a time (2011-04 has 30 days). Allowed: a time in the pattern d.M.uuuu.' }]);
  await refused(PERIOD, { id: 'XXXX', effectiveFrom: '2011-12-12' }, 404, 'unknown-site');
  await refused(PERIOD, { effectiveFrom: '2011-12-12' }, 400, 'invalid-parameter');
});

t.test('pages of a period keep the query, contain each Setup once, and can be sorted', async (t) => {
  const { setups, walk } = asking(t, await openService(t, [SAMPLE]));
  const query = {
    id: 'ALIC',
    effectiveFrom: '2000-01-01T10:00:00+10',
    effectiveTo: '2015-01-01T10:00:00+10',
    timeFormat: "uuuu-MM-dd'T'HH:mm:ssX",
  };
  const whole = (await setups({ ...query, size: 1000 }))._embedded.setups;
  t.ok(whole.length > 6, `${whole.length} Setups`);
  t.same(await walk('SetupCollection', 'setups', PERIOD, { ...query, size: 3 }), whole);
  t.same(
    await walk('SetupCollection', 'setups', PERIOD, { ...query, size: 4, sort: 'effectivePeriod.from,desc' }),
    whole.slice().reverse(),
  );
  const second = await setups({ ...query, size: 3, page: 1, sort: 'id,desc' });
  for (const link of ['first', 'prev', 'self', 'next', 'last'] as const) {
    const parameters = Object.fromEntries(new URL(second._links[link]!.href).searchParams);
    const number = { first: 0, prev: 0, self: 1, next: 2, last: second.page.totalPages - 1 }[link];
    t.same(parameters, { ...query, size: '3', page: String(number), sort: 'id,desc' }, link);
  }
  t.same(
    second._embedded.setups.map(({ id }) => id),
    whole
      .map(({ id }) => id)
      .sort((a, b) => b - a)
      .slice(3, 6),
  );
});

t.test('superseded Setups are in no search by time', async (t) => {
  const service = await openService(t);
  const { setups, setup, ask } = asking(t, service);
  await service.importText({ prepared: '2001-01-01', receivers: [{ type: 'R0', serial: '1', from: '2001-01-01', to: '2002-01-01' }] }, 'a');
  await service.importText({ prepared: '2002-01-01', receivers: [{ type: 'R1', serial: '1', from: '2001-01-01', to: '2002-01-01' }] }, 'b');
  t.same((await setups({ id: 'TEST' }))._embedded.setups.map(typesOf), [['R1'], []]);
  t.same(typesOf(await setup(AT, { id: 'TEST', at: '2001-06-01' })), ['R1']);
  const catalogue = await ask<Paged<'corsSites', CorsSite>>('EquippedSiteCollection', SITES_WITH, {
    type: 'R0',
    from: '2001-06-01',
    to: '2001-06-01',
  });
  t.equal(catalogue.page.totalElements, 0);
});

// Many Sites

t.test('a request for many Sites lists their Setups in the requested order, and the missing ones with the reason', async (t) => {
  const { list, setup } = await over(
    t,
    { id: 'ONE1', receivers: [{ type: 'R1', serial: '1', from: '2001-01-01' }] },
    { id: 'TWO200AUS', receivers: [{ type: 'R2', serial: '2', from: '2005-01-01' }] },
    { id: 'NODT', receivers: [{ type: 'R3' }] },
  );
  const ids = ['TWO2', 'XXXX', 'one1', 'NODT', 'TWO200FRA'];
  const current = await list(CURRENT_IN, { id: ids });
  t.same(current._embedded.setups, [await setup(CURRENT, { id: 'TWO2' }), await setup(CURRENT, { id: 'ONE1' })]);
  t.same(current.notFound, [
    { id: 'XXXX', reason: 'unknown-site' },
    { id: 'NODT', reason: 'no-current-setup' },
    { id: 'TWO200FRA', reason: 'unknown-site' },
  ]);
  const at = await list(AT_IN, { id: ids, at: '2003-01-01' });
  t.same(at._embedded.setups, [await setup(AT, { id: 'ONE1', at: '2003-01-01' })]);
  t.same(at.notFound, [
    { id: 'TWO2', reason: 'before-first-setup' },
    { id: 'XXXX', reason: 'unknown-site' },
    { id: 'NODT', reason: 'no-current-setup' },
    { id: 'TWO200FRA', reason: 'unknown-site' },
  ]);
  const asOf = await list(CURRENT_IN, { id: ['ONE1', 'XXXX'], asOf: '2000-01-01' });
  t.same(asOf.notFound, [
    { id: 'ONE1', reason: 'not-recorded' },
    { id: 'XXXX', reason: 'unknown-site' },
  ]);
  t.same((await list(CURRENT_IN, { id: 'XXXX' })).notFound, [{ id: 'XXXX', reason: 'unknown-site' }], '200 even if the only id is unknown');
});

t.test('a Site with several spellings of its id in a request gets one Setup', async (t) => {
  const { list, setup } = asking(t, await openService(t, [SAMPLE]));
  const reference = await setup(CURRENT, { id: 'ALIC' });
  for (const id of ['alic', 'ALIC00AUS', 'alic00aus']) {
    const { _embedded, notFound } = await list(CURRENT_IN, { id: [id, 'ALIC', 'XXXX', id, 'XXXX'] });
    t.same(_embedded.setups, [reference], id);
    t.same(notFound, [{ id: 'XXXX', reason: 'unknown-site' }]);
  }
  t.equal((await list(AT_IN, { id: ['ALIC', 'alic'], at: '2013-07-08' }))._embedded.setups.length, 1);
});

t.test('1,000 ids are accepted together with other parameters; 1,001 get 400', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const { list, refused } = asking(t, service);
  const ids = ['ALIC', ...Array.from({ length: 998 }, (_, index) => `Q${String(index).padStart(3, '0')}`), 'NAMA'];
  const current = await list(CURRENT_IN, { id: ids });
  t.equal(current._embedded.setups.length, 2);
  t.same(
    current.notFound.map(({ id }) => id),
    ids.slice(1, -1),
  );
  const at = await list(AT_IN, { id: ids, at: '2001-01-01' });
  t.match(at, { _embedded: { setups: [{}] } });
  t.same(at.notFound.at(-1), { id: 'NAMA', reason: 'before-first-setup' });
  for (const [path, query] of [
    [CURRENT_IN, { id: [...ids, 'BOR1'] }],
    [AT_IN, { id: [...ids, 'BOR1'], at: '2001-01-01' }],
  ] as [string, Query][]) {
    t.match((await refused(path, query, 400, 'invalid-parameter')).invalidParameters, [{ name: 'id', allowed: /at most 1000/ }]);
  }
  t.match((await refused(CURRENT_IN, { id: ['ALIC', 'bad!'] }, 400, 'invalid-parameter')).invalidParameters, [{ name: 'id' }]);
  t.match((await refused(CURRENT_IN, {}, 400, 'invalid-parameter')).invalidParameters, [{ name: 'id', value: null }]);
  t.match((await refused(AT_IN, { id: 'ALIC' }, 400, 'invalid-parameter')).invalidParameters, [{ name: 'at', value: null }]);
  t.match((await refused(AT_IN, { id: 'ALIC', at: 'x' }, 400, 'invalid-parameter')).invalidParameters, [{ name: 'at', value: 'x' }]);
});

t.test('1,000 nine-character ids work over a real connection', async (t) => {
  const { app } = await openService(t, [SAMPLE]);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const id = Array.from({ length: 1000 }, (_, index) => `Q${String(index).padStart(3, '0')}00AUS`);
  const path = urlOf(AT_IN, { id, at: '2013-07-08T00:45:00Z', asOf: '2030-01-01T00:00:00Z', projection: 'provenance' });
  const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk)).on('end', () => resolve({ status: response.statusCode!, body: text }));
    })
      .on('error', reject)
      .end();
  });
  t.equal(status, 200, body.slice(0, 300));
  t.equal((JSON.parse(body) as SetupList).notFound.length, 1000);
});

// Changes

const NETWORK: SyntheticLog[] = [
  {
    id: 'AAAA',
    receivers: [
      { type: 'R1', serial: '1', from: '2001-01-01', to: '2002-01-01', more: { 'Firmware Version': 'F1' } },
      { type: 'R1', serial: '1', from: '2002-01-01', to: '2003-01-01', more: { 'Firmware Version': 'F2' } },
      { type: 'R2', serial: '2', from: '2003-01-01', to: '2005-01-01', more: { 'Firmware Version': 'F2' } },
    ],
    antennas: [{ type: 'A1', serial: '1', from: '2001-01-01' }],
    clocks: [
      { type: 'C1', from: '2001-01-01', to: '2003-01-01' },
      { type: 'C1', from: '2003-01-01' },
    ],
  },
  {
    id: 'BBBB',
    receivers: [{ type: 'R3', serial: '3', from: '2002-01-01' }],
    antennas: [
      { type: 'A2', serial: '2', from: '2002-01-01', to: '2003-01-01T06:00Z' },
      { type: 'A3', serial: '3', from: '2003-01-01T06:00Z' },
    ],
    sensors: [{ type: 'S1', serial: '1', from: '2002-01-01', to: '2004-01-01' }],
  },
];

t.test('each change of a Site has its kind, the items before and after, and the members that differ', async (t) => {
  const { changes, refused } = await over(t, ...NETWORK);
  const found = await changes(CHANGES, { site: 'aaaa' });
  t.same(found._embedded.changes.map(shownChange), [
    'AAAA 2001-01-01T00:00:00Z installed - > R1',
    'AAAA 2001-01-01T00:00:00Z installed - > A1',
    'AAAA 2001-01-01T00:00:00Z installed - > C1',
    'AAAA 2002-01-01T00:00:00Z reconfigured R1 > R1',
    'AAAA 2003-01-01T00:00:00Z replaced R1 > R2',
    'AAAA 2005-01-01T00:00:00Z removed R2 > -',
  ]);
  t.match(found._embedded.changes[3], {
    equipmentType: 'gnss receiver',
    before: { content: { configuration: { firmwareVersion: 'F1' }, period: { to: '2002-01-01T00:00:00Z' } } },
    after: { content: { configuration: { firmwareVersion: 'F2' }, period: { from: '2002-01-01T00:00:00Z' } } },
  });
  t.same(found._embedded.changes[3]!.differingMembers, ['firmwareVersion']);
  t.same(found._embedded.changes[4]!.differingMembers, ['type', 'serialNumber']);
  t.same(found._embedded.changes[0]!.differingMembers, []);
  t.match(found._embedded.changes[0]!._links.corsSite.href, new RegExp(`/corsSites/${found._embedded.changes[0]!.siteId}$`));
  await refused(CHANGES, { site: 'XXXX' }, 404, 'unknown-site');
});

t.test('changes are limited by kind and by a half-open period whose bounds may be left out', async (t) => {
  const { changes } = await over(t, ...NETWORK);
  const shown = async (query: Query) => (await changes(CHANGES, query))._embedded.changes.map(shownChange);
  const at2003 = ['AAAA 2003-01-01T00:00:00Z replaced R1 > R2', 'BBBB 2003-01-01T06:00:00Z replaced A2 > A3'];
  t.same(await shown({ from: '2003-01-01', to: '2003-01-02' }), at2003);
  t.same(await shown({ from: '2003-01-01T00:00:00Z', to: '2003-01-01T06:00:00Z' }), at2003.slice(0, 1));
  t.same(await shown({ from: '2003-01-01T00:00:01Z', to: '2003-01-01T06:00:01Z' }), at2003.slice(1));
  t.same(await shown({ from: '2003:001', to: '2003:002' }), at2003);
  t.same(await shown({ from: '2003-01-01', to: '2003-01-01' }), [], 'an empty period has no changes');
  t.same(await shown({ from: '2003-06-01' }), ['BBBB 2004-01-01T00:00:00Z removed S1 > -', 'AAAA 2005-01-01T00:00:00Z removed R2 > -']);
  t.same((await shown({ to: '2002-01-01' })).length, 3);
  t.same((await shown({ to: '2002-01-01T00:00:01Z' })).length, 7);
  t.same(await shown({ equipmentType: 'humidity sensor' }), [
    'BBBB 2002-01-01T00:00:00Z installed - > S1',
    'BBBB 2004-01-01T00:00:00Z removed S1 > -',
  ]);
  t.same(await shown({ equipmentType: 'gnss antenna', from: '2003-01-01' }), at2003.slice(1));
});

t.test('a newer log replaces only the changes of its Site', async (t) => {
  const service = await over(t, ...NETWORK);
  const before = await service.changes(CHANGES, { size: 1000 });
  await service.importText({ ...NETWORK[0]!, prepared: '2021-01-01', receivers: NETWORK[0]!.receivers!.slice(0, 1) }, 'aaaa_20210101.log');
  const after = await service.changes(CHANGES, { size: 1000 });
  const of = (id: string, { _embedded }: Paged<'changes', Change>) =>
    _embedded.changes.filter(({ fourCharacterId }) => fourCharacterId === id);
  t.same(of('BBBB', after), of('BBBB', before));
  t.same(of('AAAA', after).map(shownChange), [
    'AAAA 2001-01-01T00:00:00Z installed - > R1',
    'AAAA 2001-01-01T00:00:00Z installed - > A1',
    'AAAA 2001-01-01T00:00:00Z installed - > C1',
    'AAAA 2002-01-01T00:00:00Z removed R1 > -',
  ]);
});

// Where a device has been

t.test('installations of one serial number conflict if they overlap at two Sites, not if they only touch', async (t) => {
  const at = (id: string, from: string, to?: string, serial = 'S'): SyntheticLog => ({
    id,
    receivers: [{ type: 'R1', serial, from, ...(to !== undefined && { to }) }],
  });
  const { ask, refused } = await over(
    t,
    at('AAAA', '2001-01-01', '2002-01-01'),
    at('BBBB', '2002-01-01', '2004-01-01'),
    at('CCCC', '2003-01-01', '2005-01-01'),
    at('DDDD', '2003-12-31T23:59:59Z', '2006-01-01'),
    at('EEEE', '2010-01-01'),
    at('FFFF', '2001-01-01', undefined, 'T'),
    { id: 'GGGG', antennas: [{ type: 'R1', serial: 'S', from: '2001-01-01' }] },
  );
  t.same(
    (await installationsOf(ask, 'R1', 'S')).map(({ fourCharacterId, period: { from, to }, conflictsWith }) => [
      fourCharacterId,
      from.slice(0, 10),
      to?.slice(0, 10) ?? null,
      conflictsWith.slice().sort(),
    ]),
    [
      ['AAAA', '2001-01-01', '2002-01-01', []],
      ['BBBB', '2002-01-01', '2004-01-01', ['CCCC', 'DDDD']],
      ['CCCC', '2003-01-01', '2005-01-01', ['BBBB', 'DDDD']],
      ['DDDD', '2003-12-31', '2006-01-01', ['BBBB', 'CCCC']],
      ['EEEE', '2010-01-01', null, []],
    ],
  );
  await refused('/gnssReceivers/999999', {}, 404, 'not-found');
  await refused('/gnssReceivers/1', { at: '2001-01-01' }, 400, 'invalid-parameter');
  await refused('/gnssReceivers/x', {}, 400, 'invalid-parameter');

  const bySerial = await ask<Paged<'equipment', { equipmentType: string; installations: Installation[] }>>(
    'EquipmentCollection',
    '/equipment/search/findBySerialNumber',
    { serialNumber: 'S' },
  );
  t.same(
    bySerial._embedded.equipment.map(({ equipmentType, installations }) => [equipmentType, installations.length]).sort(),
    [
      ['gnss antenna', 1],
      ['gnss receiver', 5],
    ],
    'across kinds; an antenna that has the number of a receiver does not conflict with it',
  );
  const antenna = bySerial._embedded.equipment.find(({ equipmentType }) => equipmentType === 'gnss antenna')!;
  t.same(antenna.installations[0]!.conflictsWith, []);
});

t.test('open installations of one serial number at two Sites conflict; a corrected log ends the conflict', async (t) => {
  const service = await over(
    t,
    { id: 'AAAA', antennas: [{ type: 'A1', serial: 'S', from: '2001-01-01' }] },
    { id: 'BBBB', antennas: [{ type: 'A1', serial: 'S', from: '2002-01-01' }] },
    { id: 'CCCC', antennas: [{ type: 'A1', from: '2002-01-01' }] },
    { id: 'DDDD', antennas: [{ type: 'A1', from: '2002-01-01' }] },
    {
      id: 'EEEE',
      receivers: [{ type: 'R', serial: 'Z', from: '2002-01-01', to: '2002-01-01' }],
      clocks: [{ type: 'C', from: '2001-01-01' }],
    },
  );
  const conflicts = async () => {
    const found = await service.ask<Paged<'gnssAntennas', { installations: Installation[] }>>('GnssAntennaCollection', '/gnssAntennas', {
      projection: 'installations',
    });
    return found._embedded.gnssAntennas
      .flatMap(({ installations }) => installations.map((each) => `${each.fourCharacterId}: ${each.conflictsWith.join()}`))
      .sort();
  };
  t.same(await conflicts(), ['AAAA: BBBB', 'BBBB: AAAA', 'CCCC: ', 'DDDD: ']);
  await service.importText(
    { id: 'AAAA', prepared: '2021-01-01', antennas: [{ type: 'A1', serial: 'S', from: '2001-01-01', to: '2002-01-01' }] },
    'aaaa_20210101.log',
  );
  t.same(await conflicts(), ['AAAA: ', 'BBBB: ', 'CCCC: ', 'DDDD: ']);
});

t.test('findBySerialNumber may find nothing, and refuses malformed parameters', async (t) => {
  const { ask, refused } = asking(t, await openService(t, [SAMPLE]));
  const path = '/equipment/search/findBySerialNumber';
  const found = await ask<Paged<'equipment', { type: string; installations: Installation[] }>>('EquipmentCollection', path, {
    serialNumber: '1830439',
  });
  t.match(found._embedded.equipment, [{ type: 'LEICA GR25' }]);
  t.ok(found._embedded.equipment[0]!.installations.length > 1, 'one for each configuration');
  const none = await ask<Paged<'equipment', unknown>>('EquipmentCollection', path, { serialNumber: 'no such' });
  t.same([none._embedded.equipment, none.page.totalElements], [[], 0]);
  for (const query of [{}, { serialNumber: '' }, { serialNumber: ['1', '2'] }, { serialNumber: '1', type: 'x' }] as Query[])
    await refused(path, query, 400, 'invalid-parameter');
});

// As of an earlier day

t.test('with three versions of a log, asOf repeats the answers that the service gave before', async (t) => {
  const service = await openService(t);
  const { setup, list, refused, ask } = asking(t, service);
  const recorded = ['2021-03-01T10:00:00.500Z', '2022-03-01T10:00:00.250Z', '2023-03-01T10:00:00.000Z'];
  const receivers: Item[][] = [
    [{ type: 'R1', serial: '1', from: '2001-01-01' }],
    [
      { type: 'R1', serial: '1', from: '2001-01-01', to: '2010-01-01' },
      { type: 'R2', serial: '2', from: '2010-01-01' },
    ],
    [
      { type: 'R1', serial: '1', from: '1999-01-01', to: '2009-01-01' },
      { type: 'R2', serial: '2', from: '2009-01-01' },
    ],
  ];
  const current: SetupResource[] = [];
  for (const [version, now] of recorded.entries()) {
    await service.importText({ prepared: now.slice(0, 10), receivers: receivers[version]! }, `test_${version}.log`, new Date(now));
    current.push(await setup(CURRENT, { id: 'TEST' }));
  }
  const versionOf: [asOf: string, version: number][] = [
    [recorded[0]!, 0],
    ['2021:200', 0],
    ['2022-03-01T10:00:00.249Z', 0],
    [recorded[1]!, 1],
    ['2022-03-01T20:00:00.25+10:00', 1],
    ['2023-03-01T09:59:59.999Z', 1],
    ['2023-03-01T10:00Z', 2],
    ['9999-12-31', 2],
  ];
  const instants = ['1999-06-01', '2001-01-01', '2009-01-01', '2009-12-31T23:59:59Z', '2010-01-01'];
  const expected = [
    [null, 'R1', 'R1', 'R1', 'R1'],
    [null, 'R1', 'R1', 'R1', 'R2'],
    ['R1', 'R1', 'R2', 'R2', 'R2'],
  ];
  for (const [asOf, version] of versionOf) {
    t.same(await setup(CURRENT, { id: 'TEST', asOf }), current[version], asOf);
    t.same((await list(CURRENT_IN, { id: ['TEST', 'XXXX'], asOf }))._embedded.setups, [current[version]], asOf);
    for (const [index, at] of instants.entries()) {
      const type = expected[version]![index];
      const many = await list(AT_IN, { id: 'TEST', at, asOf });
      if (type === null) {
        const problem = await refused(AT, { id: 'TEST', at, asOf }, 404, 'before-first-setup');
        t.equal(problem.firstSetupFrom, '2001-01-01T00:00:00Z', asOf);
        t.same(many.notFound, [{ id: 'TEST', reason: 'before-first-setup' }]);
      } else {
        const then = await setup(AT, { id: 'TEST', at, asOf });
        t.same([typesOf(then), then.invalidated], [[type], false], `as of ${asOf}, at ${at}`);
        t.same(many._embedded.setups, [then]);
      }
    }
  }

  for (const asOf of ['2021-03-01T10:00:00.499Z', '2021-03-01']) {
    await refused(CURRENT, { id: 'TEST', asOf }, 404, 'not-recorded');
    await refused(AT, { id: 'TEST', at: '1990-01-01', asOf }, 404, 'not-recorded');
    await refused(CURRENT, { id: 'XXXX', asOf }, 404, 'unknown-site');
    t.same((await list(AT_IN, { id: 'TEST', at: '2020-01-01', asOf })).notFound, [{ id: 'TEST', reason: 'not-recorded' }]);
  }

  // By their ids, superseded Setups are as they are now.
  for (const [version, { id }] of current.entries()) {
    const now = await ask<Provenanced>('Setup', `/setups/${id}`, { projection: 'provenance' });
    t.match(now, { invalidated: version < 2, current: version === 2, equipmentInUse: current[version]!.equipmentInUse });
    const provenance = { recordedAt: recorded[version]!, supersededAt: recorded[version + 1] ?? null };
    t.match(now.provenance, { ...provenance, siteLog: { name: `test_${version}.log` } });
  }
});

t.test('a version without any date has no Setup, and the next version has one again', async (t) => {
  const service = await openService(t);
  const { setup, refused } = asking(t, service);
  const good: SyntheticLog = { receivers: [{ type: 'R1', serial: '1', from: '2001-01-01' }] };
  await service.importText({ ...good, prepared: '2021-01-01' }, 'a', new Date('2021-01-02T00:00:00Z'));
  await service.importText({ receivers: [{ type: 'R1' }], prepared: '2022-01-01' }, 'b', new Date('2022-01-02T00:00:00Z'));
  await refused(CURRENT, { id: 'TEST' }, 404, 'no-current-setup');
  await service.importText({ ...good, prepared: '2023-01-01' }, 'c', new Date('2023-01-02T00:00:00Z'));
  t.same(typesOf(await setup(CURRENT, { id: 'TEST', asOf: '2021-06-01' })), ['R1']);
  await refused(CURRENT, { id: 'TEST', asOf: '2022-06-01' }, 404, 'no-current-setup');
  await refused(AT, { id: 'TEST', at: '2020-01-01', asOf: '2022-06-01' }, 404, 'no-current-setup');
  t.same(typesOf(await setup(CURRENT, { id: 'TEST', asOf: '2023-06-01' })), ['R1']);
});

// The real logs

t.test('a radome that is taken off and put on reconfigures the antenna', withRealLogs, async (t) => {
  const { changes } = asking(t, await openService(t, [join(REAL_LOGS!, 'geodesyml', 'exmt_20161216.xml')]));
  const { _embedded } = await changes(CHANGES, { site: 'EXMT', from: '2013-11-02', to: '2013-11-03', equipmentType: 'gnss antenna' });
  t.same(
    _embedded.changes.map(({ at, kind, differingMembers }) => [at, kind, differingMembers]),
    [
      ['2013-11-02T08:10:00Z', 'reconfigured', ['type', 'radomeType']],
      ['2013-11-02T10:30:00Z', 'reconfigured', ['type', 'radomeType']],
    ],
  );
});
