import sql, { raw } from 'sql-template-tag';
import type { EquipmentType, Instant, SiteOfSetup } from '../../../schemas/index.js';
import type { Database, Reads } from '../database.js';

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
  type: string | null;
  serialNumber: string | null;
  siteName: string | null;
  /** When the Site first had it in use. */
  since: Instant;
}

/** What was found in a window: a range of ids. */
export interface Window<T> {
  elements: T[];
  /** The id after which the next window begins; null if there is none. */
  next: number | null;
}

/** How many ids a window has. Reading it takes a few milliseconds. */
export const WINDOW = 1000;

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
          name AS "siteName", since
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
          GROUP BY equipment.id, installation.site_id
          ORDER BY since, equipment.id, installation.site_id LIMIT ${most}) AS oldest
        JOIN site ON site.id = site_id ORDER BY since, device, site_id`);
    });
  }

  /** Reads a window of a table. @param rows reads its rows up to an id */
  private read<T>(
    table: 'installation' | 'equipment',
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
