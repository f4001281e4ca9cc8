import t from 'tap';
import { Revisions } from '../../../src/store/postgres/revisions.js';

const STARTED = 1_800_000_000_000;
/** The revision of a commit so many milliseconds after the start. */
const at = (milliseconds: number): number => (STARTED + milliseconds) * 1000;

t.test('a server lags from when the first revision that it lacks was seen', async (t) => {
  const revisions = new Revisions(STARTED);
  const lagOf = (revision: number, time: number): number =>
    revisions.lagOf(revision, STARTED + time);
  t.equal(lagOf(0, 50), 0, 'nothing is known that it lacks');
  for (const time of [100, 200, 300]) revisions.add(at(time), STARTED + time);
  t.equal(lagOf(at(300), 1000), 0);
  t.equal(lagOf(at(300) + 1, 1000), 0);
  t.equal(lagOf(at(300) - 1, 1000), 700);
  t.equal(lagOf(at(200), 1000), 700);
  t.equal(lagOf(at(199), 1000), 800);
  t.equal(lagOf(0, 1000), 900);
  revisions.add(at(200), STARTED + 900);
  t.equal(lagOf(at(200), 1000), 700, 'an older one is no news');
  revisions.forget(at(200));
  t.equal(lagOf(at(200), 1000), 0, 'nobody can show what is lost');
  revisions.add(at(250), STARTED + 1000);
  t.equal(lagOf(at(200), 1100), 100);
});

t.test('of a revision from before the process, its own time counts', async (t) => {
  const revisions = new Revisions(STARTED);
  revisions.add(at(-5000), STARTED + 10);
  t.equal(revisions.lagOf(at(-6000), STARTED + 10), 5010);
  t.equal(revisions.lagOf(at(-5000), STARTED + 10), 0);
  const ahead = new Revisions(STARTED);
  ahead.add(at(60_000), STARTED + 10);
  t.equal(ahead.lagOf(0, STARTED + 15), 5, 'the clock of the server is ahead');
});

t.test('of more revisions than are remembered, the lag is never too short', async (t) => {
  const revisions = new Revisions(STARTED);
  const last = 10_000;
  for (let time = 1; time <= last; time++) revisions.add(at(time), STARTED + time);
  t.equal(revisions.lagOf(at(last), STARTED + last), 0);
  for (const time of [1, 10, 5000, 9000, 9500, 9900, 9999]) {
    const [lag, exact] = [revisions.lagOf(at(time), STARTED + last + 1), last - time];
    t.ok(lag >= exact && lag <= exact + 1, `${lag} for ${exact}`);
  }
});
