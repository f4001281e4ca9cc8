import type { CorsSite, PeriodOfUse } from '../../schemas/index.js';
import { comparableValues, type Identity } from '../derive/devices.js';
import { distance } from '../site-log/position.js';
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

const idOfSite = ({
  nineCharacterId,
  fourCharacterId,
}: Pick<CorsSite, 'nineCharacterId' | 'fourCharacterId'>): string =>
  nineCharacterId ?? fourCharacterId;

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
  check({ sections, log }: CheckedLog, report: Report): void {
    const { identification, items } = log;
    const { siteIdentification: written, siteLocation } = sections;
    const { fourCharacterId, nineCharacterId, domesNumber, latitude, longitude } = identification;
    const isOther = (site: CorsSite): boolean =>
      site.fourCharacterId !== fourCharacterId ||
      (nineCharacterId !== null &&
        site.nineCharacterId !== null &&
        site.nineCharacterId !== nineCharacterId);
    const others = (sites: CorsSite[] | undefined): CorsSite[] => sites?.filter(isOther) ?? [];

    const idLine = written.fourCharacterId?.line ?? written.nineCharacterId?.line ?? 1;
    for (const site of others(this.byFour.get(fourCharacterId)))
      report(
        'shared-four-characters',
        idLine,
        `${idOfSite(site)} has the same four characters`,
        fourCharacterId,
      );

    for (const site of domesNumber === null ? [] : others(this.byDomes.get(domesNumber)))
      report(
        'shared-domes',
        written.iersDOMESNumber?.line ?? idLine,
        `${idOfSite(site)} has the same DOMES number`,
        domesNumber!,
      );

    if (latitude !== null && longitude !== null) {
      const band = bandOf(latitude);
      for (const site of others(
        [band - 1, band, band + 1].flatMap((each) => this.byBand.get(each) ?? []),
      )) {
        const { location } = site;
        if (location.latitude === null || location.longitude === null) continue;
        const metres = distance(
          { latitude, longitude },
          { latitude: location.latitude, longitude: location.longitude },
        );
        const line = siteLocation.latitude?.line ?? siteLocation.x?.line ?? 1;
        if (metres < SAME_SPOT) {
          const message = `another Site is less than ${SAME_SPOT} m away`;
          report('shared-position', line, message, idOfSite(site));
        }
      }
    }

    // One finding for each device and Site, however many items either has.
    const reported = new Set<string>();
    for (const { id, from, to, line } of items) {
      const key = serialNumberKey(id);
      for (const { site, device, period } of key === null ? [] : (this.byDevice.get(key) ?? [])) {
        const isSameType = comparableValues(device).type === comparableValues(id).type;
        const code = isSameType ? 'serial-elsewhere' : 'type-changed';
        const place = `${idOfSite(site)} (${periodWords(period)})`;
        const finding = JSON.stringify([code, key, idOfSite(site)]);
        if (
          !isOther(site) ||
          reported.has(finding) ||
          (isSameType && !overlap({ from, to }, period))
        )
          continue;
        reported.add(finding);
        if (isSameType)
          report(
            code,
            line,
            `${id.equipmentType} is on record at ${place} at the same time`,
            id.serialNumber!,
          );
        else
          report(
            code,
            line,
            `the serial number is that of another type at ${place}`,
            `${id.type!} ${device.type!}`,
          );
      }
    }
  }
}
