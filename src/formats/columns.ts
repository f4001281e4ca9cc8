import {
  type CorsSite,
  EQUIPMENT_KINDS,
  EQUIPMENT_TYPES,
  type EquipmentInUse,
  type EquipmentType,
  type ExportedChange,
  type ExportedFeedRow,
  type ExportedFinding,
  type ExportedInstallation,
  type ExportedPlace,
  type ExportedSetup,
  type SetupEquipmentType,
} from '../../schemas/index.js';
import { modelOf, radomeOf } from '../derive/devices.js';

/** A value of a cell. */
export type Cell = string | number | boolean | null;

/** The type of values that are not plain text. */
export type ColumnType = 'integer' | 'decimal' | 'date' | 'date-time';

/**
 * A column of a table: its name, its value for an element, and its type. A column without a type
 * has plain text, or is only in tables that are not for GIS programs.
 */
export type Column<T> = readonly [
  name: string,
  valueOf: (element: T) => Cell,
  type?: ColumnType | undefined,
];

/** The types of the members that are not plain text. */
const TYPES = new Map<string, ColumnType>([
  ['id', 'integer'],
  ['height', 'decimal'],
  ['x', 'decimal'],
  ['y', 'decimal'],
  ['z', 'decimal'],
  ['markerArpUpEccentricity', 'decimal'],
  ['markerArpNorthEccentricity', 'decimal'],
  ['markerArpEastEccentricity', 'decimal'],
  ['calibrationDate', 'date'],
  ['dateInstalled', 'date-time'],
  ['from', 'date-time'],
  ['to', 'date-time'],
]);

/** Between the values of several items of one kind. */
const SEPARATOR = ' | ';

/**
 * The members of a configuration. Numbers that the contract gives as text are text in a table too.
 */
const configurationOf = (kind: EquipmentType): string[] =>
  Object.keys(EQUIPMENT_KINDS[kind].configuration.properties);

const memberOf = (object: object, member: string): Cell =>
  (object as Record<string, Cell>)[member] ?? null;

/** Columns for members of an element, or of an object in it, named after the members. */
const columnsOf = <T, O extends object>(
  objectIn: (element: T) => O,
  names: readonly (keyof O & string)[],
): Column<T>[] =>
  names.map((name) => [name, (element) => memberOf(objectIn(element), name), TYPES.get(name)]);

const siteColumns = <T extends { site: ExportedPlace; siteId: number }>(): Column<T>[] => [
  ['siteId', ({ siteId }) => siteId, 'integer'],
  ...columnsOf(({ site }: T) => site, ['fourCharacterId', 'nineCharacterId']),
  ['siteName', ({ site }) => site.name],
  ...columnsOf(({ site }: T) => site, ['latitude', 'longitude']),
];

/** The columns of Sites. */
export const SITE_COLUMNS: readonly Column<CorsSite>[] = [
  ...columnsOf(
    (site: CorsSite) => site,
    ['id', 'fourCharacterId', 'nineCharacterId', 'name', 'domesNumber', 'dateInstalled'],
  ),
  ...columnsOf(
    ({ location }: CorsSite) => location,
    ['city', 'state', 'country', 'countryCode', 'latitude', 'longitude', 'height', 'x', 'y', 'z'],
  ),
  ['monumentDescription', ({ monument }) => monument.description],
  ['monumentFoundation', ({ monument }) => monument.foundation],
  ['markerDescription', ({ monument }) => monument.markerDescription],
  ['monumentHeight', ({ monument }) => monument.height, 'decimal'],
  ...columnsOf(
    (site: CorsSite) => site,
    ['geologicCharacteristic', 'bedrockType', 'description', 'agency'],
  ),
];

/**
 * Values of the items of one kind. One item's value stays as it is; several become a text, with an
 * empty one for each unknown.
 */
function ofKind(
  items: EquipmentInUse[],
  kind: SetupEquipmentType,
  valueOf: (item: EquipmentInUse['content']) => Cell,
): Cell {
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
  const titled = (member: string): string =>
    member.startsWith(name) ? member : `${name}${member[0]!.toUpperCase()}${member.slice(1)}`;
  const identity = [
    'type',
    ...(kind === 'humidity sensor' ? ['manufacturer', 'aspiration'] : []),
    'serialNumber',
  ];
  const column = (
    member: string,
    valueOf: (item: EquipmentInUse['content']) => Cell,
  ): Column<ExportedSetup> => [
    titled(member),
    ({ equipmentInUse }) => ofKind(equipmentInUse, kind, valueOf),
    TYPES.get(member),
  ];
  return [
    ...identity.map((member) => column(member, ({ id }) => memberOf(id, member))),
    ...configurationOf(kind).map((member) =>
      column(member, ({ configuration }) => memberOf(configuration, member)),
    ),
  ];
}

/**
 * The columns of Setups. Where several items of a kind were in use at once, their values are joined
 * by " | ".
 */
export const SETUP_COLUMNS: readonly Column<ExportedSetup>[] = [
  ['id', ({ id }) => id, 'integer'],
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

/**
 * The columns of installations. They include the configurations of all kinds; those of other kinds
 * are empty. Last are the model, and the radome of an antenna, as in an offset list.
 */
export const INSTALLATION_COLUMNS: readonly Column<ExportedInstallation>[] = [
  ['id', ({ id }) => id, 'integer'],
  ...siteColumns<ExportedInstallation>(),
  ...columnsOf(
    ({ device }: ExportedInstallation) => device,
    ['equipmentType', 'type', 'manufacturer', 'serialNumber'],
  ),
  ...columnsOf(({ period }: ExportedInstallation) => period, ['from', 'to']),
  ...columnsOf(
    ({ configuration }: ExportedInstallation) => configuration as Record<string, Cell>,
    [...new Set(EQUIPMENT_TYPES.flatMap(configurationOf))],
  ),
  ['model', ({ device }) => modelOf(device)],
  ['radome', ({ device, configuration }) => radomeOf({ id: device, configuration })],
];

/** What an offset list compares: the names and values of an item of equipment. */
const COMPARED: Column<EquipmentInUse['content']>[] = [
  ['model', ({ id }) => modelOf(id)],
  ['radome', radomeOf],
  ['serialNumber', ({ id }) => id.serialNumber],
  ...columnsOf(
    ({ configuration }: EquipmentInUse['content']) => configuration as Record<string, Cell>,
    [
      'firmwareVersion',
      'markerArpUpEccentricity',
      'markerArpNorthEccentricity',
      'markerArpEastEccentricity',
    ],
  ),
];

/** The columns of changes: an offset list. A gap begins at the time of the change. */
export const CHANGE_COLUMNS: readonly Column<ExportedChange>[] = [
  ['id', ({ id }) => id, 'integer'],
  ...siteColumns<ExportedChange>(),
  ['at', ({ at }) => at],
  ['gapTo', ({ gap }) => gap && gap.to],
  ['equipmentType', ({ equipmentType }) => equipmentType],
  ['kind', ({ kind }) => kind],
  ...COMPARED.flatMap(([name, valueOf, type]): Column<ExportedChange>[] => [
    [`${name}Before`, ({ before }) => before && valueOf(before.content), type],
    [`${name}After`, ({ after }) => after && valueOf(after.content), type],
  ]),
  ['differingMembers', ({ differingMembers }) => differingMembers.join(' ')],
];

/** The columns of changes since a record time, withdrawn ones included. */
export const CHANGE_SINCE_COLUMNS: readonly Column<ExportedChange>[] = [
  ...CHANGE_COLUMNS,
  ['withdrawn', ({ withdrawn = null }) => withdrawn],
];

const deviceColumns = (name: 'before' | 'after'): Column<ExportedFeedRow>[] =>
  (['type', 'serialNumber'] as const).map((member) => [
    `${member}${name === 'before' ? 'Before' : 'After'}`,
    ({ change }) => change?.[name]?.[member] ?? null,
  ]);

/** The differences that a row of the feed shows: `firmwareVersion: 5.15 -> 5.20`. */
const differenceWords = ({ change }: ExportedFeedRow): Cell =>
  change &&
  change.differences
    .map(({ member, before, after }) => `${member}: ${before ?? ''} -> ${after ?? ''}`)
    .join(SEPARATOR);

/** The columns of the feed. In an entry without changes, those of the change are empty. */
export const FEED_COLUMNS: readonly Column<ExportedFeedRow>[] = [
  ['id', ({ id }) => id],
  ...siteColumns<ExportedFeedRow>(),
  ...columnsOf(
    (row: ExportedFeedRow) => row,
    ['entry', 'recordedAt', 'event', 'effectiveFrom', 'isNew', 'siteChanged'],
  ),
  ['logName', ({ siteLog }) => siteLog.name],
  ['datePrepared', ({ siteLog }) => siteLog.datePrepared],
  ...columnsOf((row: ExportedFeedRow) => row, ['setupsAdded', 'setupsSuperseded', 'outcome']),
  ['at', ({ change }) => change && change.at],
  ['gapTo', ({ change }) => change?.gap?.to ?? null],
  ['equipmentType', ({ change }) => change && change.equipmentType],
  ['kind', ({ change }) => change && change.kind],
  ...deviceColumns('before'),
  ...deviceColumns('after'),
  ['differences', differenceWords],
];

/** The columns of findings. */
export const FINDING_COLUMNS: readonly Column<ExportedFinding>[] = [
  ['id', ({ id }) => id, 'integer'],
  ...siteColumns<ExportedFinding>(),
  ...columnsOf(
    (finding: ExportedFinding) => finding,
    [
      'siteLogId',
      'code',
      'level',
      'section',
      'line',
      'lastLine',
      'message',
      'text',
      'advice',
      'recordedAt',
    ],
  ),
  ['otherSections', ({ others }) => others.flatMap(({ section }) => section ?? []).join(' ')],
  ['otherLines', ({ others }) => others.map(({ line }) => line).join(' ')],
  ['otherTexts', ({ others }) => [...new Set(others.map(({ text }) => text))].join('; ')],
];
