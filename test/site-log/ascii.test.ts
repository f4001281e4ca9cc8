import t, { type Test } from 'tap';
import { isAsciiSiteLog } from '../../src/site-log/ascii-blocks.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { MOST_ITEMS, recordOf } from '../../src/site-log/record.js';
import { type Finding, Findings, type LogItem, type SiteLog, SiteLogRejected } from '../../src/site-log/site-log.js';
import { LONGEST_NAME, LONGEST_TEXT } from '../../src/site-log/values.js';
import { UNKNOWN_SITE } from './unknown-site.js';

/** A minimal site log. */
const HEAD = [
  '     TEST Site Information Form (site log)',
  '',
  '1.   Site Identification of the GNSS Monument',
  '     Site Name                : Testford',
  '     Four Character ID        : TEST',
];

/** Findings as `line level: message`. */
const shown = (findings: Finding[]): string[] => findings.map(({ line, level, message }) => `${line} ${level}: ${message}`);

function read(...lines: string[]): { log: SiteLog; findings: string[] } {
  const findings = new Findings('test.log');
  const log = recordOfText(lines.join('\n'), findings);
  return { log, findings: shown(findings.list) };
}

const recordOfText = (text: string, findings: Findings): SiteLog => recordOf(readSections(Buffer.from(text), findings), findings);

/** Reads {@link HEAD} followed by the lines, which start on line 6. */
const readAfterHead = (...lines: string[]): { log: SiteLog; findings: string[] } => read(...HEAD, ...lines);

/** The findings of a rejected log, of which the last is the reason; empty if it is not rejected. */
function rejection(...lines: string[]): Finding[] {
  const findings = new Findings('test.log');
  try {
    recordOfText(lines.join('\n'), findings);
  } catch (error) {
    if (error instanceof SiteLogRejected) return error.findings;
    throw error;
  }
  return [];
}

/** Asserts the number of items and the expected members of each. */
function matchItems(t: Test, items: LogItem[], expected: object[], message = 'items'): void {
  t.equal(items.length, expected.length, message);
  t.hasStrict(items, expected, message);
}

const types = (items: LogItem[]): (string | null)[] => items.map(({ id }) => id.type);

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
  for (const text of ['', 'Four Character ID', 'the Four Character ID : TEST', '# A readme\n\nof nothing', '{"fourCharacterId": "TEST"}']) {
    t.notOk(isAsciiSiteLog(text), text);
  }
});

t.test('a log with nothing but an id is read, and everything else is unknown', async (t) => {
  const { log, findings } = read(...HEAD);
  t.strictSame(log, {
    form: 'IGS site log 1',
    datePrepared: null,
    agency: null,
    identification: { ...UNKNOWN_SITE, name: 'Testford' },
    items: [],
    instruments: [],
  });
  t.strictSame(findings, []);
});

t.test('the version is detected from the id field, not from the title line', async (t) => {
  const one = read('TEST Site Information Form (site log v2.0)', '1.   Site', '     Four Character ID : TEST').log;
  t.equal(one.form, 'IGS site log 1');
  const two = read('TEST Site Information Form (site log)', '1.   Site', '     Nine Character ID : TEST00AUS').log;
  t.equal(two.form, 'IGS site log 2.0');
});

t.test('the id', async (t) => {
  const identify = (...lines: string[]) => read('1.   Site Identification', ...lines).log.identification;

  t.test('a lower-case four-character id is converted to upper case', async (t) => {
    t.equal(identify('     Four Character ID        : tes1').fourCharacterId, 'TES1');
  });

  t.test('the four-character id is the start of the nine-character id, in either case', async (t) => {
    for (const id of ['SYNT00AUS', 'synt00aus', ' Synt00Aus ']) {
      t.hasStrict(identify(`     Nine Character ID        : ${id}`), { fourCharacterId: 'SYNT', nineCharacterId: 'SYNT00AUS' }, id);
    }
  });

  t.test('a nine-character id takes precedence over a four-character id, and must not be blank', async (t) => {
    t.hasStrict(identify('     Four Character ID : TEST', '     Nine Character ID : SYNT00AUS'), { fourCharacterId: 'SYNT' });
    t.match(rejection('1.   Site Identification', '     Four Character ID : TEST', '     Nine Character ID : (A9)'), [
      // A blank id is not in the log, so it has no line.
      { line: 1, level: 'error', message: /^Nine Character ID: not nine characters/ },
    ]);
  });

  t.test('an id that is not valid rejects the log, with the line and the reason; a blank one has no line', async (t) => {
    const wrong: Record<string, string[]> = {
      'Four Character ID': ['TES', 'TESTS', 'TEST00AUS', 'TE-T', 'TE T', 'TÉST', 'unknown', '----'],
      'Nine Character ID': ['TEST', 'TEST00AU', 'TEST00AUST', 'TESTAUS00', 'TEST0AAUS', 'TEST00A1S', 'TE-T00AUS', 'TEST 00AUS'],
    };
    for (const [label, ids] of Object.entries(wrong)) {
      const message = new RegExp(`^${label}: not (four letters, digits or underscores|nine characters)`);
      for (const id of ids) {
        const findings = rejection('1.   Site Identification', '     Site Name : Testford', `     ${label}        : ${id}`);
        t.match(findings, [{ file: 'test.log', line: 3, level: 'error', message, text: id }], id);
        t.equal(findings.length, 1, id);
      }
      for (const blank of ['', '(A4)'])
        t.hasStrict(rejection('1.   Site Identification', `     ${label} : ${blank}`), [{ line: 1, level: 'error' }]);
    }
  });
});

t.test('blank templates', async (t) => {
  t.test('an item numbered x is a blank template, whatever its content', async (t) => {
    const { log, findings } = readAfterHead(
      '3.x  Receiver Type            : R1',
      '     Serial Number            : 1',
      '     Date Installed           : 2001-02-03',
      '4.X  Antenna Type             : A1',
      '6.x  Standard Type            : INTERNAL',
      '8.1.x Humidity Sensor Model   : H1',
      '       Colour                 : grey',
    );
    t.strictSame(log.items, []);
    t.strictSame(findings, []);
  });

  t.test('a numbered item with nothing but placeholders is ignored, with a finding', async (t) => {
    const { log, findings } = readAfterHead(
      '3.1  Receiver Type            : (A20, from rcvr_ant.tab; see instructions)',
      '     Satellite System         : (GPS+GLO+GAL+BDS+QZSS+SBAS)',
      '     Serial Number            : (A20, but note the first A5 is used in SINEX)',
      '     Elevation Cutoff Setting : (deg)',
      '     Date Installed           : (CCYY-MM-DDThh:mmZ)',
      '     Date Removed             : (CCYY-MM-DDThh:mmZ)',
      '     Temperature Stabiliz.    : (none or tolerance in degrees C)',
      '4.1',
      '8.1.1 Humidity Sensor Model   : ',
    );
    t.strictSame(log.items, []);
    t.strictSame(findings, [
      '6 info: section 3: block without any values; ignored as a blank template',
      '13 info: section 4: block without any values; ignored as a blank template',
      '14 info: section 8.1: block without any values; ignored as a blank template',
    ]);
  });
});

t.test('continuation lines', async (t) => {
  /** The notes of a receiver and the findings. */
  const notes = (...lines: string[]) => {
    const { log, findings } = readAfterHead('3.1  Receiver Type            : R1', ...lines);
    const { configuration } = log.items[0]!;
    return { notes: 'notes' in configuration ? configuration.notes : undefined, findings };
  };

  const LABEL = '     Additional Information   :';
  const MARGIN = ' '.repeat(32);
  const cases: Record<string, [lines: string[], notes: string][]> = {
    'may or may not have a leading colon': [
      [[`${LABEL} one`, `${MARGIN}two`, '                              : three'], 'one two three'],
      [[LABEL, '                              : one', `${MARGIN}two`], 'one two'],
      [[`${LABEL} one`, '                              :two', '                              :'], 'one two'],
    ],
    'may contain a colon': [
      [[`${LABEL} one`, `${MARGIN}two: three`], 'one two: three'],
      [[`${LABEL} one`, `${MARGIN}Serial Number : 7`], 'one Serial Number : 7'],
      [[`${LABEL} one`, '                              : : two'], 'one : two'],
    ],
    'may follow blank lines and be indented to any column from 20': [
      [[`${LABEL} one`, '', '     ', `${MARGIN}two`], 'one two'],
      [[`${LABEL} one`, '                         two', `${' '.repeat(60)}three`], 'one two three'],
    ],
  };
  for (const [title, each] of Object.entries(cases)) {
    t.test(title, async (t) => {
      for (const [lines, expected] of each) t.strictSame(notes(...lines), { notes: expected, findings: [] });
    });
  }

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
      '7 warning: section 1: unknown label "Colour"; line ignored',
      '8 warning: section 1: neither "label : value" nor an indented continuation; line ignored',
      '9 warning: section 1: duplicate "Site Name"; first value used',
      '10 warning: section 1: neither "label : value" nor an indented continuation; line ignored',
    ]);
  });
});

t.test('tabs are expanded to multiples of eight columns', async (t) => {
  const { log, findings } = readAfterHead(
    '3.1\tReceiver Type\t\t: R1',
    '\tSerial Number\t\t:\t1',
    '\tAdditional Information\t: one',
    '\t\t\t\ttwo',
    '\t\t\t\t: three',
    '4.1\tAntenna Type\t: SYNTH_A1\tNONE',
    '\tAntenna Radome Type\t: NONE',
  );
  t.strictSame(findings, []);
  t.hasStrict(log.items[0], { id: { type: 'R1', serialNumber: '1' }, configuration: { notes: 'one two three' } });
  t.equal(log.items[1]!.id.type, 'SYNTH_A1        NONE');
});

t.test('labels', async (t) => {
  t.test('are matched without regard to case, spaces and punctuation', async (t) => {
    const { log, findings } = readAfterHead(
      '4.1  ANTENNA TYPE             : A1',
      '     Marker -> ARP Up Ecc (m) : 1',
      '     Marker->ARP North Ecc(m) : 2',
      '     marker->arp east ecc. (m): 3',
      '     Alignment from True N.   : 4 deg',
    );
    t.strictSame(findings, []);
    t.hasStrict(log.items[0], {
      id: { type: 'A1' },
      configuration: {
        markerArpUpEccentricity: 1,
        markerArpNorthEccentricity: 2,
        markerArpEastEccentricity: 3,
        alignmentFromTrueNorth: '4',
      },
    });
  });

  t.test('are recognized up to column 27; from column 28 they are part of the value above', async (t) => {
    const serial = (indent: number): string | null =>
      readAfterHead('3.1  Receiver Type : R1', '     Additional Information : one', `${' '.repeat(indent)}Serial Number : 7`).log.items[0]!
        .id.serialNumber;
    t.equal(serial(0), '7');
    t.equal(serial(27), '7');
    t.equal(serial(28), null);
  });

  t.test('that are unknown are ignored with a finding, in every section that is read', async (t) => {
    const { log, findings } = readAfterHead(
      '     Colour of the Monument   : grey',
      '3.1  Receiver Type            : R1',
      '     Colour                   : grey',
      '     constructor              : grey',
      '     __proto__                : grey',
    );
    t.strictSame(types(log.items), ['R1']);
    t.strictSame(findings, [
      '6 warning: section 1: unknown label "Colour of the Monument"; line ignored',
      '8 warning: section 3: unknown label "Colour"; line ignored',
      '9 warning: section 3: unknown label "constructor"; line ignored',
      '10 warning: section 3: unknown label "__proto__"; line ignored',
    ]);
  });
});

t.test('items', async (t) => {
  t.test('are ordered by kind as in a Setup, and within a kind as in the log', async (t) => {
    const { log } = readAfterHead(
      '8.1.1 Humidity Sensor Model : H1',
      '6.1  Standard Type : C1',
      '4.2  Antenna Type : A2',
      '4.1  Antenna Type : A1',
      '3.10 Receiver Type : R10',
      '3.2  Receiver Type : R2',
      '6.2  Standard Type : C2',
      '3.1  Receiver Type : R1',
    );
    t.strictSame(types(log.items), ['R10', 'R2', 'R1', 'A2', 'A1', 'H1', 'C1', 'C2']);
    t.strictSame(
      log.items.map(({ line }) => line),
      [10, 11, 13, 8, 9, 6, 7, 12],
    );
  });

  t.test('start at a header without a label', async (t) => {
    const { log, findings } = readAfterHead(
      '3.1',
      '     Receiver Type : R1',
      '3.2.',
      '     Serial Number : 2',
      '8.1.1',
      '     Humidity Sensor Model : H1',
    );
    t.strictSame(findings, []);
    matchItems(t, log.items, [
      { id: { type: 'R1' }, line: 6 },
      { id: { type: null, serialNumber: '2' }, line: 8 },
      { id: { type: 'H1' }, line: 10 },
    ]);
  });

  t.test('start where the first label is repeated without a number, with a finding', async (t) => {
    const { log, findings } = readAfterHead(
      '3.1  Receiver Type : R1',
      '     Serial Number : 1',
      '     Receiver Type : R2',
      '                              and a half',
      '     Serial Number : 2',
    );
    matchItems(t, log.items, [
      { id: { type: 'R1', serialNumber: '1' }, line: 6 },
      { id: { type: 'R2 and a half', serialNumber: '2' }, line: 8 },
    ]);
    t.strictSame(findings, ['8 warning: section 3: second "Receiver Type" without an item number; treated as a new item']);
  });

  t.test('end at other sections', async (t) => {
    const { log, findings } = readAfterHead(
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
    matchItems(t, log.items, [{ id: { type: 'R1', serialNumber: null } }]);
    t.strictSame(findings, [
      '9 warning: section 5: unknown label "Serial Number"; line ignored',
      '13 warning: section 9.1: unknown label "Serial Number"; line ignored',
      '15 warning: section 13: unknown label "Serial Number"; line ignored',
      '16 warning: section 13: unknown label "Receiver Type"; line ignored',
    ]);
  });

  t.test('a duplicate section gives a finding, and the first one is used', async (t) => {
    const { log, findings } = readAfterHead('1.   Site Identification', '     Site Name : Another', '     Four Character ID : SYNT');
    t.hasStrict(log.identification, { fourCharacterId: 'TEST', name: 'Testford' });
    t.strictSame(findings, ['6 warning: duplicate section 1; first section used']);
  });

  t.test(`${MOST_ITEMS} are accepted, one more rejects the log`, async (t) => {
    const receivers = (count: number): string[] => Array.from({ length: count }, (_, index) => `3.${index}  Receiver Type : R${index}`);
    t.equal(readAfterHead(...receivers(MOST_ITEMS)).log.items.length, MOST_ITEMS);
    t.match(rejection(...HEAD, ...receivers(MOST_ITEMS + 1)), [
      { level: 'error', line: HEAD.length + MOST_ITEMS + 1, message: /more than 1000 equipment blocks/ },
    ]);
  });
});

t.test('the dates of items', async (t) => {
  const dates = (...lines: string[]) => {
    const { log, findings } = readAfterHead('3.1  Receiver Type : R1', ...lines);
    return { from: log.items[0]!.from, to: log.items[0]!.to, findings };
  };

  t.test('an item without Date Installed has no start', async (t) => {
    t.strictSame(dates('     Date Installed :', '     Date Removed : 2004-05-06'), {
      from: null,
      to: '2004-05-06T00:00:00Z',
      findings: [],
    });
    t.strictSame(dates(), { from: null, to: null, findings: [] });
  });

  t.test('unreadable ends of Effective Dates give one finding on their line, rather than one about a remark', async (t) => {
    for (const [dates, from] of [
      ['2011-20-07/2012-20-07', null],
      ['2011-20-07/', null],
      ['2011-07-20 (first)/2012-20-07', '2011-07-20T00:00:00Z'],
    ] as const) {
      const { log, findings } = readAfterHead('6.1  Standard Type : INTERNAL', `       Effective Dates : ${dates}`);
      matchItems(t, log.items, [{ from, to: null }], dates);
      t.strictSame(findings, ['7 warning: Effective Dates: not a date (CCYY-MM-DD or CCYY-MM-DDThh:mmZ); treated as unknown'], dates);
    }
  });

  t.test('Date Prepared comes from section 0 only', async (t) => {
    const { log } = readAfterHead('     Date Installed : 2001-02-03', '0.   Form', '     Date Prepared : 2019-11-05T10:11Z');
    t.equal(log.datePrepared, '2019-11-05');
    const unreadable = readAfterHead('0.   Form', '     Date Prepared : 2019-20-05');
    t.equal(unreadable.log.datePrepared, null);
    t.strictSame(unreadable.findings, ['7 warning: Date Prepared: not a date (CCYY-MM-DD or CCYY-MM-DDThh:mmZ); treated as unknown']);
  });
});

t.test('the values of items', async (t) => {
  t.test('an unreadable number gives a finding with its line and text', async (t) => {
    const findings = new Findings('test.log');
    recordOfText([...HEAD, '3.1  Receiver Type : R1', '     Elevation Cutoff Setting : 10 to 15 deg'].join('\n'), findings);
    t.strictSame(findings.list, [
      {
        file: 'test.log',
        line: 7,
        level: 'warning',
        message: 'Elevation Cutoff Setting: not a number of degrees; treated as unknown',
        text: '10 to 15 deg',
      },
    ]);
  });
});

t.test('lines end at CR, LF or CRLF, and nowhere else', async (t) => {
  for (const character of ['\u2028', '\u2029', '\u0085', '\u000b', '\f']) {
    const { log, findings } = readAfterHead(`3.1  Receiver Type : R1${character}a`, '3.2  Receiver Type : R2');
    matchItems(t, log.items, [{ line: 6 }, { line: 7 }], `U+${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
    t.strictSame(findings, []);
  }
});

t.test('a text value is cut at the most characters, with a finding', async (t) => {
  const { log, findings } = readAfterHead(
    '3.1  Receiver Type            : R1',
    `     Additional Information   : ${'x'.repeat(LONGEST_TEXT)}`,
    '3.2  Receiver Type            : R2',
    `     Additional Information   : ${'x'.repeat(LONGEST_TEXT - 1)} y`,
    '3.3  Receiver Type            : R3',
    `     Additional Information   : ${'x'.repeat(LONGEST_TEXT - 1)}🛰`,
  );
  matchItems(t, log.items, [
    { configuration: { notes: 'x'.repeat(LONGEST_TEXT) } },
    { configuration: { notes: 'x'.repeat(LONGEST_TEXT - 1) } },
    { configuration: { notes: 'x'.repeat(LONGEST_TEXT - 1) } },
  ]);
  t.strictSame(findings, [
    '9 warning: Additional Information: 4001 characters; only the first 4000 used',
    '11 warning: Additional Information: 4001 characters; only the first 4000 used',
  ]);
});

t.test('a value that identifies a device is cut earlier', async (t) => {
  const { log, findings } = readAfterHead(
    `3.1  Receiver Type            : ${'x'.repeat(LONGEST_NAME)}`,
    `     Serial Number            : ${'1'.repeat(LONGEST_NAME + 1)}`,
  );
  matchItems(t, log.items, [{ id: { type: 'x'.repeat(LONGEST_NAME), serialNumber: '1'.repeat(LONGEST_NAME) } }]);
  t.strictSame(findings, ['7 warning: Serial Number: 601 characters; only the first 600 used']);
});

t.test('a null character, which not every database can store, becomes a replacement character', async (t) => {
  const { log } = readAfterHead('3.1  Receiver Type            : R\0X', '     Serial Number            : \0');
  matchItems(t, log.items, [{ id: { type: 'R\ufffdX', serialNumber: '\ufffd' } }]);
});

t.test('character references are decoded, with one finding for each value', async (t) => {
  const { log, findings } = readAfterHead(
    '3.1  Receiver Type            : R1',
    '     Additional Information   : M&#233;t&#233;o',
    '                                &#38;#233;',
    '6.1  Standard Type            : INTERNAL',
    '       Effective Dates        : 2001&#45;01-01/2002-01-01',
  );
  matchItems(t, log.items, [{ configuration: { notes: 'Météo &#233;' } }, { from: '2001-01-01T00:00:00Z', to: '2002-01-01T00:00:00Z' }]);
  t.strictSame(findings, [
    '7 info: Additional Information: character references decoded',
    '10 info: Effective Dates: character references decoded',
  ]);
});

t.test('the text of a finding is put on one line and shortened', async (t) => {
  const findings = new Findings('test.log');
  recordOfText([...HEAD, '     Date Installed : never', `                                ${'x'.repeat(500)}`].join('\n'), findings);
  t.strictSame(
    findings.list.map(({ text }) => text),
    [`never ${'x'.repeat(114)}…`],
  );
});
