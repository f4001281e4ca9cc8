import { BlockFindings, Fields } from '../fields.js';
import type { Row } from '../sections/index.js';
import type { Place as PlaceInLog } from '../../findings/finding.js';
import type { Findings, Report } from '../../findings/findings.js';
import { child, type Element } from './elements.js';
import { isOnlyInSchema } from './schema-names.js';

/** Reads the elements of a section as the fields that the tables of sections assign to them. */

/** Where a value is, from the element of its section. */
interface Place {
  name: string;
  row: Row;
  /** Which of the elements with the first name, counted from 1; null: any. */
  nth: number | null;
  /**
   * The path from that element, with the position among those of its name, counted from 1; null for
   * all of them.
   */
  rest: { name: string; position: number | null }[];
  attribute: string | null;
  /** The position of the word in the text, counted from 0. */
  word: number | null;
}

/** The places of the values of a section, by the name of the first element. */
export type Places = ReadonlyMap<string, Place[]>;

const PATH = /^(?<path>[^@#]+)(?:@(?<attribute>\w+))?(?:#(?<word>\d))?$/;

/**
 * Finds the places of a table.
 * @param pathOf the path of the element of a value; null if it has none
 */
export function placesOf(
  rows: Readonly<Record<string, Row>>,
  pathOf: (name: string, row: Row) => string | null,
): Places {
  const places = new Map<string, Place[]>();
  for (const [name, row] of Object.entries(rows)) {
    const found = PATH.exec(pathOf(name, row) ?? '');
    if (found === null) continue;
    const { path, attribute = null, word } = found.groups!;
    const steps = path!.split('/').map((step) => {
      const [, local, position] = /^(?:\w+:)?([^[]+)(?:\[([\d*])\])?$/.exec(step)!;
      return { name: local!, position };
    });
    const [{ name: first, position: nth }, ...rest] = steps as [(typeof steps)[0], ...typeof steps];
    const place: Place = {
      name,
      row,
      nth: nth === undefined ? null : Number(nth),
      rest: rest.map((step) => ({
        name: step.name,
        position: step.position === '*' ? null : Number(step.position ?? 1),
      })),
      attribute,
      word: word === undefined ? null : Number(word) - 1,
    };
    places.set(first, [...(places.get(first) ?? []), place]);
  }
  return places;
}

/** The elements at the end of a path. */
const follow = (element: Element, path: Place['rest']): Element[] =>
  path.reduce(
    (found, { name, position }) =>
      found.flatMap(({ children }) => {
        const same = children.filter((each) => each.name === name);
        return position === null ? same : same.slice(position - 1, position);
      }),
    [element],
  );

/** The date in an element, which may be an instant of GML. */
const dateIn = (element: Element): Element =>
  child(child(element, 'TimeInstant'), 'timePosition') ?? element;

/**
 * Elements that say nothing about a station: those that every object of GML can have, and headings.
 */
export const STRUCTURE: ReadonlySet<string> = new Set([
  'boundedBy',
  'metaDataProperty',
  'identifier',
  'MD_SecurityConstraints',
  'hardCopyOnFile',
]);

/** The names of all elements in the paths of places. */
export const namesIn = (places: Places): string[] =>
  [...places].flatMap(([first, each]) => [
    first,
    ...each.flatMap(({ rest }) => rest.map(({ name }) => name)),
  ]);

/** Sets the field of one place. */
function setField(
  fields: Fields,
  { name, row, rest, attribute, word }: Place,
  element: Element,
): void {
  if (element.name === 'validTime') {
    const period = child(element, 'TimePeriod');
    const begin = child(period, 'beginPosition') ?? dateIn(element);
    const end = child(period, 'endPosition');
    begin.use = 'read';
    if (end !== undefined) end.use = 'read';
    // As a period is written in the text form.
    const text = `${begin.text.trim()}/${end?.text.trim() ?? ''}`;
    if (text !== '/') fields.set(name, { label: element.name, text, line: begin.line });
    return;
  }
  const ends = follow(element, rest).map(dateIn);
  const [end] = ends;
  if (end === undefined) return;
  for (const each of ends) each.use = 'read';
  const lines =
    ends.length === 1
      ? [end.text]
      : ends.map((each) => each.text.trim()).filter((line) => line !== '');
  let text = attribute === null ? lines.join('\n') : (end.attributes[attribute] ?? '');
  if (word !== null) text = text.trim().split(/\s+/)[word] ?? '';
  const known = word === null ? fields.get(name) : undefined;
  if (known === undefined)
    fields.set(name, { label: rest.length === 0 ? end.name : name, text, line: end.line });
  else if (row.kind === 'satellites') known.text += `+${text}`;
  else
    fields.findings.add(
      'duplicate-value',
      { line: end.line, label: end.name },
      { quoted: [], text: row.personal === true ? '' : text },
    );
}

/** The place of an element in the file. */
export const placeOfElement = ({ name: label, line, lastLine }: Element): PlaceInLog => ({
  line,
  lastLine,
  label,
});

/**
 * Whether an element has text, directly or inside. Elements are nested at most as deep as the
 * parser accepts.
 */
const hasText = ({ text, children }: Element): boolean => /\S/.test(text) || children.some(hasText);

/** The values of an object. Repeated satellite systems are joined by `+`. */
export const readBlock = (object: Element, places: Places, findings: BlockFindings): Fields =>
  readElements(object, places, findings, findings.add);

/** The values of the form information. What else it has may be who prepared the log. */
export function readForm(object: Element, places: Places, findings: Findings): Fields {
  const ofForm = new BlockFindings(findings);
  return readElements(object, places, ofForm, ofForm.addAboutContacts);
}

/** @param reportOther takes findings about elements that are not in the form */
function readElements(
  object: Element,
  places: Places,
  findings: BlockFindings,
  reportOther: Report,
): Fields {
  const fields = new Fields(object.line, findings);
  const counts = new Map<string, number>();
  for (const element of object.children) {
    const count = (counts.get(element.name) ?? 0) + 1;
    counts.set(element.name, count);
    const here = (places.get(element.name) ?? []).filter(
      ({ nth }) => nth === null || nth === count,
    );
    for (const place of here) setField(fields, place, element);
    // One with text is reported as unread, at the end.
    const isUnknown = here.length === 0 && !STRUCTURE.has(element.name);
    if (isUnknown && !hasText(element)) {
      const why = isOnlyInSchema(element) ? 'only in schema' : 'unknown';
      const values = { why, text: element.text } as const;
      reportOther('ignored-element', placeOfElement(element), values);
      element.use = 'reported';
    }
  }
  return fields;
}

/** A text, and each of its lines. */
const partsOf = (text: string): string[] => [text, ...text.split('\n')].map((each) => each.trim());

/**
 * Elements of a party that say nothing about a contact: its part, and the web page of the
 * organisation.
 */
const NO_CONTACT: ReadonlySet<string> = new Set(['role', 'onlineResource']);

/**
 * Adds the texts of a party that are no value of the form: they are about a contact too.
 * @param known what the block says already; by default, its values
 */
export function addOthers(fields: Fields, party: Element, known?: Set<string>): void {
  const said = known ?? new Set([...fields.values()].flatMap(({ text }) => partsOf(text)));
  for (const element of party.children) {
    element.use = NO_CONTACT.has(element.name) ? 'reported' : 'read';
    if (NO_CONTACT.has(element.name) || STRUCTURE.has(element.name)) continue;
    const text = element.text.trim();
    if (text !== '' && !said.has(text)) {
      fields.addOther(text, element.line);
      for (const part of partsOf(text)) said.add(part);
    }
    addOthers(fields, element, said);
  }
}
