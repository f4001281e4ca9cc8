import { type Content, type Html, html } from '../page/html.js';
import { ASSUMPTION } from '../page/patterns.js';
import { numberWords } from '../page/words.js';
import { SYSTEM_CLASSES, type SystemFigures } from './view.js';

/**
 * The charts of the overview. Each has its numbers in a table, so it is hidden from screen readers.
 * Shapes have a contrast of 3:1 to the page; parts of a column have a gap and a pattern each.
 */

/** A bar in a cell. */
export const renderBar = (value: number, most: number): Html =>
  html`<svg class="amount" width="100%" height="10" aria-hidden="true">
    <rect width="${((value / most) * 100).toFixed(1)}%" height="10" />
  </svg>`;

/** The height of the small columns in pixels, and of the numbers above them and the years below. */
const COLUMN_HEIGHT = 60;
const LINE_HEIGHT = 14;

/** The height of the hatched strip below a chart, with the space around it. */
const STRIP_HEIGHT = 10;

/**
 * The hatched strip below the years in which most logs are out of date.
 * @param known the last year that most logs know
 * @param width that of a year, in per cent
 */
function assumedStrip(
  years: readonly number[],
  known: number | null,
  width: number,
  bottom: number,
): Content {
  const first = years.findIndex((year) => known !== null && year > known);
  if (first < 0) return null;
  return html`<rect
    class="assumed"
    x="${(first * width).toFixed(2)}%"
    y="${bottom + 2}"
    width="${(100 - first * width).toFixed(2)}%"
    height="8"
  />`;
}

/**
 * The changes of some years, as columns with their numbers; a question mark if they are unknown.
 * @param most the highest number of all charts of this scale
 * @param known the last year that most logs know
 */
export function renderColumns(
  columns: readonly { year: number; count: number | null }[],
  most: number,
  known: number | null,
): Html {
  const width = 100 / columns.length;
  const bottom = LINE_HEIGHT + COLUMN_HEIGHT;
  const years = columns.map(({ year }) => year);
  return html`<svg
    class="columns alone"
    width="100%"
    height="${bottom + STRIP_HEIGHT + LINE_HEIGHT + 2}"
    aria-hidden="true"
  >
    ${columns.map(({ year, count }, index) => {
      const height = ((count ?? 0) / most) * COLUMN_HEIGHT;
      const x = index * width;
      const middle = `${(x + width / 2).toFixed(1)}%`;
      return html`<rect
          x="${(x + width * 0.15).toFixed(1)}%"
          y="${(bottom - height).toFixed(1)}"
          width="${(width * 0.7).toFixed(1)}%"
          height="${height.toFixed(1)}"
        /><text x="${middle}" y="${(bottom - height - 3).toFixed(1)}"
          >${count === null ? '?' : numberWords(count)}</text
        ><text class="label" x="${middle}" y="${bottom + STRIP_HEIGHT + LINE_HEIGHT}"
          >’${String(year).slice(2)}</text
        >`;
    })}
    ${assumedStrip(years, known, width, bottom)}
    <line x1="0" x2="100%" y1="${bottom + 0.5}" y2="${bottom + 0.5}" />
  </svg>`;
}

/** The height of the stacked columns in pixels, and what is below them. */
const STACK_HEIGHT = 180;
const BELOW = 30;
/** What is lower is not drawn, in pixels. */
const LEAST_HEIGHT = 0.5;
/** The least distance of the names of two classes, in pixels. */
const NAME_DISTANCE = 15;

/** The patterns of the classes, and that of assumed years. */
const PATTERNS = html`<defs>
  <pattern id="class1" width="5" height="5" patternUnits="userSpaceOnUse"
    ><rect class="paper" width="5" height="5" /><circle class="ink" cx="2.5" cy="2.5" r="1"
  /></pattern>
  <pattern id="class2" width="4" height="4" patternUnits="userSpaceOnUse"
    ><rect class="paper" width="4" height="4" /><rect class="ink" width="4" height="1.5"
  /></pattern>
  <pattern
    id="class3"
    width="5"
    height="5"
    patternUnits="userSpaceOnUse"
    patternTransform="rotate(45)"
    ><rect class="paper" width="5" height="5" /><rect class="ink" width="3" height="5"
  /></pattern>
  ${ASSUMPTION}
</defs>`;

/** The parts of a column, from the most to the least that is tracked. */
function partsOf(classes: readonly number[], scale: number): { from: number; to: number }[] {
  let top = STACK_HEIGHT;
  const parts = classes.map(() => ({ from: 0, to: 0 }));
  for (let index = classes.length - 1; index >= 0; index--) {
    const from = top - classes[index]! * scale;
    parts[index] = { from, to: top };
    top = from;
  }
  return parts;
}

/** Where the names of the classes stand beside the last column: near their parts, but apart. */
function namePlaces(parts: readonly { from: number; to: number }[]): number[] {
  const places = parts.map(({ from, to }) => (from + to) / 2 + 4);
  let least = 10;
  for (const [index, place] of places.entries()) {
    places[index] = Math.max(place, least);
    least = places[index] + NAME_DISTANCE;
  }
  let most = STACK_HEIGHT + 4;
  for (let index = places.length - 1; index >= 0; index--) {
    places[index] = Math.min(places[index]!, most);
    most = places[index]! - NAME_DISTANCE;
  }
  return places;
}

/**
 * Sites by satellite systems as stacked columns, with the names of the classes at their ends.
 * @param known the last year that most logs know
 */
export function renderStacks({ years, counts }: SystemFigures, known: number | null): Html {
  const most = Math.max(
    ...counts.map((classes) => classes.reduce((sum, each) => sum + each, 0)),
    1,
  );
  const scale = (STACK_HEIGHT - LINE_HEIGHT) / most;
  const width = 100 / counts.length;
  const columnWidth = (width * 0.8).toFixed(1);
  const columns = counts.map((classes) => partsOf(classes, scale));
  const groups = SYSTEM_CLASSES.map((_, kind) => {
    const rects = columns.map((parts, index) => {
      const { from, to } = parts[kind]!;
      // Half a pixel on each side is the line around it, and one above it the gap.
      const height = Math.round(to) - Math.round(from) - 2;
      if (to - from < LEAST_HEIGHT) return null;
      const x = (index * width + width * 0.1).toFixed(1);
      const y = Math.round(from) + 1.5;
      return html`<rect
        x="${x}%"
        y="${y}"
        width="${columnWidth}%"
        height="${Math.max(height, 0)}"
      />`;
    });
    return html`<g class="class${kind}">${rects}</g>`;
  });
  const now = columns.at(-1)!;
  const places = namePlaces(now);
  const names = SYSTEM_CLASSES.map(
    (name, kind) =>
      html`<text x="0" y="${places[kind]!.toFixed(1)}"
        >${numberWords(counts.at(-1)![kind]!)} ${name}</text
      >`,
  );
  return html`<div class="stacked" aria-hidden="true">
    <svg class="columns" width="100%" height="${STACK_HEIGHT + BELOW}">
      ${PATTERNS} ${groups} ${assumedStrip(years, known, width, STACK_HEIGHT)}
      <line x1="0" x2="100%" y1="${STACK_HEIGHT + 0.5}" y2="${STACK_HEIGHT + 0.5}" />
      <text x="0" y="${LINE_HEIGHT - 4}">${numberWords(most)} sites</text>
      <text class="label" x="0" y="${STACK_HEIGHT + BELOW - 4}">${years[0] ?? 'now'}</text>
      <text class="label end" x="100%" y="${STACK_HEIGHT + BELOW - 4}">now</text>
    </svg>
    <svg class="names" width="160" height="${STACK_HEIGHT + BELOW}">${names}</svg>
    ${
      known !== null &&
      html`<p class="hint">
        Hatched below: half of the logs were prepared by ${known}, so later years assume that
        nothing has changed since.
      </p>`
    }
  </div>`;
}
