import type { AddNote } from '../findings/notes.js';
import { isRadome } from '../site-log/antenna-type.js';
import { field, measured } from './columns-of-text.js';
import type { Antenna } from './site-history.js';

/** The radome and the alignment of an antenna in the columns of a format. */

/**
 * A radome in its columns. A note says if it is unknown, is not a code, or contradicts the antenna
 * type.
 * @param unknown stands for an unknown one
 */
export function radomeField(
  { radome, otherRadome }: Antenna,
  columns: { width: number; unknown: string },
  note: AddNote,
): string {
  const code = radome?.toUpperCase() ?? '';
  const isCode = isRadome(code);
  if (radome === null) note({ code: 'unknown-radome', written: columns.unknown });
  else if (!isCode) note({ code: 'radome-no-code', radome, written: columns.unknown });
  else if (otherRadome !== null)
    note({ code: 'radome-contradiction', written: code, other: otherRadome });
  return field(isCode ? code : columns.unknown, { what: 'radome', width: columns.width }, note);
}

/**
 * The alignment of an antenna in its columns; null, with a note, if it is unknown or does not fit.
 */
export function azimuthField(
  { azimuth }: Antenna,
  columns: { width: number; digits: number },
  note: AddNote,
): string | null {
  const what = 'alignment from true north';
  const written = measured(azimuth, { what, ...columns }, note);
  if (azimuth === null) note({ code: 'unknown', what });
  else if (written === null) note({ code: 'wide-azimuth', azimuth });
  return written;
}
