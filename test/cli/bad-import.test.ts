import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseSiteId } from '../../src/requests/site-id.js';
import { openReader } from '../../src/store/open.js';
import { buildApp } from '../../src/http/app.js';
import { aboutFiles, importInto } from '../databases.js';
import { CONTRACT } from '../project-files.js';
import { logText, type SyntheticLog } from '../synthetic-log.js';
import { runHere } from './in-process.js';

/** What is asked before and after. */
const PATHS = [
  ...['AAAA', 'AAAA00AUS', 'AAAA00NZL', 'BBBB', 'NEWS', 'GONE', 'OLDX', 'NEWX'].flatMap((id) => [
    `/setups/search/findCurrentByFourCharacterId?id=${id}`,
    `/setups/search/findAtByFourCharacterId?id=${id}&at=2010-01-01`,
    `/corsSites/search/findByFourCharacterId?id=${id}`,
    `/siteLogs/search/findByFourCharacterId?id=${id}&format=text`,
    `/changes?site=${id}`,
  ]),
  '/corsSites',
  '/setups?current=true&invalidated=false&projection=site&sort=siteId',
  '/gnssReceivers?projection=installations',
  '/siteLogs',
  '/exports/sites.csv',
  '/exports/sites.snx',
];

const receiver = (serial: string) => [{ type: 'R', serial, from: '2001-01-01' }];

t.test('a bad import is undone, and that too', aboutFiles, async (t) => {
  const folder = t.testdir();
  const database = join(folder, 'bad.sqlite');
  const importLogs = async (name: string, logs: SyntheticLog[], now?: Date): Promise<void> => {
    const path = join(folder, name);
    mkdirSync(path);
    for (const [index, log] of logs.entries())
      writeFileSync(join(path, `${name}-${index}.log`), logText(log));
    await importInto(database, [path], now);
  };
  const run = async (...args: string[]): Promise<string[]> => {
    const { code, stdout, stderr } = await runHere(['log', ...args, '--database', database]);
    t.same([code, stderr], [0, ''], args.join(' '));
    return stdout.trimEnd().split('\n');
  };
  /** What the service answers, but for the numbers of Setups and changes, which never come back. */
  const answers = async (): Promise<Record<string, string>> => {
    const store = await openReader(database);
    const app = await buildApp({ store, contractFolder: CONTRACT });
    const found: Record<string, string> = {};
    for (const path of PATHS) {
      const { statusCode, body } = await app.inject(path);
      const text = body
        .replaceAll(/"id":\d+,("siteId"|"site")/g, '$1')
        .replace(/^%=SNX .*/, '')
        .replaceAll(/\/(setups|changes)\/\d+/g, '/$1/');
      found[path] = `${statusCode} ${text}`;
    }
    await app.close();
    await store.close();
    return found;
  };

  const good: SyntheticLog[] = [
    { id: 'AAAA', prepared: '2020-01-01', receivers: receiver('1') },
    { id: 'BBBB', prepared: '2020-01-01', receivers: receiver('2') },
    { id: 'GONE', prepared: '2020-01-01', receivers: receiver('6') },
    { id: 'OLDX', prepared: '2020-01-01', receivers: receiver('7') },
  ];
  await importLogs('good', good, new Date('2022-01-01'));
  for (const action of [
    ['retire', 'GONE'],
    ['rename', 'OLDX', 'NEWX'],
  ])
    t.equal((await runHere(['site', ...action, '--database', database])).code, 0, action.join(' '));
  const before = await answers();
  await importLogs('bad', [
    { id: 'AAAA00AUS', prepared: '2021-01-01', receivers: receiver('3') },
    { id: 'BBBB', prepared: '2021-01-01', receivers: receiver('4') },
    { id: 'NEWS', prepared: '2021-01-01', receivers: receiver('5') },
    { id: 'GONE00AUS', prepared: '2021-01-01', receivers: receiver('8') },
    { id: 'OLDX00AUS', prepared: '2021-01-01', receivers: receiver('9') },
  ]);
  const bad = await answers();
  t.match(bad['/corsSites/search/findByFourCharacterId?id=AAAA'], /AAAA00AUS/);
  t.match(bad['/corsSites/search/findByFourCharacterId?id=NEWX'], /"formerIds":\["OLDX00AUS"\]/);

  const withdraw = ['withdraw', '--recorded-since', '2022-01-02'];
  const expected = [
    /^withdrew log 9 .* of NEWX; log 4 \(good-3\.log\) is current again$/,
    /^withdrew log 8 .* of GONE; log 3 \(good-2\.log\) is current again; no log gives GONE00AUS any more$/,
    /^withdrew log 7 .* of NEWS; NEWS has no other log, and so no Setups$/,
    /^withdrew log 6 .* of BBBB; log 2 \(good-1\.log\) is current again$/,
    /^withdrew log 5 .* of AAAA; log 1 \(good-0\.log\) is current again; no log gives AAAA00AUS any more$/,
    /^Withdrawn: 5 site logs$/,
    /^Setups: 3 added, 4 superseded$/,
    /^Sites left without a log: 1$/,
  ];
  t.match(await run(...withdraw, '--dry-run'), [...expected, 'Dry run: nothing was saved.']);
  t.same(await answers(), bad);
  t.match(await run(...withdraw), expected);
  const after = await answers();
  for (const path of PATHS.filter((each) => /id=(?!NEWS)|site=(?!NEWS)|current=/.test(each)))
    t.equal(after[path], before[path], path);
  t.match(
    after['/setups/search/findCurrentByFourCharacterId?id=NEWS'],
    'NEWS has no Setup: its site log was withdrawn',
  );
  t.match(await run(...withdraw), ['Withdrawn: 0 site logs', 'Setups: 0 added, 0 superseded']);

  t.match(await run('restore', '--withdrawn-since', '2022-01-02'), [
    /^restored log 5 .* of AAAA00AUS; it is current again$/,
    /^restored log 6 .* of BBBB; /,
    /^restored log 7 .* of NEWS; /,
    /^restored log 8 .* of GONE00AUS; /,
    /^restored log 9 .* of NEWX; /,
    'Restored: 5 site logs',
    /^Setups: 4 added, 3 superseded$/,
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
    await importInto(database, [path]);
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

t.test('nine characters stay if another Site has the same four', aboutFiles, async (t) => {
  const folder = t.testdir();
  const database = join(folder, 'shared.sqlite');
  for (const [day, id] of [
    [1, 'AAAA'],
    [2, 'AAAA00AUS'],
    [3, 'AAAA00NZL'],
  ] as const) {
    const path = join(folder, `${day}.log`);
    writeFileSync(path, logText({ id, prepared: `2020-01-0${day}`, receivers: receiver(id) }));
    await importInto(database, [path], new Date(Date.UTC(2022, 0, day)));
  }
  const run = (...args: string[]) => runHere([...args, '--database', database]);
  t.match(await run('log', 'withdraw', 'AAAA00AUS', '2'), {
    code: 0,
    stdout:
      /; no log gives AAAA00AUS any more, but the Site keeps it, because another Site has or had AAAA$/m,
  });
  t.match(await run('lookup', 'AAAA00AUS'), { code: 0 });
  t.match(await run('lookup', 'AAAA'), { code: 1, stderr: /: AAAA00AUS, AAAA00NZL$/m });
  t.match(await run('log', 'withdraw', 'AAAA00NZL', '3'), { code: 0 });
  t.match(await run('site', 'retire', 'AAAA00NZL'), { code: 0 });
  t.match(await run('lookup', 'AAAA'), { code: 0 }, 'after the other one was retired');
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
