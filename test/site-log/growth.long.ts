import t, { type Test } from 'tap';
import { isAsciiSiteLog } from '../../src/site-log/text/blocks.js';
import {
  dateInFileName,
  readEffectiveDates,
  readInstant,
} from '../../src/site-log/values/dates.js';
import { decode } from '../../src/site-log/values/decode.js';
import { LONGEST_VALUE } from '../../src/site-log/values/limits.js';
import { METRES, readAngle, readDecimal } from '../../src/site-log/values/numbers.js';
import { withoutMailAddresses } from '../../src/site-log/contacts/mail-addresses.js';
import { Telephones } from '../../src/site-log/contacts/telephones.js';
import { LARGEST_FILE } from '../../src/site-log/read.js';
import { Findings } from '../../src/findings/findings.js';
import {
  decodeReferences,
  antennaType,
  readProse,
  readRadome,
  readSatelliteSystem,
  readStabilization,
} from '../../src/site-log/values/reading.js';
import { labelled } from '../../src/site-log/write/text-lines.js';
import { isXml } from '../../src/site-log/xml/elements.js';
import { visible } from '../../src/visible.js';
import { attempt } from './reading.js';

/**
 * The time that reading takes must grow no faster than the input, whatever a stranger writes into a
 * log. Each test doubles the length some times: linear time doubles with it, quadratic time
 * quadruples.
 */

/** Above the factor of linear time with some noise, below the 4 of quadratic time. */
const MOST_GROWTH = 3.5;
const TRIES = 60;
/** So many tries count in any case: a first one also compiles the patterns. */
const LEAST_TRIES = 3;
/** How long each time is measured, in ms. */
const WINDOW = 0.4;
/** For the largest file: one second per megabyte. */
const MOST_SECONDS = LARGEST_FILE / 2 ** 20;

/**
 * The processor time of one call in ms, measured over calls that take at least {@link WINDOW} ms together.
 */
function timeOf(run: () => void): number {
  const start = process.cpuUsage();
  let calls = 0;
  let elapsed = 0;
  do {
    run();
    calls++;
    const { user, system } = process.cpuUsage(start);
    elapsed = (user + system) / 1000;
  } while (elapsed < WINDOW);
  return elapsed / calls;
}

/**
 * The mean growth of the time when the length doubles, over so many doublings that end at `length`.
 * Noise only adds time, so the least time of some tries counts.
 */
function growth(
  run: (text: string) => unknown,
  make: (length: number) => string,
  length: number,
  doublings: number,
): number {
  const short = make(length / 2 ** doublings);
  const long = make(length);
  let shortest = Infinity;
  let longest = Infinity;
  let factor = Infinity;
  for (let tries = 0; tries < LEAST_TRIES || (tries < TRIES && factor >= MOST_GROWTH); tries++) {
    shortest = Math.min(
      shortest,
      timeOf(() => run(short)),
    );
    longest = Math.min(
      longest,
      timeOf(() => run(long)),
    );
    factor = (longest / shortest) ** (1 / doublings);
  }
  return factor;
}

/**
 * The seconds that this thread computes in one call, the least of three if the first takes too
 * long. Other processes do not count.
 */
function secondsOf(run: () => void): number {
  let least = Infinity;
  for (let attempt = 0; attempt < 3 && least > MOST_SECONDS; attempt++) {
    const before = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1e6);
  }
  return least;
}

/**
 * What makes patterns try again: blanks, digits, parentheses and separators, alone and alternating.
 */
// prettier-ignore
const FILLINGS = [
  ' ', '1', 'a', '(', ')', '-', '/', ',', '.', '\n', ' -', '- ', ' )', '( ', 'approx ', '&#1', '(multiple lines)',
  '\u001b', '_20110720',
];

/** `head`, as many `filling` as fit, and a character that makes a match fail. */
const attack = (head: string, filling: string) => (length: number) =>
  `${head}${filling.repeat(Math.max(0, Math.floor((length - head.length - 1) / filling.length)))}x`;

type Readers = Record<string, [read: (text: string) => unknown, heads: string[]]>;
/**
 * The readers of values that are refused above {@link LONGEST_VALUE}, each with beginnings that
 * lead deep into its patterns.
 */
const SHORT: Readers = {
  readDecimal: [(text) => readDecimal(text, METRES), ['1', '1 a', '1 (', 'approx. ', '1.', '1e5']],
  readInstant: [
    readInstant,
    ['2011-07-20', '2011-07-20T', '2011-07-20 12:34:56.', '(', '2011-07-20T12:34Z'],
  ],
  readEffectiveDates: [
    readEffectiveDates,
    ['', '2011-07-20', '2011-07-20 -', '2011-07-20/', '(CCYY-MM-DD'],
  ],
  readAngle: [(text) => readAngle(text, 180), ['', '1', '-2340']],
  antennaType: [(text) => antennaType(text, 'NONE'), ['', 'LEIAR25 ']],
  'readProse of a hint': [
    (text) => readProse(`${text.slice(0, -1)})`),
    ['(', '(A20, ', '(ccyy-mm-dd', '(gps+glo', '(eurasian', '(quartz/'],
  ],
};

/**
 * Asserts that the time of each reader grows no faster than its text, whatever the text begins with
 * and is filled with.
 */
function growsLinearly(t: Test, readers: Readers, length: number, doublings: number): void {
  for (const [name, [read, heads]] of Object.entries(readers)) {
    const slow: string[] = [];
    for (const head of heads) {
      for (const filling of FILLINGS) {
        const factor = growth(read, attack(head, filling), length, doublings);
        if (factor >= MOST_GROWTH)
          slow.push(`${JSON.stringify(head)} ${JSON.stringify(filling)}: ${factor.toFixed(1)}`);
      }
    }
    t.strictSame(slow, [], name);
  }
}

/** A pattern that begins anew at each character: quadratic time. */
const hasTrailingDashes = (text: string): boolean => /-+$/.test(text);

t.test('this measure tells quadratic time from linear time', async (t) => {
  const make = attack('', '-');
  t.ok(growth(hasTrailingDashes, make, 16_000, 3) >= MOST_GROWTH);
  t.ok(growth((text) => text.includes('xx'), make, 80_000, 3) < MOST_GROWTH);
});

t.test(
  'the time to read a number, an angle, a date or a hint grows no faster than its length',
  async (t) => {
    growsLinearly(t, SHORT, LONGEST_VALUE, 1);
  },
);

/** The functions that read text of any length. */
const LONG: Readers = {
  readProse: [readProse, ['', '(', '(multiple']],
  readStabilization: [readStabilization, ['none']],
  readRadome: [readRadome, ['none']],
  readSatelliteSystem: [readSatelliteSystem, ['GPS']],
  decodeReferences: [decodeReferences, ['', '&#', '&#x']],
  decode: [(text) => decode(Buffer.from(text)), ['', '\u00ff']],
  isXml: [isXml, ['', '<']],
  isAsciiSiteLog: [isAsciiSiteLog, ['', 'four character id', 'site information ']],
  dateInFileName: [dateInFileName, ['', '_20110720']],
  visible: [visible, ['']],
  'Findings.add': [
    (text) => new Findings('').add('position-computed', { line: 1 }, { unknown: [], text }),
    [''],
  ],
};

t.test('the time to read text grows with its length at most', async (t) => {
  growsLinearly(t, LONG, 80_000, 3);
});

t.test('so does the time to search a text with many signs of email addresses', async (t) => {
  const parts = [
    '_at_b_dot_c',
    '-at-b.c',
    '_at_b.jpg',
    '-at-b.jpg',
    '@b.c',
    '@',
    ' at b.c',
    '-dot-',
  ];
  for (const part of parts)
    t.ok(growth(withoutMailAddresses, attack('x', part), 80_000, 2) < MOST_GROWTH, part);
});

t.test('so does the time to break a long value into lines', async (t) => {
  const lines = (text: string): string => labelled('', 'Label', text, true, () => {});
  for (const part of ['a  b ', `a${' '.repeat(47)}b `, 'a\u00a0b ', 'a\n'])
    t.ok(growth(lines, attack('', part), 80_000, 2) < MOST_GROWTH, JSON.stringify(part));
});

t.test('and that to search one for telephone numbers', async (t) => {
  const telephones = new Telephones(['+61 2 6249 9111', '1111111 1111 1112']);
  const search = (text: string): string => telephones.withheldIn(text);
  for (const part of ['1 ', '0 ', '001 ', '1', '1 10-', '1(0)', '6 1 2 6 2 4 '])
    t.ok(growth(search, attack('', part), 80_000, 2) < MOST_GROWTH, part);
});

const HEAD =
  '     TEST Site Information Form\n1.   Site Identification of the GNSS Monument\n     Four Character ID        : TEST\n     Site Name                : A\n';
const XML_HEAD =
  '<geo:siteLog xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5" xmlns:xlink="http://www.w3.org/1999/xlink">' +
  '<geo:siteIdentification><geo:SiteIdentification><geo:fourCharacterID>TEST</geo:fourCharacterID></geo:SiteIdentification></geo:siteIdentification>';

/** Logs that repeat a part until they have the length. */
const repeated =
  (head: string, part: (index: number) => string, tail = '') =>
  (length: number) => {
    const parts = [head];
    for (let [index, size] = [0, head.length + tail.length]; ; index++) {
      const next = part(index);
      size += next.length;
      if (size > length) break;
      parts.push(next);
    }
    return parts.join('') + tail;
  };
const blanks = ' '.repeat(190);
/** Half of the file are references to one element, which is the other half. */
const references = (reference: string, content: string) => (length: number) =>
  `${XML_HEAD}${reference.repeat(Math.floor(length / 2 / reference.length))}` +
  `<geo:GnssReceiver id="a">${content.repeat(Math.floor(length / 2 / content.length) - 20)}</geo:GnssReceiver></geo:siteLog>`;

const LOGS: Record<string, (length: number) => string> = {
  'numbers with remarks': repeated(
    HEAD,
    (index) =>
      `4.${index + 1}  Antenna Type : A\n${['Up', 'North', 'East'].map((each) => `     Marker->ARP ${each} Ecc. (m) : 1 a${blanks}b\n`).join('')}`,
  ),
  'dates with parentheses': repeated(
    HEAD,
    (index) =>
      `3.${index + 1}  Receiver Type : R\n     Date Installed : 2011-07-20${')'.repeat(185)}x\n`,
  ),
  'effective dates': repeated(
    HEAD,
    (index) =>
      `6.${index + 1}  Standard Type : R\n     Effective Dates : 2011-07-20${' -'.repeat(90)}x\n`,
  ),
  'unknown labels': repeated(HEAD, () => 'Label : value\n'),
  'a value of many lines': repeated(HEAD, () => `${' '.repeat(32)}x\n`),
  'character references': repeated(HEAD, () => '&#1'),
  'control characters': repeated(HEAD, () => '\u001b('),
  'repeated sections': repeated(HEAD, () => '1.   Site\n'),
  tabs: repeated(HEAD, () => '\t'),
  'a long section title': repeated(`${HEAD}2.   `, () => 'a'),
  'a long item header': repeated(`${HEAD}3.1`, () => ' ', 'x'),
  colons: repeated(HEAD, () => ':'),
  'lines with only a colon': repeated(HEAD, () => '     :\n'),
  'references to one element by formInformation': references(
    '<geo:formInformation xlink:href="#a"/>',
    '<geo:datePrepared/>',
  ),
  'references to one element by gnssReceiver': references(
    '<geo:gnssReceiver xlink:href="#a"/>',
    '<geo:notes/>',
  ),
  'deep elements': repeated(
    `${XML_HEAD}${'<a>'.repeat(60)}`,
    () => '<b/>',
    `${'</a>'.repeat(60)}</geo:siteLog>`,
  ),
  'repeated satellite systems': repeated(
    `${XML_HEAD}<geo:gnssReceiver><geo:GnssReceiver>`,
    (index) => `<geo:satelliteSystem>${index}</geo:satelliteSystem>`,
    '</geo:GnssReceiver></geo:gnssReceiver></geo:siteLog>',
  ),
  'unknown elements in a contact': repeated(
    `${XML_HEAD}<geo:siteContact><CI_ResponsibleParty>`,
    (index) => `<geo:q>x${index}</geo:q>`,
    '</CI_ResponsibleParty></geo:siteContact></geo:siteLog>',
  ),
  'many attributes': repeated(`${XML_HEAD}<a`, (index) => ` a${index}=""`, '/></geo:siteLog>'),
  'many site logs': repeated(
    `<a>${XML_HEAD}</geo:siteLog>`,
    () => '<siteLog xmlns="urn:xml-gov-au:icsm:egeodesy:0.5"/>',
    '</a>',
  ),
  entities: repeated(`${XML_HEAD}<a>`, () => '&amp;', '</a></geo:siteLog>'),
  'bare ampersands': repeated(XML_HEAD, () => '&a'),
  'a bare ampersand before digits': repeated(`${XML_HEAD}&#`, () => '1'),
  'open comments after an ampersand': repeated(`${XML_HEAD}& a;`, () => '<!--'),
  'open CDATA after an ampersand': repeated(`${XML_HEAD}& a;`, () => '<![CDATA['),
  positions: repeated(
    `${XML_HEAD}<geo:siteLocation><geo:SiteLocation><geo:approximatePositionITRF><geo:geodeticPosition><pos>`,
    () => '1 ',
    '</pos></geo:geodeticPosition></geo:approximatePositionITRF></geo:SiteLocation></geo:siteLocation></geo:siteLog>',
  ),
};

/** Logs with contacts, and with text that is nearly one. */
const CONTACT = `${HEAD}11.  On-Site, Point of Contact Agency Information\n`;
const NAMED = `${CONTACT}       Contact Name           : Maria Sample, Otto Normal\n13.  More Information\n`;
const CONTACTS: Record<string, (length: number) => string> = {
  'unknown labels of a contact': repeated(
    CONTACT,
    (index) => `     Label ${index} : name ${index}x\n`,
  ),
  'many names in one value': repeated(
    `${CONTACT}       Contact Name           : `,
    (index) => `Name ${index}, `,
  ),
  'a contact in each line': repeated(NAMED, () => `${' '.repeat(32)}Maria Sample\n`),
  'nearly a contact in each line': repeated(
    NAMED,
    () => `${' '.repeat(32)}Maria Sampler, Sample Maria\n`,
  ),
  'blanks inside a name': repeated(`${NAMED}     Notes : Maria`, () => ' ', 'Sample'),
  'email addresses': repeated(`${NAMED}     Notes : `, (index) => `a${index}@b.org `),
  'nearly an email address': repeated(`${NAMED}     Notes : a@`, () => 'a.'),
  'nearly an email address in words': repeated(`${NAMED}     Notes : a`, () => ' (at) a [dot] '),
  'signs of email addresses': repeated(`${NAMED}     Notes : `, () => '@'),
};

t.test(
  'the time to read a log grows with its length at most, and is less than a second per megabyte',
  async (t) => {
    for (const [name, make] of Object.entries({ ...LOGS, ...CONTACTS })) {
      const factor = growth(attempt, make, 320_000, 3);
      // The largest file only if it can be read in reasonable time.
      t.ok(factor < MOST_GROWTH, `${name}: ${factor.toFixed(1)} times as long with each doubling`);
      if (factor >= MOST_GROWTH) continue;
      const whole = make(LARGEST_FILE);
      const seconds = secondsOf(() => attempt(whole));
      t.ok(seconds <= MOST_SECONDS, `${name}: ${seconds.toFixed(2)} s`);
    }
  },
);
