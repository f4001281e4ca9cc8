import type { Wanted } from './ascii-blocks.js';
import type { TextSectionName } from './ascii-labels.js';
import { Fields } from './fields.js';
import { readDatePrepared, readIdentification } from './identification.js';
import { Items } from './items.js';
import { AGENCIES } from './sections/parties.js';
import { type Section, SECTIONS, sopacElementOf } from './sections/index.js';
import { findingsAbout, KIND_OF_SECTION, RECORD_VALUES } from './record-values.js';
import type { Findings, SiteLog } from './site-log.js';
import type { Element } from './xml.js';
import { placesOf, readBlock } from './xml-blocks.js';

/** The XML of SOPAC's site logs of 2004, from which GeodesyML was derived: the values of the text form in elements. */

/** The beginning of the namespace of the root element; a year follows. */
const NAMESPACE = 'http://sopac.ucsd.edu/ns/geodesy/doc/igsSiteLog/';

/** The sections by the names of their elements. */
const ELEMENTS = new Map(
  (Object.entries({ ...SECTIONS, ...AGENCIES }) as [TextSectionName, Section][]).map(([name, section]) => [
    section.sopac ?? section.element,
    { name, places: placesOf(section.rows, sopacElementOf) },
  ]),
);

/** Whether the root element is that of such a site log. */
export const isSopac = ({ name, namespace }: Element): boolean => name === 'igsSiteLog' && namespace.startsWith(NAMESPACE);

/** Reads the blocks of a document, in its order. */
export function readSopacBlocks(
  root: Element,
  findings: Findings,
  isWanted: Wanted,
  onBlock: (section: TextSectionName, block: Fields) => void,
): void {
  for (const element of root.children) {
    const section = ELEMENTS.get(element.name);
    const wanted = section === undefined ? null : isWanted(section.name);
    if (wanted !== null) onBlock(section!.name, readBlock(element, section!.places, findingsAbout(section!.name, findings), wanted));
  }
}

/**
 * Reads what the record of a Site needs from a document.
 * @throws {SiteLogRejected} if the log has no four-character id
 */
export function readSopac(root: Element, findings: Findings): SiteLog {
  const sections = new Map<TextSectionName, Fields>();
  const items = new Items();
  readSopacBlocks(
    root,
    findings,
    (name) => RECORD_VALUES[name] ?? null,
    (name, block) => {
      const kind = KIND_OF_SECTION[name];
      if (kind === undefined) sections.set(name, block);
      else items.add(kind, block);
    },
  );
  const section = (name: TextSectionName): Fields => sections.get(name) ?? new Fields(root.line, findings);
  return {
    form: 'SOPAC site log 2004',
    datePrepared: readDatePrepared(section('formInformation')),
    identification: readIdentification(section('siteIdentification'), section('siteLocation')),
    ...items.read,
  };
}
