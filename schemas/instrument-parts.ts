import { Type } from '@sinclair/typebox';
import { NullableDecimal, NullableString } from './values.js';

/**
 * The identity and the configuration of each kind of instrument that is not part of a Setup (site log sections 8.2 to 8.5). As for
 * humidity sensors, numbers in the configuration are strings.
 */

const closed = (description: string) => ({ additionalProperties: false, description });

const serial = (section: string) => ({
  manufacturer: NullableString({ description: `Manufacturer (${section}).` }),
  serialNumber: NullableString({ description: `Serial Number (${section}).` }),
});
const sampling = (section: string) => NullableDecimal({ description: `Data Sampling Interval in seconds (${section}).` });
const mounted = (section: string) => ({
  heightDiffToAntenna: NullableDecimal({
    description: `Height Diff to Ant in metres, positive if the instrument is above the antenna (${section}).`,
  }),
  calibrationDate: NullableString({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    description: `Calibration date, YYYY-MM-DD (${section}).`,
  }),
  notes: NullableString({ description: `Remarks, with lines joined by a space (site log ${section}, Notes).` }),
});

/** Identity of a pressure sensor (site log section 8.2). */
export const PressureSensorId = Type.Object(
  {
    type: NullableString({ description: 'Pressure Sensor Model (8.2.x).' }),
    equipmentType: Type.Literal('pressure sensor', { description: 'The kind of equipment.' }),
    ...serial('8.2.x'),
  },
  closed('Identity of a pressure sensor: one device per (type, serialNumber).'),
);

/** How a pressure sensor was mounted and read (site log section 8.2). */
export const PressureSensorConfiguration = Type.Object(
  {
    dataSamplingInterval: sampling('8.2.x'),
    accuracy: NullableDecimal({ description: 'Accuracy in hectopascals (8.2.x).' }),
    ...mounted('8.2.x'),
  },
  closed('Configuration of a pressure sensor.'),
);

/** Identity of a temperature sensor (site log section 8.3). */
export const TemperatureSensorId = Type.Object(
  {
    type: NullableString({ description: 'Temp. Sensor Model (8.3.x).' }),
    equipmentType: Type.Literal('temperature sensor', { description: 'The kind of equipment.' }),
    ...serial('8.3.x'),
  },
  closed('Identity of a temperature sensor: one device per (type, serialNumber).'),
);

/** How a temperature sensor was mounted and read (site log section 8.3). */
export const TemperatureSensorConfiguration = Type.Object(
  {
    dataSamplingInterval: sampling('8.3.x'),
    accuracy: NullableDecimal({ description: 'Accuracy in degrees Celsius (8.3.x).' }),
    aspiration: NullableString({ description: 'Aspiration: UNASPIRATED, NATURAL, FAN, ... (8.3.x).' }),
    ...mounted('8.3.x'),
  },
  closed('Configuration of a temperature sensor.'),
);

/** Identity of a water vapour radiometer (site log section 8.4). */
export const WaterVaporSensorId = Type.Object(
  {
    type: NullableString({ description: 'Water Vapor Radiometer (8.4.x).' }),
    equipmentType: Type.Literal('water vapor sensor', { description: 'The kind of equipment.' }),
    ...serial('8.4.x'),
  },
  closed('Identity of a water vapour radiometer: one device per (type, serialNumber).'),
);

/** How a water vapour radiometer was mounted (site log section 8.4). */
export const WaterVaporSensorConfiguration = Type.Object(
  {
    distanceToAntenna: NullableDecimal({ description: 'Distance to Antenna in metres (8.4.x).' }),
    ...mounted('8.4.x'),
  },
  closed('Configuration of a water vapour radiometer.'),
);

/** Identity of another instrument (site log section 8.5), of which a log has only a text. */
export const OtherInstrumentId = Type.Object(
  {
    type: NullableString({ description: 'Other Instrumentation, with lines joined by a space (8.5.x).' }),
    equipmentType: Type.Literal('other instrument', { description: 'The kind of equipment.' }),
    manufacturer: NullableString({ description: 'Always null: site logs have no manufacturer for other instruments.' }),
    serialNumber: NullableString({ description: 'Always null: site logs have no serial number for other instruments.' }),
  },
  closed('Identity of another instrument: one device per type.'),
);

/** What a log says about another instrument (site log section 8.5). */
export const OtherInstrumentConfiguration = Type.Object(
  { notes: NullableString({ description: 'Remarks; only GeodesyML has them.' }) },
  closed('Configuration of another instrument.'),
);
