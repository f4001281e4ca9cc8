import type { Comparison } from './compare.js';
import { ECCENTRICITY_FIELDS, type Field } from './fields.js';

/** Decides what a compared field means: the exit code, the tables and corrections ask here. */

/** Fields without which software uses no calibration, or a height of 0. */
const NEEDED: readonly Field[] = [
  'receiverType',
  'antennaType',
  'radomeType',
  ...ECCENTRICITY_FIELDS,
];

type Compared = Pick<Comparison, 'field' | 'status'>;

/**
 * Whether a field is wrong: it differs, cannot be read, or is empty although software needs it and
 * the log knows it. The agency means nothing to software.
 */
export function isWrong({ field, status }: Compared): boolean {
  if (field === 'agency') return false;
  if (status === 'empty in header') return NEEDED.includes(field);
  return status === 'differs' || status === 'cannot be read';
}

/** Whether a field should have the known value: it is wrong, or empty. */
export const isCorrectable = (compared: Compared): boolean =>
  isWrong(compared) || compared.status === 'empty in header';
