import type { EquipmentType } from '../../../schemas/index.js';
import {
  type Device,
  type DevicePageSearch,
  type DeviceReader,
  type DeviceType,
  type Identity,
  type Installation,
  MOST_INSTALLATIONS,
  MOST_INSTALLATIONS_ON_PAGE,
} from '../devices.js';
import type { PropertyOf } from '../page-order.js';
import { DEVICE_COLUMNS, type DeviceRow, toDevice, withKinds } from '../rows/devices.js';
import type { Found } from '../search.js';
import type { Reads, Snapshot } from './client.js';
import { firstInstallationsOf, installationsOf } from './installations.js';
import { findRows, findRowsIn } from './page-search.js';
import { type Condition, isId, isStorable, type Table } from './selection.js';
import { neededWordsOf } from '../rows/sites.js';

/** The SQL expression of each property of a device. */
export const DEVICE_PROPERTIES = {
  type: 'equipment.type',
  equipmentType: 'equipment.equipment_type',
  manufacturer: `((equipment.document::json ->> 'manufacturer') COLLATE "C")`,
  serialNumber: 'equipment.serial_number',
  aspiration: `((equipment.document::json ->> 'aspiration') COLLATE "C")`,
} satisfies Record<PropertyOf<Identity>, string>;

const DEVICES: Table = {
  from: 'equipment',
  columns: DEVICE_COLUMNS,
  where: 'equipment.listed = 1',
  id: 'equipment.id',
  size: 'octet_length(equipment.document)',
  properties: DEVICE_PROPERTIES,
  known: ['equipmentType'],
  counts: {
    from: 'equipment_type_count',
    number: 'devices',
    properties: { equipmentType: 'equipment_type', type: "nullif(type, '')" },
  },
};

/** The conditions that devices match all words. */
export const withWords = (words: string[]): Condition[] =>
  words.map(
    (word): Condition =>
      (bindings) =>
        isStorable(word) ? `strpos(equipment.search_text, ${bindings.add(word)}) > 0` : 'false',
  );

/** The types of a kind with their counts, which triggers maintain. */
const TYPES = `
  SELECT nullif(type, '') AS type, devices, in_use AS "inUse", sites, conflicts FROM equipment_type_count
  WHERE equipment_type = $1 AND devices > 0 ORDER BY devices DESC, nullif(type, '') NULLS FIRST`;

const EXAMPLE_TYPE = `
  SELECT type FROM equipment_type_count WHERE equipment_type = $1 AND devices > 0 AND type <> '' ORDER BY devices DESC, type LIMIT 1`;

const LISTED = `SELECT ${DEVICE_COLUMNS} FROM equipment WHERE id = $1 AND listed = 1`;

/** Finds devices in a PostgreSQL database. */
export class PostgresDeviceReader implements DeviceReader {
  constructor(private readonly reads: Reads) {}

  async findPage(search: DevicePageSearch): Promise<Found<Device>> {
    if (search.projection === null) {
      const { elements, totalElements } = await findRows<DeviceRow>(
        this.reads,
        DEVICES,
        withKinds(search),
        withWords(neededWordsOf(search.text ?? '')),
      );
      return { elements: elements.map((row) => toDevice(row, search.text)), totalElements };
    }
    return this.reads.inOneState(async (snapshot) => {
      const { elements, totalElements } = await findRowsIn<DeviceRow>(
        snapshot,
        DEVICES,
        withKinds(search),
        withWords(neededWordsOf(search.text ?? '')),
      );
      return { elements: await withInstallations(snapshot, elements, MOST_INSTALLATIONS_ON_PAGE, search.text), totalElements };
    });
  }

  async findById(id: number, projection: 'installations' | null): Promise<Device | undefined> {
    if (!isId(id)) return undefined;
    if (projection === null) {
      const row = await this.reads.get<DeviceRow>(LISTED, id);
      return row && toDevice(row);
    }
    return this.reads.inOneState(async (snapshot) => {
      const row = await snapshot.get<DeviceRow>(LISTED, id);
      return row && (await withInstallations(snapshot, [row], MOST_INSTALLATIONS))[0];
    });
  }

  async findInstallations(
    { id, equipmentType }: { id: number; equipmentType: EquipmentType },
    paging: { page: number; size: number },
  ): Promise<Found<Installation> | undefined> {
    if (!isId(id)) return undefined;
    return this.reads.inOneState(async (snapshot) => {
      const row = await snapshot.get<DeviceRow>(LISTED, id);
      if (row?.equipment_type !== equipmentType) return undefined;
      return installationsOf(snapshot, { id, conflicting: row.conflicting === 1 }, paging);
    });
  }

  findTypes(equipmentType: EquipmentType): Promise<DeviceType[]> {
    return this.reads.all<DeviceType>(TYPES, equipmentType);
  }

  async findExampleType(equipmentType: EquipmentType): Promise<string | null> {
    return (await this.reads.get<{ type: string }>(EXAMPLE_TYPE, equipmentType))?.type ?? null;
  }
}

/** Adds their installations to devices. @param most how many of each @param text the words of the search */
async function withInstallations(snapshot: Snapshot, rows: DeviceRow[], most: number, text?: string): Promise<Device[]> {
  const devices = rows.map(({ id, conflicting }) => ({ id, conflicting: conflicting === 1 }));
  const found = await firstInstallationsOf(snapshot, devices, most);
  return rows.map((row) => {
    const { elements, totalElements } = found.get(row.id)!;
    return { ...toDevice(row, text), installations: elements, totalInstallations: totalElements };
  });
}
