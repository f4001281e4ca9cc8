import { type Static, type TSchema, Type } from '@sinclair/typebox';
import * as equipment from './site-log-equipment.js';
import { WrittenDay, WrittenInstant, WrittenNumber, WrittenPeriod, WrittenText } from './site-log-values.js';

/**
 * A whole site log, sections 0 to 13. Section numbers are those of the IGS site log form. Names follow the siteLogs resource
 * of the reference service where it has them.
 */

const closed = (description: string) => ({ additionalProperties: false, description });
const { Block } = equipment;

/** Form (section 0). */
export const FormInformation = Type.Object(
  {
    preparedBy: WrittenText('Prepared by: a person.'),
    datePrepared: WrittenDay('Date Prepared.'),
    reportType: WrittenText('Report Type.'),
    previousSiteLog: WrittenText('Previous Site Log (text form only).'),
    modifiedSections: WrittenText('Modified/Added Sections (text form only).'),
  },
  closed('Form (0).'),
);

/** Site Identification of the GNSS Monument (section 1). */
export const LoggedIdentification = Type.Object(
  {
    siteName: WrittenText('Site Name.'),
    fourCharacterId: WrittenText('Four Character ID.'),
    nineCharacterId: WrittenText('Nine Character ID.'),
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
  },
  closed('Site Identification of the GNSS Monument (1).'),
);

/** Site Location Information (section 2). */
export const LoggedLocation = Type.Object(
  {
    city: WrittenText('City or Town.'),
    state: WrittenText('State or Province.'),
    country: WrittenText('Country, or Country or Region; the value is the ISO 3166-1 alpha-3 code, null if none is known.'),
    countryName: WrittenText('The name that GeodesyML gives beside the code.'),
    tectonicPlate: WrittenText('Tectonic Plate.'),
    x: WrittenNumber('X coordinate in metres (ITRF).'),
    y: WrittenNumber('Y coordinate in metres (ITRF).'),
    z: WrittenNumber('Z coordinate in metres (ITRF).'),
    latitude: WrittenNumber('Latitude in degrees, north positive.'),
    longitude: WrittenNumber('Longitude in degrees, east positive.'),
    elevation: WrittenNumber('Elevation above the ellipsoid in metres.'),
    notes: WrittenText('Additional Information.'),
  },
  closed('Site Location Information (2).'),
);

const effectiveDates = WrittenPeriod('Effective Dates.');
const notes = WrittenText('Additional Information.');

/** Radio Interferences (section 9.1). */
export const RadioInterference = Block(
  {
    possibleProblemSource: WrittenText('Radio Interferences.'),
    observedDegradations: WrittenText('Observed Degradations.'),
    effectiveDates,
    notes,
  },
  'Radio Interferences (9.1.x).',
);

/** Multipath Sources (section 9.2). */
export const MultipathSource = Block(
  { possibleProblemSource: WrittenText('Multipath Sources.'), effectiveDates, notes },
  'Multipath Sources (9.2.x).',
);

/** Signal Obstructions (section 9.3). */
export const SignalObstruction = Block(
  { possibleProblemSource: WrittenText('Signal Obstructions.'), effectiveDates, notes },
  'Signal Obstructions (9.3.x).',
);

/** Local Episodic Effects (section 10). */
export const LocalEpisodicEffect = Block(
  { effectiveDates: WrittenPeriod('Date.'), event: WrittenText('Event.') },
  'Local Episodic Effects (10.x).',
);

/** The parts that an organisation or person can have, as GeodesyML names them. */
export const PARTY_ROLES = ['siteOwner', 'siteContact', 'siteMetadataCustodian', 'siteDataCenter', 'siteDataSource'] as const;

/** One organisation with one contact (sections 11 and 12). Contacts are personal data; organisations are not. */
export const ResponsibleParty = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'The line of the site log on which it starts, counted from 1.' }),
    role: Type.Union(
      PARTY_ROLES.map((role) => Type.Literal(role)),
      { description: 'siteContact: section 11. siteMetadataCustodian: section 12. The others are in GeodesyML only.' },
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
    others: WrittenText('What is under labels, or in elements, that the form does not have.'),
  },
  closed('An organisation with a contact (11 and 12). Section 11 and 12 have one for each of the primary and secondary contact.'),
);

/** More Information (section 13). */
export const MoreInformation = Type.Object(
  {
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
    textGraphicFromAntenna: WrittenText('The name of a drawing (GeodesyML insertTextGraphicFromAntenna).'),
    doi: WrittenText('Digital object identifier of the data (GeodesyML only).'),
  },
  closed('More Information (13).'),
);

const list = <T extends TSchema>(block: T) => Type.Array(block, { description: `${block.description} In the order of the log.` });

/** A whole site log, section by section, as written and as read. */
export const SiteLogSections = Type.Object(
  {
    form: Type.Union(
      ['IGS site log 1', 'IGS site log 2.0', 'GeodesyML 0.4', 'GeodesyML 0.5', 'GeodesyML 0.6', 'SOPAC site log 2004'].map((form) =>
        Type.Literal(form),
      ),
      { description: 'The form in which the site log was written.' },
    ),
    formInformation: FormInformation,
    siteIdentification: LoggedIdentification,
    siteLocation: LoggedLocation,
    gnssReceivers: list(equipment.LoggedReceiver),
    gnssAntennas: list(equipment.LoggedAntenna),
    surveyedLocalTies: list(equipment.SurveyedLocalTie),
    frequencyStandards: list(equipment.FrequencyStandard),
    collocationInformation: list(equipment.Collocation),
    humiditySensors: list(equipment.LoggedHumiditySensor),
    pressureSensors: list(equipment.LoggedPressureSensor),
    temperatureSensors: list(equipment.LoggedTemperatureSensor),
    waterVaporSensors: list(equipment.LoggedWaterVaporSensor),
    otherInstrumentation: list(equipment.OtherInstrumentation),
    radioInterferences: list(RadioInterference),
    multipathSources: list(MultipathSource),
    signalObstructions: list(SignalObstruction),
    localEpisodicEffects: list(LocalEpisodicEffect),
    responsibleParties: list(ResponsibleParty),
    moreInformation: MoreInformation,
  },
  closed('A whole site log, section by section, each value as written and as read.'),
);
/** A whole site log. */
export type SiteLogSections = Static<typeof SiteLogSections>;
