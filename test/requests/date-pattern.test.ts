import fc from 'fast-check';
import t from 'tap';
import { toInstant } from '../../src/requests/calendar.js';
import { compilePattern, DEFAULT_PATTERN } from '../../src/requests/date-pattern.js';
import { casesOf, SEED, triesMore } from '../effort.js';
import { isCanonical, reads, timeLike } from './time-texts.js';

/** The parser for a pattern, which must be supported. */
const by = (pattern: string) => (text: string) => {
  const read = compilePattern(pattern);
  if (read === null) throw new Error(`pattern not understood: ${pattern}`);
  const parts = read(text);
  return parts && toInstant(parts);
};

t.test(
  `the pattern ${DEFAULT_PATTERN}`,
  reads(
    by(DEFAULT_PATTERN),
    /* prettier-ignore */ [
    ['2013-07-08', '2013-07-08T00:00:00Z'], ['2012-02-29', '2012-02-29T00:00:00Z'], ['2013-02-29', null],
    ['2013-13-01', null], ['0000-01-01', null], ['2013-7-8', null], ['2013-07-08T00:00:00Z', null],
    ['2013-07-08 ', null], ['2013-07-08\n', null], ['x2013-07-08', null], ['', null],
  ],
  ),
);

t.test(
  "the pattern uuuu-MM-dd'T'HH:mm:ssX",
  reads(
    by("uuuu-MM-dd'T'HH:mm:ssX"),
    /* prettier-ignore */ [
    ['2013-07-08T00:45:00Z', '2013-07-08T00:45:00Z'], ['2013-07-08T10:45:00+10', '2013-07-08T00:45:00Z'],
    ['2013-07-08T10:15:00+0930', '2013-07-08T00:45:00Z'], ['2013-07-07T14:45:00-10', '2013-07-08T00:45:00Z'],
    ['2013-07-08T10:15:00+09:30', null], ['2013-07-08T00:45:00', null], ['2013-07-08T00:45:00z', null],
    ['2013-07-08T24:00:00Z', null], ['2013-07-08T00:60:00Z', null], ['2013-07-08T00:45:00+19', null],
    ['2013-07-08T00:45:00+1060', null], ['2013-07-08', null],
  ],
  ),
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

t.test('other patterns of the supported letters', async (t) => {
  // prettier-ignore
  const cases: [string, string, string | null][] = [
    ['uuuu-DDD', '2013-189', '2013-07-08T00:00:00Z'], ['uuuu-DDD', '2012-366', '2012-12-31T00:00:00Z'],
    ['uuuu-DDD', '2013-366', null], ['uuuu-DDD', '2013-000', null], ['uuuuDDD', '2013189', '2013-07-08T00:00:00Z'],
    ['uuuu:D', '2013:9', '2013-01-09T00:00:00Z'], ["uuuu-DDD'T'HH", '2013-189T13', '2013-07-08T13:00:00Z'],
    ['yyyy-MM-dd', '2013-07-08', '2013-07-08T00:00:00Z'], ['uuuuMMdd', '20130708', '2013-07-08T00:00:00Z'],
    ['uuuuMMddHHmmss', '20130708004500', '2013-07-08T00:45:00Z'],
    ['dd.MM.uuuu', '08.07.2013', '2013-07-08T00:00:00Z'], ['dd.MM.uuuu', '08x07x2013', null],
    ['d/M/uuuu', '8/7/2013', '2013-07-08T00:00:00Z'], ['d/M/uuuu', '08/07/2013', '2013-07-08T00:00:00Z'],
    ['uuuu-MM-dd HH:mm', '2013-07-08 00:45', '2013-07-08T00:45:00Z'],
    ['uuuu-M-d H:m:s', '2013-7-8 1:2:3', '2013-07-08T01:02:03Z'], ['uuuu-M-d H:m:s', '2013-7-8 1:2:345', null],
    ["uuuu-MM-dd'T'HH:mm:ss.SSSX", '2013-07-08T00:45:00.999Z', '2013-07-08T00:45:00Z'],
    ["uuuu-MM-dd'T'HH:mm:ss.SSSX", '2013-07-08T00:45:00.99Z', null],
    ["uuuu-MM-dd'T'HH:mm:ss'Z'", '2013-07-08T00:45:00Z', '2013-07-08T00:45:00Z'],
    ["uuuu-MM-dd' at 'HH 'o''clock'", "2013-07-08 at 09 o'clock", '2013-07-08T09:00:00Z'],
    ["uuuu-MM-dd''HH", "2013-07-08'09", '2013-07-08T09:00:00Z'],
    ["uuuu-MM-dd'uuuu'", '2013-07-08uuuu', '2013-07-08T00:00:00Z'], ["uuuu-MM-dd'uuuu'", '2013-07-082013', null],
    ['uuuu年MM月dd日', '2013年07月08日', '2013-07-08T00:00:00Z'], ['uuuu🛰MM🛰dd', '2013🛰07🛰08', '2013-07-08T00:00:00Z'],
  ];
  for (const [pattern, text, expected] of cases)
    t.equal(by(pattern)(text), expected, `${pattern} ${text}`);
});

t.test('patterns that are not supported, or do not determine a date, are refused', async (t) => {
  // prettier-ignore
  const patterns = [
    '', 'uuuu', 'uuuu-MM', 'MM-dd', 'HH:mm:ss', 'DDD', 'uu-MM-dd', 'uuuuu-MM-dd', 'uuuu-MMM-dd', 'uuuu-MM-ddd', 'uuuu-DD',
    'uuuu-DDD-dd', 'uuuu-MM-DDD', 'uuuu-MM-dd-uuuu', 'uuuu-MM-dd yyyy', 'uuuu-MM-dd HHH', 'uuuu-MM-dd HH HH', 'uuuu-MM-ddXXXX',
    'uuuu-MM-ddz', 'uuuu-MM-dd hh', 'uuuu-MM-dd a', 'uuuu-MM-ddTHH', 'YYYY-MM-dd', "uuuu-MM-dd'T", "uuuu-MM-dd'", "uuuu-MM-dd'T''",
    'uuuu-MM-dd SSSSSSSSSS', 'uuuu-MM-dd __proto__', "uuuu-MM-dd['T'HH:mm]", 'uuuu-MM-dd{', 'uuuu-MM-dd#', 'constructor',
    'u'.repeat(101), `uuuu-MM-dd${' '.repeat(91)}`,
  ];
  for (const pattern of patterns) t.equal(compilePattern(pattern), null, JSON.stringify(pattern));
  t.ok(compilePattern(`uuuu-MM-dd${' '.repeat(90)}`), 'the longest');
});

t.test('special characters of regular expressions stand for themselves', async (t) => {
  // prettier-ignore
  const cases = [
    '.', '*', '+', '?', '(', ')', '(?:', '|', '^', '$', '\\', '\\d', '/', '-', ',', '(.*)', '(?<year>)', '.*|',
    '{2}', '$&',
  ];
  for (const sign of cases) {
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

// prettier-ignore
const LETTERS = ['uuuu', 'yyyy', 'MM', 'dd', 'DDD', 'HH', 'mm', 'ss', 'S', 'SSS', 'X', 'XX', 'XXX', 'u', 'M', 'd', 'D', "'T'", "''"];
const token = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...LETTERS) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '-',
      ':',
      ' ',
      '.',
      '(',
      ')',
      '[',
      '*',
      '+',
      '\\',
      '|',
      '^',
      '$',
      '?',
      "'",
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
);

t.test(
  'for any pattern and text, the result is a real instant or null, never an error',
  triesMore,
  async (t) => {
    let understood = 0;
    const patterns = fc.oneof(
      fc.array(token, { maxLength: 20 }).map((tokens) => tokens.join('')),
      fc.tuple(token, token, token).map(([a, b, c]) => `uuuu${a}MM${b}dd${c}`),
      fc.string({ maxLength: 120 }),
    );
    fc.assert(
      fc.property(patterns, timeLike, (pattern, text) => {
        if (compilePattern(pattern) === null) return true;
        understood++;
        return [text, pattern, '2013-07-08']
          .map(by(pattern))
          .every((instant) => instant === null || isCanonical(instant));
      }),
      { numRuns: casesOf(20_000), seed: SEED },
    );
    t.ok(understood > casesOf(1000), `${understood} of them are understood`);
  },
);
