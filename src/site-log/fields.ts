import { type Decimal, type Dimension, readDecimal } from './numbers.js';
import type { MemberOf, SectionName, TRACKING } from './sections/index.js';
import type { PartyMember } from './sections/parties.js';
import type { FindingSink } from './site-log.js';
import { decodeReferences, LONGEST_TEXT, type Reading, readString } from './values.js';

/**
 * The names of the values in a block: the members of the model, and those that only help to read it. The tables of sections map
 * each label and element to one of them.
 */
export type FieldName =
  | { [S in SectionName]: MemberOf<S> }[SectionName]
  | PartyMember
  | keyof typeof TRACKING
  // The digits of a nine-character id, which GeodesyML gives one by one.
  | 'monumentNumber'
  | 'receiverNumber';

/** One value as written in the file. */
export interface Field {
  /** The label or element name, for use in findings. */
  label: string;
  /** The value, with lines joined by line feeds. */
  text: string;
  /** The line on which the value starts. */
  line: number;
  /** Whether the character references in the text are decoded. */
  isDecoded?: boolean;
}

/** The values of one block. Reading a value that deviates from the form adds a finding. */
export class Fields {
  private readonly byName = new Map<FieldName, Field>();

  /** @param line the line on which the block starts */
  constructor(
    readonly line: number,
    readonly findings: FindingSink,
  ) {}

  /** The same values, whose findings go elsewhere. */
  withFindings(findings: FindingSink): Fields {
    const copy = new Fields(this.line, findings);
    copy.add(this);
    return copy;
  }

  has(name: FieldName): boolean {
    return this.byName.has(name);
  }

  set(name: FieldName, field: Field): void {
    this.byName.set(name, field);
  }

  /** Adds the values of another block. */
  add(other: Fields): void {
    for (const [name, field] of other.byName) this.byName.set(name, field);
  }

  /** Adds a text to a value that the block has. */
  append(name: FieldName, text: string): void {
    this.byName.get(name)!.text += text;
  }

  /** Whether a text is one of the values, or a line of one. */
  hasText(text: string): boolean {
    return [...this.byName.values()].some(
      (field) => field.text.includes(text) && [field.text, ...field.text.split('\n')].some((line) => line.trim() === text),
    );
  }

  /** Adds what a section with contacts says under a label or in an element that the form does not have. */
  addOther(text: string, line: number): Field {
    if (this.byName.has('others')) this.append('others', `\n${text}`);
    else this.set('others', { label: 'others', text, line });
    return this.byName.get('others')!;
  }

  /**
   * The value as written in the file; empty if the block does not have it. Character references that were escaped twice
   * are decoded, with a finding.
   */
  get(name: FieldName): Field {
    const field = this.byName.get(name);
    if (field === undefined) return { label: name, text: '', line: this.line };
    if (field.isDecoded === true) return field;
    field.isDecoded = true;
    const written = field.text;
    field.text = decodeReferences(written);
    if (field.text !== written) this.findings.add(field.line, 'info', `${field.label}: character references decoded`, field.text);
    return field;
  }

  /** The value as a string, read by a function of values.ts and cut to `longest` characters. */
  string(name: FieldName, read: (text: string) => string | null = readString, longest = LONGEST_TEXT): string | null {
    const { label, line, text } = this.get(name);
    const value = read(text);
    if (value === null || value.length <= longest) return value;
    this.findings.add(line, 'warning', `${label}: ${value.length} characters; only the first ${longest} used`, value);
    // Not in the middle of a character of two code units.
    return value
      .slice(0, longest)
      .replace(/[\ud800-\udbff]$/, '')
      .trimEnd();
  }

  /** The value read by a function that may return a remark, which becomes a finding. */
  read<T>(name: FieldName, read: (text: string) => Reading<T>): T | null {
    const field = this.get(name);
    const { value, remark } = read(field.text);
    if (remark !== undefined) this.findings.add(field.line, remark.level, `${field.label}: ${remark.message}`, field.text);
    return value;
  }

  decimal(name: FieldName, dimension: Dimension): Decimal | null {
    return this.read(name, (text) => readDecimal(text, dimension));
  }
}
