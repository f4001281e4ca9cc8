import { type KnownPersons, NOBODY } from './known-persons.js';
import { CUT } from './site-log.js';
import { LONGEST_TEXT, readProse } from './values.js';
import { WITHHELD } from './written-values.js';

/** Finds personal data in texts: what identifies a person or a way to reach one, and any email address. */

/** The parts of a site log that the search depends on. */
export interface PersonalData {
  /** The personal values, as written. */
  personal: string[];
  /** The names of organisations and their abbreviations. They are published, so a personal value that repeats one need not be withheld. */
  organisations: string[];
  /** The addresses of organisations. */
  addresses: string[];
  /** The names of the station and its place. */
  places: string[];
}

/** A shorter text is too likely to be something else; of a longer one, which is neither a name nor a number, the beginning says enough. */
const [SHORTEST, LONGEST] = [4, 200];
/** A number with fewer digits is more often a year or a serial number than a telephone number. */
const FEWEST_DIGITS = 6;
/** The most texts that are looked for. This bounds the time. */
const MOST_TEXTS = 200;
/** The most texts that are compared with public texts, and the most characters of these, for the same reason. */
const [MOST_CANDIDATES, LONGEST_PUBLIC] = [1000, 100_000];
/** How many characters of personal values are compared word by word. */
const MOST_COMPARED = 10_000;
const [WORD_BEGIN, WORD_END] = ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'];
/** What separates the digits of a telephone number. V8 unrolls a repetition with a limit of three or less: the code for a log then takes up to 600 kB instead of 40. */
const DIGIT_SEPARATORS = '[\\s()./-]{0,4}';
/** Stands for them in the texts that are looked for. */
const SEPARATED = '\0';
const TELEPHONE = /^\+?[\d\s()./-]+$/;
// Begins only where a word does, so that a long word takes linear time. An address that is not written as one has to end in letters.
const MAIL_ADDRESS =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+(?:@[\p{L}\p{N}-]{1,64}(?:\.[\p{L}\p{N}-]{1,64}){1,8}|(?:\s?(?:@|[([]at[)\]])\s{0,40}|%40)[\p{L}\p{N}-]{1,64}(?:\.[\p{L}\p{N}-]{1,64}){0,7}\.\p{L}{2,24}(?![\p{L}\p{N}]))/giu;
const MAIL_SIGN = /@|%40|[([]at[)\]]/i;
/** What separates several names or numbers in one value. */
const SEPARATORS = /[\n,;/()]/;

/** A single word that is not written as a name. */
const ABBREVIATION = /^(?!\p{Lu}\p{Ll})\p{L}+$/u;
/** What is before and behind a word within the name of a host. */
const HOST_BEFORE = /[./]$/;
const HOST_BEHIND = /^\.\p{L}/u;

/** The words of a text up to the longest that is looked for. */
const beginningOf = (text: string): string => (text.length <= LONGEST ? text : text.slice(0, LONGEST + 1).replace(/\s*\S*$/, ''));
const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();
const escaped = (character: string): string => (/[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character);

/** The pattern of a character of a text that is looked for. */
const patternOfCharacter = (character: string): string =>
  character === ' ' ? '\\s+' : character === SEPARATED ? DIGIT_SEPARATORS : escaped(character);

const digitsOf = (text: string): string => text.replace(/[\s()./-]/g, '');

/** A telephone number with any separators, with and without its `+`; nothing for another text. */
function spellingsOf(text: string): string[] {
  if (!TELEPHONE.test(text)) return [];
  const digits = digitsOf(text);
  const separated = [...digits.replace('+', '')].join(SEPARATED);
  return digits.startsWith('+') ? [`+${separated}`, separated] : [separated];
}

/** A text on one line, in lower case, with blanks around each word, so that one text contains another only as whole words. */
const words = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** A node of a trie of texts: its children by the next character, and whether a text ends here. */
interface Branch {
  next: Map<string, Branch>;
  isEnd: boolean;
}

/** A regular expression for the texts of a trie. It compares each character with one branch only. */
function patternOf({ next, isEnd }: Branch): string {
  const ways = [...next].map(([character, branch]) => patternOfCharacter(character) + patternOf(branch));
  if (ways.length === 0) return '';
  return isEnd ? `(?:${ways.join('|')})?` : ways.length === 1 ? ways[0]! : `(?:${ways.join('|')})`;
}

function anyOf(texts: string[]): RegExp[] {
  const root: Branch = { next: new Map(), isEnd: false };
  for (const text of texts) {
    let branch = root;
    for (const character of text) {
      if (!branch.next.has(character)) branch.next.set(character, { next: new Map(), isEnd: false });
      branch = branch.next.get(character)!;
    }
    branch.isEnd = true;
  }
  return texts.length === 0 ? [] : [new RegExp(`${WORD_BEGIN}${patternOf(root)}${WORD_END}`, 'giu')];
}

/** Decides whether a log publishes a text as an organisation, its address or a place. @param isPart whether the text is a part of a value */
function publicTextsOf({ organisations, addresses, places }: PersonalData): (text: string, isPart: boolean) => boolean {
  const [ofOrganisations, ofAddresses] = [organisations, addresses].map((texts) => texts.map(words).join('\n').slice(0, LONGEST_PUBLIC));
  const ofPlaces = new Set(places.map(words));
  return (text, isPart) => {
    const searched = words(text);
    // An address may begin with the name of a person. But a single word, or a part of a value, is an abbreviation or a city.
    const canBeOfAddress = isPart || /^\p{L}+$/u.test(text);
    return ofPlaces.has(searched) || ofOrganisations!.includes(searched) || (canBeOfAddress && ofAddresses!.includes(searched));
  };
}

/** Decides which texts of a log are looked for elsewhere in it. */
function textsOf(data: PersonalData): string[] {
  const isPublic = publicTextsOf(data);
  const isSearched = (text: string): boolean =>
    text.length >= SHORTEST &&
    text.length <= LONGEST &&
    readProse(text) !== null &&
    (/\p{L}/u.test(text) || (text.match(/\d/g)?.length ?? 0) >= FEWEST_DIGITS);
  const texts = data.personal.flatMap((value) => {
    const left = value.replaceAll(WITHHELD, '\n');
    const whole = beginningOf(folded(left));
    // "(A. Smith, B. Jones)" has several names. The last word of "A. Smith (USNO)" is an organisation.
    const [first, ...others] = left
      .split(SEPARATORS)
      .map(folded)
      .filter((text) => text !== '');
    const parts = first === undefined ? [] : [first, ...others.filter((text) => !ABBREVIATION.test(text))];
    return [whole, ...parts].filter(isSearched).map((text) => ({ text, isPart: text !== whole }));
  });
  const secret = texts.slice(0, MOST_CANDIDATES).filter(({ text, isPart }) => !isPublic(text, isPart));
  return [...new Set(secret.flatMap(({ text }) => [text.normalize('NFC'), text.normalize('NFD'), text, ...spellingsOf(text)]))]
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_TEXTS);
}

/** The personal data of a log, and the persons known from other logs, to find them in texts. */
export class PersonalTexts {
  private searched: string[] | undefined;
  private compiled: RegExp[] | undefined;

  constructor(
    private readonly data: PersonalData,
    private readonly known: KnownPersons = NOBODY,
  ) {}

  private get texts(): string[] {
    return (this.searched ??= textsOf(this.data));
  }

  private get patterns(): RegExp[] {
    return (this.compiled ??= anyOf(this.texts));
  }

  /** Whether a text could contain personal data. This is faster than a search, which an import would need for each log. */
  canBeIn(text: string): boolean {
    if (MAIL_SIGN.test(text) || text.includes(CUT) || this.known.areIn(text)) return true;
    const digits = digitsOf(text);
    const isNumber = (part: string): boolean => TELEPHONE.test(part.trim()) && digits.includes(digitsOf(part).replace('+', ''));
    const lower = text.toLowerCase();
    const isThere = (part: string): boolean => {
      const found = part.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      const long = found.filter((word) => word.length >= SHORTEST);
      return (long.length > 0 ? long : found).some((word) => lower.includes(word));
    };
    const personal = this.data.personal.join('\n');
    if (personal.length <= MOST_COMPARED && !personal.split(SEPARATORS).some((part) => isThere(part) || isNumber(part))) return false;
    const searched = words(text);
    return this.texts.some((each) => searched.includes(words(each)) || isNumber(each.replaceAll(SEPARATED, '')));
  }

  /** Where a text contains personal data: the beginning and end of each place, in order, without overlaps. */
  placesIn(text: string): [number, number][] {
    const patterns = MAIL_SIGN.test(text) ? [MAIL_ADDRESS, ...this.patterns] : this.patterns;
    const found = patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap(({ index, 0: match }): [number, number][] => {
        const end = index + match.length;
        // A word in the name of a host, such as www.smith.example, is public.
        const isHost = HOST_BEFORE.test(text.slice(Math.max(0, index - 1), index)) && HOST_BEHIND.test(text.slice(end, end + 2));
        return isHost && /^\p{L}+$/u.test(match) ? [] : [[index, end]];
      }),
    );
    found.push(...this.othersIn(text));
    const places: [number, number][] = [];
    for (const [begin, end] of found.sort((a, b) => a[0] - b[0])) {
      const last = places.at(-1);
      if (last !== undefined && begin < last[1]) last[1] = Math.max(last[1], end);
      else places.push([begin, end]);
    }
    return places;
  }

  /** Where a text names persons known from other logs. */
  private othersIn(text: string): [number, number][] {
    const others = this.known.placesIn(text);
    if (others.length === 0) return [];
    const isPublic = publicTextsOf(this.data);
    return others.filter(({ name }) => !isPublic(name, false)).map(({ begin, end }) => [begin, end]);
  }

  /** Whether a text contains personal data. */
  areIn(text: string): boolean {
    return this.placesIn(text).length > 0;
  }

  /** A text without personal data. */
  without(text: string): string {
    let rest = '';
    let end = 0;
    for (const place of this.placesIn(text)) {
      rest += text.slice(end, place[0]) + WITHHELD;
      end = place[1];
    }
    return rest + text.slice(end);
  }

  /** Like {@link without}, for a text that may have been cut in the middle of personal data. */
  withoutCut(text: string): string {
    const rest = this.without(text);
    if (!text.endsWith(CUT) && text.length < LONGEST_TEXT - LONGEST) return rest;
    const end = rest.endsWith(CUT) ? rest.slice(0, -CUT.length) : rest;
    const lower = end.toLowerCase();
    const isCut = (wanted: string, length: number): boolean =>
      lower.endsWith(wanted.slice(0, length)) && !/[\p{L}\p{N}]/u.test(lower[lower.length - length - 1] ?? '');
    const lengths = this.texts.flatMap((each) => {
      const wanted = each.toLowerCase();
      for (let length = wanted.length - 1; length >= SHORTEST; length--) if (isCut(wanted, length)) return [length];
      return [];
    });
    return lengths.length === 0 ? rest : end.slice(0, end.length - Math.max(...lengths)) + WITHHELD + rest.slice(end.length);
  }
}
