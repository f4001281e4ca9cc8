import type { Instant, Written } from '../../schemas/index.js';
import { isAntennaReferencePoint } from '../site-log/values/antenna-reference-points.js';
import { isNoDevice } from '../derive/devices.js';
import { valuesOf } from '../site-log/fields.js';
import { firstDateOf, placeOf } from '../site-log/record.js';
import { readEffectiveDates } from '../site-log/values/dates.js';
import { deviceInWords } from '../words.js';
import { decideBlanks, type Eccentricity } from '../formats/eccentricities.js';
import { kindOf } from '../site-log/values/kinds.js';
import { REQUIRED_VALUES, SECTIONS } from '../site-log/sections/index.js';
import type { ScannedLog } from '../site-log/text/scanner.js';
import type { Place } from '../findings/finding.js';
import type { Report, Reported } from '../findings/findings.js';
import type { CheckedLog } from './checked-log.js';
import { isOnRecord, nameAndRadomeOf, saysNone } from './names.js';

/** Checks that a log has the values that its readers need. */

type Name = keyof typeof REQUIRED_VALUES;
type Member = (typeof REQUIRED_VALUES)[Name]['essential' | 'useful'][number];
type Block = CheckedLog['sections'][Name][number];

const KINDS = { gnssReceivers: 'gnss receiver', gnssAntennas: 'gnss antenna' } as const;

/** Whether a value is unknown, and no other finding says that it cannot be read. */
function isMissing(name: Name, block: Block, member: string): boolean {
  const value: Written | null = valuesOf(block)[member] ?? null;
  if (value === null) return true;
  if (value.value !== null) return false;
  return (
    kindOf(SECTIONS[name].rows[member]!).read(value.written).remark?.code !== 'unreadable-value'
  );
}

/** The antenna type includes the radome. */
const hasRadomeInType = ({ type }: Block): boolean =>
  nameAndRadomeOf(type?.written ?? '').radome !== null;

/** Whether `radome-missing` says already that the radome of an antenna is unknown. */
const isRadomeReported = (block: Block): boolean =>
  (block.type?.value ?? null) !== null && !hasRadomeInType(block);

const ECCENTRICITY_MEMBERS = {
  up: 'markerArpUpEcc',
  north: 'markerArpNorthEcc',
  east: 'markerArpEastEcc',
} as const satisfies Record<Eccentricity, Member>;

/** The eccentricities that are blank because they are 0. */
function blankForZero(
  antenna: CheckedLog['sections']['gnssAntennas'][number],
  isText: boolean,
): readonly Member[] {
  const { markerArpUpEcc: up, markerArpNorthEcc: north, markerArpEastEcc: east } = antenna;
  const given = {
    up: up?.value ?? null,
    north: north?.value ?? null,
    east: east?.value ?? null,
  };
  const { zeros } = decideBlanks(given, { isText });
  const members = zeros.map((name) => ECCENTRICITY_MEMBERS[name]);
  // A text that cannot be read is no blank.
  return members.filter((member) => (antenna[member] ?? null) === null);
}

/**
 * Checks one receiver or antenna. The texts of findings say what is missing: baselines name them.
 * @param item its number in its section
 * @param isText whether the log is in the text form
 * @param first the first date of the equipment; null without any, which another finding says
 */
function checkBlock(
  name: Name,
  block: Block,
  item: number,
  { isText, first }: { isText: boolean; first: Instant | null },
  report: Report,
): void {
  // That this is no type is another finding.
  if (saysNone(block.type?.written ?? '')) return;
  const kind = KINDS[name];
  const { rows, number: section } = SECTIONS[name];
  const place = { line: block.line, section, item };
  const { essential, useful } = REQUIRED_VALUES[name];
  const needed: Member[] = [];
  const others: Member[] = useful.filter((member) => isMissing(name, block, member));
  const zero = 'markerArpUpEcc' in block ? blankForZero(block, isText) : [];
  if (zero.length > 0) report('blank-eccentricity', place, {});
  for (const member of essential.filter((each) => isMissing(name, block, each))) {
    if (zero.includes(member)) continue;
    if (member === 'dateInstalled') {
      if (first === null) continue;
      const type = block.type?.value ?? null;
      const text = deviceInWords({ type, serialNumber: block.serialNumber?.value ?? null });
      report('missing-value', place, { kind, members: [member], isEssential: true, first, text });
    } else if (member === 'antennaRadomeType' && hasRadomeInType(block)) others.push(member);
    else if (member !== 'antennaRadomeType' || !isRadomeReported(block)) needed.push(member);
  }
  const valuesFor = (members: Member[], isEssential: boolean): Reported<'missing-value'> => {
    const text = members.map((member) => rows[member]!.label).join(', ');
    const blank = members.filter((member) => (valuesOf(block)[member] ?? null) === null);
    return { kind, members, blank, isEssential, text };
  };
  if (needed.length > 0) report('missing-value', place, valuesFor(needed, true));
  if (others.length > 0) report('missing-value', place, valuesFor(others, false), 'info');
}

const PERIOD_SECTIONS = {
  clock: 'frequencyStandards',
  'humidity sensor': 'humiditySensors',
} as const;

/** Says from when on clocks and humidity sensors count whose start is blank. */
function checkPeriods({ sections, log }: CheckedLog, first: Instant, report: Report): void {
  for (const item of log.items) {
    const { equipmentType: kind, type } = item.id;
    if (item.from !== null || (kind !== 'clock' && kind !== 'humidity sensor')) continue;
    const dates = sections[PERIOD_SECTIONS[kind]][item.item - 1]?.effectiveDates ?? null;
    // An unreadable start is another finding.
    if (dates !== null && readEffectiveDates(dates.written).from.remark !== undefined) continue;
    const serialNumber = 'serialNumber' in item.id ? item.id.serialNumber : null;
    const text = deviceInWords({ type, serialNumber });
    const values = { kind, members: ['effectiveDates'], isEssential: false, first, text } as const;
    report('missing-value', placeOf(item), values, 'info');
  }
}

/** The place of the heading of a section; the whole log if it has none, or is XML. */
function headingPlace(scanned: ScannedLog | null, number: string): Place {
  const heading = scanned?.parts.find(({ section }) => section === number);
  return heading === undefined ? { line: 1 } : { line: heading.line, section: number };
}

/** Checks that the receivers and antennas have the values that readers need. */
export function checkRequiredValues(
  { sections, log, scanned }: CheckedLog & { scanned: ScannedLog | null },
  report: Report,
): void {
  const first = firstDateOf(log.items);
  const about = { isText: scanned !== null, first };
  for (const name of ['gnssReceivers', 'gnssAntennas'] as const) {
    const kind = KINDS[name];
    if (!log.items.some(({ id }) => id.equipmentType === kind && !isNoDevice(id.type)))
      report('missing-equipment', headingPlace(scanned, SECTIONS[name].number), { kind });
    for (const [index, block] of sections[name].entries())
      if (isOnRecord(block)) checkBlock(name, block, index + 1, about, report);
  }
  if (first !== null) checkPeriods({ sections, log }, first, report);
  for (const [index, block] of sections.gnssAntennas.entries()) {
    const { antennaReferencePoint: point } = block;
    if (!isOnRecord(block) || typeof point?.value !== 'string') continue;
    if (isAntennaReferencePoint(point.value)) continue;
    const place = { line: point.line, section: SECTIONS.gnssAntennas.number, item: index + 1 };
    report('unknown-reference-point', place, { text: point.written });
  }
}
