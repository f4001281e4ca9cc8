import type { EquipmentType, SiteLogSections, Written } from '../../schemas/index.js';
import { EQUIPMENT_KINDS, INSTRUMENT_TYPES, SETUP_EQUIPMENT_TYPES } from '../../schemas/index.js';
import { readIdentification } from './identification.js';
import { SECTIONS } from './sections/index.js';
import { type Findings, type LogInstrument, type LogItem, reject, type SiteLog, type SiteLogForm } from './site-log.js';
import { LONGEST_NAME, readAntennaType } from './values.js';
import { oneLineOf } from './written-values.js';

/** The record of a Site: identity, place and equipment, as a view of its whole log. */

/** The most blocks of Setup equipment that one log may contain, and the most blocks of instruments that are read. */
export const MOST_ITEMS = 1000;

/** The section whose blocks are equipment of a kind. */
const SECTION_OF_KIND = {
  'gnss receiver': 'gnssReceivers',
  'gnss antenna': 'gnssAntennas',
  'humidity sensor': 'humiditySensors',
  clock: 'frequencyStandards',
  'pressure sensor': 'pressureSensors',
  'temperature sensor': 'temperatureSensors',
  'water vapor sensor': 'waterVaporSensors',
  'other instrument': 'otherInstrumentation',
} as const satisfies Record<EquipmentType, keyof SiteLogSections>;

type Blocks<T extends EquipmentType> = SiteLogSections[(typeof SECTION_OF_KIND)[T]][number];
type ItemOf<T extends EquipmentType> = Extract<LogItem | LogInstrument, { id: { equipmentType: T } }>;
type Text = Written | null;

/** Reads the values of one block, and reports those that are too long. */
class Block {
  constructor(
    private readonly kind: EquipmentType,
    private readonly findings: Findings,
  ) {}

  /** A text on one line. */
  text(name: string, value: Text): string | null {
    return oneLineOf(value, this.labelOf(name), this.findings);
  }

  /** A text that identifies a device. */
  name(name: string, value: Text): string | null {
    return oneLineOf(value, this.labelOf(name), this.findings, LONGEST_NAME);
  }

  antennaType(value: Text, radome: string | null): string | null {
    const type = value === null ? null : { ...value, value: readAntennaType(value.written, radome) };
    return oneLineOf(type, this.labelOf('type'), this.findings, LONGEST_NAME, false);
  }

  private labelOf(name: string): string {
    return SECTIONS[SECTION_OF_KIND[this.kind]].rows[name]?.label ?? name;
  }
}

/** A number as the contract has it where it is a string: without exponent and needless zeros. */
function decimal(value: Written | null): string | null {
  const number = value?.value;
  if (typeof number !== 'number') return null;
  const text = String(number);
  return text.includes('e') ? number.toFixed(20).replace(/\.?0+$/, '') : text;
}

const valueOf = <W extends Written>(value: W | null): W['value'] | null => value?.value ?? null;
const mounted = (
  read: Block,
  { heightDiffToAntenna, calibrationDate, notes }: Pick<Blocks<'pressure sensor'>, 'heightDiffToAntenna' | 'calibrationDate' | 'notes'>,
) => ({
  heightDiffToAntenna: decimal(heightDiffToAntenna),
  calibrationDate: valueOf(calibrationDate),
  notes: read.text('notes', notes),
});
const made = (read: Block, block: Record<'type' | 'manufacturer' | 'serialNumber', Text>) => ({
  type: read.name('type', block.type),
  manufacturer: read.name('manufacturer', block.manufacturer),
  serialNumber: read.name('serialNumber', block.serialNumber),
});

/** What an item of each kind is, and how it was configured. */
const VIEWS: { [T in EquipmentType]: (block: Blocks<T>, read: Block) => Pick<ItemOf<T>, 'id' | 'configuration'> } = {
  'gnss receiver': (block, read) => {
    const { type, manufacturer, serialNumber } = made(read, block);
    return {
      id: { type, equipmentType: 'gnss receiver', manufacturer, serialNumber },
      configuration: {
        firmwareVersion: read.text('firmwareVersion', block.firmwareVersion),
        satelliteSystem: read.text('satelliteSystem', block.satelliteSystem),
        elevetionCutoffSetting: decimal(block.elevationCutoffSetting),
        temperatureStabilization: read.text('temperatureStabilization', block.temperatureStabilization),
        notes: read.text('notes', block.notes),
      },
    };
  },
  'gnss antenna': (block, read) => {
    const radomeType = read.text('antennaRadomeType', block.antennaRadomeType);
    const { manufacturer, serialNumber } = made(read, { ...block, type: null });
    return {
      id: { type: read.antennaType(block.type, radomeType), equipmentType: 'gnss antenna', manufacturer, serialNumber },
      configuration: {
        antennaReferencePoint: read.text('antennaReferencePoint', block.antennaReferencePoint),
        markerArpUpEccentricity: valueOf(block.markerArpUpEcc),
        markerArpNorthEccentricity: valueOf(block.markerArpNorthEcc),
        markerArpEastEccentricity: valueOf(block.markerArpEastEcc),
        alignmentFromTrueNorth: decimal(block.alignmentFromTrueNorth),
        radomeType,
        radomeSerialNumber: read.text('radomeSerialNumber', block.radomeSerialNumber),
        antennaCableType: read.text('antennaCableType', block.antennaCableType),
        antennaCableLength: decimal(block.antennaCableLength),
        notes: read.text('notes', block.notes),
      },
    };
  },
  'humidity sensor': (block, read) => {
    const { type, manufacturer, serialNumber } = made(read, block);
    return {
      id: { type, equipmentType: 'humidity sensor', manufacturer, serialNumber, aspiration: read.name('aspiration', block.aspiration) },
      configuration: { heightDiffToAntenna: decimal(block.heightDiffToAntenna), notes: read.text('notes', block.notes) },
    };
  },
  clock: (block, read) => ({
    id: { type: read.name('type', block.type), equipmentType: 'clock', manufacturer: null, serialNumber: null },
    configuration: { inputFrequency: decimal(block.inputFrequency) },
  }),
  'pressure sensor': (block, read) => {
    const { type, manufacturer, serialNumber } = made(read, block);
    const measured = { dataSamplingInterval: decimal(block.dataSamplingInterval), accuracy: decimal(block.accuracyHPa) };
    return {
      id: { type, equipmentType: 'pressure sensor', manufacturer, serialNumber },
      configuration: { ...measured, ...mounted(read, block) },
    };
  },
  'temperature sensor': (block, read) => {
    const { type, manufacturer, serialNumber } = made(read, block);
    const measured = { dataSamplingInterval: decimal(block.dataSamplingInterval), accuracy: decimal(block.accuracyDegreesCelcius) };
    return {
      id: { type, equipmentType: 'temperature sensor', manufacturer, serialNumber },
      configuration: { ...measured, aspiration: read.text('aspiration', block.aspiration), ...mounted(read, block) },
    };
  },
  'water vapor sensor': (block, read) => {
    const { type, manufacturer, serialNumber } = made(read, block);
    return {
      id: { type, equipmentType: 'water vapor sensor', manufacturer, serialNumber },
      configuration: { distanceToAntenna: decimal(block.distanceToAntenna), ...mounted(read, block) },
    };
  },
  'other instrument': (block, read) => ({
    id: {
      type: read.name('instrumentation', block.instrumentation),
      equipmentType: 'other instrument',
      manufacturer: null,
      serialNumber: null,
    },
    configuration: { notes: read.text('notes', block.notes) },
  }),
};

/** When an item was in use. */
function datesOf(block: Blocks<EquipmentType>): Pick<LogItem, 'from' | 'to'> {
  if ('dateInstalled' in block) return { from: valueOf(block.dateInstalled), to: valueOf(block.dateRemoved) };
  return valueOf(block.effectiveDates) ?? { from: null, to: null };
}

/** The items of a kind that were not withdrawn. A block without any values is ignored with a finding. */
function itemsOf<T extends EquipmentType>(kind: T, log: SiteLogSections, findings: Findings): ItemOf<T>[] {
  const read = new Block(kind, findings);
  return (log[SECTION_OF_KIND[kind]] as Blocks<T>[]).flatMap((block) => {
    const { line, dateDeleted } = block;
    if (dateDeleted !== null) {
      const message = `${SECTIONS[SECTION_OF_KIND[kind]].element} has a dateDeleted; ignored as withdrawn`;
      findings.add(line, 'info', message, dateDeleted.written);
      return [];
    }
    const { id, configuration } = VIEWS[kind](block, read);
    const dates = datesOf(block);
    if (Object.values({ ...id, equipmentType: null, ...configuration, ...dates }).every((value) => value === null)) {
      findings.add(line, 'info', `${EQUIPMENT_KINDS[kind].title} block without any values; ignored as a blank template`);
      return [];
    }
    // The compiler cannot know that `id` and `configuration` are of the same kind.
    return [{ id, configuration, ...dates, line } as ItemOf<T>];
  });
}

/** The organisation of the custodian of the log, else that of the contact for the Site. */
function agencyOf({ responsibleParties }: SiteLogSections): string | null {
  const parties = (['siteMetadataCustodian', 'siteContact'] as const).flatMap((part) =>
    responsibleParties.filter(({ role }) => role === part),
  );
  return parties.map(({ organisation }) => valueOf(organisation)).find((value) => value !== null) ?? null;
}

/**
 * The record of a Site.
 * @throws {SiteLogRejected} if the log does not identify its Site, or has more than {@link MOST_ITEMS} blocks of Setup equipment
 */
export function recordOf(log: SiteLogSections, findings: Findings): SiteLog {
  const identification = readIdentification(log, findings);
  const items = SETUP_EQUIPMENT_TYPES.flatMap((kind): LogItem[] => itemsOf(kind, log, findings));
  if (items.length > MOST_ITEMS) reject(findings, items[MOST_ITEMS]!.line, `more than ${MOST_ITEMS} equipment blocks in one log`);
  const instruments = INSTRUMENT_TYPES.flatMap((kind): LogInstrument[] => itemsOf(kind, log, findings));
  const next = instruments[MOST_ITEMS];
  if (next !== undefined) findings.add(next.line, 'warning', `more than ${MOST_ITEMS} instruments in one log; the rest are ignored`);
  const datePrepared = valueOf(log.formInformation.datePrepared);
  return {
    form: log.form as SiteLogForm,
    datePrepared,
    agency: agencyOf(log),
    identification,
    items,
    instruments: instruments.slice(0, MOST_ITEMS),
  };
}
