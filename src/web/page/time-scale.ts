import type { Instant } from '../../../schemas/index.js';
import { DAY, LAST_INSTANT } from '../../requests/units-of-time.js';

/** A span of time with both ends. */
export interface Span {
  from: Instant;
  to: Instant;
}

/** The first second that can be written with a four-digit year. */
const FIRST = Date.parse('0001-01-01T00:00:00Z');
/** The last second that can be written with a four-digit year. */
const LAST = Date.parse(LAST_INSTANT);

/** The instant of a time in milliseconds, limited to those that can be written. */
export const limitedInstant = (milliseconds: number): Instant =>
  new Date(Math.min(Math.max(milliseconds, FIRST), LAST)).toISOString().replace(/\.\d+Z$/, 'Z');

/** The fraction added after a start in the future, so that what starts there is visible. */
const MARGIN = 0.05;

/** A span of at least a day, from the bounds of a request; a missing bound is that of the whole. */
export function zoomOf(whole: Span, from: Instant | null, to: Instant | null): Span {
  const begin = Math.min(Date.parse(from ?? whole.from), LAST - DAY);
  return {
    from: limitedInstant(begin),
    to: limitedInstant(Math.max(Date.parse(to ?? whole.to), begin + DAY)),
  };
}

/**
 * The span from an instant to now, or to a little after the latest instant if that is in the
 * future. At least a day.
 */
export function spanFrom(from: Instant, now: Instant, latest: Instant = from): Span {
  if (now > latest) return { from, to: now };
  const start = Date.parse(from);
  const end = Date.parse(latest);
  return { from, to: limitedInstant(end + Math.max((end - start) * MARGIN, DAY)) };
}

/** A percentage, rounded to keep the markup short. */
const percent = (part: number): number => Math.round(part * 1e5) / 1e3;

/**
 * Maps times to percentages of the drawing width. null means the end; times outside the span are
 * placed at its edge.
 */
export function scaleOf({ from, to }: Span): {
  x: (instant: Instant | null) => number;
  width: (from: Instant, to: Instant | null) => number;
} {
  const start = Date.parse(from);
  const end = Date.parse(to);
  const part = (instant: Instant | null): number =>
    instant === null ? 1 : Math.min(Math.max((Date.parse(instant) - start) / (end - start), 0), 1);
  return {
    x: (instant) => percent(part(instant)),
    width: (first, last) => percent(part(last) - part(first)),
  };
}

/** The most labels on the axis, so that they do not touch on a narrow screen. */
const MOST_LABELS = 8;
/** The possible intervals between labels, in months. */
const STEPS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 12000];

/** The labels of the axis: years, or months for a short span. */
export function labelsOf({ from, to }: Span): { at: Instant; label: string }[] {
  const monthOf = (instant: Instant): number =>
    Number(instant.slice(0, 4)) * 12 + Number(instant.slice(5, 7)) - 1;
  // A label stands at the beginning of its month.
  const startsWithinMonth = from.slice(8, 19) > '01T00:00:00';
  const first = startsWithinMonth ? monthOf(from) + 1 : monthOf(from);
  const last = monthOf(to);
  const step = STEPS.find((each) => (last - first) / each < MOST_LABELS) ?? STEPS.at(-1)!;
  const labels = [];
  for (let month = Math.ceil(first / step) * step; month <= last; month += step) {
    const year = String(Math.floor(month / 12)).padStart(4, '0');
    const number = String((month % 12) + 1).padStart(2, '0');
    labels.push({
      at: `${year}-${number}-01T00:00:00Z`,
      label: step < 12 ? `${year}-${number}` : year,
    });
  }
  return labels;
}
