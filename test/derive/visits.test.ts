import t from 'tap';
import { isOneVisit } from '../../src/derive/visits.js';

const hour = (n: number): string =>
  new Date(Date.UTC(2000, 0, 1, n)).toISOString().slice(0, 19) + 'Z';

t.test('an end and a start up to a day later are one visit', async (t) => {
  t.ok(isOneVisit(hour(0), hour(0)));
  t.ok(isOneVisit(hour(0), hour(24)));
  t.notOk(isOneVisit(hour(0), hour(24).replace(':00Z', ':01Z')));
  t.notOk(isOneVisit(hour(1), hour(0)));
  t.notOk(isOneVisit(null, hour(0)));
});

t.test('so are those in different months or years', async (t) => {
  for (const midnight of [24 * 31, 24 * 60, 24 * 366]) {
    t.ok(isOneVisit(hour(midnight - 1), hour(midnight + 23)));
    t.notOk(isOneVisit(hour(midnight - 1), hour(midnight + 24)));
    t.notOk(isOneVisit(hour(midnight - 24), hour(midnight + 1)));
  }
  t.notOk(isOneVisit(hour(0), hour(24 * 31)));
});
