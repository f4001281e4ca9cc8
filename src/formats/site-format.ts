import type { Instant, Period } from '../../schemas/index.js';
import type { AddNote, SiteNote } from '../findings/notes.js';
import { DAY } from '../requests/units-of-time.js';
import { joinedTimes, type Line, type TimeOptions } from './history-lines.js';
import type { SiteHistory } from './site-history.js';

/** What every format of geodetic software is written with. */
export interface FormatOptions extends TimeOptions {
  /** When the file is written. */
  now: Instant;
  /** The URL that gives the same file again, for a comment; null for none. */
  source: string | null;
  /** Whether firmware is written. Without it, a change of firmware makes no line. */
  firmwareChanges: boolean;
}

/** The lines of a comment that says where to get the same file again; none without a URL. */
export function sourceLines(source: string | null, width: number): string[] {
  if (source === null) return [];
  const lines: string[] = [];
  for (let start = 0; start < source.length; start += width)
    lines.push(source.slice(start, start + width));
  return ['The same file again:', ...lines];
}

/** A part of a file, with lines of all Sites. */
export interface Part {
  begin: string;
  /** The lines of a Site, each with its line end. */
  ofSite: (history: SiteHistory, note: AddNote) => string[];
  /** The note that is added once, after all Sites are written; omitted if there never is one. */
  summary?: () => SiteNote[];
  end: string;
}

/** A file with the history of Sites. */
export interface SiteFile {
  parts: Part[];
  /** Writes a note as a comment; null if the format has none. */
  comment: ((text: string) => string) | null;
  /**
   * The end of a file whose comments all stand together there. Omitted if they stand before the
   * lines that they are about.
   */
  endWith?: (comments: string) => string;
}

/** Whether a time begins within another one. */
const beginsIn = ({ from }: Period, whole: Period): boolean =>
  from >= whole.from && (whole.to === null || from < whole.to);

/** The lines of a Site with their times. What could not be written is noted. */
export function timedLines(
  lines: readonly Line[],
  write: (from: Instant, to: Instant | null, text: string) => string,
  note: AddNote,
): string[] {
  const written = lines.filter(({ text }) => text !== null);
  const absent = lines.filter(({ text }) => text === null);
  const gaps = lines.filter(({ isGap }) => isGap);
  const times = [
    ...joinedTimes(absent.flatMap((line) => line.times)),
    ...joinedTimes(
      written.flatMap((line) => line.times),
      gaps,
    ),
  ];
  for (const line of lines) {
    for (const each of line.notes) note(each);
    for (const each of times.filter(({ period }) => beginsIn(period, line))) note(each);
  }
  return lines.flatMap(({ from, to, text }) =>
    text === null ? [] : [`${write(from, to, text).trimEnd()}\n`],
  );
}

/** The day of the year of an instant, 1 to 366. */
export const dayOfYear = (instant: Instant): number =>
  Math.floor((Date.parse(instant) - Date.UTC(Number(instant.slice(0, 4)), 0)) / DAY) + 1;
