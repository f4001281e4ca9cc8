import sql, { raw, type Sql } from 'sql-template-tag';
import type { FeedChange, FeedEntry, Instant, Period } from '../../../schemas/index.js';
import type { Database, Reads } from '../database.js';
import { rowsOf, selectFrom } from '../page.js';
import type { RowOf } from '../schema.js';
import { checksumOf } from '../save/checksums.js';

/** A Setup as the feed shows it. */
export interface FeedSetup {
  id: number;
  effectivePeriod: Period;
}

/** What an import or correction changed, as the store keeps it. */
export interface FeedContent {
  isNew: boolean;
  siteChanged: boolean;
  setups: { added: FeedSetup[]; superseded: FeedSetup[] };
  changes: { added: FeedChange[]; superseded: FeedChange[] };
}

/** An entry of the feed. */
export interface FeedRecord extends FeedContent, Pick<FeedEntry, 'kind' | 'recordedAt' | 'effectiveFrom' | 'site' | 'siteLog'> {
  /** The cursor of what comes after it. */
  cursor: string;
}

/** Entries of the feed in the order of recording. */
export interface FeedPage {
  entries: FeedRecord[];
  /** The cursor of what comes after them; null if the feed is empty. */
  next: string | null;
  /** The cursor of what will be recorded; null if the feed is empty. */
  last: string | null;
}

/** What the checksum in a cursor covers, of an event whose document is an entry of the feed. */
type CursorRow = Pick<RowOf<'event'>, 'id' | 'site_id' | 'site_log_id'> & { document: string };

interface FeedRow extends CursorRow, Pick<FeedEntry, 'kind' | 'recordedAt'> {
  fourCharacterId: string;
  nineCharacterId: string | null;
  siteName: string | null;
  logName: string;
  sha256: string;
  datePrepared: string | null;
}

const CURSOR_COLUMNS = 'event.id, event.site_id, event.site_log_id, event.document';
const FEED = {
  from: 'event',
  where: 'event.document IS NOT NULL',
  source: 'event JOIN site ON site.id = event.site_id JOIN site_log ON site_log.id = event.site_log_id',
  columns: `${CURSOR_COLUMNS}, event.kind, event.at AS "recordedAt", four_character_id AS "fourCharacterId",
    nine_character_id AS "nineCharacterId", site.name AS "siteName", site_log.name AS "logName", sha256, date_prepared AS "datePrepared"`,
  id: 'event.id',
};

const checksumOfEntry = ({ id, site_id, site_log_id, document }: CursorRow): number => checksumOf([id, site_id, site_log_id, document]);

/** A cursor has the number and the checksum of an entry. So a cursor from another database is recognized and refused. */
const cursorOf = (row: CursorRow): string => Buffer.from(`${row.id}.${checksumOfEntry(row)}`).toString('base64url');

/** The number and checksum in a cursor; null if the text is none. */
function parseCursor(cursor: string): { id: number; checksum: number } | null {
  const parts = /^(\d{1,15})\.(\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  return parts === null ? null : { id: Number(parts[1]), checksum: Number(parts[2]) };
}

/** The earliest time from which the equipment differs; null if it does not. */
function effectiveFromOf({ isNew, setups, changes }: FeedContent): Instant | null {
  const times = [...changes.added, ...changes.superseded].map(({ at }) => at);
  if (isNew || times.length === 0)
    times.push(...[...setups.added, ...setups.superseded].map(({ effectivePeriod }) => effectivePeriod.from));
  return times.sort()[0] ?? null;
}

function toFeedRecord({ kind, recordedAt, fourCharacterId, nineCharacterId, sha256, datePrepared, ...row }: FeedRow): FeedRecord {
  const content = JSON.parse(row.document) as FeedContent;
  return {
    ...content,
    cursor: cursorOf(row),
    kind,
    recordedAt,
    effectiveFrom: effectiveFromOf(content),
    site: { id: row.site_id, fourCharacterId, nineCharacterId, name: row.siteName },
    siteLog: { name: row.logName, sha256, datePrepared },
  };
}

/** The first entries in an order. @throws {PageTooLarge} */
async function entriesOf(db: Database, conditions: Sql[], order: string, size: number): Promise<FeedRecord[]> {
  const found = await db.all<{ id: number }>(sql`${selectFrom(FEED, FEED.id, conditions)} ORDER BY ${raw(order)} LIMIT ${size}`);
  const ids = found.map(({ id }) => id);
  return (await rowsOf<FeedRow>(db, FEED, ids)).map(toFeedRecord);
}

/** Whether an entry with a number and a checksum is in the feed. */
async function hasEntry(db: Database, { id, checksum }: { id: number; checksum: number }): Promise<boolean> {
  const row = await db.get<CursorRow>(sql`SELECT ${raw(CURSOR_COLUMNS)} FROM event WHERE id = ${id} AND document IS NOT NULL`);
  return row !== undefined && checksumOfEntry(row) === checksum;
}

/** The cursor of what will be recorded; null if the feed is empty. */
async function lastOf(db: Database): Promise<string | null> {
  const last = await db.get<CursorRow>(sql`SELECT ${raw(CURSOR_COLUMNS)} FROM event WHERE document IS NOT NULL ORDER BY id DESC LIMIT 1`);
  return last === undefined ? null : cursorOf(last);
}

/** Reads the feed. */
export class Feed {
  constructor(private readonly reads: Reads) {}

  /** The entries after a cursor, or from the first one on; undefined if the cursor is of no entry of this database. */
  async findAfter(cursor: string | null, size: number): Promise<FeedPage | undefined> {
    const after = cursor === null ? null : parseCursor(cursor);
    if (after === null && cursor !== null) return undefined;
    return this.reads.inOneState(async (db) => {
      if (after !== null && !(await hasEntry(db, after))) return undefined;
      const conditions = after === null ? [] : [sql`event.id > ${after.id}`];
      const [entries, last] = await Promise.all([entriesOf(db, conditions, 'event.id', size), lastOf(db)]);
      return { entries, next: entries.at(-1)?.cursor ?? cursor, last };
    });
  }

  /** The newest entries, the newest first. */
  findNewest(size: number): Promise<FeedPage> {
    return this.reads.inOneState(async (db) => {
      const [entries, last] = await Promise.all([entriesOf(db, [], 'event.id DESC', size), lastOf(db)]);
      return { entries, next: last, last };
    });
  }
}
