import type { EquipmentInUse, GnssEquipmentType, Setup } from '../../schemas/index.js';
import { comparableSerialNumber, knownValue, modelOf } from '../derive/devices.js';
import type { BlankEccentricity } from '../formats/eccentricities.js';
import { intervalOf } from '../formats/site-history.js';
import type { RecordedSite } from '../store/read/sites/sites.js';
import { type Comparison, compareHeader, isEqual, splitAntenna } from './compare.js';
import { type Device, DEVICES, ECCENTRICITY_FIELDS, type Field, FIELDS } from './fields.js';
import type { RinexHeader } from './header/header.js';
import { ALL_DEVICES, type Equipped, ofKind, serialOf } from './setups-during.js';

/** Compares a header with Setups, and finds the one that it fits best. */

/** A header compared with the equipment of a Setup. */
interface ComparedHeader {
  /** The header compared with those of its receivers and antennas that match best. */
  fields: Comparison[];
  /** The eccentricities that are blank in the log, and count as 0. */
  zeros: Field[];
  /** The header compared with others that it may be about. */
  alternatives: Comparison[][];
  /** The kinds of equipment of which several are in use, if the header does not identify one. */
  unclear: Device[];
}

/** A Setup in effect during a file, compared with its header. */
export interface SetupDuring extends ComparedHeader {
  setup: Setup;
  /** The devices that it lacks. */
  without: Device[];
}

/** The fields by which a device in a header is recognised in another Setup. */
export const RECOGNISED_BY: Record<Device, readonly Field[]> = {
  receiver: DEVICES.receiver,
  antenna: [...DEVICES.antenna, ...ECCENTRICITY_FIELDS],
};

/**
 * How well a header fits equipment, the most important number first: how many fields are equal, how
 * many of these are serial numbers, and then, as negative numbers, how many fields the log does not
 * know, and how many are empty in the header.
 */
function likeness(fields: Comparison[]): number[] {
  const equal = fields.filter((each) => isEqual(each) && each.record !== null);
  const serialNumbers = equal.filter(({ field }) => SERIAL_NUMBERS.includes(field));
  const unknown = fields.filter(({ status }) => status === 'unknown in log');
  const empty = fields.filter(({ status }) => status === 'empty in header');
  return [equal.length, serialNumbers.length, -unknown.length, -empty.length];
}
const SERIAL_NUMBERS: readonly Field[] = ['receiverSerialNumber', 'antennaSerialNumber'];

/** Whether the first number that differs is larger. */
function isLarger(one: number[], other: number[]): boolean {
  const index = one.findIndex((each, place) => each !== other[place]);
  return index !== -1 && one[index]! > other[index]!;
}

/**
 * What a header fits best; the first of several, and null of none.
 * @param among the fields that count; all by default
 */
function closest<T extends ComparedHeader>(
  compared: T[],
  among: readonly Field[] = FIELDS,
): T | null {
  const likenessOf = ({ fields }: T): number[] =>
    likeness(fields.filter(({ field }) => among.includes(field)));
  return compared.reduce<T | null>(
    (best, each) => (best === null || isLarger(likenessOf(each), likenessOf(best)) ? each : best),
    null,
  );
}

/** The equipment of a kind in use, of which the header says one. */
interface Candidates {
  /** Those that it may be, in the order of their installation; null for none in use. */
  items: (EquipmentInUse | null)[];
  /** Whether there are several, and the header does not say which one it is. */
  isUnclear: boolean;
}

/** Known values are compared without case, blanks and hyphens. */
function isSame(one: string | null, other: string | null): boolean {
  const a = knownValue(one);
  const b = knownValue(other);
  return a !== null && b !== null && comparableSerialNumber(a) === comparableSerialNumber(b);
}

/**
 * The devices that a header may be about: of several in use, the one with its serial number, or
 * else with its type; otherwise all of them.
 */
function candidatesOf(
  setup: Equipped,
  kind: GnssEquipmentType,
  serialNumber: string | null,
  types: (string | null)[],
): Candidates {
  const items = ofKind(setup, kind);
  const withSerialNumber = items.filter(
    (item) => item !== null && isSame(serialOf(item), serialNumber),
  );
  if (withSerialNumber.length === 1) return { items: withSerialNumber, isUnclear: false };
  const among = withSerialNumber.length > 0 ? withSerialNumber : items;
  const hasType = (item: EquipmentInUse): boolean => {
    const model = modelOf(item.content.id);
    return types.some((type) => isSame(model, type));
  };
  const withType = among.filter((item) => item !== null && hasType(item));
  if (withType.length === 1) return { items: withType, isUnclear: false };
  const possible = withType.length > 0 ? withType : among;
  return { items: possible, isUnclear: possible.length > 1 && !isOneDevice(possible) };
}

/** Whether items are entries of one device: they have one type and one known serial number. */
function isOneDevice(items: (EquipmentInUse | null)[]): boolean {
  const [first, ...others] = items.filter((item) => item !== null);
  return (
    first !== undefined &&
    others.every(
      (item) =>
        isSame(serialOf(item), serialOf(first)) &&
        isSame(modelOf(item.content.id), modelOf(first.content.id)),
    )
  );
}

/**
 * Compares a header with a Setup. If several receivers or antennas are in use, with the one that
 * the header says; if it says none, with those that match best, and of these with those that were
 * installed last.
 */
export function compareWith(
  header: RinexHeader,
  { site, agencies, isText }: RecordedSite,
  setup: Equipped,
  blankEccentricity: BlankEccentricity,
): ComparedHeader {
  const { receiverSerialNumber, receiverType, antennaSerialNumber, antennaType } = header;
  const receivers = candidatesOf(setup, 'gnss receiver', receiverSerialNumber, [receiverType]);
  // The radome may be in the columns of the type.
  const antennaTypes = [antennaType, splitAntenna(header)?.type ?? null];
  const antennas = candidatesOf(setup, 'gnss antenna', antennaSerialNumber, antennaTypes);
  const pairs = receivers.items.flatMap((receiver) =>
    antennas.items.map((antenna) => [receiver, antenna].filter((each) => each !== null)),
  );
  const all = pairs.map((equipmentInUse) => {
    const interval = intervalOf(
      { effectivePeriod: setup.effectivePeriod, equipmentInUse },
      { isText, blankEccentricity },
    );
    const fields = compareHeader(header, site, agencies, interval);
    return { fields, zeros: interval.antenna?.zeros ?? [] };
  });
  const unclear: Device[] = [
    ...(receivers.isUnclear ? (['receiver'] as const) : []),
    ...(antennas.isUnclear ? (['antenna'] as const) : []),
  ];
  // Of equal ones, the last: it was installed last.
  const compared = all.toReversed().map((each) => ({ ...each, alternatives: [], unclear }));
  const best = closest(compared)!;
  return {
    ...best,
    alternatives: compared.filter((each) => each !== best).map(({ fields }) => fields),
  };
}

/**
 * What a header is compared with: the Setup that it fits best, of those that have a receiver and an
 * antenna. If none has both, each device is compared with the Setups that have it. A Setup without
 * a device is never used for it.
 */
export function matchOf(during: SetupDuring[]): SetupDuring | null {
  const complete = during.filter(({ without }) => without.length === 0);
  if (complete.length > 0) return closest(complete);
  const [receiver, antenna] = ALL_DEVICES.map((device) =>
    closest(
      during.filter(({ without }) => !without.includes(device)),
      RECOGNISED_BY[device],
    ),
  ) as [SetupDuring | null, SetupDuring | null];
  if (receiver === null || antenna === null) return receiver ?? antenna;
  const isOfAntenna = ({ field }: Comparison): boolean =>
    field === 'azimuth' || RECOGNISED_BY.antenna.includes(field);
  return {
    ...receiver,
    zeros: antenna.zeros,
    unclear: [...receiver.unclear, ...antenna.unclear],
    fields: [
      ...receiver.fields.filter((each) => !isOfAntenna(each)),
      ...antenna.fields.filter(isOfAntenna),
    ].toSorted((a, b) => FIELDS.indexOf(a.field) - FIELDS.indexOf(b.field)),
  };
}
