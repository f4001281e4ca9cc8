import {
  areOneStation,
  type DescribedStation,
  isStationDevice,
  type Station,
  stationOf,
} from '../../derive/stations.js';
import { pointOf } from '../../requests/place.js';
import type { SiteLog } from '../../site-log/site-log.js';
import { type LoadedRow, validRows } from './loaded-rows.js';
import { currentLog, logsOf } from './logs.js';
import type { UnitOfWork } from './unit-of-work.js';

/** What is on record about the stations of Sites. */

type SiteRow = LoadedRow<'site'>;

function toStation(site: SiteRow, devices: readonly string[]): Station {
  const { country, country_code, domes_number: domesNumber } = site;
  return {
    country,
    countryCode: country_code,
    place: pointOf(site),
    domesNumber,
    devices: new Set(devices.filter(isStationDevice)),
  };
}

const stationOnRecord = (unit: UnitOfWork, site: SiteRow): Station =>
  toStation(
    site,
    validRows(unit.installations, site.id).map(
      ({ equipment_id }) => unit.devices.get(equipment_id).identity,
    ),
  );

/** The station of a Site by its current log; null if none is in force. */
export function recordedStation(unit: UnitOfWork, site: SiteRow): DescribedStation | null {
  const log = currentLog(logsOf(unit, site.id));
  if (log === undefined || log.withdrawn_at !== null) return null;
  return { name: log.name, station: stationOnRecord(unit, site) };
}

/**
 * The Site, on record before another one, that is probably the station of this one's log; undefined
 * if there is none.
 * @param before the number of the other one
 */
export function sameStationBefore(
  unit: UnitOfWork,
  log: SiteLog,
  before: number,
): SiteRow | undefined {
  const station = stationOf(log);
  if (station.domesNumber === null) return undefined;
  const earlier = (site: SiteRow): boolean =>
    site.id < before && site.retired_at === null && site.domes_number === station.domesNumber;
  const own = unit.sites.filter(earlier).map((site) => ({
    site,
    station: stationOnRecord(unit, site),
  }));
  const others = unit.namesakes
    .filter(({ site }) => earlier(site))
    .map(({ site, devices }) => ({ site, station: toStation(site, devices) }));
  return [...own, ...others].find((each) => areOneStation(station, each.station))?.site;
}
