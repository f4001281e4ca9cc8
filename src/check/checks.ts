import type { SiteLogSections } from '../../schemas/index.js';
import type { FindingCode } from '../site-log/finding-codes.js';
import type { Findings, FindingLevel, SiteLog } from '../site-log/site-log.js';

/** What the checks of one log need, and what they can find. */

/** A log as it was read. Contacts are withheld in both parts. */
export interface CheckedLog {
  sections: SiteLogSections;
  log: SiteLog;
}

/** What a code says about findings. */
interface Meaning {
  /** The code in a few words. */
  name: string;
  /** What was found, in a sentence, for people who do not know the check. */
  explanation: string;
  /** What to do. */
  advice: string;
}

/** What a check finds. */
interface Check extends Meaning {
  /** The level of its findings; some are less severe. */
  level: FindingLevel;
}

const words = (name: string, explanation: string, advice: string): Meaning => ({
  name,
  explanation,
  advice,
});
const info = (name: string, explanation: string, advice: string): Check => ({
  level: 'info',
  name,
  explanation,
  advice,
});
const warning = (name: string, explanation: string, advice: string): Check => ({
  level: 'warning',
  name,
  explanation,
  advice,
});

/**
 * The checks of one log, by their codes. A code never changes its name or meaning: baselines name
 * it.
 */
export const CHECKS = {
  // Form
  'missing-section': info(
    'Section missing',
    'The log does not have a section of its form.',
    'Add the section, even if it is blank.',
  ),
  'section-out-of-order': warning(
    'Section out of order',
    'A section is not where the form has it.',
    'Move the section to its place in the form.',
  ),
  'item-out-of-order': info(
    'Item out of order',
    'The numbers of the items of a section do not count up from 1.',
    'Number the items from 1 without gaps.',
  ),
  'missing-label': info(
    'Line missing',
    'A section does not have all lines of its form.',
    'Add the lines, even if they are blank.',
  ),
  'label-out-of-order': info(
    'Line out of order',
    'A line is not where the form has it.',
    'Put the lines in the order of the form.',
  ),
  'misspelt-label': warning(
    'Label misspelt',
    'A label is almost one of the form, so what follows it is not read.',
    'Correct the label: its value is not read.',
  ),
  'other-version-label': warning(
    'Label of another version',
    'A label belongs to another version of the form.',
    'Use the labels of one version.',
  ),
  'over-80-columns': info(
    'Line over 80 columns',
    'A line has more than the 80 columns of the form.',
    'Continue the value on the next line.',
  ),
  'malformed-id': info(
    'Id malformed',
    'The id of the site does not have the form that the IGS asks for.',
    'Write the id in capital letters and digits, with the code of the country.',
  ),
  'malformed-domes': info(
    'DOMES number malformed',
    'The DOMES number does not have the form of the IERS, such as 50137M001.',
    'Write the DOMES number that the IERS assigned, or leave the line blank.',
  ),
  'out-of-range': warning(
    'Number out of range',
    'A number is outside the values that are possible for it.',
    'Correct the number or its unit.',
  ),
  'date-in-future': warning(
    'Date in the future',
    'A date is after the day of the check.',
    'Correct the date.',
  ),
  // Identity
  'file-name-differs': warning(
    'File name differs',
    'The name of the file is that of another site than section 1.',
    'Rename the file, or correct the id of the site.',
  ),
  'file-date-differs': info(
    'File date differs',
    'The date in the name of the file is not Date Prepared.',
    'Nothing, if the file was only rewritten, and its content is as old as Date Prepared says.',
  ),
  'after-date-prepared': warning(
    'Later than the log',
    'A date is after Date Prepared: the log says what had not happened yet.',
    'Correct Date Prepared or the date of installation.',
  ),
  // Required values
  'missing-value': warning(
    'Value missing',
    'A value is blank that software or people need.',
    'Write the value, also if it is 0 or NONE.',
  ),
  'missing-equipment': warning(
    'Equipment missing',
    'The log has no receiver or no antenna.',
    'Add the receiver or the antenna, also if it was removed.',
  ),
  'unknown-reference-point': warning(
    'Reference point unknown',
    'The antenna reference point is not a code of antenna.gra: it is unclear what heights refer to.',
    'Write the code that antenna.gra has for the antenna.',
  ),
  // History
  overlap: warning(
    'Periods overlap',
    'Two devices were in use at once, where there can be only one.',
    'Correct the removal date of the first or the installation date of the second.',
  ),
  'open-before-later': warning(
    'Date of removal missing',
    'A device has no date of removal, although a later one replaced it.',
    'Add the date of removal.',
  ),
  'several-in-use': warning(
    'Several in use',
    'Several devices are in use at once, where there can be only one.',
    'Add the dates of removal of those that are no longer there.',
  ),
  'history-gap': info(
    'Gap in the history',
    'Between a removal and the next installation, no device was in use.',
    'Correct the dates, if there was no gap.',
  ),
  'site-date': warning(
    'Site and equipment differ in date',
    'Equipment came before the site was installed, or long after.',
    'Correct the date of installation of the site or of the item; ' +
      'if equipment came before it, add it.',
  ),
  'equal-neighbours': info(
    'Equal neighbours',
    'Two items that follow each other say the same.',
    'Join the two items, or write what changed.',
  ),
  'type-changed': info(
    'Type changed',
    'The serial number has another type elsewhere, in this log or in that of another site.',
    'Correct the type or the serial number: a device keeps both.',
  ),
  // Names
  'malformed-type': warning(
    'Type malformed',
    'A type does not have the form of rcvr_ant.tab, such as a radome in columns 17 to 20.',
    'Write the type as in rcvr_ant.tab.',
  ),
  'radome-contradiction': warning(
    'Radomes differ',
    'The type and Antenna Radome Type name different radomes; the calibration depends on it.',
    'Write the same radome in columns 17 to 20 of the type and in Antenna Radome Type.',
  ),
  'radome-missing': warning(
    'Radome missing',
    'The type of the antenna has no radome; the calibration depends on it.',
    'Write the radome, or NONE, in columns 17 to 20 of the type and in Antenna Radome Type.',
  ),
  'unknown-type': warning(
    'Type unknown',
    'A type is not in rcvr_ant.tab, so that software does not know it.',
    'Write the type as in rcvr_ant.tab.',
  ),
  'deprecated-type': info(
    'Type deprecated',
    'A type has another name in rcvr_ant.tab now.',
    'Write the present name.',
  ),
  'unknown-radome': warning(
    'Radome unknown',
    'A radome is not in rcvr_ant.tab, so that software does not know it.',
    'Write the radome as in rcvr_ant.tab, or NONE.',
  ),
  'no-calibration': warning(
    'Not calibrated',
    'The ANTEX file has no calibration of the antenna.',
    'Correct the type, or use another ANTEX file.',
  ),
  'calibration-without-radome': info(
    'Calibrated without radome',
    'The ANTEX file has a calibration of the antenna only without its radome.',
    'Nothing: software falls back to the calibration without radome.',
  ),
  'individual-calibration': info(
    'Individual calibration',
    'The ANTEX file has a calibration of this very antenna.',
    'Nothing: use the calibration of this antenna.',
  ),
  // Position
  'zero-coordinates': warning(
    'Coordinates are zero',
    'The position is that of a form that was not filled in.',
    'Write the position, or leave the lines blank.',
  ),
  'height-mismatch': warning(
    'Height differs',
    'The elevation is not the height that follows from X, Y and Z.',
    'Write the height above the ellipsoid.',
  ),
  'far-from-country': info(
    'Far from its country',
    'The position is not in the country that the log names.',
    'Correct the position or the country; the map lacks some small islands.',
  ),
  // Files for geodetic software
  'no-export-line': warning(
    'No line in files for software',
    'Files for geodetic software leave out a period, because a value that they need is missing.',
    'Write the value that is missing, or correct the dates.',
  ),
  // Network
  'shared-four-characters': info(
    'Four characters shared',
    'Another site has the same first four characters in its id.',
    'Nothing, if both Sites have nine-character ids; use all nine characters in file names.',
  ),
  'shared-domes': warning(
    'DOMES number shared',
    'Another site has the same DOMES number, which identifies one marker.',
    'Ask the IERS which site has the number.',
  ),
  'shared-position': info(
    'Position shared',
    'Another site is at the same place.',
    'Nothing, if both use one monument; otherwise, correct the position or retire one of the two.',
  ),
  'serial-elsewhere': warning(
    'Device also elsewhere',
    'The log of another site has the same device in use at the same time.',
    'This is normal if it was moved and the other log does not say so yet; ' +
      'otherwise, correct the serial number or a date, here or there.',
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

/** The findings of readers, by code. `rejected` is the finding that rejected a log. */
const READER_CODES: Record<FindingCode | 'rejected', Meaning> = {
  rejected: words(
    'Rejected',
    'The file is not a site log that can be imported.',
    'Correct the file: it cannot be imported as it is.',
  ),
  other: words(
    'Other deviation',
    'The log deviates from the form.',
    'Compare the line with the instructions for site logs.',
  ),
  'additional-site-log': words(
    'Several logs in a file',
    'Only the first site log of the file is read.',
    'Put each site log into a file of its own.',
  ),
  'blank-block': words(
    'Blank item',
    'An item has a number but no values. It counts as the blank item of the form.',
    'Remove the block, or number it with x.',
  ),
  'decoded-references': words(
    'Character references',
    'The text has XML character references such as &amp;, which were decoded.',
    'Write the characters themselves in place of the references.',
  ),
  'deletion-is-removal': words(
    'Deleted without a reason',
    'A block has a date of deletion, but no reason; it counts as removed equipment.',
    'Remove dateDeleted, or give a deletedReason if it was withdrawn.',
  ),
  'deleted-property': words(
    'Deleted block',
    'A block has a date of deletion and is ignored.',
    'Nothing, if the block was withdrawn on purpose.',
  ),
  'deviating-value': words(
    'Value deviates',
    'A value is not written as the form asks, but could be read.',
    'Write the value as the form asks for it.',
  ),
  'deviating-heading': words(
    'Heading deviates',
    'The heading of a section is not written as in the form, but could be read.',
    'Write the heading as in the form.',
  ),
  'deviating-item': words(
    'Item number deviates',
    'The number of an item is not written as in the form, but could be read.',
    'Write the number as in 3.1, with a blank between it and the label.',
  ),
  'duplicate-section': words(
    'Section twice',
    'A section is there twice, and only the first is read.',
    'Merge the two sections.',
  ),
  'duplicate-value': words(
    'Value twice',
    'A line is there twice in one item, and only the first is read.',
    'Remove one of the two lines.',
  ),
  'filled-template': words(
    'Template filled in',
    'The blank item of the form (3.x) has values, so it counts as an item.',
    'Give the item a number, if it is one; otherwise, remove its values.',
  ),
  'foreign-gml-id': words(
    'gml:id of another site',
    'A gml:id does not begin with the four-character id of the site.',
    'Begin the gml:id with the four-character id.',
  ),
  'future-date': words(
    'Prepared in the future',
    'Date Prepared is after the day of the import.',
    'Correct Date Prepared.',
  ),
  'ignored-element': words(
    'Element or text ignored',
    'An XML element is not in the schema, or there is text between elements. Neither is read.',
    'Use an element of the schema, or remove it.',
  ),
  'ignored-line': words(
    'Line ignored',
    'A line is neither a label of the form nor the continuation of a value, and is not read.',
    'Use a label of the form, or indent a continuation to column 32.',
  ),
  'indented-label': words(
    'Label inside a value',
    'A label is indented as a continuation, so it is read as part of the value above.',
    'Write the label as in the form, or, if it is part of the text, the text in another way.',
  ),
  'leading-zeros': words(
    'Leading zeros differ',
    'Serial numbers differ only in leading zeros, so they count as two devices.',
    'Write the serial number the same way everywhere, as it is on the device.',
  ),
  'long-line': words(
    'Line not read to its end',
    'A line is longer than can be read, and its end is lost.',
    'Shorten the value.',
  ),
  'long-value': words(
    'Value too long',
    'A value is longer than can be read, and its end is lost.',
    'Shorten the value.',
  ),
  'many-findings': words(
    'More findings',
    'There are more findings than are reported.',
    'Correct the others first.',
  ),
  'many-instruments': words(
    'Too many instruments',
    'The log has more instruments than can be read; the rest are ignored.',
    'Remove instruments that do not belong to the site.',
  ),
  'missing-element': words(
    'Element missing',
    'The file refers to an element that it does not have.',
    'Add the element, or remove the reference.',
  ),
  'new-item': words(
    'Item without a number',
    'Lines that begin an item have no number before them; they are read as a new item.',
    'Give the item a number.',
  ),
  'no-dates': words(
    'No dates',
    'No equipment has a date, so that nothing is known to have been in use.',
    'Add the dates of installation.',
  ),
  'not-utf-8': words(
    'File name not UTF-8',
    'The path of the file is not UTF-8, so that it cannot be shown as it is.',
    'Rename the file.',
  ),
  'not-utf-8-text': words(
    'Text not UTF-8',
    'The file is in another encoding than UTF-8, which had to be guessed.',
    'Write the file in UTF-8, or in ASCII as the IGS asks.',
  ),
  'invisible-character': words(
    'Invisible characters',
    'A value has characters that cannot be seen, so that it differs from what it looks like.',
    'Type the value again, with ordinary blanks.',
  ),
  'no-place': words(
    'No place in the form',
    'The form that was written has no place for a value, which is left out.',
    'Nothing: the other form has no place for the value.',
  ),
  'older-log': words(
    'Older log',
    'The file is older than the log on record, so it changes nothing.',
    'Nothing, if the other log is newer; otherwise, correct Date Prepared.',
  ),
  'partly-written': words(
    'Partly written',
    'The form that was written has no place for all of a text.',
    'Shorten the text.',
  ),
  'position-computed': words(
    'Position computed',
    'The log has no latitude and longitude; they were computed from X, Y and Z.',
    'Add latitude and longitude.',
  ),
  'position-mismatch': words(
    'Positions differ',
    'Latitude and longitude are another place than X, Y and Z.',
    'Correct latitude and longitude, or X, Y and Z; degrees are decimal or ddmmss.ss.',
  ),
  'removed-before-installed': words(
    'Removed before installed',
    'The date of removal is before that of installation, so the device is not used.',
    'Correct one of the two dates.',
  ),
  'renamed-site': words(
    'Site renamed',
    'The log has an id that the Site had before.',
    'Write the present id of the Site.',
  ),
  'retired-site': words(
    'Site retired',
    'The Site was retired, so its logs change nothing.',
    'Nothing; if the Site is in use again, run site unretire.',
  ),
  'same-day-log': words(
    'Two logs of a day',
    'Two logs were prepared on the same day; the one imported later counts.',
    'Nothing, if this log is the newer one; otherwise, import the other one again.',
  ),
  'shared-element': words(
    'Element shared',
    'Two properties of the file refer to one element.',
    'Give each property an element of its own.',
  ),
  'title-country': words(
    'Country in the title',
    'The country in the title is not that of the log, and is ignored.',
    'Correct the title or the country.',
  ),
  'title-differs': words(
    'Title differs',
    'The title names another site than section 1.',
    'Correct the title, or the id of the site.',
  ),
  'shared-id': words(
    'Id shared',
    'Another Site has the same four characters.',
    'Write all nine characters of the id.',
  ),
  'unread-item': words(
    'Item not read',
    'The first line of an item is not that of the form, so the item is not read.',
    'Write the number and the label in the first line of the item as in the form.',
  ),
  'unreadable-value': words(
    'Value unreadable',
    'A value cannot be read as what the form asks for, so it counts as unknown.',
    'Write the value as the form asks for it.',
  ),
  'withdrawn-log': words(
    'Log withdrawn',
    'The log was withdrawn by an operator, so it changes nothing.',
    'Nothing; if it is right, run log restore.',
  ),
  'zero-position': words(
    'Position is zero',
    'Coordinates are all 0, which counts as missing.',
    'Write the position, or leave the lines blank.',
  ),
};

const MEANINGS = new Map<string, Meaning>([
  ...Object.entries(READER_CODES),
  ...Object.entries(CHECKS),
]);

/** What a code says. One that an earlier version used means any other deviation. */
const meaningOf = (code: string): Meaning => MEANINGS.get(code) ?? READER_CODES.other;

/** The name of a code, in a few words. */
export const nameOfCode = (code: string): string => meaningOf(code).name;

/** What a code says, in a sentence. */
export const explanationOf = (code: string): string => meaningOf(code).explanation;

/** What to do about a finding. */
export const adviceOn = (code: string): string => meaningOf(code).advice;

/** All codes of findings. */
export const FINDING_CODES: readonly string[] = [...MEANINGS.keys()];
