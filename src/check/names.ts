import type { SiteLogSections, Written } from '../../schemas/index.js';
import type { Place } from '../findings/finding.js';
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

/** The name and the radome of an antenna type, which has 20 columns; null if it has no radome. */
export function splitAntennaType(written: string): { name: string; radome: string | null } {
  const text = written.replace(/\s+/g, ' ').trim();
  const [, inColumns, radome] =
    /^(.{16})(\S{4})$/.exec(written.trim()) ?? /^(\S.*?)\s+([A-Z0-9]{4})$/i.exec(text) ?? [];
  return inColumns === undefined
    ? { name: text, radome: null }
    : { name: inColumns.trim(), radome: radome!.toUpperCase() };
}

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
      report('malformed-type', place, { kind: 'gnss receiver', text: type.written });
  }
  for (const { type, antennaRadomeType, place } of typed(gnssAntennas, '4')) {
    const { name, radome } = splitAntennaType(type.written);
    if (name.length > 15 || !/^[A-Z0-9/_.+ -]+$/.test(name))
      report('malformed-type', place, { kind: 'gnss antenna', text: type.written });
    const other = antennaRadomeType?.value?.trim().toUpperCase();
    if (radome === null) report('radome-missing', place, { text: type.written });
    else if (other !== undefined && other !== radome)
      report('radome-contradiction', place, { quoted: [radome], text: antennaRadomeType!.written });
  }
}
