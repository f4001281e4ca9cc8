import type { EquipmentType, SiteLogSections, Written } from '../../schemas/index.js';
import { joinAntennaType } from '../site-log/antenna-type.js';
import { valuesOf } from '../site-log/fields.js';
import { kindOf } from '../site-log/values/kinds.js';
import { AGENCY_MEMBERS, CONTACT_MEMBERS, PARTY_ROWS } from '../site-log/sections/parties.js';
import { elementOf, type Row, type SectionName, SECTIONS } from '../site-log/sections/index.js';
import { antennaType, readProse } from '../site-log/values/reading.js';
import { isWritten } from '../site-log/contacts/values.js';
import { isWithdrawn } from '../site-log/withdrawn.js';
import { onOneLine } from '../words.js';
import {
  comparableType,
  comparableValue,
  identityKey,
  knownValue,
  radomeInType,
} from './devices.js';
import { logValueName } from './value-names.js';

/** The items of a site log with their values, as two versions of it are compared. */

/** The sections that are compared. Section 0 describes the version itself, and is not. */
export type ComparedSection = Exclude<SectionName, 'formInformation'> | 'responsibleParties';

/** What an item of each section is called, in the order of the form. */
export const ITEM_NAMES: Readonly<Record<ComparedSection, string>> = {
  siteIdentification: 'Site identification',
  siteLocation: 'Site location',
  gnssReceivers: 'Receiver',
  gnssAntennas: 'Antenna',
  surveyedLocalTies: 'Local tie',
  frequencyStandards: 'Frequency standard',
  collocationInformation: 'Collocated instrument',
  humiditySensors: 'Humidity sensor',
  pressureSensors: 'Pressure sensor',
  temperatureSensors: 'Temperature sensor',
  waterVaporSensors: 'Water vapor radiometer',
  otherInstrumentation: 'Other instrument',
  radioInterferences: 'Radio interference',
  multipathSources: 'Multipath source',
  signalObstructions: 'Signal obstruction',
  localEpisodicEffects: 'Local episodic effect',
  responsibleParties: 'Agency',
  moreInformation: 'More information',
};

export const COMPARED_SECTIONS = Object.keys(ITEM_NAMES) as ComparedSection[];

/** One value of an item. */
export interface ItemValue {
  /** The name of the value in the contract. */
  member: string;
  /** Its name in words. */
  name: string;
  /** What the value means: equal for equal meanings; null if it is blank or unknown. */
  meaning: string | null;
  /** The text as written; null if it is blank. */
  written: string | null;
  /** The line on which it starts; null if it is blank. */
  line: number | null;
  /**
   * Whether both forms have a place for such a text. GeodesyML has numbers where the text form has
   * words.
   */
  fitsBoth: boolean;
}

/** One item of a log: a receiver, an antenna, a tie; or a section that a log has once. */
export interface LogItemValues {
  section: ComparedSection;
  /** Its number in the form, such as `4.2`; null for an organisation that only GeodesyML names. */
  number: string | null;
  /** Its place among the items of its section, from 0. */
  index: number;
  /** The line on which it starts; null for a section that a log has once. */
  line: number | null;
  values: ReadonlyMap<string, ItemValue>;
  /** Identifies the device, tie or organisation; null if that is unknown. */
  device: string | null;
  /** When it was in use; null if unknown. Instants in UTC. */
  from: string | null;
  to: string | null;
}

/** A section that a log has once counts as an item of it. */
type Block = Readonly<Record<string, unknown>>;

/** The meaning of a period; null if neither end is known. */
function meaningOfPeriod(value: object): string | null {
  const { from, to } = value as { from: string | null; to: string | null };
  if (from === null && to === null) return null;
  return `${from ?? ''}/${to ?? ''}`;
}

/** The meaning of a value; for an unreadable value, its text. */
function meaningOf({ value, written }: Written, { kind }: Row): string | null {
  if (typeof value === 'number') return String(value);
  // Blanks in the type of an antenna count.
  if (typeof value === 'string') return kind === 'code' ? value : onOneLine(value);
  const period = value === null ? null : meaningOfPeriod(value);
  if (period !== null) return period;
  // A word such as "unknown" is not unreadable.
  return readProse(written) === null ? null : `unreadable: ${onOneLine(written)}`;
}

/** The text of a value as read; null if it is blank or unknown. */
function readText(block: Block, member: string): string | null {
  const found = block[member];
  return isWritten(found) && typeof found.value === 'string' ? found.value : null;
}

/** The type of an antenna, with its radome in its columns. */
const antennaTypeOf = (block: Block): string | null =>
  antennaType(readText(block, 'type'), readText(block, 'antennaRadomeType'));

/**
 * The model of an antenna. The radome in its type counts where the log contradicts it: files for
 * software have that one.
 */
function antennaModelOf(block: Block): string | null {
  const type = antennaTypeOf(block);
  if (type === null) return null;
  const model = comparableType('gnss antenna', type);
  const inType = radomeInType(type)?.toUpperCase() ?? null;
  const isContradicted = inType !== null && inType !== antennaRadomeOf(block);
  return isContradicted ? joinAntennaType(model, inType) : model;
}

/**
 * The radome of an antenna: as the log gives it separately or, failing that, in the columns of its
 * type.
 */
function antennaRadomeOf(block: Block): string | null {
  const separately = readText(block, 'antennaRadomeType');
  const type = antennaTypeOf(block);
  const inType = type === null ? null : radomeInType(type);
  return (separately ?? inType)?.toUpperCase() ?? null;
}

/** The sections whose items have a type, and perhaps a serial number. */
const KINDS: Partial<Record<ComparedSection, EquipmentType>> = {
  gnssReceivers: 'gnss receiver',
  gnssAntennas: 'gnss antenna',
  frequencyStandards: 'clock',
  humiditySensors: 'humidity sensor',
  pressureSensors: 'pressure sensor',
  temperatureSensors: 'temperature sensor',
  waterVaporSensors: 'water vapor sensor',
};

/** What a value of a block means. In equipment, the spelling does not count. */
function meaningIn(
  section: ComparedSection,
  member: string,
  row: Row,
  block: Block,
): string | null {
  if (section === 'gnssAntennas' && member === 'type') return antennaModelOf(block);
  if (section === 'gnssAntennas' && member === 'antennaRadomeType') return antennaRadomeOf(block);
  const found = block[member];
  if (!isWritten(found)) return null;
  const meaning = meaningOf(found, row);
  const equipmentType = KINDS[section];
  if (equipmentType === undefined || typeof found.value !== 'string') return meaning;
  return comparableValue(equipmentType, member, meaning);
}

/** The table of a section. */
const rowsOf = (section: ComparedSection): Readonly<Record<string, Row>> =>
  section === 'responsibleParties' ? PARTY_ROWS : SECTIONS[section].rows;

const isGeodesyML = (form: SiteLogSections['form']): boolean => form.startsWith('GeodesyML');

/** Whether a form has a place for a value. */
function hasPlace(
  form: SiteLogSections['form'],
  section: ComparedSection,
  member: string,
  row: Row,
): boolean {
  if (isGeodesyML(form)) return elementOf(member, row) !== null;
  if (section === 'responsibleParties') return PARTY_MEMBERS_IN_TEXT.has(member);
  return row.label !== undefined;
}

/** The values of an organisation in the text form and in SOPAC's form. */
const PARTY_MEMBERS_IN_TEXT: ReadonlySet<string> = new Set([...AGENCY_MEMBERS, ...CONTACT_MEMBERS]);

/** Values that repeat other values: the id, the country. */
const DERIVED: ReadonlySet<string> = new Set(['fourCharacterId', 'nineCharacterId', 'countryName']);

/** The values that are compared. */
export interface Comparable {
  /** The forms of both logs: a value counts only if both have a place for it. */
  forms: readonly SiteLogSections['form'][];
  /** Whether persons, telephone numbers and email addresses count. */
  withContacts: boolean;
}

/** Whether a value of a section counts. */
function isCompared(
  section: ComparedSection,
  member: string,
  row: Row,
  { forms, withContacts }: Comparable,
): boolean {
  if (DERIVED.has(member) || (row.personal === true && !withContacts)) return false;
  return forms.every((form) => hasPlace(form, section, member, row));
}

/** A value of a section that counts. */
interface ComparedRow {
  row: Row;
  /** The value where a log leaves it blank. */
  blank: ItemValue;
}

/** The values of a section that count. */
function comparedRows(section: ComparedSection, compared: Comparable): ComparedRow[] {
  const rows: ComparedRow[] = [];
  for (const [member, row] of Object.entries(rowsOf(section))) {
    if (!isCompared(section, member, row, compared)) continue;
    const name = logValueName(member) ?? row.label ?? member;
    const blank = { member, name, meaning: null, written: null, line: null, fitsBoth: true };
    rows.push({ row, blank });
  }
  return rows;
}

/** Whether each form has a place for the text of a value. */
const fits = (written: string, row: Row, { forms }: Comparable): boolean =>
  !forms.some(isGeodesyML) || kindOf(row).toXml(written) !== null;

/** The values of a block that count. */
function valuesOfBlock(
  section: ComparedSection,
  block: Block,
  rows: readonly ComparedRow[],
  compared: Comparable,
): Map<string, ItemValue> {
  const values = new Map<string, ItemValue>();
  for (const { row, blank } of rows) {
    const { member } = blank;
    const found = block[member];
    const meaning = meaningIn(section, member, row, block);
    if (isWritten(found)) {
      const { written, line } = found;
      const fitsBoth = fits(written, row, compared);
      values.set(member, { ...blank, meaning, written, line, fitsBoth });
    } else {
      // A log can have up to a hundred thousand items, with few values each.
      values.set(member, meaning === null ? blank : { ...blank, meaning });
    }
  }
  return values;
}

/** The value that names an item of any other section. */
const NAMING: Partial<Record<ComparedSection, string>> = {
  surveyedLocalTies: 'tiedMarkerName',
  collocationInformation: 'instrumentType',
  otherInstrumentation: 'instrumentation',
  radioInterferences: 'possibleProblemSource',
  multipathSources: 'possibleProblemSource',
  signalObstructions: 'possibleProblemSource',
  localEpisodicEffects: 'event',
  responsibleParties: 'organisation',
};

/** Identifies the device, tie or organisation; null if that is unknown. */
function deviceOf(section: ComparedSection, values: ReadonlyMap<string, ItemValue>): string | null {
  const meaningOf = (member: string): string | null => values.get(member)?.meaning ?? null;
  const equipmentType = KINDS[section];
  if (equipmentType !== undefined) {
    const type = meaningOf('type');
    return identityKey({ equipmentType, type, serialNumber: meaningOf('serialNumber') });
  }
  const name = NAMING[section];
  return name === undefined ? null : knownValue(meaningOf(name));
}

/** When an item was in use, by whichever dates its section has. */
function datesOf(block: Block): Pick<LogItemValues, 'from' | 'to'> {
  const valueOf = (member: string): unknown =>
    isWritten(block[member]) ? block[member].value : null;
  const period = valueOf('effectiveDates') as { from: string | null; to: string | null } | null;
  if (period !== null) return { from: period.from, to: period.to };
  const from = (valueOf('dateInstalled') ?? valueOf('dateMeasured')) as string | null;
  return { from, to: valueOf('dateRemoved') as string | null };
}

/** The sections of the form that organisations stand in, by their role. */
const PARTY_SECTIONS: Readonly<Record<string, string>> = {
  siteContact: '11',
  siteMetadataCustodian: '12',
};

/** An item of a section. */
function itemOf(
  section: ComparedSection,
  block: Block,
  number: string | null,
  index: number,
  rows: readonly ComparedRow[],
  compared: Comparable,
): LogItemValues {
  const values = valuesOfBlock(section, block, rows, compared);
  return {
    section,
    number,
    index,
    line: typeof block.line === 'number' ? block.line : null,
    values,
    device: deviceOf(section, values),
    ...datesOf(block),
  };
}

/** What a section has: one block, or several. */
const blocksIn = (content: object): Block[] =>
  Array.isArray(content) ? (content as Block[]) : [content as Block];

/** Whether an agency repeats only what an earlier one says about its organisation. */
function repeats(earlier: LogItemValues, agency: LogItemValues): boolean {
  if (earlier.number !== agency.number || earlier.device !== agency.device) return false;
  for (const [member, { meaning }] of agency.values)
    if (meaning !== null && meaning !== earlier.values.get(member)!.meaning) return false;
  return true;
}

/** The agencies of a log. Without contacts, an agency with two of them is one. */
function agenciesOf(log: SiteLogSections, compared: Comparable): LogItemValues[] {
  const agencies: LogItemValues[] = [];
  const rows = comparedRows('responsibleParties', compared);
  for (const [index, party] of log.responsibleParties.entries()) {
    const number = PARTY_SECTIONS[party.role] ?? null;
    const agency = itemOf('responsibleParties', party, number, index, rows, compared);
    const isRepeated = agencies.some((earlier) => repeats(earlier, agency));
    if (compared.withContacts || !isRepeated) agencies.push(agency);
  }
  return agencies;
}

/** The items of a section that were not withdrawn, in the order of the log. */
export function itemsIn(
  log: SiteLogSections,
  section: ComparedSection,
  compared: Comparable,
): LogItemValues[] {
  if (section === 'responsibleParties') return agenciesOf(log, compared);
  const { number, once } = SECTIONS[section];
  const items: LogItemValues[] = [];
  const rows = comparedRows(section, compared);
  for (const [index, block] of blocksIn(log[section]).entries()) {
    if (isWithdrawn(valuesOf(block))) continue;
    const itemNumber = once === true ? number : `${number}.${index + 1}`;
    const item = itemOf(section, block, itemNumber, index, rows, compared);
    const isBlank = [...item.values.values()].every(({ written }) => written === null);
    if (once === true || !isBlank) items.push(item);
  }
  return items;
}
