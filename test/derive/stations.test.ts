import t from 'tap';
import { areOneStation, type Station } from '../../src/derive/stations.js';

const station = (more: Partial<Station> = {}): Station => ({
  country: 'Australia',
  countryCode: 'AUS',
  place: { latitude: -23.67, longitude: 133.885 },
  domesNumber: '50137M001',
  devices: new Set(['a', 'b', 'c', 'd']),
  ...more,
});

t.test('two Sites are one station by DOMES number, place and most devices together', async (t) => {
  // 0.0008 degrees of latitude are 89 m, 0.001 are 111 m.
  const near = { latitude: -23.6708, longitude: 133.885 };
  const far = { latitude: -23.671, longitude: 133.885 };
  for (const [name, more, isOne] of [
    ['the same', {}, true],
    ['nearby', { place: near }, true],
    ['too far away', { place: far }, false],
    ['without a place', { place: null }, false],
    ['another DOMES number', { domesNumber: '50137M002' }, false],
    ['no DOMES number', { domesNumber: null }, false],
    ['three of four devices', { devices: new Set(['a', 'b', 'c', 'e']) }, true],
    ['half of the devices', { devices: new Set(['a', 'b', 'e', 'f']) }, false],
    ['the only device', { devices: new Set(['a']) }, true],
    ['no device', { devices: new Set<string>() }, false],
  ] as const) {
    const other = station(more);
    t.equal(areOneStation(station(), other), isOne, name);
    t.equal(areOneStation(other, station()), isOne, `${name}, the other way`);
  }
  const unknown = station({ domesNumber: null });
  t.notOk(areOneStation(unknown, unknown), 'DOMES numbers unknown');
});
