import type { PersonalData } from './personal-texts.js';
import { WITHHELD } from './written-values.js';

/** The persons whom site logs name as contacts, to find them in the remarks of other logs. */

/** A name is stored as its words in lower case, with blanks between them. An apostrophe, a full stop or a hyphen divides words. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LETTERS = /^[\p{L}\p{M}]+$/u;
const [FEWEST_WORDS, MOST_WORDS] = [2, 6];
/** The shortest and the longest name, in characters. */
const [SHORTEST, LONGEST] = [6, 80];
/** A longer value is something other than names. */
const LONGEST_VALUE = 200;
/** How many names of one log are stored. The shared logs have four at most. */
const MOST_NAMES = 20;
/** What separates several names, or a name from what is said about it. */
const SEPARATORS = /[\n,;/()&]|\band\b/;
/** What is between the words of a name in a text. */
const BETWEEN = /^(?:[.'’‐-]\s{0,40}|\s{1,40})$/u;

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''));
/** Titles in front of a name, as words. */
const TITLES = setOf('assist assoc dipl dott dr eng fr hab ing bsc ir miss mr mrs ms msc phd prof sc');
/** Words that occur in sentences and in names of roles, departments and organisations, but not in names of persons. */
const NO_NAMES = setOf(`
  adm admin administration administrator agency archive at authority bureau center centre chef chief committee company contact control
  coordinator cors data department dept dir director division email engineer engineering equipe every for foundation from geodesy geodetic
  geographic gnss gps group head help helpdesk igs in info information institute institution laboratory land lands leader mail
  management manager mission national network observatory of office officer operations operator or principal project reception
  responsible section see senior service services staff station support survey surveying surveyor surveys system systems team
  technical technician technology the to university unknown webmaster
`);

/** An abbreviation: such a word has no vowel. */
const ABBREVIATION = /^[b-df-hj-np-tv-xz]{3,}$/;

/** Where a word is in a text. */
interface Token {
  word: string;
  begin: number;
  end: number;
}

const folded = (word: string): string => word.normalize('NFC').toLowerCase();

const tokensOf = (text: string): Token[] =>
  [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word: folded(word), begin: index, end: index + word.length }));

/** The words of {@link tokensOf}, in less time. */
const wordsOf = (text: string): string[] => (text.match(WORD) ?? []).map(folded);

/** The name in a part of a value; null if it is not plainly the full name of a person. */
function nameIn(written: string): string | null {
  const part = written.replace(/\b([MB])\.\s?Sc\b/g, '$1Sc');
  const tokens = tokensOf(part);
  while (TITLES.has(tokens[0]?.word ?? '')) tokens.shift();
  const words = tokens.map(({ word }) => word);
  const name = words.join(' ');
  if (words.length < FEWEST_WORDS || words.length > MOST_WORDS || name.length < SHORTEST || name.length > LONGEST) return null;
  if (!words.every((word) => LETTERS.test(word) && !NO_NAMES.has(word) && !ABBREVIATION.test(word))) return null;
  // A sentence or the name of an account does not begin with a capital letter.
  if (/^\p{Ll}/u.test(part.slice(tokens[0]!.begin)) || part.includes('_') || part.includes('@')) return null;
  return words.some((word) => word.length > 3) ? name : null;
}

/**
 * The full names of persons in the contacts of a log. What the log publishes as an organisation, an address or a place does not count.
 * @param personal the contacts as written
 */
export function personsIn({ personal, organisations, addresses, places }: PersonalData): string[] {
  const found = new Set<string>();
  // Many values are the same, and most are numbers and addresses.
  for (const written of new Set(personal)) {
    if (/\d/.test(written) || written.length > LONGEST_VALUE) continue;
    for (const part of written.replaceAll(WITHHELD, '\n').split(SEPARATORS)) {
      const name = nameIn(part.trim());
      if (name !== null) found.add(name);
    }
  }
  if (found.size === 0) return [];
  const published = [...new Set([...organisations, ...addresses, ...places])].map((text) => ` ${wordsOf(text).join(' ')} `).join('\n');
  return [...found].slice(0, MOST_NAMES).filter((name) => !published.includes(` ${name} `));
}

/** Persons, by the names that {@link personsIn} returns. */
export class KnownPersons {
  /** The other words of the names, by the first. */
  private readonly byFirstWord = new Map<string, string[][]>();

  constructor(readonly names: readonly string[]) {
    for (const name of names) {
      const [first, ...others] = name.split(' ');
      const known = this.byFirstWord.get(first!);
      if (known === undefined) this.byFirstWord.set(first!, [others]);
      else known.push(others);
    }
  }

  /** Where a text has their names: the beginning and end of each, and the name. */
  placesIn(text: string): { begin: number; end: number; name: string }[] {
    if (this.byFirstWord.size === 0 || text.length < SHORTEST) return [];
    // Most texts have no first word of a name.
    if (!wordsOf(text).some((word) => this.byFirstWord.has(word))) return [];
    const tokens = tokensOf(text);
    return tokens.flatMap(({ word, begin }, index) =>
      (this.byFirstWord.get(word) ?? []).flatMap((others) => {
        const isThere = others.every((other, at) => {
          const [before, next] = [tokens[index + at]!, tokens[index + at + 1]];
          return next?.word === other && BETWEEN.test(text.slice(before.end, next.begin));
        });
        if (!isThere) return [];
        // In lower case, an initial can be an article: "a wood".
        const isInitial = word.length === 1 && others.length === 1;
        if (isInitial && /^\p{Ll}/u.test(text.slice(begin))) return [];
        return [{ begin, end: tokens[index + others.length]!.end, name: [word, ...others].join(' ') }];
      }),
    );
  }

  /** Whether a text has the name of one of them. */
  areIn(text: string): boolean {
    return this.placesIn(text).length > 0;
  }
}

/** No persons. */
export const NOBODY = new KnownPersons([]);
