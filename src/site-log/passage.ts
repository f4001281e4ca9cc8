import { WITHHELD } from './written-values.js';

/** Texts of a file with the places from which they come, so that a part of a text can be replaced in the file. */

/** A part of a text, and its place in the file. If the lengths differ, it stands for the whole place, as `&` for `&amp;`. */
export interface Segment {
  text: string;
  begin: number;
  end: number;
}

/** What replaces a part of a file. */
export type Edit = Segment;

/** What ends a line. */
export const LINE_BREAK = /\r\n|\n|\r/g;

/** A segment of unchanged characters. */
export const segmentOf = (source: string, begin: number, end: number): Segment => ({ text: source.slice(begin, end), begin, end });

/** One text of a file: a value with all its lines, or what is between values. */
export class Passage {
  readonly text: string;

  /**
   * @param segments the parts of the text, in the order of the file
   * @param isPersonal whether all of it is personal
   */
  constructor(
    readonly segments: Segment[],
    readonly isPersonal: boolean,
  ) {
    this.text = segments.map(({ text }) => text).join('');
  }

  /** The passage with each match of a pattern decoded into a shorter text. */
  decoded(pattern: RegExp, decode: (found: string) => string): Passage {
    if (this.text.search(pattern) < 0) return this;
    const ranges: [number, number][] = [];
    let at = 0;
    for (const { index, 0: match } of this.text.matchAll(pattern)) {
      ranges.push([at, index], [index, index + match.length]);
      at = index + match.length;
    }
    const segments = this.partsOf([...ranges, [at, this.text.length]]).flatMap((parts, index) =>
      // Every second range is a match.
      index % 2 === 0 ? parts : [{ text: decode(parts.map(({ text }) => text).join('')), begin: parts[0]!.begin, end: parts.at(-1)!.end }],
    );
    return new Passage(segments, this.isPersonal);
  }

  /** The segments, or parts of them, that the parts of the text come from. @param ranges in order, without overlaps */
  private partsOf(ranges: [number, number][]): Segment[][] {
    let index = 0;
    let offset = 0;
    return ranges.map(([begin, end]) => {
      const parts: Segment[] = [];
      while (index < this.segments.length) {
        const segment = this.segments[index]!;
        const next = offset + segment.text.length;
        if (next > begin) {
          const [first, last] = [Math.max(begin, offset) - offset, Math.min(end, next) - offset];
          const isExact = segment.text.length === segment.end - segment.begin;
          if (last > first) {
            const text = segment.text.slice(first, last);
            parts.push(isExact ? { text, begin: segment.begin + first, end: segment.begin + last } : { ...segment, text });
          }
        }
        if (next > end) break;
        index++;
        offset = next;
      }
      return parts;
    });
  }

  /** The edits that replace parts of the text, but leave its line breaks. */
  edits(source: string, ranges: [number, number][]): Edit[] {
    return this.partsOf(ranges).flatMap((parts) => {
      const runs = parts.flatMap(({ begin, end }) => linesIn(source, begin, end));
      return runs.map(([begin, end], index) => ({ text: index === 0 ? WITHHELD : '', begin, end }));
    });
  }
}

/** The parts of a source that are not line breaks. */
function linesIn(source: string, begin: number, end: number): [number, number][] {
  const lines: [number, number][] = [];
  let at = begin;
  for (const { index, 0: lineBreak } of source.slice(begin, end).matchAll(LINE_BREAK)) {
    if (begin + index > at) lines.push([at, begin + index]);
    at = begin + index + lineBreak.length;
  }
  if (end > at) lines.push([at, end]);
  return lines;
}
