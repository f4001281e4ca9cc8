import { Buffer, isUtf8 } from 'node:buffer';

/** Decodes the bytes of a file, line by line where they are not UTF-8. */

/** How a line that is not UTF-8 is read. */
export const FALLBACK = 'windows-1252';

/** The text of a file. */
export interface DecodedFile {
  text: string;
  /** How many lines are not UTF-8. */
  otherLines: number;
  /** The number of the first of them, counted from 1; null if there are none. */
  firstOther: number | null;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Where the line that begins at a place ends, with its line end. */
function endOfLine(bytes: Uint8Array, begin: number): number {
  let end = begin;
  while (end < bytes.length && bytes[end] !== LINE_FEED && bytes[end] !== CARRIAGE_RETURN) end++;
  if (bytes[end] === CARRIAGE_RETURN && bytes[end + 1] === LINE_FEED) end++;
  return Math.min(end + 1, bytes.length);
}

/** The number of bytes of a character in UTF-8, by its first byte; 0 if none begins so. */
function lengthOfCharacter(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** The least second byte after these first bytes: others would encode a shorter character. */
const LEAST_SECOND: Readonly<Record<number, number>> = { 0xe0: 0xa0, 0xf0: 0x90 };
/** The greatest second byte after these: others would encode a surrogate, or nothing. */
const MOST_SECOND: Readonly<Record<number, number>> = { 0xed: 0x9f, 0xf4: 0x8f };

/**
 * Whether a part of the bytes is UTF-8. `isUtf8` of Node.js takes a microsecond for each line, and
 * there can be a million.
 */
function isUtf8Part(bytes: Uint8Array, begin: number, end: number): boolean {
  let at = begin;
  while (at < end) {
    const first = bytes[at]!;
    const next = at + lengthOfCharacter(first);
    if (next === at || next > end) return false;
    for (let index = at + 1; index < next; index++)
      if (bytes[index]! < 0x80 || bytes[index]! > 0xbf) return false;
    if (first >= 0xe0) {
      const second = bytes[at + 1]!;
      if (second < (LEAST_SECOND[first] ?? 0x80)) return false;
      if (second > (MOST_SECOND[first] ?? 0xbf)) return false;
    }
    at = next;
  }
  return true;
}

/** Each byte of windows-1252 in UTF-8. */
const FALLBACK_BYTES = Array.from({ length: 0x100 }, (_, byte) =>
  Buffer.from(new TextDecoder(FALLBACK).decode(Uint8Array.of(byte))),
);
/** The most bytes that a character of windows-1252 has in UTF-8. */
const MOST_BYTES = 3;

/**
 * Decodes lines of which at least one is not UTF-8. It writes these in UTF-8, and decodes all
 * together: strings of single lines take too long.
 */
function decodeLines(bytes: Uint8Array): DecodedFile {
  const encoded = Buffer.allocUnsafe(bytes.length * MOST_BYTES);
  let length = 0;
  let number = 0;
  let otherLines = 0;
  let firstOther: number | null = null;
  let end = 0;
  for (let begin = 0; begin < bytes.length; begin = end) {
    end = endOfLine(bytes, begin);
    number++;
    const isValid = isUtf8Part(bytes, begin, end);
    if (!isValid) {
      otherLines++;
      firstOther ??= number;
    }
    for (let at = begin; at < end; at++) {
      const byte = bytes[at]!;
      if (isValid || byte < 0x80) encoded[length++] = byte;
      else for (const each of FALLBACK_BYTES[byte]!) encoded[length++] = each;
    }
  }
  const text = encoded.toString('utf8', 0, length).replace(/^\ufeff/, '');
  return { text, otherLines, firstOther };
}

/**
 * The text of a file in UTF-16 (with a byte order mark) or UTF-8 (with or without one), in which
 * each line that is not UTF-8 is read as windows-1252, so that one byte of Latin-1 spoils no other
 * line.
 */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  const whole = (encoding: string): DecodedFile => ({
    text: new TextDecoder(encoding).decode(bytes),
    otherLines: 0,
    firstOther: null,
  });
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return whole('utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return whole('utf-16be');
  if (isUtf8(bytes)) return whole('utf-8');
  return decodeLines(bytes);
}

/** The text of a file, whatever its encoding. */
export const decode = (bytes: Uint8Array): string => decodeFile(bytes).text;
