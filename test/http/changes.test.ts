import t, { type Test } from 'tap';
import type { Static } from '@sinclair/typebox';
import type { Change, ChangeCollection, SetupResource } from '../../schemas/index.js';
import { openService, REAL_LOGS, SAMPLE, type Service, violations, withRealLogs } from '../helper.js';
import { rawDatabase } from '../raw-database.js';
import { mergeGaps } from '../../src/derive/gaps.js';

type Page = Static<typeof ChangeCollection>;

/** Asks for a page of changes, and validates it. */
const asking =
  (t: Test, { get }: Pick<Service, 'get'>) =>
  async (path: string): Promise<Page> => {
    const response = await get(path.replace('http://localhost:80', ''));
    t.equal(response.statusCode, 200, path, { body: response.body.slice(0, 500) });
    t.same(violations('ChangeCollection', response.json()), [], path);
    return response.json<Page>();
  };

/** A change as `2001-01-01T12 replaced A1/A2`, with its gap. */
const shown = ({ at, kind, before, after, gap }: Change): string => {
  const until = gap === null ? '' : `-${gap.to.slice(0, 13)}`;
  return `${at.slice(0, 13)}${until} ${kind} ${before?.content.id.serialNumber ?? ''}/${after?.content.id.serialNumber ?? ''}`;
};

/** A Site where a receiver was missing for 12 hours and then for three days, and an antenna for an hour. */
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

t.test('a removal and the installation after it are one change, if the gap is at most mergeGaps', async (t) => {
  const service = await openService(t);
  await service.importText(GAPPED);
  const ask = asking(t, service);
  const of = async (query: string) => (await ask(`/changes?${query}`))._embedded.changes;
  const merged = [
    ...INSTALLED,
    '2002-01-01T00-2002-01-01T12 replaced A1/A2',
    '2002-01-01T00-2002-01-01T01 reconfigured B1/B1',
    '2003-01-01T00 removed A2/',
    '2003-01-04T00 installed /A2',
  ];
  t.same((await of('')).map(shown), merged);
  t.same((await of('mergeGaps=P1D')).map(shown), merged);
  t.same((await of('mergeGaps=PT12H')).map(shown), merged, 'a gap of exactly mergeGaps');
  t.same((await of('mergeGaps=P3D')).map(shown), [...merged.slice(0, 4), '2003-01-01T00-2003-01-04T00 reconfigured A2/A2']);
  t.same((await of('mergeGaps=PT1H')).map(shown), [
    ...INSTALLED,
    '2002-01-01T00 removed A1/',
    merged[3],
    '2002-01-01T12 installed /A2',
    ...merged.slice(4),
  ]);
  t.equal((await of('mergeGaps=PT0S')).length, 8);
  t.ok((await of('mergeGaps=PT0S')).every(({ gap }) => gap === null));
  const [, , replaced, reinstalled] = await of('');
  t.same(replaced!.differingMembers, ['serialNumber']);
  t.same(reinstalled!.differingMembers, [], 'the same device, as it was');

  t.same((await of('from=2002-01-01T06:00:00Z&to=2002-01-02')).map(shown), [], 'a merged change is at the time of the removal');
  t.same((await of('from=2002-01-01&to=2002-01-01T00:00:01Z&equipmentType=gnss%20receiver')).map(shown), [merged[2]]);
  t.same((await ask('/changes?mergeGaps=P3D&size=2'))._links.next?.href.includes('mergeGaps=P3D'), true);
});

t.test('projection=gaps adds to a Setup what was in use before and after a gap of at most a day', async (t) => {
  const { importText, get } = await openService(t);
  await importText(GAPPED, 'gaps_1.log', new Date('2026-01-01'));
  const ask = async (path: string): Promise<SetupResource[]> => {
    const response = await get(path);
    t.equal(response.statusCode, 200, path, { body: response.body.slice(0, 500) });
    const body = response.json<{ _embedded: { setups: SetupResource[] } }>();
    t.same(violations('SetupCollection', body), [], path);
    return body._embedded.setups;
  };
  const gapsOf = (setups: SetupResource[]) =>
    setups.map(({ effectivePeriod, gaps }) => [
      effectivePeriod.from.slice(0, 13),
      gaps?.map(({ from, to, before, after }) =>
        [from.slice(0, 13), to.slice(0, 13), before.content.id.serialNumber, after.content.id.serialNumber].join(' '),
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
  t.same(gapsOf(await ask('/setups/search/findByFourCharacterId?id=GAPS&projection=gaps')), expected);
  const inside = (await get(`/setups/${setups[1]!.id}?projection=gaps`)).json<SetupResource>();
  t.same(inside, setups[1]);
  const at = '/setups/search/findAtByFourCharacterId?id=GAPS&at=2002-01-01T00:30:00Z&projection=gaps';
  t.same((await get(at)).json(), inside);
  t.match((await get(`${at}&asOf=2026-01-02`)).json(), { id: inside.id, gaps: null });
  t.notOk('gaps' in (await get(`/setups/${inside.id}`)).json<object>());

  await importText({ ...GAPPED, prepared: '2020-02-02', antennas: [{ type: 'A', serial: 'B2', from: '2001-01-01' }] }, 'gaps_2.log');
  t.same((await get(`/setups/${inside.id}?projection=gaps`)).json(), { ...inside, invalidated: true, gaps: null });
  t.same(gapsOf(await ask('/setups?projection=gaps&invalidated=false&sort=effectivePeriod.from'))[1], ['2002-01-01T00', [receiver]]);
});

t.test('in a gap of a receiver or antenna of at most a day, a lookup at an instant says so', async (t) => {
  const { importText, get } = await openService(t);
  const receiver = { type: 'R', serial: '1' };
  await importText({
    id: 'GAPS',
    receivers: [
      { ...receiver, from: '2001-01-01', to: '2002-01-01T23:59Z' },
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
    const one = (await get(`/setups/search/findAtByFourCharacterId?id=GAPS&at=${instant}${more}`)).json<SetupResource>();
    t.same(violations('Setup', one), [], instant);
    const many = (await get(`/setups/search/findAtByFourCharacterIdIn?id=GAPS&at=${instant}${more}`)).json<{
      _embedded: { setups: SetupResource[] };
    }>();
    t.same(many._embedded.setups[0]!.gaps, one.gaps, instant);
    return one;
  };
  for (const [instant, gaps] of [
    ['2002-01-01T23:58:59Z', undefined],
    ['2002-01-01T23:59:00Z', ['gnss receiver 2002-01-01T23:59:00Z 2002-01-02T00:00:00Z']],
    ['2002-01-01T23:59:59Z', ['gnss receiver 2002-01-01T23:59:00Z 2002-01-02T00:00:00Z']],
    ['2002-01-02T00:00:00Z', undefined],
    ['2002-12-31T23:59:59Z', undefined],
    ['2003-01-01T00:00:00Z', ['gnss receiver 2003-01-01T00:00:00Z 2003-01-02T00:00:00Z']],
    [
      '2003-01-01T12:30:00Z',
      ['gnss receiver 2003-01-01T00:00:00Z 2003-01-02T00:00:00Z', 'gnss antenna 2003-01-01T12:00:00Z 2003-01-01T13:00:00Z'],
    ],
    ['2003-01-01T23:59:59Z', ['gnss receiver 2003-01-01T00:00:00Z 2003-01-02T00:00:00Z']],
    ['2003-01-02T00:00:00Z', undefined],
    ['2004-01-01T12:00:00Z', undefined],
    ['2005-01-01T03:00:00Z', undefined],
    ['2020-01-01', undefined],
  ] as const) {
    const setup = await at(instant);
    t.same(
      setup.gaps?.map(({ from, to, before }) => [before.content.id.equipmentType, from, to].join(' ')),
      gaps,
      instant,
    );
  }
  const inside = await at('2002-01-01T23:59:00Z');
  t.same(Object.keys(inside).slice(-3), ['current', 'gaps', '_links']);
  for (const more of ['&projection=site', '&projection=provenance', '&asOf=2999-01-01']) {
    t.notOk('gaps' in (await at('2002-01-01T23:59:00Z', more)), more);
  }
  t.same((await at('2005-01-01T03:00:00Z', '&projection=gaps')).gaps?.length, 1, 'the projection has all kinds');
});

t.test('a current Setup without a receiver has no member gaps', async (t) => {
  const { importText, get } = await openService(t);
  await importText({ id: 'GAPS', receivers: [{ type: 'R', serial: '1', from: '2001-01-01', to: '2002-01-01' }] });
  for (const search of ['findCurrentByFourCharacterId?id=GAPS', 'findAtByFourCharacterId?id=GAPS&at=2002-01-01']) {
    const members = Object.keys((await get(`/setups/search/${search}`)).json<object>());
    t.same(members.slice(-3), ['equipmentInUse', 'current', '_links'], search);
  }
});

t.test('what ends a gap follows the newest log', async (t) => {
  const { importText, get, database } = await openService(t);
  const ask = asking(t, { get });
  const all = async () => (await ask('/changes'))._embedded.changes.map(shown);
  const [a1, a2] = GAPPED.receivers as [object, object];
  await importText({ id: 'GAPS', prepared: '2002-01-01', receivers: [a1] });
  t.same(await all(), ['2001-01-01T00 installed /A1', '2002-01-01T00 removed A1/']);
  await importText({ id: 'GAPS', prepared: '2002-01-02', receivers: [a1, { ...a2, to: '' }] });
  const replaced = '2002-01-01T00-2002-01-01T12 replaced A1/A2';
  t.same(await all(), ['2001-01-01T00 installed /A1', replaced]);
  await importText({ id: 'GAPS', prepared: '2002-01-03', receivers: [a1, { ...a2, from: '2002-01-05', to: '' }] });
  t.same(await all(), ['2001-01-01T00 installed /A1', '2002-01-01T00 removed A1/', '2002-01-05T00 installed /A2']);
  const linked = 'SELECT id FROM change WHERE superseded_at IS NOT NULL AND (counterpart_id IS NOT NULL OR gap_before IS NOT NULL)';
  t.same(await rawDatabase(database).all(linked), [], 'superseded changes are in no gap');
});

t.test('pages of merged changes are those of one list, and the totals are right', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const ask = asking(t, service);
  const separate = (await ask('/changes?mergeGaps=PT0S&size=1000'))._embedded.changes;
  for (const [text, seconds] of [
    ['PT0S', 0],
    ['P1D', 86_400],
    ['P9999D', 9999 * 86_400],
  ] as const) {
    const whole = await ask(`/changes?mergeGaps=${text}&size=1000`);
    const bySite = new Map<number, Change[]>();
    for (const change of separate) bySite.set(change.siteId, [...(bySite.get(change.siteId) ?? []), change]);
    const expected = [...bySite.values()].reduce((sum, changes) => sum + mergeGaps(changes, seconds).length, 0);
    t.equal(whole.page.totalElements, expected, text);
    t.equal(whole._embedded.changes.length, expected, text);
    const paged: Change[] = [];
    for (let next: string | undefined = `/changes?mergeGaps=${text}&size=7`; next !== undefined;) {
      const page: Page = await ask(next);
      paged.push(...page._embedded.changes);
      next = page._links.next?.href;
    }
    t.same(paged, whole._embedded.changes, text);
  }
});

t.test('recordedSince finds the changes that a later import recorded', async (t) => {
  const { importText, get } = await openService(t);
  const ask = asking(t, { get });
  const since = async (instant: string) => (await ask(`/changes?recordedSince=${instant}`))._embedded.changes.map(shown);
  const [a1, a2] = GAPPED.receivers as [object, object];
  await importText({ id: 'GAPS', prepared: '2002-01-01', receivers: [a1] }, 'gaps_1.log', new Date('2026-01-01T00:00:00.500Z'));
  await importText({ id: 'OTHR', receivers: [a1] }, 'othr_1.log', new Date('2026-01-02'));
  await importText({ id: 'GAPS', prepared: '2002-01-02', receivers: [a1, { ...a2, to: '' }] }, 'gaps_2.log', new Date('2026-01-03'));
  const merged = '2002-01-01T00-2002-01-01T12 replaced A1/A2';
  t.equal((await since('2026-01-01')).length, 4);
  t.same(await since('2026-01-03'), [merged], 'a merged change is new if one of its parts is');
  t.same(await since('2026-01-03T00:00:01Z'), []);
  t.same((await since('2026-01-01T00:00:00.501Z')).length, 3, 'the removal and the changes at the other Site');
  const one = await ask('/changes?recordedSince=2026-01-02&site=GAPS&mergeGaps=PT0S');
  t.same(one._embedded.changes.map(shown), ['2002-01-01T12 installed /A2']);
});

t.test('in the real network, most removals are part of a change', withRealLogs, async (t) => {
  const { get } = await openService(t, [REAL_LOGS!]);
  const total = async (mergeGaps: string) => (await get(`/changes?size=1&mergeGaps=${mergeGaps}`)).json<Page>().page.totalElements;
  const merged = (await total('PT0S')) - (await total('P1D'));
  t.ok(merged > 1000, `${merged} gaps of at most a day`);
});

t.test(
  'in the real network, no antenna is replaced by itself with another radome, and devices in conflict are found',
  withRealLogs,
  async (t) => {
    const { get } = await openService(t, [REAL_LOGS!]);
    type Content = { content: { id: { type: string | null; serialNumber: string | null } } };
    type Changes = { _embedded: { changes: Replaced[] }; _links: { next?: { href: string } } };
    type Replaced = { fourCharacterId: string; kind: string; before: Content; after: Content };
    const suspicious: string[] = [];
    for (let path: string | undefined = '/changes?size=1000'; path !== undefined;) {
      const { _embedded, _links }: Changes = (await get(path)).json<Changes>();
      for (const { fourCharacterId, kind, before, after } of _embedded.changes) {
        if (kind !== 'replaced') continue;
        const [was, is] = [before, after].map(({ content: { id } }) => ({
          model: id.type?.slice(0, 16).trim().toUpperCase(),
          digits: id.serialNumber?.toUpperCase().replace(/^0+|[ -]/g, ''),
          text: id.serialNumber,
        }));
        const isSame = was!.model === is!.model && was!.digits === is!.digits && was!.digits !== undefined;
        if (isSame) suspicious.push(`${fourCharacterId} ${was!.text} ${is!.text}`);
      }
      path = _links.next && new URL(_links.next.href).pathname + new URL(_links.next.href).search;
    }
    t.same(suspicious, ['TLSE 199 00199'], 'leading zeros count');

    const conflictsOf = async (collection: string, serialNumber: string): Promise<string[]> => {
      type Device = { installations: { fourCharacterId: string; conflictsWith: string[] }[] };
      const found = await get(`/${collection}?serialNumber=${serialNumber}&projection=installations`);
      const devices = found.json<{ _embedded: Record<string, Device[]> }>()._embedded[collection]!;
      const inConflict = devices.flatMap(({ installations }) => installations).filter(({ conflictsWith }) => conflictsWith.length > 0);
      return [...new Set(inConflict.map(({ fourCharacterId }) => fourCharacterId))].sort();
    };
    t.same(await conflictsOf('gnssAntennas', '205'), ['MALI', 'TID1']);
    t.same(await conflictsOf('gnssReceivers', 'C116'), ['COCO', 'DARW']);
    t.same(await conflictsOf('gnssAntennas', '0937002'), ['BRO1', 'BROO']);
  },
);
