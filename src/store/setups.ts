import type { Instant, Provenance, Setup } from '../../schemas/index.js';
import type { SiteId } from '../requests/site-id.js';
import type { Found, PageSearch } from './search.js';

/** A Setup, with its provenance if that was asked for. */
export type SetupRecord = Setup & { provenance?: Provenance };

/** Which Setup of a Site. */
export interface SetupSearch {
  site: SiteId;
  /** The instant at which it is in effect; null: the current one. */
  at: Instant | null;
  /** What was on record then, `YYYY-MM-DDThh:mm:ss.sssZ`; null: what is on record now. */
  asOf: string | null;
  projection: 'provenance' | null;
}

/** The Setup that was asked for, or why there is none. */
export type SetupAnswer =
  | { kind: 'found'; setup: SetupRecord }
  | { kind: 'unknown-site' | 'no-current-setup' }
  /** All Setups of the Site begin later; `first` is when. */
  | { kind: 'before-first-setup'; first: Instant }
  /** The Site was not on record then; `since` is when it was first recorded. */
  | { kind: 'not-recorded'; since: string };

/** Which Setups, superseded ones included. */
export interface SetupPageSearch extends PageSearch {
  /** Only Setups whose effective period overlaps this one; null: no bound. Equal bounds are an instant. */
  meets?: { from: Instant | null; to: Instant | null };
  projection: 'provenance' | null;
}

/** Finds Setups. */
export interface SetupReader {
  /** The Setup of a Site that is in effect at an instant, or the current one, by what is or was on record. */
  findOne(search: SetupSearch): Promise<SetupAnswer>;
  /** An answer for each Site, in the order of `sites`, all of one committed state. */
  findMany(sites: SiteId[], search: Omit<SetupSearch, 'site'>): Promise<SetupAnswer[]>;
  /** A page of all Setups. */
  findPage(search: SetupPageSearch): Promise<Found<SetupRecord>>;
  /** A page of the Setups of one Site, of one committed state; undefined where no Site has this id. */
  findPageOfSite(site: SiteId, search: SetupPageSearch): Promise<Found<SetupRecord> | undefined>;
  /** A Setup by its id; undefined where there is none. */
  findById(id: number, projection: 'provenance' | null): Promise<SetupRecord | undefined>;
}
