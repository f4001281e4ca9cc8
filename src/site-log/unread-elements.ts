import { PARTY_ROLES } from '../../schemas/index.js';
import { AGENCIES, PARTY_ROWS } from './sections/parties.js';
import {
  elementOf,
  labelKey,
  type Section,
  SECTIONS,
  sopacElementOf,
  TRACKING,
} from './sections/index.js';
import type { Findings, FindingSink } from './site-log.js';
import type { Element } from './xml.js';
import { elementLines, namesIn, placesOf, STRUCTURE } from './xml-blocks.js';

/**
 * Reports the elements of a document whose text nobody read, so that no value is lost without a
 * finding.
 */

const ALL: readonly Section[] = Object.values<Section>({ ...SECTIONS, ...AGENCIES });
const namesOf = (rows: Section['rows']): string[] =>
  [elementOf, sopacElementOf].flatMap((pathOf) => namesIn(placesOf(rows, pathOf)));

/** The names of elements that the form has a place for. */
const NAMES: ReadonlySet<string> = new Set([
  ...PARTY_ROLES,
  ...ALL.flatMap(({ element, sopac, rows }) => [element, sopac ?? element, ...namesOf(rows)]),
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
  ...ALL.flatMap(({ rows }) => namesOf(personalRows(rows))),
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

/** @param isAmongPersonal whether it is inside an element that could be about a person */
function report(unread: Unread, findings: Findings, isAmongPersonal = false): void {
  const { element, texts, hasRead, hasPlace, parts } = unread;
  if (texts.length === 0) return;
  const isPersonal = isAmongPersonal || unread.isPersonal;
  if (hasRead && parts.length > 0) {
    const isAround = isAmongPersonal || PERSONAL.has(element.name);
    for (const part of parts) report(part, findings, isAround);
    const own = element.use === 'read' ? '' : element.text.trim();
    if (own !== '') reportOwnText(element, own, isPersonal ? findings.aboutContacts : findings);
    return;
  }
  const sink = isPersonal ? findings.aboutContacts : findings;
  const level = hasPlace ? 'warning' : 'info';
  sink.add(elementLines(element), level, messageAbout(unread), texts.join(' '));
}

/** Reports text between the elements inside of an element. */
function reportOwnText(element: Element, text: string, sink: FindingSink): void {
  const level = isName(element.name) ? 'warning' : 'info';
  const message = `${element.name} has text outside of its elements; text ignored`;
  sink.add(elementLines(element), level, message, text);
}

function messageAbout({ element, hasPlace }: Pick<Unread, 'element' | 'hasPlace'>): string {
  const { name } = element;
  if (!hasPlace) return `${name} is not in the site log form; element ignored`;
  if (NAMES.has(name)) return `${name} is where the form has no place for it; element ignored`;
  if (isName(name)) return `${name} is not spelt as in the schema; element ignored`;
  return `${name} is not in the site log form, but values in it are; element ignored`;
}

/**
 * Reports an element beside the sections of a log, which the form does not have. It could be about
 * a person, so its text is not quoted.
 */
export function reportUnknownSection(element: Element, findings: Findings): void {
  const unread = unreadIn(element);
  const hasPlace = unread?.hasPlace ?? false;
  const message = messageAbout({ element, hasPlace });
  findings.add(elementLines(element), hasPlace ? 'warning' : 'info', message);
  element.use = 'reported';
}

/**
 * Reports what nobody read of a document. One finding is about an element with all that is inside.
 */
export function reportUnread(root: Element, findings: Findings): void {
  const unread = unreadIn(root);
  if (unread !== null) report(unread, findings);
}
