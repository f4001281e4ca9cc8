import type { ItemStart } from '../fields.js';
import { labelKey } from '../sections/index.js';
import { isAboutContacts } from './contact-lines.js';
import { type Labels, LABELS } from './labels.js';
import { LABEL_COLUMNS } from './lines.js';

/** Recognizes the number before the label of an item, also if it deviates from the form. */

/**
 * The start of an item as the form has it: `3.1  Receiver Type : …`,
 * `8.1.x Humidity Sensor Model :`.
 */
export const ITEM = /^ {0,4}(\d{1,2})\.(?:(\d{1,3})\.)?(\d{1,4}|x)\.?(?:\s+(\S.*)?)?$/is;
/**
 * What is before the label of an item whose number deviates from the form: `3.2`, `3. 2)`, `3.2a`.
 */
const NUMBER = /^[^\p{L}\p{N}]{0,4}(\d{1,2})(?:\s?[.,]\s?(\d{1,5}|x))?(?:\s?[.,]\s?(\d{1,5}|x))?/iu;
/** The most characters between a number and the label of an item. */
const MOST_BETWEEN = 40;
/** The most letters between them, if the number is that of a section only. */
const MOST_LETTERS = 3;
/** How many colons of a line are tried as the end of its label. */
const MOST_COLONS = 3;

/** The main number of a section: 8 of 8.1. */
export const mainOf = (section: string): string => section.split('.')[0]!;

export const REPEATING: readonly Labels[] = [...LABELS.values()].filter(({ repeats }) => repeats);

/**
 * The longest label of a section that a text ends with, and where it begins; null if there is none.
 */
function labelAtEnd(text: string, labels: Labels): { key: string; begin: number } | null {
  const key = labelKey(text);
  const known = [...labels.names.keys()]
    .filter((each) => key.endsWith(each))
    .reduce((longest, each) => (each.length > longest.length ? each : longest), '');
  if (known === '') return null;
  let begin = text.length;
  for (let left = known.length; left > 0;) {
    begin--;
    if (/[a-z0-9]/i.test(text[begin]!)) left--;
  }
  return { key: known, begin };
}

/** An item, or a line of a section, that begins with a number and a label. */
interface NumberedLabel {
  section: string;
  labels: Labels;
  item: ItemStart;
  /** Where the label begins. */
  begin: number;
}

/**
 * Whether what is before a label can be the number of an item of a section that it does not name.
 */
const isNumberLike = (text: string): boolean =>
  /\d/.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) <= 1;

/** Whether a label is like another, of which one letter or two may be damaged. */
export const isSimilar = (key: string, label: string): boolean =>
  key.slice(0, 3) === label.slice(0, 3) ||
  (key.length >= 4 && (label.endsWith(key.slice(-4)) || key.includes(label.slice(-4))));

/** Reads the number before a label. @param current the labels of the section that the line is in */
function readNumber(before: string, label: string, current: Labels | null): NumberedLabel | null {
  const whole = before + label;
  const number = NUMBER.exec(before);
  const [main, second, third] = number === null ? [] : number.slice(1);
  const between = number === null ? before : before.slice(number[0].length);
  const letters = between.match(/\p{L}/gu)?.length ?? 0;
  const isPlain = letters <= MOST_LETTERS || second !== undefined;
  if (number !== null && between.length <= MOST_BETWEEN && isPlain) {
    const sections: [string, string | undefined][] = [
      [`${main}.${second}`, third],
      [main!, second],
    ];
    for (const [section, item] of sections) {
      const labels = LABELS.get(section);
      if (labels === undefined) continue;
      const found = labelAtEnd(whole, labels);
      if (found === null) continue;
      const isTemplate = item?.toLowerCase() === 'x';
      const start = { number: item ?? '', isTemplate, isExact: false };
      return { section, labels, item: start, begin: found.begin };
    }
  }
  // A wrong number: the first label of an item is that of one section only, but for a date.
  for (const labels of current?.repeats === true ? [current, ...REPEATING] : REPEATING) {
    const found = labelAtEnd(whole, labels);
    if (found === null || found.key !== labels.first || !isNumberLike(whole.slice(0, found.begin)))
      continue;
    if (labels !== current && labels.first.length < 5) continue;
    const { number: section } = labels.section;
    const start = { number: null, isTemplate: /\.\s?x/i.test(before), isExact: false };
    return { section, labels, item: start, begin: found.begin };
  }
  return null;
}

/**
 * The number and the label that a line begins with; null if it does not.
 * @param labels those of the section that the line is in
 */
export function numberedLabel(content: string, labels: Labels | null): NumberedLabel | null {
  const head = content.slice(0, LABEL_COLUMNS);
  if (!/^.{0,12}\d/.test(head)) return null;
  let colon = head.indexOf(':');
  for (let tries = 0; colon >= 0 && tries < MOST_COLONS; tries++) {
    const text = head.slice(0, colon);
    const number = NUMBER.exec(text)?.[0] ?? '';
    const found = readNumber(number, text.slice(number.length), labels);
    if (found !== null && !(isAboutContacts(labels) && found.item.number === null)) return found;
    colon = head.indexOf(':', colon + 1);
  }
  return null;
}
