import fc from 'fast-check';
import t from 'tap';
import type { SiteLogSections } from '../../../schemas/index.js';
import { valuesWithRows } from '../../../src/site-log/contacts/values.js';
import { withheldSections } from '../../../src/site-log/contacts/withhold.js';
import { readSections } from '../../../src/site-log/read-sections.js';
import { readWithheld } from '../../../src/site-log/read.js';
import { recordOf } from '../../../src/site-log/record.js';
import { canWrite, writeSections, WRITTEN_FORMS } from '../../../src/site-log/write.js';
import { Findings } from '../../../src/findings/findings.js';
import { casesOf, SEED, triesMore } from '../../effort.js';
import { FORMS, plantedText, type Planted, staying, vanishing } from './planted-logs.js';

/** Planted contacts vanish from everything that is made of a log; what resembles them stays. */

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** What is published of a log, as one text, and the findings about it. */
function publishedOf(bytes: Buffer): { log: SiteLogSections; findings: Findings; all: string } {
  const findings = new Findings('qxaa_20200301.log');
  const log = readWithheld(bytes, findings);
  const record = recordOf(log, findings);
  const files = WRITTEN_FORMS.filter((form) => canWrite(log, form)).map((form) =>
    writeSections(log, form, findings),
  );
  const all = [log, record, findings.list].map((each) => JSON.stringify(each));
  return { log, findings, all: folded([...all, ...files].join('\n')) };
}

/** Checks planted logs in each of the forms. */
function check(
  planted: fc.Arbitrary<Planted>,
  checkOne: (bytes: Buffer, planted: Planted) => void,
): void {
  const property = fc.property(planted, fc.constantFrom(...FORMS), (each, form) =>
    checkOne(Buffer.from(plantedText(each.plan, form)), each),
  );
  fc.assert(property, { numRuns: casesOf(1500), seed: SEED });
}

t.test('planted contacts vanish in all forms', triesMore, async (t) => {
  t.doesNotThrow(() =>
    check(vanishing, (bytes, { secrets }) => {
      const { all } = publishedOf(bytes);
      const leaks = secrets.filter((secret) => all.includes(folded(secret)));
      if (leaks.length > 0) throw new Error(`published: ${leaks.join(' | ')}`);
    }),
  );
});

t.test('what only resembles a contact stays in all forms', triesMore, async (t) => {
  t.doesNotThrow(() =>
    check(staying, (bytes) => {
      const { findings } = publishedOf(bytes);
      const log = readSections(bytes, new Findings(''));
      const published = valuesWithRows(withheldSections(log));
      const lost = valuesWithRows(log).flatMap(([{ written }, row], index) =>
        row.personal === true || written === published[index]![0].written ? [] : [written],
      );
      if (lost.length > 0) throw new Error(`withheld: ${lost.join(' | ')}`);
      if (JSON.stringify(findings.list).includes('(withheld)')) throw new Error('in a finding');
    }),
  );
});
