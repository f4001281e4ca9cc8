/**
 * The Sites, their logs, Setups, devices and changes.
 *
 * Two times are separate: when something was in effect at the Site (`effective_*`, `period_*`), and when this service
 * recorded it and, once a newer log said otherwise, superseded it (`recorded_at`, `superseded_at`).
 */
export const tables = `
  CREATE TABLE site (
    id                      INTEGER PRIMARY KEY,
    four_character_id       TEXT NOT NULL UNIQUE CHECK (length(four_character_id) = 4 AND four_character_id = upper(four_character_id)),
    nine_character_id       TEXT,
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
    elevation               REAL
  ) STRICT;

  -- Every accepted log, with its original content. The one without superseded_at is the current log of its site.
  CREATE TABLE site_log (
    id            INTEGER PRIMARY KEY,
    site_id       INTEGER NOT NULL REFERENCES site (id),
    name          TEXT NOT NULL,
    sha256        TEXT NOT NULL,
    form          TEXT NOT NULL,
    date_prepared TEXT,
    imported_at   TEXT NOT NULL,
    superseded_at TEXT,
    original      BLOB NOT NULL,
    UNIQUE (site_id, sha256)
  ) STRICT;
  CREATE UNIQUE INDEX site_log_holding ON site_log (site_id) WHERE superseded_at IS NULL;

  CREATE TABLE finding (
    site_log_id INTEGER NOT NULL REFERENCES site_log (id),
    position    INTEGER NOT NULL,
    line        INTEGER NOT NULL,
    level       TEXT NOT NULL,
    message     TEXT NOT NULL,
    text        TEXT NOT NULL,
    PRIMARY KEY (site_log_id, position)
  ) STRICT, WITHOUT ROWID;

  -- A Setup is valid while it has no superseded_at, and current while it also has no effective_to.
  -- equipment_in_use is the member of the contract as JSON; site_log_id is the log that first said so.
  CREATE TABLE setup (
    id               INTEGER PRIMARY KEY,
    site_id          INTEGER NOT NULL REFERENCES site (id),
    site_log_id      INTEGER NOT NULL REFERENCES site_log (id),
    effective_from   TEXT NOT NULL,
    effective_to     TEXT CHECK (effective_to > effective_from),
    recorded_at      TEXT NOT NULL,
    superseded_at    TEXT,
    equipment_in_use TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX setup_valid ON setup (site_id, effective_from) WHERE superseded_at IS NULL;
  CREATE UNIQUE INDEX setup_current ON setup (site_id) WHERE superseded_at IS NULL AND effective_to IS NULL;
  CREATE INDEX setup_of_site ON setup (site_id, effective_from);

  -- One device. identity is a JSON array: kind, type and serial number; without a serial number also its site and start.
  -- document is the content.id of the contract as JSON; the other columns repeat what searches need.
  -- listed: a valid Setup includes the device, so it is in the catalogue.
  CREATE TABLE equipment (
    id             INTEGER PRIMARY KEY,
    identity       TEXT NOT NULL UNIQUE,
    equipment_type TEXT NOT NULL,
    type           TEXT,
    serial_number  TEXT,
    document       TEXT NOT NULL,
    listed         INTEGER NOT NULL DEFAULT 0 CHECK (listed IN (0, 1))
  ) STRICT;
  CREATE INDEX equipment_of_type ON equipment (equipment_type, type) WHERE listed = 1;
  CREATE INDEX equipment_of_serial_number ON equipment (serial_number) WHERE listed = 1;

  -- One device in use at one site in one configuration; configuration is the member of the contract as JSON.
  CREATE TABLE installation (
    id            INTEGER PRIMARY KEY,
    site_id       INTEGER NOT NULL REFERENCES site (id),
    equipment_id  INTEGER NOT NULL REFERENCES equipment (id),
    site_log_id   INTEGER NOT NULL REFERENCES site_log (id),
    period_from   TEXT NOT NULL,
    period_to     TEXT CHECK (period_to > period_from),
    recorded_at   TEXT NOT NULL,
    superseded_at TEXT,
    configuration TEXT NOT NULL
  ) STRICT;
  CREATE INDEX installation_of_equipment ON installation (equipment_id, superseded_at);
  CREATE INDEX installation_at_site ON installation (site_id) WHERE superseded_at IS NULL;

  -- One change at a site. kind_position orders the kinds of equipment as in a Setup; document is the derived change as JSON.
  CREATE TABLE change (
    id             INTEGER PRIMARY KEY,
    site_id        INTEGER NOT NULL REFERENCES site (id),
    at             TEXT NOT NULL,
    equipment_type TEXT NOT NULL,
    kind_position  INTEGER NOT NULL,
    recorded_at    TEXT NOT NULL,
    superseded_at  TEXT,
    document       TEXT NOT NULL
  ) STRICT;
  CREATE INDEX change_at ON change (at, site_id, kind_position) WHERE superseded_at IS NULL;
  CREATE INDEX change_at_site ON change (site_id, at, kind_position) WHERE superseded_at IS NULL;
`;
