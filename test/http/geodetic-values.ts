import type { CorsSite, EquipmentInUse, ExportedSetup } from '../../schemas/index.js';
import { ascii } from '../../src/formats/columns-of-text.js';

/** Derives from the API what the files for geodetic software should contain. */

type OfKind<Kind> = Extract<
  EquipmentInUse,
  { content: { id: { equipmentType: Kind } } }
>['content'];

/** The item of a kind in a Setup that was installed last. */
function last<Kind extends 'gnss receiver' | 'gnss antenna'>(
  { equipmentInUse }: ExportedSetup,
  kind: Kind,
): OfKind<Kind> | undefined {
  const items = equipmentInUse
    .map(({ content }) => content)
    .filter((each) => each.id.equipmentType === kind) as OfKind<Kind>[];
  return items
    .toSorted((a, b) =>
      a.period.from < b.period.from ? -1 : Number(a.period.from > b.period.from),
    )
    .at(-1);
}

/** Up, north and east; null is unknown. */
type Triple = [up: number | null, north: number | null, east: number | null];

/** What the API says about the antenna and the receiver of a Setup. */
export interface Values {
  receiver: { type: string; serial: string; firmware: string } | undefined;
  antenna:
    | { type: string; radome: string; serial: string; azimuth: string | null; given: Triple }
    | undefined;
}

export function valuesOf(setup: ExportedSetup): Values {
  const receiver = last(setup, 'gnss receiver');
  const antenna = last(setup, 'gnss antenna');
  const type = antenna?.id.type ?? '';
  const radome = type.slice(16).trim() || (antenna?.configuration.radomeType ?? '');
  return {
    receiver: receiver && {
      type: receiver.id.type ?? '',
      serial: receiver.id.serialNumber ?? '',
      firmware: receiver.configuration.firmwareVersion ?? '',
    },
    antenna: antenna && {
      type: type.slice(0, 16).trim(),
      radome: /^[A-Z0-9]{4}$/i.test(radome) ? radome.toUpperCase() : '',
      serial: antenna.id.serialNumber ?? '',
      azimuth: antenna.configuration.alignmentFromTrueNorth,
      given: [
        antenna.configuration.markerArpUpEccentricity,
        antenna.configuration.markerArpNorthEccentricity,
        antenna.configuration.markerArpEastEccentricity,
      ],
    },
  };
}

/** Metres with four decimals. Zero has no sign. */
export const metres = (value: number): string => value.toFixed(4).replace(/^-(?=0\.0000$)/, '');

/**
 * The eccentricities as files have them; undefined if they cannot be written.
 * @param isZero whether a blank north or east is 0
 */
function eccentricitiesOf({ antenna }: Values, isZero: boolean) {
  if (antenna === undefined) return undefined;
  const [up, north, east] = antenna.given;
  if (up === null) return undefined;
  if ((north === null || east === null) && !isZero) return undefined;
  return { up: metres(up), north: metres(north ?? 0), east: metres(east ?? 0) };
}

const fit = (value: string, width: number, unknown: string): string =>
  ascii(value).slice(0, width).trim() || unknown;

const fitFirmware = (value: string, width: number, unknown: string): string =>
  fit(value.length > width ? value.replace(/ +/g, ' ') : value, width, unknown);

const dashes = (width: number): string => '-'.repeat(width);

/** The DOMES number as files have it. */
export function domesIn({ domesNumber }: CorsSite): string | undefined {
  const digits = /^[A-Z0-9]{9}$/.test(domesNumber ?? '') ? domesNumber!.replace(/[A-Z]/g, '') : '';
  return digits.length >= 5 && !/^(\d)\1*$/.test(digits) ? domesNumber! : undefined;
}

/** The fields of the line of a Site in each block of SINEX. */
export function sinexFields(values: Values, site: string, point: string, isZero: boolean) {
  const { receiver, antenna } = values;
  const common = { site, point, soln: '----', technique: 'P' };
  const eccentricities = eccentricitiesOf(values, isZero);
  return {
    'SITE/RECEIVER': receiver && {
      ...common,
      type: fit(receiver.type, 20, dashes(20)),
      serial: fit(receiver.serial, 5, dashes(5)),
      firmware: fitFirmware(receiver.firmware, 11, dashes(11)),
    },
    'SITE/ANTENNA': antenna && {
      ...common,
      type: fit(antenna.type, 15, dashes(15)),
      radome: antenna.radome || dashes(4),
      serial: fit(antenna.serial, 5, dashes(5)),
      daz: antenna.azimuth === null ? '' : Number(antenna.azimuth).toFixed(0).replace(/^-0$/, '0'),
    },
    'SITE/ECCENTRICITY': eccentricities && { ...common, axes: 'UNE', ...eccentricities },
  };
}

/** The first number in a firmware. */
function softwareVersion(firmware: string): string {
  const [number] = /\d+(\.\d+)?|\.\d+/.exec(firmware) ?? [];
  const text = number === undefined ? dashes(5) : Number(number).toFixed(2);
  return text.length > 5 ? dashes(5) : text;
}

/** The fields of the line of a Site in station.info, with the azimuth. */
export function stationInfoFields(values: Values, site: CorsSite, isZero: boolean) {
  const { receiver, antenna } = values;
  const eccentricities = eccentricitiesOf(values, isZero);
  if (receiver === undefined || antenna === undefined || eccentricities === undefined)
    return undefined;
  return {
    site: site.fourCharacterId,
    'Station Name': fit(site.name ?? '', 16, ''),
    'Ant Ht': eccentricities.up,
    HtCod: 'DHARP',
    'Ant N': eccentricities.north,
    'Ant E': eccentricities.east,
    AntDAZ: antenna.azimuth === null ? dashes(5) : `${Number(antenna.azimuth).toFixed(0)}.`,
    'Receiver Type': fit(receiver.type, 20, dashes(20)),
    Vers: fitFirmware(receiver.firmware, 20, dashes(20)),
    SwVer: softwareVersion(receiver.firmware),
    'Receiver SN': fit(receiver.serial, 20, dashes(20)),
    'Antenna Type': fit(antenna.type, 15, dashes(15)),
    Dome: antenna.radome || dashes(5),
    'Antenna SN': fit(antenna.serial, 20, dashes(20)),
  };
}

/** The name of a Site in STA. */
export const stationNameOf = (site: CorsSite): string =>
  `${site.fourCharacterId} ${domesIn(site) ?? ''}`.trimEnd();

/** The fields of the line of a Site in TYPE 002 of STA. */
export function staFields(values: Values, site: CorsSite, version: string, isZero: boolean) {
  const { receiver, antenna } = values;
  const eccentricities = eccentricitiesOf(values, isZero);
  if (receiver === undefined || antenna === undefined || eccentricities === undefined)
    return undefined;
  if (receiver.type === '' || antenna.type === '') return undefined;
  const place = [site.name, site.location.countryCode].filter((each) => each !== null).join(', ');
  const digits = receiver.serial.replace(/[^0-9]/g, '').slice(-6);
  const azimuth = antenna.azimuth === null ? '' : Number(antenna.azimuth).toFixed(1);
  return {
    name: stationNameOf(site),
    flag: '001',
    receiver: fit(receiver.type, 20, ''),
    serial: fit(receiver.serial, 20, ''),
    number: digits === '' ? '999999' : String(Number(digits)),
    antenna: fit(antenna.type, 15, ''),
    radome: antenna.radome || 'UNKN',
    antennaSerial: fit(antenna.serial, 20, ''),
    antennaNumber: '999999',
    ...eccentricities,
    ...(version === '1.03' && { azimuth, long: site.nineCharacterId ?? '' }),
    description: fit(place, 22, ''),
    remark: fitFirmware(receiver.firmware, 24, ''),
  };
}

const inColumns = (...texts: string[]): string =>
  texts
    .map((text) => text.padEnd(20))
    .join('')
    .padEnd(60);

const numbersInColumns = (values: string[]): string =>
  values
    .map((text) => text.padStart(14))
    .join('')
    .padEnd(60);

/** The records of a RINEX header by label, apart from those with its time, agency and position. */
export function headerRecords(values: Values, site: CorsSite, version: string, isZero: boolean) {
  const { receiver, antenna } = values;
  const { x, y, z } = site.location;
  const isOld = version.startsWith('2');
  const domes = domesIn(site);
  const eccentricities = eccentricitiesOf(values, isZero);
  const id = isOld ? null : site.nineCharacterId;
  const kind = isOld ? 'M (MIXED)' : 'M: MIXED';
  const azimuth = Number(antenna?.azimuth ?? 0);
  const records: Record<string, string | undefined> = {
    'RINEX VERSION / TYPE': inColumns(`     ${version}`, 'OBSERVATION DATA', kind),
    'MARKER NAME': inColumns(id ?? site.fourCharacterId),
    'MARKER NUMBER': domes && inColumns(domes),
    'MARKER TYPE': isOld ? undefined : inColumns('GEODETIC'),
    'REC # / TYPE / VERS':
      receiver &&
      inColumns(
        fit(receiver.serial, 20, ''),
        fit(receiver.type, 20, ''),
        fitFirmware(receiver.firmware, 20, ''),
      ),
    'ANT # / TYPE':
      antenna &&
      inColumns(
        fit(antenna.serial, 20, ''),
        `${fit(antenna.type, 15, '').padEnd(16)}${antenna.radome || 'UNKN'}`,
      ),
    'ANTENNA: DELTA H/E/N':
      eccentricities &&
      numbersInColumns([eccentricities.up, eccentricities.east, eccentricities.north]),
    'ANTENNA: ZERODIR AZI':
      isOld || azimuth === 0 ? undefined : numbersInColumns([metres(azimuth)]),
  };
  if (x !== null && y !== null && z !== null)
    records['APPROX POSITION XYZ'] = numbersInColumns([x, y, z].map(metres));
  return records;
}
