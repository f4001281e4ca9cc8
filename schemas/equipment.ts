import { Type, type Static, type TObject } from '@sinclair/typebox';
import { device } from './device.js';
import {
  ClockConfiguration,
  ClockId,
  GnssAntennaConfiguration,
  GnssAntennaId,
  GnssReceiverConfiguration,
  GnssReceiverId,
  HumiditySensorConfiguration,
  HumiditySensorId,
} from './equipment-parts.js';
import { Link, TemplatedLink } from './hal.js';
import * as instruments from './instrument-parts.js';
import { Period, PeriodOfUse } from './values.js';

/**
 * The kinds of equipment. The four that a Setup publishes are the variants of {@link EquipmentInUse}; the others are called
 * instruments. An item is recognised by `content.id.equipmentType`.
 */

const closed = (description: string) => ({ additionalProperties: false, description });

const item = <Id extends TObject, Configuration extends TObject, P extends TObject>(
  id: Id,
  configuration: Configuration,
  subject: string,
  period: P,
) =>
  Type.Object(
    {
      content: Type.Object({ id, configuration, period }, closed(`The ${subject}, its configuration, and the period of both.`)),
    },
    closed(`A ${subject} in use: what it is, how it is configured, since when.`),
  );

const inUse = <Id extends TObject, Configuration extends TObject>(id: Id, configuration: Configuration, subject: string) =>
  item(id, configuration, subject, Period(`use of the ${subject} as configured`));

/** A GNSS receiver in use at a Site. */
export const GnssReceiverInUse = inUse(GnssReceiverId, GnssReceiverConfiguration, 'GNSS receiver');
export type GnssReceiverInUse = Static<typeof GnssReceiverInUse>;
/** A GNSS antenna in use at a Site. */
export const GnssAntennaInUse = inUse(GnssAntennaId, GnssAntennaConfiguration, 'GNSS antenna');
export type GnssAntennaInUse = Static<typeof GnssAntennaInUse>;
/** A humidity sensor in use at a Site. */
export const HumiditySensorInUse = inUse(HumiditySensorId, HumiditySensorConfiguration, 'humidity sensor');
export type HumiditySensorInUse = Static<typeof HumiditySensorInUse>;
/** A clock in use at a Site. */
export const ClockInUse = inUse(ClockId, ClockConfiguration, 'clock');
export type ClockInUse = Static<typeof ClockInUse>;

/** A GNSS receiver in the catalogue: one physical device, identified by (type, serialNumber). */
export const GnssReceiver = device(GnssReceiverId, GnssReceiverConfiguration, 'GNSS receiver', Period, { gnssReceiver: TemplatedLink });
export type GnssReceiver = Static<typeof GnssReceiver>;
/** A GNSS antenna in the catalogue: one physical device, identified by (type, serialNumber). */
export const GnssAntenna = device(GnssAntennaId, GnssAntennaConfiguration, 'GNSS antenna', Period, { gnssAntenna: TemplatedLink });
export type GnssAntenna = Static<typeof GnssAntenna>;
/** A humidity sensor in the catalogue: one physical device, identified by (type, serialNumber). */
export const HumiditySensor = device(HumiditySensorId, HumiditySensorConfiguration, 'humidity sensor', Period, {
  humiditySensor: TemplatedLink,
});
export type HumiditySensor = Static<typeof HumiditySensor>;
/** A clock in the catalogue, identified by its type. */
export const Clock = device(ClockId, ClockConfiguration, 'clock', Period, { clock: TemplatedLink });
export type Clock = Static<typeof Clock>;

/** What defines a kind of equipment. */
interface EquipmentKind {
  /** Its name in texts, in the singular. */
  title: string;
  /** The published names of its schemas begin with this. */
  typeName: string;
  /** The schemas of its identity, its configuration, an item in use, and a device of the catalogue. */
  id: TObject;
  configuration: TObject;
  inUse: TObject;
  device: TObject;
  /** The member that must be known to recognize two items as one device. */
  identifiedBy: 'serialNumber' | 'type';
}

/** What defines a kind of equipment that Setups have: its devices have a collection of their own. */
interface SetupKind extends EquipmentKind {
  /** The link relation of one device. */
  item: string;
  /** The name of the collection of its devices. */
  collection: string;
}

/** The kinds of equipment that Setups have, by `equipmentType`, in the order in which a Setup lists them. The contract fixes them. */
const SETUP_KINDS = {
  'gnss receiver': {
    title: 'GNSS receiver',
    typeName: 'GnssReceiver',
    item: 'gnssReceiver',
    collection: 'gnssReceivers',
    id: GnssReceiverId,
    configuration: GnssReceiverConfiguration,
    inUse: GnssReceiverInUse,
    device: GnssReceiver,
    identifiedBy: 'serialNumber',
  },
  'gnss antenna': {
    title: 'GNSS antenna',
    typeName: 'GnssAntenna',
    item: 'gnssAntenna',
    collection: 'gnssAntennas',
    id: GnssAntennaId,
    configuration: GnssAntennaConfiguration,
    inUse: GnssAntennaInUse,
    device: GnssAntenna,
    identifiedBy: 'serialNumber',
  },
  'humidity sensor': {
    title: 'humidity sensor',
    typeName: 'HumiditySensor',
    item: 'humiditySensor',
    collection: 'humiditySensors',
    id: HumiditySensorId,
    configuration: HumiditySensorConfiguration,
    inUse: HumiditySensorInUse,
    device: HumiditySensor,
    identifiedBy: 'serialNumber',
  },
  clock: {
    title: 'clock',
    typeName: 'Clock',
    item: 'clock',
    collection: 'clocks',
    id: ClockId,
    configuration: ClockConfiguration,
    inUse: ClockInUse,
    device: Clock,
    identifiedBy: 'type',
  },
} as const satisfies Record<string, SetupKind>;

/** Defines a kind of instrument. */
const instrumentKind = <Id extends TObject, Configuration extends TObject>(
  kind: Pick<EquipmentKind, 'title' | 'typeName' | 'identifiedBy'> & { id: Id; configuration: Configuration },
) => ({
  ...kind,
  inUse: item(kind.id, kind.configuration, kind.title, PeriodOfUse(`use of the ${kind.title} as configured`)),
  device: device(kind.id, kind.configuration, kind.title, PeriodOfUse, { equipment: TemplatedLink }),
});

/** The kinds of instruments, which are in no Setup, by `equipmentType`. Their devices are in the collection of all kinds only. */
const INSTRUMENT_KINDS = {
  'pressure sensor': instrumentKind({
    title: 'pressure sensor',
    typeName: 'PressureSensor',
    id: instruments.PressureSensorId,
    configuration: instruments.PressureSensorConfiguration,
    identifiedBy: 'serialNumber',
  }),
  'temperature sensor': instrumentKind({
    title: 'temperature sensor',
    typeName: 'TemperatureSensor',
    id: instruments.TemperatureSensorId,
    configuration: instruments.TemperatureSensorConfiguration,
    identifiedBy: 'serialNumber',
  }),
  'water vapor sensor': instrumentKind({
    title: 'water vapour radiometer',
    typeName: 'WaterVaporSensor',
    id: instruments.WaterVaporSensorId,
    configuration: instruments.WaterVaporSensorConfiguration,
    identifiedBy: 'serialNumber',
  }),
  'other instrument': instrumentKind({
    title: 'other instrument',
    typeName: 'OtherInstrument',
    id: instruments.OtherInstrumentId,
    configuration: instruments.OtherInstrumentConfiguration,
    identifiedBy: 'type',
  }),
} as const satisfies Record<string, EquipmentKind>;

/**
 * Every kind of equipment by its `equipmentType`. An entry adds a kind of device, its filters and the OpenAPI description; among
 * {@link SETUP_KINDS}, it also adds a collection of its own and a variant of {@link EquipmentInUse}. The code does not compile
 * until everything else that a kind needs exists, such as its section in a site log.
 */
export const EQUIPMENT_KINDS = { ...SETUP_KINDS, ...INSTRUMENT_KINDS } as const;

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
export const EQUIPMENT_TYPES: readonly EquipmentType[] = [...SETUP_EQUIPMENT_TYPES, ...INSTRUMENT_TYPES];

/** Whether a kind of equipment is an instrument. */
export const isInstrument = (equipmentType: EquipmentType): equipmentType is InstrumentType => equipmentType in INSTRUMENT_KINDS;

type ItemOf<T extends EquipmentType> = { [Kind in T]: Static<(typeof EQUIPMENT_KINDS)[Kind]['inUse']> }[T];
const itemOf = (types: readonly EquipmentType[], description: string) =>
  Type.Union(
    types.map((type): TObject => EQUIPMENT_KINDS[type].inUse),
    { description },
  );

/** An item of the equipment of a Setup: a union discriminated by `content.id.equipmentType`. */
export type EquipmentInUse = ItemOf<SetupEquipmentType>;
export const EquipmentInUse = Type.Unsafe<EquipmentInUse>(
  itemOf(SETUP_EQUIPMENT_TYPES, 'An item of equipment in use. `content.id.equipmentType` gives its kind.'),
);

/** An item of equipment of any kind at a Site: one of a Setup, or an instrument. */
export type InstalledEquipment = ItemOf<EquipmentType>;
export const InstalledEquipment = Type.Unsafe<InstalledEquipment>(
  itemOf(EQUIPMENT_TYPES, 'An item of equipment at a Site. `content.id.equipmentType` gives its kind.'),
);
/** An instrument at a Site. */
export type InstalledInstrument = ItemOf<InstrumentType>;

/** The variant of {@link InstalledEquipment} for one kind. TypeScript cannot narrow a union by a nested member. */
export type EquipmentInUseOf<T extends EquipmentType> = Extract<InstalledEquipment, { content: { id: { equipmentType: T } } }>;

/** Whether `equipment` is of the given kind; narrows the union. */
export function isOfType<T extends EquipmentType>(equipment: InstalledEquipment, equipmentType: T): equipment is EquipmentInUseOf<T> {
  return equipment.content.id.equipmentType === equipmentType;
}

/**
 * Whether devices of a kind have an installation list. Clocks and other instruments have none: one stands for all of its type.
 */
export const hasInstallations = (equipmentType: EquipmentType): boolean => EQUIPMENT_KINDS[equipmentType].identifiedBy === 'serialNumber';

/** A device of any kind, as listed in the collection of all kinds, with a link to it in the collection of its own kind if there is one. */
export const Equipment = Type.Union(
  EQUIPMENT_TYPES.map((equipmentType): TObject => {
    if (isInstrument(equipmentType)) return INSTRUMENT_KINDS[equipmentType].device;
    const { device: ofKind, item: relation } = SETUP_KINDS[equipmentType];
    const links = { self: Link, equipment: TemplatedLink, [relation]: Link };
    const _links = Type.Object(links, closed(ofKind.properties._links.description!));
    return Type.Object({ ...ofKind.properties, _links }, closed(ofKind.description!));
  }),
  { description: 'A device of any kind. `equipmentType` gives the kind.' },
);
