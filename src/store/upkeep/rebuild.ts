import type { Transaction, Writes } from '../database.js';
import { isPostgres } from '../postgres/url.js';
import { replacePersons } from '../save/persons.js';
import { countAnew } from './counts.js';
import { examine } from './examine.js';
import { carryOut } from './repairs.js';
import type { Problem, Rebuilding, Rereading } from './types.js';
import { verifyDatabase } from './verify.js';

/** How often the content is examined at most: what follows from repaired rows is repaired next. */
const ROUNDS = 4;

/** Repairs what follows from the stored logs, in place, with the ids and times that were recorded. @throws {StoreUnusable} */
export async function rebuild(database: string, rereading: Rereading): Promise<Rebuilding> {
  const { problems, toDeriveAgain } = await verifyDatabase(database, rereading);
  if (problems.length + toDeriveAgain.length === 0) return { problems: [], repaired: 0 };
  const found = new Map<string, Problem>(problems.map((problem) => [problem.text, problem]));
  const writes = await openToRepair(database);
  try {
    await writes.transaction((transaction) => repair(transaction, rereading, found));
    await writes.tidyUp();
  } finally {
    await writes.close();
  }
  // What a second look does not find any more was repaired, whatever the first one said.
  const { problems: left } = await verifyDatabase(database, rereading);
  for (const { text } of left) found.set(text, { text, repairable: false });
  const isLeft = new Set(left.map(({ text }) => text));
  const all = [...found.keys()].map((text) => ({ text, repairable: !isLeft.has(text) }));
  return { problems: all, repaired: all.filter(({ repairable }) => repairable).length };
}

async function openToRepair(database: string): Promise<Writes> {
  const options = { create: false };
  if (isPostgres(database)) {
    const writes = await (await import('../postgres/open.js')).openWrites(database, options);
    const { repairSchema } = await import('../postgres/integrity.js');
    await writes.transaction(repairSchema);
    return writes;
  }
  return (await import('../sqlite/snapshot.js')).openToRepair(database);
}

/** Repairs in rounds, until nothing is left that can be repaired. @param found gets what each round found */
async function repair(transaction: Transaction, rereading: Rereading, found: Map<string, Problem>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const { problems, repairs, wrongCounts, persons } = await examine(transaction, rereading);
    for (const problem of problems) found.set(problem.text, problem);
    await carryOut(transaction, repairs);
    if (wrongCounts) await countAnew(transaction);
    if (persons !== null) await replacePersons(transaction, persons);
    if (repairs.length === 0 && !wrongCounts && persons === null) return;
  }
}
