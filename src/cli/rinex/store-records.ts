import type { Period } from '../../../schemas/index.js';
import type { RecordedSite } from '../../check/rinex/recorded-site.js';
import { readPublished } from '../../site-log/read-published.js';
import { openReader } from '../../store/open.js';
import type { LoggedSite } from '../../store/read/sites/sites.js';
import type { Store } from '../../store/store.js';
import {
  agenciesOf,
  fourCharactersOf,
  type Installed,
  longestId,
  MOST_DEVICES,
  type Records,
  toRecordedSetup,
} from './records.js';

/** How many Sites are read at once. */
const AT_ONCE = 50;

function toRecordedSite({ site, setups, siteLog }: LoggedSite): RecordedSite {
  // Without contacts, as the API has it.
  const parties = siteLog === null ? [] : readPublished(siteLog, false).responsibleParties;
  const agencies = agenciesOf(
    parties.map(({ role, organisation, abbreviation }) => ({
      role,
      organisation: organisation?.value ?? null,
      abbreviation: abbreviation?.value ?? null,
    })),
  );
  return {
    site,
    setups: setups.map(toRecordedSetup),
    agencies,
    datePrepared: siteLog?.datePrepared ?? null,
  };
}

/** Reads the record from a store. */
export class StoreRecords implements Records {
  constructor(private readonly store: Store) {}

  async findSites(ids: string[]): Promise<RecordedSite[]> {
    const all: RecordedSite[] = [];
    for (const some of fourCharactersOf(ids, AT_ONCE))
      all.push(...(await this.store.sites.findLogged(some)).map(toRecordedSite));
    return all;
  }

  async findSerialNumber(
    serialNumber: string,
    equipmentType: 'gnss receiver' | 'gnss antenna',
  ): Promise<Installed[]> {
    const { elements } = await this.store.devices.findPage({
      filters: [],
      sort: [],
      serialNumbers: [serialNumber],
      projection: 'installations',
      page: 0,
      size: MOST_DEVICES,
    });
    return elements
      .filter((device) => device.equipmentType === equipmentType)
      .flatMap(({ installations = [] }) => installations)
      .map(({ period, ...site }) => {
        // The start is unknown only of instruments.
        const { from, to } = period as Period;
        return { site: longestId(site), from, to };
      });
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

/** Opens the record in a SQLite file or a PostgreSQL database. @throws {StoreUnusable} */
export const openStoreRecords = async (database: string): Promise<Records> =>
  new StoreRecords(await openReader(database));
