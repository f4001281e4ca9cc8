/**
 * The tables of the database, for both engines. The types of their rows follow from the columns.
 *
 * All times are text in UTC, which sorts as the times do. Rows with `recorded_at` are on record
 * from then until `superseded_at`, and are never deleted; src/README.md explains this time and the
 * time in the field. Numbers that are ids continue without gaps. Large documents are the last
 * columns, so that SQLite reads the others without them.
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
  /** A condition that every value meets, as SQL. */
  check?: string;
  /** The table that has a row with the value as its `id`. */
  references?: string;
}

/** An index. */
interface IndexDefinition {
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
  /** A Site, as its current log describes it. */
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
        'agency',
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
      /** From this time on, lookups do not find the Site, and all its Setups are superseded. */
      retired_at: optional('text'),
      /** The ids that it had before it was renamed, as a JSON array. */
      former_ids: required('text'),
      /** The id of its last event. */
      last_event: required('integer'),
    },
    indexes: {
      site_of_four_characters: { on: 'four_character_id, nine_character_id, retired_at' },
      site_of_country: { on: 'country_code' },
      site_of_agency: { on: 'agency' },
      site_by_position: { on: 'latitude, longitude' },
    },
  },
  /**
   * An id that a Site had on record: its present one, with the Site as it was then, or one from
   * before it was renamed. These rows decide which Site an id names; `site` repeats the present
   * state.
   */
  site_identity: {
    key: ['id'],
    columns: {
      id: required('integer'),
      site_id: referring('site'),
      role: { ...required('text'), check: "role IN ('present', 'former')" },
      four_character_id: required('text'),
      nine_character_id: {
        ...optional('text'),
        check: 'substr(nine_character_id, 1, 4) = four_character_id',
      },
      /** Who gave the nine characters. */
      nine_given_by: { ...optional('text'), check: "nine_given_by IN ('log', 'operator')" },
      /** Of a present id: since when the Site is retired. */
      retired_at: optional('text'),
      /** Of a present id: the other columns of the Site that are published, as JSON. */
      content: optional('text'),
      recorded_at: required('text'),
      superseded_at: optional('text'),
    },
    indexes: {
      site_identity_present: {
        on: 'site_id',
        where: "superseded_at IS NULL AND role = 'present'",
        unique: true,
      },
      site_identity_of_site: { on: 'site_id, superseded_at' },
      site_identity_of_four_characters: {
        on: 'four_character_id, superseded_at, role, site_id, retired_at, nine_character_id',
      },
    },
  },
  /**
   * What a list of Sites shows and searches, derived from the Site and its current Setup. Without a
   * current Setup, all columns but the texts are null.
   */
  site_summary: {
    key: ['site_id'],
    columns: {
      site_id: referring('site'),
      /** The types in use, as a JSON array in the order of the Setup; so are the antennas. */
      receivers: optional('text'),
      antennas: optional('text'),
      /** The start of the current Setup. */
      since: optional('text'),
      /** The names, place and current equipment, without case and accents. */
      search_text: required('text'),
      /** The same for equipment that is no longer in use. */
      former_text: required('text'),
    },
  },
  /** A site log that was accepted. Each Site has one without `superseded_at`: its current log. */
  site_log: {
    key: ['id'],
    columns: {
      id: required('integer'),
      site_id: referring('site'),
      /** The name of the file, without its folder. */
      name: required('text'),
      /** Of the bytes, in hexadecimal. */
      sha256: required('text'),
      form: required('text'),
      /** The id that the log gives, of nine characters if it has them. */
      given_id: required('text'),
      imported_at: required('text'),
      agency: optional('text'),
      /**
       * The names of the agencies that it gives, as a JSON array. Null of a log that was imported
       * before migration 2, until it is read again: then its findings are missing, too.
       */
      agencies: optional('text'),
      /** `YYYY-MM-DD`. */
      date_prepared: optional('text'),
      /** The time of import, of a log that was older than the current one when it came. */
      superseded_at: optional('text'),
      /** A withdrawn log is current only if all logs of its Site are withdrawn. */
      withdrawn_at: optional('text'),
      /** The bytes of the file. */
      original: required('bytes'),
    },
    indexes: {
      site_log_of_content: { on: 'site_id, sha256', unique: true },
      site_log_current: { on: 'site_id', where: 'superseded_at IS NULL', unique: true },
      site_log_by_date: { on: 'date_prepared', where: 'superseded_at IS NULL' },
      site_log_to_read_again: { on: 'id', where: 'agencies IS NULL' },
    },
  },
  /**
   * What is published of a log, made when it is imported. Of a log that was imported before
   * migration 2, or that this version cannot read, it is empty.
   */
  published_log: {
    key: ['site_log_id'],
    columns: {
      site_log_id: referring('site_log'),
      /** The version of the program that made it; 0 if none has. */
      version: required('integer'),
      /** How many bytes of JSON the content and the sections have. */
      bytes: required('integer'),
      /** The content without contacts, as JSON. */
      content: required('text'),
      /** The sections with contacts as JSON, compressed (Brotli). */
      sections: required('bytes'),
    },
    indexes: { published_log_by_version: { on: 'version, site_log_id' } },
  },
  /** What a check found in a log. */
  finding: {
    key: ['site_log_id', 'position'],
    columns: {
      site_log_id: referring('site_log'),
      /** The place among the findings of the log, from 0. */
      position: required('integer'),
      line: required('integer'),
      last_line: optional('integer'),
      /** The section of the text form, and the number of the item in it. */
      section: optional('text'),
      item: optional('integer'),
      label: optional('text'),
      ...all(required('text'), 'level', 'code', 'text'),
      /** The values of the code, as JSON: messages and advice are made of them. */
      details: required('text'),
      /** Where the log has the same again, as JSON: lines and items. */
      others: required('text'),
    },
    indexes: {
      finding_of_code: { on: 'code, level, site_log_id' },
      // What lists of findings and of Sites count and sort by: the table itself has long texts.
      finding_of_log: { on: 'site_log_id, level, code, line, position' },
    },
  },
  /**
   * The equipment of a Site over a period. It is valid while it has no `superseded_at`, and current
   * while it has no `effective_to` either.
   */
  setup: {
    key: ['id'],
    columns: {
      id: required('integer'),
      site_id: referring('site'),
      /** The log that said so first. */
      site_log_id: referring('site_log'),
      effective_from: required('text'),
      effective_to: { ...optional('text'), check: 'effective_to > effective_from' },
      recorded_at: required('text'),
      superseded_at: optional('text'),
      /** `equipmentInUse` of the contract as JSON, as the serializers write it. */
      equipment_in_use: required('text'),
    },
    // First the column that an index orders by, then those that break ties, and then those that
    // searches filter by.
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
  /**
   * A device, wherever it has been. The newest current log that lists it describes it; the columns
   * repeat the parts of `document` that searches need.
   */
  equipment: {
    key: ['id'],
    columns: {
      id: required('integer'),
      equipment_type: required('text'),
      type: optional('text'),
      serial_number: optional('text'),
      /** The serial number as it is compared: without case, blanks and hyphens. */
      serial_key: optional('text'),
      manufacturer: optional('text'),
      aspiration: optional('text'),
      /**
       * Whether a current log lists it, in use or removed; only such devices are in the catalogue.
       */
      listed: { ...required('integer'), check: 'listed IN (0, 1)' },
      /** Whether one of its installations has no end. */
      in_use: { ...required('integer'), check: 'in_use IN (0, 1)' },
      /** Whether the logs of two Sites have it in use at the same time. */
      conflicting: { ...required('integer'), check: 'conflicting IN (0, 1)' },
      /**
       * What identifies the device, as a JSON array: kind, type and serial number as they are
       * compared; without a serial number also its start and Site.
       */
      identity: required('text'),
      /** The type, serial number and manufacturer, without case and accents. */
      search_text: required('text'),
      /** `content.id` of the contract as JSON, as the serializers write it. */
      document: required('text'),
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
  /** A device in use at a Site, in one configuration, over a period. */
  installation: {
    key: ['id'],
    columns: {
      id: required('integer'),
      site_id: referring('site'),
      equipment_id: referring('equipment'),
      site_log_id: referring('site_log'),
      equipment_type: required('text'),
      /** The type that this log gives the device, which may differ from that of `equipment`. */
      type: optional('text'),
      /** Empty if the start is unknown, as it can be of instruments. */
      period_from: required('text'),
      period_to: { ...optional('text'), check: 'period_to > period_from' },
      recorded_at: required('text'),
      superseded_at: optional('text'),
      /** The satellite systems of a receiver, as `readSatelliteSystem` writes them. */
      systems: optional('text'),
      /** The device as this log has it: `content.id` of the contract as JSON. */
      identity: required('text'),
      /** `content.configuration` of the contract as JSON. */
      configuration: required('text'),
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
  /**
   * A change of the equipment of a Site. After a removal there may be a gap, until another device
   * is installed: then the two are also shown as one change.
   */
  change: {
    key: ['id'],
    columns: {
      id: required('integer'),
      site_id: referring('site'),
      at: required('text'),
      equipment_type: required('text'),
      kind: required('text'),
      /** The place of the kind of equipment among those of a Setup. */
      kind_position: required('integer'),
      recorded_at: required('text'),
      superseded_at: optional('text'),
      /**
       * Since when a change has said this without a break. A row that replaces one with the same
       * key in the same event takes this time from it.
       */
      changed_at: required('text'),
      /**
       * What it says, as a key: the same for changes of a Site that are equal in all but spelling
       * and periods, with a number where several are on record at once. Null of a change that was
       * recorded before migration 2, until it is compared again.
       */
      comparison_key: optional('text'),
      /**
       * What is in use after it, as a key: changes of one day and kind with the same key are one
       * group. Null of a change that was recorded before migration 2, until it is compared again.
       */
      group_key: optional('text'),
      /**
       * For a removal, the installation that ends the gap after it; for that installation, the
       * removal.
       */
      counterpart_id: optional('integer'),
      /** For an installation that ends a gap: the length of the gap in seconds. */
      gap_before: optional('integer'),
      /** For a removal that begins a gap: the kind of the merged change. */
      merged_kind: optional('text'),
      /** The change as it is derived, as JSON. */
      document: required('text'),
    },
    indexes: {
      change_at: {
        on: 'at, site_id, kind_position, id, equipment_type, gap_before, superseded_at, recorded_at',
      },
      change_at_site: {
        on:
          'site_id, at, kind_position, id, equipment_type, gap_before, superseded_at, ' +
          'kind, merged_kind, counterpart_id',
      },
      change_changed: { on: 'changed_at, superseded_at, gap_before, counterpart_id' },
      change_withdrawn: { on: 'superseded_at, recorded_at', where: 'superseded_at IS NOT NULL' },
      change_to_compare: { on: 'site_id', where: 'comparison_key IS NULL' },
    },
  },
  /** What happened to a Site, in order. The feed shows those with a document. */
  event: {
    key: ['id'],
    columns: {
      id: required('integer'),
      /** `import`, `withdraw`, `restore`, `retire`, `unretire` or `rename`. */
      kind: required('text'),
      /** The record time: later than that of every event before. */
      at: required('text'),
      site_id: referring('site'),
      /** The log that was current for the Site afterwards. */
      site_log_id: referring('site_log'),
      /** What was corrected, as JSON; null of an import. */
      correction: optional('text'),
      /** The entry of the feed as JSON; null if no content changed. */
      document: optional('text'),
    },
    indexes: {
      event_of_site: { on: 'site_id' },
      event_of_log: { on: 'site_log_id' },
      event_at: { on: 'at, id' },
    },
  },
  /** The last import that ended, and how many files had each outcome. It always has one row. */
  last_import: {
    key: ['id'],
    columns: {
      id: { ...required('integer'), check: 'id = 1' },
      /** Null before the first import. */
      finished_at: optional('text'),
      ...all(required('integer'), 'saved', 'unchanged', 'outdated', 'rejected', 'skipped'),
    },
  },
  /** A file that the last import of its path rejected. */
  rejected_file: {
    key: ['path'],
    columns: {
      /** Absolute, as the import found it. */
      path: required('text'),
      /** Of the content, in hexadecimal; null if it could not be read. */
      sha256: optional('text'),
      /** The code of the reason, and the reason in words. */
      ...all(required('text'), 'code', 'reason'),
      /** When an import first rejected it, and last. */
      ...all(required('text'), 'first_rejected_at', 'last_rejected_at'),
    },
    indexes: { rejected_file_of_content: { on: 'sha256' } },
  },
  /** How many devices of a type are listed, so that no request has to count them. */
  equipment_type_count: {
    key: ['equipment_type', 'type'],
    columns: {
      equipment_type: required('text'),
      /** Empty if it is unknown. */
      type: required('text'),
      /** How many are listed, and how many of these are in use and in conflict. */
      devices: required('integer'),
      in_use: required('integer'),
      conflicts: required('integer'),
      /** How many Sites use or used one, according to their own logs. */
      sites: required('integer'),
    },
  },
} as const satisfies Record<string, TableDefinition>;
