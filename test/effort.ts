/** Whether this is `npm run test-all`, which also runs what takes long. */
export const RUNS_ALL = process.env.TEST_ALL === 'true';

/** The options of a test that takes long: with `npm test`, it is skipped with a reason. */
export const takesLong = { skip: !RUNS_ALL && 'takes long: npm run test-all' };

/** How many cases a property test tries: `npm test` tries a tenth of all. */
export const casesOf = (all: number): number => (RUNS_ALL ? all : Math.ceil(all / 10));
