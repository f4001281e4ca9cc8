import type { EquipmentInUse, Period } from '../../schemas/index.js';
import { type Findings, reject } from '../findings/findings.js';
import { placeOf } from '../site-log/record.js';
import type { LogItem } from '../site-log/site-log.js';

/** A Setup as derived from a site log, before a store gives it an id. */
export interface DerivedSetup {
  effectivePeriod: Period;
  equipmentInUse: EquipmentInUse[];
}

/**
 * The limit for all Setups of one log together, in characters of JSON. The largest of a thousand
 * real logs needs 0.3 million.
 */
export const MOST_CHARACTERS = 16_000_000;

/**
 * Derives the Setups of a Site from the items of its site log, in chronological order.
 *
 * The distinct start and end dates of all items divide time. Each pair of neighbouring dates is the
 * effective period of one Setup; the last date begins the open one. An item belongs to every Setup
 * within its own period. Without a start it is in use from the first date on, without an end it is
 * still in use. An item that ends when it starts, or before, is in no Setup. Pure; the order of the
 * items does not affect the periods.
 *
 * @param items in the order in which a Setup lists its equipment
 * @param findings receives a warning for each item that ends before it starts and for a log without
 *   any date, and names each item that ends when it starts
 * @returns no Setups if the log has no date
 * @throws {SiteLogRejected} if the Setups would exceed {@link MOST_CHARACTERS}
 */
export function deriveSetups(items: LogItem[], findings: Findings): DerivedSetup[] {
  const dates = [
    ...new Set(items.flatMap(({ from, to }) => [from, to]).filter((date) => date !== null)),
  ].sort();
  const [first] = dates;
  if (first === undefined) {
    findings.add('no-dates', items[0] === undefined ? { line: 1 } : placeOf(items[0]), {});
    return [];
  }
  const setups: DerivedSetup[] = dates.map((from, index) => ({
    effectivePeriod: { from, to: dates[index + 1] ?? null },
    equipmentInUse: [],
  }));

  let characters = 0;
  for (const item of items) {
    const { id, configuration, from, to } = item;
    if (from !== null && to !== null && to < from) {
      const values = { kind: id.equipmentType, isInSetups: true, text: `${from}/${to}` };
      findings.add('removed-before-installed', placeOf(item), values);
      continue;
    }
    if (from !== null && to === from) {
      const values = { kind: id.equipmentType, text: from };
      findings.add('in-use-for-no-time', placeOf(item), values);
      continue;
    }
    // The compiler cannot know that `id` and `configuration` of one item belong to the same
    // variant.
    const element = {
      content: { id, configuration, period: { from: from ?? first, to } },
    } as EquipmentInUse;
    const begin = dates.indexOf(from ?? first);
    const end = to === null ? setups.length : dates.indexOf(to);
    characters += Math.max(end - begin, 0) * JSON.stringify(element).length;
    if (characters > MOST_CHARACTERS) {
      const values = { of: 'characters of Setups', count: null, most: MOST_CHARACTERS } as const;
      reject(findings, 'too-large', placeOf(item), values);
    }
    for (let index = begin; index < end; index++) setups[index]!.equipmentInUse.push(element);
  }
  return setups;
}
