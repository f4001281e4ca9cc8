import type { ImportAgain } from '../save/corrections.js';
import sql from 'sql-template-tag';
import type { Database } from '../database.js';
import { type Derivation, deriveAgain } from './derive-again.js';
import { hasWrongCounts, type Repair } from './repairs.js';
import { Report } from './report.js';
import { hasDamage, scan } from './scan.js';
import type { Problem } from './types.js';

/** How many Sites are derived again at once. */
const BATCH = 20;

/** What an examination found. */
export interface Examination {
  problems: Problem[];
  repairs: Repair[];
  wrongCounts: boolean;
  /** The ids of Sites that an older version of the readers derived: no row is damaged, but their logs give something else now. */
  toDeriveAgain: string[];
  logs: number;
  sites: number;
}

/** Checks all content of a database against itself and its stored logs. @param db in one state */
export async function examine(db: Database, importAgain: ImportAgain): Promise<Examination> {
  const found = await scan(db);
  const recorded = (await db.all<{ id: number }>(sql`SELECT id FROM site ORDER BY id`)).map(({ id }) => id);
  const numbers = [...new Set([...recorded, ...(found.missing.get('site') ?? [])])];
  const devices = new Set((found.damaged.get('equipment') ?? []).map(({ id }) => id as number));
  const suspects = { devices, any: hasDamage(found) };
  const derivations: Derivation[] = [];
  for (let first = 0; first < numbers.length; first += BATCH) {
    derivations.push(...(await deriveAgain(db, numbers.slice(first, first + BATCH), importAgain, suspects)));
  }
  const report = new Report(found, new Map(derivations.map((each) => [each.site, each])));
  report.checkRows();
  await report.checkFormerIds(db);
  for (const each of derivations) report.checkSite(each);
  // What follows from many rows is compared when these are right.
  const wrongCounts = !suspects.any && (await hasWrongCounts(db));
  if (wrongCounts) report.problems.push({ text: 'equipment_type_count does not match the devices', repairable: true });
  const { problems, toDeriveAgain } = report;
  return { problems, repairs: report.distinctRepairs(), toDeriveAgain, wrongCounts, logs: found.logs, sites: recorded.length };
}
