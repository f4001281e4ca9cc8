import sql, { raw, type Sql } from 'sql-template-tag';
import type { DerivedRecord } from '../../derive/record.js';
import { keyAtSite } from '../../derive/devices.js';
import type { SiteId } from '../../requests/site-id.js';
import type { Database } from '../database.js';
import { columnsOf, type TableName } from '../schema.js';
import { isUbiquitous } from './devices.js';
import { type LoadedRow, NUMBERED } from './loaded-rows.js';
import type { DeviceStay, LastIds, Namesake, Recorded } from './unit-of-work.js';

/** The columns of a table that are loaded: all but the bytes of logs. */
const loadedColumns = (table: TableName): Sql =>
  raw(
    columnsOf(table)
      .filter((column) => column !== 'original')
      .map((column) => `${table}.${column}`)
      .join(', '),
  );

const lastIdsOfTables = ['event', ...NUMBERED].map(
  (table) => `(SELECT coalesce(max(id), 0) FROM ${table}) AS "${table}"`,
);
const LAST_IDS = raw(`SELECT ${lastIdsOfTables.join(', ')}`);

/** Reads the rows of a table whose column has one of some values. */
async function rowsWith<Name extends TableName>(
  db: Database,
  table: Name,
  column: keyof LoadedRow<Name> & string,
  values: readonly (string | number)[],
  more = '',
): Promise<LoadedRow<Name>[]> {
  if (values.length === 0) return [];
  const condition = db.dialect.isOneOf(`${table}.${column}`, values);
  return db.all<LoadedRow<Name>>(
    sql`SELECT ${loadedColumns(table)} FROM ${raw(table)} WHERE ${condition} ${raw(more)}`,
  );
}

/** The Sites that ids may name, or may have named; also retired ones. */
export async function findSites(
  db: Database,
  ids: readonly SiteId[],
): Promise<Pick<Recorded, 'sites' | 'identities'>> {
  const fours = [...new Set(ids.map(({ fourCharacterId }) => fourCharacterId))];
  const named = db.dialect.isOneOf('four_character_id', fours);
  const found = await db.all<{ id: number }>(
    sql`SELECT DISTINCT site_id AS id FROM site_identity WHERE ${named} AND superseded_at IS NULL`,
  );
  const numbers = found.map(({ id }) => id);
  return {
    sites: await sitesWithNumbers(db, numbers),
    identities: await identitiesOf(db, numbers),
  };
}

/** The ids that Sites have and had, as far as they have not been superseded. */
export const identitiesOf = (
  db: Database,
  sites: readonly number[],
): Promise<LoadedRow<'site_identity'>[]> =>
  rowsWith(db, 'site_identity', 'site_id', sites, 'AND superseded_at IS NULL ORDER BY id');

/** The Sites with some numbers. */
export const sitesWithNumbers = (
  db: Database,
  numbers: readonly number[],
): Promise<LoadedRow<'site'>[]> => rowsWith(db, 'site', 'id', numbers, 'ORDER BY id');

/** The logs of Sites, without their bytes. */
export const loadLogs = (
  db: Database,
  sites: readonly number[],
): Promise<LoadedRow<'site_log'>[]> => rowsWith(db, 'site_log', 'site_id', sites, 'ORDER BY id');

/** What is going to be saved. */
interface ToSave {
  records: Pick<DerivedRecord, 'devices' | 'instruments'>[];
  /** The logs whose findings are compared: those with one of these SHA-256; null for all. */
  sha256s: readonly string[] | null;
  /** The DOMES numbers whose other Sites are compared. */
  domesNumbers?: readonly string[];
}

/** Reads what is on record about Sites, as far as saving compares with it. */
export async function load(
  db: Database,
  { sites, identities }: Pick<Recorded, 'sites' | 'identities'>,
  { records, sha256s, domesNumbers = [] }: ToSave,
): Promise<Recorded> {
  const ids = sites.map(({ id }) => id);
  const lastIds = (await db.get<LastIds>(LAST_IDS))!;
  const ofSites = db.dialect.isOneOf('site_id', ids);
  const contents = sha256s === null ? sql`1 = 1` : db.dialect.isOneOf('sha256', sha256s);
  const [last, summaries, logs, findings, setups, changes, installations] = await Promise.all([
    db.get<{ at: string | null }>(sql`SELECT max(at) AS at FROM event`),
    rowsWith(db, 'site_summary', 'site_id', ids),
    loadLogs(db, ids),
    db.all<LoadedRow<'finding'>>(sql`
      SELECT ${loadedColumns('finding')} FROM finding
      WHERE site_log_id IN (SELECT id FROM site_log WHERE ${ofSites} AND ${contents})
      ORDER BY site_log_id, position`),
    rowsWith(db, 'setup', 'site_id', ids, 'AND superseded_at IS NULL ORDER BY id'),
    rowsWith(db, 'change', 'site_id', ids, 'AND superseded_at IS NULL ORDER BY id'),
    rowsWith(db, 'installation', 'site_id', ids, 'AND superseded_at IS NULL ORDER BY id'),
  ]);
  const devices = await loadDevices(db, ids, installations, records);
  const { stays, elsewhere } = await loadStays(db, ids, devices);
  return {
    lastIds,
    sites,
    identities,
    summaries,
    logs,
    findings,
    lastRecorded: last!.at,
    setups,
    changes,
    installations,
    devices,
    stays,
    elsewhere,
    namesakes: await loadNamesakes(db, domesNumbers, ids),
  };
}

/** The devices that are installed, and those that are going to be. */
async function loadDevices(
  db: Database,
  sites: readonly number[],
  installations: Recorded['installations'],
  records: ToSave['records'],
): Promise<Recorded['devices']> {
  const derived = new Set(records.flatMap((record) => [...record.devices, ...record.instruments]));
  // Which of the Sites a log belongs to is decided later.
  const identities = [...derived].flatMap((device) =>
    device.ofSite ? sites.map((site) => keyAtSite(device, site)) : [device.key],
  );
  const byKey = await rowsWith(db, 'equipment', 'identity', identities);
  const known = new Set(byKey.map(({ id }) => id));
  const others = [...new Set(installations.map(({ equipment_id }) => equipment_id))].filter(
    (id) => !known.has(id),
  );
  return [...byKey, ...(await rowsWith(db, 'equipment', 'id', others))];
}

/** Where devices are besides some Sites. */
async function loadStays(
  db: Database,
  sites: readonly number[],
  devices: Recorded['devices'],
): Promise<Pick<Recorded, 'stays' | 'elsewhere'>> {
  const ubiquitous: number[] = [];
  const others: number[] = [];
  for (const device of devices) (isUbiquitous(device) ? ubiquitous : others).push(device.id);
  const isElsewhere = sql`NOT (${db.dialect.isOneOf('installation.site_id', sites)})`;
  const stays = await db.all<DeviceStay>(sql`
    SELECT equipment_id AS device, installation.site_id AS site,
      period_from AS "from", period_to AS "to", installation.identity,
      site_log.date_prepared AS "datePrepared", site_log.id AS log
    FROM installation
    JOIN site_log ON site_log.site_id = installation.site_id AND site_log.superseded_at IS NULL
    WHERE ${db.dialect.isOneOf('equipment_id', others)}
      AND installation.superseded_at IS NULL AND ${isElsewhere}
    ORDER BY installation.id`);
  const exists = (more: string): Sql => sql`
    CASE WHEN EXISTS (
      SELECT 1 FROM installation
      WHERE equipment_id = equipment.id AND installation.superseded_at IS NULL ${raw(more)}
        AND ${isElsewhere}
    ) THEN 1 ELSE 0 END`;
  const elsewhere = await db.all<Recorded['elsewhere'][number]>(sql`
    SELECT id AS device, ${exists('')} AS listed, ${exists('AND period_to IS NULL')} AS in_use
    FROM equipment WHERE ${db.dialect.isOneOf('equipment.id', ubiquitous)}`);
  return { stays, elsewhere };
}

/** Reads the Sites that have some DOMES numbers, except some and retired ones. */
async function loadNamesakes(
  db: Database,
  domesNumbers: readonly string[],
  except: readonly number[],
): Promise<Namesake[]> {
  if (domesNumbers.length === 0) return [];
  const found = await db.all<LoadedRow<'site'>>(sql`
    SELECT * FROM site
    WHERE ${db.dialect.isOneOf('domes_number', domesNumbers)} AND retired_at IS NULL`);
  const sites = found.filter(({ id }) => !except.includes(id));
  if (sites.length === 0) return [];
  const ids = sites.map(({ id }) => id);
  const devices = await db.all<{ site: number; key: string }>(sql`
    SELECT DISTINCT site_id AS site, equipment.identity AS key
    FROM installation JOIN equipment ON equipment.id = equipment_id
    WHERE ${db.dialect.isOneOf('site_id', ids)} AND superseded_at IS NULL`);
  return sites.map((site) => ({
    site,
    devices: devices.filter((each) => each.site === site.id).map(({ key }) => key),
  }));
}

/** Reads the bytes of logs, with the names of their files. */
export const loadOriginals = (
  db: Database,
  logs: readonly number[],
): Promise<{ id: number; name: string; original: Uint8Array }[]> =>
  db.all(sql`
    SELECT id, name, original FROM site_log
    WHERE ${db.dialect.isOneOf('id', logs)} ORDER BY id`);
