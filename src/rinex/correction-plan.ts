import { AGENCY_WIDTH, writtenAgency } from '../formats/agency.js';
import { ascii, decimal } from '../formats/columns-of-text.js';
import type { CheckedHeader } from './check-header.js';
import { type Comparison, isEqual, isSpeltOtherwise } from './compare.js';
import { type Device, DEVICES, ECCENTRICITY_FIELDS, type Field } from './fields.js';
import { finding, type RinexFinding } from './findings.js';
import type { RinexHeader } from './header/header.js';
import { AGENCY, ANTENNA, AZIMUTH, ECCENTRICITY, POSITION, RECEIVER } from './header/labels.js';
import { decoded, type HeaderLine } from './header/lines.js';
import { isCorrectable } from './verdict.js';

/** Decides which records of a header are corrected, with which values, and why others are not. */

const { receiver: RECEIVER_FIELDS, antenna: ANTENNA_FIELDS }: Record<Device, readonly Field[]> =
  DEVICES;
/** The fields that are numbers in columns. */
const NUMBERS: readonly Field[] = [...ECCENTRICITY_FIELDS, 'azimuth', 'position'];

const OTHER_AXES = finding('delta-xyz', {});

/** What happens to a record of a header. */
type Plan =
  | { kind: 'keep' }
  /** The values are known and fit. What was not included may be left as it was. */
  | { kind: 'write'; values: string[]; left?: RinexFinding }
  | { kind: 'leave'; why: RinexFinding }
  /** It is equipment, or an agency that differs, which was not included. */
  | { kind: 'not-included' };

const KEEP: Plan = { kind: 'keep' };
const leave = (why: RinexFinding): Plan => ({ kind: 'leave', why });

/** A number in the columns of a record; null if it does not fit. */
export const inColumns = (value: string): string | null => decimal(Number(value), 14, 4);

/** The columns of fields that are cut by no other rule. */
const WIDTHS: Partial<Record<Field, number>> = {
  receiverSerialNumber: 20,
  receiverType: 20,
  firmwareVersion: 20,
  antennaSerialNumber: 20,
  antennaType: 15,
  radomeType: 4,
  markerNumber: 20,
  agency: AGENCY_WIDTH,
};

const widthOf = (field: Field): number => WIDTHS[field] ?? Infinity;

/** Fields that are written as the record spells them, even if the header has an equal value. */
const SPELT_AS_RECORDED: readonly Field[] = [
  'receiverType',
  'antennaType',
  'radomeType',
  'up',
  'east',
  'north',
  'azimuth',
];

/** What is corrected besides marker, position, eccentricities, azimuth and an empty agency. */
export interface Included {
  /** The receiver and the antenna. */
  equipment: boolean;
  /** An agency that is neither empty nor one of the log. */
  agency: boolean;
}

/** A checked header, and whether only the beginning of its file is known. */
export type CheckedFile = CheckedHeader & { isOpen: boolean };

/** Decides what happens to each record of a header. */
export class Planner {
  constructor(
    private readonly headerLines: HeaderLine[],
    private readonly header: RinexHeader,
    private readonly checked: CheckedFile,
    private readonly includes: Included,
  ) {}

  /** What happens to each record, by its label. */
  plans(): Map<string, Plan> {
    const { antenna, eccentricity } = this.planAntenna();
    const azimuth = this.planAzimuth(antenna.kind === 'write');
    const receiver = this.planReceiver();
    return new Map([
      ['MARKER NAME', this.planAlone('MARKER NAME', 'markerName')],
      ['MARKER NUMBER', this.planAlone('MARKER NUMBER', 'markerNumber')],
      [AGENCY, this.planAgency()],
      [RECEIVER, this.withSpelling(RECEIVER, RECEIVER_FIELDS, receiver)],
      [ANTENNA, this.withSpelling(ANTENNA, ANTENNA_FIELDS, antenna)],
      [POSITION, this.planPosition()],
      [ECCENTRICITY, eccentricity],
      [AZIMUTH, azimuth],
    ]);
  }

  /** Whether the header has its eccentricity only in the axes of a vehicle. */
  private get hasOtherAxes(): boolean {
    return this.header.hasDeltaXyz && this.headerLines.every(({ label }) => label !== ECCENTRICITY);
  }

  /** The agency as headers have it; null if it does not fit. */
  private get agency(): string | null {
    const { agencies } = this.checked;
    return writtenAgency({ agency: agencies[0] ?? null, agencies });
  }

  private compared(field: Field): Comparison {
    return this.checked.fields.find((each) => each.field === field)!;
  }

  private someWrong(fields: readonly Field[]): boolean {
    return fields.some((field) => isCorrectable(this.compared(field)));
  }

  /** Why the record is probably older than the file; null if it is not. */
  private whyOld(): RinexFinding | null {
    const { newerDevices: devices, recordPrepared: datePrepared } = this.checked;
    if (devices.length === 0 || datePrepared === null) return null;
    return finding('older-record', { devices, datePrepared });
  }

  /** Why it is unclear which of several records is valid; null if there is one of each. */
  private whyRepeated(labels: string[]): RinexFinding | null {
    const repeated = labels.filter(
      (label) => this.headerLines.filter((each) => each.label === label).length > 1,
    );
    return repeated.length === 0 ? null : finding('repeated-records', { labels: repeated });
  }

  private planAlone(label: string, field: Field): Plan {
    const compared = this.compared(field);
    if (!isCorrectable(compared) && !isSpeltOtherwise(compared)) return KEEP;
    const why = this.whyRepeated([label]);
    return why === null ? this.write([field]) : leave(why);
  }

  /** Only an empty agency is always written; one that differs is no mistake. */
  private planAgency(): Plan {
    const { status } = this.compared('agency');
    const isOther = status === 'differs';
    if (isOther && !this.includes.agency) return { kind: 'not-included' };
    if (!isOther && status !== 'empty in header') return KEEP;
    const why = this.whyRepeated([AGENCY]) ?? this.whyUnfit(['agency']);
    if (why !== null) return leave(why);
    return { kind: 'write', values: [this.value('agency')] };
  }

  /**
   * The plan of a device, whose types are written as the record spells them even if all else stays.
   */
  private withSpelling(label: string, fields: readonly Field[], plan: Plan): Plan {
    const isWritten = plan.kind === 'write';
    const isOtherwise = fields.some((field) => isSpeltOtherwise(this.compared(field)));
    if (isWritten || !isOtherwise || this.whyOld() !== null) return plan;
    const why = this.checked.isOpen ? finding('unknown-length', {}) : this.whyRepeated([label]);
    if (why !== null) return leave(why);
    const values = fields.map((field) => {
      const compared = this.compared(field);
      return isSpeltOtherwise(compared) ? ascii(compared.record!) : inAscii(compared.header ?? '');
    });
    if (plan.kind === 'keep') return { kind: 'write', values };
    const left =
      plan.kind === 'leave'
        ? finding('only-spelling', { label, why: plan.why })
        : finding('only-spelling-of-equipment', { label });
    return { kind: 'write', values, left };
  }

  private planPosition(): Plan {
    const whyOld = this.whyOld();
    if (this.someWrong(['position']) && whyOld !== null) return leave(whyOld);
    return this.planAlone(POSITION, 'position');
  }

  private planReceiver(): Plan {
    if (!this.someWrong(RECEIVER_FIELDS)) return KEEP;
    const why =
      this.whyRepeated([RECEIVER]) ??
      this.whyOld() ??
      this.whyNotConstant(RECEIVER_FIELDS) ??
      this.whyUnknown(RECEIVER_FIELDS);
    return why === null ? this.ifIncluded(RECEIVER_FIELDS) : leave(why);
  }

  /** The antenna and its eccentricity: a height above the marker is valid for one antenna only. */
  private planAntenna(): { antenna: Plan; eccentricity: Plan } {
    const antenna = this.someWrong(ANTENNA_FIELDS) ? this.planAntennaItself() : KEEP;
    if (!this.someWrong(ECCENTRICITY_FIELDS)) return { antenna, eccentricity: KEEP };
    if (this.hasOtherAxes) return { antenna, eccentricity: leave(OTHER_AXES) };
    const isReplaced = antenna.kind === 'write';
    const whyNot =
      this.whyRepeated([ANTENNA, ECCENTRICITY]) ??
      this.whyOld() ??
      this.whyNotConstant([...ANTENNA_FIELDS, ...ECCENTRICITY_FIELDS]) ??
      (isReplaced ? null : this.whyOtherAntenna()) ??
      this.whyEccentricityUnknown() ??
      this.whyNotZero();
    if (whyNot !== null) return { antenna, eccentricity: leave(whyNot) };
    return { antenna, eccentricity: this.withNote(this.write(ECCENTRICITY_FIELDS)) };
  }

  /** The azimuth, which is that of one antenna too. @param isReplaced whether the antenna is */
  private planAzimuth(isReplaced: boolean): Plan {
    const compared = this.azimuth;
    if (compared === undefined || !isCorrectable(compared)) return KEEP;
    const whyNot =
      this.whyRepeated([ANTENNA, AZIMUTH]) ??
      this.whyOld() ??
      this.whyNotConstant([...ANTENNA_FIELDS, 'azimuth']) ??
      (isReplaced ? null : this.whyOtherAntenna()) ??
      (compared.record === null ? unknownInLog(['azimuth']) : null);
    return whyNot === null ? this.write(['azimuth']) : leave(whyNot);
  }

  /** The azimuth, if it is compared. */
  private get azimuth(): Comparison | undefined {
    return this.checked.fields.find(({ field }) => field === 'azimuth');
  }

  private planAntennaItself(): Plan {
    const why =
      this.whyRepeated([ANTENNA, ECCENTRICITY]) ??
      this.whyOld() ??
      this.whyNotConstant([...ANTENNA_FIELDS, ...ECCENTRICITY_FIELDS]) ??
      this.whyUnknown(ANTENNA_FIELDS) ??
      this.whyWithoutType() ??
      this.whyEccentricityStays() ??
      this.whyAzimuthStays();
    return why === null ? this.ifIncluded(ANTENNA_FIELDS) : leave(why);
  }

  /** Without its type, nothing is known about an antenna. */
  private whyWithoutType(): RinexFinding | null {
    return this.compared('antennaType').record === null ? unknownInLog(['antennaType']) : null;
  }

  /**
   * Why the eccentricity in the header could not be replaced together with the antenna; null if it
   * could.
   */
  private whyEccentricityStays(): RinexFinding | null {
    if (this.hasOtherAxes) return finding('eccentricity-stays', { why: OTHER_AXES });
    const { up, east, north, unreadable } = this.header;
    const isReadable = unreadable.every(({ label }) => label !== ECCENTRICITY);
    if (up === null && east === null && north === null && isReadable) return null;
    const written = this.someWrong(ECCENTRICITY_FIELDS)
      ? (this.whyEccentricityUnknown() ?? this.whyNotZero() ?? this.whyUnfit(ECCENTRICITY_FIELDS))
      : this.whyUnknown(ECCENTRICITY_FIELDS);
    return written === null ? null : finding('eccentricity-stays', { why: written });
  }

  /** Why the azimuth in the header could not be replaced together with the antenna. */
  private whyAzimuthStays(): RinexFinding | null {
    const { azimuth } = this;
    if (azimuth === undefined || azimuth.record !== null) return null;
    return finding('azimuth-stays', {});
  }

  /** Why the eccentricity on record is not that of the antenna in the header; null if it is. */
  private whyOtherAntenna(): RinexFinding | null {
    if (this.compared('antennaType').status === 'empty in header')
      return finding('empty-antenna-type', {});
    const whyUnknown = this.whyWithoutType();
    if (whyUnknown !== null) return whyUnknown;
    const differing = ANTENNA_FIELDS.filter((field) => this.compared(field).status === 'differs');
    return differing.length === 0 ? null : finding('other-antenna', { fields: differing });
  }

  private whyEccentricityUnknown(): RinexFinding | null {
    const unknown = ECCENTRICITY_FIELDS.filter((field) => this.compared(field).record === null);
    return unknown.length === 0 ? null : unknownInLog(unknown);
  }

  /** Why an eccentricity that is blank in the log must not count as 0; null if it may. */
  private whyNotZero(): RinexFinding | null {
    const other = this.checked.zeros.find((field) => this.compared(field).status === 'differs');
    if (other === undefined) return null;
    return finding('blank-in-log', { field: other, header: this.compared(other).header! });
  }

  /** Says which eccentricities are blank in the log. */
  private withNote(plan: Plan): Plan {
    const { zeros } = this.checked;
    if (plan.kind !== 'write' || zeros.length === 0) return plan;
    return { ...plan, left: finding('blank-as-zero', { label: ECCENTRICITY, fields: zeros }) };
  }

  /**
   * Why some fields cannot all be those of the record: the header has a value that the log does not
   * know.
   */
  private whyUnknown(fields: readonly Field[]): RinexFinding | null {
    const unknown = fields.filter((field) => this.compared(field).status === 'unknown in log');
    return unknown.length === 0 ? null : unknownInLog(unknown);
  }

  /** Why no equipment on record had some fields during the whole file; null if one had. */
  private whyNotConstant(fields: readonly Field[]): RinexFinding | null {
    const { during, isCovered, isOpen } = this.checked;
    if (isOpen) return finding('unknown-length', {});
    const device = fields.some((field) => RECEIVER_FIELDS.includes(field)) ? 'receiver' : 'antenna';
    const isEverywhere = during.every(({ without }) => !without.includes(device));
    if (!isCovered || !isEverywhere) return finding('not-covered', {});
    const [first] = during;
    const wrong = fields.filter((field) => isCorrectable(this.compared(field)));
    for (const field of new Set([...wrong, ...fields])) {
      const record = valueIn(first!.fields, field);
      if (during.some((each) => valueIn(each.fields, field) !== record))
        return finding('changed-field', { field });
      const alternatives = during.flatMap((each) => each.alternatives);
      if (alternatives.some((each) => valueIn(each, field) !== record))
        return finding('several-in-use', { field });
    }
    return null;
  }

  private ifIncluded(fields: readonly Field[]): Plan {
    const plan = this.write(fields);
    const isWithheld = plan.kind === 'write' && !this.includes.equipment;
    return isWithheld ? { kind: 'not-included' } : plan;
  }

  /** Writes the values of fields that belong together, all of them from the record. */
  private write(fields: readonly Field[]): Plan {
    const why = this.whyUnfit(fields);
    if (why !== null) return leave(why);
    return { kind: 'write', values: fields.map((field) => this.value(field)) };
  }

  /** The value of a field as it is written. */
  private value(field: Field): string {
    const compared = this.compared(field);
    const written = inAscii(compared.header ?? '');
    if (compared.record === null) return written;
    if (field === 'agency') return this.agency ?? ascii(compared.record);
    // RINEX 2 has the four characters. A marker that differs only in spelling keeps its length.
    const isShort =
      field === 'markerName' && !isEqual(compared) && this.header.version.startsWith('2');
    const recorded = ascii(isShort ? compared.record.slice(0, 4) : compared.record);
    const isRespelt = SPELT_AS_RECORDED.includes(field) && recorded.length <= widthOf(field);
    const isSpelt = isRespelt || isSpeltOtherwise(compared);
    return isEqual(compared) && !isSpelt ? written : recorded;
  }

  /** Why some fields do not fit their columns; null if all fit. */
  private whyUnfit(fields: readonly Field[]): RinexFinding | null {
    for (const field of fields) {
      const value = this.value(field);
      const width = widthOf(field);
      if (value.length > width) return finding('too-long', { field, value, width });
      if (NUMBERS.includes(field) && value.split(' ').some((each) => inColumns(each) === null))
        return finding('too-wide', { field, value });
    }
    return null;
  }
}

const valueIn = (fields: Comparison[], field: Field): string | null =>
  fields.find((each) => each.field === field)?.record ?? null;

/** A text of a header as it is rewritten. */
export const inAscii = (text: string): string =>
  /[^\0-\x7f]/.test(text) ? ascii(decoded(text)) : text;

const unknownInLog = (fields: readonly Field[]): RinexFinding =>
  finding('unknown-in-log', { fields });
