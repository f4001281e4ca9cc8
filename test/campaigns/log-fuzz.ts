import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnswerChecks } from './answers.js';
import type { Budget, Campaign } from './campaign.js';
import { Client } from './client.js';
import { findIn } from './killed-imports.js';
import { mutateLog, readOriginals } from './mutations.js';
import { runTool, startService } from './processes.js';
import { randomOf } from './random.js';
import { SLOWEST } from './request-fuzz.js';

/** How many logs one process imports. */
const BATCH = 50;

/** Fetches everything that a database publishes. Returns what is wrong. */
async function pageFindings(database: string, checks: AnswerChecks): Promise<string[]> {
  const service = await startService(database);
  const client = new Client(service.port, 60_000);
  const findings: string[] = [];
  const fetch = async (target: string): Promise<unknown> => {
    const answer = await client.get(target);
    findings.push(
      ...checks.findings('GET', target, answer).map((finding) => `${target}: ${finding}`),
    );
    return answer.status === 200 && target.startsWith('/corsSites')
      ? JSON.parse(answer.body.toString())
      : null;
  };
  const collections = [
    '/setups?projection=provenance&',
    '/siteLogs?projection=written&',
    '/equipment?projection=installations&',
    '/changes?',
  ];
  for (const target of [
    ...collections.map((each) => `${each}size=1000`),
    '/sites',
    '/receivers',
    '/antennas',
    '/feed',
  ])
    await fetch(target);
  const sites = (await fetch('/corsSites?size=1000')) as {
    _embedded: { corsSites: { fourCharacterId: string }[] };
  } | null;
  for (const { fourCharacterId: id } of sites?._embedded.corsSites ?? []) {
    for (const path of [
      `/sites/${id}`,
      `/sites/${id}/log`,
      `/siteLogs/search/findByFourCharacterId?id=${id}&format=geodesyml`,
    ])
      await fetch(path);
  }
  client.close();
  return [...findings, ...(await service.stop())];
}

/**
 * Imports mutated logs with the real importer, in batches. A batch that fails or is slow is halved
 * until one log is guilty. Each database must be intact afterwards, and everything that it
 * publishes valid.
 */
export async function fuzzLogs(campaign: Campaign, budget: Budget): Promise<void> {
  const originals = readOriginals();
  const checks = new AnswerChecks();

  /**
   * Imports logs into a new database. Returns what went wrong: another exit code than 0 and 1, a
   * stack trace, too much time.
   */
  const problemOf = async (paths: string[], folder: string): Promise<string | null> => {
    const database = join(mkdtempSync(join(folder, 'import-')), 'logs.sqlite');
    const begin = performance.now();
    const { code, signal, stderr } = await runTool(
      ['import', '--database', database, ...paths],
      {},
      60_000,
    );
    const milliseconds = performance.now() - begin;
    if ((code !== 0 && code !== 1) || /^ {4}at .*:\d+:\d+\)?$/m.test(stderr))
      return `the import ended with ${signal ?? code}: ${stderr.slice(-600)}`;
    // Each log may take as long as an answer; the process needs time to start.
    if (milliseconds > 3 * SLOWEST + (paths.length * SLOWEST) / 10)
      return `the import took ${milliseconds.toFixed(0)} ms`;
    const found = await findIn(database);
    return (
      found?.damage[0] ??
      (found === null ? null : ((await pageFindings(database, checks))[0] ?? null))
    );
  };
  const blame = async (paths: string[], folder: string): Promise<string | null> => {
    const problem = await problemOf(paths, folder);
    if (problem === null || paths.length === 1) return problem && `${paths.join()}: ${problem}`;
    const half = paths.length >> 1;
    return (
      (await blame(paths.slice(0, half), folder)) ??
      (await blame(paths.slice(half), folder)) ??
      `${paths.length} together: ${problem}`
    );
  };
  await campaign.cases('logs', budget, async (_, number) => {
    const folder = mkdtempSync(join(campaign.folder, 'mutants-'));
    const paths = Array.from({ length: BATCH }, (_each, index) => {
      const mutant = number * BATCH + index;
      const { name, text } = mutateLog(randomOf(campaign.seed, 'logs', mutant), originals);
      const path = join(folder, `${mutant}-${name}`);
      writeFileSync(path, text, 'latin1');
      return path;
    });
    const problem = await blame(paths, folder);
    if (problem === null) rmSync(folder, { recursive: true });
    return problem === null ? [] : [problem];
  });
  campaign.note('logs', `${BATCH} logs each`);
}
