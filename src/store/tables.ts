/**
 * The tables of the database, for both engines. The types of their rows follow from the columns.
 * All times are text in UTC, which sorts as the times do. Rows with `recorded_at` are never
 * deleted, and ids continue without gaps. src/README.md explains the two times. Large documents are
 * the last columns.
 */

/** A column: its kind, and what must be true of it. */
type Column = `${'integer' | 'number' | 'text' | 'bytes'}${'' | ` ${string}`}`;

/** A table. */
export interface TableDefinition {
  /** The columns that identify a row. */
  key: readonly string[];
  columns: Readonly<Record<string, Column>>;
  /** The indexes, by name, as what follows `ON table`; those with UNIQUE in front are unique. */
  indexes?: Readonly<Record<string, string>>;
}

/** Columns of one kind. */
const all = <Spec extends Column, Name extends string>(
  spec: Spec,
  ...names: Name[]
): Record<Name, Spec> =>
  Object.fromEntries(names.map((name) => [name, spec])) as Record<Name, Spec>;

/** The tables with content. A table refers only to those before it. */
export const TABLES = {
  // last_event: the number of the last event of the Site. retired_at: its Setups are superseded,
  // and lookups of now do not find it. former_ids: the ids before it was renamed, as a JSON array.
  site: {
    key: ['id'],
    columns: {
      id: 'integer not null',
      four_character_id:
        'text not null CHECK (length(four_character_id) = 4 AND four_character_id = upper(four_character_id))',
      nine_character_id: 'text UNIQUE CHECK (substr(nine_character_id, 1, 4) = four_character_id)',
      ...all(
        'text',
        'name',
        'domes_number',
        'date_installed',
        'monument_description',
        'monument_foundation',
        'marker_description',
      ),
      ...all(
        'text',
        'geologic_characteristic',
        'bedrock_type',
        'notes',
        'city',
        'state',
        'country',
        'country_code',
      ),
      ...all('number', 'monument_height', 'latitude', 'longitude', 'elevation', 'x', 'y', 'z'),
      retired_at: 'text',
      former_ids: 'text not null',
      last_event: 'integer not null',
    },
    indexes: {
      site_of_four_characters: '(four_character_id, nine_character_id, retired_at)',
      site_of_country: '(country_code)',
      site_by_position: '(latitude, longitude)',
    },
  },
  // Which ids a Site had on record, and from when to when: its present id, and those that it had
  // before it was renamed. Now: those without superseded_at. nine_given_by: a log or an operator.
  // retired_at: of the present id. This table decides which Site an id names; `site` repeats the
  // present state.
  site_identity: {
    key: ['id'],
    columns: {
      id: 'integer not null',
      site_id: 'integer not null REFERENCES site (id)',
      role: "text not null CHECK (role IN ('present', 'former'))",
      four_character_id: 'text not null',
      nine_character_id: 'text CHECK (substr(nine_character_id, 1, 4) = four_character_id)',
      nine_given_by: "text CHECK (nine_given_by IN ('log', 'operator'))",
      retired_at: 'text',
      recorded_at: 'text not null',
      superseded_at: 'text',
    },
    indexes: {
      site_identity_present: "UNIQUE (site_id) WHERE superseded_at IS NULL AND role = 'present'",
      site_identity_of_site: '(site_id, superseded_at)',
      site_identity_of_four_characters: '(four_character_id, superseded_at, role, site_id)',
    },
  },
  // What a list of Sites shows and searches, from the Site and its current Setup: types as JSON
  // arrays in the order of the Setup; how many values the form asks for and how many are known; the
  // texts are folded. former_text is of equipment that is no longer in use. Without a current
  // Setup, all but the texts are null.
  site_summary: {
    key: ['site_id'],
    columns: {
      site_id: 'integer not null REFERENCES site (id)',
      ...all('text', 'receivers', 'antennas', 'since'),
      ...all('integer', 'asked', 'known'),
      ...all('text not null', 'search_text', 'former_text'),
    },
  },
  // Every accepted log. The one without superseded_at is the current log of its Site. A withdrawn
  // log is never current. A log that was older than the current one when it came is superseded from
  // the start. given_id: the id that the log gives, of nine characters if it has them. original: the
  // bytes of the file.
  site_log: {
    key: ['id'],
    columns: {
      id: 'integer not null',
      site_id: 'integer not null REFERENCES site (id)',
      ...all('text not null', 'name', 'sha256', 'form', 'given_id', 'imported_at'),
      ...all('text', 'agency', 'date_prepared', 'superseded_at', 'withdrawn_at'),
      original: 'bytes not null',
    },
    indexes: {
      site_log_of_content: 'UNIQUE (site_id, sha256)',
      site_log_current: 'UNIQUE (site_id) WHERE superseded_at IS NULL',
      site_log_by_date: '(date_prepared) WHERE superseded_at IS NULL',
    },
  },
  finding: {
    key: ['site_log_id', 'position'],
    columns: {
      site_log_id: 'integer not null REFERENCES site_log (id)',
      ...all('integer not null', 'position', 'line'),
      last_line: 'integer',
      section: 'text',
      ...all('text not null', 'level', 'code', 'message', 'text'),
    },
    indexes: { finding_of_code: '(code, level, site_log_id)' },
  },
  // Valid while it has no superseded_at, and current while it also has no effective_to.
  // site_log_id: the log that first said so. equipment_in_use: the member of the contract as JSON,
  // as the serializers write it.
  setup: {
    key: ['id'],
    columns: {
      id: 'integer not null',
      site_id: 'integer not null REFERENCES site (id)',
      site_log_id: 'integer not null REFERENCES site_log (id)',
      effective_from: 'text not null',
      effective_to: 'text CHECK (effective_to > effective_from)',
      recorded_at: 'text not null',
      superseded_at: 'text',
      equipment_in_use: 'text not null',
    },
    // After the column that an index orders by: what breaks ties, and then what searches filter by.
    indexes: {
      setup_valid: 'UNIQUE (site_id, effective_from) WHERE superseded_at IS NULL',
      setup_current: 'UNIQUE (site_id) WHERE superseded_at IS NULL AND effective_to IS NULL',
      setup_of_site: '(site_id, effective_from, superseded_at, effective_to, id, recorded_at)',
      setup_of_log: '(site_log_id)',
      setup_by_id: '(id, superseded_at, effective_to)',
      setup_by_start: '(effective_from, id, superseded_at, effective_to, site_id, recorded_at)',
      setup_by_end: '(effective_to, id, superseded_at, recorded_at)',
      setup_recorded: '(recorded_at, id, superseded_at, effective_to)',
    },
  },
  // One device. identity is a JSON array: kind, type and serial number as they are compared;
  // without a serial number also its start and Site. document: the content.id of the contract as
  // JSON, of the newest current log that has the device; the columns before it repeat what searches
  // need. serial_key: the serial number as it is compared. listed: it is in use or was, according
  // to a current log, so it is in the catalogue. in_use: an installation has no end. conflicting:
  // two Sites list it for the same time.
  equipment: {
    key: ['id'],
    columns: {
      id: 'integer not null',
      equipment_type: 'text not null',
      ...all('text', 'type', 'serial_number', 'serial_key', 'manufacturer', 'aspiration'),
      listed: 'integer not null CHECK (listed IN (0, 1))',
      in_use: 'integer not null CHECK (in_use IN (0, 1))',
      conflicting: 'integer not null CHECK (conflicting IN (0, 1))',
      ...all('text not null', 'identity', 'search_text', 'document'),
    },
    indexes: {
      equipment_of_kind: '(equipment_type, id) WHERE listed = 1',
      equipment_of_type: '(equipment_type, type, id) WHERE listed = 1',
      equipment_of_serial_number: '(serial_key, id, equipment_type) WHERE listed = 1',
      equipment_by_serial_number: '(serial_number, id, equipment_type) WHERE listed = 1',
      equipment_by_manufacturer: '(manufacturer, id, equipment_type) WHERE listed = 1',
      equipment_by_words: '(equipment_type, search_text, id) WHERE listed = 1',
    },
  },
  // One device in use at one Site in one configuration. configuration is the member of the contract
  // as JSON; identity the content.id of the device as the log has it at this place, and type that
  // type. systems: the satellite systems of a receiver, as `readSatelliteSystem` writes them; null if
  // unknown.
  installation: {
    key: ['id'],
    columns: {
      id: 'integer not null',
      site_id: 'integer not null REFERENCES site (id)',
      equipment_id: 'integer not null REFERENCES equipment (id)',
      site_log_id: 'integer not null REFERENCES site_log (id)',
      equipment_type: 'text not null',
      type: 'text',
      period_from: 'text not null',
      period_to: 'text CHECK (period_to > period_from)',
      recorded_at: 'text not null',
      superseded_at: 'text',
      systems: 'text',
      ...all('text not null', 'identity', 'configuration'),
    },
    indexes: {
      installation_in_order: '(equipment_id, period_from, period_to, site_id, superseded_at)',
      installation_at_site: '(site_id, equipment_id, period_from, period_to, superseded_at)',
      installation_of_log: '(site_log_id)',
      installation_of_type:
        '(equipment_type, type, site_id, period_from, period_to, superseded_at)',
    },
  },
  // One change at a Site. kind_position orders the kinds of equipment as in a Setup; document is
  // the derived change as JSON. counterpart_id: of a removal, the installation that ends the gap
  // after it; of that installation, the removal. gap_before: of such an installation, the length of
  // the gap in seconds. merged_kind: of such a removal, the kind of both as one change.
  change: {
    key: ['id'],
    columns: {
      id: 'integer not null',
      site_id: 'integer not null REFERENCES site (id)',
      at: 'text not null',
      equipment_type: 'text not null',
      kind: 'text not null',
      kind_position: 'integer not null',
      recorded_at: 'text not null',
      superseded_at: 'text',
      counterpart_id: 'integer',
      gap_before: 'integer',
      merged_kind: 'text',
      document: 'text not null',
    },
    indexes: {
      change_at:
        '(at, site_id, kind_position, id, equipment_type, gap_before, superseded_at, recorded_at)',
      change_at_site: '(site_id, at, kind_position, id, equipment_type, gap_before, superseded_at)',
      change_recorded: '(recorded_at, superseded_at, gap_before, counterpart_id)',
    },
  },
  // What happened, in order: import, withdraw, restore, retire, unretire, rename. at is the time of
  // the clock. site_log_id is the log that the record of the Site followed afterwards. correction
  // is what was corrected, or the former id that a log completed, as JSON. document is the entry of
  // the feed as JSON; null if no content changed.
  event: {
    key: ['id'],
    columns: {
      id: 'integer not null',
      kind: 'text not null',
      at: 'text not null',
      site_id: 'integer not null REFERENCES site (id)',
      site_log_id: 'integer not null REFERENCES site_log (id)',
      correction: 'text',
      document: 'text',
    },
    indexes: { event_of_site: '(site_id)', event_of_log: '(site_log_id)', event_at: '(at, id)' },
  },
  // One row: the last import that ended, and how many files had each outcome. finished_at is null
  // before the first one.
  last_import: {
    key: ['id'],
    columns: {
      id: 'integer not null CHECK (id = 1)',
      finished_at: 'text',
      ...all('integer not null', 'saved', 'unchanged', 'outdated', 'rejected', 'skipped'),
    },
  },
  // The contents of files that an import rejected, and the last day on which one did.
  rejected_file: {
    key: ['sha256'],
    columns: {
      sha256: 'text not null',
      last_rejected_on: 'text not null',
    },
  },
  // How many listed devices of a type there are, are in use and are in conflict; and how many Sites
  // use or used one, according to their own logs. An empty type is the unknown one.
  equipment_type_count: {
    key: ['equipment_type', 'type'],
    columns: {
      equipment_type: 'text not null',
      type: 'text not null',
      ...all('integer not null', 'devices', 'in_use', 'conflicts', 'sites'),
    },
  },
} as const satisfies Record<string, TableDefinition>;
