import t from 'tap';
import { resultOf, writeResults } from '../../src/check/results.js';
import { Findings } from '../../src/site-log/site-log.js';

t.test('each format of results says which lines a finding is about', async (t) => {
  const findings = new Findings('a.log');
  findings.add({ line: 3, lastLine: 5 }, 'warning', 'section 3: 3 lines; lines ignored', 'x');
  findings.add({ line: 7, lastLine: 7 }, 'warning', 'section 3: one; line ignored');
  const results = findings.list.map(resultOf);
  t.match(results, [
    { line: 3, lastLine: 5 },
    { line: 7, lastLine: null },
  ]);
  const [first, second] = writeResults(results, 'text').split('\n');
  t.match(first, /^a\.log:3: warning: ignored-line: lines 3 to 5: section 3: /);
  t.match(second, /^a\.log:7: warning: ignored-line: section 3: /);
  t.match(writeResults(results, 'github'), /line=3,endLine=5,.*\n.*line=7,title/);
  t.match(JSON.parse(writeResults(results, 'sarif')).runs[0].results, [
    { locations: [{ physicalLocation: { region: { startLine: 3, endLine: 5 } } }] },
    { locations: [{ physicalLocation: { region: { startLine: 7, endLine: undefined } } }] },
  ]);
  t.match(JSON.parse(writeResults(results, 'ndjson').split('\n')[0]!), { lastLine: 5 });
});
