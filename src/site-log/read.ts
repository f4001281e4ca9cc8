import { isAsciiSiteLog, readAsciiSiteLog } from './ascii.js';
import { dateInFileName } from './dates.js';
import { decode } from './decode.js';
import { readGeodesyml } from './geodesyml.js';
import { isSopac, readSopac } from './sopac.js';
import { type Findings, reject, type SiteLog } from './site-log.js';
import { personalDataOfText, personalDataOfXml, withholdInRecord } from './withhold-record.js';
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
  const log = read(decode(bytes), findings);
  log.datePrepared ??= dateInFileName(findings.file);
  return log;
}

/** Withholds personal data in a log that was read. */
function withheld(log: SiteLog, findings: Findings, dataOf: Parameters<typeof withholdInRecord>[2]): SiteLog {
  withholdInRecord(log, findings.list, dataOf);
  return log;
}

function read(text: string, findings: Findings): SiteLog {
  if (isXml(text)) {
    const document = parseXml(text, findings);
    const root = document.children[0]!;
    const log = isSopac(root) ? readSopac(root, findings) : readGeodesyml(document, findings);
    return withheld(log, findings, () => personalDataOfXml(document));
  }
  if (isAsciiSiteLog(text)) return withheld(readAsciiSiteLog(text, findings), findings, () => personalDataOfText(text));
  return reject(findings, 1, 'not a site log; expected the IGS text format or GeodesyML', text.slice(0, 80), false);
}
