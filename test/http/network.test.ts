import t from 'tap';
import { NetworkFigures } from '../../src/http/pages/network-figures.js';
import { WINDOW } from '../../src/store/read/network.js';
import type { Store } from '../../src/store/store.js';
import { openService, type Service } from '../service.js';
import type { Item, SyntheticLog } from '../synthetic-log.js';

const YEARS = 45;
const TODAY = '2026-01-01T00:00:00Z';
/** A Site that has had another receiver with another firmware each year, and one antenna. */
const history = (id: string): SyntheticLog => ({
  id,
  receivers: Array.from({ length: YEARS }, (_, year): Item => ({
    type: 'R0',
    serial: `${id}${year}`,
    from: `${1980 + year}-01-01`,
    ...(year < YEARS - 1 && { to: `${1981 + year}-01-01` }),
    more: { 'Firmware Version': String(year % 2) },
  })),
  antennas: [{ type: 'A0', serial: `${id}2`, from: '1990-01-01' }],
});

/** Imports enough Sites for two windows of devices. @returns how many */
async function fill({ importText }: Service): Promise<number> {
  const sites = Math.ceil((WINDOW + 1) / (YEARS + 1));
  for (let site = 0; site < sites; site++) {
    const id = `S${String(site).padStart(3, '0')}`;
    await importText(history(id), `${id.toLowerCase()}_20240101.log`);
  }
  return sites;
}

/** The store, whose devices are read in another way. */
const withUse = (store: Store, readUse: Store['network']['readUse']): Store =>
  Object.create(store, {
    network: { value: Object.create(store.network, { readUse: { value: readUse } }) as unknown },
  }) as Store;

/** The store, and how many windows of devices have been read from it. */
function counting(store: Store): { store: Store; windows: () => number } {
  let windows = 0;
  const readUse: Store['network']['readUse'] = (kinds, after) => {
    windows++;
    return store.network.readUse(kinds, after);
  };
  return { store: withUse(store, readUse), windows: () => windows };
}

t.test(
  'the network is read in windows, once for all requests, and again after a commit',
  async (t) => {
    const service = await openService(t, []);
    const sites = await fill(service);
    const { store, windows } = counting(service.store);
    const network = new NetworkFigures(store);

    const [one, other] = await Promise.all([network.read(TODAY), network.read(TODAY)]);
    t.equal(windows(), 2, 'two windows, for both requests');
    t.equal(one, other);
    const itemsOf = (firmware: string | null): number =>
      one.uses.firmware
        .filter(({ firmwareVersion }) => firmwareVersion === firmware)
        .reduce((sum, { devices }) => sum + devices, 0);
    t.same([itemsOf('0'), itemsOf('1'), itemsOf(null)], [sites * 23, sites * 22, sites]);
    t.equal(
      new Set(one.uses.firmware.map(({ devices: _, ...use }) => JSON.stringify(use))).size,
      one.uses.firmware.length,
      'windows are added up',
    );
    const firstTen = (year: number) =>
      Array.from({ length: 10 }, (_, site) => `S00${site} ${year}-01-01T00:00:00Z`);
    const oldest = one.oldest.map(({ devices }) =>
      devices.map(({ fourCharacterId, since }) => `${fourCharacterId} ${since}`),
    );
    t.same(oldest, [firstTen(2024), firstTen(1990)]);
    t.match(one.oldest, [{ equipmentType: 'gnss receiver' }, { equipmentType: 'gnss antenna' }]);
    t.equal(await network.read(TODAY), one);
    t.equal(windows(), 2, 'not read again');

    await service.importText(
      { id: 'OLD1', antennas: [{ type: 'A1', serial: '1', from: '1981-01-01' }] },
      'old1_20240101.log',
    );
    const next = await network.read(TODAY);
    t.match(next.oldest[1], {
      devices: [{ fourCharacterId: 'OLD1' }, { fourCharacterId: 'S000' }],
    });
    t.equal(windows(), 4);
  },
);

t.test('a request never gets a state older than itself, however long reading takes', async (t) => {
  const service = await openService(t, []);
  await fill(service);
  const { store, windows } = counting(service.store);
  const network = new NetworkFigures(store);
  const first = network.read(TODAY);
  await service.importText(
    { id: 'OLD1', antennas: [{ type: 'A1', serial: '1', from: '1981-01-01' }] },
    'old1_20240101.log',
  );
  const [second, third] = await Promise.all([network.read(TODAY), network.read(TODAY)]);
  t.equal(second, third, 'read once for both');
  t.match(second.oldest[1], { devices: [{ fourCharacterId: 'OLD1' }] });
  await first;
  t.ok(windows() <= 4, `${windows()} windows`);
});

t.test('if reading fails, the next request reads again', async (t) => {
  const service = await openService(t, []);
  await service.importText(history('S000'), 's000_20240101.log');
  let fails = true;
  const readUse: Store['network']['readUse'] = (kinds, after) =>
    fails ? Promise.reject(new Error('not now')) : service.store.network.readUse(kinds, after);
  const own = new NetworkFigures(withUse(service.store, readUse));
  await t.rejects(Promise.all([own.read(TODAY), own.read(TODAY)]), { message: 'not now' });
  fails = false;
  t.equal((await own.read(TODAY)).uses.type.length > 0, true);
});

t.test('the last device of a window is read', async (t) => {
  const service = await openService(t, []);
  const day = (n: number): string => new Date(Date.UTC(1990, 0, 1 + n)).toISOString().slice(0, 10);
  // The devices are numbered in the order of the logs. The last three are in use.
  const receivers = Array.from({ length: WINDOW + 1 }, (_, index): Item => ({
    type: 'R0',
    serial: `N${index + 1}`,
    from: day(index),
    ...(index < WINDOW - 2 && { to: day(index + 1) }),
  }));
  const before = receivers.slice(0, WINDOW - 2);
  const inUse = receivers.slice(WINDOW - 2);
  await service.importText({ id: 'AAAA', receivers: before }, 'aaaa_20240101.log');
  await service.importText({ id: 'BBBB', receivers: inUse }, 'bbbb_20240101.log');
  const { oldest } = await new NetworkFigures(service.store).read(TODAY);
  t.same(
    oldest[0]!.devices.map(({ serialNumber }) => serialNumber),
    [WINDOW - 1, WINDOW, WINDOW + 1].map((number) => `N${number}`),
  );
});
