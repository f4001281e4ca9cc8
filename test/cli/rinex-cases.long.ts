import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { createDatabase } from '../databases.js';
import { type Item, logText } from '../synthetic-log.js';
import { run } from './serving.js';

/** Files and logs that once gave a wrong result, each with the right one. */

/** An invented place, and another one in the same country. */
const PLACE = {
  'X coordinate (m)': '-4052000.000',
  'Y coordinate (m)': '4212800.000',
  'Z coordinate (m)': '-2545100.000',
};
const POSITION = '-4052000.0000  4212800.0000 -2545100.0000';

const receiver = (
  type: string,
  serial: string,
  firmware: string,
  from: string,
  to?: string,
): Item => ({
  type,
  serial,
  from,
  ...(to !== undefined && { to }),
  more: { 'Firmware Version': firmware },
});
const antenna = (type: string, serial: string, up: string, from: string, to?: string): Item => ({
  type,
  serial,
  from,
  ...(to !== undefined && { to }),
  more: {
    'Marker->ARP Up Ecc. (m)': up,
    'Marker->ARP North Ecc(m)': '0.0020',
    'Marker->ARP East Ecc(m)': '-0.0030',
  },
});
const START = '2010-01-01T00:00Z';
const OLD = ['SEPT POLARX4', '400', '2.9'] as const;
const NEW = ['SEPT POLARX5', '500', '5.4'] as const;
const OLD_ANTENNA = ['LEIAR25.R3      NONE', 'A1', '0.0150'] as const;
const NEW_ANTENNA = ['LEIAR25.R4      LEIT', 'A2', '0.0300'] as const;
const AGENCY = "Bureau d'Etudes des Stations";

/** A Site whose equipment stays the same. */
const site = (id: string, others: Partial<Parameters<typeof logText>[0]> = {}): string =>
  logText({
    id,
    prepared: '2026-01-01',
    more: { 'IERS DOMES Number': '12345M001' },
    place: PLACE,
    receivers: [receiver(...OLD, START)],
    antennas: [antenna(...OLD_ANTENNA, START)],
    agency: AGENCY,
    ...others,
  });

/** What a header says, as far as it differs from {@link site}. */
interface Said {
  version?: string;
  marker?: string;
  number?: string;
  agency?: string;
  receiver?: string;
  antenna?: string;
  position?: string;
  eccentricity?: string;
  first?: string;
  more?: [content: string, label: string][];
  data?: string;
}

const device = (type: string, serial: string, third = ''): string =>
  serial.padEnd(20) + type.padEnd(20) + third;
const heights = (up: string): string =>
  [up, '-0.0030', '0.0020'].map((each) => each.padStart(14)).join('');

/** A header; a record whose content is empty is left out. */
function fileOf(marker: string, said: Said = {}): string {
  const records: [content: string, label: string][] = [
    [
      `${(said.version ?? '3.05').padStart(9)}           OBSERVATION DATA    M`,
      'RINEX VERSION / TYPE',
    ],
    [said.marker ?? marker, 'MARKER NAME'],
    [said.number ?? '12345M001', 'MARKER NUMBER'],
    [said.agency === '' ? '' : ' '.repeat(20) + (said.agency ?? AGENCY), 'OBSERVER / AGENCY'],
    [said.receiver ?? device(...OLD), 'REC # / TYPE / VERS'],
    [said.antenna ?? device(OLD_ANTENNA[0], OLD_ANTENNA[1]), 'ANT # / TYPE'],
    [said.position ?? POSITION, 'APPROX POSITION XYZ'],
    [said.eccentricity ?? heights(OLD_ANTENNA[2]), 'ANTENNA: DELTA H/E/N'],
    ...(said.more ?? []),
    [said.first ?? '', 'TIME OF FIRST OBS'],
  ];
  const lines = records.filter(([content]) => content !== '');
  return [...lines, ['', 'END OF HEADER']]
    .map(([content, label]) => `${content!.padEnd(60)}${label!.padEnd(20)}\n`)
    .join('')
    .concat(said.data ?? '');
}

const DAY = '_R_20200100000_01D_30S_MO.rnx';
/** The day of that name, and its noon. */
const [MIDNIGHT, NOON] = ['2020-01-10T00:00Z', '2020-01-10T12:00Z'];

/** A result of check-rinex. */
interface Result {
  result: string;
  fields: { field: string; status: string; wrong: boolean }[];
  contradictions: string[];
  noEquipment: string[];
  hints: string[];
}

const NOT_CHECKED: Partial<Result> = { fields: [] };

/** Checks files against logs, and corrects them. */
async function openCases(t: Test, logs: string[]) {
  const folder = t.testdir({ logs: {}, rinex: {} });
  for (const [index, log] of logs.entries())
    writeFileSync(join(folder, 'logs', `${index}.log`), log, 'latin1');
  const database = join(folder, 'a.sqlite');
  await createDatabase(database, [join(folder, 'logs')]);
  let number = 0;
  const write = (name: string, content: string | Buffer): string => {
    const path = join(folder, 'rinex', name);
    writeFileSync(path, content, 'latin1');
    return path;
  };
  return {
    folder,
    database,
    write,
    /** The exit code, and the result for one file. */
    async check(name: string, content: string | Buffer, ...flags: string[]) {
      const path = write(name, content);
      const args = ['check-rinex', path, '--format', 'ndjson', '--database', database, ...flags];
      const { code, stdout, stderr } = await run(args);
      const result = (stdout === '' ? NOT_CHECKED : JSON.parse(stdout)) as Result;
      const differing = result.fields.filter(({ wrong }) => wrong).map(({ field }) => field);
      return { code, stderr, ...result, differing, stdout };
    },
    /** The exit code, and the copy; null if none was written. */
    async fix(name: string, content: string | Buffer, ...flags: string[]) {
      const path = write(name, content);
      const copies = join(folder, `copies-${number++}`);
      mkdirSync(copies);
      const args = ['fix-rinex', path, '--output', copies, '--database', database, ...flags];
      const { code, stdout, stderr } = await run(args);
      const copy = stdout === '' ? null : readFileSync(join(copies, name), 'latin1');
      return { code, stdout, stderr, copy };
    },
  };
}

const EQUIPMENT = ['receiverSerialNumber', 'receiverType', 'firmwareVersion', 'antennaType'];

t.test('a time without equipment stands for no device', async (t) => {
  const gap = (id: string): string =>
    site(id, {
      receivers: [receiver(...OLD, START, MIDNIGHT), receiver(...NEW, NOON)],
      antennas: [antenna(...OLD_ANTENNA, START, MIDNIGHT), antenna(...NEW_ANTENNA, NOON)],
    });
  const blank = site('QQAB00AUS', {
    receivers: [receiver(...OLD, START, NOON), receiver(OLD[0], '', '', NOON)],
  });
  const { check, fix } = await openCases(t, [gap('QQAA00AUS'), blank]);
  const right = {
    receiver: device(...NEW),
    antenna: device(NEW_ANTENNA[0], NEW_ANTENNA[1]),
    eccentricity: heights(NEW_ANTENNA[2]),
  };
  const wrong = {
    receiver: device('ZZ', '1', '0.1'),
    antenna: device('ZZ', '2'),
    eccentricity: heights('9.1'),
  };
  const name = `QQAA00AUS${DAY}`;
  const found = await check(name, fileOf('QQAA00AUS', right));
  t.match(found, { code: 0, result: 'checked', differing: [] });
  t.equal(found.hints.length, 1, 'the gap and the change are one hint');
  t.ok(found.fields.every(({ status }) => status === 'equal'));
  const other = await check(name, fileOf('QQAA00AUS', wrong));
  t.equal(other.code, 1);
  for (const field of [...EQUIPMENT, 'antennaSerialNumber', 'up'])
    t.ok(other.differing.includes(field), field);
  const half = { ...right, antenna: device(OLD_ANTENNA[0], OLD_ANTENNA[1]) };
  t.match(await check(name, fileOf('QQAA00AUS', half)), { code: 1 }, 'of two Setups');

  const neither = fileOf('QQAB00AUS', { receiver: device(OLD[0], '9', '9.9') });
  t.match(await check(`QQAB00AUS${DAY}`, neither), {
    code: 1,
    differing: ['receiverSerialNumber', 'firmwareVersion'],
  });

  // In the whole time of the file, nothing is on record.
  const morning = 'QQAA00AUS_R_20200100600_01H_30S_MO.rnx';
  const inGap = await check(morning, fileOf('QQAA00AUS', right));
  t.match(inGap, { code: 1, result: 'no-equipment', differing: [] });
  t.match(inGap.stderr, /^1 file of 1 Site checked, 1 no-equipment\n/);
  t.match(inGap.stderr, /\nQQAA00AUS: 1 of 1 file no-equipment\n/);
  t.notMatch(inGap.stderr, /differ/);
  t.equal(inGap.noEquipment.length, 2);
  t.match(inGap.noEquipment[0], /SEPT POLARX4 400 .*SEPT POLARX5 500 /);
  t.same(inGap.hints, []);
  const untilNoon = 'QQAA00AUS_R_20200100000_12H_30S_MO.rnx';
  t.match(await check(untilNoon, fileOf('QQAA00AUS', right)), { result: 'no-equipment' });
  const { stdout } = await check(
    untilNoon,
    fileOf('QQAA00AUS', {
      ...right,
      more: [['  2020     1    10    12     0   30.0000000     GPS', 'TIME OF LAST OBS']],
    }),
  );
  t.match(JSON.parse(stdout), { result: 'checked' }, 'it is on record for the last 30 s');
  const before = await check('QQAA00AUS_R_20090100000_01D_30S_MO.rnx', fileOf('QQAA00AUS'));
  t.match(before, { code: 1, result: 'no-equipment' });
  const otherNumber = fileOf('QQAA00AUS', { ...right, number: '12345M002' });
  t.match((await check(morning, otherNumber)).differing, ['markerNumber'], 'the rest is compared');
  const fixed = await fix(morning, otherNumber, '--include-equipment');
  t.equal(fixed.code, 0);
  t.match(fixed.stdout, /No receiver is on record.*\n.*No antenna is on record/);
});

t.test('what is known once is not reported again', async (t) => {
  const log = site('QQAA00AUS', {
    receivers: [receiver(...OLD, START, MIDNIGHT), receiver(...NEW, '2020-01-12T00:00Z')],
  });
  const { check, folder } = await openCases(t, [log]);
  const first = await check(`QQAA00AUS${DAY}`, fileOf('QQAA00AUS'));
  t.match(first, { code: 1, result: 'no-equipment' });
  writeFileSync(join(folder, 'known'), first.stdout);
  const since = ['--since-last', join(folder, 'known')];
  const nextDay = 'QQAA00AUS_R_20200110000_01D_30S_MO.rnx';
  t.match(await check(nextDay, fileOf('QQAA00AUS'), ...since), { code: 0 });
  const empty = fileOf('QQAA00AUS', { antenna: '' });
  t.match(await check(nextDay, empty, ...since), { code: 1 });
});

t.test('a field is wrong in the exit code, the table and a correction alike', async (t) => {
  const { check, fix, database, write } = await openCases(t, [site('QQAA00AUS')]);
  const name = `QQAA00AUS${DAY}`;
  const cases: [string, Said, wrong: string[]][] = [
    ['no receiver', { receiver: device('', '', '') }, ['receiverType']],
    ['no antenna', { antenna: ' ' }, ['antennaType', 'radomeType']],
    ['no radome', { antenna: device('LEIAR25.R3', 'A1') }, ['radomeType']],
    ['an unknown radome', { antenna: device('LEIAR25.R3      UNKN', 'A1') }, ['radomeType']],
    ['no eccentricity', { eccentricity: '' }, ['up', 'east', 'north']],
    ['no serial number', { receiver: device(OLD[0], '', OLD[2]) }, []],
    ['no firmware', { receiver: device(OLD[0], OLD[1]) }, []],
    ['no marker number', { number: '' }, []],
    ['no position', { position: '' }, []],
    ['a position of zeros', { position: '0.0 0.0 0.0' }, []],
    ['no agency', { agency: '' }, []],
    ['another agency', { agency: 'Somebody' }, []],
  ];
  for (const [what, said, wrong] of cases) {
    const file = fileOf('QQAA00AUS', said);
    const found = await check(name, file);
    t.same(found.differing, wrong, what);
    t.equal(found.code, wrong.length > 0 ? 1 : 0, what);
    const table = await run(['check-rinex', write(name, file), '--database', database]);
    t.equal(/1 of 1 file differs/.test(table.stdout), wrong.length > 0, what);
    const { copy } = await fix(name, file, '--include-equipment', '--include-agency');
    t.match(await check(name, copy!), { code: 0, differing: [] }, `${what}, corrected`);
  }
});

t.test('a file of another station is not compared', async (t) => {
  const { check, fix } = await openCases(t, [site('QQAA00AUS'), site('QQAB00AUS', { more: {} })]);
  const name = `QQAA00AUS${DAY}`;
  const cases: [string, Said, contradictions: number, name?: string][] = [
    ['1,000 m away', { position: '-4052000.0 4212800.0 -2544100.0' }, 0],
    ['more than 1,000 m away', { position: '-4052000.0 4212800.0 -2544099.9' }, 1],
    ['no position', { position: '' }, 0],
    ['zero', { position: '0.0 0.0 0.0' }, 0],
    ['another marker and number', { marker: 'BRUX', number: '13101M010' }, 1],
    ['another long marker', { marker: 'BRUX00BEL', number: '13101M010' }, 1],
    ['only another marker', { marker: 'BRUX' }, 0],
    ['only another number', { number: '13101M010' }, 0],
    ['a marker that is no id', { marker: 'Building 7', number: '13101M010' }, 0],
    ['a number of another form', { marker: 'BRUX', number: '13101' }, 0],
    ['both', { marker: 'BRUX', number: '13101M010', position: '4027881.8 306998.2 4919498.6' }, 2],
    ['no number on record', { marker: 'BRUX', number: '13101M010' }, 0, `QQAB00AUS${DAY}`],
  ];
  for (const [what, said, contradictions, fileName = name] of cases) {
    const file = fileOf(fileName.slice(0, 9), said);
    const found = await check(fileName, file);
    t.equal(found.contradictions.length, contradictions, what);
    if (contradictions === 0) {
      t.equal(found.result, 'checked', what);
      continue;
    }
    t.match(found, { code: 1, result: 'contradicts', fields: [] }, what);
    t.ok(
      found.contradictions.every((each) => each.includes('QQAA00AUS')),
      what,
    );
    for (const flags of [[], ['--include-equipment'], ['--at', '2020-01-10']])
      t.match(await fix(fileName, file, ...flags), { code: 1, copy: null }, what);
  }
});

t.test('--site states the Site where name and marker do not', async (t) => {
  const far = {
    'X coordinate (m)': '4027881.8',
    'Y coordinate (m)': '306998.2',
    'Z coordinate (m)': '4919498.6',
  };
  const other = site('QQAB00AUS', { place: far, more: { 'IERS DOMES Number': '13101M010' } });
  const { check, fix } = await openCases(t, [
    site('QQAA00AUS'),
    other,
    site('QQAC00AUS'),
    site('QQAC00NZL'),
  ]);
  const first = '  2020     1    10     0     0    0.0000000     GPS';
  const named = (said: Said): string => fileOf('', { marker: 'Bldg 7', first, ...said });
  const stated = ['--site', 'QQAA00AUS'];
  t.match(await check('cropped.obs', named({})), { code: 1, fields: [] });
  t.match(await check('cropped.obs', named({ marker: '' }), '--site', 'qqaa'), {
    code: 0,
    differing: [],
  });
  t.match(await check('cropped.obs', named({}), ...stated), { code: 1, differing: ['markerName'] });
  t.match(await check(`ZZZZ00AUS${DAY}`, named({}), ...stated), { result: 'checked' });
  t.match(await check('cropped.obs', named({}), '--site', 'QQAB00AUS'), {
    result: 'contradicts',
    contradictions: [/QQAB00AUS/],
  });
  const marked = named({ marker: 'QQAB00AUS' });
  t.match(await check('cropped.obs', marked, ...stated), { code: 1, result: 'contradicts' });
  t.match(await check(`QQAB00AUS${DAY}`, named({}), ...stated), { code: 1, result: 'contradicts' });
  t.match(await check(`QQAA00AUS${DAY}`, fileOf('QQAA00AUS'), ...stated), { code: 0 });
  const wrong = named({ number: '12345M009' });
  t.match((await fix('cropped.obs', wrong, ...stated)).copy, /^12345M001 +MARKER NUMBER/m);
  for (const [id, message] of [
    ['ZZZZ', /"ZZZZ": no Site on record/],
    ['QQAA00NZL', /no Site on record/],
    ['QQAC', /QQAC00AUS, QQAC00NZL/],
    ['no id', /is not a Site id/],
  ] as const) {
    t.match(await check('cropped.obs', named({}), '--site', id), { code: 2, stderr: message }, id);
    t.match(await fix('cropped.obs', named({}), '--site', id), { code: 2, stderr: message }, id);
  }
});

t.test('the agency is information', async (t) => {
  const long = 'Federal Institute of Geographical Information and Surveying';
  const both = site('QQAB00AUS', { agency: long }).concat(
    '     Preferred Abbreviation   : GFZ\n',
    '11.  On-Site, Point of Contact Agency Information\n',
    '     Agency                   : Ohio State University\n',
    '     Preferred Abbreviation   : OUSD\n',
  );
  const { check, fix, database } = await openCases(t, [
    site('QQAA00AUS'),
    both,
    site('QQAC00AUS', { agency: long }),
  ]);
  const statusOf = async (id: string, agency: string): Promise<string | undefined> => {
    const found = await check(`${id}${DAY}`, fileOf(id, { agency }));
    t.equal(found.code, 0, agency);
    return found.fields.find(({ field }) => field === 'agency')?.status;
  };
  const SAME = 'equal after normalisation';
  for (const [id, agency, status] of [
    ['QQAA00AUS', AGENCY, 'equal'],
    ['QQAA00AUS', 'BES', SAME],
    ['QQAA00AUS', 'BDEDS', SAME],
    ['QQAA00AUS', 'BE', 'differs'],
    ['QQAB00AUS', 'OUSD', 'equal'],
    ['QQAB00AUS', 'OUSD/GFZ', SAME],
    ['QQAB00AUS', 'GFZ + Ohio State University', SAME],
    ['QQAB00AUS', 'OSU, GFZ', SAME],
    ['QQAB00AUS', 'FIGIS & OUSD', SAME],
    ['QQAB00AUS', 'OUSD/NASA', 'differs'],
    ['QQAB00AUS', '/', 'differs'],
  ] as const)
    t.equal(await statusOf(id, agency), status, agency);

  const agencyOf = (copy: string | null): string | undefined =>
    copy
      ?.split('\n')
      .find((line) => line.includes('OBSERVER / AGENCY'))
      ?.slice(20, 60)
      .trim();
  const fixed = async (id: string, agency: string, ...flags: string[]) => {
    const { copy } = await fix(`${id}${DAY}`, fileOf(id, { agency }), ...flags);
    return agencyOf(copy);
  };
  t.equal(await fixed('QQAA00AUS', 'Somebody'), 'Somebody', 'left as it is');
  t.equal(await fixed('QQAA00AUS', 'Somebody', '--include-agency'), AGENCY);
  t.equal(await fixed('QQAA00AUS', ''), AGENCY, 'an empty one is filled');
  t.equal(await fixed('QQAB00AUS', ''), 'OUSD/GFZ', 'the name is longer than 40 characters');
  t.equal(await fixed('QQAC00AUS', ''), undefined, 'and has no abbreviation');
  t.equal(await fixed('QQAC00AUS', 'Somebody', '--include-agency'), 'Somebody');

  const exported = async (id: string) =>
    agencyOf((await run(['export', 'rinex', id, '--database', database])).stdout);
  t.equal(await exported('QQAA00AUS'), AGENCY);
  t.equal(await exported('QQAB00AUS'), 'OUSD/GFZ');
  t.equal(await exported('QQAC00AUS'), '');
  const { stderr } = await run(['export', 'rinex', 'QQAB00AUS', '--database', database]);
  t.match(stderr, /^1 value too large for its columns$/m);
  t.notMatch(stderr, /ASCII/);
});

t.test('how long a file lasts is read from its last epoch', async (t) => {
  const log = site('QQAA00AUS', {
    antennas: [
      antenna(OLD_ANTENNA[0], OLD_ANTENNA[1], '0.0500', START, NOON),
      antenna(OLD_ANTENNA[0], OLD_ANTENNA[1], '0.0800', NOON),
    ],
  });
  const { check, fix } = await openCases(t, [log]);
  const epoch = (time: string): string => `> 2020 01 10 ${time}.0000000  0  1\nG01  20000000.123\n`;
  const file = (...times: string[]): string =>
    fileOf('QQAA00AUS', {
      first: '  2020     1    10     0     0    0.0000000     GPS',
      receiver: device(OLD[0].toLowerCase(), OLD[1], OLD[2]),
      eccentricity: heights('9.1000'),
      data: times.map(epoch).join(''),
    });
  const hasHint = ({ hints }: { hints: string[] }): boolean =>
    hints.some((hint) => hint.includes('how long the file lasts'));
  const unspecified = 'QQAA00AUS_R_20200100000_00U_30S_MO.rnx';
  for (const name of ['testham.obs', unspecified]) {
    const day = file('00 00  0', '23 59 30');
    const whole = await check(name, day);
    t.match(JSON.parse(whole.stdout), { to: '2020-01-10T23:59:30Z', setups: { length: 2 } });
    t.notOk(hasHint(whole));
    t.match((await fix(name, day)).copy, /9\.1000/, 'the height changed at noon');
    const morning = file('00 00  0', '11 59 30');
    t.match((await fix(name, morning)).copy, /^ +0\.0500 .*DELTA H\/E\/N/m);

    const unknown = file();
    t.ok(hasHint(await check(name, unknown)), 'no epoch can be read');
    for (const flags of [[], ['--include-equipment']]) {
      const { copy, stdout } = await fix(name, unknown, ...flags);
      t.equal(copy, unknown, 'neither eccentricity nor equipment is corrected');
      t.match(stdout, /how long the file lasts is unknown/);
    }
    t.notOk(hasHint(await check(name, unknown, '--at', '2020-01-10')));
  }
  t.notOk(hasHint(await check(`QQAA00AUS${DAY}`, file())), 'the name says it');
});

t.test('what the IGS asks of headers', async (t) => {
  const aligned = antenna(...OLD_ANTENNA, START);
  aligned.more = { ...aligned.more, 'Alignment from True N': '152 deg' };
  const north = antenna(...OLD_ANTENNA, START);
  north.more = { ...north.more, 'Alignment from True N': '0 deg' };
  const { check, fix, database } = await openCases(t, [
    site('QQAA00AUS'),
    site('QQAB00AUS', { antennas: [aligned] }),
    site('QQAC00AUS', { antennas: [north] }),
  ]);
  const name = `QQAA00AUS${DAY}`;
  const at = (z: string): Said => ({ position: `-4052000.0 4212800.0 ${z}` });
  for (const [z, code, hints] of [
    ['-2545099.0', 0, 0],
    ['-2545098.9', 0, 1],
    ['-2545090.0', 0, 1],
    ['-2545089.9', 1, 0],
  ] as const) {
    const found = await check(name, fileOf('QQAA00AUS', at(z)));
    t.same([found.code, found.hints.length], [code, hints], z);
    const { copy } = await fix(name, fileOf('QQAA00AUS', at(z)));
    t.equal(copy === fileOf('QQAA00AUS', at(z)), code === 0, 'a hint changes no copy');
  }

  for (const [type, code] of [
    ['GEODETIC', 0],
    ['NON_GEODETIC', 0],
    ['SOMETHING_ELSE', 0],
    ['WATER_CRAFT', 1],
    ['Human', 1],
  ] as const) {
    const file = fileOf('QQAA00AUS', { more: [[type, 'MARKER TYPE']] });
    t.equal((await check(name, file)).code, code, type);
    t.equal((await fix(name, file)).code, code, type);
  }

  const foreign = fileOf('QQAA00AUS', { more: [['Bodenpunkt süd', 'COMMENT']] });
  const found = await check(name, foreign);
  t.same([found.code, found.hints.length], [0, 1]);
  t.equal((await fix(name, foreign)).copy, foreign);
  const corrected = await fix(name, fileOf('QQAA00AUS', { marker: 'Übung', number: '' }));
  t.notMatch(corrected.copy, /[^\n\x20-\x7e]/);
  const observer = Buffer.from('Müller').toString('latin1').padEnd(20);
  const inBytes = fileOf('QQAA00AUS', { agency: '', more: [[observer, 'OBSERVER / AGENCY']] });
  t.match((await fix(name, inBytes)).copy, /^Muller {14}Bureau d'Etudes /m, 'columns of bytes');

  const statusOf = async (id: string, more: Said['more'], version = '3.05') => {
    const result = await check(`${id}${DAY}`, fileOf(id, { more: more ?? [], version }));
    return [result.code, result.fields.find(({ field }) => field === 'azimuth')?.status ?? null];
  };
  const azimuth = (value: string): Said['more'] => [[value.padStart(14), 'ANTENNA: ZERODIR AZI']];
  t.same(await statusOf('QQAB00AUS', azimuth('152.0000')), [0, 'equal']);
  t.same(await statusOf('QQAB00AUS', azimuth('-207.0000')), [0, 'equal']);
  t.same(await statusOf('QQAB00AUS', azimuth('153.1000')), [1, 'differs']);
  t.same(await statusOf('QQAB00AUS', azimuth('x')), [1, 'cannot be read']);
  t.same(await statusOf('QQAB00AUS', []), [0, 'empty in header']);
  t.same(await statusOf('QQAB00AUS', [], '2.11'), [0, null], 'RINEX 2 has no such record');
  t.same(await statusOf('QQAC00AUS', []), [0, null]);
  t.same(await statusOf('QQAC00AUS', azimuth('180.0')), [1, 'differs']);
  t.same(await statusOf('QQAA00AUS', azimuth('180.0')), [0, 'unknown in log']);
  const record = /^ +152\.0000 +ANTENNA: ZERODIR AZI$/m;
  for (const more of [[], azimuth('10.0')])
    t.match((await fix(`QQAB00AUS${DAY}`, fileOf('QQAB00AUS', { more: more! }))).copy, record);
  const other = fileOf('QQAA00AUS', {
    antenna: device('TRM59800.00     SCIS', '9'),
    more: azimuth('180.0')!,
  });
  t.match((await fix(name, other, '--include-equipment')).copy, /TRM59800.00 /, 'stays with it');
  for (const version of ['3.04', '4.02', '2.11']) {
    const args = ['export', 'rinex', 'QQAB00AUS', '--query', `version=${version}`];
    const { code, stdout } = await run([...args, '--database', database]);
    t.equal(code, 0, version);
    t.match(stdout, new RegExp(`^ +${version.replace('.', '\\.')} `));
    t.equal(record.test(stdout), version !== '2.11', version);
  }
  const ofRinex4: [string, string][] = [
    ['10.1234/example', 'DOI'],
    ['CC BY 4.0', 'LICENSE OF USE'],
    ['https://gnss.example.org/QQAA00AUS', 'STATION INFORMATION'],
  ];
  for (const version of ['4.02', '4.03', '4.10']) {
    const file = fileOf('QQAA00AUS', { version, more: ofRinex4 });
    t.match(await check(name, file), { code: 0, hints: { length: 0 } }, version);
  }
  t.match(await check(name, fileOf('QQAA00AUS', { version: '5.00' })), {
    code: 0,
    hints: { length: 1 },
  });
});

t.test('small things in names and labels', async (t) => {
  const { check, fix, folder, database } = await openCases(t, [site('QQAA00AUS')]);
  const name = `QQAA00AUS${DAY}`;
  const seconds = 'QQAA00AUS_R_20200100000_30S_01S_MO.rnx';
  t.match(JSON.parse((await check(seconds, fileOf('QQAA00AUS'))).stdout), {
    to: '2020-01-10T00:00:30Z',
  });
  const first = '  2020     1    10     0     0    0.0000000     GPS';
  writeFileSync(join(folder, 'rinex', 'cropped.rnx'), fileOf('QQAA00AUS', { first }));
  writeFileSync(join(folder, 'rinex', 'BRDC00IGS_R_20200100000_01D_MN.rnx'), 'navigation');
  const all = await run(['check-rinex', join(folder, 'rinex'), '--database', database]);
  t.match(all, { code: 0, stdout: /^2 files of 1 Site checked$/m });
  t.match(all.stdout, /1 not named as an observation file/);

  const scale: Said = { version: '2.20', more: [['    10', 'OBS SCALE FACTOR']] };
  t.same((await check(name, fileOf('QQAA00AUS', scale))).hints, []);

  const hyphen = fileOf('QQAA00AUS', { number: '12345M001 -' });
  const { stdout } = await run([
    'check-rinex',
    join(folder, 'rinex', name),
    '--database',
    database,
  ]);
  t.notMatch(stdout, /markerNumber +equal after/);
  t.equal((await check(name, hyphen)).code, 0);
  const shown = await run(['check-rinex', join(folder, 'rinex', name), '--database', database]);
  t.match(shown.stdout, /markerNumber +equal after normalisation +header "12345M001 -"/);
  t.match((await fix(name, hyphen)).copy, /^12345M001 +MARKER NUMBER$/m);

  const overflow = '-4052000.12345678901234 4212800.12345678901234 -2545100.12345678901234';
  const lines = fileOf('QQAA00AUS').split('\n');
  const displaced = lines
    .map((line) => (line.includes('APPROX POS') ? `${overflow} APPROX POSITION XYZ` : line))
    .map((line) => (line.includes('MARKER NUMBER') ? '12345M001\t\tMARKER NUMBER' : line))
    .join('\n');
  const found = await check(name, displaced);
  t.match(found, { code: 0, differing: [], hints: { length: 1 } }, 'read, and said once');
  const { copy } = await fix(name, displaced);
  t.equal(copy!.match(/APPROX POSITION XYZ/g)!.length, 2, 'the record, and a comment');
  t.match(copy, /^ -4052000\.1235 {2}4212800\.1235 -2545100\.1235 +APPROX POSITION XYZ$/m);
  t.match(copy, /^12345M001 {51}MARKER NUMBER$/m);
  t.ok(
    copy!.split('\n').every((line) => line === '' || /^.{60}\S/.test(line)),
    'in columns',
  );
  t.same((await check(name, copy!)).hints, []);

  const tabs = lines
    .map((line) =>
      line.includes('H/E/N') ? '\t0.015\t-0.0030\t0.0020\tANTENNA: DELTA H/E/N' : line,
    )
    .join('\n');
  t.match((await fix(name, tabs)).copy, new RegExp(`^${heights('0.0150')} +ANTENNA: DELTA`, 'm'));

  const withTabs = (...parts: string[]) =>
    fileOf('QQAA00AUS').replace(/^/, `${parts.join('\t')}\n`);
  const moving = await check(name, withTabs('WATER_CRAFT', 'MARKER TYPE'));
  t.match(moving, { code: 1, result: 'contradicts' }, 'each record that is read');
  const azimuth = await check(name, withTabs('', '30', 'ANTENNA: ZERODIR AZI'));
  t.ok(azimuth.fields.some(({ field }) => field === 'azimuth'));
  const interval = await check(name, withTabs('30.000', 'INTERVAL'));
  t.match(interval.hints, [/INTERVAL/], 'the line is named');

  const lower = lines
    .map(
      (line) =>
        line.slice(0, 60) +
        (/RINEX|END/.test(line) ? line.slice(60) : line.slice(60).toLowerCase()),
    )
    .join('\n');
  t.match((await check(name, lower)).hints, { length: 1 }, 'one sentence about all labels');
});

t.test('--antex reads both versions, and says how each antenna is calibrated', async (t) => {
  const { check, folder, database } = await openCases(t, [site('QQAA00AUS')]);
  const line = (content: string, label: string): string => `${content.padEnd(60)}${label}\n`;
  const antex = (version: string, label: string, ...antennas: string[]): string =>
    [
      line(`     ${version}            M`, 'ANTEX VERSION / SYST'),
      ...antennas.flatMap((each) => [
        line('', 'START OF ANTENNA'),
        line(each, label),
        line('     2', '# OF PHV'),
        line('', 'END OF ANTENNA'),
      ]),
    ].join('');
  const type = 'LEIAR25.R3      NONE';
  const satellite = antex('2.0', 'TYPE / SVN / SAT ID', 'BLOCK IIA           G032      1992-079A');
  const name = `QQAA00AUS${DAY}`;
  const cases: [string, string, code: number, found: string | RegExp][] = [
    ['1.4', antex('1.4', 'TYPE / SERIAL NO', type), 0, 'type'],
    ['2.0', antex('2.0', 'TYPE / SN', type), 0, 'type'],
    ['individual', antex('2.0', 'TYPE / SN', type, `${type}A1`), 0, 'individual'],
    ['none', antex('2.0', 'TYPE / SN', 'LEIAR25.R4      NONE'), 1, 'none'],
    ['with satellites', satellite + antex('2.0', 'TYPE / SN', type), 0, 'type'],
    ['only satellites', satellite, 3, /only antennas of satellites/],
    ['unknown', antex('3.0', 'TYPE / SN', type), 3, /ANTEX version 3\.0/],
    ['no version', antex(' '.repeat(3), 'TYPE / SN', type), 3, /names no ANTEX version/],
    ['no list', 'no list\n', 3, /expected an ANTEX file/],
  ];
  for (const [what, text, code, found] of cases)
    for (const [ending, bytes] of [
      ['atx2', Buffer.from(text)],
      ['atx2.gz', gzipSync(text)],
    ] as const) {
      const list = join(folder, `list.${ending}`);
      writeFileSync(list, bytes);
      const args = [name, fileOf('QQAA00AUS'), '--antex', list] as const;
      if (code === 3) {
        const failed = await run([
          'check-rinex',
          join(folder, 'rinex', name),
          '--antex',
          list,
          '--database',
          database,
        ]);
        t.match(failed, { code, stderr: found as RegExp }, what);
        const log = await run(['check-log', join(folder, 'logs', '0.log'), '--antex', list]);
        t.match(log, { code, stderr: found as RegExp }, what);
        continue;
      }
      const checked = await check(...args);
      t.match(
        JSON.parse(checked.stdout),
        { calibration: { antenna: 'LEIAR25.R3 NONE', found } },
        what,
      );
      t.equal(checked.code, code, what);
      const words = { type: 'type mean', individual: 'individual', none: 'none' }[found as 'type'];
      const path = join(folder, 'rinex', name);
      const table = await run(['check-rinex', path, '--antex', list, '--database', database]);
      t.match(table.stdout, `calibration of LEIAR25.R3 NONE: ${words}\n`, what);
      t.match(table.stdout, `\ncalibration: 1 ${words}\n`, what);
      const csv = await run([
        'check-rinex',
        path,
        '--antex',
        list,
        '--format',
        'csv',
        '--database',
        database,
      ]);
      t.match(csv.stdout, new RegExp(`,hints,calibration\r\n.*,${words}\r\n`), what);
    }
  const list = join(folder, 'list.atx');
  writeFileSync(list, antex('2.0', 'TYPE / SN', type));
  const unknown = fileOf('QQAA00AUS', { antenna: device('LEIAR25.R3      UNKN', 'A1') });
  const { stdout } = await check(name, unknown, '--antex', list);
  t.match(
    JSON.parse(stdout),
    { calibration: { found: 'without radome' } },
    'its radome is unknown',
  );
});
