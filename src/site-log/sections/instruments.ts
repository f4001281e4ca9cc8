import { codeSpaceOf, EFFECTIVE_DATES, NOTES, type Row, type SectionsOf } from './section.js';

/** The model of a sensor. */
const model = (label: string, type: string): Row => ({
  label,
  codeSpace: codeSpaceOf(type),
  unknown: 'empty',
  identifies: true,
});
const MADE: Record<'manufacturer' | 'serialNumber', Row> = {
  manufacturer: { label: 'Manufacturer', unknown: 'empty' },
  serialNumber: { label: 'Serial Number', unknown: 'empty', identifies: true },
};
const SAMPLING: Row = {
  kind: 'seconds',
  label: 'Data Sampling Interval',
  hint: 'sec',
  unknown: 'NaN',
};
const ASPIRATION: Row = {
  label: 'Aspiration',
  hint: 'UNASPIRATED/NATURAL/FAN/etc',
  unknown: 'empty',
};
const MOUNTED: Record<'heightDiffToAntenna' | 'calibrationDate' | 'effectiveDates' | 'notes', Row> =
  {
    heightDiffToAntenna: {
      kind: 'heightDifference',
      label: 'Height Diff to Ant',
      hint: 'm',
      unknown: 'NaN',
    },
    calibrationDate: {
      kind: 'day',
      label: 'Calibration date',
      hint: 'CCYY-MM-DD',
      unknown: 'empty',
    },
    effectiveDates: EFFECTIVE_DATES,
    notes: NOTES,
  };
/** The values that come first in a sensor in GeodesyML. */
const FIRST = [
  'type',
  'notes',
  'manufacturer',
  'serialNumber',
  'heightDiffToAntenna',
  'calibrationDate',
  'effectiveDates',
] as const;

/** Sections 7 and 8: collocated, meteorological and other instruments. */
export const INSTRUMENTS: SectionsOf<
  | 'collocationInformation'
  | 'humiditySensors'
  | 'pressureSensors'
  | 'temperatureSensors'
  | 'waterVaporSensors'
  | 'otherInstrumentation'
> = {
  collocationInformation: {
    number: '7',
    heading: 'Collocation Information',
    indent: 7,
    element: 'collocationInformation',
    rows: {
      instrumentType: {
        label: 'Instrumentation Type',
        hint: 'GPS/GLONASS/DORIS/PRARE/SLR/VLBI/TIME/etc',
        element: 'instrumentationType',
        sopac: 'instrumentType',
        codeSpace: codeSpaceOf('instrumentation'),
        unknown: 'empty',
        identifies: true,
      },
      status: {
        label: 'Status',
        hint: 'PERMANENT/MOBILE',
        codeSpace: codeSpaceOf('status'),
        unknown: 'empty',
      },
      effectiveDates: EFFECTIVE_DATES,
      notes: NOTES,
    },
  },
  humiditySensors: {
    number: '8.1',
    heading: 'Meteorological Instrumentation',
    indent: 7,
    element: 'humiditySensor',
    rows: {
      type: model('Humidity Sensor Model', 'humidity-sensor'),
      ...MADE,
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
    first: FIRST,
  },
  pressureSensors: {
    number: '8.2',
    indent: 7,
    element: 'pressureSensor',
    rows: {
      type: model('Pressure Sensor Model', 'pressure-sensor'),
      ...MADE,
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
    first: FIRST,
  },
  temperatureSensors: {
    number: '8.3',
    indent: 7,
    element: 'temperatureSensor',
    rows: {
      type: {
        ...model('Temp. Sensor Model', 'temperature-sensor'),
        aliases: ['temperaturesensormodel'],
      },
      ...MADE,
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
    first: FIRST,
  },
  waterVaporSensors: {
    number: '8.4',
    indent: 7,
    element: 'waterVaporSensor',
    rows: {
      type: model('Water Vapor Radiometer', 'water-vapor-sensor'),
      ...MADE,
      distanceToAntenna: {
        kind: 'metres',
        label: 'Distance to Antenna',
        hint: 'm',
        unknown: 'NaN',
      },
      ...MOUNTED,
    },
    first: FIRST,
  },
  otherInstrumentation: {
    number: '8.5',
    indent: 7,
    element: 'otherInstrumentation',
    rows: {
      instrumentation: { label: 'Other Instrumentation', hint: 'multiple lines', unknown: 'empty' },
      effectiveDates: { kind: 'period', element: 'gml:validTime', unknown: 'period' },
      notes: {},
    },
    first: ['notes'],
  },
};
