import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { decodeFile } from '../../src/site-log/values/decode.js';
import { decode } from '../../src/site-log/values/decode.js';
import { casesOf, SEED, triesMore } from '../effort.js';
import { mutateLog, readOriginals } from '../campaigns/mutations.js';
import { randomOf } from '../campaigns/random.js';
import { type Attempt, attempt } from './reading.js';
import { adviceOn, messageOf } from '../../src/findings/codes.js';
import { logText } from '../synthetic-log.js';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const files = readdirSync(FIXTURES).sort();
const fixtures = files.filter((name) => !name.endsWith('.json'));
const fixture = (name: string): Buffer => readFileSync(join(FIXTURES, name));

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const TEST_LOG =
  '     TEST Site Information Form (site log)\n1.   Site Identification of the GNSS Monument\n     Four Character ID        : TEST\n';

/** The text so many times, with # replaced by the number of the repetition. */
const numbered = (text: string, times: number): string =>
  Array.from({ length: times }, (_, index) => text.replaceAll('#', String(index))).join('');

/** What is read from a file, except whether it is a site log at all. */
function read(bytes: Uint8Array, name?: string): Omit<Attempt, 'recognised'> {
  const { log, findings } = attempt(bytes, name);
  return { log, findings };
}

t.test('every fixture gives the content of the JSON file next to it', async (t) => {
  t.ok(fixtures.length >= 7);
  const beside = fixtures.map((name) => name.replace(/\.(log|xml)$/, '.json'));
  const expected = files.filter((name) => name.endsWith('.json'));
  t.strictSame(expected, beside, 'every fixture has a JSON file');
  for (const [index, name] of fixtures.entries()) {
    t.strictSame(read(fixture(name), name), JSON.parse(fixture(beside[index]!).toString()), name);
  }
});

/** The same text in other encodings and with other line ends. */
const ENCODINGS: Record<string, (text: string) => Uint8Array> = {
  'CRLF line ends': (text) => utf8(text.replaceAll('\n', '\r\n')),
  'CR line ends': (text) => utf8(text.replaceAll('\n', '\r')),
  'a UTF-8 byte order mark': (text) => utf8(`\ufeff${text}`),
  'a UTF-8 byte order mark and CRLF': (text) => utf8(`\ufeff${text.replaceAll('\n', '\r\n')}`),
  'UTF-16, little-endian': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16, big-endian': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
};
t.test('a file in another encoding, or with trailing blanks, gives the same result', async (t) => {
  for (const name of fixtures) {
    const [text, expected] = [fixture(name).toString(), read(fixture(name), name)];
    for (const [encoding, encode] of Object.entries(ENCODINGS))
      t.strictSame(read(encode(text), name), expected, `${name}: ${encoding}`);
    if (name.endsWith('.log'))
      t.strictSame(read(utf8(text.replaceAll('\n', ' \t \n')), name), expected, `${name}: blanks`);
  }
});

t.test(
  'a file in Latin-1 gives the same result, and a warning at its first line that is not ASCII',
  async (t) => {
    const NOT_ASCII = /[\u0080-\u00ff]/;
    for (const name of fixtures) {
      const text = fixture(name).toString();
      const expected = read(fixture(name), name);
      const { log, findings } = read(Buffer.from(text, 'latin1'), name);
      const [other, ...others] = text
        .split('\n')
        .flatMap((each, index) => (NOT_ASCII.test(each) ? [index + 1] : []));
      t.strictSame(log, expected.log, name);
      const added = findings.filter(({ code }) => code === 'not-utf-8');
      t.strictSame(
        findings.filter((each) => !added.includes(each)),
        expected.findings,
        name,
      );
      if (other === undefined) t.strictSame(added, [], name);
      else
        t.match(
          added,
          [
            {
              line: other,
              level: 'warning',
              text: '',
              values: { lines: others.length + 1 },
            },
          ],
          name,
        );
    }
  },
);

const head = Buffer.from(`${TEST_LOG}2.   Site Location Information\n`);
/** A log with the lines of section 2 as bytes. */
const withPlace = (...lines: (string | number[])[]): Buffer =>
  Buffer.concat([
    head,
    ...lines.map((line) => Buffer.concat([Buffer.from(line as string), Buffer.from('\n')])),
  ]);
const CITY = '     City or Town             : ';
const STATE = '     State or Province        : ';
const inLatin1 = (text: string): number[] => [...Buffer.from(text, 'latin1')];

t.test(
  'that lines are not UTF-8 is the first finding, with the section of the first of them, also of a file that is rejected',
  async (t) => {
    const other = [...Buffer.from(CITY), ...inLatin1('\u00fc')];
    const broken = withPlace(other, 'not a line of the form');
    const { findings } = read(broken);
    t.match(findings[0], { code: 'not-utf-8', line: 5, section: '2' });
    t.equal(findings[1]!.code, 'ignored-line');
    const twice = read(Buffer.concat([broken, broken]));
    t.match(twice.findings, [{ code: 'not-utf-8' }, { code: 'two-site-logs' }]);
  },
);

t.test('a line that is not UTF-8 spoils no other line', async (t) => {
  t.match(read(withPlace(`${CITY}Z\u00fcrich`, inLatin1(`${STATE}Z\u00fcrich \u00a3`))), {
    log: { identification: { city: 'Z\u00fcrich', state: 'Z\u00fcrich \u00a3' } },
    findings: [
      {
        line: 6,
        level: 'warning',
        code: 'not-utf-8',
        values: { lines: 1, encoding: 'windows-1252' },
        text: '',
      },
    ],
  });
  // "Irkutsk" in KOI8-R, and a euro sign in windows-1252.
  const city = [...Buffer.from(CITY), 0xe9, 0xd2, 0xcb, 0xd5, 0xd4, 0xd3, 0xcb];
  t.match(read(withPlace(city, [...Buffer.from(STATE), 0x80])), {
    log: { identification: { state: '\u20ac' } },
    findings: [
      {
        line: 5,
        code: 'not-utf-8',
        values: { lines: 2, encoding: 'windows-1252' },
      },
    ],
  });
  t.strictSame(read(withPlace(`${CITY}Z\u00fcrich`)).findings, [], 'UTF-8');
  const crlf = Buffer.from(
    withPlace(`${CITY}Z\u00fcrich`, inLatin1(`${STATE}\u00fc`))
      .toString('latin1')
      .replaceAll('\n', '\r\n'),
    'latin1',
  );
  const cr = Buffer.from(crlf.toString('latin1').replaceAll('\r\n', '\r'), 'latin1');
  const mark = Buffer.concat([Buffer.from('\ufeff'), crlf]);
  for (const bytes of [crlf, cr, mark])
    t.match(read(bytes), {
      log: { identification: { city: 'Z\u00fcrich', state: '\u00fc' } },
      findings: [{ line: 6 }],
    });
  const xml = fixture('geodesyml-0.5.xml').toString();
  const mixed = Buffer.concat([
    Buffer.from(xml.trimEnd()),
    Buffer.from('<!-- \u00fc -->\n'),
    Buffer.from('<!-- \u00fc -->', 'latin1'),
  ]);
  const about = read(mixed).findings.filter(({ code }) => code === 'not-utf-8');
  t.match(about, [{ line: xml.trimEnd().split('\n').length + 1 }]);
});

t.test('bytes of every kind are decoded as by a decoder', async (t) => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) =>
    index === 10 || index === 13 ? 32 : index,
  );
  t.equal(decode(bytes), new TextDecoder('windows-1252').decode(bytes));
  t.equal(decode(utf8('\ufeffa\ufeff')), 'a\ufeff');
  t.equal(decode(Buffer.concat([utf8('\ufeff\ufeffa\n'), Buffer.from([0xff])])), '\ufeffa\n\u00ff');
  t.equal(decode(Buffer.from([0xff, 0x0a, 0xc3])), '\u00ff\n\u00c3', 'half a character');
});

t.test('each line is UTF-8 or windows-1252, by itself', triesMore, async (t) => {
  const OTHER = new TextDecoder('windows-1252');
  // Characters in both encodings, and what is nearly one: cut, too long, or a surrogate.
  const PARTS = [
    [0x41], [0x80], [0x81], [0xe9], [0xff], [0xc3, 0xa9], [0xc0, 0x80], [0xe0, 0x80, 0x80], [0xe0, 0xa0, 0x80],
    [0xe2, 0x82], [0xed, 0x9f, 0xbf], [0xed, 0xa0, 0x80], [0xef, 0xbb, 0xbf], [0xef, 0xbf, 0xbd],
    [0xf0, 0x80, 0x80, 0x80], [0xf0, 0x9f, 0x98], [0xf0, 0x9f, 0x98, 0x80], [0xf4, 0x8f, 0xbf, 0xbf],
    [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80],
  ]; // prettier-ignore
  const line = fc.array(fc.constantFrom(...PARTS), { maxLength: 4 });
  const ends = fc.constantFrom('\n', '\r', '\r\n');
  const lines = fc.array(fc.tuple(line, ends), { minLength: 1, maxLength: 5 });
  const decodesLines = fc.property(lines, (each) => {
    const parts = each.map(([characters, end]) => ({
      // Not empty, so that no line end joins the next one.
      bytes: Buffer.from([0x2d, ...characters.flat()]),
      end,
    }));
    const isOther = parts.map(({ bytes }) => !isUtf8(bytes));
    const file = Buffer.concat(parts.flatMap(({ bytes, end }) => [bytes, Buffer.from(end)]));
    const texts = parts.map(
      ({ bytes, end }, index) => `${isOther[index] ? OTHER.decode(bytes) : bytes.toString()}${end}`,
    );
    const first = isOther.indexOf(true);
    t.strictSame(decodeFile(file), {
      text: texts.join(''),
      otherLines: isOther.filter(Boolean).length,
      firstOther: first === -1 ? null : first + 1,
    });
  });
  fc.assert(decodesLines, { seed: SEED, numRuns: casesOf(2000) });
});

t.test('an invisible character in a type, an id or a serial number is named', async (t) => {
  const withItem = (type: string, serial: string, firmware: string): string =>
    [
      `${TEST_LOG}     IERS DOMES Number        : 5013\u200b7M001`,
      '3.   GNSS Receiver Information',
      `3.1  Receiver Type            : ${type}`,
      `     Serial Number            : ${serial}`,
      `     Firmware Version         : ${firmware}`,
    ].join('\n');
  const text = withItem('R\u00a01', '1\u00ad2\ufeff3\u00ad', '5\u00a01');
  const { log, findings } = read(utf8(text));
  // As in all texts, what counts as a blank becomes one.
  t.match(log?.items, [{ id: { type: 'R 1', serialNumber: '1\u00ad2 3\u00ad' } }]);
  t.match(findings, [
    { line: 6, level: 'warning', label: 'Receiver Type', values: { characters: ['U+00A0'] } },
    { line: 7, label: 'Serial Number', values: { characters: ['U+00AD', 'U+FEFF'] } },
    { line: 4, label: 'IERS DOMES Number', values: { characters: ['U+200B'] } },
  ]);
  t.equal(findings.length, 3, 'not of firmware');
  t.match(read(utf8(TEST_LOG.replace(': TEST', ': TE\u200bST'))).findings, [
    { code: 'invisible-character', label: 'Four Character ID' },
    { code: 'no-site-id' },
  ]);
  const plain = withItem('R 1  ', '\u00a0123\u00a0', '5').replace('\u200b', '');
  t.strictSame(read(utf8(plain)).findings, [], 'around a value they do no harm');
});

t.test('letters O in place of the digits of an id are named', async (t) => {
  const expectedOf = (id: string): unknown => {
    const { log, findings } = read(utf8(logText({ id })));
    t.equal(log, null, id);
    return findings.at(-1)?.values.expected;
  };
  const usual = expectedOf('TESTXXAUS');
  t.type(usual, 'string');
  for (const id of ['TESTOOAUS', 'TEST0OAUS', 'testo0aus']) t.not(expectedOf(id), usual, id);
});

t.test('the format is detected from the content, not from the file name', async (t) => {
  t.equal(read(fixture('geodesyml-0.5.xml'), 'test.log').log?.form, 'GeodesyML 0.5');
  t.equal(read(fixture('version-1.log'), 'test.xml').log?.form, 'IGS site log 1');
  const indented = fixture('geodesyml-0.4.xml')
    .toString()
    .replace(/^<\?xml.*\n/, '\n \t');
  t.equal(read(utf8(indented)).log?.form, 'GeodesyML 0.4');
});

t.test('without a Date Prepared, the date in the file name is used', async (t) => {
  const prepared = (text: string, name: string) => read(utf8(text), name).log?.datePrepared;
  const WITH_DATE = `${TEST_LOG}0.   Form\n     Date Prepared            : 2019-11-05\n`;
  t.equal(prepared(TEST_LOG, '/some/where/test_20170223.log'), '2017-02-23');
  t.equal(prepared(TEST_LOG, 'test.log'), null);
  t.equal(prepared(TEST_LOG, 'test_20172302.log'), null);
  t.equal(prepared(WITH_DATE, 'test_20170223.log'), '2019-11-05');
  for (const date of ['(CCYY-MM-DD)', '2019-20-05'])
    t.equal(
      prepared(WITH_DATE.replace('2019-11-05', date), 'test_20170223.log'),
      '2017-02-23',
      date,
    );
  const xml = fixture('geodesyml-0.5.xml').toString();
  t.equal(prepared(xml, 'test_20170223.xml'), '2019-11-05');
  t.equal(
    prepared(xml.replace(/<geo:datePrepared>.*<\/geo:datePrepared>/, ''), 'test_20170223.xml'),
    '2017-02-23',
  );
});

t.test(
  'a file that is not a site log is rejected as such, with a finding on its first line',
  async (t) => {
    for (const [what, bytes] of Object.entries({
      'an empty file': utf8(''),
      'blank lines': utf8('\n \n\t\n'),
      'a byte order mark alone': utf8('\ufeff'),
      'every byte there is': Uint8Array.from({ length: 256 }, (_, index) => index),
      'a picture': Uint8Array.from([
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0xff,
        0xfe, 0,
      ]),
      'an archive': Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xc0, 0x80, 0xfe]),
      'a million zero bytes': new Uint8Array(1_000_000),
      'half a character in UTF-16': Uint8Array.from([0xff, 0xfe, 0x41]),
      'a readme': utf8('# TEST\n\nA station with a site log.\n'),
      'a table': utf8('id,receiver\nTEST,R1\n'),
      'a JSON file': utf8('{"fourCharacterId": "TEST"}'),
      'a page': utf8('<!-- TEST Site Information Form --><html></html>'),
    })) {
      const finding = { file: 'test.log', line: 1, level: 'error', code: String };
      t.match(
        attempt(bytes),
        { log: null, recognised: false, findings: { length: 1, 0: finding } },
        what,
      );
    }
  },
);

t.test(
  'a log with tens of thousands of meaningless lines is read, with at most a thousand findings and one that says there are more',
  async (t) => {
    for (const [line, most] of Object.entries({
      x: 1,
      'Label : value': 1,
      '     :': 1,
      'x\n     Site Name : y': 2,
      'x#\n     Site Name : y#': 2,
      '1.   Site': 2,
      '1.   Site #': 2,
      '3.x': 0,
      '\t': 0,
    })) {
      const { log, findings } = read(
        utf8(`${TEST_LOG}     Site Name :\n${numbered(`${line}\n`, 20_000)}`),
      );
      t.equal(log?.identification.fourCharacterId, 'TEST', line);
      t.equal(findings.length, most, line);
    }
  },
);

t.test('the reason for a rejection is reported after any number of findings', async (t) => {
  const { log, findings } = read(
    utf8(`${TEST_LOG.replace(': TEST', ': TESTS')}${'x\n     Site Name : y\n'.repeat(5000)}`),
  );
  t.equal(log, null);
  t.strictSame(
    findings.map(({ code, others }) => [code, others.length]),
    [
      ['duplicate-value', 999],
      ['many-findings', 0],
      ['no-site-id', 0],
    ],
  );
  t.match(findings.at(-1), {
    level: 'error',
    line: 3,
    text: /^$/,
    code: 'no-site-id',
    values: { label: 'Four Character ID', expected: String },
  });
});

t.test('a log without an id is rejected as such, not for a malformed id', async (t) => {
  const title = '     TEST Site Information Form (site log)\n';
  const start = `${title}0.   Form\n     Date Prepared            : 2020-01-01\n`;
  const section = '1.   Site Identification of the GNSS Monument\n';
  for (const [text, label] of [
    [start, 'Four'],
    [start + section, 'Four'],
    [`${start}${section}     Four Character ID        :\n`, 'Four'],
    [`${start}${section}     Nine Character ID        : \n`, 'Nine'],
    [`${start}${section}     Four Character ID        : (A4)\n`, 'Four'],
  ] as const)
    t.match(read(utf8(text)), {
      log: null,
      findings: [
        {
          code: 'no-site-id',
          values: { label: `${label} Character ID`, expected: null },
          text: '',
        },
      ],
    });
});

/**
 * Checks that the bytes give a log or a rejection, with complete findings whose lines are in the
 * file.
 */
function readsOrRejects(bytes: Uint8Array): void {
  const { log, findings } = read(bytes, 'some.log');
  const lines = decode(bytes).split(/\r\n|\n|\r/).length;
  const within = (line: number): boolean => Number.isInteger(line) && line >= 1 && line <= lines;
  const check = (valid: boolean, what: unknown): void => {
    if (!valid) throw new Error(`of ${lines} lines: ${JSON.stringify(what)}`);
  };
  for (const finding of findings) {
    check(finding.file === 'some.log', finding);
    check(within(finding.line), finding);
    check(['info', 'warning', 'error'].includes(finding.level), finding);
    check(messageOf(finding) !== '' && adviceOn(finding) !== '', finding);
    check(finding.text.length <= 121 && !/[\r\n]/.test(finding.text), finding);
  }
  if (log === null) return check(findings.at(-1)?.level === 'error', findings);
  const errors = findings.filter(({ level }) => level === 'error');
  check(errors.length === 0, errors);
  check(/^[A-Z0-9_]{4}$/.test(log.identification.fourCharacterId), log.identification);
  check(log.datePrepared === null || /^\d{4}-\d\d-\d\d$/.test(log.datePrepared), log.datePrepared);
  for (const item of log.items) {
    check(within(item.line), item);
    for (const instant of [item.from, item.to])
      check(instant === null || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(instant), item);
    for (const value of [
      ...Object.values(item.id),
      ...Object.values(item.configuration),
    ] as unknown[]) {
      const isBlank =
        typeof value === 'string' ? value.trim() === '' : value !== null && !Number.isFinite(value);
      check(!isBlank, item);
    }
    if ('elevetionCutoffSetting' in item.configuration) {
      check(
        /^(-?(0|[1-9]\d*)(\.\d*[1-9])?)?$/.test(item.configuration.elevetionCutoffSetting ?? ''),
        item,
      );
    }
  }
}

/**
 * Checks generated inputs. On failure fast-check prints the seed and the smallest failing input.
 */
const always = <T>(
  arbitrary: fc.Arbitrary<T>,
  bytes: (value: T) => Uint8Array,
  numRuns: number,
): void =>
  fc.assert(
    fc.property(arbitrary, (value) => readsOrRejects(bytes(value))),
    { numRuns: casesOf(numRuns), seed: SEED },
  );

t.test(
  'arbitrary bytes and text are read or rejected cleanly, even if the text starts like a site log',
  triesMore,
  async (t) => {
    t.doesNotThrow(() => always(fc.uint8Array({ maxLength: 500 }), (bytes) => bytes, 500));
    const text = fc
      .array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 20 })
      .map((lines) => lines.join('\n'));
    for (const head of [
      '',
      TEST_LOG,
      `${TEST_LOG}3.1 `,
      '<',
      '<siteLog xmlns="urn:xml-gov-au:icsm:egeodesy:0.5">',
    ]) {
      t.doesNotThrow(() => always(text, (text) => utf8(head + text), 200));
    }
  },
);

t.test('mutated logs are read or rejected cleanly', triesMore, async (t) => {
  const originals = readOriginals();
  for (let number = 0; number < casesOf(2000); number++) {
    const { name, text } = mutateLog(randomOf(SEED, 'read', number), originals);
    try {
      readsOrRejects(Buffer.from(text, 'latin1'));
    } catch (error) {
      t.fail(`mutation ${number} of ${name} with seed ${SEED}: ${String(error)}`);
    }
  }
});
