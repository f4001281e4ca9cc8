import { DRAWING, type Labels } from './labels.js';
import { BlockFindings, type Field, Fields } from '../fields.js';
import type { LineAccount } from './account.js';
import { isBlankNumber } from '../values/numbers.js';
import { POSITION_HEADING } from '../sections/site.js';
import { type Findings, SEARCHED_LENGTH } from '../../findings/findings.js';
import { isHint } from '../values/hints.js';
import {
  isAboutContacts,
  isOfContact,
  PRIMARY_CONTACT,
  SECONDARY_CONTACT,
} from './contact-lines.js';
import { CONTINUATION_INDENT, type Part, type TextLine } from './lines.js';
import { isContinuedBy } from '../write/text-lines.js';

/** Reads the lines of a section or an item into its values, which may continue on lines below. */

/** A value of a text log, with its lines. */
export interface TextField extends Field {
  lines: number[];
  isDrawing: boolean;
  /** The text of each of its lines. */
  texts: string[];
}

/** The text of lines for a finding. */
export function textOfLines(lines: readonly TextLine[]): string {
  let text = '';
  for (const line of lines) {
    if (text.length > SEARCHED_LENGTH) break;
    text += ` ${line.text.trim()}`;
  }
  return text.trim();
}

/** Whether a text that is no value is one that the form, or a program that fills it in, prints. */
const isBlank = (text: string): boolean => isHint(text, true) || isBlankNumber(text);

/** Whether a value is blank. A hint may be on two lines. */
export const isBlankField = ({ text, texts }: TextField): boolean =>
  texts.every(isBlank) || isHint(text.replaceAll('\n', ' '), true);

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
export class BlockReader {
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
