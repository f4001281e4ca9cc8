import t from 'tap';
import { checkAgainstClock, checkLog } from '../../src/check/check-log.js';
import { rejectCopiedForm } from '../../src/check/identity.js';
import {
  type Finding,
  Findings,
  placesOf,
  sectionWords,
  SiteLogRejected,
  textsOf,
} from '../../src/findings/findings.js';
import { readWholeLog } from '../../src/site-log/read.js';
import { type Item, logText, type SyntheticLog } from '../synthetic-log.js';

/** One cause is one finding. */

const RECEIVER = {
  'Satellite System': 'GPS',
  'Firmware Version': '1',
  'Elevation Cutoff Setting': '0',
};
const receiver = (serial: string, from: string, to?: string, more = {}): Item => ({
  type: 'TRIMBLE NETR9',
  serial,
  from,
  ...(to !== undefined && { to }),
  more: { ...RECEIVER, ...more },
});
const antenna = (up: string, from: string, to?: string, type = 'LEIAR25.R3      NONE'): Item => ({
  type,
  serial: from,
  from,
  ...(to !== undefined && { to }),
  more: {
    'Antenna Reference Point': 'BPA',
    'Marker->ARP Up Ecc. (m)': up,
    'Marker->ARP North Ecc(m)': '0',
    'Marker->ARP East Ecc(m)': '0',
    'Alignment from True N': '0',
    'Antenna Radome Type': 'NONE',
  },
});

/** The lines of section 2 that a synthetic log lacks, but for those of the position. */
const blankSection2 = (): string =>
  ['City or Town', 'State or Province', 'Tectonic Plate']
    .map((label) => `     ${label.padEnd(25)}: x\n`)
    .join('') +
  ['X coordinate (m)', 'Y coordinate (m)', 'Z coordinate (m)']
    .concat('Latitude (N is +)', 'Longitude (E is +)', 'Elevation (m,ellips.)')
    .map((label) => `       ${label.padEnd(23)}:\n`)
    .join('');

/** The findings of a log but those about lines that a synthetic log never has. */
function foundIn(text: string, file = 'test.log'): Finding[] {
  const findings = new Findings(file);
  const log = readWholeLog(Buffer.from(text), findings);
  checkLog(log, findings);
  checkAgainstClock(log.log, new Date('2021-01-01'), findings);
  const ofForm = new Set(['missing-label', 'missing-section', 'missing-equipment', 'out-of-order']);
  return findings.list.filter(({ code }) => !ofForm.has(code));
}
const found = (log: SyntheticLog): string[] => factsOf(foundIn(logText(log)));
const factsOf = (findings: Finding[]): string[] =>
  findings.map((finding) => `${finding.code} ${sectionWords(finding)}: ${textsOf(finding)}`);

t.test(
  'findings that differ only in the text and the section are one, with all texts',
  async (t) => {
    const findings = new Findings('a');
    for (const [section, text] of [
      ['8.1', '5 minute sec'],
      ['8.2', '5 minute sec'],
      ['8.3', '1 minute sec'],
      ['10', ''],
    ] as const)
      findings.add(
        'unreadable-value',
        { line: 1, section, item: 1, label: 'Interval' },
        { expected: 'a number', text },
      );
    const [finding, ...others] = findings.list;
    t.same(others, []);
    t.equal(sectionWords(finding!), '8.1.1, 8.2.1, 8.3.1, 10.1');
    t.equal(textsOf(finding!), '5 minute sec; 1 minute sec');
    t.same(
      placesOf(finding!).map(({ section, text }) => `${section} ${text}`),
      ['8.1 5 minute sec', '8.2 5 minute sec', '8.3 1 minute sec', '10 '],
    );
    const again = new Findings('a', findings.list);
    again.add(
      'unreadable-value',
      { line: 9, section: '8.1', label: 'Interval' },
      { expected: 'a number', text: 'x' },
    );
    t.equal(again.list.length, 1);
    t.equal(placesOf(again.list[0]!).length, 5);
    t.equal(findings.list[0]!.others.length, 3, 'the list before stays as it was');
  },
);

t.test('of many texts, the first five are shown', async (t) => {
  const texts = ['1', '2', '3', '4', '5', '6', '7'].map((text) => ({ text }));
  t.equal(textsOf({ text: '1', others: texts.slice(0, 5) }), '1; 2; 3; 4; 5');
  t.equal(textsOf({ text: '1', others: texts }), '1; 2; 3; 4; 5 and 2 more');
});

t.test('a section in the message keeps findings apart', async (t) => {
  const findings = new Findings('a');
  for (const section of ['3', '4'])
    findings.add('ignored-line', { line: 1, section }, { why: 'single', count: 1 });
  t.equal(findings.list.length, 2);
});

t.test('receivers without dates of removal are one finding', async (t) => {
  const receivers = [
    receiver('10', '2001-01-01'),
    receiver('20', '2002-01-01'),
    receiver('30', '2003-01-01'),
  ];
  t.same(found({ receivers }), [
    'several-in-use 3.1 to 3.3: TRIMBLE NETR9 10; TRIMBLE NETR9 20; TRIMBLE NETR9 30',
  ]);
  const removed = [receiver('10', '2001-01-01'), receiver('20', '2002-01-01', '2003-01-01')];
  t.same(found({ receivers: removed }), ['open-before-later 3.1: 2002-01-01T00:00:00Z']);
});

t.test('an antenna type in quotation marks says nothing about its radome', async (t) => {
  for (const type of ['"LEIAR25.R3      NONE"', '"LEIAR25.R3"', "'LEIAR25.R3'"])
    t.match(found({ antennas: [antenna('0', '2001-01-01', undefined, type)] }), [
      /^malformed-type/,
    ]);
  t.match(found({ antennas: [antenna('0', '2001-01-01', undefined, 'LEIAR25.R3')] }), [
    /^radome-missing/,
  ]);
});

t.test('eccentricities in millimetres are one finding, of that antenna', async (t) => {
  const years = ['2001-01-01', '2002-01-01', '2003-01-01', '2004-01-01'] as const;
  const heights = (...ups: string[]): Item[] =>
    ups.map((up, index) => antenna(up, years[index]!, years[index + 1]));
  t.same(found({ antennas: heights('0.0083', '8.3', '0.0083') }), [
    'eccentricity-scale 4.2: 8.3 0 0',
  ]);
  t.same(found({ antennas: heights('1.5', '0.0015', '1.5') }), [
    'eccentricity-scale 4.1, 4.3: 1.5 0 0',
  ]);
  t.same(found({ antennas: heights('0.0300', '30', '0.03') }), ['eccentricity-scale 4.2: 30 0 0']);
  t.same(found({ antennas: heights('0.0301', '30.1', '0.0301') }), ['out-of-range 4.2: 30.1']);
});

t.test('a numbered item without values is one finding, whatever its number', async (t) => {
  const receivers = [receiver('10', '2001-01-01')];
  const blank = '3.1  Receiver Type            : (A20, from rcvr_ant.tab; see instructions)\n';
  for (const number of ['3.2', '3.3', '3.1']) {
    const text = `${logText({ receivers })}\n3.   GNSS Receiver Information\n`;
    const withBlank = logText({ receivers }).replace(
      /\n4\. /,
      `\n${blank.replace('3.1', number)}4. `,
    );
    t.ok(text);
    t.match(factsOf(foundIn(withBlank)), [/^blank-block 3: $/], number);
  }
});

t.test('a gap that may come from a wrong or unknown date is not reported', async (t) => {
  const first = receiver('10', '2001-01-01', '2002-01-01');
  const third = receiver('30', '2005-01-01');
  const gap = /^history-gap/;
  t.match(found({ receivers: [first, third] }), [gap]);
  for (const [from, to, ...code] of [
    // What derives Setups says that it was removed before.
    ['2002-01-01', '2001-06-01'],
    ['', '2005-01-01', /^missing-value/],
    ['nearly 2002', '2005-01-01', /^unreadable-value/],
  ] as const)
    t.match(found({ receivers: [first, receiver('20', from, to), third] }), code, from);
  const late = receiver('20', '2055-01-01');
  t.match(found({ receivers: [receiver('10', '2001-01-01', '2002-01-01'), late] }), [
    /^after-date-prepared/,
  ]);
});

t.test('an item within the period of another one hides no later overlap', async (t) => {
  const receivers = [
    receiver('10', '2001-01-01', '2010-01-01'),
    receiver('20', '2002-01-01', '2003-01-01'),
    receiver('30', '2005-01-01'),
  ];
  const periods = ['2002', '2005'].map((year) => `${year}-01-01T00:00:00Z/2010-01-01T00:00:00Z`);
  t.same(found({ receivers }), [`overlap 3.2 and 3.3: ${periods.join('; ')}`]);
});

t.test('an item that ends where it starts is neither before nor behind a gap', async (t) => {
  const open = receiver('10', '2001-01-01');
  const closed = receiver('10', '2001-01-01', '2002-01-01');
  const last = receiver('30', '2010-01-01');
  const at = (instant: string) => receiver('20', instant, instant);
  const hour = receiver('20', '2005-01-01T00:00Z', '2005-01-01T01:00Z');
  t.same(found({ receivers: [open, at('2005-01-01')] }), []);
  t.match(found({ receivers: [open, hour] }), [/^open-before-later 3.1/]);
  t.match(found({ receivers: [closed, at('2005-01-01'), last] }), [/^history-gap 3.3/]);
  t.match(found({ receivers: [closed, hour, last] }), [/^history-gap 3.2 and 3.3/]);
});

t.test('a gap of receiver and antenna at one time is one finding', async (t) => {
  const receivers = [receiver('10', '2001-01-01', '2002-01-01'), receiver('20', '2003-01-01')];
  const antennas = [antenna('0', '2001-01-01', '2002-01-01'), antenna('1', '2003-01-01')];
  t.same(found({ receivers, antennas }), [
    'history-gap 3.2, 4.2: 2002-01-01T00:00:00Z/2003-01-01T00:00:00Z',
  ]);
});

t.test('a wrong coordinate or country is one finding', async (t) => {
  const place = {
    'X coordinate (m)': '-4052051.767',
    'Y coordinate (m)': '4212836.215',
    'Z coordinate (m)': '-2545106.027',
    'Latitude (N is +)': '-23.6701',
    'Longitude (E is +)': '133.8855',
    'Elevation (m,ellips.)': '603.4',
  };
  t.same(found({ place }), []);
  const latitude = { 'Latitude (N is +)': 'south' };
  t.match(found({ place: { ...place, ...latitude } }), [/^unreadable-value/]);
  const mirrored = { 'Z coordinate (m)': '2545106.027' };
  t.match(found({ place: { ...place, ...mirrored } }), [/^position-mismatch/]);
  const zeros = Object.fromEntries(Object.keys(place).map((label) => [label, '0']));
  t.match(found({ place: zeros }), [/^zero-position/]);
  const blank = { 'Latitude (N is +)': '' };
  t.match(found({ place: { ...place, ...blank } }), [/^position-computed/]);
  t.match(found({ place, country: 'Germany' }), [/^far-from-country/]);
});

t.test('what an item lacks that nobody numbered is not reported, too', async (t) => {
  const blank = { type: 'TRIMBLE NETR9', serial: '', from: '' };
  const filled = logText({ receivers: [receiver('10', '2001-01-01'), blank] });
  const codesIn = (text: string): string[] =>
    foundIn(text)
      .filter(({ section }) => section?.startsWith('3'))
      .map(({ code }) => code);
  t.match(codesIn(filled), ['missing-value']);
  t.same(codesIn(filled.replace(/^3\.2 /m, '3.x ')), ['filled-template']);
});

t.test('a copied form is rejected for one reason', async (t) => {
  const text = logText({ receivers: [receiver('10', '2001-01-01')] }).replace(
    'TEST Site',
    'WXYZ Site',
  );
  const rejected = (file: string): string[] => {
    const findings = new Findings(file);
    const log = readWholeLog(Buffer.from(text), findings);
    checkLog(log, findings);
    try {
      rejectCopiedForm(log, findings);
    } catch (error) {
      t.ok(error instanceof SiteLogRejected);
    }
    const codes = ['title-differs', 'file-name-differs', 'copied-form'];
    return findings.list.map(({ code }) => code).filter((code) => codes.includes(code));
  };
  t.same(rejected('wxyz_20200101.log'), ['copied-form']);
  t.same(rejected('test_20200101.log'), ['title-differs']);
  t.same(rejected('abcd_20200101.log'), ['title-differs', 'file-name-differs']);
});

t.test('a label of another name is one finding, not also a missing label', async (t) => {
  const text = logText({ receivers: [receiver('10', '2001-01-01')] });
  /** The findings about the place and the country, which a synthetic log has under their labels. */
  const about = (log: string): string[] => {
    const findings = new Findings('a');
    checkLog(readWholeLog(Buffer.from(log), findings), findings);
    const codes = ['missing-label', 'ignored-line', 'misspelt-label'];
    return findings.list
      .filter(({ code, section }) => section === '2' && codes.includes(code))
      .map(({ code, text }) => `${code} ${text.slice(0, 12)}`);
  };
  const complete = text.replace(/(\n2\. .*\n)/, `$1${blankSection2()}`);
  t.same(about(complete), []);
  t.same(about(complete.replace(/ +State or Province +:.*\n/, '')), ['missing-label State or Pro']);
  t.same(about(complete.replace('State or Province ', 'Province of it    ')), [
    'ignored-line Province of ',
  ]);
});

t.test('an item that says that there is no receiver lacks nothing else', async (t) => {
  const none = { type: 'no receiver', from: '2002-01-01', more: {} };
  const receivers = [receiver('10', '2001-01-01', '2002-01-01'), none];
  t.match(found({ receivers }), [/^malformed-type 3\.2/]);
  const [first, ...missing] = found({ receivers: [receivers[0]!, { ...none, type: 'NO RCVR' }] });
  t.match(first, /^missing-value 3\.2/);
  t.equal(missing.length, 1);
});

t.test('dates of removal that are also dates of deletion are one finding', async (t) => {
  const block = (number: number): string => `
    <geo:gnssReceiver>
      <geo:GnssReceiver gml:id="r${number}">
        <geo:igsModelCode>R1</geo:igsModelCode>
        <geo:manufacturerSerialNumber>${number}</geo:manufacturerSerialNumber>
        <geo:dateInstalled>200${number}-01-01T00:00:00Z</geo:dateInstalled>
        <geo:dateRemoved>200${number + 1}-01-01T00:00:00Z</geo:dateRemoved>
      </geo:GnssReceiver>
      <geo:dateDeleted>200${number + 1}-01-01T00:00:00Z</geo:dateDeleted>
    </geo:gnssReceiver>`;
  const xml = `<geo:GeodesyML xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5"
    xmlns:gml="http://www.opengis.net/gml/3.2" gml:id="TEST00AUS">
    <geo:siteLog gml:id="l"><geo:siteIdentification>
      <geo:fourCharacterID>TEST</geo:fourCharacterID>
    </geo:siteIdentification>${[1, 2, 3].map(block).join('')}
    </geo:siteLog></geo:GeodesyML>`;
  const deleted = foundIn(xml).filter(({ code }) => code === 'deletion-is-removal');
  t.same(factsOf(deleted), [
    'deletion-is-removal 3.1 to 3.3: 2002-01-01T00:00:00Z; 2003-01-01T00:00:00Z; 2004-01-01T00:00:00Z',
  ]);
});
