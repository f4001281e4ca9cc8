import { type ChildProcess, type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { MAIN } from '../campaigns/processes.js';

/** The processes of a run: the measured one has a core of its own, and the load generator another. */

/** How long a server may take to print its URL, in milliseconds. */
const SERVER_TIMEOUT = 20_000;

/** A compiled file of the benchmark that runs in its own process. */
export const benchFile = (name: string): string => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

/** The numbers of the cores that this process may use; none without /proc. */
function allowedCores(): number[] {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '';
  const ranges = list.split(',').filter((range) => range !== '');
  return ranges.flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last! - first! + 1 }, (_, index) => first! + index);
  });
}

const [MEASURED, LOAD] = allowedCores();
const CAN_PIN = LOAD !== undefined && spawnSync('taskset', ['-c', `${MEASURED},${LOAD}`, 'true']).status === 0;

/** How processes share the machine, for the head of the results. */
export const CORES = CAN_PIN ? `service on core ${MEASURED}, load on core ${LOAD}` : 'not bound to cores: the ratios are less reliable';

const running = new Set<ChildProcess>();

/** Kills all processes that still run. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

interface Started {
  child: ChildProcessByStdio<null, Readable, Readable>;
  output: { stdout: string; stderr: string };
  /** Resolves once all output has been read. @throws {Error} unless it exits with 0 */
  ended: Promise<void>;
}

/** Starts a command on one of the two cores. */
export function start(core: 'measured' | 'load', command: string[], env: NodeJS.ProcessEnv = { PATH: process.env.PATH }): Started {
  const pin = CAN_PIN ? ['taskset', '-c', String(core === 'measured' ? MEASURED : LOAD)] : [];
  const [program, ...args] = [...pin, ...command];
  const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk));
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${String(code)}\n${output.stderr}`);
  });
  return { child, output, ended };
}

/** Runs a program of Node. @returns its time from start to end, in milliseconds */
export async function runNode(...args: string[]): Promise<number> {
  const begin = performance.now();
  await start('measured', [process.execPath, ...args]).ended;
  return performance.now() - begin;
}

/** Runs the command line tool. @returns its time, in milliseconds */
export const runTool = (...args: string[]): Promise<number> => runNode(MAIN, ...args);

/** A server in its own process. */
export interface Server {
  /** `http://127.0.0.1:PORT` */
  url: string;
  pid: number;
  /** Stops it with SIGTERM. @throws {Error} if it does not exit with 0 */
  stop: () => Promise<void>;
}

/** Starts a program of Node and waits until it prints its URL. @throws {Error} if it does not */
export async function startServer(...args: string[]): Promise<Server> {
  const { child, output, ended } = start('measured', [process.execPath, ...args]);
  const url = await new Promise<string>((resolve, reject) => {
    const find = (): void => {
      const found = /serving .*(http:\/\/127\.0\.0\.1:\d+)/i.exec(output.stdout + output.stderr);
      if (found !== null) resolve(found[1]!);
    };
    child.stdout.on('data', find);
    child.stderr.on('data', find);
    ended.then(() => reject(new Error('it ended instead of serving')), reject);
    setTimeout(() => reject(new Error(`${args.join(' ')} does not serve`)), SERVER_TIMEOUT).unref();
  });
  const stop = (): Promise<void> => {
    child.kill('SIGTERM');
    return ended;
  };
  return { url, pid: child.pid!, stop };
}

/** Flags of `serve` that turn the cache off. */
export const NOT_CACHED = ['--cache-megabytes', '0'];

/** Starts the service over a database. */
export const startService = (database: string, flags: string[] = []): Promise<Server> =>
  startServer(MAIN, 'serve', '--database', database, '--port', '0', ...flags);

/** The processor time of the threads of a process so far, in milliseconds, as exact as the scheduler measures it; null without /proc. */
export function processorTimeOf(pid: number): number | null {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(folder)) return null;
  const nanoseconds = readdirSync(folder).map((task) => Number(readFileSync(`${folder}/${task}/schedstat`, 'utf8').split(' ')[0]));
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}
