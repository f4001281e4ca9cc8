import { comparableSerialNumber } from '../derive/devices.js';
import { ascii } from '../formats/columns-of-text.js';

/**
 * Compares the agency of a header. The IGS asks for the abbreviations of sections 11 and 12, joined
 * by a slash; headers also have initials, and parts of the names in the log.
 */

/** What joins agencies in a header. */
const JOINTS = /[/,&+]/;
/** What separates parts of a name, such as an abbreviation in parentheses. */
const SEPARATORS = /[/,&+();]| - /;

const partsOf = (text: string, separators: RegExp): string[] =>
  text
    .split(separators)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The initials of a name: of all its words, and without words such as "of" and "d'". */
function initialsOf(name: string): string[] {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const important = words.filter((word) => /^[A-Z0-9]/.test(word));
  return [words, important]
    .filter(({ length }) => length > 1)
    .map((some) => some.map((word) => word[0]!.toUpperCase()).join(''));
}

/** What made the parts of an agency equal to those of a log. */
type Reason = 'parts of an agency' | 'initials';

/**
 * Why each part of the agency in a header is one of the agencies of a log; null if one is not.
 * @param agencies the names and abbreviations in the log
 */
export function agencyReasons(header: string, agencies: readonly string[]): Reason[] | null {
  const names = agencies.map(ascii).flatMap((agency) => [agency, ...partsOf(agency, SEPARATORS)]);
  const known = new Set(names.map(comparableSerialNumber));
  const initials = new Set(names.flatMap(initialsOf));
  const parts = partsOf(ascii(header), JOINTS);
  const ofInitials = parts.filter((part) => !known.has(comparableSerialNumber(part)));
  const areKnown = ofInitials.every((part) => initials.has(comparableSerialNumber(part)));
  if (parts.length === 0 || !areKnown) return null;
  const isWhole = parts.length === 1 && ofInitials.length === 1;
  return [
    ...(isWhole ? [] : (['parts of an agency'] as const)),
    ...(ofInitials.length > 0 ? (['initials'] as const) : []),
  ];
}
