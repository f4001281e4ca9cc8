import type { Database } from 'better-sqlite3';
import type { DerivedRecord } from '../../derive/record.js';
import { ChangeWriter } from './change-writer.js';
import { DeviceWriter } from './device-writer.js';
import type { Saving } from '../saving/saving.js';
import { type SavedSetups, SetupWriter } from './setup-writer.js';
import { SiteWriter } from './site-writer.js';

/** Writes what is derived from the current log of a Site, within the transaction of the caller. */
export class RecordWriter {
  private readonly setups: SetupWriter;
  private readonly devices: DeviceWriter;
  private readonly changes: ChangeWriter;
  private readonly sites: SiteWriter;

  constructor(db: Database) {
    this.setups = new SetupWriter(db);
    this.devices = new DeviceWriter(db);
    this.changes = new ChangeWriter(db);
    this.sites = new SiteWriter(db);
  }

  /** Saves what a log says. What the record says otherwise is superseded. */
  save(saving: Saving, { setups, changes, devices, summary }: DerivedRecord): SavedSetups {
    const saved = this.setups.save(saving, setups);
    this.devices.save(saving, devices, saved.added);
    this.changes.save(saving, changes);
    this.sites.saveSummary(saving.site, summary);
    return saved;
  }

  /** Supersedes all that is on record about a Site. */
  supersede(saving: Saving): SavedSetups {
    const saved = this.setups.save(saving, []);
    this.devices.save(saving, [], []);
    this.changes.save(saving, []);
    return saved;
  }
}
