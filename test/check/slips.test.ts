import t from 'tap';
import { checkLog } from '../../src/check/check-log.js';
import { type Finding, Findings, isOf, sectionWords } from '../../src/findings/findings.js';
import { adviceOn, type FindingCode } from '../../src/findings/codes.js';
import { readWholeLog } from '../../src/site-log/read.js';
import { type Item, logText, placeOf, type SyntheticLog } from '../synthetic-log.js';

/** The findings of a synthetic log, read and checked. */
function found(log: SyntheticLog): Finding[] {
  const findings = new Findings('test.log');
  checkLog(readWholeLog(Buffer.from(logText(log)), findings), findings);
  return findings.list;
}

const ofCode = (log: SyntheticLog, code: FindingCode): Finding[] =>
  found(log).filter((finding) => finding.code === code);

const receiver = (serial: string, year: number, systems = 'GPS'): Item => ({
  type: 'TRIMBLE NETR9',
  serial,
  from: `${year}-01-01`,
  to: `${year + 1}-01-01`,
  more: { 'Satellite System': systems },
});
const antenna = (up: string, year: number, more: Record<string, string> = {}): Item => ({
  type: 'LEIAR25.R3      NONE',
  serial: `9${year}`,
  from: `${year}-01-01`,
  to: `${year + 1}-01-01`,
  more: {
    'Marker->ARP Up Ecc. (m)': up,
    'Marker->ARP North Ecc(m)': '0',
    'Marker->ARP East Ecc(m)': '0',
    ...more,
  },
});

t.test('equal findings of one section are one, with the items and lines', async (t) => {
  const receivers = [2001, 2002, 2003, 2005].map((year) => ({ ...receiver('', year) }));
  const [missing, ...others] = ofCode({ receivers }, 'missing-value').filter(
    (finding) => finding.level === 'warning',
  );
  t.same(
    others.filter(({ section }) => section === '3'),
    [],
  );
  t.equal(sectionWords(missing!), '3.1 to 3.4');
  t.same(
    missing!.others.map(({ item }) => item),
    [2, 3, 4],
  );
  t.ok(
    missing!.others.every(({ line }, index) => line > [missing!, ...missing!.others][index]!.line),
  );
  t.equal(adviceOn(missing!), 'Write the serial number, if it is known.');
});

t.test('findings that differ in what they say are several', async (t) => {
  const receivers = [receiver('1', 2001, 'GNSS'), receiver('2', 2002, 'GPS+BEI')];
  t.equal(ofCode({ receivers }, 'unknown-satellite-system').length, 2);
});

t.test('items with a gap between them are named as such', async (t) => {
  const receivers = ['', '7', '', ''].map((serial, index) => receiver(serial, 2001 + index));
  const [missing] = ofCode({ receivers }, 'missing-value').filter(
    ({ text }) => text === 'Serial Number',
  );
  t.equal(sectionWords(missing!), '3.1, 3.3 and 3.4');
});

t.test('a satellite system that the form lacks is a warning with what it may mean', async (t) => {
  for (const [written, word, meant] of [
    ['GNSS', 'GNSS', null],
    ['GPS+GLO+BEI', 'BEI', 'BDS'],
    ['GPS+GLo', 'GLo', 'GLO'],
  ] as const) {
    const [finding] = ofCode(
      { receivers: [receiver('1', 2001, written)] },
      'unknown-satellite-system',
    );
    t.ok(finding !== undefined && isOf(finding, 'unknown-satellite-system'), written);
    t.match(finding, { level: 'warning', section: '3', item: 1, values: { quoted: [word] } });
    if (meant !== null) t.match(finding, { values: { meant } });
  }
  for (const systems of ['GPS', 'GPS/GLONASS', 'GPS+GLO+GAL+BDS+QZSS+IRNSS+SBAS', 'GPS+CMP', ''])
    t.same(
      ofCode({ receivers: [receiver('1', 2001, systems)] }, 'unknown-satellite-system'),
      [],
      systems,
    );
});

t.test('an eccentricity a thousand times that of the antenna before is an info', async (t) => {
  const antennas = [antenna('0.0020', 2001), antenna('2.0000', 2002), antenna('2.1000', 2003)];
  const scales = ofCode({ antennas }, 'eccentricity-scale');
  t.match(scales, [{ level: 'info', section: '4', item: 2, values: { axes: ['Up'] } }]);
  t.equal(scales.length, 1);
  for (const up of ['1.9000', '2.1000', '0.0020', '0'])
    t.same(
      ofCode({ antennas: [antenna('0.0020', 2001), antenna(up, 2002)] }, 'eccentricity-scale'),
      [],
      up,
    );
});

t.test('a country that is none is a warning with the one it may mean', async (t) => {
  const [wrong] = ofCode({ country: 'New Zeland' }, 'unknown-country');
  t.match(wrong, {
    level: 'warning',
    section: '2',
    text: 'New Zeland',
    values: { meant: 'New Zealand' },
  });
  for (const country of ['New Zealand', 'NZL', 'Tahiti', 'Republic of Indonesia', ''])
    t.same(ofCode({ country }, 'unknown-country'), [], country);
});

t.test('a hemisphere that contradicts the country is a warning', async (t) => {
  const at = (latitude: string, longitude: string): Finding[] =>
    ofCode({ country: 'Australia', place: placeOf(latitude, longitude) }, 'far-from-country');
  t.match(at('+234012.00', '+1335300.00'), [
    { level: 'warning', values: { mirrored: 'latitude' } },
  ]);
  t.match(at('-234012.00', '-1335300.00'), [
    { level: 'warning', values: { mirrored: 'longitude' } },
  ]);
  t.match(at('+100000.00', '+0200000.00'), [{ level: 'info', values: { mirrored: null } }]);
  t.same(at('-234012.00', '+1335300.00'), []);
});

t.test('odd serial numbers are an info', async (t) => {
  const whys = (log: SyntheticLog): unknown[] =>
    ofCode(log, 'odd-serial-number').map(({ section, item, values }) => [
      section,
      item,
      values.why,
    ]);
  t.same(whys({ receivers: [receiver('"5522R50096"', 2001)] }), [['3', 1, 'quotation marks']]);
  t.same(whys({ receivers: [receiver('S/N 12345', 2001)] }), [['3', 1, 'prefix']]);
  t.same(whys({ receivers: [receiver('SN118', 2001)] }), [], 'a number may begin with letters');
  const slip = ['5522R50096', '5522R50069', '5522R50096'];
  t.same(whys({ receivers: slip.map((serial, index) => receiver(serial, 2001 + index)) }), [
    ['3', 2, 'between equal'],
  ]);
  const turns = [...slip, '5522R50069', '5522R50096'];
  t.same(whys({ receivers: turns.map((serial, index) => receiver(serial, 2001 + index)) }), []);
  const antennas = [{ ...antenna('0', 2001), serial: '5522R50096' }];
  t.same(whys({ receivers: [receiver('5522R50096', 2001)], antennas }), [['4', 1, 'of receiver']]);
  const short = [{ ...antenna('0', 2001), serial: '12' }];
  t.same(whys({ receivers: [receiver('12', 2001)], antennas: short }), [], 'equal by chance');
});

t.test('blank north and east of a text log are one info', async (t) => {
  const blank = { 'Marker->ARP North Ecc(m)': '', 'Marker->ARP East Ecc(m)': '' };
  const antennas = [
    antenna('0.1', 2001, blank),
    antenna('0.1', 2002, { 'Marker->ARP East Ecc(m)': '' }),
    antenna('0.1', 2003),
    antenna('', 2004, blank),
  ];
  const [info, ...others] = ofCode({ antennas }, 'blank-eccentricity');
  t.same(others, []);
  t.match(info, { level: 'info' });
  t.equal(sectionWords(info!), '4.1 and 4.2');
  const missing = ofCode({ antennas }, 'missing-value').filter(({ level }) => level === 'warning');
  t.same(
    missing.filter(({ text }) => /Ecc/.test(text)).map(sectionWords),
    ['4.4'],
    'without a value for up, nothing is known',
  );
});

t.test('lines below the title cost nothing, unless they have a label and a value', async (t) => {
  const levels = (...lines: string[]): string[] => {
    const text = logText({}).replace('\n', `\n${lines.join('\n')}\n`);
    const findings = new Findings('test.log');
    readWholeLog(Buffer.from(text), findings);
    return findings.list
      .filter(({ code }) => code === 'ignored-line')
      .map(({ level, line }) => `${line} ${level}`);
  };
  const address = '       ftp://ftp.example.org/sitelog_instr.txt';
  t.same(levels('        Example Operating Network', '     See Instructions at:', address), []);
  t.same(levels('     Example Network', '     Site Name : Quarry Hill'), ['3 info']);
});

t.test('a drawing below a heading of its own is read', async (t) => {
  const drawing = [
    '14. Antenna Graphics with Dimensions',
    '',
    'A1',
    '   / ----- \\',
    '  +       +',
  ];
  const text = [logText({}), '13.  More Information', ...drawing, ''].join('\n');
  const findings = new Findings('test.log');
  const { sections } = readWholeLog(Buffer.from(text), findings);
  t.equal(
    sections.moreInformation.antennaGraphics?.written,
    ['A1', '   / ----- \\', '  +       +'].join('\n'),
  );
  t.same(
    findings.list.filter(({ code }) => code === 'ignored-line'),
    [],
  );
});

t.test('an ignored line of which nothing is lost is an info', async (t) => {
  const levels = (...lines: string[]): unknown[] => {
    const text = logText({}).replace('\n3.', `\n${lines.join('\n')}\n3.`);
    const findings = new Findings('test.log');
    readWholeLog(Buffer.from(text), findings);
    return findings.list
      .filter(({ code }) => code === 'ignored-line')
      .map(({ level, text: quoted }) => [level, quoted]);
  };
  const blank = '     Example Blank Label      :';
  t.same(levels(blank), [['info', 'Example Blank Label :']]);
  t.match(levels('     )'), [['warning']], 'the end of a value');
  t.match(levels(blank, `${blank} value`), [['warning']], 'one of them has a value');
  t.match(levels(`     ${'The sensors were moved to these places '}:`), [['warning']], 'prose');
});
