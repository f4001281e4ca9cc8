import type { Instant } from '../../schemas/index.js';
import type { AddNote, Reason } from '../findings/notes.js';
import {
  commentLines,
  dashed,
  decimal,
  description,
  firmwareField,
  name,
} from './columns-of-text.js';
import { DomesNumbers } from './domes.js';
import { eccentricities } from './eccentricities.js';
import {
  dayOfYear,
  type FormatOptions,
  type Part,
  type SiteFile,
  sourceLines,
  timedLines,
} from './site-format.js';
import { azimuthField, radomeField } from './antenna-fields.js';
import { historyLines, isDuring, type NoLine, type TimeOptions } from './history-lines.js';
import type { Antenna, Interval, SiteHistory, WrittenSite } from './site-history.js';
import { geodeticOf, unknownPosition } from './written-position.js';
import { UnplacedValues } from './unplaced.js';

/**
 * Writes the site blocks of SINEX 2.02. Lines have at most 80 columns; the columns are those of the
 * specification.
 */

/** The years that two digits can say: 51 to 99 are those of the last century. */
const FIRST_YEAR = '1951';
const LAST_YEAR = '2050';
const OPEN = '00:000:00000';

/** Whether SINEX can say when an instant is. */
export const isSayable = (instant: Instant): boolean =>
  instant.slice(0, 4) >= FIRST_YEAR && instant.slice(0, 4) <= LAST_YEAR;

/** An instant, `YY:DDD:SSSSS`; null, and what SINEX cannot say, is unknown or open. */
export function epoch(instant: Instant | null): string {
  if (instant === null || !isSayable(instant)) return OPEN;
  const day = String(dayOfYear(instant)).padStart(3, '0');
  const second = Math.floor(Date.parse(instant) / 1000) % 86_400;
  const secondOfDay = String((second + 86_400) % 86_400).padStart(5, '0');
  return `${instant.slice(2, 4)}:${day}:${secondOfDay}`;
}

/** The columns of a comment. */
const COMMENT_WIDTH = 79;

const commentOf = (lines: string[]): string => lines.map((line) => ` ${line}\n`).join('');

/** A note as lines of FILE/COMMENT. */
export const comment = (text: string): string => commentOf(commentLines(text, COMMENT_WIDTH));

/** Where to get the same file again, as lines of FILE/COMMENT. */
export const sourceComment = ({ source }: Pick<FormatOptions, 'source'>): string =>
  commentOf(sourceLines(source, COMMENT_WIDTH));

/**
 * The end of a file, with its comments. They are not inside the other blocks, because some programs
 * read these by columns and stop at a comment.
 */
export const endWith = (comments: string): string => {
  const block = comments === '' ? '' : `+FILE/COMMENT\n${comments}-FILE/COMMENT\n`;
  return `${block}%ENDSNX\n`;
};

/**
 * The beginning of a file.
 * @param output what it has
 * @param organisation three characters; null if unknown
 */
export function beginning(now: Instant, output: string, organisation: string | null): string {
  const writer = organisation ?? '---';
  return [
    `%=SNX 2.02 ${writer} ${epoch(now)} ${writer} ${OPEN} ${OPEN} P 00000 0\n`,
    '+FILE/REFERENCE\n',
    ' DESCRIPTION        Equipment of GNSS stations\n',
    ` OUTPUT             ${output}\n`,
    ' SOFTWARE           gnss-site-setups\n',
    ' INPUT              Site logs\n',
    '-FILE/REFERENCE\n',
  ].join('');
}

/** How many Sites with the same four characters have a point code: the letters from A to Z. */
export const POINT_CODES = 26;

/**
 * The point code of a Site: A, or a later letter for another Site with the same four characters;
 * null if there is none left.
 */
export const pointCode = ({ namesakes }: SiteHistory): string | null =>
  namesakes.length < POINT_CODES ? ` ${String.fromCharCode(65 + namesakes.length)}` : null;

/**
 * Degrees, minutes and tenths of a second in their columns. Rounded before they are split: 59.96
 * seconds are a minute.
 */
function sexagesimal(degrees: number): string {
  const tenths = Math.round(Math.abs(degrees) * 36_000);
  const sign = degrees < 0 && tenths > 0 ? '-' : '';
  const whole = `${sign}${Math.floor(tenths / 36_000)}`.padStart(3);
  const minutes = String(Math.floor(tenths / 600) % 60).padStart(2);
  const seconds = ((tenths % 600) / 10).toFixed(1).padStart(4);
  return `${whole} ${minutes} ${seconds}`;
}

/** Where a Site is, in the columns of SITE/ID, or why it cannot be written. */
function place({ location }: WrittenSite): { columns: string } | { reason: Reason } {
  const position = geodeticOf(location);
  if (position === null) return { reason: unknownPosition(location) };
  const height = decimal(position.height, 7, 1);
  if (height === null) return { reason: { code: 'wide-height', height: position.height } };
  const tenths = Math.round((((position.longitude % 360) + 360) % 360) * 36_000) % (360 * 36_000);
  const longitude = sexagesimal(tenths / 36_000);
  return { columns: `${longitude} ${sexagesimal(position.latitude)} ${height}` };
}

/** Whether a Site has a line in a block besides SITE/ID: in SITE/RECEIVER or SITE/ANTENNA. */
const hasEquipmentLine = ({ intervals }: SiteHistory, during: TimeOptions['during']): boolean =>
  intervals.some(
    (interval) =>
      (interval.receiver !== null || interval.antenna !== null) && isDuring(interval, during),
  );

function siteLine(history: SiteHistory, domesNumbers: DomesNumbers, note: AddNote): string[] {
  const { site, namesakes } = history;
  const point = pointCode(history);
  const where = place(site);
  if (point === null) {
    note({ code: 'left-out', namesakes: POINT_CODES });
    return [];
  }
  if (namesakes.length > 0) note({ code: 'point-code', pointCode: point.trim() });
  if ('reason' in where) {
    note({ code: 'no-line', block: 'SITE/ID', reasons: [where.reason] });
    return [];
  }
  const domes = domesNumbers.write(site, note) ?? '---------';
  const name = description(site.name, 22);
  return [` ${site.fourCharacterId} ${point} ${domes} P ${name} ${where.columns}\n`];
}

/** A block has no line while the equipment that it is about is not in use. */
const NOT_IN_USE: NoLine = { reasons: [] };

/** The radome, and the rest of the fields of an antenna. */
function antennaFields({ antenna }: Interval, note: AddNote): string | NoLine {
  if (antenna === null) return NOT_IN_USE;
  const type = name(antenna.type, dashed('antenna type', 15), note);
  const radome = radomeField(antenna, { width: 4, unknown: '----' }, note);
  return `${type} ${radome} ${serial(antenna.serialNumber)} ${alignment(antenna, note)}`;
}

/** The alignment from true north in degrees, as the IGS writes it: blank if it is unknown. */
const alignment = (antenna: Antenna, note: AddNote): string =>
  antenna.azimuth === null ? '' : (azimuthField(antenna, { width: 4, digits: 0 }, note) ?? '');

/** A serial number: its first five characters, as the site log form says. */
const serial = (serialNumber: string | null): string =>
  serialNumber === null ? '-----' : description(serialNumber, 5);

function receiverFields({ receiver }: Interval, note: AddNote): string | NoLine {
  if (receiver === null) return NOT_IN_USE;
  const type = name(receiver.type, dashed('receiver type', 20), note);
  const firmware = firmwareField(receiver.firmware, dashed('firmware', 11), note);
  return `${type} ${serial(receiver.serialNumber)} ${firmware}`;
}

function eccentricityFields({ antenna }: Interval, note: AddNote): string | NoLine {
  if (antenna === null) return NOT_IN_USE;
  const written = eccentricities(antenna, { width: 8 }, note);
  if ('reasons' in written) return written;
  return `UNE ${written.up} ${written.north} ${written.east}`;
}

/**
 * A block with the lines of intervals.
 * @param kind what it is about; null for the eccentricities, about whose antennas the notes of
 *   another block say the same
 */
function block(
  options: FormatOptions,
  title: string,
  columns: string,
  kind: Interval['several'][number] | null,
  write: (interval: Interval, note: AddNote) => string | NoLine,
): Part {
  return {
    begin: `+${title}\n${columns}\n`,
    ofSite: (history, note) => {
      const point = pointCode(history);
      if (point === null) return [];
      const lines = historyLines(
        history,
        (interval, say) => {
          const { from, to } = interval;
          if (kind !== null) {
            if (!isSayable(from)) say({ code: 'start-unsayable', start: from, devices: kind });
            if (to !== null && !isSayable(to))
              say({ code: 'end-unsayable', end: to, devices: kind });
          }
          return write(interval, say);
        },
        {
          during: options.during,
          block: title,
          kinds: kind === null ? [] : [kind],
          hasEccentricity: kind === null,
        },
      );
      const { fourCharacterId } = history.site;
      return timedLines(
        lines,
        (from, to, text) =>
          ` ${fourCharacterId} ${point} ---- P ${epoch(from)} ${epoch(to)} ${text}`,
        note,
      );
    },
    end: `-${title}\n`,
  };
}

/** The comments of every file. */
const ALWAYS = [
  ' Names of Sites have at most 22 characters, serial numbers the first five.\n',
  ' Positions are rounded to 0.1 seconds of arc, and heights to 0.1 m.\n',
].join('');

/** The block with the Sites; of a file about a time, those that have other lines then. */
function siteBlock(options: FormatOptions, organisation: string | null): Part {
  const domesNumbers = new DomesNumbers();
  const unplaced = new UnplacedValues(['cutoff', 'referencePoint']);
  return {
    begin: [
      beginning(options.now, 'Site information from site logs', organisation),
      '+SITE/ID\n',
      '*CODE PT __DOMES__ T _STATION DESCRIPTION__ APPROX_LON_ APPROX_LAT_ _APP_H_\n',
    ].join(''),
    ofSite: (history, note) => {
      const { during } = options;
      if (pointCode(history) !== null) unplaced.add(history, during);
      const isListed = during === null || hasEquipmentLine(history, during);
      return isListed ? siteLine(history, domesNumbers, note) : [];
    },
    summary: () => [...domesNumbers.summary(), ...unplaced.summary()],
    end: '-SITE/ID\n',
  };
}

/** The site blocks. @param organisation who writes the file, three characters; null if unknown */
export const sinexSites = (options: FormatOptions, organisation: string | null): SiteFile => ({
  comment,
  endWith: (comments) => endWith(sourceComment(options) + ALWAYS + comments),
  parts: [
    siteBlock(options, organisation),
    block(
      options,
      'SITE/RECEIVER',
      '*CODE PT SOLN T _DATA START_ __DATA_END__ ___RECEIVER_TYPE____ _S/N_ _FIRMWARE__',
      'receivers',
      receiverFields,
    ),
    block(
      options,
      'SITE/ANTENNA',
      '*CODE PT SOLN T _DATA START_ __DATA_END__ ____ANTENNA_TYPE____ _S/N_ _DAZ',
      'antennas',
      antennaFields,
    ),
    block(
      options,
      'SITE/ECCENTRICITY',
      '*CODE PT SOLN T _DATA START_ __DATA_END__ AXE ARP->BENCHMARK(M)_________',
      null,
      eccentricityFields,
    ),
  ],
});
