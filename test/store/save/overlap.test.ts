import t from 'tap';
import { overlap } from '../../../src/store/save/devices.js';
import type { Stay as DeviceStay } from '../../../src/store/save/unit-of-work.js';

type Stay = Pick<DeviceStay, 'site' | 'from' | 'to'>;

const DAYS = ['1', '2', '3', '4'];
/** Every stay at two Sites between these days. */
const STAYS: Stay[] = [1, 2].flatMap((site) =>
  DAYS.flatMap((from, index) => [...DAYS.slice(index + 1), null].map((to) => ({ site, from, to }))),
);

const meet = (one: Stay, other: Stay): boolean =>
  one.site !== other.site && (one.to === null || other.from < one.to) && (other.to === null || one.from < other.to);

t.test('stays overlap if two of them, at different Sites, have an instant in common', async (t) => {
  for (const first of STAYS) {
    for (const second of STAYS) {
      const wrong = STAYS.filter((third) => {
        const stays = [first, second, third].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
        return overlap(stays) !== (meet(first, second) || meet(first, third) || meet(second, third));
      });
      t.same(wrong, [], JSON.stringify([first, second]));
    }
  }
  t.notOk(overlap([]));
});
