import fc from 'fast-check';
import t from 'tap';
import {
  type Change,
  type ExportedInstallation,
  type GnssReceiver,
  SETUP_EQUIPMENT_TYPES,
  type SetupEquipmentType,
} from '../../schemas/index.js';
import { casesOf, SEED, triesMore } from '../effort.js';
import { openService, type Service } from '../service.js';
import type { Item, SyntheticLog } from '../synthetic-log.js';
import { elementsIn, type Paged } from './answers.js';

/** Serial numbers that identify no device. */
const UNKNOWN_NUMBERS = ['', 'n/a', '0000'];
const isUnknown = (serialNumber: string | null): boolean =>
  serialNumber === null || UNKNOWN_NUMBERS.includes(serialNumber);

/** One item of a random history. It follows the item before it, or overlaps it. */
interface RandomItem {
  type: string;
  serial: string;
  /** The firmware, the height or the frequency. */
  value: string;
  note: string;
  /** The hours from the end of the item before it to its start; negative if they overlap. */
  pause: number;
  /** For how many hours it is in use; null if it is still in use. */
  hours: number | null;
}

/** Histories with blank numbers, fillers, overlaps, other devices, and new values. */
const historyOf = (types: string[], values: string[]): fc.Arbitrary<RandomItem[]> =>
  fc.array(
    fc.record({
      type: fc.constantFrom(...types),
      serial: fc.constantFrom(...UNKNOWN_NUMBERS, '', 'S1', 'S2', 'S3'),
      value: fc.constantFrom(...values),
      note: fc.constantFrom('', '', 'another remark'),
      pause: fc.constantFrom(0, 0, 0, 6, 24, 25, -6, -100),
      hours: fc.constantFrom(0, 6, 24, 100, 100, 100, null),
    }),
    { maxLength: 6 },
  );

const hour = (n: number): string =>
  new Date(Date.UTC(2010, 0, 1, n)).toISOString().slice(0, 16) + 'Z';

/** The items of a history as blocks of a log. */
function blocksOf(history: RandomItem[], label: string): Item[] {
  let end = 200;
  return history.map(({ type, serial, value, note, pause, hours }) => {
    const from = end + pause;
    end = from + (hours ?? 100);
    const block: Item = { type, serial, from: hour(from), more: { [label]: value } };
    if (hours !== null) block.to = hour(end);
    if (note !== '') block.more!['Additional Information'] = note;
    return block;
  });
}

const effective = (blocks: Item[]): Item[] =>
  blocks.map((block) => ({ ...block, to: block.to ?? '(CCYY-MM-DD)' }));

const anyLog: fc.Arbitrary<SyntheticLog> = fc
  .record({
    receivers: historyOf(['R', 'R', 'Q'], ['F1', 'F2']),
    antennas: historyOf(
      ['A               NONE', 'A               DOME', 'B               NONE'],
      ['0.1', '0.2'],
    ),
    sensors: historyOf(['H', 'H', 'I', ''], ['1', '2']),
    clocks: historyOf(['H-MASER', 'EXTERNAL H-MASER', 'INTERNAL', ''], ['5', '10']),
  })
  .map(({ receivers, antennas, sensors, clocks }) => ({
    receivers: blocksOf(receivers, 'Firmware Version'),
    antennas: blocksOf(antennas, 'Marker->ARP Up Ecc. (m)'),
    sensors: effective(blocksOf(sensors, '  Height Diff to Ant')),
    clocks: effective(blocksOf(clocks, '  Input Frequency')),
  }));

const COLLECTIONS: Record<SetupEquipmentType, string> = {
  'gnss receiver': 'gnssReceivers',
  'gnss antenna': 'gnssAntennas',
  'humidity sensor': 'humiditySensors',
  clock: 'clocks',
};

type Id = ExportedInstallation['device'];

/** The identity of an item; null if the item says only its type, or not even that. */
function identityOf({ equipmentType, type, serialNumber }: Id): string | null {
  if (equipmentType === 'clock') return type && type.replace('EXTERNAL ', '');
  return isUnknown(serialNumber) ? null : `${type?.slice(0, 16).trim()} ${serialNumber}`;
}

/** How many devices the changes of the network tell of, by kind. */
async function countInChanges({ get }: Service, kind: SetupEquipmentType): Promise<number> {
  const answer = await get(`/changes?size=1000&equipmentType=${encodeURIComponent(kind)}`);
  const identified = new Set<string>();
  let others = 0;
  for (const change of elementsIn(answer.json<Paged<Change>>())) {
    if (change.kind === 'removed') continue;
    const identity = identityOf(change.after!.content.id);
    if (identity !== null) identified.add(identity);
    else if (change.kind !== 'reconfigured') others += 1;
  }
  return identified.size + others;
}

type Device = Required<Pick<GnssReceiver, 'type' | 'serialNumber' | 'installations'>>;

/** The devices of the catalogue, with their installations. */
async function catalogue({ get }: Service, kind: SetupEquipmentType): Promise<Device[]> {
  const answer = await get(`/${COLLECTIONS[kind]}?size=1000&projection=installations`);
  return elementsIn(answer.json<Paged<Device>>());
}

/** The export of the installations of a kind. */
async function exported(
  { get }: Service,
  kind: SetupEquipmentType,
): Promise<ExportedInstallation[]> {
  const url = `/exports/installations.ndjson?equipmentType=${encodeURIComponent(kind)}`;
  const { body } = await get(url);
  const lines = body.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as ExportedInstallation);
}

/** Where and how a device was in use, to find the same in two answers. */
const useOf = ({
  period,
  configuration,
}: Pick<ExportedInstallation, 'period' | 'configuration'>): string =>
  JSON.stringify([period, configuration]);

/** Whether a history has a known serial number or a whole item twice: such a device has two bars. */
function hasRepeats(items: Item[] = []): boolean {
  const texts = items.map((item) => (isUnknown(item.serial!) ? JSON.stringify(item) : item.serial));
  return new Set(texts).size < texts.length;
}

/** Whether the timeline leaves out an item: one that ended before a receiver or antenna began. */
function isLeftOut({ receivers = [], antennas = [] }: SyntheticLog, { to }: Item): boolean {
  const used = [...receivers, ...antennas].filter((item) => item.from !== item.to);
  const [first] = used.map(({ from }) => from!).sort();
  return first !== undefined && to !== undefined && /^\d/.test(to) && to <= first;
}

t.test(
  'changes, catalogue, installations and the page of a Site agree on the number of devices',
  triesMore,
  async (t) => {
    const service = await openService(t);
    let day = 0;
    const agrees = async (log: SyntheticLog): Promise<void> => {
      // Each log is a newer version of the same log, so that devices on record are found again.
      day += 1;
      const prepared = new Date(Date.UTC(2020, 0, day)).toISOString().slice(0, 10);
      const { saved } = await service.importText({ ...log, prepared }, 'test.log');
      if (saved !== 1) throw new Error(`the log of ${prepared} was not saved`);
      let bars = 0;
      for (const kind of SETUP_EQUIPMENT_TYPES) {
        const devices = await catalogue(service, kind);
        const inChanges = await countInChanges(service, kind);
        if (devices.length !== inChanges)
          throw new Error(`${kind}: catalogue ${devices.length}, changes ${inChanges}`);
        bars += devices.length;
        // Clocks have no installation lists.
        if (kind === 'clock') continue;
        const listed = devices.flatMap(({ installations }) => installations.map(useOf));
        const rows = (await exported(service, kind)).map(useOf);
        if (JSON.stringify(listed.sort()) !== JSON.stringify(rows.sort()))
          throw new Error(`${kind}: catalogue ${listed.join()}, installations ${rows.join()}`);
      }
      const { receivers, antennas, sensors, clocks } = log;
      if ([receivers, antennas, sensors].some(hasRepeats) || clocks!.length > 1) return;
      if ([...sensors!, ...clocks!].some((item) => isLeftOut(log, item))) return;
      const drawn = (await service.get('/sites/TEST')).body.match(/<g class="run/g)?.length ?? 0;
      if (drawn !== bars) throw new Error(`page ${drawn}, catalogue ${bars}`);
    };
    await fc.assert(fc.asyncProperty(anyLog, agrees), { numRuns: casesOf(500), seed: SEED });
  },
);

t.test(
  'one antenna without a serial number, listed twice, is two devices everywhere',
  async (t) => {
    const service = await openService(t);
    const antenna = { type: 'B               NONE', serial: '', from: hour(200), to: hour(206) };
    const log = { antennas: [antenna, antenna] };
    for (const prepared of ['2020-01-01', '2020-01-02']) {
      await service.importText({ ...log, prepared }, 'test.log');
      t.equal((await catalogue(service, 'gnss antenna')).length, 2);
      t.equal(await countInChanges(service, 'gnss antenna'), 2);
      t.equal((await exported(service, 'gnss antenna')).length, 2);
    }
  },
);

/** An antenna without a serial number. */
const antenna = (from: number, to: number, up: string): Item => ({
  type: 'A               NONE',
  serial: '',
  from: hour(from),
  to: hour(to),
  more: { 'Marker->ARP Up Ecc. (m)': up },
});

/** How many antennas the catalogue, the changes and the page of the Site have. */
async function countEverywhere(service: Service): Promise<number[]> {
  const { body } = await service.get('/sites/TEST');
  return [
    (await catalogue(service, 'gnss antenna')).length,
    await countInChanges(service, 'gnss antenna'),
    body.match(/<g class="run/g)!.length,
  ];
}

t.test(
  'of two antennas without serial numbers, the page continues the one that the changes continue',
  async (t) => {
    const service = await openService(t);
    // The third one replaces the second: nothing differs. It could be the first one, set up anew.
    const antennas = [antenna(200, 300, '0.2'), antenna(294, 318, '0.1'), antenna(318, 400, '0.1')];
    await service.importText({ antennas }, 'test.log');
    t.same(await countEverywhere(service), [3, 3, 3]);
  },
);

t.test('an item that is listed twice can continue two antennas', async (t) => {
  const service = await openService(t);
  const twice = antenna(300, 400, '0.3');
  const antennas = [antenna(200, 300, '0.1'), antenna(200, 300, '0.2'), twice, twice];
  await service.importText({ antennas }, 'test.log');
  t.same(await countEverywhere(service), [2, 2, 2]);
});

t.test('the devices of a log do not depend on what was imported before it', async (t) => {
  const first = antenna(200, 300, '0.2');
  const antennas = [
    ...[antenna(200, 300, '0.1'), first],
    ...[antenna(306, 400, '0.3'), antenna(306, 400, '0.2')],
  ];
  for (const before of [[], [first]]) {
    const service = await openService(t);
    await service.importText({ antennas: before, prepared: '2020-01-01' }, 'test.log');
    await service.importText({ antennas, prepared: '2020-01-02' }, 'test.log');
    const merged = await service.get('/changes?mergeGaps=P1D');
    t.same(
      elementsIn(merged.json<Paged<Change>>()).map(({ kind }) => kind),
      ['installed', 'installed', 'reconfigured', 'reconfigured', 'removed', 'removed'],
    );
    const [inCatalogue, , onPage] = await countEverywhere(service);
    t.same([inCatalogue, onPage], [2, 2]);
  }
});
