import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { EquipmentType, Instant, SatelliteSystem } from '../../../schemas/index.js';
import { comparableSerialNumber, comparableType, NO_DEVICE_TYPES } from '../../derive/devices.js';
import { boxAround, plainBoxes } from '../../derive/places.js';
import { neededWordsOf } from '../../derive/summary.js';
import { type Box, DEGREES_PER_RADIAN, EARTH_RADIUS, type Point } from '../../requests/place.js';
import { compileTypePattern, foldType } from '../../requests/type-pattern.js';
import type { Database } from '../database.js';
import { allOf, type Dialect } from '../dialect.js';
import { overlapping } from '../page.js';

/** The filters that several nouns have. Each has its SQL once. */

/** Which Sites. Null means no limit. */
export interface SiteFilter {
  /** The numbers of the Sites. */
  numbers: number[] | null;
  /** ISO 3166-1 alpha-3, upper case. */
  countryCodes: string[] | null;
  box: Box | null;
  /** A point; without a radius, in kilometres, it limits nothing. */
  near: (Point & { radius: number | null }) | null;
  /** The agencies as they are on record. */
  agencies: string[] | null;
}

/** All Sites. */
export const ALL_SITES: SiteFilter = {
  numbers: null,
  countryCodes: null,
  box: null,
  near: null,
  agencies: null,
};

/** Which equipment, by its kind and type. Null means no limit. */
interface TypeFilter {
  /** Patterns of `compileTypePattern`; a type matches one of them. */
  types: string[] | null;
  equipmentTypes: readonly EquipmentType[] | null;
}

/** Which devices. */
export interface DeviceFilter extends TypeFilter {
  /** They are compared without case, blanks and hyphens. */
  serialNumbers: string[] | null;
  /** Whether they are in use at several Sites at the same time, according to the logs. */
  conflicting: boolean | null;
  /**
   * Words that must all appear in the type, serial number or manufacturer; case and accents are
   * ignored. Empty for all devices.
   */
  text: string;
}

/** The condition that a Site is within a box. */
const withinBox = (box: Box): Sql => {
  const each = plainBoxes(box).map(
    ({ west, south, east, north }) =>
      sql`site.latitude BETWEEN ${south} AND ${north}
        AND site.longitude BETWEEN ${west} AND ${east}`,
  );
  return sql`(${join(each, ' OR ')})`;
};

/** The distance of a Site from a point in kilometres, as `kilometresBetween` computes it. */
export function distanceFrom({ latitude, longitude }: Point): Sql {
  // The haversine formula.
  const haversine = (degrees: Sql): Sql => sql`power(sin(radians(${degrees}) / 2), 2)`;
  const ofLatitudes = haversine(sql`site.latitude - ${latitude}`);
  const ofLongitudes = haversine(sql`site.longitude - ${longitude}`);
  const cosine = Math.cos(latitude / DEGREES_PER_RADIAN);
  const ofBoth = sql`(
    ${ofLatitudes} + ${cosine} * cos(radians(site.latitude)) * ${ofLongitudes})`;
  const diameter = raw(String(2 * EARTH_RADIUS));
  return sql`
    round(${diameter} * atan2(sqrt(${ofBoth}), sqrt(abs(1 - ${ofBoth})))) / 1000`;
}

/** The conditions on a row of `site`. */
export const siteConditions = (
  dialect: Dialect,
  { numbers, countryCodes, box, near, agencies }: SiteFilter,
): Sql[] => [
  ...(numbers === null ? [] : [dialect.isOneOf('site.id', numbers)]),
  ...(countryCodes === null ? [] : [dialect.isOneOf('site.country_code', countryCodes)]),
  ...(box === null ? [] : [withinBox(box)]),
  ...(agencies === null ? [] : [dialect.isOneOf('site.agency', agencies)]),
  ...(near === null || near.radius === null
    ? []
    : [withinBox(boxAround(near, near.radius)), sql`${distanceFrom(near)} <= ${near.radius}`]),
];

/** The conditions on the number of a Site in another table. */
export function atSites(
  dialect: Dialect,
  column: string,
  { numbers, ...others }: SiteFilter,
): Sql[] {
  const conditions = siteConditions(dialect, { ...others, numbers: null });
  return [
    ...(numbers === null ? [] : [dialect.isOneOf(column, numbers)]),
    ...(conditions.length === 0
      ? []
      : [sql`${raw(column)} IN (SELECT site.id FROM site WHERE ${allOf(conditions)})`]),
  ];
}

/**
 * The condition that something was recorded at a time or later.
 * @param time `YYYY-MM-DDThh:mm:ss.sssZ`; null for no bound
 */
export const recordedSince = (column: string, time: string | null): Sql[] =>
  time === null ? [] : [sql`${raw(column)} >= ${time}`];

/** A type of equipment on record. */
interface TypeOnRecord {
  kind: EquipmentType;
  type: string;
  /** How many devices the catalogue lists; of an earlier time, that is not known. */
  devices: number;
}

/** How many filters are remembered. There is a limit, because clients can invent filters. */
const MOST_FILTERS = 500;
/** The types that match filters in a state of a database, by the patterns of each. */
const remembered = new WeakMap<object, Map<string, TypeOnRecord[]>>();

/** The matches that are remembered in a state. */
function matchesIn(state: object): Map<string, TypeOnRecord[]> {
  const known = remembered.get(state);
  if (known !== undefined && known.size < MOST_FILTERS) return known;
  const matches = new Map<string, TypeOnRecord[]>();
  remembered.set(state, matches);
  return matches;
}

/** The types on record that match the patterns of a filter. */
export async function typesLike(db: Database, patterns: string[]): Promise<TypeOnRecord[]> {
  const state = await db.state?.();
  if (state === undefined) return findTypesLike(db, patterns);
  const key = JSON.stringify(patterns);
  const known = matchesIn(state).get(key);
  if (known !== undefined) return known;
  const types = await findTypesLike(db, patterns);
  // Another process may have committed meanwhile.
  if ((await db.state?.()) === state) matchesIn(state).set(key, types);
  return types;
}

/** The condition that a type is that of a device: see {@link NO_DEVICE_TYPES}. */
export const isDevice = (type: string): Sql =>
  sql`lower(coalesce(${raw(type)}, '')) NOT IN (${join(NO_DEVICE_TYPES)})`;

const TYPES_ON_RECORD = sql`
  SELECT equipment_type AS kind, type, devices FROM equipment_type_count
  WHERE type <> '' ORDER BY equipment_type, type`;

/** Matches all types on record, of which there are few. */
async function findTypesLike(db: Database, patterns: string[]): Promise<TypeOnRecord[]> {
  const onRecord = await db.all<TypeOnRecord>(TYPES_ON_RECORD);
  const likes = patterns.map(compileTypePattern);
  // One clock may be on record with and without the word EXTERNAL before its type.
  const clocks = new Set(patterns.map((pattern) => comparableType('clock', foldType(pattern))));
  return onRecord.filter(({ kind, type }) => {
    // The model of an antenna is its type without the radome.
    const compared = comparableType(kind, type);
    if (likes.some((isLike) => isLike(type) || isLike(compared))) return true;
    return kind === 'clock' && clocks.has(foldType(compared));
  });
}

/** The conditions on the kind and type of a row. @param table which has both columns */
export async function typeConditions(
  db: Database,
  table: 'equipment' | 'installation',
  { types, equipmentTypes }: TypeFilter,
): Promise<Sql[]> {
  const kind = `${table}.equipment_type`;
  const type = `${table}.type`;
  const ofKind = equipmentTypes === null ? [] : [db.dialect.isOneOf(kind, equipmentTypes)];
  if (types === null) return ofKind;
  const found = (await typesLike(db, types)).filter(
    (each) => equipmentTypes?.includes(each.kind) ?? true,
  );
  if (equipmentTypes?.length === 1) {
    const types = found.map((each) => each.type);
    return [...ofKind, db.dialect.isOneOf(type, types)];
  }
  const pairs = found.map((each) => [each.kind, each.type] as const);
  return [db.dialect.isOneOfPairs([kind, type], pairs)];
}

/** The conditions on the serial number of a row of `equipment`. */
export const withSerialNumber = (dialect: Dialect, serialNumbers: string[] | null): Sql[] =>
  serialNumbers === null
    ? []
    : [dialect.isOneOf('equipment.serial_key', serialNumbers.map(comparableSerialNumber))];

/** A period, of which a bound may be null; equal bounds stand for that instant. */
export interface During {
  from: Instant | null;
  to: Instant | null;
}

/**
 * The systems that receivers tracked: all of one of the lists. Null for receivers of any systems,
 * and other equipment.
 */
export type SystemFilter = readonly (readonly SatelliteSystem[])[] | null;

/** The conditions on the satellite systems of an installation. */
export function withSystems(dialect: Dialect, systems: SystemFilter): Sql[] {
  if (systems === null) return [];
  const listed = `('+' || upper(installation.systems) || '+')`;
  const each = systems.map((all) =>
    allOf(all.map((system) => dialect.contains(listed, `+${system}+`))),
  );
  return [sql`(${join(each, ' OR ')})`];
}

/** Which installations. */
export interface InstallationFilter extends TypeFilter {
  /** Only antennas with one of these radomes; null for any. */
  radomeTypes: string[] | null;
  /** Only receivers that tracked these. */
  systems: SystemFilter;
}

/** The conditions on a valid installation. @param during when it was in use */
export async function installationConditions(
  db: Database,
  filter: InstallationFilter,
  during: During,
): Promise<Sql[]> {
  const { radomeTypes, systems } = filter;
  return [
    sql`superseded_at IS NULL`,
    ...overlapping('period_from', 'period_to', during),
    ...(await typeConditions(db, 'installation', filter)),
    ...(radomeTypes === null ? [] : [withRadome(db.dialect, radomeTypes)]),
    ...withSystems(db.dialect, systems),
  ];
}

/** The condition that a Site had equipment that meets some conditions. */
export const hadInstallation = (conditions: readonly Sql[]): Sql =>
  sql`site.id IN (SELECT site_id FROM installation WHERE ${allOf(conditions)})`;

/**
 * The conditions on a Site with a receiver that tracked some satellite systems.
 * @param during when it was in use; null for any time
 */
export function trackingSystems(
  dialect: Dialect,
  systems: SystemFilter,
  during: During | null,
): Sql[] {
  if (systems === null) return [];
  const receivers = [
    sql`superseded_at IS NULL AND equipment_type = 'gnss receiver'`,
    ...withSystems(dialect, systems),
  ];
  if (during !== null) receivers.push(...overlapping('period_from', 'period_to', during));
  return [hadInstallation(receivers)];
}

/** The condition that a Site had a Setup in a period. */
export const hadSetup = (during: During): Sql => {
  const valid = [
    sql`setup.superseded_at IS NULL`,
    ...overlapping('effective_from', 'effective_to', during),
  ];
  return sql`EXISTS (SELECT 1 FROM setup WHERE setup.site_id = site.id AND ${allOf(valid)})`;
};

/** The condition that a row of `equipment` is in conflict, or is not. */
export function inConflict(conflicting: boolean | null): Sql[] {
  if (conflicting === null) return [];
  return [conflicting ? sql`equipment.conflicting = 1` : sql`equipment.conflicting = 0`];
}

/** The conditions on the words of a row of `equipment`. */
export const withWords = (dialect: Dialect, text: string): Sql[] =>
  neededWordsOf(text).map((word) => dialect.contains('equipment.search_text', word));

/**
 * The condition that an installation is of an antenna with one of some radomes: as the log gives
 * it, or else as the type does.
 */
export function withRadome(dialect: Dialect, radomes: readonly string[]): Sql {
  const given = dialect.member('installation.configuration', 'radomeType');
  const radome = `upper(coalesce(${given}, trim(substr(installation.type, 17))))`;
  const values = radomes.map((each) => each.toUpperCase());
  return sql`(installation.equipment_type = 'gnss antenna' AND ${dialect.isOneOf(radome, values)})`;
}
