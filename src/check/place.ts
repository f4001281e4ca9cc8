import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { geoContains } from 'd3-geo';
import { countryName, numericCode } from '../site-log/values/country.js';
import { DEGREES_PER_RADIAN, distance } from '../requests/place.js';
import { geodeticPosition } from '../site-log/values/position.js';
import type { Report } from '../findings/findings.js';
import type { CheckedLog } from './checked-log.js';

/**
 * The checks of the position of a Site. That of X, Y and Z against latitude and longitude is in the
 * reader, which chooses.
 */

/**
 * How far elevation may be from that of X, Y and Z, in metres: less than heights above the geoid
 * usually differ.
 */
const HEIGHT_TOLERANCE = 10;
/** How far from its country a Site may be, in metres: the outlines lack small islands. */
const COUNTRY_TOLERANCE = 500_000;

/** Territories that site logs name by their country. */
const TERRITORIES: Partial<Record<string, string[]>> = {
  DNK: ['FRO', 'GRL'],
  FRA: ['ATF', 'BLM', 'MAF', 'NCL', 'PYF', 'SPM', 'WLF'],
  GBR: ['AIA', 'BMU', 'CYM', 'FLK', 'GGY', 'IOT', 'MSR', 'PCN', 'SGS', 'SHN', 'TCA', 'VGB'],
  NLD: ['ABW', 'CUW', 'SXM'],
  NZL: ['COK', 'NIU'],
  USA: ['ASM', 'GUM', 'MNP', 'PRI', 'VIR'],
  AUS: ['HMD', 'NFK'],
};

/**
 * Points of small islands that the map lacks, or has under no country, by the country that site
 * logs name: east, north.
 */
const SMALL_ISLANDS: Partial<Record<string, [east: number, north: number][]>> = {
  // Cocos (Keeling), Christmas Island
  AUS: [
    [96.83, -12.17],
    [105.63, -10.49],
  ],
  CCK: [[96.83, -12.17]],
  CXR: [[105.63, -10.49]],
  // Trindade
  BRA: [[-29.32, -20.51]],
  // Clipperton
  FRA: [[-109.22, 10.3]],
  // Minamitorishima (Marcus Island)
  JPN: [[153.98, 24.28]],
  // Bouvet Island
  NOR: [[3.35, -54.42]],
  // Raoul Island
  NZL: [[-177.92, -29.27]],
  // Wake, Midway, Johnston
  USA: [
    [166.63, 19.3],
    [-177.37, 28.2],
    [-169.53, 16.73],
  ],
};

type Countries = Topology<{ countries: GeometryCollection }>;

/** Loaded when first needed. */
let world: Countries | null = null;
const readWorld = (): Countries =>
  createRequire(import.meta.url)('world-atlas/countries-50m.json') as Countries;

/** The outlines of the countries with some numbers. */
function outlinesOf(numbers: readonly string[]) {
  world ??= readWorld();
  const { countries } = world.objects;
  const geometries = countries.geometries.filter(({ id }) => numbers.includes(String(id)));
  return feature(world, { ...countries, geometries }).features;
}

/** All points of an outline. */
function pointsOf(coordinates: unknown): [number, number][] {
  const list = coordinates as unknown[];
  return typeof list[0] === 'number' ? [list as [number, number]] : list.flatMap(pointsOf);
}

/** A country on the map, with its territories. */
interface Land {
  outlines: ReturnType<typeof outlinesOf>;
  /** All points of the outlines: east, north. */
  points: [number, number][];
  /** X, Y and Z of each of the points on a sphere of radius 1, one after the other. */
  onSphere: Float64Array;
}

/** X, Y and Z of a point on a sphere of radius 1. */
function onUnitSphere(east: number, north: number): [x: number, y: number, z: number] {
  const fromAxis = Math.cos(north / DEGREES_PER_RADIAN);
  const longitude = east / DEGREES_PER_RADIAN;
  return [
    fromAxis * Math.cos(longitude),
    fromAxis * Math.sin(longitude),
    Math.sin(north / DEGREES_PER_RADIAN),
  ];
}

/** The countries that were looked up, by their codes. */
const lands = new Map<string, Land>();

/** Finds a country on the map; null if it is not there. */
function landOf(code: string): Land | null {
  const known = lands.get(code);
  if (known !== undefined) return known;
  const numbers = [code, ...(TERRITORIES[code] ?? [])].flatMap((each) => numericCode(each) ?? []);
  const outlines = outlinesOf(numbers);
  const islands = SMALL_ISLANDS[code] ?? [];
  if (outlines.length === 0 && islands.length === 0) return null;
  const onMap = outlines.flatMap(({ geometry }) =>
    'coordinates' in geometry ? pointsOf(geometry.coordinates) : [],
  );
  const points = [...onMap, ...islands];
  const onSphere = Float64Array.from(points.flatMap(([east, north]) => onUnitSphere(east, north)));
  const land = { outlines, points, onSphere };
  lands.set(code, land);
  return land;
}

/** The point of a country that is nearest to a position: the one in the most similar direction. */
function nearestPoint({ points, onSphere }: Land, [x, y, z]: [number, number, number]) {
  let nearest = 0;
  let likest = -Infinity;
  for (let index = 0; index < points.length; index++) {
    const at = index * 3;
    const likeness = x * onSphere[at]! + y * onSphere[at + 1]! + z * onSphere[at + 2]!;
    if (likeness <= likest) continue;
    likest = likeness;
    nearest = index;
  }
  return points[nearest]!;
}

/** The distance from a country in metres; 0 inside; null if it is not on the map. */
export function distanceFromCountry(
  code: string,
  latitude: number,
  longitude: number,
): number | null {
  const land = landOf(code);
  if (land === null) return null;
  const [east, north] = nearestPoint(land, onUnitSphere(longitude, latitude));
  const nearest = distance({ latitude, longitude }, { latitude: north, longitude: east });
  if (nearest <= COUNTRY_TOLERANCE) return nearest;
  const isInside = land.outlines.some((outline) => geoContains(outline, [longitude, latitude]));
  return isInside ? 0 : nearest;
}

/** The coordinate whose other sign brings a position to its country; null if none does. */
function mirroredCoordinate(
  { latitude, longitude }: { latitude: number; longitude: number },
  isThere: (north: number, east: number) => boolean,
): 'latitude' | 'longitude' | null {
  if (isThere(-latitude, longitude)) return 'latitude';
  return isThere(latitude, -longitude) ? 'longitude' : null;
}

/** Checks the position. */
export function checkPlace(
  { sections: { siteLocation }, log: { identification } }: CheckedLog,
  report: Report,
): void {
  const { latitude, longitude, elevation, x, y, z, countryCode: code } = identification;
  const line = siteLocation.latitude?.line ?? siteLocation.x?.line ?? 1;
  const place = { line, section: '2' };
  if (latitude === 0 && longitude === 0) {
    report('zero-position', place, { of: 'degrees' });
    return;
  }
  const computed = x === null || y === null || z === null ? null : geodeticPosition(x, y, z);
  if (
    computed !== null &&
    elevation !== null &&
    Math.abs(computed.elevation - elevation) > HEIGHT_TOLERANCE
  ) {
    const metres = Math.round(Math.abs(computed.elevation - elevation));
    const text = `${elevation} ${computed.elevation}`;
    const ofElevation = { ...place, line: siteLocation.elevation?.line ?? line };
    report('height-mismatch', ofElevation, { metres, text });
  }
  if (latitude === null || longitude === null || code === null) return;
  const away = distanceFromCountry(code, latitude, longitude);
  if (away !== null && away > COUNTRY_TOLERANCE) {
    const isThere = (north: number, east: number): boolean =>
      distanceFromCountry(code, north, east)! <= COUNTRY_TOLERANCE;
    const mirrored = mirroredCoordinate({ latitude, longitude }, isThere);
    report(
      'far-from-country',
      place,
      {
        kilometres: Math.round(away / 1000),
        country: countryName(code) ?? code,
        mirrored,
        text: `${latitude} ${longitude}`,
      },
      mirrored === null ? 'info' : 'warning',
    );
  }
}
