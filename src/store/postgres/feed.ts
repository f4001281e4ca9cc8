import { cursorOf, type FeedPage, type FeedReader, parseCursor } from '../feed.js';
import { FEED_COLUMNS, FEED_SOURCE, type FeedRow, toFeedRecord } from '../rows/feed.js';
import type { Reads, Snapshot } from './client.js';
import { isId } from './selection.js';

const AFTER = `SELECT ${FEED_COLUMNS} FROM ${FEED_SOURCE} WHERE feed.id > $1 ORDER BY feed.id LIMIT $2`;
const NEWEST = `SELECT ${FEED_COLUMNS} FROM ${FEED_SOURCE} ORDER BY feed.id DESC LIMIT $1`;
const CHECKSUM = 'SELECT checksum FROM feed WHERE id = $1';
const LAST = 'SELECT id, checksum FROM feed ORDER BY id DESC LIMIT 1';

/** The cursor of what will be recorded; null if the feed is empty. */
async function lastOf(snapshot: Snapshot): Promise<string | null> {
  const last = await snapshot.get<{ id: number; checksum: number }>(LAST);
  return last === undefined ? null : cursorOf(last.id, last.checksum);
}

/** Reads the feed of a PostgreSQL database. */
export class PostgresFeedReader implements FeedReader {
  constructor(private readonly reads: Reads) {}

  async findAfter(cursor: string | null, size: number): Promise<FeedPage | undefined> {
    const after = cursor === null ? { id: 0, checksum: 0 } : parseCursor(cursor);
    if (after === null || !isId(after.id)) return undefined;
    return this.reads.inOneState(async (snapshot) => {
      const [known, rows, last] = await Promise.all([
        snapshot.get<{ checksum: number }>(CHECKSUM, after.id),
        snapshot.all<FeedRow>(AFTER, after.id, size),
        lastOf(snapshot),
      ]);
      if (cursor !== null && known?.checksum !== after.checksum) return undefined;
      const entries = rows.map(toFeedRecord);
      return { entries, next: entries.at(-1)?.cursor ?? cursor, last };
    });
  }

  async findNewest(size: number): Promise<FeedPage> {
    return this.reads.inOneState(async (snapshot) => {
      const [rows, last] = await Promise.all([snapshot.all<FeedRow>(NEWEST, size), lastOf(snapshot)]);
      return { entries: rows.map(toFeedRecord), next: last, last };
    });
  }
}
