import { withSingleBlanks } from '../../words.js';
import {
  endsBeforeRadome,
  isWordAndRadome,
  joinAntennaType,
  splitInAnyColumns,
} from '../antenna-type.js';
import { behindMultipleLines, isHint, isNoValue } from './hints.js';
import { LONGEST_VALUE } from './limits.js';

/**
 * The result of reading one value of a site log: the value (`null` if unknown) and, if the text
 * deviates from the form, a remark for a finding. Readers never guess: text that is not clearly a
 * value is unknown.
 */
export interface Reading<T> {
  value: T | null;
  remark?: Remark;
}

/** How the text of a value deviates from the form. */
export type Remark =
  /** It cannot be read as what was expected. */
  | { code: 'unreadable-value'; expected: string }
  /** It was read despite a deviation. */
  | {
      code: 'deviating-value';
      deviation: string;
      read: string;
      /** Whether a part of the text could not be read, such as the time of day; a warning. */
      isPartial?: true;
    };

/** A value that is unknown, without a finding. */
export const unknown: Reading<never> = { value: null };
/** A value that cannot be read as what was expected. */
export const unreadable = (expected: string): Reading<never> => ({
  value: null,
  remark: { code: 'unreadable-value', expected },
});

/** A numeric character reference. */
const REFERENCE = /&#(?:(\d{1,7})|x([\da-f]{1,6}));/gi;

/**
 * Decodes numeric character references, which are in a value only if it was escaped twice:
 * `M&#233;t&#233;o`. Those of control characters and of no character stay as written.
 */
export function decodeReferences(text: string): string {
  if (!text.includes('&#')) return text;
  return text.replace(REFERENCE, (reference, decimal: string | undefined, hexadecimal: string) => {
    const code = decimal === undefined ? parseInt(hexadecimal, 16) : Number(decimal);
    return code <= 0x10ffff && !/[\p{Cc}\p{Cs}]/u.test(String.fromCodePoint(code))
      ? String.fromCodePoint(code)
      : reference;
  });
}

/** Control characters, and the ends of lines other than line feeds. */
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
/** What most texts have none of. */
const ANY = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/;

/** A text whose only control characters are line feeds. */
export const withoutControls = (text: string): string =>
  ANY.test(text) ? text.replace(LINE_ENDS, '\n').replace(CONTROLS, ' ') : text;

/**
 * The text of a value as written, or null if it is blank or a hint. Inner spaces are
 * preserved.
 */
export const readRaw = (text: string): string | null => withoutHint(withoutControls(text).trim());

/** The same of a text without control characters, and without blanks around it. */
export function withoutHint(trimmed: string): string | null {
  if (!trimmed.startsWith('(')) return trimmed === '' ? null : trimmed;
  return isHint(trimmed) ? null : behindMultipleLines(trimmed);
}

/**
 * Like {@link readRaw}, but words for "unknown" (`none`, `n/a`, `unknown`, `unkn`) are null as
 * well.
 */
export function readString(text: string): string | null {
  const raw = readRaw(text);
  return raw === null || isNoValue(raw) ? null : raw;
}

/** Running text: line breaks and runs of spaces become one space; words for "unknown" are null. */
export function readProse(text: string): string | null {
  const value = readString(text);
  return value === null ? null : withSingleBlanks(value);
}

/** A text with spaces in place of line breaks. Other inner spaces are preserved. */
export const withoutLineBreaks = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

/**
 * A code on one line: line breaks become spaces; other inner spaces are preserved. A word for
 * "unknown" beside the radome of an antenna is null, too.
 */
export function readCode(text: string): string | null {
  const value = readString(text);
  const code = value === null ? null : withoutLineBreaks(value);
  const model = code === null ? null : (splitInAnyColumns(code)?.model ?? null);
  return model !== null && isNoValue(model) ? null : code;
}

/** Temperature Stabiliz., where `none` is a value. */
export function readStabilization(text: string): string | null {
  const value = readRaw(text);
  return value !== null && /^none$/i.test(value) ? 'none' : readProse(text);
}

/** Antenna Radome Type: a four-character IGS code; `NONE` is a value that means no radome. */
export function readRadome(text: string): string | null {
  const value = readRaw(text);
  return value !== null && /^none$/i.test(value) ? 'NONE' : readProse(text);
}

/**
 * The Antenna Type has 20 columns, the name in 1-16 and the radome in 17-20. If it ends with the
 * radome that the log also gives separately, or is one word and a radome, the radome is moved to
 * its columns. Otherwise it stays as it is.
 */
export function antennaType(type: string | null, radome: string | null): string | null {
  if (type === null || type.length > LONGEST_VALUE) return type;
  const found = splitInAnyColumns(type);
  if (found === null || !endsBeforeRadome(found.model)) return type;
  if (found.radome !== radome && !isWordAndRadome(found)) return type;
  return joinAntennaType(found.model, found.radome);
}

const SYSTEM_CODES: Record<string, string> = {
  GLONASS: 'GLO',
  GALILEO: 'GAL',
  BEIDOU: 'BDS',
  COMPASS: 'BDS',
  CMP: 'BDS',
  QZS: 'QZSS',
  IRNS: 'IRNSS',
  NAVIC: 'IRNSS',
};

/**
 * Satellite systems, joined by `+` in the order given. `GPS/GLONASS` (used before 2012) and
 * `GPS+GLO` give the same result. Unknown systems stay as written.
 */
export function readSatelliteSystem(text: string): string | null {
  const value = readString(text);
  if (value === null) return null;
  const codes = value
    .split(/[\s+/,;&]+/)
    .filter((word) => word !== '' && word.toLowerCase() !== 'and')
    .map((word) => SYSTEM_CODES[word.toUpperCase()] ?? word);
  return codes.length === 0 ? null : [...new Set(codes)].join('+');
}
