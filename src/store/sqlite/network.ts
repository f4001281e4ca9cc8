import type { EquipmentType } from '../../../schemas/index.js';
import type { Window } from '../exports.js';
import { type DeviceInUse, type NetworkReader, type Use, WINDOW } from '../network.js';
import type { Connection } from './connection.js';

/** What follows the year in the instant at which a year begins. */
const NEW_YEAR = "'-01-01T00:00:00Z'";
const USE = `
  SELECT equipment_type AS equipmentType, type, firmware AS firmwareVersion, first, last, count(*) AS items FROM (
    SELECT equipment_type, type,
      CASE equipment_type WHEN 'gnss receiver' THEN configuration ->> '$.firmwareVersion' END AS firmware,
      CAST(substr(period_from, 1, 4) AS INTEGER) + CASE WHEN substr(period_from, 5) > ${NEW_YEAR} THEN 1 ELSE 0 END AS first,
      CAST(substr(period_to, 1, 4) AS INTEGER) - CASE WHEN substr(period_to, 5) > ${NEW_YEAR} THEN 0 ELSE 1 END AS last
    FROM installation CROSS JOIN equipment ON equipment.id = equipment_id
    WHERE installation.id > ? AND installation.id <= ? AND superseded_at IS NULL AND equipment_type IN (SELECT value FROM json_each(?)))
  GROUP BY equipment_type, type, firmware, first, last`;

const OLDEST = `
  SELECT type, serial_number AS serialNumber, four_character_id AS fourCharacterId, nine_character_id AS nineCharacterId,
    name AS siteName, since
  FROM (
    SELECT equipment.id AS device, type, serial_number, installation.site_id, min(earlier.period_from) AS since
    FROM equipment
    CROSS JOIN installation ON installation.equipment_id = equipment.id AND installation.superseded_at IS NULL AND installation.period_to IS NULL
    CROSS JOIN installation AS earlier
      ON earlier.equipment_id = equipment.id AND earlier.site_id = installation.site_id AND earlier.superseded_at IS NULL
    WHERE equipment.id > ? AND equipment.id <= ? AND equipment_type = ? AND listed = 1
    GROUP BY equipment.id, installation.site_id
    ORDER BY since, equipment.id, installation.site_id LIMIT ?)
  JOIN site ON site.id = site_id ORDER BY since, device, site_id`;

/** Finds out about the network of one SQLite file. */
export class SqliteNetworkReader implements NetworkReader {
  constructor(private readonly connection: Connection) {}

  async readUse(equipmentTypes: EquipmentType[], after: number): Promise<Window<Use>> {
    return this.read('installation', after, (end) => this.connection.all<Use>(USE, after, end, JSON.stringify(equipmentTypes)));
  }

  async readOldest(equipmentType: EquipmentType, most: number, after: number): Promise<Window<DeviceInUse>> {
    return this.read('equipment', after, (end) => this.connection.all<DeviceInUse>(OLDEST, after, end, equipmentType, most));
  }

  /** Reads a window of a table. @param rows reads its rows up to an id */
  private read<T>(table: 'installation' | 'equipment', after: number, rows: (end: number) => T[]): Window<T> {
    const end = after + WINDOW;
    return this.connection.inOneTransaction(() => {
      const { last } = this.connection.get<{ last: number | null }>(`SELECT max(id) AS last FROM ${table}`)!;
      return { elements: rows(end), next: end < (last ?? 0) ? end : null };
    });
  }
}
