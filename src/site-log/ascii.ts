import { KIND_OF_SECTION, labelKey, LABELS, unused } from './ascii-labels.js';
import { type Field, Fields } from './fields.js';
import { readDatePrepared, readIdentification } from './identification.js';
import { Items } from './items.js';
import type { Findings, SiteLog } from './site-log.js';

/**
 * The text format of the IGS site log, versions 1 and 2.0: numbered sections and items of `label : value` lines,
 * whose values may continue on the lines below.
 */

/** The start of a section: `3.   GNSS Receiver Information`. */
const SECTION = /^ {0,4}(\d{1,2})\.(?![\dx])[^:]*:?$/i;
/** The start of an item: `3.1  Receiver Type            : …`, `8.1.x Humidity Sensor Model   :`. */
const ITEM = /^ {0,4}(\d{1,2})\.(?:(\d{1,3})\.)?(\d{1,4}|x)\.?(?:\s+(\S.*)?)?$/is;
/** Continuation lines are indented to column 32 in the form, but by hand or with tabs often to a nearby column. */
const CONTINUATION_INDENT = 20;
/** A line indented at least this far never starts with a label, even if it looks like one. */
const LABEL_INDENT = 28;
/** Lines of the form that have no value. */
const SUBTITLE = /^(differential components|approximate position|if update|update|primary contact|secondary contact)/i;

/** Whether the text is an IGS site log: it has the title line, or a label that only site logs have. */
export function isAsciiSiteLog(text: string): boolean {
  const head = text.slice(0, 20_000);
  return /site information form/i.test(head) || /^[ \t]{0,20}(four|nine) character id[ \t]{0,20}:/im.test(head);
}

function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let expanded = '';
  for (const character of line) expanded += character === '\t' ? ' '.repeat(8 - (expanded.length % 8)) : character;
  return expanded;
}

/** Splits `     Serial Number            : C128` into label and value; null if there is no label. */
function splitLabel(line: string): { label: string; text: string } | null {
  const colon = line.indexOf(':');
  const label = line.slice(0, Math.max(colon, 0)).trim();
  return label === '' ? null : { label, text: line.slice(colon + 1) };
}

/** Splits the lines into blocks, and passes each section 0, 1 and 2 and each equipment item to `onBlock` when it ends. */
class BlockSplitter {
  /** `3` inside section 3 and its items, `8.1` inside `8.1.2`. */
  private section = '';
  /** The block that collects the lines; null if they are not needed. */
  private block: Fields | null = null;
  /** The field that a continuation line would extend. */
  private field: Field | null = null;

  constructor(
    private readonly findings: Findings,
    private readonly onBlock: (section: string, block: Fields) => void,
  ) {}

  line(raw: string, number: number): void {
    const line = expandTabs(raw).trimEnd();
    const content = line.trimStart();
    if (content === '') return;
    const indent = line.length - content.length;
    const item = ITEM.exec(line);
    if (item !== null) {
      const [, first, second, last, rest] = item;
      this.end();
      this.section = second === undefined ? first! : `${first}.${second}`;
      if (last!.toLowerCase() === 'x' || !(this.section in KIND_OF_SECTION)) return;
      this.begin(number);
      if (rest !== undefined) this.readLine(rest, 0, number);
    } else if (SECTION.test(line)) {
      this.end();
      this.section = SECTION.exec(line)![1]!;
      if (this.section in LABELS && !(this.section in KIND_OF_SECTION)) this.begin(number);
    } else if (this.block !== null) {
      this.readLine(line, indent, number);
    }
  }

  /** Ends the current block. Also called at the end of the file. */
  end(): void {
    if (this.block !== null) this.onBlock(this.section, this.block);
    this.block = null;
    this.field = null;
  }

  private begin(number: number): void {
    this.end();
    this.block = new Fields(number, this.findings);
  }

  /** Reads a line inside a block: a label with its value, or a continuation of the value above. */
  private readLine(line: string, indent: number, number: number): void {
    const labels = LABELS[this.section]!;
    const found = splitLabel(line);
    const key = found === null ? '' : labelKey(found.label);
    if (found === null || indent >= LABEL_INDENT || !Object.hasOwn(labels, key)) {
      if (indent >= CONTINUATION_INDENT && this.field !== null) {
        this.field.text += `\n${line.trim().replace(/^:\s?/, '')}`;
        return;
      }
      this.field = null;
      if (SUBTITLE.test(line.trim())) return;
      const what = found === null ? 'neither "label : value" nor an indented continuation' : `unknown label "${found.label.slice(0, 40)}"`;
      this.findings.add(number, 'warning', `section ${this.section}: ${what}; line ignored`, line);
      return;
    }
    this.field = { ...found, line: number };
    const name = labels[key];
    if (name === undefined || name === unused) return;
    if (this.block!.has(name)) {
      if (this.section in KIND_OF_SECTION && key === Object.keys(labels)[0]) {
        this.findings.add(
          number,
          'warning',
          `section ${this.section}: second "${found.label}" without an item number; treated as a new item`,
          line,
        );
        const field = this.field;
        this.begin(number);
        this.field = field;
      } else {
        this.findings.add(number, 'warning', `section ${this.section}: duplicate "${found.label}"; first value used`, line);
        this.field = null;
        return;
      }
    }
    this.block!.set(name, this.field);
  }
}

/**
 * Reads an IGS site log in text format.
 * @throws {SiteLogRejected} if the log has no four-character or nine-character id
 */
export function readAsciiSiteLog(text: string, findings: Findings): SiteLog {
  const sections = new Map<string, Fields>();
  const items = new Items();
  const splitter = new BlockSplitter(findings, (section, block) => {
    const kind = KIND_OF_SECTION[section];
    if (kind !== undefined) items.add(kind, block);
    else if (!sections.has(section)) sections.set(section, block);
    else findings.add(block.line, 'warning', `duplicate section ${section}; first section used`);
  });
  // A null character is damage, and no text in PostgreSQL can have it.
  const lines = text.replaceAll('\0', '\ufffd').split(/\r\n|\n|\r/);
  lines.forEach((line, index) => splitter.line(line, index + 1));
  splitter.end();
  const section = (number: string): Fields => sections.get(number) ?? new Fields(1, findings);
  return {
    form: section('1').has('nineCharacterId') ? 'IGS site log 2.0' : 'IGS site log 1',
    datePrepared: readDatePrepared(section('0')),
    identification: readIdentification(section('1'), section('2')),
    items: items.list,
  };
}
