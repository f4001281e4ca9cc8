import { statSync, utimesSync } from 'node:fs';
import Database from 'better-sqlite3';
import sql from 'sql-template-tag';
import t from 'tap';
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

t.test('each read sees the last commit before it, in the same turn too', aboutFiles, async (t) => {
  const { database } = await openService(t);
  const writer = new Database(database);
  t.teardown(() => writer.close());
  writer.exec('CREATE TABLE counter (number INTEGER); INSERT INTO counter VALUES (0)');
  const reads = new Connection(database);
  t.teardown(() => reads.close());
  const write = writer.prepare('UPDATE counter SET number = ?');
  const statement = sql`SELECT number FROM counter`;
  let number = 0;
  for (const [name, read] of Object.entries({
    get: async () => reads.get(statement),
    all: async () => (await reads.all(statement))[0],
    inOneState: () => reads.inOneState(async (db) => db.get(statement)),
  })) {
    t.match(await read(), { number }, name);
    write.run(++number);
    t.match(await read(), { number }, name);
  }
});
