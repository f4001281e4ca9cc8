import t from 'tap';
import type { EquipmentInUse } from '../../schemas/index.js';
import { deriveDevices, deviceKeyOf, keyAtSite } from '../../src/derive/devices.js';
import type { DerivedSetup } from '../../src/derive/setups.js';

const sensor = (id: object, from = '2001-01-01T00:00:00Z', notes: string | null = null): EquipmentInUse => ({
  content: {
    id: { type: 'H', equipmentType: 'humidity sensor', manufacturer: null, serialNumber: '1', aspiration: null, ...id },
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

t.test('a device is identified by kind, type and serial number, a clock by its type', async (t) => {
  const key = (item: EquipmentInUse) => deviceKeyOf(item, new Map());
  t.equal(key(sensor({})), '["humidity sensor","H","1"]');
  t.equal(key(sensor({ type: null })), '["humidity sensor",null,"1"]');
  t.equal(key(clock('INTERNAL')), '["clock","INTERNAL",null]');
});

t.test('without that, each item is its own device, identified at its Site by its start and a number', async (t) => {
  const [first, second, other] = [sensor({ serialNumber: null }), sensor({ serialNumber: null }), sensor({ serialNumber: null }, '2002')];
  const devices = deriveDevices([setup(first, second), setup(first, second, other, clock(null))]);
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
});

t.test('a device lists its items, equal ones once, and has the last known value of each member', async (t) => {
  const items = [
    sensor({ manufacturer: 'V', aspiration: 'FAN' }),
    sensor({ aspiration: 'NATURAL' }),
    sensor({}, '2002-01-01T00:00:00Z', 'moved'),
  ] as const;
  const [device, ...others] = deriveDevices([setup(items[0], items[1]), setup(...items)]);
  t.same(others, []);
  t.match(device!.identity, { type: 'H', manufacturer: 'V', serialNumber: '1', aspiration: 'NATURAL' });
  t.same(device!.inUse, [items[0], items[2]]);
  t.equal(device!.inUse[1], items[2], 'the same objects as in the Setups');
});
