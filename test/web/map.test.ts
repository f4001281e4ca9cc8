import { createRequire } from 'node:module';
import { geoPath } from 'd3-geo';
import t from 'tap';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Box } from '../../src/requests/place.js';
import { scaled } from '../../src/web/map/area.js';
import { frameOf, type MapFrame, recognizableFrameOf } from '../../src/web/map/projection.js';
import { renderLocalMap } from '../../src/web/map/world-map.js';

const require = createRequire(import.meta.url);

/** All points of the land, as detailed as maps of small areas have it. */
const land = ((): number[][][][] => {
  const topology = require('world-atlas/countries-50m.json') as Topology<{
    land: GeometryCollection;
  }>;
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

/** Whether no point of a coast or border is well inside a map. */
const isBlank = ({ land, borders }: MapFrame): boolean =>
  [...ringsOf(land), ...ringsOf(borders)]
    .flatMap((ring) => ring.split(' '))
    .every((point) => {
      const [x, y] = point.split(',').map(Number) as [number, number];
      return x <= 40 || x >= 960 || y <= 40 || y >= 460;
    });

/** The rings of the path that d3 writes for all points. */
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

const around = (longitude: number, latitude: number, size = 1): Box => ({
  west: longitude - size / 2,
  south: latitude - size / 2,
  east: longitude + size / 2,
  north: latitude + size / 2,
});

t.test('so does a map that shows little more than one line of the longest coast', (t) => {
  const [coast] = land
    .flatMap((rings) => rings)
    .toSorted((one, other) => other.length - one.length) as [number[][]];
  // In time, each place in a run of lines that are looked at together.
  for (let index = 0; index < coast.length - 1; index += 191) {
    const [[west, south], [east, north]] = [coast[index]!, coast[index + 1]!] as [
      number[],
      number[],
    ];
    if (Math.abs(east! - west!) > 180) continue;
    const area = around((west! + east!) / 2, (south! + north!) / 2, 0.02);
    const frame = frameOf(area);
    t.strictSame(ringsOf(frame.land), ringsOfAll(frame), JSON.stringify(area));
  }
  t.end();
});

t.test('of larger and larger areas around a Site, its map is the first that is not blank', (t) => {
  const drawnInTurn = (area: Box): MapFrame => {
    const frame = frameOf(area);
    return isBlank(frame) ? drawnInTurn(scaled(area, 1.6)) : frame;
  };
  const shown = ({ land, borders, extent }: MapFrame) => ({ land, borders, extent });
  for (let index = 0; index < 60; index++) {
    const area = around(-179 + ((index * 61) % 358), -89 + ((index * 37) % 178));
    t.strictSame(shown(recognizableFrameOf(area)), shown(drawnInTurn(area)), JSON.stringify(area));
  }
  t.end();
});

t.test('the map around a Site has some coast or border; without any nearby, it shows more', (t) => {
  const places: Record<string, [longitude: number, latitude: number]> = {
    'the middle of Australia': [133.9, -23.7],
    'the middle of North America': [-104.5, 38.8],
    'the middle of Asia': [87.2, 47],
    'the middle of an ocean': [-130, -25],
    'the south pole': [0, -89.4],
  };
  for (const [name, [longitude, latitude]] of Object.entries(places)) {
    const area = around(longitude, latitude);
    t.equal(isBlank(frameOf(area)), true, name);
    t.equal(isBlank(recognizableFrameOf(area)), false, name);
  }
  const flat = { west: -103, south: -88.2, east: -90, north: -88.16 };
  t.equal(isBlank(recognizableFrameOf(flat)), false, 'many meridians near a pole');
  const border = around(12.9, 49.1);
  t.match(frameOf(border).borders, /^m/);
  t.strictSame(recognizableFrameOf(border).borders, frameOf(border).borders);
  t.equal(frameOf(around(149.5, -35.5)).borders, '', 'a coast without a border');
  t.end();
});

t.test(
  'on the map around a Site, its label is shown, and no other one that would cover it',
  (t) => {
    const site = (shortestId: string, longitude: number, latitude: number) => ({
      shortestId,
      name: null,
      country: null,
      countryCode: null,
      longitude,
      latitude,
    });
    const shownOf = (distance: number): string[] => {
      const points = ['AAAA', 'BBBB', 'CCCC'].map((id, index) =>
        site(id, 12.9 + index * distance, 49.1),
      );
      const area = { west: 12.4, south: 48.6, east: 13.4, north: 49.6 };
      const wide = renderLocalMap(points, area, '..', {}).text.split('targets narrow')[0]!;
      return [...wide.matchAll(/class="shown"[^>]*>\s*(\w+)/g)].map(([, id]) => id!).sort();
    };
    t.strictSame(shownOf(0.0001), ['AAAA', 'BBBB'], 'at one place, one label on each side');
    t.strictSame(shownOf(0.4), ['AAAA', 'BBBB', 'CCCC']);
    t.end();
  },
);
