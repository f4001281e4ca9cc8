import { type Decimal, type Dimension, readDecimal } from './numbers.js';
import type { Findings } from './site-log.js';
import { type Reading, readString } from './values.js';

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

  /** The value as written in the file; empty if the block does not have it. */
  get(name: FieldName): Field {
    return this.byName.get(name) ?? { label: name, text: '', line: this.line };
  }

  /** The value as a string, read by a function of values.ts. */
  string(name: FieldName, read: (text: string) => string | null = readString): string | null {
    return read(this.get(name).text);
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
