import { geoPath } from 'd3-geo';
import { type Content, type Html, html } from './html.js';
import { HEIGHT, type MapFrame, WIDTH } from './map-projection.js';
import { numberWords } from './words.js';

/** The lines of latitude and longitude of a map, and its scale. */

/** The possible distances between lines, in degrees. */
const STEPS = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05];
/** The most lines across an area. */
const MOST_LINES = 9;
/** The length of a degree on a great circle, in kilometres. */
const DEGREE = 111.2;
/** The most degrees between two points of a line, which is bent. */
const LONGEST_CHORD = 8;
/** The fewest parts of a line. */
const FEWEST_PARTS = 16;

const range = (from: number, to: number, step: number): number[] =>
  Array.from(
    { length: Math.max(Math.floor(to / step) - Math.ceil(from / step) + 1, 0) },
    (_, index) => (Math.ceil(from / step) + index) * step,
  );

/** A longitude or latitude of a line, such as `145°E` or `0.5°S`. */
function degrees(value: number, positive: string, negative: string): string {
  const turned = positive === 'E' ? ((((value + 180) % 360) + 360) % 360) - 180 : value;
  const rounded = Math.abs(Math.round(turned * 100) / 100);
  return `${rounded}°${rounded === 0 || rounded === 180 ? '' : turned < 0 ? negative : positive}`;
}

/** The labels along the lower and the left edge, where lines cross them. */
function labels({ projection }: MapFrame, step: number): Html[] {
  const found: Html[] = [];
  const lineAt = (x: number, y: number, axis: 0 | 1): number => Math.floor((projection.invert?.([x, y])?.[axis] ?? NaN) / step);
  const nearest = (x: number, y: number, axis: 0 | 1): number => Math.round((projection.invert?.([x, y])?.[axis] ?? NaN) / step) * step;
  for (let x = 40; x < WIDTH - 190; x += 2) {
    const [before, after] = [lineAt(x, HEIGHT, 0), lineAt(x + 2, HEIGHT, 0)];
    if (Math.abs(after - before) === 1)
      found.push(html`<text x="${x + 3}" y="${HEIGHT - 5}">${degrees(nearest(x + 1, HEIGHT, 0), 'E', 'W')}</text>`);
  }
  for (let y = 20; y < HEIGHT - 24; y += 2) {
    const [before, after] = [lineAt(0, y, 1), lineAt(0, y + 2, 1)];
    if (Math.abs(after - before) === 1) found.push(html`<text x="4" y="${y - 2}">${degrees(nearest(0, y + 1, 1), 'N', 'S')}</text>`);
  }
  return found;
}

/** The lines of latitude and longitude, with labels if the map shows an area. */
export function renderGraticule(frame: MapFrame): Html {
  const { visible, projection, kilometres } = frame;
  const { west, south, east, north } = visible ?? { west: -180, south: -90, east: 180, north: 90 };
  const across = visible === null ? 360 : (WIDTH * kilometres) / DEGREE;
  const step = STEPS.findLast((each) => across / each <= MOST_LINES) ?? STEPS[0]!;
  const along = (from: number, to: number): number[] => {
    const parts = Math.max(Math.ceil((to - from) / LONGEST_CHORD), FEWEST_PARTS);
    return Array.from({ length: parts + 1 }, (_, index) => from + ((to - from) * index) / parts);
  };
  const coordinates = [
    // The line at both ends of the circle is one.
    ...range(west, east - west >= 360 ? east - step / 2 : east, step).map((longitude) =>
      along(south, north).map((latitude) => [longitude, latitude]),
    ),
    ...range(south, north, step)
      .filter((latitude) => Math.abs(latitude) < 90)
      .map((latitude) => along(west, east).map((longitude) => [longitude, latitude])),
  ];
  const path = geoPath(projection).digits(0)({ type: 'MultiLineString', coordinates }) ?? '';
  return html`<g class="graticule" aria-hidden="true"><path d="${path}" />${visible !== null && labels(frame, step)}</g>`;
}

/** The longest bar of the scale, in map units. */
const LONGEST_BAR = 150;

/** The scale in the lower right corner: a length in round kilometres. No length is true for the whole world. */
export function renderScale({ kilometres, visible }: MapFrame): Content {
  if (visible === null) return null;
  const longest = LONGEST_BAR * kilometres;
  const power = 10 ** Math.floor(Math.log10(longest));
  const length = power * ([5, 2].find((each) => each * power <= longest) ?? 1);
  const [end, y] = [WIDTH - 12, HEIGHT - 12];
  const begin = Math.round((end - length / kilometres) * 10) / 10;
  return html`<g class="scale">
    <path d="M${begin},${y - 5}V${y}H${end}V${y - 5}" />
    <text x="${end}" y="${y - 9}" text-anchor="end">${numberWords(length)} km</text>
  </g>`;
}
