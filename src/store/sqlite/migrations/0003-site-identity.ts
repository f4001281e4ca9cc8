import type { Database } from 'better-sqlite3';

/**
 * A Site is identified by nine characters where they are known; two Sites may have the same four. Logs can be withdrawn,
 * and Sites retired and renamed. Foreign keys must be off, because SQLite can drop a UNIQUE only by rebuilding the table.
 */
const TABLES = `
  CREATE TABLE new_site (
    id                      INTEGER PRIMARY KEY,
    four_character_id       TEXT NOT NULL CHECK (length(four_character_id) = 4 AND four_character_id = upper(four_character_id)),
    nine_character_id       TEXT UNIQUE CHECK (substr(nine_character_id, 1, 4) = four_character_id),
    name                    TEXT,
    domes_number            TEXT,
    date_installed          TEXT,
    monument_description    TEXT,
    monument_foundation     TEXT,
    monument_height         REAL,
    marker_description      TEXT,
    geologic_characteristic TEXT,
    bedrock_type            TEXT,
    notes                   TEXT,
    city                    TEXT,
    state                   TEXT,
    country                 TEXT,
    latitude                REAL,
    longitude               REAL,
    elevation               REAL,
    -- When the Site was retired: its Setups are superseded, and lookups of now do not find it.
    retired_at              TEXT
  ) STRICT;
  INSERT INTO new_site SELECT *, NULL FROM site;
  DROP TABLE site;
  ALTER TABLE new_site RENAME TO site;
  CREATE INDEX site_of_four_characters ON site (four_character_id);

  -- The ids that Sites had before they were renamed, of four and of nine characters.
  CREATE TABLE site_rename (
    former_id  TEXT PRIMARY KEY,
    site_id    INTEGER NOT NULL REFERENCES site (id),
    renamed_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- A withdrawn log is never current. A log that was older than the current one when it came is superseded from the start.
  ALTER TABLE site_log ADD COLUMN withdrawn_at TEXT;
`;

/** The nine-character id that a GeodesyML document gives as the `gml:id` of its root element. */
const DOCUMENT_ID = /<(?:\w+:)?GeodesyML\b[^>]*?\bgml:id\s*=\s*["']([A-Z0-9_]{4}\d{2}[A-Z]{3})["']/i;

/** Reads the nine-character ids that earlier versions did not read. The next import would do so too, but too late for a log of another Site. */
function readDocumentIds(db: Database): void {
  const logs = db.prepare<[], { site: number; four: string; original: Buffer }>(
    `SELECT site.id AS site, four_character_id AS four, substr(original, 1, 4000) AS original
     FROM site JOIN site_log ON site_log.site_id = site.id AND superseded_at IS NULL
     WHERE nine_character_id IS NULL AND form LIKE 'GeodesyML%'`,
  );
  const save = db.prepare('UPDATE site SET nine_character_id = ? WHERE id = ?');
  for (const { site, four, original } of logs.all()) {
    const id = DOCUMENT_ID.exec(original.toString('latin1'))?.[1]?.toUpperCase();
    if (id?.slice(0, 4) === four) save.run(id, site);
  }
}

/** Identifies devices without a serial number by the number of their Site, which never changes, instead of its four characters. */
function rekeyDevices(db: Database): void {
  const sites = new Map(
    db
      .prepare<[], { id: number; four: string }>('SELECT id, four_character_id AS four FROM site')
      .all()
      .map(({ id, four }) => [four, id]),
  );
  const save = db.prepare('UPDATE equipment SET identity = ? WHERE id = ?');
  for (const { id, identity } of db.prepare<[], { id: number; identity: string }>('SELECT id, identity FROM equipment').all()) {
    const [kind, type, none, four, ...rest] = JSON.parse(identity) as unknown[];
    if (rest.length === 2) save.run(JSON.stringify([kind, type, none, ...rest, sites.get(four as string)]), id);
  }
}

/** Rebuilds the table of Sites, with the same ids. */
export function siteIdentity(db: Database): void {
  db.exec(TABLES);
  readDocumentIds(db);
  rekeyDevices(db);
  if ((db.pragma('foreign_key_check') as unknown[]).length > 0) throw new Error('a row refers to a Site that does not exist');
}
