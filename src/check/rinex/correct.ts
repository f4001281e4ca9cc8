import { ascii, decimal } from '../../formats/columns-of-text.js';
import { record as recordLine, shortAgency } from '../../formats/rinex-header.js';
import type { CheckedHeader } from './check-header.js';
import type { Comparison, Field } from './compare.js';
import { CONTENT_WIDTH, type HeaderRecord, type RinexHeader } from './header.js';

/** Corrects the station records of a RINEX header from the record of its Site. */

/** A header with its corrections. */
export interface CorrectedHeader {
  /** The whole header, with the ends of lines that it had. */
  text: string;
  /** The labels of the records that were corrected or added. */
  changes: string[];
  /** What could not be corrected, in sentences. */
  left: string[];
}

const COMMENT = 'COMMENT';

/** A record that is made from fields. */
interface Correctable {
  label: string;
  fields: Field[];
  /** Its content. Values are known and fit. @param old the content that it had; blank for none */
  write: (values: string[], old: string) => string;
  isEquipment?: true;
}

const texts = (values: string[]): string => values.map((value) => value.padEnd(20)).join('');
const numbers = (values: string[]): string =>
  values.map((value) => decimal(Number(value), 14, 4) ?? '').join('');

/** In the order in which headers have them. */
const CORRECTABLE: Correctable[] = [
  { label: 'MARKER NAME', fields: ['markerName'], write: ([id]) => id! },
  { label: 'MARKER NUMBER', fields: ['markerNumber'], write: texts },
  {
    label: 'OBSERVER / AGENCY',
    fields: ['agency'],
    write: ([agency], old) => old.slice(0, 20).padEnd(20) + shortAgency(agency!),
  },
  {
    label: 'REC # / TYPE / VERS',
    fields: ['receiverSerialNumber', 'receiverType', 'firmwareVersion'],
    write: texts,
    isEquipment: true,
  },
  {
    label: 'ANT # / TYPE',
    fields: ['antennaSerialNumber', 'antennaType', 'radomeType'],
    write: ([serialNumber, type, radome]) =>
      `${serialNumber!.padEnd(20)}${type!.padEnd(16)}${radome!}`,
    isEquipment: true,
  },
  {
    label: 'APPROX POSITION XYZ',
    fields: ['position'],
    write: ([position]) => numbers(position!.split(' ')),
  },
  { label: 'ANTENNA: DELTA H/E/N', fields: ['up', 'east', 'north'], write: numbers },
];

/** The columns of fields that are cut by no other rule. */
const WIDTHS: Partial<Record<Field, number>> = {
  ...{ receiverSerialNumber: 20, receiverType: 20, firmwareVersion: 20, antennaSerialNumber: 20 },
  ...{ antennaType: 15, radomeType: 4, markerNumber: 20 },
};

/** Fields of which every header should have the known value. */
const isWrong = ({ status }: Comparison): boolean =>
  status === 'differs' || status === 'empty in header';

/** The value of a field on record; a text that says why it cannot be written. */
function valueOf(
  field: Field,
  header: RinexHeader,
  { fields, during }: CheckedHeader,
): { value: string } | { why: string } {
  const compared = fields.find((each) => each.field === field)!;
  const written = header[field] ?? '';
  if (!isWrong(compared)) return { value: written };
  const values = new Set(
    during.map((each) => each.fields.find((other) => other.field === field)!.record),
  );
  if (values.size > 1) return { why: `${field} changed during the file` };
  // RINEX 2 has the four characters.
  const record =
    field === 'markerName' && header.version.startsWith('2')
      ? compared.record!.slice(0, 4)
      : compared.record!;
  const value = ascii(record);
  const width = WIDTHS[field] ?? Infinity;
  return value.length > width
    ? { why: `${field} "${record}" has more than ${width} characters` }
    : { value };
}

/** The lines of a record that is corrected, with comments that say what it was. */
function correctedLines(label: string, content: string, old: string | null): string[] {
  const says = `gnss-site-setups: ${label} ${old === null ? 'added' : 'corrected; it was:'}`;
  const comments = old === null ? [says] : [says, old.trimEnd()];
  return [recordLine(content, label), ...comments.map((comment) => recordLine(comment, COMMENT))];
}

/**
 * Corrects what differs from the record, and adds what is empty. Each change has comments. The receiver and the antenna stay as
 * they are unless they are included; so does everything that is unknown, or that changed during the file.
 */
export function correctHeader(
  records: HeaderRecord[],
  header: RinexHeader,
  checked: CheckedHeader,
  includesEquipment: boolean,
): CorrectedHeader {
  const lines = records.map(({ line }) => [line]);
  const lineEnd = records[0]!.line.endsWith('\r\n') ? '\r\n' : '\n';
  const withEnd = (line: string): string => line.replace(/\n$/, lineEnd);
  const changes: string[] = [];
  const left: string[] = [];
  /** The record after which one that is missing is added. */
  let last = records.findIndex(({ label }) => label === 'PGM / RUN BY / DATE');
  if (last === -1) last = records.findIndex(({ label }) => label === 'RINEX VERSION / TYPE');
  for (const { label, fields, write, isEquipment } of CORRECTABLE) {
    const index = records.findIndex((each) => each.label === label);
    if (index !== -1) last = index;
    const compared = checked.fields.filter(({ field }) => fields.includes(field));
    if (!compared.some(isWrong)) continue;
    if (isEquipment === true && !includesEquipment) {
      left.push(`${label} differs; --include-equipment corrects it`);
      continue;
    }
    const values = fields.map((field) => valueOf(field, header, checked));
    const problem = values.find((each) => 'why' in each);
    if (problem !== undefined) {
      left.push(`${label} was left as it is: ${problem.why}`);
      continue;
    }
    const known = values.map((each) => ('value' in each ? each.value : ''));
    if (label === 'ANTENNA: DELTA H/E/N' && known.includes('')) continue;
    const old = index === -1 ? null : records[index]!.content;
    const corrected = correctedLines(
      label,
      write(known, old ?? '').slice(0, CONTENT_WIDTH),
      old,
    ).map(withEnd);
    if (index === -1) lines[last]!.push(...corrected);
    else lines[index] = corrected;
    changes.push(label);
  }
  return { text: lines.flat().join(''), changes, left };
}
