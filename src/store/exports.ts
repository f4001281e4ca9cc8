import type { CorsSite, Instant, Setup } from '../../schemas/index.js';
import type { Box } from '../requests/place.js';
import type { ChangeSearch, SiteChange } from './changes.js';
import type { Identity, Installation } from './devices.js';
import type { PageSearch } from './search.js';

/**
 * Exports read a table window by window, in the order of the ids, so that no read takes long however many elements there are
 * and however few match. Each window is read from the newest committed state. Ids only grow, and an element keeps its id: no
 * element comes twice, and none that was on record when the export began is left out, unless it was superseded meanwhile.
 */

/** Which elements to export. */
export interface ExportSearch {
  /** Words that must occur in Sites or devices, as in a search for them. */
  text?: string;
  /** As in a search of the collection. */
  filters: PageSearch['filters'];
  /** The numbers of the Sites; null for all. */
  sites: number[] | null;
  /** Only what is at Sites within it; null for no bound. */
  box: Box | null;
  /** Only what is at Sites in these countries (ISO 3166 alpha-3, upper case); null for all. */
  countryCodes: string[] | null;
  /**
   * Only valid Setups or installations that overlap the period, or Sites that had a Setup then; a bound may be null. Equal
   * bounds stand for that instant. Null for no period, and superseded Setups too.
   */
  during: { from: Instant | null; to: Instant | null } | null;
  /** Only what was recorded at this time or later, `YYYY-MM-DDThh:mm:ss.sssZ`; null for no bound. */
  recordedSince: string | null;
}

/** Which Sites or installations to find, when not all are exported. */
export type ItemSearch = Pick<ExportSearch, 'box' | 'during'>;

/** Which changes to export. */
export type ChangeExport = Omit<ChangeSearch, 'page' | 'size'> & Pick<ExportSearch, 'sites' | 'box' | 'countryCodes'>;

/** The Site of an exported element. */
export interface ExportedSite extends Pick<CorsSite, 'fourCharacterId' | 'nineCharacterId' | 'name'> {
  latitude: number | null;
  longitude: number | null;
}

/** A Setup with its Site. */
export interface ExportedSetup extends Setup {
  site: ExportedSite;
}

/** A device in use at a Site in one configuration. */
export interface ExportedInstallation {
  /** Identifies the installation. */
  id: number;
  siteId: number;
  site: ExportedSite;
  /** The identity of the device. */
  device: Identity;
  period: Installation['period'];
  configuration: Installation['configuration'];
}

/** A change with its Site. */
export interface ExportedChange extends SiteChange {
  /** Identifies the change. */
  id: number;
  site: ExportedSite;
}

/** The elements in a window. */
export interface Window<T> {
  elements: T[];
  /** The id after which the next window begins; null if there is none. */
  next: number | null;
}

/** How many ids a window has. Reading it takes about a millisecond. */
export const WINDOW = 100;

/** Reads windows of exports. @param after the id after which the window begins; 0 for the first */
export interface ExportReader {
  readSites(search: ExportSearch, after: number): Promise<Window<CorsSite>>;
  readSetups(search: ExportSearch, after: number): Promise<Window<ExportedSetup>>;
  readInstallations(search: ExportSearch, after: number): Promise<Window<ExportedInstallation>>;
  readChanges(search: ChangeExport, after: number): Promise<Window<ExportedChange>>;
  /** The first Sites after an id, in the order of their ids, in one read. @param most how many */
  findSites(search: ItemSearch, after: number, most: number): Promise<CorsSite[]>;
  /** The first installations after an id, in the order of their ids, in one read, which takes little longer if few match. */
  findInstallations(search: ItemSearch, after: number, most: number): Promise<ExportedInstallation[]>;
}
