import type { SiteLogSections } from '../../schemas/index.js';
import { isAsciiSiteLog, readAsciiBlocks } from './ascii-blocks.js';
import { readGeodesyml } from './geodesyml.js';
import { SectionsBuilder } from './sections-builder.js';
import type { LineAccount } from './line-account.js';
import { Findings, reject, type SiteLogForm } from './site-log.js';
import { isSopac, readSopacBlocks } from './sopac.js';
import type { ScannedLog } from './text-scanner.js';
import { addTitleId } from './title-id.js';
import { isXml, parseXml } from './xml.js';

/**
 * The text of a file in UTF-8 (with or without a byte order mark), UTF-16 (with one) or Latin-1.
 */
export function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** A site log as it was read, with its contacts. */
export interface ReadLog {
  sections: SiteLogSections;
  /** The lines of a log in the text form, for the checks of the form; null for XML. */
  scanned: ScannedLog | null;
}

/** Reads a log in the text form. The account says what became of each of its lines. */
export function readText(
  text: string,
  findings: Findings,
): { sections: SiteLogSections; scanned: ScannedLog; account: LineAccount } {
  const builder = new SectionsBuilder(findings);
  const { account, scanned, settle } = readAsciiBlocks(text, findings, builder.add.bind(builder));
  const form = builder.hasNineCharacters ? 'IGS site log 2.0' : 'IGS site log 1';
  const sections = builder.build(form);
  settle(sections);
  if (form === 'IGS site log 1') addTitleId(sections, scanned, findings);
  return { sections, scanned, account };
}

/**
 * Reads a whole site log in any supported form, which is detected from the content. Unlike an
 * import, it accepts a log that does not identify its station.
 * @param bytes the content of the file
 * @param findings collects what deviates from the form
 * @throws {SiteLogRejected} if the file is not a site log
 */
export function readLog(bytes: Uint8Array, findings: Findings): ReadLog {
  const text = decode(bytes);
  if (!isXml(text)) {
    if (!isAsciiSiteLog(text)) {
      reject(
        findings,
        1,
        'not a site log; expected the IGS text format, GeodesyML or the XML of SOPAC',
        text.slice(0, 80),
        false,
      );
    }
    const { sections, scanned } = readText(text, findings);
    return { sections, scanned };
  }
  return { sections: readXml(text, findings), scanned: null };
}

/** Reads the sections of a log, as {@link readLog}. @throws {SiteLogRejected} */
export const readSections = (bytes: Uint8Array, findings: Findings): SiteLogSections =>
  readLog(bytes, findings).sections;

/** Reads a log in GeodesyML or the XML of SOPAC. @throws {SiteLogRejected} */
function readXml(text: string, findings: Findings): SiteLogSections {
  const builder = new SectionsBuilder(findings);
  const elements = parseXml(text, findings);
  const root = elements[0]!;
  if (isSopac(root)) {
    readSopacBlocks(root, findings, builder.add.bind(builder));
    return builder.build('SOPAC site log 2004');
  }
  return builder.build(readGeodesyml(elements, findings, builder));
}

/** The sections of a log of which nothing is known. */
export const blankSections = (form: SiteLogForm): SiteLogSections =>
  new SectionsBuilder(new Findings('')).build(form);
