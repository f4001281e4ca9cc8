import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { INSTRUMENT_SECTIONS, listOf, SURROUNDING_SECTIONS } from './site-log-blocks.js';
import { WrittenDay, WrittenInstant, WrittenNumber, WrittenText } from './site-log-values.js';
import { closed, enumOf } from './values.js';

/** The parts that an organisation or person can have, as GeodesyML names them. */
export const PARTY_ROLES = [
  'siteOwner',
  'siteContact',
  'siteMetadataCustodian',
  'siteDataCenter',
  'siteDataSource',
] as const;

/**
 * A whole site log, sections 0 to 13, as written and as read. Section numbers are those of the IGS
 * site log form. Names follow the siteLogs resource of the reference service where it has them.
 */
export const SiteLogSections = closed(
  'A whole site log, section by section, each value as written and as read.',
  {
    form: enumOf(
      [
        'IGS site log 1',
        'IGS site log 2.0',
        'GeodesyML 0.4',
        'GeodesyML 0.5',
        'GeodesyML 0.6',
        'SOPAC site log 2004',
      ],
      'The form in which the site log was written.',
    ),
    formInformation: closed('Form (0).', {
      preparedBy: WrittenText('Prepared by: a person.'),
      datePrepared: WrittenDay('Date Prepared.'),
      reportType: WrittenText('Report Type.'),
      previousSiteLog: WrittenText('Previous Site Log (text form only).'),
      modifiedSections: WrittenText('Modified/Added Sections (text form and GeodesyML 0.6).'),
    }),
    siteIdentification: closed('Site Identification of the GNSS Monument (1).', {
      siteName: WrittenText('Site Name.'),
      fourCharacterId: WrittenText('Four Character ID.'),
      nineCharacterId: WrittenText(
        'Nine Character ID, or the gml:id of GeodesyML, or the nine characters in the title of ' +
          'version 1.',
      ),
      monumentInscription: WrittenText('Monument Inscription.'),
      iersDOMESNumber: WrittenText('IERS DOMES Number.'),
      cdpNumber: WrittenText('CDP Number.'),
      monumentDescription: WrittenText('Monument Description.'),
      heightOfMonument: WrittenNumber('Height of the Monument in metres.'),
      monumentFoundation: WrittenText('Monument Foundation.'),
      foundationDepth: WrittenNumber('Foundation Depth in metres.'),
      markerDescription: WrittenText('Marker Description.'),
      dateInstalled: WrittenInstant('Date Installed.'),
      geologicCharacteristic: WrittenText('Geologic Characteristic.'),
      bedrockType: WrittenText('Bedrock Type.'),
      bedrockCondition: WrittenText('Bedrock Condition.'),
      fractureSpacing: WrittenText('Fracture Spacing.'),
      faultZonesNearby: WrittenText('Fault zones nearby.'),
      distanceActivity: WrittenText('Distance/activity.'),
      notes: WrittenText('Additional Information.'),
    }),
    siteLocation: closed('Site Location Information (2).', {
      city: WrittenText('City or Town.'),
      state: WrittenText('State or Province.'),
      country: WrittenText(
        'Country, or Country or Region; ' +
          'the value is the ISO 3166-1 alpha-3 code, null if none is known.',
      ),
      countryName: WrittenText('The name that GeodesyML gives beside the code.'),
      tectonicPlate: WrittenText('Tectonic Plate.'),
      referenceFrame: WrittenText(
        'The frame in the heading Approximate Position, if other than ITRF.',
      ),
      x: WrittenNumber('X coordinate in metres (ITRF).'),
      y: WrittenNumber('Y coordinate in metres (ITRF).'),
      z: WrittenNumber('Z coordinate in metres (ITRF).'),
      latitude: WrittenNumber('Latitude in degrees, north positive.'),
      longitude: WrittenNumber('Longitude in degrees, east positive.'),
      elevation: WrittenNumber('Elevation above the ellipsoid in metres.'),
      notes: WrittenText('Additional Information.'),
    }),
    ...INSTRUMENT_SECTIONS,
    ...SURROUNDING_SECTIONS,
    /** Contacts are personal data; organisations are not. */
    responsibleParties: listOf(
      closed(
        'An organisation with a contact (11 and 12). ' +
          'Sections 11 and 12 each have one for the primary and one for the secondary contact.',
        {
          line: Type.Integer({
            minimum: 1,
            description: 'The line of the site log on which it starts, counted from 1.',
          }),
          role: enumOf(
            PARTY_ROLES,
            'siteContact: section 11. siteMetadataCustodian: section 12. ' +
              'The others are in GeodesyML only.',
          ),
          organisation: WrittenText('Agency.'),
          abbreviation: WrittenText('Preferred Abbreviation.'),
          address: WrittenText('Mailing Address.'),
          city: WrittenText('City (GeodesyML only).'),
          administrativeArea: WrittenText('State or province (GeodesyML only).'),
          postalCode: WrittenText('Postal code (GeodesyML only).'),
          country: WrittenText('Country (GeodesyML only).'),
          individualName: WrittenText('Contact Name: a person.'),
          positionName: WrittenText('Position of the person (GeodesyML only).'),
          telephone: WrittenText('Telephone (primary).'),
          secondTelephone: WrittenText('Telephone (secondary).'),
          fax: WrittenText('Fax.'),
          email: WrittenText('E-mail.'),
          notes: WrittenText('Additional Information.'),
          others: WrittenText('Text under labels, or in elements, that are not in the form.'),
        },
      ),
    ),
    moreInformation: closed('More Information (13).', {
      primaryDataCenter: WrittenText('Primary Data Center.'),
      secondaryDataCenter: WrittenText('Secondary Data Center.'),
      urlForMoreInformation: WrittenText('URL for More Information.'),
      siteMap: WrittenText('Site Map.'),
      siteDiagram: WrittenText('Site Diagram.'),
      horizonMask: WrittenText('Horizon Mask.'),
      monumentDescription: WrittenText('Monument Description.'),
      sitePictures: WrittenText('Site Pictures.'),
      notes: WrittenText('Additional Information.'),
      antennaGraphics: WrittenText('Antenna Graphics with Dimensions: a drawing of characters.'),
      textGraphicFromAntenna: WrittenText(
        'The name of a drawing (GeodesyML insertTextGraphicFromAntenna).',
      ),
      doi: WrittenText('Digital object identifier of the data (GeodesyML only).'),
    }),
    metadata: Type.Optional(
      closed(
        'What its publisher says about the site log (GeodesyML 0.6). ' +
          'Left out if the site log gives neither.',
        {
          license: WrittenText('The license of the site log, or its URL.'),
          doi: WrittenText('Digital object identifier of the site log.'),
        },
      ),
    ),
  },
);
/** A whole site log. */
export type SiteLogSections = Static<typeof SiteLogSections>;
