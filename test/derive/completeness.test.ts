import t from 'tap';
import type { EquipmentInUse } from '../../schemas/index.js';
import { unknownMembers } from '../../src/derive/completeness.js';

const period = { from: '2020-01-01T00:00:00Z', to: null };
const receiver = (id: object = {}, configuration: object = {}): EquipmentInUse => ({
  content: {
    id: { type: 'R', equipmentType: 'gnss receiver', manufacturer: null, serialNumber: '1', ...id },
    configuration: {
      firmwareVersion: '1.0',
      satelliteSystem: 'GPS',
      elevetionCutoffSetting: '0',
      temperatureStabilization: 'none',
      notes: null,
      ...configuration,
    },
    period,
  },
});
const antenna = (configuration: object): EquipmentInUse => ({
  content: {
    id: { type: 'A', equipmentType: 'gnss antenna', manufacturer: null, serialNumber: '1' },
    configuration: {
      antennaReferencePoint: 'BPA',
      markerArpUpEccentricity: 0,
      markerArpNorthEccentricity: 0,
      markerArpEastEccentricity: 0,
      alignmentFromTrueNorth: '0',
      radomeType: 'NONE',
      radomeSerialNumber: null,
      antennaCableType: 'C',
      antennaCableLength: '1',
      notes: null,
      ...configuration,
    },
    period,
  },
});
const clock = (type: string | null, inputFrequency: string | null): EquipmentInUse => ({
  content: {
    id: { type, equipmentType: 'clock', manufacturer: null, serialNumber: null },
    configuration: { inputFrequency },
    period,
  },
});

t.test(
  'fields that the form does not ask for do not count: notes, and the manufacturer of a receiver',
  async (t) => {
    t.same(unknownMembers(receiver()), []);
  },
);

t.test('0 and "none" are known values, null is unknown', async (t) => {
  t.same(
    unknownMembers(
      receiver(
        { serialNumber: null },
        { elevetionCutoffSetting: null, temperatureStabilization: 'none' },
      ),
    ),
    ['serialNumber', 'elevetionCutoffSetting'],
  );
  t.same(
    unknownMembers(antenna({ markerArpUpEccentricity: 0, markerArpNorthEccentricity: null })),
    ['markerArpNorthEccentricity'],
  );
});

t.test('the radome serial number counts only if there is a radome', async (t) => {
  t.same(unknownMembers(antenna({ radomeType: 'NONE' })), []);
  t.same(unknownMembers(antenna({ radomeType: 'SCIS' })), ['radomeSerialNumber']);
  t.same(unknownMembers(antenna({ radomeType: null })), ['radomeType']);
});

t.test('the input frequency counts only for external clocks', async (t) => {
  for (const type of ['INTERNAL', 'QUARTZ/INTERNAL', 'INTERNAL CLOCK', 'internal'])
    t.same(unknownMembers(clock(type, null)), [], type);
  t.same(unknownMembers(clock('EXTERNAL H-MASER', null)), ['inputFrequency']);
  t.same(unknownMembers(clock(null, null)), ['type']);
});

t.test('the manufacturer of a humidity sensor counts', async (t) => {
  const sensor: EquipmentInUse = {
    content: {
      id: {
        type: null,
        equipmentType: 'humidity sensor',
        manufacturer: null,
        serialNumber: '1',
        aspiration: null,
      },
      configuration: { heightDiffToAntenna: '1', notes: null },
      period,
    },
  };
  t.same(unknownMembers(sensor), ['type', 'manufacturer', 'aspiration']);
});
