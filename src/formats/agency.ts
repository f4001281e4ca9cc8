import { ascii } from './columns-of-text.js';

/** The agency of a Site in the columns of a RINEX header. */

/** The columns of an agency. */
export const AGENCY_WIDTH = 40;
/**
 * The longest abbreviation of an agency. Names and abbreviations come in one list; what is short
 * and has no blank is an abbreviation, or a name as short as one.
 */
const LONGEST_ABBREVIATION = 20;

const isAbbreviation = (text: string): boolean =>
  text.length <= LONGEST_ABBREVIATION && !/\s/.test(text);

/** The agencies of a Site. */
export interface Agencies {
  /** The organisation that maintains its site log; null if it is unknown. */
  agency: string | null;
  /** The names and abbreviations of sections 12 and 11, in this order. */
  agencies: readonly string[];
}

/**
 * An agency as a header has it, in ASCII: its name or, where that is too long, the abbreviations of
 * sections 11 and 12, joined by a slash, as the IGS asks. If these are too long together, the first
 * one that fits; null if none does. Names are not cut.
 */
export function writtenAgency({ agency, agencies }: Agencies): string | null {
  const name = ascii(agency ?? '').trim();
  if (name.length <= AGENCY_WIDTH) return name === '' ? null : name;
  const abbreviations = agencies.filter(isAbbreviation).map(ascii);
  const joined = abbreviations.toReversed().join('/');
  const fitting = [joined, ...abbreviations].filter((text) => text.length <= AGENCY_WIDTH);
  return fitting[0] || null;
}
