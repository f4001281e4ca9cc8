import { Type } from '@sinclair/typebox';
import { NullableDecimal, NullableNumber, NullableString } from './values.js';

/**
 * The identity and the configuration of each kind of equipment. Section numbers are those of the IGS site log form.
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
