import { statSync, utimesSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import sql from 'sql-template-tag';
import t, { type Test } from 'tap';
import { Connection } from '../../../src/store/sqlite/connection.js';
import { StoreUnusable } from '../../../src/store/store.js';
import { aboutFiles } from '../../databases.js';
import { openService } from '../../service.js';

t.test(
  'what makes no sense is an error of the file if the file was replaced meanwhile',
  aboutFiles,
  async (t) => {
    const { database } = await openService(t);
    const reads = new Connection(database);
    t.teardown(() => reads.close());
    const failing = (meanwhile: () => void) =>
      reads.inOneState(async (db) => {
        meanwhile();
        const row = await db.get<{ text: string }>(sql`SELECT '{' AS text`);
        JSON.parse(row!.text);
      });
    await t.rejects(
      failing(() => undefined),
      SyntaxError,
    );
    await t.rejects(
      failing(() => utimesSync(database, 1, statSync(database).mtimeMs / 1000 + 10)),
      StoreUnusable,
    );
    t.match(
      await reads.inOneState(async (db) => db.get(sql`SELECT 1 AS one`)),
      { one: 1 },
      'the file is opened again',
    );
  },
);

/** A connection to a new database, and what commits a number that {@link numberIn} reads. */
async function openBoth(t: Test) {
  const { database } = await openService(t);
  const writer = new Database(database);
  t.teardown(() => writer.close());
  writer.exec('CREATE TABLE counter (number INTEGER); INSERT INTO counter VALUES (0)');
  const reads = new Connection(database);
  t.teardown(() => reads.close());
  const write = writer.prepare<[number]>('UPDATE counter SET number = ?');
  return { reads, write: (number: number) => write.run(number) };
}
const numberIn = (reads: Connection): number =>
  reads.get<{ number: number }>(sql`SELECT number FROM counter`)!.number;

t.test('lookups of one turn of the event loop see one state', aboutFiles, async (t) => {
  const { reads, write } = await openBoth(t);
  t.equal(numberIn(reads), 0);
  write(1);
  t.equal(numberIn(reads), 0);
  await setImmediate();
  t.equal(numberIn(reads), 1, 'the next turn');
  for (const [number, other] of [
    [2, () => reads.version()],
    [3, () => reads.check()],
    [4, () => reads.all(sql`SELECT 1`)],
    [5, () => reads.inOneState(async () => undefined)],
  ] as const) {
    write(number);
    t.equal(numberIn(reads), number - 1);
    await other();
    t.equal(numberIn(reads), number, 'other reads see the newest state, and so do later lookups');
  }
});

t.test('reads of several turns end with their state', aboutFiles, async (t) => {
  const { reads, write } = await openBoth(t);
  await reads.inOneState(async (db) => {
    t.equal(numberIn(reads), 0);
    write(1);
    await setImmediate();
    t.match(await db.get(sql`SELECT number FROM counter`), { number: 0 });
    t.equal(numberIn(reads), 0, 'other reads see it meanwhile');
  });
  t.equal(numberIn(reads), 1, 'and no longer');
});

t.test('a connection can be closed within a turn', aboutFiles, async (t) => {
  const { reads } = await openBoth(t);
  t.equal(numberIn(reads), 0);
  await reads.close();
  await setImmediate();
  t.throws(() => numberIn(reads), /not open/);
});
