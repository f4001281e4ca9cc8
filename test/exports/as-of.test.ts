import t from 'tap';
import { asOfTime } from '../../src/exports/parameters.js';

t.test('asOf is a time of the past from a minute ago on, and now after that', async (t) => {
  const now = new Date('2026-03-01T12:00:00.000Z');
  for (const [text, time] of [
    ['2026-03-01T11:59:00Z', '2026-03-01T11:59:00.000Z'],
    ['2026-03-01T11:59:00.000Z', '2026-03-01T11:59:00.000Z'],
    ['2026-03-01T11:58:59.999Z', '2026-03-01T11:58:59.999Z'],
    ['2026-03-01T11:59:00.001Z', null],
    ['2026-03-01T12:00:00Z', null],
    ['2999-01-01', null],
    ['2026:060', '2026-03-01T00:00:00.000Z'],
  ] as const)
    t.equal(asOfTime(text, now), time, text);
  t.equal(asOfTime(undefined, now), null);
});
