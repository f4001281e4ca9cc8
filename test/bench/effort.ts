import type { Pressure } from './load.js';

/** How much is measured. */
export interface Effort {
  /** The number of rounds for each median. */
  rounds: number;
  pressure: Pressure;
  /** The number of Sites in the databases with more than 1,000. */
  moreSites: number;
  mostSites: number;
  /** The number of Sites that the searches go through. */
  searchedSites: number;
  /** How many different URLs `memory` requests. */
  urls: number;
  /** How long a server is idle before its memory is read, in milliseconds. */
  rest: number;
}

export const FULL: Effort = {
  rounds: 7,
  pressure: { connections: 32, warmUp: 1, seconds: 3 },
  moreSites: 10_000,
  mostSites: 100_000,
  searchedSites: 20_000,
  urls: 200_000,
  rest: 3000,
};

/** Only to see that everything works. The figures mean nothing. */
export const QUICK: Effort = {
  rounds: 1,
  pressure: { connections: 32, warmUp: 1, seconds: 1 },
  moreSites: 1500,
  mostSites: 2000,
  searchedSites: 1500,
  urls: 3000,
  rest: 200,
};
