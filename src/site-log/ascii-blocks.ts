import { DRAWING, type Labels, LABELS, type TextSectionName } from './ascii-labels.js';
import { type Field, Fields } from './fields.js';
import { labelKey } from './sections/index.js';
import { AGENCIES } from './sections/parties.js';
import { type Findings, type FindingSink, SEARCHED_LENGTH } from './site-log.js';
import { isContinuedBy } from './write/text-lines.js';

/**
 * The text format of the IGS site log, versions 1 and 2.0: numbered sections and items of `label : value` lines,
 * whose values may continue on the lines below.
 */

/** The start of a section: `3.   GNSS Receiver Information`. */
export const SECTION = /^ {0,4}(\d{1,2})\.(?![\dx])[^:]*:?$/i;
/** The start of a section with contacts, however its heading is punctuated: otherwise, its contacts would be ignored lines of another. */
const CONTACTS = /^ {0,4}(1[12])(?!\d)[.\s:)-]*(?:on.?site|responsible agency)/i;
/** The start of an item: `3.1  Receiver Type            : …`, `8.1.x Humidity Sensor Model   :`. */
export const ITEM = /^ {0,4}(\d{1,2})\.(?:(\d{1,3})\.)?(\d{1,4}|x)\.?(?:\s+(\S.*)?)?$/is;
/** Continuation lines are indented to column 32 in the form, but by hand or with tabs often to a nearby column. */
export const CONTINUATION_INDENT = 20;
/** A line indented at least this far never starts with a label, even if it looks like one. */
export const LABEL_INDENT = 28;
/** Lines of the form that have no value. */
const SUBTITLE =
  /^(differential components|approximate position|if update|update|hardcopy on file|primary contact|secondary contact)/i;

/** A line with blanks instead of tabs. */
export function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let expanded = '';
  for (const character of line)
    expanded += character === '\t' ? ' '.repeat(8 - (expanded.length % 8)) : character;
  return expanded;
}

/** Splits `     Serial Number            : C128` into label and value; null if there is no label. */
export function splitLabel(line: string): { label: string; text: string } | null {
  const colon = line.indexOf(':');
  const label = line.slice(0, Math.max(colon, 0)).trim();
  return label === '' ? null : { label, text: line.slice(colon + 1) };
}

/** Splits the lines into blocks, and passes each to `onBlock` when it ends. */
class BlockSplitter {
  /** The section that the lines are in; undefined if it is none of the form. */
  private labels: Labels | undefined;
  /** The findings about the section. */
  private findings: FindingSink;
  /** The block that collects the lines; null if they are not needed. */
  private block: Fields | null = null;
  /** The field that a continuation line would extend. */
  private field: Field | null = null;
  /** The columns of the line above; 0 if it is blank. */
  private columns = 0;
  /** Of an agency: 0 in its primary contact, 1 in its secondary. */
  private contact = 0;
  /** Whether the rest of the file is the drawing. */
  private isDrawing = false;

  constructor(
    private readonly allFindings: Findings,
    private readonly onBlock: (labels: Labels, block: Fields) => void,
  ) {
    this.findings = allFindings;
  }

  line(raw: string, number: number): void {
    const line = expandTabs(raw).trimEnd();
    this.lineOf(line, number);
    this.columns = line.length;
  }

  private lineOf(line: string, number: number): void {
    this.isDrawing &&= !CONTACTS.test(line);
    if (this.isDrawing) {
      this.field!.text += `\n${line}`;
      return;
    }
    const content = line.trimStart();
    if (content === '') return;
    const indent = line.length - content.length;
    const item = ITEM.exec(line);
    const section = SECTION.exec(line) ?? CONTACTS.exec(line);
    if (item !== null) {
      const [, first, second, last, rest] = item;
      const name = second === undefined ? first! : `${first}.${second}`;
      if (this.isContact && LABELS.get(name) === this.labels)
        return this.readLine(rest ?? '', 0, number);
      this.enter(name);
      if (last!.toLowerCase() === 'x' || this.labels?.repeats !== true) return;
      this.begin(number);
      if (rest !== undefined) this.readLine(rest, 0, number);
    } else if (section !== null) {
      this.enter(section[1]!);
      if (this.labels?.repeats === false) this.begin(number);
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
    this.findings = this.isContact ? this.allFindings.aboutContacts : this.allFindings;
  }

  private get isContact(): boolean {
    return this.labels !== undefined && this.labels.name in AGENCIES;
  }

  private begin(number: number): void {
    this.end();
    this.contact = 0;
    this.block = new Fields(number, this.findings);
  }

  /** Reads a line inside a block: a label with its value, or a continuation of the value above. */
  private readLine(line: string, indent: number, number: number): void {
    const { section, repeats, names, first } = this.labels!;
    const found = splitLabel(line);
    const key = found === null ? '' : labelKey(found.label);
    if (found === null || indent >= LABEL_INDENT || !names.has(key)) {
      this.continue(line, indent, number, found?.label);
      return;
    }
    this.field = { ...found, line: number };
    const alternatives = names.get(key)!;
    const name = alternatives[this.contact] ?? alternatives[0]!;
    if (this.block!.has(name)) {
      if (repeats && key === first) {
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
        const findings =
          section.rows[name]?.personal === true ? this.allFindings.aboutContacts : this.findings;
        findings.add(
          number,
          'warning',
          `section ${section.number}: duplicate "${found.label}"; first value used`,
          line,
        );
        this.field = this.isContact ? this.block!.addOther(found.text, number) : null;
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
      const more = content.replace(/^:\s?/, '');
      this.field.text += isContinuedBy(this.columns, more) ? ` ${more}` : `\n${more}`;
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
    // "Primary Contact : NAME" is more than a subtitle.
    if (SUBTITLE.test(content) && !(this.isContact && /:\s*\S/.test(content))) {
      if (/^primary/i.test(content)) this.contact = 0;
      if (/^secondary/i.test(content)) this.contact = 1;
      return;
    }
    const what =
      label === undefined
        ? 'neither "label : value" nor an indented continuation'
        : `unknown label "${label.slice(0, SEARCHED_LENGTH)}"`;
    // Somebody may have prepared the log, under any label.
    const findings =
      this.labels!.name === 'formInformation' ? this.allFindings.aboutContacts : this.findings;
    findings.add(number, 'warning', `section ${section.number}: ${what}; line ignored`, line);
    if (this.isContact) this.field = this.block!.addOther(content, number);
  }
}

/** Whether the text is an IGS site log: it has the title line, or a label that only site logs have. */
export function isAsciiSiteLog(text: string): boolean {
  const head = text.slice(0, 20_000);
  return (
    /site information form/i.test(head) ||
    /^[ \t]{0,20}(four|nine) character id[ \t]{0,20}:/im.test(head)
  );
}

/** Splits the text of a site log into blocks. @param onBlock receives each, except a second one of a section that does not repeat; contacts are kept */
export function readAsciiBlocks(
  text: string,
  findings: Findings,
  onBlock: (section: TextSectionName, block: Fields) => void,
): void {
  const once = new Set<TextSectionName>();
  const splitter = new BlockSplitter(findings, ({ name, repeats, section: { number } }, block) => {
    if (!repeats && once.has(name) && !(name in AGENCIES))
      findings.add(block.line, 'warning', `duplicate section ${number}; first section used`);
    else onBlock(name, block);
    once.add(name);
  });
  // A null character is damage, and no text in PostgreSQL can have it.
  const lines = text.replaceAll('\0', '\ufffd').split(/\r\n|\n|\r/);
  lines.forEach((line, index) => splitter.line(line, index + 1));
  splitter.end();
}
