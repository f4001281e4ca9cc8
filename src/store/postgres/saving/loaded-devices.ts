import type { DeviceState } from '../../saving/save-devices.js';
import type { DeviceTable, DeviceTexts, NewDevice, NewInstallation, RecordedDevice, RecordedInstallation } from '../../saving/tables.js';
import { type ChangeCount, LoadedRows } from './loaded-rows.js';
import type { OfSite } from './loaded-setups.js';

/** What the rules read of a device. */
export type DeviceRow = RecordedDevice & { identity: string };
/** What the rules read of an installation. */
export type InstallationRow = RecordedInstallation & OfSite;

/** Devices and their installations in memory. */
export class LoadedDevices implements DeviceTable {
  readonly rows: LoadedRows<DeviceRow, DeviceRow & NewDevice>;
  readonly installations: LoadedRows<InstallationRow, InstallationRow & NewInstallation>;
  /** The texts of devices on record that were changed, by id. */
  readonly savedTexts = new Map<number, DeviceTexts>();
  /** The states of devices that nobody else has installed, by id. */
  readonly newStates = new Map<number, DeviceState>();
  /** The devices whose state follows from all their installations. */
  readonly staleStates = new Set<number>();
  private readonly byIdentity: Map<string, DeviceRow>;

  constructor(
    recorded: { devices: DeviceRow[]; installations: InstallationRow[] },
    last: { equipment: number; installation: number },
    private readonly count: ChangeCount,
  ) {
    this.rows = new LoadedRows(recorded.devices, last.equipment, count);
    this.installations = new LoadedRows(recorded.installations, last.installation, count);
    this.byIdentity = new Map(recorded.devices.map((device) => [device.identity, device]));
  }

  find(identity: string): RecordedDevice | undefined {
    const found = this.byIdentity.get(identity);
    if (found === undefined) return undefined;
    const { id, equipment_type, type, serial_number, document } = found;
    return { id, equipment_type, type, serial_number, document };
  }

  add(row: NewDevice): number {
    const added = this.rows.add(row);
    this.byIdentity.set(row.identity, added);
    return added.id;
  }

  update(device: number, texts: DeviceTexts): void {
    const row = this.rows.get(device)!;
    Object.assign(row, texts);
    if (!this.rows.added.some(({ id }) => id === device)) this.savedTexts.set(device, texts);
    this.count.changes++;
  }

  installedAt(site: number): RecordedInstallation[] {
    return this.installations.filter(({ site_id, superseded_at }) => site_id === site && superseded_at === null);
  }

  addInstallation(row: NewInstallation): void {
    const { identity } = this.rows.get(row.equipment_id)!;
    this.installations.add({ ...row, identity, superseded_at: null });
  }

  supersedeInstallation(id: number, at: string): void {
    this.installations.change(id, { superseded_at: at });
  }

  setNewState(device: number, inUse: boolean): void {
    this.newStates.set(device, { listed: 1, in_use: Number(inUse), conflicting: 0 });
  }

  refreshState(device: number): void {
    this.newStates.delete(device);
    this.staleStates.add(device);
  }
}
