import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { nodeFlagsOf } from '../node-command.js';
import { pinned } from './cores.js';
import { figuresOf } from './process-figures.js';

/** How long a server may take to print its URL, and to end after SIGTERM, in milliseconds. */
const SERVER_TIMEOUT = 20_000;
/** How often the memory of a command is read, in milliseconds. */
const MEMORY_INTERVAL = 20;

/** The main file of the command in the folder of a version. */
export function commandIn(folder: string): string {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  return resolve(folder, bin['gnss-site-setups']!);
}
/** The main file of this version. */
export const SERVICE = commandIn(fileURLToPath(new URL('../../..', import.meta.url)));

/** A compiled file of the benchmark that runs in its own process. */
export const benchFile = (name: string): string => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

const running = new Set<ChildProcess>();

/** Kills all processes that still run. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

interface Started {
  child: ChildProcessByStdio<null, Readable, Readable>;
  /** Everything that it has written so far. */
  output: { stdout: string; stderr: string };
  /** Its exit code, once all output has been read; null if a signal ended it. */
  ended: Promise<number | null>;
}

/** Starts a command, without a shell. */
function start([program, ...args]: string[], env: NodeJS.ProcessEnv): Started {
  const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk));
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return { child, output, ended };
}

/** The command line for flags of Node, a program and its arguments; also with the flags in the first line of the program. */
function ofNode(args: string[]): string[] {
  const program = args.find((each) => !each.startsWith('-'))!;
  return [process.execPath, ...nodeFlagsOf(program), ...args];
}

/** Starts Node on the core of the measured process, without settings in the environment or NODE_OPTIONS, which would change the results. */
const startNode = (args: string[]): Started => start(pinned('measured', ofNode(args)), { PATH: process.env.PATH });
/** Starts Node on all cores, otherwise in the same way. */
const startNodeOnAllCores = (args: string[]): Started => start(ofNode(args), { PATH: process.env.PATH });

const failure = (args: string[], what: string, { stderr }: { stderr: string }): Error =>
  new Error(`${args.join(' ')}: ${what}\n${stderr.trimEnd()}`);

/** A command that has ended. */
export interface Run {
  stdout: string;
  /** The time from the start of the process to its end. */
  milliseconds: number;
  /** Peak resident memory, in bytes; 0 without /proc. */
  peakMemory: number;
}

/** Runs Node with `args`. @throws {Error} if it does not exit with 0 */
export const runNode = (...args: string[]): Promise<Run> => run(startNode, args);
/** Runs Node with `args` on all cores. @throws {Error} if it does not exit with 0 */
export const runNodeOnAllCores = (...args: string[]): Promise<Run> => run(startNodeOnAllCores, args);

async function run(startWith: (args: string[]) => Started, args: string[]): Promise<Run> {
  const begin = performance.now();
  const { child, output, ended } = startWith(args);
  let peakMemory = 0;
  const timer = setInterval(() => {
    peakMemory = Math.max(peakMemory, figuresOf(child.pid!)?.peakMemory || 0);
  }, MEMORY_INTERVAL);
  const code = await ended;
  clearInterval(timer);
  if (code !== 0) throw failure(args, `ended with ${code}`, output);
  return { stdout: output.stdout, milliseconds: performance.now() - begin, peakMemory };
}

/** Runs a load generator on its own core. @returns the last line that it printed, parsed as JSON */
export async function runGenerator<T>(command: string[]): Promise<T> {
  const { output, ended } = start(pinned('load', command), process.env);
  const code = await ended;
  if (code !== 0) throw failure(command, `ended with ${code}`, output);
  return JSON.parse(output.stdout.trimEnd().split('\n').at(-1)!) as T;
}

/** A server in its own process. */
export interface Server {
  /** `http://127.0.0.1:PORT` */
  url: string;
  pid: number;
  /** Stops it with SIGTERM. @throws {Error} if it does not exit with 0 */
  stop: () => Promise<void>;
}

/** Starts Node with `args` and waits until it prints its URL. @throws {Error} if it does not */
export const startServer = (...args: string[]): Promise<Server> => serverOf(args, startNode(args));
/** The same on all cores. */
export const startServerOnAllCores = (...args: string[]): Promise<Server> => serverOf(args, startNodeOnAllCores(args));

async function serverOf(args: string[], { child, output, ended }: Started): Promise<Server> {
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = /(http:\/\/127\.0\.0\.1:\d+)\s/.exec(output.stdout);
      if (found !== null) resolve(found[1]!);
    });
    ended.then((code) => reject(failure(args, `ended with ${code} instead of serving`, output)), reject);
    setTimeout(() => reject(failure(args, `does not serve after ${SERVER_TIMEOUT} ms`, output)), SERVER_TIMEOUT).unref();
  });
  const stop = async (): Promise<void> => {
    const timer = setTimeout(() => child.kill('SIGKILL'), SERVER_TIMEOUT);
    child.kill('SIGTERM');
    const code = await ended;
    clearTimeout(timer);
    if (code !== 0) throw failure(args, `ended with ${code} after SIGTERM; expected 0`, output);
  };
  return { url, pid: child.pid!, stop };
}
