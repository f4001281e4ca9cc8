import { Type } from '@sinclair/typebox';
import { NullableDecimal, NullableNumber, NullableString } from './values.js';

/**
 * The identity and the configuration of each kind of equipment. Section numbers are those of the IGS site log form.
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
