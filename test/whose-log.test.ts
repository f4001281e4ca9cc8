import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { CorsSite } from '../schemas/index.js';
import { type ImportedFile, readStoredLog } from '../src/import-site-logs.js';
import { parseSiteId } from '../src/requests/site-id.js';
import { openWriter } from '../src/store/open.js';
import type { Correction } from '../src/store/save/corrections.js';
import { openService } from './service.js';
import { logText, placeOf, type SyntheticLog } from './synthetic-log.js';

/** Whose log it is, where two stations have the same four characters. */

const AUSTRALIA = { country: 'Australia', place: placeOf('-234012.45', '+1335307.85') };
const CHILE = { country: 'Chile', place: placeOf('-332708.40', '-0704003.80') };
const receiver = (serial: string) => [{ type: 'R0', serial, from: '2001-01-01' }];

/** A log of a station in Australia, and one of a station in Chile. */
const here: SyntheticLog = { ...AUSTRALIA, id: 'QXAA', receivers: receiver('1001') };
const there: SyntheticLog = {
  ...CHILE,
  id: 'QXAA',
  prepared: '2021-01-01',
  receivers: receiver('2002'),
};

/** A service, with what imports and corrections its database. */
async function openNetwork(t: Test) {
  const service = await openService(t);
  let imports = 0;
  const importLogs = async (logs: Record<string, SyntheticLog>) => {
    const folder = join(service.folder, `import${imports++}`);
    mkdirSync(folder);
    const paths = Object.entries(logs).map(([name, log]) => {
      writeFileSync(join(folder, name), logText(log));
      return join(folder, name);
    });
    const { files } = await service.importPaths(paths);
    return new Map(files.map((file) => [file.path.slice(folder.length + 1), file]));
  };
  const correct = async (site: string, correction: Correction) => {
    const store = await openWriter(service.database);
    return store
      .correct(parseSiteId(site), correction, () => new Date(), readStoredLog)
      .finally(() => store.close());
  };
  /** The ids and countries of all Sites. */
  const sites = async (): Promise<string[]> => {
    const { _embedded } = (await service.get('/corsSites?size=100')).json<{
      _embedded: { corsSites: CorsSite[] };
    }>();
    return _embedded.corsSites
      .map((site) => `${site.nineCharacterId ?? site.fourCharacterId} ${site.location.country}`)
      .sort();
  };
  return { ...service, importLogs, correct, sites };
}

const codesOf = (file: ImportedFile | undefined): string[] =>
  file!.findings.filter(({ level }) => level !== 'info').map(({ code }) => code);

/** The reason why a file was rejected; undefined if it was not. */
const rejectionOf = (file: ImportedFile | undefined): string | undefined =>
  file!.outcome === 'rejected' ? file!.findings.at(-1)?.code : undefined;

t.test('another station is rejected even if the current log has no position', async (t) => {
  for (const isRetired of [false, true]) {
    const { importLogs, correct, sites } = await openNetwork(t);
    const { place: _, ...placeless } = { ...here, prepared: '2022-01-01' };
    if (isRetired) {
      await importLogs({ 'qxaa_20220101.log': placeless });
      await correct('QXAA', { kind: 'retire' });
    }
    const files = await importLogs({
      'qxaa_20200101.log': here,
      'qxaa_20220101.log': placeless,
      'other.log': there,
    });
    t.match(files.get('other.log')!.findings.at(-1), {
      code: 'another-station',
      values: { site: 'QXAA', other: 'qxaa_20200101.log', there: { country: 'Australia' } },
    });
    t.same(await sites(), isRetired ? [] : ['QXAA Australia']);
  }
});

t.test('a log far from the Site with its four characters is of another station', async (t) => {
  const { importLogs, sites } = await openNetwork(t);
  await importLogs({ 'qxaa_20200101.log': here });
  const rejected = (await importLogs({ 'qxaa_20210101.log': there })).get('qxaa_20210101.log');
  t.equal(rejectionOf(rejected), 'another-station');
  t.match(rejected!.findings.at(-1), {
    values: {
      site: 'QXAA',
      other: 'qxaa_20200101.log',
      here: { country: 'Chile' },
      there: { country: 'Australia' },
    },
  });
  const sameDevice = { ...there, receivers: receiver('1001') };
  const copied = (await importLogs({ 'qxaa_20210102.log': sameDevice })).get('qxaa_20210102.log');
  t.equal(rejectionOf(copied), 'another-station', 'also with a device in common');
  t.same(await sites(), ['QXAA Australia'], 'what is on record stays');
});

t.test('a log with a known proof, without a position or nearby is of the Site', async (t) => {
  const domes: SyntheticLog = { ...here, place: { ...here.place } };
  const withDomes = (log: SyntheticLog): SyntheticLog => ({
    ...log,
    more: { 'IERS DOMES Number': '50137M009' },
  });
  const slip = { ...AUSTRALIA, ...CHILE, country: 'Australia', id: 'QXAA', prepared: '2022-01-01' };
  const kinds: Record<string, [first: SyntheticLog, second: SyntheticLog, warning: string | null]> =
    {
      'a device in common, in one country': [
        here,
        { ...slip, receivers: receiver('1001') },
        'moved-station',
      ],
      'the same DOMES number': [
        withDomes(domes),
        withDomes({ ...there, prepared: '2022-01-01' }),
        'moved-station',
      ],
      'no position': [here, { ...there, place: {} }, null],
      'no position on record': [{ ...here, place: {} }, there, null],
      nearby: [here, { ...there, place: placeOf('-242012.45', '+1335307.85') }, null],
    };
  for (const [kind, [first, second, warning]] of Object.entries(kinds)) {
    await t.test(kind, async (t) => {
      const { importLogs, sites } = await openNetwork(t);
      await importLogs({ 'qxaa_20200101.log': first });
      const file = (await importLogs({ 'qxaa_20220101.log': second })).get('qxaa_20220101.log');
      t.equal(file!.outcome, 'saved');
      t.equal(codesOf(file).includes('moved-station'), warning !== null);
      t.equal((await sites()).length, 1);
    });
  }
});

t.test('of two stations in one import, the file name decides, else the later date', async (t) => {
  for (const [names, country] of [
    [['qxaa_20200101.log', 'g101_20210101.log'], 'Australia'],
    [['a.log', 'b.log'], 'Chile'],
    [['g101_20200101.log', 'qxaa_20210101.log'], 'Chile'],
  ] as const) {
    for (const isReversed of [false, true]) {
      await t.test(`${names.join()} ${isReversed ? 'reversed' : ''}`, async (t) => {
        const { importLogs, sites } = await openNetwork(t);
        const logs: [string, SyntheticLog][] = [
          [names[0], here],
          [names[1], there],
        ];
        if (isReversed) logs.reverse();
        await importLogs(Object.fromEntries(logs));
        t.same(await sites(), [`QXAA ${country}`]);
      });
    }
  }
});

t.test('nine characters, a new name of the Site or a withdrawal let the log in', async (t) => {
  await t.test('nine characters', async (t) => {
    const { importLogs, sites, correct, get } = await openNetwork(t);
    await importLogs({ 'qxaa_20200101.log': here });
    await importLogs({ 'qxaa_20210101.log': there });
    await importLogs({ 'qxaa00chl_20210101.log': { ...there, id: 'QXAA00CHL', country: 'CHL' } });
    t.same(await sites(), ['QXAA Australia', 'QXAA00CHL CHL']);
    const again = await importLogs({ 'qxaa_20200101.log': here });
    t.equal(again.get('qxaa_20200101.log')!.outcome, 'unchanged', 'the record is still known');
    const to = parseSiteId('QXAA00AUS');
    t.match(await correct('QXAA', { kind: 'rename', to }), { kind: 'corrected' });
    t.equal((await get('/sites/QXAA00AUS')).statusCode, 200);
  });
  for (const to of ['QXAA00AUS', 'WXYZ']) {
    await t.test(`site rename QXAA ${to}`, async (t) => {
      const { importLogs, sites, correct } = await openNetwork(t);
      await importLogs({ 'qxaa_20200101.log': here });
      await correct('QXAA', { kind: 'rename', to: parseSiteId(to) });
      const files = await importLogs({ 'qxaa_20210101.log': there });
      t.equal(files.get('qxaa_20210101.log')!.outcome, 'saved');
      t.same(await sites(), ['QXAA Chile', `${to} Australia`]);
      const again = await importLogs({ 'qxaa_20210101.log': there, 'qxaa_20200101.log': here });
      const outcomes = [...again.values()].map(({ outcome }) => outcome);
      t.same(outcomes, ['unchanged', 'unchanged'], 'what is on record is of its Site');
      t.equal((await sites()).length, 2);
    });
  }
  await t.test('log withdraw', async (t) => {
    const { importLogs, sites, correct } = await openNetwork(t);
    await importLogs({ 'qxaa_20200101.log': here });
    await correct('QXAA', { kind: 'withdraw', log: 1 });
    const files = await importLogs({ 'qxaa_20210101.log': there, 'qxaa_20200101.log': here });
    t.equal(files.get('qxaa_20210101.log')!.outcome, 'saved');
    t.equal(files.get('qxaa_20200101.log')!.outcome, 'older', 'it stays withdrawn');
    t.same(await sites(), ['QXAA Chile']);
  });
});

t.test('after a rename to nine characters, logs of the old ones are of the Site', async (t) => {
  const { importLogs, sites, correct } = await openNetwork(t);
  await importLogs({ 'qxaa_20200101.log': here });
  await correct('QXAA', { kind: 'rename', to: parseSiteId('WXYZ00AUS') });
  const nine = { ...here, id: 'QXAA00AUS', country: 'AUS', prepared: '2022-01-01' };
  await importLogs({ 'qxaa00aus_20220101.log': nine });
  t.same(await sites(), ['WXYZ00AUS AUS']);
  const other = { ...there, id: 'QXAA00CHL', country: 'CHL' };
  await importLogs({ 'qxaa00chl_20210101.log': other });
  t.same(await sites(), ['QXAA00CHL CHL', 'WXYZ00AUS AUS']);
});

t.test('title and file name against the field are a copied form, one alone is not', async (t) => {
  const { importText } = await openService(t);
  const copied = logText(here).replace('QXAA Site Information', 'QXAB Site Information');
  const both = await importText(copied, 'qxab_20200101.log');
  t.equal(rejectionOf(both.files[0]), 'copied-form');
  t.equal((await importText(copied, 'qxaa_20200101.log')).saved, 1, 'title alone');
  const named = await importText(logText({ ...here, prepared: '2021-01-01' }), 'qxab_20210101.log');
  t.equal(named.saved, 1, 'file name alone');
  const blank = logText({ ...here, prepared: '2022-01-01' }).replace('QXAA Site', 'XXXX Site');
  t.equal((await importText(blank, 'xxxx_20220101.log')).saved, 1, 'the blank form is no witness');
});

const EVERY = process.env.TEST_ALL !== undefined;

/** Puts a list in each order. */
function* ordersOf<T>(list: readonly T[]): Generator<T[]> {
  if (list.length < 2) yield [...list];
  for (const [index, first] of list.entries())
    for (const rest of ordersOf(list.toSpliced(index, 1))) yield [first, ...rest];
}

t.test('the order of the files in one import changes nothing', async (t) => {
  const logs: [string, SyntheticLog][] = [
    ['qxaa_20200101.log', here],
    ['g101_20230101.log', { ...there, prepared: '2023-01-01' }],
    ['qxaa_20220101.log', { ...here, prepared: '2022-01-01', receivers: receiver('1002') }],
    ['qxaa00chl.log', { ...there, id: 'QXAA00CHL', country: 'CHL', receivers: receiver('7') }],
    ['same-day.log', { ...here, prepared: '2022-01-01', receivers: receiver('1003') }],
  ];
  const results = new Set<string>();
  for (const subset of [logs, logs.toSpliced(3, 1)]) {
    results.clear();
    // The orders are many, and alike.
    const orders = [...ordersOf(subset)].filter((_, index) => EVERY || index % 11 === 0);
    for (const order of orders) {
      const service = await openNetwork(t);
      const files = await service.importLogs(Object.fromEntries(order));
      const setups = (await service.get('/setups?size=100')).json<{
        _embedded: { setups: object[] };
      }>();
      const facts = setups._embedded.setups.map((setup) => {
        const { effectivePeriod, equipmentInUse, invalidated } = setup as Record<string, unknown>;
        return { effectivePeriod, equipmentInUse, invalidated };
      });
      const outcomes = [...files].map(([name, { outcome }]) => `${name} ${outcome}`).sort();
      results.add(JSON.stringify([await service.sites(), outcomes, facts]));
    }
    t.equal(results.size, 1);
  }
});

const UP = {
  'Marker->ARP Up Ecc. (m)': '0.1',
  'Marker->ARP North Ecc(m)': '0',
  'Marker->ARP East Ecc(m)': '0',
};

t.test('two Sites that are one station are one finding, until one is retired', async (t) => {
  const { importLogs, correct, get } = await openNetwork(t);
  const devices = ['11', '12', '13'].map((serial) => ({
    type: 'R0',
    serial: `${serial}000`,
    from: `20${serial}-01-01`,
    to: `20${Number(serial) + 1}-01-01`,
  }));
  const first: SyntheticLog = {
    ...AUSTRALIA,
    id: 'QXAA00FRA',
    country: 'FRA',
    receivers: devices,
    antennas: [{ type: 'A0', serial: '5000', from: '2011-01-01', more: UP }],
    more: { 'IERS DOMES Number': '97401M003' },
  };
  const second = {
    ...first,
    id: 'QXAA00REU',
    country: 'REU',
    prepared: '2022-01-01',
    receivers: [...devices, { type: 'R1', serial: '14000', from: '2014-01-01' }],
  };
  await importLogs({ 'a.log': first });
  const file = (await importLogs({ 'b.log': second })).get('b.log');
  t.equal(codesOf(file).filter((code) => code === 'same-station').length, 1);
  t.notOk(codesOf(file).includes('shared-id'), 'the advice for two stations is not given');
  const found = async () =>
    (await get('/findings?code=same-station')).json<{ page: { totalElements: number } }>().page
      .totalElements;
  t.equal(await found(), 1);
  for (const id of ['QXAA00FRA', 'QXAA00REU']) {
    const { body } = await get(`/sites/${id}/findings`);
    t.notMatch(body, /11000/, 'no row for each serial number');
    t.match(body, id === 'QXAA00FRA' ? /QXAA00REU/ : /site retire QXAA00FRA/);
  }
  const page = (await get('/sites/QXAA')).body;
  t.match(page, /QXAA00FRA<\/a> · Test, FRA, site log of 2020-01-01/);
  const info = (await get('/exports/sites.station-info')).body;
  t.match(info, /QXAA00FRA: left out/);
  t.notMatch(info, /QXAA00REU: left out/, 'the newer log is written');
  t.match((await get('/exports/sites.sta')).body, /R1 +14000/, 'of the newer log');
  t.equal((await importLogs({ 'b.log': second })).get('b.log')!.outcome, 'unchanged');
  t.match(await correct('QXAA00FRA', { kind: 'rename', to: parseSiteId('QXAA00REU') }), {
    kind: 'refused',
    reason: /site retire QXAA00FRA/,
  });
  await correct('QXAA00FRA', { kind: 'retire' });
  t.equal(await found(), 0);
});

t.test('codes that are never on record are refused', async (t) => {
  const { get } = await openService(t);
  for (const code of ['shared-domes', 'shared-position', 'serial-elsewhere', 'another-station'])
    t.equal((await get(`/findings?code=${code}`)).statusCode, 400, code);
  for (const code of ['same-station', 'type-changed', 'missing-value'])
    t.equal((await get(`/findings?code=${code}`)).statusCode, 200, code);
});
