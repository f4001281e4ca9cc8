import type { SiteLogSections } from '../../../schemas/index.js';
import { DRAWING, type Labels, type TextSectionName } from './labels.js';
import { BlockFindings, type Field, Fields } from '../fields.js';
import { LineAccount } from './account.js';
import { isBlankNumber } from '../values/numbers.js';
import { AGENCIES } from '../sections/parties.js';
import { POSITION_HEADING } from '../sections/site.js';
import { type Findings, reject, type Report, SEARCHED_LENGTH } from '../../findings/findings.js';
import { isOfForm } from './form.js';
import { isHint } from '../values/hints.js';
import {
  CONTINUATION_INDENT,
  type Identity,
  isAboutContacts,
  isOfContact,
  type Part,
  PRIMARY_CONTACT,
  type ScannedLog,
  scanText,
  SECONDARY_CONTACT,
  type TextLine,
} from './scanner.js';
import { isContinuedBy } from '../write/text-lines.js';

/**
 * The text format of the IGS site log, versions 1 and 2.0: numbered sections and items of
 * `label : value` lines, whose values may continue on the lines below.
 */

/** A value of a text log, with its lines. */
interface TextField extends Field {
  lines: number[];
  isDrawing: boolean;
  /** The text of each of its lines. */
  texts: string[];
}

/**
 * Whether the text is an IGS site log: it has the title line, or a label that only site logs have.
 */
export function isAsciiSiteLog(text: string): boolean {
  const head = text.slice(0, 20_000);
  return (
    /site information form/i.test(head) ||
    /^[ \t]{0,20}(four|nine) character id[ \t]{0,20}:/im.test(head)
  );
}

/** Takes findings about lines of a part that are not of the form. */
function reportIn({ labels, section }: Part, findings: Findings): Report {
  // Lines above the first section and in section 0 may say who prepared the log, under any label.
  const isPersonal = section === '' || labels?.name === 'formInformation';
  return isPersonal || isAboutContacts(labels) ? findings.addAboutContacts : findings.add;
}

/**
 * Takes findings that quote lines of a part. Contacts below a heading that cannot be read are in a
 * part of another section.
 */
const reportOfLines = (part: Part, lines: readonly TextLine[], findings: Findings): Report =>
  lines.some(isOfContact) ? findings.addAboutContacts : reportIn(part, findings);

/** Rejects a file with two logs, which would become one Site with the equipment of both. */
function rejectSeveral(identities: readonly Identity[], findings: Findings): void {
  const refuse = (first: Identity, second: Identity): never =>
    reject(
      findings,
      'two-site-logs',
      { line: second.line },
      { beginnings: [first.what, second.what], lines: [first.line, second.line] },
    );
  const [title, secondTitle] = identities.filter(({ id }) => id === '');
  if (title !== undefined && secondTitle !== undefined) refuse(title, secondTitle);
  const [first, ...others] = identities.filter(({ id }) => id !== '');
  if (first === undefined) return;
  // The nine characters of a Site begin with its four.
  let known = first;
  for (const other of others) {
    const length = Math.min(known.id.length, other.id.length);
    if (known.id.slice(0, length) !== other.id.slice(0, length)) refuse(known, other);
    if (other.id.length > known.id.length) known = other;
  }
}

/** Reports lines with null characters; those in a row, in one finding. */
function reportDamage(lines: readonly number[], findings: Findings): void {
  let begin = 0;
  for (const [index, line] of lines.entries()) {
    if (lines[index + 1] === line + 1) continue;
    const place = { line: lines[begin]!, lastLine: line };
    findings.add('invisible-character', place, { characters: null });
    begin = index + 1;
  }
}

/**
 * Where another item begins within the lines of an item, because its own first line was not
 * recognized: its lines repeat labels. -1 if there is none.
 */
function lostItemIn({ labels, lines }: Part): number {
  const { names, places } = labels!;
  const seen = new Set<string>();
  let highest = -1;
  let suspect = -1;
  for (const [index, { kind, key, indent, looksLike }] of lines.entries()) {
    const isItem = looksLike === 'item';
    if (isItem && lines.slice(index).some((each) => each.kind === 'label')) return index;
    if (kind === 'text' && indent < CONTINUATION_INDENT && suspect < 0) suspect = index;
    if (kind !== 'label') continue;
    const name = names.get(key)![0]!;
    if (seen.has(name)) {
      const begin = suspect < 0 ? index : suspect;
      if (repeats(lines.slice(begin), names, seen)) return begin;
      // Otherwise a single label appears twice.
    }
    const place = places.get(key)!;
    if (place > highest) suspect = -1;
    else if (!seen.has(name) && suspect < 0) suspect = index;
    highest = Math.max(highest, place);
    seen.add(name);
  }
  return -1;
}

/** Whether at least two, and half of the labels of the lines are known. */
function repeats(
  lines: readonly TextLine[],
  names: Labels['names'],
  known: ReadonlySet<string>,
): boolean {
  const labels = lines.filter(({ kind }) => kind === 'label');
  const again = labels.filter(({ key }) => known.has(names.get(key)![0]!)).length;
  return again >= 2 && again * 2 >= labels.length;
}

/** Reads the lines of one part into a block. */
class BlockReader {
  private readonly block: Fields;
  /** The field that a continuation line would extend. */
  private field: TextField | null = null;
  /** Whether the field is text outside the form's labels; only sections with contacts keep it. */
  private isOther = false;
  /** Of an agency: 0 in its primary contact, 1 in its secondary. */
  private contact = 0;
  private readonly isContact: boolean;
  private readonly isTemplate: boolean;
  /** The values so far, by their names. */
  private readonly own = new Map<string, TextField>();
  /** The values that may include the line of another value, as a finding has reported. */
  private readonly suspected = new Set<TextField>();

  constructor(
    private readonly part: Part,
    private readonly labels: Labels,
    private readonly findings: Findings,
    private readonly account: LineAccount,
    private readonly fields: TextField[],
  ) {
    this.isContact = isAboutContacts(labels);
    this.isTemplate = part.item?.isTemplate === true;
    const blockFindings = new BlockFindings(findings, this.isContact);
    this.block = new Fields(part.line, blockFindings, part.item, part.lines[0]?.text);
  }

  read(): Fields {
    const lost = this.labels.repeats ? lostItemIn(this.part) : -1;
    const { lines } = this.part;
    for (const line of lost < 0 ? lines : lines.slice(0, lost)) this.readLine(line);
    if (lost >= 0) this.reportLost(lines.slice(lost));
    if (!this.isContact) this.reportMissingLabels();
    return this.block;
  }

  /**
   * Reports values that continue where the next label of the form is missing: a line that lost its
   * label looks like a continuation of the line above.
   */
  private reportMissingLabels(): void {
    const { next: names, section } = this.labels;
    for (const [name, field] of this.own) {
      const next = names.get(name);
      if (next === undefined || this.block.has(next)) continue;
      const isContinued = field.texts.slice(1).some((text) => !isHint(text, true));
      if (!isContinued || isBlankField(field) || field.isDrawing || this.suspected.has(field))
        continue;
      const { label = next } = section.rows[next]!;
      this.block.findings.add(
        'indented-label',
        { line: field.line, lastLine: field.lines.at(-1)! },
        { quoted: [label], isMissing: true, text: field.texts.join(' ') },
      );
    }
  }

  private readLine(line: TextLine): void {
    const { kind, text, number } = line;
    if (kind === 'label') this.readLabel(line);
    else if (kind === 'drawing') {
      this.field!.text += `\n${text}`;
      if (text !== '') this.extend(number, text);
    } else if (kind === 'form') this.readForm(text.trim());
    else if (kind === 'text') this.readText(line);
  }

  private readLabel({ number, text, key, label, value, readAs }: TextLine): void {
    const alternatives = this.labels.names.get(key)!;
    const name = alternatives[this.contact] ?? alternatives[0]!;
    const isDrawing = key === DRAWING;
    const field = {
      label: label!,
      text: value,
      line: number,
      lines: [number],
      isDrawing,
      texts: [value],
    };
    if (this.block.has(name)) {
      this.field = null;
      if (isHint(value)) return;
      if (this.isTemplate) {
        this.fields.push(field);
        return;
      }
      this.reportDuplicate(name, label!, number, text);
      this.setOther(value, number);
      return;
    }
    this.field = field;
    this.isOther = false;
    if (readAs !== null && !isHint(value)) this.reportSimilar(readAs, number);
    this.block.set(name, this.field);
    this.own.set(name, this.field);
    this.fields.push(this.field);
  }

  /** Reports a value whose label is only almost that of the form. */
  private reportSimilar(label: string, line: number): void {
    this.block.findings.add(
      'misspelt-label',
      { line, label },
      { isRead: true, text: label },
      'info',
    );
  }

  /** Adds a line to the lines of the value. */
  private extend(number: number, text: string): void {
    this.field!.lines.push(number);
    this.field!.texts.push(text);
  }

  private reportDuplicate(name: string, label: string, number: number, text: string): void {
    const row = this.labels.section.rows[name];
    const { findings } = this.block;
    if (row?.personal === true) {
      // Nothing of the file is published, but the form has the label.
      findings.add('duplicate-value', { line: number, label: row.label ?? null }, { quoted: [] });
    } else findings.add('duplicate-value', { line: number }, { quoted: [label], text });
    this.account.claim(number, 'finding');
  }

  /**
   * Adds what a section with contacts has besides the values of the form. In other sections, that
   * is not read.
   */
  private setOther(text: string, number: number): void {
    this.isOther = this.isContact;
    this.field = this.isContact ? (this.block.addOther(text, number) as TextField) : null;
  }

  private readForm(content: string): void {
    this.field = null;
    if (PRIMARY_CONTACT.test(content)) this.contact = 0;
    if (SECONDARY_CONTACT.test(content)) this.contact = 1;
  }

  /**
   * Reads a line without a label of the section: a continuation of the value above, or nothing that
   * the form has.
   */
  private readText(line: TextLine): void {
    const { number, indent, above } = line;
    const content = line.text.trim();
    if (indent >= CONTINUATION_INDENT && this.field !== null) {
      const more = content.replace(/^:\s?/, '');
      this.field.text += isContinuedBy(above, more) ? ` ${more}` : `\n${more}`;
      if (this.isOther) return;
      this.extend(number, more);
      if (line.looksLike !== null) this.reportLikeness(line);
      return;
    }
    if (this.endsHint(line, content)) {
      this.field!.text += ` ${content}`;
      this.extend(number, content);
      return;
    }
    if (this.labels.name === 'siteLocation' && this.readFrame(number, content)) return;
    const isBlank = content === ':' && indent >= CONTINUATION_INDENT;
    this.field = null;
    if (isBlank) this.account.claim(number, 'form');
    // "Primary Contact : NAME" is more than a subtitle.
    else if (
      this.isContact &&
      /^(primary|secondary) contact/i.test(content) &&
      !/:\s*\S/.test(content)
    )
      this.readForm(content);
    else if (this.isContact) this.setOther(content, number);
  }

  /** Reads the reference frame in the heading of the approximate position. */
  private readFrame(number: number, content: string): boolean {
    const frame = POSITION_HEADING.exec(content)?.[1];
    if (frame === undefined || this.block.has('referenceFrame')) return false;
    const label = 'Approximate Position';
    const texts = [frame];
    this.field = { label, text: frame, line: number, lines: [number], isDrawing: false, texts };
    this.block.set('referenceFrame', this.field);
    this.fields.push(this.field);
    this.field = null;
    const values = {
      deviation: 'another frame than that of the form (ITRF)',
      read: frame,
      text: frame,
    };
    this.block.findings.add('deviating-value', { line: number, label }, values);
    return true;
  }

  /**
   * Whether a line that does not continue the value above ends its hint, which an editor wrapped:
   * `(A20, from rcvr_ant.tab; see` and, in the first column, `instructions)`.
   */
  private endsHint({ number, indent }: TextLine, content: string): boolean {
    if (this.field === null || this.isOther || indent > 0) return false;
    const { text, lines } = this.field;
    const begin = text.trim();
    if (lines.at(-1) !== number - 1 || !begin.startsWith('(') || begin.includes(')')) return false;
    return content.endsWith(')') && (this.isTemplate || isHint(`${begin} ${content}`));
  }

  /**
   * Reports a line that looks like one with a label, but is indented like the continuation that it
   * is read as.
   */
  private reportLikeness({ number, label }: TextLine): void {
    this.suspected.add(this.field!);
    this.block.findings.add(
      'indented-label',
      { line: this.field!.line, lastLine: number },
      { quoted: [label!], isMissing: false },
    );
  }

  private reportLost(lines: readonly TextLine[]): void {
    const first = lines[0]!;
    const last = lines.at(-1)!;
    const { findings } = this.block;
    const report = lines.some(isOfContact) ? findings.addAboutContacts : findings.add;
    report(
      'ignored-line',
      { line: first.number, lastLine: last.number },
      { why: 'repeated item', count: lines.length, text: textOfLines(lines) },
    );
    for (const { number, kind } of lines)
      if (kind !== 'form') this.account.claim(number, 'finding');
  }
}

/** The text of lines for a finding. */
function textOfLines(lines: readonly TextLine[]): string {
  let text = '';
  for (const line of lines) {
    if (text.length > SEARCHED_LENGTH) break;
    text += ` ${line.text.trim()}`;
  }
  return text.trim();
}

/** Whether a text that is no value is one that the form, or a program that fills it in, prints. */
const isBlank = (text: string): boolean => isHint(text, true) || isBlankNumber(text);

/** Whether a line has a hint, with a label that other editions of the form have there, or none. */
const isOfOtherEdition = ({ text, label, value }: TextLine): boolean =>
  label === null ? isHint(text) : value.trim() !== '' && isHint(value);

/**
 * Whether a line is one below the title, where many operators name their agency or network. One
 * with a label and a value may be of a section whose heading is missing.
 */
const isInTitleArea = ({ section }: Part, { text }: TextLine): boolean =>
  section === '' && !/^[^:]{1,60}:(?!\/\/)\s*\S/.test(text);

/** The lines on which the values of a log begin. */
function valueLines(model: SiteLogSections): Set<number> {
  const lines = new Set<number>();
  const blocks = Object.values(model)
    .filter((content) => typeof content === 'object')
    .flat();
  for (const block of blocks)
    for (const value of Object.values(block))
      if (typeof value === 'object' && value !== null && 'line' in value)
        lines.add(value.line as number);
  return lines;
}

/** Whether a value is blank. A hint may be on two lines. */
const isBlankField = ({ text, texts }: TextField): boolean =>
  texts.every(isBlank) || isHint(text.replaceAll('\n', ' '), true);

/** Takes a block, and returns the number that its item gets; null if it is none. */
type OnBlock = (section: TextSectionName, block: Fields) => number | null;

/** A line of which nothing is lost if it is ignored: a label without a value. */
const saysNothing = ({ text }: TextLine): boolean => /^[^:]{1,31}:\s*$/.test(text);

/** Reads the parts of a scanned log into blocks, and settles the account of its lines. */
class TextReader {
  readonly account = new LineAccount();
  /** The values that were found. Whether they are in the model is known only when it is built. */
  private readonly fields: TextField[] = [];
  /** The sections of which a log has one. */
  private readonly once = new Set<TextSectionName>();
  /** The headings of the form that have another text. */
  private readonly deviating: { part: Part; heading: TextLine }[] = [];

  constructor(
    private readonly parts: readonly Part[],
    private readonly findings: Findings,
  ) {}

  /** Passes the blocks to `onBlock`. */
  read(onBlock: OnBlock): void {
    for (const part of this.parts) {
      for (const { number, kind } of part.lines)
        if (kind === 'form') this.account.claim(number, 'form');
      const { labels } = part;
      this.checkHeading(part);
      if (labels === null || (labels.repeats && part.item === null)) continue;
      if (!labels.repeats && this.isSecond(part, labels)) continue;
      const { findings, account, fields } = this;
      const before = fields.length;
      const block = new BlockReader(part, labels, findings, account, fields).read();
      part.readAs = onBlock(labels.name, block);
      if (part.item?.isTemplate === true && part.readAs === null)
        this.reportLeftovers(part, fields.slice(before));
    }
    this.reportHeadings();
  }

  /** Reports the values of a blank template that is no item. */
  private reportLeftovers({ line, section }: Part, fields: readonly TextField[]): void {
    const leftovers = fields.filter((field) => !isBlankField(field));
    if (leftovers.length === 0) return;
    const lines = leftovers.flatMap((field) => field.lines);
    const text = leftovers.map((field) => `${field.label.trim()}: ${field.text.trim()}`).join(', ');
    const place = { line: lines[0] ?? line, lastLine: lines.at(-1)!, section };
    this.findings.add('filled-template', place, { isItem: false, text }, 'info');
    for (const each of lines) this.account.claim(each, 'finding');
  }

  /** Reports a heading of the form that is missing, and finds those with another text. */
  private checkHeading(part: Part): void {
    const { section, lines } = part;
    const heading = lines.find(({ kind }) => kind === 'heading');
    if (heading !== undefined && isOfForm(section)) {
      this.deviating.push({ part, heading });
      this.account.claim(heading.number, 'finding');
    } else if (part.isWithoutHeading) {
      const values = { isMissing: true, sections: [section] };
      reportIn(part, this.findings)('deviating-heading', { line: part.line, section }, values);
    }
  }

  /**
   * Reports the headings that have another text: a form of other years. Equal findings are one with
   * several lines, so all are about the first section and its heading.
   */
  private reportHeadings(): void {
    const [first] = this.deviating;
    if (first === undefined) return;
    const { section } = first.part;
    const sections = [...new Set(this.deviating.map(({ part }) => part.section))];
    const values = { isMissing: false, sections, text: first.heading.text };
    const report = reportIn(first.part, this.findings);
    for (const { heading } of this.deviating)
      report('deviating-heading', { line: heading.number, section }, values);
  }

  /** Whether a section that a log has once was there before. Contacts are kept. */
  private isSecond({ line, lines }: Part, { name, section }: Labels): boolean {
    const isSecond = this.once.has(name) && !(name in AGENCIES);
    this.once.add(name);
    if (!isSecond) return false;
    const written = lines.filter(({ text }) => text !== '');
    this.findings.add(
      'ignored-line',
      { line, lastLine: written.at(-1)?.number ?? line, section: section.number },
      { why: 'second section', count: written.length },
    );
    for (const { number, kind } of written)
      if (kind !== 'form') this.account.claim(number, 'finding');
    return true;
  }

  /**
   * Claims the lines of the values that are in the model, and reports the lines that nobody
   * claimed.
   */
  settle(model: SiteLogSections): void {
    const inModel = valueLines(model);
    for (const field of this.fields) {
      const { isDrawing, lines, line } = field;
      // The label of the drawing has no value after it.
      if (isDrawing) this.account.claim(line, 'form');
      const known = isDrawing ? 'drawing' : 'value';
      const use = inModel.has(line) ? known : 'form';
      if (use !== 'form' || isBlankField(field))
        for (const each of isDrawing ? lines.slice(1) : lines) this.account.claim(each, use);
    }
    for (const part of this.parts) this.reportUnclaimed(part);
  }

  /** Reports the lines of a part that nobody claimed; those in a row, in one finding. */
  private reportUnclaimed(part: Part): void {
    let run: TextLine[] = [];
    for (const line of part.lines) {
      if (line.text === '') continue;
      const isUnclaimed = this.account.useOf(line.number) === undefined;
      if (isUnclaimed && isOfOtherEdition(line)) this.account.claim(line.number, 'form');
      else if (isUnclaimed && isInTitleArea(part, line)) this.account.claim(line.number, 'title');
      else if (isUnclaimed) run.push(line);
      else {
        this.reportIgnored(part, run);
        run = [];
      }
    }
    this.reportIgnored(part, run);
  }

  private reportIgnored(part: Part, run: readonly TextLine[]): void {
    const [first] = run;
    if (first === undefined) return;
    const report = reportOfLines(part, run, this.findings);
    report(
      'ignored-line',
      {
        line: first.number,
        lastLine: run.at(-1)!.number,
        section: part.section === '' ? null : part.section,
        item: part.readAs,
      },
      { why: run.length === 1 ? 'single' : 'several', count: run.length, text: textOfLines(run) },
      // No value can stand below the title.
      part.section === '' || run.every(saysNothing) ? 'info' : undefined,
    );
    for (const { number } of run) this.account.claim(number, 'finding');
  }
}

/** A text log that was scanned. */
interface AsciiLog {
  scanned: ScannedLog;
  /** What becomes of each line. It is complete when it was settled. */
  account: LineAccount;
  /** Checks that each line was read, when the model is built; what was not becomes a finding. */
  settle: (model: SiteLogSections) => void;
}

/** The most lines of a log. Real logs have up to 2,500. */
const MOST_LINES = 50_000;

/** Rejects a log with more lines than any real one has. @throws {SiteLogRejected} */
function limitLines(text: string, findings: Findings): void {
  const count = 1 + (text.match(/\r\n|\n|\r/g)?.length ?? 0);
  if (count > MOST_LINES)
    reject(
      findings,
      'too-large',
      { line: MOST_LINES + 1 },
      { of: 'lines', count, most: MOST_LINES },
    );
}

/**
 * Splits the text of a site log into blocks.
 * @param onBlock receives each, except a second one of a section that does not repeat; contacts are
 *   kept
 * @throws {SiteLogRejected} if there are two logs in the file
 */
export function readAsciiBlocks(text: string, findings: Findings, onBlock: OnBlock): AsciiLog {
  limitLines(text, findings);
  const scanned = scanText(text);
  rejectSeveral(scanned.identities, findings);
  reportDamage(scanned.damagedLines, findings);
  const reader = new TextReader(scanned.parts, findings);
  reader.read(onBlock);
  return { scanned, account: reader.account, settle: reader.settle.bind(reader) };
}
