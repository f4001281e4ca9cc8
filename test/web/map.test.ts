import { createRequire } from 'node:module';
import { geoPath } from 'd3-geo';
import t from 'tap';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Box } from '../../src/requests/place.js';
import { frameOf, type MapFrame } from '../../src/web/map/projection.js';

const require = createRequire(import.meta.url);

/** All points of the land, as detailed as maps of small areas have it. */
const land = ((): number[][][][] => {
  const topology = require('world-atlas/land-50m.json') as Topology<{ land: GeometryCollection }>;
  return feature(topology, topology.objects.land).features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates : [],
  );
})();

/** The points of a path with relative coordinates, one line for each ring. */
function ringsOf(path: string): string[] {
  const rings: string[][] = [];
  let [x, y] = [0, 0];
  let start = [0, 0];
  for (const [, command, right, down] of path.matchAll(/([mlz])(?:(-?\d+)[ ]?(-?\d+))?/g)) {
    if (command === 'z') {
      [x, y] = start as [number, number];
      continue;
    }
    x += Number(right);
    y += Number(down);
    if (command === 'm') {
      rings.push([]);
      start = [x, y];
    }
    rings.at(-1)!.push(`${x},${y}`);
  }
  return rings.map((ring) => ring.join(' '));
}

/** The same of the path that d3 writes for all points. */
function ringsOfAll({ projection }: MapFrame): string[] {
  const path = geoPath(projection).digits(0)({ type: 'MultiPolygon', coordinates: land }) ?? '';
  return path
    .split('Z')
    .filter((ring) => ring !== '')
    .map((ring) => {
      const points = ring.slice(1).split('L');
      return points.filter((point, index) => point !== points[index - 1]).join(' ');
    });
}

t.test('a map of an area shows the same land as one drawn with all points of all land', (t) => {
  const areas: Record<string, Box> = {
    'the middle of a continent': { west: 12, south: 48.5, east: 14, north: 49.5 },
    'a coast': { west: 148, south: -36, east: 150, north: -35 },
    'a bay': { west: -80, south: 50, east: -72, north: 58 },
    'an inland sea': { west: 48, south: 39, east: 54, north: 42 },
    'both sides of the date line': { west: 172, south: 60, east: -170, north: 68 },
    'the north of islands': { west: -60, south: 76, east: -30, north: 83 },
    'a pole': { west: -180, south: -90, east: 180, north: -85 },
    'an ocean': { west: -150, south: -2, east: -149, north: -1 },
  };
  for (const [name, area] of Object.entries(areas)) {
    const frame = frameOf(area);
    t.strictSame(ringsOf(frame.land), ringsOfAll(frame), name);
  }
  t.end();
});
