import fc from 'fast-check';
import t from 'tap';
import type { EquipmentInUse } from '../../schemas/index.js';
import type { DerivedChange } from '../../src/derive/changes.js';
import { gapsBetween, mergeGaps, staysAt } from '../../src/derive/gaps.js';
import { SEED } from '../effort.js';

const HOUR = 3600;
const hour = (n: number): string =>
  new Date(Date.UTC(2000, 0, 1, n)).toISOString().slice(0, 19) + 'Z';

const UNKNOWN = {
  satelliteSystem: null,
  elevetionCutoffSetting: null,
  temperatureStabilization: null,
  notes: null,
};

/** A receiver as `type/serial number/firmware`. @param from the start of its period, in hours */
function receiver(text: string, from = 0, to: number | null = null): EquipmentInUse {
  const [type = null, number = null, firmwareVersion = null] = text.split('/');
  const serialNumber = number === '' ? null : number;
  return {
    content: {
      id: { type, equipmentType: 'gnss receiver', manufacturer: null, serialNumber },
      configuration: { ...UNKNOWN, firmwareVersion },
      period: { from: hour(from), to: to === null ? null : hour(to) },
    },
  };
}
const change = (at: number, kind: DerivedChange['kind'], item: string): DerivedChange => ({
  at: hour(at),
  equipmentType: 'gnss receiver',
  kind,
  before: kind === 'removed' ? receiver(item) : null,
  after: kind === 'installed' ? receiver(item) : null,
  differingMembers: [],
});
const removed = (at: number, item: string) => change(at, 'removed', item);
const installed = (at: number, item: string) => change(at, 'installed', item);

const numberOf = (at: string): number => (Date.parse(at) - Date.UTC(2000, 0, 1)) / 3_600_000;
const nameOf = (item: EquipmentInUse | null): string => {
  if (item === null) return '-';
  const { id, configuration } = item.content;
  return [
    id.type,
    id.serialNumber,
    ...('firmwareVersion' in configuration ? [configuration.firmwareVersion] : []),
  ].join('/');
};
/** Changes as `1-3 replaced A/1/F > B/1/F (type)`. */
const shown = (changes: DerivedChange[], hours: number): string[] =>
  mergeGaps(changes, hours * HOUR).map(
    ({ at, gap, kind, before, after, differingMembers }) =>
      `${gap === null ? numberOf(at) : `${numberOf(gap.from)}-${numberOf(gap.to)}`} ${kind} ${nameOf(before)} > ${nameOf(after)} (${differingMembers.join(' ')})`,
  );

t.test('devices that were removed together are paired with themselves first', async (t) => {
  t.same(
    shown(
      [removed(1, 'A/1/F'), removed(1, 'B/2/F'), installed(2, 'B/2/F'), installed(2, 'C/3/F')],
      24,
    ),
    ['1-2 replaced A/1/F > C/3/F (type serialNumber)', '1-2 reconfigured B/2/F > B/2/F ()'],
  );
  t.same(shown([removed(1, 'A/1/F'), installed(2, 'B/2/F'), installed(2, 'A/1/F')], 24), [
    '1-2 reconfigured A/1/F > A/1/F ()',
    '2 installed - > B/2/F ()',
  ]);
});

t.test('what happened at once is paired in whatever order it is listed', async (t) => {
  const come = [installed(2, 'A//H'), installed(2, 'A//I')];
  // A blank serial number and 0000 mean the same.
  for (const [one, other] of [
    ['A//F', 'A//G'],
    ['A/0000/F', 'A//F'],
  ] as const) {
    const gone = [removed(1, one), removed(1, other)];
    const pairs = [`${one} > A//H`, `${other} > A//I`].map(
      (pair) => `1-2 replaced ${pair} (firmwareVersion)`,
    );
    for (const first of [gone, gone.toReversed()])
      for (const then of [come, come.toReversed()])
        t.same(shown([...first, ...then], 24).toSorted(), pairs.toSorted());
  }
});

t.test('an installation ends the latest removal', async (t) => {
  t.same(
    shown(
      [removed(1, 'A/1/F'), removed(5, 'B/2/F'), installed(6, 'C/3/F'), installed(7, 'D/4/F')],
      24,
    ),
    [
      '1-7 replaced A/1/F > D/4/F (type serialNumber)',
      '5-6 replaced B/2/F > C/3/F (type serialNumber)',
    ],
  );
});

t.test(
  'a longer limit never divides what a shorter one merges, and no change is lost',
  async () => {
    const event = fc.record({
      at: fc.nat(30),
      kind: fc.constantFrom('removed' as const, 'installed' as const),
      item: fc.constantFrom('A/1/F', 'A/1/G', 'B/2/F'),
    });
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 12 }),
        fc.nat(30),
        fc.nat(30),
        (events, one, other) => {
          // At one instant, all are removals or all are installations.
          const kinds = new Map(events.map(({ at, kind }) => [at, kind]));
          const changes = events
            .map(({ at, item }) => change(at, kinds.get(at)!, item))
            .sort((a, b) => (a.at < b.at ? -1 : 1));
          const gapsUpTo = (hours: number) =>
            mergeGaps(changes, hours * HOUR).flatMap(({ gap, before, after }) =>
              gap === null ? [] : [JSON.stringify([gap, before, after])],
            );
          const [short, long] = [Math.min(one, other), Math.max(one, other)].map(gapsUpTo) as [
            string[],
            string[],
          ];
          const merged = mergeGaps(changes, Math.min(one, other) * HOUR);
          return (
            short.every((gap) => long.includes(gap)) &&
            merged.length + short.length === changes.length &&
            merged.every(({ at }, index) => index === 0 || merged[index - 1]!.at <= at) &&
            gapsBetween(changes).every(({ seconds }) => seconds >= 1)
          );
        },
      ),
      { seed: SEED },
    );
  },
);

t.test('a stay begins with an installation, and a merged gap does not end it', async (t) => {
  const changes = mergeGaps(
    [
      installed(1, 'A/1/F'),
      installed(1, 'B/2/F'),
      removed(10, 'A/1/F'),
      installed(11, 'A/1/G'),
      removed(20, 'A/1/G'),
      installed(30, 'A/1/G'),
      removed(60, 'A/1/G'),
      installed(100, 'A/1/G'),
      removed(110, 'A/1/G'),
      installed(111, 'C/3/G'),
    ],
    24 * HOUR,
  );
  const stay = (item: string, at: number): (number | null)[] => {
    const { installed, reconfigured } = staysAt(changes, hour(at))(receiver(item, at));
    return [numberOf(installed), reconfigured === null ? null : numberOf(reconfigured)];
  };
  t.same(stay('A/1/F', 1), [1, null]);
  t.same(stay('A/1/F', 10), [1, null]);
  t.same(stay('A/1/G', 11), [1, 11]);
  t.same(stay('A/1/G', 30), [1, 11], 'a device that comes back as it was is not reconfigured');
  t.same(stay('A/1/G', 99), [1, 11]);
  t.same(stay('A/1/G', 100), [100, null], 'a long gap ends a stay');
  t.same(stay('B/2/F', 100), [1, null]);
  t.same(stay('C/3/G', 111), [111, null], 'a replacement begins a stay');
  t.same(stay('D/4/G', 111), [111, null], 'without a change, the period of the item');
});

t.test('a stay is not that of a later device that cannot be distinguished', async (t) => {
  const changes = mergeGaps([installed(1, 'A//F'), installed(10, 'A//F')], HOUR);
  const stay = staysAt(changes, hour(20));
  t.equal(stay(receiver('A//F', 1)).installed, hour(1));
  t.equal(stay(receiver('A//F', 10)).installed, hour(10));
});

t.test('without serial numbers, a stay follows the items of its device', async (t) => {
  const [first, updated, other] = [
    receiver('A//F', 1, 10),
    receiver('A//G', 12),
    receiver('A//F', 5),
  ];
  const kind = { equipmentType: 'gnss receiver' as const, differingMembers: [] };
  const changes = mergeGaps(
    [
      { ...kind, at: hour(1), kind: 'installed', before: null, after: first },
      { ...kind, at: hour(5), kind: 'installed', before: null, after: other },
      { ...kind, at: hour(10), kind: 'removed', before: first, after: null },
      { ...kind, at: hour(12), kind: 'installed', before: null, after: updated },
    ],
    24 * HOUR,
  );
  const stayOf = staysAt(changes, hour(20));
  t.same(stayOf(updated), { installed: hour(1), reconfigured: hour(12) });
  t.same(stayOf(other), { installed: hour(5), reconfigured: null });
});

t.test('a stay does not begin after the item that it is of', async (t) => {
  /** An item of one antenna, whose radome the log of the site changes. */
  const antenna = (radomeType: string, from: number): EquipmentInUse => ({
    content: {
      id: {
        type: `A               ${radomeType}`,
        equipmentType: 'gnss antenna',
        manufacturer: null,
        serialNumber: '1',
      },
      configuration: {
        antennaReferencePoint: null,
        markerArpUpEccentricity: null,
        markerArpNorthEccentricity: null,
        markerArpEastEccentricity: null,
        alignmentFromTrueNorth: null,
        radomeType,
        radomeSerialNumber: null,
        antennaCableType: null,
        antennaCableLength: null,
        notes: null,
      },
      period: { from: hour(from), to: null },
    },
  });
  const begun = (after: EquipmentInUse): DerivedChange => ({
    at: after.content.period.from,
    equipmentType: 'gnss antenna',
    kind: 'installed',
    before: null,
    after,
    differingMembers: [],
  });
  const [first, second] = [antenna('SCIS', 1), antenna('NONE', 50)];
  const stayOf = staysAt(mergeGaps([begun(first), begun(second)], 24 * HOUR), hour(99));
  t.same(stayOf(first), { installed: hour(1), reconfigured: null });
  t.same(stayOf(second), { installed: hour(50), reconfigured: null });
});

t.test('a stay is not that of a second entry before a reconfiguration', async (t) => {
  const [before, after] = [receiver('A/1/F', 1, 50), receiver('A/1/G', 50)];
  const updated: DerivedChange = {
    ...change(50, 'reconfigured', 'A/1/G'),
    before,
    after,
    differingMembers: ['firmwareVersion'],
  };
  const stayOf = staysAt(mergeGaps([installed(1, 'A/1/F'), updated], HOUR), hour(99));
  t.same(stayOf(after), { installed: hour(1), reconfigured: hour(50) });
  const second = receiver('A/1/H', 20);
  t.same(stayOf(second), { installed: hour(20), reconfigured: null });
});
