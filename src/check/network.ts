import type { CorsSite, PeriodOfUse } from '../../schemas/index.js';
import { siteIdText } from '../requests/site-id.js';
import { comparableValues, type Identity, identityKey } from '../derive/devices.js';
import { distance } from '../site-log/values/position.js';
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

const overlap = (a: PeriodOfUse, b: PeriodOfUse): boolean =>
  a.from !== null &&
  b.from !== null &&
  (a.to === null || b.from < a.to) &&
  (b.to === null || a.from < b.to);

const push = <K, V>(map: Map<K, V[]>, key: K, value: V): unknown =>
  map.get(key)?.push(value) ?? map.set(key, [value]);

/** What is on record, by what the checks look for. */
export class NetworkIndex {
  private readonly byFour = new Map<string, CorsSite[]>();
  private readonly byDomes = new Map<string, CorsSite[]>();
  private readonly byBand = new Map<number, CorsSite[]>();
  private readonly byDevice = new Map<string, InstalledDevice[]>();

  addSite(site: CorsSite): void {
    push(this.byFour, site.fourCharacterId, site);
    if (site.domesNumber !== null) push(this.byDomes, site.domesNumber, site);
    if (site.location.latitude !== null) push(this.byBand, bandOf(site.location.latitude), site);
  }

  addDevice(installed: InstalledDevice): void {
    const key = serialNumberKey(installed.device);
    if (key !== null) push(this.byDevice, key, installed);
  }

  /** Checks a log against the other Sites. */
  check(checked: CheckedLog, report: Report): void {
    this.checkIds(checked, report);
    this.checkPosition(checked, report);
    this.checkDevices(checked, report);
  }

  /** Reports other Sites with the same four characters or DOMES number. */
  private checkIds({ sections, log }: CheckedLog, report: Report): void {
    const { fourCharacterId: four, domesNumber } = log.identification;
    const { fourCharacterId, nineCharacterId, iersDOMESNumber } = sections.siteIdentification;
    const idLine = fourCharacterId?.line ?? nineCharacterId?.line ?? 1;
    for (const site of othersAmong(this.byFour.get(four), log)) {
      const values = { site: siteIdText(site), text: four };
      report('shared-four-characters', { line: idLine, section: '1' }, values);
    }
    if (domesNumber === null) return;
    for (const site of othersAmong(this.byDomes.get(domesNumber), log)) {
      const line = iersDOMESNumber?.line ?? idLine;
      const values = { site: siteIdText(site), text: domesNumber };
      report('shared-domes', { line, section: '1' }, values);
    }
  }

  /** Reports other Sites at the same place. */
  private checkPosition({ sections, log }: CheckedLog, report: Report): void {
    const { latitude, longitude } = log.identification;
    if (latitude === null || longitude === null) return;
    const { siteLocation } = sections;
    const line = siteLocation.latitude?.line ?? siteLocation.x?.line ?? 1;
    const band = bandOf(latitude);
    const near = [band - 1, band, band + 1].flatMap((each) => this.byBand.get(each) ?? []);
    for (const site of othersAmong(near, log)) {
      const { location } = site;
      if (location.latitude === null || location.longitude === null) continue;
      const place = { latitude: location.latitude, longitude: location.longitude };
      if (distance({ latitude, longitude }, place) >= SAME_SPOT) continue;
      const values = { metres: SAME_SPOT, text: siteIdText(site) };
      report('shared-position', { line, section: '2' }, values);
    }
  }

  /** Reports serial numbers that are on record at other Sites, once for each device and Site. */
  private checkDevices({ log }: CheckedLog, report: Report): void {
    const reported = new Set<string>();
    for (const item of log.items) {
      const key = serialNumberKey(item.id);
      const installed = key === null ? [] : (this.byDevice.get(key) ?? []);
      for (const each of installed) {
        if (!isOtherSite(each.site, log)) continue;
        const code = foundElsewhere(item, each);
        const finding = JSON.stringify([code, key, siteIdText(each.site)]);
        if (code === null || reported.has(finding)) continue;
        reported.add(finding);
        const there = { site: siteIdText(each.site), from: each.period.from, to: each.period.to };
        if (code === 'type-changed') {
          const text = `${item.id.type!} ${each.device.type!}`;
          report(code, placeOf(item), { ...there, text });
        } else {
          const { equipmentType: kind, serialNumber } = item.id;
          report(code, placeOf(item), { ...there, kind, text: serialNumber! });
        }
      }
    }
  }
}

/** Whether a Site is another one than that of a log, as far as their ids are known. */
function isOtherSite(site: CorsSite, { identification }: SiteLog): boolean {
  const { fourCharacterId, nineCharacterId } = identification;
  if (site.fourCharacterId !== fourCharacterId) return true;
  if (nineCharacterId === null || site.nineCharacterId === null) return false;
  return site.nineCharacterId !== nineCharacterId;
}

const othersAmong = (sites: readonly CorsSite[] | undefined, log: SiteLog): CorsSite[] =>
  sites?.filter((site) => isOtherSite(site, log)) ?? [];

/**
 * What is wrong with an item whose serial number is on record at another Site; null if nothing is.
 */
function foundElsewhere(
  { id, from, to }: LogItem,
  { device, period }: InstalledDevice,
): 'type-changed' | 'serial-elsewhere' | null {
  if (identityKey(device) !== identityKey(id)) return 'type-changed';
  return overlap({ from, to }, period) ? 'serial-elsewhere' : null;
}
