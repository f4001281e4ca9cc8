import type { EquipmentInUse, EquipmentType, Period } from '../../schemas/index.js';
import type { Found, PageSearch } from './search.js';

/** Where and when a device has been in use. */
export interface Installation {
  siteId: number;
  fourCharacterId: string;
  nineCharacterId: string | null;
  siteName: string | null;
  period: Period;
  configuration: EquipmentInUse['content']['configuration'];
  /** The four-character ids of other Sites whose logs use the device at some time within the period. */
  conflictsWith: string[];
}

/** A device of the catalogue. */
export interface Device {
  /** The number in its URL. */
  id: number;
  identity: EquipmentInUse['content']['id'];
  /** In chronological order; present only if requested. */
  installations?: Installation[];
}

/** Which devices. The catalogue lists a device while a Setup that has not been superseded includes it. */
export interface DevicePageSearch extends PageSearch {
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

/** Finds devices. */
export interface DeviceReader {
  /** A page of the devices of all kinds. */
  findPage(search: DevicePageSearch): Promise<Found<Device>>;
  /** A device by its id; undefined if there is none. */
  findById(id: number, projection: 'installations' | null): Promise<Device | undefined>;
  /** The types of a kind of equipment, most devices first. */
  findTypes(equipmentType: EquipmentType): Promise<DeviceType[]>;
  /** The type with the most devices, for an example; null if no device of the kind has a known type. */
  findExampleType(equipmentType: EquipmentType): Promise<string | null>;
}
