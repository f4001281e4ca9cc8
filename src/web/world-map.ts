import { createRequire } from 'node:module';
import { geoEquirectangular, geoNaturalEarth1, geoPath, type GeoPermissibleObjects, type GeoProjection } from 'd3-geo';
import { feature } from 'topojson-client';
import type { Topology } from 'topojson-specification';
import { type Html, html } from './html.js';

/** An SVG map of the world, or of the area around the points. */

/** A point on the map, with its link. */
export interface MapPoint {
  latitude: number;
  longitude: number;
  href: string;
  title: string;
}

const [WIDTH, HEIGHT] = [1000, 500];
/** The margin around the points, in map units. */
const MARGIN = 60;
/** The largest scale of an area map; the 1:110 million outline is too coarse for more. */
const LARGEST_SCALE = 3000;

const RADIANS = Math.PI / 180;

/** The outline of the land (Natural Earth, 1:110 million), loaded when first needed. */
let land: GeoPermissibleObjects | null = null;
function landOutline(): GeoPermissibleObjects {
  if (land === null) {
    // Before Node 22, importing a JSON module prints a warning.
    const topology = createRequire(import.meta.url)('world-atlas/land-110m.json') as Topology;
    land = feature(topology, topology.objects.land!);
  }
  return land;
}

/** The outline of the land in a projection. */
function outline(projection: GeoProjection): string {
  return geoPath(projection).digits(1)(landOutline()) ?? '';
}

/** The outline of the whole world, drawn once. */
let world: { projection: GeoProjection; path: string } | null = null;
function wholeWorld(): { projection: GeoProjection; path: string } {
  if (world === null) {
    const projection = geoNaturalEarth1().fitSize([WIDTH, HEIGHT], { type: 'Sphere' });
    world = { projection, path: outline(projection) };
  }
  return world;
}

/** The area around the points, which may lie on both sides of the date line. */
function partOf(points: MapPoint[]): { projection: GeoProjection; path: string } {
  const sum = (turn: (radians: number) => number): number => points.reduce((total, { longitude }) => total + turn(longitude * RADIANS), 0);
  const middle = Math.atan2(sum(Math.sin), sum(Math.cos)) / RADIANS;
  const projection = geoEquirectangular()
    .rotate([-middle, 0])
    .fitExtent(
      [
        [MARGIN, MARGIN],
        [WIDTH - MARGIN, HEIGHT - MARGIN],
      ],
      { type: 'MultiPoint', coordinates: points.map(({ latitude, longitude }) => [longitude, latitude]) },
    );
  if (!(projection.scale() <= LARGEST_SCALE)) {
    // fitExtent cannot compute a scale for a single point.
    const latitude = points.reduce((total, point) => total + point.latitude, 0) / points.length;
    projection
      .scale(LARGEST_SCALE)
      .translate([WIDTH / 2, HEIGHT / 2])
      .center([0, latitude]);
  }
  projection.clipExtent([
    [0, 0],
    [WIDTH, HEIGHT],
  ]);
  return { projection, path: outline(projection) };
}

/** Renders the map. @param whole whether to show the whole world or only the area around the points */
export function renderMap(points: MapPoint[], whole: boolean): Html {
  const { projection, path } = whole || points.length === 0 ? wholeWorld() : partOf(points);
  // Dots are lines of zero length with round caps, which have the same size whatever the width of the map.
  const dots = points.map(({ latitude, longitude, href, title }) => {
    const [x, y] = projection([longitude, latitude]) ?? [0, 0];
    return html`<a href="${href}" tabindex="-1" aria-label="${title}"
      ><path d="M${x.toFixed(1)},${y.toFixed(1)}h0"><title>${title}</title></path></a
    > `;
  });
  return html`<svg class="map" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="Map of the sites">
    <path class="land" d="${path}" aria-hidden="true" />
    <g class="dots">${dots}</g>
  </svg>`;
}
