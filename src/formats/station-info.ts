import type { Instant } from '../../schemas/index.js';
import { decimal, description, field, type Note } from './columns-of-text.js';
import { dayOfYear, type FormatOptions, type SiteFile, timedLines } from './site-format.js';
import { type Antenna, type Interval, linesOf, noteSeveral } from './site-history.js';

/** Writes station.info of GAMIT. Its reader takes the columns by their labels, and bridges gaps of up to two hours only. */

/** The longest gap over which a line is extended, in seconds: a day. */
const BRIDGE = 86_400;
const OPEN = '9999 999 00 00 00';
/** The first year that the reader accepts. */
const FIRST_YEAR = '1980';

/** The height code of each antenna reference point: the direct height to it. */
const HEIGHT_CODES: Record<string, string> = {
  ...{ BAM: 'DHARP', TOP: 'DHARP', ARP: 'DHARP' },
  ...{ BCR: 'DHBCR', BGP: 'DHBGP', BPA: 'DHBPA', TGP: 'DHTGP', TPA: 'DHTPA' },
};

const time = (instant: Instant): string =>
  `${instant.slice(0, 4)} ${String(dayOfYear(instant)).padStart(3, '0')} ${instant.slice(11, 19).replaceAll(':', ' ')}`;

/** The first number in a firmware version, in five columns; dashes if there is none, or if it does not fit. */
function softwareVersion(firmware: string | null, note: Note): string {
  const number = /\d*\.?\d+/.exec((firmware ?? '').slice(0, 100))?.[0];
  const written = number === undefined ? null : decimal(Number(number), 5, 2);
  if (number !== undefined && written === null) note(`firmware "${firmware}" has no number for SwVer, which has five columns`);
  return written ?? '-----';
}

function heightCode({ referencePoint }: Antenna, note: Note): string {
  const code = HEIGHT_CODES[referencePoint ?? ''];
  if (code === undefined) note(`antenna reference point ${referencePoint === null ? 'unknown' : `"${referencePoint}"`}: written as DHARP`);
  return code ?? 'DHARP';
}

/** The fields after the times; null if there is no line. */
function fieldsOf(interval: Interval, hasAzimuth: boolean, note: Note): string | null {
  const { receiver, antenna, from, to } = interval;
  noteSeveral(interval, ['receivers', 'antennas'], note);
  const none = (why: string): null => {
    note(`no line from ${from} to ${to ?? 'now'}: ${why}`);
    return null;
  };
  if (receiver === null || antenna === null) {
    return receiver === antenna ? null : none(receiver === null ? 'no receiver' : 'no antenna');
  }
  const [up, north, east] = [antenna.up, antenna.north, antenna.east].map((each, index) =>
    each === null ? null : decimal(each, index === 0 ? 7 : 7, 4),
  ) as [string | null, string | null, string | null];
  if (up === null || north === null || east === null) return none('an eccentricity is unknown or too large');
  if (antenna.radome === null) note('radome unknown');
  const azimuth = antenna.azimuth === null ? null : decimal(antenna.azimuth, 5, 0);
  if (hasAzimuth && azimuth === null) note('alignment from true north unknown');
  const text = (value: string | null, what: string, width: number): string =>
    field(value, { what, width, unknown: '-'.repeat(width) }, note);
  return [
    up,
    heightCode(antenna, note),
    north,
    east,
    ...(hasAzimuth ? [azimuth === null ? '-----' : `${azimuth.slice(1)}.`.padStart(5)] : []),
    text(receiver.type, 'receiver type', 20),
    text(receiver.firmware, 'firmware', 20),
    softwareVersion(receiver.firmware, note),
    text(receiver.serialNumber, 'receiver serial number', 20),
    text(antenna.type, 'antenna type', 15),
    text(antenna.radome, 'radome', 5),
    text(antenna.serialNumber, 'antenna serial number', 20),
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
    'Ant E  ',
    ...(hasAzimuth ? ['AntDAZ'] : []),
    hasAzimuth ? 'Receiver Type      ' : 'Receiver Type       ',
    'Vers                ',
    'SwVer',
    'Receiver SN         ',
    'Antenna Type   ',
    'Dome ',
    'Antenna SN          ',
  ].join('  ');

/** station.info. @param hasAzimuth whether it has the alignment from true north */
export const stationInfo = (options: FormatOptions, hasAzimuth: boolean): SiteFile => ({
  comment: (text) => `# ${text}\n`,
  parts: [
    {
      begin: [
        '# station.info, written by gnss-site-setups from site logs.\n',
        '# Station names have at most 16 characters. Lines end where the next begins, if that is at most a day later.\n',
        `${labels(hasAzimuth)}\n`,
      ].join(''),
      ofSite: (history, note) => {
        const { site, namesakes } = history;
        if (namesakes.length > 0) {
          note('left out: another Site with the same four characters comes before');
          return [];
        }
        const start = (from: Instant): Instant => (from.slice(0, 4) < FIRST_YEAR ? `${FIRST_YEAR}-01-01T00:00:00Z` : from);
        const lines = linesOf(
          history,
          (interval, say) => {
            if (start(interval.from) !== interval.from) say(`start ${interval.from} is written as 1980, the first year that GAMIT reads`);
            return fieldsOf(interval, hasAzimuth, say);
          },
          { ...options, bridge: BRIDGE },
        ).filter(({ to }) => to === null || to.slice(0, 4) >= FIRST_YEAR);
        const name = description(site.name, 16);
        return timedLines(
          lines,
          (from, to, text) => ` ${site.fourCharacterId}  ${name}  ${time(start(from))}  ${to === null ? OPEN : time(to)}  ${text}`,
          note,
        );
      },
      end: '',
    },
  ],
});
