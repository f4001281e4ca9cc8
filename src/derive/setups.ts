import type { EquipmentInUse, Instant, Period } from '../../schemas/index.js';
import { Findings, type LogItem, reject } from '../site-log/site-log.js';

/** A Setup as derived from a site log, before a store gives it an id. */
export interface DerivedSetup {
  effectivePeriod: Period;
  equipmentInUse: EquipmentInUse[];
}

/** The most characters of JSON that the Setups of one log may have together; the largest of a thousand real logs has 0.3 million. */
export const MOST_CHARACTERS = 16_000_000;

/**
 * From the items of a site log to the Setups of its Site, in order of time.
 *
 * The distinct known starts and ends of the items divide time; each pair of neighbours is the effective period of
 * one Setup, and the last date begins the one that is open. An item is in every Setup inside its own period; without
 * a start it is in use from the first date, without an end to the last. An item that starts where it ends, or ends
 * before it starts, is in none. Pure: the same items in any order give the same periods.
 *
 * @param items in the order in which a Setup lists its equipment
 * @param findings gets a warning for an item that ends before it starts, and for a log without any date
 * @throws {SiteLogRejected} where the Setups would be larger than {@link MOST_CHARACTERS}
 */
export function deriveSetups(items: LogItem[], findings: Findings): DerivedSetup[] {
  const dates = [...new Set(items.flatMap(({ from, to }) => [from, to]).filter((date) => date !== null))].sort();
  const [first] = dates;
  if (first === undefined) {
    findings.add(items[0]?.line ?? 1, 'warning', 'no equipment with a date; the log gives no Setup');
    return [];
  }
  const indexOf = new Map(dates.map((date, index) => [date, index]));
  const setups: DerivedSetup[] = dates.map((from, index) => ({
    effectivePeriod: { from, to: dates[index + 1] ?? null },
    equipmentInUse: [],
  }));

  let characters = 0;
  for (const item of items) {
    if (item.from !== null && item.to !== null && item.to < item.from) {
      findings.add(
        item.line,
        'warning',
        `${item.id.equipmentType} removed before it was installed; in no Setup`,
        `${item.from}/${item.to}`,
      );
      continue;
    }
    const element = inUse(item, item.from ?? first);
    const begin = indexOf.get(item.from ?? first)!;
    const end = item.to === null ? setups.length : indexOf.get(item.to)!;
    characters += Math.max(end - begin, 0) * JSON.stringify(element).length;
    if (characters > MOST_CHARACTERS)
      reject(findings, item.line, `the Setups of the log would have more than ${MOST_CHARACTERS} characters`);
    for (let index = begin; index < end; index++) setups[index]!.equipmentInUse.push(element);
  }
  return setups;
}

function inUse({ id, configuration, to }: LogItem, from: Instant): EquipmentInUse {
  // The compiler cannot see that `id` and `configuration` of one item are of the same variant.
  return { content: { id, configuration, period: { from, to } } } as EquipmentInUse;
}
