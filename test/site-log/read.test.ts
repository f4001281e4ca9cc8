import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { decode } from '../../src/site-log/decode.js';
import { LARGEST_FILE, readSiteLog } from '../../src/site-log/read.js';
import { type Finding, Findings, type SiteLog, SiteLogRejected } from '../../src/site-log/site-log.js';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const fixtures = readdirSync(FIXTURES)
  .filter((name) => !name.endsWith('.json'))
  .sort();
const fixture = (name: string): Buffer => readFileSync(join(FIXTURES, name));

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const TEST_LOG = '     TEST Site Information Form (site log)\n1.   Site Identification\n     Four Character ID        : TEST\n';

/** What becomes of a file: the log, or null where it is rejected, and the findings. */
function read(bytes: Uint8Array, name = 'test.log'): { log: SiteLog | null; findings: Finding[] } {
  const findings = new Findings(name);
  try {
    return { log: readSiteLog(bytes, findings), findings: findings.list };
  } catch (error) {
    if (error instanceof SiteLogRejected) return { log: null, findings: error.findings };
    throw error;
  }
}

/** How a file is rejected: whether it is a site log, and the findings. */
function rejection(bytes: Uint8Array): { recognised: boolean; findings: Finding[] } | null {
  try {
    readSiteLog(bytes, new Findings('test.log'));
  } catch (error) {
    if (error instanceof SiteLogRejected) return { recognised: error.recognised, findings: error.findings };
    throw error;
  }
  return null;
}

t.test('every fixture reads as the file beside it says', async (t) => {
  t.ok(fixtures.length >= 7);
  t.strictSame(
    readdirSync(FIXTURES)
      .filter((name) => name.endsWith('.json'))
      .sort(),
    fixtures.map((name) => name.replace(/\.(log|xml)$/, '.json')),
    'each has one',
  );
  for (const name of fixtures) {
    const expected = JSON.parse(fixture(name.replace(/\.(log|xml)$/, '.json')).toString()) as unknown;
    t.strictSame(read(fixture(name), name), expected, name);
  }
});

t.test('a text and an XML log of the same station say the same', async (t) => {
  const text = read(fixture('version-1.log')).log!;
  const xml = read(fixture('geodesyml-0.5.xml')).log!;
  const items = (log: SiteLog) => log.items.map(({ id, from, to }) => ({ id, from, to }));
  t.strictSame(items(xml), items(text));
  const { notes: _notes, country: _country, ...identification } = xml.identification;
  t.hasStrict(text.identification, identification);
});

/** The same text in another encoding or with other line ends. */
const ENCODINGS: Record<string, (text: string) => Uint8Array> = {
  'CRLF at the ends of lines': (text) => utf8(text.replaceAll('\n', '\r\n')),
  'CR at the ends of lines': (text) => utf8(text.replaceAll('\n', '\r')),
  'a UTF-8 byte order mark': (text) => utf8(`\ufeff${text}`),
  'a UTF-8 byte order mark and CRLF': (text) => utf8(`\ufeff${text.replaceAll('\n', '\r\n')}`),
  'UTF-16, the low byte first': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16, the high byte first': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'Latin-1': (text) => Buffer.from(text, 'latin1'),
};
for (const [name, encode] of Object.entries(ENCODINGS)) {
  t.test(`a file with ${name} reads the same, line by line`, async (t) => {
    for (const name of fixtures) t.strictSame(read(encode(fixture(name).toString()), name), read(fixture(name), name), name);
  });
}

t.test('blanks and tabs at the ends of lines do not matter in a text log', async (t) => {
  for (const name of fixtures.filter((name) => name.endsWith('.log'))) {
    t.strictSame(read(utf8(fixture(name).toString().replaceAll('\n', ' \t \n')), name), read(fixture(name), name), name);
  }
});

t.test('letters beyond ASCII are read in UTF-8 and in Latin-1, in text and in XML', async (t) => {
  const name = 'Ærøskøbing ½ Höfn, Þ 65°';
  const text = `${TEST_LOG}     Site Name                : ${name}\n`;
  const xml = `<siteLog xmlns="urn:xml-gov-au:icsm:egeodesy:0.5"><siteIdentification><fourCharacterID>TEST</fourCharacterID><siteName>${name}</siteName></siteIdentification></siteLog>`;
  const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
  for (const bytes of [
    utf8(text),
    latin1(text),
    utf8(xml),
    latin1(xml),
    latin1(`<?xml version="1.0" encoding="ISO-8859-1"?>${xml}`),
    utf8(`<?xml version="1.0" encoding="utf-8"?>${xml}`),
  ]) {
    t.equal(read(bytes).log?.identification.name, name);
  }
});

t.test('a byte order mark is no part of the text', async (t) => {
  t.equal(decode(utf8('\ufeffa')), 'a');
  t.equal(decode(Buffer.from('\ufeffa', 'utf16le')), 'a');
  t.equal(decode(Buffer.from('\ufeffa', 'utf16le').swap16()), 'a');
});

t.test('the form is told by the content, not by the name', async (t) => {
  t.equal(read(fixture('geodesyml-0.5.xml'), 'test.log').log?.form, 'GeodesyML 0.5');
  t.equal(read(fixture('version-1.log'), 'test.xml').log?.form, 'IGS site log 1');
  t.equal(
    read(
      utf8(
        `\n \t${fixture('geodesyml-0.4.xml')
          .toString()
          .replace(/^<\?xml.*\n/, '')}`,
      ),
    ).log?.form,
    'GeodesyML 0.4',
  );
});

t.test('where the form has no Date Prepared, the date in the name counts', async (t) => {
  const prepared = (text: string, name: string) => read(utf8(text), name).log?.datePrepared;
  const WITH_DATE = `${TEST_LOG}0.   Form\n     Date Prepared            : 2019-11-05\n`;
  t.equal(prepared(TEST_LOG, 'test_20170223.log'), '2017-02-23');
  t.equal(prepared(TEST_LOG, '/some/where/test_20170223.log'), '2017-02-23');
  t.equal(prepared(TEST_LOG, 'test.log'), null);
  t.equal(prepared(TEST_LOG, 'test_20172302.log'), null);
  t.equal(prepared(WITH_DATE, 'test_20170223.log'), '2019-11-05');
  t.equal(prepared(WITH_DATE.replace('2019-11-05', '(CCYY-MM-DD)'), 'test_20170223.log'), '2017-02-23');
  t.equal(prepared(WITH_DATE.replace('2019-11-05', '2019-20-05'), 'test_20170223.log'), '2017-02-23');
  const xml = fixture('geodesyml-0.5.xml').toString();
  t.equal(prepared(xml, 'test_20170223.xml'), '2019-11-05');
  t.equal(prepared(xml.replace(/<geo:datePrepared>.*<\/geo:datePrepared>/, ''), 'test_20170223.xml'), '2017-02-23');
});

t.test('a file that is no site log is rejected as one, with a finding on its first line', async (t) => {
  for (const [what, bytes] of Object.entries({
    'an empty file': utf8(''),
    'blank lines': utf8('\n \n\t\n'),
    'a byte order mark alone': utf8('\ufeff'),
    'every byte there is': Uint8Array.from({ length: 256 }, (_, index) => index),
    'a picture': Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0xff, 0xfe, 0]),
    'an archive': Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xc0, 0x80, 0xfe]),
    'a million noughts': new Uint8Array(1_000_000),
    'half a character in UTF-16': Uint8Array.from([0xff, 0xfe, 0x41]),
    'a readme': utf8('# TEST\n\nA station that keeps a site log.\n'),
    'a table': utf8('id,receiver\nTEST,R1\n'),
    'a JSON file': utf8('{"fourCharacterId": "TEST"}'),
    'a page': utf8('<!-- TEST Site Information Form --><html></html>'),
  })) {
    const found = rejection(bytes);
    t.equal(found?.recognised, false, what);
    t.equal(found?.findings.length, 1, what);
    t.hasStrict(found?.findings[0], { file: 'test.log', line: 1, level: 'error' }, what);
    t.ok(found?.findings[0]?.message, what);
  }
});

t.test('a site log that is rejected is told from a file that is none', async (t) => {
  t.equal(rejection(fixture('long-id.log'))?.recognised, true);
  t.equal(rejection(utf8(fixture('geodesyml-0.4.xml').toString().replaceAll('egeodesy:0.4', 'egeodesy:0.3')))?.recognised, true);
  t.equal(rejection(fixture('geodesyml-0.4.xml').subarray(0, 1000))?.recognised, true);
});

t.test('the message of the error is the reason, and the findings end with it', async (t) => {
  const findings = new Findings('long-id.log');
  t.throws(() => readSiteLog(fixture('long-id.log'), findings), {
    name: 'SiteLogRejected',
    message: /^Four Character ID: not four letters or digits/,
  });
  t.equal(findings.list.at(-1)?.level, 'error');
});

t.test('a log as large as any file that is read is read', async (t) => {
  const receivers = Array.from({ length: 1000 }, (_, index) => `3.${index}  Receiver Type : R${index}\n     Serial Number : ${index}\n`);
  const head = TEST_LOG + receivers.join('');
  const filling = `     Additional Information   : ${'long '.repeat(10)}\n${`${' '.repeat(32)}${'long '.repeat(9)}\n`.repeat(60_000)}`;
  const text = (head + filling).slice(0, LARGEST_FILE);
  t.equal(text.length, LARGEST_FILE);
  t.equal(read(utf8(text)).log?.items.length, 1000);
});

t.test('a log of a hundred thousand lines that say nothing is read, with a thousand findings and one that there are more', async (t) => {
  for (const [line, most] of [
    ['x', 1001],
    ['Label : value', 1001],
    ['     :', 1001],
    ['1.   Site', 1001],
    ['3.x', 0],
    ['\t', 0],
  ] as const) {
    const { log, findings } = read(utf8(`${TEST_LOG}     Site Name :\n` + `${line}\n`.repeat(100_000)));
    t.equal(log?.identification.fourCharacterId, 'TEST', line);
    t.equal(findings.length, most, line);
  }
});

t.test('the reason of a rejection is told behind however many findings', async (t) => {
  const { log, findings } = read(utf8(`${TEST_LOG.replace(': TEST', ': TESTS')}${'x\n'.repeat(5000)}`));
  t.equal(log, null);
  t.equal(findings.length, 1002);
  t.hasStrict(findings.at(-1), { level: 'error', line: 3, text: 'TESTS' });
});

/** Whatever the bytes: a log or a rejection, and findings that are whole and point into the file. */
function readsOrRejects(bytes: Uint8Array): void {
  const { log, findings } = read(bytes, 'some.log');
  const lines = decode(bytes).split(/\r\n|\n|\r/).length;
  const within = (line: number): boolean => Number.isInteger(line) && line >= 1 && line <= lines;
  const check = (holds: boolean, what: unknown): void => {
    if (!holds) throw new Error(`of ${lines} lines: ${JSON.stringify(what)}`);
  };
  for (const finding of findings) {
    check(finding.file === 'some.log', finding);
    check(within(finding.line), finding);
    check(['info', 'warning', 'error'].includes(finding.level), finding);
    check(finding.message !== '', finding);
    check(finding.text.length <= 121 && !/[\r\n]/.test(finding.text), finding);
  }
  if (log === null) {
    check(findings.at(-1)?.level === 'error', findings);
    return;
  }
  check(
    findings.every(({ level }) => level !== 'error'),
    findings,
  );
  check(/^[A-Z0-9]{4}$/.test(log.identification.fourCharacterId), log.identification);
  check(log.datePrepared === null || /^\d{4}-\d\d-\d\d$/.test(log.datePrepared), log.datePrepared);
  for (const item of log.items) {
    check(within(item.line), item);
    for (const instant of [item.from, item.to]) check(instant === null || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(instant), item);
    for (const value of [...Object.values(item.id), ...Object.values(item.configuration)] as unknown[]) {
      check(
        value === null || (typeof value === 'string' && value.trim() !== '') || (typeof value === 'number' && Number.isFinite(value)),
        item,
      );
    }
    if ('elevetionCutoffSetting' in item.configuration) {
      check(/^(-?(0|[1-9]\d*)(\.\d*[1-9])?)?$/.test(item.configuration.elevetionCutoffSetting ?? ''), item);
    }
  }
}

/** Holds for every input that is made up; fast-check prints the seed and the smallest that it does not hold for. */
const always = <T>(arbitrary: fc.Arbitrary<T>, bytes: (value: T) => Uint8Array, numRuns: number): void =>
  fc.assert(
    fc.property(arbitrary, (value) => readsOrRejects(bytes(value))),
    { numRuns },
  );
const passes = (t: Test, run: () => void): void => {
  t.doesNotThrow(run);
};

t.test('any bytes are read or rejected, and nothing else', async (t) => {
  passes(t, () => always(fc.uint8Array({ maxLength: 500 }), (bytes) => bytes, 500));
});

t.test('any printable text is read or rejected, and nothing else, also where it begins as a site log does', async (t) => {
  const text = fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 20 }).map((lines) => lines.join('\n'));
  for (const head of ['', TEST_LOG, `${TEST_LOG}3.1 `, '<', '<siteLog xmlns="urn:xml-gov-au:icsm:egeodesy:0.5">']) {
    passes(t, () => always(text, (text) => utf8(head + text), 200));
  }
});

t.test('any labels, numbers, dates and signs thrown together are read or rejected, and nothing else', async (t) => {
  const words = [
    ...[
      '3.1',
      '3.x',
      '4.1  ',
      '6.1',
      '8.1.1',
      '0.   Form',
      '1.   Site',
      '2.   Site',
      '3.',
      '     ',
      '\t',
      ' '.repeat(32),
      ': ',
      ':',
      '\n',
      '\r\n',
    ],
    ...['Receiver Type', 'Antenna Type', 'Standard Type', 'Humidity Sensor Model', 'Serial Number', 'Date Installed', 'Date Removed'],
    ...['Effective Dates', 'Four Character ID', 'Nine Character ID', 'Date Prepared', 'Latitude (N is +)', 'Elevation Cutoff Setting'],
    ...['Marker->ARP Up Ecc. (m)', 'Antenna Cable Length', 'Antenna Radome Type', 'Satellite System', 'Additional Information'],
    ...[
      '2011-07-20',
      'T24:00Z',
      '/',
      '9999-99-99T99:99Z',
      '2011-20-07',
      'CCYY-MM-DD',
      '(',
      ')',
      '+10:00',
      'none',
      'NONE',
      'TEST',
      'TEST00AUS',
    ],
    ...[
      '0',
      '-',
      '+',
      '.5',
      '1e9',
      '1e99',
      ' m',
      ' cm',
      ' deg',
      ',',
      'approx ',
      '-234012.45',
      'GPS',
      '(multiple lines)',
      '\u2028',
      '\u00a0',
    ],
  ];
  const text = fc.array(fc.constantFrom(...words), { maxLength: 120 }).map((words) => words.join(''));
  passes(t, () => always(text, (text) => utf8(TEST_LOG + text), 1000));
});

/** A change to a text: a line left out, doubled, moved or cut, or characters put in the place of others. */
const mutation: fc.Arbitrary<(text: string) => string> = fc
  .record({
    kind: fc.constantFrom('delete', 'duplicate', 'move', 'cut', 'flip', 'insert'),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    to: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    with: fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }), fc.constantFrom(...'<>&"/():.-+x0\n\r\t ')),
  })
  .map(({ kind, at, to, with: other }) => (text: string) => {
    if (kind === 'flip' || kind === 'insert') {
      const index = Math.floor(at * text.length);
      return text.slice(0, index) + other + text.slice(kind === 'flip' ? index + other.length : index);
    }
    const lines = text.split('\n');
    const index = Math.floor(at * lines.length);
    const line = lines[index]!;
    if (kind === 'duplicate') lines.splice(Math.floor(to * lines.length), 0, line);
    else if (kind === 'cut') lines[index] = line.slice(0, Math.floor(to * line.length));
    else lines.splice(index, 1);
    if (kind === 'move') lines.splice(Math.floor(to * lines.length), 0, line);
    return lines.join('\n');
  });

for (const name of fixtures) {
  t.test(`fixtures/${name}, however it is mangled, is read or rejected, and nothing else`, async (t) => {
    const original = fixture(name).toString();
    const mangled = fc
      .array(mutation, { minLength: 1, maxLength: 12 })
      .map((mutations) => mutations.reduce((text, mutate) => mutate(text), original));
    passes(t, () => always(mangled, utf8, 300));
  });
}
