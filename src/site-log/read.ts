import { isAsciiSiteLog, readAsciiSiteLog } from './ascii.js';
import { dateInFileName } from './dates.js';
import { decode } from './decode.js';
import { readGeodesyml } from './geodesyml.js';
import { isSopac, readSopac } from './sopac.js';
import type { PersonalTexts } from './personal-texts.js';
import { Findings, reject, type SiteLog, SiteLogRejected } from './site-log.js';
import { personalTextsIn } from './withhold-file.js';
import { personalDataOfText, personalDataOfXml, personalTextsOf, withholdInFindings, withholdInRecord } from './withhold-record.js';
import { isXml, parseXml } from './xml.js';

/** The largest file that is read, in bytes; the largest of a thousand real logs is 131 kB. */
export const LARGEST_FILE = 2 * 1024 * 1024;

/**
 * Reads a site log in any supported format, which is detected from the content. Personal data is withheld in remarks and findings.
 * @param bytes the content of the file
 * @param findings collects the findings; its file name supplies the date if the log has no Date Prepared
 * @throws {SiteLogRejected} if the file is not a site log, or has no site id
 */
export function readSiteLog(bytes: Uint8Array, findings: Findings): SiteLog {
  const { log, personalTexts } = readOrReject(bytes, findings);
  withholdInRecord(log, findings.list, personalTexts);
  log.datePrepared ??= dateInFileName(findings.file);
  return log;
}

/** The personal data of a site log, to find it in texts; null if the file is rejected. */
export function readPersonalTexts(bytes: Uint8Array): PersonalTexts | null {
  try {
    return read(decode(bytes), new Findings('')).personalTexts();
  } catch (error) {
    if (error instanceof SiteLogRejected) return null;
    throw error;
  }
}

/** A log as it was read, and what reads its personal data. */
interface Read {
  log: SiteLog;
  personalTexts: () => PersonalTexts;
}

/** Reads a file. If it is rejected, the findings do not contain personal data either. */
function readOrReject(bytes: Uint8Array, findings: Findings): Read {
  try {
    return read(decode(bytes), findings);
  } catch (error) {
    if (error instanceof SiteLogRejected) withholdInFindings(findings.list, () => personalTextsIn(bytes));
    throw error;
  }
}

function read(text: string, findings: Findings): Read {
  if (isXml(text)) {
    const document = parseXml(text, findings);
    const root = document.children[0]!;
    const log = isSopac(root) ? readSopac(root, findings) : readGeodesyml(document, findings);
    return { log, personalTexts: () => personalTextsOf(log, personalDataOfXml(document)) };
  }
  if (isAsciiSiteLog(text)) {
    const log = readAsciiSiteLog(text, findings);
    return { log, personalTexts: () => personalTextsOf(log, personalDataOfText(text)) };
  }
  return reject(findings, 1, 'not a site log; expected the IGS text format or GeodesyML', text.slice(0, 80), false);
}
