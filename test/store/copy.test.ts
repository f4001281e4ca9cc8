import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openReader, openWriter } from '../../src/store/open.js';
import { copyDatabase } from '../../src/store/upkeep/contents.js';
import { importInto } from '../databases.js';
import { SAMPLE } from '../project-files.js';
import { compareDatabases } from '../same-answers.js';

const quietly = (): void => undefined;

t.test('a copy of a SQLite file gives the same answers, and can be imported into', async (t) => {
  const folder = t.testdir();
  const from = join(folder, 'from.sqlite');
  const to = join(folder, 'to.sqlite');
  await importInto(from, [SAMPLE]);
  const shares: number[] = [];
  t.same(await copyDatabase(from, to, (share) => shares.push(share)), { sites: 8, logs: 8 });
  t.equal(shares.at(-1), 1);
  t.same((await compareDatabases([from, to], { links: 200, requests: 50 })).differences, []);
  t.match(await importInto(to, [SAMPLE]), { unchanged: 8, saved: 0 });
});

t.test('copy refuses a target that is not empty, and names what is there', async (t) => {
  const folder = t.testdir();
  const [from, to, rejects] = ['from', 'to', 'rejects'].map((name) =>
    join(folder, `${name}.sqlite`),
  ) as [string, string, string];
  for (const file of [from, to]) await importInto(file, [SAMPLE]);
  await t.rejects(copyDatabase(from, to, quietly), {
    name: 'StoreUnusable',
    message: /to\.sqlite" is not empty; copy to an empty/,
  });
  await t.rejects(copyDatabase(from, from, quietly), /is not empty/);
  const writer = await openWriter(rejects);
  const file = { path: '/a.log', sha256: null, code: 'cannot-be-read', reason: 'why' };
  await writer.saveRejectedFiles([file], () => false, new Date());
  await writer.close();
  await t.rejects(copyDatabase(from, rejects, quietly), /is not empty;/);
  await t.rejects(
    copyDatabase(join(folder, 'none.sqlite'), join(folder, 'new.sqlite'), quietly),
    /none\.sqlite" does not exist/,
  );
  t.notOk(existsSync(join(folder, 'new.sqlite')), 'nothing is created if there is nothing to copy');
});

t.test('a copy that fails leaves no new file, and an empty target empty', async (t) => {
  const folder = t.testdir();
  const from = join(folder, 'from.sqlite');
  const to = join(folder, 'to.sqlite');
  await importInto(from, [SAMPLE]);
  const stopHalfWay = (share: number): void => {
    if (share > 0.5) throw new Error('stopped half-way');
  };
  await t.rejects(copyDatabase(from, to, stopHalfWay), /stopped/);
  t.notOk(existsSync(to), 'a new file');
  t.same(await copyDatabase(from, to, quietly), { sites: 8, logs: 8 });
  t.same(
    readdirSync(folder).filter((name) => !/^(from|to)\.sqlite/.test(name)),
    [],
    'nothing else is left',
  );

  const empty = join(folder, 'empty.sqlite');
  await (await openWriter(empty)).close();
  await t.rejects(copyDatabase(from, empty, stopHalfWay), /stopped/);
  const reader = await openReader(empty);
  t.match(await reader.status(), { sites: 0, lastImport: null });
  await reader.close();

  const meanwhile = join(folder, 'meanwhile.sqlite');
  const create = (): void => writeFileSync(meanwhile, 'of another process');
  await t.rejects(copyDatabase(from, meanwhile, create), /was created meanwhile/);
  t.equal(readFileSync(meanwhile, 'utf8'), 'of another process');
});
