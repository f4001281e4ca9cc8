import type { EquipmentType } from '../../../schemas/index.js';
import type { DeviceInUse, NetworkReader, Use } from '../network.js';
import type { Reads } from './client.js';

/** What follows the year in the instant at which a year begins. */
const NEW_YEAR = "'-01-01T00:00:00Z'";
const USE = `
  SELECT equipment_type AS "equipmentType", type, firmware AS "firmwareVersion", first, last, count(*) AS items FROM (
    SELECT equipment_type, type,
      CASE equipment_type WHEN 'gnss receiver' THEN configuration::json ->> 'firmwareVersion' END AS firmware,
      substr(period_from, 1, 4)::integer + CASE WHEN substr(period_from, 5) > ${NEW_YEAR} THEN 1 ELSE 0 END AS first,
      substr(period_to, 1, 4)::integer - CASE WHEN substr(period_to, 5) > ${NEW_YEAR} THEN 0 ELSE 1 END AS last
    FROM installation JOIN equipment ON equipment.id = equipment_id
    WHERE superseded_at IS NULL AND equipment_type = ANY ($1)) AS used
  GROUP BY equipment_type, type, firmware, first, last
  ORDER BY equipment_type, type NULLS FIRST, firmware COLLATE "C" NULLS FIRST, first, last NULLS FIRST`;

const OLDEST = `
  SELECT type, serial_number AS "serialNumber", four_character_id AS "fourCharacterId", nine_character_id AS "nineCharacterId",
    name AS "siteName", since
  FROM (
    SELECT equipment.id AS device, type, serial_number, installation.site_id, min(earlier.period_from) AS since
    FROM equipment
    JOIN installation ON installation.equipment_id = equipment.id AND installation.superseded_at IS NULL AND installation.period_to IS NULL
    JOIN installation AS earlier
      ON earlier.equipment_id = equipment.id AND earlier.site_id = installation.site_id AND earlier.superseded_at IS NULL
    WHERE equipment_type = $1 AND listed = 1
    GROUP BY equipment.id, installation.site_id
    ORDER BY since, equipment.id, installation.site_id LIMIT $2) AS oldest
  JOIN site ON site.id = site_id ORDER BY since, device, site_id`;

/** Finds out about the network of a PostgreSQL database. */
export class PostgresNetworkReader implements NetworkReader {
  constructor(private readonly reads: Reads) {}

  findUse(equipmentTypes: EquipmentType[]): Promise<Use[]> {
    return this.reads.all<Use>(USE, equipmentTypes);
  }

  findOldest(equipmentType: EquipmentType, most: number): Promise<DeviceInUse[]> {
    return this.reads.all<DeviceInUse>(OLDEST, equipmentType, most);
  }
}
