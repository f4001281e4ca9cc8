import { DRAWING, keyOfLabel, type Labels, LABELS } from './labels.js';
import type { ItemStart } from '../fields.js';
import { labelKey } from '../sections/index.js';
import {
  CONTACTS,
  isAboutContacts,
  isContactHeading,
  isLikeContacts,
  isOfContact,
  resemblesContacts,
} from './contact-lines.js';
import { isPreamble, isSubtitle, resemblesHeading, sectionOfHeading } from './form.js';
import { type Identity, Identities } from './identities.js';
import { isSimilar, ITEM, mainOf, numberedLabel, REPEATING } from './item-numbers.js';
import {
  CONTINUATION_INDENT,
  expandTabs,
  LABEL_COLUMNS,
  LABEL_INDENT,
  type Part,
  readLabel,
  removeNumber,
  SECTION,
  splitLabel,
  type TextLine,
} from './lines.js';
import { readSimilarLabels } from './similar-labels.js';
import { LINE_COLUMNS } from '../write/text-lines.js';

/**
 * Finds the sections and items of a text log, and the labels in them. It reads no value. The reader
 * and the checks of the form use it, so that both see the same sections.
 */

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
  readonly identities = new Identities();
  readonly longLines: ScannedLog['longLines'] = [];
  readonly damagedLines: number[] = [];
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
    this.identities.note(line, content, this.part);
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
   * The section of a number with a text that is not a heading of the form; none if it is more
   * likely a remark.
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
    const found = numberedLabel(content, this.part.labels);
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
   * Whether an item of a section can begin here: not among contacts, which are withheld, unless
   * they interrupt a section that is not later.
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
    const found = numberedLabel(content, this.part.labels);
    const label = found === null ? null : splitLabel(content.slice(found.begin));
    const isFirst = label !== null && labelKey(label.label) === found!.labels.first;
    return isFirst && found!.item.number !== null ? 'item' : null;
  }
}

/** Scans the text of a site log. */
export function scanText(text: string): ScannedLog {
  const scanner = new Scanner();
  const lines = text.split(/\r\n|\n|\r/);
  lines.forEach((line, index) => scanner.scan(line, index + 1));
  const { parts, identities, longLines, damagedLines } = scanner;
  for (const part of parts) readSimilarLabels(part);
  const endsWithinLine = lines.at(-1) !== '';
  return { parts, identities: identities.found, longLines, damagedLines, endsWithinLine };
}
