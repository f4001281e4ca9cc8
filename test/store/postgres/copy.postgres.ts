import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import t, { type Test } from 'tap';
import { findSiteLogFiles, importSiteLogs } from '../../../src/import-site-logs.js';
import { openWriter } from '../../../src/store/open.js';
import { shownDatabase } from '../../../src/store/address.js';
import { TABLE_NAMES } from '../../../src/store/schema.js';
import { copyDatabase } from '../../../src/store/upkeep/contents.js';
import { importInto } from '../../databases.js';
import { REAL_LOGS, SAMPLE, withRealLogs } from '../../project-files.js';
import { logText } from '../../synthetic-log.js';
import { createDatabase } from '../../postgres/database.js';
import { contentsOf, rawDatabase } from '../../raw-database.js';
import { compareDatabases } from '../../same-answers.js';

const quietly = (): void => undefined;

/** Compares all answers of two databases. */
async function compare(t: Test, one: string, other: string, links: number): Promise<void> {
  const { differences, compared } = await compareDatabases([one, other], { links, requests: 100 });
  t.same(differences, []);
  t.ok(compared > 100);
}

for (const [name, paths, options] of [
  ['the sample network', [SAMPLE], {}],
  ['the real logs', [REAL_LOGS!], withRealLogs],
] as const) {
  t.test(
    `a copy of ${name} to PostgreSQL gives the same answers, and back the same rows`,
    options,
    async (t) => {
      const folder = t.testdir();
      const from = join(folder, 'from.sqlite');
      const back = join(folder, 'back.sqlite');
      await importInto(from, [...paths]);
      const between = await createDatabase(t);
      const copied = await copyDatabase(from, between, quietly);
      await compare(t, from, between, 300);
      t.same(await copyDatabase(between, back, quietly), copied);
      const original = await contentsOf(from);
      const returned = await contentsOf(back);
      for (const table of TABLE_NAMES.filter((each) => each !== 'last_import'))
        t.ok(isDeepStrictEqual(returned[table], original[table]), table);
    },
  );
}

t.test(
  'a copy goes on as the original would, and neither direction fills a database that is not empty',
  async (t) => {
    const folder = t.testdir({
      'test_20200101.log': logText({ receivers: [{ type: 'A', serial: '1', from: '2001-01-01' }] }),
    });
    const from = join(folder, 'from.sqlite');
    await importInto(from, [SAMPLE]);
    const first = await createDatabase(t);
    const second = await createDatabase(t);
    await copyDatabase(from, first, quietly);
    await copyDatabase(first, second, quietly);
    await t.rejects(copyDatabase(from, second, quietly), /is not empty; copy/);
    await t.rejects(copyDatabase(first, from, quietly), /from\.sqlite" is not empty/);

    // One time for both, after that of the sample.
    const now = new Date(Date.now() + 60_000);
    for (const database of [from, second]) {
      const store = await openWriter(database);
      const files = await findSiteLogFiles([join(folder, 'test_20200101.log'), SAMPLE]);
      t.match(await importSiteLogs(files, store, () => now, quietly).finally(() => store.close()), {
        saved: 1,
        unchanged: 8,
      });
    }
    await compare(t, from, second, 400);
  },
);

t.test('a copy says which of the two databases has failed', async (t) => {
  const folder = t.testdir();
  const files = ['from', 'to'].map((name) => join(folder, `${name}.sqlite`)) as [string, string];
  const databases = [await createDatabase(t), await createDatabase(t)] as const;
  for (const database of [files[0], databases[0]]) await importInto(database, [SAMPLE]);
  for (const from of [files[0], databases[0]]) {
    await rawDatabase(from).exec('ALTER TABLE event RENAME TO lost');
    for (const to of [files[1], databases[1]]) {
      const message = new RegExp(
        `^database "${shownDatabase(from).replaceAll(/[.\\/]/g, '\\$&')}"`,
      );
      await t.rejects(
        copyDatabase(from, to, quietly),
        { name: 'StoreUnusable', message },
        `from ${from} to ${to}`,
      );
    }
  }
});
