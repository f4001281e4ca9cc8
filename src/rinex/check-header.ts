import type { EquipmentInUse, Setup } from '../../schemas/index.js';
import { comparableSerialNumber, knownValue, modelOf } from '../derive/devices.js';
import type { BlankEccentricity } from '../formats/eccentricities.js';
import { intervalOf } from '../formats/site-history.js';
import type { RecordedSite } from '../store/read/sites/sites.js';
import { type Comparison, compareHeader, isEqual, splitAntenna } from './compare.js';
import { type Device, DEVICES, type Field, FIELDS } from './fields.js';
import type { Neighbour, NoEquipment, OtherSetup } from './findings.js';
import type { RinexHeader } from './header/header.js';
import type { Span } from './identify.js';

/** Checks a header against all that is on record about a Site. */

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
interface SetupDuring extends ComparedHeader {
  setup: Setup;
  /** The devices that it lacks. */
  without: Device[];
}

/** What was found about a header. */
export interface CheckedHeader {
  /** Compared with the best match, in the order of {@link FIELDS}. */
  fields: Comparison[];
  /** The names and abbreviations of the agencies of the Site. */
  agencies: string[];
  /** The devices of which none is on record at any time of the file. */
  noEquipment: NoEquipment[];
  /** The Setups in effect during the file, each with its own comparison. */
  during: SetupDuring[];
  /** Whether there is one at every time of the file. */
  isCovered: boolean;
  /** The one that matches best; null if there is none. */
  best: Setup | null;
  /** The eccentricities of it that are blank in the log, and count as 0. */
  zeros: Field[];
  /** The kinds of equipment of which it has several in use, if the header does not identify one. */
  unclear: Device[];
  otherSetups: OtherSetup[];
  /** Date Prepared of the log, if the file begins on a later day; otherwise null. */
  recordPrepared: string | null;
  /**
   * The devices that are probably newer than the record: they differ from the last Setup, and the
   * file begins after Date Prepared.
   */
  newerDevices: Device[];
}

const ALL_DEVICES = Object.keys(DEVICES) as Device[];
const KINDS = { receiver: 'gnss receiver', antenna: 'gnss antenna' } as const;

/** The fields by which a device in a header is recognised in another Setup. */
const RECOGNISED_BY: Record<Device, readonly Field[]> = {
  receiver: DEVICES.receiver,
  antenna: [...DEVICES.antenna, 'up', 'east', 'north'],
};

/**
 * A change so close to the begin or the end of a file does not count, in milliseconds: files are in
 * GPS time, which is some seconds ahead of UTC, and daily files begin some seconds before midnight.
 */
const MARGIN = 60_000;

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
function isCoveredBy(during: Setup[], span: Span): boolean {
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

const ofKind = ({ equipmentInUse }: Equipped, kind: string): (EquipmentInUse | null)[] => {
  const found = equipmentInUse
    .filter(({ content }) => content.id.equipmentType === kind)
    .toSorted((a, b) => Date.parse(a.content.period.from) - Date.parse(b.content.period.from));
  return found.length === 0 ? [null] : found;
};

const differing = (fields: Comparison[]): number =>
  fields.filter(({ status }) => status === 'differs').length;

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

/** The element for which a number is least; the first of several. */
function least<T>(elements: T[], numberOf: (element: T) => number): T | null {
  return elements.reduce<T | null>(
    (best, each) => (best === null || numberOf(each) < numberOf(best) ? each : best),
    null,
  );
}

/** Equipment in use over a period. */
type Equipped = Pick<Setup, 'effectivePeriod' | 'equipmentInUse'>;

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
  kind: 'gnss receiver' | 'gnss antenna',
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

const serialOf = ({ content: { id } }: EquipmentInUse): string | null =>
  'serialNumber' in id ? id.serialNumber : null;

/**
 * Compares a header with a Setup. If several receivers or antennas are in use, with the one that
 * the header says; if it says none, with those that match best, and of these with those that were
 * installed last.
 */
function compareWith(
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
function matchOf(during: SetupDuring[]): SetupDuring | null {
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

/** The device of a kind that was installed last in a Setup, as a neighbour of a gap. */
function neighbourIn(setup: Setup | undefined, device: Device): Neighbour | null {
  const item = setup && ofKind(setup, KINDS[device]).at(-1);
  if (!item) return null;
  const { id, period } = item.content;
  return { type: id.type, serialNumber: serialOf(item), ...period };
}

/** The devices of which none is on record at any time of a file, and those before and after it. */
function noEquipmentDuring(setups: Setup[], during: SetupDuring[], span: Span): NoEquipment[] {
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

const hasDevice = ({ equipmentInUse }: Setup, device: Device): boolean =>
  equipmentInUse.some(({ content }) => content.id.equipmentType === KINDS[device]);

const NO_SETUP: Equipped = {
  effectivePeriod: { from: '', to: null },
  equipmentInUse: [],
};

const ofDevice = (fields: Comparison[], device: Device): Comparison[] =>
  fields.filter(({ field }) => RECOGNISED_BY[device].includes(field));

/**
 * Whether a header fits the device of another Setup: nothing differs, and what differs now is equal
 * there.
 */
function fits(there: Comparison[], here: Comparison[]): boolean {
  return there.every(
    (each, index) =>
      each.status !== 'differs' && (here[index]!.status !== 'differs' || isEqual(each)),
  );
}

const beforeIt = (isNext: boolean) => (isNext ? 'previous' : 'earlier');
const afterIt = (isNext: boolean) => (isNext ? 'next' : 'later');

/**
 * The Setup of the Site that a device in the header fits best, and of several the nearest in time;
 * null if there is none.
 */
function findOtherSetup(
  header: RinexHeader,
  recordedSite: RecordedSite,
  best: Setup,
  fields: Comparison[],
  device: Device,
  blank: BlankEccentricity,
): OtherSetup | null {
  const here = ofDevice(fields, device);
  const position = recordedSite.setups.indexOf(best);
  const compared = recordedSite.setups.map((setup) =>
    ofDevice(compareWith(header, recordedSite, setup, blank).fields, device),
  );
  const found = [...compared.keys()].filter(
    (index) => index !== position && fits(compared[index]!, here),
  );
  const equals = (each: number): number => compared[each]!.filter(isEqual).length;
  const most = Math.max(...found.map(equals));
  const index = least(
    found.filter((each) => equals(each) === most),
    (each) => Math.abs(each - position),
  );
  if (index === null) return null;
  const { id, effectivePeriod } = recordedSite.setups[index]!;
  // Setups in between that have the same device as the best one are no other.
  const between = compared.slice(Math.min(index, position) + 1, Math.max(index, position));
  const isNext = between.every((each) => JSON.stringify(each) === JSON.stringify(here));
  const which = index < position ? beforeIt(isNext) : afterIt(isNext);
  return { device, id, ...effectivePeriod, which };
}

/** The other Setups that the devices in a header fit, if they differ from the best one. */
const otherSetupsOf = (
  header: RinexHeader,
  recordedSite: RecordedSite,
  best: Setup,
  fields: Comparison[],
  blank: BlankEccentricity,
): OtherSetup[] =>
  ALL_DEVICES.filter((device) => differing(ofDevice(fields, device)) > 0)
    .map((device) => findOtherSetup(header, recordedSite, best, fields, device, blank))
    .filter((each) => each !== null);

/** The devices in a header that differ from the last Setup on record. */
function devicesUnlikeLast(
  header: RinexHeader,
  recordedSite: RecordedSite,
  blank: BlankEccentricity,
): Device[] {
  const last = recordedSite.setups.at(-1);
  if (last === undefined) return [];
  const { fields } = compareWith(header, recordedSite, last, blank);
  return ALL_DEVICES.filter((device) => {
    const ofIdentity: readonly Field[] = DEVICES[device];
    return differing(fields.filter(({ field }) => ofIdentity.includes(field))) > 0;
  });
}

/**
 * The Setups with which a header is compared: those during its file and, if a receiver or an
 * antenna is on record only within the margins, these too.
 */
function setupsToCompare(setups: Setup[], span: Span): Setup[] {
  const during = setupsDuring(setups, span);
  const isComplete = ALL_DEVICES.every((device) => during.some((each) => hasDevice(each, device)));
  return isComplete ? during : setupsDuring(setups, span, 0);
}

/**
 * Compares a header with the record of a Site during a file.
 * @param blank what a blank eccentricity counts as
 */
export function checkHeader(
  header: RinexHeader,
  recordedSite: RecordedSite,
  span: Span,
  blank: BlankEccentricity = 'zero',
): CheckedHeader {
  const { datePrepared } = recordedSite;
  const isNewer = datePrepared !== null && span.from.slice(0, 10) > datePrepared;
  const during = setupsToCompare(recordedSite.setups, span).map((setup) => ({
    setup,
    without: ALL_DEVICES.filter((device) => !hasDevice(setup, device)),
    ...compareWith(header, recordedSite, setup, blank),
  }));
  const match = matchOf(during);
  const fields = match?.fields ?? compareWith(header, recordedSite, NO_SETUP, blank).fields;
  const best = match?.setup ?? null;
  return {
    fields,
    agencies: recordedSite.agencies,
    noEquipment: noEquipmentDuring(recordedSite.setups, during, span),
    during,
    isCovered: isCoveredBy(
      during.map(({ setup }) => setup),
      span,
    ),
    best,
    zeros: match?.zeros ?? [],
    unclear: match?.unclear ?? [],
    otherSetups: best === null ? [] : otherSetupsOf(header, recordedSite, best, fields, blank),
    recordPrepared: isNewer ? datePrepared : null,
    newerDevices: isNewer ? devicesUnlikeLast(header, recordedSite, blank) : [],
  };
}
