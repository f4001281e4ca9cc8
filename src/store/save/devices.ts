import { type DerivedDevice, type Identity, keyAtSite } from '../../derive/devices.js';
import type { DerivedRecord } from '../../derive/record.js';
import { searchTextOf } from '../../derive/summary.js';
import { writeIdentity } from '../../serializers/documents.js';
import { UNKNOWN_START } from '../schema.js';
import { compareRows } from './comparison.js';
import type { LoadedRow } from './loaded-rows.js';
import { currentLog, logsOf } from './logs.js';
import { type Saving, validRows } from './record.js';
import type { Stay, UnitOfWork } from './unit-of-work.js';

type Device = LoadedRow<'equipment'>;

/** The columns of a device that follow from its identity. */
type Described = Pick<Device, 'equipment_type' | 'type' | 'serial_number' | 'manufacturer' | 'aspiration' | 'document' | 'search_text'>;

/** The columns of a device that follow from its identity. */
export const describe = (identity: Identity): Described => ({
  equipment_type: identity.equipmentType,
  type: identity.type,
  serial_number: identity.serialNumber,
  manufacturer: identity.manufacturer,
  aspiration: 'aspiration' in identity ? identity.aspiration : null,
  document: writeIdentity(identity),
  search_text: searchTextOf(identity),
});

/** Saves the devices of a log and their installations. @param isNewLog whether the record came from another log before */
export function saveDevices(
  unit: UnitOfWork,
  { site, log, recordedAt }: Saving,
  { devices, instruments }: Pick<DerivedRecord, 'devices' | 'instruments'>,
  isNewLog: boolean,
): void {
  const derived = [...devices, ...instruments].flatMap((device) => {
    const key = keyAtSite(device, site);
    const identity = writeIdentity(device.identity);
    return device.inUse.map(({ content: { period, configuration } }) => ({
      device,
      key,
      identity,
      period_from: period.from ?? UNKNOWN_START,
      period_to: period.to,
      configuration: JSON.stringify(configuration),
    }));
  });
  const keyOf = (key: string, row: Omit<(typeof derived)[number], 'device' | 'key' | 'identity'>): string =>
    JSON.stringify([key, row.period_from, row.period_to, row.configuration]);
  const { added, superseded, same } = compareRows(
    validRows.installations(unit, site),
    derived,
    (row) => keyOf(unit.devices.get(row.equipment_id).identity, row),
    (row) => keyOf(row.key, row),
  );
  for (const { device, key, identity, ...content } of added) {
    const id = deviceId(unit, key, device);
    const times = { recorded_at: recordedAt, superseded_at: null };
    unit.installations.add({ site_id: site, equipment_id: id, site_log_id: log, ...times, ...content, identity });
    unit.staleDevices.add(id);
  }
  for (const row of superseded) {
    unit.installations.change(row, { superseded_at: recordedAt });
    unit.staleDevices.add(row.equipment_id);
  }
  for (const [row, { identity }] of same) {
    if (row.identity !== identity) unit.installations.change(row, { identity });
    else if (!isNewLog) continue;
    // Which log is the newest that has the device may be another one now.
    unit.staleDevices.add(row.equipment_id);
  }
}

/** The number of a device, which is added if it is not on record. */
function deviceId(unit: UnitOfWork, key: string, { identity }: DerivedDevice): number {
  const known = unit.deviceIds.get(key);
  if (known !== undefined) return known;
  const { id } = unit.devices.add({ ...describe(identity), identity: key, listed: 0, in_use: 0, conflicting: 0 });
  unit.deviceIds.set(key, id);
  return id;
}

/** Whether a device may be at thousands of Sites: an internal clock is one. All such devices of a type are alike. */
export const isUbiquitous = ({ equipment_type, serial_number }: Pick<Device, 'equipment_type' | 'serial_number'>): boolean =>
  equipment_type === 'clock' && serial_number === null;

/**
 * Whether stays at different Sites overlap. One with an unknown start overlaps nothing: where the device was before is unknown.
 * @param stays in the order of their starts
 */
export function overlap(stays: Pick<Stay, 'site' | 'from' | 'to'>[]): boolean {
  // Of the stays so far, the one that ends last. While none overlap, a stay at another Site ends after it.
  let last: (typeof stays)[number] | null = null;
  for (const stay of stays.filter(({ from }) => from !== UNKNOWN_START)) {
    if (last === null) last = stay;
    else if (last.site !== stay.site) {
      if (last.to === null || last.to > stay.from) return true;
      last = stay;
    } else if (last.to !== null && (stay.to === null || stay.to > last.to)) last = stay;
  }
  return false;
}

/** Where the loaded installations say that each device has been, at the Sites of this unit of work. */
function staysHere(unit: UnitOfWork): Map<number, Stay[]> {
  const logs = new Map<number, { datePrepared: string | null; log: number }>();
  const logOf = (site: number): { datePrepared: string | null; log: number } => {
    let known = logs.get(site);
    if (known === undefined) {
      const { id, date_prepared } = currentLog(logsOf(unit, site))!;
      logs.set(site, (known = { datePrepared: date_prepared, log: id }));
    }
    return known;
  };
  const stays = unit.installations
    .filter(({ superseded_at, equipment_id }) => superseded_at === null && unit.staleDevices.has(equipment_id))
    .map(({ equipment_id, site_id, period_from, period_to, identity }) => ({
      ...{ device: equipment_id, site: site_id, from: period_from, to: period_to, identity },
      ...logOf(site_id),
    }));
  return Map.groupBy(stays, ({ device }) => device);
}

/** Whether the log of one stay is newer than that of another one: by Date Prepared, then by the order of import. */
const isNewer = (one: Stay, other: Stay): boolean => {
  const [a, b] = [one.datePrepared ?? '', other.datePrepared ?? ''];
  return a === b ? one.log > other.log : a > b;
};

/**
 * Brings the state of the devices up to date whose installations changed: whether they are listed, in use, and in conflict; and what the
 * newest current log says about them. A device that no current log has keeps its values: no answer shows it until a log has it again.
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
    const stays = [...(unit.stays.get(id) ?? []), ...own].sort((a, b) => (a.from === b.from ? 0 : a.from < b.from ? -1 : 1));
    const newest = stays.reduce<Stay | undefined>((best, stay) => (best === undefined || isNewer(stay, best) ? stay : best), undefined);
    unit.devices.change(device, {
      ...(newest !== undefined && describe(JSON.parse(newest.identity) as Identity)),
      listed: Number(stays.length > 0),
      in_use: Number(stays.some(({ to }) => to === null)),
      conflicting: Number(device.serial_number !== null && overlap(stays)),
    });
  }
}

/** How many devices of a type there are, as in `equipment_type_count`. */
export interface TypeCount {
  equipment_type: string;
  type: string;
  devices: number;
  in_use: number;
  conflicts: number;
  sites: number;
}

/** By how much the counts of each type have changed. */
export function changedCounts(unit: UnitOfWork): TypeCount[] {
  const counts = new Map<string, TypeCount>();
  const add = ({ equipment_type, type }: Device, values: Partial<TypeCount>, sign: 1 | -1): void => {
    const key = `${equipment_type}\0${type ?? ''}`;
    const count = counts.get(key) ?? { equipment_type, type: type ?? '', devices: 0, in_use: 0, conflicts: 0, sites: 0 };
    counts.set(key, count);
    for (const [name, value] of Object.entries(values) as ['devices', number][]) count[name] += sign * value;
  };
  const { devices, installations } = unit.countedBefore;
  const statesOf = ({ listed, in_use, conflicting }: Device): Partial<TypeCount> => ({ devices: listed, in_use, conflicts: conflicting });
  for (const id of unit.staleDevices) {
    const before = devices.get(id);
    if (before !== undefined) add(before, statesOf(before), -1);
    add(unit.devices.get(id), statesOf(unit.devices.get(id)), 1);
  }
  const countSites = (rows: LoadedRow<'installation'>[], deviceOf: (id: number) => Device, sign: 1 | -1): void => {
    const seen = new Set<string>();
    for (const { site_id, equipment_id } of rows) {
      const device = deviceOf(equipment_id);
      const key = `${site_id}\0${device.equipment_type}\0${device.type ?? ''}`;
      // A Site counts once for a type, however many installations it has of it.
      if (!seen.has(key)) add(device, { sites: 1 }, sign);
      seen.add(key);
    }
  };
  countSites(installations, (id) => devices.get(id)!, -1);
  countSites(
    unit.installations.filter(({ superseded_at }) => superseded_at === null),
    (id) => unit.devices.get(id),
    1,
  );
  return [...counts.values()].filter(({ devices, in_use, conflicts, sites }) =>
    [devices, in_use, conflicts, sites].some((each) => each !== 0),
  );
}
