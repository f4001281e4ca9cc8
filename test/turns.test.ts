import t from 'tap';
import { nextTurn, ownTurn } from '../src/turns.js';
import { workFor } from './turns.js';

/** Counts the turns of the event loop. */
function countTurns(): { turns: number; stop: () => void } {
  const counter = { turns: 0, stop: () => clearImmediate(next) };
  const count = (): void => {
    counter.turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  return counter;
}

t.test('quick pieces of long work share a turn of the event loop', async (t) => {
  const counter = countTurns();
  t.teardown(counter.stop);
  for (let piece = 0; piece < 1000; piece++) await ownTurn();
  t.ok(counter.turns < 500, `${counter.turns} turns`);
});

t.test('after a long piece, other requests run', async (t) => {
  const counter = countTurns();
  t.teardown(counter.stop);
  for (let piece = 0; piece < 5; piece++) {
    const before = counter.turns;
    workFor(10);
    await ownTurn();
    t.ok(counter.turns > before);
  }
});

t.test('two callers never have the same turn', async (t) => {
  const counter = countTurns();
  t.teardown(counter.stop);
  const seen: number[] = [];
  const work = async (): Promise<void> => {
    for (let piece = 0; piece < 3; piece++) {
      await nextTurn();
      seen.push(counter.turns);
    }
  };
  await Promise.all([work(), work(), work()]);
  t.equal(new Set(seen).size, 9);
});

t.test('a caller learns whether its work is still wanted', async (t) => {
  t.equal(await ownTurn(), true);
  t.equal(await ownTurn(() => false), false);
});
