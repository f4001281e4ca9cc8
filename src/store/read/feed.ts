import { crc32 } from 'node:zlib';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { ExportedFeedRow, FeedEntry, SiteOfSetup } from '../../../schemas/index.js';
import { effectiveFromOf, type FeedContent } from '../../derive/feed.js';
import { LONGEST_GAP } from '../../derive/visits.js';
import type { Database, Reads } from '../database.js';
import { allOf, type Dialect } from '../dialect.js';
import { rowsOf, selectFrom } from '../page.js';
import type { RowOf } from '../schema.js';
import { changeConditions, type ChangeFilter, changeMatches } from './changes.js';
import { atSites, recordedSince, type SiteFilter } from './filters.js';
import { SHORTEST_ID } from './sites/ids.js';

/** An entry of the feed. */
export interface FeedRecord
  extends
    FeedContent,
    Pick<FeedEntry, 'kind' | 'recordedAt' | 'effectiveFrom' | 'site' | 'siteLog'> {
  /** The cursor of what comes after it. */
  cursor: string;
  /** The shortest id that identifies the Site now, as in the path of its page. */
  shortestId: string;
}

/** Entries of the feed in the order of recording. */
export interface FeedPage {
  entries: FeedRecord[];
  /** The cursor of what comes after them; null if the feed is empty. */
  next: string | null;
  /** The cursor of what will be recorded; null if the feed is empty. */
  last: string | null;
}

/**
 * Which entries of the feed. Of a new Site, whose entry lists no changes, those count that were
 * recorded with it.
 */
interface FeedFilter extends ChangeFilter {
  sites: SiteFilter;
  /** Only those recorded at this time or later, `YYYY-MM-DDThh:mm:ss.sssZ`; null for no bound. */
  recordedSince: string | null;
}

/** Which entries of the feed, and how many of them. */
interface FeedSearch extends FeedFilter {
  /** Only those after it; null to begin with the first one. */
  cursor: string | null;
  /** How many. */
  size: number;
}

/** What the checksum in a cursor covers, of an event whose document is an entry of the feed. */
type CursorRow = Pick<RowOf<'event'>, 'id' | 'site_id' | 'site_log_id'> & { document: string };

interface FeedRow
  extends CursorRow, Pick<FeedEntry, 'kind' | 'recordedAt'>, Omit<SiteOfSetup, 'name'> {
  shortestId: string;
  siteName: string | null;
  logName: string;
  sha256: string;
  datePrepared: string | null;
}

const CURSOR_COLUMNS = 'event.id, event.site_id, event.site_log_id, event.document';
const FEED = {
  from: 'event',
  where: 'event.document IS NOT NULL',
  source:
    'event JOIN site ON site.id = event.site_id JOIN site_log ON site_log.id = event.site_log_id',
  columns: `${CURSOR_COLUMNS}, event.kind, event.at AS "recordedAt",
    four_character_id AS "fourCharacterId", nine_character_id AS "nineCharacterId",
    ${SHORTEST_ID} AS "shortestId", site.name AS "siteName",
    site_log.name AS "logName", sha256, date_prepared AS "datePrepared"`,
  id: 'event.id',
};

/** The same with the place of the Site. */
type PlacedRow = FeedRow & Pick<ExportedFeedRow['site'], 'latitude' | 'longitude'>;
const PLACED_FEED = { ...FEED, columns: `${FEED.columns}, site.latitude, site.longitude` };

/** The CRC-32 of values. Cursors that clients have recorded depend on it. */
const checksumOf = (values: readonly (string | number)[]): number => crc32(values.join('\0'));

/**
 * A cursor has the number and the checksum of an entry. So a cursor from another database is
 * recognized and refused.
 */
const cursorOf = ({ id, site_id, site_log_id, document }: CursorRow): string =>
  Buffer.from(`${id}.${checksumOf([id, site_id, site_log_id, document])}`).toString('base64url');

/** The number in a cursor; null if the text is not a cursor. */
function numberIn(cursor: string): number | null {
  const [, id] =
    /^(\d{1,15})\.\d{1,10}$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return id === undefined ? null : Number(id);
}

function toFeedRecord(row: FeedRow): FeedRecord {
  const { kind, recordedAt, fourCharacterId, nineCharacterId, shortestId, sha256, datePrepared } =
    row;
  const content = JSON.parse(row.document) as FeedContent;
  return {
    ...content,
    cursor: cursorOf(row),
    shortestId,
    kind,
    recordedAt,
    effectiveFrom: effectiveFromOf(content),
    site: { id: row.site_id, fourCharacterId, nineCharacterId, name: row.siteName },
    siteLog: { name: row.logName, sha256, datePrepared },
  };
}

/** The condition that an entry has a change that a filter selects. */
function hasChange(dialect: Dialect, filter: ChangeFilter): Sql {
  const listed = ['added', 'corrected', 'superseded'].map((list) => {
    const member = (name: string): string => dialect.member('listed.value', name);
    const columns = {
      at: member('at'),
      equipmentType: member('equipmentType'),
      kind: member('kind'),
    };
    const elements = raw(dialect.elements('event.document', ['changes', list], 'listed'));
    const matches = allOf(changeMatches(dialect, columns, filter));
    return sql`EXISTS (SELECT 1 FROM ${elements} WHERE ${matches})`;
  });
  const recorded = allOf(changeConditions(dialect, { ...filter, mergeGaps: LONGEST_GAP }));
  const ofNewSite = sql`(
    NOT EXISTS (
      SELECT 1 FROM event AS earlier
      WHERE earlier.site_id = event.site_id AND earlier.id < event.id)
    AND EXISTS (
      SELECT 1 FROM change
      WHERE change.site_id = event.site_id AND change.recorded_at = event.at AND ${recorded}))`;
  return sql`(${join([...listed, ofNewSite], ' OR ')})`;
}

/** The conditions of a search. */
function conditionsOf(
  dialect: Dialect,
  { from, to, equipmentTypes, kinds, sites, recordedSince: time }: FeedFilter,
): Sql[] {
  const filter = { from, to, equipmentTypes, kinds };
  const isBounded = Object.values(filter).some((bound) => bound !== null);
  return [
    ...atSites(dialect, 'event.site_id', sites),
    ...recordedSince('event.at', time),
    ...(isBounded ? [hasChange(dialect, filter)] : []),
  ];
}

/** The first entries in an order. @throws {PageTooLarge} */
async function entriesOf(
  db: Database,
  conditions: Sql[],
  order: string,
  size: number,
): Promise<FeedRecord[]> {
  const found = await db.all<{ id: number }>(
    sql`${selectFrom(FEED, FEED.id, conditions)} ORDER BY ${raw(order)} LIMIT ${size}`,
  );
  const ids = found.map(({ id }) => id);
  return (await rowsOf<FeedRow>(db, FEED, ids)).map(toFeedRecord);
}

/** The cursor of the last entry that meets conditions; null if there is none. */
async function lastCursor(db: Database, conditions: Sql[] = []): Promise<string | null> {
  const last = await db.get<CursorRow>(
    sql`${selectFrom(FEED, CURSOR_COLUMNS, conditions)} ORDER BY event.id DESC LIMIT 1`,
  );
  return last === undefined ? null : cursorOf(last);
}

/** How many entries an export finds at once. Each is read alone: it may be large. */
const ENTRIES_AT_ONCE = 50;
/** More than the changes of any entry. */
const ROWS_OF_ENTRY = 2 ** 16;

/** The rows of an entry: one for each change, or one for the entry. */
function toRows(row: PlacedRow): ExportedFeedRow[] {
  const { cursor, kind, recordedAt, effectiveFrom, site, siteLog, ...content } = toFeedRecord(row);
  const { changes, setups, isNew, siteChanged } = content;
  const listed = (['added', 'corrected', 'superseded'] as const).flatMap((outcome) =>
    changes[outcome].map((change) => ({ outcome, change })),
  );
  const { fourCharacterId, nineCharacterId, name } = site;
  const { latitude, longitude } = row;
  return (listed.length === 0 ? [{ outcome: null, change: null }] : listed).map(
    ({ outcome, change }, index) => ({
      id: row.id * ROWS_OF_ENTRY + index,
      entry: cursor,
      recordedAt,
      event: kind,
      effectiveFrom,
      siteId: site.id,
      site: { fourCharacterId, nineCharacterId, name, latitude, longitude },
      siteLog: { name: siteLog.name, datePrepared: siteLog.datePrepared },
      isNew,
      siteChanged,
      setupsAdded: setups.added.length,
      setupsSuperseded: setups.superseded.length,
      outcome,
      change,
    }),
  );
}

/** Reads the feed. */
export class Feed {
  constructor(private readonly reads: Reads) {}

  /**
   * The entries after a cursor, or from the first one on; undefined if no entry of this
   * database has the cursor.
   */
  async findAfter(search: FeedSearch): Promise<FeedPage | undefined> {
    const { cursor, size } = search;
    const after = cursor === null ? null : numberIn(cursor);
    if (after === null && cursor !== null) return undefined;
    return this.reads.inOneState(async (db) => {
      if (after !== null && (await lastCursor(db, [sql`event.id = ${after}`])) !== cursor)
        return undefined;
      const conditions = [
        ...(after === null ? [] : [sql`event.id > ${after}`]),
        ...conditionsOf(db.dialect, search),
      ];
      const [entries, last] = await Promise.all([
        entriesOf(db, conditions, 'event.id', size),
        lastCursor(db),
      ]);
      // If there are no more, what comes after these comes after all.
      return { entries, next: entries.length < size ? last : entries.at(-1)!.cursor, last };
    });
  }

  /** The rows of all entries, in the order of recording, in windows. */
  async *readRows(search: FeedFilter): AsyncGenerator<ExportedFeedRow[]> {
    const conditions = conditionsOf(this.reads.dialect, search);
    let after = 0;
    for (;;) {
      const selected = selectFrom(FEED, FEED.id, [sql`event.id > ${after}`, ...conditions]);
      const found = await this.reads.all<{ id: number }>(
        sql`${selected} ORDER BY event.id LIMIT ${ENTRIES_AT_ONCE}`,
      );
      for (const { id } of found) {
        const rows = await rowsOf<PlacedRow>(this.reads, PLACED_FEED, [id]);
        yield rows.flatMap(toRows);
      }
      if (found.length < ENTRIES_AT_ONCE) return;
      after = found.at(-1)!.id;
    }
  }

  /** Any entry; undefined if there is none. */
  findAny(): Promise<FeedRecord | undefined> {
    return this.reads.inOneState(async (db) => (await entriesOf(db, [], 'event.id', 1))[0]);
  }

  /** The entry with a cursor; undefined if no entry of this database has it. */
  async findOne(cursor: string): Promise<FeedRecord | undefined> {
    const id = numberIn(cursor);
    if (id === null) return undefined;
    return this.reads.inOneState(async (db) => {
      const [entry] = await entriesOf(db, [sql`event.id = ${id}`], 'event.id', 1);
      return entry?.cursor === cursor ? entry : undefined;
    });
  }

  /** The newest entries, the newest first. */
  findNewest(search: FeedSearch): Promise<FeedPage> {
    return this.reads.inOneState(async (db) => {
      const [entries, last] = await Promise.all([
        entriesOf(db, conditionsOf(db.dialect, search), 'event.id DESC', search.size),
        lastCursor(db),
      ]);
      return { entries, next: last, last };
    });
  }
}
