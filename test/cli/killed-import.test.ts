import t from 'tap';
import { killImports } from '../campaigns/killed-imports.js';
import { killAll } from '../campaigns/processes.js';
import { Tally } from '../campaigns/tally.js';

const KILLS = 10;

t.test(`an import killed at ${KILLS} random points never leaves a site half-written or the file unreadable`, async (t) => {
  t.teardown(killAll);
  const tally = new Tally(true);
  const seed = Math.floor(Math.random() * 1e9);
  const repeat = (part: string, number: number): string => `npm run faults -- --seed ${seed} --only ${part}:${number}`;
  await killImports({ tally, seed, repeat, only: null, folder: t.testdir() }, KILLS);
  t.ok(tally.passed, tally.table());
});
