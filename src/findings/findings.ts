import {
  type FindingCode,
  type FindingData,
  messageOf,
  usualLevel,
  type ValuesOf,
} from './codes.js';
import { onOneLine } from '../words.js';
import type { AssumedUse } from './codes/values.js';
import { isExplained } from './explained.js';
import type { FindingLevel, FindingValues, PartOfLog, Place } from './finding.js';

/** Collects what is found about one file. */

/** A deviation of a file from the site log form. */
export interface Finding extends FindingData {
  /** The path of the file, as given to the reader. */
  file: string;
  /** The line, counted from 1; the first, if there are several. */
  line: number;
  /** The last of several lines; null for one. */
  lastLine: number | null;
  section: string | null;
  item: number | null;
  label: string | null;
  level: FindingLevel;
  /** The offending text, on one line, shortened if it is long; empty if there is none. */
  text: string;
  /** Where the log has the same again, in the order of the file; empty if nowhere. */
  others: OtherPlace[];
}

/** A further place of a finding, with the text there. */
type OtherPlace = Pick<Finding, 'line' | 'lastLine' | 'section' | 'item' | 'text'>;

/** Whether a finding is of a code, so that its values are known. */
export const isOf = <Code extends FindingCode>(
  finding: Pick<Finding, 'code'>,
  code: Code,
): finding is Pick<Finding, 'code'> & { code: Code; values: ValuesOf<Code> } =>
  finding.code === code;

/** The values of a finding, with the offending text of the file. */
export type Reported<Code extends FindingCode> = ValuesOf<Code> & { text?: string };

type Reportable = FindingValues & { text?: string };

/** Takes a finding. @param level another level than the usual one of the code */
export type Report = <Code extends FindingCode>(
  code: Code,
  place: Place,
  values: Reported<Code>,
  level?: FindingLevel,
) => void;

/** The line or lines of a finding in words. */
export const linesInWords = ({ line, lastLine }: Pick<Finding, 'line' | 'lastLine'>): string =>
  lastLine === null ? `line ${line}` : `lines ${line} to ${lastLine}`;

/** The numbers of a section or item: 3 and 2 of 3.2. */
const numbersOf = (section: string): number[] => section.split('.').map(Number);

/** The order of sections and items in a log: 3.2, 3.10, 8.1.1, 10. */
function inLogOrder(one: string, other: string): number {
  const others = numbersOf(other);
  for (const [index, number] of numbersOf(one).entries()) {
    const difference = number - (others[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return -1;
}

/** Whether a section or item follows another one: 3.3 and 3.2, 7 and 6. */
function isNext(section: string, before: string): boolean {
  const expected = numbersOf(before);
  expected.push(expected.pop()! + 1);
  return section === expected.join('.');
}

/** Consecutive items in words: `3.1`, `3.1 and 3.2`, `3.1 to 3.20`. */
function rangeInWords(range: readonly string[]): string {
  const [first] = range;
  const last = range.at(-1);
  if (range.length === 1) return first!;
  return `${first} ${range.length === 2 ? 'and' : 'to'} ${last}`;
}

/**
 * Sections or items in words: `1`, `3.2`, `3.1 to 3.20, 3.22`; null if there are none.
 * @param sections from {@link firstSection}, in the order of the file
 */
export function sectionsInWords(sections: readonly (string | null)[]): string | null {
  const known = [...new Set(sections)].filter((section) => section !== null);
  const ranges: string[][] = [];
  for (const section of known.sort(inLogOrder)) {
    const range = ranges.at(-1);
    if (range !== undefined && isNext(section, range.at(-1)!)) range.push(section);
    else ranges.push([section]);
  }
  return ranges.length === 0 ? null : ranges.map(rangeInWords).join(', ');
}

/** The sections or items of all places of a finding in words; null outside of all sections. */
export const sectionWords = (
  finding: Pick<Finding, 'section' | 'item' | 'others'>,
): string | null => sectionsInWords([finding, ...finding.others].map(firstSection));

/** The most texts of a finding that are shown at once. */
const MOST_TEXTS = 5;

/** The different texts of all places of a finding, of many the first ones; empty without any. */
export function textsOf({ text, others }: { text: string; others: { text: string }[] }): string {
  const distinct = new Set([text, ...others.map((other) => other.text)]);
  distinct.delete('');
  const shown = [...distinct].slice(0, MOST_TEXTS).join('; ');
  const rest = distinct.size - MOST_TEXTS;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** The section or item of the first place of a finding: 1, 3.2; null outside of all sections. */
export function firstSection({ section, item }: Pick<Finding, 'section' | 'item'>): string | null {
  return section === null || item === null ? section : `${section}.${item}`;
}

/** What is in place of a value about a contact where it is not published. */
export const WITHHELD = '(withheld)';

/** The most characters of a text of the file that a finding has. */
const QUOTED_LENGTH = 120;
/** The most characters of a text that are searched for contacts, before it is shortened. */
export const SEARCHED_LENGTH = 4000;
/** The most findings that are recorded per file. */
const MOST_FINDINGS = 1000;

/** Replaces half a character of two code units, which is left where text was cut. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');

function shortened(text: string): string {
  const cut = text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text;
  return wellFormed(cut);
}

/** The beginning of a text of the file, on one line. */
const quotedText = (text: string): string => onOneLine(text.slice(0, SEARCHED_LENGTH));

/** A finding whose texts are not shortened yet. */
interface WholeFinding extends Finding {
  /** Whether it is about a section with contacts, so that none of its texts is published. */
  isAboutContacts: boolean;
}

/** Collects the findings of one file. */
export class Findings {
  private readonly found: WholeFinding[];

  /** @param before the findings so far, to which others are added */
  constructor(
    readonly file: string,
    before: readonly Finding[] = [],
  ) {
    this.found = before.map((finding) => ({ ...finding, isAboutContacts: false }));
  }

  /**
   * What was found so far. Findings that say the same are one finding with several places: they
   * have one cause.
   */
  get list(): Finding[] {
    const distinct = new Map<string, Finding>();
    for (const { isAboutContacts: _, ...whole } of this.found) {
      if (isExplained(whole, this.found)) continue;
      const values = withQuoted(whole.values, shortened);
      const finding = { ...whole, values, text: shortened(whole.text), others: [...whole.others] };
      const { code, level, label } = finding;
      // The message names the section where that matters.
      const key = JSON.stringify([code, level, label, values, messageOf(finding)]);
      const first = distinct.get(key);
      if (first === undefined) distinct.set(key, finding);
      else first.others.push(...placesOf(finding));
    }
    return [...distinct.values()];
  }

  /** Adds a finding. */
  readonly add: Report = (code, place, values, level) =>
    this.push(code, place, values, level, false);

  /** Adds a finding about a section with contacts: none of its texts is published. */
  readonly addAboutContacts: Report = (code, place, values, level) =>
    this.push(code, place, values, level, true);

  /**
   * Replaces the contacts of the log in the findings so far.
   * @param withheld replaces them in a text; null replaces all texts of the file
   */
  withhold(withheld: ((text: string) => string) | null): void {
    for (const finding of this.found) {
      const replace = finding.isAboutContacts || withheld === null ? () => '' : withheld;
      finding.values = withQuoted(finding.values, (quoted) => replace(quoted) || WITHHELD);
      finding.text = replace(finding.text);
      for (const other of finding.others) other.text = replace(other.text);
    }
  }

  /** Takes back that a text at a line is unreadable, because another finding says the same. */
  takeBackUnreadable(line: number, text: string): void {
    const unreadable = this.unreadableAt(line, text);
    if (unreadable !== undefined) this.found.splice(this.found.indexOf(unreadable), 1);
  }

  /** Adds to the finding that a date at a line is unreadable what its item counts as. */
  addToUnreadable(line: number, text: string, assumed: AssumedUse): void {
    const unreadable = this.unreadableAt(line, text);
    if (unreadable !== undefined) unreadable.values = { ...unreadable.values, assumed };
  }

  /** Adds the section and item to the findings of a code at a line, which were reported before. */
  locate(code: FindingCode, line: number, { section = null, item = null }: PartOfLog): void {
    for (const finding of this.found)
      if (finding.code === code && finding.line === line) Object.assign(finding, { section, item });
  }

  /** The finding that a text at a line is unreadable. */
  private unreadableAt(line: number, text: string): WholeFinding | undefined {
    const quoted = quotedText(text);
    return this.found.find(
      (each) => each.code === 'unreadable-value' && each.line === line && each.text === quoted,
    );
  }

  private push(
    code: FindingCode,
    { line, lastLine = line, section = null, item = null, label = null }: Place,
    { text = '', ...values }: Reportable,
    level: FindingLevel = usualLevel(code),
    isAboutContacts: boolean,
  ): void {
    // An error is the reason for a rejection, so it is always recorded.
    if (this.found.length > MOST_FINDINGS && level !== 'error') return;
    if (this.found.length === MOST_FINDINGS && level !== 'error') {
      const finding = { code: 'many-findings', values: { most: MOST_FINDINGS } } as const;
      this.found.push({ ...this.wholeFile(line), ...finding });
      return;
    }
    this.found.push({
      file: this.file,
      code,
      level,
      line,
      lastLine: lastLine > line ? lastLine : null,
      section,
      item,
      label: label === null ? null : wellFormed(label),
      values: withQuoted(values, (quoted) => quoted.slice(0, SEARCHED_LENGTH)),
      text: quotedText(text),
      others: [],
      isAboutContacts,
    });
  }

  /** A warning about the file from a line on. */
  private wholeFile(line: number): Omit<WholeFinding, 'code' | 'values'> {
    const place = { line, lastLine: null, section: null, item: null, label: null };
    const nothing = { text: '', others: [], isAboutContacts: false };
    return { file: this.file, ...place, level: 'warning', ...nothing };
  }
}

/** All places of a finding. */
export const placesOf = ({ others, ...finding }: Omit<Finding, 'file'>): OtherPlace[] => {
  const { line, lastLine, section, item, text } = finding;
  return [{ line, lastLine, section, item, text }, ...others];
};

/** Values with other texts of the file. */
function withQuoted(values: FindingValues, replace: (text: string) => string): FindingValues {
  const { quoted } = values;
  return quoted === undefined ? values : { ...values, quoted: quoted.map(replace) };
}

/**
 * The file is rejected: it is not a site log, or its station cannot be identified. The last of
 * `findings` is the reason.
 */
export class SiteLogRejected extends Error {
  override readonly name = 'SiteLogRejected';
  /** @param recognised whether the file is a site log at all */
  constructor(
    readonly findings: Finding[],
    readonly recognised: boolean,
  ) {
    super(findings.length === 0 ? 'not a site log' : messageOf(findings.at(-1)!));
  }
}

/**
 * Rejects the file. The reason becomes its last finding.
 * @param recognised whether the file is a site log at all
 * @throws {SiteLogRejected} always
 */
export function reject<Code extends FindingCode>(
  findings: Findings,
  code: Code,
  place: Place,
  values: Reported<Code>,
  recognised = true,
): never {
  findings.add(code, place, values);
  throw new SiteLogRejected(findings.list, recognised);
}
