import type { AddNote, NamedValue, Reason } from '../findings/notes.js';
import { decimal, measured } from './columns-of-text.js';

/** The offset of an antenna from its marker, as the formats of geodetic software have it. */

/** The decimals of an eccentricity in metres. */
export const ECCENTRICITY_DIGITS = 4;
/** The eccentricities of an antenna, in the order of the site log. */
export const ECCENTRICITIES = ['up', 'north', 'east'] as const;
export type Eccentricity = (typeof ECCENTRICITIES)[number];

/** In metres; null is unknown. */
export type Eccentricities = Record<Eccentricity, number | null>;

/** What a blank north or east may stand for. */
export const BLANK_ECCENTRICITIES = ['zero', 'unknown'] as const;
export type BlankEccentricity = (typeof BLANK_ECCENTRICITIES)[number];

/** How blanks are decided. */
export interface BlankOptions {
  /** Whether the site log has a text form. */
  isText: boolean;
  /** Default: `zero`. */
  blankEccentricity?: BlankEccentricity | undefined;
}

/**
 * The eccentricities of an antenna after deciding what a blank north or east means. The text form
 * asks for them only if they are not 0, so there they are 0 if up is known. A blank up is never 0,
 * and neither is an empty element of XML. All that writes or checks files for software decides
 * here; lookups, tables and pages show what the log gives.
 */
export function decideBlanks(
  given: Eccentricities,
  { isText, blankEccentricity = 'zero' }: BlankOptions,
): Eccentricities & { zeros: Eccentricity[] } {
  const { up, north, east } = given;
  if (!isText || blankEccentricity === 'unknown' || up === null)
    return { up, north, east, zeros: [] };
  const zeros = ECCENTRICITIES.filter((name) => given[name] === null);
  return { up, north: north ?? 0, east: east ?? 0, zeros };
}

/** Why eccentricities cannot be written; null if they can. */
function whyUnwritable(values: Eccentricities, width: number): Reason | null {
  const unknown = ECCENTRICITIES.filter((name) => values[name] === null);
  const tooWide: NamedValue[] = [];
  const known: NamedValue[] = [];
  for (const name of ECCENTRICITIES) {
    const value = values[name];
    if (value === null) continue;
    const isTooWide = decimal(value, width, ECCENTRICITY_DIGITS) === null;
    (isTooWide ? tooWide : known).push({ name, value });
  }
  const isWritable = unknown.length === 0 && tooWide.length === 0;
  return isWritable ? null : { code: 'eccentricities', unknown, tooWide, known };
}

/**
 * Up, north and east in their columns, or why there are none. Programs read a blank as 0, so no
 * format can express that one of the three is unknown: the reason names it, and gives the known
 * ones.
 */
export function eccentricities(
  values: Eccentricities,
  columns: { width: number },
  note: AddNote,
): Record<Eccentricity, string> | { reasons: Reason[] } {
  const reason = whyUnwritable(values, columns.width);
  if (reason !== null) return { reasons: [reason] };
  const write = (name: Eccentricity): string => {
    const what = `${name} eccentricity`;
    return measured(values[name], { what, digits: ECCENTRICITY_DIGITS, ...columns }, note)!;
  };
  return { up: write('up'), north: write('north'), east: write('east') };
}
