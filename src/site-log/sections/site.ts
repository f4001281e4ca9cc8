import { ADDITIONAL_INFORMATION, codeSpaceOf, type Row, type SectionsOf } from './section.js';

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

/** The line above the approximate position. */
export const positionHeading = (frame: string): string => `     Approximate Position (${frame})`;
/** That line, with another frame than the form has. */
export const POSITION_HEADING = /^approximate position\s?\(([a-z][\w .-]{1,39})\)\s?:?$/i;

/** Sections 0, 1 and 2: the form, the monument and its place. */
export const SITE: SectionsOf<'formInformation' | 'siteIdentification' | 'siteLocation'> = {
  formInformation: {
    number: '0',
    heading: 'Form',
    once: true,
    element: 'formInformation',
    rows: {
      preparedBy: {
        label: 'Prepared by (full name)',
        aliases: ['preparedby'],
        unknown: 'empty',
        personal: true,
      },
      datePrepared: { kind: 'day', label: 'Date Prepared', hint: 'CCYY-MM-DD', unknown: 'empty' },
      reportType: { label: 'Report Type', hint: 'NEW/UPDATE', unknown: 'empty' },
      previousSiteLog: {
        label: 'Previous Site Log',
        indent: 6,
        before: '     If Update:',
        hint: 'ssss_ccyymmdd.log',
        element: null,
        sopac: 'previousLog',
      },
      modifiedSections: {
        label: 'Modified/Added Sections',
        indent: 6,
        hint: 'n.n,n.n,...',
        element: null,
        sopac: 'modifiedSections',
      },
    },
  },
  siteIdentification: {
    number: '1',
    heading: 'Site Identification of the GNSS Monument',
    once: true,
    element: 'siteIdentification',
    rows: {
      siteName: { label: 'Site Name', unknown: 'empty', public: 'text' },
      fourCharacterId: {
        kind: 'code',
        label: 'Four Character ID',
        hint: 'A4',
        element: 'fourCharacterID',
        unknown: 'empty',
        identifies: true,
      },
      nineCharacterId: {
        kind: 'code',
        label: 'Nine Character ID',
        hint: 'A9',
        element: 'nineCharacterID',
        identifies: true,
      },
      monumentInscription: { label: 'Monument Inscription' },
      iersDOMESNumber: {
        label: 'IERS DOMES Number',
        hint: 'A9',
        unknown: 'empty',
        identifies: true,
      },
      cdpNumber: { label: 'CDP Number', hint: 'A4', unknown: 'empty', identifies: true },
      monumentDescription: {
        label: 'Monument Description',
        hint: 'PILLAR/BRASS PLATE/STEEL MAST/etc',
        codeSpace: codeSpaceOf('monument-description'),
      },
      heightOfMonument: {
        kind: 'metres',
        label: 'Height of the Monument',
        indent: 7,
        hint: 'm',
        element: 'heightOfTheMonument',
      },
      monumentFoundation: {
        label: 'Monument Foundation',
        indent: 7,
        hint: 'STEEL RODS, CONCRETE BLOCK, ROOF, etc',
      },
      foundationDepth: { kind: 'metres', label: 'Foundation Depth', indent: 7, hint: 'm' },
      markerDescription: {
        label: 'Marker Description',
        hint: 'CHISELLED CROSS/DIVOT/BRASS NAIL/etc',
      },
      dateInstalled: { kind: 'instant', label: 'Date Installed', hint: 'CCYY-MM-DDThh:mmZ' },
      geologicCharacteristic: {
        label: 'Geologic Characteristic',
        hint: 'BEDROCK/CLAY/CONGLOMERATE/GRAVEL/SAND/etc',
        codeSpace: codeSpaceOf('geologic-characteristic'),
      },
      bedrockType: { label: 'Bedrock Type', indent: 7, hint: 'IGNEOUS/METAMORPHIC/SEDIMENTARY' },
      bedrockCondition: { label: 'Bedrock Condition', indent: 7, hint: 'FRESH/JOINTED/WEATHERED' },
      fractureSpacing: {
        label: 'Fracture Spacing',
        indent: 7,
        hint: '1-10 cm/11-50 cm/51-200 cm/over 200 cm',
      },
      faultZonesNearby: {
        label: 'Fault zones nearby',
        indent: 7,
        hint: 'YES/NO/Name of the zone',
        codeSpace: codeSpaceOf('fault-zones'),
      },
      distanceActivity: {
        label: 'Distance/activity',
        indent: 9,
        hint: 'multiple lines',
        element: 'distance-Activity',
      },
      notes: ADDITIONAL_INFORMATION,
    },
  },
  siteLocation: {
    number: '2',
    heading: 'Site Location Information',
    once: true,
    element: 'siteLocation',
    rows: {
      city: { label: 'City or Town', unknown: 'empty', public: 'name' },
      state: { label: 'State or Province', unknown: 'empty', public: 'name' },
      country: {
        kind: 'country',
        label: 'Country',
        label2: 'Country or Region',
        element: 'countryCodeISO',
        sopac: 'country',
        codeList:
          'http://xml.gov.au/icsm/geodesyml/codelists/country-codes-codelist.xml#GeodesyML_CountryCode',
        unknown: 'empty',
        public: 'name',
      },
      countryName: {
        kind: 'country',
        element: 'countryCodeISO@codeListValue',
        public: 'name',
      },
      tectonicPlate: { label: 'Tectonic Plate', codeSpace: codeSpaceOf('plate'), unknown: 'empty' },
      referenceFrame: { kind: 'code', element: null },
      x: { ...coordinate('X', 1), before: positionHeading('ITRF') },
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
      notes: { ...ADDITIONAL_INFORMATION, unknown: 'empty' },
    },
  },
};
