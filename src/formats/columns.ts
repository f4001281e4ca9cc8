import type {
  CorsSite,
  EquipmentInUse,
  EquipmentType,
  ExportedChange,
  ExportedInstallation,
  ExportedPlace,
  ExportedSetup,
  SetupEquipmentType,
} from '../../schemas/index.js';
import { modelOf, radomeOf } from '../derive/devices.js';

/** A value of a cell. */
export type Cell = string | number | boolean | null;

/** A column of a table: its name, and its value for an element. */
export type Column<T> = readonly [name: string, valueOf: (element: T) => Cell];

/** The type of the known values in a column. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'instant';

/** The columns that are not text, in any table. */
const TYPES: Record<string, ColumnType> = {
  ...{ id: 'integer', siteId: 'integer', current: 'boolean', invalidated: 'boolean' },
  ...{ latitude: 'number', longitude: 'number', height: 'number', x: 'number', y: 'number', z: 'number', monumentHeight: 'number' },
  ...{ dateInstalled: 'instant', from: 'instant', to: 'instant', calibrationDate: 'date' },
  ...{ markerArpUpEccentricity: 'number', markerArpNorthEccentricity: 'number', markerArpEastEccentricity: 'number' },
};

/** The type of the known values in a column of Sites or installations. */
export const typeOfColumn = (name: string): ColumnType => TYPES[name] ?? 'text';

/** Between the values of several items of one kind. */
const SEPARATOR = ' | ';

/** Members of configurations that are numbers as text. They stay text: a table has them as the contract has. */
const CONFIGURATION: Record<EquipmentType, readonly string[]> = {
  'gnss receiver': ['firmwareVersion', 'satelliteSystem', 'elevetionCutoffSetting', 'temperatureStabilization', 'notes'],
  'gnss antenna': [
    ...['antennaReferencePoint', 'markerArpUpEccentricity', 'markerArpNorthEccentricity', 'markerArpEastEccentricity'],
    ...['alignmentFromTrueNorth', 'radomeType', 'radomeSerialNumber', 'antennaCableType', 'antennaCableLength', 'notes'],
  ],
  'humidity sensor': ['heightDiffToAntenna', 'notes'],
  clock: ['inputFrequency'],
  'pressure sensor': ['dataSamplingInterval', 'accuracy', 'heightDiffToAntenna', 'calibrationDate', 'notes'],
  'temperature sensor': ['dataSamplingInterval', 'accuracy', 'aspiration', 'heightDiffToAntenna', 'calibrationDate', 'notes'],
  'water vapor sensor': ['distanceToAntenna', 'heightDiffToAntenna', 'calibrationDate', 'notes'],
  'other instrument': ['notes'],
};

const memberOf = (object: object, member: string): Cell => (object as Record<string, Cell>)[member] ?? null;

const siteColumns = <T extends { site: ExportedPlace; siteId: number }>(): Column<T>[] => [
  ['siteId', ({ siteId }) => siteId],
  ['fourCharacterId', ({ site }) => site.fourCharacterId],
  ['nineCharacterId', ({ site }) => site.nineCharacterId],
  ['siteName', ({ site }) => site.name],
  ['latitude', ({ site }) => site.latitude],
  ['longitude', ({ site }) => site.longitude],
];

/** The columns of Sites. */
export const SITE_COLUMNS: readonly Column<CorsSite>[] = [
  ['id', ({ id }) => id],
  ['fourCharacterId', ({ fourCharacterId }) => fourCharacterId],
  ['nineCharacterId', ({ nineCharacterId }) => nineCharacterId],
  ['name', ({ name }) => name],
  ['domesNumber', ({ domesNumber }) => domesNumber],
  ['dateInstalled', ({ dateInstalled }) => dateInstalled],
  ['city', ({ location }) => location.city],
  ['state', ({ location }) => location.state],
  ['country', ({ location }) => location.country],
  ['countryCode', ({ location }) => location.countryCode],
  ['latitude', ({ location }) => location.latitude],
  ['longitude', ({ location }) => location.longitude],
  ['height', ({ location }) => location.height],
  ['x', ({ location }) => location.x],
  ['y', ({ location }) => location.y],
  ['z', ({ location }) => location.z],
  ['monumentDescription', ({ monument }) => monument.description],
  ['monumentFoundation', ({ monument }) => monument.foundation],
  ['markerDescription', ({ monument }) => monument.markerDescription],
  ['monumentHeight', ({ monument }) => monument.height],
  ['geologicCharacteristic', ({ geologicCharacteristic }) => geologicCharacteristic],
  ['bedrockType', ({ bedrockType }) => bedrockType],
  ['description', ({ description }) => description],
];

/** Values of the items of one kind. One item's value stays as it is; several become a text, with an empty one for each unknown. */
function ofKind(items: EquipmentInUse[], kind: SetupEquipmentType, valueOf: (item: EquipmentInUse['content']) => Cell): Cell {
  // No list for one item: an export of Setups calls this for each cell.
  let only: Cell = null;
  let values: Cell[] | null = null;
  let isFirst = true;
  for (const { content } of items) {
    if (content.id.equipmentType !== kind) continue;
    const value = valueOf(content);
    if (isFirst) only = value;
    else (values ??= [only]).push(value);
    isFirst = false;
  }
  return values === null ? only : values.map((value) => value ?? '').join(SEPARATOR);
}

/** The columns of the items of one kind in a Setup: `receiverType`, `receiverFirmwareVersion`. */
function kindColumns(kind: SetupEquipmentType, name: string): Column<ExportedSetup>[] {
  // Some members already begin with the name: antennaCableType.
  const titled = (member: string): string => (member.startsWith(name) ? member : `${name}${member[0]!.toUpperCase()}${member.slice(1)}`);
  const identity = ['type', ...(kind === 'humidity sensor' ? ['manufacturer', 'aspiration'] : []), 'serialNumber'];
  const column = (member: string, valueOf: (item: EquipmentInUse['content']) => Cell): Column<ExportedSetup> => [
    titled(member),
    ({ equipmentInUse }) => ofKind(equipmentInUse, kind, valueOf),
  ];
  return [
    ...identity.map((member) => column(member, ({ id }) => memberOf(id, member))),
    ...CONFIGURATION[kind].map((member) => column(member, ({ configuration }) => memberOf(configuration, member))),
  ];
}

/** The columns of Setups. Where several items of a kind were in use at once, their values are joined by " | ". */
export const SETUP_COLUMNS: readonly Column<ExportedSetup>[] = [
  ['id', ({ id }) => id],
  ...siteColumns<ExportedSetup>(),
  ['effectiveFrom', ({ effectivePeriod }) => effectivePeriod.from],
  ['effectiveTo', ({ effectivePeriod }) => effectivePeriod.to],
  ['current', ({ current }) => current],
  ['invalidated', ({ invalidated }) => invalidated],
  ...kindColumns('gnss receiver', 'receiver'),
  ...kindColumns('gnss antenna', 'antenna'),
  ...kindColumns('humidity sensor', 'humiditySensor'),
  ...kindColumns('clock', 'clock'),
];

/** The columns of installations: those of the configurations of all kinds; the others are empty. */
export const INSTALLATION_COLUMNS: readonly Column<ExportedInstallation>[] = [
  ['id', ({ id }) => id],
  ...siteColumns<ExportedInstallation>(),
  ...['equipmentType', 'type', 'manufacturer', 'serialNumber'].map((member): Column<ExportedInstallation> => [
    member,
    ({ device }) => memberOf(device, member),
  ]),
  ['from', ({ period }) => period.from],
  ['to', ({ period }) => period.to],
  ...[...new Set(Object.values(CONFIGURATION).flat())].map((member): Column<ExportedInstallation> => [
    member,
    ({ configuration }) => memberOf(configuration, member),
  ]),
];

/** What an offset list compares: the names and values of an item of equipment. */
const COMPARED: Column<EquipmentInUse['content']>[] = [
  ['model', ({ id }) => modelOf(id)],
  ['radome', radomeOf],
  ['serialNumber', ({ id }) => id.serialNumber],
  ...['firmwareVersion', 'markerArpUpEccentricity', 'markerArpNorthEccentricity', 'markerArpEastEccentricity'].map(
    (member): Column<EquipmentInUse['content']> => [member, ({ configuration }) => memberOf(configuration, member)],
  ),
];

/** The columns of changes: an offset list. A gap begins at the time of the change. */
export const CHANGE_COLUMNS: readonly Column<ExportedChange>[] = [
  ['id', ({ id }) => id],
  ...siteColumns<ExportedChange>(),
  ['at', ({ at }) => at],
  ['gapTo', ({ gap }) => gap && gap.to],
  ['equipmentType', ({ equipmentType }) => equipmentType],
  ['kind', ({ kind }) => kind],
  ...COMPARED.flatMap(([name, valueOf]): Column<ExportedChange>[] => [
    [`${name}Before`, ({ before }) => before && valueOf(before.content)],
    [`${name}After`, ({ after }) => after && valueOf(after.content)],
  ]),
  ['differingMembers', ({ differingMembers }) => differingMembers.join(' ')],
];
