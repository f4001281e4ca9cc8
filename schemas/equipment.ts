import { Type, type Static, type TObject } from '@sinclair/typebox';
import { device } from './device.js';
import { Link, TemplatedLink } from './hal.js';
import { NullableDecimal, NullableNumber, NullableString, Period } from './values.js';

/**
 * The four kinds of equipment a Setup publishes. Each is one variant of {@link EquipmentInUse}, told
 * apart by `content.id.equipmentType`. Section numbers are those of the IGS site log form.
 */

const closed = (description: string) => ({ additionalProperties: false, description });

const manufacturer = NullableString({
  description: 'Manufacturer as the site log names it; the form asks for it for humidity sensors only (8.1).',
});
const notes = (section: string) => NullableString({ description: `Remarks, lines joined by a blank (site log ${section}).` });

/** Identity of a GNSS receiver (site log section 3). */
export const GnssReceiverId = Type.Object(
  {
    type: NullableString({ description: 'Receiver Type, the name in the IGS table rcvr_ant.tab (3.x).' }),
    equipmentType: Type.Literal('gnss receiver', { description: 'The kind of equipment.' }),
    manufacturer,
    serialNumber: NullableString({ description: 'Serial Number (3.x).' }),
  },
  closed('Identity of a GNSS receiver: one (type, serialNumber) is one device.'),
);

/** How a GNSS receiver was configured (site log section 3). */
export const GnssReceiverConfiguration = Type.Object(
  {
    firmwareVersion: NullableString({ description: 'Firmware Version (3.x).' }),
    satelliteSystem: NullableString({
      description: 'Satellite systems tracked, joined by "+": GPS, GLO, GAL, BDS, QZSS, IRNSS, SBAS (3.x Satellite System).',
    }),
    elevetionCutoffSetting: NullableDecimal({
      description: 'Elevation Cutoff Setting in degrees (3.x). The spelling is the wire name.',
    }),
    temperatureStabilization: NullableString({
      description: 'Temperature Stabiliz. (3.x): "none", or the tolerance in degrees Celsius as the log words it.',
    }),
    notes: notes('3.x, Additional Information'),
  },
  closed('Configuration of a GNSS receiver.'),
);

/** Identity of a GNSS antenna (site log section 4). */
export const GnssAntennaId = Type.Object(
  {
    type: NullableString({
      description: 'Antenna Type in 20 columns: the name in 1-16, the radome code in 17-20, inner blanks significant (4.x).',
    }),
    equipmentType: Type.Literal('gnss antenna', { description: 'The kind of equipment.' }),
    manufacturer,
    serialNumber: NullableString({ description: 'Serial Number (4.x).' }),
  },
  closed('Identity of a GNSS antenna: one (type, serialNumber) is one device.'),
);

/** How a GNSS antenna was mounted (site log section 4). */
export const GnssAntennaConfiguration = Type.Object(
  {
    antennaReferencePoint: NullableString({ description: 'Antenna Reference Point, code of antenna.gra (4.x).' }),
    markerArpUpEccentricity: NullableNumber({ description: 'Marker->ARP Up Ecc. in metres (4.x).' }),
    markerArpNorthEccentricity: NullableNumber({ description: 'Marker->ARP North Ecc in metres (4.x).' }),
    markerArpEastEccentricity: NullableNumber({ description: 'Marker->ARP East Ecc in metres (4.x).' }),
    alignmentFromTrueNorth: NullableDecimal({
      description: 'Alignment from True N in degrees, clockwise positive (4.x).',
    }),
    radomeType: NullableString({ description: 'Antenna Radome Type, IGS code; "NONE" is no radome (4.x).' }),
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
  closed('Identity of a humidity sensor: one (type, serialNumber) is one device.'),
);

/** How a humidity sensor was mounted (site log section 8.1). */
export const HumiditySensorConfiguration = Type.Object(
  {
    heightDiffToAntenna: NullableDecimal({
      description: 'Height Diff to Ant in metres, positive above the antenna (8.1.x).',
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
    serialNumber: NullableString({ description: 'Always null: the form has no serial number for a clock.' }),
  },
  closed('Identity of a clock: its type.'),
);

/** How a clock was connected (site log section 6). */
export const ClockConfiguration = Type.Object(
  { inputFrequency: NullableDecimal({ description: 'Input Frequency in MHz, where the clock is external (6.x).' }) },
  closed('Configuration of a clock.'),
);

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

/** One piece of equipment in use: a union discriminated by `content.id.equipmentType`. */
export const EquipmentInUse = Type.Union([GnssReceiverInUse, GnssAntennaInUse, HumiditySensorInUse, ClockInUse], {
  description: 'One piece of equipment in use; its kind is `content.id.equipmentType`.',
});
export type EquipmentInUse = Static<typeof EquipmentInUse>;

/** A GNSS receiver of the catalogue: one physical device, one (type, serialNumber). */
export const GnssReceiver = device(GnssReceiverId, GnssReceiverConfiguration, 'GNSS receiver', { gnssReceiver: TemplatedLink });
export type GnssReceiver = Static<typeof GnssReceiver>;
/** A GNSS antenna of the catalogue: one physical device, one (type, serialNumber). */
export const GnssAntenna = device(GnssAntennaId, GnssAntennaConfiguration, 'GNSS antenna', { gnssAntenna: TemplatedLink });
export type GnssAntenna = Static<typeof GnssAntenna>;
/** A humidity sensor of the catalogue: one physical device, one (type, serialNumber). */
export const HumiditySensor = device(HumiditySensorId, HumiditySensorConfiguration, 'humidity sensor', { humiditySensor: TemplatedLink });
export type HumiditySensor = Static<typeof HumiditySensor>;
/** A clock of the catalogue: one type. */
export const Clock = device(ClockId, ClockConfiguration, 'clock', { clock: TemplatedLink });
export type Clock = Static<typeof Clock>;

/**
 * Every kind of equipment, in the order in which a Setup lists them: its name on the wire, the names of its collection,
 * of an item and of its type, and the schemas of its identity, of its configuration and of a device. A kind added here
 * has its collection: route, filters, sorting, profile and OpenAPI description.
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

/** A kind of equipment, as `equipmentType` has it. */
export type EquipmentType = keyof typeof EQUIPMENT_KINDS;

/** The kinds of equipment, in the order in which a Setup lists them. */
export const EQUIPMENT_TYPES = Object.keys(EQUIPMENT_KINDS) as EquipmentType[];

/** The variant of {@link EquipmentInUse} of one kind. TypeScript narrows no union by a nested member; this names the variant. */
export type EquipmentInUseOf<T extends EquipmentType> = Extract<EquipmentInUse, { content: { id: { equipmentType: T } } }>;

/** Whether `equipment` is of kind `equipmentType`; narrows the union. */
export function isOfType<T extends EquipmentType>(equipment: EquipmentInUse, equipmentType: T): equipment is EquipmentInUseOf<T> {
  return equipment.content.id.equipmentType === equipmentType;
}

/** Whether devices of a kind have a list of where they have been: a clock is its type, and everywhere. */
export const hasInstallations = (equipmentType: EquipmentType): boolean => equipmentType !== 'clock';

/** A device of any kind, as the collection over all kinds has it: with a link to itself in the collection of its kind. */
export const Equipment = Type.Union(
  EQUIPMENT_TYPES.map((equipmentType) => {
    const { id, configuration, title, item } = EQUIPMENT_KINDS[equipmentType];
    return device(id as TObject, configuration as TObject, title, {
      equipment: TemplatedLink,
      [item]: Link,
      ...(hasInstallations(equipmentType) && { installations: Link }),
    });
  }),
  { description: 'A device of any kind, told apart by `equipmentType`.' },
);
