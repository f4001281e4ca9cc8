import type { Instant } from '../../schemas/index.js';

/** A span of time with both ends. */
export interface Span {
  from: Instant;
  to: Instant;
}

const DAY = 86_400_000;
/** The last second that is written with four digits for the year. */
const LAST = Date.parse('9999-12-31T23:59:59Z');

/** What is left behind an instant to come, as a part of all: what begins there must be seen. */
const ROOM = 0.05;

/** From an instant to now, or past the latest instant there is where that is to come; a day at least. */
export function spanFrom(from: Instant, now: Instant, latest: Instant = from): Span {
  if (now > latest) return { from, to: now };
  const [start, end] = [Date.parse(from), Date.parse(latest)];
  return { from, to: new Date(Math.min(end + Math.max((end - start) * ROOM, DAY), LAST)).toISOString().replace(/\.\d+Z$/, 'Z') };
}

/** In percent, as short as it can be written without a visible difference. */
const percent = (part: number): number => Math.round(part * 1e5) / 1e3;

/** Places times in a drawing of any width: `x` and `width` in percent of it; null is the end, what lies outside is at the edge. */
export function scaleOf({ from, to }: Span): {
  x: (instant: Instant | null) => number;
  width: (from: Instant, to: Instant | null) => number;
} {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const part = (instant: Instant | null): number =>
    instant === null ? 1 : Math.min(Math.max((Date.parse(instant) - start) / (end - start), 0), 1);
  return { x: (instant) => percent(part(instant)), width: (first, last) => percent(part(last) - part(first)) };
}
