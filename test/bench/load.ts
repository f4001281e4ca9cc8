import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figuresOf } from './process-figures.js';
import { benchFile, runGenerator, type Server } from './processes.js';
import { WRK_SCRIPT } from './wrk-script.js';

/** What a load generator measured. */
export interface Answers {
  /** The number of answers, all with 200. */
  requests: number;
  seconds: number;
  /** The 99th percentile of the response time, in milliseconds. */
  p99: number;
}

/** How a server performed under load. */
export interface Load {
  requestsPerSecond: number;
  p99: number;
  /** Processor time of the server per request, in microseconds; null without /proc. */
  processorTime: number | null;
}

/** How long a load lasts, and over how many connections. */
export interface Pressure {
  connections: number;
  /** In seconds; long enough for the JIT compiler. */
  warmUp: number;
  /** In seconds. */
  seconds: number;
}

const HAS_WRK = spawnSync('wrk', ['-v']).error === undefined;

/** The load generator, for the head of the results. */
export const GENERATOR = HAS_WRK ? 'wrk' : 'autocannon (wrk takes less of the machine, where it is installed)';

/** Requests these paths from a server repeatedly, first to warm it up. @throws {Error} if an answer is not 200 */
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
