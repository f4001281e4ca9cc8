import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { raw } from 'sql-template-tag';
import t from 'tap';
import { run as migrate } from '../../../src/cli/commands/migrate.js';
import { type Migration, MIGRATIONS } from '../../../src/store/migrations.js';
import { openReader, openWriter } from '../../../src/store/open.js';
import { openToRead } from '../../../src/store/sqlite/open.js';
import { createDatabase, importInto } from '../../databases.js';
import { SAMPLE } from '../../project-files.js';

/**
 * The journal of SQLite's first transaction in a new file, which had no pages before:
 * https://sqlite.org/fileformat2.html#the_rollback_journal
 */
function journalOfNewFile(): Buffer {
  const journal = Buffer.alloc(512);
  journal.writeBigUInt64BE(0xd9d505f920a163d7n);
  journal.writeUInt32BE(journal.length, 20);
  journal.writeUInt32BE(4096, 24);
  return journal;
}

/** Writes the only page of a file that was switched to WAL mode. */
function createWithoutTables(file: string): void {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.close();
}

t.test(
  'a file that a killed import left without a commit is empty, and the next import creates the database',
  async (t) => {
    const left: Record<string, (file: string) => void> = {
      'a new file': (file) => writeFileSync(file, ''),
      'a journal and no page': (file) => {
        writeFileSync(file, '');
        writeFileSync(`${file}-journal`, journalOfNewFile());
      },
      'a journal and a page': (file) => {
        createWithoutTables(file);
        writeFileSync(`${file}-journal`, journalOfNewFile());
      },
      'no tables': createWithoutTables,
    };
    for (const [name, leave] of Object.entries(left)) {
      const file = join(t.testdir(), 'a.sqlite');
      leave(file);
      await t.rejects(
        openReader(file),
        { name: 'StoreUnusable', message: /is empty; create it with/ },
        name,
      );
      await t.rejects(openReader(file), { message: /is empty; create it with/ }, `${name}, again`);
      t.match(await importInto(file, [SAMPLE]), { rejected: 0 }, name);
      const store = await openReader(file);
      t.not((await store.status()).sites, 0, name);
      await store.close();
    }
  },
);

t.test(
  'a transaction that a killed process left in a journal is rolled back, and what was there before is served',
  async (t) => {
    const folder = t.testdir();
    const source = join(folder, 'source.sqlite');
    const file = join(folder, 'killed.sqlite');
    await createDatabase(source, [SAMPLE]);
    const db = new Database(source);
    db.pragma('journal_mode = DELETE');
    const names = (from: Database.Database): unknown[] =>
      from.prepare('SELECT name FROM site ORDER BY id').pluck().all();
    const before = names(db);
    // With a cache of one page, the changed pages go to the file before the commit.
    db.pragma('cache_size = 1');
    db.exec(
      "BEGIN; UPDATE setup SET equipment_in_use = '[]'; UPDATE site SET name = 'half-written'",
    );
    for (const end of ['', '-journal']) copyFileSync(source + end, file + end);
    db.close();

    const store = await openReader(file);
    t.teardown(() => store.close());
    const site = { fourCharacterId: 'ALIC', nineCharacterId: null };
    const found = await store.setups.findOne(site, { at: null, asOf: null, projection: null });
    t.match(found, { kind: 'found', setup: { current: true, equipmentInUse: {} } });
    const after = new Database(file, { readonly: true });
    t.teardown(() => after.close());
    t.same(names(after), before);
    t.equal(after.pragma('integrity_check', { simple: true }), 'ok');
    t.notOk(existsSync(`${file}-journal`));
  },
);

const asRoot = { skip: process.getuid?.() !== 0 && 'only root can act as another user' };

t.test('a journal that this user may not roll back is reported as what it is', asRoot, (t) => {
  // A clone may be where no other user may look.
  const folder = mkdtempSync(join(tmpdir(), 'gnss-site-setups-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  const file = join(folder, 'a.sqlite');
  createWithoutTables(file);
  writeFileSync(`${file}-journal`, journalOfNewFile());
  process.seteuid!(65534);
  try {
    t.throws(() => openToRead(file), {
      name: 'StoreUnusable',
      message: /left by a killed import, and this user may not roll that back/,
    });
  } finally {
    process.seteuid!(0);
  }
  t.end();
});

t.test('a reader notices within a second that a newer version has migrated the file', async (t) => {
  const file = join(t.testdir(), 'a.sqlite');
  await createDatabase(file, [SAMPLE]);
  const store = await openReader(file);
  const { sites } = await store.status();
  const migrated = new Database(file);
  t.teardown(() => migrated.close());
  migrated.exec(`UPDATE gnss_site_setups SET migration = ${MIGRATIONS.length + 1}`);
  t.not(statSync(`${file}-wal`).size, 0, 'the file itself has not changed yet');
  await rest(600);
  await t.rejects(async () => store.status(), {
    name: 'WrongDatabase',
    message: /is from a newer version .*; install the newer version$/,
  });
  migrated.exec(`UPDATE gnss_site_setups SET migration = ${MIGRATIONS.length}`);
  await rest(600);
  t.match(await store.status(), { sites });
  await store.close();
});

t.test('a file whose last pages are missing is reported as damaged', async (t) => {
  const file = join(t.testdir(), 'a.sqlite');
  await createDatabase(file, [SAMPLE]);
  truncateSync(file, 8192);
  await t.rejects(openReader(file), {
    name: 'DamagedDatabase',
    message: /is damaged; restore it from a backup/,
  });
});

t.test(
  'migrate brings a database of an earlier version up to date, with a backup beside it',
  async (t) => {
    const folder = t.testdir();
    const database = join(folder, 'a.sqlite');
    const lines: string[] = [];
    const migrateIt = async (): Promise<number> => {
      const printed = t.capture(process.stdout, 'write', () => true);
      const code = await migrate({ settings: { database }, flags: {}, arguments: [] }).finally(
        printed.restore,
      );
      lines.push(...printed().map(({ args }) => String(args[0])));
      return code;
    };
    t.equal(await migrateIt(), 0);
    t.equal(await migrateIt(), 0);
    // The next version has one more migration.
    const migrations = MIGRATIONS as Migration[];
    const { length } = MIGRATIONS;
    migrations.push(
      async (transaction) => void (await transaction.run(raw('CREATE TABLE later (id INTEGER)'))),
    );
    t.teardown(() => void migrations.splice(length));
    await t.rejects(
      openReader(database),
      new RegExp(
        `is from an older version \\(migration ${length} of ${length + 1}\\); run: gnss-site-setups migrate$`,
      ),
    );
    t.equal(await migrateIt(), 0);
    await (await openReader(database)).close();
    const kept = readdirSync(folder).filter((name) =>
      new RegExp(`^a\\.sqlite\\.before-migration-${length + 1}-\\d{8}T\\d{6}Z$`).test(name),
    );
    t.equal(kept.length, 1);
    migrations.splice(length);
    await (await openReader(join(folder, kept[0]!))).close();
    await t.rejects(openReader(database), /is from a newer version/);
    t.match(lines, [
      /^Database created\n$/,
      new RegExp(`^Database is up to date \\(migration ${length}\\)\n$`),
      new RegExp(
        `^Database migrated from version ${length} to ${length + 1} in \\d+\\.\\d s; backup: "`,
      ),
    ]);
    await t.rejects(
      migrate({ settings: { database: join(folder, 'no', 'a.sqlite') }, flags: {}, arguments: [] }),
      /there is no folder/,
    );
  },
);

t.test(
  'a new file that root creates belongs to the owner of its folder',
  { skip: process.getuid?.() !== 0 && 'not root' },
  async (t) => {
    const folder = t.testdir();
    chownSync(folder, 65534, 65533);
    const file = join(folder, 'a.sqlite');
    const writer = await openWriter(file);
    for (const each of [file, `${file}-wal`, `${file}-shm`])
      t.match(statSync(each), { uid: 65534, gid: 65533 }, each);
    await writer.close();
  },
);
