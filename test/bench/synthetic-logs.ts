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

/** A log in GeodesyML 0.5, similar to real ones. */
function geodesymlLog(id: string, site: number): string {
  const validTime = ({ from, to }: Item): string =>
    `<gml:validTime><gml:TimePeriod>
          <gml:beginPosition>${from}</gml:beginPosition>
          <gml:endPosition>${to ?? ''}</gml:endPosition>
        </gml:TimePeriod></gml:validTime>`;
  const installed = ({ from, to }: Item): string =>
    `<geo:dateInstalled>${from}T00:00:00Z</geo:dateInstalled>
        <geo:dateRemoved>${to === null ? '' : `${to}T00:00:00Z`}</geo:dateRemoved>`;
  const model = (type: string): string =>
    `<geo:igsModelCode codeList="http://xml.gov.au/icsm/geodesyml/codelists/antenna-receiver-codelists.xml" codeListValue="${type}" ` +
    `codeSpace="urn:xml-gov-au:icsm:egeodesy:0.5">${type}</geo:igsModelCode>`;
  const { latitude, longitude } = placeOf(site);
  return [
    `<?xml version="1.0" encoding="utf-8"?>
<geo:GeodesyML gml:id="_${id}" xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <geo:siteLog gml:id="_${id}_log">
    <geo:formInformation><geo:FormInformation>
        <geo:preparedBy>gnss-site-setups benchmark</geo:preparedBy>
        <geo:datePrepared>2024-01-31</geo:datePrepared>
        <geo:reportType>UPDATE</geo:reportType>
    </geo:FormInformation></geo:formInformation>
    <geo:siteIdentification><geo:SiteIdentification>
        <geo:siteName>Bench ${site}</geo:siteName>
        <geo:fourCharacterID>${id}</geo:fourCharacterID>
        <geo:iersDOMESNumber>${domesOf(site)}</geo:iersDOMESNumber>
        <geo:monumentDescription codeSpace="urn:ga-gov-au:monument-description-type">PILLAR</geo:monumentDescription>
        <geo:heightOfTheMonument>1.5</geo:heightOfTheMonument>
        <geo:dateInstalled>2004-01-15T00:00:00Z</geo:dateInstalled>
        <geo:notes>Synthetic, for the benchmark; there is no such station.</geo:notes>
    </geo:SiteIdentification></geo:siteIdentification>
    <geo:siteLocation><geo:SiteLocation>
        <geo:city>Bench</geo:city>
        <geo:countryCodeISO codeListValue="Australia">AUS</geo:countryCodeISO>
        <geo:approximatePositionITRF><geo:geodeticPosition>
            <gml:Point srsName="EPSG:7912"><gml:pos>${latitude.toFixed(6)} ${longitude.toFixed(6)} 603.4</gml:pos></gml:Point>
        </geo:geodeticPosition></geo:approximatePositionITRF>
    </geo:SiteLocation></geo:siteLocation>`,
    ...itemsOf('receiver', site).map(
      (item) => `    <geo:gnssReceiver><geo:GnssReceiver gml:id="gnss-receiver-${item.number}">
        <geo:manufacturerSerialNumber>${item.serialNumber}</geo:manufacturerSerialNumber>
        ${model(receiverType(item, site))}
        ${systems(item)
          .map((system) => `<geo:satelliteSystem codeSpace="urn:ga-gov-au:satellite-system-type">${system}</geo:satelliteSystem>`)
          .join('\n        ')}
        <geo:firmwareVersion>${item.number}.3.${site % 7}</geo:firmwareVersion>
        <geo:elevationCutoffSetting>5.0</geo:elevationCutoffSetting>
        ${installed(item)}
        <geo:temperatureStabilization xsi:nil="true"></geo:temperatureStabilization>
    </geo:GnssReceiver></geo:gnssReceiver>`,
    ),
    ...itemsOf('antenna', site).map(
      (item) => `    <geo:gnssAntenna><geo:GnssAntenna gml:id="gnss-antenna-${item.number}">
        <geo:manufacturerSerialNumber>${item.serialNumber}</geo:manufacturerSerialNumber>
        ${model(antennaType(item))}
        <geo:antennaReferencePoint codeSpace="urn:ga-gov-au:antenna-reference-point-type">BPA</geo:antennaReferencePoint>
        <geo:marker-arpUpEcc.>0.0015</geo:marker-arpUpEcc.>
        <geo:marker-arpNorthEcc.>0.0</geo:marker-arpNorthEcc.>
        <geo:marker-arpEastEcc.>0.0</geo:marker-arpEastEcc.>
        <geo:alignmentFromTrueNorth>0.0</geo:alignmentFromTrueNorth>
        <geo:antennaRadomeType codeSpace="urn:igs-org:gnss-radome-model-code">LEIT</geo:antennaRadomeType>
        <geo:radomeSerialNumber>${item.serialNumber}</geo:radomeSerialNumber>
        <geo:antennaCableType>LMR400</geo:antennaCableType>
        <geo:antennaCableLength>30.0</geo:antennaCableLength>
        ${installed(item)}
    </geo:GnssAntenna></geo:gnssAntenna>`,
    ),
    ...itemsOf('clock', site).map(
      (item) => `    <geo:frequencyStandard><geo:FrequencyStandard gml:id="frequency-standard-${item.number}">
        <geo:standardType codeSpace="urn:ga-gov-au:frequency-standard-type">INTERNAL</geo:standardType>
        <geo:inputFrequency xsi:nil="true"></geo:inputFrequency>
        ${validTime(item)}
    </geo:FrequencyStandard></geo:frequencyStandard>`,
    ),
    ...itemsOf('humiditySensor', site).map(
      (item) => `    <geo:humiditySensor><geo:HumiditySensor gml:id="humidity-sensor-${item.number}">
        <geo:type codeSpace="urn:ga-gov-au:humidity-sensor-type">PAROSCIENTIFIC MET3A</geo:type>
        <geo:manufacturer>Paroscientific, Inc.</geo:manufacturer>
        <geo:serialNumber>${item.serialNumber}</geo:serialNumber>
        <geo:aspiration>FAN</geo:aspiration>
        <geo:heightDiffToAntenna>2.4</geo:heightDiffToAntenna>
        ${validTime(item)}
    </geo:HumiditySensor></geo:humiditySensor>`,
    ),
    '  </geo:siteLog>\n</geo:GeodesyML>\n',
  ].join('\n');
}

/** A fictitious Site with a history as long as the longest real one. */
export const HISTORY_ID = 'HIST';
export const HISTORY_SETUPS = 94;

/** A log with {@link HISTORY_SETUPS} Setups: receivers with gaps of an hour, antennas and clocks. */
function historyLog(): string {
  const [RECEIVERS, OTHERS] = [46, 4];
  const day = (number: number): string => new Date(Date.UTC(1995, 0, 1 + number * 120)).toISOString().slice(0, 10);
  const remark = 'Synthetic, for the benchmark: there is no such station.\n'.concat(
    '                                as long as the remarks of a real one are\n'.repeat(30),
  );
  const receivers = Array.from({ length: RECEIVERS }, (_, index) => {
    const removed = index === RECEIVERS - 1 ? '(CCYY-MM-DDThh:mmZ)' : `${day(index + 1)}T08:00Z`;
    return `3.${index + 1}  Receiver Type            : ${Math.floor(index / 4) % 2 === 0 ? 'LEICA GRX1200GGPRO' : 'SEPT POLARX5'}
     Satellite System         : GPS+GLO+GAL
     Serial Number            : ${1000 + Math.floor(index / 4)}
     Firmware Version         : ${index}.3.1
     Elevation Cutoff Setting : 0 deg
     Date Installed           : ${day(index)}T09:00Z
     Date Removed             : ${removed}
     Temperature Stabiliz.    : none
     Additional Information   : ${remark}`;
  });
  const others = Array.from({ length: OTHERS }, (_, index) => {
    const [from, to] = [`${day(index * 10)}T${index === 0 ? '09' : '12'}:00Z`, `${day(index * 10 + 10)}T12:00Z`];
    const last = index === OTHERS - 1;
    return {
      antenna: `4.${index + 1}  Antenna Type             : LEIAR25.R3      LEIT
     Serial Number            : ${2000 + index}
     Antenna Reference Point  : BPA
     Marker->ARP Up Ecc. (m)  : 0.0710
     Antenna Radome Type      : LEIT
     Date Installed           : ${from}
     Date Removed             : ${last ? '(CCYY-MM-DDThh:mmZ)' : to}
     Additional Information   : ${remark}`,
      clock: `6.${index + 1}  Standard Type            : EXTERNAL H-MASER
       Input Frequency        : ${5 * (1 + (index % 2))}
       Effective Dates        : ${from}/${last ? '(CCYY-MM-DD)' : to}
`,
    };
  });
  return [
    `     ${HISTORY_ID} Site Information Form (site log)

0.   Form

     Date Prepared            : 2024-01-31

1.   Site Identification of the GNSS Monument

     Site Name                : Bench history
     Four Character ID        : ${HISTORY_ID}

3.   GNSS Receiver Information
`,
    ...receivers,
    '4.   GNSS Antenna Information\n',
    ...others.map(({ antenna }) => antenna),
    '6.   Frequency Standard\n',
    ...others.map(({ clock }) => clock),
  ].join('\n');
}

/** Writes the log of {@link HISTORY_ID} to a folder. */
export const writeHistoryLog = (folder: string): void => writeFileSync(join(folder, 'hist_20240131.log'), historyLog());

/** Writes the logs of the first `sites` Sites to a folder, in text form. */
export function writeTextLogs(folder: string, sites: number): void {
  for (let site = 0; site < sites; site++) writeFileSync(join(folder, `${siteIdOf(site)}_20240131.log`), textLog(siteIdOf(site), site));
}

/** Writes the logs of the first `sites` Sites to a folder, as GeodesyML. */
export function writeGeodesymlLogs(folder: string, sites: number): void {
  for (let site = 0; site < sites; site++)
    writeFileSync(join(folder, `${siteIdOf(site)}_20240131.xml`), geodesymlLog(siteIdOf(site), site));
}
