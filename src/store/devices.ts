import type { EquipmentInUse, EquipmentType, Period } from '../../schemas/index.js';
import type { Found, PageSearch } from './search.js';

/** Where and when a device has been in use. */
export interface Installation {
  siteId: number;
  fourCharacterId: string;
  siteName: string | null;
  period: Period;
  configuration: EquipmentInUse['content']['configuration'];
  /** The four-character ids of other Sites whose logs have the device in use at some time of the period. */
  conflictsWith: string[];
}

/** A device of the catalogue: the members of its identity, and the id its URL has. */
export interface Device {
  id: number;
  identity: EquipmentInUse['content']['id'];
  /** In order of time; only if that was asked for. */
  installations?: Installation[];
}

/** Which devices; the catalogue has those in use in a Setup that is not superseded. */
export interface DevicePageSearch extends PageSearch {
  projection: 'installations' | null;
}

/** A type of a kind of equipment, and how many devices of it there are. */
export interface DeviceType {
  /** null: the devices whose type is unknown. */
  type: string | null;
  devices: number;
  /** Devices in use at some Site by a current Setup. */
  inUse: number;
  /** Sites that have or had one. */
  sites: number;
  /** Devices that the logs of two Sites have in use at one time. */
  conflicts: number;
}

/** Finds devices. */
export interface DeviceReader {
  /** A page of the devices of all kinds. */
  findPage(search: DevicePageSearch): Promise<Found<Device>>;
  /** A device by its id; undefined where there is none. */
  findById(id: number, projection: 'installations' | null): Promise<Device | undefined>;
  /** The types of a kind of equipment, those of the most devices first. */
  findTypes(equipmentType: EquipmentType): Promise<DeviceType[]>;
  /** The type of a kind with the most devices, to show as an example; null where there is none. */
  findExampleType(equipmentType: EquipmentType): Promise<string | null>;
}
