import t from 'tap';
import {
  dateInFileName,
  DEGREES,
  isPlaceholder,
  MEGAHERTZ,
  METRES,
  readAngle,
  readAntennaType,
  readDay,
  readDecimal,
  readEffectiveDates,
  readInstant,
  readProse,
  readRadome,
  readRaw,
  readSatelliteSystem,
  readStabilization,
  readString,
} from '../../src/site-log/values.js';

/** The hints of the blank forms (IGS site log, version 1 as of 2012 and version 2.0) in the sections that are read. */
const HINTS = [
  '(CCYY-MM-DD)',
  '(CCYY-MM-DDThh:mmZ)',
  '(YYYY-MM-DDThh:mmZ)',
  '(CCYY-MM-DD/CCYY-MM-DD)',
  '(NEW/UPDATE)',
  '(ssss_ccyymmdd.log)',
  '(n.n,n.n,...)',
  '(A4)',
  '(A9)',
  '(PILLAR/BRASS PLATE/STEEL MAST/etc)',
  '(m)',
  '(STEEL RODS, CONCRETE BLOCK, ROOF, etc)',
  '(CHISELLED CROSS/DIVOT/BRASS NAIL/etc)',
  '(BEDROCK/CLAY/CONGLOMERATE/GRAVEL/SAND/etc)',
  '(IGNEOUS/METAMORPHIC/SEDIMENTARY)',
  '(FRESH/JOINTED/WEATHERED)',
  '(1-10 cm/11-50 cm/51-200 cm/over 200 cm)',
  '(YES/NO/Name of the zone)',
  '(multiple lines)',
  '(+/-DDMMSS.SS)',
  '(+/-DDDMMSS.SS)',
  '(F7.1)',
  '(A20, from rcvr_ant.tab; see instructions)',
  '(GPS+GLO+GAL+BDS+QZSS+SBAS)',
  '(GPS/GLONASS)',
  '(GPS+GLONASS)',
  '(GPS/GLONASS/GPS+GLONASS)',
  '(A20, but note the first A5 is used in SINEX)',
  '(A*, but note the first A5 is used in SINEX)',
  '(A11)',
  '(deg)',
  '(none or tolerance in degrees C)',
  '(deg C) +/- (deg C)',
  '(BPA/BCR/XXX from "antenna.gra"; see instr.)',
  '(F8.4)',
  '(deg; + is clockwise/east)',
  '(A4 from rcvr_ant.tab; see instructions)',
  '(vendor & type number)',
  '(INTERNAL or EXTERNAL H-MASER/CESIUM/etc)',
  '(if external)',
  '(sec)',
  '(% rel h)',
  '(UNASPIRATED/NATURAL/FAN/etc)',
];

/** Every reader, as what it makes of a text: the value, or the whole of the reading where it may remark. */
const READERS: Record<string, (text: string) => unknown> = {
  readRaw,
  readString,
  readProse,
  readStabilization,
  readRadome,
  readAntennaType: (text) => readAntennaType(text, 'NONE'),
  readSatelliteSystem,
  readDecimal: (text) => readDecimal(text, METRES),
  readInstant,
  readDay,
  readAngle: (text) => readAngle(text, 90),
  readEffectiveDates,
};
/** What a reader returns for a value that is unknown, without a finding. */
const nothing = (reader: string): string =>
  JSON.stringify(
    reader === 'readEffectiveDates'
      ? { from: { value: null }, to: { value: null } }
      : ['readDecimal', 'readInstant', 'readDay', 'readAngle'].includes(reader)
        ? { value: null }
        : null,
  );
/** Those of the texts that a reader takes for a value, or has a finding for. */
const taken = (reader: string, texts: string[]): string[] =>
  texts.filter((text) => JSON.stringify(READERS[reader]!(text)) !== nothing(reader));

t.test('a hint of the blank form is no value and no finding, whatever the reader', async (t) => {
  const texts = HINTS.flatMap((hint) => [hint, `  ${hint}\t`, hint.toUpperCase(), hint.toLowerCase()]);
  t.strictSame(
    texts.filter((text) => !isPlaceholder(text)),
    [],
  );
  for (const reader of Object.keys(READERS)) t.strictSame(taken(reader, texts), [], reader);
});

t.test('words in parentheses that no form prints are a value', async (t) => {
  for (const text of [
    '(spare receiver)',
    '(on loan, see notes)',
    '(4 screws)',
    'multiple lines',
    'A4',
    '(A4',
    'A4)',
    `(${' '.repeat(300)}m)`,
  ]) {
    t.equal(isPlaceholder(text), false, text);
    t.equal(readRaw(text), text, text);
  }
});

t.test('blank text is unknown and no finding, whatever the reader', async (t) => {
  const texts = ['', ' ', '\t', ' \n \r\n ', '\u00a0'];
  for (const reader of Object.keys(READERS)) t.strictSame(taken(reader, texts), [], reader);
});

t.test('words for "unknown" are unknown and no finding, but where they are values of their own', async (t) => {
  const none = ['none', 'None', 'NONE', ' none '];
  const unknown = [
    'n/a',
    'N/A',
    'n.a.',
    'unknown',
    ' Unknown',
    'UNKNOWN',
    'unkn',
    'UNKN',
    'not known',
    'not available',
    '-',
    '---',
    '?',
    '???',
  ];
  for (const reader of Object.keys(READERS)) {
    if (reader === 'readRaw') continue;
    t.strictSame(taken(reader, unknown), [], reader);
    t.strictSame(taken(reader, none), ['readStabilization', 'readRadome'].includes(reader) ? none : [], reader);
  }
  for (const text of [...none, ...unknown]) t.equal(readRaw(text), text.trim(), 'the raw text is as written');
});

t.test('a word for "unknown" inside a value leaves the value as it is', async (t) => {
  for (const text of ['unknown brand', 'none but the mast', 'N/A-100', 'UNKN-7', '-5', 'what?']) t.equal(readString(text), text);
});

t.test('a string keeps its inner blanks, running text does not', async (t) => {
  t.equal(readString('  AOAD/M_T        NONE  '), 'AOAD/M_T        NONE');
  t.equal(readProse('  concrete   pillar\n of\t2.4 m\r\n\n built 1999 '), 'concrete pillar of 2.4 m built 1999');
});

t.test('Temperature Stabiliz.: none is a value of its own, other words for "unknown" are not', async (t) => {
  for (const text of ['none', 'None', 'NONE', ' none ']) t.equal(readStabilization(text), 'none');
  for (const text of ['unknown', 'n/a', '', '(none or tolerance in degrees C)']) t.equal(readStabilization(text), null, text);
  t.equal(readStabilization('20.0  +/- 2.0\n(deg C)'), '20.0 +/- 2.0 (deg C)');
});

t.test('Antenna Radome Type: NONE is a value, other words for "unknown" are not', async (t) => {
  for (const text of ['NONE', 'none', ' None ']) t.equal(readRadome(text), 'NONE');
  for (const text of ['UNKN', 'unknown', 'n/a', '', '(A4 from rcvr_ant.tab; see instructions)']) t.equal(readRadome(text), null, text);
  t.equal(readRadome('SCIS'), 'SCIS');
});

t.test('Antenna Type is 20 columns, the inner blanks significant', async (t) => {
  t.equal(readAntennaType('LEIAR25.R3      NONE', 'NONE'), 'LEIAR25.R3      NONE', 'in its columns it stays');
  t.equal(readAntennaType('LEIAR25.R3      NONE', null), 'LEIAR25.R3      NONE', 'also without a radome beside it');
  t.equal(readAntennaType('LEIAR25.R3 NONE', 'NONE'), 'LEIAR25.R3      NONE', 'a blank that XML left over');
  t.equal(readAntennaType('LEIAR25.R3\tNONE', 'NONE'), 'LEIAR25.R3      NONE', 'a tab');
  t.equal(readAntennaType('LEIAR25.R3                 NONE', 'NONE'), 'LEIAR25.R3      NONE', 'too many blanks');
  t.equal(readAntennaType('JAV_RINGANT_G3T NONE', 'NONE'), 'JAV_RINGANT_G3T NONE', 'a name of 15 columns');
  t.equal(readAntennaType('ABCDEFGHIJKLMNOPSCIS', 'SCIS'), 'ABCDEFGHIJKLMNOPSCIS', 'a name of 16 columns');
  t.equal(readAntennaType('ABCDEFGHIJKLMNOP SCIS', 'SCIS'), 'ABCDEFGHIJKLMNOPSCIS', 'a name of 16 columns and a blank too many');
  t.equal(readAntennaType('TEST MODEL A NONE', 'NONE'), 'TEST MODEL A    NONE', 'a name with a blank');
});

t.test('an Antenna Type without its radome stays as written', async (t) => {
  t.equal(readAntennaType('AOAD/M_T', 'NONE'), 'AOAD/M_T');
  t.equal(readAntennaType('AOAD/M_T SCIS', 'NONE'), 'AOAD/M_T SCIS', 'another radome than the one beside it');
  t.equal(readAntennaType('AOAD/M_T SCIS', null), 'AOAD/M_T SCIS');
  t.equal(readAntennaType('A NAME OF MORE THAN 16 COLUMNS NONE', 'NONE'), 'A NAME OF MORE THAN 16 COLUMNS NONE');
});

t.test('satellite systems come out as codes joined by +, each once, in their order', async (t) => {
  for (const [text, expected] of [
    ['GPS', 'GPS'],
    ['GPS+GLO+GAL', 'GPS+GLO+GAL'],
    ['GPS/GLONASS', 'GPS+GLO'],
    ['GPS / GLONASS', 'GPS+GLO'],
    ['GPS, GLONASS; GALILEO & BEIDOU', 'GPS+GLO+GAL+BDS'],
    ['glonass', 'GLO'],
    ['GPS+CMP+QZS+NAVIC+SBAS', 'GPS+BDS+QZSS+IRNSS+SBAS'],
    ['GPS+COMPASS+IRNS', 'GPS+BDS+IRNSS'],
    ['GPS+GLO+GLONASS+GPS', 'GPS+GLO'],
    ['+GPS+', 'GPS'],
    ['DORIS', 'DORIS'],
  ] as const) {
    t.equal(readSatelliteSystem(text), expected, text);
  }
  t.equal(readSatelliteSystem('+/,'), null, 'nothing but separators');
});

t.test('a number is read with or without its unit', async (t) => {
  for (const [text, dimension, expected] of [
    ['0', DEGREES, '0'],
    ['0 deg', DEGREES, '0'],
    ['0.0', DEGREES, '0'],
    ['00', DEGREES, '0'],
    ['5 degrees', DEGREES, '5'],
    ['5 Deg.', DEGREES, '5'],
    ['10°', DEGREES, '10'],
    ['-10 deg', DEGREES, '-10'],
    ['2.4 m', METRES, '2.4'],
    ['2.40', METRES, '2.4'],
    ['10 m', METRES, '10'],
    ['10m', METRES, '10'],
    ['30 meters', METRES, '30'],
    ['30 METRES', METRES, '30'],
    ['0.0000', METRES, '0'],
    ['.5', METRES, '0.5'],
    ['5.', METRES, '5'],
    ['007.250', METRES, '7.25'],
    ['100', METRES, '100'],
    ['10 MHz', MEGAHERTZ, '10'],
    ['5MHz', MEGAHERTZ, '5'],
  ] as const) {
    t.strictSame(readDecimal(text, dimension), { value: { text: expected, number: Number(expected) } }, text);
  }
});

t.test('a number is read with its sign, and there is no minus nought', async (t) => {
  for (const [text, expected] of [
    ['+0.0025', '0.0025'],
    ['-0.318', '-0.318'],
    ['−0.318', '-0.318'],
    ['- 0.318', '-0.318'],
    ['+ 1', '1'],
    ['-0', '0'],
    ['-0.000 m', '0'],
    ['-0 cm', '0'],
  ] as const) {
    const { value, remark } = readDecimal(text, METRES);
    t.equal(value?.text, expected, text);
    t.ok(Object.is(value?.number, Number(expected)), `${text} as a number`);
    t.equal(remark, undefined, `${text} needs no remark`);
  }
});

t.test('a number in another unit comes out in the one published', async (t) => {
  for (const [text, dimension, expected] of [
    ['30 cm', METRES, '0.3'],
    ['-7.5 cm', METRES, '-0.075'],
    ['1 mm', METRES, '0.001'],
    ['2400 mm', METRES, '2.4'],
    ['5000 kHz', MEGAHERTZ, '5'],
    ['10000000 Hz', MEGAHERTZ, '10'],
    ['1e2 m', METRES, '100'],
    ['2.5E-3', METRES, '0.0025'],
  ] as const) {
    t.strictSame(readDecimal(text, dimension), { value: { text: expected, number: Number(expected) } }, text);
  }
});

t.test('a number that was read with a tolerance says so', async (t) => {
  for (const [text, expected, message] of [
    ['0,5', '0.5', 'number with a decimal comma; read as 0.5'],
    ['0,5 m', '0.5', 'number with a decimal comma; read as 0.5'],
    ['approx. 30 m', '30', 'number approximate; read as 30'],
    ['approx 30', '30', 'number approximate; read as 30'],
    ['Approximately 30 m', '30', 'number approximate; read as 30'],
    ['about 30 m', '30', 'number approximate; read as 30'],
    ['ca. 30 cm', '0.3', 'number approximate; read as 0.3'],
    ['~30m', '30', 'number approximate; read as 30'],
    ['30 m approx.', '30', 'number with a remark; read as 30'],
    ['30 m, approximately', '30', 'number with a remark; read as 30'],
    ['12 m (on 6 pillars)', '12', 'number with a remark; read as 12'],
    ['12 (metres)', '12', 'number with a remark; read as 12'],
    ['0 m\n(see photo)', '0', 'number with a remark; read as 0'],
  ] as const) {
    t.strictSame(
      readDecimal(text, METRES),
      { value: { text: expected, number: Number(expected) }, remark: { level: 'info', message } },
      text,
    );
  }
});

t.test('what is not plainly one number is unknown, never 0, and a finding', async (t) => {
  const expected = { value: null, remark: { level: 'warning', message: 'not a number of metres; taken as unknown' } };
  for (const text of [
    'two metres',
    'm',
    '10 ft',
    '10 deg',
    '1 2',
    '10 m / 20 m',
    '10 m, 20 m',
    '5-10 m',
    '0.0.0',
    '1,234,567',
    '+',
    '.',
    '+/-0.5',
    '(30 m)',
    '30 m (see note',
    '1e99',
    '1e12 m',
    '1234567890123',
    '0x10',
    'NaN',
    'Infinity',
    '١٢',
    '5'.repeat(201),
  ]) {
    t.strictSame(readDecimal(text, METRES), expected, text);
  }
});

t.test('a number printed with all the digits of a double is read', async (t) => {
  t.strictSame(readDecimal('0.0007999999999999999', METRES), { value: { text: '0.0007999999999999999', number: 0.0007999999999999999 } });
  t.strictSame(readAngle('-23.670123872212345', 90), { value: -23.67012387 });
});

t.test('a date is an instant in UTC, a date alone its midnight', async (t) => {
  for (const [text, expected] of [
    ['2011-07-20', '2011-07-20T00:00:00Z'],
    ['2011-07-20T12:34Z', '2011-07-20T12:34:00Z'],
    ['2011-07-20T12:34:56Z', '2011-07-20T12:34:56Z'],
    ['2011-07-20T12:34:56.789Z', '2011-07-20T12:34:56Z'],
    ['2011-07-20T12:34', '2011-07-20T12:34:00Z'],
    ['2011-07-20T12Z', '2011-07-20T12:00:00Z'],
    ['2011-07-20T12', '2011-07-20T12:00:00Z'],
    ['2011-07-20T1234Z', '2011-07-20T12:34:00Z'],
    ['2011-07-20 12:34', '2011-07-20T12:34:00Z'],
    ['2011-07-20 12:34 UTC', '2011-07-20T12:34:00Z'],
    ['2011-07-20 12:34 UT', '2011-07-20T12:34:00Z'],
    ['2011-07-20T12:34z', '2011-07-20T12:34:00Z'],
    ['2011-07-20t12:34Z', '2011-07-20T12:34:00Z'],
    ['2011-07-20 T12:34Z', '2011-07-20T12:34:00Z'],
    ['2011-7-2', '2011-07-02T00:00:00Z'],
    ['2011/07/20', '2011-07-20T00:00:00Z'],
    ['2011.07.20', '2011-07-20T00:00:00Z'],
    ['2011-07-20Z', '2011-07-20T00:00:00Z'],
    ['2011-07-20Thh:mmZ', '2011-07-20T00:00:00Z'],
    [' 2011-07-20 ', '2011-07-20T00:00:00Z'],
    ['1994-05-15T00:00Z', '1994-05-15T00:00:00Z'],
  ] as const) {
    t.strictSame(readInstant(text), { value: expected }, text);
  }
});

t.test('24:00 is the midnight that ends the day', async (t) => {
  t.strictSame(readInstant('2011-12-31T24:00Z'), { value: '2012-01-01T00:00:00Z' });
  t.strictSame(readInstant('2012-02-28T24:00:00Z'), { value: '2012-02-29T00:00:00Z' });
  t.equal(readInstant('2011-12-31T24:01Z').value, null);
  t.equal(readInstant('2011-12-31T25:00Z').value, null);
});

t.test('an offset is taken off', async (t) => {
  t.strictSame(readInstant('2011-07-20T09:30:00+09:30'), { value: '2011-07-20T00:00:00Z' });
  t.strictSame(readInstant('2011-07-20T23:00-05:00'), { value: '2011-07-21T04:00:00Z' });
  t.strictSame(readInstant('2011-07-20T12:00+00:00'), { value: '2011-07-20T12:00:00Z' });
  t.equal(readInstant('2011-07-20T12:00+15:00').value, null, 'there is none of fifteen hours');
  t.equal(readInstant('2011-07-20T12:00+10:60').value, null);
});

t.test('an offset without its colon is not passed over as a remark', async (t) => {
  for (const text of ['2011-07-20T10:00+1000', '2011-07-20T10:00+10', '2011-07-20T10:00:00 +1000']) {
    t.not(readInstant(text).value, '2011-07-20T10:00:00Z', text);
  }
});

t.test('a date that is in no calendar is unknown, and a finding', async (t) => {
  const expected = { value: null, remark: { level: 'warning', message: 'not a date CCYY-MM-DD or CCYY-MM-DDThh:mmZ; taken as unknown' } };
  for (const text of [
    '2011-20-07',
    '2011-00-10',
    '2011-13-01',
    '2011-07-00',
    '2011-07-32',
    '2011-06-31',
    '2011-02-29',
    '1900-02-29',
    '2100-02-29',
    '0000-00-00',
    '1492-10-12',
    '2011-07-20T12:60Z',
    '2011-07-20T12:00:60Z',
    '2011-07-20T99:99Z',
    '2011-07-20 1:5',
  ]) {
    t.strictSame(readInstant(text), expected, text);
  }
});

t.test('29 February is a date in leap years', async (t) => {
  for (const year of ['1996', '2000', '2012', '2024']) {
    t.strictSame(readInstant(`${year}-02-29`), { value: `${year}-02-29T00:00:00Z` });
    t.strictSame(readInstant(`${year}-02-29T24:00Z`), { value: `${year}-03-01T00:00:00Z` });
  }
});

t.test('a date of nines, and the letters of the form, say that there is none', async (t) => {
  for (const text of [
    '9999-99-99T99:99Z',
    '9999-99-99',
    '(9999-99-99T99:99Z)',
    'CCYY-MM-DDThh:mmZ',
    'CCYY-MM-DD',
    'ccyy-mm-dd',
    'YYYY-MM-DD',
    '(CCYY-MM-DDThh:mmZ',
    'CCYY-MM-DDThh:mmZ)',
    '(CCYY-MM-DDThh:mmZ))',
  ]) {
    t.strictSame(readInstant(text), { value: null }, text);
  }
});

t.test('a label or a remark behind a date is passed over with a finding', async (t) => {
  for (const [text, expected] of [
    ['2011-07-20 Date Removed', '2011-07-20T00:00:00Z'],
    ['2011-07-20 (approximately)', '2011-07-20T00:00:00Z'],
    ['2011-07-20T12:34Z (firmware, see notes)', '2011-07-20T12:34:00Z'],
    ['2011-07-20T12:34Z Temperature Stabiliz. : none', '2011-07-20T12:34:00Z'],
    ['2011-07-20 to be confirmed', '2011-07-20T00:00:00Z'],
    ['2011-07-20, noon', '2011-07-20T00:00:00Z'],
    ['2011-07-20?', '2011-07-20T00:00:00Z'],
    ['2011-07-20\nthe day of the storm', '2011-07-20T00:00:00Z'],
    ['2011-07-20 (CCYY-MM-DDThh:mmZ)', '2011-07-20T00:00:00Z'],
  ] as const) {
    t.strictSame(
      readInstant(text),
      { value: expected, remark: { level: 'info', message: `text behind a date; read as ${expected}` } },
      text,
    );
  }
});

t.test('a remark that begins with a digit is no hour', async (t) => {
  for (const text of ['2011-07-20 2 receivers swapped', '2011-07-20 14 days late']) {
    const { value, remark } = readInstant(text);
    t.ok(value === null || value === '2011-07-20T00:00:00Z', `${text}: ${value}`);
    t.not(remark, undefined, text);
  }
});

t.test('a remark that begins with a digit does not take a whole date away', async (t) => {
  t.equal(readInstant('2011-07-20T12:34Z 2 receivers swapped').value, '2011-07-20T12:34:00Z');
});

t.test('parentheses around a date, balanced or not, are passed over', async (t) => {
  for (const text of ['(2011-07-20)', '(2011-07-20', '2011-07-20)', '((2011-07-20)', '( 2011-07-20 )']) {
    t.strictSame(readInstant(text), { value: '2011-07-20T00:00:00Z' }, text);
  }
});

t.test('text that is no date is unknown, and a finding', async (t) => {
  for (const text of [
    'yesterday',
    '20110720',
    '20-07-2011',
    '07/20/2011',
    'July 2011',
    '2011',
    '2011-07',
    '2011-07/20',
    '2011-07-201',
    `2011-07-20 ${'x'.repeat(200)}`,
  ]) {
    t.match(readInstant(text), { value: null, remark: { level: 'warning' } }, text);
  }
});

t.test('Date Prepared is the day of the date', async (t) => {
  t.strictSame(readDay('2017-02-23'), { value: '2017-02-23' });
  t.strictSame(readDay('2017-02-23T23:59Z'), { value: '2017-02-23' });
  t.match(readDay('2017-02-23 by the operator'), { value: '2017-02-23', remark: { level: 'info' } });
  t.match(readDay('2017-20-02'), { value: null, remark: { level: 'warning' } });
});

t.test('effective dates are read in every shape that logs have', async (t) => {
  const [a, b] = ['2001-02-03T00:00:00Z', '2004-05-06T00:00:00Z'];
  for (const [text, from, to] of [
    ['2001-02-03/2004-05-06', a, b],
    ['2001-02-03 / 2004-05-06', a, b],
    ['2001-02-03T00:00Z/2004-05-06T00:00Z', a, b],
    ['2001-02-03/', a, null],
    ['2001-02-03/CCYY-MM-DD', a, null],
    ['2001-02-03/(CCYY-MM-DD)', a, null],
    ['2001-02-03/(CCYY-MM-DD', a, null],
    ['2001-02-03/CCYY-MM-DD)', a, null],
    ['(2001-02-03/CCYY-MM-DD)', a, null],
    ['(2001-02-03/2004-05-06)', a, b],
    ['(2001-02-03/2004-05-06', a, b],
    ['2001-02-03/2004-05-06)', a, b],
    ['(2001-02-03)/(2004-05-06)', a, b],
    ['2001-02-03', a, null],
    ['(2001-02-03)', a, null],
    ['/2004-05-06', null, b],
    ['CCYY-MM-DD/2004-05-06', null, b],
    ['unknown/2004-05-06', null, b],
    ['2001-02-03/unknown', a, null],
    ['2001-02-03/9999-99-99', a, null],
    ['2001-02-03 - 2004-05-06', a, b],
    ['2001-02-03 to 2004-05-06', a, b],
    ['2001-02-03/\n2004-05-06', a, b],
    ['(CCYY-MM-DD/CCYY-MM-DD)', null, null],
    ['CCYY-MM-DD/CCYY-MM-DD', null, null],
    ['(CCYY-MM-DD/CCYY-MM-DD', null, null],
    ['/', null, null],
    ['2004-05-06/2001-02-03', b, a],
    ['2001-02-03/2001-02-03', a, a],
  ] as const) {
    t.strictSame(readEffectiveDates(text), { from: { value: from }, to: { value: to } }, text);
  }
});

t.test('each end of effective dates has its own finding', async (t) => {
  t.match(readEffectiveDates('2011-20-07/2012-01-01'), {
    from: { value: null, remark: { level: 'warning' } },
    to: { value: '2012-01-01T00:00:00Z', remark: undefined },
  });
  t.match(readEffectiveDates('2011-07-20/2012-20-01'), {
    from: { value: '2011-07-20T00:00:00Z', remark: undefined },
    to: { value: null, remark: { level: 'warning' } },
  });
  t.match(readEffectiveDates('2011-07-20/2012-01-01 (lightning)'), { to: { value: '2012-01-01T00:00:00Z', remark: { level: 'info' } } });
  t.match(readEffectiveDates('2011-07-20/2012-01-01\nlightning'), { to: { value: '2012-01-01T00:00:00Z', remark: { level: 'info' } } });
  t.match(readEffectiveDates('since the beginning'), { from: { value: null, remark: { level: 'warning' } }, to: { value: null } });
  t.match(readEffectiveDates(`2011-07-20/${' '.repeat(200)}x`), {
    from: { value: null, remark: { level: 'warning' } },
    to: { value: null },
  });
});

t.test('a remark behind the first of two effective dates does not take the second away', async (t) => {
  const { from, to } = readEffectiveDates('2001-02-03 (moved to the roof)/2004-05-06');
  t.equal(from.value, '2001-02-03T00:00:00Z');
  t.equal(to.value, '2004-05-06T00:00:00Z');
});

t.test('an angle is read from degrees, minutes and seconds, and from decimal degrees', async (t) => {
  for (const [text, limit, expected] of [
    ['+000000.00', 90, 0],
    ['-234012.45', 90, -23.670125],
    ['−234012.45', 90, -23.670125],
    ['+23 40 12.45', 90, 23.670125],
    ['234012', 90, 23.67],
    ['+1335307.80', 180, 133.8855],
    ['-0614211.02', 180, -61.70306111],
    ['-1800000.00', 180, -180],
    ['+2700000.00', 180, -90],
    ['359.5', 180, -0.5],
    ['-23.6701238722', 90, -23.67012387],
    ['133.885513219', 180, 133.88551322],
    ['+23.5 deg', 90, 23.5],
    ['90', 90, 90],
  ] as const) {
    t.strictSame(readAngle(text, limit), { value: expected }, text);
  }
});

t.test('what is no angle on the Earth is unknown, and a finding', async (t) => {
  for (const [text, limit] of [
    ['90.1', 90],
    ['-910000.00', 90],
    ['236012.45', 90],
    ['234060.00', 90],
    ['+3610000.00', 180],
    ['-1810000.00', 180],
    ['12345.67', 180],
    ['S23.67', 90],
    ['23:40:12', 90],
    ['north', 90],
    ['1'.repeat(201), 90],
  ] as const) {
    t.match(readAngle(text, limit), { value: null, remark: { level: 'warning' } }, text);
  }
});

t.test('the date in the name of a file is the one that site logs carry by convention', async (t) => {
  t.equal(dateInFileName('test_20170223.log'), '2017-02-23');
  t.equal(dateInFileName('synt00aus_20250106.xml'), '2025-01-06');
  t.equal(dateInFileName('/logs/of/2011/test_20170223.log'), '2017-02-23');
  for (const name of ['test.log', 'test_20172302.log', 'test_20170229.log', 'test20170223.log', 'test_201702231.log', '']) {
    t.equal(dateInFileName(name), null, name);
  }
});

t.test('the date in the name of a folder is not the date of the file', async (t) => {
  t.equal(dateInFileName('logs_20200101/test.log'), null);
  t.equal(dateInFileName('C:\\logs_20200101\\test.log'), null);
});
