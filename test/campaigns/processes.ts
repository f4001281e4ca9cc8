import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { nodeCommand } from '../node-command.js';

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}

/** The root folder of the project. These files also run compiled, below `dist`, where `ROOT` of `test/helper.ts` is not the root. */
export const PROJECT = findRoot(import.meta.dirname);
/** The compiled main file of the service. */
export const MAIN = join(PROJECT, 'dist', 'src', 'bundle', 'main.js');
/** The exported contract. */
export const CONTRACT_FOLDER = join(PROJECT, 'schemas', 'json');
/** The site logs of the sample network. */
export const SAMPLE_LOGS = join(PROJECT, 'data', 'site-logs');

/** How long a service may take to print its URL, and to end after SIGTERM, in milliseconds. */
const TIMEOUT = 30_000;

/** How a process ended. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that runs the command line tool. */
export interface Running {
  pid: number;
  child: ChildProcessByStdio<null, Readable, Readable>;
  output: { stdout: string; stderr: string };
  ended: Promise<Ended>;
  /** How it ended; null while it runs. */
  end: () => Ended | null;
}

export interface Limits {
  /** A command of the shell that sets limits first, such as `ulimit -n 200`. */
  shell?: string;
}

const running = new Set<Running['child']>();

/** Kills all processes that still run. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Starts the command line tool. */
export function startTool(args: string[], { shell }: Limits = {}): Running {
  const command = nodeCommand(MAIN, ...args).flat();
  const [program, ...rest] = shell === undefined ? command : ['/bin/sh', '-c', `${shell}; exec "$0" "$@"`, ...command];
  const child = spawn(program!, rest, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH } });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk));
  let end: Ended | null = null;
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child);
      end = { code, signal };
      resolve(end);
    });
  });
  return { pid: child.pid!, child, output, ended, end: () => end };
}

/** Runs the command line tool to its end. It is killed after `timeout` milliseconds. */
export async function runTool(args: string[], limits: Limits = {}, timeout = 120_000): Promise<Ended & Running['output']> {
  const { child, output, ended } = startTool(args, limits);
  const timer = setTimeout(() => child.kill('SIGKILL'), timeout);
  const end = await ended;
  clearTimeout(timer);
  return { ...end, ...output };
}

/** A service in its own process. */
export interface Service extends Running {
  port: number;
  /** Ends it with SIGTERM. Returns what is wrong: a crash, another exit code than 0, errors in its log. */
  stop: () => Promise<string[]>;
}

/** The entries of a log at level error and above, and lines that are no entries. */
function errorsIn(stderr: string): string[] {
  return stderr
    .split('\n')
    .filter((line) => line !== '')
    .filter((line) => !line.startsWith('{') || /"level":"(error|fatal)"/.test(line));
}

/** Starts a service on a free port. @throws {Error} if it does not serve */
export async function startService(database: string, flags: string[] = []): Promise<Service> {
  const started = startTool(['serve', '--database', database, '--port', '0', ...flags]);
  const { child, output, ended, end } = started;
  const port = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the service does not serve after ${TIMEOUT} ms: ${output.stderr}`)), TIMEOUT);
    child.stderr.on('data', () => {
      const found = /serving .* at http:\/\/127\.0\.0\.1:(\d+)/.exec(output.stderr);
      if (found === null) return;
      clearTimeout(timer);
      resolve(Number(found[1]));
    });
    void ended.then(({ code }) => {
      clearTimeout(timer);
      reject(new Error(`the service ended with ${code} instead of serving: ${output.stderr}`));
    });
  });
  const stop = async (): Promise<string[]> => {
    const early = end();
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT);
    child.kill('SIGTERM');
    const { code, signal } = await ended;
    clearTimeout(timer);
    const errors = errorsIn(output.stderr);
    return [
      ...(early !== null ? [`the service died: ${early.signal ?? early.code}: ${output.stderr.slice(-500)}`] : []),
      ...(early === null && code !== 0 ? [`the service ended with ${signal ?? code} after SIGTERM; expected 0`] : []),
      ...(errors.length > 0 ? [`${errors.length} errors in the log of the service, first: ${errors[0]!.slice(0, 1000)}`] : []),
    ];
  };
  return { ...started, port, stop };
}

/** Imports logs into a database. @throws {Error} if the import fails */
export async function importLogs(database: string, ...paths: string[]): Promise<void> {
  const { code, signal, stderr } = await runTool(['import', '--database', database, ...paths]);
  if (code !== 0) throw new Error(`the import ended with ${signal ?? code}: ${stderr.slice(-1000)}`);
}

/** The resident memory of a process, in bytes. Needs /proc. */
export const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) * 1024;
