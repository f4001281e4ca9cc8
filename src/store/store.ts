import type { LastImport, ServerState } from '../../schemas/index.js';
import type { KnownPersons } from '../site-log/known-persons.js';
import type { SiteId } from '../requests/site-id.js';
import type { ChangeReader } from './changes.js';
import type { Correction, CorrectionOutcome, ReadAgain } from './corrections.js';
import type { DeviceReader } from './devices.js';
import type { ExportReader } from './exports.js';
import type { FeedReader } from './feed.js';
import type { LogReader, SaveOutcome, SiteLogImport } from './logs.js';
import type { NetworkReader } from './network.js';
import type { SetupReader } from './setups.js';
import type { SiteReader } from './sites.js';
import type { ImportAgain } from './upkeep.js';

/**
 * The interface that an engine implements. It is asynchronous, so that a database behind a network can implement it too.
 */

/** The state of the database. */
export interface StoreStatus {
  /** The number of the last migration. */
  migration: number;
  /** The number of Sites. */
  sites: number;
  /** The last completed import; null if there is none. */
  lastImport: LastImport | null;
  /** The Date Prepared of the newest current log, `YYYY-MM-DD`, unless it is in the future; null if none has one. */
  newestLog: string | null;
}

/** Reads what was imported. Each call sees one committed state: the newest. */
export interface StoreReader {
  readonly setups: SetupReader;
  readonly sites: SiteReader;
  readonly devices: DeviceReader;
  readonly changes: ChangeReader;
  readonly feed: FeedReader;
  readonly exports: ExportReader;
  readonly logs: LogReader;
  readonly network: NetworkReader;
  /** The persons whom any log on record names as a contact. */
  knownPersons(): Promise<KnownPersons>;
  /** @param now the current time by default */
  status(now?: Date): Promise<StoreStatus>;
  /**
   * A number that changes whenever another process commits. If it is the same before and after a read, nothing was committed
   * in between. An engine without a network returns it synchronously.
   */
  version(): number | Promise<number>;
  /**
   * The version of the newest state that an answer came from so far. If it equals what {@link version} said before a read, the
   * answer to that read came from that version.
   */
  seenVersion(): number;
  /** The state of each database server, in the order of the URL; empty for an engine without servers. */
  servers(): ServerState[];
  /** Closes the connection. No call may follow. */
  close(): Promise<void>;
}

/** Saves and corrects site logs. */
export interface StoreWriter {
  /**
   * Saves logs, one after the other, all in one transaction. Of the logs of a Site, the one with the latest Date Prepared
   * wins, unless that is in the future; on a tie, the one imported last. The others are kept. Setups that stay the same
   * keep their ids; others are superseded, not deleted.
   * @throws {StoreUnusable} if the database cannot be written
   */
  saveSiteLogs(siteLogs: SiteLogImport[]): Promise<SaveOutcome[]>;
  /**
   * Corrects what is on record about a Site, in one transaction. Nothing is deleted.
   * @param readAgain reads the log that becomes current
   * @throws {StoreUnusable} if the database cannot be written
   */
  correct(site: SiteId, correction: Correction, now: Date, readAgain: ReadAgain): Promise<CorrectionOutcome>;
  /** The persons whom any log on record names as a contact. They are withheld in the remarks of logs that are saved. */
  knownPersons(): Promise<KnownPersons>;
  /**
   * Reads the current logs of some Sites again: those that an earlier version saved, to get what that version did not
   * read; and those whose remarks name persons who have become known since. A log that cannot be read is skipped.
   * @returns whether there may be more such Sites
   * @throws {StoreUnusable} if the database cannot be written; the next call goes on
   */
  readSitesAgain(importAgain: ImportAgain, now: Date): Promise<boolean>;
  /** Records a completed import, in place of the previous one. @throws {StoreUnusable} if the database cannot be written */
  saveLastImport(last: LastImport): Promise<void>;
  /** Whether the store remembers that a file with this content was rejected. @param sha256 in hexadecimal */
  wasRejected(sha256: string): Promise<boolean>;
  /**
   * Remembers the contents of rejected files. If there are too many, the store forgets those rejected least recently.
   * @throws {StoreUnusable} if the database cannot be written
   */
  rememberRejected(sha256s: string[], now: Date): Promise<void>;
  /** Closes the connection; rolls back a dry run. No call may follow. */
  close(): Promise<void>;
}

/** The store cannot be used. The message is one line that says why and what to do. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable';
}

/** The store has too much to do. The same call may succeed a little later. */
export class StoreBusy extends Error {
  override readonly name = 'StoreBusy';
}
