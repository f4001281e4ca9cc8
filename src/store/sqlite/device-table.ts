import type { Database, Statement } from 'better-sqlite3';
import { type DeviceState, stateOf, type Stay } from '../saving/save-devices.js';
import type { DeviceTable, DeviceTexts, NewDevice, NewInstallation, RecordedDevice, RecordedInstallation } from '../saving/tables.js';

const VALID = 'SELECT * FROM installation WHERE equipment_id = ? AND superseded_at IS NULL';

/** The devices and their installations in a SQLite file, within the transaction of the caller. */
export class SqliteDeviceTable implements DeviceTable {
  private readonly byIdentity: Statement<[string], RecordedDevice>;
  private readonly insert: Statement<[NewDevice], number>;
  private readonly updateText: Statement<[string, string, number, number]>;
  private readonly mark: Statement<[number, number]>;
  private readonly hasSerialNumber: Statement<[number], number>;
  private readonly installed: Statement<[number], number>;
  private readonly inUse: Statement<[number], number>;
  private readonly stays: Statement<[number], Stay>;
  private readonly list: Statement<[number, number, number, number]>;
  private readonly recorded: Statement<[number], Omit<RecordedInstallation, 'identity'>>;
  private readonly identityOf: Statement<[number], string>;
  private readonly insertInstallation: Statement<[NewInstallation]>;
  private readonly supersede: Statement<[string, number]>;

  constructor(db: Database) {
    this.byIdentity = db.prepare('SELECT id, equipment_type, type, serial_number, document FROM equipment WHERE identity = ?');
    this.insert = db
      .prepare<[NewDevice], number>(
        `INSERT INTO equipment (identity, equipment_type, type, serial_number, document, search_text, checksum, written_by)
         VALUES (:identity, :equipment_type, :type, :serial_number, :document, :search_text, :checksum, :written_by) RETURNING id`,
      )
      .pluck();
    this.updateText = db.prepare('UPDATE equipment SET document = ?, search_text = ?, checksum = ? WHERE id = ?');
    this.mark = db.prepare('UPDATE equipment SET written_by = ? WHERE id = ?');
    this.hasSerialNumber = db.prepare<[number], number>('SELECT serial_number IS NOT NULL FROM equipment WHERE id = ?').pluck();
    this.installed = db.prepare<[number], number>(`SELECT EXISTS (${VALID})`).pluck();
    this.inUse = db.prepare<[number], number>(`SELECT EXISTS (${VALID} AND period_to IS NULL)`).pluck();
    this.stays = db.prepare(`SELECT site_id AS site, period_from AS "from", period_to AS "to" FROM (${VALID}) ORDER BY period_from`);
    this.list = db.prepare('UPDATE equipment SET listed = ?, in_use = ?, conflicting = ? WHERE id = ?');
    this.recorded = db.prepare(
      'SELECT id, equipment_id, period_from, period_to, configuration FROM installation WHERE site_id = ? AND superseded_at IS NULL',
    );
    this.identityOf = db.prepare<[number], string>('SELECT identity FROM equipment WHERE id = ?').pluck();
    this.insertInstallation = db.prepare(
      `INSERT INTO installation (site_id, equipment_id, site_log_id, period_from, period_to, recorded_at, configuration, checksum)
       VALUES (:site_id, :equipment_id, :site_log_id, :period_from, :period_to, :recorded_at, :configuration, :checksum)`,
    );
    this.supersede = db.prepare('UPDATE installation SET superseded_at = ? WHERE id = ?');
  }

  find(identity: string): RecordedDevice | undefined {
    return this.byIdentity.get(identity);
  }

  add(row: NewDevice): number {
    return this.insert.get(row)!;
  }

  update(device: number, { document, search_text, checksum, written_by }: DeviceTexts): void {
    this.updateText.run(document, search_text, checksum, device);
    // A trigger removes the mark with the old text.
    this.mark.run(written_by, device);
  }

  /** No join, for the reason given at {@link refreshState}. */
  installedAt(site: number): RecordedInstallation[] {
    return this.recorded.all(site).map((row) => ({ ...row, identity: this.identityOf.get(row.equipment_id)! }));
  }

  addInstallation(row: NewInstallation): void {
    this.insertInstallation.run(row);
  }

  supersedeInstallation(id: number, at: string): void {
    this.supersede.run(at, id);
  }

  setNewState(device: number, inUse: boolean): void {
    this.setState(device, { listed: 1, in_use: Number(inUse), conflicting: 0 });
  }

  /**
   * Each statement reads one table: SQLite parses a statement with a join again at every call, which took a third of the
   * time of an import.
   */
  refreshState(device: number): void {
    if (this.hasSerialNumber.get(device) === 0) {
      // Such a device can be at thousands of Sites: an internal clock is one.
      this.setState(device, { listed: this.installed.get(device)!, in_use: this.inUse.get(device)!, conflicting: 0 });
    } else this.setState(device, stateOf(this.stays.all(device)));
  }

  private setState(device: number, { listed, in_use, conflicting }: DeviceState): void {
    this.list.run(listed, in_use, conflicting, device);
  }
}
