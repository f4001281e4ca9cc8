import { AGENCIES } from '../sections/parties.js';
import { sectionOfHeading } from './form.js';
import { CONTACT_LABELS, type Labels, LABELS } from './labels.js';
import { LABEL_COLUMNS, type TextLine } from './lines.js';

/** Recognizes lines about contacts, also where the form has none. */

/**
 * The start of a section with contacts, however its heading is punctuated: otherwise, its contacts
 * would be ignored lines of another.
 */
export const CONTACTS = /^ {0,4}(1[12])(?!\d)[.\s:)-]*(?:on.?site|responsible agency)/i;
/** The lines of the form above the two contacts of an agency. */
export const PRIMARY_CONTACT = /^primary contact/i;
export const SECONDARY_CONTACT = /^secondary contact/i;
/** A word of a heading about contacts, of which a letter may be damaged. */
const CONTACT_WORD = /^(?:[ck]onta[ck]t?\p{L}*|contat|agen[ct]\p{L}*|agnecy|respons[ai]ble)$/iu;
/** The most words of such a heading. */
const MOST_HEADING_WORDS = 10;

/** Whether a section is about contacts. */
export const isAboutContacts = (labels: Labels | null): boolean =>
  labels !== null && labels.name in AGENCIES;

/** Whether a line is one of those that only sections about contacts have. */
export function isOfContact({ key, text }: TextLine): boolean {
  const content = text.trimStart();
  if (PRIMARY_CONTACT.test(content) || SECONDARY_CONTACT.test(content)) return true;
  return CONTACT_LABELS.has(key);
}

/** Whether a text looks like a heading about contacts, though the form has no such heading. */
export function resemblesContacts(text: string): boolean {
  if (text.length > LABEL_COLUMNS) return false;
  const words = text.match(/\p{L}{3,}/gu) ?? [];
  return words.length <= MOST_HEADING_WORDS && words.some((word) => CONTACT_WORD.test(word));
}

/** Whether a text is a heading about contacts, without its number. */
export const isContactHeading = (text: string): boolean =>
  isAboutContacts(LABELS.get(sectionOfHeading(text) ?? '') ?? null);

/** Whether a line looks like a heading or a label about contacts. */
export const isLikeContacts = ({ label, value }: TextLine, content: string): boolean =>
  resemblesContacts(value.trim() === '' ? content : label!);
