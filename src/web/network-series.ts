import type { EquipmentType } from '../../schemas/index.js';
import { compareTexts, onOneLine } from '../words.js';

/** How many devices of one type, and with one firmware, were in use over the same years. */
export interface Use {
  equipmentType: EquipmentType;
  /** null if the type is unknown. */
  type: string | null;
  /** null if it is unknown, or if devices are counted by type. */
  firmwareVersion: string | null;
  /**
   * The first year at whose beginning they were in use; it may be later than the last one, if they
   * never were.
   */
  first: number;
  /** The last year at whose beginning they were in use; null if they still are. */
  last: number | null;
  devices: number;
}

/** How many devices of a type, or with a firmware, were in use at the beginning of each year. */
export interface Series {
  type: string | null;
  firmwareVersion: string | null;
  /** One number for each year. */
  counts: number[];
  /** How many are in use now. */
  now: number;
  peak: number;
}

/**
 * The years from the first use of equipment to a last one; an absurd date in a log does not add
 * thousands.
 */
export function yearsOf(uses: readonly Use[], last: number): number[] {
  const EARLIEST = 1980;
  const first = uses.reduce((least, { first: year }) => Math.min(least, year), last);
  const from = Math.max(first, EARLIEST);
  return Array.from({ length: Math.max(last - from + 1, 1) }, (_, index) => from + index);
}

/** The series of one kind of equipment, the most frequent first. */
export function seriesOf(
  uses: readonly Use[],
  kind: EquipmentType,
  years: readonly number[],
): Series[] {
  const all = new Map<string, Series>();
  const [begin] = years as [number];
  for (const { equipmentType, type, firmwareVersion, first, last, devices } of uses) {
    if (equipmentType !== kind) continue;
    const firmware = firmwareVersion && onOneLine(firmwareVersion);
    const key = JSON.stringify([type, firmware]);
    let series = all.get(key);
    if (series === undefined)
      all.set(
        key,
        (series = { type, firmwareVersion: firmware, counts: years.map(() => 0), now: 0, peak: 0 }),
      );
    const end = Math.min(last === null ? Infinity : last - begin, years.length - 1);
    for (let index = Math.max(first - begin, 0); index <= end; index++)
      series.counts[index]! += devices;
    if (last === null) series.now += devices;
  }
  for (const series of all.values()) series.peak = Math.max(series.now, ...series.counts);
  return [...all.values()].sort(
    (a, b) => b.peak - a.peak || b.now - a.now || compareTexts(a.type ?? '', b.type ?? ''),
  );
}
