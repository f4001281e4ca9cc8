/**
 * The result of reading one value of a site log: the value (`null` if unknown) and, if the text deviates from
 * the form, a remark for a finding. Readers never guess: text that is not clearly a value is unknown.
 */
export interface Reading<T> {
  value: T | null;
  remark?: { level: 'info' | 'warning'; message: string };
}

/** The longest text, in characters, that is parsed as a number, an angle or a date. */
export const LONGEST_VALUE = 200;

/** A value that is unknown, without a finding. */
export const unknown: Reading<never> = { value: null };
/** A value that cannot be read as what was expected. */
export const unreadable = (expected: string): Reading<never> => ({
  value: null,
  remark: { level: 'warning', message: `not ${expected}; treated as unknown` },
});

/**
 * The hints that the blank form (IGS site log, versions 1 and 2.0) prints in place of values, in lower case and
 * without parentheses and spaces. Such a hint in parentheses is a placeholder, not a value.
 */
const PLACEHOLDERS: RegExp[] = [
  /^[af]\d+(\.\d+)?$/, // A4, A9, A11, F8.4
  /^a[\d*]+,.*(rcvr_ant\.tab|sinex)/, // A20, from rcvr_ant.tab; see instructions
  /^a4fromrcvr_ant\.tab/,
  /^(ccyy|yyyy)-?mm-?dd/,
  /^multiplelines$/,
  /^deg(c|;.*)?$/,
  /^degc\)\+\/-\(degc$/, // (deg C) +/- (deg C)
  /^(m|mm|sec|hpa|%relh|iffdifferent.*|ifexternal|fullname)$/,
  /^noneortoleranceindegrees/,
  /^vendor&typenumber$/,
  /^bpa\/bcr\//,
  /^gps(\+glo|\/glonass|\+glonass)[a-z+/]*$/,
  /^(internalorexternal|unaspirated\/|fresh\/|igneous\/|bedrock\/|pillar\/|steelrods|chiselledcross|yes\/|new\/|y\/|yorurl)/,
  /^1-10cm\//,
  /^\+\/-d+mmss\.ss$/,
  /^ssss_ccyymmdd\.log$/,
  /^n\.n,n\.n/,
  /^(eurasian|africa|northamerican)[^)]*\//,
];

/** Whether `text` is a placeholder from the blank form, such as `(CCYY-MM-DDThh:mmZ)` or `(multiple lines)`. */
export function isPlaceholder(text: string): boolean {
  const trimmed = text.trim();
  if (!trimmed.startsWith('(') || !trimmed.endsWith(')') || trimmed.length > 200) return false;
  const hint = trimmed.slice(1, -1).replace(/\s+/g, '').toLowerCase();
  return PLACEHOLDERS.some((placeholder) => placeholder.test(hint));
}

const NO_VALUE = /^(none|n\/a|n\.a\.?|unknown|unkn|unk|not known|not available|-+|\?+)$/i;

/** The text of a value as written, or null if it is blank or a placeholder. Inner spaces are preserved. */
export function readRaw(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' || isPlaceholder(trimmed) ? null : trimmed;
}

/** Like {@link readRaw}, but words for "unknown" (`none`, `n/a`, `unknown`, `unkn`) are null as well. */
export function readString(text: string): string | null {
  const raw = readRaw(text);
  return raw === null || NO_VALUE.test(raw) ? null : raw;
}

/** Running text: line breaks and runs of spaces become one space; words for "unknown" are null. */
export function readProse(text: string): string | null {
  const value = readString(text);
  return value === null ? null : value.replace(/\s+/g, ' ');
}

/** Temperature Stabiliz., where `none` is a value. */
export function readStabilization(text: string): string | null {
  const value = readRaw(text);
  if (value === null) return null;
  if (/^none$/i.test(value)) return 'none';
  return readProse(value);
}

/** Antenna Radome Type: a four-character IGS code; `NONE` is a value that means no radome. */
export function readRadome(text: string): string | null {
  const value = readRaw(text);
  if (value === null) return null;
  return /^none$/i.test(value) ? 'NONE' : readString(value);
}

/**
 * Antenna Type: 20 columns, the name in 1-16 and the radome in 17-20. If the value ends with the radome that the
 * log also gives separately, the radome is moved to its columns. Otherwise the value stays as written.
 */
export function readAntennaType(text: string, radome: string | null): string | null {
  const value =
    readString(text)
      ?.split('\n')
      .map((line) => line.trim())
      .join(' ') ?? null;
  if (value === null || radome === null || value.length > LONGEST_VALUE) return value;
  const name = /^(.*\S)\s+(\S{4})$/.exec(value);
  if (name === null || name[2] !== radome || name[1]!.length > 16) return value;
  return name[1]!.padEnd(16) + radome;
}

const SYSTEM_CODES: Record<string, string> = {
  GLONASS: 'GLO',
  GALILEO: 'GAL',
  BEIDOU: 'BDS',
  COMPASS: 'BDS',
  CMP: 'BDS',
  QZS: 'QZSS',
  IRNS: 'IRNSS',
  NAVIC: 'IRNSS',
};

/**
 * Satellite systems, joined by `+` in the order given. `GPS/GLONASS` (used before 2012) and `GPS+GLO` give the
 * same result. Unknown systems stay as written.
 */
export function readSatelliteSystem(text: string): string | null {
  const value = readString(text);
  if (value === null) return null;
  const codes = value
    .split(/[\s+/,;&]+/)
    .filter((word) => word !== '' && word.toLowerCase() !== 'and')
    .map((word) => SYSTEM_CODES[word.toUpperCase()] ?? word);
  return codes.length === 0 ? null : [...new Set(codes)].join('+');
}
