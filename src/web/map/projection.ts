import { createRequire } from 'node:module';
import {
  geoAzimuthalEquidistant,
  geoBounds,
  geoGraticule,
  geoNaturalEarth1,
  geoPath,
  type GeoProjection,
} from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Box } from '../../requests/place.js';
import { centreOf, scaled, widthOf } from './area.js';

/** Projections of a map, and the outline of the land in them. */

/** The size of a map in its own units. */
export const WIDTH = 1000;
export const HEIGHT = 500;
/** The space around an area, in these units. */
const MARGIN = 14;
const RADIANS = Math.PI / 180;

/** How detailed an outline is: Natural Earth, 1:110 million or 1:50 million. */
type Detail = '110m' | '50m';
/**
 * Areas that are narrower than this have the more detailed outline, in degrees of their diagonal.
 */
const DETAILED_BELOW = 25;

/**
 * Points are far from an area at this distance, in degrees. A shortcut along a parallel, which is
 * an arc of a great circle, bends by much less.
 */
const FAR = 1;
/** The longest shortcut between points that are far away, in degrees. */
const SHORTCUT = 2;
/** Clipping a ring takes long if it has at least this many points. */
const LONG_RING = 500;

/** How many lines of a ring are looked at together. */
const RUN = 64;

/** A ring of longitudes and latitudes, or the line of a border. */
interface Ring {
  points: number[][];
  /** The boxes around its lines, {@link RUN} of them in each. */
  runs: Box[];
}

/** A piece of land, a continent or an island; or a border. */
interface Land {
  /** Its rings, or the line of a border. */
  rings: Ring[];
  /** What it lies within. Across the date line, west is greater than east. */
  bounds: Box;
}

/** The countries of the Earth; the land is the same without their borders. */
type Atlas = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;

/** Loads only the map that a page needs. */
function atlasOf(detail: Detail): Atlas {
  const require = createRequire(import.meta.url);
  return detail === '50m'
    ? (require('world-atlas/countries-50m.json') as Atlas)
    : (require('world-atlas/land-110m.json') as Atlas);
}

/** The box around some points of a ring. */
function boxAround(points: number[][]): Box {
  const [longitudes, latitudes] = [0, 1].map((axis) => points.map((point) => point[axis]!));
  return {
    west: Math.min(...longitudes!),
    south: Math.min(...latitudes!),
    east: Math.max(...longitudes!),
    north: Math.max(...latitudes!),
  };
}

const ringOf = (points: number[][]): Ring => ({
  points,
  runs: Array.from({ length: Math.ceil(points.length / RUN) }, (_, index) =>
    boxAround(points.slice(index * RUN, (index + 1) * RUN + 1)),
  ),
});

/** What d3 finds as the bounds of an object. */
const boundsOf = (object: Parameters<typeof geoBounds>[0]): Box => {
  const [[west, south], [east, north]] = geoBounds(object);
  return { west, south, east, north };
};

/** The land, made when first needed. */
const lands = new Map<Detail, Land[]>();
function landOf(detail: Detail): Land[] {
  const known = lands.get(detail);
  if (known !== undefined) return known;
  const atlas = atlasOf(detail);
  const made = feature(atlas, atlas.objects.land).features.flatMap(({ geometry }) => {
    if (geometry.type !== 'MultiPolygon') throw new Error(`land is a ${geometry.type}`);
    return geometry.coordinates.map((rings): Land => {
      const bounds = boundsOf({ type: 'Polygon', coordinates: rings });
      return { rings: rings.map(ringOf), bounds };
    });
  });
  lands.set(detail, made);
  return made;
}

/** The detailed borders between countries, made when first needed. */
let borders: Land[] | null = null;
function bordersOnLand(): Land[] {
  const atlas = atlasOf('50m');
  return (borders ??= mesh(
    atlas,
    atlas.objects.countries as Parameters<typeof mesh>[1],
    (one, other) => one !== other,
  ).coordinates.map((line) => ({
    rings: [ringOf(line)],
    bounds: boundsOf({ type: 'LineString', coordinates: line }),
  })));
}

/** How far east one longitude is of another one, in degrees below 360. */
const eastward = (from: number, to: number): number => (((to - from) % 360) + 360) % 360;

/** Whether two ranges of longitudes meet. Both may cross the date line, or go around the Earth. */
function longitudesMeet(one: [number, number], other: [number, number]): boolean {
  const widthOfRange = ([west, east]: [number, number]): number =>
    east >= west ? east - west : east - west + 360;
  return (
    eastward(one[0], other[0]) <= widthOfRange(one) ||
    eastward(other[0], one[0]) <= widthOfRange(other)
  );
}

/** Whether what lies within a box can be visible. Most land is far, and takes long to clip. */
function isNear(box: Box, [[west, south], [east, north]]: MapFrame['extent']): boolean {
  if (box.south > north || box.north < south) return false;
  return longitudesMeet([box.west, box.east], [west, east]);
}

/** Whether some of a land may be in an area: false if none of its lines can be. */
const mayBeIn = (land: Land, extent: MapFrame['extent']): boolean =>
  isNear(land.bounds, extent) &&
  land.rings.some(({ runs }) => runs.some((run) => isNear(run, extent)));

type Side = 'north' | 'south' | 'east' | 'west';

/** On which side of an area a point is far outside; null if it is not. */
function farSideOf(
  [longitude, latitude]: number[],
  [[west, south], [east, north]]: MapFrame['extent'],
): Side | null {
  if (latitude! > north + FAR) return 'north';
  if (latitude! < south - FAR) return 'south';
  const width = east - west + 2 * FAR;
  const beyond = eastward(west - FAR, longitude!) - width;
  if (beyond <= 0) return null;
  return beyond < (360 - width) / 2 ? 'east' : 'west';
}

/** The side on which all points of a run are far outside an area, if its latitudes tell. */
function farSideOfRun({ south, north }: Box, extent: MapFrame['extent']): Side | null {
  const [[, lowest], [, highest]] = extent;
  if (south > highest + FAR) return 'north';
  return north < lowest - FAR ? 'south' : null;
}

/** Whether a line between two points is short enough to take the place of those in between. */
const isShortcut = ([west, south]: number[], [east, north]: number[]): boolean =>
  Math.abs(east! - west!) <= SHORTCUT && Math.abs(north! - south!) <= SHORTCUT;

/**
 * A ring without most of its points that are far outside an area. What is visible of it stays the
 * same: a shortcut leads only from point to point on one side of the area.
 */
function withoutFarPoints({ points, runs }: Ring, extent: MapFrame['extent']): number[][] {
  if (points.length < LONG_RING) return points;
  const ofRuns = runs.map((run) => farSideOfRun(run, extent));
  const sides = points.map(
    (point, index) => ofRuns[Math.floor(index / RUN)] ?? farSideOf(point, extent),
  );
  let last = 0;
  return points.filter((_point, index) => {
    const side = sides[index];
    const next = points[index + 1];
    const isLeftOut =
      index > 0 &&
      next !== undefined &&
      side !== null &&
      side === sides[last] &&
      side === sides[index + 1] &&
      isShortcut(points[last]!, next);
    if (!isLeftOut) last = index;
    return !isLeftOut;
  });
}

/** The data of an SVG path, and whether some of its points are well inside the map. */
interface Outline {
  path: string;
  isVisible: boolean;
}

/** A line at the edge of a map, in its units, is not seen. */
const EDGE = 40;

/** Whether a point is well inside the map. */
const isInside = (x: number, y: number): boolean =>
  x > EDGE && x < WIDTH - EDGE && y > EDGE && y < HEIGHT - EDGE;

/**
 * A path in whole units, each point as the distance from the one before. That is half as long as
 * what d3 writes.
 */
function shortened(written: string | null): Outline {
  let start: [number, number] = [0, 0];
  let last = start;
  let isVisible = false;
  const path = (written ?? '').replace(
    /Z|([ML])(-?\d+),(-?\d+)/g,
    (part: string, command: string, x: string, y: string) => {
      if (part === 'Z') {
        last = start;
        return 'z';
      }
      const right = Number(x) - last[0];
      const down = Number(y) - last[1];
      last = [Number(x), Number(y)];
      isVisible ||= isInside(...last);
      if (command === 'M') start = last;
      return command === 'L' && right === 0 && down === 0
        ? ''
        : `${command.toLowerCase()}${right}${down < 0 ? '' : ' '}${down}`;
    },
  );
  return { path, isVisible };
}

/** The outline of the land. */
function landIn(projection: GeoProjection, detail: Detail, extent: MapFrame['extent']): Outline {
  const near = landOf(detail).filter(({ bounds }) => isNear(bounds, extent));
  const coordinates = near.map(({ rings }) => rings.map((ring) => withoutFarPoints(ring, extent)));
  return shortened(geoPath(projection).digits(0)({ type: 'MultiPolygon', coordinates }));
}

/** The borders between countries. */
function bordersIn(projection: GeoProjection, extent: MapFrame['extent']): Outline {
  const near = bordersOnLand().filter(({ bounds }) => isNear(bounds, extent));
  const coordinates = near.flatMap(({ rings }) => rings.map(({ points }) => points));
  return shortened(geoPath(projection).digits(0)({ type: 'MultiLineString', coordinates }));
}

/** What a map is drawn with. */
export interface MapFrame {
  projection: GeoProjection;
  /** The outline of the land, as the data of an SVG path. */
  land: string;
  /** The borders between countries, in the same way; empty for a large area. */
  borders: string;
  /** Whether there is no coast or border to recognize. */
  isBlank: boolean;
  /**
   * The corners of a box with all that is visible. Longitudes may exceed 180 degrees instead of
   * crossing the date line.
   */
  extent: [[west: number, south: number], [east: number, north: number]];
  isWorld: boolean;
}

/** The whole world, drawn once. */
let world: MapFrame | null = null;
function wholeWorld(): MapFrame {
  const projection = geoNaturalEarth1().fitSize([WIDTH, HEIGHT], { type: 'Sphere' });
  // prettier-ignore
  const extent: MapFrame['extent'] = [[-180, -90], [180, 90]];
  return (world ??= {
    projection,
    land: landIn(projection, '110m', extent).path,
    borders: '',
    isBlank: false,
    extent,
    isWorld: true,
  });
}

/** Where a map is, and how detailed. */
interface View extends Pick<MapFrame, 'projection' | 'extent'> {
  isDetailed: boolean;
  /** A box around everything in sight, and a little more, as lines between points bend. */
  inSight: MapFrame['extent'];
}

/**
 * An area, with true distances from its centre; null for the whole world. That is an area that goes
 * more than half around the Earth, unless it is polar.
 */
function viewOf(area: Box): View | null {
  const width = widthOf(area);
  const isPolar = width > 180 && (area.north < -30 || area.south > 30);
  if (width > 180 && !isPolar) return null;
  const pole = { latitude: area.north < 0 ? -90 : 90, longitude: 0 };
  const { latitude, longitude } = isPolar ? pole : centreOf(area);
  const box = geoGraticule().extent([
    [area.west, area.south],
    [area.west + width, area.north],
  ]);
  const projection = geoAzimuthalEquidistant()
    .rotate([-longitude, -latitude])
    .fitExtent(
      [
        [MARGIN, MARGIN],
        [WIDTH - MARGIN, HEIGHT - MARGIN],
      ],
      { type: 'MultiPoint', coordinates: box.outline().coordinates[0]! },
    );
  // In this projection, lengths from the centre are angles; the corners are farthest away.
  const [x, y] = projection([longitude, latitude])!;
  const corner = Math.hypot(Math.max(x, WIDTH - x), Math.max(y, HEIGHT - y));
  const radius = Math.min(corner / projection.scale() / RADIANS, 179.9);
  projection.clipAngle(radius).clipExtent([
    [0, 0],
    [WIDTH, HEIGHT],
  ]);
  // Never too small: a circle reaches at most half of this, and a circle around a pole all
  // longitudes.
  const reach = Math.min((Math.PI * radius) / Math.cos(latitude * RADIANS), 180);
  const extent: MapFrame['extent'] = [
    [longitude - reach, Math.max(latitude - radius, -90)],
    [longitude + reach, Math.min(latitude + radius, 90)],
  ];
  const tangent = Math.sin(radius * RADIANS) / Math.cos(latitude * RADIANS);
  const hasPole = radius + Math.abs(latitude) >= 90;
  const halfWidth = hasPole ? 180 : Math.asin(Math.min(tangent, 1)) / RADIANS;
  const inSight: MapFrame['extent'] = [
    [longitude - halfWidth - FAR, latitude - radius - FAR],
    [longitude + halfWidth + FAR, latitude + radius + FAR],
  ];
  return { projection, extent, inSight, isDetailed: radius * 2 < DETAILED_BELOW };
}

/** Whether a coast or a border may be in sight: false if none can be. */
const mayShowLines = ({ inSight, isDetailed }: View): boolean =>
  landOf(isDetailed ? '50m' : '110m').some((land) => mayBeIn(land, inSight)) ||
  (isDetailed && bordersOnLand().some((border) => mayBeIn(border, inSight)));

/** Draws what is in sight. */
function drawn({ projection, extent, isDetailed }: View): MapFrame {
  const land = landIn(projection, isDetailed ? '50m' : '110m', extent);
  const lines = isDetailed ? bordersIn(projection, extent) : { path: '', isVisible: false };
  const isBlank = !land.isVisible && !lines.isVisible;
  return { projection, land: land.path, borders: lines.path, isBlank, extent, isWorld: false };
}

/** The map of an area. @param area null for the whole world */
export function frameOf(area: Box | null): MapFrame {
  const view = area === null ? null : viewOf(area);
  return view === null ? wholeWorld() : drawn(view);
}

/** No area on the Earth that is wider than this, in degrees, is without a coast. */
const WIDEST = 120;

/** The area, or the smallest larger one in which there is some coast or border to recognize. */
export function recognizableFrameOf(area: Box): MapFrame {
  const view = viewOf(area);
  if (view === null) return wholeWorld();
  const isWidest = widthOf(area) >= WIDEST;
  const frame = isWidest || mayShowLines(view) ? drawn(view) : null;
  if (frame !== null && (isWidest || !frame.isBlank)) return frame;
  return recognizableFrameOf(scaled(area, 1.6));
}
