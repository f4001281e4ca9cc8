import type { CorsSite, Setup } from '../../../schemas/index.js';

/** A Setup as it is on record. */
export type RecordedSetup = Pick<Setup, 'id' | 'effectivePeriod' | 'equipmentInUse'>;

/** A Site as it is on record. */
export interface RecordedSite {
  site: CorsSite;
  /** Its valid Setups in chronological order. */
  setups: RecordedSetup[];
  /** The names and abbreviations of the agencies in sections 11 and 12 of its log. */
  agencies: string[];
  /** Date Prepared of its log, `YYYY-MM-DD`; null if it is unknown. */
  datePrepared: string | null;
}
