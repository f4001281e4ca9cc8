import { isAsciiSiteLog, readAsciiSiteLog } from './ascii.js';
import { decode } from './decode.js';
import { isXml, readGeodesyml } from './geodesyml.js';
import { type Findings, reject, type SiteLog } from './site-log.js';
import { dateInFileName } from './values.js';

/** The largest file that is read, in bytes; the largest of a thousand real logs has 131 kB. */
export const LARGEST_FILE = 2 * 1024 * 1024;

/**
 * Reads a site log in any of the forms, told by its content.
 * @param bytes the file's content
 * @param findings gets what is not as the form wants it; its file's name gives the date where the form has no Date Prepared
 * @throws {SiteLogRejected} where the file is no site log, or one without the id of a station
 */
export function readSiteLog(bytes: Uint8Array, findings: Findings): SiteLog {
  const log = read(decode(bytes), findings);
  log.datePrepared ??= dateInFileName(findings.file);
  return log;
}

function read(text: string, findings: Findings): SiteLog {
  if (isXml(text)) return readGeodesyml(text, findings);
  if (isAsciiSiteLog(text)) return readAsciiSiteLog(text, findings);
  return reject(findings, 1, 'no site log; expected the IGS text form or GeodesyML', text.slice(0, 80), false);
}
