import { info, warning } from '../finding.js';

/** What the checks of the text form find. */

/** What is not where the form has it. */
type OutOfOrder =
  | { section: number; after: number }
  /** Numbers of items, or lines of an item or section. */
  | { of: 'items' | 'lines' };

const labelsInWords = (count: number): string => (count === 1 ? 'a label' : `${count} labels`);

export const FORM = {
  'missing-section': info(
    'Section missing',
    'The log does not have a section of its form.',
    'Add the section, even if it is blank.',
    'sections of the form are missing',
  ),
  'cut-log': warning(
    'Log cut',
    'The log ends within a line, before its last sections: perhaps the file was cut.',
    'Restore the rest of the log from the original.',
    'the log ends here, perhaps because the file was cut; these sections are missing',
  ),
  'missing-label': info<{ count: number }>(
    'Line missing',
    'A section does not have all lines of its form.',
    'Add the lines, even if they are blank.',
    ({ count }) => `no line for ${labelsInWords(count)}`,
  ),
  'out-of-order': info<OutOfOrder>(
    'Out of order',
    'A section, an item or a line is not where the form has it.',
    (values) => {
      if ('after' in values) return 'Move the section to its place in the form.';
      return values.of === 'items'
        ? 'Number the items from 1 without gaps.'
        : 'Put the lines in the order of the form.';
    },
    (values) => {
      if ('after' in values) return `section ${values.section} comes after section ${values.after}`;
      return values.of === 'items'
        ? 'items are not numbered from 1 without gaps'
        : 'lines in another order than that of the form';
    },
  ),
  'misspelt-label': warning<{
    /** Whether it was read as the label of the form, because no other line has that; an info. */
    isRead: boolean;
  }>(
    'Label misspelt',
    'A label is almost one of the form. It is read as that one, unless another line has it as ' +
      'well.',
    ({ isRead }) =>
      isRead ? 'Write the label as in the form.' : 'Correct the label: its value is not read.',
    ({ isRead }) => `a label is almost this one${isRead ? '; read as it' : ''}`,
  ),
  'other-version-label': warning<{ version: '1' | '2.0' }>(
    'Label of another version',
    'A label belongs to another version of the form.',
    'Use the labels of one version.',
    ({ version }) => `labels of version ${version}`,
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
