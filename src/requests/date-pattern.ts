import type { TimeParts } from './calendar.js';

/**
 * The supported pattern letters: for a number of repetitions, the regular expression of the field;
 * null if that number is not supported.
 */
const LETTERS: Record<string, (count: number) => string | null> = {
  u: (count) => (count === 4 ? '(?<year>\\d{4})' : count === 1 ? '(?<year>\\d{1,4})' : null),
  y: (count) => (count === 4 ? '(?<year>\\d{4})' : count === 1 ? '(?<year>\\d{1,4})' : null),
  M: (count) => (count === 2 ? '(?<month>\\d{2})' : count === 1 ? '(?<month>\\d{1,2})' : null),
  d: (count) => (count === 2 ? '(?<day>\\d{2})' : count === 1 ? '(?<day>\\d{1,2})' : null),
  D: (count) => (count === 3 ? '(?<ordinal>\\d{3})' : count === 1 ? '(?<ordinal>\\d{1,3})' : null),
  H: (count) => (count === 2 ? '(?<hour>\\d{2})' : count === 1 ? '(?<hour>\\d{1,2})' : null),
  m: (count) => (count === 2 ? '(?<minute>\\d{2})' : count === 1 ? '(?<minute>\\d{1,2})' : null),
  s: (count) => (count === 2 ? '(?<second>\\d{2})' : count === 1 ? '(?<second>\\d{1,2})' : null),
  S: (count) => (count <= 9 ? `\\d{${count}}` : null),
  X: (count) =>
    count === 1
      ? '(?<zone>Z|[+-]\\d{2}(?:\\d{2})?)'
      : count === 2
        ? '(?<zone>Z|[+-]\\d{4})'
        : count === 3
          ? '(?<zone>Z|[+-]\\d{2}:\\d{2})'
          : null,
};

/** The patterns that {@link compilePattern} supports, for descriptions and messages. */
export const PATTERN_FORMS =
  "a date pattern of uuuu or yyyy (year), MM (month), dd (day) or DDD (day of year), HH (hour), mm (minute), ss (second), S (fraction of a second), X, XX or XXX (UTC offset), 'quoted text' and punctuation";

/** The default pattern of the search for the Setups of a period. */
export const DEFAULT_PATTERN = 'uuuu-MM-dd';

/**
 * Compiles a date pattern in the syntax of `java.time.format.DateTimeFormatter`, which clients of
 * the reference service send. Parts of the time that the pattern leaves out are 0. Without an
 * offset, times are UTC.
 * @returns a function from a text to the parts of a time, or to null if the text does not match the
 *   pattern; null if the pattern is not supported or does not determine a date
 */
export function compilePattern(pattern: string): ((text: string) => TimeParts | null) | null {
  if (pattern.length > 100) return null;
  let source = '';
  const seen = new Set<string>();
  for (const [token, quoted] of pattern.matchAll(/'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z]/g)) {
    if (token.startsWith("'")) {
      if (quoted === undefined) return null;
      source += escape(quoted === '' ? "'" : quoted.replaceAll("''", "'"));
    } else if (/^[A-Za-z]/.test(token)) {
      const letter = token[0]!;
      const field = letter === 'y' ? 'u' : letter;
      const part =
        Object.hasOwn(LETTERS, letter) && !seen.has(field) ? LETTERS[letter]!(token.length) : null;
      if (part === null) return null;
      seen.add(field);
      source += part;
    } else if (/[[\]{}#]/.test(token)) {
      // java.time reserves these for optional parts and future use.
      return null;
    } else {
      source += escape(token);
    }
  }
  const dated =
    seen.has('u') &&
    (seen.has('D') ? !seen.has('M') && !seen.has('d') : seen.has('M') && seen.has('d'));
  if (!dated) return null;
  const expression = new RegExp(`^${source}$`);
  return (text) => {
    const parts = text.length > 200 ? undefined : expression.exec(text)?.groups;
    return parts === undefined ? null : { zone: 'Z', ...parts };
  };
}

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
