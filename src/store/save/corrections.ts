import type { KnownPersons } from '../../site-log/known-persons.js';
import type { SiteId } from '../../requests/site-id.js';
import type { CurrentLog } from '../read/logs.js';
import type { SiteLogImport } from './site-log-import.js';
import type { UnresolvedSite } from '../read/site-ids.js';

/** What an operator undoes or corrects. Logs are named by their number. */
export type Correction =
  /** The best of the other logs becomes current. */
  | { kind: 'withdraw'; log: number }
  | { kind: 'restore'; log: number }
  /** The Site leaves the collections and lookups of now; what was on record stays on record. */
  | { kind: 'retire' }
  | { kind: 'unretire' }
  /** The Site gets another id. Nothing else changes. */
  | { kind: 'rename'; to: SiteId };

/**
 * Reads a stored log again, and derives what follows from it.
 * @param known persons whom other logs name as contacts
 * @throws {Error} if this version cannot read it; the message says why
 */
export type ReadAgain = (
  log: { name: string; original: Uint8Array },
  known: KnownPersons,
) => Omit<SiteLogImport, 'importedAt' | 'findings'>;

/** The same, for the persons whom the store knows. */
export type ReadKept = (log: Parameters<ReadAgain>[0]) => ReturnType<ReadAgain>;

/** What a correction changed. */
export type CorrectionOutcome =
  | {
      kind: 'corrected';
      /** The id of the Site after the correction. */
      site: string;
      /** If the correction brought the id: the other Sites that have the same four characters. */
      sharedWith: string[];
      /** Its current log. */
      current: CurrentLog;
      /** How many Setups are new. */
      added: number;
      /** How many Setups were superseded. */
      invalidated: number;
    }
  /** Nothing was changed; `reason` is a sentence. */
  | { kind: 'refused'; reason: string }
  | UnresolvedSite;
