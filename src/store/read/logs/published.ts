import sql, { raw } from 'sql-template-tag';
import type { SiteLogSections } from '../../../../schemas/index.js';
import { SiteLogRejected } from '../../../findings/findings.js';
import { ownTurn } from '../../../turns.js';
import type { Reads } from '../../database.js';
import type { RowOf } from '../../schema.js';
import type { LogText, PublishedParts, PublishedRow } from './stored-texts.js';

/** A log with its content, to read it as it is published. */
type StoredLog = Pick<RowOf<'site_log'>, 'name' | 'form' | 'original'>;

/** Makes a log of what is stored. Its tables take memory, so it is loaded with the first log. */
const texts = () => import('./stored-texts.js');

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
    const { storedText } = await texts();
    const stored = new Map(rows.map((row) => [row.id, storedText(row, parts)]));
    const found = new Map<number, LogText>();
    for (const id of ids) found.set(id, stored.get(id) ?? (await this.readText(id, parts)));
    return found;
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
    const { textOf } = await texts();
    return textOf(readPublished(await this.storedLog(id), parts.publishContacts), parts);
  }

  private async storedSections(
    id: number,
    publishContacts: boolean,
  ): Promise<SiteLogSections | undefined> {
    const row = await this.reads.get<Pick<PublishedRow, 'version' | 'sections'>>(
      sql`SELECT version, sections FROM published_log WHERE site_log_id = ${id}`,
    );
    const { storedSections } = await texts();
    return storedSections(row, publishContacts);
  }

  private async storedLog(id: number): Promise<StoredLog> {
    return (await this.reads.get<StoredLog>(
      sql`SELECT name, form, original FROM site_log WHERE id = ${id}`,
    ))!;
  }
}
