import t from 'tap';

/** Whether long tests run: `npm test` leaves them out, `TEST_ALL=rest npm test` runs only them. */
export const RUNS_ALL = process.env.TEST_ALL !== undefined;

const RUNS_REST = process.env.TEST_ALL === 'rest' && process.argv[1]?.endsWith('.long.ts') !== true;
// Of a file that uses this one, only the tests with the options below run then.
if (RUNS_REST) t.runOnly = true;

/** The options of a test that tries more with TEST_ALL. Its subtests all run. */
export const triesMore = RUNS_REST ? { only: true, runOnly: false } : {};

/** The options of a test that takes long: with `npm test`, it is skipped with a reason. */
export const takesLong = { ...triesMore, skip: !RUNS_ALL && 'takes long: TEST_ALL=rest npm test' };

/** The seed of what tests choose at random. Every run chooses the same; TEST_SEED tries others. */
export const SEED = Number(process.env.TEST_SEED ?? 1);
if (!Number.isSafeInteger(SEED)) throw new Error('TEST_SEED must be a whole number');

/** How many cases a property test tries: `npm test` tries a tenth of all. */
export const casesOf = (all: number): number => (RUNS_ALL ? all : Math.ceil(all / 10));
