import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import t from 'tap';
import { readAsImported, readStoredLog } from '../../../src/import-site-logs.js';
import { parseSiteId } from '../../../src/requests/site-id.js';
import {
  backUpDatabase,
  restoreDatabase,
  verifyDatabase,
} from '../../../src/store/upkeep/maintenance.js';
import { openReader, openWriter } from '../../../src/store/open.js';
import { openWrites } from '../../../src/store/postgres/open.js';
import { importInto } from '../../databases.js';
import { SAMPLE } from '../../project-files.js';
import { logText } from '../../synthetic-log.js';
import { runStatements } from '../../postgres/cluster.js';
import { createDatabase } from '../../postgres/database.js';
import { compareDatabases } from '../../same-answers.js';

const NOW = new Date('2026-01-31T02:45:00Z');
const quietly = (): void => undefined;

const sitesOf = async (database: string): Promise<number> => {
  const reader = await openReader(database);
  return (await reader.status().finally(() => reader.close())).sites;
};

const differences = async (one: string, other: string): Promise<string[]> =>
  (await compareDatabases([one, other], { links: 100, requests: 0 })).differences;

const database = await createDatabase(t);
const folder = t.testdir({
  'test_20200101.log': logText({ receivers: [{ type: 'A', serial: '1', from: '2001-01-01' }] }),
});
process.chdir(folder);
const backup = join(folder, 'backup.sqlite');

t.test('backup makes a SQLite file with the same answers', async (t) => {
  await importInto(database, [SAMPLE]);
  const writer = await openWriter(database);
  await writer.correct(parseSiteId('ALIC'), { kind: 'retire' }, () => new Date(), readStoredLog);
  await writer.close();
  t.match(await backUpDatabase(database, backup, quietly), {
    sites: 8,
    bytes: Number,
  });
  t.same(await differences(database, backup), []);
  t.same(
    readdirSync(folder).sort(),
    ['backup.sqlite', 'test_20200101.log'],
    'nothing else is left',
  );
});

t.test('verify finds what was changed, and a restored backup mends it', async (t) => {
  await runStatements(
    database,
    `UPDATE setup SET equipment_in_use = '[]' WHERE id = (SELECT max(id) FROM setup WHERE superseded_at IS NULL);
     UPDATE equipment_type_count SET devices = devices + 1;
     DELETE FROM change WHERE id = (SELECT max(id) FROM change WHERE superseded_at IS NULL)`,
  );
  const { problems } = await verifyDatabase(database, readAsImported);
  t.ok(problems.length >= 2);
  t.ok(problems.every(({ remedy }) => remedy === 'import'));
  t.ok(problems.some(({ text }) => /^Site \w+: its logs give other values .*changes$/.test(text)));
  await restoreDatabase(
    database,
    backup,
    new Date('2026-01-31T02:44:00Z'),
    quietly,
    readAsImported,
  );
  t.same((await verifyDatabase(database, readAsImported)).problems, []);
  t.same(await differences(database, backup), [], 'as it was before the damage');
});

t.test('verify finds what is missing in the schema and what was added', async (t) => {
  await runStatements(
    database,
    `DROP INDEX setup_by_end;
     CREATE TRIGGER added_trigger BEFORE UPDATE ON site FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
     ALTER TABLE site ADD CONSTRAINT added_check CHECK (id > 0);
     CREATE UNIQUE INDEX added_index ON site (id, name)`,
  );
  const texts = async (): Promise<string[]> =>
    (await verifyDatabase(database, readAsImported)).problems.map(({ text }) => text).sort();
  const added = [
    'constraint added_check was added; drop it with: ALTER TABLE site DROP CONSTRAINT added_check',
    'trigger added_trigger was added; drop it with: DROP TRIGGER added_trigger ON site',
    'unique index added_index was added; drop it with: DROP INDEX added_index',
  ];
  t.same(await texts(), [added[0], 'setup_by_end is missing', added[1], added[2]]);
  for (const text of added) await runStatements(database, text.replace(/^.*drop it with: /, ''));
  t.same(await texts(), ['setup_by_end is missing']);
  await runStatements(
    database,
    'CREATE INDEX setup_by_end ON setup (effective_to, id, superseded_at, recorded_at)',
  );
  t.same(await texts(), []);
});

t.test('restore replaces the content for running services, and keeps the old one', async (t) => {
  await importInto(database, [join(folder, 'test_20200101.log')]);
  const reader = await openReader(database);
  t.equal((await reader.status()).sites, 8, 'nine, and one is retired');
  const { kept, sites } = await restoreDatabase(database, backup, NOW, quietly, readAsImported);
  t.equal(sites, 8);
  t.equal((await reader.status()).sites, 7);
  await reader.close();
  t.same(await differences(database, backup), []);
  t.equal(
    kept,
    join(folder, `${new URL(database).pathname.slice(1)}.sqlite.before-restore-20260131T024500Z`),
  );
  t.equal(await sitesOf(kept!), 8);
  t.same((await verifyDatabase(database, readAsImported)).problems, []);

  const created = await createDatabase(t);
  t.match(await restoreDatabase(created, backup, NOW, quietly, readAsImported), {
    sites: 8,
    kept: null,
  });
  t.same(await differences(created, backup), []);
  await t.rejects(
    restoreDatabase(created, join(folder, 'none.sqlite'), NOW, quietly, readAsImported),
    /none\.sqlite" does not exist/,
  );
  await t.rejects(
    restoreDatabase(created, join(folder, 'test_20200101.log'), NOW, quietly, readAsImported),
    /is not a backup of this service; your database was not changed/,
  );
  t.equal(await sitesOf(created), 7);
});

t.test('a restore succeeds while somebody reads for long', async (t) => {
  const reading = await openWrites(database);
  await reading.unlocked(async (transaction) => {
    await transaction.get(sql`SELECT count(*) FROM change`);
    t.type((await restoreDatabase(database, backup, NOW, quietly, readAsImported)).kept, 'string');
  });
  await reading.close();
  t.same(await differences(database, backup), []);
});

t.test('a database without tables has nothing to verify or back up', async (t) => {
  const empty = await createDatabase(t);
  await t.rejects(verifyDatabase(empty, readAsImported), /is empty; create its tables with/);
  await t.rejects(backUpDatabase(empty, join(folder, 'empty.sqlite'), quietly), /is empty/);
  t.notOk(existsSync(join(folder, 'empty.sqlite')));
});
