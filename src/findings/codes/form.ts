import { info, warning } from '../finding.js';

/** What the checks of the text form find. */

/** What is not where the form has it. */
type OutOfOrder =
  | { section: number; after: number }
  /** Items, with their whole numbers. */
  | { item: string; expected: string }
  /** Lines of an item or section. */
  | { part: string };

const labelsInWords = (count: number): string => (count === 1 ? 'a label' : `${count} labels`);

export const FORM = {
  'missing-section': info(
    'Section missing',
    'The log does not have a section of its form.',
    'Add the section, even if it is blank.',
    'sections of the form are missing',
  ),
  'missing-label': info<{ part: string; count: number }>(
    'Line missing',
    'A section does not have all lines of its form.',
    'Add the lines, even if they are blank.',
    ({ part, count }) => `section ${part}: no line for ${labelsInWords(count)}`,
  ),
  'out-of-order': info<OutOfOrder>(
    'Out of order',
    'A section, an item or a line is not where the form has it.',
    (values) => {
      if ('after' in values) return 'Move the section to its place in the form.';
      if ('expected' in values) return 'Number the items from 1 without gaps.';
      return 'Put the lines in the order of the form.';
    },
    (values) => {
      if ('after' in values) return `section ${values.section} comes after section ${values.after}`;
      if ('expected' in values)
        return `item ${values.item} is where ${values.expected} is expected`;
      return `section ${values.part}: lines in another order than that of the form`;
    },
  ),
  'misspelt-label': warning<{
    part: string;
    /** Whether it was read as the label of the form, because no other line has that; an info. */
    isRead: boolean;
  }>(
    'Label misspelt',
    'A label is almost one of the form. It is read as that one, unless another line has it as well.',
    ({ isRead }) =>
      isRead ? 'Write the label as in the form.' : 'Correct the label: its value is not read.',
    ({ part, isRead }) =>
      isRead
        ? `section ${part}: a label is almost this one; read as it`
        : `section ${part}: a label is almost this one`,
  ),
  'other-version-label': warning<{ part: string; version: '1' | '2.0' }>(
    'Label of another version',
    'A label belongs to another version of the form.',
    'Use the labels of one version.',
    ({ part, version }) => `section ${part}: labels of version ${version}`,
  ),
  'over-80-columns': info<{ count: number; longest: number | null }>(
    'Line over 80 columns',
    'A line has more than the 80 columns of the form.',
    ({ longest }) =>
      longest === null ? 'Shorten the value.' : 'Continue the value on the next line.',
    ({ count, longest }, { section, label }) => {
      if (longest === null)
        return `section ${section}: ${label}: a word does not fit in 80 columns; line is longer`;
      const lines = count === 1 ? 'a line has' : `${count} lines have up to`;
      return `${lines} ${longest} columns; the form allows 80`;
    },
  ),
} as const;
