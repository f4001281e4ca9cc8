import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  checkHeader,
  type RecordedSite,
  setupsDuring,
  spanOf,
} from '../../src/check/rinex/check-header.js';
import { type Comparison, type Field, FIELDS } from '../../src/check/rinex/compare.js';
import { correctHeader } from '../../src/check/rinex/correct.js';
import { readFileName } from '../../src/check/rinex/file-name.js';
import { readHeader, recordsOf, type RinexHeader } from '../../src/check/rinex/header.js';
import { UnixDecompressor } from '../../src/check/rinex/lzw.js';
import { RINEX_VERSIONS, renderRinexHeader } from '../../src/formats/rinex-header.js';
import { intervalOf } from '../../src/formats/site-history.js';
import { recordsOfDatabase } from '../../src/cli/rinex/records.js';
import { openService, REAL_LOGS, ROOT, SAMPLE } from '../helper.js';

const NOW = '2026-01-01T00:00:00Z';

/** Numbers that are the same in each run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 75 + 74) % 65537;
    return state % below;
  };
}

const parse = (text: string): RinexHeader => readHeader(recordsOf(text)!);

/** The header of a Setup of a Site, as the service writes it. */
function headerOf(
  { site, setups, agencies }: RecordedSite,
  index: number,
  version: (typeof RINEX_VERSIONS)[number] = '3.05',
): string {
  const options = { version, now: NOW, organisation: null, markerName: null };
  return renderRinexHeader(
    { site, agency: agencies[0] ?? null },
    intervalOf(setups[index]!),
    options,
  ).text;
}

const at = (record: RecordedSite, index: number) => {
  const { from } = record.setups[index]!.effectivePeriod;
  return { from, to: from };
};

const differing = ({ fields }: { fields: Comparison[] }): Field[] =>
  fields.filter(({ status }) => status === 'differs').map(({ field }) => field);

/** Headers with one field altered. Null if the header has no such record. */
const ALTERATIONS: Record<Field, [label: string, start: number, end: number, value: string]> = {
  markerName: ['MARKER NAME', 0, 4, 'QQQQ'],
  markerNumber: ['MARKER NUMBER', 0, 9, '99999M999'],
  receiverSerialNumber: ['REC # / TYPE / VERS', 0, 20, 'QX-77'],
  receiverType: ['REC # / TYPE / VERS', 20, 40, 'QX RECEIVER'],
  firmwareVersion: ['REC # / TYPE / VERS', 40, 60, '77.77-q'],
  antennaSerialNumber: ['ANT # / TYPE', 0, 20, 'QX-78'],
  antennaType: ['ANT # / TYPE', 20, 35, 'QX_ANTENNA'],
  radomeType: ['ANT # / TYPE', 36, 40, 'QXQX'],
  up: ['ANTENNA: DELTA H/E/N', 0, 14, '      777.1000'],
  east: ['ANTENNA: DELTA H/E/N', 14, 28, '      777.1000'],
  north: ['ANTENNA: DELTA H/E/N', 28, 42, '      777.1000'],
  position: ['APPROX POSITION XYZ', 0, 14, '  1234567.0000'],
  agency: ['OBSERVER / AGENCY', 20, 60, 'Nobody we know'],
};

function altered(text: string, field: Field): string | null {
  const [label, start, end, value] = ALTERATIONS[field];
  const lines = text.split('\n');
  const index = lines.findIndex((line) => line.slice(60).trim() === label);
  const line = lines[index];
  if (line === undefined || line.slice(start, end).trim() === '') return null;
  lines[index] = line.slice(0, start) + value.padEnd(end - start) + line.slice(end);
  return lines.join('\n');
}

t.test(
  'headers of every Site at random instants are equal, and each altered field differs alone',
  async (t) => {
    const { database, get } = await openService(t, [REAL_LOGS ?? SAMPLE]);
    const records = await recordsOfDatabase(database);
    t.teardown(records.close);
    const ids = (await get('/exports/sites.ndjson')).body
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { fourCharacterId: string }).fourCharacterId);
    const sites = await records.findSites(ids);
    t.equal(sites.length, ids.length);
    const random = randomNumbers(7);
    const alterations = new Map<Field, number>();
    const wrong: unknown[] = [];
    for (const record of sites.filter(({ setups }) => setups.length > 0)) {
      const id = record.site.fourCharacterId;
      for (let count = 0; count < 20; count++) {
        const index = random(record.setups.length);
        const text = headerOf(record, index, RINEX_VERSIONS[random(3)]);
        const differs = differing(checkHeader(parse(text), record, at(record, index)));
        if (differs.length > 0) wrong.push([id, index, differs]);
        const field = FIELDS[random(FIELDS.length)]!;
        const other = altered(text, field);
        if (other === null) continue;
        const { fields } = checkHeader(parse(other), record, at(record, index));
        const status = fields.find((each) => each.field === field)!;
        // A field that the log does not know cannot differ.
        if (status.status === 'unknown in log') continue;
        alterations.set(field, (alterations.get(field) ?? 0) + 1);
        if (differing({ fields }).join() !== field)
          wrong.push([id, index, field, differing({ fields })]);
      }
    }
    t.same(wrong, []);
    for (const field of FIELDS) t.ok((alterations.get(field) ?? 0) > 0, `${field} was altered`);
    t.comment(`${[...alterations.values()].reduce((sum, each) => sum + each, 0)} alterations`);
  },
);

const RECEIVER = { equipmentType: 'gnss receiver', type: 'LEICA GR25' };
const ANTENNA = {
  equipmentType: 'gnss antenna',
  type: 'LEIAR25.R3      LEIT',
  serialNumber: '0937 0001',
};
const ECCENTRICITIES = {
  markerArpUpEccentricity: -0.0015,
  markerArpNorthEccentricity: 0.2,
  markerArpEastEccentricity: 0.1,
};
const MOUNTED = { radomeType: 'LEIT', ...ECCENTRICITIES };

/** A Site with two Setups: the receiver changes at noon on 2020-06-01. */
const RECORD = {
  site: {
    ...{ id: 1, fourCharacterId: 'TEST', nineCharacterId: 'TEST00AUS', domesNumber: '50137M001' },
    location: {
      x: -4052051.767,
      y: 4212836.215,
      z: -2545106.027,
      latitude: null,
      longitude: null,
      height: null,
    },
  },
  setups: [
    setup(1, '2011-01-01T00:00:00Z', '2020-06-01T12:00:00Z', 'REC-1', '5.50'),
    setup(2, '2020-06-01T12:00:00Z', null, 'REC-2', '6.0'),
  ],
  agencies: ['Geoscience Australia', 'GA'],
} as unknown as RecordedSite;

function setup(
  id: number,
  from: string,
  to: string | null,
  serialNumber: string,
  firmwareVersion: string,
) {
  return {
    id,
    effectivePeriod: { from, to },
    equipmentInUse: [
      {
        content: {
          id: { ...RECEIVER, serialNumber },
          configuration: { firmwareVersion },
          period: { from, to },
        },
      },
      {
        content: {
          id: ANTENNA,
          configuration: MOUNTED,
          period: { from: '2011-01-01T00:00:00Z', to: null },
        },
      },
    ],
  };
}

const FIRST = { from: '2015-01-01T00:00:00Z', to: '2015-01-01T23:59:30Z' };
/** The day of the change. */
const CHANGED = { from: '2020-06-01T00:00:00Z', to: '2020-06-01T23:59:30Z' };
const with_ = (changes: Partial<RinexHeader>): RinexHeader => ({
  ...parse(headerOf(RECORD, 0)),
  ...changes,
});

t.test('each field has a status', async (t) => {
  const collapsed = (antenna: string) => ({ antennaType: antenna, radomeType: null, antenna });
  const cases: [Field, Partial<RinexHeader>, status: string, normalisation?: string][] = [
    ['markerName', { markerName: 'TEST' }, 'equal'],
    ['markerName', { markerName: 'test' }, 'equal after normalisation', 'case, blanks and hyphens'],
    ['markerName', { markerName: 'TEST00AUT' }, 'differs'],
    ['markerNumber', { markerNumber: null }, 'empty in header'],
    ['markerNumber', { markerNumber: 'TEST' }, 'differs'],
    [
      'receiverSerialNumber',
      { receiverSerialNumber: 'rec 1' },
      'equal after normalisation',
      'case, blanks and hyphens',
    ],
    ['receiverSerialNumber', { receiverSerialNumber: '-Unknown-' }, 'empty in header'],
    ['receiverSerialNumber', { receiverSerialNumber: '0REC1' }, 'differs'],
    [
      'firmwareVersion',
      { firmwareVersion: 'NP 5.50 / SP 3' },
      'equal after normalisation',
      'without NP or Nav',
    ],
    ['firmwareVersion', { firmwareVersion: '5.5.0' }, 'equal after normalisation', 'points'],
    ['firmwareVersion', { firmwareVersion: '55.0' }, 'differs'],
    ['radomeType', { radomeType: 'NONE', antenna: 'LEIAR25.R3      NONE' }, 'differs'],
    ['radomeType', { radomeType: 'UNKN', antenna: 'LEIAR25.R3      UNKN' }, 'empty in header'],
    [
      'antennaType',
      collapsed('LEIAR25.R3 LEIT'),
      'equal after normalisation',
      'radome in other columns',
    ],
    [
      'radomeType',
      collapsed('LEIAR25.R3 LEIT'),
      'equal after normalisation',
      'radome in other columns',
    ],
    ['radomeType', collapsed('LEIAR25.R3 NONE'), 'differs', 'radome in other columns'],
    ['up', { up: '-0.0005' }, 'equal'],
    ['up', { up: '-0.0004' }, 'differs'],
    ['up', { up: null }, 'empty in header'],
    ['position', { position: '-4052061.767 4212836.215 -2545106.027' }, 'equal'],
    ['position', { position: '-4052061.768 4212836.215 -2545106.027' }, 'differs'],
    ['position', { position: null }, 'empty in header'],
    ['agency', { agency: 'GA' }, 'equal'],
    [
      'agency',
      { agency: 'geoscience  australia' },
      'equal after normalisation',
      'case, blanks and hyphens',
    ],
    ['agency', { agency: 'AUSLIG' }, 'differs'],
  ];
  for (const [field, changes, status, normalisation = null] of cases) {
    const { fields } = checkHeader(with_(changes), RECORD, FIRST);
    const found = fields.find((each) => each.field === field);
    t.match(found, { status, normalisation }, `${field} ${JSON.stringify(changes)}`);
    t.same(
      differing({ fields }),
      status === 'differs' ? [field] : [],
      `${field}: no other differs`,
    );
  }
  const unknown = { ...RECORD, agencies: [], site: { ...RECORD.site, domesNumber: 'M001' } };
  const { fields } = checkHeader(with_({}), unknown, FIRST);
  const unknownFields = fields
    .filter(({ status }) => status === 'unknown in log')
    .map(({ field }) => field);
  t.same(unknownFields, ['markerNumber', 'agency']);
});

t.test('a change within 60 s of the begin or the end of a file does not count', async (t) => {
  const during = (from: string, to: string): number[] =>
    setupsDuring(RECORD.setups, { from, to }).map(({ id }) => id);
  t.same(during('2020-06-01T11:59:00Z', '2020-06-02T11:58:30Z'), [2]);
  t.same(during('2020-06-01T11:58:59Z', '2020-06-02T11:58:30Z'), [1, 2]);
  t.same(during('2020-05-31T12:01:00Z', '2020-06-01T12:01:00Z'), [1]);
  t.same(during('2020-05-31T12:01:00Z', '2020-06-01T12:01:01Z'), [1, 2]);
  t.same(during('2020-06-01T12:00:00Z', '2020-06-01T12:00:00Z'), [2], 'an instant');
  t.same(during('2020-06-01T11:59:59Z', '2020-06-01T11:59:59Z'), [1], 'an instant');
  t.same(during('2020-06-01T11:59:30Z', '2020-06-01T12:00:20Z'), [1], 'the middle of a short file');
  t.same(during('2010-01-01T00:00:00Z', '2010-01-02T00:00:00Z'), []);
  const best = checkHeader(parse(headerOf(RECORD, 1)), RECORD, CHANGED);
  t.same(
    [best.during.map(({ setup }) => setup.id), best.best?.id, differing(best)],
    [[1, 2], 2, []],
  );
  const after = { from: '2021-01-01T00:00:00Z', to: '2021-01-01T23:59:30Z' };
  t.match(checkHeader(parse(headerOf(RECORD, 1)), RECORD, FIRST).otherSetups, [
    { device: 'receiver', which: 'next', id: 2 },
  ]);
  t.match(checkHeader(with_({}), RECORD, after).otherSetups, [
    { device: 'receiver', which: 'previous', id: 1 },
  ]);
  const before = checkHeader(with_({}), RECORD, {
    from: '2010-01-01T00:00:00Z',
    to: '2010-01-02T00:00:00Z',
  });
  t.same([before.best, differing(before)], [null, []]);
  t.equal(before.fields.find(({ field }) => field === 'receiverType')?.status, 'unknown in log');
});

t.test('the period of a file is that of its header, then that of its name', async (t) => {
  const name = readFileName('TEST00AUS_R_20150010000_01D_30S_MO.rnx');
  const span = (header: Partial<RinexHeader>, file = name, at: string | null = null) =>
    spanOf(with_(header), file, at);
  t.same(span({}), { from: '2015-01-01T00:00:00Z', to: '2015-01-02T00:00:00Z' });
  t.same(span({ firstObservation: '2014-12-31T23:59:44Z' }), {
    from: '2014-12-31T23:59:44Z',
    to: '2015-01-02T00:00:00Z',
  });
  const [from, to] = ['2015-01-01T01:00:00Z', '2015-01-01T02:00:00Z'];
  t.same(span({ firstObservation: from, lastObservation: to }), { from, to });
  t.same(span({ firstObservation: '2016-01-01T01:00:00Z' }), {
    from: '2016-01-01T01:00:00Z',
    to: '2016-01-01T01:00:00Z',
  });
  t.same(span({}, name, '2020-01-01T00:00:00Z'), {
    from: '2020-01-01T00:00:00Z',
    to: '2020-01-01T00:00:00Z',
  });
  t.equal(span({}, null), null);
});

t.test('long and short names of observation files are read', async (t) => {
  const cases = [
    [
      'ALIC00AUS_R_20131890000_01D_30S_MO.rnx.gz',
      'ALIC00AUS',
      '2013-07-08T00:00:00Z',
      '2013-07-09T00:00:00Z',
    ],
    [
      'ALIC00AUS_R_20131890115_15M_01S_GO.crx',
      'ALIC00AUS',
      '2013-07-08T01:15:00Z',
      '2013-07-08T01:30:00Z',
    ],
    [
      'alic00aus_s_20131890000_01h_mo.rnx.Z',
      'ALIC00AUS',
      '2013-07-08T00:00:00Z',
      '2013-07-08T01:00:00Z',
    ],
    ['alic1890.13o', 'ALIC', '2013-07-08T00:00:00Z', '2013-07-09T00:00:00Z'],
    ['ALIC1890.13D.Z', 'ALIC', '2013-07-08T00:00:00Z', '2013-07-09T00:00:00Z'],
    ['alic189b.98d.gz', 'ALIC', '1998-07-08T01:00:00Z', '1998-07-08T02:00:00Z'],
    ['alic189x45.13o', 'ALIC', '2013-07-08T23:45:00Z', '2013-07-09T00:00:00Z'],
    ['alic0010.79o', 'ALIC', '2079-01-01T00:00:00Z', '2079-01-02T00:00:00Z'],
    ['alic0010.80o', 'ALIC', '1980-01-01T00:00:00Z', '1980-01-02T00:00:00Z'],
  ] as const;
  for (const [name, site, from, to] of cases) t.same(readFileName(name), { site, from, to }, name);
  const others = [
    'alic3670.13o',
    'alic0000.13o',
    'alic1890.13n',
    'ALIC00AUS_R_20131890000_01D_MN.rnx',
    'readme.txt',
  ];
  for (const name of others) t.equal(readFileName(name), null, name);
});

t.test('headers of all versions are read, Hatanaka ones too', async (t) => {
  const text = headerOf(RECORD, 0);
  for (const version of ['2.10', '2.11', '3.02', '3.05', '4.00', '4.02']) {
    const header = parse(text.replace('     3.05', version.padStart(9)));
    t.match(header, {
      version,
      receiverSerialNumber: 'REC-1',
      up: '-0.0015',
      east: '0.1000',
      north: '0.2000',
      radomeType: 'LEIT',
    });
  }
  const format = `${'1.0                 COMPACT RINEX FORMAT'.padEnd(60)}CRINEX VERS   / TYPE\n`;
  const program = `${'RNX2CRX ver.4.0.7                       28-Jun-17 22:20'.padEnd(60)}CRINEX PROG / DATE\n`;
  t.same(parse(format + program + text), parse(text));
  t.same(parse(text.replaceAll('\n', '\r\n')), parse(text));
  t.same(parse(text.replace(/ +\n/g, '\n')), parse(text), 'without blanks at ends of lines');
  const times = `${'  2013     7     8     0     0    0.0000000     GPS'.padEnd(60)}TIME OF FIRST OBS\n`;
  t.equal(parse(times + text).firstObservation, '2013-07-08T00:00:00Z');
  t.equal(
    parse(text.replace('-4052051.7670', '       0.0000')).position?.startsWith('0.0000'),
    true,
  );
  t.equal(
    parse(text.replace(/.*APPROX POS/, `${'0.0000  0.0000  0.0000'.padEnd(60)}APPROX POS`))
      .position,
    null,
  );
  t.equal(recordsOf(text.slice(0, text.indexOf('END OF HEADER'))), null);
  const navigation = text.replace('OBSERVATION DATA', 'NAVIGATION DATA ');
  t.throws(() => parse(navigation), /has RINEX type "NAVIGATION DATA"; expected observation data/);
  t.throws(() => parse(text.replace('RINEX VERSION / TYPE', 'COMMENT')), /has no RINEX VERSION/);
});

t.test('what Unix compress wrote is read, in pieces of any size', async (t) => {
  const file = readFileSync(join(ROOT, 'test', 'fixtures', 'block-clear.Z'));
  const random = randomNumbers(1);
  const text = 'a'.repeat(11_000) + Array.from({ length: 12_000 }, () => random(10)).join('');
  for (const size of [1, 7, 4096, file.length]) {
    const decompressor = new UnixDecompressor();
    let content = '';
    for (let start = 0; start < file.length; start += size)
      content += decompressor.push(file.subarray(start, start + size)).toString();
    t.equal(content, text, `pieces of ${size}`);
  }
  const begin = new UnixDecompressor().push(file, 500);
  t.ok(begin.length >= 500 && begin.length < 2000);
  t.throws(
    () => new UnixDecompressor().push(Buffer.from([0x1f, 0x9d, 0x91, 1])),
    /expected|compress/,
  );
  t.throws(() => new UnixDecompressor().push(Buffer.from([0x1f, 0x8b, 0x90, 1])), /compress/);
  t.throws(
    () => new UnixDecompressor().push(Buffer.from([0x1f, 0x9d, 0x90, 0xff, 0xff, 0xff])),
    /damaged/,
  );
});

t.test('a header is corrected with comments, and is then equal', async (t) => {
  const correct = (text: string, span = FIRST, includesEquipment = false) => {
    const records = recordsOf(text)!;
    const header = readHeader(records);
    return correctHeader(records, header, checkHeader(header, RECORD, span), includesEquipment);
  };
  const good = headerOf(RECORD, 0);
  t.same(correct(good), { text: good, changes: [], left: [] });
  const labels = [
    'MARKER NAME',
    'MARKER NUMBER',
    'OBSERVER / AGENCY',
    'APPROX POSITION XYZ',
    'ANTENNA: DELTA H/E/N',
  ];
  const bad = (['markerName', 'markerNumber', 'agency', 'position', 'up'] as const).reduce(
    (text, field) => altered(text, field)!,
    good,
  );
  const fixed = correct(bad.replaceAll('\n', '\r\n'));
  t.same([fixed.changes, fixed.left], [labels, []]);
  t.ok(fixed.text.split('\n').every((line) => line === '' || line.endsWith('\r')));
  t.same(differing(checkHeader(parse(fixed.text), RECORD, FIRST)), []);
  t.match(fixed.text, /gnss-site-setups: MARKER NAME corrected; it was: +COMMENT/);
  t.match(fixed.text, /^QQQQ00AUS {51}COMMENT/m);
  t.same(correct(fixed.text), { text: fixed.text, changes: [], left: [] }, 'once is enough');
  t.ok(fixed.text.split('\r\n').every((line) => line.length <= 80));
  const added = correct(good.replace(/.*MARKER NUMBER *\n/, ''));
  t.match(
    added.text,
    /MARKER NAME *\n50137M001 +MARKER NUMBER\ngnss-site-setups: MARKER NUMBER added +COMMENT\n/,
  );

  const other = altered(good, 'receiverType')!;
  t.match(correct(other), {
    text: other,
    changes: [],
    left: ['REC # / TYPE / VERS differs; --include-equipment corrects it'],
  });
  t.match(correct(other, FIRST, true), { changes: ['REC # / TYPE / VERS'], left: [] });
  t.match(correct(altered(good, 'firmwareVersion')!, CHANGED, true), {
    changes: [],
    left: ['REC # / TYPE / VERS was left as it is: firmwareVersion changed during the file'],
  });
});
