import sql, { raw } from 'sql-template-tag';
import { documentsVersion } from '../serializers/documents.js';
import type { Transaction } from './database.js';
import { SQLITE } from './dialect.js';
import { creationsOf } from './schema.js';

/**
 * A change of the schema, for both engines. The first is the baseline, which creates all tables as
 * they are now. The others change the tables of databases that were made before them. They contain
 * frozen SQL, and call no code that can change later.
 */
export type Migration = (transaction: Transaction) => Promise<void>;

/** The table that marks a database as one of this service, with one row. */
export const MARK = 'gnss_site_setups';

/** The row of {@link MARK}. PostgreSQL has the revision there too. */
export interface Mark {
  /** How many migrations the database has had. */
  migration: number;
  /** The version of the serializers that wrote all texts in it. */
  documents: number;
}

async function createTables(transaction: Transaction): Promise<void> {
  const { types, tableOptions } = transaction.dialect;
  for (const { statement } of creationsOf(types, tableOptions))
    await transaction.run(raw(statement));
  const noImport = {
    id: 1,
    finished_at: null,
    saved: 0,
    unchanged: 0,
    outdated: 0,
    rejected: 0,
    skipped: 0,
  };
  await transaction.insert('last_import', [noImport]);
}

/** The indexes of changes that migration 2 adds, and the one that gets more columns. */
const INDEXES_OF_CHANGES = [
  'CREATE INDEX change_at_site ON change (site_id, at, kind_position, id, equipment_type, ' +
    'gap_before, superseded_at, kind, merged_kind, counterpart_id)',
  'CREATE INDEX change_changed ON change (changed_at, superseded_at, gap_before, counterpart_id)',
  'CREATE INDEX change_withdrawn ON change (superseded_at, recorded_at) ' +
    'WHERE superseded_at IS NOT NULL',
  'CREATE INDEX change_to_compare ON change (site_id) WHERE comparison_key IS NULL',
];

/** With all columns that a lookup of a Site by its id reads. */
const INDEX_OF_IDS = [
  'DROP INDEX site_identity_of_four_characters',
  'CREATE INDEX site_identity_of_four_characters ON site_identity ' +
    '(four_character_id, superseded_at, role, site_id, retired_at, nine_character_id)',
];

const INDEX_OF_FINDINGS =
  'CREATE INDEX finding_of_log ON finding (site_log_id, level, code, line, position)';

const INDEX_OF_PUBLISHED_LOGS =
  'CREATE INDEX published_log_by_version ON published_log (version, site_log_id)';

/** Statements that bring the tables of migration 1 to migration 2. */
const FINDINGS_AND_AGENCIES = {
  // SQLite reads the columns before a large one without it, and adds columns only at the end. So
  // the logs move to a new table.
  sqlite: [
    'DROP TABLE finding',
    'CREATE TABLE moved_log AS SELECT * FROM site_log',
    // Other tables refer to logs. That is checked again when the transaction ends.
    'PRAGMA defer_foreign_keys = ON',
    'DROP TABLE site_log',
    `CREATE TABLE site_log (
  id INTEGER NOT NULL,
  site_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  form TEXT NOT NULL,
  given_id TEXT NOT NULL,
  imported_at TEXT NOT NULL,
  agency TEXT,
  agencies TEXT,
  date_prepared TEXT,
  superseded_at TEXT,
  withdrawn_at TEXT,
  original BLOB NOT NULL,
  CONSTRAINT site_log_pkey PRIMARY KEY (id),
  CONSTRAINT site_log_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id)
) STRICT`,
    `INSERT INTO site_log
      SELECT id, site_id, name, sha256, form, given_id, imported_at, agency, NULL, date_prepared,
        superseded_at, withdrawn_at, original
      FROM moved_log ORDER BY id`,
    'DROP TABLE moved_log',
    'CREATE UNIQUE INDEX site_log_of_content ON site_log (site_id, sha256)',
    'CREATE UNIQUE INDEX site_log_current ON site_log (site_id) WHERE superseded_at IS NULL',
    'CREATE INDEX site_log_by_date ON site_log (date_prepared) WHERE superseded_at IS NULL',
    'CREATE INDEX site_log_to_read_again ON site_log (id) WHERE agencies IS NULL',
    `CREATE TABLE finding (
  site_log_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  line INTEGER NOT NULL,
  last_line INTEGER,
  section TEXT,
  item INTEGER,
  label TEXT,
  level TEXT NOT NULL,
  code TEXT NOT NULL,
  text TEXT NOT NULL,
  details TEXT NOT NULL,
  others TEXT NOT NULL,
  CONSTRAINT finding_pkey PRIMARY KEY (site_log_id, position),
  CONSTRAINT finding_site_log_id_fkey FOREIGN KEY (site_log_id) REFERENCES site_log (id)
) STRICT`,
    'CREATE INDEX finding_of_code ON finding (code, level, site_log_id)',
    INDEX_OF_FINDINGS,
    'CREATE TABLE moved_change AS SELECT * FROM change',
    'DROP TABLE change',
    `CREATE TABLE change (
  id INTEGER NOT NULL,
  site_id INTEGER NOT NULL,
  at TEXT NOT NULL,
  equipment_type TEXT NOT NULL,
  kind TEXT NOT NULL,
  kind_position INTEGER NOT NULL,
  recorded_at TEXT NOT NULL,
  superseded_at TEXT,
  changed_at TEXT NOT NULL,
  comparison_key TEXT,
  group_key TEXT,
  counterpart_id INTEGER,
  gap_before INTEGER,
  merged_kind TEXT,
  document TEXT NOT NULL,
  CONSTRAINT change_pkey PRIMARY KEY (id),
  CONSTRAINT change_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id)
) STRICT`,
    `INSERT INTO change
      SELECT id, site_id, at, equipment_type, kind, kind_position, recorded_at, superseded_at,
        recorded_at, NULL, NULL, counterpart_id, gap_before, merged_kind, document
      FROM moved_change ORDER BY id`,
    'DROP TABLE moved_change',
    'CREATE INDEX change_at ON change (at, site_id, kind_position, id, equipment_type, ' +
      'gap_before, superseded_at, recorded_at)',
    ...INDEXES_OF_CHANGES,
    `CREATE TABLE published_log (
  site_log_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  content TEXT NOT NULL,
  sections BLOB NOT NULL,
  CONSTRAINT published_log_pkey PRIMARY KEY (site_log_id),
  CONSTRAINT published_log_site_log_id_fkey FOREIGN KEY (site_log_id) REFERENCES site_log (id)
) STRICT`,
    "INSERT INTO published_log SELECT id, 0, 0, '', x'' FROM site_log",
    INDEX_OF_PUBLISHED_LOGS,
    ...INDEX_OF_IDS,
  ],
  // The tables stay, with the rights that operators granted.
  postgres: [
    'DELETE FROM finding',
    `ALTER TABLE finding
      DROP COLUMN message,
      ADD COLUMN item bigint,
      ADD COLUMN label text COLLATE "C",
      ADD COLUMN details text COLLATE "C" NOT NULL,
      ADD COLUMN others text COLLATE "C" NOT NULL`,
    INDEX_OF_FINDINGS,
    'ALTER TABLE site_log ADD COLUMN agencies text COLLATE "C"',
    'CREATE INDEX site_log_to_read_again ON site_log (id) WHERE agencies IS NULL',
    `ALTER TABLE change
      ADD COLUMN changed_at text COLLATE "C",
      ADD COLUMN comparison_key text COLLATE "C",
      ADD COLUMN group_key text COLLATE "C"`,
    'UPDATE change SET changed_at = recorded_at',
    'ALTER TABLE change ALTER COLUMN changed_at SET NOT NULL',
    'DROP INDEX change_recorded, change_at_site',
    ...INDEXES_OF_CHANGES,
    `CREATE TABLE published_log (
  site_log_id bigint NOT NULL,
  version bigint NOT NULL,
  bytes bigint NOT NULL,
  content text COLLATE "C" NOT NULL,
  sections bytea NOT NULL,
  CONSTRAINT published_log_pkey PRIMARY KEY (site_log_id),
  CONSTRAINT published_log_site_log_id_fkey FOREIGN KEY (site_log_id) REFERENCES site_log (id)
)`,
    "INSERT INTO published_log SELECT id, 0, 0, '', '' FROM site_log",
    INDEX_OF_PUBLISHED_LOGS,
    ...INDEX_OF_IDS,
  ],
};

/** The new key of a clock: what follows `["clock","EXTERNAL `, which has 19 characters. */
const CLOCK_KEY = `'["clock","' || ltrim(substr(identity, 20))`;
/**
 * Where several clocks would get one key, the first keeps its id, unless one has the key already.
 */
const KEYS_OF_CLOCKS = `
  UPDATE equipment SET identity = ${CLOCK_KEY} WHERE id IN (
    SELECT min(id) FROM equipment AS named
    WHERE equipment_type = 'clock' AND identity LIKE '["clock","EXTERNAL %'
      AND NOT EXISTS (
        SELECT 1 FROM equipment AS other
        WHERE other.identity = '["clock","' || ltrim(substr(named.identity, 20)))
    GROUP BY ${CLOCK_KEY})`;

/**
 * A finding has its values instead of a message, and a log the names of its agencies and what is
 * published of it. All that follows from the stored logs, so it is empty until these are read again
 * (`save/read-again.ts`). The
 * key of a clock does not contain the word EXTERNAL. A change says since when it has said the same,
 * which its key decides; keys are empty until the changes are compared (`save/compare-again.ts`).
 */
async function findingsAsData(transaction: Transaction): Promise<void> {
  const engine = transaction.dialect === SQLITE ? 'sqlite' : 'postgres';
  for (const statement of [...FINDINGS_AND_AGENCIES[engine], KEYS_OF_CLOCKS])
    await transaction.run(raw(statement));
}

/** The migrations, in order. */
export const MIGRATIONS: readonly Migration[] = [createTables, findingsAsData];

/**
 * Creates the tables of an empty database, or brings those of an older one to the last migration.
 * @param migration how many it has had
 */
export async function migrate(transaction: Transaction, migration: number): Promise<void> {
  if (migration === 0) {
    await createTables(transaction);
    await transaction.run(sql`UPDATE ${raw(MARK)} SET text_version = ${documentsVersion()}`);
  } else {
    for (const step of MIGRATIONS.slice(migration)) await step(transaction);
  }
  await transaction.run(sql`UPDATE ${raw(MARK)} SET migration = ${MIGRATIONS.length}`);
}

/** How to continue without the database, and what is lost by that. */
export const IMPORT_ANEW =
  'import the site logs into a new one, which loses ids, times of recording, the feed, ' +
  'corrections (withdrawals, retirements and renames) and logs whose files are gone';

/**
 * Why a database cannot be used by this version, as the end of a sentence about it; undefined if it
 * can.
 * @param migration null if a version from before the first release made it
 */
export function whyUnusable(migration: number | null): string | undefined {
  if (migration === null) {
    return `was made by a development version; ${IMPORT_ANEW}`;
  }
  if (migration > MIGRATIONS.length) {
    return (
      `is from a newer version (migration ${migration}; this version has ${MIGRATIONS.length}); ` +
      'install the newer version'
    );
  }
  return undefined;
}

/**
 * Why a database cannot be read, although it can be written, as the end of a sentence about it;
 * undefined if it can.
 */
export function whyOutdated(migration: number): string | undefined {
  if (migration >= MIGRATIONS.length) return undefined;
  return (
    `is from an older version (migration ${migration} of ${MIGRATIONS.length}); ` +
    'run: gnss-site-setups migrate'
  );
}
