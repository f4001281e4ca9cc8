import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { FINDING_CODES } from '../../src/findings/codes.js';
import { type CheckResult, fingerprintOf } from '../../src/check/results.js';
import { createDatabase } from '../databases.js';
import { logText, placeOf, type SyntheticLog } from '../synthetic-log.js';
import { HtmlPage } from '../http/html-page.js';
import { run } from './serving.js';

const ANTENNA = {
  type: 'LEIAR25.R3      NONE',
  serial: '9',
  from: '2011-01-01',
  more: {
    'Marker->ARP Up Ecc. (m)': '0.1',
    'Marker->ARP North Ecc(m)': '0',
    'Marker->ARP East Ecc(m)': '0',
    'Antenna Radome Type': 'NONE',
  },
};
const receivers = [
  { type: 'R1', serial: '1', from: '2011-01-01' },
  { type: 'R2', serial: '2', from: '2012-01-01' },
];
/** A log of a known country, with an antenna that lacks nothing. */
const logOf = (log: SyntheticLog): string =>
  logText({ country: 'Australia', antennas: [ANTENNA], ...log });
const check = (folder: string, ...args: string[]) => run(['check-log', ...args], folder);

t.test('check-log writes findings in each format', async (t) => {
  const folder = t.testdir({ 'a,b.log': logOf({ receivers }) });
  const [text, ndjson, github, sarif] = await Promise.all(
    ['text', 'ndjson', 'github', 'sarif'].map((format) =>
      check(folder, 'a,b.log', '--format', format),
    ),
  );
  t.match(text, {
    code: 1,
    stdout: /^a,b\.log:10: warning: several-in-use: \(3\.1 and 3\.2\) .*: "R1 1; R2 2"\. .*\n/,
  });
  const [first] = ndjson!.stdout
    .split('\n')
    .map((line) => JSON.parse(line || 'null') as CheckResult | null);
  t.match(first, {
    file: 'a,b.log',
    line: 10,
    section: '3.1',
    level: 'warning',
    code: 'several-in-use',
  });
  t.match(github!.stdout, /^::warning file=a%2Cb\.log,line=10,title=several-in-use::/);
  const { version, runs } = JSON.parse(sarif!.stdout) as {
    version: string;
    runs: { results: { ruleId: string }[] }[];
  };
  t.equal(version, '2.1.0');
  t.equal(runs[0]!.results[0]!.ruleId, 'several-in-use');
});

t.test(
  '--level, --ignore and --baseline leave findings out, and the exit code says what is left',
  async (t) => {
    const folder = t.testdir({ 'a.log': logOf({ receivers }) });
    t.match(await check(folder, 'a.log', '--level', 'error'), {
      code: 0,
      stdout: /^1 log, 0 findings; \d+ more at level warning or info: --level info\n$/,
    });
    t.match(await check(folder, 'a.log', '--ignore', 'several-in-use'), {
      code: 0,
      stdout: /^1 log, 0 findings; \d+ more at level info: --level info\n$/,
    });
    writeFileSync(
      join(folder, 'known.ndjson'),
      (await check(folder, 'a.log', '--format', 'ndjson')).stdout,
    );
    // The lines move, and a third receiver makes a new finding.
    const more = [...receivers, { type: 'R3', serial: '3', from: '2013-06-01' }];
    writeFileSync(join(folder, 'a.log'), `\n${logOf({ receivers: more })}`);
    const { code, stdout } = await check(folder, 'a.log', '--baseline', 'known.ndjson');
    t.equal(code, 1);
    t.match(stdout, /^a\.log:\d+: warning: .*\n1 log, 1 finding in 1; .*\n$/);
    t.match(await check(folder, 'a.log', '--baseline', 'none.ndjson'), { code: 3 });
    writeFileSync(
      join(folder, 'old.ndjson'),
      '{"file":"a.log","line":10,"section":"3.1","code":"open-before-later","message":"m","text":""}\n',
    );
    t.match(await check(folder, 'a.log', '--baseline', 'old.ndjson'), {
      code: 3,
      stderr:
        /--baseline "old\.ndjson" was written by an earlier version; recreate it with check-log --format ndjson/,
    });
    const [first] = (await check(folder, 'a.log', '--format', 'ndjson')).stdout.split('\n');
    const renamed = { ...(JSON.parse(first!) as object), code: 'zero-coordinates' };
    writeFileSync(join(folder, 'codes.ndjson'), `${first}\n${JSON.stringify(renamed)}\n`);
    t.match(await check(folder, 'a.log', '--baseline', 'codes.ndjson'), {
      code: 3,
      stdout: '',
      stderr: /"codes\.ndjson" has "zero-coordinates", .*; recreate it with check-log --format/,
    });
    writeFileSync(join(folder, 'other.ndjson'), '{"a":1}\n');
    t.match(await check(folder, 'a.log', '--baseline', 'other.ndjson'), {
      code: 3,
      stderr: /is not the output of check-log --format ndjson/,
    });
    t.match(await check(folder, 'a.log', '--ignore', 'open-before-late'), {
      code: 2,
      stderr: /--ignore "open-before-late": .*did you mean open-before-later\?/,
    });
    const { stderr } = await check(folder, 'a.log', '--ignore', 'new-item');
    for (const each of FINDING_CODES) t.ok(stderr.includes(each), each);
    t.match(await check(folder, 'a.log', '--level', 'bad'), { code: 2 });
  },
);

t.test('a finding quotes no contact, and a rejected log is one finding', async (t) => {
  const contact =
    '11.  On-Site, Point of Contact Agency Information\n       Contact Name           : ' +
    'Jo Example\n       Mobile Jo Example\n';
  const folder = t.testdir({
    'a.log': logOf({ receivers }) + contact,
    'b.log': 'site information form',
  });
  const { stdout } = await check(folder, 'a.log', '--level', 'info');
  t.not(stdout, '');
  t.notMatch(stdout, /Jo/);
  t.match(await check(folder, 'b.log'), { code: 1, stdout: /^b\.log:1: error: no-site-id: / });
});

t.test('nothing to check is wrong usage', async (t) => {
  const folder = t.testdir({ empty: {}, other: { 'notes.txt': 'nothing' }, 'a.log': 'nothing' });
  for (const path of ['empty', 'other'])
    t.match(await check(folder, path), {
      code: 2,
      stdout: '',
      stderr: new RegExp(`no site logs found in "${path}"`),
    });
  t.match(await check(folder, 'a.log'), { code: 1, stdout: /\n1 log, 1 finding in 1\n$/ });
});

t.test('a renewed log brings no old finding back', async (t) => {
  const [first, second] = receivers;
  const folder = t.testdir({
    logs: { 'test_20200101.log': logOf({ receivers }), 'wxyz_20200101.log': logOf({ id: 'WXYZ' }) },
  });
  const { stdout: known } = await check(folder, 'logs', '--format', 'ndjson');
  writeFileSync(join(folder, 'known.ndjson'), known);
  const again = (...args: string[]) => check(folder, 'logs', '--baseline', 'known.ndjson', ...args);
  t.match(await again(), { code: 0, stdout: /^2 logs, 0 findings; .*\n$/ });
  // A line and an item more, before the others, and another name.
  const before = { ...second!, type: 'R0', serial: '0', from: '2010-01-01', to: '2011-01-01' };
  const more = {
    'Firmware Version': '1',
    'Satellite System': 'GPS',
    'Elevation Cutoff Setting': '0',
  };
  const items = [{ ...before, more }, first!, second!];
  const renewed = `\n${logOf({ prepared: '2026-01-01', receivers: items })}`;
  writeFileSync(join(folder, 'logs/test_20260101.log'), renewed);
  t.match((await again()).stdout, /^3 logs, 0 findings; .*\n$/, 'beside the old one');
  unlinkSync(join(folder, 'logs/test_20200101.log'));
  t.match((await again()).stdout, /^2 logs, 0 findings; .*\n$/, 'instead of the old one');
  const sarif = await check(folder, 'logs', '--format', 'sarif');
  const prints = known
    .trim()
    .split('\n')
    .map((line) => fingerprintOf(JSON.parse(line) as CheckResult));
  for (const { partialFingerprints } of JSON.parse(sarif.stdout).runs[0].results)
    t.ok(prints.includes(partialFingerprints['finding/v2']));
  // One more finding of a kind that the log had before.
  const third = { type: 'R3', serial: '3', from: '2013-01-01', more };
  const worse = logOf({ prepared: '2026-01-01', receivers: [...items, third] });
  writeFileSync(join(folder, 'logs/test_20260101.log'), worse);
  t.match((await again()).stdout.split('\n'), [
    /several-in-use: \(3\.2 to 3\.4\).*R3 3"/,
    'several-in-use: 1 finding in 1 log',
    /^2 logs, 1 finding in 1; /,
  ]);
  // The antenna whose height is blank was removed: it is the same one.
  const { 'Marker->ARP Up Ecc. (m)': _, ...blank } = ANTENNA.more;
  const antenna = { ...ANTENNA, more: blank };
  const exported = (antennas: object[], ...args: string[]) => {
    writeFileSync(join(folder, 'a.log'), logOf({ id: 'ABCD', receivers, antennas }));
    return check(folder, 'a.log', '--exports', ...args);
  };
  writeFileSync(
    join(folder, 'known.ndjson'),
    (await exported([antenna], '--format', 'ndjson')).stdout,
  );
  const replaced = [
    { ...antenna, to: '2012-01-01' },
    { ...ANTENNA, from: '2012-01-01' },
  ];
  const { stdout } = await exported(replaced, '--baseline', 'known.ndjson');
  t.match(stdout, /^1 log, 0 findings; .*\n$/);
});

t.test('--exports reports the periods that files for software would lack', async (t) => {
  const { 'Marker->ARP Up Ecc. (m)': _, ...more } = ANTENNA.more;
  const until = { ...ANTENNA, more, to: '2012-01-01' };
  const place = { ...placeOf('-23.67', '133.88'), 'Elevation (m,ellips.)': '600' };
  const ofAntennas = (...antennas: (typeof ANTENNA)[]) =>
    logOf({ receivers: receivers.slice(0, 1), antennas, place });
  const folder = t.testdir({
    'a.log': ofAntennas(until as never, { ...ANTENNA, from: '2012-01-01' }),
    'b.log': ofAntennas({ ...ANTENNA, to: '2012-01-01' } as never, ANTENNA),
    'c.log': logOf({ receivers: [{ ...receivers[0]!, to: '2011-02-01' }], place }),
    'e.log': logOf({ receivers: [{ ...receivers[0]!, type: 'unknown' }], place }),
  });
  const lines = async (...args: string[]): Promise<string[]> =>
    (await check(folder, '--exports', '--level', 'info', ...args)).stdout
      .split('\n')
      .filter((line) => line.includes('no-export-line'));
  t.match(await lines('a.log'), [
    /^a\.log:18: warning: no-export-line: \(4\.1\) .*SINEX.* 2011-01-01T00:00:00Z to 2012-01-01/,
  ]);
  t.strictSame(await lines('b.log'), []);
  t.match(await lines('c.log'), [
    /^c\.log:18: warning: no-export-line: \(4\.1\) .*station\.info.* 2011-02-01T00:00:00Z to now/,
  ]);
  t.match(await lines('e.log'), [/^e\.log:\d+: warning: no-export-line: \(3\.1\) /]);
  t.notMatch((await check(folder, 'a.log')).stdout, /no-export-line/);
  // A visit of an hour, without a receiver; and no position.
  const [first] = receivers;
  const visit = [
    { ...first!, to: '2012-01-01T00:00Z' },
    { ...first!, serial: '2', from: '2012-01-01T01:00Z' },
  ];
  writeFileSync(join(folder, 'd.log'), logOf({ receivers: visit }));
  t.match(await lines('d.log'), [
    /^d\.log:1: warning: no-export-line: \(2\) .*SITE\/ID of SINEX/,
    /^d\.log:19: info: no-export-line: \(4\.1\) .*STA.* 2012-01-01T00:00:00Z to 2012-01-01T01:00/,
  ]);
});

t.test(
  'the date in a file name is compared with Date Prepared, but not by an import',
  async (t) => {
    const text = logOf({ prepared: '2020-01-02', receivers: receivers.slice(0, 1) });
    const names = ['test_20200101.log', 'test_20200102.log', 'test.log'];
    const folder = t.testdir({ logs: Object.fromEntries(names.map((name) => [name, text])) });
    const { stdout } = await check(folder, 'logs', '--level', 'info');
    const found = stdout.split('\n').filter((line) => line.includes(': file-date-differs: '));
    t.match(found, [
      /^logs\/test_20200101\.log:3: info: .*another date, 2020-01-01: "2020-01-02"\. Nothing, if /,
    ]);
    t.equal(found.length, 1);
    t.notMatch((await check(folder, 'logs')).stdout, /file-date-differs/);
    const args = ['import', 'logs', '--database', 'a.sqlite', '--report', 'report.ndjson'];
    await run(args, folder);
    t.notMatch(readFileSync(join(folder, 'report.ndjson'), 'utf8'), /file-date-differs/);
  },
);

t.test('--database checks against the other Sites on record', async (t) => {
  const log = (id: string) =>
    logOf({ id, receivers: [{ type: 'LEICA GR25', serial: '12345', from: '2011-01-01' }] });
  const folder = t.testdir({
    a: { 'aaaa_20200101.log': log('AAAA') },
    'bbbb_20200101.log': log('BBBB'),
  });
  await createDatabase(join(folder, 'a.sqlite'), [join(folder, 'a')]);
  const args = ['--database', 'a.sqlite', '--format', 'ndjson'];
  const { code, stdout } = await check(folder, 'bbbb_20200101.log', ...args);
  t.equal(code, 1);
  t.match(JSON.parse(stdout.split('\n').find((line) => line.includes('serial-elsewhere'))!), {
    section: '3.1',
    text: '12345',
    advice: /normal if it was moved/,
  });
  t.notMatch((await check(folder, 'a', ...args)).stdout, /serial-elsewhere/, 'not against itself');
  t.match(await check(folder, 'a', '--database', 'none.sqlite'), { code: 3 });
});

t.test('check-log ends with what it hides, and with each code of several logs', async (t) => {
  const odd = (serial: string): string =>
    logOf({ receivers: [{ type: 'TRIMBLE NETR9', serial, from: '2011-01-01' }] });
  const folder = t.testdir({
    'a.log': odd('S/N 1'),
    'b.log': logOf({ id: 'BBBB', receivers }),
    'c.log': logOf({ id: 'CCCC', receivers }),
  });
  const lastLines = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await check(folder, ...args);
    return stdout
      .trim()
      .split('\n')
      .filter((line) => !/^\w\.log:/.test(line));
  };
  const [one, ...others] = await lastLines('a.log');
  t.same(others, [], 'one log needs no line per code');
  const hidden = Number(
    /^1 log, 0 findings; (\d+) more at level info: --level info$/.exec(one!)?.[1],
  );
  const all = (await check(folder, 'a.log', '--level', 'info')).stdout.split('\n');
  t.equal(all.filter((line) => line.startsWith('a.log:')).length, hidden);
  t.match(await lastLines('a.log', '--level', 'info'), [`1 log, ${hidden} findings in 1`]);
  t.match(await lastLines('a.log', 'b.log', 'c.log'), [
    'several-in-use: 2 findings in 2 logs',
    /^3 logs, 2 findings in 2; \d+ more at level info: --level info$/,
  ]);
  t.match(await lastLines('b.log', 'c.log', '--level', 'error'), [
    /^2 logs, 0 findings; \d+ more at level warning or info: --level info$/,
  ]);
  const ignored = FINDING_CODES.flatMap((code) => ['--ignore', code]);
  t.same(
    await lastLines('b.log', ...ignored),
    ['1 log, 0 findings'],
    'ignored codes are not hidden',
  );
  const other = await check(folder, 'b.log', 'c.log', '--format', 'json');
  t.equal((JSON.parse(other.stdout) as unknown[]).length, 2, 'other formats have findings alone');
  t.match(other.stderr, /^several-in-use: 2 findings in 2 logs\n/);
});

t.test('--format html is a sheet for each log, which nobody imported', async (t) => {
  const contacts =
    '11.  On-Site, Point of Contact Agency Information\n       Contact Name           : ' +
    'Jo Example\n       Mobile Jo Example\n';
  const later = { type: 'R2', serial: '<script>alert(1)</script>', from: '2012-01-01' };
  const blank = { ...receivers[0]!, from: '2001-01-01', to: '2011-01-01' };
  const folder = t.testdir({
    logs: {
      'a&b.log': logOf({ receivers: [blank, receivers[0]!, later] }) + contacts,
      'b.log': logOf({ id: 'BBBB', country: 'New Zeland', receivers }),
      'c.log': 'site information form',
    },
  });
  const { code, stdout, stderr } = await check(
    folder,
    'logs',
    '--format',
    'html',
    '--level',
    'info',
  );
  t.equal(code, 1);
  t.match(stderr, /\n3 logs, \d+ findings in 3\n$/);
  const page = new HtmlPage(stdout);
  t.same(page.errors, []);
  for (const name of ['a', 'script', 'link', 'img', 'form', 'iframe'])
    t.same(page.named(name), [], `no ${name}`);
  for (const name of ['href', 'src', 'action', 'srcset'])
    t.notOk(
      page.elements.some((element) => page.attribute(element, name)),
      `no ${name}`,
    );
  t.notMatch(stdout, /url\((?!#)|@import|https?:/, 'it needs nothing else');
  t.notMatch(stdout, /Jo\b|Example|Mobile/, 'contacts are not quoted');
  const ids = page.elements.flatMap((element) => page.attribute(element, 'id') ?? []);
  t.equal(new Set(ids).size, ids.length);
  const sheets = page.parts('article');
  t.match(
    sheets.map((sheet) => sheet.part('h1').text),
    [/TEST/, /BBBB/, /c\.log/],
  );
  t.same(
    sheets.map((sheet) => sheet.texts('dt').includes('Prepared')),
    [true, true, false],
    'nothing is known of the date of a rejected file',
  );
  t.match(sheets[0]!.text, 'a&b.log');
  t.match(sheets[1]!.texts('.warning').join() || sheets[1]!.text, 'New Zealand');
  t.match(sheets[1]!.text, 'Country: New Zeland', 'the line of the log');
  t.match(sheets[0]!.text, '3.1 to 3.3', 'all items of a finding');
  const errors = await check(folder, 'logs/b.log', '--format', 'html', '--level', 'error');
  t.equal(errors.code, 0);
  const hidden = /(\d+) more at level/.exec(errors.stderr)![1]!;
  t.match(
    new HtmlPage(errors.stdout).part('article p').text,
    new RegExp(`^0 findings; ${hidden} more`),
    'what is not shown is said',
  );
});

t.test('--antenna-gra checks reference points against drawings', async (t) => {
  const withPoint = (type: string, point: string) => ({
    ...ANTENNA,
    type: type.padEnd(16) + 'NONE',
    more: { ...ANTENNA.more, 'Antenna Reference Point': point },
  });
  const drawings = [
    'Drawings of antennas. The heights are metres.',
    '',
    'MAKANT1',
    '   +-----------+   <--  0.0350  TCR',
    '   +-----x-----+   <--  0.0000  BPA=ARP',
    '',
    'MAKANT2/B      MAKANT3',
    'MAKANT4, MAKANT6',
    '   +-----x-----+   <--  0.0000  ARP=TOP',
    '   +-----------+   <-- -0.0350  BAM',
    '',
  ];
  const antennas = [
    withPoint('MAKANT1', 'BPA'),
    withPoint('MAKANT1', 'bpa'),
    withPoint('MAKANT1', 'TOP'),
    withPoint('MAKANT2/B', 'BAM'),
    withPoint('MAKANT3', 'BAM'),
    withPoint('MAKANT4', 'TOP'),
    withPoint('MAKANT6', 'TOP'),
    withPoint('MAKANT5', 'TOP'),
    withPoint('MAKANT1', ''),
    withPoint('MAKANT1', 'L1 phase centre'),
  ].map((antenna, index) => ({
    ...antenna,
    from: `20${index + 10}-01-01`,
    to: `20${index + 11}-01-01`,
  }));
  const folder = t.testdir({
    'a.log': logOf({ receivers: [{ ...receivers[0]!, to: '2020-01-01' }], antennas }),
    'antenna.gra': drawings.join('\n'),
    'dos.gra': drawings.join('\r\n'),
    'other.txt': 'MAKANT1\nno drawing\n',
  });
  const found = async (...args: string[]): Promise<unknown[]> => {
    const { stdout } = await check(folder, 'a.log', '--format', 'ndjson', ...args);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as CheckResult)
      .filter((result) => result.code === 'other-reference-point')
      .map(({ sections, level, text, message }) => [
        sections,
        level,
        text,
        /\b[BT]\w\w\b/.exec(message)?.[0],
      ]);
  };
  const expected = [
    ['4.3', 'warning', 'TOP', 'BPA'],
    ['4.4 and 4.5', 'warning', 'BAM', 'TOP'],
  ];
  t.same(await found('--antenna-gra', 'antenna.gra'), expected);
  t.same(await found('--antenna-gra', 'dos.gra'), expected);
  t.same(await found(), [], 'without drawings, nothing is known');
  for (const [file, why] of [
    ['other.txt', /"other\.txt" has no reference points/],
    ['none.gra', /"none\.gra" cannot be read/],
  ] as const)
    t.match(await check(folder, 'a.log', '--antenna-gra', file), {
      code: 3,
      stdout: '',
      stderr: why,
    });
});

t.test('--database says that a log is a copy, if all its devices are at one Site', async (t) => {
  const devices = (...serials: string[]) =>
    serials.map((serial, index) => ({
      type: `LEICA GR${index + 10}`,
      serial,
      from: `20${index + 11}-01-01`,
      to: `20${index + 12}-01-01`,
    }));
  const log = (id: string, ...serials: string[]): string =>
    logOf({ id, receivers: devices(...serials), antennas: [{ ...ANTENNA, serial: '99999' }] });
  const folder = t.testdir({
    a: { 'aaaa.log': log('AAAA', '11111', '22222', '33333') },
    'all.log': log('BBBB', '11111', '22222'),
    'most.log': log('BBBB', '11111', '22222', '44444'),
    'few.log': log('BBBB', '11111'),
  });
  await createDatabase(join(folder, 'a.sqlite'), [join(folder, 'a')]);
  const codes = async (file: string): Promise<string[]> => {
    const { stdout } = await check(
      folder,
      file,
      '--database',
      'a.sqlite',
      '--level',
      'info',
      '--format',
      'ndjson',
    );
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as CheckResult)
      .filter(({ code }) => code === 'copied-equipment' || code === 'serial-elsewhere')
      .map(({ code, text, message }) => (code === 'copied-equipment' ? message : text));
  };
  t.match(await codes('all.log'), [/\b3\b.*\bAAAA\b/]);
  t.same(await codes('most.log'), ['11111', '22222', '99999'], 'one device is of its own');
  t.same(await codes('few.log'), ['11111', '99999'], 'too few to be a copy');
  t.equal((await codes('all.log')).length, 1);
});

t.test('a log prepared in the future is a finding without an import', async (t) => {
  const year = new Date().getUTCFullYear();
  const folder = t.testdir({
    'next.log': logOf({ prepared: `${year + 1}-12-31` }),
    'past.log': logOf({ prepared: `${year - 1}-12-31` }),
  });
  const lines = (await check(folder, 'next.log', 'past.log')).stdout.split('\n');
  const found = lines.filter((line) => line.includes(': future-date: '));
  t.match(found, [new RegExp(`^next\\.log:1: warning: .*"${year + 1}-12-31"`)]);
  t.equal(found.length, 1);
});

t.test('a baseline knows a finding in as many places as it had', async (t) => {
  const blank = { ...ANTENNA.more, 'Marker->ARP North Ecc(m)': '' };
  const antennas = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...ANTENNA,
      more: blank,
      from: `20${index + 11}-01-01`,
      to: `20${index + 12}-01-01`,
    }));
  const folder = t.testdir({ 'a.log': logOf({ antennas: antennas(2) }) });
  const args = ['a.log', '--level', 'info'];
  const { stdout } = await check(folder, ...args, '--format', 'ndjson');
  writeFileSync(join(folder, 'known.ndjson'), stdout);
  const again = async (count: number): Promise<string[]> => {
    writeFileSync(join(folder, 'a.log'), logOf({ antennas: antennas(count) }));
    const result = await check(folder, ...args, '--baseline', 'known.ndjson');
    return result.stdout.split('\n').filter((line) => line.includes('blank-eccentricity'));
  };
  t.same(await again(2), []);
  t.same(await again(1), [], 'one is corrected');
  t.match(await again(3), [/\(4\.1 to 4\.3\)/]);
});

t.test('a folder hides no file that should be a site log', async (t) => {
  const folder = t.testdir({
    logs: {
      'test_20200101.log': logOf({ receivers: [receivers[0]!] }),
      'empt_20200101.log': '',
      'bina00aus_20200101.xml': '\0\u0001',
      'README.md': 'About these logs',
      'test_20200101.jpg': 'a picture',
    },
  });
  const { code, stdout } = await check(folder, 'logs');
  t.equal(code, 1);
  t.match(stdout, /^logs\/bina00aus_20200101\.xml:1: error: not-a-site-log: /m);
  t.match(stdout, /^logs\/empt_20200101\.log:1: error: not-a-site-log: /m);
  t.notMatch(stdout, /README|jpg/);
  t.match(stdout, /\n3 logs, .*; 2 files skipped \(not site logs\)\n$/);
});
