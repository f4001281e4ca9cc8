import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { adviceOn, CHECKS } from '../../src/check/checks.js';
import type { CheckResult } from '../../src/check/results.js';
import { READER_CODES } from '../../src/site-log/finding-codes.js';
import { createDatabase, logText } from '../helper.js';
import { run } from './serving.js';
import { withoutValue } from '../../src/cli/geodesyml-schemas.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { Findings } from '../../src/site-log/site-log.js';
import { writeSections } from '../../src/site-log/write.js';

const receivers = [
  { type: 'R1', serial: '1', from: '2011-01-01' },
  { type: 'R2', serial: '2', from: '2012-01-01' },
];
const check = (folder: string, ...args: string[]) => run(['check-log', ...args], folder);

t.test('check-log writes findings in each format', async (t) => {
  const folder = t.testdir({ 'a,b.log': logText({ receivers }) });
  const [text, ndjson, github, sarif] = await Promise.all(
    ['text', 'ndjson', 'github', 'sarif'].map((format) =>
      check(folder, 'a,b.log', '--format', format),
    ),
  );
  t.match(text, {
    code: 1,
    stdout:
      /^a,b\.log:10: warning: open-before-later: \(3\.1\) gnss receiver has no removal date.*Add the date of removal\.\n/,
  });
  const [first] = ndjson!.stdout
    .split('\n')
    .map((line) => JSON.parse(line || 'null') as CheckResult | null);
  t.match(first, {
    file: 'a,b.log',
    line: 10,
    section: '3.1',
    level: 'warning',
    code: 'open-before-later',
  });
  t.match(
    github!.stdout,
    /^::warning file=a%2Cb\.log,line=10,title=open-before-later::gnss receiver/,
  );
  const { version, runs } = JSON.parse(sarif!.stdout) as {
    version: string;
    runs: { results: { ruleId: string }[] }[];
  };
  t.equal(version, '2.1.0');
  t.equal(runs[0]!.results[0]!.ruleId, 'open-before-later');
});

t.test(
  '--level, --ignore and --baseline leave findings out, and the exit code says what is left',
  async (t) => {
    const folder = t.testdir({ 'a.log': logText({ receivers }) });
    t.match(await check(folder, 'a.log', '--level', 'error'), { code: 0, stdout: '' });
    t.match(
      await check(folder, 'a.log', '--ignore', 'open-before-later', '--ignore', 'several-in-use'),
      { code: 0, stdout: '' },
    );
    writeFileSync(
      join(folder, 'known.ndjson'),
      (await check(folder, 'a.log', '--format', 'ndjson')).stdout,
    );
    // The lines move, and a third receiver makes a new finding.
    const more = [...receivers, { type: 'R3', serial: '3', from: '2011-06-01', to: '2011-07-01' }];
    writeFileSync(join(folder, 'a.log'), `\n${logText({ receivers: more })}`);
    const { code, stdout } = await check(folder, 'a.log', '--baseline', 'known.ndjson');
    t.equal(code, 1);
    t.equal(stdout.trim().split('\n').length, 1, stdout);
    t.match(await check(folder, 'a.log', '--baseline', 'none.ndjson'), { code: 3 });
    t.match(await check(folder, 'a.log', '--level', 'bad'), { code: 2 });
  },
);

t.test('a finding quotes no contact, and a rejected log is one finding', async (t) => {
  const contact =
    '11.  On-Site, Point of Contact Agency Information\n       Contact Name           : Jo Example\n       Mobile Jo Example\n';
  const folder = t.testdir({
    'a.log': logText({ receivers }) + contact,
    'b.log': 'site information form',
  });
  const { stdout } = await check(folder, 'a.log', '--level', 'info');
  t.not(stdout, '');
  t.notMatch(stdout, /Jo/);
  t.match(await check(folder, 'b.log'), { code: 1, stdout: /error: rejected: / });
});

t.test('each code has advice', async (t) => {
  const without = [...Object.keys(CHECKS), ...READER_CODES, 'rejected'].filter(
    (code) => adviceOn(code) === adviceOn('other'),
  );
  t.strictSame(without, []);
});

t.test('--database checks against the other Sites on record', async (t) => {
  const log = (id: string) =>
    logText({ id, receivers: [{ type: 'LEICA GR25', serial: '12345', from: '2011-01-01' }] });
  const folder = t.testdir({
    a: { 'aaaa_20200101.log': log('AAAA') },
    'bbbb_20200101.log': log('BBBB'),
  });
  await createDatabase(join(folder, 'a.sqlite'), [join(folder, 'a')]);
  const args = ['--database', 'a.sqlite', '--format', 'ndjson'];
  const { code, stdout } = await check(folder, 'bbbb_20200101.log', ...args);
  t.equal(code, 1);
  t.match(JSON.parse(stdout.split('\n').find((line) => line.includes('serial-elsewhere'))!), {
    section: '3.1',
    text: '12345',
    advice: /^Correct/,
  });
  t.notMatch((await check(folder, 'a', ...args)).stdout, /serial-elsewhere/, 'not against itself');
  t.match(await check(folder, 'a', '--database', 'none.sqlite'), { code: 3 });
});

const XSD =
  '<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:xml-gov-au:icsm:egeodesy:0.5" elementFormDefault="qualified">';

t.test('--geodesyml-schemas validates GeodesyML, and quotes no value', async (t) => {
  const text = logText({ receivers }).replace(
    '0.   Form',
    "0.   Form\n     Prepared by (full name)  : Jane O'Doe",
  );
  const gml = (as: 'geodesyml04' | 'geodesyml05') =>
    writeSections(readSections(Buffer.from(text), new Findings('a')), as, new Findings('a'));
  const folder = t.testdir({
    'a.log': text,
    'a.xml': gml('geodesyml05'),
    'old.xml': gml('geodesyml04'),
    schemas: {
      // The schema of all, and one that it includes from elsewhere: found here, by the end of its
      // URL.
      own: {
        'geodesyML.xsd': `${XSD}<include schemaLocation="http://example.org/other/parts/types.xsd"/>
<element name="GeodesyML"><complexType><sequence><any processContents="lax" maxOccurs="unbounded"/></sequence><anyAttribute processContents="skip"/></complexType></element></schema>`,
        'types.xsd': `${XSD}<element name="preparedBy" type="string"/></schema>`,
      },
      other: { parts: { 'types.xsd': `${XSD}<element name="preparedBy" type="date"/></schema>` } },
    },
    empty: {},
  });
  const args = [
    '--geodesyml-schemas',
    'schemas',
    '--format',
    'ndjson',
    '--ignore',
    'open-before-later',
    '--ignore',
    'several-in-use',
  ];
  const { code, stdout } = await check(folder, 'a.xml', ...args);
  t.equal(code, 1);
  const [first, ...others] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CheckResult);
  t.match(first, {
    code: 'schema-violation',
    message: 'the value of preparedBy is not of type xs:date',
    text: '',
  });
  t.same(others, []);
  t.notMatch(stdout, /Jane|Doe/);
  t.match(
    (await check(folder, 'old.xml', ...args)).stdout,
    /there is no schema for the namespace of this log","text":"urn:xml-gov-au:icsm:egeodesy:0\.4"/,
  );
  t.match(await check(folder, 'a.log', ...args), { code: 0, stdout: '' });
  t.match(await check(folder, 'a.log', '--geodesyml-schemas', 'empty'), {
    code: 3,
    stderr: /"empty" has no geodesyML\.xsd/,
  });
  t.match(await check(folder, 'a.log', '--geodesyml-schemas', 'none'), {
    code: 3,
    stderr: /"none" cannot be read/,
  });
});

t.test('the message of a violation does not quote the value', async (t) => {
  for (const [message, expected] of [
    ["Element '{urn:x}dx': The element is not 'nillable'.\n", 'dx may not be nil'],
    [
      "Element '{urn:x}dx': 'O'Brien' is not a valid value of the atomic type 'xs:double'.\n",
      'the value of dx is not of type xs:double',
    ],
    [
      "Element '{urn:x}a': This element is not expected. Expected is ( {urn:x}b ).\n",
      'a: This element is not expected. Expected is ( b )',
    ],
    [
      "Element '{urn:x}a': Missing child element(s). Expected is ( {urn:x}b ).\n",
      'a: Missing child element(s). Expected is ( b )',
    ],
    [
      "Element '{urn:x}a', attribute 'id': 'Jane' is not a valid value of the atomic type 'xs:ID'.",
      'the value of a is not of type xs:ID',
    ],
    [
      "Element '{urn:x}a': [facet 'pattern'] The value 'Jane' is not accepted by the pattern 'x'.",
      'a does not follow the schema',
    ],
  ] as const) {
    t.equal(withoutValue(message), expected);
  }
});
