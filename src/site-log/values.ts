import type { Instant } from '../../schemas/index.js';

/**
 * Readers for the values of a site log. Each takes the text of one value and returns what it says
 * (`null`: unknown) and, where the text is not as the form wants it, a remark for a finding.
 * None of them guesses: what is not plainly such a value is unknown.
 */
export interface Reading<T> {
  value: T | null;
  remark?: { level: 'info' | 'warning'; message: string };
}

/** The longest text, in characters, that is looked at as a number, an angle or a date. */
const LONGEST = 200;

const unknown: Reading<never> = { value: null };
const unreadable = (expected: string): Reading<never> => ({
  value: null,
  remark: { level: 'warning', message: `not ${expected}; taken as unknown` },
});

/**
 * The hints that the blank form prints where a value belongs, without parentheses, blanks and case
 * (IGS site log form, versions 1 and 2.0). A value that is such a hint in parentheses is no value.
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

/** Whether `text` is a hint of the blank form, `(CCYY-MM-DDThh:mmZ)` or `(multiple lines)`, and so no value. */
export function isPlaceholder(text: string): boolean {
  const trimmed = text.trim();
  if (!trimmed.startsWith('(') || !trimmed.endsWith(')') || trimmed.length > 200) return false;
  const hint = trimmed.slice(1, -1).replace(/\s+/g, '').toLowerCase();
  return PLACEHOLDERS.some((placeholder) => placeholder.test(hint));
}

const NO_VALUE = /^(none|n\/a|n\.a\.?|unknown|unkn|unk|not known|not available|-+|\?+)$/i;

/** The text of a value as written, or null when it is blank or a placeholder. Inner blanks stay. */
export function readRaw(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' || isPlaceholder(trimmed) ? null : trimmed;
}

/** Like {@link readRaw}, and words for "unknown" (`none`, `n/a`, `unknown`, `unkn`) are null too. Inner blanks stay. */
export function readString(text: string): string | null {
  const raw = readRaw(text);
  return raw === null || NO_VALUE.test(raw) ? null : raw;
}

/** Running text: lines and runs of blanks become one blank; words for "unknown" are null. */
export function readProse(text: string): string | null {
  const value = readString(text);
  return value === null ? null : value.replace(/\s+/g, ' ');
}

/** Temperature Stabiliz.: here `none` is a value of its own. */
export function readStabilization(text: string): string | null {
  const value = readRaw(text);
  if (value === null) return null;
  if (/^none$/i.test(value)) return 'none';
  return readProse(value);
}

/** Antenna Radome Type: an IGS code of four characters, of which `NONE` says that there is no radome. */
export function readRadome(text: string): string | null {
  const value = readRaw(text);
  if (value === null) return null;
  return /^none$/i.test(value) ? 'NONE' : readString(value);
}

/**
 * Antenna Type: 20 columns, the name in 1-16 and the radome in 17-20. Where the radome that the log names
 * beside it ends the value, it is set in its columns; whatever else the value holds stays as written.
 */
export function readAntennaType(text: string, radome: string | null): string | null {
  const value =
    readString(text)
      ?.split('\n')
      .map((line) => line.trim())
      .join(' ') ?? null;
  if (value === null || radome === null || value.length > LONGEST) return value;
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
 * Satellite systems, joined by `+` in the order given: `GPS/GLONASS` (the form before 2012) and
 * `GPS+GLO` are the same. A word that is no known system stays as it is.
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

/** The dimension of a number, and what each unit is worth in the unit published. */
export interface Dimension {
  expected: string;
  units: Record<string, number>;
}
export const DEGREES: Dimension = { expected: 'a number of degrees', units: { deg: 1, degs: 1, degree: 1, degrees: 1, '°': 1 } };
export const METRES: Dimension = {
  expected: 'a number of metres',
  units: { m: 1, meter: 1, meters: 1, metre: 1, metres: 1, mtr: 1, cm: 0.01, mm: 0.001 },
};
export const MEGAHERTZ: Dimension = { expected: 'a number of megahertz', units: { mhz: 1, khz: 0.001, hz: 0.000001 } };

/** A decimal number: the text without leading and trailing zeros, and the same as a number. */
export interface Decimal {
  text: string;
  number: number;
}

const NUMBER =
  /^(?<approximate>approximately|approx\.?|about|ca\.?|circa|~)?\s*(?<sign>[+\-−]?)\s*(?<whole>\d{0,12})(?:(?<point>[.,])(?<fraction>\d{0,24}))?(?:[eE](?<exponent>[+-]?\d{1,2}))?\s*(?<rest>.*)$/is;

/** `digits` decimals as text, without needless zeros, never `-0`. */
function decimal(sign: string, whole: string, fraction: string): Decimal {
  const integer = whole.replace(/^0+(?=\d)/, '') || '0';
  const rest = fraction.replace(/0+$/, '');
  const magnitude = rest === '' ? integer : `${integer}.${rest}`;
  const text = magnitude === '0' || sign === '' ? magnitude : `-${magnitude}`;
  return { text, number: Number(text) };
}

/**
 * A number, with or without its unit: `0 deg`, `2.4 m`, `+0.0025`, `0,5`, `approx. 30 m`, `12 m (on 6 pillars)`.
 * Anything else behind the number makes it unreadable.
 */
export function readDecimal(text: string, dimension: Dimension): Reading<Decimal> {
  const value = readString(text);
  if (value === null) return unknown;
  if (value.length > LONGEST) return unreadable(dimension.expected);
  const groups = NUMBER.exec(value)?.groups;
  if (groups === undefined || ((groups.whole ?? '') === '' && (groups.fraction ?? '') === '')) return unreadable(dimension.expected);
  let rest = (groups.rest ?? '').trim();
  let tolerance = groups.approximate === undefined ? '' : 'approximate';
  const remark = /^(?<unit>[^(]*?)\s*(\((?<remark>.*)\)|,?\s*(approx\.?|approximately))$/is.exec(rest);
  if (remark !== null && rest !== '') {
    tolerance = 'with a remark';
    rest = remark.groups!.unit!;
  }
  let factor = 1;
  if (rest !== '') {
    const unit = dimension.units[rest.toLowerCase().replace(/\.$/, '')];
    if (unit === undefined) return unreadable(dimension.expected);
    factor = unit;
  }
  if (groups.point === ',') tolerance ||= 'with a decimal comma';
  const sign = groups.sign === '-' || groups.sign === '−' ? '-' : '';
  let result = decimal(sign, groups.whole ?? '', groups.fraction ?? '');
  if (factor !== 1 || groups.exponent !== undefined) {
    const scaled = result.number * 10 ** Number(groups.exponent ?? 0) * factor;
    if (!Number.isFinite(scaled) || Math.abs(scaled) >= 1e12) return unreadable(dimension.expected);
    const [whole, fraction] = Math.abs(scaled).toFixed(9).split('.');
    result = decimal(sign, whole!, fraction!);
  }
  if (tolerance === '') return { value: result };
  return { value: result, remark: { level: 'info', message: `number ${tolerance}; read as ${result.text}` } };
}

const DATE =
  /^(?<year>\d{4})(?<separator>[-/.])(?<month>\d{1,2})\k<separator>(?<day>\d{1,2})(?!\d)(?:(?:\s*T\s*|\s+(?=\d{1,2}:\d{2}))(?<hour>\d{1,2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2})(?:[.,]\d+)?)?)?(?!\d))?\s*(?<zone>Z|UTC?|[+-]\d{2}(?::?\d{2})?(?![\d:]))?(?<rest>.*)$/is;
const TIME_PLACEHOLDER = /^T?hh(:mm)?(:ss)?Z?\)?$/i;
const EXPECTED_DATE = 'a date CCYY-MM-DD or CCYY-MM-DDThh:mmZ';

/**
 * A date with or without a time, as an instant in UTC; a date alone is its midnight. A date of nines
 * (`9999-99-99T99:99Z`) and the form's own letters say that there is none. Remarks behind a date are passed over.
 */
export function readInstant(text: string): Reading<Instant> {
  const raw = readString(text);
  if (raw === null) return unknown;
  if (raw.length > LONGEST) return unreadable(EXPECTED_DATE);
  const value = raw.replace(/^\(+\s*/, '').replace(/\s*\)+$/, '');
  if (value === '' || /^(CCYY|YYYY)\b/i.test(value) || /^(CCYY|YYYY)-?MM-?DD/i.test(value)) return unknown;
  if (/^9999\b/.test(value)) return unknown;
  const groups = DATE.exec(value)?.groups;
  if (groups === undefined) return unreadable(EXPECTED_DATE);
  const [year, month, day] = [Number(groups.year), Number(groups.month), Number(groups.day)];
  const [hour, minute, second] = [Number(groups.hour ?? 0), Number(groups.minute ?? 0), Number(groups.second ?? 0)];
  const endOfDay = hour === 24 && minute === 0 && second === 0;
  if (year < 1900 || year > 2199 || (hour > 23 && !endOfDay) || minute > 59 || second > 59) return unreadable(EXPECTED_DATE);
  const midnight = Date.UTC(year, month - 1, day);
  const calendar = new Date(midnight);
  if (calendar.getUTCMonth() !== month - 1 || calendar.getUTCDate() !== day) return unreadable(EXPECTED_DATE);
  let instant = midnight + ((hour * 60 + minute) * 60 + second) * 1000;
  const offset = /^([+-])(\d{2})(:?)(\d{2})?$/.exec(groups.zone ?? '');
  if (offset !== null) {
    const [, sign, hours, colon, minutes = '0'] = offset;
    // Behind a date alone, digits without a colon are as well another date (`2010-01-13-2011`).
    if (Number(hours) > 14 || Number(minutes) > 59 || (groups.hour === undefined && colon === '')) return unreadable(EXPECTED_DATE);
    instant -= (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  }
  const result = new Date(instant).toISOString().replace(/\.000Z$/, 'Z');
  const rest = groups.rest!.trim();
  if (rest === '' || TIME_PLACEHOLDER.test(rest)) return { value: result };
  // Digits that run on are a time that is none (`2011-07-20 1:5`) or another date, not a remark.
  if (/^(T\s*)?[-/.:]?\d+([-/.:]|$)/i.test(rest)) return unreadable(EXPECTED_DATE);
  return { value: result, remark: { level: 'info', message: `text behind a date; read as ${result}` } };
}

/** Date Prepared: the day of an instant, `YYYY-MM-DD`. */
export function readDay(text: string): Reading<string> {
  const { value, ...rest } = readInstant(text);
  return { value: value?.slice(0, 10) ?? null, ...rest };
}

/** Effective Dates: both ends, each with its own remark. */
export interface EffectiveDates {
  from: Reading<Instant>;
  to: Reading<Instant>;
}

/**
 * Effective Dates of sections 6 and 8: `a/b`, `a/`, `a/(CCYY-MM-DD)`, `(CCYY-MM-DD/CCYY-MM-DD)`, `a` alone
 * (a start); parentheses, balanced or not, are passed over.
 */
export function readEffectiveDates(text: string): EffectiveDates {
  const raw = readString(text);
  if (raw === null) return { from: unknown, to: unknown };
  if (raw.length > LONGEST) return { from: unreadable('effective dates CCYY-MM-DD/CCYY-MM-DD'), to: unknown };
  const bare = raw.replace(/[()]/g, ' ').trim();
  const [, from, to] = /^(.*?)\s*\/\s*(.*)$/s.exec(bare) ?? /^(.*?)\s+(?:-|to|until)\s+(?=\d)(.*)$/is.exec(bare) ?? [bare, bare, ''];
  return { from: readInstant(from!), to: readInstant(to!) };
}

/**
 * A latitude or longitude of section 2 as `+DDMMSS.ss`, `DDDMMSS.ss`, or decimal degrees with a point
 * behind at most three digits, in degrees.
 */
export function readAngle(text: string, limit: 90 | 180): Reading<number> {
  const value = readString(text);
  if (value === null) return unknown;
  const expected = `an angle in ddmmss.ss or degrees within ±${limit}`;
  if (value.length > LONGEST) return unreadable(expected);
  const packed = /^([+\-−]?)(\d{2,3})(\d{2})(\d{2}(?:\.\d*)?)$/.exec(value.replace(/\s+/g, ''));
  let degrees: number;
  if (packed !== null) {
    const [, sign, whole, minutes, seconds] = packed;
    if (Number(minutes) > 59 || Number(seconds) >= 60) return unreadable(expected);
    degrees = Number(whole) + Number(minutes) / 60 + Number(seconds) / 3600;
    if (sign === '-' || sign === '−') degrees = -degrees;
  } else {
    const { value: number } = readDecimal(value, DEGREES);
    if (number === null) return unreadable(expected);
    degrees = number.number;
  }
  if (limit === 180 && degrees > 180 && degrees <= 360) degrees -= 360;
  if (Math.abs(degrees) > limit) return unreadable(expected);
  return { value: Math.round(degrees * 1e8) / 1e8 };
}

/** The date of preparation that a file's name carries by convention, `alic_20170223.log`: `YYYY-MM-DD`, or null. */
export function dateInFileName(name: string): string | null {
  const found = /_(\d{4})(\d{2})(\d{2})(?=[^\d/\\]*$)/.exec(name);
  return found === null ? null : readDay(`${found[1]}-${found[2]}-${found[3]}`).value;
}
