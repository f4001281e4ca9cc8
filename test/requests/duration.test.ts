import t from 'tap';
import { parseDuration } from '../../src/requests/duration.js';

t.test('durations in weeks, or in days, hours, minutes and seconds', async (t) => {
  const days = { P1D: 86_400, P2W: 1_209_600, P1DT6H: 108_000, P999999D: 86_399_913_600 };
  for (const [text, seconds] of Object.entries({ ...days, PT0S: 0, PT1H30M15S: 5415, PT90M: 5400 }))
    t.equal(parseDuration(text), seconds, text);
});

t.test('anything else is no duration', async (t) => {
  // prettier-ignore
  const cases = [
    '', 'P', 'PT', 'P1DT', '1D', 'P1Y', 'P1M', 'P1W2D', 'p1d', 'P1,5D', 'P-1D', 'P1D ', 'PT1D', 'P1H', 'PT1M1H',
    'P1234567D',
  ];
  for (const text of cases) t.equal(parseDuration(text), null, JSON.stringify(text));
});
