import type { SiteLogSections } from '../../schemas/index.js';
import type { FindingCode } from '../site-log/finding-codes.js';
import type { Findings, FindingLevel, SiteLog } from '../site-log/site-log.js';

/** What the checks of one log need, and what they can find. */

/** A log as it was read. Contacts are withheld in both parts. */
export interface CheckedLog {
  sections: SiteLogSections;
  log: SiteLog;
}

/** What a check finds, and what to do about it. */
interface Check {
  /** The level of its findings; some are less severe. */
  level: FindingLevel;
  advice: string;
}
const info = (advice: string): Check => ({ level: 'info', advice });
const warning = (advice: string): Check => ({ level: 'warning', advice });

/**
 * The checks of one log, by their codes. A code never changes its name or meaning: baselines name
 * it.
 */
export const CHECKS = {
  // Form
  'missing-section': info('Add the section, even if it is blank.'),
  'section-out-of-order': warning('Move the section to its place in the form.'),
  'item-out-of-order': info('Number the items from 1 without gaps.'),
  'missing-label': info('Add the lines, even if they are blank.'),
  'label-out-of-order': info('Put the lines in the order of the form.'),
  'misspelt-label': warning('Correct the label: its value is not read.'),
  'other-version-label': warning('Use the labels of one version.'),
  'over-80-columns': info('Continue the value on the next line.'),
  'malformed-id': info('Write the id in capital letters and digits, with the code of the country.'),
  'malformed-domes': info(
    'Write the DOMES number that the IERS assigned, or leave the line blank.',
  ),
  'out-of-range': warning('Correct the number or its unit.'),
  'date-in-future': warning('Correct the date.'),
  'schema-violation': warning('Change the element as its schema asks.'),
  // Identity
  'title-differs': warning('Correct the title, or the id of the site.'),
  'file-name-differs': warning('Rename the file, or correct the id of the site.'),
  'file-date-differs': info(
    'Nothing, if the file was only rewritten: Date Prepared is the date that counts.',
  ),
  'after-date-prepared': warning('Correct Date Prepared or the date of installation.'),
  // Required values
  'missing-value': warning('Write the value, even if it is 0 or NONE.'),
  'missing-equipment': warning('Add the receiver or the antenna, even if it has been removed.'),
  'unknown-reference-point': warning('Write the code that antenna.gra has for the antenna.'),
  // History
  overlap: warning('Correct the removal date of the first or the installation date of the second.'),
  'open-before-later': warning('Add the date of removal.'),
  'several-in-use': warning('Add the dates of removal of those that are no longer there.'),
  'history-gap': info('Correct the dates, if there was no gap.'),
  'site-date': warning(
    'Correct the date of installation of the site or of the item; if there was earlier ' +
      'equipment, add it.',
  ),
  'equal-neighbours': info('Join the two items, or write what changed.'),
  'type-changed': info('Correct the type or the serial number: a device keeps both.'),
  // Names
  'malformed-type': warning('Write the type as in rcvr_ant.tab.'),
  'radome-contradiction': warning(
    'Write the same radome in columns 17 to 20 of the type and in Antenna Radome Type.',
  ),
  'radome-missing': warning('Write the radome, or NONE, in columns 17 to 20 of the type.'),
  'unknown-type': warning('Write the type as in rcvr_ant.tab.'),
  'deprecated-type': info('Write the present name.'),
  'unknown-radome': warning('Write the radome as in rcvr_ant.tab, or NONE.'),
  'no-calibration': warning('Correct the type, or use another ANTEX file.'),
  'calibration-without-radome': info(
    'Nothing: software falls back to the calibration without radome.',
  ),
  'individual-calibration': info('Nothing: use the calibration of this antenna.'),
  // Position
  'zero-coordinates': warning('Write the position, or leave the lines blank.'),
  'height-mismatch': warning('Write the height above the ellipsoid.'),
  'far-from-country': info(
    'Correct the position or the country; the map lacks some small islands.',
  ),
  // Files for geodetic software
  'no-export-line': warning('Write the value that is missing, or correct the dates.'),
  // Network
  'shared-four-characters': info(
    'Nothing, if both Sites have nine-character ids; use all nine characters in file names.',
  ),
  'shared-domes': warning('Ask the IERS which site has the number.'),
  'shared-position': info(
    'Nothing, if both use one monument; otherwise, correct the position or retire one of the two.',
  ),
  'serial-elsewhere': warning(
    'This is normal if the device was moved and the other log does not say so yet; ' +
      'otherwise, correct the serial number or a date in one of the logs.',
  ),
};

/** The code of a check of one log. */
export type CheckCode = keyof typeof CHECKS;

/** Takes what a check found, by the code of the check. */
export type Report = (
  code: CheckCode,
  line: number,
  message: string,
  text?: string,
  level?: FindingLevel,
) => void;

/** Adds what a check finds to the findings of a log. */
export const reportTo =
  (findings: Findings): Report =>
  (code, line, message, text, level = CHECKS[code].level) =>
    findings.addCheck(line, level, code, message, text);

/**
 * Advice on the findings of readers, by code. `rejected` is the advice on the finding that rejected
 * a log.
 */
const READER_ADVICE: Record<FindingCode | 'rejected', string> = {
  rejected: 'Correct the file: it cannot be imported as it is.',
  other: 'Compare the line with the instructions for site logs.',
  'additional-site-log': 'Put each site log into a file of its own.',
  'blank-block': 'Remove the block, or number it with x.',
  'decoded-references': 'Write the characters themselves in place of the references.',
  'deletion-is-removal': 'Remove dateDeleted, or give a deletedReason if it was withdrawn.',
  'deleted-property': 'Nothing, if the block was withdrawn on purpose.',
  'deviating-value': 'Write the value as the form asks for it.',
  'deviating-heading': 'Write the heading as in the form.',
  'deviating-item': 'Write the number as in 3.1, with a blank between it and the label.',
  'duplicate-section': 'Merge the two sections.',
  'duplicate-value': 'Remove one of the two lines.',
  'filled-template': 'If this is an item, give it a number; otherwise, remove its values.',
  'foreign-gml-id': 'Begin the gml:id with the four-character id.',
  'future-date': 'Correct Date Prepared.',
  'ignored-element': 'Remove the element, or use one of the schema.',
  'ignored-line': 'Use a label of the form, or indent a continuation to column 32.',
  'indented-label': 'Write the label as in the form; if it is part of a text, reword the text.',
  'leading-zeros': 'Write the serial number the same way everywhere, as it is on the device.',
  'long-line': 'Shorten the value.',
  'long-value': 'Shorten the value.',
  'many-findings': 'Correct the others first.',
  'many-instruments': 'Remove instruments that do not belong to the site.',
  'missing-element': 'Add the element, or remove the reference.',
  'new-item': 'Give the item a number.',
  'no-dates': 'Add the dates of installation.',
  'not-utf-8': 'Rename the file.',
  'not-utf-8-text': 'Write the file in UTF-8, or in ASCII as the IGS asks.',
  'invisible-character': 'Type the value again, with ordinary blanks.',
  'no-place': 'Nothing: the other form has no place for the value.',
  'older-log': 'Nothing, if the other log is newer; otherwise, correct Date Prepared.',
  'partly-written': 'Shorten the text.',
  'position-computed': 'Add latitude and longitude.',
  'position-mismatch':
    'Correct latitude and longitude, or X, Y and Z; degrees are decimal or ddmmss.ss.',
  'removed-before-installed': 'Correct one of the two dates.',
  'renamed-site': 'Write the present id of the Site.',
  'retired-site': 'Nothing; if the Site is in use again, run site unretire.',
  'same-day-log': 'Nothing, if this log is the newer one; otherwise, import the other one again.',
  'shared-element': 'Give each property an element of its own.',
  'title-country': 'Correct the title or the country.',
  'shared-id': 'Write all nine characters of the id.',
  'unread-item': 'Write the number and the label in the first line of the item as in the form.',
  'unreadable-value': 'Write the value as the form asks for it.',
  'withdrawn-log': 'Nothing; if the log is right after all, run log restore.',
  'zero-position': 'Write the position, or leave the lines blank.',
};

const ADVICE = new Map([
  ...Object.entries(READER_ADVICE),
  ...Object.entries(CHECKS).map(([code, { advice }]) => [code, advice] as const),
]);

/** What to do about a finding. */
export const adviceOn = (code: string): string => ADVICE.get(code) ?? READER_ADVICE.other;

/** All codes of findings. */
export const FINDING_CODES: readonly string[] = [...ADVICE.keys()];
