import { createRequire } from 'node:module';
import { geoAzimuthalEquidistant, geoNaturalEarth1, geoPath, type GeoProjection } from 'd3-geo';
import { feature } from 'topojson-client';
import type { Topology } from 'topojson-specification';
import type { Box } from '../requests/place.js';
import { centreOf, widthOf } from './map-area.js';

/** Projections of a map, and the outline of the land in them. */

/** The size of a map in its own units. */
export const [WIDTH, HEIGHT] = [1000, 500];
/** The space around an area, in these units. */
const MARGIN = 14;
const EARTH_RADIUS = 6371;
const RADIANS = Math.PI / 180;

/** A polygon of the land, with the box that contains it. Longitudes do not cross the date line. */
interface Land {
  coordinates: number[][][];
  west: number;
  south: number;
  east: number;
  north: number;
}

/** How detailed an outline is: Natural Earth, 1:110 million or 1:50 million. */
type Detail = '110m' | '50m';
/** Areas that are narrower than this have the more detailed outline, in degrees of their diagonal. */
const DETAILED_BELOW = 25;

/** The polygons of the land, loaded when first needed. */
const loaded = new Map<Detail, Land[]>();
function landOf(detail: Detail): Land[] {
  const known = loaded.get(detail);
  if (known !== undefined) return known;
  // Loads only the map that a page needs.
  const require = createRequire(import.meta.url);
  const topology = (detail === '50m' ? require('world-atlas/land-50m.json') : require('world-atlas/land-110m.json')) as Topology;
  const { features } = feature(
    topology,
    topology.objects.land as Parameters<typeof feature>[1],
  ) as GeoJSON.FeatureCollection<GeoJSON.MultiPolygon>;
  const land = features.flatMap(({ geometry }) =>
    geometry.coordinates.map((coordinates) => {
      const extent = { west: 180, south: 90, east: -180, north: -90 };
      for (const [longitude, latitude] of coordinates[0] as [number, number][]) {
        extent.west = Math.min(extent.west, longitude);
        extent.east = Math.max(extent.east, longitude);
        extent.south = Math.min(extent.south, latitude);
        extent.north = Math.max(extent.north, latitude);
      }
      return { coordinates, ...extent };
    }),
  );
  loaded.set(detail, land);
  return land;
}

/** What a map is drawn with. */
export interface MapFrame {
  projection: GeoProjection;
  /** The outline of the land, as the data of an SVG path. */
  land: string;
  /** The length of a unit at the centre of the map, in kilometres. */
  kilometres: number;
  /** A box with all that is visible, whose longitudes may exceed 180 degrees instead of crossing the date line; null for the whole world. */
  visible: Box | null;
}

/** The whole world, drawn once. */
let world: MapFrame | null = null;
export function wholeWorld(): MapFrame {
  if (world === null) {
    const projection = geoNaturalEarth1().fitSize([WIDTH, HEIGHT], { type: 'Sphere' });
    const [[x0], [x1]] = [projection([-5, 0])!, projection([5, 0])!];
    world = { projection, land: outline(projection, landOf('110m')), kilometres: (EARTH_RADIUS * 10 * RADIANS) / (x1 - x0), visible: null };
  }
  return world;
}

/** The outline in whole units, each point as the distance from the one before. That is half as long as what d3 writes. */
function outline(projection: GeoProjection, land: Land[]): string {
  let path = '';
  let [lastX, lastY] = [0, 0];
  const add = (command: 'm' | 'l', x: number, y: number): void => {
    const [dx, dy] = [Math.round(x) - lastX, Math.round(y) - lastY];
    if (command === 'l' && dx === 0 && dy === 0) return;
    path += `${command}${dx}${dy < 0 ? '' : ' '}${dy}`;
    [lastX, lastY] = [lastX + dx, lastY + dy];
  };
  let start: [number, number] = [0, 0];
  const context = {
    moveTo(x: number, y: number) {
      add('m', x, y);
      start = [lastX, lastY];
    },
    lineTo: (x: number, y: number) => add('l', x, y),
    closePath() {
      path += 'z';
      [lastX, lastY] = start;
    },
  };
  geoPath(
    projection,
    context as unknown as CanvasRenderingContext2D,
  )({
    type: 'MultiPolygon',
    coordinates: land.map(({ coordinates }) => coordinates),
  });
  return path;
}

/** An area, with true distances from its centre. An area that goes more than half around the Earth becomes the whole world, unless it is polar. */
export function frameOf(box: Box): MapFrame {
  const width = widthOf(box);
  const isPolar = width > 180 && (box.north < -30 || box.south > 30);
  if (width > 180 && !isPolar) return wholeWorld();
  const centre = isPolar ? { latitude: box.north < 0 ? -90 : 90, longitude: 0 } : centreOf(box);
  const edge = Array.from({ length: 9 }, (_, index) => index / 8);
  const at = (right: number, up: number): [number, number] => [box.west + right * width, box.south + up * (box.north - box.south)];
  const coordinates = edge.flatMap((part) => [at(part, 0), at(part, 1), at(0, part), at(1, part)]);
  const projection = geoAzimuthalEquidistant()
    .rotate([-centre.longitude, -centre.latitude])
    .fitExtent(
      [
        [MARGIN, MARGIN],
        [WIDTH - MARGIN, HEIGHT - MARGIN],
      ],
      { type: 'MultiPoint', coordinates },
    );
  // In this projection, lengths from the centre are angles; the corners are farthest away.
  const [x, y] = projection([centre.longitude, centre.latitude])!;
  const radius = Math.hypot(Math.max(x, WIDTH - x), Math.max(y, HEIGHT - y)) / projection.scale() / RADIANS;
  projection.clipAngle(Math.min(radius, 179.9)).clipExtent([
    [0, 0],
    [WIDTH, HEIGHT],
  ]);
  const [south, north] = [Math.max(centre.latitude - radius, -90), Math.min(centre.latitude + radius, 90)];
  const slenderest = Math.cos(Math.max(Math.abs(south), Math.abs(north)) * RADIANS);
  const reach = slenderest * 180 <= radius ? 180 : Math.min(radius / slenderest, 180);
  const visible = { west: centre.longitude - reach, south, east: centre.longitude + reach, north };
  const turns = [-360, 0, 360];
  const land = landOf(radius * 2 < DETAILED_BELOW ? '50m' : '110m').filter(
    (each) =>
      each.south <= north &&
      each.north >= south &&
      turns.some((turn) => each.west + turn <= visible.east && each.east + turn >= visible.west),
  );
  return { projection, land: outline(projection, land), kilometres: EARTH_RADIUS / projection.scale(), visible };
}
