/** The last import, and an index for the date of the newest current log. */
export const lastImport = `
  -- One row: the last import that ended, and how many files had each outcome. AUTOINCREMENT shows that there was one, even if the row is lost.
  CREATE TABLE last_import (
    id          INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id = 1),
    finished_at TEXT NOT NULL,
    saved       INTEGER NOT NULL,
    unchanged   INTEGER NOT NULL,
    outdated    INTEGER NOT NULL,
    rejected    INTEGER NOT NULL,
    skipped     INTEGER NOT NULL,
    -- Of the other columns, since no log says the same.
    checksum    INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX site_log_by_date ON site_log (date_prepared) WHERE superseded_at IS NULL;
`;
