import type { Written } from '../../schemas/index.js';
import { isAntennaReferencePoint } from '../site-log/antenna-reference-points.js';
import { valuesOf } from '../site-log/fields.js';
import { kindOf } from '../site-log/kinds.js';
import { REQUIRED_VALUES, SECTIONS } from '../site-log/sections/index.js';
import type { ScannedLog } from '../site-log/text-scanner.js';
import type { CheckedLog, Report } from './checks.js';
import { isOnRecord, nameAndRadomeOf } from './names.js';

/** Checks that a log has the values that its readers need. */

type Name = keyof typeof REQUIRED_VALUES;
type Block = CheckedLog['sections'][Name][number];

const KINDS = { gnssReceivers: 'gnss receiver', gnssAntennas: 'gnss antenna' } as const;
const PLAIN_NAMES = { gnssReceivers: 'receiver', gnssAntennas: 'antenna' } as const;

/** Whether a value is unknown, and no other finding says that it cannot be read. */
function isMissing(name: Name, block: Block, member: string): boolean {
  const value: Written | null = valuesOf(block)[member] ?? null;
  if (value === null) return true;
  if (value.value !== null) return false;
  return kindOf(SECTIONS[name].rows[member]!).read(value.written).remark?.level !== 'warning';
}

/** The antenna type includes the radome. */
const hasRadomeInType = ({ type }: Block): boolean =>
  nameAndRadomeOf(type?.written ?? '').radome !== null;

/** Whether `radome-missing` says already that the radome of an antenna is unknown. */
const isRadomeReported = (block: Block): boolean =>
  (block.type?.value ?? null) !== null && !hasRadomeInType(block);

/** The type and the serial number of a device, as far as they are known. */
function deviceWords({ type, serialNumber }: Block): string {
  const known = [type, serialNumber].map((each) => each?.value ?? null);
  return known.filter((each) => each !== null).join(' ');
}

/** Checks one receiver or antenna. The texts of findings say what is missing: baselines name them. */
function checkBlock(name: Name, block: Block, report: Report): void {
  const kind = KINDS[name];
  const { line } = block;
  const { rows } = SECTIONS[name];
  const { essential, useful } = REQUIRED_VALUES[name];
  const needed: string[] = [];
  const others: string[] = useful.filter((member) => isMissing(name, block, member));
  for (const member of essential.filter((each) => isMissing(name, block, each))) {
    if (member === 'dateInstalled') {
      const message = `${kind}: Date Installed unknown; its period follows from other dates of the log`;
      report('missing-value', line, message, deviceWords(block));
    } else if (member === 'antennaRadomeType' && hasRadomeInType(block)) others.push(member);
    else if (member !== 'antennaRadomeType' || !isRadomeReported(block)) needed.push(member);
  }
  const labelsOf = (members: string[]): string =>
    members.map((member) => rows[member]!.label).join(', ');
  if (needed.length > 0)
    report(
      'missing-value',
      line,
      `${kind}: values that software needs are unknown`,
      labelsOf(needed),
    );
  if (others.length > 0)
    report('missing-value', line, `${kind}: useful values are unknown`, labelsOf(others), 'info');
}

/** The line of the heading of a section; 1 if it has none, or the log is XML. */
const headingLine = (scanned: ScannedLog | null, number: string): number =>
  scanned?.parts.find(({ section }) => section === number)?.line ?? 1;

/** Checks that the receivers and antennas have the values that readers need. */
export function checkRequiredValues(
  { sections, log, scanned }: CheckedLog & { scanned: ScannedLog | null },
  report: Report,
): void {
  for (const name of ['gnssReceivers', 'gnssAntennas'] as const) {
    const kind = KINDS[name];
    if (!log.items.some(({ id }) => id.equipmentType === kind)) {
      const line = headingLine(scanned, SECTIONS[name].number);
      report('missing-equipment', line, `the log has no ${PLAIN_NAMES[name]}`);
    }
    for (const block of sections[name].filter(isOnRecord)) checkBlock(name, block, report);
  }
  for (const { antennaReferencePoint: point } of sections.gnssAntennas.filter(isOnRecord)) {
    if (typeof point?.value !== 'string' || isAntennaReferencePoint(point.value)) continue;
    report(
      'unknown-reference-point',
      point.line,
      'the antenna reference point is not a code of antenna.gra, such as BPA or BCR',
      point.written,
    );
  }
}
