import type { GnssEquipmentType, Instant } from '../../schemas/index.js';
import { comparableText, comparableValues } from '../derive/devices.js';
import type { AddNote } from '../findings/notes.js';
import { DAY } from '../requests/units-of-time.js';
import { compareTexts } from '../words.js';
import { decimal, measured } from './columns-of-text.js';
import { csvLine } from './csv.js';
import { ECCENTRICITIES, type Eccentricity, ECCENTRICITY_DIGITS } from './eccentricities.js';
import {
  beginning,
  comment,
  endWith,
  epoch,
  isSayable,
  POINT_CODES,
  pointCode,
  sourceComment,
} from './sinex.js';
import type { FormatOptions, SiteFile } from './site-format.js';
import { BOTH, isDuring, joinedTimes, severalInUse, zerosWritten } from './history-lines.js';
import type { Antenna, Interval, Receiver, SiteHistory } from './site-history.js';

/** Writes the changes that may be offsets in the time series of a Site. */

/**
 * What changes: the antenna and its radome, the eccentricity; and if they are asked for, the
 * receiver and its firmware.
 */
type Kind = 'antenna' | 'radome' | 'eccentricity' | 'receiver' | 'firmware';

/** More columns than any eccentricity has. It is written without blanks around it. */
const ECCENTRICITY_WIDTH = 40;

/** A change of one kind. */
interface Offset {
  at: Instant;
  kind: Kind;
  /** Null if unknown. */
  before: string | null;
  after: string | null;
}

/** Which changes besides those of the antenna. */
interface OffsetOptions extends FormatOptions {
  receiverChanges: boolean;
}

/** A value as it is written, and as it is compared. Null if unknown. */
interface Value {
  text: string | null;
  compared: string | null;
}

const asWritten = (text: string | null | undefined): Value => ({
  text: text ?? null,
  compared: text ?? null,
});

/** A type with a serial number. A change of spelling alone is not a change. */
function device(
  { type, serialNumber }: Pick<Antenna | Receiver, 'type' | 'serialNumber'>,
  equipmentType: GnssEquipmentType,
): Value {
  const text =
    type === null && serialNumber === null
      ? null
      : `${type ?? 'unknown type'} ${serialNumber ?? 'unknown serial number'}`;
  return {
    text,
    compared: text && JSON.stringify(comparableValues({ equipmentType, type, serialNumber })),
  };
}

/** Firmware. A change of spelling alone is not a change. */
function firmwareOf(receiver: Receiver | null): Value {
  const text = receiver?.firmware ?? null;
  return { text, compared: text && comparableText(text) };
}

/** The value of a kind of change, at the time of an interval. The eccentricity has three. */
const PARTS: Record<Exclude<Kind, 'eccentricity'>, (interval: Interval) => Value> = {
  antenna: ({ antenna }) => (antenna === null ? asWritten(null) : device(antenna, 'gnss antenna')),
  radome: ({ antenna }) => asWritten(antenna?.radome?.toUpperCase()),
  receiver: ({ receiver }) =>
    receiver === null ? asWritten(null) : device(receiver, 'gnss receiver'),
  firmware: ({ receiver }) => firmwareOf(receiver),
};

/** The changes of a kind that has one value. @param inUse the intervals in which it has one */
function offsetsOfKind(kind: keyof typeof PARTS, inUse: readonly Interval[]): Offset[] {
  const offsets: Offset[] = [];
  for (const [index, interval] of inUse.slice(1).entries()) {
    const before = PARTS[kind](inUse[index]!);
    const after = PARTS[kind](interval);
    if (before.compared !== after.compared)
      offsets.push({ at: interval.from, kind, before: before.text, after: after.text });
  }
  return offsets;
}

/** An interval with an antenna. */
type WithAntenna = Interval & { antenna: Antenna };

/** A change of one of the three eccentricities. */
interface Step {
  at: Instant;
  name: Eccentricity;
  before: number;
  after: number;
}

/** A time in which one eccentricity is unknown, although it is known before or after it. */
interface Unknown {
  name: Eccentricity;
  from: Instant;
  /** When it is known again; null if it never is. */
  to: Instant | null;
  isKnownBefore: boolean;
}

/** An eccentricity as it is written, and compared. */
const metres = (value: number): string =>
  decimal(value, ECCENTRICITY_WIDTH, ECCENTRICITY_DIGITS)!.trim();

/**
 * Compares one eccentricity with its last known value. So a change while it was unknown is dated at
 * the end of that time, like a change across a gap.
 */
function historyOf(
  name: Eccentricity,
  inUse: readonly WithAntenna[],
): { steps: Step[]; unknown: Unknown[] } {
  const steps: Step[] = [];
  const unknown: Unknown[] = [];
  let known: number | null = null;
  let since: Instant | null = null;
  for (const { antenna, from } of inUse) {
    const value = antenna[name];
    if (value === null) {
      since ??= from;
      continue;
    }
    if (since !== null)
      unknown.push({ name, from: since, to: from, isKnownBefore: known !== null });
    since = null;
    if (known !== null && metres(known) !== metres(value))
      steps.push({ at: from, name, before: known, after: value });
    known = value;
  }
  if (since !== null && known !== null)
    unknown.push({ name, from: since, to: null, isKnownBefore: true });
  return { steps, unknown };
}

/** Notes in which times an eccentricity is unknown, so that a change cannot be seen. */
function noteUnknown(
  unknown: readonly Unknown[],
  steps: readonly Step[],
  isAsked: (at: Instant) => boolean,
  note: AddNote,
): void {
  const asked = unknown.filter(
    ({ from, to, isKnownBefore }) =>
      (isKnownBefore && isAsked(from)) || (to !== null && isAsked(to)),
  );
  const alike = Map.groupBy(asked, ({ from, to }) => `${from} ${to}`);
  for (const group of alike.values()) {
    const { from, to } = group[0]!;
    const names = group.map(({ name }) => name);
    const changed = steps
      .filter(({ at, name }) => at === to && names.includes(name))
      .map(({ name, before, after }) => ({ name, before: metres(before), after: metres(after) }));
    note({ code: 'unknown-eccentricities', names, changed, period: { from, to } });
  }
}

/**
 * The values at a time, as they are written; null if all are unknown. A note says if one is
 * rounded.
 */
function eccentricityText(
  values: Record<Eccentricity, number | null>,
  note: AddNote,
): string | null {
  const columns = { width: ECCENTRICITY_WIDTH, digits: ECCENTRICITY_DIGITS };
  const texts = ECCENTRICITIES.map((name) =>
    measured(values[name], { what: `${name} eccentricity`, ...columns }, note)?.trim(),
  );
  return texts.some((text) => text !== undefined)
    ? texts.map((text) => text ?? 'unknown').join(' ')
    : null;
}

/** The changes of the eccentricity: each of up, north and east is compared by itself. */
function eccentricityOffsets(
  inUse: readonly WithAntenna[],
  isAsked: (at: Instant) => boolean,
  note: AddNote,
): Offset[] {
  const histories = ECCENTRICITIES.map((name) => historyOf(name, inUse));
  const steps = histories.flatMap((history) => history.steps);
  const unknown = histories.flatMap((history) => history.unknown);
  noteUnknown(unknown, steps, isAsked, note);
  const times = new Set(steps.map(({ at }) => at).filter(isAsked));
  const offsets: Offset[] = [];
  let known: Record<Eccentricity, number | null> = { up: null, north: null, east: null };
  for (const { antenna, from } of inUse) {
    if (times.has(from)) {
      const before = eccentricityText(known, note);
      const after = eccentricityText(antenna, note);
      offsets.push({ at: from, kind: 'eccentricity', before, after });
    }
    known = {
      up: antenna.up ?? known.up,
      north: antenna.north ?? known.north,
      east: antenna.east ?? known.east,
    };
  }
  return offsets;
}

/**
 * The changes of a Site in chronological order. A change across a gap is dated at the end of the
 * gap.
 */
function offsetsOf(
  { intervals }: SiteHistory,
  { during, receiverChanges, firmwareChanges }: OffsetOptions,
  note: AddNote,
): Offset[] {
  const hasReceivers = receiverChanges || firmwareChanges;
  const asked = intervals.filter((each) => isDuring(each, during));
  const several = asked.flatMap((each) =>
    severalInUse(each, hasReceivers ? BOTH.kinds : ['antennas']),
  );
  for (const each of joinedTimes(several)) note(each);
  for (const each of asked.flatMap(zerosWritten)) note(each);
  const isAsked = (at: Instant): boolean =>
    during === null ||
    ((during.from === null || at >= during.from) && (during.to === null || at < during.to));
  const withAntenna = intervals.filter((each): each is WithAntenna => each.antenna !== null);
  const withReceiver = intervals.filter(({ receiver }) => receiver !== null);
  const offsets = [
    ...offsetsOfKind('antenna', withAntenna),
    ...offsetsOfKind('radome', withAntenna),
    ...eccentricityOffsets(withAntenna, isAsked, note),
    ...(receiverChanges ? offsetsOfKind('receiver', withReceiver) : []),
    ...(firmwareChanges ? offsetsOfKind('firmware', withReceiver) : []),
  ];
  return offsets.filter(({ at }) => isAsked(at)).sort((a, b) => compareTexts(a.at, b.at));
}

/** The year with its fraction. */
function decimalYear(at: Instant): string {
  const year = Number(at.slice(0, 4));
  const begin = Date.UTC(year, 0);
  const end = Date.UTC(year + 1, 0);
  return (year + (Date.parse(at) - begin) / (end - begin)).toFixed(6);
}

/** The modified Julian day of the beginning of 1970. */
const EPOCH_DAY = 40_587;

const modifiedJulianDay = (at: Instant): string => (EPOCH_DAY + Date.parse(at) / DAY).toFixed(5);

/** The offsets as CSV, one a line. */
export const offsetsCsv = (options: OffsetOptions): SiteFile => ({
  comment: null,
  parts: [
    {
      begin: csvLine([
        'fourCharacterId',
        'nineCharacterId',
        'epoch',
        'decimalYear',
        'modifiedJulianDay',
        'kind',
        'before',
        'after',
      ]),
      ofSite: (history, note) =>
        offsetsOf(history, options, note).map(({ at, kind, before, after }) => {
          const { fourCharacterId, nineCharacterId } = history.site;
          return csvLine([
            fourCharacterId,
            nineCharacterId,
            at,
            decimalYear(at),
            modifiedJulianDay(at),
            kind,
            before,
            after,
          ]);
        }),
      end: '',
    },
  ],
});

/**
 * The offsets as SINEX: each time between two is a solution.
 * @param organisation three characters; null if unknown
 */
export const offsetsSinex = (options: OffsetOptions, organisation: string | null): SiteFile => ({
  comment,
  endWith: (comments) => endWith(sourceComment(options) + comments),
  parts: [
    {
      begin: [
        beginning(options.now, 'Discontinuities from site logs', organisation),
        '+SOLUTION/DISCONTINUITY\n',
        '*CODE PT SOLN T _DATA START_ __DATA_END__ M __COMMENT__________________________\n',
      ].join(''),
      ofSite: (history, note) => {
        const point = pointCode(history);
        if (point === null) note({ code: 'left-out', namesakes: POINT_CODES });
        const offsets = offsetsOf(history, options, note);
        for (const { at } of offsets.filter((each) => !isSayable(each.at)))
          note({ code: 'change-unsayable', at });
        const sayable = offsets.filter(({ at }) => isSayable(at));
        if (point === null || sayable.length === 0) return [];
        const times = [...new Set(sayable.map(({ at }) => at))];
        const bounds = [null, ...times, null];
        return bounds.slice(1).map((to, index) => {
          const kinds = sayable.filter(({ at }) => at === to).map(({ kind }) => kind);
          const number = String(index + 1).padStart(4);
          const period = `${epoch(bounds[index]!)} ${epoch(to)}`;
          const fields = ` ${history.site.fourCharacterId} ${point} ${number} P ${period} P`;
          return `${`${fields} - ${kinds.join(', ')}`.trimEnd()}\n`;
        });
      },
      end: '-SOLUTION/DISCONTINUITY\n',
    },
  ],
});
