import type { SiteLogSections } from '../../schemas/index.js';
import { blankSections, readSections } from './read-sections.js';
import { quotingNothing } from './read.js';
import { Findings, SiteLogRejected } from '../findings/findings.js';
import type { SiteLogForm } from './site-log.js';
import { withheldFromBoth, withheldSections } from './contacts/withhold.js';

/** A log as it is stored. */
interface StoredLog {
  /** The name of its file. */
  name: string;
  form: string;
  /** The content of its file, unchanged. */
  original: Uint8Array;
}

/**
 * Reads a stored log, section by section, as it may be published; one that this version cannot
 * read, because it is damaged for example, is blank. This takes milliseconds: between two logs, let
 * other requests run.
 */
export function readPublished(
  { name, form, original }: StoredLog,
  publishContacts: boolean,
): SiteLogSections {
  try {
    const log = readSections(original, new Findings(name));
    return publishContacts ? log : withheldSections(log);
  } catch (error) {
    if (!(error instanceof SiteLogRejected)) throw error;
    return blankSections(form as SiteLogForm);
  }
}

/**
 * Reads a stored log with its contacts, to compare it. This takes milliseconds: between two logs,
 * let other requests run.
 * @param publishContacts false rejects it without quoting anything
 * @throws {SiteLogRejected} if it cannot be read
 */
export function readStored(
  { name, original }: Pick<StoredLog, 'name' | 'original'>,
  publishContacts: boolean,
): SiteLogSections {
  const findings = new Findings(name);
  const read = (): SiteLogSections => readSections(original, findings);
  return publishContacts ? read() : quotingNothing(findings, read);
}

/**
 * Two logs as they may be published together: without the contacts of both, unless these are
 * published.
 */
export const publishedTogether = (
  one: SiteLogSections,
  other: SiteLogSections,
  publishContacts: boolean,
): [SiteLogSections, SiteLogSections] =>
  publishContacts ? [one, other] : withheldFromBoth(one, other);
