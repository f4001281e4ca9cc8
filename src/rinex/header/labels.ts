/** The labels of RINEX observation headers, and how misspelt or truncated ones are recognized. */

export const VERSION = 'RINEX VERSION / TYPE';
export const AGENCY = 'OBSERVER / AGENCY';
export const RECEIVER = 'REC # / TYPE / VERS';
export const ANTENNA = 'ANT # / TYPE';
export const POSITION = 'APPROX POSITION XYZ';
export const ECCENTRICITY = 'ANTENNA: DELTA H/E/N';
export const AZIMUTH = 'ANTENNA: ZERODIR AZI';
export const END = 'END OF HEADER';

/** The labels that are recognised if truncated or displaced, and of which a header has one each. */
const READ = [
  VERSION,
  'MARKER NAME',
  'MARKER NUMBER',
  'MARKER TYPE',
  AGENCY,
  RECEIVER,
  ANTENNA,
  POSITION,
  ECCENTRICITY,
  AZIMUTH,
  'TIME OF FIRST OBS',
  'TIME OF LAST OBS',
  END,
] as const;

/** The other labels of versions 2.10 to 4.02, 2.20 included, and those of Hatanaka compression. */
const OTHERS = [
  'COMMENT',
  'PGM / RUN BY / DATE',
  'WAVELENGTH FACT L1/2',
  '# / TYPES OF OBSERV',
  'INTERVAL',
  'RCV CLOCK OFFS APPL',
  'OBS SCALE FACTOR',
  'LEAP SECONDS',
  '# OF SATELLITES',
  'PRN / # OF OBS',
  'ANTENNA: DELTA X/Y/Z',
  'ANTENNA: PHASECENTER',
  'ANTENNA: B.SIGHT XYZ',
  'ANTENNA: ZERODIR XYZ',
  'CENTER OF MASS: XYZ',
  'SYS / # / OBS TYPES',
  'SIGNAL STRENGTH UNIT',
  'SYS / DCBS APPLIED',
  'SYS / PCVS APPLIED',
  'SYS / SCALE FACTOR',
  'SYS / PHASE SHIFT',
  'SYS / PHASE SHIFTS',
  'GLONASS SLOT / FRQ #',
  'GLONASS COD/PHS/BIS',
  'GLONASS COD/PHS/BIS#',
  'DOI',
  'LICENSE OF USE',
  'STATION INFORMATION',
  'CRINEX VERS   / TYPE',
  'CRINEX PROG / DATE',
] as const;

/** A label without blanks and case. */
const squeezed = (label: string): string => label.replace(/\s+/g, '').toUpperCase();

const KNOWN = new Map([...READ, ...OTHERS].map((label) => [squeezed(label), label as string]));

/** A label truncated to fewer characters could be any of them. */
const SHORTEST_CUT = 5;

/**
 * The label that is meant by a text: the same apart from blanks and case, or the only one of those
 * that are read that begins like it. Null if there is none.
 */
export function labelMeantBy(text: string): string | null {
  const written = squeezed(text);
  const known = KNOWN.get(written);
  if (known !== undefined) return known;
  if (written.length < SHORTEST_CUT) return null;
  const continued = READ.filter((label) => squeezed(label).startsWith(written));
  return continued.length === 1 ? continued[0]! : null;
}

/** The label of a record about a station at the end of a line; null if there is none. */
export function labelAtEnd(line: string): string | null {
  const found = READ.filter((label) => line.endsWith(` ${label}`) && !ENDS.includes(label));
  return found[0] ?? null;
}
/** What begins and ends a header is expected in its columns. */
const ENDS: readonly string[] = [VERSION, END];

/** Whether a header may have a record more than once. */
export const isRepeatable = (label: string): boolean =>
  !(READ as readonly string[]).includes(label);

/** Whether a label is misspelt. Blanks do not count, because programs differ in them. */
export const isMisspelt = (written: string, label: string): boolean =>
  written.replace(/\s+/g, '') !== label.replace(/\s+/g, '');
