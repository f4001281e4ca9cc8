import type { TProperties, TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import {
  WrittenDay,
  WrittenInstant,
  WrittenNumber,
  WrittenPeriod,
  WrittenText,
} from './site-log-values.js';
import { closed } from './values.js';

/**
 * The sections of a site log that can have several blocks. Section numbers are those of the IGS
 * site log form.
 */

/** A list of what a log has in one section. */
export const listOf = <T extends TSchema>(block: T) =>
  Type.Array(block, { description: `${block.description} In the order of the log.` });

/**
 * The blocks of a section, each with what GeodesyML says about when it was entered and withdrawn.
 * The text form has no place for that.
 */
const blocks = <P extends TProperties>(description: string, members: P) =>
  listOf(
    closed(description, {
      line: Type.Integer({
        minimum: 1,
        description: 'The line on which the block starts, from 1.',
      }),
      ...members,
      dateInserted: WrittenInstant('When it was entered (GeodesyML dateInserted).'),
      dateDeleted: WrittenInstant('When it was withdrawn (GeodesyML dateDeleted).'),
      deletedReason: WrittenText('Why it was withdrawn (GeodesyML deletedReason).'),
    }),
  );

const installed = {
  dateInstalled: WrittenInstant('Date Installed.'),
  dateRemoved: WrittenInstant('Date Removed; blank while in use.'),
};
const effectiveDates = WrittenPeriod('Effective Dates.');
const additional = WrittenText('Additional Information.');
const notes = WrittenText('Notes.');
const sensor = {
  manufacturer: WrittenText('Manufacturer.'),
  serialNumber: WrittenText('Serial Number.'),
};
const dataSamplingInterval = WrittenNumber('Data Sampling Interval in seconds.');
const aspiration = WrittenText('Aspiration.');
const mounted = {
  heightDiffToAntenna: WrittenNumber('Height Diff to Ant in metres.'),
  calibrationDate: WrittenDay('Calibration date.'),
  effectiveDates,
  notes,
};

/** The instruments and the ties (sections 3 to 8). */
export const INSTRUMENT_SECTIONS = {
  gnssReceivers: blocks('GNSS Receiver Information (3.x).', {
    type: WrittenText('Receiver Type.'),
    manufacturer: WrittenText('Manufacturer (GeodesyML only).'),
    satelliteSystem: WrittenText('Satellite System; the value has codes joined by "+".'),
    serialNumber: WrittenText('Serial Number.'),
    firmwareVersion: WrittenText('Firmware Version.'),
    elevationCutoffSetting: WrittenNumber('Elevation Cutoff Setting in degrees.'),
    ...installed,
    temperatureStabilization: WrittenText(
      'Temperature Stabiliz.: "none", or the tolerance in degrees Celsius.',
    ),
    notes: additional,
  }),
  gnssAntennas: blocks('GNSS Antenna Information (4.x).', {
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
    notes: additional,
  }),
  surveyedLocalTies: blocks('Surveyed Local Ties (5.x).', {
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
    notes: additional,
  }),
  frequencyStandards: blocks('Frequency Standard (6.x).', {
    type: WrittenText('Standard Type.'),
    inputFrequency: WrittenNumber('Input Frequency in MHz.'),
    effectiveDates,
    notes,
  }),
  collocationInformation: blocks('Collocation Information (7.x).', {
    instrumentType: WrittenText('Instrumentation Type.'),
    status: WrittenText('Status.'),
    effectiveDates,
    notes,
  }),
  humiditySensors: blocks('Humidity Sensor (8.1.x).', {
    type: WrittenText('Humidity Sensor Model.'),
    ...sensor,
    dataSamplingInterval,
    accuracyPercentRelativeHumidity: WrittenNumber('Accuracy in percent of relative humidity.'),
    aspiration,
    ...mounted,
  }),
  pressureSensors: blocks('Pressure Sensor (8.2.x).', {
    type: WrittenText('Pressure Sensor Model.'),
    ...sensor,
    dataSamplingInterval,
    accuracyHPa: WrittenNumber('Accuracy in hectopascals.'),
    ...mounted,
  }),
  temperatureSensors: blocks('Temperature Sensor (8.3.x).', {
    type: WrittenText('Temp. Sensor Model.'),
    ...sensor,
    dataSamplingInterval,
    accuracyDegreesCelcius: WrittenNumber('Accuracy in degrees Celsius.'),
    aspiration,
    ...mounted,
  }),
  waterVaporSensors: blocks('Water Vapor Radiometer (8.4.x).', {
    type: WrittenText('Water Vapor Radiometer.'),
    ...sensor,
    distanceToAntenna: WrittenNumber('Distance to Antenna in metres.'),
    ...mounted,
  }),
  otherInstrumentation: blocks('Other Instrumentation (8.5.x).', {
    instrumentation: WrittenText('Other Instrumentation.'),
    effectiveDates: WrittenPeriod('Effective dates (GeodesyML only).'),
    notes: WrittenText('Notes (GeodesyML only).'),
  }),
};

/** The surroundings and events (sections 9 and 10). */
export const SURROUNDING_SECTIONS = {
  radioInterferences: blocks('Radio Interferences (9.1.x).', {
    possibleProblemSource: WrittenText('Radio Interferences.'),
    observedDegradations: WrittenText('Observed Degradations.'),
    effectiveDates,
    notes: additional,
  }),
  multipathSources: blocks('Multipath Sources (9.2.x).', {
    possibleProblemSource: WrittenText('Multipath Sources.'),
    effectiveDates,
    notes: additional,
  }),
  signalObstructions: blocks('Signal Obstructions (9.3.x).', {
    possibleProblemSource: WrittenText('Signal Obstructions.'),
    effectiveDates,
    notes: additional,
  }),
  localEpisodicEffects: blocks('Local Episodic Effects (10.x).', {
    effectiveDates: WrittenPeriod('Date.'),
    event: WrittenText('Event.'),
  }),
};
