import type { Database, Statement } from 'better-sqlite3';
import { type DerivedDevice, keyAtSite, mergeIdentities } from '../../derive/devices.js';
import type { DerivedSetup } from '../../derive/setups.js';
import { documentsVersion, writeIdentity } from '../../serializers/documents.js';
import { checksumOf } from '../saving/checksums.js';
import { compareRows } from '../saving/comparison.js';
import type { Saving } from '../saving/saving.js';

/** What an installation is compared by. `identity` is the key of the device. */
interface InstallationContent {
  identity: string;
  period_from: string;
  period_to: string | null;
  configuration: string;
}
type RecordedInstallation = InstallationContent & { id: number; equipment_id: number };

const keyOf = (row: InstallationContent): string => JSON.stringify([row.identity, row.period_from, row.period_to, row.configuration]);

/** A device on record. */
interface RecordedDevice {
  id: number;
  equipment_type: string;
  type: string | null;
  serial_number: string | null;
  document: string;
}

/** Where a device has been in use, and when. */
export interface Stay {
  site: number;
  from: string;
  to: string | null;
}

const VALID = 'SELECT * FROM installation WHERE equipment_id = ? AND superseded_at IS NULL';

/** Whether stays at different Sites overlap. @param stays in the order of their starts */
export function overlap(stays: Stay[]): boolean {
  // Of the stays so far, the one that ends last. While none overlap, a stay at another Site ends after it.
  let last: Stay | null = null;
  for (const stay of stays) {
    if (last === null) last = stay;
    else if (last.site !== stay.site) {
      if (last.to === null || last.to > stay.from) return true;
      last = stay;
    } else if (last.to !== null && (stay.to === null || stay.to > last.to)) last = stay;
  }
  return false;
}

/** Writes devices and their installations, within the transaction of the caller. */
export class DeviceWriter {
  private readonly find: Statement<[string], RecordedDevice>;
  private readonly add: Statement<[string, string, string | null, string | null, string, number, number], number>;
  private readonly update: Statement<[string, number, number]>;
  private readonly mark: Statement<[number, number]>;
  private readonly hasSerialNumber: Statement<[number], number>;
  private readonly installed: Statement<[number], number>;
  private readonly inUse: Statement<[number], number>;
  private readonly stays: Statement<[number], Stay>;
  private readonly list: Statement<[number, number, number, number]>;
  private readonly recorded: Statement<[number], Omit<RecordedInstallation, 'identity'>>;
  private readonly identityOf: Statement<[number], string>;
  private readonly addInstallation: Statement<[Saving & InstallationContent & { equipment: number; checksum: number }]>;
  private readonly supersede: Statement<[string, number]>;

  constructor(db: Database) {
    this.find = db.prepare('SELECT id, equipment_type, type, serial_number, document FROM equipment WHERE identity = ?');
    this.add = db
      .prepare<[string, string, string | null, string | null, string, number, number], number>(
        'INSERT INTO equipment (identity, equipment_type, type, serial_number, document, checksum, written_by) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id',
      )
      .pluck();
    this.update = db.prepare('UPDATE equipment SET document = ?, checksum = ? WHERE id = ?');
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
    this.addInstallation = db.prepare(
      `INSERT INTO installation (site_id, equipment_id, site_log_id, period_from, period_to, recorded_at, configuration, checksum)
       VALUES (:site, :equipment, :log, :period_from, :period_to, :recordedAt, :configuration, :checksum)`,
    );
    this.supersede = db.prepare('UPDATE installation SET superseded_at = ? WHERE id = ?');
  }

  /**
   * Saves the devices of a log and their installations.
   * @param newSetups the Setups that the log added; only these can change what is on record about their devices
   */
  save(saving: Saving, devices: DerivedDevice[], newSetups: DerivedSetup[]): void {
    const derived = devices.flatMap((device) =>
      device.inUse.map(({ content: { period, configuration } }) => ({
        device,
        identity: keyAtSite(device, saving.site),
        period_from: period.from,
        period_to: period.to,
        configuration: JSON.stringify(configuration),
      })),
    );
    const { added, superseded } = compareRows(this.recordedAt(saving.site), derived, keyOf);
    const newItems = new Set(newSetups.flatMap(({ equipmentInUse }) => equipmentInUse));
    const newlyInstalled = new Set(added.map(({ device }) => device));
    const ids = new Map(
      devices
        .filter((device) => newlyInstalled.has(device) || device.inUse.some((item) => newItems.has(item)))
        .map((device) => [device, this.saveDevice(keyAtSite(device, saving.site), device)]),
    );
    const idOf = ({ device }: (typeof derived)[number]): number => ids.get(device)!.id;
    const { site, log, recordedAt } = saving;
    for (const { device, ...content } of added) {
      const equipment = ids.get(device)!.id;
      const { period_from, period_to, configuration } = content;
      const checksum = checksumOf([site, equipment, log, period_from, period_to, recordedAt, configuration]);
      this.addInstallation.run({ ...saving, ...content, equipment, checksum });
    }
    for (const { id } of superseded) this.supersede.run(saving.recordedAt, id);
    const found = new Set([...added.map(idOf), ...superseded.map(({ equipment_id }) => equipment_id)]);
    for (const [{ inUse }, { id, isNew }] of ids) {
      // Nobody else can have installed a new device.
      if (isNew && found.delete(id)) this.list.run(1, Number(inUse.some(({ content }) => content.period.to === null)), 0, id);
    }
    for (const id of found) this.saveState(id);
  }

  /** The valid installations at a Site. No join, for the reason given at {@link saveState}. */
  private recordedAt(site: number): RecordedInstallation[] {
    return this.recorded.all(site).map((row) => ({ ...row, identity: this.identityOf.get(row.equipment_id)! }));
  }

  /**
   * Saves whether a device is listed, in use, and in conflict. Each statement reads one table: SQLite parses a statement
   * with a join again at every call, which took a third of the time of an import.
   */
  saveState(id: number): void {
    if (this.hasSerialNumber.get(id) === 0) {
      // Such a device can be at thousands of Sites: an internal clock is one.
      this.list.run(this.installed.get(id)!, this.inUse.get(id)!, 0, id);
      return;
    }
    const stays = this.stays.all(id);
    this.list.run(Number(stays.length > 0), Number(stays.some(({ to }) => to === null)), Number(overlap(stays)), id);
  }

  /** Saves a device and returns its id, and whether it is new. Known values replace those of earlier logs; blank ones do not. */
  private saveDevice(key: string, { identity }: DerivedDevice): { id: number; isNew: boolean } {
    const recorded = this.find.get(key);
    if (recorded === undefined) {
      const { equipmentType, type, serialNumber } = identity;
      const values = [key, equipmentType, type, serialNumber, writeIdentity(identity)] as const;
      return { id: this.add.get(...values, checksumOf(values), documentsVersion())!, isNew: true };
    }
    const document = writeIdentity(mergeIdentities(JSON.parse(recorded.document) as DerivedDevice['identity'], identity));
    if (document !== recorded.document) {
      // A trigger removes the mark with the old text.
      const { equipment_type, type, serial_number } = recorded;
      this.update.run(document, checksumOf([key, equipment_type, type, serial_number, document]), recorded.id);
      this.mark.run(documentsVersion(), recorded.id);
    }
    return { id: recorded.id, isNew: false };
  }
}
