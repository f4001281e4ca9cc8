import { countryCode } from './country.js';
import {
  readDay,
  readEffectiveDates,
  readInstant,
  readInstantSince1980,
  readRemoval,
  shortened,
} from './dates.js';
import * as numbers from './numbers.js';
import {
  type Reading,
  readCode,
  readProse,
  readRadome,
  readSatelliteSystem,
  readStabilization,
  withoutLineBreaks,
} from './reading.js';

/** How each kind of value is read, and written in the two families of forms. */

/** A kind of value. The functions get the text as written, which is not blank. */
interface Kind {
  read: (written: string) => Reading<unknown>;
  /** Whether a text stands for an unknown value. */
  isUnknown?: (written: string) => boolean;
  /** The text in the text form. */
  toText: (written: string) => string;
  /** The text in GeodesyML; null if it has no place for the value. */
  toXml: (written: string) => string | null;
}

const asWritten = (written: string): string => written;
const text = (read: (written: string) => unknown): Kind => ({
  read: (written) => ({ value: read(written) }),
  toText: asWritten,
  toXml: asWritten,
});

/**
 * The digits of a number as written, if nothing but the published unit is behind them; null
 * otherwise. They are a double of XML Schema.
 */
function digitsOf(written: string, { units }: numbers.Dimension): string | null {
  const found = /^([+-]?(?:\d{1,12}(?:\.\d{0,24})?|\.\d{1,24}))\s*(\S.*)?$/s.exec(written);
  if (found === null) return null;
  const [, digits, unit] = found;
  return unit === undefined || units[numbers.unitOf(unit)] === 1 ? digits! : null;
}

/** Whether a text of a number is blank: only what a form prints beside it. */
const isBlankNumber = (written: string): boolean =>
  written === numbers.NOT_A_NUMBER || numbers.isBlankNumber(written);

function number(
  dimension: numbers.Dimension,
  unit = '',
  context?: Parameters<typeof numbers.readDecimal>[2],
): Kind {
  const read = (written: string): Reading<number> =>
    numbers.readDecimal(written, dimension, context);
  return {
    read,
    isUnknown: isBlankNumber,
    toText: (written) =>
      digitsOf(written, { ...dimension, units: {} }) === null
        ? written
        : `${written} ${unit}`.trimEnd(),
    toXml: (written) => digitsOf(written, dimension) ?? read(written).value?.toString() ?? null,
  };
}

/** An alignment from true north. */
const azimuth: Kind = {
  ...number(numbers.DEGREES, 'deg', numbers.SIGNED),
  read: numbers.readAzimuth,
  toXml: (written) =>
    digitsOf(written, numbers.DEGREES) ?? numbers.readAzimuth(written).value?.toString() ?? null,
};

const metres = number(numbers.METRES, 'm');
/** A height above or below something. */
const heightDifference = number(numbers.METRES, 'm', numbers.SIGNED);
const coordinate = number(numbers.METRES, '', numbers.SIGNED);

/** An eccentricity: eight columns with four decimals. */
const eccentricity: Kind = {
  ...coordinate,
  toText: (written) => {
    const digits = digitsOf(written, numbers.METRES);
    return digits === null || !/^[^.]*(\.\d{0,4})?$/.test(digits)
      ? written
      : coordinateOf(digits).toFixed(4).padStart(8);
  },
};
/** A number without the sign of zero. */
const coordinateOf = (digits: string): number => Number(digits) + 0;

const PACKED = /^[+\-−]?\d{6,7}(?:\.\d*)?$/;

/** Reads degrees with the ten decimals that XML has. */
const readExactly = (written: string, limit: 90 | 180): Reading<number> =>
  numbers.readAngle(written, limit, 10);

/**
 * Degrees as `+DDMMSS.SS`, with as many decimals as it takes to be read as the same value.
 * @param precision the decimals of a degree
 */
function packed(degrees: number, limit: 90 | 180, precision: number): string {
  for (let decimals = 2; ; decimals++) {
    const unit = 10 ** decimals;
    const total = Math.round(Math.abs(degrees) * 3600 * unit);
    const seconds = ((total / unit) % 60).toFixed(decimals).padStart(3 + decimals, '0');
    const minutes = String(Math.floor(total / unit / 60) % 60).padStart(2, '0');
    const whole = String(Math.floor(total / unit / 3600)).padStart(limit === 90 ? 2 : 3, '0');
    const result = `${degrees < 0 ? '-' : '+'}${whole}${minutes}${seconds}`;
    // Seven decimals of a second are finer than ten of a degree.
    if (decimals === 7 || numbers.readAngle(result, limit, precision).value === degrees)
      return result;
  }
}

function angle(limit: 90 | 180): Kind {
  return {
    read: (written) => numbers.readAngle(written, limit),
    isUnknown: isBlankNumber,
    toText: (written) => {
      const { value } = readExactly(written, limit);
      if (value === null || PACKED.test(written)) return written;
      return packed(value, limit, /\.\d{9}/.test(written) ? 10 : 8);
    },
    toXml: (written) => {
      const { value } = readExactly(written, limit);
      if (value === null) return null;
      const digits = digitsOf(written, numbers.DEGREES);
      return digits !== null && Math.abs(Number(digits) - value) < 1e-7 ? digits : value.toString();
    },
  };
}

const DATE_ONLY = /^\(?\d{4}-\d{2}-\d{2}\)?$/;

/**
 * A kind of date.
 * @param isDay whether midnight is written as a date alone, however the log has it
 */
function date(readWhole: (written: string) => Reading<string>, isDay = false): Kind {
  const isAlone = (written: string, value: string): boolean =>
    DATE_ONLY.test(written) || (isDay && value.endsWith('T00:00:00Z'));
  return {
    read: isDay ? readDay : readWhole,
    // Some logs have the hint of the blank form without its parentheses.
    isUnknown: (written) => {
      if (!/[CY]YY/i.test(written)) return false;
      const { value, remark } = readWhole(written);
      return value === null && remark === undefined;
    },
    toText: (written) => {
      const { value, remark } = readWhole(written);
      if (value === null || remark !== undefined) return written;
      return isAlone(written, value) ? value.slice(0, 10) : value.replace(/:00Z$/, 'Z');
    },
    toXml: (written) => {
      const { value } = readWhole(written);
      return value !== null && isAlone(written, value) ? value.slice(0, 10) : value;
    },
  };
}

/** An instant, as a day if it is midnight; empty if unknown. */
const withoutMidnight = (instant: string | null): string =>
  (instant ?? '').replace(/T00:00:00Z$/, '');

/** The two ends of a period in GeodesyML, empty if unknown. */
export function periodEnds(written: string): [string, string] {
  const { from, to } = readEffectiveDates(written);
  return [withoutMidnight(from.value), withoutMidnight(to.value)];
}

const period: Kind = {
  read: (written) => {
    const { from, to } = readEffectiveDates(written);
    const remarks = [from.remark, to.remark].filter((each) => each !== undefined);
    // One finding for both ends: that of a lost value, if there is one.
    const remark = remarks.find(({ code }) => code === 'unreadable-value') ?? remarks[0];
    const value = { from: from.value, to: to.value };
    return remark === undefined ? { value } : { value, remark };
  },
  // Some logs have the hint of the blank form without its parentheses.
  isUnknown: (written) => {
    if (!/C?CYY/i.test(written)) return false;
    const { from, to } = readEffectiveDates(written);
    return [from, to].every(({ value, remark }) => value === null && remark === undefined);
  },
  toText: (written) => {
    const { from, to } = readEffectiveDates(written);
    if (
      from.remark !== undefined ||
      to.remark !== undefined ||
      (from.value === null && to.value === null)
    )
      return written;
    const begin = from.value === null ? 'CCYY-MM-DD' : shortened(from.value);
    const end = to.value === null ? '(CCYY-MM-DD)' : shortened(to.value);
    return `${begin}/${end}`;
  },
  toXml: (written) => (periodEnds(written).join('') === '' ? null : periodEnds(written).join('/')),
};

const stabilization: Kind = {
  ...text(readStabilization),
  toXml: (written) => digitsOf(written, numbers.CELSIUS),
};

/** The kinds by their names. */
export const KINDS = {
  text: text(readProse),
  code: { ...text(readCode), toText: withoutLineBreaks, toXml: withoutLineBreaks },
  drawing: text((written) => written),
  country: text(countryCode),
  stabilization,
  satellites: text(readSatelliteSystem),
  radome: text(readRadome),
  metres,
  heightDifference,
  coordinate,
  eccentricity,
  millimetres: number(numbers.MILLIMETRES),
  degrees: number(numbers.DEGREES, 'deg'),
  azimuth,
  latitude: angle(90),
  longitude: angle(180),
  megahertz: number(numbers.MEGAHERTZ, 'MHz'),
  seconds: number(numbers.SECONDS, 'sec'),
  percent: number(numbers.PERCENT),
  hectopascals: number(numbers.HECTOPASCALS, 'hPa'),
  celsius: number(numbers.CELSIUS, 'deg C'),
  instant: date(readInstant),
  since1980: date(readInstantSince1980),
  removal: date(readRemoval),
  day: date(readInstant, true),
  period,
} as const satisfies Record<string, Kind>;

/** The name of a kind. */
export type KindName = keyof typeof KINDS;

/** The kind of a value in the tables of sections. */
export const kindOf = ({ kind = 'text' }: { kind?: KindName }): Kind => KINDS[kind];
