import type { SiteLogSections } from '../../../schemas/index.js';

/**
 * The tables of sections: for each value of a site log where each form has it. They drive all readers and writers.
 */

/** How the text of a value is read and written, by name; `kinds.ts` has the functions. */
export type KindName =
  | 'text'
  | 'code'
  | 'drawing'
  | 'country'
  | 'stabilization'
  | 'satellites'
  | 'radome'
  | 'metres'
  | 'coordinate'
  | 'eccentricity'
  | 'millimetres'
  | 'degrees'
  | 'latitude'
  | 'longitude'
  | 'megahertz'
  | 'seconds'
  | 'percent'
  | 'hectopascals'
  | 'celsius'
  | 'instant'
  | 'since1980'
  | 'day'
  | 'period';

/** One value: where each form has it. */
export interface Row {
  kind: KindName;
  /** The label in the text form. Left out: the text form has no place for the value. */
  label?: string;
  /** The label in version 2.0, if it is another. */
  label2?: string;
  /** The columns before the label; by default those of the section. */
  indent?: number;
  /** The line without a value before this one, with its indentation. */
  before?: string;
  /** What the blank form has in place of a value, without parentheses. */
  hint?: string;
  /** Other labels that have been used, as `labelKey`s. */
  aliases?: readonly string[];
  /**
   * The path of the element in GeodesyML, from that of the section; by default, the name of the member. `[2]` is the second of
   * its name, `[*]` each of them, with one line of the text, `#2` the second word in the text. Null: GeodesyML has no place for the value.
   */
  element?: string | null;
  /** The path of the element in SOPAC's XML, if it is not the last element of the path in GeodesyML. */
  sopac?: string;
  /** The code space of the GeodesyML element. */
  codeSpace?: string;
  /** The code list of the GeodesyML element, which repeats its value. */
  codeList?: string;
  /** What GeodesyML has in place of a value that is unknown. Left out: no element. */
  unknown?: 'empty' | 'nil' | 'NaN' | 'period';
  /** Whether it identifies a person or a way to reach one. */
  personal?: true;
}

/** The values that several sections have. */
export const EFFECTIVE_DATES: Row = {
  kind: 'period',
  label: 'Effective Dates',
  hint: 'CCYY-MM-DD/CCYY-MM-DD',
  element: 'gml:validTime',
  sopac: 'effectiveDates',
  unknown: 'period',
};

/** A section: its place in each form, and its values in the order of the text form. */
export interface Section {
  /** The number in the text form: `3`, `8.1`. */
  number: string;
  /** The heading in the text form, without the number; for 8.1 and 9.1, that of 8 and 9; null for those after them. */
  heading: string | null;
  /** Whether the section can have several blocks: 3.1, 3.2, .... */
  repeats: boolean;
  /** The columns before the labels after the first. */
  indent: number;
  /** The property in GeodesyML. */
  element: string;
  /** The object inside the property; the first letter in upper case by default. Version 0.4 has none where `flat`. */
  flat?: true;
  /** The beginning of the `gml:id` of the object. */
  id: string;
  /** The elements in SOPAC's XML, if they have another name. */
  sopac?: string;
  rows: Readonly<Record<string, Row>>;
  /** The members in the order of GeodesyML, if it is another than that of the rows. */
  order?: readonly string[];
}

/** The names of the sections in a site log. */
export type SectionName = Exclude<keyof SiteLogSections, 'form' | 'responsibleParties'>;
/** The values of a section, without those that are not written in a log. */
type BlockOf<S extends keyof SiteLogSections> = SiteLogSections[S] extends (infer B)[] ? B : SiteLogSections[S];
/** The names of the values of a section. */
export type MemberOf<S extends keyof SiteLogSections> = Exclude<keyof BlockOf<S>, 'line' | 'role'> & string;

/** The members that every block of a repeated section has. */
type Tracking = 'dateInserted' | 'dateDeleted' | 'deletedReason';

/** A section whose table has a row for each value of the model, and orders only these. */
export interface SectionOf<S extends SectionName> extends Section {
  rows: Readonly<Record<Exclude<MemberOf<S>, Tracking>, Row>>;
  order?: readonly Exclude<MemberOf<S>, Tracking>[];
}

/** The rows of the property around each object of a repeated section, in this order. */
export const TRACKING: Record<Tracking, Row> = {
  dateInserted: { kind: 'instant', unknown: 'empty' },
  dateDeleted: { kind: 'instant' },
  deletedReason: { kind: 'text' },
};

/** The members of a section in the order of GeodesyML. */
export const orderOf = ({ order, rows }: Section): readonly string[] => order ?? Object.keys(rows);

/** The path of the element of a value in GeodesyML; null if there is none. */
export const elementOf = (name: string, { element }: Row): string | null => (element === undefined ? name : element);

/** The path of the element of a value in SOPAC's XML. */
export const sopacElementOf = (name: string, row: Row): string => row.sopac ?? elementOf(name, row) ?? name;

/** The label of a value as it is compared: in lower case, without spaces and punctuation. */
export const labelKey = (label: string): string => label.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The name of the object inside a property. */
export const objectName = ({ element }: Section): string => element[0]!.toUpperCase() + element.slice(1);
