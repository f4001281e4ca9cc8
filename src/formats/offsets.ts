import type { Instant } from '../../schemas/index.js';
import { comparableValues, type Identity } from '../derive/devices.js';
import type { Note } from './columns-of-text.js';
import { csvLine } from './csv.js';
import { beginning, comment, epoch, isSayable, pointCode } from './sinex.js';
import type { FormatOptions, SiteFile } from './site-format.js';
import {
  type Antenna,
  eccentricities,
  type Interval,
  isDuring,
  noteSeveral,
  type Receiver,
  type SiteHistory,
} from './site-history.js';

/** Writes the changes that may be offsets in the time series of a Site. */

/** What changes: the antenna and its radome, the eccentricity; and if they are asked for, the receiver and its firmware. */
type Kind = 'antenna' | 'radome' | 'eccentricity' | 'receiver' | 'firmware';

/** The columns of an eccentricity, which has no blanks around it. */
const ECCENTRICITY_WIDTH = 20;

/** A change of one kind. */
interface Offset {
  at: Instant;
  kind: Kind;
  /** Null if unknown. */
  before: string | null;
  after: string | null;
}

/** Which changes besides those of the antenna. */
export interface OffsetOptions extends FormatOptions {
  receiverChanges: boolean;
}

/** A value as it is written, and as it is compared. Null if unknown. */
interface Value {
  text: string | null;
  compared: string | null;
}

const asWritten = (text: string | null | undefined): Value => ({
  text: text ?? null,
  compared: text ?? null,
});

/** A type with a serial number. A change of spelling alone is no change. */
function device(
  { type, serialNumber }: Pick<Antenna | Receiver, 'type' | 'serialNumber'>,
  equipmentType: DeviceType,
): Value {
  const text =
    type === null && serialNumber === null
      ? null
      : `${type ?? 'unknown type'} ${serialNumber ?? 'unknown serial number'}`;
  return {
    text,
    compared:
      text && JSON.stringify(comparableValues({ equipmentType, type, serialNumber } as Identity)),
  };
}

type DeviceType = 'gnss receiver' | 'gnss antenna';

const PARTS: Record<Kind, (interval: Interval, note: Note) => Value> = {
  antenna: ({ antenna }) => (antenna === null ? asWritten(null) : device(antenna, 'gnss antenna')),
  radome: ({ antenna }) => asWritten(antenna?.radome?.toUpperCase()),
  eccentricity: ({ antenna }, note) =>
    asWritten(
      antenna &&
        eccentricities(antenna, { width: ECCENTRICITY_WIDTH }, note)
          ?.map((each) => each.trim())
          .join(' '),
    ),
  receiver: ({ receiver }) =>
    receiver === null ? asWritten(null) : device(receiver, 'gnss receiver'),
  firmware: ({ receiver }) => asWritten(receiver?.firmware),
};

/** The changes of a Site in chronological order. A change across a gap is dated at the end of the gap. */
function offsetsOf(
  { intervals }: SiteHistory,
  { during, receiverChanges, firmwareChanges }: OffsetOptions,
  note: Note,
): Offset[] {
  for (const interval of intervals.filter((each) => isDuring(each, during)))
    noteSeveral(
      interval,
      receiverChanges || firmwareChanges ? ['antennas', 'receivers'] : ['antennas'],
      note,
    );
  const kinds = (Object.keys(PARTS) as Kind[]).filter(
    (kind) => (kind !== 'receiver' || receiverChanges) && (kind !== 'firmware' || firmwareChanges),
  );
  const isAsked = (at: Instant): boolean =>
    during === null ||
    ((during.from === null || at >= during.from) && (during.to === null || at < during.to));
  const offsets = kinds.flatMap((kind) => {
    const isReceiver = kind === 'receiver' || kind === 'firmware';
    const inUse = intervals.filter((each) => (isReceiver ? each.receiver : each.antenna) !== null);
    return inUse.slice(1).flatMap((interval, index): Offset[] => {
      const notes: string[] = [];
      const [before, after] = [inUse[index]!, interval].map((each) =>
        PARTS[kind](each, (text) => notes.push(text)),
      ) as [Value, Value];
      if (before.compared === after.compared || !isAsked(interval.from)) return [];
      for (const each of notes) note(each);
      return [{ at: interval.from, kind, before: before.text, after: after.text }];
    });
  });
  return offsets.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

/** The year with its fraction. */
function decimalYear(at: Instant): string {
  const year = Number(at.slice(0, 4));
  const [begin, end] = [Date.UTC(year, 0), Date.UTC(year + 1, 0)];
  return (year + (Date.parse(at) - begin) / (end - begin)).toFixed(6);
}

/** The modified Julian day of the beginning of 1970. */
const EPOCH_DAY = 40_587;

const modifiedJulianDay = (at: Instant): string =>
  (EPOCH_DAY + Date.parse(at) / 86_400_000).toFixed(5);

/** The offsets as CSV, one a line. */
export const offsetsCsv = (options: OffsetOptions): SiteFile => ({
  comment: null,
  parts: [
    {
      begin: csvLine([
        'fourCharacterId',
        'nineCharacterId',
        'epoch',
        'decimalYear',
        'modifiedJulianDay',
        'kind',
        'before',
        'after',
      ]),
      ofSite: (history, note) =>
        offsetsOf(history, options, note).map(({ at, kind, before, after }) => {
          const { fourCharacterId, nineCharacterId } = history.site;
          return csvLine([
            fourCharacterId,
            nineCharacterId,
            at,
            decimalYear(at),
            modifiedJulianDay(at),
            kind,
            before,
            after,
          ]);
        }),
      end: '',
    },
  ],
});

/** The offsets as SINEX: each time between two is a solution. @param organisation three characters; null if unknown */
export const offsetsSinex = (options: OffsetOptions, organisation: string | null): SiteFile => ({
  comment,
  parts: [
    {
      begin: [
        beginning(options.now, 'Discontinuities from site logs', organisation),
        '+SOLUTION/DISCONTINUITY\n',
        '*CODE PT SOLN T _DATA START_ __DATA_END__ M __COMMENT__________________________\n',
      ].join(''),
      ofSite: (history, note) => {
        const point = pointCode(history);
        if (point === null) note('left out: 26 Sites with the same four characters come before');
        const offsets = offsetsOf(history, options, note);
        for (const { at } of offsets.filter((each) => !isSayable(each.at)))
          note(`a change at ${at} is left out: SINEX has two digits for the year`);
        const sayable = offsets.filter(({ at }) => isSayable(at));
        if (point === null || sayable.length === 0) return [];
        const times = [...new Set(sayable.map(({ at }) => at))];
        const bounds = [null, ...times, null];
        return bounds.slice(1).map((to, index) => {
          const kinds = sayable.filter(({ at }) => at === to).map(({ kind }) => kind);
          const number = String(index + 1).padStart(4);
          const fields = ` ${history.site.fourCharacterId} ${point} ${number} P ${epoch(bounds[index]!)} ${epoch(to)} P`;
          return `${`${fields} - ${kinds.join(', ')}`.trimEnd()}\n`;
        });
      },
      end: '-SOLUTION/DISCONTINUITY\n%ENDSNX\n',
    },
  ],
});
