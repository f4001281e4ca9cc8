import type { Instant } from '../../schemas/index.js';
import type { DerivedSetup } from './setups.js';

/**
 * The Setup that is in effect at an instant; undefined before the first one.
 * @param setups in chronological order
 * @param at null for the newest
 */
export const setupAt = <S extends Pick<DerivedSetup, 'effectivePeriod'>>(
  setups: readonly S[],
  at: Instant | null,
): S | undefined => setups.findLast(({ effectivePeriod: { from } }) => at === null || from <= at);
