import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { createDatabase, ROOT, SAMPLE } from '../helper.js';
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

t.test('check-rinex and fix-rinex', async (t) => {
  // An earlier log with another serial number: its Setups are superseded.
  const alic = readFileSync(join(SAMPLE, 'alic_20170223.log'), 'utf8')
    .replaceAll('1830439', '1830000')
    .replace('2017-02-23', '2017-02-01');
  const folder = t.testdir({
    rinex: { sub: {} },
    out: {},
    none: {},
    earlier: { 'alic_20170201.log': alic },
  });
  const database = join(folder, 'a.sqlite');
  await createDatabase(database, [join(folder, 'earlier')]);
  await createDatabase(database, [SAMPLE]);
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
    t.match(table.stdout, /\nALIC: 1 of 4 files differ\n/);
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
    t.notMatch(again.stdout, /1830440/);
  });

  await t.test('another Setup, and the device of another Site, are recognised', async (t) => {
    write('ALIC00AUS_R_20150010000_01D_30S_MO.rnx', good);
    t.match(await check(path('rinex', 'ALIC00AUS_R_20150010000_01D_30S_MO.rnx'), ...of), {
      code: 1,
      stdout: /The receiver fits the (next|later) Setup, \d+ \(/,
    });
    write('ALIC00AUS_R_20160640000_01D_30S_MO.rnx', other);
    const { stdout } = await check(path('rinex', 'ALIC00AUS_R_20160640000_01D_30S_MO.rnx'), ...of);
    t.match(stdout, /The receiver \S+ is on record at UCLU00CAN, /);
    t.match(stdout, /markerName +differs +header "UCLU00CAN", log "ALIC"/);
  });

  await t.test('what cannot be checked', async (t) => {
    write('none', 'no header');
    writeFileSync(path('rinex', 'bomb.gz'), gzipSync(Buffer.alloc(20_000_000, 'x')));
    writeFileSync(path('rinex', 'qqqq0610.16o.Z'), COMPRESSED);
    for (const [args, code, message] of [
      [[path('rinex', 'none')], 3, /none" has no END OF HEADER in its first 256 KiB/],
      [[path('rinex', 'bomb.gz')], 3, /bomb.gz" has no END OF HEADER in its first 256 KiB/],
      [[path('rinex', 'missing')], 3, /missing" cannot be read: there is no such file or folder/],
      [[path('rinex', 'qqqq0610.16o.Z')], 1, /was not checked: no Site has the id QQQQ\n/],
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
});
