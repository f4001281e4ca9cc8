import { existsSync } from 'node:fs';
import { ask } from './ask.js';
import { importNetwork, type Network } from './databases.js';
import type { Effort } from './effort.js';
import { currentPath } from './paths.js';
import { commandIn, type Server } from './processes.js';
import { compare, median, rotate } from './rounds.js';
import { prepareBare, startService } from './servers.js';
import { siteIdOf } from './synthetic-logs.js';
import type { Row } from './table.js';

/** The target for the first answer, in milliseconds. */
const TARGET = 200;
/** The target as a multiple of the other version: no slower, with a margin for the noise of the machine. */
const AGAINST_TARGET = 1.05;

const PATH = currentPath(siteIdOf(0));

/** The time from the start of the process to the first 200, in milliseconds. */
async function toFirstAnswer(start: () => Promise<Server>): Promise<number> {
  const begin = performance.now();
  const server = await start();
  await ask(`${server.url}${PATH}`);
  const milliseconds = performance.now() - begin;
  await server.stop();
  return milliseconds;
}

/** The main file of the version in a folder. @throws {Error} if it is not built */
function serviceIn(folder: string): string {
  const service = commandIn(folder);
  if (!existsSync(service)) throw new Error(`${service} does not exist; build the version there first (npm ci && npm run build)`);
  return service;
}

/** Compares the time until the first answer with a bare server and, if given, another version. */
export async function measureStart(few: Network, folder: string, { rounds }: Effort, against: string | undefined): Promise<Row[]> {
  const startBare = await prepareBare(folder, 'start', few.database, [PATH]);
  let other: (() => Promise<number>) | undefined;
  if (against !== undefined) {
    const service = serviceIn(against);
    // It needs its own database, because the schemas may differ.
    const { database } = await importNetwork(folder, 'against', few.sites, service);
    other = () => toFirstAnswer(() => startService(database, { service }));
  }
  const times = await rotate<string, number>(rounds, {
    ours: () => toFirstAnswer(() => startService(few.database)),
    bare: () => toFirstAnswer(startBare),
    ...(other !== undefined && { other }),
  });
  const compared = (theirs: string) => compare({ ours: times.ours!, theirs: times[theirs]! }, (milliseconds) => milliseconds);
  const toBare = compared('bare');
  const rows: Row[] = [
    {
      name: 'start to first 200',
      result: `${toBare.ours.toFixed(0)} ms, ${toBare.ratio.toFixed(2)} × node:http`,
      raw: `${toBare.ours.toFixed(0)} / ${toBare.theirs.toFixed(0)} ms (rounds ${toBare.spread})`,
      target: { text: `at most ${TARGET} ms`, met: median(times.ours!) <= TARGET },
    },
  ];
  if (other !== undefined) {
    const toOther = compared('other');
    rows.push({
      name: 'start to first 200, against the other version',
      result: `${toOther.ratio.toFixed(2)} × the other`,
      raw: `${toOther.ours.toFixed(0)} / ${toOther.theirs.toFixed(0)} ms (rounds ${toOther.spread}); the other: ${against}`,
      target: { text: `at most ${AGAINST_TARGET}`, met: toOther.ratio <= AGAINST_TARGET },
    });
  }
  return rows;
}
