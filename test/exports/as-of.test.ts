import t from 'tap';
import { asOfTime } from '../../src/exports/as-of.js';
import { openService } from '../service.js';

t.test('asOf is final from a minute ago on, or if something was recorded later', async (t) => {
  const { store, importText } = await openService(t);
  const now = new Date('2026-03-01T12:00:00.000Z');
  t.equal(await asOfTime(store, '2999-01-01', now), null, 'nothing is on record');
  const before = '2026-03-01T11:50:00.000Z';
  const newest = '2026-03-01T11:59:30.000Z';
  await importText({ id: 'ALFA' }, 'alfa.log', new Date(before));
  await importText({ id: 'BRAV' }, 'brav.log', new Date(newest));
  for (const [text, time] of [
    ['2026-03-01T11:59:00Z', '2026-03-01T11:59:00.000Z'],
    ['2026-03-01T11:59:00.000Z', '2026-03-01T11:59:00.000Z'],
    ['2026-03-01T11:58:59.999Z', '2026-03-01T11:58:59.999Z'],
    ['2026-03-01T11:59:00.001Z', before],
    ['2026-03-01T11:59:29.999Z', before],
    ['2026-03-01T11:59:30Z', newest],
    ['2026-03-01T12:00:00Z', newest],
    ['2999-01-01', newest],
    ['2026:060', '2026-03-01T00:00:00.000Z'],
  ] as const)
    t.equal(await asOfTime(store, text, now), time, text);
  t.equal(await asOfTime(store, undefined, now), null);
});
