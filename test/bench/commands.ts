import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { REAL_LOGS } from '../project-files.js';
import { prepareBare } from './load.js';
import { createNetwork } from './networks.js';
import { benchFile, runTool, type Server, startService, timeOf } from './processes.js';
import { interleave, median, rawOf, type Row, row } from './rows.js';
import { siteIdOf, writeTextLogs } from './synthetic-logs.js';

/** How many logs there are. */
const LOGS = 471;

/**
 * The time of an import of GeodesyML on one core, as a multiple of parsing the same files. Both
 * without the start, which is the time for a single log.
 */
export async function measureImport(folder: string, rounds: number): Promise<Row[]> {
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
  const importLogs = (from: string): Promise<number> => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true });
    return runTool('import', '--database', database, '--jobs', '1', from);
  };
  const parse = (from: string): Promise<number> => timeOf(benchFile('parse-worker'), from);
  const { ours, theirs } = await interleave(rounds, {
    ours: async () => (await importLogs(logs)) - (await importLogs(single)),
    theirs: async () => (await parse(logs)) - (await parse(single)),
  });
  const name = `import of ${readdirSync(logs).length} ${REAL_LOGS === null ? 'synthetic' : 'real'} logs`;
  return [
    row(name, median(ours) / median(theirs), '× saxes', 'at most', 7, rawOf(ours, theirs, 'ms')),
  ];
}

/**
 * The time from the start of a process to its first answer, and of a lookup on the command line.
 */
export async function measureStart(folder: string, rounds: number): Promise<Row[]> {
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
  const { service, bare, command } = await interleave(rounds, {
    service: () => toFirstAnswer(() => startService(database)),
    bare: () => toFirstAnswer(startBare),
    command: () => runTool('lookup', siteIdOf(0), '--database', database),
  });
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
  ];
}
