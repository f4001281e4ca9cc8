import { error, info, warning } from '../finding.js';
import { type FarPlaces, twoPlaces } from './places.js';

/** What an import, a check against the other Sites, and a conversion find. */

/** Why a log that is kept changes nothing. */
type WhyOlder = 'date' | 'future date' | 'replaced before';

const WHY_OLDER: Readonly<Record<WhyOlder, string>> = {
  date: 'is older than',
  'future date': 'is dated in the future, unlike',
  'replaced before': 'was imported before and replaced by',
};

export const RELATIONS = {
  'older-log': warning<{ because: WhyOlder; other: string; otherDay: string | null }>(
    'Older log',
    'The file is older than the log on record, so it changes nothing.',
    'Nothing, if the other log is newer; otherwise, correct Date Prepared.',
    ({ because, other, otherDay }) =>
      `kept, but changes nothing: this log ${WHY_OLDER[because]} ${other} of ` +
      `${otherDay ?? 'an unknown date'}`,
  ),
  'same-day-log': info<{ other: string }>(
    'Two logs of a day',
    'Two logs were prepared on the same day; the one imported later counts.',
    'Nothing, if this log is the newer one; otherwise, import the other one again.',
    ({ other }) =>
      `prepared on the same day as ${other}; replaces it because it was imported later`,
  ),
  'renamed-site': warning<{ site: string }>(
    'Site renamed',
    'The log has an id that the Site had before.',
    'Write the present id of the Site.',
    ({ site }) => `saved for ${site}: the Site was renamed`,
  ),
  'retired-site': warning<{ since: string }>(
    'Site retired',
    'The Site was retired, so its logs change nothing.',
    'Nothing; if the Site is in use again, run site unretire.',
    ({ since }) => `kept, but changes nothing: the Site was retired at ${since}`,
  ),
  'withdrawn-log': warning<{ since: string }>(
    'Log withdrawn',
    'The log was withdrawn by an operator, so it changes nothing.',
    'Nothing; if it is right, run log restore.',
    ({ since }) => `changes nothing: this log was withdrawn at ${since}`,
  ),
  'shared-id': warning<{ others: readonly string[] }>(
    'Id shared',
    'Another Site has the same four characters.',
    'Write all nine characters of the id.',
    ({ others }) =>
      `not the same Site as ${others.join(', ')}; use nine-character ids for these Sites from ` +
      'now on',
  ),
  'moved-station': warning<FarPlaces & { proof: string }>(
    'Position far away',
    'The position is far from that of the log on record, but something else proves one station.',
    'Correct the approximate position in the log that is wrong.',
    (values) =>
      `saved for ${values.site}, because both have the same ${values.proof}; but ` +
      `${twoPlaces(values)}`,
  ),
  'same-station': warning<{ site: string; siteId: number }>(
    'Probably one station',
    'Another Site has the same DOMES number and place, and most of the same receivers and ' +
      'antennas.',
    ({ site }) =>
      `If both are one station, run site retire ${site}, or retire this Site: keep the id that ` +
      'is right.',
    ({ site }) =>
      `probably one station with ${site}, which has the same DOMES number, the same place and ` +
      'most of the same receivers and antennas',
  ),
  'vanished-file': warning(
    'File vanished',
    'A file was removed or renamed while the import ran.',
    'Nothing, if another program writes these files; the next import reads them again.',
    'no longer exists; skipped',
  ),
  'shared-four-characters': info<{ site: string }>(
    'Four characters shared',
    'Another site has the same first four characters in its id.',
    'Nothing, if both Sites have nine-character ids; use all nine characters in file names.',
    ({ site }) => `${site} has the same four characters`,
  ),
  'shared-domes': warning<{ site: string }>(
    'DOMES number shared',
    'Another site has the same DOMES number, which identifies one marker.',
    'Ask the IERS which site has the number.',
    ({ site }) => `${site} has the same DOMES number`,
  ),
  'shared-position': info<{ metres: number; site: string }>(
    'Position shared',
    'Another site is at the same place.',
    'Nothing, if both use one monument; otherwise, correct the position or retire one of the two.',
    ({ metres, site }) => `${site} is less than ${metres} m away`,
  ),
} as const;

export const WRITING = {
  'no-place': info<{ form: string; quoted: readonly [] | readonly [written: string] }>(
    'No place in the form',
    'The form that was written has no place for a value, or only for a part of it.',
    ({ quoted: [written] }) =>
      written === undefined
        ? 'Nothing: the other form has no place for the value.'
        : 'Shorten the text.',
    ({ form, quoted: [written] }, { section, label }) =>
      written === undefined
        ? `section ${section}: ${label}: no place in ${form}; value left out`
        : `section ${section}: ${label}: no place in ${form} for all of the text; only ` +
          `"${written}" written`,
  ),
  'assumed-id': info<{ nine: string }>(
    'Id assumed',
    'The form that was written needs nine characters; the numbers of monument and receiver are ' +
      'assumed.',
    'Check the nine characters.',
    ({ nine }) => `Four Character ID: monument 0 and receiver 0 assumed; ${nine} written`,
  ),
  'no-nine-characters': error(
    'No nine-character id',
    'The form that was asked for needs an id of nine characters.',
    'Name the country with --country, or choose another form.',
    'no nine-character id such as ALIC00AUS, which text2 needs; use --country CCC, or --to text1',
  ),
  'same-target': error<{ quoted: readonly [target: string, source: string] }>(
    'Written before',
    'Two files would be written to the same file.',
    'Convert them into different folders.',
    ({ quoted: [target, source] }) =>
      `not written: "${target}" was already written from "${source}"`,
  ),
} as const;
