import type { CorsSite, Instant, PeriodOfUse } from '../../schemas/index.js';
import { pointOf } from '../requests/place.js';
import { siteIdText } from '../requests/site-id.js';
import { comparableValues, type Identity, identityKey } from '../derive/devices.js';
import { areAtOnce } from '../derive/periods.js';
import {
  areOneStation,
  contradictionOf,
  placeIn,
  type Station,
  stationOf,
} from '../derive/stations.js';
import { distance } from '../requests/place.js';
import { placeOf } from '../site-log/record.js';
import type { LogItem, SiteLog } from '../site-log/site-log.js';
import type { Report } from '../findings/findings.js';
import type { CheckedLog } from './checked-log.js';

/**
 * The checks of a log against the other Sites on record. Their findings are not stored, because
 * they depend on all logs.
 */

/** Two Sites that are closer than this, in metres, are at one place. */
const SAME_SPOT = 1;
/** Sites are compared within bands of latitude, in degrees; one is about 11 m high. */
const BAND = 0.0001;
/** Shorter serial numbers are not unique, even within one maker. */
const SHORTEST_SERIAL_NUMBER = 4;
/** How many letters of a type name the maker. */
const MAKER_LENGTH = 3;

/** A receiver or an antenna at a Site. */
interface InstalledDevice {
  site: CorsSite;
  device: Identity;
  period: PeriodOfUse;
}

const bandOf = (latitude: number): number => Math.floor(latitude / BAND);

/**
 * The key by which devices with one serial number meet, whatever their models: kind, maker and
 * serial number.
 */
function serialNumberKey(device: Identity): string | null {
  const { type, serialNumber } = comparableValues(device);
  if (type === null || serialNumber === null || serialNumber.length < SHORTEST_SERIAL_NUMBER)
    return null;
  return JSON.stringify([device.equipmentType, type.slice(0, MAKER_LENGTH), serialNumber]);
}

const push = <K, V>(map: Map<K, V[]>, key: K, value: V): unknown =>
  map.get(key)?.push(value) ?? map.set(key, [value]);

/** What is on record, by what the checks look for. */
export class NetworkIndex {
  private readonly byFour = new Map<string, CorsSite[]>();
  private readonly byDomes = new Map<string, CorsSite[]>();
  private readonly byBand = new Map<number, CorsSite[]>();
  private readonly byDevice = new Map<string, InstalledDevice[]>();
  /** The keys of the receivers and antennas of each Site, by its number. */
  private readonly devicesAt = new Map<number, string[]>();

  addSite(site: CorsSite): void {
    push(this.byFour, site.fourCharacterId, site);
    if (site.domesNumber !== null) push(this.byDomes, site.domesNumber, site);
    if (site.location.latitude !== null) push(this.byBand, bandOf(site.location.latitude), site);
  }

  addDevice(installed: InstalledDevice): void {
    const key = serialNumberKey(installed.device);
    if (key !== null) push(this.byDevice, key, installed);
    const device = identityKey(installed.device);
    if (device !== null) push(this.devicesAt, installed.site.id, device);
  }

  /** Checks a log against the other Sites. */
  check(checked: CheckedLog, report: Report): void {
    const same = this.checkStation(checked, report);
    this.checkFarStation(checked, report);
    this.checkIds(checked, same, report);
    this.checkPosition(checked, same, report);
    this.checkDevices(checked, same, report);
  }

  /**
   * Reports other Sites that are probably the same station; nothing else is said about these.
   * @returns these Sites
   */
  private checkStation({ log }: CheckedLog, report: Report): ReadonlySet<CorsSite> {
    const station = stationOf(log);
    const withDomes = this.byDomes.get(station.domesNumber ?? '');
    const same = othersAmong(withDomes, log).filter((site) =>
      areOneStation(station, this.stationAt(site)),
    );
    for (const site of same) {
      const id = siteIdText(site);
      report('same-station', { line: 1 }, { site: id, siteId: site.id, text: id });
    }
    return new Set(same);
  }

  /**
   * Reports that an import would reject a log, or accept it with a warning, because it is far from
   * the Site that has its four characters.
   */
  private checkFarStation({ log }: CheckedLog, report: Report): void {
    const { fourCharacterId, nineCharacterId } = log.identification;
    const sites = nineCharacterId === null ? (this.byFour.get(fourCharacterId) ?? []) : [];
    const [site] = sites;
    if (site === undefined || sites.length > 1) return;
    const station = stationOf(log);
    const recorded = this.stationAt(site);
    const contradiction = contradictionOf(station, recorded);
    if (contradiction === null) return;
    const { proof, kilometres } = contradiction;
    const places = { here: placeIn(station), there: placeIn(recorded), kilometres };
    const values = { ...places, site: siteIdText(site), other: null, text: fourCharacterId };
    if (proof === null) report('another-station', { line: 1 }, values);
    else report('moved-station', { line: 1 }, { ...values, proof });
  }

  /** What is on record about the station of a Site. */
  private stationAt({ id, domesNumber, location }: CorsSite): Station {
    const { country, countryCode } = location;
    return {
      country,
      countryCode,
      place: pointOf(location),
      domesNumber,
      devices: new Set(this.devicesAt.get(id)),
    };
  }

  /** Reports other Sites with the same four characters or DOMES number. */
  private checkIds(
    { sections, log }: CheckedLog,
    same: ReadonlySet<CorsSite>,
    report: Report,
  ): void {
    const { fourCharacterId: four, domesNumber } = log.identification;
    const { fourCharacterId, nineCharacterId, iersDOMESNumber } = sections.siteIdentification;
    const idLine = fourCharacterId?.line ?? nineCharacterId?.line ?? 1;
    for (const site of othersAmong(this.byFour.get(four), log, same)) {
      const values = { site: siteIdText(site), text: four };
      report('shared-four-characters', { line: idLine, section: '1' }, values);
    }
    if (domesNumber === null) return;
    for (const site of othersAmong(this.byDomes.get(domesNumber), log, same)) {
      const line = iersDOMESNumber?.line ?? idLine;
      const values = { site: siteIdText(site), text: domesNumber };
      report('shared-domes', { line, section: '1' }, values);
    }
  }

  /** Reports other Sites at the same place. */
  private checkPosition(
    { sections, log }: CheckedLog,
    same: ReadonlySet<CorsSite>,
    report: Report,
  ): void {
    const { latitude, longitude } = log.identification;
    if (latitude === null || longitude === null) return;
    const { siteLocation } = sections;
    const line = siteLocation.latitude?.line ?? siteLocation.x?.line ?? 1;
    const band = bandOf(latitude);
    const near = [band - 1, band, band + 1].flatMap((each) => this.byBand.get(each) ?? []);
    for (const site of othersAmong(near, log, same)) {
      const { location } = site;
      if (location.latitude === null || location.longitude === null) continue;
      const place = { latitude: location.latitude, longitude: location.longitude };
      if (distance({ latitude, longitude }, place) >= SAME_SPOT) continue;
      const values = { metres: SAME_SPOT, site: siteIdText(site) };
      report('shared-position', { line, section: '2' }, values);
    }
  }

  /**
   * Reports serial numbers that are on record at other Sites, once for each device and Site; or
   * that all of them are at one other Site, as in a copied log.
   */
  private checkDevices({ log }: CheckedLog, same: ReadonlySet<CorsSite>, report: Report): void {
    const found = log.items.flatMap((item) => this.devicesElsewhere(item, log, same));
    const copied = siteOfAll(log, found);
    if (copied !== null) {
      const count = new Set(found.map(({ key }) => key)).size;
      report('copied-equipment', { line: 1 }, { site: copied, count });
      return;
    }
    const reported = new Set<string>();
    for (const { item, key, code, there, device } of found) {
      const finding = JSON.stringify([code, key, there.site]);
      if (reported.has(finding)) continue;
      reported.add(finding);
      if (code === 'type-changed') {
        const text = `${item.id.type!} ${device.type!}`;
        report(code, placeOf(item), { ...there, text });
      } else {
        const { equipmentType: kind, serialNumber } = item.id;
        report(code, placeOf(item), { ...there, kind, text: serialNumber! });
      }
    }
  }

  /** Where an item is on record at other Sites. */
  private devicesElsewhere(
    item: LogItem,
    log: SiteLog,
    same: ReadonlySet<CorsSite>,
  ): FoundElsewhere[] {
    const key = serialNumberKey(item.id);
    const installed = key === null ? [] : (this.byDevice.get(key) ?? []);
    return installed.flatMap((each) => {
      if (!isOtherSite(each.site, log) || same.has(each.site)) return [];
      const code = foundElsewhere(item, each);
      if (code === null) return [];
      const { from, to } = each.period;
      const there = { site: siteIdText(each.site), from, to };
      return [{ item, key: key!, code, there, device: each.device }];
    });
  }
}

/** A device of a log that is on record at another Site. */
interface FoundElsewhere {
  item: LogItem;
  /** From {@link serialNumberKey}. */
  key: string;
  code: 'type-changed' | 'serial-elsewhere';
  there: { site: string; from: Instant | null; to: Instant | null };
  device: Identity;
}

/** Fewer devices at another Site are no sign of a copied log. */
const FEWEST_COPIED = 3;

/**
 * The one other Site that all devices of a log with serial numbers are at; null if there is none.
 */
function siteOfAll({ items }: SiteLog, found: FoundElsewhere[]): string | null {
  const all = new Set(items.flatMap(({ id }) => serialNumberKey(id) ?? []));
  const bySite = Map.groupBy(found, ({ there }) => there.site);
  if (all.size < FEWEST_COPIED) return null;
  for (const [site, there] of bySite)
    if (new Set(there.map(({ key }) => key)).size === all.size) return site;
  return null;
}

/** Whether a Site is another one than that of a log, as far as their ids are known. */
function isOtherSite(site: CorsSite, { identification }: SiteLog): boolean {
  const { fourCharacterId, nineCharacterId } = identification;
  if (site.fourCharacterId !== fourCharacterId) return true;
  if (nineCharacterId === null || site.nineCharacterId === null) return false;
  return site.nineCharacterId !== nineCharacterId;
}

const othersAmong = (
  sites: readonly CorsSite[] | undefined,
  log: SiteLog,
  except: ReadonlySet<CorsSite> = new Set(),
): CorsSite[] => sites?.filter((site) => !except.has(site) && isOtherSite(site, log)) ?? [];

/**
 * What is wrong with an item whose serial number is on record at another Site; null if nothing is.
 */
function foundElsewhere(
  { id, from, to }: LogItem,
  { device, period }: InstalledDevice,
): 'type-changed' | 'serial-elsewhere' | null {
  if (identityKey(device) !== identityKey(id)) return 'type-changed';
  return areAtOnce({ from, to }, period) ? 'serial-elsewhere' : null;
}
