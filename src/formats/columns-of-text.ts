import type { AddNote } from '../findings/notes.js';

/** Text in fixed columns, in ASCII, as the formats of geodetic software need it. */

/** Letters that have no decomposition into an ASCII letter and a mark. */
const SPELLINGS: Record<string, string> = {
  ß: 'ss',
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Ð: 'D',
  ð: 'd',
  Þ: 'Th',
  þ: 'th',
  ı: 'i',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
};

/** A text in printable ASCII: letters without their marks, and `?` for all other characters. */
export const ascii = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/gu, (character) => SPELLINGS[character] ?? character)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '?');

/**
 * A description in its columns: in ASCII, and cut. The formats that use it say so at their
 * beginning.
 */
export const description = (text: string | null | undefined, width: number): string =>
  ascii(text ?? '')
    .slice(0, width)
    .padEnd(width);

/** How a value is written. */
interface Field {
  /** What the value is, for notes. */
  what: string;
  width: number;
  /** What stands for an unknown value; blanks by default. */
  unknown?: string;
}

/** A field that is filled with dashes if its value is unknown. */
export const dashed = (what: string, width: number): Field => ({
  what,
  width,
  unknown: '-'.repeat(width),
});

/**
 * A value in its columns. Notes name it as the log has it.
 * @param fitting the same, perhaps with fewer blanks
 */
function fittedField(
  value: string,
  fitting: string,
  { what, width, unknown = '' }: Field,
  note: AddNote,
): string {
  if (fitting.trim() === '') return unknown.padEnd(width);
  const written = ascii(fitting).slice(0, width).trimEnd();
  if (ascii(fitting) !== fitting) note({ code: 'spelling', what, value, written });
  else if (fitting.length > width) note({ code: 'cut', what, value, written });
  return written.padEnd(width);
}

/** A value in its columns. A note says if it is too long, or not in ASCII. */
export function field(value: string | null | undefined, columns: Field, note: AddNote): string {
  return fittedField(value ?? '', value ?? '', columns, note);
}

/** The same for firmware: runs of blanks are reduced to one only if there is no room otherwise. */
export function firmwareField(value: string | null, columns: Field, note: AddNote): string {
  const firmware = value ?? '';
  return fittedField(firmware, fittingFirmware(firmware, columns.width), columns, note);
}

/** Firmware as the log has it, or with single blanks if it is wider than its columns. */
export const fittingFirmware = (firmware: string, width: number): string =>
  firmware.length > width ? firmware.replace(/ +/g, ' ') : firmware;

/** The same, where programs look the value up: a note also says that it is unknown. */
export function name(value: string | null, columns: Field, note: AddNote): string {
  if (value === null) note({ code: 'unknown', what: columns.what });
  return field(value, columns, note);
}

/** The indentation of the lines of a comment after the first one. */
const INDENT = '  ';

/**
 * A text as the lines of a comment: in ASCII, each at most so many columns wide. It is broken at
 * blanks, except within long words, so that each line except the last is at least half full.
 */
export function commentLines(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = ascii(text);
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    const end = blank >= width / 2 ? blank : width;
    lines.push(rest.slice(0, end).trimEnd());
    rest = INDENT + rest.slice(end).trimStart();
  }
  lines.push(rest);
  return lines;
}

/** A number in its columns; null if it does not fit. Zero has no sign. */
export function decimal(value: number, width: number, digits: number): string | null {
  const text = value.toFixed(digits).replace(/^-(?=0\.?0*$)/, '');
  return text.length > width ? null : text.padStart(width);
}

/**
 * A number of the log in its columns; null if it is unknown or does not fit. A note says if it is
 * rounded.
 */
export function measured(
  value: number | null,
  { what, width, digits }: { what: string; width: number; digits: number },
  note: AddNote,
): string | null {
  const text = value === null ? null : decimal(value, width, digits);
  if (value !== null && text !== null && Number(text) !== value)
    note({ code: 'rounded', what, value, written: text.trim() });
  return text;
}
