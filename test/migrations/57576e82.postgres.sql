CREATE TABLE IF NOT EXISTS gnss_site_setups (
    migration bigint NOT NULL, text_version bigint NOT NULL, revision bigint NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS gnss_site_setups_is_one ON gnss_site_setups ((true));
INSERT INTO gnss_site_setups SELECT 0, 0, 0 WHERE NOT EXISTS (SELECT FROM gnss_site_setups);
CREATE TABLE site (
  id bigint NOT NULL,
  four_character_id text COLLATE "C" NOT NULL,
  nine_character_id text COLLATE "C",
  name text COLLATE "C",
  domes_number text COLLATE "C",
  date_installed text COLLATE "C",
  monument_description text COLLATE "C",
  monument_foundation text COLLATE "C",
  marker_description text COLLATE "C",
  geologic_characteristic text COLLATE "C",
  bedrock_type text COLLATE "C",
  notes text COLLATE "C",
  city text COLLATE "C",
  state text COLLATE "C",
  country text COLLATE "C",
  country_code text COLLATE "C",
  agency text COLLATE "C",
  monument_height double precision,
  latitude double precision,
  longitude double precision,
  elevation double precision,
  x double precision,
  y double precision,
  z double precision,
  retired_at text COLLATE "C",
  former_ids text COLLATE "C" NOT NULL,
  last_event bigint NOT NULL,
  CONSTRAINT site_pkey PRIMARY KEY (id),
  CONSTRAINT site_four_character_id_check CHECK (length(four_character_id) = 4 AND four_character_id = upper(four_character_id)),
  CONSTRAINT site_nine_character_id_key UNIQUE (nine_character_id),
  CONSTRAINT site_nine_character_id_check CHECK (substr(nine_character_id, 1, 4) = four_character_id)
);
CREATE INDEX site_of_four_characters ON site (four_character_id, nine_character_id, retired_at);
CREATE INDEX site_of_country ON site (country_code);
CREATE INDEX site_of_agency ON site (agency);
CREATE INDEX site_by_position ON site (latitude, longitude);
CREATE TABLE site_identity (
  id bigint NOT NULL,
  site_id bigint NOT NULL,
  role text COLLATE "C" NOT NULL,
  four_character_id text COLLATE "C" NOT NULL,
  nine_character_id text COLLATE "C",
  nine_given_by text COLLATE "C",
  retired_at text COLLATE "C",
  content text COLLATE "C",
  recorded_at text COLLATE "C" NOT NULL,
  superseded_at text COLLATE "C",
  CONSTRAINT site_identity_pkey PRIMARY KEY (id),
  CONSTRAINT site_identity_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id),
  CONSTRAINT site_identity_role_check CHECK (role IN ('present', 'former')),
  CONSTRAINT site_identity_nine_character_id_check CHECK (substr(nine_character_id, 1, 4) = four_character_id),
  CONSTRAINT site_identity_nine_given_by_check CHECK (nine_given_by IN ('log', 'operator'))
);
CREATE UNIQUE INDEX site_identity_present ON site_identity (site_id) WHERE superseded_at IS NULL AND role = 'present';
CREATE INDEX site_identity_of_site ON site_identity (site_id, superseded_at);
CREATE INDEX site_identity_of_four_characters ON site_identity (four_character_id, superseded_at, role, site_id);
CREATE TABLE site_summary (
  site_id bigint NOT NULL,
  receivers text COLLATE "C",
  antennas text COLLATE "C",
  since text COLLATE "C",
  search_text text COLLATE "C" NOT NULL,
  former_text text COLLATE "C" NOT NULL,
  CONSTRAINT site_summary_pkey PRIMARY KEY (site_id),
  CONSTRAINT site_summary_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id)
);
CREATE TABLE site_log (
  id bigint NOT NULL,
  site_id bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  sha256 text COLLATE "C" NOT NULL,
  form text COLLATE "C" NOT NULL,
  given_id text COLLATE "C" NOT NULL,
  imported_at text COLLATE "C" NOT NULL,
  agency text COLLATE "C",
  date_prepared text COLLATE "C",
  superseded_at text COLLATE "C",
  withdrawn_at text COLLATE "C",
  original bytea NOT NULL,
  CONSTRAINT site_log_pkey PRIMARY KEY (id),
  CONSTRAINT site_log_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id)
);
CREATE UNIQUE INDEX site_log_of_content ON site_log (site_id, sha256);
CREATE UNIQUE INDEX site_log_current ON site_log (site_id) WHERE superseded_at IS NULL;
CREATE INDEX site_log_by_date ON site_log (date_prepared) WHERE superseded_at IS NULL;
CREATE TABLE finding (
  site_log_id bigint NOT NULL,
  position bigint NOT NULL,
  line bigint NOT NULL,
  last_line bigint,
  section text COLLATE "C",
  level text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  message text COLLATE "C" NOT NULL,
  text text COLLATE "C" NOT NULL,
  CONSTRAINT finding_pkey PRIMARY KEY (site_log_id, position),
  CONSTRAINT finding_site_log_id_fkey FOREIGN KEY (site_log_id) REFERENCES site_log (id)
);
CREATE INDEX finding_of_code ON finding (code, level, site_log_id);
CREATE TABLE setup (
  id bigint NOT NULL,
  site_id bigint NOT NULL,
  site_log_id bigint NOT NULL,
  effective_from text COLLATE "C" NOT NULL,
  effective_to text COLLATE "C",
  recorded_at text COLLATE "C" NOT NULL,
  superseded_at text COLLATE "C",
  equipment_in_use text COLLATE "C" NOT NULL,
  CONSTRAINT setup_pkey PRIMARY KEY (id),
  CONSTRAINT setup_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id),
  CONSTRAINT setup_site_log_id_fkey FOREIGN KEY (site_log_id) REFERENCES site_log (id),
  CONSTRAINT setup_effective_to_check CHECK (effective_to > effective_from)
);
CREATE UNIQUE INDEX setup_valid ON setup (site_id, effective_from) WHERE superseded_at IS NULL;
CREATE UNIQUE INDEX setup_current ON setup (site_id) WHERE superseded_at IS NULL AND effective_to IS NULL;
CREATE INDEX setup_of_site ON setup (site_id, effective_from, superseded_at, effective_to, id, recorded_at);
CREATE INDEX setup_of_log ON setup (site_log_id);
CREATE INDEX setup_by_id ON setup (id, superseded_at, effective_to);
CREATE INDEX setup_by_start ON setup (effective_from, id, superseded_at, effective_to, site_id, recorded_at);
CREATE INDEX setup_by_end ON setup (effective_to, id, superseded_at, recorded_at);
CREATE INDEX setup_recorded ON setup (recorded_at, id, superseded_at, effective_to);
CREATE TABLE equipment (
  id bigint NOT NULL,
  equipment_type text COLLATE "C" NOT NULL,
  type text COLLATE "C",
  serial_number text COLLATE "C",
  serial_key text COLLATE "C",
  manufacturer text COLLATE "C",
  aspiration text COLLATE "C",
  listed bigint NOT NULL,
  in_use bigint NOT NULL,
  conflicting bigint NOT NULL,
  identity text COLLATE "C" NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  document text COLLATE "C" NOT NULL,
  CONSTRAINT equipment_pkey PRIMARY KEY (id),
  CONSTRAINT equipment_listed_check CHECK (listed IN (0, 1)),
  CONSTRAINT equipment_in_use_check CHECK (in_use IN (0, 1)),
  CONSTRAINT equipment_conflicting_check CHECK (conflicting IN (0, 1))
);
CREATE INDEX equipment_of_kind ON equipment (equipment_type, id) WHERE listed = 1;
CREATE INDEX equipment_of_type ON equipment (equipment_type, type, id) WHERE listed = 1;
CREATE INDEX equipment_of_serial_number ON equipment (serial_key, id, equipment_type) WHERE listed = 1;
CREATE INDEX equipment_by_serial_number ON equipment (serial_number, id, equipment_type) WHERE listed = 1;
CREATE INDEX equipment_by_manufacturer ON equipment (manufacturer, id, equipment_type) WHERE listed = 1;
CREATE INDEX equipment_by_words ON equipment (equipment_type, search_text, id) WHERE listed = 1;
CREATE TABLE installation (
  id bigint NOT NULL,
  site_id bigint NOT NULL,
  equipment_id bigint NOT NULL,
  site_log_id bigint NOT NULL,
  equipment_type text COLLATE "C" NOT NULL,
  type text COLLATE "C",
  period_from text COLLATE "C" NOT NULL,
  period_to text COLLATE "C",
  recorded_at text COLLATE "C" NOT NULL,
  superseded_at text COLLATE "C",
  systems text COLLATE "C",
  identity text COLLATE "C" NOT NULL,
  configuration text COLLATE "C" NOT NULL,
  CONSTRAINT installation_pkey PRIMARY KEY (id),
  CONSTRAINT installation_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id),
  CONSTRAINT installation_equipment_id_fkey FOREIGN KEY (equipment_id) REFERENCES equipment (id),
  CONSTRAINT installation_site_log_id_fkey FOREIGN KEY (site_log_id) REFERENCES site_log (id),
  CONSTRAINT installation_period_to_check CHECK (period_to > period_from)
);
CREATE INDEX installation_in_order ON installation (equipment_id, period_from, period_to, site_id, superseded_at);
CREATE INDEX installation_at_site ON installation (site_id, equipment_id, period_from, period_to, superseded_at);
CREATE INDEX installation_of_log ON installation (site_log_id);
CREATE INDEX installation_of_type ON installation (equipment_type, type, site_id, period_from, period_to, superseded_at);
CREATE TABLE change (
  id bigint NOT NULL,
  site_id bigint NOT NULL,
  at text COLLATE "C" NOT NULL,
  equipment_type text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  kind_position bigint NOT NULL,
  recorded_at text COLLATE "C" NOT NULL,
  superseded_at text COLLATE "C",
  counterpart_id bigint,
  gap_before bigint,
  merged_kind text COLLATE "C",
  document text COLLATE "C" NOT NULL,
  CONSTRAINT change_pkey PRIMARY KEY (id),
  CONSTRAINT change_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id)
);
CREATE INDEX change_at ON change (at, site_id, kind_position, id, equipment_type, gap_before, superseded_at, recorded_at);
CREATE INDEX change_at_site ON change (site_id, at, kind_position, id, equipment_type, gap_before, superseded_at);
CREATE INDEX change_recorded ON change (recorded_at, superseded_at, gap_before, counterpart_id);
CREATE TABLE event (
  id bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  at text COLLATE "C" NOT NULL,
  site_id bigint NOT NULL,
  site_log_id bigint NOT NULL,
  correction text COLLATE "C",
  document text COLLATE "C",
  CONSTRAINT event_pkey PRIMARY KEY (id),
  CONSTRAINT event_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id),
  CONSTRAINT event_site_log_id_fkey FOREIGN KEY (site_log_id) REFERENCES site_log (id)
);
CREATE INDEX event_of_site ON event (site_id);
CREATE INDEX event_of_log ON event (site_log_id);
CREATE INDEX event_at ON event (at, id);
CREATE TABLE last_import (
  id bigint NOT NULL,
  finished_at text COLLATE "C",
  saved bigint NOT NULL,
  unchanged bigint NOT NULL,
  outdated bigint NOT NULL,
  rejected bigint NOT NULL,
  skipped bigint NOT NULL,
  CONSTRAINT last_import_pkey PRIMARY KEY (id),
  CONSTRAINT last_import_id_check CHECK (id = 1)
);
CREATE TABLE rejected_file (
  path text COLLATE "C" NOT NULL,
  sha256 text COLLATE "C",
  code text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  first_rejected_at text COLLATE "C" NOT NULL,
  last_rejected_at text COLLATE "C" NOT NULL,
  CONSTRAINT rejected_file_pkey PRIMARY KEY (path)
);
CREATE INDEX rejected_file_of_content ON rejected_file (sha256);
CREATE TABLE equipment_type_count (
  equipment_type text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  devices bigint NOT NULL,
  in_use bigint NOT NULL,
  conflicts bigint NOT NULL,
  sites bigint NOT NULL,
  CONSTRAINT equipment_type_count_pkey PRIMARY KEY (equipment_type, type)
);
UPDATE gnss_site_setups SET migration = 1, text_version = 42169616848635, revision = 1;
