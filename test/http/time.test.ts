import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Change, Instant, SetupResource } from '../../schemas/index.js';
import { REAL_LOGS, SAMPLE, withRealLogs } from '../project-files.js';
import { openService, type Service } from '../service.js';
import type { Item, SyntheticLog } from '../synthetic-log.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import type { Correction } from '../../src/store/save/corrections.js';
import { correct, CURRENT, elementsIn, type Paged, read, refused, walk } from './answers.js';
import { ask, listen } from './sockets.js';

const AT = '/setups/search/findAtByFourCharacterId';
const PERIOD = '/setups/search/findByFourCharacterId';
const AT_IN = '/setups/search/findAtByFourCharacterIdIn';
const CURRENT_IN = '/setups/search/findCurrentByFourCharacterIdIn';

interface SetupList {
  _embedded: { setups: SetupResource[] };
  notFound: { id: string; reason: string }[];
}
interface Installation {
  fourCharacterId: string;
  period: { from: Instant; to: Instant | null };
  conflictsWith: string[];
}
interface Device {
  type: string;
  equipmentType: string;
  installations: Installation[];
}
type Query = Record<string, string | number | string[]>;

const urlOf = (path: string, query: Query): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, String(each)]),
  );
  return `${path}?${new URLSearchParams(pairs)}`;
};

/**
 * A Setup as an answer for one Site has it; an answer for many Sites also says which Site each is
 * of.
 */
function withoutSite({
  site,
  _links: { corsSite, ...links },
  ...setup
}: SetupResource): SetupResource {
  t.ok(site !== undefined && corsSite !== undefined);
  return { ...setup, _links: links };
}

/** The answers of a service, each valid against its schema. */
const asking = (t: Test, service: Pick<Service, 'get'>) => ({
  setup: (path: string, query: Query) =>
    read<SetupResource>(t, service, 'Setup', urlOf(path, query)),
  setups: (query: Query) =>
    read<Paged<SetupResource>>(t, service, 'SetupCollection', urlOf(PERIOD, query)),
  list: async (path: string, query: Query): Promise<SetupList> => {
    const list = await read<SetupList>(t, service, 'SetupList', urlOf(path, query));
    return { ...list, _embedded: { setups: list._embedded.setups.map(withoutSite) } };
  },
  changes: async (query: Query) =>
    elementsIn(await read<Paged<Change>>(t, service, 'ChangeCollection', urlOf('/changes', query))),
  /** The parameters that a refusal names. */
  invalid: async (path: string, query: Query) =>
    (await refused(t, service, urlOf(path, query), 400, 'invalid-parameter')).invalidParameters!,
  missing: (path: string, query: Query, kind: string) =>
    refused(t, service, urlOf(path, query), 404, kind),
  /** The installations of a receiver. */
  installationsOf: async (type: string, serialNumber: string): Promise<Installation[]> => {
    const url = urlOf('/gnssReceivers', { type, serialNumber, projection: 'installations' });
    return elementsIn(await read<Paged<Device>>(t, service, 'GnssReceiverCollection', url))[0]!
      .installations;
  },
  bySerialNumber: async (serialNumber: string): Promise<Device[]> => {
    const url = urlOf('/equipment/search/findBySerialNumber', { serialNumber });
    return elementsIn(await read<Paged<Device>>(t, service, 'EquipmentCollection', url));
  },
});

/** A service over synthetic logs. */
const over = async (t: Test, ...logs: SyntheticLog[]) => {
  const service = await openService(t);
  for (const log of logs) await service.importText(log, `${log.id ?? 'TEST'}_20200101.log`);
  return { ...service, ...asking(t, service) };
};
const sample = await openService(t, [SAMPLE]);

const typesOf = ({ equipmentInUse }: SetupResource): (string | null)[] =>
  equipmentInUse.map(({ content }) => content.id.type);
const periodOf = ({ effectivePeriod: { from, to } }: SetupResource): string =>
  `${from}/${to ?? ''}`;
/** `TEST 2001-01-01T00:00:00Z installed - > R1` */
const shownChange = ({ fourCharacterId, at, kind, before, after }: Change): string =>
  `${fourCharacterId} ${at} ${kind} ${before?.content.id.type ?? '-'} > ${after?.content.id.type ?? '-'}`;

// At an instant

t.test(
  'at the instant of a change the newer Setup is found, one second before it the older one',
  async (t) => {
    const { setup } = await over(t, {
      receivers: [
        { type: 'R1', serial: '1', from: '2001-01-01T00:00Z', to: '2002-06-01T12:30Z' },
        { type: 'R2', serial: '2', from: '2002-06-01T12:30Z' },
      ],
    });
    const older = ['2001-01-01T00:00:00Z/2002-06-01T12:30:00Z', 'R1'];
    const newer = ['2002-06-01T12:30:00Z/', 'R2'];
    for (const [at, [period, type]] of [
      ['2001-01-01T00:00:00Z', older],
      ['2001:001', older],
      ['2002-06-01T12:29:59Z', older],
      ['2002-06-01T12:29:59.999Z', older],
      ['2002-06-01T12:30Z', newer],
      ['2002-06-01T22:29:59+10:00', older],
      ['2002-06-01T22:30:00+10:00', newer],
      ['2002-06-01', older],
      ['2002-06-02', newer],
      ['2002:153', newer],
      ['1168:6', older],
      ['1169:0', newer],
      ['9999-12-31T23:59:59Z', newer],
    ] as [string, string[]][]) {
      const found = await setup(AT, { id: 'TEST', at });
      t.same([periodOf(found), typesOf(found)], [period, [type]], at);
    }
    t.equal(
      (await setup(AT, { id: 'TEST', at: '2020-01-01' })).id,
      (await setup(CURRENT, { id: 'TEST' })).id,
    );
  },
);

t.test(
  'before the first Setup there is a problem that says when the first one begins',
  async (t) => {
    const receivers = [{ type: 'R1', serial: '1', from: '2001-01-01T06:00Z' }];
    const { missing, setup } = await over(
      t,
      { receivers },
      { id: 'NODT', receivers: [{ type: 'R1' }] },
    );
    for (const at of ['2001-01-01T05:59:59Z', '2001-01-01', '0001-01-01', '0:0', '2000:366']) {
      t.match(await missing(AT, { id: 'test', at }, 'before-first-setup'), {
        firstSetupFrom: '2001-01-01T06:00:00Z',
      });
    }
    t.equal((await setup(AT, { id: 'TEST', at: '2001-01-01T06:00:00Z' })).effectivePeriod.to, null);
    t.equal(
      (await missing(AT, { id: 'NODT', at: '2001-01-01' }, 'no-current-setup')).firstSetupFrom,
      undefined,
    );
    await missing(AT, { id: 'XXXX', at: '2001-01-01' }, 'unknown-site');
  },
);

t.test(
  'a text that is not an instant gets 400, names the parameter, and says what is wrong with an impossible time',
  async (t) => {
    const { invalid } = asking(t, sample);
    for (const [at, reason] of [
      ['yesterday', 'is not a time'],
      [' ', 'is not a time'],
      ['2013-02-29', 'is not a time (2013-02 has 28 days)'],
      ['2013:366', 'is not a time (2013 has 365 days)'],
      ['1748:7', 'is not a time (the days of a GPS week are 0 (Sunday) to 6)'],
      ['2001-01-01T00:00:00', 'is not a time (add Z: times are UTC)'],
    ] as const)
      t.match(
        await invalid(AT, { id: 'ALIC', at }),
        [{ name: 'at', value: at, reason, allowed: /^an RFC 3339 time/ }],
        at,
      );
    const at = '2001-01-01';
    for (const [path, query, name] of [
      [AT, { at, asOf: '2013-02-29' }, 'asOf'],
      [CURRENT, { asOf: 'yesterday' }, 'asOf'],
      [AT_IN, { at, asOf: 'yesterday' }, 'asOf'],
      [CURRENT_IN, { asOf: '2013-02-29' }, 'asOf'],
      [AT, {}, 'at'],
      [AT, { at: '' }, 'at'],
      [AT, { at: ['2001', '2002'] }, 'at'],
      [AT, { at, effectiveTO: 'x' }, 'effectiveTO'],
    ] as [string, Query, string][])
      t.match(await invalid(path, { id: 'ALIC', ...query }), [{ name }], `${path} ${name}`);
  },
);

// Over a period

t.test('ALIC over 2011-12-12 to 2014-12-12, in every form of time', async (t) => {
  const { setups } = asking(t, sample);
  const bounds = (effectiveFrom: string, effectiveTo: string, timeFormat?: string): Query => ({
    id: 'ALIC',
    effectiveFrom,
    effectiveTo,
    ...(timeFormat !== undefined && { timeFormat }),
  });
  for (const query of [
    bounds('2011-12-12', '2014-12-12'),
    bounds('2011-12-12T00:00:00Z', '2014-12-12T00:00:00Z'),
    bounds('2011:346', '1822:5'),
    bounds('2011-12-12', '2014-12-12', 'uuuu-MM-dd'),
    bounds('2011-12-12T00:00:00Z', '2014-12-12T00:00:00Z', "uuuu-MM-dd'T'HH:mm:ssX"),
    bounds('2011-12-12T10:00:00+10', '2014-12-12T10:00:00+1000', "uuuu-MM-dd'T'HH:mm:ssX"),
    bounds('12.12.2011', '12.12.2014', 'dd.MM.yyyy'),
  ]) {
    const periods = [
      '2011-07-20T00:00:00Z/2013-03-08T00:00:00Z',
      '2013-03-08T00:00:00Z/2013-07-08T00:45:00Z',
      '2013-07-08T00:45:00Z/2016-02-04T00:00:00Z',
    ];
    t.same(elementsIn(await setups(query)).map(periodOf), periods, JSON.stringify(query));
  }
});

for (const file of ['text/alic_20170223.log', 'geodesyml/alic_20170223.xml']) {
  t.test(
    `${file} has 27 Setups, of which three overlap 2011-12-12 to 2014-12-12`,
    withRealLogs,
    async (t) => {
      const { setups } = asking(t, await openService(t, [join(REAL_LOGS!, file)]));
      const all = elementsIn(await setups({ id: 'ALIC', size: 1000 }));
      t.match(all[0], {
        effectivePeriod: { from: '1994-05-15T00:00:00Z', to: '1999-07-31T01:00:00Z' },
      });
      t.match(all.at(-1), {
        effectivePeriod: { from: '2017-02-23T00:00:00Z', to: null },
        current: true,
      });
      const from = all.map(({ effectivePeriod }) => effectivePeriod.from);
      const to = all.map(({ effectivePeriod }) => effectivePeriod.to);
      t.same([from.length, from.slice(1)], [27, to.slice(0, -1)], 'chronological, without gaps');
      const found = await setups({
        id: 'ALIC',
        effectiveFrom: '2011-12-12',
        effectiveTo: '2014-12-12',
      });
      const begins = elementsIn(found).map(({ effectivePeriod }) =>
        effectivePeriod.from.slice(0, 10),
      );
      t.same(begins, ['2011-07-20', '2013-03-08', '2013-07-08']);
    },
  );
}

t.test(
  'with one bound, both or none, on both sides of a change, the Setups that overlap the half-open period are found',
  async (t) => {
    const { setups } = asking(t, sample);
    const whole = elementsIn(await setups({ id: 'ALIC', size: 1000 }));
    t.equal(whole.length, 13);
    const second = (instant: string, by: number) =>
      new Date(Date.parse(instant) + by * 1000).toISOString().replace('.000Z', 'Z');
    const edges = [0, 5, 12].flatMap((index) =>
      [-1, 0, 1].map((by) => second(whole[index]!.effectivePeriod.from, by)),
    );
    const bounds = [null, ...edges, '2999-01-01T00:00:00Z'];
    for (const from of bounds) {
      for (const to of bounds) {
        if (from !== null && to !== null && to < from) continue;
        const expected = whole.filter(({ effectivePeriod: period }) => {
          if (from !== null && from === to)
            return period.from <= from && (period.to === null || period.to > from);
          return (
            (to === null || period.from < to) &&
            (from === null || period.to === null || period.to > from)
          );
        });
        const query = {
          id: 'ALIC',
          size: 1000,
          ...(from !== null && { effectiveFrom: from }),
          ...(to !== null && { effectiveTo: to }),
        };
        const found = await setups(query);
        t.same(
          [found.page.totalElements, elementsIn(found)],
          [expected.length, expected],
          JSON.stringify(query),
        );
      }
    }
  },
);

t.test(
  'a malformed or inverted period, date or pattern gets 400 and names the parameter',
  async (t) => {
    const { invalid, missing } = asking(t, sample);
    const cases: [name: string, query: Query][] = [
      ['effectiveTo', { effectiveFrom: '2014-12-12', effectiveTo: '2011-12-12' }],
      ['effectiveTo', { effectiveFrom: '2014-12-12T00:00:01Z', effectiveTo: '2014-12-12' }],
      ['effectiveFrom', { effectiveFrom: '2011-20-07' }],
      ['effectiveTo', { effectiveTo: '2013-02-29' }],
      ['effectiveFrom', { effectiveFrom: '' }],
      ['effectiveFrom', { effectiveFrom: 'x'.repeat(101) }],
      ['effectiveFrom', { effectiveFrom: '2011-12-12', timeFormat: "uuuu-MM-dd'T'HH:mm:ssX" }],
      ['effectiveTo', { effectiveTo: '2011-12-12T00:00:00Z', timeFormat: 'uuuu-DDD' }],
      ['timeFormat', { effectiveFrom: '2011-12-12', timeFormat: 'YYYY-MM-dd' }],
      ['timeFormat', { timeFormat: 'nonsense' }],
      ['timeFormat', { timeFormat: '' }],
      ['timeFormat', { timeFormat: '(.*)*$' }],
      ['effectiveTO', { effectiveTO: '2011-12-12' }],
      ['sort', { sort: 'effectivePeriod' }],
    ];
    for (const [name, query] of cases) {
      const parameters = await invalid(PERIOD, { id: 'ALIC', ...query });
      t.equal(parameters.map((each) => each.name).join(), name, JSON.stringify(query));
    }
    const impossible = await invalid(PERIOD, {
      id: 'ALIC',
      effectiveFrom: '31.4.2011',
      timeFormat: 'd.M.uuuu',
    });
    t.match(impossible, [
      {
        reason: 'is not a time (2011-04 has 30 days)',
        allowed: 'a time in the pattern d.M.uuuu.',
      },
    ]);
    await missing(PERIOD, { id: 'XXXX', effectiveFrom: '2011-12-12' }, 'unknown-site');
    await invalid(PERIOD, { effectiveFrom: '2011-12-12' });
  },
);

t.test(
  'pages of a period keep the query, contain each Setup once, and can be sorted',
  async (t) => {
    const { setups } = asking(t, sample);
    const timeFormat = "uuuu-MM-dd'T'HH:mm:ssX";
    const query = {
      id: 'ALIC',
      effectiveFrom: '2000-01-01T10:00:00+10',
      effectiveTo: '2015-01-01T10:00:00+10',
      timeFormat,
    };
    const whole = elementsIn(await setups({ ...query, size: 1000 }));
    t.ok(whole.length > 6, `${whole.length} Setups`);
    const pages = (more: Query) =>
      walk<SetupResource>(t, sample, 'SetupCollection', urlOf(PERIOD, { ...query, ...more }));
    t.same(await pages({ size: 3 }), whole);
    t.same(await pages({ size: 4, sort: 'effectivePeriod.from,desc' }), whole.toReversed());
    const second = await setups({ ...query, size: 3, page: 1, sort: 'id,desc' });
    for (const [link, page] of Object.entries({
      first: 0,
      prev: 0,
      self: 1,
      next: 2,
      last: second.page.totalPages - 1,
    })) {
      const parameters = Object.fromEntries(
        new URL(second._links[link as 'self'].href).searchParams,
      );
      t.same(parameters, { ...query, size: '3', page: String(page), sort: 'id,desc' }, link);
    }
    const ids = whole.map(({ id }) => id).sort((a, b) => b - a);
    const onSecond = elementsIn(second).map(({ id }) => id);
    t.same(onSecond, ids.slice(3, 6));
  },
);

t.test('superseded Setups are in no search by time', async (t) => {
  const service = await openService(t);
  const { setups, setup } = asking(t, service);
  const receiver = { serial: '1', from: '2001-01-01', to: '2002-01-01' };
  for (const version of [1, 2])
    await service.importText({
      prepared: `200${version}-01-01`,
      receivers: [{ ...receiver, type: `R${version}` }],
    });
  t.same(elementsIn(await setups({ id: 'TEST' })).map(typesOf), [['R2'], []]);
  t.same(typesOf(await setup(AT, { id: 'TEST', at: '2001-06-01' })), ['R2']);
  const url = '/corsSites/search/findByEquipment?type=R1&from=2001-06-01&to=2001-06-01';
  t.equal((await read<Paged>(t, service, 'EquippedSiteCollection', url)).page.totalElements, 0);
});

// Many Sites

t.test(
  'a request for many Sites lists their Setups in the requested order, and the missing ones with the reason',
  async (t) => {
    const { list, setup } = await over(
      t,
      { id: 'ONE1', receivers: [{ type: 'R1', serial: '1', from: '2001-01-01' }] },
      { id: 'TWO200AUS', receivers: [{ type: 'R2', serial: '2', from: '2005-01-01' }] },
      { id: 'NODT', receivers: [{ type: 'R3' }] },
    );
    const reasonsOf = ({ notFound }: SetupList) =>
      notFound.map(({ id, reason }) => `${id} ${reason}`);
    const ids = ['TWO2', 'XXXX', 'one1', 'NODT', 'TWO200FRA'];
    const current = await list(CURRENT_IN, { id: ids });
    t.same(current._embedded.setups, [
      await setup(CURRENT, { id: 'TWO2' }),
      await setup(CURRENT, { id: 'ONE1' }),
    ]);
    t.same(reasonsOf(current), [
      'XXXX unknown-site',
      'NODT no-current-setup',
      'TWO200FRA unknown-site',
    ]);
    const at = await list(AT_IN, { id: ids, at: '2003-01-01' });
    t.same(at._embedded.setups, [await setup(AT, { id: 'ONE1', at: '2003-01-01' })]);
    t.same(reasonsOf(at), [
      'TWO2 before-first-setup',
      'XXXX unknown-site',
      'NODT no-current-setup',
      'TWO200FRA unknown-site',
    ]);
    const asOf = await list(CURRENT_IN, { id: ['ONE1', 'XXXX'], asOf: '2000-01-01' });
    t.same(reasonsOf(asOf), ['ONE1 not-recorded', 'XXXX not-recorded']);
    t.same(
      reasonsOf(await list(CURRENT_IN, { id: 'XXXX' })),
      ['XXXX unknown-site'],
      '200 even if the only id is unknown',
    );
  },
);

t.test('a Site with several spellings of its id in a request gets one Setup', async (t) => {
  const { list, setup } = asking(t, sample);
  const reference = await setup(CURRENT, { id: 'ALIC' });
  for (const id of ['alic', 'ALIC00AUS', 'alic00aus']) {
    const { _embedded, notFound } = await list(CURRENT_IN, {
      id: [id, 'ALIC', 'XXXX', id, 'XXXX'],
    });
    t.same(
      [_embedded.setups, notFound],
      [[reference], [{ id: 'XXXX', reason: 'unknown-site' }]],
      id,
    );
  }
  t.equal(
    (await list(AT_IN, { id: ['ALIC', 'alic'], at: '2013-07-08' }))._embedded.setups.length,
    1,
  );
});

t.test('1,000 ids are accepted together with other parameters; 1,001 get 400', async (t) => {
  const { list, invalid } = asking(t, sample);
  const ids = [
    'ALIC',
    ...Array.from({ length: 998 }, (_, index) => `Q${String(index).padStart(3, '0')}`),
    'NAMA',
  ];
  const current = await list(CURRENT_IN, { id: ids });
  t.equal(current._embedded.setups.length, 2);
  const missing = current.notFound.map(({ id }) => id);
  t.same(missing, ids.slice(1, -1));
  const at = await list(AT_IN, { id: ids, at: '2001-01-01' });
  t.match(at, { _embedded: { setups: [{}] } });
  t.same(at.notFound.at(-1), { id: 'NAMA', reason: 'before-first-setup' });
  for (const [path, query, parameter] of [
    [CURRENT_IN, { id: [...ids, 'BOR1'] }, { name: 'id', reason: /more than 1000 times/ }],
    [
      AT_IN,
      { id: [...ids, 'BOR1'], at: '2001-01-01' },
      { name: 'id', reason: /more than 1000 times/ },
    ],
    [CURRENT_IN, { id: ['ALIC', 'bad!'] }, { name: 'id' }],
    [CURRENT_IN, {}, { name: 'id', value: null }],
    [AT_IN, { id: 'ALIC' }, { name: 'at', value: null }],
    [AT_IN, { id: 'ALIC', at: 'x' }, { name: 'at', value: 'x' }],
  ] as [string, Query, object][])
    t.match(await invalid(path, query), [parameter]);
});

t.test('1,000 nine-character ids work over a real connection', async (t) => {
  const id = Array.from({ length: 1000 }, (_, index) => `Q${String(index).padStart(3, '0')}00AUS`);
  const path = urlOf(AT_IN, {
    id,
    at: '2013-07-08T00:45:00Z',
    asOf: '2030-01-01T00:00:00Z',
    projection: 'provenance',
  });
  const { status, body } = await ask(await listen((await openService(t, [SAMPLE])).app), path);
  t.equal(status, 200, body.slice(0, 300));
  t.equal((JSON.parse(body) as SetupList).notFound.length, 1000);
});

// Changes

const NETWORK: SyntheticLog[] = [
  {
    id: 'AAAA',
    receivers: [
      {
        type: 'R1',
        serial: '1',
        from: '2001-01-01',
        to: '2002-01-01',
        more: { 'Firmware Version': 'F1' },
      },
      {
        type: 'R1',
        serial: '1',
        from: '2002-01-01',
        to: '2003-01-01',
        more: { 'Firmware Version': 'F2' },
      },
      {
        type: 'R2',
        serial: '2',
        from: '2003-01-01',
        to: '2005-01-01',
        more: { 'Firmware Version': 'F2' },
      },
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

t.test(
  'each change of a Site has its kind, the items before and after, and the members that differ',
  async (t) => {
    const { changes, missing } = await over(t, ...NETWORK);
    const found = await changes({ site: 'aaaa' });
    t.same(found.map(shownChange), [
      'AAAA 2001-01-01T00:00:00Z installed - > R1',
      'AAAA 2001-01-01T00:00:00Z installed - > A1',
      'AAAA 2001-01-01T00:00:00Z installed - > C1',
      'AAAA 2002-01-01T00:00:00Z reconfigured R1 > R1',
      'AAAA 2003-01-01T00:00:00Z replaced R1 > R2',
      'AAAA 2005-01-01T00:00:00Z removed R2 > -',
    ]);
    t.match(found[3], {
      equipmentType: 'gnss receiver',
      before: {
        content: {
          configuration: { firmwareVersion: 'F1' },
          period: { to: '2002-01-01T00:00:00Z' },
        },
      },
      after: {
        content: {
          configuration: { firmwareVersion: 'F2' },
          period: { from: '2002-01-01T00:00:00Z' },
        },
      },
    });
    const differing = found.slice(2, 5).map(({ differingMembers }) => differingMembers);
    t.same(differing, [[], ['firmwareVersion'], ['type', 'serialNumber']]);
    t.match(found[0]!._links.corsSite.href, new RegExp(`/corsSites/${found[0]!.siteId}$`));
    await missing('/changes', { site: 'XXXX' }, 'unknown-site');
  },
);

t.test(
  'changes are limited by kind and by a half-open period whose bounds may be left out',
  async (t) => {
    const { changes } = await over(t, ...NETWORK);
    const at2003 = [
      'AAAA 2003-01-01T00:00:00Z replaced R1 > R2',
      'BBBB 2003-01-01T06:00:00Z replaced A2 > A3',
    ];
    const late = [
      'BBBB 2004-01-01T00:00:00Z removed S1 > -',
      'AAAA 2005-01-01T00:00:00Z removed R2 > -',
    ];
    for (const [query, expected] of [
      [{ from: '2003-01-01', to: '2003-01-02' }, at2003],
      [{ from: '2003-01-01T00:00:00Z', to: '2003-01-01T06:00:00Z' }, at2003.slice(0, 1)],
      [{ from: '2003-01-01T00:00:01Z', to: '2003-01-01T06:00:01Z' }, at2003.slice(1)],
      [{ from: '2003:001', to: '2003:002' }, at2003],
      [{ from: '2003-01-01', to: '2003-01-01' }, []],
      [{ from: '2003-06-01' }, late],
      [
        { equipmentType: 'humidity sensor' },
        ['BBBB 2002-01-01T00:00:00Z installed - > S1', late[0]],
      ],
      [{ equipmentType: 'gnss antenna', from: '2003-01-01' }, at2003.slice(1)],
    ] as [Query, string[]][])
      t.same((await changes(query)).map(shownChange), expected, JSON.stringify(query));
    t.same(
      [
        (await changes({ to: '2002-01-01' })).length,
        (await changes({ to: '2002-01-01T00:00:01Z' })).length,
      ],
      [3, 7],
    );
  },
);

// Where a device has been

t.test(
  'installations of one serial number conflict if they overlap at two Sites, not if they only touch',
  async (t) => {
    const at = (id: string, from: string, to = '', serial = 'S'): SyntheticLog => ({
      id,
      receivers: [{ type: 'R1', serial, from, to }],
    });
    const service = await over(
      t,
      at('AAAA', '2001-01-01', '2002-01-01'),
      at('BBBB', '2002-01-01', '2004-01-01'),
      at('CCCC', '2003-01-01', '2005-01-01'),
      at('DDDD', '2003-12-31T23:59:59Z', '2006-01-01'),
      at('EEEE', '2010-01-01'),
      at('FFFF', '2001-01-01', '', 'T'),
      { id: 'GGGG', antennas: [{ type: 'R1', serial: 'S', from: '2001-01-01' }] },
    );
    const shown = ({
      fourCharacterId,
      period: { from, to },
      conflictsWith,
    }: Installation): string =>
      `${fourCharacterId} ${from.slice(0, 10)} ${to?.slice(0, 10) ?? ''}: ${conflictsWith.toSorted().join()}`;
    t.same((await service.installationsOf('R1', 'S')).map(shown), [
      'AAAA 2001-01-01 2002-01-01: ',
      'BBBB 2002-01-01 2004-01-01: CCCC,DDDD',
      'CCCC 2003-01-01 2005-01-01: BBBB,DDDD',
      'DDDD 2003-12-31 2006-01-01: BBBB,CCCC',
      'EEEE 2010-01-01 : ',
    ]);
    // Across kinds. An antenna with the serial number of a receiver does not conflict with it.
    const [antenna, receiver] = (await service.bySerialNumber('S')).sort((a, b) =>
      a.equipmentType < b.equipmentType ? -1 : 1,
    );
    t.match(
      [antenna, receiver],
      [{ installations: [{ conflictsWith: [] }] }, { equipmentType: 'gnss receiver' }],
    );
    t.same([antenna!.installations.length, receiver!.installations.length], [1, 5]);
    await service.invalid('/gnssReceivers/1', { at: '2001-01-01' });
  },
);

t.test('findBySerialNumber may find nothing, and refuses malformed parameters', async (t) => {
  const { bySerialNumber, invalid } = asking(t, sample);
  const [device] = await bySerialNumber('1830439');
  t.equal(device!.type, 'LEICA GR25');
  t.ok(device!.installations.length > 1, 'one for each configuration');
  t.same(await bySerialNumber('no such'), []);
  for (const query of [
    {},
    { serialNumber: '' },
    { serialNumber: ['1', '2'] },
    { serialNumber: '1', type: 'x' },
  ] as Query[])
    await invalid('/equipment/search/findBySerialNumber', query);
});

// As of an earlier day

t.test(
  'with three versions of a log, asOf repeats the answers that the service gave before',
  async (t) => {
    const service = await openService(t);
    const { setup, list, missing } = asking(t, service);
    const recorded = [
      '2021-03-01T10:00:00.500Z',
      '2022-03-01T10:00:00.250Z',
      '2023-03-01T10:00:00.000Z',
    ];
    const one = (from: string, to = ''): Item => ({ type: 'R1', serial: '1', from, to });
    const two = (from: string): Item => ({ type: 'R2', serial: '2', from });
    const receivers = [
      [one('2001-01-01')],
      [one('2001-01-01', '2010-01-01'), two('2010-01-01')],
      [one('1999-01-01', '2009-01-01'), two('2009-01-01')],
    ];
    const current: SetupResource[] = [];
    for (const [version, now] of recorded.entries()) {
      await service.importText(
        { prepared: now.slice(0, 10), receivers: receivers[version]! },
        `test_${version}.log`,
        new Date(now),
      );
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
    const instants = [
      '1999-06-01',
      '2001-01-01',
      '2009-01-01',
      '2009-12-31T23:59:59Z',
      '2010-01-01',
    ];
    const expected = [
      [null, 'R1', 'R1', 'R1', 'R1'],
      [null, 'R1', 'R1', 'R1', 'R2'],
      ['R1', 'R1', 'R2', 'R2', 'R2'],
    ];
    for (const [asOf, version] of versionOf) {
      t.same(await setup(CURRENT, { id: 'TEST', asOf }), current[version], asOf);
      t.same(
        (await list(CURRENT_IN, { id: ['TEST', 'XXXX'], asOf }))._embedded.setups,
        [current[version]],
        asOf,
      );
      for (const [index, at] of instants.entries()) {
        const type = expected[version]![index];
        const many = await list(AT_IN, { id: 'TEST', at, asOf });
        if (type === null) {
          const problem = await missing(AT, { id: 'TEST', at, asOf }, 'before-first-setup');
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
      await missing(CURRENT, { id: 'TEST', asOf }, 'not-recorded');
      await missing(AT, { id: 'TEST', at: '1990-01-01', asOf }, 'not-recorded');
      await missing(CURRENT, { id: 'XXXX', asOf }, 'not-recorded');
      t.same((await list(AT_IN, { id: 'TEST', at: '2020-01-01', asOf })).notFound, [
        { id: 'TEST', reason: 'not-recorded' },
      ]);
    }

    // By their ids, superseded Setups are as they are now.
    for (const [version, { id }] of current.entries()) {
      const now = await setup(`/setups/${id}`, { projection: 'provenance' });
      const provenance = {
        recordedAt: recorded[version]!,
        supersededAt: recorded[version + 1] ?? null,
        siteLog: { name: `test_${version}.log` },
      };
      t.match(now, {
        invalidated: version < 2,
        current: version === 2,
        equipmentInUse: current[version]!.equipmentInUse,
        provenance,
      });
    }
  },
);

t.test('an asOf after the last import, or in the future, is answered as of now', async (t) => {
  const now = Date.UTC(2026, 0, 1, 12);
  const service = await openService(t, [], { clock: () => new Date(now) });
  const { setup } = asking(t, service);
  const ago = (seconds: number): Date => new Date(now - 1000 * seconds);
  const importVersion = (type: string, prepared: string, time: Date) =>
    service.importText(
      { prepared, receivers: [{ type, serial: '1', from: '2001-01-01' }] },
      'test.log',
      time,
    );
  await importVersion('R1', '2020-01-01', ago(600));
  await importVersion('R2', '2020-02-01', ago(5));
  const isNow: [asOf: string, is: string][] = [
    [ago(300).toISOString(), 'R1'],
    [ago(61).toISOString(), 'R1'],
    [ago(15).toISOString(), 'R1'],
    [ago(4).toISOString(), 'R2'],
    [ago(0).toISOString(), 'R2'],
    ['2999-01-01', 'R2'],
  ];
  for (const [asOf, type] of isNow)
    t.same(typesOf(await setup(CURRENT, { id: 'TEST', asOf })), [type], asOf);
});

t.test('an answer for an earlier asOf stays, whatever is corrected later', async (t) => {
  const service = await openService(t);
  const days = (day: number): Date => new Date(Date.UTC(2022, 0, day));
  const importAt = (day: number, id: string, name: string) =>
    service.importText(
      {
        id,
        name,
        prepared: `2021-01-0${day}`,
        receivers: [{ type: 'R', serial: '1', from: '2001-01-01' }],
      },
      `${day}.log`,
      days(day),
    );
  const correctAt = (day: number, site: string, correction: Correction) =>
    correct(service, site, correction, days(day));
  const asOf = '2022-01-04';
  const paths = [
    ...['ABCD', 'ABCD00AUS', 'ABCD00NZL'].flatMap((id) => [
      urlOf(CURRENT, { id, asOf }),
      urlOf(CURRENT, { id, asOf, projection: 'site' }),
      urlOf(CURRENT, { id, asOf, projection: 'provenance' }),
      urlOf(AT, { id, asOf, at: '2010-01-01' }),
      urlOf(CURRENT_IN, { id, asOf }),
      urlOf('/corsSites/search/findByFourCharacterId', { id, asOf }),
    ]),
  ];
  const answers = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const path of paths) {
      const { statusCode, body } = await service.get(path);
      found.push(`${path}: ${statusCode} ${body}`);
    }
    return found;
  };
  await importAt(1, 'ABCD', 'First');
  // The Setup stays, so it is from a log that was withdrawn.
  await importAt(2, 'ABCD00AUS', 'Second');
  await correctAt(3, 'ABCD', { kind: 'withdraw', log: 1 });
  const before = await answers();
  t.match(before[2], '"withdrawnAt":"2022-01-03T00:00:00.000Z"');
  const changes: [what: string, change: () => Promise<unknown>][] = [
    ['restored', () => correctAt(5, 'ABCD', { kind: 'restore', log: 1 })],
    ['another name', () => importAt(6, 'ABCD00AUS', 'Third')],
    ['another Site', () => importAt(7, 'ABCD00NZL', 'Other')],
    ['renamed', () => correctAt(8, 'ABCD00AUS', { kind: 'rename', to: parseSiteId('WXYZ00AUS') })],
    ['another one with that id', () => importAt(9, 'ABCD00AUS', 'Of the renamed Site')],
    ['retired', () => correctAt(10, 'WXYZ00AUS', { kind: 'retire' })],
  ];
  for (const [what, change] of changes) {
    await change();
    t.same(await answers(), before, what);
  }
});

t.test('a version without any date has no Setup, and the next version has one again', async (t) => {
  const service = await openService(t);
  const { setup, missing } = asking(t, service);
  const importVersion = (year: number, receiver: Item) =>
    service.importText(
      { receivers: [receiver], prepared: `${year}-01-01` },
      'test.log',
      new Date(`${year}-01-02T00:00:00Z`),
    );
  const good = { type: 'R1', serial: '1', from: '2001-01-01' };
  await importVersion(2021, good);
  await importVersion(2022, { type: 'R1' });
  await missing(CURRENT, { id: 'TEST' }, 'no-current-setup');
  await importVersion(2023, good);
  for (const asOf of ['2021-06-01', '2023-06-01'])
    t.same(typesOf(await setup(CURRENT, { id: 'TEST', asOf })), ['R1'], asOf);
  await missing(CURRENT, { id: 'TEST', asOf: '2022-06-01' }, 'no-current-setup');
  await missing(AT, { id: 'TEST', at: '2020-01-01', asOf: '2022-06-01' }, 'no-current-setup');
});
