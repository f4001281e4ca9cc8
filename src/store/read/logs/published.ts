import sql, { raw } from 'sql-template-tag';
import type { SiteLogSections } from '../../../../schemas/index.js';
import { contentText } from '../../../site-log/published-content.js';
import { contentIn, sectionsIn, writeSections } from '../../../site-log/published-log.js';
import { withheldSections } from '../../../site-log/contacts/withhold.js';
import { SiteLogRejected } from '../../../findings/findings.js';
import { ownTurn } from '../../../turns.js';
import type { Reads } from '../../database.js';
import type { RowOf } from '../../schema.js';

/** Which parts of logs are published. */
interface PublishedParts {
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

/** A log with its content, to read it as it is published. */
type StoredLog = Pick<RowOf<'site_log'>, 'name' | 'form' | 'original'>;
type PublishedRow = Pick<RowOf<'published_log'>, 'version' | 'content' | 'sections'>;

/** A log as JSON, made of its sections. */
const textOf = (sections: SiteLogSections, { isWritten }: PublishedParts): LogText => ({
  content: contentText(sections),
  written: isWritten ? writeSections(sections) : null,
});

/**
 * The sections of a log, as far as they are published; undefined if this version cannot read it.
 */
function storedSections(
  row: Pick<PublishedRow, 'version' | 'sections'> | undefined,
  publishContacts: boolean,
): SiteLogSections | undefined {
  const complete = row && sectionsIn(row);
  return complete === undefined || publishContacts ? complete : withheldSections(complete);
}

/** A log as JSON, as it is stored; undefined if this version cannot read it. */
function storedText(row: PublishedRow, parts: PublishedParts): LogText | undefined {
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

/** What reads logs again: few services need it, so it is loaded with the first such log. */
const reader = () => import('../../../site-log/read-published.js');

/**
 * Reads what is published of logs. It was stored when they were imported; a log of which this
 * version cannot read that is read again, which takes milliseconds.
 */
export class PublishedLogs {
  constructor(private readonly reads: Reads) {}

  /** Some logs as JSON, by their numbers. */
  async findTexts(ids: readonly number[], parts: PublishedParts): Promise<Map<number, LogText>> {
    const columns = parts.publishContacts || parts.isWritten ? 'content, sections' : 'content';
    const rows = await this.reads.all<PublishedRow & { id: number }>(sql`
      SELECT site_log_id AS id, version, ${raw(columns)} FROM published_log
      WHERE ${this.reads.dialect.isOneOf('site_log_id', ids)}`);
    const stored = new Map(rows.map((row) => [row.id, storedText(row, parts)]));
    const texts = new Map<number, LogText>();
    for (const id of ids) texts.set(id, stored.get(id) ?? (await this.readText(id, parts)));
    return texts;
  }

  /** The sections of a log, as far as they are published; blank if it cannot be read. */
  async findSections(id: number, publishContacts: boolean): Promise<SiteLogSections> {
    const stored = await this.storedSections(id, publishContacts);
    if (stored !== undefined) return stored;
    const { readPublished } = await reader();
    return readPublished(await this.storedLog(id), publishContacts);
  }

  /** The sections of a log with its contacts, to compare it; undefined if it cannot be read. */
  async findComplete(id: number): Promise<SiteLogSections | undefined> {
    const stored = await this.storedSections(id, true);
    if (stored !== undefined) return stored;
    try {
      const { readStored } = await reader();
      return readStored(await this.storedLog(id), true);
    } catch (error) {
      if (error instanceof SiteLogRejected) return undefined;
      throw error;
    }
  }

  private async readText(id: number, parts: PublishedParts): Promise<LogText> {
    await ownTurn();
    const { readPublished } = await reader();
    return textOf(readPublished(await this.storedLog(id), parts.publishContacts), parts);
  }

  private async storedSections(
    id: number,
    publishContacts: boolean,
  ): Promise<SiteLogSections | undefined> {
    const row = await this.reads.get<Pick<PublishedRow, 'version' | 'sections'>>(
      sql`SELECT version, sections FROM published_log WHERE site_log_id = ${id}`,
    );
    return storedSections(row, publishContacts);
  }

  private async storedLog(id: number): Promise<StoredLog> {
    return (await this.reads.get<StoredLog>(
      sql`SELECT name, form, original FROM site_log WHERE id = ${id}`,
    ))!;
  }
}
