import type { EquipmentType } from '../../../schemas/index.js';
import type { Window } from '../exports.js';
import { type DeviceInUse, type NetworkReader, type Use, WINDOW } from '../network.js';
import type { Parameter, Reads } from './client.js';

/** What follows the year in the instant at which a year begins. */
const NEW_YEAR = "'-01-01T00:00:00Z'";
const USE = `
  SELECT equipment_type AS "equipmentType", type, firmware AS "firmwareVersion", first, last, count(*) AS items FROM (
    SELECT equipment_type, type,
      CASE equipment_type WHEN 'gnss receiver' THEN configuration::json ->> 'firmwareVersion' END AS firmware,
      substr(period_from, 1, 4)::integer + CASE WHEN substr(period_from, 5) > ${NEW_YEAR} THEN 1 ELSE 0 END AS first,
      substr(period_to, 1, 4)::integer - CASE WHEN substr(period_to, 5) > ${NEW_YEAR} THEN 0 ELSE 1 END AS last
    FROM installation JOIN equipment ON equipment.id = equipment_id
    WHERE installation.id > $1 AND installation.id <= $2 AND superseded_at IS NULL AND equipment_type = ANY ($3)) AS used
  GROUP BY equipment_type, type, firmware, first, last`;

const OLDEST = `
  SELECT type, serial_number AS "serialNumber", four_character_id AS "fourCharacterId", nine_character_id AS "nineCharacterId",
    name AS "siteName", since
  FROM (
    SELECT equipment.id AS device, type, serial_number, installation.site_id, min(earlier.period_from) AS since
    FROM equipment
    JOIN installation ON installation.equipment_id = equipment.id AND installation.superseded_at IS NULL AND installation.period_to IS NULL
    JOIN installation AS earlier
      ON earlier.equipment_id = equipment.id AND earlier.site_id = installation.site_id AND earlier.superseded_at IS NULL
    WHERE equipment.id > $1 AND equipment.id <= $2 AND equipment_type = $3 AND listed = 1
    GROUP BY equipment.id, installation.site_id
    ORDER BY since, equipment.id, installation.site_id LIMIT $4) AS oldest
  JOIN site ON site.id = site_id ORDER BY since, device, site_id`;

/** Finds out about the network of a PostgreSQL database. */
export class PostgresNetworkReader implements NetworkReader {
  constructor(private readonly reads: Reads) {}

  readUse(equipmentTypes: EquipmentType[], after: number): Promise<Window<Use>> {
    return this.read<Use>('installation', after, USE, equipmentTypes);
  }

  readOldest(equipmentType: EquipmentType, most: number, after: number): Promise<Window<DeviceInUse>> {
    return this.read<DeviceInUse>('equipment', after, OLDEST, equipmentType, most);
  }

  /** Reads a window of a table. @param sql the statement for its rows, which binds its ends first */
  private read<T extends object>(
    table: 'installation' | 'equipment',
    after: number,
    sql: string,
    ...parameters: Parameter[]
  ): Promise<Window<T>> {
    const end = after + WINDOW;
    return this.reads.inOneState(async (snapshot) => {
      const [elements, found] = await Promise.all([
        snapshot.all<T>(sql, after, end, ...parameters),
        snapshot.get<{ last: number | null }>(`SELECT max(id) AS last FROM ${table}`),
      ]);
      return { elements, next: end < (found?.last ?? 0) ? end : null };
    });
  }
}
