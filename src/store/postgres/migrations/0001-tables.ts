/**
 * The same tables and columns as those of a SQLite file, with the same meaning: Sites, their logs, Setups, devices and
 * changes; the journal. The tables of counts are in `0001-triggers.ts`.
 *
 * Two times are separate: when something was in effect at the Site (`effective_*`, `period_*`), and when this service
 * recorded it and, once a newer log said otherwise, superseded it (`recorded_at`, `superseded_at`).
 */

/** Compared and ordered by code point, as SQLite does. */
const TEXT = 'text COLLATE "C"';

const SITES = [
  // retired_at: when the Site was retired; its Setups are superseded, and lookups of now do not find it.
  `CREATE TABLE site (
    id                      bigint PRIMARY KEY,
    four_character_id       ${TEXT} NOT NULL CHECK (length(four_character_id) = 4 AND four_character_id = upper(four_character_id)),
    nine_character_id       ${TEXT} UNIQUE CHECK (substr(nine_character_id, 1, 4) = four_character_id),
    name                    ${TEXT},
    domes_number            ${TEXT},
    date_installed          ${TEXT},
    monument_description    ${TEXT},
    monument_foundation     ${TEXT},
    monument_height         double precision,
    marker_description      ${TEXT},
    geologic_characteristic ${TEXT},
    bedrock_type            ${TEXT},
    notes                   ${TEXT},
    city                    ${TEXT},
    state                   ${TEXT},
    country                 ${TEXT},
    latitude                double precision,
    longitude               double precision,
    elevation               double precision,
    retired_at              ${TEXT}
  )`,
  'CREATE INDEX site_of_four_characters ON site (four_character_id)',
  'CREATE INDEX site_by_position ON site USING gist (point(longitude, latitude))',

  // The ids that Sites had before they were renamed, of four and of nine characters.
  `CREATE TABLE site_rename (
    former_id  ${TEXT} PRIMARY KEY,
    site_id    bigint NOT NULL REFERENCES site (id),
    renamed_at ${TEXT} NOT NULL
  )`,

  // What a list of Sites shows and searches, from the Site and its current Setup: types as JSON arrays in the order of the
  // Setup; how many values the form asks for and how many are known; search_text is folded. Without a current Setup, all but
  // search_text are null.
  `CREATE TABLE site_summary (
    site_id     bigint PRIMARY KEY REFERENCES site (id),
    receivers   ${TEXT},
    antennas    ${TEXT},
    since       ${TEXT},
    asked       integer,
    known       integer,
    search_text ${TEXT} NOT NULL
  )`,
];

const LOGS = [
  // Every accepted log, with its original content. The one without superseded_at is the current log of its Site. A withdrawn
  // log is never current. A log that was older than the current one when it came is superseded from the start.
  `CREATE TABLE site_log (
    id            bigint PRIMARY KEY,
    site_id       bigint NOT NULL REFERENCES site (id),
    name          ${TEXT} NOT NULL,
    sha256        ${TEXT} NOT NULL,
    form          ${TEXT} NOT NULL,
    date_prepared ${TEXT},
    imported_at   ${TEXT} NOT NULL,
    superseded_at ${TEXT},
    original      bytea NOT NULL,
    withdrawn_at  ${TEXT},
    UNIQUE (site_id, sha256)
  )`,
  'CREATE UNIQUE INDEX site_log_holding ON site_log (site_id) WHERE superseded_at IS NULL',
  'CREATE INDEX site_log_by_date ON site_log (date_prepared) WHERE superseded_at IS NULL',

  `CREATE TABLE finding (
    site_log_id bigint NOT NULL REFERENCES site_log (id),
    position    integer NOT NULL,
    line        integer NOT NULL,
    level       ${TEXT} NOT NULL,
    message     ${TEXT} NOT NULL,
    text        ${TEXT} NOT NULL,
    code        ${TEXT},
    PRIMARY KEY (site_log_id, position)
  )`,
  'CREATE INDEX finding_of_code ON finding (code, level, site_log_id)',

  // The contents of files that an import rejected. The last time is exact to the day only.
  `CREATE TABLE rejected_file (
    sha256            ${TEXT} PRIMARY KEY,
    first_rejected_at ${TEXT} NOT NULL,
    last_rejected_at  ${TEXT} NOT NULL
  )`,
];

const SETUPS = [
  // A Setup is valid while it has no superseded_at, and current while it also has no effective_to. equipment_in_use is the
  // member of the contract as JSON; site_log_id is the log that first said so; written_by is the version of the serializers
  // that wrote the text, null if they did not; checksum is the CRC-32 of the columns that never change, or change only
  // together with it. The texts are sent as they are stored, so they are bytes to the database, not jsonb.
  `CREATE TABLE setup (
    id               bigint PRIMARY KEY,
    site_id          bigint NOT NULL REFERENCES site (id),
    site_log_id      bigint NOT NULL REFERENCES site_log (id),
    effective_from   ${TEXT} NOT NULL,
    effective_to     ${TEXT} CHECK (effective_to > effective_from),
    recorded_at      ${TEXT} NOT NULL,
    superseded_at    ${TEXT},
    equipment_in_use ${TEXT} NOT NULL,
    written_by       bigint,
    checksum         bigint
  )`,
  'CREATE UNIQUE INDEX setup_valid ON setup (site_id, effective_from) WHERE superseded_at IS NULL',
  'CREATE UNIQUE INDEX setup_current ON setup (site_id) WHERE superseded_at IS NULL AND effective_to IS NULL',
  // After the column that an index orders by: what breaks ties, and then what searches filter by. An order with unknown
  // values needs an index for each direction, because they come last in both.
  'CREATE INDEX setup_of_site ON setup (site_id, effective_from, superseded_at, effective_to, id)',
  'CREATE INDEX setup_by_id ON setup (id, superseded_at, effective_to)',
  'CREATE INDEX setup_by_start ON setup (effective_from, id, superseded_at, effective_to)',
  'CREATE INDEX setup_by_end ON setup (effective_to, id, superseded_at)',
  'CREATE INDEX setup_by_end_descending ON setup (effective_to DESC NULLS LAST, id, superseded_at)',
];

const MANUFACTURER = `((document::json ->> 'manufacturer') COLLATE "C")`;
const ASPIRATION = `((document::json ->> 'aspiration') COLLATE "C")`;

const DEVICES = [
  // One device. identity is a JSON array: kind, type and serial number; without a serial number also its Site and start. It
  // may be too long for a B-tree. document is the content.id of the contract as JSON; the other columns repeat what searches
  // need. listed: a valid Setup includes the device, so it is in the catalogue. in_use: an installation has no end.
  // conflicting: two Sites list the device for the same time. Whoever writes the installations of a device updates these.
  `CREATE TABLE equipment (
    id             bigint PRIMARY KEY,
    identity       ${TEXT} NOT NULL,
    equipment_type ${TEXT} NOT NULL,
    type           ${TEXT},
    serial_number  ${TEXT},
    document       ${TEXT} NOT NULL,
    listed         integer NOT NULL DEFAULT 0 CHECK (listed IN (0, 1)),
    in_use         integer NOT NULL DEFAULT 0 CHECK (in_use IN (0, 1)),
    conflicting    integer NOT NULL DEFAULT 0 CHECK (conflicting IN (0, 1)),
    written_by     bigint,
    checksum       bigint,
    CONSTRAINT equipment_identity EXCLUDE USING hash (identity WITH =)
  )`,
  'CREATE INDEX equipment_of_kind ON equipment (equipment_type, id) WHERE listed = 1',
  'CREATE INDEX equipment_of_type ON equipment (equipment_type, type, id) WHERE listed = 1',
  'CREATE INDEX equipment_of_type_descending ON equipment (equipment_type, type DESC NULLS LAST, id) WHERE listed = 1',
  'CREATE INDEX equipment_of_serial_number ON equipment (serial_number, id, equipment_type) WHERE listed = 1',
  'CREATE INDEX equipment_of_serial_number_descending ON equipment (serial_number DESC NULLS LAST, id, equipment_type) WHERE listed = 1',
  `CREATE INDEX equipment_by_manufacturer ON equipment (${MANUFACTURER}, id, equipment_type) WHERE listed = 1`,
  `CREATE INDEX equipment_by_manufacturer_descending ON equipment (${MANUFACTURER} DESC NULLS LAST, id, equipment_type) WHERE listed = 1`,
  `CREATE INDEX equipment_by_aspiration ON equipment (${ASPIRATION}, id, equipment_type) WHERE listed = 1`,
  `CREATE INDEX equipment_by_aspiration_descending ON equipment (${ASPIRATION} DESC NULLS LAST, id, equipment_type) WHERE listed = 1`,

  // One device in use at one Site in one configuration; configuration is the member of the contract as JSON.
  `CREATE TABLE installation (
    id            bigint PRIMARY KEY,
    site_id       bigint NOT NULL REFERENCES site (id),
    equipment_id  bigint NOT NULL REFERENCES equipment (id),
    site_log_id   bigint NOT NULL REFERENCES site_log (id),
    period_from   ${TEXT} NOT NULL,
    period_to     ${TEXT} CHECK (period_to > period_from),
    recorded_at   ${TEXT} NOT NULL,
    superseded_at ${TEXT},
    configuration ${TEXT} NOT NULL,
    checksum      bigint
  )`,
  'CREATE INDEX installation_in_order ON installation (equipment_id, period_from, period_to, site_id) WHERE superseded_at IS NULL',
  'CREATE INDEX installation_at_site ON installation (site_id) WHERE superseded_at IS NULL',
];

const CHANGES = [
  // One change at a Site. kind_position orders the kinds of equipment as in a Setup; document is the derived change as JSON.
  `CREATE TABLE change (
    id             bigint PRIMARY KEY,
    site_id        bigint NOT NULL REFERENCES site (id),
    at             ${TEXT} NOT NULL,
    equipment_type ${TEXT} NOT NULL,
    kind_position  integer NOT NULL,
    recorded_at    ${TEXT} NOT NULL,
    superseded_at  ${TEXT},
    document       ${TEXT} NOT NULL,
    checksum       bigint
  )`,
  'CREATE INDEX change_at ON change (at, site_id, kind_position, id, equipment_type) WHERE superseded_at IS NULL',
  'CREATE INDEX change_at_site ON change (site_id, at, kind_position, id) WHERE superseded_at IS NULL',
];

const RECORDS = [
  // The version of the serializers with which all texts have been written. A row that could not be written is without a mark.
  'CREATE TABLE documents_version (version bigint NOT NULL)',

  // kind: import, withdraw, restore, retire, unretire, rename, baseline. at is the time of the clock. detail is the file name
  // of an import, or the correction as JSON; sha256 is of the log. digest is of what was derived from the log that was read.
  // last_ids has the last id of each table afterwards, as a JSON array. No foreign keys, so that it can be read whatever
  // happened to the other tables.
  `CREATE TABLE journal (
    id          bigint PRIMARY KEY,
    kind        ${TEXT} NOT NULL,
    at          ${TEXT} NOT NULL,
    site_id     bigint NOT NULL,
    site_log_id bigint,
    detail      ${TEXT},
    sha256      ${TEXT},
    digest      ${TEXT},
    last_ids    ${TEXT} NOT NULL,
    checksum    bigint NOT NULL
  )`,

  // One row: the last import that ended, and how many files had each outcome. checksum is of the other columns but the id.
  `CREATE TABLE last_import (
    id          bigint PRIMARY KEY CHECK (id = 1),
    finished_at ${TEXT} NOT NULL,
    saved       bigint NOT NULL,
    unchanged   bigint NOT NULL,
    outdated    bigint NOT NULL,
    rejected    bigint NOT NULL,
    skipped     bigint NOT NULL,
    checksum    bigint NOT NULL
  )`,

  // The last id that a table has ever had, by table: it shows that the last rows of the journal, or the last import, are lost.
  `CREATE TABLE last_id (
    table_name ${TEXT} PRIMARY KEY,
    id         bigint NOT NULL
  )`,

  // One row: a number that each transaction that writes increments first. So it is also the lock of the writers.
  'CREATE TABLE revision (number bigint NOT NULL)',
  'CREATE UNIQUE INDEX revision_is_one ON revision ((true))',
  'INSERT INTO revision (number) VALUES (0)',
];

/** The statements that create the tables and their indexes. */
export const tables: readonly string[] = [...SITES, ...LOGS, ...SETUPS, ...DEVICES, ...CHANGES, ...RECORDS];
