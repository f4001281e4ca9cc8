import type { PeriodOfUse } from '../../schemas/index.js';

/** A device in use at a Site. */
export interface Stay {
  /** The number of the Site. */
  siteId: number;
  period: PeriodOfUse;
}

const isBefore = (end: string | null, start: string): boolean => end !== null && end <= start;

/** The stays at other Sites that overlap one. One with an unknown start overlaps nothing: where the device was before is unknown. */
export function conflictsOf<S extends Stay>({ siteId, period: { from, to } }: Stay, stays: readonly S[]): S[] {
  if (from === null) return [];
  return stays.filter(
    ({ siteId: other, period }) => other !== siteId && period.from !== null && !isBefore(period.to, from) && !isBefore(to, period.from),
  );
}

/** Whether any stays conflict. @param stays in the order of their starts */
export function areInConflict(stays: readonly Stay[]): boolean {
  // Of the stays so far, the one that ends last. While none conflict, a stay at another Site ends after it.
  let last: Stay | null = null;
  for (const stay of stays) {
    const { from, to } = stay.period;
    if (from === null) continue;
    if (last === null) last = stay;
    else if (last.siteId !== stay.siteId) {
      if (!isBefore(last.period.to, from)) return true;
      last = stay;
    } else if (last.period.to !== null && (to === null || to > last.period.to)) last = stay;
  }
  return false;
}
