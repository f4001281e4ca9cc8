import type { SiteLogSections } from '../../schemas/index.js';
import type { CheckedLog, Report } from './checked-log.js';

/** The checks of the types of receivers and antennas that need no list of names. */

type Antenna = SiteLogSections['gnssAntennas'][number];

/** The name and the radome of an antenna type, which has 20 columns; null if it has no radome. */
export function splitAntennaType(written: string): { name: string; radome: string | null } {
  const text = written.replace(/\s+/g, ' ').trim();
  const [, inColumns, radome] = /^(.{16})(\S{4})$/.exec(written.trim()) ?? /^(\S.*?)\s+([A-Z0-9]{4})$/i.exec(text) ?? [];
  return inColumns === undefined ? { name: text, radome: null } : { name: inColumns.trim(), radome: radome!.toUpperCase() };
}

function checkAntenna({ type, antennaRadomeType }: Antenna, report: Report): void {
  if (type === null || type.value === null) return;
  const { name, radome } = splitAntennaType(type.written);
  const field = typeof antennaRadomeType?.value === 'string' ? antennaRadomeType.value.trim().toUpperCase() : null;
  if (name.length > 15 || !/^[A-Z0-9/_.+ -]+$/.test(name)) {
    report('malformed-type', type.line, 'the antenna type is not at most 15 capital letters, digits and / - _ . +', type.written);
  }
  if (radome === null) report('radome-missing', type.line, 'the antenna type has no radome in columns 17 to 20', type.written);
  else if (field !== null && field !== radome) {
    const message = `columns 17 to 20 of the antenna type are ${radome}, but the radome type is another`;
    report('radome-contradiction', type.line, message, antennaRadomeType!.written);
  }
}

/** Checks the form of the types of receivers and antennas, and that the two places of a radome agree. */
export function checkNames({ sections: { gnssReceivers, gnssAntennas } }: CheckedLog, report: Report): void {
  for (const { type, dateDeleted } of gnssReceivers) {
    if (dateDeleted !== null || type === null || type.value === null) continue;
    if (/^[A-Z0-9 _+-]{1,20}$/.test(type.written.trim())) continue;
    report('malformed-type', type.line, 'the receiver type is not at most 20 capital letters, digits, blanks and - _ +', type.written);
  }
  for (const antenna of gnssAntennas) if (antenna.dateDeleted === null) checkAntenna(antenna, report);
}
