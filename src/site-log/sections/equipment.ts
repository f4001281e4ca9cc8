import {
  ADDITIONAL_INFORMATION,
  codeSpaceOf,
  EFFECTIVE_DATES,
  NOTES,
  type Row,
  type SectionsOf,
} from './section.js';

const CODE_LIST = 'http://xml.gov.au/icsm/geodesyml/codelists/antenna-receiver-codelists.xml';
const MODEL = {
  kind: 'code',
  hint: 'A20, from rcvr_ant.tab; see instructions',
  element: 'igsModelCode',
  identifies: true,
} as const;
const MANUFACTURER: Row = { element: 'manufacturerName' };
const SERIAL_NUMBER = {
  label: 'Serial Number',
  element: 'manufacturerSerialNumber',
  sopac: 'serialNumber',
  unknown: 'empty',
  identifies: true,
} as const;
const DATE = { kind: 'since1980', hint: 'CCYY-MM-DDThh:mmZ', unknown: 'empty' } as const;
const INSTALLED = {
  dateInstalled: { ...DATE, label: 'Date Installed' },
  dateRemoved: { ...DATE, kind: 'removal', label: 'Date Removed' },
} as const;
/** The values that come first in a receiver or an antenna in GeodesyML. */
const FIRST = ['notes', 'manufacturer', 'serialNumber', 'type'] as const;

const ECCENTRICITY = { kind: 'eccentricity', hint: 'F8.4', unknown: 'nil' } as const;

const component = (axis: 'X' | 'Y' | 'Z'): Row => ({
  kind: 'coordinate',
  label: `d${axis.toLowerCase()} (m)`,
  indent: 7,
  hint: 'm',
  element: `differentialComponentsGNSSMarkerToTiedMonumentITRS/d${axis.toLowerCase()}`,
  sopac: `differentialComponentsGNSSMarkerToTiedMonumentsITRS/d${axis}`,
  unknown: 'NaN',
});

/** Sections 3 to 6: the GNSS equipment, and the ties of its marker to other markers. */
export const EQUIPMENT: SectionsOf<
  'gnssReceivers' | 'gnssAntennas' | 'surveyedLocalTies' | 'frequencyStandards'
> = {
  gnssReceivers: {
    number: '3',
    heading: 'GNSS Receiver Information',
    element: 'gnssReceiver',
    rows: {
      type: {
        ...MODEL,
        label: 'Receiver Type',
        sopac: 'receiverType',
        codeList: `${CODE_LIST}#GeodesyML_GNSSReceiverTypeCode`,
      },
      manufacturer: MANUFACTURER,
      satelliteSystem: {
        kind: 'satellites',
        label: 'Satellite System',
        hint: 'GPS+GLO+GAL+BDS+QZSS+SBAS',
        codeSpace: codeSpaceOf('satellite-system'),
        unknown: 'empty',
      },
      serialNumber: { ...SERIAL_NUMBER, hint: 'A20, but note the first A5 is used in SINEX' },
      firmwareVersion: { kind: 'code', label: 'Firmware Version', hint: 'A11', unknown: 'empty' },
      elevationCutoffSetting: {
        kind: 'degrees',
        label: 'Elevation Cutoff Setting',
        hint: 'deg',
        unknown: 'nil',
      },
      ...INSTALLED,
      temperatureStabilization: {
        kind: 'stabilization',
        label: 'Temperature Stabiliz.',
        hint: 'none or tolerance in degrees C',
        aliases: ['temperaturestabilization'],
        unknown: 'nil',
      },
      notes: ADDITIONAL_INFORMATION,
    },
    first: FIRST,
  },
  gnssAntennas: {
    number: '4',
    heading: 'GNSS Antenna Information',
    element: 'gnssAntenna',
    rows: {
      type: {
        ...MODEL,
        label: 'Antenna Type',
        sopac: 'antennaType',
        codeList: `${CODE_LIST}#GeodesyML_GNSSAntennaTypeCode`,
      },
      manufacturer: MANUFACTURER,
      serialNumber: { ...SERIAL_NUMBER, hint: 'A*, but note the first A5 is used in SINEX' },
      antennaReferencePoint: {
        label: 'Antenna Reference Point',
        hint: 'BPA/BCR/XXX from "antenna.gra"; see instr.',
        codeSpace: codeSpaceOf('antenna-reference-point'),
        unknown: 'empty',
      },
      markerArpUpEcc: {
        ...ECCENTRICITY,
        label: 'Marker->ARP Up Ecc. (m)',
        aliases: ['antennaheightm', 'markerarpupm'],
        element: 'marker-arpUpEcc.',
      },
      markerArpNorthEcc: {
        ...ECCENTRICITY,
        label: 'Marker->ARP North Ecc(m)',
        aliases: ['markerarpnorthm'],
        element: 'marker-arpNorthEcc.',
      },
      markerArpEastEcc: {
        ...ECCENTRICITY,
        label: 'Marker->ARP East Ecc(m)',
        aliases: ['markerarpeastm'],
        element: 'marker-arpEastEcc.',
      },
      alignmentFromTrueNorth: {
        kind: 'azimuth',
        label: 'Alignment from True N',
        aliases: ['degreeoffsetfromnorth'],
        hint: 'deg; + is clockwise/east',
        unknown: 'nil',
      },
      antennaRadomeType: {
        kind: 'radome',
        label: 'Antenna Radome Type',
        hint: 'A4 from rcvr_ant.tab; see instructions',
        codeSpace: 'urn:igs-org:gnss-radome-model-code',
        unknown: 'empty',
        identifies: true,
      },
      radomeSerialNumber: { label: 'Radome Serial Number', unknown: 'empty', identifies: true },
      antennaCableType: {
        label: 'Antenna Cable Type',
        hint: 'vendor & type number',
        unknown: 'empty',
      },
      antennaCableLength: {
        kind: 'metres',
        label: 'Antenna Cable Length',
        hint: 'm',
        unknown: 'nil',
      },
      ...INSTALLED,
      notes: ADDITIONAL_INFORMATION,
    },
    first: FIRST,
  },
  surveyedLocalTies: {
    number: '5',
    heading: 'Surveyed Local Ties',
    element: 'surveyedLocalTie',
    sopac: 'surveyedLocalTies',
    id: 'local-tie',
    rows: {
      tiedMarkerName: { label: 'Tied Marker Name', unknown: 'empty' },
      tiedMarkerUsage: {
        label: 'Tied Marker Usage',
        hint: 'SLR/VLBI/LOCAL CONTROL/FOOTPRINT/etc',
        unknown: 'empty',
      },
      tiedMarkerCdpNumber: {
        label: 'Tied Marker CDP Number',
        hint: 'A4',
        element: 'tiedMarkerCDPNumber',
        unknown: 'empty',
        identifies: true,
      },
      tiedMarkerDomesNumber: {
        label: 'Tied Marker DOMES Number',
        hint: 'A9',
        element: 'tiedMarkerDOMESNumber',
        unknown: 'empty',
        identifies: true,
      },
      dx: {
        ...component('X'),
        before: '     Differential Components from GNSS Marker to the tied monument (ITRS)',
      },
      dy: component('Y'),
      dz: component('Z'),
      localSiteTieAccuracy: {
        kind: 'millimetres',
        label: 'Accuracy (mm)',
        hint: 'mm',
        element: 'localSiteTiesAccuracy',
        unknown: 'nil',
      },
      surveyMethod: {
        label: 'Survey method',
        hint: 'GPS CAMPAIGN/TRILATERATION/TRIANGULATION/etc',
        unknown: 'empty',
      },
      dateMeasured: {
        kind: 'instant',
        label: 'Date Measured',
        hint: 'CCYY-MM-DDThh:mmZ',
        unknown: 'empty',
      },
      notes: { ...ADDITIONAL_INFORMATION, aliases: ['notes'] },
    },
  },
  frequencyStandards: {
    number: '6',
    heading: 'Frequency Standard',
    indent: 7,
    element: 'frequencyStandard',
    rows: {
      type: {
        label: 'Standard Type',
        hint: 'INTERNAL or EXTERNAL H-MASER/CESIUM/etc',
        element: 'standardType',
        codeSpace: codeSpaceOf('frequency-standard'),
        unknown: 'empty',
        identifies: true,
      },
      inputFrequency: { kind: 'megahertz', label: 'Input Frequency', hint: 'if external' },
      effectiveDates: EFFECTIVE_DATES,
      notes: NOTES,
    },
  },
};
