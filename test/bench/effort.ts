import type { Pressure } from './load.js';

/** How much is measured. */
export interface Effort {
  /** Medians are of as many. */
  rounds: number;
  pressure: Pressure;
  /** Sites of the databases that are larger than 1,000. */
  moreSites: number;
  mostSites: number;
  /** Different URLs that `memory` asks for. */
  urls: number;
  /** How long a server is left alone before its memory is read, in milliseconds. */
  rest: number;
}

export const FULL: Effort = {
  rounds: 7,
  pressure: { connections: 32, warmUp: 1, seconds: 3 },
  moreSites: 10_000,
  mostSites: 100_000,
  urls: 200_000,
  rest: 3000,
};

/** To see that everything works: the numbers say nothing. */
export const QUICK: Effort = {
  rounds: 1,
  pressure: { connections: 32, warmUp: 1, seconds: 1 },
  moreSites: 1500,
  mostSites: 2000,
  urls: 3000,
  rest: 200,
};
