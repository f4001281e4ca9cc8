import type { ImportAgain } from '../../src/store/save/corrections.js';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { readAsImported } from '../../src/import-site-logs.js';
import { columnsOf, kindOf, TABLE_NAMES, TABLES } from '../../src/store/schema.js';
import { rebuild, verifyDatabase } from '../../src/store/upkeep/maintenance.js';
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
const INTACT = { problems: [], toDeriveAgain: [], logs: 23, sites: 13 };
const textsOf = (problems: { text: string }[]): string[] => problems.map(({ text }) => text);

t.test('verify finds nothing in an intact database, and rebuild changes nothing', async (t) => {
  const file = damaged('intact', 'SELECT 1');
  t.strictSame(await verifyDatabase(file, readAsImported), INTACT);
  t.strictSame(await rebuild(file, readAsImported), { problems: [], repaired: 0 });
  t.strictSame(await contentsOf(file), expected);
});

/**
 * What a log gives, or follows from other rows: found, and repaired with the same ids, times and checksums. The cases of a group do
 * not affect each other, so one database has them all.
 */
const REPAIRED: Record<string, [statements: string, found: RegExp][]> = {
  'rows with other values': [
    [
      'UPDATE change SET site_id = 1 WHERE id = (SELECT max(id) FROM change WHERE superseded_at IS NULL)',
      /^change \d+ of Site/,
    ],
    [
      `UPDATE setup SET superseded_at = '2026-01-09T00:00:00.000Z' WHERE id = (SELECT max(id) FROM setup WHERE superseded_at IS NULL)`,
      /^setup \d+ of Site/,
    ],
    [
      'UPDATE change SET checksum = checksum + 1 WHERE id = 1',
      /^change 1 of Site \w+ does not match its checksum$/,
    ],
    [
      'UPDATE site SET retired_at = NULL WHERE retired_at IS NOT NULL',
      /^site \d+ does not match its checksum$/,
    ],
    [
      'UPDATE site_rename SET checksum = checksum + 1',
      /^site_rename DDDD\w* does not follow from the corrections$/,
    ],
    ['DROP INDEX setup_current', /^setup_current is missing$/],
  ],
  // This is checked once the rows from which it follows are intact.
  'what follows from other rows': [
    [
      'UPDATE equipment SET in_use = 1 - in_use WHERE id = 3',
      /^equipment 3 does not follow from its installations$/,
    ],
    [
      'UPDATE change SET gap_before = gap_before + 1 WHERE gap_before IS NOT NULL',
      /^change \d+ of Site \w+ has a wrong gap$/,
    ],
    [
      `UPDATE equipment_type_count SET sites = sites + 1 WHERE type = 'R2'`,
      /^equipment_type_count does not match the devices$/,
    ],
  ],
  'rows that were deleted': [
    [
      `DELETE FROM setup WHERE id IN (SELECT id FROM setup WHERE superseded_at IS NULL ORDER BY id DESC LIMIT 2)`,
      /^setup \d+ is missing$/,
    ],
    [
      'DELETE FROM change WHERE id = (SELECT max(id) FROM change WHERE superseded_at IS NULL)',
      /^change \d+ is missing$/,
    ],
    ['DELETE FROM site WHERE id = 9', /^site 9 is missing$/],
    ['DELETE FROM equipment WHERE id = 3', /^equipment 3 is missing$/],
    ['DELETE FROM site_rename', /^site_rename DDDD\w* does not follow from the corrections$/],
    [
      'DROP INDEX setup_by_start; CREATE INDEX setup_by_start ON setup (effective_from)',
      /^setup_by_start has a wrong definition$/,
    ],
  ],
  'surplus rows, and a time': [
    [
      `UPDATE setup SET recorded_at = '2026-01-01T00:00:00.001Z' WHERE id = (SELECT max(id) FROM setup WHERE superseded_at IS NULL)`,
      /^setup \d+ of Site \w+ does not match its checksum$/,
    ],
    [
      `INSERT INTO site_rename SELECT 'ZZZZ', 'ZZZZ', site_id, renamed_at, checksum FROM site_rename LIMIT 1`,
      /^site_rename ZZZZ should not exist$/,
    ],
    [
      `INSERT INTO setup SELECT (SELECT max(id) + 1 FROM setup), site_id, site_log_id, effective_from, effective_to, recorded_at,
         '2026-01-09T00:00:00.000Z', checksum, equipment_in_use FROM setup LIMIT 1`,
      /^setup \d+ should not exist$/,
    ],
  ],
};

for (const [what, damages] of Object.entries(REPAIRED)) {
  t.test(`damage is found and repaired: ${what}`, async (t) => {
    const file = damaged('repaired', damages.map(([statements]) => statements).join(';'));
    const texts = textsOf((await verifyDatabase(file, readAsImported)).problems);
    for (const [, found] of damages) t.match(texts.join('\n'), new RegExp(found, 'm'));
    const { problems: left, repaired } = await rebuild(file, readAsImported);
    t.ok(repaired >= damages.length && left.every(({ repairable }) => repairable));
    t.strictSame(await contentsOf(file), expected);
    t.strictSame(await verifyDatabase(file, readAsImported), INTACT);
  });
}

/** What no log gives: found and reported, also by rebuild, and left as it is. */
const REPORTED: Record<string, [statements: string, found: RegExp]> = {
  'the bytes of a log': [
    `UPDATE site_log SET original = CAST('x' AS BLOB) WHERE id = 9`,
    /^site_log 9: the original does not match its SHA-256$/,
  ],
  'a superseded Setup': [
    `UPDATE setup SET equipment_in_use = '[]' WHERE id = (SELECT min(id) FROM setup WHERE superseded_at IS NOT NULL)`,
    /^setup \d+ of Site \w+ does not match its checksum$/,
  ],
  'a superseded change that was deleted': [
    'DELETE FROM change WHERE id = (SELECT min(id) FROM change WHERE superseded_at IS NOT NULL)',
    /^change \d+ is missing$/,
  ],
  'an event that was deleted': ['DELETE FROM event WHERE id = 3', /^event 3 is missing$/],
  'the record of the last import, which was deleted': [
    'DELETE FROM last_import',
    /^last_import 1 is missing$/,
  ],
  'a trigger that was added': [
    'CREATE TRIGGER added AFTER INSERT ON site BEGIN DELETE FROM setup; END',
    /^trigger added on site was added; drop it with: DROP TRIGGER added$/,
  ],
  'a constraint that was added': [
    'CREATE UNIQUE INDEX added ON site (name)',
    /^index added on site was added; drop it with: DROP INDEX added$/,
  ],
};

for (const [what, [statements, found]] of Object.entries(REPORTED)) {
  t.test(`damage to ${what} is reported`, async (t) => {
    const file = damaged('reported', statements);
    const before = await contentsOf(file);
    for (const examine of [verifyDatabase, rebuild]) {
      const { problems } = await examine(file, readAsImported);
      t.match(
        textsOf(problems.filter(({ repairable }) => !repairable)).join('\n'),
        new RegExp(found, 'm'),
        examine.name,
      );
    }
    t.strictSame(await contentsOf(file), before);
  });
}

/** Another value of the kind of a column. */
const OTHER: Record<string, string> = {
  integer: 'coalesce(%, 0) + 1000',
  number: 'coalesce(%, 0) + 1000',
  text: "coalesce(%, '') || 'x'",
  bytes: "CAST('x' AS BLOB)",
};
/** What other rows say, which is checked once these are intact, and tables of which all follows from other rows. See the cases above. */
const DERIVED_COLUMNS = [
  'checksum',
  'counterpart_id',
  'gap_before',
  'merged_kind',
  'listed',
  'in_use',
  'conflicting',
];
const DERIVED_TABLES = ['rejected_file', 'site_rename', 'equipment_type_count'];

t.test('another value in any column of the newest row of a table is found', async (t) => {
  const tables = TABLE_NAMES.filter((table) => !DERIVED_TABLES.includes(table)).map((table) => {
    const key: readonly string[] = TABLES[table].key;
    return {
      table,
      columns: columnsOf(table).filter(
        (column) => !DERIVED_COLUMNS.includes(column) && !key.includes(column),
      ),
    };
  });
  // One column of every table at a time.
  for (let index = 0; index < Math.max(...tables.map(({ columns }) => columns.length)); index++) {
    const some = tables.flatMap(({ table, columns }) =>
      columns.slice(index, index + 1).map((column) => ({ table, column })),
    );
    const statements = some.map(({ table, column }) => {
      const value = OTHER[kindOf(table, column)]!.replace('%', column);
      return `UPDATE ${table} SET ${column} = ${value} WHERE rowid = (SELECT max(rowid) FROM ${table})`;
    });
    const { problems } = await verifyDatabase(
      damaged('columns', statements.join(';')),
      readAsImported,
    );
    for (const { table, column } of some)
      t.match(textsOf(problems).join('\n'), new RegExp(`^${table}`, 'm'), `${table}.${column}`);
  }
});

t.test(
  'a Site that an older version of the readers derived is to be derived again, and is not damaged',
  async (t) => {
    const file = damaged('older', 'SELECT 1');
    // These readers do not know the name of a Site yet.
    const older: ImportAgain = (...file) => {
      const { log, ...read } = readAsImported(...file);
      return { ...read, log: { ...log, identification: { ...log.identification, name: null } } };
    };
    const { problems, toDeriveAgain } = await verifyDatabase(file, older);
    t.strictSame(problems, []);
    t.ok(toDeriveAgain.includes('AAAA'));
  },
);
