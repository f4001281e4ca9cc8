import t from 'tap';
import { cartesianOf, geodeticOf } from '../../src/formats/written-position.js';

const NOTHING = {
  city: null,
  state: null,
  country: null,
  countryCode: null,
  tectonicPlate: null,
  latitude: null,
  longitude: null,
  height: null,
  x: null,
  y: null,
  z: null,
};

t.test('X, Y and Z are computed only if latitude, longitude and height are known', async (t) => {
  const equator = { ...NOTHING, latitude: 0, longitude: 0 };
  t.same(cartesianOf(equator), [null, null, null]);
  for (const member of ['latitude', 'longitude'] as const)
    t.same(cartesianOf({ ...equator, height: 0, [member]: null }), [null, null, null], member);
  const [x, y, z] = cartesianOf({ ...equator, height: 100 }) as number[];
  t.same([Math.round(x!), Math.round(y!), Math.round(z!)], [6_378_237, 0, 0]);
  t.same(cartesianOf({ ...equator, height: 0, x: 1, y: 2, z: 3 }), [1, 2, 3], 'as in the log');
});

t.test(
  'latitude, longitude and height are computed only if all of X, Y and Z are known',
  async (t) => {
    const log = { ...NOTHING, latitude: 1, longitude: 2 };
    t.equal(geodeticOf(log), null);
    t.same(geodeticOf({ ...log, height: 3 }), { latitude: 1, longitude: 2, height: 3 });
    for (const member of ['x', 'y', 'z'] as const)
      t.equal(geodeticOf({ ...log, x: 6_378_137, y: 0, z: 0, [member]: null }), null, member);
    const computed = geodeticOf({ ...log, x: 6_378_237, y: 0, z: 0 })!;
    t.same([computed.latitude, computed.longitude, Math.round(computed.height)], [0, 0, 100]);
  },
);
