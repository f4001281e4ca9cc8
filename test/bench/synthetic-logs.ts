import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Site logs of fictitious stations, the same in every run. Each Site has {@link SETUPS_OF_SITE} Setups; the open one has
 * a receiver, an antenna, a clock and a humidity sensor.
 */

export const SETUPS_OF_SITE = 10;

/** The four-character id of a Site. @param site counts from 0; each has a different id */
export const siteIdOf = (site: number): string => site.toString(36).toUpperCase().padStart(4, '0');

/** A DOMES number. It has five digits for the site, so it repeats after 90,000 Sites. */
const domesOf = (site: number): string => `${10_000 + (site % 90_000)}M001`;

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

/** One item of equipment at one Site. */
interface Item {
  /** Its number among the items of its kind, from 1. */
  number: number;
  from: string;
  /** null if it is still in use. */
  to: string | null;
  serialNumber: string;
}

/** Which dates of a Site begin an item of a kind. The item before it ends there. */
const BEGINNINGS = { receiver: [0, 1, 2, 4, 5, 7, 8], antenna: [0, 3, 6], clock: [0], humiditySensor: [9] };

function itemsOf(kind: keyof typeof BEGINNINGS, site: number): Item[] {
  const dates = Array.from({ length: SETUPS_OF_SITE }, (_, index) => `${2004 + 2 * index}-0${1 + (site % 9)}-15`);
  const beginnings = BEGINNINGS[kind];
  return beginnings.map((begin, index) => {
    const next = beginnings[index + 1];
    return {
      number: index + 1,
      from: dates[begin]!,
      to: next === undefined ? null : dates[next]!,
      // Two consecutive items are one device with a firmware update.
      serialNumber: String(100_000 + site * 10 + Math.floor(index / 2)),
    };
  });
}

const systems = ({ number }: Item): string[] => (number < 4 ? ['GPS', 'GLO'] : ['GPS', 'GLO', 'GAL', 'BDS', 'QZSS']);
const receiverType = ({ number }: Item, site: number): string => (number < 4 ? OLD_RECEIVERS : NEW_RECEIVERS)[site % 10]!;
const antennaType = ({ number }: Item): string => `${number < 3 ? 'LEIAR25.R3' : 'LEIAR25.R4'}      LEIT`;

/** Where a Site is: the Sites are spread evenly over a sphere with the size of the Earth. */
function placeOf(site: number): { latitude: number; longitude: number; xyz: [number, number, number] } {
  const [radius, goldenAngle] = [6_371_000, 137.507764];
  // The sines of the latitudes are evenly spread, and never repeat.
  const sine = ((site * 0.618034) % 1) * 2 - 1;
  const longitude = ((site * goldenAngle) % 360) - 180;
  const [cosine, angle] = [Math.sqrt(1 - sine * sine), (longitude / 180) * Math.PI];
  const xyz: [number, number, number] = [radius * cosine * Math.cos(angle), radius * cosine * Math.sin(angle), radius * sine];
  // The latitude on the ellipsoid.
  return { latitude: (Math.atan2(sine, cosine * (1 - 0.00669438)) / Math.PI) * 180, longitude, xyz };
}

/** An angle as in the text form: a sign, degrees, minutes and seconds. */
function sexagesimal(angle: number, digits: number): string {
  const hundredths = Math.floor(Math.abs(angle) * 360_000);
  const [degrees, minutes, seconds] = [Math.floor(hundredths / 360_000), Math.floor(hundredths / 6000) % 60, (hundredths % 6000) / 100];
  const padded = `${String(degrees).padStart(digits, '0')}${String(minutes).padStart(2, '0')}${seconds.toFixed(2).padStart(5, '0')}`;
  return `${angle < 0 ? '-' : '+'}${padded}`;
}

/** A log in the IGS text form, version 1. */
function textLog(id: string, site: number): string {
  const until = ({ to }: Item): string => (to === null ? '(CCYY-MM-DDThh:mmZ)' : `${to}T00:00Z`);
  const dates = ({ from, to }: Item): string => `${from}/${to ?? '(CCYY-MM-DD)'}`;
  const { latitude, longitude, xyz } = placeOf(site);
  return [
    `     ${id} Site Information Form (site log)
     International GNSS Service

0.   Form

     Prepared by (full name)  : gnss-site-setups benchmark
     Date Prepared            : 2024-01-31
     Report Type              : UPDATE

1.   Site Identification of the GNSS Monument

     Site Name                : Bench ${site}
     Four Character ID        : ${id}
     Monument Inscription     : none
     IERS DOMES Number        : ${domesOf(site)}
     CDP Number               : none
     Monument Description     : PILLAR
       Height of the Monument : 1.5 m
       Monument Foundation    : CONCRETE BLOCK
     Marker Description       : BRASS PLATE
     Date Installed           : 2004-01-15T00:00Z
     Geologic Characteristic  : BEDROCK
       Bedrock Type           : SEDIMENTARY
     Additional Information   : Synthetic, for the benchmark; there is
                                no such station.

2.   Site Location Information

     City or Town             : Bench
     State or Province        : Synthetic
     Country                  : Australia
     Tectonic Plate           : AUSTRALIAN
     Approximate Position (ITRF)
       X coordinate (m)       : ${xyz[0].toFixed(3)}
       Y coordinate (m)       : ${xyz[1].toFixed(3)}
       Z coordinate (m)       : ${xyz[2].toFixed(3)}
       Latitude (N is +)      : ${sexagesimal(latitude, 2)}
       Longitude (E is +)     : ${sexagesimal(longitude, 3)}
       Elevation (m,ellips.)  : 603.4

3.   GNSS Receiver Information
`,
    ...itemsOf('receiver', site).map(
      (item) => `3.${item.number}  Receiver Type            : ${receiverType(item, site)}
     Satellite System         : ${systems(item).join('+')}
     Serial Number            : ${item.serialNumber}
     Firmware Version         : ${item.number}.3.${site % 7}
     Elevation Cutoff Setting : 5 deg
     Date Installed           : ${item.from}T00:00Z
     Date Removed             : ${until(item)}
     Temperature Stabiliz.    : none
     Additional Information   :
`,
    ),
    '4.   GNSS Antenna Information\n',
    ...itemsOf('antenna', site).map(
      (item) => `4.${item.number}  Antenna Type             : ${antennaType(item)}
     Serial Number            : ${item.serialNumber}
     Antenna Reference Point  : BPA
     Marker->ARP Up Ecc. (m)  : 0.0015
     Marker->ARP North Ecc(m) : 0.0000
     Marker->ARP East Ecc(m)  : 0.0000
     Alignment from True N    : 0 deg
     Antenna Radome Type      : LEIT
     Radome Serial Number     : ${item.serialNumber}
     Antenna Cable Type       : LMR400
     Antenna Cable Length     : 30.0 m
     Date Installed           : ${item.from}T00:00Z
     Date Removed             : ${until(item)}
     Additional Information   :
`,
    ),
    '6.   Frequency Standard\n',
    ...itemsOf('clock', site).map(
      (item) => `6.${item.number}  Standard Type            : INTERNAL
       Input Frequency        :
       Effective Dates        : ${dates(item)}
       Notes                  :
`,
    ),
    '8.   Meteorological Instrumentation\n',
    ...itemsOf('humiditySensor', site).map(
      (item) => `8.1.${item.number} Humidity Sensor Model   : PAROSCIENTIFIC MET3A
       Manufacturer           : Paroscientific, Inc.
       Serial Number          : ${item.serialNumber}
       Data Sampling Interval : 30 sec
       Accuracy (% rel h)     : 2.00
       Aspiration             : FAN
       Height Diff to Ant     : 2.4 m
       Effective Dates        : ${dates(item)}
       Notes                  :
`,
    ),
    `11.  On-Site, Point of Contact Agency Information

     Agency                   : none
`,
  ].join('\n');
}

/** Writes the logs of the first `sites` Sites to a folder, in text form. */
export function writeTextLogs(folder: string, sites: number): void {
  for (let site = 0; site < sites; site++) writeFileSync(join(folder, `${siteIdOf(site)}_20240131.log`), textLog(siteIdOf(site), site));
}
