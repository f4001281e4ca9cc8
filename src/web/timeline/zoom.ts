import type { Instant } from '../../../schemas/index.js';
import { type Html, html, joined } from '../page/html.js';
import { limitedInstant, type Span } from '../page/time-scale.js';
import { shortTime } from '../page/words.js';
import { DAY } from '../../requests/units-of-time.js';

/** The links that change the part of time that a timeline shows. */

const YEAR = 365.25 * DAY;
/** Links for the last years, in years. */
const LAST_YEARS = [10, 5, 2, 1];

/** What the links lead to. */
interface ZoomLinks {
  whole: Span;
  /** What is shown; null for the whole. */
  zoom: Span | null;
  /** Zooming in keeps this instant in the middle; null for the middle of what is shown. */
  cursor: Instant | null;
  /** The URL of the page with a part of time; null for the whole. */
  hrefOf: (span: Span | null) => string;
}

/**
 * The links to the whole, the last years, a smaller or larger part, and the parts before and after.
 */
export function renderZoomLinks({ whole, zoom, cursor, hrefOf }: ZoomLinks): Html {
  const shown = zoom ?? whole;
  const from = Date.parse(shown.from);
  const to = Date.parse(shown.to);
  const length = to - from;
  const inside = cursor !== null && cursor >= shown.from && cursor <= shown.to;
  const middle = inside ? Date.parse(cursor) : from + length / 2;
  // Whole days, so that the links of a page change once a day.
  const link = (words: string, begin: number, end: number): Html => {
    const first = Math.floor(begin / DAY) * DAY;
    const last = Math.max(Math.floor(end / DAY) * DAY, first + DAY);
    const span = { from: limitedInstant(first), to: limitedInstant(last) };
    return html`<a href="${hrefOf(span)}" rel="nofollow">${words}</a>`;
  };
  const end = Date.parse(whole.to);
  const years = LAST_YEARS.filter((each) => each * YEAR < end - Date.parse(whole.from));
  const links = [
    zoom !== null && html`<a href="${hrefOf(null)}">All</a>`,
    ...years.map((each) =>
      link(each === 1 ? 'Last year' : `Last ${each} years`, end - each * YEAR, end),
    ),
    length > 2 * DAY && link('Zoom in', middle - length / 4, middle + length / 4),
    zoom !== null && link('Zoom out', from - length / 2, to + length / 2),
    zoom !== null && link('Earlier', from - length / 2, to - length / 2),
    zoom !== null && link('Later', from + length / 2, to + length / 2),
  ].filter((each) => each !== false);
  const part =
    zoom !== null && html`<span>${shortTime(zoom.from)} to ${shortTime(zoom.to)}</span> `;
  return html`<nav class="zoom" aria-label="Part of the timeline">
    ${part}${joined(links, ' ')}
  </nav>`;
}
