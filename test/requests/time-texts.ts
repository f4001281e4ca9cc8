import fc from 'fast-check';
import type { Test } from 'tap';

/** What the tests of the parsers of instants share. */

const CANONICAL = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
/** Whether a text is a real instant in the form `YYYY-MM-DDThh:mm:ssZ`. */
export const isCanonical = (instant: string): boolean =>
  CANONICAL.test(instant) && new Date(instant).toISOString() === instant.replace('Z', '.000Z');

/** A test with a table of texts and what each must be parsed to. */
export const reads =
  (read: (text: string) => string | null, cases: [string, string | null][]) => async (t: Test) => {
    for (const [text, expected] of cases) t.equal(read(text), expected, JSON.stringify(text));
  };

const number = (max: number) => fc.integer({ min: 0, max }).map(String);
const digits = (length: number, max = 10 ** length - 1) =>
  fc.oneof(
    { weight: 9, arbitrary: number(max).map((text) => text.padStart(length, '0')) },
    { weight: 1, arbitrary: number(max) },
  );
const zone = fc.oneof(
  fc.constantFrom('Z', 'z', '', '+00:00', '-18:00'),
  fc
    .tuple(fc.constantFrom('+', '-'), digits(2), digits(2))
    .map(([sign, h, m]) => `${sign}${h}:${m}`),
);
/** Texts that look like times. Some are valid. */
export const timeLike = fc.oneof(
  fc.tuple(digits(4), digits(2, 13), digits(2, 32)).map((parts) => parts.join('-')),
  fc
    .tuple(
      digits(4),
      digits(2, 13),
      digits(2, 32),
      digits(2, 25),
      digits(2, 61),
      digits(2, 61),
      fc.constantFrom('', '.5', '.123456789'),
      zone,
    )
    .map(
      ([y, mo, d, h, mi, s, fraction, offset]) =>
        `${y}-${mo}-${d}T${h}:${mi}:${s}${fraction}${offset}`,
    ),
  fc.tuple(digits(4), digits(3)).map((parts) => parts.join(':')),
  fc.tuple(number(10_000), number(8)).map((parts) => parts.join(':')),
  fc.string(),
  fc.string({ unit: fc.constantFrom(...'0123456789-:TZ+.') }),
);
