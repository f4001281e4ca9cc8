import { EQUIPMENT_TYPES, type EquipmentType, isInstrument } from '../../schemas/index.js';
import type { FieldName } from './fields.js';
import type { SectionName } from './sections/index.js';
import type { Findings } from './site-log.js';

/** The parts of a site log that the record of a Site needs. An import reads nothing else, so the other parts cost it nothing. */

/** The section whose blocks are equipment of a kind. */
export const SECTION_OF_KIND = {
  'gnss receiver': 'gnssReceivers',
  'gnss antenna': 'gnssAntennas',
  'humidity sensor': 'humiditySensors',
  clock: 'frequencyStandards',
  'pressure sensor': 'pressureSensors',
  'temperature sensor': 'temperatureSensors',
  'water vapor sensor': 'waterVaporSensors',
  'other instrument': 'otherInstrumentation',
} as const satisfies Record<EquipmentType, SectionName>;

/** The kind of equipment in the blocks of a section. */
export const KIND_OF_SECTION: Partial<Record<string, EquipmentType>> = Object.fromEntries(
  EQUIPMENT_TYPES.map((kind) => [SECTION_OF_KIND[kind], kind]),
);

/** Where the findings about a section go. Those about instruments are separate, because earlier versions had none. */
export function findingsAbout(section: string, findings: Findings): Findings {
  const kind = KIND_OF_SECTION[section];
  return kind !== undefined && isInstrument(kind) ? findings.aboutInstruments : findings;
}

const names = (...list: FieldName[]): ReadonlySet<string> => new Set(list);
const sensor: FieldName[] = ['type', 'manufacturer', 'serialNumber', 'heightDiffToAntenna', 'calibrationDate', 'effectiveDates', 'notes'];
const installed: FieldName[] = ['dateInstalled', 'dateRemoved', 'notes'];

/** The values that the record needs, by section. */
export const RECORD_VALUES: Partial<Record<string, ReadonlySet<string>>> = {
  formInformation: names('datePrepared'),
  siteIdentification: names(
    ...(['siteName', 'fourCharacterId', 'nineCharacterId', 'iersDOMESNumber', 'dateInstalled', 'notes'] as const),
    ...(['monumentDescription', 'monumentFoundation', 'heightOfMonument', 'markerDescription'] as const),
    ...(['geologicCharacteristic', 'bedrockType'] as const),
  ),
  siteLocation: names('city', 'state', 'country', 'x', 'y', 'z', 'latitude', 'longitude', 'elevation'),
  gnssReceivers: names(
    ...(['type', 'manufacturer', 'serialNumber', 'satelliteSystem', 'firmwareVersion', 'elevationCutoffSetting'] as const),
    'temperatureStabilization',
    ...installed,
  ),
  gnssAntennas: names(
    ...(['type', 'manufacturer', 'serialNumber', 'antennaReferencePoint', 'alignmentFromTrueNorth'] as const),
    ...(['markerArpUpEccentricity', 'markerArpNorthEccentricity', 'markerArpEastEccentricity'] as const),
    ...(['radomeType', 'radomeSerialNumber', 'antennaCableType', 'antennaCableLength'] as const),
    ...installed,
  ),
  humiditySensors: names('type', 'manufacturer', 'serialNumber', 'aspiration', 'heightDiffToAntenna', 'effectiveDates', 'notes'),
  frequencyStandards: names('type', 'inputFrequency', 'effectiveDates'),
  pressureSensors: names(...sensor, 'dataSamplingInterval', 'accuracy'),
  temperatureSensors: names(...sensor, 'dataSamplingInterval', 'accuracy', 'aspiration'),
  waterVaporSensors: names(...sensor, 'distanceToAntenna'),
  otherInstrumentation: names('instrumentation', 'effectiveDates', 'notes'),
};
