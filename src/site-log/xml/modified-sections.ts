import type { Field, Fields } from '../fields.js';
import { placeOfElement } from './blocks.js';
import type { Element } from './elements.js';

/**
 * `modifiedSection` of GeodesyML 0.6: each is a text, a reference to an item of the log, or both.
 */

const isModifiedSection = ({ name }: Element): boolean => name === 'modifiedSection';

/** The form information without them, which no table has. */
export const withoutModifiedSections = (form: Element): Element => ({
  ...form,
  children: form.children.filter((each) => !isModifiedSection(each)),
});

/** The number of an item in the form, such as `3.2`; null if the reference leads to none. */
function numberOf({ attributes }: Element, byId: ReadonlyMap<string, Element>): string | null {
  const { href } = attributes;
  const place = href?.startsWith('#') ? byId.get(href.slice(1))?.place : undefined;
  if (place?.section == null) return null;
  return place.item == null ? place.section : `${place.section}.${place.item}`;
}

/** What one of them says: `3.2 Firmware updated`. */
function wordsOf(modified: Element, byId: ReadonlyMap<string, Element>, fields: Fields): string {
  const number = numberOf(modified, byId);
  const { href } = modified.attributes;
  if (number === null && href !== undefined) {
    const values = { why: 'missing target', text: href } as const;
    fields.findings.add('ignored-element', placeOfElement(modified), values);
  }
  modified.use = 'read';
  return [number ?? '', modified.text.trim()].join(' ').trim();
}

/**
 * Adds what the text form has as Modified/Added Sections.
 * @param form the form information
 * @param byId the elements of the document by their ids; those of items know their places
 */
export function addModifiedSections(
  form: Element,
  byId: ReadonlyMap<string, Element>,
  fields: Fields,
): void {
  const modified = form.children.filter(isModifiedSection);
  const [first] = modified;
  if (first === undefined) return;
  const words = modified.map((each) => wordsOf(each, byId, fields));
  const field: Field = {
    label: first.name,
    text: words.filter((each) => each !== '').join(', '),
    line: first.line,
  };
  fields.set('modifiedSections', field);
}
