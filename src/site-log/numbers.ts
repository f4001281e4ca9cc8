import { LONGEST_VALUE, type Reading, readString, unknown, unreadable } from './values.js';

/** The dimension of a number, with the factor that converts each unit to the published one. */
export interface Dimension {
  expected: string;
  units: Record<string, number>;
}
export const DEGREES: Dimension = {
  expected: 'a number of degrees',
  units: { deg: 1, degs: 1, degree: 1, degrees: 1, '°': 1 },
};
export const METRES: Dimension = {
  expected: 'a number of metres',
  units: { m: 1, meter: 1, meters: 1, metre: 1, metres: 1, mtr: 1, cm: 0.01, mm: 0.001 },
};
export const MEGAHERTZ: Dimension = {
  expected: 'a number of megahertz',
  units: { mhz: 1, 'm hz': 1, khz: 0.001, hz: 0.000001 },
};
export const SECONDS: Dimension = {
  expected: 'a number of seconds',
  units: { s: 1, sec: 1, secs: 1, second: 1, seconds: 1, min: 60, minute: 60, minutes: 60 },
};
export const PERCENT: Dimension = {
  expected: 'a percentage',
  units: { '%': 1, '% rel h': 1, '%relh': 1, '% rh': 1, '%rh': 1, percent: 1 },
};
export const HECTOPASCALS: Dimension = {
  expected: 'a number of hectopascals',
  units: { hpa: 1, mbar: 1, mb: 1, pa: 0.01 },
};
export const CELSIUS: Dimension = {
  expected: 'a number of degrees Celsius',
  units: { c: 1, '°c': 1, 'deg c': 1, degc: 1, 'degrees c': 1, deg: 1, '°': 1 },
};
export const MILLIMETRES: Dimension = {
  expected: 'a number of millimetres',
  units: { mm: 1, cm: 10, m: 1000 },
};

/** All that is a unit and no remark, in any dimension or in none of these. */
const UNITS = new Set([
  ...[DEGREES, METRES, MEGAHERTZ, SECONDS, PERCENT, HECTOPASCALS, CELSIUS, MILLIMETRES].flatMap(
    ({ units }) => Object.keys(units),
  ),
  ...'ft foot feet in inch inches yd km ghz ms h hr hrs hour hours kpa f °f k'.split(' '),
]);

/** A unit as the tables have it, without the parentheses around it. */
export function unitOf(text: string): string {
  const bare = text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1) : text;
  return bare.trim().toLowerCase().replace(/\.$/, '').replace(/\s+/g, ' ');
}

/** How XML Schema writes an unknown number where an element may not be left out. */
export const NOT_A_NUMBER = 'NaN';

const NUMBER =
  /^(?<approximate>approximately|approx\.?|about|ca\.?|circa|~)?\s*(?<sign>[+\-−]?)\s*(?<whole>\d{0,12})(?:(?<point>[.,])(?<fraction>\d{0,24}))?(?:[eE](?<exponent>[+-]?\d{1,2}))?\s*(?<rest>.*)$/is;

/** A number as text, without an exponent or needless zeros. */
export function decimalOf(number: number): string {
  const text = String(number);
  return text.includes('e') ? number.toFixed(20).replace(/\.?0+$/, '') : text;
}

/**
 * What is before a remark at the end: `(on 6 pillars)`, `approx.`, `, approximately`; null if there
 * is no remark.
 */
function beforeRemark(text: string): string | null {
  const parenthesis = text.indexOf('(');
  if (parenthesis >= 0) return text.endsWith(')') ? text.slice(0, parenthesis).trimEnd() : null;
  const word = text.search(/approx(imately|\.?)$/i);
  return word < 0 ? null : text.slice(0, word).trimEnd().replace(/,$/, '').trimEnd();
}

/**
 * Reads a number with or without its unit: `0 deg`, `2.4 m`, `15 (min)`, `+0.0025`, `0,5`,
 * `approx. 30 m`, `12 m (on 6 pillars)`. Any other text after the number makes it unreadable.
 */
export function readDecimal(text: string, { expected, units }: Dimension): Reading<number> {
  const value = readString(text);
  if (value === null || value === NOT_A_NUMBER) return unknown;
  const groups = value.length > LONGEST_VALUE ? undefined : NUMBER.exec(value)?.groups;
  if (groups === undefined) return unreadable(expected);
  const { whole = '', fraction = '', exponent } = groups;
  if (whole + fraction === '') return unreadable(expected);
  let rest = groups.rest!.trim();
  let deviation = groups.approximate === undefined ? '' : 'approximate number';
  const unit = UNITS.has(unitOf(rest)) ? null : beforeRemark(rest);
  if (unit !== null) {
    deviation = 'number followed by a remark';
    rest = unit;
  }
  const factor = rest === '' ? 1 : units[unitOf(rest)];
  if (factor === undefined) return unreadable(expected);
  if (groups.point === ',') deviation ||= 'decimal comma';
  let number = Number(`${whole}.${fraction}0`);
  if (factor !== 1 || exponent !== undefined) {
    number *= 10 ** Number(exponent ?? 0) * factor;
    if (!(number < 1e12)) return unreadable(expected);
    number = Number(number.toFixed(9));
  }
  // Never -0.
  if (groups.sign === '-' || groups.sign === '−') number = 0 - number;
  if (deviation === '') return { value: number };
  return {
    value: number,
    remark: { level: 'info', message: `${deviation}; read as ${decimalOf(number)}` },
  };
}

/**
 * Reads a latitude or longitude of section 2, given as `+DDMMSS.ss`, `DDDMMSS.ss` or decimal
 * degrees with at most three digits before the point. Returns degrees.
 * @param decimals those of the result
 */
export function readAngle(text: string, limit: 90 | 180, decimals = 8): Reading<number> {
  const value = readString(text);
  if (value === null) return unknown;
  const expected = `an angle (ddmmss.ss or decimal degrees within ±${limit})`;
  if (value.length > LONGEST_VALUE) return unreadable(expected);
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
    degrees = number;
  }
  if (limit === 180 && degrees > 180 && degrees <= 360) degrees -= 360;
  if (Math.abs(degrees) > limit) return unreadable(expected);
  return { value: Math.round(degrees * 10 ** decimals) / 10 ** decimals };
}
