import type { MemberOf } from './section.js';

/**
 * The values that readers of a site log need of each receiver and each antenna, by section. Without
 * an `essential` value, software drops a period or confuses it with another; without a `useful`
 * one, it makes an assumption.
 */
export const REQUIRED_VALUES = {
  gnssReceivers: {
    essential: ['type', 'serialNumber', 'dateInstalled'],
    useful: ['satelliteSystem', 'firmwareVersion', 'elevationCutoffSetting'],
  },
  gnssAntennas: {
    essential: [
      'type',
      'serialNumber',
      'markerArpUpEcc',
      'markerArpNorthEcc',
      'markerArpEastEcc',
      'antennaRadomeType',
      'dateInstalled',
    ],
    useful: ['antennaReferencePoint', 'alignmentFromTrueNorth'],
  },
} as const satisfies {
  [S in 'gnssReceivers' | 'gnssAntennas']: {
    essential: readonly MemberOf<S>[];
    useful: readonly MemberOf<S>[];
  };
};
