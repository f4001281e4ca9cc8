import t from 'tap';
import {
  adviceOn,
  explanationOf,
  FINDING_CODES,
  KINDS,
  messageOf,
  nameOfCode,
} from '../../src/findings/codes.js';
import type { NeededValue } from '../../src/findings/codes/equipment.js';
import { Findings, WITHHELD } from '../../src/findings/findings.js';
import { ALL_EXAMPLES } from './examples.js';
import { questionsAboutWords } from './read-back.js';

t.test('every code has a name of its own, an explanation, advice and a message', async (t) => {
  t.strictSame(FINDING_CODES, Object.keys(KINDS));
  const names = FINDING_CODES.map(nameOfCode);
  t.equal(new Set(names).size, names.length, 'no two codes have one name');
  for (const { code, findings } of ALL_EXAMPLES) {
    t.match(code, /^[a-z\d]+(-[a-z\d]+)*$/);
    t.match(nameOfCode(code), /^(gml:)?[A-Zi][^.]{2,39}$/, code);
    t.match(explanationOf(code), /^[A-Z].+\.$/s, code);
    for (const finding of findings) {
      t.match(adviceOn(finding), /^[A-Z].+\.$/s, code);
      const message = messageOf(finding);
      t.match(message, /^\S.*[^\s.;,:]$/, `${code} is part of a sentence, followed by its text`);
      t.notMatch(adviceOn(finding) + message, /undefined|NaN|\[object| {2}/, code);
    }
  }
});

t.test('the advice on missing values follows from what is missing', async (t) => {
  const advice = (...members: NeededValue[]): string =>
    adviceOn({
      code: 'missing-value',
      values: { kind: 'gnss antenna', members, isEssential: true, device: null },
    });
  for (const member of ['markerArpUpEcc', 'markerArpEastEcc', 'elevationCutoffSetting'] as const) {
    t.match(advice(member), /\b0\b/, member);
    t.notMatch(advice(member), /NONE|unknown/, member);
  }
  for (const member of ['serialNumber', 'firmwareVersion'] as const) {
    t.match(advice(member), /blank if unknown/, member);
    t.notMatch(advice(member), /NONE|\b0\b/, member);
  }
  t.match(advice('antennaRadomeType'), /\bNONE\b/);
  t.notMatch(advice('antennaRadomeType'), /\b0\b/);
  t.match(advice('serialNumber', 'markerArpUpEcc', 'antennaRadomeType'), /blank.*\b0\b.*NONE/);
});

t.test('contacts are withheld in the texts of a finding', async (t) => {
  const findings = new Findings('test.log');
  const place = { line: 7, section: '3', item: 1 };
  const about = { quoted: ['Phone of Jo Doe'], text: 'call Jo Doe' } as const;
  findings.add('duplicate-value', place, about);
  findings.add('duplicate-value', place, { quoted: ['Jo Doe'], text: 'Jo Doe' });
  findings.addAboutContacts('duplicate-value', { line: 9, section: '11' }, about);
  findings.withhold((text) => text.replaceAll('Jo Doe', WITHHELD));
  t.match(findings.list, [
    { values: { quoted: [`Phone of ${WITHHELD}`] }, text: `call ${WITHHELD}` },
    { values: { quoted: [WITHHELD] }, text: WITHHELD },
    { values: { quoted: [WITHHELD] }, text: '' },
  ]);
  for (const finding of findings.list) t.notMatch(messageOf(finding), /Jo|Doe/);
  findings.withhold(null);
  for (const finding of findings.list)
    t.match(finding, { values: { quoted: [WITHHELD] }, text: '' }, 'of a rejected file nothing');
});

t.test('a text is shortened only after contacts were withheld in it', async (t) => {
  const findings = new Findings('test.log');
  const text = `${'x'.repeat(112)} Jo Doe`;
  findings.add('duplicate-value', { line: 7 }, { quoted: [text], text });
  findings.withhold((whole) => whole.replace('Jo Doe', WITHHELD));
  const [finding] = findings.list;
  t.equal(finding!.text, `${'x'.repeat(112)} (withhe…`);
  t.strictSame(finding!.values.quoted, [finding!.text]);
});

t.test('no source file asks the words of a finding', async (t) => {
  const planted = `
    import { messageOf, adviceOn, type FindingData } from './findings/codes.js';
    import type { CheckResult } from './check/results.js';
    export function ask(finding: FindingData, results: CheckResult[]): unknown[] {
      const message = messageOf(finding);
      const words = new Set(['a']);
      return [
        message.startsWith('a'),
        messageOf(finding).toLowerCase().includes('a'),
        /a/.test(adviceOn(finding)),
        messageOf(finding) === 'a',
        words.has(message),
        results.filter((each) => each.message.match(/a/)),
        results.filter(({ message: said }) => /a/.exec(said)),
        results.map(({ advice }) => advice !== 'a'),
        // None of these asks words of a finding.
        new Error('a').message.startsWith('a'),
        messageOf(finding).length,
        finding.code === 'overlap',
      ];
    }`;
  const found = questionsAboutWords({ 'planted.ts': planted });
  const inPlanted = found.filter((each) => each.startsWith('planted.ts: '));
  t.equal(inPlanted.length, 8, inPlanted.join('\n'));
  t.strictSame(
    found.filter((each) => !inPlanted.includes(each)),
    [],
  );
});
