import type { Instant } from '../../schemas/index.js';
import { type AddNote, type Note, SILENT } from '../findings/notes.js';
import { description, field, firmwareField } from './columns-of-text.js';
import { DomesNumbers, writtenDomes } from './domes.js';
import { type FormatOptions, type Part, type SiteFile, timedLines } from './site-format.js';
import { azimuthField, radomeField } from './antenna-fields.js';
import { BOTH, bothOf, historyLines, type NoLine } from './history-lines.js';
import type { Interval, SiteHistory, WrittenSite } from './site-history.js';
import { UnplacedValues } from './unplaced.js';
import type { StaVersion } from './versions.js';

/** Writes station information (STA) of the Bernese GNSS Software. The format has no comments. */

/** The versions of the format, with the version of the software that writes them. */
const SOFTWARE: Record<StaVersion, string> = { '1.01': '5.2', '1.03': '5.4' };

const OPEN = '2099 12 31 00 00 00';
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/**
 * Stands for an unknown number of a receiver, and for a mean calibration of the type of an antenna:
 * whether an antenna has its own is not known here.
 */
const ANY_NUMBER = '999999';

const time = (instant: Instant | null): string =>
  instant?.replace('Z', '').replace(/[-T:]/g, ' ') ?? OPEN;

/** 4 characters and the DOMES number. */
const stationName = (site: WrittenSite): string =>
  `${site.fourCharacterId} ${writtenDomes(site) ?? ''}`.trimEnd();

/** Why a Site is left out; null if it is not. */
const clash = ({ site, newer }: SiteHistory): Note | null =>
  newer.some((each) => stationName(each) === stationName(site))
    ? { code: 'name-taken', name: stationName(site) }
    : null;

/** The digits of a serial number, the last six, without leading zeros. */
function receiverNumber(serialNumber: string | null): string {
  const digits = (serialNumber ?? '').replace(/\D/g, '').slice(-ANY_NUMBER.length);
  const number = digits.replace(/^0+(?=\d)/, '');
  return (number === '' ? ANY_NUMBER : number).padStart(ANY_NUMBER.length);
}

/** The fields of TYPE 002 after the times, or why there is no line. */
function fieldsOf(
  interval: Interval,
  site: WrittenSite,
  version: StaVersion,
  note: AddNote,
): string | NoLine {
  const both = bothOf(interval, { width: 8, needsTypes: true }, note);
  if ('reasons' in both) return both;
  const { receiver, antenna } = both;
  const { up, north, east } = both.eccentricities;
  const azimuth = version === '1.03' ? azimuthField(antenna, { width: 6, digits: 1 }, note) : null;
  const place = [site.name, site.location.countryCode].filter((each) => each !== null).join(', ');
  const text = (value: string | null, what: string, width: number): string =>
    field(value, { what, width }, note);
  const radome = (): string => radomeField(antenna, { width: 4, unknown: 'UNKN' }, note);
  const newFields =
    version === '1.03' ? [azimuth ?? ' '.repeat(6), (site.nineCharacterId ?? '').padEnd(9)] : [];
  return [
    text(receiver.type, 'receiver type', 20),
    text(receiver.serialNumber, 'receiver serial number', 20),
    receiverNumber(receiver.serialNumber),
    `${text(antenna.type, 'antenna type', 15)} ${radome()}`,
    text(antenna.serialNumber, 'antenna serial number', 20),
    ANY_NUMBER,
    north,
    east,
    up,
    ...newFields,
    description(place, 22),
    firmwareField(receiver.firmware, { what: 'firmware', width: 24 }, note),
  ].join('  ');
}

/** The title of a table, underlined. */
const title = (text: string): string => `${text}\n${'-'.repeat(text.length)}\n`;

const NAME_AND_TIMES = [
  'STATION NAME          FLG          FROM                   TO         ',
  '****************      ***  YYYY MM DD HH MM SS  YYYY MM DD HH MM SS  ',
] as const;
/** The headings of the first tables behind the times. */
const RENAMING = [
  'OLD STATION NAME      REMARK\n',
  `${'*'.repeat(20)}  ${'*'.repeat(24)}\n`,
] as const;
const INFORMATION = [
  'RECEIVER TYPE         RECEIVER SERIAL NBR   REC #   ANTENNA TYPE          ANTENNA SERIAL NBR    ANT #    NORTH      EAST      UP     AZIMUTH  LONG NAME  DESCRIPTION             REMARK\n',
  `${'*'.repeat(20)}  ${'*'.repeat(20)}  ******  ${'*'.repeat(20)}  ${'*'.repeat(20)}  ******  ***.****  ***.****  ***.****  ****.*  *********  ${'*'.repeat(22)}  ${'*'.repeat(24)}\n`,
] as const;
/** Where the columns of the azimuth and the long name begin and end. Version 1.01 lacks them. */
const NEW_FROM = 133;
const NEW_TO = 152;

/** The two lines of a heading. */
const heading = (
  columns: readonly [string, string],
  write = (line: string): string => line,
): string => columns.map((line, index) => NAME_AND_TIMES[index]! + write(line)).join('');

/** The date in the first line: 08-JUL-13. */
function dateOfFile(now: Instant): string {
  const [year, month, day] = now.slice(2, 10).split('-');
  return `${day}-${MONTHS[Number(month) - 1]}-${year}`;
}

const renaming = (
  options: FormatOptions,
  version: StaVersion,
  domesNumbers: DomesNumbers,
): Part => ({
  begin: [
    `STATION INFORMATION FILE FOR BERNESE GNSS SOFTWARE ${SOFTWARE[version]}`.padEnd(65),
    `${dateOfFile(options.now)} ${options.now.slice(11, 16)}\n`,
    `${'-'.repeat(80)}\n\nFORMAT VERSION: ${version}\nTECHNIQUE:      GNSS\n\n`,
    title('TYPE 001: RENAMING OF STATIONS'),
    '\n',
    heading(RENAMING),
  ].join(''),
  ofSite: (history, note) => {
    const { site, isShared } = history;
    const why = clash(history);
    if (why !== null) note(why);
    const lines = historyLines(history, (interval) => fieldsOf(interval, site, version, SILENT), {
      during: options.during,
      ...BOTH,
    }).filter((line) => line.text !== null);
    const first = lines[0];
    const last = lines.at(-1);
    if (why !== null || first === undefined || last === undefined) return [];
    domesNumbers.write(site, note);
    // The wildcard would rename the other Site too.
    const oldName = isShared ? stationName(site) : `${site.fourCharacterId}*`;
    if (isShared) note({ code: 'old-name', oldName });
    const times = `${time(first.from)}  ${time(last.to)}`;
    return [`${stationName(site).padEnd(16)}      001  ${times}  ${oldName}\n`];
  },
  summary: () => domesNumbers.summary(),
  end: '\n\n',
});

const information = (
  options: FormatOptions,
  version: StaVersion,
  unplaced: UnplacedValues,
): Part => ({
  begin: [
    title('TYPE 002: STATION INFORMATION'),
    '\n',
    heading(INFORMATION, (line) =>
      version === '1.03' ? line : line.slice(0, NEW_FROM) + line.slice(NEW_TO),
    ),
  ].join(''),
  ofSite: (history, note) => {
    if (clash(history) !== null) return [];
    unplaced.add(history, options.during);
    const { site } = history;
    const lines = historyLines(history, (interval, say) => fieldsOf(interval, site, version, say), {
      during: options.during,
      ...BOTH,
    });
    const prefix = `${stationName(site).padEnd(16)}      001  `;
    return timedLines(
      lines,
      (from, to, fields) => `${prefix}${time(from)}  ${time(to)}  ${fields}`,
      note,
    );
  },
  summary: () => unplaced.summary(),
  end: [
    '\n\n',
    title('TYPE 003: HANDLING OF STATION PROBLEMS'),
    '\n',
    heading(['REMARK\n', `${'*'.repeat(60)}\n`]),
    '\n\n',
    title('TYPE 004: STATION COORDINATES AND VELOCITIES (ADDNEQ)'),
    '                                            RELATIVE CONSTR. POSITION     RELATIVE CONSTR. VELOCITY\n',
    'STATION NAME 1        STATION NAME 2        NORTH     EAST      UP        NORTH     EAST      UP\n',
    `${'*'.repeat(16)}      ${'*'.repeat(16)}      ${'**.*****  '.repeat(6).trimEnd()}\n`,
    '\n\n',
    title('TYPE 005: HANDLING STATION TYPES'),
    '\n',
    heading(['MARKER TYPE           REMARK\n', RENAMING[1]]),
    '\n\n',
  ].join(''),
});

/** Station information. */
export function berneseSta(options: FormatOptions, version: StaVersion): SiteFile {
  const unplaced = new UnplacedValues([
    ...(version === '1.03' ? [] : (['alignment'] as const)),
    'cutoff',
    'referencePoint',
  ]);
  return {
    comment: null,
    parts: [
      renaming(options, version, new DomesNumbers()),
      information(options, version, unplaced),
    ],
  };
}
