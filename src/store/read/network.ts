import sql, { raw } from 'sql-template-tag';
import type { EquipmentType, Instant, SiteOfSetup } from '../../../schemas/index.js';
import type { Reads } from '../database.js';

/** How many items of equipment were in use over the same years. Only receivers have firmware. */
export interface Use {
  equipmentType: EquipmentType;
  /** null if the type is unknown. */
  type: string | null;
  firmwareVersion: string | null;
  /** The first year at whose beginning they were in use; it may be later than the last one, if they never were. */
  first: number;
  /** The last year at whose beginning they were in use; null if they still are. */
  last: number | null;
  /** How many items. */
  items: number;
}

/** A device that is in use. */
export interface DeviceInUse extends Omit<SiteOfSetup, 'name'> {
  type: string | null;
  serialNumber: string | null;
  siteName: string | null;
  /** When the Site first had it in use. */
  since: Instant;
}

/** What follows the year in the instant at which a year begins. */
const NEW_YEAR = raw("'-01-01T00:00:00Z'");

/** Queries about the network as a whole. */
export class Network {
  constructor(private readonly reads: Reads) {}

  /** The use of some kinds of equipment, by kind, type, firmware and years; unknown values first. */
  findUse(equipmentTypes: EquipmentType[]): Promise<Use[]> {
    const { dialect } = this.reads;
    return this.reads.all<Use>(sql`
      SELECT equipment_type AS "equipmentType", type, firmware AS "firmwareVersion", first, last, count(*) AS items FROM (
        SELECT equipment_type, type,
          CASE equipment_type WHEN 'gnss receiver' THEN ${raw(dialect.member('configuration', 'firmwareVersion'))} END AS firmware,
          CAST(substr(period_from, 1, 4) AS INTEGER) + CASE WHEN substr(period_from, 5) > ${NEW_YEAR} THEN 1 ELSE 0 END AS first,
          CAST(substr(period_to, 1, 4) AS INTEGER) - CASE WHEN substr(period_to, 5) > ${NEW_YEAR} THEN 0 ELSE 1 END AS last
        FROM installation
        WHERE superseded_at IS NULL AND ${dialect.isOneOf('equipment_type', equipmentTypes)}) AS used
      GROUP BY equipment_type, type, firmware, first, last
      ORDER BY equipment_type, type NULLS FIRST, firmware NULLS FIRST, first, last NULLS FIRST`);
  }

  /** The devices of a kind in use that have been at their Sites the longest, the oldest first. */
  findOldest(equipmentType: EquipmentType, most: number): Promise<DeviceInUse[]> {
    return this.reads.all<DeviceInUse>(sql`
      SELECT type, serial_number AS "serialNumber", four_character_id AS "fourCharacterId", nine_character_id AS "nineCharacterId",
        name AS "siteName", since
      FROM (
        SELECT equipment.id AS device, min(installation.type) AS type,
          min(${raw(this.reads.dialect.member('installation.identity', 'serialNumber'))}) AS serial_number,
          installation.site_id, min(earlier.period_from) AS since
        FROM equipment
        JOIN installation
          ON installation.equipment_id = equipment.id AND installation.superseded_at IS NULL AND installation.period_to IS NULL
        JOIN installation AS earlier
          ON earlier.equipment_id = equipment.id AND earlier.site_id = installation.site_id AND earlier.superseded_at IS NULL
        WHERE equipment.equipment_type = ${equipmentType} AND listed = 1
        GROUP BY equipment.id, installation.site_id
        ORDER BY since, equipment.id, installation.site_id LIMIT ${most}) AS oldest
      JOIN site ON site.id = site_id ORDER BY since, device, site_id`);
  }
}
