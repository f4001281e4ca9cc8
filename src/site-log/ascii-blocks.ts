import { DRAWING, type Labels, LABELS, type TextSectionName } from './ascii-labels.js';
import { type Field, type FieldName, Fields } from './fields.js';
import { findingsAbout } from './record-values.js';
import { labelKey } from './sections/index.js';
import type { Findings } from './site-log.js';

/**
 * The text format of the IGS site log, versions 1 and 2.0: numbered sections and items of `label : value` lines,
 * whose values may continue on the lines below.
 */

/** The start of a section: `3.   GNSS Receiver Information`. */
export const SECTION = /^ {0,4}(\d{1,2})\.(?![\dx])[^:]*:?$/i;
/** The start of an item: `3.1  Receiver Type            : …`, `8.1.x Humidity Sensor Model   :`. */
export const ITEM = /^ {0,4}(\d{1,2})\.(?:(\d{1,3})\.)?(\d{1,4}|x)\.?(?:\s+(\S.*)?)?$/is;
/** Continuation lines are indented to column 32 in the form, but by hand or with tabs often to a nearby column. */
export const CONTINUATION_INDENT = 20;
/** A line indented at least this far never starts with a label, even if it looks like one. */
export const LABEL_INDENT = 28;
/** Lines of the form that have no value. */
const SUBTITLE = /^(differential components|approximate position|if update|update|hardcopy on file|primary contact|secondary contact)/i;

/** A line with blanks instead of tabs. */
export function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let expanded = '';
  for (const character of line) expanded += character === '\t' ? ' '.repeat(8 - (expanded.length % 8)) : character;
  return expanded;
}

/** Splits `     Serial Number            : C128` into label and value; null if there is no label. */
export function splitLabel(line: string): { label: string; text: string } | null {
  const colon = line.indexOf(':');
  const label = line.slice(0, Math.max(colon, 0)).trim();
  return label === '' ? null : { label, text: line.slice(colon + 1) };
}

/** Which sections and values are needed: null for a section that is not; all values if it has no names. */
export type Wanted = (section: TextSectionName) => ReadonlySet<string> | 'all' | null;

/** Splits the lines into blocks, and passes each that is wanted to `onBlock` when it ends. */
export class BlockSplitter {
  /** The section that the lines are in; undefined if it is none of the form. */
  private labels: Labels | undefined;
  private wanted: ReturnType<Wanted> = null;
  /** The findings about the section. */
  private findings: Findings;
  /** The block that collects the lines; null if they are not needed. */
  private block: Fields | null = null;
  /** The field that a continuation line would extend. */
  private field: Field | null = null;
  /** Of an agency: 0 in its primary contact, 1 in its secondary. */
  private contact = 0;
  /** Whether the rest of the file is the drawing. */
  private isDrawing = false;

  constructor(
    private readonly allFindings: Findings,
    private readonly isWanted: Wanted,
    private readonly onBlock: (labels: Labels, block: Fields) => void,
  ) {
    this.findings = allFindings;
  }

  line(raw: string, number: number): void {
    const line = expandTabs(raw).trimEnd();
    if (this.isDrawing) {
      this.field!.text += `\n${line}`;
      return;
    }
    const content = line.trimStart();
    if (content === '') return;
    const indent = line.length - content.length;
    const item = ITEM.exec(line);
    if (item !== null) {
      const [, first, second, last, rest] = item;
      this.enter(second === undefined ? first! : `${first}.${second}`);
      if (last!.toLowerCase() === 'x' || this.wanted === null || !this.labels!.section.repeats) return;
      this.begin(number);
      if (rest !== undefined) this.readLine(rest, 0, number);
    } else if (SECTION.test(line)) {
      this.enter(SECTION.exec(line)![1]!);
      if (this.wanted !== null && !this.labels!.section.repeats) this.begin(number);
    } else if (this.block !== null) {
      this.readLine(line, indent, number);
    }
  }

  /** Ends the current block. Also called at the end of the file. */
  end(): void {
    if (this.block !== null) this.onBlock(this.labels!, this.block);
    this.block = null;
    this.field = null;
  }

  private enter(number: string): void {
    this.end();
    this.labels = LABELS.get(number);
    this.wanted = this.labels === undefined ? null : this.isWanted(this.labels.name);
    if (this.labels !== undefined) this.findings = findingsAbout(this.labels.name, this.allFindings);
  }

  private begin(number: number): void {
    this.end();
    this.contact = 0;
    this.block = new Fields(number, this.findings);
  }

  /** Reads a line inside a block: a label with its value, or a continuation of the value above. */
  private readLine(line: string, indent: number, number: number): void {
    const { section, names, first } = this.labels!;
    const found = splitLabel(line);
    const key = found === null ? '' : labelKey(found.label);
    if (found === null || indent >= LABEL_INDENT || !names.has(key)) {
      this.continue(line, indent, number, found?.label);
      return;
    }
    this.field = { ...found, line: number };
    const alternatives = names.get(key)!;
    const name = (alternatives[this.contact] ?? alternatives[0]!) as FieldName;
    if (this.wanted !== 'all' && !this.wanted!.has(name)) return;
    if (this.block!.has(name)) {
      if (section.repeats && key === first) {
        this.findings.add(
          number,
          'warning',
          `section ${section.number}: second "${found.label}" without an item number; treated as a new item`,
          line,
        );
        const field = this.field;
        this.begin(number);
        this.field = field;
      } else {
        this.findings.add(number, 'warning', `section ${section.number}: duplicate "${found.label}"; first value used`, line);
        this.field = null;
        return;
      }
    }
    this.block!.set(name, this.field);
    this.isDrawing = key === DRAWING;
  }

  /** Reads a line without a label of the section. */
  private continue(line: string, indent: number, number: number, label: string | undefined): void {
    const content = line.trim();
    if (indent >= CONTINUATION_INDENT && this.field !== null) {
      this.field.text += `\n${content.replace(/^:\s?/, '')}`;
      return;
    }
    const { section, names } = this.labels!;
    this.field = null;
    if (names.has(DRAWING) && labelKey(content) === DRAWING) {
      this.field = { label: content, text: '', line: number };
      this.block!.set('antennaGraphics', this.field);
      this.isDrawing = true;
      return;
    }
    if (SUBTITLE.test(content)) {
      if (/^primary/i.test(content)) this.contact = 0;
      if (/^secondary/i.test(content)) this.contact = 1;
      return;
    }
    const what = label === undefined ? 'neither "label : value" nor an indented continuation' : `unknown label "${label.slice(0, 40)}"`;
    this.findings.add(number, 'warning', `section ${section.number}: ${what}; line ignored`, line);
  }
}
