import { type Field, type FieldName, Fields } from './fields.js';
import type { Row } from './sections/index.js';
import type { FindingSink } from './site-log.js';
import { child, type Element } from './xml.js';

/** Reads the elements of a section as the fields that the tables of sections assign to them. */

/** Where a value is, from the element of its section. */
interface Place {
  name: FieldName;
  row: Row;
  /** Which of the elements with the first name, counted from 1; null: any. */
  nth: number | null;
  /** The path from that element, with the position among those of its name, counted from 1; null for all of them. */
  rest: { name: string; position: number | null }[];
  attribute: string | null;
  /** The position of the word in the text, counted from 0. */
  word: number | null;
}

/** The places of the values of a section, by the name of the first element. */
export type Places = ReadonlyMap<string, Place[]>;

const PATH = /^(?<path>[^@#]+)(?:@(?<attribute>\w+))?(?:#(?<word>\d))?$/;

/** Finds the places of a table. @param pathOf the path of the element of a value; null if it has none */
export function placesOf(rows: Readonly<Record<string, Row>>, pathOf: (name: string, row: Row) => string | null): Places {
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
      name: name as FieldName,
      row,
      nth: nth === undefined ? null : Number(nth),
      rest: rest.map((step) => ({ name: step.name, position: step.position === '*' ? null : Number(step.position ?? 1) })),
      attribute,
      word: word === undefined ? null : Number(word) - 1,
    };
    places.set(first, [...(places.get(first) ?? []), place]);
  }
  return places;
}

/** The elements at the end of a path. */
function follow(element: Element, path: Place['rest']): Element[] {
  let found = [element];
  for (const { name, position } of path) {
    const next: Element[] = [];
    for (const { children } of found) {
      let count = 0;
      for (const child of children) if (child.name === name && (++count === position || position === null)) next.push(child);
    }
    found = next;
  }
  return found;
}

/** The date in an element, which may be an instant of GML. */
const dateIn = (element: Element): Element => child(child(element, 'TimeInstant'), 'timePosition') ?? element;

const fieldOf = (element: Element, text = element.text): Field => ({ label: element.name, text, line: element.line });

/** Elements that say nothing about a station: those that every object of GML can have, and headings. */
export const STRUCTURE: ReadonlySet<string> = new Set([
  'boundedBy',
  'metaDataProperty',
  'identifier',
  'MD_SecurityConstraints',
  'hardCopyOnFile',
]);

/** Sets the field of one place. */
function setField(fields: Fields, { name, row, rest, attribute, word }: Place, element: Element): void {
  if (element.name === 'validTime') {
    // As for receivers and antennas, which have an element for each of the two dates.
    const period = child(element, 'TimePeriod');
    const begin = child(period, 'beginPosition') ?? dateIn(element);
    const end = child(period, 'endPosition');
    fields.set('dateInstalled', fieldOf(begin));
    if (end !== undefined) fields.set('dateRemoved', fieldOf(end));
    return;
  }
  const ends = follow(element, rest).map(dateIn);
  const [end] = ends;
  if (end === undefined) return;
  const lines = ends.length === 1 ? [end.text] : ends.map((each) => each.text.trim()).filter((line) => line !== '');
  const text = attribute === null ? lines.join('\n') : (end.attributes[attribute] ?? '');
  if (word !== null) fields.set(name, { label: name, text: text.trim().split(/\s+/)[word] ?? '', line: end.line });
  else if (!fields.has(name)) fields.set(name, rest.length === 0 ? fieldOf(end, text) : { label: name, text, line: end.line });
  else if (row.kind === 'satellites') fields.append(name, `+${text}`);
  else fields.findings.add(end.line, 'warning', `duplicate ${end.name}; first value used`, row.personal === true ? '' : text);
}

/** The values of an object. Repeated satellite systems are joined by `+`. */
export function readBlock(object: Element, places: Places, findings: FindingSink): Fields {
  const fields = new Fields(object.line, findings);
  const counts = new Map<string, number>();
  for (const element of object.children) {
    const here = places.get(element.name) ?? [];
    const isCounted = here.some(({ nth }) => nth !== null);
    if (isCounted) counts.set(element.name, (counts.get(element.name) ?? 0) + 1);
    let used = STRUCTURE.has(element.name);
    for (const place of here) {
      if (place.nth !== null && place.nth !== counts.get(element.name)) continue;
      used = true;
      setField(fields, place, element);
    }
    if (!used) findings.add(element.line, 'info', `${element.name} is not in the site log form; element ignored`, element.text);
  }
  return fields;
}

/** Elements of a party that say nothing about a contact: its part, and the web page of the organisation. */
const NO_CONTACT: ReadonlySet<string> = new Set(['role', 'onlineResource']);

/** Adds the texts of a party that are no value of the form: they are about a contact too. */
export function addOthers(fields: Fields, party: Element): void {
  for (const element of party.children) {
    if (NO_CONTACT.has(element.name) || STRUCTURE.has(element.name)) continue;
    const text = element.text.trim();
    if (text !== '' && !fields.hasText(text)) fields.addOther(text, element.line);
    addOthers(fields, element);
  }
}
