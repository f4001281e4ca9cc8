import { isAsciiSiteLog, readAsciiSiteLog } from './ascii.js';
import { dateInFileName } from './dates.js';
import { decode } from './decode.js';
import { readGeodesyml } from './geodesyml.js';
import { isSopac, readSopac } from './sopac.js';
import { type KnownPersons, NOBODY, personsIn } from './known-persons.js';
import { type PersonalData, PersonalTexts } from './personal-texts.js';
import { Findings, reject, type SiteLog, SiteLogRejected } from './site-log.js';
import { personalTextsIn } from './withhold-file.js';
import {
  type Collected,
  personalDataOf,
  personalDataOfText,
  personalDataOfXml,
  withholdInFindings,
  withholdInRecord,
} from './withhold-record.js';
import { isXml, parseXml } from './xml.js';

/** The largest file that is read, in bytes; the largest of a thousand real logs is 131 kB. */
export const LARGEST_FILE = 2 * 1024 * 1024;

/** A site log, and what it says about persons. */
export interface SiteLogRead {
  log: SiteLog;
  /** The names of persons in its contacts; see {@link personsIn}. */
  persons: string[];
  /** Whether names of the known persons were withheld. */
  namesKnown: boolean;
}

/**
 * Reads a site log in any supported format, which is detected from the content. Personal data is withheld in remarks and findings.
 * @param bytes the content of the file
 * @param findings collects the findings; its file name supplies the date if the log has no Date Prepared
 * @throws {SiteLogRejected} if the file is not a site log, or has no site id
 */
export const readSiteLog = (bytes: Uint8Array, findings: Findings): SiteLog => readLogAndPersons(bytes, findings, NOBODY).log;

/**
 * Like {@link readSiteLog}, with regard to other logs.
 * @param known persons whom other logs name as contacts; they are withheld as well
 */
export function readLogAndPersons(bytes: Uint8Array, findings: Findings, known: KnownPersons): SiteLogRead {
  const { log, collected } = readOrReject(bytes, findings, known);
  const data = personalDataOf(log, collected);
  const namesKnown = withholdInRecord(log, findings.list, () => new PersonalTexts(data, known), known);
  log.datePrepared ??= dateInFileName(findings.file);
  return { log, persons: personsIn(data), namesKnown };
}

/** The personal data of a site log, to find it in texts; null if the file is rejected. */
export function readPersonalData(bytes: Uint8Array): PersonalData | null {
  try {
    const { log, collected } = read(decode(bytes), new Findings(''));
    return personalDataOf(log, collected);
  } catch (error) {
    if (error instanceof SiteLogRejected) return null;
    throw error;
  }
}

/** A log as it was read, and its personal data. */
interface Read {
  log: SiteLog;
  collected: Collected;
}

/** Reads a file. If it is rejected, the findings do not contain personal data either. */
function readOrReject(bytes: Uint8Array, findings: Findings, known: KnownPersons): Read {
  try {
    return read(decode(bytes), findings);
  } catch (error) {
    if (error instanceof SiteLogRejected) withholdInFindings(findings.list, () => personalTextsIn(bytes, undefined, known));
    throw error;
  }
}

function read(text: string, findings: Findings): Read {
  if (isXml(text)) {
    const elements = parseXml(text, findings);
    const root = elements[0]!;
    const log = isSopac(root) ? readSopac(root, findings) : readGeodesyml(elements, findings);
    return { log, collected: personalDataOfXml(elements) };
  }
  if (isAsciiSiteLog(text)) {
    const log = readAsciiSiteLog(text, findings);
    return { log, collected: personalDataOfText(text) };
  }
  return reject(findings, 1, 'not a site log; expected the IGS text format or GeodesyML', text.slice(0, 80), false);
}
