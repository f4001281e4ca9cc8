import { gzipSync } from 'node:zlib';
import t from 'tap';
import { checkHeader } from '../../src/rinex/check-header.js';
import { isEqual, isSpeltOtherwise } from '../../src/rinex/compare.js';
import { correctHeader } from '../../src/rinex/correct.js';
import type { Field } from '../../src/rinex/fields.js';
import { messageOf } from '../../src/rinex/findings.js';
import { readFileName } from '../../src/rinex/header/file-name.js';
import { readHeader, type RinexHeader } from '../../src/rinex/header/header.js';
import { headerLinesOf } from '../../src/rinex/header/lines.js';
import { identify } from '../../src/rinex/identify.js';
import type { RecordedSite } from '../../src/store/read/sites/sites.js';
import { readRinex, type RinexFile } from '../../src/rinex/file/files.js';
import { openStoreRecords } from '../../src/rinex/record/from-store.js';
import { type Random, randomOf } from '../campaigns/random.js';
import { SEED } from '../effort.js';
import { openService } from '../service.js';
import { logText } from '../synthetic-log.js';

const AGENCY = 'Institut für Erdmessung';
/** An invented station. */
const LOG = logText({
  id: 'QQZA00NZL',
  prepared: '2024-01-01',
  receivers: [
    {
      type: 'SEPT POLARX5',
      serial: '3048',
      from: '2015-01-01',
      more: { 'Firmware Version': 'Nav  4.03   Boot  3.' },
    },
  ],
  antennas: [
    {
      type: 'LEIAR25.R3      LEIT',
      serial: '0937',
      from: '2015-01-01',
      more: {
        'Marker->ARP Up Ecc. (m)': '0.0015',
        'Marker->ARP North Ecc(m)': '0.0020',
        'Marker->ARP East Ecc(m)': '-0.0030',
      },
    },
  ],
}).concat(
  '12.  Responsible Agency (if different from 11.)\n',
  `     Agency                   : ${AGENCY}\n`,
);

type Line = [content: string, label: string];
/** The header of the station, in lines. */
const lines = (version: string): Line[] => [
  [`${version.padStart(9)}           OBSERVATION DATA    M (MIXED)`, 'RINEX VERSION / TYPE'],
  ['someprog            me                  20200101 000000 UTC', 'PGM / RUN BY / DATE'],
  [version.startsWith('2') ? 'QQZA' : 'QQZA00NZL', 'MARKER NAME'],
  [`${' '.repeat(20)}${AGENCY}`, 'OBSERVER / AGENCY'],
  ['3048                SEPT POLARX5        Nav  4.03   Boot  3.', 'REC # / TYPE / VERS'],
  ['0937                LEIAR25.R3      LEIT', 'ANT # / TYPE'],
  ['        0.0015       -0.0030        0.0020', 'ANTENNA: DELTA H/E/N'],
  ['    30.000', 'INTERVAL'],
  ['  2020     1     1     0     0    0.0000000     GPS', 'TIME OF FIRST OBS'],
];
const END: Line = ['', 'END OF HEADER'];

const VERSIONS = ['2.10', '2.11', '3.02', '3.05', '4.00', '4.02'];
const EPOCH = Buffer.from('> 2020 01 01 00 00  0.0000000  0  1\nG01  20000000.000\n');

/** A header on its way to be a file. */
interface Draft {
  lines: Line[];
  encoding: 'latin1' | 'utf8';
  write: (line: Line) => string;
  /** What happens to the whole file at the end. */
  pack: ((file: Buffer) => Buffer)[];
}

/** What must come of a header. */
interface Expected {
  /** The message of the refusal. */
  refused?: RegExp;
  /** The fields that are not equal, with their status. */
  statuses?: Partial<Record<Field, string>>;
  /** The fields that are equal, but spelt otherwise. */
  spelt?: Field[];
  /** What is said. */
  remark?: RegExp;
}

/** Something odd. Two that alter the same thing are not done to one header. */
interface Oddity extends Expected {
  alters: string;
  to: (draft: Draft) => void;
}

/** Alters the content of a record. */
const content =
  (label: string, alter: (content: string) => string) =>
  ({ lines: all }: Draft): void => {
    for (const line of all) if (line[1] === label) line[0] = alter(line[0]);
  };
const relabel =
  (label: string, written: string) =>
  ({ lines: all }: Draft): void => {
    for (const line of all) if (line[1] === label) line[1] = written;
  };
const pack = (how: (file: Buffer) => Buffer) => (draft: Draft) => void draft.pack.push(how);
const columns = (start: number, value: string) => (text: string) =>
  text.padEnd(60).slice(0, start) + value + text.padEnd(60).slice(start + value.length);
const whole = (text: string) => pack(() => Buffer.from(text, 'latin1'));
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const HEN = 'ANTENNA: DELTA H/E/N';
const numbers = (text: string, ...unreadable: Field[]): Oddity => ({
  alters: HEN,
  to: content(HEN, () => text),
  statuses: Object.fromEntries(unreadable.map((field) => [field, 'cannot be read'])),
});
const shifted = (label: string, blanks: number) => (draft: Draft) => {
  const { write } = draft;
  draft.write = (line) =>
    line[1] === label ? `${line[0].padEnd(blanks)}${label}`.padEnd(80) : write(line);
};

const READ: Oddity[] = [
  {
    alters: 'ends',
    to: (draft) => {
      const { write } = draft;
      draft.write = (line) => `${write(line)}\r`;
    },
  },
  { alters: 'ends', to: (draft) => void (draft.write = ([a, b]) => a.padEnd(60) + b) },
  { alters: 'ends', to: (draft) => void (draft.write = ([a, b]) => (a.padEnd(60) + b).padEnd(84)) },
  { alters: 'encoding', to: (draft) => void (draft.encoding = 'utf8') },
  {
    alters: 'encoding',
    to: (draft) => {
      draft.encoding = 'utf8';
      // Columns of bytes: one character less where one has two.
      draft.write = ([a, b]) => a.padEnd(60 - (Buffer.byteLength(a) - a.length)) + b.padEnd(20);
    },
  },
  {
    alters: 'begin',
    to: pack((file) => Buffer.concat([MARK, file])),
    remark: /^The file begins with a byte order mark/,
  },
  {
    alters: 'begin',
    to: ({ lines: all }) =>
      void all.unshift(
        ['1.0                 COMPACT RINEX FORMAT', 'CRINEX VERS   / TYPE'],
        ['RNX2CRX ver.4.0.7', 'CRINEX PROG / DATE'],
      ),
  },
  { alters: 'size', to: ({ lines: all }) => void all.splice(2, 0, ...comments(1500)) },
  { alters: 'pack', to: pack((file) => gzipSync(file)) },
  {
    alters: 'pack',
    to: pack((file) =>
      Buffer.concat([file.subarray(0, 99), file.subarray(99)].map((part) => gzipSync(part))),
    ),
  },
  { alters: 'pack', to: pack((file) => Buffer.concat([gzipSync(file), Buffer.alloc(512)])) },
  { alters: 'pack', to: pack((file) => Buffer.concat([gzipSync(file), Buffer.from('behind it')])) },
  {
    alters: HEN,
    to: relabel(HEN, 'ANTENNA: DELTA'),
    remark: /"ANTENNA: DELTA" as ANTENNA: DELTA H\/E\/N/,
  },
  { alters: 'ANT', to: relabel('ANT # / TYPE', 'ANT #/TYPE') },
  {
    alters: 'ANT',
    to: relabel('ANT # / TYPE', 'Ant # / Type'),
    remark: /"Ant # \/ Type" as ANT # \/ TYPE/,
  },
  {
    alters: 'INTERVAL',
    to: relabel('INTERVAL', 'INTERVALL'),
    remark: /^RINEX has no label "INTERVALL"; not read/,
  },
  {
    alters: 'MARKER',
    to: ({ lines: all }) => void all.push(['NOBODY', 'MARKER NAME']),
    remark: /^The header has MARKER NAME 2 times; the first one counts/,
  },
  {
    alters: 'MARKER',
    to: content('MARKER NAME', (id) => id.toLowerCase()),
    spelt: ['markerName'],
  },
  {
    alters: 'MARKER',
    to: content('MARKER NAME', () => 'Bldg 3699'),
    statuses: { markerName: 'differs' },
  },
  {
    alters: 'REC',
    to: content('REC # / TYPE / VERS', columns(20, 'Sept PolaRx5')),
    spelt: ['receiverType'],
  },
  {
    alters: 'ANT',
    to: content('ANT # / TYPE', columns(20, 'LEIAR25.R3 LEIT     ')),
    spelt: ['antennaType', 'radomeType'],
  },
  {
    alters: 'ANT',
    to: content('ANT # / TYPE', columns(20, 'leiar25.r3      leit')),
    spelt: ['antennaType', 'radomeType'],
  },
  {
    alters: 'ANT',
    to: ({ lines: all }) =>
      void all.push(['0937                LEIAR25.R3      LEIT', 'ANT # / TYPE']),
    remark: /^The header has ANT # \/ TYPE 2 times; the first one counts/,
  },
  {
    alters: 'ANT',
    to: ({ lines: all }) =>
      void all.push(['0937                LEIAR25.R3      NONE', 'ANT # / TYPE']),
    statuses: {
      antennaSerialNumber: 'cannot be read',
      antennaType: 'cannot be read',
      radomeType: 'cannot be read',
    },
    remark: /^The header has ANT # \/ TYPE 2 times; they differ/,
  },
  {
    alters: HEN,
    to: ({ lines: all }) => void all.push(['        0.0015       -0.0030        0.0000', HEN]),
    statuses: { up: 'cannot be read', east: 'cannot be read', north: 'cannot be read' },
    remark: /^The header has ANTENNA: DELTA H\/E\/N 2 times; they differ/,
  },
  numbers('********      -0.0030        0.0020', 'up'),
  numbers('        0,0015       -0.0030        0.0020', 'up'),
  numbers('      1.5E-03       -3.0D-03        0.0020', 'up', 'east'),
  numbers('        0.0015**************        0.0020', 'east'),
  numbers('  0.0015 -0.0030 0.0020 0.0000', 'up', 'east', 'north'),
  numbers('0.0015 -0.0030 0.0020'),
  numbers('         .0015        -.0030         .0020'),
  {
    alters: HEN,
    to: relabel(HEN, 'ANTENNA: DELTA X/Y/Z'),
    statuses: { up: 'empty in header', east: 'empty in header', north: 'empty in header' },
    remark: /^The header has ANTENNA: DELTA X\/Y\/Z instead of ANTENNA: DELTA H\/E\/N; it is not/,
  },
  {
    alters: 'TIME',
    to: content('TIME OF FIRST OBS', () => '  2020    13     1     0     0    0.0000000     GPS'),
    remark: /^TIME OF FIRST OBS "2020 13 1 0 0 0.0000000 GPS" is not a time that exists/,
  },
];
const REFUSED: Oddity[] = [
  { alters: 'all', to: whole(''), refused: /^is empty$/ },
  {
    alters: 'all',
    to: shifted('END OF HEADER', 59),
    refused: /^has END OF HEADER in column 60; expected column 61$/,
  },
  {
    alters: 'all',
    to: shifted('RINEX VERSION / TYPE', 59),
    refused: /^has RINEX VERSION \/ TYPE in column 60; expected column 61$/,
  },
  { alters: 'all', to: relabel('END OF HEADER', 'COMMENT'), refused: /^ends before END OF HEADER/ },
  {
    alters: 'all',
    to: ({ lines: all }) => void all.splice(2, 0, ...comments(4000)),
    refused: /^has no END OF HEADER in its first 256 KiB$/,
  },
  {
    alters: 'all',
    to: pack((file) => gzipSync(file).subarray(0, 60)),
    refused: /^is a damaged gzip file: it ends too early$/,
  },
  {
    alters: 'all',
    to: pack((file) => gzipSync(file).fill(0xff, 12, 60)),
    refused: /^is a damaged gzip file: /,
  },
  {
    alters: 'all',
    to: pack((file) => gzipSync(file).fill(9, 2, 3)),
    refused: /^is a damaged gzip file: its method of compression is unknown$/,
  },
  { alters: 'all', to: whole('\x1f\x8b\x08'), refused: /^is a damaged gzip file: it ends too/ },
  {
    alters: 'all',
    to: pack((file) =>
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(file.toString('latin1'), 'utf16le')]),
    ),
    refused: /^is text in UTF-16; expected ASCII$/,
  },
  { alters: 'all', to: whole('BZh91AY&SY'), refused: /^is compressed with bzip2; expected/ },
  { alters: 'all', to: whole('PK\x03\x04'), refused: /^is compressed with zip; expected/ },
  { alters: 'all', to: whole('\xfd7zXZ\0'), refused: /^is compressed with xz; expected/ },
  { alters: 'all', to: whole('\x28\xb5\x2f\xfd'), refused: /^is compressed with zstd; expected/ },
  {
    alters: 'all',
    to: pack((file) => Buffer.from(file.toString('latin1').replaceAll('\n', '\r'), 'latin1')),
    refused: /^has lines that end with CR alone; expected LF, or CR and LF$/,
  },
  {
    alters: 'all',
    to: content('RINEX VERSION / TYPE', columns(20, 'NAVIGATION DATA ')),
    refused: /^has RINEX type "NAVIGATION DATA"; expected observation data$/,
  },
  {
    alters: 'all',
    to: whole('<!DOCTYPE html>\n<title>Log in</title>\n'),
    refused: /^is not a RINEX file: it begins with "<!DOCTYPE html>"$/,
  },
  { alters: 'all', to: whole('\0\x01\x02\x03'), refused: /^is not a RINEX file: it begins with/ },
  {
    alters: 'all',
    to: relabel('RINEX VERSION / TYPE', 'COMMENT'),
    refused: /^has no RINEX VERSION \/ TYPE$/,
  },
];

function comments(count: number): Line[] {
  return Array.from({ length: count }, (_, index) => [`comment ${index}`, 'COMMENT']);
}

/** The file of a header with oddities. */
function fileOf(version: string, oddities: Oddity[]): Buffer {
  const draft: Draft = {
    lines: [...lines(version), END].map(([a, b]): Line => [a, b]),
    encoding: 'latin1',
    write: ([a, b]) => a.padEnd(60) + b.padEnd(20),
    pack: [],
  };
  for (const { to } of oddities) to(draft);
  // The end may have been followed by a record.
  draft.lines.sort((a, b) => Number(a[1] === 'END OF HEADER') - Number(b[1] === 'END OF HEADER'));
  const text = draft.lines.map((line) => `${draft.write(line)}\n`).join('');
  const file = Buffer.concat([Buffer.from(text, draft.encoding), EPOCH]);
  // What is packed, is packed last.
  return draft.pack.reduce<Buffer>((packed, how) => how(packed), file);
}

/** A file in pieces of a size. */
async function* pieces(file: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < file.length; start += size)
    yield await Promise.resolve(file.subarray(start, start + size));
}

async function contentAfter({ rest }: RinexFile): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of rest) parts.push(part);
  return Buffer.concat(parts);
}

/** One or two oddities that can be together; or one that is refused. */
function drawn(random: Random, number: number): Oddity[] {
  if (number % 4 === 0) return [REFUSED[(number / 4) % REFUSED.length]!];
  const first = READ[number % READ.length]!;
  const second = random.pick(READ);
  const isPossible = second.alters !== first.alters;
  const all = isPossible ? [first, second] : [first];
  return all.sort((a, b) => Number(a.alters === 'pack') - Number(b.alters === 'pack'));
}

const NAMES: Record<string, string> = {
  2: 'qqza0010.20o',
  3: 'QQZA00NZL_R_20200010000_01D_MO.rnx',
};

/** What is wrong with the reading of a header; nothing if it is as expected. */
function unexpected(
  header: RinexHeader,
  file: RinexFile,
  record: RecordedSite,
  oddities: Oddity[],
): unknown[] {
  const problems: unknown[] = [];
  const name = readFileName(NAMES[header.version[0]!] ?? NAMES[3]!);
  const identified = identify({ name, header, lastEpoch: null }, [record], {
    at: null,
    site: null,
  });
  if (identified.kind !== 'identified') return [identified];
  const checked = checkHeader(header, record, identified.span);
  const statuses = Object.assign({}, ...oddities.map((each) => each.statuses)) as object;
  const wrong = checked.fields
    .filter((field) => !isEqual(field))
    .map(({ field, status }) => `${field}: ${status}`);
  // The agency is not in ASCII, which is always said.
  const foreign = header.remarks.filter(({ code }) => code === 'not-ascii');
  if (foreign.length !== 1) problems.push('not-ascii');
  const others = header.remarks.filter((each) => !foreign.includes(each));
  const said = [...identified.hints, ...others].map(messageOf);
  const remarks = oddities.flatMap(({ remark }) => (remark === undefined ? [] : [remark]));
  const expectedWrong = Object.entries(statuses).map(([field, status]) => `${field}: ${status}`);
  if (wrong.sort().join() !== expectedWrong.sort().join()) problems.push(wrong);
  // One remark names all odd labels.
  const expectedSaid = new Set(remarks.map((each) => said.find((one) => each.test(one))));
  if (expectedSaid.has(undefined) || expectedSaid.size !== said.length) problems.push(said);
  const spelt = checked.fields.filter(isSpeltOtherwise).map(({ field }) => field);
  const expected = oddities.flatMap((each) => each.spelt ?? []).sort();
  if (JSON.stringify(spelt.sort()) !== JSON.stringify(expected)) problems.push(spelt);
  // What is mended is equal afterwards, and is not mended again.
  const corrected = correctHeader(
    file.headerLines,
    header,
    { ...checked, isOpen: false },
    {
      equipment: false,
      agency: false,
    },
  );
  if (/[^\0-\xff]/.test(corrected.text)) problems.push('not in bytes');
  return problems;
}

t.test('200 odd headers are read, or refused with the cause', async (t) => {
  const { database, importText } = await openService(t, []);
  const imported = await importText(LOG);
  t.equal(imported.saved, 1);
  const records = await openStoreRecords(database);
  t.teardown(() => records.close());
  const [record] = await records.findSites(['QQZA']);
  const random = randomOf(SEED, 'odd-headers', 0);
  const problems: unknown[] = [];
  const seen = new Set<Oddity>();
  for (let number = 0; number < 200; number++) {
    const version = random.pick(VERSIONS);
    const oddities = drawn(random, number);
    for (const each of oddities) seen.add(each);
    const file = fileOf(version, oddities);
    const [{ refused }] = oddities as [Oddity];
    const size = [1 << 20, 4096, 61][number % 3]!;
    try {
      const rinex = await readRinex(pieces(file, size));
      const header = readHeader(rinex.headerLines);
      if (refused !== undefined) problems.push([number, 'was not refused', refused]);
      const found = unexpected(header, rinex, record!, oddities);
      if (found.length > 0) problems.push([number, version, ...found]);
      if (!(await contentAfter(rinex)).equals(EPOCH)) problems.push([number, 'other observations']);
    } catch (error) {
      const { message } = error as Error;
      if (refused === undefined || !refused.test(message)) problems.push([number, message]);
    }
  }
  t.same(problems, []);
  t.equal(seen.size, READ.length + REFUSED.length, 'all of them');
});

t.test('the fields of a gzip header are skipped', async (t) => {
  const packed = gzipSync(fileOf('3.05', []));
  const [check, extra, name, comment] = [2, 4, 8, 16];
  const withFields = (flags: number, fields: string): Buffer =>
    Buffer.concat([
      Buffer.from([...packed.subarray(0, 3), flags, ...packed.subarray(4, 10)]),
      Buffer.from(fields),
      packed.subarray(10),
    ]);
  const cases: [flags: number, fields: string][] = [
    [extra, '\x03\0abc'],
    [extra, '\0\0'],
    [name, 'qqza0010.20o\0'],
    [comment, 'made by hand\0'],
    [check, 'ab'],
    [extra + name + comment + check, '\x01\0abc\0d\0ef'],
  ];
  for (const [flags, fields] of cases)
    for (const size of [1, 4096]) {
      const rinex = await readRinex(pieces(withFields(flags, fields), size));
      t.ok((await contentAfter(rinex)).equals(EPOCH), `${flags} in pieces of ${size}`);
    }
  const cut = withFields(name, 'qqza0010.20o').subarray(0, 22);
  await t.rejects(readRinex(pieces(cut, 4096)), { message: /it ends too early$/ });
});

t.test('a tab stands for the blanks up to the next multiple of eight columns', async (t) => {
  const headerOf = (receiver: string): RinexHeader => {
    const [version, end] = [lines('3.05')[0]!, END].map(([a, b]) => a.padEnd(60) + b);
    return readHeader(headerLinesOf(`${version}\n${receiver}REC # / TYPE / VERS\n${end}\n`)!);
  };
  const written = headerOf('1830439             EXAMPLE RECEIVER 99 4.03'.padEnd(60));
  t.match(written, { receiverSerialNumber: '1830439', receiverType: 'EXAMPLE RECEIVER 99' });
  t.match(headerOf('1830439\t\t    EXAMPLE RECEIVER 99\t4.03\t\t    '), written);
});
