import fc from 'fast-check';
import t from 'tap';
import { EQUIPMENT_TYPES, type EquipmentInUse } from '../../schemas/index.js';
import { deriveChanges, type DerivedChange } from '../../src/derive/changes.js';
import { identityKey } from '../../src/derive/devices.js';
import { deriveSetups, type DerivedSetup } from '../../src/derive/setups.js';
import { type LogItem } from '../../src/site-log/site-log.js';
import { Findings } from '../../src/findings/findings.js';
import { casesOf, SEED, triesMore } from '../effort.js';

const day = (n: number): string =>
  new Date(Date.UTC(2000, 0, 1 + n)).toISOString().slice(0, 19) + 'Z';

type Span = [from: number | null, to: number | null];
const span = ([from, to]: Span) => ({
  from: from === null ? null : day(from),
  to: to === null ? null : day(to),
  line: 1,
  item: 1,
});

const receiver = (
  type: string | null,
  serialNumber: string | null,
  firmwareVersion: string | null,
  ...when: Span
): LogItem => ({
  id: { type, equipmentType: 'gnss receiver', manufacturer: null, serialNumber },
  configuration: {
    firmwareVersion,
    satelliteSystem: 'GPS',
    elevetionCutoffSetting: '0',
    temperatureStabilization: null,
    notes: null,
  },
  ...span(when),
});
const withSystems = (systems: string, item: LogItem): LogItem => {
  if ('satelliteSystem' in item.configuration) item.configuration.satelliteSystem = systems;
  return item;
};
const madeBy = (manufacturer: string, item: LogItem): LogItem => {
  item.id.manufacturer = manufacturer;
  return item;
};
const antenna = (
  type: string,
  serialNumber: string | null,
  up: number | null,
  ...when: Span
): LogItem =>
  ({
    id: { type, equipmentType: 'gnss antenna', manufacturer: null, serialNumber },
    configuration: {
      antennaReferencePoint: 'BPA',
      markerArpUpEccentricity: up,
      radomeType: 'NONE',
      notes: null,
    },
    ...span(when),
  }) as LogItem;
const clock = (type: string | null, inputFrequency: string | null, ...when: Span): LogItem => ({
  id: { type, equipmentType: 'clock', manufacturer: null, serialNumber: null },
  configuration: { inputFrequency },
  ...span(when),
});
const sensor = (
  type: string,
  serialNumber: string | null,
  aspiration: string | null,
  ...when: Span
): LogItem => ({
  id: { type, equipmentType: 'humidity sensor', manufacturer: null, serialNumber, aspiration },
  configuration: { heightDiffToAntenna: '0', notes: null },
  ...span(when),
});

const setupsOf = (items: LogItem[]): DerivedSetup[] =>
  deriveSetups(items, new Findings('test.log'));
const derive = (...items: LogItem[]): DerivedChange[] => deriveChanges(setupsOf(items));

/**
 * An item as `R1/1/F1`: type, serial number, and the configuration value that differs in the tests.
 */
const shownItem = (item: EquipmentInUse | null): string => {
  if (item === null) return '-';
  const { id, configuration } = item.content;
  const [value] = Object.values(configuration).slice(id.equipmentType === 'gnss antenna' ? 1 : 0);
  return `${id.type}/${id.serialNumber}/${value}`;
};
/** Changes as `3 replaced R1/1/F1 > R2/2/F1 (type serialNumber)`. */
const shown = (changes: DerivedChange[]): string[] =>
  changes.map(({ at, kind, before, after, differingMembers }) => {
    const n = (Date.parse(at) - Date.UTC(2000, 0, 1)) / 86_400_000;
    return `${n} ${kind} ${shownItem(before)} > ${shownItem(after)} (${differingMembers.join(' ')})`;
  });

const folded = (text: string | null): string | null =>
  text && text.toUpperCase().replace(/[ -]/g, '');
const asSet = (systems: string | null): string | null =>
  systems && systems.split('+').sort().join('+');
/** The members of an item. Spelling does not count. */
const members = ({ content: { id, configuration } }: EquipmentInUse): Record<string, unknown> => ({
  ...id,
  ...configuration,
  ...('satelliteSystem' in configuration && {
    satelliteSystem: asSet(configuration.satelliteSystem),
  }),
  type: id.type && id.type.toUpperCase(),
  serialNumber: folded(id.serialNumber),
});

/** The equipment in use without its periods, as a sorted list of identities and configurations. */
const key = (item: EquipmentInUse): string => JSON.stringify(members(item));
const multiset = (equipment: EquipmentInUse[]): string[] => equipment.map(key).sort();

/** Replays the changes and describes the first Setup that does not result; null if all do. */
function replayed(setups: DerivedSetup[], changes: DerivedChange[]): string | null {
  const inUse: string[] = [];
  let next = 0;
  for (const { effectivePeriod, equipmentInUse } of setups) {
    for (; next < changes.length && changes[next]!.at <= effectivePeriod.from; next++) {
      const { before, after } = changes[next]!;
      if (before !== null) {
        const index = inUse.indexOf(key(before));
        if (index < 0) return `${changes[next]!.at}: ${key(before)} is removed but was not in use`;
        inUse.splice(index, 1);
      }
      if (after !== null) inUse.push(key(after));
    }
    const is = inUse.slice().sort();
    const shall = multiset(equipmentInUse);
    if (JSON.stringify(is) !== JSON.stringify(shall))
      return `${effectivePeriod.from}: ${is.join()} is not ${shall.join()}`;
  }
  return next === changes.length ? null : 'changes after the last Setup';
}

/** Describes what is inconsistent about a change; null if nothing is. */
function inconsistency({
  at,
  equipmentType,
  kind,
  before,
  after,
  differingMembers,
}: DerivedChange): string | null {
  const name = `${at} ${kind}`;
  if ((kind === 'installed') !== (before === null)) return `${name}: before`;
  if ((kind === 'removed') !== (after === null)) return `${name}: after`;
  for (const item of [before, after])
    if (item !== null && item.content.id.equipmentType !== equipmentType)
      return `${name}: equipmentType`;
  const differing =
    before === null || after === null
      ? []
      : Object.keys(members(after)).filter(
          (name) => members(before)[name] !== members(after)[name],
        );
  if (JSON.stringify(differing) !== JSON.stringify(differingMembers))
    return `${name}: differingMembers`;
  if (kind === 'reconfigured') {
    if (differing.length === 0) return `${name}: nothing differs`;
    const [was, is] = [before, after].map((item) =>
      item!.content.id.type?.slice(0, equipmentType === 'gnss antenna' ? 16 : undefined),
    );
    if (
      was?.trim().toUpperCase() !== is?.trim().toUpperCase() ||
      differing.includes('serialNumber')
    )
      return `${name}: another device`;
  }
  return null;
}

/** One item until day 3 and one from then on, and the change between them. */
const CHANGES: Record<string, [before: LogItem, after: LogItem, change?: string][]> = {
  'a firmware update reconfigures the same receiver': [
    [
      receiver('R', '1', 'F1', 0, 3),
      receiver('R', '1', 'F2', 3, null),
      'reconfigured R/1/F1 > R/1/F2 (firmwareVersion)',
    ],
  ],
  'another number of blanks in the firmware is not a change': [
    [receiver('R', '1', 'Nav  1', 0, 3), receiver('R', '1', 'Nav 1', 3, null)],
    [
      receiver('R', '1', 'Nav  1', 0, 3),
      receiver('R', '1', 'Nav1', 3, null),
      'reconfigured R/1/Nav  1 > R/1/Nav1 (firmwareVersion)',
    ],
  ],
  'satellite systems are a set': [
    [
      withSystems('GPS+GLO+GAL', receiver('R', '1', 'F1', 0, 3)),
      withSystems('GAL+GPS+GLO', receiver('R', '1', 'F1', 3, null)),
    ],
    [
      withSystems('GPS+GLO', receiver('R', '1', 'F1', 0, 3)),
      withSystems('GLO+GPS', receiver('R', '1', 'F2', 3, null)),
      'reconfigured R/1/F1 > R/1/F2 (firmwareVersion)',
    ],
    [
      withSystems('GPS+GLO', receiver('R', '1', 'F1', 0, 3)),
      withSystems('GLO+GPS+GAL', receiver('R', '1', 'F1', 3, null)),
      'reconfigured R/1/F1 > R/1/F1 (satelliteSystem)',
    ],
  ],
  'capitals are no change of any text': [
    [
      madeBy('VAISALA', receiver('R', '1', 'Ref 1', 0, 3)),
      madeBy('Vaisala', receiver('R', '1', 'REF 1', 3, null)),
    ],
  ],
  'another device is a replacement, with the differing members': [
    [
      receiver('R', '1', 'F1', 0, 3),
      receiver('R', '2', 'F1', 3, null),
      'replaced R/1/F1 > R/2/F1 (serialNumber)',
    ],
    [
      receiver('R', '1', 'F1', 0, 3),
      receiver('Q', '1', 'F2', 3, null),
      'replaced R/1/F1 > Q/1/F2 (type firmwareVersion)',
    ],
  ],
  'another spelling of type and serial number is not a change; leading zeros count': [
    [clock('Internal', '5', 0, 3), clock('INTERNAL', '5', 3, null)],
    [clock('EXTERNAL H-MASER', '5', 0, 3), clock('H-Maser', '5', 3, null)],
    [
      receiver('R', '199', 'F1', 0, 3),
      receiver('R', '00199', 'F1', 3, null),
      'replaced R/199/F1 > R/00199/F1 (serialNumber)',
    ],
  ],
  'without a serial number, a device with a new value in its configuration is the same device': [
    [
      receiver('R', 'n-a', 'F1', 0, 3),
      receiver('R', null, 'F2', 3, null),
      'reconfigured R/n-a/F1 > R/null/F2 (firmwareVersion)',
    ],
    [
      antenna('A               NONE', null, 0, 0, 3),
      antenna('A               DOME', null, 0, 3, null),
      'reconfigured A               NONE/null/0 > A               DOME/null/0 (type)',
    ],
  ],
  'without a serial number, an item in which nothing differs is another device': [
    [
      receiver('R', 'n-a', 'F1', 0, 3),
      receiver('R', null, 'F1', 3, null),
      'replaced R/n-a/F1 > R/null/F1 ()',
    ],
    [
      sensor('S', null, 'FAN', 0, 3),
      sensor('S', null, 'NATURAL', 3, null),
      'replaced S/null/0 > S/null/0 (aspiration)',
    ],
    [
      receiver(null, null, 'F1', 0, 3),
      receiver(null, null, 'F2', 3, null),
      'replaced null/null/F1 > null/null/F2 (firmwareVersion)',
    ],
    [clock(null, '5', 0, 3), clock(null, '5', 3, null), 'replaced null/null/5 > null/null/5 ()'],
  ],
  'an unknown value differs from a known one, and the aspiration of a humidity sensor counts as a member':
    [
      [
        receiver('R', '1', null, 0, 3),
        receiver('R', '1', 'F1', 3, null),
        'reconfigured R/1/null > R/1/F1 (firmwareVersion)',
      ],
      [
        antenna('A', '1', 0, 0, 3),
        antenna('A', '1', null, 3, null),
        'reconfigured A/1/0 > A/1/null (markerArpUpEccentricity)',
      ],
      [
        sensor('S', '1', null, 0, 3),
        sensor('S', '1', 'FAN', 3, null),
        'reconfigured S/1/0 > S/1/0 (aspiration)',
      ],
    ],
};
for (const [title, cases] of Object.entries(CHANGES)) {
  t.test(title, async (t) => {
    for (const [before, after, change] of cases) {
      t.same(shown(derive(before, after)).slice(1), change === undefined ? [] : [`3 ${change}`]);
    }
  });
}

t.test('a type that says nothing is as unknown as a blank one', async (t) => {
  const changes = derive(receiver('UNKNOWN', '1', 'F1', 0, 3), receiver(null, '1', 'F1', 3, null));
  t.same(shown(changes), ['0 installed - > UNKNOWN/1/F1 ()']);
});

t.test('a remark is no value of the configuration', async (t) => {
  const noted = (notes: string, ...when: Span): LogItem => {
    const item = antenna('A', null, 0, ...when);
    return { ...item, configuration: { ...item.configuration, notes } } as LogItem;
  };
  const [, change] = derive(noted('antenna swap', 0, 3), noted('second antenna', 3, null));
  t.match(change, { kind: 'replaced', differingMembers: ['notes'] });
});

t.test('a radome that is put on or taken off reconfigures the antenna', async (t) => {
  const withRadome = (radomeType: string, type: string, ...when: Span): LogItem => {
    const item = antenna(type, '1', 0, ...when);
    return { ...item, configuration: { ...item.configuration, radomeType } } as LogItem;
  };
  const changes = derive(
    withRadome('LEIT', 'LEIAR25.R3      LEIT', 0, 3),
    withRadome('NONE', 'LEIAR25.R3      NONE', 3, 5),
    withRadome('LEIT', 'LEIAR25.R3', 5, 7),
    withRadome('NONE', 'LEIAR25.R4      NONE', 7, null),
  );
  t.same(
    changes.slice(1).map(({ kind, differingMembers }) => [kind, ...differingMembers]),
    [
      ['reconfigured', 'type', 'radomeType'],
      ['reconfigured', 'type', 'radomeType'],
      ['replaced', 'type', 'radomeType'],
    ],
  );
  const bare = derive(
    withRadome('LEIT', 'LEIAR25.R3', 0, 3),
    withRadome('NONE', 'LEIAR25.R3', 3, null),
  );
  t.match(bare[1], { kind: 'reconfigured', differingMembers: ['radomeType'] });
});

t.test(
  'several items at once are matched by kind: first the same devices, then in pairs, and the rest are installed or removed',
  async (t) => {
    const changes = derive(
      receiver('R', '1', 'F1', 0, 3),
      receiver('R', '2', 'F1', 0, 3),
      receiver('R', '3', 'F1', 0, 3),
      receiver('R', '4', 'F1', 3, null),
      receiver('R', '2', 'F2', 3, null),
      antenna('A', '1', 0, 0, 3),
      antenna('A', '2', 0, 3, null),
      antenna('A', '3', 0, 3, null),
      clock('C', '5', 0, 3),
      sensor('S', '1', 'FAN', 3, null),
    );
    t.same(shown(changes.filter(({ at }) => at === day(3))), [
      '3 reconfigured R/2/F1 > R/2/F2 (firmwareVersion)',
      '3 replaced R/1/F1 > R/4/F1 (serialNumber)',
      '3 removed R/3/F1 > - ()',
      '3 replaced A/1/0 > A/2/0 (serialNumber)',
      '3 installed - > A/3/0 ()',
      '3 installed - > S/1/0 ()',
      '3 removed C/null/5 > - ()',
    ]);
    const kinds = changes.map(
      ({ at, equipmentType }) => `${at} ${EQUIPMENT_TYPES.indexOf(equipmentType)}`,
    );
    t.same(kinds, kinds.slice().sort());
  },
);

t.test(
  'if a device is listed twice at once (a forgotten Date Removed), the item that continues unchanged is not a change',
  async (t) => {
    // 3.1 was not closed when 3.2 recorded the update; 3.3 closes both, but only repeats 3.2.
    const changes = derive(
      receiver('R', '1', 'F1', 0, 5),
      receiver('R', '1', 'F2', 3, 5),
      receiver('R', '1', 'F2', 5, null),
    );
    t.same(shown(changes).slice(1), ['3 installed - > R/1/F2 ()', '5 removed R/1/F1 > - ()']);
  },
);

t.test('an item that repeats a known device in every value is not a change', async (t) => {
  const maser = clock('H-MASER', '5', 3, 5);
  const changes = derive(receiver('R', '1', 'F1', 0, null), maser, { ...maser });
  t.same(shown(changes), [
    '0 installed - > R/1/F1 ()',
    '3 installed - > H-MASER/null/5 ()',
    '5 removed H-MASER/null/5 > - ()',
  ]);
  const unknown = receiver('R', null, 'F1', 0, null);
  t.equal(derive(unknown, { ...unknown }).length, 2, 'two devices without serial numbers');
  const other = clock('H-MASER', '10', 3, 5);
  t.equal(derive(maser, other).length, 4, 'another value');
});

const when = fc.oneof(
  fc.tuple(fc.option(fc.nat(8)), fc.option(fc.nat(8))),
  fc.tuple(
    fc.nat(4),
    fc.nat(4).map((n) => n + 4),
  ),
) as fc.Arbitrary<Span>;
const few = fc.constantFrom('1', '2', 'a-1', 'A1', null);
const anyItem: fc.Arbitrary<LogItem> = fc.oneof(
  fc
    .tuple(fc.constantFrom('R', 'Q', null), few, few, when)
    .map(([type, serial, firmware, each]) => receiver(type, serial, firmware, ...each)),
  fc
    .tuple(fc.constantFrom('A', 'B'), few, fc.constantFrom(0, 1, null), when)
    .map(([type, serial, up, each]) => antenna(type, serial, up, ...each)),
  fc
    .tuple(fc.constantFrom('S', 'T'), few, few, when)
    .map(([type, serial, aspiration, each]) => sensor(type, serial, aspiration, ...each)),
  fc
    .tuple(fc.constantFrom('C', 'D', null), few, when)
    .map(([type, frequency, each]) => clock(type, frequency, ...each)),
);

/** An item that repeats a known device in every value is in the Setups, and no change. */
const differentItems = fc.array(anyItem, { maxLength: 10 }).map((items) => {
  const dates = items.flatMap(({ from, to }) => [from, to]).filter((date) => date !== null);
  // What has no start is in use from the first date on.
  const [first = null] = dates.sort();
  const keyOf = ({ id, configuration, from, to }: LogItem): string =>
    JSON.stringify([id, configuration, from ?? first, to]);
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
});

t.test(
  'for any log, the changes give the equipment of each Setup, and none is at an instant without a difference',
  triesMore,
  async () => {
    fc.assert(
      fc.property(differentItems, (items) => {
        const setups = setupsOf(items);
        const changes = deriveChanges(setups);
        const problem =
          replayed(setups, changes) ??
          changes.map(inconsistency).find((each) => each !== null) ??
          null;
        if (problem !== null) throw new Error(problem);
        setups.slice(1).forEach(({ effectivePeriod: { from }, equipmentInUse }, index) => {
          const same =
            JSON.stringify(multiset(equipmentInUse)) ===
            JSON.stringify(multiset(setups[index]!.equipmentInUse));
          // Nothing tells an item without a serial number from the one before it.
          const here = changes.filter(
            ({ at, after }) =>
              at === from && (after === null || identityKey(after.content.id) !== null),
          );
          if (same && here.length > 0) throw new Error(`${from}: ${shown(here).join('; ')}`);
        });
      }),
      { numRuns: casesOf(5000), seed: SEED },
    );
  },
);
