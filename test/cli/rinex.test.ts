import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { createDatabase, importInto } from '../databases.js';
import { filesBelow, ROOT, SAMPLE } from '../project-files.js';
import { type Item, logText } from '../synthetic-log.js';
import { runHere } from './in-process.js';
import { run, serve } from './serving.js';

/** What follows the header: these bytes must never change. */
const DATA = Buffer.concat([
  Buffer.from('> 2016 03 01 00 00  0.0000000  0  1\r\nG01  20000000.000\n\0\xff', 'latin1'),
  Buffer.alloc(300_000, 'x'),
]);
const CRINEX = `${'1.0                 COMPACT RINEX FORMAT'.padEnd(60)}CRINEX VERS   / TYPE\n${'RNX2CRX ver.4.0.7'.padEnd(60)}CRINEX PROG / DATE\n`;
/** Written by Unix compress: the header of a file without a known Site. */
const COMPRESSED = readFileSync(join(ROOT, 'test', 'fixtures', 'unknown-site.Z'));

const withLine = (header: string, label: string, find: string, replace: string): string =>
  header
    .split('\n')
    .map((line) =>
      line.slice(60).trim() === label ? line.replace(find, replace.padEnd(find.length)) : line,
    )
    .join('\n');

const antenna = (type: string, up: string, from: string, to?: string): Item => ({
  type,
  serial: `S-${up}`,
  from,
  ...(to !== undefined && { to }),
  more: {
    'Marker->ARP Up Ecc. (m)': up,
    'Marker->ARP North Ecc(m)': '0.0000',
    'Marker->ARP East Ecc(m)': '0.0000',
  },
});
/**
 * An invented station whose equipment was replaced long after a GPS week rollover would date a file
 * back.
 */
const history = (id: string, prepared: string): string =>
  logText({
    id,
    prepared,
    receivers: [
      { type: 'TRIMBLE 4000SSI', serial: '123', from: '1995-01-01', to: '2010-01-01' },
      { type: 'SEPT POLARX5', serial: '3048', from: '2010-01-01' },
    ],
    antennas: [
      antenna('AOAD/M_T        NONE', '0.0070', '1995-01-01', '2010-01-01'),
      antenna('LEIAR25.R3      NONE', '0.0015', '2010-01-01'),
    ],
  });

t.test('check-rinex and fix-rinex', async (t) => {
  // An earlier log with another serial number: its Setups are superseded.
  const alic = readFileSync(join(SAMPLE, 'alic_20170223.log'), 'utf8')
    .replaceAll('1830439', '1830000')
    .replace('2017-02-23', '2017-02-01');
  const folder = t.testdir({
    rinex: { sub: {} },
    out: {},
    none: {},
    earlier: {
      'alic_20170201.log': alic,
      'qqaa.log': history('QQAA00AUS', '2024-01-01'),
      'qqag.log': history('QQAG', '2019-06-02'),
    },
  });
  const database = join(folder, 'a.sqlite');
  await createDatabase(database, [join(folder, 'earlier')]);
  await importInto(database, [SAMPLE]);
  const path = (...names: string[]): string => join(folder, ...names);
  const headerOf = async (site: string, at: string, version = '3.05'): Promise<string> => {
    const { code, stdout } = await run([
      'export',
      'rinex',
      site,
      '--at',
      at,
      '--query',
      `version=${version}`,
      '--database',
      database,
    ]);
    t.equal(code, 0);
    return stdout;
  };
  const write = (name: string, header: string): void => {
    const content = Buffer.concat([Buffer.from(header, 'latin1'), DATA]);
    writeFileSync(path('rinex', name), name.endsWith('.gz') ? gzipSync(content) : content);
  };
  const good = await headerOf('ALIC', '2016-03-01');
  const other = await headerOf('UCLU', '2014-01-01');
  write('ALIC00AUS_R_20160610000_01D_30S_MO.rnx', good);
  write('sub/alic0610.16o.gz', await headerOf('ALIC', '2016-03-01', '2.11'));
  write('ALIC00AUS_R_20160620000_01D_30S_MO.crx.gz', CRINEX + good);
  write('notes.txt', 'in a folder, only observation files are read');
  const check = (...args: string[]) => run(['check-rinex', ...args]);
  const of = ['--database', database];

  await t.test('equal headers', async (t) => {
    const { code, stdout, stderr } = await check(path('rinex'), ...of);
    t.same([code, stderr], [0, '']);
    t.match(stdout, /^3 files of 1 Site checked\nmarkerName: 3 equal\n/);
    t.match(stdout, /\n1 skipped: 1 not named as an observation file\n$/);
    t.notMatch(stdout, /differs|changed/);
  });

  const bad = withLine(
    withLine(good, 'REC # / TYPE / VERS', '1830439', '1830440'),
    'ANTENNA: DELTA H/E/N',
    '0.0015',
    '0.0150',
  );
  await t.test('differences, in every format, from a database and from a service', async (t) => {
    write('ALIC00AUS_R_20160630000_01D_30S_MO.rnx', bad);
    const file = path('rinex', 'ALIC00AUS_R_20160630000_01D_30S_MO.rnx');
    const table = await check(path('rinex'), ...of);
    t.equal(table.code, 1);
    t.match(
      table.stdout,
      /receiverSerialNumber +differs +header "1830440", log "1830439"\n +up +differs +header "0.0150", log "0.0015"\n/,
    );
    t.match(table.stdout, /\nALIC: 1 of 4 files differs\n/);
    const ndjson = await check(file, '--format', 'ndjson', ...of);
    const result = JSON.parse(ndjson.stdout) as { fields: { field: string; status: string }[] };
    t.match(result, {
      file,
      site: 'ALIC',
      from: '2016-03-03T00:00:00Z',
      to: '2016-03-04T00:00:00Z',
      setups: [{ from: String }],
    });
    t.same(
      result.fields.filter(({ status }) => status === 'differs').map(({ field }) => field),
      ['receiverSerialNumber', 'up'],
    );
    t.match(ndjson.stderr, /^1 file of 1 Site checked\n/);
    t.same(JSON.parse((await check(file, '--format', 'json', ...of)).stdout), [result]);
    const csv = await check(file, '--format', 'csv', ...of);
    t.match(
      csv.stdout,
      /^file,site,from,to,bestSetup,field,status,header,record,tolerance,normalisation,hints\r\n/,
    );
    t.match(csv.stdout, /,up,differs,0\.0150,0\.0015,0\.001,,/);
    const service = await serve(t, folder, ['--port', '0', '--database', database]);
    t.same(await check(file, '--format', 'ndjson', '--service', service.base), ndjson);

    writeFileSync(path('last.ndjson'), ndjson.stdout);
    const again = await check(path('rinex'), '--since-last', path('last.ndjson'), ...of);
    t.equal(again.code, 0, 'what is known is no new difference');
    t.match(again.stdout, /^4 files of 1 Site checked; 1 wrong as before\n/);
    writeFileSync(path('none.ndjson'), '');
    const first = await check(file, '--since-last', path('none.ndjson'), ...of);
    t.match(first, { code: 1, stdout: /\n1 file of 1 Site checked; 0 wrong as before\n/ });
  });

  await t.test('another Setup, and the device of another Site, are recognised', async (t) => {
    write('ALIC00AUS_R_20150010000_01D_30S_MO.rnx', good);
    t.match(await check(path('rinex', 'ALIC00AUS_R_20150010000_01D_30S_MO.rnx'), ...of), {
      code: 1,
      stdout: /The receiver fits the (next|later) Setup, \d+ \(/,
    });
    const elsewhere = path('rinex', 'ALIC00AUS_R_20160640000_01D_30S_MO.rnx');
    write('ALIC00AUS_R_20160640000_01D_30S_MO.rnx', other);
    const contradicting = await check(elsewhere, ...of);
    t.match(contradicting, {
      code: 1,
      stdout:
        /says ALIC00AUS, and the marker name is "UCLU00CAN": UCLU00CAN is another Site on record\.\n/,
    });
    const [receiver] = /^.*REC # \/ TYPE \/ VERS *$/m.exec(other)!;
    const swapped = good.replace(/^.*REC # \/ TYPE \/ VERS *$/m, receiver);
    write(
      'ALIC00AUS_R_20160640000_01D_30S_MO.rnx',
      withLine(swapped, 'MARKER NAME', 'ALIC', 'QXQX'),
    );
    const { stdout } = await check(elsewhere, ...of);
    t.match(stdout, /The receiver \S+ is on record at UCLU00CAN, /);
    t.match(stdout, /markerName +differs +header "QXQX", log "ALIC"/);
  });

  await t.test('what cannot be checked', async (t) => {
    write('none', 'no header');
    writeFileSync(path('rinex', 'bomb.gz'), gzipSync(Buffer.alloc(20_000_000, 'x')));
    writeFileSync(path('rinex', 'qqqq0610.16o.Z'), COMPRESSED);
    for (const [args, code, message] of [
      [[path('rinex', 'none')], 3, /none" is not a RINEX file: it begins with "no header>/],
      [[path('rinex', 'bomb.gz')], 3, /bomb.gz" is not a RINEX file: it begins with "x{40}"\n/],
      [[path('rinex', 'missing')], 3, /missing" cannot be read: there is no such file or folder/],
      [
        [path('rinex', 'qqqq0610.16o.Z')],
        1,
        /was not checked: no Site has the id QQQQ; give one with --site\n/,
      ],
      [[], 2, /check-rinex needs at least one FILE/],
      [['x', '--at', 'yesterday'], 2, /--at "yesterday"/],
      [['x', '--service', 'ftp://x'], 2, /--service "ftp:\/\/x": expected an http or https URL/],
      [['x', '--since-last', path('rinex', 'none')], 3, /is not the output of check-rinex/],
      [['x', '--service', 'http://127.0.0.1:9'], 3, /x" cannot be read/],
      [
        [path('rinex', 'none'), path('rinex', 'sub'), '--service', 'http://127.0.0.1:9'],
        3,
        /does not answer/,
      ],
    ] as const) {
      t.match(await check(...args, ...of), { code, stderr: message }, args.join(' '));
    }
  });

  await t.test('a path that does not exist does not lose the others', async (t) => {
    t.match(await check(path('rinex', 'sub'), path('missing'), path('rinex', 'sub'), ...of), {
      code: 3,
      stdout: /^2 files of 1 Site checked/,
      stderr: /^gnss-site-setups: ".*missing" cannot be read: there is no such file or folder\n$/,
    });
  });

  const time = (instant: string, label: string): string => {
    const [year, month, day, hour, minute, second] = instant.split(/\D/) as [
      ...[string, string, string, string, string, string],
    ];
    const parts = [year, month, day, hour, minute].map((part) => part.padStart(6)).join('');
    return `${`${parts}${second.padStart(5)}.0000000     GPS`.padEnd(60)}${label}\n`;
  };
  const withFirst = (header: string, instant: string): string =>
    header.replace(/(.*END OF HEADER)/, `${time(instant, 'TIME OF FIRST OBS')}$1`);
  const withLast = (header: string, instant: string): string =>
    header.replace(/(.*END OF HEADER)/, `${time(instant, 'TIME OF LAST OBS')}$1`);
  mkdirSync(path('contradictions'));
  const rollover = path('contradictions', 'qqaa1000.20o');
  const otherReceiver = path('contradictions', 'QQAA01AUS_R_20201000000_01D_30S_MO.rnx');
  const ofNow = await headerOf('QQAA00AUS', '2020-04-09', '2.11');
  writeFileSync(
    rollover,
    withFirst(ofNow, '2000-08-24 00:00:00') + DATA.toString('latin1'),
    'latin1',
  );
  writeFileSync(otherReceiver, ofNow + DATA.toString('latin1'), 'latin1');

  await t.test('a file whose name, marker and times contradict each other', async (t) => {
    const why =
      'TIME OF FIRST OBS 2000-08-24T00:00:00Z is outside the period that the name of the file states, 2020-04-09T00:00:00Z to 2020-04-10T00:00:00Z: 1,024 weeks early, a GPS week rollover.';
    const table = await check(path('contradictions'), ...of);
    t.equal(table.code, 1);
    t.equal(
      table.stdout,
      [
        `${otherReceiver}: QQAA00AUS, contradictory, not compared`,
        '  The name of the file says QQAA01AUS, on record is QQAA00AUS; the marker name is "QQAA".',
        `${rollover}: QQAA00AUS, contradictory, not compared`,
        `  ${why}`,
        '0 files of 0 Sites checked',
        '2 files not compared: name, marker, position and times contradict each other or the record',
        '',
      ].join('\n'),
    );
    const ndjson = await check(rollover, '--format', 'ndjson', ...of);
    t.equal(ndjson.code, 1);
    t.same(JSON.parse(ndjson.stdout), {
      file: rollover,
      result: 'contradicts',
      site: 'QQAA00AUS',
      from: null,
      to: null,
      recordPrepared: null,
      setups: [],
      bestSetup: null,
      fields: [],
      calibration: null,
      contradictions: [why],
      noEquipment: [],
      hints: [],
      blankAsZero: [],
    });
    const csv = await check(rollover, '--format', 'csv', ...of);
    t.equal(csv.stdout.split('\r\n')[1], `${rollover},QQAA00AUS,,,,,contradicts,,,,,"${why}"`);

    writeFileSync(path('contradictions.ndjson'), ndjson.stdout);
    const known = ['--since-last', path('contradictions.ndjson')];
    t.match(await check(rollover, ...known, ...of), {
      code: 0,
      stdout:
        '0 files of 0 Sites checked; 0 wrong as before\n' +
        '1 file not compared, 1 as before: name, marker, position and times contradict each other or the record\n',
    });
    t.match(await check(path('contradictions'), ...known, ...of), { code: 1 });

    const copies = path('copies');
    mkdirSync(copies);
    const fix = (...args: string[]) => run(['fix-rinex', ...args, '--output', copies, ...of]);
    const fixed = await fix(rollover, '--include-equipment');
    t.match(fixed, { code: 1, stdout: '' });
    t.equal(
      fixed.stderr,
      `gnss-site-setups: "${rollover}" was left alone: name, marker, position and times contradict each other or the record. ${why}\n`,
    );
    t.same(readdirSync(copies), []);
    const at = ['--at', '2020-04-09'];
    t.match(await check(rollover, ...at, ...of), {
      code: 0,
      stdout: `\n  ${why}\n1 file of 1 Site`,
    });
    t.match(await fix(rollover, ...at), { code: 0, stdout: `: nothing corrected\n  ${why}\n` });
    t.ok(readFileSync(join(copies, 'qqaa1000.20o')).equals(readFileSync(rollover)));
  });

  await t.test('a file that is newer than the record', async (t) => {
    const copies = path('newer');
    mkdirSync(copies);
    const same = await headerOf('QQAG', '2018-01-01', '2.11');
    const height = withLine(same, 'ANTENNA: DELTA H/E/N', '0.0015', '0.0150');
    const other = withLine(height, 'ANT # / TYPE', 'LEIAR25.R3      NONE', 'SEPCHOKE_B3E6   SPKE');
    write('qqag1000.24o', height);
    write('qqag1010.24o', other);
    const checked = await check(path('rinex', 'qqag1010.24o'), '--format', 'ndjson', ...of);
    t.match(JSON.parse(checked.stdout), {
      result: 'checked',
      recordPrepared: '2019-06-02',
      hints: [
        'The log of QQAG was prepared 2019-06-02, before this file, and the antenna differs from its last Setup: the file is probably right, and the record outdated.',
      ],
    });
    const fixed = await run([
      ...['fix-rinex', path('rinex', 'qqag1000.24o'), path('rinex', 'qqag1010.24o')],
      ...['--include-equipment', '--output', copies, ...of],
    ]);
    t.match(fixed, {
      code: 0,
      stdout:
        /qqag1000\.24o: corrected ANTENNA: DELTA H\/E\/N\n\S+qqag1010\.24o: nothing corrected\n {2}ANT # \/ TYPE was left as it is: the log was prepared 2019-06-02, .*\n {2}ANTENNA: DELTA H\/E\/N was left as it is: .*\n {2}The log of QQAG was prepared/,
    });
    const prepared = await check(path('rinex', 'qqag1000.24o'), '--format', 'ndjson', ...of);
    t.match(JSON.parse(prepared.stdout), { recordPrepared: '2019-06-02', hints: [] });
    write('qqag1000.18o', height);
    const earlier = await check(path('rinex', 'qqag1000.18o'), '--format', 'ndjson', ...of);
    t.match(JSON.parse(earlier.stdout), { recordPrepared: null });
  });

  await t.test('fix-rinex writes corrected copies', async (t) => {
    const fix = (...args: string[]) => run(['fix-rinex', ...args, ...of]);
    const name = 'ALIC00AUS_R_20160630000_01D_30S_MO.rnx';
    const original = readFileSync(path('rinex', name));
    const fixed = await fix(path('rinex', name), '--output', path('out'));
    t.match(fixed, {
      code: 0,
      stdout:
        /corrected ANTENNA: DELTA H\/E\/N\n {2}REC # \/ TYPE \/ VERS differs; --include-equipment corrects it\n/,
    });
    const copy = readFileSync(path('out', name));
    t.ok(copy.subarray(-DATA.length).equals(DATA), 'the observations are the same');
    t.ok(readFileSync(path('rinex', name)).equals(original), 'the file stays as it was');
    t.match(await fix(path('rinex', name), '--output', path('out')), {
      code: 1,
      stderr: /exists already, and is not replaced/,
    });
    t.ok(readFileSync(path('out', name)).equals(copy));
    mkdirSync(path('all'));
    t.match(await fix(path('rinex', name), '--output', path('all'), '--include-equipment'), {
      code: 0,
    });
    t.match(await check(path('all', name), ...of), { code: 0 });
    t.match(await fix(path('rinex', 'sub'), '--output', path('all')), {
      code: 0,
      stdout: /nothing corrected/,
    });
    t.ok(
      gunzipSync(readFileSync(path('all', 'alic0610.16o.gz')))
        .subarray(-DATA.length)
        .equals(DATA),
    );
    // The site of a compressed file is that of its marker if its name says nothing.
    writeFileSync(path('rinex', 'alic.Z'), readFileSync(join(ROOT, 'test', 'fixtures', 'alic.Z')));
    t.match(await fix(path('rinex', 'alic.Z'), '--output', path('all'), '--at', '2016-03-01'), {
      code: 0,
      stdout: /alic\.gz: corrected/,
    });
    t.match(
      gunzipSync(readFileSync(path('all', 'alic.gz'))).toString(),
      /END OF HEADER *\ndata of a compressed file\n$/,
    );
    t.notOk(existsSync(path('all', 'alic.Z')));
    for (const [args, code, message] of [
      [['x'], 2, /fix-rinex needs --output DIR/],
      [['--output', path('out')], 2, /at least one FILE/],
      [['x', '--output', path('nowhere')], 3, /nowhere" is not a folder/],
    ] as const) {
      t.match(await fix(...args), { code, stderr: message }, args.join(' '));
    }
  });

  await t.test('every file of a folder is accounted for', async (t) => {
    const folder = path('day');
    mkdirSync(join(folder, 'deep'), { recursive: true });
    const old = await headerOf('ALIC', '2016-03-01', '2.11');
    writeFileSync(path('target.txt'), old);
    symlinkSync(path('target.txt'), join(folder, 'alic0610.16o'));
    symlinkSync(path('rinex', 'sub'), join(folder, 'folder'));
    for (const name of ['alic0611.16o', 'alic061z.16o', 'ALIC0619.16O'])
      writeFileSync(join(folder, name), old);
    const ofDay = withLast(withFirst(old, '2016-03-01 00:00:00'), '2016-03-01 23:59:30');
    writeFileSync(join(folder, 'deep', 'alic.obs'), ofDay);
    const all = '5 files of 1 Site checked\n';
    const rest = '\n2 skipped: 1 link to a folder, 1 not named as an observation file\n';
    writeFileSync(join(folder, 'alic0610.16n'), 'navigation');
    const readable = await check(folder, ...of);
    t.match(readable, { code: 0, stderr: '' });
    t.ok(readable.stdout.startsWith(all) && readable.stdout.endsWith(rest), readable.stdout);
    for (const name of ['alic0620.16o.bz2', 'alic0630.16d.BZ2', 'deep/alic0640.16o.zip'])
      writeFileSync(join(folder, name), 'any');
    const compressed = await check(folder, ...of);
    t.equal(compressed.code, 3, 'something could not be read');
    t.match(
      compressed.stdout,
      /\n5 skipped: 2 bzip2, 1 link to a folder, 1 not named as an observation file, 1 zip\n$/,
    );
    const copies = path('of-the-day');
    mkdirSync(copies);
    const fixed = await run(['fix-rinex', folder, '--output', copies, ...of]);
    t.match(fixed, { code: 3, stderr: /: 5 skipped: 2 bzip2, / });
    t.equal(readdirSync(copies).length, 5);
    symlinkSync(path('nowhere'), join(folder, 'alic0650.16o'));
    t.match(await check(folder, '--format', 'ndjson', ...of), {
      code: 3,
      stderr: /alic0650\.16o" cannot be read: there is no such file or folder\n5 files/,
    });
  });

  await t.test('exit codes', async (t) => {
    mkdirSync(path('empty', 'inner'), { recursive: true });
    writeFileSync(path('empty', 'notes.txt'), '');
    const copies = path('exits');
    mkdirSync(copies);
    const fix = (...args: string[]) => run(['fix-rinex', ...args, '--output', copies, ...of]);
    const differs = path('rinex', 'ALIC00AUS_R_20160630000_01D_30S_MO.rnx');
    for (const [paths, code] of [
      [[path('empty')], 2],
      [[path('rinex', 'sub')], 0],
      [[path('empty'), differs], 1],
      [[differs, path('missing'), path('missing too')], 3],
      [[path('missing'), rollover], 3],
    ] as const)
      t.equal((await check(...paths, ...of)).code, code, paths.join(' '));
    const nothing = 'gnss-site-setups: nothing to check: no RINEX observation file was found\n';
    t.match(await check(path('empty'), ...of), { stderr: nothing });
    t.match(await fix(path('empty')), { code: 2, stderr: /nothing to fix/ });
    const all = await fix(path('missing'), rollover, differs, path('missing too'));
    t.equal(all.code, 3);
    t.equal(all.stderr.match(/there is no such file or folder\n/g)?.length, 2);
    t.ok(existsSync(join(copies, 'ALIC00AUS_R_20160630000_01D_30S_MO.rnx')));
  });

  await t.test('standard input is read and written', async (t) => {
    const unended = withFirst(
      withLine(bad, 'ANT # / TYPE', 'LEIAR25.R3', 'leiar25.r3'),
      '2016-03-03 00:00:00',
    );
    const input = withLast(unended, '2016-03-03 23:59:30');
    const feed = (args: string[], input: string) => runHere([...args, ...of], { input });
    const checked = await feed(['check-rinex', '-'], input);
    t.match(checked, { code: 1, stdout: /^-: ALIC, 2016-03-03T00:00:00Z to / });
    t.match(checked.stdout, /antennaType +equal after normalisation +header "leiar25.r3", log/);
    const unknown = await feed(['fix-rinex', '-'], unended);
    t.equal(unknown.stdout, unended, 'it can be read only once, so its end is unknown');
    const data = '> 2016 03 03\n'.repeat(90_000);
    const fixed = await feed(['fix-rinex', '-'], input + data);
    t.match(fixed, {
      code: 0,
      stderr: /^standard input: corrected ANT # \/ TYPE, ANTENNA: DELTA H\/E\/N\n {2}REC # /,
    });
    t.ok(fixed.stdout.endsWith(data));
    t.match(fixed.stdout, /^.{20}LEIAR25\.R3 {6}NONE {20}ANT # \/ TYPE$/m);
    t.match(await feed(['check-rinex', '-'], ''), { code: 3, stderr: /: "-" is empty\n/ });
    t.match(await feed(['fix-rinex', '-', 'x'], ''), {
      code: 2,
      stderr: /fix-rinex - writes to standard output; give no other FILE or --output/,
    });
  });

  await t.test('--dry-run prints what would be written', async (t) => {
    const file = path('rinex', 'ALIC00AUS_R_20160630000_01D_30S_MO.rnx');
    const dry = await run(['fix-rinex', file, '--dry-run', '--include-equipment', ...of]);
    t.equal(dry.code, 0);
    t.equal(
      dry.stdout.split('\n')[0],
      `${file}: would correct REC # / TYPE / VERS, ANTENNA: DELTA H/E/N`,
    );
    const copies = path('dry');
    mkdirSync(copies);
    const into = ['--output', copies, '--include-equipment', ...of];
    const named = await run(['fix-rinex', file, '--dry-run', ...into]);
    t.same(readdirSync(copies), []);
    const copy = join(copies, 'ALIC00AUS_R_20160630000_01D_30S_MO.rnx');
    t.ok(named.stdout.startsWith(`${copy}: would correct `));
    await run(['fix-rinex', file, ...into]);
    const lines = readFileSync(copy, 'latin1').split('\n').slice(0, 40);
    const before = readFileSync(file, 'latin1').split('\n').slice(0, 40);
    const added = [...dry.stdout.matchAll(/^ {2}\+ (.*)$/gm)].map(([, line]) => line!);
    const removed = [...dry.stdout.matchAll(/^ {2}- (.*)$/gm)].map(([, line]) => line!);
    const trimmed = (all: string[]) => all.map((line) => line.trimEnd());
    t.same(added, trimmed(lines.filter((line) => !before.includes(line))).slice(0, added.length));
    t.same(
      removed,
      trimmed(before.filter((line) => !lines.slice(0, 40).includes(line))).slice(0, removed.length),
    );
    t.ok(added.length === 6 && removed.length === 2);
    t.match(await run(['fix-rinex', file, '--dry-run', ...into]), {
      code: 1,
      stderr: /exists already, and is not replaced/,
    });
  });

  await t.test('--antex says which antennas have no calibration', async (t) => {
    const block = (type: string, serial = '') =>
      [
        ['', 'START OF ANTENNA'],
        [type.padEnd(20) + serial, 'TYPE / SERIAL NO'],
        ['', 'END OF ANTENNA'],
      ]
        .map(([content, label]) => `${content!.padEnd(60)}${label}\n`)
        .join('');
    const satellite = block('BLOCK IIA', 'G01                 G032      1992-079A');
    const header = `${'     1.4            M'.padEnd(60)}ANTEX VERSION / SYST\n`;
    const lists: [string, string, code: number, found: string, said: string | null][] = [
      ['type', block('LEIAR25.R3      NONE'), 0, 'type', null],
      ['individual', block('LEIAR25.R3      NONE', '09370001'), 0, 'individual', null],
      ['other', block('LEIAR25.R3      LEIT'), 1, 'none', 'no calibration of LEIAR25.R3 NONE.'],
    ];
    const file = path('rinex', 'ALIC00AUS_R_20160610000_01D_30S_MO.rnx');
    const serial = good
      .split('\n')
      .find((line) => line.includes('ANT # / TYPE'))!
      .slice(0, 20);
    for (const [name, text, code, found, said] of lists) {
      const content = header + satellite + text.replace('09370001', serial.trim());
      for (const [ending, bytes] of [
        ['atx', Buffer.from(content)],
        ['atx.gz', gzipSync(content)],
      ] as const) {
        const list = path(`${name}.${ending}`);
        writeFileSync(list, bytes);
        const result = await check(file, '--antex', list, '--format', 'ndjson', ...of);
        t.equal(result.code, code, `${name}.${ending}`);
        const { calibration, hints } = JSON.parse(result.stdout) as Record<string, unknown>;
        t.same(calibration, { antenna: 'LEIAR25.R3 NONE', found }, name);
        t.same(hints, said === null ? [] : [`The ANTEX file has ${said}`], name);
        const log = await run(['check-log', join(SAMPLE, 'alic_20170223.log'), '--antex', list]);
        t.equal(/no-calibration/.test(log.stdout), true, 'some antenna has none');
      }
    }
    writeFileSync(
      path('rinex', 'ALIC00AUS_R_20160670000_01D_30S_MO.rnx'),
      withLine(good, 'ANT # / TYPE', 'NONE', 'LEIT'),
    );
    const radome = await check(
      path('rinex', 'ALIC00AUS_R_20160670000_01D_30S_MO.rnx'),
      '--antex',
      path('type.atx'),
      ...of,
    );
    t.match(
      radome.stdout,
      /no calibration of LEIAR25\.R3 LEIT: the one with NONE is used instead\.\n/,
    );
    const known = await check(file, '--antex', path('other.atx'), '--format', 'ndjson', ...of);
    writeFileSync(path('calibrations.ndjson'), known.stdout);
    const again = ['--since-last', path('calibrations.ndjson')];
    t.match(await check(file, '--antex', path('other.atx'), ...again, ...of), {
      code: 0,
      stdout: '1 file of 1 Site checked; 1 wrong as before\n',
    });
    writeFileSync(path('satellites.atx'), header + satellite);
    writeFileSync(path('damaged.atx.gz'), gzipSync(header + satellite).subarray(0, 50));
    for (const [name, message] of [
      ['satellites.atx', /satellites.atx" has only antennas of satellites/],
      ['damaged.atx.gz', /damaged.atx.gz" is a damaged gzip file: it ends too early\n/],
      ['missing.atx', /missing.atx" cannot be read: there is no such file or folder\n/],
    ] as const) {
      t.match(await check(file, '--antex', path(name), ...of), { code: 3, stderr: message }, name);
      const log = ['check-log', join(SAMPLE, 'alic_20170223.log'), '--antex', path(name)];
      t.match(await run(log), { code: 3, stderr: message }, name);
    }
  });

  await t.test('bytes behind gzip data, and damage in it', async (t) => {
    const whole = Buffer.concat([Buffer.from(good, 'latin1'), DATA]);
    const packed = gzipSync(whole);
    const name = 'ALIC00AUS_R_20160680000_01D_30S_MO.rnx.gz';
    const copies = path('packed');
    const cases: [string, Buffer, code: number, message: RegExp | null][] = [
      ['bytes behind it', Buffer.concat([packed, Buffer.from('behind')]), 0, /the 6 bytes after/],
      ['zeros behind it', Buffer.concat([packed, Buffer.alloc(512)]), 0, null],
      ['two members', Buffer.concat([gzipSync(good), gzipSync(DATA)]), 0, null],
      ['too short', packed.subarray(0, -9), 3, /it is a damaged gzip file: it ends too early\n/],
      [
        'another sum',
        Buffer.from(packed).fill(1, packed.length - 8, packed.length - 4),
        3,
        /: its checksum is wrong\n/,
      ],
    ];
    for (const [what, bytes, code, message] of cases) {
      mkdirSync(copies, { recursive: true });
      writeFileSync(path(name), bytes);
      t.equal((await check(path(name), ...of)).code, 0, `${what}: the header can be read`);
      const fixed = await run(['fix-rinex', path(name), '--output', copies, ...of]);
      t.equal(fixed.code, code, what);
      if (message !== null) t.match(fixed.stdout + fixed.stderr, message, what);
      else t.match(fixed.stdout, /: nothing corrected\n$/, what);
      t.equal(existsSync(join(copies, name)), code === 0, what);
      if (code === 0)
        t.ok(
          gunzipSync(readFileSync(join(copies, name)))
            .subarray(-DATA.length)
            .equals(DATA),
        );
      rmSync(copies, { recursive: true });
    }
  });

  await t.test('the store and the API give the same output for all of these files', async (t) => {
    const hostile = withLine(good, 'REC # / TYPE / VERS', '1830439', 'A\u0000B');
    write('ALIC00AUS_R_20160660000_01D_30S_MO.rnx', hostile);
    const all = ['rinex', 'contradictions'].flatMap((name) =>
      filesBelow(path(name)).map((file) => path(name, file)),
    );
    t.ok(all.length > 12, `${all.length} files`);
    const { base } = await serve(t, folder, ['--port', '0', '--database', database]);
    const places = [of, ['--service', base]];
    const commands = [
      ...['table', 'ndjson', 'csv', 'json'].map((format) => ['check-rinex', '--format', format]),
      ['check-rinex', '--at', '2016-03-01'],
      ['fix-rinex'],
      ['fix-rinex', '--include-equipment'],
    ];
    for (const [number, command] of commands.entries()) {
      const results = [];
      for (const [index, place] of places.entries()) {
        const copies = path(`copies-${number}-${index}`);
        mkdirSync(copies);
        const output = command[0] === 'fix-rinex' ? ['--output', copies] : [];
        const { code, stdout, stderr } = await run([...command, ...all, ...output, ...place]);
        const written = filesBelow(copies)
          .sort()
          .map((name) => [name, readFileSync(join(copies, name), 'latin1')]);
        results.push({
          code,
          output: (stdout + stderr).replaceAll(copies, ''),
          written: JSON.stringify(written),
        });
      }
      const title = command.join(' ');
      t.equal(results[0]!.code, 3, title);
      t.equal(results[0]!.output, results[1]!.output, title);
      t.ok(results[0]!.written === results[1]!.written, title);
    }
  });
});
