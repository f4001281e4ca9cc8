import { isNoValue } from './hints.js';
import { LONGEST_VALUE } from './limits.js';
import { type Reading, readString, unknown, unreadable } from './reading.js';

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
  units: {
    c: 1,
    '°c': 1,
    'deg c': 1,
    degc: 1,
    'degrees c': 1,
    deg: 1,
    degree: 1,
    degrees: 1,
    '°': 1,
  },
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

/** A text with the sign of a degree for those that look like it: an ordinal, a ring. */
const withDegreeSign = (text: string): string => text.replace(/[º˚]/g, '°');

/** A unit as the tables have it, without the parentheses around it. */
export function unitOf(text: string): string {
  const bare = text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1) : text;
  return withDegreeSign(bare.trim().toLowerCase().replace(/\.$/, '').replace(/\s+/g, ' '));
}

/** How XML Schema writes an unknown number where an element may not be left out. */
export const NOT_A_NUMBER = 'NaN';

/** The most words of a unit. */
const MOST_UNIT_WORDS = Math.max(...[...UNITS].map((unit) => unit.split(' ').length));

/** Whether a text is a unit, of any dimension. */
const isUnit = (text: string): boolean => UNITS.has(unitOf(text));

/** Whether a text says that a number is unknown. `NA` is a word in other values. */
const isUnknownNumber = (text: string): boolean => isNoValue(text) || /^na$/i.test(text);

/**
 * Whether a text means that there is no number: a unit alone, which the form prints in place of the
 * number, or a unit after a word for "unknown": `deg`, `N/A deg`.
 */
export function isBlankNumber(text: string): boolean {
  const value = text.trim();
  // Neither a unit nor a word for "unknown" has a digit.
  if (value.length > LONGEST_VALUE || /^\S*\d/.test(value)) return false;
  const words = value.split(/\s+/);
  if (isUnit(words.join(' ')) || words.every(isUnit)) return true;
  for (let count = 1; count <= MOST_UNIT_WORDS && count < words.length; count++) {
    const unit = words.slice(-count).join(' ');
    if (isUnit(unit) && isUnknownNumber(words.slice(0, -count).join(' '))) return true;
  }
  return false;
}

const NUMBER =
  /^(?<before>approximately|approx\.?|about|ca\.?|circa|~|<=?|≤|±|\+ ?\/? ?-)?\s*(?<sign>[+\-−]?)\s*(?<whole>\d{0,12})(?:(?<point>[.,])(?<fraction>\d{0,24}))?(?:[eE](?<exponent>[+-]?\d{1,2}))?\s*(?<rest>.*)$/is;

/** A number as text, without an exponent or needless zeros. */
export function decimalOf(number: number): string {
  const text = String(number);
  return text.includes('e') ? number.toFixed(20).replace(/\.?0+$/, '') : text;
}

/** Which texts around a number leave it readable. */
interface Context {
  /**
   * Whether a bound or a tolerance alone counts as the number, as for an accuracy: `< 0.1`, `±2`.
   * Where the sign matters, it does not.
   */
  bounds: boolean;
  /** Whether words may follow the unit: `10 MHz and 1pps`. */
  words: boolean;
}
/** The context of an accuracy, a length or a frequency. */
const MAGNITUDE: Context = { bounds: true, words: true };
/** The context of a number whose sign counts. */
export const SIGNED: Context = { bounds: false, words: true };
/** The context of a latitude or a longitude, whose hemisphere words may say. */
const ANGLE: Context = { bounds: false, words: false };

const REMARK = 'number followed by a remark';

/** How what is before a number deviates from the form. */
function deviationBefore(before: string): string {
  if (before === '') return '';
  if (/^[<≤]/.test(before)) return 'upper bound';
  return /^[±+]/.test(before) ? 'tolerance' : 'approximate number';
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

type Units = Dimension['units'];

/** The longest unit that a text begins with, and what is behind it; null if there is none. */
function leadingUnit(text: string, units: Units): { factor: number; after: string } | null {
  let longest = '';
  let factor = NaN;
  for (const [unit, ofUnit] of Object.entries(units)) {
    for (const form of [unit, `(${unit})`]) {
      if (form.length <= longest.length || !text.startsWith(form)) continue;
      longest = form;
      factor = ofUnit;
    }
  }
  const after = text.slice(longest.length);
  if (longest === '' || /^[\p{L}\d]/u.test(after)) return null;
  return { factor, after: after.replace(/^\./, '').trim() };
}

/** A text without the longest unit at its end that the form prints. */
function withoutFormUnit(text: string, units: Units): string {
  let shortest = text;
  for (const [unit, factor] of Object.entries(units)) {
    if (factor !== 1 || !` ${text}`.endsWith(` ${unit}`)) continue;
    const rest = text.slice(0, -unit.length).trim();
    if (rest.length < shortest.length) shortest = rest;
  }
  return shortest;
}

/** What is behind a number. */
interface Behind {
  /** Converts the number to the published unit. */
  factor: number;
  /** How it deviates from the form; empty if it does not. */
  deviation: string;
}

/** Reads a unit, of the operator, the form or both: `m`, `minute sec`; null if there is more. */
function readUnits(text: string, units: Units): Behind | null {
  if (text === '') return { factor: 1, deviation: '' };
  const whole = units[unitOf(text)];
  if (whole !== undefined) return { factor: whole, deviation: '' };
  const own = leadingUnit(text, units);
  if (own === null || withoutFormUnit(own.after, units) !== '') return null;
  return { factor: own.factor, deviation: own.factor === 1 ? '' : 'unit before that of the form' };
}

const TOLERANCE =
  /^(?:±|\+ ?\/? ?-) ?(?:\d{1,12}(?:[.,]\d{0,24})?|[.,]\d{1,24})(?![\d.,]) ?(?<units>.*)$/;

/** Reads a tolerance behind a number, with the unit of both; null if it is none. */
function readTolerance(text: string, units: Units): Behind | null {
  const own = leadingUnit(text, units);
  const found = TOLERANCE.exec(own?.after ?? text)?.groups;
  const behind = found === undefined ? null : readUnits(found.units!, units);
  if (behind === null) return null;
  return { factor: own?.factor ?? behind.factor, deviation: 'number with a tolerance' };
}

/** The end of a unit that makes it a rate: `mm/yr`, `hPa per month`. */
const RATE = /^(?:\/ ?|per )(?:days?|weeks?|months?|mo|years?|yrs?|a)\b/;
/** Words that may give a number the opposite sign. */
const OPPOSITE =
  /\b(?:below|beneath|under|lower|down|left|west|south|w|s|[nsew][ew]|minus|negative|ccw|(?:counter|anti)[ -]?clockwise)\b/;
/** A number that is not part of a word, and the letters of its unit. */
const OTHER_NUMBER = /(?<![\p{L}\d._]|[\p{L}\d]-)\d[\d.,]*( ?pps\b|[\p{L}%°]*)/gu;

/** Whether a text behind a unit is a remark in words, and not another number or unit. */
function isRemark(text: string): boolean {
  const words = text.replace(/^[/,;:(.–-] ?/, '');
  if (!/^\p{L}/u.test(words) || isUnit(words)) return false;
  const [first] = words.split(' ');
  if (/^(?:\/|per )/.test(text) && (RATE.test(text) || isUnit(first!))) return false;
  if (OPPOSITE.test(words)) return false;
  for (const [, letters] of words.matchAll(OTHER_NUMBER))
    if (letters === '' || isUnit(letters!)) return false;
  return true;
}

/** Reads a unit that words follow; null if it is none. */
function readWithWords(text: string, units: Units): Behind | null {
  const own = leadingUnit(text, units);
  if (own === null || !isRemark(withoutFormUnit(own.after, units))) return null;
  return { factor: own.factor, deviation: REMARK };
}

/** The condition of an accuracy: `@ 20.0C`. */
const CONDITION = /@ ?[+-]?\d{1,6}(?:\.\d{0,6})? ?[a-z°]{1,5}$/;

/** Reads a condition, with or without a unit before it; null if it is none. */
function readCondition(text: string, units: Units): Behind | null {
  const condition = CONDITION.exec(text);
  const behind =
    condition === null ? null : readUnits(text.slice(0, condition.index).trim(), units);
  return behind === null ? null : { ...behind, deviation: REMARK };
}

/** Reads a remark behind a number without a unit: `, WGS84`; null if it is none. */
function readRemarkAlone(text: string): Behind | null {
  const isAlone = /^, ?\p{L}/u.test(text) && isRemark(text);
  return isAlone ? { factor: 1, deviation: REMARK } : null;
}

/** Reads what is behind a number; null if the number cannot be read because of it. */
function readBehind(rest: string, { units }: Dimension, { words }: Context): Behind | null {
  if (rest === '') return { factor: 1, deviation: '' };
  const before = isUnit(rest) ? null : beforeRemark(rest);
  const text = withDegreeSign((before ?? rest).toLowerCase().replace(/\s+/g, ' '));
  const behind =
    readUnits(text, units) ??
    readTolerance(text, units) ??
    (words ? readWithWords(text, units) : null) ??
    (words ? (readCondition(text, units) ?? readRemarkAlone(text)) : null);
  return before === null || behind === null ? behind : { ...behind, deviation: REMARK };
}

/** Converts a number to the published unit. */
function converted(digits: string, exponent: string | undefined, factor: number): number {
  const number = Number(digits);
  if (factor === 1 && exponent === undefined) return number;
  return Number((number * 10 ** Number(exponent ?? 0) * factor).toFixed(9));
}

/** A number alone, as most are. */
const ALONE = /^[+-]?\d{1,9}(?:\.\d{1,9})?$/;

/**
 * Reads a number with or without its unit: `0 deg`, `2.4 m`, `15 (min)`, `+0.0025`, `0,5`,
 * `approx. 30 m`, `12 m (on 6 pillars)`, `0.055 +/- 0.001`, `1 minute sec`, `10 MHz and 1pps`. A
 * range, a list, or any other text after the number makes it unreadable.
 */
export function readDecimal(
  text: string,
  dimension: Dimension,
  context: Context = MAGNITUDE,
): Reading<number> {
  // Never -0.
  if (ALONE.test(text)) return { value: Number(text) + 0 };
  const value = readString(text);
  if (value === null || value === NOT_A_NUMBER || isBlankNumber(value)) return unknown;
  const failed = unreadable(dimension.expected);
  const groups = value.length > LONGEST_VALUE ? undefined : NUMBER.exec(value)?.groups;
  if (groups === undefined) return failed;
  const { whole = '', fraction = '', exponent, before = '' } = groups;
  if (whole + fraction === '') return failed;
  const around = deviationBefore(before);
  const isBound = around === 'upper bound' || around === 'tolerance';
  if (isBound && (!context.bounds || groups.sign !== '')) return failed;
  const behind = readBehind(groups.rest!.trim(), dimension, context);
  if (behind === null) return failed;
  const number = converted(`${whole}.${fraction}0`, exponent, behind.factor);
  if (!(number < 1e12)) return failed;
  const comma = groups.point === ',' ? 'decimal comma' : '';
  const deviation = [behind.deviation, around, comma].find((each) => each !== '');
  const isNegative = groups.sign === '-' || groups.sign === '−';
  // Never -0.
  const signed = isNegative ? 0 - number : number;
  if (deviation === undefined) return { value: signed };
  return {
    value: signed,
    remark: { code: 'deviating-value', deviation, read: decimalOf(signed) },
  };
}

/** Degrees to the east or west, as somebody read them from a compass: `17°E`, `3° W`. */
const COMPASS =
  /^(?<degrees>\+?\d{1,3}(?:\.\d{0,12})?) ?(?:°|deg(?:rees?)?\.?) ?(?<letter>[EW])(?: ?deg)?$/i;
/** Degrees with any other direction of a compass behind them, which says no alignment. */
const DIRECTION = /\d ?(?:°|deg(?:rees?)?\b\.?) ?[NSEW]{1,3}\b/i;

/** Reads an alignment from true north in degrees, clockwise, which is to the east. */
export function readAzimuth(text: string): Reading<number> {
  const value = withDegreeSign(readString(text) ?? '').slice(0, LONGEST_VALUE);
  const found = COMPASS.exec(value)?.groups;
  if (found === undefined)
    return DIRECTION.test(value)
      ? unreadable(DEGREES.expected)
      : readDecimal(text, DEGREES, SIGNED);
  const isEast = found.letter!.toUpperCase() === 'E';
  const degrees = isEast ? Number(found.degrees) : 0 - Number(found.degrees);
  const read = decimalOf(degrees);
  const deviation = isEast ? 'degrees to the east' : 'degrees to the west';
  return { value: degrees, remark: { code: 'deviating-value', deviation, read } };
}

/** A latitude or longitude with the letter of its hemisphere. */
const HEMISPHERE = /^(?<sign>[+\-−]?)(?<digits>\d[^+\-−]*)(?<letter>[NSEW])$/i;

/**
 * An angle with a sign in place of the letter of its hemisphere, other texts as they are; null if
 * the letter is that of the other axis, or contradicts the sign.
 */
function withSign(text: string, limit: 90 | 180): string | null {
  const { sign = '', digits = '', letter } = HEMISPHERE.exec(text)?.groups ?? {};
  if (letter === undefined) return text;
  if (!(limit === 90 ? /[ns]/i : /[ew]/i).test(letter)) return null;
  const isNegative = /[sw]/i.test(letter);
  if (sign !== '' && (sign !== '+') !== isNegative) return null;
  return `${isNegative ? '-' : '+'}${digits.trimEnd()}`;
}

/**
 * Reads a latitude or longitude of section 2, given as `+DDMMSS.ss`, `DDDMMSS.ss` or decimal
 * degrees with at most three digits before the point; the letter of the hemisphere may stand behind
 * it. Returns degrees.
 * @param decimals those of the result
 */
export function readAngle(text: string, limit: 90 | 180, decimals = 8): Reading<number> {
  const raw = readString(text);
  if (raw === null) return unknown;
  const expected = `an angle (ddmmss.ss or decimal degrees within ±${limit})`;
  if (raw.length > LONGEST_VALUE) return unreadable(expected);
  const value = withSign(raw, limit);
  if (value === null)
    return unreadable('an angle whose sign and letter agree (+ for N and E, - for S and W)');
  const packed = /^([+\-−]?)(\d{2,3})(\d{2})(\d{2}(?:\.\d*)?)$/.exec(value.replace(/\s+/g, ''));
  let degrees: number;
  if (packed !== null) {
    const [, sign, whole, minutes, seconds] = packed;
    if (Number(minutes) > 59 || Number(seconds) >= 60) return unreadable(expected);
    degrees = Number(whole) + Number(minutes) / 60 + Number(seconds) / 3600;
    if (sign === '-' || sign === '−') degrees = -degrees;
  } else {
    const { value: number } = readDecimal(value, DEGREES, ANGLE);
    if (number === null) return unreadable(expected);
    degrees = number;
  }
  if (limit === 180 && degrees > 180 && degrees <= 360) degrees -= 360;
  if (Math.abs(degrees) > limit) return unreadable(expected);
  const rounded = Math.round(degrees * 10 ** decimals) / 10 ** decimals;
  if (value === raw) return { value: rounded };
  const read = decimalOf(rounded);
  const deviation = 'letter of the hemisphere';
  return { value: rounded, remark: { code: 'deviating-value', deviation, read } };
}
