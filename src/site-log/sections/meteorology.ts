import { EFFECTIVE_DATES, type Row, type SectionOf } from './section.js';

/** Section 8: meteorological and other instruments. */

const REQUIRED = { kind: 'text', unknown: 'empty' } as const;
const MANUFACTURER: Row = { ...REQUIRED, label: 'Manufacturer' };
const SERIAL_NUMBER: Row = { ...REQUIRED, label: 'Serial Number' };
const SAMPLING: Row = { kind: 'seconds', label: 'Data Sampling Interval', hint: 'sec', unknown: 'NaN' };
const ASPIRATION: Row = { ...REQUIRED, label: 'Aspiration', hint: 'UNASPIRATED/NATURAL/FAN/etc' };
const MOUNTED = {
  heightDiffToAntenna: { kind: 'metres', label: 'Height Diff to Ant', hint: 'm', unknown: 'NaN' },
  calibrationDate: { kind: 'day', label: 'Calibration date', hint: 'CCYY-MM-DD', unknown: 'empty' },
  effectiveDates: EFFECTIVE_DATES,
  notes: { kind: 'text', label: 'Notes', hint: 'multiple lines', aliases: ['additionalinformation'] },
} as const;
/** The members that all sensors have, in the order of GeodesyML. */
const SENSOR = ['type', 'notes', 'manufacturer', 'serialNumber', 'heightDiffToAntenna', 'calibrationDate', 'effectiveDates'] as const;

/** Humidity sensors (section 8.1). */
export const HUMIDITY_SENSORS: SectionOf<'humiditySensors'> = {
  number: '8.1',
  heading: 'Meteorological Instrumentation',
  repeats: true,
  indent: 7,
  element: 'humiditySensor',
  id: 'humidity-sensor',
  rows: {
    type: { ...REQUIRED, label: 'Humidity Sensor Model', codeSpace: 'urn:ga-gov-au:humidity-sensor-type' },
    manufacturer: MANUFACTURER,
    serialNumber: SERIAL_NUMBER,
    dataSamplingInterval: SAMPLING,
    accuracyPercentRelativeHumidity: {
      kind: 'percent',
      label: 'Accuracy (% rel h)',
      hint: '% rel h',
      aliases: ['accuracy'],
      element: 'accuracy-percentRelativeHumidity',
      unknown: 'NaN',
    },
    aspiration: ASPIRATION,
    ...MOUNTED,
  },
  order: [...SENSOR, 'dataSamplingInterval', 'accuracyPercentRelativeHumidity', 'aspiration'],
};

/** Pressure sensors (section 8.2). */
export const PRESSURE_SENSORS: SectionOf<'pressureSensors'> = {
  number: '8.2',
  heading: null,
  repeats: true,
  indent: 7,
  element: 'pressureSensor',
  id: 'pressure-sensor',
  rows: {
    type: { ...REQUIRED, label: 'Pressure Sensor Model', codeSpace: 'urn:ga-gov-au:pressure-sensor-type' },
    manufacturer: MANUFACTURER,
    serialNumber: SERIAL_NUMBER,
    dataSamplingInterval: SAMPLING,
    accuracyHPa: {
      kind: 'hectopascals',
      label: 'Accuracy',
      hint: 'hPa',
      aliases: ['accuracyhpa'],
      element: 'accuracy-hPa',
      unknown: 'NaN',
    },
    ...MOUNTED,
  },
  order: [...SENSOR, 'dataSamplingInterval', 'accuracyHPa'],
};

/** Temperature sensors (section 8.3). */
export const TEMPERATURE_SENSORS: SectionOf<'temperatureSensors'> = {
  number: '8.3',
  heading: null,
  repeats: true,
  indent: 7,
  element: 'temperatureSensor',
  id: 'temperature-sensor',
  rows: {
    type: {
      ...REQUIRED,
      label: 'Temp. Sensor Model',
      aliases: ['temperaturesensormodel'],
      codeSpace: 'urn:ga-gov-au:temperature-sensor-type',
    },
    manufacturer: MANUFACTURER,
    serialNumber: SERIAL_NUMBER,
    dataSamplingInterval: SAMPLING,
    accuracyDegreesCelcius: {
      kind: 'celsius',
      label: 'Accuracy',
      hint: 'deg C',
      aliases: ['accuracydegc'],
      element: 'accuracy-degreesCelcius',
      unknown: 'NaN',
    },
    aspiration: ASPIRATION,
    ...MOUNTED,
  },
  order: [...SENSOR, 'dataSamplingInterval', 'accuracyDegreesCelcius', 'aspiration'],
};

/** Water vapour radiometers (section 8.4). */
export const WATER_VAPOR_SENSORS: SectionOf<'waterVaporSensors'> = {
  number: '8.4',
  heading: null,
  repeats: true,
  indent: 7,
  element: 'waterVaporSensor',
  id: 'water-vapor-sensor',
  rows: {
    type: { ...REQUIRED, label: 'Water Vapor Radiometer', codeSpace: 'urn:ga-gov-au:water-vapor-sensor-type' },
    manufacturer: MANUFACTURER,
    serialNumber: SERIAL_NUMBER,
    distanceToAntenna: { kind: 'metres', label: 'Distance to Antenna', hint: 'm', unknown: 'NaN' },
    ...MOUNTED,
  },
  order: [...SENSOR, 'distanceToAntenna'],
};

/** Other instruments (section 8.5). */
export const OTHER_INSTRUMENTATION: SectionOf<'otherInstrumentation'> = {
  number: '8.5',
  heading: null,
  repeats: true,
  indent: 7,
  element: 'otherInstrumentation',
  id: 'other-instrumentation',
  rows: {
    instrumentation: { ...REQUIRED, label: 'Other Instrumentation', hint: 'multiple lines' },
    effectiveDates: { kind: 'period', element: 'gml:validTime', unknown: 'period' },
    notes: { kind: 'text' },
  },
  order: ['notes', 'instrumentation', 'effectiveDates'],
};
