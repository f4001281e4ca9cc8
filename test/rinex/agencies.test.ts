import t from 'tap';
import { agencyReasons } from '../../src/rinex/agencies.js';

t.test(
  'the agency of a header is that of a log by its parts, by initials, or by both',
  async (t) => {
    const agencies = ['Example Survey', 'Other Agency'];
    for (const [header, reasons] of [
      ['Example Survey / Other Agency', ['parts of an agency']],
      ['ES', ['initials']],
      ['Example Survey / OA', ['parts of an agency', 'initials']],
      ['Example Survey / XX', null],
      ['XX', null],
    ] as const)
      t.same(agencyReasons(header, agencies), reasons, header);
  },
);
