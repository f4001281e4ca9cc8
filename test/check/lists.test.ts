import t from 'tap';
import { AntexIndex, checkCalibrations } from '../../src/check/antex.js';
import { reportTo } from '../../src/check/check-log.js';
import type { CheckedLog, Report } from '../../src/check/checked-log.js';
import { checkEquipmentNames, readEquipmentNames } from '../../src/check/equipment-names.js';
import { readWholeLog } from '../../src/site-log/read.js';
import { Findings } from '../../src/site-log/site-log.js';
import { logText } from '../helper.js';

const row = (name: string, text = ''): string => `| ${name.padEnd(20)} | ${text} |`;
const RULE = '+----------------------+-----+';
const LIST = [
  ...[row('Maker Receivers'), row('IGS Codes-20 columns'), row('X'.repeat(20)), RULE, row('MAKER R1', 'the first'), row('', 'more'), RULE],
  ...[row('Maker Antennas'), row(`${'X'.repeat(15)} DOME`), RULE, row('MAKANT1'), row('xxxxxxxxxxxxxxx MAKD', 'a dome'), RULE],
  ...[row('Previously valid', 'New Codes'), RULE, row('MAKOLD', 'MAKANT1 | MAKANT2'), row('', 'MAKANT3'), RULE],
].join('\n');
const atx = (type: string, serial = ''): string => `${type.padEnd(20)}${serial.padEnd(40)}TYPE / SERIAL NO`;

/** What is found in a log with one receiver and one antenna. */
function found(receiver: string, antenna: string, check: (log: CheckedLog, report: Report) => void): string[] {
  const findings = new Findings('a');
  const log = logText({ receivers: [{ type: receiver }], antennas: [{ type: antenna, serial: '7' }] });
  check(readWholeLog(Buffer.from(log), findings), reportTo(findings));
  return findings.list.flatMap(({ code, message }) => (code === undefined ? [] : [`${code}: ${message}`]));
}

t.test('types and radomes are compared with the list, with successors and suggestions', async (t) => {
  const names = readEquipmentNames(LIST)!;
  const check = (receiver: string, antenna: string) => found(receiver, antenna, (log, report) => checkEquipmentNames(log, names, report));
  t.strictSame(check('MAKER R1', 'MAKANT1         MAKD'), []);
  t.strictSame(check('MAKER R2', 'MAKOLD          NONE'), [
    'unknown-type: the receiver type is not in the list of equipment names; perhaps MAKER R1',
    'deprecated-type: the antenna type is no longer valid; now MAKANT1 or MAKANT2 or MAKANT3',
  ]);
  t.strictSame(check('MAKER R1', 'MAKANT1         ABCD'), ['unknown-radome: the radome is not in the list of equipment names']);
  t.equal(readEquipmentNames('no list'), null);
});

t.test('antennas are looked up among the calibrations', async (t) => {
  const index = new AntexIndex();
  const lines = [atx('MAKANT1         NONE'), atx('MAKANT2         MAKD'), atx('MAKANT3         NONE', '7'), 'MAKANT4'];
  for (const line of lines) index.add(line);
  const check = (antenna: string) =>
    found('', antenna, (log, report) => checkCalibrations(log, index, report)).map((each) => each.split(':')[0]);
  t.strictSame(check('MAKANT1         NONE'), []);
  t.strictSame(check('MAKANT1         MAKD'), ['calibration-without-radome']);
  t.strictSame(check('MAKANT2         MAKD'), []);
  t.strictSame(check('MAKANT3         NONE'), ['individual-calibration']);
  t.strictSame(check('MAKANT4         NONE'), ['no-calibration']);
});
