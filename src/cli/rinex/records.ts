import type { CorsSite, Instant, Setup } from '../../../schemas/index.js';
import type { RecordedSetup, RecordedSite } from '../../check/rinex/recorded-site.js';

/** What is on record about Sites, wherever it is read from. */

/** Where a device is on record. */
export interface Installed {
  /** The longest id of the Site. */
  site: string;
  from: Instant;
  to: Instant | null;
}

/** Reads the record of Sites. */
export interface Records {
  /**
   * The Sites that some ids may mean, of four or nine characters in upper case: all that have the
   * first four characters of one of them, in the order of their numbers.
   */
  findSites(ids: string[]): Promise<RecordedSite[]>;
  /** Where receivers or antennas with a serial number are on record. */
  findSerialNumber(
    serialNumber: string,
    equipmentType: 'gnss receiver' | 'gnss antenna',
  ): Promise<Installed[]>;
  /** Releases everything, so that the process can end. No call may follow. */
  close(): Promise<void>;
}

/** The most devices with one serial number that are looked at. */
export const MOST_DEVICES = 100;

/** The longest id of a Site. */
export const longestId = ({
  nineCharacterId,
  fourCharacterId,
}: Pick<CorsSite, 'nineCharacterId' | 'fourCharacterId'>): string =>
  nineCharacterId ?? fourCharacterId;

/** What is used of a Setup. */
export const toRecordedSetup = ({ id, effectivePeriod, equipmentInUse }: Setup): RecordedSetup => ({
  id,
  effectivePeriod,
  equipmentInUse,
});

/** The first four characters of some ids, each once, in groups of at most so many. */
export function* fourCharactersOf(ids: string[], atOnce: number): Generator<string[]> {
  const all = [...new Set(ids.map((id) => id.slice(0, 4)))];
  for (let first = 0; first < all.length; first += atOnce) yield all.slice(first, first + atOnce);
}

/** A responsible party of a site log. */
interface Party {
  role: string;
  organisation: string | null;
  abbreviation: string | null;
}

/** The roles of sections 11 and 12. */
const AGENCY_ROLES = ['siteMetadataCustodian', 'siteContact'];

/** The names and abbreviations of the agencies of a site log, each once. */
export function agenciesOf(parties: Party[]): string[] {
  const agencies = AGENCY_ROLES.flatMap((role) => parties.filter((party) => party.role === role));
  const names = agencies.flatMap(({ organisation, abbreviation }) => [organisation, abbreviation]);
  return [...new Set(names.filter((name) => name !== null))];
}
