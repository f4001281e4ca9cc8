import type { Place as PlaceInLog } from '../../findings/finding.js';
import { CONTACT_LABELS, DRAWING, keyOfLabel, type Labels, LABELS } from './labels.js';
import type { ItemStart } from '../fields.js';
import { labelKey } from '../sections/index.js';
import { AGENCIES } from '../sections/parties.js';
import { isPreamble, isSubtitle, isTitle, resemblesHeading, sectionOfHeading } from './form.js';
import { isNearMiss } from '../near-miss.js';
import { isHint } from '../values/hints.js';
import { LINE_COLUMNS } from '../write/text-lines.js';

/**
 * Finds the sections and items of a text log, and the labels in them. It reads no value. The reader
 * and the checks of the form use it, so that both see the same sections.
 */

/** The start of a section: `3.   GNSS Receiver Information`. */
const SECTION = /^ {0,4}(\d{1,2})\.(?![\dx])([^:]*):?$/i;
/**
 * The start of a section with contacts, however its heading is punctuated: otherwise, its contacts
 * would be ignored lines of another.
 */
const CONTACTS = /^ {0,4}(1[12])(?!\d)[.\s:)-]*(?:on.?site|responsible agency)/i;
/** The lines of the form above the two contacts of an agency. */
export const PRIMARY_CONTACT = /^primary contact/i;
export const SECONDARY_CONTACT = /^secondary contact/i;
/** A word of a heading about contacts, of which a letter may be damaged. */
const CONTACT_WORD = /^(?:[ck]onta[ck]t?\p{L}*|contat|agen[ct]\p{L}*|agnecy|respons[ai]ble)$/iu;
/** The most words of such a heading. */
const MOST_HEADING_WORDS = 10;
/**
 * The start of an item as the form has it: `3.1  Receiver Type : …`,
 * `8.1.x Humidity Sensor Model :`.
 */
const ITEM = /^ {0,4}(\d{1,2})\.(?:(\d{1,3})\.)?(\d{1,4}|x)\.?(?:\s+(\S.*)?)?$/is;
/**
 * What is before the label of an item whose number deviates from the form: `3.2`, `3. 2)`, `3.2a`.
 */
const NUMBER = /^[^\p{L}\p{N}]{0,4}(\d{1,2})(?:\s?[.,]\s?(\d{1,5}|x))?(?:\s?[.,]\s?(\d{1,5}|x))?/iu;
/** The most characters between a number and the label of an item. */
const MOST_BETWEEN = 40;
/** The most letters between them, if the number is that of a section only. */
const MOST_LETTERS = 3;
/** A label ends within this many characters of a line. */
const LABEL_COLUMNS = 80;
/** How many colons of a line are tried as the end of its label. */
const MOST_COLONS = 3;

/**
 * Continuation lines are indented to column 32 in the form, but by hand or with tabs often to a
 * nearby column.
 */
export const CONTINUATION_INDENT = 20;
/** A line indented at least this far starts with a label only if the form has that label next. */
export const LABEL_INDENT = 28;

/** One line of a section. */
export interface TextLine {
  /** Counted from 1. */
  number: number;
  /**
   * The line with blanks instead of tabs, without those at its end; of an item, without its number.
   */
  text: string;
  indent: number;
  /** The columns of the line above; 0 if it is blank. */
  above: number;
  /**
   * `form`: a line of the form without a value. `heading`: that of a section, but not as the form
   * has it. `label`: a label of the section. `drawing`: a line of the drawing, blank or not.
   * `text`: all others, such as continuations.
   */
  kind: 'form' | 'heading' | 'label' | 'drawing' | 'text';
  /** What is before the colon, if there is one. */
  label: string | null;
  /** The label as it is compared. */
  key: string;
  /** What is behind the colon; empty without one. */
  value: string;
  /** The label of the form as which a label that is almost it was read; null for all others. */
  readAs: string | null;
  /** What such a continuation would be if it were not indented so far; null: nothing. */
  looksLike: 'label' | 'item' | null;
}

/** A section without items, an item, or what is between a heading and the first item. */
export interface Part {
  /** The number of the section: 3, 8, 8.1; empty before the first. */
  section: string;
  /** The labels of the section; null if the form has none of that number. */
  labels: Labels | null;
  item: ItemStart | null;
  /** The line on which it begins. */
  line: number;
  /**
   * The number of the item among those of its section that are read, from 1; null if it is none, or
   * is not read yet.
   */
  readAs: number | null;
  /** Whether it is about contacts although no heading says so. */
  isWithoutHeading: boolean;
  lines: TextLine[];
}

/** The place of a part, for findings. */
export const placeOfPart = ({ line, section, readAs }: Part): PlaceInLog => ({
  line,
  section: section === '' ? null : section,
  item: readAs,
});

/** A line that says which station a log is about. */
export interface Identity {
  line: number;
  /** `title`, or the label of the id. */
  what: string;
  /** The characters of the id; empty for a title. */
  id: string;
}

/** What was found in a text log. */
export interface ScannedLog {
  parts: Part[];
  /** Titles and ids, of which a log has one each. */
  identities: Identity[];
  /** Lines with more columns than the form allows. */
  longLines: { number: number; columns: number; part: Part }[];
  /** Lines with null characters. */
  damagedLines: number[];
  /** Whether the file ends within a line. */
  endsWithinLine: boolean;
}

/** A line with blanks instead of tabs. */
function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let expanded = '';
  for (const character of line)
    expanded += character === '\t' ? ' '.repeat(8 - (expanded.length % 8)) : character;
  return expanded;
}

/** The column of the colon in the form, from 0. */
const COLON = 30;

/** Where the value of a line begins, whose first colon is at a place. */
function valueStart(line: string, colon: number): number {
  // A label that ends with a colon of its own, before that of the form.
  const isDoubled = line[COLON] === ':' && /^ *$/.test(line.slice(colon + 1, COLON));
  return isDoubled ? Math.max(colon, COLON) + 1 : colon + 1;
}

/**
 * Splits `     Serial Number            : C128` into label and value; null if there is no label.
 */
function splitLabel(line: string): { label: string; value: string } | null {
  const colon = line.indexOf(':');
  const label = line.slice(0, Math.max(colon, 0)).trim();
  if (label === '') return null;
  let begin = valueStart(line, colon);
  while (line[begin] === ':') begin++;
  return { label, value: line.slice(begin) };
}

/** Whether a section is about contacts. */
export const isAboutContacts = (labels: Labels | null): boolean =>
  labels !== null && labels.name in AGENCIES;

/** Whether a line is one of those that only sections about contacts have. */
export function isOfContact({ key, text }: TextLine): boolean {
  const content = text.trimStart();
  if (PRIMARY_CONTACT.test(content) || SECONDARY_CONTACT.test(content)) return true;
  return CONTACT_LABELS.has(key);
}

/** Whether a text looks like a heading about contacts, though the form has no such heading. */
function resemblesContacts(text: string): boolean {
  if (text.length > LABEL_COLUMNS) return false;
  const words = text.match(/\p{L}{3,}/gu) ?? [];
  return words.length <= MOST_HEADING_WORDS && words.some((word) => CONTACT_WORD.test(word));
}

/** Whether a line is the heading of one of the first sections. */
function isFormBeginning(content: string): boolean {
  const [, number, heading] = SECTION.exec(content.slice(0, LABEL_COLUMNS)) ?? [];
  return (number === '0' || number === '1') && sectionOfHeading(heading!) === number;
}

/** Whether a text is a heading about contacts, without its number. */
const isContactHeading = (text: string): boolean =>
  isAboutContacts(LABELS.get(sectionOfHeading(text) ?? '') ?? null);

/** Whether a line looks like a heading or a label about contacts. */
const isLikeContacts = ({ label, value }: TextLine, content: string): boolean =>
  resemblesContacts(value.trim() === '' ? content : label!);

/** The main number of a section: 8 of 8.1. */
const mainOf = (section: string): string => section.split('.')[0]!;

const REPEATING: readonly Labels[] = [...LABELS.values()].filter(({ repeats }) => repeats);

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
const isSimilar = (key: string, label: string): boolean =>
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

/** A part that is being read. */
interface Place {
  part: Part;
  /** The labels of the part so far, and the place in the form of the last of them. */
  seen: Set<string>;
  last: number;
}

const placeIn = (part: Part): Place => ({ part, seen: new Set(), last: -1 });

/**
 * Takes from the end of a drawing what is probably not part of it, if contacts follow: the lines
 * directly above them, and a line like a heading.
 */
function takeBelowDrawing(lines: TextLine[]): TextLine[] {
  let begin = lines.length;
  const isDrawn = (line: TextLine | undefined): boolean => line?.kind === 'drawing';
  while (isDrawn(lines[begin - 1]) && lines[begin - 1]!.text !== '') begin--;
  let above = begin - 1;
  while (isDrawn(lines[above]) && lines[above]!.text === '') above--;
  const heading = lines[above];
  const isHeading = isDrawn(heading) && /^ {0,4}[\p{L}\p{N}]/u.test(heading!.text);
  const taken = lines.splice(isHeading ? above : begin).filter(({ text }) => text !== '');
  for (const line of taken) line.kind = 'text';
  return taken;
}

/** Splits the lines of a text log into parts. */
class Scanner {
  readonly parts: Part[] = [
    {
      section: '',
      labels: null,
      item: null,
      line: 1,
      readAs: null,
      isWithoutHeading: false,
      lines: [],
    },
  ];
  readonly identities: Identity[] = [];
  readonly longLines: ScannedLog['longLines'] = [];
  readonly damagedLines: number[] = [];
  /** A title below the first one, of which it is not known whether a form follows. */
  private laterTitle: Identity | null = null;
  /** The columns of the line above; 0 if it is blank. */
  private above = 0;
  /** Whether the rest of the file is the drawing. */
  private isDrawing = false;
  /** The number of the last item of each section. */
  private readonly lastItems = new Map<string, number>();
  private place = placeIn(this.parts[0]!);
  /**
   * The place where contacts without their own heading interrupt another section; null elsewhere.
   */
  private interrupted: Place | null = null;
  /** A heading of which only the number is that of a section. */
  private numberedHeading: TextLine | null = null;
  /** The sections about contacts so far. */
  private readonly contacts = new Set<string>();

  scan(raw: string, number: number): void {
    // A null character is damage, and no text in PostgreSQL can have it.
    const whole = raw.includes('\0') ? raw.replaceAll('\0', '\ufffd') : raw;
    if (whole !== raw) this.damagedLines.push(number);
    const text = expandTabs(whole).trimEnd();
    const content = text.trimStart();
    const columns = text.length;
    const line: TextLine = {
      number,
      text,
      indent: text.length - content.length,
      above: this.above,
      kind: 'text',
      label: null,
      key: '',
      value: '',
      readAs: null,
      looksLike: null,
    };
    this.above = text.length;
    if (content === '' && !this.isDrawing) return;
    readLabel(line);
    this.isDrawing &&= !this.endsDrawing(line, content);
    this.findIdentity(line, content);
    if (this.isDrawing) this.addAs('drawing', line);
    else this.classify(line, content);
    if (columns > LINE_COLUMNS) this.longLines.push({ number, columns, part: this.part });
  }

  private get part(): Part {
    return this.place.part;
  }

  private add(line: TextLine): void {
    this.part.lines.push(line);
  }

  private addAs(kind: TextLine['kind'], line: TextLine): void {
    line.kind = kind;
    this.add(line);
  }

  /** Begins a part, whose labels come next. */
  private begin(
    section: string,
    labels: Labels | null,
    item: ItemStart | null,
    line: number,
  ): void {
    const part = { section, labels, item, line, readAs: null, isWithoutHeading: false, lines: [] };
    this.parts.push(part);
    this.place = placeIn(part);
    this.interrupted = null;
    if (isAboutContacts(labels)) this.contacts.add(section);
    if (item !== null) {
      const number = Number(item.number ?? NaN) || (this.lastItems.get(section) ?? 0) + 1;
      this.lastItems.set(section, number);
    }
  }

  /**
   * Begins contacts in another section. What was not read of that section, directly before, is
   * probably the heading that is missing.
   */
  private beginContacts(section: string, line: number): void {
    const isAmongContacts = isAboutContacts(this.part.labels);
    const interrupted = isAmongContacts ? this.interrupted : this.place;
    const before = isAmongContacts ? [] : this.takeUnread();
    // Its heading was not that of a section.
    const isEmpty = this.part.lines.length === 0 && this.part === this.parts.at(-1);
    if (isEmpty && this.parts.length > 1) this.parts.pop();
    this.begin(section, LABELS.get(section)!, null, before[0]?.number ?? line);
    this.interrupted = interrupted;
    this.part.isWithoutHeading = true;
    for (const each of before) this.add(each);
  }

  /** Takes the lines at the end of the part that are neither values nor the form. */
  private takeUnread(): TextLine[] {
    const { lines } = this.part;
    if (lines.at(-1)?.kind === 'drawing') return takeBelowDrawing(lines);
    let begin = lines.length;
    let first = begin;
    while (begin > 0) {
      const line = lines[begin - 1]!;
      if (line.kind !== 'text' && line !== this.numberedHeading) break;
      begin--;
      // What is indented further continues the value above.
      if (line.indent < CONTINUATION_INDENT) first = begin;
    }
    return lines.splice(first);
  }

  /** Whether a line is about contacts, so that it is not part of the drawing. */
  private endsDrawing(line: TextLine, content: string): boolean {
    if (CONTACTS.test(content)) return true;
    const { indent, above } = line;
    if (indent < LABEL_INDENT && isOfContact(line)) return true;
    if ((indent < CONTINUATION_INDENT || above === 0) && isContactHeading(content)) return true;
    return indent < 5 && isLikeContacts(line, content);
  }

  /**
   * Notes what identifies a station, also in a drawing: of two logs in one file, the second begins
   * there.
   */
  private findIdentity(line: TextLine, content: string): void {
    const { number, indent, above, key, value } = line;
    // What is quoted in a value is not a title.
    if (indent >= CONTINUATION_INDENT && above > 0) return;
    // A title has no colon.
    if (line.label === null && isTitle(content))
      this.addTitle({ line: number, what: 'title', id: '' });
    else if (isFormBeginning(content)) this.confirmTitle();
    if (key !== 'fourcharacterid' && key !== 'ninecharacterid') return;
    const { labels, section } = this.part;
    const isElsewhere = labels?.repeats === true || section === '8' || section === '9';
    if (isElsewhere || isAboutContacts(labels)) return;
    // An id that is malformed, or that text follows, is another one too: QZZZ00AU, QZZZ 00 AUS.
    const id = /^([a-z0-9_]{4}(?:\d[a-z0-9]{0,4})?)(?![a-z0-9_])/i.exec(value.trim())?.[1];
    if (id === undefined || isHint(value, true)) return;
    this.confirmTitle();
    this.identities.push({ line: number, what: line.label!, id: id.toUpperCase() });
  }

  /** Notes a title. One that a remark quotes is not that of another log: no form follows it. */
  private addTitle(title: Identity): void {
    if (this.identities.length === 0) this.identities.push(title);
    else this.laterTitle ??= title;
  }

  /** Counts a title below the first one, which a form follows. */
  private confirmTitle(): void {
    if (this.laterTitle === null) return;
    this.identities.push(this.laterTitle);
    this.laterTitle = null;
  }

  /** Takes a line for the first of these that it can be; for text if it is none of them. */
  private classify(line: TextLine, content: string): void {
    const isTaken =
      this.readKnownLabel(line) ||
      this.resume(line, content) ||
      this.readDrawingLabel(line, content) ||
      this.readHeading(line, content) ||
      this.readItem(line, content) ||
      this.readContacts(line, content) ||
      this.readSibling(line) ||
      this.readFormLine(line, content);
    if (isTaken) return;
    line.looksLike = this.likenessOf(line, content);
    this.add(line);
  }

  /** Reads a label of the section. */
  private readKnownLabel(line: TextLine): boolean {
    const { labels } = this.part;
    if (labels?.names.has(line.key) !== true || !this.isLabel(line)) return false;
    this.addLabel(line, labels);
    return true;
  }

  /** Begins an item of another part of section 8 or 9, whose first label a line has. */
  private readSibling(line: TextLine): boolean {
    const sibling = line.indent < LABEL_INDENT ? this.siblingOf(line.key) : undefined;
    if (sibling === undefined) return false;
    const item = { number: null, isTemplate: false, isExact: false };
    this.begin(sibling.section.number, sibling, item, line.number);
    this.addLabel(line, sibling);
    return true;
  }

  /** Takes a line that the form has without a value. */
  private readFormLine(line: TextLine, content: string): boolean {
    if (!this.isOfForm(content)) return false;
    this.addAs('form', line);
    return true;
  }

  /** Reads the label of the drawing, which has no colon. Some logs number it as a section. */
  private readDrawingLabel(line: TextLine, content: string): boolean {
    const { labels } = this.part;
    if (labels?.names.has(DRAWING) !== true) return false;
    if (labelKey(content.replace(/^1\d\.\s*/, '')) !== DRAWING) return false;
    line.label = content;
    line.key = DRAWING;
    this.addLabel(line, labels);
    return true;
  }

  /** Goes back to the section that contacts interrupted, at a label that only it has. */
  private resume(line: TextLine, content: string): boolean {
    if (this.interrupted === null || line.indent >= LABEL_INDENT) return false;
    const { part, seen } = this.interrupted;
    const { labels } = part;
    if (labels === null) return false;
    const isDrawing = labels.names.has(DRAWING) && labelKey(content) === DRAWING;
    const key = isDrawing ? DRAWING : line.key;
    const name = labels.names.get(key)?.[0];
    if (name === undefined || this.part.labels!.names.has(key)) return false;
    const isNew = !seen.has(name) || (labels.repeats && key === labels.first);
    if (!isNew) return false;
    this.place = this.interrupted;
    this.interrupted = null;
    this.classify(line, content);
    return true;
  }

  /** Begins contacts at a line that only they have, or at a heading about contacts. */
  private readContacts(line: TextLine, content: string): boolean {
    const { labels, section } = this.part;
    // Above the first section, nothing is published.
    if (section === '' || isAboutContacts(labels)) return false;
    const isLabel = isOfContact(line) && line.indent < LABEL_INDENT;
    const isHeading = line.indent < CONTINUATION_INDENT && isLikeContacts(line, content);
    if (!isLabel && !isHeading) return false;
    this.beginContacts(this.nextContacts(), line.number);
    if (isLabel) this.classify(line, content);
    else this.addAs(line.value.trim() === '' ? 'heading' : 'text', line);
    return true;
  }

  /** The section that contacts without a heading are in. */
  private nextContacts(): string {
    return this.contacts.has('11') ? '12' : '11';
  }

  /** Whether the form has a line, without a value, in this section or above the first. */
  private isOfForm(content: string): boolean {
    const { labels, section } = this.part;
    if (labels !== null) return isSubtitle(content, labels.section.number);
    return section === '' && isPreamble(content);
  }

  /** Whether a line with a label of the section begins with it. */
  private isLabel({ indent, key }: TextLine): boolean {
    const { labels } = this.part;
    if (indent < LABEL_INDENT) return true;
    if (isAboutContacts(labels)) return false;
    return !this.hasSeen(key) && labels!.places.get(key)! > this.place.last;
  }

  /** Another part of section 8 or 9, if a label is the first of its items. */
  private siblingOf(key: string): Labels | undefined {
    const main = mainOf(this.part.section);
    if (key === '' || (main !== '8' && main !== '9')) return undefined;
    return REPEATING.find(({ section, first }) => first === key && mainOf(section.number) === main);
  }

  /** The name of the value that a label has. */
  private valueName(key: string): string {
    return this.part.labels!.names.get(key)![0]!;
  }

  /** Whether the part has the value of a label. */
  private hasSeen(key: string): boolean {
    return this.place.seen.has(this.valueName(key));
  }

  private addLabel(line: TextLine, labels: Labels): void {
    const isFirstAgain = line.key === labels.first && this.hasSeen(line.key);
    if (labels.repeats && (this.part.item === null || isFirstAgain)) {
      const item = { number: null, isTemplate: false, isExact: false };
      this.begin(this.part.section, labels, item, line.number);
    }
    const { place } = this;
    place.seen.add(this.valueName(line.key));
    place.last = Math.max(place.last, labels.places.get(line.key)!);
    this.addAs('label', line);
    this.isDrawing = line.key === DRAWING;
  }

  /** Enters the section whose heading a line is. */
  private readHeading(line: TextLine, content: string): boolean {
    const { section, match } = this.headingOf(line, content);
    if (section === undefined) return false;
    const labels = LABELS.get(section) ?? null;
    // A number alone may belong to a remark.
    if (match === 'number' && isAboutContacts(labels) && !isAboutContacts(this.part.labels)) {
      this.beginContacts(section, line.number);
      this.part.isWithoutHeading = false;
    } else this.begin(section, labels, null, line.number);
    this.addAs(match === 'exact' ? 'form' : 'heading', line);
    if (match === 'number') this.numberedHeading = line;
    return true;
  }

  /** The section of a heading, and what of it is that of the form. */
  private headingOf(
    { text, indent, above, value }: TextLine,
    content: string,
  ): { section?: string | undefined; match: 'exact' | 'text' | 'number' } {
    const numbered = SECTION.exec(indent < LABEL_COLUMNS ? content : '');
    const named = numbered === null ? undefined : sectionOfHeading(numbered[2]!);
    if (named !== undefined && named === numbered![1])
      return { section: named, match: indent < 5 ? 'exact' : 'text' };
    if (indent >= CONTINUATION_INDENT) {
      // Below text, it is a continuation.
      const isContact = above === 0 && isContactHeading(content);
      return { section: isContact ? sectionOfHeading(content) : undefined, match: 'text' };
    }
    if (named !== undefined) return { section: named, match: 'text' };
    if (numbered !== null && indent < 5) return this.deviatingSection(numbered[1]!, numbered[2]!);
    const contacts = CONTACTS.exec(text)?.[1];
    if (contacts !== undefined) return { section: contacts, match: 'text' };
    if (value !== '' || content.length > LABEL_COLUMNS) return { match: 'text' };
    const section = sectionOfHeading(content) ?? sectionOfHeading(content.replace(/^\S+\s+/, ''));
    // The heading of section 0 is also an ordinary word.
    return { section: section === '0' ? undefined : section, match: 'text' };
  }

  /**
   * The section of a number with a text that is not a heading of the form; none if it is more likely
   * a remark.
   */
  private deviatingSection(
    number: string,
    text: string,
  ): { section?: string; match: 'text' | 'number' } {
    const { section, labels } = this.part;
    const isLater = section === '' || Number(number) > Number(mainOf(section));
    if (resemblesHeading(text, number)) return { section: number, match: 'text' };
    if (!isAboutContacts(labels) && resemblesContacts(text))
      return { section: this.nextContacts(), match: 'text' };
    const isContact = isAboutContacts(LABELS.get(number) ?? null);
    const isHeading = isContact || (isLater && !isAboutContacts(labels));
    return isHeading ? { section: number, match: 'number' } : { match: 'number' };
  }

  /** Begins the item, or reads the line of a section, that begins with a number. */
  private readItem(line: TextLine, content: string): boolean {
    // What is indented further continues a value, if there is one.
    if (line.indent >= CONTINUATION_INDENT && this.place.seen.size > 0) return false;
    const [, main, second, last, rest = ''] = ITEM.exec(line.text) ?? [];
    const section = second === undefined ? (main ?? '') : `${main}.${second}`;
    const target = last === undefined || !this.canEnter(section) ? undefined : LABELS.get(section);
    const enter = (): boolean => {
      const item = { number: last!, isTemplate: last!.toLowerCase() === 'x', isExact: true };
      this.enterItem(line, section, target!, item, rest);
      return true;
    };
    if (target?.names.has(keyOfLabel(splitLabel(rest)?.label ?? '')) === true) return enter();
    const found = this.numberedLabel(content);
    if (found !== null && this.canEnter(found.section)) {
      this.enterItem(line, found.section, found.labels, found.item, content.slice(found.begin));
      return true;
    }
    if (target === undefined) return false;
    if (rest === '' && isAboutContacts(target) && target !== this.part.labels) return enter();
    if (this.isExpected(section, target, last!, rest)) return enter();
    if (!isAboutContacts(target) || target !== this.part.labels) return false;
    removeNumber(line, rest);
    this.add(line);
    return true;
  }

  /**
   * Whether an item of a section can begin here: not among contacts, which are withheld, unless they
   * interrupt a section that is not later.
   */
  private canEnter(section: string): boolean {
    if (!isAboutContacts(this.part.labels) || isAboutContacts(LABELS.get(section) ?? null))
      return true;
    if (this.interrupted === null) return false;
    const { part } = this.interrupted;
    return Number(mainOf(part.section)) <= Number(mainOf(section));
  }

  /**
   * Whether an item as the form numbers it, but without a label of the form, is more likely an item
   * than a remark.
   */
  private isExpected(section: string, target: Labels, item: string, rest: string): boolean {
    const { section: current, labels } = this.part;
    if (!target.repeats || isAboutContacts(labels)) return false;
    const isHere = mainOf(current) === mainOf(section);
    const isLater = current === '' || Number(mainOf(section)) > Number(mainOf(current));
    if (rest === '') return isHere || isLater;
    const label = labelKey(splitLabel(rest)?.label ?? rest.slice(0, LABEL_COLUMNS));
    const isLike = isSimilar(label, target.first);
    if (!rest.includes(':')) return isHere && isLike;
    const isNext = !(Number(item) <= (this.lastItems.get(section) ?? 0));
    return isHere ? isLike || isNext : isLater && (isLike || isNext);
  }

  /** The number and the label that a line begins with; null if it does not. */
  private numberedLabel(content: string): NumberedLabel | null {
    const head = content.slice(0, LABEL_COLUMNS);
    if (!/^.{0,12}\d/.test(head)) return null;
    const { labels } = this.part;
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

  private enterItem(
    line: TextLine,
    section: string,
    labels: Labels,
    item: ItemStart,
    rest: string,
  ): void {
    const isHere = this.part.labels === labels;
    if (labels.repeats) this.begin(section, labels, item, line.number);
    else if (!isHere && isAboutContacts(labels)) this.beginContacts(section, line.number);
    else if (!isHere) this.begin(section, labels, null, line.number);
    removeNumber(line, rest);
    if (rest === '') this.addAs('form', line);
    else if (labels.names.has(line.key)) this.addLabel(line, labels);
    else this.add(line);
  }

  /** What a continuation line would be with another indentation. */
  private likenessOf({ indent, key }: TextLine, content: string): TextLine['looksLike'] {
    const { labels } = this.part;
    if (indent < CONTINUATION_INDENT || labels === null) return null;
    const isMissing = labels.names.has(key) && !this.hasSeen(key);
    // Each contact of an agency has the same labels.
    if (isMissing || (isAboutContacts(labels) && labels.names.has(key))) return 'label';
    if (!labels.repeats || !/^\d/.test(content)) return null;
    const found = this.numberedLabel(content);
    const label = found === null ? null : splitLabel(content.slice(found.begin));
    const isFirst = label !== null && labelKey(label.label) === found!.labels.first;
    return isFirst && found!.item.number !== null ? 'item' : null;
  }
}

/**
 * Takes the lines of a part whose labels are almost one of the form for lines with that label, if the
 * part has no other line for it. Contacts keep all their lines in any case.
 */
function readSimilarLabels({ labels, lines }: Part): void {
  if (labels === null || isAboutContacts(labels)) return;
  const isUnknown = ({ kind, label, indent }: TextLine): boolean =>
    kind === 'text' && label !== null && indent < LABEL_INDENT;
  const unknown = lines.filter(isUnknown);
  if (unknown.length === 0) return;
  const { names, section } = labels;
  const seen = new Set(lines.flatMap(({ kind, key }) => (kind === 'label' ? names.get(key)! : [])));
  const missing = [...names].filter(([, [name]]) => !seen.has(name!));
  const meant = unknown.map(({ key }) => missing.filter(([each]) => isNearMiss(each, key)));
  const namesIn = meant.map((labels) => new Set(labels.map(([, [name]]) => name!)));
  const candidates = Map.groupBy(
    namesIn.flatMap((each) => [...each]),
    (name) => name,
  );
  for (const [index, line] of unknown.entries()) {
    const [name, ...others] = namesIn[index]!;
    const isOnly = name !== undefined && candidates.get(name)!.length === 1;
    if (!isOnly || others.length > 0) continue;
    line.kind = 'label';
    line.key = meant[index]![0]![0];
    line.readAs = section.rows[name]!.label ?? name;
  }
}

/** Finds the label in the text of a line. */
function readLabel(line: TextLine): void {
  const found = splitLabel(line.text);
  line.label = found?.label ?? null;
  line.key = found === null ? '' : keyOfLabel(found.label.slice(0, LABEL_COLUMNS));
  line.value = found?.value ?? '';
}

/** Keeps only what follows the item number. */
function removeNumber(line: TextLine, rest: string): void {
  line.text = rest;
  line.indent = 0;
  readLabel(line);
}

/** Scans the text of a site log. */
export function scanText(text: string): ScannedLog {
  const scanner = new Scanner();
  const lines = text.split(/\r\n|\n|\r/);
  lines.forEach((line, index) => scanner.scan(line, index + 1));
  const { parts, identities, longLines, damagedLines } = scanner;
  for (const part of parts) readSimilarLabels(part);
  const endsWithinLine = lines.at(-1) !== '';
  return { parts, identities, longLines, damagedLines, endsWithinLine };
}
