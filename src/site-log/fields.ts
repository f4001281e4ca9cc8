import type { Written } from '../../schemas/index.js';
import type { FindingCode } from '../findings/codes.js';
import type { Place } from '../findings/finding.js';
import { type Findings, type Report, WITHHELD } from '../findings/findings.js';
import { withSingleBlanks } from '../words.js';
import { isBlankDrawing } from './values/hints.js';
import { kindOf } from './values/kinds.js';
import type { Row } from './sections/index.js';
import { CUT, LONGEST_TEXT, LONGEST_WRITTEN } from './values/limits.js';
import { decodeReferences, type Remark, withoutControls, withoutHint } from './values/reading.js';

/**
 * The values of a block: as they are in the file, and as the model has them, each as written and as
 * read.
 */

/** One value in the file. */
export interface Field {
  /** The label or element name, for use in findings. */
  label: string;
  /** The value, with lines joined by line feeds. */
  text: string;
  /** The line on which the value starts. */
  line: number;
}

/** How an item of the text form begins. */
export interface ItemStart {
  /** Its number behind that of the section, as written; null if it has none. */
  number: string | null;
  /** Whether it is the blank template of its section. */
  isTemplate: boolean;
  /** Whether its number and label are as the form has them. */
  isExact: boolean;
}

/**
 * Takes the findings about a block. They wait until it is known whether the block counts as an
 * item, and which number it has.
 */
export class BlockFindings {
  private waiting: { code: FindingCode; report: () => void }[] | null = [];
  private section: string | null = null;
  private item: number | null = null;

  /** @param isAboutContacts whether the block is about contacts, which are never quoted */
  constructor(
    private readonly findings: Findings,
    private readonly isAboutContacts = false,
  ) {}

  readonly add: Report = (code, place, values, level) => {
    const { section, item } = this;
    const report = this.isAboutContacts ? this.findings.addAboutContacts : this.findings.add;
    if (this.waiting === null) report(code, { ...place, section, item }, values, level);
    else this.waiting.push({ code, report: () => this.add(code, place, values, level) });
  };

  /** Adds a finding about a contact in a block that is otherwise not about contacts. */
  readonly addAboutContacts: Report = (code, place, values, level) => {
    const { section, item } = this;
    if (this.waiting === null)
      this.findings.addAboutContacts(code, { ...place, section, item }, values, level);
    else {
      const report = (): void => this.addAboutContacts(code, place, values, level);
      this.waiting.push({ code, report });
    }
  };

  /** Says where the block is, and passes the findings on. @param item null if it is no item */
  place(section: string, item: number | null): void {
    this.section = section;
    this.item = item;
    const waiting = this.waiting ?? [];
    this.waiting = null;
    for (const { report } of waiting) report();
  }

  /**
   * Says that the block is a blank template: nothing that is wrong with its values matters, but
   * lines may be those of an item.
   */
  placeTemplate(section: string): void {
    this.waiting = this.waiting!.filter(({ code }) => code === 'ignored-line');
    this.place(section, null);
  }
}

/** The values of one block, by the names in the tables of sections. */
export class Fields extends Map<string, Field> {
  /**
   * @param line the line on which the block starts
   * @param findings take what deviates from the form
   * @param start how it begins, if it is an item of the text form
   * @param firstLine the text of its first line, for a finding about how it begins
   */
  constructor(
    readonly line: number,
    readonly findings: BlockFindings,
    readonly start: ItemStart | null = null,
    readonly firstLine = '',
  ) {
    super();
  }

  /**
   * The text of a value, with doubly escaped character references decoded; empty if the block does
   * not have it.
   */
  textOf(name: string): string {
    return decodeReferences(this.get(name)?.text ?? '');
  }

  /**
   * Adds text that a section with contacts has under a label, or in an element, that is not in the
   * form.
   */
  addOther(text: string, line: number): Field {
    const others = this.get('others') ?? { label: 'others', text: '', line };
    others.text += this.has('others') ? `\n${text}` : text;
    this.set('others', others);
    return others;
  }
}

/** Noncharacters and unpaired surrogates. */
const NO_CHARACTERS =
  /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A one-line text without any of them or control characters, as most are. */
const PLAIN = /^[\u0020-\u007e\u00a0-\ud7ff]*$/;

/** The lines of a text, without spaces at their ends and without blank lines around them. */
function trimmedLines(text: string): string {
  if (PLAIN.test(text)) return text.trim();
  const lines = withoutControls(text)
    .replace(NO_CHARACTERS, '\ufffd')
    .split('\n')
    .map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  return first < 0
    ? ''
    : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1).join('\n');
}

/** Whether a text is the examples of the form for a value, without the parentheses around them. */
const isExampleOf = ({ hint }: Row, text: string): boolean =>
  hint?.length === text.length &&
  /etc$|rcvr_ant\.tab/.test(hint) &&
  hint.toLowerCase() === text.toLowerCase();

/** A text as written, without the hints of the blank form; null if nothing is left. */
function asWritten(text: string, row: Row): string | null {
  let lines = trimmedLines(text);
  if (row.kind === 'drawing') return isBlankDrawing(lines) ? null : lines;
  for (;;) {
    const raw = withoutHint(lines.trim());
    if (raw === null || raw === '' || isExampleOf(row, raw)) return null;
    if (raw === lines) return kindOf(row).isUnknown?.(raw) === true ? null : raw;
    lines = trimmedLines(raw);
  }
}

/** Blanks other than the ordinary one, and characters that are not shown at all. */
const INVISIBLE = /[\p{Zs}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Characters of ASCII that are shown, as most such values have only. */
const PRINTABLE = /^[\u0020-\u007e]*$/;
/** The most invisible characters that a finding names. */
const MOST_NAMED = 5;

/** The names of the invisible characters of a text, each once: `U+00A0`. */
function invisibleIn(text: string): string[] {
  if (PRINTABLE.test(text)) return [];
  const found = new Set(text.match(INVISIBLE)?.filter((character) => character !== ' '));
  return [...found]
    .slice(0, MOST_NAMED)
    .map((each) => `U+${each.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`);
}

/** A text of at most {@link LONGEST_WRITTEN} characters, or the beginning of a longer one. */
function withinLimit(text: string, place: Place, report: Report): string {
  if (text.length <= LONGEST_WRITTEN) return text;
  const value = text.trim();
  if (value.length <= LONGEST_WRITTEN) return value;
  report('long-value', place, { length: value.length, most: LONGEST_WRITTEN, text: value });
  return value.slice(0, LONGEST_WRITTEN) + CUT;
}

/** Reads a value of a block; null if it is blank. What deviates from the form becomes a finding. */
function readValue(
  { label, line, text: encoded }: Field,
  row: Row,
  report: Report,
): Written | null {
  const place = { line, label };
  const whole = withinLimit(encoded, place, report);
  const text = decodeReferences(whole);
  if (text !== whole) report('decoded-references', { line }, { text });
  const written = asWritten(text, row);
  if (written === null) return null;
  const invisible = row.identifies === true ? invisibleIn(written) : [];
  if (invisible.length > 0)
    report('invisible-character', place, { characters: invisible, text: written });
  if (row.personal === true && written === WITHHELD) return { written, value: null, line };
  const { value, remark } = kindOf(row).read(written);
  if (remark !== undefined) reportRemark(remark, place, written, report);
  return { written, value, line } as Written;
}

/** Reports how the text of a value deviates from the form. */
function reportRemark(remark: Remark, place: Place, text: string, report: Report): void {
  if (remark.code === 'unreadable-value')
    report(remark.code, place, { expected: remark.expected, text });
  else {
    const { deviation, read, isPartial } = remark;
    report(remark.code, place, { deviation, read, text }, isPartial ? 'warning' : 'info');
  }
}

/** The values of a block by the names in the tables of sections. */
export type Values = Readonly<Record<string, Written | null>>;

/** The values of a block of the model. */
export const valuesOf = (block: object): Values => block as Values;

/** Reads all values of a block. */
export function readRows(fields: Fields, rows: Readonly<Record<string, Row>>): Values {
  const values: Record<string, Written | null> = {};
  for (const name of Object.keys(rows)) {
    const field = fields.get(name);
    values[name] = field === undefined ? null : readValue(field, rows[name]!, fields.findings.add);
  }
  return values;
}

/**
 * A text as read, on one line and cut to `longest` characters with a finding.
 * @param place that of the value, without its line
 * @param folded whether runs of blanks become one
 */
export function oneLineOf(
  value: Written | null,
  place: Omit<Place, 'line'>,
  report: Report,
  longest = LONGEST_TEXT,
  folded = true,
): string | null {
  if (typeof value?.value !== 'string') return null;
  const text = folded ? withSingleBlanks(value.value) : value.value;
  if (text.length <= longest) return text;
  const values = { length: text.length, most: longest, text };
  report('long-value', { ...place, line: value.line }, values);
  // Do not cut a surrogate pair in half.
  return text
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}
