import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import t from 'tap';
import type { LogComparison } from '../../schemas/index.js';
import { importInto } from '../databases.js';
import { logText, type SyntheticLog } from '../synthetic-log.js';
import { run } from './serving.js';

/** Versions of a log with other radomes and contacts. */
function version(prepared: string, radome: string, contact = 'Maria Sample'): string {
  const antenna = {
    type: 'LEIAR25.R3',
    serial: '1',
    from: '2010-01-01',
    more: { 'Antenna Radome Type': radome, 'Additional Information': `ask ${contact}` },
  };
  const log: SyntheticLog = { prepared, antennas: [antenna] };
  return `${logText(log)}11.  On-Site, Point of Contact Agency Information
     Agency                   : Example Survey
     Primary Contact
       Contact Name           : ${contact}
`;
}

const folder = t.testdir({
  'a.log': version('2020-01-01', 'NONE'),
  'b.log': version('2021-01-01', 'SCIT', 'Otto Normal'),
  'c.log': version('2022-01-01', 'LEIT'),
  'no.log': 'nothing',
  'half.xml': '<geo:GeodesyML xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5">',
});
const compare = (...args: string[]) => run(['compare-logs', ...args], folder);
const A_TO_B =
  '4.1 Antenna: radome NONE → SCIT\n' +
  'a.log (prepared 2020-01-01) → b.log (prepared 2021-01-01): 1 value changed\n';

t.test('compare-logs A B: one line per change, and exit code 1', async (t) => {
  t.same(await compare('a.log', 'b.log'), { code: 1, stdout: A_TO_B, stderr: '' });
  const same = await compare('a.log', 'a.log');
  t.match(same, { code: 0, stdout: /^a\.log .*: no differences\n$/ });
});

t.test('compare-logs --format json, with and without contacts', async (t) => {
  const { code, stdout } = await compare('a.log', 'b.log', '--format', 'json');
  t.equal(code, 1);
  t.match(JSON.parse(stdout) as LogComparison, {
    older: { id: null, name: 'a.log', datePrepared: '2020-01-01' },
    newer: { id: null, name: 'b.log', datePrepared: '2021-01-01' },
    contactsCompared: false,
    changes: [{ number: '4.1', member: 'antennaRadomeType', before: 'NONE', after: 'SCIT' }],
  });
  t.notMatch(stdout, /Maria|Otto/);
  const published = await compare('a.log', 'b.log', '--publish-contacts');
  t.match(published.stdout, /additional information ask Maria Sample → ask Otto Normal/);
  t.match(published.stdout, /^11 Agency: contact name Maria Sample → Otto Normal$/m);
});

t.test('compare-logs SITE [LOG] [LOG]: logs in the database, withdrawn ones too', async (t) => {
  const database = join(folder, 'test.sqlite');
  for (const name of ['a.log', 'b.log', 'c.log']) await importInto(database, [join(folder, name)]);
  const ofSite = (...args: string[]) => compare(...args, '--database', database);
  t.same(await ofSite('TEST', '1', '2'), { code: 1, stdout: A_TO_B, stderr: '' });
  t.same(await ofSite('test', 'a.log', '2'), { code: 1, stdout: A_TO_B, stderr: '' });
  t.same(await ofSite('TEST', '2'), { code: 1, stdout: A_TO_B, stderr: '' }, 'the log before');
  const current = '4.1 Antenna: radome SCIT → LEIT\n';
  t.match(await ofSite('TEST'), { code: 1, stdout: new RegExp(`^${current}`) });
  t.match(await ofSite('TEST', '3', '2'), { stdout: /^4\.1 Antenna: radome LEIT → SCIT\n/ });
  t.match(await run(['log', 'withdraw', 'TEST', '2', '--database', database], folder), { code: 0 });
  t.same(await ofSite('TEST', '1', '2'), { code: 1, stdout: A_TO_B, stderr: '' });
  t.match(await ofSite('TEST', '3'), { stdout: /^4\.1 Antenna: radome NONE → LEIT\n/ });
  const refused: [string[], RegExp][] = [
    [['TEST', '1'], /TEST has no log before log 1 \(a\.log\)\n$/],
    [['TEST', '9'], /TEST has no log "9"; see log list TEST\n$/],
    [['NONE', '1'], /there is no Site NONE in the database\n$/],
  ];
  for (const [args, stderr] of refused)
    t.match(await ofSite(...args), { code: 3, stdout: '', stderr });
  // A file is preferred to a Site.
  writeFileSync(join(folder, 'TEST'), version('2019-01-01', 'SNOW'));
  t.match(await ofSite('TEST', 'a.log'), { stdout: /^4\.1 Antenna: radome SNOW → NONE\n/ });
  t.same(await ofSite('TEST', '1', '2'), { code: 1, stdout: A_TO_B, stderr: '' });
});

t.test('compare-logs says what it cannot read, and what it expects', async (t) => {
  t.match(await compare('a.log', 'no.log'), {
    code: 3,
    stdout: '',
    stderr: /"no\.log" cannot be read: not a site log/,
  });
  t.match(await compare('half.xml', 'a.log'), { code: 3, stderr: /"half\.xml" cannot be read: / });
  t.match(await compare('a.log', 'missing.log'), { code: 3, stderr: /missing\.log/ });
  t.match(await compare('a.log', '.'), { code: 3, stderr: /"\." cannot be read: not a regular/ });
  for (const args of [[], ['TEST', '1', '2', '3'], ['TEST', '1', '--format', 'csv'], ['a.log']])
    t.match(await compare(...args), { code: 2, stdout: '' }, args.join(' '));
});
