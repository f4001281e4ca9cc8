import type { EquipmentInUse } from '../../schemas/index.js';

/** What the values of equipment and site logs are called in words, wherever they are shown. */

type KeysOf<T> = T extends unknown ? Extract<keyof T, string> : never;
type Content = EquipmentInUse['content'];

/** A member of the equipment of a Setup. */
export type EquipmentMember = KeysOf<Content['id']> | KeysOf<Content['configuration']>;

const EQUIPMENT_NAMES: Readonly<Record<EquipmentMember, string>> = {
  type: 'type',
  equipmentType: 'kind',
  manufacturer: 'manufacturer',
  serialNumber: 'serial number',
  aspiration: 'aspiration',
  firmwareVersion: 'firmware',
  satelliteSystem: 'satellite systems',
  elevetionCutoffSetting: 'elevation cutoff',
  temperatureStabilization: 'temperature stabilization',
  antennaReferencePoint: 'antenna reference point',
  markerArpUpEccentricity: 'up eccentricity',
  markerArpNorthEccentricity: 'north eccentricity',
  markerArpEastEccentricity: 'east eccentricity',
  alignmentFromTrueNorth: 'alignment from true north',
  radomeType: 'radome',
  radomeSerialNumber: 'radome serial number',
  antennaCableType: 'cable type',
  antennaCableLength: 'cable length',
  inputFrequency: 'input frequency',
  heightDiffToAntenna: 'height above the antenna',
  notes: 'notes',
};

/** The members that site logs and Setups spell differently. */
const SPELLINGS_IN_SETUPS: Readonly<Record<string, EquipmentMember>> = {
  elevationCutoffSetting: 'elevetionCutoffSetting',
  markerArpUpEcc: 'markerArpUpEccentricity',
  markerArpNorthEcc: 'markerArpNorthEccentricity',
  markerArpEastEcc: 'markerArpEastEccentricity',
  antennaRadomeType: 'radomeType',
};

/** The values that only site logs have, and notes, which are called as in the form. */
const LOG_NAMES: Readonly<Record<string, string>> = {
  dateInstalled: 'date installed',
  dateRemoved: 'date removed',
  dateMeasured: 'date measured',
  effectiveDates: 'effective dates',
  notes: 'additional information',
  siteName: 'site name',
  city: 'city or town',
  state: 'state or province',
  antennaGraphics: 'antenna graphics',
  iersDOMESNumber: 'DOMES number',
  heightOfMonument: 'height of the monument',
  x: 'X coordinate',
  y: 'Y coordinate',
  z: 'Z coordinate',
  individualName: 'contact name',
  positionName: 'position of the contact',
  secondTelephone: 'second telephone',
  administrativeArea: 'administrative area',
  postalCode: 'postal code',
  others: 'other lines',
  latitude: 'latitude',
  longitude: 'longitude',
  elevation: 'elevation',
};

const BY_MEMBER: ReadonlyMap<string, string> = new Map(Object.entries(EQUIPMENT_NAMES));

/** The name of a member of the equipment of a Setup; undefined if it is not one. */
export const equipmentValueName = (member: string): string | undefined => BY_MEMBER.get(member);

/** The name of a member of a section of site logs; undefined if it is called by its label. */
export const logValueName = (member: string): string | undefined =>
  LOG_NAMES[member] ?? equipmentValueName(SPELLINGS_IN_SETUPS[member] ?? member);
