import type { CorsSite, PeriodOfUse } from '../../schemas/index.js';
import { comparableValues, type Identity, identityKey } from '../derive/devices.js';
import { distance } from '../site-log/position.js';
import type { LogItem, SiteLog } from '../site-log/site-log.js';
import { siteIdText } from '../requests/site-id.js';
import type { CheckedLog, Report } from './checks.js';

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
export interface InstalledDevice {
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

const periodWords = ({ from, to }: PeriodOfUse): string => `${from ?? 'unknown'} to ${to ?? 'now'}`;

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
      const message = `${siteIdText(site)} has the same four characters`;
      report('shared-four-characters', idLine, message, four);
    }
    if (domesNumber === null) return;
    for (const site of othersAmong(this.byDomes.get(domesNumber), log)) {
      const message = `${siteIdText(site)} has the same DOMES number`;
      report('shared-domes', iersDOMESNumber?.line ?? idLine, message, domesNumber);
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
      const message = `another Site is less than ${SAME_SPOT} m away`;
      report('shared-position', line, message, siteIdText(site));
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
        const found = foundElsewhere(item, each);
        if (found === null) continue;
        const finding = JSON.stringify([found.code, key, siteIdText(each.site)]);
        if (reported.has(finding)) continue;
        reported.add(finding);
        report(found.code, item.line, found.message, found.text);
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
function foundElsewhere({ id, from, to }: LogItem, { site, device, period }: InstalledDevice) {
  const place = `${siteIdText(site)} (${periodWords(period)})`;
  if (identityKey(device) !== identityKey(id)) {
    return {
      code: 'type-changed',
      message: `the serial number is that of another type at ${place}`,
      text: `${id.type!} ${device.type!}`,
    } as const;
  }
  if (!overlap({ from, to }, period)) return null;
  return {
    code: 'serial-elsewhere',
    message: `${id.equipmentType} is on record at ${place} at the same time`,
    text: id.serialNumber!,
  } as const;
}
