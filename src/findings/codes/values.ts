import type { Instant } from '../../../schemas/index.js';
import { info, type PartOfLog, warning } from '../finding.js';
import { enumerated } from '../../words.js';

/** What readers and checks find about single values: numbers, dates, ids and positions. */

/** A label with a colon; empty without one. */
const labelled = ({ label }: PartOfLog): string => (label == null ? '' : `${label}: `);

/** What an item of equipment counts as whose dates cannot be read. */
export interface AssumedUse {
  /** It is in use from this date on, the first one of the log; null if its start is known. */
  from: Instant | null;
  /** Whether it is still in use. */
  isOpen: boolean;
}

/** From when on an item without a start counts as in use. */
export const sinceFirstDate = (from: Instant): string =>
  `counts as in use from ${from} on, the first date of the log`;

/** What an item counts as, at the end of a sentence. */
function assumedWords({ from, isOpen }: AssumedUse): string {
  const words = from === null ? [] : [sinceFirstDate(from)];
  if (isOpen) words.push('counts as still in use');
  return words.map((each) => `; ${each}`).join('');
}

/** What no reader can make a value of: what was expected, or why a position is none. */
type Unreadable =
  | { expected: string; assumed?: AssumedUse }
  /** The coordinates that are missing: X, Y, Z. */
  | { missing: readonly string[] }
  | { isFarFromSurface: true }
  /** A latitude that is the longitude, and the other way round: so they fit X, Y and Z. */
  | { isExchanged: true };

/** How a position that contradicts X, Y and Z was read. */
export type PositionReading = 'sign' | 'minutes' | 'computed' | 'zero';

const POSITION_READINGS: Readonly<Record<PositionReading, string>> = {
  sign: 'only the sign differs, sign of X, Y and Z used',
  minutes: 'degrees, minutes and seconds (dd.mmssss) used',
  computed: 'position computed from X, Y and Z',
  zero: '0 is treated as missing, position computed from X, Y and Z',
};

export const VALUES = {
  'unreadable-value': warning<Unreadable>(
    'Value unreadable',
    'A value cannot be read as what the form asks for. It is unknown, unless others give it.',
    (values) => {
      if ('isExchanged' in values) return 'Exchange latitude and longitude.';
      if ('missing' in values) return `Write ${enumerated(values.missing)}, too.`;
      if ('isFarFromSurface' in values) return 'Correct X, Y and Z, which are metres.';
      return 'Write the value as the form asks for it.';
    },
    (values, part) => {
      if ('isExchanged' in values)
        return 'latitude and longitude are exchanged; both computed from X, Y and Z';
      if ('expected' in values) {
        const assumed = values.assumed === undefined ? '' : assumedWords(values.assumed);
        return `${labelled(part)}not ${values.expected}; not read${assumed}`;
      }
      if ('missing' in values)
        return (
          `X, Y and Z give no position without ${values.missing.join(' and ')}; treated as ` +
          'unknown'
        );
      return 'X, Y and Z are not near the surface of the Earth; treated as unknown';
    },
  ),
  'deviating-value': info<{ deviation: string; read: string }>(
    'Value deviates',
    'A value is not written as the form asks, but could be read.',
    'Write the value as the form asks for it.',
    ({ deviation, read }, part) => `${labelled(part)}${deviation}; read as ${read}`,
  ),
  'position-computed': info<{ unknown: ('latitude' | 'longitude')[] }>(
    'Position computed',
    'Latitude or longitude is unknown; both were computed from X, Y and Z.',
    ({ unknown }) => `Give the ${enumerated(unknown)}.`,
    ({ unknown }) =>
      `${enumerated(unknown)} unknown; latitude and longitude computed from X, Y and Z`,
  ),
  'position-mismatch': warning<{
    /** Kilometres. */
    distance: number;
    /** What follows from X, Y and Z, in degrees. */
    computed: { latitude: number; longitude: number };
    reading: PositionReading;
  }>(
    'Positions differ',
    'Latitude and longitude do not match X, Y and Z.',
    'Correct latitude and longitude, or X, Y and Z; degrees are decimal or ddmmss.ss.',
    ({ distance, computed: { latitude, longitude }, reading }) => {
      const degrees = `${latitude.toFixed(5)} ${longitude.toFixed(5)}`;
      return (
        `latitude and longitude are ${distance} km from X, Y and Z (${degrees}); ` +
        POSITION_READINGS[reading]
      );
    },
  ),
  'zero-position': warning<{ of: 'cartesian' | 'geodetic' | 'degrees' }>(
    'Position is zero',
    'Coordinates are all 0, which counts as missing, or is that of a form that was not filled in.',
    'Write the position, or leave the lines blank.',
    ({ of }) => {
      if (of === 'degrees') return 'latitude and longitude are both 0';
      const names = of === 'cartesian' ? 'X, Y and Z' : 'latitude, longitude and elevation';
      return `${names} are all 0; treated as missing`;
    },
  ),
  'height-mismatch': warning<{ metres: number }>(
    'Height differs',
    'The elevation is not the height that follows from X, Y and Z.',
    'Write the height above the ellipsoid.',
    ({ metres }) => `the elevation is ${metres} m from that of X, Y and Z`,
  ),
  'far-from-country': info<{
    kilometres: number;
    country: string;
    /** Which coordinate has the sign of the wrong hemisphere, if that explains it. */
    mirrored: 'latitude' | 'longitude' | null;
  }>(
    'Far from its country',
    'The position is not in the country that the log names.',
    ({ mirrored }) =>
      mirrored === null
        ? 'Correct the position or the country; the map lacks some small islands.'
        : `Correct the sign of the ${mirrored}.`,
    ({ kilometres, country, mirrored }) =>
      `the position is ${kilometres} km from ${country}` +
      (mirrored === null ? '' : `; with the other sign of the ${mirrored}, it is there`),
  ),
  'unknown-country': warning<{ meant: string | null }>(
    'Country unknown',
    'The country is neither a name nor a code of ISO 3166, so that searches by country miss the ' +
      'Site.',
    'Write the code of three letters, such as NZL, or the English name.',
    ({ meant }) => `the country is none of ISO 3166${meant === null ? '' : `; perhaps ${meant}`}`,
  ),
  'malformed-id': info<{ country: string | null }>(
    'Id malformed',
    'The id of the site does not have the form that the IGS asks for.',
    'Write the id in capital letters and digits, with the code of the country.',
    ({ country }) =>
      country === null
        ? 'the id of the site has other characters than capital letters and digits'
        : `"${country}" in the id of the site is not a country code of ISO 3166-1`,
  ),
  /** `other` is the country of section 2. */
  'id-country': warning<{ country: string; other: string }>(
    'Country of the id',
    'The id of the site has another country than section 2.',
    'Correct the id of the site or the country.',
    ({ country, other }) =>
      `${country} in the id of the site is not the country of section 2, ${other}`,
  ),
  'malformed-domes': info(
    'DOMES number malformed',
    'The DOMES number does not have the form of the IERS, such as 50137M001.',
    'Write the DOMES number that the IERS assigned, or leave the line blank.',
    'the DOMES number is not five digits, M or S, and three digits',
  ),
  'out-of-range': warning<{ name: string; least: number; most: number; unit: string }>(
    'Number out of range',
    'A number is outside the values that are possible for it.',
    'Correct the number or its unit.',
    ({ name, least, most, unit }) => `${name} is not between ${least} and ${most} ${unit}`,
  ),
} as const;
