import type { GnssEquipmentType, Period } from '../../../schemas/index.js';
import { openReader } from '../../store/open.js';
import type { RecordedSite } from '../../store/read/sites/sites.js';
import type { Store } from '../../store/store.js';
import { installedAt, type Installed, MOST_DEVICES, type Records } from './records.js';

/** Reads the record from a store. */
class StoreRecords implements Records {
  constructor(private readonly store: Store) {}

  findSites(fourCharacterIds: string[]): Promise<RecordedSite[]> {
    return this.store.sites.findRecorded(fourCharacterIds);
  }

  async findSerialNumber(serialNumber: string, kind: GnssEquipmentType): Promise<Installed[]> {
    const { elements } = await this.store.devices.findPage({
      filters: [],
      sort: [],
      serialNumbers: [serialNumber],
      projection: 'installations',
      page: 0,
      size: MOST_DEVICES,
    });
    const devices = elements.map(({ equipmentType, installations = [] }) => ({
      equipmentType,
      // The start is unknown only of instruments.
      installations: installations.map((each) => ({ ...each, period: each.period as Period })),
    }));
    return installedAt(devices, kind);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

/** Opens the record in a SQLite file or a PostgreSQL database. @throws {StoreUnusable} */
export const openStoreRecords = async (database: string): Promise<Records> =>
  new StoreRecords(await openReader(database));
