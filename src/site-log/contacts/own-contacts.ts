import type { SiteLogSections, Written } from '../../../schemas/index.js';
import { type Findings, reject, WITHHELD } from '../../findings/findings.js';
import { onOneLine } from '../../words.js';
import { AGENCIES } from '../sections/parties.js';
import { type Row, SECTIONS } from '../sections/index.js';
import { isHint, isNoValue } from '../values/hints.js';
import { LONGEST_TEXT } from '../values/limits.js';
import { isOfCommonWords } from './common-words.js';
import { withoutMailAddresses } from './mail-addresses.js';
import { namesIn, partsOf } from './names.js';
import { comparable, Phrases } from './phrases.js';
import { FEWEST_DIGITS, Telephones } from './telephones.js';
import { valuesWithRows } from './values.js';
import { webPagesIn, withoutWebPages } from './web-pages.js';

/**
 * Decides which names and numbers of the contacts of a log are looked for in its other text.
 * Nothing recognizes a name: what stands where contacts are named is one, unless it says nothing,
 * is an affiliation or a web page, or is a part of what is published whole.
 */

/** The most names and numbers of contacts in one log. Real logs have up to 30. */
const MOST_CONTACTS = 200;
/** A shorter text is not looked for in other text: it is too likely to be something else. */
const FEWEST_LETTERS = 4;
/**
 * A longer text is not a name; its parts are looked for. Together, contacts take bounded memory.
 */
const LONGEST_CONTACT = 200;
/** What stands in place of a name or number, besides the words for "unknown". */
const FILLER = /^(?:nil|vacant|nobody|not applicable|tb[acd]|same|(?:same )?as above)$/i;
/** What refers to another place, and may name a person there. */
const REFERENCE = /^(?:to be|same as|see) \w+$/i;
/** A telephone number, also with a word before or behind it. */
const NUMBER = /\+?\d[\d\s./-]{4,30}\d/g;

const writtenOf = (...values: (Written | null)[]): string[] =>
  values.flatMap((value) => (value === null ? [] : [value.written]));
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const hasTelephone = (text: string): boolean => countOf(text, /\d/g) >= FEWEST_DIGITS;
/** Whether what stands in place of a name or number says that there is none. */
export const saysNobody = (text: string): boolean =>
  isNoValue(text) || isHint(text) || FILLER.test(text);
const isNoContact = (text: string): boolean => saysNobody(text) || REFERENCE.test(text);
/** A text as whole names are compared. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The names in a value that are looked for, and the numbers among them. */
const namesAndNumbersIn = (written: string): string[] => [
  ...namesIn(written, canBeSearched),
  ...(written.match(NUMBER) ?? []).filter(canBeSearched),
];

/**
 * The names and numbers in text that is under no label of the form. A single word that is behind no
 * other label either may be of a drawing or list.
 */
const namesInOthers = (written: string): string[] =>
  withoutWebPages(written)
    .split('\n')
    .flatMap((line) => {
      const value = line.replace(/^[^:]*:/, '');
      const isLabelled = value.length < line.length;
      return namesAndNumbersIn(value).filter((part) => isLabelled || /[\s\d]/.test(part));
    });

/** The telephone numbers in a value. */
const telephonesIn = (written: string): string[] =>
  [onOneLine(written), ...partsOf(written), ...(written.match(NUMBER) ?? [])].filter(hasTelephone);

/** Where the contacts of a log are named. */
function contactValuesOf({ formInformation, responsibleParties: parties }: SiteLogSections) {
  return {
    names: [formInformation.preparedBy, ...parties.map(({ individualName }) => individualName)],
    telephones: parties.flatMap((party) => [party.telephone, party.secondTelephone, party.fax]),
    others: parties.map(({ others }) => others),
  };
}

/** Rejects a log with more contacts than any real one has. @throws {SiteLogRejected} */
export function limitContacts(log: SiteLogSections, findings: Findings): void {
  let count = 0;
  let line: number | null = null;
  for (const value of Object.values(contactValuesOf(log)).flat()) {
    if (value === null) continue;
    count += partsOf(value.written).filter((part) => part !== '').length;
    if (count > MOST_CONTACTS) line ??= value.line;
  }
  if (line === null) return;
  reject(findings, 'too-large', { line }, { of: 'contacts', count, most: MOST_CONTACTS });
}

/** The labels of the form, which name nobody, as they are compared. */
const LABELS = [...Object.values(SECTIONS), ...Object.values(AGENCIES)]
  .flatMap(({ rows }) => Object.values(rows))
  .flatMap(({ label, label2 }) => [label ?? [], label2 ?? []].flat())
  .map(comparable)
  .join('');
/** Their words. Most names begin with none of them, and are passed quickly. */
const WORDS_OF_LABELS = new Set(LABELS.split('\0'));

/** Whether a text as it is compared is a part of a label. */
const isInLabels = (text: string): boolean =>
  WORDS_OF_LABELS.has(text.slice(1, text.indexOf('\0', 1))) && LABELS.includes(text);

/** Whether a name or number of a contact may be looked for in other text. */
const canBeSearched = (text: string): boolean =>
  text.length <= LONGEST_CONTACT &&
  (countOf(text, /\p{L}/gu) >= FEWEST_LETTERS || hasTelephone(text)) &&
  !isNoContact(text) &&
  !isOfCommonWords(text);

/** A number in the name of an organisation or place, however it is divided. */
const LONG_NUMBER = /\+?\d(?:(?:\s+(?!\s)|[./()\p{Pd}]){0,4}\d){5,}/gu;

/** Texts and telephone numbers that are withheld in other text. */
export class Reach {
  constructor(
    private readonly phrases: Phrases,
    private readonly telephones: Telephones,
  ) {}

  /** A text without them. */
  withheldIn(text: string): string {
    return this.telephones.withheldIn(this.phrases.withheldIn(text));
  }
}

/** What is published whole, without email addresses and telephone numbers. */
export function withoutReach(text: string, kind: Row['public'], reach: Reach): string {
  const rest = reach.withheldIn(withoutMailAddresses(text));
  return kind === 'name' ? rest.replace(LONG_NUMBER, WITHHELD) : rest;
}

/** Whether a text is one number, and not several or a text with one. */
export const isNumber = (text: string): boolean => /^[^\p{L},;:]+$/u.test(text);

/** Email addresses, telephone numbers and other texts about them, of the contacts of a log. */
export function reachOf(log: SiteLogSections): string[] {
  const addresses = log.responsibleParties.flatMap(({ email }) =>
    writtenOf(email).flatMap(partsOf),
  );
  const telephones = writtenOf(...contactValuesOf(log).telephones).flatMap(telephonesIn);
  const found = [...telephones, ...addresses.filter((part) => part.includes('@'))];
  return [...new Set(found)].filter(canBeSearched);
}

/** The names of the contacts of a log. */
interface OwnNames {
  /** The names that are looked for in other text, and the numbers among them as written. */
  searched: string[];
  /** What is published whole, as {@link folded}. A contact that has such a name is none. */
  published: Set<string>;
}

/**
 * The names of the contacts of a log.
 * @param reach is withheld in values that are published whole
 */
export function ownNames(log: SiteLogSections, reach: Reach): OwnNames {
  const { names, others } = contactValuesOf(log);
  const searched = new Set([
    ...writtenOf(...names).flatMap(namesAndNumbersIn),
    ...writtenOf(...others).flatMap(namesInOthers),
  ]);
  const whole: string[] = [];
  const webPages: string[] = [];
  for (const [{ written }, row] of valuesWithRows(log)) {
    if (written.length > LONGEST_TEXT) continue;
    if (row.public !== undefined) whole.push(withoutReach(written, row.public, reach));
    if (row.personal !== true && webPagesIn(written).length > 0)
      webPages.push(...webPagesIn(withoutMailAddresses(written)));
  }
  const published = new Set(
    whole.filter((text) => !text.includes(WITHHELD) && /\p{L}/u.test(text)).map(folded),
  );
  // A name that is a part of what is published whole stays everywhere.
  const kept = [...whole, ...webPages].map(comparable).join('');
  const isKept = (text: string): boolean => {
    const compared = comparable(text);
    return published.has(folded(text)) || isInLabels(compared) || kept.includes(compared);
  };
  return { searched: [...searched].filter((text) => !isKept(text)), published };
}
