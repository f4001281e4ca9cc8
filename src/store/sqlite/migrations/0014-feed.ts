import { crc32 } from 'node:zlib';
import type { Database } from 'better-sqlite3';

/** The feed: what each event of the journal changed. */
const TABLE = `
  -- id is the number of the event in the journal; events that changed no content have no row. site_log_id is the log that
  -- the record of the Site followed afterwards. document is what changed, as JSON; baseline in it: what was on record
  -- before there was a feed, at the last event of the Site before that.
  CREATE TABLE feed (
    id          INTEGER PRIMARY KEY,
    site_id     INTEGER NOT NULL,
    site_log_id INTEGER NOT NULL,
    document    TEXT NOT NULL,
    checksum    INTEGER NOT NULL
  ) STRICT;
`;

/** Sites with their last event, the current log, and the valid Setups as JSON. */
const SITES = `
  SELECT last.id, site.id AS site, site_log.id AS log,
    (SELECT json_group_array(json_object('id', id, 'effectivePeriod', json_object('from', effective_from, 'to', effective_to)))
     FROM (SELECT id, effective_from, effective_to FROM setup WHERE setup.site_id = site.id AND superseded_at IS NULL ORDER BY effective_from)
    ) AS setups
  FROM (SELECT site_id, max(id) AS id FROM journal GROUP BY site_id) AS last JOIN site ON site.id = last.site_id
  JOIN site_log ON site_log.site_id = site.id AND site_log.superseded_at IS NULL WHERE retired_at IS NULL`;

/** Adds the feed, with what is on record. */
export function feed(db: Database): void {
  db.exec(TABLE);
  const add = db.prepare('INSERT INTO feed (id, site_id, site_log_id, document, checksum) VALUES (?, ?, ?, ?, ?)');
  for (const { id, site, log, setups } of db.prepare<[], { id: number; site: number; log: number; setups: string }>(SITES).all()) {
    const document = `{"baseline":true,"isNew":true,"siteChanged":true,"setups":{"added":${setups},"superseded":[]},"changes":{"added":[],"superseded":[]}}`;
    add.run(id, site, log, document, crc32([id, site, log, document].join('\0')));
  }
}
