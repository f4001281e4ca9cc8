import { info, nameOfKind, warning } from '../finding.js';

/** What contradicts who a log is about, and when it was prepared. */

export const IDENTITY = {
  'title-differs': warning<
    | { id: string }
    /** `other` is the country of section 2; null if `country` is no country at all. */
    | { country: string; other: string | null }
  >(
    'Title differs',
    'The title names another site than section 1, or another country than section 2.',
    (values) =>
      'id' in values
        ? 'Correct the title, or the id of the site.'
        : 'Correct the title or the country.',
    (values) => {
      if ('id' in values) return `the title names another Site than the id ${values.id}`;
      const { country, other } = values;
      return other === null
        ? `title: ${country} is not a country of ISO 3166; title ignored`
        : `title: ${country} is not the country of section 2, ${other}; title ignored`;
    },
  ),
  'file-name-differs': warning<{ id: string }>(
    'File name differs',
    'The name of the file is that of another site than section 1.',
    'Rename the file, or correct the id of the site.',
    ({ id }) => `the file name has another id than the log, ${id}`,
  ),
  'file-date-differs': info<{ day: string }>(
    'File date differs',
    'The date in the name of the file is not Date Prepared.',
    'Nothing, if the file was only rewritten, and its content is as old as Date Prepared says.',
    ({ day }) => `the file name has another date, ${day}`,
  ),
  /** `day` is that in the name of the file, `YYYY-MM-DD`; null if it has none. */
  'no-date-prepared': warning<{ day: string | null }>(
    'Date Prepared missing',
    'Date Prepared is blank or cannot be read, so that the order of the logs of a site is unclear.',
    'Write Date Prepared, when this log was prepared.',
    ({ day }) =>
      day === null
        ? 'Date Prepared is unknown; any other log of the site that has one wins over this one'
        : `Date Prepared is unknown; the date in the name of the file, ${day}, counts`,
  ),
  'after-date-prepared': warning<{ kind: string; others: number; isRemoval?: boolean }>(
    'Later than the log',
    'A date is later than Date Prepared: the log describes something that had not happened yet.',
    ({ isRemoval }) =>
      `Correct Date Prepared or the date of ${isRemoval === true ? 'removal' : 'installation'}.`,
    ({ kind, others, isRemoval }) => {
      const more = others === 0 ? '' : `, and ${others} more too`;
      const what = isRemoval === true ? 'removed' : 'installed';
      return `${nameOfKind(kind)} was ${what} after the log was prepared${more}`;
    },
  ),
  'date-in-future': warning<{ kind: string }>(
    'Date in the future',
    'A date is after the day of the check.',
    'Correct the date.',
    ({ kind }) => `${nameOfKind(kind)} has a date in the future`,
  ),
  'future-date': warning(
    'Prepared in the future',
    'Date Prepared is after the day of the import.',
    'Correct Date Prepared.',
    'Date Prepared is in the future; any log without such a date wins over this one',
  ),
} as const;
