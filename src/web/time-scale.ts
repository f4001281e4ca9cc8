import type { Instant } from '../../schemas/index.js';

/** A span of time with both ends. */
export interface Span {
  from: Instant;
  to: Instant;
}

const DAY = 86_400_000;

/** From an instant to now or the latest instant there is, a day at least. */
export function spanFrom(from: Instant, now: Instant, latest: Instant = now): Span {
  const to = now > latest ? now : latest;
  return { from, to: to > from ? to : new Date(Date.parse(from) + DAY).toISOString().replace('.000Z', 'Z') };
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
