import { geoGraticule, geoPath } from 'd3-geo';
import { DEGREES_PER_RADIAN, EARTH_RADIUS } from '../../requests/place.js';
import { type Content, type Html, html } from '../page/html.js';
import { HEIGHT, type MapFrame, WIDTH } from './projection.js';
import { numberWords } from '../page/words.js';

/** The lines of latitude and longitude of a map, and its scale. */

/** The possible distances between lines, in degrees. */
const STEPS = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05];
/** The most lines across a map. */
const MOST_LINES = 9;

/** The length of a unit of a map at its centre, in radians. */
const unitOf = ({ projection }: MapFrame): number => 1 / projection.scale();

/** A longitude or latitude of a line, such as `145°E` or `0.5°S`. */
function degrees(value: number, positive: string, negative: string): string {
  const rounded = Math.abs(Math.round(value * 100) / 100);
  if (rounded === 0 || rounded === 180) return `${rounded}°`;
  return `${rounded}°${value < 0 ? negative : positive}`;
}

/** The least distance between labels along the lower (0) and the left (1) edge. */
const APART = [80, 26] as const;

/** The labels along the lower (0) or left (1) edge of a map, where lines cross it. */
function labels({ projection }: MapFrame, step: number, axis: 0 | 1): Html[] {
  const [first, last] = axis === 0 ? [40, WIDTH - 190] : [20, HEIGHT - 24];
  const found: Html[] = [];
  let before = NaN;
  let labelled = -Infinity;
  for (let at = first; at <= last; at += 2) {
    const line = Math.floor(
      (projection.invert?.(axis === 0 ? [at, HEIGHT] : [0, at])?.[axis] ?? NaN) / step,
    );
    const value = Math.max(line, before) * step;
    if (Math.abs(line - before) === 1 && at - labelled >= APART[axis]) {
      labelled = at;
      found.push(
        axis === 0
          ? html`<text x="${at + 1}" y="${HEIGHT - 5}">${degrees(value, 'E', 'W')}</text>`
          : html`<text x="4" y="${at - 4}">${degrees(value, 'N', 'S')}</text>`,
      );
    }
    before = line;
  }
  return found;
}

/** What was drawn in a frame: that of the whole world is used again. */
const graticules = new WeakMap<MapFrame, Html>();

/** The lines of latitude and longitude, with labels if the map shows an area. */
export function renderGraticule(frame: MapFrame): Html {
  const graticule = graticules.get(frame) ?? graticuleOf(frame);
  graticules.set(frame, graticule);
  return graticule;
}

function graticuleOf(frame: MapFrame): Html {
  const across = WIDTH * unitOf(frame) * DEGREES_PER_RADIAN;
  const step = STEPS.findLast((each) => across / each <= MOST_LINES) ?? STEPS[0]!;
  const lines = geoGraticule().extent(frame.extent).stepMinor([step, step]).stepMajor([360, 360]);
  const path = geoPath(frame.projection).digits(0)(lines()) ?? '';
  return html`<g class="graticule" aria-hidden="true"
    ><path d="${path}" />${!frame.isWorld && [labels(frame, step, 0), labels(frame, step, 1)]}</g
  >`;
}

/** The longest bar of the scale, in map units. */
const LONGEST_BAR = 150;

/**
 * The scale in the lower right corner: a length in round kilometres. No length is true for the
 * whole world.
 */
export function renderScale(frame: MapFrame): Content {
  if (frame.isWorld) return null;
  const kilometres = (EARTH_RADIUS / 1000) * unitOf(frame);
  const longest = LONGEST_BAR * kilometres;
  const power = 10 ** Math.floor(Math.log10(longest));
  const length = power * ([5, 2].find((each) => each * power <= longest) ?? 1);
  const end = WIDTH - 12;
  const y = HEIGHT - 12;
  const begin = Math.round((end - length / kilometres) * 10) / 10;
  return html`<g class="scale">
    <path d="M${begin},${y - 5}V${y}H${end}V${y - 5}" />
    <text x="${end}" y="${y - 9}" text-anchor="end">${numberWords(length)} km</text>
  </g>`;
}
