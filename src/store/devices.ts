import type { EquipmentType, InstalledEquipment, PeriodOfUse } from '../../schemas/index.js';
import type { Identity } from '../derive/devices.js';
import type { JsonText } from '../serializers/json-text.js';
import type { Found, FoundBy, PageSearch } from './search.js';

/** How many conflicting Sites an installation names. */
export const MOST_CONFLICTS = 10;
/** How many installations each device on a page has. */
export const MOST_INSTALLATIONS_ON_PAGE = 100;
/** How many installations a device has that is requested by its id. */
export const MOST_INSTALLATIONS = 1000;

/** Where and when a device has been in use. */
export interface Installation {
  siteId: number;
  fourCharacterId: string;
  nineCharacterId: string | null;
  siteName: string | null;
  /** The start is unknown only of instruments. */
  period: PeriodOfUse;
  configuration: InstalledEquipment['content']['configuration'];
  /** How many other Sites have logs that use the device at some time within the period. */
  conflicts: number;
  /** The four-character ids of the first of them, at most {@link MOST_CONFLICTS}. */
  conflictsWith: string[];
}

export type { Identity } from '../derive/devices.js';

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

/** Finds devices. */
export interface DeviceReader {
  /** A page of the devices of all kinds. */
  findPage(search: DevicePageSearch): Promise<Found<Device>>;
  /** A device by its id; undefined if there is none. */
  findById(id: number, projection: 'installations' | null): Promise<Device | undefined>;
  /** A page of the installations of a listed device of a kind, in chronological order; undefined if there is no such device. */
  findInstallations(
    device: { id: number; equipmentType: EquipmentType },
    paging: { page: number; size: number },
  ): Promise<Found<Installation> | undefined>;
  /** The types of a kind of equipment, most devices first. */
  findTypes(equipmentType: EquipmentType): Promise<DeviceType[]>;
  /** The type with the most devices, for an example; null if no device of the kind has a known type. */
  findExampleType(equipmentType: EquipmentType): Promise<string | null>;
}
