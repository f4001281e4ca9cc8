import type { Values } from './fields.js';
import { KINDS, periodEnds } from './values/kinds.js';

/** Decides which blocks of a log were withdrawn, for readers and writers. */

/** When the subject of a block was removed: a day or an instant; empty if unknown. */
function removalOf({ dateRemoved, effectiveDates }: Values): string {
  if (dateRemoved != null) return KINDS.instant.toXml(dateRemoved.written) ?? '';
  return effectiveDates == null ? '' : periodEnds(effectiveDates.written)[1];
}

/** Whether two dates are the same instant. A date alone is its day. */
function areSame(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  return length > 0 && a.slice(0, length) === b.slice(0, length);
}

/**
 * Whether a block was withdrawn: it has a `dateDeleted`. If that is the date of removal and no
 * reason is given, an editor entered the removal twice, and the block is valid.
 */
export function isWithdrawn(block: Values): boolean {
  const { dateDeleted, deletedReason } = block;
  if (dateDeleted == null) return false;
  if ((deletedReason?.value ?? null) !== null) return true;
  const deleted = KINDS.instant.toXml(dateDeleted.written) ?? '';
  return !areSame(deleted, removalOf(block));
}
