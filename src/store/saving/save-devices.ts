import type { InstalledEquipment } from '../../../schemas/index.js';
import { type DerivedDevice, type Identity, keyAtSite, mergeIdentities } from '../../derive/devices.js';
import type { DerivedRecord } from '../../derive/record.js';
import type { DerivedSetup } from '../../derive/setups.js';
import { searchTextOf } from '../../derive/summary.js';
import { documentsVersion, writeIdentity } from '../../serializers/documents.js';
import { UNKNOWN_START } from '../columns.js';
import { checksumOfRow } from './checksums.js';
import { compareRows } from './comparison.js';
import type { Saving } from './saving.js';
import type { DeviceTable, RecordedInstallation } from './tables.js';

/** What an installation is compared by. */
type InstallationContent = Pick<RecordedInstallation, 'identity' | 'period_from' | 'period_to' | 'configuration'>;
const keyOf = (row: InstallationContent): string => JSON.stringify([row.identity, row.period_from, row.period_to, row.configuration]);

/** Where a device has been in use, and when. */
export interface Stay {
  site: number;
  from: string;
  to: string | null;
}

/** Whether a device is listed, in use, and in conflict: 1 if so, otherwise 0. */
export interface DeviceState {
  listed: number;
  in_use: number;
  conflicting: number;
}

/**
 * Whether stays at different Sites overlap. One with an unknown start overlaps nothing: where the device was before is unknown.
 * @param stays in the order of their starts
 */
export function overlap(stays: Stay[]): boolean {
  // Of the stays so far, the one that ends last. While none overlap, a stay at another Site ends after it.
  let last: Stay | null = null;
  for (const stay of stays.filter(({ from }) => from !== UNKNOWN_START)) {
    if (last === null) last = stay;
    else if (last.site !== stay.site) {
      if (last.to === null || last.to > stay.from) return true;
      last = stay;
    } else if (last.to !== null && (stay.to === null || stay.to > last.to)) last = stay;
  }
  return false;
}

/** The state of a device with a serial number. @param stays all that are on record, in the order of their starts */
export const stateOf = (stays: Stay[]): DeviceState => ({
  listed: Number(stays.length > 0),
  in_use: Number(stays.some(({ to }) => to === null)),
  conflicting: Number(overlap(stays)),
});

/** What a log says about devices, and which parts of it are new. */
export interface DevicesToSave extends Pick<DerivedRecord, 'devices' | 'instruments'> {
  /** The Setups that the log added; only these can change what is on record about their devices. */
  newSetups: DerivedSetup[];
  /** Whether the record came from another log before. Only then can the log change what is on record about its instruments. */
  isNewLog: boolean;
}

/** Saves the devices of a log and their installations. */
export function saveDevices(table: DeviceTable, saving: Saving, { devices, instruments, newSetups, isNewLog }: DevicesToSave): void {
  const newItems = new Set<InstalledEquipment>(newSetups.flatMap(({ equipmentInUse }) => equipmentInUse));
  const changing = new Set(isNewLog ? instruments : []);
  for (const device of devices) if (device.inUse.some((item) => newItems.has(item))) changing.add(device);
  const all = [...devices, ...instruments];
  const derived = all.flatMap((device) =>
    device.inUse.map(({ content: { period, configuration } }) => ({
      device,
      identity: keyAtSite(device, saving.site),
      period_from: period.from ?? UNKNOWN_START,
      period_to: period.to,
      configuration: JSON.stringify(configuration),
    })),
  );
  const { added, superseded } = compareRows(table.installedAt(saving.site), derived, keyOf);
  const newlyInstalled = new Set(added.map(({ device }) => device));
  const ids = new Map(
    all
      .filter((device) => newlyInstalled.has(device) || changing.has(device))
      .map((device) => [device, saveDevice(table, keyAtSite(device, saving.site), device)]),
  );
  const idOf = ({ device }: (typeof derived)[number]): number => ids.get(device)!.id;
  const { site, log, recordedAt } = saving;
  for (const { device, identity: _, ...content } of added) {
    const row = { site_id: site, equipment_id: ids.get(device)!.id, site_log_id: log, recorded_at: recordedAt, ...content };
    table.addInstallation({ ...row, checksum: checksumOfRow('installation', row) });
  }
  for (const { id } of superseded) table.supersedeInstallation(id, recordedAt);
  const found = new Set([...added.map(idOf), ...superseded.map(({ equipment_id }) => equipment_id)]);
  for (const [{ inUse }, { id, isNew }] of ids) {
    // Nobody else can have installed a new device.
    if (isNew && found.delete(id))
      table.setNewState(
        id,
        inUse.some(({ content }) => content.period.to === null),
      );
  }
  for (const id of found) table.refreshState(id);
}

/** Saves a device and returns its id, and whether it is new. Known values replace those of earlier logs; blank ones do not. */
function saveDevice(table: DeviceTable, key: string, { identity }: DerivedDevice): { id: number; isNew: boolean } {
  const recorded = table.find(key);
  if (recorded === undefined) {
    const { equipmentType: equipment_type, type, serialNumber: serial_number } = identity;
    const row = { identity: key, equipment_type, type, serial_number, document: writeIdentity(identity) };
    const derived = { search_text: searchTextOf(identity), checksum: checksumOfRow('equipment', row), written_by: documentsVersion() };
    return { id: table.add({ ...row, ...derived }), isNew: true };
  }
  const { id, ...row } = recorded;
  const merged = mergeIdentities(JSON.parse(row.document) as Identity, identity);
  const document = writeIdentity(merged);
  if (document !== row.document) {
    const checksum = checksumOfRow('equipment', { ...row, identity: key, document });
    table.update(id, { document, search_text: searchTextOf(merged), checksum, written_by: documentsVersion() });
  }
  return { id, isNew: false };
}
