import fc from 'fast-check';
import t, { type Test } from 'tap';
import { compilePattern, DEFAULT_PATTERN, parseInstant } from '../src/time.js';

const CANONICAL = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const isCanonical = (instant: string): boolean =>
  CANONICAL.test(instant) && new Date(instant).toISOString() === instant.replace('Z', '.000Z');

/** A table of texts and what each is read as. */
const reads = (read: (text: string) => string | null, cases: [string, string | null][]) => async (t: Test) => {
  for (const [text, expected] of cases) t.equal(read(text), expected, JSON.stringify(text));
};

t.test(
  'instants, in UTC whatever their offset, to the whole second that has begun',
  reads(parseInstant, [
    ['2013-07-08T00:45:00Z', '2013-07-08T00:45:00Z'],
    ['2013-07-08t00:45:00z', '2013-07-08T00:45:00Z'],
    ['2013-07-08T00:45Z', '2013-07-08T00:45:00Z'],
    ['2013-07-08T00:45:00+00:00', '2013-07-08T00:45:00Z'],
    ['2013-07-08T00:45:00-00:00', '2013-07-08T00:45:00Z'],
    ['2013-07-08T10:15:00+09:30', '2013-07-08T00:45:00Z'],
    ['2013-07-07T14:45-10:00', '2013-07-08T00:45:00Z'],
    ['2012-03-01T00:30:00+01:00', '2012-02-29T23:30:00Z'],
    ['2013-03-01T00:30:00+01:00', '2013-02-28T23:30:00Z'],
    ['2012-12-31T23:30:00-01:00', '2013-01-01T00:30:00Z'],
    ['2013-07-08T00:45:00+18:00', '2013-07-07T06:45:00Z'],
    ['2013-07-08T00:45:00.0Z', '2013-07-08T00:45:00Z'],
    ['2013-07-08T00:45:00.999999999Z', '2013-07-08T00:45:00Z'],
    ['2013-07-08T00:45:00.5+10:00', '2013-07-07T14:45:00Z'],
    ['2013-07-08T23:59:59Z', '2013-07-08T23:59:59Z'],
    ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59Z'],
  ]),
);

t.test(
  'dates are their midnight; leap years are those of the Gregorian calendar',
  reads(parseInstant, [
    ['2013-07-08', '2013-07-08T00:00:00Z'],
    ['2012-02-29', '2012-02-29T00:00:00Z'],
    ['2013-02-29', null],
    ['2000-02-29', '2000-02-29T00:00:00Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
    ['1900-02-29', null],
    ['2100-02-29', null],
    ['0001-01-01', '0001-01-01T00:00:00Z'],
    ['0099-12-31', '0099-12-31T00:00:00Z'],
    ['9999-12-31', '9999-12-31T00:00:00Z'],
  ]),
);

t.test(
  'year and day of year, over leap years',
  reads(parseInstant, [
    ['2013:189', '2013-07-08T00:00:00Z'],
    ['2013:001', '2013-01-01T00:00:00Z'],
    ['2013:059', '2013-02-28T00:00:00Z'],
    ['2013:060', '2013-03-01T00:00:00Z'],
    ['2012:060', '2012-02-29T00:00:00Z'],
    ['2012:061', '2012-03-01T00:00:00Z'],
    ['2013:365', '2013-12-31T00:00:00Z'],
    ['2013:366', null],
    ['2012:365', '2012-12-30T00:00:00Z'],
    ['2012:366', '2012-12-31T00:00:00Z'],
    ['2012:367', null],
    ['2000:366', '2000-12-31T00:00:00Z'],
    ['1900:365', '1900-12-31T00:00:00Z'],
    ['1900:366', null],
    ['2100:366', null],
    ['2013:000', null],
    ['2013:999', null],
    ['0000:001', null],
    ['9999:365', '9999-12-31T00:00:00Z'],
  ]),
);

t.test(
  'GPS week and day of week, from Sunday, over the roll-overs of the broadcast week',
  reads(parseInstant, [
    ['0:0', '1980-01-06T00:00:00Z'],
    ['0000:0', '1980-01-06T00:00:00Z'],
    ['0:6', '1980-01-12T00:00:00Z'],
    ['1:0', '1980-01-13T00:00:00Z'],
    ['1748:1', '2013-07-08T00:00:00Z'],
    ['1748:0', '2013-07-07T00:00:00Z'],
    ['1748:6', '2013-07-13T00:00:00Z'],
    ['1749:0', '2013-07-14T00:00:00Z'],
    ['1023:6', '1999-08-21T00:00:00Z'],
    ['1024:0', '1999-08-22T00:00:00Z'],
    ['2047:6', '2019-04-06T00:00:00Z'],
    ['2048:0', '2019-04-07T00:00:00Z'],
    ['3071:6', '2038-11-20T00:00:00Z'],
    ['3072:0', '2038-11-21T00:00:00Z'],
    ['1042:2', '1999-12-28T00:00:00Z'],
    ['1051:2', '2000-02-29T00:00:00Z'],
    ['1678:4', '2012-03-08T00:00:00Z'],
    ['9999:6', '2171-08-31T00:00:00Z'],
    ['1748:7', null],
    ['1748:-1', null],
    ['1748:', null],
    [':1', null],
    ['-1:1', null],
    ['10000:0', null],
    ['1748:01', null],
    ['1748:1.5', null],
    ['2013:18', null],
  ]),
);

t.test(
  'what is none of these is null',
  reads(parseInstant, [
    ['', null],
    [' ', null],
    ['now', null],
    ['null', null],
    ['9999-99-99T99:99Z', null],
    ['2011-20-07', null],
    ['2013-00-01', null],
    ['2013-01-00', null],
    ['2013-04-31', null],
    ['0000-01-01', null],
    ['-2013-01-01', null],
    ['+2013-01-01', null],
    ['12013-01-01', null],
    ['2013-7-8', null],
    ['2013-07', null],
    ['2013', null],
    ['20130708', null],
    ['08.07.2013', null],
    ['2013/07/08', null],
    ['2013-07-08 00:45:00Z', null],
    ['2013-07-08T00:45:00', null],
    ['2013-07-08T', null],
    ['2013-07-08Z', null],
    ['2013-07-08T00Z', null],
    ['2013-07-08T24:00:00Z', null],
    ['2013-07-08T23:60:00Z', null],
    ['2012-06-30T12:00:60Z', null],
    ['2013-07-08T00:45:00.Z', null],
    ['2013-07-08T00:45:00.0000000000Z', null],
    ['2013-07-08T00:45.5Z', null],
    ['2013-07-08T00:45:00+10', null],
    ['2013-07-08T00:45:00+1000', null],
    ['2013-07-08T00:45:00+19:00', null],
    ['2013-07-08T00:45:00+18:01', null],
    ['2013-07-08T00:45:00 10:00', null],
    ['2013-07-08T00:45:00Z ', null],
    [' 2013-07-08', null],
    ['2013-07-08\n', null],
    ['2013-07-08\u0000', null],
    ['２０１３-07-08', null],
    ['٢٠١٣:189', null],
    ['2013:189\n', null],
    ['0001-01-01T00:00:00+00:01', null],
    ['9999-12-31T23:59:59-00:01', null],
  ]),
);

t.test(
  'an offset has at most 59 minutes (RFC 3339, section 5.6)',
  reads(parseInstant, [
    ['2013-07-08T00:45:00+10:59', '2013-07-07T13:46:00Z'],
    ['2013-07-08T00:45:00+10:60', null],
    ['2013-07-08T00:45:00-03:99', null],
  ]),
);

/** Texts that look like times, some of which are. */
const number = (max: number) => fc.integer({ min: 0, max }).map(String);
const digits = (length: number, max = 10 ** length - 1) =>
  fc.oneof({ weight: 9, arbitrary: number(max).map((text) => text.padStart(length, '0')) }, { weight: 1, arbitrary: number(max) });
const zone = fc.oneof(
  fc.constantFrom('Z', 'z', '', '+00:00', '-18:00'),
  fc.tuple(fc.constantFrom('+', '-'), digits(2), digits(2)).map(([sign, h, m]) => `${sign}${h}:${m}`),
);
const timeLike = fc.oneof(
  fc.tuple(digits(4), digits(2, 13), digits(2, 32)).map((parts) => parts.join('-')),
  fc
    .tuple(
      digits(4),
      digits(2, 13),
      digits(2, 32),
      digits(2, 25),
      digits(2, 61),
      digits(2, 61),
      fc.constantFrom('', '.5', '.123456789'),
      zone,
    )
    .map(([y, mo, d, h, mi, s, fraction, offset]) => `${y}-${mo}-${d}T${h}:${mi}:${s}${fraction}${offset}`),
  fc.tuple(digits(4), digits(3)).map((parts) => parts.join(':')),
  fc.tuple(number(10_000), number(8)).map((parts) => parts.join(':')),
  fc.string(),
  fc.string({ unit: fc.constantFrom(...'0123456789-:TZ+.') }),
);

t.test('whatever the text, what is read is a real instant as YYYY-MM-DDThh:mm:ssZ, or nothing', async (t) => {
  let read = 0;
  fc.assert(
    fc.property(timeLike, (text) => {
      const instant = parseInstant(text);
      if (instant !== null) read++;
      return instant === null || isCanonical(instant);
    }),
    { numRuns: 20_000, seed: 4 },
  );
  t.ok(read > 2000, `${read} of them are times`);
});

t.test('every instant is read as itself, and its day by the year and by the week too', async (t) => {
  const start = Date.UTC(1980, 0, 6);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Math.floor((Date.UTC(2171, 7, 31) - start) / 1000) }), (seconds) => {
      const instant = new Date(start + seconds * 1000).toISOString().replace('.000Z', 'Z');
      const date = instant.slice(0, 10);
      const days = Math.floor(seconds / 86_400);
      const ordinal = (Date.parse(date) - Date.parse(`${date.slice(0, 4)}-01-01`)) / 86_400_000 + 1;
      const forms = [date, `${date.slice(0, 4)}:${String(ordinal).padStart(3, '0')}`, `${Math.floor(days / 7)}:${days % 7}`];
      return parseInstant(instant) === instant && forms.every((form) => parseInstant(form) === `${date}T00:00:00Z`);
    }),
    { numRuns: 5000, seed: 4 },
  );
});

/** Reads a text by a pattern that must be understood. */
const by = (pattern: string) => (text: string) => {
  const read = compilePattern(pattern);
  if (read === null) throw new Error(`pattern not understood: ${pattern}`);
  return read(text);
};

t.test(
  `the pattern ${DEFAULT_PATTERN}`,
  reads(by(DEFAULT_PATTERN), [
    ['2013-07-08', '2013-07-08T00:00:00Z'],
    ['2012-02-29', '2012-02-29T00:00:00Z'],
    ['2013-02-29', null],
    ['2013-13-01', null],
    ['0000-01-01', null],
    ['2013-7-8', null],
    ['2013-07-08T00:00:00Z', null],
    ['2013-07-08 ', null],
    ['2013-07-08\n', null],
    ['x2013-07-08', null],
    ['', null],
  ]),
);

t.test(
  "the pattern uuuu-MM-dd'T'HH:mm:ssX",
  reads(by("uuuu-MM-dd'T'HH:mm:ssX"), [
    ['2013-07-08T00:45:00Z', '2013-07-08T00:45:00Z'],
    ['2013-07-08T10:45:00+10', '2013-07-08T00:45:00Z'],
    ['2013-07-08T10:15:00+0930', '2013-07-08T00:45:00Z'],
    ['2013-07-07T14:45:00-10', '2013-07-08T00:45:00Z'],
    ['2013-07-08T10:15:00+09:30', null],
    ['2013-07-08T00:45:00', null],
    ['2013-07-08T00:45:00z', null],
    ['2013-07-08T24:00:00Z', null],
    ['2013-07-08T00:60:00Z', null],
    ['2013-07-08T00:45:00+19', null],
    ['2013-07-08T00:45:00+1060', null],
    ['2013-07-08', null],
  ]),
);

t.test('the patterns with XX and XXX', async (t) => {
  await t.test(
    'XXX',
    reads(by("uuuu-MM-dd'T'HH:mm:ssXXX"), [
      ['2013-07-08T00:45:00Z', '2013-07-08T00:45:00Z'],
      ['2013-07-08T10:15:00+09:30', '2013-07-08T00:45:00Z'],
      ['2013-07-08T10:15:00+0930', null],
      ['2013-07-08T10:45:00+10', null],
    ]),
  );
  await t.test(
    'XX',
    reads(by("uuuu-MM-dd'T'HH:mm:ssXX"), [
      ['2013-07-08T00:45:00Z', '2013-07-08T00:45:00Z'],
      ['2013-07-08T10:15:00+0930', '2013-07-08T00:45:00Z'],
      ['2013-07-08T10:15:00+09:30', null],
    ]),
  );
});

t.test('other patterns of those letters', async (t) => {
  const cases: [string, string, string | null][] = [
    ['uuuu-DDD', '2013-189', '2013-07-08T00:00:00Z'],
    ['uuuu-DDD', '2012-366', '2012-12-31T00:00:00Z'],
    ['uuuu-DDD', '2013-366', null],
    ['uuuu-DDD', '2013-000', null],
    ['uuuuDDD', '2013189', '2013-07-08T00:00:00Z'],
    ['uuuu:D', '2013:9', '2013-01-09T00:00:00Z'],
    ["uuuu-DDD'T'HH", '2013-189T13', '2013-07-08T13:00:00Z'],
    ['yyyy-MM-dd', '2013-07-08', '2013-07-08T00:00:00Z'],
    ['uuuuMMdd', '20130708', '2013-07-08T00:00:00Z'],
    ['uuuuMMddHHmmss', '20130708004500', '2013-07-08T00:45:00Z'],
    ['dd.MM.uuuu', '08.07.2013', '2013-07-08T00:00:00Z'],
    ['dd.MM.uuuu', '08x07x2013', null],
    ['d/M/uuuu', '8/7/2013', '2013-07-08T00:00:00Z'],
    ['d/M/uuuu', '08/07/2013', '2013-07-08T00:00:00Z'],
    ['uuuu-MM-dd HH:mm', '2013-07-08 00:45', '2013-07-08T00:45:00Z'],
    ["uuuu-MM-dd'T'HH:mm:ss.SSSX", '2013-07-08T00:45:00.999Z', '2013-07-08T00:45:00Z'],
    ["uuuu-MM-dd'T'HH:mm:ss.SSSX", '2013-07-08T00:45:00.99Z', null],
    ["uuuu-MM-dd'T'HH:mm:ss'Z'", '2013-07-08T00:45:00Z', '2013-07-08T00:45:00Z'],
    ["uuuu-MM-dd' at 'HH 'o''clock'", "2013-07-08 at 09 o'clock", '2013-07-08T09:00:00Z'],
    ["uuuu-MM-dd''HH", "2013-07-08'09", '2013-07-08T09:00:00Z'],
    ["uuuu-MM-dd'uuuu'", '2013-07-08uuuu', '2013-07-08T00:00:00Z'],
    ["uuuu-MM-dd'uuuu'", '2013-07-082013', null],
    ['uuuu年MM月dd日', '2013年07月08日', '2013-07-08T00:00:00Z'],
    ['uuuu🛰MM🛰dd', '2013🛰07🛰08', '2013-07-08T00:00:00Z'],
  ];
  for (const [pattern, text, expected] of cases) t.equal(by(pattern)(text), expected, `${pattern} ${text}`);
});

t.test('patterns that are not understood, or name no instant, are refused', async (t) => {
  const patterns = [
    '',
    'uuuu',
    'uuuu-MM',
    'MM-dd',
    'HH:mm:ss',
    'DDD',
    'uu-MM-dd',
    'uuu-MM-dd',
    'uuuuu-MM-dd',
    'uuuu-MMM-dd',
    'uuuu-MMMM-dd',
    'uuuu-MM-ddd',
    'uuuu-DD',
    'uuuu-DDD-dd',
    'uuuu-MM-DDD',
    'uuuu-MM-dd-DDD',
    'uuuu-MM-dd-uuuu',
    'uuuu-MM-dd yyyy',
    'uuuu-MM-dd MM',
    'uuuu-MM-dd HHH',
    'uuuu-MM-dd HH HH',
    'uuuu-MM-ddXXXX',
    'uuuu-MM-ddXXXXX',
    'uuuu-MM-ddZ',
    'uuuu-MM-ddz',
    'uuuu-MM-ddx',
    'uuuu-MM-dd hh',
    'uuuu-MM-dd a',
    'uuuu-MM-dd E',
    'uuuu-MM-ddTHH',
    'YYYY-MM-dd',
    'CCYY-MM-DD',
    "uuuu-MM-dd'T",
    "uuuu-MM-dd'",
    "uuuu-MM-dd'T''",
    'uuuu-MM-dd SSSSSSSSSS',
    'uuuu-MM-dd __proto__',
    'constructor',
    'u'.repeat(101),
    `uuuu-MM-dd${' '.repeat(91)}`,
  ];
  for (const pattern of patterns) t.equal(compilePattern(pattern), null, JSON.stringify(pattern));
});

t.test('signs of regular expressions are signs', async (t) => {
  for (const sign of [
    '.',
    '*',
    '+',
    '?',
    '(',
    ')',
    '(?:',
    '|',
    '^',
    '$',
    '\\',
    '\\d',
    '/',
    '-',
    ',',
    '(.*)',
    '(?<year>)',
    '.*|',
    '{2}',
    '$&',
  ]) {
    const quoted = `uuuu-MM-dd'${sign}'`;
    t.equal(by(quoted)(`2013-07-08${sign}`), '2013-07-08T00:00:00Z', quoted);
    t.equal(by(quoted)('2013-07-08'), null, `${quoted} is not left out`);
    t.equal(by(quoted)('2013-07-08x'), null, `${quoted} is no other sign`);
  }
  t.equal(by('uuuu.MM.dd')('2013.07.08'), '2013-07-08T00:00:00Z');
  t.equal(by('uuuu.MM.dd')('2013-07-08'), null);
  t.equal(by('uuuu|MM|dd')('2013|07|08'), '2013-07-08T00:00:00Z');
  t.equal(by('uuuu|MM|dd')('2013'), null);
});

t.test('what java.time keeps for itself ([ ] { } #) is refused rather than read as signs', async (t) => {
  for (const pattern of ["uuuu-MM-dd['T'HH:mm]", 'uuuu-MM-dd{', 'uuuu-MM-dd}', 'uuuu-MM-dd#'])
    t.equal(compilePattern(pattern), null, pattern);
});

const token = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'uuuu',
      'yyyy',
      'MM',
      'dd',
      'DDD',
      'HH',
      'mm',
      'ss',
      'S',
      'SSS',
      'X',
      'XX',
      'XXX',
      'u',
      'M',
      'd',
      'D',
      "'T'",
      "''",
    ),
  },
  { weight: 3, arbitrary: fc.constantFrom('-', ':', ' ', '.', '(', ')', '[', '*', '+', '\\', '|', '^', '$', '?', "'") },
  { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
);

t.test('whatever the pattern and the text: never an error, never anything but a real instant', async (t) => {
  let understood = 0;
  const patterns = fc.oneof(
    fc.array(token, { maxLength: 20 }).map((tokens) => tokens.join('')),
    fc.tuple(token, token, token).map(([a, b, c]) => `uuuu${a}MM${b}dd${c}`),
    fc.string({ maxLength: 120 }),
  );
  fc.assert(
    fc.property(patterns, timeLike, (pattern, text) => {
      const read = compilePattern(pattern);
      if (read === null) return true;
      understood++;
      return [text, pattern, '2013-07-08'].map(read).every((instant) => instant === null || isCanonical(instant));
    }),
    { numRuns: 20_000, seed: 4 },
  );
  t.ok(understood > 1000, `${understood} of them are understood`);
});

t.test('no pattern and no text takes long', async (t) => {
  for (const pattern of [
    "'".repeat(99),
    "''".repeat(49),
    'uDX' + "'''".repeat(30),
    'uMdHms' + '('.repeat(90),
    "uMd'" + "''".repeat(47) + "'",
  ]) {
    const read = compilePattern(pattern);
    for (const text of ['1'.repeat(200), '1'.repeat(100_000), "'".repeat(199), '('.repeat(200)]) t.equal(read?.(text) ?? null, null);
  }
});
