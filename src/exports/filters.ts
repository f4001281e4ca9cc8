import type { Static, TObject } from '@sinclair/typebox';
import {
  type agencyFilter,
  type Collection,
  type deviceFilters,
  type EquipmentType,
  type Instant,
  isSiteId,
  SATELLITE_SYSTEMS,
  type SatelliteSystem,
  type placeFilters,
  type siteFilter,
  type siteFilters,
} from '../../schemas/index.js';
import {
  type Box,
  BOX_FORM,
  parseBox,
  parsePoint,
  type Point,
  POINT_FORM,
} from '../requests/place.js';
import { parseSiteId, siteIdText } from '../requests/site-id.js';
import { FINDING_CODES, type FindingCode, RECORDED_CODES } from '../findings/codes.js';
import { nearestTo } from '../requests/nearest.js';
import { countryCode, countryCodes } from '../site-log/values/country.js';
import type { ChangeFilter } from '../store/read/changes.js';
import type { DeviceFilter, SiteFilter, SystemFilter } from '../store/read/filters.js';
import type { FindingFilter } from '../store/read/findings.js';
import type { SitePageSearch } from '../store/read/sites/page.js';
import type { PageSearch } from '../store/page.js';
import type { Store } from '../store/store.js';
import {
  type changeParameters,
  type exportedFindingsParameters,
  instantOf,
  periodOf,
  recordTimeOf,
} from './parameters.js';
import { invalidParameter, RequestRefused } from './refusals.js';

/** What the filters of a query stand for. Each is read here for all resources. */

/** The filters by Sites in a query. */
type SiteQuery = Static<TObject<typeof siteFilter & typeof placeFilters & typeof agencyFilter>>;

/** The filters by properties in a query of a collection. */
export const filtersOf = (
  { filters, caselessFilters = [] }: Pick<Collection, 'filters' | 'caselessFilters'>,
  query: object,
): PageSearch['filters'] =>
  Object.entries(query)
    .filter(([name]) => filters.includes(name))
    .map(([property, values]) => ({
      property,
      values: values as PageSearch['filters'][number]['values'],
      ignoresCase: caselessFilters.includes(property),
    }));

/** Parses a box; null if it is left out. @throws {RequestRefused} if it is not one */
export function boxOf(text: string | undefined): Box | null {
  const box = text === undefined ? null : parseBox(text);
  if (text !== undefined && box === null)
    throw invalidParameter({
      name: 'bbox',
      value: text,
      reason: 'is not a bounding box',
      allowed: `${BOX_FORM}.`,
    });
  return box;
}

/** Where a Site is. @throws {RequestRefused} if its id identifies none, or its place is unknown */
async function placeOfSite(
  { sites, asOf }: Pick<Store, 'sites' | 'asOf'>,
  id: string,
): Promise<Point> {
  const asked = parseSiteId(id);
  const answer = await sites.findOne(asked, null);
  if (answer.kind !== 'found') {
    throw new RequestRefused({
      kind: 'unresolved-site',
      parameter: 'near',
      asked: siteIdText(asked),
      answer,
      asOf,
    });
  }
  const { latitude, longitude } = answer.found.location;
  if (latitude === null || longitude === null) {
    throw invalidParameter({
      name: 'near',
      value: id,
      reason: 'is a Site without a known position',
      allowed: `${PLACE_FORM}.`,
    });
  }
  return { latitude, longitude };
}

/** What `near` accepts. */
const PLACE_FORM = `${POINT_FORM}; or the id of a Site`;

/** The point of a place. @throws {RequestRefused} if the text is none */
async function pointOf(store: Pick<Store, 'sites' | 'asOf'>, near: string): Promise<Point> {
  if (isSiteId(near)) return placeOfSite(store, near);
  const point = parsePoint(near);
  if (point !== null) return point;
  throw invalidParameter({
    name: 'near',
    value: near,
    reason: 'is not a place',
    allowed: `${PLACE_FORM}.`,
  });
}

/**
 * Finds the point of a place, with a radius.
 * @throws {RequestRefused} if there is no such place, or there is a radius without a place
 */
async function nearOf(
  store: Pick<Store, 'sites' | 'asOf'>,
  { near, radius }: SiteQuery,
): Promise<SiteFilter['near']> {
  const point = near === undefined ? null : await pointOf(store, near);
  if (radius !== undefined && point === null) {
    throw invalidParameter({
      name: 'radius',
      value: String(radius),
      reason: 'is given without near',
      allowed: 'a number of kilometres together with near.',
    });
  }
  return point && { ...point, radius: radius ?? null };
}

/** The code of a country, in upper case. @throws {RequestRefused} if it is none of ISO 3166-1 */
function countryCodeOf(text: string): string {
  const code = text.toUpperCase();
  const codes = countryCodes();
  if (codes.includes(code)) return code;
  const meant = countryCode(text);
  const hint = meant === null ? '' : ` (did you mean ${meant}?)`;
  throw invalidParameter({
    name: 'countryCode',
    value: text,
    reason: `is not a country code${hint}`,
    allowed: 'a code of ISO 3166-1 alpha-3, such as AUS.',
  });
}

/** The agencies on record that match one of some patterns; null if there are no patterns. */
const agenciesOf = async (
  { sites }: Pick<Store, 'sites' | 'asOf'>,
  patterns: string[] | undefined,
): Promise<string[] | null> => (patterns === undefined ? null : sites.findAgencies(patterns));

/** The code of a satellite system; undefined if there is none. */
const systemOf = (text: string): SatelliteSystem | undefined =>
  SATELLITE_SYSTEMS.find((system) => system === text.toUpperCase());

/** The satellite systems that receivers tracked. @throws {RequestRefused} if one is unknown */
export function systemsOf({
  satelliteSystem,
}: {
  satelliteSystem?: string[] | undefined;
}): SystemFilter {
  if (satelliteSystem === undefined) return null;
  return satelliteSystem.map((value) => {
    const systems = value.split(',').map(systemOf);
    if (systems.every((system) => system !== undefined)) return systems;
    throw invalidParameter({
      name: 'satelliteSystem',
      value,
      reason: 'is not a satellite system',
      allowed: `${SATELLITE_SYSTEMS.join(', ')}, or several of them with commas between them.`,
    });
  });
}

/**
 * The Sites that a query asks for.
 * @throws {RequestRefused} if a parameter is malformed, or an id identifies no Site
 */
async function sitesOf(
  store: Pick<Store, 'sites' | 'asOf'>,
  query: SiteQuery,
): Promise<SiteFilter> {
  const filter = {
    countryCodes: query.countryCode?.map(countryCodeOf) ?? null,
    box: boxOf(query.bbox),
    near: await nearOf(store, query),
    agencies: await agenciesOf(store, query.agency),
  };
  if (query.site === undefined) return { ...filter, numbers: null };
  const answer = await store.sites.findNumbers(query.site.map(parseSiteId));
  if (answer.kind === 'found') return { ...filter, numbers: answer.found };
  const asked = siteIdText(answer.asked);
  throw new RequestRefused({
    kind: 'unresolved-site',
    parameter: 'site',
    asked,
    answer,
    asOf: store.asOf,
  });
}

/** The same for what has no order by distance, where a point needs a radius. */
export async function siteFilterOf(
  store: Pick<Store, 'sites' | 'asOf'>,
  query: SiteQuery,
): Promise<SiteFilter> {
  if (query.near !== undefined && query.radius === undefined) {
    throw invalidParameter({
      name: 'near',
      value: query.near,
      reason: 'is given without radius',
      allowed: 'a place together with radius.',
    });
  }
  return sitesOf(store, query);
}

/**
 * Adds the filters of lists of Sites to a search.
 * @throws {RequestRefused} as {@link siteFilterOf}
 */
export async function siteSearchOf(
  store: Pick<Store, 'sites' | 'asOf'>,
  search: PageSearch,
  query: Static<TObject<typeof siteFilters>>,
): Promise<SitePageSearch> {
  return { ...search, text: query.q ?? '', sites: await sitesOf(store, query) };
}

/** The devices that a query asks for. */
export const deviceFilterOf = ({
  q,
  type,
  equipmentType,
  serialNumber,
  conflicts,
}: Static<TObject<ReturnType<typeof deviceFilters<EquipmentType>>>>): DeviceFilter => ({
  text: q ?? '',
  types: type ?? null,
  equipmentTypes: equipmentType ?? null,
  serialNumbers: serialNumber ?? null,
  conflicting: conflicts ?? null,
});

/** The period in a query. @throws {RequestRefused} if a bound is malformed */
const boundsOf = ({ from, to }: { from?: string; to?: string }) =>
  periodOf({ names: ['from', 'to'], from, to });

/**
 * The instant or period in a query; null if there is none. Equal bounds stand for an instant.
 * @throws {RequestRefused} if it has both
 */
export function duringOf(query: {
  at?: string;
  from?: string;
  to?: string;
}): { from: Instant | null; to: Instant | null } | null {
  const hasBounds = (query.from ?? query.to) !== undefined;
  if (query.at === undefined) return hasBounds ? boundsOf(query) : null;
  if (hasBounds)
    throw invalidParameter({
      name: 'at',
      value: query.at,
      reason: 'is given together with from or to',
      allowed: 'an instant without from and to.',
    });
  const at = instantOf('at', query.at);
  return { from: at, to: at };
}

/**
 * The changes that a query selects: what, when, where, and recorded since when.
 * @throws {RequestRefused} as {@link siteFilterOf}
 */
export const changeFilterOf = async (
  store: Pick<Store, 'sites' | 'asOf'>,
  query: Static<TObject<typeof changeParameters>>,
): Promise<ChangeFilter & { sites: SiteFilter; recordedSince: string | null }> => ({
  ...boundsOf(query),
  equipmentTypes: query.equipmentType ?? null,
  kinds: query.kind ?? null,
  sites: await siteFilterOf(store, query),
  recordedSince: recordTimeOf('recordedSince', query.recordedSince),
});

/**
 * The code of findings.
 * @throws {RequestRefused} if there is no such code, or no finding of it is ever on record: an
 *   empty list would say that none was found
 */
function findingCodeOf(code: string): FindingCode {
  const known = RECORDED_CODES.find((each) => each === code);
  if (known !== undefined) return known;
  const [meant] = nearestTo(code, RECORDED_CODES, (each) => [each], 1);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  const isOther = FINDING_CODES.some((each) => each === code);
  throw invalidParameter({
    name: 'code',
    value: code,
    reason: isOther
      ? 'is found by check-log --database, an import or another command, but never on record here'
      : `is not the code of a finding${hint}`,
    allowed: `${RECORDED_CODES.join(', ')}.`,
  });
}

/**
 * The findings that a query selects.
 * @throws {RequestRefused} as {@link siteFilterOf}, or if there is no such code
 */
export const findingFilterOf = async (
  store: Pick<Store, 'sites' | 'asOf'>,
  query: Static<TObject<typeof exportedFindingsParameters>>,
): Promise<FindingFilter> => ({
  sites: await siteFilterOf(store, query),
  codes: query.code?.map(findingCodeOf) ?? null,
  levels: query.level ?? null,
  recordedSince: recordTimeOf('recordedSince', query.recordedSince),
});
