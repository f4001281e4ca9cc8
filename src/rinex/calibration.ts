import type { AntexIndex, Calibration } from '../check/antex.js';
import type { Comparison } from './compare.js';
import type { Field } from './fields.js';
import { finding, type RinexFinding } from './findings.js';

/** Looks up the antenna in a header among calibrations. */

/** How far the antenna in a header is calibrated. */
export interface HeaderCalibration {
  /** The antenna, and what was found; null if the header does not say which antenna it is. */
  calibration: { antenna: string; found: Calibration } | null;
  /** What that means for software; empty if all is well. */
  hints: RinexFinding[];
}

/** An unknown radome. */
const UNKNOWN_RADOME = 'UNKN';

/**
 * How far the antenna in a header is calibrated.
 * @param fields the compared fields of the header
 */
export function calibrationOf(fields: Comparison[], antex: AntexIndex): HeaderCalibration {
  const written = (field: Field): string =>
    fields.find((each) => each.field === field)?.header ?? '';
  const type = written('antennaType').toUpperCase();
  const radome = written('radomeType').toUpperCase();
  if (type === '') return { calibration: null, hints: [finding('no-antenna-type', {})] };
  const isKnown = radome !== '' && radome !== UNKNOWN_RADOME;
  const antenna = isKnown ? `${type} ${radome}` : `${type} without a radome`;
  const found = antex.find({
    type,
    radome: isKnown ? radome : 'NONE',
    serialNumber: written('antennaSerialNumber'),
  });
  // The calibration with NONE is used instead of one with the unknown radome.
  const isInstead = found === 'type' && !isKnown;
  const calibration = { antenna, found: isInstead ? ('without radome' as const) : found };
  if (found === 'none') return { calibration, hints: [finding('not-calibrated', { antenna })] };
  if (found !== 'without radome' && isKnown) return { calibration, hints: [] };
  return { calibration, hints: [finding('calibrated-without-radome', { antenna })] };
}
