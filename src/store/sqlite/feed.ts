import type { FeedEntry } from '../../../schemas/index.js';
import { cursorOf, effectiveFromOf, type FeedContent, type FeedPage, type FeedReader, type FeedRecord, parseCursor } from '../feed.js';
import type { Connection } from './connection.js';

/** A row of `feed` with its event, Site and log. */
interface FeedRow {
  id: number;
  checksum: number;
  document: string;
  kind: string;
  at: string;
  site: number;
  four: string;
  nine: string | null;
  site_name: string | null;
  log_name: string;
  sha256: string;
  date_prepared: string | null;
}

const ROWS = `
  SELECT feed.id, feed.checksum, feed.document, journal.kind, journal.at, feed.site_id AS site, four_character_id AS four,
    nine_character_id AS nine, site.name AS site_name, site_log.name AS log_name, site_log.sha256, site_log.date_prepared
  FROM feed JOIN journal ON journal.id = feed.id JOIN site ON site.id = feed.site_id JOIN site_log ON site_log.id = feed.site_log_id`;
const AFTER = `${ROWS} WHERE feed.id > ? ORDER BY feed.id LIMIT ?`;
const NEWEST = `${ROWS} ORDER BY feed.id DESC LIMIT ?`;
const CHECKSUM = 'SELECT checksum FROM feed WHERE id = ?';
const LAST = 'SELECT id, checksum FROM feed ORDER BY id DESC LIMIT 1';

function toRecord(row: FeedRow): FeedRecord {
  const { baseline, ...content } = JSON.parse(row.document) as FeedContent & { baseline?: true };
  return {
    ...content,
    cursor: cursorOf(row.id, row.checksum),
    kind: baseline === true ? 'baseline' : (row.kind as FeedEntry['kind']),
    recordedAt: row.at,
    effectiveFrom: effectiveFromOf(content),
    site: { id: row.site, fourCharacterId: row.four, nineCharacterId: row.nine, name: row.site_name },
    siteLog: { name: row.log_name, sha256: row.sha256, datePrepared: row.date_prepared },
  };
}

/** Reads the feed of one SQLite file. */
export class SqliteFeedReader implements FeedReader {
  constructor(private readonly connection: Connection) {}

  async findAfter(cursor: string | null, size: number): Promise<FeedPage | undefined> {
    const after = cursor === null ? { id: 0, checksum: 0 } : parseCursor(cursor);
    if (after === null) return undefined;
    return this.connection.inOneTransaction(() => {
      const known = cursor === null || this.connection.get<{ checksum: number }>(CHECKSUM, after.id)?.checksum === after.checksum;
      if (!known) return undefined;
      const entries = this.connection.page<FeedRow>(AFTER, after.id, size).map(toRecord);
      return { entries, next: entries.at(-1)?.cursor ?? cursor, last: this.last() };
    });
  }

  async findNewest(size: number): Promise<FeedPage> {
    return this.connection.inOneTransaction(() => {
      const last = this.last();
      return { entries: this.connection.page<FeedRow>(NEWEST, size).map(toRecord), next: last, last };
    });
  }

  private last(): string | null {
    const last = this.connection.get<{ id: number; checksum: number }>(LAST);
    return last === undefined ? null : cursorOf(last.id, last.checksum);
  }
}
