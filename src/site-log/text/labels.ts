import { AGENCIES } from '../sections/parties.js';
import { labelKey, type Row, type Section, SECTIONS } from '../sections/index.js';

/** A place in the text form: one of the sections, or the agency of section 11 or 12. */
export type TextSectionName = keyof typeof SECTIONS | keyof typeof AGENCIES;

/** The labels of a section. */
export interface Labels {
  name: TextSectionName;
  section: Section;
  /** Whether a log can have several blocks of this section. */
  repeats: boolean;
  /** The label that starts a block. */
  first: string;
  /** The names of values by label; of an agency, a label has one name for each contact. */
  names: Map<string, string[]>;
  /** The places of labels in the order of the form. */
  places: Map<string, number>;
  /** The name of the value after each, in this order. */
  next: Map<string, string>;
}

/** The text of the line behind which the drawing of section 13 begins. */
export const DRAWING = 'antennagraphicswithdimensions';

function labelsOf(name: TextSectionName, section: Section): Labels {
  const names = new Map<string, string[]>();
  for (const [member, { label, label2, aliases = [] }] of Object.entries<Row>(section.rows)) {
    for (const key of [
      ...[label, label2].flatMap((each) => (each === undefined ? [] : [labelKey(each)])),
      ...aliases,
    ]) {
      names.set(key, [...(names.get(key) ?? []), member]);
    }
  }
  const inOrder = [...new Set([...names.values()].map(([member]) => member!))];
  return {
    name,
    section,
    repeats: section.once !== true,
    first: names.keys().next().value!,
    names,
    places: new Map([...names.keys()].map((key, place) => [key, place])),
    next: new Map(inOrder.slice(1).map((member, index) => [inOrder[index]!, member])),
  };
}

/** The labels of each section, by its number. */
export const LABELS: ReadonlyMap<string, Labels> = new Map(
  Object.entries<Section>({ ...SECTIONS, ...AGENCIES }).map(([name, section]) => [
    section.number,
    labelsOf(name as TextSectionName, section),
  ]),
);

/** The labels as the form prints them, as they are compared. */
const PRINTED: ReadonlyMap<string, string> = new Map(
  Object.values<Section>({ ...SECTIONS, ...AGENCIES }).flatMap(({ rows }) =>
    Object.values<Row>(rows).flatMap(({ label, label2 }) =>
      [label, label2].flatMap((each): [string, string][] =>
        each === undefined ? [] : [[each, labelKey(each)]],
      ),
    ),
  ),
);

/** A label of a log as it is compared. */
export const keyOfLabel = (label: string): string => PRINTED.get(label) ?? labelKey(label);

/** The labels of some sections, as they are compared. */
const keysOf = (sections: Readonly<Record<string, Section>>): string[] =>
  Object.values(sections).flatMap(({ number }) => [...LABELS.get(number)!.names.keys()]);

/** The labels of values that are not about persons, in the sections that are not about contacts. */
const PUBLIC_LABELS: ReadonlySet<string> = new Set(
  Object.values<Section>(SECTIONS).flatMap(({ number, rows }) =>
    [...LABELS.get(number)!.names].flatMap(([key, [member]]) =>
      rows[member!]!.personal === true ? [] : [key],
    ),
  ),
);

/** The labels that no section has but those about contacts, and those of who prepared the log. */
export const CONTACT_LABELS: ReadonlySet<string> = new Set(
  keysOf({ ...AGENCIES, form: SECTIONS.formInformation }).filter((key) => !PUBLIC_LABELS.has(key)),
);
