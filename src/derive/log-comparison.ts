import type { LogChange, SiteLogSections } from '../../schemas/index.js';
import {
  type Comparable,
  COMPARED_SECTIONS,
  type ComparedSection,
  ITEM_NAMES,
  itemsIn,
  type ItemValue,
  type LogItemValues,
} from './log-items.js';
import { withSingleBlanks } from '../words.js';
import { type ItemPair, pairItems } from './pair-items.js';
import { shortened } from '../site-log/values/dates.js';

/** What changed between two versions of a site log. */

/** The nine characters of a log; null if it has only four. */
const nineOf = ({ siteIdentification: { nineCharacterId } }: SiteLogSections): string | null =>
  nineCharacterId?.value?.toUpperCase() ?? null;

/** The four characters of a log. */
const fourOf = (log: SiteLogSections): string | null =>
  log.siteIdentification.fourCharacterId?.value?.toUpperCase() ?? nineOf(log)?.slice(0, 4) ?? null;

/** The change of the id. Nine characters count only if both logs give them. */
function changeOfId(older: SiteLogSections, newer: SiteLogSections): LogChange[] {
  const hasBothNine = nineOf(older) !== null && nineOf(newer) !== null;
  const idOf = hasBothNine ? nineOf : fourOf;
  const before = idOf(older);
  const after = idOf(newer);
  if (before === after) return [];
  const member = hasBothNine ? 'nineCharacterId' : 'fourCharacterId';
  const lineOf = ({ siteIdentification }: SiteLogSections): number | null =>
    siteIdentification[member]?.line ?? null;
  return [
    {
      section: 'siteIdentification',
      number: '1',
      item: ITEM_NAMES.siteIdentification,
      change: 'changed',
      member,
      value: hasBothNine ? 'nine character ID' : 'four character ID',
      before,
      after,
      beforeLine: lineOf(older),
      afterLine: lineOf(newer),
    },
  ];
}

/** The line of a value or, failing that, of its item. */
const lineOf = ({ line }: LogItemValues, value: ItemValue): number | null => value.line ?? line;

/**
 * Whether a value changed: its meaning differs, and is not blank only because the form has no place
 * for the other text.
 */
function isChange(before: ItemValue, after: ItemValue): boolean {
  if (before.meaning === after.meaning) return false;
  // The radome in the type of an antenna may count in one log only.
  if (before.written !== null && before.written === after.written) return false;
  if (before.written === null) return after.fitsBoth;
  if (after.written === null) return before.fitsBoth;
  return true;
}

/** The values of a pair that differ. */
function changesIn({ older, newer }: ItemPair): LogChange[] {
  const changes: LogChange[] = [];
  for (const [member, before] of older.values) {
    const after = newer.values.get(member)!;
    if (!isChange(before, after)) continue;
    changes.push({
      section: newer.section,
      number: newer.number,
      item: ITEM_NAMES[newer.section],
      change: 'changed',
      member,
      value: before.name,
      before: before.written,
      after: after.written,
      beforeLine: lineOf(older, before),
      afterLine: lineOf(newer, after),
    });
  }
  return changes;
}

/** The dates of an item that was added or removed, in words. */
function datesInWords({ from, to }: LogItemValues): string {
  const words: string[] = [];
  if (from !== null) words.push(`from ${shortened(from)}`);
  if (to !== null) words.push(`to ${shortened(to)}`);
  return words.join(' ');
}

/** The values that make up the name of an item, in this order; each item has some of them. */
const NAMING = [
  'type',
  'tiedMarkerName',
  'instrumentType',
  'instrumentation',
  'possibleProblemSource',
  'event',
  'organisation',
  'serialNumber',
];

/** An item in words: `LEICA GR50 1870000, firmware 4.31, from 2020-01-01`. */
function itemInWords(item: LogItemValues): string {
  const writtenOf = (member: string): string | null => {
    const written = item.values.get(member)?.written ?? null;
    return written && withSingleBlanks(written);
  };
  const name = NAMING.map(writtenOf)
    .filter((text) => text !== null)
    .join(' ');
  const firmware = writtenOf('firmwareVersion');
  const parts = [name, firmware === null ? '' : `firmware ${firmware}`, datesInWords(item)];
  return parts.filter((part) => part !== '').join(', ') || 'without a name or a date';
}

/** The change of an item that only one log has. */
function changeOfItem(item: LogItemValues, change: 'added' | 'removed'): LogChange {
  const words = itemInWords(item);
  const isAdded = change === 'added';
  return {
    section: item.section,
    number: item.number,
    item: ITEM_NAMES[item.section],
    change,
    member: null,
    value: null,
    before: isAdded ? null : words,
    after: isAdded ? words : null,
    beforeLine: isAdded ? null : item.line,
    afterLine: isAdded ? item.line : null,
  };
}

/** The changes of a section: by the places of the items in the newer log, and removed ones last. */
function changesInSection(
  section: ComparedSection,
  older: SiteLogSections,
  newer: SiteLogSections,
  compared: Comparable,
): LogChange[] {
  const { pairs, removed, added } = pairItems(
    itemsIn(older, section, compared),
    itemsIn(newer, section, compared),
  );
  const changed = pairs.map((pair) => ({ index: pair.newer.index, changes: changesIn(pair) }));
  const appeared = added.map((item) => ({
    index: item.index,
    changes: [changeOfItem(item, 'added')],
  }));
  const inNewer = [...changed, ...appeared].sort((a, b) => a.index - b.index);
  return [
    ...inNewer.flatMap(({ changes }) => changes),
    ...removed.map((item) => changeOfItem(item, 'removed')),
  ];
}

/**
 * What changed between two versions of a site log, in any form, in the order of the form.
 *
 * Items are paired, each once: those of the same device whose periods overlap, then those with the
 * same start, the same end, the same number, and last those most alike. What is left was added or
 * removed. A value changed if its meaning did; a new place or number of an item alone is no change.
 * Not compared are section 0, which describes the version itself; values for which one of the forms
 * has no place; and, unless they are published, contacts. Pure.
 * @param older and `newer`, withheld with the contacts of both unless these are published
 * @param withContacts whether persons, telephone numbers and email addresses are compared
 */
export function compareLogs(
  older: SiteLogSections,
  newer: SiteLogSections,
  withContacts: boolean,
): LogChange[] {
  const compared = { forms: [older.form, newer.form], withContacts };
  return [
    ...changeOfId(older, newer),
    ...COMPARED_SECTIONS.flatMap((section) => changesInSection(section, older, newer, compared)),
  ];
}
