import type { TextSectionName } from '../text/labels.js';
import { BlockFindings, type Fields } from '../fields.js';
import { AGENCIES } from '../sections/parties.js';
import { type Section, SECTIONS, sopacElementOf } from '../sections/index.js';
import type { Findings } from '../../findings/findings.js';
import type { Element } from './elements.js';
import { reportUnread } from './unread-elements.js';
import { addOthers, placeOfElement, placesOf, readBlock, readForm } from './blocks.js';

/**
 * The XML of SOPAC's site logs of 2004, from which GeodesyML was derived: the values of the text
 * form in elements.
 */

/** The beginning of the namespace of the root element; a year follows. */
const NAMESPACE = 'http://sopac.ucsd.edu/ns/geodesy/doc/igsSiteLog/';

/** The sections by the names of their elements. */
const ELEMENTS = new Map(
  (Object.entries({ ...SECTIONS, ...AGENCIES }) as [TextSectionName, Section][]).map(
    ([name, section]) => [
      section.sopac ?? section.element,
      { name, places: placesOf(section.rows, sopacElementOf) },
    ],
  ),
);

/** Whether the root element is that of such a site log. */
export const isSopac = ({ name, namespace }: Element): boolean =>
  name === 'igsSiteLog' && namespace.startsWith(NAMESPACE);

/**
 * Reads the blocks of a document, in its order.
 * @param onBlock takes a block, and returns the number that its item gets; null if it is none
 */
export function readSopacBlocks(
  root: Element,
  findings: Findings,
  onBlock: (section: TextSectionName, block: Fields) => number | null,
): void {
  const once = new Set<TextSectionName>();
  for (const element of root.children) {
    const section = ELEMENTS.get(element.name);
    if (section === undefined) continue;
    const { once: isOnce, number } = { ...SECTIONS, ...AGENCIES }[section.name];
    if (isOnce === true && once.has(section.name) && !(section.name in AGENCIES)) {
      const place = { ...placeOfElement(element), section: number };
      findings.add('ignored-element', place, { why: 'second section' }, 'warning');
      element.use = 'reported';
      continue;
    }
    once.add(section.name);
    const isContact = section.name in AGENCIES;
    const isForm = section.name === 'formInformation';
    const fields = isForm
      ? readForm(element, section.places, findings)
      : readBlock(element, section.places, new BlockFindings(findings, isContact));
    if (isContact) addOthers(fields, element);
    element.place = { section: number, item: onBlock(section.name, fields) };
  }
  reportUnread(root, findings);
}
