import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Effort } from './effort.js';
import { benchFile, runNode, runNodeOnAllCores, type Run, SERVICE } from './processes.js';
import { compare, interleave } from './rounds.js';
import { writeGeodesymlLogs } from './synthetic-logs.js';
import type { Row } from './table.js';

/** The target: the time of an import as a multiple of parsing alone. */
const TARGET = 2.5;
/** The target for an import with all cores: how many times faster than with one job, if there are two cores. */
const JOBS_TARGET = 1.7;
/** The target for memory, in bytes. */
const MEMORY_TARGET = 150e6;
const MEGABYTE = 1e6;

/** The folder of real logs next to the repository, if there is one. */
const REAL_LOGS = fileURLToPath(new URL('../../../../shared/site-logs/geodesyml', import.meta.url));
/** How many logs to generate without real ones: as many as there are real ones. */
const GENERATED_LOGS = 471;

/** Imports a folder with the import command. */
export const importLogs = (database: string, logs: string, runWith = runNode, ...options: string[]): Promise<Run> =>
  runWith(SERVICE, 'import', '--database', database, ...options, logs);

/** A file that does not exist, in place of the one before. */
function newFile(folder: string): string {
  const database = join(folder, 'imported.sqlite');
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true });
  return database;
}

/** The logs of an import: the folder of one, that of all, and how many these are. */
export function writeLogsToImport(folder: string): { single: string; logs: string; files: number; areGenerated: boolean } {
  const generated = join(folder, 'geodesyml-logs');
  mkdirSync(generated);
  writeGeodesymlLogs(generated, GENERATED_LOGS);
  const single = join(folder, 'one-log');
  mkdirSync(single);
  const [first] = readdirSync(generated);
  copyFileSync(join(generated, first!), join(single, first!));
  const logs = existsSync(REAL_LOGS) ? REAL_LOGS : generated;
  return { single, logs, files: readdirSync(logs).length, areGenerated: logs === generated };
}

/** Parses the files of a folder, and nothing else. */
const parseLogs = (logs: string): Promise<Run> => runNode(benchFile('parse-worker'), logs);

/** Compares the import of GeodesyML with parsing the same files, and measures memory. All times are without the start, which is the time for a single log. */
export async function measureImport(folder: string, { rounds }: Effort): Promise<Row[]> {
  const { single, logs, files, areGenerated } = writeLogsToImport(folder);
  const imports: Run[] = [];
  const measured = await interleave(
    rounds,
    async () => {
      const start = await importLogs(newFile(folder), single);
      const whole = await importLogs(newFile(folder), logs);
      imports.push(whole);
      return whole.milliseconds - start.milliseconds;
    },
    async () => {
      const start = await parseLogs(single);
      return (await parseLogs(logs)).milliseconds - start.milliseconds;
    },
  );
  const onAllCores = async (jobs: string): Promise<number> => {
    const start = await importLogs(newFile(folder), single, runNodeOnAllCores, '--jobs', jobs);
    return (await importLogs(newFile(folder), logs, runNodeOnAllCores, '--jobs', jobs)).milliseconds - start.milliseconds;
  };
  const withJobs = await interleave(
    rounds,
    () => onAllCores('auto'),
    () => onAllCores('1'),
  );
  const jobs = compare(withJobs, (milliseconds) => milliseconds);
  const faster = 1 / jobs.ratio;
  const time = compare(measured, (milliseconds) => milliseconds);
  const largest = Math.max(...imports.map(({ peakMemory }) => peakMemory));
  const summary = imports[0]!.stdout.trimEnd().replaceAll('\n', '; ');
  process.stdout.write(`${areGenerated ? 'generated files' : `real logs of ${logs}`}: ${summary}\n`);
  return [
    {
      name: 'import',
      result: `${time.ratio.toFixed(2)} × saxes`,
      raw: `${time.ours.toFixed(0)} / ${time.theirs.toFixed(0)} ms for ${files} files, without the start (rounds ${time.spread})`,
      target: { text: `at most ${TARGET}`, met: time.ratio <= TARGET },
    },
    {
      name: 'import --jobs auto',
      result: `${faster.toFixed(2)} × as fast`,
      raw: `${jobs.ours.toFixed(0)} / ${jobs.theirs.toFixed(0)} ms with one job, on ${availableParallelism()} cores (rounds ${jobs.spread})`,
      target: { text: `at least ${JOBS_TARGET}`, met: faster >= JOBS_TARGET },
    },
    {
      name: 'import, resident memory',
      result: `${(largest / MEGABYTE).toFixed(0)} MB`,
      raw: `the most of ${rounds} rounds`,
      target: { text: `below ${MEMORY_TARGET / MEGABYTE} MB`, met: largest < MEMORY_TARGET },
    },
  ];
}
