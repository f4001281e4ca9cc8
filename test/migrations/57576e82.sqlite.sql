PRAGMA application_id = 1196315475;
CREATE TABLE gnss_site_setups (migration INTEGER NOT NULL, text_version INTEGER NOT NULL) STRICT;
CREATE TABLE site (
  id INTEGER NOT NULL,
  four_character_id TEXT NOT NULL,
  nine_character_id TEXT,
  name TEXT,
  domes_number TEXT,
  date_installed TEXT,
  monument_description TEXT,
  monument_foundation TEXT,
  marker_description TEXT,
  geologic_characteristic TEXT,
  bedrock_type TEXT,
  notes TEXT,
  city TEXT,
  state TEXT,
  country TEXT,
  country_code TEXT,
  agency TEXT,
  monument_height REAL,
  latitude REAL,
  longitude REAL,
  elevation REAL,
  x REAL,
  y REAL,
  z REAL,
  retired_at TEXT,
  former_ids TEXT NOT NULL,
  last_event INTEGER NOT NULL,
  CONSTRAINT site_pkey PRIMARY KEY (id),
  CONSTRAINT site_four_character_id_check CHECK (length(four_character_id) = 4 AND four_character_id = upper(four_character_id)),
  CONSTRAINT site_nine_character_id_key UNIQUE (nine_character_id),
  CONSTRAINT site_nine_character_id_check CHECK (substr(nine_character_id, 1, 4) = four_character_id)
) STRICT;
CREATE INDEX site_of_four_characters ON site (four_character_id, nine_character_id, retired_at);
CREATE INDEX site_of_country ON site (country_code);
CREATE INDEX site_of_agency ON site (agency);
CREATE INDEX site_by_position ON site (latitude, longitude);
CREATE TABLE site_identity (
  id INTEGER NOT NULL,
  site_id INTEGER NOT NULL,
  role TEXT NOT NULL,
  four_character_id TEXT NOT NULL,
  nine_character_id TEXT,
  nine_given_by TEXT,
  retired_at TEXT,
  content TEXT,
  recorded_at TEXT NOT NULL,
  superseded_at TEXT,
  CONSTRAINT site_identity_pkey PRIMARY KEY (id),
  CONSTRAINT site_identity_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id),
  CONSTRAINT site_identity_role_check CHECK (role IN ('present', 'former')),
  CONSTRAINT site_identity_nine_character_id_check CHECK (substr(nine_character_id, 1, 4) = four_character_id),
  CONSTRAINT site_identity_nine_given_by_check CHECK (nine_given_by IN ('log', 'operator'))
) STRICT;
CREATE UNIQUE INDEX site_identity_present ON site_identity (site_id) WHERE superseded_at IS NULL AND role = 'present';
CREATE INDEX site_identity_of_site ON site_identity (site_id, superseded_at);
CREATE INDEX site_identity_of_four_characters ON site_identity (four_character_id, superseded_at, role, site_id);
CREATE TABLE site_summary (
  site_id INTEGER NOT NULL,
  receivers TEXT,
  antennas TEXT,
  since TEXT,
  search_text TEXT NOT NULL,
  former_text TEXT NOT NULL,
  CONSTRAINT site_summary_pkey PRIMARY KEY (site_id),
  CONSTRAINT site_summary_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id)
) STRICT;
CREATE TABLE site_log (
  id INTEGER NOT NULL,
  site_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  form TEXT NOT NULL,
  given_id TEXT NOT NULL,
  imported_at TEXT NOT NULL,
  agency TEXT,
  date_prepared TEXT,
  superseded_at TEXT,
  withdrawn_at TEXT,
  original BLOB NOT NULL,
  CONSTRAINT site_log_pkey PRIMARY KEY (id),
  CONSTRAINT site_log_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id)
) STRICT;
CREATE UNIQUE INDEX site_log_of_content ON site_log (site_id, sha256);
CREATE UNIQUE INDEX site_log_current ON site_log (site_id) WHERE superseded_at IS NULL;
CREATE INDEX site_log_by_date ON site_log (date_prepared) WHERE superseded_at IS NULL;
CREATE TABLE finding (
  site_log_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  line INTEGER NOT NULL,
  last_line INTEGER,
  section TEXT,
  level TEXT NOT NULL,
  code TEXT NOT NULL,
  message TEXT NOT NULL,
  text TEXT NOT NULL,
  CONSTRAINT finding_pkey PRIMARY KEY (site_log_id, position),
  CONSTRAINT finding_site_log_id_fkey FOREIGN KEY (site_log_id) REFERENCES site_log (id)
) STRICT;
CREATE INDEX finding_of_code ON finding (code, level, site_log_id);
CREATE TABLE setup (
  id INTEGER NOT NULL,
  site_id INTEGER NOT NULL,
  site_log_id INTEGER NOT NULL,
  effective_from TEXT NOT NULL,
  effective_to TEXT,
  recorded_at TEXT NOT NULL,
  superseded_at TEXT,
  equipment_in_use TEXT NOT NULL,
  CONSTRAINT setup_pkey PRIMARY KEY (id),
  CONSTRAINT setup_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id),
  CONSTRAINT setup_site_log_id_fkey FOREIGN KEY (site_log_id) REFERENCES site_log (id),
  CONSTRAINT setup_effective_to_check CHECK (effective_to > effective_from)
) STRICT;
CREATE UNIQUE INDEX setup_valid ON setup (site_id, effective_from) WHERE superseded_at IS NULL;
CREATE UNIQUE INDEX setup_current ON setup (site_id) WHERE superseded_at IS NULL AND effective_to IS NULL;
CREATE INDEX setup_of_site ON setup (site_id, effective_from, superseded_at, effective_to, id, recorded_at);
CREATE INDEX setup_of_log ON setup (site_log_id);
CREATE INDEX setup_by_id ON setup (id, superseded_at, effective_to);
CREATE INDEX setup_by_start ON setup (effective_from, id, superseded_at, effective_to, site_id, recorded_at);
CREATE INDEX setup_by_end ON setup (effective_to, id, superseded_at, recorded_at);
CREATE INDEX setup_recorded ON setup (recorded_at, id, superseded_at, effective_to);
CREATE TABLE equipment (
  id INTEGER NOT NULL,
  equipment_type TEXT NOT NULL,
  type TEXT,
  serial_number TEXT,
  serial_key TEXT,
  manufacturer TEXT,
  aspiration TEXT,
  listed INTEGER NOT NULL,
  in_use INTEGER NOT NULL,
  conflicting INTEGER NOT NULL,
  identity TEXT NOT NULL,
  search_text TEXT NOT NULL,
  document TEXT NOT NULL,
  CONSTRAINT equipment_pkey PRIMARY KEY (id),
  CONSTRAINT equipment_listed_check CHECK (listed IN (0, 1)),
  CONSTRAINT equipment_in_use_check CHECK (in_use IN (0, 1)),
  CONSTRAINT equipment_conflicting_check CHECK (conflicting IN (0, 1))
) STRICT;
CREATE INDEX equipment_of_kind ON equipment (equipment_type, id) WHERE listed = 1;
CREATE INDEX equipment_of_type ON equipment (equipment_type, type, id) WHERE listed = 1;
CREATE INDEX equipment_of_serial_number ON equipment (serial_key, id, equipment_type) WHERE listed = 1;
CREATE INDEX equipment_by_serial_number ON equipment (serial_number, id, equipment_type) WHERE listed = 1;
CREATE INDEX equipment_by_manufacturer ON equipment (manufacturer, id, equipment_type) WHERE listed = 1;
CREATE INDEX equipment_by_words ON equipment (equipment_type, search_text, id) WHERE listed = 1;
CREATE TABLE installation (
  id INTEGER NOT NULL,
  site_id INTEGER NOT NULL,
  equipment_id INTEGER NOT NULL,
  site_log_id INTEGER NOT NULL,
  equipment_type TEXT NOT NULL,
  type TEXT,
  period_from TEXT NOT NULL,
  period_to TEXT,
  recorded_at TEXT NOT NULL,
  superseded_at TEXT,
  systems TEXT,
  identity TEXT NOT NULL,
  configuration TEXT NOT NULL,
  CONSTRAINT installation_pkey PRIMARY KEY (id),
  CONSTRAINT installation_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id),
  CONSTRAINT installation_equipment_id_fkey FOREIGN KEY (equipment_id) REFERENCES equipment (id),
  CONSTRAINT installation_site_log_id_fkey FOREIGN KEY (site_log_id) REFERENCES site_log (id),
  CONSTRAINT installation_period_to_check CHECK (period_to > period_from)
) STRICT;
CREATE INDEX installation_in_order ON installation (equipment_id, period_from, period_to, site_id, superseded_at);
CREATE INDEX installation_at_site ON installation (site_id, equipment_id, period_from, period_to, superseded_at);
CREATE INDEX installation_of_log ON installation (site_log_id);
CREATE INDEX installation_of_type ON installation (equipment_type, type, site_id, period_from, period_to, superseded_at);
CREATE TABLE change (
  id INTEGER NOT NULL,
  site_id INTEGER NOT NULL,
  at TEXT NOT NULL,
  equipment_type TEXT NOT NULL,
  kind TEXT NOT NULL,
  kind_position INTEGER NOT NULL,
  recorded_at TEXT NOT NULL,
  superseded_at TEXT,
  counterpart_id INTEGER,
  gap_before INTEGER,
  merged_kind TEXT,
  document TEXT NOT NULL,
  CONSTRAINT change_pkey PRIMARY KEY (id),
  CONSTRAINT change_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id)
) STRICT;
CREATE INDEX change_at ON change (at, site_id, kind_position, id, equipment_type, gap_before, superseded_at, recorded_at);
CREATE INDEX change_at_site ON change (site_id, at, kind_position, id, equipment_type, gap_before, superseded_at);
CREATE INDEX change_recorded ON change (recorded_at, superseded_at, gap_before, counterpart_id);
CREATE TABLE event (
  id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  at TEXT NOT NULL,
  site_id INTEGER NOT NULL,
  site_log_id INTEGER NOT NULL,
  correction TEXT,
  document TEXT,
  CONSTRAINT event_pkey PRIMARY KEY (id),
  CONSTRAINT event_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id),
  CONSTRAINT event_site_log_id_fkey FOREIGN KEY (site_log_id) REFERENCES site_log (id)
) STRICT;
CREATE INDEX event_of_site ON event (site_id);
CREATE INDEX event_of_log ON event (site_log_id);
CREATE INDEX event_at ON event (at, id);
CREATE TABLE last_import (
  id INTEGER NOT NULL,
  finished_at TEXT,
  saved INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  outdated INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  CONSTRAINT last_import_pkey PRIMARY KEY (id),
  CONSTRAINT last_import_id_check CHECK (id = 1)
) STRICT;
CREATE TABLE rejected_file (
  path TEXT NOT NULL,
  sha256 TEXT,
  code TEXT NOT NULL,
  reason TEXT NOT NULL,
  first_rejected_at TEXT NOT NULL,
  last_rejected_at TEXT NOT NULL,
  CONSTRAINT rejected_file_pkey PRIMARY KEY (path)
) STRICT;
CREATE INDEX rejected_file_of_content ON rejected_file (sha256);
CREATE TABLE equipment_type_count (
  equipment_type TEXT NOT NULL,
  type TEXT NOT NULL,
  devices INTEGER NOT NULL,
  in_use INTEGER NOT NULL,
  conflicts INTEGER NOT NULL,
  sites INTEGER NOT NULL,
  CONSTRAINT equipment_type_count_pkey PRIMARY KEY (equipment_type, type)
) STRICT;
INSERT INTO gnss_site_setups VALUES (1, 42169616848635);
