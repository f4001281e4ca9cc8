import type { EquipmentInUse, Instant, ProjectionOf, Provenance, Setup, SetupGap, SETUPS, SiteOfSetup } from '../../schemas/index.js';
import type { SiteId } from '../requests/site-id.js';
import { type JsonText, valueOf } from '../serializers/json-text.js';
import type { Found, PageSearch } from './search.js';
import type { OfSite, UnresolvedSite } from './site-ids.js';

/** A Setup, with its provenance, its Site or its gaps if requested. The store may have its equipment as text, as it is sent. */
export type SetupRecord = Omit<Setup, 'equipmentInUse'> & {
  equipmentInUse: EquipmentInUse[] | JsonText<EquipmentInUse[]>;
  provenance?: Provenance;
  site?: SiteOfSetup;
  /** null if they are not known: of a superseded Setup, and of an earlier record. */
  gaps?: SetupGap[] | null;
};

/** What can be added to Setups on request. */
export type SetupProjection = ProjectionOf<typeof SETUPS>;

/** A Setup to read from, rather than to send. */
export const readable = <S extends SetupRecord>(setup: S): Omit<S, 'equipmentInUse'> & { equipmentInUse: EquipmentInUse[] } => ({
  ...setup,
  equipmentInUse: valueOf(setup.equipmentInUse),
});

/** Which Setup of which Site. */
export interface SetupSearch {
  site: SiteId;
  /** The instant at which the Setup is in effect; null for the current Setup. */
  at: Instant | null;
  /** Search what was on record at this time, `YYYY-MM-DDThh:mm:ss.sssZ`; null for what is on record now. */
  asOf: string | null;
  projection: SetupProjection | null;
}

/** The requested Setup, or why there is none. */
export type SetupAnswer =
  | { kind: 'found'; setup: SetupRecord }
  | UnresolvedSite
  | { kind: 'no-current-setup' }
  /** The first Setup of the Site begins later, at `first`. */
  | { kind: 'before-first-setup'; first: Instant }
  /** The Site was not on record yet; it was first recorded at `since`. */
  | { kind: 'not-recorded'; since: string };

/** Which Setups. Superseded ones are included unless a filter excludes them. */
export interface SetupPageSearch extends PageSearch {
  /** Only Setups whose effective period overlaps this one; a bound may be null. Equal bounds stand for that instant. */
  overlaps?: { from: Instant | null; to: Instant | null };
  /** Only Setups that this service recorded at this time or later, `YYYY-MM-DDThh:mm:ss.sssZ`; null for no bound. */
  recordedSince?: string | null;
  projection: SetupProjection | null;
}

/** Finds Setups. */
export interface SetupReader {
  /** One Setup of a Site, or why there is none. */
  findOne(search: SetupSearch): Promise<SetupAnswer>;
  /** An answer for each Site, in the order of `sites`, all from one committed state. Each Setup is with its Site. */
  findMany(sites: SiteId[], search: Omit<SetupSearch, 'site'>): Promise<SetupAnswer[]>;
  /** A page of all Setups. */
  findPage(search: SetupPageSearch): Promise<Found<SetupRecord>>;
  /** A page of the Setups of one Site. */
  findPageOfSite(site: SiteId, search: SetupPageSearch): Promise<OfSite<Found<SetupRecord>>>;
  /** A Setup by its id; undefined if there is none. */
  findById(id: number, projection: SetupProjection | null): Promise<SetupRecord | undefined>;
}
