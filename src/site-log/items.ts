import { EQUIPMENT_KINDS, EQUIPMENT_TYPES, type EquipmentType } from '../../schemas/index.js';
import { readEffectiveDates, readInstant } from './dates.js';
import type { FieldName, Fields } from './fields.js';
import { DEGREES, MEGAHERTZ, METRES } from './numbers.js';
import { type LogItem, reject } from './site-log.js';
import { LONGEST_NAME, readAntennaType, readProse, readRadome, readSatelliteSystem, readStabilization } from './values.js';

/** The most equipment blocks that one log may contain. */
export const MOST_ITEMS = 1000;

type ItemOf<T extends EquipmentType> = Extract<LogItem, { id: { equipmentType: T } }>;
type ItemReaders = { [T in EquipmentType]: (fields: Fields) => Pick<ItemOf<T>, 'id' | 'configuration'> };

const prose = (fields: Fields, name: FieldName) => fields.string(name, readProse);
/** A value that identifies a device. */
const naming = (fields: Fields, name: FieldName, read = readProse) => fields.string(name, read, LONGEST_NAME);

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
      elevetionCutoffSetting: fields.decimal('elevationCutoffSetting', DEGREES)?.text ?? null,
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
        alignmentFromTrueNorth: fields.decimal('alignmentFromTrueNorth', DEGREES)?.text ?? null,
        radomeType,
        radomeSerialNumber: prose(fields, 'radomeSerialNumber'),
        antennaCableType: prose(fields, 'antennaCableType'),
        antennaCableLength: fields.decimal('antennaCableLength', METRES)?.text ?? null,
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
      heightDiffToAntenna: fields.decimal('heightDiffToAntenna', METRES)?.text ?? null,
      notes: prose(fields, 'notes'),
    },
  }),
  clock: (fields) => ({
    id: { type: naming(fields, 'type'), equipmentType: 'clock', manufacturer: naming(fields, 'manufacturer'), serialNumber: null },
    configuration: { inputFrequency: fields.decimal('inputFrequency', MEGAHERTZ)?.text ?? null },
  }),
};

/** Collects the equipment blocks of one log, in the order of a Setup. */
export class Items {
  private readonly byKind = new Map<EquipmentType, LogItem[]>(EQUIPMENT_TYPES.map((type) => [type, []]));
  private count = 0;

  /**
   * Reads one equipment block. A block without any values is ignored with a finding.
   * @throws {SiteLogRejected} if there are more than {@link MOST_ITEMS} blocks
   */
  add(kind: EquipmentType, fields: Fields): void {
    if (++this.count > MOST_ITEMS) reject(fields.findings, fields.line, `more than ${MOST_ITEMS} equipment blocks in one log`);
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
    this.byKind.get(kind)!.push({ id, configuration, ...dates, line: fields.line } as LogItem);
  }

  private effectiveDates(fields: Fields): Pick<LogItem, 'from' | 'to'> {
    const { from, to } = readEffectiveDates(fields.get('effectiveDates').text);
    return { from: fields.read('effectiveDates', () => from), to: fields.read('effectiveDates', () => to) };
  }

  get list(): LogItem[] {
    return EQUIPMENT_TYPES.flatMap((type) => this.byKind.get(type)!);
  }
}
