import type { Report } from '../findings/findings.js';
import { placeOf } from '../site-log/record.js';
import type { LogItem } from '../site-log/site-log.js';
import type { CheckedLog } from './checked-log.js';

/** The check of the eccentricities of antennas that follow each other. */

type Antenna = Extract<LogItem, { id: { equipmentType: 'gnss antenna' } }>;

const AXES = {
  Up: 'markerArpUpEccentricity',
  North: 'markerArpNorthEccentricity',
  East: 'markerArpEastEccentricity',
} as const;

/** Millimetres in a metre, with the tolerance of a rounded value. */
const isThousandfold = (one: number, other: number): boolean => {
  const small = Math.min(Math.abs(one), Math.abs(other));
  const ratio = Math.max(Math.abs(one), Math.abs(other)) / small;
  return small > 0 && ratio > 990 && ratio < 1010;
};

/** Reports eccentricities that differ from those of the antenna before by a factor of 1,000. */
export function checkEccentricities({ log: { items } }: CheckedLog, report: Report): void {
  const antennas = items.filter(
    (item): item is Antenna => item.id.equipmentType === 'gnss antenna',
  );
  for (const [index, antenna] of antennas.entries()) {
    const before = antennas[index - 1];
    if (before === undefined) continue;
    for (const [axis, member] of Object.entries(AXES)) {
      const own = antenna.configuration[member];
      const other = before.configuration[member];
      if (own === null || other === null || !isThousandfold(own, other)) continue;
      report('eccentricity-scale', placeOf(antenna), {
        axis: axis as keyof typeof AXES,
        otherLine: before.line,
        text: `${other} ${own}`,
      });
    }
  }
}
