import t from 'tap';
import { type Row, SECTIONS } from '../../../src/site-log/sections/index.js';
import { readDay, readEffectiveDates, readInstant } from '../../../src/site-log/values/dates.js';
import { METRES, readAngle, readDecimal } from '../../../src/site-log/values/numbers.js';
import { isBlankDrawing, isHint } from '../../../src/site-log/values/hints.js';
import { LONGEST_VALUE } from '../../../src/site-log/values/limits.js';
import {
  antennaType,
  decodeReferences,
  readCode,
  readProse,
  readRadome,
  readRaw,
  readSatelliteSystem,
  readStabilization,
  readString,
} from '../../../src/site-log/values/reading.js';

/** The placeholders of the blank forms: all that the writers print, and some of other versions. */
const HINTS = [
  '(YYYY-MM-DDThh:mmZ)',
  '(GPS+GLONASS)',
  '(GPS/GLONASS/GPS+GLONASS)',
  '(deg C) +/- (deg C)',
  '(H-MASER/CESIUM/QUARTZ/INTERNAL/RUBIDIUM)',
  ...Object.values(SECTIONS).flatMap(({ rows }) =>
    Object.values<Row>(rows).flatMap(({ hint }) => (hint === undefined ? [] : [`(${hint})`])),
  ),
];

/** Every reader. The result is a value, or a value with a remark. */
const READERS: Record<string, (text: string) => unknown> = {
  readRaw,
  readString,
  readProse,
  readStabilization,
  readRadome,
  readSatelliteSystem,
  readDecimal: (text) => readDecimal(text, METRES),
  readInstant,
  readDay,
  readAngle: (text) => readAngle(text, 90),
  readEffectiveDates,
};
/** The result of a reader for an unknown value without a finding. */
function nothing(reader: string): string {
  if (reader === 'readEffectiveDates')
    return JSON.stringify({ from: { value: null }, to: { value: null } });
  const isOneValue = ['readDecimal', 'readInstant', 'readDay', 'readAngle'].includes(reader);
  return JSON.stringify(isOneValue ? { value: null } : null);
}
/** The texts for which a reader returns a value or a finding. */
const noticed = (reader: string, texts: string[]): string[] =>
  texts.filter((text) => JSON.stringify(READERS[reader]!(text)) !== nothing(reader));

t.test(
  'every reader treats placeholders of the blank form, and blank text, as unknown, without a finding',
  async (t) => {
    const texts = HINTS.flatMap((hint) => [
      hint,
      `  ${hint}\t`,
      hint.toUpperCase(),
      hint.toLowerCase(),
    ]);
    t.ok(texts.every((text) => isHint(text)));
    const blank = ['', ' ', '\t', ' \n \r\n ', '\u00a0'];
    for (const reader of Object.keys(READERS))
      t.strictSame(noticed(reader, [...texts, ...blank]), [], reader);
  },
);

t.test(
  'a temperature stabilization that begins with its unit is a value, as written',
  async (t) => {
    for (const text of ['(deg C) +/- 1.0', '(deg C) 20 +/- 1', '20.0 +/- 2.0 (deg C)']) {
      t.notOk(isHint(text));
      t.equal(readStabilization(text), text);
    }
  },
);

t.test('a hint that somebody edited is still a hint', async (t) => {
  // prettier-ignore
  const cases = [
    '(multiple lines)1', '(multiple lines).', '(multiple lines) (multiple lines)', '(mulitple lines)',
    '(Multiple Line)', '(multiple-lines)', '(multiple lines', '(none)', '(None)', '(unknown)', '(n/a)',
    '(INTERNAL/EXTERNAL)', '(H-MASER/CESIUM/etc)', '(0 cm/1-10 cm/11-50 cm/51-200 cm/over 200 cm)',
    '(TREES/BUILDINGS)', '(BRICKS/TILES/etc)', '(BRICKS/TILES/..)', '(dd-MMM-yyyy hh:mm UT)', '(A3)',
    '(A20 from rcvr_ant.tab; see instructions)', '(GPS+GLO+GAL+CMP+QZSS+SBAS)', '()', '(XXXX)',
    '(ssssmrccc_ccyymmdd.log)', '(BPA/BCR/XXX from "antenna.gra"; see instructions)',
    '(insert text graphic from antenna.gra)', '(0 cm/1-10 cm/11-50 cm/51-200 cm/over 200 cm)',
    '( deg C ) +/-\n( deg  C )', '(deg C)+/-(deg C)', '(CCYY-MM-DD)/(CCYY-MM-DD)', '(m) (m)', '((m))',
    '(insert text graphic from file "antenna.gra")',
  ];
  for (const reader of ['readRaw', 'readProse', 'readRadome'])
    t.strictSame(noticed(reader, cases), [], reader);
});

t.test('what stands behind a hint is not lost, whatever it ends with', async (t) => {
  for (const text of [
    '(Y or URL) https://example.org/map (new)',
    '(BEDROCK/CLAY/CONGLOMERATE/GRAVEL/SAND/etc) clay (wet)',
    '(insert text graphic from file antenna.gra)\n  +---+\n  | x |  TOP (ARP)',
    '(insert text graphic from file antenna.gra\n  +---+\n  | x |  TOP (ARP)',
    '(insert text graphic from file antenna.gra\n  +---+\n  | x |  TOP ARP )',
    '(Y or URL https://example.org/map (new)',
    '(Y or URL https://example.org/map)',
    '(deg C) +/- (1.0)',
  ]) {
    t.notOk(isHint(text));
    t.notOk(isHint(text, true));
    t.equal(readRaw(text), text);
  }
  for (const text of ['2010', '5.3', '3/4']) t.equal(readRaw(`(multiple lines) ${text}`), text);
});

t.test('a hint that was cut is one only where no value is expected', async (t) => {
  for (const text of ['(deg C) +/- (deg C', '(multiple lines', 'm)', '(m']) {
    t.equal(isHint(text, true), true, text);
    t.equal(isHint(text), text === '(multiple lines', text);
  }
});

t.test('a drawing is blank if it has nothing but hints', async (t) => {
  const hint = '(insert text graphic from file antenna.gra)';
  const drawing = '  +---+\n  | x |';
  for (const text of [
    '',
    hint,
    `${hint}\n${hint}`,
    hint.replace('file ', 'file\n'),
    '(multiple lines)',
  ])
    t.equal(isBlankDrawing(text), true, text);
  for (const text of [drawing, `${hint}\n${drawing}`, `(multiple lines)\n${drawing}`])
    t.equal(isBlankDrawing(text), false, text);
});

t.test('text behind the hint (multiple lines) is the value', async (t) => {
  t.equal(
    readProse('(multiple lines)\nA concrete pillar (see photo)'),
    'A concrete pillar (see photo)',
  );
  t.equal(readProse('(mulitple lines) (multiple lines) 5 m cable'), '5 m cable');
  t.equal(readProse('(multiple lines) unknown'), null);
  t.equal(readProse('A pillar (multiple lines)'), 'A pillar (multiple lines)', 'not at the start');
});

t.test(
  'a hint, number, angle, date or type of the most characters is read, a longer one is not',
  async (t) => {
    const cases: [
      read: (text: string) => unknown,
      make: (blanks: string) => string,
      value: unknown,
      other: unknown,
    ][] = [
      [isHint, (blanks) => `(m${blanks})`, true, false],
      [
        (text) => antennaType(text, 'NONE'),
        (blanks) => `A${blanks}NONE`,
        'A               NONE',
        undefined,
      ],
      [(text) => readDecimal(text, METRES).value, (blanks) => `-${blanks}1`, -1, null],
      [(text) => readAngle(text, 90).value, (blanks) => `-23${blanks}deg`, -23, null],
      [
        (text) => readInstant(text).value,
        (blanks) => `2011-07-20${blanks}x`,
        '2011-07-20T00:00:00Z',
        null,
      ],
      [
        (text) => readEffectiveDates(text).from.value,
        (blanks) => `2011-07-20/${blanks}2012-07-20`,
        '2011-07-20T00:00:00Z',
        null,
      ],
    ];
    for (const [read, make, value, other] of cases) {
      const text = (length: number): string => make(' '.repeat(length - make('').length));
      t.equal(read(text(LONGEST_VALUE)), value, make(' '));
      t.equal(
        read(text(LONGEST_VALUE + 1)),
        other === undefined ? text(LONGEST_VALUE + 1) : other,
        make(' '),
      );
    }
    t.equal(LONGEST_VALUE, 200);
  },
);

t.test('other text in parentheses is a value', async (t) => {
  // prettier-ignore
  const cases = [
    '(spare receiver)', '(on loan, see notes)', '(4 screws)', '(multiple antennas)', '(INTERNAL)',
    '(trees/hill to the east)', '(TV/radio mast 200 m north)', '(permanent/since 2004)', '(SN ratio/low)',
    '(1-10 cm/mostly)', '(Y)', '(see photo, etc. of 2004)', '(CCYY-MM-DD/1999-08-18)', 'multiple lines', 'A4', '(A4', 'A4)', `(${' '.repeat(300)}m)`,
  ];
  for (const text of cases) {
    t.equal(isHint(text), false, text);
    t.equal(readRaw(text), text, text);
  }
});

t.test(
  'words for "unknown" are unknown, without a finding, except where they are values',
  async (t) => {
    const none = ['none', 'None', 'NONE', ' none '];
    // prettier-ignore
    const unknown = [
    'n/a', 'N/A', 'n.a.', 'unknown', ' Unknown', 'UNKNOWN', 'unkn', 'UNKN', 'not known', 'not available', '-', '---',
    '?', '???',
  ];
    for (const reader of Object.keys(READERS)) {
      if (reader === 'readRaw') continue;
      t.strictSame(noticed(reader, unknown), [], reader);
      t.strictSame(
        noticed(reader, none),
        ['readStabilization', 'readRadome'].includes(reader) ? none : [],
        reader,
      );
    }
    for (const text of [...none, ...unknown])
      t.equal(readRaw(text), text.trim(), 'readRaw returns the text as written');
  },
);

t.test(
  'character references are decoded, except those of control characters and of no character',
  async (t) => {
    for (const [text, expected] of [
      ['M&#233;t&#233;o', 'Météo'],
      ['6&#8221; casing', '6” casing'],
      ['&#xE9;&#XE9;', 'éé'],
      ['&#128752;', '🛰'],
      ['&#38;#233;', '&#233;'],
    ] as const) {
      t.equal(decodeReferences(text), expected, text);
    }
    // prettier-ignore
    const cases = [
    'AT&T', '&amp;', '&eacute;', '&#233', '&#;', '&#x;', '&#27;', '&#x0;', '&#139;', '&#xD800;', '&#1114112;',
    '&#9999999;',
  ];
    for (const text of cases) t.equal(decodeReferences(text), text, text);
  },
);

t.test('readString preserves inner spaces, readProse collapses them', async (t) => {
  t.equal(readString('  AOAD/M_T        NONE  '), 'AOAD/M_T        NONE');
  t.equal(
    readProse('  concrete   pillar\n of\t2.4 m\r\n\n built 1999 '),
    'concrete pillar of 2.4 m built 1999',
  );
});

t.test('an Antenna Type has 20 columns, with significant spaces', async (t) => {
  t.equal(
    antennaType('LEIAR25.R3      NONE', 'NONE'),
    'LEIAR25.R3      NONE',
    'already in its columns',
  );
  t.equal(
    antennaType('LEIAR25.R3      NONE', null),
    'LEIAR25.R3      NONE',
    'without a separate radome',
  );
  t.equal(
    antennaType('LEIAR25.R3 NONE', 'NONE'),
    'LEIAR25.R3      NONE',
    'spaces collapsed by XML',
  );
  t.equal(antennaType('LEIAR25.R3\tNONE', 'NONE'), 'LEIAR25.R3      NONE', 'a tab');
  t.equal(
    antennaType('LEIAR25.R3                 NONE', 'NONE'),
    'LEIAR25.R3      NONE',
    'too many spaces',
  );
  t.equal(
    antennaType('JAV_RINGANT_G3T NONE', 'NONE'),
    'JAV_RINGANT_G3T NONE',
    'a name of 15 columns',
  );
  t.equal(
    antennaType('ABCDEFGHIJKLMNOPSCIS', 'SCIS'),
    'ABCDEFGHIJKLMNOPSCIS',
    'a name of 16 columns',
  );
  t.equal(
    antennaType('ABCDEFGHIJKLMNOP SCIS', 'SCIS'),
    'ABCDEFGHIJKLMNOPSCIS',
    'a name of 16 columns and an extra space',
  );
  t.equal(antennaType('TEST MODEL A NONE', 'NONE'), 'TEST MODEL A    NONE', 'a name with a space');
});

t.test('one word and a radome are an Antenna Type, whatever the separate radome', async (t) => {
  for (const separate of ['SCIS', 'NONE', null])
    t.equal(antennaType('AOAD/M_T SCIS', separate), 'AOAD/M_T        SCIS', String(separate));
  for (const type of [
    'DORNE MARGOLIN TRIM',
    'Choke ring',
    'AOAD/M_T SCI',
    'AOAD/M_T SCISX',
    'SCIS',
  ])
    t.equal(antennaType(type, null), type);
});

t.test('a word for "unknown" beside a radome is no type', async (t) => {
  for (const type of ['UNKNOWN         NONE', 'NONE            NONE', 'n/a NONE', 'UNKNOWN', ''])
    t.equal(readCode(type), null, type);
  for (const type of ['UNKNOWN2        NONE', 'NOV             NONE', 'LEIAR25.R3      NONE'])
    t.equal(readCode(type), type);
});

t.test('an Antenna Type that does not end with the separate radome stays as written', async (t) => {
  t.equal(antennaType('AOAD/M_T', 'NONE'), 'AOAD/M_T');
  t.equal(antennaType('TEST MODEL A SCIS', 'NONE'), 'TEST MODEL A SCIS');
  t.equal(
    antennaType('A NAME OF MORE THAN 16 COLUMNS NONE', 'NONE'),
    'A NAME OF MORE THAN 16 COLUMNS NONE',
  );
});

t.test('satellite systems become codes joined by +, in order and without duplicates', async (t) => {
  // prettier-ignore
  const cases = [
    ['GPS', 'GPS'], ['GPS+GLO+GAL', 'GPS+GLO+GAL'], ['GPS/GLONASS', 'GPS+GLO'], ['GPS / GLONASS', 'GPS+GLO'],
    ['GPS, GLONASS; GALILEO & BEIDOU', 'GPS+GLO+GAL+BDS'], ['glonass', 'GLO'],
    ['GPS+CMP+QZS+NAVIC+SBAS', 'GPS+BDS+QZSS+IRNSS+SBAS'], ['GPS+COMPASS+IRNS', 'GPS+BDS+IRNSS'],
    ['GPS+GLO+GLONASS+GPS', 'GPS+GLO'], ['+GPS+', 'GPS'], ['DORIS', 'DORIS'],
  ] as const;
  for (const [text, expected] of cases) t.equal(readSatelliteSystem(text), expected, text);
  t.equal(readSatelliteSystem('+/,'), null, 'only separators');
});
