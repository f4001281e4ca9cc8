import type { Instant, Period } from '../../schemas/index.js';
import {
  type AddNote,
  isAboutUnknown,
  type Note,
  type Reason,
  saysTheSame,
  sentenceOf,
  type TimedNote,
} from '../findings/notes.js';
import { eccentricities, type Eccentricity } from './eccentricities.js';
import type { Antenna, Interval, Receiver, SiteHistory } from './site-history.js';

/** The lines that a format has of the history of a Site: intervals that it writes alike are one. */

/** Why a format has no line for an interval. */
export interface NoLine {
  /** None if the line is about equipment that is not in use. */
  reasons: Reason[];
}

/** A line of a format. */
export interface Line extends Period {
  /**
   * Its fields, apart from the Site and the times; null if the format has no line for this time.
   */
  text: string | null;
  /** Whether it has no text because there is no receiver or no antenna. */
  isGap: boolean;
  /** What could not be written as it is. */
  notes: Note[];
  /** The same, about times: the reasons if there is no text, in chronological order. */
  times: TimedNote[];
}

/** The time that a file is about. */
export interface TimeOptions {
  /** Only those whose times overlap this; null for all. Equal bounds stand for that instant. */
  during: { from: Instant | null; to: Instant | null } | null;
}

/** Which lines are written. */
interface LineOptions extends TimeOptions {
  /**
   * The longest time without a receiver or an antenna, in milliseconds, over which the line before
   * is extended; 0 by default.
   */
  bridge?: number;
  /** The block in which the lines are, for notes; left out if there is only one. */
  block?: string;
  /** The kinds of equipment of which lines have the item that was installed last. */
  kinds: Interval['several'];
  /** Whether lines have the eccentricities. */
  hasEccentricity: boolean;
}

/**
 * Whether a period overlaps the time that is asked for: all of it if that is null, an instant if its
 * bounds are equal. A bound of null is open.
 */
export const isDuring = ({ from, to }: Period, during: TimeOptions['during']): boolean =>
  during === null ||
  ((to === null || during.from === null || to > during.from) &&
    (during.to === null || (during.from === during.to ? from <= during.to : from < during.to)));

/**
 * Joins notes about times that follow each other and say the same.
 * @param gaps times that may lie between them, in chronological order
 */
export function joinedTimes(
  times: readonly TimedNote[],
  gaps: readonly Period[] = [],
): TimedNote[] {
  const result: TimedNote[] = [];
  for (const time of times) {
    const last = result.findLastIndex((each) => saysTheSame(each, time));
    const before = result[last];
    if (before !== undefined && endOfGaps(gaps, before.period.to) === time.period.from)
      result[last] = { ...before, period: { from: before.period.from, to: time.period.to } };
    else result.push(time);
  }
  return result;
}

/** When gaps end that begin at an instant, one after the other; the same instant if none does. */
function endOfGaps(gaps: readonly Period[], from: Instant | null): Instant | null {
  let end = from;
  for (const gap of gaps) if (gap.from === end) end = gap.to;
  return end;
}

/** The distinct notes. */
const distinct = (notes: readonly Note[]): Note[] => [
  ...new Map(notes.map((note) => [sentenceOf(note), note])).values(),
];

/** Joins neighbours whose texts are equal. */
function joined(lines: Line[]): Line[] {
  const result: Line[] = [];
  for (const line of lines) {
    const last = result.at(-1);
    if (last?.text !== line.text || last.isGap !== line.isGap || last.to !== line.from)
      result.push(line);
    else
      result.splice(-1, 1, {
        ...last,
        to: line.to,
        notes: distinct([...last.notes, ...line.notes]),
        times: joinedTimes([...last.times, ...line.times]),
      });
  }
  return result;
}

/** Extends lines to the next, over short times without a receiver or an antenna. */
function bridged(lines: Line[], longest: number): Line[] {
  const result: Line[] = [];
  for (const [index, line] of lines.entries()) {
    const last = result.at(-1);
    const isShort = line.to !== null && Date.parse(line.to) - Date.parse(line.from) <= longest;
    const next = lines[index + 1];
    const isBetweenLines =
      last !== undefined && last.text !== null && next !== undefined && next.text !== null;
    if (line.isGap && isShort && isBetweenLines) {
      // The values before the gap also apply during it, so the previous line is extended.
      const times = last.times.map((time) =>
        time.period.to === line.from
          ? { ...time, period: { from: time.period.from, to: line.to } }
          : time,
      );
      const bridge: Note = { code: 'gap-bridged', from: line.from, to: line.to! };
      const notes = [...last.notes, bridge];
      result.splice(-1, 1, { ...last, to: line.to, notes, times });
    } else result.push(line);
  }
  return joined(result);
}

/** The times in which several items of some kinds were in use. */
export const severalInUse = (
  { several, from, to }: Interval,
  kinds: Interval['several'],
): TimedNote[] =>
  kinds
    .filter((kind) => several.includes(kind))
    .map((devices) => ({ code: 'several-in-use', devices, period: { from, to } }));

/** Says of a time which eccentricities are blank in the log, and taken as 0. */
export function zerosWritten({ antenna, from, to }: Interval): TimedNote[] {
  const names = antenna?.zeros ?? [];
  if (names.length === 0) return [];
  return [{ code: 'zero-written', names, others: 0, period: { from, to } }];
}

/** Whether there is no line because no receiver or no antenna is in use. */
const isGap = ({ reasons }: NoLine): boolean => reasons.every(({ code }) => code === 'no-device');

/**
 * The lines of a Site: neighbours that a format writes alike are one line.
 * @param write the fields of a line, or why there is none
 */
export function historyLines(
  { intervals }: SiteHistory,
  write: (interval: Interval, note: AddNote) => string | NoLine,
  { during, bridge = 0, block, kinds, hasEccentricity }: LineOptions,
): Line[] {
  const lines = intervals.map((interval): Line => {
    const { from, to } = interval;
    const period = { from, to };
    const notes: Note[] = [];
    const times: TimedNote[] = [];
    const written = write(interval, (note) => {
      if (isAboutUnknown(note)) times.push({ ...note, period });
      else notes.push(note);
    });
    if (typeof written === 'string') {
      times.push(...severalInUse(interval, kinds));
      if (hasEccentricity) times.push(...zerosWritten(interval));
      return { from, to, text: written, isGap: false, notes, times };
    }
    const { reasons } = written;
    if (reasons.length > 0) times.push({ code: 'no-line', block: block ?? null, reasons, period });
    return { from, to, text: null, isGap: isGap(written), notes, times };
  });
  return bridged(joined(lines), bridge)
    .filter((line) => isDuring(line, during))
    .map((line) => ({
      ...line,
      times: line.times.filter(({ period }) => isDuring(period, during)),
    }));
}

/** What lines about a receiver and an antenna have. */
export const BOTH = {
  kinds: ['receivers', 'antennas'],
  hasEccentricity: true,
} satisfies Partial<LineOptions>;

/**
 * What a line about a receiver and an antenna contains: both, and up, north and east in their
 * columns. Otherwise why there is no such line, with all values that are missing.
 * @param needsTypes whether a line needs the types of both
 */
export function bothOf(
  interval: Interval,
  columns: { width: number; needsTypes: boolean },
  note: AddNote,
): { receiver: Receiver; antenna: Antenna; eccentricities: Record<Eccentricity, string> } | NoLine {
  const { receiver, antenna } = interval;
  if (receiver === null && antenna === null) return { reasons: [] };
  if (receiver === null) return { reasons: [{ code: 'no-device', device: 'receiver' }] };
  if (antenna === null) return { reasons: [{ code: 'no-device', device: 'antenna' }] };
  const reasons: Reason[] = [];
  if (columns.needsTypes && receiver.type === null)
    reasons.push({ code: 'unknown-type', device: 'receiver' });
  if (columns.needsTypes && antenna.type === null)
    reasons.push({ code: 'unknown-type', device: 'antenna' });
  const written = eccentricities(antenna, columns, note);
  if ('reasons' in written) return { reasons: [...reasons, ...written.reasons] };
  if (reasons.length > 0) return { reasons };
  return { receiver, antenna, eccentricities: written };
}
