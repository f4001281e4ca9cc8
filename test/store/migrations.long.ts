import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { buildApp } from '../../src/http/app.js';
import {
  importSiteLogs,
  openUpToDate,
  readAsImported,
  readStoredLog,
} from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { StoreUnusable } from '../../src/store/database.js';
import { migrateDatabase, openReader, openWriter } from '../../src/store/open.js';
import type { ImportAgain } from '../../src/store/save/corrections.js';
import { restoreDatabase, verifyDatabase } from '../../src/store/upkeep/maintenance.js';
import { importInto, newDatabase } from '../databases.js';
import { BEFORE_2, oldCursors, oldDatabase, oldFile } from '../migrations/old-database.js';
import { CONTRACT } from '../project-files.js';
import { rawDatabase } from '../raw-database.js';

const NOW = new Date('2020-03-01T00:00:00.000Z');
/** When the logs are imported again. */
const LATER = new Date('2020-03-02T00:00:00.000Z');
const LOGS = 12;

interface StoredLog {
  id: number;
  name: string;
  sha256: string;
  imported_at: string;
  original: Buffer;
}

interface StoredFinding {
  site_log_id: number;
  position: number;
}

/** All rows of a table. */
const rowsOf = <Row>(database: string, table: string): Promise<Row[]> =>
  rawDatabase(database).all<Row>(`SELECT * FROM ${table} ORDER BY 1, 2`);

/** The rows of the tables that a migration keeps, without what it changes. */
async function keptRows(database: string): Promise<Record<string, object[]>> {
  const kept: Record<string, object[]> = {};
  for (const table of [
    'site',
    'site_identity',
    'site_summary',
    'site_log',
    'setup',
    'equipment',
    'installation',
    'change',
    'event',
    'last_import',
    'rejected_file',
    'equipment_type_count',
  ]) {
    const rows = await rowsOf<Record<string, unknown>>(database, table);
    kept[table] = rows.map(
      ({
        agencies: _agencies,
        changed_at: _time,
        comparison_key: _key,
        group_key: _group,
        ...row
      }) =>
        row.equipment_type === 'clock' && 'search_text' in row ? { ...row, identity: '' } : row,
    );
  }
  return kept;
}

/** The findings and agencies of each log, by its SHA-256. */
async function readingsOf(database: string): Promise<Record<string, object>> {
  const findings = await rowsOf<StoredFinding>(database, 'finding');
  const logs = await rowsOf<StoredLog & { agencies: string }>(database, 'site_log');
  return Object.fromEntries(
    logs.map(({ id, sha256, agencies }) => {
      const own = findings.filter((finding) => finding.site_log_id === id);
      return [sha256, { agencies, findings: own.map((row) => ({ ...row, site_log_id: 0 })) }];
    }),
  );
}

/** Writes the stored logs of a database into a new folder, and returns them. */
async function writeLogs(database: string, folder: string): Promise<StoredLog[]> {
  mkdirSync(folder);
  const logs = await rowsOf<StoredLog>(database, 'site_log');
  for (const { name, original } of logs) writeFileSync(join(folder, name), original);
  return logs;
}

/** Imports the stored logs of a database into a new one, each at the time of its first import. */
async function importAnew(t: Test, database: string, folder: string): Promise<string> {
  const anew = await newDatabase(t, join(folder, 'anew.sqlite'));
  for (const { name, imported_at } of await writeLogs(database, join(folder, 'logs')))
    await importInto(anew, [join(folder, 'logs', name)], new Date(imported_at));
  return anew;
}

/** The problems that `verify` finds. */
async function problemsOf(database: string): Promise<string[]> {
  const { problems } = await verifyDatabase(database, readAsImported);
  return problems.map(({ text }) => text);
}

/** The cursors of the entries of the feed after a cursor. */
async function feedAfter(database: string, cursor?: string): Promise<string[]> {
  const store = await openReader(database);
  const app = await buildApp({ store, contractFolder: CONTRACT });
  try {
    const query = cursor === undefined ? '' : `&after=${cursor}`;
    const answer = await app.inject(`/feed?size=100${query}`);
    const { _embedded } = answer.json<{ _embedded: { entries: { id: string }[] } }>();
    return _embedded.entries.map(({ id }) => id);
  } finally {
    await app.close();
    await store.close();
  }
}

/**
 * A removal that cannot be read ends with the start of the next item now; before, the receiver was
 * in use for ever.
 */
const REMOVAL = /^Site BRAV00AUS: its logs give other values than those on record: /;
/** Two clocks of this Site had their own keys, and have one since. */
const CLOCKS = /^Site CLOC: its logs give other values than those on record: installations$/;

t.test('a database of before is migrated in place', async (t) => {
  const folder = t.testdir();
  const database = await oldDatabase(t, join(folder, 'old.sqlite'), BEFORE_2);
  const before = await keptRows(database);
  t.ok(before.site_log!.length === LOGS && before.event!.length > LOGS);
  await t.rejects(openReader(database), /run: gnss-site-setups migrate$/);

  const migrated = await migrateDatabase(database, NOW, readAsImported);
  t.match(migrated, { from: 1, to: 2, logs: LOGS, problems: [] });
  t.same(await keptRows(database), before);
  const again = await migrateDatabase(database, NOW, readAsImported);
  t.match(again, { from: 2, to: 2, logs: 0, kept: null });

  const cursors = oldCursors(BEFORE_2);
  for (const [index, cursor] of cursors.entries())
    t.same(await feedAfter(database, cursor), cursors.slice(index + 1));

  const anew = await importAnew(t, database, folder);
  t.same(await readingsOf(database), await readingsOf(anew));
  const problems = await problemsOf(database);
  t.match(problems, [REMOVAL, CLOCKS]);
  t.equal(problems.length, 2);
});

t.test('importing the same logs after a migration changes only the devices merged', async (t) => {
  const folder = t.testdir();
  const database = await oldDatabase(t, join(folder, 'old.sqlite'), BEFORE_2);
  await writeLogs(database, join(folder, 'logs'));
  await migrateDatabase(database, NOW, readAsImported);
  const before = await keptRows(database);
  const { files } = await importInto(database, [join(folder, 'logs')], LATER);
  const saved = files.filter(({ outcome }) => outcome === 'saved');
  t.same(
    saved.map(({ site, setups }) => ({ site, setups })),
    [
      { site: 'BRAV00AUS', setups: { added: 2, superseded: 2 } },
      { site: 'CLOC', setups: { added: 0, superseded: 0 } },
    ],
  );
  const after = await keptRows(database);
  const [bravo] = (after.site_identity as { site_id: number; nine_character_id: string | null }[])
    .filter((row) => row.nine_character_id === 'BRAV00AUS')
    .map((row) => row.site_id);
  const ofOthers = (rows: object[] | undefined): object[] | undefined =>
    rows?.filter((row) => !('site_id' in row) || row.site_id !== bravo);
  for (const table of ['setup', 'change', 'site_log', 'site_identity', 'rejected_file'])
    t.same(ofOthers(after[table]), ofOthers(before[table]), table);
  const entries = await feedAfter(database);
  t.same(entries.slice(0, -1), oldCursors(BEFORE_2), 'one more entry: that of BRAV00AUS');
  t.same(await problemsOf(database), []);
  const next = await importInto(database, [join(folder, 'logs')], LATER);
  t.equal(next.saved, 0);
});

t.test('corrections of before can be undone after a migration', async (t) => {
  const database = await oldDatabase(t, join(t.testdir(), 'old.sqlite'), BEFORE_2);
  const logs = await rowsOf<StoredLog>(database, 'site_log');
  const numberOf = (name: string): number => logs.find((log) => log.name === name)!.id;
  // Corrections migrate, too.
  const store = await openUpToDate(database);
  const correct = (site: string, correction: Parameters<typeof store.correct>[1]) =>
    store.correct(parseSiteId(site), correction, () => NOW, readStoredLog);
  try {
    const restored = await correct('DELT', { kind: 'restore', log: numberOf('delt_20190101.log') });
    t.match(restored, { kind: 'corrected', isCurrent: true });
    t.match(await correct('HOTL', { kind: 'restore', log: numberOf('hotl_20180101.log') }), {
      kind: 'corrected',
      isCurrent: true,
    });
    t.match(await correct('FOXT', { kind: 'unretire' }), { kind: 'corrected', site: 'FOXT' });
    const renamed = await correct('ECHU', { kind: 'rename', to: parseSiteId('ECHO') });
    t.match(renamed, { kind: 'corrected', formerly: 'ECHU', site: 'ECHO' });
  } finally {
    await store.close();
  }
  const problems = await problemsOf(database);
  t.match(problems, [REMOVAL, CLOCKS]);
  t.equal(problems.length, 2);
});

t.test('what a migration leaves out stays marked until it is made', async (t) => {
  const folder = t.testdir();
  const database = await oldDatabase(t, join(folder, 'old.sqlite'), BEFORE_2);
  // As if the process had ended between the migration and the first log.
  await (await openWriter(database)).close();
  t.same(await feedAfter(database), oldCursors(BEFORE_2));
  t.match(await problemsOf(database), [
    REMOVAL,
    CLOCKS,
    new RegExp(`since the migration: ${LOGS};`),
    /^changes that have not been compared since the migration/,
  ]);

  const lateLogs = (await rowsOf<StoredLog>(database, 'site_log')).slice(10);
  const stopped: ImportAgain = (log) => {
    if (lateLogs.some(({ name }) => name === log.name)) throw new Error('stopped');
    return readAsImported(log);
  };
  const first = await migrateDatabase(database, NOW, stopped);
  t.equal(first.logs, 10);
  t.equal(first.problems.length, LOGS - 10);
  t.match(await problemsOf(database), [REMOVAL, CLOCKS, /since the migration: 2;/]);

  t.match(await migrateDatabase(database, NOW, readAsImported), { from: 2, logs: 2, problems: [] });
  t.same(await readingsOf(database), await readingsOf(await importAnew(t, database, folder)));
});

t.test('a dry run over a database of before changes nothing', async (t) => {
  const folder = t.testdir();
  const database = await oldDatabase(t, join(folder, 'old.sqlite'), BEFORE_2);
  const before = await keptRows(database);
  const store = await openUpToDate(database, { dryRun: true });
  await importSiteLogs(
    [],
    store,
    () => NOW,
    () => undefined,
  );
  await store.close();
  t.same(await keptRows(database), before);
  await t.rejects(openReader(database), StoreUnusable);
});

t.test('a backup of before is restored with its findings', async (t) => {
  const folder = t.testdir();
  const backup = await oldFile(join(folder, 'backup.sqlite'), BEFORE_2);
  const before = await keptRows(backup);
  const database = await newDatabase(t, join(folder, 'restored.sqlite'));
  await restoreDatabase(database, backup, NOW, () => undefined, readAsImported);
  t.same(await keptRows(database), before);
  t.same(await readingsOf(database), await readingsOf(await importAnew(t, database, folder)));
});

t.test('a migration finds out since when changes have said the same', async (t) => {
  const folder = t.testdir();
  const database = await oldDatabase(t, join(folder, 'old.sqlite'), BEFORE_2);
  interface StoredChange {
    id: number;
    kind: string;
    at: string;
    recorded_at: string;
    superseded_at: string | null;
    changed_at: string;
    comparison_key: string | null;
    group_key: string | null;
  }
  // As an earlier log spelt it.
  await rawDatabase(database).exec(
    `UPDATE change SET document = replace(document, 'LEICA GR10', 'leica gr10')
      WHERE superseded_at IS NOT NULL`,
  );
  await (await openWriter(database)).close();
  const outdated = await rowsOf<StoredChange>(database, 'change');
  t.ok(outdated.every((row) => row.comparison_key === null && row.changed_at === row.recorded_at));
  const notCompared = /^changes that have not been compared since the migration/;
  t.ok((await problemsOf(database)).some((problem) => notCompared.test(problem)));

  await migrateDatabase(database, NOW, readAsImported);
  const rows = await rowsOf<StoredChange>(database, 'change');
  t.ok(rows.every((row) => row.comparison_key !== null && row.group_key !== null));
  const continued = rows.filter((row) => row.changed_at !== row.recorded_at);
  t.ok(continued.length > 0);
  for (const row of continued) {
    const earlier = rows.find((each) => each.superseded_at === row.recorded_at)!;
    t.match(earlier, { at: row.at, kind: row.kind, changed_at: row.changed_at });
  }
  t.notOk((await problemsOf(database)).some((problem) => notCompared.test(problem)));
});
