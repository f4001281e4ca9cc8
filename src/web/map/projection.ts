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
import { type Box, DEGREES_PER_RADIAN } from '../../requests/place.js';
import { centreOf, scaled, widthOf } from './area.js';

/** Projections of a map, and the outline of the land in them. */

/** The size of a map in its own units. */
export const WIDTH = 1000;
export const HEIGHT = 500;
/** The space around an area, in these units. */
const MARGIN = 14;

/** How detailed an outline is: Natural Earth, 1:110 million or 1:50 million. */
type Detail = '110m' | '50m';
/**
 * Areas that are narrower than this have the more detailed outline, in degrees of their diagonal.
 */
const DETAILED_BELOW = 25;

/** How many lines of a ring are looked at together. */
const RUN = 64;
/** A ring with fewer lines is drawn as it is: without some of them, little would be left of it. */
const LONG_RING = 1000;
/**
 * A line takes the place of a run that is at most so wide, in degrees. It is an arc of a great
 * circle, and leaves the box of the run by less than {@link FAR}.
 */
const SHORTCUT = 25;
/** How far around a map what it shows may be, in degrees, as lines between points bend. */
const FAR = 1;

/** Some lines of a ring, or of a border, that follow each other. */
interface Run {
  /** Longitudes and latitudes of where they begin. */
  points: number[][];
  /** What they lie within. */
  box: Box;
}

/** A ring, or the line of a border. */
interface Ring {
  runs: Run[];
  /** Where it ends. */
  end: number[];
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
  runs: Array.from({ length: Math.ceil((points.length - 1) / RUN) }, (_, index) => {
    const from = index * RUN;
    return {
      points: points.slice(from, Math.min(from + RUN, points.length - 1)),
      box: boxAround(points.slice(from, from + RUN + 1)),
    };
  }),
  end: points.at(-1)!,
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

/** The borders between countries, made when first needed; none on a map without details. */
let borders: Land[] | null = null;
function bordersOf(detail: Detail): Land[] {
  if (detail !== '50m') return [];
  const atlas = atlasOf(detail);
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

/**
 * The corners of a box around everything in sight, and a little more. Longitudes may exceed 180
 * degrees instead of crossing the date line.
 */
type Extent = [[west: number, south: number], [east: number, north: number]];

/** Whether what lies within a box can be visible. Most land is far, and takes long to clip. */
function isNear(box: Box, [[west, south], [east, north]]: Extent): boolean {
  if (box.south > north || box.north < south) return false;
  return longitudesMeet([box.west, box.east], [west, east]);
}

/** The points of a ring, or of the line of a border. */
const pointsOf = ({ runs, end }: Ring): number[][] => [
  ...runs.flatMap(({ points }) => points),
  end,
];

/**
 * The points of a ring, without those between the ends of runs that are not in sight. What is
 * visible of it stays the same: neither is the line between the ends.
 */
function pointsNear(ring: Ring, extent: Extent): number[][] {
  const { runs, end } = ring;
  if (runs.length * RUN < LONG_RING) return pointsOf(ring);
  const isShort = ({ west, east }: Box): boolean => east - west <= SHORTCUT;
  return [
    ...runs.flatMap(({ points, box }) =>
      isShort(box) && !isNear(box, extent) ? [points[0]!] : points,
    ),
    end,
  ];
}

/**
 * A path in whole units, each point as the distance from the one before. That is half as long as
 * what d3 writes.
 */
function shortened(written: string | null): string {
  let start: [number, number] = [0, 0];
  let last = start;
  return (written ?? '').replace(
    /Z|([ML])(-?\d+),(-?\d+)/g,
    (part: string, command: string, x: string, y: string) => {
      if (part === 'Z') {
        last = start;
        return 'z';
      }
      const right = Number(x) - last[0];
      const down = Number(y) - last[1];
      last = [Number(x), Number(y)];
      if (command === 'M') start = last;
      return command === 'L' && right === 0 && down === 0
        ? ''
        : `${command.toLowerCase()}${right}${down < 0 ? '' : ' '}${down}`;
    },
  );
}

/** Where a map is, and how detailed. */
interface View {
  projection: GeoProjection;
  extent: Extent;
  detail: Detail;
}

/** The outline of the land in sight. */
function landIn({ projection, extent, detail }: View): string {
  const near = landOf(detail).filter(({ bounds }) => isNear(bounds, extent));
  const coordinates = near.map(({ rings }) => rings.map((ring) => pointsNear(ring, extent)));
  return shortened(geoPath(projection).digits(0)({ type: 'MultiPolygon', coordinates }));
}

/** The borders between countries in sight; none in a large area. */
function bordersIn({ projection, extent, detail }: View): string {
  const near = bordersOf(detail).filter(({ bounds }) => isNear(bounds, extent));
  const coordinates = near.flatMap(({ rings }) => rings.map(pointsOf));
  return shortened(geoPath(projection).digits(0)({ type: 'MultiLineString', coordinates }));
}

/** What a map is drawn with. */
export interface MapFrame {
  projection: GeoProjection;
  /** The outline of the land, as the data of an SVG path. */
  land: string;
  /** The borders between countries, in the same way; empty for a large area. */
  borders: string;
  extent: Extent;
  isWorld: boolean;
}

/** The whole world, drawn once. */
let world: MapFrame | null = null;
function wholeWorld(): MapFrame {
  if (world !== null) return world;
  const projection = geoNaturalEarth1().fitSize([WIDTH, HEIGHT], { type: 'Sphere' });
  // prettier-ignore
  const extent: Extent = [[-180, -90], [180, 90]];
  const land = landIn({ projection, extent, detail: '110m' });
  world = { projection, land, borders: '', extent, isWorld: true };
  return world;
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
  const radius = Math.min((corner * DEGREES_PER_RADIAN) / projection.scale(), 179.9);
  projection.clipAngle(radius).clipExtent([
    [0, 0],
    [WIDTH, HEIGHT],
  ]);
  // What is in sight is within a circle; it is widest north or south of the centre.
  const sine = Math.sin(radius / DEGREES_PER_RADIAN) / Math.cos(latitude / DEGREES_PER_RADIAN);
  const hasPole = radius + Math.abs(latitude) >= 90;
  const halfWidth = hasPole ? 180 : Math.asin(Math.min(sine, 1)) * DEGREES_PER_RADIAN;
  const extent: Extent = [
    [longitude - halfWidth - FAR, Math.max(latitude - radius - FAR, -90)],
    [longitude + halfWidth + FAR, Math.min(latitude + radius + FAR, 90)],
  ];
  return { projection, extent, detail: radius * 2 < DETAILED_BELOW ? '50m' : '110m' };
}

/** Draws what is in sight. */
const drawn = (view: View): MapFrame => ({
  projection: view.projection,
  land: landIn(view),
  borders: bordersIn(view),
  extent: view.extent,
  isWorld: false,
});

/** The map of an area. @param area null for the whole world */
export function frameOf(area: Box | null): MapFrame {
  const view = area === null ? null : viewOf(area);
  return view === null ? wholeWorld() : drawn(view);
}

/** A line at the edge of a map, in its units, is not seen. */
const EDGE = 40;

/** Whether a map would show some coast or border to recognize: a point of one well inside it. */
function showsLines({ projection, extent, detail }: View): boolean {
  const isInside = (point: number[]): boolean => {
    const [x, y] = projection(point as [number, number])!;
    return x > EDGE && x < WIDTH - EDGE && y > EDGE && y < HEIGHT - EDGE;
  };
  const isSeen = ({ box, points }: Run): boolean => isNear(box, extent) && points.some(isInside);
  const areSeen = ({ bounds, rings }: Land): boolean =>
    isNear(bounds, extent) && rings.some(({ runs }) => runs.some(isSeen));
  return landOf(detail).some(areSeen) || bordersOf(detail).some(areSeen);
}

/** The area, or the smallest larger one in which there is some coast or border to recognize. */
export function recognizableFrameOf(area: Box): MapFrame {
  const view = viewOf(area);
  if (view === null) return wholeWorld();
  return showsLines(view) ? drawn(view) : recognizableFrameOf(scaled(area, 1.6));
}
