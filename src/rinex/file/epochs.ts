import type { Instant } from '../../../schemas/index.js';
import { instantAt } from '../../requests/units-of-time.js';
import { fullYear } from '../header/file-name.js';
import type { Bytes } from './content.js';

/**
 * The last epoch of a file, from the lines after its header: RINEX 2, 3 and 4, plain or with
 * Hatanaka compression.
 */

/** The form of a file. */
interface FormOfFile {
  /** The RINEX version of its header. */
  version: string;
  /** Whether it has Hatanaka compression. */
  isCompact: boolean;
}

/** The most bytes that are read after a header. */
const MOST_BYTES = 8 * 1024 ** 3;
/** Epoch lines are shorter than this; of longer lines, the rest is not read. */
const LONGEST_LINE = 512;

/** Calls a function with each line of a text, cut after its first characters. */
async function eachLine(parts: Bytes, onLine: (line: string) => void): Promise<void> {
  let begin = '';
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error(`has more than ${MOST_BYTES} bytes`);
    let start = 0;
    for (;;) {
      const end = part.indexOf('\n', start);
      const stop = end === -1 ? part.length : end;
      const room = LONGEST_LINE - begin.length;
      if (room > 0) begin += part.toString('latin1', start, Math.min(stop, start + room));
      if (end === -1) break;
      onLine(begin.replace(/\r$/, ''));
      begin = '';
      start = end + 1;
    }
  }
  if (begin !== '') onLine(begin);
}

/** What an epoch line says. */
interface Epoch {
  /** Null if the line has no time, as for some events. */
  time: Instant | null;
  /** 0 and 1 are followed by observations; 6 by cycle slips; others are events. */
  flag: number;
  /** How many satellites, or special records, follow. */
  count: number;
}

/** Where an epoch line of a version has its parts. */
interface Layout {
  /** What it looks like, from its first column on, with or without a time. */
  form: RegExp;
  /** The index of its flag, which the count follows. */
  flag: number;
}

/** `> 2020 01 15 23 59 30.0000000  0  9` */
const LATER: Layout = {
  form: /^> (?:(\d{4}) ([ \d]\d) ([ \d]\d) ([ \d]\d) ([ \d]\d) ([ \d]\d\.[ \d]{7})| {26,27})  /,
  flag: 31,
};
/** ` 20  1 15 23 59 30.0000000  0  9G01G02` */
const EARLY: Layout = {
  form: /^ (?:([ \d]\d) ([ \d]\d) ([ \d]\d) ([ \d]\d) ([ \d]\d) ([ \d]\d\.[ \d]{7})| {25})  /,
  flag: 28,
};
const COUNT_WIDTH = 3;
const LAST_FLAG = 6;

/** The time in the parts of an epoch line; null if it does not exist. */
function timeOf(parts: string[]): Instant | null {
  const [year, month, day, hour, minute, second] = parts.map(Number) as [
    ...[number, number, number, number, number, number],
  ];
  const whole = parts[0]!.length === 2 ? fullYear(year) : year;
  const begin = new Date(Date.UTC(whole, month - 1, day, hour, minute));
  const exists =
    begin.getUTCMonth() === month - 1 && begin.getUTCDate() === day && hour < 24 && minute < 60;
  return exists && second < 61 ? instantAt(begin.getTime() + Math.floor(second) * 1000) : null;
}

/** Reads an epoch line; null if it is another line. */
function epochIn(line: string, { form, flag }: Layout): Epoch | null {
  const parts = form.exec(line);
  const digits = line.slice(flag, flag + 1 + COUNT_WIDTH);
  if (parts === null || !/^[0-6](?:  \d| \d\d|\d\d\d)$/.test(digits)) return null;
  const [, ...time] = parts as unknown as [string, ...(string | undefined)[]];
  const hasTime = time[0] !== undefined;
  const number = Number(digits[0]);
  if (!hasTime && number < 2) return null;
  return {
    time: hasTime ? timeOf(time as string[]) : null,
    flag: number,
    count: Number(digits.slice(1)),
  };
}

const isEvent = ({ flag }: Epoch): boolean => flag > 1 && flag < LAST_FLAG;
const hasObservations = ({ flag }: Epoch): boolean => flag < 2;

/** Follows lines as RINEX has them. */
class PlainLines {
  /** The last epoch with observations; null if there is none, or it cannot be told. */
  last: Instant | null = null;
  private skipped = 0;

  constructor(private readonly layout: Layout) {}

  push(line: string): void {
    if (this.skipped > 0) {
      this.skipped--;
      return;
    }
    const epoch = epochIn(line, this.layout);
    if (epoch === null) return;
    // What follows an event may look like an epoch.
    if (isEvent(epoch)) this.skipped = epoch.count;
    else if (hasObservations(epoch)) this.last = epoch.time ?? this.last;
  }
}

/** A line of Hatanaka compression: what differs from the one before; & is a blank. */
function repaired(before: string, difference: string): string {
  let line = '';
  for (let index = 0; index < Math.max(before.length, difference.length); index++) {
    const character = difference[index] ?? ' ';
    if (character === ' ') line += before[index] ?? ' ';
    else line += character === '&' ? ' ' : character;
  }
  return line;
}

/**
 * Follows lines of Hatanaka compression. After each epoch line come one of the clock, and one of
 * each satellite; after an event, its records.
 */
class CompactLines {
  private epochLine = '';
  private epoch: Instant | null = null;
  private skipped = 0;
  private isLost = false;

  constructor(private readonly layout: Layout) {}

  /** The last epoch with observations; null if the lines could not be followed to their end. */
  get last(): Instant | null {
    return this.isLost || this.skipped > 0 ? null : this.epoch;
  }

  push(line: string): void {
    if (this.isLost) return;
    if (this.skipped > 0) {
      this.skipped--;
      return;
    }
    const whole = this.wholeLine(line);
    const epoch = epochIn(whole, this.layout);
    if (epoch === null) {
      this.isLost = true;
      return;
    }
    if (!hasObservations(epoch)) {
      this.skipped = epoch.count;
      return;
    }
    this.epochLine = whole;
    this.epoch = epoch.time ?? this.epoch;
    this.skipped = epoch.count + 1;
  }

  /** An epoch line as RINEX has it. The first ones are whole. */
  private wholeLine(line: string): string {
    if (this.layout === EARLY && line.startsWith('&')) return ` ${line.slice(1)}`;
    if (line.startsWith('>')) return line;
    return repaired(this.epochLine, line);
  }
}

/**
 * The last epoch with observations; null if there is none, or it cannot be told.
 * @param parts what follows the header
 */
export async function lastEpoch(
  parts: Bytes,
  { version, isCompact }: FormOfFile,
): Promise<Instant | null> {
  const layout = /^[12]\b/.test(version) ? EARLY : LATER;
  const followed = isCompact ? new CompactLines(layout) : new PlainLines(layout);
  await eachLine(parts, (line) => followed.push(line));
  return followed.last;
}
