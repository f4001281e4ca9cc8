import sql, { raw } from 'sql-template-tag';
import type { CorsSite, EquipmentType, Instant, SiteOfSetup } from '../../../schemas/index.js';
import type { Database, Reads } from '../database.js';
import { allOf } from '../dialect.js';
import { selectFrom } from '../page.js';
import { compareTexts } from '../../words.js';
import { atSites, isDevice, type SiteFilter } from './filters.js';
import { BY_SITE, type CodeCount, FINDINGS, SITE_COUNTS, type SiteCount } from './findings.js';
import { LINKED_ID } from './sites/ids.js';
import type { SitePlace } from './sites/list.js';
import { SITES } from './sites/rows.js';
import { type Window, windowsOf } from './windows.js';

/** When a device was in use under one type, and with one firmware: only receivers have firmware. */
export interface DeviceUse {
  /** The number of the device. */
  device: number;
  equipmentType: EquipmentType;
  /** null if the type is unknown. */
  type: string | null;
  firmwareVersion: string | null;
  /**
   * The first year at whose beginning it was in use; it may be later than the last one, if it never
   * was.
   */
  first: number;
  /** The last year at whose beginning it was in use; null if it still is. */
  last: number | null;
}

/** A device that is in use. */
export interface DeviceInUse extends Omit<SiteOfSetup, 'name'> {
  /** The id by which links name the Site. */
  linkedId: string;
  type: string | null;
  serialNumber: string | null;
  siteName: string | null;
  /** When the Site first had it in use. */
  since: Instant;
}

/** When a receiver was at a Site, and what it tracked. All is null for a Site without receivers. */
export interface ReceiverAtSite {
  site: number;
  /** Codes, joined by `+`; null if unknown. */
  systems: string | null;
  from: Instant | null;
  to: Instant | null;
}

/** The place of a Site, as a map of the network shows it. The position is null if unknown. */
export type NetworkPlace = Pick<SitePlace, 'countryCode'> &
  Pick<CorsSite['location'], 'latitude' | 'longitude'>;

/** How many current logs were prepared on a day, `YYYY-MM-DD`; null for those that give none. */
export interface DayPrepared {
  date: string | null;
  logs: number;
}

/** How many Sites an agency answers for. */
export interface AgencyCount {
  agency: string | null;
  sites: number;
}

/** How many ids a window has. Reading it takes a few milliseconds. */
export const WINDOW = 500;

/** What follows the year in the instant at which a year begins. */
const NEW_YEAR = raw("'-01-01T00:00:00Z'");

/**
 * Finds out about the network as a whole, in windows like those of exports: each from the newest
 * committed state.
 */
export class Network {
  constructor(private readonly reads: Reads) {}

  /**
   * The use of the devices in a window, device by device. What is in use has the type that the
   * catalogue gives the device: logs that contradict each other may differ in it.
   * @param after the id before the window, from 0
   */
  readUse(equipmentTypes: EquipmentType[], after: number): Promise<Window<DeviceUse>> {
    return this.read<DeviceUse>('equipment', after, (db, end) => {
      const firmware = raw(db.dialect.member('configuration', 'firmwareVersion'));
      return db.all<DeviceUse>(sql`
        SELECT equipment.id AS device, equipment.equipment_type AS "equipmentType",
          CASE WHEN period_to IS NULL THEN equipment.type ELSE installation.type END AS type,
          CASE equipment.equipment_type WHEN 'gnss receiver' THEN ${firmware} END
            AS "firmwareVersion",
          CAST(substr(period_from, 1, 4) AS INTEGER)
            + CASE WHEN substr(period_from, 5) > ${NEW_YEAR} THEN 1 ELSE 0 END AS first,
          CAST(substr(period_to, 1, 4) AS INTEGER)
            - CASE WHEN substr(period_to, 5) > ${NEW_YEAR} THEN 0 ELSE 1 END AS last
        FROM equipment
        JOIN installation ON installation.equipment_id = equipment.id
          AND installation.superseded_at IS NULL
        WHERE equipment.id > ${after} AND equipment.id <= ${end} AND listed = 1
          AND ${db.dialect.isOneOf('equipment.equipment_type', equipmentTypes)}
          AND ${isDevice('equipment.type')}
        ORDER BY equipment.id`);
    });
  }

  /**
   * The devices in a window that came first to their Sites and are in use, the oldest first.
   * @param after the id before the window, from 0
   */
  readOldest(
    equipmentType: EquipmentType,
    most: number,
    after: number,
  ): Promise<Window<DeviceInUse>> {
    return this.read<DeviceInUse>('equipment', after, (db, end) => {
      const serialNumber = raw(db.dialect.member('installation.identity', 'serialNumber'));
      return db.all<DeviceInUse>(sql`
        SELECT type, serial_number AS "serialNumber",
          four_character_id AS "fourCharacterId", nine_character_id AS "nineCharacterId",
          ${raw(LINKED_ID)} AS "linkedId", name AS "siteName", since
        FROM (
          SELECT equipment.id AS device, min(installation.type) AS type,
            min(${serialNumber}) AS serial_number,
            installation.site_id, min(earlier.period_from) AS since
          FROM equipment
          JOIN installation
            ON installation.equipment_id = equipment.id
              AND installation.superseded_at IS NULL AND installation.period_to IS NULL
          JOIN installation AS earlier
            ON earlier.equipment_id = equipment.id
              AND earlier.site_id = installation.site_id AND earlier.superseded_at IS NULL
          WHERE equipment.id > ${after} AND equipment.id <= ${end}
            AND equipment.equipment_type = ${equipmentType} AND listed = 1
            AND ${isDevice('equipment.type')}
          GROUP BY equipment.id, installation.site_id
          ORDER BY since, equipment.id, installation.site_id LIMIT ${most}) AS oldest
        JOIN site ON site.id = site_id ORDER BY since, device, site_id`);
    });
  }

  /** The receivers at the Sites in a window, Site by Site. @param after the id before the window */
  readReceivers(after: number): Promise<Window<ReceiverAtSite>> {
    return this.read<ReceiverAtSite>('site', after, (db, end) =>
      db.all<ReceiverAtSite>(sql`
        SELECT site.id AS site, systems, period_from AS "from", period_to AS "to"
        FROM site
        LEFT JOIN installation ON installation.site_id = site.id
          AND installation.superseded_at IS NULL AND equipment_type = 'gnss receiver'
          AND ${isDevice('installation.type')}
        WHERE site.id > ${after} AND site.id <= ${end} AND ${raw(SITES.where)}
        ORDER BY site.id`),
    );
  }

  /** The places of the Sites in a window. @param after the id before the window */
  readPlaces(after: number): Promise<Window<NetworkPlace>> {
    return this.read<NetworkPlace>('site', after, (db, end) =>
      db.all<NetworkPlace>(sql`
        SELECT country_code AS "countryCode", latitude, longitude
        FROM site
        WHERE site.id > ${after} AND site.id <= ${end} AND ${raw(SITES.where)}
        ORDER BY site.id`),
    );
  }

  /**
   * The number of findings of each code and level: warnings first, the most frequent of a level
   * first. Other requests run meanwhile.
   */
  async countFindings(): Promise<CodeCount[]> {
    const all = new Map<string, CodeCount>();
    for await (const window of windowsOf((after) => this.readFindings(after)))
      for (const count of window) {
        const key = `${count.level} ${count.code}`;
        const known = all.get(key);
        if (known === undefined) all.set(key, { ...count });
        else {
          known.findings += count.findings;
          known.sites += count.sites;
        }
      }
    return [...all.values()].sort(
      (a, b) =>
        compareTexts(b.level, a.level) || b.findings - a.findings || compareTexts(a.code, b.code),
    );
  }

  /** The number of findings of each code in the logs of a window. @param after the id before it */
  private readFindings(after: number): Promise<Window<CodeCount>> {
    return this.read<CodeCount>('site_log', after, (db, end) => {
      const columns = 'code, level, count(*) AS findings, count(DISTINCT site_log_id) AS sites';
      const ofWindow = sql`site_log.id > ${after} AND site_log.id <= ${end}`;
      return db.all<CodeCount>(sql`
        ${selectFrom(FINDINGS, columns, [ofWindow])} GROUP BY code, level`);
    });
  }

  /** The Sites with the most warnings in the logs of a window. @param after the id before it */
  readWarned(most: number, after: number): Promise<Window<SiteCount>> {
    return this.read<SiteCount>('site_log', after, (db, end) => {
      const ofWindow = sql`site_log.id > ${after} AND site_log.id <= ${end} AND level = 'warning'`;
      return db.all<SiteCount>(sql`
        ${selectFrom(FINDINGS, SITE_COUNTS, [ofWindow])} ${raw(BY_SITE)} LIMIT ${most}`);
    });
  }

  /** How many Sites each agency answers for, the most first. Null is for logs that name none. */
  agencies(): Promise<AgencyCount[]> {
    return this.reads.all<AgencyCount>(sql`
      SELECT agency, count(*) AS sites FROM site WHERE ${raw(SITES.where)}
      GROUP BY agency ORDER BY sites DESC, agency`);
  }

  /** When the current logs of the Sites were prepared, the oldest first. */
  daysPrepared(): Promise<DayPrepared[]> {
    return this.reads.all<DayPrepared>(sql`
      SELECT date_prepared AS date, count(*) AS logs
      FROM site_log JOIN site ON site.id = site_log.site_id AND ${raw(SITES.where)}
      WHERE superseded_at IS NULL AND withdrawn_at IS NULL
      GROUP BY date_prepared ORDER BY date_prepared`);
  }

  /** The day of the newest current log of some Sites; null if none gives its day. */
  async newestPrepared(sites: SiteFilter): Promise<string | null> {
    const conditions = [
      sql`superseded_at IS NULL AND withdrawn_at IS NULL`,
      ...atSites(this.reads.dialect, 'site_id', sites),
    ];
    const rows = await this.reads.all<{ newest: string | null }>(sql`
      SELECT max(date_prepared) AS newest
      FROM site_log JOIN site ON site.id = site_log.site_id AND ${raw(SITES.where)}
      WHERE ${allOf(conditions)}`);
    return rows[0]!.newest;
  }

  /** Reads a window of a table. @param rows reads its rows up to an id */
  private read<T>(
    table: 'equipment' | 'site' | 'site_log',
    after: number,
    rows: (db: Database, end: number) => Promise<T[]>,
  ): Promise<Window<T>> {
    const end = after + WINDOW;
    return this.reads.inOneState(async (db) => {
      const [elements, newest] = await Promise.all([
        rows(db, end),
        db.get<{ last: number | null }>(sql`SELECT max(id) AS last FROM ${raw(table)}`),
      ]);
      return { elements, next: end < (newest?.last ?? 0) ? end : null };
    });
  }
}
