import t from 'tap';
import { attempt, matchLog, shown } from '../reading.js';

/** Items that do not begin as the form says, and files with two logs. */

const HEAD = [
  '     TEST Site Information Form (site log)',
  '1.   Site Identification of the GNSS Monument',
  '     Four Character ID        : TEST',
  '3.   GNSS Receiver Information',
];
const receiver = (begin: string, serial: string): string[] => [
  `${begin}: TYPE ${serial}`,
  '     Satellite System         : GPS',
  `     Serial Number            : ${serial}`,
  '     Firmware Version         : 1',
  `     Date Installed           : 20${serial}-01-01`,
];
const FIRST = receiver('3.1  Receiver Type            ', '10');
const read = (...lines: string[]) => attempt([...HEAD, ...lines].join('\n'));
const item = (serialNumber: string): object => ({
  id: { type: `TYPE ${serialNumber}`, serialNumber },
});

t.test('an item is read, whatever stands between its number and its label', async (t) => {
  for (const begin of [
    ...['3.2Receiver Type', '3.2: Receiver Type', '3.2) Receiver Type', '3.2a Receiver Type'],
    ...[
      '3. 2 Receiver Type',
      '3.12345 Receiver Type',
      '     3.2  Receiver Type',
      '3,2 Receiver Type',
    ],
    ...['3.10Receiver Type', '\t3.2\tReceiver Type'],
  ]) {
    const log = read(...FIRST, ...receiver(begin, '15'));
    matchLog(
      t,
      log,
      [item('10'), item('15')],
      ['10 info deviating-item (3.2) deviation=number'],
      begin,
    );
  }
});

t.test('an item with the number of another section belongs to that of its label', async (t) => {
  for (const begin of ['4.2  Receiver Type', '16.2 Receiver Type', '0.2  Receiver Type'])
    t.match(read(...FIRST, ...receiver(begin, '15')).log?.items, [item('10'), item('15')], begin);
});

t.test('a first item without a number is read, with a warning', async (t) => {
  matchLog(
    t,
    read(...receiver('     Receiver Type', '10')),
    [item('10')],
    ['5 warning deviating-item (3.1) deviation=no number'],
  );
  const sensor = ['8.   Meteorological Instrumentation', '       Humidity Sensor Model  : H1'];
  const { log, findings } = read(...FIRST, ...sensor);
  t.match(log?.items, [item('10'), { id: { type: 'H1' } }]);
  t.strictSame(shown(findings), ['11 warning deviating-item (8.1.1) deviation=no number']);
});

t.test('the lines of an item that is not recognized are one finding', async (t) => {
  const lost = receiver('??   Model of the Receiver', '15');
  const { log, findings } = read(...FIRST, ...lost, ...receiver('3.3  Receiver Type', '20'));
  t.match(log?.items, [item('10'), item('20')]);
  t.equal(log?.items.length, 2);
  t.match(findings, [
    { line: 10, lastLine: 14, level: 'warning', code: 'ignored-line', section: '3' },
  ]);
  t.equal(findings.length, 1);
});

t.test('a remark that begins with a number is no item', async (t) => {
  const remark = ['4.2 firmware was tried', '3.1 was repaired'];
  const { log, findings } = read(...FIRST, ...remark, '     Date Removed             : 2015-01-01');
  t.match(log?.items, [{ ...item('10'), to: '2015-01-01T00:00:00Z' }]);
  t.match(findings, [{ line: 10, lastLine: 11, code: 'ignored-line' }]);
});

t.test('a file with two logs is rejected, and the finding names both lines', async (t) => {
  const second = [...HEAD.map((line) => line.replaceAll('TEST', 'EFGH')), ...FIRST];
  const drawing = ['13.  More Information', '     Antenna Graphics with Dimensions', '', '   +--+'];
  for (const between of [[], drawing]) {
    const { log, findings } = read(...FIRST, ...between, ...second);
    const line = 10 + between.length;
    t.equal(log, null);
    t.match(findings.at(-1), {
      line,
      level: 'error',
      code: 'two-site-logs',
      values: { beginnings: ['title', 'title'], lines: [1, line] },
    });
    const untitled = read(...FIRST, ...between, ...second.slice(1));
    t.match(untitled.findings.at(-1), {
      code: 'two-site-logs',
      values: { beginnings: ['Four Character ID', 'Four Character ID'], lines: [3, line + 1] },
    });
    t.equal(untitled.log, null);
  }
  const same = read(...FIRST, ...HEAD);
  t.match(same.findings.at(-1), { level: 'error', line: 10 });
});

t.test('a second log is found although its id is malformed', async (t) => {
  const second = [...HEAD.slice(1), ...FIRST];
  for (const id of ['EFGH00AU', 'EFGH 00 AUS', 'EFGH (A4)', 'EFGH/1']) {
    const lines = second.map((line) => line.replace('TEST', id));
    const { log, findings } = read(...FIRST, ...lines);
    t.equal(log, null, id);
    t.match(findings.at(-1), { line: 11, level: 'error', code: 'two-site-logs' });
  }
  for (const id of ['', '(A4)', 'TEST', 'unknown', 'TEST 00 AUS']) {
    const lines = second.map((line) => line.replace('TEST', id));
    t.ok(read(...FIRST, ...lines).log, id);
  }
});

t.test('what a log says about another one does not make it two', async (t) => {
  const margin = ' '.repeat(32);
  const { log } = read(
    ...FIRST,
    '     Additional Information   : see also',
    `${margin}EFGH Site Information Form (site log)`,
    `${margin}Four Character ID : EFGH`,
    '5.   Surveyed Local Ties',
    '5.1  Tied Marker Name         : RM1',
    '     Four Character ID        : EFGH',
  );
  t.match(log?.items, [item('10')]);
});

t.test('a colon behind the label and one in the column of the form are one', async (t) => {
  const lines = FIRST.map((line) => line.replace('Firmware Version ', 'Firmware Version:'));
  const { log, findings } = read(...lines);
  t.match(log?.items, [{ configuration: { firmwareVersion: '1' } }]);
  t.strictSame(findings, []);
});

t.test('a value whose label is missing does not vanish in the one above', async (t) => {
  for (const begin of ['                              : ', ' '.repeat(32)]) {
    const lines = FIRST.map((line) => line.replace('     Firmware Version         : ', begin));
    const { findings } = read(...lines);
    const values = { quoted: ['Firmware Version'], isMissing: true };
    const about = { code: 'indented-label', section: '3', item: 1, values };
    t.match(findings, [{ line: 7, lastLine: 8, level: 'warning', ...about, text: '10 1' }], begin);
    t.equal(findings.length, 1);
  }
  const { findings } = read(...FIRST, '     Additional Information   : a', `${' '.repeat(32)}b`);
  t.strictSame(findings, []);
});

t.test('a title that a log quotes does not make it two, unless a form follows', async (t) => {
  const quoted = ['13.  More Information', '     EFGH Site Information Form (site log)'];
  const { log, findings } = read(...FIRST, ...quoted, '     Site Map                 : Y');
  t.match(log?.items, [item('10')]);
  t.match(findings, [{ line: 11, level: 'warning', code: 'ignored-line' }]);
  for (const begin of ['0.   Form', '1.   Site Identification of the GNSS Monument']) {
    const second = read(...FIRST, ...quoted, '     Date Prepared : 2020-01-01', begin);
    t.equal(second.log, null, begin);
    t.match(second.findings.at(-1), {
      line: 11,
      code: 'two-site-logs',
      values: { beginnings: ['title', String] },
    });
  }
});

t.test('null characters are damage, and a finding names their lines', async (t) => {
  const damaged = FIRST.map((line, index) => (index > 0 ? line.replace(/..$/, '\0\0') : line));
  const { log, findings } = read(...damaged);
  t.match(log?.items, [{ id: { type: 'TYPE 10' }, configuration: { firmwareVersion: '\ufffd' } }]);
  const about = { code: 'invisible-character', values: { characters: null } };
  t.match(findings[0], { line: 6, lastLine: 9, level: 'warning', ...about, text: '' });
});

t.test('a log has at most 2000 items, in all sections together', async (t) => {
  const ties = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `5.${index + 1}  Tied Marker Name : RM${index}`);
  t.ok(read(...FIRST, ...ties(1999)).log);
  const { log, findings } = read(...FIRST, ...ties(2000));
  t.equal(log, null);
  t.match(findings.at(-1), {
    line: 2009,
    level: 'error',
    code: 'too-large',
    values: { of: 'items', most: 2000 },
  });
});

t.test('nothing of the sections about contacts is in a finding', async (t) => {
  const { findings } = read(
    ...FIRST,
    '11.  On-Site, Point of Contact Agency Information',
    '     Agency                   : Survey',
    `${' '.repeat(32)}Telephone (primary)  : 0400 123 456`,
    'Maria Sample, 0400 765 432',
    '12.  Rue de la Paix',
    '     Mobile of Otto           : 0400 111 222',
  );
  t.not(findings.length, 0);
  t.notMatch(JSON.stringify(findings), /0400|Maria|Otto|Paix/);
});

t.test('a log has at most 50,000 lines, however these end', async (t) => {
  const linesOf = (count: number): string[] => {
    const log = [...HEAD, ...FIRST];
    return [...log, ...Array.from({ length: count - log.length }, () => '')];
  };
  for (const end of ['\n', '\r\n', '\r']) {
    matchLog(t, attempt(linesOf(50_000).join(end)), [item('10')], []);
    t.match(
      attempt(linesOf(50_001).join(end)).findings.at(-1),
      { code: 'too-large', values: { of: 'lines', count: 50_001, most: 50_000 } },
      JSON.stringify(end),
    );
  }
});
