import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { checkHeader } from '../../src/rinex/check-header.js';
import { setupsDuring } from '../../src/rinex/setups-during.js';
import type { Comparison } from '../../src/rinex/compare.js';
import { correctHeader } from '../../src/rinex/correct.js';
import { isObservationFileName, readFileName } from '../../src/rinex/header/file-name.js';
import { readHeader, type RinexHeader } from '../../src/rinex/header/header.js';
import { headerLinesOf } from '../../src/rinex/header/lines.js';
import { type Field, FIELDS } from '../../src/rinex/fields.js';
import { identify, type Identified } from '../../src/rinex/identify.js';
import { UnixDecompressor } from '../../src/rinex/file/lzw.js';
import type { RecordedSite } from '../../src/store/read/sites/sites.js';
import type { Setup } from '../../schemas/setup.js';
import { renderRinexHeader } from '../../src/formats/rinex-header.js';
import { RINEX_VERSIONS } from '../../src/formats/versions.js';
import { intervalOf } from '../../src/formats/site-history.js';
import { openStoreRecords } from '../../src/rinex/record/from-store.js';
import { REAL_LOGS, ROOT, SAMPLE } from '../project-files.js';
import { Random, randomOf } from '../campaigns/random.js';
import { SEED } from '../effort.js';
import { openService } from '../service.js';
import { type Worded, worded } from './worded.js';

const NOW = '2026-01-01T00:00:00Z';

const parse = (text: string): RinexHeader => readHeader(headerLinesOf(text)!);

/** The header of a Setup of a Site, as the service writes it. */
function headerOf(
  { site, setups, agencies }: RecordedSite,
  index: number,
  version: (typeof RINEX_VERSIONS)[number] = '3.05',
): string {
  const options = { version, now: NOW, organisation: null, markerName: null, source: null };
  return renderRinexHeader(
    { site, agency: agencies[0] ?? null, agencies },
    intervalOf(setups[index]!, { isText: true }),
    options,
  ).text;
}

const at = (record: RecordedSite, index: number) => {
  const { from } = record.setups[index]!.effectivePeriod;
  return { from, to: from };
};

const differing = ({ fields }: { fields: Comparison[] }): Field[] =>
  fields.filter(({ status }) => status === 'differs').map(({ field }) => field);

/** How many headers of each Site are tried: the sample has few Sites. */
const CASES = REAL_LOGS === null ? 100 : 20;

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
  azimuth: ['ANTENNA: ZERODIR AZI', 0, 14, '       77.1000'],
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
    const records = await openStoreRecords(database);
    t.teardown(() => records.close());
    const ids = (await get('/exports/sites.ndjson')).body
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { fourCharacterId: string }).fourCharacterId);
    const sites = await records.findSites(ids);
    t.equal(sites.length, ids.length);
    const random = randomOf(SEED, 'alterations', 0);
    const alterations = new Map<Field, number>();
    const wrong: unknown[] = [];
    for (const record of sites.filter(({ setups }) => setups.length > 0)) {
      const id = record.site.fourCharacterId;
      for (let count = 0; count < CASES; count++) {
        const index = random.below(record.setups.length);
        const text = headerOf(record, index, random.pick(RINEX_VERSIONS));
        const differs = differing(checkHeader(parse(text), record, at(record, index)));
        if (differs.length > 0) wrong.push([id, index, differs]);
        const field = random.pick(FIELDS);
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
    const gaps = sites.flatMap(gapDays);
    t.comment(`${gaps.length} days with a time without receiver`);
    t.same(gaps.flatMap(wrongOnGapDay), []);
  },
);

/** A day on which a time without a receiver ends, and the Setup behind it. */
interface GapDay {
  record: RecordedSite;
  index: number;
  span: { from: string; to: string };
}

/** The days on which times without a receiver end, of up to three days. */
function gapDays(record: RecordedSite): GapDay[] {
  return record.setups.flatMap(({ effectivePeriod: { from, to }, equipmentInUse }, index) => {
    const kinds = (place: number): string[] =>
      (record.setups[place]?.equipmentInUse ?? []).map((each) => each.content.id.equipmentType);
    const hasBoth = ['gnss receiver', 'gnss antenna'].every((kind) =>
      kinds(index + 1).includes(kind),
    );
    const isGap = equipmentInUse.every((each) => each.content.id.equipmentType !== 'gnss receiver');
    const length = to === null ? Infinity : Date.parse(to) - Date.parse(from);
    if (!isGap || !hasBoth || length > 3 * DAY) return [];
    const day = to!.slice(0, 10);
    const span = { from: `${day}T00:00:00Z`, to: `${day}T23:59:30Z` };
    return [{ record, index: index + 1, span }];
  });
}

/** What is wrong with the results for a right header and for one that fits nothing. */
function wrongOnGapDay({ record, index, span }: GapDay): unknown[] {
  const right = headerOf(record, index);
  const fields = ['receiverType', 'antennaType'] as const;
  const other = fields.reduce((text, field) => altered(text, field) ?? text, right);
  const [good, bad] = [right, other].map((text) => checkHeader(parse(text), record, span, 'zero'));
  const isReported = (field: Field): boolean =>
    bad!.noEquipment.length > 0 ||
    bad!.fields.some((each) => each.field === field && each.status !== 'equal');
  const missed = fields.filter((field) => !isReported(field));
  const differs = [...differing(good!), ...good!.noEquipment];
  return missed.length === 0 && differs.length === 0
    ? []
    : [[record.site.fourCharacterId, span.from, missed, differs]];
}

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
const MOUNTED = { radomeType: 'LEIT', alignmentFromTrueNorth: null, ...ECCENTRICITIES };

/** A Site with two Setups: the receiver changes at noon on 2020-06-01. */
const RECORD = {
  site: {
    ...{ id: 1, fourCharacterId: 'TEST', nineCharacterId: 'TEST00AUS', domesNumber: '50137M001' },
    formerIds: [],
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
  datePrepared: '2022-01-01',
  isText: true,
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
    [
      'firmwareVersion',
      { firmwareVersion: 'Nav  5.50   Boot  3.' },
      'equal after normalisation',
      'without NP or Nav',
    ],
    ['firmwareVersion', { firmwareVersion: 'Nav  5.51   Boot  3.' }, 'differs'],
    ['markerName', { markerName: 'Bldg 3699' }, 'differs'],
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
    const steps = normalisation?.split('; ') ?? [];
    t.match(found, { status, normalisation: steps }, `${field} ${JSON.stringify(changes)}`);
    t.same(
      differing({ fields }),
      status === 'differs' ? [field] : [],
      `${field}: no other differs`,
    );
  }
  const incomplete = { ...RECORD, site: { ...RECORD.site, nineCharacterId: null } };
  for (const [markerName, status] of [
    ['TEST00NZL', 'equal after normalisation'],
    ['Test 3699', 'differs'],
    ['TEST0000A', 'differs'],
  ] as const)
    t.match(
      checkHeader(with_({ markerName }), incomplete, FIRST).fields[0],
      { status },
      markerName,
    );
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
  const [first, second] = RECORD.setups as [Setup, Setup];
  const ends = '2022-01-01T00:00:00Z';
  const again: RecordedSite = {
    ...RECORD,
    setups: [
      first,
      { ...second, effectivePeriod: { ...second.effectivePeriod, to: ends } },
      { ...first, id: 3, effectivePeriod: { from: ends, to: null } },
    ],
  };
  t.match(
    checkHeader(with_({}), again, after).otherSetups,
    [{ which: 'previous', id: 1 }],
    'of two that are equally near, the earlier one',
  );
  const before = checkHeader(with_({}), RECORD, {
    from: '2010-01-01T00:00:00Z',
    to: '2010-01-02T00:00:00Z',
  });
  t.same([before.best, differing(before)], [null, []]);
  t.equal(before.fields.find(({ field }) => field === 'receiverType')?.status, 'unknown in log');
});

const NO_TIMES = { firstObservation: null, lastObservation: null };
/** A Site of which only four characters are known. */
const INCOMPLETE = {
  ...RECORD,
  site: { ...RECORD.site, id: 2, fourCharacterId: 'SHRT', nineCharacterId: null },
} as RecordedSite;
const NAMESAKES = ['TEST00AUT', 'TEST00NZL'].map((nineCharacterId, index) => ({
  ...RECORD,
  site: { ...RECORD.site, id: 3 + index, nineCharacterId, domesNumber: null },
})) as RecordedSite[];

/** Decides about a file. */
const decide = (
  name: string,
  header: Partial<RinexHeader>,
  at: string | null = null,
  sites = [RECORD, INCOMPLETE],
): Worded<Identified> =>
  worded(
    identify(
      { name: readFileName(name), header: with_({ ...NO_TIMES, ...header }), lastEpoch: null },
      sites,
      {
        at,
        site: null,
      },
    ),
  );

const LONG_NAME = 'TEST00AUS_R_20150010000_01D_30S_MO.rnx';

t.test('the period of a file is that of its header, then that of its name', async (t) => {
  const span = (header: Partial<RinexHeader>, name = LONG_NAME, at: string | null = null) => {
    const identified = decide(name, header, at);
    return identified.kind === 'identified' ? identified.span : identified.kind;
  };
  t.same(span({}), { from: '2015-01-01T00:00:00Z', to: '2015-01-02T00:00:00Z' });
  t.same(span({ firstObservation: '2014-12-31T23:59:44Z' }), {
    from: '2014-12-31T23:59:44Z',
    to: '2015-01-02T00:00:00Z',
  });
  const [from, to] = ['2015-01-01T01:00:00Z', '2015-01-01T02:00:00Z'];
  t.same(span({ firstObservation: from, lastObservation: to }), { from, to });
  t.same(span({ firstObservation: from, lastObservation: from }), { from, to: from }, 'one epoch');
  t.same(span({ firstObservation: '2015-01-02T00:30:00Z' }), {
    from: '2015-01-02T00:30:00Z',
    to: '2015-01-02T00:30:00Z',
  });
  t.same(span({ firstObservation: from }, 'any name'), { from, to: from });
  t.same(span({}, LONG_NAME, '2020-01-01T00:00:00Z'), {
    from: '2020-01-01T00:00:00Z',
    to: '2020-01-01T00:00:00Z',
  });
  t.equal(span({}, 'any name'), 'unreadable');
  t.match(decide('TEST00AUS_R_20150010000_00U_MO.rnx', {}), {
    hints: [/how long the file lasts/],
  });
  t.same(span({ firstObservation: null }, 'TEST00AUS_R_20150010000_00U_MO.rnx'), {
    from: '2015-01-01T00:00:00Z',
    to: '2015-01-01T00:00:00Z',
  });
});

const DAY = 86_400_000;
/** The instant some milliseconds after another one. */
const after = (instant: string, milliseconds: number): string =>
  new Date(Date.parse(instant) + milliseconds).toISOString().replace('.000Z', 'Z');

t.test('times that contradict each other', async (t) => {
  const [HOUR, SECOND] = [3_600_000, 1000];
  const [begin, end] = ['2015-01-01T00:00:00Z', '2015-01-02T00:00:00Z'];
  const WEEKS = 1024 * 7 * DAY;
  const hourly = 'test001c.15o';
  const weekly = 'TEST00AUS_R_20150010000_07D_30S_MO.rnx';
  const unspecified = 'TEST00AUS_R_20150010000_00U_MO.rnx';
  const leapYear = 'TEST00AUS_R_20160010000_01Y_30S_MO.rnx';
  const outside = /^TIME OF FIRST OBS \S+ is outside the period that the name of the file states, /;
  const rollover = /: 1,024 weeks (early|late), a GPS week rollover\.$/;
  const longer = /is more than a day longer than that of the name/;
  const backwards = /^TIME OF LAST OBS \S+ is before TIME OF FIRST OBS/;
  type Case = [string, string | null, string | null, RegExp | null];
  const cases: Record<string, Case> = {
    'an hour early': [LONG_NAME, after(begin, -HOUR), null, null],
    'more than an hour early': [LONG_NAME, after(begin, -HOUR - SECOND), null, outside],
    'seconds before midnight': [LONG_NAME, after(begin, -16 * SECOND), null, null],
    'an hour late': [LONG_NAME, after(end, HOUR), null, null],
    'more than an hour late': [LONG_NAME, after(end, HOUR + SECOND), null, outside],
    'an hourly file': [hourly, '2015-01-01T04:00:00Z', null, null],
    'another hour': [hourly, '2015-01-01T04:00:01Z', null, outside],
    'the last day of a week': [weekly, '2015-01-07T12:00:00Z', '2015-01-07T23:59:30Z', null],
    'no length, an hour': [unspecified, after(begin, HOUR), null, null],
    'no length, a day': [unspecified, after(end, HOUR), null, null],
    'no length, more': [
      unspecified,
      after(end, HOUR + SECOND),
      null,
      /is more than a day after the beginning that the name of the file states, 2015-01-01T00:00:00Z\.$/,
    ],
    'no length, early': [unspecified, after(begin, -HOUR - SECOND), null, outside],
    'no length, a rollover': [unspecified, after(begin, WEEKS), null, rollover],
    'no length, but long': [unspecified, begin, '2015-02-01T00:00:00Z', null],
    'a rollover': [LONG_NAME, after(begin, -WEEKS), null, rollover],
    'a rollover, and a day before': [LONG_NAME, after(begin, -WEEKS - DAY), null, rollover],
    'a rollover, and a day': [LONG_NAME, after(begin, -WEEKS + DAY), null, rollover],
    'a rollover, and more before': [
      LONG_NAME,
      after(begin, -WEEKS - DAY - SECOND),
      null,
      /2015-01-02T00:00:00Z\.$/,
    ],
    'a rollover, and more': [
      LONG_NAME,
      after(begin, -WEEKS + DAY + SECOND),
      null,
      /2015-01-02T00:00:00Z\.$/,
    ],
    'a rollover of the name': [LONG_NAME, after(begin, WEEKS), null, rollover],
    'the last, a rollover before': [LONG_NAME, begin, after(end, -WEEKS), rollover],
    'the last, a rollover behind': [LONG_NAME, begin, after(end, WEEKS), rollover],
    'the last, a rollover without the first': [LONG_NAME, null, after(end, WEEKS), rollover],
    'the last, a rollover without a name': ['x', begin, after(end, -WEEKS), rollover],
    'the last of a week, a rollover': [weekly, begin, after(begin, 6 * DAY - WEEKS), rollover],
    'one epoch': [LONG_NAME, begin, begin, null],
    'the last before the first': [LONG_NAME, after(begin, 1000), begin, backwards],
    'the last before the first, without a name': ['x', after(begin, 1000), begin, backwards],
    'a day longer': [LONG_NAME, begin, after(end, DAY), null],
    'more than a day longer': [LONG_NAME, begin, after(end, DAY + SECOND), longer],
    'a week in a name': [weekly, begin, '2015-01-09T00:00:00Z', null],
    'more than a week and a day': [weekly, begin, '2015-01-09T00:00:01Z', longer],
    'a year and its day more': [leapYear, '2016-01-01T00:00:00Z', '2016-12-31T23:59:30Z', null],
    'only the last, early': [LONG_NAME, null, after(begin, -HOUR - SECOND), /^TIME OF LAST OBS/],
    'only the last, a rollover': [LONG_NAME, null, after(begin, DAY / 2 - WEEKS), rollover],
    'only the last, late': [LONG_NAME, null, after(end, DAY + SECOND), longer],
    'only the last': [LONG_NAME, null, after(end, -30 * SECOND), null],
    'no name': ['x', '1999-01-01T00:00:00Z', '2020-01-01T00:00:00Z', null],
  };
  for (const [what, [name, firstObservation, lastObservation, message]] of Object.entries(cases)) {
    const times = { firstObservation, lastObservation };
    const found = decide(name, times);
    const hasLength = name !== unspecified || lastObservation !== null;
    const hints = hasLength ? [] : [/how long the file lasts/];
    if (message === null) t.match(found, { kind: 'identified', hints }, what);
    else {
      const expected = { kind: 'contradicts', contradictions: [message], site: RECORD.site };
      t.match(found, expected, what);
      t.match(
        decide(name, times, begin),
        { kind: 'identified', hints: [message], span: { from: begin, to: begin } },
        `${what}: --at decides`,
      );
    }
  }
  t.match(
    decide(LONG_NAME, { firstObservation: '2000-01-01T00:00:00Z', lastObservation: end }),
    { kind: 'contradicts', contradictions: [outside, longer] },
    'all contradictions are reported',
  );
});

t.test('the Site of a file', async (t) => {
  const rest = '_R_20150010000_01D_30S_MO.rnx';
  const allOf = [RECORD, INCOMPLETE, ...NAMESAKES];
  const cases: [name: string, marker: string | null, found: unknown, sites?: RecordedSite[]][] = [
    [`TEST00AUS${rest}`, 'TEST', RECORD],
    [`TEST00AUS${rest}`, null, RECORD],
    [`TEST00AUS${rest}`, 'TEST00AUT', RECORD],
    [
      `TEST00AUS${rest}`,
      'TEST00AUT',
      /says TEST00AUS, and the marker name is "TEST00AUT": TEST00AUT is another Site on record/,
      allOf,
    ],
    ['test0010.15o', 'shrt', /says TEST, and the marker name is "shrt": SHRT is another Site/],
    ['test0010.15o', 'SHRT01NZL', /SHRT is another Site/],
    ['test0010.15o', 'SHRT at a place', RECORD],
    ['shrt0010.15o', 'TEST00AUS', /TEST00AUS is another Site on record/],
    ['test0010.15o', 'NONE', RECORD],
    ['test0010.15o', 'anything', RECORD],
    ['anything', 'test', RECORD],
    ['anything', 'Test at a place', RECORD],
    ['test0010.15o', 'TEST00NZL', NAMESAKES[1], allOf],
    [
      `TEST01AUS${rest}`,
      'TEST',
      /says TEST01AUS, on record is TEST00AUS; the marker name is "TEST"/,
    ],
    [`TEST10AUS${rest}`, 'TEST00AUS', /says TEST10AUS, on record is TEST00AUS/],
    [`TEST00NZL${rest}`, 'TEST', /says TEST00NZL, on record is TEST00AUS/],
    [
      `TEST01NZL${rest}`,
      'TEST',
      /says TEST01NZL, on record are TEST00AUS and TEST00AUT and TEST00NZL/,
      allOf,
    ],
    [`SHRT01NZL${rest}`, 'SHRT', INCOMPLETE],
    ['zzzz0010.15o', 'TEST', /says ZZZZ, no Site on record; the marker name is "TEST"/],
    [`ZZZZ00AUS${rest}`, 'TEST00AUS', /says ZZZZ00AUS, no Site on record/],
    [`TEST01AUS${rest}`, 'TEST01AUS', 'no Site has the id TEST01AUS'],
    [`TEST01AUS${rest}`, null, 'no Site has the id TEST01AUS'],
    ['zzzz0010.15o', 'YYYY', 'no Site has the id ZZZZ or YYYY'],
    ['anything', 'x', 'neither its name nor its marker name has the id of a Site'],
    ['test0010.15o', null, /^several Sites have the id TEST; neither marker/, NAMESAKES],
  ];
  for (const [name, markerName, expected, sites = [RECORD, INCOMPLETE]] of cases) {
    const header = { markerName, markerNumber: null, firstObservation: '2015-01-01T00:00:00Z' };
    const found = decide(name, header, null, sites);
    const title = `${name} ${markerName}`;
    if (typeof expected === 'string')
      t.match(found, { kind: 'unknown-site', reason: expected }, title);
    else if (!(expected instanceof RegExp))
      t.equal(found.kind === 'identified' && found.recordedSite, expected, title);
    else if (found.kind === 'unknown-site') t.match(found.reason, expected, title);
    else t.match(found, { kind: 'contradicts', contradictions: [expected] }, title);
    if (found.kind === 'contradicts')
      t.same(
        decide(name, header, '2015-01-01T00:00:00Z', sites),
        found,
        `${title}: --at is no Site`,
      );
  }
  t.match(
    decide('zzzz0010.15o', { markerName: 'YYYY', firstObservation: '1999-01-01T00:00:00Z' }),
    {
      kind: 'contradicts',
      site: null,
      hints: ['Its Site is unknown: no Site has the id ZZZZ or YYYY.'],
    },
  );
});

/** A header with its records of times. */
const withTimes = (first: string, last = ''): string => {
  const times = [
    first === '' ? '' : `${first.padEnd(60)}TIME OF FIRST OBS\n`,
    last === '' ? '' : `${last.padEnd(60)}TIME OF LAST OBS\n`,
  ];
  return headerOf(RECORD, 0).replace(/(.*END OF HEADER)/, `${times.join('')}$1`);
};

t.test('times that do not exist are unreadable, never another day', async (t) => {
  const cases: [content: string, instant: string | null][] = [
    ['  2013     7     8     0     0    0.0000000     GPS', '2013-07-08T00:00:00Z'],
    ['  2013     7     8    23    59   59.9999999     GPS', '2013-07-08T23:59:59Z'],
    ['  2016    12    31    23    59   60.0000000     UTC', '2017-01-01T00:00:00Z'],
    ['  2016     2    29     0     0     .0000', '2016-02-29T00:00:00Z'],
    ['  2016     2    29', '2016-02-29T00:00:00Z'],
    ['  2013    13     8     0     0    0.0000000     GPS', null],
    ['  2013     0     8     0     0    0.0000000     GPS', null],
    ['  2013     2    30     0     0    0.0000000     GPS', null],
    ['  2013     2    29     0     0    0.0000000     GPS', null],
    ['  2013     7    32     0     0    0.0000000     GPS', null],
    ['  2013     7     0     0     0    0.0000000     GPS', null],
    ['  2013     7     8    24     0    0.0000000     GPS', null],
    ['  2013     7     8     0    60    0.0000000     GPS', null],
    ['  2013     7     8     0     0   61.0000000     GPS', null],
    ['  2013    13    45    25    61    0.0           GPS', null],
    ['    13     7     8     0     0    0.0000000     GPS', null],
    ['  1979    12    31     0     0    0.0000000     GPS', null],
    ['0x07DD     7     8     0     0    0.0000000     GPS', null],
    ['  2013   7.5     8     0     0    0.0000000     GPS', null],
    ['  2013     7     8     0     0   -1.0000000     GPS', null],
    ['****************************************', null],
  ];
  for (const [content, instant] of cases) {
    const header = parse(withTimes(content));
    t.equal(header.firstObservation, instant, content);
    const text = content.trim().replace(/ +/g, ' ');
    const unreadable = instant === null ? [{ label: 'TIME OF FIRST OBS', fields: [], text }] : [];
    t.same(header.unreadable, unreadable);
    t.equal(parse(withTimes('', content)).lastObservation, instant);
  }
  const identified = worded(
    identify(
      {
        name: readFileName(LONG_NAME),
        header: parse(withTimes('  2013    13    45    25    61    0.0           GPS')),
        lastEpoch: null,
      },
      [RECORD],
      { at: null, site: null },
    ),
  );
  t.match(identified, {
    kind: 'identified',
    span: { from: '2015-01-01T00:00:00Z' },
    hints: [
      'TIME OF FIRST OBS "2013 13 45 25 61 0.0 GPS" is not a time that exists; it is not used.',
    ],
  });
  t.match(decide('test3660.15o', { firstObservation: '2015-01-01T00:00:00Z' }), {
    kind: 'identified',
    span: { from: '2015-01-01T00:00:00Z', to: '2015-01-01T00:00:00Z' },
    hints: ['The time in the name of the file, "3660.15", does not exist; it is not used.'],
  });
  t.match(decide('test3660.15o', {}), {
    kind: 'unreadable',
    reason: /^neither its header nor its name says when it begins \(The time in the name/,
  });
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
    ['ALIC00AUS_R_20131890000_00U_MO.rnx', 'ALIC00AUS', '2013-07-08T00:00:00Z', null],
    [
      'ALIC00AUS_R_20203660000_01D_30S_MO.rnx',
      'ALIC00AUS',
      '2020-12-31T00:00:00Z',
      '2021-01-01T00:00:00Z',
    ],
    ['alic1890.13o', 'ALIC', '2013-07-08T00:00:00Z', '2013-07-09T00:00:00Z'],
    ['alic1892.13o', 'ALIC', '2013-07-08T00:00:00Z', '2013-07-09T00:00:00Z'],
    ['rvo_1890.13o', 'RVO_', '2013-07-08T00:00:00Z', '2013-07-09T00:00:00Z'],
    [
      'RVO_00AUS_R_20131890000_01D_30S_MO.rnx',
      'RVO_00AUS',
      '2013-07-08T00:00:00Z',
      '2013-07-09T00:00:00Z',
    ],
    ['ALIC1890.13D.Z', 'ALIC', '2013-07-08T00:00:00Z', '2013-07-09T00:00:00Z'],
    ['alic189b.98d.gz', 'ALIC', '1998-07-08T01:00:00Z', '1998-07-08T02:00:00Z'],
    ['alic189x45.13o', 'ALIC', '2013-07-08T23:45:00Z', '2013-07-09T00:00:00Z'],
    ['alic0010.79o', 'ALIC', '2079-01-01T00:00:00Z', '2079-01-02T00:00:00Z'],
    ['alic189y.13o', 'ALIC', '2013-07-08T00:00:00Z', '2013-07-09T00:00:00Z'],
    ['alic189z.13o.gz', 'ALIC', '2013-07-08T00:00:00Z', '2013-07-09T00:00:00Z'],
    ['alic0010.80o', 'ALIC', '1980-01-01T00:00:00Z', '1980-01-02T00:00:00Z'],
  ] as const;
  for (const [name, site, from, to] of cases)
    t.match(readFileName(name), { site, period: { from, to } }, name);
  const impossible = [
    'alic3670.13o',
    'alic3660.21o',
    'alic0000.13o',
    'ALIC00AUS_R_20213660000_01D_30S_MO.rnx',
    'ALIC00AUS_R_20210012400_01D_30S_MO.rnx',
    'ALIC00AUS_R_20210010060_01D_30S_MO.rnx',
  ];
  for (const name of impossible) t.match(readFileName(name), { period: null }, name);
  const others = ['alic1890.13n', 'ALIC00AUS_R_20131890000_01D_MN.rnx', 'readme.txt'];
  for (const name of others) {
    t.equal(readFileName(name), null, name);
    t.notOk(isObservationFileName(name), name);
  }
  for (const name of ['alic1890.13o', 'site.obs', 'SITE.OBS.gz', 'a.obs.Z'])
    t.ok(isObservationFileName(name), name);
});

t.test('a text is what stands in the columns of its field', (t) => {
  const columns = [
    ['markerName', 'MARKER NAME', 0, 60],
    ['markerNumber', 'MARKER NUMBER', 0, 20],
    ['markerType', 'MARKER TYPE', 0, 20],
    ['agency', 'OBSERVER / AGENCY', 20, 60],
    ['receiverSerialNumber', 'REC # / TYPE / VERS', 0, 20],
    ['receiverType', 'REC # / TYPE / VERS', 20, 40],
    ['firmwareVersion', 'REC # / TYPE / VERS', 40, 60],
    ['antennaSerialNumber', 'ANT # / TYPE', 0, 20],
    ['antennaType', 'ANT # / TYPE', 20, 36],
    ['radomeType', 'ANT # / TYPE', 36, 40],
    ['antenna', 'ANT # / TYPE', 20, 40],
  ] as const;
  for (const [field, label, start, end] of columns) {
    const content = 'x'.repeat(start) + 'A'.repeat(end - start) + 'x'.repeat(60 - end);
    const header = replaced(headerOf(RECORD, 0), [label, 0, content]);
    t.equal(parse(header)[field], 'A'.repeat(end - start), field);
  }
  t.end();
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
  t.equal(headerLinesOf(text.slice(0, text.indexOf('END OF HEADER'))), null);
  const navigation = text.replace('OBSERVATION DATA', 'NAVIGATION DATA ');
  t.throws(() => parse(navigation), /has RINEX type "NAVIGATION DATA"; expected observation data/);
  t.throws(() => parse(text.replace('RINEX VERSION / TYPE', 'COMMENT')), /has no RINEX VERSION/);
});

t.test('what Unix compress wrote is read, in pieces of any size', async (t) => {
  const file = readFileSync(join(ROOT, 'test', 'fixtures', 'block-clear.Z'));
  const random = new Random('1');
  const text = 'a'.repeat(11_000) + Array.from({ length: 12_000 }, () => random.below(10)).join('');
  for (const size of [1, 7, 4096, file.length]) {
    const decompressor = new UnixDecompressor();
    let content = '';
    for (let start = 0; start < file.length; start += size)
      content += decompressor.push(file.subarray(start, start + size)).toString();
    t.equal(content, text, `pieces of ${size}`);
  }
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

/** Corrects a header. */
const correct = (
  text: string,
  span = FIRST,
  includesEquipment = false,
  record: RecordedSite = RECORD,
) => {
  const lines = headerLinesOf(text)!;
  const header = readHeader(lines);
  const checked = checkHeader(header, record, span);
  const includes = { equipment: includesEquipment, agency: true };
  return worded(correctHeader(lines, header, { ...checked, isOpen: false }, includes));
};

t.test('a header is corrected with comments, and is then equal', async (t) => {
  const good = headerOf(RECORD, 0);
  t.same(correct(good), { text: good, edits: [], changes: [], left: [] });
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
  t.same(
    correct(fixed.text),
    { text: fixed.text, edits: [], changes: [], left: [] },
    'once is enough',
  );
  t.ok(fixed.text.split('\r\n').every((line) => line.length <= 80));
  const added = correct(good.replace(/.*MARKER NUMBER *\n/, ''));
  t.match(
    added.text,
    /MARKER NAME *\n50137M001 +MARKER NUMBER\ngnss-site-setups: MARKER NUMBER added +COMMENT\n/,
  );
  const unnamed = good.replace(/.*MARKER NAME *\n/, '');
  const isAfter = (label: string) => new RegExp(`${label} *\\n.*MARKER NAME *\\n`);
  t.match(correct(unnamed).text, isAfter('PGM / RUN BY / DATE'));
  t.match(
    correct(unnamed.replace(/.*PGM \/ RUN BY \/ DATE *\n/, '')).text,
    isAfter('RINEX VERSION / TYPE'),
  );

  const other = altered(good, 'receiverType')!;
  t.match(correct(other), {
    text: other,
    changes: [],
    left: ['REC # / TYPE / VERS differs'],
  });
  t.match(correct(other, FIRST, true), { changes: ['REC # / TYPE / VERS'], left: [] });
  t.match(correct(altered(good, 'firmwareVersion')!, CHANGED, true), {
    changes: [],
    left: ['REC # / TYPE / VERS was left as it is: firmwareVersion changed during the file'],
  });
});

const HEN = 'ANTENNA: DELTA H/E/N';
const ANT = 'ANT # / TYPE';
const REC = 'REC # / TYPE / VERS';

/** A header with other texts in columns of records. */
const replaced = (text: string, ...changes: [label: string, start: number, value: string][]) =>
  changes.reduce((changed, [label, start, value]) => {
    const lines = changed.split('\n');
    const index = lines.findIndex((line) => line.slice(60).trim() === label);
    const line = lines[index]!;
    lines[index] = line.slice(0, start) + value + line.slice(start + value.length);
    return lines.join('\n');
  }, text);

const wrongHeight = [HEN, 0, '        0.5000'] as [string, number, string];

/** The record with other values in its antenna or receiver. */
const recordWith = (configuration: object, id: object = {}): RecordedSite => ({
  ...RECORD,
  setups: RECORD.setups.map((each) => ({
    ...each,
    equipmentInUse: each.equipmentInUse.map(({ content, ...rest }) => ({
      ...rest,
      content:
        content.id.equipmentType === 'gnss antenna'
          ? {
              ...content,
              id: { ...content.id, ...id },
              configuration: { ...content.configuration, ...configuration },
            }
          : content,
    })) as RecordedSite['setups'][number]['equipmentInUse'],
  })),
});

t.test('an eccentricity is corrected only under its antenna', async (t) => {
  const good = headerOf(RECORD, 0);
  const serial = (value: string) => [ANT, 0, value.padEnd(20)] as [string, number, string];
  const type = (value: string) => [ANT, 20, value.padEnd(20)] as [string, number, string];
  const cases: [string, [string, number, string][], changes: string[], left: RegExp[]][] = [
    ['the same antenna', [], [HEN], []],
    ['spelt otherwise', [type('leiar25.r3      leit'), serial('09370001')], [ANT, HEN], []],
    ['radome elsewhere', [type('LEIAR25.R3 LEIT')], [ANT, HEN], []],
    ['no serial number', [serial('')], [HEN], [/^ANT .*differs/]],
    ['no radome', [type('LEIAR25.R3')], [HEN], [/^ANT .* differs/]],
    [
      'another serial number',
      [serial('77')],
      [],
      [/^ANT/, /^ANTENNA: .*another antenna: antennaSerialNumber differs/],
    ],
    [
      'another radome',
      [type('LEIAR25.R3      NONE')],
      [],
      [/^ANT/, /another antenna: radomeType differs/],
    ],
    [
      'another type',
      [type('TRM59800.00     LEIT')],
      [],
      [/^ANT/, /another antenna: antennaType differs/],
    ],
    ['no type', [type('')], [], [/^ANT/, /^ANTENNA: .*antennaType is empty in the header/]],
    ['an unknown type', [type('-Unknown-')], [], [/^ANT/, /antennaType is empty in the header/]],
  ];
  for (const [what, changes, changed, left] of cases) {
    const text = replaced(good, wrongHeight, ...changes);
    const found = correct(text);
    t.same(found.changes, changed, what);
    t.match(found.left, left, what);
    t.equal(found.left.length, left.length, what);
    if (left.length > 0) {
      const all = correct(text, FIRST, true);
      t.match(all, { changes: [ANT, HEN], left: [] }, `${what}: both are replaced`);
      t.match(parse(all.text), { antennaType: 'LEIAR25.R3', radomeType: 'LEIT', up: '-0.0015' });
    }
  }

  const unknownUp = recordWith({ markerArpUpEccentricity: null });
  const otherAntenna = replaced(good, type('TRM59800.00     SCIS'));
  t.match(correct(otherAntenna, FIRST, true, unknownUp), {
    changes: [],
    left: [
      /^ANT .* was left as it is: its eccentricity cannot be written: up is unknown in the log/,
    ],
  });
  const withoutHeight = otherAntenna.replace(/.*ANTENNA: DELTA H\/E\/N *\n/, '');
  t.match(correct(withoutHeight, FIRST, true, unknownUp), {
    changes: [ANT],
    left: [/^ANTENNA: DELTA H\/E\/N was left as it is: up is unknown in the log/],
  });
  const otherNorth = replaced(good, [HEN, 28, '        9.0000']);
  t.match(correct(otherNorth, FIRST, true, unknownUp), {
    changes: [],
    left: [/^ANTENNA: .*up is unknown in the log/],
  });
  t.match(
    correct(
      replaced(otherAntenna, wrongHeight),
      FIRST,
      true,
      recordWith({}, { serialNumber: null }),
    ),
    {
      changes: [],
      left: [/^ANT .*antennaSerialNumber is unknown in the log/, /^ANTENNA: .*another antenna/],
    },
  );
  t.match(correct(replaced(good, wrongHeight), FIRST, true, recordWith({}, { type: null })), {
    changes: [],
    left: [/^ANTENNA: .*antennaType is unknown in the log/],
  });
  t.match(
    correct(
      replaced(good, wrongHeight),
      FIRST,
      false,
      recordWith({ markerArpUpEccentricity: 1e10 }),
    ),
    {
      changes: [],
      left: [/^ANTENNA: .*up "10000000000" does not fit its columns/],
    },
  );
});

t.test('what belongs together is left if the header has one of its records twice', async (t) => {
  const wrong = replaced(headerOf(RECORD, 0), wrongHeight, [REC, 20, 'SEPT POLARX5'.padEnd(20)]);
  const twice = (label: string): string =>
    wrong.replace(new RegExp(`^.*${label} *\\n`, 'm'), (line) => line + line);
  t.match(correct(wrong, FIRST, true), { changes: [REC, HEN] });
  for (const label of [ANT, HEN])
    t.match(correct(twice(label), FIRST, true), {
      changes: [REC],
      left: [`${HEN} was left as it is: the header has ${label} more than once`],
    });
  t.match(correct(twice(REC), FIRST, true), {
    changes: [HEN],
    left: [`${REC} was left as it is: the header has ${REC} more than once`],
  });
});

t.test('an eccentricity is that of the whole file', async (t) => {
  const good = headerOf(RECORD, 0);
  const text = replaced(good, wrongHeight);
  t.match(correct(text, CHANGED), { changes: [HEN], left: [] });
  const [first, second] = recordWith({}).setups;
  const changed = (configuration: object, id: object): RecordedSite => ({
    ...RECORD,
    setups: [first!, recordWith(configuration, id).setups[1]!],
  });
  t.match(correct(text, CHANGED, false, changed({ markerArpUpEccentricity: 0.1 }, {})), {
    changes: [],
    left: [/^ANTENNA: .*up changed during the file/],
  });
  t.match(correct(text, CHANGED, false, changed({}, { serialNumber: '77' })), {
    changes: [],
    left: [/^ANTENNA: .*antennaSerialNumber changed during the file/],
  });
  t.match(correct(text, FIRST, false, changed({}, { serialNumber: '77' })), { changes: [HEN] });
  const begun = { from: '2010-12-31T00:00:00Z', to: '2011-01-02T00:00:00Z' };
  t.match(correct(text, begun), {
    changes: [],
    left: [/^ANTENNA: .*the record does not cover the whole file/],
  });
  const twins = {
    ...RECORD,
    setups: [first!, second!].map((each) => {
      const twin = recordWith({ markerArpUpEccentricity: 2 }, { serialNumber: '77' }).setups[0]!;
      return { ...each, equipmentInUse: [...each.equipmentInUse, twin.equipmentInUse[1]!] };
    }),
  };
  const withoutSerial = replaced(text, [ANT, 0, ' '.repeat(20)]);
  t.match(correct(withoutSerial, FIRST, true, twins), {
    changes: [],
    left: [
      /^ANT .*several are in use, .*antennaSerialNumber is not the same/,
      /^ANTENNA: .*several are in use/,
    ],
  });
  t.match(correct(text, FIRST, true, twins), { changes: [HEN] }, 'the serial number says which');
});

t.test('type, serial number and firmware of a receiver are written together or not', async (t) => {
  const good = headerOf(RECORD, 0);
  const other = replaced(good, [REC, 20, 'SEPT POLARX5'.padEnd(20)]);
  const fixed = correct(other, FIRST, true);
  t.match(fixed, { changes: [REC], left: [] });
  t.match(fixed.text, /^REC-1 {15}LEICA GR25 {10}5\.50 {16}REC # /m);
  const unknown = {
    ...RECORD,
    setups: [
      {
        ...RECORD.setups[0]!,
        equipmentInUse: RECORD.setups[0]!.equipmentInUse.map((each, index) =>
          index === 0
            ? { ...each, content: { ...each.content, configuration: { firmwareVersion: null } } }
            : each,
        ),
      },
    ],
  } as unknown as RecordedSite;
  t.match(correct(other, FIRST, true, unknown), {
    changes: [],
    left: [/^REC .* was left as it is: firmwareVersion is unknown in the log/],
  });
  t.match(correct(replaced(other, [REC, 40, ' '.repeat(20)]), FIRST, true, unknown), {
    changes: [REC],
    left: [],
  });
  t.match(correct(other, CHANGED, true), {
    changes: [],
    left: [/^REC .*receiverSerialNumber changed during the file/],
  });
});

t.test('a file that is newer than the record', async (t) => {
  const on = (day: string) => ({ from: `${day}T00:00:00Z`, to: `${day}T23:59:30Z` });
  const prepared = { ...RECORD, datePrepared: '2021-03-01' };
  const good = headerOf(RECORD, 1);
  const check = (text: string, day: string, record = prepared) =>
    checkHeader(parse(text), record, on(day));
  t.match(check(good, '2021-03-01'), { recordPrepared: null, newerDevices: [] });
  t.match(check(good, '2021-03-02'), { recordPrepared: '2021-03-01', newerDevices: [] });
  t.match(check(good, '2021-03-02', { ...RECORD, datePrepared: null! }), { recordPrepared: null });
  const labels = [REC, ANT, 'APPROX POSITION XYZ', HEN];
  const position = ['APPROX POSITION XYZ', 0, ' 1234567.0000 '] as [string, number, string];
  const changes: [string, [string, number, string], string[]][] = [
    ['receiver', [REC, 0, 'NEW-1'], ['receiver']],
    ['firmware', [REC, 40, '7.0.1'], ['receiver']],
    ['antenna', [ANT, 20, 'TRM59800.00     SCIS'], ['antenna']],
    ['radome', [ANT, 36, 'NONE'], ['antenna']],
  ];
  for (const [what, change, newerDevices] of changes) {
    const text = replaced(good, wrongHeight, position, change, ['MARKER NAME', 0, 'QQQQ00AUS']);
    t.same(check(text, '2021-03-01').newerDevices, [], what);
    t.same(check(text, '2021-03-02').newerDevices, newerDevices, what);
    for (const includesEquipment of [false, true]) {
      const { changes, left } = correct(text, on('2021-03-02'), includesEquipment, prepared);
      t.same(changes, ['MARKER NAME'], what);
      t.ok(left.every((each) => /was left as it is: the log was prepared 2021-03-01/.test(each)));
      t.same(
        left.map((each) => labels.find((label) => each.startsWith(label))),
        labels.filter((label) => ![REC, ANT].includes(label) || label === change[0]),
        what,
      );
    }
  }
  const same = replaced(good, wrongHeight, position);
  t.match(correct(same, on('2021-03-02'), false, prepared), {
    changes: ['APPROX POSITION XYZ', HEN],
    left: [],
  });
});

t.test('of two antennas in use, the header says which one it is about', async (t) => {
  const good = headerOf(RECORD, 0);
  const other = recordWith(
    { markerArpUpEccentricity: 2, radomeType: 'SCIS' },
    { serialNumber: '77', type: 'TRM59800.00     SCIS' },
  );
  const twins = {
    ...RECORD,
    setups: RECORD.setups.map((each, index) => ({
      ...each,
      equipmentInUse: [...each.equipmentInUse, other.setups[index]!.equipmentInUse[1]!],
    })),
  };
  const antenna = (serialNumber: string, type: string, up: string) =>
    replaced(
      good,
      [ANT, 0, serialNumber.padEnd(20)],
      [ANT, 20, type.padEnd(20)],
      [HEN, 0, up.padStart(14)],
    );
  const firstType = 'LEIAR25.R3      LEIT';
  const secondType = 'TRM59800.00     SCIS';
  const cases: [string, string, log: string | null, isUnclear: boolean][] = [
    [antenna('0937 0001', secondType, '2.0'), 'the serial number', '0937 0001', false],
    [antenna('77', firstType, '-0.0015'), 'the serial number of the other', '77', false],
    [antenna('', firstType, '2.0'), 'the type', '0937 0001', false],
    [antenna('88', 'LEIAR25.R3 SCIS', '2.0'), 'the type, in other columns', '0937 0001', false],
    [antenna('88', 'AOAD/M_T        NONE', '2.0'), 'neither', '77', true],
    [antenna('', '', '2.0'), 'nothing', '77', true],
  ];
  for (const [text, what, log, isUnclear] of cases) {
    const checked = checkHeader(parse(text), twins, FIRST);
    const serialNumber = checked.fields.find(({ field }) => field === 'antennaSerialNumber');
    t.equal(serialNumber?.record, log, what);
    t.same(checked.unclear, isUnclear ? ['antenna'] : [], what);
    if (!isUnclear) continue;
    const { changes, left } = correct(text, FIRST, true, twins);
    t.same(changes, [], what);
    t.match(left[0], /^ANT .*several are in use, the header does not say which/, what);
  }
});

t.test('two entries of one receiver are no two receivers', async (t) => {
  const [first, second] = RECORD.setups as [RecordedSite['setups'][number], never];
  const receiver = first.equipmentInUse[0]!;
  const updated = {
    ...receiver,
    content: { ...receiver.content, configuration: { firmwareVersion: '6.0' } },
  } as typeof receiver;
  const record = {
    ...RECORD,
    setups: [{ ...first, equipmentInUse: [...first.equipmentInUse, updated] }, second],
  };
  for (const firmware of ['5.50', '6.0']) {
    const text = replaced(headerOf(RECORD, 0), [REC, 40, firmware.padEnd(20)]);
    t.match(checkHeader(parse(text), record, FIRST), { unclear: [] });
    t.same(differing(checkHeader(parse(text), record, FIRST)), [], firmware);
  }
});

t.test('what is only spelt otherwise is written as the record spells it', async (t) => {
  const good = headerOf(RECORD, 0, '2.11');
  const type = (value: string) => [ANT, 20, value.padEnd(20)] as [string, number, string];
  const receiver = (...values: string[]) =>
    [REC, 0, values.map((each) => each.padEnd(20)).join('')] as [string, number, string];
  const MARKER = 'MARKER NAME';
  type Case = [string, [string, number, string], changes: string[], after: object, left: RegExp[]];
  const cases: Case[] = [
    [
      'type',
      receiver('rec-1', 'Leica GR-25', 'NP 5.50'),
      [REC],
      { receiverType: 'LEICA GR25' },
      [],
    ],
    [
      'nothing but serial number and firmware',
      receiver('REC 1', 'LEICA GR25', '5.5.0'),
      [],
      {},
      [],
    ],
    [
      'type, and another firmware',
      receiver('REC-1', 'leica gr25', '7.0'),
      [REC],
      { receiverType: 'LEICA GR25', firmwareVersion: '7.0' },
      [/^REC .*: only its spelling was corrected; other values differ/],
    ],
    ['case', type('leiar25.r3      leit'), [ANT], { antennaType: 'LEIAR25.R3' }, []],
    ['columns', type('LEIAR25.R3 LEIT'), [ANT], { antennaType: 'LEIAR25.R3' }, []],
    [
      'columns, and another radome',
      type('LEIAR25.R3 NONE'),
      [ANT],
      { antennaType: 'LEIAR25.R3', radomeType: 'NONE' },
      [/^ANT .*: only its spelling was corrected/],
    ],
    ['four characters', [MARKER, 0, 'test'], [MARKER], { markerName: 'TEST' }, []],
    ['nine characters', [MARKER, 0, 'test00aus'], [MARKER], { markerName: 'TEST00AUS' }, []],
  ];
  for (const [what, change, changes, after, left] of cases) {
    const text = replaced(good, change);
    const fixed = correct(text);
    t.same(fixed.changes, changes, what);
    t.match(fixed.left, left, what);
    t.equal(fixed.left.length, left.length, what);
    const before = parse(text);
    const now = parse(fixed.text);
    t.match(now, after, what);
    t.equal(now.receiverSerialNumber, before.receiverSerialNumber, what);
    t.equal(now.firmwareVersion, before.firmwareVersion, what);
    t.equal(now.antennaSerialNumber, before.antennaSerialNumber, what);
    t.same(correct(fixed.text).changes, [], `${what}: once is enough`);
  }
});

t.test('labels, unreadable numbers and other axes are mended, or left and said', async (t) => {
  const good = headerOf(RECORD, 0);
  const cutLabel = (text: string): string => text.replace(HEN, 'ANTENNA: DELTA      ');
  const mended = correct(cutLabel(good));
  t.match(mended, { changes: [HEN], left: [] });
  t.match(mended.text, /corrected; label was: *COMMENT\nANTENNA: DELTA +COMMENT\n/);
  t.notMatch(mended.text, /ANTENNA: DELTA *\n/);
  t.ok(mended.text.split('\n').every((line) => line === '' || /^.{60}\S.{0,19}$/.test(line)));
  const both = correct(cutLabel(replaced(good, wrongHeight)));
  t.match(both, { changes: [HEN], left: [] });
  t.match(parse(both.text), { up: '-0.0015', remarks: [] });
  const record = good.split('\n').find((line) => line.slice(60).startsWith(HEN))!;
  const twice = good.replace(record, `${cutLabel(record)}\n${record}`);
  t.match(worded(parse(twice)).remarks, [
    /"ANTENNA: DELTA" as ANTENNA: DELTA H/,
    /H\/E\/N 2 times; the first/,
  ]);

  const marked = correct(`\xef\xbb\xbf${good}`);
  const leftOut = 'the byte order mark at its beginning was left out';
  t.match(marked, { text: good, changes: [], left: [leftOut] });

  const stars = replaced(good, [HEN, 0, '**************']);
  t.match(checkHeader(parse(stars), RECORD, FIRST).fields[8], {
    status: 'cannot be read',
    header: '*'.repeat(14),
    record: '-0.0015',
  });
  t.match(correct(stars), { changes: [HEN], left: [] });
  const otherAntenna = replaced(stars, [ANT, 20, 'TRM59800.00     SCIS']);
  t.match(correct(otherAntenna), { changes: [], left: [/^ANT /, /^ANTENNA: .*another antenna/] });
  const unreadable = replaced(good, [HEN, 0, '*'.repeat(42)], [ANT, 20, 'TRM59800.00     SCIS']);
  t.match(correct(unreadable, FIRST, true, recordWith({ markerArpUpEccentricity: null })), {
    changes: [],
    left: [/^ANT .*its eccentricity cannot be written: up is unknown/, /^ANTENNA: /],
  });

  const axes = good.replace(HEN, 'ANTENNA: DELTA X/Y/Z');
  const why =
    /^ANTENNA: DELTA H\/E\/N was left as it is: the header has ANTENNA: DELTA X\/Y\/Z instead$/;
  t.match(correct(axes), { text: axes, changes: [], left: [why] });
  t.match(correct(replaced(axes, [ANT, 20, 'TRM59800.00     SCIS']), FIRST, true), {
    changes: [],
    left: [/^ANT .*its eccentricity cannot be written: the header has ANTENNA: DELTA X/, why],
  });
  const marker = `${'QQQQ00AUS'.padEnd(60)}MARKER NAME\n`;
  t.match(correct(good.replace(/(.*MARKER NAME *\n)/, `${marker}$1`)), {
    changes: [],
    left: ['MARKER NAME was left as it is: the header has MARKER NAME more than once'],
  });
});

t.test('a blank north or east of a text log counts as 0, where up is known', async (t) => {
  const good = headerOf(RECORD, 0);
  const blank = (configuration: object) =>
    recordWith({ markerArpNorthEccentricity: null, ...configuration });
  const fix = (text: string, record: RecordedSite, how: 'zero' | 'unknown') => {
    const lines = headerLinesOf(text)!;
    const header = readHeader(lines);
    const checked = checkHeader(header, record, FIRST, how);
    return worded(
      correctHeader(
        lines,
        header,
        { ...checked, isOpen: false },
        { equipment: false, agency: false },
      ),
    );
  };
  const zero = replaced(good, [HEN, 0, '        0.5000'], [HEN, 28, '        0.0000']);
  const none = good.replace(/.*ANTENNA: DELTA H\/E\/N *\n/, '');
  for (const text of [zero, none]) {
    const unknown = { changes: [], left: [/^ANTENNA: .*north is unknown/] };
    t.match(fix(text, blank({}), 'unknown'), unknown);
    t.match(fix(text, { ...blank({}), isText: false }, 'zero'), unknown, 'XML means unknown');
    const fixed = fix(text, blank({}), 'zero');
    t.same(fixed, correct(text, FIRST, false, blank({})), 'the default');
    t.match(fixed, {
      changes: [HEN],
      left: [`${HEN}: blank in the log, written as 0: north`],
    });
    t.match(parse(fixed.text), { up: '-0.0015', east: '0.1000', north: '0.0000' });
    t.same(fix(fixed.text, blank({}), 'zero').changes, []);
  }
  const both = fix(none, blank({ markerArpEastEccentricity: null }), 'zero');
  t.match(both.left, [/written as 0: north, east$/]);
  t.match(parse(both.text), { up: '-0.0015', east: '0.0000', north: '0.0000' });
  t.match(fix(replaced(good, wrongHeight), blank({}), 'zero'), {
    changes: [],
    left: [`${HEN} was left as it is: north is blank in the log, and 0.2000 in the header`],
  });
  const checked = checkHeader(parse(good), blank({}), FIRST);
  t.same(checked.zeros, ['north']);
  t.equal(checked.fields.find(({ field }) => field === 'north')!.record, '0');
  t.match(fix(none, blank({ markerArpUpEccentricity: null }), 'zero'), {
    changes: [],
    left: [/up, north are unknown in the log/],
  });
});
