import { LABELS } from './labels.js';
import { ALL_SECTIONS } from '../sections/index.js';

/**
 * The lines of the blank text form, as the tables of sections have them. Nothing else counts as the
 * form.
 */

/** Where the instructions of each version are. */
export const INSTRUCTIONS: Readonly<Record<'1' | '2.0', string>> = {
  '1': 'https://files.igs.org/pub/station/general/sitelog_instr.txt',
  '2.0': 'https://files.igs.org/pub/station/general/sitelog_instr_v2.0.txt',
};
/**
 * What a file says whose contacts are withheld. With an indent of five, a line of the text form has
 * room for it.
 */
export const NOTICE = 'Withheld from publication: persons, telephone numbers, email addresses';

/** The lines above the first section, beside the title, as `textKey`s. */
const PREAMBLE: ReadonlySet<string> = new Set(
  ['International GNSS Service', 'International GPS Service', 'See Instructions at:', NOTICE].map(
    textKey,
  ),
);
/** Where the instructions are, or were: the address has moved often. */
const INSTRUCTIONS_ADDRESS =
  /^(?:ftp|https?):\/\/[\w.-]{1,100}\/[\w./-]{0,100}sitelog_instr(?:_v2(?:\.0)?)?\.txt$/i;
/** The title: `ABCD Site Information Form (site log)`. */
const TITLE =
  /^(?:[a-z0-9_]{4,9} {1,20})?site information form(?: {1,20}\(site log(?: {1,9}v?[\d.]{1,9})?\))?$/i;

/**
 * A text as it is compared: letters and digits only, in lower case. No letter or digit can hide in
 * it.
 */
function textKey(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The headings of earlier versions of the form, by the numbers of their sections. */
const EARLIER_HEADINGS: Readonly<Record<string, readonly string[]>> = {
  '1': ['Site Identification of the GPS Monument'],
  '3': ['GPS Receiver Information'],
  '4': ['GPS Antenna Information'],
  // Before 2004, the form had the agencies in other sections.
  '5': ['Local Site Ties'],
  '12': [
    'Responsible Agency',
    ...[8, 9, 10].map((section) => `Responsible Agency (if different from ${section}.)`),
  ],
};

/** The numbers of sections by their headings, as `textKey`s. The parts of 8 and 9 share theirs. */
const HEADINGS: ReadonlyMap<string, string> = new Map([
  ...ALL_SECTIONS.flatMap(({ number, heading }): [string, string][] =>
    heading === undefined ? [] : [[textKey(heading), number.split('.')[0]!]],
  ),
  ...Object.entries(EARLIER_HEADINGS).flatMap(([number, headings]) =>
    headings.map((heading): [string, string] => [textKey(heading), number]),
  ),
]);

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];

/** The words of all headings of a section, by its number. */
const HEADING_WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...Map.groupBy(ALL_SECTIONS, ({ number }) => number.split('.')[0]!)].map(
    ([number, sections]) => [
      number,
      new Set(sections.flatMap(({ heading }) => wordsOf(heading ?? ''))),
    ],
  ),
);

/** Whether the form has a section of a number, which can be that of several parts. */
export const isOfForm = (section: string): boolean => HEADING_WORDS.has(section);

/**
 * The number of the section that a heading, without its number, belongs to; undefined if it is
 * none.
 */
export const sectionOfHeading = (heading: string): string | undefined =>
  HEADINGS.get(textKey(heading));

/** Whether at least half of the words of a text are in a heading of the section. */
export function resemblesHeading(text: string, section: string): boolean {
  const words = wordsOf(text);
  const known = HEADING_WORDS.get(section);
  if (known === undefined || words.length === 0) return false;
  return words.filter((word) => known.has(word)).length * 2 >= words.length;
}

/** The id at the beginning of a title. */
const TITLE_ID = /^([a-z0-9_]{4}(?:\d\d[a-z]{3})?) /i;

/**
 * The id of four or nine characters in the title of a site log; null if the line, without the
 * blanks around it, has none.
 */
export const titleId = (content: string): string | null =>
  (isTitle(content) ? TITLE_ID.exec(content)?.[1] : null) ?? null;

/** Whether a line, without the blanks around it, is the title of a site log. */
export const isTitle = (content: string): boolean => TITLE.test(content);

/** Whether a line, without the blanks around it, is one of those above the first section. */
export const isPreamble = (content: string): boolean =>
  isTitle(content) || PREAMBLE.has(textKey(content)) || INSTRUCTIONS_ADDRESS.test(content);

/** The lines without a value of each section, as `textKey`s: `Hardcopy on File`. */
const SUBTITLES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...LABELS].map(([number, { section }]) => [
    number,
    new Set(Object.values(section.rows).flatMap(({ before }) => textKey(before ?? '') || [])),
  ]),
);
/** Subtitles of earlier versions of the form. */
const EARLIER_SUBTITLES: ReadonlySet<string> = new Set(
  [
    'Differential Components from GPS Marker to the tied monument (ITRS)',
    'Differential Components from GNSS Marker to the tied monument (ITRF)',
    'Differential Components from GPS Marker to the tied monument (ITRF)',
    'Approximate Position',
  ].map(textKey),
);

/** Whether a text is a line without a value in a section of the form. */
export function isSubtitle(content: string, section: string): boolean {
  const key = textKey(content);
  if (SUBTITLES.get(section)?.has(key) === true) return true;
  return (section === '5' || section === '2') && EARLIER_SUBTITLES.has(key);
}
