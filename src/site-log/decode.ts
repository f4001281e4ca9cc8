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

/** The characters of the bytes in which windows-1252 differs from Latin-1. */
const OTHER_BYTES = Uint8Array.from({ length: 0x20 }, (_, index) => 0x80 + index);
const OTHER_CHARACTERS = new TextDecoder(FALLBACK).decode(OTHER_BYTES);

/** The text of bytes in windows-1252. For many short texts, a decoder takes too long. */
const fallbackText = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (character) => OTHER_CHARACTERS[character.charCodeAt(0) - 0x80]!);

/** Decodes lines of which at least one is not UTF-8. */
function decodeLines(bytes: Buffer): DecodedFile {
  const texts: string[] = [];
  let number = 0;
  let otherLines = 0;
  let firstOther: number | null = null;
  // Lines in a row that are read the same way.
  let run = { begin: 0, isValid: true };
  const endRun = (end: number): void => {
    const lines = bytes.subarray(run.begin, end);
    texts.push(run.isValid ? lines.toString('utf8') : fallbackText(lines));
  };
  let end = 0;
  for (let begin = 0; begin < bytes.length; begin = end) {
    end = endOfLine(bytes, begin);
    number++;
    const isValid = isUtf8(bytes.subarray(begin, end));
    if (isValid !== run.isValid) {
      endRun(begin);
      run = { begin, isValid };
    }
    if (isValid) continue;
    otherLines++;
    firstOther ??= number;
  }
  endRun(end);
  return { text: texts.join('').replace(/^\ufeff/, ''), otherLines, firstOther };
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
  return decodeLines(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}
