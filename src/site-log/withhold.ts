import type { SiteLogSections, Written } from '../../schemas/index.js';
import { PARTY_ROWS } from './sections/parties.js';
import { type Row, type Section, type SectionName, SECTIONS } from './sections/index.js';
import { WITHHELD } from './site-log.js';

/**
 * Withholds contacts, by where they stand: who prepared the log, and everything in the sections about contacts but the organisation and
 * its address. In all other text, email addresses, and the names and telephone numbers of the log's own contacts as they are written
 * there. A name that is also that of the organisation or the place stays.
 */

/** A shorter text, or a number with fewer digits, is not looked for in other text: it is too likely to be something else. */
const [FEWEST_LETTERS, FEWEST_DIGITS] = [4, 6];
/**
 * How much is searched in one log: the characters of texts times the contacts that can be in them. It bounds the time. What is beyond is
 * withheld as a whole; no real log comes near.
 */
const MOST_SEARCHED = 1_000_000;
/** What separates several names or numbers in one value. */
const SEPARATORS = /[\n,;/()&]/;
/** A short word that is not written as a name: behind a name, it is more often an organisation. */
const ABBREVIATION = /^(?!\p{Lu}\p{Ll})\p{L}{1,5}$/u;
/** The beginning of a web page: that of the organisation is no contact. */
const WEB_PAGE = /^(https?:?$|www\.)/i;
/** A telephone number, also with a word before or behind it. */
const NUMBER = /\+?\d[\d\s./-]{4,30}\d/g;
/** Begins only where a word does, so that a long word takes linear time. Behind a word for @, there has to be a domain. */
const MAIL_ADDRESS =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,255}(?:\s?@\s?|%40|\s?[([]at[)\]]\s?)[\p{L}\p{N}-]{1,64}(?:(?:\.\n?|\s?[([]dot[)\]]\s?|\sdot\s)[\p{L}\p{N}-]{1,64}){1,8}/giu;

const isWritten = (value: unknown): value is Written =>
  typeof value === 'object' && value !== null && 'written' in value;
const writtenOf = (...values: (Written | null)[]): string[] =>
  values.flatMap((value) => (value === null ? [] : [value.written]));
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
/** A text as names are compared. */
const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The names of the organisations and the place of a log. */
function publicNamesOf({
  responsibleParties: parties,
  siteIdentification: site,
  siteLocation: place,
}: SiteLogSections): Set<string> {
  const names = [
    ...parties.flatMap(({ organisation, abbreviation }) => writtenOf(organisation, abbreviation)),
    ...writtenOf(site.siteName, place.city, place.state, place.country, place.countryName),
  ];
  return new Set(names.flatMap((name) => [name, ...name.split(SEPARATORS)]).map(folded));
}

/** A line of the text form without its label. */
const valueOf = (line: string): string => line.replace(/^[^:]*:/, '');

/** The names and telephone numbers that are looked for in other text. */
function textsOf(log: SiteLogSections, publicNames: ReadonlySet<string>): string[] {
  const personal = [
    ...writtenOf(log.formInformation.preparedBy),
    ...log.responsibleParties.flatMap((party) =>
      writtenOf(party.individualName, party.telephone, party.secondTelephone, party.fax),
    ),
    // What is under another label: the value behind it.
    ...log.responsibleParties.flatMap(({ others }) =>
      writtenOf(others).flatMap((text) => text.split('\n').map(valueOf)),
    ),
  ];
  const isSearched = (text: string): boolean =>
    !WEB_PAGE.test(text) &&
    ((text.match(/\p{L}/gu)?.length ?? 0) >= FEWEST_LETTERS ||
      (text.match(/\d/g)?.length ?? 0) >= FEWEST_DIGITS) &&
    !publicNames.has(folded(text));
  const texts = personal.flatMap((value) => {
    const parts = value.replaceAll(WITHHELD, '\n').split(SEPARATORS).map(onOneLine);
    return [
      onOneLine(value),
      ...parts.filter((part, index) => index === 0 || !ABBREVIATION.test(part)),
      ...(value.match(NUMBER) ?? []),
    ];
  });
  return [...new Set(texts.filter(isSearched))].sort((a, b) => b.length - a.length);
}

/** The words of a text may be on several lines, or joined by "+" as satellite systems are. */
const patternOf = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll(' ', '[\\s+]+');

/** What every text with an email address has. */
const MAIL_SIGN = /@|%40|[([]at[)\]]/i;

const longestWordOf = (text: string): string =>
  text.split(' ').reduce((longest, word) => (word.length > longest.length ? word : longest));

/** The contacts of a log, to find them in its texts. */
export class Contacts {
  private readonly publicNames: ReadonlySet<string>;
  /** Each with a word of it in lower case: where it is not, the text is not. */
  private readonly texts: { text: string; word: string }[];
  private left = MOST_SEARCHED;

  constructor(log: SiteLogSections) {
    this.publicNames = publicNamesOf(log);
    this.texts = textsOf(log, this.publicNames).map((text) => ({
      text,
      word: longestWordOf(text).toLowerCase(),
    }));
  }

  /** The texts that can be in another one. There are seldom any, and this is faster than a search. */
  private possibleIn(text: string): string[] {
    const lower = text.toLowerCase();
    return this.texts.filter(({ word }) => lower.includes(word)).map((each) => each.text);
  }

  /** A text without contacts. @param isIdentity whether a contact of one word stays: it is more often the name of a maker, or a number */
  withheldIn(text: string, isIdentity = false): string {
    const rest = MAIL_SIGN.test(text) ? text.replace(MAIL_ADDRESS, WITHHELD) : text;
    const texts = this.possibleIn(rest)
      .filter((each) => !isIdentity || each.includes(' '))
      .map(patternOf);
    if (texts.length === 0) return rest;
    this.left -= texts.length * rest.length;
    if (this.left < 0) return WITHHELD;
    return rest.replace(
      new RegExp(`(?<![\\p{L}\\p{N}])(?:${texts.join('|')})(?![\\p{L}\\p{N}])`, 'giu'),
      WITHHELD,
    );
  }

  /** A value without contacts. A personal value stays if it is also the name of the organisation or the place. */
  withheldValue(value: Written, section: string, name: string): Written {
    const row = rowsOf(section)[name];
    if (row?.personal === true)
      return this.publicNames.has(folded(value.written))
        ? value
        : { ...value, written: WITHHELD, value: null };
    const withheld = (text: string): string =>
      this.withheldIn(text, isIdentity(section, name, row));
    const written = withheld(value.written);
    if (written === value.written) return value;
    return {
      ...value,
      written,
      value: typeof value.value === 'string' ? withheld(value.value) : value.value,
    } as Written;
  }
}

/** The table of a section. */
const rowsOf = (section: string): Section['rows'] =>
  section === 'responsibleParties' ? PARTY_ROWS : SECTIONS[section as SectionName].rows;

/** What identifies a Site or a device: it must not depend on the contacts. */
const IDENTITY: ReadonlySet<string> = new Set([
  ...['fourCharacterId', 'nineCharacterId', 'iersDOMESNumber', 'cdpNumber'],
  ...['type', 'manufacturer', 'serialNumber', 'antennaRadomeType', 'radomeSerialNumber'],
]);

/** Whether a value is not prose: it identifies something, is about the organisation, or is a number or a date. */
const isIdentity = (section: string, name: string, row: Row | undefined): boolean =>
  section === 'responsibleParties' ||
  IDENTITY.has(name) ||
  row === undefined ||
  !['text', 'drawing'].includes(row.kind ?? 'text');

/** A log without its contacts. It shares all other values with the log. Pure. */
export function withheldSections(
  log: SiteLogSections,
  contacts = new Contacts(log),
): SiteLogSections {
  const sections = Object.entries(log).map(([section, content]) => {
    if (typeof content === 'string') return [section, content];
    const withheld = (block: object): object =>
      Object.fromEntries(
        Object.entries(block).map(([name, value]) => [
          name,
          isWritten(value) ? contacts.withheldValue(value, section, name) : value,
        ]),
      );
    return [section, Array.isArray(content) ? content.map(withheld) : withheld(content)];
  });
  return Object.fromEntries(sections) as SiteLogSections;
}

/** Whether something of the log was withheld. */
export const isWithheld = (log: SiteLogSections): boolean => JSON.stringify(log).includes(WITHHELD);
