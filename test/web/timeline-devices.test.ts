import fc from 'fast-check';
import t from 'tap';
import {
  type EquipmentType,
  isInstrument,
  type InstalledInstrument,
  SETUP_NAME,
  type Setup,
} from '../../schemas/index.js';
import { deriveChanges } from '../../src/derive/changes.js';
import { deriveDevices } from '../../src/derive/devices.js';
import { mergeGaps, predecessorsIn } from '../../src/derive/gaps.js';
import { deriveInstruments } from '../../src/derive/log-devices.js';
import { deriveSetups } from '../../src/derive/setups.js';
import { LONGEST_GAP } from '../../src/derive/visits.js';
import { Findings } from '../../src/findings/findings.js';
import type { LogInstrument, LogItem } from '../../src/site-log/site-log.js';
import { layoutOf } from '../../src/web/timeline/layout.js';
import { casesOf, SEED, triesMore } from '../effort.js';

/**
 * The timeline draws one bar for each device without a serial number, as the changes and the
 * catalogue count them. A device with one has a bar for each stay.
 */

type Block = [type: string, serial: string | null, value: number, from: number, to: number | null];

const hour = (n: number): string =>
  `${new Date(Date.UTC(2010, 0, 1, n)).toISOString().slice(0, 19)}Z`;

/** Items of a log, in its order. The times are hours. */
const itemsOf = (equipmentType: EquipmentType, blocks: readonly Block[]) =>
  blocks.map(([type, serialNumber, value, from, to], index) => ({
    id: { type, equipmentType, manufacturer: null, serialNumber },
    configuration: { heightDiffToAntenna: value, notes: null },
    from: hour(from),
    to: to === null ? null : hour(to),
    line: index + 1,
    item: index + 1,
  }));

/** How many devices a log has, and how many bars its timeline. */
function countBoth(
  equipmentType: EquipmentType,
  blocks: readonly Block[],
): { devices: number; bars: number } {
  const findings = new Findings('test.log');
  const items = itemsOf(equipmentType, blocks);
  const span = { from: hour(0), to: hour(100_000) };
  const barsOf = (timeline: Parameters<typeof layoutOf>[0]): number =>
    layoutOf(timeline, [equipmentType], span, span).flatMap(({ lanes }) => lanes.flat()).length;
  if (isInstrument(equipmentType)) {
    const derived = deriveInstruments(items as unknown as LogInstrument[], findings);
    const instruments = derived.flatMap(({ inUse }) => inUse as InstalledInstrument[]);
    return { devices: derived.length, bars: barsOf({ setups: [], instruments, changes: [] }) };
  }
  const derived = deriveSetups(items as unknown as LogItem[], findings);
  const changes = deriveChanges(derived);
  const setups: Setup[] = derived.map((setup, index) => ({
    id: index + 1,
    siteId: 1,
    name: SETUP_NAME,
    invalidated: false,
    current: false,
    // As they are read from the store: changes have other objects.
    ...structuredClone(setup),
  }));
  const { length: devices } = deriveDevices(derived, () =>
    predecessorsIn(mergeGaps(changes, LONGEST_GAP)),
  );
  return { devices, bars: barsOf({ setups, changes }) };
}

const KINDS: EquipmentType[] = ['gnss receiver', 'humidity sensor', 'pressure sensor'];

for (const [what, blocks] of [
  [
    'items that continue each other, in another order of their values',
    [
      ['P', null, 1, 0, 8],
      ['P', null, 3, 8, 14],
      ['P', null, 2, 20, 900],
    ],
  ],
  [
    'a device that comes back after another one began in the same visit',
    [
      ['Q', null, 2, 100, 200],
      ['R', null, 1, 150, 200],
      ['R', null, 1, 206, 212],
      ['R', null, 3, 212, 400],
      ['Q', null, 1, 212, 400],
    ],
  ],
  [
    'items that are listed twice',
    [
      ['Q', null, 1, 212, 312],
      ['Q', null, 1, 212, 312],
      ['R', null, 1, 312, 318],
      ['Q', null, 2, 324, 424],
      ['Q', null, 2, 324, 424],
      ['R', null, 2, 450, null],
    ],
  ],
] as [string, Block[]][])
  for (const kind of KINDS)
    t.test(`${kind}, ${what}: as many bars as devices`, async (t) => {
      const { devices, bars } = countBoth(kind, blocks);
      t.equal(bars, devices);
    });

t.test('what continues is not divided if another one takes the lane of its twin', async (t) => {
  const { bars } = countBoth('pressure sensor', [
    ['S', '1', 1, 1000, 1780],
    ['S', '1', 2, 1300, 1798],
    ['Q', null, 1, 1786, null],
    ['S', '1', 3, 1804, null],
  ]);
  t.equal(bars, 3);
});

const anyBlocks: fc.Arbitrary<Block[]> = fc
  .array(
    fc.record({
      type: fc.constantFrom('R', 'R', 'Q'),
      serial: fc.constantFrom(null, null, '0000', 'n/a'),
      value: fc.constantFrom(1, 2, 3),
      pause: fc.constantFrom(0, 0, 0, 6, 24, 25, -6, -100),
      hours: fc.constantFrom(6, 24, 100, 100, null),
      times: fc.constantFrom(1, 1, 1, 1, 2),
    }),
    { maxLength: 8 },
  )
  .map((history) => {
    let end = 2000;
    return history.flatMap(({ type, serial, value, pause, hours, times }) => {
      const from = end + pause;
      end = from + (hours ?? 100);
      const block: Block = [type, serial, value, from, hours === null ? null : end];
      return Array<Block>(times).fill(block);
    });
  });

for (const kind of KINDS)
  t.test(`${kind}, without serial numbers: as many bars as devices`, triesMore, async () => {
    const agrees = (blocks: Block[]): boolean => {
      const { devices, bars } = countBoth(kind, blocks);
      return devices === bars;
    };
    fc.assert(fc.property(anyBlocks, agrees), { numRuns: casesOf(20_000), seed: SEED });
  });
