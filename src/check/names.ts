import type { SiteLogSections, Written } from '../../schemas/index.js';
import { joinAntennaType, splitAntennaType, splitInAnyColumns } from '../site-log/antenna-type.js';
import { valuesOf } from '../site-log/fields.js';
import { isWithdrawn } from '../site-log/withdrawn.js';
import { onOneLine } from '../words.js';
import type { CheckedLog, Report } from './checks.js';

/** The checks of the types of receivers and antennas that need no list of names. */

type Block = SiteLogSections['gnssReceivers' | 'gnssAntennas'][number];

/** Whether a receiver or an antenna was not withdrawn, and has values. */
export const isOnRecord = (block: Block): boolean =>
  !isWithdrawn(valuesOf(block)) &&
  Object.values(valuesOf(block)).some((value) => (value?.value ?? null) !== null);

/** The receivers or antennas that were not withdrawn, and whose type is known. */
export const typed = <B extends Block>(blocks: B[]): (B & { type: Written })[] =>
  blocks.filter(
    (block): block is B & { type: Written } =>
      isOnRecord(block) && (block.type?.value ?? null) !== null,
  );

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
  if (anywhere === null || !/^[A-Z0-9]{4}$/i.test(anywhere.radome))
    return { name: text, radome: null };
  return { name: anywhere.model, radome: anywhere.radome.toUpperCase() };
}

/**
 * Checks the form of the types of receivers and antennas, and that the two places of a radome
 * agree.
 */
export function checkNames(
  { sections: { gnssReceivers, gnssAntennas } }: CheckedLog,
  report: Report,
): void {
  for (const { type } of typed(gnssReceivers)) {
    if (!/^[A-Z0-9 _+-]{1,20}$/.test(type.written.trim()))
      report(
        'malformed-type',
        type.line,
        'the receiver type is not at most 20 capital letters, digits, blanks and - _ +',
        type.written,
      );
  }
  for (const { type, antennaRadomeType } of typed(gnssAntennas)) {
    const { name, radome } = nameAndRadomeOf(type.written);
    if (name.length > 15 || !/^[A-Z0-9/_.+ -]+$/.test(name))
      report(
        'malformed-type',
        type.line,
        'the antenna type is not at most 15 capital letters, digits and / - _ . +',
        type.written,
      );
    const other = antennaRadomeType?.value?.trim().toUpperCase();
    if (radome === null)
      report(
        'radome-missing',
        type.line,
        'the antenna type has no radome in columns 17 to 20',
        type.written,
      );
    else if (other !== undefined && other !== radome) {
      const message = `columns 17 to 20 of the antenna type are ${radome}, but the radome type is another`;
      report('radome-contradiction', type.line, message, antennaRadomeType!.written);
    }
  }
}
