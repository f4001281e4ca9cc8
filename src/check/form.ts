import type { Place } from '../findings/finding.js';
import { type Labels, LABELS } from '../site-log/text/labels.js';
import { isUnknownLabel, type Part, placeOfPart } from '../site-log/text/lines.js';
import type { ScannedLog } from '../site-log/text/scanner.js';
import { labelKey, REQUIRED_VALUES, type Row } from '../site-log/sections/index.js';
import { isNearMiss } from '../site-log/near-miss.js';
import type { Report } from '../findings/findings.js';

/**
 * The checks of the lines of a log in text form. They quote only labels of the form, never a line
 * of the file: it could be about a contact.
 */

/** The sections with contacts. Nothing looks into them. */
const CONTACTS = ['11', '12'];
/** The sections of the form. */
const ALL = Array.from({ length: 14 }, (_, number) => number);

/** A block that is being read: its labels in the order in which they came. */
interface Block {
  place: Place;
  labels: Labels;
  found: string[];
  /** How many lines have a label that the form does not have, which another finding says. */
  unknown: number;
}

/** The label of a row in a version; null if the version has none. */
const labelIn = ({ label, label2 }: Row, isTwo: boolean): string | null =>
  (isTwo ? (label2 ?? label) : label) ?? null;

/** The most characters of labels that a finding lists; it quotes no more than 120. */
const LISTED_LENGTH = 100;

/** Labels as the text of a finding, by which it is recognised; of many, the first ones. */
function listed(labels: readonly string[]): string {
  const all = labels.join(', ');
  if (all.length <= LISTED_LENGTH) return all;
  const end = all.lastIndexOf(', ', LISTED_LENGTH);
  const first = all.slice(0, end);
  return `${first} and ${labels.length - first.split(', ').length} more`;
}

/** The labels that a block must have, by their keys, in the order of the form. */
type ExpectedLabels = ReadonlyMap<string, string>;

function labelsInVersion({ name, section }: Labels, isTwo: boolean): ExpectedLabels {
  // Each version has one of the two ids. What has no remarks needs no line for them.
  const leftOut = isTwo ? 'fourCharacterId' : 'nineCharacterId';
  const rows = Object.entries(section.rows).filter(
    ([member]) => name !== 'siteIdentification' || member !== leftOut,
  );
  const labels = rows.flatMap(([, row]) => labelIn(row, isTwo) ?? []);
  return new Map(labels.map((label) => [labelKey(label), label]));
}

/** The labels that a block of each section must have, in both versions. */
const EXPECTED_LABELS: ReadonlyMap<Labels, { one: ExpectedLabels; two: ExpectedLabels }> = new Map(
  [...LABELS.values()].map((labels) => [
    labels,
    { one: labelsInVersion(labels, false), two: labelsInVersion(labels, true) },
  ]),
);

function expectedLabels(labels: Labels, isTwo: boolean): ExpectedLabels {
  const { one, two } = EXPECTED_LABELS.get(labels)!;
  return isTwo ? two : one;
}

/** Whether another finding says that a receiver or an antenna lacks a value. */
function isReportedIfBlank(section: string, member: string | undefined): boolean {
  if (section !== 'gnssReceivers' && section !== 'gnssAntennas') return false;
  const { essential, useful } = REQUIRED_VALUES[section];
  return [...essential, ...useful].some((each) => each === member);
}

/** Reports labels of a block that are missing, misplaced or of the other version. */
function checkBlock(
  { place, labels, found, unknown }: Block,
  isTwo: boolean,
  report: Report,
): void {
  const expected = expectedLabels(labels, isTwo);
  const other = expectedLabels(labels, !isTwo);
  const memberOf = (key: string): string | undefined => labels.names.get(key)?.[0];
  const members = new Set(found.map(memberOf));
  const missing = [...expected]
    .filter(([key]) => memberOf(key) !== 'notes' && !members.has(memberOf(key)))
    .filter(([key]) => !isReportedIfBlank(labels.name, memberOf(key)))
    .map(([, label]) => label);
  // Lines with other labels are probably those that are missing.
  if (missing.length > unknown) {
    const values = { count: missing.length, text: listed(missing) };
    report('missing-label', place, values);
  }
  const wrong = found.flatMap((key) => (expected.has(key) ? [] : (other.get(key) ?? [])));
  if (wrong.length > 0)
    report('other-version-label', place, {
      version: isTwo ? '1' : '2.0',
      text: listed(wrong),
    });
  const order = [...expected.keys()];
  const places = found.map((key) => order.indexOf(key)).filter((index) => index >= 0);
  const early = places.findIndex((each, index) => index > 0 && each < places[index - 1]!);
  if (early > 0) {
    const labelAt = (index: number): string => expected.get(order[index]!)!;
    const label = labelAt(places[early]!);
    const before = labelAt(places[early - 1]!);
    report('out-of-order', place, { of: 'lines', text: `${label} after ${before}` });
  }
}

/** The section numbers and items that a log has, in its order. */
class Outline {
  /** The sections of the form that it has. */
  readonly seen = new Set<number>();
  private highest = -1;
  /** The number of the last item of each section and subsection: logs may alternate 8.1 and 8.2. */
  private readonly last = new Map<string, number>();

  constructor(private readonly report: Report) {}

  enter(part: Part): void {
    const { section } = part;
    const number = Number(section.split('.')[0]);
    this.seen.add(number);
    if (number < this.highest) {
      const values = { section: number, after: this.highest };
      this.report('out-of-order', placeOfPart(part), values, 'warning');
    }
    this.highest = Math.max(this.highest, number);
  }

  /**
   * Takes an item.
   * @param isBlank whether it has no values, which another finding says
   */
  addItem(section: string, written: string, place: Place, isBlank: boolean): void {
    const expected = (this.last.get(section) ?? 0) + 1;
    const number = /^\d+$/.test(written) ? Number(written) : expected;
    if (number !== expected && !isBlank) {
      const text = `${section}.${number} where ${section}.${expected} is expected`;
      this.report('out-of-order', place, { of: 'items', text });
    }
    this.last.set(section, number);
  }
}

/** The labels of a part, and those of its lines that are almost one of the form. */
function labelsIn(place: Place, part: Part, isTwo: boolean, report: Report): string[] {
  const { labels, lines } = part;
  const expected = [...expectedLabels(labels!, isTwo)];
  return lines.flatMap((line) => {
    const { kind, key, number } = line;
    if (kind === 'label') return [key];
    if (!isUnknownLabel(line)) return [];
    const meant = expected.find(([each]) => isNearMiss(each, key));
    if (meant !== undefined)
      report('misspelt-label', { ...place, line: number }, { isRead: false, text: meant[1] });
    return [];
  });
}

/** Checks one section without items, or one item. */
function checkPart(part: Part, outline: Outline, isTwo: boolean, report: Report): void {
  const { section, labels, item } = part;
  if (section === '' || item?.isTemplate === true) return;
  outline.enter(part);
  if (labels === null || (labels.repeats && item === null)) return;
  const place = placeOfPart(part);
  const isBlank = item !== null && part.readAs === null;
  if (item !== null) outline.addItem(section, item.number ?? '', place, isBlank);
  // Section 13 is free text with a drawing.
  if (CONTACTS.includes(section) || section === '13' || isBlank) return;
  const found = labelsIn(place, part, isTwo, report);
  const unknown = part.lines.filter(isUnknownLabel).length;
  checkBlock({ place, labels, found, unknown }, isTwo, report);
}

/**
 * Checks the lines of a text log.
 * @param isTwo whether the log is of version 2.0
 */
export function checkForm(scanned: ScannedLog, isTwo: boolean, report: Report): void {
  const { parts, longLines, endsWithinLine } = scanned;
  const [firstLong] = longLines;
  if (firstLong !== undefined) {
    const longest = Math.max(...longLines.map(({ columns }) => columns));
    const place = { ...placeOfPart(firstLong.part), line: firstLong.number };
    report('over-80-columns', place, { count: longLines.length, longest });
  }
  const outline = new Outline(report);
  for (const part of parts) checkPart(part, outline, isTwo, report);
  const missing = ALL.filter((number) => !outline.seen.has(number));
  if (missing.length === 0) return;
  const text = missing.join(', ');
  const last = parts.at(-1)!;
  // Contacts are the last sections that every log has.
  const endsEarly = outline.seen.size > 0 && Math.max(...outline.seen) < Number(CONTACTS[0]);
  if (!endsEarly || !endsWithinLine) return report('missing-section', { line: 1 }, { text });
  const place = { ...placeOfPart(last), line: last.lines.at(-1)?.number ?? last.line };
  report('cut-log', place, { text });
}
