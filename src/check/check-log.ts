import type { WholeLog } from '../site-log/read.js';
import type { Findings } from '../findings/findings.js';
import { DAY } from '../requests/units-of-time.js';
import { placeOf } from '../site-log/record.js';
import type { CheckedLog } from './checked-log.js';
import { checkForm } from './form.js';
import { checkHistory } from './history.js';
import { checkAfterDatePrepared, checkFileName } from './identity.js';
import { checkNames } from './names.js';
import { checkPlace } from './place.js';
import { checkRequiredValues } from './required-values.js';
import { checkValues } from './values.js';

/** The checks of one site log, beside what its reader finds. Pure. */

/** Checks a log against the rules that need only the log and its file name. */
export function checkLog(log: WholeLog, findings: Findings): void {
  const report = findings.add;
  const { scanned, sections } = log;
  if (scanned !== null) checkForm(scanned, sections.form === 'IGS site log 2.0', report);
  checkFileName(log, findings.file, report);
  checkAfterDatePrepared(log, report);
  checkRequiredValues(log, report);
  checkValues(log, report);
  checkHistory(log, report);
  checkNames(log, report);
  checkPlace(log, report);
}

/**
 * Checks that no equipment was installed or removed after the log was imported.
 * @param now the clock of the import
 */
export function checkAgainstClock(
  { items }: CheckedLog['log'],
  now: Date,
  findings: Findings,
): void {
  const limit = now.getTime() + DAY;
  for (const item of items) {
    const future = [item.from, item.to].find((date) => date !== null && Date.parse(date) > limit);
    if (future == null) continue;
    const values = { kind: item.id.equipmentType, text: future };
    findings.add('date-in-future', placeOf(item), values);
  }
}
