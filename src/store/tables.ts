/**
 * The tables of the database, for both engines. The types of their rows follow from the columns.
 * All times are text in UTC, which sorts as the times do. Rows with `recorded_at` are never
 * deleted, and ids continue without gaps. src/README.md explains the two times. Large documents are
 * the last columns.
 */

/** What kind of value a column has. */
export type ColumnKind = 'integer' | 'number' | 'text' | 'bytes';

/** A column. */
export interface ColumnDefinition {
  kind: ColumnKind;
  /** Whether every row has a value. */
  required: boolean;
  /** No two rows have the same value. */
  unique?: true;
  /** What is true of every row that has a value, as SQL. */
  check?: string;
  /** The table that has a row with the value as its `id`. */
  references?: string;
}

/** An index. */
export interface IndexDefinition {
  /** The columns, in the order of the index. */
  on: string;
  /** Only rows that meet this condition, as SQL. */
  where?: string;
  /** No two of these rows have the same values. */
  unique?: true;
}

/** A table. */
export interface TableDefinition {
  /** The columns that identify a row. */
  key: readonly string[];
  columns: Readonly<Record<string, ColumnDefinition>>;
  /** The indexes, by name. */
  indexes?: Readonly<Record<string, IndexDefinition>>;
}

/** A column with a value in every row. */
const required = <Kind extends ColumnKind>(kind: Kind) => ({ kind, required: true }) as const;

/** A column without a value where it is unknown, or has not happened. */
const optional = <Kind extends ColumnKind>(kind: Kind) => ({ kind, required: false }) as const;

/** A column with the id of a row of another table. */
const referring = (references: string) => ({ ...required('integer'), references }) as const;

/** Columns of one kind. */
const all = <Definition extends ColumnDefinition, Name extends string>(
  definition: Definition,
  ...names: Name[]
): Record<Name, Definition> =>
  Object.fromEntries(names.map((name) => [name, definition])) as Record<Name, Definition>;

/** The tables with content. A table refers only to those before it. */
export const TABLES = {
  // last_event: the number of the last event of the Site. retired_at: its Setups are superseded,
  // and lookups of now do not find it.
  site: {
    key: ['id'],
    columns: {
      id: required('integer'),
      four_character_id: {
        ...required('text'),
        check: 'length(four_character_id) = 4 AND four_character_id = upper(four_character_id)',
      },
      nine_character_id: {
        ...optional('text'),
        unique: true,
        check: 'substr(nine_character_id, 1, 4) = four_character_id',
      },
      ...all(
        optional('text'),
        'name',
        'domes_number',
        'date_installed',
        'monument_description',
        'monument_foundation',
        'marker_description',
      ),
      ...all(
        optional('text'),
        'geologic_characteristic',
        'bedrock_type',
        'notes',
        'city',
        'state',
        'country',
        'country_code',
      ),
      ...all(
        optional('number'),
        'monument_height',
        'latitude',
        'longitude',
        'elevation',
        'x',
        'y',
        'z',
      ),
      retired_at: optional('text'),
      last_event: required('integer'),
    },
    indexes: {
      site_of_four_characters: { on: 'four_character_id, nine_character_id, retired_at' },
      site_of_country: { on: 'country_code' },
      site_by_position: { on: 'latitude, longitude' },
    },
  },
  // The ids that Sites had before they were renamed: of nine characters, or of four until a log
  // gives the nine.
  site_rename: {
    key: ['site_id', 'former_id'],
    columns: {
      former_id: required('text'),
      four_character_id: {
        ...required('text'),
        check: 'substr(former_id, 1, 4) = four_character_id',
      },
      site_id: referring('site'),
      renamed_at: required('text'),
    },
    indexes: { site_rename_of_four_characters: { on: 'four_character_id' } },
  },
  // What a list of Sites shows and searches, from the Site and its current Setup: types as JSON
  // arrays in the order of the Setup; how many values the form asks for and how many are known; the
  // texts are folded. former_text is of equipment that is no longer in use. Without a current
  // Setup, all but the texts are null.
  site_summary: {
    key: ['site_id'],
    columns: {
      site_id: referring('site'),
      ...all(optional('text'), 'receivers', 'antennas', 'since'),
      ...all(optional('integer'), 'asked', 'known'),
      ...all(required('text'), 'search_text', 'former_text'),
    },
  },
  // Every accepted log. The one without superseded_at is the current log of its Site. A withdrawn
  // log is never current. A log that was older than the current one when it came is superseded from
  // the start. original: the bytes of the file.
  site_log: {
    key: ['id'],
    columns: {
      id: required('integer'),
      site_id: referring('site'),
      ...all(required('text'), 'name', 'sha256', 'form', 'imported_at'),
      ...all(optional('text'), 'agency', 'date_prepared', 'superseded_at', 'withdrawn_at'),
      original: required('bytes'),
    },
    indexes: {
      site_log_of_content: { on: 'site_id, sha256', unique: true },
      site_log_current: { on: 'site_id', where: 'superseded_at IS NULL', unique: true },
      site_log_by_date: { on: 'date_prepared', where: 'superseded_at IS NULL' },
    },
  },
  finding: {
    key: ['site_log_id', 'position'],
    columns: {
      site_log_id: referring('site_log'),
      ...all(required('integer'), 'position', 'line'),
      last_line: optional('integer'),
      section: optional('text'),
      ...all(required('text'), 'level', 'code', 'message', 'text'),
    },
    indexes: { finding_of_code: { on: 'code, level, site_log_id' } },
  },
  // Valid while it has no superseded_at, and current while it also has no effective_to.
  // site_log_id: the log that first said so. equipment_in_use: the member of the contract as JSON,
  // as the serializers write it.
  setup: {
    key: ['id'],
    columns: {
      id: required('integer'),
      site_id: referring('site'),
      site_log_id: referring('site_log'),
      effective_from: required('text'),
      effective_to: { ...optional('text'), check: 'effective_to > effective_from' },
      recorded_at: required('text'),
      superseded_at: optional('text'),
      equipment_in_use: required('text'),
    },
    // After the column that an index orders by: what breaks ties, and then what searches filter by.
    indexes: {
      setup_valid: { on: 'site_id, effective_from', where: 'superseded_at IS NULL', unique: true },
      setup_current: {
        on: 'site_id',
        where: 'superseded_at IS NULL AND effective_to IS NULL',
        unique: true,
      },
      setup_of_site: {
        on: 'site_id, effective_from, superseded_at, effective_to, id, recorded_at',
      },
      setup_of_log: { on: 'site_log_id' },
      setup_by_id: { on: 'id, superseded_at, effective_to' },
      setup_by_start: {
        on: 'effective_from, id, superseded_at, effective_to, site_id, recorded_at',
      },
      setup_by_end: { on: 'effective_to, id, superseded_at, recorded_at' },
      setup_recorded: { on: 'recorded_at, id, superseded_at, effective_to' },
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
      id: required('integer'),
      equipment_type: required('text'),
      ...all(optional('text'), 'type', 'serial_number', 'serial_key', 'manufacturer', 'aspiration'),
      listed: { ...required('integer'), check: 'listed IN (0, 1)' },
      in_use: { ...required('integer'), check: 'in_use IN (0, 1)' },
      conflicting: { ...required('integer'), check: 'conflicting IN (0, 1)' },
      ...all(required('text'), 'identity', 'search_text', 'document'),
    },
    indexes: {
      equipment_of_kind: { on: 'equipment_type, id', where: 'listed = 1' },
      equipment_of_type: { on: 'equipment_type, type, id', where: 'listed = 1' },
      equipment_of_serial_number: { on: 'serial_key, id, equipment_type', where: 'listed = 1' },
      equipment_by_serial_number: { on: 'serial_number, id, equipment_type', where: 'listed = 1' },
      equipment_by_manufacturer: { on: 'manufacturer, id, equipment_type', where: 'listed = 1' },
      equipment_by_words: { on: 'equipment_type, search_text, id', where: 'listed = 1' },
    },
  },
  // One device in use at one Site in one configuration. configuration is the member of the contract
  // as JSON; identity the content.id of the device as the log has it at this place, and type that
  // type.
  installation: {
    key: ['id'],
    columns: {
      id: required('integer'),
      site_id: referring('site'),
      equipment_id: referring('equipment'),
      site_log_id: referring('site_log'),
      equipment_type: required('text'),
      type: optional('text'),
      period_from: required('text'),
      period_to: { ...optional('text'), check: 'period_to > period_from' },
      recorded_at: required('text'),
      superseded_at: optional('text'),
      ...all(required('text'), 'identity', 'configuration'),
    },
    indexes: {
      installation_in_order: { on: 'equipment_id, period_from, period_to, site_id, superseded_at' },
      installation_at_site: { on: 'site_id, equipment_id, period_from, period_to, superseded_at' },
      installation_of_log: { on: 'site_log_id' },
      installation_of_type: {
        on: 'equipment_type, type, site_id, period_from, period_to, superseded_at',
      },
    },
  },
  // One change at a Site. kind_position orders the kinds of equipment as in a Setup; document is
  // the derived change as JSON. counterpart_id: of a removal, the installation that ends the gap
  // after it; of that installation, the removal. gap_before: of such an installation, the length of
  // the gap in seconds. merged_kind: of such a removal, the kind of both as one change.
  change: {
    key: ['id'],
    columns: {
      id: required('integer'),
      site_id: referring('site'),
      at: required('text'),
      equipment_type: required('text'),
      kind: required('text'),
      kind_position: required('integer'),
      recorded_at: required('text'),
      superseded_at: optional('text'),
      counterpart_id: optional('integer'),
      gap_before: optional('integer'),
      merged_kind: optional('text'),
      document: required('text'),
    },
    indexes: {
      change_at: {
        on: 'at, site_id, kind_position, id, equipment_type, gap_before, superseded_at, recorded_at',
      },
      change_at_site: {
        on: 'site_id, at, kind_position, id, equipment_type, gap_before, superseded_at',
      },
      change_recorded: { on: 'recorded_at, superseded_at, gap_before, counterpart_id' },
    },
  },
  // What happened, in order: import, withdraw, restore, retire, unretire, rename. at is the time of
  // the clock. site_log_id is the log that the record of the Site followed afterwards. correction
  // is what was corrected, or the former id that a log completed, as JSON. document is the entry of
  // the feed as JSON; null if no content changed.
  event: {
    key: ['id'],
    columns: {
      id: required('integer'),
      kind: required('text'),
      at: required('text'),
      site_id: referring('site'),
      site_log_id: referring('site_log'),
      correction: optional('text'),
      document: optional('text'),
    },
    indexes: {
      event_of_site: { on: 'site_id' },
      event_of_log: { on: 'site_log_id' },
      event_at: { on: 'at, id' },
    },
  },
  // One row: the last import that ended, and how many files had each outcome. finished_at is null
  // before the first one.
  last_import: {
    key: ['id'],
    columns: {
      id: { ...required('integer'), check: 'id = 1' },
      finished_at: optional('text'),
      ...all(required('integer'), 'saved', 'unchanged', 'outdated', 'rejected', 'skipped'),
    },
  },
  // The contents of files that an import rejected, and the last day on which one did.
  rejected_file: {
    key: ['sha256'],
    columns: {
      sha256: required('text'),
      last_rejected_on: required('text'),
    },
  },
  // How many listed devices of a type there are, are in use and are in conflict; and how many Sites
  // use or used one, according to their own logs. An empty type is the unknown one.
  equipment_type_count: {
    key: ['equipment_type', 'type'],
    columns: {
      equipment_type: required('text'),
      type: required('text'),
      ...all(required('integer'), 'devices', 'in_use', 'conflicts', 'sites'),
    },
  },
} as const satisfies Record<string, TableDefinition>;
