import type { Instant, PeriodOfUse } from '../../schemas/index.js';

const endsBy = (end: Instant | null, start: Instant): boolean => end !== null && end <= start;

/**
 * Whether two periods overlap. One with an unknown start overlaps nothing: where the device was
 * before is unknown.
 */
export const areAtOnce = (a: PeriodOfUse, b: PeriodOfUse): boolean =>
  a.from !== null && b.from !== null && !endsBy(a.to, b.from) && !endsBy(b.to, a.from);

/** Whether something is in use at an instant, as far as its period is known. */
export const isInUseAt = ({ from, to }: PeriodOfUse, at: Instant): boolean =>
  (from === null || from <= at) && (to === null || to > at);
