import { siteIdText } from '../../requests/site-id.js';
import type { CorsSite, EquipmentType, GnssEquipmentType, Period } from '../../../schemas/index.js';
import type { RecordedSite } from '../../store/read/sites/sites.js';

/** The record of Sites, from a database or a service. */
export interface Records {
  /** All Sites with some four-character ids, in the order of their numbers. */
  findSites(fourCharacterIds: string[]): Promise<RecordedSite[]>;
  /** Where receivers or antennas with a serial number are on record. */
  findSerialNumber(serialNumber: string, kind: GnssEquipmentType): Promise<Installed[]>;
  /** Releases everything, so that the process can end. No call may follow. */
  close(): Promise<void>;
}

/** Where a device is on record, and when. */
export interface Installed extends Period {
  /** The longest id of the Site. */
  site: string;
}

type Names = Pick<CorsSite, 'nineCharacterId' | 'fourCharacterId'>;

/** A device with its installations. */
export interface DeviceOnRecord {
  equipmentType: EquipmentType;
  installations: (Names & { period: Period })[];
}

/** The most devices with one serial number that are looked at. */
export const MOST_DEVICES = 100;

/** Where devices of a kind are on record. */
export const installedAt = (devices: DeviceOnRecord[], kind: GnssEquipmentType): Installed[] =>
  devices
    .filter(({ equipmentType }) => equipmentType === kind)
    .flatMap(({ installations }) => installations)
    .map(({ period: { from, to }, ...site }) => ({ site: siteIdText(site), from, to }));
