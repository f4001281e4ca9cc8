import { cursorOf, type FeedPage, type FeedReader, parseCursor } from '../feed.js';
import { FEED_COLUMNS, FEED_SOURCE, type FeedRow, toFeedRecord } from '../rows/feed.js';
import type { Connection } from './connection.js';

const AFTER = `SELECT ${FEED_COLUMNS} FROM ${FEED_SOURCE} WHERE feed.id > ? ORDER BY feed.id LIMIT ?`;
const NEWEST = `SELECT ${FEED_COLUMNS} FROM ${FEED_SOURCE} ORDER BY feed.id DESC LIMIT ?`;
const CHECKSUM = 'SELECT checksum FROM feed WHERE id = ?';
const LAST = 'SELECT id, checksum FROM feed ORDER BY id DESC LIMIT 1';

/** Reads the feed of one SQLite file. */
export class SqliteFeedReader implements FeedReader {
  constructor(private readonly connection: Connection) {}

  async findAfter(cursor: string | null, size: number): Promise<FeedPage | undefined> {
    const after = cursor === null ? { id: 0, checksum: 0 } : parseCursor(cursor);
    if (after === null) return undefined;
    return this.connection.inOneTransaction(() => {
      const known = cursor === null || this.connection.get<{ checksum: number }>(CHECKSUM, after.id)?.checksum === after.checksum;
      if (!known) return undefined;
      const entries = this.connection.page<FeedRow>(AFTER, after.id, size).map(toFeedRecord);
      return { entries, next: entries.at(-1)?.cursor ?? cursor, last: this.last() };
    });
  }

  async findNewest(size: number): Promise<FeedPage> {
    return this.connection.inOneTransaction(() => {
      const last = this.last();
      return { entries: this.connection.page<FeedRow>(NEWEST, size).map(toFeedRecord), next: last, last };
    });
  }

  private last(): string | null {
    const last = this.connection.get<{ id: number; checksum: number }>(LAST);
    return last === undefined ? null : cursorOf(last.id, last.checksum);
  }
}
