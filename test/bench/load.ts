import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figuresOf } from './process-figures.js';
import { benchFile, runGenerator, type Server } from './processes.js';
import { WRK_SCRIPT } from './wrk-script.js';

/** What a load generator saw. */
export interface Answers {
  /** All with 200. */
  requests: number;
  seconds: number;
  /** 99 of 100 answers came within this time, in milliseconds. */
  p99: number;
}

/** What a server did under load. */
export interface Load {
  requestsPerSecond: number;
  p99: number;
  /** Processor time that the server spent on one request, in microseconds; null where there is no /proc. */
  processorTime: number | null;
}

/** How long and by how many a server is asked. */
export interface Pressure {
  connections: number;
  /** In seconds: enough for the server's code to be compiled. */
  warmUp: number;
  /** In seconds. */
  seconds: number;
}

const HAS_WRK = spawnSync('wrk', ['-v']).error === undefined;

/** Which generator makes the load, for the head of the result. */
export const GENERATOR = HAS_WRK ? 'wrk' : 'autocannon (wrk takes less of the machine, where it is installed)';

/** Asks the server for these paths, again and again, first to warm it up. @throws where an answer is anything but 200 */
export async function load(server: Server, paths: string[], { connections, warmUp, seconds }: Pressure): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'gnss-site-setups-load-'));
  const [file, script] = [join(folder, 'paths'), join(folder, 'paths.lua')];
  writeFileSync(file, paths.join('\n'));
  writeFileSync(script, WRK_SCRIPT);
  const run = (duration: number): Promise<Answers> =>
    runGenerator<Answers>(
      HAS_WRK
        ? ['wrk', '-t1', `-c${connections}`, `-d${duration}s`, '--timeout', '60s', '-s', script, server.url, '--', file]
        : [process.execPath, benchFile('autocannon-worker'), server.url, file, String(connections), String(duration)],
    );
  try {
    await run(warmUp);
    const before = figuresOf(server.pid);
    const { requests, seconds: passed, p99 } = await run(seconds);
    const after = figuresOf(server.pid);
    return {
      requestsPerSecond: requests / passed,
      p99,
      processorTime: before === null || after === null ? null : ((after.processorTime - before.processorTime) / requests) * 1e6,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
