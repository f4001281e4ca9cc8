import type { SiteLogSections } from '../../schemas/index.js';
import { dateInFileName } from './values/dates.js';
import { readLog, type ReadLog } from './read-sections.js';
import { recordOf } from './record.js';
import { type Findings, SiteLogRejected } from '../findings/findings.js';
import type { SiteLog } from './site-log.js';
import { Contacts, withheldSections } from './contacts/withhold.js';

/** The largest file that is read, in bytes; the largest of a thousand real logs is 131 kB. */
export const LARGEST_FILE = 2 * 1024 * 1024;

/** Runs a reader; if it rejects the file, the findings quote nothing. @throws {SiteLogRejected} */
export function quotingNothing<T>(findings: Findings, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SiteLogRejected)) throw error;
    findings.withhold(null);
    throw new SiteLogRejected(findings.list, error.recognised);
  }
}

/** A log that was read, without its contacts. */
interface WithheldLog extends ReadLog {
  /** The sections with the contacts. */
  complete: SiteLogSections;
}

/**
 * Reads a log, and withholds its contacts in the sections and in the findings. The scanned lines
 * still have them.
 */
function readAndWithhold(bytes: Uint8Array, findings: Findings): WithheldLog {
  const { sections: complete, scanned } = readLog(bytes, findings);
  const contacts = new Contacts(complete);
  findings.withhold((text) => contacts.withheldIn(text));
  return { sections: withheldSections(complete, contacts), complete, scanned };
}

/**
 * Reads a whole site log in any supported form, which is detected from the content. Contacts are
 * withheld in it and in the findings.
 * @param bytes the content of the file
 * @throws {SiteLogRejected} if the file is not a site log
 */
export const readWithheld = (bytes: Uint8Array, findings: Findings): SiteLogSections =>
  quotingNothing(findings, () => readAndWithhold(bytes, findings).sections);

/** A site log that can be imported. */
export interface WholeLog extends WithheldLog {
  /** What is recorded about it. */
  log: SiteLog;
}

/**
 * Reads a site log without its contacts: its sections, and what is put on record of them.
 * @param findings collects the findings; its file name supplies the date if the log has no Date
 *   Prepared
 * @throws {SiteLogRejected} if the file is not a site log, or has no site id
 */
export const readWholeLog = (bytes: Uint8Array, findings: Findings): WholeLog =>
  quotingNothing(findings, () => {
    const read = readAndWithhold(bytes, findings);
    const log = recordOf(read.sections, findings);
    log.datePrepared ??= dateInFileName(findings.file);
    return { ...read, log };
  });
