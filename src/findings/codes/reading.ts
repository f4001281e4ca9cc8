import { enumerated } from '../../words.js';
import { info, warning } from '../finding.js';

/** What readers find: lines, elements and items of a log. */

/** Why an element, or a part of it, is not read. */
type WhyIgnored =
  | 'unknown'
  | 'only in schema'
  | 'metadata'
  | 'misplaced'
  | 'misspelt'
  | 'values inside'
  | 'text outside'
  | 'earlier form'
  | 'second log'
  | 'second section'
  | 'withdrawn'
  | 'missing target'
  | 'shared target';

/** The middle of the message about an ignored element; its name comes before. */
const WHY_IGNORED: Readonly<
  Record<Exclude<WhyIgnored, 'second log' | 'second section' | 'only in schema'>, string>
> = {
  unknown: 'is not in the site log form; element ignored',
  metadata:
    'is in the schema, but the site log form has no place for it; only a license and a DOI are ' +
    'read',
  misplaced: 'is where the form has no place for it; element ignored',
  misspelt: 'is not spelt as in the schema; element ignored',
  'values inside': 'is not in the site log form, but values in it are; element ignored',
  'text outside': 'has text outside of its elements; text ignored',
  'earlier form': 'is of an earlier version of the log; element ignored',
  withdrawn: 'has a dateDeleted; ignored as withdrawn',
  'missing target': 'refers to an element that is not in the file; ignored',
  'shared target': 'refers to an element that is already in use by another property; ignored',
};

const IGNORED_ELEMENT_ADVICE: Readonly<Partial<Record<WhyIgnored, string>>> = {
  'only in schema': 'Nothing: the file is right.',
  metadata: 'Nothing: the file is right.',
  'earlier form': 'Nothing: the values of the latest version are read.',
  'second log': 'Put each site log into a file of its own.',
  'second section': 'Merge the two sections.',
  withdrawn: 'Nothing, if the block was withdrawn on purpose.',
  'missing target': 'Add the element, or remove the reference.',
  'shared target': 'Give each property an element of its own.',
};

/** Why a line, or several in a row, are not read. */
type WhyLost = 'single' | 'several' | 'repeated item' | 'second section';

const inSection = (section: string | null | undefined): string =>
  section == null ? 'before the first section' : `section ${section}`;

/** What deviates at the beginning of an item. */
type ItemDeviation = 'number' | 'no number';

export const READING = {
  'blank-block': info(
    'Blank item',
    'An item has a number but no values. It counts as the blank item of the form.',
    'Remove the block, or number it with x.',
    'block without any values; ignored as a blank template',
  ),
  'decoded-references': info(
    'Character references',
    'The text has XML character references such as &amp;, which were decoded.',
    'Write the characters themselves in place of the references.',
    'XML character references decoded',
  ),
  'deletion-is-removal': warning(
    'Deleted without a reason',
    'A block has a date of deletion, but no reason; it counts as removed equipment.',
    'Remove dateDeleted, or give a deletedReason if it was withdrawn.',
    (_, { label }) =>
      `${label}: dateDeleted is the date of removal, without a reason; not treated as withdrawn`,
  ),
  'deviating-heading': warning<{ isMissing: boolean; sections: string[] }>(
    'Heading deviates',
    'The heading of a section is not written as in the form, but could be read.',
    ({ sections }) =>
      sections.length === 1
        ? 'Write the heading as in the form.'
        : 'Write the headings as in the form.',
    ({ isMissing, sections }) => {
      if (isMissing)
        return (
          `section ${sections.join()}: contacts without a heading; read as the beginning of the ` +
          'section'
        );
      return sections.length === 1
        ? `section ${sections.join()}: the heading is not that of the form; read as the ` +
            'beginning of the section'
        : `sections ${enumerated(sections)}: the headings are not those of the form; read as ` +
            'the beginnings of these sections';
    },
  ),
  'deviating-item': info<{ deviation: ItemDeviation }>(
    'Item number deviates',
    'The number of an item is missing, or not written as in the form.',
    ({ deviation }) =>
      deviation === 'no number'
        ? 'Give the item a number.'
        : 'Write the number as in 3.1, with a blank between it and the label.',
    ({ deviation }, { section }) =>
      deviation === 'no number'
        ? `section ${section}: no item number; treated as a new item`
        : `section ${section}: the item number is not written as in the form; read as an item`,
  ),
  'duplicate-value': warning<{
    /** The label as a text log has it; nothing for XML and contacts: it is in the place. */
    quoted: readonly [] | readonly [label: string];
  }>(
    'Value twice',
    'An item has the same line twice, and only the first is read.',
    'Remove one of the two lines.',
    ({ quoted: [written] }, { section, label }) =>
      written === undefined
        ? `duplicate ${label}; first value used`
        : `section ${section}: duplicate "${written}"; first value used`,
  ),
  'filled-template': warning<{
    /** Whether it counts as an item, which is the usual level; a leftover is an info. */
    isItem: boolean;
  }>(
    'Template filled in',
    'The blank item of the form (3.x) has values. It counts as an item if its first line names it.',
    'Give the item a number, if it is one; otherwise, remove its values.',
    ({ isItem }, { section }) =>
      isItem
        ? `section ${section}: the blank template has values; counted as an item`
        : `section ${section}: the blank template has values, but none that names an item; ` +
          'not counted as one',
  ),
  'foreign-gml-id': warning<{ quoted: readonly [four: string] }>(
    'gml:id of another site',
    'A gml:id does not begin with the four-character id of the site.',
    'Begin the gml:id with the four-character id.',
    ({ quoted: [four] }) => `gml:id: does not begin with the four-character id ${four}; ignored`,
  ),
  'ignored-element': info<{ why: WhyIgnored }>(
    'Element or text ignored',
    'An XML element has no place in the form, or there is text between elements. Neither is read.',
    ({ why }) => IGNORED_ELEMENT_ADVICE[why] ?? 'Use an element of the schema, or remove it.',
    ({ why }, { section, label }) => {
      if (why === 'second section') return `duplicate section ${section}; first section used`;
      if (why === 'second log')
        return 'additional siteLog element ignored; expected one site log per file';
      if (why === 'only in schema')
        return 'the schema has this element, but the site log form has no place for it';
      return `${label} ${WHY_IGNORED[why]}`;
    },
  ),
  'ignored-line': warning<{ why: WhyLost; count: number }>(
    'Line ignored',
    'A line is neither a label of the form nor the continuation of a value, and is not read.',
    ({ why }) =>
      why === 'second section'
        ? 'Merge the two sections.'
        : 'Use a label of the form, or indent a continuation to column 32.',
    ({ why, count }, { section }) => {
      const place = inSection(section);
      if (why === 'single') return `${place}: not a line of the form; line ignored`;
      if (why === 'several')
        return `${place}: ${count} lines that are not of the form; lines ignored`;
      if (why === 'second section') return `duplicate ${place}; first section used`;
      return (
        `${place}: labels of the item are repeated, as by another item whose first line is ` +
        'unreadable; lines ignored'
      );
    },
  ),
  'indented-label': warning<{ quoted: readonly [label: string]; isMissing: boolean }>(
    'Label inside a value',
    'A label is indented as a continuation, so it is read as part of the value above.',
    'Write the label as in the form. If it belongs to the text, rephrase the text.',
    ({ quoted: [label], isMissing }, { section }) =>
      isMissing
        ? `section ${section}: a continuation where the label "${label}" is missing; read as ` +
          'part of the value above'
        : `section ${section}: "${label}" is indented like a continuation; read as part of ` +
          'the value above',
  ),
  'invisible-character': warning<{ characters: readonly string[] | null }>(
    'Invisible characters',
    'A value has characters that cannot be seen, so that it differs from what it looks like.',
    'Type the value again, with ordinary blanks.',
    ({ characters }, { label }) =>
      characters === null
        ? 'null characters instead of text; read as U+FFFD'
        : `${label}: contains invisible characters (${characters.join(', ')})`,
  ),
  'long-value': warning<{ length: number; most: number }>(
    'Value too long',
    'A value is longer than can be read, and its end is lost.',
    'Shorten the value.',
    ({ length, most }, { label }) => `${label}: ${length} characters; only the first ${most} used`,
  ),
  'many-findings': warning<{ most: number }>(
    'More findings',
    'There are more findings than are reported.',
    'Correct the others first.',
    ({ most }) => `more than ${most} findings; the rest are not reported`,
  ),
  'not-utf-8': warning<{ lines: number | null; encoding: string | null }>(
    'Not UTF-8',
    'The file is not UTF-8; its encoding was guessed. Or its name is not UTF-8.',
    ({ lines }) =>
      lines === null ? 'Rename the file.' : 'Write the file in UTF-8, or in ASCII as the IGS asks.',
    ({ lines, encoding }) => {
      if (lines === null) return 'the path is not UTF-8; shown with replacement characters';
      if (lines === 1) return `the line is not UTF-8; it was read as ${encoding}`;
      return `${lines} lines are not UTF-8, the first here; they were read as ${encoding}`;
    },
  ),
} as const;
