import t, { type Test } from 'tap';
import { isAsciiSiteLog, readAsciiSiteLog } from '../../src/site-log/ascii.js';
import { MOST_ITEMS } from '../../src/site-log/fields.js';
import { type Finding, Findings, type LogItem, type SiteLog, SiteLogRejected } from '../../src/site-log/site-log.js';

/** The smallest log that is one: five lines. */
const HEAD = [
  '     TEST Site Information Form (site log)',
  '',
  '1.   Site Identification of the GNSS Monument',
  '     Site Name                : Testford',
  '     Four Character ID        : TEST',
];

/** Findings as `line level: message`, and the offending text behind it where it is asked for. */
const shown = (findings: Finding[]): string[] => findings.map(({ line, level, message }) => `${line} ${level}: ${message}`);

function read(...lines: string[]): { log: SiteLog; findings: string[] } {
  const findings = new Findings('test.log');
  const log = readAsciiSiteLog(lines.join('\n'), findings);
  return { log, findings: shown(findings.list) };
}

/** Reads {@link HEAD} and the lines, which begin on line 6. */
const readBehindHead = (...lines: string[]): { log: SiteLog; findings: string[] } => read(...HEAD, ...lines);

/** The findings with which a log is rejected; the last is the reason. */
function rejection(...lines: string[]): Finding[] {
  const findings = new Findings('test.log');
  try {
    readAsciiSiteLog(lines.join('\n'), findings);
  } catch (error) {
    if (error instanceof SiteLogRejected) return error.findings;
    throw error;
  }
  return [];
}

/** The items are as many as expected, each with what is expected of it. */
function hold(t: Test, items: LogItem[], expected: object[], message = 'items'): void {
  t.equal(items.length, expected.length, message);
  t.hasStrict(items, expected, message);
}

const types = (items: LogItem[]): (string | null)[] => items.map(({ id }) => id.type);

t.test('a site log is told by its title, or by the label of its id', async (t) => {
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

t.test('a log that says nothing but its id is read, and everything else is unknown', async (t) => {
  const { log, findings } = read(...HEAD);
  t.strictSame(log, {
    form: 'IGS site log 1',
    datePrepared: null,
    identification: {
      fourCharacterId: 'TEST',
      nineCharacterId: null,
      name: 'Testford',
      domesNumber: null,
      dateInstalled: null,
      monumentDescription: null,
      monumentFoundation: null,
      monumentHeight: null,
      markerDescription: null,
      geologicCharacteristic: null,
      bedrockType: null,
      notes: null,
      city: null,
      state: null,
      country: null,
      latitude: null,
      longitude: null,
      elevation: null,
    },
    items: [],
  });
  t.strictSame(findings, []);
});

t.test('the version is told by the field of the id, not by the title line', async (t) => {
  const one = read('TEST Site Information Form (site log v2.0)', '1.   Site', '     Four Character ID : TEST').log;
  t.equal(one.form, 'IGS site log 1');
  const two = read('TEST Site Information Form (site log)', '1.   Site', '     Nine Character ID : TEST00AUS').log;
  t.equal(two.form, 'IGS site log 2.0');
});

t.test('the id', async (t) => {
  const identify = (...lines: string[]) => read('1.   Site Identification', ...lines).log.identification;

  t.test('a lower-case id of four characters is made upper case', async (t) => {
    t.equal(identify('     Four Character ID        : tes1').fourCharacterId, 'TES1');
  });

  t.test('of a nine-character id the first four are the Site, in either case', async (t) => {
    for (const id of ['SYNT00AUS', 'synt00aus', ' Synt00Aus ']) {
      t.hasStrict(identify(`     Nine Character ID        : ${id}`), { fourCharacterId: 'SYNT', nineCharacterId: 'SYNT00AUS' }, id);
    }
  });

  t.test('where a log has both, the nine characters count; blank, they are no id of version 2.0', async (t) => {
    t.hasStrict(identify('     Four Character ID : TEST', '     Nine Character ID : SYNT00AUS'), { fourCharacterId: 'SYNT' });
    t.match(rejection('1.   Site Identification', '     Four Character ID : TEST', '     Nine Character ID : (A9)'), [
      { line: 3, level: 'error', message: /^Nine Character ID: not nine characters/ },
    ]);
  });

  t.test('an id that is not four letters or digits rejects the log, and the finding says where and why', async (t) => {
    for (const id of ['TES', 'TESTS', 'TESTggggg', 'TEST00AUS', 'TE-T', 'TE T', 'TÉST', 'ТЕСТ']) {
      const findings = rejection('1.   Site Identification', '     Site Name : Testford', `     Four Character ID        : ${id}`);
      t.equal(findings.length, 1, id);
      t.match(
        findings[0],
        { file: 'test.log', line: 3, level: 'error', message: /^Four Character ID: not four letters or digits/, text: id },
        id,
      );
    }
  });

  t.test('a nine-character id of another build rejects the log, and the finding says where and why', async (t) => {
    for (const id of ['TEST', 'TEST00AU', 'TEST00AUST', 'TESTAUS00', 'TEST0AAUS', 'TEST00A1S', 'TE-T00AUS', 'TEST 00AUS']) {
      const findings = rejection('1.   Site Identification', `     Nine Character ID        : ${id}`);
      t.equal(findings.length, 1, id);
      t.match(findings[0], { file: 'test.log', line: 2, level: 'error', message: /^Nine Character ID: not nine characters/, text: id }, id);
    }
  });

  t.test('an id that is blank, a placeholder or unknown rejects the log', async (t) => {
    for (const id of ['', '(A4)', 'unknown', 'none', '----']) {
      t.hasStrict(rejection('1.   Site Identification', `     Four Character ID        : ${id}`), [{ line: 2, level: 'error' }], id);
    }
  });

  t.test('a log without section 1, or without the label in it, is rejected', async (t) => {
    for (const lines of [
      [HEAD[0]!, '3.   GNSS Receiver Information', '3.1  Receiver Type : R1'],
      [HEAD[0]!, '     Four Character ID        : TEST'],
      [HEAD[0]!, '1.   Site Identification', '     Site Name : Testford'],
      [HEAD[0]!, '2.   Site Location Information', '     Four Character ID        : TEST'],
      [HEAD[0]!],
      [''],
    ]) {
      const findings = rejection(...lines);
      t.match(findings.at(-1), { level: 'error', message: /four letters or digits/ }, lines.join('|'));
    }
  });
});

t.test('blank templates', async (t) => {
  t.test('an item numbered x is a blank template, whatever it holds', async (t) => {
    const { log, findings } = readBehindHead(
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

  t.test('a numbered item of nothing but placeholders is passed over with a finding', async (t) => {
    const { log, findings } = readBehindHead(
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
      '6 info: a gnss receiver block without a value; passed over as a blank template',
      '13 info: a gnss antenna block without a value; passed over as a blank template',
      '14 info: a humidity sensor block without a value; passed over as a blank template',
    ]);
  });

  t.test('the blank form of section 2 is unknown and no finding', async (t) => {
    const { log, findings } = readBehindHead(
      '2.   Site Location Information',
      '     City or Town             : ',
      '     Latitude (N is +)        : (+/-DDMMSS.SS)',
      '     Longitude (E is +)       : (+/-DDDMMSS.SS)',
      '     Elevation (m,ellips.)    : (F7.1)',
    );
    t.hasStrict(log.identification, { city: null, latitude: null, longitude: null, elevation: null });
    t.strictSame(findings, []);
  });

  t.test('one value makes it an item, even if only a date or a remark', async (t) => {
    t.equal(readBehindHead('3.1  Receiver Type : ', '     Date Removed : 2001-02-03').log.items.length, 1);
    t.equal(readBehindHead('3.1  Receiver Type : ', '     Additional Information : lost').log.items.length, 1);
    t.equal(readBehindHead('6.1  Standard Type : ', '     Effective Dates : 2001-02-03/').log.items.length, 1);
  });
});

t.test('values that go on in the lines below', async (t) => {
  /** The notes of a receiver, and the findings. */
  const notes = (...lines: string[]) => {
    const { log, findings } = readBehindHead('3.1  Receiver Type            : R1', ...lines);
    const { configuration } = log.items[0]!;
    return { notes: 'notes' in configuration ? configuration.notes : undefined, findings };
  };

  t.test('with and without a leading colon', async (t) => {
    t.strictSame(
      notes('     Additional Information   : one', '                                two', '                              : three'),
      { notes: 'one two three', findings: [] },
    );
    t.strictSame(notes('     Additional Information   :', '                              : one', '                                two'), {
      notes: 'one two',
      findings: [],
    });
    t.strictSame(notes('     Additional Information   : one', '                              :two', '                              :'), {
      notes: 'one two',
      findings: [],
    });
  });

  t.test('a colon in them makes no label of them', async (t) => {
    t.strictSame(notes('     Additional Information   : one', '                                two: three'), {
      notes: 'one two: three',
      findings: [],
    });
    t.strictSame(notes('     Additional Information   : one', '                                Serial Number : 7'), {
      notes: 'one Serial Number : 7',
      findings: [],
    });
    t.strictSame(notes('     Additional Information   : one', '                              : : two'), {
      notes: 'one : two',
      findings: [],
    });
    t.strictSame(notes('     Additional Information   : one', '                              http://example.org/'), {
      notes: 'one http://example.org/',
      findings: [],
    });
  });

  t.test('across blank lines, and at any indent from column 20 on', async (t) => {
    t.strictSame(notes('     Additional Information   : one', '', '     ', '                                two'), {
      notes: 'one two',
      findings: [],
    });
    t.strictSame(notes('     Additional Information   : one', '                         two', `${' '.repeat(60)}three`), {
      notes: 'one two three',
      findings: [],
    });
  });

  t.test('of a value that is not read they go nowhere', async (t) => {
    const { log, findings } = readBehindHead(
      '     Monument Description     : PILLAR',
      '     CDP Number               : one',
      '                                two',
    );
    t.equal(log.identification.monumentDescription, 'PILLAR');
    t.strictSame(findings, []);
  });

  t.test('of a label that is unknown, or there for the second time, they are passed over with it', async (t) => {
    const { log, findings } = readBehindHead(
      '     Monument Description     : PILLAR',
      '     Colour                   : grey',
      '                                and blue',
      '     Site Name                : Another',
      '                                name',
    );
    t.hasStrict(log.identification, { monumentDescription: 'PILLAR', name: 'Testford' });
    t.strictSame(findings, [
      '7 warning: section 1: unknown label "Colour"; line passed over',
      '8 warning: section 1: neither "label : value" nor indented as more of the value above; line passed over',
      '9 warning: section 1: "Site Name" for the second time; the first is kept',
      '10 warning: section 1: neither "label : value" nor indented as more of the value above; line passed over',
    ]);
  });

  t.test('at the very beginning of a block they belong to nothing', async (t) => {
    const { log } = readBehindHead('3.1', '                                stray', '     Receiver Type            : R1');
    t.strictSame(types(log.items), ['R1']);
  });

  t.test('an Antenna Type that goes on has no line feed in it', async (t) => {
    const { log } = readBehindHead('4.1  Antenna Type             : SYNTH_A1        NONE', '                              : refurbished');
    t.notMatch(log.items[0]!.id.type, /\n/);
  });
});

t.test('tabs stand for blanks up to the next eighth column', async (t) => {
  const { log, findings } = readBehindHead(
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
  t.test('case, blanks and signs in a label do not matter', async (t) => {
    const { log, findings } = readBehindHead(
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

  t.test('one that the form knows is a label up to column 27, and part of the value above from column 28 on', async (t) => {
    const serial = (indent: number): string | null =>
      readBehindHead('3.1  Receiver Type : R1', '     Additional Information : one', `${' '.repeat(indent)}Serial Number : 7`).log.items[0]!
        .id.serialNumber;
    t.equal(serial(0), '7');
    t.equal(serial(27), '7');
    t.equal(serial(28), null);
  });

  t.test('an unknown one is passed over with a finding, in every section that is read', async (t) => {
    const { log, findings } = readBehindHead(
      '     Colour of the Monument   : grey',
      '3.1  Receiver Type            : R1',
      '     Colour                   : grey',
      '     constructor              : grey',
      '     __proto__                : grey',
    );
    t.strictSame(types(log.items), ['R1']);
    t.strictSame(findings, [
      '6 warning: section 1: unknown label "Colour of the Monument"; line passed over',
      '8 warning: section 3: unknown label "Colour"; line passed over',
      '9 warning: section 3: unknown label "constructor"; line passed over',
      '10 warning: section 3: unknown label "__proto__"; line passed over',
    ]);
  });

  t.test('one of another section is unknown in this one', async (t) => {
    const { log, findings } = readBehindHead('3.1  Receiver Type            : R1', '     Antenna Radome Type      : NONE');
    t.strictSame(types(log.items), ['R1']);
    t.strictSame(findings, ['7 warning: section 3: unknown label "Antenna Radome Type"; line passed over']);
  });

  t.test('of one that comes twice the first is kept, with a finding', async (t) => {
    const { log, findings } = readBehindHead(
      '     Four Character ID        : SYNT',
      '3.1  Receiver Type            : R1',
      '     Serial Number            : 1',
      '     Serial Number            : 2',
    );
    t.equal(log.identification.fourCharacterId, 'TEST');
    hold(t, log.items, [{ id: { type: 'R1', serialNumber: '1' } }]);
    t.strictSame(findings, [
      '6 warning: section 1: "Four Character ID" for the second time; the first is kept',
      '9 warning: section 3: "Serial Number" for the second time; the first is kept',
    ]);
  });

  t.test('a value in its column without a colon before it is a finding', async (t) => {
    const { log, findings } = readBehindHead('3.1  Receiver Type            : R1', '     Serial Number              1');
    t.equal(log.items[0]!.id.serialNumber, null);
    t.strictSame(findings, ['7 warning: section 3: neither "label : value" nor indented as more of the value above; line passed over']);
  });

  t.test('a value may hold colons', async (t) => {
    hold(t, readBehindHead('3.1  Receiver Type            : R1', '     Firmware Version         : Boot: 1.0').log.items, [
      { configuration: { firmwareVersion: 'Boot: 1.0' } },
    ]);
  });
});

t.test('items', async (t) => {
  t.test('come by kind in the order of a Setup, within a kind as the log lists them', async (t) => {
    const { log } = readBehindHead(
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

  t.test('two with one number are two', async (t) => {
    const { log } = readBehindHead(
      '3.1  Receiver Type : R1',
      '     Serial Number : 1',
      '3.1  Receiver Type : R2',
      '     Serial Number : 2',
    );
    hold(t, log.items, [{ id: { type: 'R1', serialNumber: '1' } }, { id: { type: 'R2', serialNumber: '2' } }]);
  });

  t.test('a header without a label begins one', async (t) => {
    const { log, findings } = readBehindHead(
      '3.1',
      '     Receiver Type : R1',
      '3.2.',
      '     Serial Number : 2',
      '8.1.1',
      '     Humidity Sensor Model : H1',
    );
    t.strictSame(findings, []);
    hold(t, log.items, [
      { id: { type: 'R1' }, line: 6 },
      { id: { type: null, serialNumber: '2' }, line: 8 },
      { id: { type: 'H1' }, line: 10 },
    ]);
  });

  t.test('a header with text that is no label begins one, with a finding', async (t) => {
    const { log, findings } = readBehindHead('3.1  the first receiver', '     Receiver Type : R1');
    hold(t, log.items, [{ id: { type: 'R1' }, line: 6 }]);
    t.strictSame(findings, ['6 warning: section 3: neither "label : value" nor indented as more of the value above; line passed over']);
  });

  t.test('the first label for the second time, without a number, begins one with a finding', async (t) => {
    const { log, findings } = readBehindHead(
      '3.1  Receiver Type : R1',
      '     Serial Number : 1',
      '     Receiver Type : R2',
      '                              and a half',
      '     Serial Number : 2',
    );
    hold(t, log.items, [
      { id: { type: 'R1', serialNumber: '1' }, line: 6 },
      { id: { type: 'R2 and a half', serialNumber: '2' }, line: 8 },
    ]);
    t.strictSame(findings, ['8 warning: section 3: a second "Receiver Type" without a number; taken as a new item']);
  });

  t.test('the heading of the section is not needed', async (t) => {
    t.strictSame(types(readBehindHead('3.1  Receiver Type : R1', '4.1  Antenna Type : A1').log.items), ['R1', 'A1']);
  });

  t.test('sections that are not read end the item before them', async (t) => {
    const { log, findings } = readBehindHead(
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
    hold(t, log.items, [{ id: { type: 'R1', serialNumber: null } }]);
    t.strictSame(findings, []);
  });

  t.test('a section for the second time is a finding, the first is kept', async (t) => {
    const { log, findings } = readBehindHead('1.   Site Identification', '     Site Name : Another', '     Four Character ID : SYNT');
    t.hasStrict(log.identification, { fourCharacterId: 'TEST', name: 'Testford' });
    t.strictSame(findings, ['6 warning: section 1 for the second time; the first is kept']);
  });

  t.test(`${MOST_ITEMS} are read, one more rejects the log`, async (t) => {
    const receivers = (count: number): string[] => Array.from({ length: count }, (_, index) => `3.${index}  Receiver Type : R${index}`);
    t.equal(readBehindHead(...receivers(MOST_ITEMS)).log.items.length, MOST_ITEMS);
    t.match(rejection(...HEAD, ...receivers(MOST_ITEMS + 1)), [
      { level: 'error', line: HEAD.length + MOST_ITEMS + 1, message: /more than 1000 blocks/ },
    ]);
  });
});

t.test('the dates of items', async (t) => {
  const dates = (...lines: string[]) => {
    const { log, findings } = readBehindHead('3.1  Receiver Type : R1', ...lines);
    return { from: log.items[0]!.from, to: log.items[0]!.to, findings };
  };
  const [a, b] = ['2001-02-03T00:00:00Z', '2004-05-06T00:00:00Z'];

  t.test('blank, a placeholder or nines in Date Removed mean still in use', async (t) => {
    for (const removed of [
      '',
      '(CCYY-MM-DDThh:mmZ)',
      'CCYY-MM-DDThh:mmZ',
      '(CCYY-MM-DDThh:mmZ',
      '9999-99-99T99:99Z',
      'none',
      'n/a',
      'unknown',
    ]) {
      t.strictSame(
        dates('     Date Installed : 2001-02-03', `     Date Removed : ${removed}`),
        { from: a, to: null, findings: [] },
        removed,
      );
    }
    t.strictSame(dates('     Date Installed : 2001-02-03'), { from: a, to: null, findings: [] }, 'and so does no label');
  });

  t.test('an item without Date Installed has no start', async (t) => {
    t.strictSame(dates('     Date Installed :', '     Date Removed : 2004-05-06'), { from: null, to: b, findings: [] });
    t.strictSame(dates(), { from: null, to: null, findings: [] });
  });

  t.test('removed before installed, or as it was installed, is read as it is', async (t) => {
    t.strictSame(dates('     Date Installed : 2004-05-06', '     Date Removed : 2001-02-03'), { from: b, to: a, findings: [] });
    t.strictSame(dates('     Date Installed : 2001-02-03', '     Date Removed : 2001-02-03'), { from: a, to: a, findings: [] });
  });

  t.test('one that is in no calendar is unknown, and a finding at its line', async (t) => {
    const { from, to, findings } = dates('     Date Installed : 2001-02-03', '     Date Removed : 2011-20-07');
    t.strictSame({ from, to }, { from: a, to: null });
    t.strictSame(findings, ['8 warning: Date Removed: not a date CCYY-MM-DD or CCYY-MM-DDThh:mmZ; taken as unknown']);
  });

  t.test('a label or a remark behind one is a finding at its line', async (t) => {
    const { from, findings } = dates('     Date Installed : 2001-02-03T00:00Z Date Removed :');
    t.equal(from, a);
    t.strictSame(findings, ['7 info: Date Installed: text behind a date; read as 2001-02-03T00:00:00Z']);
  });

  t.test('clocks and humidity sensors have effective dates, in every shape', async (t) => {
    for (const [text, from, to] of [
      ['2001-02-03/2004-05-06', a, b],
      ['2001-02-03/', a, null],
      ['2001-02-03/CCYY-MM-DD', a, null],
      ['2001-02-03/(CCYY-MM-DD)', a, null],
      ['2001-02-03', a, null],
      ['(2001-02-03/CCYY-MM-DD', a, null],
      ['(CCYY-MM-DD/CCYY-MM-DD)', null, null],
      ['', null, null],
    ] as const) {
      const { log, findings } = readBehindHead(
        '6.1  Standard Type            : INTERNAL',
        `       Effective Dates        : ${text}`,
        '8.1.1 Humidity Sensor Model   : H1',
        `       Effective Dates        : ${text}`,
      );
      hold(t, log.items, [
        { id: { equipmentType: 'humidity sensor' }, from, to },
        { id: { equipmentType: 'clock' }, from, to },
      ]);
      t.strictSame(findings, [], text);
    }
  });

  t.test('each end of effective dates that cannot be read is a finding at its line', async (t) => {
    const { log, findings } = readBehindHead('6.1  Standard Type : INTERNAL', '       Effective Dates : 2011-20-07/2012-20-07');
    hold(t, log.items, [{ from: null, to: null }]);
    const finding = '7 warning: Effective Dates: not a date CCYY-MM-DD or CCYY-MM-DDThh:mmZ; taken as unknown';
    t.strictSame(findings, [finding, finding]);
  });

  t.test('several receivers in use at once are read as they are', async (t) => {
    const { log, findings } = readBehindHead(
      '3.1  Receiver Type : R1',
      '     Date Installed : 2001-02-03',
      '3.2  Receiver Type : R2',
      '     Date Installed : 2004-05-06',
    );
    hold(t, log.items, [
      { id: { type: 'R1' }, from: a, to: null },
      { id: { type: 'R2' }, from: b, to: null },
    ]);
    t.strictSame(findings, []);
  });

  t.test('Date Prepared is that of section 0, not one of the rest', async (t) => {
    const { log } = readBehindHead('     Date Installed : 2001-02-03', '0.   Form', '     Date Prepared : 2019-11-05T10:11Z');
    t.equal(log.datePrepared, '2019-11-05');
    const unreadable = readBehindHead('0.   Form', '     Date Prepared : 2019-20-05');
    t.equal(unreadable.log.datePrepared, null);
    t.strictSame(unreadable.findings, ['7 warning: Date Prepared: not a date CCYY-MM-DD or CCYY-MM-DDThh:mmZ; taken as unknown']);
  });
});

t.test('the values of items', async (t) => {
  t.test('a serial number that is unknown is null; leading noughts are kept', async (t) => {
    for (const [text, expected] of [
      ['', null],
      ['unknown', null],
      ['N/A', null],
      ['unkn', null],
      ['none', null],
      ['(A20, but note the first A5 is used in SINEX)', null],
      ['0042', '0042'],
      ['1e3', '1e3'],
    ] as const) {
      t.equal(readBehindHead('3.1  Receiver Type : R1', `     Serial Number : ${text}`).log.items[0]!.id.serialNumber, expected, text);
    }
  });

  t.test('the form has no serial number of a clock, and no manufacturer but of a humidity sensor', async (t) => {
    const { log, findings } = readBehindHead(
      '6.1  Standard Type : INTERNAL',
      '     Serial Number : 1',
      '8.1.1 Humidity Sensor Model : H1',
      '     Manufacturer : Synthetic Ltd',
    );
    hold(t, log.items, [{ id: { manufacturer: 'Synthetic Ltd' } }, { id: { serialNumber: null, manufacturer: null } }]);
    t.strictSame(findings, ['7 warning: section 6: unknown label "Serial Number"; line passed over']);
  });

  t.test('an unknown height or cut-off is null, never 0 or blank', async (t) => {
    for (const text of ['', '(F8.4)', '(deg)', 'unknown', 'n/a', 'some']) {
      hold(
        t,
        readBehindHead('4.1  Antenna Type : A1', `     Marker->ARP Up Ecc. (m) : ${text}`, `     Alignment from True N : ${text}`).log
          .items,
        [{ configuration: { markerArpUpEccentricity: null, alignmentFromTrueNorth: null } }],
        text,
      );
      hold(
        t,
        readBehindHead('3.1  Receiver Type : R1', `     Elevation Cutoff Setting : ${text}`).log.items,
        [{ configuration: { elevetionCutoffSetting: null } }],
        text,
      );
    }
  });

  t.test('eccentricities are numbers; angles, lengths, heights and frequencies decimal text', async (t) => {
    const { log } = readBehindHead(
      '3.1  Receiver Type : R1',
      '     Elevation Cutoff Setting : 05.0 deg',
      '4.1  Antenna Type : A1',
      '     Marker->ARP Up Ecc. (m) : 000.0500',
      '     Alignment from True N : -1 deg',
      '     Antenna Cable Length : 1250 cm',
      '8.1.1 Humidity Sensor Model : H1',
      '     Height Diff to Ant : 10 m',
      '6.1  Standard Type : EXTERNAL',
      '     Input Frequency : 5.0 MHz',
    );
    hold(t, log.items, [
      { configuration: { elevetionCutoffSetting: '5' } },
      { configuration: { markerArpUpEccentricity: 0.05, alignmentFromTrueNorth: '-1', antennaCableLength: '12.5' } },
      { configuration: { heightDiffToAntenna: '10' } },
      { configuration: { inputFrequency: '5' } },
    ]);
  });

  t.test('a number that cannot be read is a finding at its line, with the text', async (t) => {
    const findings = new Findings('test.log');
    readAsciiSiteLog([...HEAD, '3.1  Receiver Type : R1', '     Elevation Cutoff Setting : 10 to 15 deg'].join('\n'), findings);
    t.strictSame(findings.list, [
      {
        file: 'test.log',
        line: 7,
        level: 'warning',
        message: 'Elevation Cutoff Setting: not a number of degrees; taken as unknown',
        text: '10 to 15 deg',
      },
    ]);
  });

  t.test('satellite systems are joined by +, as before 2012 and after', async (t) => {
    for (const text of ['GPS+GLO', 'GPS/GLONASS', 'GPS, GLONASS']) {
      hold(t, readBehindHead('3.1  Receiver Type : R1', `     Satellite System : ${text}`).log.items, [
        { configuration: { satelliteSystem: 'GPS+GLO' } },
      ]);
    }
  });

  t.test('Temperature Stabiliz. none is a value, and so is radome NONE', async (t) => {
    const { log } = readBehindHead(
      '3.1  Receiver Type : R1',
      '     Temperature Stabiliz. : None',
      '4.1  Antenna Type : SYNTH_A1        NONE',
      '     Antenna Radome Type : none',
      '     Radome Serial Number : none',
    );
    hold(t, log.items, [
      { configuration: { temperatureStabilization: 'none' } },
      { id: { type: 'SYNTH_A1        NONE' }, configuration: { radomeType: 'NONE', radomeSerialNumber: null } },
    ]);
  });

  t.test('notes of a clock are not read, those of a humidity sensor are', async (t) => {
    const { log } = readBehindHead(
      '6.1  Standard Type : C1',
      '         Notes : one',
      '8.1.1 Humidity Sensor Model : H1',
      '       Notes : two',
    );
    hold(t, log.items, [{ configuration: { notes: 'two' } }, { configuration: { inputFrequency: null } }]);
    t.notOk('notes' in log.items[1]!.configuration);
  });

  t.test('a value of the last line, without a line end, is read', async (t) => {
    hold(t, readBehindHead('3.1  Receiver Type : R1', '     Serial Number : 1').log.items, [{ id: { serialNumber: '1' } }]);
  });
});

t.test('a line ends at CR, LF or both, nowhere else', async (t) => {
  for (const character of ['\u2028', '\u2029', '\u0085', '\u000b', '\f']) {
    const { log, findings } = readBehindHead(`3.1  Receiver Type : R1${character}a`, '3.2  Receiver Type : R2');
    hold(t, log.items, [{ line: 6 }, { line: 7 }], `U+${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
    t.strictSame(findings, []);
  }
});

t.test('the text of a finding is on one line and shortened', async (t) => {
  const findings = new Findings('test.log');
  readAsciiSiteLog([...HEAD, '     Date Installed : never', `                                ${'x'.repeat(500)}`].join('\n'), findings);
  t.strictSame(
    findings.list.map(({ text }) => text),
    [`never ${'x'.repeat(114)}…`],
  );
});

t.test('very long lines and values are read to their end', async (t) => {
  const LABELS = [
    '     Site Name                : ',
    '     Site Name                : A',
    '     Date Installed           : ',
    '     Height of the Monument   : ',
    '     Four Character ID        : ',
    '2.   Site Location',
    '2.   Site Location\n     Latitude (N is +)      : ',
    '3.1',
    '3.1  ',
    '3.1  Receiver Type            : ',
    '3.1  Receiver Type            : A',
    '3.1\n     Satellite System         : A',
    '4.1  Antenna Type             : A',
    '3.1\n     Satellite System         : ',
    '3.1\n     Elevation Cutoff Setting : ',
    '3.1\n     Date Installed           : ',
    '3.1\n     Date Installed           : 2011-07-20',
    '3.1\n     Temperature Stabiliz.    : ',
    '4.1\n     Antenna Radome Type      : NONE\n     Antenna Type             : ',
    '6.1\n     Effective Dates        : ',
    '6.1\n     Effective Dates        : 2011-07-20/',
    '',
    '                                ',
  ];
  for (const character of [' ', '5', '(', ')', ':', '-', '/', '.', '\t', '\u00a0', '((a) ']) {
    const length = [' ', '5', '('].includes(character) ? 3_000_000 : 200_000;
    const filling = character.repeat(length / character.length);
    for (const label of LABELS) {
      const { log } = readBehindHead('     CDP Number               : ', `${label}${filling}x`, '4.77 Antenna Type : LAST');
      t.ok(types(log.items).includes('LAST'), `${JSON.stringify(label)} ${JSON.stringify(character)}`);
    }
  }
});

t.test('a long item header with a line separator of Unicode in it is read to its end', async (t) => {
  // Long enough to stand out where the time grows with the square of the length, and still to end.
  const { log } = readBehindHead(`3.1${' '.repeat(30_000)}Receiver Type : R\u20281`);
  t.strictSame(types(log.items), ['R 1']);
});
