import type { Report } from '../findings/findings.js';
import type { CheckedLog } from './checked-log.js';
import { joinAntennaType, splitAntennaType } from '../site-log/antenna-type.js';
import { nameAndRadomeOf, typed } from './names.js';

/** The checks of antennas against the calibrations of an ANTEX file. */

/** The most calibrations that an index keeps; the largest file of the IGS has some thousands. */
const MOST = 100_000;

/** The labels of the type and serial number of a receiver antenna, in ANTEX 1 and 2. */
const RECEIVER_1 = 'TYPE / SERIAL NO';
const RECEIVER_2 = 'TYPE / SN';
/** That of a satellite antenna in ANTEX 2. ANTEX 1 has the same as for receivers. */
const SATELLITE_2 = 'TYPE / SVN / SAT ID';
/** Versions that begin so are known; the others may mean something else. */
const KNOWN_VERSION = /^[12]\./;

/** Which calibration an ANTEX file has for an antenna. */
export type Calibration =
  /** One of this individual antenna. */
  | 'individual'
  /** One of antennas of this type with this radome. */
  | 'type'
  /** Only one of the type with radome NONE, which software uses instead. */
  | 'without radome'
  | 'none';

/** An antenna whose calibration is looked up. */
interface Antenna {
  /** Without the radome. */
  type: string;
  radome: string;
  /** Empty if it is unknown. */
  serialNumber: string;
}

/**
 * Indexes the receiver antennas of an ANTEX file, from its lines. Of each calibration only the line
 * with type and serial number is kept.
 */
export class AntexIndex {
  /** Keys of calibrations, from {@link calibrationKey}. A type mean has no serial number. */
  private readonly calibrations = new Set<string>();
  private isInAntenna = false;
  /** Whether the file has antennas of satellites. */
  hasSatellites = false;

  /**
   * Reads the next line.
   * @throws {Error} if the version is unknown, or the file has more calibrations than any ANTEX
   *   file
   */
  add(line: string): void {
    const label = line.slice(60, 80).trimEnd();
    if (label === 'START OF ANTENNA') this.isInAntenna = true;
    if (label === 'END OF ANTENNA') this.isInAntenna = false;
    if (label === 'ANTEX VERSION / SYST') checkVersion(line.slice(0, 8).trim());
    const isType = this.isInAntenna && label === RECEIVER_1;
    if (label === SATELLITE_2 || (isType && isOfSatellite(line))) {
      this.hasSatellites = true;
      return;
    }
    if (!isType && label !== RECEIVER_2) return;
    if (this.size >= MOST) throw new Error(`has more than ${MOST} calibrations`);
    const { model, radome } = splitAntennaType(line.slice(0, 20));
    const serialNumber = line.slice(20, 40);
    this.calibrations.add(calibrationKey({ type: model, radome, serialNumber }));
  }

  get size(): number {
    return this.calibrations.size;
  }

  /** Which calibration an antenna has. */
  find(antenna: Antenna): Calibration {
    const isIndividual = antenna.serialNumber !== '' && this.has(antenna);
    if (isIndividual) return 'individual';
    if (this.has({ ...antenna, serialNumber: '' })) return 'type';
    if (this.has({ ...antenna, serialNumber: '', radome: 'NONE' })) return 'without radome';
    return 'none';
  }

  private has(antenna: Antenna): boolean {
    return this.calibrations.has(calibrationKey(antenna));
  }
}

/** @throws {Error} if the version of an ANTEX file is unknown */
function checkVersion(version: string): void {
  if (KNOWN_VERSION.test(version)) return;
  const what =
    version === '' ? 'names no ANTEX version' : `is ANTEX version ${version}, which is not known`;
  throw new Error(`${what}; expected 1.4 or 2.0`);
}

/**
 * Whether a calibration is that of a satellite: it has its number and its COSPAR id, or at least
 * its code in the place of a serial number, and no radome.
 */
function isOfSatellite(line: string): boolean {
  const hasNumber = line.slice(40, 60).trim() !== '';
  const hasCode = /^[A-Z]\d\d$/.test(line.slice(20, 40).trim());
  return hasNumber || (hasCode && line.slice(16, 20).trim() === '');
}

const calibrationKey = ({ type, radome, serialNumber }: Antenna): string =>
  `${joinAntennaType(type.trim(), radome.trim())} ${serialNumber.trim()}`;

/** The codes of findings about antennas that have no calibration of their type. */
const CODES = {
  individual: 'individual-calibration',
  type: null,
  'without radome': 'calibration-without-radome',
  none: 'no-calibration',
} as const satisfies Record<Calibration, string | null>;

/** Checks that each antenna of a log has a calibration. */
export function checkCalibrations(
  { sections: { gnssAntennas } }: CheckedLog,
  index: AntexIndex,
  report: Report,
): void {
  for (const { type, serialNumber, antennaRadomeType, place } of typed(gnssAntennas, '4')) {
    const { name, radome: inType } = nameAndRadomeOf(type.written);
    const radome = inType ?? antennaRadomeType?.value?.toUpperCase() ?? 'NONE';
    const calibration = index.find({
      type: name,
      radome,
      serialNumber: serialNumber?.written.trim() ?? '',
    });
    const code = CODES[calibration];
    if (code !== null) report(code, place, { text: type.written });
  }
}
