import {
  type CountedDevice,
  deriveCountChanges,
  type TypeCount,
  type UseOfType,
} from '../../derive/type-counts.js';
import { areInConflict } from '../../derive/conflicts.js';
import {
  comparableSerialNumber,
  type DerivedDevice,
  type Identity,
  keyAtSite,
  mergeIdentities,
} from '../../derive/devices.js';
import type { DerivedRecord } from '../../derive/record.js';
import { searchTextOf } from '../../derive/summary.js';
import { writeIdentity } from '../../serializers/documents.js';
import { periodOf } from '../read/devices/installations.js';
import { UNKNOWN_START } from '../schema.js';
import { compareRows } from '../../derive/comparison.js';
import { compareTexts } from '../../words.js';
import { type LoadedRow, type Saving, validRows } from './loaded-rows.js';
import type { DeviceStay, UnitOfWork } from './unit-of-work.js';

type Device = LoadedRow<'equipment'>;

/** The columns of a device that follow from its identity. */
const identityColumns = (
  identity: Identity,
): Omit<Device, 'id' | 'identity' | 'listed' | 'in_use' | 'conflicting'> => ({
  equipment_type: identity.equipmentType,
  type: identity.type,
  serial_number: identity.serialNumber,
  serial_key: identity.serialNumber && comparableSerialNumber(identity.serialNumber),
  manufacturer: identity.manufacturer,
  aspiration: 'aspiration' in identity ? identity.aspiration : null,
  document: writeIdentity(identity),
  search_text: searchTextOf(identity),
});

/** The satellite systems in the configuration of a receiver; null if unknown, and for others. */
const systemsOf = (
  configuration: DerivedDevice['inUse'][number]['content']['configuration'],
): string | null => ('satelliteSystem' in configuration ? configuration.satelliteSystem : null);

/**
 * Saves the devices of a log and their installations.
 * @param isNewLog whether the record came from another log before
 */
export function saveDevices(
  unit: UnitOfWork,
  { site, log, recordedAt }: Saving,
  { devices, instruments }: Pick<DerivedRecord, 'devices' | 'instruments'>,
  isNewLog: boolean,
): void {
  const derived = [...devices, ...instruments].flatMap((device) => {
    const key = keyAtSite(device, site);
    return device.inUse.map(({ content: { id, period, configuration } }) => ({
      device,
      key,
      identity: writeIdentity(id),
      equipment_type: id.equipmentType,
      type: id.type,
      period_from: period.from ?? UNKNOWN_START,
      period_to: period.to,
      systems: systemsOf(configuration),
      configuration: JSON.stringify(configuration),
    }));
  });
  const comparedText = (
    key: string,
    row: Pick<
      (typeof derived)[number],
      'identity' | 'period_from' | 'period_to' | 'systems' | 'configuration'
    >,
  ): string => {
    const { identity, period_from, period_to, systems, configuration } = row;
    return JSON.stringify([key, identity, period_from, period_to, systems, configuration]);
  };
  const { added, superseded, same } = compareRows(
    validRows(unit.installations, site),
    derived,
    (row) => comparedText(unit.devices.get(row.equipment_id).identity, row),
    (row) => comparedText(row.key, row),
  );
  for (const { device, key, ...content } of added) {
    const id = deviceId(unit, key, device);
    unit.installations.add({
      site_id: site,
      equipment_id: id,
      site_log_id: log,
      recorded_at: recordedAt,
      superseded_at: null,
      ...content,
    });
    unit.staleDevices.add(id);
  }
  for (const row of superseded) {
    unit.installations.change(row, { superseded_at: recordedAt });
    unit.staleDevices.add(row.equipment_id);
  }
  // Which log is the newest that has the device may be another one now.
  if (isNewLog) for (const [row] of same) unit.staleDevices.add(row.equipment_id);
}

/** The number of a device, which is added if it is not on record. */
function deviceId(unit: UnitOfWork, key: string, { identity }: DerivedDevice): number {
  const known = unit.deviceIds.get(key);
  if (known !== undefined) return known;
  const { id } = unit.devices.add({
    ...identityColumns(identity),
    identity: key,
    listed: 0,
    in_use: 0,
    conflicting: 0,
  });
  unit.deviceIds.set(key, id);
  return id;
}

/**
 * Whether a device may be at thousands of Sites: an internal clock is one. All such devices of a
 * type are alike.
 */
export const isUbiquitous = ({
  equipment_type,
  serial_number,
}: Pick<Device, 'equipment_type' | 'serial_number'>): boolean =>
  equipment_type === 'clock' && serial_number === null;

/**
 * Where the loaded installations say that each device has been, at the Sites of this unit of work.
 */
function staysHere(unit: UnitOfWork): Map<number, DeviceStay[]> {
  const current = unit.logs.filter(({ superseded_at }) => superseded_at === null);
  const currentLogs = new Map(current.map((log) => [log.site_id, log]));
  const installations = unit.installations.filter(
    ({ superseded_at, equipment_id }) =>
      superseded_at === null && unit.staleDevices.has(equipment_id),
  );
  const stays = installations.map((row): DeviceStay => {
    const log = currentLogs.get(row.site_id)!;
    return {
      device: row.equipment_id,
      site: row.site_id,
      from: row.period_from,
      to: row.period_to,
      identity: row.identity,
      datePrepared: log.date_prepared,
      log: log.id,
    };
  });
  return Map.groupBy(stays, ({ device }) => device);
}

/**
 * Whether the log of one stay is newer than that of another one: by Date Prepared, then by the
 * order of import.
 */
const isNewer = (one: DeviceStay, other: DeviceStay): boolean => {
  const date = one.datePrepared ?? '';
  const otherDate = other.datePrepared ?? '';
  return date === otherDate ? one.log > other.log : date > otherDate;
};

/** The first stay of the newest log; undefined if there is no stay. */
function newestOf(stays: readonly DeviceStay[]): DeviceStay | undefined {
  let newest: DeviceStay | undefined;
  for (const stay of stays) if (newest === undefined || isNewer(stay, newest)) newest = stay;
  return newest;
}

/** Sorts stays by their start; those of the same start stay in their order. */
const compareStarts = (one: DeviceStay, other: DeviceStay): number =>
  compareTexts(one.from, other.from);

/**
 * Whether a device is at two Sites at the same time. A device without a serial number stands for
 * many.
 */
const isConflicting = (device: Device, stays: readonly DeviceStay[]): boolean =>
  device.serial_number !== null &&
  areInConflict(
    stays.map(({ site, from, to }) => ({
      siteId: site,
      period: periodOf({ period_from: from, period_to: to }),
    })),
  );

/**
 * The state of a device such as an internal clock, by the installations in this unit of work and
 * elsewhere.
 */
function stateOfUbiquitous(
  { elsewhere }: UnitOfWork,
  { id }: Device,
  own: readonly DeviceStay[],
): Partial<Device> {
  const others = elsewhere.get(id) ?? { listed: 0, in_use: 0 };
  return {
    listed: own.length > 0 ? 1 : others.listed,
    in_use: own.some(({ to }) => to === null) ? 1 : others.in_use,
    conflicting: 0,
  };
}

/** The state of a device by all its stays. @param stays in chronological order */
function stateOf(device: Device, stays: readonly DeviceStay[]): Partial<Device> {
  const state: Partial<Device> = {
    listed: Number(stays.length > 0),
    in_use: Number(stays.some(({ to }) => to === null)),
    conflicting: Number(isConflicting(device, stays)),
  };
  const newest = newestOf(stays);
  if (newest !== undefined) {
    const identities = stays
      .filter(({ log }) => log === newest.log)
      .map(({ identity }) => JSON.parse(identity) as Identity);
    Object.assign(state, identityColumns(identities.reduce(mergeIdentities)));
  }
  return state;
}

/**
 * Brings the state of the devices up to date whose installations changed: whether they are listed,
 * in use, and in conflict; and what the newest current log says about them. A device that no
 * current log has keeps its values: no answer shows it until a log has it again.
 */
export function refreshDevices(unit: UnitOfWork): void {
  const here = staysHere(unit);
  for (const id of unit.staleDevices) {
    const device = unit.devices.get(id);
    const own = here.get(id) ?? [];
    const stays = [...(unit.stays.get(id) ?? []), ...own].sort(compareStarts);
    const state = isUbiquitous(device)
      ? stateOfUbiquitous(unit, device, own)
      : stateOf(device, stays);
    unit.devices.change(device, state);
  }
}

const counted = (device: Device): CountedDevice => ({
  equipmentType: device.equipment_type,
  type: device.type,
  isListed: device.listed === 1,
  isInUse: device.in_use === 1,
  isConflicting: device.conflicting === 1,
});

const usesOf = (rows: LoadedRow<'installation'>[]): UseOfType[] =>
  rows.map(({ site_id: siteId, equipment_type: equipmentType, type }) => ({
    siteId,
    equipmentType,
    type,
  }));

/** By how much the counts of each type have changed. */
export function changedCounts({
  countedBefore,
  staleDevices,
  devices,
  installations,
}: UnitOfWork): TypeCount[] {
  const ids = [...staleDevices];
  return deriveCountChanges(
    {
      devices: ids.flatMap((id) => countedBefore.devices.get(id) ?? []).map(counted),
      uses: usesOf(countedBefore.installations),
    },
    {
      devices: ids.map((id) => counted(devices.get(id))),
      uses: usesOf(installations.filter(({ superseded_at }) => superseded_at === null)),
    },
  );
}
