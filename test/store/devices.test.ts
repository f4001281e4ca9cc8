import t from 'tap';
import { readStoredLog } from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { valueOf } from '../../src/serializers/json-text.js';
import { openWriter } from '../../src/store/open.js';
import type { Correction } from '../../src/store/save/corrections.js';
import { openService, type Service, type SyntheticLog } from '../helper.js';
import { rawDatabase } from '../raw-database.js';

const sensor = (prepared: string, more: Record<string, string>): SyntheticLog => ({
  prepared,
  sensors: [{ type: 'HMP155', serial: '1', from: '2001-01-01', more }],
});

/** What the catalogue has for the only device. */
const catalogued = async ({ store }: Service) => {
  const { elements } = await store.devices.findPage({ filters: [], sort: [], page: 0, size: 10, projection: 'installations' });
  t.equal(elements.length, 1);
  const { manufacturer, aspiration } = valueOf(elements[0]!.identity) as { manufacturer: string | null; aspiration: string | null };
  return { manufacturer, aspiration, installations: elements[0]!.installations!.length };
};

t.test('a newer log that only adds the manufacturer and the aspiration of a device changes the catalogue', async (t) => {
  const service = await openService(t);
  await service.importText(sensor('2001-02-01', {}), 'a.log');
  t.same(await catalogued(service), { manufacturer: null, aspiration: null, installations: 1 });
  await service.importText(sensor('2001-02-02', { '  Manufacturer': 'Vaisala' }), 'b.log');
  t.same(await catalogued(service), { manufacturer: 'Vaisala', aspiration: null, installations: 1 });
  await service.importText(sensor('2001-02-03', { '  Aspiration': 'FAN' }), 'c.log');
  t.same(
    await catalogued(service),
    { manufacturer: null, aspiration: 'FAN', installations: 1 },
    'what the newest log leaves blank is unknown',
  );
  t.match(await service.importText(sensor('2001-02-03', { '  Aspiration': 'FAN' }), 'c.log'), { unchanged: 1 });
});

t.test('a device shows the values of the newest current log that has it, in whatever order they were imported', async (t) => {
  const service = await openService(t);
  const log = (id: string, prepared: string, manufacturer: string) =>
    service.importText({ ...sensor(prepared, { '  Manufacturer': manufacturer }), id }, `${id}_${prepared}.log`);
  const manufacturer = async () => (await catalogued(service)).manufacturer;
  const correct = async (site: string, correction: Correction) => {
    const writer = await openWriter(service.database);
    const { kind } = await writer.correct(parseSiteId(site), correction, new Date(), readStoredLog).finally(() => writer.close());
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
  t.match(await rawDatabase(service.database).all('SELECT listed, manufacturer FROM equipment'), [{ listed: 0 }]);
});

t.test('if two Sites describe one device differently, importing their logs again changes nothing', async (t) => {
  const service = await openService(t);
  const [first, second] = ['AAAA', 'BBBB'].map((id) => ({ ...sensor('2001-02-01', { '  Manufacturer': id }), id })) as [
    SyntheticLog,
    SyntheticLog,
  ];
  await service.importText(first, 'a.log');
  await service.importText(second, 'b.log');
  t.match(await catalogued(service), { manufacturer: 'BBBB' });
  t.match(await service.importText(first, 'a.log'), { unchanged: 1 });
  t.match(await catalogued(service), { manufacturer: 'BBBB' });
});

t.test('if items of one log describe one device differently, the last known value of each member wins', async (t) => {
  const service = await openService(t);
  const item = { type: 'HMP155', serial: '1' };
  const log = {
    prepared: '2001-02-01',
    sensors: [
      { ...item, from: '2001-01-01', to: '2002-01-01', more: { '  Manufacturer': 'Vaisala', '  Aspiration': 'FAN' } },
      { ...item, from: '2003-01-01', more: { '  Aspiration': 'NATURAL' } },
    ],
  };
  await service.importText(log, 'a.log');
  t.same(await catalogued(service), { manufacturer: 'Vaisala', aspiration: 'NATURAL', installations: 2 });
  t.match(await service.importText(log, 'a.log'), { unchanged: 1 });
});

t.test('a device at many Sites has pages of installations that name at most ten of the conflicts', async (t) => {
  const { get, importText, store } = await openService(t);
  const SITES = 30;
  for (let site = 0; site < SITES; site++) {
    const id = `S${String(site).padStart(3, '0')}`;
    await importText({ id, receivers: [{ type: 'R0', serial: '77', from: '2001-01-01' }] }, `${id}.log`);
  }
  const list = await get('/gnssReceivers/1/installations?size=4&page=1');
  const body = list.json<{
    _embedded: { installations: { fourCharacterId: string; conflicts: number; conflictsWith: string[] }[] };
    _links: Record<string, { href: string }>;
    page: object;
  }>();
  t.same(body.page, { size: 4, totalElements: SITES, totalPages: 8, number: 1 });
  t.match(body._embedded.installations[0], {
    fourCharacterId: 'S004',
    conflicts: SITES - 1,
    conflictsWith: ['S000', 'S001', 'S002', 'S003', 'S005'],
  });
  t.ok(body._embedded.installations.every(({ conflictsWith }) => conflictsWith.length === 10));
  t.match(body._links.next!.href, /\/gnssReceivers\/1\/installations\?page=2&size=4$/);
  t.equal((await get(new URL(body._links.next!.href).pathname + new URL(body._links.next!.href).search)).statusCode, 200);
  const page = (await get('/receivers?type=R0')).body;
  t.match(page, 'S010</a> and 19 others');
  t.match(await store.devices.findTypes('gnss receiver'), [{ type: 'R0', devices: 1, inUse: 1, sites: SITES, conflicts: 1 }]);
});

t.test('zeros and the like are no serial number: they identify no device', async (t) => {
  const { get, importText, store } = await openService(t);
  for (const [index, serial] of ['0000', '00000', 'XXX', '0000', 'N/A'].entries()) {
    await importText({ id: `S00${index}`, receivers: [{ type: 'R0', serial, from: '2001-01-01' }] }, `${index}.log`);
  }
  t.match(await store.devices.findTypes('gnss receiver'), [{ type: 'R0', devices: 5, inUse: 5, sites: 5, conflicts: 0 }]);
  t.match((await get('/gnssReceivers?serialNumber=0000')).json(), { page: { totalElements: 2 } }, 'the value stays what the log says');
});

t.test('the counts of types follow every import and correction', async (t) => {
  const { database, importText, store } = await openService(t);
  /** The counts computed from all installations. */
  const counted = `
    SELECT type, count(DISTINCT equipment.id) AS devices,
      count(DISTINCT CASE WHEN period_to IS NULL THEN equipment.id END) AS "inUse",
      count(DISTINCT site_id) AS sites,
      count(DISTINCT CASE WHEN serial_number IS NOT NULL AND EXISTS (
        SELECT 1 FROM installation AS other WHERE other.equipment_id = installation.equipment_id AND other.superseded_at IS NULL
        AND other.site_id <> installation.site_id AND (installation.period_to IS NULL OR other.period_from < installation.period_to)
        AND (other.period_to IS NULL OR other.period_to > installation.period_from)) THEN equipment.id END) AS conflicts
    FROM equipment JOIN installation ON equipment_id = equipment.id AND installation.superseded_at IS NULL
    WHERE equipment_type = 'gnss receiver' AND listed = 1 GROUP BY type ORDER BY devices DESC, type NULLS FIRST`;
  let state = 7;
  const random = (below: number): number => (state = (state * 48271) % 2147483647) % below;
  const correct = async (correction: Correction): Promise<void> => {
    const writer = await openWriter(database);
    const site = parseSiteId(`S00${random(4)}`);
    await writer.correct(site, correction, new Date(), readStoredLog).finally(() => writer.close());
  };
  for (let round = 0; round < 40; round++) {
    const receivers = Array.from({ length: random(4) }, (_, index) => {
      const from = 2001 + 4 * index + random(3);
      return {
        type: ['', 'R0', 'r0', 'R1'][random(4)]!,
        serial: ['', '1', '2', '3'][random(4)]!,
        from: `${from}-01-01`,
        ...(random(2) === 1 && { to: `${from + 1 + random(3)}-01-01` }),
      };
    });
    const prepared = new Date(Date.UTC(2010, 0, round + 1)).toISOString().slice(0, 10);
    await importText(
      { id: `S00${random(4)}`, prepared, receivers, sensors: [{ type: 'H', serial: '1', from: '2001-01-01' }] },
      `${round}.log`,
    );
    t.same(await store.devices.findTypes('gnss receiver'), await rawDatabase(database).all(counted), `round ${round}`);
    const log = 1 + random(round + 1);
    for (const correction of [{ kind: 'retire' }, { kind: 'withdraw', log }, { kind: 'unretire' }, { kind: 'restore', log }] as const) {
      if (random(2) === 1) continue;
      await correct(correction);
      t.same(
        await store.devices.findTypes('gnss receiver'),
        await rawDatabase(database).all(counted),
        `round ${round}, ${correction.kind}`,
      );
    }
  }
});
