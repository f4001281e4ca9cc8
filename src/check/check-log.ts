import type { WholeLog } from '../site-log/read.js';
import type { Findings } from '../findings/findings.js';
import { DAY } from '../requests/units-of-time.js';
import { lastCredibleDay } from '../derive/log-order.js';
import { placeOf } from '../site-log/record.js';
import type { CheckedLog } from './checked-log.js';
import { checkEccentricities } from './eccentricities.js';
import { checkForm } from './form.js';
import { checkHistory } from './history.js';
import {
  afterPrepared,
  checkAfterDatePrepared,
  checkDatePrepared,
  checkFileName,
} from './identity.js';
import { checkNames } from './names.js';
import { checkPlace } from './place.js';
import { checkRequiredValues } from './required-values.js';
import { checkSatelliteSystems } from './satellite-systems.js';
import { checkSerialNumbers } from './serial-numbers.js';
import { checkValues } from './values.js';

/** The checks of one site log, beside what its reader finds. Pure. */

/** Checks a log against the rules that need only the log and its file name. */
export function checkLog(log: WholeLog, findings: Findings): void {
  const report = findings.add;
  const { scanned, sections } = log;
  if (scanned !== null) checkForm(scanned, sections.form === 'IGS site log 2.0', report);
  checkFileName(log, findings.file, report);
  checkDatePrepared(log, findings.file, report);
  checkAfterDatePrepared(log, report);
  checkRequiredValues(log, report);
  checkValues(log, report);
  checkHistory(log, report);
  checkSatelliteSystems(log, report);
  checkSerialNumbers(log, report);
  checkEccentricities(log, report);
  checkNames(log, report);
  checkPlace(log, report);
}

/**
 * Checks that the log was not prepared, and no equipment installed or removed, after the log was
 * imported or checked.
 * @param now the clock of the import or of the check
 */
export function checkAgainstClock(
  { items, datePrepared }: CheckedLog['log'],
  now: Date,
  findings: Findings,
): void {
  if (datePrepared !== null && datePrepared > lastCredibleDay(now))
    findings.add('future-date', { line: 1 }, { text: datePrepared });
  const limit = now.getTime() + DAY;
  // What was installed after the log was prepared is reported already.
  const reported = afterPrepared(datePrepared ?? undefined);
  for (const item of items) {
    if (item.from !== null && Date.parse(item.from) >= reported) continue;
    const future = [item.from, item.to].find((date) => date !== null && Date.parse(date) > limit);
    if (future == null) continue;
    const values = { kind: item.id.equipmentType, text: future };
    findings.add('date-in-future', placeOf(item), values);
  }
}
