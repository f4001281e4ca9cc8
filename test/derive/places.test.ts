import t from 'tap';
import { boxAround, kilometresBetween, plainBoxes } from '../../src/derive/places.js';

const box = (west: number, east: number) => ({ west, south: -1, east, north: 1 });

t.test('a box is divided at the date line, which has two longitudes', async (t) => {
  t.same(plainBoxes(box(10, 20)), [box(10, 20)]);
  t.same(plainBoxes(box(10, 10)), [box(10, 10)], 'a meridian');
  t.same(plainBoxes(box(170, -170)), [box(170, 180), box(-180, -170)]);
  t.same(plainBoxes(box(170, 180)), [box(170, 180), box(-180, -180)]);
  t.same(plainBoxes(box(-180, -170)), [box(-180, -170), box(180, 180)]);
  t.same(plainBoxes(box(-180, 180)), [box(-180, 180)]);
});

t.test(
  'a box around a point has all points at the distance, near the poles all longitudes',
  async (t) => {
    for (const latitude of [-89, -45, 0, 45, 80]) {
      const centre = { latitude, longitude: 179.5 };
      const { west, south, east, north } = boxAround(centre, 100);
      const toNorth = kilometresBetween(centre, { latitude: north, longitude: 179.5 });
      t.ok(toNorth >= 100 && toNorth < 100.1, `${toNorth} km to the north`);
      const toSouth = kilometresBetween(centre, { latitude: south, longitude: 179.5 });
      t.ok(toSouth >= 100 && toSouth < 100.1, `${toSouth} km to the south`);
      t.ok(west > 0 && east < 0, 'across the date line');
      for (const longitude of [west, east])
        t.ok(kilometresBetween(centre, { latitude, longitude }) >= 100, `${longitude}`);
    }
    for (const latitude of [89.5, -89.5])
      t.match(boxAround({ latitude, longitude: 10 }, 100), {
        west: -180,
        east: 180,
        ...(latitude > 0 ? { north: 90 } : { south: -90 }),
      });
  },
);
