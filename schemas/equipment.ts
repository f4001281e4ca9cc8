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
import { Period } from './values.js';

/**
 * The kinds of equipment a Setup publishes. Each is one variant of {@link EquipmentInUse}, recognised by
 * `content.id.equipmentType`.
 */

const closed = (description: string) => ({ additionalProperties: false, description });

const inUse = <Id extends TObject, Configuration extends TObject>(id: Id, configuration: Configuration, subject: string) =>
  Type.Object(
    {
      content: Type.Object(
        { id, configuration, period: Period(`use of the ${subject} as configured`) },
        closed(`The ${subject}, its configuration, and the period of both.`),
      ),
    },
    closed(`A ${subject} in use: what it is, how it is configured, since when.`),
  );

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
export const GnssReceiver = device(GnssReceiverId, GnssReceiverConfiguration, 'GNSS receiver', { gnssReceiver: TemplatedLink });
export type GnssReceiver = Static<typeof GnssReceiver>;
/** A GNSS antenna in the catalogue: one physical device, identified by (type, serialNumber). */
export const GnssAntenna = device(GnssAntennaId, GnssAntennaConfiguration, 'GNSS antenna', { gnssAntenna: TemplatedLink });
export type GnssAntenna = Static<typeof GnssAntenna>;
/** A humidity sensor in the catalogue: one physical device, identified by (type, serialNumber). */
export const HumiditySensor = device(HumiditySensorId, HumiditySensorConfiguration, 'humidity sensor', { humiditySensor: TemplatedLink });
export type HumiditySensor = Static<typeof HumiditySensor>;
/** A clock in the catalogue, identified by its type. */
export const Clock = device(ClockId, ClockConfiguration, 'clock', { clock: TemplatedLink });
export type Clock = Static<typeof Clock>;

/** What defines a kind of equipment. */
interface EquipmentKind {
  /** Its name in texts, in the singular. */
  title: string;
  /** The name under which the schema of a device is published. */
  typeName: string;
  /** The link relation of one device. */
  item: string;
  /** The name of the collection of its devices. */
  collection: string;
  /** The schemas of its identity, its configuration, an item in use, and a device of the catalogue. */
  id: TObject;
  configuration: TObject;
  inUse: TObject;
  device: TObject;
  /** The member that must be known to recognize two items as one device. A kind identified by `type` has no installations. */
  identifiedBy: 'serialNumber' | 'type';
}

/**
 * Every kind of equipment by its `equipmentType`, in the order in which a Setup lists them. An entry here adds a variant
 * of {@link EquipmentInUse}, a collection with routes, filters, sorting and profile, and the OpenAPI description. The code
 * does not compile until everything else that a kind needs exists, such as its section in a site log.
 */
export const EQUIPMENT_KINDS = {
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
} as const satisfies Record<string, EquipmentKind>;

/** A kind of equipment: a value of `equipmentType`. */
export type EquipmentType = keyof typeof EQUIPMENT_KINDS;

/** The kinds of equipment, in the order in which a Setup lists them. */
export const EQUIPMENT_TYPES = Object.keys(EQUIPMENT_KINDS) as EquipmentType[];

/** An item of equipment in use: a union discriminated by `content.id.equipmentType`. */
export type EquipmentInUse = { [T in EquipmentType]: Static<(typeof EQUIPMENT_KINDS)[T]['inUse']> }[EquipmentType];
export const EquipmentInUse = Type.Unsafe<EquipmentInUse>(
  Type.Union(
    EQUIPMENT_TYPES.map((type) => EQUIPMENT_KINDS[type].inUse),
    { description: 'An item of equipment in use. `content.id.equipmentType` gives its kind.' },
  ),
);

/** The variant of {@link EquipmentInUse} for one kind. TypeScript cannot narrow a union by a nested member. */
export type EquipmentInUseOf<T extends EquipmentType> = Extract<EquipmentInUse, { content: { id: { equipmentType: T } } }>;

/** Whether `equipment` is of the given kind; narrows the union. */
export function isOfType<T extends EquipmentType>(equipment: EquipmentInUse, equipmentType: T): equipment is EquipmentInUseOf<T> {
  return equipment.content.id.equipmentType === equipmentType;
}

/** Whether devices of a kind have an installation list. Clocks have none: one clock stands for all of its type. */
export const hasInstallations = (equipmentType: EquipmentType): boolean => EQUIPMENT_KINDS[equipmentType].identifiedBy === 'serialNumber';

/** A device of any kind, as listed in the collection of all kinds, with a link to the collection of its own kind. */
export const Equipment = Type.Union(
  EQUIPMENT_TYPES.map((equipmentType) => {
    const { id, configuration, title, item } = EQUIPMENT_KINDS[equipmentType];
    return device(id as TObject, configuration as TObject, title, {
      equipment: TemplatedLink,
      [item]: Link,
      ...(hasInstallations(equipmentType) && { installations: Link }),
    });
  }),
  { description: 'A device of any kind. `equipmentType` gives the kind.' },
);
