import {
  EQUIPMENT_KINDS,
  type EquipmentType,
  INSTRUMENT_TYPES,
  isInstrument,
  type InstrumentType,
  SETUP_EQUIPMENT_TYPES,
} from '../../schemas/index.js';
import { readDay, readEffectiveDates, readInstant } from './dates.js';
import type { FieldName, Fields } from './fields.js';
import { CELSIUS, DEGREES, type Dimension, HECTOPASCALS, MEGAHERTZ, METRES, SECONDS } from './numbers.js';
import { type LogInstrument, type LogItem, reject } from './site-log.js';
import { LONGEST_NAME, readAntennaType, readProse, readRadome, readSatelliteSystem, readStabilization } from './values.js';

/** The most blocks of Setup equipment that one log may contain, and the most blocks of instruments that are read. */
export const MOST_ITEMS = 1000;

type ItemOf<T extends EquipmentType> = Extract<LogItem | LogInstrument, { id: { equipmentType: T } }>;
type ItemReaders = { [T in EquipmentType]: (fields: Fields) => Pick<ItemOf<T>, 'id' | 'configuration'> };

const prose = (fields: Fields, name: FieldName) => fields.string(name, readProse);
/** A value that identifies a device. */
const naming = (fields: Fields, name: FieldName, read = readProse) => fields.string(name, read, LONGEST_NAME);
const decimal = (fields: Fields, name: FieldName, dimension: Dimension) => fields.decimal(name, dimension)?.text ?? null;

const serial = (fields: Fields) => ({ manufacturer: naming(fields, 'manufacturer'), serialNumber: naming(fields, 'serialNumber') });
const mounted = (fields: Fields) => ({
  heightDiffToAntenna: decimal(fields, 'heightDiffToAntenna', METRES),
  calibrationDate: fields.read('calibrationDate', readDay),
  notes: prose(fields, 'notes'),
});

const readers: ItemReaders = {
  'gnss receiver': (fields) => ({
    id: {
      type: naming(fields, 'type'),
      equipmentType: 'gnss receiver',
      manufacturer: naming(fields, 'manufacturer'),
      serialNumber: naming(fields, 'serialNumber'),
    },
    configuration: {
      firmwareVersion: prose(fields, 'firmwareVersion'),
      satelliteSystem: fields.string('satelliteSystem', readSatelliteSystem),
      elevetionCutoffSetting: decimal(fields, 'elevationCutoffSetting', DEGREES),
      temperatureStabilization: fields.string('temperatureStabilization', readStabilization),
      notes: prose(fields, 'notes'),
    },
  }),
  'gnss antenna': (fields) => {
    const radomeType = fields.string('radomeType', readRadome);
    return {
      id: {
        type: naming(fields, 'type', (text) => readAntennaType(text, radomeType)),
        equipmentType: 'gnss antenna',
        manufacturer: naming(fields, 'manufacturer'),
        serialNumber: naming(fields, 'serialNumber'),
      },
      configuration: {
        antennaReferencePoint: prose(fields, 'antennaReferencePoint'),
        markerArpUpEccentricity: fields.decimal('markerArpUpEccentricity', METRES)?.number ?? null,
        markerArpNorthEccentricity: fields.decimal('markerArpNorthEccentricity', METRES)?.number ?? null,
        markerArpEastEccentricity: fields.decimal('markerArpEastEccentricity', METRES)?.number ?? null,
        alignmentFromTrueNorth: decimal(fields, 'alignmentFromTrueNorth', DEGREES),
        radomeType,
        radomeSerialNumber: prose(fields, 'radomeSerialNumber'),
        antennaCableType: prose(fields, 'antennaCableType'),
        antennaCableLength: decimal(fields, 'antennaCableLength', METRES),
        notes: prose(fields, 'notes'),
      },
    };
  },
  'humidity sensor': (fields) => ({
    id: {
      type: naming(fields, 'type'),
      equipmentType: 'humidity sensor',
      manufacturer: naming(fields, 'manufacturer'),
      serialNumber: naming(fields, 'serialNumber'),
      aspiration: naming(fields, 'aspiration'),
    },
    configuration: {
      heightDiffToAntenna: decimal(fields, 'heightDiffToAntenna', METRES),
      notes: prose(fields, 'notes'),
    },
  }),
  clock: (fields) => ({
    id: { type: naming(fields, 'type'), equipmentType: 'clock', manufacturer: naming(fields, 'manufacturer'), serialNumber: null },
    configuration: { inputFrequency: decimal(fields, 'inputFrequency', MEGAHERTZ) },
  }),
  'pressure sensor': (fields) => ({
    id: { type: naming(fields, 'type'), equipmentType: 'pressure sensor', ...serial(fields) },
    configuration: {
      dataSamplingInterval: decimal(fields, 'dataSamplingInterval', SECONDS),
      accuracy: decimal(fields, 'accuracy', HECTOPASCALS),
      ...mounted(fields),
    },
  }),
  'temperature sensor': (fields) => ({
    id: { type: naming(fields, 'type'), equipmentType: 'temperature sensor', ...serial(fields) },
    configuration: {
      dataSamplingInterval: decimal(fields, 'dataSamplingInterval', SECONDS),
      accuracy: decimal(fields, 'accuracy', CELSIUS),
      aspiration: prose(fields, 'aspiration'),
      ...mounted(fields),
    },
  }),
  'water vapor sensor': (fields) => ({
    id: { type: naming(fields, 'type'), equipmentType: 'water vapor sensor', ...serial(fields) },
    configuration: { distanceToAntenna: decimal(fields, 'distanceToAntenna', METRES), ...mounted(fields) },
  }),
  'other instrument': (fields) => ({
    id: { type: naming(fields, 'instrumentation'), equipmentType: 'other instrument', manufacturer: null, serialNumber: null },
    configuration: { notes: prose(fields, 'notes') },
  }),
};

/** Collects the equipment blocks of one log, in the order of the kinds. */
export class Items {
  private readonly byKind = new Map<EquipmentType, (LogItem | LogInstrument)[]>();
  private count = 0;
  private instruments = 0;

  /**
   * Reads one equipment block. A block without any values is ignored with a finding, and so are instruments after {@link MOST_ITEMS}.
   * @throws {SiteLogRejected} if there are more than {@link MOST_ITEMS} blocks of the kinds that Setups have
   */
  add(kind: EquipmentType, fields: Fields): void {
    if (isInstrument(kind)) {
      if (++this.instruments === MOST_ITEMS + 1)
        fields.findings.add(fields.line, 'warning', `more than ${MOST_ITEMS} instruments in one log; the rest are ignored`);
      if (this.instruments > MOST_ITEMS) return;
    } else if (++this.count > MOST_ITEMS) reject(fields.findings, fields.line, `more than ${MOST_ITEMS} equipment blocks in one log`);
    const { id, configuration } = readers[kind](fields);
    const dates = fields.has('effectiveDates')
      ? this.effectiveDates(fields)
      : { from: fields.read('dateInstalled', readInstant), to: fields.read('dateRemoved', readInstant) };
    const { equipmentType: _, ...identity } = id;
    if (Object.values({ ...identity, ...configuration, ...dates }).every((value) => value === null)) {
      fields.findings.add(fields.line, 'info', `${EQUIPMENT_KINDS[kind].title} block without any values; ignored as a blank template`);
      return;
    }
    // The compiler cannot know that `id` and `configuration` belong to the same kind.
    const item = { id, configuration, ...dates, line: fields.line } as LogItem | LogInstrument;
    const list = this.byKind.get(kind);
    if (list === undefined) this.byKind.set(kind, [item]);
    else list.push(item);
  }

  private effectiveDates(fields: Fields): Pick<LogItem, 'from' | 'to'> {
    const { from, to } = readEffectiveDates(fields.get('effectiveDates').text);
    return { from: fields.read('effectiveDates', () => from), to: fields.read('effectiveDates', () => to) };
  }

  /** The items and instruments that were read. */
  get read(): { items: LogItem[]; instruments: LogInstrument[] } {
    return {
      items: SETUP_EQUIPMENT_TYPES.flatMap((kind) => (this.byKind.get(kind) ?? []) as LogItem[]),
      instruments: INSTRUMENT_TYPES.flatMap((kind: InstrumentType) => (this.byKind.get(kind) ?? []) as LogInstrument[]),
    };
  }
}
