import t from 'tap';
import { Findings } from '../../src/check-service/findings.js';
import { TapReport } from '../../src/check-service/report.js';

/** A report, and the lines that it has written. */
function open(): { report: TapReport; lines: string[] } {
  const lines: string[] = [];
  return { report: new TapReport((line) => lines.push(line)), lines };
}

t.test('a row for each check: how many passed, which failed, what had no data', async (t) => {
  const findings = new Findings('/clocks/{id}');
  findings.add('status', 'GET /clocks/1', []);
  findings.add('status', 'GET /clocks/2', []);
  findings.add('body', 'GET /clocks/1', []);
  findings.add('body', 'GET /clocks/2', ["it's \u001b[31m#1"]);
  findings.lack('filter', '/clocks', 'the list is empty');
  findings.notes.push('a remark');
  const { report, lines } = open();
  report.add(findings);
  t.same(lines, [
    'TAP version 14',
    '# Subtest: /clocks/{id}',
    '    ok 1 - status (2)',
    '    not ok 2 - body (1 of 2)',
    '      ---',
    '      found:',
    "        - 'GET /clocks/2: it''s \\u001b[31m#1'",
    '      ...',
    '    ok 3 - filter # SKIP no data to check this with: the list is empty',
    '    # a remark',
    '    1..3',
    'not ok 1 - /clocks/{id}',
    '',
  ]);
  t.equal(report.failed, true);
});

t.test('many failures of one check, and many problems of one place, are cut short', async (t) => {
  const findings = new Findings('/clocks');
  for (let index = 1; index <= 12; index += 1) findings.add('body', `GET /clocks?page=${index}`, ['a', 'b', 'c', 'd', 'e']);
  const { report, lines } = open();
  report.add(findings);
  const listed = lines.filter((line) => line.includes("- 'GET"));
  t.equal(listed.length, 10);
  t.equal(listed[0]?.trim(), "- 'GET /clocks?page=1: a; b; c; and 2 more'");
  t.ok(lines.includes('    not ok 1 - body (12 of 12)'));
});

t.test('two tables and the remarks come last', async (t) => {
  const [one, other] = [new Findings('/'), new Findings('/clocks')];
  one.add('status', 'GET /', []);
  other.add('status', 'GET /clocks', ['status 500; expected 200']);
  other.lack('sort', '/clocks', 'the list is empty');
  const { report, lines } = open();
  report.add(one);
  report.add(other);
  report.end(['2 requests']);
  const text = lines.join('\n');
  t.match(text, /\n# operation  passed  failed  no data  failed checks\n/);
  t.match(text, /\n# \/ {10}1       \.       \.\n# \/clocks    \.       1       1        status\n/);
  t.match(text, /\n# status +1 +1 +\. +the documented status\n/);
  t.match(text, /\n# total +1 +1 +1\n# 2 requests\n1\.\.2$/);
});

t.test('a bail out before the first row writes nothing, and afterwards one line', async (t) => {
  const { report, lines } = open();
  report.bailOut('gone');
  t.same(lines, []);
  report.add(new Findings('/'));
  report.bailOut('gone');
  t.equal(lines.at(-1), 'Bail out! gone');
  t.equal(report.failed, false);
});
