import sql, { raw } from 'sql-template-tag';
import type { EquipmentType } from '../../../schemas/index.js';
import type { Identity } from '../../derive/devices.js';
import { fromText, type JsonText } from '../../serializers/json-text.js';
import type { Database, Reads } from '../database.js';
import { findRows, type PageTable, type PropertyOf } from '../page.js';
import type { RowOf } from '../schema.js';
import type { Found, FoundBy, PageSearch, Paging } from '../search.js';
import { type DeviceOfInstallations, firstInstallationsOf, type Installation, installationsOf } from './installations.js';
import { neededWordsOf } from './words.js';

/** How many installations each device on a page has. */
const MOST_INSTALLATIONS_ON_PAGE = 100;
/** How many installations a device has that is requested by its id. */
const MOST_INSTALLATIONS = 1000;

/** A device of the catalogue. */
export interface Device {
  /** The number in its URL. */
  id: number;
  equipmentType: EquipmentType;
  /** The store may have it as text, as it is sent. */
  identity: Identity | JsonText<Identity>;
  /** Present only if the search had words: whether the device is in use. */
  foundBy?: FoundBy;
  /** The first ones in chronological order; present only if requested. */
  installations?: Installation[];
  /** How many there are in all; present with them. */
  totalInstallations?: number;
}

/** Which devices. The catalogue lists a device while a Setup that has not been superseded includes it. */
export interface DevicePageSearch extends PageSearch {
  /** Words that must all appear in the type, serial number or manufacturer of a device; case and accents are ignored. Empty for all devices. */
  text?: string;
  projection: 'installations' | null;
}

/** A type of equipment, with counts. */
export interface DeviceType {
  /** null for the devices whose type is unknown. */
  type: string | null;
  /** The number of devices. */
  devices: number;
  /** How many of them are in use now. */
  inUse: number;
  /** How many Sites use or used one. */
  sites: number;
  /** How many of them are in use at two Sites at the same time, according to the logs. */
  conflicts: number;
}

type DeviceRow = DeviceOfInstallations & Pick<RowOf<'equipment'>, 'document' | 'in_use'> & { equipment_type: EquipmentType };

/** The SQL expression of each property of a device. */
export const DEVICE_PROPERTIES = {
  type: 'equipment.type',
  equipmentType: 'equipment.equipment_type',
  manufacturer: 'equipment.manufacturer',
  serialNumber: 'equipment.serial_number',
  aspiration: 'equipment.aspiration',
} satisfies Record<PropertyOf<Identity>, string>;

const DEVICES: PageTable = {
  from: 'equipment',
  columns: 'equipment.id, equipment.equipment_type, equipment.document, equipment.conflicting, equipment.in_use',
  where: 'equipment.listed = 1',
  id: 'equipment.id',
  properties: DEVICE_PROPERTIES,
  known: ['equipmentType'],
};

/** Finds devices. */
export class Devices {
  constructor(private readonly reads: Reads) {}

  /** A page of the devices of all kinds. */
  findPage(search: DevicePageSearch): Promise<Found<Device>> {
    const words = neededWordsOf(search.text ?? '');
    return this.reads.inOneState(async (db) => {
      const conditions = words.map((word) => db.dialect.contains('equipment.search_text', word));
      const { elements, totalElements } = await findRows<DeviceRow>(db, DEVICES, search, conditions);
      const devices = await this.projected(db, elements, search.projection, MOST_INSTALLATIONS_ON_PAGE);
      if (words.length === 0) return { elements: devices, totalElements };
      const foundBy = (index: number): FoundBy => (elements[index]!.in_use === 1 ? 'current' : 'former');
      return { elements: devices.map((device, index) => ({ ...device, foundBy: foundBy(index) })), totalElements };
    });
  }

  /** A device by its id; undefined if there is none. */
  async findById(id: number, projection: 'installations' | null): Promise<Device | undefined> {
    return this.ofDevice(id, async (db, row) => (await this.projected(db, [row], projection, MOST_INSTALLATIONS))[0]);
  }

  /** A page of the installations of a listed device of a kind, in chronological order; undefined if there is no such device. */
  async findInstallations(
    { id, equipmentType }: { id: number; equipmentType: EquipmentType },
    paging: Paging,
  ): Promise<Found<Installation> | undefined> {
    return this.ofDevice(id, async (db, row) => (row.equipment_type === equipmentType ? installationsOf(db, row, paging) : undefined));
  }

  /** The types of a kind of equipment, most devices first. */
  findTypes(equipmentType: EquipmentType): Promise<DeviceType[]> {
    return this.reads.all<DeviceType>(sql`
      SELECT nullif(counts.type, '') AS type, devices, in_use AS "inUse", sites, conflicts FROM equipment_type_count AS counts
      WHERE equipment_type = ${equipmentType} AND devices > 0 ORDER BY devices DESC, counts.type`);
  }

  /** Finds something out about a listed device; undefined if there is none. */
  private async ofDevice<T>(id: number, find: (db: Database, row: DeviceRow) => Promise<T>): Promise<T | undefined> {
    if (!Number.isSafeInteger(id)) return undefined;
    return this.reads.inOneState(async (db) => {
      const row = await db.get<DeviceRow>(sql`SELECT ${raw(DEVICES.columns)} FROM equipment WHERE id = ${id} AND listed = 1`);
      return row && find(db, row);
    });
  }

  private toDevice({ id, equipment_type: equipmentType, document }: DeviceRow): Device {
    return { id, equipmentType, identity: fromText<Identity>(document, this.reads.hasTextsOfThisVersion()) };
  }

  /** Devices with what a projection adds. @param most how many installations of each */
  private async projected(db: Database, rows: DeviceRow[], projection: 'installations' | null, most: number): Promise<Device[]> {
    if (projection === null) return rows.map((row) => this.toDevice(row));
    const found = await firstInstallationsOf(db, rows, most);
    return rows.map((row) => {
      const { elements, totalElements } = found.get(row.id)!;
      return { ...this.toDevice(row), installations: elements, totalInstallations: totalElements };
    });
  }
}
