import { EQUIPMENT_TYPES, type EquipmentType } from '../../schemas/index.js';
import type { FieldName } from './fields.js';
import type { SectionName } from './sections/index.js';

/** What Setups need of a site log. An import reads nothing else, so that it costs nothing to have more in a log. */

/** The section whose blocks are equipment of a kind. */
export const SECTION_OF_KIND = {
  'gnss receiver': 'gnssReceivers',
  'gnss antenna': 'gnssAntennas',
  'humidity sensor': 'humiditySensors',
  clock: 'frequencyStandards',
} as const satisfies Record<EquipmentType, SectionName>;

/** The kind of equipment in the blocks of a section. */
export const KIND_OF_SECTION: Partial<Record<string, EquipmentType>> = Object.fromEntries(
  EQUIPMENT_TYPES.map((kind) => [SECTION_OF_KIND[kind], kind]),
);

const names = (...list: FieldName[]): ReadonlySet<string> => new Set(list);
const installed: FieldName[] = ['dateInstalled', 'dateRemoved', 'notes'];

/** The values that Setups need, by section. */
export const SETUP_VALUES: Partial<Record<string, ReadonlySet<string>>> = {
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
};
