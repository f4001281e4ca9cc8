import type { Period } from '../../../schemas/index.js';
import { readPublished } from '../../site-log/read-published.js';
import { openReader } from '../../store/open.js';
import type { LoggedSite } from '../../store/read/sites/sites.js';
import type { Store } from '../../store/store.js';
import { type DeviceOnRecord, Records, type RecordSource, type SiteOnRecord } from './records.js';

function toSiteOnRecord({ site, setups, siteLog }: LoggedSite): SiteOnRecord {
  if (siteLog === null) return { site, setups, log: null };
  // Without contacts, as the API has it.
  const parties = readPublished(siteLog, false).responsibleParties;
  const responsibleParties = parties.map(({ role, organisation, abbreviation }) => ({
    role,
    organisation: organisation?.value ?? null,
    abbreviation: abbreviation?.value ?? null,
  }));
  return { site, setups, log: { responsibleParties, datePrepared: siteLog.datePrepared } };
}

/** Reads the record from a store. */
class StoreRecords implements RecordSource {
  constructor(private readonly store: Store) {}

  async findSites(ids: string[]): Promise<SiteOnRecord[]> {
    return (await this.store.sites.findLogged(ids)).map(toSiteOnRecord);
  }

  async findDevices(serialNumber: string, most: number): Promise<DeviceOnRecord[]> {
    const { elements } = await this.store.devices.findPage({
      filters: [],
      sort: [],
      serialNumbers: [serialNumber],
      projection: 'installations',
      page: 0,
      size: most,
    });
    return elements.map(({ equipmentType, installations = [] }) => ({
      equipmentType,
      // The start is unknown only of instruments.
      installations: installations.map((each) => ({ ...each, period: each.period as Period })),
    }));
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

/** Opens the record in a SQLite file or a PostgreSQL database. @throws {StoreUnusable} */
export const openStoreRecords = async (database: string): Promise<Records> =>
  new Records(new StoreRecords(await openReader(database)));
