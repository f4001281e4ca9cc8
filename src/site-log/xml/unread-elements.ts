import { PARTY_ROLES } from '../../../schemas/index.js';
import { AGENCIES, PARTY_ROWS } from '../sections/parties.js';
import {
  ALL_SECTIONS,
  elementOf,
  labelKey,
  type Section,
  SECTIONS,
  sopacElementOf,
  TRACKING,
} from '../sections/index.js';
import type { ValuesOf } from '../../findings/codes.js';
import type { Place } from '../../findings/finding.js';
import type { Findings, Report } from '../../findings/findings.js';
import type { Element } from './elements.js';
import { namesIn, placeOfElement, placesOf, STRUCTURE } from './blocks.js';
import { isOnlyInSchema } from './schema-names.js';

/**
 * Reports the elements of a document whose text nobody read, so that no value is lost without a
 * finding.
 */

const namesOf = (rows: Section['rows']): string[] =>
  [elementOf, sopacElementOf].flatMap((pathOf) => namesIn(placesOf(rows, pathOf)));

/** The names of elements that the form has a place for. */
const NAMES: ReadonlySet<string> = new Set([
  ...PARTY_ROLES,
  ...ALL_SECTIONS.flatMap(({ element, sopac, rows }) => [
    element,
    sopac ?? element,
    ...namesOf(rows),
  ]),
  ...namesOf(PARTY_ROWS),
  ...namesOf(TRACKING),
]);
/** The same names without case and punctuation, in which a name may be misspelt. */
const NAME_KEYS: ReadonlySet<string> = new Set([...NAMES].map(labelKey));
const isName = (name: string): boolean => NAME_KEYS.has(labelKey(name));

const personalRows = (rows: Section['rows']): Section['rows'] =>
  Object.fromEntries(Object.entries(rows).filter(([, { personal }]) => personal === true));
/** The names of elements that are, or are around, what identifies a person. */
const PERSONAL: ReadonlySet<string> = new Set([
  ...PARTY_ROLES,
  SECTIONS.formInformation.element,
  ...Object.values(AGENCIES).flatMap(({ element, sopac }) => [element, sopac ?? element]),
  ...ALL_SECTIONS.flatMap(({ rows }) => namesOf(personalRows(rows))),
  ...namesOf(personalRows(PARTY_ROWS)),
]);

/** What an element, with those inside, has of text that was not read. */
interface Unread {
  element: Element;
  texts: string[];
  /** Whether something inside was read. */
  hasRead: boolean;
  /** Whether the form has a place for one of the texts. */
  hasPlace: boolean;
  /** Whether it could be about a person. */
  isPersonal: boolean;
  /** The elements inside that have unread text, each with nothing read inside. */
  parts: Unread[];
}

/** Looks into an element; null if nothing in it is unread or read. */
function unreadIn(element: Element): Unread | null {
  if (element.use === 'reported' || STRUCTURE.has(element.name)) return null;
  const inside = element.children.flatMap((each) => unreadIn(each) ?? []);
  const text = element.use === 'read' ? '' : element.text.trim();
  const own = text === '' ? [] : [text];
  const isHere = own.length > 0;
  return {
    element,
    texts: [...own, ...inside.flatMap(({ texts }) => texts)],
    hasRead: element.use === 'read' || inside.some(({ hasRead }) => hasRead),
    hasPlace: (isHere && isName(element.name)) || inside.some(({ hasPlace }) => hasPlace),
    isPersonal: PERSONAL.has(element.name) || inside.some(({ isPersonal }) => isPersonal),
    parts: inside,
  };
}

/** What an element is inside of. */
interface Around {
  /** The section or item; null outside of all. */
  place: Element['place'];
  /** Whether something around it could be about a person. */
  isPersonal: boolean;
}

function report(unread: Unread, findings: Findings, around: Around): void {
  const { element, texts, hasRead, hasPlace, parts } = unread;
  if (texts.length === 0) return;
  const place = element.place ?? around.place;
  const isPersonal = around.isPersonal || unread.isPersonal;
  const add = isPersonal ? findings.addAboutContacts : findings.add;
  const here = { ...placeOfElement(element), ...place };
  if (!hasRead || parts.length === 0) {
    const why = whyUnread(unread);
    if (why === 'only in schema') reportOnlyInSchema(element, here, findings);
    else add('ignored-element', here, { why, text: texts.join(' ') }, levelOf(why, hasPlace));
    return;
  }
  const isAround = around.isPersonal || PERSONAL.has(element.name);
  for (const part of parts) report(part, findings, { place, isPersonal: isAround });
  const own = element.use === 'read' ? '' : element.text.trim();
  if (own !== '') reportOwnText(element, own, here, add);
}

/** Reports an element for which the form has no place. Its name is all that matters. */
const reportOnlyInSchema = ({ name }: Element, place: Place, findings: Findings): void =>
  findings.add('ignored-element', { ...place, label: null }, { why: 'only in schema', text: name });

/** Reports text between the elements inside of an element. */
function reportOwnText(element: Element, text: string, place: Place, add: Report): void {
  const level = isName(element.name) ? 'warning' : 'info';
  add('ignored-element', place, { why: 'text outside', text }, level);
}

type WhyUnread = ValuesOf<'ignored-element'>['why'];

/** A value for which the form has a place is lost, except in elements for which it has none. */
const levelOf = (why: WhyUnread, hasPlace: boolean): 'warning' | 'info' =>
  hasPlace && why !== 'only in schema' ? 'warning' : 'info';

/** Why an element is not read. */
function whyUnread({ element, hasPlace }: Pick<Unread, 'element' | 'hasPlace'>): WhyUnread {
  if (isOnlyInSchema(element)) return 'only in schema';
  if (!hasPlace) return 'unknown';
  const { name } = element;
  if (NAMES.has(name)) return 'misplaced';
  return isName(name) ? 'misspelt' : 'values inside';
}

/**
 * Reports an element beside the sections of a log, which the form does not have. It could be about
 * a person, so its text is not quoted.
 */
export function reportUnknownSection(element: Element, findings: Findings): void {
  const unread = unreadIn(element);
  const hasPlace = unread?.hasPlace ?? false;
  const why = whyUnread({ element, hasPlace });
  const place = placeOfElement(element);
  if (why === 'only in schema') reportOnlyInSchema(element, place, findings);
  else findings.add('ignored-element', place, { why }, levelOf(why, hasPlace));
  element.use = 'reported';
}

/** Whether an element has text, directly or inside, that nobody read or reported. */
function hasUnread({ name, use, text, children }: Element): boolean {
  if (use === 'reported' || STRUCTURE.has(name)) return false;
  return (use !== 'read' && /\S/.test(text)) || children.some(hasUnread);
}

/**
 * Reports what nobody read of a document. One finding is about an element with all that is inside.
 */
export function reportUnread(root: Element, findings: Findings): void {
  const unread = hasUnread(root) ? unreadIn(root) : null;
  if (unread !== null) report(unread, findings, { place: null, isPersonal: false });
}
