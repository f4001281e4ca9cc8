import { crc32 } from 'node:zlib';
import type { Database } from 'better-sqlite3';

/**
 * The journal: all imports and corrections, in order, so that all derived content can be derived again. The earlier
 * content of each Site is its `baseline`. Each row of derived content gets a checksum.
 */
const TABLES = `
  -- kind: import, withdraw, restore, retire, unretire, rename; baseline is what a Site had before there was a journal.
  -- at is the time of the clock. detail is the file name of an import, or the correction as JSON; sha256 is of the log.
  -- digest is of what was derived from the log that was read. last_ids has the last id of each table afterwards, as a JSON
  -- array: site, site_log, setup, installation, change, equipment. The other tables have no foreign key of it, so that it
  -- can be read whatever happened to them.
  CREATE TABLE journal (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    kind        TEXT NOT NULL,
    at          TEXT NOT NULL,
    site_id     INTEGER NOT NULL,
    site_log_id INTEGER,
    detail      TEXT,
    sha256      TEXT,
    digest      TEXT,
    last_ids    TEXT NOT NULL,
    checksum    INTEGER NOT NULL
  ) STRICT;
  -- CRC-32 of the columns that never change, or change only together with it.
  ALTER TABLE setup ADD COLUMN checksum INTEGER;
  ALTER TABLE installation ADD COLUMN checksum INTEGER;
  ALTER TABLE change ADD COLUMN checksum INTEGER;
  ALTER TABLE equipment ADD COLUMN checksum INTEGER;
`;

const CHECKED = {
  setup: ['site_id', 'site_log_id', 'effective_from', 'effective_to', 'recorded_at', 'equipment_in_use'],
  installation: ['site_id', 'equipment_id', 'site_log_id', 'period_from', 'period_to', 'recorded_at', 'configuration'],
  change: ['site_id', 'at', 'equipment_type', 'kind_position', 'recorded_at', 'document'],
  equipment: ['identity', 'equipment_type', 'type', 'serial_number', 'document'],
};
const NUMBERED = ['site', 'site_log', 'setup', 'installation', 'change', 'equipment'];

type Value = string | number | null;
const checksumOf = (values: readonly Value[]): number => crc32(values.join('\0'));

/** How many rows are read at once. */
const BATCH = 1000;

function addChecksums(db: Database, table: string, columns: string[]): void {
  const rows = db
    .prepare<[number, number], [number, ...Value[]]>(`SELECT id, ${columns.join(', ')} FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`)
    .raw();
  const save = db.prepare(`UPDATE ${table} SET checksum = ? WHERE id = ?`);
  for (let last: number | undefined = -Infinity; last !== undefined;) {
    const batch: [number, ...Value[]][] = rows.all(last === -Infinity ? Number.MIN_SAFE_INTEGER : last, BATCH);
    for (const [id, ...values] of batch) save.run(checksumOf(values), id);
    last = batch.at(-1)?.[0];
  }
}

/** Adds the journal, a baseline for each Site, and the checksums. */
export function journal(db: Database): void {
  db.exec(TABLES);
  for (const [table, columns] of Object.entries(CHECKED)) addChecksums(db, table, columns);
  const lastIds = JSON.stringify(NUMBERED.map((table) => db.prepare(`SELECT coalesce(max(id), 0) FROM ${table}`).pluck().get()));
  const add = db.prepare('INSERT INTO journal (id, kind, at, site_id, last_ids, checksum) VALUES (?, ?, ?, ?, ?, ?)');
  const sites = db
    .prepare<[], [number, string]>(
      `SELECT site.id, coalesce(max(imported_at), '') FROM site LEFT JOIN site_log ON site_id = site.id GROUP BY site.id ORDER BY site.id`,
    )
    .raw();
  for (const [index, [site, at]] of sites.all().entries()) {
    const values = [index + 1, 'baseline', at, site, null, null, null, null, lastIds];
    add.run(index + 1, 'baseline', at, site, lastIds, checksumOf(values));
  }
}
