import type { CorsSite, EquipmentType, Period, Setup } from '../../../schemas/index.js';
import type { RecordedSite } from '../../check/rinex/recorded-site.js';
import { siteIdText } from '../../requests/site-id.js';

/** The record of Sites, from a database or a service. */

/** A responsible party of a site log. */
export interface Party {
  role: string;
  organisation: string | null;
  abbreviation: string | null;
}

/** A Site with all that is on record about it. */
export interface SiteOnRecord {
  site: CorsSite;
  /** Its valid Setups in chronological order. */
  setups: Setup[];
  /** Its current site log; null if there is none. */
  log: { responsibleParties: Party[]; datePrepared: string | null } | null;
}

type Names = Pick<CorsSite, 'nineCharacterId' | 'fourCharacterId'>;

/** A device with its installations. */
export interface DeviceOnRecord {
  equipmentType: EquipmentType;
  installations: (Names & { period: Period })[];
}

/** Where the record is read from. */
export interface RecordSource {
  /**
   * All Sites that have one of some four-character ids, in the order of their numbers.
   * @param ids at most {@link AT_ONCE}, each once
   */
  findSites(ids: string[]): Promise<SiteOnRecord[]>;
  /** The devices with a serial number. @param most how many are looked at */
  findDevices(serialNumber: string, most: number): Promise<DeviceOnRecord[]>;
  /** Releases everything, so that the process can end. No call may follow. */
  close(): Promise<void>;
}

/** Where a device is on record. */
export interface Installed extends Period {
  /** The longest id of the Site. */
  site: string;
}

/** How many Sites are requested at once: as many values as a filter of the API accepts. */
export const AT_ONCE = 50;

/** The most devices with one serial number that are looked at. */
const MOST_DEVICES = 100;

/** Reads the record of Sites. */
export class Records {
  constructor(private readonly source: RecordSource) {}

  /**
   * The Sites that some ids may mean, of four or nine characters in upper case: all that have the
   * first four characters of one of them, in the order of their numbers.
   */
  async findSites(ids: string[]): Promise<RecordedSite[]> {
    const shortIds = [...new Set(ids.map((id) => id.slice(0, 4)))];
    const found: RecordedSite[] = [];
    for (let first = 0; first < shortIds.length; first += AT_ONCE) {
      const sites = await this.source.findSites(shortIds.slice(first, first + AT_ONCE));
      found.push(...sites.map(toRecordedSite));
    }
    return found;
  }

  /** Where receivers or antennas with a serial number are on record. */
  async findSerialNumber(
    serialNumber: string,
    equipmentType: 'gnss receiver' | 'gnss antenna',
  ): Promise<Installed[]> {
    const devices = await this.source.findDevices(serialNumber, MOST_DEVICES);
    return devices
      .filter((device) => device.equipmentType === equipmentType)
      .flatMap(({ installations }) => installations)
      .map(({ period: { from, to }, ...site }) => ({ site: siteIdText(site), from, to }));
  }

  /** Releases everything, so that the process can end. No call may follow. */
  close(): Promise<void> {
    return this.source.close();
  }
}

const toRecordedSite = ({ site, setups, log }: SiteOnRecord): RecordedSite => ({
  site,
  setups: setups.map(({ id, effectivePeriod, equipmentInUse }) => ({
    id,
    effectivePeriod,
    equipmentInUse,
  })),
  agencies: agenciesOf(log?.responsibleParties ?? []),
  datePrepared: log?.datePrepared ?? null,
});

/** The roles of sections 11 and 12. */
const AGENCY_ROLES = ['siteMetadataCustodian', 'siteContact'];

/** The names and abbreviations of the agencies of a site log, each once. */
function agenciesOf(parties: Party[]): string[] {
  const agencies = AGENCY_ROLES.flatMap((role) => parties.filter((party) => party.role === role));
  const names = agencies.flatMap(({ organisation, abbreviation }) => [organisation, abbreviation]);
  return [...new Set(names.filter((name) => name !== null))];
}
