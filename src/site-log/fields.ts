import { type Decimal, type Dimension, readDecimal } from './numbers.js';
import type { Findings } from './site-log.js';
import { decodeReferences, LONGEST_TEXT, type Reading, readString } from './values.js';

/**
 * What both formats of a site log have in common: blocks of named values. The format readers map each label or
 * element to one of the names below.
 */
export type FieldName =
  // section 0
  | 'datePrepared'
  // sections 1 and 2
  | 'fourCharacterId'
  | 'nineCharacterId'
  | 'monumentNumber'
  | 'receiverNumber'
  | 'siteName'
  | 'domesNumber'
  | 'dateInstalled'
  | 'monumentDescription'
  | 'monumentFoundation'
  | 'monumentHeight'
  | 'markerDescription'
  | 'geologicCharacteristic'
  | 'bedrockType'
  | 'notes'
  | 'city'
  | 'state'
  | 'country'
  | 'x'
  | 'y'
  | 'z'
  | 'latitude'
  | 'longitude'
  | 'elevation'
  // sections 3, 4, 6, 8.1
  | 'type'
  | 'manufacturer'
  | 'serialNumber'
  | 'dateRemoved'
  | 'effectiveDates'
  | 'satelliteSystem'
  | 'firmwareVersion'
  | 'elevationCutoffSetting'
  | 'temperatureStabilization'
  | 'antennaReferencePoint'
  | 'markerArpUpEccentricity'
  | 'markerArpNorthEccentricity'
  | 'markerArpEastEccentricity'
  | 'alignmentFromTrueNorth'
  | 'radomeType'
  | 'radomeSerialNumber'
  | 'antennaCableType'
  | 'antennaCableLength'
  | 'inputFrequency'
  | 'aspiration'
  | 'heightDiffToAntenna';

/** One value as written in the file. */
export interface Field {
  /** The label or element name, for use in findings. */
  label: string;
  /** The value, with lines joined by line feeds. */
  text: string;
  /** The line on which the value starts. */
  line: number;
}

/** The values of one block. Reading a value that deviates from the form adds a finding. */
export class Fields {
  private readonly byName = new Map<FieldName, Field>();
  /** The fields whose character references are decoded. */
  private readonly decoded = new Set<Field>();

  /** @param line the line on which the block starts */
  constructor(
    readonly line: number,
    readonly findings: Findings,
  ) {}

  has(name: FieldName): boolean {
    return this.byName.has(name);
  }

  set(name: FieldName, field: Field): void {
    this.byName.set(name, field);
  }

  /** Adds a text to a value that the block has. */
  append(name: FieldName, text: string): void {
    this.byName.get(name)!.text += text;
  }

  /**
   * The value as written in the file; empty if the block does not have it. Character references that were escaped twice
   * are decoded, with a finding.
   */
  get(name: FieldName): Field {
    const field = this.byName.get(name);
    if (field === undefined) return { label: name, text: '', line: this.line };
    if (this.decoded.has(field)) return field;
    this.decoded.add(field);
    const written = field.text;
    field.text = decodeReferences(written);
    if (field.text !== written) this.findings.add(field.line, 'info', `${field.label}: character references decoded`, written);
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
