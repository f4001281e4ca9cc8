import { WITHHELD } from '../../findings/findings.js';
import { onOneLine } from '../../words.js';
import { withoutWebPages } from './web-pages.js';

/** Finds the names in a value about contacts, and the other ways in which people write them. */

/** What separates several names or numbers in one value. */
const SEPARATORS = /[\n,;/()&|]|\s\p{Pd}+\s|\s(?:and|or|und|oder|et)(?=\s)/iu;
/** A text in parentheses: behind a name, it is an affiliation. They may not be closed. */
const IN_PARENTHESES = /\([^()]*\)?/g;
/** A short word that is not written as a name: behind a name, it is more often an organisation. */
const ABBREVIATION = /^(?!\p{Lu}\p{Ll})\p{L}{1,5}$/u;
/** Titles before a name, in the languages of the operators. */
const TITLES =
  /^(?:(?:mr|mrs|ms|miss|sir|dr|prof(?:essor)?|ass(?:oc|ist)(?:iate|ant)?|eng(?:r|ineer)?|ing|dipl|dott|hab|herr|frau|sra?|fr|m\.? ?sc|ph\.? ?d)(?![\p{L}\p{N}])[. -]*)+/iu;
/** Degrees behind a name. */
const DEGREES = /(?:[\s,]+(?:ph\.? ?d|m\.? ?sc|b\.? ?sc|jr|sr|sj)\.?)+$/i;
/** The most words of the name of a person. */
const MOST_WORDS = 6;

/** The names and numbers in a value about contacts, one by one. */
export const partsOf = (written: string): string[] =>
  written.replaceAll(WITHHELD, '\n').split(SEPARATORS).map(onOneLine);

/** A name without titles and degrees. */
const withoutTitles = (name: string): string => name.replace(TITLES, '').replace(DEGREES, '');

/** A name as it is, and with its first word last and its last word first: `SAMPLE Maria`. */
function ordersOf(name: string): string[] {
  const words = name.split(' ');
  if (words.length < 2 || words.length > MOST_WORDS) return [name];
  const first = words[0]!;
  const behindFirst = words.slice(1).join(' ');
  const last = words.at(-1)!;
  const beforeLast = words.slice(0, -1).join(' ');
  return [
    name,
    `${behindFirst} ${first}`,
    `${first}, ${behindFirst}`,
    `${last} ${beforeLast}`,
    `${last}, ${beforeLast}`,
  ];
}

/**
 * The names that two parts of a value make: `Sample, Maria`, or `Maria & Otto Sample`, where the
 * first shares its last word.
 */
function sharedName(part: string, next: string | undefined): string[] {
  if (next === undefined || part === '' || next === '' || part.includes(' ')) return [];
  return [`${next} ${part}`, `${part} ${next.slice(next.lastIndexOf(' ') + 1)}`];
}

/**
 * The names in a value, also as they are written without titles and in another order.
 * @param isSearched whether a name is looked for; its words decide, not their order
 */
export function namesIn(written: string, isSearched: (name: string) => boolean): string[] {
  const names = withoutWebPages(written)
    .trim()
    .replace(IN_PARENTHESES, (text, place) => (place === 0 ? text : '\n'));
  const parts = partsOf(names)
    .filter((part, index) => index === 0 || !ABBREVIATION.test(part))
    .map(withoutTitles);
  const shared = parts.flatMap((part, index) => sharedName(part, parts[index + 1]));
  const whole = [onOneLine(names)].filter(isSearched);
  return [...whole, ...[...parts, ...shared].filter(isSearched).flatMap(ordersOf)];
}
