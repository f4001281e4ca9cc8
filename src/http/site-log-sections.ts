import type { SiteLogSections } from '../../schemas/index.js';
import { blankSections, readSections } from '../site-log/read-sections.js';
import { Findings, type SiteLogForm, SiteLogRejected } from '../site-log/site-log.js';
import { withheldSections } from '../site-log/withhold.js';
import { personalTextsIn, withholdInFile } from '../site-log/withhold-file.js';
import type { SiteLogRecord } from '../store/logs.js';

/** Reads a stored log; one that this version cannot read, because it is damaged for example, is blank. */
function readStored({ name, form, original }: Pick<SiteLogRecord, 'name' | 'form' | 'original'>): SiteLogSections {
  try {
    return readSections(original, new Findings(name));
  } catch (error) {
    if (!(error instanceof SiteLogRejected)) throw error;
    return blankSections(form as SiteLogForm);
  }
}

/**
 * Reads a stored log, section by section, as it may be published. This takes milliseconds: between two logs, let other requests run.
 * @param publishContacts false withholds personal data
 */
export function readPublished(record: Pick<SiteLogRecord, 'name' | 'form' | 'original'>, publishContacts: boolean): SiteLogSections {
  const log = readStored(record);
  return publishContacts ? log : withheldSections(log, personalTextsIn(record.original, log));
}

/**
 * The content of a stored log as it may be published: unchanged where it has no personal data. This takes as long as reading it.
 * @param publishContacts false withholds personal data
 */
export const publishedOriginal = ({ original }: Pick<SiteLogRecord, 'original'>, publishContacts: boolean): Uint8Array =>
  publishContacts ? original : withholdInFile(original);
