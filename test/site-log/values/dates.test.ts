import t from 'tap';
import {
  dateInFileName,
  readDay,
  readEffectiveDates,
  readInstant,
  readInstantSince1980,
  readRemoval,
} from '../../../src/site-log/values/dates.js';

t.test(
  'a date is read as an instant in UTC, without a time as midnight, and with its UTC offset',
  async (t) => {
    // prettier-ignore
    const cases = [
    ['2011-07-20', '2011-07-20T00:00:00Z'], ['2011-07-20T12:34Z', '2011-07-20T12:34:00Z'],
    ['2011-07-20T12:34:56Z', '2011-07-20T12:34:56Z'], ['2011-07-20T12:34:56.789Z', '2011-07-20T12:34:56Z'],
    ['2011-07-20T12:34', '2011-07-20T12:34:00Z'], ['2011-07-20T12Z', '2011-07-20T12:00:00Z'],
    ['2011-07-20T12', '2011-07-20T12:00:00Z'], ['2011-07-20T1234Z', '2011-07-20T12:34:00Z'],
    ['2011-07-20 12:34', '2011-07-20T12:34:00Z'], ['2011-07-20 12:34 UTC', '2011-07-20T12:34:00Z'],
    ['2011-07-20 12:34 UT', '2011-07-20T12:34:00Z'], ['2011-07-20T12:34z', '2011-07-20T12:34:00Z'],
    ['2011-07-20t12:34Z', '2011-07-20T12:34:00Z'], ['2011-07-20 T12:34Z', '2011-07-20T12:34:00Z'],
    ['2011-7-2', '2011-07-02T00:00:00Z'], ['2011/07/20', '2011-07-20T00:00:00Z'],
    ['2011.07.20', '2011-07-20T00:00:00Z'], ['2011-07-20Z', '2011-07-20T00:00:00Z'],
    ['2011-07-20Thh:mmZ', '2011-07-20T00:00:00Z'], [' 2011-07-20 ', '2011-07-20T00:00:00Z'],
    ['1994-05-15T00:00Z', '1994-05-15T00:00:00Z'], ['1885-02-03', '1885-02-03T00:00:00Z'],
    // 24:00 is midnight at the end of the day.
    ['2011-12-31T24:00Z', '2012-01-01T00:00:00Z'], ['2012-02-28T24:00:00Z', '2012-02-29T00:00:00Z'],
    // An offset is applied.
    ['2011-07-20T09:30:00+09:30', '2011-07-20T00:00:00Z'], ['2011-07-20T23:00-05:00', '2011-07-21T04:00:00Z'],
    ['2011-07-20T12:00+00:00', '2011-07-20T12:00:00Z'],
  ] as const;
    for (const [text, expected] of cases)
      t.strictSame(readInstant(text), { value: expected }, text);
  },
);

t.test('an impossible date is unknown, with a remark', async (t) => {
  const expected = { value: null, remark: { code: 'unreadable-value' } };
  // prettier-ignore
  const cases = [
    '2011-20-07', '2011-00-10', '2011-13-01', '2011-07-00', '2011-07-32', '2011-06-31', '2011-02-29', '1900-02-29',
    '2100-02-29', '0000-00-00', '1492-10-12', '2011-07-20T12:00+15:00', '2011-07-20T12:00+10:60', '1799-12-31',
  ];
  for (const text of cases) t.match(readInstant(text), expected, text);
});

t.test('the day counts if the time of day is impossible, with a warning', async (t) => {
  // prettier-ignore
  const cases = [
    '2011-12-31T12:60Z', '2011-12-31T12:00:60Z', '2011-12-31T99:99Z', '2011-12-31 1:5', '2011-12-31T24:01Z',
    '2011-12-31T24:00:01Z', '2011-12-31T46:00Z', '2011-12-31T12.60Z', '2011-12-31 46.00', '2011-12-31T12h60', '2011-12-31 8.3',
    '2011-12-31:46:00Z', '2011-12-31T00:00Z T19:30Z',
  ];
  const read = '2011-12-31T00:00:00Z';
  for (const text of cases) {
    const { value, remark } = readInstant(text);
    t.equal(value, read, text);
    t.match(remark, { code: 'deviating-value', read, isPartial: true }, text);
  }
});

t.test('a time of day is read without the T before it, with a remark', async (t) => {
  for (const [text, read] of [
    ['2009-10-20:00:00Z', '2009-10-20T00:00:00Z'],
    ['2009-10-20:17:57Z', '2009-10-20T17:57:00Z'],
    ['2015-07-16Z08:05Z', '2015-07-16T08:05:00Z'],
    ['2015-07-16 0830Z', '2015-07-16T08:30:00Z'],
    ['2015-03-030:00:00', '2015-03-03T00:00:00Z'],
    ['2015-07-16 0830', '2015-07-16T08:30:00Z'],
    ['2015-07-16 1759 UTC', '2015-07-16T17:59:00Z'],
    ['2015-07-16 08.30', '2015-07-16T08:30:00Z'],
    ['2015-07-16 8.05 UT', '2015-07-16T08:05:00Z'],
    ['1996-08-01T00.15Z', '1996-08-01T00:15:00Z'],
    ['1998-12-16T08h30', '1998-12-16T08:30:00Z'],
    ['1998-12-16 T08h30Z', '1998-12-16T08:30:00Z'],
    ['1998-12-16 8h30m', '1998-12-16T08:30:00Z'],
    ['1998-12-16 08 h', '1998-12-16T08:00:00Z'],
  ] as const) {
    const { value, remark } = readInstant(text);
    t.equal(value, read, text);
    t.match(remark, { code: 'deviating-value', read, isPartial: undefined }, text);
  }
});

t.test('a month may be in English letters, with four digits of the year', async (t) => {
  for (const [text, read] of [
    ['05-NOV-1997 06:07 UT', '1997-11-05T06:07:00Z'],
    ['5 September 1997', '1997-09-05T00:00:00Z'],
    ['05-Sept-1997', '1997-09-05T00:00:00Z'],
    ['05MAY1997', '1997-05-05T00:00:00Z'],
    ['Dec 16 1998', '1998-12-16T00:00:00Z'],
    ['Dec. 6, 1998 01:08', '1998-12-06T01:08:00Z'],
    ['December 16, 1998', '1998-12-16T00:00:00Z'],
    ['December 2nd 1998', '1998-12-02T00:00:00Z'],
    ['DEC-16-1998 01:08 UT', '1998-12-16T01:08:00Z'],
    ['16th December, 1998', '1998-12-16T00:00:00Z'],
    ['16/Dec/1998', '1998-12-16T00:00:00Z'],
    ['1998 Dec 16', '1998-12-16T00:00:00Z'],
    ['1998-DEC-16 01:08', '1998-12-16T01:08:00Z'],
    ['1998 December 6T08h30', '1998-12-06T08:30:00Z'],
  ] as const)
    t.match(readInstant(text), { value: read, remark: { code: 'deviating-value', read } }, text);
  const unread = ['05-NOV-97', '11-05-1997', '05-MAI-1997', '31-APR-1997', 'Dec 16 98', 'Dec 1998'];
  const others = [
    'Dec 161998',
    'Decem 16 1998',
    '1998 Dec 161',
    '98 Dec 16',
    '16.12.1998',
    '1998 Dec',
  ];
  for (const text of [...unread, ...others, '1998-12-16 1999', '1998-12-16 1800'])
    t.match(readInstant(text), { value: null, remark: { code: 'unreadable-value' } }, text);
  const periods = [
    '05-NOV-1997 - 06-DEC-1998',
    'Nov 5 1997 to Dec 6 1998',
    '1997 Nov 5/Dec 6, 1998',
  ];
  for (const text of periods) {
    const { from, to } = readEffectiveDates(text);
    t.strictSame([from.value, to.value], ['1997-11-05T00:00:00Z', '1998-12-06T00:00:00Z'], text);
  }
  t.equal(readEffectiveDates('1997-11-05 - decommissioned').to.value, null);
});

t.test('PRESENT is the open end of a period', async (t) => {
  for (const text of ['2001-02-03/PRESENT', '2001-02-03/ present', '2001-02-03 - PRESENT'])
    t.strictSame(readEffectiveDates(text), {
      from: { value: '2001-02-03T00:00:00Z' },
      to: { value: null },
    });
});

t.test('PRESENT is the removal of what is in use', async (t) => {
  for (const text of ['PRESENT', ' present ', '(PRESENT)'])
    t.strictSame(readRemoval(text), { value: null }, text);
  t.match(readRemoval('presently'), { value: null, remark: { code: 'unreadable-value' } });
  t.match(readInstantSince1980('PRESENT'), { remark: { code: 'unreadable-value' } }, 'no start');
});

t.test('a date of a receiver or antenna before 1980 is unknown, with a remark', async (t) => {
  const expected = 'a date (CCYY-MM-DD or CCYY-MM-DDThh:mmZ) from 1980 on';
  t.strictSame(readInstantSince1980('1979-12-31T23:59Z'), {
    value: null,
    remark: { code: 'unreadable-value', expected },
  });
  t.strictSame(readInstantSince1980('1885-02-03'), {
    value: null,
    remark: { code: 'unreadable-value', expected },
  });
  t.strictSame(readInstantSince1980('1980-01-01'), { value: '1980-01-01T00:00:00Z' });
});

t.test('29 February is valid in leap years', async (t) => {
  for (const year of ['1996', '2000', '2012', '2024']) {
    t.strictSame(readInstant(`${year}-02-29`), { value: `${year}-02-29T00:00:00Z` });
    t.strictSame(readInstant(`${year}-02-29T24:00Z`), { value: `${year}-03-01T00:00:00Z` });
  }
});

t.test('a date of nines and the letters of the blank form mean no date', async (t) => {
  // prettier-ignore
  const cases = [
    '9999-99-99T99:99Z', '9999-99-99', '(9999-99-99T99:99Z)', 'CCYY-MM-DDThh:mmZ', 'CCYY-MM-DD', 'ccyy-mm-dd',
    'YYYY-MM-DD', '(CCYY-MM-DDThh:mmZ', 'CCYY-MM-DDThh:mmZ)', '(CCYY-MM-DDThh:mmZ))',
  ];
  for (const text of cases) t.strictSame(readInstant(text), { value: null }, text);
});

t.test('text after a date is ignored, with a remark', async (t) => {
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
    ['2011-07-20 13:00 GMT', '2011-07-20T13:00:00Z'],
    ['2011-07-20 NZST', '2011-07-20T00:00:00Z'],
  ] as const) {
    t.strictSame(
      readInstant(text),
      {
        value: expected,
        remark: {
          code: 'deviating-value',
          deviation: 'text after the date ignored',
          read: expected,
        },
      },
      text,
    );
  }
});

t.test('text after a time without a time zone may be one, and is a warning', async (t) => {
  for (const text of [
    '2011-07-20 13:00 (local time)',
    '2011-07-20T13:00 UTC+3',
    '2011-07-20T13:00 UTC-03:00',
    '2011-07-20T13:00Z - 10',
    '2011-07-20 13:00 GMT +1',
    '2011-07-20T13:00 NZST',
    '2011-07-20T13:00 GMTX',
  ])
    t.match(
      readInstant(text),
      { value: '2011-07-20T13:00:00Z', remark: { code: 'deviating-value', isPartial: true } },
      text,
    );
});

t.test('a day that no calendar has is said to be none', async (t) => {
  const expectedOf = (text: string) => {
    const { value, remark } = readInstant(text);
    return value === null && remark?.code === 'unreadable-value' ? remark.expected : null;
  };
  for (const text of ['2015-02-30', '2011-20-07T00:00Z', '2011-04-31'])
    t.not(expectedOf(text), expectedOf('20 July'), text);
  t.equal(expectedOf('2016-02-29'), null);
});

t.test('text after a date that starts with a digit is not read as an hour', async (t) => {
  for (const text of ['2011-07-20 2 receivers swapped', '2011-07-20 14 days late']) {
    const { value, remark } = readInstant(text);
    t.ok(value === null || value === '2011-07-20T00:00:00Z', `${text}: ${value}`);
    t.not(remark, undefined, text);
  }
});

t.test('parentheses around a date are ignored, balanced or not', async (t) => {
  for (const text of [
    '(2011-07-20)',
    '(2011-07-20',
    '2011-07-20)',
    '((2011-07-20)',
    '( 2011-07-20 )',
  ]) {
    t.strictSame(readInstant(text), { value: '2011-07-20T00:00:00Z' }, text);
  }
});

t.test(
  'text that is not a date is unknown, with a remark, also after the letters of the blank form',
  async (t) => {
    // prettier-ignore
    const cases = [
    'yesterday', '20110720', '20-07-2011', '07/20/2011', 'July 2011', '2011', '2011-07', '2011-07/20', '2011-07-201',
    `2011-07-20 ${'x'.repeat(200)}`, 'CCYY-MM-DD 1999-08-18', '(CCYY-MM-DDThh:mmZ) 1999-08-18', '(CCYY-MM-DD 1999-08-18)',
  ];
    for (const text of cases)
      t.match(readInstant(text), { value: null, remark: { code: 'unreadable-value' } }, text);
  },
);

t.test('readDay returns the day of a date', async (t) => {
  t.strictSame(readDay('2017-02-23'), { value: '2017-02-23' });
  t.strictSame(readDay('2017-02-23T23:59Z'), { value: '2017-02-23' });
  t.match(readDay('2017-02-23 by the operator'), {
    value: '2017-02-23',
    remark: { code: 'deviating-value' },
  });
  t.match(readDay('2017-20-02'), { value: null, remark: { code: 'unreadable-value' } });
});

t.test('Effective Dates are read in all the forms found in site logs', async (t) => {
  const [a, b] = ['2001-02-03T00:00:00Z', '2004-05-06T00:00:00Z'];
  // prettier-ignore
  const cases = [
    ['2001-02-03/2004-05-06', a, b], ['2001-02-03 / 2004-05-06', a, b],
    ['2001-02-03T00:00Z/2004-05-06T00:00Z', a, b], ['2001-02-03/', a, null], ['2001-02-03/CCYY-MM-DD', a, null],
    ['2001-02-03/(CCYY-MM-DD)', a, null], ['2001-02-03/(CCYY-MM-DD', a, null], ['2001-02-03/CCYY-MM-DD)', a, null],
    ['(2001-02-03/CCYY-MM-DD)', a, null], ['(2001-02-03/2004-05-06)', a, b], ['(2001-02-03/2004-05-06', a, b],
    ['2001-02-03/2004-05-06)', a, b], ['(2001-02-03)/(2004-05-06)', a, b], ['2001-02-03', a, null],
    ['(2001-02-03)', a, null], ['/2004-05-06', null, b], ['CCYY-MM-DD/2004-05-06', null, b],
    ['(CCYY-MM-DD/2004-05-06)', null, b], ['(CCYY-MM-DDThh:mmZ/2004-05-06T00:00Z)', null, b],
    ['(CCYY-MM-DD)/2004-05-06', null, b], ['CCYY-MM-DD to 2004-05-06', null, b], ['unknown/2004-05-06', null, b],
    ['2001-02-03/unknown', a, null], ['2001-02-03/9999-99-99', a, null], ['2001-02-03 - 2004-05-06', a, b],
    ['2001-02-03 to 2004-05-06', a, b], ['2001-02-03/\n2004-05-06', a, b], ['(CCYY-MM-DD/CCYY-MM-DD)', null, null],
    ['CCYY-MM-DD/CCYY-MM-DD', null, null], ['(CCYY-MM-DD/CCYY-MM-DD', null, null], ['/', null, null],
    ['2004-05-06/2001-02-03', b, a], ['2001-02-03/2001-02-03', a, a],
  ] as const;
  for (const [text, from, to] of cases) {
    t.strictSame(readEffectiveDates(text), { from: { value: from }, to: { value: to } }, text);
  }
});

t.test('each end of Effective Dates has its own remark', async (t) => {
  const wrong = { value: null, remark: { code: 'unreadable-value' } };
  const [first, last] = ['2011-07-20T00:00:00Z', '2012-01-01T00:00:00Z'];
  t.match(readEffectiveDates('2011-20-07/2012-01-01'), {
    from: wrong,
    to: { value: last, remark: undefined },
  });
  t.match(readEffectiveDates('2011-07-20/2012-20-01'), {
    from: { value: first, remark: undefined },
    to: wrong,
  });
  for (const remark of [' (lightning)', '\nlightning'])
    t.match(readEffectiveDates(`2011-07-20/2012-01-01${remark}`), {
      to: { value: last, remark: { code: 'deviating-value' } },
    });
  for (const text of ['since the beginning', `2011-07-20/${' '.repeat(200)}x`])
    t.match(readEffectiveDates(text), { from: wrong, to: { value: null } });
});

t.test('the date is read from a conventional site log file name', async (t) => {
  t.equal(dateInFileName('test_20170223.log'), '2017-02-23');
  t.equal(dateInFileName('synt00aus_20250106.xml'), '2025-01-06');
  t.equal(dateInFileName('/logs/of/2011/test_20170223.log'), '2017-02-23');
  for (const name of [
    'test.log',
    'test_20172302.log',
    'test_20170229.log',
    'test20170223.log',
    'test_201702231.log',
    '',
  ]) {
    t.equal(dateInFileName(name), null, name);
  }
});
