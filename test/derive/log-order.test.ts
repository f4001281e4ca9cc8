import t from 'tap';
import { lastCredibleDay } from '../../src/derive/log-order.js';

t.test('a log may be prepared a day from now, because it is a day later elsewhere', async (t) => {
  t.equal(lastCredibleDay(new Date('2020-01-01T00:00:00Z')), '2020-01-02');
  t.equal(lastCredibleDay(new Date('2020-01-01T23:59:59Z')), '2020-01-02');
});
