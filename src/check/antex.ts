import type { CheckedLog, Report } from './checked-log.js';
import { splitAntennaType } from './names.js';

/** The checks of antennas against the calibrations of an ANTEX file. */

/** The most calibrations that an index keeps; the largest file of the IGS has some thousands. */
const MOST = 100_000;

/** Which antennas an ANTEX file has, from its lines. Of each calibration only the line with type and serial number is kept. */
export class AntexIndex {
  private readonly means = new Set<string>();
  private readonly individuals = new Set<string>();

  /** Reads the next line. */
  add(line: string): void {
    if (line.slice(60, 80).trimEnd() !== 'TYPE / SERIAL NO' || this.size >= MOST) return;
    const [type, serialNumber] = [keyOf(line.slice(0, 16), line.slice(16, 20)), line.slice(20, 40).trim()];
    if (serialNumber === '') this.means.add(type);
    else this.individuals.add(`${type} ${serialNumber}`);
  }

  get size(): number {
    return this.means.size + this.individuals.size;
  }

  /** How an antenna is calibrated. */
  find(name: string, radome: string, serialNumber: string): 'individual' | 'exact' | 'radomeNoneOnly' | 'missing' {
    if (this.individuals.has(`${keyOf(name, radome)} ${serialNumber}`)) return 'individual';
    if (this.means.has(keyOf(name, radome))) return 'exact';
    return this.means.has(keyOf(name, 'NONE')) ? 'radomeNoneOnly' : 'missing';
  }
}

const keyOf = (name: string, radome: string): string => `${name.trim().padEnd(16)}${radome}`;

/** Checks that each antenna of a log has a calibration. */
export function checkCalibrations({ sections: { gnssAntennas } }: CheckedLog, index: AntexIndex, report: Report): void {
  for (const { type, serialNumber, antennaRadomeType, dateDeleted } of gnssAntennas) {
    if (dateDeleted !== null || typeof type?.value !== 'string') continue;
    const { name, radome } = splitAntennaType(type.written);
    const found = index.find(name, radome ?? antennaRadomeType?.value?.toUpperCase() ?? 'NONE', serialNumber?.written.trim() ?? '');
    if (found === 'missing') report('no-calibration', type.line, 'the ANTEX file has no calibration of this antenna', type.written);
    if (found === 'radomeNoneOnly') {
      report('calibration-without-radome', type.line, 'the ANTEX file has a calibration only without the radome', type.written);
    }
    if (found === 'individual')
      report('individual-calibration', type.line, 'the ANTEX file has a calibration of this very antenna', type.written);
  }
}
