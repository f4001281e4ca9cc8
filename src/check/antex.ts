import type { CheckedLog, Report } from './checks.js';
import { splitAntennaType, typed } from './names.js';

/** The checks of antennas against the calibrations of an ANTEX file. */

/** The most calibrations that an index keeps; the largest file of the IGS has some thousands. */
const MOST = 100_000;

/**
 * Which antennas an ANTEX file has, from its lines. Of each calibration only the line with type and
 * serial number is kept.
 */
export class AntexIndex {
  /** Keys of calibrations, from {@link calibrationKey}. A type mean has no serial number. */
  private readonly calibrations = new Set<string>();

  /** Reads the next line. */
  add(line: string): void {
    if (line.slice(60, 80).trimEnd() !== 'TYPE / SERIAL NO' || this.size >= MOST) return;
    this.calibrations.add(
      calibrationKey(line.slice(0, 16), line.slice(16, 20), line.slice(20, 40)),
    );
  }

  get size(): number {
    return this.calibrations.size;
  }

  has(name: string, radome: string, serialNumber = ''): boolean {
    return this.calibrations.has(calibrationKey(name, radome, serialNumber));
  }
}

const calibrationKey = (name: string, radome: string, serialNumber: string): string =>
  `${name.trim().padEnd(16)}${radome} ${serialNumber.trim()}`;

/** Checks that each antenna of a log has a calibration. */
export function checkCalibrations(
  { sections: { gnssAntennas } }: CheckedLog,
  index: AntexIndex,
  report: Report,
): void {
  for (const { type, serialNumber, antennaRadomeType } of typed(gnssAntennas)) {
    const { name, radome: inType } = splitAntennaType(type.written);
    const radome = inType ?? antennaRadomeType?.value?.toUpperCase() ?? 'NONE';
    const own = serialNumber?.written.trim() ?? '';
    if (own !== '' && index.has(name, radome, own)) {
      report(
        'individual-calibration',
        type.line,
        'the ANTEX file has a calibration of this individual antenna',
        type.written,
      );
    } else if (index.has(name, radome)) {
      continue;
    } else if (index.has(name, 'NONE')) {
      report(
        'calibration-without-radome',
        type.line,
        'the ANTEX file has a calibration only without the radome',
        type.written,
      );
    } else {
      report(
        'no-calibration',
        type.line,
        'the ANTEX file has no calibration of this antenna',
        type.written,
      );
    }
  }
}
