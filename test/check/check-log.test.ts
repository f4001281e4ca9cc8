import t from 'tap';
import { checkAgainstClock, checkLog } from '../../src/check/check-log.js';
import { type CheckCode, CHECKS } from '../../src/check/checks.js';
import { editDistance } from '../../src/check/near-miss.js';
import { sectionsByLine } from '../../src/check/section-at.js';
import { readWholeLog } from '../../src/site-log/read.js';
import { Findings } from '../../src/site-log/site-log.js';
import { writeSections, type WrittenForm } from '../../src/site-log/write.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { withNineCharacters } from '../../src/site-log/write/identity.js';
import { type Item, logText, type SyntheticLog } from '../helper.js';

const receiver = { type: 'LEICA GR25', serial: '1', from: '2011-01-01T00:00Z' };
const antenna = { type: 'LEIAR25.R3      NONE', serial: '2', from: '2011-01-01T00:00Z' };
/** A log with all sections and labels of the form. */
function form(log: SyntheticLog = {}, as: WrittenForm = 'text1'): string {
  const read = readSections(
    Buffer.from(logText({ id: 'TEST', receivers: [receiver], antennas: [antenna], ...log })),
    new Findings('a'),
  );
  return writeSections(
    as === 'text2' ? withNineCharacters(read, '00AUS') : read,
    as,
    new Findings('a'),
  );
}

/** Replaces a line of section 1 or 2, which the blank form has without a value. */
const withValue = (text: string, label: string, value: string): string => {
  const at = text.indexOf(label);
  const end = text.indexOf('\n', at);
  return `${text.slice(0, at)}${label.padEnd(25)}: ${value}${text.slice(end)}`;
};

/** The findings of a log, as code and line. */
function found(text: string, now = new Date('2020-01-01')): Findings['list'] {
  const findings = new Findings('a');
  const bytes = Buffer.from(text);
  const log = readWholeLog(bytes, findings);
  checkLog(log, findings);
  checkAgainstClock(log.log, now, findings);
  return findings.list.filter(({ code }) => code !== undefined);
}

const placed = (
  x: string,
  y: string,
  z: string,
  latitude: string,
  longitude: string,
  height: string,
  country = 'Australia',
): string => {
  const values = {
    'X coordinate (m)': x,
    'Y coordinate (m)': y,
    'Z coordinate (m)': z,
    'Latitude (N is +)': latitude,
  };
  const more = {
    'Longitude (E is +)': longitude,
    'Elevation (m,ellips.)': height,
    Country: country,
  };
  return Object.entries({ ...values, ...more }).reduce(
    (text, [label, value]) => withValue(text, label, value),
    form(),
  );
};
const ALICE = ['-4052051.767', '4212836.215', '-2545106.027', '-23.6701', '133.8855'] as const;
const later = { type: 'LEICA GR30', serial: '3' };
const UNTIL_2012 = { to: '2012-01-01' };
/** Logs with receivers or an antenna that differ from the usual ones. */
const withReceivers = (...changes: Item[]): string =>
  form({ receivers: changes.map((change) => ({ ...receiver, ...change })) });
const withAntenna = (change: Item): string => form({ antennas: [{ ...antenna, ...change }] });
const cutoff = (value: string): Item => ({ more: { 'Elevation Cutoff Setting': value } });
const radome = (value: string): Item => ({ more: { 'Antenna Radome Type': value } });
const OVERLAP = withReceivers({ to: '2012-01-02' }, { ...later, from: '2012-01-01' });
const installed = (date: string): string => withValue(form(), 'Date Installed', date);

/** A log that triggers each check, and one near it that does not. */
const CASES: [CheckCode, triggers: string, clean: string][] = [
  ['missing-section', form().replace(/\n9\. [^]*?(?=\n10\.)/, ''), form()],
  ['section-out-of-order', form().replace(/(\n3\. [^]*?)(\n4\. [^]*?)(?=\n5\.)/, '$2$1'), form()],
  ['item-out-of-order', form().replace('3.1  Rec', '3.2  Rec'), form()],
  ['missing-label', form().replace(/ +Satellite System.*\n/, ''), form()],
  [
    'label-out-of-order',
    form().replace(/( +Serial Number.*\n)( +Firmware Version.*\n)/, '$2$1'),
    form(),
  ],
  ['misspelt-label', form().replace('Firmware Version', 'Firmwre Version'), form()],
  [
    'other-version-label',
    form({}, 'text2').replace('Country or Region ', 'Country '),
    form({}, 'text2'),
  ],
  [
    'over-80-columns',
    form({ name: 'x'.repeat(50) }).replace('xxx', 'xxxx'),
    form({ name: 'x'.repeat(48) }),
  ],
  ['malformed-id', form({ id: 'test' }), form()],
  [
    'malformed-domes',
    withValue(form(), 'IERS DOMES Number', '5013M001'),
    withValue(form(), 'IERS DOMES Number', '50137M001'),
  ],
  ['out-of-range', withReceivers(cutoff('95')), withReceivers(cutoff('90'))],
  ['date-in-future', withReceivers({ to: '2020-01-03' }), withReceivers({ to: '2020-01-02' })],
  ['overlap', OVERLAP, withReceivers({ to: '2012-01-02' }, { ...later, from: '2012-01-02' })],
  [
    'open-before-later',
    withReceivers({}, { ...later, from: '2012-01-01' }),
    withReceivers(UNTIL_2012, { ...later, from: '2012-01-01' }),
  ],
  ['several-in-use', withReceivers({}, later), withReceivers(UNTIL_2012, later)],
  [
    'history-gap',
    withReceivers(UNTIL_2012, { ...later, from: '2012-01-03' }),
    withReceivers(UNTIL_2012, { ...later, from: '2012-01-02' }),
  ],
  ['before-site', installed('2011-01-03'), installed('2011-01-02')],
  ['late-first-item', installed('2010-12-30'), installed('2010-12-31')],
  [
    'equal-neighbours',
    withReceivers(UNTIL_2012, { from: '2012-01-01' }),
    withReceivers(UNTIL_2012, { ...later, from: '2012-01-01' }),
  ],
  [
    'type-changed',
    withReceivers(UNTIL_2012, { ...later, serial: '1', from: '2012-01-01' }),
    withReceivers(UNTIL_2012, { ...later, from: '2012-01-01' }),
  ],
  ['malformed-type', withReceivers({ type: 'Leica GR25' }), form()],
  ['radome-contradiction', withAntenna(radome('LEIT')), withAntenna(radome('NONE'))],
  ['radome-missing', withAntenna({ type: 'LEIAR25.R3' }), form()],
  ['zero-coordinates', placed('', '', '', '0', '0', '12'), placed(...ALICE, '603.4')],
  ['height-mismatch', placed(...ALICE, '590'), placed(...ALICE, '600')],
  ['far-from-country', placed(...ALICE, '603.4', 'Germany'), placed(...ALICE, '603.4')],
];

t.test('each check has a log that triggers it, and a similar one that does not', async (t) => {
  for (const [code, triggers, clean] of CASES) {
    const [finding, none] = [triggers, clean].map((text) =>
      found(text).find((each) => each.code === code),
    );
    t.match(finding, { level: CHECKS[code].level }, `${code} is found`);
    t.equal(none, undefined, `${code} is not found`);
  }
});

t.test(
  'a complete log without slips has no findings, in either version of the text form',
  async (t) => {
    for (const each of [form(), form({}, 'text2')]) t.strictSame(found(each), []);
  },
);

t.test('a finding names the line, and never quotes a contact', async (t) => {
  const [finding] = found(OVERLAP);
  t.match(finding, { line: 67, message: 'gnss receiver overlaps that in line 57' });
  const text = form().replace(/(Contact Name +): *\n/, `$1: Jane ${'Doe '.repeat(20)}\n`);
  t.not(text, form());
  t.notMatch(JSON.stringify(found(text)), /Doe/);
});

t.test('editDistance counts letters', async (t) => {
  t.equal(editDistance('LEICA GR25', 'LEICA GR52'), 2);
  t.equal(editDistance('', 'abc'), 3);
});

t.test(
  'a line is in the section of its value, also in GeodesyML, where sections are in another order',
  async (t) => {
    const withDomes = withValue(form(), 'IERS DOMES Number', '50137M001');
    for (const as of ['text1', 'geodesyml05'] as const) {
      const text = writeSections(
        readSections(Buffer.from(withDomes), new Findings('a')),
        as,
        new Findings('a'),
      );
      const log = readSections(Buffer.from(text), new Findings('a'));
      const sectionAt = sectionsByLine(log);
      t.equal(sectionAt(log.siteIdentification.iersDOMESNumber!.line), '1', as);
      t.equal(sectionAt(log.gnssAntennas[0]!.line), '4.1', as);
    }
  },
);
