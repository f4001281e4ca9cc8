import type { SiteLogSections } from '../../schemas/index.js';
import type { KnownPersons } from '../site-log/known-persons.js';
import { blankSections, readSections } from '../site-log/read-sections.js';
import { Findings, type SiteLogForm, SiteLogRejected } from '../site-log/site-log.js';
import { withheldSections } from '../site-log/withhold.js';
import { personalTextsIn, withholdInFile } from '../site-log/withhold-file.js';
import type { SiteLogRecord } from '../store/read/logs.js';
import type { Store } from '../store/store.js';

/** Reads a stored log; one that this version cannot read, because it is damaged for example, is blank. */
function readStored({ name, form, original }: Pick<SiteLogRecord, 'name' | 'form' | 'original'>): SiteLogSections {
  try {
    return readSections(original, new Findings(name));
  } catch (error) {
    if (!(error instanceof SiteLogRejected)) throw error;
    return blankSections(form as SiteLogForm);
  }
}

/** The persons known from all logs, to withhold them in another; null if contacts are published. */
export const withheldPersons = async (store: Store, publishContacts: boolean): Promise<KnownPersons | null> =>
  publishContacts ? null : store.knownPersons();

/**
 * Reads a stored log, section by section, as it may be published. This takes milliseconds: between two logs, let other requests run.
 * @param withheld the persons known from all logs; null publishes contacts
 */
export function readPublished(record: Pick<SiteLogRecord, 'name' | 'form' | 'original'>, withheld: KnownPersons | null): SiteLogSections {
  const log = readStored(record);
  return withheld === null ? log : withheldSections(log, personalTextsIn(record.original, log, withheld));
}

/**
 * The content of a stored log as it may be published: unchanged where it has no personal data. This takes as long as reading it.
 * @param withheld the persons known from all logs; null publishes contacts
 */
export const publishedOriginal = ({ original }: Pick<SiteLogRecord, 'original'>, withheld: KnownPersons | null): Uint8Array =>
  withheld === null ? original : withholdInFile(original, withheld);
