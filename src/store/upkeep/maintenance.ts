import sql from 'sql-template-tag';
import type { Database, Transaction, Writes } from '../database.js';
import { isPostgres } from '../postgres/url.js';
import type { ImportAgain } from '../save/corrections.js';
import { readContents } from './contents.js';
import { type Derivation, deriveAgain } from './derive-again.js';
import { carryOut, countAnew, hasWrongCounts } from './repairs.js';
import { Report } from './report.js';
import { hasDamage, scan } from './scan.js';
import type { Backup, Problem, Progress, Rebuilding, Restoring, Verification } from './types.js';

/** Gives `work` one state of a database, and what its engine finds wrong with it. */
async function readChecked<T>(
  database: string,
  work: (db: Database, problems: Problem[]) => Promise<T>,
): Promise<T> {
  if (isPostgres(database)) {
    const { schemaProblems } = await import('../postgres/integrity.js');
    return readContents(database, async (db) => work(db, await schemaProblems(db)));
  }
  const { db, problems, close } = await (
    await import('../sqlite/backup.js')
  ).openCheckedSnapshot(database);
  return work(db, problems).finally(close);
}

/** How many Sites are derived again at once. */
const BATCH = 20;

/** Checks all content of a database against itself and its stored logs. @param db in one state */
async function examine(db: Database, importAgain: ImportAgain) {
  const found = await scan(db);
  const recorded = (await db.all<{ id: number }>(sql`SELECT id FROM site ORDER BY id`)).map(
    ({ id }) => id,
  );
  const numbers = [...new Set([...recorded, ...(found.missing.get('site') ?? [])])];
  const isDamaged = hasDamage(found);
  const derivations: Derivation[] = [];
  for (let first = 0; first < numbers.length; first += BATCH) {
    derivations.push(
      ...(await deriveAgain(db, numbers.slice(first, first + BATCH), importAgain, isDamaged)),
    );
  }
  const report = new Report(found, new Map(derivations.map((each) => [each.site, each])));
  report.checkRows();
  await report.checkFormerIds(db);
  for (const each of derivations) report.checkSite(each);
  // What follows from many rows is compared only if none of them is damaged.
  const wrongCounts = !isDamaged && (await hasWrongCounts(db));
  if (wrongCounts)
    report.problems.push({
      text: 'equipment_type_count does not match the devices',
      repairable: true,
    });
  const { problems, repairs, toDeriveAgain } = report;
  return {
    problems,
    repairs: [...repairs.values()],
    toDeriveAgain,
    wrongCounts,
    logs: found.logs,
    sites: recorded.length,
  };
}

/** Checks the content of a database against itself and its stored logs. Does not block other processes. @throws {StoreUnusable} */
export async function verifyDatabase(
  database: string,
  importAgain: ImportAgain,
): Promise<Verification> {
  let found: Problem[] = [];
  try {
    return await readChecked(database, async (db, problems) => {
      found = problems;
      const { problems: more, toDeriveAgain, logs, sites } = await examine(db, importAgain);
      return { problems: [...problems, ...more], toDeriveAgain, logs, sites };
    });
  } catch (error) {
    // The engine says what is wrong with what cannot be read.
    if (found.length === 0 || (error as { code?: string }).code === 'SQLITE_FULL') throw error;
    const unreadable = {
      text: `the content cannot be read: ${(error as Error).message}`,
      repairable: false,
    };
    return { problems: [...found, unreadable], toDeriveAgain: [], logs: 0, sites: 0 };
  }
}

/** How often the content is examined at most: what follows from repaired rows is repaired next. */
const ROUNDS = 4;

/** Repairs what follows from the stored logs, in place, with the ids and times that were recorded. @throws {StoreUnusable} */
export async function rebuild(database: string, importAgain: ImportAgain): Promise<Rebuilding> {
  const { problems, toDeriveAgain } = await verifyDatabase(database, importAgain);
  if (problems.length + toDeriveAgain.length === 0) return { problems: [], repaired: 0 };
  const found = new Map<string, Problem>(problems.map((problem) => [problem.text, problem]));
  const writes = await openToRepair(database);
  try {
    await writes.transaction((transaction) => repair(transaction, importAgain, found));
    await writes.tidyUp();
  } finally {
    await writes.close();
  }
  // What a second look does not find any more was repaired, whatever the first one said.
  const { problems: left } = await verifyDatabase(database, importAgain);
  for (const { text } of left) found.set(text, { text, repairable: false });
  const isLeft = new Set(left.map(({ text }) => text));
  const all = [...found.keys()].map((text) => ({ text, repairable: !isLeft.has(text) }));
  return { problems: all, repaired: all.filter(({ repairable }) => repairable).length };
}

async function openToRepair(database: string): Promise<Writes> {
  if (isPostgres(database)) {
    const writes = await (
      await import('../postgres/open.js')
    ).openWrites(database, { create: false });
    const { repairSchema } = await import('../postgres/integrity.js');
    await writes.transaction(repairSchema);
    return writes;
  }
  return (await import('../sqlite/writes.js')).openToRepair(database);
}

/** Repairs in rounds, until nothing is left that can be repaired. @param found gets what each round found */
async function repair(
  transaction: Transaction,
  importAgain: ImportAgain,
  found: Map<string, Problem>,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const { problems, repairs, wrongCounts } = await examine(transaction, importAgain);
    for (const problem of problems) found.set(problem.text, problem);
    await carryOut(transaction, repairs);
    if (wrongCounts) await countAnew(transaction);
    if (repairs.length === 0 && !wrongCounts) return;
  }
}

/** Copies a database to a SQLite file as it is now, and checks the copy. @param target is replaced in one step, or not at all */
export async function backUp(
  database: string,
  target: string,
  progress: Progress,
): Promise<Backup> {
  const engine = isPostgres(database)
    ? await import('../postgres/maintenance.js')
    : await import('../sqlite/backup.js');
  return engine.backUp(database, target, progress);
}

/** Replaces the content of a database with a backup, brought to the last migration. @throws {StoreUnusable} */
export async function restore(
  database: string,
  from: string,
  now: Date,
  progress: Progress,
): Promise<Restoring> {
  const engine = isPostgres(database)
    ? await import('../postgres/maintenance.js')
    : await import('../sqlite/restore.js');
  return engine.restore(database, from, now, progress);
}
