import * as Type from '@sinclair/typebox';
import { closed, NullableDay, NullableDecimal, NullableNumber, NullableString } from './values.js';

/**
 * The identity and the configuration of each kind of equipment: first those that Setups have, then
 * the other instruments (8.2 to 8.5). Section numbers are those of the IGS site log form.
 */

const kindOf = <T extends string>(equipmentType: T) =>
  Type.Literal(equipmentType, { description: 'The kind of equipment.' });
const manufacturer = NullableString(
  'Manufacturer. ' + 'The IGS form asks for it only for humidity sensors (8.1).',
);
const notes = (section: string) =>
  NullableString(`Remarks, with lines joined by a space (site log ${section}).`);

/** Identity of a GNSS receiver (site log section 3). */
export const GnssReceiverId = closed(
  'Identity of a GNSS receiver: one device per (type, serialNumber).',
  {
    type: NullableString('Receiver Type, as named in the IGS table rcvr_ant.tab (3.x).'),
    equipmentType: kindOf('gnss receiver'),
    manufacturer,
    serialNumber: NullableString('Serial Number (3.x).'),
  },
);

/** How a GNSS receiver was configured (site log section 3). */
export const GnssReceiverConfiguration = closed('Configuration of a GNSS receiver.', {
  firmwareVersion: NullableString('Firmware Version (3.x).'),
  satelliteSystem: NullableString(
    'Satellite systems tracked, joined by "+": GPS, GLO, GAL, BDS, QZSS, IRNSS, SBAS (3.x ' +
      'Satellite System).',
  ),
  elevetionCutoffSetting: NullableDecimal(
    'Elevation Cutoff Setting in degrees (3.x). ' +
      'The misspelling of the name is part of the contract.',
  ),
  temperatureStabilization: NullableString(
    'Temperature Stabiliz. (3.x): ' +
      '"none", or the tolerance in degrees Celsius as worded in the site log.',
  ),
  notes: notes('3.x, Additional Information'),
});

/** Identity of a GNSS antenna (site log section 4). */
export const GnssAntennaId = closed(
  'Identity of a GNSS antenna: one device per (type, serialNumber).',
  {
    type: NullableString(
      'Antenna Type (4.x), 20 columns: the name in columns 1-16, the radome code in 17-20. ' +
        'Spaces are significant.',
    ),
    equipmentType: kindOf('gnss antenna'),
    manufacturer,
    serialNumber: NullableString('Serial Number (4.x).'),
  },
);

/** How a GNSS antenna was mounted (site log section 4). */
export const GnssAntennaConfiguration = closed('Configuration of a GNSS antenna.', {
  antennaReferencePoint: NullableString(
    'Antenna Reference Point, as a code from antenna.gra (4.x).',
  ),
  markerArpUpEccentricity: NullableNumber('Marker->ARP Up Ecc. in metres (4.x).'),
  markerArpNorthEccentricity: NullableNumber('Marker->ARP North Ecc. in metres (4.x).'),
  markerArpEastEccentricity: NullableNumber('Marker->ARP East Ecc. in metres (4.x).'),
  alignmentFromTrueNorth: NullableDecimal(
    'Alignment from True N in degrees, clockwise positive (4.x).',
  ),
  radomeType: NullableString('Antenna Radome Type, as an IGS code; "NONE" means no radome (4.x).'),
  radomeSerialNumber: NullableString('Radome Serial Number (4.x).'),
  antennaCableType: NullableString('Antenna Cable Type, vendor and type number (4.x).'),
  antennaCableLength: NullableDecimal('Antenna Cable Length in metres (4.x).'),
  notes: notes('4.x, Additional Information'),
});

const sensor = (section: string) => ({
  manufacturer: NullableString(`Manufacturer (${section}).`),
  serialNumber: NullableString(`Serial Number (${section}).`),
});
const aspiration = (section: string) =>
  NullableString(`Aspiration: UNASPIRATED, NATURAL, FAN, ... (${section}).`);

/** Identity of a humidity sensor (site log section 8.1). */
export const HumiditySensorId = closed(
  'Identity of a humidity sensor: one device per (type, serialNumber).',
  {
    type: NullableString('Humidity Sensor Model (8.1.x).'),
    equipmentType: kindOf('humidity sensor'),
    ...sensor('8.1.x'),
    aspiration: aspiration('8.1.x'),
  },
);

/** How a humidity sensor was mounted (site log section 8.1). */
export const HumiditySensorConfiguration = closed('Configuration of a humidity sensor.', {
  heightDiffToAntenna: NullableDecimal(
    'Height Diff to Ant in metres, positive if the sensor is above the antenna (8.1.x).',
  ),
  notes: notes('8.1.x, Notes'),
});

/** Identity of a clock (site log section 6, Frequency Standard). */
export const ClockId = closed('Identity of a clock: one device per type.', {
  type: NullableString('Standard Type: INTERNAL, EXTERNAL H-MASER, ... (6.x).'),
  equipmentType: kindOf('clock'),
  manufacturer,
  serialNumber: NullableString('Always null: site logs have no serial number for clocks.'),
});

/** How a clock was connected (site log section 6). */
export const ClockConfiguration = closed('Configuration of a clock.', {
  inputFrequency: NullableDecimal('Input Frequency in MHz, for external clocks (6.x).'),
});

const sampling = (section: string) =>
  NullableDecimal(`Data Sampling Interval in seconds (${section}).`);
const mounted = (section: string) => ({
  heightDiffToAntenna: NullableDecimal(
    `Height Diff to Ant in metres, positive if the instrument is above the antenna (${section}).`,
  ),
  calibrationDate: NullableDay(`Calibration date, YYYY-MM-DD (${section}).`),
  notes: notes(`${section}, Notes`),
});

/** Identity of a pressure sensor (site log section 8.2). */
export const PressureSensorId = closed(
  'Identity of a pressure sensor: one device per (type, serialNumber).',
  {
    type: NullableString('Pressure Sensor Model (8.2.x).'),
    equipmentType: kindOf('pressure sensor'),
    ...sensor('8.2.x'),
  },
);

/** How a pressure sensor was mounted and read (site log section 8.2). */
export const PressureSensorConfiguration = closed('Configuration of a pressure sensor.', {
  dataSamplingInterval: sampling('8.2.x'),
  accuracy: NullableDecimal('Accuracy in hectopascals (8.2.x).'),
  ...mounted('8.2.x'),
});

/** Identity of a temperature sensor (site log section 8.3). */
export const TemperatureSensorId = closed(
  'Identity of a temperature sensor: one device per (type, serialNumber).',
  {
    type: NullableString('Temp. Sensor Model (8.3.x).'),
    equipmentType: kindOf('temperature sensor'),
    ...sensor('8.3.x'),
  },
);

/** How a temperature sensor was mounted and read (site log section 8.3). */
export const TemperatureSensorConfiguration = closed('Configuration of a temperature sensor.', {
  dataSamplingInterval: sampling('8.3.x'),
  accuracy: NullableDecimal('Accuracy in degrees Celsius (8.3.x).'),
  aspiration: aspiration('8.3.x'),
  ...mounted('8.3.x'),
});

/** Identity of a water vapour radiometer (site log section 8.4). */
export const WaterVaporSensorId = closed(
  'Identity of a water vapour radiometer: one device per (type, serialNumber).',
  {
    type: NullableString('Water Vapor Radiometer (8.4.x).'),
    equipmentType: kindOf('water vapor sensor'),
    ...sensor('8.4.x'),
  },
);

/** How a water vapour radiometer was mounted (site log section 8.4). */
export const WaterVaporSensorConfiguration = closed('Configuration of a water vapour radiometer.', {
  distanceToAntenna: NullableDecimal('Distance to Antenna in metres (8.4.x).'),
  ...mounted('8.4.x'),
});

/** Identity of another instrument (site log section 8.5), for which a log has only a text. */
export const OtherInstrumentId = closed('Identity of another instrument: one device per type.', {
  type: NullableString('Other Instrumentation, with lines joined by a space (8.5.x).'),
  equipmentType: kindOf('other instrument'),
  manufacturer: NullableString(
    'Always null: site logs have no manufacturer for other instruments.',
  ),
  serialNumber: NullableString(
    'Always null: site logs have no serial number for other instruments.',
  ),
});

/** What a log says about another instrument (site log section 8.5). */
export const OtherInstrumentConfiguration = closed('Configuration of another instrument.', {
  notes: NullableString('Remarks; only GeodesyML has them.'),
});
