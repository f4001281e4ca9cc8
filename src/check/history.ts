import { compareTexts, deviceInWords } from '../words.js';
import { DAY } from '../requests/units-of-time.js';
import { comparableValues, differingMembers, identityKey } from '../derive/devices.js';
import { placeOf } from '../site-log/record.js';
import type { LogItem } from '../site-log/site-log.js';
import type { Report } from '../findings/findings.js';
import type { CheckedLog } from './checked-log.js';
import { afterPrepared } from './identity.js';
import { GNSS_EQUIPMENT_TYPES, type GnssEquipmentType } from '../../schemas/index.js';

/** The checks of the periods of receivers and antennas. */

/** An item with a known start. Items that do not end after their start are in no Setup. */
type Dated = LogItem & { from: string };

const isDated = (item: LogItem): item is Dated =>
  item.from !== null && (item.to === null || item.to > item.from);
const byStart = (a: Dated, b: Dated): number => compareTexts(a.from, b.from);
const until = ({ to }: Dated): string => to ?? '9999';

/** The items of a log, and the day on which it was prepared. */
interface History {
  items: LogItem[];
  prepared: string | undefined;
}

/** A period in which no device of a kind was in use, or two. */
interface Meeting {
  code: 'history-gap' | 'overlap';
  kind: GnssEquipmentType;
  /** The device that came later. */
  item: LogItem;
  /** The beginning and the end of the period. */
  text: string;
}

/**
 * Checks the receivers or the antennas, in the order of their starts.
 * @returns gaps and overlaps, which receivers and antennas often have in common
 */
function checkKind(
  kind: GnssEquipmentType,
  { items: all, prepared }: History,
  report: Report,
): Meeting[] {
  const ofKind = all.filter((item) => item.id.equipmentType === kind);
  const items = ofKind.filter(isDated).sort(byStart);
  const [first] = items;
  if (first === undefined) return [];
  const open = items.filter(({ to }) => to === null);
  const isSeveral = open.length > 1;
  for (const item of isSeveral ? open : []) {
    const values = { kind, count: open.length, text: deviceInWords(item.id) };
    report('several-in-use', placeOf(item), values);
  }
  // What has such a date, or none, may have been in use where a gap seems to be.
  const isDoubtful = ofKind.some(
    ({ from, to }) =>
      from === null || (to !== null && to < from) || Date.parse(from) >= afterPrepared(prepared),
  );
  const meetings: Meeting[] = [];
  let last = first;
  for (const item of items.slice(1)) {
    if (last.to === null) {
      if (item.from > last.from && !isSeveral)
        report('open-before-later', placeOf(last), { kind, text: item.from });
    } else if (item.from < last.to) {
      meetings.push({ code: 'overlap', kind, item, text: `${item.from}/${last.to}` });
    } else if (isGap(last.to, item.from) && !isDoubtful) {
      meetings.push({ code: 'history-gap', kind, item, text: `${last.to}/${item.from}` });
    } else if (item.from === last.to && isSame(item, last)) {
      report('equal-neighbours', placeOf(item), { kind, text: item.from });
    }
    if (isSameSerialNumber(item, last)) {
      const text = `${last.id.type!} ${item.id.type!}`;
      report('type-changed', placeOf(item), { site: null, text });
    }
    // An open item hides what follows only until the next one begins; otherwise, each later item
    // would repeat the finding.
    if (last.to === null || until(item) >= until(last)) last = item;
  }
  return meetings;
}

/** Reports gaps and overlaps; those of receivers and antennas at the same time as one. */
function reportMeetings(meetings: Meeting[], report: Report): void {
  for (const same of Map.groupBy(meetings, ({ code, text }) => `${code} ${text}`).values()) {
    const kinds = same.map(({ kind }) => kind);
    for (const { code, item, text } of same) report(code, placeOf(item), { kinds, text });
  }
}

/**
 * The first receiver and the first antenna; none of a kind of which an item has no known start, as
 * it may be the first.
 */
function firstItems(items: LogItem[]): Dated[] {
  return GNSS_EQUIPMENT_TYPES.flatMap((kind) => {
    const ofKind = items.filter(({ id }) => id.equipmentType === kind);
    if (ofKind.some(({ from }) => from === null)) return [];
    const inOrder = ofKind.filter(isDated).sort(byStart);
    return inOrder.slice(0, 1);
  });
}

/** From this difference on, in days, a missing hour in a date can hardly be the reason. */
const FAR_APART = 2;

/** Checks that the first equipment was not installed long before the site, or after it. */
function checkSiteDate({ items, prepared }: History, siteInstalled: string, report: Report): void {
  const isSiteAfterPrepared = Date.parse(siteInstalled) >= afterPrepared(prepared);
  const begins = firstItems(items)
    .map((item) => ({ item, apart: (Date.parse(item.from) - Date.parse(siteInstalled)) / DAY }))
    .filter(({ apart }) => Math.abs(apart) > 1);
  for (const [isBefore, found] of Map.groupBy(begins, ({ apart }) => apart < 0)) {
    const kinds = found.map(({ item }) => item.id.equipmentType as GnssEquipmentType);
    const days = [...new Set(found.map(({ apart }) => daysInWords(Math.abs(apart))))];
    const isFar = isBefore && found.some(({ apart }) => -apart >= FAR_APART);
    for (const { item } of found) {
      const text = `${item.from} ${isBefore ? '<' : '>'} ${siteInstalled}`;
      const values = { kinds, days, isBefore, isSiteAfterPrepared, text };
      report('site-date', placeOf(item), values, isFar ? 'warning' : 'info');
    }
  }
}

/** A number of days; near a day with a tenth. */
const daysInWords = (days: number): string => days.toFixed(days < FAR_APART ? 1 : 0);

/** Whether two items are the same device in the same configuration. */
function isSame(a: Dated, b: Dated): boolean {
  const content = ({ id, configuration }: Dated) =>
    ({ content: { id, configuration, period: { from: '', to: null } } }) as never;
  return differingMembers(content(a), content(b)).length === 0;
}

/**
 * Whether equipment was missing. A gap of a day is one visit to the station, and days without an
 * hour begin at midnight.
 */
const isGap = (end: string, start: string): boolean => Date.parse(start) - Date.parse(end) > DAY;

/** A type without punctuation, of which a slip makes no other type. */
const lettersOf = (type: string): string => type.replace(/[^A-Z0-9]/gi, '');

/** Whether two items have one serial number, but different types. */
function isSameSerialNumber(a: Dated, b: Dated): boolean {
  const one = comparableValues(a.id);
  const other = comparableValues(b.id);
  if (one.type === null || other.type === null) return false;
  if (one.serialNumber === null || one.serialNumber !== other.serialNumber) return false;
  return lettersOf(one.type) !== lettersOf(other.type) && identityKey(a.id) !== identityKey(b.id);
}

/** Checks the periods of receivers and antennas. */
export function checkHistory({ log, sections }: CheckedLog, report: Report): void {
  const { items, identification } = log;
  const prepared = sections.formInformation.datePrepared?.value?.slice(0, 10);
  const meetings = GNSS_EQUIPMENT_TYPES.flatMap((kind) =>
    checkKind(kind, { items, prepared }, report),
  );
  reportMeetings(meetings, report);
  const { dateInstalled } = identification;
  if (dateInstalled !== null) checkSiteDate({ items, prepared }, dateInstalled, report);
}
