import type { Given } from './campaign.js';

/** How long to go on: until a number of cases, or a number of seconds. */
export interface Budget {
  cases: number;
  seconds: number;
}

/**
 * Runs numbered cases, several at once, until the budget is used up; or the only one that was asked for.
 * @param one runs a case; `worker` tells concurrent ones apart
 */
export async function runCases(
  { only }: Pick<Given<string>, 'only'>,
  { cases, seconds }: Budget,
  workers: number,
  one: (number: number, worker: number) => Promise<void>,
): Promise<void> {
  if (only !== null) return one(only.number, 0);
  const end = performance.now() + seconds * 1000;
  let next = 0;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (next < cases && performance.now() < end) await one(next++, worker);
    }),
  );
}
