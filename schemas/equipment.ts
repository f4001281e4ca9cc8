import { Type, type Static, type TObject } from '@sinclair/typebox';
import { device } from './device.js';
import { Link, TemplatedLink } from './hal.js';
import { NullableDecimal, NullableNumber, NullableString, Period } from './values.js';

/**
 * The four kinds of equipment in a Setup. Each is one variant of {@link EquipmentInUse}, discriminated
 * by `content.id.equipmentType`. Section numbers are those of the IGS site log form.
 */

const closed = (description: string) => ({ additionalProperties: false, description });

const manufacturer = NullableString({
  description: 'Manufacturer as given in the site log. The IGS form asks for it only for humidity sensors (8.1).',
});
const notes = (section: string) => NullableString({ description: `Remarks, with lines joined by a space (site log ${section}).` });

/** Identity of a GNSS receiver (site log section 3). */
export const GnssReceiverId = Type.Object(
  {
    type: NullableString({ description: 'Receiver Type, as named in the IGS table rcvr_ant.tab (3.x).' }),
    equipmentType: Type.Literal('gnss receiver', { description: 'The kind of equipment.' }),
    manufacturer,
    serialNumber: NullableString({ description: 'Serial Number (3.x).' }),
  },
  closed('Identity of a GNSS receiver: one device per (type, serialNumber).'),
);

/** How a GNSS receiver was configured (site log section 3). */
export const GnssReceiverConfiguration = Type.Object(
  {
    firmwareVersion: NullableString({ description: 'Firmware Version (3.x).' }),
    satelliteSystem: NullableString({
      description: 'Satellite systems tracked, joined by "+": GPS, GLO, GAL, BDS, QZSS, IRNSS, SBAS (3.x Satellite System).',
    }),
    elevetionCutoffSetting: NullableDecimal({
      description: 'Elevation Cutoff Setting in degrees (3.x). The misspelling of the name is part of the contract.',
    }),
    temperatureStabilization: NullableString({
      description: 'Temperature Stabiliz. (3.x): "none", or the tolerance in degrees Celsius as worded in the site log.',
    }),
    notes: notes('3.x, Additional Information'),
  },
  closed('Configuration of a GNSS receiver.'),
);

/** Identity of a GNSS antenna (site log section 4). */
export const GnssAntennaId = Type.Object(
  {
    type: NullableString({
      description: 'Antenna Type (4.x), 20 columns: the name in columns 1-16, the radome code in 17-20. Spaces are significant.',
    }),
    equipmentType: Type.Literal('gnss antenna', { description: 'The kind of equipment.' }),
    manufacturer,
    serialNumber: NullableString({ description: 'Serial Number (4.x).' }),
  },
  closed('Identity of a GNSS antenna: one device per (type, serialNumber).'),
);

/** How a GNSS antenna was mounted (site log section 4). */
export const GnssAntennaConfiguration = Type.Object(
  {
    antennaReferencePoint: NullableString({ description: 'Antenna Reference Point, as a code from antenna.gra (4.x).' }),
    markerArpUpEccentricity: NullableNumber({ description: 'Marker->ARP Up Ecc. in metres (4.x).' }),
    markerArpNorthEccentricity: NullableNumber({ description: 'Marker->ARP North Ecc. in metres (4.x).' }),
    markerArpEastEccentricity: NullableNumber({ description: 'Marker->ARP East Ecc. in metres (4.x).' }),
    alignmentFromTrueNorth: NullableDecimal({
      description: 'Alignment from True N in degrees, clockwise positive (4.x).',
    }),
    radomeType: NullableString({ description: 'Antenna Radome Type, as an IGS code; "NONE" means no radome (4.x).' }),
    radomeSerialNumber: NullableString({ description: 'Radome Serial Number (4.x).' }),
    antennaCableType: NullableString({ description: 'Antenna Cable Type, vendor and type number (4.x).' }),
    antennaCableLength: NullableDecimal({ description: 'Antenna Cable Length in metres (4.x).' }),
    notes: notes('4.x, Additional Information'),
  },
  closed('Configuration of a GNSS antenna.'),
);

/** Identity of a humidity sensor (site log section 8.1). */
export const HumiditySensorId = Type.Object(
  {
    type: NullableString({ description: 'Humidity Sensor Model (8.1.x).' }),
    equipmentType: Type.Literal('humidity sensor', { description: 'The kind of equipment.' }),
    manufacturer: NullableString({ description: 'Manufacturer (8.1.x).' }),
    serialNumber: NullableString({ description: 'Serial Number (8.1.x).' }),
    aspiration: NullableString({ description: 'Aspiration: UNASPIRATED, NATURAL, FAN, ... (8.1.x).' }),
  },
  closed('Identity of a humidity sensor: one device per (type, serialNumber).'),
);

/** How a humidity sensor was mounted (site log section 8.1). */
export const HumiditySensorConfiguration = Type.Object(
  {
    heightDiffToAntenna: NullableDecimal({
      description: 'Height Diff to Ant in metres, positive if the sensor is above the antenna (8.1.x).',
    }),
    notes: notes('8.1.x, Notes'),
  },
  closed('Configuration of a humidity sensor.'),
);

/** Identity of a clock (site log section 6, Frequency Standard). */
export const ClockId = Type.Object(
  {
    type: NullableString({ description: 'Standard Type: INTERNAL, EXTERNAL H-MASER, ... (6.x).' }),
    equipmentType: Type.Literal('clock', { description: 'The kind of equipment.' }),
    manufacturer,
    serialNumber: NullableString({ description: 'Always null: site logs have no serial number for clocks.' }),
  },
  closed('Identity of a clock: one device per type.'),
);

/** How a clock was connected (site log section 6). */
export const ClockConfiguration = Type.Object(
  { inputFrequency: NullableDecimal({ description: 'Input Frequency in MHz, for external clocks (6.x).' }) },
  closed('Configuration of a clock.'),
);

const inUse = <Id extends TObject, Configuration extends TObject>(id: Id, configuration: Configuration, subject: string) =>
  Type.Object(
    {
      content: Type.Object(
        { id, configuration, period: Period(`the use of the ${subject} in this configuration`) },
        closed(`The ${subject}, its configuration and its period of use.`),
      ),
    },
    closed(`A ${subject} in use, with its configuration and period.`),
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

/** An item of equipment in use: a union discriminated by `content.id.equipmentType`. */
export const EquipmentInUse = Type.Union([GnssReceiverInUse, GnssAntennaInUse, HumiditySensorInUse, ClockInUse], {
  description: 'An item of equipment in use. `content.id.equipmentType` gives its kind.',
});
export type EquipmentInUse = Static<typeof EquipmentInUse>;

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

/**
 * Every kind of equipment, in the order in which a Setup lists them: its wire name, the names of its collection, item and
 * type, and the schemas of its identity, configuration and device. A kind added here gets a collection with routes,
 * filters, sorting, profile and OpenAPI description.
 */
export const EQUIPMENT_KINDS = {
  'gnss receiver': {
    title: 'GNSS receiver',
    typeName: 'GnssReceiver',
    item: 'gnssReceiver',
    collection: 'gnssReceivers',
    id: GnssReceiverId,
    configuration: GnssReceiverConfiguration,
    device: GnssReceiver,
  },
  'gnss antenna': {
    title: 'GNSS antenna',
    typeName: 'GnssAntenna',
    item: 'gnssAntenna',
    collection: 'gnssAntennas',
    id: GnssAntennaId,
    configuration: GnssAntennaConfiguration,
    device: GnssAntenna,
  },
  'humidity sensor': {
    title: 'humidity sensor',
    typeName: 'HumiditySensor',
    item: 'humiditySensor',
    collection: 'humiditySensors',
    id: HumiditySensorId,
    configuration: HumiditySensorConfiguration,
    device: HumiditySensor,
  },
  clock: {
    title: 'clock',
    typeName: 'Clock',
    item: 'clock',
    collection: 'clocks',
    id: ClockId,
    configuration: ClockConfiguration,
    device: Clock,
  },
} as const;

/** A kind of equipment: a value of `equipmentType`. */
export type EquipmentType = keyof typeof EQUIPMENT_KINDS;

/** The kinds of equipment, in the order in which a Setup lists them. */
export const EQUIPMENT_TYPES = Object.keys(EQUIPMENT_KINDS) as EquipmentType[];

/** The variant of {@link EquipmentInUse} for one kind. TypeScript cannot narrow a union by a nested member. */
export type EquipmentInUseOf<T extends EquipmentType> = Extract<EquipmentInUse, { content: { id: { equipmentType: T } } }>;

/** Whether `equipment` is of the given kind; narrows the union. */
export function isOfType<T extends EquipmentType>(equipment: EquipmentInUse, equipmentType: T): equipment is EquipmentInUseOf<T> {
  return equipment.content.id.equipmentType === equipmentType;
}

/** Whether devices of a kind have an installation list. Clocks have none: one clock stands for all of its type. */
export const hasInstallations = (equipmentType: EquipmentType): boolean => equipmentType !== 'clock';

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
