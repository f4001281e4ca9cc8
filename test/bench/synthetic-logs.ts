import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Item, logText } from '../synthetic-log.js';

/**
 * Site logs of fictitious stations, the same in every run. Each Site has {@link SETUPS_OF_SITE}
 * Setups; the open one has a receiver, an antenna, a clock and a humidity sensor.
 */

export const SETUPS_OF_SITE = 10;

/** The four-character id of a Site. @param site counts from 0; each has a different id */
export const siteIdOf = (site: number): string => site.toString(36).toUpperCase().padStart(4, '0');

/** The types that Sites had first, and those that they have now. */
const OLD_RECEIVERS = [
  ...['ASHTECH Z-XII3', 'JPS LEGACY', 'LEICA GRX1200GGPRO', 'LEICA SR520', 'NOV OEM4-G2'],
  ...['ROGUE SNR-8000', 'SEPT POLARX2', 'TPS LEGACY', 'TRIMBLE 4000SSI', 'TRIMBLE NETRS'],
];
const NEW_RECEIVERS = [
  ...['CHC N72', 'JAVAD TRE_3 DELTA', 'JAVAD TRE_G3TH DELTA', 'LEICA GR30', 'LEICA GR50'],
  ...['SEPT POLARX5', 'SEPT POLARX5TR', 'TPS NET-G5', 'TRIMBLE NETR5', 'TRIMBLE NETR9'],
];
export const RECEIVER_TYPES: readonly string[] = [...OLD_RECEIVERS, ...NEW_RECEIVERS];

/** Which dates of a Site begin an item of a kind. The item before it ends there. */
const BEGINNINGS = {
  receiver: [0, 1, 2, 4, 5, 7, 8],
  antenna: [0, 3, 6],
  clock: [0],
  humiditySensor: [9],
};

/**
 * The items of a kind at a Site.
 * @param about what is special about one, given its number among them, from 1, and its serial
 *   number
 */
function itemsOf(
  kind: keyof typeof BEGINNINGS,
  site: number,
  about: (number: number, serial: string) => Item,
): Item[] {
  const dates = Array.from(
    { length: SETUPS_OF_SITE },
    (_, index) => `${2004 + 2 * index}-0${1 + (site % 9)}-15`,
  );
  return BEGINNINGS[kind].map((begin, index, beginnings) => {
    // Two consecutive items are one device with a firmware update.
    const serial = String(100_000 + site * 10 + Math.floor(index / 2));
    const to = dates[beginnings[index + 1] ?? NaN];
    return {
      ...about(index + 1, serial),
      serial,
      from: dates[begin]!,
      ...(to !== undefined && { to }),
    };
  });
}

/** Where a Site is: the Sites are spread evenly over a sphere with the size of the Earth. */
function placeOf(site: number): {
  latitude: number;
  longitude: number;
  xyz: [number, number, number];
} {
  const radius = 6_371_000;
  const goldenAngle = 137.507764;
  // The sines of the latitudes are evenly spread, and never repeat.
  const sine = ((site * 0.618034) % 1) * 2 - 1;
  const longitude = ((site * goldenAngle) % 360) - 180;
  const cosine = Math.sqrt(1 - sine * sine);
  const angle = (longitude / 180) * Math.PI;
  const xyz: [number, number, number] = [
    radius * cosine * Math.cos(angle),
    radius * cosine * Math.sin(angle),
    radius * sine,
  ];
  // The latitude on the ellipsoid.
  return {
    latitude: (Math.atan2(sine, cosine * (1 - 0.00669438)) / Math.PI) * 180,
    longitude,
    xyz,
  };
}

/** The text of a log: the synthetic form of the tests, with a place and what most stations have. */
function textLog(site: number): string {
  const { latitude, longitude, xyz } = placeOf(site);
  const place = {
    'City or Town': 'Bench',
    'State or Province': 'Synthetic',
    Country: 'Australia',
    'Tectonic Plate': 'AUSTRALIAN',
    'X coordinate (m)': xyz[0].toFixed(3),
    'Y coordinate (m)': xyz[1].toFixed(3),
    'Z coordinate (m)': xyz[2].toFixed(3),
    'Latitude (N is +)': latitude.toFixed(6),
    'Longitude (E is +)': longitude.toFixed(6),
    'Elevation (m,ellips.)': '603.4',
  };
  const text = logText({
    id: siteIdOf(site),
    prepared: '2024-01-31',
    name: `Bench ${site}`,
    receivers: itemsOf('receiver', site, (number) => ({
      type: (number < 4 ? OLD_RECEIVERS : NEW_RECEIVERS)[site % 10]!,
      more: {
        'Satellite System': number < 4 ? 'GPS+GLO' : 'GPS+GLO+GAL+BDS+QZSS',
        'Firmware Version': `${number}.3.${site % 7}`,
        'Elevation Cutoff Setting': '5 deg',
      },
    })),
    antennas: itemsOf('antenna', site, (number, serial) => ({
      type: `${number < 3 ? 'LEIAR25.R3' : 'LEIAR25.R4'}      LEIT`,
      more: {
        'Antenna Reference Point': 'BPA',
        'Marker->ARP Up Ecc. (m)': '0.0015',
        'Marker->ARP North Ecc(m)': '0.0000',
        'Marker->ARP East Ecc(m)': '0.0000',
        'Alignment from True N': '0 deg',
        'Antenna Radome Type': 'LEIT',
        'Radome Serial Number': serial,
        'Antenna Cable Type': 'LMR400',
        'Antenna Cable Length': '30.0 m',
      },
    })),
    clocks: itemsOf('clock', site, () => ({ type: 'INTERNAL' })),
    sensors: itemsOf('humiditySensor', site, () => ({
      type: 'PAROSCIENTIFIC MET3A',
      more: {
        Manufacturer: 'Paroscientific, Inc.',
        'Data Sampling Interval': '30 sec',
        'Height Diff to Ant': '2.4 m',
      },
    })),
  });
  const lines = Object.entries(place).map(([label, value]) => `     ${label.padEnd(25)}: ${value}`);
  return text.replace(/^ {5}Country .*$/m, lines.join('\n'));
}

/** How many Sites of {@link writeOtherLogs} have nine-character ids. */
export const NINES = 100;
/** The id of one of them. @param site counts from 0 */
export const nineIdOf = (site: number): string => `N${String(site).padStart(3, '0')}00AUS`;
/** A Site that was without a receiver for some hours, and an instant within them. */
export const SHORT_SETUP = { id: 'GAPS', at: '2010-06-01T10:00:00Z' };

/** Writes logs of Sites of other kinds: with nine-character ids, and with a short Setup. */
export function writeOtherLogs(folder: string): void {
  const receivers: Item[] = [
    { type: 'LEICA GR30', serial: '1', from: '2004-01-01', to: '2010-06-01T08:00Z' },
    { type: 'LEICA GR50', serial: '2', from: '2010-06-01T12:00Z' },
  ];
  const antennas: Item[] = [{ type: 'LEIAR25.R4      LEIT', serial: '3', from: '2004-01-01' }];
  const nines = Array.from({ length: NINES }, (_, site) => nineIdOf(site));
  for (const id of [SHORT_SETUP.id, ...nines])
    writeFileSync(join(folder, `${id}.log`), logText({ id, receivers, antennas }));
}

/** Writes the logs of the first `sites` Sites to a folder, in text form. */
export function writeTextLogs(folder: string, sites: number): void {
  for (let site = 0; site < sites; site++)
    writeFileSync(join(folder, `${siteIdOf(site)}_20240131.log`), textLog(site));
}
