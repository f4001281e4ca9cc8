import t from 'tap';
import { deriveSetups } from '../../src/derive/setups.js';
import { deriveSummary } from '../../src/derive/summary.js';
import { readWholeLog } from '../../src/site-log/read.js';
import { Findings } from '../../src/findings/findings.js';
import { logText, type SyntheticLog } from '../synthetic-log.js';

const summaryOf = (log: SyntheticLog) => {
  const findings = new Findings('test.log');
  const { identification, items } = readWholeLog(Buffer.from(logText(log)), findings).log;
  return deriveSummary(identification, deriveSetups(items, findings));
};

t.test('the summary has the types in the current Setup, and its start', async (t) => {
  const { current } = summaryOf({
    receivers: [
      { type: 'R0', serial: '1', from: '2001-01-01', to: '2003-01-01' },
      { type: 'R1', serial: '2', from: '2003-01-01' },
      { from: '2002-01-01', serial: '3' },
    ],
    antennas: [{ type: 'A0', serial: '4', from: '2001-01-01' }],
  });
  t.same(current, {
    receivers: ['R1', null],
    antennas: ['A0'],
    since: '2003-01-01T00:00:00Z',
  });
});

t.test('without a Setup there is no current equipment, but the Site can be searched', async (t) => {
  const { current, searchText } = summaryOf({ name: 'Mäntsälä', receivers: [{ type: 'R0' }] });
  t.equal(current, null);
  t.same(searchText.split('\n'), ['test', 'mantsala', 'australia']);
});

t.test('former equipment is what earlier Setups have and the current one lacks', async (t) => {
  const { formerText } = summaryOf({
    receivers: [
      { type: 'LEICA GR50', serial: 'A', from: '2001-01-01', to: '2002-01-01' },
      { type: 'LEICA GR50', serial: 'B', from: '2002-01-01', to: '2003-01-01' },
      { type: 'Séptentrio', serial: 'A', from: '2003-01-01', to: '2004-01-01' },
      { type: 'LEICA GR50', serial: 'C', from: '2004-01-01' },
    ],
  });
  t.same(formerText.split('\n'), ['a', 'b', 'septentrio']);
  t.equal(
    summaryOf({ receivers: [{ type: 'R0', serial: '1', from: '2001-01-01' }] }).formerText,
    '',
  );
});
