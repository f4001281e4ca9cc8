import t from 'tap';
import { readStoredLog } from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { openWriter } from '../../src/store/open.js';
import type { Correction } from '../../src/store/save/corrections.js';
import { openService, type Service } from '../service.js';
import type { SyntheticLog } from '../synthetic-log.js';
import { rawDatabase } from '../raw-database.js';
import { randomOf } from '../campaigns/random.js';
import { SEED } from '../effort.js';

const sensor = (prepared: string, more: Record<string, string>): SyntheticLog => ({
  prepared,
  sensors: [{ type: 'HMP155', serial: '1', from: '2001-01-01', more }],
});

/** What the catalogue has for the only device. */
const catalogued = async ({ store }: Service) => {
  const { elements } = await store.devices.findPage({
    filters: [],
    sort: [],
    page: 0,
    size: 10,
    projection: 'installations',
  });
  t.equal(elements.length, 1);
  const { manufacturer, aspiration } = elements[0]!.identity.value as {
    manufacturer: string | null;
    aspiration: string | null;
  };
  return { manufacturer, aspiration, installations: elements[0]!.installations!.length };
};

t.test(
  'a device shows the values of the newest current log that has it, in whatever order they were imported',
  async (t) => {
    const service = await openService(t);
    const log = (id: string, prepared: string, manufacturer: string) =>
      service.importText(
        { ...sensor(prepared, { '  Manufacturer': manufacturer }), id },
        `${id}_${prepared}.log`,
      );
    const manufacturer = async () => (await catalogued(service)).manufacturer;
    const correct = async (site: string, correction: Correction) => {
      const writer = await openWriter(service.database);
      const { kind } = await writer
        .correct(parseSiteId(site), correction, () => new Date(), readStoredLog)
        .finally(() => writer.close());
      t.equal(kind, 'corrected', correction.kind);
    };
    await log('AAAA', '2020-01-03', 'newer');
    await log('BBBB', '2020-01-02', 'older');
    t.equal(await manufacturer(), 'newer');
    await log('CCCC', '2020-01-03', 'imported last');
    t.equal(await manufacturer(), 'imported last', 'on a tie');
    await log('BBBB', '2020-01-04', '');
    t.equal(await manufacturer(), null, 'a blank value is one too');
    await correct('BBBB', { kind: 'withdraw', log: 4 });
    t.equal(await manufacturer(), 'imported last', 'without the withdrawn log');
    await correct('CCCC', { kind: 'retire' });
    t.equal(await manufacturer(), 'newer', 'without the retired Site');
    await log('AAAA', '2020-01-05', 'newest');
    await correct('BBBB', { kind: 'restore', log: 4 });
    await correct('CCCC', { kind: 'unretire' });
    t.equal(await manufacturer(), 'newest');
    await correct('AAAA', { kind: 'withdraw', log: 5 });
    t.equal(await manufacturer(), null, 'that of BBBB');
    for (const site of ['AAAA', 'BBBB', 'CCCC']) await correct(site, { kind: 'retire' });
    t.match(await rawDatabase(service.database).all('SELECT listed, manufacturer FROM equipment'), [
      { listed: 0 },
    ]);
  },
);

t.test(
  'the installations of a device at many Sites name at most ten of the conflicts',
  async (t) => {
    const { get, importText, store } = await openService(t);
    const SITES = 30;
    for (let site = 0; site < SITES; site++) {
      const id = `S${String(site).padStart(3, '0')}`;
      await importText(
        { id, receivers: [{ type: 'R0', serial: '77', from: '2001-01-01' }] },
        `${id}.log`,
      );
    }
    const { installations, totalInstallations } = (
      await get('/gnssReceivers/1?projection=installations')
    ).json<{
      installations: { fourCharacterId: string; conflicts: number; conflictsWith: string[] }[];
      totalInstallations: number;
    }>();
    t.equal(totalInstallations, SITES);
    const conflictsWith = ['S000', 'S001', 'S002', 'S003', 'S005'];
    t.match(installations[4], { fourCharacterId: 'S004', conflicts: SITES - 1, conflictsWith });
    t.ok(installations.every(({ conflictsWith }) => conflictsWith.length === 10));
    const page = (await get('/receivers?type=R0')).body;
    t.match(page, 'S010</a> and 19 others');
    t.match(await store.devices.findTypes('gnss receiver'), [
      { type: 'R0', devices: 1, inUse: 1, sites: SITES, conflicts: 1 },
    ]);
  },
);

t.test('a Site that only had a device according to an earlier log is no conflict', async (t) => {
  const { get, importText } = await openService(t);
  const log = (id: string, prepared: string, serial: string) => ({
    id,
    prepared,
    receivers: [{ type: 'R0', serial, from: '2001-01-01' }],
  });
  await importText(log('AAAA', '2020-01-01', '1'), 'aaaa.log');
  await importText(log('BBBB', '2020-01-01', '1'), 'bbbb.log');
  await importText(log('CCCC', '2020-01-01', '1'), 'cccc-1.log');
  await importText(log('CCCC', '2021-01-01', '2'), 'cccc-2.log');
  const { installations } = (await get('/gnssReceivers/1?projection=installations')).json<{
    installations: { fourCharacterId: string; conflictsWith: string[] }[];
  }>();
  t.same(
    installations.map(({ fourCharacterId, conflictsWith }) => [fourCharacterId, ...conflictsWith]),
    [
      ['AAAA', 'BBBB'],
      ['BBBB', 'AAAA'],
    ],
  );
});

t.test(
  'one device in several spellings: places and times have their own, the catalogue has the newest, filters find each',
  async (t) => {
    const { get, importText, store } = await openService(t);
    const antenna = (type: string, serial: string, from: string, to?: string) => ({
      type,
      serial,
      from,
      ...(to !== undefined && { to }),
      more: { 'Antenna Radome Type': type.slice(16) },
    });
    const withRadome = 'LEIAR25.R3      LEIT';
    const without = 'LEIAR25.R3      NONE';
    await importText({
      id: 'AAAA',
      prepared: '2021-01-01',
      receivers: [
        { type: 'LEICA GR25', serial: '4906k34352', from: '2001-01-01', to: '2002-01-01' },
      ],
      antennas: [
        antenna(withRadome, '217 0246', '2001-01-01', '2002-01-01'),
        antenna(without, '217-0246', '2002-01-01', '2003-01-01'),
      ],
    });
    await importText({
      id: 'BBBB',
      prepared: '2020-01-01',
      receivers: [{ type: 'Leica GR25', serial: '4906K34352', from: '2001-06-01' }],
      antennas: [antenna(withRadome, '2170246', '2002-06-01', '2004-01-01')],
    });

    type Device = {
      type: string;
      serialNumber: string;
      installations: { fourCharacterId: string; conflictsWith: string[] }[];
    };
    const catalogue = async (path: string): Promise<Device[]> =>
      (await get(path)).json<{ _embedded: Record<string, Device[]> }>()._embedded[
        path.startsWith('/gnssAntennas') ? 'gnssAntennas' : 'equipment'
      ]!;
    for (const serialNumber of ['217%200246', '217-0246', '2170246']) {
      const [found, ...others] = await catalogue(
        `/gnssAntennas?serialNumber=${serialNumber}&projection=installations`,
      );
      t.match(found, { type: without, serialNumber: '217-0246' }, 'of the newest log');
      const conflicts = found!.installations.map(({ fourCharacterId, conflictsWith }) => [
        fourCharacterId,
        ...conflictsWith,
      ]);
      t.same(conflicts, [['AAAA'], ['AAAA', 'BBBB'], ['BBBB', 'AAAA']]);
      t.same(others, []);
    }
    t.match(await catalogue('/equipment/search/findBySerialNumber?serialNumber=4906-k34352'), [
      { type: 'LEICA GR25', serialNumber: '4906k34352', installations: [{}, {}] },
    ]);
    t.same(await catalogue('/gnssAntennas?serialNumber=02170246'), [], 'leading zeros count');

    const used = async (type: string, at: string): Promise<unknown[]> => {
      const found = await get(
        `/corsSites/search/findByEquipment?type=${encodeURIComponent(type)}&from=${at}&to=${at}`,
      );
      type Site = {
        fourCharacterId: string;
        installations: { content: { id: { type: string; serialNumber: string } } }[];
      };
      const sites = found.json<{ _embedded: { corsSites: Site[] } }>()._embedded.corsSites;
      return sites.map(({ fourCharacterId, installations }) => [
        fourCharacterId,
        ...installations.map(({ content: { id } }) => `${id.type} ${id.serialNumber}`),
      ]);
    };
    t.same(await used(withRadome, '2001-07-01'), [['AAAA', `${withRadome} 217 0246`]]);
    t.same(await used(withRadome, '2002-07-01'), [['BBBB', `${withRadome} 2170246`]]);
    t.same(await used(without, '2002-07-01'), [['AAAA', `${without} 217-0246`]]);

    t.match(await store.devices.findTypes('gnss antenna'), [
      { type: without, devices: 1, inUse: 0, sites: 1, conflicts: 1 },
    ]);
    const page = (
      await get(`/antennas?type=${encodeURIComponent(withRadome)}&serialNumber=217%200246`)
    ).body;
    t.match(page, /1 GNSS antenna with serial number 217 0246/);
    t.match(
      page,
      /gnssAntennas\?type=LEIAR25.R3%20%20%20%20%20%20NONE&amp;serialNumber=217%200246/,
      'the API finds the newest type',
    );
    t.match(
      (await get('/receivers?type=LEICA%20GR25&serialNumber=4906K-34352')).body,
      /4906k34352/,
    );
  },
);

t.test(
  'a log that only spells a device differently changes its installation, not the device',
  async (t) => {
    const { database, importText, get } = await openService(t);
    const log = (prepared: string, type: string, serial: string): SyntheticLog => ({
      prepared,
      receivers: [{ type, serial, from: '2001-01-01' }],
    });
    await importText(log('2020-01-01', 'Leica GR25', '12 34'), 'a.log');
    await importText(log('2020-01-02', 'LEICA GR25', '1234'), 'b.log');
    t.match(
      await rawDatabase(database).all('SELECT id, type, serial_number, serial_key FROM equipment'),
      [{ id: 1, type: 'LEICA GR25', serial_number: '1234', serial_key: '1234' }],
    );
    t.match(
      await rawDatabase(database).all(
        'SELECT id, type FROM installation WHERE superseded_at IS NULL',
      ),
      [{ id: 2, type: 'LEICA GR25' }],
    );
    t.match((await get('/corsSites/search/findByEquipment?type=Leica%20GR25')).body, /"1234"/);
  },
);

t.test('the counts of types follow every import and correction', async (t) => {
  const { database, importText, store } = await openService(t);
  /** The counts computed from all installations. */
  const counted = `
    SELECT equipment.type, count(DISTINCT equipment.id) AS devices,
      count(DISTINCT CASE WHEN period_to IS NULL THEN equipment.id END) AS "inUse",
      coalesce((
        SELECT count(DISTINCT site_id) FROM installation AS own WHERE own.equipment_type = 'gnss receiver' AND own.superseded_at IS NULL
        AND coalesce(upper(own.type), '') = coalesce(equipment.type, '')), 0) AS sites,
      count(DISTINCT CASE WHEN serial_number IS NOT NULL AND EXISTS (
        SELECT 1 FROM installation AS other WHERE other.equipment_id = installation.equipment_id AND other.superseded_at IS NULL
        AND other.site_id <> installation.site_id AND (installation.period_to IS NULL OR other.period_from < installation.period_to)
        AND (other.period_to IS NULL OR other.period_to > installation.period_from)) THEN equipment.id END) AS conflicts
    FROM (SELECT id, equipment_type, upper(type) AS type, serial_number, listed FROM equipment) AS equipment
    JOIN installation ON equipment_id = equipment.id AND installation.superseded_at IS NULL
    WHERE equipment.equipment_type = 'gnss receiver' AND listed = 1 GROUP BY equipment.type ORDER BY devices DESC, equipment.type NULLS FIRST`;
  const typesOf = async () => {
    const types = await store.devices.findTypes('gnss receiver');
    return types.map((each) => ({ ...each, type: each.type && each.type.toUpperCase() }));
  };
  const isCounted = async (when: string): Promise<unknown> =>
    t.same(await typesOf(), await rawDatabase(database).all(counted), when);
  const random = randomOf(SEED, 'devices', 0);
  const correct = async (correction: Correction): Promise<void> => {
    const writer = await openWriter(database);
    const site = parseSiteId(`S00${random.below(4)}`);
    await writer
      .correct(site, correction, () => new Date(), readStoredLog)
      .finally(() => writer.close());
  };
  for (let round = 0; round < 40; round++) {
    const receivers = Array.from({ length: random.below(4) }, (_, index) => {
      const from = 2001 + 4 * index + random.below(3);
      return {
        type: ['', 'R0', 'r0', 'R1'][random.below(4)]!,
        serial: ['', '1', '2', '3'][random.below(4)]!,
        from: `${from}-01-01`,
        ...(random.below(2) === 1 && { to: `${from + 1 + random.below(3)}-01-01` }),
      };
    });
    const prepared = new Date(Date.UTC(2010, 0, round + 1)).toISOString().slice(0, 10);
    const sensors = [{ type: 'H', serial: '1', from: '2001-01-01' }];
    await importText({ id: `S00${random.below(4)}`, prepared, receivers, sensors }, `${round}.log`);
    await isCounted(`round ${round}`);
    const log = 1 + random.below(round + 1);
    for (const correction of [
      { kind: 'retire' },
      { kind: 'withdraw', log },
      { kind: 'unretire' },
      { kind: 'restore', log },
    ] as const) {
      if (random.below(2) === 1) continue;
      await correct(correction);
      await isCounted(`round ${round}, ${correction.kind}`);
    }
  }
});

t.test('a device without a serial number keeps the id of its first item', async (t) => {
  const { importText, get } = await openService(t);
  const log = (prepared: string, updated: string): SyntheticLog => ({
    prepared,
    receivers: [
      {
        type: 'R',
        from: '2010-01-01',
        to: '2012-01-01',
        more: { 'Firmware Version': '1.1' },
      },
      { type: 'R', from: updated, more: { 'Firmware Version': '1.2' } },
    ],
  });
  /** The receivers by their links, with the number of their installations. */
  const receivers = async () => {
    const answer = await get('/gnssReceivers?projection=installations');
    const { _embedded } = answer.json<{
      _embedded: {
        gnssReceivers: { installations: object[]; _links: { self: { href: string } } }[];
      };
    }>();
    return _embedded.gnssReceivers.map(({ installations, _links }) => [
      _links.self.href.split('/').at(-1),
      installations.length,
    ]);
  };
  await importText(log('2020-01-01', '2012-01-03'));
  t.same(await receivers(), [
    ['1', 1],
    ['2', 1],
  ]);
  await importText(log('2020-01-02', '2012-01-02'));
  t.same(await receivers(), [['1', 2]]);
  await importText(log('2020-01-03', '2012-01-03'));
  t.same(await receivers(), [
    ['1', 1],
    ['2', 1],
  ]);
});
