import { statSync, utimesSync } from 'node:fs';
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
