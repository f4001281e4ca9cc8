import type { PeriodOfUse } from '../../schemas/index.js';
import { areAtOnce } from './periods.js';

/** That a device is in use at a Site for some time. */
export interface SiteStay {
  /** The number of the Site. */
  siteId: number;
  period: PeriodOfUse;
}

/** The stays at other Sites that overlap one. */
export const conflictsOf = <S extends SiteStay>(stay: SiteStay, stays: readonly S[]): S[] =>
  stays.filter((other) => other.siteId !== stay.siteId && areAtOnce(other.period, stay.period));

/** Whether any stays conflict. */
export const areInConflict = (stays: readonly SiteStay[]): boolean =>
  stays.some((stay) => conflictsOf(stay, stays).length > 0);
