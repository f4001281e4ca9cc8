import t, { type Test } from 'tap';
import type { Change, SetupResource } from '../../schemas/index.js';
import { SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { CURRENT, elementsIn, type Paged, read, walk } from './answers.js';
import { mergeGaps } from '../../src/derive/gaps.js';

/** A service without logs, and functions that ask it for changes. */
async function open(t: Test, paths: string[] = []) {
  const service = await openService(t, paths);
  const ask = (query: string) =>
    read<Paged<Change>>(t, service, 'ChangeCollection', `/changes?${query}`);
  const of = async (query: string): Promise<Change[]> => elementsIn(await ask(query));
  return { ...service, service, ask, of };
}

/** A change as `2001-01-01T12 replaced A1/A2`, with its gap. */
const shown = ({ at, kind, before, after, gap }: Change): string => {
  const until = gap === null ? '' : `-${gap.to.slice(0, 13)}`;
  return `${at.slice(0, 13)}${until} ${kind} ${before?.content.id.serialNumber ?? ''}/${after?.content.id.serialNumber ?? ''}`;
};

t.test('changes can be sorted by their time', async (t) => {
  const { importText, get } = await open(t);
  await importText(GAPPED);
  const timesOf = async (query: string) =>
    elementsIn((await get(`/changes${query}`)).json<Paged<Change>>()).map(({ at }) => at);
  const earliestFirst = await timesOf('');
  t.ok(new Set(earliestFirst).size > 3);
  t.same(earliestFirst, earliestFirst.toSorted());
  for (const query of ['?sort=at', '?sort=at,asc']) t.same(await timesOf(query), earliestFirst);
  t.same(await timesOf('?sort=at,desc'), earliestFirst.toReversed());
  t.match(await timesOf('?sort=at,desc&size=1&page=1'), [earliestFirst.at(-2)]);
  t.equal((await get('/changes?sort=kind')).statusCode, 400);
  t.equal((await get('/changes?sort=at&sort=at')).statusCode, 400);
});

/**
 * A Site where a receiver was missing for 12 hours and then for three days, and an antenna for an
 * hour.
 */
const GAPPED = {
  id: 'GAPS',
  receivers: [
    { type: 'R', serial: 'A1', from: '2001-01-01', to: '2002-01-01T00:00Z' },
    { type: 'R', serial: 'A2', from: '2002-01-01T12:00Z', to: '2003-01-01' },
    { type: 'R', serial: 'A2', from: '2003-01-04' },
  ],
  antennas: [
    { type: 'A', serial: 'B1', from: '2001-01-01', to: '2002-01-01T00:00Z' },
    { type: 'A', serial: 'B1', from: '2002-01-01T01:00Z' },
  ],
};
const INSTALLED = ['2001-01-01T00 installed /A1', '2001-01-01T00 installed /B1'];

t.test(
  'a removal and the installation after it are one change, if the gap is at most mergeGaps',
  async (t) => {
    const { importText, ask, of } = await open(t);
    await importText(GAPPED);
    const merged = [
      ...INSTALLED,
      '2002-01-01T00-2002-01-01T12 replaced A1/A2',
      '2002-01-01T00-2002-01-01T01 reconfigured B1/B1',
      '2003-01-01T00 removed A2/',
      '2003-01-04T00 installed /A2',
    ];
    const apart = [
      ...INSTALLED,
      '2002-01-01T00 removed A1/',
      merged[3],
      '2002-01-01T12 installed /A2',
      ...merged.slice(4),
    ];
    for (const [query, changes] of [
      ['', merged],
      ['mergeGaps=P1D', merged],
      // A gap of exactly mergeGaps.
      ['mergeGaps=PT12H', merged],
      ['mergeGaps=P3D', [...merged.slice(0, 4), '2003-01-01T00-2003-01-04T00 reconfigured A2/A2']],
      ['mergeGaps=PT1H', apart],
      // A merged change is at the time of the removal.
      ['from=2002-01-01T06:00:00Z&to=2002-01-02', []],
      ['from=2002-01-01&to=2002-01-01T00:00:01Z&equipmentType=gnss%20receiver', [merged[2]]],
    ] as const)
      t.same((await of(query)).map(shown), changes, query);
    t.equal((await of('mergeGaps=PT0S')).length, 8);
    t.ok((await of('mergeGaps=PT0S')).every(({ gap }) => gap === null));
    const [, , replaced, reinstalled] = await of('');
    t.same(replaced!.differingMembers, ['serialNumber']);
    t.same(reinstalled!.differingMembers, [], 'the same device, as it was');

    t.match((await ask('mergeGaps=P3D&size=2'))._links.next!.href, 'mergeGaps=P3D');
  },
);

t.test(
  'projection=gaps adds to a Setup what was in use before and after a gap of at most a day',
  async (t) => {
    const { importText, get, service } = await open(t);
    await importText(GAPPED, 'gaps_1.log', new Date('2026-01-01'));
    const ask = async (url: string) =>
      elementsIn(await read<Paged<SetupResource>>(t, service, 'SetupCollection', url));
    const gapsOf = (setups: SetupResource[]) =>
      setups.map(({ effectivePeriod, gaps }) => [
        effectivePeriod.from.slice(0, 13),
        gaps?.map(({ from, to, before, after }) =>
          [
            from.slice(0, 13),
            to.slice(0, 13),
            before.content.id.serialNumber,
            after.content.id.serialNumber,
          ].join(' '),
        ),
      ]);
    const receiver = '2002-01-01T00 2002-01-01T12 A1 A2';
    const expected = [
      ['2001-01-01T00', []],
      ['2002-01-01T00', [receiver, '2002-01-01T00 2002-01-01T01 B1 B1']],
      ['2002-01-01T01', [receiver]],
      ['2002-01-01T12', []],
      ['2003-01-01T00', []],
      ['2003-01-04T00', []],
    ];
    const setups = await ask('/setups?projection=gaps&sort=effectivePeriod.from');
    t.same(gapsOf(setups), expected, 'a gap of three days is not shown');
    t.same(
      gapsOf(await ask('/setups/search/findByFourCharacterId?id=GAPS&projection=gaps')),
      expected,
    );
    const inside = (await get(`/setups/${setups[1]!.id}?projection=gaps`)).json<SetupResource>();
    t.same(inside, setups[1]);
    const at =
      '/setups/search/findAtByFourCharacterId?id=GAPS&at=2002-01-01T00:30:00Z&projection=gaps';
    t.same((await get(at)).json(), inside);
    t.match((await get(`${at}&asOf=2026-01-02`)).json(), { id: inside.id, gaps: null });
    t.notOk('gaps' in (await get(`/setups/${inside.id}`)).json<object>());

    await importText(
      {
        ...GAPPED,
        prepared: '2020-02-02',
        antennas: [{ type: 'A', serial: 'B2', from: '2001-01-01' }],
      },
      'gaps_2.log',
    );
    t.same((await get(`/setups/${inside.id}?projection=gaps`)).json(), {
      ...inside,
      invalidated: true,
      gaps: null,
    });
    t.same(
      gapsOf(await ask('/setups?projection=gaps&invalidated=false&sort=effectivePeriod.from'))[1],
      ['2002-01-01T00', [receiver]],
    );
  },
);

t.test(
  'in a gap of a receiver or antenna of at most a day, a lookup at an instant says so',
  async (t) => {
    const { importText, get, service } = await open(t);
    const receiver = { type: 'R', serial: '1' };
    await importText({
      id: 'GAPS',
      receivers: [
        { ...receiver, from: '2001-01-01', to: '2001-05-31T22:00Z' },
        { ...receiver, from: '2001-06-01T20:00Z', to: '2002-01-01T23:59Z' },
        { ...receiver, from: '2002-01-02', to: '2003-01-01' },
        { ...receiver, from: '2003-01-02', to: '2004-01-01' },
        { ...receiver, from: '2004-01-02T00:01Z' },
      ],
      antennas: [
        { type: 'A', from: '2001-01-01', to: '2003-01-01T12:00Z' },
        { type: 'A', from: '2003-01-01T13:00Z' },
      ],
      sensors: [
        { type: 'H', from: '2001-01-01', to: '2005-01-01' },
        { type: 'H', from: '2005-01-01T06:00Z' },
      ],
    });
    const at = async (instant: string, more = ''): Promise<SetupResource> => {
      const query = `id=GAPS&at=${instant}${more}`;
      const one = await read<SetupResource>(
        t,
        service,
        'Setup',
        `/setups/search/findAtByFourCharacterId?${query}`,
      );
      const [many] = elementsIn(
        (await get(`/setups/search/findAtByFourCharacterIdIn?${query}`)).json<
          Paged<SetupResource>
        >(),
      );
      t.same(many!.gaps, one.gaps, instant);
      return one;
    };
    const first = 'gnss receiver 2002-01-01T23:59:00Z 2002-01-02T00:00:00Z';
    const second = 'gnss receiver 2003-01-01T00:00:00Z 2003-01-02T00:00:00Z';
    const betweenMonths = 'gnss receiver 2001-05-31T22:00:00Z 2001-06-01T20:00:00Z';
    for (const [instant, gaps] of [
      ['2001-05-31T21:59:59Z', undefined],
      ['2001-05-31T22:00:00Z', [betweenMonths]],
      ['2001-06-01T19:59:59Z', [betweenMonths]],
      ['2001-06-01T20:00:00Z', undefined],
      ['2002-01-01T23:58:59Z', undefined],
      ['2002-01-01T23:59:00Z', [first]],
      ['2002-01-01T23:59:59Z', [first]],
      ['2002-01-02T00:00:00Z', undefined],
      ['2002-12-31T23:59:59Z', undefined],
      ['2003-01-01T00:00:00Z', [second]],
      ['2003-01-01T12:30:00Z', [second, 'gnss antenna 2003-01-01T12:00:00Z 2003-01-01T13:00:00Z']],
      ['2003-01-01T23:59:59Z', [second]],
      ['2003-01-02T00:00:00Z', undefined],
      ['2004-01-01T12:00:00Z', undefined],
      ['2005-01-01T03:00:00Z', undefined],
      ['2020-01-01', undefined],
    ] as const) {
      const shownGaps = (await at(instant)).gaps?.map(({ from, to, before }) =>
        [before.content.id.equipmentType, from, to].join(' '),
      );
      t.same(shownGaps, gaps, instant);
    }
    const inside = await at('2002-01-01T23:59:00Z');
    t.same(Object.keys(inside).slice(-3), ['current', 'gaps', '_links']);
    for (const more of ['&projection=site', '&projection=provenance', '&asOf=2999-01-01']) {
      t.notOk('gaps' in (await at('2002-01-01T23:59:00Z', more)), more);
    }
    t.same(
      (await at('2005-01-01T03:00:00Z', '&projection=gaps')).gaps?.length,
      1,
      'the projection has all kinds',
    );
  },
);

t.test('a current Setup without a receiver has no member gaps', async (t) => {
  const { importText, get } = await openService(t);
  await importText({
    id: 'GAPS',
    receivers: [{ type: 'R', serial: '1', from: '2001-01-01', to: '2002-01-01' }],
  });
  for (const url of [
    `${CURRENT}?id=GAPS`,
    '/setups/search/findAtByFourCharacterId?id=GAPS&at=2002-01-01',
  ]) {
    const members = Object.keys((await get(url)).json<object>());
    t.same(members.slice(-3), ['equipmentInUse', 'current', '_links'], url);
  }
});

t.test('pages of merged changes are those of one list, and the totals are right', async (t) => {
  const { service, ask, of } = await open(t, [SAMPLE]);
  const bySite = Map.groupBy(await of('mergeGaps=PT0S&size=1000'), ({ siteId }) => siteId);
  for (const [text, seconds] of Object.entries({ PT0S: 0, P1D: 86_400, P9999D: 9999 * 86_400 })) {
    const whole = await ask(`mergeGaps=${text}&size=1000`);
    const expected = [...bySite.values()].reduce(
      (sum, changes) => sum + mergeGaps(changes, seconds).length,
      0,
    );
    t.same([whole.page.totalElements, elementsIn(whole).length], [expected, expected], text);
    t.same(
      await walk(t, service, 'ChangeCollection', `/changes?mergeGaps=${text}&size=13`),
      elementsIn(whole),
      text,
    );
  }
});
