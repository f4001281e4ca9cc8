import type { EquipmentInUse, EquipmentType } from '../../../schemas/index.js';
import type { Device, DevicePageSearch, DeviceReader, DeviceType, Installation } from '../devices.js';
import type { Found } from '../search.js';
import type { Connection } from './connection.js';
import { findRows, type PropertyOf, type Table } from './page-search.js';

/** A row of `equipment`. */
interface DeviceRow {
  id: number;
  document: string;
}

const toDevice = ({ id, document }: DeviceRow): Device => ({ id, identity: JSON.parse(document) as Device['identity'] });

const DEVICES: Table = {
  from: 'equipment',
  columns: 'equipment.id, equipment.document',
  where: 'equipment.listed = 1',
  id: 'equipment.id',
  properties: {
    type: 'equipment.type',
    equipmentType: 'equipment.equipment_type',
    manufacturer: "equipment.document ->> '$.manufacturer'",
    serialNumber: 'equipment.serial_number',
    aspiration: "equipment.document ->> '$.aspiration'",
  } satisfies Record<PropertyOf<EquipmentInUse['content']['id']>, string>,
};

/** A condition: another installation of the device, at another Site, overlaps this one. */
const CONFLICTING = `other.equipment_id = installation.equipment_id AND other.superseded_at IS NULL AND other.site_id <> installation.site_id
  AND (installation.period_to IS NULL OR other.period_from < installation.period_to)
  AND (other.period_to IS NULL OR other.period_to > installation.period_from)`;

/** The installations of devices in chronological order. Without a serial number, two items may be different devices, so they do not conflict. */
const INSTALLATIONS = `
  SELECT equipment_id, site_id, four_character_id, nine_character_id, site.name AS site_name, period_from, period_to, configuration,
    CASE WHEN equipment.serial_number IS NULL THEN '[]' ELSE (
      SELECT json_group_array(DISTINCT other_site.four_character_id)
      FROM installation AS other JOIN site AS other_site ON other_site.id = other.site_id WHERE ${CONFLICTING}
    ) END AS conflicts
  FROM installation JOIN site ON site.id = site_id JOIN equipment ON equipment.id = equipment_id
  WHERE equipment_id IN (SELECT value FROM json_each(?)) AND superseded_at IS NULL
  ORDER BY period_from, period_to IS NULL, period_to, site_id`;

/** A row of {@link INSTALLATIONS}. */
interface InstallationRow {
  equipment_id: number;
  site_id: number;
  four_character_id: string;
  nine_character_id: string | null;
  site_name: string | null;
  period_from: string;
  period_to: string | null;
  configuration: string;
  conflicts: string;
}

function toInstallation(row: InstallationRow): Installation {
  return {
    siteId: row.site_id,
    fourCharacterId: row.four_character_id,
    nineCharacterId: row.nine_character_id,
    siteName: row.site_name,
    period: { from: row.period_from, to: row.period_to },
    configuration: JSON.parse(row.configuration) as Installation['configuration'],
    conflictsWith: JSON.parse(row.conflicts) as string[],
  };
}

const TYPES = `
  SELECT type, count(DISTINCT equipment.id) AS devices, count(DISTINCT iif(period_to IS NULL, equipment.id, NULL)) AS inUse,
    count(DISTINCT site_id) AS sites,
    count(DISTINCT iif(serial_number IS NOT NULL AND EXISTS (SELECT 1 FROM installation AS other WHERE ${CONFLICTING}), equipment.id, NULL))
      AS conflicts
  FROM equipment JOIN installation ON equipment_id = equipment.id AND installation.superseded_at IS NULL
  WHERE equipment_type = ? AND listed = 1 GROUP BY type ORDER BY devices DESC, type`;

const EXAMPLE_TYPE = `
  SELECT type FROM equipment WHERE equipment_type = ? AND listed = 1 AND type IS NOT NULL
  GROUP BY type ORDER BY count(*) DESC, type LIMIT 1`;

/** Finds devices in one SQLite file. */
export class SqliteDeviceReader implements DeviceReader {
  /** The types by kind, for one version of the database. */
  private types = { version: -1, byKind: new Map<EquipmentType, DeviceType[]>() };

  constructor(private readonly connection: Connection) {}

  async findPage(search: DevicePageSearch): Promise<Found<Device>> {
    return this.connection.inOneTransaction(() => {
      const { elements, totalElements } = findRows<DeviceRow>(this.connection, DEVICES, search);
      return { elements: this.projected(elements.map(toDevice), search.projection), totalElements };
    });
  }

  async findById(id: number, projection: 'installations' | null): Promise<Device | undefined> {
    return this.connection.inOneTransaction(() => {
      const row = this.connection.get<DeviceRow>('SELECT id, document FROM equipment WHERE id = ? AND listed = 1', id);
      return row && this.projected([toDevice(row)], projection)[0];
    });
  }

  async findTypes(equipmentType: EquipmentType): Promise<DeviceType[]> {
    // The statement reads all installations, so run it only once for each state of the database.
    const version = this.connection.version();
    if (this.types.version !== version) this.types = { version, byKind: new Map() };
    const types = this.types.byKind.get(equipmentType) ?? this.connection.all<DeviceType>(TYPES, equipmentType);
    this.types.byKind.set(equipmentType, types);
    return types;
  }

  async findExampleType(equipmentType: EquipmentType): Promise<string | null> {
    return this.connection.guarded(() => this.connection.get<{ type: string }>(EXAMPLE_TYPE, equipmentType)?.type ?? null);
  }

  /** Adds what a projection adds to devices. */
  private projected(devices: Device[], projection: 'installations' | null): Device[] {
    if (projection === null) return devices;
    const byId = new Map<number, Installation[]>(devices.map(({ id }) => [id, []]));
    const rows = this.connection.all<InstallationRow>(INSTALLATIONS, JSON.stringify([...byId.keys()]));
    for (const row of rows) byId.get(row.equipment_id)!.push(toInstallation(row));
    return devices.map((device) => ({ ...device, installations: byId.get(device.id)! }));
  }
}
