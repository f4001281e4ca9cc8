import type { ImportAgain } from '../../src/store/save/corrections.js';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { readAsImported } from '../../src/import-site-logs.js';
import { columnsOf, columnKind, TABLE_NAMES, TABLES } from '../../src/store/schema.js';
import { verifyDatabase } from '../../src/store/upkeep/maintenance.js';
import { createNetworkWithHistory } from '../network-with-history.js';
import { contentsOf } from '../raw-database.js';

const folder = t.testdir();
const network = await createNetworkWithHistory(folder);
new Database(network).pragma('wal_checkpoint(TRUNCATE)');
const expected = await contentsOf(network);

/** Runs statements on a copy of the network, past all constraints. */
function damaged(name: string, statements: string): string {
  const file = join(folder, `${name}.sqlite`);
  copyFileSync(network, file);
  const db = new Database(file);
  db.pragma('foreign_keys = OFF');
  db.pragma('ignore_check_constraints = ON');
  db.exec(statements);
  db.close();
  return file;
}

/** What verify finds in the network. */
const INTACT = { problems: [], logs: 23, sites: 13 };

t.test('verify finds nothing in an intact database, and changes nothing', async (t) => {
  const file = damaged('intact', 'SELECT 1');
  t.strictSame(await verifyDatabase(file, readAsImported), INTACT);
  t.strictSame(await contentsOf(file), expected);
});

/** A valid row of a table: the newest. */
const newest = (table: string): string =>
  `(SELECT max(id) FROM ${table} WHERE superseded_at IS NULL)`;

/** What a log gives, or follows from other rows. An import into a new database mends it. */
const DERIVED: Record<string, [statements: string, found: RegExp]> = {
  'a change of another Site': [
    `UPDATE change SET site_id = 1 WHERE id = ${newest('change')}`,
    /^Site \w+: its logs give other values than those on record: changes$/,
  ],
  'a Setup that is superseded': [
    `UPDATE setup SET superseded_at = '2026-01-09T00:00:00.000Z' WHERE id = ${newest('setup')}`,
    /^Site \w+: its logs give other values than those on record: Setups$/,
  ],
  'a Setup with another value': [
    `UPDATE setup SET equipment_in_use = '[]' WHERE id = ${newest('setup')}`,
    /: Setups$/,
  ],
  'Setups that were deleted': [
    `DELETE FROM setup WHERE id IN (SELECT id FROM setup WHERE superseded_at IS NULL ORDER BY id DESC LIMIT 2)`,
    /: Setups/,
  ],
  'an installation that was deleted': [
    `DELETE FROM installation WHERE id = ${newest('installation')}`,
    /: installations$/,
  ],
  'a finding that was deleted': [
    'DELETE FROM finding WHERE site_log_id = (SELECT max(site_log_id) FROM finding)',
    /: findings$/,
  ],
  'a summary': [`UPDATE site_summary SET search_text = 'x' WHERE site_id = 1`, /: its summary$/],
  'a Site': [`UPDATE site SET name = 'x' WHERE id = 1`, /: the Site$/],
  'a retired Site that is in use again': [
    'UPDATE site SET retired_at = NULL WHERE retired_at IS NOT NULL',
    /: Setups, installations, changes, its summary|: Setups, installations, changes/,
  ],
  'what a log says about itself': [
    `UPDATE site_log SET agency = 'x' WHERE id = (SELECT max(id) FROM site_log)`,
    /: site_log \d+$/,
  ],
  'the state of a device': [
    'UPDATE equipment SET in_use = 1 - in_use WHERE id = 3',
    /^equipment 3 does not follow from its installations$/,
  ],
  'the gap after a removal': [
    'UPDATE change SET gap_before = gap_before + 1 WHERE gap_before IS NOT NULL',
    /: changes$/,
  ],
  'the counts of a type': [
    `UPDATE equipment_type_count SET sites = sites + 1 WHERE type = 'R2'`,
    /^equipment_type_count does not match the devices$/,
  ],
  'a text that is no JSON': [
    `UPDATE installation SET identity = '{' WHERE id = ${newest('installation')}`,
    /^equipment cannot be compared with its logs: .*JSON/,
  ],
};

/** What no log gives. A backup mends it. */
const LOST: Record<string, [statements: string, found: RegExp]> = {
  'the bytes of a log': [
    `UPDATE site_log SET original = CAST('x' AS BLOB) WHERE id = 9`,
    /^site_log 9: the original does not match its SHA-256$/,
  ],
  'a Site that was deleted': [
    'DELETE FROM site WHERE id = 9',
    /^setup \d+ refers to a site that does not exist$/,
  ],
  'a device that was deleted': [
    'DELETE FROM equipment WHERE id = 3',
    /^installation \d+ refers to equipment 3, which does not exist$/,
  ],
  'a Site without a current log': [
    'UPDATE site_log SET superseded_at = imported_at WHERE site_id = 1',
    /^Site \w+ has no current log$/,
  ],
  'an index that was dropped': ['DROP INDEX setup_current', /^setup_current is missing$/],
  'an index with other columns': [
    'DROP INDEX setup_by_start; CREATE INDEX setup_by_start ON setup (effective_from)',
    /^setup_by_start has a wrong definition$/,
  ],
};

/** What somebody added, with the statement that drops it. */
const ADDED: Record<string, [statements: string, found: RegExp]> = {
  'a trigger': [
    'CREATE TRIGGER added AFTER INSERT ON site BEGIN DELETE FROM setup; END',
    /^trigger added on site was added; drop it with: DROP TRIGGER added$/,
  ],
  'a constraint': [
    'CREATE UNIQUE INDEX added ON site (name)',
    /^index added on site was added; drop it with: DROP INDEX added$/,
  ],
};

for (const [remedy, damages] of [
  ['import', DERIVED],
  ['restore', LOST],
  [null, ADDED],
] as const) {
  for (const [what, [statements, found]] of Object.entries(damages)) {
    t.test(`verify finds ${what}; what helps: ${remedy}`, async (t) => {
      const file = damaged('damaged', statements);
      const before = await contentsOf(file);
      const { problems } = await verifyDatabase(file, readAsImported);
      const problem = problems.find(({ text }) => found.test(text));
      t.equal(problem?.remedy, remedy, JSON.stringify(problems));
      t.strictSame(await contentsOf(file), before, 'it repairs nothing');
    });
  }
}

/** Another value of the kind of a column. */
const OTHER: Record<string, string> = {
  integer: 'coalesce(%, 0) + 1000',
  number: 'coalesce(%, 0) + 1000',
  text: "coalesce(%, '') || 'x'",
  bytes: "CAST('x' AS BLOB)",
};
/**
 * The tables whose valid rows follow from logs, and the columns of these that do not: when, and
 * from which log.
 */
const FROM_LOGS = [
  'site',
  'site_summary',
  'site_log',
  'finding',
  'setup',
  'installation',
  'change',
];
const NOT_FROM_LOGS = [
  'name',
  'imported_at',
  'recorded_at',
  'site_log_id',
  'last_event',
  'withdrawn_at',
  'changed_at',
];

t.test(
  'another value in any column of the newest valid row that a log gives is found',
  async (t) => {
    for (const table of TABLE_NAMES.filter((each) => FROM_LOGS.includes(each))) {
      const key: readonly string[] = TABLES[table].key;
      const columns = columnsOf(table).filter(
        (column) =>
          !key.includes(column) &&
          (!NOT_FROM_LOGS.includes(column) || `${table}.${column}` === 'site.name'),
      );
      for (const column of columns) {
        const value = OTHER[columnKind(table, column)]!.replace('%', column);
        const valid = columnsOf(table).includes('superseded_at')
          ? 'WHERE superseded_at IS NULL'
          : '';
        // The ids of a Site that was renamed, as the newest was, follow from no log.
        const which = table === 'site' ? '1' : `(SELECT max(rowid) FROM ${table} ${valid})`;
        const { problems } = await verifyDatabase(
          damaged('columns', `UPDATE ${table} SET ${column} = ${value} WHERE rowid = ${which}`),
          readAsImported,
        );
        t.not(problems.length, 0, `${table}.${column}`);
      }
    }
  },
);

t.test('a Site whose logs this version reads differently is reported', async (t) => {
  const file = damaged('older', 'SELECT 1');
  // These readers do not know the name of a Site yet.
  const older: ImportAgain = (...file) => {
    const { log, ...read } = readAsImported(...file);
    return { ...read, log: { ...log, identification: { ...log.identification, name: null } } };
  };
  const { problems } = await verifyDatabase(file, older);
  t.match(problems, [{ text: /^Site \w+: its logs give other values .*: the Site/ }]);
  const none: ImportAgain = () => {
    throw new Error('not a site log');
  };
  const { problems: unread } = await verifyDatabase(file, none);
  t.equal(unread.length, INTACT.logs);
  t.match(unread[0], {
    text: /^site_log \d+ cannot be read by this version: not a site log$/,
    remedy: 'import',
  });
});
