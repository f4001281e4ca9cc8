import type { PeriodOfUse } from '../../schemas/index.js';

/** That a device is in use at a Site for some time. */
export interface SiteStay {
  /** The number of the Site. */
  siteId: number;
  period: PeriodOfUse;
}

const isBefore = (end: string | null, start: string): boolean => end !== null && end <= start;

/**
 * The stays at other Sites that overlap one. One with an unknown start overlaps nothing: where the
 * device was before is unknown.
 */
export function conflictsOf<S extends SiteStay>(
  { siteId, period: { from, to } }: SiteStay,
  stays: readonly S[],
): S[] {
  if (from === null) return [];
  return stays.filter(
    ({ siteId: other, period }) =>
      other !== siteId &&
      period.from !== null &&
      !isBefore(period.to, from) &&
      !isBefore(to, period.from),
  );
}

/** Whether any stays conflict. */
export const areInConflict = (stays: readonly SiteStay[]): boolean =>
  stays.some((stay) => conflictsOf(stay, stays).length > 0);
