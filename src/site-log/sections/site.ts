import type { Row, SectionOf } from './section.js';

/** Sections 0, 1 and 2: the form, the monument and its place. */

/** Form (section 0). */
export const FORM: SectionOf<'formInformation'> = {
  number: '0',
  heading: 'Form',
  repeats: false,
  indent: 5,
  element: 'formInformation',
  flat: true,
  id: 'form-information',
  rows: {
    preparedBy: { kind: 'text', label: 'Prepared by (full name)', aliases: ['preparedby'], unknown: 'empty', personal: true },
    datePrepared: { kind: 'day', label: 'Date Prepared', hint: 'CCYY-MM-DD', unknown: 'empty' },
    reportType: { kind: 'text', label: 'Report Type', hint: 'NEW/UPDATE', unknown: 'empty' },
    previousSiteLog: {
      kind: 'text',
      label: 'Previous Site Log',
      indent: 6,
      before: '     If Update:',
      hint: 'ssss_ccyymmdd.log',
      element: null,
      sopac: 'previousLog',
    },
    modifiedSections: {
      kind: 'text',
      label: 'Modified/Added Sections',
      indent: 6,
      hint: 'n.n,n.n,...',
      element: null,
      sopac: 'modifiedSections',
    },
  },
  order: ['preparedBy', 'datePrepared', 'reportType'],
};

/** Site Identification of the GNSS Monument (section 1). */
export const IDENTIFICATION: SectionOf<'siteIdentification'> = {
  number: '1',
  heading: 'Site Identification of the GNSS Monument',
  repeats: false,
  indent: 5,
  element: 'siteIdentification',
  flat: true,
  id: 'site-identification',
  rows: {
    siteName: { kind: 'text', label: 'Site Name', unknown: 'empty' },
    fourCharacterId: { kind: 'code', label: 'Four Character ID', hint: 'A4', element: 'fourCharacterID', unknown: 'empty' },
    nineCharacterId: { kind: 'code', label: 'Nine Character ID', hint: 'A9', element: 'nineCharacterID' },
    monumentInscription: { kind: 'text', label: 'Monument Inscription' },
    iersDOMESNumber: { kind: 'text', label: 'IERS DOMES Number', hint: 'A9', unknown: 'empty' },
    cdpNumber: { kind: 'text', label: 'CDP Number', hint: 'A4', unknown: 'empty' },
    monumentDescription: {
      kind: 'text',
      label: 'Monument Description',
      hint: 'PILLAR/BRASS PLATE/STEEL MAST/etc',
      codeSpace: 'urn:ga-gov-au:monument-description-type',
    },
    heightOfMonument: { kind: 'metres', label: 'Height of the Monument', indent: 7, hint: 'm', element: 'heightOfTheMonument' },
    monumentFoundation: { kind: 'text', label: 'Monument Foundation', indent: 7, hint: 'STEEL RODS, CONCRETE BLOCK, ROOF, etc' },
    foundationDepth: { kind: 'metres', label: 'Foundation Depth', indent: 7, hint: 'm' },
    markerDescription: { kind: 'text', label: 'Marker Description', hint: 'CHISELLED CROSS/DIVOT/BRASS NAIL/etc' },
    dateInstalled: { kind: 'instant', label: 'Date Installed', hint: 'CCYY-MM-DDThh:mmZ' },
    geologicCharacteristic: {
      kind: 'text',
      label: 'Geologic Characteristic',
      hint: 'BEDROCK/CLAY/CONGLOMERATE/GRAVEL/SAND/etc',
      codeSpace: 'urn:ga-gov-au:geologic-characteristic-type',
    },
    bedrockType: { kind: 'text', label: 'Bedrock Type', indent: 7, hint: 'IGNEOUS/METAMORPHIC/SEDIMENTARY' },
    bedrockCondition: { kind: 'text', label: 'Bedrock Condition', indent: 7, hint: 'FRESH/JOINTED/WEATHERED' },
    fractureSpacing: { kind: 'text', label: 'Fracture Spacing', indent: 7, hint: '1-10 cm/11-50 cm/51-200 cm/over 200 cm' },
    faultZonesNearby: {
      kind: 'text',
      label: 'Fault zones nearby',
      indent: 7,
      hint: 'YES/NO/Name of the zone',
      codeSpace: 'urn:ga-gov-au:fault-zones-type',
    },
    distanceActivity: { kind: 'text', label: 'Distance/activity', indent: 9, hint: 'multiple lines', element: 'distance-Activity' },
    notes: { kind: 'text', label: 'Additional Information', hint: 'multiple lines' },
  },
  // The writer adds the two numbers of the nine-character id behind the four-character id.
  order: [
    'siteName',
    'fourCharacterId',
    'monumentInscription',
    'iersDOMESNumber',
    'cdpNumber',
    'monumentDescription',
    'heightOfMonument',
    'monumentFoundation',
    'foundationDepth',
    'markerDescription',
    'dateInstalled',
    'geologicCharacteristic',
    'bedrockType',
    'bedrockCondition',
    'fractureSpacing',
    'faultZonesNearby',
    'distanceActivity',
    'notes',
  ],
};

const CARTESIAN = 'approximatePositionITRF/cartesianPosition/gml:Point/gml:pos';
const GEODETIC = 'approximatePositionITRF/geodeticPosition/gml:Point/gml:pos';
const SOPAC_POSITION = 'approximatePositionITRF';
const coordinate = (axis: 'X' | 'Y' | 'Z', word: number): Row => ({
  kind: 'coordinate',
  label: `${axis} coordinate (m)`,
  indent: 7,
  element: `${CARTESIAN}#${word}`,
  sopac: `${SOPAC_POSITION}/${axis.toLowerCase()}CoordinateInMeters`,
});

/** Site Location Information (section 2). */
export const LOCATION: SectionOf<'siteLocation'> = {
  number: '2',
  heading: 'Site Location Information',
  repeats: false,
  indent: 5,
  element: 'siteLocation',
  flat: true,
  id: 'site-location',
  rows: {
    city: { kind: 'text', label: 'City or Town', unknown: 'empty' },
    state: { kind: 'text', label: 'State or Province', unknown: 'empty' },
    country: {
      kind: 'country',
      label: 'Country',
      label2: 'Country or Region',
      element: 'countryCodeISO',
      sopac: 'country',
      codeList: 'http://xml.gov.au/icsm/geodesyml/codelists/country-codes-codelist.xml#GeodesyML_CountryCode',
      unknown: 'empty',
    },
    countryName: { kind: 'country', element: 'countryCodeISO@codeListValue' },
    tectonicPlate: { kind: 'text', label: 'Tectonic Plate', codeSpace: 'urn:ga-gov-au:plate-type', unknown: 'empty' },
    x: { ...coordinate('X', 1), before: '     Approximate Position (ITRF)' },
    y: coordinate('Y', 2),
    z: coordinate('Z', 3),
    latitude: {
      kind: 'latitude',
      label: 'Latitude (N is +)',
      indent: 7,
      hint: '+/-DDMMSS.SS',
      element: `${GEODETIC}#1`,
      sopac: `${SOPAC_POSITION}/latitude-North`,
    },
    longitude: {
      kind: 'longitude',
      label: 'Longitude (E is +)',
      indent: 7,
      hint: '+/-DDDMMSS.SS',
      element: `${GEODETIC}#2`,
      sopac: `${SOPAC_POSITION}/longitude-East`,
    },
    elevation: {
      kind: 'coordinate',
      label: 'Elevation (m,ellips.)',
      aliases: ['elevationm'],
      indent: 7,
      hint: 'F7.1',
      element: `${GEODETIC}#3`,
      sopac: `${SOPAC_POSITION}/elevation-m_ellips.`,
    },
    notes: { kind: 'text', label: 'Additional Information', hint: 'multiple lines', unknown: 'empty' },
  },
  order: ['city', 'state', 'country', 'tectonicPlate', 'x', 'y', 'z', 'latitude', 'longitude', 'elevation', 'notes'],
};
