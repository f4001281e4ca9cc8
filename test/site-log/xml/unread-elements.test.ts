import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { factsIn } from '../../facts.js';
import { attempt } from '../reading.js';

/** Elements with text that is read nowhere. */

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', 'fixtures', name), 'utf8');
const GEODESYML = fixture('geodesyml-0.5.xml');
const SOPAC = fixture('sopac-2004.xml');

/** The findings that a document has beyond those of the fixture. */
function added(document: string, before: string): string[] {
  const factsOf = (text: string): string[] =>
    attempt(text).findings.map(
      (finding) => `${factsIn({ ...finding, line: 0 })} | ${finding.text}`,
    );
  const known = new Set(factsOf(before));
  return factsOf(document).flatMap((facts) => (known.has(facts) ? [] : [facts.slice(2)]));
}
const into = (document: string, end: string, more: string): string => {
  t.ok(document.includes(end), end);
  return document.replace(end, `${more}${end}`);
};

t.test('GeodesyML: text that is read nowhere is reported', async (t) => {
  const cases: [end: string, more: string, expected: string[]][] = [
    [
      '</geo:siteLog>',
      '<geo:siteLocation><geo:SiteLocation><geo:city>Elsewhere</geo:city></geo:SiteLocation></geo:siteLocation>',
      ['warning ignored-element siteLocation: why=misplaced | Elsewhere'],
    ],
    [
      '</geo:siteLog>',
      '<geo:colour><geo:first>red</geo:first>\n<geo:second>blue</geo:second></geo:colour>',
      ['info ignored-element colour: why=unknown | '],
    ],
    [
      '</geo:SiteIdentification>',
      '<geo:serialNo>1</geo:serialNo>',
      ['info ignored-element (1) serialNo: why=unknown | 1'],
    ],
    // A section, or a value, whose name is misspelt.
    [
      '</geo:siteLog>',
      '<geo:gnssReciever><geo:GnssReceiver><geo:receiverType>X</geo:receiverType></geo:GnssReceiver></geo:gnssReciever>',
      ['warning ignored-element gnssReciever: why=values inside | '],
    ],
    [
      '</geo:GnssAntenna>',
      '<geo:marker-ArpUpEcc>0.5</geo:marker-ArpUpEcc>',
      ['warning ignored-element (4.1) marker-ArpUpEcc: why=misspelt | 0.5'],
    ],
    [
      '</geo:GnssAntenna>',
      '<geo:mount><geo:serialNumber>7</geo:serialNumber></geo:mount>',
      ['warning ignored-element (4.1) mount: why=values inside | 7'],
    ],
    ['</geo:siteLog>', 'loose text', ['info ignored-element siteLog: why=text outside | ']],
  ];
  for (const [end, more, expected] of cases)
    t.strictSame(added(into(GEODESYML, end, more), GEODESYML), expected, more);
  t.strictSame(
    added(into(GEODESYML, '</geo:GeodesyML>', '<geo:voice>0400 123 456</geo:voice>'), GEODESYML),
    ['warning ignored-element voice: why=misplaced | '],
    'what could be about a person is not quoted',
  );
});

t.test('SOPAC: text that is read nowhere is reported, and a second section', async (t) => {
  const root = /<\/[\w:]*igsSiteLog>/.exec(SOPAC)![0];
  const prefix = /<\/([\w]+:)?igsSiteLog>/.exec(SOPAC)![1] ?? '';
  const unknown = `<${prefix}colour>red</${prefix}colour>`;
  t.strictSame(added(into(SOPAC, root, unknown), SOPAC), [
    'info ignored-element colour: why=unknown | red',
  ]);
  const second = new RegExp(`<${prefix}siteIdentification[^]*?</${prefix}siteIdentification>`);
  const facts = added(into(SOPAC, root, second.exec(SOPAC)![0]), SOPAC);
  t.strictSame(facts, ['warning ignored-element (1) siteIdentification: why=second section | ']);
});

t.test('a finding about an element covers its lines', async (t) => {
  const more = '<geo:colour>\n<geo:first>red</geo:first>\n</geo:colour>';
  const { findings } = attempt(into(GEODESYML, '</geo:siteLog>', more));
  const [finding] = findings.filter(({ label }) => label === 'colour');
  t.match(finding, { lastLine: finding!.line + 2 });
});
