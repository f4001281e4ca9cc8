import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { REAL_LOGS } from '../project-files.js';
import { prepareBare } from './load.js';
import { MAIN } from '../campaigns/processes.js';
import { createNetwork } from './networks.js';
import { buildOf } from './older-build.js';
import { benchFile, runTool, type Server, startService, timeOf } from './processes.js';
import { besideOlder, interleave, median, rawOf, type Row, row } from './rows.js';
import { siteIdOf, writeTextLogs } from './synthetic-logs.js';

/** The most time of an import, and of a start, as a multiple of an older build. */
const MOST_OF_IMPORT = 1.1;
const MOST_OF_START = 1;

/** How many logs there are. */
const LOGS = 471;

/**
 * The time of an import of GeodesyML on one core, as a multiple of parsing the same files. Both
 * without the start, which is the time for a single log.
 * @param against the revision of an older build to compare with as well; null for none
 */
export async function measureImport(
  folder: string,
  rounds: number,
  against: string | null,
): Promise<Row[]> {
  let logs = REAL_LOGS && join(REAL_LOGS, 'geodesyml');
  if (logs === null) {
    const text = join(folder, 'text');
    logs = join(folder, 'geodesyml');
    for (const each of [text, logs]) mkdirSync(each);
    writeTextLogs(text, LOGS);
    await runTool(
      'convert',
      '--to',
      'geodesyml05',
      '--output',
      logs,
      ...readdirSync(text).map((name) => join(text, name)),
    );
  }
  const single = join(folder, 'single');
  mkdirSync(single);
  const [first] = readdirSync(logs);
  copyFileSync(join(logs, first!), join(single, first!));
  const database = join(folder, 'imported.sqlite');
  const importLogs = (from: string, main = MAIN): Promise<number> => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true });
    return timeOf(main, 'import', '--database', database, '--jobs', '1', from);
  };
  const older = against === null ? null : buildOf(against);
  const parse = (from: string): Promise<number> => timeOf(benchFile('parse-worker'), from);
  const measures: Record<string, () => Promise<number>> = {
    ours: async () => (await importLogs(logs)) - (await importLogs(single)),
    theirs: async () => (await parse(logs)) - (await parse(single)),
  };
  if (older !== null)
    measures.older = async () =>
      (await importLogs(logs, older)) - (await importLogs(single, older));
  const times = await interleave(rounds, measures);
  const [ours, theirs] = [times.ours!, times.theirs!];
  const name = `import of ${readdirSync(logs).length} ${REAL_LOGS === null ? 'synthetic' : 'real'} logs`;
  return [
    row(name, median(ours) / median(theirs), '× saxes', 'at most', 7, rawOf(ours, theirs, 'ms')),
    ...besideOlder(name, ours, times.older, MOST_OF_IMPORT),
  ];
}

/**
 * The time from the start of a process to its first answer, and of a lookup on the command line.
 * @param against the revision of an older build to compare with as well; null for none
 */
export async function measureStart(
  folder: string,
  rounds: number,
  against: string | null,
): Promise<Row[]> {
  const { database } = await createNetwork(folder, LOGS);
  const path = `/setups/search/findCurrentByFourCharacterId?id=${siteIdOf(0)}`;
  const startBare = await prepareBare(folder, database, [path]);
  const toFirstAnswer = async (start: () => Promise<Server>): Promise<number> => {
    const begin = performance.now();
    const server = await start();
    await server.ask(path);
    const milliseconds = performance.now() - begin;
    await server.stop();
    return milliseconds;
  };
  const lookUp = (from: string, main = MAIN): Promise<number> =>
    timeOf(main, 'lookup', siteIdOf(0), '--database', from);
  const measures: Record<string, () => Promise<number>> = {
    service: () => toFirstAnswer(() => startService(database)),
    bare: () => toFirstAnswer(startBare),
    command: () => lookUp(database),
  };
  if (against !== null) {
    const main = buildOf(against);
    const older = (await createNetwork(folder, LOGS, main)).database;
    measures.olderService = () => toFirstAnswer(() => startService(older, [], main));
    measures.olderCommand = () => lookUp(older, main);
  }
  const times = await interleave(rounds, measures);
  const [service, bare, command] = [times.service!, times.bare!, times.command!];
  return [
    row(
      'start to first answer',
      median(service),
      'ms',
      'at most',
      200,
      `compared with node:http: ${rawOf(service, bare, 'ms')}`,
    ),
    row(
      'lookup on the command line',
      median(command),
      'ms',
      'at most',
      150,
      `slowest ${Math.max(...command).toFixed(0)} ms`,
    ),
    ...besideOlder('start to first answer', service, times.olderService, MOST_OF_START),
    ...besideOlder('lookup on the command line', command, times.olderCommand, MOST_OF_START),
  ];
}
