import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseSiteId } from '../../src/requests/site-id.js';
import { openReader } from '../../src/store/open.js';
import { aboutFiles, importInto, logText, type SyntheticLog } from '../helper.js';
import { runHere } from './in-process.js';

const receiver = (serial: string) => [{ type: 'R', serial, from: '2001-01-01' }];

t.test('a bad import is undone, and that too', aboutFiles, async (t) => {
  const folder = t.testdir();
  const database = join(folder, 'bad.sqlite');
  const importLogs = async (name: string, day: number, logs: SyntheticLog[]): Promise<void> => {
    const path = join(folder, name);
    mkdirSync(path);
    for (const [index, log] of logs.entries())
      writeFileSync(join(path, `${name}-${index}.log`), logText(log));
    await importInto(database, [path], new Date(Date.UTC(2022, 0, day)));
  };
  const run = async (...args: string[]): Promise<string[]> => {
    const { code, stdout, stderr } = await runHere(['log', ...args, '--database', database]);
    t.same([code, stderr], [0, ''], args.join(' '));
    return stdout.trimEnd().split('\n');
  };
  const answers = async (): Promise<unknown[]> => {
    const store = await openReader(database);
    const sites = ['AAAA', 'BBBB', 'NEWS'].map(parseSiteId);
    const search = { at: null, asOf: null, projection: null };
    const found = await store.setups.findMany(sites, search);
    const ids = await store.sites.findOne(parseSiteId('AAAA'), null);
    await store.close();
    return [
      ...found.map((answer) =>
        answer.kind === 'found' ? JSON.stringify(answer.setup.equipmentInUse) : answer.kind,
      ),
      ids.kind === 'found' ? ids.found.nineCharacterId : ids.kind,
    ];
  };

  await importLogs('good', 1, [
    { id: 'AAAA', prepared: '2020-01-01', receivers: receiver('1') },
    { id: 'BBBB', prepared: '2020-01-01', receivers: receiver('2') },
  ]);
  const before = await answers();
  await importLogs('bad', 2, [
    { id: 'AAAA00AUS', prepared: '2021-01-01', receivers: receiver('3') },
    { id: 'BBBB', prepared: '2021-01-01', receivers: receiver('4') },
    { id: 'NEWS', prepared: '2021-01-01', receivers: receiver('5') },
  ]);
  const bad = await answers();
  t.equal(bad[3], 'AAAA00AUS');

  const withdraw = ['withdraw', '--recorded-since', '2022-01-02'];
  const expected = [
    /^withdrew log 5 .* of NEWS; NEWS has no other log, and so no Setups$/,
    /^withdrew log 4 .* of BBBB; log 2 \(good-1\.log\) is current again$/,
    /^withdrew log 3 .* of AAAA; log 1 \(good-0\.log\) is current again$/,
    /^Withdrawn: 3 site logs$/,
    /^Setups: 2 added, 3 superseded$/,
    /^Sites left without a log: NEWS$/,
  ];
  t.match(await run(...withdraw, '--dry-run'), [...expected, 'Dry run: nothing was saved.']);
  t.same(await answers(), bad);
  t.match(await run(...withdraw), expected);
  t.same(await answers(), [...before.slice(0, 2), 'no-current-setup', null]);
  t.match(await run(...withdraw), ['Withdrawn: 0 site logs', 'Setups: 0 added, 0 superseded']);

  t.match(await run('restore', '--withdrawn-since', '2022-01-02'), [
    /^restored log 3 .* of AAAA00AUS; it is current again$/,
    /^restored log 4 /,
    /^restored log 5 /,
    'Restored: 3 site logs',
    /^Setups: 3 added, 2 superseded$/,
  ]);
  t.same(await answers(), bad);
});

t.test('nine characters that only a withdrawn log gave are forgotten', aboutFiles, async (t) => {
  const folder = t.testdir();
  const database = join(folder, 'nine.sqlite');
  const importLog = async (id: string, year: number) => {
    const path = join(folder, `${id}.log`);
    const log = { id, prepared: `${year}-01-01`, receivers: receiver(id) };
    writeFileSync(path, logText(log));
    await importInto(database, [path], new Date(Date.UTC(2022, 0, year - 2000)));
  };
  await importLog('AAAA', 2020);
  await importLog('AAAA00AUS', 2021);
  const { code } = await runHere(['log', 'withdraw', 'AAAA', '2', '--database', database]);
  t.equal(code, 0);
  await importLog('AAAA00NZL', 2022);
  const store = await openReader(database);
  const found = await store.sites.findOne(parseSiteId('AAAA'), null);
  await store.close();
  t.match(found, { kind: 'found', found: { id: 1, nineCharacterId: 'AAAA00NZL' } });
});

t.test('a time belongs to its own action', async (t) => {
  for (const args of [
    ['restore', '--recorded-since', '2022-01-02'],
    ['withdraw', '--withdrawn-since', '2022-01-02'],
    ['list', 'AAAA', '--recorded-since', '2022-01-02'],
    ['withdraw', 'AAAA', '1', '--recorded-since', '2022-01-02'],
  ])
    t.equal((await runHere(['log', ...args])).code, 2, args.join(' '));
});
