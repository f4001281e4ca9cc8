import type { SiteLogSections } from '../../../schemas/index.js';
import type { Written } from '../../../schemas/index.js';
import type { LineAccount } from '../../../src/site-log/text/account.js';
import { LABELS } from '../../../src/site-log/text/labels.js';
import { blankSections, readText } from '../../../src/site-log/read-sections.js';
import { isNearMiss } from '../../../src/site-log/near-miss.js';
import { expandTabs } from '../../../src/site-log/text/lines.js';
import { labelKey, type Row, type Section } from '../../../src/site-log/sections/index.js';
import { Findings, placesOf, SiteLogRejected } from '../../../src/findings/findings.js';
import { writeText } from '../../../src/site-log/write/write-text.js';

/**
 * Checks the account that the reader gives of the lines of a text log, and what a damaged line
 * loses.
 */

export const linesIn = (text: string): string[] => text.split(/\r\n|\n|\r/);
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A log that was read, with its account. */
export interface TextReading {
  sections: SiteLogSections;
  account: LineAccount;
  findings: Findings;
}

/** What is read of a text; null if it is rejected. */
export function readingOf(text: string): TextReading | null {
  const findings = new Findings('test.log');
  try {
    return { ...readText(text, findings), findings };
  } catch (error) {
    if (error instanceof SiteLogRejected) return null;
    throw error;
  }
}

/** A value of a log with its place. */
interface Value {
  /**
   * The section and the name of the value, with the line of its item, and with the number of its
   * item.
   */
  places: [string, string];
  value: Written;
}

function valuesOf(sections: SiteLogSections): Value[] {
  return Object.entries(sections).flatMap(([section, content]) => {
    if (typeof content === 'string') return [];
    const blocks: object[] = Array.isArray(content) ? content : [content];
    return blocks.flatMap((block, index) =>
      Object.entries(block).flatMap(([name, value]: [string, unknown]): Value[] => {
        if (typeof value !== 'object' || value === null) return [];
        const { line = 0 } = block as { line?: number };
        const places: Value['places'] = [
          `${section}, line ${line}: ${name}`,
          `${section}, number ${index}: ${name}`,
        ];
        return [{ places, value: value as Written }];
      }),
    );
  });
}

const hintsOf = ({ rows }: Section): string[] =>
  Object.values<Row>(rows).map(({ hint }) => hint ?? '');

/** The words of the blank form. */
const FORM_WORDS: ReadonlySet<string> = new Set(
  (['1', '2.0'] as const)
    .map((version) => {
      const blank = blankSections(version === '1' ? 'IGS site log 1' : 'IGS site log 2.0');
      const id = { written: 'ABCD00AUS', value: 'ABCD00AUS', line: 1 };
      blank.siteIdentification.nineCharacterId = id;
      return writeText(blank, version, new Findings(''));
    })
    .concat([...LABELS.values()].flatMap(({ section }) => hintsOf(section)))
    .join('\n')
    .toLowerCase()
    .match(/[\p{L}]{2,}/gu)!
    // Of earlier versions, and words for no value in place of a hint.
    .concat('gps', 'itrf', 'mulitple', 'buildlings', 'irnss', 'none', 'unknown', 'mbar', 'xxxx')
    // Labels that have been used.
    .concat([...LABELS.values()].flatMap(({ names }) => [...names.keys()]))
    .concat('temperature', 'stabilization', 'model', 'centre', 'effective', 'dates', 'prepared'),
);

/** What is wrong with the account of a text; null if it is right. */
export function mistakeIn(text: string, readWith = readingOf): string | null {
  const read = readWith(text);
  if (read === null) return null;
  const { sections, account, findings } = read;
  if (account.contested.length > 0) return `claimed twice: ${account.contested.join()}`;
  const written = valuesOf(sections).map(({ value }) => onOneLine(value.written));
  let isTitleArea = true;
  const isCapped = findings.list.length > 1000;
  for (const [index, raw] of linesIn(text.replaceAll('\0', '\ufffd')).entries()) {
    const line = index + 1;
    const use = account.useOf(line);
    if (raw.trim() === '') continue;
    const shown = `line ${line}: ${use}: ${JSON.stringify(raw)}`;
    if (use === undefined) return shown;
    if (use === 'finding' && !isCapped && !findings.list.some((each) => covers(each, line)))
      return shown;
    if (use === 'value' || use === 'drawing') {
      if (!isInOne(raw, written)) return shown;
    }
    if (use === 'form' && !isOfForm(raw)) return shown;
    if (use === 'value') isTitleArea = false;
    const isLabelled = /^[^:]{1,31}: *[a-z\d]/i.test(expandTabs(raw));
    if (use === 'title' && (!isTitleArea || isLabelled)) return shown;
  }
  return null;
}

/** Whether a finding, which can have several places, is about a line. */
const covers = (finding: Findings['list'][number], number: number): boolean =>
  placesOf(finding).some(({ line, lastLine }) => line <= number && number <= (lastLine ?? line));

/** Whether what is behind the label of a line, or all of it, is in one of the values. */
export function isInOne(raw: string, values: string[]): boolean {
  const frame = /^\s*approximate position\s?\((.+)\)/i.exec(raw)?.[1];
  if (frame !== undefined && values.includes(frame)) return true;
  const parts = raw.split(':');
  // A label of the form may have a colon before it.
  const colons = raw.startsWith(':') && isFormKey(labelKey(parts[1] ?? '')) ? 2 : 1;
  return parts.some((_, index) => {
    if (index > colons && parts.slice(index).join('').trim() === '') return false;
    const rest = onOneLine(parts.slice(index).join(':')).replace(/^\(mu\w+ lines\)\s?/i, '');
    const plain = decoded(rest);
    return values.some((value) => value.includes(plain));
  });
}

const decoded = (text: string): string =>
  onOneLine(
    text
      .replace(/&#(?:(\d{1,7})|x([\da-f]{1,6}));/gi, (whole, decimal?: string, hex?: string) => {
        const code = decimal === undefined ? parseInt(hex!, 16) : Number(decimal);
        const isText = code <= 0x10ffff && !/[\p{Cc}\p{Cs}]/u.test(String.fromCodePoint(code));
        return isText ? String.fromCodePoint(code) : whole;
      })
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
      .replace(/[\ufffe\uffff]|\p{Cs}/gu, '\ufffd'),
  );

/** All labels and headings of the form as they are compared: without blanks and punctuation. */
const FORM_KEYS: ReadonlySet<string> = new Set(
  [...LABELS.values()]
    .flatMap(({ names, section }) => [
      ...names.keys(),
      labelKey(section.heading ?? ''),
      ...Object.values<Row>(section.rows).map(({ before }) => labelKey(before ?? '')),
    ])
    .concat('internationalgnssservice'),
);
/** Whether a label is one of the form, or almost. */
const isFormKey = (key: string): boolean =>
  FORM_KEYS.has(key) || [...FORM_KEYS].some((each) => isNearMiss(each, key));

/** Whether a line has nothing that the blank form has not. */
export function isOfForm(raw: string): boolean {
  if (
    /site information form|see ?instructions ?at|sitelog_instr|withheld from publication/i.test(raw)
  )
    return true;
  const [, label, value] = /^\s*[\d.x\s]*([^:]*):?(.*)$/is.exec(raw)!;
  const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
  const isKnown = (text: string): boolean => wordsIn(text).every((word) => FORM_WORDS.has(word));
  // Other editions of the form have other labels with a hint.
  const isHinted = label!.trim().length < 32 && /^\s*\(.+\)\s*$/.test(value!);
  return isKnown(raw) || (isKnown(value!) && (isHinted || isFormKey(labelKey(label!))));
}

/** A damaged line. */
export interface Damage {
  log: string;
  /** The number of the line. */
  line: number;
  damaged: string;
}

const NUMBERED = /^( {0,4})(\d{1,2}\.(?:\d{1,3}\.)?(?:\d{1,4}|x)?)( {1,4})(\S.*)$/;

/** Other ways to write the number at the beginning of a line. */
export const numbers = (line: string): string[] => {
  const [, indent, number, blanks, rest] = NUMBERED.exec(line) ?? [];
  if (number === undefined) return [];
  const changed = [
    ...[number.replace(/\d(?=\D*$)/, 'l'), number.replace(/^\d/, '@'), `${number}a`, ''],
    ...[
      `${number}:`,
      `${number})`,
      `${number}-`,
      number.replace('.', '. '),
      number.replace('.', ','),
    ],
    ...[number.replace(/^\d/, (digit) => String((Number(digit) + 1) % 10)), `1${number}`],
    ...[number.replace(/\d$/, 'x'), number.replace(/\.\d+$/, ''), number.replace(/\.$/, '')],
  ];
  return [
    ...changed.map((each) => `${indent}${each}${blanks}${rest}`),
    `${indent}${number}${rest}`,
    `     ${number}${blanks}${rest}`,
  ];
};

/** A line with one character of its label, or the colon behind it, deleted, doubled or replaced. */
export const labels = (line: string, offset: number, character: string): string[] => {
  const [before] = /^ *(?:\d[\d.x]* *)?/.exec(line)!;
  // A continuation has no label.
  if (before.length >= 20) return [];
  const colon = line.indexOf(':');
  const end = colon < 0 ? line.trimEnd().length : colon + 1;
  if (end <= before.length) return [];
  const where = before.length + Math.floor(offset * (end - before.length));
  const doubled = line[where] === ':' ? '::' : `${line[where]}${character}`;
  return ['', character, doubled].map(
    (each) => line.slice(0, where) + each + line.slice(where + 1),
  );
};

/** Whether a label became another one of the form: no reader could know. */
export function isAnotherLabel(line: string, damaged: string): boolean {
  const keyOf = (text: string): string =>
    labelKey(text.split(':')[0]!.replace(/^ *\d[\d.x]* */, ''));
  const all = [...LABELS.values()].flatMap(({ names }) => [...names.keys()]);
  const key = keyOf(damaged);
  return (
    key !== keyOf(line) && all.some((each) => key === each || (key !== '' && key.endsWith(each)))
  );
}

/** The values that are lost without a finding when a line is damaged. */
export function lostBy({ log, line, damaged }: Damage, readWith = readingOf): string[] {
  const lines = linesIn(log);
  const before = readingOf(log)!;
  const after = readWith(lines.with(line - 1, damaged).join('\n'));
  if (after === null) return [];
  const known = new Set(
    valuesOf(after.sections).flatMap(({ places, value }) =>
      places.map((place) => `${place} ${value.line} ${onOneLine(value.written)}`),
    ),
  );
  const starts = new Set(valuesOf(before.sections).map(({ value }) => value.line));
  return valuesOf(before.sections).flatMap(({ places, value }) => {
    const written = onOneLine(value.written);
    if (places.some((place) => known.has(`${place} ${value.line} ${written}`))) return [];
    let last = value.line;
    while (before.account.useOf(last + 1) === 'value' && !starts.has(last + 1)) last++;
    const isReported = after.findings.list
      .flatMap(placesOf)
      .some((each) => each.line <= last && value.line <= (each.lastLine ?? each.line));
    return isReported ? [] : [`${places[0]}: ${written}`];
  });
}
