import t from 'tap';
import { checkAgainstClock, checkLog } from '../../src/check/check-log.js';
import { adviceOn, type FindingCode } from '../../src/findings/codes.js';
import { editDistance } from '../../src/site-log/near-miss.js';
import { distanceFromCountry } from '../../src/check/place.js';
import { readWholeLog } from '../../src/site-log/read.js';
import {
  type Finding,
  Findings,
  isOf,
  sectionWords,
  textsOf,
} from '../../src/findings/findings.js';
import { writeSections, type WrittenForm } from '../../src/site-log/write.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { withNineCharacters } from '../../src/site-log/write/identity.js';
import { type Item, logText, type SyntheticLog } from '../synthetic-log.js';

const receiver = {
  type: 'LEICA GR25',
  serial: '1',
  from: '2011-01-01T00:00Z',
  more: {
    'Satellite System': 'GPS+GLO',
    'Firmware Version': '4.11',
    'Elevation Cutoff Setting': '0',
  },
};
const antenna = {
  type: 'LEIAR25.R3      NONE',
  serial: '2',
  from: '2011-01-01T00:00Z',
  more: {
    'Antenna Reference Point': 'BPA',
    'Marker->ARP Up Ecc. (m)': '0.1',
    'Marker->ARP North Ecc(m)': '0',
    'Marker->ARP East Ecc(m)': '0',
    'Alignment from True N': '0',
    'Antenna Radome Type': 'NONE',
  },
};
/** A log with all sections and labels of the form. */
function form(log: SyntheticLog = {}, as: WrittenForm = 'text1'): string {
  const read = readSections(
    Buffer.from(
      logText({
        id: 'TEST',
        country: 'Australia',
        receivers: [receiver],
        antennas: [antenna],
        ...log,
      }),
    ),
    new Findings('a'),
  );
  return writeSections(
    as === 'text2' ? withNineCharacters(read, '00AUS') : read,
    as,
    new Findings('a'),
  );
}

/** Replaces a line of section 1 or 2, which the blank form has without a value. */
const withValue = (text: string, label: string, value: string): string => {
  const at = text.indexOf(label);
  const end = text.indexOf('\n', at);
  return `${text.slice(0, at)}${label.padEnd(25)}: ${value}${text.slice(end)}`;
};

/** The findings of a log, read and checked. */
function found(text: string, now = new Date('2020-01-01'), file = 'a'): Finding[] {
  const findings = new Findings(file);
  const bytes = Buffer.from(text);
  const log = readWholeLog(bytes, findings);
  checkLog(log, findings);
  checkAgainstClock(log.log, now, findings);
  return findings.list;
}

const placed = (
  x: string,
  y: string,
  z: string,
  latitude: string,
  longitude: string,
  height: string,
  country = 'Australia',
): string => {
  const values = {
    'X coordinate (m)': x,
    'Y coordinate (m)': y,
    'Z coordinate (m)': z,
    'Latitude (N is +)': latitude,
  };
  const more = {
    'Longitude (E is +)': longitude,
    'Elevation (m,ellips.)': height,
    Country: country,
  };
  return Object.entries({ ...values, ...more }).reduce(
    (text, [label, value]) => withValue(text, label, value),
    form(),
  );
};
const ALICE = ['-4052051.767', '4212836.215', '-2545106.027', '-23.6701', '133.8855'] as const;
const later = { type: 'LEICA GR30', serial: '3' };
/** Replaces the value of a line that a log has, or one of its lines. */
const replacing = (label: string, value: string, text = form()): string =>
  text.replace(new RegExp(`(${label} *: ).*`), `$1${value}`);
const UNTIL_2012 = { to: '2012-01-01' };
/** Logs with receivers or an antenna that differ from the usual ones. */
const withReceivers = (...changes: Item[]): string =>
  form({ receivers: changes.map((change) => ({ ...receiver, ...change })) });
const withAntenna = (change: Item): string => form({ antennas: [{ ...antenna, ...change }] });
const cutoff = (value: string): Item => ({
  more: { ...receiver.more, 'Elevation Cutoff Setting': value },
});
const radome = (value: string): Item => ({
  more: { ...antenna.more, 'Antenna Radome Type': value },
});
const OVERLAP = withReceivers({ to: '2012-01-02' }, { ...later, from: '2012-01-01' });
const prepared = (date: string): string => replacing('Date Prepared', date);
const installed = (date: string): string => withValue(form(), 'Date Installed', date);

/** A log that triggers each check, and one near it that does not. */
const CASES: [FindingCode, triggers: string, clean: string][] = [
  ['missing-section', form().replace(/\n9\. [^]*?(?=\n10\.)/, ''), form()],
  ['out-of-order', form().replace(/(\n3\. [^]*?)(\n4\. [^]*?)(?=\n5\.)/, '$2$1'), form()],
  ['out-of-order', form().replace('3.1  Rec', '3.2  Rec'), form()],
  ['missing-label', form().replace(/ +Temperature Stabiliz.*\n/, ''), form()],
  ['out-of-order', form().replace(/( +Serial Number.*\n)( +Firmware Version.*\n)/, '$2$1'), form()],
  ['misspelt-label', form().replace('Firmware Version', 'Firmwre Version'), form()],
  // Labels begin in column 28 at the latest.
  [
    'misspelt-label',
    form().replace(/^ +Firmware Version/m, `${' '.repeat(27)}Firmwre Version`),
    form().replace(/^ +Firmware Version/m, `${' '.repeat(28)}Firmwre Version`),
  ],
  [
    'other-version-label',
    form({}, 'text2').replace('Country or Region ', 'Country '),
    form({}, 'text2'),
  ],
  [
    'over-80-columns',
    form({ name: 'x'.repeat(50) }).replace('xxx', 'xxxx'),
    form({ name: 'x'.repeat(48) }),
  ],
  ['malformed-id', form({ id: 'test' }), form()],
  [
    'malformed-domes',
    withValue(form(), 'IERS DOMES Number', '5013M001'),
    withValue(form(), 'IERS DOMES Number', '50137M001'),
  ],
  ['out-of-range', withReceivers(cutoff('95')), withReceivers(cutoff('90'))],
  ['date-in-future', withReceivers({ to: '2020-01-03' }), withReceivers({ to: '2020-01-02' })],
  ['overlap', OVERLAP, withReceivers({ to: '2012-01-02' }, { ...later, from: '2012-01-02' })],
  [
    'open-before-later',
    withReceivers({}, { ...later, from: '2012-01-01', to: '2013-01-01' }),
    withReceivers(UNTIL_2012, { ...later, from: '2012-01-01', to: '2013-01-01' }),
  ],
  ['several-in-use', withReceivers({}, later), withReceivers(UNTIL_2012, later)],
  [
    'history-gap',
    withReceivers(UNTIL_2012, { ...later, from: '2012-01-03' }),
    withReceivers(UNTIL_2012, { ...later, from: '2012-01-02' }),
  ],
  ['site-date', installed('2011-01-03'), installed('2011-01-02')],
  ['after-date-prepared', prepared('2010-12-30'), prepared('2010-12-31')],
  ['missing-value', replacing('Serial Number', ''), form()],
  ['missing-equipment', form({ receivers: [] }), form()],
  [
    'unknown-reference-point',
    replacing('Antenna Reference Point', 'L1 phase centre'),
    replacing('Antenna Reference Point', 'bpa'),
  ],
  [
    'equal-neighbours',
    withReceivers(UNTIL_2012, { from: '2012-01-01' }),
    withReceivers(UNTIL_2012, { ...later, from: '2012-01-01' }),
  ],
  [
    'equal-neighbours',
    withReceivers(
      { ...UNTIL_2012, more: { 'Satellite System': 'GPS+GLO' } },
      { from: '2012-01-01', more: { 'Satellite System': 'GLO+GPS' } },
    ),
    withReceivers(
      { ...UNTIL_2012, more: { 'Satellite System': 'GPS+GLO' } },
      { from: '2012-01-01', more: { 'Satellite System': 'GLO+GAL' } },
    ),
  ],
  [
    'type-changed',
    withReceivers(UNTIL_2012, { ...later, serial: '1', from: '2012-01-01' }),
    withReceivers(UNTIL_2012, { ...later, from: '2012-01-01' }),
  ],
  ['malformed-type', withReceivers({ type: 'Leica GR25' }), form()],
  ['radome-contradiction', withAntenna(radome('LEIT')), withAntenna(radome('NONE'))],
  ['radome-missing', withAntenna({ type: 'LEIAR25.R3' }), form()],
  ['zero-position', placed('', '', '', '0', '0', '12'), placed(...ALICE, '603.4')],
  ['height-mismatch', placed(...ALICE, '590'), placed(...ALICE, '600')],
  ['far-from-country', placed(...ALICE, '603.4', 'Germany'), placed(...ALICE, '603.4')],
];

t.test('each check has a log that triggers it, and a similar one that does not', async (t) => {
  for (const [code, triggers, clean] of CASES) {
    const [finding, none] = [triggers, clean].map((text) =>
      found(text).find((each) => each.code === code),
    );
    t.ok(finding, `${code} is found`);
    t.equal(none, undefined, `${code} is not found`);
  }
});

t.test(
  'a complete log without slips has no findings, in either version of the text form',
  async (t) => {
    for (const each of [form(), form({}, 'text2')]) t.strictSame(found(each), []);
  },
);

t.test('a finding names the line, and never quotes a contact', async (t) => {
  const [finding] = found(OVERLAP);
  t.match(finding, { line: 67, values: { kinds: ['gnss receiver'] } });
  const text = form().replace(/(Contact Name +): *\n/, `$1: Jane ${'Doe '.repeat(20)}\n`);
  t.not(text, form());
  t.notMatch(JSON.stringify(found(text)), /Doe/);
});

t.test('editDistance counts letters', async (t) => {
  t.equal(editDistance('LEICA GR25', 'LEICA GR52'), 2);
  t.equal(editDistance('', 'abc'), 3);
});

t.test(
  'a finding is in the section of its value, also in GeodesyML, where sections are in another order',
  async (t) => {
    const log = withValue(replacing('Antenna Type', 'a'), 'IERS DOMES Number', '5013M001');
    for (const as of ['text1', 'geodesyml05'] as const) {
      const read = readSections(Buffer.from(log), new Findings('a'));
      const text = writeSections(read, as, new Findings('a'));
      const sectionsOf = (code: FindingCode) => foundAs(code, text).map(sectionWords);
      t.strictSame(sectionsOf('malformed-domes'), ['1'], as);
      t.strictSame(sectionsOf('malformed-type'), ['4.1'], as);
    }
  },
);

/** The findings of a code in a log. */
const foundAs = (code: FindingCode, text: string, file = 'a'): Finding[] =>
  found(text, new Date('2020-01-01'), file).filter((each) => each.code === code);

/** The values that a log lacks, with the levels. */
const lacking = (text: string): string[] =>
  found(text).flatMap((finding) =>
    isOf(finding, 'missing-value')
      ? [`${finding.level}: ${finding.values.kind}: ${finding.text}`]
      : [],
  );

t.test('values that readers need are a warning, others an info', async (t) => {
  const missing = (label: string, value = ''): string[] => lacking(replacing(label, value));
  for (const label of ['Receiver Type', 'Serial Number'])
    t.strictSame(missing(label), [`warning: gnss receiver: ${label}`]);
  for (const label of ['Satellite System', 'Firmware Version', 'Elevation Cutoff Setting'])
    t.strictSame(missing(label), [`info: gnss receiver: ${label}`]);
  t.strictSame(missing('Marker->ARP Up Ecc. \\(m\\)'), [
    'warning: gnss antenna: Marker->ARP Up Ecc. (m)',
  ]);
  for (const label of ['Antenna Reference Point', 'Alignment from True N'])
    t.strictSame(missing(label), [`info: gnss antenna: ${label}`]);
  t.strictSame(
    missing('Antenna Radome Type'),
    ['info: gnss antenna: Antenna Radome Type'],
    'columns 17 to 20 have it',
  );
  t.strictSame(missing('Antenna Type'), ['warning: gnss antenna: Antenna Type']);
  const unknown = replacing('Antenna Radome Type', '', withAntenna({ type: 'LEIAR25.R3' }));
  t.strictSame(lacking(unknown), [], 'radome-missing says so');
  t.equal(foundAs('radome-missing', unknown).length, 1);
  t.strictSame(
    lacking(replacing('Antenna Radome Type', '', replacing('Antenna Type', ''))),
    ['warning: gnss antenna: Antenna Type, Antenna Radome Type'],
    'nothing else says so',
  );
  t.strictSame(missing('Antenna Radome Type', 'NONE'), []);
  t.strictSame(missing('Serial Number', 'unknown'), ['warning: gnss receiver: Serial Number']);
  t.strictSame(missing('Serial Number', '0'), []);
  t.strictSame(missing('Elevation Cutoff Setting', 'see below'), [], 'has a finding already');
  t.strictSame(missing('Antenna Cable Length'), [], 'nobody needs it');
});

t.test('the advice on a missing value follows from the value', async (t) => {
  const advice = (label: string): string[] =>
    foundAs('missing-value', replacing(label, '')).map(adviceOn);
  for (const label of [
    'Elevation Cutoff Setting',
    'Marker->ARP Up Ecc. \\(m\\)',
    'Alignment from True N',
  ])
    t.match(advice(label), [/\b0\b/], label);
  for (const label of ['Serial Number', 'Firmware Version', 'Antenna Reference Point']) {
    t.match(advice(label), [/if it is known/], label);
    t.notMatch(advice(label), [/\b0\b|NONE|leave/], label);
    const filled = foundAs('missing-value', replacing(label, 'N/A')).map(adviceOn);
    t.match(filled, [/leave the line blank if unknown/], label);
    t.notMatch(filled, [/if it is known/], label);
  }
  t.match(advice('Antenna Radome Type'), [/17/], 'the type has it');
  t.notMatch(advice('Antenna Radome Type'), [/\b0\b/]);
});

t.test('a receiver without a date of installation is said to be so', async (t) => {
  const text = withReceivers({ from: '', to: '2012-01-01' }, { ...later, from: '2012-01-01' });
  t.match(foundAs('missing-value', text), [
    {
      level: 'warning',
      text: 'LEICA GR25 1',
      values: { members: ['dateInstalled'], first: '2011-01-01T00:00:00Z' },
    },
  ]);
  t.match(foundAs('site-date', withValue(text, 'Date Installed', '2010-01-01')), [
    { level: 'info', values: { kinds: ['gnss antenna'], days: ['365'], isBefore: false } },
  ]);
});

t.test('a log without Date Prepared is said to be so, with the date that counts', async (t) => {
  for (const text of [prepared(''), prepared('last spring 1')]) {
    t.match(foundAs('no-date-prepared', text), [{ level: 'warning', values: { day: null } }]);
    t.match(foundAs('no-date-prepared', text, 'test_20190203.log'), [
      { level: 'info', values: { day: '2019-02-03' } },
    ]);
  }
  t.same(foundAs('no-date-prepared', form()), []);
});

t.test('an item that says that there is no receiver is none', async (t) => {
  const kinds = (text: string): unknown[] =>
    foundAs('missing-equipment', text).map(({ values }) => values.kind);
  t.same(kinds(withReceivers({ type: 'no receiver' })), ['gnss receiver']);
  t.same(kinds(withReceivers(UNTIL_2012, { type: 'no receiver', from: '2012-01-01' })), []);
});

t.test('nine characters in the field of four are said to belong to the title', async (t) => {
  const fieldOf = (id: string): string => replacing('Four Character ID', id);
  const rejected = (text: string): unknown => {
    const findings = new Findings('a');
    t.throws(() => readWholeLog(Buffer.from(text), findings));
    return findings.list.find(({ code }) => code === 'no-site-id')!.values;
  };
  t.match(rejected(fieldOf('TEST00AUS')), { nineIn: 'title' });
  for (const id of ['TEST00AU', 'TEST00AUSX', ''])
    t.notMatch(rejected(fieldOf(id)), { nineIn: /./ });
  const xml = form({}, 'geodesyml05').replace(/(fourCharacterID[^>]*>)TEST/, '$1TEST00AUS');
  t.match(rejected(xml), { nineIn: 'gml:id' });
  t.strictSame(
    found(form().replace('TEST Site', 'TEST00AUS Site')),
    [],
    'the advice mends the log',
  );
});

t.test('a clock or humidity sensor without a start is said to count from the first date on', () => {
  const item = (from?: string) => ({ type: 'C1', ...(from !== undefined && { from }) });
  for (const [name, kind] of [
    ['clocks', 'clock'],
    ['sensors', 'humidity sensor'],
  ] as const) {
    const receivers = [{ type: 'R0', serial: '1', from: '2012-01-01' }];
    const found = (from?: string) =>
      foundAs('missing-value', logText({ receivers, [name]: [item(from)] })).filter(
        ({ values }) => (values as { kind: string }).kind === kind,
      );
    const values = { members: ['effectiveDates'], first: '2012-01-01T00:00:00Z' };
    t.match(found(), [{ level: 'info', values }]);
    for (const from of ['2012-01-01', 'last spring 1']) t.same(found(from), []);
  }
  return Promise.resolve();
});

t.test('where no equipment has a date, that is one finding', async (t) => {
  const dates = /^ *Date (Installed|Removed) .*\n/gm;
  const [head, ...equipment] = withReceivers({ from: '2012-01-01' }).split(/^(?=3\. )/m);
  const text = head! + equipment.join('').replace(dates, '');
  t.same(
    foundAs('missing-value', text).filter(({ values }) =>
      (values as { members: string[] }).members.includes('dateInstalled'),
    ),
    [],
  );
});

t.test('a block that was withdrawn or says nothing lacks nothing', async (t) => {
  const read = readSections(Buffer.from(replacing('Serial Number', '')), new Findings('a'));
  const xml = writeSections(read, 'geodesyml05', new Findings('a'));
  t.equal(foundAs('missing-value', xml).length, 1);
  const withdrawn = xml.replace(
    /(<geo:gnssReceiver>)([^]*?)(<\/geo:gnssReceiver>)/,
    '$1$2<geo:dateDeleted>2015-01-01</geo:dateDeleted>$3',
  );
  t.strictSame(foundAs('missing-value', withdrawn), []);
  t.match(foundAs('missing-equipment', withdrawn), [{ values: { kind: 'gnss receiver' } }]);
});

t.test('a log without equipment is said to be so where its section is', async (t) => {
  const [finding] = found(form({ receivers: [] })).filter(
    ({ code }) => code === 'missing-equipment',
  );
  const lines = form({ receivers: [] }).split('\n');
  t.match(lines[finding!.line - 1], /^3\. /);
  t.match(foundAs('missing-equipment', form({ antennas: [] })), [
    { values: { kind: 'gnss antenna' } },
  ]);
});

t.test('a finding about another label, section or device has another text', async (t) => {
  const without = (label: string): string => form().replace(new RegExp(` +${label}.*\\n`), '');
  const swapped = (first: string, second: string): string =>
    form().replace(new RegExp(`( +${first}.*\\n)( +${second}.*\\n)`), '$2$1');
  for (const [code, one, oneText, other, otherText] of [
    [
      'missing-label',
      without('Temperature Stabiliz.'),
      'Temperature Stabiliz.',
      without('Date Removed'),
      'Date Removed',
    ],
    [
      'out-of-order',
      swapped('Serial Number', 'Firmware Version'),
      'Serial Number after Firmware Version',
      swapped('Firmware Version', 'Elevation Cutoff Setting'),
      'Firmware Version after Elevation Cutoff Setting',
    ],
    [
      'misspelt-label',
      form().replace('Firmware Version', 'Firmwre Version'),
      'Firmware Version',
      form().replace('Satellite System', 'Satelite System'),
      'Satellite System',
    ],
    [
      'missing-section',
      form().replace(/\n9\. [^]*?(?=\n10\.)/, ''),
      '9',
      form().replace(/\n10\. [^]*?(?=\n11\.)/, ''),
      '10',
    ],
    [
      'several-in-use',
      withReceivers({}, later),
      'LEICA GR25 1; LEICA GR30 3',
      withReceivers({}, { ...later, serial: '4' }),
      'LEICA GR25 1; LEICA GR30 4',
    ],
  ] as const) {
    const textOf = (log: string): string =>
      textsOf(found(log).find((finding) => finding.code === code)!);
    t.strictSame([textOf(one), textOf(other)], [oneText, otherText], code);
  }
  // A finding quotes at most 120 characters.
  const few = readSections(Buffer.from(logText({ id: 'TEST' })), new Findings('a'));
  const lines = writeSections(few, 'text1', new Findings('a'));
  const blank = lines.replace(
    /\n1\. [^]*?( +Four Character ID.*\n)[^]*?(?=\n2\. )/,
    '\n1.   Site\n$1',
  );
  const missing = found(blank).find(({ code, line }) => code === 'missing-label' && line > 1);
  t.match(missing, {
    section: '1',
    values: { count: Number },
    text: /^Site Name, .* and \d+ more$/,
  });
});

t.test('the file name has the id of the log', async (t) => {
  const named = (file: string): Finding[] => foundAs('file-name-differs', form(), file);
  for (const file of [
    'test_20200101.log',
    'a/test00aus_20200101.log',
    'wxyz.log',
    'wxyz_2020.log',
    'wxyz_20200101/test_20200101.log',
    'xxxx_20200101.log',
    'ssss_20200101.log',
    'XXXX00XXX_20200101.log',
  ])
    t.strictSame(named(file), [], file);
  for (const file of ['wxyz_20200101.log', 'a/WXYZ00AUS_20200101.log'])
    t.match(named(file), [{ level: 'warning', values: { id: 'TEST' } }], file);
});

t.test('equipment that was installed after the log was prepared is one finding', async (t) => {
  const text = withReceivers(UNTIL_2012, { ...later, from: '2012-01-01' });
  const late = (date: string): Finding[] =>
    foundAs('after-date-prepared', replacing('Date Prepared', date, text));
  t.match(late('2010-01-01'), [{ values: { kind: 'gnss receiver', others: 2 } }]);
  t.match(late('2011-12-30'), [{ values: { kind: 'gnss receiver', others: 0 } }]);
  t.strictSame(late('2011-12-31'), [], 'the same day in another time zone');
  t.strictSame(late(''), []);
  const future = withReceivers(UNTIL_2012, { ...later, from: '2020-01-03' });
  for (const [date, count] of [
    ['2020-01-01', 0],
    ['2020-01-02', 1],
  ] as const) {
    const text = replacing('Date Prepared', date, future);
    t.equal(foundAs('date-in-future', text).length, count, 'what is said already is not repeated');
  }
});

t.test('equipment that was removed after the log was prepared is a finding', async (t) => {
  const late = (prepared: string, to: string): Finding[] =>
    foundAs('after-date-prepared', replacing('Date Prepared', prepared, withReceivers({ to })));
  t.match(late('2012-01-01', '2012-01-03'), [{ values: { others: 0, isRemoval: true } }]);
  t.strictSame(late('2012-01-01', '2012-01-02'), [], 'the same day in another time zone');
  t.match(late('2010-01-01', '2012-01-03'), [{ values: { isRemoval: false } }], 'also installed');
  t.strictSame(late('2012-01-01', '2030-01-01'), [], 'date-in-future says so');
  t.equal(foundAs('date-in-future', withReceivers({ to: '2030-01-01' })).length, 1);
});

t.test('the advice on a type without a radome says what the log lacks', async (t) => {
  const advice = (other: string): string[] =>
    foundAs('radome-missing', withAntenna({ type: 'LEIAR25.R3', ...radome(other) })).map(adviceOn);
  t.not(advice('LEIT')[0], advice('')[0]);
  t.equal(advice('LEIT').length, 1);
  t.equal(advice('').length, 1);
  // Only four characters fit in columns 17 to 20.
  for (const other of ['Leica dome', 'no']) t.same(advice(other), advice(''), other);
});

t.test('a radome that is not in its columns is an info', async (t) => {
  const found = (type: string) => foundAs('deviating-value', withAntenna({ type }));
  for (const type of ['LEIAR25.R3 NONE', 'LEIAR25.R3       NONE'])
    t.match(found(type), [{ level: 'info', values: { read: 'LEIAR25.R3      NONE' } }], type);
  for (const type of ['LEIAR25.R3      NONE', 'JAV_RINGANT_G3T NONE', 'LEIAR25.R3'])
    t.same(found(type), [], type);
});

t.test('an item for a time without a device is not to be named', async (t) => {
  const values = (type: string) =>
    foundAs('malformed-type', withReceivers({ type })).map((each) => each.values);
  t.match(values('no receiver'), [{ isNone: true }]);
  t.match(values('Leica GR25'), [{ isNone: false }]);
});

t.test('the country of nine characters is that of section 2', async (t) => {
  const found = (country: string): Finding[] =>
    foundAs('id-country', replacing('Country or Region', country, form({}, 'text2')));
  t.match(found('NZL'), [{ level: 'warning', values: { country: 'AUS', other: 'NZL' } }]);
  for (const country of ['AUS', 'Australia', '', 'Nowhere'])
    t.strictSame(found(country), [], country);
});

t.test('a file that was cut is one finding', async (t) => {
  const cut = (text: string): string[] => {
    const known = new Set(found(form()).map(({ code }) => code));
    return found(text)
      .filter(({ code }) => !known.has(code))
      .map((each) => `${each.code} ${each.level} ${sectionWords(each)}`);
  };
  const text = form();
  const inReceiver = text.indexOf('Firmware Version');
  t.strictSame(cut(text.slice(0, inReceiver + 5)), ['cut-log warning 3.1']);
  t.strictSame(cut(text.slice(0, text.indexOf('Antenna Reference') + 20)), ['cut-log warning 4.1']);
  const behindReceivers = text.slice(0, text.indexOf('\n4. ') + 1);
  const isCut = (found: string): boolean => found.startsWith('cut-log');
  t.notOk(cut(behindReceivers).some(isCut), 'it ends with a line');
  const inContacts = text.indexOf('Agency', text.indexOf('\n11. ')) + 10;
  t.notOk(cut(text.slice(0, inContacts)).some(isCut));
});

t.test('an item whose first line is lost is one finding', async (t) => {
  const text = withReceivers(
    UNTIL_2012,
    { from: '2012-01-01', to: '2013-01-01', ...later },
    {
      ...later,
      serial: '4',
      from: '2013-01-01',
    },
  );
  const lost = text.replace(/\n3\.2 .*/, '');
  t.not(lost, text);
  t.match(
    found(lost)
      .map(({ code, section }) => `${code} ${section}`)
      .filter((each) => /3$/.test(each)),
    ['ignored-line 3'],
  );
});

t.test('the advice on equipment before or after the site says what can be wrong', async (t) => {
  const found = (date: string, text = form()): Finding[] =>
    foundAs('site-date', withValue(text, 'Date Installed', date));
  t.notMatch(found('2011-01-03').map(adviceOn), [/add/], 'nothing can be missing before it');
  t.match(found('2010-12-30').map(adviceOn), [/add/], 'what came before may be missing');
  const isLate = (date: string): unknown[] =>
    found(date, replacing('Date Prepared', '2015-06-01')).map(
      (finding) => isOf(finding, 'site-date') && finding.values.isSiteAfterPrepared,
    );
  t.strictSame(isLate('2015-06-02'), [false], 'the same day in another time zone');
  t.strictSame(isLate('2015-06-03'), [true]);
  const [late] = found('2015-06-03', replacing('Date Prepared', '2015-06-01'));
  t.notMatch(adviceOn(late!), /item/, 'the date of the site is the culprit');
});

t.test('items are numbered within each subsection', async (t) => {
  const [first, second] = [8.1, 8.2].map((section) => (item: number, model: string) => {
    const label = section === 8.1 ? 'Humidity Sensor Model' : 'Pressure Sensor Model';
    return `${section}.${item} ${label.padEnd(22)}: ${model}\n`;
  }) as [(item: number, model: string) => string, (item: number, model: string) => string];
  const withSensors = (...items: string[]): string =>
    form().replace(/(\n8\. .*\n)[^]*?(?=\n9\.)/, `$1${items.join('')}`);
  const texts = (...items: string[]): string[] =>
    foundAs('out-of-order', withSensors(...items)).flatMap(({ text, others }) => [
      text,
      ...others.map((other) => other.text),
    ]);
  t.strictSame(texts(first(1, 'A'), second(1, 'B'), first(2, 'C'), second(2, 'D')), []);
  t.strictSame(texts(first(1, 'A'), second(1, 'B'), first(3, 'C'), second(2, 'D')), [
    '8.1.3 where 8.1.2 is expected',
  ]);
});

t.test('latitude and longitude that are exchanged are said to be so', async (t) => {
  const [x, y, z, latitude, longitude] = ALICE;
  const isExchanged = (...position: Parameters<typeof placed>): boolean[] =>
    foundAs('unreadable-value', placed(...position)).map((finding) => {
      t.equal(finding.level, 'warning');
      return 'isExchanged' in finding.values;
    });
  t.strictSame(isExchanged(x, y, z, longitude, latitude, '603'), [true]);
  t.strictSame(isExchanged(x, y, z, latitude, longitude, '603'), []);
  t.strictSame(isExchanged(x, y, z, '143.8855', latitude, '603'), [false], 'they fit nothing');
  t.strictSame(isExchanged('', '', '', longitude, latitude, '603'), [false], 'nothing to fit');
});

t.test('the first equipment before or after the site is one finding, with the days', async (t) => {
  const apart = (date: string): string[] =>
    foundAs('site-date', installed(date)).flatMap((finding) => {
      if (!isOf(finding, 'site-date')) return [];
      const { kinds, days, isBefore } = finding.values;
      t.strictSame(kinds, ['gnss receiver', 'gnss antenna']);
      return [`${finding.level}: ${days} ${isBefore ? 'before' : 'after'}`];
    });
  t.strictSame(apart('2011-01-03'), ['warning: 2 before']);
  t.strictSame(apart('2011-01-02T20:00Z'), ['info: 1.8 before']);
  t.strictSame(apart('2011-01-02'), []);
  t.strictSame(apart('2010-12-31'), []);
  t.strictSame(apart('2010-12-30'), ['info: 2 after']);
  t.strictSame(apart('2001-01-01'), ['info: 3652 after']);
});

t.test('long lines are one finding, and numbers in a drawing are no sections', async (t) => {
  const long = `${' '.repeat(30)}: ${'x'.repeat(60)}`;
  const text = form().replace(/(\n1\. )/, `\n${long}\n${long}x$1`);
  t.match(foundAs('over-80-columns', text), [{ level: 'info', values: { count: 2, longest: 93 } }]);
  const drawing = ['  40.0  |___|', '  12.0      |', '0.035 BCR', '   0   -----', ''].join('\n');
  t.strictSame(foundAs('out-of-order', `${form()}${drawing}`), []);
});

t.test('a finding about an item that does not count is in its section', async (t) => {
  const blank = ['6.1  Standard Type            : ', '       Input Frequency        : ', ''];
  const text = form().replace(/(\n6\. .*\n)/, `$1${blank.join('\n')}`);
  const line = text.split('\n').indexOf(blank[0]!) + 1;
  t.match(foundAs('blank-block', text), [{ line, section: '6', item: null }]);
});

t.test('small islands are near the country that logs name', async (t) => {
  for (const [country, latitude, longitude] of [
    ['AUS', -12.19, 96.83],
    ['AUS', -10.45, 105.69],
    ['AUS', -54.5, 158.94],
    ['CCK', -12.19, 96.83],
    ['CXR', -10.45, 105.69],
    ['BRA', -20.51, -29.31],
    ['CHL', -27.15, -109.34],
    ['FRA', 10.3, -109.22],
    ['NZL', -29.24, -177.93],
    ['NZL', -43.96, -176.57],
    ['NOR', 70.93, -8.67],
    ['NOR', -54.42, 3.36],
    ['USA', 19.29, 166.65],
    ['USA', 28.21, -177.36],
    ['USA', 16.73, -169.53],
    ['ZAF', -46.88, 37.86],
    ['JPN', 24.29, 153.98],
  ] as const) {
    const away = distanceFromCountry(country, latitude, longitude);
    t.ok(away !== null && away < 20_000, `${country} ${latitude} ${away}`);
    t.ok(distanceFromCountry('DEU', latitude, longitude)! > 500_000);
  }
});

t.test('a national number in place of a DOMES number is an info', async (t) => {
  const text = withValue(form(), 'IERS DOMES Number', 'AUM000008');
  t.match(foundAs('malformed-domes', text), [{ level: 'info' }]);
});
