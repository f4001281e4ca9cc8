import type { CurrentLog } from '../logs.js';
import type { SiteIdentification } from '../../site-log/site-log.js';
import type { RowOf } from '../columns.js';
import type { Event } from './journal.js';

/**
 * The rows that saving and correcting read and change. Each engine implements these tables; the rules beside this file use
 * them within one transaction and see their own changes. Members of rows are named as their columns.
 */
export interface Tables {
  readonly sites: SiteTable;
  readonly logs: LogTable;
  readonly setups: SetupTable;
  readonly devices: DeviceTable;
  readonly changes: ChangeTable;
  readonly journal: JournalTable;
  readonly feed: FeedTable;
  readonly persons: PersonTable;
  /** How many rows have been changed since the tables were opened. */
  changed(): number;
}

/** A Site that is on record. */
export interface RecordedSite {
  id: number;
  fourCharacterId: string;
  nineCharacterId: string | null;
  retiredAt: string | null;
}

/** A row of `site_summary`. */
export interface SummaryRow {
  site_id: number;
  receivers: string | null;
  antennas: string | null;
  since: string | null;
  asked: number | null;
  known: number | null;
  search_text: string;
  former_text: string;
}

/** The Sites, the ids that they had before, and their summaries. */
export interface SiteTable {
  /** A Site by its number; undefined if there is none. */
  find(site: number): RecordedSite | undefined;
  /** The Sites with four characters, retired ones too: first one without nine characters, then in the order of these. */
  findSharing(fourCharacterId: string): RecordedSite[];
  /** The number of the Site that had an id before it was renamed; undefined if there is none. */
  findRenamed(formerId: string): number | undefined;
  /** All columns of a Site as text, to be compared; null if there is no such Site, or it is retired. */
  contentOf(site: number): string | null;
  /** The last time at which something was recorded about a Site; null if nothing was. */
  lastRecorded(site: number): string | null;
  /** Adds a Site, and returns its number. */
  add(identification: SiteIdentification): number;
  /** Gives a Site other ids. */
  setIds(site: number, fourCharacterId: string, nineCharacterId: string | null): void;
  /** Updates the columns of a Site, if one differs. */
  update(site: number, identification: SiteIdentification): void;
  /** Marks a Site as retired. @param at null to take the mark away */
  setRetired(site: number, at: string | null): void;
  /** Remembers an id that a Site no longer has. */
  addFormerId(formerId: string, site: number, at: string): void;
  /** Forgets a former id, because a Site has it. */
  dropFormerId(formerId: string): void;
  /** Saves a summary, if it differs. */
  saveSummary(summary: SummaryRow): void;
}

/** A log on record. */
export interface RecordedLog extends CurrentLog {
  id: number;
  sha256: string;
  withdrawnAt: string | null;
  supersededAt: string | null;
}

/** A new row of `site_log`. */
export interface NewLog {
  site_id: number;
  name: string;
  sha256: string;
  form: string;
  date_prepared: string | null;
  imported_at: string;
  superseded_at: string | null;
  original: Uint8Array;
}

/** The columns line, level, message and text of a finding. */
export type FindingRow = [line: number, level: string, message: string, text: string];

/** The site logs and their findings. */
export interface LogTable {
  /** All logs of a Site, in the order of their ids. */
  ofSite(site: number): RecordedLog[];
  /** The number of the current log of a Site; undefined if it has none. */
  currentOf(site: number): number | undefined;
  /** The bytes of a log. */
  originalOf(log: number): Uint8Array;
  /** Adds a log, and returns its number. */
  add(row: NewLog): number;
  /** Marks the current log of a Site, if there is one, as superseded. */
  supersedeCurrent(site: number, at: string): void;
  /** Takes that mark away. */
  revive(log: number): void;
  /** Marks a log as withdrawn. @param at null to take the mark away */
  setWithdrawn(log: number, at: string | null): void;
  /** The findings of a log, in order. */
  findingsOf(log: number): FindingRow[];
  /** Replaces the findings of a log. */
  replaceFindings(log: number, findings: FindingRow[]): void;
}

/** A Setup on record, as far as it is compared. */
export interface RecordedSetup {
  id: number;
  effective_from: string;
  effective_to: string | null;
  equipment_in_use: string;
  written_by: number | null;
}

/** A new row of `setup`. */
export interface NewSetup extends Omit<RecordedSetup, 'id'> {
  site_id: number;
  site_log_id: number;
  recorded_at: string;
  checksum: number;
}

/** The Setups. */
export interface SetupTable {
  /** The Setups of a Site that have not been superseded. */
  validOf(site: number): RecordedSetup[];
  /** The effective periods of these. */
  periodsOf(site: number): Omit<RecordedSetup, 'equipment_in_use' | 'written_by'>[];
  add(row: NewSetup): void;
  supersede(id: number, at: string): void;
}

/** A device on record. */
export interface RecordedDevice {
  id: number;
  equipment_type: string;
  type: string | null;
  serial_number: string | null;
  document: string;
}

/** A new row of `equipment`. */
export interface NewDevice extends Omit<RecordedDevice, 'id'> {
  identity: string;
  /** The text to search, folded. */
  search_text: string;
  checksum: number;
  written_by: number;
}

/** The members of a device that can change. */
export type DeviceTexts = Pick<NewDevice, 'document' | 'search_text' | 'checksum' | 'written_by'>;

/** An installation on record, with the key of its device. */
export interface RecordedInstallation {
  id: number;
  equipment_id: number;
  identity: string;
  period_from: string;
  period_to: string | null;
  configuration: string;
}

/** A new row of `installation`. */
export interface NewInstallation extends Omit<RecordedInstallation, 'id' | 'identity'> {
  site_id: number;
  site_log_id: number;
  recorded_at: string;
  checksum: number;
}

/** The devices and their installations. */
export interface DeviceTable {
  /** A device by its key; undefined if there is none. */
  find(identity: string): RecordedDevice | undefined;
  /** Adds a device, and returns its number. */
  add(row: NewDevice): number;
  /** Changes the texts of a device, and its mark. */
  update(device: number, row: DeviceTexts): void;
  /** The installations at a Site that have not been superseded. */
  installedAt(site: number): RecordedInstallation[];
  addInstallation(row: NewInstallation): void;
  supersedeInstallation(id: number, at: string): void;
  /** Saves the state of a device that nobody else can have installed. */
  setNewState(device: number, inUse: boolean): void;
  /** Finds out, and saves, whether a device whose installations changed is listed, in use, and in conflict. */
  refreshState(device: number): void;
}

/** A new row of `change`. */
export interface NewChange {
  site_id: number;
  at: string;
  equipment_type: string;
  kind_position: number;
  recorded_at: string;
  document: string;
  checksum: number;
}

/** The changes. */
export interface ChangeTable {
  /** The changes of a Site that have not been superseded. */
  validOf(site: number): { id: number; document: string }[];
  /** The ids of these. */
  idsOf(site: number): number[];
  /** The document of one of these, or of one that was superseded in this transaction. */
  documentOf(id: number): string;
  /** Adds a change, and returns its id. */
  add(row: NewChange): number;
  /** Supersedes a change, which then is part of no gap. */
  supersede(id: number, at: string): void;
  /**
   * Saves the gap that a change begins or ends, if it differs.
   * @param counterpart the change at the other end; null for none
   * @param seconds the length of the gap that the change ends; null if it ends none
   */
  saveGap(id: number, counterpart: number | null, seconds: number | null): void;
}

/** A row of `feed`. */
export type FeedRow = { [Column in keyof RowOf<'feed'>]: NonNullable<RowOf<'feed'>[Column]> };

/** The feed. */
export interface FeedTable {
  add(row: FeedRow): void;
}

/** The persons whom logs name as contacts. */
export interface PersonTable {
  /** Adds those that are not on record. The remarks of other logs are searched for them later. */
  add(names: string[]): void;
}

/** The journal. */
export interface JournalTable {
  /** Adds an event that has just happened, and returns its number. */
  add(event: Event): number;
}
