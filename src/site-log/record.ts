import type { EquipmentType, Instant, SiteLogSections, Written } from '../../schemas/index.js';
import { EQUIPMENT_KINDS, INSTRUMENT_TYPES, SETUP_EQUIPMENT_TYPES } from '../../schemas/index.js';
import { oneLineOf, type Values, valuesOf } from './fields.js';
import { readIdentification } from './identification.js';
import { decimalOf } from './values/numbers.js';
import { type SectionName, SECTIONS } from './sections/index.js';
import type { Place } from '../findings/finding.js';
import { DAY } from '../requests/units-of-time.js';
import { type Findings, reject } from '../findings/findings.js';
import type { LogInstrument, LogItem, SiteLog, SiteLogForm } from './site-log.js';
import { readEffectiveDates, readInstantSince1980, readRemoval } from './values/dates.js';
import { LONGEST_NAME } from './values/limits.js';
import { antennaType, type Reading } from './values/reading.js';
import { isWithdrawn } from './withdrawn.js';

/** The record of a Site: identity, place and equipment, as a view of its whole log. */

/** The most blocks of Setup equipment that one log may contain. */
export const MOST_ITEMS = 1000;

/**
 * The section whose blocks are equipment of a kind, and the values that have another name in the
 * contract.
 */
const SOURCES = {
  'gnss receiver': {
    section: 'gnssReceivers',
    names: { elevetionCutoffSetting: 'elevationCutoffSetting' },
  },
  'gnss antenna': {
    section: 'gnssAntennas',
    names: {
      markerArpUpEccentricity: 'markerArpUpEcc',
      markerArpNorthEccentricity: 'markerArpNorthEcc',
      markerArpEastEccentricity: 'markerArpEastEcc',
      radomeType: 'antennaRadomeType',
    },
  },
  'humidity sensor': { section: 'humiditySensors', names: {} },
  clock: { section: 'frequencyStandards', names: {} },
  'pressure sensor': { section: 'pressureSensors', names: { accuracy: 'accuracyHPa' } },
  'temperature sensor': {
    section: 'temperatureSensors',
    names: { accuracy: 'accuracyDegreesCelcius' },
  },
  'water vapor sensor': { section: 'waterVaporSensors', names: {} },
  'other instrument': { section: 'otherInstrumentation', names: { type: 'instrumentation' } },
} as const satisfies Record<EquipmentType, { section: SectionName; names: Record<string, string> }>;

type Party = SiteLogSections['responsibleParties'][number];
type Blocks = SiteLogSections[(typeof SOURCES)[EquipmentType]['section']];
type ItemOf<T extends EquipmentType> = Extract<
  LogItem | LogInstrument,
  { id: { equipmentType: T } }
>;

/** A text with a blank for each white space: firmware has as many blanks as the log gives. */
const withBlanks = (value: Written | null): Written | null =>
  typeof value?.value === 'string' ? { ...value, value: value.value.replace(/\s/g, ' ') } : value;

/** The type of an antenna, whose radome is in its columns. */
function withRadome(value: Written | null, { antennaRadomeType }: Values): Written | null {
  if (value === null) return null;
  const radome = (antennaRadomeType?.value ?? null) as string | null;
  return { ...value, value: antennaType(value.value as string | null, radome) };
}

/**
 * Reads those values of a block that are in the contract. There, eccentricities are numbers, and
 * all other numbers are strings.
 */
function describe(
  kind: EquipmentType,
  block: Blocks[number],
  item: number,
  { add: report }: Findings,
): Record<'id' | 'configuration', object> {
  const { section, names } = SOURCES[kind];
  const { rows, number } = SECTIONS[section];
  const nameInLog: Readonly<Record<string, string>> = names;
  const values = valuesOf(block);
  const read = (member: string, longest?: number): string | number | null => {
    const name = nameInLog[member] ?? member;
    const row = rows[name];
    const value = values[name] ?? null;
    if (typeof value?.value === 'number')
      return row!.kind === 'eccentricity' ? value.value : decimalOf(value.value);
    const place = { section: number, item, label: row?.label ?? name };
    const text = (written: Written | null, hasColumns: boolean): string | null =>
      oneLineOf(written, place, report, longest, !hasColumns);
    if (member === 'firmwareVersion') return text(withBlanks(value), true);
    if (kind === 'gnss antenna' && member === 'type') return text(withRadome(value, values), true);
    return text(value, false);
  };
  const { id, configuration } = EQUIPMENT_KINDS[kind];
  const identity = Object.keys(id.properties).map((member) => [member, read(member, LONGEST_NAME)]);
  return {
    id: { ...Object.fromEntries(identity), equipmentType: kind },
    configuration: Object.fromEntries(
      Object.keys(configuration.properties).map((member) => [member, read(member)]),
    ),
  };
}

/** The place of an item of equipment, for findings. */
export function placeOf({
  id: { equipmentType },
  line,
  item,
}: Pick<LogItem | LogInstrument, 'id' | 'line' | 'item'>): Place {
  return { line, section: SECTIONS[SOURCES[equipmentType].section].number, item };
}

/** When an item was in use. */
function datesOf(block: Blocks[number]): Pick<LogItem, 'from' | 'to'> {
  if ('dateInstalled' in block)
    return { from: block.dateInstalled?.value ?? null, to: block.dateRemoved?.value ?? null };
  return block.effectiveDates?.value ?? { from: null, to: null };
}

const isUnreadable = ({ remark }: Reading<Instant>): boolean => remark?.code === 'unreadable-value';

/** A value that gives a start or an end of an item that cannot be read. */
interface UnreadableDate {
  value: Written;
  label: string;
  isStart: boolean;
  isEnd: boolean;
}

/** The values of a block of which a date cannot be read. */
function unreadableDatesOf(block: Blocks[number]): UnreadableDate[] {
  if (!('dateInstalled' in block)) {
    const value = block.effectiveDates ?? null;
    if (value === null) return [];
    const { from, to } = readEffectiveDates(value.written);
    const label = 'Effective Dates';
    const found = { value, label, isStart: isUnreadable(from), isEnd: isUnreadable(to) };
    return found.isStart || found.isEnd ? [found] : [];
  }
  const { dateInstalled, dateRemoved } = block;
  const found: UnreadableDate[] = [];
  if (dateInstalled !== null && isUnreadable(readInstantSince1980(dateInstalled.written)))
    found.push({ value: dateInstalled, label: 'Date Installed', isStart: true, isEnd: false });
  if (dateRemoved !== null && isUnreadable(readRemoval(dateRemoved.written)))
    found.push({ value: dateRemoved, label: 'Date Removed', isStart: false, isEnd: true });
  return found;
}

type Dated = LogItem | LogInstrument;

/** Whether two of the items were in use at once for more than a day. */
const overlap = (items: readonly Dated[]): boolean =>
  items.some(({ from, to }) =>
    items.some(
      (other) =>
        from !== null &&
        other.from !== null &&
        from < other.from &&
        Date.parse(to ?? '9999-12-31') - Date.parse(other.from) > DAY,
    ),
  );

/**
 * Ends items whose removal cannot be read at the start of the next item of the kind, in the order
 * of the log. Where others of the kind were in use at once, it is not known which item came next,
 * so they stay open. One finding says that the date cannot be read, and what is assumed.
 * @param open the items to be ended
 */
function endAtNext(
  items: readonly Dated[],
  open: ReadonlyMap<Dated, UnreadableDate>,
  findings: Findings,
): void {
  if (open.size === 0 || overlap(items.filter((item) => !open.has(item)))) return;
  for (const [index, item] of items.entries()) {
    const start = items[index + 1]?.from ?? null;
    const end = open.get(item);
    if (end === undefined || start === null || (item.from !== null && start <= item.from)) continue;
    item.to = start;
    const { value, label, isStart } = end;
    const { line, written } = value;
    if (!isStart) findings.takeBackUnreadable(line, written);
    const values = { kind: item.id.equipmentType, until: start, text: written };
    findings.add('removal-assumed', { ...placeOf(item), line, label }, values);
  }
}

/** The first date of the equipment of Setups, from which on items without a start count. */
export function firstDateOf(items: readonly Pick<LogItem, 'from' | 'to'>[]): Instant | null {
  let first: Instant | null = null;
  for (const { from, to } of items)
    for (const date of [from, to])
      if (date !== null && (first === null || date < first)) first = date;
  return first;
}

/** Items with those of their dates that cannot be read. */
type Unreadable<T> = Map<T, UnreadableDate[]>;

/**
 * The items of a kind that were not withdrawn. A block without any values is ignored with a
 * finding.
 * @param unreadable receives the dates that cannot be read
 */
function itemsOf<T extends EquipmentType>(
  kind: T,
  log: SiteLogSections,
  findings: Findings,
  unreadable: Unreadable<Dated>,
): ItemOf<T>[] {
  const { section } = SOURCES[kind];
  const { number, element } = SECTIONS[section];
  const open = new Map<Dated, UnreadableDate>();
  const items = (log[section] as Blocks[number][]).flatMap((block, index) => {
    const { line, dateDeleted } = block;
    const item = index + 1;
    const place = { line, section: number, item };
    if (isWithdrawn(valuesOf(block))) {
      const values = { why: 'withdrawn', text: dateDeleted!.written } as const;
      findings.add('ignored-element', { ...place, label: element }, values);
      return [];
    }
    const { id, configuration } = describe(kind, block, item, findings);
    const dates = datesOf(block);
    if (
      Object.values({ ...id, equipmentType: null, ...configuration, ...dates }).every(
        (value) => value === null,
      )
    ) {
      findings.add('blank-block', place, {});
      return [];
    }
    // The compiler cannot know that both follow the schemas of the kind.
    const found = { id, configuration, ...dates, line, item } as ItemOf<T>;
    if (dates.from !== null && dates.to !== null) return [found];
    const ofBlock = unreadableDatesOf(block);
    if (ofBlock.length > 0) unreadable.set(found, ofBlock);
    const end = ofBlock.find(({ isEnd }) => isEnd);
    if (end !== undefined) open.set(found, end);
    return [found];
  });
  endAtNext(items, open, findings);
  return items;
}

/**
 * Adds to the findings about dates that cannot be read what these items count as.
 * @param first the first date of the equipment of Setups; null for instruments, which may have an
 *   unknown start
 */
function sayAssumed(
  unreadable: Unreadable<Dated>,
  first: Instant | null,
  findings: Findings,
): void {
  for (const [{ from, to }, dates] of unreadable)
    for (const { value, isStart, isEnd } of dates) {
      const assumed = {
        from: isStart && from === null ? first : null,
        isOpen: isEnd && to === null,
      };
      if (assumed.from === null && !assumed.isOpen) continue;
      findings.addToUnreadable(value.line, value.written, assumed);
    }
}

/** The parties of section 12, then those of section 11. */
function agencyParties({ responsibleParties }: SiteLogSections): Party[] {
  const roles = ['siteMetadataCustodian', 'siteContact'] as const;
  return roles.flatMap((part) => responsibleParties.filter(({ role }) => role === part));
}

/** The organisation of the custodian of the log, else that of the contact for the Site. */
function agencyOf(parties: Party[]): string | null {
  const names = parties.map(({ organisation }) => organisation?.value ?? null);
  return names.find((name) => name !== null) ?? null;
}

/** The organisations and their abbreviations, each once. */
function agenciesOf(parties: Party[]): string[] {
  const names = parties.flatMap(({ organisation, abbreviation }) => [
    organisation?.value ?? null,
    abbreviation?.value ?? null,
  ]);
  return [...new Set(names.filter((name) => name !== null))];
}

/**
 * The record of a Site.
 * @throws {SiteLogRejected} if the log does not identify its Site, or has more than
 *   {@link MOST_ITEMS} blocks of Setup equipment
 */
export function recordOf(log: SiteLogSections, findings: Findings): SiteLog {
  const identification = readIdentification(log, findings);
  const unreadable: Unreadable<Dated> = new Map();
  const items = SETUP_EQUIPMENT_TYPES.flatMap((kind): LogItem[] =>
    itemsOf(kind, log, findings, unreadable),
  );
  const next = items[MOST_ITEMS];
  if (next !== undefined) {
    const values = { of: 'equipment', count: null, most: MOST_ITEMS } as const;
    reject(findings, 'too-large', placeOf(next), values);
  }
  const first = firstDateOf(items);
  // Without any date there is no Setup, which another finding says.
  if (first !== null) sayAssumed(unreadable, first, findings);
  const ofInstruments: Unreadable<Dated> = new Map();
  const instruments = INSTRUMENT_TYPES.flatMap((kind): LogInstrument[] =>
    itemsOf(kind, log, findings, ofInstruments),
  );
  sayAssumed(ofInstruments, null, findings);
  const parties = agencyParties(log);
  return {
    form: log.form as SiteLogForm,
    datePrepared: log.formInformation.datePrepared?.value ?? null,
    agency: agencyOf(parties),
    agencies: agenciesOf(parties),
    identification,
    items,
    instruments,
  };
}
