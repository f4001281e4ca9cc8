import type { CorsSite, EquipmentInUse, Instant, Period, Setup } from '../../../schemas/index.js';
import { intervalOf } from '../../formats/site-history.js';
import { type Comparison, compareHeader, type Field } from './compare.js';
import type { NameOfFile } from './file-name.js';
import type { RinexHeader } from './header.js';

/** Checks a header against all that is on record about a Site. */

type RecordedSetup = Pick<Setup, 'id' | 'effectivePeriod' | 'equipmentInUse'>;

/** A Site as it is on record. */
export interface RecordedSite {
  site: CorsSite;
  /** Its valid Setups in chronological order. */
  setups: RecordedSetup[];
  /** The names and abbreviations of the agencies in sections 11 and 12 of its log. */
  agencies: string[];
}

/** The times between which a file has observations. Equal for an instant. */
export interface Span {
  from: Instant;
  to: Instant;
}

/** Another Setup of the Site that the receiver or the antenna in the header fits. */
export interface OtherSetup extends Period {
  device: Device;
  which: 'previous' | 'next' | 'earlier' | 'later';
  id: number;
}

/** What was found about a header. */
export interface CheckedHeader {
  /** Compared with the best match, in the order of {@link FIELDS}. */
  fields: Comparison[];
  /** The Setups in effect during the file, each with its own comparison. */
  during: { setup: RecordedSetup; fields: Comparison[] }[];
  /** The one that matches best; null if there is none. */
  best: RecordedSetup | null;
  otherSetups: OtherSetup[];
}

const DEVICES = {
  receiver: ['receiverSerialNumber', 'receiverType', 'firmwareVersion'],
  antenna: ['antennaSerialNumber', 'antennaType', 'radomeType', 'up', 'east', 'north'],
} as const satisfies Record<string, Field[]>;
export type Device = keyof typeof DEVICES;

/**
 * A change so close to the begin or the end of a file does not count, in milliseconds: files are in GPS time, which is some
 * seconds ahead of UTC, and daily files begin some seconds before midnight.
 */
const MARGIN = 60_000;

/** When a file was observed; null if neither its header nor its name says so. @param at asked for instead; null for none */
export function spanOf(
  { firstObservation, lastObservation }: RinexHeader,
  name: NameOfFile | null,
  at: Instant | null,
): Span | null {
  if (at !== null) return { from: at, to: at };
  const from = firstObservation ?? name?.from;
  if (from === undefined) return null;
  const to = lastObservation ?? name?.to ?? from;
  return { from, to: to < from ? from : to };
}

/** The Setups in effect during a file, without the margins at its ends; of a short file, in its middle. */
export function setupsDuring(setups: RecordedSetup[], { from, to }: Span): RecordedSetup[] {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const margin = Math.min(MARGIN, (end - begin) / 2);
  const [first, last] = [begin + margin, end - margin];
  return setups.filter(({ effectivePeriod: period }) => {
    const start = Date.parse(period.from);
    return (
      (start <= first || start < last) && (period.to === null || Date.parse(period.to) > first)
    );
  });
}

const ofKind = ({ equipmentInUse }: RecordedSetup, kind: string): (EquipmentInUse | null)[] => {
  const found = equipmentInUse
    .filter(({ content }) => content.id.equipmentType === kind)
    .toSorted((a, b) => Date.parse(a.content.period.from) - Date.parse(b.content.period.from));
  return found.length === 0 ? [null] : found;
};

const differing = (fields: Comparison[]): number =>
  fields.filter(({ status }) => status === 'differs').length;

/** The element for which a number is least; the first of several. */
function least<T>(elements: T[], numberOf: (element: T) => number): T | null {
  return elements.reduce<T | null>(
    (best, each) => (best === null || numberOf(each) < numberOf(best) ? each : best),
    null,
  );
}

/** Compares a header with a Setup. If several receivers or antennas are in use, with those that match best, or that were installed last. */
function compareWith(
  header: RinexHeader,
  { site, agencies }: RecordedSite,
  setup: RecordedSetup,
): Comparison[] {
  const pairs = ofKind(setup, 'gnss receiver').flatMap((receiver) =>
    ofKind(setup, 'gnss antenna').map((antenna) =>
      [receiver, antenna].filter((each) => each !== null),
    ),
  );
  const all = pairs.map((equipmentInUse) =>
    compareHeader(
      header,
      site,
      agencies,
      intervalOf({ effectivePeriod: setup.effectivePeriod, equipmentInUse }),
    ),
  );
  return least(all.toReversed(), differing)!;
}

const NO_SETUP: RecordedSetup = {
  id: 0,
  effectivePeriod: { from: '', to: null },
  equipmentInUse: [],
};

const ofDevice = (fields: Comparison[], device: Device): Comparison[] =>
  fields.filter(({ field }) => (DEVICES[device] as readonly Field[]).includes(field));

/** Whether a header fits the device of another Setup: nothing differs, and what differs now is equal there. */
function fits(there: Comparison[], here: Comparison[]): boolean {
  return there.every(
    ({ status }, index) =>
      status !== 'differs' && (here[index]!.status !== 'differs' || status.startsWith('equal')),
  );
}

/** The Setup of the Site that a device in the header fits best, and of several the nearest in time; null if there is none. */
function findOtherSetup(
  header: RinexHeader,
  record: RecordedSite,
  best: RecordedSetup,
  fields: Comparison[],
  device: Device,
): OtherSetup | null {
  const here = ofDevice(fields, device);
  const position = record.setups.indexOf(best);
  const compared = record.setups.map((setup) =>
    ofDevice(compareWith(header, record, setup), device),
  );
  const found = [...compared.keys()].filter(
    (index) => index !== position && fits(compared[index]!, here),
  );
  const equals = (each: number): number =>
    compared[each]!.filter(({ status }) => status.startsWith('equal')).length;
  const most = Math.max(...found.map(equals));
  const index = least(
    found.filter((each) => equals(each) === most),
    (each) => Math.abs(each - position),
  );
  if (index === null) return null;
  const { id, effectivePeriod } = record.setups[index]!;
  const isBefore = index < position;
  // Setups in between that have the same device as the best one are no other.
  const between = compared.slice(Math.min(index, position) + 1, Math.max(index, position));
  const isNext = between.every((each) => JSON.stringify(each) === JSON.stringify(here));
  return {
    device,
    id,
    ...effectivePeriod,
    which: isBefore ? (isNext ? 'previous' : 'earlier') : isNext ? 'next' : 'later',
  };
}

/** Compares a header with the record of a Site during a file. */
export function checkHeader(header: RinexHeader, record: RecordedSite, span: Span): CheckedHeader {
  const during = setupsDuring(record.setups, span).map((setup) => ({
    setup,
    fields: compareWith(header, record, setup),
  }));
  const match = least(during, ({ fields }) => differing(fields));
  if (match === null)
    return { fields: compareWith(header, record, NO_SETUP), during, best: null, otherSetups: [] };
  const { setup: best, fields } = match;
  const otherSetups = (Object.keys(DEVICES) as Device[])
    .filter((device) => differing(ofDevice(fields, device)) > 0)
    .map((device) => findOtherSetup(header, record, best, fields, device))
    .filter((each) => each !== null);
  return { fields, during, best, otherSetups };
}
