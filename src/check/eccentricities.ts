import type { Axis } from '../findings/codes/equipment.js';
import type { Report } from '../findings/findings.js';
import { placeOf } from '../site-log/record.js';
import type { LogItem } from '../site-log/site-log.js';
import type { CheckedLog } from './checked-log.js';

/** The check of the eccentricities of antennas that follow each other. */

type Antenna = Extract<LogItem, { id: { equipmentType: 'gnss antenna' } }>;

const AXES = [
  ['Up', 'markerArpUpEccentricity'],
  ['North', 'markerArpNorthEccentricity'],
  ['East', 'markerArpEastEccentricity'],
] as const;

/** Whether one value is the other one in millimetres, with the tolerance of a rounded value. */
function isThousandfold(large: number | null, small: number | null): boolean {
  if (large === null || small === null || small === 0) return false;
  const ratio = Math.abs(large / small);
  return ratio > 990 && ratio < 1010;
}

/** The axes on which an antenna has the eccentricity of a neighbour in millimetres. */
const axesInMillimetres = (antenna: Antenna, neighbours: readonly Antenna[]): Axis[] =>
  AXES.filter(([, member]) =>
    neighbours.some((other) =>
      isThousandfold(antenna.configuration[member], other.configuration[member]),
    ),
  ).map(([axis]) => axis);

/** Reports eccentricities that are those of the antenna before or after, in millimetres. */
export function checkEccentricities({ log: { items } }: CheckedLog, report: Report): void {
  const antennas = items.filter(
    (item): item is Antenna => item.id.equipmentType === 'gnss antenna',
  );
  for (const [index, antenna] of antennas.entries()) {
    const neighbours = [antennas[index - 1], antennas[index + 1]].filter(
      (each) => each !== undefined,
    );
    const axes = axesInMillimetres(antenna, neighbours);
    if (axes.length === 0) continue;
    const { configuration } = antenna;
    const text = AXES.map(([, member]) => configuration[member] ?? '')
      .join(' ')
      .trim();
    report('eccentricity-scale', placeOf(antenna), { axes, text });
  }
}
