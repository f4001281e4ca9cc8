import type { Instant } from '../../schemas/index.js';
import type { AddNote } from '../findings/notes.js';
import { isAntennaReferencePoint } from '../site-log/values/antenna-reference-points.js';
import { DAY } from '../requests/units-of-time.js';
import {
  commentLines,
  dashed,
  decimal,
  description,
  field,
  firmwareField,
  name,
} from './columns-of-text.js';
import {
  dayOfYear,
  type FormatOptions,
  type SiteFile,
  sourceLines,
  timedLines,
} from './site-format.js';
import { azimuthField, radomeField } from './antenna-fields.js';
import { BOTH, bothOf, historyLines, type NoLine } from './history-lines.js';
import type { Antenna, Interval } from './site-history.js';
import { UnplacedValues } from './unplaced.js';

/**
 * Writes station.info of GAMIT. Its reader takes the columns by their labels, and bridges gaps of
 * up to two hours only.
 */

const COMMENT_WIDTH = 118;
const OPEN = '9999 999 00 00 00';
/** The first year that the reader accepts. */
const FIRST_YEAR = '1980';

/**
 * The direct height to the antenna reference point. The eccentricities of a site log end there by
 * definition, whichever part of the antenna it is. GAMIT stops at any other code that its table
 * `hi.dat` does not have for the antenna.
 */
const HEIGHT_CODE = 'DHARP';

function time(instant: Instant): string {
  const day = String(dayOfYear(instant)).padStart(3, '0');
  return `${instant.slice(0, 4)} ${day} ${instant.slice(11, 19).replaceAll(':', ' ')}`;
}

/** The start of a line, in a year that the reader accepts. */
const readableStart = (from: Instant): Instant =>
  from.slice(0, 4) < FIRST_YEAR ? `${FIRST_YEAR}-01-01T00:00:00Z` : from;

/**
 * The first number in a firmware version, in five columns; dashes if there is none, or if it does
 * not fit.
 */
function softwareVersion(firmware: string | null, note: AddNote): string {
  const number = /\d*\.?\d+/.exec((firmware ?? '').slice(0, 100))?.[0];
  const written = number === undefined ? null : decimal(Number(number), 5, 2);
  if (firmware !== null && number !== undefined && written === null)
    note({ code: 'wide-firmware', firmware });
  return written ?? '-----';
}

/** Notes if the log does not name the antenna reference point, or does not use its code. */
function noteReferencePoint({ referencePoint }: Antenna, note: AddNote): void {
  const heightCode = HEIGHT_CODE;
  if (referencePoint === null) note({ code: 'unknown-reference-point', heightCode });
  else if (!isAntennaReferencePoint(referencePoint))
    note({ code: 'other-reference-point', referencePoint, heightCode });
}

/** The fields after the times, or why there is no line. */
function fieldsOf(interval: Interval, hasAzimuth: boolean, note: AddNote): string | NoLine {
  if (interval.to !== null && interval.to.slice(0, 4) < FIRST_YEAR)
    return { reasons: [{ code: 'early-year', firstYear: FIRST_YEAR }] };
  if (interval.from !== readableStart(interval.from))
    note({ code: 'early-start', start: interval.from, firstYear: FIRST_YEAR });
  const both = bothOf(interval, { width: 7, needsTypes: false }, note);
  if ('reasons' in both) return both;
  const { receiver, antenna } = both;
  const { up, north, east } = both.eccentricities;
  // The number is followed by a point.
  const azimuth = hasAzimuth ? azimuthField(antenna, { width: 4, digits: 0 }, note) : null;
  const azimuthColumn = azimuth === null ? '-----' : `${azimuth}.`;
  noteReferencePoint(antenna, note);
  return [
    up,
    HEIGHT_CODE,
    north,
    east,
    ...(hasAzimuth ? [azimuthColumn] : []),
    name(receiver.type, dashed('receiver type', 20), note),
    firmwareField(receiver.firmware, dashed('firmware', 20), note),
    softwareVersion(receiver.firmware, note),
    field(receiver.serialNumber, dashed('receiver serial number', 20), note),
    name(antenna.type, dashed('antenna type', 15), note),
    radomeField(antenna, { width: 5, unknown: '-----' }, note),
    field(antenna.serialNumber, dashed('antenna serial number', 20), note),
  ].join('  ');
}

/** The labels of the columns, at the columns. */
const labels = (hasAzimuth: boolean): string =>
  [
    '*SITE',
    'Station Name    ',
    'Session Start    ',
    'Session Stop     ',
    'Ant Ht ',
    'HtCod',
    'Ant N  ',
    // The label has six columns, and its field the last five of them.
    ...(hasAzimuth ? ['Ant E ', 'AntDAZ'] : ['Ant E  ']),
    'Receiver Type       ',
    'Vers                ',
    'SwVer',
    'Receiver SN         ',
    'Antenna Type   ',
    'Dome ',
    'Antenna SN          ',
  ].join('  ');

const commentOf = (lines: string[]): string => lines.map((line) => `# ${line}\n`).join('');

/** station.info. @param hasAzimuth whether it has the alignment from true north */
export function stationInfo(options: FormatOptions, hasAzimuth: boolean): SiteFile {
  const unplaced = new UnplacedValues([
    ...(hasAzimuth ? [] : (['alignment'] as const)),
    'cutoff',
    'referencePoint',
  ]);
  return {
    comment: (text) => commentOf(commentLines(text, COMMENT_WIDTH)),
    parts: [
      {
        begin: [
          '# station.info, written by gnss-site-setups from site logs.\n',
          '# Station names have at most 16 characters. Lines end where the next begins, if that is ' +
            'at most a day later.\n',
          commentOf(sourceLines(options.source, COMMENT_WIDTH)),
          `${labels(hasAzimuth)}\n`,
        ].join(''),
        ofSite: (history, note) => {
          const { site, newer } = history;
          if (newer.length > 0) {
            note({ code: 'name-taken', name: site.fourCharacterId });
            return [];
          }
          unplaced.add(history, options.during);
          const lines = historyLines(
            history,
            (interval, say) => fieldsOf(interval, hasAzimuth, say),
            { during: options.during, bridge: DAY, ...BOTH },
          );
          const name = description(site.name, 16);
          return timedLines(
            lines,
            (from, to, text) => {
              const begin = time(readableStart(from));
              const end = to === null ? OPEN : time(to);
              return ` ${site.fourCharacterId}  ${name}  ${begin}  ${end}  ${text}`;
            },
            note,
          );
        },
        summary: () => unplaced.summary(),
        end: '',
      },
    ],
  };
}
