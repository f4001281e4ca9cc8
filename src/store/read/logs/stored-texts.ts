import type { SiteLogSections } from '../../../../schemas/index.js';
import { withheldSections } from '../../../site-log/contacts/withhold.js';
import { contentText } from '../../../site-log/published-content.js';
import { contentIn, sectionsIn, writeSections } from '../../../site-log/published-log.js';
import type { RowOf } from '../../schema.js';

/** Makes the JSON and the sections of a log of what is stored. */

/** Which parts of logs are published. */
export interface PublishedParts {
  publishContacts: boolean;
  /** Whether each value as written is sent, too. */
  isWritten: boolean;
}

/** A log as JSON. */
export interface LogText {
  /** The content, with the ids left out. */
  content: string;
  /** The sections with each value as written; null if they were not asked for. */
  written: string | null;
}

export type PublishedRow = Pick<RowOf<'published_log'>, 'version' | 'content' | 'sections'>;

/** A log as JSON, made of its sections. */
export const textOf = (sections: SiteLogSections, { isWritten }: PublishedParts): LogText => ({
  content: contentText(sections),
  written: isWritten ? writeSections(sections) : null,
});

/**
 * The sections of a log, as far as they are published; undefined if this version cannot read it.
 */
export function storedSections(
  row: Pick<PublishedRow, 'version' | 'sections'> | undefined,
  publishContacts: boolean,
): SiteLogSections | undefined {
  const complete = row && sectionsIn(row);
  return complete === undefined || publishContacts ? complete : withheldSections(complete);
}

/** A log as JSON, as it is stored; undefined if this version cannot read it. */
export function storedText(row: PublishedRow, parts: PublishedParts): LogText | undefined {
  if (parts.publishContacts) {
    const complete = sectionsIn(row);
    return complete && textOf(complete, parts);
  }
  const content = contentIn(row);
  if (content === undefined) return undefined;
  if (!parts.isWritten) return { content, written: null };
  const sections = storedSections(row, false);
  return sections && { content, written: writeSections(sections) };
}
