import type { SiteLogSections } from '../../../schemas/index.js';
import type { KindName } from '../values/kinds.js';

/**
 * The tables of sections: for each value of a site log where each form has it. They drive all
 * readers and writers.
 */

/** One value: where each form has it. */
export interface Row {
  /** How its text is read and written; `text` by default. */
  kind?: KindName;
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
   * The path of the element in GeodesyML, from that of the section; by default, the name of the
   * member. `[2]` is the second of its name, `[*]` each of them, with one line of the text, `#2`
   * the second word in the text. Null: GeodesyML has no place for the value.
   */
  element?: string | null;
  /**
   * The path of the element in SOPAC's XML, if it is not the last element of the path in GeodesyML.
   */
  sopac?: string;
  /** The code space of the GeodesyML element. */
  codeSpace?: string;
  /** The code list of the GeodesyML element, which repeats its value. */
  codeList?: string;
  /** What GeodesyML has in place of a value that is unknown. Left out: no element. */
  unknown?: 'empty' | 'nil' | 'NaN' | 'period';
  /** Whether it identifies a person or a way to reach one. */
  personal?: true;
  /**
   * It is published whole, but for email addresses and telephone numbers in it. `name`: of an
   * organisation or a place; each number of six digits or more in it is a telephone number. `text`:
   * it may have other numbers, such as postal codes.
   */
  public?: 'name' | 'text';
  /** Whether it is a type, an id or a serial number, which is compared character by character. */
  identifies?: true;
}

/** The code space of a type in GeodesyML. */
export const codeSpaceOf = (type: string): string => `urn:ga-gov-au:${type}-type`;

/** The values that several sections have. */
export const EFFECTIVE_DATES: Row = {
  kind: 'period',
  label: 'Effective Dates',
  hint: 'CCYY-MM-DD/CCYY-MM-DD',
  element: 'gml:validTime',
  sopac: 'effectiveDates',
  unknown: 'period',
};
export const ADDITIONAL_INFORMATION: Row = {
  label: 'Additional Information',
  hint: 'multiple lines',
};
export const NOTES: Row = {
  label: 'Notes',
  hint: 'multiple lines',
  aliases: ['additionalinformation'],
};

/** A section: its place in each form, and its values in the order of the text form. */
export interface Section {
  /** The number in the text form: `3`, `8.1`. */
  number: string;
  /**
   * The heading in the text form, without the number; 8.1 and 9.1 have that of 8 and 9. Left out
   * for 8.2, 9.2 and so on.
   */
  heading?: string;
  /** Whether a log has only one. Other sections can have several blocks: 3.1, 3.2 and so on. */
  once?: true;
  /** The indentation of all labels but the first, in columns; 5 by default. */
  indent?: number;
  /** The property in GeodesyML. The object inside it has the same name in upper case. */
  element: string;
  /**
   * The beginning of the `gml:id` of the object; by default, the name of the property with hyphens.
   */
  id?: string;
  /** The elements in SOPAC's XML, if they have another name. */
  sopac?: string;
  rows: Readonly<Record<string, Row>>;
  /** The members that GeodesyML has before all others. */
  first?: readonly string[];
}

/** The names of the sections in a site log. */
export type SectionName = Exclude<
  keyof SiteLogSections,
  'form' | 'responsibleParties' | 'metadata'
>;
/** The values of a section, without those that are not written in a log. */
type BlockOf<S extends keyof SiteLogSections> = SiteLogSections[S] extends (infer B)[]
  ? B
  : SiteLogSections[S];
/** The names of the values of a section. */
export type MemberOf<S extends keyof SiteLogSections> = Exclude<keyof BlockOf<S>, 'line' | 'role'> &
  string;

/** The members of every block in a section that can have several. */
type Tracking = 'dateInserted' | 'dateDeleted' | 'deletedReason';

/** Sections whose tables have a row for each value of the model. */
export type SectionsOf<Name extends SectionName> = {
  readonly [S in Name]: Section & {
    rows: Readonly<Record<Exclude<MemberOf<S>, Tracking>, Row>>;
    first?: readonly Exclude<MemberOf<S>, Tracking>[];
  };
};

/**
 * The rows of the property around each object in a section that can have several, in this order.
 */
export const TRACKING: Record<Tracking, Row> = {
  dateInserted: { kind: 'instant', unknown: 'empty' },
  dateDeleted: { kind: 'instant' },
  deletedReason: {},
};

/** The path of the element of a value in GeodesyML; null if there is none. */
export const elementOf = (name: string, { element }: Row): string | null =>
  element === undefined ? name : element;

/** The path of the element of a value in SOPAC's XML. */
export const sopacElementOf = (name: string, row: Row): string =>
  row.sopac ?? elementOf(name, row) ?? name;

/** The label of a value as it is compared: in lower case, without spaces and punctuation. */
export const labelKey = (label: string): string => label.toLowerCase().replace(/[^a-z0-9]/g, '');
