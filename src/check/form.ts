import { type Labels, LABELS } from '../site-log/ascii-labels.js';
import { expandTabs, ITEM, LABEL_INDENT, SECTION, splitLabel } from '../site-log/ascii-blocks.js';
import { labelKey, type Row } from '../site-log/sections/index.js';
import { isNearMiss } from './near-miss.js';
import type { Report } from './checks.js';

/**
 * The checks of the lines of a log in text form. They quote only labels of the form, never a line of the file: it could be about
 * a contact.
 */

/** The sections with contacts. Nothing looks into them. */
const CONTACTS = ['11', '12'];
/** The sections of the form. */
const ALL = Array.from({ length: 14 }, (_, number) => number);
const COLUMNS = 80;

/** A block that is being read: its labels in the order in which they came. */
interface Block {
  name: string;
  labels: Labels;
  line: number;
  found: string[];
}

/** The label of a row in a version; null if the version has none. */
const labelIn = ({ label, label2 }: Row, isTwo: boolean): string | null =>
  (isTwo ? (label2 ?? label) : label) ?? null;

/** The labels that a block must have, by their keys, in the order of the form. */
function expectedLabels({ name, section }: Labels, isTwo: boolean): Map<string, string> {
  // Each version has one of the two ids. What has no remarks needs no line for them.
  const leftOut = isTwo ? 'fourCharacterId' : 'nineCharacterId';
  const rows = Object.entries(section.rows).filter(
    ([member]) => name !== 'siteIdentification' || member !== leftOut,
  );
  const labels = rows.flatMap(([, row]) => labelIn(row, isTwo) ?? []);
  return new Map(labels.map((label) => [labelKey(label), label]));
}

/** Reports labels of a block that are missing, misplaced or of the other version. */
function checkBlock({ name, labels, line, found }: Block, isTwo: boolean, report: Report): void {
  const expected = expectedLabels(labels, isTwo);
  const other = expectedLabels(labels, !isTwo);
  const memberOf = (key: string): string | undefined => labels.names.get(key)?.[0];
  const members = new Set(found.map(memberOf));
  const missing = [...expected]
    .filter(([key]) => memberOf(key) !== 'notes' && !members.has(memberOf(key)))
    .map(([, label]) => label);
  if (missing.length > 0)
    report('missing-label', line, `section ${name}: no line for ${missing.join(', ')}`);
  const wrong = found.flatMap((key) => (expected.has(key) ? [] : (other.get(key) ?? [])));
  if (wrong.length > 0)
    report(
      'other-version-label',
      line,
      `section ${name}: "${wrong[0]}" is a label of version ${isTwo ? '1' : '2.0'}`,
    );
  const order = [...expected.keys()];
  const places = found.map((key) => order.indexOf(key)).filter((place) => place >= 0);
  const early = places.findIndex((place, index) => index > 0 && place < places[index - 1]!);
  if (early > 0) {
    const [label, before] = [places[early]!, places[early - 1]!].map((place) =>
      expected.get(order[place]!)!,
    );
    report('label-out-of-order', line, `section ${name}: "${label}" comes after "${before}"`);
  }
}

/** Checks the lines of a text log. @param text the whole file @param isTwo whether the log is of version 2.0 */
export function checkForm(text: string, isTwo: boolean, report: Report): void {
  const seen = new Set<number>();
  let [highest, lastItem] = [-1, ''];
  let block: Block | null = null;
  const end = (): void => {
    if (block !== null) checkBlock(block, isTwo, report);
    block = null;
  };
  const begin = (name: string, section: string, line: number): void => {
    end();
    const labels = LABELS.get(section);
    // Section 13 is free text with a drawing.
    if (labels !== undefined && !CONTACTS.includes(section) && section !== '13')
      block = { name, labels, line, found: [] };
  };
  const enter = (number: number, line: number): void => {
    seen.add(number);
    if (number < highest)
      report('section-out-of-order', line, `section ${number} comes after section ${highest}`);
    highest = Math.max(highest, number);
  };
  const readLabel = (content: string, line: number): void => {
    const label = splitLabel(content)?.label;
    if (block === null || label === undefined) return;
    const key = labelKey(label);
    const { names } = block.labels;
    if (names.has(key)) return void block.found.push(key);
    const meant = [...expectedLabels(block.labels, isTwo)].find(([each]) => isNearMiss(each, key));
    if (meant !== undefined)
      report('misspelt-label', line, `section ${block.name}: a label is almost "${meant[1]}"`);
  };
  text.split(/\r\n|\n|\r/).forEach((raw, index) => {
    const line = expandTabs(raw).trimEnd();
    const number = index + 1;
    if (line.length > COLUMNS)
      report(
        'over-80-columns',
        number,
        `the line has ${line.length} columns; the form allows ${COLUMNS}`,
      );
    const item = ITEM.exec(line);
    const heading = SECTION.exec(line);
    if (item !== null && !(CONTACTS.includes(item[1]!) && highest === Number(item[1]))) {
      const [, first, second, last, rest = ''] = item;
      const section = second === undefined ? first! : `${first}.${second}`;
      if (last!.toLowerCase() === 'x') return end();
      enter(Number(first), number);
      const name = `${section}.${last}`;
      const expected = lastItem.startsWith(`${section}.`)
        ? Number(lastItem.slice(section.length + 1)) + 1
        : 1;
      if (LABELS.get(section)?.repeats === true && Number(last) !== expected) {
        report(
          'item-out-of-order',
          number,
          `item ${name} is where ${section}.${expected} is expected`,
        );
      }
      lastItem = name;
      begin(name, section, number);
      readLabel(rest, number);
    } else if (heading !== null) {
      enter(Number(heading[1]), number);
      if (LABELS.get(heading[1]!)?.repeats === false) begin(heading[1]!, heading[1]!, number);
      else end();
    } else if (line.length - line.trimStart().length < LABEL_INDENT) {
      readLabel(line, number);
    }
  });
  end();
  const missing = ALL.filter((number) => !seen.has(number));
  if (missing.length > 0) report('missing-section', 1, `no section ${missing.join(', ')}`);
}
