import type { AntexIndex, Calibration } from '../antex.js';
import type { Comparison, Field } from './compare.js';

/** Looks up the antenna in a header among calibrations. */

/** How far the antenna in a header is calibrated. */
export interface HeaderCalibration {
  /** The antenna, and what was found; null if the header does not say which antenna it is. */
  calibration: { antenna: string; found: Calibration } | null;
  /** What that means for software, in sentences; empty if all is well. */
  hints: string[];
}

/** An unknown radome. */
const UNKNOWN_RADOME = 'UNKN';

/** How far the antenna in a header is calibrated. @param fields the compared fields of the header */
export function calibrationOf(fields: Comparison[], antex: AntexIndex): HeaderCalibration {
  const written = (field: Field): string =>
    fields.find((each) => each.field === field)?.header ?? '';
  const type = written('antennaType').toUpperCase();
  const radome = written('radomeType').toUpperCase();
  if (type === '')
    return {
      calibration: null,
      hints: ['The header has no antenna type: no calibration can be found for it.'],
    };
  const isKnown = radome !== '' && radome !== UNKNOWN_RADOME;
  const antenna = isKnown ? `${type} ${radome}` : `${type} without a radome`;
  const found = antex.find({
    type,
    radome: isKnown ? radome : 'NONE',
    serialNumber: written('antennaSerialNumber'),
  });
  const calibration = { antenna, found };
  if (found === 'none')
    return { calibration, hints: [`The ANTEX file has no calibration of ${antenna}.`] };
  if (found !== 'without radome' && isKnown) return { calibration, hints: [] };
  return {
    calibration,
    hints: [`The ANTEX file has no calibration of ${antenna}: the one with NONE is used instead.`],
  };
}
