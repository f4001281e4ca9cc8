import t from 'tap';
import type { EquipmentInUse } from '../../schemas/index.js';
import {
  deriveDevices,
  identityKey,
  keyAtSite,
  modelOf,
  radomeOf,
} from '../../src/derive/devices.js';
import { deriveInstruments } from '../../src/derive/log-devices.js';
import type { DerivedSetup } from '../../src/derive/setups.js';
import { Findings } from '../../src/findings/findings.js';
import type { LogInstrument } from '../../src/site-log/site-log.js';
import { openService } from '../service.js';

const sensor = (
  id: object,
  from = '2001-01-01T00:00:00Z',
  notes: string | null = null,
): EquipmentInUse => ({
  content: {
    id: {
      type: 'H',
      equipmentType: 'humidity sensor',
      manufacturer: null,
      serialNumber: '1',
      aspiration: null,
      ...id,
    },
    configuration: { heightDiffToAntenna: null, notes },
    period: { from, to: null },
  },
});
const clock = (type: string | null): EquipmentInUse => ({
  content: {
    id: { type, equipmentType: 'clock', manufacturer: null, serialNumber: null },
    configuration: { inputFrequency: null },
    period: { from: '2001-01-01T00:00:00Z', to: null },
  },
});
const setup = (...equipmentInUse: EquipmentInUse[]): DerivedSetup => ({
  effectivePeriod: { from: '2001-01-01T00:00:00Z', to: null },
  equipmentInUse,
});

const key = (item: EquipmentInUse) => identityKey(item.content.id);
const NONE = () => new Map();

t.test('a device is identified by kind, type and serial number, a clock by its type', async (t) => {
  t.equal(key(sensor({})), '["humidity sensor","H","1"]');
  t.equal(key(sensor({ type: null })), '["humidity sensor",null,"1"]');
  t.equal(key(clock('INTERNAL')), '["clock","INTERNAL",null]');
});

const antenna = (type: string, serialNumber: string | null): EquipmentInUse => ({
  content: {
    id: { type, equipmentType: 'gnss antenna', manufacturer: null, serialNumber },
    configuration: {
      antennaReferencePoint: null,
      markerArpUpEccentricity: null,
      markerArpNorthEccentricity: null,
      markerArpEastEccentricity: null,
      alignmentFromTrueNorth: null,
      radomeType: null,
      radomeSerialNumber: null,
      antennaCableType: null,
      antennaCableLength: null,
      notes: null,
    },
    period: { from: '2001-01-01T00:00:00Z', to: null },
  },
});

t.test(
  'types are compared without case, serial numbers without blanks and hyphens either; leading zeros count',
  async (t) => {
    for (const serialNumber of ['217 0246', '217-0246', '2170246', '217\u20110246'])
      t.equal(key(sensor({ type: 'Met4', serialNumber })), '["humidity sensor","MET4","2170246"]');
    t.equal(key(sensor({ serialNumber: '4906k34352' })), '["humidity sensor","H","4906K34352"]');
    t.equal(key(sensor({ serialNumber: '00199' })), '["humidity sensor","H","00199"]');
    t.equal(key(clock('Internal')), '["clock","INTERNAL",null]');
    for (const type of ['H-MASER', 'EXTERNAL H-MASER', 'External H-Maser'])
      t.equal(key(clock(type)), '["clock","H-MASER",null]');
    t.equal(key(clock('EXTERNAL')), '["clock","EXTERNAL",null]');
    t.equal(key(sensor({ type: 'EXTERNAL H' })), '["humidity sensor","EXTERNAL H","1"]');
  },
);

t.test(
  'an antenna is identified by its model, in columns 1 to 16 of the type, whatever its radome',
  async (t) => {
    for (const type of [
      'LEIAR25.R3      LEIT',
      'LEIAR25.R3      NONE',
      'LEIAR25.R3',
      'leiar25.r3      leit',
    ])
      t.equal(key(antenna(type, '1')), '["gnss antenna","LEIAR25.R3","1"]');
    t.equal(key(antenna('TRM59800.00+TEST', '1')), '["gnss antenna","TRM59800.00+TEST","1"]');
  },
);

t.test(
  'the radome of an antenna is what the log gives separately, else in columns 17 to 20 of its type',
  async (t) => {
    for (const [type, separate, model, radome] of [
      ['LEIAR25.R3      LEIT', 'NONE', 'LEIAR25.R3', 'NONE'],
      ['LEIAR25.R3', 'NONE', 'LEIAR25.R3', 'NONE'],
      ['LEIAR25.R3      LEI', 'NONE', 'LEIAR25.R3', 'NONE'],
      ['TRM59800.00+TESTSCIT', null, 'TRM59800.00+TEST', 'SCIT'],
      ['TRM59800.00+TEST', null, 'TRM59800.00+TEST', null],
      ['TRM59800.00+TESTSCITX', null, 'TRM59800.00+TEST', null],
    ] as const) {
      const { content } = antenna(type, '1');
      (content.configuration as { radomeType: string | null }).radomeType = separate;
      t.same([modelOf(content.id), radomeOf(content)], [model, radome], type);
    }
    t.same(
      [
        modelOf(clock('C').content.id),
        radomeOf(clock('C').content),
        modelOf(clock(null).content.id),
      ],
      ['C', null, null],
    );
  },
);

t.test('fillers are recognized however they are written: they identify nothing', async (t) => {
  for (const serialNumber of [
    'n-a',
    'N/A',
    'n.a.',
    '00 00',
    '0-0',
    'x-x',
    'Not Known',
    '- -',
    'unkwn',
  ])
    t.equal(key(antenna('A', serialNumber)), null, serialNumber);
  t.equal(key(clock('n-a')), null);
  t.equal(key(antenna('n-a', '12')), '["gnss antenna",null,"12"]');
});

t.test('a device has the newest spelling, and each of its items its own', async (t) => {
  const items = [
    antenna('LEIAR25.R3      LEIT', '217 0246'),
    antenna('LEIAR25.R3      NONE', '217-0246'),
  ] as const;
  items[1].content.period.from = '2002-01-01T00:00:00Z';
  const [device, ...others] = deriveDevices([setup(...items)], NONE);
  t.same(others, []);
  t.match(device!.identity, { type: 'LEIAR25.R3      NONE', serialNumber: '217-0246' });
  t.same(device!.inUse, items);
});

t.test(
  'without that, each item is its own device, identified at its Site by its start and a number',
  async (t) => {
    const first = sensor({ serialNumber: null });
    const second = sensor({ serialNumber: null }, undefined, 'on the roof');
    const other = sensor({ serialNumber: null }, '2002');
    const devices = deriveDevices(
      [setup(first, second), setup(first, second, other, clock(null))],
      NONE,
    );
    t.equal(keyAtSite(devices[0]!, 7), '["humidity sensor","H",null,"2001-01-01T00:00:00Z",1,7]');
    t.same(
      devices.map(({ key }) => key),
      [
        '["humidity sensor","H",null,"2001-01-01T00:00:00Z",1]',
        '["humidity sensor","H",null,"2001-01-01T00:00:00Z",2]',
        '["humidity sensor","H",null,"2002",1]',
        '["clock",null,null,"2001-01-01T00:00:00Z",1]',
      ],
    );
  },
);

t.test('a device without a serial number keeps the key of its first item', async (t) => {
  const [first, second, third] = [1, 2, 3].map((year) =>
    sensor({ serialNumber: null }, `200${year}-01-01T00:00:00Z`),
  ) as [EquipmentInUse, EquipmentInUse, EquipmentInUse];
  const predecessors = new Map([
    [second, first],
    [third, second],
  ]);
  const devices = deriveDevices([setup(first), setup(second), setup(third)], () => predecessors);
  t.match(devices, [{ key: '["humidity sensor","H",null,"2001-01-01T00:00:00Z",1]' }]);
  t.same(devices[0]!.inUse, [first, second, third]);
});

t.test('instruments without serial numbers that follow each other are one device', async (t) => {
  const instrument = (
    calibrationDate: string | null,
    from: string | null,
    to: string | null,
    serialNumber: string | null = null,
  ): LogInstrument =>
    ({
      id: { type: 'P', equipmentType: 'pressure sensor', manufacturer: null, serialNumber },
      configuration: { calibrationDate, notes: null },
      from,
      to,
      line: 1,
    }) as LogInstrument;
  const numberOf = (...items: LogInstrument[]): number =>
    deriveInstruments(items, new Findings('test.log')).length;
  const first = instrument('2001', '2001-01-01T00:00:00Z', '2002-01-01T00:00:00Z');
  t.equal(numberOf(first, instrument('2002', '2002-01-01T00:00:00Z', null)), 1);
  t.equal(numberOf(instrument('2002', '2002-01-02T00:00:00Z', null), first), 1);
  t.equal(numberOf(first, instrument('2002', '2002-01-02T00:00:01Z', null)), 2);
  t.equal(numberOf(first, instrument('2001', '2002-01-01T00:00:00Z', null)), 2);
  t.equal(numberOf(first, instrument('2002', '2002-01-01T00:00:00Z', null, '7')), 2);
  t.equal(numberOf(first, instrument('2002', null, null)), 2);
  const updates = ['2002', '2003'].map((date) => instrument(date, '2002-01-01T00:00:00Z', null));
  t.equal(numberOf(first, ...updates), 2, 'one item has one successor');
  const [begin, middle, end] = [
    '2001-03-01T08:00:00Z',
    '2001-03-01T14:00:00Z',
    '2001-03-01T20:00:00Z',
  ];
  for (const [one, two, three] of [
    ['1', '2', '3'],
    ['1', '3', '2'],
    ['3', '2', '1'],
  ] as const) {
    const rest = [instrument(two, begin, middle), instrument(three, end, null)];
    const each = instrument(one, '2001-01-01T00:00:00Z', begin);
    t.equal(numberOf(each, ...rest), 1, 'the first that begins continues it, whatever it says');
  }
  const ofOtherKind = instrument('2002', '2002-01-01T00:00:00Z', null);
  ofOtherKind.id.equipmentType = 'temperature sensor';
  t.equal(numberOf(first, ofOtherKind), 2, 'another kind of the same type');
});

t.test(
  'a device lists its items, equal ones once, and has the last known value of each member',
  async (t) => {
    const moved = sensor({}, '2002-01-01T00:00:00Z', 'moved');
    const items = [
      sensor({ manufacturer: 'V', aspiration: 'FAN' }),
      sensor({ aspiration: 'NATURAL' }),
      moved,
    ] as const;
    const [device, ...others] = deriveDevices([setup(items[0], items[1]), setup(...items)], NONE);
    t.same(others, []);
    t.match(device!.identity, {
      type: 'H',
      manufacturer: 'V',
      serialNumber: '1',
      aspiration: 'NATURAL',
    });
    t.same(device!.inUse, [items[0], items[2]]);
    t.equal(device!.inUse[1], items[2], 'the same objects as in the Setups');
  },
);

t.test(
  'serial numbers of one type that differ only in leading zeros are two devices, and a finding',
  async (t) => {
    const { importText, get } = await openService(t);
    const receiver = (serial: string, year: number, type = 'R0') => ({
      type,
      serial,
      from: `${year}-01-01`,
      to: `${year + 1}-01-01`,
    });
    const same = [receiver('199', 2001), receiver('00199', 2002), receiver('199', 2003)];
    const { files } = await importText({
      receivers: [...same, receiver('0199', 2004, 'R1'), receiver('1990', 2005)],
    });
    t.match(files[0]!.findings, [{ level: 'warning', code: 'leading-zeros', text: '00199' }]);
    t.equal(files[0]!.findings.length, 1);
    t.match((await get('/gnssReceivers')).json(), { page: { totalElements: 4 } });
  },
);
