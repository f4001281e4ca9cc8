import { Type } from '@sinclair/typebox';
import { WrittenDay, WrittenInstant, WrittenNumber, WrittenPeriod, WrittenText } from './site-log-values.js';

/** The instruments of a site log, sections 3 to 8. Section numbers are those of the IGS site log form. */

const LINE = Type.Integer({ minimum: 1, description: 'The line of the site log on which the block starts, counted from 1.' });

/** What GeodesyML says about when a block was entered and withdrawn. The text form has no place for it. */
const CHANGE_TRACKING = {
  dateInserted: WrittenInstant('When the block was entered (GeodesyML dateInserted).'),
  dateDeleted: WrittenInstant('When the block was withdrawn (GeodesyML dateDeleted).'),
  deletedReason: WrittenText('Why the block was withdrawn (GeodesyML deletedReason).'),
};

/** A block of a section that can have several. */
export const Block = <T extends Parameters<typeof Type.Object>[0]>(members: T, description: string) =>
  Type.Object({ line: LINE, ...members, ...CHANGE_TRACKING }, { additionalProperties: false, description });

const notes = (label: string) => WrittenText(`${label}.`);
const installed = {
  dateInstalled: WrittenInstant('Date Installed.'),
  dateRemoved: WrittenInstant('Date Removed; blank while in use.'),
};
const effectiveDates = WrittenPeriod('Effective Dates.');

/** A receiver (section 3). */
export const LoggedReceiver = Block(
  {
    type: WrittenText('Receiver Type.'),
    manufacturer: WrittenText('Manufacturer (GeodesyML only).'),
    satelliteSystem: WrittenText('Satellite System; the value has codes joined by "+".'),
    serialNumber: WrittenText('Serial Number.'),
    firmwareVersion: WrittenText('Firmware Version.'),
    elevationCutoffSetting: WrittenNumber('Elevation Cutoff Setting in degrees.'),
    ...installed,
    temperatureStabilization: WrittenText('Temperature Stabiliz.: "none", or the tolerance in degrees Celsius.'),
    notes: notes('Additional Information'),
  },
  'GNSS Receiver Information (3.x).',
);

/** An antenna (section 4). */
export const LoggedAntenna = Block(
  {
    type: WrittenText('Antenna Type, 20 columns: name and radome.'),
    manufacturer: WrittenText('Manufacturer (GeodesyML only).'),
    serialNumber: WrittenText('Serial Number.'),
    antennaReferencePoint: WrittenText('Antenna Reference Point.'),
    markerArpUpEcc: WrittenNumber('Marker->ARP Up Ecc. in metres.'),
    markerArpNorthEcc: WrittenNumber('Marker->ARP North Ecc in metres.'),
    markerArpEastEcc: WrittenNumber('Marker->ARP East Ecc in metres.'),
    alignmentFromTrueNorth: WrittenNumber('Alignment from True N in degrees, clockwise positive.'),
    antennaRadomeType: WrittenText('Antenna Radome Type; "NONE" means no radome.'),
    radomeSerialNumber: WrittenText('Radome Serial Number.'),
    antennaCableType: WrittenText('Antenna Cable Type.'),
    antennaCableLength: WrittenNumber('Antenna Cable Length in metres.'),
    ...installed,
    notes: notes('Additional Information'),
  },
  'GNSS Antenna Information (4.x).',
);

/** A local tie (section 5). */
export const SurveyedLocalTie = Block(
  {
    tiedMarkerName: WrittenText('Tied Marker Name.'),
    tiedMarkerUsage: WrittenText('Tied Marker Usage.'),
    tiedMarkerCdpNumber: WrittenText('Tied Marker CDP Number.'),
    tiedMarkerDomesNumber: WrittenText('Tied Marker DOMES Number.'),
    dx: WrittenNumber('dx from the GNSS marker to the tied marker, in metres (ITRS).'),
    dy: WrittenNumber('dy from the GNSS marker to the tied marker, in metres (ITRS).'),
    dz: WrittenNumber('dz from the GNSS marker to the tied marker, in metres (ITRS).'),
    localSiteTieAccuracy: WrittenNumber('Accuracy in millimetres.'),
    surveyMethod: WrittenText('Survey method.'),
    dateMeasured: WrittenInstant('Date Measured.'),
    notes: notes('Additional Information'),
  },
  'Surveyed Local Ties (5.x).',
);

/** A frequency standard (section 6). */
export const FrequencyStandard = Block(
  {
    type: WrittenText('Standard Type.'),
    inputFrequency: WrittenNumber('Input Frequency in MHz.'),
    effectiveDates,
    notes: notes('Notes'),
  },
  'Frequency Standard (6.x).',
);

/** A collocated instrument (section 7). */
export const Collocation = Block(
  {
    instrumentType: WrittenText('Instrumentation Type.'),
    status: WrittenText('Status.'),
    effectiveDates,
    notes: notes('Notes'),
  },
  'Collocation Information (7.x).',
);

const sensor = {
  manufacturer: WrittenText('Manufacturer.'),
  serialNumber: WrittenText('Serial Number.'),
};
const sampling = WrittenNumber('Data Sampling Interval in seconds.');
const aspiration = WrittenText('Aspiration.');
const mounted = {
  heightDiffToAntenna: WrittenNumber('Height Diff to Ant in metres.'),
  calibrationDate: WrittenDay('Calibration date.'),
  effectiveDates,
  notes: notes('Notes'),
};

/** A humidity sensor (section 8.1). */
export const LoggedHumiditySensor = Block(
  {
    type: WrittenText('Humidity Sensor Model.'),
    ...sensor,
    dataSamplingInterval: sampling,
    accuracyPercentRelativeHumidity: WrittenNumber('Accuracy in percent of relative humidity.'),
    aspiration,
    ...mounted,
  },
  'Humidity Sensor (8.1.x).',
);

/** A pressure sensor (section 8.2). */
export const LoggedPressureSensor = Block(
  {
    type: WrittenText('Pressure Sensor Model.'),
    ...sensor,
    dataSamplingInterval: sampling,
    accuracyHPa: WrittenNumber('Accuracy in hectopascals.'),
    ...mounted,
  },
  'Pressure Sensor (8.2.x).',
);

/** A temperature sensor (section 8.3). */
export const LoggedTemperatureSensor = Block(
  {
    type: WrittenText('Temp. Sensor Model.'),
    ...sensor,
    dataSamplingInterval: sampling,
    accuracyDegreesCelcius: WrittenNumber('Accuracy in degrees Celsius.'),
    aspiration,
    ...mounted,
  },
  'Temperature Sensor (8.3.x).',
);

/** A water vapour radiometer (section 8.4). */
export const LoggedWaterVaporSensor = Block(
  {
    type: WrittenText('Water Vapor Radiometer.'),
    ...sensor,
    distanceToAntenna: WrittenNumber('Distance to Antenna in metres.'),
    ...mounted,
  },
  'Water Vapor Radiometer (8.4.x).',
);

/** Another instrument (section 8.5). */
export const OtherInstrumentation = Block(
  {
    instrumentation: WrittenText('Other Instrumentation.'),
    effectiveDates: WrittenPeriod('Effective dates (GeodesyML only).'),
    notes: WrittenText('Notes (GeodesyML only).'),
  },
  'Other Instrumentation (8.5.x).',
);
