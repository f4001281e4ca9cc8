import sql, { raw } from 'sql-template-tag';
import type { EquipmentType } from '../../../../schemas/index.js';
import type { Identity } from '../../../derive/devices.js';
import { neededWordsOf } from '../../../derive/summary.js';
import { foldType } from '../../../requests/type-pattern.js';
import { writeIdentity } from '../../../serializers/documents.js';
import { JsonText } from '../../../serializers/json-text.js';
import { after, type Database, type Reads, repeated, type Soon } from '../../database.js';
import {
  checkLength,
  findCounted,
  type Found,
  type FoundBy,
  type PageSearch,
  type PageTable,
  type PropertyOf,
} from '../../page.js';
import type { RowOf } from '../../schema.js';
import {
  type DeviceFilter,
  inConflict,
  isDevice,
  typeConditions,
  typesLike,
  withSerialNumber,
  withWords,
} from '../filters.js';
import { compareTexts } from '../../../words.js';
import {
  type DeviceOfInstallations,
  firstInstallationsOf,
  type Installation,
} from './installations.js';

/** How many installations each device on a page has. */
const MOST_INSTALLATIONS_ON_PAGE = 100;
/** How many installations a device has that is requested by its id. */
const MOST_INSTALLATIONS = 1000;

/** How many devices in conflict a Site has at most, as the sheet of its findings shows them. */
const MOST_IN_CONFLICT = 200;

/** A device of the catalogue. */
export interface Device {
  /** The number in its URL. */
  id: number;
  equipmentType: EquipmentType;
  /** As it is sent. */
  identity: JsonText<Identity>;
  /** Present only if the search had words: whether the device is in use. */
  foundBy?: FoundBy;
  /** The first ones in chronological order; present only if requested. */
  installations?: Installation[];
  /** How many there are in all; present with them. */
  totalInstallations?: number;
}

/**
 * Which devices. The catalogue lists a device while a Setup that has not been superseded includes
 * it.
 */
interface DevicePageSearch extends PageSearch, Partial<DeviceFilter> {
  projection: 'installations' | null;
}

/** How many devices of a kind are in use, and in conflict. */
export interface DeviceCounts {
  inUse: number;
  conflicts: number;
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

/** The spellings of each type, those with the most devices first. */
const spellingsByType = (spelled: readonly DeviceType[]): [DeviceType, ...DeviceType[]][] =>
  [...Map.groupBy(spelled, ({ type }) => foldType(type ?? '')).values()].map(
    (spellings) => spellings as [DeviceType, ...DeviceType[]],
  );

/** Most devices first; of as many, by type. */
const byFrequency = (a: DeviceType, b: DeviceType): number =>
  b.devices - a.devices || compareTexts(foldType(a.type ?? ''), foldType(b.type ?? ''));

/** A type of some spellings, by the one with the most devices. */
async function joinedType(
  db: Database,
  equipmentType: EquipmentType,
  spellings: [DeviceType, ...DeviceType[]],
): Promise<DeviceType> {
  const [first, ...others] = spellings;
  if (others.length === 0) return first;
  const sum = (count: (type: DeviceType) => number): number =>
    spellings.reduce((total, each) => total + count(each), 0);
  const types = spellings.map(({ type }) => type ?? '');
  // A Site may have used several spellings.
  const used = await db.get<{ sites: number }>(sql`
    SELECT CAST(count(DISTINCT site_id) AS INTEGER) AS sites FROM installation
    WHERE superseded_at IS NULL AND equipment_type = ${equipmentType}
      AND ${db.dialect.isOneOf('type', types)}`);
  return {
    type: first.type,
    devices: sum(({ devices }) => devices),
    inUse: sum(({ inUse }) => inUse),
    sites: used!.sites,
    conflicts: sum(({ conflicts }) => conflicts),
  };
}

type DeviceRow = DeviceOfInstallations &
  Pick<RowOf<'equipment'>, 'document' | 'in_use'> & { equipment_type: EquipmentType };

/** The SQL expression of each property of a device. */
export const DEVICE_PROPERTIES = {
  type: 'equipment.type',
  equipmentType: 'equipment.equipment_type',
  manufacturer: 'equipment.manufacturer',
  serialNumber: 'equipment.serial_number',
  aspiration: 'equipment.aspiration',
} satisfies Record<PropertyOf<Identity>, string>;

const DEVICES = {
  from: 'equipment',
  columns:
    'equipment.id, equipment.equipment_type, equipment.document, ' +
    'equipment.conflicting, equipment.in_use',
  where: 'equipment.listed = 1',
  id: 'equipment.id',
  properties: { ...DEVICE_PROPERTIES, id: 'equipment.id' },
  known: ['equipmentType', 'id'],
} satisfies PageTable;

const deviceWithId = repeated(
  sql`SELECT ${raw(DEVICES.columns)} FROM equipment WHERE id = ${0} AND listed = 1`,
);

/** A page of the devices of one kind and type, in the order of their ids. */
const devicesOfType = repeated(sql`
  SELECT id, document FROM equipment
  WHERE listed = 1 AND equipment_type = ${''} AND type = ${''}
  ORDER BY id LIMIT ${0} OFFSET ${0}`);

/** Whether a search has only one kind and patterns for types: no other condition, and no order. */
const isByType = (search: DevicePageSearch): boolean =>
  search.projection === null &&
  search.types != null &&
  search.equipmentTypes?.length === 1 &&
  search.serialNumbers == null &&
  search.conflicting == null &&
  !search.text &&
  search.filters.length === 0 &&
  search.sort.length === 0;

/** Finds devices. */
export class Devices {
  constructor(private readonly reads: Reads) {}

  /** A page of the devices of all kinds. */
  async findPage(search: DevicePageSearch): Promise<Found<Device>> {
    const { types = null, equipmentTypes = null, serialNumbers = null, text = '' } = search;
    const { conflicting = null } = search;
    const withFoundBy = (row: DeviceRow, device: Device): Device => {
      if (neededWordsOf(text).length === 0) return device;
      return { ...device, foundBy: row.in_use === 1 ? 'current' : 'former' };
    };
    return this.reads.inOneState(async (db) => {
      const ofType = isByType(search) ? await this.findOfType(db, search) : null;
      if (ofType !== null) return ofType;
      const conditions = [
        ...(await typeConditions(db, 'equipment', { types, equipmentTypes })),
        ...withSerialNumber(db.dialect, serialNumbers),
        ...inConflict(conflicting),
        ...withWords(db.dialect, text),
      ];
      const { elements, totalElements } = await findCounted<DeviceRow>(
        db,
        DEVICES,
        search,
        conditions,
      );
      const devices = await this.projected(
        db,
        elements,
        search.projection,
        MOST_INSTALLATIONS_ON_PAGE,
      );
      return {
        elements: elements.map((row, index) => withFoundBy(row, devices[index]!)),
        totalElements,
      };
    });
  }

  /** A device by its id; undefined if there is none. */
  findById(id: number, projection: 'installations' | null): Soon<Device | undefined> {
    if (!Number.isSafeInteger(id)) return undefined;
    if (projection === null)
      return after(this.reads.get<DeviceRow>(deviceWithId(id)), (row) => row && this.toDevice(row));
    return this.reads.inOneState(async (db) => {
      const row = await db.get<DeviceRow>(deviceWithId(id));
      return row && (await this.projected(db, [row], projection, MOST_INSTALLATIONS))[0];
    });
  }

  /**
   * The devices that have been at a Site and are in conflict, with their installations: at any two
   * Sites.
   */
  findInConflictAt(siteId: number): Promise<Device[]> {
    return this.reads.inOneState(async (db) => {
      const rows = await db.all<DeviceRow>(sql`
        SELECT ${raw(DEVICES.columns)} FROM equipment
        WHERE listed = 1 AND conflicting = 1 AND id IN (
          SELECT equipment_id FROM installation
          WHERE site_id = ${siteId} AND superseded_at IS NULL
        )
        ORDER BY id LIMIT ${MOST_IN_CONFLICT}`);
      return this.projected(db, rows, 'installations', MOST_INSTALLATIONS);
    });
  }

  /** How many devices of a kind there are now. */
  async count(equipmentType: EquipmentType): Promise<DeviceCounts> {
    const sums = await this.reads.get<DeviceCounts>(sql`
      SELECT CAST(coalesce(sum(in_use), 0) AS INTEGER) AS "inUse",
        CAST(coalesce(sum(conflicts), 0) AS INTEGER) AS conflicts
      FROM equipment_type_count
      WHERE equipment_type = ${equipmentType} AND ${isDevice('type')}`);
    return sums!;
  }

  /** The types of a kind of equipment, most devices first; spellings of one type are one. */
  findTypes(equipmentType: EquipmentType): Promise<DeviceType[]> {
    return this.reads.inOneState(async (db) => {
      const spelled = await db.all<DeviceType>(sql`
        SELECT nullif(counts.type, '') AS type, devices, in_use AS "inUse", sites, conflicts
        FROM equipment_type_count AS counts
        WHERE equipment_type = ${equipmentType} ORDER BY devices DESC, counts.type`);
      const types: DeviceType[] = [];
      for (const spellings of spellingsByType(spelled))
        types.push(await joinedType(db, equipmentType, spellings));
      return types.filter(({ devices }) => devices > 0).toSorted(byFrequency);
    });
  }

  /**
   * The page of a search that clients repeat most: of one kind and type, whose number is on record.
   * Null if the patterns match several types, or the state is that of an earlier time.
   */
  private async findOfType(db: Database, search: DevicePageSearch): Promise<Found<Device> | null> {
    const { types, equipmentTypes, page, size } = search;
    const equipment_type = equipmentTypes![0]!;
    const found = (await typesLike(db, types!)).filter(({ kind }) => kind === equipment_type);
    if (found.length !== 1 || db.state === undefined) return null;
    const { type, devices: totalElements } = found[0]!;
    const rows = await db.all<Pick<DeviceRow, 'id' | 'document'>>(
      devicesOfType(equipment_type, type, size, page * size),
    );
    checkLength(rows.map(({ document }) => document));
    const elements = rows.map(({ id, document }) =>
      this.toDevice({ id, document, equipment_type }),
    );
    return { elements, totalElements };
  }

  private toDevice({
    id,
    equipment_type: equipmentType,
    document,
  }: Pick<DeviceRow, 'id' | 'equipment_type' | 'document'>): Device {
    const text = this.reads.hasTextsOfThisVersion()
      ? document
      : writeIdentity(JSON.parse(document) as Identity);
    return { id, equipmentType, identity: new JsonText<Identity>(text) };
  }

  /** Devices with what a projection adds. @param most how many installations of each */
  private async projected(
    db: Database,
    rows: DeviceRow[],
    projection: 'installations' | null,
    most: number,
  ): Promise<Device[]> {
    if (projection === null) return rows.map((row) => this.toDevice(row));
    const found = await firstInstallationsOf(db, rows, most);
    return rows.map((row) => {
      const { elements, totalElements } = found.get(row.id)!;
      return { ...this.toDevice(row), installations: elements, totalInstallations: totalElements };
    });
  }
}
