import type { SiteLogSections } from '../../schemas/index.js';
import { readSections } from '../site-log/read-sections.js';
import { Findings } from '../site-log/site-log.js';
import { Contacts } from '../site-log/withhold.js';
import { withholdInFile } from '../site-log/withhold-file.js';
import type { SiteLogRecord } from '../store/logs.js';

/**
 * Reads a stored log, section by section, as it may be published. This takes milliseconds: between two logs, let other requests run.
 * @param publishContacts false withholds personal data
 */
export function readPublished({ name, original }: Pick<SiteLogRecord, 'name' | 'original'>, publishContacts: boolean): SiteLogSections {
  const log = readSections(original, new Findings(name));
  return publishContacts ? log : new Contacts(log).withheld();
}

/**
 * The content of a stored log as it may be published: unchanged where it has no personal data. This takes as long as reading it.
 * @param publishContacts false withholds personal data
 */
export const publishedOriginal = ({ original }: Pick<SiteLogRecord, 'original'>, publishContacts: boolean): Uint8Array =>
  publishContacts ? original : withholdInFile(original);
