import type { SiteLogSections } from '../../schemas/index.js';
import { dateInFileName } from './dates.js';
import { readSections } from './read-sections.js';
import { recordOf } from './record.js';
import { type Findings, type SiteLog, SiteLogRejected } from './site-log.js';
import { Contacts, withheldSections } from './withhold.js';

/** The largest file that is read, in bytes; the largest of a thousand real logs is 131 kB. */
export const LARGEST_FILE = 2 * 1024 * 1024;

/** Runs a reader; if it rejects the file, the findings quote nothing. @throws {SiteLogRejected} */
function quotingNothing<T>(findings: Findings, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SiteLogRejected) findings.withhold(null);
    throw error;
  }
}

/**
 * Reads a whole site log in any supported form, which is detected from the content. Contacts are
 * withheld in it and in the findings.
 * @param bytes the content of the file
 * @throws {SiteLogRejected} if the file is not a site log
 */
export const readWithheld = (bytes: Uint8Array, findings: Findings): SiteLogSections =>
  quotingNothing(findings, () => {
    const log = readSections(bytes, findings);
    const contacts = new Contacts(log);
    findings.withhold((text) => contacts.withheldIn(text));
    return withheldSections(log, contacts);
  });

/**
 * Reads a site log without its contacts: its sections, and what is put on record of them.
 * @param findings collects the findings; its file name supplies the date if the log has no Date
 *   Prepared
 * @throws {SiteLogRejected} if the file is not a site log, or has no site id
 */
export const readWholeLog = (
  bytes: Uint8Array,
  findings: Findings,
): { sections: SiteLogSections; log: SiteLog } =>
  quotingNothing(findings, () => {
    const sections = readWithheld(bytes, findings);
    const log = recordOf(sections, findings);
    return {
      sections,
      log: { ...log, datePrepared: log.datePrepared ?? dateInFileName(findings.file) },
    };
  });

/** Reads what is put on record of a site log, as {@link readWholeLog}. @throws {SiteLogRejected} */
export const readSiteLog = (bytes: Uint8Array, findings: Findings): SiteLog =>
  readWholeLog(bytes, findings).log;
