import { dateInFileName } from '../site-log/values/dates.js';
import { siteIdText } from '../requests/site-id.js';
import { DAY } from '../requests/units-of-time.js';
import { placeOf } from '../site-log/record.js';
import { idInFileName } from '../derive/stations.js';
import type { WholeLog } from '../site-log/read.js';
import { canBeSame, otherIdInTitle } from '../site-log/text/title-id.js';
import { type Findings, reject, type Report } from '../findings/findings.js';
import type { CheckedLog } from './checked-log.js';

/** Checks the ids and dates in a log, its title and its file name against each other. */

/** Checks that the file name has the id of the log. @param file its path */
export function checkFileName({ log }: CheckedLog, file: string, report: Report): void {
  const id = siteIdText(log.identification);
  const named = idInFileName(file);
  if (named !== null && !canBeSame(named, id))
    report('file-name-differs', { line: 1 }, { id, text: named });
}

/**
 * Rejects a log whose title and file name agree on another id than section 1: a copied form.
 * @throws {SiteLogRejected} if it is one
 */
export function rejectCopiedForm({ scanned, log }: WholeLog, findings: Findings): void {
  const id = siteIdText(log.identification);
  const inFileName = idInFileName(findings.file);
  if (scanned === null || inFileName === null || canBeSame(inFileName, id)) return;
  const inTitle = otherIdInTitle(id, scanned);
  if (inTitle === null || !canBeSame(inFileName, inTitle)) return;
  reject(findings, 'copied-form', { line: 1 }, { id, text: inTitle });
}

/**
 * Checks the date in the file name against Date Prepared. Archives rename files, so an import does
 * not check this.
 */
export function checkDateInFileName({ sections }: CheckedLog, file: string, report: Report): void {
  const prepared = sections.formInformation.datePrepared;
  const day = prepared?.value?.slice(0, 10);
  const named = dateInFileName(file);
  if (named === null || day === undefined || named === day) return;
  report('file-date-differs', { line: prepared!.line, section: '0' }, { day: named, text: day });
}

/** Checks that it is known when the log was prepared. @param file its path */
export function checkDatePrepared({ sections }: CheckedLog, file: string, report: Report): void {
  const prepared = sections.formInformation.datePrepared;
  if ((prepared?.value ?? null) !== null) return;
  const day = dateInFileName(file);
  const place = { line: prepared?.line ?? 1, section: '0' };
  const level = day === null ? 'warning' : 'info';
  report('no-date-prepared', place, { day, text: prepared?.written ?? '' }, level);
}

/**
 * From when on equipment cannot have been installed when a log was prepared, in milliseconds.
 * Date Prepared is a day in local time, so the next day in UTC can be the same.
 */
export const afterPrepared = (prepared: string | undefined): number =>
  prepared === undefined ? Infinity : Date.parse(prepared) + 2 * DAY;

/**
 * Checks that no equipment was installed after the log was prepared; if none was, that none was
 * removed.
 */
export function checkAfterDatePrepared({ sections, log }: CheckedLog, report: Report): void {
  const prepared = sections.formInformation.datePrepared?.value?.slice(0, 10);
  if (prepared === undefined) return;
  const limit = afterPrepared(prepared);
  for (const name of ['from', 'to'] as const) {
    const late = [...log.items, ...log.instruments]
      .filter(({ [name]: date }) => date !== null && Date.parse(date) >= limit)
      .sort((a, b) => Date.parse(b[name]!) - Date.parse(a[name]!));
    const [last, ...others] = late;
    if (last === undefined) continue;
    const values = {
      kind: last.id.equipmentType,
      others: others.length,
      isRemoval: name === 'to',
      text: `${last[name]!} > ${prepared}`,
    };
    report('after-date-prepared', placeOf(last), values);
    return;
  }
}
