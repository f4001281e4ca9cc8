import { ascii } from '../formats/columns-of-text.js';
import { record as recordLine } from '../formats/rinex-header.js';
import { type CheckedFile, inAscii, type Included, inColumns, Planner } from './correction-plan.js';
import { finding, type RinexFinding } from './findings.js';
import { NUMBER, type RinexHeader } from './header/header.js';
import {
  AGENCY,
  ANTENNA,
  AZIMUTH,
  ECCENTRICITY,
  isMisspelt,
  POSITION,
  RECEIVER,
  VERSION,
} from './header/labels.js';
import { BYTE_ORDER_MARK, CONTENT_WIDTH, type HeaderLine } from './header/lines.js';

/** Corrects the station records of a RINEX header from the record of its Site. */

/** A header with its corrections. */
export interface CorrectedHeader {
  /** The whole header, with the ends of lines that it had. */
  text: string;
  /** The lines that replace others, and those that are added, without line ends. */
  edits: { before: string | null; after: string[] }[];
  /** The labels of the records that were corrected or added. */
  changes: string[];
  /** What could not be corrected. */
  left: RinexFinding[];
}

const COMMENT = 'COMMENT';

/** A record that is made from fields. */
interface Correctable {
  label: string;
  /** Its content. @param old the content that it had; blank for none */
  write: (values: string[], old: string) => string;
}

const texts = (values: string[]): string => values.map((value) => value.padEnd(20)).join('');

const numbers = (values: string[]): string => values.map((value) => inColumns(value)!).join('');

/** In the order in which headers have them. */
const CORRECTABLE: Correctable[] = [
  { label: 'MARKER NAME', write: ([id]) => id! },
  { label: 'MARKER NUMBER', write: texts },
  {
    label: AGENCY,
    write: ([agency], old) => inAscii(old.slice(0, 20)).slice(0, 20).padEnd(20) + agency!,
  },
  { label: RECEIVER, write: texts },
  {
    label: ANTENNA,
    write: ([serialNumber, type, radome]) =>
      `${serialNumber!.padEnd(20)}${type!.padEnd(16)}${radome!}`,
  },
  { label: POSITION, write: ([position]) => numbers(position!.split(' ')) },
  { label: ECCENTRICITY, write: numbers },
  { label: AZIMUTH, write: numbers },
];

/** The lines of a record that is corrected, with comments that say what it was. */
function correctedLines(label: string, content: string, old: string | null): string[] {
  const says = `gnss-site-setups: ${label} ${old === null ? 'added' : 'corrected; it was:'}`;
  const comments = old === null ? [says] : [says, inAscii(old.trimEnd()).slice(0, CONTENT_WIDTH)];
  return [recordLine(content, label), ...comments.map((comment) => recordLine(comment, COMMENT))];
}

/** Whether the lines of a record can be written in its columns, and differ from what it has. */
const isMendable = (record: HeaderLine): boolean =>
  record.isDisplaced ? contentInColumns(record) !== null : isMisspelt(record.written, record.label);

/** The lines of a record whose label is corrected. */
function relabelledLines(record: HeaderLine): string[] {
  const { label, written, content, isDisplaced } = record;
  if (isDisplaced) return correctedLines(label, contentInColumns(record)!, content);
  return [
    recordLine(inAscii(content), label),
    recordLine(`gnss-site-setups: ${label} corrected; label was:`, COMMENT),
    recordLine(ascii(written).slice(0, CONTENT_WIDTH), COMMENT),
  ];
}

/** How many numbers the records of numbers have. */
const NUMBERS: Partial<Record<string, number>> = { [POSITION]: 3, [ECCENTRICITY]: 3, [AZIMUTH]: 1 };

/** Content that fits its columns, with numbers rounded; null if it cannot fit. */
function contentInColumns({ label, content }: HeaderLine): string | null {
  const parts = content.trim().split(/ +/);
  const areNumbers = parts.length === NUMBERS[label] && parts.every((part) => NUMBER.test(part));
  const written = areNumbers ? parts.map(inColumns) : [null];
  if (!written.includes(null)) return written.join('');
  return content.length <= CONTENT_WIDTH ? inAscii(content) : null;
}

/** A header as lines that are replaced and added. */
class Editor {
  readonly edits: CorrectedHeader['edits'] = [];
  /** Whether the header began with a byte order mark, which is left out. */
  readonly hasMark: boolean;
  private readonly lines: string[][];
  private readonly lineEnd: string;

  constructor(private readonly headerLines: HeaderLine[]) {
    this.lines = headerLines.map(({ line }) => [line]);
    const [first] = this.lines as [string[]];
    this.hasMark = first[0]!.startsWith(BYTE_ORDER_MARK);
    if (this.hasMark) first[0] = first[0]!.slice(BYTE_ORDER_MARK.length);
    this.lineEnd = first[0]!.endsWith('\r\n') ? '\r\n' : '\n';
  }

  replace(index: number, lines: string[]): void {
    this.lines[index] = this.withEnds(lines);
    this.edits.push({
      before: withoutEnd(this.headerLines[index]!.line),
      after: lines.map(withoutEnd),
    });
  }

  /** Adds lines after a record. */
  add(index: number, lines: string[]): void {
    this.lines[index]!.push(...this.withEnds(lines));
    this.edits.push({ before: null, after: lines.map(withoutEnd) });
  }

  text(): string {
    return this.lines.flat().join('');
  }

  private withEnds(lines: string[]): string[] {
    return lines.map((line) => line.replace(/\n$/, this.lineEnd));
  }
}

const withoutEnd = (line: string): string => line.replace(/\r?\n$/, '');

/**
 * Corrects what differs from the record, and adds what is empty. Each change has comments. What
 * belongs together is corrected together: type, serial number and firmware of a receiver; an
 * antenna and its eccentricity. The receiver and the antenna stay as they are unless they are
 * included, but for the spelling of their types; so does everything that is unknown, that changed
 * during the file, or whose record is probably older than the file.
 */
export function correctHeader(
  headerLines: HeaderLine[],
  header: RinexHeader,
  checked: CheckedFile,
  includes: Included,
): CorrectedHeader {
  const plans = new Planner(headerLines, header, checked, includes).plans();
  const editor = new Editor(headerLines);
  const changes: string[] = [];
  const left: RinexFinding[] = [];
  if (editor.hasMark) left.push(finding('left-out-mark', {}));
  /** The records that have new lines. */
  const written = new Set<HeaderLine>();
  /** The record after which one that is missing is added. */
  let last = headerLines.findIndex(({ label }) => label === 'PGM / RUN BY / DATE');
  if (last === -1) last = headerLines.findIndex(({ label }) => label === VERSION);
  for (const { label, write } of CORRECTABLE) {
    const index = headerLines.findIndex((each) => each.label === label);
    if (index !== -1) last = index;
    const plan = plans.get(label)!;
    if (plan.kind === 'leave') left.push(finding('left', { label, why: plan.why }));
    if (plan.kind === 'not-included')
      left.push(finding(label === AGENCY ? 'left-agency' : 'left-equipment', { label }));
    if (plan.kind !== 'write') continue;
    if (plan.left !== undefined) left.push(plan.left);
    const old = headerLines[index] ?? null;
    const content = write(plan.values, old?.content ?? '').slice(0, CONTENT_WIDTH);
    const lines = correctedLines(label, content, old?.content ?? null);
    if (old === null) editor.add(last, lines);
    else {
      editor.replace(index, lines);
      written.add(old);
    }
    changes.push(label);
  }
  for (const [index, record] of headerLines.entries()) {
    if (written.has(record) || !isMendable(record)) continue;
    editor.replace(index, relabelledLines(record));
    changes.push(record.label);
  }
  return { text: editor.text(), edits: editor.edits, changes, left };
}
