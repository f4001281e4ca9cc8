import type { SiteLogSections, Written } from '../../../schemas/index.js';
import { WITHHELD } from '../../findings/findings.js';
import type { Row } from '../sections/index.js';
import { withoutMailAddresses } from './mail-addresses.js';
import {
  folded,
  isNumber,
  ownNames,
  Reach,
  reachOf,
  saysNobody,
  withoutReach,
} from './own-contacts.js';
import { CUT } from '../values/limits.js';
import { Phrases } from './phrases.js';
import { Telephones } from './telephones.js';
import { mappedValues, valuesWithRows } from './values.js';
import { replacedOutsideWebPages } from './web-pages.js';

/**
 * Withholds contacts, by where they stand: the rows of the tables say what is personal and what is
 * published whole. All other text loses email addresses, and the names and telephone numbers of the
 * log's own contacts as they are written there.
 */

/** Whether a value is not prose: it identifies something, or was read as a number or a date. */
const isIdentity = ({ value }: Written, row: Row, member: string): boolean =>
  row.identifies === true ||
  member === 'manufacturer' ||
  (value !== null && !['text', 'drawing'].includes(row.kind ?? 'text'));

/** The most characters of a contact, of which only the beginning may stand before a cut. */
const LONGEST_BEGINNING = 1024;

/** A text in which a contact may have been cut, without where that may be. */
const withoutBeginning = (text: string): string =>
  text.endsWith(CUT) ? text.slice(0, -(LONGEST_BEGINNING + CUT.length)) + CUT : text;

/** The contacts of a log, or of several, to find them in texts. */
export class Contacts {
  private readonly texts: Reach;
  /** The texts of several words. */
  private readonly longTexts: Phrases;
  private readonly reach: Reach;
  /** The names that all of the logs publish. */
  private readonly publicNames: ReadonlySet<string>;

  constructor(...logs: readonly [SiteLogSections, ...SiteLogSections[]]) {
    // A number that is found in any spelling is not looked for as it is written.
    const reachWith = (texts: string[]): Reach => {
      const numbers = new Telephones(texts.filter(isNumber));
      return new Reach(new Phrases(texts.filter((text) => !numbers.takes(text))), numbers);
    };
    const reach = logs.flatMap(reachOf);
    this.reach = reachWith(reach);
    const names = logs.map((log) => ownNames(log, this.reach));
    const searched = [...reach, ...names.flatMap((each) => each.searched)];
    this.texts = reachWith(searched);
    this.longTexts = new Phrases(searched.filter((text) => text.includes(' ')));
    const isInAll = (name: string): boolean => names.every(({ published }) => published.has(name));
    this.publicNames = new Set([...names[0]!.published].filter(isInAll));
  }

  /**
   * A text without contacts.
   * @param keepsSingleWords whether a contact of one word stays: it is more often the name of a
   *   maker, or a number
   */
  withheldIn(text: string, keepsSingleWords = false): string {
    const phrases = keepsSingleWords ? this.longTexts : this.texts;
    return replacedOutsideWebPages(withoutMailAddresses(text), (rest) => phrases.withheldIn(rest));
  }

  /**
   * A value without contacts. A personal value stays if it says nothing, or is also published
   * elsewhere.
   */
  withheldValue(value: Written, row: Row, member: string): Written {
    if (row.personal === true) {
      const { written } = value;
      const isPublished = saysNobody(written) || this.publicNames.has(folded(written));
      return isPublished ? value : { ...value, written: WITHHELD, value: null };
    }
    const withoutContacts = (text: string): string =>
      withoutBeginning(
        row.public === undefined
          ? this.withheldIn(text, isIdentity(value, row, member))
          : withoutReach(text, row.public, this.reach),
      );
    const written = withoutContacts(value.written);
    if (written === value.written) return value;
    if (value.value === value.written) return { ...value, written, value: written };
    const read = typeof value.value === 'string' ? withoutContacts(value.value) : value.value;
    return { ...value, written, value: read } as Written;
  }
}

/** A log without its contacts. It shares all other values with the log. Pure. */
export const withheldSections = (
  log: SiteLogSections,
  contacts = new Contacts(log),
): SiteLogSections =>
  mappedValues(log, (value, row, member) => contacts.withheldValue(value, row, member));

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
export const isWithheld = (log: SiteLogSections): boolean =>
  valuesWithRows(log).some(([{ written }]) => written.includes(WITHHELD));
