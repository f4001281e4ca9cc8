/**
 * The fields of a header that are compared, in this order. The azimuth is compared only if the
 * header has it, or should have it because the log has an alignment other than 0.
 */
export const FIELDS = [
  'markerName',
  'markerNumber',
  'receiverSerialNumber',
  'receiverType',
  'firmwareVersion',
  'antennaSerialNumber',
  'antennaType',
  'radomeType',
  'up',
  'east',
  'north',
  'azimuth',
  'position',
  'agency',
] as const;
export type Field = (typeof FIELDS)[number];

/** The fields that belong to one device. */
export const DEVICES = {
  receiver: ['receiverSerialNumber', 'receiverType', 'firmwareVersion'],
  antenna: ['antennaSerialNumber', 'antennaType', 'radomeType'],
} as const satisfies Record<string, Field[]>;
export type Device = keyof typeof DEVICES;

/** The eccentricities, in the order in which a record has them. */
export const ECCENTRICITY_FIELDS = ['up', 'east', 'north'] as const satisfies Field[];
