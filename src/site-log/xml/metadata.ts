import { BlockFindings, Fields } from '../fields.js';
import type { Findings } from '../../findings/findings.js';
import type { SectionsBuilder } from '../sections-builder.js';
import { placeOfElement } from './blocks.js';
import { child, type Element } from './elements.js';

/** `metadata` of GeodesyML 0.6: a record of ISO 19139 about the document. */

/** A digital object identifier. */
const DOI = /\b10\.\d{4,9}\/[^\s"<>]+/;
/** The elements with a license as a text. */
const LICENSES = new Set(['otherConstraints', 'useLimitation']);

/** An element, and all inside. */
const withInside = (element: Element): Element[] => [
  element,
  ...element.children.flatMap(withInside),
];

/** The elements with some names inside of an element. */
const inside = (element: Element, names: ReadonlySet<string>): Element[] =>
  withInside(element).filter(({ name }) => names.has(name));

/** The elements in some others that have a text. */
const withText = (elements: Element[]): Element[] =>
  elements.flatMap(withInside).filter(({ text }) => text.trim() !== '');

/** Reads the license and the DOI of the log, and reports that the rest is not read. */
export function readMetadata(root: Element, findings: Findings, builder: SectionsBuilder): void {
  const metadata = child(root, 'metadata');
  if (metadata === undefined) return;
  const fields = new Fields(metadata.line, new BlockFindings(findings));
  const licenses = withText(inside(metadata, LICENSES));
  const [first] = licenses;
  if (first !== undefined) {
    const texts = new Set(licenses.map(({ text }) => text.trim()));
    fields.set('license', { label: 'license', text: [...texts].join('\n'), line: first.line });
  }
  const citations = withText(inside(metadata, new Set(['citation', 'dataSetURI'])));
  const cited = citations.find(({ text }) => DOI.test(text));
  if (cited !== undefined)
    fields.set('doi', { label: 'doi', text: DOI.exec(cited.text)![0], line: cited.line });
  builder.addMetadata(fields);
  // The publisher can be a person, so nothing is quoted.
  findings.add('ignored-element', placeOfElement(metadata), { why: 'metadata' });
  metadata.use = 'reported';
}
