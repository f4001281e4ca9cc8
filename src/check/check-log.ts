import { isXml } from '../site-log/xml.js';
import { type Findings, type FindingLevel } from '../site-log/site-log.js';
import { decode } from '../site-log/read-sections.js';
import { type CheckedLog, CHECKS, type Report } from './checked-log.js';
import { checkForm } from './form.js';
import { checkHistory } from './history.js';
import { checkNames } from './names.js';
import { checkPlace } from './place.js';
import { checkFuture, checkValues } from './values.js';

/** The checks of one site log, beside what its reader finds. Pure. */

/** Reports to the findings of a log. */
export const reportTo =
  (findings: Findings): Report =>
  (code, line, message, text) =>
    findings.addCheck(line, CHECKS[code] satisfies FindingLevel, code, message, text);

/** Checks a log against the rules that need nothing but the log. @param bytes the content of the file */
export function checkLog(bytes: Uint8Array, log: CheckedLog, findings: Findings): void {
  const report = reportTo(findings);
  const text = decode(bytes);
  if (!isXml(text)) checkForm(text, log.sections.form === 'IGS site log 2.0', report);
  checkValues(log, report);
  checkHistory(log, report);
  checkNames(log, report);
  checkPlace(log, report);
}

/** Checks a log against the day of its import. */
export const checkAgainstClock = (log: CheckedLog['log'], now: Date, findings: Findings): void => checkFuture(log, now, reportTo(findings));
