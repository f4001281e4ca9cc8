import type { Instant, Period } from '../../schemas/index.js';
import { enumerated } from '../words.js';

/**
 * What a file for geodetic software cannot represent exactly. A note is a code with values; its
 * sentence is made when it is shown.
 */

/** The kinds of notes, in the words used to count them: singular and plural. */
const NOTE_KINDS = {
  spelling: ['value that is not in ASCII', 'values that are not in ASCII'],
  cut: ['value cut', 'values cut'],
  rounded: ['value rounded', 'values rounded'],
  width: ['value too large for its columns', 'values too large for their columns'],
  unknown: ['value unknown', 'values unknown'],
  radome: ['unclear radome', 'unclear radomes'],
  referencePoint: ['unusual antenna reference point', 'unusual antenna reference points'],
  eccentricity: ['time with an unknown eccentricity', 'times with an unknown eccentricity'],
  zero: ['note about blank eccentricities', 'notes about blank eccentricities'],
  several: [
    'time with several receivers or antennas in use',
    'times with several receivers or antennas in use',
  ],
  bridged: ['gap bridged', 'gaps bridged'],
  gap: ['time without a receiver or an antenna', 'times without a receiver or an antenna'],
  type: ['time with an unknown type', 'times with an unknown type'],
  year: ['year that the format cannot express', 'years that the format cannot express'],
  position: ['position that cannot be written', 'positions that cannot be written'],
  domes: ['DOMES number left out', 'DOMES numbers left out'],
  otherDomes: [
    'note about DOMES numbers of another form',
    'notes about DOMES numbers of another form',
  ],
  noPlace: [
    'note about values for which the format has no place',
    'notes about values for which the format has no place',
  ],
  sameId: ['Site that shares its four characters', 'Sites that share their four characters'],
  noSetup: ['Site without a Setup', 'Sites without a Setup'],
} as const satisfies Record<string, readonly [one: string, several: string]>;

type NoteKind = keyof typeof NOTE_KINDS;

/** What a line is about: one receiver and one antenna. */
type Device = 'receiver' | 'antenna';
/** What a block or a file is about. */
export type Devices = 'receivers' | 'antennas';

/** The value of one eccentricity, in metres. */
export interface NamedValue {
  name: string;
  value: number;
}

/** A change of one eccentricity, as it is written. */
interface ValueChange {
  name: string;
  before: string;
  after: string;
}

/** A value of a receiver or an antenna for which some formats have no place. */
export type Unplaced = 'alignment' | 'cutoff' | 'referencePoint';

/** What is wrong with a DOMES number. */
export type DomesFault = 'form' | 'few-digits' | 'alike-digits';

/** Why there is no line or record. */
export type Reason =
  | { code: 'no-device'; device: Device }
  | { code: 'unknown-type'; device: Device }
  /** The names of those that are unknown, and those that are too wide; at least one. */
  | { code: 'eccentricities'; unknown: string[]; tooWide: NamedValue[]; known: NamedValue[] }
  /** GAMIT reads no year before the first. */
  | { code: 'early-year'; firstYear: string }
  | { code: 'unknown-position'; unknown: string[] }
  | { code: 'wide-height'; height: number };

type NoteCode = keyof typeof NOTES;
type ValuesOf<Code extends NoteCode> =
  (typeof NOTES)[Code] extends About<infer Values> ? Values : never;
/** A note in lines with times has a period. */
type NoteWith<Code extends NoteCode> = ValuesOf<Code> & {
  code: Code;
  /** The time that it is about; omitted if it is about no time, or about the only one. */
  period?: Period;
};

/** Something that cannot be written as it is. */
export type Note = { [Code in NoteCode]: NoteWith<Code> }[NoteCode];
/** The note that there is no line, for a period or for a Site. */
export type NoLineNote = NoteWith<'no-line'>;
/** A note about a time. */
export type TimedNote = Note & { period: Period };

/** Says that something cannot be written as it is. */
export type AddNote = (note: Note) => void;

/** Discards notes. */
export const SILENT: AddNote = () => undefined;

/** A note about a Site, or about a whole file. */
export interface SiteNote {
  /** The id by which notes name the Site; null if the note is about the whole file. */
  site: string | null;
  note: Note;
}

/** Of how many values of a position one says which are unknown. */
const POSITION_VALUES = 6;

/** Says which values of a position are unknown, which can be written in neither form. */
const unknownPosition = (unknown: readonly string[]): string =>
  unknown.length === POSITION_VALUES ? 'position unknown' : `${enumerated(unknown)} unknown`;

/** Says which values are unknown: `north and east eccentricity unknown`. */
const unknownEccentricities = (names: readonly string[]): string =>
  `${enumerated(names)} eccentricity unknown`;

function sentenceAboutEccentricities({
  unknown,
  tooWide,
  known,
}: Extract<Reason, { code: 'eccentricities' }>): string {
  const wrong = unknown.length === 0 ? [] : [unknownEccentricities(unknown)];
  for (const { name, value } of tooWide)
    wrong.push(`${name} eccentricity ${value} does not fit its columns`);
  const sentence = wrong.join('; ');
  if (known.length === 0) return sentence;
  return `${sentence} (${enumerated(known.map(({ name, value }) => `${name} is ${value}`))})`;
}

function sentenceAboutReason(reason: Reason): string {
  switch (reason.code) {
    case 'no-device':
      return `no ${reason.device}`;
    case 'unknown-type':
      return `${reason.device} type unknown`;
    case 'eccentricities':
      return sentenceAboutEccentricities(reason);
    case 'early-year':
      return `GAMIT reads no year before ${reason.firstYear}`;
    case 'unknown-position':
      return unknownPosition(reason.unknown);
    case 'wide-height':
      return `height ${reason.height} does not fit its columns`;
  }
}

/** Why there is no line, as one text. */
export const sentenceAboutReasons = (reasons: readonly Reason[]): string =>
  reasons.map(sentenceAboutReason).join('; ');

const KIND_OF_REASON: Record<Exclude<Reason['code'], 'eccentricities'>, NoteKind> = {
  'no-device': 'gap',
  'unknown-type': 'type',
  'early-year': 'year',
  'unknown-position': 'position',
  'wide-height': 'position',
};

/** The kind of a note about a missing line: that of the last reason. */
function kindOfReasons(reasons: readonly Reason[]): NoteKind {
  const last = reasons.at(-1)!;
  if (last.code !== 'eccentricities') return KIND_OF_REASON[last.code];
  return last.unknown.length > 0 ? 'eccentricity' : 'width';
}

const DOMES_FAULTS: Record<DomesFault, string> = {
  form: 'it does not have nine capital letters or digits',
  'few-digits': 'it has fewer than five digits',
  'alike-digits': 'its digits are all alike',
};

const heightWritten = (heightCode: string): string =>
  `the height is written as that of the ARP (${heightCode})`;

function sentenceAboutOtherDomes({
  domesNumber,
  others,
}: {
  domesNumber: string;
  others: number;
}): string {
  const which = `DOMES number "${domesNumber}"`;
  const form = 'not of the IERS form (five digits, M or S, three digits)';
  if (others === 0) return `${which} is ${form}; it is written as it is`;
  const rest = counted(others, ['other', 'others']);
  return `${which} and ${rest} of this file are ${form}; they are written as they are`;
}

/** The values for which formats have no place, in the words used to count them. */
const UNPLACED: Record<Unplaced, readonly [one: string, several: string]> = {
  alignment: ['alignment from true north', 'alignments from true north'],
  cutoff: ['elevation cut-off', 'elevation cut-offs'],
  referencePoint: ['antenna reference point', 'antenna reference points'],
};
const UNPLACED_VALUES = Object.keys(UNPLACED) as Unplaced[];

/** A number of things: `1,881 gaps`. */
const counted = (count: number, [one, several]: readonly [string, string]): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`;

function sentenceAboutUnplaced(counts: Record<Unplaced, number>): string {
  const found = UNPLACED_VALUES.filter((what) => counts[what] > 0);
  const names = found.map((what) => counted(counts[what], UNPLACED[what]));
  return `left out, because the format has no place: ${enumerated(names)}`;
}

function sentenceAboutChanged(changed: readonly ValueChange[]): string {
  if (changed.length === 0) return 'a change cannot be seen';
  const which = changed.map(({ name, before, after }) => `${name} from ${before} to ${after}`);
  return `the change of ${which.join(', ')} is dated at the end`;
}

function sentenceAboutZeros({ others }: { others: number }): string {
  const sites =
    others === 1
      ? 'the log of another Site'
      : `the logs of ${others.toLocaleString('en')} other Sites`;
  return others === 0 ? 'taken as 0' : `taken as 0, and so are blanks in ${sites} of this file`;
}

/** Why SINEX cannot express a time. */
const TWO_DIGITS = 'SINEX years have two digits';

/** Words about a note: always the same, or made of its values. */
type Words<Values> = string | ((values: Values) => string);

/** What is known about the notes of a code. */
interface About<Values> {
  kind: NoteKind | ((values: Values) => NoteKind);
  /** What is so. The period follows, if the note has one. */
  what: Words<Values>;
  /** What is written instead, or why, if that needs words. */
  instead: Words<Values>;
}

/** Declares the notes of a code. */
const about = <Values = object>(
  kind: About<Values>['kind'],
  what: Words<Values>,
  instead: Words<Values> = '',
): About<Values> => ({ kind, what, instead });

const NOTES = {
  spelling: about<{ what: string; value: string; written: string }>(
    'spelling',
    ({ what, value, written }) => `${what} "${value}" is written as "${written}"`,
  ),
  cut: about<{ what: string; value: string; written: string }>(
    'cut',
    ({ what, value, written }) => `${what} "${value}" is cut to "${written}"`,
  ),
  'agency-abbreviated': about<{ agency: string; written: string }>(
    'width',
    ({ agency, written }) => `agency "${agency}" is written as "${written}"`,
  ),
  'agency-left-out': about<{ agency: string }>(
    'width',
    ({ agency }) => `agency "${agency}" is too long, and has no abbreviation; left out`,
  ),
  rounded: about<{ what: string; value: number; written: string }>(
    'rounded',
    ({ what, value, written }) => `${what} ${value} is written as ${written}`,
  ),
  unknown: about<{ what: string }>('unknown', ({ what }) => `${what} unknown`),
  'unknown-radome': about<{ written: string }>(
    'unknown',
    'radome unknown',
    ({ written }) => `written as ${written}`,
  ),
  'unknown-reference-point': about<{ heightCode: string }>(
    'unknown',
    'antenna reference point unknown',
    ({ heightCode }) => heightWritten(heightCode),
  ),
  'unknown-nine-characters': about(
    'unknown',
    'nine-character id unknown',
    'the marker name has four characters',
  ),
  'other-reference-point': about<{ referencePoint: string; heightCode: string }>(
    'referencePoint',
    ({ referencePoint }) =>
      `antenna reference point "${referencePoint}" is not a code of antenna.gra`,
    ({ heightCode }) => heightWritten(heightCode),
  ),
  'radome-no-code': about<{ radome: string; written: string }>(
    'radome',
    ({ radome, written }) => `radome "${radome}" is written as ${written}`,
    'it is not a code of four letters or digits',
  ),
  'radome-contradiction': about<{ written: string; other: string }>(
    'radome',
    ({ written, other }) =>
      `radome "${written}" of the antenna type is written; Antenna Radome Type is "${other}"`,
  ),
  'wide-firmware': about<{ firmware: string }>(
    'width',
    ({ firmware }) => `firmware "${firmware}" has no number that fits the five columns of SwVer`,
  ),
  'wide-azimuth': about<{ azimuth: number }>(
    'width',
    ({ azimuth }) => `alignment from true north ${azimuth} is left out`,
    'it does not fit its columns',
  ),
  'wide-position': about<{ position: (number | null)[] }>(
    'position',
    ({ position }) => `position ${position.join(' ')} does not fit its columns`,
  ),
  'unknown-position': about<{ unknown: string[] }>('position', ({ unknown }) =>
    unknownPosition(unknown),
  ),
  /** Eccentricities in a list of offsets; those that changed while they were unknown. */
  'unknown-eccentricities': about<{ names: string[]; changed: ValueChange[] }>(
    'eccentricity',
    ({ names }) => unknownEccentricities(names),
    ({ changed }) => sentenceAboutChanged(changed),
  ),
  /** The eccentricities blank in a log, and how many other Sites of the file have such blanks. */
  'zero-written': about<{ names: string[]; others: number }>(
    'zero',
    ({ names }) => `${enumerated(names)} eccentricity blank in the log`,
    sentenceAboutZeros,
  ),
  'several-in-use': about<{ devices: Devices }>(
    'several',
    ({ devices }) => `several ${devices} in use`,
    'the one installed last is written',
  ),
  'gap-bridged': about<{ from: Instant; to: Instant }>(
    'bridged',
    ({ from, to }) => `the gap from ${from} to ${to} is bridged`,
  ),
  'not-in-use': about<{ device: Device }>('gap', ({ device }) => `no ${device} in use`),
  /** Null: the format has only one block. */
  'no-line': about<{ block: string | null; reasons: Reason[] }>(
    ({ reasons }) => kindOfReasons(reasons),
    ({ block }) => (block === null ? 'no line' : `no line in ${block}`),
    ({ reasons }) => sentenceAboutReasons(reasons),
  ),
  'no-record': about<{ record: string; reasons: Reason[] }>(
    ({ reasons }) => kindOfReasons(reasons),
    ({ record }) => `no ${record}`,
    ({ reasons }) => sentenceAboutReasons(reasons),
  ),
  'no-header': about('noSetup', 'no header', 'the Site has no Setup at that time'),
  'start-unsayable': about<{ start: Instant; devices: Devices }>(
    'year',
    ({ start, devices }) => `start ${start} of ${devices} is written as unknown`,
    TWO_DIGITS,
  ),
  'end-unsayable': about<{ end: Instant; devices: Devices }>(
    'year',
    ({ end, devices }) => `end ${end} of ${devices} is written as open`,
    TWO_DIGITS,
  ),
  'change-unsayable': about<{ at: Instant }>(
    'year',
    ({ at }) => `a change at ${at} is left out`,
    TWO_DIGITS,
  ),
  'early-start': about<{ start: Instant; firstYear: string }>(
    'year',
    ({ start, firstYear }) =>
      `start ${start} is written as ${firstYear}, the first year that GAMIT reads`,
  ),
  'domes-left-out': about<{ domesNumber: string; fault: DomesFault }>(
    'domes',
    ({ domesNumber }) => `DOMES number "${domesNumber}" is left out`,
    ({ fault }) => DOMES_FAULTS[fault],
  ),
  /** The first number of this form, and how many others the file has. */
  'domes-of-other-form': about<{ domesNumber: string; others: number }>(
    'otherDomes',
    sentenceAboutOtherDomes,
  ),
  /** How many known values a file leaves out. An alignment of 0 is not counted. */
  'unplaced-values': about<Record<Unplaced, number>>('noPlace', sentenceAboutUnplaced),
  /** How many Sites with the same four characters come before, at least. */
  'left-out': about<{ namesakes: number }>('sameId', 'left out', ({ namesakes }) =>
    namesakes === 1
      ? 'another Site with the same four characters comes before'
      : `${namesakes} Sites with the same four characters come before`,
  ),
  /** The name that another Site has in the file, because its site log is not older. */
  'name-taken': about<{ name: string }>(
    'sameId',
    'left out',
    ({ name }) => `another Site with the name "${name}" is written: its site log is not older`,
  ),
  'point-code': about<{ pointCode: string }>(
    'sameId',
    ({ pointCode }) =>
      `written with point code ${pointCode}, because another Site has the same four characters`,
  ),
  'old-name': about<{ oldName: string }>(
    'sameId',
    ({ oldName }) =>
      `the old station name is "${oldName}", because another Site has the same four characters`,
  ),
};

/** The note, and what is known about its code. */
const aboutOf = (note: Note): About<Note> => NOTES[note.code] as About<Note>;

/** A note as a sentence: `no line from 2001-01-01T00:00:00Z to now: no receiver`. */
export function sentenceOf(note: Note): string {
  const { what, instead } = aboutOf(note);
  const worded = (words: Words<Note>): string => (typeof words === 'string' ? words : words(note));
  const { period } = note;
  const when = period === undefined ? '' : ` from ${period.from} to ${period.to ?? 'now'}`;
  const sentence = worded(what) + when;
  const rest = worded(instead);
  return rest === '' ? sentence : `${sentence}: ${rest}`;
}

/** Whether a note says that a value is unknown. In lines with times, it is about the time. */
export const isAboutUnknown = (note: Note): boolean => aboutOf(note).kind === 'unknown';

/** Whether two notes say the same, perhaps about different times. */
export const saysTheSame = (note: Note, other: Note): boolean =>
  note.code === other.code &&
  JSON.stringify({ ...note, period: null }) === JSON.stringify({ ...other, period: null });

/** How many notes of each kind there are, the most frequent first: `1,881 gaps bridged`. */
export function countsOf(notes: readonly Note[]): string[] {
  const kindOf = (note: Note): NoteKind => {
    const { kind } = aboutOf(note);
    return typeof kind === 'string' ? kind : kind(note);
  };
  const ofKinds = [...Map.groupBy(notes, kindOf)];
  ofKinds.sort(([, some], [, others]) => others.length - some.length);
  return ofKinds.map(([kind, { length }]) => counted(length, NOTE_KINDS[kind]));
}
