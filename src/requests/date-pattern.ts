import type { TimeParts } from './calendar.js';

/**
 * The supported pattern letters: the regular expressions of the field, by how often the letter is
 * repeated.
 */
const LETTERS: Record<string, Readonly<Record<number, string>>> = {
  u: { 1: '(?<year>\\d{1,4})', 4: '(?<year>\\d{4})' },
  y: { 1: '(?<year>\\d{1,4})', 4: '(?<year>\\d{4})' },
  M: { 1: '(?<month>\\d{1,2})', 2: '(?<month>\\d{2})' },
  d: { 1: '(?<day>\\d{1,2})', 2: '(?<day>\\d{2})' },
  D: { 1: '(?<ordinal>\\d{1,3})', 3: '(?<ordinal>\\d{3})' },
  H: { 1: '(?<hour>\\d{1,2})', 2: '(?<hour>\\d{2})' },
  m: { 1: '(?<minute>\\d{1,2})', 2: '(?<minute>\\d{2})' },
  s: { 1: '(?<second>\\d{1,2})', 2: '(?<second>\\d{2})' },
  S: Object.fromEntries(Array.from({ length: 9 }, (_, index) => [index + 1, `\\d{${index + 1}}`])),
  X: {
    1: '(?<zone>Z|[+-]\\d{2}(?:\\d{2})?)',
    2: '(?<zone>Z|[+-]\\d{4})',
    3: '(?<zone>Z|[+-]\\d{2}:\\d{2})',
  },
};

/** The patterns that {@link compilePattern} supports, for descriptions and messages. */
export const PATTERN_FORMS =
  'a date pattern of uuuu or yyyy (year), MM (month), dd (day) or DDD (day of year), HH (hour), ' +
  "mm (minute), ss (second), S (fraction of a second), X, XX or XXX (UTC offset), 'quoted text' " +
  'and punctuation';

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
      if (!Object.hasOwn(LETTERS, letter) || seen.has(field)) return null;
      const part = LETTERS[letter]![token.length];
      if (part === undefined) return null;
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
