import type { InstalledInstrument } from '../../schemas/index.js';
import type { Findings } from '../findings/findings.js';
import { placeOf } from '../site-log/record.js';
import type { LogInstrument, LogItem } from '../site-log/site-log.js';
import { comparableValues, type DerivedDevice, devicesOf, predecessorsAmong } from './devices.js';

/** Derives devices that are in no Setup, and reports serial numbers that may be of one device. */

/**
 * Derives the instruments of one Site. One that does not end after its start was not in use, as in
 * Setups. Only its own block says when an instrument was in use, so an unknown start stays unknown.
 * Pure.
 * @param findings receives a warning for each instrument that ends before it starts
 */
export function deriveInstruments(
  instruments: LogInstrument[],
  findings: Findings,
): DerivedDevice[] {
  const items: InstalledInstrument[] = [];
  for (const item of instruments) {
    const { id, configuration, from, to } = item;
    // The compiler cannot know that `id` and `configuration` of one item belong to the same
    // variant.
    if (from === null || to === null || from < to)
      items.push({ content: { id, configuration, period: { from, to } } } as InstalledInstrument);
    else if (to < from) {
      const values = { kind: id.equipmentType, isInSetups: false, text: `${from}/${to}` };
      findings.add('removed-before-installed', placeOf(item), values);
    }
  }
  return devicesOf(new Set(items), () => predecessorsAmong(items));
}

/**
 * Reports serial numbers of one type that differ only in leading zeros: they are two devices, and
 * probably a slip in the log.
 */
export function reportLeadingZeros(items: (LogItem | LogInstrument)[], findings: Findings): void {
  const lines = new Map<string, { line: number; serialNumber: string }>();
  for (const item of items) {
    const { id, line } = item;
    const { type, serialNumber } = comparableValues(id);
    if (type === null || serialNumber === null) continue;
    const key = JSON.stringify([id.equipmentType, type, serialNumber.replace(/^0+/, '')]);
    const first = lines.get(key);
    if (first === undefined) lines.set(key, { line, serialNumber });
    else if (first.serialNumber !== serialNumber) {
      const values = { otherLine: first.line, text: id.serialNumber ?? '' };
      findings.add('leading-zeros', placeOf(item), values);
    }
  }
}
