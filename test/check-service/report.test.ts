import t from 'tap';
import { Findings } from '../../src/check-service/findings.js';
import { TapReport } from '../../src/check-service/report.js';

/** A report, and the lines that it has written. */
function open(): { report: TapReport; lines: string[] } {
  const lines: string[] = [];
  return { report: new TapReport((line) => lines.push(line)), lines };
}

t.test(
  'a row for each check: how many passed, which failed, what had no data; then a table',
  async (t) => {
    const findings = new Findings('/clocks/{id}');
    findings.add('status', 'GET /clocks/1', []);
    findings.add('status', 'GET /clocks/2', []);
    findings.add('body', 'GET /clocks/1', []);
    findings.add('body', 'GET /clocks/2', ["it's \u001b[31m#1"]);
    findings.lack('sort', 'the list is empty');
    const { report, lines } = open();
    report.add(findings);
    t.equal(report.end('a remark'), false);
    t.same(lines, [
      'TAP version 14',
      '# Subtest: /clocks/{id}',
      '    ok 1 - status (2)',
      '    not ok 2 - body (1 of 2)',
      '      ---',
      '      found:',
      "        - 'GET /clocks/2: it''s \\u001b[31m#1'",
      '      ...',
      '    ok 3 - sort # SKIP no data to check this with: the list is empty',
      '    1..3',
      'not ok 1 - /clocks/{id}',
      '',
      '# operation     passed   failed   no data  failed checks',
      '# /clocks/{id}  3        1        1        body',
      '# total         3        1        1        body',
      '# a remark',
      '1..1',
    ]);
  },
);

t.test('many failures of one check, and many problems of one place, are cut short', async (t) => {
  const findings = new Findings('/clocks');
  for (let index = 1; index <= 12; index += 1)
    findings.add('body', `GET /clocks?page=${index}`, ['a', 'b', 'c', 'd', 'e']);
  const { report, lines } = open();
  report.add(findings);
  const listed = lines.filter((line) => line.includes("- 'GET"));
  t.equal(listed.length, 10);
  t.equal(listed[0]?.trim(), "- 'GET /clocks?page=1: a; b; c'");
  t.ok(lines.includes('    not ok 1 - body (12 of 12)'));
});

t.test('a bail out before the first row writes nothing, and afterwards one line', async (t) => {
  const { report, lines } = open();
  report.bailOut('gone');
  t.same(lines, []);
  report.add(new Findings('/'));
  report.bailOut('gone');
  t.equal(lines.at(-1), 'Bail out! gone');
});
