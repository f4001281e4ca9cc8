import { EQUIPMENT_TYPES, type EquipmentType } from '../../schemas/index.js';
import type { FieldName } from './fields.js';

/** A label in lower case, without spaces and punctuation: `markerarpupeccm` for `Marker->ARP Up Ecc. (m)`. */
export const labelKey = (label: string): string => label.toLowerCase().replace(/[^a-z0-9]/g, '');

/** A label that is part of the form but is not needed. */
export const unused = null;

/**
 * The labels of the sections that are read, as {@link labelKey}s, with the field each one fills. In equipment
 * sections the first label starts an item.
 */
const SECTIONS = {
  '0': {
    dateprepared: 'datePrepared',
    preparedbyfullname: unused,
    preparedby: unused,
    reporttype: unused,
    ifupdate: unused,
    update: unused,
    previoussitelog: unused,
    modifiedaddedsections: unused,
  },
  '1': {
    sitename: 'siteName',
    fourcharacterid: 'fourCharacterId',
    ninecharacterid: 'nineCharacterId',
    monumentinscription: unused,
    iersdomesnumber: 'domesNumber',
    cdpnumber: unused,
    monumentdescription: 'monumentDescription',
    heightofthemonument: 'monumentHeight',
    monumentfoundation: 'monumentFoundation',
    foundationdepth: unused,
    markerdescription: 'markerDescription',
    dateinstalled: 'dateInstalled',
    geologiccharacteristic: 'geologicCharacteristic',
    bedrocktype: 'bedrockType',
    bedrockcondition: unused,
    fracturespacing: unused,
    faultzonesnearby: unused,
    distanceactivity: unused,
    additionalinformation: 'notes',
  },
  '2': {
    cityortown: 'city',
    stateorprovince: 'state',
    country: 'country',
    countryorregion: 'country',
    tectonicplate: unused,
    approximatepositionitrf: unused,
    xcoordinatem: 'x',
    ycoordinatem: 'y',
    zcoordinatem: 'z',
    latitudenis: 'latitude',
    longitudeeis: 'longitude',
    elevationmellips: 'elevation',
    additionalinformation: unused,
  },
  '3': {
    receivertype: 'type',
    satellitesystem: 'satelliteSystem',
    serialnumber: 'serialNumber',
    firmwareversion: 'firmwareVersion',
    elevationcutoffsetting: 'elevationCutoffSetting',
    dateinstalled: 'dateInstalled',
    dateremoved: 'dateRemoved',
    temperaturestabiliz: 'temperatureStabilization',
    temperaturestabilization: 'temperatureStabilization',
    additionalinformation: 'notes',
  },
  '4': {
    antennatype: 'type',
    serialnumber: 'serialNumber',
    antennareferencepoint: 'antennaReferencePoint',
    markerarpupeccm: 'markerArpUpEccentricity',
    markerarpnortheccm: 'markerArpNorthEccentricity',
    markerarpeasteccm: 'markerArpEastEccentricity',
    alignmentfromtruen: 'alignmentFromTrueNorth',
    antennaradometype: 'radomeType',
    radomeserialnumber: 'radomeSerialNumber',
    antennacabletype: 'antennaCableType',
    antennacablelength: 'antennaCableLength',
    dateinstalled: 'dateInstalled',
    dateremoved: 'dateRemoved',
    additionalinformation: 'notes',
  },
  '6': {
    standardtype: 'type',
    inputfrequency: 'inputFrequency',
    effectivedates: 'effectiveDates',
    notes: unused,
    additionalinformation: unused,
  },
  '8.1': {
    humiditysensormodel: 'type',
    manufacturer: 'manufacturer',
    serialnumber: 'serialNumber',
    datasamplinginterval: unused,
    accuracyrelh: unused,
    accuracy: unused,
    aspiration: 'aspiration',
    heightdifftoant: 'heightDiffToAntenna',
    calibrationdate: unused,
    effectivedates: 'effectiveDates',
    notes: 'notes',
    additionalinformation: 'notes',
  },
} as const satisfies Record<string, Record<string, FieldName | typeof unused>>;
export const LABELS: Record<string, Record<string, FieldName | typeof unused>> = SECTIONS;

/** The section whose items are equipment of a kind. */
const SECTION_OF_KIND: Record<EquipmentType, keyof typeof SECTIONS> = {
  'gnss receiver': '3',
  'gnss antenna': '4',
  'humidity sensor': '8.1',
  clock: '6',
};
export const KIND_OF_SECTION: Record<string, EquipmentType> = Object.fromEntries(
  EQUIPMENT_TYPES.map((kind) => [SECTION_OF_KIND[kind], kind]),
);
