import type { FeedEntry } from '../../../schemas/index.js';
import { cursorOf, effectiveFromOf, type FeedContent, type FeedRecord } from '../feed.js';

/** A row of `feed` with its event, Site and log. */
export interface FeedRow {
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

/** The columns of a {@link FeedRow}, and what they are read from. */
export const FEED_COLUMNS = `feed.id, feed.checksum, feed.document, journal.kind, journal.at, feed.site_id AS site,
  four_character_id AS four, nine_character_id AS nine, site.name AS site_name, site_log.name AS log_name, site_log.sha256,
  site_log.date_prepared`;
export const FEED_SOURCE =
  'feed JOIN journal ON journal.id = feed.id JOIN site ON site.id = feed.site_id JOIN site_log ON site_log.id = feed.site_log_id';

/** An entry of the feed. */
export function toFeedRecord(row: FeedRow): FeedRecord {
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
