import t from 'tap';
import { isAsciiSiteLog } from '../../../src/site-log/text/blocks.js';
import { MOST_ITEMS } from '../../../src/site-log/record.js';
import type { SiteLog } from '../../../src/site-log/site-log.js';
import { LONGEST_NAME, LONGEST_TEXT } from '../../../src/site-log/values/limits.js';
import { attemptWithContacts, matchLog, shown, UNKNOWN_SITE } from '../reading.js';

/** A minimal site log. */
const HEAD = [
  '     TEST Site Information Form (site log)',
  '',
  '1.   Site Identification of the GNSS Monument',
  '     Site Name                : Testford',
  '     Four Character ID        : TEST',
];

const attempt = (...lines: string[]) => attemptWithContacts(lines.join('\n'));
/** Reads {@link HEAD} followed by the lines, which start on line 6. */
const afterHead = (...lines: string[]) => attempt(...HEAD, ...lines);

/** The same for a log that is not rejected. */
function read(...lines: string[]): { log: SiteLog; findings: string[] } {
  const { log, findings } = attempt(...lines);
  return { log: log!, findings: shown(findings) };
}
const readAfterHead = (...lines: string[]) => read(...HEAD, ...lines);

t.test('a text site log is recognized by its title or by the label of its id', async (t) => {
  for (const text of [
    HEAD.join('\n'),
    '     XXXX SITE INFORMATION FORM',
    'site information form',
    'no title\n     Four Character ID        : TEST',
    'no title\n     Nine Character ID        : TEST00AUS',
    'no title\r\tFour Character ID\t: TEST',
  ]) {
    t.ok(isAsciiSiteLog(text), text);
  }
  for (const text of [
    '',
    'Four Character ID',
    'the Four Character ID : TEST',
    '# A readme\n\nof nothing',
    '{"fourCharacterId": "TEST"}',
  ]) {
    t.notOk(isAsciiSiteLog(text), text);
  }
});

t.test('a log with nothing but an id is read, and everything else is unknown', async (t) => {
  const nothing = { datePrepared: null, agency: null, agencies: [], items: [], instruments: [] };
  const log = {
    form: 'IGS site log 1',
    identification: { ...UNKNOWN_SITE, name: 'Testford' },
    ...nothing,
  };
  t.strictSame(read(...HEAD), { log, findings: [] });
});

t.test('the version is detected from the id field, not from the title line', async (t) => {
  const one = read(
    'TEST Site Information Form (site log v2.0)',
    '1.   Site Identification of the GNSS Monument',
    '     Four Character ID : TEST',
  ).log;
  t.equal(one.form, 'IGS site log 1');
  const two = read(
    'TEST Site Information Form (site log)',
    '1.   Site Identification of the GNSS Monument',
    '     Nine Character ID : TEST00AUS',
  ).log;
  t.equal(two.form, 'IGS site log 2.0');
});

t.test('the id', async (t) => {
  const identify = (...lines: string[]) =>
    read('1.   Site Identification of the GNSS Monument', ...lines).log.identification;

  t.test(
    'the four-character id is the start of the nine-character id, in either case',
    async (t) => {
      for (const id of ['SYNT00AUS', 'synt00aus', ' Synt00Aus ']) {
        t.hasStrict(
          identify(`     Nine Character ID        : ${id}`),
          { fourCharacterId: 'SYNT', nineCharacterId: 'SYNT00AUS' },
          id,
        );
      }
    },
  );

  t.test(
    'a nine-character id takes precedence over a four-character id, and must not be blank',
    async (t) => {
      t.hasStrict(identify('     Four Character ID : SYNT', '     Nine Character ID : SYNT00AUS'), {
        nineCharacterId: 'SYNT00AUS',
      });
      t.match(
        attempt(
          '1.   Site Identification of the GNSS Monument',
          '     Four Character ID : TEST',
          '     Nine Character ID : (A9)',
        ).findings,
        [
          // A blank id is not in the log, so it has no line.
          {
            line: 1,
            level: 'error',
            code: 'no-site-id',
            values: { label: 'Nine Character ID', expected: null },
          },
        ],
      );
    },
  );

  t.test(
    'an id that is not valid rejects the log, with the line and the reason; a blank one has no line',
    async (t) => {
      const wrong: Record<string, string[]> = {
        'Four Character ID': [
          'TES',
          'TESTS',
          'TEST00AUS',
          'TE-T',
          'TE T',
          'TÉST',
          'unknown',
          '----',
        ],
        'Nine Character ID': [
          'TEST',
          'TEST00AU',
          'TEST00AUST',
          'TESTAUS00',
          'TEST0AAUS',
          'TEST00A1S',
          'TE-T00AUS',
          'TEST 00AUS',
        ],
      };
      for (const [label, ids] of Object.entries(wrong)) {
        const reason = { code: 'no-site-id', values: { label, expected: String } };
        for (const id of ids) {
          const { log, findings } = attempt(
            '1.   Site Identification of the GNSS Monument',
            '     Site Name : Testford',
            `     ${label}        : ${id}`,
          );
          t.match(
            [log, findings],
            [null, [{ file: 'test.log', line: 3, level: 'error', ...reason, text: id }]],
            id,
          );
          t.equal(findings.length, 1, id);
        }
        for (const blank of ['', '(A4)'])
          t.hasStrict(
            attempt('1.   Site Identification of the GNSS Monument', `     ${label} : ${blank}`)
              .findings,
            [{ line: 1, level: 'error' }],
          );
      }
    },
  );
});

t.test('blank templates', async (t) => {
  t.test('an item numbered x is a blank template, with nothing but hints', async (t) => {
    const receiver = [
      '3.x  Receiver Type            : (A20, from rcvr_ant.tab; see instructions)',
      '     Serial Number            :',
      '     Date Removed             : (CCYY-MM-DDThh:mmZ)',
    ];
    matchLog(t, afterHead(...receiver, '4.X  Antenna Type             :'), []);
  });

  t.test('one that somebody filled in is an item, with a finding', async (t) => {
    const receiver = ['3.x  Receiver Type            : R1', '     Serial Number            : 1'];
    const others = [
      '     Date Installed           : 2001-02-03',
      '4.X  Antenna Type             : A1',
      '8.1.x Humidity Sensor Model   : H1',
      '       Colour                 : grey',
    ];
    matchLog(
      t,
      afterHead(...receiver, ...others),
      [{ id: { type: 'R1', serialNumber: '1' } }, { id: { type: 'A1' } }, { id: { type: 'H1' } }],
      [
        '6 warning filled-template (3.1) isItem=true',
        '9 warning filled-template (4.1) isItem=true',
        '10 warning filled-template (8.1.1) isItem=true',
        '11 warning ignored-line (8.1.1) why=single count=1',
      ],
    );
  });

  t.test('words for unknown make no item of it, but are not lost in silence', async (t) => {
    const log = afterHead(
      '3.x  Receiver Type            :',
      '     Firmware Version         : not known',
    );
    matchLog(t, log, [], ['7 info filled-template (3) isItem=false']);
  });

  t.test('values other than the first make no item of it, with an info', async (t) => {
    for (const [first, more] of [
      ['(A20, from rcvr_ant.tab; see instructions)', '0 (deg)'],
      ['', '0.000'],
      ['none', '2001-02-03'],
      ['NO', '12'],
      ['(A20, from rcvr_ant.tab; see\ninstructions)', 'grey'],
      ['(BRICKS/TILES/etc)', '# 5 @ once'],
    ] as const) {
      const lines = first.split('\n');
      const log = afterHead(
        `4.x  Antenna Type             : ${lines[0]}`,
        ...lines.slice(1),
        `     Alignment from True N    : ${more}`,
        '     Date Installed           : (CCYY-MM-DDThh:mmZ)',
      );
      const place = first === 'NO' ? 6 : 6 + lines.length;
      matchLog(t, log, [], [`${place} info filled-template (4) isItem=false`], first);
    }
  });

  t.test('no spelling of a filler or hint in the first line makes an item of it', async (t) => {
    const fillers = ['n-a', 'None.', 'N.A.', '-none-', '"none"', 'nil', 'NA', 'unkn', '-', 'XXXX'];
    const hints = ['INTERNAL or EXTERNAL H-MASER/CESIUM/etc', 'H-MASER/CESIUM/QUARTZ'];
    const itemsWith = (first: string) =>
      afterHead(`6.x  Standard Type            : ${first}`, '       Notes : grey').log?.items;
    for (const first of [...fillers, 'TBD', 'not installed', '(n-a)', '(not known)', '.', ...hints])
      t.strictSame(itemsWith(first), [], first);
    for (const first of ['INTERNAL', 'NILE', 'NAV', 'CESIUM/X', 'NOTED RANGE 2'])
      t.equal(itemsWith(first)?.length, 1, first);
  });

  t.test('the examples of the form are no value without their parentheses either', async (t) => {
    const log = afterHead(
      '4.1  Antenna Type             : A1',
      '6.1  Standard Type            : INTERNAL or EXTERNAL H-MASER/CESIUM/etc',
      '3.1  Receiver Type            : -None-',
      '     Serial Number            : 12',
    );
    matchLog(
      t,
      log,
      [{ id: { type: null, serialNumber: '12' } }, { id: { type: 'A1' } }],
      ['7 info blank-block (6)'],
    );
  });

  t.test('a hint that an editor wrapped is no value of a numbered item', async (t) => {
    const log = afterHead(
      '4.1  Antenna Type             : A1',
      '     Antenna Reference Point  : (BPA/BCR/XXX from "antenna.gra"; see',
      'instr.)',
      '     Antenna Radome Type      : NONE',
    );
    const configuration = { antennaReferencePoint: null, radomeType: 'NONE' };
    matchLog(t, log, [{ id: { type: 'A1' }, configuration }]);
  });

  t.test('hints of other editions are of the form, whatever their labels', async (t) => {
    matchLog(
      t,
      afterHead(
        '3.1  Receiver Type            : R1',
        '     Tracking                 : (GPS/GLO/etc)',
        '8.5.x Other Instrumentation   : (multiple lines)',
        '       Effective Dates        : (CCYY-MM-DD/CCYY-MM-DD)',
        '9.1.x Radio Disturbance       : (TV/CELL PHONE ANTENNA/RADAR/etc)',
      ),
      [{ id: { type: 'R1' } }],
    );
  });

  t.test('a numbered item with nothing but placeholders is ignored, with a finding', async (t) => {
    const log = afterHead(
      '3.1  Receiver Type            : (A20, from rcvr_ant.tab; see instructions)',
      '     Date Removed             : (CCYY-MM-DDThh:mmZ)',
      '4.1',
      '8.1.1 Humidity Sensor Model   : ',
    );
    matchLog(t, log, [], ['6 info blank-block (3 and 4, 8.1)']);
  });
});

t.test('continuation lines', async (t) => {
  const LABEL = '     Additional Information   :';
  const MARGIN = ' '.repeat(32);
  const cases: Record<string, [lines: string[], notes: string][]> = {
    'may or may not have a leading colon': [
      [[`${LABEL} one`, `${MARGIN}two`, '                              : three'], 'one two three'],
      [[LABEL, '                              : one', `${MARGIN}two`], 'one two'],
      [
        [`${LABEL} one`, '                              :two', '                              :'],
        'one two',
      ],
    ],
    'may contain a colon': [
      [[`${LABEL} one`, `${MARGIN}two: three`], 'one two: three'],
      [[`${LABEL} one`, `${MARGIN}Serial No : 7`], 'one Serial No : 7'],
      [[`${LABEL} one`, '                              : : two'], 'one : two'],
    ],
    'may follow blank lines and be indented to any column from 20': [
      [[`${LABEL} one`, '', '     ', `${MARGIN}two`], 'one two'],
      [[`${LABEL} one`, `${' '.repeat(20)}two`, `${' '.repeat(60)}three`], 'one two three'],
    ],
  };
  for (const [title, each] of Object.entries(cases)) {
    t.test(title, async (t) => {
      for (const [lines, notes] of each)
        matchLog(t, afterHead('3.1  Receiver Type : R1', ...lines), [{ configuration: { notes } }]);
    });
  }

  t.test('may not be indented to column 19', async (t) => {
    const log = afterHead('3.1  Receiver Type : R1', `${LABEL} one`, `${' '.repeat(19)}two`);
    matchLog(
      t,
      log,
      [{ configuration: { notes: 'one' } }],
      ['8 warning ignored-line (3.1) why=single count=1'],
    );
  });

  t.test('of an unknown or duplicate label are ignored with it', async (t) => {
    const { log, findings } = readAfterHead(
      '     Monument Description     : PILLAR',
      '     Colour                   : grey',
      '                                and blue',
      '     Site Name                : Another',
      '                                name',
    );
    t.hasStrict(log.identification, { monumentDescription: 'PILLAR', name: 'Testford' });
    t.strictSame(findings, [
      '9 warning duplicate-value (1) quoted=["Site Name"]',
      '7 warning ignored-line (1) why=several count=2',
      '10 warning ignored-line (1) why=single count=1',
    ]);
  });
});

t.test('tabs are expanded to multiples of eight columns', async (t) => {
  const notes = ['\tAdditional Information\t: one', '\t\t\t\ttwo', '\t\t\t\t: three'];
  const antenna = ['4.1\tAntenna Type\t: SYNTH_A1\tNONE', '\tAntenna Radome Type\t: NONE'];
  matchLog(
    t,
    afterHead('3.1\tReceiver Type\t\t: R1', '\tSerial Number\t\t:\t1', ...notes, ...antenna),
    [
      { id: { type: 'R1', serialNumber: '1' }, configuration: { notes: 'one two three' } },
      { id: { type: 'SYNTH_A1        NONE' } },
    ],
  );
});

t.test('labels', async (t) => {
  t.test('are matched without regard to case, spaces and punctuation', async (t) => {
    const log = afterHead(
      '4.1  ANTENNA TYPE             : A1',
      '     Marker -> ARP Up Ecc (m) : 1',
      '     Marker->ARP North Ecc(m) : 2',
      '     marker->arp east ecc. (m): 3',
      '     Alignment from True N.   : 4 deg',
    );
    const eccentricities = {
      markerArpUpEccentricity: 1,
      markerArpNorthEccentricity: 2,
      markerArpEastEccentricity: 3,
    };
    matchLog(t, log, [
      { id: { type: 'A1' }, configuration: { ...eccentricities, alignmentFromTrueNorth: '4' } },
    ]);
  });

  t.test(
    'are recognized up to column 27; from column 28 they are part of the value above, with a finding',
    async (t) => {
      const lines = ['3.1  Receiver Type : R1', '     Additional Information : one'];
      const finding = '7 warning indented-label (3.1) quoted=["Serial Number"] isMissing=false';
      for (const [indent, serialNumber, findings] of [
        [0, '7', []],
        [27, '7', []],
        [28, null, [finding]],
      ] as const) {
        const log = afterHead(...lines, `${' '.repeat(indent)}Serial Number : 7`);
        matchLog(t, log, [{ id: { serialNumber } }], [...findings]);
      }
    },
  );

  t.test('are recognized from column 28 where the form has them next', async (t) => {
    const lines = ['3.1  Receiver Type : R1', `${' '.repeat(32)}Serial Number : 7`];
    matchLog(t, afterHead(...lines, '     Firmware Version : 2'), [
      { id: { type: 'R1', serialNumber: '7' }, configuration: { firmwareVersion: '2' } },
    ]);
  });

  t.test('and firmware keeps the blanks of its line', async (t) => {
    const lines = ['3.1  Receiver Type : R1', '     Firmware Version : Nav  1.30'];
    matchLog(t, afterHead(...lines), [{ configuration: { firmwareVersion: 'Nav  1.30' } }]);
  });

  t.test('that are unknown and stand alone are a finding of one line', async (t) => {
    const log = afterHead('     Paint : grey', '3.1  Receiver Type : R1');
    const findings = ['6 warning ignored-line (1) why=single count=1'];
    matchLog(t, log, [{ id: { type: 'R1' } }], findings);
  });

  t.test(
    'that are unknown are ignored with a finding, in every section that is read',
    async (t) => {
      const unknown = ['Colour', 'constructor', '__proto__'];
      const log = afterHead(
        '3.1  Receiver Type : R1',
        ...unknown.map((label) => `     ${label} : grey`),
      );
      const findings = ['7 warning ignored-line (3.1) why=several count=3'];
      matchLog(t, log, [{ id: { type: 'R1' } }], findings);
      t.equal(log.findings[0]?.lastLine, 9);
    },
  );
});

t.test('items', async (t) => {
  t.test('are ordered by kind as in a Setup, and within a kind as in the log', async (t) => {
    const lines = [
      '8.1.1 Humidity Sensor Model : H1',
      '6.1  Standard Type : C1',
      '4.2  Antenna Type : A2',
      '4.1  Antenna Type : A1',
    ];
    const more = [
      '3.10 Receiver Type : R10',
      '3.2  Receiver Type : R2',
      '6.2  Standard Type : C2',
      '3.1  Receiver Type : R1',
    ];
    const items = readAfterHead(...lines, ...more).log.items.map(
      ({ id, line }) => `${line} ${id.type}`,
    );
    t.strictSame(items, ['10 R10', '11 R2', '13 R1', '8 A2', '9 A1', '6 H1', '7 C1', '12 C2']);
  });

  t.test('start at a header without a label', async (t) => {
    const receivers = ['3.1', '     Receiver Type : R1', '3.2.', '     Serial Number : 2'];
    matchLog(t, afterHead(...receivers, '8.1.1', '     Humidity Sensor Model : H1'), [
      { id: { type: 'R1' }, line: 6 },
      { id: { type: null, serialNumber: '2' }, line: 8 },
      { id: { type: 'H1' }, line: 10 },
    ]);
  });

  t.test('end at other sections', async (t) => {
    const log = afterHead(
      '3.1  Receiver Type : R1',
      '5.   Surveyed Local Ties',
      '5.1  Tied Marker Name : T1',
      '     Serial Number : 5',
      '8.2.1 Pressure Sensor Model : P1',
      '     Serial Number : 82',
      '9.1.1 Radio Interferences : R1',
      '     Serial Number : 91',
      '13.  More Information',
      '     Serial Number : 13',
      '     Receiver Type : R13',
    );
    const findings = [
      '9 warning ignored-line (5.1) why=single count=1',
      '13 warning ignored-line (9.1.1) why=single count=1',
      '15 warning ignored-line (13) why=several count=2',
    ];
    matchLog(t, log, [{ id: { type: 'R1', serialNumber: null } }], findings);
  });

  t.test(`${MOST_ITEMS} are accepted, one more rejects the log`, async (t) => {
    const receivers = (count: number): string[] =>
      Array.from({ length: count }, (_, index) => `3.${index}  Receiver Type : R${index}`);
    t.equal(readAfterHead(...receivers(MOST_ITEMS)).log.items.length, MOST_ITEMS);
    const line = HEAD.length + MOST_ITEMS + 1;
    t.match(afterHead(...receivers(MOST_ITEMS + 1)).findings, [
      { level: 'error', line, code: 'too-large', values: { of: 'equipment', most: MOST_ITEMS } },
    ]);
  });
});

t.test('the dates of items', async (t) => {
  t.test('an item without Date Installed has no start', async (t) => {
    const dated = afterHead(
      '3.1  Receiver Type : R1',
      '     Date Installed :',
      '     Date Removed : 2004-05-06',
    );
    matchLog(t, dated, [{ from: null, to: '2004-05-06T00:00:00Z' }]);
    matchLog(t, afterHead('3.1  Receiver Type : R1'), [{ from: null, to: null }]);
  });

  t.test(
    'unreadable ends of Effective Dates give one finding on their line, rather than one about a remark',
    async (t) => {
      for (const [dates, from] of [
        ['2011-20-07/2012-20-07', null],
        ['2011-20-07/', null],
        ['2011-07-20 (first)/2012-20-07', '2011-07-20T00:00:00Z'],
      ] as const) {
        const finding =
          '7 warning unreadable-value (6.1) Effective Dates: expected=a day of the calendar (CCYY-MM-DD)' +
          (from === null ? '' : ' assumed={"from":null,"isOpen":true}');
        matchLog(
          t,
          afterHead('6.1  Standard Type : INTERNAL', `       Effective Dates : ${dates}`),
          [{ from, to: null }],
          [finding],
          dates,
        );
      }
    },
  );

  t.test('Date Prepared comes from section 0 only', async (t) => {
    const { log } = readAfterHead(
      '     Date Installed : 2001-02-03',
      '0.   Form',
      '     Date Prepared : 2019-11-05T10:11Z',
    );
    t.equal(log.datePrepared, '2019-11-05');
    const unreadable = readAfterHead('0.   Form', '     Date Prepared : 2019-20-05');
    t.equal(unreadable.log.datePrepared, null);
    t.strictSame(unreadable.findings, [
      '7 warning unreadable-value (0) Date Prepared: expected=a day of the calendar (CCYY-MM-DD)',
    ]);
  });
});

t.test('lines end at CR, LF or CRLF, and nowhere else', async (t) => {
  for (const character of ['\u2028', '\u2029', '\u0085', '\u000b', '\f']) {
    const log = afterHead(`3.1  Receiver Type : R1${character}a`, '3.2  Receiver Type : R2');
    matchLog(
      t,
      log,
      [{ line: 6 }, { line: 7 }],
      [],
      `U+${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  }
});

t.test('a text value is cut at the most characters, with a finding', async (t) => {
  const almost = 'x'.repeat(LONGEST_TEXT - 1);
  for (const [notes, kept] of [
    [`${almost}x`, `${almost}x`],
    [`${almost} y`, almost],
    [`${almost}🛰`, almost],
  ] as const) {
    const log = afterHead('3.1  Receiver Type : R1', `     Additional Information : ${notes}`);
    const findings =
      kept === notes
        ? []
        : ['7 warning long-value (3.1) Additional Information: length=4001 most=4000'];
    matchLog(t, log, [{ configuration: { notes: kept } }], findings);
  }
});

t.test('a value that identifies a device is cut earlier', async (t) => {
  const [type, serialNumber] = ['x'.repeat(LONGEST_NAME), '1'.repeat(LONGEST_NAME)];
  const log = afterHead(`3.1  Receiver Type : ${type}`, `     Serial Number : ${serialNumber}1`);
  matchLog(
    t,
    log,
    [{ id: { type, serialNumber } }],
    ['7 warning long-value (3.1) Serial Number: length=601 most=600'],
  );
});

t.test(
  'a null character, which not every database can store, becomes a replacement character',
  async (t) => {
    const log = afterHead('3.1  Receiver Type : R\0X', '     Serial Number : \0');
    const items = [{ id: { type: 'R\ufffdX', serialNumber: '\ufffd' } }];
    matchLog(t, log, items, ['6 warning invisible-character characters=null']);
  },
);

t.test('character references are decoded, with one finding for each value', async (t) => {
  const receiver = [
    '3.1  Receiver Type : R1',
    '     Additional Information   : M&#233;t&#233;o',
    `${' '.repeat(32)}&#38;#233;`,
  ];
  const clock = [
    '6.1  Standard Type : INTERNAL',
    '       Effective Dates        : 2001&#45;01-01/2002-01-01',
  ];
  const items = [
    { configuration: { notes: 'Météo &#233;' } },
    { from: '2001-01-01T00:00:00Z', to: '2002-01-01T00:00:00Z' },
  ];
  const findings = ['7 info decoded-references (3.1, 6.1)'];
  matchLog(t, afterHead(...receiver, ...clock), items, findings);
});

t.test('the text of a finding is put on one line and shortened', async (t) => {
  const { findings } = afterHead(
    '     Date Installed : never',
    `${' '.repeat(32)}${'x'.repeat(500)}`,
  );
  t.hasStrict(findings, [{ text: `never ${'x'.repeat(114)}…` }]);
});

t.test('a unit or a filler that a program prints beside a number is blank', async (t) => {
  const { log, findings } = readAfterHead(
    '3.   GNSS Receiver Information',
    '3.1  Receiver Type            : R1',
    '     Elevation Cutoff Setting : deg',
    '3.x  Receiver Type            : (A20, from rcvr_ant.tab; see instructions)',
    '     Elevation Cutoff Setting : N/A deg',
    '4.   GNSS Antenna Information',
    '4.1  Antenna Type             : A1',
    '     Alignment from True N    : N/A deg',
    '     Antenna Cable Length     : unknown m',
    '6.   Frequency Standard',
    '6.1  Standard Type            : INTERNAL',
    '     Input Frequency          : n/a MHz',
    '6.x  Standard Type            : (INTERNAL or EXTERNAL H-MASER/CESIUM/etc)',
    '     Input Frequency          : MHz',
  );
  t.strictSame(findings, []);
  t.match(log.items, [
    { configuration: { elevetionCutoffSetting: null } },
    { configuration: { alignmentFromTrueNorth: null, antennaCableLength: null } },
    { configuration: { inputFrequency: null } },
  ]);
  t.equal(log.items.length, 3, 'templates are no items');
});

t.test('a number is read in spite of a second unit, a tolerance or words', async (t) => {
  const { log, findings } = readAfterHead(
    '4.   GNSS Antenna Information',
    '4.1  Antenna Type             : A1',
    '     Marker->ARP Up Ecc. (m)  : 0.055 +/- 0.001',
    '     Marker->ARP North Ecc(m) : < 0.01',
    '     Alignment from True N    : 0 degrees/no offset deg',
    '     Antenna Cable Length     : 11 m m',
    '8.   Meteorological Instrumentation',
    '8.2.1 Pressure Sensor Model   : P1',
    '       Data Sampling Interval : 1 minute sec',
    '       Accuracy               : ±2',
  );
  t.match(log.items, [
    {
      configuration: {
        markerArpUpEccentricity: 0.055,
        markerArpNorthEccentricity: null,
        alignmentFromTrueNorth: '0',
        antennaCableLength: '11',
      },
    },
  ]);
  t.match(log.instruments, [{ configuration: { dataSamplingInterval: '60', accuracy: '2' } }]);
  t.strictSame(findings, [
    '8 info deviating-value (4.1) Marker->ARP Up Ecc. (m): deviation=number with a tolerance read=0.055',
    '9 warning unreadable-value (4.1) Marker->ARP North Ecc(m): expected=a number of metres',
    '10 info deviating-value (4.1) Alignment from True N: deviation=number followed by a remark read=0',
    '14 info deviating-value (8.2.1) Data Sampling Interval: deviation=unit before that of the form read=60',
    '15 info deviating-value (8.2.1) Accuracy: deviation=tolerance read=2',
  ]);
});
