import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readAsImported, readStoredLog } from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { valueOf } from '../../src/serializers/json-text.js';
import { copyDatabase } from '../../src/store/upkeep/copy.js';
import { openReader, openWriter } from '../../src/store/open.js';
import { verifyDatabase } from '../../src/store/upkeep/maintenance.js';
import type { Correction } from '../../src/store/save/corrections.js';
import { importInto, logText, openService, type Service, type SyntheticLog } from '../helper.js';
import { rawDatabase } from '../raw-database.js';

const rereading = { readAgain: readStoredLog, importAgain: readAsImported };

/** An instrument of a synthetic log. */
interface Instrument {
  type: string;
  serial?: string;
  dates?: string;
  manufacturer?: string;
  accuracy?: string;
}

/** A synthetic log with pressure sensors. */
const withSensors = (sensors: Instrument[], { id = 'TEST', prepared = '2020-01-01' }: SyntheticLog = {}): string =>
  [
    logText({ id, prepared, receivers: [{ type: 'R', serial: id, from: '2001-01-01' }] }),
    ...sensors.flatMap(({ type, serial = '', dates = '', manufacturer = '', accuracy = '' }, index) => [
      `8.2.${index + 1} Pressure Sensor Model   : ${type}`,
      `       Manufacturer           : ${manufacturer}`,
      `       Serial Number          : ${serial}`,
      `       Accuracy               : ${accuracy}`,
      `       Effective Dates        : ${dates}`,
    ]),
    '',
  ].join('\n');

/** The pressure sensors on record, with their installations. */
async function sensorsOf({ store }: Pick<Service, 'store'>) {
  const filters = [{ property: 'equipmentType', values: ['pressure sensor'] }];
  const { elements } = await store.devices.findPage({ filters, sort: [], page: 0, size: 100, projection: 'installations' });
  return elements.map(({ identity, installations }) => ({
    ...valueOf(identity),
    at: installations!.map(({ fourCharacterId, period: { from, to }, conflictsWith }) => [fourCharacterId, from, to, ...conflictsWith]),
  }));
}

const JANUARY = '2005-01-01T00:00:00Z';
const MARCH = '2005-03-01T00:00:00Z';

t.test('an instrument is on record with the period of its block, and nothing is guessed', async (t) => {
  const service = await openService(t);
  const { files } = await service.importText(
    withSensors([
      { type: 'known', serial: '1', dates: '2005-01-01/2005-03-01' },
      { type: 'no start', serial: '2', dates: '(CCYY-MM-DD)/2005-03-01' },
      { type: 'no end', serial: '3', dates: '2005-01-01' },
      { type: 'no dates', serial: '4' },
      { type: 'corrected', serial: '5', dates: '2005-01-01/2005-01-01' },
      { type: 'backwards', serial: '6', dates: '2005-03-01/2005-01-01' },
      { type: 'no serial number', dates: '2005-01-01' },
      { type: 'no serial number', dates: '2005-01-01', accuracy: '1' },
    ]),
  );
  t.match(files[0]!.findings, [{ level: 'warning', message: 'pressure sensor removed before it was installed; ignored' }]);
  t.match(await sensorsOf(service), [
    { type: 'known', at: [['TEST', JANUARY, MARCH]] },
    { type: 'no start', at: [['TEST', null, MARCH]] },
    { type: 'no end', at: [['TEST', JANUARY, null]] },
    { type: 'no dates', at: [['TEST', null, null]] },
    { type: 'no serial number', at: [['TEST', JANUARY, null]] },
    { type: 'no serial number', at: [['TEST', JANUARY, null]] },
  ]);
  const { elements } = await service.store.setups.findPage({ filters: [], sort: [], page: 0, size: 10, projection: null });
  t.equal(elements.length, 1, 'no date of an instrument divides Setups');
  t.match(await service.importText(withSensors([{ type: 'no dates', serial: '4' }], { prepared: '2020-02-01' }), 'b.log'), {
    saved: 1,
    setupsAdded: 0,
  });
  t.match(await sensorsOf(service), [{ type: 'no dates', at: [['TEST', null, null]] }]);
});

t.test('searches find an instrument only within its period; one with an unknown start, at any time before its end', async (t) => {
  const service = await openService(t);
  await service.importText(
    withSensors([
      { type: 'known', serial: '1', dates: '2005-01-01/2005-03-01' },
      { type: 'no start', serial: '2', dates: '(CCYY-MM-DD)/2005-03-01' },
    ]),
  );
  const found = async (at: string): Promise<string[]> => {
    const { elements } = await service.store.sites.findByEquipment({
      types: ['known', 'no start'],
      equipmentType: 'pressure sensor',
      overlaps: { from: at, to: at },
      page: 0,
      size: 10,
    });
    const types = elements.flatMap(({ installations }) => installations.map(({ value }) => value.content.id.type!));
    const during = { from: at, to: at };
    const search = { filters: [], sites: null, box: null, countryCodes: null, during, recordedSince: null };
    const exported: string[] = [];
    for await (const window of service.store.exports.readInstallations(search)) exported.push(...window.map(({ device }) => device.type!));
    t.same(exported.filter((type) => type !== 'R').sort(), types.toSorted(), at);
    for (const type of ['known', 'no start']) {
      const sites = await service.store.sites.findByEquipmentType({ type, at, page: 0, size: 10 });
      t.equal(sites.totalElements, Number(types.includes(type)), `${type} at ${at}`);
    }
    return types;
  };
  t.same(await found('1990-01-01T00:00:00Z'), ['no start']);
  t.same(await found('2004-12-31T23:59:59Z'), ['no start']);
  t.same(await found(JANUARY), ['no start', 'known']);
  t.same(await found('2005-02-28T23:59:59Z'), ['no start', 'known']);
  t.same(await found(MARCH), []);
});

t.test('an instrument at two Sites at once is in conflict, unless a start is unknown', async (t) => {
  const service = await openService(t);
  const both = (dates: string): Instrument[] => [{ type: 'P', serial: '1', dates }];
  await service.importText(withSensors([...both('2005-01-01/2005-03-01'), { type: 'Q', serial: '1' }], { id: 'AAAA' }), 'a.log');
  await service.importText(withSensors([...both('2005-03-01/'), { type: 'Q', serial: '1', dates: '2005-01-01' }], { id: 'BBBB' }), 'b.log');
  t.match(await sensorsOf(service), [
    {
      type: 'P',
      at: [
        ['AAAA', JANUARY, MARCH],
        ['BBBB', MARCH, null],
      ],
    },
    {
      type: 'Q',
      at: [
        ['AAAA', null, null],
        ['BBBB', JANUARY, null],
      ],
    },
  ]);
  const conflicts = async () => (await service.store.devices.findTypes('pressure sensor')).map(({ type, conflicts }) => [type, conflicts]);
  t.same(
    new Map((await conflicts()) as [string, number][]),
    new Map([
      ['P', 0],
      ['Q', 0],
    ] as const),
  );
  await service.importText(withSensors(both('2005-02-28/'), { id: 'BBBB', prepared: '2021-01-01' }), 'c.log');
  t.match(await sensorsOf(service), [
    {
      type: 'P',
      at: [
        ['AAAA', JANUARY, MARCH, 'BBBB'],
        ['BBBB', '2005-02-28T00:00:00Z', null, 'AAAA'],
      ],
    },
    {},
  ]);
  t.same(
    new Map((await conflicts()) as [string, number][]),
    new Map([
      ['P', 1],
      ['Q', 0],
    ] as const),
  );
});

t.test('a newer log that only names the manufacturer changes the catalogue; the same log again does not', async (t) => {
  const service = await openService(t);
  const log = (manufacturer: string, id: string, prepared: string) =>
    withSensors([{ type: 'P', serial: '1', dates: '2005-01-01/2005-03-01', manufacturer }], { id, prepared });
  const manufacturer = async () => (await sensorsOf(service)).map((sensor) => sensor.manufacturer);
  await service.importText(log('', 'AAAA', '2020-01-01'), 'a.log');
  await service.importText(log('Maker', 'AAAA', '2020-01-02'), 'b.log');
  t.same(await manufacturer(), ['Maker']);
  t.match(await service.importText(log('Maker', 'AAAA', '2020-01-02'), 'b.log'), { unchanged: 1 });
  t.same(await manufacturer(), ['Maker']);
});

t.test('of more than a thousand instruments in one log, the rest are ignored', async (t) => {
  const sensors = (count: number): Instrument[] =>
    Array.from({ length: count }, (_, n) => ({ type: 'P', serial: `S${n}`, dates: '2005-01-01' }));
  const read = (count: number) =>
    readAsImported({ name: 'a.log', original: Buffer.from(withSensors(sensors(count))), importedAt: new Date() });
  t.match([read(1000).instruments.length, read(1000).findings], [1000, []]);
  t.match(
    [read(1001).instruments.length, read(1001).findings],
    [1000, [{ level: 'warning', message: 'more than 1000 instruments in one log; the rest are ignored' }]],
  );
});

t.test('the next import reads again the Sites that are to be read, and verify derives the same', async (t) => {
  const { folder, database, store, importText } = await openService(t);
  const raw = rawDatabase(database);
  const P1 = { type: 'P', serial: '1', dates: '2005-01-01/2005-03-01', accuracy: 'fine' };
  const P2 = { type: 'P', serial: '2', dates: '2005-03-01' };
  const logs = [
    withSensors([P1], { prepared: '2020-01-01' }),
    withSensors([P1, P2], { prepared: '2020-02-01' }),
    withSensors([{ type: 'P', serial: '3' }], { id: 'GONE' }),
    withSensors([], { id: 'FREE' }),
  ];
  const writer = await openWriter(database);
  for (const [index, log] of logs.entries()) {
    const read = readAsImported({ name: `${index}.log`, original: Buffer.from(log), importedAt: new Date(Date.UTC(2026, 0, index + 1)) });
    const findings = read.findings.filter(({ message }) => !message.startsWith('Accuracy'));
    // What a version of the readers without instruments would have saved.
    await writer.saveSiteLogs([{ ...read, instruments: [], findings }]);
  }
  await writer.close();
  const correct = async (site: string, correction: Correction) => {
    const again = await openWriter(database);
    await again.correct(parseSiteId(site), correction, new Date(), readStoredLog).finally(() => again.close());
  };
  await correct('GONE', { kind: 'retire' });
  await raw.exec('INSERT INTO site_to_read SELECT id FROM site');
  t.same(await sensorsOf({ store }), []);
  t.match(await verifyDatabase(database, rereading), { problems: [], sites: 3, toDeriveAgain: ['TEST'] }, 'before the next import');

  const copied = join(folder, 'copied.sqlite');
  await copyDatabase(database, copied, () => undefined);
  const entries = async () => raw.all('SELECT id FROM event WHERE document IS NOT NULL');
  const before = await entries();
  for (const each of [database, copied]) {
    await importInto(each, []);
    const reader = await openReader(each);
    t.match(
      await sensorsOf({ store: reader }),
      [
        { serialNumber: '1', at: [['TEST', JANUARY, MARCH]] },
        { serialNumber: '2', at: [['TEST', MARCH, null]] },
      ],
      'those of the current log',
    );
    await reader.close();
    t.match(await verifyDatabase(each, rereading), { problems: [], toDeriveAgain: [] });
  }
  t.same(await raw.all('SELECT * FROM site_to_read'), []);
  t.match(await raw.all("SELECT message FROM finding WHERE message LIKE 'Accuracy%'"), [
    { message: /^Accuracy: not a number of hectopascals/ },
  ]);
  t.same(await entries(), before, 'no Setup has changed, so the feed says nothing');
  const count = async () => (await raw.all('SELECT id FROM event')).length;
  const events = await count();
  await importInto(database, []);
  t.equal(await count(), events, 'once');

  await correct('TEST', { kind: 'withdraw', log: 2 });
  t.match(await sensorsOf({ store }), [{ serialNumber: '1' }]);
  await correct('TEST', { kind: 'restore', log: 2 });
  await correct('GONE', { kind: 'unretire' });
  await importText(withSensors([P2], { prepared: '2020-03-01' }), 'new.log');
  t.match(await sensorsOf({ store }), [{ serialNumber: '2' }, { serialNumber: '3' }]);
  t.match(await verifyDatabase(database, rereading), { problems: [], toDeriveAgain: [] });
});

t.test('a log that this version cannot read is skipped', async (t) => {
  const { folder, database, store } = await openService(t);
  const path = join(folder, 'logs', 'a.log');
  writeFileSync(path, withSensors([{ type: 'P', serial: '1', dates: '2005-01-01' }]));
  await importInto(database, [path]);
  const raw = rawDatabase(database);
  await raw.exec('UPDATE site_log SET original = substr(original, 1, 20); INSERT INTO site_to_read SELECT id FROM site');
  await importInto(database, []);
  t.same(await raw.all('SELECT * FROM site_to_read'), []);
  t.match(await sensorsOf({ store }), [{ type: 'P', at: [['TEST', JANUARY, null]] }]);
});
