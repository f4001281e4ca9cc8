import { geoBounds } from 'd3-geo';
import type { Box, Point } from '../../requests/place.js';

/** Areas of the Earth for a map, and what there is to zoom to. */

/** The smallest height and width of an area around Sites, in degrees. */
const SMALLEST = 0.5;
/** The space around the Sites of an area, as a part of its height and width. */
const MARGIN = 0.08;

/** The areas to which a map has links. */
export const REGIONS: readonly [name: string, box: Box][] = [
  ['Africa', { west: -26, south: -36, east: 60, north: 38 }],
  ['Antarctica', { west: -180, south: -90, east: 180, north: -60 }],
  ['Asia', { west: 26, south: -11, east: 180, north: 78 }],
  ['Europe', { west: -25, south: 34, east: 45, north: 72 }],
  ['North America', { west: -170, south: 7, east: -50, north: 84 }],
  ['Oceania', { west: 110, south: -50, east: -130, north: 20 }],
  ['South America', { west: -93, south: -57, east: -32, north: 14 }],
];

/** The width of a box in degrees, across the date line too. */
export const widthOf = ({ west, east }: Box): number =>
  west <= east ? east - west : east - west + 360;

/** A longitude from -180 to 180. */
function normalizedLongitude(longitude: number): number {
  if (longitude < -180) return longitude + 360;
  return longitude > 180 ? longitude - 360 : longitude;
}

/** The centre of a box. */
export const centreOf = (box: Box): Point => ({
  latitude: (box.south + box.north) / 2,
  longitude: normalizedLongitude(box.west + widthOf(box) / 2),
});

/**
 * The box of a size around a point, within the limits of latitude. A width of 360 degrees or more
 * is the whole circle.
 */
function boxOf({ latitude, longitude }: Point, width: number, height: number): Box {
  const south = Math.max(latitude - height / 2, -90);
  const north = Math.min(latitude + height / 2, 90);
  if (width >= 360) return { west: -180, south, east: 180, north };
  return {
    west: normalizedLongitude(longitude - width / 2),
    south,
    east: normalizedLongitude(longitude + width / 2),
    north,
  };
}

/** A box with the same centre, larger or smaller by a factor. */
export const scaled = (box: Box, factor: number): Box =>
  boxOf(
    centreOf(box),
    Math.max(widthOf(box) * factor, SMALLEST),
    Math.max((box.north - box.south) * factor, SMALLEST),
  );

/**
 * The smallest box with some space around the points, which may lie on both sides of the date line;
 * null without points.
 * @param smallest its least height and width
 */
export function boxAroundPoints(points: readonly Point[], smallest = SMALLEST): Box | null {
  if (points.length === 0) return null;
  const coordinates = points.map(({ longitude, latitude }) => [longitude, latitude]);
  const [[west, south], [east, north]] = geoBounds({ type: 'MultiPoint', coordinates });
  const box = { west, south, east, north };
  const size = (extent: number): number => Math.max(extent * (1 + 2 * MARGIN), smallest);
  return boxOf(centreOf(box), size(widthOf(box)), size(north - south));
}

/** The parameters of the page with the map of an area. */
export const queryOf = (box: Box): { bbox: string; map: undefined } => ({
  bbox: boxText(box),
  map: undefined,
});

/** A box as the parameter `bbox`, rounded outwards to a thousandth of a degree. */
export function boxText({ west, south, east, north }: Box): string {
  const down = (value: number): number => Math.floor(value * 1000) / 1000;
  const up = (value: number): number => Math.ceil(value * 1000) / 1000;
  return [down(west), down(south), up(east), up(north)].join();
}
