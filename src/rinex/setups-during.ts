import type { EquipmentInUse, Setup } from '../../schemas/index.js';
import { MINUTE } from '../requests/units-of-time.js';
import { type Device, DEVICES } from './fields.js';
import type { Neighbour, NoEquipment } from './findings.js';
import type { Span } from './identify.js';

/** The Setups during a file, and the devices of which none is on record then. */

/** The devices that a header names. */
export const ALL_DEVICES = Object.keys(DEVICES) as Device[];
const KINDS = { receiver: 'gnss receiver', antenna: 'gnss antenna' } as const;

/** Equipment in use over a period. */
export type Equipped = Pick<Setup, 'effectivePeriod' | 'equipmentInUse'>;

/** The equipment of a kind in use, in the order of its installation; null for none. */
export const ofKind = ({ equipmentInUse }: Equipped, kind: string): (EquipmentInUse | null)[] => {
  const found = equipmentInUse
    .filter(({ content }) => content.id.equipmentType === kind)
    .toSorted((a, b) => Date.parse(a.content.period.from) - Date.parse(b.content.period.from));
  return found.length === 0 ? [null] : found;
};

/** The serial number of an item; null if it is unknown. */
export const serialOf = ({ content: { id } }: EquipmentInUse): string | null =>
  'serialNumber' in id ? id.serialNumber : null;

/**
 * A change so close to the begin or the end of a file does not count, in milliseconds: files are in
 * GPS time, which is some seconds ahead of UTC, and daily files begin some seconds before midnight.
 */
const MARGIN = MINUTE;

/**
 * The beginning and the end of a file in milliseconds, without the margins; for a short file, its
 * middle twice.
 */
function withoutMargins({ from, to }: Span, longest = MARGIN): { first: number; last: number } {
  const begin = Date.parse(from);
  const end = Date.parse(to);
  const margin = Math.min(longest, (end - begin) / 2);
  return { first: begin + margin, last: end - margin };
}

/**
 * The Setups in effect during a file, without the margins at its ends; of a short file, in its
 * middle.
 */
export function setupsDuring(setups: Setup[], span: Span, margin = MARGIN): Setup[] {
  const { first, last } = withoutMargins(span, margin);
  return setups.filter(({ effectivePeriod: period }) => {
    const start = Date.parse(period.from);
    return (
      (start <= first || start < last) && (period.to === null || Date.parse(period.to) > first)
    );
  });
}

/**
 * Whether Setups are in effect at every time of a file.
 * @param during those in effect at some time, in chronological order
 */
export function isCoveredBy(during: Setup[], span: Span): boolean {
  const { first, last } = withoutMargins(span);
  const periods = during.map(({ effectivePeriod }) => effectivePeriod);
  const begin = periods[0];
  const end = periods.at(-1);
  if (begin === undefined || end === undefined) return false;
  const isWithoutGap = periods.every(({ from }, index) => {
    const before = periods[index - 1];
    return before === undefined || before.to === from;
  });
  const isUntilEnd = end.to === null || Date.parse(end.to) >= last;
  return Date.parse(begin.from) <= first && isUntilEnd && isWithoutGap;
}

/**
 * The Setups with which a header is compared: those during its file and, if a receiver or an
 * antenna is on record only within the margins, these too.
 */
export function setupsToCompare(setups: Setup[], span: Span): Setup[] {
  const during = setupsDuring(setups, span);
  const isComplete = ALL_DEVICES.every((device) => during.some((each) => hasDevice(each, device)));
  return isComplete ? during : setupsDuring(setups, span, 0);
}

/** What a Setup lacks. */
interface Lacking {
  without: Device[];
}

/** The device of a kind that was installed last in a Setup, as a neighbour of a gap. */
function neighbourIn(setup: Setup | undefined, device: Device): Neighbour | null {
  const item = setup && ofKind(setup, KINDS[device]).at(-1);
  if (!item) return null;
  const { id, period } = item.content;
  return { type: id.type, serialNumber: serialOf(item), ...period };
}

/** The devices of which none is on record at any time of a file, and those before and after it. */
export function noEquipmentDuring(
  setups: Setup[],
  during: readonly Lacking[],
  span: Span,
): NoEquipment[] {
  const { first } = withoutMargins(span);
  const missing = ALL_DEVICES.filter((device) =>
    during.every(({ without }) => without.includes(device)),
  );
  return missing.map((device) => {
    const having = setups.filter((setup) => hasDevice(setup, device));
    const isBefore = ({ effectivePeriod: { from } }: Setup): boolean => Date.parse(from) <= first;
    return {
      device,
      before: neighbourIn(having.findLast(isBefore), device),
      after: neighbourIn(
        having.find((setup) => !isBefore(setup)),
        device,
      ),
    };
  });
}

/** Whether a Setup has a device. */
export const hasDevice = ({ equipmentInUse }: Setup, device: Device): boolean =>
  equipmentInUse.some(({ content }) => content.id.equipmentType === KINDS[device]);
