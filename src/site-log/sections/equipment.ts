import { EFFECTIVE_DATES, type Row, type SectionOf } from './section.js';

/** Sections 3, 4 and 6: the GNSS equipment. */

const CODE_LIST = 'http://xml.gov.au/icsm/geodesyml/codelists/antenna-receiver-codelists.xml';
const DATE = 'CCYY-MM-DDThh:mmZ';
const NOTES: Row = { kind: 'text', label: 'Additional Information', hint: 'multiple lines' };
const INSTALLED = {
  dateInstalled: { kind: 'since1980', label: 'Date Installed', hint: DATE, unknown: 'empty' },
  dateRemoved: { kind: 'since1980', label: 'Date Removed', hint: DATE, unknown: 'empty' },
} as const;

/** GNSS Receiver Information (section 3). */
export const RECEIVERS: SectionOf<'gnssReceivers'> = {
  number: '3',
  heading: 'GNSS Receiver Information',
  repeats: true,
  indent: 5,
  element: 'gnssReceiver',
  id: 'gnss-receiver',
  rows: {
    type: {
      kind: 'code',
      label: 'Receiver Type',
      hint: 'A20, from rcvr_ant.tab; see instructions',
      element: 'igsModelCode',
      sopac: 'receiverType',
      codeList: `${CODE_LIST}#GeodesyML_GNSSReceiverTypeCode`,
    },
    manufacturer: { kind: 'text', element: 'manufacturerName' },
    satelliteSystem: {
      kind: 'satellites',
      label: 'Satellite System',
      hint: 'GPS+GLO+GAL+BDS+QZSS+SBAS',
      codeSpace: 'urn:ga-gov-au:satellite-system-type',
      unknown: 'empty',
    },
    serialNumber: {
      kind: 'text',
      label: 'Serial Number',
      hint: 'A20, but note the first A5 is used in SINEX',
      element: 'manufacturerSerialNumber',
      sopac: 'serialNumber',
      unknown: 'empty',
    },
    firmwareVersion: { kind: 'text', label: 'Firmware Version', hint: 'A11', unknown: 'empty' },
    elevationCutoffSetting: { kind: 'degrees', label: 'Elevation Cutoff Setting', hint: 'deg', unknown: 'nil' },
    ...INSTALLED,
    temperatureStabilization: {
      kind: 'stabilization',
      label: 'Temperature Stabiliz.',
      hint: 'none or tolerance in degrees C',
      aliases: ['temperaturestabilization'],
      unknown: 'nil',
    },
    notes: NOTES,
  },
  order: [
    'notes',
    'manufacturer',
    'serialNumber',
    'type',
    'satelliteSystem',
    'firmwareVersion',
    'elevationCutoffSetting',
    'dateInstalled',
    'dateRemoved',
    'temperatureStabilization',
  ],
};

const ECCENTRICITY = { kind: 'eccentricity', hint: 'F8.4', unknown: 'nil' } as const;

/** GNSS Antenna Information (section 4). */
export const ANTENNAS: SectionOf<'gnssAntennas'> = {
  number: '4',
  heading: 'GNSS Antenna Information',
  repeats: true,
  indent: 5,
  element: 'gnssAntenna',
  id: 'gnss-antenna',
  rows: {
    type: {
      kind: 'code',
      label: 'Antenna Type',
      hint: 'A20, from rcvr_ant.tab; see instructions',
      element: 'igsModelCode',
      sopac: 'antennaType',
      codeList: `${CODE_LIST}#GeodesyML_GNSSAntennaTypeCode`,
    },
    manufacturer: { kind: 'text', element: 'manufacturerName' },
    serialNumber: {
      kind: 'text',
      label: 'Serial Number',
      hint: 'A*, but note the first A5 is used in SINEX',
      element: 'manufacturerSerialNumber',
      sopac: 'serialNumber',
      unknown: 'empty',
    },
    antennaReferencePoint: {
      kind: 'text',
      label: 'Antenna Reference Point',
      hint: 'BPA/BCR/XXX from "antenna.gra"; see instr.',
      codeSpace: 'urn:ga-gov-au:antenna-reference-point-type',
      unknown: 'empty',
    },
    markerArpUpEcc: { ...ECCENTRICITY, label: 'Marker->ARP Up Ecc. (m)', element: 'marker-arpUpEcc.' },
    markerArpNorthEcc: { ...ECCENTRICITY, label: 'Marker->ARP North Ecc(m)', element: 'marker-arpNorthEcc.' },
    markerArpEastEcc: { ...ECCENTRICITY, label: 'Marker->ARP East Ecc(m)', element: 'marker-arpEastEcc.' },
    alignmentFromTrueNorth: { kind: 'degrees', label: 'Alignment from True N', hint: 'deg; + is clockwise/east', unknown: 'nil' },
    antennaRadomeType: {
      kind: 'radome',
      label: 'Antenna Radome Type',
      hint: 'A4 from rcvr_ant.tab; see instructions',
      codeSpace: 'urn:igs-org:gnss-radome-model-code',
      unknown: 'empty',
    },
    radomeSerialNumber: { kind: 'text', label: 'Radome Serial Number', unknown: 'empty' },
    antennaCableType: { kind: 'text', label: 'Antenna Cable Type', hint: 'vendor & type number', unknown: 'empty' },
    antennaCableLength: { kind: 'metres', label: 'Antenna Cable Length', hint: 'm', unknown: 'nil' },
    ...INSTALLED,
    notes: NOTES,
  },
  order: [
    'notes',
    'manufacturer',
    'serialNumber',
    'type',
    'antennaReferencePoint',
    'markerArpUpEcc',
    'markerArpNorthEcc',
    'markerArpEastEcc',
    'alignmentFromTrueNorth',
    'antennaRadomeType',
    'radomeSerialNumber',
    'antennaCableType',
    'antennaCableLength',
    'dateInstalled',
    'dateRemoved',
  ],
};

/** Frequency Standard (section 6). */
export const FREQUENCY_STANDARDS: SectionOf<'frequencyStandards'> = {
  number: '6',
  heading: 'Frequency Standard',
  repeats: true,
  indent: 7,
  element: 'frequencyStandard',
  id: 'frequency-standard',
  rows: {
    type: {
      kind: 'text',
      label: 'Standard Type',
      hint: 'INTERNAL or EXTERNAL H-MASER/CESIUM/etc',
      element: 'standardType',
      codeSpace: 'urn:ga-gov-au:frequency-standard-type',
      unknown: 'empty',
    },
    inputFrequency: { kind: 'megahertz', label: 'Input Frequency', hint: 'if external' },
    effectiveDates: EFFECTIVE_DATES,
    notes: { kind: 'text', label: 'Notes', hint: 'multiple lines', aliases: ['additionalinformation'] },
  },
};
