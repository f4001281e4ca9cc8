import type { GnssEquipmentType, SiteLogSections, Written } from '../../schemas/index.js';
import type { Place } from '../findings/finding.js';
import {
  isRadome,
  joinAntennaType,
  splitAntennaType,
  splitInAnyColumns,
} from '../site-log/antenna-type.js';
import { onOneLine } from '../words.js';
import { valuesOf } from '../site-log/fields.js';
import { isWithdrawn } from '../site-log/withdrawn.js';
import type { Report } from '../findings/findings.js';
import type { CheckedLog } from './checked-log.js';

/** The checks of the types of receivers and antennas that need no list of names. */

type Block = SiteLogSections['gnssReceivers' | 'gnssAntennas'][number];

/** Whether a receiver or an antenna was not withdrawn, and has values. */
export const isOnRecord = (block: Block): boolean =>
  !isWithdrawn(valuesOf(block)) &&
  Object.values(valuesOf(block)).some((value) => (value?.value ?? null) !== null);

/** A receiver or an antenna whose type is known, with the place of the type. */
type Typed<B extends Block> = B & { type: Written; place: Place };

/** The receivers or antennas of a section that were not withdrawn, and whose type is known. */
export const typed = <B extends Block>(blocks: B[], section: '3' | '4'): Typed<B>[] =>
  blocks.flatMap((block, index) => {
    const { type } = block;
    if (type === null || type.value === null || !isOnRecord(block)) return [];
    return [{ ...block, type, place: { line: type.line, section, item: index + 1 } }];
  });

/**
 * The name and the radome of an antenna type: the radome in its columns or, failing that, behind
 * blanks; null if it has no radome.
 */
export function nameAndRadomeOf(written: string): { name: string; radome: string | null } {
  const inColumns = splitAntennaType(written.trim());
  const isComplete = joinAntennaType(inColumns.model, inColumns.radome) === written.trim();
  if (isComplete && /^\S{4}$/.test(inColumns.radome))
    return { name: inColumns.model, radome: inColumns.radome.toUpperCase() };
  const text = onOneLine(written);
  const anywhere = splitInAnyColumns(text);
  if (anywhere === null || !isRadome(anywhere.radome.toUpperCase()))
    return { name: text, radome: null };
  return { name: anywhere.model, radome: anywhere.radome.toUpperCase() };
}

/** Whether the type of an item says that there was no device. */
export const saysNone = (type: string): boolean => /^no (receiver|antenna)$/i.test(type.trim());

/** The values of a finding about a type that is none of `rcvr_ant.tab`. */
const malformed = (kind: GnssEquipmentType, text: string) => ({
  kind,
  isNone: saysNone(text),
  text,
});

/**
 * Checks the form of the types of receivers and antennas, and that the two places of a radome
 * agree.
 */
export function checkNames(
  { sections: { gnssReceivers, gnssAntennas } }: CheckedLog,
  report: Report,
): void {
  for (const { type, place } of typed(gnssReceivers, '3')) {
    if (!/^[A-Z0-9 _+-]{1,20}$/.test(type.written.trim()))
      report('malformed-type', place, malformed('gnss receiver', type.written));
  }
  for (const { type, antennaRadomeType, place } of typed(gnssAntennas, '4')) {
    const { name, radome } = nameAndRadomeOf(type.written);
    if (name.length > 15 || !/^[A-Z0-9/_.+ -]+$/.test(name)) {
      // Where the name ends, and with it whether a radome follows, is unknown.
      report('malformed-type', place, malformed('gnss antenna', type.written));
      continue;
    }
    const other = antennaRadomeType?.value?.trim().toUpperCase();
    if (radome === null) {
      report('radome-missing', place, { isGiven: isRadome(other ?? ''), text: type.written });
      continue;
    }
    const read = joinAntennaType(name, radome);
    const written = type.written.trim().replace(/\s/g, ' ');
    if (read.toUpperCase() !== written.toUpperCase()) {
      const deviation = 'radome not in columns 17 to 20';
      const ofType = { ...place, label: 'Antenna Type' };
      report('deviating-value', ofType, { deviation, read, text: type.written });
    }
    if (other !== undefined && other !== radome)
      report('radome-contradiction', place, { quoted: [radome], text: antennaRadomeType!.written });
  }
}
