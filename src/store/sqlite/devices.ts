import { EQUIPMENT_TYPES, type EquipmentType } from '../../../schemas/index.js';
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
import type { Connection } from './connection.js';
import { firstInstallationsOf, installationsOf } from './installations.js';
import { findRows, findRowsAmong } from './page-search.js';
import { Selection, type Table } from './selection.js';
import { neededWordsOf } from '../rows/sites.js';

/** The SQL expression of each property of a device. */
export const DEVICE_PROPERTIES = {
  type: 'equipment.type',
  equipmentType: 'equipment.equipment_type',
  manufacturer: "equipment.document ->> '$.manufacturer'",
  serialNumber: 'equipment.serial_number',
  aspiration: "equipment.document ->> '$.aspiration'",
} satisfies Record<PropertyOf<Identity>, string>;

const DEVICES: Table = {
  from: 'equipment',
  columns: DEVICE_COLUMNS,
  where: 'equipment.listed = 1',
  id: 'equipment.id',
  properties: DEVICE_PROPERTIES,
  known: ['equipmentType'],
  indexes: {
    id: { hint: 'NOT INDEXED', has: ['equipmentType'] },
    manufacturer: { hint: 'INDEXED BY equipment_by_manufacturer', has: ['equipmentType'] },
    serialNumber: { hint: 'INDEXED BY equipment_of_serial_number', has: ['equipmentType'] },
    aspiration: { hint: 'INDEXED BY equipment_by_aspiration', has: ['equipmentType'] },
  },
  selective: { serialNumber: 'INDEXED BY equipment_of_serial_number' },
  counts: {
    from: 'equipment_type_count',
    number: 'devices',
    properties: { equipmentType: 'equipment_type', type: "nullif(type, '')" },
  },
};

/** The ids of the listed devices of some kinds that have all words. The index has the text, so that no document is read. */
function idsWithWords(connection: Connection, words: string[], kinds: EquipmentType[]): number[] {
  const each = words.map(() => 'instr(search_text, ?) > 0').join(' AND ');
  const sql = `
    SELECT json_group_array(id) AS ids FROM equipment INDEXED BY equipment_by_words
    WHERE listed = 1 AND equipment_type IN (SELECT value FROM json_each(?)) AND ${each}`;
  const { ids } = connection.get<{ ids: string }>(sql, JSON.stringify(kinds), ...words)!;
  return (JSON.parse(ids) as number[]).sort((a, b) => a - b);
}

/** The types of a kind with their counts, which triggers maintain. */
const TYPES = `
  SELECT nullif(type, '') AS type, devices, in_use AS inUse, sites, conflicts FROM equipment_type_count
  WHERE equipment_type = ? AND devices > 0 ORDER BY devices DESC, type`;

const EXAMPLE_TYPE = `
  SELECT type FROM equipment_type_count WHERE equipment_type = ? AND devices > 0 AND type <> '' ORDER BY devices DESC, type LIMIT 1`;

/** Finds devices in one SQLite file. */
export class SqliteDeviceReader implements DeviceReader {
  constructor(private readonly connection: Connection) {}

  async findPage(search: DevicePageSearch): Promise<Found<Device>> {
    return this.connection.inOneTransaction(() => {
      const { elements, totalElements } = this.findRows(search);
      return { elements: this.projected(elements, search.projection, MOST_INSTALLATIONS_ON_PAGE, search.text), totalElements };
    });
  }

  async findById(id: number, projection: 'installations' | null): Promise<Device | undefined> {
    return this.connection.inOneTransaction(() => {
      const row = this.connection.get<DeviceRow>(`SELECT ${DEVICE_COLUMNS} FROM equipment WHERE id = ? AND listed = 1`, id);
      return row && this.projected([row], projection, MOST_INSTALLATIONS)[0];
    });
  }

  async findInstallations(
    { id, equipmentType }: { id: number; equipmentType: EquipmentType },
    paging: { page: number; size: number },
  ): Promise<Found<Installation> | undefined> {
    return this.connection.inOneTransaction(() => {
      const sql = 'SELECT conflicting FROM equipment WHERE id = ? AND equipment_type = ? AND listed = 1';
      const row = this.connection.get<{ conflicting: number }>(sql, id, equipmentType);
      return row && installationsOf(this.connection, { id, conflicting: row.conflicting === 1 }, paging);
    });
  }

  async findTypes(equipmentType: EquipmentType): Promise<DeviceType[]> {
    return this.connection.all<DeviceType>(TYPES, equipmentType);
  }

  async findExampleType(equipmentType: EquipmentType): Promise<string | null> {
    return this.connection.get<{ type: string }>(EXAMPLE_TYPE, equipmentType)?.type ?? null;
  }

  /** The rows of a page; several reads, within the transaction of the caller. */
  private findRows(search: DevicePageSearch): Found<DeviceRow> {
    const words = neededWordsOf(search.text ?? '');
    if (words.length === 0) return findRows<DeviceRow>(this.connection, DEVICES, withKinds(search));
    const isOfKind = ({ property }: DevicePageSearch['filters'][number]) => property === 'equipmentType';
    const kinds = EQUIPMENT_TYPES.filter((kind) => search.filters.filter(isOfKind).every(({ values }) => values.includes(kind)));
    const withWords = idsWithWords(this.connection, words, kinds);
    const { filters } = withKinds({ ...search, text: '' });
    if (filters.every(isOfKind)) return findRowsAmong<DeviceRow>(this.connection, DEVICES, withWords, search, filters);
    const filtered = new Set(new Selection(this.connection, DEVICES, filters).allIds());
    const ids = withWords.filter((id) => filtered.has(id));
    return findRowsAmong<DeviceRow>(this.connection, DEVICES, ids, search, filters.filter(isOfKind));
  }

  /** Adds what a projection adds to devices. @param most how many installations of each @param text the words of the search */
  private projected(rows: DeviceRow[], projection: 'installations' | null, most: number, text?: string): Device[] {
    if (projection === null) return rows.map((row) => toDevice(row, text));
    const devices = rows.map(({ id, conflicting }) => ({ id, conflicting: conflicting === 1 }));
    const found = firstInstallationsOf(this.connection, devices, most);
    return rows.map((row) => {
      const { elements, totalElements } = found.get(row.id)!;
      return { ...toDevice(row, text), installations: elements, totalInstallations: totalElements };
    });
  }
}
