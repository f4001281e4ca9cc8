import type { Instant } from '../../schemas/index.js';
import type { Note } from './columns-of-text.js';
import type { Line, LineOptions, SiteHistory } from './site-history.js';

/** The media type of plain text. */
export const TEXT_MEDIA_TYPE = 'text/plain;charset=UTF-8';

/** What every format of geodetic software is written with. */
export interface FormatOptions extends LineOptions {
  /** When the file is written. */
  now: Instant;
  /** Whether firmware is written. Without it, a change of firmware makes no line. */
  firmwareChanges: boolean;
}

/** A part of a file, for which all Sites are read. */
export interface Part {
  begin: string;
  /** The lines of a Site, each with its line end. */
  ofSite: (history: SiteHistory, note: Note) => string[];
  end: string;
}

/** A file with the history of Sites. */
export interface SiteFile {
  parts: Part[];
  /** Writes a note as a comment; null if the format has none. */
  comment: ((text: string) => string) | null;
}

/** The id by which notes name a Site. */
export const longestSiteId = ({ site }: Pick<SiteHistory, 'site'>): string =>
  site.nineCharacterId ?? site.fourCharacterId;

/**
 * The lines of a Site with their times. What could not be written is noted.
 * @param place the block in which the lines are, for notes; left out if there is only one
 */
export function timedLines(
  lines: readonly Line[],
  write: (from: Instant, to: Instant | null, text: string) => string,
  note: Note,
  place?: string,
): string[] {
  const noLine = place === undefined ? 'no line' : `no line in ${place}`;
  return lines.flatMap((line) => {
    for (const each of line.notes) note(each);
    for (const { from, to, why } of line.absences) {
      const missing = { place: place ?? null, period: { from, to }, why };
      note(`${noLine} from ${from} to ${to ?? 'now'}: ${why}`, missing);
    }
    return line.text === null ? [] : [`${write(line.from, line.to, line.text).trimEnd()}\n`];
  });
}

/** The day of the year of an instant, 1 to 366. */
export const dayOfYear = (instant: Instant): number =>
  Math.floor((Date.parse(instant) - Date.UTC(Number(instant.slice(0, 4)), 0)) / 86_400_000) + 1;
