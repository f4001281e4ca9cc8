import type { Period } from '../../schemas/index.js';

/** Notes about what a file cannot represent exactly. */

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
  zero: [
    'time with a blank eccentricity written as 0',
    'times with a blank eccentricity written as 0',
  ],
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
  sameId: ['Site that shares its four characters', 'Sites that share their four characters'],
  noSetup: ['Site without a Setup', 'Sites without a Setup'],
} as const satisfies Record<string, readonly [one: string, several: string]>;

export type NoteKind = keyof typeof NOTE_KINDS;

/** Something that cannot be written as it is. */
export interface Noted {
  kind: NoteKind;
  text: string;
}

/** A period for which a file has no line, or the lack of any line; null means open. */
export interface LineMissing {
  /** The block in which the line would be; null if the format has only one. */
  place: string | null;
  /** Null if the Site has no line at any time. */
  period: Period | null;
  why: string;
}

/**
 * Says that something cannot be written as it is.
 * @param what is so; in lines with times, an unknown value gets the time in which it is unknown
 * @param instead what is written instead, if that needs words
 * @param missing what it is about, if it is about a line that there is not
 */
export type Note = (kind: NoteKind, what: string, instead?: string, missing?: LineMissing) => void;

/** What is so, and what is written instead, as one text. */
export const textOf = (what: string, instead?: string): string =>
  instead === undefined ? what : `${what}: ${instead}`;

/** Discards notes. */
export const SILENT: Note = () => undefined;

/** How many notes of each kind there are, the most frequent first: `1,881 gaps bridged`. */
export function countsOf(notes: readonly Pick<Noted, 'kind'>[]): string[] {
  const ofKinds = [...Map.groupBy(notes, ({ kind }) => kind)];
  ofKinds.sort(([, some], [, others]) => others.length - some.length);
  return ofKinds.map(([kind, { length }]) => {
    const [one, several] = NOTE_KINDS[kind];
    return `${length.toLocaleString('en')} ${length === 1 ? one : several}`;
  });
}
