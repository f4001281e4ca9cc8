import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AnswerChecks } from './answers.js';
import type { Given } from './campaign.js';
import { type Budget, runCases } from './cases.js';
import { Connection, get } from './connection.js';
import { mutateLog, type Original, readOriginals } from './mutations.js';
import { runTool, startService } from './processes.js';
import { randomOf } from './random.js';
import { SLOWEST } from './request-fuzz.js';

const ROW = 'mutated logs';
const DATABASES = 'databases of mutated logs';
const PAGES = 'pages of mutated logs';

/** How many logs one process imports, and how many go into one database. */
const BATCH = 50;
const PER_DATABASE = 500;

interface Mutant {
  number: number;
  path: string;
}

/** What is wrong with a database: its structure, or references in it. */
export function databaseFindings(database: string): string[] {
  const db = new Database(database, { readonly: true, fileMustExist: true });
  try {
    const integrity = db.pragma('integrity_check', { simple: true });
    const references = db.pragma('foreign_key_check') as unknown[];
    return [
      ...(integrity === 'ok' ? [] : [`integrity_check: ${String(integrity)}`]),
      ...(references.length === 0 ? [] : [`foreign_key_check: ${JSON.stringify(references.slice(0, 3))}`]),
    ];
  } finally {
    db.close();
  }
}

/** Imports logs, and returns what went wrong: another exit code than 0 and 1, or a stack trace. */
async function importMutants(database: string, mutants: Mutant[]): Promise<{ problem: string | null; milliseconds: number }> {
  const begin = performance.now();
  const paths = mutants.map(({ path }) => path);
  const { code, signal, stderr } = await runTool(['import', '--database', database, ...paths], {}, 60_000);
  const milliseconds = performance.now() - begin;
  const trace = /^ {4}at .*:\d+:\d+\)?$/m.exec(stderr);
  const failed = (code !== 0 && code !== 1) || trace !== null;
  return { problem: failed ? `the import ended with ${signal ?? code}: ${stderr.slice(-600)}` : null, milliseconds };
}

/** Fetches everything that a database publishes, and checks it. */
async function checkPages(database: string, checks: AnswerChecks, { tally }: Given<string>, from: string): Promise<void> {
  const service = await startService(database);
  const connection = new Connection(service.port, 60_000);
  const fetch = async (target: string) => {
    const answer = await get(connection, target);
    tally.tried(PAGES);
    for (const finding of checks.findings({ method: 'GET', target }, answer)) tally.failed(PAGES, `${target}: ${finding}`, from);
    return answer;
  };
  try {
    for (const collection of [
      '/setups?size=200&projection=provenance',
      '/corsSites?size=200',
      '/siteLogs?size=50&projection=written',
      '/equipment?size=200&projection=installations',
      '/changes?size=200',
    ]) {
      for (let page = 0, pages = 1; page < pages; page++) {
        const { status, body } = await fetch(`${collection}&page=${page}`);
        if (status !== 200) break;
        pages = (JSON.parse(body.toString()) as { page: { totalPages: number } }).page.totalPages;
      }
    }
    const sites = JSON.parse((await get(connection, '/corsSites?size=1000')).body.toString()) as {
      _embedded: { corsSites: { fourCharacterId: string }[] };
    };
    for (const target of ['/sites', '/receivers', '/antennas']) await fetch(target);
    for (const { fourCharacterId: id } of sites._embedded.corsSites) {
      for (const target of [
        `/sites/${id}`,
        `/sites/${id}/log`,
        `/setups/search/findCurrentByFourCharacterId?id=${id}`,
        `/siteLogs/search/findByFourCharacterId?id=${id}&format=geodesyml`,
      ])
        await fetch(target);
    }
  } catch (error) {
    tally.failed(PAGES, (error as Error).message, from);
  }
  connection.close();
  for (const problem of await service.stop()) tally.failed(PAGES, problem, from);
}

/**
 * Imports mutated logs with the real importer, in batches. A batch that fails or is slow is halved until one log is guilty.
 * Each database is checked afterwards, and everything that it publishes.
 */
export async function fuzzLogs(given: Given<string>, checks: AnswerChecks, budget: Budget): Promise<void> {
  const { tally, seed, repeat, only } = given;
  const originals: Original[] = readOriginals();
  const folder = mkdtempSync(join(given.folder, 'mutants-'));
  let database = '';
  let inDatabase: number[] = [];
  let worst = 0;

  const mutantOf = (number: number): Mutant => {
    const { name, text } = mutateLog(randomOf(seed, 'logs', number), originals);
    const path = join(folder, `${number}-${name}`);
    writeFileSync(path, text, 'latin1');
    return { number, path };
  };
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const emptyLog = join(empty, 'empty.log');
  writeFileSync(emptyLog, '');
  const startTime = Math.min(
    ...(await Promise.all(
      [1, 2].map(async () => (await importMutants(join(empty, 'empty.sqlite'), [{ number: 0, path: emptyLog }])).milliseconds),
    )),
  );

  /** Finds the guilty logs of a batch. */
  const blame = async (mutants: Mutant[], what: string): Promise<void> => {
    const fresh = join(mkdtempSync(join(folder, 'blame-')), 'blame.sqlite');
    const { problem, milliseconds } = await importMutants(fresh, mutants);
    if (problem === null && milliseconds - startTime < SLOWEST) return;
    if (mutants.length === 1) {
      const again = problem === null ? await importMutants(`${fresh}-again`, mutants) : null;
      if (again !== null && again.milliseconds - startTime < SLOWEST) return;
      return tally.failed(
        ROW,
        problem ?? `over ${SLOWEST} ms (${milliseconds.toFixed(0)} with the start of the process)`,
        repeat('logs', mutants[0]!.number),
      );
    }
    const half = mutants.length >> 1;
    await blame(mutants.slice(0, half), what);
    await blame(mutants.slice(half), what);
  };
  const finishDatabase = async (): Promise<void> => {
    if (inDatabase.length === 0) return;
    const from = `the logs ${inDatabase[0]} to ${inDatabase.at(-1)}: npm run fuzz -- --seed ${seed} --logs ${inDatabase.at(-1)! + 1}`;
    tally.tried(DATABASES);
    for (const finding of databaseFindings(database)) tally.failed(DATABASES, finding, from);
    await checkPages(database, checks, given, from);
    for (const suffix of ['', '-wal', '-shm']) rmSync(database + suffix, { force: true });
    inDatabase = [];
  };
  const size = only === null ? BATCH : 1;
  await runCases(given, { cases: Math.ceil(budget.cases / size), seconds: budget.seconds }, 1, async (number) => {
    const numbers = Array.from({ length: size }, (_, index) => number * size + index).filter(
      (each) => only !== null || each < budget.cases,
    );
    if (inDatabase.length === 0) database = join(folder, `logs-${number}.sqlite`);
    inDatabase.push(...numbers);
    const mutants = numbers.map(mutantOf);
    if (only !== null) process.stdout.write(`the mutated log is ${mutants[0]!.path}\n`);
    tally.tried(ROW, mutants.length);
    const { problem, milliseconds } = await importMutants(database, mutants);
    worst = Math.max(worst, (milliseconds - startTime) / mutants.length);
    if (problem !== null || milliseconds - startTime > SLOWEST) {
      await blame(mutants, problem ?? 'slow');
      // What fails only together with other logs has no single culprit.
      if (problem !== null && size > 1)
        tally.failed(
          ROW,
          `${numbers[0]} to ${numbers.at(-1)} together: ${problem}`,
          `npm run fuzz -- --seed ${seed} --logs ${numbers.at(-1)! + 1}`,
        );
    }
    if (inDatabase.length >= PER_DATABASE) await finishDatabase();
    if (only === null) for (const { path } of mutants) rmSync(path);
  });
  await finishDatabase();
  tally.note(ROW, `slowest batch: ${Math.max(0, worst).toFixed(0)} ms per log`);
}
