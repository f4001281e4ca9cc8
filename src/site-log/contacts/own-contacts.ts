import type { SiteLogSections, Written } from '../../../schemas/index.js';
import { type Findings, reject, WITHHELD } from '../../findings/findings.js';
import { onOneLine } from '../../words.js';
import { AGENCIES } from '../sections/parties.js';
import { type Row, SECTIONS } from '../sections/index.js';
import { isHint, isNoValue } from '../values/hints.js';
import { LONGEST_TEXT } from '../values/limits.js';
import { withoutMailAddresses } from './mail-addresses.js';
import { comparable, Phrases } from './phrases.js';
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
/** Nor is a number with fewer digits. */
const FEWEST_DIGITS = 6;
/**
 * A longer text is not a name; its parts are looked for. Together, contacts take bounded memory.
 */
const LONGEST_CONTACT = 200;
/** What separates several names or numbers in one value. */
const SEPARATORS = /[\n,;/()&]/;
/** A text in parentheses: behind a name, it is an affiliation. They may not be closed. */
const IN_PARENTHESES = /\([^()]*\)?/g;
/** A short word that is not written as a name: behind a name, it is more often an organisation. */
const ABBREVIATION = /^(?!\p{Lu}\p{Ll})\p{L}{1,5}$/u;
/** What stands in place of a name or number, besides the words for "unknown". */
const FILLER =
  /^(?:nil|vacant|nobody|not applicable|tb[acd]|to be \w+|same(?: as \w+)?|as above|see \w+)$/i;
/** A telephone number, also with a word before or behind it. */
const NUMBER = /\+?\d[\d\s./-]{4,30}\d/g;

const writtenOf = (...values: (Written | null)[]): string[] =>
  values.flatMap((value) => (value === null ? [] : [value.written]));
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const hasTelephone = (text: string): boolean => countOf(text, /\d/g) >= FEWEST_DIGITS;
/** A text as whole names are compared. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The names and numbers in a value about contacts, one by one. */
const partsOf = (written: string): string[] =>
  written.replaceAll(WITHHELD, '\n').split(SEPARATORS).map(onOneLine);

/** The names in a value, and the numbers among them. */
function namesIn(written: string): string[] {
  const names = withoutWebPages(written)
    .trim()
    .replace(IN_PARENTHESES, (text, place) => (place === 0 ? text : '\n'));
  const parts = partsOf(names).filter((part, index) => index === 0 || !ABBREVIATION.test(part));
  return [onOneLine(names), ...parts, ...(written.match(NUMBER) ?? [])];
}

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
      return namesIn(value).filter((part) => isLabelled || /[\s\d]/.test(part));
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

/** Whether a name or number of a contact may be looked for in other text. */
const canBeSearched = (text: string): boolean =>
  text.length <= LONGEST_CONTACT &&
  (countOf(text, /\p{L}/gu) >= FEWEST_LETTERS || hasTelephone(text)) &&
  !isNoValue(text) &&
  !isHint(text) &&
  !FILLER.test(text);

/** A number in the name of an organisation or place, however it is divided. */
const LONG_NUMBER = /\+?\d(?:[\s./()\p{Pd}]{0,4}\d){5,}/gu;

/** What is published whole, without email addresses and telephone numbers. */
export function withoutReach(text: string, kind: Row['public'], reach: Phrases): string {
  const rest = reach.replacedIn(withoutMailAddresses(text, WITHHELD), WITHHELD);
  return kind === 'name' ? rest.replace(LONG_NUMBER, WITHHELD) : rest;
}

/** The contacts of one log. */
interface OwnContacts {
  /** The names and numbers that are looked for in other text. */
  searched: string[];
  /** Telephone numbers and email addresses, which are also looked for in what is published whole. */
  reach: string[];
  /** What is published whole, as {@link folded}. A contact that has such a name is none. */
  publicNames: Set<string>;
}

/** The contacts of a log. */
export function ownContacts(log: SiteLogSections): OwnContacts {
  const { names, telephones, others } = contactValuesOf(log);
  const addresses = log.responsibleParties.flatMap(({ email }) =>
    writtenOf(email).flatMap(partsOf),
  );
  const reach = [
    ...writtenOf(...telephones).flatMap(telephonesIn),
    ...addresses.filter((part) => part.includes('@')),
  ].filter(canBeSearched);
  const searched = new Set(
    [
      ...writtenOf(...names).flatMap(namesIn),
      ...writtenOf(...others).flatMap(namesInOthers),
    ].filter(canBeSearched),
  );

  const phrases = new Phrases(reach);
  const values = valuesWithRows(log);
  const published = values.flatMap(([{ written }, row]) =>
    row.public === undefined || written.length > LONGEST_TEXT
      ? []
      : [withoutReach(written, row.public, phrases)],
  );
  const publicNames = new Set(
    published.filter((text) => !text.includes(WITHHELD) && /\p{L}/u.test(text)).map(folded),
  );
  const isKept = searched.size === 0 ? () => false : keeperOf(values, published, publicNames);
  return {
    searched: [...reach, ...[...searched].filter((text) => !isKept(text))],
    reach,
    publicNames,
  };
}

/** Decides which names are a part of what is published whole, so that they stay everywhere. */
function keeperOf(
  values: readonly [Written, Row][],
  published: readonly string[],
  publicNames: ReadonlySet<string>,
): (text: string) => boolean {
  const webPages = values.flatMap(([{ written }, row]) =>
    row.personal === true || written.length > LONGEST_TEXT
      ? []
      : webPagesIn(withoutMailAddresses(written, WITHHELD)),
  );
  const kept = LABELS + [...published, ...webPages].map(comparable).join('');
  return (text) => publicNames.has(folded(text)) || kept.includes(comparable(text));
}
