import type { SiteLogSections } from '../../schemas/index.js';
import { blankSections, readSections } from './read-sections.js';
import { quotingNothing } from './read.js';
import { Findings, type SiteLogForm, SiteLogRejected } from './site-log.js';
import { withheldFromBoth, withheldSections } from './withhold.js';

/** A log as it is stored. */
export interface StoredLog {
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
 * Reads two logs as they may be published together: without the contacts of both, unless these are
 * published. This takes milliseconds.
 * @throws {SiteLogRejected} if one cannot be read
 */
export function readBothPublished(
  one: Omit<StoredLog, 'form'>,
  other: Omit<StoredLog, 'form'>,
  publishContacts: boolean,
): [SiteLogSections, SiteLogSections] {
  const read = ({ name, original }: Omit<StoredLog, 'form'>): SiteLogSections => {
    const findings = new Findings(name);
    const readWhole = (): SiteLogSections => readSections(original, findings);
    return publishContacts ? readWhole() : quotingNothing(findings, readWhole);
  };
  const log = read(one);
  const otherLog = read(other);
  return publishContacts ? [log, otherLog] : withheldFromBoth(log, otherLog);
}
