import t from 'tap';
import {
  fingerprintOf,
  isKnown,
  knownKeys,
  resultsOf,
  writeResults,
} from '../../src/check/results.js';
import { Findings } from '../../src/findings/findings.js';

t.test('each format of results says which lines a finding is about', async (t) => {
  const findings = new Findings('a.log');
  const place = { section: '3', item: 1 };
  const several = { why: 'several', count: 3, text: 'x' } as const;
  findings.add('ignored-line', { ...place, line: 3, lastLine: 5 }, several);
  findings.add('ignored-line', { ...place, line: 7, lastLine: 7 }, { why: 'single', count: 1 });
  const results = resultsOf(findings.list, 'TEST');
  t.match(results, [
    { line: 3, lastLine: 5 },
    { line: 7, lastLine: null },
  ]);
  const [first, second] = writeResults(results, 'text').split('\n');
  t.match(first, /^a\.log:3: warning: ignored-line: \(3\.1\) lines 3 to 5: /);
  t.match(second, /^a\.log:7: warning: ignored-line: \(3\.1\) /);
  t.match(writeResults(results, 'github'), /line=3,endLine=5,.*\n.*line=7,title/);
  t.match(JSON.parse(writeResults(results, 'sarif')).runs[0].results, [
    { locations: [{ physicalLocation: { region: { startLine: 3, endLine: 5 } } }] },
    { locations: [{ physicalLocation: { region: { startLine: 7, endLine: undefined } } }] },
  ]);
  t.match(JSON.parse(writeResults(results, 'ndjson').split('\n')[0]!), { lastLine: 5 });
});

t.test('a finding is recognized by Site, section, code, text and which one it is', async (t) => {
  const findings = new Findings('logs/test_20200101.log');
  for (const [line, item, label] of [
    [3, 1, 'Serial Number'],
    [9, 10, 'Receiver Type'],
    [6, 2, 'Firmware Version'],
  ] as const) {
    const values = { quoted: [label], text: 'x' } as const;
    findings.add('duplicate-value', { line, section: '3', item }, values);
  }
  const results = resultsOf(findings.list, 'TEST');
  t.strictSame(
    results.map(({ occurrence }) => occurrence),
    [1, 3, 2],
    'in the order of the lines',
  );
  t.equal(fingerprintOf(results[1]!), '["TEST","3","duplicate-value","x",3]');
  const [first] = results;
  const print = (changes: object): string => fingerprintOf({ ...first!, ...changes });
  t.equal(print({ section: '8.1.2' }), '["TEST","8.1","duplicate-value","x",1]');
  t.equal(print({ section: '13' }), '["TEST","13","duplicate-value","x",1]');
  t.equal(print({ section: null }), '["TEST",null,"duplicate-value","x",1]');
  const rejected = print({ site: null });
  t.equal(rejected, '["test.log","3","duplicate-value","x",1]');
  t.equal(print({ site: null, file: 'test_20260101.log' }), rejected, 'a renewed log');
  t.not(print({ site: null, file: 'test_2026010.log' }), rejected);
  const known = new Set(knownKeys(first!));
  t.ok(isKnown({ ...first!, site: 'TEST00AUS' }, known), 'when it had four characters');
  t.notOk(isKnown({ ...first!, site: 'TEXT00AUS' }, known));
});

t.test('a finding is known in no more places than before', async (t) => {
  const places = [1, 2, 3].map((item) => {
    const findings = new Findings('a.log');
    for (let each = 1; each <= item; each++)
      findings.add('blank-eccentricity', { line: each * 9, section: '4', item: each }, {});
    const [result, ...others] = resultsOf(findings.list, 'TEST');
    t.same(others, []);
    return result!;
  });
  const [one, two, three] = places;
  t.match(two, { section: '4.1', sections: '4.1 and 4.2', others: [{ line: 18, section: '4.2' }] });
  const known = new Set(knownKeys(two!));
  t.ok(isKnown(one!, known), 'one was corrected');
  t.ok(isKnown(two!, known));
  t.notOk(isKnown(three!, known), 'one more');
  t.ok(isKnown({ ...two!, site: 'TEST00AUS' }, known), 'the Site has nine characters now');
  t.match(writeResults([three!], 'text'), /^a\.log:9: info: blank-eccentricity: \(4\.1 to 4\.3\) /);
});
