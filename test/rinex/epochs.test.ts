import t from 'tap';
import { lastEpoch } from '../../src/rinex/file/epochs.js';

/** The last epoch in files of all forms. */

async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text, 'latin1');
  for (let start = 0; start < bytes.length; start += size)
    yield await Promise.resolve(bytes.subarray(start, start + size));
}

const DATA = 'G01  20000000.123 7 112984280.509 7        45.500';
const OLD_DATA = '  20000000.123 7 112984280.509 7';
const last = '2020-01-15T23:59:30Z';

type Case = [
  what: string,
  version: string,
  isCompact: boolean,
  lines: string[],
  instant: string | null,
];

const compact3 = (...epochs: string[]): string[] =>
  epochs.flatMap((epoch) => [epoch, '', '3&20000000123 3&112984280509', '1 2']);

const CASES: Case[] = [
  [
    'RINEX 3',
    '3.04',
    false,
    ['> 2020 01 15 00 00  0.0000000  0  1', DATA, '> 2020 01 15 23 59 30.0000000  0  1', DATA],
    last,
  ],
  ['a power failure', '4.02', false, ['> 2020 01 15 23 59 30.0000000  1  1', DATA], last],
  [
    'records of an event that look like epochs',
    '3.05',
    false,
    [
      '> 2020 01 15 23 59 30.0000000  0  1',
      DATA,
      `>${' '.repeat(30)}4  2`,
      '> 2020 01 16 00 00  0.0000000  0  1                         COMMENT',
      '> 2020 01 17 00 00  0.0000000  0  1                         COMMENT',
    ],
    last,
  ],
  [
    'an external event after the last observation',
    '3.05',
    false,
    ['> 2020 01 15 23 59 30.0000000  0  1', DATA, '> 2020 01 16 00 00 10.0000000  5  0'],
    last,
  ],
  [
    'RINEX 2, with more than 12 satellites',
    '2.11',
    false,
    [
      ' 20  1 15  0  0  0.0000000  0  1G01',
      OLD_DATA,
      ' 20  1 15 23 59 30.0000000  0 13G01G02G03G04G05G06G07G08G09G10G11G12',
      '                                G13',
      OLD_DATA,
    ],
    last,
  ],
  [
    'RINEX 2 of 1998',
    '2',
    false,
    [' 98 12 31 23 59 30.0000000  0  1G01', OLD_DATA],
    '1998-12-31T23:59:30Z',
  ],
  [
    'RINEX 2, an event',
    '2.11',
    false,
    [
      ' 20  1 15 23 59 30.0000000  0  1G01',
      OLD_DATA,
      `${' '.repeat(28)}4  1`,
      ' 20  1 16  0  0  0.0000000  0  1                            COMMENT',
    ],
    last,
  ],
  ['no epoch', '3.04', false, [DATA], null],
  ['a day that does not exist', '3.04', false, ['> 2020 02 30 00 00  0.0000000  0  1', DATA], null],
  ['nothing', '3.04', false, [], null],
  [
    'compact RINEX 3',
    '3.04',
    true,
    compact3(
      '> 2020 01 15 00 00  0.0000000  0  2      G01G02',
      '                   3',
      '             23 59',
    ),
    last,
  ],
  [
    'compact RINEX 3 that begins anew, with another number of satellites',
    '3.04',
    true,
    [
      ...compact3('> 2020 01 14 00 00  0.0000000  0  2      G01G02'),
      '> 2020 01 15 23 59  0.0000000  0  1      G01',
      '',
      '3&20000000123',
      '                   3',
      '',
      '1',
    ],
    last,
  ],
  [
    'compact, with an event',
    '3.04',
    true,
    [
      ...compact3('> 2020 01 15 23 59 30.0000000  0  2      G01G02'),
      `>${' '.repeat(30)}4  1`,
      '> 2020 01 16 00 00  0.0000000  0  1                         COMMENT',
    ],
    last,
  ],
  [
    'compact RINEX 2',
    '2.11',
    true,
    [
      '&20  1 15  0  0  0.0000000  0  1G01',
      '',
      '3&20000000123',
      '          23 59 3',
      '',
      '1',
      '             &5',
      '',
      '2',
    ],
    '2020-01-15T23:05:30Z',
  ],
  ['compact, cut off', '3.04', true, ['> 2020 01 15 00 00  0.0000000  0  2      G01G02', ''], null],
  [
    'compact, lost',
    '3.04',
    true,
    ['> 2020 01 15 00 00  0.0000000  0  1', '', '1', 'what is this'],
    null,
  ],
];

t.test('the last epoch of a file', async (t) => {
  for (const [what, version, isCompact, lines, instant] of CASES)
    for (const [size, end] of [
      [1 << 16, '\n'],
      [7, '\r\n'],
    ] as const) {
      const text = lines.map((line) => line + end).join('');
      t.equal(await lastEpoch(pieces(text, size), { version, isCompact }), instant, what);
    }
});
