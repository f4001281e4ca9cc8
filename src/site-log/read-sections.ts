import type { SiteLogSections } from '../../schemas/index.js';
import { isAsciiSiteLog, readAsciiBlocks } from './text/blocks.js';
import { readGeodesyml } from './xml/geodesyml.js';
import { type DecodedFile, decodeFile, FALLBACK } from './values/decode.js';
import { SectionsBuilder } from './sections-builder.js';
import type { LineAccount } from './text/account.js';
import { Findings, reject } from '../findings/findings.js';
import type { SiteLogForm } from './site-log.js';
import { isSopac, readSopacBlocks } from './xml/sopac.js';
import { placeOfPart } from './text/lines.js';
import type { ScannedLog } from './text/scanner.js';
import { addTitleId, reportOtherTitle } from './text/title-id.js';
import { isXml, parseXml } from './xml/elements.js';

/** Reports that lines of a file are not UTF-8. They are not quoted: they may be about a contact. */
function reportEncoding({ otherLines, firstOther }: DecodedFile, findings: Findings): void {
  if (firstOther === null) return;
  const values = { lines: otherLines, encoding: FALLBACK };
  findings.add('not-utf-8', { line: firstOther }, values);
}

/** Adds to the finding about the encoding its section and item, known once the text was read. */
function locateEncoding(
  { firstOther }: DecodedFile,
  { parts }: ScannedLog,
  findings: Findings,
): void {
  if (firstOther === null) return;
  const part = parts.findLast(({ line }) => line <= firstOther);
  if (part !== undefined) findings.locate('not-utf-8', firstOther, placeOfPart(part));
}

/** A site log as it was read, with its contacts. */
export interface ReadLog {
  sections: SiteLogSections;
  /** The lines of a log in the text form, for the checks of the form; null for XML. */
  scanned: ScannedLog | null;
}

/** Reads a log in the text form. The account says how each of its lines was used. */
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
  reportOtherTitle(sections, scanned, findings);
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
  const file = decodeFile(bytes);
  const { text } = file;
  if (!isXml(text)) {
    if (!isAsciiSiteLog(text))
      reject(findings, 'not-a-site-log', { line: 1 }, { text: text.slice(0, 80) }, false);
    reportEncoding(file, findings);
    const { sections, scanned } = readText(text, findings);
    locateEncoding(file, scanned, findings);
    return { sections, scanned };
  }
  const sections = readXml(text, findings);
  reportEncoding(file, findings);
  return { sections, scanned: null };
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
