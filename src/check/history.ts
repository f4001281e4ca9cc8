import { DAY } from '../requests/units-of-time.js';
import { comparableValues, differingMembers, identityKey } from '../derive/devices.js';
import { placeOf } from '../site-log/record.js';
import type { LogItem } from '../site-log/site-log.js';
import type { Report } from '../findings/findings.js';
import type { CheckedLog } from './checked-log.js';

/** The checks of the periods of receivers and antennas. */

/**
 * A day, in milliseconds. Shorter gaps are one visit to the station, and days without an hour begin
 * at midnight.
 */
/** An item with a known start. Items that do not end after their start are in no Setup. */
type Dated = LogItem & { from: string };

const isDated = (item: LogItem): item is Dated =>
  item.from !== null && (item.to === null || item.to > item.from);
const until = ({ to }: Dated): string => to ?? '9999';

/** A receiver or an antenna as the text of a finding: its type and serial number. */
const deviceInWords = ({ id: { type, serialNumber } }: LogItem): string =>
  [type, serialNumber].filter((value) => value !== null).join(' ');

/** Checks the receivers or the antennas, in the order of their starts. */
function checkKind(kind: 'gnss receiver' | 'gnss antenna', all: LogItem[], report: Report): void {
  const items = all
    .filter((item) => item.id.equipmentType === kind)
    .filter(isDated)
    .sort((a, b) => Date.parse(a.from) - Date.parse(b.from));
  const [first] = items;
  if (first === undefined) return;
  const open = items.filter(({ to }) => to === null);
  if (open.length > 1) {
    const newest = open.at(-1)!;
    const values = { kind, lines: open.map(({ line }) => line), text: deviceInWords(newest) };
    report('several-in-use', placeOf(newest), values);
  }
  let last = first;
  for (const item of items.slice(1)) {
    if (last.to === null) {
      if (item.from > last.from)
        report('open-before-later', placeOf(last), { kind, otherLine: item.line, text: item.from });
    } else if (item.from < last.to) {
      const text = `${item.from}/${last.to}`;
      report('overlap', placeOf(item), { kind, otherLine: last.line, text });
    } else if (Date.parse(item.from) - Date.parse(last.to) > DAY) {
      report('history-gap', placeOf(item), { kind, text: `${last.to}/${item.from}` });
    } else if (item.from === last.to && isSame(item, last)) {
      const values = { kind, otherLine: last.line, text: item.from };
      report('equal-neighbours', placeOf(item), values);
    }
    if (isSameSerialNumber(item, last)) {
      const text = `${last.id.type!} ${item.id.type!}`;
      report('type-changed', placeOf(item), { otherLine: last.line, text });
    }
    // An open item hides what follows only until the next one begins; otherwise, each later item
    // would repeat the finding.
    if (last.to === null || until(item) >= until(last)) last = item;
  }
}

/**
 * The first receiver and the first antenna; none of a kind of which an item has no known start, as
 * it may be the first.
 */
function firstItems(items: LogItem[]): Dated[] {
  return (['gnss receiver', 'gnss antenna'] as const).flatMap((kind) => {
    const ofKind = items.filter(({ id }) => id.equipmentType === kind);
    if (ofKind.some(({ from }) => from === null)) return [];
    const inOrder = ofKind.filter(isDated).sort((a, b) => Date.parse(a.from) - Date.parse(b.from));
    return inOrder.slice(0, 1);
  });
}

/** From this difference on, in days, a missing hour in a date can hardly be the reason. */
const FAR_APART = 2;

/** Checks that the first equipment was not installed long before the site, or after it. */
function checkSiteDate(items: LogItem[], siteInstalled: string, report: Report): void {
  const begins = Map.groupBy(firstItems(items), ({ from }) => from);
  for (const [from, [first, other]] of begins) {
    const apart = (Date.parse(from) - Date.parse(siteInstalled)) / DAY;
    if (Math.abs(apart) <= 1) continue;
    const days = Math.abs(apart).toFixed(Math.abs(apart) < FAR_APART ? 1 : 0);
    const kinds = [first!, ...(other === undefined ? [] : [other])];
    const isBefore = apart < 0;
    const values = {
      kinds: kinds.map(({ id }) => id.equipmentType as 'gnss receiver' | 'gnss antenna'),
      days,
      isBefore,
      text: `${from} ${isBefore ? '<' : '>'} ${siteInstalled}`,
    };
    const level = isBefore && -apart >= FAR_APART ? 'warning' : 'info';
    report('site-date', placeOf(first!), values, level);
  }
}

/** Whether two items are the same device in the same configuration. */
function isSame(a: Dated, b: Dated): boolean {
  const content = ({ id, configuration }: Dated) =>
    ({ content: { id, configuration, period: { from: '', to: null } } }) as never;
  return differingMembers(content(a), content(b)).length === 0;
}

/** Whether two items have one serial number, but different types. */
function isSameSerialNumber(a: Dated, b: Dated): boolean {
  const one = comparableValues(a.id);
  const other = comparableValues(b.id);
  if (one.type === null || other.type === null) return false;
  if (one.serialNumber === null || one.serialNumber !== other.serialNumber) return false;
  return identityKey(a.id) !== identityKey(b.id);
}

/** Checks the periods of receivers and antennas. */
export function checkHistory({ log: { items, identification } }: CheckedLog, report: Report): void {
  for (const kind of ['gnss receiver', 'gnss antenna'] as const) checkKind(kind, items, report);
  const { dateInstalled } = identification;
  if (dateInstalled !== null) checkSiteDate(items, dateInstalled, report);
}
