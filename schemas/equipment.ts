import type { Static, TObject } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { device, type InstallationPeriod } from './device.js';
import * as parts from './equipment-parts.js';
import { Link, TemplatedLink } from './hal.js';
import { closed, Period, PeriodOfUse } from './values.js';

/**
 * The kinds of equipment. The four that a Setup publishes are the variants of
 * {@link EquipmentInUse}; the others are called instruments. An item is recognised by
 * `content.id.equipmentType`.
 */

/** What defines a kind of equipment. */
interface Kind<Id extends TObject = TObject, Configuration extends TObject = TObject> {
  /** Its name in texts, in the singular. */
  title: string;
  /** The published names of its schemas begin with this. */
  typeName: string;
  /** The schemas of its identity and its configuration. */
  id: Id;
  configuration: Configuration;
  /** The member that must be known to recognize two items as one device. */
  identifiedBy: 'serialNumber' | 'type';
}

/** A kind of equipment with all its schemas. */
export interface EquipmentKind extends Kind {
  /** An item in use. */
  inUse: TObject;
  /** A device of the catalogue. */
  device: TObject;
}

/** The schema of an item in use. */
const inUse = <Id extends TObject, Configuration extends TObject, P extends InstallationPeriod>(
  { id, configuration, title }: Kind<Id, Configuration>,
  period: P,
) =>
  closed(`A ${title} in use: what it is, how it is configured, since when.`, {
    content: closed(`The ${title}, its configuration, and the period of both.`, {
      id,
      configuration,
      period: period(`use of the ${title} as configured`) as ReturnType<P>,
    }),
  });

/**
 * Defines a kind that Setups have: its devices have a collection of their own.
 * @param item the link relation of one device
 */
const setupKind = <Id extends TObject, Configuration extends TObject, Item extends string>(
  item: Item,
  kind: Kind<Id, Configuration>,
) => ({
  ...kind,
  item,
  /** The name of the collection of its devices. */
  collection: `${item}s` as const,
  inUse: inUse(kind, Period),
  device: device(kind.id, kind.configuration, kind.title, Period, {
    [item]: TemplatedLink,
  } as Record<Item, typeof TemplatedLink>),
});

/**
 * The kinds of equipment that Setups have, by `equipmentType`, in the order in which a Setup lists
 * them. The contract fixes them.
 */
const SETUP_KINDS = {
  'gnss receiver': setupKind('gnssReceiver', {
    title: 'GNSS receiver',
    typeName: 'GnssReceiver',
    id: parts.GnssReceiverId,
    configuration: parts.GnssReceiverConfiguration,
    identifiedBy: 'serialNumber',
  }),
  'gnss antenna': setupKind('gnssAntenna', {
    title: 'GNSS antenna',
    typeName: 'GnssAntenna',
    id: parts.GnssAntennaId,
    configuration: parts.GnssAntennaConfiguration,
    identifiedBy: 'serialNumber',
  }),
  'humidity sensor': setupKind('humiditySensor', {
    title: 'humidity sensor',
    typeName: 'HumiditySensor',
    id: parts.HumiditySensorId,
    configuration: parts.HumiditySensorConfiguration,
    identifiedBy: 'serialNumber',
  }),
  clock: setupKind('clock', {
    title: 'clock',
    typeName: 'Clock',
    id: parts.ClockId,
    configuration: parts.ClockConfiguration,
    identifiedBy: 'type',
  }),
};

/**
 * Defines a kind of instrument, which no Setup has. Its devices are in the collection of all kinds
 * only.
 */
const instrumentKind = <Id extends TObject, Configuration extends TObject>(
  kind: Kind<Id, Configuration>,
) => ({
  ...kind,
  inUse: inUse(kind, PeriodOfUse),
  device: device(kind.id, kind.configuration, kind.title, PeriodOfUse, {
    equipment: TemplatedLink,
  }),
});

/** The kinds of instruments, by `equipmentType`. */
const INSTRUMENT_KINDS = {
  'pressure sensor': instrumentKind({
    title: 'pressure sensor',
    typeName: 'PressureSensor',
    id: parts.PressureSensorId,
    configuration: parts.PressureSensorConfiguration,
    identifiedBy: 'serialNumber',
  }),
  'temperature sensor': instrumentKind({
    title: 'temperature sensor',
    typeName: 'TemperatureSensor',
    id: parts.TemperatureSensorId,
    configuration: parts.TemperatureSensorConfiguration,
    identifiedBy: 'serialNumber',
  }),
  'water vapor sensor': instrumentKind({
    title: 'water vapour radiometer',
    typeName: 'WaterVaporSensor',
    id: parts.WaterVaporSensorId,
    configuration: parts.WaterVaporSensorConfiguration,
    identifiedBy: 'serialNumber',
  }),
  'other instrument': instrumentKind({
    title: 'other instrument',
    typeName: 'OtherInstrument',
    id: parts.OtherInstrumentId,
    configuration: parts.OtherInstrumentConfiguration,
    identifiedBy: 'type',
  }),
};

/**
 * Every kind of equipment by its `equipmentType`. An entry adds a kind of device, its filters and
 * the OpenAPI description; among {@link SETUP_KINDS}, it also adds a collection of its own and a
 * variant of {@link EquipmentInUse}. The code does not compile until everything else that a kind
 * needs exists, such as its section in a site log.
 */
export const EQUIPMENT_KINDS = { ...SETUP_KINDS, ...INSTRUMENT_KINDS } as const;

/** What every GNSS station has. */
export const GNSS_EQUIPMENT_TYPES = ['gnss receiver', 'gnss antenna'] as const;
export type GnssEquipmentType = (typeof GNSS_EQUIPMENT_TYPES)[number];
/** A kind of equipment that Setups have. */
export type SetupEquipmentType = keyof typeof SETUP_KINDS;
/** A kind of instrument, which no Setup has. */
export type InstrumentType = keyof typeof INSTRUMENT_KINDS;
/** A kind of equipment: a value of `equipmentType`. */
export type EquipmentType = SetupEquipmentType | InstrumentType;

/** The kinds that Setups have, in the order in which a Setup lists them. */
export const SETUP_EQUIPMENT_TYPES = Object.keys(SETUP_KINDS) as SetupEquipmentType[];
/** The kinds of instruments, in the order of the site log. */
export const INSTRUMENT_TYPES = Object.keys(INSTRUMENT_KINDS) as InstrumentType[];
/** All kinds, those of Setups first. */
export const EQUIPMENT_TYPES: readonly EquipmentType[] = [
  ...SETUP_EQUIPMENT_TYPES,
  ...INSTRUMENT_TYPES,
];

/** Whether a kind of equipment is an instrument. */
export const isInstrument = (equipmentType: EquipmentType): equipmentType is InstrumentType =>
  equipmentType in INSTRUMENT_KINDS;

type ItemOf<T extends EquipmentType> = {
  [Kind in T]: Static<(typeof EQUIPMENT_KINDS)[Kind]['inUse']>;
}[T];
const itemOf = (types: readonly EquipmentType[], description: string) =>
  Type.Union(
    types.map((type): TObject => EQUIPMENT_KINDS[type].inUse),
    { description },
  );

/** An item of the equipment of a Setup: a union discriminated by `content.id.equipmentType`. */
export type EquipmentInUse = ItemOf<SetupEquipmentType>;
export const EquipmentInUse = Type.Unsafe<EquipmentInUse>(
  itemOf(
    SETUP_EQUIPMENT_TYPES,
    'An item of equipment in use. `content.id.equipmentType` gives its kind.',
  ),
);

/** An item of equipment of any kind at a Site: one of a Setup, or an instrument. */
export type InstalledEquipment = ItemOf<EquipmentType>;
export const InstalledEquipment = Type.Unsafe<InstalledEquipment>(
  itemOf(
    EQUIPMENT_TYPES,
    'An item of equipment at a Site. `content.id.equipmentType` gives its kind.',
  ),
);
/** An instrument at a Site. */
export type InstalledInstrument = ItemOf<InstrumentType>;

/**
 * The variant of {@link InstalledEquipment} for one kind. TypeScript cannot narrow a union by a
 * nested member.
 */
type EquipmentInUseOf<T extends EquipmentType> = Extract<
  InstalledEquipment,
  { content: { id: { equipmentType: T } } }
>;

/** Whether a kind of equipment is receivers or antennas. */
export const isGnssEquipment = (equipmentType: EquipmentType): boolean =>
  (GNSS_EQUIPMENT_TYPES as readonly EquipmentType[]).includes(equipmentType);

/** Whether `equipment` is of the given kind; narrows the union. */
export function isOfType<T extends EquipmentType>(
  equipment: InstalledEquipment,
  equipmentType: T,
): equipment is EquipmentInUseOf<T> {
  return equipment.content.id.equipmentType === equipmentType;
}

/**
 * Whether devices of a kind have an installation list. Clocks and other instruments have none: one
 * device stands for all of its type.
 */
export const hasInstallations = (equipmentType: EquipmentType): boolean =>
  EQUIPMENT_KINDS[equipmentType].identifiedBy === 'serialNumber';

/** A GNSS receiver in the catalogue: one physical device, identified by (type, serialNumber). */
export type GnssReceiver = Static<(typeof EQUIPMENT_KINDS)['gnss receiver']['device']>;

/**
 * A device of any kind, as listed in the collection of all kinds, with a link to it in the
 * collection of its own kind if there is one.
 */
export const Equipment = Type.Union(
  EQUIPMENT_TYPES.map((equipmentType): TObject => {
    if (isInstrument(equipmentType)) return INSTRUMENT_KINDS[equipmentType].device;
    const { device: ofKind, item: relation } = SETUP_KINDS[equipmentType];
    const links = { self: Link, equipment: TemplatedLink, [relation]: Link };
    return closed(ofKind.description!, {
      ...(ofKind.properties as TObject['properties']),
      _links: closed(ofKind.properties._links.description!, links),
    });
  }),
  { description: 'A device of any kind. `equipmentType` gives the kind.' },
);
