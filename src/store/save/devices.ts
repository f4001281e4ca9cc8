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
import { type LoadedRow, type Saving, validRows } from './loaded-rows.js';
import type { Stay, UnitOfWork } from './unit-of-work.js';

type Device = LoadedRow<'equipment'>;

/** The columns of a device that follow from its identity. */
export const describe = (
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

/** The satellite systems in a configuration; null if they are unknown, or if it is of no receiver. */
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
  const keyOf = (
    key: string,
    row: Pick<(typeof derived)[number], 'period_from' | 'period_to' | 'systems' | 'configuration'>,
  ): string =>
    JSON.stringify([key, row.period_from, row.period_to, row.systems, row.configuration]);
  const { added, superseded, same } = compareRows(
    validRows(unit.installations, site),
    derived,
    (row) => keyOf(unit.devices.get(row.equipment_id).identity, row),
    (row) => keyOf(row.key, row),
  );
  for (const { device, key, ...content } of added) {
    const id = deviceId(unit, key, device);
    const times = { recorded_at: recordedAt, superseded_at: null };
    unit.installations.add({
      site_id: site,
      equipment_id: id,
      site_log_id: log,
      ...times,
      ...content,
    });
    unit.staleDevices.add(id);
  }
  for (const row of superseded) {
    unit.installations.change(row, { superseded_at: recordedAt });
    unit.staleDevices.add(row.equipment_id);
  }
  for (const [row, { identity, type }] of same) {
    if (row.identity !== identity) unit.installations.change(row, { identity, type });
    else if (!isNewLog) continue;
    // Which log is the newest that has the device may be another one now.
    unit.staleDevices.add(row.equipment_id);
  }
}

/** The number of a device, which is added if it is not on record. */
function deviceId(unit: UnitOfWork, key: string, { identity }: DerivedDevice): number {
  const known = unit.deviceIds.get(key);
  if (known !== undefined) return known;
  const { id } = unit.devices.add({
    ...describe(identity),
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
function staysHere(unit: UnitOfWork): Map<number, Stay[]> {
  const current = unit.logs.filter(({ superseded_at }) => superseded_at === null);
  const logs = new Map(
    current.map(({ site_id, id, date_prepared }) => [
      site_id,
      { log: id, datePrepared: date_prepared },
    ]),
  );
  const stays = unit.installations
    .filter(
      ({ superseded_at, equipment_id }) =>
        superseded_at === null && unit.staleDevices.has(equipment_id),
    )
    .map(({ equipment_id, site_id, period_from, period_to, identity }) => ({
      ...{ device: equipment_id, site: site_id, from: period_from, to: period_to, identity },
      ...logs.get(site_id)!,
    }));
  return Map.groupBy(stays, ({ device }) => device);
}

/**
 * Whether the log of one stay is newer than that of another one: by Date Prepared, then by the
 * order of import.
 */
const isNewer = (one: Stay, other: Stay): boolean => {
  const [a, b] = [one.datePrepared ?? '', other.datePrepared ?? ''];
  return a === b ? one.log > other.log : a > b;
};

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
    if (isUbiquitous(device)) {
      const { listed, in_use } = unit.elsewhere.get(id) ?? { listed: 0, in_use: 0 };
      unit.devices.change(device, {
        listed: own.length > 0 ? 1 : listed,
        in_use: own.some(({ to }) => to === null) ? 1 : in_use,
        conflicting: 0,
      });
      continue;
    }
    const stays = [...(unit.stays.get(id) ?? []), ...own].sort((a, b) =>
      a.from === b.from ? 0 : a.from < b.from ? -1 : 1,
    );
    const newest = stays.reduce<Stay | undefined>(
      (best, stay) => (best === undefined || isNewer(stay, best) ? stay : best),
      undefined,
    );
    const identities = stays
      .filter(({ log }) => log === newest?.log)
      .map((stay) => JSON.parse(stay.identity) as Identity);
    unit.devices.change(device, {
      ...(newest !== undefined && describe(identities.reduce(mergeIdentities))),
      listed: Number(stays.length > 0),
      in_use: Number(stays.some(({ to }) => to === null)),
      conflicting: Number(
        device.serial_number !== null &&
          areInConflict(
            stays.map(({ site: siteId, from, to }) => ({
              siteId,
              period: periodOf({ period_from: from, period_to: to }),
            })),
          ),
      ),
    });
  }
}

const counted = ({ equipment_type: equipmentType, type, ...row }: Device): CountedDevice => ({
  ...{ equipmentType, type },
  ...{
    isListed: row.listed === 1,
    isInUse: row.in_use === 1,
    isConflicting: row.conflicting === 1,
  },
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
