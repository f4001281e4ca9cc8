import type { SiteLogSections, Written } from '../../../schemas/index.js';
import { onOneLine } from '../../words.js';
import { METADATA_ROWS, PARTY_ROWS } from '../sections/parties.js';
import { type Row, type Section, type SectionName, SECTIONS } from '../sections/index.js';
import { withoutMailAddresses } from './mail-addresses.js';
import { Phrases } from './phrases.js';
import { type Findings, reject, WITHHELD } from '../../findings/findings.js';

/**
 * Withholds contacts, by where they stand: who prepared the log, and everything in the sections
 * about contacts but the organisation and its address. In all other text, email addresses, and the
 * names and telephone numbers of the log's own contacts as they are written there. A name that is
 * also that of the organisation or the place stays.
 */

/** The most names and numbers of contacts in one log. Real logs have up to 30. */
const MOST_CONTACTS = 200;
/** A shorter text is not looked for in other text: it is too likely to be something else. */
const FEWEST_LETTERS = 4;
/** Nor is a number with fewer digits. */
const FEWEST_DIGITS = 6;
/**
 * A longer text is not a name; its parts are looked for. Together, contacts take bounded memory.
 */
const LONGEST_CONTACT = 200;
/** What separates several names or numbers in one value. */
const SEPARATORS = /[\n,;/()&]/;
/** A short word that is not written as a name: behind a name, it is more often an organisation. */
const ABBREVIATION = /^(?!\p{Lu}\p{Ll})\p{L}{1,5}$/u;
/** The beginning of a web page: that of the organisation is not a contact. */
const WEB_PAGE = /^(https?:?$|www\.)/i;
/** A telephone number, also with a word before or behind it. */
const NUMBER = /\+?\d[\d\s./-]{4,30}\d/g;
const isWritten = (value: unknown): value is Written =>
  typeof value === 'object' && value !== null && 'written' in value;
const writtenOf = (...values: (Written | null)[]): string[] =>
  values.flatMap((value) => (value === null ? [] : [value.written]));
/** A text as names are compared. */
const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Replaces an email address or a number, so that the part with it is recognized. */
const HIDDEN = '\0';
/** A number in the line of an organisation or place, however it is divided. */
const LONG_NUMBER = /\+?\d(?:[\s./()\p{Pd}]{0,4}\d){5,}/gu;
/** In such a line, an email address also in a spelling that is not usual. */
const MAIL_WORD = /(?<![^\s,;@])[^\s,;@]*@[^\s,;@]*/g;

/** The lines with the names of the organisations and the place of a log. */
function publicLinesOf({
  responsibleParties: parties,
  siteIdentification: site,
  siteLocation: place,
}: SiteLogSections): string[] {
  return [
    ...parties.flatMap(({ organisation, abbreviation }) => writtenOf(organisation, abbreviation)),
    ...writtenOf(site.siteName, place.city, place.state, place.country, place.countryName),
  ];
}

/**
 * The persons of a log: each contact name, also if there are several on lines, and who prepared it.
 */
function personsOf({ formInformation, responsibleParties }: SiteLogSections): string[] {
  const names = responsibleParties.flatMap(({ individualName }) => writtenOf(individualName));
  names.push(...writtenOf(formInformation.preparedBy));
  const lines = names.flatMap((name) => name.split('\n')).map(onOneLine);
  // There are few whole names, so short ones are searched for too.
  const whole = names.map(onOneLine).filter((name) => countOf(name, /\p{L}/gu) > 1);
  return [...new Set([...whole, ...lines.filter(isSearched)])].filter((name) => name !== WITHHELD);
}

/** A line without email addresses and long numbers. */
const withoutReach = (line: string, replacement: string): string =>
  withoutMailAddresses(line, replacement)
    .replace(MAIL_WORD, replacement)
    .replace(LONG_NUMBER, replacement);

/** Whether a text can be the name of an organisation or place. */
const isPublicName = (text: string): boolean => !text.includes(HIDDEN) && /\p{L}/u.test(text);

/**
 * The names of the organisations and the place of a log, and the parts of these. None of them has an
 * email address, a long number, or a person, but for one who has the name of the whole line.
 */
function publicNamesOf(log: SiteLogSections, persons: string[]): Set<string> {
  const lines = publicLinesOf(log);
  const reachless = lines.map((line) => withoutReach(line, HIDDEN));
  const whole = new Set(reachless.filter(isPublicName).map(folded));
  // A person may be on both sides of a separator.
  const phrases = new Phrases(persons.filter((person) => !whole.has(folded(person))));
  const names = reachless.flatMap((line) => {
    const hidden = phrases.replacedIn(line, HIDDEN);
    return [hidden, ...hidden.split(SEPARATORS)].filter(isPublicName).map(folded);
  });
  return new Set(names);
}

/** A line of the text form without its label. */
const valueOf = (line: string): string => line.replace(/^[^:]*:/, '');

/** The values of a log that have names and telephone numbers of its contacts. */
function contactValuesOf(log: SiteLogSections): Written[] {
  const values = log.responsibleParties.flatMap(
    ({ individualName, telephone, secondTelephone, fax, others }) => [
      individualName,
      telephone,
      secondTelephone,
      fax,
      // What is under another label: the value behind it.
      others && { ...others, written: others.written.split('\n').map(valueOf).join('\n') },
    ],
  );
  return [log.formInformation.preparedBy, ...values].filter((value) => value !== null);
}

/** The names and numbers in a value about contacts, one by one. */
const partsOf = (written: string): string[] =>
  written.replaceAll(WITHHELD, '\n').split(SEPARATORS).map(onOneLine);

/** Rejects a log with more contacts than any real one has. @throws {SiteLogRejected} */
export function limitContacts(log: SiteLogSections, findings: Findings): void {
  let count = 0;
  let line: number | null = null;
  for (const value of contactValuesOf(log)) {
    count += partsOf(value.written).filter((part) => part !== '').length;
    if (count > MOST_CONTACTS) line ??= value.line;
  }
  if (line === null) return;
  reject(findings, 'too-large', { line }, { of: 'contacts', count, most: MOST_CONTACTS });
}

/** Whether a name or number of a contact is looked for in other text. */
const isSearched = (text: string): boolean =>
  text.length <= LONGEST_CONTACT &&
  !WEB_PAGE.test(text) &&
  (countOf(text, /\p{L}/gu) >= FEWEST_LETTERS || countOf(text, /\d/g) >= FEWEST_DIGITS);

/** The names and telephone numbers that are looked for in other text. */
function searchedTexts(log: SiteLogSections, publicNames: ReadonlySet<string>): string[] {
  const texts = contactValuesOf(log).flatMap(({ written }) => {
    const isName = (part: string, index: number): boolean =>
      index === 0 || !ABBREVIATION.test(part);
    const parts = partsOf(written).filter(isName);
    return [onOneLine(written), ...parts, ...(written.match(NUMBER) ?? [])];
  });
  return texts.filter((text) => isSearched(text) && !publicNames.has(folded(text)));
}

/** The telephone numbers of the contacts of a log. */
function telephonesOf({ responsibleParties }: SiteLogSections): string[] {
  const values = responsibleParties.flatMap(({ telephone, secondTelephone, fax }) =>
    writtenOf(telephone, secondTelephone, fax),
  );
  return values.flatMap(partsOf).filter((part) => countOf(part, /\d/g) >= FEWEST_DIGITS);
}

/** The contacts of one log. */
interface OwnContacts {
  /** The names of its organisations and its place. */
  publicNames: ReadonlySet<string>;
  /** The names and telephone numbers that are looked for in other text. */
  searched: string[];
  /** The persons whose names are not also those of the organisation or the place. */
  persons: string[];
  telephones: string[];
}

function contactsIn(log: SiteLogSections): OwnContacts {
  const persons = personsOf(log);
  const publicNames = publicNamesOf(log, persons);
  return {
    publicNames,
    searched: searchedTexts(log, publicNames),
    persons: persons.filter((person) => !publicNames.has(folded(person))),
    telephones: telephonesOf(log),
  };
}

/** The contacts of a log, or of several, to find them in texts. */
export class Contacts {
  /** The names of the organisations and the place that all of the logs have. */
  private readonly publicNames: ReadonlySet<string>;
  private readonly texts: Phrases;
  /** The texts of several words. */
  private readonly longTexts: Phrases;
  private readonly persons: Phrases;
  private readonly telephones: Phrases;

  constructor(log: SiteLogSections, ...others: readonly SiteLogSections[]) {
    const contacts = [log, ...others].map(contactsIn);
    const isPublicInAll = (name: string): boolean =>
      contacts.every(({ publicNames }) => publicNames.has(name));
    this.publicNames = new Set([...contacts[0]!.publicNames].filter(isPublicInAll));
    const searched = contacts.flatMap((each) => each.searched);
    this.texts = new Phrases(searched);
    this.longTexts = new Phrases(searched.filter((text) => text.includes(' ')));
    this.persons = new Phrases(contacts.flatMap((each) => each.persons));
    this.telephones = new Phrases(contacts.flatMap((each) => each.telephones));
  }

  /**
   * A text without contacts.
   * @param keepsSingleWords whether a contact of one word stays: it is more often the name of a
   *   maker, or a number
   */
  withheldIn(text: string, keepsSingleWords = false): string {
    const rest = withoutMailAddresses(text, WITHHELD);
    return (keepsSingleWords ? this.longTexts : this.texts).replacedIn(rest, WITHHELD);
  }

  /** A value of an address without contacts. A number of one word can be a telephone number. */
  private withheldInAddress(text: string): string {
    return this.telephones.replacedIn(this.withheldIn(text, true), WITHHELD);
  }

  /** A line with an organisation or place, without contacts in any spelling. */
  private withheldInLine(text: string): string {
    const rest = withoutReach(this.withheldIn(text, true), WITHHELD);
    return this.persons.replacedIn(rest, WITHHELD);
  }

  /**
   * A value without contacts. A personal value stays if it is also the name of the organisation or
   * the place.
   */
  withheldValue(value: Written, section: string, name: string): Written {
    const row = rowsOf(section)[name];
    if (row?.personal === true)
      return this.publicNames.has(folded(value.written))
        ? value
        : { ...value, written: WITHHELD, value: null };
    const withoutContacts = (text: string): string => {
      if (PUBLIC_LINES[section]?.includes(name) === true) return this.withheldInLine(text);
      if (section === 'responsibleParties') return this.withheldInAddress(text);
      return this.withheldIn(text, isIdentity(name, row));
    };
    const written = withoutContacts(value.written);
    if (written === value.written) return value;
    const read = typeof value.value === 'string' ? withoutContacts(value.value) : value.value;
    return { ...value, written, value: read } as Written;
  }
}

/** The values whose lines are names of the organisation or the place, by their sections. */
const PUBLIC_LINES: Readonly<Record<string, readonly string[]>> = {
  responsibleParties: ['organisation', 'abbreviation'],
  siteLocation: ['city', 'state', 'country', 'countryName'],
};

/** The table of a section. */
function rowsOf(section: string): Section['rows'] {
  if (section === 'responsibleParties') return PARTY_ROWS;
  if (section === 'metadata') return METADATA_ROWS;
  return SECTIONS[section as SectionName].rows;
}

/** What identifies a Site or a device: it must not depend on the contacts. */
const IDENTITY: ReadonlySet<string> = new Set([
  'fourCharacterId',
  'nineCharacterId',
  'iersDOMESNumber',
  'cdpNumber',
  'type',
  'manufacturer',
  'serialNumber',
  'antennaRadomeType',
  'radomeSerialNumber',
]);

/** Whether a value is not prose: it identifies something, or is a number or a date. */
const isIdentity = (name: string, row: Row | undefined): boolean =>
  IDENTITY.has(name) || row === undefined || !['text', 'drawing'].includes(row.kind ?? 'text');

/** A log without its contacts. It shares all other values with the log. Pure. */
export function withheldSections(
  log: SiteLogSections,
  contacts = new Contacts(log),
): SiteLogSections {
  const sections = Object.entries(log).map(([section, content]) => {
    if (typeof content === 'string') return [section, content];
    const withheldBlock = (block: object): object =>
      Object.fromEntries(
        Object.entries(block).map(([name, value]) => [
          name,
          isWritten(value) ? contacts.withheldValue(value, section, name) : value,
        ]),
      );
    return [section, Array.isArray(content) ? content.map(withheldBlock) : withheldBlock(content)];
  });
  return Object.fromEntries(sections) as SiteLogSections;
}

/**
 * Two logs of a Site, each without the contacts of both: a remark of one may name a contact of the
 * other. Pure.
 */
export function withheldFromBoth(
  one: SiteLogSections,
  other: SiteLogSections,
): [SiteLogSections, SiteLogSections] {
  const contacts = new Contacts(one, other);
  return [withheldSections(one, contacts), withheldSections(other, contacts)];
}

/** Whether something of the log was withheld. */
export const isWithheld = (log: SiteLogSections): boolean => JSON.stringify(log).includes(WITHHELD);
