/** The tables and columns that all engines have. */

/**
 * The `period_from` of an installation whose start is unknown, as it can be of instruments. It sorts before all instants,
 * so a search by time finds the installation at any time before its end.
 */
export const UNKNOWN_START = '';

/** What a column contains. */
export type ColumnKind = 'integer' | 'number' | 'text' | 'bytes';

/** A table that all engines have. */
export interface TableColumns {
  /** The columns that identify a row; rows are in their order. */
  key: readonly string[];
  columns: Readonly<Record<string, ColumnKind>>;
}

/** The tables with content, which all engines have with the same columns. A table refers only to those before it. */
export const TABLES = {
  site: {
    key: ['id'],
    columns: {
      id: 'integer',
      four_character_id: 'text',
      nine_character_id: 'text',
      name: 'text',
      domes_number: 'text',
      date_installed: 'text',
      monument_description: 'text',
      monument_foundation: 'text',
      monument_height: 'number',
      marker_description: 'text',
      geologic_characteristic: 'text',
      bedrock_type: 'text',
      notes: 'text',
      city: 'text',
      state: 'text',
      country: 'text',
      country_code: 'text',
      latitude: 'number',
      longitude: 'number',
      elevation: 'number',
      x: 'number',
      y: 'number',
      z: 'number',
      retired_at: 'text',
    },
  },
  site_rename: { key: ['former_id'], columns: { former_id: 'text', site_id: 'integer', renamed_at: 'text' } },
  site_summary: {
    key: ['site_id'],
    columns: {
      site_id: 'integer',
      receivers: 'text',
      antennas: 'text',
      since: 'text',
      asked: 'integer',
      known: 'integer',
      search_text: 'text',
      former_text: 'text',
    },
  },
  site_log: {
    key: ['id'],
    columns: {
      id: 'integer',
      site_id: 'integer',
      name: 'text',
      sha256: 'text',
      form: 'text',
      date_prepared: 'text',
      imported_at: 'text',
      superseded_at: 'text',
      original: 'bytes',
      withdrawn_at: 'text',
    },
  },
  finding: {
    key: ['site_log_id', 'position'],
    columns: { site_log_id: 'integer', position: 'integer', line: 'integer', level: 'text', message: 'text', text: 'text', code: 'text' },
  },
  setup: {
    key: ['id'],
    columns: {
      id: 'integer',
      site_id: 'integer',
      site_log_id: 'integer',
      effective_from: 'text',
      effective_to: 'text',
      recorded_at: 'text',
      superseded_at: 'text',
      equipment_in_use: 'text',
      written_by: 'integer',
      checksum: 'integer',
    },
  },
  equipment: {
    key: ['id'],
    columns: {
      id: 'integer',
      identity: 'text',
      equipment_type: 'text',
      type: 'text',
      serial_number: 'text',
      document: 'text',
      listed: 'integer',
      in_use: 'integer',
      conflicting: 'integer',
      written_by: 'integer',
      checksum: 'integer',
      search_text: 'text',
    },
  },
  installation: {
    key: ['id'],
    columns: {
      id: 'integer',
      site_id: 'integer',
      equipment_id: 'integer',
      site_log_id: 'integer',
      period_from: 'text',
      period_to: 'text',
      recorded_at: 'text',
      superseded_at: 'text',
      configuration: 'text',
      checksum: 'integer',
    },
  },
  change: {
    key: ['id'],
    columns: {
      id: 'integer',
      site_id: 'integer',
      at: 'text',
      equipment_type: 'text',
      kind_position: 'integer',
      recorded_at: 'text',
      superseded_at: 'text',
      document: 'text',
      checksum: 'integer',
      counterpart_id: 'integer',
      gap_before: 'integer',
    },
  },
  journal: {
    key: ['id'],
    columns: {
      id: 'integer',
      kind: 'text',
      at: 'text',
      site_id: 'integer',
      site_log_id: 'integer',
      detail: 'text',
      sha256: 'text',
      digest: 'text',
      last_ids: 'text',
      checksum: 'integer',
    },
  },
  feed: {
    key: ['id'],
    columns: { id: 'integer', site_id: 'integer', site_log_id: 'integer', document: 'text', checksum: 'integer' },
  },
  last_import: {
    key: ['id'],
    columns: {
      id: 'integer',
      finished_at: 'text',
      saved: 'integer',
      unchanged: 'integer',
      outdated: 'integer',
      rejected: 'integer',
      skipped: 'integer',
      checksum: 'integer',
    },
  },
  rejected_file: { key: ['sha256'], columns: { sha256: 'text', first_rejected_at: 'text', last_rejected_at: 'text' } },
  setup_count: { key: ['invalidated', 'current'], columns: { invalidated: 'integer', current: 'integer', setups: 'integer' } },
  equipment_type_count: {
    key: ['equipment_type', 'type'],
    columns: { equipment_type: 'text', type: 'text', devices: 'integer', in_use: 'integer', conflicts: 'integer', sites: 'integer' },
  },
  person: { key: ['name'], columns: { name: 'text', searched: 'integer' } },
  site_to_read: { key: ['site_id'], columns: { site_id: 'integer' } },
  documents_version: { key: ['version'], columns: { version: 'integer' } },
} as const satisfies Record<string, TableColumns>;
export type TableName = keyof typeof TABLES;

/** The tables that say something about the others. An empty database may have rows in these. */
export const DERIVED_TABLES: readonly TableName[] = ['setup_count', 'equipment_type_count', 'documents_version'];

type ValueOf<Kind extends ColumnKind> = Kind extends 'text' ? string : Kind extends 'bytes' ? Uint8Array : number;

/** A row of a table. */
export type RowOf<Name extends TableName> = {
  -readonly [Column in keyof (typeof TABLES)[Name]['columns']]: ValueOf<(typeof TABLES)[Name]['columns'][Column] & ColumnKind> | null;
};
